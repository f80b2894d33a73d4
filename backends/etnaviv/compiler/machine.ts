// The compiler's own form of a program: Vivante instructions over virtual registers, in a list with labels.

import type { Addressing, Condition, OperandType, Rounding } from '../isa/enums.table.ts';
import type { UniformWord } from './compiled-shader.ts';

/** Up to four components that must stand in one temporary. */
export interface VirtualRegister {
  readonly components: number;
  /** The temporary where it must stand, with component i in component i. */
  readonly fixed: number | null;
  /** Component i must stand in component i of some temporary. */
  readonly identity: boolean;
}

export type OperandFile =
  /** `index` is a virtual register. */
  | 'virtual'
  /** `components` are word numbers of the program's word table. */
  | 'word'
  /** `index` is a slot of the uniform file. */
  | 'uniform'
  /** `index` is a temporary with a fixed place (indexed arrays). */
  | 'temporary'
  /** Front facing. */
  | 'internal';

export interface Operand {
  readonly file: OperandFile;
  readonly index: number;
  /**
   * Of an `each` operand: one component per written component, in their order. Else: what stands in x, y, z, w; the last is
   * repeated.
   */
  readonly components: readonly number[];
  readonly each: boolean;
  readonly negate: boolean;
  readonly absolute: boolean;
  readonly addressing: Addressing;
}

export interface Destination {
  readonly file: 'virtual' | 'temporary' | 'address';
  readonly index: number;
  /** Distinct components. */
  readonly components: readonly number[];
  readonly addressing: Addressing;
}

export interface MachineInstruction {
  /** A name of the instruction table, or `label`. */
  readonly op: string;
  readonly condition: Condition;
  readonly type: OperandType;
  readonly saturate: boolean;
  readonly rounding: Rounding;
  readonly dst: Destination | null;
  readonly sources: readonly [Operand | null, Operand | null, Operand | null];
  /** `components`: the texel's component for each written one. */
  readonly texture: { readonly unit: number; readonly components: readonly number[] } | null;
  /** Of jumps and labels. */
  readonly label: number;
  /** The written components may not be permuted or left out (memory loads). */
  readonly keepsComponents: boolean;
}

const EMPTY: MachineInstruction = {
  op: 'nop',
  condition: 'true',
  type: 'f32',
  saturate: false,
  rounding: 'default',
  dst: null,
  sources: [null, null, null],
  texture: null,
  label: -1,
  keepsComponents: false,
};

export function machineInstruction(op: string, fields: Partial<MachineInstruction> = {}): MachineInstruction {
  return { ...EMPTY, ...fields, op };
}

export class MachineProgram {
  readonly registers: VirtualRegister[] = [];
  readonly words: UniformWord[] = [];
  code: MachineInstruction[] = [];
  /** Virtual registers that leave the program at its end. */
  readonly liveAtEnd: number[] = [];
  labels = 0;
  private readonly wordNumbers = new Map<string, number>();

  newRegister(components: number, options: { fixed?: number; identity?: boolean } = {}): number {
    const fixed = options.fixed ?? null;
    this.registers.push({ components, fixed, identity: fixed !== null || (options.identity ?? false) });
    return this.registers.length - 1;
  }

  word(word: UniformWord): number {
    const key = JSON.stringify(word);
    let number = this.wordNumbers.get(key);
    if (number === undefined) {
      number = this.words.length;
      this.words.push(word);
      this.wordNumbers.set(key, number);
    }
    return number;
  }

  immediate(value: number): number {
    return this.word({ kind: 'immediate', value: value >>> 0 });
  }

  newLabel(): number {
    return this.labels++;
  }
}

export function operand(file: OperandFile, index: number, components: readonly number[]): Operand {
  return { file, index, components, each: true, negate: false, absolute: false, addressing: 'direct' };
}

export function virtualDestination(index: number, components: readonly number[]): Destination {
  return { file: 'virtual', index, components, addressing: 'direct' };
}

/** A plain copy between virtual registers: what coalescing looks for. */
export function isCopy({ op, saturate, sources, dst }: MachineInstruction): boolean {
  const source = sources[2];
  return (
    op === 'mov' &&
    !saturate &&
    dst?.file === 'virtual' &&
    source?.file === 'virtual' &&
    source.each &&
    !source.negate &&
    !source.absolute
  );
}
