// GLES entry points of buffers, vertex arrays, draws and transform feedback.

import { bytesOf } from '../base/bytes-of.ts';
import { bindBuffer, bindBufferBase, bindBufferRange, boundBuffer, deleteBuffer } from '../gl/buffer-bindings.ts';
import * as data from '../gl/buffer-data.ts';
import type { BufferObject } from '../gl/buffer-object.ts';
import { GL } from '../gl/constants.ts';
import * as draw from '../gl/draw.ts';
import { invalidEnum, invalidOperation, invalidValue } from '../gl/errors.ts';
import * as feedback from '../gl/transform-feedback.ts';
import * as arrays from '../gl/vertex-arrays.ts';
import type { Boolish } from './entry-points-state.ts';
import { deleteNames, type GlesFace, generateNames, isNegative } from './face.ts';
import { type NumberList, type Pointer, store, storeWide, viewOf, type WideList } from './memory.ts';

function bufferOf(face: GlesFace, name: number): BufferObject | null {
  return name === 0 ? null : face.buffers.bind(face.context, name);
}

/** glVertexAttrib{1,2,3,4}fv: what a vector leaves out is 0, 0, 1. */
function attribVector(face: GlesFace, index: number, values: ArrayLike<number>, size: number): void {
  const at = (i: number, missing: number) => (i < size ? values[i]! : missing);
  arrays.vertexAttribFloats(face.context, index, at(0, 0), at(1, 0), at(2, 0), at(3, 1));
}

function getAttribute(face: GlesFace, index: number, pname: number): number[] | undefined {
  const value = arrays.getVertexAttrib(face.context, index, pname);
  if (value === undefined) return undefined;
  if (typeof value === 'number') return [value];
  if (typeof value === 'boolean') return [value ? 1 : 0];
  if (value === null) return [0];
  return 'name' in value ? [value.name] : [...value];
}

export const BUFFERS_ES2 = {
  glGenBuffers: (face: GlesFace, n: number, buffers: NumberList): void =>
    generateNames(face, 'glGenBuffers', face.buffers, n, buffers),
  glDeleteBuffers: (face: GlesFace, n: number, buffers: ArrayLike<number>): void =>
    deleteNames(face, 'glDeleteBuffers', face.buffers, n, buffers, deleteBuffer),
  glIsBuffer: (face: GlesFace, buffer: number): boolean => face.buffers.find(buffer)?.wasBound ?? false,
  glBindBuffer: (face: GlesFace, target: number, buffer: number): void =>
    bindBuffer(face.context, target, bufferOf(face, buffer)),
  glBufferData: (
    face: GlesFace,
    target: number,
    size: number,
    memory: ArrayBufferView | ArrayBuffer | null,
    usage: number,
  ): void => data.bufferData(face.context, target, size, memory && bytesOf(memory), usage),
  glBufferSubData: (
    face: GlesFace,
    target: number,
    offset: number,
    size: number,
    memory: ArrayBufferView | ArrayBuffer,
  ): void => {
    if (isNegative(face, 'glBufferSubData', 'size', size)) return;
    const bytes = bytesOf(memory);
    if (bytes.byteLength < size)
      return invalidValue(
        face.context,
        'glBufferSubData',
        `the memory handed in has ${bytes.byteLength} of ${size} bytes`,
      );
    data.bufferSubData(face.context, target, offset, bytes.subarray(0, size));
  },
  glGetBufferParameteriv: (face: GlesFace, target: number, pname: number, params: NumberList): void => {
    const value = data.getBufferParameter(face.context, target, pname);
    if (value !== undefined) store(params, [Math.min(Number(value), 0x7fffffff)]);
  },

  glEnableVertexAttribArray: (face: GlesFace, index: number): void =>
    arrays.setAttributeArrayEnabled(face.context, index, true),
  glDisableVertexAttribArray: (face: GlesFace, index: number): void =>
    arrays.setAttributeArrayEnabled(face.context, index, false),
  glVertexAttribPointer: (
    face: GlesFace,
    index: number,
    size: number,
    type: number,
    normalized: Boolish,
    stride: number,
    pointer: Pointer,
  ): void => arrays.vertexAttribPointer(face.context, index, size, type, Boolean(normalized), stride, viewOf(pointer)),
  glVertexAttrib1f: (face: GlesFace, index: number, x: number): void =>
    arrays.vertexAttribFloats(face.context, index, x),
  glVertexAttrib2f: (face: GlesFace, index: number, x: number, y: number): void =>
    arrays.vertexAttribFloats(face.context, index, x, y),
  glVertexAttrib3f: (face: GlesFace, index: number, x: number, y: number, z: number): void =>
    arrays.vertexAttribFloats(face.context, index, x, y, z),
  glVertexAttrib4f: (face: GlesFace, index: number, x: number, y: number, z: number, w: number): void =>
    arrays.vertexAttribFloats(face.context, index, x, y, z, w),
  glVertexAttrib1fv: (face: GlesFace, index: number, v: ArrayLike<number>): void => attribVector(face, index, v, 1),
  glVertexAttrib2fv: (face: GlesFace, index: number, v: ArrayLike<number>): void => attribVector(face, index, v, 2),
  glVertexAttrib3fv: (face: GlesFace, index: number, v: ArrayLike<number>): void => attribVector(face, index, v, 3),
  glVertexAttrib4fv: (face: GlesFace, index: number, v: ArrayLike<number>): void => attribVector(face, index, v, 4),
  glGetVertexAttribfv: (face: GlesFace, index: number, pname: number, params: NumberList): void => {
    const values = getAttribute(face, index, pname);
    if (values) store(params, values);
  },
  glGetVertexAttribiv: (face: GlesFace, index: number, pname: number, params: NumberList): void => {
    const values = getAttribute(face, index, pname);
    if (values) store(params, values.map(Math.round));
  },
  glGetVertexAttribPointerv: (
    face: GlesFace,
    index: number,
    pname: number,
    pointer: (number | ArrayBufferView)[],
  ): void => {
    const value = arrays.getVertexAttribPointer(face.context, index, pname);
    if (value !== undefined) pointer[0] = value;
  },

  glDrawArrays: (face: GlesFace, mode: number, first: number, count: number): void =>
    draw.drawArrays(face.context, mode, first, count),
  glDrawElements: (face: GlesFace, mode: number, count: number, type: number, indices: Pointer): void =>
    draw.drawElements(face.context, mode, count, type, viewOf(indices)),
};

