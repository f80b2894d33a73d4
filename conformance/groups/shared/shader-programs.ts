// shaders.{indexing, loops, builtin_functions, derivate, random}: programs computed again in plain numbers.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { drawFullQuad } from '../../harness/draw.ts';
import { checkExpression, type ExpressionInput, MOST_RUNS } from '../../harness/expression.ts';
import { errorOf, isRun } from '../../harness/precision.ts';
import { buildProgram } from '../../harness/program.ts';
import {
  componentCount,
  glslType,
  PRECISIONS,
  type Precision,
  STAGES,
  type Stage,
  vectorName,
} from '../../reference/glsl-types.ts';
import type { Random } from '../../reference/random.ts';
import { ALL_MATRICES, SQUARE } from './shader-matrices.ts';

const SURFACE = { width: 8, height: 8, depth: false, stencil: false };

type Numbers = readonly number[];

function runs<T>(make: () => T): T[] {
  return Array.from({ length: MOST_RUNS }, make);
}

// ---- indexing

type Access = 'static' | 'dynamic' | 'static_loop' | 'dynamic_loop' | 'const';

/** Statements that give elements 0..n-1 values, by kind of index. `k` names what makes indices dynamic. */
function writeText(access: Access, target: string, n: number, value: (index: string) => string): string {
  if (access === 'static_loop') return `for (int i = 0; i < ${n}; i++) ${target}[i] = ${value('float(i)')};\n`;
  if (access === 'dynamic_loop') return `for (int i = 0; i < u_n; i++) ${target}[i] = ${value('float(i)')};\n`;
  return Array.from(
    { length: n },
    (_, i) => `${target}[${access === 'dynamic' ? `u_i${i}` : i}] = ${value(`${i}.0`)};\n`,
  ).join('');
}

function readText(access: Access, source: string, n: number): string {
  if (access === 'static_loop') return `for (int i = 0; i < ${n}; i++) res += ${source}[i] * float(i + 1);\n`;
  if (access === 'dynamic_loop') return `for (int i = 0; i < u_n; i++) res += ${source}[i] * float(i + 1);\n`;
  return Array.from(
    { length: n },
    (_, i) => `res += ${source}[${access === 'dynamic' ? `u_i${i}` : i}] * ${i + 1}.0;\n`,
  ).join('');
}

function runIndexing(
  t: CaseContext,
  stage: Stage,
  type: string,
  container: string,
  n: number,
  write: Access,
  read: Access,
): void {
  const { gl, random } = t;
  const size = componentCount(glslType(type));
  const precision = 'highp';
  const values = runs(() => [Array.from({ length: size }, () => random.int(-16, 16) / 8)]);
  const expected = values.map(([x]) =>
    x!.map((value) => Array.from({ length: n }, (_, i) => value * (i + 1) * (i + 1)).reduce((a, b) => a + b, 0)),
  );
  const uniforms = `uniform mediump int u_n;\n${Array.from({ length: n }, (_, i) => `uniform mediump int u_i${i};\n`).join('')}`;
  const code = `${precision} ${container}\n  ${writeText(write, 'store', n, (index) => `in0 * (${index} + 1.0)`)}  res = ${type}(0.0);\n  ${readText(read, 'store', n)}`;
  checkExpression(t, {
    stage,
    inputs: [{ type, precision }],
    output: { type, precision },
    code,
    head: uniforms,
    values,
    expected,
    tolerance: (want) => errorOf('highp', Math.max(32, Math.abs(want))),
    setUp: (program) => {
      gl.glUniform1i(gl.glGetUniformLocation(program, 'u_n'), n);
      for (let i = 0; i < n; i++) gl.glUniform1i(gl.glGetUniformLocation(program, `u_i${i}`), i);
    },
  });
}

