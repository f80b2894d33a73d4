// A small temple in the late sun: a depth texture seen from the sun, compared by sampler2DShadow, softened by PCF.

import { mat3, mat4, vec3 } from 'gl-matrix';
import type { DemoModule } from '../src/demo.ts';
import { box, lathe, plane, sphere } from './shared/geometry.ts';
import { createMesh, type Mesh } from './shared/mesh.ts';
import { createProgram, type Program } from './shared/program.ts';
import { fractalNoise } from './shared/random.ts';
import { SUN_AND_SKY, TONE } from './shared/shading.ts';
import { blend, createTexture } from './shared/textures.ts';

const DEPTH_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
uniform mat4 model, viewProjection;

void main() {
  gl_Position = viewProjection * (model * vec4(position, 1.0));
}`;

const DEPTH_FRAGMENT = `#version 300 es
precision mediump float;

void main() {
}`;

const VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
uniform mat4 model, viewProjection, sunMatrix;
uniform mat3 normalMatrix;
out vec3 worldPosition;
out vec3 worldNormal;
out vec3 shadowPlace;

void main() {
  vec4 world = model * vec4(position, 1.0);
  worldPosition = world.xyz;
  worldNormal = normalMatrix * normal;
  // A step along the normal keeps surfaces from shading themselves.
  vec4 seen = sunMatrix * (world + vec4(normalize(worldNormal) * 0.03, 0.0));
  shadowPlace = seen.xyz / seen.w * 0.5 + 0.5;
  gl_Position = viewProjection * world;
}`;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
uniform sampler2DShadow shadowMap;
uniform sampler2D grain;
uniform vec3 colour, eye, toSun;
in vec3 worldPosition;
in vec3 worldNormal;
in vec3 shadowPlace;
out vec4 result;
${TONE}
${SUN_AND_SKY}
/** Share of the sun that arrives: 3 × 3 bilinear comparisons a texel apart. */
float sunlight() {
  float lit = 0.0;
  vec2 texel = 1.0 / vec2(textureSize(shadowMap, 0));
  for (int y = -1; y <= 1; y++) {
    for (int x = -1; x <= 1; x++) {
      lit += texture(shadowMap, shadowPlace + vec3(vec2(x, y) * texel, -0.0004));
    }
  }
  return lit / 9.0;
}

