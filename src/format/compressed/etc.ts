// ETC1, ETC2 and EAC (GLES 3.0.6 appendix C). Colour blocks are two big-endian words: `high` holds the colours, `low` the indices;
// texel i of the indices stands in column i >> 2, row i & 3.
import { type BlockDecoder, clampByte, readBigEndian32 } from './block.ts';

/** Modifiers of the two small and two large steps, per code word (table C.8). */
const MODIFIERS: readonly (readonly [number, number])[] = [
  [2, 8],
  [5, 17],
  [9, 29],
  [13, 42],
  [18, 60],
  [24, 80],
  [33, 106],
  [47, 183],
];
/** Table C.7. */
const DISTANCES: readonly number[] = [3, 6, 11, 16, 23, 32, 41, 64];
/** Table C.10. */
const EAC_MODIFIERS: readonly (readonly number[])[] = [
  [-3, -6, -9, -15, 2, 5, 8, 14],
  [-3, -7, -10, -13, 2, 6, 9, 12],
  [-2, -5, -8, -13, 1, 4, 7, 12],
  [-2, -4, -6, -13, 1, 3, 5, 12],
  [-3, -6, -8, -12, 2, 5, 7, 11],
  [-3, -7, -9, -11, 2, 6, 8, 10],
  [-4, -7, -8, -11, 3, 6, 7, 10],
  [-3, -5, -8, -11, 2, 4, 7, 10],
  [-2, -6, -8, -10, 1, 5, 7, 9],
  [-2, -5, -8, -10, 1, 4, 7, 9],
  [-2, -4, -8, -10, 1, 3, 7, 9],
  [-2, -5, -7, -10, 1, 4, 6, 9],
  [-3, -4, -7, -10, 2, 3, 6, 9],
  [-1, -2, -3, -10, 0, 1, 2, 9],
  [-4, -6, -8, -9, 3, 5, 7, 8],
  [-3, -5, -7, -9, 2, 4, 6, 8],
];

const extend4 = (value: number): number => value * 17;
const extend5 = (value: number): number => (value << 3) | (value >> 2);
const extend6 = (value: number): number => (value << 2) | (value >> 4);
const extend7 = (value: number): number => (value << 1) | (value >> 6);
const signed3 = (value: number): number => ((value & 7) ^ 4) - 4;

function setTexel(out: Uint8Array, texel: number, red: number, green: number, blue: number, alpha: number): void {
  const o = ((texel & 3) * 4 + (texel >> 2)) * 4;
  out[o] = clampByte(red);
  out[o + 1] = clampByte(green);
  out[o + 2] = clampByte(blue);
  out[o + 3] = alpha;
}

function indexOf(low: number, texel: number): number {
  return (((low >>> (16 + texel)) & 1) << 1) | ((low >>> texel) & 1);
}

/** Four paint colours, three numbers each, in the order of the indices. */
const paint = new Int32Array(12);

function setPaint(index: number, red: number, green: number, blue: number, step: number): void {
  paint[index * 3] = red + step;
  paint[index * 3 + 1] = green + step;
  paint[index * 3 + 2] = blue + step;
}

function decodePaint(low: number, opaque: boolean, out: Uint8Array): void {
  for (let texel = 0; texel < 16; texel++) {
    const index = indexOf(low, texel);
    if (index === 2 && !opaque) setTexel(out, texel, 0, 0, 0, 0);
    else setTexel(out, texel, paint[index * 3]!, paint[index * 3 + 1]!, paint[index * 3 + 2]!, 255);
  }
}

function decodeT(high: number, low: number, opaque: boolean, out: Uint8Array): void {
  const red1 = extend4((((high >>> 27) & 3) << 2) | ((high >>> 24) & 3));
  const [green1, blue1] = [extend4((high >>> 20) & 15), extend4((high >>> 16) & 15)];
  const [red2, green2, blue2] = [extend4((high >>> 12) & 15), extend4((high >>> 8) & 15), extend4((high >>> 4) & 15)];
  const distance = DISTANCES[(((high >>> 2) & 3) << 1) | (high & 1)]!;
  setPaint(0, red1, green1, blue1, 0);
  setPaint(1, red2, green2, blue2, distance);
  setPaint(2, red2, green2, blue2, 0);
  setPaint(3, red2, green2, blue2, -distance);
  decodePaint(low, opaque, out);
}

