import { describe, expect, it } from 'vitest';
import { assertValid } from '../ir/validate.ts';
import { evaluate, floatWord, linkFragment, linkOrThrow, runStage } from './test-support.ts';

const close = (actual: number[], expected: number[], digits = 5) => {
  expect(actual.length).toBeGreaterThanOrEqual(expected.length);
  expected.forEach((value, i) => {
    if (Number.isFinite(value)) expect(actual[i]).toBeCloseTo(value, digits);
    else expect(actual[i]).toBe(value);
  });
};

// Folding would do these at compile time: `x` keeps the operands from being constant.
const X = { globals: 'uniform float x; uniform int i;', uniforms: { x: [floatWord(2)], i: [1] } };

describe('operators', () => {
  it('multiplies matrices and vectors as linear algebra', () => {
    const setup = 'mat2 m = mat2(1.0, 2.0, 3.0, 4.0) * (x - 1.0); vec2 v = vec2(10.0, 100.0) * x;';
    close(evaluate('vec4(m * v, v * m)', { ...X, setup }), [620, 840, 420, 860]);
    close(evaluate('vec4(m * m)', { ...X, setup: 'mat2 m = mat2(1.0, 2.0, 3.0, x * 2.0);' }), [7, 10, 15, 22]);
  });

  it('applies scalar operands to every component of matrices', () => {
    const setup = 'mat2 m = mat2(1.0, 2.0, 3.0, x); m += 1.0; m = 1.0 / m;';
    close(evaluate('vec4(m[0], m[1])', { ...X, setup }), [1 / 2, 1 / 3, 1 / 4, 1 / 3]);
  });

  it('works on integers as GLSL says', () => {
    const setup = 'int a = -7 * i; uint b = uint(i) + 4u; ivec2 s = ivec2(1, -8) << i;';
    close(evaluate('vec4(a / 2, a >> i, b % 3u, s.y)', { ...X, setup }), [-3, -4, 2, -16]);
    const bits = 'uint b = (uint(i) + 11u) & ~4u; int c = i ^ 7 | 8;';
    close(
      evaluate('vec4(b, c, i++ + i, --i)', {
        ...X,
        globals: 'uniform int j;',
        setup: `int i = j; ${bits}`,
        uniforms: { j: [1] },
      }),
      [8, 14, 3, 1],
    );
  });

  it('compares structs, arrays and matrices as a whole', () => {
    const globals = `${X.globals} struct S { vec2 a; int b[2]; };`;
    const setup = 'S p = S(vec2(x), int[2](i, 2)); S q = p; bool same = p == q; q.b[1] = 3; mat2 m = mat2(x);';
    close(evaluate('vec4(same, p == q, p != q, m == mat2(2.0))', { ...X, globals, setup }), [1, 0, 1, 1]);
  });

  it('assigns through swizzles and indices, evaluating the target once', () => {
    const setup =
      'vec4 v[3]; v[0] = v[1] = v[2] = vec4(0.0); int n = i; v[n++].zx += vec2(3.0, x); v[n].wy = vec2(n, 7.0);';
    close(evaluate('vec4(v[1].xz, v[2].yw)', { ...X, setup }), [2, 3, 7, 2]);
    close(
      evaluate('m[1].xyxy + m[0].yxyx', {
        ...X,
        setup: 'mat2 m = mat2(0.0); m[i].yx = vec2(x, 5.0); m[i - 1][i] = 1.0;',
      }),
      [6, 2, 6, 2],
    );
  });

  it('skips what && || ?: do not need', () => {
    const globals = `${X.globals} int n = 0; bool touch(bool r) { n++; return r; }`;
    const setup =
      'bool a = x < 0.0 && touch(true); bool b = x > 0.0 || touch(true); int c = x > 0.0 ? 5 : int(touch(true));';
    close(evaluate('vec4(a, b, c, n)', { ...X, globals, setup }), [0, 1, 5, 0]);
  });

  it('chooses between structs and arrays', () => {
    const globals = `${X.globals} struct S { float a[2]; vec2 b; };`;
    const setup = 'S p = S(float[2](1.0, 2.0), vec2(3.0)), q = S(float[2](4.0, x), vec2(6.0)); S r = i == 1 ? q : p;';
    close(evaluate('vec4(r.a[0], r.a[i], r.b)', { ...X, globals, setup }), [4, 2, 6, 6]);
  });
});

