// A meadow at sunrise: twelve thousand blades and some poppies, two instanced draws, bent by the wind in the vertex shader.

import { mat4 } from 'gl-matrix';
import type { DemoModule } from '../src/demo.ts';
import { createFullscreenTriangle, FULLSCREEN_VERTEX_300 } from './shared/fullscreen.ts';
import { createProgram } from './shared/program.ts';
import { createRandom, fractalNoise } from './shared/random.ts';
import { TONE } from './shared/shading.ts';

const WIND = `
/** How far the wind pushes the top of a plant at this place. */
vec2 wind(vec2 ground, float time) {
  float gust = sin(ground.x * 0.55 + ground.y * 0.3 - time * 1.7) + 0.5 * sin(ground.x * 1.7 - ground.y * 0.9 - time * 2.9);
  return vec2(0.16 + 0.12 * gust, 0.05 * gust);
}
`;

const SKY = `
const vec3 toSun = normalize(vec3(0.35, 0.16, -1.0));

/** Morning sky in a direction. */
vec3 skyLight(vec3 direction) {
  float up = max(direction.y, 0.0);
  vec3 sky = mix(vec3(1.0, 0.6, 0.3), vec3(0.22, 0.42, 0.75), smoothstep(0.0, 0.5, up));
  float near = max(dot(direction, toSun), 0.0);
  return sky + vec3(1.0, 0.55, 0.2) * (0.6 * pow(near, 8.0) + 4.0 * smoothstep(0.9982, 0.9992, near));
}
`;

const BLADE_VERTEX = `#version 300 es
layout(location = 0) in vec2 corner;    // across −1 to 1, along 0 to 1
layout(location = 1) in vec4 placement; // ground x, ground z, angle, height
layout(location = 2) in vec4 tint;      // colour, and how far it droops
uniform mat4 viewProjection;
uniform vec3 eye;
uniform float time;
out vec3 albedo;
out vec3 normal;
out vec3 worldPosition;
out float along;
${WIND}
void main() {
  along = corner.y;
  vec2 facing = vec2(cos(placement.z), sin(placement.z));
  float tall = placement.w;
  float bend = along * along;
  vec2 push = wind(placement.xy, time) * tall + vec2(-facing.y, facing.x) * tint.w * tall;
  // Far blades are made wider, so that none falls between the pixels.
  float away = length(eye.xz - placement.xy);
  float halfWidth = (0.018 + 0.0016 * away) * (1.0 - along * 0.92);
  vec2 ground = placement.xy + facing * corner.x * halfWidth + push * bend;
  worldPosition = vec3(ground.x, tall * (along - 0.25 * bend * dot(push, push) / (tall * tall)), ground.y);
  normal = normalize(vec3(-facing.y + facing.x * corner.x * 0.6, 0.55, facing.x + facing.y * corner.x * 0.6));
  albedo = tint.rgb;
  gl_Position = viewProjection * vec4(worldPosition, 1.0);
}`;

