// A Vivante instruction as plain data: what decode makes and encode takes.

import type { Addressing, Condition, ImmediateType, OperandType, RegisterGroup, Rounding } from './enums.table.ts';

/** Two bits per component, x in the lowest: 0xe4 is xyzw. */
export type Swizzle = number;

export const SWIZZLE_IDENTITY: Swizzle = 0xe4;

export interface RegisterOperand {
  readonly kind: 'register';
  readonly group: RegisterGroup;
  readonly register: number;
  readonly swizzle: Swizzle;
  readonly negate: boolean;
  readonly absolute: boolean;
  readonly addressing: Addressing;
}

export interface ImmediateOperand {
  readonly kind: 'immediate';
  readonly type: ImmediateType;
  /** The 20 bits as an unsigned number; `immediateWord` gives the 32-bit value of every component. */
  readonly bits: number;
}

export type SourceOperand = RegisterOperand | ImmediateOperand;

export interface DestinationOperand {
  readonly register: number;
  /** Bit 0 writes x. */
  readonly mask: number;
  readonly addressing: Addressing;
}

export interface TextureOperand {
  readonly unit: number;
  readonly swizzle: Swizzle;
  readonly addressing: Addressing;
}

/** Every field is always there; what a form has not is at its default. */
export interface Instruction {
  /** The name in the opcode table. */
  readonly op: string;
  readonly condition: Condition;
  readonly type: OperandType;
  readonly saturate: boolean;
  readonly rounding: Rounding;
  /** Bit 34 is 0 on an instruction that has it. */
  readonly pack: boolean;
  readonly skipHelpers: boolean;
  readonly local: boolean;
  readonly denorm: boolean;
  readonly dstFull: boolean;
  /** Bit 0: thread 0 alone, bit 1: thread 1 alone; 0: both (and the only value outside of dual-16 mode). */
  readonly thread: number;
  readonly leftShift: number;
  readonly dst: DestinationOperand | null;
  /** The component mask of a store to memory, else null. */
  readonly memoryMask: number | null;
  readonly texture: TextureOperand | null;
  readonly sources: readonly [SourceOperand | null, SourceOperand | null, SourceOperand | null];
  /** The instruction a jump goes to, else null. */
  readonly target: number | null;
}

/** A wrong instruction: bits that no encoding allows, or text that no instruction has. */
export class IsaError extends Error {
  override readonly name = 'IsaError';
  /** Of the offending 32-bit word in the program, in bytes (binary), or the line number (text). */
  readonly offset: number;
  /** The offending word; 0 for text. */
  readonly word: number;

  constructor(message: string, offset: number, word = 0) {
    super(message);
    this.offset = offset;
    this.word = word;
  }
}

const floatView = new Float32Array(1);
const wordView = new Uint32Array(floatView.buffer);

/** The 32-bit pattern an immediate gives to every component. */
export function immediateWord(operand: ImmediateOperand): number {
  switch (operand.type) {
    case 'float':
      return (operand.bits << 12) >>> 0;
    case 'int':
      return ((operand.bits << 12) >> 12) >>> 0;
    default:
      return operand.bits;
  }
}

/** An immediate with the given 32-bit pattern, or null when 20 bits can't hold it. */
export function immediateFromWord(type: ImmediateType, word: number): ImmediateOperand | null {
  const bits = type === 'float' ? word >>> 12 : word & 0xfffff;
  const operand: ImmediateOperand = { kind: 'immediate', type, bits };
  return immediateWord(operand) === word >>> 0 ? operand : null;
}

export function floatFromWord(word: number): number {
  wordView[0] = word;
  return floatView[0]!;
}

export function wordFromFloat(value: number): number {
  floatView[0] = value;
  return wordView[0]!;
}
