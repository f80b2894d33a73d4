// Instruction selection: from lowered IR to Vivante instructions over virtual registers, with jumps and labels.

import type { Block, BodyNode, IntrinsicInstruction, Shader, Slot, Value } from '../../../src/ir/ir.ts';
import { type AluRow, aluRows } from './alu.table.ts';
import { type Analysis, analyze } from './analyze.ts';
import { type ProgramInput, type ProgramSampler, type ShaderKey, UnsupportedShaderError } from './compiled-shader.ts';
import { type LocalPlace, placeLocals } from './local-arrays.ts';
import {
  type Destination,
  type MachineInstruction,
  MachineProgram,
  machineInstruction,
  type Operand,
  operand,
  virtualDestination,
} from './machine.ts';
import { selectAlu } from './select-alu.ts';
import { copyToPhis, selectList } from './select-control.ts';
import { clearLocal, selectBlockLoad, selectLocal, selectUniform } from './select-memory.ts';
import { selectTexture } from './select-texture.ts';
import type { CompilerTarget } from './target.ts';

const ALL = [0, 1, 2, 3] as const;
const ONE = 0x3f800000;

export interface OutputRegister {
  readonly slot: Slot;
  readonly register: number;
  components: number;
}

export interface UniformRange {
  /** In slots of constant buffer 0. */
  readonly base: number;
  readonly range: number;
  readonly convert: boolean;
  readonly first: number;
}

export interface Selection {
  readonly program: MachineProgram;
  /** Uniforms that are indexed: `first` is the word that stands for the range. */
  readonly ranges: readonly UniformRange[];
  readonly inputs: ProgramInput[];
  readonly outputs: OutputRegister[];
  /** Virtual registers of the ids, component 0. */
  readonly vertexId: number | null;
  readonly instanceId: number | null;
  readonly depth: boolean;
  readonly samplers: ProgramSampler[];
  /** Temporaries that allocation must leave alone. */
  readonly reserved: ReadonlySet<number>;
  readonly loops: number;
}

export function select(shader: Shader, target: CompilerTarget, key: ShaderKey): Selection {
  return new Selector(shader, target, key).run();
}

export class Selector {
  readonly shader: Shader;
  readonly target: CompilerTarget;
  readonly key: ShaderKey;
  readonly program = new MachineProgram();
  readonly samplers: ProgramSampler[] = [];
  readonly rows: Readonly<Record<string, AluRow>>;
  readonly analysis: Analysis;
  private readonly refs: (Operand | undefined)[] = [];
  readonly plainRefs: (Operand | undefined)[] = [];
  private readonly inputs: ProgramInput[] = [];
  private readonly inputRegisters = new Map<string, number>();
  private readonly outputs = new Map<Slot, OutputRegister>();
  readonly exits: { label: number; after: Block }[] = [];
  locals: readonly LocalPlace[] = [];
  private fragCoord: number | null = null;
  private vertexId: number | null = null;
  private instanceId: number | null = null;
  readonly ranges: UniformRange[] = [];
  loops = 0;

  constructor(shader: Shader, target: CompilerTarget, key: ShaderKey) {
    this.shader = shader;
    this.target = target;
    this.key = key;
    this.rows = aluRows(target);
    this.analysis = analyze(shader, target, this.rows);
  }

  run(): Selection {
    this.declareInputs();
    const first = this.inputs.length + (this.shader.stage === 'fragment' ? 1 : this.usesIds() ? 1 : 0);
    const { places, count } = placeLocals(this.shader, first);
    if (first + count > this.target.temporaries) {
      throw new UnsupportedShaderError(`its indexed arrays take ${count} temporaries`);
    }
    this.locals = places;
    const reserved = new Set(Array.from({ length: count }, (_, index) => first + index));
    // Why: what stands in t0.z at the end may be taken for the depth.
    if (this.shader.stage === 'fragment') reserved.add(0);
    for (const place of places) clearLocal(this, place);
    selectList(this, this.shader.main.body);
    const depth = this.outputs.get('depth');
    if (depth) {
      // Why at the end: the depth leaves in t0.z, where gl_FragCoord.z stands until then.
      const register = this.program.newRegister(4, { fixed: 0 });
      this.mov(virtualDestination(register, [2]), operand('virtual', depth.register, [0]));
      this.program.liveAtEnd.push(register);
    }
    for (const output of this.outputs.values()) {
      if (output !== depth) this.program.liveAtEnd.push(output.register);
    }
    return {
      program: this.program,
      ranges: this.ranges,
      inputs: this.inputs,
      outputs: [...this.outputs.values()],
      vertexId: this.vertexId,
      instanceId: this.instanceId,
      depth: depth !== undefined,
      samplers: this.samplers,
      reserved,
      loops: this.loops,
    };
  }