function* indexingCases(api: 2 | 3): Generator<CaseDefinition> {
  const accesses: readonly Access[] = ['static', 'dynamic', 'static_loop', 'dynamic_loop'];
  for (const stage of STAGES) {
    for (const type of ['float', 'vec2', 'vec3', 'vec4'])
      for (const write of accesses)
        for (const read of accesses)
          yield functionalCase(
            api,
            `shaders.indexing.tmp_array.${type}_${write}_write_${read}_read_${stage}`,
            (t) => runIndexing(t, stage, type, `${type} store[4];`, 4, write, read),
            SURFACE,
          );
    for (const name of api === 2 ? SQUARE : ALL_MATRICES) {
      const { rows, columns } = glslType(name);
      const column = vectorName('float', rows);
      for (const write of accesses)
        for (const read of accesses)
          yield functionalCase(
            api,
            `shaders.indexing.matrix_subscript.${name}_${write}_write_${read}_read_${stage}`,
            (t) => runIndexing(t, stage, column, `${name} store;`, columns, write, read),
            SURFACE,
          );
    }
    for (const size of [2, 3, 4])
      for (const write of accesses)
        for (const read of accesses) {
          const spell = (access: Access) => (access === 'static' ? 'static_subscript' : `${access}_subscript`);
          yield functionalCase(
            api,
            `shaders.indexing.vector_subscript.vec${size}_${spell(write)}_write_${spell(read)}_read_${stage}`,
            (t) => runIndexing(t, stage, 'float', `vec${size} store;`, size, write, read),
            SURFACE,
          );
        }
  }
}

// ---- loops

interface LoopText {
  /** A loop of three rounds or what the text says, over `res` (a vec4) and the bound `N`. */
  readonly body: string;
  readonly compute: (x: Numbers) => number[];
}

const turn = (x: Numbers, times: number): number[] => {
  let value = [...x];
  for (let i = 0; i < times; i++) value = [value[1]!, value[2]!, value[3]!, value[0]!];
  return value;
};

/** Loop bodies that turn a vector a number of times; each by another kind of control flow. */
const LOOPS: Readonly<Record<string, LoopText>> = {
  basic_highp_int: { body: 'FOR(highp int i = 0, i < N, i++) { res = res.yzwx; }', compute: (x) => turn(x, 3) },
  single_statement: { body: 'FOR(mediump int i = 0, i < N, i++) res = res.yzwx;', compute: (x) => turn(x, 3) },
  compound_statement: {
    body: 'FOR(mediump int i = 0, i < N, i++) { res = res.yzwx; res = res * 0.5; res = res + res; }',
    compute: (x) => turn(x, 3),
  },
  conditional_continue: {
    body: 'FOR(mediump int i = 0, i < N + 2, i++) { if (i == 1) continue; if (i == 3) continue; res = res.yzwx; }',
    compute: (x) => turn(x, 3),
  },
  conditional_break: {
    body: 'FOR(mediump int i = 0, i < N + 5, i++) { if (i == N) break; res = res.yzwx; }',
    compute: (x) => turn(x, 3),
  },
  unconditional_break: {
    body: 'FOR(mediump int i = 0, i < N, i++) { res = res.yzwx; break; }',
    compute: (x) => turn(x, 1),
  },
  only_continue: { body: 'FOR(mediump int i = 0, i < N, i++) { continue; }', compute: (x) => [...x] },
  empty_body: { body: 'FOR(mediump int i = 0, i < N, i++) {}', compute: (x) => [...x] },
  no_iterations: { body: 'FOR(mediump int i = 0, i < N - 3, i++) { res = res.yzwx; }', compute: (x) => [...x] },
  single_iteration: { body: 'FOR(mediump int i = 0, i < N - 2, i++) { res = res.yzwx; }', compute: (x) => turn(x, 1) },
  pre_increment: { body: 'FOR(mediump int i = 0, i < N, ++i) { res = res.yzwx; }', compute: (x) => turn(x, 3) },
  mixed_break_continue: {
    body: 'FOR(mediump int i = 0, i < N + 5, i++) { if (i == 0) continue; else if (i == N + 1) break; res = res.yzwx; }',
    compute: (x) => turn(x, 3),
  },
  nested: {
    body: 'FOR(mediump int i = 0, i < N, i++) { for (mediump int j = 0; j < 2; j++) { res = res.yzwx; } }',
    compute: (x) => turn(x, 6),
  },
};

