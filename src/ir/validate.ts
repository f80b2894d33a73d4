// Checks a shader against each sentence of the contract in ir.ts. Every pass must leave a valid shader behind.
import { INTRINSICS, SYSTEM_VALUES } from './intrinsics.ts';
import {
  type AluInstruction,
  type Block,
  type BodyNode,
  childCount,
  childType,
  dynamicStepSource,
  endsWithJump,
  type Instruction,
  type IntrinsicInstruction,
  type IrFunction,
  type IrType,
  MAX_NESTING,
  type Path,
  type Shader,
  type TexInstruction,
  typesEqual,
  type Value,
  type Variable,
} from './ir.ts';
import { isOpcode, opcodeRow } from './opcodes.ts';
import { printShader } from './print.ts';
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
  variables = new Set<Variable>();
  predecessors: Block[][] = [];
  fn: IrFunction;
  block: Block | null = null;

  constructor(shader: Shader, lowered: boolean) {
    this.shader = shader;
    this.lowered = lowered;
    this.fn = shader.main;
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
    this.variables = new Set([...fn.parameters, ...fn.locals, ...this.shader.globals]);
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
        this.checkInstruction(instruction);
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
    this.checkSize(phi);
  }

  checkSize(instruction: Instruction): void {
    const { components, bits } = instruction;
    if (!(components >= 1 && components <= 4)) this.fail('a result has 1 to 4 components', instruction);
    if (bits !== 1 && bits !== 32) this.fail('a result has 1 or 32 bits', instruction);
  }

  // -------------------------------------------------------------------------------------------------- instructions

  checkInstruction(instruction: Instruction): void {
    switch (instruction.kind) {
      case 'alu':
        this.checkAlu(instruction);
        break;
      case 'const':
        this.checkSize(instruction);
        if (instruction.info.length !== instruction.components) this.fail('wrong number of words', instruction);
        if (instruction.bits === 1 && instruction.info.some((w) => w > 1))
          this.fail('a boolean is 0 or 1', instruction);
        break;
      case 'undef':
        this.checkSize(instruction);
        break;
      case 'tex':
        this.checkTex(instruction);
        break;
      case 'call':
        this.checkCall(instruction);
        break;
      case 'intrinsic':
        this.checkIntrinsic(instruction);
        break;
      case 'jump':
        if (instruction.components !== 0) this.fail('a jump has no result', instruction);
        break;
    }
  }

  checkAlu(instruction: AluInstruction): void {
    const { op, sources, components, bits } = instruction;
    this.checkSize(instruction);
    if (!isOpcode(op)) return this.fail('unknown opcode', instruction);
    const row = opcodeRow(op);
    if (op === 'vec') {
      if (sources.length !== components) this.fail('vec has as many operands as components', instruction);
      if (sources.some((s) => s.components !== 1 || s.bits !== bits)) this.fail('vec takes scalars', instruction);
      return;
    }
    if (op === 'swizzle') {
      const selection = instruction.info;
      if (selection === null || selection.length !== components || sources.length !== 1) {
        this.fail('swizzle selects as many components as it has', instruction);
      } else if (selection.some((c) => !(c >= 0 && c < sources[0]!.components))) {
        this.fail('swizzle selects a component that is not there', instruction);
      }
      if (sources[0]!.bits !== bits) this.fail('swizzle keeps the width', instruction);
      return;
    }
    if (sources.length !== row.in.length) return this.fail('wrong number of operands', instruction);
    sources.forEach((source, i) => {
      const type = row.in[i]!;
      const wantedBits = type === 'bool' ? 1 : type === 'bits' ? bits : 32;
      if (source.bits !== wantedBits) this.fail(`operand ${i} has the wrong width`, instruction);
      const wanted =
        row.shape === 'fixed' ? row.sizes![i + 1] : row.shape === 'reduce' ? sources[0]!.components : components;
      if (source.components !== wanted) this.fail(`operand ${i} has the wrong number of components`, instruction);
    });
    const wantedComponents = row.shape === 'fixed' ? row.sizes![0] : row.shape === 'reduce' ? 1 : components;
    if (components !== wantedComponents) this.fail('wrong number of components', instruction);
    if (row.out !== 'bits' && bits !== (row.out === 'bool' ? 1 : 32)) this.fail('wrong width', instruction);
  }

  checkTex(instruction: TexInstruction): void {
    const { op, sources, components } = instruction;
    const { sampler, dim, shadow, resultType, roles, offset } = instruction.info;
    const info = this.shader.samplers[sampler];
    if (info === undefined) this.fail(`sampler ${sampler} is not declared`, instruction);
    else if (info.dim !== dim) this.fail(`sampler ${sampler} is ${info.dim}`, instruction);
    if (roles.length !== sources.length) return this.fail('a role for each source', instruction);
    const dimensions = dim === '2d' ? 2 : 3;
    const wanted: Record<string, number> = { coord: dimensions, comparator: 1, bias: 1, lod: 1 };
    wanted['ddx'] = wanted['ddy'] = dim === '2dArray' ? 2 : dimensions;
    roles.forEach((role, i) => {
      if (sources[i]!.components !== wanted[role] || sources[i]!.bits !== 32)
        this.fail(`${role} has a wrong size`, instruction);
    });
    const needs: Record<string, string[]> = {
      bias: ['bias'],
      lod: ['lod'],
      grad: ['ddx', 'ddy'],
      fetch: ['lod'],
      size: ['lod'],
    };
    const expected = [...(op === 'size' ? [] : ['coord']), ...(shadow ? ['comparator'] : []), ...(needs[op] ?? [])];
    if ([...roles].sort().join() !== expected.sort().join()) this.fail(`needs sources ${expected}`, instruction);
    const size = op === 'size' ? (dim === '3d' || dim === '2dArray' ? 3 : 2) : shadow ? 1 : 4;
    if (components !== size) this.fail(`has ${size} components`, instruction);
    if (op === 'size' && resultType !== 'int') this.fail('a size is int', instruction);
    if (offset && offset.length !== (dim === '3d' ? 3 : 2)) this.fail('offset has a wrong size', instruction);
  }

  checkCall(instruction: Extract<Instruction, { kind: 'call' }>): void {
    const { callee, arguments: args } = instruction.info;
    if (this.lowered) this.fail('lowered form has no call', instruction);
    if (args.length !== callee.parameters.length) return this.fail('wrong number of arguments', instruction);
    if (new Set(args).size !== args.length) this.fail('a variable is handed over twice', instruction);
    args.forEach((variable, i) => {
      if (!this.variables.has(variable)) this.fail(`${variable.name} belongs to another function`, instruction);
      if (variable.mode === 'global') this.fail(`the global ${variable.name} is handed over`, instruction);
      if (!typesEqual(variable.type, callee.parameters[i]!.type))
        this.fail(`argument ${i} has another type`, instruction);
    });
  }

  /** The type at a path's end. */
  checkPath(variable: Variable, path: Path, instruction: Instruction): IrType | undefined {
    if (!this.variables.has(variable)) this.fail(`${variable.name} belongs to another function`, instruction);
    let type: IrType | undefined = variable.type;
    for (const step of path) {
      if (step >= childCount(type)) this.fail(`step ${step} leads out of ${variable.name}`, instruction);
      if (step < 0) {
        const index = instruction.sources[dynamicStepSource(step)];
        if (type.kind === 'struct') this.fail('dynamic step into a struct', instruction);
        if (index?.components !== 1 || index.bits !== 32) this.fail('a dynamic index is an int scalar', instruction);
      }
      type = childType(type, Math.max(step, 0));
      if (type === undefined) return undefined;
    }
    return type;
  }

  checkVector(type: IrType | undefined, value: Value, instruction: Instruction): void {
    if (type?.kind !== 'vector') this.fail('the path must end at a scalar or vector', instruction);
    else if (type.components !== value.components || (type.base === 'bool') !== (value.bits === 1)) {
      this.fail('the value does not fit the path', instruction);
    }
  }

  checkIntrinsic(instruction: IntrinsicInstruction): void {
    const { op, sources, components, bits } = instruction;
    const row = INTRINSICS[op];
    if (row === undefined) return this.fail('unknown intrinsic', instruction);
    const most = row.optionalSources === 'indices' ? 64 : row.sources + row.optionalSources;
    if (sources.length < row.sources || sources.length > most) this.fail('wrong number of sources', instruction);
    const hasResult = op.startsWith('load') || op === 'sysval';
    if (hasResult) this.checkSize(instruction);
    else if (components !== 0) this.fail('has no result', instruction);
    const isIndex = (value: Value | undefined) => value === undefined || (value.components === 1 && value.bits === 32);
    switch (op) {
      case 'loadVar':
        this.checkVector(
          this.checkPath(instruction.info.variable, instruction.info.path, instruction),
          instruction,
          instruction,
        );
        break;
      case 'storeVar':
        this.checkVector(
          this.checkPath(instruction.info.variable, instruction.info.path, instruction),
          sources[0]!,
          instruction,
        );
        break;
      case 'copyVar': {
        const { variable, path, source, sourcePath } = instruction.info;
        const to = this.checkPath(variable, path, instruction);
        const from = this.checkPath(source, sourcePath, instruction);
        if (!to || !from || !typesEqual(to, from)) this.fail('copies between different types', instruction);
        break;
      }
      case 'loadInput':
      case 'storeOutput': {
        const size = op === 'loadInput' ? components : sources[0]!.components;
        if (instruction.info.component + size > 4) this.fail('reaches beyond its slot', instruction);
        const slots = op === 'loadInput' ? this.shader.inputs : this.shader.outputs;
        if (!slots.some((s) => s.slot === instruction.info.slot))
          this.fail(`${instruction.info.slot} is not declared`, instruction);
        if ((op === 'loadInput' ? bits : sources[0]!.bits) !== 32) this.fail('slots hold 32-bit words', instruction);
        break;
      }
      case 'loadUniform': {
        const { base, range } = instruction.info;
        if (base + range > this.shader.uniformSlots || range < 1) this.fail('reaches beyond uniformSlots', instruction);
        if (!isIndex(sources[0])) this.fail('the offset is an int scalar', instruction);
        break;
      }
      case 'loadUbo':
        if (this.shader.uniformBlocks[instruction.info.block] === undefined)
          this.fail('block is not declared', instruction);
        if (!isIndex(sources[0])) this.fail('the offset is an int scalar', instruction);
        break;
      case 'loadLocal':
      case 'storeLocal': {
        const local = this.shader.locals[instruction.info.array];
        const value = op === 'loadLocal' ? instruction : sources[1]!;
        if (local === undefined) this.fail('array is not declared', instruction);
        else if (local.components !== value.components || value.bits !== 32)
          this.fail('element of another size', instruction);
        if (!isIndex(sources[0])) this.fail('the index is an int scalar', instruction);
        break;
      }
      case 'sysval': {
        const sysval = SYSTEM_VALUES[instruction.info.name];
        if (sysval?.components !== components || sysval.bits !== bits) this.fail('has another size', instruction);
        break;
      }
      case 'discard':
        if (this.shader.stage !== 'fragment') this.fail('only in fragment shaders', instruction);
        if (sources[0] && (sources[0].bits !== 1 || sources[0].components !== 1))
          this.fail('takes a boolean', instruction);
        break;
    }
    if (this.lowered && (op === 'loadVar' || op === 'storeVar' || op === 'copyVar')) {
      this.fail('lowered form has no variables', instruction);
    }
  }
}
