// Writes random pairs of shaders that are valid GLSL ES: every type, operator and statement, functions, structs, blocks and varyings.

import type { Random } from '../reference/random.ts';
import {
  type Base,
  BOOL,
  declaration,
  type Field,
  FLOAT,
  holdsArray,
  INT,
  matrix,
  sameType,
  type Type,
  typeName,
  vector,
} from './shader-types.ts';

export type Version = 100 | 300;

interface Variable {
  readonly name: string;
  readonly type: Type;
  readonly isWritable: boolean;
  /** May index arrays in ES 1.00 (Appendix A). */
  readonly isLoopIndex?: boolean;
}

interface UserFunction {
  readonly name: string;
  readonly result: Type | null;
  readonly parameters: readonly { readonly type: Type; readonly mode: 'in' | 'out' | 'inout' }[];
}

interface SamplerUniform {
  readonly name: string;
  readonly type: string;
}

/** What both stages of a program share. */
export interface Interface {
  readonly version: Version;
  readonly structs: readonly (Type & { kind: 'struct' })[];
  readonly uniforms: readonly Variable[];
  readonly blocks: readonly { readonly name: string; readonly instance: string; readonly fields: readonly Field[] }[];
  readonly samplers: readonly SamplerUniform[];
  readonly varyings: readonly (Variable & { readonly isFlat: boolean })[];
  readonly isIntegerOutput: boolean;
}

const SAMPLERS_100 = ['sampler2D', 'samplerCube'];
const SAMPLERS_300 = [
  ...SAMPLERS_100,
  'sampler3D',
  'sampler2DArray',
  'sampler2DShadow',
  'isampler2D',
  'usampler3D',
  'samplerCubeShadow',
];

/** Functions of float vectors: name → count of arguments. */
const FLOAT_FUNCTIONS: Readonly<Record<string, number>> = {
  radians: 1,
  degrees: 1,
  sin: 1,
  cos: 1,
  tan: 1,
  asin: 1,
  acos: 1,
  atan: 1,
  exp: 1,
  log: 1,
  exp2: 1,
  log2: 1,
  sqrt: 1,
  inversesqrt: 1,
  abs: 1,
  sign: 1,
  floor: 1,
  ceil: 1,
  fract: 1,
  normalize: 1,
  pow: 2,
  mod: 2,
  min: 2,
  max: 2,
  step: 2,
  reflect: 2,
  clamp: 3,
  mix: 3,
  smoothstep: 3,
  faceforward: 3,
};
const FLOAT_FUNCTIONS_300 = ['round', 'roundEven', 'trunc', 'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh'];
const EDGES: Readonly<Record<Base, readonly string[]>> = {
  float: ['0.0', '1.0', '-1.0', '0.5', '2.5', '1e-3', '1e20', '-3e38', '100.75', '.5', '3.'],
  int: ['0', '1', '2', '-1', '3', '7', '31', '0x7fffffff', '255', '010'],
  uint: ['0u', '1u', '2u', '31u', '0xffffffffu', '65535u'],
  bool: ['true', 'false'],
};

class Writer {
  readonly random: Random;
  readonly io: Interface;
  readonly stage: 'vertex' | 'fragment';
  readonly lines: string[] = [];
  readonly functions: UserFunction[] = [];
  scopes: Variable[][] = [[]];
  names = 0;
  budget = 0;
  depth = 0;
  loopDepth = 0;
  switchDepth = 0;
  current: UserFunction | null = null;
  /** Derivatives and implicit levels of detail are defined: all pixels are here. */
  isWhole = true;

  constructor(random: Random, io: Interface, stage: 'vertex' | 'fragment') {
    this.random = random;
    this.io = io;
    this.stage = stage;
  }

  get is300(): boolean {
    return this.io.version === 300;
  }

  line(text: string): void {
    this.lines.push('  '.repeat(this.scopes.length - 1) + text);
  }

  // ---------------------------------------------------------------------------------------------------- types, names

  base(): Base {
    return this.random.pick<Base>(
      this.is300 ? ['float', 'float', 'int', 'uint', 'bool'] : ['float', 'float', 'int', 'bool'],
    );
  }