type LoopKind = 'for' | 'while' | 'do_while';

function loopText(kind: LoopKind, body: string): string {
  return body.replace(
    /FOR\(([^,]*), ([^,]*), ([^)]*)\) (.*)/,
    (_, init: string, test: string, step: string, rest: string) => {
      if (kind === 'for') return `for (${init}; ${test}; ${step}) ${rest}`;
      // The step comes first, so that `continue` cannot skip it: the counter starts one lower.
      const name = /(\w+) = 0/.exec(init)![1]!;
      const start = init.replace('= 0', '= -1');
      const next = test.replace(name, `${name} + 1`);
      const inner = `{ ${step}; ${rest} }`;
      return kind === 'while'
        ? `${start}; while (${next}) ${inner}`
        : `${start}; if (${next}) do ${inner} while (${next});`;
    },
  );
}

function* loopCases(api: 2 | 3): Generator<CaseDefinition> {
  for (const kind of ['for', 'while', 'do_while'] as const)
    for (const source of ['constant', 'uniform', 'dynamic'] as const)
      for (const [name, { body, compute }] of Object.entries(LOOPS))
        for (const stage of STAGES) {
          if (kind === 'do_while' && (name === 'no_iterations' || name === 'single_iteration')) continue;
          const run = (t: CaseContext) => {
            const { gl, random } = t;
            const values = runs(() => [Array.from({ length: 4 }, () => random.int(-16, 16) / 8), [3]]);
            const bound = { constant: '3', uniform: 'u_three', dynamic: 'in1' }[source];
            checkExpression(t, {
              stage,
              inputs: [
                { type: 'vec4', precision: 'highp' },
                { type: 'int', precision: 'highp' },
              ],
              output: { type: 'vec4', precision: 'highp' },
              code: `res = in0 + float(in1) - 3.0;\n  ${loopText(kind, body).replaceAll(/\bN\b/g, bound)}`,
              head: 'uniform highp int u_three;\n',
              values,
              expected: values.map(([x]) => compute(x!)),
              tolerance: () => 1e-5,
              setUp: (program) => gl.glUniform1i(gl.glGetUniformLocation(program, 'u_three'), 3),
            });
          };
          yield functionalCase(api, `shaders.loops.${kind}_${source}_iterations.${name}_${stage}`, run, SURFACE);
        }
}

// ---- built-in functions by precision

interface Builtin {
  readonly count: number;
  readonly compute: (...x: number[]) => number;
  readonly ranges: readonly (readonly [number, number])[];
  /** The error that highp may leave. */
  readonly error: (want: number, ...x: number[]) => number;
  readonly avoid?: (...x: number[]) => boolean;
  readonly call?: string;
}

const ulp = (want: number, count: number) => Math.max(Math.abs(want), 2 ** -126) * 2 ** -23 * count;
const wide: readonly [number, number] = [-8, 8];
const isNearWhole = (x: number) => Math.abs(x - Math.round(x)) < 0.03;

