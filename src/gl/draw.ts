// Draw calls: check, bring the pipe up to date, hand over one DrawInfo.

import { bytesOf } from '../base/bytes-of.ts';
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
  const call = 'drawArrays';
  if (checkDrawArrays(context, call, mode, first, count, 1, false, 0))
    issueArrays(context, call, mode, first, count, 1, 0, 0);
}

export function drawArraysInstanced(
  context: Context,
  mode: number,
  first: number,
  count: number,
  instanceCount: number,
): void {
  const call = 'drawArraysInstanced';
  if (checkDrawArrays(context, call, mode, first, count, instanceCount, true, 0))
    issueArrays(context, call, mode, first, count, instanceCount, 0, 0);
}

export function drawArraysInstancedBaseInstance(
  context: Context,
  mode: number,
  first: number,
  count: number,
  instanceCount: number,
  baseInstance: number,
): void {
  const call = 'drawArraysInstancedBaseInstance';
  if (checkDrawArrays(context, call, mode, first, count, instanceCount, true, baseInstance))
    issueArrays(context, call, mode, first, count, instanceCount, baseInstance, 0);
}

/** False: an error was recorded, or there is nothing to draw with. */
export function checkDrawArrays(
  context: Context,
  call: string,
  mode: number,
  first: number,
  count: number,
  instances: number,
  isInstanced: boolean,
  baseInstance: number,
): boolean {
  if (!checkDrawArguments(context, call, mode, count, instances)) return false;
  if (first < 0) {
    invalidValue(context, call, `first ${first} is negative`);
    return false;
  }
  if (!checkFeedbackDraw(context, call, mode, count, instances)) return false;
  const executable = checkDrawState(context, call);
  if (executable === null || (isInstanced && !checkInstancedArrays(context, call, executable))) return false;
  if (count === 0 || instances === 0) return true;
  const last = first + count - 1;
  if (last > 0xffffffff) {
    invalidOperation(context, call, 'first + count exceeds 32 bits');
    return false;
  }
  return !context.rules.indexRangeCheck || checkVertexRange(context, call, executable, last, instances, baseInstance);
}

/** Hands a draw that was found right to the pipe. */
export function issueArrays(
  context: Context,
  call: string,
  mode: number,
  first: number,
  count: number,
  instances: number,
  baseInstance: number,
  drawId: number,
): void {
  if (count === 0 || instances === 0) return;
  updateState(context, DIRTY_ALL);
  if (!prepareVertices(context, call, () => ({ min: first, max: first + count - 1 }), instances, baseInstance)) return;
  const info = context.drawInfo;
  info.mode = toPipe(PRIMITIVE_MODES, mode);
  info.start = first;
  info.count = count;
  info.instanceCount = instances;
  info.startInstance = baseInstance;
  info.indexBuffer = null;
  info.baseVertex = 0;
  info.primitiveRestart = false;
  info.drawId = drawId;
  finishDraw(context, call, context.pipe.drawVbo(info));
  feedbackDrawn(context, count, instances);
}

/** Copies client arrays, if the program reads any. False: an error was recorded. */
function prepareVertices(
  context: Context,
  call: string,
  range: () => IndexRange | null,
  instances: number,
  baseInstance: number,
): boolean {
  const input = context.pipeState.vertexInput;
  if (input.outOfMemory) {
    outOfMemory(context, call, 'no memory for the generic attribute values');
    return false;
  }
  if (input.clientArrays.length === 0) return true;
  const vertices = range();
  if (vertices === null) return false;
  if (uploadClientArrays(context, Math.max(vertices.min, 0), Math.max(vertices.max, 0), instances, baseInstance))
    return true;
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
  drawElementsChecked(context, 'drawElements', mode, count, type, indices, 1, false, 0, 0);
}

export function drawElementsInstanced(
  context: Context,
  mode: number,
  count: number,
  type: number,
  indices: number | ArrayBufferView | null,
  instanceCount: number,
): void {
  drawElementsChecked(context, 'drawElementsInstanced', mode, count, type, indices, instanceCount, true, 0, 0);
}

export function drawElementsBaseVertex(
  context: Context,
  mode: number,
  count: number,
  type: number,
  indices: number | ArrayBufferView | null,
  baseVertex: number,
): void {
  drawElementsChecked(context, 'drawElementsBaseVertex', mode, count, type, indices, 1, false, baseVertex, 0);
}

