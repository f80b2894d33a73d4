// uniform_api: names, sizes and types of active uniforms; initial and assigned values, asked for and seen by shaders.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { drawFullQuad } from '../../harness/draw.ts';
import { linkProgram } from '../../harness/program.ts';
import { componentCount, type GlslType, glslType } from '../../reference/glsl-types.ts';

const SURFACE = { width: 8, height: 8, depth: false, stencil: false };

/** A uniform that has a location of its own: a basic type or an array of one. */
interface Leaf {
  readonly path: string;
  readonly type: string;
  /** 0: no array. */
  readonly length: number;
}

interface UniformSet {
  /** Struct types and uniform declarations. */
  readonly declarations: string;
  readonly leaves: readonly Leaf[];
}

type Shape = 'basic' | 'basic_array' | 'basic_struct' | 'array_in_struct' | 'struct_in_array' | 'nested_structs_arrays';

/** Declares one uniform `u_varN` of a shape over one or two types. */
function declareShape(shape: Shape, types: readonly string[], index: number): UniformSet {
  const name = `u_var${index}`;
  const [a, b] = [types[0]!, types[1] ?? types[0]!];
  const precision = (type: string) => (type.startsWith('b') ? '' : type.startsWith('sampler') ? 'mediump ' : 'highp ');
  const member = (type: string, rest: string) => `${precision(type)}${type} ${rest};`;
  switch (shape) {
    case 'basic':
      return { declarations: `uniform ${member(a, name)}\n`, leaves: [{ path: name, type: a, length: 0 }] };
    case 'basic_array':
      return { declarations: `uniform ${member(a, `${name}[3]`)}\n`, leaves: [{ path: name, type: a, length: 3 }] };
    case 'basic_struct':
      return {
        declarations: `struct S${index} { ${member(a, 'm0')} ${member(b, 'm1')} };\nuniform S${index} ${name};\n`,
        leaves: [
          { path: `${name}.m0`, type: a, length: 0 },
          { path: `${name}.m1`, type: b, length: 0 },
        ],
      };
    case 'array_in_struct':
      return {
        declarations: `struct S${index} { ${member(a, 'm0')} ${member(b, 'm1[3]')} };\nuniform S${index} ${name};\n`,
        leaves: [
          { path: `${name}.m0`, type: a, length: 0 },
          { path: `${name}.m1`, type: b, length: 3 },
        ],
      };
    case 'struct_in_array':
      return {
        declarations: `struct S${index} { ${member(a, 'm0')} ${member(b, 'm1')} };\nuniform S${index} ${name}[2];\n`,
        leaves: [0, 1].flatMap((i) => [
          { path: `${name}[${i}].m0`, type: a, length: 0 },
          { path: `${name}[${i}].m1`, type: b, length: 0 },
        ]),
      };
    case 'nested_structs_arrays':
      return {
        declarations: `struct I${index} { ${member(a, 'm0')} ${member(b, 'm1[2]')} };\nstruct S${index} { I${index} inner[2]; ${member(a, 'last')} };\nuniform S${index} ${name}[2];\n`,
        leaves: [0, 1].flatMap((i) => [
          ...[0, 1].flatMap((j) => [
            { path: `${name}[${i}].inner[${j}].m0`, type: a, length: 0 },
            { path: `${name}[${i}].inner[${j}].m1`, type: b, length: 2 },
          ]),
          { path: `${name}[${i}].last`, type: a, length: 0 },
        ]),
      };
  }
}

function isSampler(type: string): boolean {
  return type.startsWith('sampler');
}

/** Components of one element; samplers hold a unit. */
function sizeOf(type: string): number {
  return isSampler(type) ? 1 : componentCount(glslType(type));
}

type Values = ReadonlyMap<string, readonly number[]>;

function randomValues(t: CaseContext, leaves: readonly Leaf[]): Map<string, number[]> {
  const { random } = t;
  const values = new Map<string, number[]>();
  for (const { path, type, length } of leaves) {
    const count = Math.max(length, 1) * sizeOf(type);
    values.set(
      path,
      Array.from({ length: count }, () => {
        if (isSampler(type)) return random.int(0, 3) + (type === 'samplerCube' ? 4 : 0);
        const { base } = glslType(type);
        if (base === 'bool') return random.int(0, 1);
        if (base === 'float') return random.int(-40, 40) / 4;
        return base === 'uint' ? random.int(0, 20) : random.int(-20, 20);
      }),
    );
  }
  return values;
}

