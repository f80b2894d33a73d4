// SPDX-License-Identifier: MIT
// Emits the packing of four pixels' component vectors into 32-bit words of any renderable format: the inverse of pixel-unpack.ts,
// with the rounding of src/format/pack.ts (nearest even on the f32 product).
import { type Format, type FormatDescription, formatDescription } from '../format/format.ts';
import type { Channel } from '../format/format-row.ts';
import { componentOfChannel, oneBits } from '../format/pack.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { clampFloat, roundToInt, type Vec, type Vec4, type VecLocal } from './pixel-math.ts';
import { linearToSrgb } from './pixel-srgb.ts';
import { wordCount } from './pixel-unpack.ts';

/** Replaces every NaN by the canonical one: its bits would depend on the machine otherwise. */
function canonicalNaN(f: FunctionBuilder, value: VecLocal): Vec {
  return f.v128.bitselect(value, f.i32x4.const(0x7fc00000), f.f32x4.eq(value, value));
}

/** f32 → half, nearest even; overflow to infinity. */
function floatToHalf(f: FunctionBuilder, value: Vec): Vec {
  const x = f.let(value);
  const magnitude = f.let(f.v128.and(x, f.i32x4.const(0x7fffffff)));
  const odd = f.v128.and(f.i32x4.shr_u(magnitude, 13), f.i32x4.const(1));
  const normal = f.i32x4.shr_u(f.i32x4.add(f.i32x4.sub(magnitude, 0x38000000 - 0xfff), odd), 13);
  const denormal = f.i32x4.sub(f.f32x4.add(magnitude, 0.5), 0x3f000000);
  const finite = f.v128.bitselect(denormal, normal, f.i32x4.lt_s(magnitude, 0x38800000));
  const hasNoValue = f.let(f.i32x4.gt_s(magnitude, 0x7f800000));
  const special = f.v128.or(f.i32x4.const(0x7c00), f.v128.and(hasNoValue, f.i32x4.const(0x200)));
  const result = f.v128.bitselect(special, finite, f.i32x4.ge_s(magnitude, 0x477ff000));
  // A NaN loses its sign, which would depend on the machine.
  const sign = f.v128.andnot(f.v128.and(f.i32x4.shr_u(x, 16), f.i32x4.const(0x8000)), hasNoValue);
  return f.v128.or(result, sign);
}

/** f32 → unsigned float of 5 exponent bits: negative to 0, too large to the largest finite, infinity and NaN kept. */
function floatToUnsignedFloat(f: FunctionBuilder, value: Vec, mantissaBits: number): Vec {
  const infinity = 31 << mantissaBits;
  const drop = 23 - mantissaBits;
  const x = f.let(value);
  const hasNoValue = f.f32x4.ne(x, x);
  // As integers, negative floats are negative: max_s turns them (and −0) into 0.
  const positive = f.let(f.i32x4.max_s(x, 0));
  const odd = f.v128.and(f.i32x4.shr_u(positive, drop), f.i32x4.const(1));
  const normal = f.i32x4.shr_u(f.i32x4.add(f.i32x4.sub(positive, 0x38000000 - (1 << (drop - 1)) + 1), odd), drop);
  const denormal = f.i32x4.sub(f.f32x4.add(positive, 2 ** (9 - mantissaBits)), (127 + 9 - mantissaBits) << 23);
  const finite = f.v128.bitselect(denormal, normal, f.i32x4.lt_s(positive, 0x38800000));
  const clamped = f.i32x4.min_s(finite, infinity - 1);
  const special = f.v128.bitselect(f.i32x4.const(infinity), clamped, f.i32x4.eq(positive, 0x7f800000));
  return f.v128.bitselect(f.i32x4.const(infinity | 1), special, hasNoValue);
}

/** R9G9B9E5 as GLES 3.0.6 §3.8.3.2 has it: three mantissas under the exponent of the largest; nothing below 0, no number is 0. */
function packExponent5(f: FunctionBuilder, color: Vec4): Vec {
  const largestValue = 511 * 2 ** 7;
  const parts = color.slice(0, 3).map((value) => f.let(clampFloat(f, value, 0, largestValue)));
  const largest = f.let(f.f32x4.pmax(f.f32x4.pmax(parts[0]!, parts[1]!), parts[2]!));
  const exponent = f.let(f.i32x4.max_s(f.i32x4.sub(f.i32x4.shr_u(largest, 23), 127 - 16), 0));
  // 2^(24 − e) as float bits.
  const scaleOf = (e: VecLocal): Vec => f.i32x4.shl(f.i32x4.sub(24 + 127, e), 23);
  const round = (value: VecLocal, scale: Vec): Vec => {
    const scaled = f.let(f.f32x4.mul(value, scale));
    const whole = f.let(f.f32x4.floor(scaled));
    const up = f.v128.and(f.f32x4.ge(f.f32x4.sub(scaled, whole), 0.5), f.f32x4.const(1));
    return roundToInt(f, f.f32x4.add(whole, up));
  };
  // A mantissa that is rounded up to 512 takes the next exponent.
  const overflows = f.i32x4.eq(round(largest, scaleOf(exponent)), f.i32x4.const(512));
  f.set(exponent, f.i32x4.sub(exponent, overflows));
  const scale = f.let(scaleOf(exponent));
  return parts
    .map((value, k) => f.i32x4.shl(round(value, scale), 9 * k))
    .reduce((word, part) => f.v128.or(word, part), f.i32x4.shl(exponent, 27));
}

