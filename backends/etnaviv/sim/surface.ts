// Where pixels lie in memory: linear, tiled (4×4), supertiled (64×64 of 4×4), and both split between two pixel pipes.
//
// Facts: the etnaviv project's hardware notes. A stride is always that of one row of pixels; a row of tiles takes four of
// them, a row of supertiles 64. Split ("multi") surfaces deal tiles out in a checkerboard: a row of tiles of one pipe holds
// the tiles of two rows of the picture.

import { KernelLibrary } from '../../../src/raster/kernel.ts';
import type { RasterMemory } from '../../../src/raster/memory.ts';
import { buildLinearKernels, type LinearMove } from './tile-kernels.ts';

export type Tiling = 'linear' | 'tiled' | 'supertiled';

export interface SurfaceLayout {
  readonly tiling: Tiling;
  /** WebAssembly addresses: one, or one for each of two pixel pipes. */
  readonly addresses: readonly number[];
  readonly strideBytes: number;
  readonly bytesPerPixel: number;
}

const TILE = 4;
const SUPERTILE = 64;
const SUPERTILE_TILES = SUPERTILE / TILE;

/** Address of the 4×4 tile with tile coordinates (tx, ty). */
function tileAddress(layout: SurfaceLayout, tx: number, ty: number): number {
  const { tiling, addresses, strideBytes, bytesPerPixel } = layout;
  let column = tx;
  let row = ty;
  let base = addresses[0]!;
  if (addresses.length > 1) {
    // A pipe's tiles stand in pairs (supertiled) or alone; the odd row's fill the gaps of the even one.
    const pair = tiling === 'supertiled' ? 2 : 1;
    const odd = ty & 1;
    if (((Math.floor(tx / pair) & 1) ^ odd) !== 0) base = addresses[1]!;
    column = Math.floor(tx / (2 * pair)) * 2 * pair + odd * pair + (tx % pair);
    row = ty >> 1;
  }
  const tileBytes = TILE * TILE * bytesPerPixel;
  if (tiling === 'tiled') return base + row * TILE * strideBytes + column * tileBytes;
  const [sx, sy] = [column >> 4, row >> 4];
  const [x, y] = [column & 15, row & 15];
  const index = ((y >> 2) << 6) | ((x >> 1) << 3) | ((y & 3) << 1) | (x & 1);
  const supertileBytes = SUPERTILE_TILES * SUPERTILE_TILES * tileBytes;
  return base + sy * SUPERTILE * strideBytes + sx * supertileBytes + index * tileBytes;
}

/** Address of a pixel. */
export function pixelAddress(layout: SurfaceLayout, x: number, y: number): number {
  const { tiling, addresses, strideBytes, bytesPerPixel } = layout;
  if (tiling === 'linear') return addresses[0]! + y * strideBytes + x * bytesPerPixel;
  return tileAddress(layout, x >> 2, y >> 2) + ((y & 3) * TILE + (x & 3)) * bytesPerPixel;
}

/** Bytes from the lowest address on that a rectangle from the origin may touch, of each pipe. */
export function surfaceBytes(layout: SurfaceLayout, width: number, height: number): number {
  const { tiling, addresses, strideBytes, bytesPerPixel } = layout;
  const rows = addresses.length > 1 ? Math.ceil(height / 2) : height;
  if (tiling === 'linear') return (rows - 1) * strideBytes + width * bytesPerPixel;
  const unit = tiling === 'tiled' ? TILE : SUPERTILE;
  const unitRows = Math.ceil(rows / unit);
  // The odd row's tiles of a split surface stand beside those of the even one.
  const columns =
    addresses.length > 1 && tiling === 'tiled' ? Math.ceil(width / (2 * unit)) * 2 : Math.ceil(width / unit);
  return (unitRows - 1) * unit * strideBytes + columns * unit * unit * bytesPerPixel;
}

/** What a copy between a surface and linear memory moves. */
export interface SurfaceRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Words = Uint8Array | Uint16Array | Uint32Array;

/** Elements to move whole pixels with, and how many a pixel has. */
function elements(memory: RasterMemory, bytesPerPixel: number): { words: Words; shift: number; perPixel: number } {
  if (bytesPerPixel === 1) return { words: memory.u8, shift: 0, perPixel: 1 };
  if (bytesPerPixel === 2) return { words: memory.u16, shift: 1, perPixel: 1 };
  return { words: memory.u32, shift: 2, perPixel: bytesPerPixel >> 2 };
}

