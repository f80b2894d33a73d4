// Turns the body of a lowered shader into straight WebAssembly SIMD: one v128 local per live component (lane = vertex or pixel of
// a quad), no memory traffic for temporaries. `width` sets of lanes (quads) go through together, each with locals of its own;
// uniform values have one local for all. The stage program makes the loop around it and supplies inputs (StageAdapter).
//
// Order of calls: `emitPreamble()` before the loop; in it, once a step, `emitStep()`, then `pushOutput()`.
import { listOf } from '../base/list.ts';
import type { Format } from '../format/format.ts';
import type {
  AluInstruction,
  Instruction,
  InterpolationPlace,
  Intrinsic,
  Shader,
  Slot,
  SystemValue,
  TexInstruction,
  Value,
} from '../ir/ir.ts';
import { texSource } from '../ir/ir.ts';
import { DRAW, STATUS, TEXTURE_BINDING } from '../raster/layout.ts';
import { Expr, type Local } from '../wasm/expr.ts';
import type { FunctionBuilder, GlobalHandle, Label } from '../wasm/function-builder.ts';
import { tooComplex } from '../wasm/types.ts';
import { type AluOperands, emitAlu } from './alu.ts';
import { analyzeBody, type BodyAnalysis, PLACE } from './analyze-body.ts';
import { emitNodes, type Scope } from './control-flow.ts';
import { type DirectOutput, findDirectOutputs, reorderBytes } from './direct-texels.ts';
import { type LocalMemory, MemoryAccess } from './memory-access.ts';
import { emitTexture, type SamplerKey } from './sample.ts';
import { type PreloadedTexture, preloadTexture } from './sample-preload.ts';
import { givesBytes, texelPlaces } from './texel.ts';

/** What a stage program supplies to the body: values from outside, by lane set `k`. */
export interface StageAdapter {
  /** Address of constant buffer 0, of the UBO array and of the TEXTURE_BINDING array. */
  readonly uniforms: Local<'i32'>;
  readonly ubos: Local<'i32'>;
  readonly textures: Local<'i32'>;
  /** Null where nothing is bound: reads 0, 0, 0, 1. */
  samplerKey(sampler: number): SamplerKey | null;
  /** Loads the components in `mask` of an input; the result gives each of them. Called in a scope that ends behind their use. */
  input(slot: Slot, mask: number, k: number): (component: number) => Expr<'v128'>;
  /** The same interpolated at a place, for which `given` holds the vectors of loadInputAt's source. */
  inputAt(
    slot: Slot,
    mask: number,
    k: number,
    at: InterpolationPlace,
    given: readonly Local<'v128'>[],
  ): (component: number) => Expr<'v128'>;
  /** Format of a colour target that takes an output's bytes as they are (`isDirectTarget`, not blended); null: not this one. */
  directTarget(slot: Slot): Format | null;
  pushSystemValue(name: SystemValue, component: number, k: number): void;
}

export interface BodyOptions {
  readonly f: FunctionBuilder;
  readonly shader: Shader;
  readonly width: 1 | 2;
  readonly adapter: StageAdapter;
  /** Address of the STATUS with the loop budget. */
  readonly status: Local<'i32'>;
  /** Zero in a way that the engine cannot know, and where a value goes that nobody reads (see `cutBlock`). */
  readonly never: Local<'i32'>;
  readonly sink: GlobalHandle<'i32'>;
}

export interface StepMasks {
  /** Lanes that run: locals by lane set, or null for all. May be the same locals as `alive`. */
  readonly exec: readonly Local<'v128'>[] | null;
  /** Lanes whose results are wanted; discards clear theirs. Null only for shaders without discard. */
  readonly alive: readonly Local<'v128'>[] | null;
}

/** Vector instructions after which a block of straight code is cut (`cutBlock`); measured. */
const CUT_DISTANCE = 64;

/** Well below what V8 accepts, because its optimiser needs a few hundred bytes of memory for each byte of code. */
const MAX_BODY_BYTES = 3_000_000;
/** Temporary arrays of one step. */
const MAX_SCRATCH_BYTES = 1 << 24;

