// The ALU opcodes: one row each, from which builder, validator, interpreter, folder, printer and parser are made.
//
// Columns:
//  out, in     operand types: float, int, uint (32 bits), bool (1 bit), bits (any width, equal among all `bits` columns)
//  shape       componentwise: all operands have the result's component count, `fold` sees one component at a time;
//              reduce: operands of n components give a scalar; fixed: component counts as in `sizes` ([out, ...in]);
//              gather: vec and swizzle, whose sizes depend on the instruction
//  properties  commutative: first two operands may be swapped; associative: may be regrouped exactly
//  fold        floats come as numbers that are exact in f32, ints as -2^31..2^31-1, uints as 0..2^32-1, bools as 0 / 1,
//              bits as uints; results may be any integer of the right residue. Whole-vector shapes get arrays.

import { floatToHalf, halfToFloat } from '../base/half.ts';
import * as scalar from './scalar-math.ts';

export type OperandType = 'float' | 'int' | 'uint' | 'bool' | 'bits';
export type OpcodeProperty = 'commutative' | 'associative';
type ScalarFold = (a: number, b: number, c: number) => number;
type VectorFold = (sources: readonly ArrayLike<number>[], result: number[]) => void;

export interface OpcodeRow {
  readonly out: OperandType;
  readonly in: readonly OperandType[];
  readonly shape: 'componentwise' | 'reduce' | 'fixed' | 'gather';
  readonly sizes: readonly number[] | null;
  readonly properties: readonly OpcodeProperty[];
  /** Of componentwise rows; null where only the quad (fddx, fddy) or the instruction (vec, swizzle) can tell. */
  readonly fold: ScalarFold | null;
  /** Of reduce and fixed rows. */
  readonly foldVector: VectorFold | null;
  readonly doc: string;
}

/** Row with its operand list kept as a tuple type, so that the builder's methods know their arity. */
interface RowOf<In extends readonly OperandType[]> extends OpcodeRow {
  readonly in: In;
}

const f = Math.fround;
const COMMUTATIVE = ['commutative'] as const;
const RING = ['commutative', 'associative'] as const;
const NONE = [] as const;

function each<const In extends readonly OperandType[]>(
  out: OperandType,
  operands: In,
  fold: ScalarFold | null,
  doc: string,
  properties: readonly OpcodeProperty[] = NONE,
): RowOf<In> {
  return { out, in: operands, shape: 'componentwise', sizes: null, properties, fold, foldVector: null, doc };
}

function reduce<const In extends readonly OperandType[]>(
  out: OperandType,
  operands: In,
  foldVector: VectorFold,
  doc: string,
  properties: readonly OpcodeProperty[] = NONE,
): RowOf<In> {
  return { out, in: operands, shape: 'reduce', sizes: null, properties, fold: null, foldVector, doc };
}

function fixed<const In extends readonly OperandType[]>(
  out: OperandType,
  operands: In,
  sizes: readonly number[],
  foldVector: VectorFold,
  doc: string,
): RowOf<In> {
  return { out, in: operands, shape: 'fixed', sizes, properties: NONE, fold: null, foldVector, doc };
}

function gather<const In extends readonly OperandType[]>(operands: In, doc: string): RowOf<In> {
  const properties = NONE;
  return { out: 'bits', in: operands, shape: 'gather', sizes: null, properties, fold: null, foldVector: null, doc };
}

const F1 = ['float'] as const;
const F2 = ['float', 'float'] as const;
const I1 = ['int'] as const;
const I2 = ['int', 'int'] as const;
const U1 = ['uint'] as const;
const U2 = ['uint', 'uint'] as const;
const B1 = ['bool'] as const;
const B2 = ['bool', 'bool'] as const;

function dot([a, b]: readonly ArrayLike<number>[], result: number[]): void {
  const product = (i: number) => f(a![i]! * b![i]!);
  if (a!.length === 1) result[0] = product(0);
  else if (a!.length < 4) {
    const sum = f(product(0) + product(1));
    result[0] = a!.length === 2 ? sum : f(sum + product(2));
  } else result[0] = f(f(product(0) + product(1)) + f(product(2) + product(3)));
}

/** round(clamp(x) * scale), NaN counts as 0, ties to even. */
function normalize(x: number, low: number, scale: number): number {
  const clamped = Number.isNaN(x) ? 0 : Math.min(Math.max(x, low), 1);
  return scalar.roundEven(f(clamped * scale));
}

