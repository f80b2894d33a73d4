// Occlusion queries: the GPU writes a count of samples for each stretch of a stream in which the query is active.

import type { Query, QueryType } from '../../../src/pipe/pipe.ts';
import type { BufferObject } from '../winsys/winsys.ts';

/** Each stretch has eight bytes of its own. */
export const SLOT_BYTES = 8;
const SLOTS = 512;
export const QUERY_BUFFER_BYTES = SLOT_BYTES * SLOTS;

export class EtnavivQuery implements Query {
  readonly type: QueryType;
  readonly index: number;
  buffer: BufferObject | null = null;
  slots = 0;
  /** Of the last stream that counted for it. */
  fence = 0;
  /** The stream at work counts into the last slot. */
  isCounting = false;
  /** Counts of slots that were read and given free. */
  counted = 0;
  readonly #release: (buffer: BufferObject) => void;

  constructor(type: QueryType, index: number, release: (buffer: BufferObject) => void) {
    this.type = type;
    this.index = index;
    this.#release = release;
  }

  get isOcclusion(): boolean {
    return this.type.startsWith('occlusion');
  }

  /** Counted by the driver, draw by draw. */
  get countsPrimitives(): boolean {
    return this.type.startsWith('primitives');
  }

  get isFull(): boolean {
    return this.slots === SLOTS;
  }

  reset(): void {
    this.slots = 0;
    this.counted = 0;
  }

  /** Adds up what the GPU has written. The buffer must be ready for the CPU. */
  collect(): void {
    if (!this.buffer) return;
    const bytes = this.buffer.map();
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, this.slots * 2);
    for (let slot = 0; slot < this.slots; slot++) this.counted += words[slot * 2]! + words[slot * 2 + 1]! * 2 ** 32;
    this.slots = 0;
  }

  result(): number {
    return this.type.startsWith('occlusionPredicate') ? Number(this.counted > 0) : this.counted;
  }

  destroy(): void {
    if (this.buffer) this.#release(this.buffer);
    this.buffer = null;
  }
}
