// Generated code computes, bit for bit, what the interpreter computes: over random shaders, one and two quads wide.
import { expect, test } from 'vitest';
import type { Slot } from '../ir/ir.ts';
import { parseShader } from '../ir/parse.ts';
import { printShader } from '../ir/print.ts';
import { assertValid } from '../ir/validate.ts';
import { compareWithInterpreter, type HarnessInputs } from './body-harness.ts';
import { createRandom, randomBody, randomFloatBits, randomIntBits } from './random-body.ts';

const SHADERS = Number(process.env['INDIUM_RANDOM_SHADERS'] ?? 2000);
const FIRST = Number(process.env['INDIUM_RANDOM_SEED'] ?? 1);

function randomEnvironment(seed: number): HarnessInputs {
  const random = createRandom(seed ^ 0x5bd1e995);
  const words = (count: number, make: (r: typeof random) => number) =>
    Uint32Array.from({ length: count }, () => make(random));
  return {
    inputs: new Map<Slot, Uint32Array>([
      ['var0', words(32, randomFloatBits)],
      ['var1', words(32, randomFloatBits)],
      ['var2', words(32, randomIntBits)],
    ]),
    uniforms: words(32, randomFloatBits),
    blocks: [words(20, randomIntBits)],
    ...(seed % 5 < 2 ? { covered: 1 + Math.floor(random() * 255) } : {}),
  };
}

test(`${SHADERS} random shaders give what the interpreter gives`, () => {
  for (let seed = FIRST; seed < FIRST + SHADERS; seed++) {
    const shader = randomBody(seed, 4 + (seed % 26));
    if (seed % 50 === 1) assertValid(shader, { lowered: true });
    let difference: string | null;
    try {
      difference = compareWithInterpreter(shader, seed % 3 === 0 ? 2 : 1, randomEnvironment(seed));
    } catch (error) {
      throw new Error(`seed ${seed}: ${error}\n${printShader(shader)}`, { cause: error });
    }
    if (difference !== null) expect.fail(`seed ${seed}: ${difference}\n${printShader(shader)}`);
  }
});

test('derivatives are differences within rows and columns of the quad', () => {
  const shader = parseShader(`shader fragment
input smooth float4 var0
output smooth float4 color0
function main() {
  %0:2 = loadInput var0
  %1:2 = fddx %0
  %2:2 = fddy %0
  storeOutput color0 %1
  storeOutput color0@2 %2
}
`);
  shader.usage.outputs.add('color0');
  for (const width of [1, 2] as const) {
    const { inputs, uniforms, blocks } = randomEnvironment(11);
    expect(compareWithInterpreter(shader, width, { inputs, uniforms, blocks })).toBeNull();
  }
});
