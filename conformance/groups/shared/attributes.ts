// attribute_location, default_vertex_attrib, instanced and vertex_array_objects: where vertex inputs come from.

import { type CaseContext, type CaseDefinition, functionalCase } from '../../case.ts';
import { drawFullQuad, makeBuffer } from '../../harness/draw.ts';
import { generate } from '../../harness/framebuffer.ts';
import { linkProgram } from '../../harness/program.ts';
import { componentCount, type GlslType, glslType, vectorName } from '../../reference/glsl-types.ts';

const SURFACE = { width: 16, height: 16, depth: false, stencil: false };

const TYPES_ES2 = ['float', 'vec2', 'vec3', 'vec4', 'mat2', 'mat3', 'mat4'];
const TYPES_ES3 = [
  ...TYPES_ES2,
  'int',
  'ivec2',
  'ivec3',
  'ivec4',
  'uint',
  'uvec2',
  'uvec3',
  'uvec4',
  'mat2x2',
  'mat2x3',
  'mat2x4',
  'mat3x2',
  'mat3x3',
  'mat3x4',
  'mat4x2',
  'mat4x3',
  'mat4x4',
];

interface Texts {
  readonly attribute: string;
  readonly head: string;
  readonly varyingOut: string;
  readonly fragment: string;
}

function texts(api: 2 | 3): Texts {
  const precision = 'precision highp float;\n';
  if (api === 2)
    return {
      attribute: 'attribute',
      head: '',
      varyingOut: 'varying',
      fragment: `${precision}varying vec4 v_color;\nvoid main() { gl_FragColor = v_color; }`,
    };
  return {
    attribute: 'in',
    head: '#version 300 es\n',
    varyingOut: 'out',
    fragment: `#version 300 es\n${precision}in vec4 v_color;\nlayout(location = 0) out vec4 o_color;\nvoid main() { o_color = v_color; }`,
  };
}

function allEqual(expression: string, type: GlslType, values: readonly number[]): string {
  const literal = (value: number) =>
    type.base === 'float' ? value.toFixed(4) : type.base === 'uint' ? `${value}u` : `${value}`;
  return values
    .map((value, at) => {
      const [column, row] = [Math.floor(at / type.rows), at % type.rows];
      const element = type.isMatrix
        ? `${expression}[${column}][${row}]`
        : type.rows > 1
          ? `${expression}[${row}]`
          : expression;
      return type.base === 'float' ? `abs(${element} - ${literal(value)}) < 0.001` : `${element} == ${literal(value)}`;
    })
    .join(' && ');
}

/** Gives the current value of an attribute (all its columns). */
function setCurrent(t: CaseContext, location: number, type: GlslType, values: readonly number[]): void {
  const { gl } = t;
  for (let column = 0; column < type.columns; column++) {
    const four = [0, 1, 2, 3].map((row) => (row < type.rows ? values[column * type.rows + row]! : row === 3 ? 1 : 0));
    if (type.base === 'int') gl.glVertexAttribI4iv(location + column, four);
    else if (type.base === 'uint') gl.glVertexAttribI4uiv(location + column, four);
    else gl.glVertexAttrib4fv(location + column, four);
  }
}

function expectColor(t: CaseContext, color: readonly number[], what?: string): void {
  const { width, height } = t;
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at += 4) data.set(color, at);
  t.comparePicture(t.readPixels(), { width, height, data }, {}, what);
}

interface AttributeSpec {
  readonly name: string;
  readonly type: string;
  readonly bound?: number;
  readonly layout?: number;
}

function vertexSource(
  api: 2 | 3,
  attributes: readonly AttributeSpec[],
  values: ReadonlyMap<string, readonly number[]>,
): string {
  const { attribute, head, varyingOut } = texts(api);
  const declarations = attributes
    .map(
      ({ name, type, layout }) =>
        `${layout === undefined ? '' : `layout(location = ${layout}) `}${attribute} highp ${type} ${name};\n`,
    )
    .join('');
  const tests = attributes
    .map(({ name, type }) => `(${allEqual(name, glslType(type), values.get(name)!)})`)
    .join(' && ');
  return `${head}${attribute} highp vec4 a_position;\n${declarations}${varyingOut} highp vec4 v_color;\nvoid main() { v_color = ${tests} ? vec4(1.0, 0.5, 0.0, 1.0) : vec4(0.0, 0.0, 1.0, 1.0); gl_Position = a_position; }`;
}

