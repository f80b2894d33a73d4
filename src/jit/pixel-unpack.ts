// SPDX-License-Identifier: MIT
// Emits the unpacking of four pixels of any uncompressed format from their 32-bit words (word k of pixel i is lane i of
// vector k; pixels of 1 and 2 bytes stand zero-extended in one word) to four component vectors.
import { type Format, formatDescription, SWIZZLE_ONE, SWIZZLE_ZERO } from '../format/format.ts';
import type { Channel } from '../format/format-row.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { Vec, Vec4, VecLocal } from './pixel-math.ts';
import { srgbToLinear } from './pixel-srgb.ts';

/** Number of 32-bit words a pixel of the format takes. */
export function wordCount(format: Format): number {
  return Math.ceil(formatDescription(format).blockBytes / 4);
}

/** The bits of a channel, zero- or sign-extended. */
export function extractBits(
  f: FunctionBuilder,
  words: readonly VecLocal[],
  channel: Channel,
  signed: boolean,
  pixelBits: number,
): Vec {
  const { bits } = channel;
  const word = words[channel.shift >> 5]!;
  const shift = channel.shift & 31;
  if (bits === 32) return word;
  if (signed) {
    const left = 32 - bits - shift;
    return f.i32x4.shr_s(left ? f.i32x4.shl(word, left) : word, 32 - bits);
  }
  const shifted = shift ? f.i32x4.shr_u(word, shift) : word;
  // Nothing stands above the pixel's last bit: the words are zero-extended.
  const isTop = shift + bits === 32 || channel.shift + bits === pixelBits;
  return isTop ? shifted : f.v128.and(shifted, f.i32x4.const(2 ** bits - 1));
}

/** Halves and the unsigned 11- and 10-bit floats in the low bits of `value` (zero-extended): all have 5 exponent bits. */
function smallFloatToFloat(f: FunctionBuilder, value: Vec, mantissaBits: number, hasSign: boolean): Vec {
  const h = f.let(value);
  const magnitudeBits = hasSign ? f.v128.and(h, f.i32x4.const(0x7fff)) : h;
  const aligned = f.let(f.i32x4.shl(magnitudeBits, 23 - mantissaBits));
  // The product by 2^112 rebiases the exponent, and normalizes denormals exactly.
  const finite = f.f32x4.mul(aligned, 2 ** 112);
  const isSpecial = f.i32x4.ge_s(aligned, 0x0f800000);
  const magnitude = f.v128.or(finite, f.v128.and(isSpecial, f.i32x4.const(0x7f800000)));
  if (!hasSign) return magnitude;
  return f.v128.or(magnitude, f.i32x4.shl(f.v128.and(h, f.i32x4.const(0x8000)), 16));
}

export function unpackChannel(
  f: FunctionBuilder,
  words: readonly VecLocal[],
  channel: Channel,
  srgb: boolean,
  pixelBits: number,
): Vec {
  const { type, bits } = channel;
  const raw = (signed: boolean): Vec => extractBits(f, words, channel, signed, pixelBits);
  switch (type) {
    case 'unorm': {
      if (bits === 32) return f.f32x4.mul(f.f32x4.convert_i32x4_u(raw(false)), 1 / 4294967295);
      const value = f.f32x4.mul(f.f32x4.convert_i32x4_s(raw(false)), 1 / (2 ** bits - 1));
      return srgb ? srgbToLinear(f, value) : value;
    }
    case 'snorm':
      return f.f32x4.pmax(f.f32x4.mul(f.f32x4.convert_i32x4_s(raw(true)), 1 / (2 ** (bits - 1) - 1)), -1);
    case 'uint':
      return raw(false);
    case 'sint':
      return raw(true);
    case 'uscaled':
      return bits === 32 ? f.f32x4.convert_i32x4_u(raw(false)) : f.f32x4.convert_i32x4_s(raw(false));
    case 'sscaled':
      return f.f32x4.convert_i32x4_s(raw(true));
    case 'fixed':
      return f.f32x4.mul(f.f32x4.convert_i32x4_s(raw(true)), 1 / 65536);
    case 'float':
      if (bits === 32) return raw(false);
      return bits === 16
        ? smallFloatToFloat(f, raw(false), 10, true)
        : smallFloatToFloat(f, raw(false), bits - 5, false);
    case 'void':
      return f.i32x4.const(0);
  }
}

/** R9G9B9E5: mantissas times 2^(exponent − 24). */
export function unpackExponent5(f: FunctionBuilder, word: VecLocal): Vec[] {
  // 2^(e − 24) as float bits: exponent field e − 24 + 127.
  const scale = f.let(f.i32x4.shl(f.i32x4.add(f.i32x4.shr_u(word, 27), 103), 23));
  return [0, 9, 18].map((shift) => {
    const mantissa = f.v128.and(f.i32x4.shr_u(word, shift), f.i32x4.const(511));
    return f.f32x4.mul(f.f32x4.convert_i32x4_s(mantissa), scale);
  });
}

/**
 * Components red, green, blue, alpha as expressions to be used once each (they may have made locals in the current scope).
 * `components`: bit mask of those needed. Depth formats give depth, 0, 0, 1; S8_UINT gives the stencil value, 0, 0, 1 as ints.
 */
export function unpackWords(f: FunctionBuilder, format: Format, words: readonly VecLocal[], components = 15): Vec4 {
  const description = formatDescription(format);
  const { channels, swizzle, layout, isSrgb, space, numericClass } = description;
  const pixelBits = description.blockBytes * 8;
  const isInteger = numericClass === 'int' || numericClass === 'uint' || format === 'S8_UINT';
  const zero = f.i32x4.const(0);
  const one = isInteger ? f.i32x4.const(1) : f.f32x4.const(1);
  if (space === 'zs') {
    const place = description.hasDepth ? swizzle[0] : swizzle[1];
    return [unpackChannel(f, words, channels[place]!, false, pixelBits), zero, zero, one];
  }
  if (layout === 'exponent5') {
    const [red, green, blue] = unpackExponent5(f, words[0]!) as [Vec, Vec, Vec];
    return [red, green, blue, one];
  }
  return [0, 1, 2, 3].map((component) => {
    const place = swizzle[component]!;
    if (place >= SWIZZLE_ZERO) return place === SWIZZLE_ONE ? one : zero;
    if (!(components & (1 << component))) return zero;
    return unpackChannel(f, words, channels[place]!, isSrgb && component < 3, pixelBits);
  }) as unknown as Vec4;
}