  type(allowArray = true): Type {
    const { random, io } = this;
    const choice = random.int(0, 9);
    if (choice < 6) return vector(this.base(), random.int(1, 4));
    if (choice === 6) {
      const columns = random.int(2, 4);
      return matrix(columns, this.is300 ? random.int(2, 4) : columns);
    }
    if (choice === 7 && io.structs.length > 0) return random.pick(io.structs);
    if (choice === 8 && allowArray && this.is300)
      return { kind: 'array', element: vector(this.base(), random.int(1, 4)), length: random.int(1, 5) };
    return vector('float', random.int(1, 4));
  }

  newName(): string {
    return `x${this.names++}`;
  }

  declare(type: Type, isWritable = true, isLoopIndex = false, name = this.newName()): Variable {
    const variable = { name, type, isWritable, isLoopIndex };
    this.scopes.at(-1)!.push(variable);
    return variable;
  }

  visible(): Variable[] {
    return this.scopes.flat();
  }

  // ------------------------------------------------------------------------------------------------------ paths

  /** All readable or writable places of a type within a variable. */
  place(type: Type, isWritable: boolean): string | null {
    const candidates = this.visible().filter((variable) => variable.isWritable || !isWritable);
    for (let attempt = 0; attempt < 6 && candidates.length > 0; attempt++) {
      const variable = this.random.pick(candidates);
      const found = this.within(variable.name, variable.type, type, isWritable);
      if (found !== null) return found;
    }
    return null;
  }

  within(path: string, from: Type, wanted: Type, isWritable: boolean): string | null {
    const { random } = this;
    if (sameType(from, wanted)) return path;
    switch (from.kind) {
      case 'vector':
        if (wanted.kind !== 'vector' || wanted.base !== from.base || from.size === 1) return null;
        return wanted.size === 1 && random.bool(0.3)
          ? `${path}[${this.index(from.size)}]`
          : this.swizzled(path, from.size, wanted.size, isWritable);
      case 'matrix':
        return this.within(`${path}[${this.index(from.columns)}]`, vector('float', from.rows), wanted, isWritable);
      case 'array':
        return this.within(`${path}[${this.index(from.length)}]`, from.element, wanted, isWritable);
      case 'struct': {
        const field = random.pick(from.fields);
        return this.within(`${path}.${field.name}`, field.type, wanted, isWritable);
      }
    }
  }

  swizzled(path: string, from: number, size: number, isWritable: boolean): string | null {
    const set = this.random.pick(['xyzw', 'rgba', 'stpq']);
    if (isWritable && size > from) return null;
    const order = this.random.shuffle(Array.from({ length: from }, (_, i) => i));
    const letters = Array.from({ length: size }, (_, i) => set[isWritable ? order[i]! : this.random.int(0, from - 1)]);
    return `${path}.${letters.join('')}`;
  }

  index(length: number): string {
    const loop = this.visible().filter((variable) => variable.isLoopIndex);
    if (!this.is300 || this.random.bool(0.6) || this.budget < 4) return String(this.random.int(0, length - 1));
    if (loop.length > 0 && this.random.bool()) return this.random.pick(loop).name;
    // A constant index out of range would be an error.
    return `(${this.expression(INT)} + zero)`;
  }

  // ------------------------------------------------------------------------------------------------- expressions

  literal(type: Type): string {
    const { random } = this;
    switch (type.kind) {
      case 'vector': {
        if (type.size === 1) return random.bool(0.7) ? random.pick(EDGES[type.base]) : numberOf(type.base, random);
        const count = random.bool(0.3) ? 1 : type.size;
        return `${typeName(type)}(${this.list(count, () => this.literal(vector(type.base, 1)))})`;
      }
      case 'matrix':
        return `${typeName(type)}(${this.list(random.bool() ? 1 : type.columns * type.rows, () => this.literal(FLOAT))})`;
      case 'struct':
        return `${type.name}(${type.fields.map((field) => this.literal(field.type)).join(', ')})`;
      case 'array':
        return `${typeName(type)}[${type.length}](${this.list(type.length, () => this.literal(type.element))})`;
    }
  }

  list(count: number, make: (i: number) => string): string {
    return Array.from({ length: count }, (_, i) => make(i)).join(', ');
  }

