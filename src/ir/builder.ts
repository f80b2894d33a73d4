// Makes instructions and nodes at a cursor. The ALU methods are derived from the opcode table, and the control-flow
// methods keep the list invariant (block, if | loop, block, …) by themselves.
//
//   const b = createBuilder(shader);
//   const x = b.fmul(b.loadInput('var0', 4), b.splat(b.constFloat(2), 4));
//   b.if(b.flt(b.channel(x, 0), b.constFloat(0)), () => b.discard(), () => b.storeOutput('color0', x));
//   b.loop(() => { …; b.if(done, () => b.break()); …}, () => b.storeVar(i, [], b.iadd(b.loadVar(i), b.constInt(1))));
//
// Code emitted after a jump in the same list cannot be reached: the builder takes it and drops it.
import { listOf } from '../base/list.ts';
import { TooComplexError } from '../base/too-complex.ts';
import { INTRINSICS, SYSTEM_VALUES } from './intrinsics.ts';
import {
  type AluInstruction,
  type Bits,
  type Block,
  type BodyNode,
  type CallInstruction,
  type ConstInstruction,
  childType,
  createBlock,
  createInstruction,
  createVariable,
  dynamicStep,
  type IfNode,
  type Instruction,
  type InterpolationPlace,
  type Intrinsic,
  type IntrinsicInfo,
  type IntrinsicName,
  type IrFunction,
  type IrType,
  type JumpKind,
  type LoopNode,
  MAX_INSTRUCTIONS,
  MAX_NESTING,
  type Path,
  type PhiInstruction,
  type Precision,
  type Shader,
  type Slot,
  type SystemValue,
  type TexInfo,
  type TexInstruction,
  type TexOp,
  type TexRole,
  type Value,
  type Variable,
  type VectorType,
} from './ir.ts';
import { OPCODES, type Opcode } from './opcodes.table.ts';
import { OPCODE_NAMES, type OpcodeRow, opcodeRow } from './opcodes.ts';

type ValuesOf<In extends readonly unknown[]> = { [K in keyof In]: Value };

/** One method per componentwise, reducing or packing opcode, e.g. `fadd(a, b)`. */
export type AluMethods = {
  [Op in Exclude<Opcode, 'vec' | 'swizzle'>]: (...sources: ValuesOf<(typeof OPCODES)[Op]['in']>) => AluInstruction;
};

/** A path as the builder takes it: constant steps as numbers, dynamic ones as int scalars. */
export type PathSteps = readonly (number | Value)[];

/** What a new texture instruction needs; the sources by role. */
export interface TexOptions extends Pick<TexInfo, 'sampler' | 'dim'>, Partial<Pick<TexInfo, 'shadow' | 'resultType'>> {
  op: TexOp;
  coord?: Value;
  comparator?: Value | undefined;
  bias?: Value | undefined;
  lod?: Value | undefined;
  ddx?: Value | undefined;
  ddy?: Value | undefined;
  offset?: readonly number[] | null | undefined;
}

export type Builder = BuilderCore & AluMethods;

const TEX_ROLES = ['coord', 'comparator', 'bias', 'lod', 'ddx', 'ddy'] as const satisfies readonly TexRole[];

interface OpenNode {
  node: IfNode | LoopNode;
  /** The list that holds the node. */
  parent: BodyNode[];
}

const floatBits = new Float32Array(1);
const intBits = new Uint32Array(floatBits.buffer);

export class BuilderCore {
  readonly shader: Shader;
  fn: IrFunction;
  /** Where the next instruction goes (at the end). */
  block: Block;
  #list: BodyNode[];
  #open: OpenNode[] = [];

  constructor(shader: Shader, fn: IrFunction) {
    this.shader = shader;
    this.fn = fn;
    this.#list = fn.body;
    this.block = fn.body[fn.body.length - 1] as Block;
  }

  /** Goes to the end of a function's body. */
  setFunction(fn: IrFunction): void {
    this.fn = fn;
    this.setList(fn.body);
  }

  /** Goes to the end of a node list (which must end with a block). */
  setList(list: BodyNode[]): void {
    this.#list = list;
    this.#open = [];
    this.block = list[list.length - 1] as Block;
  }

