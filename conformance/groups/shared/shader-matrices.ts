// shaders.matrix: operators and functions of matrices, of attributes and of constants. Matrices are columns of numbers, as GLSL has them.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { CONSTANT_RUNS, checkConstants } from '../../harness/constants.ts';
import { checkExpression, type ExpressionInput, MOST_RUNS } from '../../harness/expression.ts';
import { errorOf, isRun } from '../../harness/precision.ts';
import {
  componentCount,
  type GlslType,
  glslType,
  PRECISIONS,
  type Precision,
  STAGES,
  type Stage,
  vectorName,
} from '../../reference/glsl-types.ts';

const SURFACE = { width: 8, height: 8, depth: false, stencil: false };

type Numbers = readonly number[];

function multiply(a: GlslType, x: Numbers, b: GlslType, y: Numbers): number[] {
  // A vector on the left is a row, on the right a column.
  const [rows, inner] = a.isMatrix ? [a.rows, a.columns] : [1, a.rows];
  const columns = b.isMatrix ? b.columns : 1;
  const innerB = b.rows;
  const result: number[] = [];
  for (let column = 0; column < columns; column++)
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let k = 0; k < inner; k++) sum += x[a.isMatrix ? k * rows + row : k]! * y[column * innerB + k]!;
      result.push(sum);
    }
  return result;
}

function transpose(type: GlslType, x: Numbers): number[] {
  return Array.from({ length: x.length }, (_, at) => {
    const [column, row] = [Math.floor(at / type.columns), at % type.columns];
    return x[row * type.rows + column]!;
  });
}

function determinant(size: number, x: Numbers): number {
  if (size === 1) return x[0]!;
  let sum = 0;
  for (let column = 0; column < size; column++)
    sum += (column % 2 ? -1 : 1) * x[column * size]! * determinant(size - 1, minor(size, x, column, 0));
  return sum;
}

function minor(size: number, x: Numbers, column: number, row: number): number[] {
  return x.filter((_, at) => Math.floor(at / size) !== column && at % size !== row);
}

function inverse(size: number, x: Numbers): number[] {
  const whole = determinant(size, x);
  return x.map((_, at) => {
    const [column, row] = [Math.floor(at / size), at % size];
    return (((column + row) % 2 ? -1 : 1) * determinant(size - 1, minor(size, x, row, column))) / whole;
  });
}

interface MatrixCase {
  readonly inputs: readonly string[];
  readonly output: string;
  readonly code: string;
  readonly compute: (args: readonly Numbers[]) => number[];
  readonly name: string;
}

export const SQUARE = ['mat2', 'mat3', 'mat4'];
export const ALL_MATRICES = ['mat2', 'mat2x3', 'mat2x4', 'mat3x2', 'mat3', 'mat3x4', 'mat4x2', 'mat4x3', 'mat4'];

function matrixName(columns: number, rows: number): string {
  return columns === rows ? `mat${columns}` : `mat${columns}x${rows}`;
}

function binaryMatrixCases(api: 2 | 3, symbol: string): MatrixCase[] {
  const matrices = api === 2 ? SQUARE : ALL_MATRICES;
  const apply = (a: number, b: number) => ({ '+': a + b, '-': a - b, '*': a * b, '/': a / b })[symbol as '+'];
  const cases: MatrixCase[] = [];
  for (const type of matrices) {
    const base = { code: `res = in0 ${symbol} in1;`, output: type };
    cases.push({
      ...base,
      inputs: [type, 'float'],
      name: `${type}_float`,
      compute: ([x, y]) => x!.map((value) => apply(value, y![0]!)),
    });
    if (symbol !== '*') {
      cases.push({
        ...base,
        inputs: [type, type],
        name: `${type}_${type}`,
        compute: ([x, y]) => x!.map((value, i) => apply(value, y![i]!)),
      });
      continue;
    }
    const glsl = glslType(type);
    const [left, right] = [vectorName('float', glsl.rows), vectorName('float', glsl.columns)];
    cases.push({
      ...base,
      inputs: [type, right],
      output: left,
      name: `${type}_${right}`,
      compute: ([x, y]) => multiply(glsl, x!, glslType(right), y!),
    });
    cases.push({
      ...base,
      inputs: [left, type],
      output: right,
      name: `${left}_${type}`,
      compute: ([x, y]) => multiply(glslType(left), x!, glsl, y!),
    });
    for (const other of matrices) {
      const second = glslType(other);
      if (second.rows !== glsl.columns) continue;
      cases.push({
        ...base,
        inputs: [type, other],
        output: matrixName(second.columns, glsl.rows),
        name: `${type}_${other}`,
        compute: ([x, y]) => multiply(glsl, x!, second, y!),
      });
    }
  }
  return cases;
}

