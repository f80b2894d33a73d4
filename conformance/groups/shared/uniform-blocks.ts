// ubo: blocks of every type, layout and nesting; offsets checked against std140 computed here, contents seen by shaders.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { generate } from '../../harness/framebuffer.ts';
import { linkProgram } from '../../harness/program.ts';
import { componentCount, glslType, PRECISIONS } from '../../reference/glsl-types.ts';
import type { Random } from '../../reference/random.ts';
import { type BlockLeaf, type BlockMember, std140Layout } from '../../reference/std140.ts';
import { checkRendered, isEqualText, type StageChoice } from './uniform-api.ts';

const SURFACE = { width: 8, height: 8, depth: false, stencil: false };
type Layout = 'std140' | 'shared' | 'packed';
const LAYOUTS: readonly Layout[] = ['shared', 'packed', 'std140'];

interface Block {
  readonly name: string;
  readonly layout: Layout;
  readonly isRowMajor?: boolean;
  readonly instance?: string;
  /** Instances; 0: no array. */
  readonly count: number;
  readonly members: readonly BlockMember[];
  readonly stage: StageChoice;
}

/** Struct declarations come before the block that uses them. */
function declareMembers(members: readonly BlockMember[], structs: string[], prefix: string): string {
  return members
    .map((member, index) => {
      const array = member.length > 0 ? `[${member.length}]` : '';
      if (typeof member.type !== 'string') {
        const name = `${prefix}S${index}`;
        structs.push(`struct ${name} {\n${declareMembers(member.type, structs, `${name}_`)}};\n`);
        return `  ${member.isRowMajor === undefined ? '' : `layout(${member.isRowMajor ? 'row' : 'column'}_major) `}${name} ${member.name}${array};\n`;
      }
      const type = glslType(member.type);
      const layout = member.isRowMajor === undefined ? '' : `layout(${member.isRowMajor ? 'row' : 'column'}_major) `;
      const precision = type.base === 'bool' ? '' : `${member.precision ?? 'highp'} `;
      return `  ${layout}${precision}${member.type} ${member.name}${array};\n`;
    })
    .join('');
}

function declareBlock(block: Block): string {
  const structs: string[] = [];
  const body = declareMembers(block.members, structs, block.name);
  const row = block.isRowMajor ? ', row_major' : '';
  const instance = block.instance ? ` ${block.instance}${block.count > 0 ? `[${block.count}]` : ''}` : '';
  return `${structs.join('')}layout(${block.layout}${row}) uniform ${block.name} {\n${body}}${instance};\n`;
}

function randomLeafValues(random: Random, leaf: BlockLeaf): number[] {
  const type = glslType(leaf.type);
  return Array.from({ length: componentCount(type) * Math.max(leaf.length, 1) }, () =>
    type.base === 'bool'
      ? random.int(0, 1)
      : type.base === 'uint'
        ? random.int(0, 9)
        : type.base === 'int'
          ? random.int(-9, 9)
          : random.int(-36, 36) / 4,
  );
}

/** Where the implementation puts a leaf; in std140 it has no choice. */
function askLayout(t: CaseContext, program: number, block: Block, leaf: BlockLeaf): BlockLeaf {
  const { gl } = t;
  const name = `${block.instance ? `${block.name}.` : ''}${leaf.path}${leaf.length > 0 ? '[0]' : ''}`;
  const indices = [0];
  gl.glGetUniformIndices(program, 1, [name], indices);
  t.check(indices[0] !== 0xffffffff && indices[0] !== -1, `${name} is not active`);
  const ask = (pname: number): number => {
    const got = [-7];
    gl.glGetActiveUniformsiv(program, 1, indices, pname, got);
    return got[0]!;
  };
  const found: BlockLeaf = {
    ...leaf,
    offset: ask(gl.GL_UNIFORM_OFFSET),
    arrayStride: Math.max(ask(gl.GL_UNIFORM_ARRAY_STRIDE), 0),
    matrixStride: Math.max(ask(gl.GL_UNIFORM_MATRIX_STRIDE), 0),
  };
  t.equal(ask(gl.GL_UNIFORM_SIZE), Math.max(leaf.length, 1), `size of ${name}`);
  t.equal(ask(gl.GL_UNIFORM_IS_ROW_MAJOR), leaf.isRowMajor ? 1 : 0, `row-majorness of ${name}`);
  if (block.layout === 'std140') {
    t.equal(found.offset, leaf.offset, `std140 offset of ${name}`);
    t.equal(found.arrayStride, leaf.arrayStride, `std140 array stride of ${name}`);
    t.equal(found.matrixStride, leaf.matrixStride, `std140 matrix stride of ${name}`);
  }
  return found;
}

