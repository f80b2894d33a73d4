// The allocator over one WebAssembly memory: all that generated code can see lives here.
// Bookkeeping stays in JavaScript objects, out of reach of stray stores. Memory never shrinks; `liveBytes` tells leaks.
import { RangeList } from './range-list.ts';

/** Thrown when an allocation cannot be had: the limit is reached or the engine refuses to grow. */
export class OutOfMemoryError extends Error {
  override readonly name = 'OutOfMemoryError';
  readonly bytes: number;
  constructor(bytes: number) {
    super(`out of memory: ${bytes} bytes`);
    this.bytes = bytes;
  }
}

export type MemoryOptions = {
  /** A shared memory (default) can be given to workers; importing modules must be built to match. */
  shared?: boolean;
  /** Never commit more than this many bytes (default and most: 4 GiB). */
  limitBytes?: number;
};

const WASM_PAGE = 65536;
const MAX_PAGES = 65536;
/** Grain of large blocks. */
const GRAIN = 4096;
/** Requests up to this size come from slabs of equal slots. */
const SMALL_MAX = 2048;
const SLAB_BYTES = 65536;
/** Not shared, so that copies from it are quick. */
const ZEROS = new Uint8Array(GRAIN);
/** Growth in steps of 1 MiB, so that a run of small requests does not replace the views each time. */
const GROWTH_STEP_PAGES = 16;

type Slab = { readonly start: number; readonly slotBytes: number; live: number; free: number[] };

/** Slot sizes: multiples of 16, four steps to each doubling. */
function slotBytes(bytes: number): number {
  if (bytes <= 64) return Math.max(16, (bytes + 15) & ~15);
  const step = 2 ** (Math.floor(Math.log2(bytes - 1)) - 2);
  return Math.ceil(bytes / step) * step;
}

/** A memory of one page that may grow. Throws OutOfMemoryError where the process has no room for its addresses. */
function firstPage(shared: boolean): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared });
  } catch (error) {
    if (error instanceof RangeError) throw new OutOfMemoryError(MAX_PAGES * WASM_PAGE);
    throw error;
  }
}

export class RasterMemory {
  readonly memory: WebAssembly.Memory;
  readonly isShared: boolean;
  readonly limitBytes: number;
  // Views are replaced after growth: take them from here at each use.
  u8!: Uint8Array;
  i8!: Int8Array;
  u16!: Uint16Array;
  i32!: Int32Array;
  u32!: Uint32Array;
  f32!: Float32Array;
  f64!: Float64Array;
  i64!: BigInt64Array;
  /** For tests: return true to make a request fail. Called before each allocation. */
  failureHook: ((bytes: number) => boolean) | undefined = undefined;
  /** Bytes asked for and not yet freed, and the number of such blocks. */
  liveBytes = 0;
  liveBlocks = 0;

  readonly #ranges = new RangeList();
  readonly #requested = new Map<number, number>();
  readonly #large = new Map<number, number>();
  /** Slabs with free slots by slot size, and each slab by its start. */
  readonly #partial = new Map<number, Slab[]>();
  readonly #slabs = new Map<number, Slab>();
  #end: number;
  /** Memory from here on was never handed out: it is zero as the engine gave it, and takes no room in the process yet. */
  #freshFrom = 0;

  constructor(options: MemoryOptions = {}) {
    this.isShared = options.shared ?? true;
    // Why one page less: an address just past a block must still fit a u32, and vector loads may read 15 bytes over an end.
    this.limitBytes = Math.min(options.limitBytes ?? Infinity, (MAX_PAGES - 1) * WASM_PAGE);
    this.memory = firstPage(this.isShared);
    this.#end = WASM_PAGE;
    // Address 0 stands for "none"; the first grain is never handed out.
    this.#ranges.release(GRAIN, WASM_PAGE - 2 * GRAIN);
    this.refreshViews();
  }

  get committedBytes(): number {
    return this.#end;
  }

  /** Call on a thread whose memory another thread may have grown. */
  refreshViews(): void {
    const buffer = this.memory.buffer;
    this.u8 = new Uint8Array(buffer);
    this.i8 = new Int8Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.i64 = new BigInt64Array(buffer);
  }

  /** Address of a new block, aligned to 16 (to 4096 from 2049 bytes on). Contents are undefined. Throws OutOfMemoryError. */
  allocate(bytes: number): number {
    const address = this.tryAllocate(bytes);
    if (address === 0) throw new OutOfMemoryError(bytes);
    return address;
  }

  /** As `allocate`, and the contents are zero. */
  allocateZeroed(bytes: number): number {
    const address = this.tryAllocateZeroed(bytes);
    if (address === 0) throw new OutOfMemoryError(bytes);
    return address;
  }

  /** As `allocateZeroed`, but 0 instead of an error. Pages that nobody wrote yet stay untouched. */
  tryAllocateZeroed(bytes: number): number {
    const freshFrom = this.#freshFrom;
    const address = this.tryAllocate(bytes);
    const used = Math.min(address + bytes, freshFrom);
    if (address !== 0 && used > address) this.zero(address, used - address);
    return address;
  }

