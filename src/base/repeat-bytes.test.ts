import { expect, test } from 'vitest';
import { repeatBytes } from './repeat-bytes.ts';

test.each([
  [[1, 2, 3], 8, [1, 2, 3, 1, 2, 3, 1, 2]],
  [[1, 2, 3, 4], 2, [1, 2]],
  [[7, 7], 5, [7, 7, 7, 7, 7]],
  [[5, 6], 0, []],
])('%j over %i bytes, and nothing beside them', (pattern, bytes, want) => {
  const memory = new Uint8Array(12);
  repeatBytes(memory, 2, bytes, Uint8Array.from(pattern));
  expect([...memory]).toEqual([0, 0, ...want, ...new Array(10 - want.length).fill(0)]);
});
