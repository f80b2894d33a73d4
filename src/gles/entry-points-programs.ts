// GLES entry points of shaders, programs and uniforms.

import { invalidOperation } from '../gl/errors.ts';
import { Program, ShaderObject } from '../gl/program-object.ts';
import * as ask from '../gl/program-queries.ts';
import * as programs from '../gl/programs.ts';
import * as shaders from '../gl/shaders.ts';
import { getUniform, setUniform, setUniformMatrix, type UniformKind, uniformBlockBinding } from '../gl/uniforms.ts';
import type { Boolish } from './entry-points-state.ts';
import { type GlesFace, isNegative, listed } from './face.ts';
import { type NumberList, store, storeString } from './memory.ts';

/** Frees the names of shaders that went with a program, and of a program that is no longer in use. */
function sweep(face: GlesFace, names: readonly number[]): void {
  for (const name of names) face.shaderObjects.sweep(name);
}

function useProgram(face: GlesFace, name: number): void {
  const program = name === 0 ? null : face.program('glUseProgram', name);
  if (program === undefined) return;
  const previous = face.context.program;
  const shaderNames = previous ? programs.attachedShaders(previous).map((shader) => shader.name) : [];
  programs.useProgram(face.context, program);
  if (previous) sweep(face, [previous.name, ...shaderNames]);
}

function deleteObject(face: GlesFace, call: string, name: number, isProgram: boolean): void {
  if (name === 0) return;
  if (isProgram) {
    const program = face.program(call, name);
    if (program === undefined) return;
    const shaderNames = programs.attachedShaders(program).map((shader) => shader.name);
    programs.deleteProgram(face.context, program);
    sweep(face, [name, ...shaderNames]);
    return;
  }
  const shader = face.shader(call, name);
  if (shader === undefined) return;
  shaders.deleteShader(face.context, shader);
  sweep(face, [name]);
}

function isNamed<T>(face: GlesFace, name: number, kind: abstract new (...args: never[]) => T): boolean {
  const object = face.shaderObjects.find(name);
  return object !== undefined && object instanceof kind && !object.destroyed;
}

/** Text as a result; its length into an out-parameter. Empty after an error. */
function storeText(
  face: GlesFace,
  call: string,
  text: string | undefined,
  bufSize: number | undefined,
  length: NumberList | null | undefined,
): string {
  if (text === undefined || isNegative(face, call, 'bufSize', bufSize)) return '';
  return storeString(text, bufSize, length);
}

/** An ActiveInfo into out-parameters; the name is the result. */
function storeActive(
  face: GlesFace,
  call: string,
  info: ask.ActiveInfo | undefined,
  bufSize: number | undefined,
  length: NumberList | null | undefined,
  size: NumberList | null | undefined,
  type: NumberList | null | undefined,
): string {
  if (info === undefined || isNegative(face, call, 'bufSize', bufSize)) return '';
  store(size, [info.size]);
  store(type, [info.type]);
  return storeString(info.name, bufSize, length);
}

