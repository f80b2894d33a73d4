// draw, instanced and primitive_restart: what draw calls make of vertices, indices and instances.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { makeBuffer } from '../../harness/draw.ts';
import { buildProgram } from '../../harness/program.ts';
import { type PrimitiveMode, ReferencePicture, type ShadedVertex } from '../../reference/raster.ts';
import { modeValue } from './rasterization.ts';

const SURFACE = { width: 48, height: 48 };
const CLEAR = [0, 0, 0, 1] as const;
const TOLERANCE = 3;
const LINE_WIDTH = 5;
const POINT_SIZE = 7;

const MODES: readonly PrimitiveMode[] = [
  'points',
  'triangles',
  'triangle_fan',
  'triangle_strip',
  'lines',
  'line_strip',
  'line_loop',
];
export type IndexType = 'byte' | 'short' | 'int';
type DrawFunction =
  | 'draw_arrays'
  | 'draw_arrays_instanced'
  | 'draw_elements'
  | 'draw_elements_instanced'
  | 'draw_range_elements';
type AttributeKind = 'single_attribute' | 'multiple_attributes' | 'default_attribute' | 'instanced_attributes';

interface DrawScene {
  readonly call: DrawFunction;
  readonly mode: PrimitiveMode;
  readonly attributes: AttributeKind;
  readonly first?: number;
  readonly indexType?: IndexType;
  readonly storage?: 'buffer' | 'user_ptr' | 'unaligned_user_ptr';
  readonly instances?: number;
  /** Indices instead of a random order; 'restart' stands for the restart index. */
  readonly indices?: readonly (number | 'restart')[];
  readonly vertexCount?: number;
}

const INDEX_ARRAYS = { byte: Uint8Array, short: Uint16Array, int: Uint32Array } as const;
const RESTART = { byte: 0xff, short: 0xffff, int: 0xffffffff } as const;

/** Positions of a wide strip over the picture, so that primitives of all modes are large enough to judge. */
function randomCorners(t: CaseContext, count: number): ShadedVertex[] {
  const { random, width, height } = t;
  return Array.from({ length: count }, () => ({
    x: random.int(32, (width - 8) * 4) / 4,
    y: random.int(32, (height - 8) * 4) / 4,
    color: [random.float(), random.float(), random.float(), 1],
  }));
}

function runDraw(t: CaseContext, scene: DrawScene): void {
  const { gl, random, width, height } = t;
  const { first = 0, attributes, mode, instances = 1 } = scene;
  const count = scene.vertexCount ?? (mode === 'points' ? 5 : 6);
  const vertices = randomCorners(t, count + first);
  const isIndexed = scene.call.includes('elements');
  const indices =
    scene.indices ??
    (isIndexed
      ? Array.from({ length: count }, () => random.int(0, count - 1))
      : vertices.slice(first).map((_, at) => at + first));
  const constant = [random.float(), random.float(), random.float(), 1] as const;
  const offsets = Array.from({ length: instances }, () => [random.int(-4, 4), random.int(-4, 4)] as const);
  const isInstanced = attributes === 'instanced_attributes';
  buildProgram(t, {
    attributes: { a_position: 'highp vec2', a_color: 'highp vec4', a_offset: 'highp vec2' },
    varyings: { v_color: 'highp vec4' },
    vertexHead: 'uniform highp vec2 u_scale;',
    vertex: `gl_Position = vec4((a_position + a_offset) * u_scale - 1.0, 0.0, 1.0);
      v_color = ${attributes === 'single_attribute' ? 'vec4(fract(a_position * 0.125), 0.5, 1.0) + a_color * 0.0' : 'a_color'};
      gl_PointSize = ${POINT_SIZE.toFixed(1)};`,
    fragment: 'o_color = v_color;',
  });
  const program = [0];
  gl.glGetIntegerv(gl.GL_CURRENT_PROGRAM, program);
  gl.glUniform2f(gl.glGetUniformLocation(program[0]!, 'u_scale'), 2 / width, 2 / height);
  gl.glClearColor(...CLEAR);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  gl.glLineWidth(LINE_WIDTH);
  makeBuffer(t, gl.GL_ARRAY_BUFFER, Float32Array.from(vertices.flatMap(({ x, y }) => [x, y])));
  gl.glEnableVertexAttribArray(0);
  gl.glVertexAttribPointer(0, 2, gl.GL_FLOAT, false, 0, 0);
  if (attributes === 'default_attribute') gl.glVertexAttrib4f(1, ...constant);
  else {
    makeBuffer(t, gl.GL_ARRAY_BUFFER, Float32Array.from(vertices.flatMap(({ color }) => [...color])));
    gl.glEnableVertexAttribArray(1);
    gl.glVertexAttribPointer(1, 4, gl.GL_FLOAT, false, 0, 0);
  }
  if (isInstanced) {
    makeBuffer(t, gl.GL_ARRAY_BUFFER, Float32Array.from(offsets.flat()));
    gl.glEnableVertexAttribArray(2);
    gl.glVertexAttribPointer(2, 2, gl.GL_FLOAT, false, 0, 0);
    gl.glVertexAttribDivisor(2, 1);
  }
  issueDraw(t, scene, indices, first, count, vertices.length - 1, instances);
  const reference = new ReferencePicture(width, height, CLEAR);
  for (let instance = 0; instance < instances; instance++) {
    const [dx, dy] = isInstanced ? offsets[instance]! : [0, 0];
    const shaded = vertices.map(
      ({ x, y, color }): ShadedVertex => ({
        x: x + dx,
        y: y + dy,
        color:
          attributes === 'default_attribute'
            ? constant
            : attributes === 'single_attribute'
              ? [(x / 8) % 1, (y / 8) % 1, 0.5, 1]
              : color,
      }),
    );
    for (const segment of splitAtRestarts(indices))
      reference.draw(mode, shaded, segment, { lineWidth: LINE_WIDTH, pointSize: POINT_SIZE });
  }
  const judged = reference.open.reduce((sum, open) => sum + (open ? 0 : 1), 0);
  t.check(judged > (width * height) / 3, 'too much of the picture is open');
  t.comparePicture(t.readPixels(), reference.picture(), { tolerance: TOLERANCE, ignore: reference.open });
}

