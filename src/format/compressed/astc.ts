// ASTC, LDR profile, 2D blocks (Khronos Data Format specification 1.3, chapter 23). Illegal blocks, and partitions with HDR
// endpoints, give magenta.
import { listOf } from '../../base/list.ts';
import { decodeEndpoints, endpointValues } from './astc-endpoints.ts';
import { colorTable, decodeSequence, type IntegerRange, RANGES, sequenceBits, weightTable } from './astc-integers.ts';
import { type BlockDecoder, readBits } from './block.ts';

interface WeightGrid {
  readonly width: number;
  readonly height: number;
  readonly isDual: boolean;
  readonly range: IntegerRange;
}

const LEVELS_LOW = [2, 3, 4, 5, 6, 8];
const LEVELS_HIGH = [10, 12, 16, 20, 24, 32];

/** The grid that the 11 mode bits tell (table 23.11), or null for reserved modes. */
function decodeBlockMode(mode: number): WeightGrid | null {
  const a = (mode >> 5) & 3;
  const b = (mode >> 7) & 3;
  let isDual = ((mode >> 10) & 1) === 1;
  let isHigh = ((mode >> 9) & 1) === 1;
  let rangeBits: number;
  let size: [number, number];
  if (mode & 3) {
    rangeBits = ((mode >> 4) & 1) | ((mode & 3) << 1);
    const kind = (mode >> 2) & 3;
    if (kind === 0) size = [b + 4, a + 2];
    else if (kind === 1) size = [b + 8, a + 2];
    else if (kind === 2) size = [a + 2, b + 8];
    else size = b & 2 ? [(b & 1) + 2, a + 2] : [a + 2, (b & 1) + 6];
  } else {
    rangeBits = ((mode >> 4) & 1) | (((mode >> 2) & 3) << 1);
    if (b === 0) size = [12, a + 2];
    else if (b === 1) size = [a + 2, 12];
    else if (b === 2) {
      size = [a + 6, ((mode >> 9) & 3) + 6];
      isDual = false;
      isHigh = false;
    } else if (a < 2) size = a === 0 ? [6, 10] : [10, 6];
    else return null;
  }
  if (rangeBits < 2) return null;
  const levels = (isHigh ? LEVELS_HIGH : LEVELS_LOW)[rangeBits - 2]!;
  return { width: size[0], height: size[1], isDual, range: RANGES.find((row) => row.levels === levels)! };
}

/** Bit i of the reversed block is bit 127 − i: weights are stored from the top down. */
const reversed = new Uint8Array(16);

function reverseBlock(src: Uint8Array, at: number): void {
  for (let i = 0; i < 16; i++) {
    let byte = src[at + 15 - i]!;
    byte = ((byte & 0xf0) >> 4) | ((byte & 0x0f) << 4);
    byte = ((byte & 0xcc) >> 2) | ((byte & 0x33) << 2);
    reversed[i] = ((byte & 0xaa) >> 1) | ((byte & 0x55) << 1);
  }
}

/** The hash that partition patterns are made of (§23.21). */
function hash(seed: number): number {
  let p = seed >>> 0;
  p = (p ^ (p >>> 15)) >>> 0;
  p = (p - (p << 17)) >>> 0;
  p = (p + (p << 7)) >>> 0;
  p = (p + (p << 4)) >>> 0;
  p = (p ^ (p >>> 5)) >>> 0;
  p = (p + (p << 16)) >>> 0;
  p = (p ^ (p >>> 7)) >>> 0;
  p = (p ^ (p >>> 3)) >>> 0;
  p = (p ^ (p << 6)) >>> 0;
  return (p ^ (p >>> 17)) >>> 0;
}

