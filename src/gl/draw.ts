// Draw calls: check, bring the pipe up to date, hand over one DrawInfo.

import type { DrawInfo } from '../pipe/context.ts';
import type { PipeStatus } from '../pipe/defines.ts';
import type { Resource } from '../pipe/resource.ts';
import { isBoundForFeedback, readBuffer } from './buffer-data.ts';
import type { Context } from './context.ts';
import { DIRTY_ALL } from './dirty.ts';
import { checkDrawArguments, checkDrawState, checkInstancedArrays, checkVertexRange } from './draw-checks.ts';
import { accepts, INDEX_TYPES, PRIMITIVE_MODES, toPipe } from './enums.table.ts';
import { invalidEnum, invalidOperation, invalidValue, outOfMemory, warn } from './errors.ts';
import { bufferIndexRange, type IndexRange, indexView, scanIndices } from './index-range.ts';
import type { Executable } from './program-executable.ts';
import { updateState } from './state-update.ts';
import { checkFeedbackDraw, feedbackDrawn } from './transform-feedback.ts';
import { mayUseClientMemory } from './vertex-arrays.ts';
import { uploadClientArrays } from './vertex-update.ts';

export function createDrawInfo(): DrawInfo {
  return {
    mode: 'triangles',
    start: 0,
    count: 0,
    instanceCount: 1,
    startInstance: 0,
    indexBuffer: null,
    indexOffsetBytes: 0,
    indexSize: 2,
    baseVertex: 0,
    primitiveRestart: false,
    restartIndex: 0,
    drawId: 0,
  };
}

export function drawArrays(context: Context, mode: number, first: number, count: number): void {
  drawArraysChecked(context, 'drawArrays', mode, first, count, 1, false);
}

export function drawArraysInstanced(
  context: Context,
  mode: number,
  first: number,
  count: number,
  instanceCount: number,
): void {
  drawArraysChecked(context, 'drawArraysInstanced', mode, first, count, instanceCount, true);
}

function drawArraysChecked(
  context: Context,
  call: string,
  mode: number,
  first: number,
  count: number,
  instances: number,
  isInstanced: boolean,
): void {
  if (!checkDrawArguments(context, call, mode, count, instances)) return;
  if (first < 0) return invalidValue(context, call, `first ${first} is negative`);
  if (!checkFeedbackDraw(context, call, mode, count, instances)) return;
  const executable = checkDrawState(context, call);
  if (executable === null || (isInstanced && !checkInstancedArrays(context, call, executable))) return;
  if (count === 0 || instances === 0) return;
  const last = first + count - 1;
  if (last > 0xffffffff) return invalidOperation(context, call, 'first + count exceeds 32 bits');
  if (context.rules.indexRangeCheck && !checkVertexRange(context, call, executable, last, instances)) return;

  updateState(context, DIRTY_ALL);
  if (!prepareVertices(context, call, () => ({ min: first, max: last }), instances)) return;
  const info = context.drawInfo;
  info.mode = toPipe(PRIMITIVE_MODES, mode);
  info.start = first;
  info.count = count;
  info.instanceCount = instances;
  info.indexBuffer = null;
  info.primitiveRestart = false;
  finishDraw(context, call, context.pipe.drawVbo(info));
  feedbackDrawn(context, count, instances);
}

/** Copies client arrays, if the program reads any. False: an error was recorded. */
function prepareVertices(context: Context, call: string, range: () => IndexRange | null, instances: number): boolean {
  const input = context.pipeState.vertexInput;
  if (input.outOfMemory) {
    outOfMemory(context, call, 'no memory for the generic attribute values');
    return false;
  }
  if (input.clientArrays.length === 0) return true;
  const vertices = range();
  if (vertices === null) return false;
  if (uploadClientArrays(context, vertices.min, Math.max(vertices.max, 0), instances)) return true;
  outOfMemory(context, call, 'no memory for the client vertex arrays');
  return false;
}

function finishDraw(context: Context, call: string, status: PipeStatus): void {
  context.pipeState.uploads.endDraw();
  if (status === 'ok') return;
  if (status === 'lost') return warn(context, `${call}: the device is lost`);
  outOfMemory(
    context,
    call,
    status === 'tooComplex' ? 'the backend cannot make code for this program and state' : 'the draw needs more memory',
  );
}

/** `indices`: an offset into the element array buffer, or client memory where the rules allow it. */
export function drawElements(
  context: Context,
  mode: number,
  count: number,
  type: number,
  indices: number | ArrayBufferView | null,
): void {
  drawElementsChecked(context, 'drawElements', mode, count, type, indices, 1, false);
}

export function drawElementsInstanced(
  context: Context,
  mode: number,
  count: number,
  type: number,
  indices: number | ArrayBufferView | null,
  instanceCount: number,
): void {
  drawElementsChecked(context, 'drawElementsInstanced', mode, count, type, indices, instanceCount, true);
}

