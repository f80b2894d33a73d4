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

interface KnownRange extends IndexRange {
  readonly offset: number;
  readonly count: number;
  readonly indexSize: number;
  readonly restartIndex: number;
}

/** The ranges found in a buffer, by offset, and the one asked for last. */
export interface IndexRanges {
  readonly byOffset: Map<number, KnownRange[]>;
  size: number;
  last: KnownRange | null;
}

function isRange(one: KnownRange, offset: number, count: number, indexSize: number, restartIndex: number): boolean {
  return (
    one.offset === offset && one.count === count && one.indexSize === indexSize && one.restartIndex === restartIndex
  );
}

function findRange(
  ranges: IndexRanges,
  offset: number,
  count: number,
  indexSize: number,
  restartIndex: number,
): KnownRange | null {
  const { last } = ranges;
  if (last !== null && isRange(last, offset, count, indexSize, restartIndex)) return last;
  const list = ranges.byOffset.get(offset);
  if (list === undefined) return null;
  for (let i = 0; i < list.length; i++) {
    if (isRange(list[i]!, offset, count, indexSize, restartIndex)) return (ranges.last = list[i]!);
  }
  return null;
}

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
  if (buffer.indexRanges === null || buffer.indexRanges.size >= CACHE_SIZE)
    buffer.indexRanges = { byOffset: new Map(), size: 0, last: null };
  const ranges = buffer.indexRanges;
  const known = findRange(ranges, offset, count, indexSize, restartIndex);
  if (known !== null) return known;
  const bytes = new Uint8Array(count * indexSize);
  if (!readBuffer(context, call, buffer, offset, bytes)) return null;
  const { min, max } = scanIndices(indexView(bytes, indexSize), restartIndex);
  const range: KnownRange = { min, max, offset, count, indexSize, restartIndex };
  const list = ranges.byOffset.get(offset);
  if (list === undefined) ranges.byOffset.set(offset, [range]);
  else list.push(range);
  ranges.size++;
  ranges.last = range;
  return range;
}
