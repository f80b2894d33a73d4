// Packs and unpacks depth and stencil. Writing one of the two leaves the other's bits alone.

import { type Format, type FormatDescription, formatDescription } from './format.ts';
import { roundEven } from './pack.ts';

/** Float64Array keeps 32-bit normalized depth exact. */
export type DepthArray = Float32Array | Float64Array;

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function describe(format: Format, part: 'hasDepth' | 'hasStencil'): FormatDescription {
  const description = formatDescription(format);
  if (!description[part]) throw new RangeError(`${format} has no ${part === 'hasDepth' ? 'depth' : 'stencil'}`);
  return description;
}

/** The integer of a normalized depth of `bits` bits: clamped, round to nearest. */
export function depthToInteger(depth: number, bits: number): number {
  const max = 2 ** bits - 1;
  return depth > 0 ? (depth < 1 ? roundEven(depth * max) : max) : 0;
}

/** Offsets and strides of `dst` count elements, those of `src` bytes. */
export function unpackDepth(
  format: Format,
  dst: DepthArray,
  dstOffset: number,
  dstStride: number,
  src: Uint8Array,
  srcOffset: number,
  srcStride: number,
  width: number,
  height: number,
): void {
  const { channels, swizzle, blockBytes } = describe(format, 'hasDepth');
  const { type, bits, shift } = channels[swizzle[0]]!;
  const view = viewOf(src);
  const max = 2 ** bits - 1;
  for (let y = 0; y < height; y++) {
    let from = srcOffset + y * srcStride;
    let at = dstOffset + y * dstStride;
    for (let x = 0; x < width; x++, from += blockBytes, at++) {
      if (type === 'float') dst[at] = view.getFloat32(from, true);
      else if (blockBytes === 2) dst[at] = view.getUint16(from, true) / max;
      else dst[at] = (((view.getUint32(from, true) >>> shift) & max) >>> 0) / max;
    }
  }
}

/** Offsets and strides of `src` count elements, those of `dst` bytes. Stencil bits in `dst` are kept, padding becomes 0. */
export function packDepth(
  format: Format,
  dst: Uint8Array,
  dstOffset: number,
  dstStride: number,
  src: DepthArray,
  srcOffset: number,
  srcStride: number,
  width: number,
  height: number,
): void {
  const { channels, swizzle, blockBytes, hasStencil } = describe(format, 'hasDepth');
  const { type, bits, shift } = channels[swizzle[0]]!;
  const view = viewOf(dst);
  const keep = hasStencil ? ~((2 ** bits - 1) << shift) : 0;
  for (let y = 0; y < height; y++) {
    let from = srcOffset + y * srcStride;
    let at = dstOffset + y * dstStride;
    for (let x = 0; x < width; x++, from++, at += blockBytes) {
      const depth = src[from]!;
      if (type === 'float') view.setFloat32(at, depth, true);
      else if (blockBytes === 2) view.setUint16(at, depthToInteger(depth, 16), true);
      else view.setUint32(at, (view.getUint32(at, true) & keep) | (depthToInteger(depth, bits) << shift), true);
    }
  }
}

function stencilByte(description: FormatDescription): number {
  return description.channels[description.swizzle[1]]!.shift >> 3;
}

/** All offsets and strides count bytes (`dst` has one byte a pixel). */
export function unpackStencil(
  format: Format,
  dst: Uint8Array,
  dstOffset: number,
  dstStride: number,
  src: Uint8Array,
  srcOffset: number,
  srcStride: number,
  width: number,
  height: number,
): void {
  const description = describe(format, 'hasStencil');
  const byte = stencilByte(description);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      dst[dstOffset + y * dstStride + x] = src[srcOffset + y * srcStride + x * description.blockBytes + byte]!;
}

/** All offsets and strides count bytes (`src` has one byte a pixel). Depth bits in `dst` are kept. */
export function packStencil(
  format: Format,
  dst: Uint8Array,
  dstOffset: number,
  dstStride: number,
  src: Uint8Array,
  srcOffset: number,
  srcStride: number,
  width: number,
  height: number,
): void {
  const description = describe(format, 'hasStencil');
  const byte = stencilByte(description);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      dst[dstOffset + y * dstStride + x * description.blockBytes + byte] = src[srcOffset + y * srcStride + x]!;
}

/** The bytes of one pixel of a depth, stencil or depth-stencil format: clear values. */
export function packDepthStencilPixel(format: Format, depth: number, stencil: number): Uint8Array {
  const description = formatDescription(format);
  const dst = new Uint8Array(description.blockBytes);
  if (description.hasDepth) packDepth(format, dst, 0, 0, Float64Array.of(depth), 0, 0, 1, 1);
  if (description.hasStencil) packStencil(format, dst, 0, 0, Uint8Array.of(stencil & 0xff), 0, 0, 1, 1);
  return dst;
}