/** What is known of a value: nothing; of a fixed-point range, not below its lower end (and no NaN), or inside of it; it is integer bits. */
export type KnownRange = 'any' | 'notBelow' | 'inside' | 'bits';

function isBoundedBelow(range: KnownRange): boolean {
  return range === 'notBelow' || range === 'inside';
}

/** The bits of one component; those above the channel's width are zero (unsigned types) or sign bits (signed). */
function packComponent(f: FunctionBuilder, channel: Channel, srgb: boolean, value: Vec, range: KnownRange): Vec {
  const { type, bits } = channel;
  switch (type) {
    case 'unorm': {
      // Values inside of the range may exceed it by rounding, which the rounding to an integer takes away.
      const isSafe = range === 'inside' && !srgb;
      const clamped = isSafe ? value : isBoundedBelow(range) ? f.f32x4.pmin(value, 1) : clampFloat(f, value, 0, 1);
      return roundToInt(f, f.f32x4.mul(srgb ? linearToSrgb(f, clamped) : clamped, 2 ** bits - 1));
    }
    case 'snorm':
      return roundToInt(f, f.f32x4.mul(clampFloat(f, value, -1, 1), 2 ** (bits - 1) - 1));
    case 'uint':
      return bits === 32 ? value : f.i32x4.min_u(value, 2 ** bits - 1);
    case 'sint':
      if (bits === 32) return value;
      return f.i32x4.min_s(f.i32x4.max_s(value, -(2 ** (bits - 1))), 2 ** (bits - 1) - 1);
    case 'float':
      if (bits === 32) return range === 'bits' ? value : canonicalNaN(f, f.let(value));
      return bits === 16 ? floatToHalf(f, value) : floatToUnsignedFloat(f, value, bits - 5);
    default:
      throw new Error(`a channel of type ${type} cannot be rendered to`);
  }
}

function isSigned(channel: Channel): boolean {
  return channel.type === 'snorm' || channel.type === 'sint';
}

/** Bits of each word that a colour mask lets through; padding counts as written. */
export function writeBits(format: Format, colorMask: number): number[] {
  const description = formatDescription(format);
  const words = new Array<number>(wordCount(format)).fill(0);
  // The channels share an exponent: all or nothing.
  if (description.layout === 'exponent5') return [colorMask & 7 ? 0xffffffff : 0];
  description.channels.forEach((channel, index) => {
    const component = componentOfChannel(description, index);
    if (component >= 0 && !(colorMask & (1 << component))) return;
    const bits = channel.bits === 32 ? 0xffffffff : (1 << channel.bits) - 1;
    words[channel.shift >> 5]! |= bits << (channel.shift & 31);
  });
  return words.map((bits) => bits >>> 0);
}

/** Whether a pixel is four bytes of linear unorm channels: the commonest target, packed faster. */
export function isUnormBytes({ channels, isSrgb }: FormatDescription): boolean {
  return !isSrgb && channels.length === 4 && channels.every(({ type, bits }) => type === 'unorm' && bits === 8);
}

/**
 * Packs bytes by saturating narrows, which clamp above for free; then one byte swizzle brings each pixel's bytes together. Values up
 * to infinity stay positive under the rounding constant, so only what is below zero (or no number) is clamped before.
 */
function packUnormBytes(f: FunctionBuilder, format: Format, color: Vec4, ranges: readonly KnownRange[]): Vec {
  const { channels } = formatDescription(format);
  const parts = channels.map((_, index) => {
    const component = componentOfChannel(formatDescription(format), index);
    const value = color[component]!;
    const positive = isBoundedBelow(ranges[component] ?? 'any') ? value : f.f32x4.pmax(f.f32x4.const(0), value);
    return roundToInt(f, f.f32x4.mul(positive, 255));
  });
  const halves = [f.i16x8.narrow_i32x4_s(parts[0]!, parts[1]!), f.i16x8.narrow_i32x4_s(parts[2]!, parts[3]!)] as const;
  const bytes = f.i8x16.narrow_i16x8_u(...halves);
  return f.i8x16.swizzle(bytes, f.i8x16.const(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
}

/** The pixels' words as expressions to be used once each. Colour components are read as often as channels need them. */
export function packWords(f: FunctionBuilder, format: Format, color: Vec4, ranges: readonly KnownRange[] = []): Vec[] {
  const description = formatDescription(format);
  const { channels, isSrgb } = description;
  if (description.layout === 'exponent5') return [packExponent5(f, color)];
  if (isUnormBytes(description)) return [packUnormBytes(f, format, color, ranges)];
  const words: (Vec | undefined)[] = new Array(wordCount(format)).fill(undefined);
  channels.forEach((channel, index) => {
    const component = componentOfChannel(description, index);
    const shift = channel.shift & 31;
    const like = channels.find((other) => other.type !== 'void') ?? channel;
    let bits =
      component < 0
        ? f.i32x4.const(oneBits(channel, like) | 0)
        : packComponent(f, channel, isSrgb && component < 3, color[component]!, ranges[component] ?? 'any');
    const isTop = shift + channel.bits === 32;
    if (component >= 0 && isSigned(channel) && channel.bits < 32 && !isTop)
      bits = f.v128.and(bits, f.i32x4.const(2 ** channel.bits - 1));
    if (shift) bits = f.i32x4.shl(bits, shift);
    const at = channel.shift >> 5;
    const before = words[at];
    words[at] = before ? f.v128.or(before, bits) : bits;
  });
  return words as Vec[];
}
