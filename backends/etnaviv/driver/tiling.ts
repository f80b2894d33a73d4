// The CPU's way between tiled memory of a resource and rows: one pass over whole tiles, a typed-array element a pixel.

import type { Tiling } from './layout.ts';

export interface TiledLayer {
  readonly tiling: Tiling;
  /** Byte offsets of the layer in the buffer: one, or one a pixel pipe. */
  readonly offsets: readonly number[];
  /** Bytes of a row of pixels. */
  readonly strideBytes: number;
  readonly bytesPerPixel: number;
}

/** Byte offset of the 4×4 tile at tile coordinates. */
function tileOffset({ tiling, offsets, strideBytes, bytesPerPixel }: TiledLayer, tileX: number, tileY: number): number {
  let column = tileX;
  let row = tileY;
  let base = offsets[0]!;
  if (offsets.length > 1) {
    // Tiles are dealt to the pipes like the fields of a chessboard; supertiled ones in pairs.
    const pair = tiling === 'supertiled' ? 2 : 1;
    const odd = tileY & 1;
    if (((Math.floor(tileX / pair) & 1) ^ odd) !== 0) base = offsets[1]!;
    column = Math.floor(tileX / (2 * pair)) * 2 * pair + odd * pair + (tileX % pair);
    row = tileY >> 1;
  }
  const tileBytes = 16 * bytesPerPixel;
  if (tiling === 'tiled') return base + row * 4 * strideBytes + column * tileBytes;
  const x = column & 15;
  const y = row & 15;
  const index = ((y >> 2) << 6) | ((x >> 1) << 3) | ((y & 3) << 1) | (x & 1);
  return base + (row >> 4) * 64 * strideBytes + (column >> 4) * 256 * tileBytes + index * tileBytes;
}

type Elements = Uint8Array | Uint16Array | Uint32Array;

function elements(bytes: Uint8Array, size: 1 | 2 | 4): Elements {
  if (size === 1) return bytes;
  const { buffer, byteOffset, byteLength } = bytes;
  return size === 2
    ? new Uint16Array(buffer, byteOffset, byteLength >> 1)
    : new Uint32Array(buffer, byteOffset, byteLength >> 2);
}

/**
 * Moves a rectangle between a layer in `memory` and rows in `linear` (`linearStride` bytes apart, the rectangle's corner
 * first). Both arrays must start at a multiple of 4 bytes, and `linearStride` be one of the pixel size (up to 4).
 */
export function moveTiles(
  memory: Uint8Array,
  layer: TiledLayer,
  x0: number,
  y0: number,
  width: number,
  height: number,
  linear: Uint8Array,
  linearStride: number,
  toLinear: boolean,
): void {
  const { bytesPerPixel, tiling, offsets, strideBytes } = layer;
  if (tiling === 'linear') {
    const bytes = width * bytesPerPixel;
    for (let y = 0; y < height; y++) {
      const at = offsets[0]! + (y0 + y) * strideBytes + x0 * bytesPerPixel;
      const to = y * linearStride;
      if (toLinear) linear.set(memory.subarray(at, at + bytes), to);
      else memory.set(linear.subarray(to, to + bytes), at);
    }
    return;
  }
  const size = bytesPerPixel === 1 ? 1 : bytesPerPixel === 2 ? 2 : 4;
  const shift = size >> 1;
  const perPixel = bytesPerPixel >> shift;
  const tiled = elements(memory, size);
  const rows = elements(linear, size);
  for (let tileY = y0 >> 2; tileY <= (y0 + height - 1) >> 2; tileY++) {
    const top = Math.max(y0, tileY << 2);
    const bottom = Math.min(y0 + height, (tileY << 2) + 4);
    for (let tileX = x0 >> 2; tileX <= (x0 + width - 1) >> 2; tileX++) {
      const left = Math.max(x0, tileX << 2);
      const count = (Math.min(x0 + width, (tileX << 2) + 4) - left) * perPixel;
      const tile = tileOffset(layer, tileX, tileY) >>> shift;
      for (let y = top; y < bottom; y++) {
        let at = tile + ((y & 3) * 4 + (left & 3)) * perPixel;
        let to = (((y - y0) * linearStride) >>> shift) + (left - x0) * perPixel;
        if (toLinear) for (let i = 0; i < count; i++) rows[to++] = tiled[at++]!;
        else for (let i = 0; i < count; i++) tiled[at++] = rows[to++]!;
      }
    }
  }
}
