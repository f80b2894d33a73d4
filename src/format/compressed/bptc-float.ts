// BPTC float (BC6H): half-float RGB blocks of one or two subsets. A mode is its list of bit fields, in the order of the bits.

import { type BlockDecoder, readBits } from './block.ts';
import { isAnchor, subsetOf, WEIGHTS } from './bptc-tables.ts';

interface ModeRow {
  readonly subsets: number;
  readonly hasDeltas: boolean;
  /** Bits of the first endpoint and of the others' red, green, blue. */
  readonly baseBits: number;
  readonly deltaBits: readonly [number, number, number];
  readonly text: string;
}

interface Mode extends ModeRow {
  /** Where each header bit goes: endpoint channel (endpoint * 3 + channel) and bit number. */
  readonly fields: readonly (readonly [slot: number, bit: number])[];
}

/**
 * Fields as in the specification: r g b, endpoint w x y z, then bits high:low, lowest first in the block; low:high = the
 * highest first.
 */
function parseFields(text: string): Mode['fields'] {
  const fields: [number, number][] = [];
  for (const word of text.split(' ')) {
    const match = /^([rgb])([wxyz])(\d+)(?::(\d+))?$/.exec(word);
    if (!match) throw new Error(`bptc mode: bad field '${word}'`);
    const slot = 'wxyz'.indexOf(match[2]!) * 3 + 'rgb'.indexOf(match[1]!);
    const first = Number(match[4] ?? match[3]);
    const last = Number(match[3]);
    const step = first <= last ? 1 : -1;
    for (let bit = first; bit !== last + step; bit += step) fields.push([slot, bit]);
  }
  return fields;
}

function two(
  hasDeltas: boolean,
  baseBits: number,
  deltaBits: readonly [number, number, number],
  text: string,
): ModeRow {
  return { subsets: 2, hasDeltas, baseBits, deltaBits, text };
}
function one(hasDeltas: boolean, baseBits: number, delta: number, text: string): ModeRow {
  return { subsets: 1, hasDeltas, baseBits, deltaBits: [delta, delta, delta], text };
}

const WIDE = 'rw9:0 gw9:0 bw9:0';
/** By mode number: the two low bits alone (0, 1) or five bits. */
export const FLOAT_MODES: Readonly<Record<number, ModeRow>> = {
  0: two(
    true,
    10,
    [5, 5, 5],
    `gy4 by4 bz4 ${WIDE} rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3`,
  ),
  1: two(
    true,
    7,
    [6, 6, 6],
    'gy5 gz4 gz5 rw6:0 bz0 bz1 by4 gw6:0 by5 bz2 gy4 bw6:0 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 rz5:0',
  ),
  2: two(true, 11, [5, 4, 4], `${WIDE} rx4:0 rw10 gy3:0 gx3:0 gw10 bz0 gz3:0 bx3:0 bw10 bz1 by3:0 ry4:0 bz2 rz4:0 bz3`),
  6: two(
    true,
    11,
    [4, 5, 4],
    `${WIDE} rx3:0 rw10 gz4 gy3:0 gx4:0 gw10 gz3:0 bx3:0 bw10 bz1 by3:0 ry3:0 bz0 bz2 rz3:0 gy4 bz3`,
  ),
  10: two(
    true,
    11,
    [4, 4, 5],
    `${WIDE} rx3:0 rw10 by4 gy3:0 gx3:0 gw10 bz0 gz3:0 bx4:0 bw10 by3:0 ry3:0 bz1 bz2 rz3:0 bz4 bz3`,
  ),
  14: two(
    true,
    9,
    [5, 5, 5],
    'rw8:0 by4 gw8:0 gy4 bw8:0 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3',
  ),
  18: two(
    true,
    8,
    [6, 5, 5],
    'rw7:0 gz4 by4 gw7:0 bz2 gy4 bw7:0 bz3 bz4 rx5:0 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry5:0 rz5:0',
  ),
  22: two(
    true,
    8,
    [5, 6, 5],
    'rw7:0 bz0 by4 gw7:0 gy5 gy4 bw7:0 gz5 bz4 rx4:0 gz4 gy3:0 gx5:0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3',
  ),
  26: two(
    true,
    8,
    [5, 5, 6],
    'rw7:0 bz1 by4 gw7:0 by5 gy4 bw7:0 bz5 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx5:0 by3:0 ry4:0 bz2 rz4:0 bz3',
  ),
  30: two(
    false,
    6,
    [6, 6, 6],
    'rw5:0 gz4 bz0 bz1 by4 gw5:0 gy5 by5 bz2 gy4 bw5:0 gz5 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 rz5:0',
  ),
  3: one(false, 10, 10, `${WIDE} rx9:0 gx9:0 bx9:0`),
  7: one(true, 11, 9, `${WIDE} rx8:0 rw10 gx8:0 gw10 bx8:0 bw10`),
  11: one(true, 12, 8, `${WIDE} rx7:0 rw10:11 gx7:0 gw10:11 bx7:0 bw10:11`),
  15: one(true, 16, 4, `${WIDE} rx3:0 rw10:15 gx3:0 gw10:15 bx3:0 bw10:15`),
};

