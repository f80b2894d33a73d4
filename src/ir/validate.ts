// Checks a shader against each sentence of the contract in ir.ts. Every pass must leave a valid shader behind.
import {
  type Block,
  type BodyNode,
  endsWithJump,
  type Instruction,
  type IrFunction,
  MAX_NESTING,
  type Shader,
  type Value,
} from './ir.ts';
import { printShader } from './print.ts';
import { InstructionChecker } from './validate-instruction.ts';
import { collectBlocks, computePredecessors } from './walk.ts';

/** The breaches of contract, at most 20. `lowered` also demands the lowered form. */
export function validateShader(shader: Shader, options: { lowered?: boolean } = {}): string[] {
  return new Validator(shader, options.lowered ?? false).validate();
}

/** Throws with all breaches and the shader's text. */
export function assertValid(shader: Shader, options: { lowered?: boolean; after?: string } = {}): void {
  const errors = validateShader(shader, options);
  if (errors.length === 0) return;
  const after = options.after ? ` after ${options.after}` : '';
  throw new Error(`invalid shader${after}:\n  ${errors.join('\n  ')}\n${printShader(shader)}`);
}

class Validator {
  readonly shader: Shader;
  readonly lowered: boolean;
  readonly errors: string[] = [];
  readonly valueIds = new Set<number>();
  readonly blockIds = new Set<number>();
  readonly visible = new Set<Value>();
  readonly checker: InstructionChecker;
  predecessors: Block[][] = [];
  fn: IrFunction;
  block: Block | null = null;

  constructor(shader: Shader, lowered: boolean) {
    this.shader = shader;
    this.lowered = lowered;
    this.fn = shader.main;
    this.checker = new InstructionChecker(shader, lowered, (message, instruction) => this.fail(message, instruction));
  }

  fail(message: string, instruction?: Instruction): void {
    if (this.errors.length >= 20) return;
    const where = `${this.fn.name}${this.block ? ` block ${this.block.id}` : ''}`;
    this.errors.push(`${where}: ${instruction ? `${instruction.op} (id ${instruction.id}): ` : ''}${message}`);
  }

  validate(): string[] {
    const { shader } = this;
    if (!shader.functions.includes(shader.main)) this.fail('main is not among the functions');
    if (shader.main.parameters.length > 0) this.fail('main has parameters');
    this.checkRecursion();
    if (this.lowered) {
      if (shader.functions.length > 1) this.fail('lowered form has one function');
      if (shader.globals.length > 0) this.fail('lowered form has no global variables');
      if (shader.main.locals.length > 0) this.fail('lowered form has no variables');
    }
    for (const global of shader.globals) if (global.mode !== 'global') this.fail(`${global.name} is not global`);
    for (const fn of shader.functions) this.checkFunction(fn);
    return this.errors;
  }

  checkRecursion(): void {
    const callees = new Map<IrFunction, Set<IrFunction>>();
    for (const fn of this.shader.functions) {
      const called = new Set<IrFunction>();
      for (const block of collectBlocks(fn.body)) {
        for (const instruction of block.instructions)
          if (instruction.kind === 'call') called.add(instruction.info.callee);
      }
      callees.set(fn, called);
    }
    // Functions whose callees are all done are done; what remains calls itself.
    const done = new Set<IrFunction>();
    for (let progress = true; progress; ) {
      progress = false;
      for (const [fn, called] of callees) {
        if (done.has(fn) || ![...called].every((callee) => done.has(callee))) continue;
        done.add(fn);
        progress = true;
      }
    }
    for (const fn of callees.keys())
      if (!done.has(fn)) this.fail(`${fn.name} is recursive or calls a foreign function`);
  }

  checkFunction(fn: IrFunction): void {
    this.fn = fn;
    this.block = null;
    this.checker.variables = new Set([...fn.parameters, ...fn.locals, ...this.shader.globals]);
    for (const variable of fn.locals) if (variable.mode !== 'temporary') this.fail(`${variable.name} is no temporary`);
    for (const { name, mode } of fn.parameters) {
      if (mode === 'temporary' || mode === 'global') this.fail(`${name} is no parameter`);
    }
    if (!this.checkLists(fn.body, 0)) return;
    this.predecessors = computePredecessors(this.shader, fn);
    this.checkList(fn.body, false, false);
  }

  /** Only the shape, which all that follows relies on. */
  checkLists(list: readonly BodyNode[], depth: number): boolean {
    if (depth > MAX_NESTING) {
      this.fail('nested too deeply');
      return false;
    }
    let ok = list.length % 2 === 1;
    list.forEach((node, i) => {
      if ((node.kind === 'block') !== (i % 2 === 0)) ok = false;
    });
    if (!ok) {
      this.fail('a list must alternate block, node, …, block');
      return false;
    }
    return list.every((node) => {
      if (node.kind === 'block') return true;
      if (node.kind === 'if')
        return this.checkLists(node.thenBody, depth + 1) && this.checkLists(node.elseBody, depth + 1);
      return (
        this.checkLists(node.body, depth + 1) &&
        (node.continuing.length === 0 || this.checkLists(node.continuing, depth + 1))
      );
    });
  }

