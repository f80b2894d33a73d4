// Converts images between two uncompressed formats of one numeric class: row copies where the bytes agree, element shuffles
// where only order and count of equal channels differ, and pack(unpack(x)) otherwise.

import { copyBytes } from '../base/copy-bytes.ts';
import { packDepth, packStencil, unpackDepth, unpackStencil } from './depth-stencil.ts';
import { type Format, type FormatDescription, formatDescription, SWIZZLE_ONE, SWIZZLE_ZERO } from './format.ts';
import { componentOfChannel, oneBits, packRgba } from './pack.ts';
import { type PixelArray, unpackRgba } from './unpack.ts';

const CONSTANT_ZERO = -1;
const CONSTANT_ONE = -2;

interface ElementShuffle {
  readonly elementBytes: number;
  /** For each destination channel: the source channel, or CONSTANT_ZERO / CONSTANT_ONE. */
  readonly from: readonly number[];
  readonly one: number;
}

/** How to move elements when both formats are arrays of the same channel type, or undefined. */
function elementShuffle(dst: FormatDescription, src: FormatDescription): ElementShuffle | undefined {
  if (dst.layout !== 'array' || src.layout !== 'array' || dst.isSrgb !== src.isSrgb || dst.space === 'zs')
    return undefined;
  const like = src.channels.find((channel) => channel.type !== 'void')!;
  const same = (channel: { type: string; bits: number }): boolean =>
    channel.bits === like.bits && (channel.type === like.type || channel.type === 'void');
  if (!dst.channels.every(same) || !src.channels.every(same)) return undefined;
  const from = dst.channels.map((_, index) => {
    const component = componentOfChannel(dst, index);
    const place = component < 0 ? SWIZZLE_ONE : src.swizzle[component]!;
    return place === SWIZZLE_ONE ? CONSTANT_ONE : place >= SWIZZLE_ZERO ? CONSTANT_ZERO : place;
  });
  return { elementBytes: like.bits >> 3, from, one: oneBits(like, like) };
}

type Elements = Uint8Array | Uint16Array | Uint32Array;

function elementsOf(bytes: Uint8Array, elementBytes: number): Elements | undefined {
  if (elementBytes === 1) return bytes;
  if (bytes.byteOffset % elementBytes) return undefined;
  const count = Math.floor(bytes.byteLength / elementBytes);
  return elementBytes === 2
    ? new Uint16Array(bytes.buffer, bytes.byteOffset, count)
    : new Uint32Array(bytes.buffer, bytes.byteOffset, count);
}

function shuffleRow(
  shuffle: ElementShuffle,
  dst: Elements,
  dstAt: number,
  src: Elements,
  srcAt: number,
  srcStep: number,
  width: number,
): void {
  const dstStep = shuffle.from.length;
  for (let channel = 0; channel < dstStep; channel++) {
    const place = shuffle.from[channel]!;
    let o = dstAt + channel;
    if (place < 0) {
      const value = place === CONSTANT_ONE ? shuffle.one : 0;
      for (let x = 0; x < width; x++, o += dstStep) dst[o] = value;
    } else {
      let i = srcAt + place;
      for (let x = 0; x < width; x++, o += dstStep, i += srcStep) dst[o] = src[i]!;
    }
  }
}

function copyRows(
  dst: Uint8Array,
  dstOffset: number,
  dstStride: number,
  src: Uint8Array,
  srcOffset: number,
  srcStride: number,
  bytes: number,
  height: number,
): void {
  if (dstStride === bytes && srcStride === bytes) {
    copyBytes(dst, dstOffset, src.subarray(srcOffset, srcOffset + bytes * height));
    return;
  }
  for (let y = 0; y < height; y++) {
    const from = srcOffset + y * srcStride;
    copyBytes(dst, dstOffset + y * dstStride, src.subarray(from, from + bytes));
  }
}

