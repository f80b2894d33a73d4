// Buffers that were given back, kept for the next of their size: making one costs a system call and page faults on hardware.

import { SettingError } from '../setting-error.ts';
import type { BufferObject, Winsys } from '../winsys/winsys.ts';

const DEFAULT_LIMIT_BYTES = 64 << 20;

/** The most bytes that the cache keeps: INDIUM_ETNAVIV_BO_CACHE in MiB, 0 turns it off. */
function limitFromEnvironment(): number {
  const text = globalThis.process?.env['INDIUM_ETNAVIV_BO_CACHE'];
  if (text === undefined || text === '') return DEFAULT_LIMIT_BYTES;
  const megabytes = Number(text);
  if (!Number.isFinite(megabytes) || megabytes < 0) {
    throw new SettingError(
      `INDIUM_ETNAVIV_BO_CACHE=${text}: give the most MiB that the buffer cache may keep, 0 for none`,
    );
  }
  return megabytes * (1 << 20);
}

/** Sizes are rounded so that buffers of about one size serve each other: four steps to a doubling, at least a page. */
function bucketBytes(sizeBytes: number): number {
  if (sizeBytes <= 4096) return 4096;
  const step = 2 ** Math.max(12, Math.floor(Math.log2(sizeBytes - 1)) - 2);
  return Math.ceil(sizeBytes / step) * step;
}

export class BufferCache {
  readonly #winsys: Winsys;
  readonly #limitBytes: number;
  readonly #free = new Map<number, BufferObject[]>();
  #bytes = 0;

  constructor(winsys: Winsys, limitBytes = limitFromEnvironment()) {
    this.#winsys = winsys;
    this.#limitBytes = limitBytes;
  }

  /** A buffer of at least that size, zeroed or as it was left, or null when even an empty cache does not help. */
  take(sizeBytes: number, isZeroed = true): BufferObject | null {
    const bytes = bucketBytes(sizeBytes);
    const known = this.#free.get(bytes)?.pop();
    if (known) {
      this.#bytes -= bytes;
      this.#winsys.prepare(known, true);
      if (isZeroed) {
        known.map().fill(0);
        this.#winsys.finish(known);
      }
      return known;
    }
    const made = this.#winsys.createBuffer(bytes);
    if (made || this.#bytes === 0) return made;
    this.clear();
    return this.#winsys.createBuffer(bytes);
  }

  give(buffer: BufferObject): void {
    const { sizeBytes } = buffer;
    if (this.#bytes + sizeBytes > this.#limitBytes) {
      this.#winsys.destroyBuffer(buffer);
      return;
    }
    this.#bytes += sizeBytes;
    const list = this.#free.get(sizeBytes);
    if (list) list.push(buffer);
    else this.#free.set(sizeBytes, [buffer]);
  }

  clear(): void {
    for (const list of this.#free.values()) for (const buffer of list) this.#winsys.destroyBuffer(buffer);
    this.#free.clear();
    this.#bytes = 0;
  }

  destroy(): void {
    this.clear();
  }
}
