import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { bytesOf, isBuffer, typedArrayName } from './bytes-of.ts';

test('bytes of buffers and of views, from where these start', () => {
  const { buffer } = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]);
  expect([...bytesOf(buffer)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect([...bytesOf(new Uint16Array(buffer, 2, 2))]).toEqual([3, 4, 5, 6]);
  expect([...bytesOf(new DataView(buffer, 7))]).toEqual([8]);
  expect([...bytesOf(new SharedArrayBuffer(2))]).toEqual([0, 0]);
  expect([...bytesOf(runInNewContext('Uint8Array.of(7, 8).subarray(1)'))]).toEqual([8]);
  expect([...bytesOf(runInNewContext('Uint8Array.of(7, 8).buffer'))]).toEqual([7, 8]);
});

test('detached memory has no bytes', () => {
  const buffer = new ArrayBuffer(8);
  const views = [new Uint8Array(buffer, 2), new DataView(buffer, 4), buffer];
  structuredClone(buffer, { transfer: [buffer] });
  for (const view of views) expect(bytesOf(view)).toHaveLength(0);
});

test('views have the bytes that a resized buffer leaves them', () => {
  // Not yet in the library that this is checked with.
  const Resizable = ArrayBuffer as unknown as new (
    length: number,
    options: object,
  ) => ArrayBuffer & { resize(length: number): void };
  const buffer = new Resizable(8, { maxByteLength: 16 });
  const [fixed, tail, data] = [new Uint8Array(buffer, 4, 4), new Uint8Array(buffer, 2), new DataView(buffer, 4, 4)];
  const lengths = () => [fixed, tail, data, buffer].map((view) => bytesOf(view).length);
  expect(lengths()).toEqual([4, 6, 4, 8]);
  buffer.resize(16);
  expect(lengths()).toEqual([4, 14, 4, 16]);
  buffer.resize(6);
  expect(lengths()).toEqual([0, 4, 0, 6]);
  buffer.resize(1);
  expect(lengths()).toEqual([0, 0, 0, 1]);
});

test('what scripts define over a view is no matter', () => {
  class Liar extends Uint8Array {
    override get byteLength(): number {
      return 1e9;
    }
    override get [Symbol.toStringTag](): 'Uint8Array' {
      throw new Error('asked');
    }
  }
  const view = new Liar(4);
  for (const name of ['byteOffset', 'buffer', 'length']) Object.defineProperty(view, name, { value: 1e9 });
  expect(bytesOf(view)).toHaveLength(4);
  expect(typedArrayName(view)).toBe('Uint8Array');
});

test('tags do not make memory', () => {
  const fake = { [Symbol.toStringTag]: 'ArrayBuffer', byteLength: 4 };
  expect([fake, new Uint8Array(1), null, 'ArrayBuffer'].map(isBuffer)).toEqual([false, false, false, false]);
  expect([new ArrayBuffer(0), new SharedArrayBuffer(1)].map(isBuffer)).toEqual([true, true]);
  expect([fake, new DataView(new ArrayBuffer(1)), {}, 3].map(typedArrayName)).toEqual(Array(4).fill(undefined));
});