const BUILTINS: Readonly<Record<string, Builtin>> = {
  add: { count: 2, compute: (x, y) => x! + y!, ranges: [wide, wide], error: () => 2 ** -19, call: 'in0 + in1' },
  sub: { count: 2, compute: (x, y) => x! - y!, ranges: [wide, wide], error: () => 2 ** -19, call: 'in0 - in1' },
  mul: { count: 2, compute: (x, y) => x! * y!, ranges: [wide, wide], error: (want) => ulp(want, 2), call: 'in0 * in1' },
  div: {
    count: 2,
    compute: (x, y) => x! / y!,
    ranges: [wide, [0.25, 8]],
    error: (want) => ulp(want, 3),
    call: 'in0 / in1',
  },
  radians: { count: 1, compute: (x) => (x! * Math.PI) / 180, ranges: [[-180, 180]], error: (want) => ulp(want, 4) },
  degrees: { count: 1, compute: (x) => (x! * 180) / Math.PI, ranges: [[-3, 3]], error: (want) => ulp(want, 4) },
  sin: { count: 1, compute: Math.sin, ranges: [[-3.1, 3.1]], error: () => 2 ** -11 },
  cos: { count: 1, compute: Math.cos, ranges: [[-3.1, 3.1]], error: () => 2 ** -11 },
  tan: { count: 1, compute: Math.tan, ranges: [[-1.2, 1.2]], error: (want) => 2 ** -10 * (1 + want * want) * 2 },
  asin: { count: 1, compute: Math.asin, ranges: [[-0.99, 0.99]], error: () => 2 ** -10 },
  acos: { count: 1, compute: Math.acos, ranges: [[-0.99, 0.99]], error: () => 2 ** -10 },
  atan: { count: 1, compute: Math.atan, ranges: [wide], error: () => 2 ** -11 },
  sinh: { count: 1, compute: Math.sinh, ranges: [[-3, 3]], error: (want) => 1e-5 * (1 + Math.abs(want)) },
  cosh: { count: 1, compute: Math.cosh, ranges: [[-3, 3]], error: (want) => 1e-5 * (1 + Math.abs(want)) },
  tanh: { count: 1, compute: Math.tanh, ranges: [[-3, 3]], error: () => 1e-5 },
  asinh: { count: 1, compute: Math.asinh, ranges: [[-6, 6]], error: () => 1e-4 },
  pow: {
    count: 2,
    compute: Math.pow,
    ranges: [
      [0.1, 6],
      [-3, 3],
    ],
    error: (want, x, y) => ulp(want, 64 + 16 * Math.abs(y! * Math.log2(x!))),
  },
  exp: { count: 1, compute: Math.exp, ranges: [[-6, 6]], error: (want, x) => ulp(want, 3 + 2 * Math.abs(x!) + 2) },
  exp2: { count: 1, compute: (x) => 2 ** x!, ranges: [wide], error: (want, x) => ulp(want, 3 + 2 * Math.abs(x!)) },
  log: { count: 1, compute: Math.log, ranges: [[0.05, 12]], error: (want) => Math.max(ulp(want, 4), 2 ** -20) },
  log2: { count: 1, compute: Math.log2, ranges: [[0.05, 12]], error: (want) => Math.max(ulp(want, 4), 2 ** -20) },
  sqrt: { count: 1, compute: Math.sqrt, ranges: [[0, 20]], error: (want) => ulp(want, 4) + 1e-9 },
  inversesqrt: { count: 1, compute: (x) => 1 / Math.sqrt(x!), ranges: [[0.05, 20]], error: (want) => ulp(want, 3) },
  abs: { count: 1, compute: Math.abs, ranges: [wide], error: () => 0 },
  sign: {
    count: 1,
    compute: (x) => Math.sign(x!) + 0,
    ranges: [wide],
    error: () => 0,
    avoid: (x) => Math.abs(x!) < 0.02,
  },
  floor: { count: 1, compute: Math.floor, ranges: [wide], error: () => 0, avoid: isNearWhole },
  ceil: { count: 1, compute: Math.ceil, ranges: [wide], error: () => 0, avoid: isNearWhole },
  trunc: { count: 1, compute: Math.trunc, ranges: [wide], error: () => 0, avoid: isNearWhole },
  round: { count: 1, compute: Math.round, ranges: [wide], error: () => 0, avoid: (x) => isNearWhole(x! + 0.5) },
  fract: { count: 1, compute: (x) => x! - Math.floor(x!), ranges: [wide], error: () => 2 ** -20, avoid: isNearWhole },
  mod: {
    count: 2,
    compute: (x, y) => x! - y! * Math.floor(x! / y!),
    ranges: [wide, [0.5, 3]],
    error: () => 2 ** -18,
    avoid: (x, y) => isNearWhole(x! / y!),
  },
  min: { count: 2, compute: Math.min, ranges: [wide, wide], error: () => 0 },
  max: { count: 2, compute: Math.max, ranges: [wide, wide], error: () => 0 },
  clamp: {
    count: 3,
    compute: (x, a, b) => Math.min(Math.max(x!, a!), b!),
    ranges: [wide, [-4, -1], [1, 4]],
    error: () => 0,
  },
  mix: { count: 3, compute: (x, y, a) => x! * (1 - a!) + y! * a!, ranges: [wide, wide, [0, 1]], error: () => 2 ** -18 },
  step: {
    count: 2,
    compute: (edge, x) => (x! < edge! ? 0 : 1),
    ranges: [wide, wide],
    error: () => 0,
    avoid: (a, b) => Math.abs(a! - b!) < 0.05,
  },
};