const BLADE_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 eye;
in vec3 albedo;
in vec3 normal;
in vec3 worldPosition;
in float along;
out vec4 result;
${TONE}
${SKY}
void main() {
  vec3 away = worldPosition - eye;
  vec3 direction = normalize(away);
  vec3 facing = normalize(gl_FrontFacing ? normal : -normal);
  // The sun shines through the blades; near the ground they shade one another.
  float through = pow(max(dot(direction, toSun), 0.0), 3.0) * 1.6;
  float shade = 0.12 + 0.88 * along * along;
  vec3 sun = vec3(2.6, 1.75, 0.95) * (max(dot(facing, toSun), 0.0) * 0.5 + through * along);
  vec3 light = albedo * (sun + vec3(0.35, 0.45, 0.6)) * shade;
  float haze = 1.0 - exp(-length(away) * 0.045);
  vec3 level = normalize(vec3(direction.x, 0.015, direction.z));
  result = vec4(tone(mix(light, skyLight(level) * 0.8, haze * haze)), 1.0);
}`;

const POPPY_VERTEX = `#version 300 es
layout(location = 0) in vec2 corner;    // −1 to 1 both ways
layout(location = 1) in vec4 placement; // ground x, ground z, size, height
uniform mat4 viewProjection;
uniform vec3 eye;
uniform float time;
out vec2 place;
out float away;
${WIND}
void main() {
  place = corner;
  vec2 push = wind(placement.xy, time) * placement.w * 0.7;
  vec3 centre = vec3(placement.x + push.x, placement.w, placement.y + push.y);
  vec3 toEye = normalize(eye - centre);
  vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), toEye));
  vec3 top = cross(toEye, right);
  away = length(eye - centre);
  vec3 world = centre + (right * corner.x + top * corner.y * 0.8) * placement.z;
  gl_Position = viewProjection * vec4(world, 1.0);
}`;

const POPPY_FRAGMENT = `#version 300 es
precision highp float;
in vec2 place;
in float away;
out vec4 result;
${TONE}
void main() {
  float radius = length(place);
  float angle = atan(place.y, place.x);
  float petal = 0.82 + 0.16 * cos(angle * 4.0);
  if (radius > petal) discard;
  vec3 light = mix(vec3(0.55, 0.02, 0.015), vec3(1.5, 0.14, 0.05), smoothstep(0.1, 0.95, radius) * (0.7 + 0.3 * place.y));
  light = mix(vec3(0.015, 0.012, 0.02), light, smoothstep(0.16, 0.26, radius));
  light = mix(light, vec3(1.0, 0.6, 0.32), 1.0 - exp(-away * away * 0.002));
  result = vec4(tone(light), 1.0);
}`;

const SKY_FRAGMENT = `#version 300 es
precision highp float;
uniform mat4 unproject;
in vec2 place;
out vec4 result;
${TONE}
${SKY}
void main() {
  vec3 direction = normalize((unproject * vec4(place, 1.0, 1.0)).xyz);
  vec3 light = skyLight(direction);
  // Two ranges of hills.
  float turn = direction.x / -direction.z;
  float far = 0.075 + 0.022 * sin(turn * 5.0 + 1.0) + 0.008 * sin(turn * 17.0);
  float near = 0.035 + 0.018 * sin(turn * 4.0 + 4.0) + 0.006 * sin(turn * 23.0 + 1.0);
  light = mix(vec3(0.5, 0.4, 0.42), light, smoothstep(0.0, 0.004, direction.y - far));
  light = mix(vec3(0.3, 0.24, 0.2), light, smoothstep(0.0, 0.004, direction.y - near));
  result = vec4(tone(light), 1.0);
}`;

const BLADES = 12000;
const POPPIES = 90;
/** Each blade is a strip of five pairs of vertices, the last pair at the tip. */
const BLADE_STEPS = 4;

function createBlades(random: () => number): Float32Array {
  const data = new Float32Array(BLADES * 8);
  for (let blade = 0; blade < BLADES; blade++) {
    // Denser near the eye, which stands at z = 4.
    const depth = random() ** 1.9 * 26;
    const x = (random() - 0.5) * (3.2 + depth * 1.25);
    const z = 3.2 - depth;
    const patch = fractalNoise(x * 0.35 + 60, z * 0.35 + 60, 256, 3, 17);
    const height = 0.38 + patch * 0.42 + random() * 0.22;
    const dry = Math.min(Math.max((patch - 0.5) * 3 + random() * 0.35, 0), 1);
    const tint = [0.1 + 0.28 * dry, 0.3 + 0.06 * dry - random() * 0.07, 0.045 + 0.02 * dry];
    data.set([x, z, random() * 2 * Math.PI, height, ...tint, random() * 0.45], blade * 8);
  }
  return data;
}

function createPoppies(random: () => number): Float32Array {
  const data = new Float32Array(POPPIES * 4);
  for (let poppy = 0; poppy < POPPIES; poppy++) {
    const depth = 0.8 + random() ** 1.3 * 12;
    const x = (random() - 0.5) * (2.6 + depth * 1.15);
    data.set([x, 3.2 - depth, 0.05 + random() * 0.035, 0.62 + random() * 0.28], poppy * 4);
  }
  return data;
}

export default {
  title: 'Instanced meadow',
  setup({ gl, width, height }) {
    const bladeProgram = createProgram(gl, BLADE_VERTEX, BLADE_FRAGMENT);
    const poppyProgram = createProgram(gl, POPPY_VERTEX, POPPY_FRAGMENT);
    const skyProgram = createProgram(gl, FULLSCREEN_VERTEX_300, SKY_FRAGMENT);
    const triangle = createFullscreenTriangle(gl);
    const random = createRandom(5);

    const buffers: WebGLBuffer[] = [];
    const upload = (data: Float32Array) => {
      const buffer = gl.createBuffer();
      buffers.push(buffer);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    };
    /** A vertex array: one shape for all, and vec4 attributes from location 1 on that step once an instance. */
    const createField = (corners: readonly number[], instances: Float32Array, attributes: number) => {
      const array = gl.createVertexArray();
      gl.bindVertexArray(array);
      upload(new Float32Array(corners));
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
      upload(instances);
      for (let index = 0; index < attributes; index++) {
        gl.enableVertexAttribArray(1 + index);
        gl.vertexAttribPointer(1 + index, 4, gl.FLOAT, false, attributes * 16, index * 16);
        gl.vertexAttribDivisor(1 + index, 1);
      }
      gl.bindVertexArray(null);
      return array;
    };
    const strip = Array.from({ length: BLADE_STEPS + 1 }, (_, step) => [-1, step / BLADE_STEPS, 1, step / BLADE_STEPS]);
    const blades = createField(strip.flat(), createBlades(random), 2);
    const poppies = createField([-1, -1, 1, -1, -1, 1, 1, 1], createPoppies(random), 1);

    const projection = mat4.perspective(mat4.create(), 0.75, width / height, 0.1, 60);
    const [view, viewProjection, unproject] = [mat4.create(), mat4.create(), mat4.create()];

    return {
      frame(time) {
        gl.viewport(0, 0, width, height);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        const eye = [Math.sin(time * 0.3) * 0.3, 1.12, 4] as const;
        mat4.lookAt(view, eye, [0.25, 0.86, 0], [0, 1, 0]);
        mat4.multiply(viewProjection, projection, view);
        view[12] = view[13] = view[14] = 0;
        mat4.multiply(unproject, projection, view);
        mat4.invert(unproject, unproject);
        skyProgram.use();
        gl.uniformMatrix4fv(skyProgram.uniform('unproject'), false, unproject);
        triangle.draw();

        gl.enable(gl.DEPTH_TEST);
        for (const program of [bladeProgram, poppyProgram]) {
          program.use();
          gl.uniformMatrix4fv(program.uniform('viewProjection'), false, viewProjection);
          gl.uniform3f(program.uniform('eye'), ...eye);
          gl.uniform1f(program.uniform('time'), time);
          const isBlade = program === bladeProgram;
          gl.bindVertexArray(isBlade ? blades : poppies);
          gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, isBlade ? (BLADE_STEPS + 1) * 2 : 4, isBlade ? BLADES : POPPIES);
        }
        gl.bindVertexArray(null);
        gl.disable(gl.DEPTH_TEST);
      },
      dispose() {
        gl.deleteVertexArray(blades);
        gl.deleteVertexArray(poppies);
        for (const buffer of buffers) gl.deleteBuffer(buffer);
        triangle.dispose();
        for (const program of [bladeProgram, poppyProgram, skyProgram]) program.dispose();
      },
    };
  },
} satisfies DemoModule;
