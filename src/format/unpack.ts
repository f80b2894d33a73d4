// Unpacks pixels of any uncompressed colour format to four-component rows: Float32Array for float formats (normalized, scaled,
// fixed and sRGB included), Int32Array or Uint32Array for integer formats.
// A row is first brought into aligned scratch words, then each component is converted by one loop over the row.

import { halfToFloat } from '../base/half.ts';
import { type Format, type FormatDescription, formatDescription, SWIZZLE_ONE, SWIZZLE_ZERO } from './format.ts';
import type { Channel } from './format-row.ts';
import { float10ToFloat, float11ToFloat, rgb9e5Scale } from './small-float.ts';
import { srgb8ToLinear, srgbToLinear } from './srgb.ts';

export type PixelArray = Float32Array | Int32Array | Uint32Array;

let halfTable: Float32Array | undefined;
/** All 65,536 halves as floats; made at the first use. */
function halfFloatTable(): Float32Array {
  halfTable ??= Float32Array.from({ length: 0x10000 }, (_, bits) => halfToFloat(bits));
  return halfTable;
}

let scratch = new Uint32Array(1024);
let scratchBytes = new Uint8Array(scratch.buffer);
const oneWord = new Uint32Array(1);
const oneFloat = new Float32Array(oneWord.buffer);

function reserveScratch(bytes: number): void {
  if (scratch.byteLength >= bytes) return;
  scratch = new Uint32Array(Math.ceil(bytes / 4) + 256);
  scratchBytes = new Uint8Array(scratch.buffer);
}

type Words = Uint8Array | Uint16Array | Uint32Array;

/** The scratch row as unsigned elements of the format: its channels in array layouts, else whole pixels. */
function wordView(elementBytes: number, count: number): Words {
  switch (elementBytes) {
    case 1:
      return new Uint8Array(scratch.buffer, 0, count);
    case 2:
      return new Uint16Array(scratch.buffer, 0, count);
    default:
      return new Uint32Array(scratch.buffer, 0, count);
  }
}

function fill(dst: PixelArray, at: number, width: number, value: number): void {
  for (let x = 0, i = at; x < width; x++, i += 4) dst[i] = value;
}

/** One component of a row. `step` elements lie between two pixels of `words`; the channel stands at `shift` in the element. */
function unpackChannel(
  channel: Channel,
  shift: number,
  srgb: boolean,
  words: Words,
  first: number,
  step: number,
  dst: PixelArray,
  at: number,
  width: number,
): void {
  const { type, bits } = channel;
  const mask = bits === 32 ? 0xffffffff : (1 << bits) - 1;
  const signShift = 32 - bits;
  let i = first;
  let o = at;
  switch (type) {
    case 'unorm': {
      const max = 2 ** bits - 1;
      if (srgb && bits === 8) {
        const linear = srgb8ToLinear();
        for (let x = 0; x < width; x++, i += step, o += 4) dst[o] = linear[words[i]!]!;
      } else if (srgb)
        for (let x = 0; x < width; x++, i += step, o += 4) dst[o] = srgbToLinear(((words[i]! >>> shift) & mask) / max);
      else for (let x = 0; x < width; x++, i += step, o += 4) dst[o] = (((words[i]! >>> shift) & mask) >>> 0) / max;
      return;
    }
    case 'snorm': {
      const max = 2 ** (bits - 1) - 1;
      for (let x = 0; x < width; x++, i += step, o += 4) {
        const value = ((words[i]! >>> shift) << signShift) >> signShift;
        dst[o] = value < -max ? -1 : value / max;
      }
      return;
    }
    case 'uint':
    case 'uscaled':
      for (let x = 0; x < width; x++, i += step, o += 4) dst[o] = ((words[i]! >>> shift) & mask) >>> 0;
      return;
    case 'sint':
    case 'sscaled':
      for (let x = 0; x < width; x++, i += step, o += 4) dst[o] = ((words[i]! >>> shift) << signShift) >> signShift;
      return;
    case 'fixed':
      for (let x = 0; x < width; x++, i += step, o += 4) dst[o] = (words[i]! | 0) / 65536;
      return;
    case 'float':
      if (bits === 16) {
        const table = halfFloatTable();
        for (let x = 0; x < width; x++, i += step, o += 4) dst[o] = table[words[i]!]!;
      } else if (bits === 32) {
        const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
        for (let x = 0; x < width; x++, i += step, o += 4) dst[o] = floats[i]!;
      } else if (bits === 11)
        for (let x = 0; x < width; x++, i++, o += 4) dst[o] = float11ToFloat((words[i]! >>> shift) & 0x7ff);
      else if (bits === 10)
        for (let x = 0; x < width; x++, i++, o += 4) dst[o] = float10ToFloat((words[i]! >>> shift) & 0x3ff);
      else
        for (let x = 0; x < width; x++, i++, o += 4) dst[o] = ((words[i]! >>> shift) & 0x1ff) * rgb9e5Scale(words[i]!);
      return;
    default:
      fill(dst, at, width, 0);
  }
}

