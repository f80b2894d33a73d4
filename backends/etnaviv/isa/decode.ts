// From 128 bits to an instruction. Everything that no encoding allows is refused with its place.

import { type Encoding, findEncoding } from './description.ts';
import { ADDRESSING, CONDITIONS, GROUPS, IMMEDIATE_TYPES, ROUNDING, TYPES } from './enums.table.ts';
import { FIELDS, type Field, type FieldName, getField, INSTRUCTION_WORDS, SOURCES } from './fields.table.ts';
import {
  type DestinationOperand,
  type Instruction,
  IsaError,
  type SourceOperand,
  type TextureOperand,
} from './instruction.ts';
import type { EncodingName } from './opcodes.table.ts';

export const ALL_ENCODINGS: ReadonlySet<EncodingName> = new Set(['base', 'extended']);

const hex = (word: number) => `0x${(word >>> 0).toString(16).padStart(8, '0')}`;

/** The instruction at `words[at]`. Throws `IsaError` with the byte offset and the word. */
export function decodeInstruction(
  words: ArrayLike<number>,
  at = 0,
  encodings: ReadonlySet<EncodingName> = ALL_ENCODINGS,
): Instruction {
  const fail = (message: string, word: number): never => {
    const offset = (at + word) * 4;
    const value = words[at + word] ?? 0;
    throw new IsaError(`instruction ${at / 4}, byte ${offset}, word ${hex(value)}: ${message}`, offset, value >>> 0);
  };
  if (at + INSTRUCTION_WORDS > words.length) fail('the program ends inside of an instruction', 0);
  const encoding = findEncoding(words, at, encodings);
  if (!encoding)
    return fail(`no instruction has operation code ${getField(words, at, FIELDS.opcode)} in this shape`, 0);
  encoding.reservedMask.forEach((mask, word) => {
    const wrong = words[at + word]! & mask;
    if (wrong !== 0) fail(`${encoding.row.name} has bits ${hex(wrong)} set that must be 0`, word);
  });
  return new Decoder(words, at, encoding, fail).decode();
}

/** Decodes a whole program; its length must be a multiple of four words. */
export function decodeProgram(
  words: ArrayLike<number>,
  encodings: ReadonlySet<EncodingName> = ALL_ENCODINGS,
): Instruction[] {
  const result: Instruction[] = [];
  for (let at = 0; at < words.length; at += INSTRUCTION_WORDS) result.push(decodeInstruction(words, at, encodings));
  return result;
}

class Decoder {
  private readonly words: ArrayLike<number>;
  private readonly at: number;
  private readonly encoding: Encoding;
  private readonly fail: (message: string, word: number) => never;

  constructor(
    words: ArrayLike<number>,
    at: number,
    encoding: Encoding,
    fail: (message: string, word: number) => never,
  ) {
    this.words = words;
    this.at = at;
    this.encoding = encoding;
    this.fail = fail;
  }

  decode(): Instruction {
    return {
      op: this.encoding.row.name,
      condition: this.named('condition', CONDITIONS, 'true'),
      type: this.named('type', TYPES, 'f32'),
      saturate: this.flag('saturate'),
      rounding: this.named('rounding', ROUNDING, 'default'),
      pack: this.has('noPack') && !this.flag('noPack'),
      skipHelpers: this.flag('skipHelpers'),
      local: this.flag('local'),
      denorm: this.flag('denorm'),
      dstFull: this.flag('dstFull'),
      thread: this.number('thread'),
      leftShift: this.number('leftShift'),
      dst: this.destination(),
      memoryMask: this.has('memoryMask') ? this.number('memoryMask') : null,
      texture: this.texture(),
      sources: [this.source(0), this.source(1), this.source(2)],
      target: this.has('target') ? this.number('target') : null,
    };
  }

  private has(name: FieldName): boolean {
    return this.encoding.form.fields.includes(name);
  }

  private number(name: FieldName): number {
    return this.has(name) ? this.get(FIELDS[name]) : 0;
  }

  private flag(name: FieldName): boolean {
    return this.number(name) !== 0;
  }

  private get(field: Field): number {
    return getField(this.words, this.at, field);
  }

  private lookUp<Name extends string>(table: readonly (Name | undefined)[], field: Field): Name {
    const value = this.get(field);
    return table[value] ?? this.fail(`value ${value} is reserved (${field.doc})`, field.runs[0]![0] >> 5);
  }

  private named<Name extends string>(name: FieldName, table: readonly (Name | undefined)[], absent: Name): Name {
    return this.has(name) ? this.lookUp(table, FIELDS[name]) : absent;
  }

  private destination(): DestinationOperand | null {
    if (this.encoding.form.dst === 'none') return null;
    const [register, mask] = [this.get(FIELDS.dstRegister), this.get(FIELDS.dstMask)];
    if (this.get(FIELDS.dstUse) === 0) {
      if ((register | mask | this.get(FIELDS.dstAddressing)) !== 0) this.fail('an unused destination is not 0', 0);
      return null;
    }
    return { register, mask, addressing: this.lookUp(ADDRESSING, FIELDS.dstAddressing) };
  }

  private texture(): TextureOperand | null {
    if (!this.has('textureUnit')) return null;
    return {
      unit: this.get(FIELDS.textureUnit),
      swizzle: this.get(FIELDS.textureSwizzle),
      addressing: this.lookUp(ADDRESSING, FIELDS.textureAddressing),
    };
  }

  private source(index: 0 | 1 | 2): SourceOperand | null {
    if (this.encoding.row.sources[index] === 'none') return null;
    const fields = SOURCES[index];
    if (this.get(fields.use) === 0) {
      const rest = [fields.immediate, fields.immediateType, fields.group].some((field) => this.get(field) !== 0);
      if (rest) this.fail(`unused source ${index} is not 0`, fields.use.runs[0]![0] >> 5);
      return null;
    }
    const group = this.lookUp(GROUPS, fields.group);
    if (group === 'immediate') {
      return {
        kind: 'immediate',
        type: this.lookUp(IMMEDIATE_TYPES, fields.immediateType),
        bits: this.get(fields.immediate),
      };
    }
    return {
      kind: 'register',
      group,
      register: this.get(fields.register),
      swizzle: this.get(fields.swizzle),
      negate: this.get(fields.negate) !== 0,
      absolute: this.get(fields.absolute) !== 0,
      addressing: this.lookUp(ADDRESSING, fields.addressing),
    };
  }
}