void main() {
  vec3 normal = normalize(worldNormal);
  vec2 place = abs(normal.y) > 0.7 ? worldPosition.xz : vec2(worldPosition.x + worldPosition.z, worldPosition.y);
  vec3 albedo = colour * (0.62 + 0.6 * texture(grain, place * 0.35).r);
  vec3 toEye = normalize(eye - worldPosition);
  vec3 light = shade(albedo, normal, toEye, toSun, vec3(3.3, 2.4, 1.5) * sunlight(),
    vec3(0.32, 0.42, 0.62), vec3(0.3, 0.22, 0.17), 0.2);
  float away = length(worldPosition.xz);
  light = mix(light, vec3(1.15, 0.86, 0.62), smoothstep(8.0, 22.0, away));
  result = vec4(tone(light), 1.0);
}`;

const MAP_SIZE = 1024;
const COLUMNS = 8;

/** Radius and height of a column with base and capital. */
const COLUMN: readonly (readonly [number, number])[] = [
  ...([
    [0.3, 0],
    [0.3, 0.1],
    [0.3, 0.1],
    [0.24, 0.14],
    [0.2, 0.2],
    [0.2, 0.2],
  ] as const),
  ...([
    [0.19, 0.9],
    [0.165, 1.7],
    [0.165, 1.7],
    [0.2, 1.78],
    [0.27, 1.84],
    [0.27, 1.84],
  ] as const),
];

interface Part {
  readonly mesh: Mesh;
  readonly colour: readonly [number, number, number];
  readonly model: mat4;
}

export default {
  title: 'Shadow map',
  setup({ gl, width, height }) {
    const depthProgram = createProgram(gl, DEPTH_VERTEX, DEPTH_FRAGMENT);
    const program = createProgram(gl, VERTEX, FRAGMENT);
    const meshes = {
      column: createMesh(gl, lathe(COLUMN, 32)),
      box: createMesh(gl, box(1, 1, 1)),
      ball: createMesh(gl, sphere(1, 48, 24)),
      ground: createMesh(gl, plane(80)),
    };
    const grain = createTexture(gl, 256, (u, v) => blend([0, 0, 0], [1, 1, 1], fractalNoise(u * 6, v * 6, 6, 6, 4)));

    const shadowMap = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, shadowMap);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, MAP_SIZE, MAP_SIZE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL);
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, shadowMap, 0);
    if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE)
      throw new Error('no depth-only framebuffer');
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);

    const parts: Part[] = [];
    const add = (mesh: Mesh, colour: Part['colour'], place: vec3, size: vec3, angle = 0) => {
      const model = mat4.fromTranslation(mat4.create(), place);
      mat4.rotateY(model, model, angle);
      parts.push({ mesh, colour, model: mat4.scale(model, model, size) });
    };
    const stone = [0.78, 0.68, 0.55] as const;
    add(meshes.ground, [0.5, 0.4, 0.28], [0, -0.3, 0], [1, 1, 1]);
    add(meshes.box, stone, [0, -0.22, 0], [5.6, 0.16, 5.6]);
    add(meshes.box, stone, [0, -0.07, 0], [5, 0.14, 5]);
    for (let index = 0; index < COLUMNS; index++) {
      const angle = (index / COLUMNS) * 2 * Math.PI + Math.PI / COLUMNS;
      // One column is broken, and its drum lies beside it.
      const isBroken = index === 7;
      const at: vec3 = [Math.sin(angle) * 2, 0, Math.cos(angle) * 2];
      add(meshes.column, stone, at, [1, isBroken ? 0.45 : 1, 1]);
      if (isBroken || index === 6) continue;
      const middle = angle + Math.PI / COLUMNS;
      add(meshes.box, stone, [Math.sin(middle) * 1.86, 1.96, Math.cos(middle) * 1.86], [1.72, 0.24, 0.42], middle);
    }
    add(meshes.box, stone, [0, 0.2, 0], [0.7, 0.4, 0.7], 0.4);
    const orb: Part = { mesh: meshes.ball, colour: [0.75, 0.16, 0.08], model: mat4.create() };
    parts.push(orb);

    const projection = mat4.perspective(mat4.create(), 0.66, width / height, 0.5, 60);
    const sunProjection = mat4.ortho(mat4.create(), -4, 4, -3.4, 3.4, 1, 16);
    const [view, viewProjection, sunMatrix] = [mat4.create(), mat4.create(), mat4.create()];
    const normalMatrix = mat3.create();
    gl.clearColor(0.885, 0.825, 0.765, 1);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);

    const drawParts = (used: Program, prepare?: (part: Part) => void) => {
      for (const part of parts) {
        gl.uniformMatrix4fv(used.uniform('model'), false, part.model);
        prepare?.(part);
        part.mesh.draw();
      }
    };

    return {
      frame(time) {
        mat4.fromTranslation(orb.model, [0, 0.95 + Math.sin(time * 2) * 0.12, 0]);
        mat4.scale(orb.model, orb.model, [0.42, 0.42, 0.42]);
        const sunAngle = 0.85 + time * 0.15;
        const toSun = vec3.normalize(vec3.create(), [Math.sin(sunAngle), 0.62, Math.cos(sunAngle)]);
        mat4.lookAt(view, vec3.scale(vec3.create(), toSun, 8), [0, 0.4, 0], [0, 1, 0]);
        mat4.multiply(sunMatrix, sunProjection, view);

        gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
        gl.viewport(0, 0, MAP_SIZE, MAP_SIZE);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.POLYGON_OFFSET_FILL);
        gl.polygonOffset(2, 4);
        depthProgram.use();
        gl.uniformMatrix4fv(depthProgram.uniform('viewProjection'), false, sunMatrix);
        drawParts(depthProgram);
        gl.disable(gl.POLYGON_OFFSET_FILL);

        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, width, height);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        const eye: vec3 = [-4.4, 2.9, 6.6];
        mat4.lookAt(view, eye, [0, 0.55, 0], [0, 1, 0]);
        mat4.multiply(viewProjection, projection, view);
        gl.activeTexture(gl.TEXTURE1);
        gl.bindTexture(gl.TEXTURE_2D, grain);
        gl.activeTexture(gl.TEXTURE0);
        gl.bindTexture(gl.TEXTURE_2D, shadowMap);
        program.use();
        gl.uniform1i(program.uniform('shadowMap'), 0);
        gl.uniform1i(program.uniform('grain'), 1);
        gl.uniformMatrix4fv(program.uniform('viewProjection'), false, viewProjection);
        gl.uniformMatrix4fv(program.uniform('sunMatrix'), false, sunMatrix);
        gl.uniform3fv(program.uniform('eye'), eye);
        gl.uniform3fv(program.uniform('toSun'), toSun);
        drawParts(program, (part) => {
          gl.uniformMatrix3fv(program.uniform('normalMatrix'), false, mat3.normalFromMat4(normalMatrix, part.model)!);
          gl.uniform3f(program.uniform('colour'), ...part.colour);
        });
        // Nothing samples the map while the next frame draws it.
        gl.bindTexture(gl.TEXTURE_2D, null);
      },
      dispose() {
        gl.deleteFramebuffer(framebuffer);
        gl.deleteTexture(shadowMap);
        gl.deleteTexture(grain);
        for (const mesh of Object.values(meshes)) mesh.dispose();
        program.dispose();
        depthProgram.dispose();
      },
    };
  },
} satisfies DemoModule;
