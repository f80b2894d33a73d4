import { expect, test } from 'vitest';
import { bytesOf } from './bytes-of.ts';

test('bytes of buffers and of views, from where these start', () => {
  const { buffer } = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]);
  expect([...bytesOf(buffer)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect([...bytesOf(new Uint16Array(buffer, 2, 2))]).toEqual([3, 4, 5, 6]);
  expect([...bytesOf(new DataView(buffer, 7))]).toEqual([8]);
});

test('detached memory has no bytes', () => {
  const buffer = new ArrayBuffer(8);
  const views = [new Uint8Array(buffer, 2), new DataView(buffer, 4), buffer];
  structuredClone(buffer, { transfer: [buffer] });
  for (const view of views) expect(bytesOf(view)).toHaveLength(0);
});
