// The picture rule of recorded cases: how near a picture must be to what a correct rasteriser gives.

export interface Rgba {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

export interface Comparison {
  readonly isRight: boolean;
  readonly wrongPixels: number;
  readonly pixels: number;
  readonly largestDifference: number;
}

const TOLERANCE = 2;
const WRONG_SHARE = 0.005;
/** Cases whose edges two correct rasterisers place differently. */
const LOOSE_CASES = /^(prim_lines|prim_points|msaa)/;

/** Compares with each acceptable picture; a pixel that is right in one of them is right. */
export function comparePictures(name: string, actual: Rgba, references: readonly Rgba[]): Comparison {
  const { width, height, data } = actual;
  const pixels = width * height;
  const usable = references.filter((reference) => reference.width === width && reference.height === height);
  if (usable.length === 0) return { isRight: false, wrongPixels: pixels, pixels, largestDifference: 255 };
  const isLoose = LOOSE_CASES.test(name);
  let wrongPixels = 0;
  let largestDifference = 0;
  for (let pixel = 0; pixel < pixels; pixel++) {
    let least = 255;
    for (const reference of usable) least = Math.min(least, difference(data, reference.data, pixel));
    largestDifference = Math.max(largestDifference, least);
    if (least > TOLERANCE && !(isLoose && usable.some((reference) => liesBetween(actual, reference, pixel))))
      wrongPixels++;
  }
  return { isRight: wrongPixels <= pixels * WRONG_SHARE, wrongPixels, pixels, largestDifference };
}

function difference(a: ArrayLike<number>, b: ArrayLike<number>, pixel: number): number {
  let largest = 0;
  for (let i = pixel * 4; i < pixel * 4 + 4; i++) largest = Math.max(largest, Math.abs(a[i]! - b[i]!));
  return largest;
}

/** Whether each channel lies between the extremes of the reference's 3×3 neighbourhood. */
function liesBetween(actual: Rgba, reference: Rgba, pixel: number): boolean {
  const { width, height } = reference;
  const [x, y] = [pixel % width, Math.floor(pixel / width)];
  for (let channel = 0; channel < 4; channel++) {
    let low = 255;
    let high = 0;
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const [nx, ny] = [x + dx, y + dy];
        if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
        const value = reference.data[(ny * width + nx) * 4 + channel]!;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    const value = actual.data[pixel * 4 + channel]!;
    if (value < low - TOLERANCE || value > high + TOLERANCE) return false;
  }
  return true;
}
