// Draw calls: check, bring the pipe up to date, hand over one DrawInfo.

import type { DrawInfo } from '../pipe/context.ts';
import type { PipeStatus } from '../pipe/defines.ts';
import type { Context } from './context.ts';
import { DIRTY_ALL } from './dirty.ts';
import { checkDrawArguments, checkDrawState, checkInstancedArrays, checkVertexRange } from './draw-checks.ts';
import { checkIndexRange, checkIndexSource, drawnRange, placeIndices, restartIndexOf } from './draw-indices.ts';
import { accepts, INDEX_TYPES, PRIMITIVE_MODES, toPipe } from './enums.table.ts';
import { invalidEnum, invalidOperation, invalidValue, outOfMemory, warn } from './errors.ts';
import { updateState } from './state-update.ts';
import { checkFeedbackDraw, feedbackDrawn } from './transform-feedback.ts';
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
  if (!hasVertexInput(context, call)) return;
  if (readsClientArrays(context) && !copyClientArrays(context, call, first, first + count - 1, instances, baseInstance))
    return;
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

/** False: an error was recorded. */
function hasVertexInput(context: Context, call: string): boolean {
  if (!context.pipeState.vertexInput.outOfMemory) return true;
  outOfMemory(context, call, 'no memory for the generic attribute values');
  return false;
}

function readsClientArrays(context: Context): boolean {
  return context.pipeState.vertexInput.layout.clientArrays.length > 0;
}

/** False: an error was recorded. */
function copyClientArrays(
  context: Context,
  call: string,
  first: number,
  last: number,
  instances: number,
  baseInstance: number,
): boolean {
  if (uploadClientArrays(context, Math.max(first, 0), Math.max(last, 0), instances, baseInstance)) return true;
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
  if (!placeIndices(context, call, indices, count, indexSize) || !hasVertexInput(context, call)) return;
  if (readsClientArrays(context)) {
    const range = drawnRange(context, call, indices, count, indexSize, restartIndex);
    if (range === null) return;
    const [first, last] = [range.min + baseVertex, range.max + baseVertex];
    if (!copyClientArrays(context, call, first, last, instances, baseInstance)) return;
  }
  const info = context.drawInfo;
  info.mode = toPipe(PRIMITIVE_MODES, mode);
  info.start = 0;
  info.instanceCount = instances;
  info.startInstance = baseInstance;
  info.baseVertex = baseVertex;
  info.drawId = drawId;
  info.indexSize = indexSize;
  info.primitiveRestart = restartIndex >= 0;
  info.restartIndex = Math.max(restartIndex, 0);
  if (info.count > 0) finishDraw(context, call, context.pipe.drawVbo(info));
}
