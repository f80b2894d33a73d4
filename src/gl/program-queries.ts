// Answers about linked programs: parameters, attributes, uniforms, blocks, outputs, varyings (ES 3.0.6 §2.12.3 – §2.12.8, §6.1.12).

import { listOf } from '../base/list.ts';
import type { ActiveUniform, LinkedProgram } from '../glsl/link-result.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { invalidEnum, invalidOperation, invalidValue } from './errors.ts';
import type { Program } from './program-object.ts';
import { attachedShaders } from './programs.ts';
import { lengthWithZero } from './shaders.ts';

/** What getActiveAttrib, getActiveUniform and getTransformFeedbackVarying tell. */
export interface ActiveInfo {
  readonly name: string;
  readonly size: number;
  readonly type: number;
}

function longest(names: Iterable<{ readonly name: string }>): number {
  let length = 0;
  for (const { name } of names) length = Math.max(length, name.length + 1);
  return length;
}

type ProgramParameter = {
  readonly version: 2 | 3;
  /** WebGL has no lengths: it hands out strings. */
  readonly glesOnly?: boolean;
  readonly get: (program: Program) => number | boolean;
};

const PROGRAM_PARAMETERS: ReadonlyMap<number, ProgramParameter> = new Map<number, ProgramParameter>([
  [GL.DELETE_STATUS, { version: 2, get: (program) => program.deleted }],
  [GL.LINK_STATUS, { version: 2, get: (program) => program.linkStatus }],
  [GL.VALIDATE_STATUS, { version: 2, get: (program) => program.validateStatus }],
  [GL.ATTACHED_SHADERS, { version: 2, get: (program) => attachedShaders(program).length }],
  [GL.ACTIVE_ATTRIBUTES, { version: 2, get: (program) => program.linked?.attributes.length ?? 0 }],
  [GL.ACTIVE_UNIFORMS, { version: 2, get: (program) => program.linked?.uniforms.length ?? 0 }],
  [GL.ACTIVE_UNIFORM_BLOCKS, { version: 3, get: (program) => program.linked?.uniformBlocks.length ?? 0 }],
  [GL.TRANSFORM_FEEDBACK_BUFFER_MODE, { version: 3, get: (program) => program.feedbackMode }],
  [GL.TRANSFORM_FEEDBACK_VARYINGS, { version: 3, get: (program) => program.linked?.feedback?.varyings.length ?? 0 }],
  [GL.INFO_LOG_LENGTH, { version: 2, glesOnly: true, get: (program) => lengthWithZero(program.infoLog) }],
  [
    GL.ACTIVE_ATTRIBUTE_MAX_LENGTH,
    { version: 2, glesOnly: true, get: (program) => longest(program.linked?.attributes ?? []) },
  ],
  [
    GL.ACTIVE_UNIFORM_MAX_LENGTH,
    { version: 2, glesOnly: true, get: (program) => longest(program.linked?.uniforms ?? []) },
  ],
  [
    GL.ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH,
    { version: 3, glesOnly: true, get: (program) => longest(program.linked?.uniformBlocks ?? []) },
  ],
  [
    GL.TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH,
    { version: 3, glesOnly: true, get: (program) => longest(program.linked?.feedback?.varyings ?? []) },
  ],
  [GL.PROGRAM_BINARY_RETRIEVABLE_HINT, { version: 3, glesOnly: true, get: (program) => program.binaryRetrievable }],
  [GL.PROGRAM_BINARY_LENGTH, { version: 3, glesOnly: true, get: () => 0 }],
]);

export function getProgramParameter(context: Context, program: Program, pname: number): number | boolean | undefined {
  const row = PROGRAM_PARAMETERS.get(pname);
  if (row === undefined || row.version > context.version || (row.glesOnly && context.rules.webgl))
    return invalidEnum(context, 'getProgramParameter', 'pname', pname);
  return row.get(program);
}

export function programParameteri(context: Context, program: Program, pname: number, value: number): void {
  if (pname !== GL.PROGRAM_BINARY_RETRIEVABLE_HINT) return invalidEnum(context, 'programParameteri', 'pname', pname);
  if (value !== 0 && value !== 1) return invalidValue(context, 'programParameteri', `value ${value} is no boolean`);
  program.binaryRetrievable = value === 1;
}