function chooseValues(t: CaseContext, attributes: readonly AttributeSpec[]): Map<string, number[]> {
  return new Map(
    attributes.map(({ name, type }) => {
      const glsl = glslType(type);
      return [
        name,
        Array.from({ length: componentCount(glsl) }, () =>
          glsl.base === 'float' ? t.random.int(-16, 16) / 4 : t.random.int(glsl.base === 'uint' ? 0 : -9, 9),
        ),
      ];
    }),
  );
}

/** Locations are where they were bound, columns follow, and current values arrive there. */
function checkLocations(
  t: CaseContext,
  program: number,
  attributes: readonly AttributeSpec[],
  values: ReadonlyMap<string, readonly number[]>,
  what?: string,
): void {
  const { gl } = t;
  gl.glUseProgram(program);
  for (const { name, type, bound, layout } of attributes) {
    const location = gl.glGetAttribLocation(program, name);
    const want = layout ?? bound;
    if (want !== undefined) t.equal(location, want, `location of ${name}`);
    t.check(location >= 0, `${name} has no location`);
    setCurrent(t, location, glslType(type), values.get(name)!);
  }
  const position = gl.glGetAttribLocation(program, 'a_position');
  makeBuffer(t, gl.GL_ARRAY_BUFFER, new Float32Array([-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1, 1, 1, 0, 1]));
  gl.glEnableVertexAttribArray(position);
  gl.glVertexAttribPointer(position, 4, gl.GL_FLOAT, false, 0, 0);
  gl.glClearColor(0, 1, 0, 1);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  gl.glDrawArrays(gl.GL_TRIANGLE_STRIP, 0, 4);
  gl.glDisableVertexAttribArray(position);
  expectColor(t, [255, 128, 0, 255], what);
}

type Binding = 'bind' | 'layout' | 'mixed';

function runLocation(
  t: CaseContext,
  type: string,
  binding: Binding,
  kind: '' | '_hole' | '_max_attributes' | '_relink_hole',
): void {
  const { gl, api } = t;
  const most = [0];
  gl.glGetIntegerv(gl.GL_MAX_VERTEX_ATTRIBS, most);
  const { columns } = glslType(type);
  const attributes: AttributeSpec[] = [];
  const place = (index: number, location: number): AttributeSpec => {
    const isLayout = binding === 'layout' || (binding === 'mixed' && index % 2 === 1);
    return { name: `a_${index}`, type, ...(isLayout ? { layout: location } : { bound: location }) };
  };
  // Location 0 is left to the position in the hole cases: it lies in the hole.
  if (kind === '_max_attributes')
    for (let location = 1; location + columns <= most[0]!; location += columns)
      attributes.push(place(attributes.length, location));
  else if (kind === '') attributes.push(place(binding === 'mixed' ? 1 : 0, 3));
  else attributes.push(place(0, 1), place(1, 1 + columns * 2));
  const values = chooseValues(t, attributes);
  const source = vertexSource(api, attributes, values);
  const bindAll = (program: number, specs: readonly AttributeSpec[]) => {
    if (kind !== '') gl.glBindAttribLocation(program, 0, 'a_position');
    for (const { name, bound } of specs) if (bound !== undefined) gl.glBindAttribLocation(program, bound, name);
  };
  const program = linkProgram(t, source, texts(api).fragment, (name) => bindAll(name, attributes));
  checkLocations(t, program, attributes, values);
  if (kind !== '_relink_hole') return;
  // After another link with other bindings, the second attribute moves into the hole.
  const moved = attributes.map((attribute, index) =>
    index === 1 && attribute.bound !== undefined ? { ...attribute, bound: 1 + columns } : attribute,
  );
  bindAll(program, moved);
  gl.glLinkProgram(program);
  checkLocations(t, program, moved, values, 'after the second link');
}

