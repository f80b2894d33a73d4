// Gives words their places in the uniform file, and makes every instruction keep to the uniform port: immediates where
// 20 bits hold them, copies where an instruction would read two slots and the hardware reads one.

import { immediateFromWord } from '../isa/instruction.ts';
import { type UniformWord, UnsupportedShaderError } from './compiled-shader.ts';
import {
  type MachineInstruction,
  type MachineProgram,
  machineInstruction,
  type Operand,
  operand,
  virtualDestination,
} from './machine.ts';
import type { UniformRange } from './select.ts';
import type { CompilerTarget } from './target.ts';

export interface UniformFile {
  readonly words: UniformWord[];
  /** Words of immediates, for the report. */
  readonly immediates: number;
}

const SLOT = 4;

class FileBuilder {
  /** Word numbers, -1 for free places. */
  readonly places: number[] = [];
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  newSlot(): number {
    const slot = this.places.length / SLOT;
    if (slot >= this.limit) throw new UnsupportedShaderError(`it needs more than ${this.limit} uniform vectors`);
    this.places.push(-1, -1, -1, -1);
    return slot;
  }

  /** The place of each word in a slot, or null if they do not all fit; `fill` puts missing ones into free places. */
  find(slot: number, words: readonly number[], fill: boolean): number[] | null {
    const at = slot * SLOT;
    const missing = new Set(words.filter((word) => !this.places.slice(at, at + SLOT).includes(word)));
    if (missing.size > 0) {
      if (!fill) return null;
      const free = [0, 1, 2, 3].filter((component) => this.places[at + component] === -1);
      if (missing.size > free.length) return null;
      for (const word of missing) this.places[at + free.shift()!] = word;
    }
    return words.map((word) => this.places.slice(at, at + SLOT).indexOf(word));
  }

  /** A slot that holds all the words already. */
  slotWith(words: readonly number[]): number | null {
    for (let slot = 0; slot < this.places.length / SLOT; slot++) if (this.find(slot, words, false)) return slot;
    return null;
  }

  place(words: readonly number[], preferred: readonly number[]): { slot: number; components: number[] } {
    const count = this.places.length / SLOT;
    const all = Array.from({ length: count }, (_, slot) => slot);
    for (const fill of [false, true]) {
      for (const slots of [preferred, all]) {
        for (const slot of slots) {
          const components = this.find(slot, words, fill);
          if (components) return { slot, components };
        }
      }
    }
    const slot = this.newSlot();
    return { slot, components: this.find(slot, words, true)! };
  }
}

export function assignUniforms(
  program: MachineProgram,
  ranges: readonly UniformRange[],
  target: CompilerTarget,
  limit: number,
): UniformFile {
  const file = new FileBuilder(limit);
  const rangeSlots = placeRanges(program, ranges, file);
  placeUserWords(program, file);
  if (!target.manyUniformsPerInstruction) placeTogether(program, file, target, limit);
  const code: MachineInstruction[] = [];
  for (const instruction of program.code) {
    const sources = [...instruction.sources] as [Operand | null, Operand | null, Operand | null];
    /** Slots that the instruction reads so far. */
    const slots: number[] = [];
    const wanted = sources.flatMap((source) =>
      source?.file === 'word' && !(target.hasImmediates && isImmediate(program, source)) ? source.components : [],
    );
    const shared = file.slotWith(wanted);
    const preferred = () => (shared === null ? slots : [shared, ...slots]);
    const copyOf = (source: Operand): Operand => {
      const distinct = [...new Set(source.components)];
      const register = program.newRegister(distinct.length);
      const all = [0, 1, 2, 3].slice(0, distinct.length);
      code.push(
        machineInstruction('mov', {
          dst: virtualDestination(register, all),
          sources: [null, null, { ...source, components: distinct, each: true, negate: false, absolute: false }],
        }),
      );
      const copied = operand(
        'virtual',
        register,
        source.components.map((component) => distinct.indexOf(component)),
      );
      return { ...copied, each: source.each, negate: source.negate, absolute: source.absolute };
    };
    // The operand with most words decides which slot is read directly.
    const order = ([0, 1, 2] as const)
      .filter((index) => sources[index] !== null)
      .sort((a, b) => distinctWords(sources[b]!) - distinctWords(sources[a]!));
    for (const index of order) {
      let source = sources[index]!;
      if (source.file === 'uniform') source = { ...source, index: rangeSlots.get(source.index)! };
      else if (source.file === 'word') {
        if (target.hasImmediates && isImmediate(program, source)) {
          sources[index] = source;
          continue;
        }
        const { slot, components } = file.place(source.components, preferred());
        source = { ...source, file: 'uniform', index: slot, components };
      } else continue;
      const isIndexed = source.addressing !== 'direct';
      const conflicts = slots.some((slot) => slot !== source.index) || (isIndexed && slots.length > 0);
      if (conflicts && !target.manyUniformsPerInstruction) source = copyOf(source);
      else slots.push(source.index);
      sources[index] = source;
    }
    code.push({ ...instruction, sources });
  }
  program.code = code;
  const words = file.places.map((number): UniformWord => (number < 0 ? { kind: 'unused' } : program.words[number]!));
  return { words, immediates: words.filter(({ kind }) => kind === 'immediate').length };
}

