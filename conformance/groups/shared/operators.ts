// shaders.operator: every operator and built-in function by type, precision and stage.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { CONSTANT_RUNS, checkConstants } from '../../harness/constants.ts';
import { checkExpression, MOST_RUNS } from '../../harness/expression.ts';
import { isRun } from '../../harness/precision.ts';
import {
  type BaseType,
  glslType,
  PRECISIONS,
  type Precision,
  STAGES,
  type Stage,
  vectorName,
} from '../../reference/glsl-types.ts';
import type { Random } from '../../reference/random.ts';

/** One overload: types of inputs and output, and what its name in the lists is made of. */
interface Overload {
  readonly inputs: readonly string[];
  readonly output: string;
  readonly suffix: string;
}

type Component = (...values: number[]) => number;

interface Operation {
  /** Uses in0, in1…; sets res. */
  readonly code: string;
  readonly overloads: readonly Overload[];
  /** The result of one component (vectors are component-wise), or of the whole. */
  readonly component?: Component;
  readonly whole?: (args: readonly (readonly number[])[]) => number[];
  /** Ranges of the inputs when they are floats. */
  readonly ranges?: readonly (readonly [number, number])[];
  /** Error in units in the last place of highp, or an absolute one. */
  readonly ulps?: number;
  readonly absolute?: number;
  readonly precisions?: readonly (Precision | '')[];
  /** Keeps the second input from being zero. */
  readonly isDivision?: boolean;
  readonly isShift?: boolean;
  /** Results that floats of lower precision cannot tell: inputs near these are drawn again. */
  readonly avoid?: (args: readonly number[]) => boolean;
}

const same = (types: readonly string[], output?: string, count = 1): Overload[] =>
  types.map((type) => ({ inputs: Array.from({ length: count }, () => type), output: output ?? type, suffix: type }));

function vectors(base: BaseType, from = 1): string[] {
  return [1, 2, 3, 4].slice(from - 1).map((size) => vectorName(base, size));
}

function basesOf(api: 2 | 3): BaseType[] {
  return api === 3 ? ['float', 'int', 'uint'] : ['float', 'int'];
}

/** T op T, vector op scalar, scalar op vector. */
function binaryOverloads(bases: readonly BaseType[], kinds: readonly ('same' | 'right' | 'left')[]): Overload[] {
  return bases.flatMap((base) => [
    ...same(vectors(base), undefined, 2),
    ...(kinds.includes('right')
      ? vectors(base, 2).map((type) => ({ inputs: [type, base], output: type, suffix: `${type}_${base}` }))
      : []),
    ...(kinds.includes('left')
      ? vectors(base, 2).map((type) => ({ inputs: [base, type], output: type, suffix: `${base}_${type}` }))
      : []),
  ]);
}

function shiftOverloads(): Overload[] {
  return (['int', 'uint'] as const).flatMap((base) => {
    const other = base === 'int' ? 'uint' : 'int';
    return [1, 2, 3, 4].flatMap((size) => {
      const type = vectorName(base, size);
      const rights = size === 1 ? [base, other] : [type, vectorName(other, size), 'int', 'uint'];
      return rights.map((right) => ({
        inputs: [type, right],
        output: type,
        suffix: right === type ? type : `${type}_${right}`,
      }));
    });
  });
}

const fract = (x: number) => x - Math.floor(x);
const roundEven = (x: number) => {
  const floor = Math.floor(x);
  const rest = x - floor;
  return rest === 0.5 ? (floor % 2 === 0 ? floor : floor + 1) : Math.round(x);
};
const nearHalf = ([x]: readonly number[]) => Math.abs(fract(x!) - 0.5) < 0.02;
const nearWhole = ([x]: readonly number[]) => Math.abs(x! - Math.round(x!)) < 0.02;

/** 32-bit integer arithmetic by the output's kind. */
function wrap(base: BaseType, value: number): number {
  return base === 'uint' ? value >>> 0 : base === 'int' ? value | 0 : value;
}

