// BPTC RGBA (BC7): eight block modes of up to three subsets.

import { type BlockDecoder, readBits } from './block.ts';
import { isAnchor, subsetOf, WEIGHTS } from './bptc-tables.ts';

interface Mode {
  readonly subsets: number;
  readonly partitionBits: number;
  readonly rotationBits: number;
  readonly selectorBits: number;
  readonly colorBits: number;
  readonly alphaBits: number;
  /** Low-order bits of endpoints: one each, one a subset, or none. */
  readonly lowBits: 'each' | 'shared' | 'none';
  readonly indexBits: number;
  readonly secondIndexBits: number;
}

function mode(row: readonly [number, number, number, number, number, number, Mode['lowBits'], number, number]): Mode {
  const [
    subsets,
    partitionBits,
    rotationBits,
    selectorBits,
    colorBits,
    alphaBits,
    lowBits,
    indexBits,
    secondIndexBits,
  ] = row;
  return {
    subsets,
    partitionBits,
    rotationBits,
    selectorBits,
    colorBits,
    alphaBits,
    lowBits,
    indexBits,
    secondIndexBits,
  };
}

// biome-ignore format: a table is read by its columns
const MODES: readonly Mode[] = [
  //    subsets partition rotation selector color alpha low  index second
  mode([3,      4,        0,       0,       4,    0, 'each',   3,    0]),
  mode([2,      6,        0,       0,       6,    0, 'shared', 3,    0]),
  mode([3,      6,        0,       0,       5,    0, 'none',   2,    0]),
  mode([2,      6,        0,       0,       7,    0, 'each',   2,    0]),
  mode([1,      0,        2,       1,       5,    6, 'none',   2,    3]),
  mode([1,      0,        2,       0,       7,    8, 'none',   2,    2]),
  mode([1,      0,        0,       0,       7,    7, 'each',   4,    0]),
  mode([2,      6,        0,       0,       5,    5, 'each',   2,    0]),
];

let source: Uint8Array = new Uint8Array(0);
let sourceAt = 0;
let position = 0;

function take(count: number): number {
  const value = count ? readBits(source, sourceAt, position, count) : 0;
  position += count;
  return value;
}

/** Channel c of endpoint e at c * 6 + e. */
const endpoints = new Uint8Array(24);
const indices = new Uint8Array(16);
const secondIndices = new Uint8Array(16);

/** A value of `bits` bits widened to 8 by repeating its top bits. */
function widen(value: number, bits: number): number {
  const top = value << (8 - bits);
  return (top | (top >> bits)) & 255;
}

function readEndpoints({ subsets, colorBits, alphaBits, lowBits }: Mode): void {
  const count = subsets * 2;
  for (let c = 0; c < 4; c++)
    for (let e = 0; e < count; e++) endpoints[c * 6 + e] = take(c < 3 ? colorBits : alphaBits);
  const low: number[] = [];
  if (lowBits === 'each') for (let e = 0; e < count; e++) low.push(take(1));
  if (lowBits === 'shared')
    for (let s = 0; s < subsets; s++) {
      const bit = take(1);
      low.push(bit, bit);
    }
  for (let c = 0; c < 4; c++) {
    const bits = c < 3 ? colorBits : alphaBits;
    for (let e = 0; e < count; e++) {
      const at = c * 6 + e;
      if (bits === 0) endpoints[at] = 255;
      else if (low.length) endpoints[at] = widen((endpoints[at]! << 1) | low[e]!, bits + 1);
      else endpoints[at] = widen(endpoints[at]!, bits);
    }
  }
}

function readIndices(out: Uint8Array, subsets: number, partition: number, bits: number): void {
  for (let texel = 0; texel < 16; texel++) out[texel] = take(isAnchor(subsets, partition, texel) ? bits - 1 : bits);
}

export const decodeBptc: BlockDecoder = (src, at, out) => {
  let number = 0;
  while (number < 8 && !(src[at]! & (1 << number))) number++;
  const row = MODES[number];
  if (!row) {
    out.fill(0);
    return;
  }
  source = src;
  sourceAt = at;
  position = number + 1;
  const partition = take(row.partitionBits);
  const rotation = take(row.rotationBits);
  const selector = take(row.selectorBits);
  readEndpoints(row);
  readIndices(indices, row.subsets, partition, row.indexBits);
  if (row.secondIndexBits) readIndices(secondIndices, 1, 0, row.secondIndexBits);
  const first = WEIGHTS[row.indexBits]!;
  const second = row.secondIndexBits ? WEIGHTS[row.secondIndexBits]! : first;
  for (let texel = 0; texel < 16; texel++) {
    const pair = subsetOf(row.subsets, partition, texel) * 2;
    const weight = first[indices[texel]!]!;
    const otherWeight = row.secondIndexBits ? second[secondIndices[texel]!]! : weight;
    const colorWeight = selector ? otherWeight : weight;
    const alphaWeight = selector ? weight : otherWeight;
    const o = texel * 4;
    for (let c = 0; c < 4; c++) {
      const w = c < 3 ? colorWeight : alphaWeight;
      out[o + c] = ((64 - w) * endpoints[c * 6 + pair]! + w * endpoints[c * 6 + pair + 1]! + 32) >> 6;
    }
    if (rotation) {
      const alpha = out[o + 3]!;
      out[o + 3] = out[o + rotation - 1]!;
      out[o + rotation - 1] = alpha;
    }
  }
};
