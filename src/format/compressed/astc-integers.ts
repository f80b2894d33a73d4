// ASTC's bounded integer sequences: values of a range of 2^n, 3·2^n or 5·2^n levels packed in trit and quint blocks, and their
// expansion to colour bytes and weights (Khronos Data Format specification 1.3, §23.12 to §23.17).

export interface IntegerRange {
  readonly levels: number;
  readonly bits: number;
  readonly kind: 'bits' | 'trits' | 'quints';
}

function range(levels: number): IntegerRange {
  if (levels % 3 === 0) return { levels, bits: Math.log2(levels / 3), kind: 'trits' };
  if (levels % 5 === 0) return { levels, bits: Math.log2(levels / 5), kind: 'quints' };
  return { levels, bits: Math.log2(levels), kind: 'bits' };
}

/** All ranges, coarse to fine. */
export const RANGES: readonly IntegerRange[] = [
  2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 192, 256,
].map(range);

export function sequenceBits({ bits, kind }: IntegerRange, count: number): number {
  const extra = kind === 'trits' ? Math.ceil((8 * count) / 5) : kind === 'quints' ? Math.ceil((7 * count) / 3) : 0;
  return extra + bits * count;
}

/** Reads `count` bits at a bit position; the block's bits beyond the sequence must read as zero. */
export type BitSource = (position: number, count: number) => number;

const trits = new Uint8Array(5);
const quints = new Uint8Array(3);

function decodeTrits(t: number): void {
  let c: number;
  if (((t >> 2) & 7) === 7) {
    c = (((t >> 5) & 7) << 2) | (t & 3);
    trits[4] = 2;
    trits[3] = 2;
  } else {
    c = t & 31;
    if (((t >> 5) & 3) === 3) {
      trits[4] = 2;
      trits[3] = t >> 7;
    } else {
      trits[4] = t >> 7;
      trits[3] = (t >> 5) & 3;
    }
  }
  if ((c & 3) === 3) {
    trits[2] = 2;
    trits[1] = (c >> 4) & 1;
    trits[0] = (((c >> 3) & 1) << 1) | ((c >> 2) & ~(c >> 3) & 1);
  } else if (((c >> 2) & 3) === 3) {
    trits[2] = 2;
    trits[1] = 2;
    trits[0] = c & 3;
  } else {
    trits[2] = (c >> 4) & 1;
    trits[1] = (c >> 2) & 3;
    trits[0] = (((c >> 1) & 1) << 1) | (c & ~(c >> 1) & 1);
  }
}

function decodeQuints(q: number): void {
  if (((q >> 1) & 3) === 3 && ((q >> 5) & 3) === 0) {
    const low = q & 1;
    quints[2] = (low << 2) | (((q >> 4) & ~low & 1) << 1) | ((q >> 3) & ~low & 1);
    quints[1] = 4;
    quints[0] = 4;
    return;
  }
  let c: number;
  if (((q >> 1) & 3) === 3) {
    quints[2] = 4;
    c = (((q >> 3) & 3) << 3) | ((~(q >> 5) & 3) << 1) | (q & 1);
  } else {
    quints[2] = (q >> 5) & 3;
    c = q & 31;
  }
  if ((c & 7) === 5) {
    quints[1] = 4;
    quints[0] = (c >> 3) & 3;
  } else {
    quints[1] = (c >> 3) & 3;
    quints[0] = c & 7;
  }
}

/** Bits of the packed trits or quints that follow each of a block's values. */
const TRIT_PARTS = [2, 2, 1, 2, 1] as const;
const QUINT_PARTS = [3, 2, 2] as const;