const modes: (Mode | undefined)[] = [];

/** A mode with its fields, which are read from the text when it is first met; undefined: reserved. */
export function floatMode(number: number): Mode | undefined {
  const row = FLOAT_MODES[number];
  return row && (modes[number] ??= { ...row, fields: parseFields(row.text) });
}

const endpoints = new Int32Array(12);

function signExtend(value: number, bits: number): number {
  return (value << (32 - bits)) >> (32 - bits);
}

function unquantize(value: number, bits: number, signed: boolean): number {
  if (!signed) {
    if (bits >= 15 || value === 0) return value;
    return value === (1 << bits) - 1 ? 0xffff : ((value << 16) + 0x8000) >>> bits;
  }
  if (bits >= 16 || value === 0) return value;
  const magnitude = Math.abs(value);
  const wide = magnitude >= (1 << (bits - 1)) - 1 ? 0x7fff : ((magnitude << 15) + 0x4000) >> (bits - 1);
  return value < 0 ? -wide : wide;
}

/** The half-float bits of an interpolated value. */
function finish(value: number, signed: boolean): number {
  if (!signed) return (value * 31) >> 6;
  return value < 0 ? ((-value * 31) >> 5) | 0x8000 : (value * 31) >> 5;
}

function resolveEndpoints(mode: Mode, signed: boolean): void {
  const { baseBits, deltaBits, hasDeltas, subsets } = mode;
  if (signed) for (let c = 0; c < 3; c++) endpoints[c] = signExtend(endpoints[c]!, baseBits);
  for (let slot = 3; slot < subsets * 6; slot++) {
    const c = slot % 3;
    if (hasDeltas || signed) endpoints[slot] = signExtend(endpoints[slot]!, deltaBits[c]!);
    if (!hasDeltas) continue;
    const sum = (endpoints[slot]! + endpoints[c]!) & ((1 << baseBits) - 1);
    endpoints[slot] = signed ? signExtend(sum, baseBits) : sum;
  }
  for (let slot = 0; slot < subsets * 6; slot++) endpoints[slot] = unquantize(endpoints[slot]!, baseBits, signed);
}

function decodeFloat(src: Uint8Array, at: number, out: Uint8Array, signed: boolean): void {
  const low = src[at]! & 3;
  const mode = floatMode(low < 2 ? low : src[at]! & 31);
  const one = 0x3c00;
  if (!mode) {
    for (let i = 0; i < 128; i += 2) {
      out[i] = 0;
      out[i + 1] = i % 8 === 6 ? one >> 8 : 0;
    }
    return;
  }
  endpoints.fill(0);
  let position = low < 2 ? 2 : 5;
  for (const [slot, bit] of mode.fields) endpoints[slot]! |= readBits(src, at, position++, 1) << bit;
  const partition = mode.subsets === 2 ? readBits(src, at, position, 5) : 0;
  if (mode.subsets === 2) position += 5;
  resolveEndpoints(mode, signed);
  const indexBits = mode.subsets === 2 ? 3 : 4;
  const weights = WEIGHTS[indexBits]!;
  for (let texel = 0; texel < 16; texel++) {
    const bits = isAnchor(mode.subsets, partition, texel) ? indexBits - 1 : indexBits;
    const weight = weights[readBits(src, at, position, bits)]!;
    position += bits;
    const pair = subsetOf(mode.subsets, partition, texel) * 6;
    const o = texel * 8;
    for (let c = 0; c < 3; c++) {
      const [a, b] = [endpoints[pair + c]!, endpoints[pair + 3 + c]!];
      const half = finish((a * (64 - weight) + b * weight + 32) >> 6, signed);
      out[o + c * 2] = half & 255;
      out[o + c * 2 + 1] = half >> 8;
    }
    out[o + 6] = 0;
    out[o + 7] = one >> 8;
  }
}

export const decodeBptcFloat: BlockDecoder = (src, at, out) => decodeFloat(src, at, out, true);
export const decodeBptcUnsignedFloat: BlockDecoder = (src, at, out) => decodeFloat(src, at, out, false);
