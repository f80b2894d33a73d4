// Queries and fences of the soft backend.

import type { Fence, Query, QueryType } from '../../src/pipe/pipe.ts';
import type { Job } from './job.ts';

/** Occlusion results come from tile passes, primitive counts from geometry; both add up here. */
export class SoftQuery implements Query {
  readonly type: QueryType;
  readonly index: number;
  /** Samples, primitives or nanoseconds so far. */
  count = 0;
  /** Jobs not yet run that hold draws of this query. */
  readonly pending = new Set<Job>();
  #startedAt = 0;

  constructor(type: QueryType, index: number) {
    this.type = type;
    this.index = index;
  }

  get isOcclusion(): boolean {
    return this.type.startsWith('occlusion');
  }

  begin(): void {
    this.count = 0;
    this.pending.clear();
    this.#startedAt = performance.now();
  }

  end(): void {
    const now = performance.now();
    if (this.type === 'timeElapsed') this.count = Math.round((now - this.#startedAt) * 1e6);
    else if (this.type === 'timestamp') this.count = Math.round(now * 1e6);
  }

  result(): number {
    const isPredicate = this.type === 'occlusionPredicate' || this.type === 'occlusionPredicateConservative';
    return isPredicate ? Math.min(this.count, 1) : this.count;
  }

  destroy(): void {
    this.pending.clear();
  }
}

/** Signals when the jobs that were open at its making have run. */
export class SoftFence implements Fence {
  readonly #jobs: Set<Job>;
  readonly #run: () => void;

  constructor(jobs: readonly Job[], run: () => void) {
    this.#jobs = new Set(jobs);
    this.#run = run;
  }

  isSignalled(): boolean {
    for (const job of this.#jobs) if (job.isDone) this.#jobs.delete(job);
    return this.#jobs.size === 0;
  }

  /** Runs what it waits for. */
  finish(): void {
    if (!this.isSignalled()) this.#run();
  }
}
