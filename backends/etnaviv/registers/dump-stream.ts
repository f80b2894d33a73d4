// A command stream as text that a person can read: one line a state word or command, with names and fields.

import { ENUMS } from './enums.table.ts';
import { stateText } from './registers.ts';
import { walkStream } from './walk-stream.ts';

const NAMES = new Map<number, string>(Object.entries(ENUMS.FE_OPCODE).map(([name, value]) => [value, name]));

const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0');
const place = (word: number) => String(word).padStart(6);

/** A stream that is cut off or has unknown commands is printed as far as it makes sense. */
export function dumpStream(words: ArrayLike<number>): string {
  const lines: string[] = [];
  walkStream(words, {
    state(address, word, isFixed, at) {
      const fixed = isFixed ? ` as fixed point ${(word | 0) / 65536}` : '';
      lines.push(`${place(at)}  ${stateText(address, word)}${fixed}`);
    },
    command(op, at, length) {
      const all = Array.from({ length }, (_, index) => hex(words[at + index]!));
      lines.push(`${place(at)}  ${NAMES.get(op) ?? `command ${op}`} ${all.join(' ')}`);
    },
  });
  return lines.map((line) => `${line}\n`).join('');
}
