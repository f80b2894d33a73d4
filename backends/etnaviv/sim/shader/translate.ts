// From a shader program of the GPU to IR: registers become variables, which the IR's passes then turn into values.

import { type Builder, createBuilder } from '../../../../src/ir/builder.ts';
import {
  arrayType,
  createFunction,
  createShader,
  type Interpolation,
  type SamplerInfo,
  type Shader,
  type Slot,
  type TexOp,
  type Value,
  type Variable,
  vectorType,
} from '../../../../src/ir/ir.ts';
import { optimizeShader } from '../../../../src/ir/optimize.ts';
import { disassembleInstruction } from '../../isa/disassemble.ts';
import { ADDRESSING, type Addressing } from '../../isa/enums.table.ts';
import { type Instruction, IsaError, immediateWord, type RegisterOperand } from '../../isa/instruction.ts';
import type { AlphaTest } from '../draw-state.ts';
import {
  compare,
  isUnaryCondition,
  OPERATIONS,
  type Operands,
  type TypeClass,
  test,
  typeClass,
  written,
} from './operations.ts';
import { blockStarts, isAlways, isJump, type Region, structureProgram } from './structure.ts';

/** Instructions that want a pixel and its neighbours. */
const PIXEL_ONLY: ReadonlySet<string> = new Set(['texkill', 'dsx', 'dsy']);

/** A value that stands in a temporary when the program starts. */
export interface ShaderInput {
  readonly register: number;
  readonly slot: Slot;
  readonly components: number;
  readonly interpolation: Interpolation;
  /** By component: taken from the place in the point instead (fragment stage). */
  readonly pointCoord?: readonly ('x' | 'y' | null)[];
}

/** A temporary that leaves the program. */
export interface ShaderOutput {
  readonly register: number;
  readonly slot: Slot;
  readonly components: number;
  /** First component of the register. */
  readonly component: number;
  readonly saturate: boolean;
}

export interface ShaderInterface {
  readonly stage: 'vertex' | 'fragment';
  readonly inputs: readonly ShaderInput[];
  readonly outputs: readonly ShaderOutput[];
  /** By sampler number as instructions give it (base added); null: nothing is bound. */
  readonly samplers: readonly (Omit<SamplerInfo, 'name'> | null)[];
  /** Added to the sampler number of texture instructions. */
  readonly samplerBase: number;
  /** Size of the uniform file in vec4. */
  readonly uniformSlots: number;
  /** Where gl_VertexID and gl_InstanceID stand: four times the temporary plus the component. */
  readonly vertexIdPlace: number | null;
  readonly instanceIdPlace: number | null;
  /** Clip z runs from 0 to w (else from -w to w). */
  readonly zeroToOneDepth: boolean;
  /** Pixels whose first colour's alpha fails are not drawn; null: no test. */
  readonly alphaTest: AlphaTest | null;
  /** A quad's vertical derivative is that of the rows in memory. */
  readonly earlyTests: boolean;
}

/** A uniform that holds the address of a buffer that `load` reads. */
export interface UniformPointer {
  readonly slot: number;
  readonly component: number;
}

export interface TranslatedShader {
  readonly shader: Shader;
  /** Uniform block i of the shader is the buffer at this pointer. */
  readonly pointers: readonly UniformPointer[];
  readonly instructions: number;
}

const ALPHA_COMPARES: Readonly<Record<AlphaTest['func'], ((b: Builder, a: Value, r: Value) => Value) | null>> = {
  never: null,
  less: (b, a, r) => b.flt(a, r),
  equal: (b, a, r) => b.feq(a, r),
  lessEqual: (b, a, r) => b.fge(r, a),
  greater: (b, a, r) => b.flt(r, a),
  notEqual: (b, a, r) => b.fneu(a, r),
  greaterEqual: (b, a, r) => b.fge(a, r),
  always: null,
};