function splitAtRestarts(indices: readonly (number | 'restart')[]): number[][] {
  const segments: number[][] = [[]];
  for (const index of indices) index === 'restart' ? segments.push([]) : segments.at(-1)!.push(index);
  return segments;
}

function issueDraw(
  t: CaseContext,
  scene: DrawScene,
  indices: readonly (number | 'restart')[],
  first: number,
  count: number,
  last: number,
  instances: number,
): void {
  const { gl } = t;
  const mode = modeValue(t, scene.mode);
  if (scene.call === 'draw_arrays') return gl.glDrawArrays(mode, first, count);
  if (scene.call === 'draw_arrays_instanced') return gl.glDrawArraysInstanced(mode, first, count, instances);
  const { indexType = 'short', storage = 'buffer' } = scene;
  const type = { byte: gl.GL_UNSIGNED_BYTE, short: gl.GL_UNSIGNED_SHORT, int: gl.GL_UNSIGNED_INT }[indexType];
  const raw = INDEX_ARRAYS[indexType].from(indices.map((index) => (index === 'restart' ? RESTART[indexType] : index)));
  let pointer: Uint8Array | number = 0;
  const bytes = new Uint8Array(raw.buffer);
  if (storage === 'buffer') makeBuffer(t, gl.GL_ELEMENT_ARRAY_BUFFER, raw);
  else {
    const shift = storage === 'unaligned_user_ptr' ? 1 : 0;
    const memory = new Uint8Array(bytes.length + shift);
    memory.set(bytes, shift);
    pointer = memory.subarray(shift);
  }
  if (scene.call === 'draw_elements') gl.glDrawElements(mode, indices.length, type, pointer);
  else if (scene.call === 'draw_range_elements') gl.glDrawRangeElements(mode, 0, last, indices.length, type, pointer);
  else gl.glDrawElementsInstanced(mode, indices.length, type, pointer, instances);
}