function zeroValues(leaves: readonly Leaf[]): Map<string, number[]> {
  return new Map(
    leaves.map(({ path, type, length }) => [path, new Array<number>(Math.max(length, 1) * sizeOf(type)).fill(0)]),
  );
}

/** An expression that is true when an element has a value. */
export function isEqualText(expression: string, type: GlslType, value: readonly number[]): string {
  if (type.isMatrix)
    return Array.from({ length: type.columns }, (_, column) =>
      isEqualText(
        `${expression}[${column}]`,
        glslType(`vec${type.rows}`),
        value.slice(column * type.rows, (column + 1) * type.rows),
      ),
    ).join(' && ');
  const literals = value.map((one) =>
    type.base === 'float'
      ? one.toFixed(2)
      : type.base === 'uint'
        ? `${one}u`
        : type.base === 'bool'
          ? one
            ? 'true'
            : 'false'
          : `${one}`,
  );
  const constant = `${type.name}(${literals.join(', ')})`;
  if (type.base !== 'float') return `${expression} == ${constant}`;
  if (type.rows === 1) return `abs(${expression} - ${constant}) < 0.01`;
  return `all(lessThan(abs(${expression} - ${constant}), vec${type.rows}(0.01)))`;
}

function comparisons(leaves: readonly Leaf[], values: Values): string[] {
  return leaves.flatMap(({ path, type, length }) => {
    // A sampler's value is not to be seen; looking through it keeps it active.
    const elements = Array.from({ length: Math.max(length, 1) }, (_, i) => (length > 0 ? `${path}[${i}]` : path));
    if (isSampler(type))
      return elements.map(
        (element) =>
          `${type === 'sampler2D' ? `SAMPLE2D(${element}, vec2(0.5))` : `SAMPLECUBE(${element}, vec3(1.0))`}.x < 9.0`,
      );
    const glsl = glslType(type);
    const size = sizeOf(type);
    return elements.map((element, i) => isEqualText(element, glsl, values.get(path)!.slice(i * size, (i + 1) * size)));
  });
}

export type StageChoice = 'vertex' | 'fragment' | 'both';

/** Samplers beyond the units of a stage, or of both, make no program (ES 2.0.25 §2.10.4): there is nothing to test then. */
function requireSamplers(t: CaseContext, used: readonly Leaf[], stage: StageChoice): void {
  const count = used.reduce((sum, { type, length }) => sum + (isSampler(type) ? Math.max(length, 1) : 0), 0);
  const { gl } = t;
  const limit = (name: number): number => {
    const value = [0];
    gl.glGetIntegerv(name, value);
    return value[0]!;
  };
  const most = {
    vertex: limit(gl.GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS),
    fragment: limit(gl.GL_MAX_TEXTURE_IMAGE_UNITS),
    both: Math.floor(limit(gl.GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS) / 2),
  };
  const least = stage === 'both' ? Math.min(most.vertex, most.fragment, most.both) : most[stage];
  if (count > least) t.skip(`${count} samplers in ${stage}, at most ${least}`);
}

function buildUniformProgram(
  t: CaseContext,
  set: UniformSet,
  used: readonly Leaf[],
  values: Values,
  stage: StageChoice,
): number {
  requireSamplers(t, used, stage);
  const isEs3 = t.api === 3;
  const version = isEs3 ? '#version 300 es\n' : '#version 100\n';
  const samplers = isEs3
    ? '#define SAMPLE2D texture\n#define SAMPLECUBE texture\n'
    : '#define SAMPLE2D texture2D\n#define SAMPLECUBE textureCube\n';
  const head = `${version}${samplers}precision highp float;\nprecision highp int;\n`;
  const tests = comparisons(used, values)
    .map((text) => `  if (!(${text})) ok = 0.0;\n`)
    .join('');
  const inVertex = stage !== 'fragment';
  const inFragment = stage !== 'vertex';
  const vertex = `${head}${isEs3 ? 'in' : 'attribute'} highp vec4 a_position;\n${isEs3 ? 'out' : 'varying'} highp float v_ok;\n${inVertex ? set.declarations : ''}void main() {\n  float ok = 1.0;\n${inVertex ? tests : ''}  v_ok = ok;\n  gl_Position = a_position;\n}\n`;
  const output = isEs3 ? 'layout(location = 0) out vec4 o_color;\n' : '#define o_color gl_FragColor\n';
  const fragment = `${head}${isEs3 ? 'in' : 'varying'} highp float v_ok;\n${output}${inFragment ? set.declarations : ''}void main() {\n  float ok = v_ok > 0.5 ? 1.0 : 0.0;\n${inFragment ? tests : ''}  o_color = vec4(ok, 0.0, 1.0, 1.0);\n}\n`;
  const program = linkProgram(t, vertex, fragment, (name) => t.gl.glBindAttribLocation(name, 0, 'a_position'));
  t.gl.glUseProgram(program);
  return program;
}