/** Uniforms from 128 on have a register group of their own. */
const HIGH_UNIFORMS = 128;

/** Of the state machine that runs programs without structure. */
const STATE_LIMIT = 400;

export function translateShader(program: readonly Instruction[], end: number, io: ShaderInterface): TranslatedShader {
  const translator = new Translator(program, Math.min(end, program.length), io);
  translator.run();
  const { shader, pointers } = translator;
  const result = optimizeShader(shader);
  if (!result.ok) throw new IsaError(`the shader is ${result.message}`, 0);
  return { shader, pointers, instructions: program.length };
}

class Translator {
  readonly shader: Shader;
  readonly pointers: UniformPointer[] = [];
  private readonly b: Builder;
  private readonly program: readonly Instruction[];
  private readonly end: number;
  private readonly io: ShaderInterface;
  private readonly temps = new Map<number, Variable>();
  /** All temporaries as one array, when the program indexes them. */
  private readonly tempArray: Variable | null;
  private readonly addressVariable: Variable;
  private readonly vec4 = vectorType('float', 4);

  constructor(program: readonly Instruction[], end: number, io: ShaderInterface) {
    this.program = program;
    this.end = end;
    this.io = io;
    this.shader = createShader(io.stage, `vivante ${io.stage}`);
    this.shader.uniformSlots = io.uniformSlots;
    // A GPU computes what it is told, also where that is not a number.
    this.shader.isExact = true;
    this.b = createBuilder(this.shader);
    this.addressVariable = this.b.global('a', vectorType('int', 4));
    this.tempArray = this.indexesTemporaries() ? this.b.global('t', arrayType(this.vec4, 128)) : null;
    for (const [index, sampler] of io.samplers.entries()) {
      this.shader.samplers.push(
        sampler
          ? { name: `tex${index}`, ...sampler }
          : { name: `tex${index}`, dim: '2d', shadow: false, resultType: 'float' },
      );
    }
  }

  run(): void {
    this.loadInputs();
    const structure = structureProgram(this.program, 0, this.end);
    // A jump to the end leaves the program but not its outputs: the program is then a function of its own.
    if (structure !== null && this.hasReturn(structure)) {
      const body = createFunction(this.shader, 'body');
      this.b.call(body, []);
      this.storeOutputs();
      this.b.setFunction(body);
      this.emitRegions(structure);
      return;
    }
    if (structure) this.emitRegions(structure);
    else this.emitStateMachine();
    this.storeOutputs();
  }

  // ------------------------------------------------------------------------------------------------- registers

  private indexesTemporaries(): boolean {
    return this.program.some(
      ({ dst, sources }) =>
        (dst !== null && dst.addressing !== 'direct') ||
        sources.some((s) => s?.kind === 'register' && s.group.startsWith('temp') && s.addressing !== 'direct'),
    );
  }

  private temp(register: number): Variable {
    let variable = this.temps.get(register);
    if (!variable) {
      variable = this.b.global(`t${register}`, this.vec4);
      this.temps.set(register, variable);
    }
    return variable;
  }

  private addressOf(addressing: Addressing): Value {
    return this.b.channel(this.b.loadVar(this.addressVariable), ADDRESSING.indexOf(addressing) - 1);
  }

  private readTemp(register: number, addressing: Addressing): Value {
    if (!this.tempArray) return this.b.loadVar(this.temp(register));
    if (addressing === 'direct') return this.b.loadVar(this.tempArray, [Math.min(register, 127)]);
    const index = this.b.iadd(this.b.constInt(register), this.addressOf(addressing));
    return this.b.loadVar(this.tempArray, [index]);
  }