  leaf(type: Type): string {
    return (this.random.bool(0.75) ? this.place(type, false) : null) ?? this.literal(type);
  }

  expression(type: Type): string {
    if (--this.budget <= 0 || this.random.bool(0.2)) return this.leaf(type);
    const { random } = this;
    const mayChoose = type.kind === 'vector' || type.kind === 'matrix';
    if (mayChoose && random.bool(0.06))
      return `(${this.expression(BOOL)} ? ${this.expression(type)} : ${this.expression(type)})`;
    const calls = this.functions.filter((f) => f.result !== null && sameType(f.result, type));
    if (calls.length > 0 && random.bool(0.2)) {
      const call = this.callText(random.pick(calls));
      if (call !== null) return call;
    }
    switch (type.kind) {
      case 'vector':
        return type.base === 'bool' ? this.boolean(type.size) : this.numeric(type.base, type.size);
      case 'matrix':
        return this.matrix(type.columns, type.rows);
      case 'struct':
        return `${type.name}(${type.fields.map((field) => this.expression(field.type)).join(', ')})`;
      case 'array':
        return this.leaf(type);
    }
  }

  boolean(size: number): string {
    const { random } = this;
    if (size > 1) {
      if (random.bool(0.3)) return `bvec${size}(${this.list(size, () => this.expression(BOOL))})`;
      if (random.bool(0.2)) return `not(${this.expression(vector('bool', size))})`;
      const base = random.pick(this.is300 ? (['float', 'int', 'uint'] as const) : (['float', 'int'] as const));
      const compare = random.pick([
        'lessThan',
        'lessThanEqual',
        'greaterThan',
        'greaterThanEqual',
        'equal',
        'notEqual',
      ]);
      const operand = vector(base, size);
      return `${compare}(${this.expression(operand)}, ${this.expression(operand)})`;
    }
    switch (random.int(0, 5)) {
      case 0:
        return `(${this.expression(BOOL)} ${random.pick(['&&', '||', '^^', '==', '!='])} ${this.expression(BOOL)})`;
      case 1:
        return `!${this.expression(BOOL)}`;
      case 2:
        return `${random.pick(['any', 'all'])}(${this.expression(vector('bool', random.int(2, 4)))})`;
      case 3: {
        const type = this.type();
        if (!this.is300 && holdsArray(type)) break;
        return `(${this.expression(type)} ${random.pick(['==', '!='])} ${this.expression(type)})`;
      }
      case 4:
        return `bool(${this.expression(vector(random.pick(['float', 'int']), 1))})`;
    }
    const type = vector(random.pick(this.is300 ? (['float', 'int', 'uint'] as const) : (['float', 'int'] as const)), 1);
    return `(${this.expression(type)} ${random.pick(['<', '>', '<=', '>='])} ${this.expression(type)})`;
  }

  numeric(base: Base, size: number): string {
    const { random } = this;
    const type = vector(base, size);
    switch (random.int(0, 8)) {
      case 0:
      case 1: {
        const operators =
          base === 'float' || !this.is300 ? ['+', '-', '*', '/'] : ['+', '-', '*', '/', '%', '&', '|', '^'];
        const other = size > 1 && random.bool(0.2) ? vector(base, 1) : type;
        const [a, b] = random.bool() ? [type, other] : [other, type];
        return `(${this.expression(a)} ${random.pick(operators)} ${this.expression(b)})`;
      }
      case 2:
        if (base !== 'float' && this.is300) {
          if (random.bool(0.3)) return `~${this.expression(type)}`;
          return `(${this.expression(type)} ${random.pick(['<<', '>>'])} ${this.expression(type)})`;
        }
        return `-(${this.expression(type)})`;
      case 3:
        return this.converted(base, size);
      case 4:
        if (size < 4 || random.bool(0.3)) {
          const swizzled = this.swizzled(`(${this.expression(vector(base, 4))})`, 4, size, false);
          if (swizzled !== null) return swizzled;
        }
        break;
      case 5:
        if (base === 'float') return this.product(size);
        break;
      case 6:
        if (base === 'float' && this.io.samplers.length > 0 && size === 4) return this.texture();
        break;
    }
    return base === 'float' ? this.floatFunction(size) : this.integerFunction(base, size);
  }