export class BodyCompiler {
  readonly f: FunctionBuilder;
  readonly shader: Shader;
  readonly width: 1 | 2;
  readonly adapter: StageAdapter;
  readonly analysis: BodyAnalysis;
  readonly memory: MemoryAccess;
  readonly status: Local<'i32'>;
  private readonly never: Local<'i32'>;
  private readonly sink: GlobalHandle<'i32'>;
  /** Back edges left; null in shaders without loops. */
  budget: Local<'i32'> | null = null;
  /** Ends the whole function's work: the budget is used up. Opened by `openTimeout`. */
  timeout: Label | null = null;
  /** Ends the step: no lane is alive. */
  stepEnd: Label | null = null;
  alive: readonly Local<'v128'>[] | null = null;
  /** Local by value id · 8 + component · 2 + lane set; -1 where there is none. */
  private readonly slots: Int32Array;
  private readonly outputs = new Map<Slot, number[]>();
  private readonly varyingOutputs = new Set<Slot>();
  /** How many stores to an output were emitted. */
  private readonly stores = new Map<Slot, number>();
  /** Locals of constants that are used more than once, by pattern. */
  private readonly constants = new Map<number, number>();
  /** Values whose locals become free after a position, as linked lists. */
  private readonly expiringHead: Int32Array;
  private readonly expiringNext: Int32Array;
  private released = 0;
  private readonly directOutputs: ReadonlyMap<TexInstruction, DirectOutput>;
  /** Outputs as bytes of the target, by lane set. */
  private readonly directBytes = new Map<Slot, Local<'v128'>[]>();
  /** By sampler index. */
  private readonly preloaded = new Map<number, PreloadedTexture>();
  /** Values made since the last cut, and vector instructions emitted since. */
  private fresh: Value[] = [];
  private sinceCut = 0;

  constructor(options: BodyOptions, scratch: LocalMemory) {
    this.f = options.f;
    this.shader = options.shader;
    this.width = options.width;
    this.adapter = options.adapter;
    this.status = options.status;
    this.never = options.never;
    this.sink = options.sink;
    this.analysis = analyzeBody(options.shader);
    this.directOutputs = findDirectOutputs(options.shader);
    this.slots = new Int32Array(options.shader.nextValueId * 8).fill(-1);
    this.expiringHead = new Int32Array(this.analysis.end + 1).fill(-1);
    this.expiringNext = new Int32Array(options.shader.nextValueId).fill(-1);
    this.memory = new MemoryAccess(this, scratch);
    if (scratch.bytes > MAX_SCRATCH_BYTES) throw tooComplex(this.shader.name, scratch.bytes, 'bytes');
  }

  // ---- stages of a function

  emitPreamble(): void {
    const { f, analysis } = this;
    if (analysis.hasLoops) this.budget = f.let(f.i32.load(this.status, STATUS.offset.loopBudget));
    // A local is two bytes where a constant is eighteen, and quicker before V8 has optimised.
    for (const [bits, uses] of analysis.constants) {
      if (uses < 2 || bits === 0 || bits === 0xffffffff) continue;
      const local = f.newLocal('v128');
      f.splatConst(bits);
      f.localSet(local);
      this.constants.set(bits, local);
    }
    this.memory.emitPreamble();
    this.preloadTextures();
    for (const instruction of analysis.preamble) this.emitInstruction(instruction, null);
    this.allocateOutputs();
  }

  private preloadTextures(): void {
    const { f, adapter } = this;
    for (const sampler of this.analysis.samplers) {
      const key = adapter.samplerKey(sampler);
      if (key === null) continue;
      const binding = f.let(f.i32.add(adapter.textures, sampler * TEXTURE_BINDING.size));
      this.preloaded.set(sampler, preloadTexture(f, key, binding));
    }
  }

  /** Opens the block that a used-up loop budget leaves, around the loop over steps. */
  openTimeout(): void {
    if (this.analysis.hasLoops) this.timeout = this.f.beginBlock();
  }

  /** Ends that block and writes the budget back. */
  closeTimeout(): void {
    const { f, budget } = this;
    if (budget === null) return;
    f.end();
    f.if(f.i32.lt_s(budget, 0), () => {
      f.set(budget, 0);
      f.i32.store(this.status, 1, STATUS.offset.timedOut);
    });
    f.i32.store(this.status, budget, STATUS.offset.loopBudget);
  }

