// A command stream as text that a person can read: one line a state word or command, with names and fields.

import { ENUMS } from './enums.table.ts';
import { stateText } from './registers.ts';

const OP = ENUMS.FE_OPCODE;
const NAMES = new Map<number, string>(Object.entries(OP).map(([name, value]) => [value, name]));
/** Words of each command; LOAD_STATE has its count in its header. */
const WORDS: Readonly<Record<number, number>> = {
  [OP.DRAW_PRIMITIVES]: 4,
  [OP.DRAW_INDEXED_PRIMITIVES]: 6,
  [OP.DRAW_INSTANCED]: 4,
  [OP.CALL]: 4,
};

const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0');
const place = (word: number) => String(word).padStart(6);

/** A stream that is cut off or has unknown commands is printed as far as it makes sense. */
export function dumpStream(words: ArrayLike<number>): string {
  const lines: string[] = [];
  let at = 0;
  while (at < words.length) {
    const header = words[at]!;
    const op = header >>> 27;
    if (op === OP.LOAD_STATE) {
      const count = (header >>> 16) & 0x3ff || 1024;
      const isFixed = ((header >>> 26) & 1) !== 0;
      for (let index = 0; index < count && at + 1 + index < words.length; index++) {
        const word = words[at + 1 + index]!;
        const address = (header & 0xffff) * 4 + index * 4;
        const fixed = isFixed ? ` as fixed point ${(word | 0) / 65536}` : '';
        lines.push(`${place(at + 1 + index)}  ${stateText(address, word)}${fixed}`);
      }
      at += (count + 2) & ~1;
      continue;
    }
    const length = Math.min(WORDS[op] ?? 2, words.length - at);
    const rest = Array.from({ length: length - 1 }, (_, index) => hex(words[at + 1 + index]!));
    lines.push(`${place(at)}  ${NAMES.get(op) ?? `command ${op}`} ${[hex(header), ...rest].join(' ')}`);
    if (op === OP.END || !NAMES.has(op)) break;
    at += length;
  }
  return lines.map((line) => `${line}\n`).join('');
}