  converted(base: Base, size: number): string {
    const { random } = this;
    const name = typeName(vector(base, size));
    const other = random.pick<Base>(this.is300 ? ['float', 'int', 'uint', 'bool'] : ['float', 'int', 'bool']);
    if (size === 1 || random.bool(0.4)) return `${name}(${this.expression(vector(other, size))})`;
    if (size === 2) return `${name}(${this.expression(vector(base, 1))}, ${this.expression(vector(other, 1))})`;
    return `${name}(${this.expression(vector(base, size - 1))}, ${this.expression(vector(other, 1))})`;
  }

  product(size: number): string {
    const { random } = this;
    if (size === 1) {
      const n = random.int(1, 4);
      if (random.bool(0.3)) return `length(${this.expression(vector('float', n))})`;
      const call = random.pick(['dot', 'distance']);
      return `${call}(${this.expression(vector('float', n))}, ${this.expression(vector('float', n))})`;
    }
    if (size === 3 && random.bool(0.3))
      return `cross(${this.expression(vector('float', 3))}, ${this.expression(vector('float', 3))})`;
    const n = this.is300 ? random.int(2, 4) : size;
    if (random.bool()) return `(${this.expression(matrix(n, size))} * ${this.expression(vector('float', n))})`;
    return `(${this.expression(vector('float', n))} * ${this.expression(matrix(size, n))})`;
  }

  floatFunction(size: number): string {
    const { random } = this;
    const type = vector('float', size);
    if (this.is300) {
      if (random.bool(0.06) && this.stage === 'fragment' && this.isWhole && this.current === null)
        return `${random.pick(['dFdx', 'dFdy', 'fwidth'])}(${this.place(type, false) ?? this.literal(type)})`;
      if (random.bool(0.1)) return `${random.pick(FLOAT_FUNCTIONS_300)}(${this.expression(type)})`;
      if (random.bool(0.06)) return `intBitsToFloat(${this.expression(vector('int', size))})`;
      if (size === 2 && random.bool(0.2))
        return `${random.pick(['unpackHalf2x16', 'unpackSnorm2x16', 'unpackUnorm2x16'])}(${this.expression(vector('uint', 1))})`;
      if (random.bool(0.05))
        return `mix(${this.expression(type)}, ${this.expression(type)}, ${this.expression(vector('bool', size))})`;
    }
    const name = random.pick(Object.keys(FLOAT_FUNCTIONS));
    return `${name}(${this.list(FLOAT_FUNCTIONS[name]!, () => this.expression(type))})`;
  }

  integerFunction(base: Base, size: number): string {
    const { random } = this;
    const type = vector(base, size);
    if (!this.is300) return `(${this.expression(type)} + ${this.expression(type)})`;
    if (size === 1 && base === 'uint' && random.bool(0.2))
      return `${random.pick(['packHalf2x16', 'packSnorm2x16', 'packUnorm2x16'])}(${this.expression(vector('float', 2))})`;
    if (random.bool(0.2))
      return `floatBitsTo${base === 'int' ? 'Int' : 'Uint'}(${this.expression(vector('float', size))})`;
    if (base === 'int' && random.bool(0.4)) return `${random.pick(['abs', 'sign'])}(${this.expression(type)})`;
    if (random.bool()) return `${random.pick(['min', 'max'])}(${this.expression(type)}, ${this.expression(type)})`;
    return `clamp(${this.list(3, () => this.expression(type))})`;
  }

