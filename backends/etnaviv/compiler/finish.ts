// From placed instructions to binary words: swizzles and masks from places, labels to instruction numbers.

import { encodeProgram } from '../isa/encode.ts';
import type { Condition } from '../isa/enums.table.ts';
import {
  type Instruction,
  immediateFromWord,
  type SourceOperand,
  SWIZZLE_IDENTITY,
  type Swizzle,
} from '../isa/instruction.ts';
import { instruction as makeInstruction } from '../isa/make-instruction.ts';
import type { Allocation } from './allocate-registers.ts';
import { immediateOf } from './assign-uniforms.ts';
import { nodeOf } from './liveness.ts';
import { isCopy, type MachineInstruction, type MachineProgram, type Operand } from './machine.ts';

/** Uniforms from 128 on have a register group of their own. */
const HIGH_UNIFORMS = 128;

class Finisher {
  private readonly program: MachineProgram;
  private readonly places: Int32Array;

  constructor(program: MachineProgram, allocation: Allocation) {
    this.program = program;
    this.places = allocation.places;
  }

  /** Temporary and components where some components of a register stand. */
  place(register: number, components: readonly number[]): { temporary: number; components: number[] } {
    const first = this.places[nodeOf(register, components[0]!)]!;
    return { temporary: first >> 2, components: components.map((c) => this.places[nodeOf(register, c)]! & 3) };
  }

  /** A copy without the components that already stand where they should, or null if all do. */
  shorten(instruction: MachineInstruction): MachineInstruction | null {
    if (!isCopy(instruction)) return instruction;
    const [dst, source] = [instruction.dst!, instruction.sources[2]!];
    const kept = dst.components
      .map((_, i) => i)
      .filter(
        (i) =>
          this.places[nodeOf(dst.index, dst.components[i]!)] !==
          this.places[nodeOf(source.index, source.components[i]!)],
      );
    if (kept.length === 0) return null;
    if (kept.length === dst.components.length) return instruction;
    const pick = (components: readonly number[]) => kept.map((i) => components[i]!);
    return {
      ...instruction,
      dst: { ...dst, components: pick(dst.components) },
      sources: [null, null, { ...source, components: pick(source.components) }],
    };
  }

  /** `written`: where each component of the result stands, or null for an instruction without result. */
  source(operand: Operand | null, written: readonly number[] | null): SourceOperand | null {
    if (operand === null) return null;
    const { file, negate, absolute, addressing } = operand;
    if (file === 'word') {
      const value = immediateOf(this.program, operand)!;
      for (const type of ['float', 'int', 'uint'] as const) {
        const immediate = immediateFromWord(type, value);
        if (immediate) return immediate;
      }
      throw new Error('a word has no place in the uniform file');
    }
    let { index, components } = operand;
    if (file === 'virtual') {
      const at = this.place(index, components);
      index = at.temporary;
      components = at.components;
    }
    const swizzle = operand.each && written ? scatter(components, written) : extend(components);
    const modifiers = { swizzle, negate, absolute, addressing };
    if (file === 'uniform') {
      const isHigh = index >= HIGH_UNIFORMS;
      const register = isHigh ? index - HIGH_UNIFORMS : index;
      return { kind: 'register', group: isHigh ? 'uniformHigh' : 'uniform', register, ...modifiers };
    }
    return { kind: 'register', group: file === 'internal' ? 'internal' : 'temp', register: index, ...modifiers };
  }

