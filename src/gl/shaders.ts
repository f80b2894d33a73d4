// Shader objects: source, compilation, queries (ES 3.0.6 §2.12.1).

import { compileCached } from './compile-cache.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { accepts, SHADER_TYPES, toPipe } from './enums.table.ts';
import { invalidEnum, invalidOperation } from './errors.ts';
import { shaderExtensions } from './extensions.ts';
import { shaderLimits } from './limits.ts';
import { ShaderObject } from './program-object.ts';

export function createShader(context: Context, type: number): ShaderObject | null {
  if (!accepts(context, SHADER_TYPES, type)) {
    invalidEnum(context, 'createShader', 'type', type);
    return null;
  }
  return context.track(new ShaderObject(type));
}

export function shaderSource(_context: Context, shader: ShaderObject, source: string): void {
  shader.source = source;
}

/** Never throws: whatever the text, the outcome is a status and a log. */
export function compileShader(context: Context, shader: ShaderObject): void {
  const result = compileCached(shader.source, {
    stage: toPipe(SHADER_TYPES, shader.type),
    profile: context.rules.webgl ? 'webgl' : 'gles',
    api: context.version,
    extensions: shaderExtensions(context.extensions),
    limits: shaderLimits(context.limits, context.version >= 3 || context.isEnabled('EXT_draw_buffers')),
  });
  shader.compiled = result;
  shader.infoLog = result.log;
}

export function deleteShader(context: Context, shader: ShaderObject): void {
  if (!shader.deleted) shader.delete(context);
}

/** Lengths count a terminating zero, and are 0 for no text (ES 3.0.6 §6.1.12). */
export function lengthWithZero(text: string): number {
  return text === '' ? 0 : text.length + 1;
}

export function getShaderParameter(
  context: Context,
  shader: ShaderObject,
  pname: number,
): number | boolean | undefined {
  switch (pname) {
    case GL.SHADER_TYPE:
      return shader.type;
    case GL.DELETE_STATUS:
      return shader.deleted;
    case GL.COMPILE_STATUS:
      return shader.compiled?.ok ?? false;
  }
  if (!context.rules.webgl) {
    if (pname === GL.INFO_LOG_LENGTH) return lengthWithZero(shader.infoLog);
    if (pname === GL.SHADER_SOURCE_LENGTH) return lengthWithZero(shader.source);
  }
  return invalidEnum(context, 'getShaderParameter', 'pname', pname);
}

export interface ShaderPrecisionFormat {
  readonly rangeMin: number;
  readonly rangeMax: number;
  readonly precision: number;
}

/** Every precision is computed in 32 bits where the backend can; the answer says what the backend's fragment stage keeps. */
export function getShaderPrecisionFormat(
  context: Context,
  shaderType: number,
  precisionType: number,
): ShaderPrecisionFormat | undefined {
  const call = 'getShaderPrecisionFormat';
  if (!SHADER_TYPES.has(shaderType)) return invalidEnum(context, call, 'shadertype', shaderType);
  const caps = context.screen.caps;
  switch (precisionType) {
    case GL.LOW_FLOAT:
    case GL.MEDIUM_FLOAT:
    case GL.HIGH_FLOAT:
      if (shaderType === GL.VERTEX_SHADER || caps.fragmentHighp) return { rangeMin: 127, rangeMax: 127, precision: 23 };
      if (precisionType === GL.HIGH_FLOAT) return { rangeMin: 0, rangeMax: 0, precision: 0 };
      return { rangeMin: 15, rangeMax: 15, precision: 10 };
    case GL.LOW_INT:
    case GL.MEDIUM_INT:
    case GL.HIGH_INT:
      if (caps.nativeIntegers) return { rangeMin: 31, rangeMax: 30, precision: 0 };
      // Integers live in floats: their mantissa bounds them.
      if (shaderType === GL.VERTEX_SHADER || caps.fragmentHighp) return { rangeMin: 24, rangeMax: 24, precision: 0 };
      if (precisionType === GL.HIGH_INT) return { rangeMin: 0, rangeMax: 0, precision: 0 };
      return { rangeMin: 10, rangeMax: 10, precision: 0 };
  }
  return invalidEnum(context, call, 'precisiontype', precisionType);
}

/** glReleaseShaderCompiler: a hint (ES 3.0.6 §2.12.2); the compiler keeps no state between shaders, so there is nothing to free. */
export function releaseShaderCompiler(_context: Context): void {}

/** No shader binary format exists, so every call is an error (ES 3.0.6 §2.12.2). */
export function shaderBinary(context: Context, binaryFormat: number): void {
  invalidEnum(context, 'shaderBinary', 'binaryFormat', binaryFormat);
}

/** No program binary format exists. */
export function programBinary(context: Context, binaryFormat: number): void {
  invalidEnum(context, 'programBinary', 'binaryFormat', binaryFormat);
}

export function getProgramBinary(context: Context): void {
  invalidOperation(context, 'getProgramBinary', 'there are no program binary formats');
}