let depthRow = new Float64Array(0);
let stencilRow = new Uint8Array(0);
let floatRow = new Float32Array(0);
let intRow = new Int32Array(0);
let uintRow = new Uint32Array(0);

function rowFor(description: FormatDescription, count: number): PixelArray {
  switch (description.numericClass) {
    case 'int':
      if (intRow.length < count) intRow = new Int32Array(count);
      return intRow;
    case 'uint':
      if (uintRow.length < count) uintRow = new Uint32Array(count);
      return uintRow;
    default:
      if (floatRow.length < count) floatRow = new Float32Array(count);
      return floatRow;
  }
}

/**
 * Converts `width`×`height` pixels; offsets and strides are bytes, a stride may be negative, and the two areas must not overlap.
 * Both formats must be uncompressed and of one numeric class (float, int, uint, or depth/stencil): GL has no conversion between
 * classes. From depth-stencil to depth-stencil, each part that both have is written and the others keep their bits.
 */
export function convertPixels(
  dstFormat: Format,
  dst: Uint8Array,
  dstOffset: number,
  dstStride: number,
  srcFormat: Format,
  src: Uint8Array,
  srcOffset: number,
  srcStride: number,
  width: number,
  height: number,
): void {
  if (width <= 0 || height <= 0) return;
  const to = formatDescription(dstFormat);
  const from = formatDescription(srcFormat);
  if (dstFormat === srcFormat && !to.isCompressed) {
    copyRows(dst, dstOffset, dstStride, src, srcOffset, srcStride, width * to.blockBytes, height);
    return;
  }
  if (to.isCompressed || from.isCompressed || to.numericClass !== from.numericClass)
    throw new RangeError(`no conversion from ${srcFormat} to ${dstFormat}`);
  if (to.space === 'zs') {
    convertDepthStencil(to, dst, dstOffset, dstStride, from, src, srcOffset, srcStride, width, height);
    return;
  }
  const shuffle = elementShuffle(to, from);
  if (shuffle) {
    const size = shuffle.elementBytes;
    const dstElements = elementsOf(dst, size);
    const srcElements = elementsOf(src, size);
    if (dstElements && srcElements && (dstOffset | dstStride | srcOffset | srcStride) % size === 0) {
      for (let y = 0; y < height; y++)
        shuffleRow(
          shuffle,
          dstElements,
          (dstOffset + y * dstStride) / size,
          srcElements,
          (srcOffset + y * srcStride) / size,
          from.channels.length,
          width,
        );
      return;
    }
  }
  const row = rowFor(from, width * 4);
  for (let y = 0; y < height; y++) {
    unpackRgba(srcFormat, row, 0, 0, src, srcOffset + y * srcStride, 0, width, 1);
    packRgba(dstFormat, dst, dstOffset + y * dstStride, 0, row, 0, 0, width, 1);
  }
}

function convertDepthStencil(
  to: FormatDescription,
  dst: Uint8Array,
  dstOffset: number,
  dstStride: number,
  from: FormatDescription,
  src: Uint8Array,
  srcOffset: number,
  srcStride: number,
  width: number,
  height: number,
): void {
  if (depthRow.length < width) depthRow = new Float64Array(width);
  if (stencilRow.length < width) stencilRow = new Uint8Array(width);
  const depth = to.hasDepth && from.hasDepth;
  const stencil = to.hasStencil && from.hasStencil;
  if (!depth && !stencil) throw new RangeError(`no conversion from ${from.name} to ${to.name}`);
  for (let y = 0; y < height; y++) {
    const at = srcOffset + y * srcStride;
    const out = dstOffset + y * dstStride;
    if (depth) {
      unpackDepth(from.name, depthRow, 0, 0, src, at, 0, width, 1);
      packDepth(to.name, dst, out, 0, depthRow, 0, 0, width, 1);
    }
    if (stencil) {
      unpackStencil(from.name, stencilRow, 0, 0, src, at, 0, width, 1);
      packStencil(to.name, dst, out, 0, stencilRow, 0, 0, width, 1);
    }
  }
}
