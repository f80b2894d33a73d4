// shaders.struct: structures as locals, parameters, results and uniforms, computed again in plain numbers.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { checkExpression, MOST_RUNS } from '../../harness/expression.ts';
import { makeTexture, setSampler } from '../../harness/texture.ts';
import { PRECISIONS, STAGES, type Stage } from '../../reference/glsl-types.ts';
import { formatNamed, sizedFormat, UNSIZED_FORMATS } from '../../reference/texture-formats.ts';

const SURFACE = { width: 8, height: 8, depth: false, stencil: false };

type Vector = readonly number[];

interface StructCase {
  readonly name: string;
  readonly head: string;
  readonly code: string;
  /** From a vector of eighths and a whole number from 0 to 2. */
  readonly compute: (x: Vector, n: number) => Vector;
  readonly es3Only?: boolean;
  /** Gives the uniforms their values. */
  readonly uniforms?: Readonly<Record<string, Vector | number>>;
}

const add = (a: Vector, b: Vector): Vector => a.map((value, i) => value + b[i]!);
const scale = (a: Vector, factor: number): Vector => a.map((value) => value * factor);
const swap = ([x, y, z, w]: Vector): Vector => [w!, z!, y!, x!];

const S = 'struct S { mediump float a; mediump vec4 b; int c; };\n';
const T = `struct T { mediump float a; mediump vec4 b; };\nstruct S { int c; T d; mediump float e; };\n`;
const ARRAY = 'struct S { mediump float a[3]; mediump vec4 b; };\n';
const NESTED_ARRAY =
  'struct T { mediump float a; mediump vec4 b[2]; };\nstruct S { mediump float c; T d[3]; int e; };\n';
const NEW_S = 'S s = S(in0.x, in0, in1);';
const NEW_T = 'S s = S(in1, T(in0.x, in0.wzyx), in0.y);';
const FILL_SS =
  'S s[3]; s[0] = S(in0.x, in0, 1); s[1].a = in0.y; s[1].b = in0.yxwz; s[1].c = 2; s[2] = S(in0.z, in0.wzyx, 3);';
const SS = (x: Vector) => [
  { a: x[0]!, b: x, c: 1 },
  { a: x[1]!, b: [x[1]!, x[0]!, x[3]!, x[2]!], c: 2 },
  { a: x[2]!, b: swap(x), c: 3 },
];
const FILL_NESTED =
  's.c = in0.x; s.e = 2;' +
  ' s.d[0].a = 0.25; s.d[0].b[0] = in0; s.d[0].b[1] = in0.wzyx;' +
  ' s.d[1].a = in0.y; s.d[1].b[0] = in0.yxwz; s.d[1].b[1] = vec4(in0.x);' +
  ' s.d[2].a = 0.5; s.d[2].b[0] = in0.zzxx; s.d[2].b[1] = in0 * 0.5;';
const NESTED = (x: Vector) => [
  { a: 0.25, b: [x, swap(x)] },
  { a: x[1]!, b: [[x[1]!, x[0]!, x[3]!, x[2]!], x.map(() => x[0]!)] },
  { a: 0.5, b: [[x[2]!, x[2]!, x[0]!, x[0]!], scale(x, 0.5)] },
];

function sumOf(vectors: readonly Vector[]): Vector {
  return vectors.reduce(add, [0, 0, 0, 0]);
}

