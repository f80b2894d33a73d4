// Vertex array objects and attribute state: pointers, enables, divisors, generic values.

import type { BufferObject } from './buffer-object.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import { invalidEnum, invalidOperation, invalidValue } from './errors.ts';
import { exchange } from './gl-object.ts';
import { VertexArrayObject, type VertexAttribute } from './vertex-array-object.ts';
import { VERTEX_TYPES, vertexElementBytes } from './vertex-format.table.ts';

export function createVertexArray(context: Context): VertexArrayObject {
  return context.track(new VertexArrayObject(context.limits.maxVertexAttribs));
}

/** null binds the default vertex array. */
export function bindVertexArray(context: Context, array: VertexArrayObject | null): void {
  const next = array ?? context.defaultVertexArray;
  if (next === context.vertexArray) return;
  next.wasBound = true;
  context.vertexArray = exchange(context, context.vertexArray, next);
  context.dirty |= DIRTY.VERTEX_ELEMENTS | DIRTY.VERTEX_BUFFERS;
}

/** Something in the bound vertex array, or a generic value, changed. */
function markChanged(context: Context): void {
  context.vertexArray.layout = null;
  context.dirty |= DIRTY.VERTEX_ELEMENTS;
}

export function deleteVertexArray(context: Context, array: VertexArrayObject): void {
  if (array.deleted) return;
  if (context.vertexArray === array) bindVertexArray(context, null);
  array.delete(context);
}

function attributeAt(context: Context, call: string, index: number): VertexAttribute | undefined {
  const attribute = context.vertexArray.attributes[index];
  if (attribute !== undefined) return attribute;
  return invalidValue(context, call, `index ${index} is not below MAX_VERTEX_ATTRIBS`);
}

export function setAttributeArrayEnabled(context: Context, index: number, on: boolean): void {
  const attribute = attributeAt(context, on ? 'enableVertexAttribArray' : 'disableVertexAttribArray', index);
  if (attribute === undefined) return;
  attribute.enabled = on;
  const bit = 1 << index;
  context.vertexArray.enabledMask = on ? context.vertexArray.enabledMask | bit : context.vertexArray.enabledMask & ~bit;
  markChanged(context);
}

/**
 * `pointer` is an offset into the bound array buffer, or client memory where the rules allow it; null client memory is offset 0
 * without a buffer.
 */
export function vertexAttribPointer(
  context: Context,
  index: number,
  size: number,
  type: number,
  normalized: boolean,
  stride: number,
  pointer: number | ArrayBufferView | null,
): void {
  setPointer(context, 'vertexAttribPointer', index, size, type, normalized, false, stride, pointer);
}

export function vertexAttribIPointer(
  context: Context,
  index: number,
  size: number,
  type: number,
  stride: number,
  pointer: number | ArrayBufferView | null,
): void {
  setPointer(context, 'vertexAttribIPointer', index, size, type, false, true, stride, pointer);
}

function isTypeAccepted(context: Context, type: number, integer: boolean): boolean {
  const row = VERTEX_TYPES.get(type);
  if (row === undefined || (row.glesOnly && context.rules.webgl)) return false;
  if (integer && !row.integer) return false;
  if (row.extension !== undefined) return context.isEnabled(row.extension);
  return row.version <= context.version;
}

/** ES 3.0.6 §2.10 keeps client memory to the default vertex array; OES_vertex_array_object has no such rule. */
export function mayUseClientMemory(context: Context): boolean {
  if (context.rules.noClientArrays) return false;
  return context.version < 3 || context.vertexArray === context.defaultVertexArray;
}

function setPointer(
  context: Context,
  call: string,
  index: number,
  size: number,
  type: number,
  normalized: boolean,
  integer: boolean,
  stride: number,
  pointer: number | ArrayBufferView | null,
): void {
  const attribute = attributeAt(context, call, index);
  if (attribute === undefined) return;
  if (size < 1 || size > 4) return invalidValue(context, call, `size ${size} is not 1…4`);
  if (!isTypeAccepted(context, type, integer)) return invalidEnum(context, call, 'type', type);
  if (stride < 0) return invalidValue(context, call, `stride ${stride} is negative`);
  const row = VERTEX_TYPES.get(type)!;
  if (row.packed && size !== 4) return invalidOperation(context, call, 'packed types have size 4');

  const offset = typeof pointer === 'number' ? pointer : 0;
  const clientArray = typeof pointer === 'number' ? null : pointer;
  if (offset < 0) return invalidValue(context, call, `offset ${offset} is negative`);
  if (context.rules.attributeAlignment) {
    if (stride > 255) return invalidValue(context, call, `stride ${stride} is greater than 255 (WebGL 1 §6.9)`);
    if (offset % row.bytes !== 0 || stride % row.bytes !== 0)
      return invalidOperation(context, call, `offset and stride must be multiples of ${row.bytes} (WebGL 1 §6.4)`);
  }
  const buffer: BufferObject | null = context.arrayBuffer;
  const namesClientMemory = buffer === null && (clientArray !== null || offset !== 0);
  if (namesClientMemory && !mayUseClientMemory(context))
    return invalidOperation(context, call, 'no buffer is bound to ARRAY_BUFFER');
  if (buffer !== null && clientArray !== null)
    return invalidOperation(context, call, 'a buffer is bound: pass an offset, not client memory');

  attribute.size = size;
  attribute.type = type;
  attribute.normalized = normalized;
  attribute.integer = integer;
  attribute.stride = stride;
  attribute.offset = offset;
  attribute.clientArray = clientArray;
  attribute.buffer = exchange(context, attribute.buffer, buffer);
  markChanged(context);
}

