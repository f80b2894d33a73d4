// Shapes above a polished floor: the stencil buffer keeps the mirrored scene inside the floor's shape.

import { mat3, mat4 } from 'gl-matrix';
import type { DemoModule } from '../src/demo.ts';
import { createFullscreenTriangle, FULLSCREEN_VERTEX_300 } from './shared/fullscreen.ts';
import { box, sphere, surface, torusKnot } from './shared/geometry.ts';
import { createMesh } from './shared/mesh.ts';
import { createProgram } from './shared/program.ts';
import { fractalNoise } from './shared/random.ts';
import { createRenderTarget } from './shared/render-target.ts';
import { SUN_AND_SKY, TONE } from './shared/shading.ts';
import { blend, createTexture } from './shared/textures.ts';

const VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
uniform mat4 model, viewProjection;
uniform mat3 normalMatrix;
out vec3 worldPosition;
out vec3 worldNormal;
out vec2 place;

void main() {
  vec4 world = model * vec4(position, 1.0);
  worldPosition = world.xyz;
  worldNormal = normalMatrix * normal;
  place = uv;
  gl_Position = viewProjection * world;
}`;

const FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 colour;
uniform vec3 eye;
uniform float side; // +1: the scene; −1: its mirror image, below the floor
in vec3 worldPosition;
in vec3 worldNormal;
out vec4 result;
${TONE}
${SUN_AND_SKY}
void main() {
  // The mirror image is lit as the scene is: everything is turned back above the floor.
  vec3 place = vec3(worldPosition.x, worldPosition.y * side, worldPosition.z);
  vec3 normal = normalize(vec3(worldNormal.x, worldNormal.y * side, worldNormal.z));
  if (place.y < 0.0) discard;
  vec3 from = vec3(eye.x, eye.y * side, eye.z);
  vec3 light = shade(colour, normal, normalize(from - place), normalize(vec3(0.5, 0.8, 0.6)),
    vec3(1.9, 1.8, 1.65), vec3(0.4, 0.45, 0.55), vec3(0.16, 0.13, 0.12), 0.7);
  result = vec4(tone(light), 1.0);
}`;

const FLOOR_FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D picture;
uniform vec3 eye;
in vec3 worldPosition;
in vec2 place;
out vec4 result;
${TONE}
void main() {
  vec3 stone = pow(texture(picture, place).rgb, vec3(2.2));
  vec3 toEye = normalize(eye - worldPosition);
  // Flat looks mirror more than steep ones: what is blended over the mirror image is opaque from above.
  float mirror = 0.3 + 0.62 * pow(1.0 - toEye.y, 3.0);
  result = vec4(tone(stone), 1.0 - mirror);
}`;

const BACKGROUND_FRAGMENT = `#version 300 es
precision highp float;
in vec2 place;
out vec4 result;
${TONE}
void main() {
  float away = length((place - vec2(0.0, 0.35)) * vec2(0.7, 0.9));
  result = vec4(encode(mix(vec3(0.16, 0.2, 0.26), vec3(0.012, 0.016, 0.028), smoothstep(0.0, 1.5, away))), 1.0);
}`;

const COPY_FRAGMENT = `#version 300 es
precision mediump float;
uniform sampler2D picture;
in vec2 uv;
out vec4 result;

