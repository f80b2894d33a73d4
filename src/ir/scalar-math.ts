// The opcodes' mathematics on JavaScript numbers with f32 rounding, for the folder and the interpreter.
import { type Arith, createTranscendentals } from './polynomials.ts';

/** Round to the nearest integer, ties to even. Exact for every float. */
export function roundEven(x: number): number {
  if (!(Math.abs(x) < 8388608)) return x;
  const floor = Math.floor(x);
  const rest = x - floor;
  const rounded = rest < 0.5 || (rest === 0.5 && floor % 2 === 0) ? floor : floor + 1;
  return rounded === 0 && (x < 0 || Object.is(x, -0)) ? -0 : rounded;
}

/** b < a ? b : a. Not Math.min: a NaN on the right is dropped, one on the left kept, and zeros are equal. */
export function min(a: number, b: number): number {
  if (b < a) return b;
  return a;
}

/** a < b ? b : a, with the like caveat. */
export function max(a: number, b: number): number {
  if (a < b) return b;
  return a;
}

/** Truncate to a signed integer, saturating; NaN gives 0 (wasm trunc_sat). */
export function toInt(x: number): number {
  if (x >= 2147483647) return 2147483647;
  if (x <= -2147483648) return -2147483648;
  return x | 0;
}

/** Truncate to an unsigned integer, saturating; NaN gives 0. */
export function toUint(x: number): number {
  if (x >= 4294967295) return 4294967295;
  return x > 0 ? Math.trunc(x) : 0;
}

const floats = new Float32Array(1);
const ints = new Int32Array(floats.buffer);
const round = Math.fround;

/** Floats are f32-exact numbers, integers -2^31..2^31-1, booleans 0 and 1. */
const NUMBER_ARITH: Arith<number> = {
  float: round,
  int: (value) => value | 0,
  add: (a, b) => round(a + b),
  sub: (a, b) => round(a - b),
  mul: (a, b) => round(a * b),
  div: (a, b) => round(a / b),
  abs: Math.abs,
  min,
  max,
  sqrt: (a) => round(Math.sqrt(a)),
  less: (a, b) => (a < b ? 1 : 0),
  equal: (a, b) => (a === b ? 1 : 0),
  select: (c, a, b) => (c ? a : b),
  asInt(a) {
    floats[0] = a;
    return ints[0]!;
  },
  asFloat(a) {
    ints[0] = a;
    return floats[0]!;
  },
  toFloat: round,
  iadd: (a, b) => (a + b) | 0,
  isub: (a, b) => (a - b) | 0,
  iand: (a, b) => a & b,
  ior: (a, b) => a | b,
  ixor: (a, b) => a ^ b,
  ishl: (a, count) => a << count,
  ishr: (a, count) => a >> count,
};

export const { exp2, log2, pow, sin, cos, tan, asin, acos, atan, atan2 } = createTranscendentals(NUMBER_ARITH);
