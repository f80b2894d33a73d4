// Passes on control flow, in text form.
import { describe, expect, it } from 'vitest';
import { gatherUniform } from './gather-uniform.ts';
import { lowerContinues } from './lower-continues.ts';
import { lowerReturns } from './lower-returns.ts';
import { lowerVariablesToSsa } from './lower-variables-to-ssa.ts';
import { optDeadCode } from './opt-dead-code.ts';
import { optDeadControlFlow } from './opt-dead-control-flow.ts';
import { optIfToSelect } from './opt-if-to-select.ts';
import { optInline } from './opt-inline.ts';
import { optLoopInvariant } from './opt-loop-invariant.ts';
import { optLoopUnroll } from './opt-loop-unroll.ts';
import { afterPasses } from './testing.ts';

describe('lower-returns', () => {
  it('moves what follows a return to the other side', () => {
    const text = afterPasses(
      `
  %x = loadInput var0
  %z = const 0.0
  %c:b = flt %x %z
  if %c {
    storeOutput color0 %z
    return
  }
  storeOutput color0 %x`,
      lowerReturns,
      lowerVariablesToSsa,
      optDeadCode,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      b0:
      %0 = loadInput var0
      %1 = const 0
      %2:b = flt %0 %1
      if %2 {
      b1:
      storeOutput color0 %1
      } else {
      b2:
      storeOutput color0 %0
      }
      b3:
      }"
    `);
  });

  it('leaves a loop by a flag', () => {
    const text = afterPasses(
      `
  %x = loadInput var0
  %z = const 0.0
  %c:b = flt %x %z
  loop {
    if %c {
      return
    }
    break
  }
  storeOutput color0 %x`,
      lowerReturns,
      lowerVariablesToSsa,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      b0:
      %0:b = const false
      %1 = loadInput var0
      %2 = const 0
      %3:b = flt %1 %2
      loop {
      b1:
      %4:b = phi b0 %0
      if %3 {
      b2:
      %5:b = const true
      break
      } else {
      b3:
      }
      b4:
      break
      }
      b5:
      %6:b = phi b2 %5, b4 %4
      %7:b = lnot %6
      if %7 {
      b6:
      storeOutput color0 %1
      } else {
      b7:
      }
      b8:
      }"
    `);
  });
});

describe('lower-continues', () => {
  it('moves what a continue skips, and appends continuing', () => {
    const text = afterPasses(
      `
  %x = loadInput var0
  %z = const 0.0
  %c:b = flt %x %z
  loop {
    if %c {
      continue
    }
    storeOutput color0 %x
  } continuing {
    storeOutput color0 %z
  }`,
      lowerContinues,
      lowerVariablesToSsa,
      optDeadCode,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      b0:
      %0 = loadInput var0
      %1 = const 0
      %2:b = flt %0 %1
      loop {
      b1:
      if %2 {
      b2:
      } else {
      b3:
      storeOutput color0 %0
      }
      b4:
      storeOutput color0 %1
      }
      b5:
      }"
    `);
  });
});

describe('opt-inline', () => {
  it('replaces calls by bodies that work on the arguments', () => {
    const text = afterPasses(
      `function f(inout p: float) {
  temporary t: float
  %a = loadVar p
  %b = fadd %a %a
  storeVar t %b
  storeVar p %b
}
function main() {
  temporary v: float
  %x = loadInput var0
  storeVar v %x
  call f(v)
  %y = loadVar v
  storeOutput color0 %y
}`,
      optInline,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      temporary v: float
      temporary t: float
      b0:
      %0 = loadInput var0
      storeVar v %0
      %1 = loadVar v
      %2 = fadd %1 %1
      storeVar t %2
      storeVar v %2
      %3 = loadVar v
      storeOutput color0 %3
      }"
    `);
  });
});

