// Primitives of draws, vertex by vertex, in pieces of every size.

import { expect, it } from 'vitest';
import type { DrawInfo } from '../../../src/pipe/pipe.ts';
import { countPrimitives, indexReader, PrimitiveWalk } from './assemble-primitives.ts';

const draw: DrawInfo = {
  mode: 'triangleStrip',
  start: 2,
  count: 4,
  instanceCount: 1,
  startInstance: 0,
  indexBuffer: null,
  indexOffsetBytes: 0,
  indexSize: 1,
  baseVertex: 0,
  primitiveRestart: false,
  restartIndex: 0,
  drawId: 0,
};

/** All ids, `most` at a time. */
function assemble(info: DrawInfo, bytes: Uint8Array | null, most = 3): number[] {
  const reader = () => (bytes ? indexReader(info, bytes.length, () => bytes) : null);
  const walk = new PrimitiveWalk(info, reader());
  const ids = new Uint32Array(most);
  const all: number[] = [];
  for (let length = walk.fill(ids); length > 0; length = walk.fill(ids)) all.push(...ids.subarray(0, length));
  const per = { points: 1, lines: 2, lineStrip: 2, lineLoop: 2 }[info.mode as string] ?? 3;
  expect(countPrimitives(info, reader())).toBe(all.length / per);
  return all;
}

it('takes strips, fans, loops and lists apart', () => {
  for (const most of [3, 4, 6, 100]) {
    expect(assemble(draw, null, most)).toEqual([2, 3, 4, 4, 3, 5]);
    expect(assemble({ ...draw, mode: 'triangleFan' }, null, most)).toEqual([2, 3, 4, 2, 4, 5]);
    expect(assemble({ ...draw, mode: 'lineLoop', count: 3 }, null, most)).toEqual([2, 3, 3, 4, 4, 2]);
    expect(assemble({ ...draw, mode: 'lineLoop', count: 1 }, null, most)).toEqual([]);
    expect(assemble({ ...draw, mode: 'triangles' }, null, most)).toEqual([2, 3, 4]);
    expect(assemble({ ...draw, mode: 'lines', count: 5 }, null, most)).toEqual([2, 3, 4, 5]);
    expect(assemble({ ...draw, mode: 'points', count: 2 }, null, most)).toEqual([2, 3]);
  }
});

it('reads indices, begins anew at the restart index, and stops at the end of the buffer', () => {
  const indexed: DrawInfo = {
    ...draw,
    mode: 'lineStrip',
    start: 0,
    count: 9,
    indexSize: 2,
    baseVertex: 10,
    primitiveRestart: true,
    restartIndex: 0xffff,
  };
  const bytes = new Uint8Array(new Uint16Array([0, 1, 0xffff, 5, 6, 7]).buffer);
  expect(assemble(indexed, bytes)).toEqual([10, 11, 15, 16, 16, 17]);
  expect(assemble({ ...indexed, mode: 'lineLoop' }, bytes)).toEqual([10, 11, 11, 10, 15, 16, 16, 17, 17, 15]);
  expect(assemble({ ...indexed, mode: 'lineLoop' }, bytes, 2)).toEqual([10, 11, 11, 10, 15, 16, 16, 17, 17, 15]);
  const triangles = new Uint8Array(new Uint32Array([1, 0xffffffff, 4, 5, 6]).buffer);
  const list: DrawInfo = { ...indexed, mode: 'triangles', indexSize: 4, restartIndex: 0xffffffff };
  expect(assemble(list, triangles)).toEqual([14, 15, 16]);
  expect(assemble({ ...list, start: 9 }, triangles)).toEqual([]);
});

it('reads more indices than one piece holds', () => {
  const indices = Uint16Array.from({ length: 10_000 }, (_, i) => i);
  const info: DrawInfo = { ...draw, mode: 'points', start: 1, count: 9_999, indexSize: 2 };
  const got = assemble(info, new Uint8Array(indices.buffer), 1000);
  expect(got).toEqual([...indices.subarray(1)]);
});

it('counts billions without walking', () => {
  expect(countPrimitives({ ...draw, mode: 'triangleFan', count: 0x7fffffff }, null)).toBe(0x7ffffffd);
});