  matrix(columns: number, rows: number): string {
    const { random } = this;
    const type = matrix(columns, rows);
    switch (random.int(0, 6)) {
      case 0:
        return `${typeName(type)}(${this.list(columns, () => this.expression(vector('float', rows)))})`;
      case 1:
        return `(${this.expression(type)} ${random.pick(['+', '-', '/'])} ${this.expression(type)})`;
      case 2: {
        const n = this.is300 ? random.int(2, 4) : columns;
        return `(${this.expression(matrix(n, rows))} * ${this.expression(matrix(columns, n))})`;
      }
      case 3:
        return `matrixCompMult(${this.expression(type)}, ${this.expression(type)})`;
      case 4:
        if (!this.is300) break;
        if (random.bool()) return `transpose(${this.expression(matrix(rows, columns))})`;
        return `outerProduct(${this.expression(vector('float', rows))}, ${this.expression(vector('float', columns))})`;
      case 5:
        if (!this.is300) break;
        if (columns === rows) return `inverse(${this.expression(type)})`;
        return `${typeName(type)}(${this.expression(matrix(random.int(2, 4), random.int(2, 4)))})`;
    }
    return `(${this.expression(type)} * ${this.expression(FLOAT)})`;
  }

  /** A look-up as vec4. */
  texture(): string {
    const { random } = this;
    const { name, type } = random.pick(this.io.samplers);
    const size = /Cube|3D|Array/.test(type) ? 3 : 2;
    const isShadow = type.endsWith('Shadow');
    const coordinate = this.expression(vector('float', isShadow ? size + 1 : size));
    const isVertex = this.stage === 'vertex';
    if (!this.is300) {
      const call = size === 3 ? 'textureCube' : 'texture2D';
      return isVertex
        ? `${call}Lod(${name}, ${coordinate}, ${this.expression(FLOAT)})`
        : `${call}(${name}, ${coordinate})`;
    }
    const calls: string[] = [`texture(${name}, ${coordinate})`];
    if (!(isShadow && size === 3)) calls.push(`textureLod(${name}, ${coordinate}, ${this.expression(FLOAT)})`);
    if (!isShadow && !type.includes('Cube'))
      calls.push(`texelFetch(${name}, ${this.expression(vector('int', size))}, ${this.expression(INT)})`);
    const gradient = vector('float', type.includes('Array') ? 2 : size);
    calls.push(`textureGrad(${name}, ${coordinate}, ${this.expression(gradient)}, ${this.expression(gradient)})`);
    return `vec4(${random.pick(calls)})`;
  }

  /** Null: there is nothing to hand to an out parameter. */
  callText({ name, parameters }: UserFunction): string | null {
    const args: string[] = [];
    for (const { type, mode } of parameters) {
      const arg = mode === 'in' ? this.expression(type) : this.place(type, true);
      if (arg === null) return null;
      args.push(arg);
    }
    return `${name}(${args.join(', ')})`;
  }

  // ------------------------------------------------------------------------------------------------- statements

  fresh(type: Type): string {
    this.budget = this.random.bool(0.05) ? 60 : this.random.int(1, 16);
    return this.expression(type);
  }

  statement(): void {
    const { random } = this;
    const canNest = this.depth < 4 && this.lines.length < 300;
    const choice = random.int(0, 21);
    if (choice < 4) this.declarationStatement();
    else if (choice < 11 || !canNest) this.assignment();
    else if (choice < 14) this.ifStatement();
    else if (choice < 16 && this.loopDepth < 2) this.loop();
    else if (choice === 16) this.nested('{', () => this.block(3), '}');
    else if (choice === 17 && this.is300) this.switchStatement();
    else if (choice === 18 && this.functions.length > 0) {
      this.budget = 8;
      const call = this.callText(random.pick(this.functions));
      if (call !== null) this.line(`${call};`);
    } else if (choice === 19 && this.loopDepth > 0) {
      this.line(`if (${this.fresh(BOOL)}) ${this.switchDepth > 0 ? 'continue' : random.pick(['break', 'continue'])};`);
    } else if (choice === 20) this.leave();
    else this.assignment();
  }

  leave(): void {
    const { current, random } = this;
    if (current === null && this.stage === 'fragment' && random.bool(0.5)) {
      this.line(`if (${this.fresh(BOOL)}) discard;`);
      this.isWhole = false;
    } else if (current !== null && this.depth > 0) {
      this.line(`if (${this.fresh(BOOL)}) return${current.result ? ` ${this.fresh(current.result)}` : ''};`);
    }
  }