function arithmetic(symbol: string, a: number, b: number, base: BaseType): number {
  switch (symbol) {
    case '+':
      return base === 'float' ? a + b : wrap(base, a + b);
    case '-':
      return base === 'float' ? a - b : wrap(base, a - b);
    case '*':
      return base === 'float' ? a * b : wrap(base, Math.imul(a, b));
    case '/':
      return base === 'float' ? a / b : wrap(base, Math.trunc(a / b));
    case '%':
      return wrap(base, a % b);
    case '&':
      return wrap(base, a & b);
    case '|':
      return wrap(base, a | b);
    case '^':
      return wrap(base, a ^ b);
    case '<<':
      return wrap(base, a << b);
    case '>>':
      return base === 'uint' ? a >>> b : a >> b;
  }
  throw new Error(`no operator ${symbol}`);
}

/** Operations whose component function depends on the base type get it in the last argument of `whole`. */
type Table = Record<string, Operation & { readonly symbol?: string; readonly isEffect?: boolean }>;

function unaryOperators(api: 2 | 3): Table {
  const bases = basesOf(api);
  const all = bases.flatMap((base) => same(vectors(base)));
  const table: Table = {
    plus: { code: 'res = +in0;', overloads: all, component: (x) => x },
    minus: { code: 'res = -in0;', overloads: all, symbol: 'neg' },
    not: { code: 'res = !in0;', overloads: same(['bool']), component: (x) => (x ? 0 : 1), precisions: [''] },
  };
  if (api === 3)
    table['bitwise_not'] = {
      code: 'res = ~in0;',
      overloads: [...same(vectors('int')), ...same(vectors('uint'))],
      symbol: '~',
      precisions: ['highp'],
    };
  for (const [name, symbol, delta] of [
    ['increment', '++', 1],
    ['decrement', '--', -1],
  ] as const) {
    table[`pre_${name}_result`] = { code: `res = ${symbol}in0;`, overloads: all, symbol: `add${delta}` };
    table[`pre_${name}_effect`] = { code: `${symbol}in0; res = in0;`, overloads: all, symbol: `add${delta}` };
    table[`post_${name}_result`] = { code: `res = in0${symbol};`, overloads: all, component: (x) => x };
    table[`post_${name}_effect`] = { code: `in0${symbol}; res = in0;`, overloads: all, symbol: `add${delta}` };
  }
  return table;
}

function binaryOperators(api: 2 | 3): Table {
  const bases = basesOf(api);
  const integers = bases.filter((base) => base !== 'float');
  const table: Table = {};
  const add = (
    name: string,
    symbol: string,
    of: readonly BaseType[],
    overloads = binaryOverloads(of, ['same', 'right', 'left']),
    assigns = binaryOverloads(of, ['same', 'right']),
  ) => {
    const more = { symbol, isDivision: symbol === '/' || symbol === '%', isShift: symbol === '<<' || symbol === '>>' };
    table[name] = { code: `res = in0 ${symbol} in1;`, overloads, ...more };
    table[`${name}_assign_result`] = { code: `res = (in0 ${symbol}= in1);`, overloads: assigns, ...more };
    table[`${name}_assign_effect`] = { code: `in0 ${symbol}= in1; res = in0;`, overloads: assigns, ...more };
  };
  add('add', '+', bases);
  add('sub', '-', bases);
  add('mul', '*', bases);
  add('div', '/', bases);
  if (api === 3) {
    add('mod', '%', integers);
    add('bitwise_and', '&', integers);
    add('bitwise_or', '|', integers);
    add('bitwise_xor', '^', integers);
    add('left_shift', '<<', integers, shiftOverloads(), shiftOverloads());
    add('right_shift', '>>', integers, shiftOverloads(), shiftOverloads());
  }
  const scalars = same([...bases], 'bool', 2);
  table['less'] = { code: 'res = in0 < in1;', overloads: scalars, component: (a, b) => Number(a! < b!) };
  table['less_or_equal'] = { code: 'res = in0 <= in1;', overloads: scalars, component: (a, b) => Number(a! <= b!) };
  table['greater'] = { code: 'res = in0 > in1;', overloads: scalars, component: (a, b) => Number(a! > b!) };
  table['greater_or_equal'] = { code: 'res = in0 >= in1;', overloads: scalars, component: (a, b) => Number(a! >= b!) };
  const comparable = [...bases, 'bool' as const].flatMap((base) => same(vectors(base), 'bool', 2));
  const isEqual = (args: readonly (readonly number[])[]) => args[0]!.every((value, i) => value === args[1]![i]);
  table['equal'] = { code: 'res = in0 == in1;', overloads: comparable, whole: (args) => [Number(isEqual(args))] };
  table['not_equal'] = { code: 'res = in0 != in1;', overloads: comparable, whole: (args) => [Number(!isEqual(args))] };
  const logical = { overloads: same(['bool'], 'bool', 2), precisions: [''] } as const;
  table['logical_and'] = { ...logical, code: 'res = in0 && in1;', component: (a, b) => Number(a! && b!) };
  table['logical_or'] = { ...logical, code: 'res = in0 || in1;', component: (a, b) => Number(a! || b!) };
  table['logical_xor'] = { ...logical, code: 'res = in0 ^^ in1;', component: (a, b) => Number(a !== b) };
  return table;
}

