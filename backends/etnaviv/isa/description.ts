// What follows from the tables: which bits of an instruction are fixed, covered or must be 0, and the checks on them.

import {
  FIELDS,
  type Field,
  fieldWidth,
  getField,
  INSTRUCTION_BITS,
  INSTRUCTION_WORDS,
  markField,
  SOURCES,
  setField,
} from './fields.table.ts';
import { type EncodingName, FORMS, type Form, OPCODES, type OpcodeRow } from './opcodes.table.ts';

/** The last source of an extended operation is an unsigned immediate; its register bits hold the operation. */
const EXTENDED_GROUP = 7;
const EXTENDED_ADDRESSING = 4;

export interface Encoding {
  readonly row: OpcodeRow;
  readonly form: Form;
  /** Bits with one allowed value, and those values. */
  readonly fixedMask: Uint32Array;
  readonly fixedBits: Uint32Array;
  /** Bits that must be 0: neither fixed nor part of a field. */
  readonly reservedMask: Uint32Array;
}

function describe(row: OpcodeRow): Encoding {
  const form: Form = FORMS[row.form];
  const fixedMask = new Uint32Array(INSTRUCTION_WORDS);
  const fixedBits = new Uint32Array(INSTRUCTION_WORDS);
  const covered = new Uint32Array(INSTRUCTION_WORDS);
  const fix = (field: Field, value: number) => {
    markField(fixedMask, field);
    setField(fixedBits, 0, field, value);
  };
  const cover = (field: Field) => markField(covered, field);
  fix(FIELDS.opcode, row.code);
  for (const name of form.fields) cover(FIELDS[name]);
  if (form.dst === 'maybe') cover(FIELDS.dstUse);
  else fix(FIELDS.dstUse, form.dst === 'must' ? 1 : 0);
  if (form.dst !== 'none') for (const name of ['dstAddressing', 'dstRegister', 'dstMask'] as const) cover(FIELDS[name]);
  row.sources.forEach((presence, index) => {
    const fields = SOURCES[index]!;
    if (presence === 'maybe') cover(fields.use);
    // The target of a jump lies over the last source; its form covers those bits.
    else if (!(index === 2 && form.fields.includes('target')) && row.extendedCode === undefined)
      fix(fields.use, presence === 'must' ? 1 : 0);
    else if (row.extendedCode !== undefined && index < 2) fix(fields.use, presence === 'must' ? 1 : 0);
    if (presence === 'none') return;
    for (const key of ['register', 'swizzle', 'negate', 'absolute', 'addressing', 'group'] as const) cover(fields[key]);
  });
  if (row.extendedCode !== undefined) {
    const last = SOURCES[2];
    fix(last.use, 1);
    fix(last.register, row.extendedCode);
    fix(last.swizzle, 0);
    fix(last.negate, 0);
    fix(last.absolute, 0);
    fix(last.addressing, EXTENDED_ADDRESSING);
    fix(last.group, EXTENDED_GROUP);
  }
  const reservedMask = fixedMask.map((mask, word) => ~(mask | covered[word]!) >>> 0);
  return { row, form, fixedMask, fixedBits, reservedMask };
}

export const ENCODINGS: readonly Encoding[] = OPCODES.map(describe);

const byCode: Encoding[][] = [];
for (const encoding of ENCODINGS) {
  const list = byCode[encoding.row.code];
  if (list) list.push(encoding);
  else byCode[encoding.row.code] = [encoding];
}

const byName = new Map<string, Encoding[]>();
for (const encoding of ENCODINGS) {
  byName.set(encoding.row.name, [...(byName.get(encoding.row.name) ?? []), encoding]);
}

export function encodingsNamed(name: string): readonly Encoding[] {
  return byName.get(name) ?? [];
}

export function matches(encoding: Encoding, words: ArrayLike<number>, at: number): boolean {
  for (let word = 0; word < INSTRUCTION_WORDS; word++) {
    if (((words[at + word]! ^ encoding.fixedBits[word]!) & encoding.fixedMask[word]!) !== 0) return false;
  }
  return true;
}

/** The one encoding whose fixed bits agree with the words, or undefined. */
export function findEncoding(
  words: ArrayLike<number>,
  at: number,
  encodings: ReadonlySet<EncodingName>,
): Encoding | undefined {
  const candidates = byCode[getField(words, at, FIELDS.opcode)] ?? [];
  return candidates.find((encoding) => encodings.has(encoding.row.encoding) && matches(encoding, words, at));
}

/** Faults of the tables: fields that overlap in a form, bits beyond 128, and pairs of rows that one word could match. */
export function checkDescription(encodings: readonly Encoding[] = ENCODINGS): string[] {
  const faults: string[] = [];
  for (const { row, form } of encodings) {
    const owner = new Map<number, string>();
    const claim = (name: string, field: Field) => {
      for (const [low, high] of field.runs) {
        if (low > high || low < 0 || high >= INSTRUCTION_BITS || low >> 5 !== high >> 5)
          faults.push(`${row.name}: field ${name} has a bad run ${low}..${high}`);
        for (let position = low; position <= high; position++) {
          if (owner.has(position)) faults.push(`${row.name}: bit ${position} is ${owner.get(position)} and ${name}`);
          owner.set(position, name);
        }
      }
      if (fieldWidth(field) > 31) faults.push(`${row.name}: field ${name} is too wide`);
    };
    claim('opcode', FIELDS.opcode);
    claim('dstUse', FIELDS.dstUse);
    for (const name of form.fields) claim(name, FIELDS[name]);
    if (form.dst !== 'none')
      for (const name of ['dstAddressing', 'dstRegister', 'dstMask'] as const) claim(name, FIELDS[name]);
    row.sources.forEach((presence, index) => {
      if (presence === 'none') return;
      const { use, register, swizzle, negate, absolute, addressing, group } = SOURCES[index]!;
      for (const [name, field] of Object.entries({ use, register, swizzle, negate, absolute, addressing, group }))
        claim(`src${index}.${name}`, field);
    });
  }
  for (let first = 0; first < encodings.length; first++) {
    for (let second = first + 1; second < encodings.length; second++) {
      const [a, b] = [encodings[first]!, encodings[second]!];
      const differ = a.fixedMask.some(
        (mask, word) => (mask & b.fixedMask[word]! & (a.fixedBits[word]! ^ b.fixedBits[word]!)) !== 0,
      );
      if (!differ) faults.push(`${a.row.name} (${a.row.form}) and ${b.row.name} (${b.row.form}) can match one word`);
    }
  }
  return faults;
}
