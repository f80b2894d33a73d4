// Queries and fences of the soft backend.

import { now } from '../../src/base/clock.ts';
import type { Fence, Query, QueryType } from '../../src/pipe/pipe.ts';
import type { Job } from './job.ts';

/**
 * The result of one begin … end. Draws hold the counter, not the query: what is still pending from before a query began
 * anew must not be added to its new result.
 */
export class QueryCounter {
  #count = 0;

  /** Samples, primitives or nanoseconds so far. */
  get count(): number {
    return this.#count;
  }

  set count(value: number) {
    this.#count = value;
  }

  /** Jobs not yet run that hold draws of this counter. */
  readonly pending = new Set<Job>();
  /** Somebody asked for the result before it was there. */
  wasPolled = false;
}

/** Occlusion results come from tile passes, primitive counts from geometry; both add up in the counter. */
export class SoftQuery implements Query {
  readonly type: QueryType;
  readonly index: number;
  readonly isOcclusion: boolean;
  readonly isTime: boolean;
  counter = new QueryCounter();
  #startedAt = 0;

  constructor(type: QueryType, index: number) {
    this.type = type;
    this.index = index;
    this.isOcclusion = type.startsWith('occlusion');
    this.isTime = type === 'timeElapsed' || type === 'timestamp';
  }

  begin(): void {
    this.counter = new QueryCounter();
    this.#startedAt = now();
  }

  end(): void {
    const time = now();
    if (this.type === 'timeElapsed') this.counter.count = Math.round((time - this.#startedAt) * 1e6);
    else if (this.type === 'timestamp') this.counter.count = Math.round(time * 1e6);
  }

  isPending(): boolean {
    return this.counter.pending.size > 0;
  }

  /**
   * Whether to answer "not yet". A frame's first poll cuts no job in two; the next one does the work, as nobody else will
   * and polling must come to an end (ES 3.0.6 §6.1.7).
   */
  putsOff(): boolean {
    if (!this.isPending() || this.counter.wasPolled) return false;
    this.counter.wasPolled = true;
    return true;
  }

  /** Runs the jobs that still count for it. */
  finish(): void {
    if (this.isPending()) for (const job of [...this.counter.pending]) job.run();
  }

  result(): number {
    const { count } = this.counter;
    const isPredicate = this.type === 'occlusionPredicate' || this.type === 'occlusionPredicateConservative';
    return isPredicate ? Math.min(count, 1) : count;
  }

  destroy(): void {
    this.counter = new QueryCounter();
  }
}

/** Signals when the jobs that were open at its making have run. */
export class SoftFence implements Fence {
  readonly #jobs: Set<Job>;

  constructor(jobs: Iterable<Job>) {
    this.#jobs = new Set(jobs);
  }

  isSignalled(): boolean {
    for (const job of this.#jobs) if (job.isDone) this.#jobs.delete(job);
    return this.#jobs.size === 0;
  }

  /** Runs what it waits for. */
  finish(): void {
    for (const job of [...this.#jobs]) job.run();
  }
}