/** The partition of a texel. */
export function selectPartition(index: number, x: number, y: number, count: number, isSmallBlock: boolean): number {
  if (count === 1) return 0;
  const [px, py] = isSmallBlock ? [x << 1, y << 1] : [x, y];
  const seed = index + (count - 1) * 1024;
  const random = hash(seed);
  const wide = count === 3 ? 6 : 5;
  const narrow = seed & 2 ? 4 : 5;
  const [shift1, shift2] = seed & 1 ? [narrow, wide] : [wide, narrow];
  const factor = (k: number): number => {
    const nibble = (random >>> (k * 4)) & 15;
    return (nibble * nibble) >> (k & 1 ? shift2 : shift1);
  };
  const value = (k: number, low: number): number => (factor(k) * px + factor(k + 1) * py + (random >>> low)) & 63;
  const a = value(0, 14);
  const b = value(2, 10);
  const c = count >= 3 ? value(4, 6) : 0;
  const d = count >= 4 ? value(6, 2) : 0;
  if (a >= b && a >= c && a >= d) return 0;
  if (b >= c && b >= d) return 1;
  return c >= d ? 2 : 3;
}

function setTexel(out: Uint8Array, o: number, r: number, g: number, b: number, a: number): void {
  out[o] = r;
  out[o + 1] = g;
  out[o + 2] = b;
  out[o + 3] = a;
}

function fillColor(out: Uint8Array, texels: number, r: number, g: number, b: number, a: number): void {
  for (let o = 0; o < texels * 4; o += 4) setTexel(out, o, r, g, b, a);
}

/** A block of one colour: four 16-bit values in the upper half (§23.22). False if it is illegal. */
function decodeVoidExtent(src: Uint8Array, at: number, out: Uint8Array, texels: number): boolean {
  const isHdr = readBits(src, at, 9, 1) === 1;
  if (isHdr || readBits(src, at, 10, 2) !== 3) return false;
  const extent = [12, 25, 38, 51].map((bit) => readBits(src, at, bit, 13));
  const isUnset = extent.every((value) => value === 0x1fff);
  if (!isUnset && (extent[0]! >= extent[1]! || extent[2]! >= extent[3]!)) return false;
  fillColor(out, texels, src[at + 9]!, src[at + 11]!, src[at + 13]!, src[at + 15]!);
  return true;
}

const gridValues = new Uint8Array(64);
/** Unpacked grid weights, plane after plane, with zeros behind that the infill may read with weight 0. */
const gridWeights = new Uint8Array(2 * 64 + 32);

function readWeights(grid: WeightGrid, planes: number): void {
  const count = grid.width * grid.height;
  decodeSequence((position, bits) => readBits(reversed, 0, position, bits), 0, grid.range, count * planes, gridValues);
  const table = weightTable(grid.range);
  gridWeights.fill(0);
  for (let i = 0; i < count; i++)
    for (let plane = 0; plane < planes; plane++) gridWeights[plane * 80 + i] = table[gridValues[i * planes + plane]!]!;
}

/** The weight of texel (x, y): bilinear between grid points (§23.18). */
function infill(
  grid: WeightGrid,
  plane: number,
  x: number,
  y: number,
  blockWidth: number,
  blockHeight: number,
): number {
  const ds = Math.floor((1024 + (blockWidth >> 1)) / (blockWidth - 1));
  const dt = Math.floor((1024 + (blockHeight >> 1)) / (blockHeight - 1));
  const gs = (ds * x * (grid.width - 1) + 32) >> 6;
  const gt = (dt * y * (grid.height - 1) + 32) >> 6;
  const [fs, ft] = [gs & 15, gt & 15];
  const at = plane * 80 + (gs >> 4) + (gt >> 4) * grid.width;
  const w11 = (fs * ft + 8) >> 4;
  const w10 = ft - w11;
  const w01 = fs - w11;
  const w00 = 16 - fs - ft + w11;
  const below = at + grid.width;
  const sum =
    gridWeights[at]! * w00 + gridWeights[at + 1]! * w01 + gridWeights[below]! * w10 + gridWeights[below + 1]! * w11;
  return (sum + 8) >> 4;
}

interface ColorModes {
  readonly modes: readonly number[];
  readonly colorStart: number;
  /** Mode bits that stand below the weights. */
  readonly extraBits: number;
}

/** The colour endpoint mode of each partition (§23.11). */
function readColorModes(src: Uint8Array, at: number, partitions: number, weightBits: number): ColorModes {
  if (partitions === 1) return { modes: [readBits(src, at, 13, 4)], colorStart: 17, extraBits: 0 };
  const low = readBits(src, at, 23, 6);
  if ((low & 3) === 0) return { modes: new Array(partitions).fill(low >> 2), colorStart: 29, extraBits: 0 };
  const extraBits = 3 * partitions - 4;
  const all = low | (readBits(src, at, 128 - weightBits - extraBits, extraBits) << 6);
  const base = (low & 3) - 1;
  const modes = listOf(partitions, (k) => {
    const isHigher = (all >> (2 + k)) & 1;
    return ((base + isHigher) << 2) | ((all >> (2 + partitions + 2 * k)) & 3);
  });
  return { modes, colorStart: 29, extraBits };
}

