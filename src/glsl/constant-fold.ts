// Folds operators, constructors, indexing and swizzles of constant expressions.
// The arithmetic is that of the IR's opcodes, so a folded expression has the bits that the compiled one would have.

import { OPCODES, type Opcode } from '../ir/opcodes.table.ts';
import type { ArithmeticOperator, BinaryOperator, ConstantValue } from './ast.ts';
import { componentCount, indexedType, type NumericType, type ScalarKind, type Type } from './types.ts';

type NumericKind = 'float' | 'int' | 'uint';

/** Brings an opcode's result into the number form of its kind. */
export function normalizeScalar(base: ScalarKind, value: number): number {
  if (base === 'int') return value | 0;
  if (base === 'uint') return value >>> 0;
  return value;
}

/** Folds one component-wise opcode on scalars. */
export function foldScalar(opcode: Opcode, a: number, b = 0, c = 0): number {
  const fold = OPCODES[opcode].fold;
  if (fold === null) throw new Error(`${opcode} cannot be folded`);
  return fold(a, b, c);
}

const ARITHMETIC: Record<ArithmeticOperator, Record<NumericKind, Opcode | undefined>> = {
  '+': { float: 'fadd', int: 'iadd', uint: 'iadd' },
  '-': { float: 'fsub', int: 'isub', uint: 'isub' },
  '*': { float: 'fmul', int: 'imul', uint: 'imul' },
  '/': { float: 'fdiv', int: 'idiv', uint: 'udiv' },
  '%': { float: undefined, int: 'irem', uint: 'umod' },
  '<<': { float: undefined, int: 'ishl', uint: 'ishl' },
  '>>': { float: undefined, int: 'ishr', uint: 'ushr' },
  '&': { float: undefined, int: 'iand', uint: 'iand' },
  '|': { float: undefined, int: 'ior', uint: 'ior' },
  '^': { float: undefined, int: 'ixor', uint: 'ixor' },
};

export function foldUnary(operator: '-' | '!' | '~', type: NumericType, value: ConstantValue): ConstantValue {
  if (operator === '!') return value.map((component) => component ^ 1);
  if (operator === '~') return value.map((component) => normalizeScalar(type.base, ~component));
  const opcode = type.base === 'float' ? 'fneg' : 'ineg';
  return value.map((component) => normalizeScalar(type.base, foldScalar(opcode, component)));
}

/** Component by component; a scalar serves all components of the other operand. */
function foldArithmetic(
  operator: ArithmeticOperator,
  base: NumericKind,
  left: ConstantValue,
  right: ConstantValue,
): ConstantValue {
  const opcode = ARITHMETIC[operator][base];
  if (opcode === undefined) throw new Error(`${operator} is not defined for ${base}`);
  const count = Math.max(left.length, right.length);
  const result: number[] = [];
  for (let index = 0; index < count; index++) {
    const a = left.length === 1 ? left[0] : left[index];
    const b = right.length === 1 ? right[0] : right[index];
    result.push(normalizeScalar(base, foldScalar(opcode, a, b)));
  }
  return result;
}

export function foldDot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const result: number[] = [];
  OPCODES.fdot.foldVector?.([a, b], result);
  return result[0];
}

/** Columns of a matrix value. */
export function columnsOf(value: ConstantValue, rows: number): number[][] {
  const columns: number[][] = [];
  for (let start = 0; start < value.length; start += rows) columns.push(value.slice(start, start + rows));
  return columns;
}

function matrixTimesVector(columns: readonly number[][], vector: ArrayLike<number>): number[] {
  let sum: number[] | undefined;
  for (let index = 0; index < columns.length; index++) {
    const term = columns[index].map((component) => foldScalar('fmul', component, vector[index]));
    sum = sum === undefined ? term : sum.map((component, row) => foldScalar('fadd', component, term[row]));
  }
  return sum ?? [];
}

function foldMatrixProduct(
  leftType: NumericType,
  left: ConstantValue,
  rightType: NumericType,
  right: ConstantValue,
): ConstantValue {
  if (leftType.kind === 'vector') return columnsOf(right, rightType.rows).map((column) => foldDot(left, column));
  const columns = columnsOf(left, leftType.rows);
  if (rightType.kind === 'vector') return matrixTimesVector(columns, right);
  return columnsOf(right, rightType.rows).flatMap((column) => matrixTimesVector(columns, column));
}

