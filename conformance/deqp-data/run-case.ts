// Runs one shader case on a GLES context: builds it, draws once for each set of values, looks for white.

import { GL } from '../../src/gl/constants.ts';
import type { Gles } from '../../src/gles/index.ts';
import type { CaseResult } from '../result.ts';
import type { ShaderCase } from './cases.ts';
import { scalarOf, specialize, travelsAsIs } from './specialize.ts';
import type { CaseValue } from './test-file.ts';

/** Pixels of the picture that a case draws: some quads, with a few whole and a few partial. */
export const CASE_SURFACE_SIZE = 8;

/** Position of a rectangle over everything, as a triangle strip. */
const POSITIONS = Float32Array.from([-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1, 1, 1, 0, 1]);
const VERTICES = 4;

/** Fails the case with this message. */
class CaseFailure extends Error {}

function fail(message: string): never {
  throw new CaseFailure(message);
}

/** Why the case cannot be run on this context, or null. */
function unmetRequirement(gl: Gles, shaderCase: ShaderCase): string | null {
  for (const requirement of shaderCase.block.requirements) {
    switch (requirement) {
      case 'full_glsl_es_100_support':
        break;
      case 'only_glsl_es_100_support':
        if (shaderCase.api >= 3) return 'the context takes GLSL ES 3.00 too';
        break;
      case 'exactly_one_draw_buffer': {
        const count = [1];
        gl.glGetIntegerv(GL.MAX_DRAW_BUFFERS, count);
        if (count[0] !== 1) return `there are ${count[0]} draw buffers`;
        break;
      }
      default:
        return `unknown requirement '${requirement}'`;
    }
  }
  return null;
}

interface Build {
  readonly program: number;
  readonly isCompiled: boolean;
  readonly isLinked: boolean;
  readonly log: string;
}