function writeLeaf(view: DataView, start: number, leaf: BlockLeaf, values: readonly number[]): void {
  const type = glslType(leaf.type);
  const size = componentCount(type);
  for (let element = 0; element < Math.max(leaf.length, 1); element++)
    for (let column = 0; column < type.columns; column++)
      for (let row = 0; row < type.rows; row++) {
        const value = values[element * size + column * type.rows + row]!;
        const within = !type.isMatrix
          ? row * 4
          : leaf.isRowMajor
            ? row * leaf.matrixStride + column * 4
            : column * leaf.matrixStride + row * 4;
        const at = start + leaf.offset + element * leaf.arrayStride + within;
        if (type.base === 'float') view.setFloat32(at, value, true);
        else if (type.base === 'uint' || type.base === 'bool') view.setUint32(at, value, true);
        else view.setInt32(at, value, true);
      }
}

function elementTests(block: Block, instance: number, leaf: BlockLeaf, values: readonly number[]): string[] {
  const type = glslType(leaf.type);
  const size = componentCount(type);
  const base = block.instance ? `${block.instance}${block.count > 0 ? `[${instance}]` : ''}.` : '';
  return Array.from({ length: Math.max(leaf.length, 1) }, (_, i) =>
    isEqualText(`${base}${leaf.path}${leaf.length > 0 ? `[${i}]` : ''}`, type, values.slice(i * size, (i + 1) * size)),
  );
}

function runBlocks(t: CaseContext, blocks: readonly Block[], isOneBuffer: boolean): void {
  const { gl, random } = t;
  const tests: Record<'vertex' | 'fragment', string[]> = { vertex: [], fragment: [] };
  const contents = blocks.map((block) => {
    const { leaves, size } = std140Layout(block.members, block.isRowMajor);
    return {
      block,
      size,
      instances: Array.from({ length: Math.max(block.count, 1) }, (_, instance) => ({
        instance,
        leaves: leaves.map((leaf) => ({ leaf, values: randomLeafValues(random, leaf) })),
      })),
    };
  });
  for (const { block, instances } of contents)
    for (const { instance, leaves } of instances)
      for (const { leaf, values } of leaves)
        for (const stage of ['vertex', 'fragment'] as const)
          if (block.stage === 'both' || block.stage === stage)
            tests[stage].push(...elementTests(block, instance, leaf, values));
  const head = '#version 300 es\nprecision highp float;\nprecision highp int;\n';
  const declare = (stage: string) =>
    blocks
      .filter((block) => block.stage === 'both' || block.stage === stage)
      .map(declareBlock)
      .join('');
  const body = (stage: 'vertex' | 'fragment') => tests[stage].map((test) => `  if (!(${test})) ok = 0.0;\n`).join('');
  const vertex = `${head}in highp vec4 a_position;\nout highp float v_ok;\n${declare('vertex')}void main() {\n  float ok = 1.0;\n${body('vertex')}  v_ok = ok;\n  gl_Position = a_position;\n}\n`;
  const fragment = `${head}in highp float v_ok;\nlayout(location = 0) out vec4 o_color;\n${declare('fragment')}void main() {\n  float ok = v_ok > 0.5 ? 1.0 : 0.0;\n${body('fragment')}  o_color = vec4(ok, 0.0, 1.0, 1.0);\n}\n`;
  const program = linkProgram(t, vertex, fragment, (name) => gl.glBindAttribLocation(name, 0, 'a_position'));
  gl.glUseProgram(program);
  const alignment = [0];
  gl.glGetIntegerv(gl.GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, alignment);
  let binding = 0;
  const chunks: { binding: number; bytes: Uint8Array }[] = [];
  for (const { block, size, instances } of contents)
    for (const { instance, leaves } of instances) {
      const name = block.count > 0 ? `${block.name}[${instance}]` : block.name;
      const index = gl.glGetUniformBlockIndex(program, name);
      t.check(index !== 0xffffffff, `no block ${name}`);
      const dataSize = [0];
      gl.glGetActiveUniformBlockiv(program, index, gl.GL_UNIFORM_BLOCK_DATA_SIZE, dataSize);
      if (block.layout === 'std140')
        t.check(
          dataSize[0]! >= size - 15 && dataSize[0]! <= size,
          `${name} has ${dataSize[0]} bytes, expected ${size}`,
        );
      const bytes = new Uint8Array(dataSize[0]!);
      for (let at = 0; at < bytes.length; at++) bytes[at] = random.int(0, 255);
      for (const { leaf, values } of leaves)
        writeLeaf(new DataView(bytes.buffer), 0, askLayout(t, program, block, leaf), values);
      gl.glUniformBlockBinding(program, index, binding);
      chunks.push({ binding: binding++, bytes });
    }
  t.noError('asking for the layout');
  bindChunks(t, chunks, isOneBuffer, alignment[0]!);
  checkRendered(t);
}