  /** Writes the components of `mask`; `value` has as many components as the mask. */
  private writeTemp(register: number, addressing: Addressing, mask: number, value: Value): void {
    if (mask === 0) return;
    const places = [0, 1, 2, 3].map((c) => ((mask >> c) & 1 ? popcount(mask & ((1 << c) - 1)) : 0));
    const whole =
      value.components === 4 ? value : value.components === 1 ? this.b.splat(value, 4) : this.b.swizzle(value, places);
    if (!this.tempArray) {
      this.b.storeVar(this.temp(register), [], whole, mask);
      return;
    }
    const index =
      addressing === 'direct'
        ? Math.min(register, 127)
        : this.b.iadd(this.b.constInt(register), this.addressOf(addressing));
    this.b.storeVar(this.tempArray, [index], whole, mask);
  }

  private loadInputs(): void {
    const { b, io } = this;
    if (io.stage === 'fragment') this.writeTemp(0, 'direct', 15, b.sysval('fragCoord'));
    for (const input of io.inputs) {
      this.shader.inputs.push({
        name: `t${input.register}`,
        slot: input.slot,
        components: 4,
        base: 'float',
        interpolation: input.interpolation,
        centroid: false,
      });
      let value: Value = b.loadInput(input.slot, 4);
      if (input.pointCoord?.some((use) => use !== null)) {
        const coord = b.sysval('pointCoord');
        const channels: Value[] = b.channels(value);
        for (const [index, use] of input.pointCoord.entries()) {
          if (use !== null && index < 4) channels[index] = b.channel(coord, use === 'x' ? 0 : 1);
        }
        value = b.vec(...channels);
      }
      this.writeTemp(input.register, 'direct', 15, value);
    }
    this.loadId(io.vertexIdPlace, 'vertexId');
    this.loadId(io.instanceIdPlace, 'instanceId');
  }

  private loadId(place: number | null, name: 'vertexId' | 'instanceId'): void {
    if (place !== null) this.writeTemp(place >> 2, 'direct', 1 << (place & 3), this.b.sysval(name));
  }

  private storeOutputs(): void {
    const { b, io } = this;
    this.shader.earlyFragmentTests = io.earlyTests;
    this.testAlpha();
    for (const output of io.outputs) {
      this.shader.outputs.push({
        name: `t${output.register}`,
        slot: output.slot,
        components: output.components,
        base: 'float',
        interpolation: 'smooth',
        centroid: false,
      });
      let value: Value = b.swizzle(
        this.readTemp(output.register, 'direct'),
        [0, 1, 2, 3].slice(output.component, output.component + output.components),
      );
      if (output.saturate) value = b.fsat(value);
      if (output.slot === 'position' && io.zeroToOneDepth) value = this.symmetricDepth(value);
      b.storeOutput(output.slot, value);
    }
  }

  private testAlpha(): void {
    const { b, io } = this;
    const color = io.outputs.find(({ slot }) => slot === 'color0');
    if (!io.alphaTest || !color) return;
    const { func, reference } = io.alphaTest;
    if (func === 'never') return b.discard();
    let alpha: Value = b.channel(this.readTemp(color.register, 'direct'), 3);
    if (color.saturate) alpha = b.fsat(alpha);
    b.discard(b.lnot(ALPHA_COMPARES[func]!(b, alpha, b.constFloat(reference))));
  }

  /** The engine clips -w <= z <= w: z' = 2z - w. */
  private symmetricDepth(position: Value): Value {
    const { b } = this;
    const [x, y, z, w] = b.channels(position) as [Value, Value, Value, Value];
    return b.vec(x, y, b.fsub(b.fmul(z, b.constFloat(2)), w), w);
  }

  // -------------------------------------------------------------------------------------------------- operands

  private register(operand: RegisterOperand): Value {
    const { b, io } = this;
    const { group, register, addressing } = operand;
    switch (group) {
      case 'temp':
      case 'tempFull':
        return this.readTemp(register, addressing);
      case 'internal':
        // Only i0.x is known: not zero on front-facing pixels.
        return b.splat(b.b2f(io.stage === 'fragment' ? b.sysval('frontFacing') : b.constBool(true)), 4);
      default: {
        const base = register + (group === 'uniformHigh' ? HIGH_UNIFORMS : 0);
        if (base >= io.uniformSlots) return b.constInt(0, 0, 0, 0);
        if (addressing === 'direct') return b.loadUniform(4, base);
        return b.loadUniform(4, base, this.addressOf(addressing), io.uniformSlots - base);
      }
    }
  }

