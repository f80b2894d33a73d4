// The values the lowering works with: trees of IR vectors shaped like their GLSL type, and the mapping of types.
// SPDX-License-Identifier: MIT
import { TooComplexError } from '../base/too-complex.ts';
import type { Builder } from '../ir/builder.ts';
import type { BaseType, IrType, Value } from '../ir/ir.ts';
import * as ir from '../ir/ir.ts';
import type { ConstantValue } from './ast.ts';
import { componentCount, type ScalarKind, type Type, vectorType } from './types.ts';

/**
 * A GLSL value: one IR value for a scalar or vector; else a list of children (matrix columns, array elements, struct
 * members). A sampler inside of a struct stands as an int that nobody reads.
 */
export type Tree = Value | readonly Tree[];

export function isVector(tree: Tree): tree is Value {
  return !Array.isArray(tree);
}

/** The IR value of a scalar or vector. */
export function vectorOf(tree: Tree): Value {
  if (!isVector(tree)) throw new Error('a scalar or vector is needed here');
  return tree;
}

/** Children of a matrix, array or struct value. */
export function childrenOf(tree: Tree): readonly Tree[] {
  if (isVector(tree)) throw new Error('a matrix, array or struct is needed here');
  return tree;
}

/** Columns of a matrix value. */
export function columnsOf(tree: Tree): readonly Value[] {
  return childrenOf(tree) as readonly Value[];
}

/** A variable with more components than this is refused: every lane of every thread would need them. */
const MAX_VARIABLE_COMPONENTS = 1 << 16;

const irTypes = new WeakMap<Type, IrType>();

/** IR type of a GLSL type; samplers become an unused int. */
export function irTypeOf(type: Type): IrType {
  let result = irTypes.get(type);
  if (result === undefined) {
    if (componentCount(type) > MAX_VARIABLE_COMPONENTS) {
      throw new TooComplexError(`a variable of type ${type.name} is too large`);
    }
    result = makeIrType(type);
    irTypes.set(type, result);
  }
  return result;
}

function makeIrType(type: Type): IrType {
  switch (type.kind) {
    case 'scalar':
    case 'vector':
      return ir.vectorType(type.base, type.rows);
    case 'matrix':
      return ir.matrixType(type.columns, type.rows);
    case 'array':
      return ir.arrayType(irTypeOf(type.element), type.size);
    case 'struct':
      return ir.structType(
        type.name,
        type.members.map(({ name, type: member }) => ({ name, type: irTypeOf(member) })),
      );
    case 'sampler':
      return ir.vectorType('int');
    default:
      throw new Error('void has no values');
  }
}

/** Number of children one step below a type; 0 for scalars and vectors. */
export function childCountOf(type: Type): number {
  if (type.kind === 'matrix') return type.columns;
  if (type.kind === 'array') return type.size;
  return type.kind === 'struct' ? type.members.length : 0;
}

/** Type of child `index`: matrix column, array element or struct member. */
export function childTypeOf(type: Type, index: number): Type {
  if (type.kind === 'matrix') return vectorType('float', type.rows);
  if (type.kind === 'array') return type.element;
  if (type.kind === 'struct') return type.members[index].type;
  throw new Error(`${type.name} has no children`);
}

/** Calls `visit` for every scalar, vector and matrix column of a type in order, with a name suffix such as `.a[1]`. */
export function forEachVector(type: Type, visit: (leaf: Type, suffix: string) => void, suffix = ''): void {
  const count = childCountOf(type);
  if (count === 0) {
    visit(type, suffix);
    return;
  }
  for (let index = 0; index < count; index++) {
    const step = type.kind === 'struct' ? `.${type.members[index].name}` : `[${index}]`;
    forEachVector(childTypeOf(type, index), visit, suffix + step);
  }
}

