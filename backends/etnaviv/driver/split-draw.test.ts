// Draws in several commands make the primitives of the one.

import { expect, it } from 'vitest';
import type { DrawInfo, PrimitiveMode } from '../../../src/pipe/pipe.ts';
import { PrimitiveWalk } from './assemble-primitives.ts';
import { splitDraw } from './split-draw.ts';

function primitives(mode: PrimitiveMode, start: number, count: number): number[] {
  const ids = new Uint32Array(600);
  return [...ids.subarray(0, new PrimitiveWalk({ mode, start, count } as DrawInfo, null).fill(ids))];
}

it.each(['points', 'lines', 'triangles', 'lineStrip', 'triangleStrip'] as const)('%s', (mode) => {
  for (const count of [20, 21, 22, 23, 24, 25, 47]) {
    const parts = splitDraw(mode, count, 11)!;
    expect(parts.length).toBeGreaterThan(1);
    expect(Math.max(...parts.map((part) => part.count))).toBeLessThanOrEqual(11);
    const got = parts.flatMap((part) => primitives(mode, 5 + part.first, part.count));
    expect(got).toEqual(primitives(mode, 5, count));
  }
});

it('takes fans and loops apart only where one command holds them', () => {
  expect(splitDraw('triangleFan', 12, 11)).toBeNull();
  expect(splitDraw('lineLoop', 12, 11)).toBeNull();
  expect(splitDraw('triangleFan', 11, 11)).toEqual([{ first: 0, count: 11 }]);
});
