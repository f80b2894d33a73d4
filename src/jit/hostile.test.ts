// Shaders at and beyond the limits: they compile, or are refused as too complex; nothing overflows.

import { expect, test } from 'vitest';
import { TooComplexError } from '../base/too-complex.ts';
import { createBuilder } from '../ir/builder.ts';
import { createShader, type Shader, type Value, vectorType } from '../ir/ir.ts';
import { optimizeShader } from '../ir/optimize.ts';
import { runHarness } from './body-harness.ts';
import { compileFragmentProgram } from './fragment-program.ts';
import type { FragmentKey } from './keys.ts';
import { prepareShader } from './prepare-shader.ts';
import type { SamplerKey } from './sample.ts';

const SAMPLER: SamplerKey = {
  format: 'R8G8B8A8_UNORM',
  dim: 'cube',
  wrapS: 'repeat',
  wrapT: 'repeat',
  wrapR: 'repeat',
  minFilter: 'linear',
  magFilter: 'linear',
  mipFilter: 'linear',
  compare: null,
  swizzle: ['x', 'y', 'z', 'w'],
  seamlessCube: true,
  isAnisotropic: true,
};

function compile(shader: Shader, quadsPerStep: 1 | 2 = 1): Uint8Array<ArrayBuffer> {
  const key: FragmentKey = {
    targets: [],
    samples: 1,
    lateDepthStencil: null,
    countsSamples: false,
    alphaToCoverage: false,
    textures: [SAMPLER],
    quadsPerStep,
  };
  return compileFragmentProgram(shader, key, { sharedMemory: false }).bytes;
}

function fragment() {
  const shader = createShader('fragment');
  shader.inputs.push({
    name: 'v',
    slot: 'var0',
    components: 4,
    base: 'float',
    interpolation: 'smooth',
    centroid: false,
  });
  shader.outputs.push({
    name: 'c',
    slot: 'color0',
    components: 4,
    base: 'float',
    interpolation: 'smooth',
    centroid: false,
  });
  shader.samplers.push({ name: 't', dim: 'cube', shadow: false, resultType: 'float' });
  const b = createBuilder(shader);
  const coord = b.loadInput('var0', 3);
  return { shader, b, coord };
}

test('deeply nested branches compile', () => {
  const { shader, b, coord } = fragment();
  const nest = (depth: number): void => {
    if (depth === 0) return b.discard();
    const condition = b.flt(b.channel(coord, depth % 3), b.constFloat(depth));
    b.if(
      condition,
      () => nest(depth - 1),
      () => b.discard(b.flt(b.channel(coord, 0), b.constFloat(-depth))),
    );
  };
  nest(240);
  b.storeOutput('color0', b.vec(...b.channels(coord), b.constFloat(1)));
  expect(WebAssembly.validate(compile(shader, 2))).toBe(true);
});

test('a long chain of instructions compiles', () => {
  const { shader, b, coord } = fragment();
  let value: Value = b.channel(coord, 0);
  for (let i = 0; i < 20_000; i++) value = b.fadd(b.fmul(value, value), b.channel(coord, i % 3));
  b.storeOutput('color0', b.splat(value, 4));
  expect(WebAssembly.validate(compile(shader))).toBe(true);
});

test('thousands of texture look-ups are too complex', () => {
  const { shader, b, coord } = fragment();
  let sum: Value = b.splat(b.constFloat(0), 4);
  for (let i = 0; i < 4000; i++) {
    const moved = b.fadd(coord, b.splat(b.constFloat(i), 3));
    sum = b.fadd(sum, b.tex({ op: 'sample', sampler: 0, dim: 'cube', coord: moved }));
  }
  b.storeOutput('color0', sum);
  expect(() => compile(shader)).toThrow(TooComplexError);
});

test('steps of loops with long bodies use more of the loop budget', () => {
  const budgetUsed = (instructions: number): number => {
    const { shader, b, coord } = fragment();
    const counter = b.temporary('i', vectorType('float'));
    b.storeVar(counter, [], b.channel(coord, 0));
    b.loop(() => {
      const i = b.loadVar(counter);
      b.if(b.fge(i, b.constFloat(100)), () => b.break());
      let x: Value = i;
      for (let k = 0; k < instructions; k++) x = b.fsqrt(b.fadd(x, b.channel(coord, 1)));
      b.storeVar(counter, [], b.fadd(i, b.fmax(b.constFloat(1), b.fmin(x, b.constFloat(1)))));
    });
    b.storeOutput('color0', b.splat(b.loadVar(counter), 4));
    shader.samplers.length = 0;
    expect(optimizeShader(shader)).toEqual({ ok: true });
    const inputs = new Map([['var0' as const, new Uint32Array(16)]]);
    const loopBudget = 1_000_000;
    const environment = { inputs, uniforms: new Uint32Array(4), blocks: [], loopBudget };
    return loopBudget - runHarness(prepareShader(shader), 1, environment).budgetLeft;
  };
  expect(budgetUsed(0)).toBe(100);
  expect(budgetUsed(1000)).toBeGreaterThan(100 * 100);
});

test('huge temporary arrays are too complex', () => {
  const { shader, b, coord } = fragment();
  shader.locals.push({ name: 'a', length: 1_000_000, components: 4 });
  const index = b.f2i(b.channel(coord, 0));
  b.storeLocal(0, index, b.splat(b.channel(coord, 1), 4));
  b.storeOutput('color0', b.loadLocal(0, b.f2i(b.channel(coord, 2))));
  expect(() => compile(shader)).toThrow(TooComplexError);
});

test('vector arithmetic that is too large once it is scalar is too complex', () => {
  const { shader, b, coord } = fragment();
  const start = b.swizzle(coord, [0, 1, 2, 0]);
  let sum = start;
  for (let i = 0; i < 95_000; i++) sum = i % 2 === 0 ? b.fadd(sum, start) : b.fmul(sum, sum);
  b.storeOutput('color0', sum);
  expect(() => compile(shader)).toThrow(TooComplexError);
});