/** Floats compare by value (NaN differs from itself, 0 equals −0), everything else by number. */
function areEqual(left: ConstantValue, right: ConstantValue): boolean {
  return left.every((component, index) => component === right[index]);
}

export function foldBinary(
  operator: BinaryOperator,
  leftType: Type,
  left: ConstantValue,
  rightType: Type,
  right: ConstantValue,
): ConstantValue {
  switch (operator) {
    case '==':
      return [areEqual(left, right) ? 1 : 0];
    case '!=':
      return [areEqual(left, right) ? 0 : 1];
    case '<':
      return [left[0] < right[0] ? 1 : 0];
    case '>':
      return [left[0] > right[0] ? 1 : 0];
    case '<=':
      return [left[0] <= right[0] ? 1 : 0];
    case '>=':
      return [left[0] >= right[0] ? 1 : 0];
    case '&&':
      return [left[0] & right[0]];
    case '||':
      return [left[0] | right[0]];
    case '^^':
      return [left[0] ^ right[0]];
    default: {
      const leftNumeric = leftType as NumericType;
      const rightNumeric = rightType as NumericType;
      const isProduct =
        operator === '*' &&
        leftType.kind !== 'scalar' &&
        rightType.kind !== 'scalar' &&
        (leftType.kind === 'matrix' || rightType.kind === 'matrix');
      if (isProduct) return foldMatrixProduct(leftNumeric, left, rightNumeric, right);
      return foldArithmetic(operator, leftNumeric.base as NumericKind, left, right);
    }
  }
}

/** `float(x)`, `int(x)`, … (GLSL ES 3.00 §5.4.1). */
function convertScalar(from: ScalarKind, to: ScalarKind, value: number): number {
  if (from === to) return value;
  switch (to) {
    case 'bool':
      return value !== 0 ? 1 : 0;
    case 'float':
      return Math.fround(value);
    case 'int':
      return from === 'float' ? foldScalar('f2i', value) | 0 : value | 0;
    default:
      return from === 'float' ? foldScalar('f2u', value) >>> 0 : value >>> 0;
  }
}

function diagonalMatrix(columns: number, rows: number, value: number): number[] {
  const result: number[] = [];
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) result.push(row === column ? value : 0);
  }
  return result;
}

function resizeMatrix(type: NumericType, fromType: NumericType, value: ConstantValue): number[] {
  const result: number[] = [];
  for (let column = 0; column < type.columns; column++) {
    for (let row = 0; row < type.rows; row++) {
      const isInside = column < fromType.columns && row < fromType.rows;
      if (isInside) result.push(value[column * fromType.rows + row]);
      else result.push(row === column ? 1 : 0);
    }
  }
  return result;
}

/** Value of `type(arguments)`; the arguments have been checked. */
export function foldConstructor(
  type: Type,
  argumentTypes: readonly Type[],
  values: readonly ConstantValue[],
): ConstantValue {
  if (type.kind === 'struct' || type.kind === 'array') {
    const result: number[] = [];
    for (const value of values) for (const component of value) result.push(component);
    return result;
  }
  const numeric = type as NumericType;
  const count = numeric.rows * numeric.columns;
  if (values.length === 1) {
    const fromType = argumentTypes[0] as NumericType;
    if (numeric.kind === 'matrix' && fromType.kind === 'matrix') return resizeMatrix(numeric, fromType, values[0]);
    if (fromType.kind === 'scalar') {
      const scalar = convertScalar(fromType.base, numeric.base, values[0][0]);
      if (numeric.kind === 'matrix') return diagonalMatrix(numeric.columns, numeric.rows, scalar);
      return new Array<number>(count).fill(scalar);
    }
  }
  const result: number[] = [];
  for (let index = 0; index < values.length; index++) {
    const { base } = argumentTypes[index] as NumericType;
    for (const component of values[index]) {
      if (result.length < count) result.push(convertScalar(base, numeric.base, component));
    }
  }
  return result;
}

/** `value[index]`; the index has been checked. */
export function foldIndex(type: Type, value: ConstantValue, index: number): ConstantValue {
  const size = componentCount(indexedType(type) ?? type);
  return value.slice(index * size, (index + 1) * size);
}

/** `value.member`. */
export function foldMember(type: Type, value: ConstantValue, memberIndex: number): ConstantValue {
  if (type.kind !== 'struct') throw new Error(`${type.name} has no members`);
  let start = 0;
  for (let index = 0; index < memberIndex; index++) start += componentCount(type.members[index].type);
  return value.slice(start, start + componentCount(type.members[memberIndex].type));
}