function runBuiltin(
  t: CaseContext,
  name: string,
  builtin: Builtin,
  precision: Precision,
  stage: Stage,
  size: number,
): void {
  const { random } = t;
  const type = vectorName('float', size);
  const values: number[][][] = [];
  const expected: number[][] = [];
  while (values.length < MOST_RUNS) {
    const args = builtin.ranges.map(([low, high]) =>
      Array.from({ length: size }, () => Math.fround(Math.round(random.float(low, high) * 1024) / 1024)),
    );
    const component = (at: number) => args.map((arg) => arg[at]!);
    if (Array.from({ length: size }, (_, at) => at).some((at) => builtin.avoid?.(...component(at)))) continue;
    values.push(args);
    expected.push(Array.from({ length: size }, (_, at) => builtin.compute(...component(at))));
  }
  checkExpression(t, {
    stage,
    inputs: builtin.ranges.map((): ExpressionInput => ({ type, precision })),
    output: { type, precision },
    code: `res = ${builtin.call ?? `${name}(${builtin.ranges.map((_, i) => `in${i}`).join(', ')})`};`,
    values,
    expected,
    tolerance: (want, k, component) => {
      const own = builtin.error(want, ...values[k]!.map((arg) => arg[component]!));
      return precision === 'highp' ? own : own + errorOf(precision, Math.max(Math.abs(want), 1) * 4);
    },
  });
}

function* builtinCases(): Generator<CaseDefinition> {
  for (const [name, builtin] of Object.entries(BUILTINS))
    for (const precision of PRECISIONS)
      for (const stage of STAGES) {
        if (!isRun(precision, stage)) continue;
        // The lists have atan in highp alone.
        if (name === 'atan' && precision !== 'highp') continue;
        for (const size of [1, 2, 3, 4])
          yield functionalCase(
            3,
            `shaders.builtin_functions.precision.${name}.${precision}_${stage}.${size === 1 ? 'scalar' : `vec${size}`}`,
            (t) => runBuiltin(t, name, builtin, precision, stage, size),
            SURFACE,
          );
      }
}

// ---- derivatives

