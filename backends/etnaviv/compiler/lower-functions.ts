// Spells out what a GPU has no instruction for, in terms of what it has. Float only, so that it works without integers.

import type { Builder } from '../../../src/ir/builder.ts';
import type { AluInstruction, Value } from '../../../src/ir/ir.ts';
import type { Rule } from '../../../src/ir/passes/rewrite.ts';
import { ASIN, ATAN, SIN } from '../../../src/ir/polynomials.ts';
import type { CompilerTarget } from './target.ts';

type Lowering = (b: Builder, a: Value, c: Value) => Value;

const floats = (b: Builder, like: Value, value: number): Value =>
  b.constFloat(...new Array<number>(like.components).fill(value));

/** Sum of coefficients[i]·x^i, by Horner's rule: each step is one multiply-add. */
function polynomial(b: Builder, x: Value, coefficients: readonly number[]): Value {
  let sum = floats(b, x, coefficients[coefficients.length - 1]!);
  for (let i = coefficients.length - 2; i >= 0; i--) sum = b.fadd(b.fmul(sum, x), floats(b, x, coefficients[i]!));
  return sum;
}

/** t + t·t²·p(t²) */
function oddPolynomial(b: Builder, t: Value, square: Value, coefficients: readonly number[]): Value {
  return b.fadd(b.fmul(b.fmul(t, square), polynomial(b, square, coefficients)), t);
}

function isNegative(b: Builder, x: Value): Value {
  return b.flt(x, floats(b, x, 0));
}

function withSign(b: Builder, size: Value, sign: Value): Value {
  return b.select(isNegative(b, sign), b.fneg(size), size);
}

/** π in three parts, so that multiples of the first two are exact. */
const PI_PARTS = [3.140625, 0.000965118408203125, 2.5351816930196946e-6];

/** sin((n + shift)·π + r): (-1)^n · sin r. */
function sine(b: Builder, x: Value, isCosine: boolean): Value {
  const turns = b.fmul(x, floats(b, x, 1 / Math.PI));
  const n = isCosine ? b.ffloor(turns) : b.ffloor(b.fadd(turns, floats(b, x, 0.5)));
  const multiple = isCosine ? b.fadd(n, floats(b, x, 0.5)) : n;
  let rest = x;
  for (const part of PI_PARTS) rest = b.fsub(rest, b.fmul(multiple, floats(b, x, part)));
  const limited = b.fmin(b.fmax(rest, floats(b, x, -1.6)), floats(b, x, 1.6));
  const value = oddPolynomial(b, limited, b.fmul(limited, limited), SIN);
  // fract(n / 2) is 0 or 1/2.
  const odd = b.ffract(b.fmul(n, floats(b, x, 0.5)));
  const sign = b.fadd(b.fmul(odd, floats(b, x, -4)), floats(b, x, 1));
  return b.fmul(value, isCosine ? b.fneg(sign) : sign);
}

function atanOfFraction(b: Builder, t: Value): Value {
  return oddPolynomial(b, t, b.fmul(t, t), ATAN);
}

function atan(b: Builder, x: Value): Value {
  const size = b.fabs(x);
  const isLarge = b.flt(floats(b, x, 1), size);
  const angle = atanOfFraction(b, b.select(isLarge, b.frcp(size), size));
  return withSign(b, b.select(isLarge, b.fsub(floats(b, x, Math.PI / 2), angle), angle), x);
}

function atan2(b: Builder, y: Value, x: Value): Value {
  const [sizeX, sizeY] = [b.fabs(x), b.fabs(y)];
  const large = b.fmax(sizeX, sizeY);
  const divisor = b.select(b.feq(large, floats(b, x, 0)), floats(b, x, 1), large);
  const angle = atanOfFraction(b, b.fmul(b.fmin(sizeX, sizeY), b.frcp(divisor)));
  const steep = b.select(b.flt(sizeX, sizeY), b.fsub(floats(b, x, Math.PI / 2), angle), angle);
  return withSign(b, b.select(isNegative(b, x), b.fsub(floats(b, x, Math.PI), steep), steep), y);
}

function arcSineParts(b: Builder, x: Value): { isLarge: Value; angle: Value } {
  const size = b.fabs(x);
  const isLarge = b.flt(floats(b, x, 0.5), size);
  const halfRest = b.fmul(b.fsub(floats(b, x, 1), size), floats(b, x, 0.5));
  const square = b.select(isLarge, halfRest, b.fmul(size, size));
  return { isLarge, angle: oddPolynomial(b, b.select(isLarge, b.fsqrt(halfRest), size), square, ASIN) };
}

function asin(b: Builder, x: Value): Value {
  const { isLarge, angle } = arcSineParts(b, x);
  const large = b.fsub(floats(b, x, Math.PI / 2), b.fadd(angle, angle));
  return withSign(b, b.select(isLarge, large, angle), x);
}

