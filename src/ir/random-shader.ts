// Makes random valid shaders for differential tests: the same seed gives the same shader. The result is in variable form
// (functions, variables, early returns, continue); `optimizeShader` lowers it. Every loop ends; edge values (division by
// zero, NaN, Inf, out-of-range indices and shifts) are meant to occur. Float bits are read as integers only through
// fcanonical, as NaN bits are otherwise unspecified; derivatives appear only where all lanes are active.
import { listOf } from '../base/list.ts';
import { type Builder, createBuilder } from './builder.ts';
import type { Environment } from './interpret.ts';
import {
  arrayType,
  createFunction,
  createShader,
  createVariable,
  type IrFunction,
  type IrType,
  matrixType,
  type Shader,
  type SlotInfo,
  type Stage,
  structType,
  type Value,
  type Variable,
  vectorType,
} from './ir.ts';
import { OPCODE_NAMES, type Opcode, opcodeRow } from './opcodes.ts';

export interface RandomShaderOptions {
  stage?: Stage;
  /** Statements in main (default 24). */
  statements?: number;
  /** Leaves out the built-in functions of polynomials.ts, for tests of something else. */
  transcendentals?: boolean;
  derivatives?: boolean;
  discard?: boolean;
}

type Base = 'float' | 'int' | 'bool';

/** Slots of constant buffer 0: vec4 floats, vec4 ints, then an array of floats that is indexed dynamically. */
const RANDOM_UNIFORM_SLOTS = 16;
const RANDOM_UBO_BYTES = 256;