function decodeH(high: number, low: number, opaque: boolean, out: Uint8Array): void {
  const red1 = (high >>> 27) & 15;
  const green1 = (((high >>> 24) & 7) << 1) | ((high >>> 20) & 1);
  const blue1 = (((high >>> 19) & 1) << 3) | ((high >>> 15) & 7);
  const [red2, green2, blue2] = [(high >>> 11) & 15, (high >>> 7) & 15, (high >>> 3) & 15];
  const ordered = ((red1 << 8) | (green1 << 4) | blue1) >= ((red2 << 8) | (green2 << 4) | blue2) ? 1 : 0;
  const distance = DISTANCES[(((high >>> 2) & 1) << 2) | ((high & 1) << 1) | ordered]!;
  setPaint(0, extend4(red1), extend4(green1), extend4(blue1), distance);
  setPaint(1, extend4(red1), extend4(green1), extend4(blue1), -distance);
  setPaint(2, extend4(red2), extend4(green2), extend4(blue2), distance);
  setPaint(3, extend4(red2), extend4(green2), extend4(blue2), -distance);
  decodePaint(low, opaque, out);
}

function decodePlanar(high: number, low: number, out: Uint8Array): void {
  const origin = [
    extend6((high >>> 25) & 63),
    extend7((((high >>> 24) & 1) << 6) | ((high >>> 17) & 63)),
    extend6((((high >>> 16) & 1) << 5) | (((high >>> 11) & 3) << 3) | ((high >>> 7) & 7)),
  ];
  const horizontal = [
    extend6((((high >>> 2) & 31) << 1) | (high & 1)),
    extend7((low >>> 25) & 127),
    extend6((low >>> 19) & 63),
  ];
  const vertical = [extend6((low >>> 13) & 63), extend7((low >>> 6) & 127), extend6(low & 63)];
  for (let texel = 0; texel < 16; texel++) {
    const x = texel >> 2;
    const y = texel & 3;
    const o = (y * 4 + x) * 4;
    for (let c = 0; c < 3; c++) {
      const [start, across, up] = [origin[c]!, horizontal[c]!, vertical[c]!];
      out[o + c] = clampByte((x * (across - start) + y * (up - start) + 4 * start + 2) >> 2);
    }
    out[o + 3] = 255;
  }
}

/** The base colours of the two halves. */
const bases = new Int32Array(6);

/** Two halves, each a base colour plus one of four modifiers: eight paint colours. */
function decodeHalves(high: number, low: number, opaque: boolean, out: Uint8Array): void {
  const flip = high & 1;
  const [small0, large0] = MODIFIERS[(high >>> 5) & 7]!;
  const [small1, large1] = MODIFIERS[(high >>> 2) & 7]!;
  for (let texel = 0; texel < 16; texel++) {
    const second = (flip ? texel & 3 : texel >> 2) >> 1;
    const index = indexOf(low, texel);
    if (index === 2 && !opaque) {
      setTexel(out, texel, 0, 0, 0, 0);
      continue;
    }
    const step = index & 1 ? (second ? large1 : large0) : opaque ? (second ? small1 : small0) : 0;
    const modifier = index & 2 ? -step : step;
    const base = second * 3;
    setTexel(out, texel, bases[base]! + modifier, bases[base + 1]! + modifier, bases[base + 2]! + modifier, 255);
  }
}

