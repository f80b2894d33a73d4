// Which components of virtual registers are live where, which writes are useless, and which components interfere.

import { isCopy, type MachineInstruction, type MachineProgram, type Operand } from './machine.ts';

/** A component of a virtual register as one number. */
export function nodeOf(register: number, component: number): number {
  return register * 4 + component;
}

interface BasicBlock {
  readonly from: number;
  readonly to: number;
  readonly successors: number[];
  liveIn: Set<number>;
}

export interface Interference {
  /** By node: the nodes it may not share a place with. */
  readonly neighbours: (Set<number> | undefined)[];
}

function usedNodes({ sources }: MachineInstruction, visit: (node: number) => void): void {
  for (const source of sources) {
    if (source?.file !== 'virtual') continue;
    for (const component of source.components) visit(nodeOf(source.index, component));
  }
}

function writtenNodes({ dst }: MachineInstruction, visit: (node: number) => void): void {
  if (dst?.file !== 'virtual') return;
  for (const component of dst.components) visit(nodeOf(dst.index, component));
}

function isJump({ op }: MachineInstruction): boolean {
  return op === 'branch';
}

function buildBlocks(code: readonly MachineInstruction[]): BasicBlock[] {
  const starts = [0];
  const blockOfLabel = new Map<number, number>();
  code.forEach((instruction, at) => {
    if (instruction.op === 'label' && starts[starts.length - 1] !== at) starts.push(at);
    if (isJump(instruction) && at + 1 < code.length) starts.push(at + 1);
  });
  starts.forEach((from, index) => {
    // Several labels in a row begin a block each, but the last of them only if something stands between.
    for (let at = from; at < code.length && code[at]!.op === 'label'; at++) blockOfLabel.set(code[at]!.label, index);
  });
  return starts.map((from, index) => {
    const to = starts[index + 1] ?? code.length;
    const last = code[to - 1];
    const successors: number[] = [];
    if (last && isJump(last)) {
      const target = blockOfLabel.get(last.label);
      if (target === undefined) throw new Error(`label ${last.label} is missing`);
      successors.push(target);
    }
    const falls = !(last && isJump(last) && last.condition === 'true');
    if (falls && index + 1 < starts.length) successors.push(index + 1);
    return { from, to, successors, liveIn: new Set<number>() };
  });
}

function liveOut(program: MachineProgram, blocks: readonly BasicBlock[], index: number): Set<number> {
  const live = new Set<number>();
  for (const successor of blocks[index]!.successors) for (const node of blocks[successor]!.liveIn) live.add(node);
  if (blocks[index]!.to === program.code.length) {
    for (const register of program.liveAtEnd) {
      for (let c = 0; c < program.registers[register]!.components; c++) live.add(nodeOf(register, c));
    }
  }
  return live;
}

function solve(program: MachineProgram): BasicBlock[] {
  const blocks = buildBlocks(program.code);
  for (let changed = true; changed; ) {
    changed = false;
    for (let index = blocks.length - 1; index >= 0; index--) {
      const block = blocks[index]!;
      const live = liveOut(program, blocks, index);
      for (let at = block.to - 1; at >= block.from; at--) {
        const instruction = program.code[at]!;
        writtenNodes(instruction, (node) => live.delete(node));
        usedNodes(instruction, (node) => live.add(node));
      }
      if (live.size !== block.liveIn.size) {
        block.liveIn = live;
        changed = true;
      }
    }
  }
  return blocks;
}

/** The operand of an instruction that now writes fewer components. */
function keepComponents(source: Operand | null, kept: readonly number[]): Operand | null {
  if (source === null || !source.each) return source;
  return { ...source, components: kept.map((index) => source.components[index]!) };
}

function withComponents(instruction: MachineInstruction, kept: readonly number[]): MachineInstruction {
  const { dst, texture, sources } = instruction;
  return {
    ...instruction,
    dst: { ...dst!, components: kept.map((index) => dst!.components[index]!) },
    texture: texture && { ...texture, components: kept.map((index) => texture.components[index]!) },
    sources: [keepComponents(sources[0], kept), keepComponents(sources[1], kept), keepComponents(sources[2], kept)],
  };
}

/** Removes writes that nobody reads, whole or by component. */
export function removeDeadWrites(program: MachineProgram): void {
  for (let again = true; again; ) {
    again = false;
    const blocks = solve(program);
    const result: MachineInstruction[] = new Array(program.code.length);
    for (let index = 0; index < blocks.length; index++) {
      const block = blocks[index]!;
      const live = liveOut(program, blocks, index);
      for (let at = block.to - 1; at >= block.from; at--) {
        let instruction: MachineInstruction | null = program.code[at]!;
        const { dst } = instruction;
        if (dst?.file === 'virtual') {
          const kept = dst.components.map((_, i) => i).filter((i) => live.has(nodeOf(dst.index, dst.components[i]!)));
          if (kept.length === 0) instruction = null;
          else if (kept.length < dst.components.length && !instruction.keepsComponents) {
            instruction = withComponents(instruction, kept);
            again = true;
          }
        }
        if (instruction === null) {
          again = true;
          continue;
        }
        writtenNodes(instruction, (node) => live.delete(node));
        usedNodes(instruction, (node) => live.add(node));
        result[at] = instruction;
      }
    }
    program.code = result.filter((instruction) => instruction !== undefined);
  }
}

export function buildInterference(program: MachineProgram): Interference {
  const neighbours: (Set<number> | undefined)[] = new Array(program.registers.length * 4);
  const add = (a: number, b: number) => {
    (neighbours[a] ??= new Set()).add(b);
    (neighbours[b] ??= new Set()).add(a);
  };
  const blocks = solve(program);
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!;
    const live = liveOut(program, blocks, index);
    for (let at = block.to - 1; at >= block.from; at--) {
      const instruction = program.code[at]!;
      const { dst } = instruction;
      if (dst?.file === 'virtual') {
        const copied = isCopy(instruction) ? instruction.sources[2]! : null;
        dst.components.forEach((component, i) => {
          const node = nodeOf(dst.index, component);
          // A copy holds the same value as its source: both may stand in one place.
          const same = copied ? nodeOf(copied.index, copied.components[i]!) : -1;
          for (const other of live) if (other !== node && other !== same) add(node, other);
        });
      }
      writtenNodes(instruction, (node) => live.delete(node));
      usedNodes(instruction, (node) => live.add(node));
    }
  }
  return { neighbours };
}
