// Compiled binaries against the IR interpreter: what the simulator makes of them must give the same outputs.

import { describe, expect, it } from 'vitest';
import type { Environment, TextureRequest } from '../../../src/ir/interpret.ts';
import { optimizeShader } from '../../../src/ir/optimize.ts';
import { randomEnvironment, randomShader } from '../../../src/ir/random-shader.ts';
import { compileShader } from './compile.ts';
import { DEFAULT_KEY } from './compiled-shader.ts';
import { randomGlsl } from './random-glsl.ts';
import { compare, differences, lowered, mustCompile, runBinary, targetNamed, textOf } from './testing.ts';

const FLOAT_GPUS = ['gc400', 'gc880', 'gc2000'];
const ALL_GPUS = [...FLOAT_GPUS, 'gc3000', 'gc7000'];
const CLOSE = { relative: 1e-4, absolute: 1e-4 };
/** Depth stays -w..w, so that outputs can be compared. */
const options = { key: { ...DEFAULT_KEY, clipHalfZ: true } };

const environment = (seed: number): Environment => ({ ...randomEnvironment(seed), texture: fakeTexture });

/** A smooth function of everything a look-up depends on. */
function fakeTexture({ instruction, lanes, source, result }: TextureRequest): void {
  const coord = source('coord')!;
  const isFetch = instruction.op === 'fetch';
  for (let lane = 0; lane < lanes; lane++) {
    let sum = 0;
    for (let c = 0; c < coord.components; c++) {
      const k = lane * coord.components + c;
      sum += (c + 1) * (isFetch ? coord.i[k]! : coord.f[k]!);
    }
    const scalar = (role: 'lod' | 'bias' | 'comparator', weight: number) => {
      const register = source(role);
      if (register) sum += weight * (isFetch ? register.i[lane]! : register.f[lane]!);
    };
    scalar('lod', 10);
    scalar('bias', 20);
    scalar('comparator', 5);
    for (const role of ['ddx', 'ddy'] as const) {
      const register = source(role);
      if (register) sum += register.f[lane * register.components]! * 3;
    }
    for (let c = 0; c < instruction.components; c++) result.f[lane * instruction.components + c] = sum + c;
  }
}

function check(source: string, stage: 'vertex' | 'fragment', gpus: readonly string[] = ALL_GPUS): void {
  for (const gpu of gpus) {
    for (const optimize of [{}, { unroll: false, ifToSelect: false } as const]) {
      const shader = lowered(source, stage, optimize);
      for (const seed of [1, 2, 3]) {
        const run = compare(shader, targetNamed(gpu), environment(seed), CLOSE, options);
        expect(run.differences, `${gpu}, seed ${seed}\n${textOf(run.compiled)}`).toEqual([]);
        expect(run.actual.discarded).toBe(run.expected.discarded);
      }
    }
  }
}

const HEAD = 'precision highp float; varying vec4 v; uniform vec4 u[6]; uniform sampler2D s; uniform samplerCube c;\n';
const fragment = (body: string) => `${HEAD}void main() { ${body} }`;
const HEAD3 = `#version 300 es
precision highp float; precision highp int; precision highp sampler2DArray; precision highp sampler3D;
precision highp sampler2DShadow; precision highp isampler2D;
in vec4 v; flat in ivec4 w; uniform vec4 u[4]; uniform ivec4 n[4]; uniform sampler2D s; uniform sampler2DArray a;
uniform sampler3D d; uniform sampler2DShadow z; uniform isampler2D q;
layout(std140) uniform B { vec4 first; vec4 list[6]; ivec4 ints[2]; float last; };
out vec4 o;
`;
const fragment3 = (body: string) => `${HEAD3}void main() { ${body} }`;