  emitStep(masks: StepMasks): void {
    const { f } = this;
    this.alive = masks.alive;
    this.memory.emitClear();
    for (const [slot, locals] of this.outputs) this.clearOutput(slot, locals);
    const ownExec: number[] = [];
    let exec = masks.exec === null ? null : masks.exec.map((mask) => mask.index);
    if (exec === null && this.shader.usage.discard) {
      for (let k = 0; k < this.width; k++) {
        const mask = f.newLocal('v128');
        f.splatConst(-1);
        f.localSet(mask);
        ownExec.push(mask);
      }
      exec = ownExec;
    }
    this.stepEnd = f.beginBlock();
    for (const instruction of this.analysis.early) this.emitInstruction(instruction, null);
    const root: Scope = { parent: null, exec, loop: null, isDivergent: false };
    emitNodes(this, this.shader.main.body, root);
    f.end();
    this.releaseUpTo(this.analysis.end);
    this.released = 0;
    for (const mask of ownExec) f.freeLocal(mask);
  }

  // ---- values

  isWide(value: Value): boolean {
    return this.width === 2 && !value.uniform && this.analysis.place[value.id] !== PLACE.PREAMBLE;
  }

  /** Brings one component of a value onto the stack. */
  push(value: Value, component: number, k: number): void {
    const { analysis, f } = this;
    let v = value;
    let c = component;
    while (analysis.place[v.id] === PLACE.ALIAS) {
      const { op, sources, info }: Instruction = v;
      v = op === 'vec' ? sources[c] : sources[0];
      c = op === 'vec' ? 0 : op === 'swizzle' ? (info as readonly number[])[c] : c;
    }
    if (v.kind === 'const') return this.pushConstant(v.bits === 1 ? -v.info[c] : v.info[c]);
    if (v.kind === 'undef') return f.splatConst(0);
    if (analysis.folded[v.id * 4 + c] === 1) return this.emitAluComponent(v as AluInstruction, c, k);
    const slot = this.slots[v.id * 8 + c * 2 + (this.isWide(v) ? k : 0)];
    if (slot < 0) throw new Error(`value ${v.id} (${v.op}) is read before it is made`);
    f.localGet(slot);
  }

  private pushConstant(bits: number): void {
    const local = this.constants.get(bits);
    if (local === undefined) this.f.splatConst(bits);
    else this.f.localGet(local);
  }

  /** The same as an expression. */
  vector(value: Value, component: number, k: number): Expr<'v128'> {
    return new Expr('v128', () => this.push(value, component, k));
  }

  /** The pattern of a component that is a constant. */
  constant(value: Value, component: number): number | undefined {
    let v = value;
    let c = component;
    while (this.analysis.place[v.id] === PLACE.ALIAS) {
      const { op, sources, info }: Instruction = v;
      v = op === 'vec' ? sources[c] : sources[0];
      c = op === 'vec' ? 0 : op === 'swizzle' ? (info as readonly number[])[c] : c;
    }
    return v.kind === 'const' ? v.info[c] : v.kind === 'undef' ? 0 : undefined;
  }

  isUsed(value: Value, component: number): boolean {
    return this.analysis.uses[value.id * 4 + component] > 0;
  }

  /** Reserves the locals of a value's used components (a phi's before the region that writes it). */
  allocate(value: Value): void {
    const wide = this.isWide(value);
    for (let c = 0; c < value.components; c++) {
      if (!this.isUsed(value, c) || this.analysis.folded[value.id * 4 + c] === 1) continue;
      const slot = value.id * 8 + c * 2;
      if (this.slots[slot] >= 0) continue;
      this.slots[slot] = this.f.newLocal('v128');
      if (wide) this.slots[slot + 1] = this.f.newLocal('v128');
    }
    if (this.analysis.place[value.id] === PLACE.PREAMBLE) return;
    if (value.kind !== 'phi') this.fresh.push(value);
    const last = this.analysis.lastUse[value.id];
    this.expiringNext[value.id] = this.expiringHead[last];
    this.expiringHead[last] = value.id;
  }

  slot(value: Value, component: number, k: number): number {
    return this.slots[value.id * 8 + component * 2 + (this.isWide(value) ? k : 0)];
  }

  /** Frees the locals of values that are not used after this position. */
  releaseUpTo(position: number): void {
    for (; this.released <= position; this.released++) {
      let id = this.expiringHead[this.released];
      this.expiringHead[this.released] = -1;
      while (id >= 0) {
        for (let slot = id * 8; slot < id * 8 + 8; slot++) {
          if (this.slots[slot] >= 0) this.f.freeLocal(this.slots[slot]);
          this.slots[slot] = -1;
        }
        id = this.expiringNext[id];
      }
    }
  }

