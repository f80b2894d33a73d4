// SPDX-License-Identifier: MIT
// Vector types and small expressions that the texture, blend and vertex-fetch emitters share.
import type { CompareFunction } from '../base/state-words.ts';
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';

/** A v128 expression: one 32-bit value a lane. Arguments of emitters must be cheap to repeat: locals or constants. */
export type Vec = Expr<'v128'>;
export type VecLocal = Local<'v128'>;
/** Red, green, blue, alpha (or x, y, z, w), four lanes each. */
export type Vec4 = readonly [Vec, Vec, Vec, Vec];
export type Vec4Locals = readonly [VecLocal, VecLocal, VecLocal, VecLocal];

export function newVec4(f: FunctionBuilder): Vec4Locals {
  return [f.local('v128'), f.local('v128'), f.local('v128'), f.local('v128')];
}

/** min(max(x, low), high) in which NaN becomes `low`. */
export function clampFloat(f: FunctionBuilder, x: Vec, low: Vec | number, high: Vec | number): Vec {
  // pmax(a, b) = a < b ? b : a, so the operand order decides what a NaN gives.
  return f.f32x4.pmin(f.f32x4.pmax(low, x), high);
}

/** Round to nearest even to i32, for |x| < 2^22 (x may be any non-NaN value of that range, fractions included). */
export function roundToInt(f: FunctionBuilder, x: Vec): Vec {
  // 1.5 · 2^23: the sum's last mantissa bit has weight 1, so the addition rounds and the low bits are the integer.
  return f.i32x4.sub(f.f32x4.add(x, 12582912), 0x4b400000);
}

/** a + t · (b − a). */
export function mix(f: FunctionBuilder, a: Vec, b: Vec, t: Vec): Vec {
  return f.f32x4.add(a, f.f32x4.mul(t, f.f32x4.sub(b, a)));
}

/** The comparison as a lane mask, on floats. */
export function compareFloat(f: FunctionBuilder, func: CompareFunction, a: Vec, b: Vec): Vec {
  switch (func) {
    case 'never':
      return f.i32x4.const(0);
    case 'always':
      return f.i32x4.const(-1);
    case 'less':
      return f.f32x4.lt(a, b);
    case 'lessEqual':
      return f.f32x4.le(a, b);
    case 'greater':
      return f.f32x4.gt(a, b);
    case 'greaterEqual':
      return f.f32x4.ge(a, b);
    case 'equal':
      return f.f32x4.eq(a, b);
    case 'notEqual':
      return f.f32x4.ne(a, b);
  }
}

/** log2(m) = (m − 1)·Q(m − 1) on [1, 2): error below 2.1e-6, exact at powers of two. */
const LOG2 = [
  1.442553162574768, -0.7182819247245789, 0.458270788192749, -0.279538094997406, 0.12345145642757416,
  -0.02645743638277054,
];

/** log2 of positive numbers for levels of detail; zero gives −127, infinity 128. */
export function approximateLog2(f: FunctionBuilder, value: Vec): Vec {
  const x = f.let(value);
  const exponent = f.f32x4.convert_i32x4_s(f.i32x4.sub(f.i32x4.shr_u(x, 23), 127));
  const mantissa = f.v128.or(f.v128.and(x, f.i32x4.const(0x7fffff)), f.f32x4.const(1));
  const m = f.let(f.f32x4.sub(mantissa, 1));
  return f.f32x4.add(exponent, f.f32x4.mul(m, polynomial(f, m, LOG2)));
}

/** A polynomial by Estrin's scheme: short dependency chains (coefficients from the constant term up). */
export function polynomial(f: FunctionBuilder, t: Vec, coefficients: readonly number[]): Vec {
  let terms: Vec[] = coefficients.map((c) => f.f32x4.const(c));
  let power = t;
  while (terms.length > 1) {
    const next: Vec[] = [];
    for (let i = 0; i < terms.length; i += 2) {
      const low = terms[i]!;
      const high = terms[i + 1];
      next.push(high ? f.f32x4.add(low, f.f32x4.mul(high, power)) : low);
    }
    terms = next;
    if (terms.length > 1) power = f.let(f.f32x4.mul(power, power));
  }
  return terms[0]!;
}
