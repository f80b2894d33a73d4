// Contents of buffer objects: bufferData, bufferSubData, copies, readback and mapping.

import { copyBytes } from '../base/copy-bytes.ts';
import type { ResourceUsage } from '../pipe/defines.ts';
import { BIND, MAP } from '../pipe/defines.ts';
import type { Resource } from '../pipe/resource.ts';
import { boundBuffer, bufferTarget } from './buffer-bindings.ts';
import type { BufferMapping, BufferObject } from './buffer-object.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import { accepts, BUFFER_USAGES, toPipe } from './enums.table.ts';
import { invalidEnum, invalidOperation, invalidValue, outOfMemory } from './errors.ts';

const BUFFER_BIND = BIND.VERTEX_BUFFER | BIND.INDEX_BUFFER | BIND.CONSTANT_BUFFER | BIND.STREAM_OUTPUT;

function createStorage(context: Context, size: number, usage: ResourceUsage): Resource | null {
  return context.screen.createResource({
    target: 'buffer',
    format: 'R8_UINT',
    width: size,
    height: 1,
    depth: 1,
    arraySize: 1,
    levels: 1,
    samples: 1,
    bind: BUFFER_BIND,
    usage,
  });
}

/** The vertex, index, uniform or feedback state that may point into the buffer must be handed over again. */
function storageChanged(context: Context): void {
  context.bufferEpoch++;
  context.dirty |= DIRTY.VERTEX_BUFFERS | DIRTY.UNIFORM_BUFFERS | DIRTY.TRANSFORM_FEEDBACK;
}

export function contentsChanged(buffer: BufferObject): void {
  buffer.contentVersion++;
  buffer.indexRanges = null;
}

/** `data` null leaves the contents zero. */
export function bufferData(
  context: Context,
  target: number,
  size: number,
  data: Uint8Array | null,
  usage: number,
): void {
  const row = bufferTarget(context, 'bufferData', target);
  if (row === undefined) return;
  if (!accepts(context, BUFFER_USAGES, usage)) return invalidEnum(context, 'bufferData', 'usage', usage);
  if (size < 0) return invalidValue(context, 'bufferData', `size ${size} is negative`);
  const buffer = row.get(context);
  if (buffer === null) return invalidOperation(context, 'bufferData', 'no buffer is bound to the target');
  // Its storage is a target of the pipe now.
  if (isCaptured(context, buffer))
    return invalidOperation(context, 'bufferData', 'transform feedback writes the buffer');
  if (!checkSingleUse(context, 'bufferData', buffer)) return;

  if (data !== null && keepsStorage(buffer, size, data, usage)) {
    endMapping(buffer);
    return writeBuffer(context, 'bufferData', buffer, 0, data.subarray(0, size));
  }
  let resource: Resource | null = null;
  if (size > 0) {
    resource = size <= 0xffffffff ? createStorage(context, size, toPipe(BUFFER_USAGES, usage)) : null;
    if (resource === null) return outOfMemory(context, 'bufferData', `no memory for ${size} bytes`);
    if (data !== null && data.byteLength > 0) {
      const status = context.pipe.bufferSubdata(resource, MAP.DISCARD_WHOLE_RESOURCE, 0, data.subarray(0, size));
      if (status !== 'ok') {
        resource.destroy();
        return outOfMemory(context, 'bufferData', `storing ${size} bytes failed (${status})`);
      }
    }
  }
  endMapping(buffer);
  buffer.resource?.destroy();
  buffer.resource = resource;
  buffer.size = size;
  buffer.usage = usage;
  contentsChanged(buffer);
  storageChanged(context);
}

/** Streams define their buffer anew each time: where all of it is written, the pipe keeps apart what draws still read. */
function keepsStorage(buffer: BufferObject, size: number, data: Uint8Array, usage: number): boolean {
  return buffer.resource?.width === size && buffer.usage === usage && data.byteLength >= size;
}

export function bufferSubData(context: Context, target: number, offset: number, data: Uint8Array): void {
  const buffer = boundBuffer(context, 'bufferSubData', target);
  if (buffer === undefined) return;
  if (offset < 0 || offset + data.byteLength > buffer.size)
    return invalidValue(
      context,
      'bufferSubData',
      `range ${offset}…${offset + data.byteLength} exceeds the buffer's ${buffer.size} bytes`,
    );
  if (buffer.mapping !== null) return invalidOperation(context, 'bufferSubData', 'the buffer is mapped');
  if (!checkSingleUse(context, 'bufferSubData', buffer)) return;
  if (data.byteLength === 0) return;
  writeBuffer(context, 'bufferSubData', buffer, offset, data);
}

