// SPDX-License-Identifier: MIT
// Emits bilinear filtering of pixels of four bytes by 16-bit products: a texel row's two texels become four pairs of i16, one
// dot product weighs them. Weights have 14 bits and add up exactly, so equal texels give exactly their value. sRGB texels are
// decoded to 15 bits in between.
import { formatDescription } from '../format/format.ts';
import type { Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { laneAddresses, transpose } from './pixel-gather.ts';
import { roundToInt, type Vec, type VecLocal } from './pixel-math.ts';
import type { Axis } from './sample-wrap.ts';
import { BYTE_WEIGHTS, type TexelPlan } from './texel.ts';

/** Bytes a0 b0 a1 b1 … of two texels a, b as zero-extended i16 pairs. */
const INTERLEAVE = [0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1];

/**
 * The sRGB decode of 8-bit codes as a polynomial in units of 2^-15, constant term first; its error is below 0.09 codes, and white
 * becomes exactly 32767.
 */
const DECODE = [35, 910, 18528, 16896, -3600];

/** Zero-extended bytes r r g g b b a a → linear values, 32767 = 1; alpha only changes its unit. */
function decodeSrgb(f: FunctionBuilder, bytes: Vec, isAlpha: Vec): Vec {
  const codes = f.let(bytes);
  // 255 · 128.5 = 32767.5
  const x = f.let(f.i16x8.add(f.i16x8.shl(codes, 7), f.i16x8.shr_u(codes, 1)));
  const curve = DECODE.slice(0, -1).reduceRight<Vec>(
    (sum, coefficient) => f.i16x8.add_sat_s(f.i16x8.q15mulr_sat_s(sum, x), f.i16x8.const(coefficient)),
    f.i16x8.const(DECODE.at(-1)!),
  );
  const line = f.i16x8.q15mulr_sat_s(x, f.i16x8.const(Math.round(32768 / 12.92)));
  const linear = f.v128.bitselect(line, curve, f.i16x8.le_s(codes, f.i16x8.const(10)));
  return f.v128.bitselect(x, linear, isAlpha);
}

/** Two texels a lane: loads of eight bytes where they are neighbours in memory in all lanes, else two loads of four. */
function loadPairs(
  f: FunctionBuilder,
  row: VecLocal,
  left: VecLocal,
  right: VecLocal,
  areNeighbours: Local<'i32'>,
): VecLocal[] {
  const pairs = [0, 1, 2, 3].map(() => f.local('v128'));
  const first = f.let(f.i32x4.add(row, left));
  f.if(
    areNeighbours,
    () => {
      laneAddresses(f, first).forEach((address, lane) => {
        f.set(pairs[lane]!, f.v128.load64_zero(address));
      });
    },
    () => {
      const second = laneAddresses(f, f.let(f.i32x4.add(row, right)));
      laneAddresses(f, first).forEach((address, lane) => {
        f.set(pairs[lane]!, f.v128.load32_lane(second[lane]!, f.v128.load32_zero(address), 1));
      });
    },
  );
  return pairs;
}

/**
 * Four filtered pixels, a vector each, channels in memory order times BYTE_WEIGHTS and 255 (sRGB: 32767), as the plan's scales
 * expect, in locals of the current scope.
 */
export function filterBytes(
  f: FunctionBuilder,
  plan: TexelPlan,
  s: Axis,
  t: Axis,
  base: VecLocal,
  rowStride: VecLocal,
): VecLocal[] {
  const { isSrgb, swizzle } = formatDescription(plan.key.format);
  const isAlpha = [0, 1, 2, 3].flatMap((channel) => (swizzle[3] === channel ? [-1, -1] : [0, 0]));
  const left = f.let(f.i32x4.shl(s.index0, 2));
  const right = f.let(f.i32x4.shl(s.index1!, 2));
  const areNeighbours = f.let(f.i32x4.all_true(f.i32x4.eq(f.i32x4.sub(right, left), f.i32x4.const(4))));
  // pmax(0, NaN) = 0: no coordinate makes weights beyond their range.
  const fixed = (fraction: VecLocal): VecLocal =>
    f.let(roundToInt(f, f.f32x4.mul(f.f32x4.pmax(0, fraction), BYTE_WEIGHTS)));
  const [x, y] = [fixed(s.fraction!), fixed(t.fraction!)];
  // Rounded down, so that no weight is negative: 1 − x − y + ⌊xy⌋ ≥ 0.
  const both = f.let(f.i32x4.shr_u(f.i32x4.mul(x, y), 14));
  const pack = (low: Vec, high: Vec): VecLocal => f.let(f.v128.or(low, f.i32x4.shl(high, 16)));
  const onlyX = f.let(f.i32x4.sub(x, both));
  const onlyY = f.let(f.i32x4.sub(y, both));
  const neither = f.i32x4.sub(f.i32x4.sub(BYTE_WEIGHTS, x), onlyY);
  const weights = [pack(neither, onlyX), pack(onlyY, both)];
  const rows = [t.index0, t.index1!].map((index, k) => {
    const row = f.let(f.i32x4.add(base, f.i32x4.mul(index, rowStride)));
    return loadPairs(f, row, left, right, areNeighbours).map((pair, lane) => {
      const bytes = f.i8x16.swizzle(pair, f.i8x16.const(...INTERLEAVE));
      const texels = isSrgb ? decodeSrgb(f, bytes, f.i16x8.const(...isAlpha)) : bytes;
      return f.i32x4.dot_i16x8_s(texels, f.shuffle32(weights[k]!, weights[k]!, [lane, lane, lane, lane]));
    });
  });
  return [0, 1, 2, 3].map((lane) => f.let(f.f32x4.convert_i32x4_s(f.i32x4.add(rows[0]![lane]!, rows[1]![lane]!))));
}

/** The channels that the plan names of such pixels. */
export function channelsOfPixels(f: FunctionBuilder, plan: TexelPlan, pixels: readonly VecLocal[]): VecLocal[] {
  const columns = transpose(f, pixels as [VecLocal, VecLocal, VecLocal, VecLocal], 4);
  return plan.channels.map((channel) => columns[channel]!);
}

/** Such pixels rounded to bytes: the same as from their channels times the scale, packed to a target of unorm bytes. */
export function bytesOfPixels(f: FunctionBuilder, scale: number, pixels: readonly VecLocal[]): Vec {
  const [a, b, c, d] = pixels.map((pixel) => roundToInt(f, f.f32x4.mul(f.f32x4.mul(pixel, scale), 255)));
  return f.i8x16.narrow_i16x8_u(f.i16x8.narrow_i32x4_s(a!, b!), f.i16x8.narrow_i32x4_s(c!, d!));
}
