// Texel formats: how texels lie in client memory and what values they stand for (ES 3.0.6 tables 3.2 to 3.13).

import type { Random } from './random.ts';
import { halfBits } from './vertex-data.ts';

export type TexelClass = 'unorm' | 'snorm' | 'float' | 'int' | 'uint' | 'depth' | 'depth_stencil';
type BaseFormat =
  | 'red'
  | 'rg'
  | 'rgb'
  | 'rgba'
  | 'alpha'
  | 'luminance'
  | 'luminance_alpha'
  | 'bgra'
  | 'depth'
  | 'depth_stencil';

export interface TexelFormat {
  readonly name: string;
  readonly internal: number;
  readonly format: number;
  readonly type: number;
  readonly base: BaseFormat;
  readonly kind: TexelClass;
  readonly isSrgb: boolean;
  /** Bytes of a texel in client memory. */
  readonly bytes: number;
}

const UBYTE = 0x1401;
const BYTE = 0x1400;
const USHORT = 0x1403;
const SHORT = 0x1402;
const UINT = 0x1405;
const INT = 0x1404;
const FLOAT = 0x1406;
const HALF = 0x140b;
const HALF_OES = 0x8d61;
const US565 = 0x8363;
const US4444 = 0x8033;
const US5551 = 0x8034;
const UI2101010 = 0x8368;
const UI11F = 0x8c3b;
const UI5999 = 0x8c3e;
const UI248 = 0x84fa;
const F32UI248 = 0x8dad;

const BASES: Readonly<Record<BaseFormat, { gl: number; integer: number; channels: number }>> = {
  red: { gl: 0x1903, integer: 0x8d94, channels: 1 },
  rg: { gl: 0x8227, integer: 0x8228, channels: 2 },
  rgb: { gl: 0x1907, integer: 0x8d98, channels: 3 },
  rgba: { gl: 0x1908, integer: 0x8d99, channels: 4 },
  alpha: { gl: 0x1906, integer: 0, channels: 1 },
  luminance: { gl: 0x1909, integer: 0, channels: 1 },
  luminance_alpha: { gl: 0x190a, integer: 0, channels: 2 },
  bgra: { gl: 0x80e1, integer: 0, channels: 4 },
  depth: { gl: 0x1902, integer: 0, channels: 1 },
  depth_stencil: { gl: 0x84f9, integer: 0, channels: 1 },
};

const COMPONENT_BYTES: Readonly<Record<number, number>> = {
  [UBYTE]: 1,
  [BYTE]: 1,
  [USHORT]: 2,
  [SHORT]: 2,
  [UINT]: 4,
  [INT]: 4,
  [FLOAT]: 4,
  [HALF]: 2,
  [HALF_OES]: 2,
};
const PACKED_BYTES: Readonly<Record<number, number>> = {
  [US565]: 2,
  [US4444]: 2,
  [US5551]: 2,
  [UI2101010]: 4,
  [UI11F]: 4,
  [UI5999]: 4,
  [UI248]: 4,
  [F32UI248]: 8,
};

function row(
  name: string,
  internal: number,
  base: BaseFormat,
  type: number,
  kind: TexelClass,
  isSrgb = false,
): TexelFormat {
  const isInteger = kind === 'int' || kind === 'uint';
  const { gl, integer, channels } = BASES[base];
  const bytes = PACKED_BYTES[type] ?? COMPONENT_BYTES[type]! * channels;
  return { name, internal, format: isInteger ? integer : gl, type, base, kind, isSrgb, bytes };
}