describe('constructors', () => {
  it('takes components in order and converts them', () => {
    close(evaluate('vec4(ivec2(vec3(x, 1.9, 3.0)), bvec2(i, 0))', X), [2, 1, 1, 0]);
    close(evaluate('vec4(mat3(mat2(1.0, 2.0, 3.0, x))[2], mat2(mat3(x))[1].y)', X), [0, 0, 1, 2]);
    close(evaluate('vec4(vec2(mat2(1.0, x, 3.0, 4.0)), mat2(x)[1])', X), [1, 2, 0, 2]);
  });
});

describe('indexing', () => {
  it('reads constant tables at run time', () => {
    const globals = `${X.globals} const vec2 table[3] = vec2[3](vec2(1.0), vec2(2.0, 3.0), vec2(4.0));`;
    close(
      evaluate('vec4(table[i], float[5](9.0, 8.0, 7.0, 6.0, 5.0)[i + 1], bool[2](false, true)[i])', { ...X, globals }),
      [2, 3, 7, 1],
    );
  });

  it('is harmless out of range', () => {
    const globals = `${X.globals} uniform vec4 u[2];`;
    const setup = 'float a[3]; a[0] = a[1] = a[2] = 1.0; a[i * 1000] = 2.0; vec4 w = u[i * 100000]; w.x += a[-i];';
    const uniforms = { ...X.uniforms, 'u[0]': [0, 0, 0, 0, 0, 0, 0, 0] };
    expect(evaluate('vec4(a[1], w.yzw)', { globals, setup, uniforms })).toHaveLength(4);
  });

  it('indexes vectors and matrices that are no variables', () => {
    const globals = `${X.globals} uniform mat2 m; uniform vec3 v;`;
    const one = floatWord(1);
    const uniforms = { ...X.uniforms, m: [0, one, one, floatWord(5)], v: [0, floatWord(3), 0] };
    close(evaluate('vec4(m[i][i], v[i], (v + v)[i], v.zyx[i])', { globals, uniforms }), [5, 3, 6, 3]);
  });
});

describe('control flow', () => {
  it('runs loops of every kind with break and continue', () => {
    const setup = `int s = 0; for (int k = 0; k < 10; k++) { if (k == 3) continue; if (k == 6) break; s += k; }
      int t = 0; do { t++; if (t == 2) continue; if (t > 5) break; } while (t < 4 * i);
      int u = 0; while (bool go = u < 5) { u += 2; }`;
    close(evaluate('vec4(s, t, u, 0.0)', { ...X, setup }), [12, 4, 6, 0]);
  });

  const switchCase = (k: number) => {
    const setup = `int r = 0; switch (i) { case 0: r += 1; case 1: r += 10; break; default: r += 100;
      case 5: r += 1000; if (x > 1.0) break; r += 5; case 6: { r += 10000; break; } }`;
    return evaluate('vec4(r)', { ...X, uniforms: { ...X.uniforms, i: [k] }, setup })[0];
  };
  it('falls through, breaks inside of clauses and finds default anywhere', () => {
    expect([0, 1, 5, 6, 9].map(switchCase)).toEqual([11, 10, 1000, 10000, 1100]);
  });

  it('continues an outer loop from nested switches', () => {
    const setup = `int r = 0; for (int k = 0; k < 4; k++) {
      switch (k) { case 1: switch (k) { case 1: if (x > 1.0) continue; r += 100; } r += 1000; case 2: if (x > 5.0) break; r += 10; }
      r += 1; }`;
    close(evaluate('vec4(r)', { ...X, setup }), [13]);
  });

  it('returns from the middle of functions and of main', () => {
    const globals = `${X.globals} float f(int k) { for (int n = 0; n < 9; n++) { if (n == k) return float(n) * 2.0; } return -1.0; }`;
    close(
      evaluate('vec4(f(i), f(3), f(20), 0.0); if (x > 1.0) return; result = vec4(9.0)', { ...X, globals }),
      [2, 6, -1, 0],
    );
  });

  it('discards the lanes that ask for it', () => {
    const program = linkFragment(
      '#version 300 es\nprecision highp float; out vec4 c; void main() { if (gl_FragCoord.x > 1.0) discard; c = vec4(1.0); }',
    );
    expect(runStage(program, 'fragment', { sysvals: { fragCoord: [floatWord(2), 0, 0, 0] } }).discarded).toBe(15);
    expect(runStage(program, 'fragment', { sysvals: { fragCoord: [0, 0, 0, 0] } }).discarded).toBe(0);
  });
});

