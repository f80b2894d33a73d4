// Places for arrays that are indexed dynamically: consecutive temporaries with fixed numbers.

import type { Shader } from '../../../src/ir/ir.ts';

export interface LocalPlace {
  /** Temporary of element 0. */
  readonly register: number;
  /** First component. */
  readonly component: number;
  readonly components: number;
  readonly length: number;
}

/** Arrays of few components share their temporaries with others. `first`: the first free temporary. */
export function placeLocals(shader: Shader, first: number): { places: LocalPlace[]; count: number } {
  const columns: { register: number; length: number; used: number }[] = [];
  let next = first;
  const order = shader.locals
    .map((_, index) => index)
    .sort((a, b) => shader.locals[b]!.length - shader.locals[a]!.length);
  const places: LocalPlace[] = [];
  for (const index of order) {
    const { length, components } = shader.locals[index]!;
    let column = columns.find((c) => c.used + components <= 4 && c.length >= length);
    if (!column) {
      column = { register: next, length, used: 0 };
      columns.push(column);
      next += length;
    }
    places[index] = { register: column.register, component: column.used, components, length };
    column.used += components;
  }
  return { places, count: next - first };
}