function writeBuffer(context: Context, call: string, buffer: BufferObject, offset: number, data: Uint8Array): void {
  const whole = offset === 0 && data.byteLength === buffer.size;
  const usage = whole ? MAP.DISCARD_WHOLE_RESOURCE : MAP.DISCARD_RANGE;
  const status = context.pipe.bufferSubdata(buffer.resource!, usage, offset, data);
  if (status !== 'ok') return outOfMemory(context, call, `storing ${data.byteLength} bytes failed (${status})`);
  contentsChanged(buffer);
}

/** Copies bytes out of a buffer; false: out of memory (recorded). Ranges were checked. */
export function readBuffer(
  context: Context,
  call: string,
  buffer: BufferObject,
  offset: number,
  into: Uint8Array,
): boolean {
  if (into.byteLength === 0) return true;
  const box = { x: offset, y: 0, z: 0, width: into.byteLength, height: 1, depth: 1 };
  const transfer = context.pipe.transferMap(buffer.resource!, 0, MAP.READ, box);
  if (transfer === null) {
    outOfMemory(context, call, 'mapping the buffer failed');
    return false;
  }
  copyBytes(into, 0, transfer.data.subarray(0, into.byteLength));
  context.pipe.transferUnmap(transfer);
  return true;
}

/** Not in GLES; WebGL 2's getBufferSubData. */
export function getBufferSubData(context: Context, target: number, offset: number, into: Uint8Array): void {
  const call = 'getBufferSubData';
  const buffer = boundBuffer(context, call, target);
  if (buffer === undefined) return;
  if (offset < 0 || offset + into.byteLength > buffer.size)
    return invalidValue(
      context,
      call,
      `range ${offset}…${offset + into.byteLength} exceeds the buffer's ${buffer.size} bytes`,
    );
  if (target === GL.TRANSFORM_FEEDBACK_BUFFER && context.transformFeedback.active)
    return invalidOperation(context, call, 'transform feedback is active');
  if (!checkSingleUse(context, call, buffer)) return;
  readBuffer(context, call, buffer, offset, into);
}

/** Written by any transform feedback object that is active, paused or not, bound or not. */
function isCaptured(context: Context, buffer: BufferObject): boolean {
  if (buffer.transformFeedbackBindings === 0) return false;
  for (const object of context.feedbackObjects)
    if (object.active && object.bindings.some((binding) => binding.buffer === buffer)) return true;
  return false;
}

/** Bound to an indexed binding of the transform feedback object in use, active or not. */
export function isBoundForFeedback(context: Context, buffer: BufferObject): boolean {
  if (buffer.transformFeedbackBindings === 0) return false;
  return context.transformFeedback.bindings.some((binding) => binding.buffer === buffer);
}

/** Bound anywhere but for transform feedback. */
export function isBoundElsewhere(context: Context, buffer: BufferObject): boolean {
  return (
    buffer === context.arrayBuffer ||
    buffer === context.copyReadBuffer ||
    buffer === context.copyWriteBuffer ||
    buffer === context.pixelPackBuffer ||
    buffer === context.pixelUnpackBuffer ||
    buffer === context.uniformBuffer ||
    buffer === context.vertexArray.elementBuffer ||
    context.vertexArray.attributes.some((attribute) => attribute.enabled && attribute.buffer === buffer) ||
    context.uniformBufferBindings.some((binding) => binding.buffer === buffer)
  );
}

/** WebGL 2 §5.1: what is bound for transform feedback and elsewhere can't be used. False after INVALID_OPERATION. */
function checkSingleUse(context: Context, call: string, buffer: BufferObject): boolean {
  if (!context.rules.feedbackLoopIsError || !isBoundForFeedback(context, buffer) || !isBoundElsewhere(context, buffer))
    return true;
  invalidOperation(context, call, 'the buffer is bound for transform feedback and to another target');
  return false;
}

