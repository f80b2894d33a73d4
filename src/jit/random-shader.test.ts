// From the front end's form to WebAssembly: optimised and prepared shaders compute what the interpreter makes of the original.
import { expect, test } from 'vitest';
import type { Slot } from '../ir/ir.ts';
import { optimizeShader } from '../ir/optimize.ts';
import { printShader } from '../ir/print.ts';
import { randomEnvironment, randomShader } from '../ir/random-shader.ts';
import { assertValid } from '../ir/validate.ts';
import { compareWithInterpreter } from './body-harness.ts';
import { prepareShader } from './prepare-shader.ts';

const SHADERS = Number(process.env['INDIUM_RANDOM_SHADERS'] ?? 120);
const FIRST = Number(process.env['INDIUM_RANDOM_SEED'] ?? 1);

test(`${SHADERS} random programs give what the interpreter gives`, () => {
  for (let seed = FIRST; seed < FIRST + SHADERS; seed++) {
    const stage = seed % 4 === 0 ? 'vertex' : 'fragment';
    const width = stage === 'fragment' && seed % 2 === 0 ? 2 : 1;
    const original = randomShader(seed, { stage, statements: 4 + (seed % 16) });
    const text = printShader(original);
    const optimized = randomShader(seed, { stage, statements: 4 + (seed % 16) });
    // Inexact rules change bits by design.
    optimized.isExact = true;
    // As GL programs come, and as others do.
    expect(optimizeShader(optimized, { scalars: seed % 3 === 0 })).toEqual({ ok: true });
    const prepared = prepareShader(optimized);
    if (seed % 20 === 0) assertValid(prepared, { lowered: true });
    const lanes = width * 4;
    const environment = randomEnvironment(seed, lanes);
    const inputs = new Map<Slot, Uint32Array>();
    for (const { slot } of prepared.inputs) {
      const words = new Uint32Array(lanes * 4);
      for (let lane = 0; lane < lanes; lane++) environment.input!(slot, lane, words.subarray(lane * 4, lane * 4 + 4));
      inputs.set(slot, words);
    }
    const difference = compareWithInterpreter(
      prepared,
      width,
      { inputs, uniforms: environment.uniforms!, blocks: environment.uniformBlocks! },
      original,
    );
    if (difference !== null) expect.fail(`seed ${seed}: ${difference}\n${text}\n----\n${printShader(prepared)}`);
  }
});
