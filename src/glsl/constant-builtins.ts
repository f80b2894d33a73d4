// Folds calls of built-in functions with constant arguments (GLSL ES 3.00 §4.3.3, §8): all but texture functions.
// Each function is the same sequence of rounded operations as in its lowering, so both give the same bits.

import { OPCODES, type Opcode } from '../ir/opcodes.table.ts';
import type { BuiltinFunction, ConstantValue } from './ast.ts';
import { columnsOf, foldDot, foldScalar, normalizeScalar } from './constant-fold.ts';
import type { NumericType, ScalarKind } from './types.ts';

type Vector = readonly number[];
type Fold = (values: readonly Vector[], builtin: BuiltinFunction) => Vector;

const round = Math.fround;
const add = (a: number, b: number) => round(a + b);
const sub = (a: number, b: number) => round(a - b);
const mul = (a: number, b: number) => round(a * b);
const div = (a: number, b: number) => round(a / b);
const sqrt = (a: number) => round(Math.sqrt(a));
const min = (a: number, b: number) => foldScalar('fmin', a, b);
const max = (a: number, b: number) => foldScalar('fmax', a, b);
const exp = (x: number) => foldScalar('fexp2', mul(x, round(Math.LOG2E)));
const log = (x: number) => mul(foldScalar('flog2', x), round(Math.LN2));

/** Component by component, scalar arguments serving every component. */
function each(fold: (a: number, b: number, c: number) => number): Fold {
  return (values) => {
    const [a, b, c] = values;
    let count = a.length;
    for (const value of values) if (value.length > count) count = value.length;
    const pick = (value: Vector | undefined, index: number) =>
      value === undefined ? 0 : value.length === 1 ? value[0] : value[index];
    const result: number[] = [];
    for (let index = 0; index < count; index++) result.push(fold(pick(a, index), pick(b, index), pick(c, index)));
    return result;
  };
}

function opcode(name: Opcode): Fold {
  return each((a, b, c) => foldScalar(name, a, b, c));
}

/** One opcode for each kind of component. */
function byBase(opcodes: Partial<Record<ScalarKind, Opcode>>): Fold {
  return (values, builtin) => {
    const { base } = builtin.parameterTypes[0] as NumericType;
    const name = opcodes[base];
    if (name === undefined) throw new Error(`${builtin.name} is not defined for ${base}`);
    return each((a, b) => normalizeScalar(base, foldScalar(name, a, b)))(values, builtin);
  };
}

/** A row of the opcode table that works on whole vectors. */
function whole(name: 'packSnorm2x16' | 'packUnorm2x16' | 'packHalf2x16'): Fold {
  return ([a]) => {
    const result: number[] = [];
    OPCODES[name].foldVector?.([a], result);
    return [result[0] >>> 0];
  };
}

function unpack(name: 'unpackSnorm2x16' | 'unpackUnorm2x16' | 'unpackHalf2x16'): Fold {
  return ([a]) => {
    const result: number[] = [];
    OPCODES[name].foldVector?.([a], result);
    return result.map(round);
  };
}

function compare(test: (a: number, b: number) => boolean): Fold {
  return each((a, b) => (test(a, b) ? 1 : 0));
}

const floats = new Float32Array(1);
const integers = new Int32Array(floats.buffer);

function floatBits(value: number): number {
  if (Number.isNaN(value)) return 0x7fc00000;
  floats[0] = value;
  return integers[0];
}

function bitsToFloat(bits: number): number {
  integers[0] = bits;
  return floats[0];
}

function tanh(x: number): number {
  const e = exp(mul(min(max(x, -10), 10), 2));
  return div(sub(e, 1), add(e, 1));
}

function asinh(x: number): number {
  return mul(foldScalar('fsign', x), log(add(Math.abs(x), sqrt(add(mul(x, x), 1)))));
}

function smoothstep(low: number, high: number, x: number): number {
  const t = foldScalar('fsat', div(sub(x, low), sub(high, low)));
  return mul(mul(t, t), sub(3, mul(t, 2)));
}