const LOCAL_CASES: readonly StructCase[] = [
  {
    name: 'basic',
    head: S,
    code: `${NEW_S} s.b.y = s.a + float(s.c); res = s.b;`,
    compute: (x, n) => [x[0]!, x[0]! + n, x[2]!, x[3]!],
  },
  {
    name: 'nested',
    head: T,
    code: `${NEW_T} s.d.b.xz = s.d.b.zx; s.d.a += s.e; res = s.d.b + vec4(s.d.a, float(s.c), 0.0, 0.0);`,
    compute: (x, n) => [x[1]! + x[0]! + x[1]!, x[2]! + n, x[3]!, x[0]!],
  },
  {
    name: 'array_member',
    head: ARRAY,
    code: 'S s; s.a[0] = in0.x; s.a[1] = in0.z; s.a[2] = in0.w; s.b = in0.wzyx; res = vec4(s.a[2], s.a[1], s.b.z, s.a[0]);',
    compute: (x) => [x[3]!, x[2]!, x[1]!, x[0]!],
  },
  {
    name: 'array_member_dynamic_index',
    head: ARRAY,
    code: 'S s; for (int i = 0; i < 3; i++) s.a[i] = float(i); s.a[in1] = in0.x; s.b = in0; res = vec4(s.a[0], s.a[1], s.a[2], s.a[in1] + s.b.w);',
    compute: (x, n) => [...[0, 1, 2].map((i) => (i === n ? x[0]! : i)), x[0]! + x[3]!],
  },
  {
    name: 'struct_array',
    head: S,
    code: `${FILL_SS} res = vec4(s[0].b.y, s[1].b.x, s[2].a, s[2].b.x + float(s[1].c));`,
    compute: (x) => [x[1]!, x[1]!, x[2]!, x[3]! + 2],
  },
  {
    name: 'struct_array_dynamic_index',
    head: S,
    code: `${FILL_SS} s[in1].b.x += 1.0; res = s[in1].b + vec4(0.0, 0.0, s[in1].a, float(s[in1].c));`,
    compute: (x, n) => add(SS(x)[n]!.b, [1, 0, SS(x)[n]!.a, SS(x)[n]!.c]),
  },
  {
    name: 'nested_struct_array',
    head: NESTED_ARRAY,
    code: `S s; ${FILL_NESTED} res = s.d[0].b[1] + s.d[2].b[0] + vec4(s.d[1].a, s.c, s.d[2].a, float(s.e));`,
    compute: (x) => sumOf([NESTED(x)[0]!.b[1]!, NESTED(x)[2]!.b[0]!, [x[1]!, x[0]!, 0.5, 2]]),
  },
  {
    name: 'nested_struct_array_dynamic_index',
    head: NESTED_ARRAY,
    code: `S s; ${FILL_NESTED} int k = in1 > 1 ? 0 : 1; s.d[in1].b[k].w = 2.0; res = s.d[in1].b[0] + 0.5 * s.d[in1].b[1] + vec4(s.d[in1].a);`,
    compute: (x, n) => {
      const { a, b } = NESTED(x)[n]!;
      const changed = b.map((vector, i) => (i === (n > 1 ? 0 : 1) ? [...vector.slice(0, 3), 2] : vector));
      return sumOf([changed[0]!, scale(changed[1]!, 0.5), [a, a, a, a]]);
    },
  },
  {
    name: 'parameter',
    head: `${S}mediump vec4 use(S s) { s.b.x = s.a + 1.0; return s.b + vec4(0.0, float(s.c), 0.0, 0.0); }\n`,
    code: `${NEW_S} res = use(s) + vec4(0.0, 0.0, s.b.x, 0.0);`,
    compute: (x, n) => [x[0]! + 1, x[1]! + n, x[2]! + x[0]!, x[3]!],
  },
  {
    name: 'parameter_nested',
    head: `${T}mediump vec4 use(S s) { s.d.b.y = s.e; return s.d.b * (s.d.a + float(s.c)); }\n`,
    code: `${NEW_T} res = use(s);`,
    compute: (x, n) => scale([x[3]!, x[1]!, x[1]!, x[0]!], x[0]! + n),
  },
  {
    name: 'return',
    head: `${S}S make(mediump vec4 v, int n) { S s; s.a = v.z; s.b = v.wzyx; s.c = n; return s; }\n`,
    code: 'S s = make(in0, in1); res = s.b + vec4(s.a, float(s.c), 0.0, 0.0);',
    compute: (x, n) => add(swap(x), [x[2]!, n, 0, 0]),
  },
  {
    name: 'return_nested',
    head: `${T}S make(mediump vec4 v, int n) { return S(n, T(v.y, v.zxyw), v.w); }\n`,
    code: 'res = make(in0, in1).d.b + vec4(make(in0, in1).e, 0.0, float(make(in0, in1).c), make(in0, in1).d.a);',
    compute: (x, n) => add([x[2]!, x[0]!, x[1]!, x[3]!], [x[3]!, 0, n, x[1]!]),
  },
  {
    name: 'conditional_assignment',
    head: S,
    code: `${NEW_S} if (in1 == 1) s.b = in0.wzyx; else if (in0.y > 0.5) s = S(1.0, vec4(0.25), 2); res = s.b + vec4(s.a, 0.0, 0.0, float(s.c));`,
    compute: (x, n) =>
      n === 1 ? add(swap(x), [x[0]!, 0, 0, n]) : x[1]! > 0.5 ? [1.25, 0.25, 0.25, 2.25] : add(x, [x[0]!, 0, 0, n]),
  },
  {
    name: 'nested_conditional_assignment',
    head: T,
    code: `${NEW_T} if (in0.x > 0.5) s.d = T(0.5, in0.xxyy); else if (in1 != 0) s.d.b.x = 2.0; res = s.d.b + vec4(0.0, s.d.a, s.e, 0.0);`,
    compute: (x, n) => {
      const rest = (b: Vector, a: number) => add(b, [0, a, x[1]!, 0]);
      if (x[0]! > 0.5) return rest([x[0]!, x[0]!, x[1]!, x[1]!], 0.5);
      return rest(n !== 0 ? [2, x[2]!, x[1]!, x[0]!] : swap(x), x[0]!);
    },
  },
  ...(['loop', 'dynamic_loop'] as const).flatMap((kind): StructCase[] => {
    const end = kind === 'loop' ? '3' : 'in1 + 1';
    const ends = (n: number) => (kind === 'loop' ? 3 : n + 1);
    const nestedName = kind === 'loop' ? 'nested_loop_assignment' : 'nested_dynamic_loop_assignment';
    return [
      {
        name: `${kind}_assignment`,
        head: S,
        code: `${NEW_S} for (int i = 0; i < ${end}; i++) { s.b = s.b.yzwx; if (i == 1) s.a = 2.0; s.c = s.c + i; } res = s.b + vec4(s.a, float(s.c), 0.0, 0.0);`,
        compute: (x, n) => {
          const count = ends(n);
          const b = [0, 1, 2, 3].map((i) => x[(i + count) % 4]!);
          return add(b, [count > 1 ? 2 : x[0]!, n + (count * (count - 1)) / 2, 0, 0]);
        },
      },
      {
        name: nestedName,
        head: T,
        code: `${NEW_T} for (int i = 0; i < ${end}; i++) { s.d.b = s.d.b.wxyz; s.d.a += 0.5; } res = s.d.b + vec4(s.d.a, s.e, 0.0, 0.0);`,
        compute: (x, n) => {
          const count = ends(n);
          const b = [0, 1, 2, 3].map((i) => swap(x)[(i + 4 - count) % 4]!);
          return add(b, [x[0]! + count * 0.5, x[1]!, 0, 0]);
        },
      },
      {
        name: `${kind}_struct_array`,
        head: S,
        code: `${FILL_SS} res = vec4(0.0); for (int i = 0; i < ${end}; i++) { res += s[i].b; res.x += s[i].a; s[i].c += 1; res.y += float(s[i].c); }`,
        compute: (x, n) =>
          sumOf(
            SS(x)
              .slice(0, ends(n))
              .map(({ a, b, c }) => add(b, [a, c + 1, 0, 0])),
          ),
      },
      {
        name: `${kind}_nested_struct_array`,
        head: NESTED_ARRAY,
        code: `S s; ${FILL_NESTED} res = vec4(0.0); for (int i = 0; i < ${end}; i++) { res.w += s.d[i].a; for (int j = 0; j < 2; j++) res += s.d[i].b[j] * float(j + 1); }`,
        compute: (x, n) =>
          sumOf(
            NESTED(x)
              .slice(0, ends(n))
              .map(({ a, b }) => sumOf([b[0]!, scale(b[1]!, 2), [0, 0, 0, a]])),
          ),
      },
    ];
  }),
  ...(['equal', 'not_equal'] as const).flatMap((kind): StructCase[] => {
    const operator = kind === 'equal' ? '==' : '!=';
    const said = (isSame: boolean) => (isSame === (kind === 'equal') ? 1 : 0.25);
    return [
      {
        name: `basic_${kind}`,
        head: S,
        code: `${NEW_S} S t = S(in0.x, vec4(in0.xyz, in1 == 1 ? in0.w + 1.0 : in0.w), in1); S u = S(in0.y, in0, in1); res = vec4(s ${operator} t ? 1.0 : 0.25, s ${operator} u ? 1.0 : 0.25, s ${operator} S(in0.x, in0, 1) ? 1.0 : 0.25, s.a);`,
        compute: (x, n) => [said(n !== 1), said(x[0] === x[1]), said(n === 1), x[0]!],
      },
      {
        name: `nested_${kind}`,
        head: T,
        code: `${NEW_T} S t = s; if (in1 == 2) t.d.b.z += 1.0; S u = s; u.d.a = in0.z; res = vec4(s ${operator} t ? 1.0 : 0.25, s ${operator} u ? 1.0 : 0.25, t.d ${operator} T(in0.x, in0.wzyx) ? 1.0 : 0.25, s.e);`,
        compute: (x, n) => [said(n !== 2), said(x[0] === x[2]), said(n !== 2), x[1]!],
      },
    ];
  }),
  {
    name: 'array_member_equality',
    head: ARRAY,
    code: 'S s; s.a[0] = in0.x; s.a[1] = in0.y; s.a[2] = in0.z; s.b = in0; S t = s; t.a[in1] += 1.0; S u = s; u.a[1] = in0.x; res = vec4(s == t ? 1.0 : 0.25, s == u ? 1.0 : 0.25, s != t ? 1.0 : 0.25, s.a[2]);',
    compute: (x) => [0.25, x[0] === x[1] ? 1 : 0.25, 1, x[2]!],
    es3Only: true,
  },
  ...PRECISIONS.flatMap((precision): StructCase[] => [
    {
      name: `parameter_out_${precision}`,
      head: `struct S { ${precision} float a; ${precision} vec4 b; };\nvoid make(${precision} vec4 v, out S s) { s.a = v.y; s.b = v.wzyx; }\n`,
      code: 'S s; make(in0, s); res = s.b * 0.5 + vec4(0.0, s.a * 0.5, 0.0, 0.0);',
      compute: (x) => add(scale(swap(x), 0.5), [0, x[1]! * 0.5, 0, 0]),
    },
    {
      name: `parameter_inout_${precision}`,
      head: `struct S { ${precision} float a; ${precision} vec4 b; };\nvoid change(inout S s) { s.a = s.b.x; s.b = s.b.wzyx * 0.5; }\n`,
      code: 'S s; s.a = 1.0; s.b = in0; change(s); res = s.b + vec4(0.0, s.a, 0.0, 0.0);',
      compute: (x) => add(scale(swap(x), 0.5), [0, x[0]!, 0, 0]),
    },
  ]),
];

