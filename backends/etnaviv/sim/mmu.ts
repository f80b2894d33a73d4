// The GPU's page tables: MMU v1 (one flat table) and v2 (two levels), written and walked as words of memory.
//
// Facts: the Linux kernel's etnaviv driver. v1 translates addresses from 0x80000000 on by a table of 4-byte entries that hold
// physical page addresses; there is no "present" bit, unmapped entries name no page here. v2 has 1024 master entries of 4 MiB,
// each a table of 1024 pages; the low bits of an entry say present, exception and writable.

/** A part of the GPU's address space that physical memory stands behind without a gap. */
export interface MappedRange {
  readonly gpuAddress: number;
  readonly physicalAddress: number;
  readonly sizeBytes: number;
}

export type MmuFaultKind = 'outside' | 'table not present' | 'page not present' | 'write protected';

/** A translation that failed, as the kernel reports it. */
export class MmuFault extends Error {
  override readonly name = 'MmuFault';
  readonly address: number;
  readonly kind: MmuFaultKind;

  constructor(address: number, kind: MmuFaultKind) {
    super(`MMU fault at 0x${(address >>> 0).toString(16).padStart(8, '0')}: ${kind}`);
    this.address = address >>> 0;
    this.kind = kind;
  }
}

const KERNEL_REASONS: Readonly<Record<MmuFaultKind, string>> = {
  outside: 'out of bounds',
  'table not present': 'slave not present',
  'page not present': 'page not present',
  'write protected': 'write violation',
};

/**
 * What the kernel's log says of a GPU that stopped at an address that nobody mapped. MMU v1 tells of no fault: the access
 * goes to a page that belongs to nobody, and the GPU hangs.
 */
export function faultReport(mmu: Mmu, address: number): string {
  let kind: MmuFaultKind = 'page not present';
  try {
    mmu.translate(address);
  } catch (error) {
    if (!(error instanceof MmuFault)) throw error;
    kind = error.kind;
  }
  const place = `0x${(address >>> 0).toString(16).padStart(8, '0')}`;
  if (mmu instanceof MmuV1) return `recover hung GPU! (MMU v1, ${KERNEL_REASONS[kind]}: ${place})`;
  return `MMU 0 fault (${KERNEL_REASONS[kind]}) addr ${place}`;
}

export interface Mmu {
  map(gpuAddress: number, physicalAddress: number, sizeBytes: number, isWritable?: boolean): void;
  unmap(gpuAddress: number, sizeBytes: number): void;
  /** Throws MmuFault. */
  translate(gpuAddress: number, isWrite?: boolean): number;
  /** What is mapped, everywhere or of some pages, with neighbouring pages put together. */
  ranges(gpuAddress?: number, sizeBytes?: number): MappedRange[];
}

export const PAGE_BYTES = 4096;
const PAGE_SHIFT = 12;

function checkPages(gpuAddress: number, physicalAddress: number, sizeBytes: number): void {
  const all = [gpuAddress, physicalAddress, sizeBytes];
  if (
    all.some((value) => !Number.isInteger(value) || value < 0 || value % PAGE_BYTES !== 0) ||
    gpuAddress + sizeBytes > 2 ** 32
  ) {
    throw new RangeError(`pages at ${gpuAddress} of ${sizeBytes} bytes are not whole pages of the address space`);
  }
}

/** Puts pages together that follow each other on both sides. */
function joinPages(pages: Iterable<readonly [gpuAddress: number, physicalAddress: number]>): MappedRange[] {
  const ranges: { gpuAddress: number; physicalAddress: number; sizeBytes: number }[] = [];
  for (const [gpuAddress, physicalAddress] of pages) {
    const last = ranges[ranges.length - 1];
    const follows =
      last !== undefined &&
      last.gpuAddress + last.sizeBytes === gpuAddress &&
      last.physicalAddress + last.sizeBytes === physicalAddress;
    if (follows) last.sizeBytes += PAGE_BYTES;
    else ranges.push({ gpuAddress, physicalAddress, sizeBytes: PAGE_BYTES });
  }
  return ranges;
}

const V1_BASE = 0x80000000;
/** The kernel's table of 2 MiB maps 2 GiB. */
const V1_TABLE_BYTES = 2 << 20;
/** Names no page: page addresses have their low bits clear. */
const V1_UNMAPPED = 0xffffffff;

/** Entries that are counted together, so that empty parts of the table are passed over. */
const V1_BLOCK = 1024;

export class MmuV1 implements Mmu {
  /** Entry 0 is the page at 0x80000000. */
  readonly table: Uint32Array;
  readonly #mapped: Uint32Array;

  constructor(tableBytes = V1_TABLE_BYTES) {
    this.table = new Uint32Array(tableBytes / 4).fill(V1_UNMAPPED);
    this.#mapped = new Uint32Array(Math.ceil(this.table.length / V1_BLOCK));
  }

