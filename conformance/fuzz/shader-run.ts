// Runs a case of the shader fuzzer: compile, link, one small draw; valid programs must give what the interpreter gives.

import { GL } from '../../src/gl/constants.ts';
import { createGlesContext, type GlesContext } from '../../src/gles/index.ts';
import { createContext } from '../../src/index.ts';
import type { Backend } from '../../src/pipe/pipe.ts';
import { Fault } from './fault.ts';
import type { ShaderCase } from './shader-case.ts';
import { compareWithReference } from './shader-compare.ts';

const SIZE = 8;
const MEMORY_LIMIT = 256 << 20;
const POSITIONS = new Float32Array([-1, -1, 3, -1, -1, 3]);
/** Attributes, uniforms and blocks get some of these. */
const VALUES = new Float32Array(4096).map((_, i) => Math.sin(i * 12.9898) * 4);

function isGles(theCase: ShaderCase): boolean {
  return theCase.face === 'gles2' || theCase.face === 'gles3';
}

/** The log of what failed, or null. */
function drawWithGles(theCase: ShaderCase, backend: Backend): string | null {
  const api = theCase.face === 'gles2' ? 2 : 3;
  using gl = createGlesContext({ width: SIZE, height: SIZE, api, backend });
  const program = gl.glCreateProgram();
  for (const [type, text] of [
    [GL.VERTEX_SHADER, theCase.vertex],
    [GL.FRAGMENT_SHADER, theCase.fragment],
  ] as const) {
    const shader = gl.glCreateShader(type);
    gl.glShaderSource(shader, 1, text);
    gl.glCompileShader(shader);
    gl.glAttachShader(program, shader);
    const status = [0];
    gl.glGetShaderiv(shader, GL.COMPILE_STATUS, status);
    if (status[0] === 0) return gl.glGetShaderInfoLog(shader) || 'no log';
  }
  gl.glBindAttribLocation(program, 0, 'p');
  gl.glLinkProgram(program);
  const status = [0];
  gl.glGetProgramiv(program, GL.LINK_STATUS, status);
  if (status[0] === 0) return gl.glGetProgramInfoLog(program) || 'no log';
  gl.glUseProgram(program);
  for (let location = 0; location < 24; location++) setGlesUniform(gl, location, api);
  const buffers = [0, 0];
  gl.glGenBuffers(2, buffers);
  gl.glBindBuffer(GL.ARRAY_BUFFER, buffers[0]!);
  gl.glBufferData(GL.ARRAY_BUFFER, POSITIONS.byteLength, POSITIONS, GL.STATIC_DRAW);
  gl.glVertexAttribPointer(0, 2, GL.FLOAT, false, 0, 0);
  gl.glEnableVertexAttribArray(0);
  if (api === 3) {
    gl.glBindBuffer(GL.UNIFORM_BUFFER, buffers[1]!);
    gl.glBufferData(GL.UNIFORM_BUFFER, VALUES.byteLength, VALUES, GL.STATIC_DRAW);
    gl.glBindBufferBase(GL.UNIFORM_BUFFER, 0, buffers[1]!);
  }
  gl.glDrawArrays(GL.TRIANGLES, 0, 3);
  gl.glReadPixels(0, 0, SIZE, SIZE, GL.RGBA, GL.UNSIGNED_BYTE, new Uint8Array(SIZE * SIZE * 4));
  return null;
}

/** The setter of the uniform's type takes effect, the others record an error. */
function setGlesUniform(gl: GlesContext, location: number, api: 2 | 3): void {
  const at = location * 16;
  const floats = VALUES.subarray(at, at + 16);
  gl.glUniform1fv(location, 1, floats);
  gl.glUniform2fv(location, 1, floats);
  gl.glUniform3fv(location, 1, floats);
  gl.glUniform4fv(location, 1, floats);
  gl.glUniform3i(location, 3, -1, 70000);
  gl.glUniform1i(location, location);
  gl.glUniformMatrix3fv(location, 1, false, floats);
  gl.glUniformMatrix4fv(location, 1, false, floats);
  if (api === 3) gl.glUniform4ui(location, 1, 2, 0xffffffff, 4);
}

function drawWithWebGl(theCase: ShaderCase, backend: Backend): string | null {
  using gl = createContext(SIZE, SIZE, { api: theCase.face as 'webgl2', backend });
  const program = gl.createProgram();
  for (const [type, text] of [
    [GL.VERTEX_SHADER, theCase.vertex],
    [GL.FRAGMENT_SHADER, theCase.fragment],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    if (!gl.getShaderParameter(shader, GL.COMPILE_STATUS)) return gl.getShaderInfoLog(shader) || 'no log';
  }
  gl.bindAttribLocation(program, 0, 'p');
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, GL.LINK_STATUS)) return gl.getProgramInfoLog(program) || 'no log';
  gl.useProgram(program);
  for (let i = 0; i < Math.min(gl.getProgramParameter(program, GL.ACTIVE_UNIFORMS), 24); i++) {
    const location = gl.getUniformLocation(program, gl.getActiveUniform(program, i)!.name);
    const floats = VALUES.subarray(i * 16, i * 16 + 4);
    gl.uniform1fv(location, floats);
    gl.uniform2fv(location, floats);
    gl.uniform4fv(location, floats);
    gl.uniform3iv(location, [1, -1, 70000]);
    gl.uniform1i(location, i);
    gl.uniformMatrix4fv(location, false, VALUES.subarray(i * 16, i * 16 + 16));
  }
  gl.bindBuffer(GL.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(GL.ARRAY_BUFFER, POSITIONS, GL.STATIC_DRAW);
  gl.vertexAttribPointer(0, 2, GL.FLOAT, false, 0, 0);
  gl.enableVertexAttribArray(0);
  if (theCase.face === 'webgl2') {
    const buffer = gl.createBuffer();
    gl.bindBuffer(GL.UNIFORM_BUFFER, buffer);
    gl.bufferData(GL.UNIFORM_BUFFER, VALUES, GL.STATIC_DRAW);
    for (let i = 0; i < 3; i++) gl.bindBufferBase(GL.UNIFORM_BUFFER, i, buffer);
  }
  gl.drawArrays(GL.TRIANGLES, 0, 3);
  gl.readPixels(0, 0, SIZE, SIZE, GL.RGBA, GL.UNSIGNED_BYTE, new Uint8Array(SIZE * SIZE * 4));
  return null;
}

export async function runShaderCase(theCase: ShaderCase, backend: Backend): Promise<void> {
  const limited: Backend = {
    name: backend.name,
    createScreen: (options) => backend.createScreen({ ...options, memoryLimitBytes: MEMORY_LIMIT }),
  };
  const log = isGles(theCase) ? drawWithGles(theCase, limited) : drawWithWebGl(theCase, limited);
  // Events of contexts that were lost.
  await new Promise((resolve) => setImmediate(resolve));
  if (!theCase.isValid) return;
  if (log !== null) {
    if (!/too complex|exceed|too many|too large|limit/i.test(log))
      throw new Fault('refused', log.split('\n').find((line) => line.startsWith('ERROR')) ?? log);
    return;
  }
  compareWithReference(theCase);
}