function* attributeCases(api: 2 | 3): Generator<CaseDefinition> {
  const calls: readonly DrawFunction[] =
    api === 2
      ? ['draw_arrays', 'draw_elements']
      : ['draw_arrays', 'draw_arrays_instanced', 'draw_elements', 'draw_elements_instanced', 'draw_range_elements'];
  const kinds: readonly AttributeKind[] =
    api === 2
      ? ['single_attribute', 'multiple_attributes', 'default_attribute']
      : ['single_attribute', 'multiple_attributes', 'default_attribute', 'instanced_attributes'];
  const make = (name: string, scene: DrawScene) =>
    functionalCase(api, `draw.${name}`, (t) => runDraw(t, scene), SURFACE);
  for (const call of calls) {
    const instances = call.includes('instanced') ? 3 : 1;
    for (const mode of MODES)
      for (const attributes of kinds)
        yield make(`${call}.${mode}.${attributes}`, { call, mode, attributes, instances });
    const base = {
      call,
      mode: 'triangles',
      attributes: api === 3 && instances > 1 ? 'instanced_attributes' : 'multiple_attributes',
      instances,
    } as const;
    if (call.startsWith('draw_arrays'))
      for (const first of api === 2 ? [0, 1, 17] : [1, 3, 17])
        yield make(`${call}.first.first_${first}`, { ...base, first });
    else
      for (const storage of ['buffer', 'user_ptr', 'unaligned_user_ptr'] as const)
        for (const indexType of ['byte', 'short', 'int'] as const) {
          if (indexType === 'int' && api === 2) continue;
          if (indexType === 'byte' && storage === 'unaligned_user_ptr') continue;
          // Which of these stand in the lists is a matter of taste of the lists.
          if (call === 'draw_elements_instanced' && storage === 'buffer' && indexType === 'byte') continue;
          if (call === 'draw_range_elements') continue;
          yield make(`${call}.indices.${storage}.index_${indexType}`, { ...base, indexType, storage });
        }
  }
}

/** Numbers of the random cases in the lists; the ones missing draw nothing that can be judged in dEQP. */
const RANDOM_ES2 = [
  0, 1, 2, 3, 6, 8, 9, 10, 12, 14, 16, 17, 18, 20, 21, 25, 26, 28, 30, 31, 32, 33, 34, 36, 37, 38, 39, 40, 41, 42, 43,
  44, 45, 46, 47, 48, 49, 50, 51, 52, 56, 58, 59, 61, 62, 63, 65, 67, 69, 70, 71,
];
const RANDOM_ES3 = [
  0, 2, 5, 7, 9, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 23, 25, 27, 29, 30, 31, 32, 33, 36, 37, 38, 39, 40, 41, 42, 43,
  44, 45, 48, 49, 50, 51, 52, 55, 56, 57, 58, 60, 61, 63, 68, 69, 70, 71, 72, 73, 74, 77, 78, 80, 81, 82, 83, 84, 85,
  86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 101, 103, 104, 105, 106, 107, 108, 109,
];

function runRandomDraw(t: CaseContext): void {
  const { random, api } = t;
  const calls: readonly DrawFunction[] =
    api === 2
      ? ['draw_arrays', 'draw_elements']
      : ['draw_arrays', 'draw_arrays_instanced', 'draw_elements', 'draw_elements_instanced', 'draw_range_elements'];
  const call = random.pick(calls);
  runDraw(t, {
    call,
    mode: random.pick(MODES),
    attributes: random.pick(
      api === 2
        ? ['single_attribute', 'multiple_attributes', 'default_attribute']
        : ['single_attribute', 'multiple_attributes', 'instanced_attributes'],
    ),
    instances: call.includes('instanced') ? random.int(1, 4) : 1,
    first: call.startsWith('draw_arrays') ? random.int(0, 9) : 0,
    indexType: random.pick(api === 2 ? ['byte', 'short'] : ['byte', 'short', 'int']),
    storage: random.pick(['buffer', 'user_ptr']),
    vertexCount: random.int(3, 9),
  });
}