/** The linked program, or undefined after INVALID_OPERATION. */
function linkedOrError(context: Context, call: string, program: Program): LinkedProgram | undefined {
  if (program.linked !== null) return program.linked;
  return invalidOperation(context, call, 'the program is not linked successfully');
}

function itemAt<T>(context: Context, call: string, items: readonly T[], index: number): T | undefined {
  const item = items[index];
  if (item !== undefined) return item;
  return invalidValue(context, call, `index ${index} is not below ${items.length}`);
}

export function getActiveAttrib(context: Context, program: Program, index: number): ActiveInfo | undefined {
  return itemAt(context, 'getActiveAttrib', program.linked?.attributes ?? [], index);
}

export function getActiveUniform(context: Context, program: Program, index: number): ActiveInfo | undefined {
  return itemAt(context, 'getActiveUniform', program.linked?.uniforms ?? [], index);
}

export function getAttribLocation(context: Context, program: Program, name: string): number {
  const linked = linkedOrError(context, 'getAttribLocation', program);
  if (linked === undefined || name.startsWith('gl_')) return -1;
  return linked.attributes.find((attribute) => attribute.name === name)?.location ?? -1;
}

export function getFragDataLocation(context: Context, program: Program, name: string): number {
  const linked = linkedOrError(context, 'getFragDataLocation', program);
  if (linked === undefined || name.startsWith('gl_')) return -1;
  for (const output of linked.fragmentOutputs) {
    if (output.name === name) return output.location;
    const base = output.name.endsWith('[0]') ? output.name.slice(0, -3) : output.name;
    const subscript = splitSubscript(name);
    if (base === name) return output.location;
    if (subscript !== null && subscript.base === base && subscript.index < output.size && output.size > 1)
      return output.location + subscript.index;
  }
  return -1;
}

/** `a[3]` → base `a`, index 3; null when the name does not end in a subscript in its only spelling. */
function splitSubscript(name: string): { base: string; index: number } | null {
  const match = /^(.*)\[(0|[1-9][0-9]{0,8})\]$/s.exec(name);
  return match === null ? null : { base: match[1]!, index: Number(match[2]) };
}

/** Finds a uniform by any name that GL accepts for it: `a`, `a[0]`, and with `anyElement` `a[i]`. */
function findUniform(
  linked: LinkedProgram,
  name: string,
  anyElement: boolean,
): { uniform: ActiveUniform; index: number; element: number } | null {
  const names = uniformNames(linked);
  const index = names.get(name) ?? names.get(`${name}[0]`);
  if (index !== undefined) return { uniform: linked.uniforms[index]!, index, element: 0 };
  if (!anyElement) return null;
  const subscript = splitSubscript(name);
  if (subscript === null) return null;
  const arrayIndex = names.get(`${subscript.base}[0]`);
  if (arrayIndex === undefined) return null;
  const uniform = linked.uniforms[arrayIndex]!;
  return subscript.index < uniform.size ? { uniform, index: arrayIndex, element: subscript.index } : null;
}

const nameMaps = new WeakMap<LinkedProgram, Map<string, number>>();

function uniformNames(linked: LinkedProgram): Map<string, number> {
  let names = nameMaps.get(linked);
  if (names === undefined) {
    names = new Map(linked.uniforms.map((uniform, index) => [uniform.name, index]));
    nameMaps.set(linked, names);
  }
  return names;
}

export function getUniformLocation(context: Context, program: Program, name: string): number {
  const linked = linkedOrError(context, 'getUniformLocation', program);
  if (linked === undefined) return -1;
  const found = findUniform(linked, name, true);
  return found === null || found.uniform.location < 0 ? -1 : found.uniform.location + found.element;
}

/** INVALID_INDEX stands for names that are no active uniform. */
export function getUniformIndices(context: Context, program: Program, names: readonly string[]): number[] | undefined {
  const linked = program.linked;
  if (linked === null) {
    if (context.rules.webgl) return linkedOrError(context, 'getUniformIndices', program) as undefined;
    return names.map(() => GL.INVALID_INDEX);
  }
  return names.map((name) => findUniform(linked, name, false)?.index ?? GL.INVALID_INDEX);
}

