import { describe, expect, it } from 'vitest';
import { glTypeInfo } from './gl-types.ts';
import { packRows, packTightly } from './link-packing.ts';
import { DEFAULT_LINK_LIMITS, type LinkOptions } from './link-result.ts';
import { floatWord, link, linkFragment, linkOrThrow, runStage } from './test-support.ts';

const V3 = (declarations: string, code = '') =>
  `#version 300 es\n${declarations}\nvoid main() { gl_Position = vec4(0.0); ${code} }`;
const F3 = (declarations: string, code = '') =>
  `#version 300 es\nprecision highp float; precision highp int;\n${declarations}\nout vec4 color; void main() { color = vec4(1.0); ${code} }`;
const V1 = (declarations: string, code = '') => `${declarations}\nvoid main() { gl_Position = vec4(0.0); ${code} }`;
const F1 = (declarations: string, code = '') =>
  `precision highp float;\n${declarations}\nvoid main() { gl_FragColor = vec4(1.0); ${code} }`;

const errorOf = (vertex: string, fragment: string, options: Partial<LinkOptions> = {}) => {
  const result = link(vertex, fragment, options);
  expect(result.program === undefined).toBe(!result.ok);
  return result.log;
};

describe('varyings', () => {
  it('must have equal types, interpolation and, when used, a source', () => {
    expect(errorOf(V3('out float a;', 'a = 1.0;'), F3('in vec2 a;', 'color.xy = a;'))).toContain("varying 'a' differ");
    expect(errorOf(V3('flat out float a;', 'a = 1.0;'), F3('in float a;', 'color.x = a;'))).toContain('Interpolation');
    expect(errorOf(V3(''), F3('in float a;', 'color.x = a;'))).toContain('not declared in the vertex shader');
    expect(errorOf(V3(''), F3('in float a;'))).toBe('');
    expect(
      errorOf(V1('invariant varying vec2 a;', 'a = vec2(1.0);'), F1('varying vec2 a;', 'gl_FragColor.xy = a;')),
    ).toContain('Invariance');
  });

  it('refuses shaders of different versions', () => {
    expect(errorOf(V3(''), F1(''))).toContain('different language versions');
  });

  it('carries values of every shape from stage to stage', () => {
    const declare = (io: string) =>
      `struct S { vec3 a; float b; }; ${io} mat2 m; ${io} S s; flat ${io} ivec2 i; centroid ${io} vec2 c[2];`;
    const program = linkOrThrow(
      V3(
        declare('out'),
        'm = mat2(1.0, 2.0, 3.0, 4.0); s = S(vec3(5.0), 6.0); i = ivec2(7, 8); c[0] = vec2(9.0); c[1] = vec2(10.0);',
      ),
      F3(declare('in'), 'color = vec4(m[1].y + s.a.z, s.b, float(i.y), c[1].x);'),
    );
    const vertex = runStage(program, 'vertex');
    const inputs = Object.fromEntries([...vertex.outputs.keys()].map((slot) => [slot, vertex.words(slot)]));
    expect(runStage(program, 'fragment', { inputs }).floats('color0')).toEqual([9, 6, 8, 10]);
    const kinds = program.fragment.shader.inputs.map(({ interpolation, centroid, base }) => [
      interpolation,
      centroid,
      base,
    ]);
    expect(kinds).toContainEqual(['flat', false, 'int']);
    expect(kinds).toContainEqual(['smooth', true, 'float']);
  });

  it('packs scalars together and refuses more than the limit', () => {
    const names = Array.from({ length: 60 }, (_, i) => `v${i}`);
    const declare = (list: string[], io: string) => list.map((name) => `${io} float ${name};`).join('');
    const sum = (list: string[]) => `color.x = ${list.join('+')};`;
    const program = linkOrThrow(V3(declare(names, 'out')), F3(declare(names, 'in'), sum(names)));
    expect(program.varyings).toHaveLength(60);
    expect(program.fragment.shader.inputs).toHaveLength(15);
    const more = [...names, 'w'];
    expect(errorOf(V3(declare(more, 'out')), F3(declare(more, 'in'), sum(more)))).toContain('Too many varyings');
  });
});