  /** Appends to this block; for passes that rebuild a block's instructions and make no nodes. */
  setBlock(block: Block): void {
    this.block = block;
  }

  // ------------------------------------------------------------------------------------------------ instructions

  /** Appends an instruction that was made elsewhere. */
  insert<T extends Instruction>(instruction: T): T {
    this.block.instructions.push(instruction);
    return instruction;
  }

  #emit(
    kind: Instruction['kind'],
    op: string,
    components: number,
    bits: Bits,
    sources: Value[],
    info: Instruction['info'],
  ): Instruction {
    if (this.shader.nextValueId > MAX_INSTRUCTIONS) throw new TooComplexError('the shader has too many instructions');
    return this.insert(createInstruction(this.shader, kind, op, components, bits, sources, info));
  }

  /** Any ALU opcode by name; component counts and result type follow from the table. */
  alu(op: Opcode, ...sources: Value[]): AluInstruction {
    return this.aluOf(op, sources);
  }

  /** The same; the array becomes the instruction's. */
  aluOf(op: Opcode, sources: Value[]): AluInstruction {
    const row: OpcodeRow = OPCODES[op];
    if (op === 'vec') return this.vecOf(sources);
    if (sources.length !== row.in.length) throw new Error(`${op} takes ${row.in.length} operands`);
    const components = resultComponents(op, row, sources);
    const bits = row.out === 'bool' ? 1 : row.out === 'bits' ? sources[sources.length - 1]!.bits : 32;
    return this.#emit('alu', op, components, bits, sources, null) as AluInstruction;
  }

  /** A vector of scalars. One scalar comes back as it is in a `mov`. */
  vec(...scalars: Value[]): AluInstruction {
    return this.vecOf(scalars);
  }

  /** The same; the array becomes the instruction's. */
  vecOf(scalars: Value[]): AluInstruction {
    let isRight = scalars.length >= 1 && scalars.length <= 4;
    for (let i = 0; i < scalars.length; i++) {
      if (scalars[i]!.components !== 1 || scalars[i]!.bits !== scalars[0]!.bits) isRight = false;
    }
    if (!isRight) throw new Error('vec takes 1 to 4 scalars of one width');
    return this.#emit('alu', 'vec', scalars.length, scalars[0]!.bits, scalars, null) as AluInstruction;
  }

  /** Selects components: `selection[i]` is the operand's component that becomes component i. */
  swizzle(value: Value, selection: readonly number[]): AluInstruction {
    let isRight = selection.length >= 1 && selection.length <= 4;
    for (let i = 0; i < selection.length; i++) {
      const component = selection[i]!;
      if (!(component >= 0 && component < value.components)) isRight = false;
    }
    if (!isRight) {
      throw new Error(`swizzle [${selection}] of ${value.components} components`);
    }
    return this.#emit('alu', 'swizzle', selection.length, value.bits, [value], selection) as AluInstruction;
  }

  /** One component as a scalar (the value itself if it is one). */
  channel(value: Value, component: number): Value {
    return value.components === 1 && component === 0 ? value : this.swizzle(value, SINGLES[component] ?? [component]);
  }

  /** All components as scalars. */
  channels(value: Value): Value[] {
    return listOf(value.components, (i) => this.channel(value, i));
  }

  /** A scalar in every component (the value itself if one is wanted). */
  splat(scalar: Value, components: number): Value {
    return components === 1 ? scalar : this.swizzle(scalar, new Array<number>(components).fill(0));
  }

  /** 32-bit patterns as they are. */
  constBits(...words: number[]): ConstInstruction {
    return this.#emit('const', 'const', words.length, 32, [], sharedWords(words)) as ConstInstruction;
  }

  constFloat(...values: number[]): ConstInstruction {
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      floatBits[0] = value;
      values[i] = Number.isNaN(value) ? 0x7fc00000 : intBits[0]!;
    }
    return this.#emit('const', 'const', values.length, 32, [], sharedWords(values)) as ConstInstruction;
  }

  constInt(...values: number[]): ConstInstruction {
    return this.#emit('const', 'const', values.length, 32, [], sharedWords(values)) as ConstInstruction;
  }

  /** A constant of these words (0 and 1 for booleans), which are copied. */
  constWords(words: ArrayLike<number>, bits: Bits): ConstInstruction {
    return this.#emit('const', 'const', words.length, bits, [], sharedWords(words)) as ConstInstruction;
  }

  constBool(...values: boolean[]): ConstInstruction {
    return this.#emit('const', 'const', values.length, 1, [], sharedWords(values.map(Number))) as ConstInstruction;
  }

  undef(components: number, bits: Bits = 32): Value {
    return this.#emit('undef', 'undef', components, bits, [], null);
  }

  /** A phi at the end of the phis of the current block. More sources may be added with `addPhiSource`. */
  phi(components: number, bits: Bits, sources: readonly { block: Block; value: Value }[] = []): PhiInstruction {
    const values = sources.map((s) => s.value);
    const blocks = sources.map((s) => s.block);
    const phi = createInstruction(this.shader, 'phi', 'phi', components, bits, values, blocks) as PhiInstruction;
    const at = this.block.instructions.findIndex((instruction) => instruction.kind !== 'phi');
    this.block.instructions.splice(at < 0 ? this.block.instructions.length : at, 0, phi);
    return phi;
  }

  addPhiSource(phi: PhiInstruction, block: Block, value: Value): void {
    phi.sources.push(value);
    phi.info.push(block);
  }

  // --------------------------------------------------------------------------------------------------- variables

  /** A new temporary of the current function. */
  temporary(name: string, type: IrType, precision: Precision = 'high'): Variable {
    const variable = createVariable(name, type, 'temporary', precision);
    this.fn.locals.push(variable);
    return variable;
  }

  global(name: string, type: IrType, precision: Precision = 'high'): Variable {
    const variable = createVariable(name, type, 'global', precision);
    this.shader.globals.push(variable);
    return variable;
  }

  loadVar(variable: Variable, path: PathSteps = []): Value {
    const type = vectorAt(variable.type, path, variable.name);
    const sources: Value[] = [];
    const info = { variable, path: encodePath(path, sources) };
    return this.intrinsic('loadVar', sources, info, type.components, type.base === 'bool' ? 1 : 32);
  }

  storeVar(variable: Variable, path: PathSteps, value: Value, writeMask?: number): void {
    const type = vectorAt(variable.type, path, variable.name);
    if (type.components !== value.components || (type.base === 'bool') !== (value.bits === 1)) {
      throw new Error(
        `storeVar ${variable.name}: ${value.components}×${value.bits} bits into ${type.base}${type.components}`,
      );
    }
    const sources = [value];
    const info = { variable, path: encodePath(path, sources), writeMask: writeMask ?? (1 << type.components) - 1 };
    this.intrinsic('storeVar', sources, info);
  }

  /** Copies a part of any type; both parts must have equal types. */
  copyVar(variable: Variable, path: PathSteps, source: Variable, sourcePath: PathSteps): void {
    const sources: Value[] = [];
    const info = { variable, path: encodePath(path, sources), source, sourcePath: encodePath(sourcePath, sources) };
    this.intrinsic('copyVar', sources, info);
  }

  call(callee: IrFunction, args: Variable[]): CallInstruction {
    if (args.length !== callee.parameters.length) throw new Error(`call ${callee.name}: wrong number of arguments`);
    return this.#emit('call', 'call', 0, 32, [], { callee, arguments: args }) as CallInstruction;
  }

  // -------------------------------------------------------------------------------------------------- intrinsics

  intrinsic<Op extends IntrinsicName>(
    op: Op,
    sources: Value[],
    info: IntrinsicInfo[Op],
    components = 0,
    bits: Bits = 32,
  ): Intrinsic<Op> {
    if (sources.length < INTRINSICS[op].sources) throw new Error(`${op} takes more sources`);
    return this.#emit('intrinsic', op, components, bits, sources, info) as Intrinsic<Op>;
  }

  loadInput(slot: Slot, components: number, component = 0): Value {
    return this.intrinsic('loadInput', [], { slot, component }, components);
  }

  /** `place`: the sample's number or the offset, as `at` wants it. */
  loadInputAt(at: InterpolationPlace, slot: Slot, components: number, component: number, place?: Value): Value {
    return this.intrinsic('loadInputAt', place ? [place] : [], { slot, component, at }, components);
  }

  storeOutput(slot: Slot, value: Value, component = 0): void {
    this.intrinsic('storeOutput', [value], { slot, component });
  }

  /** Uniform slot `base`, or with an offset slot base + min(offset, range - 1). */
  loadUniform(components: number, base: number, offset?: Value, range = 1): Value {
    return this.intrinsic('loadUniform', offset ? [offset] : [], { base, range }, components);
  }

  loadUbo(components: number, block: number, base: number, offset?: Value): Value {
    return this.intrinsic('loadUbo', offset ? [offset] : [], { block, base }, components);
  }

  loadLocal(array: number, index: Value): Value {
    return this.intrinsic('loadLocal', [index], { array }, this.shader.locals[array]!.components);
  }

  storeLocal(array: number, index: Value, value: Value, writeMask = (1 << value.components) - 1): void {
    this.intrinsic('storeLocal', [index, value], { array, writeMask });
  }

  sysval(name: SystemValue): Value {
    const row = SYSTEM_VALUES[name];
    return this.intrinsic('sysval', [], { name }, row.components, row.bits);
  }

  discard(condition?: Value): void {
    this.intrinsic('discard', condition ? [condition] : [], null);
  }

  /** A texture instruction; `size` gives ints. */
  tex(options: TexOptions): TexInstruction {
    const roles = TEX_ROLES.filter((role) => options[role] !== undefined);
    const shadow = (options.shadow ?? false) && options.op !== 'size';
    const info: TexInfo = {
      sampler: options.sampler,
      dim: options.dim,
      shadow,
      resultType: options.op === 'size' ? 'int' : (options.resultType ?? 'float'),
      roles,
      offset: options.offset ?? null,
    };
    const sizeComponents = options.dim === '3d' || options.dim === '2dArray' ? 3 : 2;
    const components = options.op === 'size' ? sizeComponents : shadow ? 1 : 4;
    const sources = roles.map((role) => options[role]!);
    return this.#emit('tex', options.op, components, 32, sources, info) as TexInstruction;
  }

  // ------------------------------------------------------------------------------------------------ control flow

  #enter(node: IfNode | LoopNode): void {
    if (this.#open.length >= MAX_NESTING) throw new TooComplexError('control flow is nested too deeply');
    this.#list.push(node);
    this.#open.push({ node, parent: this.#list });
  }

  #goTo(list: BodyNode[]): void {
    this.#list = list;
    this.block = list[list.length - 1] as Block;
  }

  #newList(): BodyNode[] {
    return [createBlock(this.shader)];
  }

  beginIf(condition: Value): IfNode {
    if (condition.bits !== 1 || condition.components !== 1) throw new Error('an if takes a boolean scalar');
    const node: IfNode = {
      kind: 'if',
      condition,
      thenBody: this.#newList(),
      elseBody: this.#newList(),
      uniform: false,
    };
    this.#enter(node);
    this.#goTo(node.thenBody);
    return node;
  }

  beginElse(): void {
    const open = this.#open[this.#open.length - 1];
    if (open?.node.kind !== 'if') throw new Error('else without if');
    this.#goTo(open.node.elseBody);
  }

  endIf(): void {
    this.#leave('if');
  }

  beginLoop(): LoopNode {
    const node: LoopNode = { kind: 'loop', body: this.#newList(), continuing: [], uniform: false };
    this.#enter(node);
    this.#goTo(node.body);
    return node;
  }

  /** What follows, up to endLoop, runs at the end of each iteration and after each `continue`. */
  beginContinuing(): void {
    const open = this.#open[this.#open.length - 1];
    if (open?.node.kind !== 'loop') throw new Error('continuing without loop');
    open.node.continuing = this.#newList();
    this.#goTo(open.node.continuing);
  }

  endLoop(): void {
    this.#leave('loop');
  }

  #leave(kind: 'if' | 'loop'): void {
    const open = this.#open.pop();
    if (open?.node.kind !== kind) throw new Error(`end of ${kind} without ${kind}`);
    open.parent.push(createBlock(this.shader));
    this.#goTo(open.parent);
  }

  if(condition: Value, then: () => void, otherwise?: () => void): IfNode {
    const node = this.beginIf(condition);
    then();
    this.beginElse();
    otherwise?.();
    this.endIf();
    return node;
  }

  loop(body: () => void, continuing?: () => void): LoopNode {
    const node = this.beginLoop();
    body();
    if (continuing) {
      this.beginContinuing();
      continuing();
    }
    this.endLoop();
    return node;
  }

  jump(kind: JumpKind): void {
    this.#emit('jump', kind, 0, 32, [], null);
    // What follows in this list is unreachable: it goes to a list that nobody keeps.
    this.#goTo(this.#newList());
  }

  break(): void {
    this.jump('break');
  }

  continue(): void {
    this.jump('continue');
  }

  return(): void {
    this.jump('return');
  }
}

