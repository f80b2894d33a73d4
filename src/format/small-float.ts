// The unsigned 11- and 10-bit floats of R11G11B10_FLOAT and the shared-exponent pixel R9G9B9E5_FLOAT.

const f32 = new Float32Array(1);
const u32 = new Uint32Array(f32.buffer);

/** The value of an unsigned float of 5 exponent bits and `mantissaBits` (6 or 5) mantissa bits. */
function unsignedFloatToFloat(bits: number, mantissaBits: number): number {
  const exponent = bits >> mantissaBits;
  const mantissa = bits & ((1 << mantissaBits) - 1);
  if (exponent === 31) return mantissa ? Number.NaN : Number.POSITIVE_INFINITY;
  if (exponent === 0) return mantissa * 2 ** (-14 - mantissaBits);
  return (1 + mantissa * 2 ** -mantissaBits) * 2 ** (exponent - 15);
}

/**
 * Round to nearest even. Negative values and -infinity give 0, infinity stays, and a finite value above the largest becomes
 * the largest finite one (GLES 3.0.6 §2.1.3).
 */
export function floatToUnsignedFloat(value: number, mantissaBits: number): number {
  f32[0] = value;
  const bits = u32[0]!;
  const infinity = 31 << mantissaBits;
  if ((bits & 0x7fffffff) > 0x7f800000) return infinity | 1;
  if (bits >>> 31) return 0;
  if (bits === 0x7f800000) return infinity;
  const drop = 23 - mantissaBits;
  let result: number;
  if (bits < 0x38800000) {
    // A denormal result: 2^-14 holds the smallest normal; the addition rounds at the target's last bit.
    f32[0] = f32[0]! + 2 ** (23 - 14 - mantissaBits);
    result = u32[0]! - ((127 + 23 - 14 - mantissaBits) << 23);
  } else {
    result = (bits - 0x38000000 + (1 << (drop - 1)) - 1 + ((bits >>> drop) & 1)) >>> drop;
  }
  return Math.min(result, infinity - 1);
}

export const floatToFloat11 = (value: number): number => floatToUnsignedFloat(value, 6);
export const float11ToFloat = (bits: number): number => unsignedFloatToFloat(bits, 6);
export const float10ToFloat = (bits: number): number => unsignedFloatToFloat(bits, 5);

const RGB9E5_MAX = (511 / 512) * 2 ** 16;

function clampShared(value: number): number {
  return value > 0 ? Math.min(value, RGB9E5_MAX) : 0;
}

/** GLES 3.0.6 §3.8.3.2: the shared exponent is that of the largest component. */
export function packRgb9e5(red: number, green: number, blue: number): number {
  const r = clampShared(red);
  const g = clampShared(green);
  const b = clampShared(blue);
  const largest = Math.max(r, g, b);
  f32[0] = largest;
  let exponent = Math.max(-16, (u32[0]! >>> 23) - 127) + 16;
  if (Math.floor(largest * 2 ** (24 - exponent) + 0.5) === 512) exponent++;
  const scale = 2 ** (24 - exponent);
  const round = (value: number): number => Math.floor(value * scale + 0.5);
  return (round(r) | (round(g) << 9) | (round(b) << 18) | (exponent << 27)) >>> 0;
}

/** The scale that the three 9-bit mantissas of a shared-exponent pixel are multiplied by. */
export function rgb9e5Scale(bits: number): number {
  return 2 ** ((bits >>> 27) - 24);
}
