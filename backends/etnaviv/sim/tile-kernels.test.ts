// The fast tile kernels against pixel addresses: every kind, layout and number of pipes.

import { describe, expect, it } from 'vitest';
import { KernelLibrary } from '../../../src/raster/kernel.ts';
import { RasterMemory } from '../../../src/raster/memory.ts';
import { pixelAddress, type SurfaceLayout } from './surface.ts';
import { buildTileKernels, TILE_KIND_BYTES, type TileKind, type TileMove } from './tile-kernels.ts';

const [WIDTH, HEIGHT] = [128, 128];

/** Index of a pixel in quad order. */
const quadOrder = (x: number, y: number) => ((y >> 1) * 32 + (x >> 1)) * 4 + (y & 1) * 2 + (x & 1);

/** The same for a rectangle of samples, four a pixel: each sample has a plane of its own. */
const sampleOrder = (x: number, y: number) => ((y & 1) * 2 + (x & 1)) * 64 * 64 + quadOrder(x >> 1, y >> 1);

function setUp(kind: TileKind, tiling: 'tiled' | 'supertiled', pipes: number) {
  const memory = new RasterMemory({ shared: false });
  const bytesPerPixel = TILE_KIND_BYTES[kind];
  const bytes = WIDTH * HEIGHT * bytesPerPixel;
  const surface = memory.allocate(bytes);
  for (let i = 0; i < bytes; i++) memory.u8[surface + i] = (i * 7 + (i >> 7) * 13) & 255;
  const addresses = pipes === 1 ? [surface] : [surface, surface + bytes / 2];
  const layout: SurfaceLayout = { tiling, addresses, strideBytes: WIDTH * bytesPerPixel, bytesPerPixel };
  const kernels = new KernelLibrary(memory).get(`etnaviv/tiles/${kind}`, (module) => buildTileKernels(module, kind));
  const planes = memory.allocateZeroed(64 * 64 * 4 * 4);
  const stencil = memory.allocateZeroed(64 * 64 * 4);
  const move = (name: 'load' | 'store', x: number, y: number) =>
    (kernels[name] as TileMove)(
      planes,
      stencil,
      addresses[0]!,
      addresses[1] ?? 0,
      layout.strideBytes,
      Number(tiling === 'supertiled'),
      x / 4,
      y / 4,
      16,
      16,
    );
  return { memory, layout, planes, stencil, move, bytes, surface };
}

for (const kind of ['color1', 'color2', 'color4', 'depth16', 'depth24', 'color4x4', 'depth24x4'] as const) {
  for (const tiling of ['tiled', 'supertiled'] as const) {
    for (const pipes of [1, 2]) {
      describe(`${kind}, ${tiling}, ${pipes} pipes`, () => {
        it('loads each pixel to its place', () => {
          const { memory, layout, planes, stencil, move } = setUp(kind, tiling, pipes);
          move('load', 64, 64);
          const wrong: string[] = [];
          for (let y = 0; y < 64; y++) {
            for (let x = 0; x < 64; x++) {
              const at = pixelAddress(layout, 64 + x, 64 + y);
              const bytes = TILE_KIND_BYTES[kind];
              const pixel = bytes === 1 ? memory.u8[at]! : bytes === 2 ? memory.u16[at >> 1]! : memory.u32[at >> 2]!;
              const place = (kind.endsWith('x4') ? sampleOrder : quadOrder)(x, y);
              const plane =
                kind === 'color1'
                  ? memory.u8[planes + place]!
                  : kind === 'color2'
                    ? memory.u16[(planes >> 1) + place]!
                    : memory.u32[(planes >> 2) + place]!;
              const isDeep = kind.startsWith('depth24');
              const expected = isDeep ? pixel >>> 8 : pixel;
              if (plane !== expected) wrong.push(`${x}, ${y}`);
              if (isDeep && memory.u8[stencil + place] !== (pixel & 255)) wrong.push(`stencil ${x}, ${y}`);
            }
          }
          expect(wrong.slice(0, 4)).toEqual([]);
        });

        it('stores what it loaded', () => {
          const { memory, move, bytes, surface } = setUp(kind, tiling, pipes);
          const before = memory.u8.slice(surface, surface + bytes);
          for (const [x, y] of [
            [0, 0],
            [64, 64],
          ] as const) {
            move('load', x, y);
            move('store', x, y);
          }
          expect(Buffer.compare(memory.u8.slice(surface, surface + bytes), before)).toBe(0);
        });
      });
    }
  }
}