/** Sized formats of ES 3.0 under dEQP's names, each with the transfer type that loses nothing. */
export const SIZED_FORMATS: readonly TexelFormat[] = [
  row('r8', 0x8229, 'red', UBYTE, 'unorm'),
  row('r8_snorm', 0x8f94, 'red', BYTE, 'snorm'),
  row('r16f', 0x822d, 'red', HALF, 'float'),
  row('r32f', 0x822e, 'red', FLOAT, 'float'),
  row('r8ui', 0x8232, 'red', UBYTE, 'uint'),
  row('r8i', 0x8231, 'red', BYTE, 'int'),
  row('r16ui', 0x8234, 'red', USHORT, 'uint'),
  row('r16i', 0x8233, 'red', SHORT, 'int'),
  row('r32ui', 0x8236, 'red', UINT, 'uint'),
  row('r32i', 0x8235, 'red', INT, 'int'),
  row('rg8', 0x822b, 'rg', UBYTE, 'unorm'),
  row('rg8_snorm', 0x8f95, 'rg', BYTE, 'snorm'),
  row('rg16f', 0x822f, 'rg', HALF, 'float'),
  row('rg32f', 0x8230, 'rg', FLOAT, 'float'),
  row('rg8ui', 0x8238, 'rg', UBYTE, 'uint'),
  row('rg8i', 0x8237, 'rg', BYTE, 'int'),
  row('rg16ui', 0x823a, 'rg', USHORT, 'uint'),
  row('rg16i', 0x8239, 'rg', SHORT, 'int'),
  row('rg32ui', 0x823c, 'rg', UINT, 'uint'),
  row('rg32i', 0x823b, 'rg', INT, 'int'),
  row('rgb8', 0x8051, 'rgb', UBYTE, 'unorm'),
  row('srgb8', 0x8c41, 'rgb', UBYTE, 'unorm', true),
  row('rgb565', 0x8d62, 'rgb', US565, 'unorm'),
  row('rgb8_snorm', 0x8f96, 'rgb', BYTE, 'snorm'),
  row('r11f_g11f_b10f', 0x8c3a, 'rgb', UI11F, 'float'),
  row('rgb9_e5', 0x8c3d, 'rgb', UI5999, 'float'),
  row('rgb16f', 0x881b, 'rgb', HALF, 'float'),
  row('rgb32f', 0x8815, 'rgb', FLOAT, 'float'),
  row('rgb8ui', 0x8d7d, 'rgb', UBYTE, 'uint'),
  row('rgb8i', 0x8d8f, 'rgb', BYTE, 'int'),
  row('rgb16ui', 0x8d77, 'rgb', USHORT, 'uint'),
  row('rgb16i', 0x8d89, 'rgb', SHORT, 'int'),
  row('rgb32ui', 0x8d71, 'rgb', UINT, 'uint'),
  row('rgb32i', 0x8d83, 'rgb', INT, 'int'),
  row('rgba8', 0x8058, 'rgba', UBYTE, 'unorm'),
  row('srgb8_alpha8', 0x8c43, 'rgba', UBYTE, 'unorm', true),
  row('rgba8_snorm', 0x8f97, 'rgba', BYTE, 'snorm'),
  row('rgb5_a1', 0x8057, 'rgba', US5551, 'unorm'),
  row('rgba4', 0x8056, 'rgba', US4444, 'unorm'),
  row('rgb10_a2', 0x8059, 'rgba', UI2101010, 'unorm'),
  row('rgba16f', 0x881a, 'rgba', HALF, 'float'),
  row('rgba32f', 0x8814, 'rgba', FLOAT, 'float'),
  row('rgba8ui', 0x8d7c, 'rgba', UBYTE, 'uint'),
  row('rgba8i', 0x8d8e, 'rgba', BYTE, 'int'),
  row('rgb10_a2ui', 0x906f, 'rgba', UI2101010, 'uint'),
  row('rgba16ui', 0x8d76, 'rgba', USHORT, 'uint'),
  row('rgba16i', 0x8d88, 'rgba', SHORT, 'int'),
  row('rgba32ui', 0x8d70, 'rgba', UINT, 'uint'),
  row('rgba32i', 0x8d82, 'rgba', INT, 'int'),
];

export const DEPTH_FORMATS: readonly TexelFormat[] = [
  row('depth_component16', 0x81a5, 'depth', USHORT, 'depth'),
  row('depth_component24', 0x81a6, 'depth', UINT, 'depth'),
  row('depth_component32f', 0x8cac, 'depth', FLOAT, 'depth'),
  row('depth24_stencil8', 0x88f0, 'depth_stencil', UI248, 'depth_stencil'),
  row('depth32f_stencil8', 0x8cad, 'depth_stencil', F32UI248, 'depth_stencil'),
];