  /** Makes each used component of a value: `emit` leaves it on the stack. */
  define(value: Value, emit: (component: number, k: number) => void): void {
    this.allocate(value);
    const sets = this.isWide(value) ? 2 : 1;
    for (let c = 0; c < value.components; c++) {
      if (!this.isUsed(value, c) || this.analysis.folded[value.id * 4 + c] === 1) continue;
      for (let k = 0; k < sets; k++) {
        emit(c, k);
        this.f.localSet(this.slots[value.id * 8 + c * 2 + k]);
      }
    }
  }

  /**
   * Keeps V8 from shuffling long straight code. TurboFan orders pure instructions within a basic block breadth first from its end,
   * which lets hundreds of values live at once and spills them. A branch that is never taken, and that reads what is live at this
   * point, ends the block and makes all of that be computed before it.
   */
  private cutBlock(): void {
    const { f, fresh, never } = this;
    this.fresh = [];
    this.sinceCut = 0;
    let count = 0;
    f.localGet(never.index);
    f.beginIf();
    for (const value of fresh) {
      for (let slot = value.id * 8; slot < value.id * 8 + 8; slot++) {
        if (this.slots[slot] < 0) continue;
        f.localGet(this.slots[slot]);
        if (count++ > 0) f.op('v128.or');
      }
    }
    if (count > 0) {
      f.op('v128.any_true');
      f.globalSet(this.sink.index);
    }
    f.end();
  }

  // ---- instructions

  private emitAluComponent(instruction: AluInstruction, component: number, k: number): void {
    this.sinceCut++;
    emitAlu(instruction.op, instruction.sources.length, new OperandCursor(this, instruction, component, k));
  }

  /** Emits an instruction that is no phi and no jump. `scope` is null before the first block. */
  emitInstruction(instruction: Instruction, scope: Scope | null): void {
    if (scope !== null && this.sinceCut >= CUT_DISTANCE) this.cutBlock();
    const bytes = this.f.code.length;
    if (bytes > MAX_BODY_BYTES) throw tooComplex(this.shader.name, bytes, 'bytes');
    if (instruction.kind === 'alu') this.emitAluInstruction(instruction);
    else this.emitOther(instruction, scope);
  }

  private emitAluInstruction(instruction: AluInstruction): void {
    this.define(instruction, (c, k) => this.emitAluComponent(instruction, c, k));
  }

  private emitOther(instruction: Instruction, scope: Scope | null): void {
    switch (instruction.kind) {
      case 'tex':
        this.emitTex(instruction);
        break;
      case 'intrinsic':
        switch (instruction.op) {
          case 'loadInput':
            this.emitLoadInput(instruction);
            break;
          case 'loadInputAt':
            this.emitLoadInputAt(instruction);
            break;
          case 'sysval': {
            const { name } = instruction.info;
            this.define(instruction, (c, k) => this.adapter.pushSystemValue(name, c, k));
            break;
          }
          case 'loadUniform':
            this.memory.emitLoadUniform(instruction);
            break;
          case 'loadUbo':
            this.memory.emitLoadUbo(instruction);
            break;
          case 'loadLocal':
            this.memory.emitLoadLocal(instruction);
            break;
          case 'storeLocal':
            this.memory.emitStoreLocal(instruction, scope?.exec ?? null);
            break;
          case 'storeOutput':
            this.emitStoreOutput(instruction.info.slot, instruction.info.component, instruction.sources[0], scope!);
            break;
          default:
            throw new Error(`${instruction.op} must be lowered before code is made`);
        }
        break;
      default:
        throw new Error(`${instruction.kind} ${instruction.op} must be lowered before code is made`);
    }
  }

  private emitLoadInput(instruction: Intrinsic<'loadInput'>): void {
    const { f } = this;
    const { slot, component } = instruction.info;
    let mask = 0;
    for (let c = 0; c < instruction.components; c++) if (this.isUsed(instruction, c)) mask |= 1 << (component + c);
    f.scope(() => {
      const sets = listOf(this.width, (k) => this.adapter.input(slot, mask, k));
      this.define(instruction, (c, k) => sets[k](component + c).emit(f));
    });
  }