export function copyBufferSubData(
  context: Context,
  readTarget: number,
  writeTarget: number,
  readOffset: number,
  writeOffset: number,
  size: number,
): void {
  const call = 'copyBufferSubData';
  const source = boundBuffer(context, call, readTarget);
  if (source === undefined) return;
  const destination = boundBuffer(context, call, writeTarget);
  if (destination === undefined) return;
  if (readOffset < 0 || writeOffset < 0 || size < 0)
    return invalidValue(context, call, 'an offset or the size is negative');
  if (readOffset + size > source.size || writeOffset + size > destination.size)
    return invalidValue(context, call, 'the range exceeds a buffer');
  if (source === destination && readOffset < writeOffset + size && writeOffset < readOffset + size)
    return invalidValue(context, call, 'the ranges overlap');
  if (source.mapping !== null || destination.mapping !== null)
    return invalidOperation(context, call, 'a buffer is mapped');
  if (context.rules.separateElementBuffers && !compatibleKinds(source, destination))
    return invalidOperation(context, call, 'element array data and other data cannot be copied to each other');
  if (!checkSingleUse(context, call, source) || !checkSingleUse(context, call, destination)) return;
  if (size === 0) return;
  const box = { x: readOffset, y: 0, z: 0, width: size, height: 1, depth: 1 };
  const status = context.pipe.copyRegion(destination.resource!, 0, writeOffset, 0, 0, source.resource!, 0, box);
  if (status !== 'ok') return outOfMemory(context, call, `the copy failed (${status})`);
  contentsChanged(destination);
}

function compatibleKinds(source: BufferObject, destination: BufferObject): boolean {
  if (destination.webglKind === 'undefined') destination.webglKind = source.webglKind;
  return source.webglKind === destination.webglKind || source.webglKind === 'undefined';
}

const MAP_BITS =
  GL.MAP_READ_BIT |
  GL.MAP_WRITE_BIT |
  GL.MAP_INVALIDATE_RANGE_BIT |
  GL.MAP_INVALIDATE_BUFFER_BIT |
  GL.MAP_FLUSH_EXPLICIT_BIT |
  GL.MAP_UNSYNCHRONIZED_BIT;

/** ES 3.0.6 §2.9.3. Returns the mapped bytes, valid until unmapBuffer; null after an error. */
export function mapBufferRange(
  context: Context,
  target: number,
  offset: number,
  length: number,
  access: number,
): Uint8Array | null {
  const call = 'mapBufferRange';
  const buffer = boundBuffer(context, call, target);
  if (buffer === undefined) return null;
  const problem = mapProblem(buffer, offset, length, access);
  if (problem !== null) {
    (problem.isValue ? invalidValue : invalidOperation)(context, call, problem.reason);
    return null;
  }
  return map(context, call, buffer, offset, length, access);
}

function mapProblem(
  buffer: BufferObject,
  offset: number,
  length: number,
  access: number,
): { isValue: boolean; reason: string } | null {
  const value = (reason: string) => ({ isValue: true, reason });
  const operation = (reason: string) => ({ isValue: false, reason });
  if (offset < 0 || length < 0) return value('offset or length is negative');
  if (offset + length > buffer.size) return value(`range ${offset}…${offset + length} exceeds ${buffer.size} bytes`);
  if ((access & ~MAP_BITS) !== 0) return value('access has unknown bits');
  if (length === 0) return operation('length is 0');
  if (buffer.mapping !== null) return operation('the buffer is mapped already');
  if ((access & (GL.MAP_READ_BIT | GL.MAP_WRITE_BIT)) === 0)
    return operation('neither read nor write access is asked for');
  const discards = GL.MAP_INVALIDATE_RANGE_BIT | GL.MAP_INVALIDATE_BUFFER_BIT | GL.MAP_UNSYNCHRONIZED_BIT;
  if ((access & GL.MAP_READ_BIT) !== 0 && (access & discards) !== 0)
    return operation('read access cannot be combined with invalidation or unsynchronized access');
  if ((access & GL.MAP_FLUSH_EXPLICIT_BIT) !== 0 && (access & GL.MAP_WRITE_BIT) === 0)
    return operation('explicit flushing needs write access');
  return null;
}