function unpackRow(description: FormatDescription, dst: PixelArray, at: number, width: number): void {
  const { channels, swizzle, layout, isSrgb } = description;
  const isArray = layout === 'array';
  const elementBytes = isArray ? channels[0]!.bits >> 3 : description.blockBytes;
  const step = isArray ? channels.length : 1;
  const words = wordView(elementBytes, width * step);
  for (let component = 0; component < 4; component++) {
    const place = swizzle[component]!;
    if (place >= SWIZZLE_ZERO) {
      fill(dst, at + component, width, place === SWIZZLE_ONE ? 1 : 0);
      continue;
    }
    const channel = channels[place]!;
    const shift = isArray ? 0 : channel.shift;
    const first = isArray ? place : 0;
    unpackChannel(channel, shift, isSrgb && component < 3, words, first, step, dst, at + component, width);
  }
}

function unpackRgba8(dst: PixelArray, at: number, src: Uint8Array, from: number, width: number): void {
  for (let i = 0; i < width * 4; i++) dst[at + i] = src[from + i]! / 255;
}

function checkColor(format: Format): FormatDescription {
  const description = formatDescription(format);
  if (description.isCompressed || description.space === 'zs')
    throw new RangeError(`${format} is not an uncompressed colour format`);
  return description;
}

/**
 * Unpacks `width`×`height` pixels into rows of four components. Offsets and strides of `dst` count elements, those of `src`
 * bytes; they need no alignment, and a stride may be negative.
 */
export function unpackRgba(
  format: Format,
  dst: PixelArray,
  dstOffset: number,
  dstStride: number,
  src: Uint8Array,
  srcOffset: number,
  srcStride: number,
  width: number,
  height: number,
): void {
  const description = checkColor(format);
  const bytes = width * description.blockBytes;
  reserveScratch(bytes);
  for (let y = 0; y < height; y++) {
    const from = srcOffset + y * srcStride;
    const at = dstOffset + y * dstStride;
    if (format === 'R8G8B8A8_UNORM') unpackRgba8(dst, at, src, from, width);
    else {
      scratchBytes.set(src.subarray(from, from + bytes));
      unpackRow(description, dst, at, width);
    }
  }
}

/** One pixel as four numbers. */
export function unpackPixel(format: Format, src: Uint8Array, srcOffset = 0): [number, number, number, number] {
  const { numericClass } = formatDescription(format);
  const dst =
    numericClass === 'uint' ? new Uint32Array(4) : numericClass === 'int' ? new Int32Array(4) : new Float32Array(4);
  unpackRgba(format, dst, 0, 4, src, srcOffset, 0, 1, 1);
  return [dst[0]!, dst[1]!, dst[2]!, dst[3]!];
}

/** The bits of a number as f32; those of a NaN would depend on the machine. */
export function floatBits(value: number): number {
  if (Number.isNaN(value)) return 0x7fc00000;
  oneFloat[0] = value;
  return oneWord[0]!;
}
