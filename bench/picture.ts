// Small summaries of pictures, to tell whether two implementations drew alike.

import type { Gl } from './scene.ts';

/** Cells along each side. */
export const GRID = 8;

/** Means of red, green and blue over 8×8 cells of the default framebuffer, from the bottom left. */
export function readGrid(gl: Gl, width: number, height: number): number[] {
  const pixels = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return gridOf(pixels, width, height);
}

export function gridOf(pixels: Uint8Array, width: number, height: number): number[] {
  const sums = new Float64Array(GRID * GRID * 3);
  const counts = new Float64Array(GRID * GRID);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const cell = Math.floor((y * GRID) / height) * GRID + Math.floor((x * GRID) / width);
      counts[cell]!++;
      for (let channel = 0; channel < 3; channel++) sums[cell * 3 + channel]! += pixels[at + channel]!;
    }
  }
  return Array.from(sums, (sum, at) => Math.round((sum / (counts[Math.floor(at / 3)]! || 1)) * 100) / 100);
}

/** The largest difference of two grids, in 1/255. */
export function gridDistance(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return a.reduce((most, value, at) => Math.max(most, Math.abs(value - b[at]!)), 0);
}

/** Cells of a picture with a few thin lines differ by little. */
const PLAIN = 0.05;

/** True when all cells look the same: nothing was drawn. */
export function isPlain(grid: readonly number[]): boolean {
  return grid.every((value, at) => Math.abs(value - grid[at % 3]!) < PLAIN);
}

/** The means as the micro scenes write them: two hexadecimal digits each. */
export function parseHexGrid(text: string): number[] {
  return Array.from({ length: text.length >> 1 }, (_, at) => Number.parseInt(text.slice(at * 2, at * 2 + 2), 16));
}