/** Selections of one component, shared: they are never written. */
const SINGLES: readonly (readonly number[])[] = [[0], [1], [2], [3]];

/** By component count less one. Keys are signed: those are small integers of V8. */
const splats = [1, 2, 3, 4].map(() => new Map<number, Uint32Array>());
const MAX_SPLATS = 2048;

/** Constants are never written, so those with one word in all components share their (costly) typed arrays. */
function sharedWords(words: ArrayLike<number>): Uint32Array {
  const word = words[0]! | 0;
  for (let i = 1; i < words.length; i++) if ((words[i]! | 0) !== word) return Uint32Array.from(words);
  const known = splats[words.length - 1]!;
  let shared = known.get(word);
  if (shared === undefined) {
    shared = new Uint32Array(words.length).fill(word);
    if (known.size < MAX_SPLATS) known.set(word, shared);
  }
  return shared;
}

function resultComponents(op: string, row: OpcodeRow, sources: readonly Value[]): number {
  if (row.shape === 'fixed') {
    for (let i = 0; i < sources.length; i++) {
      if (sources[i]!.components !== row.sizes![i + 1]) throw new Error(`${op}: operand ${i} has the wrong size`);
    }
    return row.sizes![0]!;
  }
  const components = sources[0]!.components;
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i]!;
    const type = row.in[i]!;
    if (source.components !== components || components < 1) throw new Error(`${op}: operands differ in components`);
    if (type !== 'bits' && (type === 'bool') !== (source.bits === 1))
      throw new Error(`${op}: operand ${i} is no ${type}`);
  }
  return row.shape === 'reduce' ? 1 : components;
}

