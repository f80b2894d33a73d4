// The first program of every API: one triangle, three colours.

import type { DemoModule } from '../src/demo.ts';
import { createProgram } from './shared/program.ts';

const VERTEX = `
attribute vec2 position;
attribute vec3 colour;
uniform float angle;
uniform float aspect;
varying vec3 shade;

void main() {
  mat2 turn = mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
  vec2 place = turn * position;
  shade = colour;
  gl_Position = vec4(place.x / aspect, place.y - 0.08, 0.0, 1.0);
}`;

const FRAGMENT = `
precision mediump float;
varying vec3 shade;

void main() {
  // Colours are mixed as light, so the middle of each edge is as bright as its ends.
  gl_FragColor = vec4(pow(shade, vec3(1.0 / 2.2)), 1.0);
}`;

// x, y, then linear red, green, blue: an equilateral triangle around the origin.
const VERTICES = new Float32Array([
  ...[0.0, 0.9, 1.0, 0.12, 0.08],
  ...[-0.78, -0.45, 0.06, 0.75, 0.2],
  ...[0.78, -0.45, 0.08, 0.25, 1.0],
]);

export default {
  api: 'webgl',
  title: 'Hello triangle',
  setup({ gl, width, height }) {
    const program = createProgram(gl, VERTEX, FRAGMENT, { attributes: ['position', 'colour'] });
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, VERTICES, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 20, 0);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 20, 8);
    program.use();
    gl.uniform1f(program.uniform('aspect'), width / height);
    gl.clearColor(0.07, 0.08, 0.11, 1);

    return {
      frame(time) {
        gl.viewport(0, 0, width, height);
        gl.clear(gl.COLOR_BUFFER_BIT);
        gl.uniform1f(program.uniform('angle'), Math.sin(time) * 0.25);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
      },
      dispose() {
        gl.deleteBuffer(buffer);
        program.dispose();
      },
    };
  },
} satisfies DemoModule<WebGLRenderingContext>;
