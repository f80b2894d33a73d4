// Checks single instructions: operand counts and sizes, and that what they name exists.
import { INTRINSICS, SYSTEM_VALUES } from './intrinsics.ts';
import {
  type AluInstruction,
  childCount,
  childType,
  dynamicStepSource,
  type Instruction,
  type IntrinsicInstruction,
  type IrType,
  type Path,
  type Shader,
  type TexInstruction,
  typesEqual,
  type Value,
  type Variable,
} from './ir.ts';
import { isOpcode, opcodeRow } from './opcodes.ts';

export class InstructionChecker {
  readonly shader: Shader;
  readonly lowered: boolean;
  readonly fail: (message: string, instruction: Instruction) => void;
  /** What the function at hand may access. */
  variables = new Set<Variable>();

  constructor(shader: Shader, lowered: boolean, fail: (message: string, instruction: Instruction) => void) {
    this.shader = shader;
    this.lowered = lowered;
    this.fail = fail;
  }

  checkSize(instruction: Instruction): void {
    const { components, bits } = instruction;
    if (!(components >= 1 && components <= 4)) this.fail('a result has 1 to 4 components', instruction);
    if (bits !== 1 && bits !== 32) this.fail('a result has 1 or 32 bits', instruction);
  }

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
      case 'loadInputAt': {
        const { slot, component, at } = instruction.info;
        if (this.shader.stage !== 'fragment') this.fail('only in fragment shaders', instruction);
        if (component + components > 4) this.fail('reaches beyond its slot', instruction);
        if (!this.shader.inputs.some((s) => s.slot === slot)) this.fail(`${slot} is not declared`, instruction);
        const needed = at === 'centroid' ? undefined : at === 'sample' ? 1 : 2;
        if (sources[0]?.components !== needed || (sources[0]?.bits ?? 32) !== 32 || bits !== 32)
          this.fail('the place or the result has another size', instruction);
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