function decodeColor(src: Uint8Array, at: number, out: Uint8Array, punchThrough: boolean): void {
  const high = readBigEndian32(src, at);
  const low = readBigEndian32(src, at + 4);
  const bit = (high >>> 1) & 1;
  if (!bit && !punchThrough) {
    for (let c = 0; c < 3; c++) {
      bases[c] = extend4((high >>> (28 - 8 * c)) & 15);
      bases[c + 3] = extend4((high >>> (24 - 8 * c)) & 15);
    }
    decodeHalves(high, low, true, out);
    return;
  }
  // In punch-through blocks the bit says "opaque" and the mode is always differential.
  const opaque = bit === 1;
  for (let c = 0; c < 3; c++) {
    const base = (high >>> (27 - 8 * c)) & 31;
    const other = base + signed3(high >>> (24 - 8 * c));
    if (other < 0 || other > 31) {
      if (c === 0) decodeT(high, low, opaque, out);
      else if (c === 1) decodeH(high, low, opaque, out);
      else decodePlanar(high, low, out);
      return;
    }
    bases[c] = extend5(base);
    bases[c + 3] = extend5(other);
  }
  decodeHalves(high, low, opaque, out);
}

/** The three-bit index of a texel in an EAC block: 48 bits, big-endian, first texel on top. */
function eacIndex(src: Uint8Array, at: number, texel: number): number {
  const bit = 16 + texel * 3;
  const pair = (src[at + (bit >> 3)]! << 8) | (src[at + (bit >> 3) + 1] ?? 0);
  return (pair >> (13 - (bit & 7))) & 7;
}

function decodeEacAlpha(src: Uint8Array, at: number, out: Uint8Array): void {
  const base = src[at]!;
  const multiplier = src[at + 1]! >> 4;
  const modifiers = EAC_MODIFIERS[src[at + 1]! & 15]!;
  for (let texel = 0; texel < 16; texel++)
    out[((texel & 3) * 4 + (texel >> 2)) * 4 + 3] = clampByte(base + modifiers[eacIndex(src, at, texel)]! * multiplier);
}

/** An 11-bit channel as 16 bits at byte `first` of texels of `texelBytes` bytes. */
function decodeEac11(
  src: Uint8Array,
  at: number,
  out: Uint8Array,
  first: number,
  texelBytes: number,
  signed: boolean,
): void {
  const base = signed ? Math.max(-127, (src[at]! << 24) >> 24) * 8 : src[at]! * 8 + 4;
  const multiplier = (src[at + 1]! >> 4) * 8 || 1;
  const modifiers = EAC_MODIFIERS[src[at + 1]! & 15]!;
  for (let texel = 0; texel < 16; texel++) {
    const value = base + modifiers[eacIndex(src, at, texel)]! * multiplier;
    let wide: number;
    if (signed) {
      const magnitude = Math.min(Math.abs(value), 1023);
      wide = (magnitude << 5) | (magnitude >> 5);
      if (value < 0) wide = -wide;
    } else {
      const clamped = Math.min(Math.max(value, 0), 2047);
      wide = (clamped << 5) | (clamped >> 6);
    }
    const o = ((texel & 3) * 4 + (texel >> 2)) * texelBytes + first;
    out[o] = wide & 255;
    out[o + 1] = (wide >> 8) & 255;
  }
}

export const decodeEtc2Rgb: BlockDecoder = (src, at, out) => decodeColor(src, at, out, false);
export const decodeEtc2Rgb8A1: BlockDecoder = (src, at, out) => decodeColor(src, at, out, true);
export const decodeEtc2Rgba8: BlockDecoder = (src, at, out) => {
  decodeColor(src, at + 8, out, false);
  decodeEacAlpha(src, at, out);
};
export const decodeEacR11: BlockDecoder = (src, at, out) => decodeEac11(src, at, out, 0, 2, false);
export const decodeEacSignedR11: BlockDecoder = (src, at, out) => decodeEac11(src, at, out, 0, 2, true);
export const decodeEacRg11: BlockDecoder = (src, at, out) => {
  decodeEac11(src, at, out, 0, 4, false);
  decodeEac11(src, at + 8, out, 2, 4, false);
};
export const decodeEacSignedRg11: BlockDecoder = (src, at, out) => {
  decodeEac11(src, at, out, 0, 4, true);
  decodeEac11(src, at + 8, out, 2, 4, true);
};