function* locationCases(api: 2 | 3): Generator<CaseDefinition> {
  const types = api === 2 ? TYPES_ES2 : TYPES_ES3;
  const bindings: readonly Binding[] = api === 2 ? ['bind'] : ['bind', 'layout', 'mixed'];
  for (const binding of bindings)
    for (const type of types)
      for (const kind of ['', '_hole', '_max_attributes', '_relink_hole'] as const) {
        if (binding === 'layout' && kind === '_relink_hole') continue;
        yield functionalCase(
          api,
          `attribute_location.${binding}${kind}.${type}`,
          (t) => runLocation(t, type, binding, kind),
          SURFACE,
        );
      }
}

/** glVertexAttrib* with fewer components than the shader wants: the rest is 0, 0, 1. */
function runDefault(t: CaseContext, type: string, call: string): void {
  const { gl, api, random } = t;
  const glsl = glslType(type);
  const match = /^vertex_attrib(i?)_(\d)(f|i|ui)(v?)$/.exec(call)!;
  const count = Number(match[2]);
  const values: number[] = [];
  const name = `glVertexAttrib${match[1] ? 'I' : ''}${count}${match[3]}${match[4]}`;
  const calls: (() => void)[] = [];
  const functions = gl as unknown as Record<string, (...args: unknown[]) => void>;
  for (let column = 0; column < glsl.columns; column++) {
    const given = Array.from({ length: count }, () =>
      match[3] === 'f' ? random.int(-16, 16) / 4 : random.int(match[3] === 'ui' ? 0 : -9, 9),
    );
    calls.push(() => functions[name]!(2 + column, ...(match[4] ? [given] : given)));
    for (let row = 0; row < glsl.rows; row++) values.push(row < count ? given[row]! : row === 3 ? 1 : 0);
  }
  const attributes: AttributeSpec[] = [{ name: 'a_value', type, bound: 2 }];
  const program = linkProgram(
    t,
    vertexSource(api, attributes, new Map([['a_value', values]])),
    texts(api).fragment,
    (at) => {
      gl.glBindAttribLocation(at, 0, 'a_position');
      gl.glBindAttribLocation(at, 2, 'a_value');
    },
  );
  gl.glUseProgram(program);
  for (const one of calls) one();
  drawFullQuad(t);
  t.noError('drawing');
  expectColor(t, [255, 128, 0, 255]);
}

function* defaultCases(api: 2 | 3): Generator<CaseDefinition> {
  const all = [1, 2, 3, 4].flatMap((count) => ['f', 'fv'].map((end) => `vertex_attrib_${count}${end}`));
  const ends = all.filter((name) => /_[14]/.test(name));
  const make = (type: string, call: string) =>
    functionalCase(api, `default_vertex_attrib.${type}.${call}`, (t) => runDefault(t, type, call), SURFACE);
  const types = api === 2 ? TYPES_ES2 : [...TYPES_ES2, 'mat2x3', 'mat2x4', 'mat3x2', 'mat3x4', 'mat4x2', 'mat4x3'];
  for (const type of types)
    for (const call of ['float', 'vec4', 'mat4'].includes(type) ? all : ends) yield make(type, call);
  if (api === 3)
    for (const size of [1, 2, 3, 4])
      for (const [base, letter] of [
        ['int', 'i'],
        ['uint', 'ui'],
      ] as const)
        for (const vector of ['', 'v']) yield make(vectorName(base, size), `vertex_attribi_4${letter}${vector}`);
}

