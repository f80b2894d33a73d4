// Runs a piece of GLSL for a list of input values in the vertex or fragment stage, and compares every result.
// Each tuple of values is a point of one pixel. GLES 3 reads results from 32-bit targets; GLES 2 from bytes. Where the
// implementation draws to no pixels of 16 bytes (cases of `fbo` judge that), two targets take half of the bits each.

import type { CaseContext } from '../case.ts';
import {
  componentCount,
  type GlslType,
  glslType,
  type Precision,
  type Stage,
  vectorName,
} from '../reference/glsl-types.ts';
import { makeBuffer } from './draw.ts';
import { attachRenderbuffer, generate, requireComplete } from './framebuffer.ts';
import { linkProgram } from './program.ts';

export interface ExpressionInput {
  readonly type: string;
  readonly precision?: Precision | '';
}

export interface ExpressionSpec {
  readonly stage: Stage;
  readonly inputs: readonly ExpressionInput[];
  readonly output: ExpressionInput;
  /** Statements that compute `res` from `in0`, `in1`… */
  readonly code: string;
  /** Declarations before main of the stage under test. */
  readonly head?: string;
  /** values[k][input] are the components of one input of the k-th run. */
  readonly values: readonly (readonly (readonly number[])[])[];
  /** expected[k] are the components of the output; NaN takes anything. */
  readonly expected: readonly (readonly number[])[];
  /** How far component c of run k may be off. Integers and bools are exact. */
  readonly tolerance?: (want: number, k: number, component: number) => number;
  /** What run k computes, for messages; else the code and its inputs. */
  readonly describe?: (k: number) => string;
  /** Extra state, such as uniforms, once the program is in use. */
  readonly setUp?: (program: number) => void;
}

/** Runs fit in a square of this side, and leave its last pixel as it was cleared. */
const SIDE = 8;
export const MOST_RUNS = SIDE * SIDE - 1;
const CLEARED_FLOAT = 0.3;
const CLEARED_WORD = 0xdead;
const CLEARED_WORD_AS_FLOAT = new Float32Array(Uint32Array.of(CLEARED_WORD).buffer)[0]!;
const CLEARED_WORDS = [CLEARED_WORD, CLEARED_WORD, CLEARED_WORD, CLEARED_WORD];

function precisionOf({ precision }: ExpressionInput): string {
  return precision ? `${precision} ` : '';
}

/** The type that carries a value between stages: numbers as they are, bools as integers (floats in GLES 2). */
function carrier(api: 2 | 3, type: GlslType): string {
  if (type.isMatrix) return type.name;
  const base = api === 2 ? 'float' : type.base === 'bool' ? 'int' : type.base;
  return vectorName(base, type.rows);
}

/** From the carrier to the declared type. */
function fromCarrier(api: 2 | 3, type: GlslType, name: string): string {
  if (type.base === 'float') return name;
  if (api === 3) return type.base === 'bool' ? `${type.name}(${name})` : name;
  return type.base === 'bool' ? `${type.name}(${name})` : `${type.name}(floor(${name} + 0.5))`;
}

/** Column `u_part` of the result as four components of the output's kind. */
function outputVector(api: 2 | 3, type: GlslType): string {
  const isFloat = api === 2 || type.base === 'float';
  const target = isFloat ? 'vec4' : type.base === 'uint' ? 'uvec4' : 'ivec4';
  const zero = isFloat ? '0.0' : type.base === 'uint' ? '0u' : '0';
  const vector = (expression: string) => {
    const padding = Array.from({ length: 4 - type.rows }, () => zero);
    const element = vectorName(isFloat ? 'float' : type.base === 'uint' ? 'uint' : 'int', type.rows);
    return `${target}(${[`${element}(${expression})`, ...padding].join(', ')})`;
  };
  if (!type.isMatrix) return vector('res');
  let choice = vector(`res[${type.columns - 1}]`);
  for (let column = type.columns - 2; column >= 0; column--)
    choice = `u_part == ${column} ? ${vector(`res[${column}]`)} : ${choice}`;
  return choice;
}

const HALVES = 'layout(location = 0) out highp uvec2 o_low;\nlayout(location = 1) out highp uvec2 o_high;\n';