export const PROGRAMS_ES2 = {
  glCreateShader: (face: GlesFace, type: number): number => {
    const shader = shaders.createShader(face.context, type);
    return shader === null ? 0 : face.shaderObjects.add(shader);
  },
  glDeleteShader: (face: GlesFace, name: number): void => deleteObject(face, 'glDeleteShader', name, false),
  glIsShader: (face: GlesFace, name: number): boolean => isNamed(face, name, ShaderObject),
  /** `strings`: one string, or the parts in order; `lengths` cuts each (negative: whole). */
  glShaderSource: (
    face: GlesFace,
    name: number,
    count: number,
    strings: string | readonly string[],
    lengths: ArrayLike<number> | null = null,
  ): void => {
    const shader = face.shader('glShaderSource', name);
    if (shader === undefined) return;
    if (isNegative(face, 'glShaderSource', 'count', count)) return;
    const parts = (typeof strings === 'string' ? [strings] : strings).slice(0, count);
    const source = parts.map((part, i) => (lengths && lengths[i]! >= 0 ? part.slice(0, lengths[i]) : part)).join('');
    shaders.shaderSource(face.context, shader, source);
  },
  glCompileShader: (face: GlesFace, name: number): void => {
    const shader = face.shader('glCompileShader', name);
    if (shader) shaders.compileShader(face.context, shader);
  },
  glGetShaderiv: (face: GlesFace, name: number, pname: number, params: NumberList): void => {
    const shader = face.shader('glGetShaderiv', name);
    const value = shader && shaders.getShaderParameter(face.context, shader, pname);
    if (value !== undefined) store(params, [Number(value)]);
  },
  /** The log is the result; `bufSize` and `length` may be left out. */
  glGetShaderInfoLog: (face: GlesFace, name: number, bufSize?: number, length?: NumberList | null): string =>
    storeText(face, 'glGetShaderInfoLog', face.shader('glGetShaderInfoLog', name)?.infoLog, bufSize, length),
  glGetShaderSource: (face: GlesFace, name: number, bufSize?: number, length?: NumberList | null): string =>
    storeText(face, 'glGetShaderSource', face.shader('glGetShaderSource', name)?.source, bufSize, length),
  glReleaseShaderCompiler: (face: GlesFace): void => shaders.releaseShaderCompiler(face.context),
  glShaderBinary: (
    face: GlesFace,
    count: number,
    _shaders: ArrayLike<number>,
    binaryFormat: number,
    _binary: ArrayBufferView | null,
    length: number,
  ): void => {
    const call = 'glShaderBinary';
    if (isNegative(face, call, 'count', count) || isNegative(face, call, 'length', length)) return;
    shaders.shaderBinary(face.context, binaryFormat);
  },

  glCreateProgram: (face: GlesFace): number => face.shaderObjects.add(programs.createProgram(face.context)),
  glDeleteProgram: (face: GlesFace, name: number): void => deleteObject(face, 'glDeleteProgram', name, true),
  glIsProgram: (face: GlesFace, name: number): boolean => isNamed(face, name, Program),
  glAttachShader: (face: GlesFace, program: number, shader: number): void => {
    const to = face.program('glAttachShader', program);
    const what = to && face.shader('glAttachShader', shader);
    if (to && what) programs.attachShader(face.context, to, what);
  },
  glDetachShader: (face: GlesFace, program: number, shader: number): void => {
    const from = face.program('glDetachShader', program);
    const what = from && face.shader('glDetachShader', shader);
    if (!from || !what) return;
    programs.detachShader(face.context, from, what);
    sweep(face, [shader]);
  },
  glGetAttachedShaders: (
    face: GlesFace,
    name: number,
    maxCount: number,
    count: NumberList | null,
    names: NumberList,
  ): void => {
    const call = 'glGetAttachedShaders';
    const program = face.program(call, name);
    if (program === undefined) return;
    if (isNegative(face, call, 'maxCount', maxCount)) return;
    const attached = programs.attachedShaders(program).slice(0, maxCount);
    store(count, [attached.length]);
    store(
      names,
      attached.map((shader) => shader.name),
    );
  },
  glBindAttribLocation: (face: GlesFace, name: number, index: number, attribute: string): void => {
    const program = face.program('glBindAttribLocation', name);
    if (program) programs.bindAttribLocation(face.context, program, index, attribute);
  },
  glLinkProgram: (face: GlesFace, name: number): void => {
    const program = face.program('glLinkProgram', name);
    if (program) programs.linkProgram(face.context, program);
  },
  glUseProgram: useProgram,
  glValidateProgram: (face: GlesFace, name: number): void => {
    const program = face.program('glValidateProgram', name);
    if (program) programs.validateProgram(face.context, program);
  },
  glGetProgramiv: (face: GlesFace, name: number, pname: number, params: NumberList): void => {
    const program = face.program('glGetProgramiv', name);
    const value = program && ask.getProgramParameter(face.context, program, pname);
    if (value !== undefined) store(params, [Number(value)]);
  },
  glGetProgramInfoLog: (face: GlesFace, name: number, bufSize?: number, length?: NumberList | null): string =>
    storeText(face, 'glGetProgramInfoLog', face.program('glGetProgramInfoLog', name)?.infoLog, bufSize, length),
  glGetActiveAttrib: (
    face: GlesFace,
    name: number,
    index: number,
    bufSize?: number,
    length?: NumberList | null,
    size?: NumberList | null,
    type?: NumberList | null,
  ): string => {
    const call = 'glGetActiveAttrib';
    const program = face.program(call, name);
    const info = program && ask.getActiveAttrib(face.context, program, index);
    return storeActive(face, call, info, bufSize, length, size, type);
  },
  glGetActiveUniform: (
    face: GlesFace,
    name: number,
    index: number,
    bufSize?: number,
    length?: NumberList | null,
    size?: NumberList | null,
    type?: NumberList | null,
  ): string => {
    const call = 'glGetActiveUniform';
    const program = face.program(call, name);
    const info = program && ask.getActiveUniform(face.context, program, index);
    return storeActive(face, call, info, bufSize, length, size, type);
  },
  glGetAttribLocation: (face: GlesFace, name: number, attribute: string): number => {
    const program = face.program('glGetAttribLocation', name);
    return program ? ask.getAttribLocation(face.context, program, attribute) : -1;
  },
  glGetUniformLocation: (face: GlesFace, name: number, uniform: string): number => {
    const program = face.program('glGetUniformLocation', name);
    return program ? ask.getUniformLocation(face.context, program, uniform) : -1;
  },
  glGetUniformfv: (face: GlesFace, name: number, location: number, params: NumberList): void =>
    getUniformValues(face, 'glGetUniformfv', name, location, params, false),
  glGetUniformiv: (face: GlesFace, name: number, location: number, params: NumberList): void =>
    getUniformValues(face, 'glGetUniformiv', name, location, params, true),
};

