// Runs tiles of a job from plain data in shared memory: the same code on the main thread and on workers. A tile is loaded or
// cleared, gets all draws that touch it, and is stored.

import { now } from '../../../src/base/clock.ts';
import {
  BIN,
  BIN_CHUNK,
  BIN_FLAG,
  DRAW,
  QUEUE_ENTRY,
  STATUS,
  TILE,
  TILE_SIZE,
  WORD_PLANE_BYTES,
} from '../../../src/raster/layout.ts';
import { THREAD, THREAD_PROFILE, TILE_JOB, TILE_SURFACE } from './layout.ts';

/** A kernel or a generated shader. */
export type ThreadFunction = (...values: number[]) => number;

/** Views of the screen's memory; replaced when it grows, so taken anew at each use. */
export interface MemoryViews {
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly f64: Float64Array;
}

/**
 * Loop back-edges that one call of a shader may take before the context is given up as hung: 131,072 for each of a tile's
 * 1,024 quads, half a second's worth of a short loop. Tests have less patience.
 */
export const LOOPS = { budget: 1 << 27 };

/** Places in THREAD_PROFILE, in f64s. */
const PROFILE_AT = {
  tiles: THREAD_PROFILE.offset.tiles >>> 3,
  fragments: THREAD_PROFILE.offset.fragments >>> 3,
  busyMs: THREAD_PROFILE.offset.busyMs >>> 3,
  start: THREAD_PROFILE.offset.start >>> 3,
  end: THREAD_PROFILE.offset.end >>> 3,
} as const;

export class TileRunner {
  readonly #memory: MemoryViews;
  /** Asked before a tile is stored: a worker that was given up must not write any more. */
  readonly #mayStore: () => boolean;
  /** Called with every draw: a sign of life. */
  readonly #beat: () => void;
  #functions: readonly ThreadFunction[] = [];
  #job = 0;
  #surfaces = 0;
  #surfaceCount = 0;
  // Of the thread: word indices, and addresses where they are passed on.
  #tileAddress = 0;
  #tile = 0;
  #queue = 0;
  #status = 0;
  #index = 0;
  /** Index of this thread's THREAD_PROFILE among f64s; 0: nobody counts. */
  #profile = 0;

  constructor(memory: MemoryViews, mayStore: () => boolean, beat: () => void) {
    this.#memory = memory;
    this.#mayStore = mayStore;
    this.#beat = beat;
  }

