// Page tables: translation, ranges that join, faults of each kind.

import { describe, expect, it } from 'vitest';
import { MmuFault, MmuV1, MmuV2, PAGE_BYTES } from './mmu.ts';

function faultKind(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof MmuFault) return error.kind;
    throw error;
  }
  return 'none';
}

for (const [name, create] of [
  ['v1', () => new MmuV1()],
  ['v2', () => new MmuV2()],
] as const) {
  describe(`MMU ${name}`, () => {
    it('translates what is mapped', () => {
      const mmu = create();
      mmu.map(0x80400000, 0x10000000, 3 * PAGE_BYTES);
      expect(mmu.translate(0x80400000)).toBe(0x10000000);
      expect(mmu.translate(0x80401abc)).toBe(0x10001abc);
      expect(faultKind(() => mmu.translate(0x80403000))).toBe('page not present');
      mmu.unmap(0x80401000, PAGE_BYTES);
      expect(faultKind(() => mmu.translate(0x80401000))).toBe('page not present');
    });

    it('joins pages that follow each other on both sides', () => {
      const mmu = create();
      mmu.map(0x80000000, 0x10000000, 2 * PAGE_BYTES);
      mmu.map(0x80002000, 0x10002000, PAGE_BYTES);
      mmu.map(0x80003000, 0x20000000, PAGE_BYTES);
      expect(mmu.ranges()).toEqual([
        { gpuAddress: 0x80000000, physicalAddress: 0x10000000, sizeBytes: 3 * PAGE_BYTES },
        { gpuAddress: 0x80003000, physicalAddress: 0x20000000, sizeBytes: PAGE_BYTES },
      ]);
    });

    it('takes whole pages only', () => {
      expect(() => create().map(0x80000001, 0, PAGE_BYTES)).toThrow(RangeError);
      expect(() => create().map(0xfffff000, 0, 2 * PAGE_BYTES)).toThrow(RangeError);
    });
  });
}

describe('MMU v1', () => {
  it('starts at 2 GiB and maps 1 MiB for each KiB of table', () => {
    expect(faultKind(() => new MmuV1().translate(0x7ffff000))).toBe('outside');
    const small = new MmuV1(256 << 10);
    small.map(0x8ffff000, 0, PAGE_BYTES);
    expect(faultKind(() => small.map(0x90000000, 0, PAGE_BYTES))).toBe('outside');
  });
});

describe('MMU v2', () => {
  it('tells the levels apart and protects pages', () => {
    const mmu = new MmuV2();
    mmu.map(0x1000, 0x5000, PAGE_BYTES, false);
    expect(mmu.translate(0x1004)).toBe(0x5004);
    expect(faultKind(() => mmu.translate(0x1004, true))).toBe('write protected');
    expect(faultKind(() => mmu.translate(0x40000000))).toBe('table not present');
  });
});
