// The classic three gears, with lights of today.

import { mat4 } from 'gl-matrix';
import type { DemoModule } from '../src/demo.ts';
import { createBackdrop } from './shared/backdrop.ts';
import { type GearShape, gear } from './shared/gear.ts';
import { createMesh, MESH_ATTRIBUTES } from './shared/mesh.ts';
import { createProgram } from './shared/program.ts';
import { SUN_AND_SKY, TONE } from './shared/shading.ts';

const VERTEX = `
attribute vec3 position;
attribute vec3 normal;
uniform mat4 model, view, projection;
varying vec3 eyePosition;
varying vec3 eyeNormal;

void main() {
  vec4 place = view * model * vec4(position, 1.0);
  eyePosition = place.xyz;
  eyeNormal = mat3(view[0].xyz, view[1].xyz, view[2].xyz) * mat3(model[0].xyz, model[1].xyz, model[2].xyz) * normal;
  gl_Position = projection * place;
}`;

const FRAGMENT = `
precision highp float;
uniform vec3 colour;
varying vec3 eyePosition;
varying vec3 eyeNormal;
${TONE}
${SUN_AND_SKY}
void main() {
  // A lamp near the wheels: flat faces get a gradient.
  vec3 toSun = normalize(vec3(7.0, 11.0, -20.0) - eyePosition);
  vec3 light = shade(colour, normalize(eyeNormal), normalize(-eyePosition), toSun,
    vec3(2.5, 2.35, 2.15), vec3(0.3, 0.34, 0.44), vec3(0.16, 0.13, 0.11), 0.5);
  gl_FragColor = vec4(tone(light), 1.0);
}`;

interface Wheel {
  readonly shape: GearShape;
  readonly place: readonly [number, number, number];
  readonly turn: (angle: number) => number;
  readonly colour: readonly [number, number, number];
}

/** The wheels mesh: twice the teeth turn half as fast, the other way. */
const WHEELS: readonly Wheel[] = [
  {
    shape: { innerRadius: 1, outerRadius: 4, width: 1, teeth: 20, toothDepth: 0.7 },
    place: [-3, -2, 0],
    turn: (angle) => angle,
    colour: [0.72, 0.055, 0.04],
  },
  {
    shape: { innerRadius: 0.5, outerRadius: 2, width: 2, teeth: 10, toothDepth: 0.7 },
    place: [3.1, -2, 0],
    turn: (angle) => -2 * angle - 9,
    colour: [0.04, 0.5, 0.12],
  },
  {
    shape: { innerRadius: 1.3, outerRadius: 2, width: 0.5, teeth: 10, toothDepth: 0.7 },
    place: [-3.1, 4.2, 0],
    turn: (angle) => -2 * angle - 25,
    colour: [0.05, 0.14, 0.75],
  },
];

const radians = (degrees: number) => (degrees * Math.PI) / 180;

export default {
  api: 'webgl',
  title: 'Gears',
  setup({ gl, width, height }) {
    const program = createProgram(gl, VERTEX, FRAGMENT, { attributes: MESH_ATTRIBUTES });
    const backdrop = createBackdrop(gl, [0.13, 0.15, 0.19], [0.012, 0.014, 0.02]);
    const meshes = WHEELS.map(({ shape }) => createMesh(gl, gear(shape)));
    const projection = mat4.frustum(mat4.create(), -width / height, width / height, -1, 1, 5, 60);
    const [view, model] = [mat4.create(), mat4.create()];
    gl.enable(gl.CULL_FACE);

    return {
      frame(time) {
        gl.viewport(0, 0, width, height);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        backdrop.draw();

        mat4.fromTranslation(view, [0.4, 0, -36]);
        mat4.rotateX(view, view, radians(20));
        mat4.rotateY(view, view, radians(30 + 8 * Math.sin(time * 0.5)));
        // The middle of the three wheels.
        mat4.translate(view, view, [1, 0.2, 0]);
        program.use();
        gl.uniformMatrix4fv(program.uniform('projection'), false, projection);
        gl.uniformMatrix4fv(program.uniform('view'), false, view);
        for (const [index, { place, turn, colour }] of WHEELS.entries()) {
          mat4.fromTranslation(model, place);
          mat4.rotateZ(model, model, radians(turn(time * 70)));
          gl.uniformMatrix4fv(program.uniform('model'), false, model);
          gl.uniform3f(program.uniform('colour'), ...colour);
          meshes[index]!.draw();
        }
      },
      dispose() {
        for (const mesh of meshes) mesh.dispose();
        backdrop.dispose();
        program.dispose();
      },
    };
  },
} satisfies DemoModule<WebGLRenderingContext>;