/** Unsized formats under the names that the GLES 2 groups use. */
export const UNSIZED_FORMATS: readonly TexelFormat[] = [
  row('a8', 0x1906, 'alpha', UBYTE, 'unorm'),
  row('l8', 0x1909, 'luminance', UBYTE, 'unorm'),
  row('la88', 0x190a, 'luminance_alpha', UBYTE, 'unorm'),
  row('rgb565', 0x1907, 'rgb', US565, 'unorm'),
  row('rgb888', 0x1907, 'rgb', UBYTE, 'unorm'),
  row('rgba4444', 0x1908, 'rgba', US4444, 'unorm'),
  row('rgba5551', 0x1908, 'rgba', US5551, 'unorm'),
  row('rgba8888', 0x1908, 'rgba', UBYTE, 'unorm'),
];

/** Unsized formats of ES 3 by format and type, and others that only extensions have. */
export const OTHER_FORMATS: readonly TexelFormat[] = [
  row('alpha', 0x1906, 'alpha', UBYTE, 'unorm'),
  row('luminance', 0x1909, 'luminance', UBYTE, 'unorm'),
  row('luminance_alpha', 0x190a, 'luminance_alpha', UBYTE, 'unorm'),
  row('rgb_unsigned_byte', 0x1907, 'rgb', UBYTE, 'unorm'),
  row('rgb_unsigned_short_5_6_5', 0x1907, 'rgb', US565, 'unorm'),
  row('rgba_unsigned_byte', 0x1908, 'rgba', UBYTE, 'unorm'),
  row('rgba_unsigned_short_4_4_4_4', 0x1908, 'rgba', US4444, 'unorm'),
  row('rgba_unsigned_short_5_5_5_1', 0x1908, 'rgba', US5551, 'unorm'),
  row('bgra', 0x80e1, 'bgra', UBYTE, 'unorm'),
  row('a16f', 0x1906, 'alpha', HALF_OES, 'float'),
  row('l16f', 0x1909, 'luminance', HALF_OES, 'float'),
  row('la16f', 0x190a, 'luminance_alpha', HALF_OES, 'float'),
  row('rgb16f', 0x1907, 'rgb', HALF_OES, 'float'),
  row('rgba16f', 0x1908, 'rgba', HALF_OES, 'float'),
];

export function formatNamed(list: readonly TexelFormat[], name: string): TexelFormat {
  const found = list.find((one) => one.name === name);
  if (!found) throw new Error(`no texel format ${name}`);
  return found;
}

export function sizedFormat(name: string): TexelFormat {
  return formatNamed([...SIZED_FORMATS, ...DEPTH_FORMATS], name);
}

/** binary16, and the unsigned small floats of 11 and 10 bits, by their fraction bits. */
export function smallFloat(bits: number, fractionBits: number): number {
  const exponent = (bits >> fractionBits) & 31;
  const fraction = bits & ((1 << fractionBits) - 1);
  const scale = 2 ** -fractionBits;
  const sign = (bits >> (fractionBits + 5)) & 1 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * scale * 2 ** -14 : (1 + fraction * scale) * 2 ** (exponent - 15));
}