/** Columns of colour, one an instance: placed by gl_InstanceID, coloured by a divisor, or both. */
function runInstanced(
  t: CaseContext,
  isIndexed: boolean,
  kind: 'instance_id' | 'attribute_divisor' | 'mixed',
  instances: number,
  type = 'vec4',
): void {
  const { gl, width, height } = t;
  const glsl = glslType(type);
  const count = componentCount(glsl);
  const usesDivisor = kind !== 'instance_id';
  const element = (at: number) => {
    const [column, row] = [Math.floor(at / glsl.rows), at % glsl.rows];
    return glsl.isMatrix ? `a_value[${column}][${row}]` : glsl.rows > 1 ? `a_value[${row}]` : 'a_value';
  };
  const sum = Array.from({ length: count }, (_, at) => `float(${element(at)})`).join(' + ');
  const shade = usesDivisor ? `(${sum}) / 255.0` : `float(gl_InstanceID * 7 + 9) / 255.0`;
  const placeBy = kind === 'attribute_divisor' ? 'a_column' : 'float(gl_InstanceID)';
  const vertex = `#version 300 es\nin highp vec2 a_position;\nin highp float a_column;\nin highp ${type} a_value;\nout highp vec4 v_color;\nvoid main() {\n  v_color = vec4(${shade}, 0.25, 0.5, 1.0);\n  highp float x = (a_position.x + ${placeBy}) * ${(2 / instances).toFixed(8)} - 1.0;\n  gl_Position = vec4(x, a_position.y * 2.0 - 1.0, 0.0, 1.0);\n}`;
  const program = linkProgram(t, vertex, texts(3).fragment, (name) => {
    gl.glBindAttribLocation(name, 0, 'a_position');
    gl.glBindAttribLocation(name, 1, 'a_column');
    gl.glBindAttribLocation(name, 2, 'a_value');
  });
  gl.glUseProgram(program);
  makeBuffer(
    t,
    gl.GL_ARRAY_BUFFER,
    new Float32Array(isIndexed ? [0, 0, 1, 0, 0, 1, 1, 1] : [0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1]),
  );
  gl.glEnableVertexAttribArray(0);
  gl.glVertexAttribPointer(0, 2, gl.GL_FLOAT, false, 0, 0);
  makeBuffer(
    t,
    gl.GL_ARRAY_BUFFER,
    Float32Array.from({ length: instances }, (_, i) => i),
  );
  gl.glEnableVertexAttribArray(1);
  gl.glVertexAttribPointer(1, 1, gl.GL_FLOAT, false, 0, 0);
  gl.glVertexAttribDivisor(1, 1);
  // Mixed cases advance their colours every second instance.
  const divisor = kind === 'mixed' ? 2 : 1;
  const groups = Math.ceil(instances / divisor);
  const values = Array.from({ length: groups * count }, () => t.random.int(0, Math.floor(255 / count)));
  const isInteger = glsl.base !== 'float';
  makeBuffer(
    t,
    gl.GL_ARRAY_BUFFER,
    isInteger ? (glsl.base === 'uint' ? Uint32Array : Int32Array).from(values) : Float32Array.from(values),
  );
  for (let column = 0; column < glsl.columns; column++) {
    gl.glEnableVertexAttribArray(2 + column);
    if (isInteger) gl.glVertexAttribIPointer(2, glsl.rows, glsl.base === 'uint' ? gl.GL_UNSIGNED_INT : gl.GL_INT, 0, 0);
    else gl.glVertexAttribPointer(2 + column, glsl.rows, gl.GL_FLOAT, false, count * 4, column * glsl.rows * 4);
    gl.glVertexAttribDivisor(2 + column, divisor);
  }
  if (isIndexed) {
    makeBuffer(t, gl.GL_ELEMENT_ARRAY_BUFFER, new Uint16Array([0, 1, 2, 2, 1, 3]));
    gl.glDrawElementsInstanced(gl.GL_TRIANGLES, 6, gl.GL_UNSIGNED_SHORT, 0, instances);
  } else gl.glDrawArraysInstanced(gl.GL_TRIANGLES, 0, 6, instances);
  t.noError('drawing');
  const data = new Uint8Array(width * height * 4);
  for (let x = 0; x < width; x++) {
    const instance = Math.floor(((x + 0.5) * instances) / width);
    const group = Math.floor(instance / divisor);
    const total = values.slice(group * count, (group + 1) * count).reduce((a, b) => a + b, 0);
    for (let y = 0; y < height; y++)
      data.set([usesDivisor ? total : instance * 7 + 9, 64, 128, 255], (y * width + x) * 4);
  }
  t.comparePicture(t.readPixels(), { width, height, data }, { tolerance: 1 });
}

const WIDE = { width: 40, height: 8, depth: false, stencil: false };

function* instancedCases(): Generator<CaseDefinition> {
  for (const call of ['draw_arrays_instanced', 'draw_elements_instanced'])
    for (const kind of ['attribute_divisor', 'instance_id', 'mixed'] as const)
      for (const instances of [1, 2, 4, 20])
        yield functionalCase(
          3,
          `instanced.${call}.${kind}.${instances}_instances`,
          (t) => runInstanced(t, call.includes('elements'), kind, instances),
          WIDE,
        );
  for (const type of TYPES_ES3.filter((name) => !/(2x2|3x3|4x4)/.test(name)))
    yield functionalCase(
      3,
      `instanced.types.${type}`,
      (t) => runInstanced(t, false, 'attribute_divisor', 10, type),
      WIDE,
    );
}