type UniformParameter = { readonly glesOnly?: boolean; readonly get: (uniform: ActiveUniform) => number | boolean };

const UNIFORM_PARAMETERS: ReadonlyMap<number, UniformParameter> = new Map<number, UniformParameter>([
  [GL.UNIFORM_TYPE, { get: (uniform) => uniform.type }],
  [GL.UNIFORM_SIZE, { get: (uniform) => uniform.size }],
  [GL.UNIFORM_NAME_LENGTH, { glesOnly: true, get: (uniform) => uniform.name.length + 1 }],
  [GL.UNIFORM_BLOCK_INDEX, { get: (uniform) => uniform.blockIndex }],
  [GL.UNIFORM_OFFSET, { get: (uniform) => uniform.offset }],
  [GL.UNIFORM_ARRAY_STRIDE, { get: (uniform) => uniform.arrayStride }],
  [GL.UNIFORM_MATRIX_STRIDE, { get: (uniform) => uniform.matrixStride }],
  [GL.UNIFORM_IS_ROW_MAJOR, { get: (uniform) => uniform.isRowMajor }],
]);

/** One value an index; undefined after an error, when nothing may be written. */
export function getActiveUniforms(
  context: Context,
  program: Program,
  indices: ArrayLike<number>,
  pname: number,
): (number | boolean)[] | undefined {
  const call = 'getActiveUniforms';
  const uniforms = program.linked?.uniforms ?? [];
  for (let i = 0; i < indices.length; i++)
    if (itemAt(context, call, uniforms, indices[i]!) === undefined) return undefined;
  const row = UNIFORM_PARAMETERS.get(pname);
  if (row === undefined || (row.glesOnly && context.rules.webgl)) return invalidEnum(context, call, 'pname', pname);
  return listOf(indices.length, (i) => row.get(uniforms[indices[i]!]!));
}

export function getUniformBlockIndex(context: Context, program: Program, name: string): number {
  const linked = program.linked;
  if (linked === null) {
    if (context.rules.webgl) linkedOrError(context, 'getUniformBlockIndex', program);
    return GL.INVALID_INDEX;
  }
  const blocks = linked.uniformBlocks;
  let index = blocks.findIndex((block) => block.name === name);
  if (index < 0) index = blocks.findIndex((block) => block.name === `${name}[0]`);
  return index < 0 ? GL.INVALID_INDEX : index;
}

export function getActiveUniformBlockName(context: Context, program: Program, index: number): string | undefined {
  return itemAt(context, 'getActiveUniformBlockName', program.linked?.uniformBlocks ?? [], index)?.name;
}

export function getActiveUniformBlockParameter(
  context: Context,
  program: Program,
  index: number,
  pname: number,
): number | boolean | readonly number[] | undefined {
  const call = 'getActiveUniformBlockParameter';
  const block = itemAt(context, call, program.linked?.uniformBlocks ?? [], index);
  if (block === undefined) return undefined;
  switch (pname) {
    case GL.UNIFORM_BLOCK_BINDING:
      return program.executable!.blockBindings[index]!;
    case GL.UNIFORM_BLOCK_DATA_SIZE:
      return block.dataSize;
    case GL.UNIFORM_BLOCK_ACTIVE_UNIFORMS:
      return block.members.length;
    case GL.UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES:
      return block.members;
    case GL.UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER:
      return block.usedInVertex;
    case GL.UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER:
      return block.usedInFragment;
    case GL.UNIFORM_BLOCK_NAME_LENGTH:
      if (!context.rules.webgl) return block.name.length + 1;
  }
  return invalidEnum(context, call, 'pname', pname);
}

export function getTransformFeedbackVarying(context: Context, program: Program, index: number): ActiveInfo | undefined {
  const call = 'getTransformFeedbackVarying';
  const linked = linkedOrError(context, call, program);
  return linked && itemAt(context, call, linked.feedback?.varyings ?? [], index);
}