  private entry(gpuAddress: number): number {
    const index = gpuAddress < V1_BASE ? -1 : (gpuAddress - V1_BASE) >>> PAGE_SHIFT;
    if (index < 0 || index >= this.table.length) throw new MmuFault(gpuAddress, 'outside');
    return index;
  }

  map(gpuAddress: number, physicalAddress: number, sizeBytes: number): void {
    checkPages(gpuAddress, physicalAddress, sizeBytes);
    for (let at = 0; at < sizeBytes; at += PAGE_BYTES) this.set(this.entry(gpuAddress + at), physicalAddress + at);
  }

  unmap(gpuAddress: number, sizeBytes: number): void {
    checkPages(gpuAddress, 0, sizeBytes);
    for (let at = 0; at < sizeBytes; at += PAGE_BYTES) this.set(this.entry(gpuAddress + at), V1_UNMAPPED);
  }

  private set(index: number, page: number): void {
    const change = Number(page !== V1_UNMAPPED) - Number(this.table[index] !== V1_UNMAPPED);
    this.#mapped[Math.floor(index / V1_BLOCK)]! += change;
    this.table[index] = page;
  }

  translate(gpuAddress: number): number {
    const page = this.table[this.entry(gpuAddress)]!;
    if (page === V1_UNMAPPED) throw new MmuFault(gpuAddress, 'page not present');
    return page + (gpuAddress & (PAGE_BYTES - 1));
  }

  ranges(gpuAddress = V1_BASE, sizeBytes = this.table.length * PAGE_BYTES): MappedRange[] {
    const pages: [number, number][] = [];
    const first = Math.max(0, (gpuAddress - V1_BASE) / PAGE_BYTES);
    const end = Math.min(this.table.length, first + sizeBytes / PAGE_BYTES);
    for (let index = first; index < end; index++) {
      const block = Math.floor(index / V1_BLOCK);
      if (this.#mapped[block] === 0) {
        index = (block + 1) * V1_BLOCK - 1;
        continue;
      }
      const page = this.table[index]!;
      if (page !== V1_UNMAPPED) pages.push([V1_BASE + index * PAGE_BYTES, page]);
    }
    return joinPages(pages);
  }
}

const V2_ENTRIES = 1024;
const V2_PRESENT = 1;
const V2_WRITABLE = 4;

export class MmuV2 implements Mmu {
  private readonly master: (Uint32Array | undefined)[] = new Array(V2_ENTRIES);

  map(gpuAddress: number, physicalAddress: number, sizeBytes: number, isWritable = true): void {
    checkPages(gpuAddress, physicalAddress, sizeBytes);
    for (let at = 0; at < sizeBytes; at += PAGE_BYTES) {
      const page = (gpuAddress + at) / PAGE_BYTES;
      const table = (this.master[page >>> 10] ??= new Uint32Array(V2_ENTRIES));
      table[page & (V2_ENTRIES - 1)] = (physicalAddress + at) | V2_PRESENT | (isWritable ? V2_WRITABLE : 0);
    }
  }

  unmap(gpuAddress: number, sizeBytes: number): void {
    checkPages(gpuAddress, 0, sizeBytes);
    for (let at = 0; at < sizeBytes; at += PAGE_BYTES) {
      const page = (gpuAddress + at) / PAGE_BYTES;
      const table = this.master[page >>> 10];
      if (table) table[page & (V2_ENTRIES - 1)] = 0;
    }
  }

  translate(gpuAddress: number, isWrite = false): number {
    const page = gpuAddress >>> PAGE_SHIFT;
    const table = this.master[page >>> 10];
    if (!table) throw new MmuFault(gpuAddress, 'table not present');
    const entry = table[page & (V2_ENTRIES - 1)]!;
    if ((entry & V2_PRESENT) === 0) throw new MmuFault(gpuAddress, 'page not present');
    if (isWrite && (entry & V2_WRITABLE) === 0) throw new MmuFault(gpuAddress, 'write protected');
    return ((entry & ~(PAGE_BYTES - 1)) >>> 0) + (gpuAddress & (PAGE_BYTES - 1));
  }

  ranges(gpuAddress = 0, sizeBytes = 2 ** 32): MappedRange[] {
    const pages: [number, number][] = [];
    const end = (gpuAddress + sizeBytes) / PAGE_BYTES;
    for (let page = gpuAddress / PAGE_BYTES; page < end; page++) {
      const table = this.master[page >>> 10];
      if (!table) {
        page |= V2_ENTRIES - 1;
        continue;
      }
      const entry = table[page & (V2_ENTRIES - 1)]!;
      if (entry & V2_PRESENT) pages.push([page * PAGE_BYTES, (entry & ~(PAGE_BYTES - 1)) >>> 0]);
    }
    return joinPages(pages);
  }
}
