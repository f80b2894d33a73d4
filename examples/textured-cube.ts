// Crates on a tiled floor that runs to the horizon: mipmaps with trilinear filtering keep the far tiles calm.

import { mat3, mat4 } from 'gl-matrix';
import type { DemoModule } from '../src/demo.ts';
import { box, plane } from './shared/geometry.ts';
import { createMesh, MESH_ATTRIBUTES } from './shared/mesh.ts';
import { createProgram } from './shared/program.ts';
import { fractalNoise } from './shared/random.ts';
import { SUN_AND_SKY, TONE } from './shared/shading.ts';
import { blend, createTexture } from './shared/textures.ts';

const VERTEX = `
attribute vec3 position;
attribute vec3 normal;
attribute vec2 uv;
uniform mat4 model, viewProjection;
uniform mat3 normalMatrix;
uniform float repeat;
varying vec3 worldPosition;
varying vec3 worldNormal;
varying vec2 place;

void main() {
  vec4 world = model * vec4(position, 1.0);
  worldPosition = world.xyz;
  worldNormal = normalMatrix * normal;
  place = uv * repeat;
  gl_Position = viewProjection * world;
}`;

const FRAGMENT = `
precision highp float;
uniform sampler2D picture;
uniform vec3 eye;
uniform vec3 horizon;
uniform float gloss;
varying vec3 worldPosition;
varying vec3 worldNormal;
varying vec2 place;
${TONE}
${SUN_AND_SKY}
void main() {
  vec3 albedo = pow(texture2D(picture, place).rgb, vec3(2.2));
  vec3 toEye = eye - worldPosition;
  vec3 light = shade(albedo, normalize(worldNormal), normalize(toEye), normalize(vec3(0.55, 0.6, 0.45)),
    vec3(2.3, 2.05, 1.7), vec3(0.35, 0.45, 0.6), vec3(0.25, 0.2, 0.16), gloss);
  float fog = 1.0 - exp(-dot(toEye, toEye) * 0.0007);
  gl_FragColor = vec4(tone(mix(light, horizon, fog)), 1.0);
}`;

const HORIZON = [0.6, 0.76, 1.0] as const;

/** A wooden crate: boards with grain, a frame and a diagonal brace with nails. */
function crate(u: number, v: number): readonly [number, number, number] {
  const edge = Math.min(u, v, 1 - u, 1 - v);
  const isFrame = edge < 0.12;
  const isBrace = !isFrame && Math.abs(u - v) < 0.09;
  const alongX = isFrame ? Math.min(v, 1 - v) < Math.min(u, 1 - u) : true;
  const [along, across] = isBrace ? [u + v, u - v] : alongX ? [u, v] : [v, u];
  const grain = fractalNoise(along * 4, across * 40, 64, 4, isFrame ? 3 : isBrace ? 7 : 11);
  let colour = blend([0.42, 0.26, 0.13], [0.78, 0.56, 0.33], grain * 1.5 - 0.25);
  if (isFrame || isBrace) colour = blend(colour, [0.93, 0.72, 0.45], 0.35);
  // Gaps between boards, and the shadow beside the frame and the brace.
  const board = Math.abs(((v * 6 + 0.5) % 1) - 0.5);
  let dark = isFrame || isBrace ? 0 : 1 - Math.min(board / 0.05, 1);
  if (!isFrame) dark = Math.max(dark, 0.75 * (1 - Math.min((edge - 0.12) / 0.025, 1)));
  if (!isFrame && !isBrace) dark = Math.max(dark, 0.7 * (1 - Math.min((Math.abs(u - v) - 0.09) / 0.03, 1)));
  dark = Math.max(dark, 0.6 * (1 - Math.min(edge / 0.012, 1)));
  colour = blend(colour, [0.1, 0.055, 0.03], dark);
  for (const [x, y] of [
    [0.06, 0.06],
    [0.94, 0.06],
    [0.06, 0.94],
    [0.94, 0.94],
    [0.06, 0.5],
    [0.94, 0.5],
  ] as const) {
    const away = Math.hypot(u - x, v - y);
    if (away < 0.016) colour = blend([0.75, 0.75, 0.78], [0.25, 0.25, 0.27], away / 0.016);
  }
  return colour;
}

