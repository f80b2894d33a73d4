// Places virtual registers into temporaries. A register of one to three components takes free components of a partly
// used temporary where it can, for few temporaries mean many threads in flight.

import { UnsupportedShaderError } from './compiled-shader.ts';
import { buildInterference, nodeOf } from './liveness.ts';
import { isCopy, type MachineProgram } from './machine.ts';

export interface Allocation {
  /** By node (register · 4 + component): temporary · 4 + component, or -1. */
  readonly places: Int32Array;
  /** Temporaries in use. */
  readonly temporaries: number;
}

/** The ways to lay 1 to 4 components into four, in ascending order first. */
const LAYOUTS: readonly (readonly (readonly number[])[])[] = [0, 1, 2, 3, 4].map((count) => {
  const layouts: number[][] = [];
  const extend = (layout: number[]): void => {
    if (layout.length === count) {
      layouts.push(layout);
      return;
    }
    for (let place = 0; place < 4; place++) if (!layout.includes(place)) extend([...layout, place]);
  };
  extend([]);
  const descents = (layout: number[]) => layout.filter((place, i) => i > 0 && place < layout[i - 1]!).length;
  return layouts.sort((a, b) => descents(a) - descents(b));
});
const IDENTITY = [0, 1, 2, 3] as const;

interface Hint {
  readonly own: readonly number[];
  readonly other: number;
  readonly components: readonly number[];
}

export function allocateRegisters(
  program: MachineProgram,
  limit: number,
  /** Temporaries that only fixed registers and indexed arrays use. */
  reserved: ReadonlySet<number>,
): Allocation {
  const { registers } = program;
  const { neighbours } = buildInterference(program);
  const places = new Int32Array(registers.length * 4).fill(-1);
  const hints = gatherHints(program);
  const order = orderOfWrites(program);
  let temporaries = Math.max(0, ...[...reserved].map((temporary) => temporary + 1));

  const take = (register: number, temporary: number, layout: readonly number[]) => {
    for (let c = 0; c < registers[register]!.components; c++) places[nodeOf(register, c)] = temporary * 4 + layout[c]!;
    temporaries = Math.max(temporaries, temporary + 1);
  };
  registers.forEach((register, index) => {
    if (register.fixed !== null) take(index, register.fixed, IDENTITY);
  });

  const blocked = new Uint8Array(limit * 4 * 4);
  const place = (register: number): void => {
    const { components, identity } = registers[register]!;
    blocked.fill(0);
    for (let c = 0; c < components; c++) {
      const own = neighbours[nodeOf(register, c)];
      if (own) for (const node of own) if (places[node]! >= 0) blocked[places[node]! * 4 + c] = 1;
    }
    const fits = (temporary: number, layout: readonly number[]): boolean => {
      if (temporary >= limit || reserved.has(temporary)) return false;
      for (let c = 0; c < components; c++) if (blocked[(temporary * 4 + layout[c]!) * 4 + c]) return false;
      return true;
    };
    const layouts = identity ? [IDENTITY] : LAYOUTS[components]!;
    for (const { own, other, components: theirs } of hints[register] ?? []) {
      const first = places[nodeOf(other, theirs[0]!)]!;
      if (first < 0) continue;
      const temporary = first >> 2;
      const layout = layouts.find(
        (l) => own.every((c, i) => l[c] === (places[nodeOf(other, theirs[i]!)]! & 3)) && fits(temporary, l),
      );
      if (layout) return take(register, temporary, layout);
    }
    let best: { temporary: number; layout: readonly number[]; free: number } | null = null;
    for (let temporary = 0; temporary < limit; temporary++) {
      // A temporary that nobody uses yet comes last.
      if (best !== null && temporary >= temporaries) break;
      const layout = layouts.find((l) => fits(temporary, l));
      if (!layout) continue;
      let free = 0;
      for (let p = 0; p < 4; p++) if (!blocked[(temporary * 4 + p) * 4]) free++;
      if (best === null || free < best.free) best = { temporary, layout, free };
    }
    if (best === null) throw new UnsupportedShaderError(`it needs more than ${limit} temporaries`);
    take(register, best.temporary, best.layout);
  };
  for (const register of order) if (registers[register]!.fixed === null) place(register);
  return { places, temporaries };
}

/** Registers in the order in which the program meets them. */
function orderOfWrites(program: MachineProgram): number[] {
  const seen = new Set<number>();
  for (const { dst, sources } of program.code) {
    // What is read without ever being written holds anything, but needs a place all the same.
    for (const source of sources) if (source?.file === 'virtual') seen.add(source.index);
    if (dst?.file === 'virtual') seen.add(dst.index);
  }
  for (const register of program.liveAtEnd) seen.add(register);
  return [...seen];
}

/** Copies that vanish when both sides stand in one place. */
function gatherHints(program: MachineProgram): (Hint[] | undefined)[] {
  const hints: (Hint[] | undefined)[] = [];
  const add = (register: number, hint: Hint) => {
    const list = hints[register];
    if (list) list.push(hint);
    else hints[register] = [hint];
  };
  for (const instruction of program.code) {
    if (!isCopy(instruction)) continue;
    const [dst, source] = [instruction.dst!, instruction.sources[2]!];
    if (new Set(source.components).size < source.components.length) continue;
    add(dst.index, { own: dst.components, other: source.index, components: source.components });
    add(source.index, { own: source.components, other: dst.index, components: dst.components });
  }
  return hints;
}