interface AssignOptions {
  readonly how: 'pointer' | 'value';
  readonly boolApi?: 'float' | 'int' | 'uint';
  readonly isRowMajor?: boolean;
  readonly withoutBrackets?: boolean;
}

type UniformCall = (...args: unknown[]) => void;

function assignElements(
  t: CaseContext,
  program: number,
  leaf: Leaf,
  values: readonly number[],
  options: AssignOptions,
  first = 0,
): void {
  const gl = t.gl as unknown as Record<string, UniformCall>;
  const { path, type, length } = leaf;
  const size = sizeOf(type);
  const count = values.length / size;
  const locate = (element: number) => {
    const name = length > 0 && !(options.withoutBrackets && element === 0) ? `${path}[${element}]` : path;
    const location = t.gl.glGetUniformLocation(program, name);
    t.check(location >= 0, `${name} has no location`);
    return location;
  };
  if (isSampler(type)) {
    if (options.how === 'pointer') gl['glUniform1iv']!(locate(first), count, Int32Array.from(values));
    else for (let i = 0; i < count; i++) gl['glUniform1i']!(locate(first + i), values[i]);
    return;
  }
  const glsl = glslType(type);
  if (glsl.isMatrix) {
    const { columns, rows } = glsl;
    const suffix = columns === rows ? `${columns}` : `${columns}x${rows}`;
    const data = Float32Array.from(values);
    if (options.isRowMajor)
      for (let i = 0; i < count; i++)
        for (let c = 0; c < columns; c++)
          for (let r = 0; r < rows; r++) data[i * size + r * columns + c] = values[i * size + c * rows + r]!;
    gl[`glUniformMatrix${suffix}fv`]!(locate(first), count, options.isRowMajor ?? false, data);
    return;
  }
  const kind = glsl.base === 'bool' ? (options.boolApi ?? 'int') : glsl.base;
  const letter = { float: 'f', int: 'i', uint: 'ui' }[kind as 'float' | 'int' | 'uint'];
  // Any number but zero makes a bool true.
  const sent =
    glsl.base === 'bool'
      ? values.map((value) =>
          value === 0 ? 0 : t.random.pick(kind === 'float' ? [1, 0.5, -3] : kind === 'int' ? [1, -7] : [1, 9]),
        )
      : values;
  if (options.how === 'pointer') {
    const Typed = { float: Float32Array, int: Int32Array, uint: Uint32Array }[kind as 'float' | 'int' | 'uint'];
    gl[`glUniform${size}${letter}v`]!(locate(first), count, Typed.from(sent));
  } else
    for (let i = 0; i < count; i++)
      gl[`glUniform${size}${letter}`]!(locate(first + i), ...sent.slice(i * size, (i + 1) * size));
}

function checkValues(
  t: CaseContext,
  program: number,
  leaves: readonly Leaf[],
  values: Values,
  withoutBrackets = false,
): void {
  const { gl } = t;
  for (const { path, type, length } of leaves) {
    const size = sizeOf(type);
    for (let i = 0; i < Math.max(length, 1); i++) {
      const name = length > 0 && !(withoutBrackets && i === 0) ? `${path}[${i}]` : path;
      const location = gl.glGetUniformLocation(program, name);
      t.check(location >= 0, `${name} has no location`);
      const want = values.get(path)!.slice(i * size, (i + 1) * size);
      const base = isSampler(type) ? 'int' : glslType(type).base;
      if (base === 'float') {
        const got = new Float32Array(size);
        gl.glGetUniformfv(program, location, got);
        t.near(got, want, 0, name);
      } else if (base === 'uint') {
        const got = new Uint32Array(size);
        gl.glGetUniformuiv(program, location, got);
        t.near(got, want, 0, name);
      } else {
        const got = new Int32Array(size);
        gl.glGetUniformiv(program, location, got);
        t.near(base === 'bool' ? got.map((value) => (value === 0 ? 0 : 1)) : got, want, 0, name);
      }
    }
  }
  t.noError('glGetUniform');
}

