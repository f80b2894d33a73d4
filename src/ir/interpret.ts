// Runs a shader, in either form, for up to 32 lanes at once: the oracle that says what generated code must compute.
// Written for plainness, not speed. Lanes are bits of a mask; values are computed in all lanes of a running block, the
// mask decides about effects, phis and branches.
import { evaluateAlu, Register } from './evaluate.ts';
import { type Frame, VariableMemory } from './interpret-variables.ts';
import {
  type Block,
  type BodyNode,
  firstBlock,
  type Instruction,
  type InterpolationPlace,
  type Intrinsic,
  type IntrinsicInstruction,
  type IrFunction,
  type LoopNode,
  lastBlock,
  type Shader,
  type Slot,
  type SystemValue,
  type TexInstruction,
  type TexRole,
} from './ir.ts';
import { phisOf } from './walk.ts';

/** What the outside world offers; all data are 32-bit patterns. */
export interface Environment {
  /** 4 (a quad, or a multiple: several quads) for fragments, 1 to 32 for vertices. */
  lanes: number;
  /** Writes the four components of an input slot of one lane. */
  input?(slot: Slot, lane: number, result: Uint32Array): void;
  /** Constant buffer 0, four words per slot. */
  uniforms?: Uint32Array;
  /** The bound uniform buffers, by block. */
  uniformBlocks?: Uint32Array[];
  /** Input slot interpolated at a place; `place` holds the lane's source (empty for 'centroid'). */
  inputAt?(slot: Slot, lane: number, at: InterpolationPlace, place: Uint32Array, result: Uint32Array): void;
  sysval?(name: SystemValue, lane: number, result: Uint32Array): void;
  /** Samples for every lane at once. `result` has the instruction's components per lane. */
  texture?(request: TextureRequest): void;
  /** Executed instructions after which the run is given up. */
  stepLimit?: number;
}

export interface TextureRequest {
  instruction: TexInstruction;
  lanes: number;
  /** The source in a role, lane by lane. */
  source(role: TexRole): Register | undefined;
  result: Register;
}

export interface InterpretResult {
  /** Four words per lane of each slot that was written. */
  outputs: Map<Slot, Uint32Array>;
  /** Bit mask of discarded lanes. */
  discarded: number;
  steps: number;
  /** The step limit was reached: outputs are incomplete. */
  timedOut: boolean;
}

class StepLimitReached extends Error {}

/** Runs `main` with all lanes active. */
export function interpret(shader: Shader, environment: Environment): InterpretResult {
  const machine = new Machine(shader, environment);
  let timedOut = false;
  try {
    machine.run();
  } catch (error) {
    if (!(error instanceof StepLimitReached)) throw error;
    timedOut = true;
  }
  const discarded = machine.all & ~machine.alive;
  return { outputs: machine.outputs, discarded, steps: machine.steps, timedOut };
}

interface LoopState {
  after: Block;
  breaks: number;
  continues: number;
}

class Machine {
  readonly shader: Shader;
  readonly environment: Environment;
  readonly lanes: number;
  readonly all: number;
  readonly outputs = new Map<Slot, Uint32Array>();
  readonly registers: Register[] = [];
  readonly localArrays: Uint32Array[];
  readonly memory: VariableMemory;
  readonly phiBlocks = new Map<Block, ReturnType<typeof phisOf>>();
  readonly stepLimit: number;
  alive: number;
  steps = 0;

  constructor(shader: Shader, environment: Environment) {
    this.shader = shader;
    this.environment = environment;
    this.lanes = environment.lanes;
    if (!(this.lanes >= 1 && this.lanes <= 32)) throw new Error('the interpreter takes 1 to 32 lanes');
    this.all = this.lanes === 32 ? -1 : (1 << this.lanes) - 1;
    this.alive = this.all;
    this.stepLimit = environment.stepLimit ?? 10_000_000;
    this.localArrays = shader.locals.map((local) => new Uint32Array(local.length * local.components * this.lanes));
    this.memory = new VariableMemory(shader, this.lanes, this);
  }

  run(): void {
    this.runFunction(this.shader.main, new Map(), this.all);
  }

  // -------------------------------------------------------------------------------------------------- control flow

  runFunction(fn: IrFunction, frame: Frame, mask: number): void {
    const { memory } = this;
    const outer = memory.frame;
    memory.frame = frame;
    for (const variable of fn.locals) frame.set(variable, memory.newStorage(variable));
    this.runList(fn.body, mask, null);
    memory.frame = outer;
  }

