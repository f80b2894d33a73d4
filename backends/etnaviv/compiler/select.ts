// Instruction selection: from lowered IR to Vivante instructions over virtual registers, with jumps and labels.

import {
  type AluInstruction,
  type Block,
  type BodyNode,
  endsWithJump,
  firstBlock,
  type IfNode,
  type IntrinsicInstruction,
  type LoopNode,
  lastBlock,
  type PhiInstruction,
  type Shader,
  type Slot,
  type Value,
} from '../../../src/ir/ir.ts';
import { phisOf } from '../../../src/ir/walk.ts';
import type { Condition, OperandType } from '../isa/enums.table.ts';
import { type AluRow, aluRows } from './alu.table.ts';
import { type Analysis, analyze, JUMP_CONDITIONS } from './analyze.ts';
import { type ProgramInput, type ProgramSampler, type ShaderKey, UnsupportedShaderError } from './compiled-shader.ts';
import { type LocalPlace, placeLocals } from './local-arrays.ts';
import type { ConvertedUniform } from './lower-integers.ts';
import {
  type Destination,
  type MachineInstruction,
  MachineProgram,
  machineInstruction,
  type Operand,
  operand,
  virtualDestination,
} from './machine.ts';
import { orderCopies } from './parallel-copies.ts';
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
  private readonly rows: Readonly<Record<string, AluRow>>;
  private readonly analysis: Analysis;
  private readonly refs: (Operand | undefined)[] = [];
  private readonly plainRefs: (Operand | undefined)[] = [];
  private readonly inputs: ProgramInput[] = [];
  private readonly inputRegisters = new Map<string, number>();
  private readonly outputs = new Map<Slot, OutputRegister>();
  private readonly exits: { label: number; after: Block }[] = [];
  private locals: readonly LocalPlace[] = [];
  private fragCoord: number | null = null;
  private vertexId: number | null = null;
  private instanceId: number | null = null;
  private readonly ranges: UniformRange[] = [];
  private loops = 0;

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
    for (const place of places) this.clearLocal(place);
    this.selectList(this.shader.main.body);
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
  private vectorLocation(vector: Value): Destination {
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

  private selectBlock(block: Block): void {
    this.plainRefs.length = 0;
    for (const instruction of block.instructions) {
      if (this.analysis.folded.has(instruction)) continue;
      switch (instruction.kind) {
        case 'alu':
          this.selectAlu(instruction);
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
          this.copyToPhis(block, loop.after);
          this.emit('branch', { label: loop.label });
        }
      }
    }
  }

  private selectAlu(instruction: AluInstruction): void {
    const [a, b, c] = instruction.sources as [Value, Value, Value];
    const { op } = instruction;
    switch (op) {
      case 'mov':
        return this.alias(instruction, this.ref(a));
      case 'swizzle': {
        const ref = this.ref(a);
        const components = instruction.info!.map((component) => ref.components[component]!);
        return this.alias(instruction, { ...ref, components });
      }
      case 'fneg': {
        const ref = this.ref(a);
        return this.alias(instruction, { ...ref, negate: !ref.negate });
      }
      case 'fabs':
        return this.alias(instruction, { ...this.ref(a), negate: false, absolute: true });
      case 'vec':
        return this.selectVec(instruction);
      case 'fsat':
        return this.selectSaturate(instruction, a);
      case 'fadd':
      case 'fsub':
        return this.selectSum(instruction);
      case 'fdot':
        return this.selectDot(instruction, a, b);
      case 'select':
        return this.selectSelect(instruction, a, b, c);
      case 'isub':
        return this.emit('add', {
          type: 's32',
          dst: this.define(instruction),
          sources: [this.plain(a), null, { ...this.plain(b), negate: true }],
        });
      case 'ineg':
        return this.emit('add', {
          type: 's32',
          dst: this.define(instruction),
          sources: [
            this.constant(new Array<number>(instruction.components).fill(0), false),
            null,
            { ...this.plain(a), negate: true },
          ],
        });
      case 'b2f':
      case 'b2i': {
        if (!this.target.hasIntegers) return this.alias(instruction, this.ref(a));
        const one = new Array<number>(instruction.components).fill(op === 'b2f' ? ONE : 1);
        return this.emit('and', {
          type: 'u32',
          dst: this.define(instruction),
          sources: [this.plain(a), null, this.constant(one, false)],
        });
      }
      case 'fsin':
      case 'fcos':
      case 'flog2':
        if (op !== 'flog2' || this.target.pairTranscendentals) return this.selectPair(instruction, a);
    }
    if (op === 'lnot' && !this.target.hasIntegers) {
      const zero = this.constant(new Array<number>(instruction.components).fill(0), false);
      return this.emit('set', { condition: 'eq', dst: this.define(instruction), sources: [this.plain(a), zero, null] });
    }
    const row = this.rows[op];
    if (!row) throw new UnsupportedShaderError(`the GPU has no ${op}`);
    this.selectRow(instruction, row);
  }

  private selectRow(instruction: AluInstruction, row: AluRow): void {
    const operands = instruction.sources.map((source) => (row.modifiers ? this.ref(source) : this.plain(source)));
    const saturate = this.analysis.saturating.has(instruction);
    const dst = this.define(instruction);
    const fill = (parts: readonly Operand[]): [Operand | null, Operand | null, Operand | null] => {
      const sources: [Operand | null, Operand | null, Operand | null] = [null, null, null];
      row.slots.forEach((slots, index) => {
        for (const slot of slots) sources[slot] = parts[index]!;
      });
      if (row.op === 'cmp') {
        const count = parts[0]!.components.length;
        sources[2] = this.constant(new Array<number>(count).fill(0xffffffff), false);
      }
      return sources;
    };
    const { op, type, condition } = row;
    if (row.scalar === null) {
      this.emit(op, { type, condition, saturate, dst, sources: fill(operands) });
      return;
    }
    // Reading on after the first component is written is safe: the result has its own register.
    dst.components.forEach((component, index) => {
      const parts = operands.map((part) => ({
        ...part,
        components: [part.components[index]!],
        each: row.scalar === 'each',
      }));
      this.emit(op, { type, condition, saturate, dst: { ...dst, components: [component] }, sources: fill(parts) });
    });
  }

  /** sin, cos (their arguments scaled by lower-functions) and log, in pairs where the hardware has them so. */
  private selectPair(instruction: AluInstruction, a: Value): void {
    const op = { fsin: 'sin', fcos: 'cos', flog2: 'log' }[instruction.op as 'fsin' | 'fcos' | 'flog2'];
    const argument = this.ref(a);
    const dst = this.define(instruction);
    const saturate = this.analysis.saturating.has(instruction);
    dst.components.forEach((component, index) => {
      const source = { ...argument, components: [argument.components[index]!], each: false };
      const result = { ...dst, components: [component] };
      if (!this.target.pairTranscendentals) {
        this.emit(op, { dst: result, saturate, sources: [null, null, source] });
        return;
      }
      const pair = this.program.newRegister(2);
      this.emit(op, {
        rounding: 'rtz',
        dst: virtualDestination(pair, [0, 1]),
        sources: [null, null, source],
        keepsComponents: true,
      });
      this.emit('mul', {
        dst: result,
        saturate,
        sources: [operand('virtual', pair, [0]), operand('virtual', pair, [1]), null],
      });
    });
  }

  private selectSaturate(instruction: AluInstruction, a: Value): void {
    if (this.analysis.saturated.has(instruction)) return this.alias(instruction, this.ref(a));
    const dst = this.define(instruction);
    this.emit('mov', { saturate: true, dst, sources: [null, null, this.ref(a)] });
  }

  private selectSum(instruction: AluInstruction): void {
    const saturate = this.analysis.saturating.has(instruction);
    const negated = (ref: Operand, negate: boolean): Operand => (negate ? { ...ref, negate: !ref.negate } : ref);
    const fused = this.analysis.products.get(instruction);
    if (fused) {
      const other = this.ref(instruction.sources[1 - fused.operand]!);
      const [x, y] = fused.product.sources as [Value, Value];
      const sources: [Operand, Operand, Operand] = [
        negated(this.ref(x), fused.negate),
        this.ref(y),
        negated(other, instruction.op === 'fsub' && fused.operand === 0),
      ];
      return this.emit('mad', { saturate, dst: this.define(instruction), sources });
    }
    const [a, b] = instruction.sources as [Value, Value];
    const sources: [Operand, null, Operand] = [this.ref(a), null, negated(this.ref(b), instruction.op === 'fsub')];
    this.emit('add', { saturate, dst: this.define(instruction), sources });
  }

  private selectDot(instruction: AluInstruction, a: Value, b: Value): void {
    const whole = (value: Value): Operand => ({ ...this.ref(value), each: false });
    const sources: [Operand, Operand, null] = [whole(a), whole(b), null];
    const saturate = this.analysis.saturating.has(instruction);
    this.emit(`dp${a.components}`, { saturate, dst: this.define(instruction), sources });
  }

  private selectSelect(instruction: AluInstruction, condition: Value, a: Value, b: Value): void {
    const { hasIntegers } = this.target;
    // Why no modifiers with integers: the type of the selection would make them integer negation.
    const side = (value: Value) => (hasIntegers ? this.plain(value) : this.ref(value));
    const sources: [Operand, Operand, Operand] = [this.plain(condition), side(a), side(b)];
    this.emit('select', {
      condition: 'nz',
      type: hasIntegers ? 'u32' : 'f32',
      dst: this.define(instruction),
      sources,
    });
  }

  /** Moves the parts that are not computed in place, those of one register together. */
  private selectVec(instruction: AluInstruction): void {
    const { homes, saturated } = this.analysis;
    const isInPlace = (part: Value): boolean => {
      const whole = part.kind === 'alu' && part.op === 'swizzle' ? part.sources[0]! : part;
      const computing = whole.kind === 'alu' && saturated.has(whole) ? whole.sources[0]! : whole;
      const home = homes.get(computing);
      return home?.kind === 'vector' && home.vector === instruction;
    };
    const moved = instruction.sources.map((part, index) => ({ part, index })).filter(({ part }) => !isInPlace(part));
    const refs = moved.map(({ part, index }) => ({ ref: this.ref(part), index }));
    const first = refs[0]?.ref;
    const isWords = refs.length === instruction.components && refs.every(({ ref }) => ref.file === 'word');
    const sameSigns = refs.every(({ ref }) => ref.negate === first?.negate && ref.absolute === first?.absolute);
    if (isWords && sameSigns && !homes.has(instruction)) {
      return this.alias(instruction, { ...first!, components: refs.map(({ ref }) => ref.components[0]!) });
    }
    const dst = this.vectorLocation(instruction);
    const groups = new Map<string, { ref: Operand; components: number[]; places: number[] }>();
    for (const { ref, index } of refs) {
      const key = `${ref.file} ${ref.index} ${ref.negate} ${ref.absolute} ${ref.addressing}`;
      let group = groups.get(key);
      if (!group) groups.set(key, (group = { ref, components: [], places: [] }));
      group.components.push(ref.components[0]!);
      group.places.push(dst.components[index]!);
    }
    for (const { ref, components, places } of groups.values()) {
      this.mov({ ...dst, components: places }, { ...ref, components });
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
        return this.selectUniform(instruction);
      case 'loadUbo':
        return this.selectBlockLoad(instruction);
      case 'loadLocal':
      case 'storeLocal':
        return this.selectLocal(instruction);
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

  private selectUniform(instruction: Extract<IntrinsicInstruction, { op: 'loadUniform' }>): void {
    const { base, range } = instruction.info;
    const convert = (instruction.info as ConvertedUniform).convert ?? false;
    const offset = instruction.sources[0];
    if (!offset) {
      const words = ALL.slice(0, instruction.components).map((component) =>
        this.program.word({ kind: 'uniform', word: base * 4 + component, convert }),
      );
      return this.alias(instruction, operand('word', 0, words));
    }
    this.setAddress(offset);
    // The whole range stands in order in the uniform file; its first word stands for it.
    const first = this.program.word({ kind: 'uniform', word: base * 4, convert });
    const source: Operand = {
      ...operand('uniform', first, ALL.slice(0, instruction.components)),
      addressing: 'a.x',
    };
    this.ranges.push({ base, range, convert, first });
    this.mov(this.define(instruction), source);
  }

  /** a.x = the index, which is a float where there are no integers. */
  setAddress(index: Value): void {
    let source = this.plain(index);
    if (this.target.hasIntegers) {
      const register = this.program.newRegister(1);
      this.emit('i2f', { type: 's32', dst: virtualDestination(register, [0]), sources: [source, null, null] });
      source = operand('virtual', register, [0]);
    }
    this.emit('movar', {
      dst: { file: 'address', index: 0, components: [0], addressing: 'direct' },
      sources: [null, null, { ...source, each: false }],
    });
  }

  private selectBlockLoad(instruction: Extract<IntrinsicInstruction, { op: 'loadUbo' }>): void {
    if (!this.target.hasMemoryLoads) throw new UnsupportedShaderError('the GPU has no uniform blocks');
    const { block, base } = instruction.info;
    const offset = instruction.sources[0];
    let place = this.constant([base], false);
    if (offset) {
      place = this.plain(offset);
      if (base !== 0) {
        const register = this.program.newRegister(1);
        const sources: [Operand, null, Operand] = [place, null, this.constant([base], false)];
        this.emit('add', { type: 's32', dst: virtualDestination(register, [0]), sources });
        place = operand('virtual', register, [0]);
      }
    }
    const address = operand('word', 0, [this.program.word({ kind: 'blockAddress', block })]);
    const register = this.program.newRegister(instruction.components, { identity: true });
    const components = ALL.slice(0, instruction.components);
    this.emit('load', {
      type: 'u32',
      dst: virtualDestination(register, components),
      sources: [{ ...place, each: false }, { ...address, each: false }, null],
      keepsComponents: true,
    });
    this.alias(instruction, operand('virtual', register, components));
  }

  private clearLocal(place: LocalPlace): void {
    for (let element = 0; element < place.length; element++) {
      const components = ALL.slice(place.component, place.component + place.components);
      this.mov(
        { file: 'temporary', index: place.register + element, components, addressing: 'direct' },
        this.constant(new Array<number>(components.length).fill(0), false),
      );
    }
  }

  private selectLocal(instruction: Extract<IntrinsicInstruction, { op: 'loadLocal' | 'storeLocal' }>): void {
    const place = this.locals[instruction.info.array]!;
    const [index, value] = instruction.sources as [Value, Value];
    const source = instruction.op === 'storeLocal' ? this.plain(value) : null;
    this.setAddress(index);
    const components = ALL.slice(place.component, place.component + place.components);
    const common = { file: 'temporary', index: place.register, addressing: 'a.x' } as const;
    if (instruction.op === 'loadLocal') {
      return this.mov(this.define(instruction), {
        ...operand('temporary', place.register, components),
        addressing: 'a.x',
      });
    }
    const written = components.map((_, c) => c).filter((c) => (instruction.info.writeMask >> c) & 1);
    this.mov(
      { ...common, components: written.map((c) => components[c]!) },
      { ...source!, components: written.map((c) => source!.components[c]!) },
    );
  }

  // -------------------------------------------------------------------------------------------------- control flow

  private selectList(list: readonly BodyNode[]): void {
    for (let i = 0; i < list.length; i++) {
      const node = list[i]!;
      if (node.kind === 'block') this.selectBlock(node);
      else if (node.kind === 'if') this.selectIf(node, list[i + 1] as Block);
      else this.selectLoop(node, list[i - 1] as Block, list[i + 1] as Block);
    }
  }

  /** What `body` selects, as a list of its own. */
  private aside(body: () => void): MachineInstruction[] {
    const { program } = this;
    const outer = program.code;
    program.code = [];
    body();
    const inner = program.code;
    program.code = outer;
    return inner;
  }

  private selectIf(node: IfNode, after: Block): void {
    const side = (list: BodyNode[]) =>
      this.aside(() => {
        this.selectList(list);
        if (!endsWithJump(list)) this.copyToPhis(lastBlock(list), after);
      });
    const test = this.jumpTest(node.condition);
    const then = side(node.thenBody);
    const otherwise = side(node.elseBody);
    this.plainRefs.length = 0;
    const { program } = this;
    if (then.length === 0 && otherwise.length === 0) return;
    const only = then.length === 1 && then[0]!.op === 'branch' && then[0]!.condition === 'true' ? then[0]! : null;
    if (only) {
      test(true, only.label);
      program.code = program.code.concat(otherwise);
      return;
    }
    if (then.length === 0) {
      const end = program.newLabel();
      test(true, end);
      program.code = program.code.concat(otherwise);
      this.emit('label', { label: end });
      return;
    }
    const end = program.newLabel();
    const other = otherwise.length > 0 ? program.newLabel() : end;
    test(false, other);
    program.code = program.code.concat(then);
    if (otherwise.length > 0) {
      if (!endsWithJump(node.thenBody)) this.emit('branch', { label: end });
      this.emit('label', { label: other });
      program.code = program.code.concat(otherwise);
    }
    this.emit('label', { label: end });
  }

  /** Emits a jump that is taken when the condition is as wanted. Reads the condition's operands now. */
  private jumpTest(value: Value): (wanted: boolean, label: number) => void {
    const { folded } = this.analysis;
    const unary = (ref: Operand) => (wanted: boolean, label: number) =>
      this.emit('branch', {
        condition: wanted ? 'nz' : 'not',
        type: 'u32',
        label,
        sources: [{ ...ref, each: false }, null, null],
      });
    if (value.kind !== 'alu' || !folded.has(value)) return unary(this.toRegister(this.plain(value)));
    const { condition, opposite } = JUMP_CONDITIONS[value.op]!;
    const isFloat = value.op.startsWith('f');
    const type: OperandType = isFloat ? 'f32' : value.op.startsWith('u') ? 'u32' : 's32';
    const [a, b] = value.sources.map((source) => ({
      ...(isFloat ? this.ref(source) : this.plain(source)),
      each: false,
    })) as [Operand, Operand];
    return (wanted, label) => {
      const chosen: Condition | null = wanted ? condition : opposite;
      if (chosen) return this.emit('branch', { condition: chosen, type, label, sources: [a, b, null] });
      this.selectAlu(value);
      unary(this.ref(value))(wanted, label);
    };
  }

  /** Jumps over constants do not pay; conditions are read from registers. */
  private toRegister(ref: Operand): Operand {
    return ref.file === 'virtual' ? ref : this.copy(ref);
  }

  private selectLoop(node: LoopNode, before: Block, after: Block): void {
    const { program } = this;
    this.loops++;
    const header = firstBlock(node.body);
    this.copyToPhis(before, header);
    const [start, exit] = [program.newLabel(), program.newLabel()];
    this.emit('label', { label: start });
    this.exits.push({ label: exit, after });
    this.selectList(node.body);
    this.exits.pop();
    if (!endsWithJump(node.body)) {
      this.copyToPhis(lastBlock(node.body), header);
      this.emit('branch', { label: start });
    }
    this.emit('label', { label: exit });
    this.plainRefs.length = 0;
  }

  /** Gives the phis of a block their values on the edge from another: all are read before any is written. */
  private copyToPhis(from: Block, to: Block): void {
    const copies: { phi: PhiInstruction; source: Value }[] = [];
    for (const phi of phisOf(to)) {
      const index = phi.info.indexOf(from);
      if (index >= 0) copies.push({ phi, source: phi.sources[index]! });
    }
    if (copies.length === 0) return;
    const moves = copies.map(({ phi, source }) => {
      const { index, components } = this.ref(phi);
      return { dst: virtualDestination(index, components), source: this.ref(source) };
    });
    for (const { dst, source } of orderCopies(this.program, moves)) this.mov(dst, source);
  }
}

function slotOrder(slot: string): number {
  if (slot === 'pointCoord') return -1;
  return Number(/\d+/.exec(slot)?.[0] ?? 0);
}