function shaders(t: CaseContext, spec: ExpressionSpec, inHalves: boolean): { vertex: string; fragment: string } {
  const { api } = t;
  const types = spec.inputs.map(({ type }) => glslType(type));
  const output = glslType(spec.output.type);
  const isVertex = spec.stage === 'vertex';
  const [attribute, varyingOut, varyingIn] =
    api === 3 ? ['in', 'flat out', 'flat in'] : ['attribute', 'varying', 'varying'];
  const isFloat = api === 2 || output.base === 'float';
  const outType = isFloat ? 'vec4' : output.base === 'uint' ? 'uvec4' : 'ivec4';
  const version = api === 3 ? '#version 300 es\n' : '#version 100\n';
  const precision = 'precision highp float;\nprecision highp int;\n';
  const attributes = types.map((type, i) => `${attribute} highp ${carrier(api, type)} a_in${i};\n`).join('');
  const locals = (prefix: string) =>
    spec.inputs
      .map(
        (input, i) =>
          `  ${precisionOf(input)}${input.type} in${i} = ${fromCarrier(api, types[i]!, `${prefix}${i}`)};\n`,
      )
      .join('');
  const body = (prefix: string, write: (value: string) => string) =>
    `${locals(prefix)}  ${precisionOf(spec.output)}${spec.output.type} res;\n  ${spec.code}\n  highp ${outType} result = ${outputVector(api, output)};\n  ${write('result')}\n`;
  const range = api === 2 ? 'uniform highp float u_scale;\nuniform highp float u_bias;\n' : '';
  const part = 'uniform highp int u_part;\n';
  const bits = (value: string) => (isFloat ? `floatBitsToUint(${value})` : `uvec4(${value})`);
  const write = (value: string) => {
    if (api === 2) return `gl_FragColor = ${value} * u_scale + u_bias;`;
    return inHalves ? `o_low = ${bits(value)}.xy; o_high = ${bits(value)}.zw;` : `o_color = ${value};`;
  };
  const outDeclaration = api === 2 ? '' : inHalves ? HALVES : `layout(location = 0) out highp ${outType} o_color;\n`;
  const position = '  gl_Position = a_position;\n  gl_PointSize = 1.0;\n';
  const declarePosition = `${attribute} highp vec4 a_position;\n`;
  if (isVertex) {
    return {
      vertex: `${version}${precision}${declarePosition}${attributes}${varyingOut} highp ${outType} v_result;\n${part}${spec.head ?? ''}\nvoid main() {\n${position}${body('a_in', (value) => `v_result = ${value};`)}}\n`,
      fragment: `${version}${precision}${varyingIn} highp ${outType} v_result;\n${range}${outDeclaration}void main() {\n  ${write('v_result')}\n}\n`,
    };
  }
  const declare = (qualifier: string) =>
    types.map((type, i) => `${qualifier} highp ${carrier(api, type)} v_in${i};\n`).join('');
  const copies = types.map((_, i) => `  v_in${i} = a_in${i};\n`).join('');
  return {
    vertex: `${version}${precision}${declarePosition}${attributes}${declare(varyingOut)}void main() {\n${position}${copies}}\n`,
    fragment: `${version}${precision}${declare(varyingIn)}${part}${range}${outDeclaration}${spec.head ?? ''}\nvoid main() {\n${body('v_in', write)}}\n`,
  };
}

/** Bytes of GLES 2 show this range of values. No result lies at its ends: black and white are no answer. */
function shownRange(expected: readonly (readonly number[])[]): { low: number; high: number } {
  const all = expected.flat().filter((value) => Number.isFinite(value));
  const low = Math.min(0, ...all);
  const high = Math.max(low + 1, ...all);
  const margin = (high - low) / 16;
  return { low: low - margin, high: high + margin };
}

