// Contexts and programs for the tests of this folder. The backend is the test's: only tests may import one.

import type { GlesContext } from './index.ts';

/** Compiles, links and uses a program with attributes 0 `position` and 1 `value`; throws with the log when that fails. */
export function useProgram(gl: GlesContext, vertex: string, fragment: string): number {
  const program = gl.glCreateProgram();
  for (const [type, source] of [
    [gl.GL_VERTEX_SHADER, vertex],
    [gl.GL_FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.glCreateShader(type);
    gl.glShaderSource(shader, 1, [source], null);
    gl.glCompileShader(shader);
    const status: number[] = [];
    gl.glGetShaderiv(shader, gl.GL_COMPILE_STATUS, status);
    if (status[0] !== 1) throw new Error(gl.glGetShaderInfoLog(shader));
    gl.glAttachShader(program, shader);
  }
  gl.glBindAttribLocation(program, 0, 'position');
  gl.glBindAttribLocation(program, 1, 'value');
  gl.glLinkProgram(program);
  const status: number[] = [];
  gl.glGetProgramiv(program, gl.GL_LINK_STATUS, status);
  if (status[0] !== 1) throw new Error(gl.glGetProgramInfoLog(program));
  gl.glUseProgram(program);
  return program;
}

/** Draws from floats in client memory: `size` of them a vertex into attribute 0. */
export function drawVertices(gl: GlesContext, mode: number, size: number, data: readonly number[]): void {
  gl.glBindBuffer(gl.GL_ARRAY_BUFFER, 0);
  gl.glEnableVertexAttribArray(0);
  gl.glVertexAttribPointer(0, size, gl.GL_FLOAT, false, 0, Float32Array.from(data));
  gl.glDrawArrays(mode, 0, data.length / size);
}

export function readPixel(gl: GlesContext, x: number, y: number): number[] {
  const bytes = new Uint8Array(4);
  gl.glReadPixels(x, y, 1, 1, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, bytes);
  return [...bytes];
}

export function integer(gl: GlesContext, pname: number): number | undefined {
  const out: number[] = [];
  gl.glGetIntegerv(pname, out);
  return out[0];
}
