// Passes on variables, in text form.
import { describe, expect, it } from 'vitest';
import { lowerLocalArrays } from './lower-local-arrays.ts';
import { lowerVariablesToSsa } from './lower-variables-to-ssa.ts';
import { optDeadCode } from './opt-dead-code.ts';
import { splitVariables } from './split-variables.ts';
import { afterPasses } from './testing.ts';

describe('lower-variables-to-ssa', () => {
  it('carries values through loops by phis', () => {
    const text = afterPasses(
      `
  temporary v: float2
  temporary i: int
  %x = loadInput var0
  %zero = const 0
  %four = const 4
  storeVar v[0] %x
  storeVar i %zero
  loop {
    %i = loadVar i
    %c:b = ige %i %four
    if %c {
      break
    }
    %a = loadVar v[0]
    %b = fmul %a %a
    storeVar v[1] %b
    %one = const 1
    %n = iadd %i %one
    storeVar i %n
  }
  %r:2 = loadVar v
  storeOutput color0 %r`,
      lowerVariablesToSsa,
      optDeadCode,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      b0:
      %0:2 = undef
      %1 = loadInput var0
      %2 = const 0
      %3 = const 4
      %4 = swizzle %0.y
      %5:2 = vec %1 %4
      loop {
      b1:
      %6:2 = phi b0 %5, b4 %12
      %7 = phi b0 %2, b4 %14
      %8:b = ige %7 %3
      if %8 {
      b2:
      break
      } else {
      b3:
      }
      b4:
      %9 = swizzle %6.x
      %10 = fmul %9 %9
      %11 = swizzle %6.x
      %12:2 = vec %11 %10
      %13 = const 1
      %14 = iadd %7 %13
      }
      b5:
      %15:2 = phi b2 %6
      storeOutput color0 %15
      }"
    `);
  });
});

describe('split-variables', () => {
  it('leaves arrays only where an index is dynamic', () => {
    const text = afterPasses(
      `
  temporary s: S{a: float2, b: float[6]}[2]
  %i:4 = loadInput var0
  %x = swizzle %i.x
  %k = f2i %x
  storeVar s[1][0][1] %x
  storeVar s[0][1][%k] %x
  %y = loadVar s[0][1][%k]
  %z = loadVar s[1][0][1]
  %r = fadd %y %z
  storeOutput color0 %r`,
      (s) => splitVariables(s, { final: true }),
      lowerLocalArrays,
      lowerVariablesToSsa,
      optDeadCode,
    );
    expect(text).toMatchInlineSnapshot(`
      "local 6 1 "s_0_b"
      function main() {
      b0:
      %0:2 = undef
      %1:4 = loadInput var0
      %2 = swizzle %1.x
      %3 = f2i %2
      %4 = swizzle %0.x
      %5:2 = vec %4 %2
      storeLocal 0 %3 %2
      %6 = loadLocal 0 %3
      %7 = swizzle %5.y
      %8 = fadd %6 %7
      storeOutput color0 %8
      }"
    `);
  });
});

describe('opt-dead-code', () => {
  it('drops stores, ifs and loops that nobody sees', () => {
    const text = afterPasses(
      `
  temporary never: float
  %x = loadInput var0
  %y = fadd %x %x
  storeVar never %y
  %z = const 0.0
  %c:b = flt %x %z
  if %c {
    %w = fneg %x
  }
  loop {
    if %c {
      break
    }
  }
  storeOutput color0 %x`,
      optDeadCode,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      b0:
      %0 = loadInput var0
      storeOutput color0 %0
      }"
    `);
  });
});
