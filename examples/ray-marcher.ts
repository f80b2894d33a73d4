// A whole scene in one fragment shader: distance fields, marched rays, soft shadows, occlusion and one mirror bounce.

import type { DemoModule } from '../src/demo.ts';
import { createFullscreenTriangle, FULLSCREEN_VERTEX_300 } from './shared/fullscreen.ts';
import { createProgram } from './shared/program.ts';
import { TONE } from './shared/shading.ts';

const FRAGMENT = `#version 300 es
precision highp float;
uniform float aspect, time;
in vec2 place;
out vec4 result;
${TONE}
const vec3 toSun = normalize(vec3(-0.55, 0.62, 0.45));
const float FAR = 24.0;

float smoothUnion(float a, float b, float k) {
  float h = max(k - abs(a - b), 0.0) / k;
  return min(a, b) - h * h * k * 0.25;
}

mat2 turn(float angle) {
  float c = cos(angle), s = sin(angle);
  return mat2(c, s, -s, c);
}

float roundBox(vec3 p, vec3 size, float radius) {
  vec3 q = abs(p) - size + radius;
  return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0) - radius;
}

/** Distance to the nearest thing (x) and its material (y). */
vec2 scene(vec3 p) {
  vec2 nearest = vec2(p.y, 0.0);

  // Drops of clay that melt into one another.
  float clay = length(p - vec3(-1.35, 0.62, 0.0)) - 0.62;
  for (int i = 0; i < 3; i++) {
    float phase = time * 0.9 + float(i) * 2.1;
    vec3 drop = vec3(-1.35 + 0.72 * sin(phase), 0.75 + 0.45 * sin(phase * 1.3 + 1.0), 0.72 * cos(phase));
    clay = smoothUnion(clay, length(p - drop) - 0.3, 0.45);
  }
  if (clay < nearest.x) nearest = vec2(clay, 1.0);

  // A hollow rounded cube with a ball inside.
  vec3 q = p - vec3(0.95, 0.72, -0.35);
  q.xz *= turn(0.5 + time * 0.4);
  float cube = max(roundBox(q, vec3(0.72), 0.1), 0.86 - length(q));
  if (cube < nearest.x) nearest = vec2(cube, 2.0);
  float ball = length(q) - 0.42;
  if (ball < nearest.x) nearest = vec2(ball, 3.0);

  // A ring that stands on the ground.
  vec3 r = p - vec3(0.05, 0.5, 1.35);
  r.xz *= turn(-0.75);
  float ring = length(vec2(length(r.xy) - 0.38, r.z)) - 0.12;
  if (ring < nearest.x) nearest = vec2(ring, 4.0);
  return nearest;
}

vec3 sky(vec3 direction) {
  float up = max(direction.y, 0.0);
  vec3 light = mix(vec3(0.78, 0.82, 0.88), vec3(0.2, 0.42, 0.82), sqrt(up));
  return light + vec3(1.2, 0.9, 0.6) * pow(max(dot(direction, toSun), 0.0), 48.0);
}

/** Distance along the ray and material; material −1 when nothing is hit. */
vec2 march(vec3 from, vec3 direction, int steps) {
  float along = 0.02;
  for (int i = 0; i < steps; i++) {
    vec2 hit = scene(from + direction * along);
    if (hit.x < 0.0006 * along) return vec2(along, hit.y);
    along += hit.x;
    if (along > FAR) break;
  }
  return vec2(FAR, -1.0);
}

vec3 normalAt(vec3 p) {
  // Four taps at the corners of a tetrahedron.
  vec2 e = vec2(1.0, -1.0) * 0.0008;
  return normalize(e.xyy * scene(p + e.xyy).x + e.yyx * scene(p + e.yyx).x
    + e.yxy * scene(p + e.yxy).x + e.xxx * scene(p + e.xxx).x);
}

/** Share of the sun that passes; rays that graze things are dimmed, which makes the soft edge. */
float sunlight(vec3 from) {
  float lit = 1.0, along = 0.03;
  for (int i = 0; i < 28; i++) {
    float room = scene(from + toSun * along).x;
    lit = min(lit, 0.5 + 0.5 * room / (0.07 * along));
    if (lit < 0.0) break;
    along += clamp(room, 0.03, 0.5);
    if (along > 5.0) break;
  }
  lit = max(lit, 0.0);
  return lit * lit * (3.0 - 2.0 * lit);
}

float openness(vec3 p, vec3 normal) {
  float blocked = 0.0, weight = 1.0;
  for (int i = 1; i <= 4; i++) {
    float reach = 0.07 * float(i * i) * 0.6;
    blocked += (reach - scene(p + normal * reach).x) * weight;
    weight *= 0.7;
  }
  return clamp(1.0 - 1.6 * blocked, 0.0, 1.0);
}

vec3 albedoOf(float material, vec3 p, float along) {
  if (material < 0.5) {
    // A checkerboard, averaged over the pixel's footprint so that it fades where it is too fine.
    float width = 0.0035 * along * along / max(abs(p.y - 1.9), 1.0) + 0.002;
    vec2 wave = 2.0 * (abs(fract((p.xz - 0.5 * width) * 0.5) - 0.5) - abs(fract((p.xz + 0.5 * width) * 0.5) - 0.5)) / width;
    float checker = 0.5 - 0.5 * wave.x * wave.y;
    return mix(vec3(0.06, 0.075, 0.11), vec3(0.5, 0.46, 0.4), checker);
  }
  if (material < 1.5) return vec3(0.85, 0.1, 0.05);
  if (material < 2.5) return vec3(0.6, 0.62, 0.64);
  if (material < 3.5) return vec3(1.0, 0.62, 0.12);
  return vec3(0.02, 0.3, 0.34);
}

vec3 lightAt(vec3 p, vec3 normal, vec3 direction, float material, float along) {
  vec3 albedo = albedoOf(material, p, along);
  float facing = max(dot(normal, toSun), 0.0);
  float sun = facing > 0.0 ? facing * sunlight(p + normal * 0.003) : 0.0;
  float open = openness(p, normal);
  vec3 skylight = vec3(0.42, 0.52, 0.7) * (0.6 + 0.4 * normal.y) * open;
  vec3 bounce = vec3(0.2, 0.18, 0.15) * max(-normal.y, 0.0) * open;
  vec3 light = albedo * (vec3(2.5, 2.2, 1.75) * sun + skylight + bounce);
  vec3 halfway = normalize(toSun - direction);
  return light + vec3(2.0, 1.8, 1.4) * sun * pow(max(dot(normal, halfway), 0.0), 60.0) * 0.5;
}

vec3 fog(vec3 light, vec3 direction, float along) {
  return mix(light, sky(vec3(direction.x, abs(direction.y) * 0.2, direction.z)), 1.0 - exp(-0.00022 * along * along * along));
}

void main() {
  float angle = 0.35 + time * 0.12;
  vec3 eye = vec3(4.6 * sin(angle), 2.0, 4.6 * cos(angle));
  vec3 forward = normalize(vec3(0.0, 0.5, 0.1) - eye);
  vec3 right = normalize(cross(forward, vec3(0.0, 1.0, 0.0)));
  vec3 up = cross(right, forward);
  vec3 direction = normalize(forward * 2.1 + right * place.x * aspect + up * place.y);

  vec2 hit = march(eye, direction, 80);
  vec3 light = sky(direction);
  if (hit.y >= 0.0) {
    vec3 p = eye + direction * hit.x;
    vec3 normal = normalAt(p);
    light = lightAt(p, normal, direction, hit.y, hit.x);
    // Polished things show their surroundings once.
    float polish = hit.y < 0.5 ? 0.12 : hit.y < 1.5 ? 0.06 : hit.y < 2.5 ? 0.35 : hit.y < 3.5 ? 0.5 : 0.15;
    float fresnel = polish + (1.0 - polish) * 0.5 * pow(1.0 - max(dot(normal, -direction), 0.0), 5.0);
    vec3 mirrored = reflect(direction, normal);
    vec2 second = march(p + normal * 0.004, mirrored, 40);
    vec3 seen = sky(mirrored);
    if (second.y >= 0.0) {
      vec3 p2 = p + mirrored * second.x;
      vec3 albedo = albedoOf(second.y, p2, hit.x + second.x);
      seen = fog(albedo * (0.5 + 0.9 * max(dot(normalAt(p2), toSun), 0.0)), mirrored, second.x);
    }
    light = fog(mix(light, seen, fresnel), direction, hit.x);
  }
  light *= 1.0 - 0.12 * dot(place, place);
  result = vec4(tone(light * 1.15), 1.0);
}`;

export default {
  title: 'Ray-marched distance fields',
  setup({ gl, width, height }) {
    const program = createProgram(gl, FULLSCREEN_VERTEX_300, FRAGMENT);
    const triangle = createFullscreenTriangle(gl);
    return {
      frame(time) {
        gl.viewport(0, 0, width, height);
        program.use();
        gl.uniform1f(program.uniform('aspect'), width / height);
        gl.uniform1f(program.uniform('time'), time);
        triangle.draw();
      },
      dispose() {
        triangle.dispose();
        program.dispose();
      },
    };
  },
} satisfies DemoModule;
