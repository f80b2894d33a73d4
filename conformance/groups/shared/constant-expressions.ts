// shaders.constant_expressions beyond the lists: operators, constructors, functions and parts of constants, which the compiler computes
// itself. What it gives is compared with plain numbers.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { CONSTANT_RUNS, checkConstants } from '../../harness/constants.ts';
import { type BaseType, componentCount, glslType, STAGES, type Stage, vectorName } from '../../reference/glsl-types.ts';
import type { Random } from '../../reference/random.ts';
import { constantOperationCases } from './operators.ts';
import { ALL_MATRICES } from './shader-matrices.ts';

const SURFACE = { width: 8, height: 8, depth: false, stencil: false };

type Numbers = readonly number[];

interface ConstantCase {
  readonly inputs: readonly string[];
  readonly output: string;
  /** A constant expression of `in0`, `in1`… */
  readonly text: string;
  readonly compute: (args: readonly Numbers[]) => Numbers;
  readonly head?: string;
  /** Range of the inputs that are floats. */
  readonly range?: readonly [number, number];
  /** Relative and absolute error of floats; else results are exact. */
  readonly error?: number;
}

/** Values whose conversions are defined: floats with a fraction, not negative where they become unsigned. */
function randomScalar(random: Random, base: BaseType, [low, high]: readonly [number, number]): number {
  if (base === 'bool') return random.int(0, 1);
  if (base === 'float') return Math.fround(random.float(low, high));
  return base === 'uint' ? random.int(0, 999) : random.int(-999, 999);
}

function runConstant(t: CaseContext, one: ConstantCase, stage: Stage): void {
  const { inputs, output, text, compute, head, range = [-99, 99], error = 0 } = one;
  const values = Array.from({ length: CONSTANT_RUNS }, () =>
    inputs.map((name) => {
      const type = glslType(name);
      return Array.from({ length: componentCount(type) }, () => randomScalar(t.random, type.base, range));
    }),
  );
  checkConstants(t, {
    stage,
    inputs,
    output,
    code: `res = ${text};`,
    values,
    expected: values.map(compute),
    tolerance: (want) => error * (1 + Math.abs(want)),
    ...(head === undefined ? {} : { head }),
  });
}

function convert(from: BaseType, to: BaseType, value: number): number {
  switch (to) {
    case 'bool':
      return value === 0 ? 0 : 1;
    case 'int':
      return Math.trunc(value) | 0;
    case 'uint':
      return from === 'float' ? Math.trunc(value) : value >>> 0;
    case 'float':
      return value;
  }
}

/** `type(in0)` of every base and size that has enough components. */
function* conversions(api: 2 | 3): Generator<[string, ConstantCase]> {
  const bases: readonly BaseType[] = api === 3 ? ['float', 'int', 'uint', 'bool'] : ['float', 'int', 'bool'];
  for (const from of bases)
    for (const to of bases)
      for (const [size, kept] of [
        [1, 1],
        [1, 3],
        [2, 1],
        [3, 3],
        [4, 2],
        [4, 4],
      ] as const) {
        const [input, output] = [vectorName(from, size), vectorName(to, kept)];
        yield [
          `${output}_from_${input}`,
          {
            inputs: [input],
            output,
            text: `${output}(in0)`,
            compute: ([x]) => Array.from({ length: kept }, (_, i) => convert(from, to, x![size === 1 ? 0 : i]!)),
            range: to === 'uint' ? [0, 99] : [-99, 99],
          },
        ];
      }
}