  instruction(machine: MachineInstruction, labels: ReadonlyMap<number, number>): Instruction {
    const { op, condition, type, saturate, rounding, dst, texture } = machine;
    let written: number[] | null = null;
    let register = 0;
    if (dst) {
      if (dst.file === 'virtual') {
        const at = this.place(dst.index, dst.components);
        register = at.temporary;
        written = at.components;
      } else {
        register = dst.index;
        written = [...dst.components];
      }
    }
    const sources = machine.sources.map((operand) =>
      this.source(operand, written),
    ) as unknown as Instruction['sources'];
    return makeInstruction(op, {
      condition,
      type,
      saturate,
      rounding,
      sources,
      dst: written && dst ? { register, mask: maskOf(written), addressing: dst.addressing } : null,
      texture: texture && { unit: texture.unit, swizzle: scatter(texture.components, written!), addressing: 'direct' },
      target: op === 'branch' ? labels.get(machine.label)! : null,
    });
  }
}

function maskOf(components: readonly number[]): number {
  return components.reduce((mask, component) => mask | (1 << component), 0);
}

function toSwizzle(components: readonly number[]): Swizzle {
  return components.reduce((swizzle, component, position) => swizzle | (component << (2 * position)), 0);
}

/** Component i is read at position `written[i]`; positions that nobody writes read the first. */
function scatter(components: readonly number[], written: readonly number[]): Swizzle {
  const positions = new Array<number>(4).fill(components[0]!);
  written.forEach((position, i) => {
    positions[position] = components[i]!;
  });
  return toSwizzle(positions);
}

/** The components from x on; the last is repeated. */
function extend(components: readonly number[]): Swizzle {
  if (components.length === 4 && components.every((c, i) => c === i)) return SWIZZLE_IDENTITY;
  return toSwizzle([0, 1, 2, 3].map((i) => components[Math.min(i, components.length - 1)]!));
}

export interface FinishedProgram {
  readonly code: Uint32Array;
  readonly program: readonly Instruction[];
}

export function finishProgram(program: MachineProgram, allocation: Allocation): FinishedProgram {
  const finisher = new Finisher(program, allocation);
  const labels = new Map<number, number>();
  const machine: MachineInstruction[] = [];
  for (const instruction of tidyJumps(program.code.flatMap((i) => finisher.shorten(i) ?? []))) {
    if (instruction.op === 'label') labels.set(instruction.label, machine.length);
    else machine.push(instruction);
  }
  const instructions = machine.map((instruction) => finisher.instruction(instruction, labels));
  // Why: a program needs an instruction, and a jump a place to go to.
  const needsEnd = [...labels.values()].some((target) => target === instructions.length);
  if (instructions.length === 0 || needsEnd) instructions.push(makeInstruction('nop'));
  return { code: encodeProgram(instructions), program: instructions };
}

/** The condition that holds exactly when the other does not; undefined where numbers that are none make both false. */
function oppositeOf({ condition, type }: MachineInstruction): Condition | undefined {
  const pairs: readonly (readonly [Condition, Condition])[] = [
    ['nz', 'not'],
    ['eq', 'ne'],
    ...(type === 'f32' ? [] : ([['lt', 'ge']] as const)),
  ];
  for (const [a, b] of pairs) {
    if (condition === a) return b;
    if (condition === b) return a;
  }
  return undefined;
}

/** Drops jumps over nothing, and turns a jump over a jump around: copies that vanished leave them behind. */
function tidyJumps(code: readonly MachineInstruction[]): MachineInstruction[] {
  const result: MachineInstruction[] = [];
  /** Whether `label` stands before the next instruction. */
  const isNext = (from: number, label: number): boolean => {
    for (let at = from; at < code.length && code[at]!.op === 'label'; at++) if (code[at]!.label === label) return true;
    return false;
  };
  for (let at = 0; at < code.length; at++) {
    const instruction = code[at]!;
    if (instruction.op === 'branch') {
      if (isNext(at + 1, instruction.label)) continue;
      const after = code[at + 1];
      const opposite = oppositeOf(instruction);
      if (opposite && after?.op === 'branch' && after.condition === 'true' && isNext(at + 2, instruction.label)) {
        at++;
        if (!isNext(at + 1, after.label)) result.push({ ...instruction, condition: opposite, label: after.label });
        continue;
      }
    }
    result.push(instruction);
  }
  return result;
}