function buildProgram(gl: Gles, vertex: string, fragment: string): Build {
  const program = gl.glCreateProgram();
  const status = [0];
  let isCompiled = true;
  let log = '';
  for (const [type, text] of [
    [GL.VERTEX_SHADER, vertex],
    [GL.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.glCreateShader(type);
    gl.glShaderSource(shader, 1, [text]);
    gl.glCompileShader(shader);
    gl.glGetShaderiv(shader, GL.COMPILE_STATUS, status);
    if (!status[0]) {
      isCompiled = false;
      log += gl.glGetShaderInfoLog(shader);
    }
    gl.glAttachShader(program, shader);
    gl.glDeleteShader(shader);
  }
  if (!isCompiled) return { program, isCompiled, isLinked: false, log };
  gl.glLinkProgram(program);
  gl.glGetProgramiv(program, GL.LINK_STATUS, status);
  return { program, isCompiled, isLinked: status[0] === 1, log: status[0] ? '' : gl.glGetProgramInfoLog(program) };
}

function checkBuild(shaderCase: ShaderCase, build: Build): void {
  const { expectation } = shaderCase.block;
  const { isCompiled, isLinked, log } = build;
  if (expectation === 'compile_fail') {
    if (isCompiled) fail('compiled, but must not');
  } else if (expectation === 'link_fail') {
    if (!isCompiled) fail(`did not compile, but only linking may fail: ${log}`);
    if (isLinked) fail('linked, but must not');
  } else if (expectation === 'compile_or_link_fail') {
    if (isLinked) fail('built, but must not');
  } else if (!isCompiled) fail(`did not compile: ${log}`);
  else if (!isLinked) fail(`did not link: ${log}`);
}

const MATRIX = /^mat(\d)(?:x(\d))?$/;

function setAttribute(gl: Gles, program: number, value: CaseValue, run: number, version: 100 | 300): void {
  const direct = travelsAsIs(value.type, version);
  let location = gl.glGetAttribLocation(program, value.name);
  if (location < 0) location = gl.glGetAttribLocation(program, `a_${value.name}`);
  if (location < 0) return;
  const entry = value.entries[run]!;
  const matrix = MATRIX.exec(value.type);
  const columns = matrix ? Number(matrix[1]) : 1;
  const size = entry.length / columns;
  const scalar = direct ? scalarOf(value.type) : 'float';
  for (let column = 0; column < columns; column++) {
    const components = entry.slice(column * size, (column + 1) * size);
    const repeated = Array.from({ length: VERTICES }, () => components).flat();
    gl.glEnableVertexAttribArray(location + column);
    if (scalar === 'float') {
      gl.glVertexAttribPointer(location + column, size, GL.FLOAT, false, 0, Float32Array.from(repeated));
    } else if (scalar === 'int') {
      gl.glVertexAttribIPointer(location + column, size, GL.INT, 0, Int32Array.from(repeated));
    } else {
      gl.glVertexAttribIPointer(location + column, size, GL.UNSIGNED_INT, 0, Uint32Array.from(repeated));
    }
  }
}

function setUniform(gl: Gles, program: number, name: string, type: string, entry: readonly number[]): void {
  const location = gl.glGetUniformLocation(program, name);
  if (location < 0) return;
  const matrix = MATRIX.exec(type);
  if (matrix) {
    const [columns, rows] = [matrix[1]!, matrix[2] ?? matrix[1]!];
    const values = Float32Array.from(entry);
    const call = `glUniformMatrix${columns === rows ? columns : `${columns}x${rows}`}fv` as 'glUniformMatrix2fv';
    gl[call](location, 1, false, values);
    return;
  }
  const suffix = { float: 'f', int: 'i', uint: 'ui', bool: 'i' }[scalarOf(type)];
  const call = `glUniform${entry.length}${suffix}v` as 'glUniform1fv';
  gl[call](location, 1, Float64Array.from(entry) as unknown as Float32Array);
}

function drawAndCompare(gl: Gles, run: number): void {
  gl.glClearColor(0.125, 0.25, 0.5, 1);
  gl.glClear(GL.COLOR_BUFFER_BIT);
  gl.glDrawArrays(GL.TRIANGLE_STRIP, 0, VERTICES);
  const error = gl.glGetError();
  if (error !== GL.NO_ERROR) fail(`GL error 0x${error.toString(16)} in run ${run}`);
  const pixels = new Uint8Array(CASE_SURFACE_SIZE * CASE_SURFACE_SIZE * 4);
  gl.glReadPixels(0, 0, CASE_SURFACE_SIZE, CASE_SURFACE_SIZE, GL.RGBA, GL.UNSIGNED_BYTE, pixels);
  for (let at = 0; at < pixels.length; at++) {
    if (pixels[at] === 255) continue;
    const pixel = at >> 2;
    const place = `${pixel % CASE_SURFACE_SIZE},${Math.floor(pixel / CASE_SURFACE_SIZE)}`;
    fail(`run ${run}: pixel ${place} is ${[...pixels.subarray(pixel * 4, pixel * 4 + 4)]}, not white`);
  }
}

function runValues(gl: Gles, shaderCase: ShaderCase, program: number): void {
  const { block } = shaderCase;
  const runs = Math.max(1, ...block.values.map((value) => value.entries.length));
  gl.glUseProgram(program);
  const position = gl.glGetAttribLocation(program, 'dEQP_Position');
  if (position >= 0) {
    gl.glEnableVertexAttribArray(position);
    gl.glVertexAttribPointer(position, 4, GL.FLOAT, false, 0, POSITIONS);
  }
  for (let run = 0; run < runs; run++) {
    for (const value of block.values) {
      const entry = value.entries[Math.min(run, value.entries.length - 1)]!;
      if (value.role === 'input')
        setAttribute(gl, program, value, Math.min(run, value.entries.length - 1), block.version);
      else setUniform(gl, program, value.role === 'uniform' ? value.name : `ref_${value.name}`, value.type, entry);
    }
    drawAndCompare(gl, run);
  }
}

function cleanUp(gl: Gles, program: number): void {
  for (let index = 0; index < 16; index++) gl.glDisableVertexAttribArray(index);
  gl.glUseProgram(0);
  gl.glDeleteProgram(program);
  while (gl.glGetError() !== GL.NO_ERROR);
}

/** Runs a case on a context of its API version; the context can be used again. Never throws. */
export function runShaderCase(gl: Gles, shaderCase: ShaderCase): CaseResult {
  const { name, block, stage } = shaderCase;
  const unmet = unmetRequirement(gl, shaderCase);
  if (unmet) return { name, status: 'skipped', message: unmet };
  let program = 0;
  try {
    const { vertex, fragment } = specialize(block, stage);
    const build = buildProgram(gl, vertex, fragment);
    program = build.program;
    checkBuild(shaderCase, build);
    if (block.expectation === 'pass') runValues(gl, shaderCase, program);
    return { name, status: 'passed', message: '' };
  } catch (error) {
    const message = error instanceof CaseFailure ? error.message : `exception: ${(error as Error).stack ?? error}`;
    return { name, status: 'failed', message };
  } finally {
    cleanUp(gl, program);
  }
}