const MID_HIGH: readonly Precision[] = ['mediump', 'highp'];

function call(name: string, count: number): string {
  return `res = ${name}(${Array.from({ length: count }, (_, i) => `in${i}`).join(', ')});`;
}

function commonFunctions(api: 2 | 3): Table {
  const floats = same(vectors('float'));
  const table: Table = {
    abs: { code: call('abs', 1), overloads: floats, component: Math.abs, ulps: 0 },
    sign: { code: call('sign', 1), overloads: floats, component: (x) => Math.sign(x) + 0, ulps: 0 },
    floor: { code: call('floor', 1), overloads: floats, component: Math.floor, ulps: 0, avoid: nearWhole },
    ceil: { code: call('ceil', 1), overloads: floats, component: Math.ceil, ulps: 0, avoid: nearWhole },
    fract: { code: call('fract', 1), overloads: floats, component: fract, absolute: 1e-6, avoid: nearWhole },
    mod: {
      code: call('mod', 2),
      overloads: binaryOverloads(['float'], ['same', 'right']),
      component: (x, y) => x! - y! * Math.floor(x! / y!),
      ranges: [
        [-4, 4],
        [0.5, 2],
      ],
      absolute: 4e-6,
      precisions: MID_HIGH,
      avoid: ([x, y]) => nearWhole([x! / y!]),
    },
    mix: {
      code: call('mix', 3),
      overloads: [
        ...same(vectors('float'), undefined, 3),
        ...vectors('float', 2).map((type) => ({
          inputs: [type, type, 'float'],
          output: type,
          suffix: `${type}_float`,
        })),
      ],
      component: (x, y, a) => x! * (1 - a!) + y! * a!,
      ranges: [
        [-2, 2],
        [-2, 2],
        [0, 1],
      ],
      absolute: 2e-6,
    },
    step: {
      code: call('step', 2),
      overloads: binaryOverloads(['float'], ['same', 'left']),
      component: (edge, x) => (x! < edge! ? 0 : 1),
      ulps: 0,
      avoid: ([a, b]) => Math.abs(a! - b!) < 0.02,
    },
    smoothstep: {
      code: call('smoothstep', 3),
      overloads: [
        ...same(vectors('float'), undefined, 3),
        ...vectors('float', 2).map((type) => ({
          inputs: ['float', 'float', type],
          output: type,
          suffix: `float_${type}`,
        })),
      ],
      component: (a, b, x) => {
        const at = Math.min(Math.max((x! - a!) / (b! - a!), 0), 1);
        return at * at * (3 - 2 * at);
      },
      ranges: [
        [-1, -0.1],
        [0.1, 1],
        [-1.3, 1.3],
      ],
      absolute: 2e-6,
    },
  };
  const bases = api === 3 ? basesOf(api) : (['float'] as const);
  const pairs = binaryOverloads(bases, ['same', 'right']);
  const withRight = (count: number) =>
    pairs.map(({ inputs, output, suffix }) => ({
      inputs: [inputs[0]!, ...Array.from({ length: count }, () => inputs[1]!)],
      output,
      suffix,
    }));
  table['min'] = { code: call('min', 2), overloads: pairs, component: Math.min, ulps: 0 };
  table['max'] = { code: call('max', 2), overloads: pairs, component: Math.max, ulps: 0 };
  table['clamp'] = {
    code: call('clamp', 3),
    overloads: withRight(2),
    component: (x, a, b) => Math.min(Math.max(x!, a!), b!),
    ulps: 0,
    isShift: false,
  };
  if (api === 3) {
    table['trunc'] = { code: call('trunc', 1), overloads: floats, component: Math.trunc, ulps: 0, avoid: nearWhole };
    table['round'] = { code: call('round', 1), overloads: floats, component: Math.round, ulps: 0, avoid: nearHalf };
    table['roundEven'] = {
      code: call('roundEven', 1),
      overloads: floats,
      component: roundEven,
      ulps: 0,
      avoid: nearHalf,
    };
  }
  return table;
}