/** Derivatives of a plane are its slopes, everywhere and in every mode. */
function runDerivative(t: CaseContext, fn: string, size: number, precision: Precision, isConstant: boolean): void {
  const { width, height, random } = t;
  const slopes = Array.from({ length: size }, () => ({ x: random.int(-8, 8) / 8, y: random.int(-8, 8) / 8 }));
  const value = isConstant
    ? `${vectorName('float', size)}(0.7)`
    : `v_value${size === 4 ? '' : `.${'xyzw'.slice(0, size)}`}`;
  const padded =
    size === 1
      ? 'vec4(d, 0.0, 0.0, 1.0)'
      : size === 4
        ? 'd'
        : `vec4(d, ${Array.from({ length: 4 - size }, (_, i) => (i === 3 - size ? '1.0' : '0.0')).join(', ')})`;
  buildProgram(t, {
    attributes: { a_position: 'highp vec4', a_value: 'highp vec4' },
    varyings: { v_value: 'highp vec4' },
    vertex: 'gl_Position = a_position; v_value = a_value;',
    fragment: `${precision} ${vectorName('float', size)} v = ${value};\n${vectorName('float', size)} d = ${fn}(v);\no_color = ${padded} * 0.25 + vec4(0.25);`,
  });
  const corner = (x: number, y: number) =>
    [0, 1, 2, 3].map((c) => (slopes[c] ? slopes[c]!.x * x * width + slopes[c]!.y * y * height : 0));
  drawFullQuad(t, [{ size: 4, data: [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)].flat() }]);
  t.noError('drawing');
  const data = new Uint8Array(width * height * 4);
  const want = [0, 1, 2, 3].map((c) => {
    const slope = slopes[c];
    if (!slope) return c === 3 ? 1 : 0;
    if (isConstant) return 0;
    return fn === 'dFdx' ? slope.x : fn === 'dFdy' ? slope.y : Math.abs(slope.x) + Math.abs(slope.y);
  });
  for (let at = 0; at < data.length; at += 4)
    data.set(
      want.map((one) => Math.min(Math.max(Math.round((one * 0.25 + 0.25) * 255), 0), 255)),
      at,
    );
  t.comparePicture(t.readPixels(), { width, height, data }, { tolerance: precision === 'highp' ? 2 : 8 });
}

function* derivativeCases(): Generator<CaseDefinition> {
  for (const [name, fn] of [
    ['dfdx', 'dFdx'],
    ['dfdy', 'dFdy'],
    ['fwidth', 'fwidth'],
  ] as const)
    for (const size of [1, 2, 3, 4]) {
      yield functionalCase(
        3,
        `shaders.derivate.${name}.constant.${vectorName('float', size)}`,
        (t) => runDerivative(t, fn, size, 'highp', true),
        SURFACE,
      );
      for (const precision of size === 4 && name !== 'fwidth' ? (['highp'] as const) : (['mediump', 'highp'] as const))
        yield functionalCase(
          3,
          `shaders.derivate.${name}.linear.${vectorName('float', size)}_${precision}`,
          (t) => runDerivative(t, fn, size, precision, false),
          SURFACE,
        );
    }
}

// ---- random expressions

interface Node {
  readonly text: string;
  readonly value: (x: readonly Numbers[]) => number;
}

/** A random scalar expression over the components of two vec4 inputs; values stay within a few hundred. */
function randomNode(random: Random, kind: string, depth: number): Node {
  if (depth === 0 || random.bool(0.15)) {
    if (random.bool(0.3)) {
      const constant = random.int(-32, 32) / 16;
      return { text: `(${constant.toFixed(4)})`, value: () => constant };
    }
    const [input, component] = [random.int(0, 1), random.int(0, 3)];
    return { text: `in${input}.${'xyzw'[component]}`, value: (x) => x[input]![component]! };
  }
  const a = randomNode(random, kind, depth - 1);
  const b = randomNode(random, kind, depth - 1);
  const call = (text: string, value: (p: number, q: number) => number): Node => ({
    text,
    value: (x) => value(a.value(x), b.value(x)),
  });
  // Differences that rounding could turn around are kept away from comparisons by a wide gap.
  if ((kind === 'comparison_ops' || kind === 'conditionals') && random.bool(0.5))
    return {
      text: `(floor(${a.text} * 4.0) < floor(${b.text} * 4.0) + 0.5 ? ${a.text} * 0.5 : 1.0 - ${b.text})`,
      value: (x) => (Math.floor(a.value(x) * 4) < Math.floor(b.value(x) * 4) + 0.5 ? a.value(x) * 0.5 : 1 - b.value(x)),
    };
  if (kind === 'trigonometric' && random.bool(0.5))
    return random.bool() ? call(`sin(${a.text})`, (p) => Math.sin(p)) : call(`cos(${a.text})`, (p) => Math.cos(p));
  if (kind === 'exponential' && random.bool(0.5))
    return random.bool()
      ? call(`exp2(clamp(${a.text}, -2.0, 2.0))`, (p) => 2 ** Math.min(Math.max(p, -2), 2))
      : call(`sqrt(abs(${a.text}) + 0.25)`, (p) => Math.sqrt(Math.abs(p) + 0.25));
  if (kind === 'swizzle' && random.bool(0.5)) {
    const order = Array.from({ length: 4 }, () => random.int(0, 3));
    const take = random.int(0, 3);
    const input = random.int(0, 1);
    return {
      text: `(in${input}.${order.map((i) => 'xyzw'[i]).join('')}.${'xyzw'[take]} + ${b.text})`,
      value: (x) => x[input]![order[take]!]! + b.value(x),
    };
  }
  switch (random.int(0, 4)) {
    case 0:
      return call(`(${a.text} + ${b.text})`, (p, q) => p + q);
    case 1:
      return call(`(${a.text} - ${b.text})`, (p, q) => p - q);
    case 2:
      return call(`(${a.text} * clamp(${b.text}, -2.0, 2.0))`, (p, q) => p * Math.min(Math.max(q, -2), 2));
    case 3:
      return call(`max(${a.text}, ${b.text})`, Math.max);
    default:
      return call(`mix(${a.text}, ${b.text}, 0.25)`, (p, q) => p * 0.75 + q * 0.25);
  }
}

