import { expect, test } from 'vitest';
import { DEPTH_LAYOUT_BYTES, type DepthLayout } from './depth-transfer.ts';
import { RasterEngine } from './engine.ts';
import { colorPlaneBytes, QUADS_PER_ROW, WORD_PLANE_BYTES } from './layout.ts';
import { RasterMemory } from './memory.ts';
import { averageBytes } from './resolve.ts';
import { random } from './testing.ts';
import type { PixelBytes } from './tile-transfer.ts';

const memory = new RasterMemory();
const engine = new RasterEngine(memory);

/** Byte address of byte `k` of a pixel in the planes of a tile. */
function planeByte(bytes: number, x: number, y: number, k: number): number {
  const pixel = ((y >> 1) * QUADS_PER_ROW + (x >> 1)) * 4 + (y & 1) * 2 + (x & 1);
  return bytes <= 4 ? pixel * bytes + k : (k >> 2) * WORD_PLANE_BYTES + pixel * 4 + (k & 3);
}

function fillRandom(address: number, length: number, seed: number): void {
  const next = random(seed);
  for (let i = 0; i < length; i++) memory.u8[address + i] = next() * 256;
}

test.each([1, 2, 4, 8, 16] as const)('pixels of %i bytes go to quad order and back, also at odd edges', (bytes) => {
  for (const [width, height] of [
    [64, 64],
    [1, 1],
    [37, 21],
    [2, 63],
    [63, 2],
  ] as const) {
    const wrong: string[] = [];
    const stride = Math.ceil((width * bytes) / 16) * 16 + 16;
    const surface = memory.allocate(stride * height);
    const copy = memory.allocate(stride * height);
    const planes = memory.allocate(colorPlaneBytes(bytes));
    fillRandom(surface, stride * height, 3);
    memory.u8.fill(0xee, copy, copy + stride * height);
    const { load, store } = engine.tileTransfer(bytes);
    load(planes, surface, stride, width, height);
    store(planes, copy, stride, width, height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < stride; x++) {
        const isInside = x < width * bytes;
        const source = memory.u8[surface + y * stride + x]!;
        if (memory.u8[copy + y * stride + x] !== (isInside ? source : 0xee)) wrong.push(`surface ${x}, ${y}`);
        if (!isInside) continue;
        const at = planes + planeByte(bytes, Math.floor(x / bytes), y, x % bytes);
        if (memory.u8[at] !== source) wrong.push(`plane ${x}, ${y}`);
      }
    }
    expect(wrong).toEqual([]);
    for (const block of [surface, copy, planes]) memory.free(block);
  }
});

test.each([
  ['z16', 'depth', [0, 1]],
  ['z24x8', 'depth', [0, 1, 2]],
  ['z24s8', 'depth', [0, 1, 2]],
  ['z24s8', 'stencil', [3]],
  ['z32f', 'depth', [0, 1, 2, 3]],
  ['z32fs8', 'depth', [0, 1, 2, 3]],
  ['z32fs8', 'stencil', [4]],
  ['s8', 'stencil', [0]],
] as const)('%s %s goes to its plane and back and leaves the rest alone', (layout, aspect, byteIndices) => {
  const bytes = DEPTH_LAYOUT_BYTES[layout as DepthLayout];
  const [width, height] = [33, 19];
  const stride = Math.ceil((width * bytes) / 16) * 16;
  const surface = memory.allocate(stride * height);
  const copy = memory.allocate(stride * height);
  const planes = memory.allocate(WORD_PLANE_BYTES);
  fillRandom(surface, stride * height, 4);
  memory.u8.fill(0x55, copy, copy + stride * height);
  const { load, store } = engine.depthTransfer(layout, aspect);
  load(planes, surface, stride, width, height);
  store(planes, copy, stride, width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = y * stride + x * bytes;
      let value = 0;
      for (let k = 0; k < bytes; k++) {
        const moved = (byteIndices as readonly number[]).indexOf(k);
        expect(memory.u8[copy + pixel + k]).toBe(moved < 0 ? 0x55 : memory.u8[surface + pixel + k]);
        if (moved >= 0) value += memory.u8[surface + pixel + k]! * 256 ** moved;
      }
      const plane = planes + planeByte(aspect === 'depth' ? 4 : 1, x, y, 0);
      expect(aspect === 'depth' ? memory.u32[plane >>> 2] : memory.u8[plane]).toBe(value);
    }
  }
});