function map(
  context: Context,
  call: string,
  buffer: BufferObject,
  offset: number,
  length: number,
  access: number,
): Uint8Array | null {
  const has = (bit: number) => (access & bit) !== 0;
  const usage =
    (has(GL.MAP_READ_BIT) ? MAP.READ : 0) |
    (has(GL.MAP_WRITE_BIT) ? MAP.WRITE : 0) |
    (has(GL.MAP_INVALIDATE_RANGE_BIT) ? MAP.DISCARD_RANGE : 0) |
    (has(GL.MAP_INVALIDATE_BUFFER_BIT) ? MAP.DISCARD_WHOLE_RESOURCE : 0) |
    (has(GL.MAP_UNSYNCHRONIZED_BIT) ? MAP.UNSYNCHRONIZED : 0) |
    (has(GL.MAP_FLUSH_EXPLICIT_BIT) ? MAP.FLUSH_EXPLICIT : 0);
  const { pipe } = context;
  const box = { x: offset, y: 0, z: 0, width: length, height: 1, depth: 1 };
  const transfer = pipe.transferMap(buffer.resource!, 0, usage, box);
  if (transfer === null) {
    outOfMemory(context, call, `mapping ${length} bytes failed`);
    return null;
  }
  const bytes = transfer.data.subarray(0, length);
  const mapping: BufferMapping = {
    access,
    offset,
    length,
    bytes,
    flush: (start, size) =>
      pipe.transferFlushRegion(transfer, { x: start, y: 0, z: 0, width: size, height: 1, depth: 1 }),
    end: () => pipe.transferUnmap(transfer),
  };
  buffer.mapping = mapping;
  // Draws may not use it now.
  storageChanged(context);
  return bytes;
}

/** OES_mapbuffer: the whole buffer for writing. */
export function mapBuffer(context: Context, target: number, access: number): Uint8Array | null {
  if (access !== GL.WRITE_ONLY_OES) {
    invalidEnum(context, 'mapBuffer', 'access', access);
    return null;
  }
  const buffer = boundBuffer(context, 'mapBuffer', target);
  if (buffer === undefined) return null;
  return mapBufferRange(context, target, 0, buffer.size, GL.MAP_WRITE_BIT);
}

/** `offset` is relative to the mapping. */
export function flushMappedBufferRange(context: Context, target: number, offset: number, length: number): void {
  const call = 'flushMappedBufferRange';
  const buffer = boundBuffer(context, call, target);
  if (buffer === undefined) return;
  const mapping = buffer.mapping;
  if (offset < 0 || length < 0) return invalidValue(context, call, 'offset or length is negative');
  if (mapping === null || (mapping.access & GL.MAP_FLUSH_EXPLICIT_BIT) === 0)
    return invalidOperation(context, call, 'the buffer is not mapped for explicit flushing');
  if (offset + length > mapping.length) return invalidValue(context, call, 'the range exceeds the mapping');
  mapping.flush(offset, length);
  contentsChanged(buffer);
}

/** Returns false only after an error: contents are never lost. */
export function unmapBuffer(context: Context, target: number): boolean {
  const buffer = boundBuffer(context, 'unmapBuffer', target);
  if (buffer === undefined) return false;
  if (buffer.mapping === null) {
    invalidOperation(context, 'unmapBuffer', 'the buffer is not mapped');
    return false;
  }
  endMapping(buffer);
  return true;
}

function endMapping(buffer: BufferObject): void {
  if (buffer.mapping === null) return;
  if ((buffer.mapping.access & GL.MAP_WRITE_BIT) !== 0) contentsChanged(buffer);
  buffer.mapping.end();
  buffer.mapping = null;
}

/** Value of glGetBufferParameter{iv,i64v}; undefined after an error. */
export function getBufferParameter(context: Context, target: number, pname: number): number | boolean | undefined {
  const call = 'getBufferParameter';
  const buffer = boundBuffer(context, call, target);
  if (buffer === undefined) return undefined;
  if (pname === GL.BUFFER_SIZE) return buffer.size;
  if (pname === GL.BUFFER_USAGE) return buffer.usage;
  const mapping = buffer.mapping;
  if (!context.rules.webgl) {
    if (pname === GL.BUFFER_MAPPED) return mapping !== null;
    if (pname === GL.BUFFER_ACCESS_OES && context.isEnabled('OES_mapbuffer')) return GL.WRITE_ONLY_OES;
    if (pname === GL.BUFFER_ACCESS_FLAGS && context.version >= 3) return mapping?.access ?? 0;
    if (pname === GL.BUFFER_MAP_LENGTH && context.version >= 3) return mapping?.length ?? 0;
    if (pname === GL.BUFFER_MAP_OFFSET && context.version >= 3) return mapping?.offset ?? 0;
  }
  return invalidEnum(context, call, 'pname', pname);
}