describe('packing', () => {
  it('counts a mat2 as two whole rows, though two of them can travel in two', () => {
    const names = [...'abcdefg'];
    const declare = (list: string[], io: string) => list.map((name) => `${io} mat2 ${name};`).join('');
    const sum = (list: string[]) => `color.xy = ${list.map((name) => `${name}[0]`).join('+')};`;
    const program = linkOrThrow(V3(declare(names, 'out')), F3(declare(names, 'in'), sum(names)));
    expect(program.fragment.shader.inputs.length).toBeLessThan(14);
    const more = [...names, 'h'];
    expect(errorOf(V3(declare(more, 'out')), F3(declare(more, 'in'), sum(more)))).toContain('Too many varyings');
  });

  it('puts wide items first and scalars into the smallest gap', () => {
    const items = [
      { components: 1, rows: 3 },
      { components: 3, rows: 2 },
      { components: 2, rows: 1 },
      { components: 4, rows: 1 },
    ];
    expect(packRows(items, 3)).toBeUndefined();
    expect(packTightly(items, 8)?.places).toEqual([
      { row: 1, component: 3 },
      { row: 1, component: 0 },
      { row: 3, component: 0 },
      { row: 0, component: 0 },
    ]);
    expect(packRows([{ components: 1, rows: 100_000_000 }], 4)).toBeUndefined();
  });
});

describe('attributes', () => {
  it('takes locations from the layout, then from bindings, then free ones', () => {
    const vertex = V3(
      'layout(location = 2) in vec4 a; in mat2 m; in ivec2 b; in vec3 unused; in float c;',
      'gl_Position = a + vec4(m[0], b) + c;',
    );
    const { attributes } = linkOrThrow(vertex, F3(''), {
      attribBindings: new Map([
        ['b', 0],
        ['a', 7],
      ]),
    });
    expect(attributes.map(({ name, location, locationCount }) => [name, location, locationCount])).toEqual([
      ['a', 2, 1],
      ['m', 3, 2],
      ['b', 0, 1],
      ['c', 1, 1],
    ]);
    expect(attributes.map(({ type, baseType }) => [glTypeInfo(type).name, baseType])).toEqual([
      ['FLOAT_VEC4', 'float'],
      ['FLOAT_MAT2', 'float'],
      ['INT_VEC2', 'int'],
      ['FLOAT', 'float'],
    ]);
  });

  it('lets attributes alias in GLES 2 only', () => {
    const vertex = V1('attribute vec4 a; attribute vec4 b;', 'gl_Position = a + b;');
    const attribBindings = new Map([
      ['a', 3],
      ['b', 3],
    ]);
    expect(errorOf(vertex, F1(''), { attribBindings })).toBe('');
    expect(errorOf(vertex, F1(''), { attribBindings, profile: 'webgl' })).toContain('aliases');
    expect(
      errorOf(V1('attribute mat4 a;', 'gl_Position = a[0];'), F1(''), { attribBindings: new Map([['a', 13]]) }),
    ).toContain('exceeds');
  });

  it('finds room for matrices between scattered attributes', () => {
    const vertex = V1('attribute float a; attribute mat4 m, n, o;', 'gl_Position = m[0] + n[0] + o[0] + a;');
    expect(errorOf(vertex, F1(''), { limits: { ...DEFAULT_LINK_LIMITS, maxVertexAttribs: 13 } })).toBe('');
    expect(errorOf(vertex, F1(''), { limits: { ...DEFAULT_LINK_LIMITS, maxVertexAttribs: 12 } })).toContain('Too many');
  });
});