const mixFloats = (x: number, y: number, a: number) => add(mul(x, sub(1, a)), mul(y, a));

function length(x: Vector): number {
  return x.length === 1 ? Math.abs(x[0]) : sqrt(foldDot(x, x));
}

function dot(x: Vector, y: Vector): number {
  return x.length === 1 ? mul(x[0], y[0]) : foldDot(x, y);
}

function refract(incident: Vector, normal: Vector, eta: number): Vector {
  const cosine = dot(normal, incident);
  const k = sub(1, mul(mul(eta, eta), sub(1, mul(cosine, cosine))));
  if (k < 0) return incident.map(() => 0);
  const along = add(mul(eta, cosine), sqrt(k));
  return incident.map((component, index) => sub(mul(eta, component), mul(along, normal[index])));
}

/** The grid (a list of columns) without one column and one row. */
function minor(grid: readonly Vector[], column: number, row: number): Vector[] {
  return grid.filter((_, c) => c !== column).map((scalars) => scalars.filter((_, r) => r !== row));
}

function determinant(grid: readonly Vector[]): number {
  if (grid.length === 1) return grid[0][0];
  if (grid.length === 2) return sub(mul(grid[0][0], grid[1][1]), mul(grid[1][0], grid[0][1]));
  let sum = mul(grid[0][0], determinant(minor(grid, 0, 0)));
  for (let column = 1; column < grid.length; column++) {
    const term = mul(grid[column][0], determinant(minor(grid, column, 0)));
    sum = column % 2 === 0 ? add(sum, term) : sub(sum, term);
  }
  return sum;
}

function inverse(grid: readonly Vector[]): Vector {
  const cofactors = grid.map((scalars, column) =>
    scalars.map((_, row) => ((column + row) % 2 === 0 ? 1 : -1) * determinant(minor(grid, column, row))),
  );
  let total = mul(grid[0][0], cofactors[0][0]);
  for (let column = 1; column < grid.length; column++) {
    total = add(total, mul(grid[column][0], cofactors[column][0]));
  }
  const scale = div(1, total);
  return grid.flatMap((_, column) => grid.map((_, row) => mul(cofactors[row][column], scale)));
}

function matrixOf(value: Vector, builtin: BuiltinFunction): number[][] {
  return columnsOf(value, (builtin.parameterTypes[0] as NumericType).rows);
}

