// The states that streams set, by name with all their values: what `indium etnaviv diff` compares.

import { ENUMS } from '../registers/enums.table.ts';
import { addressName, stateText } from '../registers/registers.ts';

const OP = ENUMS.FE_OPCODE;
const WORDS: Readonly<Record<number, number>> = {
  [OP.DRAW_PRIMITIVES]: 4,
  [OP.DRAW_INDEXED_PRIMITIVES]: 6,
  [OP.DRAW_INSTANCED]: 4,
};

/** Values of each state, as text, in the order in which they first came. */
export type StreamStates = Map<string, Set<string>>;

/** Code and uniforms differ by nature; they are counted, not compared. */
const MEMORY = /^(SH_INST_MEM|VS_INST_MEM|PS_INST_MEM|SH_UNIFORMS|VS_UNIFORMS|PS_UNIFORMS|SH_HALTI5_UNIFORMS)/;

export function collectStates(words: Uint32Array, states: StreamStates): void {
  let at = 0;
  while (at < words.length) {
    const header = words[at]!;
    const op = header >>> 27;
    if (op !== OP.LOAD_STATE) {
      at += WORDS[op] ?? 2;
      continue;
    }
    const count = (header >>> 16) & 0x3ff || 1024;
    for (let index = 0; index < count; index++) {
      const address = (header & 0xffff) * 4 + index * 4;
      const name = addressName(address);
      if (MEMORY.test(name)) continue;
      const word = words[at + 1 + index]!;
      let values = states.get(name);
      if (!values) states.set(name, (values = new Set()));
      values.add(stateText(address, word).slice(name.length + 3));
    }
    at += (count + 2) & ~1;
  }
}

export interface StateDifference {
  readonly name: string;
  /** Values on each GPU; empty: the state is never set there. */
  readonly values: readonly (readonly string[])[];
}

/** States whose values differ, by name. */
export function differingStates(all: readonly StreamStates[]): StateDifference[] {
  const names = [...new Set(all.flatMap((states) => [...states.keys()]))].sort();
  return names
    .map((name) => ({ name, values: all.map((states) => [...(states.get(name) ?? [])]) }))
    .filter(({ values }) => values.some((list) => list.join('|') !== values[0]!.join('|')));
}