  private operand(instruction: Instruction, index: 0 | 1 | 2, type: TypeClass, components: readonly number[]): Value {
    const { b } = this;
    const operand = instruction.sources[index];
    if (!operand) return b.splat(b.constInt(0), components.length);
    if (operand.kind === 'immediate') return b.splat(b.constBits(immediateWord(operand)), components.length);
    const selection = components.map((component) => (operand.swizzle >> (2 * component)) & 3);
    let value: Value = b.swizzle(this.register(operand), selection);
    if (operand.absolute) value = type === 'float' ? b.fabs(value) : b.iabs(value);
    if (operand.negate) value = type === 'float' ? b.fneg(value) : b.ineg(value);
    return value;
  }

  private operands(instruction: Instruction): Operands {
    const type = typeClass(instruction.type);
    // Float to integer reads floats, whatever its type says of the result.
    const readType = instruction.op === 'f2i' ? 'float' : type;
    const components = written(instruction);
    return {
      b: this.b,
      instruction,
      type,
      count: components.length,
      source: (index) => this.operand(instruction, index, readType, components),
      whole: (index, count) => this.operand(instruction, index, readType, [0, 1, 2, 3].slice(0, count)),
      scalar: (index) => this.operand(instruction, index, readType, [0]),
    };
  }

  // ---------------------------------------------------------------------------------------------- instructions

  private emitInstruction(at: number): void {
    const instruction = this.program[at]!;
    const { op, dst } = instruction;
    if (op === 'nop' || op === 'barrier') return;
    if (this.io.stage === 'vertex' && PIXEL_ONLY.has(op)) {
      throw new IsaError(`instruction ${at}: ${op} in a vertex program`, at * 16);
    }
    if (op === 'texkill') return this.emitKill(instruction);
    if (op === 'movar' || op === 'movaf' || op === 'movai') return this.emitAddress(instruction);
    if (instruction.texture) return this.emitTexture(instruction);
    if (op === 'load') return this.emitLoad(instruction);
    const operation = OPERATIONS[op];
    if (!operation) {
      throw new IsaError(
        `instruction ${at}: '${disassembleInstruction(instruction).trim()}' is not simulated`,
        at * 16,
      );
    }
    if (dst === null || dst.mask === 0) return;
    const operands = this.operands(instruction);
    let value = operation(operands);
    if (value.components === 1 && operands.count > 1) value = this.b.splat(value, operands.count);
    if (instruction.saturate && operands.type === 'float') value = this.b.fsat(value);
    this.writeTemp(dst.register, dst.addressing, dst.mask, value);
  }

  /** The condition of a jump or kill: over the x components. */
  private condition(instruction: Instruction): Value {
    const { b } = this;
    const type = typeClass(instruction.type);
    const source = (index: 0 | 1) => this.operand(instruction, index, type, [0]);
    if (isUnaryCondition(instruction.condition)) {
      if (instruction.op !== 'branch_any') return test(b, instruction.condition, type, source(0));
      return b.bany(test(b, instruction.condition, type, this.operand(instruction, 0, type, [0, 1, 2, 3])));
    }
    if (instruction.op !== 'branch_any') return compare(b, instruction.condition, type, source(0), source(1));
    const all = (index: 0 | 1) => this.operand(instruction, index, type, [0, 1, 2, 3]);
    return b.bany(compare(b, instruction.condition, type, all(0), all(1)));
  }

  private emitKill(instruction: Instruction): void {
    this.b.discard(instruction.condition === 'true' ? undefined : this.condition(instruction));
  }