function acos(b: Builder, x: Value): Value {
  const { isLarge, angle } = arcSineParts(b, x);
  const twice = b.fadd(angle, angle);
  const large = b.select(isNegative(b, x), b.fsub(floats(b, x, Math.PI), twice), twice);
  return b.select(isLarge, large, b.fsub(floats(b, x, Math.PI / 2), withSign(b, angle, x)));
}

/** Nearest integer, ties to even. */
function roundEven(b: Builder, x: Value): Value {
  const low = b.ffloor(x);
  const rest = b.fsub(x, low);
  const half = floats(b, x, 0.5);
  const isOdd = b.fneu(b.ffract(b.fmul(low, half)), floats(b, x, 0));
  const isUp = b.lor(b.flt(half, rest), b.land(b.feq(rest, half), isOdd));
  // An infinite number has no rest: it stays.
  return b.select(isUp, b.fadd(low, floats(b, x, 1)), low);
}

function reduceBools(op: 'land' | 'lor'): Lowering {
  return (b, a) => b.channels(a).reduce((x, y) => b[op](x, y));
}

function unpackDot(b: Builder, x: Value, y: Value): Value {
  return b.channels(b.fmul(x, y)).reduce((sum, product) => b.fadd(sum, product));
}

const ALWAYS: Readonly<Record<string, Lowering>> = {
  fdiv: (b, x, y) => b.fmul(x, b.frcp(y)),
  fpow: (b, x, y) => b.fexp2(b.fmul(y, b.flog2(x))),
  ftan: (b, x) => b.fmul(b.fsin(x), b.frcp(b.fcos(x))),
  fasin: asin,
  facos: acos,
  fatan: atan,
  fatan2: atan2,
  ftrunc: (b, x) => b.fmul(b.fsign(x), b.ffloor(b.fabs(x))),
  froundeven: roundEven,
  ball: reduceBools('land'),
  bany: reduceBools('lor'),
};

const WITHOUT_SQRT_TRIG: Readonly<Record<string, Lowering>> = {
  fsqrt: (b, x) => b.frcp(b.frsq(x)),
  fsin: (b, x) => sine(b, x, false),
  fcos: (b, x) => sine(b, x, true),
};

const WITHOUT_FLOOR_CEIL_SIGN: Readonly<Record<string, Lowering>> = {
  ffloor: (b, x) => b.fsub(x, b.ffract(x)),
  fceil: (b, x) => b.fadd(x, b.ffract(b.fneg(x))),
  fsign: (b, x) => b.fsub(b.b2f(b.flt(floats(b, x, 0), x)), b.b2f(isNegative(b, x))),
};

export function functionsRule(target: CompilerTarget): Rule {
  const lowerings: Record<string, Lowering> = {
    ...ALWAYS,
    ...(target.hasSqrtTrig ? {} : WITHOUT_SQRT_TRIG),
    ...(target.hasFloorCeilSign ? {} : WITHOUT_FLOOR_CEIL_SIGN),
    fcanonical: target.hasIntegers
      ? (b, x) => b.select(b.feq(x, x), x, b.constBits(...new Array<number>(x.components).fill(0x7fc00000)))
      : (b, x) => b.mov(x),
  };
  /** sin and cos whose argument is in the unit of the hardware. */
  const scaled = new Set<Value>();
  const unit = target.pairTranscendentals ? 1 / Math.PI : 2 / Math.PI;
  return {
    name: 'hardware functions',
    apply(instruction, { builder, shader }) {
      if (instruction.kind !== 'alu' || scaled.has(instruction)) return null;
      if (target.hasSqrtTrig && (instruction.op === 'fsin' || instruction.op === 'fcos')) {
        const argument = scale(builder, instruction.sources[0]!, unit, shader.isExact);
        const result = builder[instruction.op](argument);
        scaled.add(result);
        return result;
      }
      const [a, c] = instruction.sources as [Value, Value];
      if (instruction.op === 'fdot') return lowerDot(builder, instruction, target);
      return lowerings[instruction.op]?.(builder, a, c ?? a) ?? null;
    },
  };
}

/** x · factor, in one product where x is one with a constant already. */
function scale(b: Builder, x: Value, factor: number, isExact: boolean): Value {
  if (!isExact && x.kind === 'alu' && x.op === 'fmul') {
    for (const [constant, other] of [x.sources, [...x.sources].reverse()] as [Value, Value][]) {
      if (constant.kind !== 'const') continue;
      const factors = new Float32Array(constant.info.slice().buffer);
      return b.fmul(other, b.constFloat(...Array.from(factors, (value) => value * factor)));
    }
  }
  return b.fmul(x, floats(b, x, factor));
}

function lowerDot(b: Builder, instruction: AluInstruction, target: CompilerTarget): Value | null {
  const [x, y] = instruction.sources as [Value, Value];
  if (x.components === 1) return b.fmul(x, y);
  return x.components === 2 && !target.hasDp2 ? unpackDot(b, x, y) : null;
}
