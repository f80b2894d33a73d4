// Runs chunks of a draw's geometry from plain data in shared memory: the same code on the main thread and on workers.

import type { VertexShader } from '../../../src/raster/engine.ts';
import { BIN, DRAW, JOB, STATUS } from '../../../src/raster/layout.ts';
import { runGeometry } from '../../../src/raster/run-geometry.ts';
import { CHUNK_RESULT, GEOMETRY_CHUNK, GEOMETRY_FUNCTION, GEOMETRY_JOB, THREAD } from './layout.ts';
import { LOOPS, type MemoryViews, type ThreadFunction } from './tile-runner.ts';

export class GeometryRunner {
  readonly #memory: MemoryViews;
  /** Memory beyond the job's own: the address of so many bytes, or 0. Workers have none. */
  readonly #takeBlock: (bytes: number) => number;
  readonly #beat: () => void;
  #functions: readonly ThreadFunction[] = [];
  #job = 0;
  /** Word of the chunk's JOB that is at work. */
  #chunkJob = 0;
  #status = 0;
  #batch = 0;
  #draw = 0;

  constructor(memory: MemoryViews, takeBlock: (bytes: number) => number, beat: () => void) {
    this.#memory = memory;
    this.#takeBlock = takeBlock;
    this.#beat = beat;
  }

  /** Turns to the GEOMETRY_JOB at `job`, with the THREAD at `thread` and the job's functions. */
  begin(job: number, thread: number, functions: readonly ThreadFunction[]): void {
    const { u32 } = this.#memory;
    this.#functions = functions;
    this.#job = job >>> 2;
    const own = thread >>> 2;
    const status = u32[own + THREAD.word.status]!;
    this.#status = status >>> 2;
    u32[this.#status + STATUS.word.timedOut] = 0;
    this.#batch = u32[own + THREAD.word.batch]!;
    this.#draw = u32[own + THREAD.word.draw]!;
    const draw = u32[this.#job + GEOMETRY_JOB.word.draw]! >>> 2;
    u32.copyWithin(this.#draw >>> 2, draw, draw + (DRAW.size >>> 2));
    u32[(this.#draw >>> 2) + DRAW.word.status] = status;
  }

  end(): void {
    this.#functions = [];
  }

  /** A shader used up its loops. */
  get hasTimedOut(): boolean {
    return this.#memory.u32[this.#status + STATUS.word.timedOut] !== 0;
  }

  /** Works on the chunk with this number, from its beginning, and notes how it went. */
  run(number: number): void {
    const { u32, i32 } = this.#memory;
    const job = this.#job;
    const { word } = GEOMETRY_JOB;
    const chunk = (u32[job + word.chunks]! + number * GEOMETRY_CHUNK.size) >>> 2;
    const tilesX = u32[job + word.tilesX]!;
    const tilesY = u32[job + word.tilesY]!;
    const own = GEOMETRY_CHUNK.word;
    const bins = u32[chunk + own.bins]!;
    u32.fill(0, bins >>> 2, (bins + tilesX * tilesY * BIN.size) >>> 2);
    const target = u32[chunk + own.job]!;
    this.#chunkJob = target >>> 2;
    u32[this.#chunkJob + JOB.word.bins] = bins;
    u32[this.#chunkJob + JOB.word.tilesX] = tilesX;
    u32[this.#chunkJob + JOB.word.tilesY] = tilesY;
    u32[this.#chunkJob + JOB.word.next] = u32[chunk + own.block]!;
    u32[this.#chunkJob + JOB.word.end] = u32[chunk + own.blockEnd]!;
    u32[this.#chunkJob + JOB.word.primitives] = 0;
    const functions = this.#functions;
    const isDone = runGeometry(
      this.#memory,
      this.#batch,
      {
        assembly: 0,
        assemble: functions[GEOMETRY_FUNCTION.ASSEMBLE]!,
        transform: functions[GEOMETRY_FUNCTION.TRANSFORM]!,
        setup: functions[GEOMETRY_FUNCTION.SETUP]!,
      },
      u32[job + word.slots]!,
      this.#draw,
      {
        indices: u32[job + word.indices]!,
        first: u32[chunk + own.first]!,
        count: u32[chunk + own.end]!,
        firstVertex: i32[job + word.firstVertex]!,
        maxVertex: u32[job + word.maxVertex]!,
        firstInstance: u32[chunk + own.firstInstance]!,
        instances: u32[chunk + own.instances]!,
      },
      this.#vertices,
      { job: target, tiles: tilesX * tilesY, addBlock: this.#addBlock },
    );
    // Views may be others by now.
    this.#memory.u32[chunk + own.result] = isDone ? CHUNK_RESULT.DONE : CHUNK_RESULT.OUT_OF_MEMORY;
  }

  readonly #vertices: VertexShader = (draw, ids, count, out, instance) => {
    this.#beat();
    this.#memory.i32[this.#status + STATUS.word.loopBudget] = LOOPS.budget;
    return this.#functions[GEOMETRY_FUNCTION.VERTICES]!(draw, ids, count, out, instance);
  };

  readonly #addBlock = (bytes: number): boolean => {
    const { i32 } = this.#memory;
    const { word } = GEOMETRY_JOB;
    const job = this.#job;
    const taken = Atomics.add(i32, job + word.sparesTaken, 1);
    let block = 0;
    let size = i32[job + word.spareBytes]!;
    if (taken < i32[job + word.spareCount]! && size >= bytes) block = (i32[job + word.spares]! >>> 0) + taken * size;
    else block = this.#takeBlock((size = bytes));
    if (block === 0) return false;
    const { u32 } = this.#memory;
    u32[this.#chunkJob + JOB.word.next] = block;
    u32[this.#chunkJob + JOB.word.end] = block + size;
    return true;
  };
}
