import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteWriter } from './byte-writer.ts';

/** Decodes LEB128 by the definition: seven bits a byte, the sign in bit 6 of the last. */
function decode(bytes: Uint8Array, signed: boolean): bigint {
  let value = 0n;
  let shift = 0n;
  let last = 0;
  for (last of bytes) {
    value |= BigInt(last & 0x7f) << shift;
    shift += 7n;
  }
  if (signed && (last & 0x40) !== 0) value -= 1n << shift;
  return value;
}

test('LEB128 numbers decode to what was written, in the fewest bytes', () => {
  fc.assert(
    fc.property(
      fc.maxSafeNat(),
      fc.integer(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      (wide, signed, long) => {
        const u = new ByteWriter(1);
        u.u32(wide % 2 ** 32);
        expect(decode(u.written(), false)).toBe(BigInt(wide % 2 ** 32));
        const s = new ByteWriter(1);
        s.s32(signed);
        expect(decode(s.written(), true)).toBe(BigInt(signed));
        const l = new ByteWriter(1);
        l.s64(long);
        expect(decode(l.written(), true)).toBe(long);
        const same = new ByteWriter(1);
        same.s64(BigInt(signed));
        expect(same.written()).toEqual(s.written());
        expect(s.length).toBeLessThanOrEqual(5);
      },
    ),
  );
});