describe('float programs on every GPU', () => {
  it('does arithmetic', () =>
    check(fragment('gl_FragColor = v * u[0] + v.wzyx - clamp(v * u[1], 0.0, 1.0);'), 'fragment'));
  it('folds signs', () => check(fragment('gl_FragColor = abs(v) * -u[0].x - abs(-v.yxwz);'), 'fragment'));
  it('has units', () =>
    check(
      fragment('gl_FragColor = vec4(sqrt(abs(v.x)), 1.0 / (abs(v.y) + 0.5), exp2(v.z), log2(abs(v.w) + 0.1));'),
      'fragment',
    ));
  it('has trigonometry', () =>
    check(
      fragment('vec4 x = clamp(v, -9.0, 9.0); gl_FragColor = vec4(sin(x.x), cos(x.y), atan(x.z), atan(x.w, x.x));'),
      'fragment',
    ));
  it('has arc functions', () =>
    check(fragment('vec4 x = clamp(v * 0.1, -1.0, 1.0); gl_FragColor = vec4(asin(x.xy), acos(x.zw));'), 'fragment'));
  it('has dot products of all sizes', () =>
    check(
      fragment('gl_FragColor = vec4(dot(v.xy, u[0].zw), dot(v.xyz, u[1].xyz), dot(v, u[2]), length(v.xw));'),
      'fragment',
    ));
  it('compares and selects', () =>
    check(
      fragment('gl_FragColor = mix(step(v, u[0]), vec4(v.x < v.y, v.z >= u[1].x, v.x == v.x, v != u[0]), 0.5);'),
      'fragment',
    ));
  it('branches', () =>
    check(
      fragment(
        'vec4 r = v; if (v.x > u[0].x) { r.x += 1.0; if (v.y < 0.0) r = r.yzwx; } else r.w = 2.0; gl_FragColor = r;',
      ),
      'fragment',
    ));
  it('loops', () =>
    check(
      fragment(
        'vec4 r = v; float t = 0.0; for (int i = 0; i < 9; i++) { if (r.x > 50.0) break; if (t > u[0].x) continue; r = r.yzwx + 1.0; t += 0.5; } gl_FragColor = r + t;',
      ),
      'fragment',
    ));
  it('exchanges values in loops', () =>
    check(
      fragment(
        'vec2 p = v.xy; vec2 q = v.zw; for (int i = 0; i < 5; i++) { vec2 t = p; p = q; q = t.yx; if (p.x > q.x) break; } gl_FragColor = vec4(p, q);',
      ),
      'fragment',
    ));
  it('discards', () => check(fragment('if (v.x < u[0].x) discard; gl_FragColor = v;'), 'fragment'));
  it('takes derivatives', () =>
    check(
      `#extension GL_OES_standard_derivatives : enable\n${fragment('gl_FragColor = dFdx(v) + dFdy(v.wzyx);')}`,
      'fragment',
    ));
  it('looks textures up', () =>
    check(
      fragment('gl_FragColor = texture2D(s, v.yx) + texture2D(s, v.xy, u[0].x).wzyx + textureCube(c, v.xyz);'),
      'fragment',
    ));
  it('indexes uniforms', () => check(fragment('int i = int(v.x); gl_FragColor = u[i] + u[int(v.y) - 1];'), 'fragment'));
  it('indexes arrays', () =>
    check(
      fragment(
        'vec2 t[6]; for (int i = 0; i < 6; i++) t[i] = u[i].xy * v.x; t[int(v.y)] = v.zw; gl_FragColor = vec4(t[int(v.z)], t[3]);',
      ),
      'fragment',
    ));
  it('computes with integers as floats', () =>
    check(
      fragment(
        'int i = int(clamp(v.x, -9.0, 9.0) * 9.0); int j = int(min(abs(v.y), 99.0)) + 1; gl_FragColor = vec4(i / j, i - i / j * j, i * 4, -i);',
      ),
      'fragment',
    ));
  it('reads fragment values', () =>
    check(fragment('gl_FragColor = gl_FragCoord + vec4(gl_PointCoord, gl_FrontFacing ? 1.0 : 0.0, 1.0);'), 'fragment'));
  it('runs vertex programs', () =>
    check(
      'attribute vec4 p; attribute vec3 q; varying vec3 r; uniform mat4 m; void main() { r = normalize(q + 1.0); gl_Position = m * p; gl_PointSize = q.x; }',
      'vertex',
    ));
  it('looks textures up in vertex programs', () =>
    check(
      'attribute vec4 p; uniform sampler2D t; void main() { gl_Position = texture2D(t, p.xy) + texture2DLod(t, p.zw, p.x); }',
      'vertex',
      ['gc2000', 'gc3000', 'gc7000'],
    ));
});