  checkList(list: readonly BodyNode[], inLoop: boolean, inContinuing: boolean): void {
    const opened: Value[] = [];
    list.forEach((node, i) => {
      if (node.kind === 'block') {
        this.block = node;
        this.checkBlock(node, opened, i === list.length - 1, inLoop, inContinuing);
      } else if (node.kind === 'if') {
        const { condition } = node;
        if (condition.components !== 1 || condition.bits !== 1)
          this.fail('the condition of an if must be a boolean scalar');
        if (!this.visible.has(condition)) this.fail(`the condition (id ${condition.id}) is not visible at its if`);
        this.checkList(node.thenBody, inLoop, inContinuing);
        this.checkList(node.elseBody, inLoop, inContinuing);
      } else {
        // Header phis read values from the end of the body: their sources are checked there.
        this.checkList(node.body, true, inContinuing);
        if (node.continuing.length > 0) {
          if (this.lowered) this.fail('lowered form has no continuing');
          if (endsWithJump(node.continuing)) this.fail('continuing must not end with a jump');
          this.checkList(node.continuing, false, true);
        }
      }
    });
    this.checkEdges(list);
    for (const value of opened) this.visible.delete(value);
  }

  /** Phi sources must be visible at the end of their predecessor: checked for the blocks of this list while its values are. */
  checkEdges(list: readonly BodyNode[]): void {
    for (const node of list) {
      if (node.kind !== 'block') continue;
      for (const target of this.targetsOf(node)) {
        for (const phi of target.instructions) {
          if (phi.kind !== 'phi') break;
          const index = phi.info.indexOf(node);
          if (index >= 0 && !this.visible.has(phi.sources[index]!)) {
            this.block = target;
            this.fail(`source ${phi.sources[index]!.id} is not visible at the end of block ${node.id}`, phi);
          }
        }
      }
    }
  }

  #targets: Map<Block, Block[]> | null = null;
  #targetsOf: IrFunction | null = null;

  targetsOf(block: Block): Block[] {
    if (this.#targetsOf !== this.fn) {
      this.#targetsOf = this.fn;
      this.#targets = new Map();
      for (const target of collectBlocks(this.fn.body)) {
        for (const from of this.predecessors[target.id] ?? []) {
          const list = this.#targets.get(from);
          if (list) list.push(target);
          else this.#targets.set(from, [target]);
        }
      }
    }
    return this.#targets?.get(block) ?? [];
  }

  checkBlock(block: Block, opened: Value[], isLast: boolean, inLoop: boolean, inContinuing: boolean): void {
    if (this.blockIds.has(block.id) || block.id >= this.shader.nextBlockId) this.fail('block id is not unique');
    this.blockIds.add(block.id);
    let phisEnded = false;
    block.instructions.forEach((instruction, i) => {
      if (this.valueIds.has(instruction.id) || instruction.id >= this.shader.nextValueId) {
        this.fail('value id is not unique', instruction);
      }
      this.valueIds.add(instruction.id);
      if (instruction.kind === 'phi') {
        if (phisEnded) this.fail('phis stand first in a block', instruction);
        this.checkPhi(block, instruction);
      } else {
        phisEnded = true;
        for (const source of instruction.sources) {
          if (!this.visible.has(source)) this.fail(`source ${source?.id} is not visible here`, instruction);
        }
        if (instruction.sources.some((source) => source.components < 1))
          this.fail('a source has no result', instruction);
        this.checker.checkInstruction(instruction);
      }
      if (instruction.kind === 'jump') {
        if (i !== block.instructions.length - 1 || !isLast)
          this.fail('a jump must be the last of its list', instruction);
        if (instruction.op !== 'return' && !inLoop) this.fail('jump outside of a loop', instruction);
        if (instruction.op === 'return' && inContinuing) this.fail('return in continuing', instruction);
        if (this.lowered && instruction.op !== 'break')
          this.fail('lowered form has no other jump than break', instruction);
      }
      if (instruction.components > 0) {
        this.visible.add(instruction);
        opened.push(instruction);
      }
    });
  }

  checkPhi(block: Block, phi: Extract<Instruction, { kind: 'phi' }>): void {
    const wanted = this.predecessors[block.id] ?? [];
    const given = phi.info;
    if (
      given.length !== phi.sources.length ||
      given.length !== wanted.length ||
      !wanted.every((b) => given.includes(b))
    ) {
      this.fail(`phi names blocks [${given.map((b) => b?.id)}], predecessors are [${wanted.map((b) => b.id)}]`, phi);
    }
    for (const source of phi.sources) {
      if (source.components !== phi.components || source.bits !== phi.bits) this.fail('source of another size', phi);
    }
    this.checker.checkSize(phi);
  }
}
