// Sums what the threads of a tile pass say of themselves into the profile.

import { profile } from '../../src/base/profile.ts';
import type { RasterMemory } from '../../src/raster/memory.ts';
import { QueryCounter } from './query.ts';
import { MAX_THREADS, THREAD_PROFILE } from './threads/layout.ts';

const BYTES = MAX_THREADS * THREAD_PROFILE.size;
const { offset } = THREAD_PROFILE;

export class ThreadProfiles {
  readonly #memory: RasterMemory;
  #address = 0;

  constructor(memory: RasterMemory) {
    this.#memory = memory;
  }

  /** Takes memory if it will be needed. Throws OutOfMemoryError. */
  reserve(): void {
    if (profile.isOn && this.#address === 0) this.#address = this.#memory.allocate(BYTES);
  }

  /** Where threads shall add, all zero; 0 while nobody wants to know. */
  begin(): number {
    if (!profile.isOn || this.#address === 0) return 0;
    this.#memory.zero(this.#address, BYTES);
    return this.#address;
  }

  /** The tile pass is over. */
  end(): void {
    if (!profile.isOn || this.#address === 0) return;
    const { f64 } = this.#memory;
    for (let thread = 0; thread < MAX_THREADS; thread++) {
      const at = (this.#address + thread * THREAD_PROFILE.size) >>> 3;
      const tiles = f64[at + (offset.tiles >>> 3)]!;
      if (tiles === 0) continue;
      profile.counts.tiles += tiles;
      const fragments = f64[at + (offset.fragments >>> 3)]!;
      profile.counts.fragments += fragments;
      // Until it is known how many came through: see ShadedCounter.
      profile.counts.fragmentsKilled += fragments;
      const start = f64[at + (offset.start >>> 3)]!;
      const elapsed = f64[at + (offset.end >>> 3)]! - start;
      profile.threadWorked(thread, start, elapsed, f64[at + (offset.busyMs >>> 3)]!);
    }
  }

  release(): void {
    this.#memory.free(this.#address);
    this.#address = 0;
  }
}

/** Hears how many samples of shaded draws came through all tests, as an occlusion query would. */
export class ShadedCounter extends QueryCounter {
  override get count(): number {
    return 0;
  }

  override set count(passed: number) {
    profile.counts.fragmentsKilled -= passed;
  }
}
