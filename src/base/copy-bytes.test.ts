import { expect, test } from 'vitest';
import { copyBytes } from './copy-bytes.ts';

const SIZES = [0, 1, 7, 511, 512, 513, 65_536, 65_537, 200_003];

function pattern(bytes: Uint8Array): Uint8Array {
  for (let at = 0; at < bytes.length; at++) bytes[at] = (at * 31 + (at >> 8)) & 0xff;
  return bytes;
}

function check(isToShared: boolean, isFromShared: boolean): void {
  const room = 200_100;
  for (const size of SIZES)
    for (const [offset, at] of [
      [0, 0],
      [1, 0],
      [0, 3],
      [5, 5],
      [4, 8],
    ] as const) {
      const buffer = isFromShared ? new SharedArrayBuffer(room) : new ArrayBuffer(room);
      const from = pattern(new Uint8Array(buffer, offset, size));
      const to = new Uint8Array(isToShared ? new SharedArrayBuffer(room) : new ArrayBuffer(room)).fill(9);
      copyBytes(to, at, from);
      expect(Buffer.compare(to.subarray(at, at + size), from), `${size} bytes`).toBe(0);
      expect(to.subarray(0, at).every((byte) => byte === 9)).toBe(true);
      expect(to[at + size]).toBe(9);
    }
}

test('copies all bytes and no others into shared memory, whatever the alignment', () => {
  check(true, false);
  check(true, true);
});

test('copies all bytes and no others into memory that is not shared', () => {
  check(false, true);
  check(false, false);
});

test('what does not fit is a RangeError, as with set', () => {
  expect(() => copyBytes(new Uint8Array(new SharedArrayBuffer(1000)), 501, new Uint8Array(600))).toThrow(RangeError);
});