function unaryMatrixCases(api: 2 | 3): Record<string, MatrixCase[]> {
  const matrices = api === 2 ? SQUARE : ALL_MATRICES;
  const suffix = api === 3 ? '_float' : '';
  const each = (code: string, compute: (x: Numbers) => number[]) =>
    matrices.map(
      (type): MatrixCase => ({
        inputs: [type],
        output: type,
        code,
        name: `${type}${suffix}`,
        compute: ([x]) => compute(x!),
      }),
    );
  const groups: Record<string, MatrixCase[]> = {
    unary_addition: each('res = +in0;', (x) => [...x]),
    negation: each('res = -in0;', (x) => x.map((value) => -value)),
    pre_increment: each('res = ++in0 + in0;', (x) => x.map((value) => 2 * (value + 1))),
    pre_decrement: each('res = --in0 + in0;', (x) => x.map((value) => 2 * (value - 1))),
    post_increment: each('res = in0++; res += in0;', (x) => x.map((value) => 2 * value + 1)),
    post_decrement: each('res = in0--; res += in0;', (x) => x.map((value) => 2 * value - 1)),
    matrixcompmult: matrices.map((type) => ({
      inputs: [type, type],
      output: type,
      code: 'res = matrixCompMult(in0, in1);',
      name: `${type}_${type}`,
      compute: ([x, y]) => x!.map((value, i) => value * y![i]!),
    })),
  };
  for (const [name, symbol] of [
    ['add_assign', '+'],
    ['sub_assign', '-'],
    ['div_assign', '/'],
  ] as const)
    groups[name] = matrices.map((type) => ({
      inputs: [type, type],
      output: type,
      code: `in0 ${symbol}= in1; res = in0;`,
      name: `${type}${suffix}`,
      compute: ([x, y]) =>
        x!.map((value, i) => ({ '+': value + y![i]!, '-': value - y![i]!, '/': value / y![i]! })[symbol]),
    }));
  groups['mul_assign'] = SQUARE.map((type) => ({
    inputs: [type, type],
    output: type,
    code: 'in0 *= in1; res = in0;',
    name: `${type}${suffix}`,
    compute: ([x, y]) => multiply(glslType(type), x!, glslType(type), y!),
  }));
  if (api === 2) return groups;
  groups['transpose'] = matrices.map((type) => {
    const glsl = glslType(type);
    return {
      inputs: [type],
      output: matrixName(glsl.rows, glsl.columns),
      code: 'res = transpose(in0);',
      name: `${type}${suffix}`,
      compute: ([x]) => transpose(glsl, x!),
    };
  });
  groups['determinant'] = SQUARE.map((type) => ({
    inputs: [type],
    output: 'float',
    code: 'res = determinant(in0);',
    name: `${type}${suffix}`,
    compute: ([x]) => [determinant(glslType(type).rows, x!)],
  }));
  groups['inverse'] = SQUARE.map((type) => ({
    inputs: [type],
    output: type,
    code: 'res = inverse(in0);',
    name: `${type}${suffix}`,
    compute: ([x]) => inverse(glslType(type).rows, x!),
  }));
  groups['outerproduct'] = matrices.map((type) => {
    const glsl = glslType(type);
    return {
      inputs: [vectorName('float', glsl.rows), vectorName('float', glsl.columns)],
      output: type,
      code: 'res = outerProduct(in0, in1);',
      name: `${type}${suffix}`,
      compute: ([c, r]) => r!.flatMap((y) => c!.map((x) => x * y)),
    };
  });
  return groups;
}

/** The inputs are attributes, or constants in the text. */
type Source = 'dynamic' | 'const';

function runMatrix(t: CaseContext, one: MatrixCase, precision: Precision, stage: Stage, source: Source): void {
  const { random } = t;
  const types = one.inputs.map(glslType);
  const isInverse = one.code.includes('inverse');
  const values = Array.from({ length: source === 'const' ? CONSTANT_RUNS : MOST_RUNS }, () =>
    types.map((type) => {
      // Matrices near the identity have inverses that are not far off.
      const wide = precision === 'lowp' ? 0.4 : 2;
      return Array.from({ length: componentCount(type) }, (_, at) => {
        const onDiagonal = type.isMatrix && Math.floor(at / type.rows) === at % type.rows;
        const value = isInverse
          ? random.float(-0.3, 0.3) + (onDiagonal ? 1.5 : 0)
          : random.float(0.25, wide) * (random.bool() ? 1 : -1);
        return Math.fround(Math.round(value * 256) / 256);
      });
    }),
  );
  const expected = values.map((args) => one.compute(args));
  const tolerance = (want: number) => errorOf(precision, Math.max(8, Math.abs(want)) * (isInverse ? 8 : 1));
  const { inputs, output, code } = one;
  if (source === 'const') {
    checkConstants(t, { stage, inputs, output, precision, code, values, expected, tolerance });
    return;
  }
  checkExpression(t, {
    stage,
    inputs: inputs.map((type): ExpressionInput => ({ type, precision })),
    output: { type: output, precision },
    code,
    values,
    expected,
    tolerance,
  });
}

/** Functions, and operators without assignment, make constants of constants. The lists have no names for these. */
const CONSTANT_GROUPS = [
  'unary_addition',
  'negation',
  'matrixcompmult',
  'outerproduct',
  'transpose',
  'inverse',
  'determinant',
];
const DYNAMIC_GROUPS = ['matrixcompmult', 'outerproduct', 'transpose', 'inverse', 'determinant'];

export function* matrixCases(api: 2 | 3): Generator<CaseDefinition> {
  const dot = api === 3 ? '.' : '_';
  for (const precision of PRECISIONS)
    for (const stage of STAGES) {
      if (!isRun(precision, stage)) continue;
      const make = (path: string, one: MatrixCase, source: Source) =>
        functionalCase(
          api,
          `shaders.${path}${precision}_${one.name}_${stage}`,
          (t) => runMatrix(t, one, precision, stage, source),
          SURFACE,
        );
      for (const [name, symbol] of [
        ['add', '+'],
        ['sub', '-'],
        ['mul', '*'],
        ['div', '/'],
      ] as const)
        for (const one of binaryMatrixCases(api, symbol))
          for (const source of ['dynamic', 'const'] as const) yield make(`matrix.${name}.${source}${dot}`, one, source);
      for (const [name, cases] of Object.entries(unaryMatrixCases(api)))
        for (const one of cases) {
          const dynamic = api === 2 || DYNAMIC_GROUPS.includes(name) ? `dynamic${dot}` : '';
          yield make(`matrix.${name}.${dynamic}`, one, 'dynamic');
          if (precision === 'highp' && CONSTANT_GROUPS.includes(name))
            yield make(`constant_expressions.matrix.${name}_`, one, 'const');
        }
    }
}