void main() {
  result = texture(picture, uv);
}`;

/** Dark marble with veins. */
function marble(u: number, v: number): readonly [number, number, number] {
  const bend = fractalNoise(u * 4, v * 4, 4, 5, 2);
  const vein = Math.abs(fractalNoise(u * 5 + bend * 2.5, v * 5, 5, 4, 8) - 0.5) * 2;
  const colour = blend([0.07, 0.09, 0.11], [0.2, 0.23, 0.26], bend * 1.4 - 0.2);
  return blend([0.62, 0.62, 0.6], colour, Math.min(vein * 11, 1) * 0.5 + 0.5);
}

/** A disc of radius 1 in the xz plane. */
function disc() {
  return surface(96, 1, (u, v) => {
    const angle = u * 2 * Math.PI;
    return { position: [(1 - v) * Math.sin(angle), 0, (1 - v) * Math.cos(angle)], normal: [0, 1, 0] };
  });
}

/** Texture coordinates of the disc follow its place instead of its angle. */
function discGeometry() {
  const geometry = disc();
  const uvs = geometry.uvs.map((_, index) => {
    const axis = index % 2 === 0 ? 0 : 2;
    return geometry.positions[Math.floor(index / 2) * 3 + axis]! * 0.5 + 0.5;
  });
  return { ...geometry, uvs };
}

export default {
  title: 'Stencil mirror',
  setup({ gl, width, height }) {
    const program = createProgram(gl, VERTEX, FRAGMENT);
    const floorProgram = createProgram(gl, VERTEX, FLOOR_FRAGMENT);
    const background = createProgram(gl, FULLSCREEN_VERTEX_300, BACKGROUND_FRAGMENT);
    const copy = createProgram(gl, FULLSCREEN_VERTEX_300, COPY_FRAGMENT);
    // A canvas has no stencil unless it was asked for; this framebuffer has.
    const target = createRenderTarget(gl, width, height, 4);
    const triangle = createFullscreenTriangle(gl);
    const knot = createMesh(gl, torusKnot(2, 3, 0.62, 0.19));
    const ball = createMesh(gl, sphere(1, 48, 24));
    const cube = createMesh(gl, box(1, 1, 1));
    const floor = createMesh(gl, discGeometry());
    const stone = createTexture(gl, 256, marble);
    const projection = mat4.perspective(mat4.create(), 0.68, width / height, 0.5, 40);
    const [view, viewProjection, mirrored] = [mat4.create(), mat4.create(), mat4.create()];
    const [model, whole, normalMatrix] = [mat4.create(), mat4.create(), mat3.create()];

    const draw = (mesh: typeof knot, colour: readonly [number, number, number]) => {
      mat4.multiply(whole, mirrored, model);
      gl.uniformMatrix4fv(program.uniform('model'), false, whole);
      gl.uniformMatrix3fv(program.uniform('normalMatrix'), false, mat3.normalFromMat4(normalMatrix, whole)!);
      gl.uniform3f(program.uniform('colour'), ...colour);
      mesh.draw();
    };

    const drawScene = (time: number, side: 1 | -1, eye: readonly [number, number, number]) => {
      program.use();
      gl.uniformMatrix4fv(program.uniform('viewProjection'), false, viewProjection);
      gl.uniform1f(program.uniform('side'), side);
      gl.uniform3f(program.uniform('eye'), ...eye);
      mat4.fromScaling(mirrored, [1, side, 1]);
      // Mirroring turns triangles round.
      gl.frontFace(side > 0 ? gl.CCW : gl.CW);
      mat4.fromTranslation(model, [0, 1.3, 0]);
      mat4.rotateY(model, model, time * 0.7 + 0.6);
      mat4.rotateX(model, model, 1.1);
      draw(knot, [0.86, 0.42, 0.06]);
      for (let index = 0; index < 3; index++) {
        const angle = 1.0 + (index * 2 * Math.PI) / 3 - time * 0.35;
        const bounce = 0.38 + Math.abs(Math.sin(time * 2.2 + index * 1.3)) * 0.6;
        mat4.fromTranslation(model, [Math.sin(angle) * 1.75, bounce, Math.cos(angle) * 1.75]);
        mat4.scale(model, model, [0.38, 0.38, 0.38]);
        draw(
          ball,
          (
            [
              [0.62, 0.03, 0.05],
              [0.03, 0.35, 0.42],
              [0.7, 0.68, 0.62],
            ] as const
          )[index]!,
        );
        mat4.fromTranslation(model, [-Math.sin(angle) * 1.85, 0.3, -Math.cos(angle) * 1.85]);
        mat4.rotateY(model, model, angle * 2);
        mat4.scale(model, model, [0.6, 0.6, 0.6]);
        draw(
          cube,
          (
            [
              [0.1, 0.16, 0.5],
              [0.5, 0.2, 0.42],
              [0.16, 0.36, 0.1],
            ] as const
          )[index]!,
        );
      }
      gl.frontFace(gl.CCW);
    };

    return {
      frame(time) {
        target.begin();
        gl.clearStencil(0);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
        background.use();
        triangle.draw();
        const angle = 0.4 + time * 0.2;
        const eye = [Math.sin(angle) * 6.6, 2.5, Math.cos(angle) * 6.6] as const;
        mat4.lookAt(view, eye, [0, 0.5, 0], [0, 1, 0]);
        mat4.multiply(viewProjection, projection, view);
        gl.enable(gl.DEPTH_TEST);
        gl.enable(gl.CULL_FACE);
        gl.enable(gl.STENCIL_TEST);

        // The floor's visible pixels become 1 in the stencil, and nothing else changes.
        mat4.fromScaling(model, [3, 3, 3]);
        const useFloor = () => {
          floorProgram.use();
          gl.uniformMatrix4fv(floorProgram.uniform('model'), false, mat4.fromScaling(model, [3, 3, 3]));
          gl.uniformMatrix4fv(floorProgram.uniform('viewProjection'), false, viewProjection);
          gl.uniform3f(floorProgram.uniform('eye'), ...eye);
          gl.bindTexture(gl.TEXTURE_2D, stone);
        };
        gl.stencilFunc(gl.ALWAYS, 1, 0xff);
        gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
        gl.colorMask(false, false, false, false);
        gl.depthMask(false);
        useFloor();
        floor.draw();
        gl.colorMask(true, true, true, true);
        gl.depthMask(true);

        gl.stencilFunc(gl.EQUAL, 1, 0xff);
        gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
        drawScene(time, -1, eye);

        // The floor itself over it. Its depth wins against the mirror image below.
        gl.clear(gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.BLEND);
        gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE);
        useFloor();
        floor.draw();
        gl.disable(gl.BLEND);
        gl.disable(gl.STENCIL_TEST);
        drawScene(time, 1, eye);

        gl.disable(gl.DEPTH_TEST);
        gl.disable(gl.CULL_FACE);
        target.resolve();
        gl.bindTexture(gl.TEXTURE_2D, target.texture);
        copy.use();
        triangle.draw();
      },
      dispose() {
        gl.deleteTexture(stone);
        for (const thing of [program, floorProgram, background, copy, target, triangle, knot, ball, cube, floor]) {
          thing.dispose();
        }
      },
    };
  },
} satisfies DemoModule;
