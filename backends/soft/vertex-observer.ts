// Watches the vertex program of a draw batch by batch: primitives are counted, transform feedback is written, endless loops and
// draws without end are stopped.

import { now } from '../../src/base/clock.ts';
import type { PrimitiveMode, StreamOutputDescription, StreamOutputTarget } from '../../src/pipe/pipe.ts';
import { BATCH, STATUS } from '../../src/raster/layout.ts';
import type { RasterMemory } from '../../src/raster/memory.ts';
import { prepareWrite } from './hazards.ts';
import type { QueryCounter } from './query.ts';
import type { SoftResource } from './resource.ts';
import type { VerticesFunction } from './shader.ts';
import { type SoftStreamOutputTarget, StreamOutput } from './stream-output.ts';
import { LOOPS } from './threads/tile-runner.ts';

/** Only draws of at least so many vertices are timed: 2^31 vertices are legal, and nobody waits for them. */
const LARGE_DRAW = 1 << 22;
/** When work is given up as hung that no loop budget ends. Tests have less patience. */
export const PATIENCE = {
  /** For the vertices of one draw. */
  drawMs: 20_000,
  /** For the tiles of one job. */
  tilesMs: 120_000,
};
/** Batches between two looks at the clock. */
const CLOCK_INTERVAL = 64;

export function isLargeDraw(count: number, instances: number): boolean {
  return count * instances >= LARGE_DRAW;
}

/** Counters of the active primitive queries by what they count. */
export interface PrimitiveCounters {
  readonly generated: readonly QueryCounter[];
  readonly emitted: readonly QueryCounter[];
}

export class VertexObserver {
  readonly #memory: RasterMemory;
  readonly #streamOutput: StreamOutput;
  // The draw at work.
  #vertices: VerticesFunction | null = null;
  #mode: PrimitiveMode = 'triangles';
  #batch = 0;
  #status = 0;
  #description: StreamOutputDescription | null = null;
  #targets: readonly SoftStreamOutputTarget[] = [];
  #counters: PrimitiveCounters | null = null;
  #batches = 0;
  #deadline = 0;
  /** What counters and targets said before the draw. */
  #generated = 0;
  #emitted = 0;
  readonly #written: number[] = [];

  constructor(memory: RasterMemory) {
    this.#memory = memory;
    this.#streamOutput = new StreamOutput(memory);
  }

  /** Ends earlier use of the buffers that are about to be written. */
  prepareTargets(targets: readonly StreamOutputTarget[]): void {
    for (let i = 0; i < targets.length; i++) prepareWrite(targets[i]!.buffer as SoftResource, 'kept');
  }

  /** Starts a draw that is not watched; `watch` may follow. */
  begin(): void {
    this.#description = null;
    this.#counters = null;
    this.#generated = this.#emitted = 0;
  }

  watch(
    vertices: VerticesFunction,
    mode: PrimitiveMode,
    batch: number,
    status: number,
    description: StreamOutputDescription | null,
    targets: readonly StreamOutputTarget[],
    counters: PrimitiveCounters | null,
  ): VerticesFunction {
    this.#vertices = vertices;
    this.#mode = mode;
    this.#batch = batch >>> 2;
    this.#status = status >>> 2;
    this.#description = description;
    this.#targets = targets as readonly SoftStreamOutputTarget[];
    this.#counters = counters;
    for (let i = 0; i < targets.length; i++) this.#written[i] = this.#targets[i]!.writtenBytes;
    this.#batches = 0;
    this.#deadline = now() + PATIENCE.drawMs;
    return this.#run;
  }

  readonly #run: VerticesFunction = (draw, ids, count, out, instance) => {
    const { u32, i32 } = this.#memory;
    if (u32[this.#status + STATUS.word.timedOut] !== 0) return;
    if (++this.#batches % CLOCK_INTERVAL === 0 && now() > this.#deadline) {
      u32[this.#status + STATUS.word.timedOut] = 1;
      return;
    }
    i32[this.#status + STATUS.word.loopBudget] = LOOPS.budget;
    this.#vertices!(draw, ids, count, out, instance);
    const primitives = u32[this.#batch + BATCH.word.primitiveCount]!;
    this.#count(primitives, 0);
    if (this.#description === null) return;
    this.#count(0, this.#streamOutput.capture(this.#batch << 2, this.#mode, this.#description, this.#targets));
  };

  #count(generated: number, emitted: number): void {
    this.#generated += generated;
    this.#emitted += emitted;
    if (this.#counters === null) return;
    for (const counter of this.#counters.generated) counter.count += generated;
    for (const counter of this.#counters.emitted) counter.count += emitted;
  }

  /** The draw failed half way: counts and fill levels are as before it. */
  rollBack(): void {
    this.#count(-this.#generated, -this.#emitted);
    if (this.#description === null) return;
    for (let i = 0; i < this.#targets.length; i++) this.#targets[i]!.writtenBytes = this.#written[i]!;
  }
}