describe('uniforms', () => {
  it('must agree in type, precision and struct members', () => {
    expect(errorOf(V3('uniform float u;'), F3('uniform vec2 u;'))).toContain("Types of uniform 'u'");
    expect(errorOf(V3('uniform highp float u;'), F3('uniform mediump float u;'))).toContain(
      "Precisions of uniform 'u'",
    );
    const struct = (precision: string) => `struct S { ${precision} float a; }; uniform S s;`;
    expect(errorOf(V3(struct('highp')), F3(struct('lowp')))).toContain("Precisions of uniform 's'");
  });

  it('may have the name of an attribute: each stage has its own names otherwise', () => {
    expect(errorOf(V1('attribute vec4 n;', 'gl_Position = n;'), F1('uniform vec4 n;'))).toBe('');
  });

  it('are listed by GL name with locations and slots, shared between the stages', () => {
    const common = 'struct S { float f; mat3 m[2]; }; uniform S s[2]; uniform int unused;';
    const program = linkOrThrow(
      V3(
        `${common} uniform sampler2D t[2]; uniform vec4 only;`,
        'gl_Position = s[0].m[1][2].xxxx + texture(t[1], vec2(0.0)) + only;',
      ),
      F3(`${common} uniform bool b;`, 'color.x = s[1].f + float(b);'),
    );
    const rows = program.uniforms.map((u) => [
      u.name,
      glTypeInfo(u.type).name,
      u.size,
      u.location,
      u.slot,
      u.slotsPerElement,
    ]);
    expect(rows).toEqual([
      ['s[0].f', 'FLOAT', 1, 0, 0, 1],
      ['s[0].m[0]', 'FLOAT_MAT3', 2, 1, 1, 3],
      ['s[1].f', 'FLOAT', 1, 3, 7, 1],
      ['s[1].m[0]', 'FLOAT_MAT3', 2, 4, 8, 3],
      ['only', 'FLOAT_VEC4', 1, 6, 14, 1],
      ['b', 'BOOL', 1, 7, 15, 1],
      ['t[0]', 'SAMPLER_2D', 2, 8, -1, 0],
    ]);
    expect(program.uniformLocations[5]).toEqual({ uniform: 3, element: 1 });
    expect(program.vertex.samplers).toEqual([0, 1]);
    expect(program.fragment.samplers).toEqual([]);
    expect(program.uniforms.map((u) => [u.usedInVertex, u.usedInFragment])[4]).toEqual([true, false]);
    const s1f = new Array(1).fill(floatWord(3));
    expect(runStage(program, 'fragment', { uniforms: { 's[1].f': s1f, b: [1] } }).floats('color0')[0]).toBe(4);
  });

  it('count against the limits of each stage', () => {
    const limits = { ...DEFAULT_LINK_LIMITS, maxFragmentUniformVectors: 4, maxTextureImageUnits: 2 };
    expect(errorOf(V3(''), F3('uniform float a[16];', 'color.x = a[int(color.y)];'), { limits })).toContain(
      'Too many uniforms',
    );
    expect(errorOf(V3(''), F3('uniform vec4 a[4];', 'color = a[int(color.y)];'), { limits })).toBe('');
    expect(errorOf(V3(''), F3('uniform sampler2D t[3];', 'color = texture(t[0], vec2(0.0));'), { limits })).toContain(
      'Too many samplers',
    );
  });

  it('keeps constant tables behind the uniforms', () => {
    const program = linkFragment(
      '#version 300 es\nprecision highp float; uniform int i; out vec4 c; void main() { c = vec4(float[3](1.0, 2.0, 3.0)[i]); }',
    );
    expect(program.constantSlotCount).toBe(4);
    expect([...new Float32Array(program.initialConstants.buffer)].filter((x) => x !== 0)).toEqual([1, 2, 3]);
    expect(runStage(program, 'fragment', { uniforms: { i: [2] } }).floats('color0')[0]).toBe(3);
  });
});