  /**
   * Makes bytes zero; `address` is a multiple of four. Why not by `fill` alone: on shared memory it writes element by element, which
   * takes fifty times as long as a copy (4 MB of bytes: 3.2 ms).
   */
  zero(address: number, bytes: number): void {
    const end = address + bytes;
    let at = address;
    for (; end - at >= ZEROS.length; at += ZEROS.length) this.u8.set(ZEROS, at);
    this.u32.fill(0, at >>> 2, end >>> 2);
    this.u8.fill(0, Math.max(at, (end & ~3) >>> 0), end);
  }

  /** As `allocate`, but 0 instead of an error. */
  tryAllocate(bytes: number): number {
    if (!(bytes >= 0) || bytes > this.limitBytes || this.failureHook?.(bytes)) return 0;
    const address = bytes <= SMALL_MAX ? this.#takeSlot(slotBytes(bytes)) : this.#takeRange(bytes);
    if (address === 0) return 0;
    this.#requested.set(address, bytes);
    this.#freshFrom = Math.max(this.#freshFrom, address + bytes);
    this.liveBytes += bytes;
    this.liveBlocks++;
    return address;
  }

  /** Gives a block back. Freeing 0 is allowed, freeing anything else that is not a live block is an error. */
  free(address: number): void {
    if (address === 0) return;
    const bytes = this.#requested.get(address);
    if (bytes === undefined) throw new Error(`free of ${address}, which is not a live block`);
    this.#requested.delete(address);
    this.liveBytes -= bytes;
    this.liveBlocks--;
    const length = this.#large.get(address);
    if (length !== undefined) {
      this.#large.delete(address);
      this.#ranges.release(address, length);
    } else this.#returnSlot(address);
  }

  /** Bytes that were asked for at this live block's allocation. */
  sizeOf(address: number): number {
    return this.#requested.get(address) ?? 0;
  }

  #takeRange(bytes: number): number {
    const length = Math.ceil(bytes / GRAIN) * GRAIN;
    let address = this.#ranges.take(length);
    if (address === 0 && this.#dropEmptySlabs()) address = this.#ranges.take(length);
    if (address === 0 && this.#grow(length)) address = this.#ranges.take(length);
    if (address !== 0) this.#large.set(address, length);
    return address;
  }

  #grow(length: number): boolean {
    const needed = Math.ceil((length - this.#ranges.lengthEndingAt(this.#end - GRAIN)) / WASM_PAGE);
    const room = Math.floor((this.limitBytes - this.#end) / WASM_PAGE);
    if (needed > room) return false;
    const comfortable = Math.min(room, Math.ceil(needed / GROWTH_STEP_PAGES) * GROWTH_STEP_PAGES);
    for (const pages of comfortable > needed ? [comfortable, needed] : [needed]) {
      try {
        this.memory.grow(pages);
      } catch {
        continue;
      }
      // The last grain stays free of blocks, as a margin for vector loads.
      this.#ranges.release(this.#end - GRAIN, pages * WASM_PAGE);
      this.#end += pages * WASM_PAGE;
      this.refreshViews();
      return true;
    }
    return false;
  }

  #takeSlot(size: number): number {
    let slabs = this.#partial.get(size);
    if (slabs === undefined) this.#partial.set(size, (slabs = []));
    let slab = slabs[slabs.length - 1];
    if (slab === undefined) {
      let start = this.#ranges.take(SLAB_BYTES, SLAB_BYTES);
      if (start === 0 && this.#grow(2 * SLAB_BYTES)) start = this.#ranges.take(SLAB_BYTES, SLAB_BYTES);
      if (start === 0) return 0;
      const free: number[] = [];
      for (let i = Math.floor(SLAB_BYTES / size) - 1; i >= 0; i--) free.push(start + i * size);
      slab = { start, slotBytes: size, live: 0, free };
      slabs.push(slab);
      this.#slabs.set(start, slab);
    }
    const address = slab.free.pop() as number;
    slab.live++;
    if (slab.free.length === 0) slabs.pop();
    return address;
  }

  #returnSlot(address: number): void {
    const slab = this.#slabs.get(address - (address % SLAB_BYTES)) as Slab;
    const slabs = this.#partial.get(slab.slotBytes) as Slab[];
    slab.free.push(address);
    if (slab.free.length === 1) slabs.push(slab);
    // One empty slab of a size is kept: a program that allocates and frees by turns does not carve it anew each time.
    if (--slab.live === 0 && slabs.length > 1) this.#dropSlab(slab, slabs);
  }

  #dropEmptySlabs(): boolean {
    const before = this.#slabs.size;
    for (const slabs of this.#partial.values()) {
      for (const slab of slabs.filter((s) => s.live === 0)) this.#dropSlab(slab, slabs);
    }
    return this.#slabs.size < before;
  }

  #dropSlab(slab: Slab, slabs: Slab[]): void {
    slabs.splice(slabs.indexOf(slab), 1);
    this.#slabs.delete(slab.start);
    this.#ranges.release(slab.start, SLAB_BYTES);
  }
}
