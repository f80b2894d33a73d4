// SPDX-License-Identifier: MIT
// The sRGB transfer function as polynomials: the same bits on every machine, no table in memory.
// Both have the form 1 + (t − 1)·Q(t), so that white stays exactly 1. Q was fitted for least maximal error.
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { polynomial, type Vec } from './pixel-math.ts';

/** ((x + 0.055) / 1.055)^2.4 on [0.04045, 1]: relative error below 7e-5. */
const DECODE = [
  0.9991537928581238, 0.9635312557220459, 0.48207908868789673, -0.3987688720226288, 0.49262765049934387,
  -0.406764417886734, 0.1446983963251114,
];
/** 1.055·x^(1/2.4) − 0.055 in t = x^(1/4) on [0.0031308, 1]: error below 1.6e-6. */
const ENCODE = [
  1.0595898628234863, 0.9194233417510986, -0.443600058555603, 0.40178176760673523, -0.24478144943714142,
  0.06602855026721954,
];

/** sRGB code value in [0, 1] → linear. */
export function srgbToLinear(f: FunctionBuilder, value: Vec): Vec {
  const x = f.let(value);
  const q = polynomial(f, x, DECODE);
  const curve = f.f32x4.add(1, f.f32x4.mul(f.f32x4.sub(x, 1), q));
  return f.v128.bitselect(f.f32x4.mul(x, 1 / 12.92), curve, f.f32x4.le(x, 0.04045));
}

/** Linear in [0, 1] → sRGB code value in [0, 1]. */
export function linearToSrgb(f: FunctionBuilder, value: Vec): Vec {
  const x = f.let(value);
  const t = f.let(f.f32x4.sqrt(f.f32x4.sqrt(x)));
  const q = polynomial(f, t, ENCODE);
  const curve = f.f32x4.add(1, f.f32x4.mul(f.f32x4.sub(t, 1), q));
  return f.v128.bitselect(f.f32x4.mul(x, 12.92), curve, f.f32x4.lt(x, 0.0031308));
}
