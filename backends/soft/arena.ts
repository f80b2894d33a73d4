// A job's transient memory: blocks that JavaScript and the geometry kernels fill from the same cursor, given back at once.

import { JOB } from '../../src/raster/layout.ts';
import type { RasterMemory } from '../../src/raster/memory.ts';

const FIRST_BLOCK_BYTES = 1 << 18;
const LARGEST_BLOCK_BYTES = 1 << 24;

export class Arena {
  /** Address of the job's JOB structure; its `next` and `end` are the cursor. */
  readonly header: number;
  readonly #memory: RasterMemory;
  readonly #blocks: number[] = [];
  #blockBytes = FIRST_BLOCK_BYTES;
  /** Bytes of all blocks. */
  totalBytes = 0;

  /** Throws OutOfMemoryError. */
  constructor(memory: RasterMemory) {
    this.#memory = memory;
    this.header = memory.allocateZeroed(JOB.size);
  }

  /** An address aligned to 16, or 0 when there is no memory. Contents are undefined. */
  allocate(bytes: number): number {
    const { u32 } = this.#memory;
    const size = (bytes + 15) & ~15;
    const word = this.header >>> 2;
    const next = u32[word + JOB.word.next]!;
    if (u32[word + JOB.word.end]! - next < size) return this.addBlock(size) ? this.allocate(bytes) : 0;
    u32[word + JOB.word.next] = next + size;
    return next;
  }

  /** Puts the cursor into a new block of at least `bytes`. */
  addBlock(bytes: number): boolean {
    const size = Math.max(bytes, this.#blockBytes);
    let block = this.#memory.tryAllocate(size);
    let got = size;
    if (block === 0 && size > bytes) block = this.#memory.tryAllocate((got = Math.max(bytes, FIRST_BLOCK_BYTES)));
    if (block === 0) return false;
    this.#blocks.push(block);
    this.totalBytes += got;
    this.#blockBytes = Math.min(this.#blockBytes * 2, LARGEST_BLOCK_BYTES);
    const word = this.header >>> 2;
    this.#memory.u32[word + JOB.word.next] = block;
    this.#memory.u32[word + JOB.word.end] = block + got;
    return true;
  }

  /** A block of its own of exactly `bytes`, or 0: the cursor stays where it is. */
  takeBlock(bytes: number): number {
    const block = this.#memory.tryAllocate(bytes);
    if (block === 0) return 0;
    this.#blocks.push(block);
    this.totalBytes += bytes;
    return block;
  }

  release(): void {
    for (const block of this.#blocks) this.#memory.free(block);
    this.#blocks.length = 0;
    this.#memory.free(this.header);
  }
}