function bindChunks(
  t: CaseContext,
  chunks: readonly { binding: number; bytes: Uint8Array }[],
  isOneBuffer: boolean,
  alignment: number,
): void {
  const { gl } = t;
  if (!isOneBuffer) {
    for (const { binding, bytes } of chunks) {
      const buffer = generate(gl.glGenBuffers);
      gl.glBindBuffer(gl.GL_UNIFORM_BUFFER, buffer);
      gl.glBufferData(gl.GL_UNIFORM_BUFFER, bytes.length, bytes, gl.GL_STATIC_DRAW);
      gl.glBindBufferBase(gl.GL_UNIFORM_BUFFER, binding, buffer);
    }
    return;
  }
  const offsets: number[] = [];
  let total = 0;
  for (const { bytes } of chunks) {
    offsets.push(total);
    total = Math.ceil((total + bytes.length) / alignment) * alignment;
  }
  const all = new Uint8Array(total);
  for (const [i, { bytes }] of chunks.entries()) all.set(bytes, offsets[i]!);
  const buffer = generate(gl.glGenBuffers);
  gl.glBindBuffer(gl.GL_UNIFORM_BUFFER, buffer);
  gl.glBufferData(gl.GL_UNIFORM_BUFFER, total, all, gl.GL_STATIC_DRAW);
  for (const [i, { binding, bytes }] of chunks.entries())
    gl.glBindBufferRange(gl.GL_UNIFORM_BUFFER, binding, buffer, offsets[i]!, bytes.length);
}

const BASIC = [
  'float',
  'vec2',
  'vec3',
  'vec4',
  'int',
  'ivec2',
  'ivec3',
  'ivec4',
  'uint',
  'uvec2',
  'uvec3',
  'uvec4',
  'bool',
  'bvec2',
  'bvec3',
  'bvec4',
  'mat2',
  'mat3',
  'mat4',
  'mat2x3',
  'mat2x4',
  'mat3x2',
  'mat3x4',
  'mat4x2',
  'mat4x3',
];

/** Stages by layout: members of packed blocks may be laid out per stage, so those are used in one only. */
function stagesOf(layout: Layout): readonly StageChoice[] {
  return layout === 'packed' ? ['vertex', 'fragment'] : ['vertex', 'fragment', 'both'];
}

function one(layout: Layout, stage: StageChoice, members: readonly BlockMember[], more: Partial<Block> = {}): Block {
  return { name: 'Block', layout, count: 0, members, stage, ...more };
}

