// Packs rows of four components into any uncompressed colour format by GL's rules: clamp to the format's range, round to nearest
// (ties to even, on the f32 product, so that generated code gives the same bits), NaN to 0, padding filled as alpha 1.

import { floatToHalf } from '../base/half.ts';
import { type Format, type FormatDescription, formatDescription } from './format.ts';
import type { Channel } from './format-row.ts';
import { floatToUnsignedFloat, packRgb9e5 } from './small-float.ts';
import { linearToSrgb, linearToSrgb8 } from './srgb.ts';
import { floatBits, type PixelArray } from './unpack.ts';

let scratch = new Uint32Array(1024);
let scratchBytes = new Uint8Array(scratch.buffer);

function reserveScratch(bytes: number): void {
  if (scratch.byteLength >= bytes) return;
  scratch = new Uint32Array(Math.ceil(bytes / 4) + 256);
  scratchBytes = new Uint8Array(scratch.buffer);
}

/** Nearest integer, ties to even, of a non-NaN value. */
export function roundEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest < 0.5 || (rest === 0.5 && floor % 2 === 0) ? floor : floor + 1;
}

function clamp(value: number, low: number, high: number): number {
  return value > low ? Math.min(value, high) : Number.isNaN(value) ? 0 : low;
}

/** The product is rounded to f32 first (as SIMD code has it) wherever f32 holds the integers exactly. */
function scaleRound(value: number, max: number): number {
  return roundEven(max <= 0xffffff ? Math.fround(value * max) : value * max);
}

/** 2ⁿ − 1. Why a table: a power costs fifty times as much, and this is asked for every component. */
const MAXIMUM = Float64Array.from({ length: 33 }, (_, bits) => 2 ** bits - 1);

/** The bits of one component in one channel. */
function packComponent(channel: Channel, srgb: boolean, value: number): number {
  const { type, bits } = channel;
  switch (type) {
    case 'unorm':
      if (srgb && bits === 8) return linearToSrgb8(value);
      return scaleRound(clamp(srgb ? linearToSrgb(value) : value, 0, 1), MAXIMUM[bits]!);
    case 'snorm':
      return scaleRound(clamp(value, -1, 1), MAXIMUM[bits - 1]!);
    case 'uint':
      return clamp(value, 0, MAXIMUM[bits]!);
    case 'sint':
      return clamp(value, -MAXIMUM[bits - 1]! - 1, MAXIMUM[bits - 1]!);
    case 'uscaled':
      return roundEven(clamp(value, 0, MAXIMUM[bits]!));
    case 'sscaled':
      return roundEven(clamp(value, -MAXIMUM[bits - 1]! - 1, MAXIMUM[bits - 1]!));
    case 'fixed':
      return roundEven(clamp(value * 65536, -(2 ** 31), 2 ** 31 - 1));
    case 'float':
      return bits === 16 ? floatToHalf(value) : bits === 32 ? floatBits(value) : floatToUnsignedFloat(value, bits - 5);
    default:
      return 0;
  }
}

/** The bits that read as one: what padding holds, so that a reader that ignores the X sees alpha 1. */
export function oneBits(channel: Channel, like: Channel): number {
  if (like.type === 'void') return 0;
  return packComponent({ ...like, bits: channel.bits }, false, 1);
}

/** Which component (0…3) each channel takes, or -1 for padding and channels that no component reads. */
export function componentOfChannel(description: FormatDescription, channel: number): number {
  return description.swizzle.indexOf(channel);
}

type Words = Uint8Array | Uint16Array | Uint32Array;

function rowWords(description: FormatDescription, width: number): Words {
  const { layout, channels, blockBytes } = description;
  const elementBytes = layout === 'array' ? channels[0]!.bits >> 3 : blockBytes;
  const count = layout === 'array' ? width * channels.length : width;
  if (elementBytes === 1) return new Uint8Array(scratch.buffer, 0, count);
  if (elementBytes === 2) return new Uint16Array(scratch.buffer, 0, count);
  return new Uint32Array(scratch.buffer, 0, count);
}

