// What is emitted ahead of a loop while its body is.
import { describe, expect, it } from 'vitest';
import type { Local } from './expr.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { ModuleBuilder } from './module-builder.ts';

/** Calls a function (i32, i32) → i32 that a body is emitted into. */
function run(emit: (f: FunctionBuilder, a: Local<'i32'>, b: Local<'i32'>) => void, a: number, b: number) {
  const module = new ModuleBuilder();
  const f = module.function('f', ['i32', 'i32'], ['i32'], { exported: true });
  emit(f, f.param('i32', 0), f.param('i32', 1));
  const bytes = module.build();
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  return { result: (exports['f'] as (a: number, b: number) => number)(a, b), size: bytes.length };
}

/** Sum over `count` rounds of a · 2 + 3, lane 1 of vectors, with another variable of the body in use before the constant is named. */
function sum(takesConstants: boolean) {
  return run(
    (f, a, count) => {
      const total = f.local('i32', 0);
      f.beginAhead(takesConstants);
      f.doWhile(count, count, () => {
        f.scope(() => {
          const other = f.let(f.i32x4.splat(count));
          f.set(total, f.i32.add(total, f.i32x4.extract_lane(other, 0)));
        });
        const twice = f.emitAhead(() => f.let(f.i32x4.mul(f.i32x4.splat(a), f.i32x4.const(2))));
        for (let i = 0; i < 4; i++) {
          f.set(total, f.i32.add(total, f.i32x4.extract_lane(f.i32x4.add(twice, f.i32x4.const(0, 3, 0, 0)), 1)));
        }
        f.set(count, f.i32.sub(count, 1));
      });
      f.endAhead();
      f.return(total);
    },
    5,
    3,
  );
}

describe('emission ahead of a loop', () => {
  it('computes the same, with constants in locals and without', () => {
    const expected = 3 * 4 * (5 * 2 + 3) + 3 + 2 + 1;
    expect(sum(true).result).toBe(expected);
    expect(sum(false).result).toBe(expected);
  });

  it('makes each constant once', () => {
    expect(sum(false).size - sum(true).size).toBeGreaterThan(3 * 16 - 12);
  });

  it('emits in place outside of it', () => {
    const { result } = run((f, a, b) => f.return(f.emitAhead(() => f.let(f.i32.add(a, b)))), 5, 7);
    expect(result).toBe(12);
  });
});