/** The quad is magenta where every comparison in the shaders held, blue where one did not. */
export function checkRendered(t: CaseContext): void {
  const { gl, width, height } = t;
  gl.glClearColor(0, 1, 0, 1);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  drawFullQuad(t);
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at += 4) data.set([255, 0, 255, 255], at);
  t.comparePicture(t.readPixels(), { width, height, data });
}

interface ValueTest {
  readonly sets: readonly { readonly shape: Shape; readonly types: readonly string[] }[];
  readonly stage: StageChoice;
  readonly check: 'get_uniform' | 'render';
  readonly assign: AssignOptions | 'none';
  readonly range?: 'full' | 'partial';
  readonly hasUnused?: boolean;
}

function uniformSet(sets: ValueTest['sets']): UniformSet {
  const parts = sets.map(({ shape, types }, index) => declareShape(shape, types, index));
  return {
    declarations: parts.map(({ declarations }) => declarations).join(''),
    leaves: parts.flatMap(({ leaves }) => leaves),
  };
}

function runValue(t: CaseContext, test: ValueTest): void {
  const set = uniformSet(test.sets);
  const used = test.hasUnused ? set.leaves.filter((_, index) => index % 2 === 0) : set.leaves;
  const final = test.assign === 'none' ? zeroValues(set.leaves) : randomValues(t, set.leaves);
  if (test.range === 'partial')
    for (const { path, type, length } of used)
      if (length > 1) for (let i = 0; i < sizeOf(type); i++) final.get(path)![i] = 0;
  const program = buildUniformProgram(t, set, used, final, test.stage);
  if (test.assign !== 'none')
    for (const leaf of used) {
      const all = final.get(leaf.path)!;
      if (test.range === 'partial' && leaf.length > 1)
        assignElements(t, program, leaf, all.slice(sizeOf(leaf.type)), test.assign, 1);
      else assignElements(t, program, leaf, all, test.assign);
    }
  t.noError('assigning');
  if (test.check === 'get_uniform')
    checkValues(t, program, used, final, test.assign !== 'none' && test.assign.withoutBrackets);
  else checkRendered(t);
  // Unused ones have no location; assigning to location -1 is ignored.
  if (test.hasUnused) {
    checkRendered(t);
    t.gl.glUniform1f(-1, 3);
    t.noError('assigning to location -1');
  }
}

const ENUMS: Readonly<Record<string, number>> = {
  float: 0x1406,
  vec2: 0x8b50,
  vec3: 0x8b51,
  vec4: 0x8b52,
  int: 0x1404,
  ivec2: 0x8b53,
  ivec3: 0x8b54,
  ivec4: 0x8b55,
  uint: 0x1405,
  uvec2: 0x8dc6,
  uvec3: 0x8dc7,
  uvec4: 0x8dc8,
  bool: 0x8b56,
  bvec2: 0x8b57,
  bvec3: 0x8b58,
  bvec4: 0x8b59,
  mat2: 0x8b5a,
  mat3: 0x8b5b,
  mat4: 0x8b5c,
  mat2x3: 0x8b65,
  mat2x4: 0x8b66,
  mat3x2: 0x8b67,
  mat3x4: 0x8b68,
  mat4x2: 0x8b69,
  mat4x3: 0x8b6a,
  sampler2D: 0x8b5e,
  samplerCube: 0x8b60,
};

