// Reads the text form that print.ts writes. Block labels may be left out where no phi names them.
import { SYSTEM_VALUES } from './intrinsics.ts';
import {
  arrayType,
  type BaseType,
  type Bits,
  type Block,
  type BodyNode,
  createBlock,
  createInstruction,
  createShader,
  createVariable,
  dynamicStep,
  type IfNode,
  type Instruction,
  type IrFunction,
  type IrType,
  type LoopNode,
  MAX_NESTING,
  matrixType,
  type Shader,
  type Slot,
  type SlotInfo,
  type Stage,
  type SystemValue,
  structType,
  type TexDim,
  type TexOp,
  type TexRole,
  type Value,
  type Variable,
  type VariableMode,
  vectorType,
} from './ir.ts';
import { isOpcode, opcodeRow } from './opcodes.ts';

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|%\w+|-?(?:\d+\.\d+(?:e[-+]?\d+)?|0x[\da-fA-F]+|\d+|inf)\b|\w+|[^\s\w])/y;
const floatBits = new Float32Array(1);
const intBits = new Uint32Array(floatBits.buffer);

/** Parses a shader; throws an Error that names the line. */
export function parseShader(text: string): Shader {
  return new Parser(text).parse();
}

class Parser {
  readonly lines: string[];
  readonly shader: Shader = createShader('fragment');
  readonly values = new Map<string, Value>();
  readonly blocks = new Map<string, Block>();
  readonly variables = new Map<string, Variable>();
  readonly functions = new Map<string, IrFunction>();
  /** Names of sources that are defined later, by instruction. */
  readonly fixups: { instruction: Instruction; index: number; name: string; line: number }[] = [];
  lineNumber = 0;
  tokens: string[] = [];
  position = 0;

