// Ways through the node tree. Recursion here goes at most MAX_NESTING deep, which every maker of nodes keeps to.
import {
  type Block,
  type BodyNode,
  firstBlock,
  type IfNode,
  type Instruction,
  type IrFunction,
  type LoopNode,
  type PhiInstruction,
  type Shader,
  type Value,
} from './ir.ts';

/** The lists directly inside a node. */
export function childLists(node: IfNode | LoopNode): BodyNode[][] {
  if (node.kind === 'if') return [node.thenBody, node.elseBody];
  return node.continuing.length > 0 ? [node.body, node.continuing] : [node.body];
}

/** Visits every block in text order. */
export function forEachBlock(list: readonly BodyNode[], visit: (block: Block) => void): void {
  for (const node of list) {
    if (node.kind === 'block') visit(node);
    else for (const child of childLists(node)) forEachBlock(child, visit);
  }
}

/** All blocks in text order. */
export function collectBlocks(list: readonly BodyNode[]): Block[] {
  const blocks: Block[] = [];
  forEachBlock(list, (block) => blocks.push(block));
  return blocks;
}

export function forEachInstruction(list: readonly BodyNode[], visit: (instruction: Instruction, block: Block) => void) {
  forEachBlock(list, (block) => {
    for (const instruction of block.instructions) visit(instruction, block);
  });
}

/** Visits every if and loop, inner ones before outer ones. */
export function forEachNode(list: readonly BodyNode[], visit: (node: IfNode | LoopNode) => void): void {
  for (const node of list) {
    if (node.kind === 'block') continue;
    for (const child of childLists(node)) forEachNode(child, visit);
    visit(node);
  }
}

export function countInstructions(list: readonly BodyNode[]): number {
  let count = 0;
  forEachBlock(list, (block) => {
    count += block.instructions.length;
  });
  return count;
}

/** Numbers values and blocks anew without gaps, in text order, so that side tables stay small. */
export function renumber(shader: Shader): void {
  let values = 0;
  let blocks = 0;
  for (const fn of shader.functions) {
    forEachBlock(fn.body, (block) => {
      block.id = blocks++;
      for (const instruction of block.instructions) instruction.id = values++;
    });
  }
  shader.nextValueId = values;
  shader.nextBlockId = blocks;
}

/**
 * A table by value id. Made large enough at once (with room for values that a pass creates): arrays that grow by writing
 * far beyond their end become slow.
 */
export function valueTable<T>(shader: Shader, growth = 1): (T | undefined)[] {
  return new Array<T | undefined>(shader.nextValueId * growth + 64);
}

/** Appends one array to another; a spread into push() would put all elements on the stack. */
export function pushAll<T>(target: T[], more: readonly T[], from = 0): T[] {
  for (let i = from; i < more.length; i++) target.push(more[i]!);
  return target;
}

export function phisOf(block: Block): PhiInstruction[] {
  const phis: PhiInstruction[] = [];
  for (const instruction of block.instructions) {
    if (instruction.kind !== 'phi') break;
    phis.push(instruction);
  }
  return phis;
}

/** The jump at a block's end, if any. */
export function jumpOf(block: Block): Instruction | undefined {
  const last = block.instructions[block.instructions.length - 1];
  return last !== undefined && last.kind === 'jump' ? last : undefined;
}

interface LoopTargets {
  breaks: Block[];
  continues: Block[];
}

/** The predecessors of every block by its id, in text order (a loop's header: the block before the loop first). */
export function computePredecessors(shader: Shader, fn: IrFunction): Block[][] {
  const predecessors: Block[][] = new Array(shader.nextBlockId);

  /** Returns the blocks from which control leaves the list at its end: one or none. */
  function walk(list: readonly BodyNode[], entry: Block[], loop: LoopTargets | null): Block[] {
    let current = entry;
    for (const node of list) {
      if (node.kind === 'block') {
        predecessors[node.id] = current;
        const jump = jumpOf(node);
        current = jump ? [] : [node];
        if (jump?.op === 'break') loop?.breaks.push(node);
        else if (jump?.op === 'continue') loop?.continues.push(node);
      } else if (node.kind === 'if') {
        const then = walk(node.thenBody, current, loop);
        const otherwise = walk(node.elseBody, current, loop);
        current = [...then, ...otherwise];
      } else {
        const targets: LoopTargets = { breaks: [], continues: [] };
        const exit = walk(node.body, current, targets);
        let back = [...targets.continues, ...exit];
        if (node.continuing.length > 0) back = walk(node.continuing, back, null);
        predecessors[firstBlock(node.body).id] = [...current, ...back];
        current = targets.breaks;
      }
    }
    return current;
  }

  walk(fn.body, [], null);
  return predecessors;
}

/** What is to stand in the place of values. Its table is made when the first is named, as most passes find nothing to replace. */
export class Replacements {
  private readonly shader: Shader;
  private table: (Value | undefined)[] | null = null;

  constructor(shader: Shader) {
    this.shader = shader;
  }

  /** The replacement must be visible wherever the value was; it may be replaced itself. */
  set(value: Value, replacement: Value): void {
    this.table ??= valueTable(this.shader);
    this.table[value.id] = replacement;
  }

  /** What stands for a value in the end. */
  get(value: Value): Value {
    const { table } = this;
    if (table === null) return value;
    let result = value;
    for (let next = table[result.id]; next !== undefined; next = table[result.id]) result = next;
    return result;
  }

  /** Replaces sources (also of ifs). */
  applyTo(list: readonly BodyNode[]): void {
    if (this.table === null) return;
    for (const node of list) {
      if (node.kind === 'block') this.applyToBlock(node);
      else {
        if (node.kind === 'if') node.condition = this.get(node.condition);
        for (const child of childLists(node)) this.applyTo(child);
      }
    }
  }

  private applyToBlock(block: Block): void {
    const { instructions } = block;
    for (let i = 0; i < instructions.length; i++) {
      const { sources } = instructions[i]!;
      for (let k = 0; k < sources.length; k++) sources[k] = this.get(sources[k]!);
    }
  }
}
