import { describe, expect, it } from 'vitest';
import type { NullContext } from '../../backends/null/context.ts';
import { nullBackend } from '../../backends/null/screen.ts';
import type { Resource } from '../pipe/resource.ts';
import { bindBuffer, bindBufferBase, createBuffer } from './buffer-bindings.ts';
import { bufferData } from './buffer-data.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { drawArrays, drawArraysInstanced, drawElements, drawRangeElements } from './draw.ts';
import { getUniformLocation } from './program-queries.ts';
import { transformFeedbackVaryings } from './programs.ts';
import { beginQuery, createQuery, endQuery, getQueryParameter } from './queries.ts';
import { clientWaitSync, fenceSync } from './sync.ts';
import { contextMaker, takeErrors, testProgram } from './testing.ts';
import { beginTransformFeedback, endTransformFeedback, pauseTransformFeedback } from './transform-feedback.ts';
import { setUniform } from './uniforms.ts';
import {
  setAttributeArrayEnabled,
  vertexAttribDivisor,
  vertexAttribFloats,
  vertexAttribPointer,
} from './vertex-arrays.ts';

const testContext = contextMaker(nullBackend.createScreen);

/** What the pipe below was given. */
const record = (context: Context) => (context.pipe as NullContext).record;

function bytes(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** A buffer with `vertices` vec4 positions at attribute 0. */
function withPositions(context: Context, vertices: number): void {
  bindBuffer(context, GL.ARRAY_BUFFER, createBuffer(context));
  bufferData(context, GL.ARRAY_BUFFER, vertices * 16, null, GL.STATIC_DRAW);
  setAttributeArrayEnabled(context, 0, true);
  vertexAttribPointer(context, 0, 4, GL.FLOAT, false, 0, 0);
}

function withIndices(context: Context, indices: ArrayBufferView): void {
  bindBuffer(context, GL.ELEMENT_ARRAY_BUFFER, createBuffer(context));
  bufferData(context, GL.ELEMENT_ARRAY_BUFFER, indices.byteLength, bytes(indices), GL.STATIC_DRAW);
}

describe('draws', () => {
  it('hand over vertices, constants and the draw itself', () => {
    const context = testContext();
    const program = testProgram(context);
    withPositions(context, 3);
    setUniform(context, getUniformLocation(context, program, 'color'), 'float', 4, 1, [1, 2, 3, 4]);
    drawArrays(context, GL.TRIANGLES, 0, 3);
    expect(takeErrors(context)).toEqual([]);
    const { lastDraw, vertexElements, vertexBuffers, constants } = record(context);
    expect(lastDraw).toMatchObject({ mode: 'triangles', start: 0, count: 3, instanceCount: 1, indexBuffer: null });
    expect(vertexElements!.description.elements).toEqual([
      { bufferIndex: 0, offsetBytes: 0, format: 'R32G32B32A32_FLOAT', instanceDivisor: 0 },
    ]);
    expect(vertexBuffers).toMatchObject([{ offsetBytes: 0, strideBytes: 16 }]);
    expect([...new Float32Array(constants.fragment.buffer)]).toEqual([1, 2, 3, 4]);
  });

  it('check their arguments before their state', () => {
    const context = testContext();
    drawArrays(context, 99, 0, 3);
    drawArrays(context, GL.TRIANGLES, -1, 3);
    expect(takeErrors(context)).toEqual(['INVALID_ENUM', 'INVALID_VALUE']);
    drawElements(context, GL.TRIANGLES, 3, GL.FLOAT, 0);
    drawRangeElements(context, GL.TRIANGLES, 3, 2, 3, GL.UNSIGNED_BYTE, 0);
    expect(takeErrors(context)).toEqual(['INVALID_ENUM', 'INVALID_VALUE']);
    expect(record(context).draws).toBe(0);
  });

  it('need a program in WebGL and draw nothing without one in GLES', () => {
    const webgl = testContext({ webgl: true });
    drawArrays(webgl, GL.TRIANGLES, 0, 3);
    expect(takeErrors(webgl)).toEqual(['INVALID_OPERATION']);
    const gles = testContext();
    drawArrays(gles, GL.TRIANGLES, 0, 3);
    expect(takeErrors(gles)).toEqual([]);
    expect(record(gles).draws).toBe(0);
  });

  it('stay inside the bound ranges in WebGL', () => {
    const context = testContext({ webgl: true });
    testProgram(context);
    withPositions(context, 3);
    drawArrays(context, GL.TRIANGLES, 1, 3);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
    withIndices(context, Uint16Array.of(0, 1, 2, 0, 1, 3));
    drawElements(context, GL.TRIANGLES, 3, GL.UNSIGNED_SHORT, 0);
    expect(takeErrors(context)).toEqual([]);
    drawElements(context, GL.TRIANGLES, 3, GL.UNSIGNED_SHORT, 6);
    drawElements(context, GL.TRIANGLES, 3, GL.UNSIGNED_SHORT, 1);
    drawElements(context, GL.TRIANGLES, 7, GL.UNSIGNED_SHORT, 0);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
    expect(record(context).draws).toBe(1);
  });

  it('copy client arrays and client indices in GLES', () => {
    const context = testContext({ version: 2 });
    testProgram(context);
    setAttributeArrayEnabled(context, 0, true);
    vertexAttribPointer(context, 0, 2, GL.FLOAT, false, 0, Float32Array.of(1, 2, 3, 4, 5, 6));
    drawElements(context, GL.TRIANGLES, 3, GL.UNSIGNED_BYTE, Uint8Array.of(2, 1, 0));
    expect(takeErrors(context)).toEqual([]);
    const { lastDraw, vertexBuffers } = record(context);
    const read = (buffer: Resource | null, x: number, width: number) =>
      context.pipe.transferMap(buffer!, 0, 1, { x, y: 0, z: 0, width, height: 1, depth: 1 })!.data.slice(0, width);
    expect([...read(lastDraw!.indexBuffer, lastDraw!.indexOffsetBytes, 3)]).toEqual([2, 1, 0]);
    const { buffer, offsetBytes } = vertexBuffers[0]!;
    expect([...new Float32Array(read(buffer, offsetBytes, 24).buffer)]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('refuse client memory in WebGL', () => {
    const context = testContext({ webgl: true, version: 2 });
    vertexAttribPointer(context, 0, 2, GL.FLOAT, false, 0, 8);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
  });

  it('give attributes without array their generic value, which does not advance', () => {
    const context = testContext();
    testProgram(context);
    vertexAttribFloats(context, 0, 1, 2);
    drawArrays(context, GL.POINTS, 0, 1);
    const { vertexElements, vertexBuffers } = record(context);
    expect(vertexElements!.description.elements[0]).toMatchObject({ format: 'R32G32B32A32_FLOAT' });
    expect(vertexBuffers[0]!.strideBytes).toBe(0);
  });

  it('share one vertex buffer between interleaved arrays', () => {
    const context = testContext();
    testProgram(context, 'attribute vec2 a; attribute vec2 b; void main() { gl_Position = vec4(a, b); }', undefined);
    withPositions(context, 3);
    for (const index of [0, 1]) {
      setAttributeArrayEnabled(context, index, true);
      vertexAttribPointer(context, index, 2, GL.UNSIGNED_SHORT, true, 12, index * 4);
    }
    vertexAttribDivisor(context, 1, 2);
    drawArraysInstanced(context, GL.TRIANGLES, 0, 3, 2);
    expect(takeErrors(context)).toEqual([]);
    expect(record(context).vertexBuffers).toHaveLength(1);
    expect(
      record(context)
        .vertexElements!.description.elements.map((element) => element!.offsetBytes)
        .sort(),
    ).toEqual([0, 4]);
  });

  it('restart primitives at the largest index', () => {
    const context = testContext({ webgl: true });
    testProgram(context);
    withPositions(context, 3);
    withIndices(context, Uint8Array.of(0, 1, 255, 2));
    drawElements(context, GL.LINE_STRIP, 4, GL.UNSIGNED_BYTE, 0);
    expect(takeErrors(context)).toEqual([]);
    expect(record(context).lastDraw).toMatchObject({ primitiveRestart: true, restartIndex: 255, indexSize: 1 });
  });

  it('report uniform blocks without a buffer in WebGL', () => {
    const vertex = '#version 300 es\nuniform B { vec4 v; }; void main() { gl_Position = v; }';
    const fragment = '#version 300 es\nprecision mediump float; out vec4 o; void main() { o = vec4(1); }';
    const context = testContext({ webgl: true });
    testProgram(context, vertex, fragment);
    drawArrays(context, GL.POINTS, 0, 1);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
    const buffer = createBuffer(context);
    bindBufferBase(context, GL.UNIFORM_BUFFER, 0, buffer);
    bufferData(context, GL.UNIFORM_BUFFER, 16, null, GL.STATIC_DRAW);
    drawArrays(context, GL.POINTS, 0, 1);
    expect(takeErrors(context)).toEqual([]);
    expect(record(context).constantBuffers.vertex[1]).toMatchObject({ offsetBytes: 0, sizeBytes: 16 });
  });
});

describe('transform feedback', () => {
  const vertex = '#version 300 es\nin vec4 position; out vec4 copy; void main() { gl_Position = copy = position; }';
  const fragment = '#version 300 es\nprecision mediump float; in vec4 copy; out vec4 o; void main() { o = copy; }';

  it('captures draws of its mode that fit and locks its program', () => {
    const context = testContext();
    testProgram(context, vertex, fragment, (program) =>
      transformFeedbackVaryings(context, program, ['copy'], GL.INTERLEAVED_ATTRIBS),
    );
    withPositions(context, 6);
    beginTransformFeedback(context, GL.TRIANGLES);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
    bindBufferBase(context, GL.TRANSFORM_FEEDBACK_BUFFER, 0, createBuffer(context));
    bufferData(context, GL.TRANSFORM_FEEDBACK_BUFFER, 4 * 16, null, GL.DYNAMIC_COPY);
    beginTransformFeedback(context, GL.TRIANGLES);
    drawArrays(context, GL.TRIANGLES, 0, 3);
    expect(takeErrors(context)).toEqual([]);
    expect(record(context).streamOutputTargets).toMatchObject([{ offsetBytes: 0, sizeBytes: 64 }]);
    drawArrays(context, GL.TRIANGLES, 0, 3);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
    drawArrays(context, GL.LINES, 0, 2);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
    pauseTransformFeedback(context);
    drawArrays(context, GL.LINES, 0, 2);
    expect(takeErrors(context)).toEqual([]);
    expect(record(context).streamOutputTargets).toEqual([]);
    endTransformFeedback(context);
    expect(context.transformFeedback.active).toBe(false);
  });
});

describe('queries and fences', () => {
  it('allow one occlusion query at a time and keep a query to its target', () => {
    const context = testContext();
    const [a, b] = [createQuery(context), createQuery(context)];
    beginQuery(context, GL.ANY_SAMPLES_PASSED, a);
    beginQuery(context, GL.ANY_SAMPLES_PASSED_CONSERVATIVE, b);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
    getQueryParameter(context, a, GL.QUERY_RESULT);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
    endQuery(context, GL.ANY_SAMPLES_PASSED);
    expect(getQueryParameter(context, a, GL.QUERY_RESULT)).toBe(0);
    beginQuery(context, GL.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, a);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
  });

  it('signal fences', () => {
    const context = testContext();
    const sync = fenceSync(context, GL.SYNC_GPU_COMMANDS_COMPLETE, 0)!;
    expect(clientWaitSync(context, sync, 0, 0)).toBe(GL.ALREADY_SIGNALED);
    expect(fenceSync(context, GL.SYNC_GPU_COMMANDS_COMPLETE, 1)).toBeNull();
    expect(takeErrors(context)).toEqual(['INVALID_VALUE']);
  });
});