export function vertexAttribDivisor(context: Context, index: number, divisor: number): void {
  const attribute = attributeAt(context, 'vertexAttribDivisor', index);
  if (attribute === undefined) return;
  attribute.divisor = divisor >>> 0;
  markChanged(context);
}

/** Bytes between elements as they are fetched. */
export function attributeStride(attribute: VertexAttribute): number {
  return attribute.stride !== 0 ? attribute.stride : vertexElementBytes(attribute.type, attribute.size);
}

/** Missing components are 0, 0, 1. */
export function vertexAttribFloats(context: Context, index: number, x: number, y = 0, z = 0, w = 1): void {
  const value = currentAttribute(context, 'vertexAttrib', index);
  if (value === undefined) return;
  value.type = 'float';
  value.float[0] = x;
  value.float[1] = y;
  value.float[2] = z;
  value.float[3] = w;
  markChanged(context);
}

export function vertexAttribInts(context: Context, index: number, x: number, y: number, z: number, w: number): void {
  setIntegers(context, 'vertexAttribI4i', 'int', index, x, y, z, w);
}

export function vertexAttribUints(context: Context, index: number, x: number, y: number, z: number, w: number): void {
  setIntegers(context, 'vertexAttribI4ui', 'uint', index, x, y, z, w);
}

function setIntegers(
  context: Context,
  call: string,
  type: 'int' | 'uint',
  index: number,
  x: number,
  y: number,
  z: number,
  w: number,
): void {
  const value = currentAttribute(context, call, index);
  if (value === undefined) return;
  value.type = type;
  value.int[0] = x;
  value.int[1] = y;
  value.int[2] = z;
  value.int[3] = w;
  markChanged(context);
}

function currentAttribute(context: Context, call: string, index: number) {
  const value = context.currentAttributes[index];
  if (value !== undefined) return value;
  return invalidValue(context, call, `index ${index} is not below MAX_VERTEX_ATTRIBS`);
}

/** What glGetVertexAttrib* and WebGL's getVertexAttrib answer; undefined after an error. */
export function getVertexAttrib(
  context: Context,
  index: number,
  pname: number,
): number | boolean | BufferObject | null | Float32Array | Int32Array | Uint32Array | undefined {
  const call = 'getVertexAttrib';
  const attribute = attributeAt(context, call, index);
  if (attribute === undefined) return undefined;
  switch (pname) {
    case GL.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING:
      return attribute.buffer;
    case GL.VERTEX_ATTRIB_ARRAY_ENABLED:
      return attribute.enabled;
    case GL.VERTEX_ATTRIB_ARRAY_SIZE:
      return attribute.size;
    case GL.VERTEX_ATTRIB_ARRAY_STRIDE:
      return attribute.stride;
    case GL.VERTEX_ATTRIB_ARRAY_TYPE:
      return attribute.type;
    case GL.VERTEX_ATTRIB_ARRAY_NORMALIZED:
      return attribute.normalized;
    case GL.CURRENT_VERTEX_ATTRIB: {
      const value = context.currentAttributes[index]!;
      return value[value.type].slice();
    }
    case GL.VERTEX_ATTRIB_ARRAY_INTEGER:
      if (context.version >= 3) return attribute.integer;
      break;
    case GL.VERTEX_ATTRIB_ARRAY_DIVISOR:
      if (context.version >= 3 || context.isEnabled('ANGLE_instanced_arrays')) return attribute.divisor;
      break;
  }
  return invalidEnum(context, call, 'pname', pname);
}

/** glGetVertexAttribPointerv / getVertexAttribOffset. */
export function getVertexAttribPointer(
  context: Context,
  index: number,
  pname: number,
): number | ArrayBufferView | undefined {
  const call = 'getVertexAttribPointer';
  const attribute = attributeAt(context, call, index);
  if (attribute === undefined) return undefined;
  if (pname !== GL.VERTEX_ATTRIB_ARRAY_POINTER) return invalidEnum(context, call, 'pname', pname);
  return attribute.clientArray ?? attribute.offset;
}