  private emitAddress(instruction: Instruction): void {
    const { b } = this;
    const { dst, op } = instruction;
    if (!dst || dst.mask === 0) return;
    const value = this.operand(instruction, 2, op === 'movai' ? 'int' : 'float', [0, 1, 2, 3]);
    const index = op === 'movai' ? b.mov(value) : b.f2i(b.ffloor(value));
    b.storeVar(this.addressVariable, [], index, dst.mask);
  }

  private emitTexture(instruction: Instruction): void {
    const { b, io } = this;
    const { op, texture, dst } = instruction;
    if (!dst || dst.mask === 0 || !texture) return;
    if (texture.addressing !== 'direct') throw new IsaError('samplers that are indexed are not simulated', 0);
    const sampler = texture.unit + io.samplerBase;
    const info = io.samplers[sampler];
    if (!info) {
      // Nothing is bound: hardware reads a null texture.
      this.writeTemp(dst.register, dst.addressing, dst.mask, b.splat(b.constInt(0), written(instruction).length));
      return;
    }
    const coordinates = info.dim === '2d' ? 2 : 3;
    const first = this.operand(instruction, 0, 'float', [0, 1, 2, 3]);
    const has1 = instruction.sources[1] !== null;
    const extra = () => (has1 ? this.operand(instruction, 1, 'float', [0]) : b.channel(first, 3));
    const gradient = (index: 1 | 2) => this.operand(instruction, index, 'float', [0, 1, 2].slice(0, coordinates));
    const kind = TEXTURE_OPS[op];
    if (!kind) throw new IsaError(`'${disassembleInstruction(instruction).trim()}' is not simulated`, 0);
    let coord: Value = b.swizzle(first, [0, 1, 2].slice(0, coordinates));
    if (kind === 'fetch') coord = this.operand(instruction, 0, 'int', [0, 1, 2].slice(0, coordinates));
    // The reference value follows the coordinates; texld* with comparison have it in their last source where there is one.
    const reference = () =>
      instruction.sources[2] && op !== 'texldd'
        ? this.operand(instruction, 2, 'float', [0])
        : b.channel(first, info.dim === '2d' ? 2 : 3);
    const result = b.tex({
      op: kind,
      sampler,
      dim: info.dim,
      shadow: info.shadow,
      resultType: info.resultType,
      coord,
      ...(info.shadow ? { comparator: reference() } : {}),
      ...(kind === 'bias' ? { bias: extra() } : {}),
      ...(kind === 'lod' ? { lod: extra() } : {}),
      ...(kind === 'fetch' ? { lod: b.f2i(extra()) } : {}),
      ...(kind === 'grad' ? { ddx: gradient(1), ddy: gradient(2) } : {}),
    });
    const texel = result.components === 1 ? b.splat(result, 4) : result;
    const selection = written(instruction).map((component) => (texture.swizzle >> (2 * component)) & 3);
    let value: Value = b.swizzle(texel, selection);
    if (instruction.saturate) value = b.fsat(value);
    this.writeTemp(dst.register, dst.addressing, dst.mask, value);
  }

  /** `load` reads through a pointer that stands in a uniform; that becomes a uniform block. */
  private emitLoad(instruction: Instruction): void {
    const { b } = this;
    const { dst, sources } = instruction;
    if (!dst || dst.mask === 0) return;
    const isPointer = (index: 0 | 1) => {
      const source = sources[index];
      return source?.kind === 'register' && source.group.startsWith('uniform') && source.addressing === 'direct';
    };
    const pointer = isPointer(1) ? 1 : isPointer(0) ? 0 : null;
    if (pointer === null) {
      throw new IsaError(
        `'${disassembleInstruction(instruction).trim()}': addresses that no uniform holds are not simulated`,
        0,
      );
    }
    const operand = sources[pointer] as RegisterOperand;
    const slot = operand.register + (operand.group === 'uniformHigh' ? HIGH_UNIFORMS : 0);
    const block = this.pointerBlock(slot, operand.swizzle & 3);
    const offset = b.ishl(
      this.operand(instruction, pointer === 1 ? 0 : 1, 'int', [0]),
      b.constInt(instruction.leftShift),
    );
    const count = 32 - Math.clz32(dst.mask);
    const loaded = b.loadUbo(count, block, 0, offset);
    this.writeTemp(dst.register, dst.addressing, dst.mask, b.swizzle(loaded, written(instruction)));
  }