/** A small generator of 32-bit numbers (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
}

export function randomShader(seed: number, options: RandomShaderOptions = {}): Shader {
  return new Generator(seed, options).generate();
}

const EDGE_FLOATS = [0, 1, -1, 0.5, 2, -0.25, 3.75, 100.5, 1e-3, 1e20, -1e30];
const EDGE_INTS = [0, 1, 2, -1, 3, 5, 31, 32, 255, 65535, 0x7fffffff, -0x80000000];
const TRANSCENDENTAL = new Set<string>('fexp2 flog2 fpow fsin fcos ftan fasin facos fatan fatan2'.split(' '));
const EXCLUDED = new Set<string>(['fddx', 'fddy', 'fcanonical', 'mov']);

class Generator {
  readonly options: RandomShaderOptions;
  readonly random: () => number;
  readonly shader: Shader;
  readonly b: Builder;
  readonly functions: IrFunction[] = [];
  readonly opcodes: Record<Base, Opcode[]>;
  variables: Variable[] = [];
  inMain = false;
  loopDepth = 0;
  depth = 0;
  /** All lanes are here: derivatives are defined. */
  isWhole = true;

  constructor(seed: number, options: RandomShaderOptions) {
    this.options = options;
    this.random = createRandom(seed);
    this.shader = createShader(options.stage ?? 'fragment', `random ${seed}`);
    this.b = createBuilder(this.shader);
    const of = (...types: string[]) =>
      OPCODE_NAMES.filter((op) => {
        const row = opcodeRow(op);
        if (row.shape !== 'componentwise' || EXCLUDED.has(op) || !types.includes(row.out)) return false;
        return options.transcendentals !== false || !TRANSCENDENTAL.has(op);
      });
    this.opcodes = { float: of('float'), int: of('int', 'uint'), bool: of('bool') };
  }

  generate(): Shader {
    const { shader, b } = this;
    this.declareInterface();
    for (let i = this.below(3); i > 0; i--) this.makeFunction(i);
    b.setFunction(shader.main);
    this.inMain = true;
    this.makeVariables(6);
    const counts = this.options.statements ?? 24;
    for (let i = 0; i < counts; i++) this.statement();
    this.writeOutputs();
    return shader;
  }

  declareInterface(): void {
    const { shader } = this;
    const slot = (name: SlotInfo['slot'], base: SlotInfo['base'], isFlat: boolean): SlotInfo => ({
      name,
      slot: name,
      components: 4,
      base,
      interpolation: isFlat ? 'flat' : 'smooth',
      centroid: false,
    });
    if (shader.stage === 'vertex') {
      shader.inputs.push(
        slot('attribute0', 'float', false),
        slot('attribute1', 'float', false),
        slot('attribute2', 'int', false),
      );
      shader.outputs.push(slot('position', 'float', false), slot('var0', 'float', false), slot('var1', 'int', true));
    } else {
      shader.inputs.push(slot('var0', 'float', false), slot('var1', 'float', false), slot('var2', 'int', true));
      shader.outputs.push(slot('color0', 'float', false), slot('color1', 'float', false), slot('color2', 'int', false));
    }
    shader.uniformSlots = RANDOM_UNIFORM_SLOTS;
    shader.uniformBlocks.push({ name: 'block', sizeBytes: RANDOM_UBO_BYTES });
  }

  // --------------------------------------------------------------------------------------------------- random parts

  below(n: number): number {
    return this.random() % n;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  base(): Base {
    return this.pick(['float', 'float', 'float', 'int', 'int', 'bool'] as const);
  }

  // ------------------------------------------------------------------------------------------------------ variables

  randomType(): IrType {
    // Arrays of functions are left out: what they hold at a second call is undefined.
    const choice = this.below(this.inMain ? 10 : 7);
    if (choice < 6) return vectorType(this.base(), 1 + this.below(4));
    if (choice === 6) return matrixType(2 + this.below(3), 2 + this.below(3));
    const lengths = [2, 3, 5, 9];
    const vector = vectorType(this.base(), 1 + this.below(4));
    if (choice === 7) return arrayType(vector, this.pick(lengths));
    const struct = structType('S', [
      { name: 'a', type: vector },
      { name: 'b', type: arrayType(vectorType('float', 2), this.pick(lengths)) },
    ]);
    return choice === 8 ? struct : arrayType(struct, this.pick(lengths));
  }

  makeVariables(count: number): void {
    this.variables = [];
    for (const base of ['float', 'int', 'bool'] as const) this.addVariable(vectorType(base, 1 + this.below(4)));
    for (let i = 0; i < count; i++) this.addVariable(this.randomType());
  }

  addVariable(type: IrType): Variable {
    const variable = this.b.temporary(`v${this.variables.length}`, type);
    this.variables.push(variable);
    if (type.kind === 'vector') {
      this.b.storeVar(variable, [], this.expression(type.base as Base, type.components, 1));
    }
    return variable;
  }

  /** A path to a vector or scalar in a variable, with random dynamic steps. */
  randomPath(variable: Variable): { path: (number | Value)[]; base: Base; components: number } {
    const path: (number | Value)[] = [];
    let type = variable.type;
    for (;;) {
      if (type.kind === 'vector') {
        const base = type.base as Base;
        if (type.components === 1 || !this.chance(25)) return { path, base, components: type.components };
        path.push(this.step(type.components));
        return { path, base, components: 1 };
      }
      if (type.kind === 'struct') {
        const member = this.below(type.members.length);
        path.push(member);
        type = type.members[member]!.type;
      } else if (type.kind === 'matrix') {
        path.push(this.step(type.columns));
        type = vectorType('float', type.rows);
      } else {
        path.push(this.step(type.length));
        type = type.element;
      }
    }
  }

  step(count: number): number | Value {
    return this.chance(60) ? this.below(count) : this.expression('int', 1, 1);
  }

  // ---------------------------------------------------------------------------------------------------- expressions

  expression(base: Base, components: number, depth: number): Value {
    if (depth <= 0 || this.chance(15)) return this.leaf(base, components);
    const { b } = this;
    if (this.chance(10) && components > 1) {
      return b.vec(...listOf(components, () => this.expression(base, 1, depth - 1)));
    }
    if (this.chance(10)) {
      const from = 1 + this.below(4);
      const selection = listOf(components, () => this.below(from));
      return b.swizzle(this.expression(base, from, depth - 1), selection);
    }
    if (components === 1 && this.chance(8)) {
      const n = 1 + this.below(4);
      if (base === 'float')
        return b.fdot(this.expression('float', n, depth - 1), this.expression('float', n, depth - 1));
      if (base === 'bool') return b[this.pick(['ball', 'bany'] as const)](this.expression('bool', n, depth - 1));
    }
    if (this.chance(4)) {
      if (base === 'int' && components === 1) {
        const op = this.pick(['packHalf2x16', 'packSnorm2x16', 'packUnorm2x16'] as const);
        return b[op](this.expression('float', 2, depth - 1));
      }
      if (base === 'float' && components === 2) {
        const op = this.pick(['unpackSnorm2x16', 'unpackUnorm2x16', 'unpackHalf2x16'] as const);
        return b[op](this.expression('int', 1, depth - 1));
      }
      if (base === 'int') return b.fcanonical(this.expression('float', components, depth - 1));
    }
    if (base === 'float' && this.isWhole && this.inMain && this.options.derivatives !== false && this.chance(5)) {
      if (this.shader.stage === 'fragment')
        return b[this.pick(['fddx', 'fddy'] as const)](this.leaf('float', components));
    }
    if (this.chance(8)) {
      const condition = this.expression('bool', components, depth - 1);
      return b.select(
        condition,
        this.expression(base, components, depth - 1),
        this.expression(base, components, depth - 1),
      );
    }
    const op = this.pick(this.opcodes[base]);
    const row = opcodeRow(op);
    const operands = row.in.map((type) =>
      this.expression(type === 'uint' ? 'int' : (type as Base), components, depth - 1),
    );
    return b.alu(op, ...operands);
  }

  leaf(base: Base, components: number): Value {
    const { b } = this;
    const choice = this.below(10);
    if (choice < 5) {
      const variable = this.pick(this.variables.length > 0 ? this.variables : [null]);
      if (variable !== null) {
        const target = this.randomPath(variable);
        if (target.base === base) {
          const value = b.loadVar(variable, target.path);
          if (target.components === components) return value;
          return b.swizzle(
            value,
            listOf(components, () => this.below(target.components)),
          );
        }
      }
    }
    if (base === 'bool') {
      if (this.shader.stage === 'fragment' && choice === 9) return b.splat(b.sysval('frontFacing'), components);
      return choice > 7
        ? b.constBool(...listOf(components, () => this.chance(50)))
        : b.flt(this.leaf('float', components), this.leaf('float', components));
    }
    if (choice < 7) return this.external(base, components);
    const words = listOf(components, () => this.constant(base));
    return base === 'float' ? b.constFloat(...words) : b.constInt(...words);
  }

  constant(base: Base): number {
    if (base === 'float')
      return this.chance(60) ? this.pick(EDGE_FLOATS) : Math.fround((this.random() / 2 ** 31 - 1) * 10);
    return this.chance(70) ? this.pick(EDGE_INTS) : this.random() | 0;
  }

  /** An input or a uniform. */
  external(base: Base, components: number): Value {
    const { b, shader } = this;
    const inputs = shader.inputs;
    const component = this.below(5 - components);
    switch (this.below(6)) {
      case 0:
        return b.loadUniform(components, (base === 'int' ? 4 : 0) + this.below(4));
      case 1:
        if (base === 'float') return b.loadUniform(components, 8, this.expression('int', 1, 1), 8);
        return b.loadUniform(components, 4, this.expression('int', 1, 1), 4);
      case 2:
        return b.loadUbo(components, 0, (base === 'int' ? 128 : 0) + 16 * this.below(8));
      case 3:
        // Ints stand in the upper half: a masked offset stays within it.
        if (base === 'float')
          return b.loadUbo(components, 0, 0, b.iand(this.expression('int', 1, 1), b.constInt(0x70)));
        return b.loadUbo(components, 0, 128, b.iand(this.expression('int', 1, 1), b.constInt(0x70)));
      default: {
        const slot = base === 'int' ? inputs[2]! : inputs[this.below(2)]!;
        return b.loadInput(slot.slot, components, component);
      }
    }
  }

  // ----------------------------------------------------------------------------------------------------- statements

  statement(): void {
    const choice = this.below(20);
    const nested = this.depth < 4;
    if (choice < 10) this.assignment();
    else if (choice < 13 && nested) this.ifStatement();
    else if (choice < 15 && nested && this.loopDepth < 2) this.loopStatement();
    else if (choice === 15 && this.functions.length > 0) this.callStatement();
    else if (choice === 16) this.copyStatement();
    else if (choice === 17 && this.loopDepth > 0) this.conditionalJump();
    else if (choice === 18 && !this.inMain) this.guarded(() => this.b.return());
    else if (choice === 19 && this.canDiscard()) {
      this.b.discard(this.expression('bool', 1, 1));
      this.isWhole = false;
    } else this.assignment();
  }

  canDiscard(): boolean {
    return this.inMain && this.shader.stage === 'fragment' && this.options.discard !== false && this.chance(30);
  }

  assignment(): void {
    const variable = this.pick(this.variables);
    const { path, base, components } = this.randomPath(variable);
    const value = this.expression(base, components, 3);
    const full = (1 << components) - 1;
    const mask = components > 1 && this.chance(30) ? 1 + this.below(full) : full;
    this.b.storeVar(variable, path, value, mask);
  }

  copyStatement(): void {
    const source = this.pick(this.variables);
    const copy = this.b.temporary('copy', source.type);
    this.b.copyVar(copy, [], source, []);
    this.variables.push(copy);
    if (this.depth > 0) this.variables.pop();
  }

  nest(body: () => void): void {
    const whole = this.isWhole;
    const count = this.variables.length;
    this.isWhole = false;
    this.depth++;
    body();
    this.depth--;
    this.variables.length = count;
    this.isWhole = whole;
  }

  block(most: number): void {
    for (let i = this.below(most); i >= 0; i--) this.statement();
  }

  ifStatement(): void {
    const condition = this.expression('bool', 1, 2);
    this.nest(() => {
      this.b.if(condition, () => this.block(3), this.chance(50) ? () => this.block(3) : undefined);
    });
    // A discard within leaves lanes behind.
    this.isWhole = this.isWhole && !this.mayDiscard();
  }

  mayDiscard(): boolean {
    return this.shader.stage === 'fragment' && this.options.discard !== false;
  }

  loopStatement(): void {
    const { b } = this;
    const counter = b.temporary('i', vectorType('int'));
    b.storeVar(counter, [], b.constInt(0));
    const limit = this.chance(50) ? b.constInt(this.below(6)) : b.iand(this.expression('int', 1, 1), b.constInt(7));
    const limitVariable = b.temporary('n', vectorType('int'));
    b.storeVar(limitVariable, [], limit);
    this.loopDepth++;
    this.nest(() => {
      // Neither counter nor limit is among the variables that the body may write.
      b.loop(
        () => {
          b.if(b.ige(b.loadVar(counter), b.loadVar(limitVariable)), () => b.break());
          this.block(4);
        },
        () => b.storeVar(counter, [], b.iadd(b.loadVar(counter), b.constInt(1))),
      );
    });
    this.loopDepth--;
    this.isWhole = this.isWhole && !this.mayDiscard();
  }

  guarded(jump: () => void): void {
    this.b.if(this.expression('bool', 1, 1), () => {
      if (this.chance(50)) this.nest(() => this.assignment());
      jump();
    });
  }

  conditionalJump(): void {
    this.guarded(() => (this.chance(50) ? this.b.break() : this.b.continue()));
  }

  // ------------------------------------------------------------------------------------------------------ functions

  makeFunction(index: number): void {
    const { b, shader } = this;
    const modes = ['in', 'out', 'inout'] as const;
    const parameters = listOf(1 + this.below(3), (i) => {
      return createVariable(`p${i}`, vectorType(this.base(), 1 + this.below(4)), this.pick(modes));
    });
    const fn = createFunction(shader, `f${index}`, parameters);
    b.setFunction(fn);
    this.inMain = false;
    this.isWhole = false;
    this.makeVariables(2);
    this.variables.push(...parameters);
    for (let i = 0; i < 6; i++) this.statement();
    this.functions.push(fn);
    this.isWhole = true;
  }

  callStatement(): void {
    const { b } = this;
    const fn = this.pick(this.functions);
    const args = fn.parameters.map((parameter) => {
      const argument = b.temporary('argument', parameter.type);
      const type = parameter.type.kind === 'vector' ? parameter.type : vectorType('float');
      if (parameter.mode !== 'out') b.storeVar(argument, [], this.expression(type.base as Base, type.components, 2));
      else b.storeVar(argument, [], b.undef(type.components, type.base === 'bool' ? 1 : 32));
      return argument;
    });
    b.call(fn, args);
    for (const argument of args) {
      const target = this.pick(this.variables);
      if (target.type === argument.type) b.storeVar(target, [], b.loadVar(argument));
      else if (this.depth === 0) this.variables.push(argument);
    }
  }

  // -------------------------------------------------------------------------------------------------------- outputs

  writeOutputs(): void {
    const { b, shader } = this;
    for (const output of shader.outputs) {
      let value: Value | null = null;
      // Everything that was computed shows in some output.
      for (const variable of this.variables) {
        const { path, base, components } = this.randomPath(variable);
        if ((base === 'int') !== (output.base === 'int')) continue;
        const loaded = b.loadVar(variable, path);
        const part = base === 'bool' ? b.b2f(loaded) : loaded;
        const wide = b.swizzle(
          part,
          [0, 1, 2, 3].map((i) => i % components),
        );
        value = value === null ? wide : output.base === 'int' ? b.ixor(value, wide) : b.fadd(value, wide);
      }
      b.storeOutput(output.slot, value ?? this.expression(output.base === 'int' ? 'int' : 'float', 4, 2));
    }
  }
}