const UNIFORM_S = `${S}uniform S u;\n`;
const UNIFORM_SS = `${S}uniform S u[3];\n`;
const UNIFORM_NESTED = `${NESTED_ARRAY}uniform S u;\n`;
const V = [
  [0.25, 0.5, 0.125, 1],
  [0.75, 0, 0.5, 0.25],
  [1, 0.625, 0.375, 0.5],
] as const;
const VALUES_S = { 'u.a': 0.5, 'u.b': V[0], 'u.c': 2 };
const VALUES_SS = Object.fromEntries(
  [0, 1, 2].flatMap((i): [string, Vector | number][] => [
    [`u[${i}].a`, 0.25 + 0.5 * i],
    [`u[${i}].b`, V[i]!],
    [`u[${i}].c`, i + 1],
  ]),
);
const VALUES_NESTED: Record<string, Vector | number> = { 'u.c': 0.5, 'u.e': 3 };
for (let i = 0; i < 3; i++) {
  VALUES_NESTED[`u.d[${i}].a`] = i * 0.25;
  for (let j = 0; j < 2; j++) VALUES_NESTED[`u.d[${i}].b[${j}]`] = V[(i + j) % 3]!;
}

const UNIFORM_CASES: readonly StructCase[] = [
  {
    name: 'basic',
    head: UNIFORM_S,
    code: 'res = in0 + u.b + vec4(u.a, float(u.c), 0.0, 0.0);',
    compute: (x) => sumOf([x, V[0], [0.5, 2, 0, 0]]),
    uniforms: VALUES_S,
  },
  {
    name: 'nested',
    head: `${T}uniform S u;\n`,
    code: 'res = in0 + u.d.b * u.d.a + vec4(u.e, 0.0, float(u.c), 0.0);',
    compute: (x) => sumOf([x, scale(V[1], 0.5), [0.75, 0, 1, 0]]),
    uniforms: { 'u.c': 1, 'u.d.a': 0.5, 'u.d.b': V[1], 'u.e': 0.75 },
  },
  {
    name: 'array_member',
    head: `${ARRAY}uniform S u;\n`,
    code: 'res = in0 + vec4(u.a[0], u.a[1], u.a[2], u.b.w);',
    compute: (x) => add(x, [0.25, 0.5, 0.75, 1]),
    uniforms: { 'u.a[0]': 0.25, 'u.a[1]': 0.5, 'u.a[2]': 0.75, 'u.b': V[0] },
  },
  {
    name: 'array_member_dynamic_index',
    head: `${ARRAY}uniform S u;\n`,
    code: 'res = in0 + vec4(u.a[in1], u.a[2 - in1], 0.0, u.b.w);',
    compute: (x, n) => add(x, [0.25 * (n + 1), 0.25 * (3 - n), 0, 1]),
    uniforms: { 'u.a[0]': 0.25, 'u.a[1]': 0.5, 'u.a[2]': 0.75, 'u.b': V[0] },
  },
  {
    name: 'struct_array',
    head: UNIFORM_SS,
    code: 'res = in0 + vec4(u[0].a, u[1].b.x, float(u[2].c), u[2].b.y);',
    compute: (x) => add(x, [0.25, 0.75, 3, 0.625]),
    uniforms: VALUES_SS,
  },
  {
    name: 'struct_array_dynamic_index',
    head: UNIFORM_SS,
    code: 'res = in0 + u[in1].b + vec4(u[in1].a, float(u[2 - in1].c), 0.0, 0.0);',
    compute: (x, n) => sumOf([x, V[n]!, [0.25 + 0.5 * n, 3 - n, 0, 0]]),
    uniforms: VALUES_SS,
  },
  {
    name: 'nested_struct_array',
    head: UNIFORM_NESTED,
    code: 'res = in0 + u.d[1].b[0] + u.d[2].b[1] * u.d[2].a + vec4(u.c, float(u.e), 0.0, 0.0);',
    compute: (x) => sumOf([x, V[1], scale(V[0], 0.5), [0.5, 3, 0, 0]]),
    uniforms: VALUES_NESTED,
  },
  {
    name: 'nested_struct_array_dynamic_index',
    head: UNIFORM_NESTED,
    code: 'int k = in1 > 0 ? 0 : 1; res = in0 + u.d[in1].b[k] + vec4(u.d[in1].a, float(u.e), 0.0, u.c);',
    compute: (x, n) => sumOf([x, V[(n + (n > 0 ? 0 : 1)) % 3]!, [n * 0.25, 3, 0, 0.5]]),
    uniforms: VALUES_NESTED,
  },
  ...(['loop', 'dynamic_loop'] as const).flatMap((kind): StructCase[] => {
    const end = kind === 'loop' ? '3' : 'in1 + 1';
    const ends = (n: number) => (kind === 'loop' ? 3 : n + 1);
    return [
      {
        name: `${kind}_struct_array`,
        head: UNIFORM_SS,
        code: `res = in0; for (int i = 0; i < ${end}; i++) res += u[i].b + vec4(u[i].a, float(u[i].c), 0.0, 0.0);`,
        compute: (x, n) => sumOf([x, ...V.slice(0, ends(n)).map((v, i) => add(v, [0.25 + 0.5 * i, i + 1, 0, 0]))]),
        uniforms: VALUES_SS,
      },
      {
        name: `${kind}_nested_struct_array`,
        head: UNIFORM_NESTED,
        code: `res = in0; for (int i = 0; i < ${end}; i++) for (int j = 0; j < 2; j++) res += u.d[i].b[j] * float(j + 1) + vec4(u.d[i].a, 0.0, 0.0, 0.0);`,
        compute: (x, n) =>
          sumOf([
            x,
            ...V.slice(0, ends(n)).flatMap((_, i) =>
              [0, 1].map((j) => add(scale(V[(i + j) % 3]!, j + 1), [i * 0.25, 0, 0, 0])),
            ),
          ]),
        uniforms: VALUES_NESTED,
      },
    ];
  }),
  ...(['equal', 'not_equal'] as const).map((kind): StructCase => {
    const operator = kind === 'equal' ? '==' : '!=';
    const said = (isSame: boolean) => (isSame === (kind === 'equal') ? 1 : 0.25);
    return {
      name: kind,
      head: UNIFORM_S,
      code: `S s = S(0.5, vec4(0.25, 0.5, 0.125, 1.0), in1); S t = u; if (in0.x > 0.5) t.b.z = 0.875; res = vec4(u ${operator} s ? 1.0 : 0.25, u ${operator} t ? 1.0 : 0.25, in0.yz);`,
      compute: (x, n) => [said(n === 2), said(!(x[0]! > 0.5)), x[1]!, x[2]!],
      uniforms: VALUES_S,
    };
  }),
];

