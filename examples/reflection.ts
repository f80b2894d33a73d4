// A golden torus knot in the evening: cube map reflections with Fresnel's law, and the same cube map as the sky.

import { mat3, mat4 } from 'gl-matrix';
import type { DemoModule } from '../src/demo.ts';
import { createFullscreenTriangle } from './shared/fullscreen.ts';
import { torusKnot } from './shared/geometry.ts';
import { createMesh, MESH_ATTRIBUTES } from './shared/mesh.ts';
import { createProgram } from './shared/program.ts';
import { fractalNoise } from './shared/random.ts';
import { TONE } from './shared/shading.ts';
import { blend, createCubeTexture } from './shared/textures.ts';

const KNOT_VERTEX = `
attribute vec3 position;
attribute vec3 normal;
uniform mat4 model, viewProjection;
uniform mat3 normalMatrix;
varying vec3 worldPosition;
varying vec3 worldNormal;

void main() {
  vec4 world = model * vec4(position, 1.0);
  worldPosition = world.xyz;
  worldNormal = normalMatrix * normal;
  gl_Position = viewProjection * world;
}`;

const KNOT_FRAGMENT = `
precision highp float;
uniform samplerCube sky;
uniform vec3 eye;
varying vec3 worldPosition;
varying vec3 worldNormal;
${TONE}
void main() {
  vec3 normal = normalize(worldNormal);
  vec3 toEye = normalize(eye - worldPosition);
  vec3 seen = textureCube(sky, reflect(-toEye, normal)).rgb;
  // Squared twice: the sun in the map stands for far more light than a byte can hold.
  vec3 light = pow(seen, vec3(2.2));
  light += 2.5 * pow(max(light.r, max(light.g, light.b)), 6.0);
  vec3 metal = vec3(1.0, 0.72, 0.32);
  vec3 fresnel = metal + (1.0 - metal) * pow(1.0 - max(dot(normal, toEye), 0.0), 5.0);
  gl_FragColor = vec4(tone(light * fresnel * 1.25), 1.0);
}`;

const SKY_VERTEX = `
attribute vec2 corner;
uniform mat4 unproject;
varying vec3 direction;

void main() {
  direction = (unproject * vec4(corner, 1.0, 1.0)).xyz;
  gl_Position = vec4(corner, 1.0, 1.0);
}`;

const SKY_FRAGMENT = `
precision highp float;
uniform samplerCube sky;
varying vec3 direction;
${TONE}
void main() {
  gl_FragColor = vec4(tone(pow(textureCube(sky, direction).rgb, vec3(2.2)) * 1.1), 1.0);
}`;

const SUN = [-0.42, 0.2, -0.885] as const;

/** An evening sky over dark water with the sun's path on it. */
function evening(x: number, y: number, z: number): readonly [number, number, number] {
  const length = Math.hypot(x, y, z);
  const [dx, dy, dz] = [x / length, y / length, z / length];
  const up = Math.max(dy, 0);
  const near = Math.max(dx * SUN[0] + Math.abs(dy) * SUN[1] + dz * SUN[2], 0);
  let sky = blend([1, 0.62, 0.36], [0.5, 0.42, 0.6], up * 3.2);
  sky = blend(sky, [0.1, 0.16, 0.4], up * 1.7 - 0.25);
  sky = blend(sky, [1, 0.8, 0.5], near ** 12 * 0.75);
  if (dy >= 0) {
    // Clouds on a plane overhead, thinner where it runs far away.
    const [planeX, planeZ] = [dx / (up + 0.12), dz / (up + 0.12)];
    const cloud = fractalNoise(planeX * 0.9 + 40, planeZ * 1.6 + 40, 4096, 5, 5);
    const cover = Math.min(Math.max((cloud - 0.5) * 5, 0), 1) * Math.min(up * 5, 0.8);
    sky = blend(sky, blend([0.62, 0.36, 0.4], [1, 0.74, 0.52], near * near), cover);
    return blend(sky, [1, 0.97, 0.85], (near - 0.9945) * 500);
  }

  const ripple = fractalNoise((dx / (0.05 - dy)) * 6 + 500, (dz / (0.05 - dy)) * 6 + 500, 4096, 3, 9);
  const water = blend([0.05, 0.07, 0.13], sky, 0.25 + 0.55 * (1 + dy) ** 6 + (ripple - 0.5) * 0.35);
  const path = near ** 40 * (ripple > 0.5 ? 0.9 : 0.25);
  return blend(blend(water, [1, 0.75, 0.45], path), [0.03, 0.04, 0.08], -dy * 0.9);
}

export default {
  api: 'webgl',
  title: 'Cube map reflection',
  setup({ gl, width, height }) {
    const knotProgram = createProgram(gl, KNOT_VERTEX, KNOT_FRAGMENT, { attributes: MESH_ATTRIBUTES });
    const skyProgram = createProgram(gl, SKY_VERTEX, SKY_FRAGMENT, { attributes: ['corner'] });
    const sky = createCubeTexture(gl, 256, evening);
    const knot = createMesh(gl, torusKnot(2, 3, 1, 0.3));
    const triangle = createFullscreenTriangle(gl);
    const projection = mat4.perspective(mat4.create(), 0.8, width / height, 0.1, 50);
    const [view, viewProjection, model, unproject] = [mat4.create(), mat4.create(), mat4.create(), mat4.create()];
    const normalMatrix = mat3.create();
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);

    return {
      frame(time) {
        gl.viewport(0, 0, width, height);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        const angle = 0.12 + time * 0.25;
        const eye = [Math.sin(angle) * 4.3, 0.55, Math.cos(angle) * 4.3] as const;
        mat4.lookAt(view, eye, [0, 0.1, 0], [0, 1, 0]);
        mat4.multiply(viewProjection, projection, view);
        gl.bindTexture(gl.TEXTURE_CUBE_MAP, sky);

        mat4.fromRotation(model, 0.5 + time * 0.4, [0.25, 1, 0.1]);
        mat4.rotateX(model, model, 1.2);
        knotProgram.use();
        gl.uniformMatrix4fv(knotProgram.uniform('model'), false, model);
        gl.uniformMatrix4fv(knotProgram.uniform('viewProjection'), false, viewProjection);
        gl.uniformMatrix3fv(knotProgram.uniform('normalMatrix'), false, mat3.fromMat4(normalMatrix, model));
        gl.uniform3f(knotProgram.uniform('eye'), ...eye);
        knot.draw();

        // Directions need no translation: take it out before inverting.
        view[12] = view[13] = view[14] = 0;
        mat4.multiply(unproject, projection, view);
        mat4.invert(unproject, unproject);
        skyProgram.use();
        gl.uniformMatrix4fv(skyProgram.uniform('unproject'), false, unproject);
        triangle.draw();
      },
      dispose() {
        gl.deleteTexture(sky);
        knot.dispose();
        triangle.dispose();
        knotProgram.dispose();
        skyProgram.dispose();
      },
    };
  },
} satisfies DemoModule<WebGLRenderingContext>;