  private emitLoadInputAt(instruction: Intrinsic<'loadInputAt'>): void {
    const { f } = this;
    const { slot, component, at } = instruction.info;
    const place = instruction.sources[0];
    let mask = 0;
    for (let c = 0; c < instruction.components; c++) if (this.isUsed(instruction, c)) mask |= 1 << (component + c);
    if (mask === 0) return;
    this.allocate(instruction);
    for (let k = 0; k < (this.isWide(instruction) ? 2 : 1); k++) {
      f.scope(() => {
        const given = listOf(place?.components ?? 0, (c) => f.let(this.vector(place!, c, k)));
        const value = this.adapter.inputAt(slot, mask, k, at, given);
        for (let c = 0; c < instruction.components; c++) {
          if (!this.isUsed(instruction, c)) continue;
          value(component + c).emit(f);
          f.localSet(this.slots[instruction.id * 8 + c * 2 + k]);
        }
      });
    }
  }

  private emitTex(instruction: TexInstruction): void {
    const { f, adapter } = this;
    const { sampler, dim, shadow, resultType, offset } = instruction.info;
    const texture = this.preloaded.get(sampler);
    const key = adapter.samplerKey(sampler);
    if (key === null || texture === undefined) {
      const one = resultType === 'float' ? 0x3f800000 : 1;
      this.define(instruction, (c) => f.splatConst(c === 3 ? one : 0));
      return;
    }
    this.allocate(instruction);
    const lod = texSource(instruction, 'lod');
    // Level 0 is always there: neither its number nor its place needs a look.
    const isLevel0 = (instruction.op === 'fetch' || instruction.op === 'size') && lod && this.constant(lod, 0) === 0;
    const direct = this.directOutputs.get(instruction);
    // Fetches stay floats: texels that do not exist read as zeros, in constant channels too.
    const isFiltered = instruction.op !== 'fetch' && instruction.op !== 'size';
    const target = direct && isFiltered && givesBytes(key) ? adapter.directTarget(direct.slot) : null;
    for (let k = 0; k < (this.isWide(instruction) ? 2 : 1); k++) {
      const bytes = target ? f.outerLocal('v128') : undefined;
      const vectors = (role: Parameters<typeof texSource>[1]): Expr<'v128'>[] | undefined => {
        const source = texSource(instruction, role);
        if (source === undefined) return undefined;
        return listOf(source.components, (c) => this.vector(source, c, k));
      };
      f.scope(() => {
        const results = emitTexture(f, {
          op: instruction.op,
          dim,
          shadow,
          resultType,
          key,
          texture,
          coord: vectors('coord') ?? [],
          comparator: vectors('comparator')?.[0],
          bias: vectors('bias')?.[0],
          lod: isLevel0 ? undefined : vectors('lod')?.[0],
          ddx: vectors('ddx'),
          ddy: vectors('ddy'),
          offset,
          implicitDerivatives: this.shader.stage === 'fragment',
          bytes,
        });
        if (bytes && direct && target) {
          f.set(bytes, reorderBytes(f, bytes, texelPlaces(key), direct.components, target));
          this.directBytes.set(direct.slot, [...(this.directBytes.get(direct.slot) ?? []), bytes]);
        }
        for (let c = 0; c < instruction.components; c++) {
          if (!this.isUsed(instruction, c)) continue;
          if (c < results.length) results[c].emit(f);
          else f.splatConst(0);
          f.localSet(this.slots[instruction.id * 8 + c * 2 + k]);
        }
      });
    }
  }

  // ---- outputs

  private allocateOutputs(): void {
    for (const slot of this.shader.usage.outputs) {
      this.outputs.set(
        slot,
        listOf(4 * this.width, () => this.f.newLocal('v128')),
      );
    }
  }

  private clearOutput(_slot: Slot, locals: readonly number[]): void {
    for (const local of locals) {
      this.f.splatConst(0);
      this.f.localSet(local);
    }
  }