function setUniform(t: CaseContext, program: number, name: string, value: Vector | number): void {
  const { gl } = t;
  const location = gl.glGetUniformLocation(program, name);
  t.check(location !== -1, `there is no uniform ${name}`);
  if (typeof value !== 'number') gl.glUniform4fv(location, 1, Float32Array.from(value));
  else if (/\.[ce]$/.test(name) && Number.isInteger(value)) gl.glUniform1i(location, value);
  else gl.glUniform1f(location, value);
}

function run(t: CaseContext, stage: Stage, test: StructCase): void {
  const { random } = t;
  const values = Array.from({ length: MOST_RUNS }, (_, k) => [
    Array.from({ length: 4 }, () => random.int(0, 8) / 8),
    [k % 3],
  ]);
  checkExpression(t, {
    stage,
    inputs: [
      { type: 'vec4', precision: 'highp' },
      { type: 'int', precision: 'mediump' },
    ],
    output: { type: 'vec4', precision: 'highp' },
    head: test.head,
    code: test.code,
    values,
    expected: values.map(([x, n]) => test.compute(x!, n![0]!)),
    tolerance: () => 2 ** -7,
    setUp: (program) => {
      for (const [name, value] of Object.entries(test.uniforms ?? {})) setUniform(t, program, name, value);
    },
  });
}

