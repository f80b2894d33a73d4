// Instructions as text. `assemble` reads every line that is printed here back to the same instruction.

import { encodingsNamed } from './description.ts';
import { type Addressing, FLAG_SUFFIXES, GROUP_PREFIXES } from './enums.table.ts';
import {
  floatFromWord,
  type ImmediateOperand,
  type Instruction,
  immediateWord,
  type SourceOperand,
  type Swizzle,
} from './instruction.ts';

const COMPONENTS = 'xyzw';

/** Where operands start, so that listings are easy to read. */
const OPERAND_COLUMN = 18;

export function swizzleText(swizzle: Swizzle): string {
  let text = '';
  for (let component = 0; component < 4; component++) text += COMPONENTS[(swizzle >> (2 * component)) & 3];
  return text;
}

/** `xy__`: the written components in their places. */
export function maskText(mask: number): string {
  let text = '';
  for (let component = 0; component < 4; component++) text += (mask >> component) & 1 ? COMPONENTS[component] : '_';
  return text;
}

function addressingText(addressing: Addressing): string {
  return addressing === 'direct' ? '' : `[${addressing}]`;
}

/** Floats always have a point, an exponent or a word in them, unsigned ones end in u, raw bits start with f: or h:. */
export function immediateText(operand: ImmediateOperand): string {
  const raw = `0x${operand.bits.toString(16)}`;
  switch (operand.type) {
    case 'float': {
      const value = floatFromWord(immediateWord(operand));
      if (Number.isNaN(value)) return `f:${raw}`;
      if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
      if (Object.is(value, -0)) return '-0.0';
      const text = String(value);
      return /[.e]/.test(text) ? text : `${text}.0`;
    }
    case 'int':
      return String(immediateWord(operand) | 0);
    case 'uint':
      return `${operand.bits}u`;
    case 'half':
      return `h:${raw}`;
  }
}

function sourceText(operand: SourceOperand | null): string {
  if (operand === null) return 'void';
  if (operand.kind === 'immediate') return immediateText(operand);
  const bar = operand.absolute ? '|' : '';
  const register = `${GROUP_PREFIXES[operand.group]}${operand.register}${addressingText(operand.addressing)}`;
  return `${operand.negate ? '-' : ''}${bar}${register}.${swizzleText(operand.swizzle)}${bar}`;
}

function mnemonic(instruction: Instruction): string {
  const form = encodingsNamed(instruction.op)[0]?.form;
  let text = instruction.op;
  if (instruction.saturate) text += `.${FLAG_SUFFIXES.saturate}`;
  if (instruction.condition !== 'true') text += `.${instruction.condition}`;
  if (instruction.skipHelpers) text += `.${FLAG_SUFFIXES.skipHelpers}`;
  if (instruction.denorm) text += `.${FLAG_SUFFIXES.denorm}`;
  if (instruction.local) text += `.${FLAG_SUFFIXES.local}`;
  if (instruction.type !== 'f32') text += `.${instruction.type}`;
  if (instruction.leftShift) text += `.ls${instruction.leftShift}`;
  if (form?.fields.includes('noPack') && instruction.pack !== (form.packsByDefault ?? false))
    text += instruction.pack ? '.pack' : '.nopack';
  if (instruction.thread & 1) text += '.t0';
  if (instruction.thread & 2) text += '.t1';
  if (instruction.rounding !== 'default') text += `.${instruction.rounding}`;
  if (instruction.dstFull) text += `.${FLAG_SUFFIXES.dstFull}`;
  return text;
}

export function disassembleInstruction(instruction: Instruction): string {
  const { dst, memoryMask, texture, target } = instruction;
  const operands: string[] = [];
  if (memoryMask !== null) operands.push(`mem.${maskText(memoryMask)}`);
  else if (dst === null) operands.push('void');
  else {
    const mask = dst.mask === 15 ? '' : `.${maskText(dst.mask)}`;
    operands.push(`t${dst.register}${addressingText(dst.addressing)}${mask}`);
  }
  if (texture) operands.push(`tex${texture.unit}${addressingText(texture.addressing)}.${swizzleText(texture.swizzle)}`);
  operands.push(sourceText(instruction.sources[0]), sourceText(instruction.sources[1]));
  operands.push(target === null ? sourceText(instruction.sources[2]) : `l${target}`);
  return `${mnemonic(instruction).padEnd(OPERAND_COLUMN - 1)} ${operands.join(', ')}`;
}

/** A listing; jump targets are instruction numbers, which stand in the comments. */
export function disassembleProgram(program: readonly Instruction[]): string {
  return program.map((instruction, index) => `${disassembleInstruction(instruction).padEnd(64)} ; ${index}\n`).join('');
}
