// The pipeline as a whole: random shaders compute the same before and after it.
import { describe, expect, it } from 'vitest';
import { type InterpretResult, interpret } from './interpret.ts';
import type { Shader } from './ir.ts';
import { optimizeShader } from './optimize.ts';
import { parseShader } from './parse.ts';
import { printShader } from './print.ts';
import { randomEnvironment, randomShader } from './random-shader.ts';
import { assertValid } from './validate.ts';
import { forEachInstruction } from './walk.ts';

/** Outputs of the lanes that were not discarded. */
function visible(result: InterpretResult): unknown {
  return [...result.outputs].map(([slot, words]) => [
    slot,
    Array.from(words, (word, k) => ((result.discarded >> (k >> 2)) & 1 ? 0 : word)),
  ]);
}

function check(shader: Shader, seed: number, passes: string[] = [], scalars = false): void {
  assertValid(shader);
  const environment = randomEnvironment(seed);
  const before = interpret(shader, environment);
  // Inexact rules change bits by design.
  shader.isExact = true;
  const text = printShader(shader);
  const result = optimizeShader(shader, { validate: true, scalars, onPass: (name) => passes.push(name) });
  expect(result).toEqual({ ok: true });
  const after = interpret(shader, environment);
  expect(after.discarded).toBe(before.discarded);
  if (JSON.stringify(visible(after)) !== JSON.stringify(visible(before))) {
    expect.fail(`seed ${seed} differs\n${text}\n----\n${printShader(shader)}`);
  }
}

describe('optimizeShader', () => {
  it('keeps what random fragment shaders compute', () => {
    for (let seed = 0; seed < 60; seed++) check(randomShader(seed), seed);
  });

  it('keeps what random vertex shaders compute', () => {
    for (let seed = 1000; seed < 1020; seed++) check(randomShader(seed, { stage: 'vertex', statements: 12 }), seed);
  });

  it('makes all arithmetic scalar on demand, and changes no bit by it', () => {
    for (let seed = 2000; seed < 2030; seed++) {
      const shader = randomShader(seed);
      check(shader, seed, [], true);
      forEachInstruction(shader.main.body, ({ kind, op, components }) => {
        if (kind === 'alu' && op !== 'vec' && op !== 'swizzle') expect(components, op).toBe(1);
      });
    }
  });

  it('gives text that parses back to the same', () => {
    const shader = randomShader(7);
    optimizeShader(shader);
    const text = printShader(shader);
    expect(printShader(parseShader(text)).replaceAll(' # uniform', '')).toBe(text.replaceAll(' # uniform', ''));
  });
});
