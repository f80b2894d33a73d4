// Passes on single values: folding, copies, swizzles, common subexpressions, lowering.
import { describe, expect, it } from 'vitest';
import { createBuilder } from '../builder.ts';
import { interpret } from '../interpret.ts';
import { createShader, type Shader } from '../ir.ts';
import { parseShader } from '../parse.ts';
import { printShader } from '../print.ts';
import { gatherInfo } from './gather-info.ts';
import { gatherRawOutputs } from './gather-raw-outputs.ts';
import { lowerPack } from './lower-pack.ts';
import { lowerTranscendentals } from './lower-transcendentals.ts';
import { optAlgebraic } from './opt-algebraic.ts';
import { optConstantFold } from './opt-constant-fold.ts';
import { optCopyPropagate } from './opt-copy-propagate.ts';
import { optCse } from './opt-cse.ts';
import { optDeadCode } from './opt-dead-code.ts';
import { rawBitsRule } from './opt-raw-bits.ts';
import { optSwizzle } from './opt-swizzle.ts';
import { rewrite } from './rewrite.ts';
import { afterPasses, shaderOf } from './testing.ts';

describe('opt-constant-fold', () => {
  it('computes constants and puts constant offsets into loads', () => {
    const text = afterPasses(
      `
      %a:2 = const 1.5 2.0
      %b = swizzle %a.y
      %c = f2i %b
      %u = loadUniform 3 %c range 8
      %v = loadUbo 0 16 %c
      %s = fadd %u %v
      storeOutput color0 %s`,
      optConstantFold,
      optDeadCode,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      b0:
      %0 = loadUniform 5
      %1 = loadUbo 0 18
      %2 = fadd %0 %1
      storeOutput color0 %2
      }"
    `);
  });
});

describe('opt-raw-bits', () => {
  it('keeps integer bits as they are, and makes NaNs of arithmetic canonical', () => {
    const text = afterPasses(
      `
      %f = loadInput var0
      %i = f2i %f
      %moved = mov %i
      %bits = fcanonical %moved
      %sum = fadd %f %f
      %seen = fcanonical %sum
      %both = iadd %bits %seen
      storeOutput color0 %both`,
      (shader) => rewrite(shader, [rawBitsRule()]),
      optDeadCode,
    );
    expect(text.match(/fcanonical %\d+/g)).toHaveLength(1);
    expect(text).toMatch(/%(\d+) = fadd[\s\S]*fcanonical %\1\n/);
  });
});

describe('gather-raw-outputs', () => {
  it('names the components that only integer bits are stored to', () => {
    const text = `shader fragment
input smooth float4 var0
output smooth float4 color0 "o"
output smooth float4 color1 "o"
function main() {
  %f = loadInput var0
  %i = f2i %f
  %one = const 1.0
  %nan = const 0x7fc00001
  %c = flt %f %one
  %chosen = select %c %i %one
  %bits:4 = vec %i %chosen %f %nan
  storeOutput color0 %bits
  storeOutput color1 %bits
  storeOutput color1 %f
}`;
    const shader = parseShader(text);
    gatherRawOutputs(shader);
    expect(shader.outputs.map(({ rawComponents }) => rawComponents)).toEqual([0b0011, 0b0010]);
    expect(parseShader(printShader(shader)).outputs).toEqual(shader.outputs);
  });
});

describe('opt-copy-propagate', () => {
  it('looks through phis whose sources agree, but not out of a loop', () => {
    const text = afterPasses(
      `
      b0:
      %x = loadInput var0
      %zero = const 0.0
      %m = mov %x
      %c:b = flt %m %zero
      loop {
      b1:
        %p = phi b0 %x, b3 %p
        %y = fadd %p %p
        if %c {
        b2:
          break
        }
      b3:
      }
      %r = phi b2 %y
      storeOutput color0 %r`,
      optCopyPropagate,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      b0:
      %0 = loadInput var0
      %1 = const 0
      %2:b = flt %0 %1
      loop {
      b1:
      %3 = fadd %0 %0
      if %2 {
      b2:
      break
      } else {
      b3:
      }
      b4:
      }
      b5:
      %4 = phi b2 %3
      storeOutput color0 %4
      }"
    `);
  });
});