function runInfo(
  t: CaseContext,
  sets: ValueTest['sets'],
  stage: StageChoice,
  method: 'active' | 'indices' | 'consistency',
  hasUnused: boolean,
): void {
  const { gl } = t;
  const set = uniformSet(sets);
  const used = hasUnused ? set.leaves.filter((_, index) => index % 2 === 0) : set.leaves;
  const program = buildUniformProgram(t, set, used, zeroValues(set.leaves), stage);
  const count = [0];
  gl.glGetProgramiv(program, gl.GL_ACTIVE_UNIFORMS, count);
  const longest = [0];
  gl.glGetProgramiv(program, gl.GL_ACTIVE_UNIFORM_MAX_LENGTH, longest);
  const found = new Map<string, { size: number; type: number; index: number }>();
  for (let index = 0; index < count[0]!; index++) {
    const [length, size, type] = [[0], [0], [0]];
    const name = gl.glGetActiveUniform(program, index, 256, length, size, type);
    t.equal(length[0]!, name.length, `length of ${name}`);
    t.check(name.length + 1 <= longest[0]!, `${name} is longer than GL_ACTIVE_UNIFORM_MAX_LENGTH ${longest[0]}`);
    found.set(name, { size: size[0]!, type: type[0]!, index });
  }
  for (const { path, type, length } of used) {
    const name = length > 0 ? `${path}[0]` : path;
    const one = found.get(name);
    t.check(one !== undefined, `${name} is not active; there are ${[...found.keys()].join(', ')}`);
    if (one === undefined) return;
    t.equal(one.size, Math.max(length, 1), `size of ${name}`);
    t.equal(one.type, ENUMS[type]!, `type of ${name}`);
    if (method === 'active') continue;
    const indices = [0];
    gl.glGetUniformIndices(program, 1, [name], indices);
    t.equal(indices[0]!, one.index, `index of ${name}`);
    for (const [pname, want] of [
      [gl.GL_UNIFORM_TYPE, one.type],
      [gl.GL_UNIFORM_SIZE, one.size],
      [gl.GL_UNIFORM_NAME_LENGTH, name.length + 1],
      [gl.GL_UNIFORM_BLOCK_INDEX, -1],
      [gl.GL_UNIFORM_OFFSET, -1],
      [gl.GL_UNIFORM_IS_ROW_MAJOR, 0],
    ] as const) {
      const got = [7];
      gl.glGetActiveUniformsiv(program, 1, [one.index], pname, got);
      t.equal(got[0]!, want, `0x${pname.toString(16)} of ${name}`);
    }
  }
  // Unused members may count as active: the linker need not find out (ES 3.0.6 §2.12.6).
  t.noError('asking');
}

const VECTORS = ['float', 'vec2', 'vec3', 'vec4', 'int', 'ivec2', 'ivec3', 'ivec4', 'bool', 'bvec2', 'bvec3', 'bvec4'];
const MATRICES_ES3 = ['mat2x3', 'mat2x4', 'mat3x2', 'mat3x4', 'mat4x2', 'mat4x3'];

function basicTypes(api: 2 | 3): string[] {
  const common = [...VECTORS, 'mat2', 'mat3', 'mat4'];
  return api === 2 ? common : [...common, ...MATRICES_ES3, 'uint', 'uvec2', 'uvec3', 'uvec4'];
}

function arrayTypes(api: 2 | 3): string[] {
  const common = ['float', 'vec4', 'mat4', 'int', 'ivec4', 'bool', 'bvec4'];
  return api === 2 ? common : [...common, 'uint', 'uvec4'];
}

function pairs(api: 2 | 3): string[][] {
  const common = [
    ['float', 'vec4'],
    ['int', 'ivec4'],
    ['bool', 'bvec4'],
    ['mat4', 'mat2'],
  ];
  return api === 2 ? common : [...common, ['uint', 'uvec4']];
}

export const STAGE_CHOICES: readonly StageChoice[] = ['vertex', 'fragment', 'both'];
const STRUCT_SHAPES = ['basic_struct', 'array_in_struct', 'struct_in_array', 'nested_structs_arrays'] as const;
const MULTIPLE = {
  multiple_basic: [
    { shape: 'basic', types: ['float'] },
    { shape: 'basic', types: ['ivec3'] },
    { shape: 'basic', types: ['mat3'] },
    { shape: 'basic', types: ['bool'] },
  ],
  multiple_basic_array: [
    { shape: 'basic_array', types: ['float'] },
    { shape: 'basic_array', types: ['ivec3'] },
    { shape: 'basic_array', types: ['bvec2'] },
  ],
  multiple_nested_structs_arrays: [
    { shape: 'nested_structs_arrays', types: ['float', 'vec3'] },
    { shape: 'nested_structs_arrays', types: ['ivec2', 'bool'] },
  ],
} as const satisfies Record<string, ValueTest['sets']>;