/** The raw channel values of a texel in memory. */
export function readTexel(format: TexelFormat, view: DataView, offset: number): number[] {
  const { type, kind, base } = format;
  const { channels } = BASES[base];
  const normal = kind === 'unorm' || kind === 'depth' || kind === 'depth_stencil';
  const scale = (value: number, bits: number) => (normal ? value / (2 ** bits - 1) : value);
  switch (type) {
    case US565: {
      const bits = view.getUint16(offset, true);
      return [scale(bits >> 11, 5), scale((bits >> 5) & 63, 6), scale(bits & 31, 5)];
    }
    case US4444: {
      const bits = view.getUint16(offset, true);
      return [12, 8, 4, 0].map((shift) => scale((bits >> shift) & 15, 4));
    }
    case US5551: {
      const bits = view.getUint16(offset, true);
      return [scale(bits >> 11, 5), scale((bits >> 6) & 31, 5), scale((bits >> 1) & 31, 5), bits & 1];
    }
    case UI2101010: {
      const bits = view.getUint32(offset, true);
      return [
        scale(bits & 1023, 10),
        scale((bits >>> 10) & 1023, 10),
        scale((bits >>> 20) & 1023, 10),
        scale(bits >>> 30, 2),
      ];
    }
    case UI11F: {
      const bits = view.getUint32(offset, true);
      return [smallFloat(bits & 2047, 6), smallFloat((bits >>> 11) & 2047, 6), smallFloat(bits >>> 22, 5)];
    }
    case UI5999: {
      const bits = view.getUint32(offset, true);
      const factor = 2 ** ((bits >>> 27) - 15 - 9);
      return [(bits & 511) * factor, ((bits >>> 9) & 511) * factor, ((bits >>> 18) & 511) * factor];
    }
    case UI248: {
      const bits = view.getUint32(offset, true);
      return [(bits >>> 8) / 0xffffff];
    }
    case F32UI248:
      return [view.getFloat32(offset, true)];
  }
  const size = COMPONENT_BYTES[type]!;
  return Array.from({ length: channels }, (_, channel) => {
    const at = offset + channel * size;
    switch (type) {
      case UBYTE:
        return scale(view.getUint8(at), 8);
      case BYTE:
        return kind === 'snorm' ? Math.max(view.getInt8(at) / 127, -1) : view.getInt8(at);
      case USHORT:
        return scale(view.getUint16(at, true), 16);
      case SHORT:
        return view.getInt16(at, true);
      case UINT:
        return scale(view.getUint32(at, true), 32);
      case INT:
        return view.getInt32(at, true);
      case HALF:
      case HALF_OES:
        return smallFloat(view.getUint16(at, true), 10);
      default:
        return view.getFloat32(at, true);
    }
  });
}

/** Channels of a base format as a shader sees them. */
export function toRgba(base: BaseFormat, c: readonly number[]): [number, number, number, number] {
  switch (base) {
    case 'red':
    case 'depth':
    case 'depth_stencil':
      return [c[0]!, 0, 0, 1];
    case 'rg':
      return [c[0]!, c[1]!, 0, 1];
    case 'rgb':
      return [c[0]!, c[1]!, c[2]!, 1];
    case 'rgba':
      return [c[0]!, c[1]!, c[2]!, c[3]!];
    case 'bgra':
      return [c[2]!, c[1]!, c[0]!, c[3]!];
    case 'alpha':
      return [0, 0, 0, c[0]!];
    case 'luminance':
      return [c[0]!, c[0]!, c[0]!, 1];
    case 'luminance_alpha':
      return [c[0]!, c[0]!, c[0]!, c[1]!];
  }
}

const LARGE_IMAGE = 8191;

/** A random depth: one of 257 that happen to be equal now and then, or one with all bits of a float below 1. */
function randomDepth(random: Random): number {
  return random.bool() ? random.int(0, 256) / 256 : random.int(0, 2 ** 24) / 2 ** 24;
}