function* singleCases(): Generator<CaseDefinition> {
  for (const layout of LAYOUTS)
    for (const stage of stagesOf(layout)) {
      const make = (path: string, block: Block) =>
        functionalCase(3, `ubo.${path}_${stage}`, (t) => runBlocks(t, [block], false), SURFACE);
      for (const type of BASIC) {
        const isMatrix = glslType(type).isMatrix;
        const precisions = glslType(type).base === 'bool' ? [''] : PRECISIONS;
        for (const precision of precisions) {
          const prefix = precision === '' ? '' : `${precision}_`;
          const member: BlockMember = { name: 'value', type, length: 0, precision };
          yield make(`single_basic_type.${layout}.${prefix}${type}`, one(layout, stage, [member]));
          if (isMatrix)
            for (const isRowMajor of [false, true])
              yield make(
                `single_basic_type.${layout}.${isRowMajor ? 'row' : 'column'}_major_${prefix}${type}`,
                one(layout, stage, [{ ...member, isRowMajor }]),
              );
        }
        for (const order of isMatrix ? ['', 'row_major_', 'column_major_'] : ['']) {
          const row = order === '' ? {} : { isRowMajor: order === 'row_major_' };
          yield make(
            `single_basic_array.${layout}.${order}${type}`,
            one(layout, stage, [{ name: 'value', type, length: 3, ...row }]),
          );
          yield make(
            `instance_array_basic_type.${layout}.${order}${type}`,
            one(layout, stage, [{ name: 'value', type, length: 0, ...row }], { instance: 'block', count: 3 }),
          );
        }
      }
    }
}

const STRUCT: readonly BlockMember[] = [
  { name: 'a', type: 'mat3', length: 0 },
  { name: 'b', type: 'uvec2', length: 3 },
  { name: 'c', type: 'float', length: 0 },
];
const NESTED: readonly BlockMember[] = [
  { name: 'x', type: 'ivec3', length: 0 },
  { name: 'inner', type: STRUCT, length: 0 },
  { name: 'y', type: 'bvec2', length: 2 },
];
const STRUCT_GROUPS: Readonly<Record<string, readonly BlockMember[]>> = {
  single_struct: [{ name: 's', type: STRUCT, length: 0 }],
  single_struct_array: [
    { name: 'u', type: 'uint', length: 0 },
    { name: 's', type: STRUCT, length: 3 },
    { name: 'v', type: 'vec4', length: 0 },
  ],
  single_nested_struct: [
    { name: 's', type: STRUCT, length: 0 },
    { name: 'v', type: 'vec2', length: 0 },
    { name: 't', type: NESTED, length: 0 },
  ],
  single_nested_struct_array: [
    { name: 's', type: STRUCT, length: 0 },
    { name: 'v', type: 'vec2', length: 2 },
    { name: 't', type: NESTED, length: 2 },
  ],
};

function* structCases(): Generator<CaseDefinition> {
  for (const [group, members] of Object.entries(STRUCT_GROUPS))
    for (const isOneBuffer of [false, true])
      for (const layout of LAYOUTS)
        for (const isInstanceArray of [false, true]) {
          if (isOneBuffer && !isInstanceArray) continue;
          for (const stage of stagesOf(layout)) {
            const block = one(layout, stage, members, isInstanceArray ? { instance: 'block', count: 2 } : {});
            const name = `ubo.${group}.${isOneBuffer ? 'single' : 'per_block'}_buffer.${layout}${isInstanceArray ? '_instance_array' : ''}_${stage}`;
            yield functionalCase(3, name, (t) => runBlocks(t, [block], isOneBuffer), SURFACE);
          }
        }
  yield* multiCases();
}

function* multiCases(): Generator<CaseDefinition> {
  const sets: Readonly<Record<string, readonly (readonly BlockMember[])[]>> = {
    multi_basic_types: [
      [
        { name: 'a', type: 'mat3', length: 0 },
        { name: 'b', type: 'uvec2', length: 0 },
        { name: 'c', type: 'float', length: 0 },
        { name: 'd', type: 'bool', length: 0 },
      ],
      [
        { name: 'e', type: 'mat4', length: 0 },
        { name: 'f', type: 'ivec3', length: 0 },
        { name: 'g', type: 'int', length: 0 },
        { name: 'h', type: 'vec3', length: 0 },
      ],
    ],
    multi_nested_struct: [
      [
        { name: 's', type: STRUCT, length: 0 },
        { name: 'v', type: 'bool', length: 0 },
      ],
      [
        { name: 'w', type: 'vec3', length: 0 },
        { name: 't', type: NESTED, length: 0 },
      ],
    ],
  };
  for (const [group, [first, second]] of Object.entries(sets))
    for (const isOneBuffer of [false, true])
      for (const layout of LAYOUTS)
        for (const isInstanceArray of [false, true])
          for (const stage of [...stagesOf(layout), 'mixed' as const]) {
            const stages: [StageChoice, StageChoice] = stage === 'mixed' ? ['vertex', 'fragment'] : [stage, stage];
            const blocks: Block[] = [
              one(layout, stages[0], first!, {
                name: 'BlockA',
                ...(isInstanceArray ? { instance: 'blockA', count: 3 } : {}),
              }),
              one(layout, stages[1], second!, { name: 'BlockB', instance: 'blockB' }),
            ];
            const name = `ubo.${group}.${isOneBuffer ? 'single' : 'per_block'}_buffer.${layout}${isInstanceArray ? '_instance_array' : ''}_${stage}`;
            yield functionalCase(3, name, (t) => runBlocks(t, blocks, isOneBuffer), SURFACE);
          }
}