interface SamplerCase {
  readonly name: string;
  readonly head: string;
  readonly code: string;
  /** Names of the samplers, in the order of the textures' units. */
  readonly samplers: readonly string[];
  /** Which texture is looked up, and the sum of the other members. */
  readonly compute: (texels: readonly Vector[]) => Vector;
  readonly es2Only?: boolean;
}

const LOOK = 'look';
const SAMPLER_S = 'struct S { mediump float a; mediump vec4 b; sampler2D c; };\n';
const SAMPLER_CASES: readonly SamplerCase[] = [
  {
    name: 'sampler',
    head: `${SAMPLER_S}uniform S u;\n`,
    code: `res = ${LOOK}(u.c, in0.xy) + vec4(u.a);`,
    samplers: ['u.c'],
    compute: ([first]) => add(first!, [0.5, 0.5, 0.5, 0.5]),
  },
  {
    name: 'sampler_nested',
    head: 'struct T { sampler2D a; mediump vec4 b; };\nstruct S { T c; sampler2D d; mediump float a; };\nuniform S u;\n',
    code: `res = ${LOOK}(u.c.a, in0.xy) + 0.5 * ${LOOK}(u.d, in0.xy) + vec4(u.a);`,
    samplers: ['u.c.a', 'u.d'],
    compute: ([first, second]) => sumOf([first!, scale(second!, 0.5), [0.5, 0.5, 0.5, 0.5]]),
  },
  {
    name: 'sampler_array',
    head: `${SAMPLER_S}uniform S u[2];\n`,
    code: `res = ${LOOK}(u[1].c, in0.xy) + 0.5 * ${LOOK}(u[0].c, in0.xy);`,
    samplers: ['u[0].c', 'u[1].c'],
    compute: ([first, second]) => add(second!, scale(first!, 0.5)),
  },
  {
    name: 'sampler_in_function_arg',
    head: `${SAMPLER_S}uniform S u;\nmediump vec4 use(S s, mediump vec2 at) { return ${LOOK}(s.c, at) + vec4(s.a); }\n`,
    code: 'res = use(u, in0.xy);',
    samplers: ['u.c'],
    compute: ([first]) => add(first!, [0.5, 0.5, 0.5, 0.5]),
    es2Only: true,
  },
  {
    name: 'sampler_in_array_function_arg',
    head: `${SAMPLER_S}uniform S u[2];\nmediump vec4 use(S s[2], mediump vec2 at) { return ${LOOK}(s[1].c, at) + 0.5 * ${LOOK}(s[0].c, at); }\n`,
    code: 'res = use(u, in0.xy);',
    samplers: ['u[0].c', 'u[1].c'],
    compute: ([first, second]) => add(second!, scale(first!, 0.5)),
    es2Only: true,
  },
];