/** Decodes `count` values into `out` as (trit or quint) << bits | low bits. */
export function decodeSequence(
  source: BitSource,
  start: number,
  sequence: IntegerRange,
  count: number,
  out: Uint8Array,
): void {
  const { bits, kind } = sequence;
  const end = start + sequenceBits(sequence, count);
  let position = start;
  const take = (n: number): number => {
    const available = Math.min(n, end - position);
    const value = available > 0 ? source(position, available) : 0;
    position += n;
    return value;
  };
  if (kind === 'bits') {
    for (let i = 0; i < count; i++) out[i] = take(bits);
    return;
  }
  const parts = kind === 'trits' ? TRIT_PARTS : QUINT_PARTS;
  const digits = kind === 'trits' ? trits : quints;
  for (let i = 0; i < count; i += parts.length) {
    const low: number[] = [];
    let packed = 0;
    let shift = 0;
    for (const part of parts) {
      low.push(take(bits));
      packed |= take(part) << shift;
      shift += part;
    }
    if (kind === 'trits') decodeTrits(packed);
    else decodeQuints(packed);
    for (let k = 0; k < parts.length && i + k < count; k++) out[i + k] = (digits[k]! << bits) | low[k]!;
  }
}

/** Copies bits of a value by a pattern: letters a b c … are its bits 0, 1, 2 …, the rightmost is bit 0 of the result. */
function spread(pattern: string, value: number): number {
  let result = 0;
  for (const letter of pattern)
    result = (result << 1) | (letter === '0' ? 0 : (value >> (letter.charCodeAt(0) - 97)) & 1);
  return result;
}

/** Pattern B and factor C of the expansion to bytes, by levels. */
const COLOR_EXPANSION: Readonly<Record<number, readonly [pattern: string, factor: number]>> = {
  6: ['000000000', 204],
  12: ['b000b0bb0', 93],
  24: ['cb000cbcb', 44],
  48: ['dcb000dcb', 22],
  96: ['edcb000ed', 11],
  192: ['fedcb000f', 5],
  10: ['000000000', 113],
  20: ['b0000bb00', 54],
  40: ['cb0000cbc', 26],
  80: ['dcb0000dc', 13],
  160: ['edcb0000e', 6],
};

/** The same of the expansion to weights. */
const WEIGHT_EXPANSION: Readonly<Record<number, readonly [pattern: string, factor: number]>> = {
  6: ['0000000', 50],
  12: ['b000b0b', 23],
  24: ['cb000cb', 11],
  10: ['0000000', 28],
  20: ['b0000b0', 13],
};

/** A value of n bits repeated to `width` bits. */
function repeatBits(value: number, bits: number, width: number): number {
  let result = 0;
  for (let filled = 0; filled < width; filled += bits) result = (result << bits) | value;
  return result >> (Math.ceil(width / bits) * bits - width);
}

function expandColor({ levels, bits, kind }: IntegerRange, value: number): number {
  if (kind === 'bits') return repeatBits(value, bits, 8);
  const [pattern, factor] = COLOR_EXPANSION[levels]!;
  const a = value & 1 ? 0x1ff : 0;
  const t = ((value >> bits) * factor + spread(pattern, value)) ^ a;
  return (a & 0x80) | (t >> 2);
}

function expandWeight({ levels, bits, kind }: IntegerRange, value: number): number {
  let weight: number;
  if (levels === 3) weight = [0, 32, 63][value]!;
  else if (levels === 5) weight = [0, 16, 32, 47, 63][value]!;
  else if (kind === 'bits') weight = repeatBits(value, bits, 6);
  else {
    const [pattern, factor] = WEIGHT_EXPANSION[levels]!;
    const a = value & 1 ? 0x7f : 0;
    const t = ((value >> bits) * factor + spread(pattern, value)) ^ a;
    weight = (a & 0x20) | (t >> 2);
  }
  return weight > 32 ? weight + 1 : weight;
}

/** Tables by range, each made when it is first asked for. */
function tables(expand: (range: IntegerRange, value: number) => number): (range: IntegerRange) => Uint8Array {
  const made = new Map<IntegerRange, Uint8Array>();
  return (row) => {
    let table = made.get(row);
    if (table === undefined) {
      table = Uint8Array.from({ length: row.levels }, (_, value) => expand(row, value));
      made.set(row, table);
    }
    return table;
  };
}

/** Encoded value → 0…255, of ranges from 6 levels up (coarser ones hold no colours). */
export const colorTable = tables(expandColor);
/** Encoded value → 0…64, of ranges up to 32 levels. */
export const weightTable = tables(expandWeight);
