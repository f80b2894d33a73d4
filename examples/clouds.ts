// Clouds over the sea at noon: a repeating 3D texture of noise, marched through with light carried from the sun.

import type { DemoModule } from '../src/demo.ts';
import { createFullscreenTriangle, FULLSCREEN_VERTEX_300 } from './shared/fullscreen.ts';
import { createProgram } from './shared/program.ts';
import { createRandom } from './shared/random.ts';
import { TONE } from './shared/shading.ts';

const SIZE = 32;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp sampler3D;
uniform sampler3D noise;
uniform float aspect, time;
in vec2 place;
out vec4 result;
${TONE}
const vec3 toSun = normalize(vec3(0.55, 0.45, -0.7));
const float BOTTOM = 1.5, TOP = 3.3;

/** Density of the cloud: large shapes, worn away by two finer octaves. */
float density(vec3 p) {
  float level = (p.y - BOTTOM) / (TOP - BOTTOM);
  vec3 q = p + vec3(time * 0.15, 0.0, time * 0.1);
  float shape = texture(noise, q * 0.075).r;
  // Flat below, round above.
  float cover = shape - 0.5 - 0.32 * level * level - 0.25 * smoothstep(0.1, 0.0, level);
  if (cover < -0.12) return 0.0;
  float wear = texture(noise, q * 0.27).g * 0.65 + texture(noise, q * 0.83).g * 0.35;
  return clamp((cover - (wear - 0.42) * 0.3) * 5.0, 0.0, 1.0);
}

vec3 sky(vec3 direction) {
  float up = max(direction.y, 0.0);
  vec3 light = mix(vec3(0.75, 0.88, 1.05), vec3(0.1, 0.29, 0.72), pow(up, 0.55));
  float near = max(dot(direction, toSun), 0.0);
  return light + vec3(1.0, 0.85, 0.6) * (0.35 * pow(near, 16.0) + 0.9 * pow(near, 220.0));
}

vec3 sea(vec3 direction) {
  vec2 ground = direction.xz * (0.9 / -direction.y);
  vec2 wave = (texture(noise, vec3(ground * 0.35, time * 0.11)).rg + texture(noise, vec3(ground * 1.3, time * 0.2)).gr - 1.0) * 0.22;
  vec3 normal = normalize(vec3(wave.x, 1.0, wave.y));
  float fresnel = 0.03 + 0.97 * pow(1.0 - max(dot(normal, -direction), 0.0), 5.0);
  vec3 mirrored = reflect(direction, normal);
  vec3 seen = sky(vec3(mirrored.x, abs(mirrored.y), mirrored.z));
  vec3 light = mix(vec3(0.012, 0.09, 0.13), seen, fresnel);
  return mix(light, sky(vec3(direction.x, 0.0, direction.z)), smoothstep(-0.06, 0.0, direction.y));
}

void main() {
  vec3 direction = normalize(vec3(place.x * aspect, place.y + 0.42, -1.7));
  vec3 light = direction.y > 0.0 ? sky(direction) : sea(direction);
  if (direction.y > 0.015) {
    float near = BOTTOM / direction.y, far = min(TOP / direction.y, near + 14.0);
    const int STEPS = 40;
    float stride = (far - near) / float(STEPS);
    // Steps start at a place that differs from pixel to pixel, which hides their layers.
    float start = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    float clear = 1.0;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < STEPS; i++) {
      vec3 p = direction * (near + (float(i) + start) * stride);
      float here = density(p);
      if (here <= 0.0) continue;
      // What stands between here and the sun.
      float shade = density(p + toSun * 0.2) * 0.5 + density(p + toSun * 0.55);
      vec3 lit = vec3(1.75, 1.6, 1.4) * exp(-1.7 * shade) + vec3(0.4, 0.52, 0.72);
      float kept = exp(-here * stride * 3.2);
      sum += lit * clear * (1.0 - kept);
      clear *= kept;
      if (clear < 0.02) break;
    }
    float haze = exp(-0.0035 * near * near);
    light = mix(light, sum + light * clear, haze);
  }
  result = vec4(tone(light), 1.0);
}`;

/**
 * Bytes of a noise volume that repeats every way: red has broad shapes, green fine ones. Each is a sum of octaves of
 * random lattices, interpolated.
 */
function createNoise(): Uint8Array {
  const random = createRandom(6);
  const octave = (cells: number): Float32Array => {
    const lattice = Float32Array.from({ length: cells ** 3 }, random);
    const at = (x: number, y: number, z: number) => lattice[((z % cells) * cells + (y % cells)) * cells + (x % cells)]!;
    const volume = new Float32Array(SIZE ** 3);
    const axis = Array.from({ length: SIZE }, (_, index) => {
      const position = (index * cells) / SIZE;
      const cell = Math.floor(position);
      const part = position - cell;
      return { cell, part: part * part * (3 - 2 * part) };
    });
    const mix = (a: number, b: number, t: number) => a + (b - a) * t;
    for (const [z, { cell: cz, part: pz }] of axis.entries()) {
      for (const [y, { cell: cy, part: py }] of axis.entries()) {
        for (const [x, { cell: cx, part: px }] of axis.entries()) {
          const row = (dy: number, dz: number) => mix(at(cx, cy + dy, cz + dz), at(cx + 1, cy + dy, cz + dz), px);
          volume[(z * SIZE + y) * SIZE + x] = mix(mix(row(0, 0), row(1, 0), py), mix(row(0, 1), row(1, 1), py), pz);
        }
      }
    }
    return volume;
  };
  const [broad, middle, fine, finest] = [octave(4), octave(8), octave(16), octave(8)];
  const bytes = new Uint8Array(SIZE ** 3 * 2);
  for (let index = 0; index < SIZE ** 3; index++) {
    bytes[index * 2] = (broad[index]! * 0.6 + middle[index]! * 0.28 + fine[index]! * 0.12) * 255;
    bytes[index * 2 + 1] = (finest[index]! * 0.6 + fine[index]! * 0.4) * 255;
  }
  return bytes;
}

export default {
  title: 'Clouds in a 3D texture',
  setup({ gl, width, height }) {
    const program = createProgram(gl, FULLSCREEN_VERTEX_300, FRAGMENT);
    const triangle = createFullscreenTriangle(gl);
    const noise = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_3D, noise);
    gl.texImage3D(gl.TEXTURE_3D, 0, gl.RG8, SIZE, SIZE, SIZE, 0, gl.RG, gl.UNSIGNED_BYTE, createNoise());
    gl.texParameteri(gl.TEXTURE_3D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_3D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    return {
      frame(time) {
        gl.viewport(0, 0, width, height);
        program.use();
        gl.bindTexture(gl.TEXTURE_3D, noise);
        gl.uniform1f(program.uniform('aspect'), width / height);
        gl.uniform1f(program.uniform('time'), time);
        triangle.draw();
      },
      dispose() {
        gl.deleteTexture(noise);
        triangle.dispose();
        program.dispose();
      },
    };
  },
} satisfies DemoModule;
