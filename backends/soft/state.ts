// State objects of the soft backend: the description and a number that names it in pipeline keys.

import type { StateObject } from '../../src/pipe/pipe.ts';

let nextStateId = 1;

export class SoftState<Kind extends string, Description> implements StateObject<Kind, Description> {
  readonly kind: Kind;
  readonly description: Description;
  readonly id = nextStateId++;

  constructor(kind: Kind, description: Description) {
    this.kind = kind;
    this.description = description;
  }
}

/** The number of a bound state object; 0 for none. */
export function stateId(state: StateObject<string, unknown> | null): number {
  return state === null ? 0 : (state as SoftState<string, unknown>).id;
}

/** Numbers for texts: equal texts share one. For what decides code but comes in many equal copies (views, samplers). */
export class Interned {
  readonly #numbers = new Map<string, number>();

  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) this.#numbers.set(text, (number = this.#numbers.size + 1));
    return number;
  }
}

/** What the recorder must bring up to date before the next draw. */
export const DIRTY = {
  PIPELINE: 1 << 0,
  VERTEX_TEXTURES: 1 << 1,
  FRAGMENT_TEXTURES: 1 << 2,
  VERTEX_CONSTANTS: 1 << 3,
  FRAGMENT_CONSTANTS: 1 << 4,
  VERTEX_BUFFERS: 1 << 5,
  VERTEX_BLOCKS: 1 << 6,
  FRAGMENT_BLOCKS: 1 << 7,
  VIEWPORT: 1 << 8,
  RASTERIZER: 1 << 9,
  STENCIL: 1 << 10,
  /** Blend colour and sample mask. */
  FRAGMENT: 1 << 11,
  ALL: (1 << 12) - 1,
} as const;
