// Test support: how a NEAREST blit must choose its texels, in exact arithmetic.

import { listOf } from '../../base/list.ts';
import type { Box, Rect } from '../../pipe/pipe.ts';

/** floor(a / b) for integers of any size and sign, b positive. */
function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

/** The texel of pixel `p` along one axis: floor(s0 + (p + ½ − d0) · (s1 − s0) / (d1 − d0)), edges in any order. */
export function exactTexel(s0: number, s1: number, d0: number, d1: number, p: number): number {
  let numerator = BigInt(2 * (p - d0) + 1) * BigInt(s1 - s0);
  let denominator = BigInt(2 * (d1 - d0));
  if (denominator < 0n) [numerator, denominator] = [-numerator, -denominator];
  return s0 + Number(floorDivide(numerator, denominator));
}

export interface NearestCase {
  readonly source: Box;
  readonly destination: Box;
  readonly scissor: Rect | null;
}

/** Where pixel (x, y) of the destination must be taken from; null: it is not written. */
export function expectedTexel(
  { source, destination, scissor }: NearestCase,
  x: number,
  y: number,
): [number, number] | null {
  const inside = (v: number, start: number, size: number) =>
    v >= Math.min(start, start + size) && v < Math.max(start, start + size);
  if (!inside(x, destination.x, destination.width) || !inside(y, destination.y, destination.height)) return null;
  if (scissor && (x < scissor.minX || x >= scissor.maxX || y < scissor.minY || y >= scissor.maxY)) return null;
  const along = (s: number, sSize: number, d: number, dSize: number, p: number) =>
    exactTexel(s, s + sSize, d, d + dSize, p);
  return [
    along(source.x, source.width, destination.x, destination.width, x),
    along(source.y, source.height, destination.y, destination.height, y),
  ];
}

/** A small generator of whole numbers, the same every time. */
function randomIntegers(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return ((state >>> 8) * below) >>> 24;
  };
}

/**
 * Blits in the manner of dEQP's `fbo.blit.rect.nearest_consistency_{mag,min}`: boxes of random place and size inside of images of
 * `size`, scaled up or down by up to 10, flipped every way, some with a scissor that is wider than the box.
 */
export function nearestCases(count: number, size: number, kind: 'mag' | 'min', seed: number): NearestCase[] {
  const random = randomIntegers(seed);
  const axis = (): { s: [number, number]; d: [number, number] } => {
    const large = 1 + random(size - 1);
    const small = Math.max(1, Math.floor(large / (1 + random(10))) - random(2));
    const [sSize, dSize] = kind === 'mag' ? [small, large] : [large, small];
    let s: [number, number] = [random(size - sSize + 1), sSize];
    let d: [number, number] = [random(size - dSize + 1), dSize];
    if (random(2)) s = [s[0] + sSize, -sSize];
    if (random(2)) d = [d[0] + dSize, -dSize];
    return { s, d };
  };
  return listOf(count, (i) => {
    const [x, y] = [axis(), axis()];
    const box = (a: [number, number], b: [number, number]): Box => ({
      x: a[0],
      y: b[0],
      z: 0,
      width: a[1],
      height: b[1],
      depth: 1,
    });
    const wide = { minX: 0, minY: 0, maxX: size, maxY: size };
    const cut = { minX: random(size), minY: random(size), maxX: random(size), maxY: random(size) };
    const scissor = [null, wide, cut, null][i % 4]!;
    return { source: box(x.s, y.s), destination: box(x.d, y.d), scissor };
  });
}