function trigonometry(api: 2 | 3): Table {
  const floats = same(vectors('float'));
  const unary = (
    name: string,
    component: Component,
    range: readonly [number, number],
    absolute: number,
    precisions: readonly Precision[] = PRECISIONS,
  ) => ({
    code: call(name, 1),
    overloads: floats,
    component,
    ranges: [range],
    absolute,
    precisions,
  });
  const table: Table = {
    radians: unary('radians', (x) => (x * Math.PI) / 180, [-200, 200], 1e-5, MID_HIGH),
    degrees: unary('degrees', (x) => (x * 180) / Math.PI, [-3, 3], 1e-3, MID_HIGH),
    // Absolute errors of 2^-11 within [-π, π], as GLSL ES 3.20 §4.7.1 has it.
    sin: unary('sin', Math.sin, [-3, 3], 2 ** -11),
    cos: unary('cos', Math.cos, [-3, 3], 2 ** -11),
    tan: unary('tan', Math.tan, [-1.2, 1.2], 2 ** -8),
    asin: unary('asin', Math.asin, [-1, 1], 2 ** -10, MID_HIGH),
    acos: unary('acos', Math.acos, [-1, 1], 2 ** -10, MID_HIGH),
    atan: unary('atan', Math.atan, [-4, 4], 2 ** -11, MID_HIGH),
    atan2: {
      code: 'res = atan(in0, in1);',
      overloads: same(vectors('float'), undefined, 2),
      component: (y, x) => Math.atan2(y!, x!),
      ranges: [
        [0.1, 4],
        [-4, 4],
      ],
      absolute: 2 ** -10,
      precisions: MID_HIGH,
    },
  };
  if (api === 3)
    Object.assign(table, {
      sinh: unary('sinh', Math.sinh, [-2, 2], 1e-4),
      cosh: unary('cosh', Math.cosh, [-2, 2], 1e-4),
      tanh: unary('tanh', Math.tanh, [-2, 2], 1e-4),
      asinh: unary('asinh', Math.asinh, [-4, 4], 1e-3, MID_HIGH),
      acosh: unary('acosh', Math.acosh, [1.05, 4], 1e-3, MID_HIGH),
      atanh: unary('atanh', Math.atanh, [-0.9, 0.9], 1e-3, MID_HIGH),
    });
  return table;
}