describe('functions', () => {
  it('copies arguments in and out by value, in order', () => {
    const globals = `${X.globals} float g = 1.0;
      void f(in float a, out float b, inout float c) { a += 1.0; g = 50.0; b = a; c += g; }`;
    const setup = 'float p = x, q, r = 3.0; f(p, q, r); vec2 v = vec2(1.0, 2.0); f(v.x, v.x, v.y);';
    close(evaluate('vec4(p, q, r, v.x + v.y)', { ...X, globals, setup }), [2, 3, 53, 54]);
  });

  it('passes a global as inout without aliasing it', () => {
    const globals = `${X.globals} float g = 1.0; float f(inout float a) { a = 5.0; return g; }`;
    close(evaluate('vec4(f(g), g, 0.0, 0.0)', { ...X, globals }), [1, 5]);
  });

  it('passes and returns arrays and structs', () => {
    const globals = `${X.globals} struct S { vec2 v; float a[2]; }; S f(S s, float a[2]) { s.a = a; s.v *= 2.0; return s; }`;
    const setup = 'float a[2] = float[2](x, 7.0); S s = S(vec2(1.0), float[2](0.0, 0.0)); S t = f(s, a);';
    close(evaluate('vec4(t.v.x, t.a[i], s.v.x, f(t, a).v.y)', { ...X, globals, setup }), [2, 7, 1, 4]);
  });
});

describe('built-in functions', () => {
  const cases: [string, number[]][] = [
    ['vec4(sin(x), cos(x), tan(x), asin(x * 0.25))', [Math.sin(2), Math.cos(2), Math.tan(2), Math.asin(0.5)]],
    ['vec4(sinh(x), cosh(x), tanh(x), tanh(x * 100.0))', [Math.sinh(2), Math.cosh(2), Math.tanh(2), 1]],
    [
      'vec4(asinh(-x), acosh(x), atanh(x * 0.25), atan(-1.0, -x))',
      [Math.asinh(-2), Math.acosh(2), Math.atanh(0.5), Math.atan2(-1, -2)],
    ],
    ['vec4(exp(x), log(x), exp2(x), log2(x))', [Math.exp(2), Math.log(2), 4, 1]],
    ['vec4(pow(x, 3.0), sqrt(x), inversesqrt(x), radians(x * 90.0))', [8, Math.SQRT2, Math.SQRT1_2, Math.PI]],
    ['vec4(mod(-x, 1.5), fract(-x * 0.3), sign(-x), trunc(-x * 0.9))', [1, 0.4, -1, -1]],
    ['vec4(clamp(x, 0.0, 1.0), mix(1.0, x, 0.25), step(x, 1.0), smoothstep(0.0, 4.0, x))', [1, 1.25, 0, 0.5]],
    ['vec4(mix(vec2(1.0), vec2(x), bvec2(true, x < 0.0)), abs(-i), min(i, -3))', [2, 1, 1, -3]],
    [
      'vec4(length(vec2(3.0, x * 2.0)), distance(x, 5.0), dot(vec2(x), vec2(3.0)), normalize(vec2(x)).x)',
      [5, 3, 12, Math.SQRT1_2],
    ],
    ['vec4(cross(vec3(x, 0.0, 0.0), vec3(0.0, 1.0, 0.0)), reflect(vec2(x, -1.0), vec2(0.0, 1.0)).y)', [0, 0, 2, 1]],
    [
      'vec4(refract(vec2(0.0, -1.0), vec2(0.0, 1.0), 1.0 / x), faceforward(vec2(1.0, 0.0), vec2(x), vec2(1.0)))',
      [0, -1, -1, 0],
    ],
    [
      'vec4(determinant(mat3(x)), inverse(mat2(x, 1.0, 1.0, 1.0))[0], transpose(mat2(1.0, x, 3.0, 4.0))[1].x)',
      [8, 1, -1, 2],
    ],
    ['inverse(mat4(x, 0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0))[2]', [-0.5, 0, 1, 0]],
    ['vec4(outerProduct(vec2(1.0, x), vec2(3.0, 4.0)))', [3, 6, 4, 8]],
    ['vec4(isnan(x - x), isinf(1.0 / (x - x)), any(lessThan(vec2(x), vec2(1.0, 3.0))), all(bvec2(i)))', [0, 1, 1, 1]],
    [
      'vec4(unpackHalf2x16(packHalf2x16(vec2(x, -0.5))), unpackUnorm2x16(packUnorm2x16(vec2(x, 0.25))))',
      [2, -0.5, 1, 0.25],
    ],
    [
      'vec4(intBitsToFloat(floatBitsToInt(x)), uintBitsToFloat(0x3f800000u), modf(x + 0.75, whole), whole)',
      [2, 1, 0.75, 2],
    ],
    ['vec4(dFdx(x), fwidth(x), round(x * 0.7), ceil(x * 0.7))', [0, 0, 1, 2]],
  ];
  it.each(cases)('%s', (expression, expected) => {
    close(evaluate(expression, { ...X, setup: 'float whole;' }), expected, 4);
  });
});

