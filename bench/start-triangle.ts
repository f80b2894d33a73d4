// What `start.ts` times: a fresh process imports the package, draws one triangle and reads it back.

import { createContext } from '../src/index.ts';

const SIZE = 256;
const VERTEX = `#version 300 es
in vec2 position; out vec3 color;
void main() { color = vec3(position * 0.5 + 0.5, 1.0); gl_Position = vec4(position, 0.0, 1.0); }`;
const FRAGMENT = `#version 300 es
precision highp float;
in vec3 color; out vec4 result;
void main() { result = vec4(color, 1.0); }`;

const gl = createContext(SIZE, SIZE);

function attach(program: WebGLProgram, type: number, source: string): void {
  const shader = gl.createShader(type)!;
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  gl.attachShader(program, shader);
}

const program = gl.createProgram();
attach(program, gl.VERTEX_SHADER, VERTEX);
attach(program, gl.FRAGMENT_SHADER, FRAGMENT);
gl.linkProgram(program);
gl.useProgram(program);
gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, 0, 1]), gl.STATIC_DRAW);
gl.enableVertexAttribArray(0);
gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
gl.clear(gl.COLOR_BUFFER_BIT);
gl.drawArrays(gl.TRIANGLES, 0, 3);
const pixel = new Uint8Array(4);
gl.readPixels(SIZE / 2, SIZE / 2, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
if (pixel[2] !== 255 || pixel[3] !== 255) throw new Error(`the triangle is missing: ${pixel}`);
process.exit(0);
