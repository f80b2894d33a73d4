// transform_feedback: what vertex shaders write is captured by primitive, in order, into one buffer or several.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { makeBuffer } from '../../harness/draw.ts';
import { generate } from '../../harness/framebuffer.ts';
import { linkProgram } from '../../harness/program.ts';
import { componentCount, glslType, PRECISIONS } from '../../reference/glsl-types.ts';

const SURFACE = { width: 8, height: 8, depth: false, stencil: false };
const GUARD = 0xcdcdcdcd;

type Primitive = 'points' | 'lines' | 'triangles';
type BufferMode = 'interleaved' | 'separate';

interface Varying {
  readonly name: string;
  readonly type: string;
  readonly precision: string;
  readonly qualifier?: string;
  /** 0: no array. */
  readonly length: number;
  /** Elements of an array that are captured one by one; absent: all of it. */
  readonly elements?: readonly number[];
}

interface FeedbackScene {
  readonly varyings: readonly Varying[];
  readonly primitive: Primitive;
  readonly mode: BufferMode;
  readonly hasPointSize?: boolean;
  readonly hasPosition?: boolean;
}

const VERTICES = 12;

/** The value that vertex v gives component c of the i-th varying: small, exact in all types and precisions. */
function capturedValue(varying: number, element: number, component: number, vertex: number): number {
  return ((varying * 7 + element * 5 + component * 3 + vertex * 2) % 13) + 1;
}

/** An expression of `k` (the vertex number as a float) that gives those values. */
function valueText(type: string, varying: number, element: number): string {
  const glsl = glslType(type);
  const components = Array.from({ length: componentCount(glsl) }, (_, component) => {
    const value = `(mod(float(${varying * 7 + element * 5 + component * 3}) + a_index * 2.0, 13.0) + 1.0)`;
    return glsl.base === 'float' ? value : `${glsl.base}(floor(${value} + 0.5))`;
  });
  return `${type}(${components.join(', ')})`;
}

interface Captured {
  readonly name: string;
  readonly base: 'float' | 'int' | 'uint' | 'bool';
  /** The numbers of one vertex. */
  readonly values: (vertex: number) => number[];
}

function capturedOf(scene: FeedbackScene): Captured[] {
  const captured = scene.varyings.flatMap(({ name, type, length, elements }, varying): Captured[] => {
    const { base } = glslType(type);
    const count = componentCount(glslType(type));
    const element = (at: number, vertex: number) =>
      Array.from({ length: count }, (_, component) => capturedValue(varying, at, component, vertex));
    if (length === 0) return [{ name, base, values: (vertex) => element(0, vertex) }];
    if (elements)
      return elements.map((at) => ({ name: `${name}[${at}]`, base, values: (vertex) => element(at, vertex) }));
    return [{ name, base, values: (vertex) => Array.from({ length }, (_, at) => element(at, vertex)).flat() }];
  });
  if (scene.hasPosition)
    captured.unshift({ name: 'gl_Position', base: 'float', values: (vertex) => [vertex / 16 - 0.5, 0.25, 0, 1] });
  if (scene.hasPointSize)
    captured.push({ name: 'gl_PointSize', base: 'float', values: (vertex) => [1 + (vertex % 3)] });
  return captured;
}

function declaration({ name, type, precision, qualifier = '', length }: Varying, direction: string): string {
  const flat = glslType(type).base === 'float' ? qualifier : 'flat';
  return `${flat} ${direction} ${precision} ${type} ${name}${length > 0 ? `[${length}]` : ''};\n`;
}

function buildFeedback(t: CaseContext, scene: FeedbackScene, captured: readonly Captured[]): number {
  const { gl } = t;
  const writes = scene.varyings
    .map(({ name, type, length }, varying) =>
      Array.from(
        { length: Math.max(length, 1) },
        (_, element) => `  ${name}${length > 0 ? `[${element}]` : ''} = ${valueText(type, varying, element)};\n`,
      ).join(''),
    )
    .join('');
  const head = '#version 300 es\nprecision highp float;\nprecision highp int;\n';
  const vertex = `${head}in highp float a_index;\n${scene.varyings.map((varying) => declaration(varying, 'out')).join('')}void main() {\n${writes}  gl_Position = vec4(a_index / 16.0 - 0.5, 0.25, 0.0, 1.0);\n  gl_PointSize = 1.0 + mod(a_index, 3.0);\n}\n`;
  const fragment = `${head}${scene.varyings.map((varying) => declaration(varying, 'in')).join('')}layout(location = 0) out vec4 o_color;\nvoid main() { o_color = vec4(1.0); }\n`;
  return linkProgram(t, vertex, fragment, (program) => {
    gl.glBindAttribLocation(program, 0, 'a_index');
    gl.glTransformFeedbackVaryings(
      program,
      captured.length,
      captured.map(({ name }) => name),
      scene.mode === 'interleaved' ? gl.GL_INTERLEAVED_ATTRIBS : gl.GL_SEPARATE_ATTRIBS,
    );
  });
}