/** Random texels of the format. Floats stay in [-1, 1] ([0, 1] for those without a sign), with all bits of their fraction. */
export function fillTexels(format: TexelFormat, random: Random, count: number): Uint8Array {
  const { type, bytes } = format;
  // Large images repeat a stretch whose prime length keeps rows and layers apart.
  if (count > LARGE_IMAGE) {
    const stretch = fillTexels(format, random, LARGE_IMAGE);
    const all = new Uint8Array(count * bytes);
    for (let at = 0; at < all.length; at += stretch.length) all.set(stretch.subarray(0, all.length - at), at);
    return all;
  }
  const data = new Uint8Array(count * bytes);
  const view = new DataView(data.buffer);
  if (type === FLOAT || type === HALF || type === HALF_OES) {
    const isDepth = format.kind === 'depth';
    const size = COMPONENT_BYTES[type]!;
    for (let at = 0; at < data.length; at += size) {
      const steps = type === FLOAT ? 2 ** 24 : 2 ** 10;
      const value = isDepth ? randomDepth(random) : random.int(-steps, steps) / steps;
      if (type === FLOAT) view.setFloat32(at, value, true);
      else view.setUint16(at, halfBits(value), true);
    }
  } else if (type === F32UI248) {
    for (let at = 0; at < data.length; at += 8) {
      view.setFloat32(at, randomDepth(random), true);
      view.setUint32(at + 4, random.int(0, 255), true);
    }
  } else if (type === UI11F) {
    for (let at = 0; at < data.length; at += 4) {
      // Exponents up to 14: values below 1.
      const small = (fraction: number) => (random.int(8, 14) << fraction) | random.int(0, (1 << fraction) - 1);
      view.setUint32(at, (small(6) | (small(6) << 11) | (small(5) << 22)) >>> 0, true);
    }
  } else if (type === UI5999) {
    for (let at = 0; at < data.length; at += 4)
      view.setUint32(at, ((random.bits() & 0x7ffffff) | (random.int(12, 15) << 27)) >>> 0, true);
  } else {
    let bits = 0;
    for (let at = 0; at < data.length; at++) {
      if (at % 4 === 0) bits = random.bits();
      data[at] = (bits >>> ((at % 4) * 8)) & 255;
    }
    // Depths of exactly 0 and 1, which comparisons with clamped values tell from all others.
    if (format.kind === 'depth' || format.kind === 'depth_stencil')
      for (let at = 0; at < data.length; at += bytes)
        if (random.bool(0.15)) data.fill(random.bool() ? 255 : 0, at, at + bytes);
  }
  return data;
}

/** Scale and bias that bring a format's values into 0..1. */
export function displayRange(format: TexelFormat): { scale: number[]; bias: number[] } {
  const { kind, type } = format;
  const same = (scale: number, bias: number) => ({
    scale: [scale, scale, scale, scale],
    bias: [bias, bias, bias, bias],
  });
  if (type === UI2101010 && kind === 'uint')
    return { scale: [1 / 1023, 1 / 1023, 1 / 1023, 1 / 3], bias: [0, 0, 0, 0] };
  switch (kind) {
    case 'snorm':
      return same(0.5, 0.5);
    case 'float':
      return type === UI11F || type === UI5999 ? same(1, 0) : same(0.5, 0.5);
    case 'uint':
      return same(1 / (2 ** (COMPONENT_BYTES[type]! * 8) - 1), 0);
    case 'int': {
      const range = 2 ** (COMPONENT_BYTES[type]! * 8) - 1;
      return same(1 / range, 0.5);
    }
    default:
      return same(1, 0);
  }
}

/**
 * How far a texel that a shader reads may be off from what was stored: integers and floats are kept to the bit, normalized values
 * to half a step of their own. sRGB goes through a curve, which implementations tabulate in bytes.
 */
export function storedTolerance(format: TexelFormat): (want: number, channel: number) => number {
  const { kind, type, isSrgb } = format;
  if (kind === 'int' || kind === 'uint') return () => 0;
  if (kind === 'float' || type === F32UI248 || type === FLOAT) return (want) => Math.abs(want) * 2 ** -22;
  if (isSrgb) return (_, channel) => (channel < 3 ? 2 : 0.5) / 255;
  if (type === UI2101010) return (_, channel) => 0.5 / (channel === 3 ? 3 : 1023);
  // What is kept of depth is at least the type's bits or those of the format, whichever are fewer.
  if (kind === 'depth') return () => 0.5 / (type === UINT ? 2 ** 24 - 1 : 65535) + 2 ** -23;
  if (kind === 'depth_stencil') return () => 0.5 / (2 ** 24 - 1) + 2 ** -23;
  // Packed formats of 16 bits may be kept in bytes.
  return () => (type === UBYTE || type === BYTE ? 0.5 : 1) / 255;
}
