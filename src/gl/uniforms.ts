// Uniform values of the current program: setters with GL's type rules, getters, sampler units, block bindings (ES 3.0.6 §2.12.6).

import { type GlTypeInfo, glTypeInfo } from '../glsl/gl-types.ts';
import type { ActiveUniform } from '../glsl/link-result.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import { invalidOperation, invalidValue } from './errors.ts';
import type { Executable } from './program-executable.ts';
import type { Program } from './program-object.ts';

export type UniformKind = 'float' | 'int' | 'uint';

/** Where a setter may write, after all checks. */
interface UniformPlace {
  executable: Executable;
  uniform: ActiveUniform;
  type: GlTypeInfo;
  /** DIRTY bits of the stages that read it. */
  dirty: number;
  element: number;
  /** Elements to write: what lies beyond an array's end is ignored. */
  count: number;
}

/** The place of the call at work: setters come by the ten thousand, and make no garbage. */
let currentPlace: UniformPlace | undefined;

/** Checks common to all setters; undefined: nothing to write (an error was recorded, or the location is −1). */
function uniformPlace(context: Context, call: string, location: number, count: number): UniformPlace | undefined {
  const executable = context.program?.executable ?? null;
  if (executable === null) return invalidOperation(context, call, 'no program is in use');
  if (count < 0) return invalidValue(context, call, `count ${count} is negative`);
  if (location === -1) return undefined;
  const linked = executable.linked;
  const entry = linked.uniformLocations[location];
  if (entry === undefined) return invalidOperation(context, call, `${location} is no uniform location of the program`);
  const uniform = linked.uniforms[entry.uniform]!;
  if (count > 1 && !uniform.isArray)
    return invalidOperation(context, call, `${uniform.name} is no array, count is ${count}`);
  const { type, dirty } = executable.uniforms[entry.uniform]!;
  const { element } = entry;
  const written = Math.min(count, uniform.size - element);
  if (currentPlace === undefined) return (currentPlace = { executable, uniform, type, dirty, element, count: written });
  currentPlace.executable = executable;
  currentPlace.uniform = uniform;
  currentPlace.type = type;
  currentPlace.dirty = dirty;
  currentPlace.element = element;
  currentPlace.count = written;
  return currentPlace;
}

function typeProblem(place: UniformPlace, kind: UniformKind, components: number): string | null {
  const { type, uniform } = place;
  if (type.baseType === 'sampler') {
    if (kind === 'int' && components === 1) return null;
    return `${uniform.name} is a sampler: only uniform1i sets it`;
  }
  if (type.columns > 1) return `${uniform.name} is a matrix`;
  if (type.rows !== components) return `${uniform.name} is a ${type.glsl}, the call sets ${components} components`;
  if (type.baseType !== 'bool' && type.baseType !== kind)
    return `${uniform.name} is a ${type.glsl}, the call sets ${kind} values`;
  return null;
}

/** Names by kind and components: made once, as they are asked for at every call. */
const CALLS: Readonly<Record<UniformKind, readonly string[]>> = {
  float: ['', 'uniform1f', 'uniform2f', 'uniform3f', 'uniform4f'],
  int: ['', 'uniform1i', 'uniform2i', 'uniform3i', 'uniform4i'],
  uint: ['', 'uniform1ui', 'uniform2ui', 'uniform3ui', 'uniform4ui'],
};
const MATRIX_CALLS: readonly (readonly string[])[] = [2, 3, 4].map((columns) =>
  [2, 3, 4].map((rows) => `uniformMatrix${columns}${columns === rows ? '' : `x${rows}`}fv`),
);

/**
 * uniform{1234}{f,i,ui}{v}: `count` elements of `components` values from `values[start]` on. As numbers they convert to the
 * uniform's type; booleans take any kind (ES 3.0.6 §2.12.6).
 */
export function setUniform(
  context: Context,
  location: number,
  kind: UniformKind,
  components: number,
  count: number,
  values: ArrayLike<number>,
  start = 0,
): void {
  const call = CALLS[kind][components]!;
  const place = uniformPlace(context, call, location, count);
  if (place === undefined) return;
  const problem = typeProblem(place, kind, components);
  if (problem !== null) return invalidOperation(context, call, problem);
  if (place.type.baseType === 'sampler') return setSamplerUnits(context, call, place, values, start);

  const { constants, constantFloats } = place.executable;
  const { slot, slotsPerElement } = place.uniform;
  const isBool = place.type.baseType === 'bool';
  let from = start;
  for (let i = 0; i < place.count; i++) {
    let word = (slot + (place.element + i) * slotsPerElement) * 4;
    for (let c = 0; c < components; c++, from++, word++) {
      if (isBool) constants[word] = values[from] ? 1 : 0;
      else if (kind === 'float') constantFloats[word] = values[from]!;
      else constants[word] = values[from]!;
    }
  }
  context.dirty |= place.dirty;
}