const WHOLE: Path = [];

function encodePath(path: PathSteps, sources: Value[]): Path {
  if (path.length === 0) return WHOLE;
  return path.map((step) => (typeof step === 'number' ? step : dynamicStep(sources.push(step) - 1)));
}

function vectorAt(type: IrType, path: PathSteps, name: string): VectorType {
  let current: IrType | undefined = type;
  for (const step of path) {
    const index = typeof step === 'number' ? step : 0;
    if (typeof step !== 'number' && current?.kind === 'struct') throw new Error(`${name}: dynamic step into a struct`);
    current = current && childType(current, index);
  }
  if (current?.kind !== 'vector') throw new Error(`${name}: the path does not end at a scalar or vector`);
  return current;
}

/** On an object of their own: V8 copies the list of a class's methods each time that one is added. */
const aluMethods: Record<string, (this: BuilderCore, ...sources: Value[]) => AluInstruction> = {};
for (const op of OPCODE_NAMES) {
  if (op === 'vec' || op === 'swizzle') continue;
  const arity = opcodeRow(op).in.length;
  aluMethods[op] = function (...sources) {
    if (sources.length !== arity) throw new Error(`${op} takes ${arity} operands`);
    return this.aluOf(op, sources);
  };
}
Object.setPrototypeOf(BuilderCore.prototype, aluMethods);

/** A builder at the end of a function's body (`main` by default). */
export function createBuilder(shader: Shader, fn: IrFunction = shader.main): Builder {
  return new BuilderCore(shader, fn) as Builder;
}