export const BUFFERS_ES3 = {
  glBindBufferBase: (face: GlesFace, target: number, index: number, buffer: number): void =>
    bindBufferBase(face.context, target, index, bufferOf(face, buffer)),
  glBindBufferRange: (
    face: GlesFace,
    target: number,
    index: number,
    buffer: number,
    offset: number,
    size: number,
  ): void => bindBufferRange(face.context, target, index, bufferOf(face, buffer), offset, size),
  glCopyBufferSubData: (
    face: GlesFace,
    readTarget: number,
    writeTarget: number,
    readOffset: number,
    writeOffset: number,
    size: number,
  ): void => data.copyBufferSubData(face.context, readTarget, writeTarget, readOffset, writeOffset, size),
  /** The mapped bytes, which stay valid until glUnmapBuffer. */
  glMapBufferRange: (
    face: GlesFace,
    target: number,
    offset: number,
    length: number,
    access: number,
  ): Uint8Array | null => data.mapBufferRange(face.context, target, offset, length, access),
  glFlushMappedBufferRange: (face: GlesFace, target: number, offset: number, length: number): void =>
    data.flushMappedBufferRange(face.context, target, offset, length),
  glUnmapBuffer: (face: GlesFace, target: number): boolean => data.unmapBuffer(face.context, target),
  glGetBufferPointerv: (face: GlesFace, target: number, pname: number, params: (Uint8Array | null)[]): void => {
    if (pname !== GL.BUFFER_MAP_POINTER) return invalidEnum(face.context, 'glGetBufferPointerv', 'pname', pname);
    const buffer = boundBuffer(face.context, 'glGetBufferPointerv', target);
    if (buffer) params[0] = buffer.mapping?.bytes ?? null;
  },
  glGetBufferParameteri64v: (face: GlesFace, target: number, pname: number, params: WideList): void => {
    const value = data.getBufferParameter(face.context, target, pname);
    if (value !== undefined) storeWide(params, [Number(value)]);
  },

  glGenVertexArrays: (face: GlesFace, n: number, names: NumberList): void =>
    generateNames(face, 'glGenVertexArrays', face.vertexArrays, n, names),
  glDeleteVertexArrays: (face: GlesFace, n: number, names: ArrayLike<number>): void =>
    deleteNames(face, 'glDeleteVertexArrays', face.vertexArrays, n, names, arrays.deleteVertexArray),
  glIsVertexArray: (face: GlesFace, name: number): boolean => face.vertexArrays.find(name)?.wasBound ?? false,
  glBindVertexArray: (face: GlesFace, name: number): void => {
    if (name !== 0 && !face.vertexArrays.isKnown(name))
      return invalidOperation(face.context, 'glBindVertexArray', `${name} was not generated`);
    arrays.bindVertexArray(face.context, name === 0 ? null : face.vertexArrays.bind(face.context, name));
  },
  glVertexAttribIPointer: (
    face: GlesFace,
    index: number,
    size: number,
    type: number,
    stride: number,
    pointer: Pointer,
  ): void => arrays.vertexAttribIPointer(face.context, index, size, type, stride, viewOf(pointer)),
  glVertexAttribDivisor: (face: GlesFace, index: number, divisor: number): void =>
    arrays.vertexAttribDivisor(face.context, index, divisor),
  glVertexAttribI4i: (face: GlesFace, index: number, x: number, y: number, z: number, w: number): void =>
    arrays.vertexAttribInts(face.context, index, x, y, z, w),
  glVertexAttribI4ui: (face: GlesFace, index: number, x: number, y: number, z: number, w: number): void =>
    arrays.vertexAttribUints(face.context, index, x, y, z, w),
  glVertexAttribI4iv: (face: GlesFace, index: number, v: ArrayLike<number>): void =>
    arrays.vertexAttribInts(face.context, index, v[0]!, v[1]!, v[2]!, v[3]!),
  glVertexAttribI4uiv: (face: GlesFace, index: number, v: ArrayLike<number>): void =>
    arrays.vertexAttribUints(face.context, index, v[0]!, v[1]!, v[2]!, v[3]!),
  glGetVertexAttribIiv: (face: GlesFace, index: number, pname: number, params: NumberList): void =>
    getIntegerAttribute(face, index, pname, params, 'int'),
  glGetVertexAttribIuiv: (face: GlesFace, index: number, pname: number, params: NumberList): void =>
    getIntegerAttribute(face, index, pname, params, 'uint'),

  glDrawArraysInstanced: (face: GlesFace, mode: number, first: number, count: number, instances: number): void =>
    draw.drawArraysInstanced(face.context, mode, first, count, instances),
  glDrawElementsInstanced: (
    face: GlesFace,
    mode: number,
    count: number,
    type: number,
    indices: Pointer,
    instances: number,
  ): void => draw.drawElementsInstanced(face.context, mode, count, type, viewOf(indices), instances),
  glDrawRangeElements: (
    face: GlesFace,
    mode: number,
    start: number,
    end: number,
    count: number,
    type: number,
    indices: Pointer,
  ): void => draw.drawRangeElements(face.context, mode, start, end, count, type, viewOf(indices)),

  glGenTransformFeedbacks: (face: GlesFace, n: number, names: NumberList): void =>
    generateNames(face, 'glGenTransformFeedbacks', face.transformFeedbacks, n, names),
  glDeleteTransformFeedbacks: (face: GlesFace, n: number, names: ArrayLike<number>): void => {
    for (let i = 0; i < Math.min(n, names.length); i++)
      if (face.transformFeedbacks.find(names[i]!)?.active)
        return invalidOperation(face.context, 'glDeleteTransformFeedbacks', `${names[i]} is active`);
    deleteNames(
      face,
      'glDeleteTransformFeedbacks',
      face.transformFeedbacks,
      n,
      names,
      feedback.deleteTransformFeedback,
    );
  },
  glIsTransformFeedback: (face: GlesFace, name: number): boolean =>
    face.transformFeedbacks.find(name)?.wasBound ?? false,
  glBindTransformFeedback: (face: GlesFace, target: number, name: number): void => {
    if (target !== GL.TRANSFORM_FEEDBACK) return invalidEnum(face.context, 'glBindTransformFeedback', 'target', target);
    if (name !== 0 && !face.transformFeedbacks.isKnown(name))
      return invalidOperation(face.context, 'glBindTransformFeedback', `${name} was not generated`);
    feedback.bindTransformFeedback(face.context, name === 0 ? null : face.transformFeedbacks.bind(face.context, name));
  },
  glBeginTransformFeedback: (face: GlesFace, primitiveMode: number): void =>
    feedback.beginTransformFeedback(face.context, primitiveMode),
  glEndTransformFeedback: (face: GlesFace): void => feedback.endTransformFeedback(face.context),
  glPauseTransformFeedback: (face: GlesFace): void => feedback.pauseTransformFeedback(face.context),
  glResumeTransformFeedback: (face: GlesFace): void => feedback.resumeTransformFeedback(face.context),
};

/** CURRENT_VERTEX_ATTRIB as the integers that were set, bit for bit when it was set otherwise. */
function getIntegerAttribute(
  face: GlesFace,
  index: number,
  pname: number,
  params: NumberList,
  type: 'int' | 'uint',
): void {
  const values = getAttribute(face, index, pname);
  if (!values) return;
  const isCurrent = pname === GL.CURRENT_VERTEX_ATTRIB;
  store(params, isCurrent ? face.context.currentAttributes[index]![type] : values.map(Math.round));
}

/** OES_mapbuffer. */
export const BUFFERS_MAPBUFFER = {
  glMapBufferOES: (face: GlesFace, target: number, access: number): Uint8Array | null =>
    data.mapBuffer(face.context, target, access),
};