/** Values convert to what is asked for; floats are rounded to integers (ES 3.0.6 §6.1.2). */
function getUniformValues(
  face: GlesFace,
  call: string,
  name: number,
  location: number,
  params: NumberList,
  rounds: boolean,
): void {
  const program = face.program(call, name);
  const uniform = program && getUniform(face.context, program, location);
  if (uniform) store(params, rounds ? uniform.values.map(Math.round) : uniform.values);
}

export const PROGRAMS_ES3 = {
  glGetFragDataLocation: (face: GlesFace, name: number, output: string): number => {
    const program = face.program('glGetFragDataLocation', name);
    return program ? ask.getFragDataLocation(face.context, program, output) : -1;
  },
  glGetUniformuiv: (face: GlesFace, name: number, location: number, params: NumberList): void =>
    getUniformValues(face, 'glGetUniformuiv', name, location, params, true),
  glGetUniformIndices: (
    face: GlesFace,
    name: number,
    count: number,
    names: readonly string[],
    indices: NumberList,
  ): void => {
    const call = 'glGetUniformIndices';
    const program = face.program(call, name);
    const wanted = program && listed(face, call, count, names);
    const found = wanted && ask.getUniformIndices(face.context, program, wanted);
    if (found) store(indices, found);
  },
  glGetActiveUniformsiv: (
    face: GlesFace,
    name: number,
    count: number,
    indices: ArrayLike<number>,
    pname: number,
    params: NumberList,
  ): void => {
    const call = 'glGetActiveUniformsiv';
    const program = face.program(call, name);
    if (program === undefined) return;
    const wanted = listed(face, call, count, indices);
    const values = wanted && ask.getActiveUniforms(face.context, program, wanted, pname);
    if (values) store(params, values.map(Number));
  },
  glGetUniformBlockIndex: (face: GlesFace, name: number, block: string): number => {
    const program = face.program('glGetUniformBlockIndex', name);
    return program ? ask.getUniformBlockIndex(face.context, program, block) : 0xffffffff;
  },
  glGetActiveUniformBlockiv: (face: GlesFace, name: number, index: number, pname: number, params: NumberList): void => {
    const program = face.program('glGetActiveUniformBlockiv', name);
    const value = program && ask.getActiveUniformBlockParameter(face.context, program, index, pname);
    if (value !== undefined) store(params, typeof value === 'object' ? value : [Number(value)]);
  },
  glGetActiveUniformBlockName: (
    face: GlesFace,
    name: number,
    index: number,
    bufSize?: number,
    length?: NumberList | null,
  ): string => {
    const call = 'glGetActiveUniformBlockName';
    const program = face.program(call, name);
    const text = program && ask.getActiveUniformBlockName(face.context, program, index);
    return storeText(face, call, text, bufSize, length);
  },
  glUniformBlockBinding: (face: GlesFace, name: number, block: number, binding: number): void => {
    const program = face.program('glUniformBlockBinding', name);
    if (program) uniformBlockBinding(face.context, program, block, binding);
  },
  glTransformFeedbackVaryings: (
    face: GlesFace,
    name: number,
    count: number,
    varyings: readonly string[],
    bufferMode: number,
  ): void => {
    const call = 'glTransformFeedbackVaryings';
    const program = face.program(call, name);
    const names = program && listed(face, call, count, varyings);
    if (names) programs.transformFeedbackVaryings(face.context, program, names, bufferMode);
  },
  glGetTransformFeedbackVarying: (
    face: GlesFace,
    name: number,
    index: number,
    bufSize?: number,
    length?: NumberList | null,
    size?: NumberList | null,
    type?: NumberList | null,
  ): string => {
    const call = 'glGetTransformFeedbackVarying';
    const program = face.program(call, name);
    const info = program && ask.getTransformFeedbackVarying(face.context, program, index);
    return storeActive(face, call, info, bufSize, length, size, type);
  },
  glProgramParameteri: (face: GlesFace, name: number, pname: number, value: number): void => {
    const program = face.program('glProgramParameteri', name);
    if (program) ask.programParameteri(face.context, program, pname, value);
  },
  glGetProgramBinary: (face: GlesFace, name: number, bufSize?: number): void => {
    const call = 'glGetProgramBinary';
    if (face.program(call, name) && !isNegative(face, call, 'bufSize', bufSize)) shaders.getProgramBinary(face.context);
  },
  glProgramBinary: (
    face: GlesFace,
    name: number,
    binaryFormat: number,
    _binary?: ArrayBufferView | null,
    length?: number,
  ): void => {
    const call = 'glProgramBinary';
    if (face.program(call, name) && !isNegative(face, call, 'length', length))
      shaders.programBinary(face.context, binaryFormat);
  },
};