export function drawElementsInstancedBaseVertexBaseInstance(
  context: Context,
  mode: number,
  count: number,
  type: number,
  indices: number | ArrayBufferView | null,
  instanceCount: number,
  baseVertex: number,
  baseInstance: number,
): void {
  const call = 'drawElementsInstancedBaseVertexBaseInstance';
  drawElementsChecked(context, call, mode, count, type, indices, instanceCount, true, baseVertex, baseInstance);
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
  baseVertex = 0,
): void {
  if (end < start) return invalidValue(context, 'drawRangeElements', `end ${end} is less than start ${start}`);
  drawElementsChecked(context, 'drawRangeElements', mode, count, type, indices, 1, false, baseVertex, 0);
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
  baseVertex: number,
  baseInstance: number,
): void {
  if (checkDrawElements(context, call, mode, count, type, indices, instances, isInstanced, baseVertex, baseInstance))
    issueElements(context, call, mode, count, type, indices, instances, baseVertex, baseInstance, 0);
}

/** False: an error was recorded, or there is nothing to draw with. */
export function checkDrawElements(
  context: Context,
  call: string,
  mode: number,
  count: number,
  type: number,
  indices: number | ArrayBufferView | null,
  instances: number,
  isInstanced: boolean,
  baseVertex: number,
  baseInstance: number,
): boolean {
  if (!checkDrawArguments(context, call, mode, count, instances)) return false;
  if (!accepts(context, INDEX_TYPES, type)) {
    invalidEnum(context, call, 'type', type);
    return false;
  }
  const indexSize = toPipe(INDEX_TYPES, type);
  if (!checkIndexSource(context, call, indices, instances === 0 ? 0 : count, indexSize)) return false;
  if (!checkFeedbackDraw(context, call, mode, null, instances)) return false;
  const executable = checkDrawState(context, call);
  if (executable === null || (isInstanced && !checkInstancedArrays(context, call, executable))) return false;
  if (count === 0 || instances === 0 || !context.rules.indexRangeCheck) return true;
  return checkIndexRange(context, call, executable, indices, count, indexSize, instances, baseVertex, baseInstance);
}

/** Hands a draw that was found right to the pipe. */
export function issueElements(
  context: Context,
  call: string,
  mode: number,
  count: number,
  type: number,
  indices: number | ArrayBufferView | null,
  instances: number,
  baseVertex: number,
  baseInstance: number,
  drawId: number,
): void {
  if (count === 0 || instances === 0) return;
  updateState(context, DIRTY_ALL);
  const indexSize = toPipe(INDEX_TYPES, type);
  const restartIndex = restartIndexOf(context, indexSize);
  const source = indexSource(context, call, indices, count, indexSize);
  if (source === null) return;
  const range = (): IndexRange | null => {
    const found = source.range(restartIndex);
    return found && { min: found.min + baseVertex, max: found.max + baseVertex };
  };
  if (!prepareVertices(context, call, range, instances, baseInstance)) return;
  const info = context.drawInfo;
  info.mode = toPipe(PRIMITIVE_MODES, mode);
  info.start = 0;
  info.count = source.count;
  info.instanceCount = instances;
  info.startInstance = baseInstance;
  info.indexBuffer = source.buffer;
  info.baseVertex = baseVertex;
  info.drawId = drawId;
  info.indexOffsetBytes = source.offsetBytes;
  info.indexSize = indexSize;
  info.primitiveRestart = restartIndex >= 0;
  info.restartIndex = Math.max(restartIndex, 0);
  if (source.count > 0) finishDraw(context, call, context.pipe.drawVbo(info));
}

/** WebGL 2 always restarts at the largest index; GLES 3 when it is enabled. −1: no restart. */
function restartIndexOf(context: Context, indexSize: 1 | 2 | 4): number {
  const restarts = context.rules.fixedPrimitiveRestart || context.rasterizer.primitiveRestartFixedIndex;
  return context.version >= 3 && restarts ? 2 ** (indexSize * 8) - 1 : -1;
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
    const bytes = bytesOf(indices as ArrayBufferView);
    const available = Math.min(count, Math.floor(bytes.byteLength / indexSize));
    return uploadIndices(context, call, bytes.subarray(0, available * indexSize), indexSize);
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