  declarationStatement(): void {
    const type = this.type();
    if (!this.is300 && holdsArray(type)) return;
    const value = this.fresh(type);
    const isConst = this.random.bool(0.1) && type.kind !== 'array';
    const name = this.newName();
    const precision = type.kind === 'vector' && type.base !== 'bool' && this.random.bool(0.1) ? 'mediump ' : '';
    if (isConst) {
      this.line(`const ${precision}${declaration(type, name)} = ${this.literal(type)};`);
      this.declare(type, false, false, name);
      return;
    }
    this.line(`${precision}${declaration(type, name)} = ${value};`);
    this.declare(type, true, false, name);
  }

  assignment(): void {
    const { random } = this;
    const type = this.type();
    this.budget = 6;
    const target = this.place(type, true);
    if (target === null || (!this.is300 && holdsArray(type))) return this.declarationStatement();
    if (type.kind === 'vector' && type.base !== 'bool' && random.bool(0.3)) {
      if (random.bool(0.3))
        return this.line(
          random.bool() ? `${target}${random.pick(['++', '--'])};` : `${random.pick(['++', '--'])}${target};`,
        );
      const isBits = type.base !== 'float' && this.is300;
      const operators = isBits
        ? ['+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=']
        : ['+=', '-=', '*=', '/='];
      return this.line(`${target} ${random.pick(operators)} ${this.fresh(type)};`);
    }
    this.line(`${target} = ${this.fresh(type)};`);
  }

  nested(open: string, body: () => void, close: string): void {
    const wasWhole = this.isWhole;
    this.line(open);
    this.scopes.push([]);
    this.depth++;
    this.isWhole = false;
    body();
    this.depth--;
    this.scopes.pop();
    this.isWhole = wasWhole && this.stage !== 'fragment' ? wasWhole : false;
    this.line(close);
  }

  block(most: number): void {
    for (let i = this.random.int(1, most); i > 0; i--) this.statement();
  }

  ifStatement(): void {
    this.nested(`if (${this.fresh(BOOL)}) {`, () => this.block(3), '}');
    while (this.random.bool(0.3)) this.nested(`else if (${this.fresh(BOOL)}) {`, () => this.block(2), '}');
    if (this.random.bool(0.4)) this.nested('else {', () => this.block(3), '}');
  }

  loop(): void {
    const { random } = this;
    const count = random.int(1, 5);
    const name = this.newName();
    const outerSwitch = this.switchDepth;
    this.switchDepth = 0;
    this.loopDepth++;
    const kind = this.is300 ? random.int(0, 3) : 0;
    if (kind === 1) {
      this.line(`int ${name} = ${count};`);
      this.declare(INT, false, false, name);
      this.nested(`while (${name}-- > 0) {`, () => this.block(3), '}');
    } else if (kind === 2) {
      this.line(`int ${name} = ${count};`);
      this.declare(INT, false, false, name);
      this.nested('do {', () => this.block(3), `} while (--${name} > 0);`);
    } else {
      const limit = kind === 3 ? `(${this.fresh(INT)} & 7)` : String(count);
      const step = random.pick([`${name}++`, `++${name}`, `${name} += 2`]);
      this.nested(
        `for (int ${name} = 0; ${name} < ${limit}; ${step}) {`,
        () => {
          this.declare(INT, false, true, name);
          this.block(4);
        },
        '}',
      );
    }
    this.loopDepth--;
    this.switchDepth = outerSwitch;
  }

  switchStatement(): void {
    const { random } = this;
    this.switchDepth++;
    this.nested(
      `switch (${this.fresh(INT)}) {`,
      () => {
        const labels = random.shuffle([-1, 0, 1, 2, 3, 7]).slice(0, random.int(1, 4));
        for (const label of labels) {
          this.line(random.bool(0.2) && label === labels.at(-1) ? 'default:' : `case ${label}:`);
          this.nested('{', () => this.block(2), '}');
          if (random.bool(0.7)) this.line('break;');
        }
      },
      '}',
    );
    this.switchDepth--;
  }

  // ------------------------------------------------------------------------------------------------- whole shaders

