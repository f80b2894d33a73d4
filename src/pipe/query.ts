// Queries and fences.

import type { QueryType } from './defines.ts';

/**
 * Begin and end are recorded in the order of draws; one query may span several jobs and accumulates.
 * `occlusion*` count samples that pass; predicates give 0 or 1. `primitives*` count primitives (of stream `index`).
 * Times are nanoseconds.
 */
export interface Query {
  readonly type: QueryType;
  readonly index: number;
  destroy(): void;
}

/** A point in the queue of work. It signals after all earlier work, also when the queue was empty. */
export interface Fence {
  /** True at once when the work is done; never waits. */
  isSignalled(): boolean;
}

export const FLUSH = {
  /** The frame ends here: default-framebuffer contents may be handed to the outside. */
  END_OF_FRAME: 1 << 0,
  /** Only a fence is wanted; the work may start later, before anyone waits for the fence. */
  DEFERRED: 1 << 1,
} as const;
