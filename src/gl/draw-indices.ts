// The indices of a draw: where they are, whether a draw may read them, what the pipe reads instead where it cannot.

import { bytesOf } from '../base/bytes-of.ts';
import { isBoundForFeedback, readBuffer } from './buffer-data.ts';
import type { BufferObject } from './buffer-object.ts';
import type { Context } from './context.ts';
import { checkVertexRange } from './draw-checks.ts';
import { invalidOperation, invalidValue, outOfMemory, warn } from './errors.ts';
import { bufferIndexRange, type IndexRange, indexView, scanIndices } from './index-range.ts';
import type { Executable } from './program-executable.ts';
import { mayUseClientMemory } from './vertex-arrays.ts';

const LARGEST_INDEX = { 1: 0xff, 2: 0xffff, 4: 0xffffffff } as const;

/** WebGL 2 always restarts at the largest index; GLES 3 when it is enabled. −1: no restart. */
export function restartIndexOf(context: Context, indexSize: 1 | 2 | 4): number {
  const restarts = context.rules.fixedPrimitiveRestart || context.rasterizer.primitiveRestartFixedIndex;
  return context.version >= 3 && restarts ? LARGEST_INDEX[indexSize] : -1;
}

export function checkIndexSource(
  context: Context,
  call: string,
  indices: number | ArrayBufferView | null,
  count: number,
  indexSize: number,
): boolean {
  const buffer = context.vertexArray.elementBuffer;
  const offset = typeof indices === 'number' ? indices : 0;
  if (offset < 0) invalidValue(context, call, `offset ${offset} is negative`);
  else if (buffer === null) {
    if (mayUseClientMemory(context) && indices !== null && typeof indices === 'object') return true;
    invalidOperation(context, call, 'no buffer is bound to ELEMENT_ARRAY_BUFFER');
  } else if (indices !== null && typeof indices === 'object')
    invalidOperation(context, call, 'an element array buffer is bound: pass an offset, not client memory');
  else if (buffer.mapping !== null) invalidOperation(context, call, 'the element array buffer is mapped');
  else if (context.rules.feedbackLoopIsError && isBoundForFeedback(context, buffer))
    invalidOperation(context, call, 'the element array buffer is bound for transform feedback');
  else if (context.rules.attributeAlignment && offset % indexSize !== 0)
    invalidOperation(context, call, `offset ${offset} is not a multiple of ${indexSize} (WebGL 1 §6.4)`);
  else if (context.rules.indexRangeCheck && count > 0 && offset + count * indexSize > buffer.size)
    invalidOperation(context, call, 'the element array buffer is too short for this draw (WebGL 1 §6.6)');
  else return true;
  return false;
}

export function checkIndexRange(
  context: Context,
  call: string,
  executable: Executable,
  indices: number | ArrayBufferView | null,
  count: number,
  indexSize: 1 | 2 | 4,
  instances: number,
  baseVertex: number,
  baseInstance: number,
): boolean {
  const buffer = context.vertexArray.elementBuffer!;
  const offset = typeof indices === 'number' ? indices : 0;
  const restartIndex = restartIndexOf(context, indexSize);
  const range = bufferIndexRange(context, call, buffer, offset, count, indexSize, restartIndex);
  if (range === null) return false;
  // All restart: no vertex is read.
  const first = range.max < 0 ? 0 : range.min + baseVertex;
  const last = range.max < 0 ? -1 : range.max + baseVertex;
  if (first >= 0 && last <= 0xffffffff)
    return checkVertexRange(context, call, executable, last, instances, baseInstance);
  invalidOperation(context, call, `base vertex ${baseVertex} leads outside of the vertices (WebGL 1 §6.6)`);
  return false;
}

/** Robust access: indices beyond the buffer's end are not drawn. */
function availableIndices(buffer: BufferObject, offset: number, count: number, indexSize: 1 | 2 | 4): number {
  return Math.max(0, Math.min(count, Math.floor((buffer.size - offset) / indexSize)));
}

/**
 * Writes into the context's DrawInfo where the indices are and how many: those that the pipe cannot read in their place are copied.
 * Nothing is made for a draw whose indices are in a buffer. False: an error was recorded, or there is nothing to draw.
 */
export function placeIndices(
  context: Context,
  call: string,
  indices: number | ArrayBufferView | null,
  count: number,
  indexSize: 1 | 2 | 4,
): boolean {
  const info = context.drawInfo;
  const buffer = context.vertexArray.elementBuffer;
  const offset = typeof indices === 'number' ? indices : 0;
  if (buffer === null || offset % indexSize !== 0) return uploadIndices(context, call, indices, count, indexSize);
  if (buffer.resource === null) {
    warn(context, `${call}: the element array buffer is empty, nothing is drawn`);
    return false;
  }
  info.indexBuffer = buffer.resource;
  info.indexOffsetBytes = offset;
  info.count = availableIndices(buffer, offset, count, indexSize);
  return true;
}

/** Indices in client memory, or copied out of a buffer. Null after an error. */
function readIndices(
  context: Context,
  call: string,
  indices: number | ArrayBufferView | null,
  count: number,
  indexSize: 1 | 2 | 4,
): Uint8Array | null {
  const buffer = context.vertexArray.elementBuffer;
  if (buffer === null) {
    const bytes = bytesOf(indices as ArrayBufferView);
    return bytes.subarray(0, Math.min(count, Math.floor(bytes.byteLength / indexSize)) * indexSize);
  }
  const offset = typeof indices === 'number' ? indices : 0;
  const bytes = new Uint8Array(availableIndices(buffer, offset, count, indexSize) * indexSize);
  return readBuffer(context, call, buffer, offset, bytes) ? bytes : null;
}

function uploadIndices(
  context: Context,
  call: string,
  indices: number | ArrayBufferView | null,
  count: number,
  indexSize: 1 | 2 | 4,
): boolean {
  const bytes = readIndices(context, call, indices, count, indexSize);
  if (bytes === null) return false;
  const place = context.pipeState.uploads.upload(bytes);
  if (place === null) {
    outOfMemory(context, call, 'no memory for the indices');
    return false;
  }
  const info = context.drawInfo;
  info.indexBuffer = place.buffer;
  info.indexOffsetBytes = place.offsetBytes;
  info.count = bytes.byteLength / indexSize;
  return true;
}

/** The vertices that a draw's indices name, base vertex not added. Null after an error. */
export function drawnRange(
  context: Context,
  call: string,
  indices: number | ArrayBufferView | null,
  count: number,
  indexSize: 1 | 2 | 4,
  restartIndex: number,
): IndexRange | null {
  const buffer = context.vertexArray.elementBuffer;
  const offset = typeof indices === 'number' ? indices : 0;
  if (buffer !== null && offset % indexSize === 0) {
    const available = availableIndices(buffer, offset, count, indexSize);
    return bufferIndexRange(context, call, buffer, offset, available, indexSize, restartIndex);
  }
  const bytes = readIndices(context, call, indices, count, indexSize);
  return bytes && scanIndices(indexView(bytes, indexSize), restartIndex);
}
