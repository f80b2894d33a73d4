// Puts the body of every called function in the place of the call, so that `main` remains. Needs lower-returns before.
// Growth is bounded: nested calls can multiply, and a shader that would grow too far is refused as too complex.

import { TooComplexError } from '../../base/too-complex.ts';
import { type Builder, createBuilder } from '../builder.ts';
import {
  type Block,
  type BodyNode,
  createBlock,
  createVariable,
  type IrFunction,
  type IrType,
  MAX_EXPANSION,
  MAX_NESTING,
  type Shader,
  type Variable,
} from '../ir.ts';
import { childLists, countInstructions, forEachInstruction, pushAll } from '../walk.ts';
import { cloneList, createCloneMaps } from './clone.ts';

/** Locals of a called function start as zero; larger ones are left alone, as GLSL does not define them. */
const MAX_RESET_LEAVES = 16;

interface Inlined {
  size: number;
  depth: number;
}

export function optInline(shader: Shader): boolean {
  if (shader.functions.length === 1) return false;
  const done = new Map<IrFunction, Inlined>();
  for (const fn of calleesFirst(shader)) {
    const depth = inlineList(shader, fn, fn.body, done, 0);
    done.set(fn, { size: countInstructions(fn.body), depth });
  }
  shader.functions = [shader.main];
  return true;
}

/** The functions that main reaches, each behind all that it calls. */
function calleesFirst(shader: Shader): IrFunction[] {
  const order: IrFunction[] = [];
  const state = new Map<IrFunction, 'open' | 'done'>();
  const stack: IrFunction[] = [shader.main];
  while (stack.length > 0) {
    const fn = stack[stack.length - 1]!;
    if (state.get(fn) !== undefined) {
      stack.pop();
      if (state.get(fn) === 'open') order.push(fn);
      state.set(fn, 'done');
      continue;
    }
    state.set(fn, 'open');
    forEachInstruction(fn.body, (instruction) => {
      if (instruction.kind !== 'call') return;
      const { callee } = instruction.info;
      if (state.get(callee) === undefined) stack.push(callee);
    });
  }
  return order;
}

/** Inlines the calls of a list in place; the result is how deep it nests below `depth`. */
function inlineList(
  shader: Shader,
  fn: IrFunction,
  list: BodyNode[],
  done: ReadonlyMap<IrFunction, Inlined>,
  depth: number,
): number {
  let deepest = 0;
  const result: BodyNode[] = [];
  for (const node of list) {
    if (node.kind === 'block') deepest = Math.max(deepest, inlineBlock(shader, fn, node, result, done, depth));
    else {
      for (const child of childLists(node)) {
        deepest = Math.max(deepest, 1 + inlineList(shader, fn, child, done, depth + 1));
      }
      result.push(node);
    }
  }
  list.length = 0;
  pushAll(list, result);
  return deepest;
}

function inlineBlock(
  shader: Shader,
  fn: IrFunction,
  block: Block,
  result: BodyNode[],
  done: ReadonlyMap<IrFunction, Inlined>,
  depth: number,
): number {
  let deepest = 0;
  if (!block.instructions.some((instruction) => instruction.kind === 'call')) {
    result.push(block);
    return 0;
  }
  const builder = createBuilder(shader, fn);
  const { instructions } = block;
  let head = createBlock(shader);
  for (const instruction of instructions) {
    if (instruction.kind !== 'call') {
      head.instructions.push(instruction);
      continue;
    }
    const { callee, arguments: args } = instruction.info;
    const inlined = done.get(callee);
    if (inlined === undefined) throw new Error(`${callee.name} calls itself`);
    if (shader.nextValueId + inlined.size > MAX_EXPANSION || depth + inlined.depth > MAX_NESTING) {
      throw new TooComplexError(`calls of ${callee.name} make the shader too large`);
    }
    deepest = Math.max(deepest, inlined.depth);
    const maps = createCloneMaps();
    callee.parameters.forEach((parameter, i) => void maps.variables.set(parameter, args[i]!));
    for (const local of callee.locals) {
      const copy = createVariable(local.name, local.type, 'temporary', local.precision);
      fn.locals.push(copy);
      maps.variables.set(local, copy);
      builder.setBlock(head);
      resetVariable(builder, copy);
    }
    const body = cloneList(shader, callee.body, maps);
    const first = body[0] as Block;
    pushAll(head.instructions, first.instructions);
    body[0] = head;
    pushAll(result, body);
    head = result.pop() as Block;
  }
  // The block keeps its identity at the end, where phis may name it.
  block.instructions = head.instructions;
  result.push(block);
  return deepest;
}

/** Stores zero (undef) to a variable of few parts; this also ends its life before, which saves loop phis. */
function resetVariable(builder: Builder, variable: Variable): void {
  const leaves: { path: number[]; components: number; isBool: boolean }[] = [];
  const visit = (type: IrType, path: number[]): void => {
    if (leaves.length > MAX_RESET_LEAVES) return;
    if (type.kind === 'vector') leaves.push({ path, components: type.components, isBool: type.base === 'bool' });
    else if (type.kind === 'struct') type.members.forEach((member, i) => void visit(member.type, [...path, i]));
    else if (type.kind === 'matrix') {
      for (let i = 0; i < type.columns; i++) leaves.push({ path: [...path, i], components: type.rows, isBool: false });
    } else for (let i = 0; i < type.length && leaves.length <= MAX_RESET_LEAVES; i++) visit(type.element, [...path, i]);
  };
  visit(variable.type, []);
  if (leaves.length > MAX_RESET_LEAVES) return;
  for (const { path, components, isBool } of leaves) {
    builder.storeVar(variable, path, builder.undef(components, isBool ? 1 : 32));
  }
}
