// The box filter of mip levels: which texels of the level above make a texel, and how much of each.

/**
 * Texels of the larger level per texel of the smaller one along an axis. 1: the level has no further to shrink. 2: halves.
 * 3: an odd size 2n + 1 shrinks to n, whose boxes of 2 + 1/n texels cover three texels, the outer ones in part.
 */
export type Taps = 1 | 2 | 3;

export function tapsOf(size: number): Taps {
  if (size === 1) return 1;
  return size % 2 === 0 ? 2 : 3;
}