/** Two by two tiles of stone. */
function tiles(u: number, v: number): readonly [number, number, number] {
  const isDark = u < 0.5 !== v < 0.5;
  const stone = fractalNoise(u * 8, v * 8, 8, 4, isDark ? 21 : 31);
  const [low, high] = isDark
    ? ([
        [0.16, 0.19, 0.22],
        [0.3, 0.33, 0.36],
      ] as const)
    : ([
        [0.72, 0.68, 0.6],
        [0.9, 0.87, 0.8],
      ] as const);
  const joint = Math.min(...[u, v].map((value) => Math.abs(((value * 2 + 0.5) % 1) - 0.5)));
  return blend(blend(low, high, stone), [0.4, 0.38, 0.35], joint < 0.015 ? 0.9 : 0);
}

const CRATES = [
  { place: [0, 1, 0], size: 1, angle: 0.5 },
  { place: [2.9, 0.7, -1.6], size: 0.7, angle: -0.35 },
  { place: [-2.9, 0.8, -2.4], size: 0.8, angle: 1.1 },
] as const;

export default {
  api: 'webgl',
  title: 'Textured cubes with mipmaps',
  setup({ gl, width, height }) {
    const program = createProgram(gl, VERTEX, FRAGMENT, { attributes: MESH_ATTRIBUTES });
    const [cube, floor] = [createMesh(gl, box()), createMesh(gl, plane(240, 24))];
    const textures = [createTexture(gl, 256, crate), createTexture(gl, 256, tiles)] as const;
    const projection = mat4.perspective(mat4.create(), 0.75, width / height, 0.3, 200);
    const [view, viewProjection, model, normalMatrix] = [mat4.create(), mat4.create(), mat4.create(), mat3.create()];
    const [red, green, blue] = HORIZON.map((light) => tone(light)) as [number, number, number];
    gl.clearColor(red, green, blue, 1);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);

    const draw = (mesh: typeof cube, texture: WebGLTexture, repeat: number, gloss: number) => {
      gl.uniformMatrix4fv(program.uniform('model'), false, model);
      gl.uniformMatrix3fv(program.uniform('normalMatrix'), false, mat3.normalFromMat4(normalMatrix, model)!);
      gl.uniform1f(program.uniform('repeat'), repeat);
      gl.uniform1f(program.uniform('gloss'), gloss);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      mesh.draw();
    };

    return {
      frame(time) {
        gl.viewport(0, 0, width, height);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        const eye = [Math.sin(time * 0.3 - 0.3) * 7.2, 2.6, Math.cos(time * 0.3 - 0.3) * 7.2] as const;
        mat4.lookAt(view, eye, [0, 1.15, 0], [0, 1, 0]);
        mat4.multiply(viewProjection, projection, view);
        program.use();
        gl.uniformMatrix4fv(program.uniform('viewProjection'), false, viewProjection);
        gl.uniform3f(program.uniform('eye'), ...eye);
        gl.uniform3f(program.uniform('horizon'), ...HORIZON);

        for (const { place, size, angle } of CRATES) {
          mat4.fromTranslation(model, place);
          mat4.rotateY(model, model, angle);
          mat4.scale(model, model, [size, size, size]);
          draw(cube, textures[0], 1, 0.2);
        }
        mat4.identity(model);
        draw(floor, textures[1], 80, 0.4);
      },
      dispose() {
        for (const texture of textures) gl.deleteTexture(texture);
        cube.dispose();
        floor.dispose();
        program.dispose();
      },
    };
  },
} satisfies DemoModule<WebGLRenderingContext>;

/** The shader's `tone` for one component. */
function tone(linear: number): number {
  const exposed = linear * 0.62;
  const bent = (exposed * (2.51 * exposed + 0.03)) / (exposed * (2.43 * exposed + 0.59) + 0.14);
  return Math.min(bent, 1) ** (1 / 2.2);
}