const LIBRARIES = new WeakMap<RasterMemory, KernelLibrary>();

function linearKernels(memory: RasterMemory, bytesPerPixel: 1 | 2 | 4 | 8, exchanges: boolean) {
  let library = LIBRARIES.get(memory);
  if (!library) LIBRARIES.set(memory, (library = new KernelLibrary(memory)));
  const exports = library.get(`etnaviv/linear/${bytesPerPixel}${exchanges ? 'x' : ''}`, (module) =>
    buildLinearKernels(module, bytesPerPixel, exchanges),
  );
  return exports as unknown as { toLinear: LinearMove; fromLinear: LinearMove };
}

/**
 * Moves whole tiles between a tiled surface and linear memory (see `moveRect`), red and blue changing places on the way if so
 * wished. False: the rectangle has parts of tiles, or no kernel does it.
 */
export function moveWholeTiles(
  memory: RasterMemory,
  { tiling, addresses, strideBytes, bytesPerPixel }: SurfaceLayout,
  { x, y, width, height }: SurfaceRect,
  linear: number,
  linearStride: number,
  toLinear: boolean,
  exchanges: boolean,
): boolean {
  if (((x | y | width | height) & 3) !== 0 || tiling === 'linear' || bytesPerPixel > 8) return false;
  if (exchanges && bytesPerPixel !== 4) return false;
  const kernels = linearKernels(memory, bytesPerPixel as 1 | 2 | 4 | 8, exchanges);
  const move = toLinear ? kernels.toLinear : kernels.fromLinear;
  const isSuper = Number(tiling === 'supertiled');
  const [base0, base1] = [addresses[0]!, addresses[1] ?? 0];
  move(linear, linearStride, base0, base1, strideBytes, isSuper, x >> 2, y >> 2, width >> 2, height >> 2);
  return true;
}

/**
 * Copies a rectangle between a surface and linear memory at `linear` (rows `linearStride` bytes apart), in the direction
 * given. Addresses must be aligned to the element (1, 2 or 4 bytes).
 */
function moveRect(
  memory: RasterMemory,
  layout: SurfaceLayout,
  rect: SurfaceRect,
  linear: number,
  linearStride: number,
  toLinear: boolean,
): void {
  const { words, shift, perPixel } = elements(memory, layout.bytesPerPixel);
  const { x: x0, y: y0, width, height } = rect;
  const stride = linearStride >>> shift;
  const start = linear >>> shift;
  if (layout.tiling === 'linear') {
    for (let row = 0; row < height; row++) {
      const at = pixelAddress(layout, x0, y0 + row) >>> shift;
      const to = start + row * stride;
      if (toLinear) words.copyWithin(to, at, at + width * perPixel);
      else words.copyWithin(at, to, to + width * perPixel);
    }
    return;
  }
  if (moveWholeTiles(memory, layout, rect, linear, linearStride, toLinear, false)) return;
  for (let ty = y0 >> 2; ty <= (y0 + height - 1) >> 2; ty++) {
    const top = Math.max(y0, ty << 2);
    const bottom = Math.min(y0 + height, (ty << 2) + TILE);
    for (let tx = x0 >> 2; tx <= (x0 + width - 1) >> 2; tx++) {
      const left = Math.max(x0, tx << 2);
      const count = (Math.min(x0 + width, (tx << 2) + TILE) - left) * perPixel;
      const tile = tileAddress(layout, tx, ty) >>> shift;
      for (let y = top; y < bottom; y++) {
        let at = tile + ((y & 3) * TILE + (left & 3)) * perPixel;
        let to = start + (y - y0) * stride + (left - x0) * perPixel;
        if (toLinear) for (let i = 0; i < count; i++) words[to++] = words[at++]!;
        else for (let i = 0; i < count; i++) words[at++] = words[to++]!;
      }
    }
  }
}

export function readRect(
  memory: RasterMemory,
  layout: SurfaceLayout,
  rect: SurfaceRect,
  linear: number,
  linearStride: number,
): void {
  moveRect(memory, layout, rect, linear, linearStride, true);
}

export function writeRect(
  memory: RasterMemory,
  layout: SurfaceLayout,
  rect: SurfaceRect,
  linear: number,
  linearStride: number,
): void {
  moveRect(memory, layout, rect, linear, linearStride, false);
}