describe('integer programs', () => {
  const gpus = ['gc3000', 'gc7000'];
  it('computes', () =>
    check(
      fragment3(
        'ivec4 r = w * n[0] + (w / (n[1] | 1)) % 7; uvec4 t = uvec4(r) >> 3u; o = vec4(r ^ ivec4(t)) + vec4(~r & 15) + vec4(abs(-r) << 2);',
      ),
      'fragment',
      gpus,
    ));
  it('compares', () =>
    check(
      fragment3('o = vec4(w.x < n[0].x, uint(w.y) < uint(n[0].y), w.z == n[0].z, max(w.w, n[0].w) >= min(w.x, 3));'),
      'fragment',
      gpus,
    ));
  it('branches on integers', () =>
    check(
      fragment3(
        'int r = 0; for (int i = 0; i < (w.x & 7); i++) { if ((i & 1) == 0) r += n[i & 3].x; else r -= i; if (r > 99) break; } o = vec4(r);',
      ),
      'fragment',
      gpus,
    ));
  it('reinterprets bits', () =>
    check(
      fragment3('o = intBitsToFloat(floatBitsToInt(v) ^ 1) + vec4(unpackHalf2x16(packHalf2x16(v.xy)), 0, 1);'),
      'fragment',
      gpus,
    ));
  it('loads from uniform blocks', () =>
    check(fragment3('o = first + list[w.x & 3] * last + vec4(ints[1]) + list[2];'), 'fragment', gpus));
  it('switches', () =>
    check(
      fragment3(
        'switch (w.x & 3) { case 0: o = v; break; case 1: o = u[1]; case 2: o += u[2]; break; default: o = vec4(1); }',
      ),
      'fragment',
      gpus,
    ));
  it('looks textures up in all forms', () =>
    check(
      fragment3(
        'o = textureLod(s, v.xy, v.z) + textureGrad(s, v.xy, u[0].xy, u[0].zw) + texture(a, v.xyz) + texture(d, v.zyx) + texture(z, v.xyw) + vec4(texture(q, v.xy));',
      ),
      'fragment',
      gpus,
    ));
  it('fetches texels on GC7000', () =>
    check(fragment3('o = texelFetch(s, w.xy, 2) + vec4(texelFetch(q, w.zw, w.x & 1));'), 'fragment', ['gc7000']));
});

describe('random programs', () => {
  it('on integer GPUs', () => {
    for (let seed = 0; seed < 24; seed++) {
      const stage = seed % 2 ? 'vertex' : 'fragment';
      const shader = randomShader(seed, { stage, statements: 3 + (seed % 6), transcendentals: false });
      expect(optimizeShader(shader, { lowerTranscendentals: false }).ok).toBe(true);
      const target = targetNamed(seed % 3 ? 'gc7000' : 'gc3000');
      if (!compileShader(shader, target, options).ok) continue;
      const run = compare(shader, target, environment(seed), CLOSE, options);
      if (!run.expected.timedOut) expect(run.differences, `seed ${seed}`).toEqual([]);
    }
  });

  it('on float GPUs', () => {
    let compiled = 0;
    for (let seed = 0; seed < 30; seed++) {
      const stage = seed % 2 ? 'vertex' : 'fragment';
      const shader = lowered(randomGlsl(seed, stage, 1 + (seed % 4)), stage, {
        unroll: false,
        ifToSelect: seed % 3 === 0,
      });
      for (const gpu of ['gc400', 'gc2000']) {
        const target = targetNamed(gpu);
        const result = compileShader(shader, target, { validate: true, ...options });
        // The longest do not fit into 256 instructions.
        if (!result.ok) continue;
        compiled++;
        const run = compare(shader, target, environment(seed), { relative: 1e-3, absolute: 1e-3 }, options);
        expect(run.differences, `seed ${seed} on ${gpu}`).toEqual([]);
        expect(run.actual.discarded).toBe(run.expected.discarded);
      }
    }
    expect(compiled).toBeGreaterThan(30);
  });
});

