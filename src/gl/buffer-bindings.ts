// Binding buffer objects: generic targets, indexed targets, and what deleting a bound buffer does.

import type { BufferObject, IndexedBufferBinding } from './buffer-object.ts';
import { BufferObject as BufferObjectClass } from './buffer-object.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import { invalidEnum, invalidOperation, invalidValue } from './errors.ts';
import { exchange } from './gl-object.ts';

export function createBuffer(context: Context): BufferObject {
  return context.track(new BufferObjectClass());
}

/** One generic binding point: where its buffer is kept. */
interface BufferTarget {
  readonly version: 2 | 3;
  readonly get: (context: Context) => BufferObject | null;
  readonly set: (context: Context, buffer: BufferObject | null) => void;
}

type ContextSlot =
  | 'arrayBuffer'
  | 'copyReadBuffer'
  | 'copyWriteBuffer'
  | 'pixelPackBuffer'
  | 'pixelUnpackBuffer'
  | 'uniformBuffer'
  | 'transformFeedbackBuffer';

function slot(name: ContextSlot, version: 2 | 3): BufferTarget {
  return {
    version,
    get: (context) => context[name],
    set: (context, buffer) => {
      context[name] = exchange(context, context[name], buffer);
    },
  };
}

const BUFFER_TARGETS: ReadonlyMap<number, BufferTarget> = new Map<number, BufferTarget>([
  [GL.ARRAY_BUFFER, slot('arrayBuffer', 2)],
  [
    GL.ELEMENT_ARRAY_BUFFER,
    {
      version: 2,
      get: (context) => context.vertexArray.elementBuffer,
      set: (context, buffer) => {
        context.vertexArray.elementBuffer = exchange(context, context.vertexArray.elementBuffer, buffer);
      },
    },
  ],
  [GL.COPY_READ_BUFFER, slot('copyReadBuffer', 3)],
  [GL.COPY_WRITE_BUFFER, slot('copyWriteBuffer', 3)],
  [GL.PIXEL_PACK_BUFFER, slot('pixelPackBuffer', 3)],
  [GL.PIXEL_UNPACK_BUFFER, slot('pixelUnpackBuffer', 3)],
  [GL.UNIFORM_BUFFER, slot('uniformBuffer', 3)],
  [GL.TRANSFORM_FEEDBACK_BUFFER, slot('transformFeedbackBuffer', 3)],
]);

/** The binding point of a target, or undefined after INVALID_ENUM. */
export function bufferTarget(context: Context, call: string, target: number): BufferTarget | undefined {
  const row = BUFFER_TARGETS.get(target);
  if (row !== undefined && row.version <= context.version) return row;
  return invalidEnum(context, call, 'target', target);
}

/** The buffer bound to a target; undefined after an error (no such target, nothing bound). */
export function boundBuffer(context: Context, call: string, target: number): BufferObject | undefined {
  const row = bufferTarget(context, call, target);
  if (row === undefined) return undefined;
  return row.get(context) ?? invalidOperation(context, call, 'no buffer is bound to the target');
}

/** WebGL 2 §5.1: element array data and other data never share a buffer. */
function checkKind(context: Context, call: string, target: number, buffer: BufferObject | null): boolean {
  if (buffer === null || !context.rules.separateElementBuffers) return true;
  const kind = target === GL.ELEMENT_ARRAY_BUFFER ? 'element' : 'other';
  const takesBoth = target === GL.COPY_READ_BUFFER || target === GL.COPY_WRITE_BUFFER;
  if (buffer.webglKind === 'undefined') buffer.webglKind = kind;
  else if (buffer.webglKind !== kind && !takesBoth) {
    invalidOperation(context, call, 'a buffer holds either element array data or other data (WebGL 1 §6.1)');
    return false;
  }
  return true;
}

export function bindBuffer(context: Context, target: number, buffer: BufferObject | null): void {
  const row = bufferTarget(context, 'bindBuffer', target);
  if (row === undefined || !checkKind(context, 'bindBuffer', target, buffer)) return;
  row.set(context, buffer);
  if (buffer !== null) buffer.wasBound = true;
}

interface IndexedTarget {
  bindings: readonly IndexedBufferBinding[];
  limit: number;
  readonly dirty: number;
  offsetAlignment: number;
  readonly sizeAlignment: number;
  readonly isFeedback: boolean;
}

/** Filled in for the call at work: ranges are bound by the thousand, and make no garbage. */
const uniformTarget: IndexedTarget = {
  bindings: [],
  limit: 0,
  dirty: DIRTY.UNIFORM_BUFFERS,
  offsetAlignment: 1,
  sizeAlignment: 1,
  isFeedback: false,
};
const feedbackTarget: IndexedTarget = {
  bindings: [],
  limit: 0,
  dirty: DIRTY.TRANSFORM_FEEDBACK,
  offsetAlignment: 4,
  sizeAlignment: 4,
  isFeedback: true,
};

