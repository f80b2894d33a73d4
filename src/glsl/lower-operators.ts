// The operators of GLSL on lowered values: arithmetic on scalars, vectors and matrices, comparison, logic.
// SPDX-License-Identifier: MIT
import type { Builder } from '../ir/builder.ts';
import type { Value } from '../ir/ir.ts';
import type { Opcode } from '../ir/opcodes.ts';
import type { ArithmeticOperator, BinaryOperator } from './ast.ts';
import { childrenOf, columnsOf, isVector, type Tree, vectorFrom, vectorOf } from './lower-values.ts';
import type { ScalarKind, Type } from './types.ts';

type NumericKind = 'float' | 'int' | 'uint';

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

const LESS: Record<NumericKind, Opcode> = { float: 'flt', int: 'ilt', uint: 'ult' };
const GREATER_OR_EQUAL: Record<NumericKind, Opcode> = { float: 'fge', int: 'ige', uint: 'uge' };

/** Base kind of a scalar, vector or matrix. */
export function baseOf(type: Type): ScalarKind {
  if (type.kind === 'scalar' || type.kind === 'vector' || type.kind === 'matrix') return type.base;
  throw new Error(`${type.name} has no base type`);
}

function numericBaseOf(type: Type): NumericKind {
  const base = baseOf(type);
  if (base === 'bool') throw new Error('bool has no arithmetic');
  return base;
}

/** Component-wise comparison; also what lessThan, equal and their like do. */
export function compareVectors(
  b: Builder,
  operator: '<' | '>' | '<=' | '>=' | '==' | '!=',
  base: ScalarKind,
  left: Value,
  right: Value,
): Value {
  if (base === 'bool') {
    const differ = b.lxor(left, right);
    return operator === '!=' ? differ : b.lnot(differ);
  }
  switch (operator) {
    case '<':
      return b.alu(LESS[base], left, right);
    case '>':
      return b.alu(LESS[base], right, left);
    case '<=':
      return b.alu(GREATER_OR_EQUAL[base], right, left);
    case '>=':
      return b.alu(GREATER_OR_EQUAL[base], left, right);
    case '==':
      return base === 'float' ? b.feq(left, right) : b.ieq(left, right);
    case '!=':
      return base === 'float' ? b.fneu(left, right) : b.ine(left, right);
  }
}

/** `left == right` for any type: one bool. */
function equalTrees(b: Builder, type: Type, left: Tree, right: Tree): Value {
  if (isVector(left)) {
    const same = compareVectors(b, '==', baseOf(type), left, vectorOf(right));
    return same.components === 1 ? same : b.ball(same);
  }
  const other = childrenOf(right);
  let result: Value | undefined;
  for (let i = 0; i < left.length; i++) {
    const childType = type.kind === 'struct' ? type.members[i].type : type.kind === 'array' ? type.element : type;
    const same = equalTrees(b, childType, left[i], other[i]);
    result = result === undefined ? same : b.land(result, same);
  }
  return result ?? b.constBool(true);
}

/** Every binary operator but && and ||, whose right side may not run. */
export function lowerBinary(
  b: Builder,
  operator: Exclude<BinaryOperator, '&&' | '||'>,
  leftType: Type,
  left: Tree,
  rightType: Type,
  right: Tree,
): Tree {
  switch (operator) {
    case '==':
      return equalTrees(b, leftType, left, right);
    case '!=':
      return b.lnot(equalTrees(b, leftType, left, right));
    case '<':
    case '>':
    case '<=':
    case '>=':
      return compareVectors(b, operator, baseOf(leftType), vectorOf(left), vectorOf(right));
    case '^^':
      return b.lxor(vectorOf(left), vectorOf(right));
    case '*':
      if (leftType.kind === 'matrix' || rightType.kind === 'matrix') {
        return multiplyMatrices(b, leftType, left, rightType, right);
      }
      return arithmetic(b, operator, numericBaseOf(leftType), left, right);
    default:
      return arithmetic(b, operator, numericBaseOf(leftType), left, right);
  }
}

/** Component by component, a scalar operand serving all components of the other one. */
function arithmetic(b: Builder, operator: ArithmeticOperator, base: NumericKind, left: Tree, right: Tree): Tree {
  if (!isVector(left)) {
    return left.map((column, i) => arithmetic(b, operator, base, column, isVector(right) ? right : right[i]));
  }
  if (!isVector(right)) return right.map((column) => arithmetic(b, operator, base, left, column));
  const components = Math.max(left.components, right.components);
  const opcode = ARITHMETIC[operator][base];
  if (opcode === undefined) throw new Error(`${operator} is not defined for ${base}`);
  return b.alu(opcode, splatTo(b, left, components), splatTo(b, right, components));
}

/** A scalar widened to `components`; a vector of that size as it is. */
export function splatTo(b: Builder, value: Value, components: number): Value {
  return value.components === components ? value : b.splat(value, components);
}

function multiplyMatrices(b: Builder, leftType: Type, left: Tree, rightType: Type, right: Tree): Tree {
  if (leftType.kind === 'scalar' || rightType.kind === 'scalar') return arithmetic(b, '*', 'float', left, right);
  if (rightType.kind === 'vector') return matrixTimesVector(b, columnsOf(left), vectorOf(right));
  if (leftType.kind === 'vector') {
    return vectorFrom(
      b,
      columnsOf(right).map((column) => b.fdot(vectorOf(left), column)),
    );
  }
  return columnsOf(right).map((column) => matrixTimesVector(b, columnsOf(left), column));
}

/** The sum of columns times components, from the first to the last. */
function matrixTimesVector(b: Builder, columns: readonly Value[], vector: Value): Value {
  const rows = columns[0].components;
  let sum: Value | undefined;
  for (let i = 0; i < columns.length; i++) {
    const term = b.fmul(columns[i], b.splat(b.channel(vector, i), rows));
    sum = sum === undefined ? term : b.fadd(sum, term);
  }
  return sum!;
}

export function lowerUnary(b: Builder, operator: '-' | '!' | '~', type: Type, operand: Tree): Tree {
  if (!isVector(operand)) return operand.map((column) => lowerUnary(b, operator, type, column));
  if (operator === '!') return b.lnot(operand);
  if (operator === '~') return b.inot(operand);
  return baseOf(type) === 'float' ? b.fneg(operand) : b.ineg(operand);
}

/** The value after ++ or --. */
export function lowerIncrement(b: Builder, operator: '++' | '--', type: Type, operand: Tree): Tree {
  const base = numericBaseOf(type);
  const one = base === 'float' ? b.constFloat(1) : b.constInt(1);
  return arithmetic(b, operator === '++' ? '+' : '-', base, operand, one);
}
