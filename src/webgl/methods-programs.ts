// WebGL 1: shaders and programs (WebGL 1 §5.14.9).

import { GL } from '../gl/constants.ts';
import { invalidOperation } from '../gl/errors.ts';
import * as ask from '../gl/program-queries.ts';
import * as programs from '../gl/programs.ts';
import * as shaders from '../gl/shaders.ts';
import type { UniformValue } from '../gl/uniforms.ts';
import { getUniform } from '../gl/uniforms.ts';
import { faceOf, glOf } from './context-base.ts';
import type { Face } from './face.ts';
import {
  handleOf,
  locationOf,
  makeActiveInfo,
  makeLocation,
  rememberCompiledSource,
  unwrap,
  type WebGLActiveInfo,
  WebGLProgram,
  WebGLShader,
  type WebGLUniformLocation,
  wrap,
} from './handles.ts';
import { BufferMethods } from './methods-buffers.ts';
import { checkName, isReservedName } from './names.ts';
import { isDeletable, isUsable } from './validity.ts';

/** KHR_parallel_shader_compile: all is done when the call returns, and lost contexts keep nobody waiting. */
function isCompletionStatus({ context }: Face, pname: number): boolean {
  return pname === GL.COMPLETION_STATUS_KHR && context.isEnabled('KHR_parallel_shader_compile');
}

export abstract class ProgramMethods extends BufferMethods {
  createShader(type: number): WebGLShader | null {
    const shader = shaders.createShader(glOf(this), type);
    return shader && wrap(WebGLShader, faceOf(this), shader);
  }

  deleteShader(shader: WebGLShader | null): void {
    if (isDeletable(faceOf(this), 'deleteShader', shader)) shaders.deleteShader(glOf(this), unwrap(shader));
  }

  isShader(shader: WebGLShader | null): boolean {
    return isUsable(faceOf(this), shader);
  }

  shaderSource(shader: WebGLShader, source: string): void {
    shaders.shaderSource(glOf(this), unwrap(shader), source);
  }

  getShaderSource(shader: WebGLShader): string | null {
    return unwrap(shader).source;
  }

  compileShader(shader: WebGLShader): void {
    shaders.compileShader(glOf(this), unwrap(shader));
    rememberCompiledSource(shader);
  }

  getShaderParameter(shader: WebGLShader, pname: number): unknown {
    if (isCompletionStatus(faceOf(this), pname)) return true;
    if (faceOf(this).isLost) return null;
    return shaders.getShaderParameter(glOf(this), unwrap(shader), pname) ?? null;
  }

  getShaderInfoLog(shader: WebGLShader): string | null {
    return unwrap(shader).infoLog;
  }

  createProgram(): WebGLProgram {
    return wrap(WebGLProgram, faceOf(this), programs.createProgram(glOf(this)));
  }

  deleteProgram(program: WebGLProgram | null): void {
    if (isDeletable(faceOf(this), 'deleteProgram', program)) programs.deleteProgram(glOf(this), unwrap(program));
  }

  isProgram(program: WebGLProgram | null): boolean {
    return isUsable(faceOf(this), program);
  }

  attachShader(program: WebGLProgram, shader: WebGLShader): void {
    programs.attachShader(glOf(this), unwrap(program), unwrap(shader));
  }

  detachShader(program: WebGLProgram, shader: WebGLShader): void {
    programs.detachShader(glOf(this), unwrap(program), unwrap(shader));
  }

  getAttachedShaders(program: WebGLProgram): WebGLShader[] | null {
    return programs.attachedShaders(unwrap(program)).map((shader) => handleOf(shader) as WebGLShader);
  }

  bindAttribLocation(program: WebGLProgram, index: number, name: string): void {
    const gl = glOf(this);
    if (!checkName(gl, 'bindAttribLocation', name)) return;
    if (isReservedName(name)) return invalidOperation(gl, 'bindAttribLocation', `${name} is a reserved name`);
    programs.bindAttribLocation(gl, unwrap(program), index, name);
  }

  linkProgram(program: WebGLProgram): void {
    programs.linkProgram(glOf(this), unwrap(program));
  }

  useProgram(program: WebGLProgram | null): void {
    programs.useProgram(glOf(this), unwrap(program));
  }

  validateProgram(program: WebGLProgram): void {
    programs.validateProgram(glOf(this), unwrap(program));
  }

  getProgramParameter(program: WebGLProgram, pname: number): unknown {
    if (isCompletionStatus(faceOf(this), pname)) return true;
    if (faceOf(this).isLost) return null;
    return ask.getProgramParameter(glOf(this), unwrap(program), pname) ?? null;
  }

  getProgramInfoLog(program: WebGLProgram): string | null {
    return unwrap(program).infoLog;
  }

  getActiveAttrib(program: WebGLProgram, index: number): WebGLActiveInfo | null {
    return makeActiveInfo(ask.getActiveAttrib(glOf(this), unwrap(program), index));
  }

  getActiveUniform(program: WebGLProgram, index: number): WebGLActiveInfo | null {
    return makeActiveInfo(ask.getActiveUniform(glOf(this), unwrap(program), index));
  }

  getAttribLocation(program: WebGLProgram, name: string): number {
    const gl = glOf(this);
    if (!checkName(gl, 'getAttribLocation', name)) return -1;
    // Asked in any case: a program that is not linked is an error also for names that can't be.
    const location = ask.getAttribLocation(gl, unwrap(program), name);
    return isReservedName(name) ? -1 : location;
  }

  getUniformLocation(program: WebGLProgram, name: string): WebGLUniformLocation | null {
    const gl = glOf(this);
    if (!checkName(gl, 'getUniformLocation', name)) return null;
    const object = unwrap(program);
    const location = ask.getUniformLocation(gl, object, name);
    return location < 0 || isReservedName(name) ? null : makeLocation(faceOf(this), object, location);
  }

  getUniform(program: WebGLProgram, location: WebGLUniformLocation): unknown {
    const gl = glOf(this);
    const object = unwrap(program);
    const place = locationOf(location);
    if (place.program !== object)
      return invalidOperation(gl, 'getUniform', 'the location belongs to another program') ?? null;
    if (place.link !== object.linkCount)
      return invalidOperation(gl, 'getUniform', 'the program was linked again since') ?? null;
    const value = getUniform(gl, object, place.location);
    return value === undefined ? null : uniformResult(value);
  }
}

/** A uniform's value as WebGL hands it out: a scalar, a typed array, or an array of booleans (WebGL 1 §5.14.10). */
function uniformResult({ type, values }: UniformValue): unknown {
  const isSingle = values.length === 1;
  switch (type.baseType) {
    case 'bool':
      return isSingle ? values[0] !== 0 : values.map((value) => value !== 0);
    case 'float':
      return isSingle ? values[0] : new Float32Array(values);
    case 'uint':
      return isSingle ? values[0] : new Uint32Array(values);
    default:
      return isSingle ? values[0] : new Int32Array(values);
  }
}
