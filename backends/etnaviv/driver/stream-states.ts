// The states that streams set, by name with all their values: what `indium etnaviv diff` compares.

import { addressName, stateText } from '../registers/registers.ts';
import { walkStream } from '../registers/walk-stream.ts';

/** Values of each state, as text, in the order in which they first came. */
export type StreamStates = Map<string, Set<string>>;

/** Code and uniforms differ by nature; they are not compared. */
const MEMORY = /^(SH_INST_MEM|VS_INST_MEM|PS_INST_MEM|SH_UNIFORMS|VS_UNIFORMS|PS_UNIFORMS|SH_HALTI5_UNIFORMS)/;

export function collectStates(words: Uint32Array, states: StreamStates): void {
  walkStream(words, {
    state(address, word) {
      const name = addressName(address);
      if (MEMORY.test(name)) return;
      let values = states.get(name);
      if (!values) states.set(name, (values = new Set()));
      values.add(stateText(address, word).slice(name.length + 3));
    },
  });
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
