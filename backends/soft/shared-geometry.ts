// Cuts the geometry of large draws into chunks that all threads work on. Each chunk fills bins of its own; linked one after
// another in drawing order they are what one thread would have made.

import { now } from '../../src/base/clock.ts';
import { listOf } from '../../src/base/list.ts';
import { PRIMITIVE_VERTICES, type Topology } from '../../src/raster/assemble.ts';
import type { DrawRange, GeometryKernels, RasterEngine } from '../../src/raster/engine.ts';
import { BIN, BIN_CHUNK, JOB, primitiveStride, RECORDS_BYTES } from '../../src/raster/layout.ts';
import { OutOfMemoryError, type RasterMemory } from '../../src/raster/memory.ts';
import { arenaBlockBytes } from '../../src/raster/run-geometry.ts';
import type { Job } from './job.ts';
import type { VerticesFunction } from './shader.ts';
import { Experience } from './threads/experience.ts';
import { GeometryRunner } from './threads/geometry-runner.ts';
import { CHUNK_RESULT, GEOMETRY_CHUNK, GEOMETRY_JOB } from './threads/layout.ts';
import { KIND } from './threads/messages.ts';
import type { Outcome, ScreenThreads } from './threads/screen-threads.ts';
import { ThreadMemory } from './threads/thread-memory.ts';
import type { ThreadFunction } from './threads/tile-runner.ts';
import { PATIENCE } from './vertex-observer.ts';

/** Elements (times instances) from which on a draw is cut. Tests cut smaller ones. */
export const CUTTING = { leastElements: 6000, chunkElements: 1536 };
const MOST_CHUNK_ELEMENTS = 24576;
/** Chunks for each thread: they differ in work. */
const CHUNKS_PER_THREAD = 4;
const MAX_CHUNKS = 64;
/** Draws of more chunks are nobody's wish, and their list would fill the heap: one thread takes them until patience ends. */
const MOST_CHUNKS_A_DRAW = 1 << 14;
/** What an element costs one thread, roughly: a vertex shaded, a part of a primitive set up and binned. */
const ELEMENT_MS = 5e-5;
/** Memory that chunks at work may have at once, and what one has at most to begin with. */
const MOST_BYTES = 64 << 20;
const MOST_BLOCK_BYTES = 8 << 20;
const MOST_BIN_BYTES = 4 << 20;
const SPARES = 2;
/** What does not fill a tile's memory for records. */
const RECORDS_SLACK = 1.15;

/** Where a draw without restarts can be cut: elements at multiples of `step`, `overlap` of them in both chunks. */
const CUTS: Partial<Record<Topology, { readonly step: number; readonly overlap: number }>> = {
  points: { step: 1, overlap: 0 },
  lines: { step: 2, overlap: 0 },
  triangles: { step: 3, overlap: 0 },
  lineStrip: { step: 1, overlap: 1 },
  // Every second triangle turns the other way.
  triangleStrip: { step: 2, overlap: 2 },
};

interface Chunk {
  readonly first: number;
  readonly end: number;
  readonly firstInstance: number;
  readonly instances: number;
}

const doNothing = (): number => 0;

export class SharedGeometry {
  readonly #memory: RasterMemory;
  readonly #engine: RasterEngine;
  readonly #threads: ScreenThreads;
  readonly #thread: ThreadMemory;
  readonly #runner: GeometryRunner;
  /** With draws of 2 to the power of so many elements. */
  readonly #experiences = listOf(32, () => new Experience());
  #job: Job | null = null;

