// From an instruction to its 128 bits. Refuses what the form has no field for, so nothing is lost in silence.

import { type Encoding, encodingsNamed } from './description.ts';
import { ADDRESSING, CONDITIONS, GROUPS, IMMEDIATE_TYPES, ROUNDING, TYPES } from './enums.table.ts';
import { FIELDS, type FieldName, INSTRUCTION_WORDS, SOURCES, setField } from './fields.table.ts';
import { type Instruction, IsaError, type SourceOperand } from './instruction.ts';

/** The row of the opcode table that an instruction belongs to. */
function encodingOf(instruction: Instruction): Encoding {
  const rows = encodingsNamed(instruction.op);
  if (rows.length === 0) throw new IsaError(`no instruction is named ${instruction.op}`, 0);
  return rows.find(({ form }) => form.fields.includes('memoryMask') === (instruction.memoryMask !== null)) ?? rows[0]!;
}

/** The fields of `instruction` beside operands, as numbers, with the value that means "not there". */
function plainFields(instruction: Instruction): [FieldName, number][] {
  return [
    ['condition', CONDITIONS.indexOf(instruction.condition)],
    ['type', TYPES.indexOf(instruction.type)],
    ['saturate', Number(instruction.saturate)],
    ['rounding', ROUNDING.indexOf(instruction.rounding)],
    ['skipHelpers', Number(instruction.skipHelpers)],
    ['local', Number(instruction.local)],
    ['denorm', Number(instruction.denorm)],
    ['dstFull', Number(instruction.dstFull)],
    ['thread', instruction.thread],
    ['leftShift', instruction.leftShift],
    ['memoryMask', instruction.memoryMask ?? 0],
    ['target', instruction.target ?? 0],
    ['textureUnit', instruction.texture?.unit ?? 0],
    ['textureSwizzle', instruction.texture?.swizzle ?? 0],
    ['textureAddressing', ADDRESSING.indexOf(instruction.texture?.addressing ?? 'direct')],
  ];
}

/** Writes the instruction's four words to `words[at]`, which must be 0 before. */
export function encodeInstruction(
  instruction: Instruction,
  words: Uint32Array = new Uint32Array(INSTRUCTION_WORDS),
  at = 0,
): Uint32Array {
  const { row, form, fixedBits } = encodingOf(instruction);
  const fail = (message: string): never => {
    throw new IsaError(`${row.name}: ${message}`, at * 4);
  };
  fixedBits.forEach((bits, word) => {
    words[at + word] = bits;
  });
  for (const [name, value] of plainFields(instruction)) {
    if (form.fields.includes(name)) setField(words, at, FIELDS[name], value);
    else if (value !== 0) fail(`has no ${name}`);
  }
  if (form.fields.includes('noPack')) setField(words, at, FIELDS.noPack, instruction.pack ? 0 : 1);
  else if (instruction.pack) fail('cannot pack');
  const { dst } = instruction;
  if (dst) {
    if (form.dst === 'none') fail('writes no register');
    if (form.dst === 'maybe') setField(words, at, FIELDS.dstUse, 1);
    setField(words, at, FIELDS.dstAddressing, ADDRESSING.indexOf(dst.addressing));
    setField(words, at, FIELDS.dstRegister, dst.register);
    setField(words, at, FIELDS.dstMask, dst.mask);
  } else if (form.dst === 'must') fail('needs a destination');
  row.sources.forEach((presence, index) => {
    const operand = instruction.sources[index]!;
    if (operand === null) {
      if (presence === 'must') fail(`needs source ${index}`);
      return;
    }
    if (presence === 'none') fail(`has no source ${index}`);
    encodeSource(operand, index, words, at, presence === 'maybe');
  });
  return words;
}

function encodeSource(operand: SourceOperand, index: number, words: Uint32Array, at: number, setUse: boolean): void {
  const fields = SOURCES[index]!;
  if (setUse) setField(words, at, fields.use, 1);
  if (operand.kind === 'immediate') {
    setField(words, at, fields.group, GROUPS.indexOf('immediate'));
    setField(words, at, fields.immediateType, IMMEDIATE_TYPES.indexOf(operand.type));
    setField(words, at, fields.immediate, operand.bits);
    return;
  }
  setField(words, at, fields.group, GROUPS.indexOf(operand.group));
  setField(words, at, fields.register, operand.register);
  setField(words, at, fields.swizzle, operand.swizzle);
  setField(words, at, fields.negate, Number(operand.negate));
  setField(words, at, fields.absolute, Number(operand.absolute));
  setField(words, at, fields.addressing, ADDRESSING.indexOf(operand.addressing));
}

export function encodeProgram(program: readonly Instruction[]): Uint32Array {
  const words = new Uint32Array(program.length * INSTRUCTION_WORDS);
  for (const [index, instruction] of program.entries())
    encodeInstruction(instruction, words, index * INSTRUCTION_WORDS);
  return words;
}