function exponentials(): Table {
  const floats = same(vectors('float'));
  const unary = (name: string, component: Component, range: readonly [number, number], ulps: number) => ({
    code: call(name, 1),
    overloads: floats,
    component,
    ranges: [range],
    ulps,
    precisions: MID_HIGH,
  });
  return {
    pow: {
      code: call('pow', 2),
      overloads: same(vectors('float'), undefined, 2),
      component: Math.pow,
      ranges: [
        [0.1, 4],
        [-2, 2],
      ],
      ulps: 64,
      precisions: MID_HIGH,
    },
    exp: unary('exp', Math.exp, [-3, 3], 9),
    log: { ...unary('log', Math.log, [0.1, 8], 3), absolute: 2 ** -20 },
    exp2: unary('exp2', (x) => 2 ** x, [-5, 5], 13),
    log2: { ...unary('log2', Math.log2, [0.1, 8], 3), absolute: 2 ** -20 },
    sqrt: unary('sqrt', Math.sqrt, [0, 10], 4),
    inversesqrt: unary('inversesqrt', (x) => 1 / Math.sqrt(x), [0.1, 10], 4),
  };
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

function geometric(api: 2 | 3): Table {
  const floats = vectors('float');
  const ranges = [
    [-2, 2],
    [-2, 2],
    [-2, 2],
  ] as const;
  const base = { ranges, absolute: 2e-5, precisions: MID_HIGH };
  const normalize = (a: readonly number[]) => a.map((value) => value / Math.hypot(...a));
  return {
    length: { ...base, code: call('length', 1), overloads: same(floats, 'float'), whole: ([a]) => [Math.hypot(...a!)] },
    distance: {
      ...base,
      code: call('distance', 2),
      overloads: same(floats, 'float', 2),
      whole: ([a, b]) => [Math.hypot(...a!.map((value, i) => value - b![i]!))],
    },
    dot: { ...base, code: call('dot', 2), overloads: same(floats, 'float', 2), whole: ([a, b]) => [dot(a!, b!)] },
    cross: {
      ...base,
      code: call('cross', 2),
      overloads: same(['vec3'], undefined, 2),
      whole: ([a, b]) => [
        a![1]! * b![2]! - a![2]! * b![1]!,
        a![2]! * b![0]! - a![0]! * b![2]!,
        a![0]! * b![1]! - a![1]! * b![0]!,
      ],
    },
    normalize: {
      ...base,
      code: call('normalize', 1),
      overloads: same(floats),
      whole: ([a]) => normalize(a!),
      ranges: [[0.1, 4]],
    },
    faceforward: {
      ...base,
      code: call('faceforward', 3),
      overloads: same(floats, undefined, 3),
      whole: ([n, i, nref]) =>
        Math.abs(dot(nref!, i!)) < 1e-3
          ? n!.map(() => Number.NaN)
          : n!.map((value) => (dot(nref!, i!) < 0 ? value : -value)),
    },
    reflect: {
      ...base,
      code: 'res = reflect(in0, normalize(in1));',
      overloads: same(floats, undefined, 2),
      ranges: [
        [-2, 2],
        [0.2, 2],
      ],
      whole: ([i, n]) => {
        const unit = normalize(n!);
        return i!.map((value, at) => value - 2 * dot(unit, i!) * unit[at]!);
      },
    },
    refract: {
      ...base,
      code: 'res = refract(normalize(in0), normalize(in1), in2);',
      overloads: floats.map((type) => ({
        inputs: [type, type, 'float'],
        output: type,
        suffix: api === 3 && type === 'float' ? 'float' : `${type}_float`,
      })),
      ranges: [
        [-2, -0.2],
        [0.2, 2],
        [0.4, 0.9],
      ],
      absolute: 1e-4,
      whole: ([i, n, [eta]]) => {
        const [I, N] = [normalize(i!), normalize(n!)];
        const along = dot(N, I);
        const k = 1 - eta! * eta! * (1 - along * along);
        if (Math.abs(k) < 1e-3) return I.map(() => Number.NaN);
        return I.map((value, at) => (k < 0 ? 0 : eta! * value - (eta! * along + Math.sqrt(k)) * N[at]!));
      },
    },
  };
}

function comparisons(base: 'float' | 'int'): Table {
  const types = vectors(base, 2);
  const overloads = types.map((type) => ({
    inputs: [type, type],
    output: vectorName('bool', glslType(type).rows),
    suffix: type,
  }));
  const make = (name: string, component: Component): Operation => ({ code: call(name, 2), overloads, component });
  return {
    lessThan: make('lessThan', (a, b) => Number(a! < b!)),
    lessThanEqual: make('lessThanEqual', (a, b) => Number(a! <= b!)),
    greaterThan: make('greaterThan', (a, b) => Number(a! > b!)),
    greaterThanEqual: make('greaterThanEqual', (a, b) => Number(a! >= b!)),
    equal: make('equal', (a, b) => Number(a === b)),
    notEqual: make('notEqual', (a, b) => Number(a !== b)),
  };
}

function boolFunctions(): Table {
  const types = vectors('bool', 2);
  const precisions = [''] as const;
  return {
    equal: {
      code: call('equal', 2),
      overloads: same(types, undefined, 2),
      component: (a, b) => Number(a === b),
      precisions,
    },
    notEqual: {
      code: call('notEqual', 2),
      overloads: same(types, undefined, 2),
      component: (a, b) => Number(a !== b),
      precisions,
    },
    not: { code: call('not', 1), overloads: same(types), component: (a) => Number(!a), precisions },
    any: {
      code: call('any', 1),
      overloads: same(types, 'bool'),
      whole: ([a]) => [Number(a!.some(Boolean))],
      precisions,
    },
    all: {
      code: call('all', 1),
      overloads: same(types, 'bool'),
      whole: ([a]) => [Number(a!.every(Boolean))],
      precisions,
    },
  };
}

function selection(api: 2 | 3): Operation {
  const types = [...basesOf(api), 'bool' as const].flatMap((base) => vectors(base));
  return {
    code: 'res = in0 ? in1 : in2;',
    overloads: types.map((type) => ({ inputs: ['bool', type, type], output: type, suffix: type })),
    whole: ([condition, a, b]) => [...(condition![0] ? a! : b!)],
  };
}

/** Values that a precision holds exactly, and whose results it holds too. */
function randomValue(
  random: Random,
  base: BaseType,
  precision: Precision | '',
  range: readonly [number, number] | undefined,
): number {
  if (base === 'bool') return random.int(0, 1);
  if (base === 'float') {
    const [low, high] = range ?? (precision === 'lowp' ? [-1, 1] : [-4, 4]);
    return Math.fround(random.float(low, high));
  }
  const [low, high] =
    precision === 'highp' ? [-(2 ** 31), 2 ** 31 - 1] : precision === 'mediump' ? [-127, 127] : [-11, 11];
  if (base === 'int') return random.bool(0.3) && precision === 'highp' ? random.int(-9, 9) : random.int(low, high);
  return random.bool(0.3) && precision === 'highp'
    ? random.int(0, 9)
    : random.int(0, precision === 'highp' ? 2 ** 32 - 1 : high);
}

/** With `isConstant` the inputs stand in the shader's text, and the compiler computes the results. */
function runOperation(
  t: CaseContext,
  name: string,
  operation: Table[string],
  overload: Overload,
  precision: Precision | '',
  stage: Stage,
  isConstant = false,
): void {
  const { random } = t;
  const inputs = overload.inputs.map(glslType);
  const output = glslType(overload.output);
  const base = inputs.at(-1)!.base === 'bool' ? output.base : inputs[0]!.base;
  // GLES 2 shows results as bytes: integers stay small there.
  const valuePrecision = t.api === 2 && base === 'int' ? 'lowp' : precision;
  const values: number[][][] = [];
  const expected: number[][] = [];
  for (let tries = 0; values.length < (isConstant ? CONSTANT_RUNS : MOST_RUNS); tries++) {
    // Negative unsigned numbers, say, fit no precision below highp.
    if (tries > MOST_TRIES) t.skip('no result of this operation fits its precision');
    const args = inputs.map((input, i) => {
      const isShiftCount = operation.isShift === true && i === 1;
      return Array.from({ length: input.rows }, () => {
        if (isShiftCount) return random.int(0, precision === 'highp' ? 31 : precision === 'mediump' ? 6 : 3);
        let value = randomValue(random, input.base, valuePrecision, operation.ranges?.[i]);
        if (operation.isDivision && i === 1 && Math.abs(value) < 0.25) value = input.base === 'float' ? 0.5 : 3;
        return value;
      });
    });
    if (
      random.bool(0.3) &&
      args.length > 1 &&
      args[1]!.length === args[0]!.length &&
      !operation.isShift &&
      operation.ranges === undefined &&
      !operation.isDivision
    )
      args[1] = [...args[0]!];
    // Bounds of a clamp in order; unsigned differences not below zero where that would leave a small range.
    if (name === 'clamp')
      for (const [i, low] of args[1]!.entries())
        if (low > args[2]![i]!) [args[1]![i], args[2]![i]] = [args[2]![i]!, low];
    const at = (input: readonly number[], i: number) => input[input.length === 1 ? 0 : i]!;
    const result = operation.whole
      ? operation.whole(args)
      : Array.from({ length: output.rows }, (_, i) =>
          componentResult(
            operation,
            base,
            args.map((input) => at(input, i)),
          ),
        );
    const isAvoided =
      operation.avoid !== undefined &&
      Array.from({ length: output.rows }, (_, i) => args.map((input) => at(input, i))).some((component) =>
        operation.avoid!(component),
      );
    if (isAvoided || !fits(result, output.base, precision, base)) continue;
    values.push(args);
    expected.push(result);
  }
  const epsilon = precision === 'highp' ? 2 ** -23 : precision === 'mediump' ? 2 ** -10 : 2 ** -8;
  const { code } = operation;
  const tolerance = (want: number, k: number): number => {
    const scale = precision === 'highp' ? 1 : 16;
    const largest = Math.max(Math.abs(want), ...values[k]!.flat().map(Math.abs));
    const absolute = Math.max(operation.absolute ?? 0, precision === 'highp' ? 0 : epsilon * largest * 4);
    return absolute + (operation.ulps ?? 2) * epsilon * Math.abs(want) * (precision === 'highp' ? 1 : scale / 4);
  };
  if (isConstant)
    return checkConstants(t, {
      stage,
      inputs: overload.inputs,
      output: overload.output,
      code,
      values,
      expected,
      tolerance,
    });
  checkExpression(t, {
    stage,
    inputs: overload.inputs.map((type) => ({ type, precision: glslType(type).base === 'bool' ? '' : precision })),
    output: { type: overload.output, precision: output.base === 'bool' ? '' : precision },
    code,
    values,
    expected,
    tolerance,
  });
}

function componentResult(operation: Table[string], base: BaseType, args: readonly number[]): number {
  const { symbol } = operation;
  if (symbol === undefined) return operation.component!(...args);
  if (symbol === 'neg') return base === 'float' ? -args[0]! : wrap(base, -args[0]!);
  if (symbol === '~') return wrap(base, ~args[0]!);
  if (symbol.startsWith('add'))
    return base === 'float' ? args[0]! + Number(symbol.slice(3)) : wrap(base, args[0]! + Number(symbol.slice(3)));
  return arithmetic(symbol, args[0]!, args[1]!, base);
}

/** Random inputs that are drawn before an operation is given up. */
const MOST_TRIES = 10_000;

/** Whether the precision of the expression can hold the result (GLSL ES 3.00 §4.5.2). */
function fits(result: readonly number[], output: BaseType, precision: Precision | '', base: BaseType): boolean {
  if (output === 'bool' || precision === 'highp' || precision === '') return true;
  if (base === 'float')
    return result.every((value) => Number.isNaN(value) || Math.abs(value) < (precision === 'lowp' ? 2 : 16000));
  const limit = precision === 'lowp' ? 255 : 32767;
  return result.every((value) => (base === 'uint' ? value <= limit : Math.abs(value) <= limit));
}

function operationGroups(api: 2 | 3): Readonly<Record<string, Table>> {
  return {
    unary_operator: unaryOperators(api),
    binary_operator: binaryOperators(api),
    common_functions: commonFunctions(api),
    angle_and_trigonometry: trigonometry(api),
    exponential: exponentials(),
    geometric: geometric(api),
    float_compare: comparisons('float'),
    int_compare: comparisons('int'),
    bool_compare: boolFunctions(),
    '': { selection: selection(api) },
  };
}

/** The operations on constants: one case runs all overloads of one. Assignments make no constant. */
export function* constantOperationCases(api: 2 | 3): Generator<CaseDefinition> {
  for (const [group, table] of Object.entries(operationGroups(api)))
    for (const [name, operation] of Object.entries(table)) {
      if (/_(result|effect)$/.test(name)) continue;
      for (const stage of STAGES) {
        const path = ['shaders.constant_expressions.operator', group, name].filter((part) => part !== '').join('.');
        yield functionalCase(
          api,
          `${path}_${stage}`,
          (t) => {
            for (const overload of operation.overloads)
              runOperation(t, name, operation, overload, 'highp', stage, true);
          },
          { width: 8, height: 8, depth: false, stencil: false },
        );
      }
    }
}

export function* operatorCases(api: 2 | 3): Generator<CaseDefinition> {
  for (const [group, table] of Object.entries(operationGroups(api)))
    for (const [name, operation] of Object.entries(table))
      for (const overload of operation.overloads) {
        const hasPrecision = overload.inputs.some((type) => glslType(type).base !== 'bool');
        for (const precision of hasPrecision ? (operation.precisions ?? PRECISIONS) : ['' as const])
          for (const stage of STAGES) {
            if (!isRun(precision, stage)) continue;
            const prefix = precision === '' ? '' : `${precision}_`;
            const path = ['shaders.operator', group, name].filter((part) => part !== '').join('.');
            yield functionalCase(
              api,
              `${path}.${prefix}${overload.suffix}_${stage}`,
              (t) => runOperation(t, name, operation, overload, precision, stage),
              { width: 8, height: 8, depth: false, stencil: false },
            );
          }
      }
}