/** Two vertex array objects that differ in one thing draw two different halves. */
function runVertexArrays(t: CaseContext, difference: string): void {
  const { gl, width, height } = t;
  const program = linkProgram(
    t,
    '#version 300 es\nin highp vec2 a_position;\nin highp vec4 a_color;\nout highp vec4 v_color;\nvoid main() { v_color = a_color; gl_Position = vec4(a_position, 0.0, 1.0); }',
    texts(3).fragment,
    (name) => {
      gl.glBindAttribLocation(name, 0, 'a_position');
      gl.glBindAttribLocation(name, 1, 'a_color');
    },
  );
  gl.glUseProgram(program);
  const quad = (left: number, right: number) => [left, -1, right, -1, left, 1, right, 1];
  const positions = makeBuffer(t, gl.GL_ARRAY_BUFFER, new Float32Array([...quad(-1, 0), ...quad(0, 1)]));
  // Elements of 16 bytes: four bytes of one colour, and floats of another.
  const colors = new Uint8Array(8 * 16);
  const other = new Uint8Array(8 * 16);
  for (let vertex = 0; vertex < 8; vertex++) {
    colors.set([51, 102, 153, 255, 204, 51, 51, 255, 153, 204, 0, 255, 0, 51, 204, 255], vertex * 16);
    other.set([255, 0, 102, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255], vertex * 16);
  }
  const first = makeBuffer(t, gl.GL_ARRAY_BUFFER, colors);
  const second = makeBuffer(t, gl.GL_ARRAY_BUFFER, other);
  const arrays = [generate(gl.glGenVertexArrays), generate(gl.glGenVertexArrays)];
  const settings = [
    { buffer: first, size: 4, offset: 0, indices: [0, 1, 2, 3] },
    {
      buffer: difference === 'diff_buffer' ? second : first,
      size: difference === 'diff_size' ? 3 : 4,
      offset: difference === 'diff_offset' ? 4 : 0,
      indices: [4, 5, 6, 7],
    },
  ];
  for (const [index, { buffer, size, offset, indices }] of settings.entries()) {
    gl.glBindVertexArray(arrays[index]!);
    gl.glBindBuffer(gl.GL_ARRAY_BUFFER, positions);
    gl.glEnableVertexAttribArray(0);
    gl.glVertexAttribPointer(0, 2, gl.GL_FLOAT, false, 0, 0);
    gl.glBindBuffer(gl.GL_ARRAY_BUFFER, buffer);
    gl.glEnableVertexAttribArray(1);
    gl.glVertexAttribPointer(1, size, gl.GL_UNSIGNED_BYTE, true, 16, offset);
    makeBuffer(t, gl.GL_ELEMENT_ARRAY_BUFFER, new Uint8Array(indices));
  }
  gl.glClearColor(0, 0, 0, 1);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT);
  // In the other order than they were made, so that the binding must switch everything.
  for (const index of [1, 0]) {
    gl.glBindVertexArray(arrays[index]!);
    gl.glDrawElements(gl.GL_TRIANGLE_STRIP, 4, gl.GL_UNSIGNED_BYTE, 0);
  }
  t.noError('drawing');
  const right =
    difference === 'diff_buffer'
      ? [255, 0, 102, 255]
      : difference === 'diff_offset'
        ? [204, 51, 51, 255]
        : [51, 102, 153, 255];
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++)
    data.set(pixel % width < width / 2 ? [51, 102, 153, 255] : right, pixel * 4);
  t.comparePicture(t.readPixels(), { width, height, data });
}

export function* attributeCases(api: 2 | 3): Generator<CaseDefinition> {
  yield* locationCases(api);
  yield* defaultCases(api);
  if (api === 2) return;
  yield* instancedCases();
  for (const difference of ['diff_buffer', 'diff_offset', 'diff_size', 'diff_indices'])
    yield functionalCase(3, `vertex_array_objects.${difference}`, (t) => runVertexArrays(t, difference), SURFACE);
}