function hasMatrix(types: readonly string[]): boolean {
  return types.some((type) => type.startsWith('mat'));
}

function* valueCases(api: 2 | 3): Generator<CaseDefinition> {
  const make = (path: string, test: ValueTest) =>
    functionalCase(api, `uniform_api.value.${path}`, (t) => runValue(t, test), SURFACE);
  const boolApis = api === 3 ? (['float', 'int', 'uint'] as const) : (['float', 'int'] as const);
  for (const stage of STAGE_CHOICES)
    for (const source of ['initial', 'assigned.by_pointer', 'assigned.by_value'] as const)
      for (const check of ['get_uniform', 'render'] as const) {
        const base = `${source}.${check}`;
        const how = source === 'assigned.by_value' ? 'value' : 'pointer';
        const assign = (more: Partial<AssignOptions> = {}): ValueTest['assign'] =>
          source === 'initial' ? 'none' : { how, ...more };
        for (const [shape, types] of [
          ['basic', basicTypes(api)],
          ['basic_array', arrayTypes(api)],
          ['basic_array_first_elem_without_brackets', arrayTypes(api)],
        ] as const) {
          const withoutBrackets = shape === 'basic_array_first_elem_without_brackets';
          if (withoutBrackets && (source === 'initial' || check === 'render')) continue;
          const real: Shape = withoutBrackets ? 'basic_array' : shape;
          for (const type of types) {
            if (how === 'value' && type.startsWith('mat')) continue;
            const sets = [{ shape: real, types: [type] }];
            if (check === 'get_uniform' && type.startsWith('b'))
              for (const boolApi of boolApis)
                yield make(`${base}.${shape}.${type}_api_${boolApi}_${stage}`, {
                  sets,
                  stage,
                  check,
                  assign: assign({ boolApi, withoutBrackets }),
                });
            else
              yield make(`${base}.${shape}.${type}_${stage}`, {
                sets,
                stage,
                check,
                assign: assign({ withoutBrackets }),
              });
            if (api === 3 && type.startsWith('mat') && source === 'assigned.by_pointer')
              yield make(`${base}.${shape}.${type}_row_major_${stage}`, {
                sets,
                stage,
                check,
                assign: assign({ isRowMajor: true, withoutBrackets }),
              });
          }
        }
        for (const shape of STRUCT_SHAPES)
          for (const types of pairs(api)) {
            if (how === 'value' && hasMatrix(types)) continue;
            yield make(`${base}.${shape}.${types.join('_')}_${stage}`, {
              sets: [{ shape, types }],
              stage,
              check,
              assign: assign(),
            });
          }
        for (const [name, sets] of Object.entries(MULTIPLE)) {
          if (how === 'value' && name === 'multiple_basic') continue;
          yield make(`${base}.${name}.${stage}`, { sets, stage, check, assign: assign() });
        }
      }
  for (const stage of STAGE_CHOICES)
    for (const range of ['full', 'partial'] as const) {
      const base = `assigned.basic_array_assign_${range}`;
      const more = { stage, check: 'render', assign: { how: 'pointer' }, range } as const;
      for (const type of arrayTypes(api))
        yield make(`${base}.basic_array.${type}_${stage}`, {
          sets: [{ shape: 'basic_array', types: [type] }],
          ...more,
        });
      for (const types of pairs(api))
        yield make(`${base}.array_in_struct.${types.join('_')}_${stage}`, {
          sets: [{ shape: 'array_in_struct', types }],
          ...more,
        });
      yield make(`${base}.multiple_basic_array.${stage}`, { sets: MULTIPLE.multiple_basic_array, ...more });
    }
  for (const stage of STAGE_CHOICES)
    for (const types of pairs(api))
      yield make(`assigned.unused_uniforms.${types.join('_')}_${stage}`, {
        sets: [{ shape: 'array_in_struct', types }],
        stage,
        check: 'render',
        assign: { how: 'pointer' },
        hasUnused: true,
      });
}