function distinctWords(source: Operand): number {
  return source.file === 'word' ? new Set(source.components).size : source.file === 'uniform' ? 5 : 0;
}

/** The one 32-bit pattern of an operand that an immediate holds, or null. */
export function immediateOf(program: MachineProgram, source: Operand): number | null {
  const first = program.words[source.components[0]!]!;
  if (first.kind !== 'immediate' || source.components.some((word) => word !== source.components[0])) return null;
  let value = first.value;
  // Why: the bits of an immediate lie over those of the modifiers.
  if (source.absolute) value &= 0x7fffffff;
  if (source.negate) value ^= 0x80000000;
  return value >>> 0;
}

function isImmediate(program: MachineProgram, source: Operand): boolean {
  const value = immediateOf(program, source);
  if (value === null) return false;
  return (['float', 'int', 'uint'] as const).some((type) => immediateFromWord(type, value) !== null);
}

/** Indexed uniforms stand in order; ranges that overlap share their slots. Gives the slot by the range's first word. */
function placeRanges(program: MachineProgram, ranges: readonly UniformRange[], file: FileBuilder): Map<number, number> {
  const slots = new Map<number, number>();
  const sorted = [...ranges].sort((a, b) => Number(a.convert) - Number(b.convert) || a.base - b.base);
  let open: { convert: boolean; base: number; end: number; slot: number } | null = null;
  for (const { base, range, convert, first } of sorted) {
    if (open === null || open.convert !== convert || base > open.end) {
      open = { convert, base, end: base, slot: file.places.length / SLOT };
    }
    for (; open.end < base + range; open.end++) {
      const slot = file.newSlot();
      for (let component = 0; component < SLOT; component++) {
        file.places[slot * SLOT + component] = program.word({
          kind: 'uniform',
          word: open.end * 4 + component,
          convert,
        });
      }
    }
    slots.set(first, open.slot + base - open.base);
  }
  return slots;
}

/** What one instruction reads goes into one slot where it can: that saves copies. */
function placeTogether(program: MachineProgram, file: FileBuilder, target: CompilerTarget, limit: number): void {
  for (const { sources } of program.code) {
    const operands = sources.filter(
      (source): source is Operand => source?.file === 'word' && !(target.hasImmediates && isImmediate(program, source)),
    );
    const words = new Set(operands.flatMap(({ components }) => components));
    // Words may come to stand in two slots this way; that must not use the file up.
    if (operands.length < 2 || words.size > SLOT || file.places.length / SLOT > limit / 2) continue;
    file.place([...words], []);
  }
}

/** The words of one uniform that are read anywhere stand together. */
function placeUserWords(program: MachineProgram, file: FileBuilder): void {
  const used = new Map<string, Set<number>>();
  for (const { sources } of program.code) {
    for (const source of sources) {
      if (source?.file !== 'word') continue;
      for (const number of source.components) {
        const word = program.words[number]!;
        if (word.kind !== 'uniform') continue;
        const key = `${word.convert} ${word.word >> 2}`;
        const set = used.get(key);
        if (set) set.add(number);
        else used.set(key, new Set([number]));
      }
    }
  }
  const groups = [...used.values()].map((set) => [...set].sort((a, b) => a - b));
  groups.sort((a, b) => b.length - a.length);
  for (const group of groups) file.place(group, []);
}