/** Inputs, uniforms and buffers for a random shader: ordinary values with some edges among them. */
export function randomEnvironment(seed: number, lanes = 4): Environment {
  const random = createRandom(seed ^ 0x5eed);
  const floatWord = (): number => {
    const value = random() % 4 === 0 ? EDGE_FLOATS[random() % EDGE_FLOATS.length]! : (random() / 2 ** 31 - 1) * 8;
    return new Uint32Array(Float32Array.of(value).buffer)[0]!;
  };
  const intWord = (): number => (random() % 2 ? EDGE_INTS[random() % EDGE_INTS.length]! >>> 0 : random() % 16);
  const floats = (n: number) => listOf(n, floatWord);
  const ints = (n: number) => listOf(n, intWord);
  const uniforms = Uint32Array.from([...floats(16), ...ints(16), ...floats(32)]);
  const block = Uint32Array.from([...floats(32), ...ints(32)]);
  const inputs = new Map<string, Uint32Array>();
  for (const slot of ['attribute0', 'attribute1', 'var0', 'var1'])
    inputs.set(slot, Uint32Array.from(floats(4 * lanes)));
  for (const slot of ['attribute2', 'var2']) inputs.set(slot, Uint32Array.from(ints(4 * lanes)));
  return {
    lanes,
    uniforms,
    uniformBlocks: [block],
    input: (slot, lane, result) => result.set(inputs.get(slot)!.subarray(lane * 4, lane * 4 + 4)),
    sysval: (_name, lane, result) => result.fill(lane & 1),
    stepLimit: 2_000_000,
  };
}
