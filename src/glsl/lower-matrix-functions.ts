// Matrix functions by cofactors: transpose, outer product, determinant, inverse. A matrix is its list of columns.
// SPDX-License-Identifier: MIT
import { listOf } from '../base/list.ts';
import type { Builder } from '../ir/builder.ts';
import type { Value } from '../ir/ir.ts';
import { vectorFrom } from './lower-values.ts';

/** Scalars as grid[column][row]. */
type Grid = readonly (readonly Value[])[];

export function transpose(b: Builder, columns: readonly Value[]): Value[] {
  return listOf(columns[0].components, (row) =>
    vectorFrom(
      b,
      columns.map((column) => b.channel(column, row)),
    ),
  );
}

/** columnVector × rowVector: column i is the first vector times component i of the second. */
export function outerProduct(b: Builder, column: Value, row: Value): Value[] {
  return b.channels(row).map((factor) => b.fmul(column, b.splat(factor, column.components)));
}

export function determinant(b: Builder, columns: readonly Value[]): Value {
  const grid = columns.map((column) => b.channels(column));
  return gridDeterminant(b, grid);
}

function gridDeterminant(b: Builder, grid: Grid): Value {
  if (grid.length === 1) return grid[0][0];
  if (grid.length === 2) return b.fsub(b.fmul(grid[0][0], grid[1][1]), b.fmul(grid[1][0], grid[0][1]));
  // Along the first row.
  let sum: Value | undefined;
  for (let column = 0; column < grid.length; column++) {
    const term = b.fmul(grid[column][0], gridDeterminant(b, minor(grid, column, 0)));
    if (sum === undefined) sum = term;
    else sum = column % 2 === 0 ? b.fadd(sum, term) : b.fsub(sum, term);
  }
  return sum!;
}

/** The grid without one column and one row. */
function minor(grid: Grid, column: number, row: number): Grid {
  return grid.filter((_, c) => c !== column).map((scalars) => scalars.filter((_, r) => r !== row));
}

/** Adjugate over determinant; a singular matrix gives infinities or NaN, which GLSL leaves undefined. */
export function inverse(b: Builder, columns: readonly Value[]): Value[] {
  const size = columns.length;
  const grid = columns.map((column) => b.channels(column));
  // cofactors[c][r] belongs to column c, row r of the matrix; the adjugate is its transpose.
  const cofactors = grid.map((_, column) =>
    listOf(size, (row) => {
      const value = gridDeterminant(b, minor(grid, column, row));
      return (column + row) % 2 === 0 ? value : b.fneg(value);
    }),
  );
  let total: Value | undefined;
  for (let column = 0; column < size; column++) {
    const term = b.fmul(grid[column][0], cofactors[column][0]);
    total = total === undefined ? term : b.fadd(total, term);
  }
  const scale = b.frcp(total!);
  return listOf(size, (column) => {
    const adjugate = b.vec(...listOf(size, (row) => cofactors[row]![column]!));
    return b.fmul(adjugate, b.splat(scale, size));
  });
}