describe('textures', () => {
  interface Lookup {
    op: string;
    roles: Record<string, number[]>;
    offset: readonly number[] | null;
  }
  /** What the interpreter is asked for when an expression is evaluated. */
  const lookups = (expression: string, globals: string): Lookup[] => {
    const seen: Lookup[] = [];
    const texture: NonNullable<Parameters<typeof evaluate>[1]>['texture'] = ({ instruction, source }) => {
      const roles: Lookup['roles'] = {};
      const { info, op } = instruction;
      for (const role of info.roles) {
        const register = source(role)!;
        const isInt = op === 'fetch' || op === 'size';
        roles[role] = Array.from({ length: register.components }, (_, c) => (isInt ? register.i : register.f)[c]);
      }
      seen.push({ op, roles, offset: info.offset });
    };
    evaluate(expression, { globals: `uniform float x; ${globals}`, uniforms: { x: [floatWord(2)] }, texture });
    return seen;
  };

  it('divides by the projection, the compare value too', () => {
    const globals = 'uniform sampler2D a; uniform sampler2DShadow s;';
    expect(
      lookups('textureProj(a, vec4(x, 4.0, 99.0, 4.0)) + textureProj(s, vec4(x, 4.0, 1.0, 4.0))', globals),
    ).toEqual([
      { op: 'sample', roles: { coord: [0.5, 1] }, offset: null },
      { op: 'sample', roles: { coord: [0.5, 1], comparator: [0.25] }, offset: null },
    ]);
    expect(lookups('textureProj(a, vec3(x, 4.0, 2.0))', globals)[0].roles).toEqual({ coord: [1, 2] });
  });

  it('tells bias, level, gradients and offsets apart', () => {
    const globals = 'uniform sampler2D a; uniform samplerCube c; uniform sampler2DArray r;';
    expect(lookups('texture(a, vec2(x), 0.5) + textureLod(c, vec3(x), 3.0)', globals)).toEqual([
      { op: 'bias', roles: { coord: [2, 2], bias: [0.5] }, offset: null },
      { op: 'lod', roles: { coord: [2, 2, 2], lod: [3] }, offset: null },
    ]);
    expect(lookups('textureGradOffset(r, vec3(x), vec2(1.0), vec2(3.0), ivec2(-1, 2))', globals)).toEqual([
      { op: 'grad', roles: { coord: [2, 2, 2], ddx: [1, 1], ddy: [3, 3] }, offset: [-1, 2] },
    ]);
    expect(lookups('texelFetch(a, ivec2(x), 1) + vec4(textureSize(r, 2), 1)', globals)).toEqual([
      { op: 'fetch', roles: { coord: [2, 2], lod: [1] }, offset: null },
      { op: 'size', roles: { lod: [2] }, offset: null },
    ]);
  });
});

describe('samplers', () => {
  it('resolves parameters, struct members and arrays to the right elements', () => {
    const program = linkFragment(`#version 300 es
      precision highp float; struct S { float f; sampler2D t[2]; }; uniform S s[2]; uniform sampler2D u; out vec4 c;
      vec4 get(sampler2D t, float k) { return texture(t, vec2(k)); }
      vec4 both(sampler2D t[2], float k) { return get(t[0], k) + get(t[1], k); }
      vec4 deep(S p) { return get(p.t[1], p.f) + get(u, 0.0); }
      void main() { c = both(s[1].t, 0.5) + deep(s[0]); }`);
    assertValid(program.fragment.shader);
    const names = program.uniforms.map((uniform) => uniform.name);
    expect(names).toEqual(['s[0].f', 's[0].t[0]', 's[1].f', 's[1].t[0]', 'u']);
    expect(program.samplerElements).toHaveLength(5);
    const sampled: number[] = [];
    runStage(program, 'fragment', { texture: ({ instruction }) => void sampled.push(instruction.info.sampler) });
    expect(sampled.sort()).toEqual([1, 2, 3, 4]);
  });

  it('chooses among the elements of an array indexed in a loop', () => {
    const program = linkFragment(`precision highp float; uniform sampler2D t[3];
      void main() { vec4 c = vec4(0.0); for (int k = 0; k < 3; k++) c += texture2D(t[k], vec2(float(k))); gl_FragColor = c; }`);
    const sampled = new Set<number>();
    runStage(program, 'fragment', { texture: ({ instruction }) => void sampled.add(instruction.info.sampler) });
    expect([...sampled].sort()).toEqual([0, 1, 2]);
  });
});

