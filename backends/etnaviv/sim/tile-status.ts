// Tile status (fast clear): a few bits for each tile of a surface say that the tile is cleared and its memory is not to be
// looked at. The simulator writes such tiles out before any unit reads or draws on the surface; from then on they are plain,
// which is one of the states that hardware may leave behind. Nothing is ever compressed.

import type { RasterMemory } from '../../../src/raster/memory.ts';
import { surfaceBytes as bytesOf, type SurfaceLayout } from './surface.ts';

export interface TileStatus {
  /** WebAssembly address of the entry of the surface's first tile, and bytes of status from there on. */
  readonly address: number;
  readonly available: number;
  /** WebAssembly address of the surface's first byte. */
  readonly surface: number;
  /** Bytes of memory from there on. */
  readonly surfaceBytes: number;
  readonly bits: 2 | 4;
  /** Bytes of the surface that one entry stands for. */
  readonly tileBytes: number;
  /** Two words that repeat. */
  readonly clearValue: readonly [number, number];
}

/** Entry of a cleared tile: 01 of two bits, 1111 of four. */
const CLEARED: Readonly<Record<2 | 4, number>> = { 2: 1, 4: 15 };

/** A byte of status that holds only cleared tiles. */
export const CLEARED_BYTE: Readonly<Record<2 | 4, number>> = { 2: 0x55, 4: 0xff };

/** Writes out the cleared tiles among bytes [from, to) of the surface. */
function resolveBytes(memory: RasterMemory, status: TileStatus, from: number, to: number): number {
  const { u8, u32 } = memory;
  const { address, available, surface, surfaceBytes, bits, tileBytes, clearValue } = status;
  const perByte = 8 / bits;
  const first = Math.floor(from / tileBytes);
  const last = Math.min(Math.ceil(to / tileBytes), available * perByte, Math.floor(surfaceBytes / tileBytes));
  const entryMask = (1 << bits) - 1;
  /** Whether a tile is cleared; afterwards it is not. */
  const takes = (tile: number): boolean => {
    const at = address + Math.floor(tile / perByte);
    const shift = (tile % perByte) * bits;
    if (((u8[at]! >> shift) & entryMask) !== CLEARED[bits]) return false;
    u8[at]! &= ~(entryMask << shift);
    return true;
  };
  const clearedByte = CLEARED_BYTE[bits];
  let written = 0;
  let tile = first;
  while (tile < last) {
    if (tile % perByte === 0 && u8[address + tile / perByte] === 0) {
      tile += perByte;
      continue;
    }
    const start = tile++;
    if (!takes(start)) continue;
    for (;;) {
      const at = address + tile / perByte;
      if (tile % perByte === 0 && tile + perByte <= last && u8[at] === clearedByte) {
        u8[at] = 0;
        tile += perByte;
      } else if (tile < last && takes(tile)) tile++;
      else break;
    }
    const bytes = (tile - start) * tileBytes;
    const word = (surface + start * tileBytes) >>> 2;
    if (clearValue[0] === clearValue[1]) u32.fill(clearValue[0], word, word + bytes / 4);
    else for (let i = 0; i < bytes / 4; i++) u32[word + i] = clearValue[i & 1]!;
    written += bytes;
  }
  return written;
}

/** Writes out what is cleared in the first `width` × `height` pixels. Returns the bytes written. */
export function resolveTileStatus(
  memory: RasterMemory,
  status: TileStatus,
  layout: SurfaceLayout,
  width: number,
  height: number,
): number {
  const bytes = bytesOf(layout, width, height);
  let written = 0;
  for (const address of layout.addresses) {
    const from = address - status.surface;
    if (from >= 0) written += resolveBytes(memory, status, from, from + bytes);
  }
  return written;
}

/** Entries of status for the first `bytes` of the surface, in whole bytes of them; null: the status does not cover them. */
function statusBytes({ tileBytes, bits, available, surfaceBytes }: TileStatus, bytes: number): number | null {
  const entries = bytes / tileBytes / (8 / bits);
  return Number.isInteger(entries) && entries <= available && bytes <= surfaceBytes ? entries : null;
}

/** Clears the first `bytes` of the surface by their status alone. False: they are not whole entries of it. */
export function markCleared({ u8 }: RasterMemory, status: TileStatus, bytes: number): boolean {
  const count = statusBytes(status, bytes);
  if (count === null) return false;
  u8.fill(CLEARED_BYTE[status.bits], status.address, status.address + count);
  return true;
}

/** Whether all tiles of the first `bytes` of the surface are cleared. */
export function isAllCleared({ u8 }: RasterMemory, status: TileStatus, bytes: number): boolean {
  const count = statusBytes(status, bytes);
  if (count === null) return false;
  const cleared = CLEARED_BYTE[status.bits];
  for (let at = status.address, end = at + count; at < end; at++) if (u8[at] !== cleared) return false;
  return true;
}
