// Constructors and conversions: GLSL ES 3.00.6 §5.4.
// SPDX-License-Identifier: MIT
import type { Builder } from '../ir/builder.ts';
import type { Value } from '../ir/ir.ts';
import { baseOf, splatTo } from './lower-operators.ts';
import { columnsOf, isVector, selectComponents, type Tree, vectorFrom, vectorOf } from './lower-values.ts';
import type { MatrixType, ScalarKind, Type } from './types.ts';

type Conversion = (b: Builder, value: Value) => Value;

const same: Conversion = (_, value) => value;
const isNotZero: Conversion = (b, value) => b.ine(value, splatTo(b, b.constInt(0), value.components));

/** CONVERSIONS[from][to]. int ↔ uint keep their bits. */
const CONVERSIONS: Record<ScalarKind, Record<ScalarKind, Conversion>> = {
  float: {
    float: same,
    int: (b, value) => b.f2i(value),
    uint: (b, value) => b.f2u(value),
    bool: (b, value) => b.fneu(value, splatTo(b, b.constFloat(0), value.components)),
  },
  int: { float: (b, value) => b.i2f(value), int: same, uint: same, bool: isNotZero },
  uint: { float: (b, value) => b.u2f(value), int: same, uint: same, bool: isNotZero },
  bool: {
    float: (b, value) => b.b2f(value),
    int: (b, value) => b.b2i(value),
    uint: (b, value) => b.b2i(value),
    bool: same,
  },
};

function convertVector(b: Builder, value: Value, from: ScalarKind, to: ScalarKind): Value {
  return CONVERSIONS[from][to](b, value);
}

/** Value of `type(arguments)`. */
export function lowerConstructor(b: Builder, type: Type, args: readonly Tree[], argTypes: readonly Type[]): Tree {
  if (type.kind === 'struct' || type.kind === 'array') return args;
  if (type.kind === 'scalar' || type.kind === 'vector') {
    return constructVector(b, type.base, type.rows, args, argTypes);
  }
  if (type.kind !== 'matrix') throw new Error(`${type.name} has no constructor`);
  if (args.length === 1 && argTypes[0].kind === 'matrix') return resizeMatrix(b, type, columnsOf(args[0]));
  if (args.length === 1 && argTypes[0].kind === 'scalar') {
    return diagonalMatrix(b, type, convertVector(b, vectorOf(args[0]), argTypes[0].base, 'float'));
  }
  const scalars = gatherScalars(b, 'float', type.columns * type.rows, args, argTypes);
  const columns: Value[] = [];
  for (let i = 0; i < type.columns; i++) {
    columns.push(vectorFrom(b, scalars.slice(i * type.rows, (i + 1) * type.rows)));
  }
  return columns;
}

function constructVector(
  b: Builder,
  base: ScalarKind,
  rows: number,
  args: readonly Tree[],
  argTypes: readonly Type[],
): Value {
  const first = args[0];
  if (args.length === 1 && isVector(first)) {
    if (first.components === 1) return splatTo(b, convertVector(b, first, baseOf(argTypes[0]), base), rows);
    if (first.components >= rows) {
      const wanted = selectComponents(b, first, [0, 1, 2, 3].slice(0, rows));
      return convertVector(b, wanted, baseOf(argTypes[0]), base);
    }
  }
  return vectorFrom(b, gatherScalars(b, base, rows, args, argTypes));
}

/** The first `count` components of all arguments in order, converted; a matrix counts column by column. */
function gatherScalars(
  b: Builder,
  base: ScalarKind,
  count: number,
  args: readonly Tree[],
  argTypes: readonly Type[],
): Value[] {
  const result: Value[] = [];
  for (let i = 0; i < args.length && result.length < count; i++) {
    const arg = args[i];
    for (const vector of isVector(arg) ? [arg] : columnsOf(arg)) {
      if (result.length >= count) break;
      const converted = convertVector(b, vector, baseOf(argTypes[i]), base);
      const wanted = Math.min(converted.components, count - result.length);
      for (let c = 0; c < wanted; c++) result.push(b.channel(converted, c));
    }
  }
  return result;
}

function diagonalMatrix(b: Builder, type: MatrixType, scalar: Value): Value[] {
  const zero = b.constFloat(0);
  const columns: Value[] = [];
  for (let column = 0; column < type.columns; column++) {
    const scalars: Value[] = [];
    for (let row = 0; row < type.rows; row++) scalars.push(row === column ? scalar : zero);
    columns.push(b.vec(...scalars));
  }
  return columns;
}

/** The upper left part of another matrix, the rest from the identity. */
function resizeMatrix(b: Builder, type: MatrixType, from: readonly Value[]): Value[] {
  const fromRows = from[0].components;
  const columns: Value[] = [];
  for (let column = 0; column < type.columns; column++) {
    if (column < from.length && fromRows >= type.rows) {
      columns.push(selectComponents(b, from[column], [0, 1, 2, 3].slice(0, type.rows)));
      continue;
    }
    const scalars: Value[] = [];
    for (let row = 0; row < type.rows; row++) {
      const isInside = column < from.length && row < fromRows;
      scalars.push(isInside ? b.channel(from[column], row) : b.constFloat(row === column ? 1 : 0));
    }
    columns.push(b.vec(...scalars));
  }
  return columns;
}