describe('uniform blocks', () => {
  it('reads members, row-major matrices, bools and dynamic elements', () => {
    const program = linkFragment(`#version 300 es
      precision highp float;
      struct S { vec2 a; bool b; };
      layout(std140) uniform B { float f; layout(row_major) mat2x3 m; S s[2]; vec3 last; } blk[2];
      uniform int i; out vec4 c;
      void main() { c = vec4(blk[1].m[i].z + blk[1].f, blk[1].s[i].a.y, blk[1].s[i].b, blk[0].last.z); }`);
    assertValid(program.fragment.shader);
    const block = (base: number) => {
      const words = new Uint32Array(program.uniformBlocks[0].dataSize / 4);
      new Float32Array(words.buffer).set(Array.from(words, (_, i) => base + i));
      words[26] = 0x80000000;
      return words;
    };
    const result = runStage(program, 'fragment', {
      uniforms: { i: [1] },
      blocks: { 'B[0]': block(1000), 'B[1]': block(0) },
    });
    // f at word 0; m rows at words 4, 8, 12; s[1] at word 20: a = 20, 21, b = 22; last at 24.
    expect(result.floats('color0')).toEqual(
      [13, 21, 1, 1026].map((x, k) => (k === 3 ? new Float32Array(block(1000).buffer)[26] : x)),
    );
  });
});

describe('built-in variables', () => {
  it('feeds gl_DepthRange from constant buffer 0', () => {
    const program = linkFragment(
      'precision highp float; void main() { gl_FragColor = vec4(gl_DepthRange.near, gl_DepthRange.far, gl_DepthRange.diff, 1.0); }',
    );
    expect(program.depthRangeSlot).toBe(0);
    expect(program.uniforms.map(({ name, location }) => [name, location])).toEqual([
      ['gl_DepthRange.near', -1],
      ['gl_DepthRange.far', -1],
      ['gl_DepthRange.diff', -1],
    ]);
    const uniforms = { 'gl_DepthRange.far': [floatWord(0.5)], 'gl_DepthRange.diff': [floatWord(0.25)] };
    expect(runStage(program, 'fragment', { uniforms }).floats('color0')).toEqual([0, 0.5, 0.25, 1]);
  });

  it('writes gl_FragColor to all draw buffers only with EXT_draw_buffers', () => {
    const plain = linkFragment('void main() { gl_FragColor = vec4(1.0); }');
    expect([...runStage(plain, 'fragment').outputs.keys()]).toEqual(['color0']);
    const broadcast = linkFragment(
      '#extension GL_EXT_draw_buffers : require\nvoid main() { gl_FragColor = vec4(1.0); }',
    );
    expect([...runStage(broadcast, 'fragment').outputs.keys()]).toEqual(['color0', 'color1', 'color2', 'color3']);
    expect(broadcast.broadcastsFragColor).toBe(true);
  });

  it('stores only the elements of gl_FragData that are written', () => {
    const program = linkFragment(
      '#extension GL_EXT_draw_buffers : require\nvoid main() { gl_FragData[0] = vec4(1.0); gl_FragData[2] = vec4(0.5); }',
    );
    expect([...runStage(program, 'fragment').outputs.keys()]).toEqual(['color0', 'color2']);
    expect(program.fragment.shader.outputs.map(({ slot }) => slot)).toEqual(['color0', 'color2']);
  });

  it('reads the system values', () => {
    const program = linkOrThrow(
      '#version 300 es\nvoid main() { gl_Position = vec4(gl_VertexID, gl_InstanceID, 0.0, 1.0); gl_PointSize = 3.0; }',
      '#version 300 es\nprecision highp float; out vec4 c; void main() { c = vec4(gl_PointCoord, gl_FrontFacing, 1.0); gl_FragDepth = 0.25; }',
    );
    const vertex = runStage(program, 'vertex', { sysvals: { vertexId: [7], instanceId: [3] } });
    expect(vertex.floats('position')).toEqual([7, 3, 0, 1]);
    expect(vertex.floats('pointSize')[0]).toBe(3);
    const sysvals = { pointCoord: [floatWord(0.5), 0], frontFacing: [1] };
    const fragment = runStage(program, 'fragment', { sysvals });
    expect(fragment.floats('color0')).toEqual([0.5, 0, 1, 1]);
    expect(fragment.floats('depth')[0]).toBe(0.25);
    expect(program.attributes.map(({ name, location }) => [name, location])).toEqual([
      ['gl_VertexID', -1],
      ['gl_InstanceID', -1],
    ]);
    expect(program.writesPointSize).toBe(true);
  });
});
