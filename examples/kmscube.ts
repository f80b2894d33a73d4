// The cube that boards show first when their driver comes up: a colour at each corner, lit in the vertex shader.

import { mat3, mat4 } from 'gl-matrix';
import type { DemoModule } from '../src/demo.ts';
import { createBackdrop } from './shared/backdrop.ts';
import { box } from './shared/geometry.ts';
import { createMesh, MESH_ATTRIBUTES } from './shared/mesh.ts';
import { createProgram } from './shared/program.ts';
import { TONE } from './shared/shading.ts';

const VERTEX = `
attribute vec3 position;
attribute vec3 normal;
uniform mat4 modelView, projection;
uniform mat3 normalMatrix;
varying vec3 colour;
varying float light;

void main() {
  vec4 place = modelView * vec4(position, 1.0);
  vec3 toLight = normalize(vec3(2.0, 3.0, 6.0) - place.xyz);
  light = 0.16 + 1.15 * max(dot(normalize(normalMatrix * normal), toLight), 0.0);
  // Each corner of the cube is a corner of the colour cube.
  colour = position * 0.46 + 0.54;
  gl_Position = projection * place;
}`;

const FRAGMENT = `
precision mediump float;
varying vec3 colour;
varying float light;
${TONE}
void main() {
  gl_FragColor = vec4(encode(colour * colour * light), 1.0);
}`;

export default {
  api: 'webgl',
  title: 'Lit cube',
  setup({ gl, width, height }) {
    const program = createProgram(gl, VERTEX, FRAGMENT, { attributes: MESH_ATTRIBUTES });
    const backdrop = createBackdrop(gl, [0.3, 0.3, 0.32], [0.06, 0.06, 0.075]);
    const cube = createMesh(gl, box());
    const projection = mat4.perspective(mat4.create(), 0.62, width / height, 1, 20);
    const [modelView, normalMatrix] = [mat4.create(), mat3.create()];
    gl.enable(gl.CULL_FACE);

    return {
      frame(time) {
        gl.viewport(0, 0, width, height);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        backdrop.draw();

        mat4.fromTranslation(modelView, [0, 0, -7]);
        mat4.rotateX(modelView, modelView, 0.55 + time * 0.25);
        mat4.rotateY(modelView, modelView, 0.75 + time * 0.5);
        mat4.rotateZ(modelView, modelView, 0.1 + time * 0.15);
        program.use();
        gl.uniformMatrix4fv(program.uniform('projection'), false, projection);
        gl.uniformMatrix4fv(program.uniform('modelView'), false, modelView);
        gl.uniformMatrix3fv(program.uniform('normalMatrix'), false, mat3.fromMat4(normalMatrix, modelView));
        cube.draw();
      },
      dispose() {
        cube.dispose();
        backdrop.dispose();
        program.dispose();
      },
    };
  },
} satisfies DemoModule<WebGLRenderingContext>;