/** Grids of small quads, one an instance. */
function runInstancedGrid(t: CaseContext, isIndexed: boolean, grid: number): void {
  const { gl } = t;
  buildProgram(t, {
    attributes: { a_position: 'highp vec2', a_cell: 'highp vec2', a_color: 'highp vec4' },
    varyings: { v_color: 'highp vec4' },
    vertex: `gl_Position = vec4((a_position + a_cell) * ${(2 / grid).toFixed(8)} - 1.0, 0.0, 1.0); v_color = a_color;`,
    fragment: 'o_color = v_color;',
  });
  const cells: number[] = [];
  const colors: number[] = [];
  for (let j = 0; j < grid; j++)
    for (let i = 0; i < grid; i++) {
      cells.push(i, j);
      colors.push(i / grid, j / grid, (i + j) % 2, 1);
    }
  const set = (location: number, size: number, data: number[], divisor: number) => {
    makeBuffer(t, gl.GL_ARRAY_BUFFER, Float32Array.from(data));
    gl.glEnableVertexAttribArray(location);
    gl.glVertexAttribPointer(location, size, gl.GL_FLOAT, false, 0, 0);
    gl.glVertexAttribDivisor(location, divisor);
  };
  set(0, 2, isIndexed ? [0, 0, 1, 0, 0, 1, 1, 1] : [0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1], 0);
  set(1, 2, cells, 1);
  set(2, 4, colors, 1);
  if (isIndexed) {
    makeBuffer(t, gl.GL_ELEMENT_ARRAY_BUFFER, new Uint16Array([0, 1, 2, 2, 1, 3]));
    gl.glDrawElementsInstanced(gl.GL_TRIANGLES, 6, gl.GL_UNSIGNED_SHORT, 0, grid * grid);
  } else gl.glDrawArraysInstanced(gl.GL_TRIANGLES, 0, 6, grid * grid);
  const reference = new ReferencePicture(t.width, t.height, CLEAR);
  for (let y = 0; y < t.height; y++)
    for (let x = 0; x < t.width; x++) {
      const [fx, fy] = [((x + 0.5) * grid) / t.width, ((y + 0.5) * grid) / t.height];
      const [i, j] = [Math.floor(fx), Math.floor(fy)];
      const pixel = y * t.width + x;
      // A centre on the line between two cells may belong to either.
      if (Math.min(fx - i, i + 1 - fx, fy - j, j + 1 - fy) < (grid / t.width) * 0.04) reference.open[pixel] = 1;
      reference.color.set([i / grid, j / grid, (i + j) % 2, 1], pixel * 4);
    }
  t.comparePicture(t.readPixels(), reference.picture(), { tolerance: 1, ignore: reference.open });
}

export function* drawCases(api: 2 | 3): Generator<CaseDefinition> {
  yield* attributeCases(api);
  for (const index of api === 2 ? RANDOM_ES2 : RANDOM_ES3)
    yield functionalCase(api, `draw.random.${index}`, runRandomDraw, SURFACE);
  if (api === 2) return;
  for (const call of ['draw_arrays', 'draw_elements'])
    for (const grid of [2, 5, 10, 32, 100])
      yield functionalCase(
        api,
        `draw.instancing.${call}_instanced_grid_${grid}x${grid}`,
        (t) => runInstancedGrid(t, call === 'draw_elements', grid),
        { width: 100, height: 100 },
      );
  yield* primitiveRestartCases();
}

function* primitiveRestartCases(): Generator<CaseDefinition> {
  const variants = [
    'basic',
    'begin_restart',
    'end_restart',
    'duplicate_restarts',
    'begin_restart_end_restart',
    'begin_restart_duplicate_restarts',
    'end_restart_duplicate_restarts',
    'begin_restart_end_restart_duplicate_restarts',
  ];
  for (const variant of variants)
    for (const mode of MODES)
      for (const indexType of ['byte', 'short', 'int'] as const)
        for (const call of ['draw_elements', 'draw_elements_instanced', 'draw_range_elements'] as const)
          yield functionalCase(
            3,
            `primitive_restart.${variant}.${mode}.unsigned_${indexType}.${call}`,
            (t) => runRestart(t, { call, mode, attributes: 'multiple_attributes', indexType }, variant),
            SURFACE,
          );
}

function runRestart(t: CaseContext, scene: DrawScene, variant: string): void {
  const { gl, random } = t;
  gl.glEnable(gl.GL_PRIMITIVE_RESTART_FIXED_INDEX);
  const indices: (number | 'restart')[] = [];
  const restart = (): void => {
    indices.push('restart');
    if (variant.includes('duplicate')) for (let more = random.int(1, 3); more > 0; more--) indices.push('restart');
  };
  if (variant.includes('begin')) restart();
  const segments = 3;
  for (let segment = 0; segment < segments; segment++) {
    if (segment > 0) restart();
    // Lengths that leave primitives incomplete too: those must be dropped at a restart.
    for (let length = random.int(1, 5); length > 0; length--) indices.push(random.int(0, 8));
  }
  if (variant.includes('end')) restart();
  const instances = scene.call === 'draw_elements_instanced' ? 2 : 1;
  // One segment that is sure to be seen.
  indices.unshift(0, 1, 2, 3, 'restart');
  runDraw(t, { ...scene, indices, vertexCount: 9, instances });
}