export function checkExpression(t: CaseContext, spec: ExpressionSpec): void {
  const { gl, api } = t;
  const output = glslType(spec.output.type);
  const isFloat = output.base === 'float';
  const inHalves = api === 3 && bindTargets(t, output);
  const { vertex, fragment } = shaders(t, spec, inHalves);
  const types = spec.inputs.map(({ type }) => glslType(type));
  const program = linkProgram(t, vertex, fragment, (name) => {
    gl.glBindAttribLocation(name, 0, 'a_position');
    let location = 1;
    for (const [i, type] of types.entries()) {
      gl.glBindAttribLocation(name, location, `a_in${i}`);
      location += type.columns;
    }
  });
  gl.glUseProgram(program);
  spec.setUp?.(program);
  gl.glViewport(0, 0, SIDE, SIDE);
  gl.glDisable(gl.GL_DITHER);
  setInputs(t, spec, types);
  const range = shownRange(spec.expected);
  if (api === 2) {
    gl.glUniform1f(gl.glGetUniformLocation(program, 'u_scale'), 1 / (range.high - range.low));
    gl.glUniform1f(gl.glGetUniformLocation(program, 'u_bias'), -range.low / (range.high - range.low));
  }
  for (let column = 0; column < output.columns; column++) {
    gl.glUniform1i(gl.glGetUniformLocation(program, 'u_part'), column);
    if (inHalves) {
      for (const target of [0, 1]) gl.glClearBufferuiv(gl.GL_COLOR, target, CLEARED_WORDS);
    } else if (api === 3 && !isFloat) {
      if (output.base === 'uint') gl.glClearBufferuiv(gl.GL_COLOR, 0, CLEARED_WORDS);
      else gl.glClearBufferiv(gl.GL_COLOR, 0, CLEARED_WORDS);
    } else {
      gl.glClearColor(CLEARED_FLOAT, CLEARED_FLOAT, CLEARED_FLOAT, CLEARED_FLOAT);
      gl.glClear(gl.GL_COLOR_BUFFER_BIT);
    }
    gl.glDrawArrays(gl.GL_POINTS, 0, spec.values.length);
    t.noError('drawing');
    const got = inHalves ? readHalves(t, output) : readResults(t, output, range);
    checkCleared(t, got[MOST_RUNS * 4]!, output, inHalves, range);
    judge(t, spec, output, column, got, range);
  }
}

/** Binds a framebuffer for results. True: of two targets, each with half of the components' bits. */
function bindTargets(t: CaseContext, output: GlslType): boolean {
  const { gl } = t;
  gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, generate(gl.glGenFramebuffers));
  const format = output.base === 'float' ? gl.GL_RGBA32F : output.base === 'uint' ? gl.GL_RGBA32UI : gl.GL_RGBA32I;
  attachRenderbuffer(t, gl.GL_COLOR_ATTACHMENT0, format, 0, SIDE, SIDE);
  if (gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER) === gl.GL_FRAMEBUFFER_COMPLETE) return false;
  while (gl.glGetError() !== gl.GL_NO_ERROR);
  const attachments = [gl.GL_COLOR_ATTACHMENT0, gl.GL_COLOR_ATTACHMENT1];
  for (const attachment of attachments) attachRenderbuffer(t, attachment, gl.GL_RG32UI, 0, SIDE, SIDE);
  gl.glDrawBuffers(2, attachments);
  requireComplete(t);
  return true;
}

/** Four words a pixel from two targets, as values of the output's kind. */
function readHalves(t: CaseContext, output: GlslType): ArrayLike<number> {
  const { gl } = t;
  const words = new Uint32Array(SIDE * SIDE * 4);
  for (const [half, attachment] of [gl.GL_COLOR_ATTACHMENT0, gl.GL_COLOR_ATTACHMENT1].entries()) {
    const data = new Uint32Array(words.length);
    gl.glReadBuffer(attachment);
    gl.glReadPixels(0, 0, SIDE, SIDE, gl.GL_RGBA_INTEGER, gl.GL_UNSIGNED_INT, data);
    for (let i = 0; i < data.length; i += 4) words.set(data.subarray(i, i + 2), i + half * 2);
  }
  if (output.base === 'float') return new Float32Array(words.buffer);
  return output.base === 'uint' ? words : new Int32Array(words.buffer);
}

