// Vertex attribute values as bytes and as what a shader must see of them (ES 3.0.6 §2.8, table 2.3; §2.1.6).

import type { Random } from './random.ts';

/** Types under dEQP's names (`usigned` is its spelling). */
export type InputType =
  | 'byte'
  | 'unsigned_byte'
  | 'short'
  | 'unsigned_short'
  | 'int'
  | 'unsigned_int'
  | 'fixed'
  | 'float'
  | 'half'
  | 'int2_10_10_10'
  | 'usigned_int2_10_10_10';

interface InputTypeRow {
  readonly gl: number;
  /** Bytes of a component; of the whole for packed ones. */
  readonly bytes: number;
  readonly bits: number;
  readonly isSigned: boolean;
  readonly isInteger: boolean;
  readonly isPacked?: boolean;
}

export const INPUT_TYPES: Readonly<Record<InputType, InputTypeRow>> = {
  byte: { gl: 0x1400, bytes: 1, bits: 8, isSigned: true, isInteger: true },
  unsigned_byte: { gl: 0x1401, bytes: 1, bits: 8, isSigned: false, isInteger: true },
  short: { gl: 0x1402, bytes: 2, bits: 16, isSigned: true, isInteger: true },
  unsigned_short: { gl: 0x1403, bytes: 2, bits: 16, isSigned: false, isInteger: true },
  int: { gl: 0x1404, bytes: 4, bits: 32, isSigned: true, isInteger: true },
  unsigned_int: { gl: 0x1405, bytes: 4, bits: 32, isSigned: false, isInteger: true },
  fixed: { gl: 0x140c, bytes: 4, bits: 32, isSigned: true, isInteger: false },
  float: { gl: 0x1406, bytes: 4, bits: 32, isSigned: true, isInteger: false },
  half: { gl: 0x140b, bytes: 2, bits: 16, isSigned: true, isInteger: false },
  int2_10_10_10: { gl: 0x8d9f, bytes: 4, bits: 10, isSigned: true, isInteger: true, isPacked: true },
  usigned_int2_10_10_10: { gl: 0x8368, bytes: 4, bits: 10, isSigned: false, isInteger: true, isPacked: true },
};

export function elementBytes(type: InputType, components: number): number {
  const row = INPUT_TYPES[type];
  return row.isPacked ? 4 : row.bytes * components;
}

/** Range of raw values of a component. */
function rawRange(type: InputType, component: number): [number, number] {
  const { bits, isSigned, isPacked } = INPUT_TYPES[type];
  const size = isPacked && component === 3 ? 2 : bits;
  return isSigned ? [-(2 ** (size - 1)), 2 ** (size - 1) - 1] : [0, 2 ** size - 1];
}

/** A random raw component: an integer of the type, or the real number that floats and fixed hold exactly. */
export function randomRaw(random: Random, type: InputType, component: number): number {
  if (type === 'float' || type === 'half' || type === 'fixed') return random.int(-256, 256) / 64;
  const [low, high] = rawRange(type, component);
  if (random.bool(0.15)) return random.pick([low, high, 0]);
  return random.int(low, high);
}

/** The bits of a real number that binary16 holds exactly. */
export function halfBits(value: number): number {
  if (value === 0) return 0;
  const sign = value < 0 ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), -14);
  const fraction = Math.round((magnitude / 2 ** exponent) * 1024);
  // A denormal's fraction stays below 1024, which makes its exponent field 0.
  return sign | (fraction + ((exponent + 14) << 10));
}

/** Writes an element's raw components, little-endian. */
export function writeElement(view: DataView, offset: number, type: InputType, raw: readonly number[]): void {
  if (INPUT_TYPES[type].isPacked) {
    const [x, y, z, w] = raw.map((value, at) => value & (at === 3 ? 3 : 1023));
    view.setUint32(offset, (x! | (y! << 10) | (z! << 20) | (w! << 30)) >>> 0, true);
    return;
  }
  for (const [at, value] of raw.entries()) {
    const place = offset + at * INPUT_TYPES[type].bytes;
    switch (type) {
      case 'byte':
      case 'unsigned_byte':
        view.setUint8(place, value & 255);
        break;
      case 'short':
      case 'unsigned_short':
        view.setUint16(place, value & 0xffff, true);
        break;
      case 'int':
      case 'unsigned_int':
        view.setUint32(place, value >>> 0, true);
        break;
      case 'fixed':
        view.setInt32(place, Math.round(value * 65536), true);
        break;
      case 'float':
        view.setFloat32(place, value, true);
        break;
      case 'half':
        view.setUint16(place, halfBits(value), true);
        break;
    }
  }
}

/** What the shader sees of a raw component. */
export function shaderValue(type: InputType, raw: number, component: number, isNormalized: boolean): number {
  const { isInteger, isSigned } = INPUT_TYPES[type];
  if (!isInteger || !isNormalized) return raw;
  const [, high] = rawRange(type, component);
  return isSigned ? Math.max(raw / high, -1) : raw / high;
}

/** Largest magnitude that a component can have in the shader. */
export function largestValue(type: InputType, component: number, isNormalized: boolean): number {
  const { isInteger } = INPUT_TYPES[type];
  if (!isInteger) return 4;
  if (isNormalized) return 1;
  const [low, high] = rawRange(type, component);
  return Math.max(-low, high);
}
