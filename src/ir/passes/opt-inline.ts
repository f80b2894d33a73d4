// Puts the body of every called function in the place of the call, so that `main` remains. Needs lower-returns before.
// Growth is bounded: nested calls can multiply, and a shader that would grow too far is refused as too complex.

import { TooComplexError } from '../../base/too-complex.ts';
import { type Builder, createBuilder } from '../builder.ts';
import {
  type Block,
  type BodyNode,
  type CallInfo,
  createBlock,
  createVariable,
  type Instruction,
  type IrFunction,
  type IrType,
  MAX_EXPANSION,
  MAX_NESTING,
  type Shader,
  type Variable,
} from '../ir.ts';
import { childLists, countInstructions, forEachInstruction, pushAll } from '../walk.ts';
import { cloneList, createCloneMaps, renameVariables } from './clone.ts';

/** Locals of a function called in a loop start as zero each time; larger ones are left alone, as GLSL does not define them. */
const MAX_RESET_LEAVES = 16;

interface Inlined {
  size: number;
  depth: number;
}

export function optInline(shader: Shader): boolean {
  if (shader.functions.length === 1) return false;
  const inliner = new Inliner(shader);
  for (const fn of inliner.calleesFirst()) inliner.inlineCallsOf(fn);
  shader.functions = [shader.main];
  return true;
}

class Inliner {
  readonly shader: Shader;
  readonly builder: Builder;
  readonly done = new Map<IrFunction, Inlined>();
  /** How many calls of each function stand in the text. */
  readonly calls = new Map<IrFunction, number>();

  constructor(shader: Shader) {
    this.shader = shader;
    this.builder = createBuilder(shader);
  }

  /** The functions that main reaches, each behind all that it calls. */
  calleesFirst(): IrFunction[] {
    const order: IrFunction[] = [];
    const state = new Map<IrFunction, 'open' | 'done'>();
    const stack: IrFunction[] = [this.shader.main];
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
        this.calls.set(callee, (this.calls.get(callee) ?? 0) + 1);
        if (state.get(callee) === undefined) stack.push(callee);
      });
    }
    return order;
  }

  inlineCallsOf(fn: IrFunction): void {
    const depth = this.inlineList(fn, fn.body, 0, false);
    this.done.set(fn, { size: countInstructions(fn.body), depth });
  }

  /** Inlines the calls of a list in place; the result is how deep it nests below `depth`. */
  inlineList(fn: IrFunction, list: BodyNode[], depth: number, isLooped: boolean): number {
    let deepest = 0;
    const result: BodyNode[] = [];
    for (const node of list) {
      if (node.kind === 'block') deepest = Math.max(deepest, this.inlineBlock(fn, node, result, depth, isLooped));
      else {
        for (const child of childLists(node)) {
          const below = this.inlineList(fn, child, depth + 1, isLooped || node.kind === 'loop');
          deepest = Math.max(deepest, 1 + below);
        }
        result.push(node);
      }
    }
    list.length = 0;
    pushAll(list, result);
    return deepest;
  }

  inlineBlock(fn: IrFunction, block: Block, result: BodyNode[], depth: number, isLooped: boolean): number {
    let deepest = 0;
    if (!block.instructions.some((instruction) => instruction.kind === 'call')) {
      result.push(block);
      return 0;
    }
    const { instructions } = block;
    let head = createBlock(this.shader);
    for (const instruction of instructions) {
      if (instruction.kind !== 'call') {
        head.instructions.push(instruction);
        continue;
      }
      const { callee } = instruction.info;
      const inlined = this.done.get(callee);
      if (inlined === undefined) throw new Error(`${callee.name} calls itself`);
      if (depth + inlined.depth > MAX_NESTING) throw tooLarge(callee);
      deepest = Math.max(deepest, inlined.depth);
      const known = fn.locals.length;
      const body = this.calls.get(callee) === 1 ? moveBody(fn, instruction.info) : this.copyBody(fn, instruction.info);
      if (isLooped) {
        this.builder.setBlock(head);
        for (let i = known; i < fn.locals.length; i++) resetVariable(this.builder, fn.locals[i]!);
      }
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

  copyBody(fn: IrFunction, { callee, arguments: args }: CallInfo): BodyNode[] {
    if (this.shader.nextValueId + this.done.get(callee)!.size > MAX_EXPANSION) throw tooLarge(callee);
    const maps = createCloneMaps();
    mapParameters(callee, args, maps.variables);
    for (const local of callee.locals) {
      const copy = createVariable(local.name, local.type, 'temporary', local.precision);
      fn.locals.push(copy);
      maps.variables.set(local, copy);
    }
    return cloneList(this.shader, callee.body, maps);
  }
}

/** The body itself, of a function that nobody else calls. */
function moveBody(fn: IrFunction, { callee, arguments: args }: CallInfo): BodyNode[] {
  pushAll(fn.locals, callee.locals);
  if (args.length === 0) return callee.body;
  const variables = new Map<Variable, Variable>();
  mapParameters(callee, args, variables);
  forEachInstruction(callee.body, (instruction) => {
    (instruction as { info: Instruction['info'] }).info = renameVariables(instruction, variables);
  });
  return callee.body;
}

function mapParameters(callee: IrFunction, args: readonly Variable[], variables: Map<Variable, Variable>): void {
  callee.parameters.forEach((parameter, i) => void variables.set(parameter, args[i]!));
}

function tooLarge(callee: IrFunction): TooComplexError {
  return new TooComplexError(`calls of ${callee.name} make the shader too large`);
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
