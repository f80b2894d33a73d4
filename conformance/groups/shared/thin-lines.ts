// Lines of width 1 are judged by GL's relaxed rule (ES 3.0.6 §3.5.1): no fragment farther than one pixel from one of
// the diamond-exit rule, and about as many of them.

import type { CaseContext } from '../../case.ts';
import { diamondExitPixels, lineInterpolation, type ShadedVertex } from '../../reference/raster.ts';
import type { Picture } from '../../result.ts';

export interface ThinLineOptions {
  readonly isFlat: boolean;
  readonly tolerance?: number;
  /** With several samples a pixel, lines are rectangles whose edge pixels are mixed: only their place is judged. */
  readonly isMultisampled?: boolean;
}

export function checkThinLines(
  t: CaseContext,
  result: Picture,
  lines: readonly (readonly [ShadedVertex, ShadedVertex])[],
  options: ThinLineOptions,
): void {
  const { width, height, data } = result;
  const exact = new Map<number, number[][]>();
  for (const [a, b] of lines)
    for (const [x, y] of diamondExitPixels(a, b)) {
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const [u, v] = lineInterpolation(a, b, x + 0.5, y + 0.5);
      const color = options.isFlat ? b.color : b.color.map((last, at) => u * a.color[at]! + v * last);
      const pixel = y * width + x;
      exact.set(pixel, [...(exact.get(pixel) ?? []), [...color]]);
    }
  t.check(exact.size > 8, 'the case has no line to see');
  let drawn = 0;
  const isDrawn = (pixel: number) => data[pixel * 4]! + data[pixel * 4 + 1]! + data[pixel * 4 + 2]! > 0;
  const neighbours = (pixel: number): number[] => {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const found: number[] = [];
    for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++)
      for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) found.push(ny * width + nx);
    return found;
  };
  const bound = (options.tolerance ?? 16) / 255;
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (!isDrawn(pixel)) continue;
    drawn++;
    const candidates = neighbours(pixel).flatMap((near) => exact.get(near) ?? []);
    const at = `${pixel % width},${Math.floor(pixel / width)}`;
    t.check(candidates.length > 0, () => `pixel ${at} is off every line`);
    if (options.isMultisampled) continue;
    const isNear = candidates.some((color) =>
      color.every((value, c) => Math.abs(value - data[pixel * 4 + c]! / 255) <= bound),
    );
    t.check(isNear, () => `pixel ${at} has a colour of no line there: ${data.subarray(pixel * 4, pixel * 4 + 4)}`);
  }
  for (const pixel of exact.keys())
    t.check(neighbours(pixel).some(isDrawn), () => `nothing drawn near ${pixel % width},${Math.floor(pixel / width)}`);
  if (options.isMultisampled) return;
  // One fragment more or less for each line.
  t.check(Math.abs(drawn - exact.size) <= 2 * lines.length, `${drawn} pixels drawn, expected about ${exact.size}`);
}