  functionDefinition(index: number): void {
    const { random } = this;
    const plain = () => {
      const type = this.type(false);
      return !this.is300 && holdsArray(type) ? FLOAT : type;
    };
    const result = random.bool(0.8) ? plain() : null;
    const parameters = Array.from({ length: random.int(0, 3) }, () => ({
      type: plain(),
      mode: random.pick(['in', 'in', 'out', 'inout'] as const),
    }));
    const definition: UserFunction = { name: `f${index}`, result, parameters };
    const names = parameters.map(() => this.newName());
    const texts = parameters.map(({ type, mode }, i) => `${mode} ${declaration(type, names[i]!)}`);
    this.current = definition;
    this.nested(
      `${result ? typeName(result) : 'void'} ${definition.name}(${texts.join(', ')}) {`,
      () => {
        parameters.forEach(({ type, mode }, i) => {
          if (mode === 'out') this.line(`${names[i]} = ${this.literal(type)};`);
          this.declare(type, true, false, names[i]);
        });
        this.block(5);
        if (result) this.line(`return ${this.fresh(result)};`);
      },
      '}',
    );
    this.current = null;
    this.functions.push(definition);
  }

  write(): string {
    const { random, io, stage } = this;
    if (this.is300) this.line('#version 300 es');
    this.line('precision highp float;');
    this.line('precision highp int;');
    for (const type of new Set(io.samplers.map((sampler) => sampler.type))) this.line(`precision highp ${type};`);
    for (const { name, fields } of io.structs)
      this.line(`struct ${name} { ${fields.map((field) => `${declaration(field.type, field.name)};`).join(' ')} };`);
    for (const { name, type } of io.uniforms) {
      this.line(`uniform ${declaration(type, name)};`);
      this.declare(type, false, false, name);
    }
    if (this.is300) this.line('uniform int zero;');
    for (const { name, type } of io.samplers) this.line(`uniform ${type} ${name};`);
    for (const { name, instance, fields } of io.blocks) {
      const members = fields.map((field) => `${declaration(field.type, field.name)};`).join(' ');
      this.line(`layout(std140) uniform ${name} { ${members} }${instance ? ` ${instance}` : ''};`);
      for (const field of fields)
        this.declare(field.type, false, false, instance ? `${instance}.${field.name}` : field.name);
    }
    if (stage === 'vertex') this.vertexInterface();
    else this.fragmentInterface();
    if (random.bool(0.3)) {
      const type = vector(this.base(), random.int(1, 4));
      this.line(`${declaration(type, 'g')} = ${this.literal(type)};`);
      this.declare(type, true, false, 'g');
    }
    // Functions come after globals; what they write of outputs is fine too.
    for (let i = random.int(0, 3); i > 0; i--) this.functionDefinition(i);
    this.isWhole = true;
    this.line('void main() {');
    this.scopes.push([]);
    if (stage === 'vertex') for (const { name, type } of io.varyings) this.line(`${name} = ${this.fresh(type)};`);
    else for (const output of this.outputs) this.line(`${output.name} = ${this.literal(output.type)};`);
    for (let i = random.int(2, 14); i > 0; i--) this.statement();
    if (stage === 'vertex')
      this.line(`gl_Position = vec4(p, 0.0, 1.0) + clamp(${this.fresh(vector('float', 4))}, -0.1, 0.1);`);
    else
      for (const output of this.outputs)
        this.line(`${output.name} ${random.bool() ? '=' : '+='} ${this.fresh(output.type)};`);
    this.scopes.pop();
    this.line('}');
    return `${this.lines.join('\n')}\n`;
  }

  outputs: Variable[] = [];

  vertexInterface(): void {
    const [attribute, out] = this.is300 ? ['in', 'out'] : ['attribute', 'varying'];
    this.line(`${attribute} vec2 p;`);
    this.declare(vector('float', 2), false, false, 'p');
    for (let i = 0; i < this.random.int(0, 3); i++) {
      const base = this.is300 ? this.random.pick<Base>(['float', 'int', 'uint']) : 'float';
      const type = vector(base, this.random.int(1, 4));
      this.line(`${attribute} ${declaration(type, `a${i}`)};`);
      this.declare(type, false, false, `a${i}`);
    }
    for (const { name, type, isFlat } of this.io.varyings) {
      this.line(`${isFlat ? 'flat ' : ''}${out} ${declaration(type, name)};`);
      this.declare(type, true, false, name);
    }
    if (this.is300) for (const name of ['gl_VertexID', 'gl_InstanceID']) this.declare(INT, false, false, name);
  }

