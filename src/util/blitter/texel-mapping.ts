// Which texel a pixel of a NEAREST blit takes, as integers that a shader can work with: the exact arithmetic of scaled copies.

/**
 * Along one axis: pixel p takes texel origin ± floor((offset + (p − first) · step) / divisor), minus where the blit is flipped.
 * All products stay below 2³¹ for pixels of a surface.
 */
export interface TexelMapping {
  readonly first: number;
  readonly origin: number;
  readonly offset: number;
  readonly step: number;
  readonly divisor: number;
  readonly isFlipped: boolean;
  /** One texel a pixel: no division is needed. */
  readonly isUnscaled: boolean;
}

/** Pixels of the largest surface along one axis. */
const MAX_PIXELS = 16384;

/**
 * Texel floor(source + (p + ½ − destination) · sourceSize / destinationSize) for pixels from `first` on. `sourceSize` is negative
 * in a flipped blit (which then starts at the box's upper end), `destinationSize` positive. Null: beyond 32-bit arithmetic.
 */
export function mapTexels(
  source: number,
  sourceSize: number,
  destination: number,
  destinationSize: number,
  first: number,
): TexelMapping | null {
  const divisor = 2 * destinationSize;
  const step = 2 * Math.abs(sourceSize);
  const isFlipped = sourceSize < 0;
  const isUnscaled = step === divisor;
  const most = divisor + MAX_PIXELS * step;
  if (!isUnscaled && !(most < 2 ** 31)) return null;
  // Position of the first pixel's centre in units of 1 / divisor texel.
  const position = (2 * (first - destination) + 1) * sourceSize;
  const origin = source + Math.floor(position / divisor);
  const rest = position - Math.floor(position / divisor) * divisor;
  // Going down, floor(−a / b) is −floor((a + b − 1) / b).
  return { first, origin, offset: isFlipped ? divisor - 1 - rest : rest, step, divisor, isFlipped, isUnscaled };
}

/** What the shader computes, for tests. */
export function texelOf(mapping: TexelMapping, pixel: number): number {
  const { first, origin, offset, step, divisor, isFlipped } = mapping;
  const steps = Math.floor((offset + (pixel - first) * step) / divisor);
  return isFlipped ? origin - steps : origin + steps;
}