export const OPCODES = {
  // Float arithmetic.
  fadd: each('float', F2, (a, b) => f(a + b), 'a + b', COMMUTATIVE),
  fsub: each('float', F2, (a, b) => f(a - b), 'a - b'),
  fmul: each('float', F2, (a, b) => f(a * b), 'a · b', COMMUTATIVE),
  fdiv: each('float', F2, (a, b) => f(a / b), 'a / b, correctly rounded'),
  fneg: each('float', F1, (a) => -a, 'sign bit flipped'),
  fabs: each('float', F1, (a) => Math.abs(a), 'sign bit cleared'),
  fsign: each('float', F1, (a) => (a > 0 ? 1 : 0) - (a < 0 ? 1 : 0), '-1, 0 or 1; +0 for ±0 and NaN'),
  ffloor: each('float', F1, (a) => Math.floor(a), 'round down'),
  fceil: each('float', F1, (a) => Math.ceil(a), 'round up'),
  ftrunc: each('float', F1, (a) => Math.trunc(a), 'round towards 0'),
  froundeven: each('float', F1, (a) => scalar.roundEven(a), 'round to nearest, ties to even'),
  ffract: each('float', F1, (a) => f(a - Math.floor(a)), 'a - floor(a); may round up to 1'),
  fmin: each('float', F2, (a, b) => scalar.min(a, b), 'b < a ? b : a (wasm pmin)'),
  fmax: each('float', F2, (a, b) => scalar.max(a, b), 'a < b ? b : a (wasm pmax)'),
  fsat: each('float', F1, (a) => scalar.min(scalar.max(0, a), 1), 'fmin(fmax(0, a), 1): NaN and -0 give +0'),
  fsqrt: each('float', F1, (a) => f(Math.sqrt(a)), 'square root, correctly rounded'),
  frsq: each('float', F1, (a) => f(1 / f(Math.sqrt(a))), '1 / sqrt(a), both steps rounded'),
  frcp: each('float', F1, (a) => f(1 / a), '1 / a, correctly rounded'),
  fcanonical: each('float', F1, (a) => a, 'a, or the one canonical NaN 0x7fc00000 (for floatBitsTo*)'),
  fdot: reduce('float', F2, dot, 'sum of products: p0+p1, (p0+p1)+p2, (p0+p1)+(p2+p3)', COMMUTATIVE),

  // Transcendentals: see polynomials.ts for errors; lower-transcendentals turns them into the rest of this table.
  fexp2: each('float', F1, (a) => scalar.exp2(a), '2^a'),
  flog2: each('float', F1, (a) => scalar.log2(a), 'log2 a; -Inf at ±0, NaN below'),
  fpow: each('float', F2, (a, b) => scalar.pow(a, b), 'a^b; NaN if a < 0; 1 if b = 0'),
  fsin: each('float', F1, (a) => scalar.sin(a), 'sine'),
  fcos: each('float', F1, (a) => scalar.cos(a), 'cosine'),
  ftan: each('float', F1, (a) => scalar.tan(a), 'tangent'),
  fasin: each('float', F1, (a) => scalar.asin(a), 'arc sine'),
  facos: each('float', F1, (a) => scalar.acos(a), 'arc cosine'),
  fatan: each('float', F1, (a) => scalar.atan(a), 'arc tangent'),
  fatan2: each('float', F2, (a, b) => scalar.atan2(a, b), 'arc tangent of a / b in the quadrant of (b, a)'),

  // Derivatives: right minus left and above minus below within the row or column of the lane's quad.
  fddx: each('float', F1, null, 'dFdx'),
  fddy: each('float', F1, null, 'dFdy'),

  // Float comparison. All but fneu are false if an operand is NaN.
  flt: each('bool', F2, (a, b) => +(a < b), 'a < b'),
  fge: each('bool', F2, (a, b) => +(a >= b), 'a >= b'),
  feq: each('bool', F2, (a, b) => +(a === b), 'a == b', COMMUTATIVE),
  fneu: each('bool', F2, (a, b) => +(a !== b), 'a != b; true for NaN', COMMUTATIVE),

  // Integers.
  iadd: each('int', I2, (a, b) => a + b, 'a + b', RING),
  isub: each('int', I2, (a, b) => a - b, 'a - b'),
  imul: each('int', I2, (a, b) => Math.imul(a, b), 'a · b, low 32 bits', RING),
  idiv: each('int', I2, (a, b) => (b === 0 ? -1 : Math.trunc(a / b)), 'quotient towards 0; -1 if b = 0'),
  udiv: each('uint', U2, (a, b) => (b === 0 ? -1 : Math.floor(a / b)), 'quotient; 2^32-1 if b = 0'),
  irem: each('int', I2, (a, b) => (b === 0 ? a : a % b), 'a - b·idiv(a, b): sign of a; a if b = 0'),
  umod: each('uint', U2, (a, b) => (b === 0 ? a : a % b), 'a - b·udiv(a, b); a if b = 0'),
  ineg: each('int', I1, (a) => -a, '-a'),
  iabs: each('int', I1, (a) => Math.abs(a), '|a|; -2^31 stays'),
  isign: each('int', I1, (a) => Math.sign(a), '-1, 0 or 1'),
  imin: each('int', I2, (a, b) => Math.min(a, b), 'signed minimum', RING),
  imax: each('int', I2, (a, b) => Math.max(a, b), 'signed maximum', RING),
  umin: each('uint', U2, (a, b) => Math.min(a, b), 'unsigned minimum', RING),
  umax: each('uint', U2, (a, b) => Math.max(a, b), 'unsigned maximum', RING),
  ishl: each('int', I2, (a, b) => a << (b & 31), 'a << (b mod 32)'),
  ishr: each('int', I2, (a, b) => a >> (b & 31), 'arithmetic a >> (b mod 32)'),
  ushr: each('uint', U2, (a, b) => a >>> (b & 31), 'logical a >> (b mod 32)'),
  iand: each('int', I2, (a, b) => a & b, 'bitwise and', RING),
  ior: each('int', I2, (a, b) => a | b, 'bitwise or', RING),
  ixor: each('int', I2, (a, b) => a ^ b, 'bitwise exclusive or', RING),
  inot: each('int', I1, (a) => ~a, 'bitwise complement'),
  ilt: each('bool', I2, (a, b) => +(a < b), 'signed a < b'),
  ige: each('bool', I2, (a, b) => +(a >= b), 'signed a >= b'),
  ult: each('bool', U2, (a, b) => +(a < b), 'unsigned a < b'),
  uge: each('bool', U2, (a, b) => +(a >= b), 'unsigned a >= b'),
  ieq: each('bool', I2, (a, b) => +(a === b), 'a == b', COMMUTATIVE),
  ine: each('bool', I2, (a, b) => +(a !== b), 'a != b', COMMUTATIVE),

  // Booleans.
  land: each('bool', B2, (a, b) => a & b, 'a && b', RING),
  lor: each('bool', B2, (a, b) => a | b, 'a || b', RING),
  lxor: each('bool', B2, (a, b) => a ^ b, 'a ^^ b', RING),
  lnot: each('bool', B1, (a) => a ^ 1, '!a'),
  ball: reduce('bool', B1, ([a], r) => void (r[0] = +[].every.call(a!, Boolean)), 'all components true'),
  bany: reduce('bool', B1, ([a], r) => void (r[0] = +[].some.call(a!, Boolean)), 'any component true'),

  // Moves.
  select: each('bits', ['bool', 'bits', 'bits'], (c, a, b) => (c ? a : b), 'c ? a : b, component by component'),
  mov: each('bits', ['bits'], (a) => a, 'a'),
  vec: gather(['bits', 'bits', 'bits', 'bits'], 'vector of its 1 to 4 scalar operands'),
  swizzle: gather(['bits'], 'component info[i] of the operand as component i'),

  // Conversions.
  f2i: each('int', F1, (a) => scalar.toInt(a), 'truncate, saturate; NaN gives 0'),
  f2u: each('uint', F1, (a) => scalar.toUint(a), 'truncate, saturate; NaN and negative give 0'),
  i2f: each('float', I1, (a) => f(a), 'nearest float, ties to even'),
  u2f: each('float', U1, (a) => f(a), 'nearest float, ties to even'),
  b2f: each('float', B1, (a) => a, '1.0 or 0.0'),
  b2i: each('int', B1, (a) => a, '1 or 0'),

  // Packing (GLSL ES 3.00 §8.4); first component in the low half. lower-pack turns them into arithmetic.
  packSnorm2x16: fixed(
    'uint',
    F1,
    [1, 2],
    ([a], r) => void (r[0] = (normalize(a![0]!, -1, 32767) & 0xffff) | (normalize(a![1]!, -1, 32767) << 16)),
    'round(clamp(a, -1, 1) · 32767)',
  ),
  packUnorm2x16: fixed(
    'uint',
    F1,
    [1, 2],
    ([a], r) => void (r[0] = normalize(a![0]!, 0, 65535) | (normalize(a![1]!, 0, 65535) << 16)),
    'round(clamp(a, 0, 1) · 65535)',
  ),
  packHalf2x16: fixed(
    'uint',
    F1,
    [1, 2],
    ([a], r) => void (r[0] = floatToHalf(a![0]!) | (floatToHalf(a![1]!) << 16)),
    'two halves, round to nearest even; NaN becomes 0x7e00',
  ),
  unpackSnorm2x16: fixed(
    'float',
    U1,
    [2, 1],
    ([a], r) => {
      r[0] = Math.max(f(f((a![0]! << 16) >> 16) * f(1 / 32767)), -1);
      r[1] = Math.max(f(f(a![0]! >> 16) * f(1 / 32767)), -1);
    },
    'clamp(half · fround(1/32767), -1, 1)',
  ),
  unpackUnorm2x16: fixed(
    'float',
    U1,
    [2, 1],
    ([a], r) => {
      r[0] = f((a![0]! & 0xffff) * f(1 / 65535));
      r[1] = f((a![0]! >>> 16) * f(1 / 65535));
    },
    'half · fround(1/65535)',
  ),
  unpackHalf2x16: fixed(
    'float',
    U1,
    [2, 1],
    ([a], r) => {
      r[0] = halfToFloat(a![0]! & 0xffff);
      r[1] = halfToFloat(a![0]! >>> 16);
    },
    'two halves',
  ),
};

export type Opcode = keyof typeof OPCODES;
