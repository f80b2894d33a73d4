// An island in the sea: the vertex shader raises a grid by a float height map, the sea above it is blended by its depth.

import { mat4 } from 'gl-matrix';
import type { DemoModule } from '../src/demo.ts';
import { createBackdrop } from './shared/backdrop.ts';
import { createProgram } from './shared/program.ts';
import { fractalNoise } from './shared/random.ts';
import { TONE } from './shared/shading.ts';

const MAP_SIZE = 128;
/** Cells of the grid a side. */
const CELLS = 160;

const HEIGHT = `
uniform sampler2D heights;

/** Height by bilinear interpolation of four fetched texels: float textures need not be filterable. */
float heightAt(vec2 uv) {
  vec2 place = clamp(uv, 0.0, 1.0) * float(textureSize(heights, 0).x - 1);
  ivec2 cell = min(ivec2(place), textureSize(heights, 0) - 2);
  vec2 part = place - vec2(cell);
  float a = texelFetch(heights, cell, 0).r;
  float b = texelFetch(heights, cell + ivec2(1, 0), 0).r;
  float c = texelFetch(heights, cell + ivec2(0, 1), 0).r;
  float d = texelFetch(heights, cell + ivec2(1, 1), 0).r;
  return mix(mix(a, b, part.x), mix(c, d, part.x), part.y);
}
`;

const LAND_VERTEX = `#version 300 es
layout(location = 0) in vec2 uv;
uniform mat4 viewProjection;
out vec3 world;
out vec3 normal;
${HEIGHT}
void main() {
  float step = 1.0 / ${MAP_SIZE}.0;
  float slopeX = heightAt(uv + vec2(step, 0.0)) - heightAt(uv - vec2(step, 0.0));
  float slopeZ = heightAt(uv + vec2(0.0, step)) - heightAt(uv - vec2(0.0, step));
  world = vec3((uv.x - 0.5) * 4.0, heightAt(uv), (uv.y - 0.5) * 4.0);
  normal = normalize(vec3(-slopeX, 8.0 * step, -slopeZ));
  gl_Position = viewProjection * vec4(world, 1.0);
}`;

const LAND_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 toSun;
in vec3 world;
in vec3 normal;
out vec4 result;
${TONE}
void main() {
  // The sea bed ends with the sea, as a round model on a table.
  if (length(world.xz) > 1.9) discard;
  vec3 facing = normalize(normal);
  float steep = 1.0 - facing.y;
  vec3 albedo = mix(vec3(0.72, 0.58, 0.36), vec3(0.13, 0.27, 0.06), smoothstep(0.03, 0.075, world.y));
  albedo = mix(albedo, vec3(0.06, 0.16, 0.045), smoothstep(0.1, 0.3, world.y));
  albedo = mix(albedo, vec3(0.3, 0.26, 0.23), smoothstep(0.3, 0.5, steep + world.y * 0.15));
  albedo = mix(albedo, vec3(0.92, 0.94, 1.0), smoothstep(0.42, 0.52, world.y - steep * 0.3));
  float sun = max(dot(facing, toSun), 0.0);
  vec3 light = albedo * (vec3(2.3, 2.0, 1.6) * sun + vec3(0.3, 0.4, 0.55) * (0.5 + 0.5 * facing.y));
  result = vec4(tone(light), 1.0);
}`;

const SEA_VERTEX = `#version 300 es
layout(location = 0) in vec2 uv;
uniform mat4 viewProjection;
uniform float time;
out vec3 world;
out vec3 normal;
out float depth;
${HEIGHT}
void main() {
  vec2 ground = (uv - 0.5) * 4.0;
  depth = -heightAt(uv);
  // Waves grow with the depth, and run in a few directions.
  float height = 0.0;
  vec2 slope = vec2(0.0);
  for (int wave = 0; wave < 4; wave++) {
    float turn = float(wave) * 1.9 + 0.6;
    vec2 direction = vec2(cos(turn), sin(turn)) * (7.0 + float(wave) * 4.0);
    float amplitude = 0.011 / (1.0 + float(wave));
    float phase = dot(direction, ground) - time * (2.0 + 0.5 * float(wave));
    height += amplitude * sin(phase);
    slope += amplitude * cos(phase) * direction;
  }
  float open = smoothstep(0.0, 0.25, depth);
  world = vec3(ground.x, height * open, ground.y);
  normal = normalize(vec3(-slope.x * open, 1.0, -slope.y * open));
  gl_Position = viewProjection * vec4(world, 1.0);
}`;

const SEA_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 toSun, eye;
uniform float time;
in vec3 world;
in vec3 normal;
in float depth;
out vec4 result;
${TONE}
void main() {
  vec3 ripple = vec3(sin(world.x * 47.0 + time * 3.0) + sin(world.z * 31.0 + world.x * 22.0 - time * 2.0), 0.0,
    sin(world.z * 53.0 - time * 2.5) + sin(world.x * 37.0 - world.z * 19.0 + time * 2.2));
  vec3 facing = normalize(normal + ripple * 0.018);
  vec3 toEye = normalize(eye - world);
  float fresnel = 0.03 + 0.97 * pow(1.0 - max(dot(facing, toEye), 0.0), 5.0);
  vec3 water = mix(vec3(0.05, 0.42, 0.42), vec3(0.008, 0.06, 0.14), smoothstep(0.0, 0.45, depth));
  vec3 sky = mix(vec3(0.75, 0.82, 0.9), vec3(0.22, 0.42, 0.72), clamp(reflect(-toEye, facing).y, 0.0, 1.0));
  float glint = pow(max(dot(facing, normalize(toEye + toSun)), 0.0), 220.0);
  vec3 light = mix(water, sky, fresnel) + vec3(3.0, 2.6, 2.0) * glint;
  // Foam where the sea touches land, moving in and out.
  float edge = depth + 0.01 * sin(time * 1.5 + world.x * 6.0 + world.z * 4.0);
  float foam = (1.0 - smoothstep(0.006, 0.03, edge)) * 0.85;
  light = mix(light, vec3(0.95), foam);
  float alpha = clamp(0.35 + depth * 4.5, 0.0, 1.0) + fresnel * 0.5;
  if (length(world.xz) > 1.9) discard;
  result = vec4(tone(light), clamp(max(alpha, foam), 0.0, 1.0));
}`;