/** glUniform{1…4}{f,i,ui}: the values are the arguments. */
function scalar(kind: UniformKind, size: number) {
  const convert = convertTo(kind);
  return (face: GlesFace, location: number, ...values: number[]): void => {
    if (values.length < size)
      return invalidOperation(face.context, `glUniform${size}${kind}`, `${size} values are needed`);
    setUniform(face.context, location, kind, size, 1, convert(values));
  };
}

/** glUniform{1…4}{f,i,ui}v. */
function vector(kind: UniformKind, size: number) {
  return (face: GlesFace, location: number, count: number, values: ArrayLike<number>): void =>
    setUniform(face.context, location, kind, size, Math.min(count, Math.floor(values.length / size)), values);
}

function convertTo(kind: UniformKind): (values: number[]) => number[] {
  if (kind === 'float') return (values) => values;
  if (kind === 'int') return (values) => values.map((value) => value | 0);
  return (values) => values.map((value) => value >>> 0);
}

function matrix(columns: number, rows: number) {
  return (face: GlesFace, location: number, count: number, transpose: Boolish, values: ArrayLike<number>): void =>
    setUniformMatrix(
      face.context,
      location,
      columns,
      rows,
      Math.min(count, Math.floor(values.length / (columns * rows))),
      Boolean(transpose),
      values,
    );
}

export const UNIFORMS_ES2 = {
  glUniform1f: scalar('float', 1),
  glUniform2f: scalar('float', 2),
  glUniform3f: scalar('float', 3),
  glUniform4f: scalar('float', 4),
  glUniform1i: scalar('int', 1),
  glUniform2i: scalar('int', 2),
  glUniform3i: scalar('int', 3),
  glUniform4i: scalar('int', 4),
  glUniform1fv: vector('float', 1),
  glUniform2fv: vector('float', 2),
  glUniform3fv: vector('float', 3),
  glUniform4fv: vector('float', 4),
  glUniform1iv: vector('int', 1),
  glUniform2iv: vector('int', 2),
  glUniform3iv: vector('int', 3),
  glUniform4iv: vector('int', 4),
  glUniformMatrix2fv: matrix(2, 2),
  glUniformMatrix3fv: matrix(3, 3),
  glUniformMatrix4fv: matrix(4, 4),
};

export const UNIFORMS_ES3 = {
  glUniform1ui: scalar('uint', 1),
  glUniform2ui: scalar('uint', 2),
  glUniform3ui: scalar('uint', 3),
  glUniform4ui: scalar('uint', 4),
  glUniform1uiv: vector('uint', 1),
  glUniform2uiv: vector('uint', 2),
  glUniform3uiv: vector('uint', 3),
  glUniform4uiv: vector('uint', 4),
  glUniformMatrix2x3fv: matrix(2, 3),
  glUniformMatrix3x2fv: matrix(3, 2),
  glUniformMatrix2x4fv: matrix(2, 4),
  glUniformMatrix4x2fv: matrix(4, 2),
  glUniformMatrix3x4fv: matrix(3, 4),
  glUniformMatrix4x3fv: matrix(4, 3),
};