interface RandomFeatures {
  readonly types: readonly string[];
  readonly hasArrays?: boolean;
  readonly hasStructs?: boolean;
  readonly hasInstanceArrays?: boolean;
}

function randomMembers(random: Random, features: RandomFeatures, depth: number, prefix: string): BlockMember[] {
  return Array.from({ length: random.int(1, 4) }, (_, index) => {
    const length = features.hasArrays && random.bool(0.4) ? random.int(1, 3) : 0;
    const name = `${prefix}${index}`;
    if (features.hasStructs && depth < 2 && random.bool(0.35))
      return { name, type: randomMembers(random, features, depth + 1, `${name}_`), length };
    const type = random.pick(features.types);
    // Qualifiers of struct members are not allowed (GLSL ES 3.00 §4.3.8.3): only those of the block's own.
    const row = glslType(type).isMatrix && depth === 0 && random.bool(0.6) ? { isRowMajor: random.bool() } : {};
    return { name, type, length, precision: random.pick(PRECISIONS), ...row };
  });
}

const SCALARS = ['float', 'int', 'uint', 'bool'];
const RANDOM_GROUPS: Readonly<Record<string, { count: number; features: RandomFeatures; isOneBuffer?: boolean }>> = {
  scalar_types: { count: 25, features: { types: SCALARS } },
  vector_types: { count: 25, features: { types: BASIC.filter((type) => !type.startsWith('mat')) } },
  basic_types: { count: 25, features: { types: BASIC } },
  basic_arrays: { count: 25, features: { types: BASIC, hasArrays: true } },
  basic_instance_arrays: { count: 25, features: { types: BASIC, hasInstanceArrays: true } },
  nested_structs: { count: 25, features: { types: BASIC, hasStructs: true } },
  nested_structs_arrays: { count: 25, features: { types: BASIC, hasStructs: true, hasArrays: true } },
  nested_structs_instance_arrays: { count: 25, features: { types: BASIC, hasStructs: true, hasInstanceArrays: true } },
  nested_structs_arrays_instance_arrays: {
    count: 25,
    features: { types: BASIC, hasStructs: true, hasArrays: true, hasInstanceArrays: true },
  },
  all_per_block_buffers: {
    count: 50,
    features: { types: BASIC, hasStructs: true, hasArrays: true, hasInstanceArrays: true },
  },
  all_shared_buffer: {
    count: 50,
    features: { types: BASIC, hasStructs: true, hasArrays: true, hasInstanceArrays: true },
    isOneBuffer: true,
  },
};

function* randomCases(): Generator<CaseDefinition> {
  for (const [group, { count, features, isOneBuffer = false }] of Object.entries(RANDOM_GROUPS))
    for (let index = 0; index < count; index++)
      yield functionalCase(
        3,
        `ubo.random.${group}.${index}`,
        (t) => {
          const { random } = t;
          const blocks = Array.from({ length: random.int(1, 3) }, (_, at): Block => {
            const layout = random.pick(LAYOUTS);
            const instances = features.hasInstanceArrays && random.bool(0.5) ? random.int(1, 3) : 0;
            const instance = instances > 0 || random.bool() ? { instance: `block${at}` } : {};
            return {
              name: `Block${at}`,
              layout,
              count: instances,
              members: randomMembers(random, features, 0, `m${at}_`),
              stage: random.pick(stagesOf(layout)),
              isRowMajor: random.bool(0.3),
              ...instance,
            };
          });
          runBlocks(t, blocks, isOneBuffer);
        },
        SURFACE,
      );
}

export function* uniformBlockCases(api: 2 | 3): Generator<CaseDefinition> {
  if (api === 2) return;
  yield* singleCases();
  yield* structCases();
  yield* randomCases();
}