function setSamplerUnits(
  context: Context,
  call: string,
  place: UniformPlace,
  values: ArrayLike<number>,
  start: number,
): void {
  const limit = context.limits.maxCombinedTextureImageUnits;
  for (let i = 0; i < place.count; i++) {
    const unit = values[start + i]!;
    if (unit < 0 || unit >= limit)
      return invalidValue(context, call, `texture unit ${unit} is not below MAX_COMBINED_TEXTURE_IMAGE_UNITS`);
  }
  const first = place.uniform.samplerElement + place.element;
  for (let i = 0; i < place.count; i++) place.executable.samplerUnits[first + i] = values[start + i]!;
  place.executable.samplerConflict = undefined;
  context.dirty |= DIRTY.TEXTURES;
}

/** uniformMatrix{2,3,4,2x3…}fv: matrices of `columns` × `rows`, column after column, or row after row with `transpose`. */
export function setUniformMatrix(
  context: Context,
  location: number,
  columns: number,
  rows: number,
  count: number,
  transpose: boolean,
  values: ArrayLike<number>,
  start = 0,
): void {
  const call = MATRIX_CALLS[columns - 2]![rows - 2]!;
  const place = uniformPlace(context, call, location, count);
  if (transpose && context.version < 3) return invalidValue(context, call, 'transpose must be false in ES 2.0');
  if (place === undefined) return;
  const { type, uniform } = place;
  if (type.columns !== columns || type.rows !== rows || columns === 1)
    return invalidOperation(context, call, `${uniform.name} is a ${type.glsl}`);

  const floats = place.executable.constantFloats;
  context.dirty |= place.dirty;
  if (rows === 4 && !transpose) {
    // Columns of four fill their slots: elements stand as the caller has them.
    const at = (uniform.slot + place.element * uniform.slotsPerElement) * 4;
    const words = place.count * columns * 4;
    for (let i = 0; i < words; i++) floats[at + i] = values[start + i]!;
    return;
  }
  const columnStep = transpose ? 1 : rows;
  const rowStep = transpose ? columns : 1;
  for (let i = 0; i < place.count; i++) {
    const from = start + i * columns * rows;
    const slot = uniform.slot + (place.element + i) * uniform.slotsPerElement;
    for (let column = 0; column < columns; column++)
      for (let row = 0; row < rows; row++)
        floats[(slot + column) * 4 + row] = values[from + column * columnStep + row * rowStep]!;
  }
}

/** One uniform element's value: its type and its components as numbers, column after column. */
export interface UniformValue {
  readonly type: GlTypeInfo;
  readonly values: number[];
}

/** glGetUniform*: location names one element. */
export function getUniform(context: Context, program: Program, location: number): UniformValue | undefined {
  const call = 'getUniform';
  const { linked, executable } = program;
  if (linked === null || executable === null)
    return invalidOperation(context, call, 'the program is not linked successfully');
  const entry = linked.uniformLocations[location];
  if (entry === undefined) return invalidOperation(context, call, `${location} is no uniform location of the program`);
  const uniform = linked.uniforms[entry.uniform]!;
  const type = glTypeInfo(uniform.type);
  if (type.baseType === 'sampler')
    return { type, values: [executable.samplerUnits[uniform.samplerElement + entry.element]!] };
  const values: number[] = [];
  const slot = uniform.slot + entry.element * uniform.slotsPerElement;
  for (let column = 0; column < type.columns; column++)
    for (let row = 0; row < type.rows; row++) {
      const word = (slot + column) * 4 + row;
      if (type.baseType === 'float') values.push(executable.constantFloats[word]!);
      else if (type.baseType === 'int') values.push(executable.constants[word]! | 0);
      else values.push(executable.constants[word]!);
    }
  return { type, values };
}

export function uniformBlockBinding(context: Context, program: Program, blockIndex: number, binding: number): void {
  const call = 'uniformBlockBinding';
  const bindings = program.executable?.blockBindings;
  if (program.linked === null || bindings === undefined || blockIndex >= bindings.length)
    return invalidValue(context, call, `${blockIndex} is no active uniform block of the program`);
  if (binding >= context.limits.maxUniformBufferBindings)
    return invalidValue(context, call, `binding ${binding} is not below MAX_UNIFORM_BUFFER_BINDINGS`);
  bindings[blockIndex] = binding;
  context.dirty |= DIRTY.UNIFORM_BUFFERS;
}

/** Samplers of two types may not read one texture unit (ES 3.0.6 §2.12.7). Tells the conflict in words, or null. */
export function samplerConflict(executable: Executable): string | null {
  if (executable.samplerConflict === undefined) executable.samplerConflict = findSamplerConflict(executable);
  return executable.samplerConflict;
}

function findSamplerConflict(executable: Executable): string | null {
  const elements = executable.linked.samplerElements;
  const types = new Map<number, number>();
  for (let i = 0; i < elements.length; i++) {
    const unit = executable.samplerUnits[i]!;
    const type = elements[i]!.type;
    const other = types.get(unit);
    if (other !== undefined && other !== type)
      return `texture unit ${unit} is read as ${glTypeInfo(type).glsl} and as ${glTypeInfo(other).glsl}`;
    types.set(unit, type);
  }
  return null;
}