const FOLDS: Readonly<Record<string, Fold>> = {
  radians: each((x) => mul(x, round(Math.PI / 180))),
  degrees: each((x) => mul(x, round(180 / Math.PI))),
  sin: opcode('fsin'),
  cos: opcode('fcos'),
  tan: opcode('ftan'),
  asin: opcode('fasin'),
  acos: opcode('facos'),
  atan: (values, builtin) => opcode(values.length === 1 ? 'fatan' : 'fatan2')(values, builtin),
  sinh: each((x) => mul(sub(exp(x), exp(-x)), 0.5)),
  cosh: each((x) => mul(add(exp(x), exp(-x)), 0.5)),
  tanh: each(tanh),
  asinh: each(asinh),
  acosh: each((x) => log(add(x, sqrt(sub(mul(x, x), 1))))),
  atanh: each((x) => mul(log(div(add(1, x), sub(1, x))), 0.5)),
  pow: opcode('fpow'),
  exp: each(exp),
  log: each(log),
  exp2: opcode('fexp2'),
  log2: opcode('flog2'),
  sqrt: opcode('fsqrt'),
  inversesqrt: opcode('frsq'),
  abs: byBase({ float: 'fabs', int: 'iabs' }),
  sign: byBase({ float: 'fsign', int: 'isign' }),
  floor: opcode('ffloor'),
  trunc: opcode('ftrunc'),
  round: opcode('froundeven'),
  roundEven: opcode('froundeven'),
  ceil: opcode('fceil'),
  fract: opcode('ffract'),
  mod: each((x, y) => sub(x, mul(y, Math.floor(div(x, y))))),
  min: byBase({ float: 'fmin', int: 'imin', uint: 'umin' }),
  max: byBase({ float: 'fmax', int: 'imax', uint: 'umax' }),
  clamp: each((x, low, high) => min(max(x, low), high)),
  mix: (values, builtin) => {
    const isChoice = (builtin.parameterTypes[2] as NumericType).base === 'bool';
    return each(isChoice ? (x, y, a) => (a !== 0 ? y : x) : mixFloats)(values, builtin);
  },
  step: each((edge, x) => (x < edge ? 0 : 1)),
  smoothstep: each(smoothstep),
  isnan: each((x) => (Number.isNaN(x) ? 1 : 0)),
  isinf: each((x) => (Math.abs(x) === Number.POSITIVE_INFINITY ? 1 : 0)),
  floatBitsToInt: each(floatBits),
  floatBitsToUint: each((x) => floatBits(x) >>> 0),
  intBitsToFloat: each(bitsToFloat),
  uintBitsToFloat: each(bitsToFloat),
  packSnorm2x16: whole('packSnorm2x16'),
  packUnorm2x16: whole('packUnorm2x16'),
  packHalf2x16: whole('packHalf2x16'),
  unpackSnorm2x16: unpack('unpackSnorm2x16'),
  unpackUnorm2x16: unpack('unpackUnorm2x16'),
  unpackHalf2x16: unpack('unpackHalf2x16'),
  length: ([x]) => [length(x)],
  distance: ([x, y]) => [length(x.map((component, index) => sub(component, y[index])))],
  dot: ([x, y]) => [dot(x, y)],
  cross: ([x, y]) => [
    sub(mul(x[1], y[2]), mul(x[2], y[1])),
    sub(mul(x[2], y[0]), mul(x[0], y[2])),
    sub(mul(x[0], y[1]), mul(x[1], y[0])),
  ],
  normalize: ([x]) => {
    if (x.length === 1) return [foldScalar('fsign', x[0])];
    const scale = foldScalar('frsq', foldDot(x, x));
    return x.map((component) => mul(component, scale));
  },
  faceforward: ([normal, incident, reference]) =>
    dot(reference, incident) < 0 ? normal : normal.map((component) => -component),
  reflect: ([incident, normal]) => {
    const twice = mul(2, dot(normal, incident));
    return incident.map((component, index) => sub(component, mul(twice, normal[index])));
  },
  refract: ([incident, normal, eta]) => refract(incident, normal, eta[0]),
  matrixCompMult: each(mul),
  outerProduct: ([column, row]) => row.flatMap((factor) => column.map((component) => mul(component, factor))),
  transpose: ([value], builtin) => {
    const columns = matrixOf(value, builtin);
    return columns[0].flatMap((_, row) => columns.map((column) => column[row]));
  },
  determinant: ([value], builtin) => [determinant(matrixOf(value, builtin))],
  inverse: ([value], builtin) => inverse(matrixOf(value, builtin)),
  lessThan: compare((a, b) => a < b),
  lessThanEqual: compare((a, b) => a <= b),
  greaterThan: compare((a, b) => a > b),
  greaterThanEqual: compare((a, b) => a >= b),
  equal: compare((a, b) => a === b),
  notEqual: compare((a, b) => a !== b),
  any: ([x]) => [x.some((component) => component !== 0) ? 1 : 0],
  all: ([x]) => [x.every((component) => component !== 0) ? 1 : 0],
  not: each((x) => x ^ 1),
  // A constant does not change from pixel to pixel.
  dFdx: each(() => 0),
  dFdy: each(() => 0),
  fwidth: each(() => 0),
};

/** The call's value; undefined for functions that never are constant (texture functions, `modf`). */
export function foldBuiltin(builtin: BuiltinFunction, values: readonly ConstantValue[]): ConstantValue | undefined {
  if (builtin.texture !== undefined) return undefined;
  return FOLDS[builtin.name]?.(values, builtin);
}

/** Names that can be folded, for the test that compares with the table of built-ins. */
export const FOLDED_BUILTINS: readonly string[] = Object.keys(FOLDS);
