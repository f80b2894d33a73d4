// Removes what nobody can see: values without readers, stores to variables and arrays that are never loaded, ifs and
// loops without any effect (an endless loop without effect too: GLSL gives it no meaning), unused locals.
//
// Everything counts as dead until it is reached from a root: an output, a discard. What lies in an if or a loop makes
// that node live; a live if needs its condition, a live loop needs its breaks.
import type { Block, BodyNode, IfNode, Instruction, LoopNode, Shader, Variable } from '../ir.ts';
import { childLists, jumpOf, pushAll, valueTable } from '../walk.ts';
import { isVariableAccess } from './split-variables.ts';

interface NodeState {
  node: IfNode | LoopNode;
  parent: NodeState | null;
  isLive: boolean;
  /** Of loops: the innermost nodes around each break. */
  breaks: (NodeState | null)[];
}

export function optDeadCode(shader: Shader): boolean {
  return new DeadCode(shader).run();
}

class DeadCode {
  readonly shader: Shader;
  readonly live: Uint8Array;
  readonly owner: (NodeState | null | undefined)[];
  /** The node before the block of a phi, or the loop whose header it is in. */
  readonly phiNode = new Map<Instruction, NodeState | undefined>();
  readonly states = new Map<BodyNode, NodeState>();
  readonly stores = new Map<Variable | number, Instruction[]>();
  readonly loaded = new Set<Variable | number>();
  readonly roots: Instruction[] = [];
  readonly work: Instruction[] = [];
  progress = false;

  constructor(shader: Shader) {
    this.shader = shader;
    this.live = new Uint8Array(shader.nextValueId);
    this.owner = valueTable(shader);
  }

  run(): boolean {
    const { main } = this.shader;
    this.collect(main.body, null, null, null);
    for (const root of this.roots) this.mark(root);
    for (let next = this.work.pop(); next !== undefined; next = this.work.pop()) this.visit(next);
    this.sweep(main.body);
    this.dropVariables();
    return this.progress;
  }

  // ----------------------------------------------------------------------------------------------------- collection

  collect(list: readonly BodyNode[], owner: NodeState | null, loop: NodeState | null, header: NodeState | null): void {
    let before: NodeState | undefined = header ?? undefined;
    for (const node of list) {
      if (node.kind === 'block') {
        for (const instruction of node.instructions) this.collectInstruction(instruction, owner, before);
        if (loop && jumpOf(node)) loop.breaks.push(owner);
        continue;
      }
      const state: NodeState = { node, parent: owner, isLive: false, breaks: [] };
      this.states.set(node, state);
      before = state;
      if (node.kind === 'loop') this.collect(node.body, state, state, state);
      else for (const child of childLists(node)) this.collect(child, state, loop, null);
    }
  }

  collectInstruction(instruction: Instruction, owner: NodeState | null, before: NodeState | undefined): void {
    this.owner[instruction.id] = owner;
    if (instruction.kind === 'phi') this.phiNode.set(instruction, before);
    if (instruction.components > 0 || instruction.kind === 'jump') return;
    const target = storedTarget(instruction);
    if (target === undefined) this.roots.push(instruction);
    else {
      const known = this.stores.get(target);
      if (known) known.push(instruction);
      else this.stores.set(target, [instruction]);
    }
  }

  // -------------------------------------------------------------------------------------------------------- marking

  mark(instruction: Instruction): void {
    if (this.live[instruction.id] === 1) return;
    this.live[instruction.id] = 1;
    this.work.push(instruction);
  }

  visit(instruction: Instruction): void {
    for (const source of instruction.sources) this.mark(source);
    this.markNode(this.owner[instruction.id] ?? null);
    if (instruction.kind === 'phi') this.markNode(this.phiNode.get(instruction) ?? null);
    if (instruction.kind !== 'intrinsic') return;
    if (instruction.op === 'loadVar') this.markLoaded(instruction.info.variable);
    else if (instruction.op === 'copyVar') this.markLoaded(instruction.info.source);
    else if (instruction.op === 'loadLocal') this.markLoaded(instruction.info.array);
  }

  markLoaded(target: Variable | number): void {
    if (this.loaded.has(target)) return;
    this.loaded.add(target);
    for (const store of this.stores.get(target) ?? []) this.mark(store);
  }

  markNode(state: NodeState | null): void {
    if (state === null || state.isLive) return;
    const open: (NodeState | null)[] = [state];
    while (open.length > 0) {
      const next = open.pop() ?? null;
      if (next === null || next.isLive) continue;
      next.isLive = true;
      open.push(next.parent, ...next.breaks);
      if (next.node.kind === 'if') this.mark(next.node.condition);
    }
  }

  // --------------------------------------------------------------------------------------------------------- sweep

  sweep(list: BodyNode[]): void {
    let end = 0;
    for (let i = 0; i < list.length; i++) {
      const node = list[i]!;
      if (node.kind === 'block') {
        this.sweepBlock(node);
        if (end % 2 === 1) {
          // The node between was dropped: this block takes over what stood before it.
          const before = list[end - 1] as Block;
          node.instructions = pushAll(before.instructions, node.instructions);
          list[end - 1] = node;
        } else list[end++] = node;
      } else if (this.states.get(node)!.isLive) {
        for (const child of childLists(node)) this.sweep(child);
        list[end++] = node;
      } else this.progress = true;
    }
    list.length = end;
  }

  sweepBlock(block: Block): void {
    const { instructions } = block;
    let end = 0;
    for (let i = 0; i < instructions.length; i++) {
      const instruction = instructions[i]!;
      if (this.live[instruction.id] === 1 || instruction.kind === 'jump') instructions[end++] = instruction;
    }
    if (end === instructions.length) return;
    instructions.length = end;
    this.progress = true;
  }

  dropVariables(): void {
    const { main, locals } = this.shader;
    main.locals = main.locals.filter((variable) => this.loaded.has(variable));
    this.shader.globals = this.shader.globals.filter((variable) => this.loaded.has(variable));
    if (locals.every((_, i) => this.loaded.has(i))) return;
    const numbers: number[] = [];
    this.shader.locals = locals.filter((_, i) => {
      if (!this.loaded.has(i)) return false;
      numbers[i] = numbers.filter((n) => n !== undefined).length;
      return true;
    });
    const renumber = (list: readonly BodyNode[]): void => {
      for (const node of list) {
        if (node.kind !== 'block') for (const child of childLists(node)) renumber(child);
        else {
          for (const i of node.instructions) {
            if (i.kind !== 'intrinsic') continue;
            if (i.op === 'loadLocal') i.info = { array: numbers[i.info.array]! };
            if (i.op === 'storeLocal') i.info = { ...i.info, array: numbers[i.info.array]! };
          }
        }
      }
    };
    renumber(main.body);
  }
}

/** The variable or local array that an instruction stores to. */
function storedTarget(instruction: Instruction): Variable | number | undefined {
  if (instruction.kind !== 'intrinsic') return undefined;
  if (isVariableAccess(instruction)) return instruction.info.variable;
  return instruction.op === 'storeLocal' ? instruction.info.array : undefined;
}
