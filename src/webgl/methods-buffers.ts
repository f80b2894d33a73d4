// WebGL 1: buffers, vertex attributes and draws (WebGL 1 §5.14.5, §5.14.10, §5.14.11). The forms that WebGL 2 adds to a name stand here too.

import { bindBuffer, createBuffer, deleteBuffer } from '../gl/buffer-bindings.ts';
import { bufferData, bufferSubData, getBufferParameter } from '../gl/buffer-data.ts';
import { drawArrays, drawElements } from '../gl/draw.ts';
import { invalidValue } from '../gl/errors.ts';
import * as arrays from '../gl/vertex-arrays.ts';
import { faceOf, glOf } from './context-base.ts';
import { elementRange } from './element-range.ts';
import { handleOf, unwrap, WebGLBuffer, wrap } from './handles.ts';
import { StateMethods } from './methods-state.ts';
import { isDeletable, isUsable } from './validity.ts';
import { isBufferSource, toInt64 } from './webidl.ts';

export abstract class BufferMethods extends StateMethods {
  createBuffer(): WebGLBuffer {
    return wrap(WebGLBuffer, faceOf(this), createBuffer(glOf(this)));
  }

  deleteBuffer(buffer: WebGLBuffer | null): void {
    if (isDeletable(faceOf(this), 'deleteBuffer', buffer)) deleteBuffer(glOf(this), unwrap(buffer));
  }

  isBuffer(buffer: WebGLBuffer | null): boolean {
    return isUsable(faceOf(this), buffer) && unwrap(buffer).wasBound;
  }

  bindBuffer(target: number, buffer: WebGLBuffer | null): void {
    bindBuffer(glOf(this), target, unwrap(buffer));
  }

  /** WebGL 2 adds `srcOffset` and `length` in elements for views. */
  bufferData(
    target: number,
    sizeOrData: number | AllowSharedBufferSource | null,
    usage: number,
    srcOffset?: number,
    length?: number,
  ): void {
    const gl = glOf(this);
    if (isBufferSource(sizeOrData)) {
      const bytes = elementRange(gl, 'bufferData', sizeOrData, srcOffset ?? 0, length ?? 0);
      if (bytes) bufferData(gl, target, bytes.byteLength, bytes, usage);
    } else if (sizeOrData === null) {
      invalidValue(gl, 'bufferData', 'there are no data: null was given');
    } else bufferData(gl, target, toInt64(sizeOrData), null, usage);
  }

  bufferSubData(
    target: number,
    offset: number,
    data: AllowSharedBufferSource,
    srcOffset?: number,
    length?: number,
  ): void {
    const gl = glOf(this);
    const bytes = elementRange(gl, 'bufferSubData', data, srcOffset ?? 0, length ?? 0);
    if (bytes) bufferSubData(gl, target, offset, bytes);
  }

  getBufferParameter(target: number, pname: number): unknown {
    return getBufferParameter(glOf(this), target, pname) ?? null;
  }

  enableVertexAttribArray(index: number): void {
    arrays.setAttributeArrayEnabled(glOf(this), index, true);
  }

  disableVertexAttribArray(index: number): void {
    arrays.setAttributeArrayEnabled(glOf(this), index, false);
  }

  vertexAttribPointer(
    index: number,
    size: number,
    type: number,
    normalized: boolean,
    stride: number,
    offset: number,
  ): void {
    arrays.vertexAttribPointer(glOf(this), index, size, type, normalized, stride, offset);
  }

  vertexAttrib1f(index: number, x: number): void {
    arrays.vertexAttribFloats(glOf(this), index, x);
  }

  vertexAttrib2f(index: number, x: number, y: number): void {
    arrays.vertexAttribFloats(glOf(this), index, x, y);
  }

  vertexAttrib3f(index: number, x: number, y: number, z: number): void {
    arrays.vertexAttribFloats(glOf(this), index, x, y, z);
  }

  vertexAttrib4f(index: number, x: number, y: number, z: number, w: number): void {
    arrays.vertexAttribFloats(glOf(this), index, x, y, z, w);
  }

  vertexAttrib1fv(index: number, values: Float32List): void {
    setAttribute(this, 'vertexAttrib1fv', index, values, 1);
  }

  vertexAttrib2fv(index: number, values: Float32List): void {
    setAttribute(this, 'vertexAttrib2fv', index, values, 2);
  }

  vertexAttrib3fv(index: number, values: Float32List): void {
    setAttribute(this, 'vertexAttrib3fv', index, values, 3);
  }

  vertexAttrib4fv(index: number, values: Float32List): void {
    setAttribute(this, 'vertexAttrib4fv', index, values, 4);
  }

  getVertexAttrib(index: number, pname: number): unknown {
    const value = arrays.getVertexAttrib(glOf(this), index, pname);
    if (value === undefined) return null;
    if (value === null || typeof value !== 'object') return value;
    return ArrayBuffer.isView(value) ? value.slice() : handleOf(value);
  }

  getVertexAttribOffset(index: number, pname: number): number {
    const value = arrays.getVertexAttribPointer(glOf(this), index, pname);
    return typeof value === 'number' ? value : 0;
  }

  drawArrays(mode: number, first: number, count: number): void {
    drawArrays(glOf(this), mode, first, count);
  }

  drawElements(mode: number, count: number, type: number, offset: number): void {
    drawElements(glOf(this), mode, count, type, offset);
  }
}

function setAttribute(
  context: StateMethods,
  call: string,
  index: number,
  values: Float32List,
  size: 1 | 2 | 3 | 4,
): void {
  const gl = glOf(context);
  if (values.length < size) return invalidValue(gl, call, `${values.length} values are too few`);
  const at = (i: number, missing: number): number => (i < size ? (values as ArrayLike<number>)[i]! : missing);
  arrays.vertexAttribFloats(gl, index, at(0, 0), at(1, 0), at(2, 0), at(3, 1));
}
