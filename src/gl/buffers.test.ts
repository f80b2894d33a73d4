import { describe, expect, it } from 'vitest';
import { nullBackend } from '../../backends/null/screen.ts';
import * as bindings from './buffer-bindings.ts';
import * as data from './buffer-data.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { contextMaker, takeErrors } from './testing.ts';

const testContext = contextMaker(nullBackend.createScreen);

const BYTES = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8]);

function withBuffer(context: Context, target: number = GL.ARRAY_BUFFER) {
  const buffer = bindings.createBuffer(context);
  bindings.bindBuffer(context, target, buffer);
  data.bufferData(context, target, BYTES.length, BYTES, GL.STATIC_DRAW);
  return buffer;
}

function contents(context: Context, target: number = GL.ARRAY_BUFFER): number[] {
  const into = new Uint8Array(BYTES.length);
  data.getBufferSubData(context, target, 0, into);
  return [...into];
}

describe('buffers', () => {
  it('stores, replaces and copies bytes', () => {
    const context = testContext();
    withBuffer(context);
    data.bufferSubData(context, GL.ARRAY_BUFFER, 2, Uint8Array.of(20, 30));
    expect(contents(context)).toEqual([1, 2, 20, 30, 5, 6, 7, 8]);
    data.copyBufferSubData(context, GL.ARRAY_BUFFER, GL.ARRAY_BUFFER, 0, 4, 4);
    expect(contents(context)).toEqual([1, 2, 20, 30, 1, 2, 20, 30]);
    data.copyBufferSubData(context, GL.ARRAY_BUFFER, GL.ARRAY_BUFFER, 0, 2, 4);
    expect(takeErrors(context)).toEqual(['INVALID_VALUE']);
  });

  it('keeps its storage when it is defined anew with as many bytes, and takes another for other sizes, usages or none', () => {
    const context = testContext();
    const buffer = withBuffer(context);
    const { resource } = buffer;
    data.bufferData(context, GL.ARRAY_BUFFER, 8, BYTES.slice().reverse(), GL.STATIC_DRAW);
    expect(buffer.resource).toBe(resource);
    expect(contents(context)).toEqual([...BYTES].reverse());
    data.bufferData(context, GL.ARRAY_BUFFER, 8, BYTES, GL.STREAM_DRAW);
    expect(buffer.resource).not.toBe(resource);
    expect(buffer.usage).toBe(GL.STREAM_DRAW);
    data.bufferData(context, GL.ARRAY_BUFFER, 8, null, GL.STREAM_DRAW);
    expect(contents(context)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    data.bufferData(context, GL.ARRAY_BUFFER, 8, BYTES.subarray(0, 4), GL.STREAM_DRAW);
    expect(contents(context)).toEqual([1, 2, 3, 4, 0, 0, 0, 0]);
    expect(takeErrors(context)).toEqual([]);
  });

  it('changes nothing when a range is wrong or nothing is bound', () => {
    const context = testContext();
    data.bufferData(context, GL.ARRAY_BUFFER, 4, null, GL.STATIC_DRAW);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
    withBuffer(context);
    data.bufferSubData(context, GL.ARRAY_BUFFER, 7, Uint8Array.of(1, 2));
    expect(takeErrors(context)).toEqual(['INVALID_VALUE']);
    expect(contents(context)).toEqual([...BYTES]);
  });

  it('keeps the old contents when memory runs out', () => {
    const context = testContext({ memoryLimitBytes: 1000 });
    const buffer = withBuffer(context);
    data.bufferData(context, GL.ARRAY_BUFFER, 5000, null, GL.STATIC_DRAW);
    expect(takeErrors(context)).toEqual(['OUT_OF_MEMORY']);
    expect(buffer.size).toBe(8);
    expect(contents(context)).toEqual([...BYTES]);
  });

  it('maps ranges, flushes explicitly, and refuses uses of a mapped buffer', () => {
    const context = testContext();
    withBuffer(context);
    const bytes = data.mapBufferRange(context, GL.ARRAY_BUFFER, 4, 4, GL.MAP_WRITE_BIT | GL.MAP_FLUSH_EXPLICIT_BIT)!;
    bytes[0] = 50;
    data.flushMappedBufferRange(context, GL.ARRAY_BUFFER, 0, 1);
    data.bufferSubData(context, GL.ARRAY_BUFFER, 0, Uint8Array.of(9));
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
    expect(data.unmapBuffer(context, GL.ARRAY_BUFFER)).toBe(true);
    expect(contents(context)[4]).toBe(50);
    expect(data.unmapBuffer(context, GL.ARRAY_BUFFER)).toBe(false);
    expect(data.mapBufferRange(context, GL.ARRAY_BUFFER, 0, 4, GL.MAP_READ_BIT | GL.MAP_UNSYNCHRONIZED_BIT)).toBeNull();
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
  });

  it('frees storage only when the last binding is gone', () => {
    const context = testContext();
    const before = context.screen.memoryStatistics().liveAllocations;
    const buffer = withBuffer(context, GL.UNIFORM_BUFFER);
    bindings.bindBufferBase(context, GL.UNIFORM_BUFFER, 3, buffer);
    bindings.deleteBuffer(context, buffer);
    expect(context.uniformBufferBindings[3]!.buffer).toBeNull();
    expect(buffer.destroyed).toBe(true);
    expect(context.screen.memoryStatistics().liveAllocations).toBe(before);
  });

  it('keeps element data apart from other data in WebGL', () => {
    const context = testContext({ webgl: true });
    const buffer = withBuffer(context, GL.ELEMENT_ARRAY_BUFFER);
    bindings.bindBuffer(context, GL.ARRAY_BUFFER, buffer);
    expect(takeErrors(context)).toEqual(['INVALID_OPERATION']);
    expect(context.arrayBuffer).toBeNull();
  });

  it('checks the alignment of uniform ranges', () => {
    const context = testContext();
    const buffer = withBuffer(context);
    bindings.bindBufferRange(context, GL.UNIFORM_BUFFER, 0, buffer, 4, 4);
    bindings.bindBufferBase(context, GL.UNIFORM_BUFFER, 1000, buffer);
    expect(takeErrors(context)).toEqual(['INVALID_VALUE']);
    expect(context.uniformBufferBindings[0]!.buffer).toBeNull();
  });
});
