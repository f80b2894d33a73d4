// The scratch of one thread in a screen's memory, taken by the main thread before work is handed out.

import { allocateBatch } from '../../../src/raster/batch.ts';
import { DRAW, QUEUE_ENTRY, STATUS, TILE, TILE_QUADS } from '../../../src/raster/layout.ts';
import { OutOfMemoryError, type RasterMemory } from '../../../src/raster/memory.ts';
import { THREAD } from './layout.ts';

/** A queue holds at least two tiles' worth of quads, so that coverage seldom has to stop. */
const QUEUE_CAPACITY = TILE_QUADS * 2;

type Growing = 'planes' | 'scratch';

export class ThreadMemory {
  /** Address of the THREAD; 0 until `reserve`. */
  address = 0;
  readonly #memory: RasterMemory;
  readonly #index: number;
  readonly #batchBlocks: number[] = [];
  readonly #bytes: Record<Growing, number> = { planes: 0, scratch: 0 };

  constructor(memory: RasterMemory, index: number) {
    this.#memory = memory;
    this.#index = index;
  }

  /** Makes sure of what work on geometry needs; `batch`: one to use instead of an own one. Throws OutOfMemoryError. */
  reserveBatch(batch = 0): void {
    if (this.address === 0) this.#create();
    if (this.#get(this.address, 'draw') === 0) this.#set(this.address, 'draw', this.#memory.allocate(DRAW.size));
    if (batch !== 0) this.#set(this.address, 'batch', batch);
    else if (this.#get(this.address, 'batch') === 0) this.#createBatch();
  }

  #createBatch(): void {
    try {
      this.#set(this.address, 'batch', allocateBatch(this.#memory, this.#batchBlocks));
    } catch (error) {
      this.#freeBatch();
      throw error;
    }
  }

  #freeBatch(): void {
    for (const block of this.#batchBlocks) this.#memory.free(block);
    this.#batchBlocks.length = 0;
  }

  /** Makes sure of room for a tile's planes and for shaders' scratch. Throws OutOfMemoryError; what was there stays. */
  reserve(planeBytes: number, scratchBytes: number): void {
    if (this.address === 0) this.#create();
    this.#grow('planes', planeBytes);
    this.#grow('scratch', scratchBytes);
  }

  #create(): void {
    const memory = this.#memory;
    const thread = memory.allocateZeroed(THREAD.size);
    try {
      this.#set(thread, 'tile', memory.allocateZeroed(TILE.size));
      this.#set(thread, 'status', memory.allocateZeroed(STATUS.size));
      this.#set(thread, 'queue', memory.allocate((QUEUE_CAPACITY + TILE_QUADS) * QUEUE_ENTRY.size));
    } catch (error) {
      this.#free(thread);
      throw error;
    }
    this.#set(thread, 'index', this.#index);
    this.#set(thread, 'queueCapacity', QUEUE_CAPACITY);
    this.address = thread;
  }

  #grow(field: Growing, bytes: number): void {
    if (bytes <= this.#bytes[field]) return;
    const block = this.#memory.tryAllocate(bytes);
    if (block === 0) throw new OutOfMemoryError(bytes);
    this.#memory.free(this.#get(this.address, field));
    this.#set(this.address, field, block);
    this.#bytes[field] = bytes;
  }

  #get(thread: number, field: keyof typeof THREAD.word): number {
    return this.#memory.u32[(thread >>> 2) + THREAD.word[field]]!;
  }

  #set(thread: number, field: keyof typeof THREAD.word, value: number): void {
    this.#memory.u32[(thread >>> 2) + THREAD.word[field]] = value;
  }

  #free(thread: number): void {
    for (const field of ['tile', 'status', 'queue', 'planes', 'scratch', 'draw'] as const) {
      this.#memory.free(this.#get(thread, field));
    }
    this.#freeBatch();
    this.#memory.free(thread);
  }

  release(): void {
    if (this.address !== 0) this.#free(this.address);
    this.address = 0;
    this.#bytes.planes = this.#bytes.scratch = 0;
  }
}
