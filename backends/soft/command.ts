// The draws of a job as the tile pass sees them. Lists and their entries are used again and again: a draw makes no garbage.

import type { Coverage } from '../../src/raster/engine.ts';
import type { QueryCounter } from './query.ts';
import type { ShadeFunction } from './shader.ts';

/** A draw of a job; its place in the list is DRAW.drawIndex. */
export class DrawCommand {
  /** Address of the DRAW. */
  draw = 0;
  coverage: Coverage | null = null;
  /** Null: the draw writes nothing but depth and stencil, which coverage does. */
  shade: ShadeFunction | null = null;
  /** Occlusion queries that count it, or null. */
  counters: readonly QueryCounter[] | null = null;
  /** Memory ran out half way through its geometry: nothing of it may be seen. */
  isDropped = false;
}

export class CommandList {
  length = 0;
  readonly #commands: DrawCommand[] = [];
  readonly #pool: CommandPool;

  constructor(pool: CommandPool) {
    this.#pool = pool;
  }

  at(index: number): DrawCommand {
    return this.#commands[index]!;
  }

  append(): DrawCommand {
    const index = this.length++;
    if (index === this.#commands.length) this.#commands.push(new DrawCommand());
    return this.#commands[index]!;
  }

  /** Empties the list and gives it back to its pool; the commands let go of code and queries. */
  recycle(): void {
    for (let index = 0; index < this.length; index++) {
      const command = this.#commands[index]!;
      command.coverage = null;
      command.shade = null;
      command.counters = null;
      command.isDropped = false;
    }
    this.length = 0;
    this.#pool.put(this);
  }
}

/** Lists kept for the next jobs, and the commands that a kept list may have. */
const MAX_LISTS = 8;

export class CommandPool {
  readonly #lists: CommandList[] = [];

  take(): CommandList {
    return this.#lists.pop() ?? new CommandList(this);
  }

  put(list: CommandList): void {
    if (this.#lists.length < MAX_LISTS) this.#lists.push(list);
  }
}
