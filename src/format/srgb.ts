// The sRGB transfer function (GLES 3.0.6 §3.8.16 and §4.1.8), and exact tables of it for 8-bit channels.

export function srgbToLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

export function linearToSrgb(value: number): number {
  if (!(value > 0)) return 0;
  if (value >= 1) return 1;
  return value < 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
}

const BUCKETS = 4096;

interface Tables {
  /** Linear value of each 8-bit sRGB code. */
  readonly linear: Float32Array;
  /** thresholds[n] is the linear value from which on code n is nearer than code n - 1. The last entry is never reached. */
  readonly thresholds: Float64Array;
  /** The code at the low end of each bucket of linear values: where the search of the thresholds starts. */
  readonly firstCode: Uint8Array;
}

function makeTables(): Tables {
  const linear = Float32Array.from({ length: 256 }, (_, code) => srgbToLinear(code / 255));
  const thresholds = Float64Array.from({ length: 257 }, (_, code) =>
    code === 0 ? Number.NEGATIVE_INFINITY : code === 256 ? Number.POSITIVE_INFINITY : srgbToLinear((code - 0.5) / 255),
  );
  const firstCode = new Uint8Array(BUCKETS + 1);
  for (let bucket = 0, code = 0; bucket <= BUCKETS; bucket++) {
    while (code < 255 && thresholds[code + 1]! <= bucket / BUCKETS) code++;
    firstCode[bucket] = code;
  }
  return { linear, thresholds, firstCode };
}

let tables: Tables | undefined;

/** Linear value of each 8-bit sRGB code. */
export function srgb8ToLinear(): Float32Array {
  return (tables ??= makeTables()).linear;
}

/** The 8-bit sRGB code nearest to a linear value; NaN and negative values give 0. */
export function linearToSrgb8(value: number): number {
  if (!(value > 0)) return 0;
  if (value >= 1) return 255;
  const { firstCode, thresholds } = (tables ??= makeTables());
  let code = firstCode[(value * BUCKETS) | 0]!;
  while (thresholds[code + 1]! <= value) code++;
  return code;
}