  constructor(text: string) {
    this.lines = text.split('\n').map((line) => line.replace(/#.*/, ''));
  }

  parse(): Shader {
    const { shader } = this;
    shader.functions.length = 0;
    shader.nextBlockId = 0;
    for (const line of this.lines) {
      const name = /^\s*function\s+(\w+)/.exec(line)?.[1];
      if (name) this.functions.set(name, { name, parameters: [], locals: [], body: [] });
    }
    while (this.nextLine()) this.parseTopLevel();
    const main = this.functions.get('main');
    if (main === undefined) throw new Error('no function main');
    shader.main = main;
    return shader;
  }

  // ------------------------------------------------------------------------------------------------------- tokens

  fail(message: string): never {
    throw new Error(`line ${this.lineNumber}: ${message}`);
  }

  nextLine(): boolean {
    while (this.lineNumber < this.lines.length) {
      const line = this.lines[this.lineNumber++]!;
      this.tokens = [];
      this.position = 0;
      TOKEN.lastIndex = 0;
      for (let match = TOKEN.exec(line); match !== null; match = TOKEN.exec(line)) this.tokens.push(match[1]!);
      if (this.tokens.length > 0) return true;
    }
    return false;
  }

  peek(): string | undefined {
    return this.tokens[this.position];
  }

  next(): string {
    return this.tokens[this.position++] ?? this.fail('unexpected end of line');
  }

  accept(token: string): boolean {
    if (this.peek() !== token) return false;
    this.position++;
    return true;
  }

  expect(token: string): void {
    const found = this.next();
    if (found !== token) this.fail(`expected ${token}, found ${found}`);
  }

  integer(): number {
    const token = this.next();
    return /^-?\d+$/.test(token) ? Number(token) : this.fail(`expected an integer, found ${token}`);
  }

  string(): string {
    const token = this.next();
    return token.startsWith('"') ? (JSON.parse(token) as string) : this.fail(`expected a string, found ${token}`);
  }

  // ----------------------------------------------------------------------------------------------------- top level

  parseTopLevel(): void {
    const { shader } = this;
    const word = this.next();
    switch (word) {
      case 'shader':
        (shader as { stage: Stage }).stage = this.next() as Stage;
        if (this.peek()) shader.name = this.string();
        return;
      case 'exact':
        shader.isExact = true;
        return;
      case 'earlyFragmentTests':
        shader.earlyFragmentTests = true;
        return;
      case 'input':
        shader.inputs.push(this.slotInfo());
        return;
      case 'output':
        shader.outputs.push(this.slotInfo());
        return;
      case 'sampler': {
        const dim = this.dim();
        const shadow = this.accept('shadow');
        const resultType = this.next() as 'float' | 'int' | 'uint';
        shader.samplers.push({ name: this.string(), dim, shadow, resultType });
        return;
      }
      case 'ubo': {
        const sizeBytes = this.integer();
        shader.uniformBlocks.push({ name: this.string(), sizeBytes });
        return;
      }
      case 'uniforms':
        shader.uniformSlots = this.integer();
        return;
      case 'local': {
        const length = this.integer();
        const components = this.integer();
        shader.locals.push({ name: this.string(), length, components });
        return;
      }
      case 'global':
        shader.globals.push(this.declaration('global'));
        return;
      case 'function':
        this.parseFunction();
        return;
      default:
        this.fail(`unexpected ${word}`);
    }
  }

  slotInfo(): SlotInfo {
    const interpolation = this.next() as SlotInfo['interpolation'];
    const centroid = this.accept('centroid');
    const type = this.type();
    if (type.kind !== 'vector' || type.base === 'bool') this.fail('a slot holds a float, int or uint vector');
    const slot = this.next() as Slot;
    const name = this.peek() ? this.string() : slot;
    return { name, slot, components: type.components, base: type.base, interpolation, centroid };
  }

  dim(): TexDim {
    // `2d` and the like come as one word token or as number and word.
    let dim = this.next();
    if (/^\d+$/.test(dim)) dim += this.next();
    return dim as TexDim;
  }

  declaration(mode: VariableMode): Variable {
    let name = this.next();
    let precision: Variable['precision'] = 'high';
    if (this.peek() !== ':') {
      precision = name as Variable['precision'];
      name = this.next();
    }
    this.expect(':');
    const variable = createVariable(name, this.type(), mode, precision);
    this.variables.set(name, variable);
    return variable;
  }

  type(): IrType {
    const word = this.next();
    let type: IrType;
    const vector = /^(float|int|uint|bool)([234])?$/.exec(word);
    const matrix = /^mat([234])x([234])$/.exec(word);
    if (vector) type = vectorType(vector[1] as BaseType, Number(vector[2] ?? 1));
    else if (matrix) type = matrixType(Number(matrix[1]), Number(matrix[2]));
    else {
      const members: { name: string; type: IrType }[] = [];
      this.expect('{');
      while (!this.accept('}')) {
        const name = this.next();
        this.expect(':');
        members.push({ name, type: this.type() });
        this.accept(',');
      }
      type = structType(word, members);
    }
    while (this.accept('[')) {
      type = arrayType(type, this.integer());
      this.expect(']');
    }
    return type;
  }

  // ----------------------------------------------------------------------------------------------------- functions

  parseFunction(): void {
    const fn = this.functions.get(this.next())!;
    this.shader.functions.push(fn);
    this.expect('(');
    while (!this.accept(')')) {
      fn.parameters.push(this.declaration(this.next() as VariableMode));
      this.accept(';');
    }
    this.expect('{');
    this.parseList(fn, fn.body, 0);
    for (const { instruction, index, name, line } of this.fixups) {
      const value = this.values.get(name);
      if (value === undefined) throw new Error(`line ${line}: ${name} is not defined`);
      instruction.sources[index] = value;
    }
    const [label] = this.#pendingPhis.keys();
    if (label !== undefined) this.fail(`no block ${label} in this function`);
    this.fixups.length = 0;
    this.values.clear();
    this.blocks.clear();
  }

  /** Reads lines up to the one that starts with `}`, whose other tokens remain to be read. */
  parseList(fn: IrFunction, list: BodyNode[], depth: number): void {
    if (depth > MAX_NESTING) this.fail('nested too deeply');
    let block = createBlock(this.shader);
    list.push(block);
    while (this.nextLine()) {
      if (this.accept('}')) return;
      if (this.tokens[1] === ':' && this.tokens.length === 2) {
        this.blocks.set(this.next(), block);
        this.nameBlock(this.tokens[0]!, block);
      } else if (this.accept('temporary')) fn.locals.push(this.declaration('temporary'));
      else if (this.peek() === 'if' || this.peek() === 'loop') {
        this.parseNode(fn, list, depth);
        block = createBlock(this.shader);
        list.push(block);
      } else this.parseInstruction(block);
    }
    this.fail('missing }');
  }

  parseNode(fn: IrFunction, list: BodyNode[], depth: number): void {
    if (this.next() === 'loop') {
      const node: LoopNode = { kind: 'loop', body: [], continuing: [], uniform: false };
      list.push(node);
      this.expect('{');
      this.parseList(fn, node.body, depth + 1);
      if (this.accept('continuing')) this.parseList(fn, node.continuing, depth + 1);
      return;
    }
    const name = this.next();
    const condition = this.values.get(name) ?? this.fail(`${name} is not defined`);
    const node: IfNode = { kind: 'if', condition, thenBody: [], elseBody: [], uniform: false };
    list.push(node);
    this.expect('{');
    this.parseList(fn, node.thenBody, depth + 1);
    if (this.accept('else')) this.parseList(fn, node.elseBody, depth + 1);
    else node.elseBody.push(createBlock(this.shader));
  }

  /** Phis may name blocks before these are read: a placeholder is replaced when the label comes. */
  readonly #pendingPhis = new Map<string, { info: Block[]; index: number }[]>();

  nameBlock(name: string, block: Block): void {
    for (const { info, index } of this.#pendingPhis.get(name) ?? []) info[index] = block;
    this.#pendingPhis.delete(name);
  }

  // -------------------------------------------------------------------------------------------------- instructions

  parseInstruction(block: Block): void {
    let name: string | null = null;
    let components = 0;
    let bits: Bits = 32;
    if (this.peek()?.startsWith('%')) {
      name = this.next();
      if (this.accept(':')) {
        const size = this.next();
        const match = /^([1-4])?(b)?$/.exec(size) ?? this.fail(`bad size ${size}`);
        components = Number(match[1] ?? 1);
        bits = match[2] ? 1 : 32;
      }
      this.expect('=');
    }
    const instruction = this.operation(this.next(), components, bits, name !== null);
    block.instructions.push(instruction);
    if (this.position < this.tokens.length) this.fail(`unexpected ${this.peek()}`);
    if (name === null) return;
    if (this.values.has(name)) this.fail(`${name} is defined twice`);
    this.values.set(name, instruction);
  }

  make(
    kind: Instruction['kind'],
    op: string,
    components: number,
    bits: Bits,
    names: readonly string[],
    info: Instruction['info'],
  ): Instruction {
    const sources: Value[] = [];
    const instruction = createInstruction(this.shader, kind, op, components, bits, sources, info);
    names.forEach((name, index) => {
      const value = this.values.get(name);
      if (value !== undefined) sources[index] = value;
      else {
        sources[index] = instruction;
        this.fixups.push({ instruction, index, name, line: this.lineNumber });
      }
    });
    return instruction;
  }

  valueNames(): string[] {
    const names: string[] = [];
    while (this.peek()?.startsWith('%')) names.push(this.next());
    return names;
  }

  operation(op: string, components: number, bits: Bits, hasResult: boolean): Instruction {
    const size = hasResult ? components || 1 : 0;
    if (isOpcode(op)) return this.alu(op, components, bits);
    switch (op) {
      case 'const':
        return this.constant();
      case 'undef':
        return this.make('undef', op, size, bits, [], null);
      case 'break':
      case 'continue':
      case 'return':
        return this.make('jump', op, 0, 32, [], null);
      case 'phi':
        return this.phi(size, bits);
      case 'call': {
        const callee = this.functions.get(this.next()) ?? this.fail('call of an unknown function');
        const args: Variable[] = [];
        this.expect('(');
        while (!this.accept(')')) {
          args.push(this.variable());
          this.accept(',');
        }
        return this.make('call', op, 0, 32, [], { callee, arguments: args });
      }
      case 'tex':
        return this.tex(size);
      default:
        return this.intrinsic(op, components, bits, hasResult);
    }
  }

  alu(op: string, annotated: number, annotatedBits: Bits): Instruction {
    const names = this.valueNames();
    const row = opcodeRow(op);
    const first = this.values.get(names[names.length - 1] ?? '');
    let components = row.shape === 'fixed' ? row.sizes![0]! : row.shape === 'reduce' ? 1 : (first?.components ?? 1);
    let info: number[] | null = null;
    if (op === 'vec') components = names.length;
    if (op === 'swizzle') {
      this.expect('.');
      info = this.selection();
      components = info.length;
    }
    const bits = row.out === 'bool' ? 1 : row.out === 'bits' ? (first?.bits ?? annotatedBits) : 32;
    if (annotated > 0 && annotated !== components && first) this.fail(`${op} gives ${components} components`);
    return this.make('alu', op, annotated || components, bits, names, info);
  }

  selection(): number[] {
    const word = this.next();
    return Array.from(word === 'none' ? '' : word, (letter) => {
      const component = 'xyzw'.indexOf(letter);
      return component < 0 ? this.fail(`bad component ${letter}`) : component;
    });
  }

  constant(): Instruction {
    const words: number[] = [];
    let bits: Bits = 32;
    while (this.peek() !== undefined) {
      const token = this.next();
      if (token === 'true' || token === 'false') {
        bits = 1;
        words.push(token === 'true' ? 1 : 0);
      } else if (token.includes('inf')) words.push(token === 'inf' ? 0x7f800000 : 0xff800000);
      else if (token === '-' && this.accept('inf')) words.push(0xff800000);
      else if (token.includes('.')) {
        floatBits[0] = Number(token);
        words.push(intBits[0]!);
      } else words.push(Number(token) >>> 0);
    }
    return this.make('const', 'const', words.length, bits, [], Uint32Array.from(words));
  }

  phi(components: number, bits: Bits): Instruction {
    const names: string[] = [];
    const info: Block[] = [];
    while (this.peek() !== undefined) {
      const label = this.next();
      const block = this.blocks.get(label);
      if (block !== undefined) info.push(block);
      else {
        const pending = this.#pendingPhis.get(label) ?? [];
        pending.push({ info, index: info.length });
        this.#pendingPhis.set(label, pending);
        info.push(undefined as unknown as Block);
      }
      names.push(this.next());
      this.accept(',');
    }
    return this.make('phi', 'phi', components, bits, names, info);
  }

  variable(): Variable {
    const name = this.next();
    return this.variables.get(name) ?? this.fail(`unknown variable ${name}`);
  }

  /** A variable and a path; dynamic steps are pushed to `names`. */
  path(names: string[]): { variable: Variable; path: number[] } {
    const variable = this.variable();
    const path: number[] = [];
    for (;;) {
      if (!this.accept('[')) return { variable, path };
      path.push(this.peek()?.startsWith('%') ? dynamicStep(names.push(this.next()) - 1) : this.integer());
      this.expect(']');
    }
  }

  mask(components: number): number {
    if (!this.accept('mask')) return (1 << components) - 1;
    return this.selection().reduce((bits, component) => bits | (1 << component), 0);
  }

  tex(annotated: number): Instruction {
    const op = this.next() as TexOp;
    const sampler = this.integer();
    const dim = this.dim();
    const shadow = this.accept('shadow');
    const resultType = this.next() as 'float' | 'int' | 'uint';
    const roles: TexRole[] = [];
    const names: string[] = [];
    let offset: number[] | null = null;
    while (this.peek() !== undefined) {
      const role = this.next();
      if (role === 'offset') {
        offset = [];
        while (this.peek() !== undefined) offset.push(this.integer());
      } else {
        roles.push(role as TexRole);
        names.push(this.next());
      }
    }
    const sizeComponents = dim === '3d' || dim === '2dArray' ? 3 : 2;
    const components = op === 'size' ? sizeComponents : shadow ? 1 : 4;
    if (annotated !== components) this.fail(`this texture instruction gives ${components} components`);
    return this.make('tex', op, components, 32, names, { sampler, dim, shadow, resultType, roles, offset });
  }

  intrinsic(op: string, annotated: number, bits: Bits, hasResult: boolean): Instruction {
    const components = hasResult ? annotated || 1 : 0;
    const make = (names: string[], info: Instruction['info'], size = components) =>
      this.make('intrinsic', op, size, bits, names, info);
    const names: string[] = [];
    switch (op) {
      case 'loadVar': {
        const info = this.path(names);
        return make(names, info);
      }
      case 'storeVar': {
        names.push('');
        const target = this.path(names);
        names[0] = this.next();
        return make(names, { ...target, writeMask: this.mask(this.values.get(names[0])?.components ?? 1) });
      }
      case 'copyVar': {
        const target = this.path(names);
        const from = this.path(names);
        return make(names, { ...target, source: from.variable, sourcePath: from.path });
      }
      case 'loadInput':
      case 'storeOutput': {
        const slot = this.next() as Slot;
        const component = this.accept('@') ? this.integer() : 0;
        return make(this.valueNames(), { slot, component });
      }
      case 'loadUniform': {
        const base = this.integer();
        const offset = this.valueNames();
        return make(offset, { base, range: this.accept('range') ? this.integer() : 1 });
      }
      case 'loadUbo': {
        const block = this.integer();
        const base = this.integer();
        return make(this.valueNames(), { block, base });
      }
      case 'loadLocal': {
        const array = this.integer();
        return make(this.valueNames(), { array }, this.shader.locals[array]?.components ?? 1);
      }
      case 'storeLocal': {
        const array = this.integer();
        const sources = this.valueNames();
        return make(sources, { array, writeMask: this.mask(this.shader.locals[array]?.components ?? 1) });
      }
      case 'sysval': {
        const name = this.next() as SystemValue;
        const row = SYSTEM_VALUES[name] ?? this.fail(`unknown system value ${name}`);
        return this.make('intrinsic', op, row.components, row.bits, [], { name });
      }
      case 'discard':
        return make(this.valueNames(), null);
      default:
        return this.fail(`unknown instruction ${op}`);
    }
  }
}
