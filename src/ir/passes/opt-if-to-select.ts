// Flattens ifs whose sides are cheap: both sides are computed, and phis become selects. Lanes of a quad seldom agree, and
// a branch costs mask handling and a phi per value, so a few instructions more are the better bargain.
// An if that only discards becomes a discard with a condition.
import { type Builder, createBuilder } from '../builder.ts';
import {
  type Block,
  type BodyNode,
  firstBlock,
  type IfNode,
  type Instruction,
  type Shader,
  type Value,
} from '../ir.ts';
import { childLists, phisOf, pushAll, Replacements } from '../walk.ts';
import { isEmptyList } from './splice.ts';

/** Instructions by weight that may be computed in vain. */
const BUDGET = 12;

const EXPENSIVE: Readonly<Record<string, number>> = {
  fdiv: 4,
  frcp: 4,
  fsqrt: 6,
  frsq: 8,
  idiv: 10,
  udiv: 10,
  irem: 10,
  umod: 10,
  fexp2: 12,
  flog2: 14,
  fpow: 24,
  fsin: 12,
  fcos: 12,
  ftan: 24,
  fasin: 16,
  facos: 16,
  fatan: 16,
  fatan2: 16,
  packHalf2x16: 16,
  unpackHalf2x16: 12,
};

/** Rough cost of an instruction, or Infinity if it must not be computed in vain. */
function speculationCost(instruction: Instruction): number {
  switch (instruction.kind) {
    case 'const':
    case 'undef':
      return 0;
    case 'alu': {
      const { op, components } = instruction;
      if (op === 'mov' || op === 'vec' || op === 'swizzle') return 0;
      if (op === 'fddx' || op === 'fddy') return Number.POSITIVE_INFINITY;
      const width = instruction.sources[0]!.components;
      return (EXPENSIVE[op] ?? 1) * Math.max(components, width);
    }
    case 'intrinsic':
      if (instruction.op === 'loadInput' || instruction.op === 'sysval') return 1;
      if (instruction.op === 'loadUniform' && instruction.sources.length === 0) return 1;
      if (instruction.op === 'loadUbo' && instruction.sources.length === 0) return 1;
      return Number.POSITIVE_INFINITY;
    default:
      return Number.POSITIVE_INFINITY;
  }
}

function listCost(list: readonly BodyNode[]): number {
  if (list.length > 1) return Number.POSITIVE_INFINITY;
  let cost = 0;
  for (const instruction of firstBlock(list).instructions) cost += speculationCost(instruction);
  return cost;
}

export function optIfToSelect(shader: Shader): boolean {
  const replacements = new Replacements(shader);
  const builder = createBuilder(shader);
  let progress = false;

  const walk = (list: BodyNode[]): void => {
    let end = 1;
    for (let i = 1; i < list.length; i += 2) {
      const node = list[i]!;
      const before = list[end - 1] as Block;
      const after = list[i + 1] as Block;
      if (node.kind !== 'block') for (const child of childLists(node)) walk(child);
      if (node.kind === 'if' && (flatten(before, node, after) || flattenDiscard(before, node, after))) {
        // The block behind takes over what stands before, and keeps its identity for the phis behind it.
        list[end - 1] = after;
        progress = true;
      } else {
        list[end++] = node;
        list[end++] = after;
      }
    }
    list.length = end;
  };

  /** Replaces the phis at the head of `after` and puts its other instructions behind those of `before`. */
  function join(before: Block, after: Block, phiCount: number): void {
    after.instructions = pushAll(before.instructions, after.instructions, phiCount);
  }

  function flatten(before: Block, node: IfNode, after: Block): boolean {
    const phis = phisOf(after);
    if (!(isEmptyList(node.thenBody) && isEmptyList(node.elseBody))) {
      const cost = listCost(node.thenBody) + listCost(node.elseBody);
      if (!(cost <= BUDGET)) return false;
    }
    const thenBlock = firstBlock(node.thenBody);
    const elseBlock = firstBlock(node.elseBody);
    pushAll(before.instructions, thenBlock.instructions);
    pushAll(before.instructions, elseBlock.instructions);
    builder.setBlock(before);
    for (const phi of phis) {
      const a = phi.sources[phi.info.indexOf(thenBlock)]!;
      const b = phi.sources[phi.info.indexOf(elseBlock)]!;
      replacements.set(phi, selectValue(builder, node.condition, a, b));
    }
    join(before, after, phis.length);
    return true;
  }

  function flattenDiscard(before: Block, node: IfNode, after: Block): boolean {
    const isThen = isOnlyDiscard(node.thenBody) && isEmptyList(node.elseBody);
    if (!isThen && !(isOnlyDiscard(node.elseBody) && isEmptyList(node.thenBody))) return false;
    if (phisOf(after).length > 0) return false;
    const side = firstBlock(isThen ? node.thenBody : node.elseBody).instructions;
    const discard = side.pop()!;
    pushAll(before.instructions, side);
    builder.setBlock(before);
    let condition = isThen ? node.condition : builder.lnot(node.condition);
    if (discard.sources[0]) condition = builder.land(condition, discard.sources[0]);
    builder.discard(condition);
    join(before, after, 0);
    return true;
  }

  walk(shader.main.body);
  replacements.applyTo(shader.main.body);
  return progress;
}

function selectValue(builder: Builder, condition: Value, a: Value, b: Value): Value {
  return a === b ? a : builder.select(builder.splat(condition, a.components), a, b);
}

/** Cheap instructions, then a discard. */
function isOnlyDiscard(list: readonly BodyNode[]): boolean {
  if (list.length > 1) return false;
  const { instructions } = firstBlock(list);
  const last = instructions[instructions.length - 1];
  if (last?.kind !== 'intrinsic' || last.op !== 'discard') return false;
  let cost = 0;
  for (let i = 0; i < instructions.length - 1; i++) cost += speculationCost(instructions[i]!);
  return cost <= BUDGET;
}