  private emitStoreOutput(slot: Slot, first: number, value: Value, scope: Scope): void {
    const { f } = this;
    const locals = this.outputs.get(slot);
    // In a divergent scope the old value stays in some lanes.
    if (scope.isDivergent || !this.isKnownBefore(value)) this.varyingOutputs.add(slot);
    this.stores.set(slot, (this.stores.get(slot) ?? 0) + 1);
    if (locals === undefined) throw new Error(`output ${slot} is not in the shader's usage`);
    for (let c = 0; c < value.components; c++) {
      for (let k = 0; k < this.width; k++) {
        const local = locals[(first + c) * this.width + k];
        this.push(value, c, k);
        if (scope.isDivergent) {
          f.localGet(local);
          f.localGet(scope.exec![k]);
          f.op('v128.bitselect');
        }
        f.localSet(local);
      }
    }
  }

  /** The value is ready before the loop over steps. */
  private isKnownBefore(value: Value): boolean {
    const place = this.analysis.place[value.id];
    if (place === PLACE.ALIAS) return value.sources.every((source) => this.isKnownBefore(source));
    return place === PLACE.PREAMBLE || place === PLACE.CONSTANT;
  }

  /** Whether an output is the same in all lanes and steps. */
  isOutputUniform(slot: Slot): boolean {
    return !this.varyingOutputs.has(slot);
  }

  /** The components of an output that is known before the steps, for `emitAhead`; null where a step may change it. */
  outputAhead(slot: Slot): Expr<'v128'>[] | null {
    if (!this.isOutputUniform(slot)) return null;
    const components: Expr<'v128'>[] = listOf(4, () => this.f.words(0));
    let count = 0;
    for (const node of this.shader.main.body) {
      if (node.kind !== 'block') continue;
      for (const instruction of node.instructions) {
        if (instruction.kind !== 'intrinsic' || instruction.op !== 'storeOutput') continue;
        if (instruction.info.slot !== slot) continue;
        const value = instruction.sources[0];
        for (let c = 0; c < value.components; c++)
          components[instruction.info.component + c] = this.vector(value, c, 0);
        count++;
      }
    }
    // A store in an if may not happen.
    return count === this.stores.get(slot) ? components : null;
  }

  /** An output as pixels of its target, where it is a texel as it was sampled. */
  outputBytes(slot: Slot, k: number): Local<'v128'> | null {
    return this.directBytes.get(slot)?.[k] ?? null;
  }

  /** An output's component after the step (zero where the shader wrote none), or null if the shader has no such output. */
  output(slot: Slot, component: number, k: number): Expr<'v128'> | null {
    const local = this.outputs.get(slot)?.[component * this.width + k];
    return local === undefined ? null : new Expr('v128', (f) => f.localGet(local));
  }
}

/** Operand access of one component of one instruction. */
class OperandCursor implements AluOperands {
  readonly f: FunctionBuilder;
  private readonly compiler: BodyCompiler;
  private readonly instruction: AluInstruction;
  private readonly component: number;
  private readonly k: number;

  constructor(compiler: BodyCompiler, instruction: AluInstruction, component: number, k: number) {
    this.f = compiler.f;
    this.compiler = compiler;
    this.instruction = instruction;
    this.component = component;
    this.k = k;
  }

  get width(): number {
    return this.instruction.sources[0].components;
  }

  push(operand: number): void {
    const source = this.instruction.sources[operand];
    this.compiler.push(source, source.components === 1 ? 0 : this.component, this.k);
  }

  pushComponent(operand: number, component: number): void {
    this.compiler.push(this.instruction.sources[operand], component, this.k);
  }

  constant(operand: number): number | undefined {
    const source = this.instruction.sources[operand];
    return this.compiler.constant(source, source.components === 1 ? 0 : this.component);
  }

  isUniform(operand: number): boolean {
    return this.instruction.sources[operand].uniform;
  }
}

/** Address of the uniform, UBO and texture arrays of a stage in a DRAW. */
export function loadResources(
  f: FunctionBuilder,
  draw: Local<'i32'>,
  stage: Shader['stage'],
): Pick<StageAdapter, 'uniforms' | 'ubos' | 'textures'> {
  const { offset } = DRAW;
  const isVertex = stage === 'vertex';
  return {
    uniforms: f.let(f.i32.load(draw, isVertex ? offset.vertexUniforms : offset.fragmentUniforms)),
    ubos: f.let(f.i32.load(draw, isVertex ? offset.vertexUbos : offset.fragmentUbos)),
    textures: f.let(f.i32.load(draw, isVertex ? offset.vertexTextures : offset.fragmentTextures)),
  };
}