  constructor(memory: RasterMemory, engine: RasterEngine, threads: ScreenThreads) {
    this.#memory = memory;
    this.#engine = engine;
    this.#threads = threads;
    this.#thread = new ThreadMemory(memory, 0);
    this.#runner = new GeometryRunner(
      memory,
      (bytes) => this.#job!.arena.takeBlock(bytes),
      () => {},
    );
  }

  /** Runs a draw's geometry on all threads. Null: it is not for them. Throws OutOfMemoryError. */
  run(job: Job, draw: number, range: DrawRange, kernels: GeometryKernels, vertices: VerticesFunction): Outcome | null {
    if (range.count * range.instances < CUTTING.leastElements || this.#threads.limit === 1) return null;
    const chunks = this.#cut(range, kernels, job);
    if (chunks.length < 2) return null;
    this.#thread.reserve(0, 0);
    this.#thread.reserveBatch(this.#engine.batch);
    this.#job = job;
    const deadline = now() + PATIENCE.drawMs;
    try {
      let outcome: Outcome = 'done';
      for (let from = 0; from < chunks.length && outcome === 'done'; ) {
        const round = this.#takeRound(chunks, from, kernels, job.tilesX * job.tilesY);
        outcome = this.#runRound(job, draw, range, kernels, vertices as ThreadFunction, round, deadline);
        from += round.length;
      }
      return outcome;
    } finally {
      this.#job = null;
    }
  }

  #cut(range: DrawRange, { state }: GeometryKernels, job: Job): Chunk[] {
    const { count, instances } = range;
    const total = count * instances;
    const perThread = Math.ceil(total / (this.#threads.limit * CHUNKS_PER_THREAD));
    const size = Math.min(Math.max(perThread, CUTTING.chunkElements), MOST_CHUNK_ELEMENTS);
    const chunks: Chunk[] = [];
    if (Math.min(Math.ceil(total / size), MAX_CHUNKS) * job.tilesX * job.tilesY * BIN.size > MOST_BIN_BYTES) return [];
    if (instances > 1) {
      const step = Math.max(1, Math.floor(size / count));
      if (instances / step > MOST_CHUNKS_A_DRAW) return [];
      for (let at = 0; at < instances; at += step) {
        chunks.push({ first: 0, end: count, firstInstance: at, instances: Math.min(step, instances - at) });
      }
      return chunks;
    }
    const cut = CUTS[state.topology];
    if (cut === undefined) return [];
    if (state.restart && this.#engine.hasRestart(range.indices, count, state.indexBytes as 1 | 2 | 4)) return [];
    const step = Math.ceil(size / cut.step) * cut.step;
    if (count / step > MOST_CHUNKS_A_DRAW) return [];
    for (let at = 0; at < count; at += step) {
      chunks.push({ first: at, end: Math.min(at + step + cut.overlap, count), firstInstance: 0, instances: 1 });
    }
    return chunks;
  }

  /** Chunks from `from` on that may have memory at the same time. */
  #takeRound(chunks: readonly Chunk[], from: number, kernels: GeometryKernels, tiles: number): Chunk[] {
    const round: Chunk[] = [];
    let bytes = 0;
    for (let index = from; index < chunks.length && round.length < MAX_CHUNKS; index++) {
      bytes += blockBytes(chunks[index]!, kernels, tiles);
      if (round.length > 0 && bytes > MOST_BYTES) break;
      round.push(chunks[index]!);
    }
    return round;
  }

  #runRound(
    job: Job,
    draw: number,
    range: DrawRange,
    kernels: GeometryKernels,
    vertices: ThreadFunction,
    chunks: readonly Chunk[],
    deadline: number,
  ): Outcome {
    const address = this.#describe(job, draw, range, kernels, chunks);
    const runner = this.#runner;
    const { assemble, transform, setup } = kernels;
    const functions = [doNothing, assemble, vertices, transform, setup] as readonly ThreadFunction[];
    const run = (chunk: number): boolean => {
      runner.run(chunk);
      return !runner.hasTimedOut && now() <= deadline;
    };
    runner.begin(address, this.#thread.address, functions);
    const elements = chunks.reduce((sum, { first, end, instances }) => sum + (end - first) * instances, 0);
    const outcome = this.#threads.run({
      kind: KIND.GEOMETRY,
      address,
      functions,
      planeBytes: 0,
      needsBatch: true,
      count: chunks.length,
      expectedMs: elements * ELEMENT_MS,
      experience: this.#experiences[31 - Math.clz32(Math.min(elements, 0x7fffffff))]!,
      // What a worker has begun, it may still be writing.
      isRepeatable: false,
      deadline,
      run,
    });
    if (outcome === 'done') this.#finishChunks(address, chunks.length, run);
    runner.end();
    if (outcome === 'done') this.#link(job, address, chunks.length);
    return outcome;
  }

  /** Writes a round down; its memory is the job's. Throws OutOfMemoryError. */
  #describe(job: Job, draw: number, range: DrawRange, kernels: GeometryKernels, chunks: readonly Chunk[]): number {
    const tiles = job.tilesX * job.tilesY;
    const { slots } = kernels.state;
    const fixedBytes = GEOMETRY_CHUNK.size + JOB.size + tiles * BIN.size;
    const spareBytes = arenaBlockBytes(tiles, slots);
    let bytes = GEOMETRY_JOB.size + chunks.length * fixedBytes + SPARES * spareBytes;
    for (const chunk of chunks) bytes += blockBytes(chunk, kernels, tiles);
    const address = job.arena.takeBlock(bytes);
    if (address === 0) throw new OutOfMemoryError(bytes);
    const { u32, i32 } = this.#memory;
    const at = address >>> 2;
    const { word } = GEOMETRY_JOB;
    let next = address + GEOMETRY_JOB.size;
    const take = (size: number): number => (next += size) - size;
    u32[at + word.draw] = draw;
    u32[at + word.tilesX] = job.tilesX;
    u32[at + word.tilesY] = job.tilesY;
    u32[at + word.slots] = slots;
    u32[at + word.indices] = range.indices;
    i32[at + word.firstVertex] = range.firstVertex;
    u32[at + word.maxVertex] = range.maxVertex ?? 0xffffffff;
    u32[at + word.chunks] = take(chunks.length * GEOMETRY_CHUNK.size);
    u32[at + word.spares] = take(SPARES * spareBytes);
    u32[at + word.spareBytes] = spareBytes;
    u32[at + word.spareCount] = SPARES;
    u32[at + word.sparesTaken] = 0;
    for (let index = 0; index < chunks.length; index++) {
      const chunk = chunks[index]!;
      const own = (u32[at + word.chunks]! + index * GEOMETRY_CHUNK.size) >>> 2;
      const field = GEOMETRY_CHUNK.word;
      u32[own + field.first] = chunk.first;
      u32[own + field.end] = chunk.end;
      u32[own + field.firstInstance] = range.firstInstance + chunk.firstInstance;
      u32[own + field.instances] = chunk.instances;
      u32[own + field.job] = take(JOB.size);
      u32[own + field.bins] = take(tiles * BIN.size);
      u32[own + field.block] = take(blockBytes(chunk, kernels, tiles));
      u32[own + field.blockEnd] = next;
      u32[own + field.result] = CHUNK_RESULT.PENDING;
    }
    return address;
  }

  #chunkWord(address: number, index: number): number {
    return (this.#memory.u32[(address >>> 2) + GEOMETRY_JOB.word.chunks]! + index * GEOMETRY_CHUNK.size) >>> 2;
  }

  /** Chunks that ran out of memory on a worker are done here, where there is more. Throws OutOfMemoryError. */
  #finishChunks(address: number, count: number, run: (chunk: number) => boolean): void {
    const result = (index: number): number =>
      this.#memory.u32[this.#chunkWord(address, index) + GEOMETRY_CHUNK.word.result]!;
    for (let index = 0; index < count; index++) {
      if (result(index) === CHUNK_RESULT.DONE) continue;
      run(index);
      if (result(index) !== CHUNK_RESULT.DONE) throw new OutOfMemoryError(0);
    }
  }

  /** Appends the chunks' bins to those of the job, tile by tile in drawing order. */
  #link(job: Job, address: number, count: number): void {
    const { u32 } = this.#memory;
    const header = job.arena.header >>> 2;
    const bins = u32[header + JOB.word.bins]! >>> 2;
    const stride = BIN.size >>> 2;
    const words = job.tilesX * job.tilesY * stride;
    for (let index = 0; index < count; index++) {
      const chunk = this.#chunkWord(address, index);
      u32[header + JOB.word.primitives]! += u32[(u32[chunk + GEOMETRY_CHUNK.word.job]! >>> 2) + JOB.word.primitives]!;
      const from = u32[chunk + GEOMETRY_CHUNK.word.bins]! >>> 2;
      for (let at = 0; at < words; at += stride) {
        const first = u32[from + at + BIN.word.first]!;
        if (first === 0) continue;
        const last = u32[bins + at + BIN.word.last]!;
        if (last === 0) u32[bins + at + BIN.word.first] = first;
        else u32[(last >>> 2) + BIN_CHUNK.word.next] = first;
        u32[bins + at + BIN.word.last] = u32[from + at + BIN.word.last]!;
      }
    }
  }

  dispose(): void {
    this.#thread.release();
  }
}

/** Memory that a chunk has to begin with: enough when every primitive is seen, in one tile. */
function blockBytes({ first, end, instances }: Chunk, { state }: GeometryKernels, tiles: number): number {
  const isStrip = state.topology === 'triangleStrip' || state.topology === 'lineStrip';
  const vertices = isStrip ? 1 : PRIMITIVE_VERTICES[state.topology];
  const primitives = Math.ceil(((end - first) * instances) / vertices);
  // Tiles take memory for several records at once, and seldom fill the last.
  const perTile = Math.min(tiles, primitives) * RECORDS_BYTES;
  const bytes = primitives * (primitiveStride(state.slots) * RECORDS_SLACK + 8) + perTile + (1 << 15);
  return Math.min(bytes, MOST_BLOCK_BYTES) & ~15;
}
