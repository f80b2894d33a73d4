// The interpreter: lanes, derivatives, loops, variables and calls.
import { describe, expect, it } from 'vitest';
import { type Environment, interpret } from './interpret.ts';
import type { Slot } from './ir.ts';
import { parseShader } from './parse.ts';
import { assertValid } from './validate.ts';

/** Runs a body for a quad whose var0.x is the lane number; the floats of color0.x. */
function run(body: string, header = '', environment: Partial<Environment> = {}) {
  const shader = parseShader(
    `shader fragment\ninput smooth float4 var0\noutput smooth float4 color0\n${header}\n${body}`,
  );
  assertValid(shader);
  const result = interpret(shader, {
    lanes: 4,
    input: (_slot: Slot, lane, words) => new Float32Array(words.buffer).fill(lane),
    ...environment,
  });
  const words = result.outputs.get('color0') ?? new Uint32Array(16);
  const floats = new Float32Array(words.buffer);
  return { ...result, x: [floats[0], floats[4], floats[8], floats[12]] };
}

describe('interpreter', () => {
  it('takes each lane its own way through ifs', () => {
    const { x } = run(`function main() {
      %x = loadInput var0
      %two = const 2.0
      %c:b = flt %x %two
      if %c {
      b1:
        %a = fneg %x
      } else {
      b2:
        %b = fmul %x %x
      }
      %r = phi b1 %a, b2 %b
      storeOutput color0 %r
    }`);
    expect(x).toEqual([-0, -1, 4, 9]);
  });

  it('lets lanes leave a loop at different times, swapping phis at once', () => {
    // (a, b) = (b, a + b), x times.
    const { x } = run(`function main() {
      b0:
      %x = loadInput var0
      %n = f2i %x
      %zero = const 0
      %one = const 1
      loop {
      b1:
        %i = phi b0 %zero, b3 %next
        %a = phi b0 %zero, b3 %b
        %b = phi b0 %one, b3 %sum
        %done:b = ige %i %n
        if %done {
        b2:
          break
        }
      b3:
        %sum = iadd %a %b
        %next = iadd %i %one
      }
      %r = phi b2 %b
      %f = i2f %r
      storeOutput color0 %f
    }`);
    expect(x).toEqual([1, 1, 2, 3]);
  });

  it('derives across the quad', () => {
    const { x } = run(`function main() {
      %x = loadInput var0
      %xx = fmul %x %x
      %dx = fddx %xx
      %dy = fddy %xx
      %ten = const 10.0
      %s = fmul %dy %ten
      %r = fadd %dx %s
      storeOutput color0 %r
    }`);
    expect(x).toEqual([41, 81, 45, 85]);
  });

  it('keeps neighbours of discarded lanes right and their stores out', () => {
    const result = run(`function main() {
      %x = loadInput var0
      %one = const 1.0
      %c:b = feq %x %one
      discard %c
      %d = fddx %x
      storeOutput color0 %d
    }`);
    expect(result.discarded).toBe(0b0010);
    expect(result.x).toEqual([1, 0, 1, 1]);
  });

  it('runs calls on the variables of the caller, with returns and continues', () => {
    const { x } = run(
      `function sum(in n: float; out result: float) {
        temporary i: float
        %zero = const 0.0
        %one = const 1.0
        storeVar result %zero
        storeVar i %zero
        loop {
          %i = loadVar i
          %n = loadVar n
          %go:b = flt %i %n
          if %go {
          } else {
            return
          }
          %is1:b = feq %i %one
          if %is1 {
            continue
          }
          %r = loadVar result
          %ten = const 10.0
          %t = fadd %r %ten
          storeVar result %t
        } continuing {
          %j = loadVar i
          %k = fadd %j %one
          storeVar i %k
        }
      }
      function main() {
        temporary n: float
        temporary r: float
        %x = loadInput var0
        storeVar n %x
        call sum(n, r)
        %r = loadVar r
        storeOutput color0 %r
      }`,
    );
    expect(x).toEqual([0, 10, 10, 20]);
  });

  it('clamps indices and offsets', () => {
    const uniforms = new Uint32Array(new Float32Array([1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]).buffer);
    const { x } = run(
      `function main() {
        temporary a: float2[2]
        %x = loadInput var0
        %i = f2i %x
        %u = loadUniform 1 %i range 2
        %v:2 = vec %u %x
        storeVar a[%i] %v
        %big = const -1
        %last = loadVar a[%big][0]
        storeOutput color0 %last
      }`,
      'uniforms 3',
      { uniforms },
    );
    expect(x).toEqual([0, 3, 3, 3]);
  });

  it('stops endless shaders', () => {
    const result = run('function main() {\nloop {\n}\n}', '', { stepLimit: 1000 });
    expect(result.timedOut).toBe(true);
  });
});