function indexedTarget(context: Context, call: string, target: number): IndexedTarget | undefined {
  if (context.version >= 3 && target === GL.UNIFORM_BUFFER) {
    uniformTarget.bindings = context.uniformBufferBindings;
    uniformTarget.limit = context.limits.maxUniformBufferBindings;
    uniformTarget.offsetAlignment = context.limits.uniformBufferOffsetAlignment;
    return uniformTarget;
  }
  if (context.version >= 3 && target === GL.TRANSFORM_FEEDBACK_BUFFER) {
    feedbackTarget.bindings = context.transformFeedback.bindings;
    feedbackTarget.limit = context.limits.maxTransformFeedbackSeparateAttribs;
    return feedbackTarget;
  }
  return invalidEnum(context, call, 'target', target);
}

/** `size` 0 stands for the whole buffer (bindBufferBase). */
function bindIndexed(
  context: Context,
  call: string,
  target: number,
  index: number,
  buffer: BufferObject | null,
  offset: number,
  size: number,
  isRange: boolean,
): void {
  const indexed = indexedTarget(context, call, target);
  if (indexed === undefined) return;
  const binding = indexed.bindings[index];
  if (binding === undefined) return invalidValue(context, call, `index ${index} is not below ${indexed.limit}`);
  if (indexed.isFeedback && context.transformFeedback.active)
    return invalidOperation(context, call, 'transform feedback is active');
  if (isRange && buffer !== null) {
    if (size <= 0) return invalidValue(context, call, `size ${size} is not positive`);
    if (offset < 0) return invalidValue(context, call, `offset ${offset} is negative`);
    if (offset % indexed.offsetAlignment !== 0)
      return invalidValue(context, call, `offset ${offset} is not a multiple of ${indexed.offsetAlignment}`);
    if (size % indexed.sizeAlignment !== 0)
      return invalidValue(context, call, `size ${size} is not a multiple of ${indexed.sizeAlignment}`);
  }
  if (!checkKind(context, call, target, buffer)) return;
  bufferTarget(context, call, target)!.set(context, buffer);
  if (buffer !== null) buffer.wasBound = true;
  setIndexedBinding(
    context,
    binding,
    buffer,
    buffer === null ? 0 : offset,
    buffer === null ? 0 : size,
    indexed.isFeedback,
  );
  context.dirty |= indexed.dirty;
}

function setIndexedBinding(
  context: Context,
  binding: IndexedBufferBinding,
  buffer: BufferObject | null,
  offset: number,
  size: number,
  isFeedback: boolean,
): void {
  if (isFeedback) {
    if (buffer) buffer.transformFeedbackBindings++;
    if (binding.buffer) binding.buffer.transformFeedbackBindings--;
  }
  binding.buffer = exchange(context, binding.buffer, buffer);
  binding.offset = offset;
  binding.size = size;
}

export function bindBufferBase(context: Context, target: number, index: number, buffer: BufferObject | null): void {
  bindIndexed(context, 'bindBufferBase', target, index, buffer, 0, 0, false);
}

export function bindBufferRange(
  context: Context,
  target: number,
  index: number,
  buffer: BufferObject | null,
  offset: number,
  size: number,
): void {
  bindIndexed(context, 'bindBufferRange', target, index, buffer, offset, size, true);
}

/** Bytes of a binding that may be used now: buffers may have shrunk since they were bound. */
export function boundRangeBytes(binding: IndexedBufferBinding): number {
  if (binding.buffer === null) return 0;
  const available = Math.max(0, binding.buffer.size - binding.offset);
  return binding.size === 0 ? available : Math.min(binding.size, available);
}

/** glDeleteBuffers: the buffer leaves every binding of this context and of the bound vertex array and feedback object (ES 3.0.6 §2.9.1, §D.1.2). */
export function deleteBuffer(context: Context, buffer: BufferObject): void {
  if (buffer.deleted) return;
  for (const row of BUFFER_TARGETS.values()) if (row.get(context) === buffer) row.set(context, null);
  for (const attribute of context.vertexArray.attributes)
    if (attribute.buffer === buffer) attribute.buffer = exchange(context, attribute.buffer, null);
  for (const binding of context.uniformBufferBindings)
    if (binding.buffer === buffer) setIndexedBinding(context, binding, null, 0, 0, false);
  for (const binding of context.transformFeedback.bindings)
    if (binding.buffer === buffer && !context.transformFeedback.active)
      setIndexedBinding(context, binding, null, 0, 0, true);
  buffer.mapping?.end();
  buffer.mapping = null;
  buffer.delete(context);
  context.bufferEpoch++;
  context.dirty |= DIRTY.VERTEX_ELEMENTS | DIRTY.UNIFORM_BUFFERS | DIRTY.TRANSFORM_FEEDBACK;
}