/** `start` and `end` promise the range of the indices; nothing here depends on the promise being kept. */
export function drawRangeElements(
  context: Context,
  mode: number,
  start: number,
  end: number,
  count: number,
  type: number,
  indices: number | ArrayBufferView | null,
): void {
  if (end < start) return invalidValue(context, 'drawRangeElements', `end ${end} is less than start ${start}`);
  drawElementsChecked(context, 'drawRangeElements', mode, count, type, indices, 1, false);
}

function drawElementsChecked(
  context: Context,
  call: string,
  mode: number,
  count: number,
  type: number,
  indices: number | ArrayBufferView | null,
  instances: number,
  isInstanced: boolean,
): void {
  if (!checkDrawArguments(context, call, mode, count, instances)) return;
  if (!accepts(context, INDEX_TYPES, type)) return invalidEnum(context, call, 'type', type);
  const indexSize = toPipe(INDEX_TYPES, type);
  if (!checkIndexSource(context, call, indices, instances === 0 ? 0 : count, indexSize)) return;
  if (!checkFeedbackDraw(context, call, mode, null, instances)) return;
  const executable = checkDrawState(context, call);
  if (executable === null || (isInstanced && !checkInstancedArrays(context, call, executable))) return;
  if (count === 0 || instances === 0) return;
  const restartIndex = restart(context) ? 2 ** (indexSize * 8) - 1 : -1;
  if (!checkIndexRange(context, call, executable, indices, count, indexSize, restartIndex, instances)) return;

  updateState(context, DIRTY_ALL);
  const source = indexSource(context, call, indices, count, indexSize);
  if (source === null) return;
  if (!prepareVertices(context, call, () => source.range(restartIndex), instances)) return;
  const info = context.drawInfo;
  info.mode = toPipe(PRIMITIVE_MODES, mode);
  info.start = 0;
  info.count = source.count;
  info.instanceCount = instances;
  info.indexBuffer = source.buffer;
  info.indexOffsetBytes = source.offsetBytes;
  info.indexSize = indexSize;
  info.primitiveRestart = restartIndex >= 0;
  info.restartIndex = Math.max(restartIndex, 0);
  if (source.count > 0) finishDraw(context, call, context.pipe.drawVbo(info));
}

/** WebGL 2 always restarts at the largest index; GLES 3 when it is enabled. */
function restart(context: Context): boolean {
  if (context.version < 3) return false;
  return context.rules.fixedPrimitiveRestart || context.rasterizer.primitiveRestartFixedIndex;
}

function checkIndexSource(
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

function checkIndexRange(
  context: Context,
  call: string,
  executable: Executable,
  indices: number | ArrayBufferView | null,
  count: number,
  indexSize: 1 | 2 | 4,
  restartIndex: number,
  instances: number,
): boolean {
  if (!context.rules.indexRangeCheck) return true;
  const buffer = context.vertexArray.elementBuffer!;
  const offset = typeof indices === 'number' ? indices : 0;
  const range = bufferIndexRange(context, call, buffer, offset, count, indexSize, restartIndex);
  return range !== null && checkVertexRange(context, call, executable, range.max, instances);
}

interface IndexSource {
  readonly buffer: Resource;
  readonly offsetBytes: number;
  readonly count: number;
  range(restartIndex: number): IndexRange | null;
}

/** Indices in a pipe buffer at an aligned offset: copied there from client memory or from an unaligned place. Null after an error. */
function indexSource(
  context: Context,
  call: string,
  indices: number | ArrayBufferView | null,
  count: number,
  indexSize: 1 | 2 | 4,
): IndexSource | null {
  const object = context.vertexArray.elementBuffer;
  if (object === null) {
    const view = indices as ArrayBufferView;
    const available = Math.min(count, Math.floor(view.byteLength / indexSize));
    return uploadIndices(context, call, new Uint8Array(view.buffer, view.byteOffset, available * indexSize), indexSize);
  }
  const offset = typeof indices === 'number' ? indices : 0;
  // Robust access: indices beyond the buffer's end are not drawn.
  const available = Math.max(0, Math.min(count, Math.floor((object.size - offset) / indexSize)));
  if (offset % indexSize !== 0) {
    const bytes = new Uint8Array(available * indexSize);
    return readBuffer(context, call, object, offset, bytes) ? uploadIndices(context, call, bytes, indexSize) : null;
  }
  if (object.resource === null) {
    warn(context, `${call}: the element array buffer is empty, nothing is drawn`);
    return null;
  }
  return {
    buffer: object.resource,
    offsetBytes: offset,
    count: available,
    range: (restartIndex) => bufferIndexRange(context, call, object, offset, available, indexSize, restartIndex),
  };
}

function uploadIndices(context: Context, call: string, bytes: Uint8Array, indexSize: 1 | 2 | 4): IndexSource | null {
  const place = context.pipeState.uploads.upload(bytes);
  if (place === null) {
    outOfMemory(context, call, 'no memory for the indices');
    return null;
  }
  return {
    ...place,
    count: bytes.byteLength / indexSize,
    range: (restartIndex) => scanIndices(indexView(bytes, indexSize), restartIndex),
  };
}
