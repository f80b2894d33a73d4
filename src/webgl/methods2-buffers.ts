// WebGL 2: buffers, vertex arrays, integer attributes and instanced draws (WebGL 2 §3.7.3, §3.7.9, §3.7.16).

import { bindBufferBase, bindBufferRange } from '../gl/buffer-bindings.ts';
import { copyBufferSubData, getBufferSubData } from '../gl/buffer-data.ts';
import * as draw from '../gl/draw.ts';
import { invalidValue } from '../gl/errors.ts';
import * as arrays from '../gl/vertex-arrays.ts';
import { faceOf, glOf } from './context-base.ts';
import { elementRange } from './element-range.ts';
import { getIndexed } from './get-parameter.ts';
import { unwrap, type WebGLBuffer, WebGLVertexArrayObject, wrap } from './handles.ts';
import { FramebufferMethods } from './methods-framebuffers.ts';
import { isDeletable, isUsable } from './validity.ts';

export abstract class Buffer2Methods extends FramebufferMethods {
  bindBufferBase(target: number, index: number, buffer: WebGLBuffer | null): void {
    bindBufferBase(glOf(this), target, index, unwrap(buffer));
  }

  bindBufferRange(target: number, index: number, buffer: WebGLBuffer | null, offset: number, size: number): void {
    bindBufferRange(glOf(this), target, index, unwrap(buffer), offset, size);
  }

  copyBufferSubData(
    readTarget: number,
    writeTarget: number,
    readOffset: number,
    writeOffset: number,
    size: number,
  ): void {
    copyBufferSubData(glOf(this), readTarget, writeTarget, readOffset, writeOffset, size);
  }

  getBufferSubData(
    target: number,
    offset: number,
    destination: ArrayBufferView,
    dstOffset?: number,
    length?: number,
  ): void {
    const gl = glOf(this);
    const bytes = elementRange(gl, 'getBufferSubData', destination, dstOffset ?? 0, length ?? 0);
    if (bytes) getBufferSubData(gl, target, offset, bytes);
  }

  getIndexedParameter(target: number, index: number): unknown {
    return getIndexed(faceOf(this), target, index);
  }

  createVertexArray(): WebGLVertexArrayObject {
    return wrap(WebGLVertexArrayObject, faceOf(this), arrays.createVertexArray(glOf(this)));
  }

  deleteVertexArray(array: WebGLVertexArrayObject | null): void {
    if (isDeletable(faceOf(this), 'deleteVertexArray', array)) arrays.deleteVertexArray(glOf(this), unwrap(array));
  }

  isVertexArray(array: WebGLVertexArrayObject | null): boolean {
    return isUsable(faceOf(this), array) && unwrap(array).wasBound;
  }

  bindVertexArray(array: WebGLVertexArrayObject | null): void {
    arrays.bindVertexArray(glOf(this), unwrap(array));
  }

  vertexAttribI4i(index: number, x: number, y: number, z: number, w: number): void {
    arrays.vertexAttribInts(glOf(this), index, x, y, z, w);
  }

  vertexAttribI4ui(index: number, x: number, y: number, z: number, w: number): void {
    arrays.vertexAttribUints(glOf(this), index, x, y, z, w);
  }

  vertexAttribI4iv(index: number, values: Int32List): void {
    const gl = glOf(this);
    if (values.length < 4) return invalidValue(gl, 'vertexAttribI4iv', `${values.length} values are too few`);
    const [x, y, z, w] = values as ArrayLike<number> as [number, number, number, number];
    arrays.vertexAttribInts(gl, index, x, y, z, w);
  }

  vertexAttribI4uiv(index: number, values: Uint32List): void {
    const gl = glOf(this);
    if (values.length < 4) return invalidValue(gl, 'vertexAttribI4uiv', `${values.length} values are too few`);
    const [x, y, z, w] = values as ArrayLike<number> as [number, number, number, number];
    arrays.vertexAttribUints(gl, index, x, y, z, w);
  }

  vertexAttribIPointer(index: number, size: number, type: number, stride: number, offset: number): void {
    arrays.vertexAttribIPointer(glOf(this), index, size, type, stride, offset);
  }

  vertexAttribDivisor(index: number, divisor: number): void {
    arrays.vertexAttribDivisor(glOf(this), index, divisor);
  }

  drawArraysInstanced(mode: number, first: number, count: number, instances: number): void {
    draw.drawArraysInstanced(glOf(this), mode, first, count, instances);
  }

  drawElementsInstanced(mode: number, count: number, type: number, offset: number, instances: number): void {
    draw.drawElementsInstanced(glOf(this), mode, count, type, offset, instances);
  }

  drawRangeElements(mode: number, start: number, end: number, count: number, type: number, offset: number): void {
    draw.drawRangeElements(glOf(this), mode, start, end, count, type, offset);
  }
}