/** Heights of the map: a mountain island with bays, the sea bed around it below 0. */
function createHeights(): Float32Array {
  const data = new Float32Array(MAP_SIZE * MAP_SIZE);
  for (let y = 0; y < MAP_SIZE; y++) {
    for (let x = 0; x < MAP_SIZE; x++) {
      const [u, v] = [x / (MAP_SIZE - 1), y / (MAP_SIZE - 1)];
      const away = Math.hypot(u - 0.5, v - 0.5) * 2;
      const shape = 1 - (away * 1.2) ** 2;
      const hills = fractalNoise(u * 4.2, v * 4.2, 64, 6, 12);
      const ridge = 1 - Math.abs(fractalNoise(u * 3.1 + 9, v * 3.1, 64, 5, 3) * 2 - 1);
      const raised = shape * 0.34 + (hills - 0.5) * 0.75 - 0.06;
      data[y * MAP_SIZE + x] = Math.max(raised + Math.max(raised - 0.06, 0) * ridge * 1.1 - 0.07, -0.5);
    }
  }
  return data;
}

function createGrid() {
  const corners = new Float32Array((CELLS + 1) ** 2 * 2);
  const indices = new Uint16Array(CELLS * CELLS * 6);
  let at = 0;
  for (let y = 0; y <= CELLS; y++) {
    for (let x = 0; x <= CELLS; x++) {
      const corner = y * (CELLS + 1) + x;
      corners.set([x / CELLS, y / CELLS], corner * 2);
      if (x === CELLS || y === CELLS) continue;
      const below = corner + CELLS + 1;
      indices.set([corner, below, below + 1, corner, below + 1, corner + 1], at);
      at += 6;
    }
  }
  return { corners, indices };
}

export default {
  title: 'Island of a height map',
  setup({ gl, width, height }) {
    const land = createProgram(gl, LAND_VERTEX, LAND_FRAGMENT);
    const sea = createProgram(gl, SEA_VERTEX, SEA_FRAGMENT);
    const backdrop = createBackdrop(gl, [0.62, 0.74, 0.86], [0.18, 0.34, 0.58], [0, -0.2]);
    const heights = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, heights);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, MAP_SIZE, MAP_SIZE, 0, gl.RED, gl.FLOAT, createHeights());
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);

    const { corners, indices } = createGrid();
    const array = gl.createVertexArray();
    const buffers = [gl.createBuffer(), gl.createBuffer()] as const;
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[0]);
    gl.bufferData(gl.ARRAY_BUFFER, corners, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers[1]);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    gl.bindVertexArray(null);

    const projection = mat4.perspective(mat4.create(), 0.6, width / height, 0.2, 20);
    const [view, viewProjection] = [mat4.create(), mat4.create()];
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE);

    return {
      frame(time) {
        gl.viewport(0, 0, width, height);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        backdrop.draw();
        const angle = 0.5 + time * 0.15;
        const eye = [Math.sin(angle) * 4.6, 2.7, Math.cos(angle) * 4.6] as const;
        mat4.lookAt(view, eye, [0, -0.1, 0], [0, 1, 0]);
        mat4.multiply(viewProjection, projection, view);
        gl.bindVertexArray(array);
        gl.bindTexture(gl.TEXTURE_2D, heights);
        gl.enable(gl.CULL_FACE);
        for (const program of [land, sea]) {
          program.use();
          gl.uniformMatrix4fv(program.uniform('viewProjection'), false, viewProjection);
          gl.uniform3f(program.uniform('eye'), ...eye);
          gl.uniform3f(program.uniform('toSun'), 0.68, 0.52, -0.52);
          gl.uniform1f(program.uniform('time'), time);
          if (program === sea) gl.enable(gl.BLEND);
          gl.drawElements(gl.TRIANGLES, indices.length, gl.UNSIGNED_SHORT, 0);
        }
        gl.disable(gl.BLEND);
        gl.disable(gl.CULL_FACE);
        gl.bindVertexArray(null);
      },
      dispose() {
        gl.deleteTexture(heights);
        gl.deleteVertexArray(array);
        for (const buffer of buffers) gl.deleteBuffer(buffer);
        backdrop.dispose();
        land.dispose();
        sea.dispose();
      },
    };
  },
} satisfies DemoModule;
