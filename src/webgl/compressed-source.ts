// The compressedTex* calls: blocks in a view, or in the pixel unpack buffer (WebGL 2 §3.7.6).

import {
  type CompressedSource,
  compressedTexImage2D,
  compressedTexImage3D,
  compressedTexSubImage2D,
  compressedTexSubImage3D,
} from '../gl/texture-compressed.ts';
import { elementRange } from './element-range.ts';
import type { Face } from './face.ts';
import { toInt32, toInt64, toUint32, toUint64 } from './webidl.ts';

interface Blocks {
  readonly source: CompressedSource;
  readonly size: number;
}

/** `dataOrSize, offset, srcLength` as they were given; undefined after an error, or when their conversion lost the context. */
function blocks(
  face: Face,
  call: string,
  index: number,
  dataOrSize: unknown,
  offset: unknown,
  length: unknown,
): Blocks | undefined {
  if (ArrayBuffer.isView(dataOrSize)) {
    const [first, count] = face.version === 1 ? [0, 0] : [toUint64(offset ?? 0), toUint32(length ?? 0)];
    if (face.isLost) return undefined;
    const bytes = elementRange(face.context, call, dataOrSize, first, count);
    return bytes && { source: bytes, size: bytes.byteLength };
  }
  if (face.version === 1 || offset === undefined || typeof dataOrSize === 'object')
    throw new TypeError(`${call}: argument ${index + 1} is not a view of an ArrayBuffer`);
  const [size, source] = [toInt32(dataOrSize), toInt64(offset)];
  return face.isLost ? undefined : { source, size };
}

export function compressedImage2D(
  face: Face,
  target: number,
  level: number,
  internalFormat: number,
  width: number,
  height: number,
  border: number,
  ...data: unknown[]
): void {
  const from = blocks(face, 'compressedTexImage2D', 6, data[0], data[1], data[2]);
  if (!from) return;
  const { source, size } = from;
  compressedTexImage2D(face.context, target, level, internalFormat, width, height, border, size, source);
}

export function compressedSubImage2D(
  face: Face,
  target: number,
  level: number,
  x: number,
  y: number,
  width: number,
  height: number,
  format: number,
  ...data: unknown[]
): void {
  const from = blocks(face, 'compressedTexSubImage2D', 7, data[0], data[1], data[2]);
  if (!from) return;
  compressedTexSubImage2D(face.context, target, level, x, y, width, height, format, from.size, from.source);
}

export function compressedImage3D(
  face: Face,
  target: number,
  level: number,
  internalFormat: number,
  width: number,
  height: number,
  depth: number,
  border: number,
  ...data: unknown[]
): void {
  const from = blocks(face, 'compressedTexImage3D', 7, data[0], data[1], data[2]);
  if (!from) return;
  const { source, size } = from;
  compressedTexImage3D(face.context, target, level, internalFormat, width, height, depth, border, size, source);
}

export function compressedSubImage3D(
  face: Face,
  target: number,
  level: number,
  x: number,
  y: number,
  z: number,
  width: number,
  height: number,
  depth: number,
  format: number,
  ...data: unknown[]
): void {
  const from = blocks(face, 'compressedTexSubImage3D', 9, data[0], data[1], data[2]);
  if (!from) return;
  const { source, size } = from;
  compressedTexSubImage3D(face.context, target, level, x, y, z, width, height, depth, format, size, source);
}