  private pointerBlock(slot: number, component: number): number {
    const known = this.pointers.findIndex((p) => p.slot === slot && p.component === component);
    if (known >= 0) return known;
    this.pointers.push({ slot, component });
    this.shader.uniformBlocks.push({ name: `u${slot}.${'xyzw'[component]}`, sizeBytes: 65536 });
    return this.pointers.length - 1;
  }

  // ---------------------------------------------------------------------------------------------- control flow

  private hasReturn(regions: readonly Region[]): boolean {
    return regions.some(
      (region) =>
        region.kind === 'return' ||
        (region.kind === 'if' && (this.hasReturn(region.skipped) || this.hasReturn(region.otherwise))) ||
        (region.kind === 'loop' && this.hasReturn(region.body)),
    );
  }

  private emitRegions(regions: readonly Region[]): void {
    const { b } = this;
    for (const region of regions) {
      switch (region.kind) {
        case 'code':
          for (let at = region.from; at < region.to; at++) {
            // `ret` outside of a call ends the program; callers do not exist here.
            this.emitInstruction(at);
          }
          break;
        case 'if': {
          const taken = this.condition(this.program[region.at]!);
          b.if(
            taken,
            () => this.emitRegions(region.otherwise),
            () => this.emitRegions(region.skipped),
          );
          break;
        }
        case 'loop':
          b.loop(() => this.emitRegions(region.body));
          break;
        default:
          this.emitLeave(region.kind, region.at);
      }
    }
  }

  private emitLeave(kind: 'break' | 'continue' | 'return', at: number | null): void {
    const { b } = this;
    const jump = () => b.jump(kind);
    if (at === null) jump();
    else b.if(this.condition(this.program[at]!), jump);
  }

  /**
   * Blocks in program order, each run where the state says so. Jumps forward are taken in the same round, jumps back in the
   * next one.
   */
  private emitStateMachine(): void {
    const { b } = this;
    const starts = blockStarts(this.program, 0, this.end);
    if (starts.length > STATE_LIMIT) throw new IsaError('the program has too many jumps to be simulated', 0);
    const state = b.global('state', vectorType('int', 1));
    const set = (target: number) => {
      const block = starts.indexOf(target);
      b.storeVar(state, [], b.constInt(block < 0 ? starts.length : block));
    };
    set(0);
    b.loop(() => {
      b.if(b.ieq(b.loadVar(state), b.constInt(starts.length)), () => b.break());
      for (const [block, from] of starts.entries()) {
        b.if(b.ieq(b.loadVar(state), b.constInt(block)), () => {
          const to = starts[block + 1] ?? this.end;
          set(to);
          for (let at = from; at < to; at++) {
            const instruction = this.program[at]!;
            if (!isJump(instruction)) this.emitInstruction(at);
            else if (isAlways(instruction)) set(instruction.target!);
            else b.if(this.condition(instruction), () => set(instruction.target!));
          }
        });
      }
    });
  }
}

const TEXTURE_OPS: Readonly<Record<string, TexOp>> = {
  texld: 'sample',
  texldb: 'bias',
  texldl: 'lod',
  texldd: 'grad',
  texldpcf: 'sample',
  texldlpcf: 'lod',
  texelfetch: 'fetch',
};

function popcount(value: number): number {
  let count = 0;
  for (let rest = value; rest !== 0; rest &= rest - 1) count++;
  return count;
}
