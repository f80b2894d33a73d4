import { describe, expect, it } from 'vitest';
import { decodePng, encodePng, flipRows } from './image.ts';

describe('PNG images', () => {
  it('come back as they were, alpha included', () => {
    const data = Uint8ClampedArray.from({ length: 3 * 2 * 4 }, (_, i) => (i * 37) & 255);
    const image = decodePng(encodePng({ width: 3, height: 2, data }));
    expect([image.width, image.height]).toEqual([3, 2]);
    expect([...image.data]).toEqual([...data]);
  });

  it('throw on bytes that are no PNG', () => {
    expect(() => decodePng(new Uint8Array([1, 2, 3]))).toThrow();
  });

  it('flip row by row', () => {
    const pixels = Uint8Array.from([1, 1, 1, 1, 2, 2, 2, 2]);
    expect([...flipRows(pixels, 1, 2)]).toEqual([2, 2, 2, 2, 1, 1, 1, 1]);
  });
});