function runSampler(t: CaseContext, stage: Stage, test: SamplerCase): void {
  const { gl, random } = t;
  const size = 4;
  const format = t.api === 3 ? sizedFormat('rgba8') : formatNamed(UNSIZED_FORMATS, 'rgba8888');
  const textures = test.samplers.map((_, unit) => {
    gl.glActiveTexture(gl.GL_TEXTURE0 + unit);
    const texture = makeTexture(t, format, { target: '2d', width: size, height: size });
    setSampler(t, '2d', { min: 'nearest', mag: 'nearest', wrapS: 'repeat', wrapT: 'repeat' });
    return texture;
  });
  const cells = Array.from({ length: MOST_RUNS }, () => [random.int(0, size - 1), random.int(0, size - 1)] as const);
  const look = t.api === 3 ? 'texture' : 'texture2D';
  checkExpression(t, {
    stage,
    inputs: [{ type: 'vec2', precision: 'highp' }],
    output: { type: 'vec4', precision: 'highp' },
    head: test.head.replaceAll(LOOK, look),
    code: test.code.replaceAll(LOOK, look),
    values: cells.map(([x, y]) => [[(x + 0.5) / size, (y + 0.5) / size]]),
    expected: cells.map(([x, y]) =>
      test.compute(textures.map(({ reference }) => reference.images[0]![0]!.texel(y * size + x))),
    ),
    tolerance: () => 2 ** -7,
    setUp: (program) => {
      for (const [unit, name] of test.samplers.entries()) {
        const location = gl.glGetUniformLocation(program, name);
        t.check(location !== -1, `there is no uniform ${name}`);
        gl.glUniform1i(location, unit);
      }
      const a = gl.glGetUniformLocation(program, 'u.a');
      if (a !== -1) gl.glUniform1f(a, 0.5);
    },
  });
}

export function* shaderStructCases(api: 2 | 3): Generator<CaseDefinition> {
  const make = (path: string, body: (t: CaseContext) => void) =>
    functionalCase(api, `shaders.struct.${path}`, body, SURFACE);
  for (const stage of STAGES) {
    for (const [group, cases] of [
      ['local', LOCAL_CASES],
      ['uniform', UNIFORM_CASES],
    ] as const)
      for (const test of cases)
        if (api === 3 || !test.es3Only) yield make(`${group}.${test.name}_${stage}`, (t) => run(t, stage, test));
    for (const test of SAMPLER_CASES)
      if (api === 2 || !test.es2Only) yield make(`uniform.${test.name}_${stage}`, (t) => runSampler(t, stage, test));
  }
}
