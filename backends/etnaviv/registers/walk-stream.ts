// Takes a command stream apart for those who look at it; running one is the simulator's front end, which is stricter.

import { ENUMS } from './enums.table.ts';

const OP = ENUMS.FE_OPCODE;
const KNOWN: ReadonlySet<number> = new Set(Object.values(OP));
/** Words of each command; LOAD_STATE has its count in its header. */
const WORDS: Readonly<Record<number, number>> = {
  [OP.DRAW_PRIMITIVES]: 4,
  [OP.DRAW_INDEXED_PRIMITIVES]: 6,
  [OP.DRAW_INSTANCED]: 4,
  [OP.CALL]: 4,
};

export interface StreamVisitor {
  /** A state word, at index `at` of the stream. */
  state(address: number, word: number, isFixed: boolean, at: number): void;
  /** Another command, of `length` words from index `at` on (fewer where the stream is cut off). */
  command?(op: number, at: number, length: number): void;
}

/** Visits a stream up to its end, an END command or an unknown one. */
export function walkStream(words: ArrayLike<number>, visitor: StreamVisitor): void {
  let at = 0;
  while (at < words.length) {
    const header = words[at]!;
    const op = header >>> 27;
    if (op === OP.LOAD_STATE) {
      const count = (header >>> 16) & 0x3ff || 1024;
      const isFixed = ((header >>> 26) & 1) !== 0;
      const address = (header & 0xffff) * 4;
      for (let index = 0; index < count && at + 1 + index < words.length; index++) {
        visitor.state(address + index * 4, words[at + 1 + index]!, isFixed, at + 1 + index);
      }
      at += (count + 2) & ~1;
      continue;
    }
    const length = Math.min(WORDS[op] ?? 2, words.length - at);
    visitor.command?.(op, at, length);
    if (op === OP.END || !KNOWN.has(op)) break;
    at += length;
  }
}