test.each([1, 2, 4] as const)('four samples of 8-bit channels resolve to their rounded average (%i bytes)', (bytes) => {
  const planes = memory.allocate(4 * colorPlaneBytes(bytes));
  fillRandom(planes, 4 * colorPlaneBytes(bytes), 5);
  const expected = Array.from({ length: colorPlaneBytes(bytes) }, (_, i) => {
    const sum = [0, 1, 2, 3].reduce((total, s) => total + memory.u8[planes + s * colorPlaneBytes(bytes) + i]!, 0);
    return (sum + 2) >> 2;
  });
  engine.resolve('unorm8', bytes as PixelBytes, averageBytes)(planes, planes);
  expect([...memory.u8.subarray(planes, planes + colorPlaneBytes(bytes))]).toEqual(expected);
  memory.free(planes);
});

test.each([1, 2, 3, 4, 6, 8, 12, 16])('rectangles of %i-byte pixels are filled to the byte, masked or not', (bytes) => {
  const [width, height] = [21, 3];
  const stride = width * bytes + 5;
  const area = memory.allocate(stride * height + 32);
  const pixel = Uint8Array.from({ length: bytes }, (_, i) => 17 * i + 1);
  const mask = Uint8Array.from({ length: bytes }, (_, i) => (i % 2 ? 0xf0 : 0x3c));
  for (const withMask of [false, true]) {
    memory.u8.fill(0xa5, area, area + stride * height + 32);
    engine.fillRect(area + 16, stride, width, height, pixel, withMask ? mask : undefined);
    for (let i = -16; i < stride * height + 16; i++) {
      const [x, y] = [((i % stride) + stride) % stride, Math.floor(i / stride)];
      const isInside = y >= 0 && y < height && x < width * bytes;
      const m = withMask ? mask[x % bytes]! : 0xff;
      const expected = isInside ? (0xa5 & ~m) | (pixel[x % bytes]! & m) : 0xa5;
      expect(memory.u8[area + 16 + i]).toBe(expected);
    }
  }
  memory.free(area);
});

test('planes are filled word by word', () => {
  const planes = memory.allocate(colorPlaneBytes(8));
  engine.fillPlane(planes, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
  expect(memory.u32[planes >>> 2]).toBe(0x04030201);
  expect(memory.u32[(planes + 2 * WORD_PLANE_BYTES - 4) >>> 2]).toBe(0x08070605);
  engine.fillPlane(planes, Uint8Array.of(9));
  expect(memory.u8[planes + 4095]).toBe(9);
  expect(memory.u8[planes + 4096]).toBe(1);
  memory.free(planes);
});

test('copies flip rows by a negative stride and survive overlap', () => {
  const area = memory.allocate(400);
  for (let i = 0; i < 400; i++) memory.u8[area + i] = i;
  engine.copyRect(area + 200, 10, area + 90, -10, 10, 10);
  expect([...memory.u8.subarray(area + 200, area + 203)]).toEqual([90, 91, 92]);
  expect([...memory.u8.subarray(area + 290, area + 293)]).toEqual([0, 1, 2]);
  engine.copyRect(area + 10, 10, area, 10, 10, 10);
  expect(memory.u8[area + 109]).toBe(99);
  expect(memory.u8[area + 15]).toBe(5);
  memory.free(area);
});

test('tileClear fills rows with a word, and nothing beside them', () => {
  const area = memory.allocate(1024);
  const { u8 } = memory;
  u8.fill(7, area, area + 1024);
  engine.tileClear(area + 16, 200, 131, 3, 0x04030201);
  for (let row = 0; row < 3; row++) {
    const start = area + 16 + row * 200;
    const expected = Array.from({ length: 131 }, (_, at) => (at % 4) + 1);
    expect([...u8.subarray(start, start + 131)]).toEqual(expected);
    expect([u8[start - 1], u8[start + 131]]).toEqual([7, 7]);
  }
});
