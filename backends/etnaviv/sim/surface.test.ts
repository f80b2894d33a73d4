// Layouts of surfaces: the orders that the hardware notes print, and round trips.

import { describe, expect, it } from 'vitest';
import { RasterMemory } from '../../../src/raster/memory.ts';
import { pixelAddress, readRect, type SurfaceLayout, surfaceBytes, type Tiling, writeRect } from './surface.ts';

const layout = (tiling: Tiling, width: number, addresses = [0], bytesPerPixel = 4): SurfaceLayout => ({
  tiling,
  addresses,
  strideBytes: width * bytesPerPixel,
  bytesPerPixel,
});

/** Number of the tile with these tile coordinates. */
const tile = (surface: SurfaceLayout, tx: number, ty: number) => pixelAddress(surface, tx * 4, ty * 4) / 64;

describe('tile order', () => {
  it('tiled: tiles in rows, pixels in rows inside', () => {
    const surface = layout('tiled', 64);
    expect(pixelAddress(surface, 1, 0)).toBe(4);
    expect(pixelAddress(surface, 0, 1)).toBe(16);
    expect(tile(surface, 1, 0)).toBe(1);
    expect(tile(surface, 0, 1)).toBe(16);
  });

  it('supertiled: as in the notes', () => {
    const surface = layout('supertiled', 128);
    const row = (ty: number) => Array.from({ length: 6 }, (_, tx) => tile(surface, tx, ty));
    expect(row(0)).toEqual([0, 1, 8, 9, 16, 17]);
    expect(row(1)).toEqual([2, 3, 10, 11, 18, 19]);
    expect(row(4)).toEqual([64, 65, 72, 73, 80, 81]);
    expect(tile(surface, 15, 15)).toBe(255);
    expect(tile(surface, 16, 0)).toBe(256);
    expect(tile(surface, 0, 16)).toBe(512);
  });

  it('multi-supertiled: pairs of tiles in a checkerboard', () => {
    const surface = layout('supertiled', 64, [0, 1 << 20]);
    const name = (tx: number, ty: number) => {
      const number = tile(surface, tx, ty);
      return number >= 16384 ? `1T${number - 16384}` : `0T${number}`;
    };
    const row = (ty: number) => Array.from({ length: 6 }, (_, tx) => name(tx, ty));
    expect(row(0)).toEqual(['0T0', '0T1', '1T0', '1T1', '0T16', '0T17']);
    expect(row(1)).toEqual(['1T8', '1T9', '0T8', '0T9', '1T24', '1T25']);
    expect(row(2)).toEqual(['0T2', '0T3', '1T2', '1T3', '0T18', '0T19']);
    expect(row(8)).toEqual(['0T64', '0T65', '1T64', '1T65', '0T80', '0T81']);
  });

  it('multi-tiled: single tiles in a checkerboard', () => {
    const surface = layout('tiled', 16, [0, 1 << 20]);
    const pipes = (ty: number) => Array.from({ length: 4 }, (_, tx) => Number(tile(surface, tx, ty) >= 16384));
    expect(pipes(0)).toEqual([0, 1, 0, 1]);
    expect(pipes(1)).toEqual([1, 0, 1, 0]);
  });
});

describe('copies', () => {
  for (const tiling of ['linear', 'tiled', 'supertiled'] as const) {
    for (const pipes of tiling === 'linear' ? [1] : [1, 2]) {
      for (const bytesPerPixel of [1, 2, 4, 8]) {
        it(`${tiling}, ${pipes} pipes, ${bytesPerPixel} bytes: what is written is read`, () => {
          const memory = new RasterMemory({ shared: false });
          const [width, height] = [128, 128];
          const bytes = width * height * bytesPerPixel;
          const surface = memory.allocateZeroed(bytes);
          const addresses = pipes === 1 ? [surface] : [surface, surface + bytes / 2];
          const target = layout(tiling, width, addresses, bytesPerPixel);
          expect(surfaceBytes(target, width, height) * pipes).toBe(bytes);
          const linear = memory.allocate(bytes);
          for (let i = 0; i < bytes; i++) memory.u8[linear + i] = (i * 31 + (i >> 8)) & 255;
          writeRect(memory, target, { x: 0, y: 0, width, height }, linear, width * bytesPerPixel);
          const back = memory.allocateZeroed(bytes);
          readRect(memory, target, { x: 3, y: 5, width: 70, height: 61 }, back, 70 * bytesPerPixel);
          for (let y = 0; y < 61; y++) {
            const from = linear + ((y + 5) * width + 3) * bytesPerPixel;
            const to = back + y * 70 * bytesPerPixel;
            expect(
              Buffer.compare(
                memory.u8.slice(to, to + 70 * bytesPerPixel),
                memory.u8.slice(from, from + 70 * bytesPerPixel),
              ),
            ).toBe(0);
          }
        });
      }
    }
  }
});