/** The finest range whose `count` values fit into `bits`; null if not even 6 levels do. */
function colorRange(count: number, bits: number): IntegerRange | null {
  for (let i = RANGES.length - 1; i >= 4; i--) if (sequenceBits(RANGES[i]!, count) <= bits) return RANGES[i]!;
  return null;
}

const colorValues = new Uint8Array(32);
/** Endpoint pairs by partition: low r g b a, high r g b a. */
const endpointBytes = new Int32Array(4 * 8);

function decodeBlock(
  src: Uint8Array,
  at: number,
  out: Uint8Array,
  width: number,
  height: number,
  srgb: boolean,
): boolean {
  const mode = readBits(src, at, 0, 11);
  if ((mode & 0x1ff) === 0x1fc) return decodeVoidExtent(src, at, out, width * height);
  const grid = decodeBlockMode(mode);
  if (!grid || grid.width > width || grid.height > height) return false;
  const planes = grid.isDual ? 2 : 1;
  const weightCount = grid.width * grid.height * planes;
  const weightBits = sequenceBits(grid.range, weightCount);
  const partitions = readBits(src, at, 11, 2) + 1;
  if (weightCount > 64 || weightBits < 24 || weightBits > 96 || (partitions === 4 && grid.isDual)) return false;
  const { modes, colorStart, extraBits } = readColorModes(src, at, partitions, weightBits);
  const planeBits = grid.isDual ? 2 : 0;
  const colorEnd = 128 - weightBits - extraBits - planeBits;
  const valueCount = modes.reduce((sum, colorMode) => sum + endpointValues(colorMode), 0);
  const range = valueCount <= 18 ? colorRange(valueCount, colorEnd - colorStart) : null;
  if (!range) return false;
  decodeSequence((position, bits) => readBits(src, at, position, bits), colorStart, range, valueCount, colorValues);
  const table = colorTable(range);
  for (let i = 0; i < valueCount; i++) colorValues[i] = table[colorValues[i]!]!;
  const isLegal: boolean[] = [];
  let first = 0;
  for (const [k, colorMode] of modes.entries()) {
    // An HDR mode spoils its own partition only.
    isLegal[k] = decodeEndpoints(colorMode, colorValues, first, endpointBytes, k * 8);
    first += endpointValues(colorMode);
  }
  reverseBlock(src, at);
  readWeights(grid, planes);
  const secondPlane = grid.isDual ? readBits(src, at, colorEnd, 2) : -1;
  const partitionIndex = partitions > 1 ? readBits(src, at, 13, 10) : 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const partition = selectPartition(partitionIndex, x, y, partitions, width * height < 31);
      if (!isLegal[partition]) {
        setTexel(out, (y * width + x) * 4, 255, 0, 255, 255);
        continue;
      }
      const pair = partition * 8;
      const weight = infill(grid, 0, x, y, width, height);
      const second = grid.isDual ? infill(grid, 1, x, y, width, height) : weight;
      for (let c = 0; c < 4; c++) {
        const w = c === secondPlane ? second : weight;
        const [low, high] = [endpointBytes[pair + c]!, endpointBytes[pair + 4 + c]!];
        const fill = srgb ? 0x80 : -1;
        const low16 = (low << 8) | (fill < 0 ? low : fill);
        const high16 = (high << 8) | (fill < 0 ? high : fill);
        out[(y * width + x) * 4 + c] = (low16 * (64 - w) + high16 * w + 32) >> 14;
      }
    }
  return true;
}

/** A decoder for one block size. */
export function astcDecoder(width: number, height: number, srgb: boolean): BlockDecoder {
  return (src, at, out) => {
    if (!decodeBlock(src, at, out, width, height, srgb)) fillColor(out, width * height, 255, 0, 255, 255);
  };
}