describe('uniform blocks', () => {
  const block = (layout: string, members: string, instance = '') => `${layout} uniform B { ${members} } ${instance};`;

  it('must agree in the precision of members, nested ones too', () => {
    const struct = (precision: string) => `struct S { ${precision} float a; }; ${block('', 'S s;')}`;
    expect(errorOf(V3(block('', 'highp vec4 v;')), F3(block('', 'mediump vec4 v;')))).toContain(
      "precision of member 'v'",
    );
    expect(errorOf(V3(struct('highp')), F3(struct('mediump')))).toContain("member 's'");
    expect(errorOf(V3(block('', 'highp vec4 v;')), F3(block('', 'vec4 v;')))).toBe('');
  });

  it('must be the same in both stages', () => {
    const pairs: [string, string, string][] = [
      [block('', 'highp vec4 a;'), block('layout(std140)', 'highp vec4 a;'), 'layout'],
      [block('', 'highp vec4 a;'), block('', 'highp vec3 a;'), 'type of member'],
      [block('', 'highp vec4 a;'), block('', 'highp vec4 b;'), 'members'],
      [block('', 'highp mat2 a;'), block('layout(row_major)', 'highp mat2 a;'), 'matrix layout'],
      [block('', 'highp vec4 a;', 'x[2]'), block('', 'highp vec4 a;', 'x[3]'), 'instances'],
    ];
    for (const [vertex, fragment, message] of pairs) expect(errorOf(V3(vertex), F3(fragment))).toContain(message);
    expect(errorOf(V3(block('', 'highp vec4 a;', 'x')), F3(block('', 'highp vec4 a;', 'y')))).toBe('');
  });

  it('show members with offsets and strides under GL names', () => {
    const members = 'struct S { float f; mat2 m; };';
    const program = linkOrThrow(
      V3(''),
      F3(
        `${members} layout(std140) uniform B { vec3 a; float b[2]; S s[2]; layout(row_major) mat4x2 r; } x[2]; uniform N { vec4 plain; };`,
        'color = vec4(x[1].a, plain.x);',
      ),
    );
    expect(
      program.uniformBlocks.map(({ name, dataSize, usedInVertex, usedInFragment }) => [
        name,
        dataSize,
        usedInVertex,
        usedInFragment,
      ]),
    ).toEqual([
      ['B[0]', 176, false, true],
      ['B[1]', 176, false, true],
      ['N', 16, false, true],
    ]);
    expect(program.fragment.uniformBlocks).toEqual([0, 1, 2]);
    expect(program.uniformBlocks[1].members).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const rows = program.uniforms.map((u) => [
      u.name,
      u.offset,
      u.arrayStride,
      u.matrixStride,
      u.isRowMajor,
      u.blockIndex,
    ]);
    expect(rows).toEqual([
      ['B.a', 0, 0, 0, false, 0],
      ['B.b[0]', 16, 16, 0, false, 0],
      ['B.s[0].f', 48, 0, 0, false, 0],
      ['B.s[0].m', 64, 0, 16, false, 0],
      ['B.s[1].f', 96, 0, 0, false, 0],
      ['B.s[1].m', 112, 0, 16, false, 0],
      ['B.r', 144, 0, 16, true, 0],
      ['plain', 0, 0, 0, false, 2],
    ]);
  });
});

describe('fragment outputs', () => {
  it('need locations within the limit', () => {
    const shader = (declarations: string) => `#version 300 es\nprecision highp float; ${declarations} void main() {}`;
    const limits = { ...DEFAULT_LINK_LIMITS, maxDrawBuffers: 1 };
    expect(errorOf(V3(''), shader('layout(location = 1) out vec4 a;'), { limits })).toContain('exceeds');
    const program = linkFragment(
      '#version 300 es\nprecision highp float; layout(location = 1) out vec2 a[2]; layout(location = 0) out ivec4 i; void main() { a[0] = vec2(1.0); a[1] = vec2(2.0); i = ivec4(3); }',
    );
    expect(
      program.fragmentOutputs.map(({ name, location, size, baseType }) => [name, location, size, baseType]),
    ).toEqual([
      ['a', 1, 2, 'float'],
      ['i', 0, 1, 'int'],
    ]);
    const result = runStage(program, 'fragment');
    expect([result.floats('color2')[1], result.words('color0')[3]]).toEqual([2, 3]);
  });
});

