// glGet*: one look-up in the tables, and the conversions between what is asked for and what is kept (ES 3.0.6 §6.1.1).

import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { capabilityValue } from './enable.ts';
import { invalidEnum, invalidOperation, invalidValue } from './errors.ts';
import { glesExtensionStrings } from './extensions.ts';
import {
  INDEXED_PARAMETERS,
  type IndexedParameterRow,
  PARAMETERS,
  type ParameterKind,
  type ParameterRow,
  type ParameterValue,
} from './getters.table.ts';
import type { GlObject } from './gl-object.ts';

/** A value with its kind, so that a face can convert it to what its API hands out. */
export interface Parameter {
  readonly kind: ParameterKind;
  readonly value: ParameterValue;
}

function isAvailable(context: Context, row: ParameterRow): boolean {
  if (row.api !== undefined && (row.api === 'webgl') !== context.rules.webgl) return false;
  if (row.since > context.version) return row.extension !== undefined && context.isEnabled(row.extension);
  // An extension on a row that is core from the start means: only with the extension.
  return row.since === 3 || row.extension === undefined || context.isEnabled(row.extension);
}

/** The value of a pname, or undefined after an error. */
export function getParameter(context: Context, pname: number): Parameter | undefined {
  const row = PARAMETERS.get(pname);
  if (row !== undefined && isAvailable(context, row)) {
    const value = row.get(context);
    if (value !== undefined) return { kind: row.kind, value };
    return invalidOperation(context, 'getParameter', 'the read framebuffer is not complete or has no read buffer');
  }
  const enabled = capabilityValue(context, pname);
  if (enabled !== undefined) return { kind: 'bool', value: enabled };
  return invalidEnum(context, 'getParameter', 'pname', pname);
}

export function getIndexedParameter(context: Context, pname: number, index: number): Parameter | undefined {
  const call = 'getIndexedParameter';
  const row: IndexedParameterRow | undefined = INDEXED_PARAMETERS.get(pname);
  if (row === undefined || context.version < 3 || (row.extension !== undefined && !context.isEnabled(row.extension)))
    return invalidEnum(context, call, 'pname', pname);
  const limit = row.limit(context);
  if (!(index >= 0 && index < limit)) return invalidValue(context, call, `index ${index} is not below ${limit}`);
  return { kind: row.kind, value: row.get(context, index) };
}

type Scalar = number | boolean | GlObject | null;

function scalars(value: ParameterValue): Scalar[] {
  return typeof value === 'object' && value !== null && 'length' in value
    ? Array.from<Scalar>(value)
    : [value as Scalar];
}

function plainNumber(value: Scalar): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value === null ? 0 : value.name;
}

export function asFloats(parameter: Parameter): number[] {
  return scalars(parameter.value).map(plainNumber);
}

/** Largest double below 2^63: what fits as a number in a 64-bit query. */
const INT64_MAX = 2 ** 63;

/** Integers of `bits` width: floats are rounded, normalized ones map [−1, 1] to the whole range (ES 3.0.6 §6.1.2). */
export function asIntegers(parameter: Parameter, bits: 32 | 64): number[] {
  const max = bits === 32 ? 0x7fffffff : INT64_MAX;
  return scalars(parameter.value).map((scalar) => {
    const value = plainNumber(scalar);
    if (Number.isNaN(value)) return 0;
    if (parameter.kind === 'normalized') {
      // ES 3.0.6 equation 2.4 backwards, with 32 bits also for 64-bit queries.
      const clamped = Math.min(Math.max(value, -1), 1);
      return Math.round(clamped * 0x7fffffff);
    }
    const rounded = parameter.kind === 'float' ? Math.round(value) : value;
    return rounded > max ? max : Math.max(rounded, -max - 1);
  });
}

export function asBooleans(parameter: Parameter): boolean[] {
  return scalars(parameter.value).map((scalar) => plainNumber(scalar) !== 0);
}

/** The strings of the GLES face; WebGL makes its own from the same parts. */
export function getString(context: Context, name: number): string | null {
  switch (name) {
    case GL.VENDOR:
      return VENDOR;
    case GL.RENDERER:
      return rendererString(context);
    case GL.VERSION:
      return `OpenGL ES ${context.version}.0 ${PRODUCT}`;
    case GL.SHADING_LANGUAGE_VERSION:
      return `OpenGL ES GLSL ES ${context.version >= 3 ? '3.00' : '1.00'}`;
    case GL.EXTENSIONS:
      return glesExtensionStrings(context.extensions).join(' ');
  }
  invalidEnum(context, 'getString', 'name', name);
  return null;
}

const VENDOR = 'Indium';
const PRODUCT = 'Indium';

export function rendererString(context: Context): string {
  return `Indium (${context.screen.renderer})`;
}

/** Only EXTENSIONS is a list. */
export function getStringIndexed(context: Context, name: number, index: number): string | null {
  if (name !== GL.EXTENSIONS || context.version < 3) {
    invalidEnum(context, 'getStringi', 'name', name);
    return null;
  }
  const text = glesExtensionStrings(context.extensions)[index];
  if (text !== undefined) return text;
  invalidValue(context, 'getStringi', `index ${index} is not below NUM_EXTENSIONS`);
  return null;
}