function setInputs(t: CaseContext, spec: ExpressionSpec, types: readonly GlslType[]): void {
  const { gl, api } = t;
  const positions = spec.values.flatMap((_, k) => [
    (((k % SIDE) + 0.5) / SIDE) * 2 - 1,
    ((Math.floor(k / SIDE) + 0.5) / SIDE) * 2 - 1,
    0,
    1,
  ]);
  makeBuffer(t, gl.GL_ARRAY_BUFFER, Float32Array.from(positions));
  gl.glEnableVertexAttribArray(0);
  gl.glVertexAttribPointer(0, 4, gl.GL_FLOAT, false, 0, 0);
  let location = 1;
  for (const [i, type] of types.entries()) {
    const flat = spec.values.flatMap((inputs) => [...inputs[i]!]);
    const isInteger = api === 3 && type.base !== 'float';
    const data = isInteger ? (type.base === 'uint' ? Uint32Array : Int32Array).from(flat) : Float32Array.from(flat);
    makeBuffer(t, gl.GL_ARRAY_BUFFER, data);
    const stride = componentCount(type) * 4;
    for (let column = 0; column < type.columns; column++) {
      gl.glEnableVertexAttribArray(location);
      const offset = column * type.rows * 4;
      if (isInteger)
        gl.glVertexAttribIPointer(
          location,
          type.rows,
          type.base === 'uint' ? gl.GL_UNSIGNED_INT : gl.GL_INT,
          stride,
          offset,
        );
      else gl.glVertexAttribPointer(location, type.rows, gl.GL_FLOAT, false, stride, offset);
      location++;
    }
  }
}

function readResults(t: CaseContext, output: GlslType, range: { low: number; high: number }): ArrayLike<number> {
  const { gl, api } = t;
  if (api === 2) {
    const { data } = t.readPixels(0, 0, SIDE, SIDE);
    return Float64Array.from(data, (value) => (value / 255) * (range.high - range.low) + range.low);
  }
  const count = SIDE * SIDE * 4;
  if (output.base === 'float') {
    const data = new Float32Array(count);
    gl.glReadPixels(0, 0, SIDE, SIDE, gl.GL_RGBA, gl.GL_FLOAT, data);
    return data;
  }
  const data = output.base === 'uint' ? new Uint32Array(count) : new Int32Array(count);
  gl.glReadPixels(0, 0, SIDE, SIDE, gl.GL_RGBA_INTEGER, output.base === 'uint' ? gl.GL_UNSIGNED_INT : gl.GL_INT, data);
  return data;
}

/** Results that are all zero, or all undefined, would be right where nothing reaches the target: the pixel beside them is not. */
function checkCleared(
  t: CaseContext,
  got: number,
  output: GlslType,
  inHalves: boolean,
  range: { low: number; high: number },
): void {
  const span = range.high - range.low;
  let want: number = CLEARED_WORD;
  if (t.api === 2) want = range.low + CLEARED_FLOAT * span;
  else if (output.base === 'float') want = inHalves ? CLEARED_WORD_AS_FLOAT : Math.fround(CLEARED_FLOAT);
  const slack = t.api === 2 ? span / 255 : 0;
  if (Math.abs(got - want) > slack) t.fail(`the pixel beside the points is ${got}, but was cleared to ${want}`);
}

function judge(
  t: CaseContext,
  spec: ExpressionSpec,
  output: GlslType,
  column: number,
  got: ArrayLike<number>,
  range: { low: number; high: number },
): void {
  // A case of points counts as one that looks at pixels: a backend that draws nothing must fail it.
  t.pictureComparisons++;
  for (const [k, want] of spec.expected.entries())
    for (let row = 0; row < output.rows; row++) {
      const at = column * output.rows + row;
      const value = want[at]!;
      t.comparisons++;
      if (Number.isNaN(value)) continue;
      const isExact = output.base !== 'float';
      // Half a colour code, ties included: they go either way, and the sum here is rounded too.
      const shown = t.api === 2 ? ((range.high - range.low) / 255) * (isExact ? 0.5 + 1e-4 : 1.5) : 0;
      const bound = (isExact ? 0 : (spec.tolerance?.(value, k, at) ?? 0)) + shown;
      const result = got[k * 4 + row]!;
      if (Object.is(result, value) || Math.abs(result - value) <= bound) continue;
      const inputs = spec.values[k]!.map((input) => `(${input.join(', ')})`).join(' ');
      const what = spec.describe?.(k) ?? `${spec.code.trim()} of ${inputs}`;
      t.fail(`${what}: component ${at} is ${result}, expected ${value} ± ${bound}`);
    }
}
