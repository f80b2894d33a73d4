// IEEE 754 binary16: conversion from and to numbers, round to nearest even.

const f32 = new Float32Array(1);
const u32 = new Uint32Array(f32.buffer);

/** The value of 16 half-float bits. A NaN becomes the canonical NaN. */
export function halfToFloat(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 0x3ff;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  if (exponent === 31) return mantissa ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  u32[0] = ((bits & 0x8000) << 16) | ((exponent + 112) << 23) | (mantissa << 13);
  return f32[0]!;
}

/**
 * The half nearest to a value (taken as f32 first), ties to even; overflow gives infinity. NaN gives 0x7e00: its sign
 * would depend on the machine.
 */
export function floatToHalf(value: number): number {
  f32[0] = value;
  const bits = u32[0]!;
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7e00;
  // 65520 is half way between the largest half and 65536: from there on infinity.
  if (magnitude >= 0x477ff000) return sign | 0x7c00;
  if (magnitude < 0x38800000) {
    // Denormal half: adding 0.5 lines the mantissa up so that the FPU rounds at bit 2^-24.
    u32[0] = magnitude;
    f32[0] = f32[0]! + 0.5;
    return sign | (u32[0]! - 0x3f000000);
  }
  const odd = (magnitude >> 13) & 1;
  return sign | ((magnitude - 0x38000000 + 0xfff + odd) >> 13);
}
