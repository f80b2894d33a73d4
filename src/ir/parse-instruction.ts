// Reads single instructions of the text form.
import { SYSTEM_VALUES } from './intrinsics.ts';
import {
  type Bits,
  type Block,
  createInstruction,
  createShader,
  dynamicStep,
  type Instruction,
  type InterpolationPlace,
  type IrFunction,
  type Shader,
  type Slot,
  type SystemValue,
  type TexDim,
  type TexOp,
  type TexRole,
  type Value,
  type Variable,
} from './ir.ts';
import { isOpcode, opcodeRow } from './opcodes.ts';
import { TokenReader } from './token-reader.ts';

const floatBits = new Float32Array(1);
const intBits = new Uint32Array(floatBits.buffer);

export class InstructionParser extends TokenReader {
  readonly shader: Shader = createShader('fragment');
  readonly values = new Map<string, Value>();
  readonly blocks = new Map<string, Block>();
  readonly variables = new Map<string, Variable>();
  readonly functions = new Map<string, IrFunction>();
  /** Names of sources that are defined later, by instruction. */
  readonly fixups: { instruction: Instruction; index: number; name: string; line: number }[] = [];
  /** Phis may name blocks before these are read: a placeholder is replaced when the label comes. */
  readonly pendingPhis = new Map<string, { info: Block[]; index: number }[]>();

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
    return [...(word === 'none' ? '' : word)].map((letter) => {
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
        const pending = this.pendingPhis.get(label) ?? [];
        pending.push({ info, index: info.length });
        this.pendingPhis.set(label, pending);
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
      case 'loadInputAt': {
        const at = this.next() as InterpolationPlace;
        const slot = this.next() as Slot;
        const component = this.accept('@') ? this.integer() : 0;
        return make(this.valueNames(), { slot, component, at });
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

  dim(): TexDim {
    // `2d` and the like come as one word token or as number and word.
    let dim = this.next();
    if (/^\d+$/.test(dim)) dim += this.next();
    return dim as TexDim;
  }
}
