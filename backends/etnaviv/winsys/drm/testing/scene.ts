// A small scene with what a device must get right: uploads, a program, a texture, depth, queries of memory, several submits, reading back.

import { createContext } from '../../../../../src/index.ts';
import type { Backend } from '../../../../../src/pipe/pipe.ts';

const SIZE = 64;

type Gl = WebGLRenderingContext & { dispose(): void };

function compile(gl: Gl, type: number, source: string): WebGLShader {
  const shader = gl.createShader(type)!;
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
}

/** Draws a textured triangle over a cleared picture in two submits; its pixels. */
export function drawScene(backend: Backend): Uint8Array {
  const gl = createContext(SIZE, SIZE, { backend, api: 'webgl', antialias: false }) as unknown as Gl;
  const program = gl.createProgram()!;
  gl.attachShader(
    program,
    compile(
      gl,
      gl.VERTEX_SHADER,
      'attribute vec2 p; uniform float z; varying vec2 v; void main() { v = p * 0.5 + 0.5; gl_Position = vec4(p, z, 1.0); }',
    ),
  );
  gl.attachShader(
    program,
    compile(
      gl,
      gl.FRAGMENT_SHADER,
      'precision mediump float; uniform sampler2D t; uniform vec4 c; varying vec2 v; void main() { gl_FragColor = texture2D(t, v) * c; }',
    ),
  );
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  const texels = Uint8Array.from({ length: 8 * 8 * 4 }, (_, index) => (index % 4 === 3 ? 255 : (index * 37) & 255));
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-0.9, -0.8, 0.9, -0.5, 0.1, 0.9]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.enable(gl.DEPTH_TEST);
  gl.clearColor(0.25, 0.5, 0.75, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  const draw = (z: number, color: readonly [number, number, number, number]) => {
    gl.uniform1f(gl.getUniformLocation(program, 'z'), z);
    gl.uniform4f(gl.getUniformLocation(program, 'c'), ...color);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  };
  draw(0, [1, 1, 1, 1]);
  gl.finish();
  draw(0.5, [1, 0, 0, 1]);
  const pixels = new Uint8Array(SIZE * SIZE * 4);
  gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const error = gl.getError();
  if (error !== gl.NO_ERROR) throw new Error(`GL error 0x${error.toString(16)}`);
  gl.dispose();
  return pixels;
}