  fragmentInterface(): void {
    for (const { name, type, isFlat } of this.io.varyings) {
      this.line(`${isFlat ? 'flat ' : ''}${this.is300 ? 'in' : 'varying'} ${declaration(type, name)};`);
      this.declare(type, false, false, name);
    }
    this.declare(vector('float', 4), false, false, 'gl_FragCoord');
    this.declare(BOOL, false, false, 'gl_FrontFacing');
    const type = vector(this.io.isIntegerOutput ? 'int' : 'float', 4);
    if (this.is300) this.line(`layout(location = 0) out ${typeName(type)} color;`);
    this.outputs = [this.declare(type, true, false, this.is300 ? 'color' : 'gl_FragColor')];
  }
}

function numberOf(base: Base, random: Random): string {
  if (base === 'bool') return random.pick(['true', 'false']);
  if (base === 'float') return random.float(-8, 8).toFixed(random.int(1, 5));
  return `${random.int(0, 1000)}${base === 'uint' ? 'u' : ''}`;
}

function makeInterface(random: Random, version: Version, withTextures: boolean): Interface {
  const is300 = version === 300;
  const structs: (Type & { kind: 'struct' })[] = [];
  const base = () => random.pick<Base>(is300 ? ['float', 'float', 'int', 'uint'] : ['float', 'float', 'int']);
  const some = (): Type => (random.bool(0.2) ? squareMatrix(random) : vector(base(), random.int(1, 4)));
  const field = (): Type => (random.bool(0.25) ? { kind: 'array', element: some(), length: random.int(1, 4) } : some());
  const fields = (prefix: string, count: number): Field[] =>
    Array.from({ length: count }, (_, i) => ({ name: `${prefix}${i}`, type: field() }));
  for (let i = 0; i < random.int(0, 2); i++) {
    const own = fields('m', random.int(1, 3));
    const nested = structs[0];
    structs.push({
      kind: 'struct',
      name: `S${i}`,
      fields: nested && random.bool() ? [...own, { name: 'n', type: nested }] : own,
    });
  }
  const uniforms = Array.from({ length: random.int(1, 5) }, (_, i) => ({
    name: `u${i}`,
    type: structs.length > 0 && random.bool(0.2) ? random.pick(structs) : field(),
    isWritable: false,
  }));
  const blocks = Array.from({ length: is300 ? random.int(0, 2) : 0 }, (_, i) => ({
    name: `Block${i}`,
    instance: i === 0 ? 'block' : '',
    fields: [
      ...fields(`b${i}_`, random.int(1, 4)),
      ...(structs.length > 0 && random.bool(0.3) ? [{ name: `b${i}_s`, type: random.pick(structs) as Type }] : []),
    ],
  }));
  const samplers = Array.from({ length: withTextures ? random.int(1, 4) : 0 }, (_, i) => ({
    name: `s${i}`,
    type: random.pick(is300 ? SAMPLERS_300 : SAMPLERS_100),
  }));
  const varyings = Array.from({ length: random.int(0, 4) }, (_, i) => {
    const own = is300 ? random.pick<Base>(['float', 'float', 'int', 'uint']) : 'float';
    const type = own === 'float' && random.bool(0.15) ? squareMatrix(random) : vector(own, random.int(1, 4));
    return { name: `v${i}`, type, isWritable: false, isFlat: own !== 'float' };
  });
  return { version, structs, uniforms, blocks, samplers, varyings, isIntegerOutput: is300 && random.bool(0.2) };
}

function squareMatrix(random: Random): Type {
  const size = random.int(2, 4);
  return matrix(size, size);
}

export interface ProgramSource {
  readonly version: Version;
  readonly vertex: string;
  readonly fragment: string;
}

export function randomProgram(random: Random, version: Version = random.pick([100, 300, 300])): ProgramSource {
  const io = makeInterface(random, version, random.bool(0.35));
  const write = (stage: 'vertex' | 'fragment') => new Writer(random, io, stage).write();
  return { version, vertex: write('vertex'), fragment: write('fragment') };
}
