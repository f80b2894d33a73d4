// Finds if, else and loop in a program of jumps. What is not so built is run as a state machine over its blocks (see
// `translate.ts`), so that any program that decodes also runs.

import type { Instruction } from '../../isa/instruction.ts';

/** A piece of program. Ranges are [from, to) in instruction numbers. */
export type Region =
  | { readonly kind: 'code'; readonly from: number; readonly to: number }
  /** The jump at `at` skips `skipped` when its condition holds; `otherwise` runs then. */
  | {
      readonly kind: 'if';
      readonly at: number;
      readonly skipped: readonly Region[];
      readonly otherwise: readonly Region[];
    }
  | { readonly kind: 'loop'; readonly body: readonly Region[] }
  /** An unconditional (`at` null) or conditional jump out of the innermost loop, or to its start, or to the program's end. */
  | { readonly kind: 'break' | 'continue' | 'return'; readonly at: number | null };

/** Deeper nesting is run as a state machine. */
const MAX_DEPTH = 60;

class NotStructured extends Error {}

interface Loop {
  readonly head: number;
  readonly exit: number;
}

export function isJump(instruction: Instruction): boolean {
  return instruction.target !== null && instruction.op !== 'call';
}

/** A jump that is always taken. */
export function isAlways(instruction: Instruction): boolean {
  return instruction.condition === 'true';
}

class Structurer {
  private readonly program: readonly Instruction[];
  private readonly end: number;
  /** By loop head: the last jump back to it. */
  private readonly lastBackJump = new Map<number, number>();

  constructor(program: readonly Instruction[], from: number, end: number) {
    this.program = program;
    this.end = end;
    for (let at = from; at < end; at++) {
      const instruction = program[at]!;
      if (isJump(instruction) && instruction.target! <= at) this.lastBackJump.set(instruction.target!, at);
    }
  }

  /** Regions of [from, to). */
  parse(from: number, to: number, loop: Loop | null, depth: number): Region[] {
    if (depth > MAX_DEPTH) throw new NotStructured();
    const regions: Region[] = [];
    let start = from;
    let at = from;
    const flush = () => {
      if (at > start) regions.push({ kind: 'code', from: start, to: at });
    };
    while (at < to) {
      const back = this.lastBackJump.get(at);
      if (back !== undefined && !(loop !== null && loop.head === at)) {
        if (back >= to) throw new NotStructured();
        flush();
        regions.push({ kind: 'loop', body: this.parse(at, back + 1, { head: at, exit: back + 1 }, depth + 1) });
        at = start = back + 1;
        continue;
      }
      if (!isJump(this.program[at]!)) {
        at++;
        continue;
      }
      flush();
      at = start = this.parseJump(at, to, loop, depth, regions);
    }
    flush();
    // Falling off the end of a loop's body leaves it: only its jumps go back.
    if (loop !== null && to === loop.exit) regions.push({ kind: 'break', at: null });
    return regions;
  }

  private parseJump(at: number, to: number, loop: Loop | null, depth: number, regions: Region[]): number {
    const instruction = this.program[at]!;
    const target = instruction.target!;
    const condition = isAlways(instruction) ? null : at;
    const leave = this.leaveKind(target, loop);
    // A jump to the next instruction, whatever its condition, does nothing.
    if (target === at + 1 && leave !== 'continue') return at + 1;
    if (leave !== null) {
      regions.push({ kind: leave, at: condition });
      // Nothing before the next jump target can be reached behind an unconditional jump; it is parsed all the same.
      return at + 1;
    }
    if (condition === null || target <= at || target > to) throw new NotStructured();
    const last = this.program[target - 1]!;
    const isElse =
      target - 1 > at &&
      isJump(last) &&
      isAlways(last) &&
      last.target! > target - 1 &&
      this.leaveKind(last.target!, loop) === null;
    if (!isElse || last.target === target) {
      regions.push({ kind: 'if', at, skipped: this.parse(at + 1, target, loop, depth + 1), otherwise: [] });
      return target;
    }
    if (last.target! > to) throw new NotStructured();
    regions.push({
      kind: 'if',
      at,
      skipped: this.parse(at + 1, target - 1, loop, depth + 1),
      otherwise: this.parse(target, last.target!, loop, depth + 1),
    });
    return last.target!;
  }

  private leaveKind(target: number, loop: Loop | null): 'break' | 'continue' | 'return' | null {
    if (loop !== null && target === loop.exit) return 'break';
    if (loop !== null && target === loop.head) return 'continue';
    return target === this.end ? 'return' : null;
  }
}

/** The structure of `program[from…end)`, or null where its jumps are not built of if, else and loop. */
export function structureProgram(program: readonly Instruction[], from: number, end: number): Region[] | null {
  try {
    return new Structurer(program, from, end).parse(from, end, null, 0);
  } catch (error) {
    if (error instanceof NotStructured) return null;
    throw error;
  }
}

/** Where basic blocks start, in order; the first is `from`. */
export function blockStarts(program: readonly Instruction[], from: number, end: number): number[] {
  const starts = new Set([from]);
  for (let at = from; at < end; at++) {
    const instruction = program[at]!;
    if (!isJump(instruction)) continue;
    if (instruction.target! >= from && instruction.target! < end) starts.add(instruction.target!);
    if (at + 1 < end) starts.add(at + 1);
  }
  return [...starts].sort((a, b) => a - b);
}
