// WebGL 2: uniform blocks, fragment outputs and transform feedback varyings of programs (WebGL 2 §3.7.7, §3.7.16).

import { invalidOperation } from '../gl/errors.ts';
import * as ask from '../gl/program-queries.ts';
import * as programs from '../gl/programs.ts';
import { uniformBlockBinding } from '../gl/uniforms.ts';
import { glOf } from './context-base.ts';
import { makeActiveInfo, unwrap, type WebGLActiveInfo, type WebGLProgram } from './handles.ts';
import { Texture2Methods } from './methods2-textures.ts';
import { checkName, isReservedName } from './names.ts';

export abstract class Program2Methods extends Texture2Methods {
  getFragDataLocation(program: WebGLProgram, name: string): number {
    const gl = glOf(this);
    if (!checkName(gl, 'getFragDataLocation', name)) return -1;
    return ask.getFragDataLocation(gl, unwrap(program), name);
  }

  transformFeedbackVaryings(program: WebGLProgram, varyings: string[], bufferMode: number): void {
    const gl = glOf(this);
    if (varyings.every((name) => checkName(gl, 'transformFeedbackVaryings', name)))
      programs.transformFeedbackVaryings(gl, unwrap(program), varyings, bufferMode);
  }

  getTransformFeedbackVarying(program: WebGLProgram, index: number): WebGLActiveInfo | null {
    return makeActiveInfo(ask.getTransformFeedbackVarying(glOf(this), unwrap(program), index));
  }

  getUniformIndices(program: WebGLProgram, names: string[]): number[] | null {
    const gl = glOf(this);
    if (!names.every((name) => checkName(gl, 'getUniformIndices', name))) return null;
    return ask.getUniformIndices(gl, unwrap(program), names) ?? null;
  }

  getActiveUniforms(program: WebGLProgram, indices: number[], pname: number): unknown {
    return ask.getActiveUniforms(glOf(this), unwrap(program), indices, pname) ?? null;
  }

  getUniformBlockIndex(program: WebGLProgram, name: string): number {
    const gl = glOf(this);
    if (!checkName(gl, 'getUniformBlockIndex', name) || isReservedName(name)) return 0xffffffff;
    return ask.getUniformBlockIndex(gl, unwrap(program), name);
  }

  getActiveUniformBlockParameter(program: WebGLProgram, index: number, pname: number): unknown {
    const gl = glOf(this);
    const object = unwrap(program);
    if (!object.linkStatus)
      return invalidOperation(gl, 'getActiveUniformBlockParameter', 'the program is not linked') ?? null;
    const value = ask.getActiveUniformBlockParameter(gl, object, index, pname);
    if (value === undefined) return null;
    return typeof value === 'object' ? Uint32Array.from(value) : value;
  }

  getActiveUniformBlockName(program: WebGLProgram, index: number): string | null {
    const gl = glOf(this);
    const object = unwrap(program);
    if (!object.linkStatus)
      return invalidOperation(gl, 'getActiveUniformBlockName', 'the program is not linked') ?? null;
    return ask.getActiveUniformBlockName(gl, object, index) ?? null;
  }

  uniformBlockBinding(program: WebGLProgram, index: number, binding: number): void {
    uniformBlockBinding(glOf(this), unwrap(program), index, binding);
  }
}