function packArrayRow(
  description: FormatDescription,
  words: Words,
  src: PixelArray,
  from: number,
  width: number,
): void {
  const { channels, isSrgb } = description;
  const step = channels.length;
  for (let index = 0; index < step; index++) {
    const channel = channels[index]!;
    const component = componentOfChannel(description, index);
    if (component < 0) {
      const one = oneBits(channel, channels.find((other) => other.type !== 'void') ?? channel);
      for (let x = 0, o = index; x < width; x++, o += step) words[o] = one;
      continue;
    }
    const srgb = isSrgb && component < 3;
    let i = from + component;
    if (channel.type === 'unorm' && !srgb && channel.bits <= 16) {
      const max = MAXIMUM[channel.bits]!;
      for (let x = 0, o = index; x < width; x++, o += step, i += 4) words[o] = scaleRound(clamp(src[i]!, 0, 1), max);
    } else if (channel.type === 'uint' || channel.type === 'sint') {
      const high = MAXIMUM[channel.type === 'uint' ? channel.bits : channel.bits - 1]!;
      const low = channel.type === 'uint' ? 0 : -high - 1;
      for (let x = 0, o = index; x < width; x++, o += step, i += 4) {
        const value = src[i]!;
        words[o] = Math.min(Math.max(value, low), high);
      }
    } else {
      for (let x = 0, o = index; x < width; x++, o += step, i += 4) words[o] = packComponent(channel, srgb, src[i]!);
    }
  }
}

function packWordRow(description: FormatDescription, words: Words, src: PixelArray, from: number, width: number): void {
  const { channels, isSrgb, layout } = description;
  if (layout === 'exponent5') {
    for (let x = 0, i = from; x < width; x++, i += 4) words[x] = packRgb9e5(src[i]!, src[i + 1]!, src[i + 2]!);
    return;
  }
  words.fill(0);
  channels.forEach((channel, index) => {
    const component = componentOfChannel(description, index);
    const mask = channel.bits === 32 ? 0xffffffff : (1 << channel.bits) - 1;
    if (component < 0) {
      const one = (oneBits(channel, channels[0]!) & mask) << channel.shift;
      for (let x = 0; x < width; x++) words[x] = words[x]! | one;
      return;
    }
    const srgb = isSrgb && component < 3;
    for (let x = 0, i = from + component; x < width; x++, i += 4)
      words[x] = words[x]! | ((packComponent(channel, srgb, src[i]!) & mask) << channel.shift);
  });
}

/**
 * Packs `width`×`height` pixels of four components each. Offsets and strides of `src` count elements, those of `dst` bytes;
 * they need no alignment, and a stride may be negative.
 */
export function packRgba(
  format: Format,
  dst: Uint8Array,
  dstOffset: number,
  dstStride: number,
  src: PixelArray,
  srcOffset: number,
  srcStride: number,
  width: number,
  height: number,
): void {
  const description = formatDescription(format);
  if (description.isCompressed || description.space === 'zs')
    throw new RangeError(`${format} is not an uncompressed colour format`);
  const bytes = width * description.blockBytes;
  reserveScratch(bytes);
  const words = rowWords(description, width);
  const row = scratchBytes.subarray(0, bytes);
  for (let y = 0; y < height; y++) {
    const from = srcOffset + y * srcStride;
    if (description.layout === 'array') packArrayRow(description, words, src, from, width);
    else packWordRow(description, words, src, from, width);
    dst.set(row, dstOffset + y * dstStride);
  }
}

/** The bytes of one pixel: clear colours, border colours. Integer formats take integers, the rest floats. */
export function packPixel(format: Format, color: ArrayLike<number>): Uint8Array {
  const { numericClass, blockBytes } = formatDescription(format);
  const src =
    numericClass === 'uint'
      ? Uint32Array.from(color)
      : numericClass === 'int'
        ? Int32Array.from(color)
        : Float32Array.from(color);
  const dst = new Uint8Array(blockBytes);
  packRgba(format, dst, 0, 0, src, 0, 0, 1, 1);
  return dst;
}
