// One block of memory that grows with what is asked of it.

import type { RasterMemory } from '../../../src/raster/memory.ts';

export class ScratchBlock {
  readonly #memory: RasterMemory;
  #address = 0;
  #bytes = 0;

  constructor(memory: RasterMemory) {
    this.#memory = memory;
  }

  /** The block, of at least that size; growing loses its contents. Throws OutOfMemoryError, and then there is none. */
  reserve(bytes: number): number {
    if (bytes > this.#bytes) {
      this.release();
      this.#address = this.#memory.allocate(bytes);
      this.#bytes = bytes;
    }
    return this.#address;
  }

  release(): void {
    this.#memory.free(this.#address);
    this.#address = this.#bytes = 0;
  }
}
