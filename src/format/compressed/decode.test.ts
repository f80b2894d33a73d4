import { describe, expect, test } from 'vitest';
import { FORMAT_NAMES, type Format, formatDescription, imageBytes, rowBytes } from '../format.ts';
import { selectPartition } from './astc.ts';
import { colorTable, decodeSequence, RANGES, sequenceBits, weightTable } from './astc-integers.ts';
import { FLOAT_MODES, floatMode } from './bptc-float.ts';
import { ANCHORS_2, ANCHORS_3_1, ANCHORS_3_2, subsetOf } from './bptc-tables.ts';
import { decodeCompressed, decodedFormat } from './decode.ts';

const COMPRESSED = FORMAT_NAMES.filter((name) => formatDescription(name).isCompressed);

function noise(length: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

function decode(format: Format, src: Uint8Array, width: number, height: number): Uint8Array {
  const { blockBytes } = formatDescription(decodedFormat(format)!);
  const out = new Uint8Array(width * height * blockBytes);
  decodeCompressed(format, src, rowBytes(format, width), width, height, out, 0, width * blockBytes);
  return out;
}

function hash(bytes: Uint8Array): string {
  let value = 0x811c9dc5;
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value.toString(16).padStart(8, '0');
}

/** Decodings of 256 noise blocks. The ETC, BPTC and ASTC decoders were found equal to Mesa's, texel by texel, on random blocks. */
const HASHES: Partial<Record<Format, string>> = {
  ETC1_RGB8: '757d4703',
  ETC2_RGB8: '757d4703',
  ETC2_SRGB8: '757d4703',
  ETC2_RGB8A1: 'a1929b40',
  ETC2_SRGB8A1: 'a1929b40',
  ETC2_RGBA8: '6a1b4355',
  ETC2_SRGBA8: '6a1b4355',
  ETC2_R11_UNORM: '2470e69e',
  ETC2_R11_SNORM: '66f8acea',
  ETC2_RG11_UNORM: 'bb7961e1',
  ETC2_RG11_SNORM: '6e4647ee',
  DXT1_RGB: '3f8dd427',
  DXT1_RGBA: '256f325f',
  DXT3_RGBA: '5887af0d',
  DXT5_RGBA: '7222b9e7',
  DXT1_SRGB: '3f8dd427',
  DXT1_SRGBA: '256f325f',
  DXT3_SRGBA: '5887af0d',
  DXT5_SRGBA: '7222b9e7',
  RGTC1_UNORM: '5bf0f56c',
  RGTC1_SNORM: 'e0cd7ba0',
  RGTC2_UNORM: 'bbd54f06',
  RGTC2_SNORM: 'c62e5a55',
  BPTC_RGBA_UNORM: '1a28f3ef',
  BPTC_SRGBA: '1a28f3ef',
  BPTC_RGB_FLOAT: '81e33af8',
  BPTC_RGB_UFLOAT: 'f8201f98',
  ASTC_4x4: '7a804ced',
  ASTC_4x4_SRGB: 'd5ee5189',
  ASTC_5x4: '727be22c',
  ASTC_5x4_SRGB: 'ef7b15b8',
  ASTC_5x5: '3c6a1912',
  ASTC_5x5_SRGB: '46c8fd96',
  ASTC_6x5: '9d46e9ca',
  ASTC_6x5_SRGB: '003a7403',
  ASTC_6x6: '3f54ee8d',
  ASTC_6x6_SRGB: '9ec5cc6d',
  ASTC_8x5: 'ec678cec',
  ASTC_8x5_SRGB: 'cd0f7230',
  ASTC_8x6: '5d153573',
  ASTC_8x6_SRGB: '4af6d677',
  ASTC_8x8: '7fb523cf',
  ASTC_8x8_SRGB: '02424e13',
  ASTC_10x5: '148d9cd8',
  ASTC_10x5_SRGB: '1c90522d',
  ASTC_10x6: '5033a804',
  ASTC_10x6_SRGB: '9dced38c',
  ASTC_10x8: '5bea0773',
  ASTC_10x8_SRGB: '65173aa1',
  ASTC_10x10: 'fee4fdec',
  ASTC_10x10_SRGB: '5ab0bfd0',
  ASTC_12x10: '9744ad58',
  ASTC_12x10_SRGB: 'bf45ee4f',
  ASTC_12x12: 'f54f10af',
  ASTC_12x12_SRGB: '96ae2336',
  PVRTC1_RGB_4BPP: '82ae7fae',
  PVRTC1_RGB_2BPP: '74509759',
  PVRTC1_RGBA_4BPP: '8b8e6a85',
  PVRTC1_RGBA_2BPP: 'a354751e',
};

describe('every compressed format', () => {
  test.each(COMPRESSED)('%s decodes noise to the known image', (format) => {
    const { blockWidth, blockHeight } = formatDescription(format);
    const [width, height] = [blockWidth * 16, blockHeight * 16];
    expect(hash(decode(format, noise(imageBytes(format, width, height), 7), width, height))).toBe(HASHES[format]);
  });

  test.each(COMPRESSED)('%s survives truncated data and cut blocks', (format) => {
    const { blockWidth, blockHeight } = formatDescription(format);
    const whole = noise(imageBytes(format, blockWidth * 2, blockHeight * 2), 3);
    const bytes = formatDescription(decodedFormat(format)!).blockBytes;
    const guard = new Uint8Array(bytes * 5 * 3 + 8).fill(0xa5);
    decodeCompressed(format, whole, rowBytes(format, 5), 5, 3, guard, 4, bytes * 5);
    expect([...guard.slice(0, 4), ...guard.slice(-4)]).toEqual(new Array(8).fill(0xa5));
    decode(format, whole.subarray(0, whole.length - 5), blockWidth * 2, blockHeight * 2);
    decode(format, new Uint8Array(0), blockWidth * 2, blockHeight * 2);
  });
});

test('BPTC: each anchor lies in its subset, and each mode fills its block exactly', () => {
  for (let partition = 0; partition < 64; partition++) {
    expect(subsetOf(2, partition, 0)).toBe(0);
    expect(subsetOf(3, partition, 0)).toBe(0);
    expect(subsetOf(2, partition, ANCHORS_2[partition]!)).toBe(1);
    expect(subsetOf(3, partition, ANCHORS_3_1[partition]!)).toBe(1);
    expect(subsetOf(3, partition, ANCHORS_3_2[partition]!)).toBe(2);
  }
  for (const number of Object.keys(FLOAT_MODES).map(Number)) {
    const mode = floatMode(number)!;
    const modeBits = number < 2 ? 2 : 5;
    expect(modeBits + mode.fields.length).toBe(mode.subsets === 2 ? 77 : 65);
    expect(new Set(mode.fields.map(String)).size).toBe(mode.fields.length);
  }
});

test('ASTC: packed trits and quints reach every combination, and expansions cover their range', () => {
  for (const [levels, digits] of [
    [3, 5],
    [5, 3],
  ] as const) {
    const range = RANGES.find((row) => row.levels === levels)!;
    const seen = new Set<string>();
    for (let packed = 0; packed < 256; packed++) {
      const out = new Uint8Array(5);
      decodeSequence((at, count) => (packed >> at) & ((1 << count) - 1), 0, range, digits, out);
      expect(Math.max(...out)).toBeLessThan(levels);
      seen.add(out.slice(0, digits).join());
    }
    expect(seen.size).toBe(levels ** digits);
  }
  for (const table of RANGES.filter(({ kind, bits }) => kind === 'bits' || bits > 0).map(colorTable)) {
    expect(new Set(table).size).toBe(table.length);
    expect([Math.min(...table), Math.max(...table)]).toEqual([0, 255]);
  }
  for (const table of RANGES.filter(({ levels }) => levels <= 32).map(weightTable)) {
    expect(new Set(table).size).toBe(table.length);
    expect([Math.min(...table), Math.max(...table)]).toEqual([0, 64]);
  }
  expect(sequenceBits(RANGES.find((row) => row.levels === 6)!, 18)).toBe(47);
});

test('ASTC: partitions stay in range', () => {
  for (let index = 0; index < 1024; index += 7)
    for (let count = 2; count <= 4; count++)
      for (let texel = 0; texel < 144; texel++)
        expect(selectPartition(index, texel % 12, (texel / 12) | 0, count, false)).toBeLessThan(count);
});

test('PVRTC: an image of equal blocks is one colour', () => {
  // Colour A and B opaque red (5:5:4 and 5:5:5), any modulation.
  const block = [0x1b, 0xe4, 0x1b, 0xe4, 0x00, 0xfc, 0x00, 0xfc];
  const src = Uint8Array.from({ length: 32 }, (_, i) => block[i % 8]!);
  const out = decode('PVRTC1_RGBA_4BPP', src, 8, 8);
  for (let o = 0; o < out.length; o += 4) expect([...out.slice(o, o + 4)]).toEqual([255, 0, 0, 255]);
});

test.each([
  ['PVRTC1_RGBA_2BPP', [0x77, 0x22, 0x77, 0x22, 0xbb, 0x2b, 0x00, 0x80]],
  ['PVRTC1_RGBA_4BPP', [0x1b, 0x1b, 0x1b, 0x1b, 0xba, 0x2b, 0x00, 0x80]],
] as const)('PVRTC: the padding of an image of one block has no part in it: %s', (format, block) => {
  // B is opaque black, A (189, 189, 181) with alpha 68; texels of a row have 8, 5, 3 and 0 eighths of B.
  const src = new Uint8Array(32);
  src.set(block);
  const out = decode(format, src, 4, 4);
  for (let y = 0; y < 4; y++)
    for (let x = 0; x < 4; x++) {
      const weight = [8, 5, 3, 0][x]!;
      const mixed = [189, 189, 181, 68].map((a, c) => (a * (8 - weight) + (c === 3 ? 255 : 0) * weight) >> 3);
      expect([...out.slice((y * 4 + x) * 4, (y * 4 + x) * 4 + 4)], `${x}, ${y}`).toEqual(mixed);
    }
});