function* constructors(api: 2 | 3): Generator<[string, ConstantCase]> {
  const vector = (name: string, inputs: readonly string[], output: string): [string, ConstantCase] => [
    name,
    {
      inputs,
      output,
      text: `${output}(${inputs.map((_, i) => `in${i}`).join(', ')})`,
      compute: (args) =>
        args
          .flatMap((value, i) => value.map((one) => convert(glslType(inputs[i]!).base, glslType(output).base, one)))
          .slice(0, componentCount(glslType(output))),
    },
  ];
  yield vector('vec4_of_parts', ['vec2', 'float', 'int'], 'vec4');
  yield vector('ivec4_of_parts', ['bool', 'vec3'], 'ivec4');
  yield vector('bvec3_of_parts', ['float', 'ivec2'], 'bvec3');
  yield vector('vec3_of_too_much', ['vec2', 'vec4'], 'vec3');
  yield vector('mat2_of_columns', ['vec2', 'vec2'], 'mat2');
  yield vector('mat3_of_parts', ['vec4', 'float', 'vec4'], 'mat3');
  for (const name of api === 3 ? ALL_MATRICES : ['mat2', 'mat3', 'mat4']) {
    const { rows, columns } = glslType(name);
    const cells = Array.from({ length: rows * columns }, (_, at) => [Math.floor(at / rows), at % rows] as const);
    yield [
      `${name}_from_float`,
      {
        inputs: ['float'],
        output: name,
        text: `${name}(in0)`,
        compute: ([x]) => cells.map(([column, row]) => (column === row ? x![0]! : 0)),
      },
    ];
    // GLSL ES 1.00 makes no matrix of another (§5.4.3).
    if (api === 2) continue;
    for (const other of ALL_MATRICES) {
      const from = glslType(other);
      yield [
        `${name}_from_${other}`,
        {
          inputs: [other],
          output: name,
          text: `${name}(in0)`,
          compute: ([x]) =>
            cells.map(([column, row]) => {
              if (column < from.columns && row < from.rows) return x![column * from.rows + row]!;
              return column === row ? 1 : 0;
            }),
        },
      ];
    }
  }
}

const PAIR = 'struct Pair { highp vec2 first; highp int second; };\nstruct Both { Pair pair; highp mat2 matrix; };\n';

/** Members, elements, columns and components of constants. */
function* parts(api: 2 | 3): Generator<[string, ConstantCase]> {
  const make = (
    name: string,
    inputs: readonly string[],
    output: string,
    text: string,
    compute: ConstantCase['compute'],
  ): [string, ConstantCase] => [name, { inputs, output, text, compute, head: PAIR }];
  yield make('swizzle', ['vec4'], 'vec3', 'in0.wyx', ([x]) => [x![3]!, x![1]!, x![0]!]);
  yield make('swizzle_of_swizzle', ['ivec4'], 'ivec2', 'in0.wzyx.yz', ([x]) => [x![2]!, x![1]!]);
  yield make('vector_index', ['vec4'], 'float', 'in0[2]', ([x]) => [x![2]!]);
  yield make('matrix_column', ['mat3'], 'vec3', 'in0[1]', ([x]) => x!.slice(3, 6));
  yield make('matrix_element', ['mat4'], 'float', 'in0[2][3]', ([x]) => [x![11]!]);
  yield make('struct_member', ['vec2', 'int'], 'int', 'Pair(in0, in1).second', ([, y]) => y!);
  yield make(
    'nested_member',
    ['vec2', 'int', 'mat2'],
    'vec2',
    'Both(Pair(in0, in1), in2).matrix[1] + Both(Pair(in0, in1), in2).pair.first',
    ([x, , m]) => [Math.fround(m![2]! + x![0]!), Math.fround(m![3]! + x![1]!)],
  );
  yield make('struct_equal', ['vec2', 'int', 'int'], 'bool', 'Pair(in0, in1) == Pair(in0, in2)', ([, y, z]) => [
    Number(y![0] === z![0]),
  ]);
  yield make('matrix_equal', ['mat2'], 'bool', 'in0 == mat2(in0[0], in0[1])', () => [1]);
  yield make('matrix_unequal', ['mat2', 'float'], 'bool', 'in0 != mat2(in0[0], in0[1].x, in1)', () => [1]);
  yield make('vector_unequal', ['ivec3', 'int'], 'bool', 'in0 != ivec3(in0.xy, in1)', ([x, y]) => [
    Number(x![2] !== y![0]),
  ]);
  if (api === 2) return;
  const array = 'vec2[3](in0, in1, in0 + in1)';
  yield make('array_element', ['vec2', 'vec2'], 'vec2', `${array}[1]`, ([, y]) => y!);
  yield make('array_last', ['vec2', 'vec2'], 'vec2', `${array}[2]`, ([x, y]) =>
    x!.map((one, i) => Math.fround(one + y![i]!)),
  );
  yield make('array_length', ['vec2', 'vec2'], 'int', `${array}.length()`, () => [3]);
  yield make(
    'array_of_structs',
    ['vec2', 'int', 'int'],
    'int',
    'Pair[2](Pair(in0, in1), Pair(in0, in2))[1].second',
    (args) => args[2]!,
  );
  yield make('array_equal', ['int', 'int'], 'bool', 'int[2](in0, in1) == int[2](in1, in0)', ([x, y]) => [
    Number(x![0] === y![0]),
  ]);
}