function runFeedback(t: CaseContext, scene: FeedbackScene): void {
  const { gl } = t;
  const captured = capturedOf(scene);
  const sizes = captured.map(({ values }) => values(0).length);
  const limits = { separate: [0], components: [0], interleaved: [0] };
  gl.glGetIntegerv(gl.GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, limits.separate);
  gl.glGetIntegerv(gl.GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS, limits.components);
  gl.glGetIntegerv(gl.GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, limits.interleaved);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (scene.mode === 'separate' && captured.length > limits.separate[0]!) t.skip('more buffers than there are');
  if (scene.mode === 'separate' && sizes.some((size) => size > limits.components[0]!))
    t.skip('more components than a separate buffer takes');
  if (scene.mode === 'interleaved' && total > limits.interleaved[0]!)
    t.skip('more components than an interleaved buffer takes');
  const program = buildFeedback(t, scene, captured);
  gl.glUseProgram(program);
  checkVaryingInfo(t, program, captured);
  makeBuffer(
    t,
    gl.GL_ARRAY_BUFFER,
    Float32Array.from({ length: VERTICES }, (_, k) => k),
  );
  gl.glEnableVertexAttribArray(0);
  gl.glVertexAttribPointer(0, 1, gl.GL_FLOAT, false, 0, 0);
  // Two draws into the same buffers, the second after a pause: captures go on where they were.
  const draws: readonly [number, number][] = [
    [0, 6],
    [3, 8],
  ];
  const per = { points: 1, lines: 2, triangles: 3 }[scene.primitive];
  const order = draws.flatMap(([first, count]) =>
    Array.from({ length: Math.floor(count / per) * per }, (_, i) => first + i),
  );
  const strides = scene.mode === 'interleaved' ? [total] : sizes;
  const buffers = strides.map((stride, index) => {
    const buffer = generate(gl.glGenBuffers);
    gl.glBindBuffer(gl.GL_TRANSFORM_FEEDBACK_BUFFER, buffer);
    const words = new Uint32Array(order.length * stride + 4).fill(GUARD);
    gl.glBufferData(gl.GL_TRANSFORM_FEEDBACK_BUFFER, words.byteLength, words, gl.GL_DYNAMIC_READ);
    gl.glBindBufferBase(gl.GL_TRANSFORM_FEEDBACK_BUFFER, index, buffer);
    return buffer;
  });
  const query = generate(gl.glGenQueries);
  gl.glBeginQuery(gl.GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
  const mode = { points: gl.GL_POINTS, lines: gl.GL_LINES, triangles: gl.GL_TRIANGLES }[scene.primitive];
  gl.glBeginTransformFeedback(mode);
  gl.glDrawArrays(mode, ...draws[0]!);
  gl.glPauseTransformFeedback();
  gl.glDrawArrays(mode, 0, 6);
  gl.glResumeTransformFeedback();
  gl.glDrawArrays(mode, ...draws[1]!);
  gl.glEndTransformFeedback();
  gl.glEndQuery(gl.GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
  t.noError('capturing');
  const written = [0];
  gl.glGetQueryObjectuiv(query, gl.GL_QUERY_RESULT, written);
  t.equal(written[0]!, order.length / per, 'primitives written');
  checkBuffers(t, scene, captured, buffers, strides, order);
}

function checkVaryingInfo(t: CaseContext, program: number, captured: readonly Captured[]): void {
  const { gl } = t;
  const count = [0];
  gl.glGetProgramiv(program, gl.GL_TRANSFORM_FEEDBACK_VARYINGS, count);
  t.equal(count[0]!, captured.length, 'GL_TRANSFORM_FEEDBACK_VARYINGS');
  for (const [index, { name }] of captured.entries())
    t.equal(gl.glGetTransformFeedbackVarying(program, index, 64, [0], [0], [0]), name, `varying ${index}`);
}

function checkBuffers(
  t: CaseContext,
  scene: FeedbackScene,
  captured: readonly Captured[],
  buffers: readonly number[],
  strides: readonly number[],
  order: readonly number[],
): void {
  const { gl } = t;
  t.pictureComparisons++;
  const views = buffers.map((buffer, index) => {
    const bytes = (order.length * strides[index]! + 4) * 4;
    gl.glBindBuffer(gl.GL_COPY_READ_BUFFER, buffer);
    const mapped = gl.glMapBufferRange(gl.GL_COPY_READ_BUFFER, 0, bytes, gl.GL_MAP_READ_BIT);
    if (!mapped) t.fail('the captured buffer cannot be mapped');
    const copy = new Uint8Array(bytes);
    copy.set(mapped as Uint8Array);
    gl.glUnmapBuffer(gl.GL_COPY_READ_BUFFER);
    return new DataView(copy.buffer);
  });
  let within = 0;
  for (const [index, { name, base, values }] of captured.entries()) {
    const at = scene.mode === 'interleaved' ? 0 : index;
    const start = scene.mode === 'interleaved' ? within : 0;
    const size = values(0).length;
    for (const [slot, vertex] of order.entries())
      for (const [component, want] of values(vertex).entries()) {
        const offset = (slot * strides[at]! + start + component) * 4;
        const got = base === 'float' ? views[at]!.getFloat32(offset, true) : views[at]!.getInt32(offset, true);
        t.check(
          Math.abs(got - want) <= (base === 'float' ? 1e-5 : 0),
          () => `${name} of vertex ${vertex}, component ${component}: got ${got}, expected ${want}`,
        );
      }
    within += size;
  }
  for (const [index, view] of views.entries())
    for (let word = 0; word < 4; word++)
      t.equal(
        view.getUint32((order.length * strides[index]! + word) * 4, true),
        GUARD,
        `what lies behind buffer ${index}`,
      );
}

const TYPES = [
  'float',
  'vec2',
  'vec3',
  'vec4',
  'mat2',
  'mat2x3',
  'mat2x4',
  'mat3x2',
  'mat3',
  'mat3x4',
  'mat4x2',
  'mat4x3',
  'mat4',
  'int',
  'ivec2',
  'ivec3',
  'ivec4',
  'uint',
  'uvec2',
  'uvec3',
  'uvec4',
];
const MODES: readonly BufferMode[] = ['separate', 'interleaved'];
const PRIMITIVES: readonly Primitive[] = ['points', 'lines', 'triangles'];

export function* transformFeedbackCases(api: 2 | 3): Generator<CaseDefinition> {
  if (api === 2) return;
  for (const mode of MODES)
    for (const primitive of PRIMITIVES) {
      const make = (path: string, scene: Omit<FeedbackScene, 'mode' | 'primitive'>) =>
        functionalCase(3, `transform_feedback.${path}`, (t) => runFeedback(t, { mode, primitive, ...scene }), SURFACE);
      for (const precision of PRECISIONS)
        for (const type of TYPES) {
          const name = `${mode}.${primitive}.${precision}_${type}`;
          yield make(`basic_types.${name}`, {
            varyings: [
              { name: 'v_a', type, precision, length: 0 },
              { name: 'v_b', type, precision, length: 0 },
            ],
          });
          yield make(`array.${name}`, {
            varyings: [
              { name: 'v_a', type, precision, length: 1 },
              { name: 'v_b', type, precision, length: type.startsWith('mat') ? 1 : 2 },
            ],
          });
          yield make(`array_element.${name}`, {
            varyings: [
              {
                name: 'v_a',
                type,
                precision,
                length: type.startsWith('mat') ? 2 : 3,
                elements: type.startsWith('mat') ? [1] : [2, 0],
              },
            ],
          });
        }
      for (const precision of PRECISIONS)
        for (const qualifier of ['smooth', 'flat', 'centroid'])
          yield make(`interpolation.${qualifier}.${precision}_vec4_${primitive}_${mode}`, {
            varyings: [{ name: 'v_a', type: 'vec4', precision, qualifier, length: 0 }],
          });
      yield make(`position.${primitive}_${mode}`, { varyings: [], hasPosition: true });
      yield make(`point_size.${primitive}_${mode}`, { varyings: [], hasPointSize: true });
      for (const group of ['random', 'random_full_array_capture'])
        for (let index = 1; index <= 10; index++)
          yield functionalCase(
            3,
            `transform_feedback.${group}.${mode}.${primitive}.${index}`,
            (t) => {
              const { random } = t;
              const varyings = Array.from({ length: random.int(1, 4) }, (_, at): Varying => {
                const isArray = random.bool(0.4);
                const length = isArray ? random.int(1, 3) : 0;
                const elements = isArray && group === 'random' ? { elements: [random.int(0, length - 1)] } : {};
                const type = random.pick(isArray ? TYPES.filter((one) => !one.startsWith('mat')) : TYPES);
                return { name: `v_${at}`, type, precision: random.pick(PRECISIONS), length, ...elements };
              });
              runFeedback(t, {
                varyings,
                primitive,
                mode,
                hasPosition: random.bool(0.3),
                hasPointSize: random.bool(0.3),
              });
            },
            SURFACE,
          );
    }
}