describe('opt-dead-control-flow', () => {
  it('keeps the way that is taken', () => {
    const text = afterPasses(
      `
  %x = loadInput var0
  %t:b = const true
  if %t {
  b1:
    %a = fneg %x
  } else {
  b2:
    %b = fabs %x
  }
  %p = phi b1 %a, b2 %b
  loop {
    storeOutput color0 %p
    if %t {
      break
    }
  }`,
      optDeadControlFlow,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      b0:
      %0 = loadInput var0
      %1:b = const true
      %2 = fneg %0
      storeOutput color0 %2
      }"
    `);
  });
});

describe('opt-if-to-select', () => {
  it('computes both cheap sides', () => {
    const text = afterPasses(
      `
  %x = loadInput var0
  %z = const 0.0
  %c:b = flt %x %z
  if %c {
  b1:
    %a = fneg %x
  } else {
  b2:
  }
  %p = phi b1 %a, b2 %x
  if %c {
    discard
  }
  storeOutput color0 %p`,
      optIfToSelect,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      b0:
      %0 = loadInput var0
      %1 = const 0
      %2:b = flt %0 %1
      %3 = fneg %0
      %4 = select %2 %3 %0
      discard %2
      storeOutput color0 %4
      }"
    `);
  });
});

describe('opt-loop-unroll', () => {
  it('repeats a body whose trips are known', () => {
    const text = afterPasses(
      `
  b0:
  %x = loadInput var0
  %zero = const 0
  %three = const 3
  loop {
  b1:
    %i = phi b0 %zero, b3 %n
    %s = phi b0 %x, b3 %t
    %c:b = ige %i %three
    if %c {
    b2:
      break
    }
  b3:
    %t = fmul %s %x
    %one = const 1
    %n = iadd %i %one
  }
  %r = phi b2 %s
  storeOutput color0 %r`,
      optLoopUnroll,
      optDeadCode,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      b0:
      %0 = loadInput var0
      %1 = fmul %0 %0
      %2 = fmul %1 %0
      %3 = fmul %2 %0
      storeOutput color0 %3
      }"
    `);
  });
});

describe('opt-loop-invariant', () => {
  it('computes what does not change in front of the loop', () => {
    const text = afterPasses(
      `
  b0:
  %x = loadInput var0
  loop {
  b1:
    %s = phi b0 %x, b3 %t
    %u = loadUniform 1
    %v = fmul %u %x
    %c:b = fge %s %v
    if %c {
    b2:
      break
    }
  b3:
    %t = fadd %s %v
  }
  %r = phi b2 %s
  storeOutput color0 %r`,
      optLoopInvariant,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      b0:
      %0 = loadInput var0
      %1 = loadUniform 1
      %2 = fmul %1 %0
      loop {
      b1:
      %3 = phi b0 %0, b4 %5
      %4:b = fge %3 %2
      if %4 {
      b2:
      break
      } else {
      b3:
      }
      b4:
      %5 = fadd %3 %2
      }
      b5:
      %6 = phi b2 %3
      storeOutput color0 %6
      }"
    `);
  });
});

describe('gather-uniform', () => {
  it('marks what all lanes share', () => {
    const text = afterPasses(
      `
  b0:
  %x = loadInput var0
  %u = loadUniform 1
  %c:b = flt %u %x
  %d:b = flt %u %u
  if %c {
  b1:
  } else {
  b2:
  }
  %p = phi b1 %u, b2 %u
  if %d {
  b3:
  } else {
  b4:
  }
  %q = phi b3 %u, b4 %u
  loop {
    if %d {
      break
    }
  }
  loop {
    if %c {
      break
    }
  }
  storeOutput color0 %q`,
      gatherUniform,
    );
    expect(text).toMatchInlineSnapshot(`
      "function main() {
      b0:
      %0 = loadInput var0
      %1 = loadUniform 1 # uniform
      %2:b = flt %1 %0
      %3:b = flt %1 %1 # uniform
      if %2 {
      b1:
      } else {
      b2:
      }
      b3:
      %4 = phi b1 %1, b2 %1
      if %3 { # uniform
      b4:
      } else {
      b5:
      }
      b6:
      %5 = phi b4 %1, b5 %1 # uniform
      loop { # uniform
      b7:
      if %3 { # uniform
      b8:
      break
      } else {
      b9:
      }
      b10:
      }
      b11:
      loop {
      b12:
      if %2 {
      b13:
      break
      } else {
      b14:
      }
      b15:
      }
      b16:
      storeOutput color0 %5
      }"
    `);
  });
});