  // -------------------------------------------------------------------------------------------- inputs and outputs

  private usesIds(): boolean {
    const { sysvals } = this.shader.usage;
    return sysvals.has('vertexId') || sysvals.has('instanceId');
  }

  private declareInputs(): void {
    const { shader, program } = this;
    const components = new Map<string, number>();
    const visit = (list: readonly BodyNode[]): void => {
      for (const node of list) {
        if (node.kind === 'if') {
          visit(node.thenBody);
          visit(node.elseBody);
        } else if (node.kind === 'loop') visit(node.body);
        else {
          for (const instruction of node.instructions) {
            if (instruction.kind !== 'intrinsic') continue;
            if (instruction.op === 'loadInput') {
              const { slot, component } = instruction.info;
              components.set(slot, Math.max(components.get(slot) ?? 0, component + instruction.components));
            } else if (instruction.op === 'sysval' && instruction.info.name === 'pointCoord') {
              components.set('pointCoord', 2);
            }
          }
        }
      }
    };
    visit(shader.main.body);
    const isFragment = shader.stage === 'fragment';
    if (isFragment) this.fragCoord = program.newRegister(4, { fixed: 0 });
    const order = [...components.keys()].sort((a, b) => slotOrder(a) - slotOrder(b));
    for (const slot of order) {
      const register = this.inputs.length + (isFragment ? 1 : 0);
      const info = shader.inputs.find((input) => input.slot === slot);
      this.inputRegisters.set(slot, program.newRegister(4, { fixed: register }));
      this.inputs.push({
        slot: slot as ProgramInput['slot'],
        register,
        components: components.get(slot)!,
        interpolation: info?.interpolation ?? 'smooth',
        base: info?.base ?? 'float',
      });
    }
    if (this.usesIds()) {
      const register = program.newRegister(4, { fixed: this.inputs.length });
      if (shader.usage.sysvals.has('vertexId')) this.vertexId = register;
      if (shader.usage.sysvals.has('instanceId')) this.instanceId = register;
    }
  }

  private output(slot: Slot): OutputRegister {
    let output = this.outputs.get(slot);
    if (!output) {
      const register = slot === 'depth' ? this.program.newRegister(1) : this.program.newRegister(4, { identity: true });
      output = { slot, register, components: 0 };
      this.outputs.set(slot, output);
    }
    return output;
  }

  // ------------------------------------------------------------------------------------------------------ operands

  /** Where a value is computed. */
  location(value: Value): Destination {
    const home = this.analysis.homes.get(value);
    if (home?.kind === 'output') {
      const output = this.output(home.slot);
      output.components = Math.max(output.components, ...home.components.map((c) => c + 1));
      return virtualDestination(output.register, home.components);
    }
    if (home?.kind === 'vector') {
      const vector = this.vectorLocation(home.vector);
      return virtualDestination(
        vector.index,
        home.components.map((c) => vector.components[c]!),
      );
    }
    return virtualDestination(this.program.newRegister(value.components), ALL.slice(0, value.components));
  }

  /** Vectors are referred to before they are complete. */
  vectorLocation(vector: Value): Destination {
    let ref = this.refs[vector.id];
    if (!ref) {
      const { index, components } = this.location(vector);
      this.refs[vector.id] = ref = operand('virtual', index, components);
    }
    return virtualDestination(ref.index, ref.components);
  }

  /** A destination for the value, which from now on stands there. */
  define(value: Value): Destination {
    const dst = this.location(value);
    this.refs[value.id] = operand('virtual', dst.index, dst.components);
    return dst;
  }

  alias(value: Value, ref: Operand): void {
    this.refs[value.id] = ref;
  }

  /** The operand that a value is, possibly negated or absolute (as a float). */
  ref(value: Value): Operand {
    const known = this.refs[value.id];
    if (known) return known;
    if (value.kind === 'const') return this.constant([...value.info], value.bits === 1);
    if (value.kind === 'undef') return this.constant(new Array<number>(value.components).fill(0), false);
    if (value.kind === 'phi') {
      const dst = this.define(value);
      return operand('virtual', dst.index, dst.components);
    }
    throw new Error(`value ${value.id} (${value.op}) is used before it is selected`);
  }

  /** The same without modifiers. */
  plain(value: Value): Operand {
    const ref = this.ref(value);
    if (!ref.negate && !ref.absolute) return ref;
    const known = this.plainRefs[value.id];
    // A copy that was made in another branch does not count here: it is kept for one block only.
    if (known) return known;
    const copy = this.copy(ref);
    this.plainRefs[value.id] = copy;
    return copy;
  }