describe('opt-swizzle', () => {
  it('joins swizzles and vecs', () => {
    const text = afterPasses(
      `
      %v:4 = loadInput var0
      %a = swizzle %v.y
      %b = swizzle %v.x
      %ab:2 = vec %a %b
      %ba:2 = swizzle %ab.yx
      %w:2 = fadd %ab %ba
      %x = swizzle %w.y
      %y = swizzle %w.x
      %z:2 = vec %y %x
      storeOutput color0 %z`,
      optSwizzle,
      optDeadCode,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      b0:
      %0:4 = loadInput var0
      %1:2 = swizzle %0.yx
      %2:2 = swizzle %0.xy
      %3:2 = fadd %1 %2
      storeOutput color0 %3
      }"
    `);
  });
});

describe('opt-cse', () => {
  it('shares what is visible, whatever the order of commuting operands', () => {
    const text = afterPasses(
      `
      %v:4 = loadInput var0
      %u:4 = loadUniform 1
      %a:4 = fmul %v %u
      %w:4 = loadUniform 1
      %b:4 = fmul %w %v
      %x = fdot %a %b
      %zero = const 0.0
      %c:b = flt %x %zero
      if %c {
        %d:4 = fneg %v
        storeOutput color0 %d
      } else {
        %e:4 = fneg %v
        storeOutput color0 %e
      }`,
      optCse,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      b0:
      %0:4 = loadInput var0
      %1:4 = loadUniform 1
      %2:4 = fmul %0 %1
      %3 = fdot %2 %2
      %4 = const 0
      %5:b = flt %3 %4
      if %5 {
      b1:
      %6:4 = fneg %0
      storeOutput color0 %6
      } else {
      b2:
      %7:4 = fneg %0
      storeOutput color0 %7
      }
      b3:
      }"
    `);
  });
});

describe('opt-algebraic', () => {
  it('applies rules to what rules have made', () => {
    const text = afterPasses(
      `
      %v = loadInput var0
      %i = f2i %v
      %three = const 3
      %a = isub %i %three
      %b = iadd %a %three
      %f = i2f %b
      %one = const 1.0
      %g = fdiv %one %f
      storeOutput color0 %g`,
      optAlgebraic,
      optDeadCode,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      b0:
      %0 = loadInput var0
      %1 = f2i %0
      %2 = i2f %1
      %3 = frcp %2
      storeOutput color0 %3
      }"
    `);
  });
});

describe('lowerings', () => {
  const edges = [
    0,
    -0,
    0.3,
    -1,
    1,
    0.5,
    70000,
    -70000,
    65519,
    65520,
    6e-8,
    -3e-5,
    1e-7,
    2.5,
    Infinity,
    -Infinity,
    NaN,
    99,
  ];

  function make(build: (b: ReturnType<typeof createBuilder>) => void): Shader {
    const shader = createShader('fragment');
    build(createBuilder(shader));
    return shader;
  }

  /** The outputs for some values of var0.x (and scrambled bits in var0.y), before and after a pass. */
  function both(build: (b: ReturnType<typeof createBuilder>) => void, pass: (shader: Shader) => boolean): number[][] {
    const lowered = make(build);
    expect(pass(lowered)).toBe(true);
    return [make(build), lowered].map((shader) =>
      Array.from({ length: 5 }, (_, group) => {
        const input = (_slot: string, lane: number, words: Uint32Array) => {
          new Float32Array(words.buffer).fill(edges[(group * 4 + lane) % edges.length]!);
          words[1] = Math.imul(words[0]!, 0x9e3779b1);
        };
        return Array.from(interpret(shader, { lanes: 4, input }).outputs.get('color0')!);
      }).flat(),
    );
  }

  it.each(['packSnorm2x16', 'packUnorm2x16', 'packHalf2x16'] as const)('%s keeps its bits', (op) => {
    const [plain, lowered] = both((b) => b.storeOutput('color0', b[op](b.splat(b.loadInput('var0', 1), 2))), lowerPack);
    expect(lowered).toEqual(plain);
  });

  it.each(['unpackSnorm2x16', 'unpackUnorm2x16', 'unpackHalf2x16'] as const)('%s keeps its bits', (op) => {
    const [plain, lowered] = both((b) => b.storeOutput('color0', b[op](b.loadInput('var0', 1, 1))), lowerPack);
    expect(lowered).toEqual(plain);
  });

  const unary = ['fexp2', 'flog2', 'fsin', 'fcos', 'ftan', 'fasin', 'facos', 'fatan'] as const;
  it.each(unary)('%s keeps its bits', (op) => {
    const [plain, lowered] = both((b) => b.storeOutput('color0', b[op](b.loadInput('var0', 1))), lowerTranscendentals);
    expect(lowered).toEqual(plain);
  });

  it.each(['fpow', 'fatan2'] as const)('%s keeps its bits', (op) => {
    const build = (b: ReturnType<typeof createBuilder>) => {
      const x = b.loadInput('var0', 1);
      b.storeOutput('color0', b[op](b.fabs(x), b.fadd(x, b.constFloat(1))));
    };
    const [plain, lowered] = both(build, lowerTranscendentals);
    expect(lowered).toEqual(plain);
  });
});

describe('gather-info', () => {
  it('lists what a shader uses', () => {
    const shader = shaderOf(`
      %v:2 = loadInput var0
      %t:4 = tex sample 0 2d float coord %v
      %i = const 2
      %u:4 = loadUniform 3 %i range 5
      discard
      storeOutput color0 %t`);
    gatherInfo(shader);
    expect(shader.usage).toMatchObject({
      discard: true,
      derivatives: true,
      uniformSlots: 8,
      instructions: 6,
      loops: 0,
    });
    expect([...shader.usage.samplers, ...shader.usage.inputs, ...shader.usage.outputs]).toEqual([0, 'var0', 'color0']);
  });
});
