import { expect, test } from 'vitest';
import { OutOfMemoryError, RasterMemory } from './memory.ts';

function random(seed: number): () => number {
  let s = seed;
  return () => (s = (Math.imul(s, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

test('blocks are aligned, disjoint, and live bytes return to zero', () => {
  const memory = new RasterMemory();
  const next = random(1);
  const live = new Map<number, number>();
  for (let i = 0; i < 5000; i++) {
    if (next() < 0.55 || live.size === 0) {
      const bytes = Math.floor(next() ** 4 * 100_000);
      const address = memory.allocate(bytes);
      expect(address % 16).toBe(0);
      live.set(address, bytes);
    } else {
      const keys = [...live.keys()];
      const address = keys[Math.floor(next() * keys.length)] as number;
      live.delete(address);
      memory.free(address);
    }
  }
  const sorted = [...live].sort((a, b) => a[0] - b[0]);
  for (let i = 1; i < sorted.length; i++) {
    const [address, bytes] = sorted[i - 1] as [number, number];
    expect(address + bytes).toBeLessThanOrEqual((sorted[i] as [number, number])[0]);
  }
  expect(memory.liveBytes).toBe([...live.values()].reduce((a, b) => a + b, 0));
  for (const address of live.keys()) memory.free(address);
  expect([memory.liveBytes, memory.liveBlocks]).toEqual([0, 0]);
  const committed = memory.committedBytes;
  memory.free(memory.allocate(committed - 400_000));
  expect(memory.committedBytes).toBe(committed);
});

test('zeroed blocks are zero where memory was used before, where it was not, and where both meet', () => {
  const memory = new RasterMemory();
  const first = memory.allocate(100_000);
  memory.u8.fill(255, first, first + 100_000);
  memory.free(first);
  const across = memory.allocateZeroed(300_000);
  expect(across).toBe(first);
  expect(memory.u8.subarray(across, across + 300_000).some((byte) => byte !== 0)).toBe(false);
  const small = memory.allocate(64);
  memory.u8.fill(255, small, small + 64);
  memory.free(small);
  const again = memory.allocateZeroed(64);
  expect([again, ...memory.u8.subarray(again, again + 64)]).toEqual([small, ...new Array(64).fill(0)]);
});

test('the limit and the failure hook make requests fail, later ones succeed', () => {
  const memory = new RasterMemory({ limitBytes: 4 << 20, shared: false });
  expect(() => memory.allocate(5 << 20)).toThrow(OutOfMemoryError);
  const block = memory.allocate(3 << 20);
  expect(memory.tryAllocate(3 << 20)).toBe(0);
  memory.free(block);
  expect(memory.tryAllocate(3 << 20)).toBe(block);
  memory.failureHook = () => true;
  expect(memory.tryAllocate(16)).toBe(0);
  memory.failureHook = undefined;
  expect(memory.tryAllocate(16)).not.toBe(0);
});

test('views see memory that was just grown', () => {
  const memory = new RasterMemory();
  const address = memory.allocateZeroed(3 << 20);
  memory.u32[(address + (3 << 20) - 4) >>> 2] = 7;
  expect(memory.u8[address + (3 << 20) - 4]).toBe(7);
  expect(() => memory.free(address + 16)).toThrow(/not a live block/);
});

test('addresses above 2 GiB work', () => {
  const memory = new RasterMemory();
  const low = memory.tryAllocate(2 ** 31);
  if (low === 0) return; // the machine does not have the address space
  const high = memory.allocate(4096);
  expect(high).toBeGreaterThan(2 ** 31);
  memory.u32[high >>> 2] = 5;
  expect(memory.u8[high]).toBe(5);
});

test('zero clears so many bytes and no more', () => {
  const memory = new RasterMemory();
  const address = memory.allocate(20_000);
  for (const bytes of [0, 1, 5, 4096, 4099, 12_301]) {
    memory.u8.fill(9, address, address + 20_000);
    memory.zero(address + 4, bytes);
    expect(memory.u8.subarray(address + 4, address + 4 + bytes).every((byte) => byte === 0)).toBe(true);
    expect([memory.u8[address + 3], memory.u8[address + 4 + bytes]]).toEqual([9, 9]);
  }
});
