import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactTexel } from './testing.ts';
import { mapTexels, texelOf } from './texel-mapping.ts';

describe('texel mapping', () => {
  it('is exact for boxes of any place, size and direction', () => {
    const place = fc.integer({ min: -60000, max: 60000 });
    const size = fc.integer({ min: 1, max: 60000 });
    fc.assert(
      fc.property(place, size, fc.boolean(), place, size, fc.nat(8191), (s, sSize, flip, d, dSize, pixel) => {
        const signed = flip ? -sSize : sSize;
        const mapping = mapTexels(s, signed, d, dSize, Math.max(0, pixel - 100));
        expect(texelOf(mapping!, pixel)).toBe(exactTexel(s, s + signed, d, d + dSize, pixel));
      }),
      { numRuns: 5000 },
    );
  });

  it('stays in 31 bits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1 << 20 }), fc.integer({ min: 1, max: 1 << 20 }), (sSize, dSize) => {
        const mapping = mapTexels(0, sSize, 0, dSize, 0);
        if (mapping === null || mapping.isUnscaled) return;
        expect(mapping.offset + 16383 * mapping.step).toBeLessThan(2 ** 31);
      }),
    );
    expect(mapTexels(0, 1 << 20, 0, 3, 0)).toBeNull();
  });

  it('knows copies that need no division', () => {
    expect(mapTexels(5, 100, 7, 100, 0)).toMatchObject({ isUnscaled: true, origin: -2, isFlipped: false });
    expect(mapTexels(5, -100, 7, 100, 7)).toMatchObject({ isUnscaled: true, origin: 4, isFlipped: true });
  });
});