function runRandomShader(t: CaseContext, kind: string, stage: Stage): void {
  const { random } = t;
  const nodes = Array.from({ length: 4 }, () => randomNode(random, kind, 4));
  const values: number[][][] = [];
  const expected: number[][] = [];
  for (const args of runs(() => [0, 1].map(() => Array.from({ length: 4 }, () => random.int(-64, 64) / 32)))) {
    // Where the result moves a lot with a tiny change of the inputs, rounding decides: such runs say nothing.
    const exact = nodes.map(({ value }) => value(args));
    const moved = [1e-5, -1e-5].map((by) =>
      nodes.map(({ value }) => value(args.map((arg) => arg.map((one) => one + by)))),
    );
    values.push(args);
    expected.push(
      exact.map((one, at) =>
        moved.some((other) => Math.abs(other[at]! - one) > 0.01 * (1 + Math.abs(one))) ? Number.NaN : one,
      ),
    );
  }
  checkExpression(t, {
    stage,
    inputs: [
      { type: 'vec4', precision: 'highp' },
      { type: 'vec4', precision: 'highp' },
    ],
    output: { type: 'vec4', precision: 'highp' },
    code: `res = vec4(${nodes.map(({ text }) => text).join(', ')});`,
    values,
    expected,
    tolerance: (want) => 4e-3 * (1 + Math.abs(want)),
  });
}

/** Numbers that the lists of GLES 3 leave out. */
const UNLISTED: Readonly<Record<Stage, readonly number[]>> = { vertex: [11, 15, 49], fragment: [37, 49] };

function* randomShaderCases(api: 2 | 3): Generator<CaseDefinition> {
  const groups: Readonly<Record<string, number>> = {
    basic_expression: 100,
    comparison_ops: 50,
    conditionals: 100,
    swizzle: 50,
    exponential: 100,
    trigonometric: 90,
  };
  for (const [kind, count] of Object.entries(groups))
    for (const stage of STAGES)
      for (let index = 0; index < Math.min(count, 50); index++) {
        if (api === 3 && kind === 'trigonometric' && UNLISTED[stage].includes(index)) continue;
        yield functionalCase(
          api,
          `shaders.random.${kind}.${stage}.${index}`,
          (t) => runRandomShader(t, kind, stage),
          SURFACE,
        );
      }
}

export function* shaderProgramCases(api: 2 | 3): Generator<CaseDefinition> {
  yield* indexingCases(api);
  yield* loopCases(api);
  yield* randomShaderCases(api);
  if (api === 2) return;
  yield* builtinCases();
  yield* derivativeCases();
}