describe('absurd sizes', () => {
  it('end with an error, not with a hang', () => {
    const size = 30_000;
    const struct = `struct S { float a; float b; };`;
    const fragments = [
      F3(`uniform float a[${size}];`, 'color.x = a[int(color.y)];'),
      F3(`${struct} uniform S s[${size}];`, 'color.x = s[int(color.y)].a;'),
      F3(`uniform B { float a[${size}]; };`, 'color.x = a[int(color.y)];'),
    ];
    for (const fragment of fragments) expect(errorOf(V3(''), fragment)).not.toBe('');
  });
});

describe('transform feedback', () => {
  const vertex = V3(
    'struct S { vec2 a; float b; }; out S s; out mat2 m; out float f[3]; flat out int n;',
    's = S(vec2(1.0), 2.0); m = mat2(3.0); f[0] = f[1] = f[2] = 4.0; n = 5; gl_PointSize = 6.0;',
  );
  const capture = (names: string[], mode: 'interleaved' | 'separate' = 'interleaved') =>
    link(vertex, F3(''), { transformFeedbackVaryings: names, transformFeedbackMode: mode });

  it('lays captured outputs out one behind the other', () => {
    const { program } = capture(['gl_Position', 's.b', 'm', 'f[1]', 'n']);
    const feedback = program!.feedback!;
    expect(feedback.strideWords).toEqual([11]);
    expect(
      feedback.varyings.map(({ name, type, size, offsetWords }) => [name, glTypeInfo(type).name, size, offsetWords]),
    ).toEqual([
      ['gl_Position', 'FLOAT_VEC4', 1, 0],
      ['s.b', 'FLOAT', 1, 4],
      ['m', 'FLOAT_MAT2', 1, 5],
      ['f[1]', 'FLOAT', 1, 9],
      ['n', 'INT', 1, 10],
    ]);
    const run = runStage(program!, 'vertex');
    const memory = feedback.varyings.flatMap(({ pieces, type }) =>
      pieces.flatMap(({ slot, firstComponent, componentCount }) => {
        const values = glTypeInfo(type).baseType === 'int' ? run.words(slot as never) : run.floats(slot as never);
        return values.slice(firstComponent, firstComponent + componentCount);
      }),
    );
    expect(memory).toEqual([0, 0, 0, 0, 2, 3, 0, 0, 3, 4, 5]);
  });

  it('puts each into its own buffer in separate mode', () => {
    const { program } = capture(['f', 'gl_PointSize'], 'separate');
    expect(program!.feedback!.strideWords).toEqual([3, 1]);
    expect(program!.feedback!.varyings.map(({ buffer, size }) => [buffer, size])).toEqual([
      [0, 3],
      [1, 1],
    ]);
  });

  it('captures built-in outputs that the shader does not write', () => {
    const program = linkOrThrow('#version 300 es\nvoid main() {}', F3(''), {
      transformFeedbackVaryings: ['gl_PointSize', 'gl_Position'],
    });
    expect([...runStage(program, 'vertex').outputs.keys()].sort()).toEqual(['pointSize', 'position']);
  });

  it('refuses unknown and repeated names and too much', () => {
    expect(capture(['nothing']).log).toContain('is not an output');
    expect(capture(['n', 'n']).log).toContain('twice');
    expect(capture(['f', 'f[1]']).log).toContain('twice');
    expect(link(V3('out float big[65];', 'big[0] = 1.0;'), F3(''), { transformFeedbackVaryings: ['big'] }).ok).toBe(
      false,
    );
  });
});