  /** Turns to the TILE_JOB at `job`, with the THREAD at `thread` and the functions that the job numbers. */
  begin(job: number, thread: number, functions: readonly ThreadFunction[]): void {
    const { u32 } = this.#memory;
    this.#functions = functions;
    this.#job = job >>> 2;
    this.#surfaces = u32[this.#job + TILE_JOB.word.surfaces]! >>> 2;
    this.#surfaceCount = u32[this.#job + TILE_JOB.word.surfaceCount]!;
    const own = thread >>> 2;
    const { word } = THREAD;
    this.#index = u32[own + word.index]!;
    const profile = u32[this.#job + TILE_JOB.word.profile]!;
    this.#profile = profile === 0 ? 0 : (profile + this.#index * THREAD_PROFILE.size) >>> 3;
    this.#tileAddress = u32[own + word.tile]!;
    this.#tile = this.#tileAddress >>> 2;
    this.#queue = u32[own + word.queue]!;
    this.#status = u32[own + word.status]! >>> 2;
    u32[this.#status + STATUS.word.timedOut] = 0;
    const tile = this.#tile;
    u32.fill(0, tile, tile + (TILE.size >>> 2));
    u32[tile + TILE.word.status] = this.#status << 2;
    u32[tile + TILE.word.queue] = this.#queue;
    u32[tile + TILE.word.queueCapacity] = u32[own + word.queueCapacity]!;
    const planes = u32[own + word.planes]!;
    for (let index = 0; index < this.#surfaceCount; index++) {
      const surface = this.#surface(index);
      u32[tile + u32[surface + TILE_SURFACE.word.planeWord]!] = planes + u32[surface + TILE_SURFACE.word.planeOffset]!;
    }
  }

  /** Lets go of the job's functions. */
  end(): void {
    this.#functions = [];
  }

  /** A shader used up its loops. */
  get hasTimedOut(): boolean {
    return this.#memory.u32[this.#status + STATUS.word.timedOut] !== 0;
  }

  #surface(index: number): number {
    return this.#surfaces + index * (TILE_SURFACE.size >>> 2);
  }

  /** Works on the tile with this number. False: it was not stored. */
  run(number: number): boolean {
    if (this.#profile === 0) return this.#run(number);
    const { f64 } = this.#memory;
    const at = this.#profile;
    const start = now();
    const isStored = this.#run(number);
    const end = now();
    if (f64[at + PROFILE_AT.start] === 0) f64[at + PROFILE_AT.start] = start;
    f64[at + PROFILE_AT.end] = end;
    f64[at + PROFILE_AT.busyMs]! += end - start;
    f64[at + PROFILE_AT.tiles]! += 1;
    return isStored;
  }

  #run(number: number): boolean {
    const { u32, i32 } = this.#memory;
    const job = this.#job;
    const { word } = TILE_JOB;
    const tilesX = u32[job + word.tilesX]!;
    const x = (number % tilesX) * TILE_SIZE;
    const y = Math.floor(number / tilesX) * TILE_SIZE;
    const first = u32[((u32[job + word.bins]! + number * BIN.size) >>> 2) + BIN.word.first]!;
    const tile = this.#tile;
    i32[tile + TILE.word.originX] = x;
    i32[tile + TILE.word.originY] = y;
    u32[tile + TILE.word.width] = Math.min(TILE_SIZE, u32[job + word.width]! - x);
    u32[tile + TILE.word.height] = Math.min(TILE_SIZE, u32[job + word.height]! - y);
    u32[tile + TILE.word.chunk] = first;
    u32[tile + TILE.word.entry] = 0;
    u32[tile + TILE.word.isDepthKnown] = 0;
    const isDrawn = first !== 0;
    const overwritten = isDrawn ? this.#overwrittenBy(first) : 0;
    for (let index = 0; index < this.#surfaceCount; index++) {
      const surface = this.#surface(index);
      const plane = u32[surface + TILE_SURFACE.word.planeWord]! - TILE.word.color;
      const isNeeded = overwritten === 0 || plane < 0 || ((overwritten >>> plane) & 1) === 0;
      if (isNeeded) this.#load(surface, isDrawn);
    }
    for (let chunk = first; chunk !== 0; chunk = u32[tile + TILE.word.chunk]!) {
      this.#drawRun(chunk);
      if (u32[this.#status + STATUS.word.timedOut] !== 0) return false;
    }
    if (!this.#mayStore()) return false;
    for (let index = 0; index < this.#surfaceCount; index++) this.#store(this.#surface(index), isDrawn);
    return true;
  }

  /** Colour targets, as bits, of which the tile's first primitive leaves nothing. */
  #overwrittenBy(first: number): number {
    const { u32 } = this.#memory;
    const chunk = first >>> 2;
    const draw = u32[chunk + BIN_CHUNK.word.draw]! >>> 2;
    if ((u32[chunk + (BIN_CHUNK.size >>> 2)]! & BIN_FLAG.FULL) === 0) return 0;
    return u32[draw + DRAW.word.isDropped] === 0 ? u32[draw + DRAW.word.overwrites]! : 0;
  }

  #load(surface: number, isDrawn: boolean): void {
    const { u32 } = this.#memory;
    const { word } = TILE_SURFACE;
    const load = u32[surface + word.load]!;
    if (load !== 0) {
      if (isDrawn) this.#transfer(load, surface);
      return;
    }
    if (!isDrawn && u32[surface + word.isClearedInMemory] !== 0) return;
    const planes = u32[this.#tile + u32[surface + word.planeWord]!]!;
    const sampleBytes = u32[surface + word.sampleBytes]!;
    const samples = u32[this.#job + TILE_JOB.word.samples]!;
    const words = u32[surface + word.clearWordCount]!;
    const planeBytes = words > 1 ? WORD_PLANE_BYTES : sampleBytes;
    if (u32[surface + word.planeWord] === TILE.word.depth) {
      const depth = u32[surface + word.clearWords]!;
      u32[this.#tile + TILE.word.depthLow] = u32[this.#tile + TILE.word.depthHigh] = depth;
      u32[this.#tile + TILE.word.isDepthKnown] = 1;
    }
    // Why not `u32.fill`: on shared memory it takes ten times as long.
    const clear = this.#functions[u32[surface + word.clear]!]!;
    for (let sample = 0; sample < samples; sample++) {
      for (let plane = 0; plane < words; plane++) {
        const start = planes + sample * sampleBytes + plane * planeBytes;
        clear(start, 0, planeBytes, 1, u32[surface + word.clearWords + plane]!);
      }
    }
  }

  #store(surface: number, isDrawn: boolean): void {
    const { u32 } = this.#memory;
    const { word } = TILE_SURFACE;
    const store = u32[surface + word.store]!;
    if (store === 0 || (!isDrawn && u32[surface + word.load] !== 0)) return;
    if (!isDrawn && u32[surface + word.isClearedInMemory] !== 0) this.#clearInMemory(surface);
    else this.#transfer(store, surface);
  }

  /** Address of the tile's first pixel in a surface. */
  #cornerOf(surface: number): number {
    const { u32, i32 } = this.#memory;
    const { word } = TILE_SURFACE;
    const row = i32[this.#tile + TILE.word.originY]! * u32[surface + word.rowStride]!;
    return u32[surface + word.address]! + row + i32[this.#tile + TILE.word.originX]! * u32[surface + word.pixelBytes]!;
  }

  #clearInMemory(surface: number): void {
    const { u32 } = this.#memory;
    const { word } = TILE_SURFACE;
    const clear = this.#functions[u32[surface + word.clear]!]!;
    const corner = this.#cornerOf(surface);
    const rowBytes = u32[this.#tile + TILE.word.width]! * u32[surface + word.pixelBytes]!;
    const rows = u32[this.#tile + TILE.word.height]!;
    const samples = u32[this.#job + TILE_JOB.word.samples]!;
    for (let sample = 0; sample < samples; sample++) {
      const start = corner + sample * u32[surface + word.sampleStride]!;
      clear(start, u32[surface + word.rowStride]!, rowBytes, rows, u32[surface + word.memoryWord]!);
    }
  }

  /** Calls a load or store kernel for each sample. */
  #transfer(kernel: number, surface: number): void {
    const { u32 } = this.#memory;
    const { word } = TILE_SURFACE;
    const tile = this.#tile;
    const move = this.#functions[kernel]!;
    const planes = u32[tile + u32[surface + word.planeWord]!]!;
    const sampleBytes = u32[surface + word.sampleBytes]!;
    const rowStride = u32[surface + word.rowStride]!;
    const sampleStride = u32[surface + word.sampleStride]!;
    const corner = this.#cornerOf(surface);
    const samples = u32[this.#job + TILE_JOB.word.samples]!;
    const width = u32[tile + TILE.word.width]!;
    const height = u32[tile + TILE.word.height]!;
    for (let sample = 0; sample < samples; sample++) {
      move(planes + sample * sampleBytes, corner + sample * sampleStride, rowStride, width, height);
    }
  }

  #samplesQueued(count: number): number {
    const { u32 } = this.#memory;
    let samples = 0;
    let at = (this.#queue >>> 2) + QUEUE_ENTRY.word.mask;
    for (let i = 0; i < count; i++, at += QUEUE_ENTRY.size >>> 2) {
      const run = u32[at + QUEUE_ENTRY.word.run - QUEUE_ENTRY.word.mask]!;
      for (let mask = u32[at]!; mask !== 0; mask &= mask - 1) samples += run;
    }
    return samples;
  }

  /** Works on one draw's primitives in the tile, or on as many as fit the queue. */
  #drawRun(chunk: number): void {
    const { u32, i32, f64 } = this.#memory;
    const address = u32[(chunk >>> 2) + BIN_CHUNK.word.draw]!;
    const draw = address >>> 2;
    const tile = this.#tile;
    const { word } = DRAW;
    if (u32[draw + word.isDropped] !== 0) {
      u32[tile + TILE.word.chunk] = u32[(chunk >>> 2) + BIN_CHUNK.word.next]!;
      return;
    }
    this.#beat();
    const passed = tile + TILE.word.samplesPassed;
    u32[tile + TILE.word.draw] = address;
    const sampleCounts = u32[draw + word.sampleCounts]!;
    if (sampleCounts !== 0) u32[passed] = u32[passed + 1] = 0;
    const count = this.#functions[u32[draw + word.coverage]!]!(this.#tileAddress);
    const shade = u32[draw + word.shade]!;
    if (count > 0 && shade !== 0) {
      if (this.#profile !== 0) f64[this.#profile + PROFILE_AT.fragments]! += this.#samplesQueued(count);
      i32[this.#status + STATUS.word.loopBudget] = LOOPS.budget;
      this.#functions[shade]!(this.#tileAddress, this.#queue, count);
    }
    // At most 2 · TILE_QUADS quads: the low word holds it.
    if (sampleCounts !== 0) f64[(sampleCounts >>> 3) + this.#index]! += u32[passed]!;
  }
}