function* infoCases(api: 2 | 3): Generator<CaseDefinition> {
  const methods =
    api === 2
      ? ([['', 'active']] as const)
      : ([
          ['active_uniform.', 'active'],
          ['indices_active_uniformsiv.', 'indices'],
          ['consistency.', 'consistency'],
        ] as const);
  for (const stage of STAGE_CHOICES)
    for (const [prefix, method] of methods) {
      const make = (path: string, sets: ValueTest['sets'], hasUnused = false) =>
        functionalCase(
          api,
          `uniform_api.info_query.${prefix}${path}`,
          (t) => runInfo(t, sets, stage, method, hasUnused),
          SURFACE,
        );
      for (const type of [...basicTypes(api), 'sampler2D', 'samplerCube'])
        yield make(`basic.${type}_${stage}`, [{ shape: 'basic', types: [type] }]);
      for (const type of [...arrayTypes(api), 'sampler2D'])
        yield make(`basic_array.${type}_${stage}`, [{ shape: 'basic_array', types: [type] }]);
      for (const types of [...pairs(api), ['sampler2D', 'samplerCube']]) {
        for (const shape of STRUCT_SHAPES) yield make(`${shape}.${types.join('_')}_${stage}`, [{ shape, types }]);
        yield make(`unused_uniforms.${types.join('_')}_${stage}`, [{ shape: 'array_in_struct', types }], true);
      }
      for (const [name, sets] of Object.entries(MULTIPLE)) yield make(`${name}.${stage}`, sets);
    }
}

/**
 * More elements than an array has from the first one on: those beyond its end are ignored (ES 3.0.6 §2.12.6), and the uniforms beside it
 * stay as they were.
 */
function runBeyondEnd(t: CaseContext, type: string, stage: StageChoice): void {
  const set = uniformSet([
    { shape: 'basic', types: ['vec4'] },
    { shape: 'basic_array', types: [type] },
    { shape: 'basic_array', types: [type] },
    { shape: 'array_in_struct', types: ['vec4', type] },
    { shape: 'basic', types: ['ivec2'] },
  ]);
  const final = randomValues(t, set.leaves);
  const program = buildUniformProgram(t, set, set.leaves, final, stage);
  for (const leaf of set.leaves) assignElements(t, program, leaf, final.get(leaf.path)!, { how: 'pointer' });
  const size = sizeOf(type);
  for (const leaf of set.leaves)
    for (let first = 0; first < leaf.length; first++) {
      const excess = randomValues(t, [{ ...leaf, length: first + 1 + t.random.int(0, 2) }]).get(leaf.path)!;
      const values = [...final.get(leaf.path)!.slice(first * size), ...excess];
      assignElements(t, program, leaf, values, { how: 'pointer' }, first);
      t.noError(`assigning ${values.length / size} elements from ${leaf.path}[${first}] on`);
    }
  checkValues(t, program, set.leaves, final);
  checkRendered(t);
}

function* beyondEndCases(api: 2 | 3): Generator<CaseDefinition> {
  for (const type of [...basicTypes(api), 'sampler2D'])
    for (const stage of STAGE_CHOICES)
      yield functionalCase(
        api,
        `uniform_api.value.assigned.beyond_end.${type}_${stage}`,
        (t) => runBeyondEnd(t, type, stage),
        SURFACE,
      );
}

const RANDOM_SHAPES: readonly Shape[] = ['basic', 'basic_array', ...STRUCT_SHAPES];

export function* uniformApiCases(api: 2 | 3): Generator<CaseDefinition> {
  yield* valueCases(api);
  yield* infoCases(api);
  yield* beyondEndCases(api);
  for (let index = 0; index < 100; index++) {
    // The one name that the lists of GLES 3 leave out.
    if (api === 3 && index === 23) continue;
    yield functionalCase(
      api,
      `uniform_api.random.${index}`,
      (t) => {
        const { random } = t;
        const sets = Array.from({ length: random.int(1, 4) }, () => ({
          shape: random.pick(RANDOM_SHAPES),
          types: [random.pick(basicTypes(api)), random.pick(basicTypes(api))],
        }));
        runValue(t, {
          sets,
          stage: random.pick(STAGE_CHOICES),
          check: random.pick(['get_uniform', 'render']),
          assign: random.bool(0.8) ? { how: 'pointer' } : 'none',
        });
      },
      SURFACE,
    );
  }
}
