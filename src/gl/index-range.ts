// The largest vertex index that a draw reads: for WebGL's range check and for copying client arrays.

import { readBuffer } from './buffer-data.ts';
import type { BufferObject } from './buffer-object.ts';
import type { Context } from './context.ts';

export interface IndexRange {
  /** Smallest and largest index; largest −1 when there is none (all restart). */
  readonly min: number;
  readonly max: number;
}

/** Indices in memory, seen with their width. */
export function indexView(bytes: Uint8Array, indexSize: 1 | 2 | 4): Uint8Array | Uint16Array | Uint32Array {
  if (indexSize === 1) return bytes;
  const aligned = bytes.byteOffset % indexSize === 0 ? bytes : bytes.slice();
  const count = Math.floor(aligned.byteLength / indexSize);
  return indexSize === 2
    ? new Uint16Array(aligned.buffer, aligned.byteOffset, count)
    : new Uint32Array(aligned.buffer, aligned.byteOffset, count);
}

/** `restartIndex` −1: none is left out. */
export function scanIndices(indices: ArrayLike<number>, restartIndex: number): IndexRange {
  let min = Number.POSITIVE_INFINITY;
  let max = -1;
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i]!;
    if (index === restartIndex) continue;
    if (index < min) min = index;
    if (index > max) max = index;
  }
  return { min: max < 0 ? 0 : min, max };
}

/** Ranges kept per buffer before the cache starts anew. */
const CACHE_SIZE = 256;

/**
 * The range of `count` indices at `offset` of a buffer. Found once per (offset, count, type) until the buffer changes: draws of
 * static meshes never scan again. Null: the buffer could not be read (OUT_OF_MEMORY was recorded).
 */
export function bufferIndexRange(
  context: Context,
  call: string,
  buffer: BufferObject,
  offset: number,
  count: number,
  indexSize: 1 | 2 | 4,
  restartIndex: number,
): IndexRange | null {
  const key = `${offset} ${count} ${indexSize} ${restartIndex}`;
  if (buffer.indexRanges === null || buffer.indexRanges.size >= CACHE_SIZE) buffer.indexRanges = new Map();
  const known = buffer.indexRanges.get(key);
  if (known !== undefined) return known;
  const bytes = new Uint8Array(count * indexSize);
  if (!readBuffer(context, call, buffer, offset, bytes)) return null;
  const range = scanIndices(indexView(bytes, indexSize), restartIndex);
  buffer.indexRanges.set(key, range);
  return range;
}