  /** A copy in a register of its own. */
  copy(ref: Operand): Operand {
    const register = this.program.newRegister(ref.components.length);
    const components = ALL.slice(0, ref.components.length);
    this.mov(virtualDestination(register, components), ref);
    return operand('virtual', register, components);
  }

  constant(words: readonly number[], isBool: boolean): Operand {
    const truth = this.target.hasIntegers ? 0xffffffff : ONE;
    return operand(
      'word',
      0,
      words.map((word) => this.program.immediate(isBool ? (word ? truth : 0) : word)),
    );
  }

  // -------------------------------------------------------------------------------------------------- instructions

  emit(op: string, fields: Partial<MachineInstruction> = {}): void {
    this.program.code.push(machineInstruction(op, fields));
  }

  mov(dst: Destination, source: Operand): void {
    this.emit('mov', { dst, sources: [null, null, source] });
  }

  selectBlock(block: Block): void {
    this.plainRefs.length = 0;
    for (const instruction of block.instructions) {
      if (this.analysis.folded.has(instruction)) continue;
      switch (instruction.kind) {
        case 'alu':
          selectAlu(this, instruction);
          break;
        case 'intrinsic':
          this.selectIntrinsic(instruction);
          break;
        case 'tex':
          selectTexture(this, instruction);
          break;
        case 'jump': {
          const loop = this.exits[this.exits.length - 1];
          if (instruction.op !== 'break' || !loop) throw new Error(`a jump '${instruction.op}' in lowered form`);
          copyToPhis(this, block, loop.after);
          this.emit('branch', { label: loop.label });
        }
      }
    }
  }

  // ---------------------------------------------------------------------------------------------------- intrinsics

  private selectIntrinsic(instruction: IntrinsicInstruction): void {
    switch (instruction.op) {
      case 'loadInput': {
        const { slot, component } = instruction.info;
        const components = ALL.slice(component, component + instruction.components);
        return this.alias(instruction, operand('virtual', this.inputRegisters.get(slot)!, components));
      }
      case 'storeOutput': {
        const { slot, component } = instruction.info;
        const value = instruction.sources[0]!;
        const output = this.output(slot);
        output.components = Math.max(output.components, component + value.components);
        const components = ALL.slice(component, component + value.components);
        const ref = this.ref(value);
        const isThere = ref.file === 'virtual' && ref.index === output.register;
        if (!isThere) this.mov(virtualDestination(output.register, components), ref);
        return;
      }
      case 'loadUniform':
        return selectUniform(this, instruction);
      case 'loadUbo':
        return selectBlockLoad(this, instruction);
      case 'loadLocal':
      case 'storeLocal':
        return selectLocal(this, instruction);
      case 'sysval':
        return this.selectSystemValue(instruction);
      case 'discard': {
        const condition = instruction.sources[0];
        const type = this.target.hasIntegers ? 'u32' : 'f32';
        if (!condition) return this.emit('texkill');
        return this.emit('texkill', {
          condition: 'nz',
          type,
          sources: [{ ...this.plain(condition), each: false }, null, null],
        });
      }
      default:
        throw new Error(`'${instruction.op}' in lowered form`);
    }
  }

  private selectSystemValue(instruction: Extract<IntrinsicInstruction, { op: 'sysval' }>): void {
    const { name } = instruction.info;
    switch (name) {
      case 'fragCoord':
        return this.alias(instruction, operand('virtual', this.fragCoord!, ALL));
      case 'pointCoord':
        return this.alias(instruction, operand('virtual', this.inputRegisters.get('pointCoord')!, [0, 1]));
      case 'vertexId':
        return this.alias(instruction, operand('virtual', this.vertexId!, [0]));
      case 'instanceId':
        return this.alias(instruction, operand('virtual', this.instanceId!, [1]));
      case 'frontFacing': {
        const sources: [Operand, Operand] = [operand('internal', 0, [0]), this.constant([0], false)];
        const dst = this.define(instruction);
        const condition = this.key.frontClockwise ? 'eq' : 'ne';
        if (this.target.hasIntegers) {
          const ones = this.constant([0xffffffff], false);
          return this.emit('cmp', { condition, type: 's32', dst, sources: [...sources, ones] });
        }
        return this.emit('set', { condition, dst, sources: [...sources, null] });
      }
      default:
        throw new UnsupportedShaderError(`the GPU has no ${name}`);
    }
  }
}

function slotOrder(slot: string): number {
  if (slot === 'pointCoord') return -1;
  return Number(/\d+/.exec(slot)?.[0] ?? 0);
}