describe('the contract', () => {
  const target = targetNamed('gc2000');
  it('passes inputs through without an instruction', () => {
    const shader = mustCompile(lowered(fragment('gl_FragColor = v;'), 'fragment'), target);
    expect(textOf(shader)).toContain('nop');
    expect(shader.outputs).toEqual([{ slot: 'color0', register: 1, component: 0, components: 4 }]);
    expect(shader.temporaries).toBe(2);
  });
  it('makes no variant and no instruction for private targets, and exchanges red and blue on request', () => {
    const source = lowered(fragment('gl_FragColor = v * 2.0;'), 'fragment');
    const [plain, swapped] = [0, 1].map((fragRbSwap) =>
      mustCompile(source, target, { key: { ...DEFAULT_KEY, fragRbSwap } }),
    );
    const run = (shader: typeof plain) => runBinary(source, shader!, environment(1)).outputs.get('color0')!;
    expect(plain!.instructions).toBe(1);
    expect([...run(swapped!)].slice(0, 4)).toEqual([2, 1, 0, 3].map((c) => run(plain!)[c]));
  });
  it('widens scalar outputs when it exchanges', () => {
    const source = lowered(
      `#version 300 es\nprecision highp float; in vec4 v; out float o; void main() { o = v.x; }`,
      'fragment',
    );
    const shader = mustCompile(source, targetNamed('gc7000'), { key: { ...DEFAULT_KEY, fragRbSwap: 1 } });
    expect(shader.outputs[0]!.components).toBe(4);
    const words = runBinary(source, shader, environment(1)).outputs.get('color0')!;
    expect([...words].slice(0, 2)).toEqual([0, 0]);
    expect(words[3]).toBe(0x3f800000);
  });
  it('divides depth where the hardware does not', () => {
    const source = lowered('attribute vec4 p; void main() { gl_Position = p; }', 'vertex');
    const words = runBinary(source, mustCompile(source, targetNamed('gc400')), environment(2)).outputs.get('position')!;
    const [, , z, w] = new Float32Array(words.buffer);
    const input = new Uint32Array(4);
    environment(2).input!('attribute0', 0, input);
    const [, , oldZ, oldW] = new Float32Array(input.buffer);
    expect(w).toBe(oldW);
    expect(z).toBeCloseTo((oldZ! + oldW!) / 2, 4);
  });
  it('writes depth to t0.z and keeps it free otherwise', () => {
    const source =
      '#version 300 es\nprecision highp float; in vec4 v; out vec4 o; void main() { o = gl_FragCoord; gl_FragDepth = v.x; }';
    const shader = mustCompile(lowered(source, 'fragment'), targetNamed('gc7000'));
    expect(shader.flags.writesDepth).toBe(true);
    expect(shader.outputs).toContainEqual({ slot: 'depth', register: 0, component: 2, components: 1 });
    check(source, 'fragment', ['gc7000']);
  });
  it('names the ids', () => {
    const source =
      '#version 300 es\nin vec4 p; void main() { gl_Position = p + vec4(gl_VertexID, gl_InstanceID, 0, 0); }';
    const shader = mustCompile(lowered(source, 'vertex'), targetNamed('gc7000'));
    expect([shader.vertexIdPlace, shader.instanceIdPlace]).toEqual([4, 5]);
    check(source, 'vertex', ['gc7000']);
  });
  it('says what the GPU cannot do', () => {
    const source = lowered(fragment3('o = vec4(w & n[0]);'), 'fragment');
    expect(compileShader(source, target)).toMatchObject({ ok: false, message: expect.stringContaining('integer') });
    const shadow = lowered(
      '#version 300 es\nprecision highp float; precision highp sampler2DShadow; in vec4 v; uniform sampler2DShadow z; out vec4 o; void main() { o = vec4(texture(z, v.xyz)); }',
      'fragment',
    );
    expect(compileShader(shadow, target)).toMatchObject({ ok: false, message: expect.stringContaining('shadow') });
  });
  it('refuses programs with too many registers, uniforms or instructions', () => {
    const wide = Array.from({ length: 70 }, (_, i) => `vec4 r${i} = texture2D(s, v.xy * ${i}.5);`).join('\n');
    const sum = Array.from({ length: 70 }, (_, i) => `r${i}.wzyx * r${69 - i}`).join(' + ');
    const result = compileShader(lowered(fragment(`${wide} gl_FragColor = ${sum};`), 'fragment'), target);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('temporaries') });
  });
});

it('keeps the differences of comparisons visible', () => {
  const shader = lowered(fragment('gl_FragColor = v;'), 'fragment');
  const run = compare(shader, targetNamed('gc2000'), environment(1), CLOSE, options);
  const other = { ...run.actual, outputs: new Map([['color0' as const, new Uint32Array(16)]]) };
  expect(differences(shader, run.expected, other).length).toBeGreaterThan(0);
});