const bits = new DataView(new ArrayBuffer(4));
const bitsOf = (value: number): number => {
  bits.setFloat32(0, value);
  return bits.getUint32(0);
};

/** Functions of GLSL ES 3.00 that the tables of operators have not. */
function* functions(): Generator<[string, ConstantCase]> {
  for (const [name, range, compute] of [
    ['sinh', [-3, 3], Math.sinh],
    ['cosh', [-3, 3], Math.cosh],
    ['tanh', [-3, 3], Math.tanh],
    ['asinh', [-6, 6], Math.asinh],
    ['acosh', [1.1, 6], Math.acosh],
    ['atanh', [-0.9, 0.9], Math.atanh],
  ] as const)
    yield [
      name,
      {
        inputs: ['vec3'],
        output: 'vec3',
        text: `${name}(in0)`,
        compute: ([x]) => x!.map(compute),
        range,
        error: 1e-4,
      },
    ];
  const exact = (
    name: string,
    input: string,
    output: string,
    compute: (x: Numbers) => Numbers,
    text = `${name}(in0)`,
  ): [string, ConstantCase] => [name, { inputs: [input], output, text, compute: ([x]) => compute(x!) }];
  yield exact('floatBitsToInt', 'vec2', 'ivec2', (x) => x.map((one) => bitsOf(one) | 0));
  yield exact('floatBitsToUint', 'vec2', 'uvec2', (x) => x.map(bitsOf));
  yield exact('intBitsToFloat', 'vec2', 'vec2', (x) => x, 'intBitsToFloat(floatBitsToInt(in0))');
  yield exact('uintBitsToFloat', 'vec2', 'vec2', (x) => x, 'uintBitsToFloat(floatBitsToUint(in0))');
  const packed = (name: string, low: number, scale: number): [string, ConstantCase] => [
    `pack${name}`,
    {
      inputs: ['vec2'],
      output: 'uint',
      // Halves of the last place go either way: the inputs are whole steps.
      text: `pack${name}(floor(in0 * ${scale}.0) / ${scale}.0)`,
      compute: ([x]) => {
        const [a, b] = x!.map((one) => Math.floor(Math.fround(one * scale)) & 0xffff);
        return [(b! * 0x10000 + a!) >>> 0];
      },
      range: [low, 1],
    },
  ];
  yield packed('Snorm2x16', -1, 32767);
  yield packed('Unorm2x16', 0, 65535);
  for (const [name, low, error] of [
    ['Snorm2x16', -1, 2 ** -15],
    ['Unorm2x16', 0, 2 ** -16],
    ['Half2x16', -9, 2 ** -10],
  ] as const)
    yield [
      `unpack${name}`,
      {
        inputs: ['vec2'],
        output: 'vec2',
        text: `unpack${name}(pack${name}(in0))`,
        compute: ([x]) => x!,
        range: [low, low === -9 ? 9 : 1],
        error,
      },
    ];
}

export function* constantExpressionCases(api: 2 | 3): Generator<CaseDefinition> {
  yield* constantOperationCases(api);
  const groups: Readonly<Record<string, Iterable<[string, ConstantCase]>>> = {
    conversion: conversions(api),
    constructor: constructors(api),
    part: parts(api),
    ...(api === 3 ? { function: functions() } : {}),
  };
  for (const [group, cases] of Object.entries(groups))
    for (const [name, one] of cases)
      for (const stage of STAGES)
        yield functionalCase(
          api,
          `shaders.constant_expressions.${group}.${name}_${stage}`,
          (t) => runConstant(t, one, stage),
          SURFACE,
        );
}