/** vec4 slots of constant buffer 0 that a uniform of the type takes: one per scalar, vector and matrix column. */
export function uniformSlotCount(type: Type): number {
  switch (type.kind) {
    case 'scalar':
    case 'vector':
      return 1;
    case 'matrix':
      return type.columns;
    case 'array':
      return type.size * uniformSlotCount(type.element);
    case 'struct':
      return type.members.reduce((sum, member) => sum + uniformSlotCount(member.type), 0);
    default:
      return 0;
  }
}

/** Number of samplers inside of a type. */
export function samplerCount(type: Type): number {
  if (type.kind === 'sampler') return 1;
  if (type.kind === 'array') return type.size * samplerCount(type.element);
  return type.kind === 'struct' ? type.members.reduce((sum, member) => sum + samplerCount(member.type), 0) : 0;
}

/** Builds a tree by asking for each vector leaf in order. */
export function buildTree(type: Type, leaf: (type: Type) => Value): Tree {
  const count = childCountOf(type);
  if (count === 0) return leaf(type);
  const children: Tree[] = [];
  for (let index = 0; index < count; index++) children.push(buildTree(childTypeOf(type, index), leaf));
  return children;
}

/** Emits a constant. */
export function constantTree(b: Builder, type: Type, constant: ConstantValue): Tree {
  let at = 0;
  return buildTree(type, (leaf) => {
    if (leaf.kind !== 'scalar' && leaf.kind !== 'vector') throw new Error(`a constant ${leaf.name}`);
    const numbers = constant.slice(at, (at += leaf.rows));
    return constantVector(b, leaf.base, numbers);
  });
}

function constantVector(b: Builder, base: ScalarKind, numbers: readonly number[]): Value {
  if (base === 'float') return b.constFloat(...numbers);
  if (base === 'bool') return b.constBool(...numbers.map((x) => x !== 0));
  return b.constInt(...numbers);
}

const floatWord = new Float32Array(1);
const floatBits = new Uint32Array(floatWord.buffer);

/** 32-bit pattern of a constant component as constant buffers hold it (bool: 0 or 1). */
export function constantWord(base: ScalarKind, value: number): number {
  if (base !== 'float') return value >>> 0;
  floatWord[0] = value;
  return Number.isNaN(value) ? 0x7fc00000 : floatBits[0];
}

/** Turns the words of a buffer into a value of the base type: bools are stored as integers. */
export function fromStoredWords(b: Builder, base: BaseType, words: Value): Value {
  return base === 'bool' ? b.ine(words, zeroOf(b, words.components)) : words;
}

function zeroOf(b: Builder, components: number): Value {
  return b.constInt(...new Array<number>(components).fill(0));
}

/** A vector of scalars; one scalar stays as it is. */
export function vectorFrom(b: Builder, scalars: readonly Value[]): Value {
  return scalars.length === 1 ? scalars[0] : b.vec(...scalars);
}

/** Components of a vector; the value itself when they are all of it in order. */
export function selectComponents(b: Builder, value: Value, components: readonly number[]): Value {
  if (components.length === value.components && components.every((c, i) => c === i)) return value;
  return b.swizzle(value, components);
}

/** Child `index` of a list chosen at run time; out of range gives the last. All choices have one shape. */
export function chooseTree(b: Builder, index: Value, choices: readonly Tree[]): Tree {
  let result = choices[choices.length - 1];
  for (let i = choices.length - 2; i >= 0; i--) result = selectTree(b, b.ieq(index, b.constInt(i)), choices[i], result);
  return result;
}

/** `condition ? a : b` for whole trees; the condition is a scalar. */
export function selectTree(b: Builder, condition: Value, whenTrue: Tree, whenFalse: Tree): Tree {
  if (isVector(whenTrue)) {
    return b.select(b.splat(condition, whenTrue.components), whenTrue, vectorOf(whenFalse));
  }
  const other = childrenOf(whenFalse);
  return whenTrue.map((child, i) => selectTree(b, condition, child, other[i]));
}