  /** Runs a list for the lanes in `mask`; the result is the lanes that reach its end. */
  runList(list: readonly BodyNode[], mask: number, loop: LoopState | null): number {
    let current = mask;
    for (let i = 0; i < list.length && current !== 0; i++) {
      const node = list[i]!;
      if (node.kind === 'block') current = this.runBlock(node, current, loop);
      else if (node.kind === 'if') {
        const after = list[i + 1] as Block;
        const condition = this.read(node.condition).u;
        let taken = 0;
        for (let lane = 0; lane < this.lanes; lane++) taken |= (condition[lane]! & 1) << lane;
        const live = current & this.alive;
        const ends = [
          [node.thenBody, live & taken],
          [node.elseBody, live & ~taken],
        ] as const;
        let next = 0;
        for (const [side, sideMask] of ends) {
          const end = this.runList(side, sideMask, loop);
          this.enterBlock(after, lastBlock(side), end);
          next |= end;
        }
        current = next | (current & ~this.alive);
      } else {
        const entered = current;
        const breaks = this.runLoop(node, current & this.alive, list[i - 1] as Block, list[i + 1] as Block);
        current = breaks | (entered & ~this.alive);
      }
    }
    return current;
  }

  runLoop(node: LoopNode, mask: number, before: Block, after: Block): number {
    const state: LoopState = { after, breaks: 0, continues: 0 };
    const header = firstBlock(node.body);
    const last = lastBlock(node.continuing.length > 0 ? node.continuing : node.body);
    this.enterBlock(header, before, mask);
    for (let current = mask; current !== 0; ) {
      this.countStep();
      state.continues = 0;
      current = this.runList(node.body, current, state);
      current |= state.continues;
      if (node.continuing.length > 0) current = this.runList(node.continuing, current, null);
      current &= this.alive;
      this.enterBlock(header, last, current);
    }
    return state.breaks;
  }

  runBlock(block: Block, mask: number, loop: LoopState | null): number {
    for (const instruction of block.instructions) {
      if (instruction.kind === 'phi') continue;
      this.countStep();
      if (instruction.kind === 'jump') {
        if (instruction.op === 'break' && loop !== null) {
          this.enterBlock(loop.after, block, mask);
          loop.breaks |= mask;
        } else if (instruction.op === 'continue' && loop !== null) {
          loop.continues |= mask;
        }
        return 0;
      }
      this.execute(instruction, mask);
    }
    return mask;
  }

  /** Gives the phis of `block` their values for the lanes that come from `from`. */
  enterBlock(block: Block, from: Block, mask: number): void {
    let phis = this.phiBlocks.get(block);
    if (phis === undefined) this.phiBlocks.set(block, (phis = phisOf(block)));
    if (mask === 0 || phis.length === 0) return;
    const values = phis.map((phi) => {
      const index = phi.info.indexOf(from);
      return index < 0 ? undefined : this.read(phi.sources[index]!).u.slice();
    });
    for (let p = 0; p < phis.length; p++) {
      const value = values[p];
      if (value === undefined) continue;
      const { components } = phis[p]!;
      const register = this.write(phis[p]!).u;
      for (let k = 0; k < value.length; k++) if ((mask >> ((k / components) | 0)) & 1) register[k] = value[k]!;
    }
  }

  countStep(): void {
    if (++this.steps > this.stepLimit) throw new StepLimitReached();
  }

  // -------------------------------------------------------------------------------------------------- instructions

  read(value: Instruction): Register {
    return this.registers[value.id] ?? this.write(value);
  }

  write(value: Instruction): Register {
    let register = this.registers[value.id];
    if (register === undefined) {
      register = new Register(value.components, this.lanes);
      this.registers[value.id] = register;
    }
    return register;
  }

  execute(instruction: Instruction, mask: number): void {
    switch (instruction.kind) {
      case 'alu': {
        const sources = instruction.sources.map((source) => this.read(source));
        const result = this.write(instruction);
        if (instruction.op === 'fddx') this.derivative(sources[0]!, result, 1);
        else if (instruction.op === 'fddy') this.derivative(sources[0]!, result, 2);
        else evaluateAlu(instruction, sources, result, this.lanes);
        return;
      }
      case 'const': {
        const result = this.write(instruction);
        for (let k = 0; k < result.u.length; k++) result.u[k] = instruction.info[k % instruction.components]!;
        return;
      }
      case 'undef':
        this.write(instruction).u.fill(0);
        return;
      case 'tex':
        this.environment.texture?.({
          instruction,
          lanes: this.lanes,
          source: (role) => {
            const index = instruction.info.roles.indexOf(role);
            return index < 0 ? undefined : this.read(instruction.sources[index]!);
          },
          result: this.write(instruction),
        });
        return;
      case 'call': {
        const frame: Frame = new Map();
        instruction.info.callee.parameters.forEach((parameter, i) => {
          frame.set(parameter, this.memory.storage(instruction.info.arguments[i]!));
        });
        this.runFunction(instruction.info.callee, frame, mask);
        return;
      }
      case 'intrinsic':
        this.executeIntrinsic(instruction, mask);
    }
  }

  /** Difference to the neighbour in the quad: bit 0 of the lane is x, bit 1 is y. */
  derivative(source: Register, result: Register, bit: number): void {
    const n = source.components;
    for (let lane = 0; lane < this.lanes; lane++) {
      for (let c = 0; c < n; c++) {
        result.f[lane * n + c] = source.f[(lane | bit) * n + c]! - source.f[(lane & ~bit) * n + c]!;
      }
    }
  }

  executeIntrinsic(instruction: IntrinsicInstruction, mask: number): void {
    const n = instruction.components;
    switch (instruction.op) {
      case 'loadInput': {
        const result = this.write(instruction).u;
        const slot = new Uint32Array(4);
        for (let lane = 0; lane < this.lanes; lane++) {
          this.environment.input?.(instruction.info.slot, lane, slot);
          for (let c = 0; c < n; c++) result[lane * n + c] = slot[instruction.info.component + c]!;
        }
        return;
      }
      case 'loadInputAt': {
        const { slot: name, at, component } = instruction.info;
        const place = instruction.sources[0] && this.read(instruction.sources[0]);
        const result = this.write(instruction).u;
        const slot = new Uint32Array(4);
        for (let lane = 0; lane < this.lanes; lane++) {
          const size = place?.components ?? 0;
          const given = place ? place.u.subarray(lane * size, (lane + 1) * size) : new Uint32Array(0);
          this.environment.inputAt?.(name, lane, at, given, slot);
          for (let c = 0; c < n; c++) result[lane * n + c] = slot[component + c]!;
        }
        return;
      }
      case 'sysval': {
        const result = this.write(instruction).u;
        for (let lane = 0; lane < this.lanes; lane++) {
          this.environment.sysval?.(instruction.info.name, lane, result.subarray(lane * n, (lane + 1) * n));
        }
        return;
      }
      case 'loadUniform': {
        const offset = instruction.sources[0] && this.read(instruction.sources[0]).u;
        const result = this.write(instruction).u;
        for (let lane = 0; lane < this.lanes; lane++) {
          const extra = offset ? Math.min(offset[lane]!, instruction.info.range - 1) : 0;
          const slot = (instruction.info.base + extra) * 4;
          for (let c = 0; c < n; c++) result[lane * n + c] = this.environment.uniforms?.[slot + c] ?? 0;
        }
        return;
      }
      case 'loadUbo': {
        const offset = instruction.sources[0] && this.read(instruction.sources[0]).u;
        const words = this.environment.uniformBlocks?.[instruction.info.block] ?? new Uint32Array(0);
        const result = this.write(instruction).u;
        for (let lane = 0; lane < this.lanes; lane++) {
          const byte = (instruction.info.base + (offset ? offset[lane]! : 0)) >>> 0;
          const first = Math.min(byte >>> 2, Math.max(words.length - n, 0));
          for (let c = 0; c < n; c++) result[lane * n + c] = words[first + c] ?? 0;
        }
        return;
      }
      case 'storeOutput':
        this.storeOutput(instruction, mask & this.alive);
        return;
      case 'discard': {
        let lanes = mask;
        if (instruction.sources.length > 0) {
          const condition = this.read(instruction.sources[0]!).u;
          for (let lane = 0; lane < this.lanes; lane++) if (!condition[lane]) lanes &= ~(1 << lane);
        }
        this.alive &= ~lanes;
        return;
      }
      case 'loadLocal':
      case 'storeLocal':
        this.accessLocal(instruction, mask);
        return;
      default:
        this.memory.access(instruction, mask);
    }
  }

  storeOutput(instruction: Intrinsic<'storeOutput'>, mask: number): void {
    const { slot, component } = instruction.info;
    const value = this.read(instruction.sources[0]!);
    let words = this.outputs.get(slot);
    if (words === undefined) this.outputs.set(slot, (words = new Uint32Array(4 * this.lanes)));
    const canonical = this.canonicalComponents(slot);
    for (let lane = 0; lane < this.lanes; lane++) {
      if (!((mask >> lane) & 1)) continue;
      for (let c = 0; c < value.components; c++) {
        const k = lane * value.components + c;
        const isInvalid = (canonical >> (component + c)) & 1 && Number.isNaN(value.f[k]);
        words[lane * 4 + component + c] = isInvalid ? 0x7fc00000 : value.u[k]!;
      }
    }
  }

  /** Bit c: NaNs in this component of an output become the canonical one. */
  canonicalComponents(slot: Slot): number {
    const output = this.shader.outputs.find((each) => each.slot === slot);
    if (output === undefined) return 15;
    return output.base === 'float' ? ~(output.rawComponents ?? 0) : 0;
  }

  accessLocal(instruction: Intrinsic<'loadLocal'> | Intrinsic<'storeLocal'>, mask: number): void {
    const { length, components } = this.shader.locals[instruction.info.array]!;
    const words = this.localArrays[instruction.info.array]!;
    const index = this.read(instruction.sources[0]!).u;
    const value = instruction.op === 'storeLocal' ? this.read(instruction.sources[1]!).u : this.write(instruction).u;
    for (let lane = 0; lane < this.lanes; lane++) {
      const first = (lane * length + Math.min(index[lane]!, length - 1)) * components;
      for (let c = 0; c < components; c++) {
        if (instruction.op === 'loadLocal') value[lane * components + c] = words[first + c]!;
        else if ((mask >> lane) & (instruction.info.writeMask >> c) & 1)
          words[first + c] = value[lane * components + c]!;
      }
    }
  }
}
