// Measured errors of the built-in functions against double precision.
import { describe, expect, it } from 'vitest';
import * as math from './scalar-math.ts';

const floats = new Float32Array(1);
const ints = new Uint32Array(floats.buffer);

/** Distance of neighbouring floats at x. */
function ulp(x: number): number {
  floats[0] = Math.abs(x);
  return 2 ** (Math.max((ints[0]! >>> 23) - 127, -126) - 23);
}

function measure(f: (x: number) => number, exact: (x: number) => number, low: number, high: number) {
  let ulps = 0;
  let absolute = 0;
  for (let i = 0; i <= 40_000; i++) {
    const x = Math.fround(low + ((high - low) * i) / 40_000);
    const error = Math.abs(f(x) - exact(x));
    ulps = Math.max(ulps, error / ulp(exact(x)));
    absolute = Math.max(absolute, error);
  }
  return { ulps, absolute };
}

describe('built-in functions', () => {
  it.each([
    ['exp2', math.exp2, (x: number) => 2 ** x, -126, 127.5, 2],
    ['exp2', math.exp2, (x: number) => 2 ** x, 127.5, 127.99, 100],
    ['log2', math.log2, Math.log2, 1e-30, 0.5, 2],
    ['log2', math.log2, Math.log2, 0.5, 2, 4],
    ['log2', math.log2, Math.log2, 2, 1e30, 2],
    ['tan', math.tan, Math.tan, -1.5, 1.5, 4],
    ['asin', math.asin, Math.asin, -1, 1, 3],
    ['acos', math.acos, Math.acos, -1, 1, 3],
    ['atan', math.atan, Math.atan, -10, 10, 3],
    ['atan', math.atan, Math.atan, -1e6, 1e6, 3],
    ['atan2', (x: number) => math.atan2(x, -2), (x: number) => Math.atan2(x, -2), -10, 10, 3],
  ])('%s stays within its ulps', (_, f, exact, low, high, ulps) => {
    expect(measure(f, exact, low, high).ulps).toBeLessThan(ulps);
  });

  it.each([
    ['sin', math.sin, Math.sin, Math.PI],
    ['cos', math.cos, Math.cos, Math.PI],
    ['sin', math.sin, Math.sin, 1e5],
    ['cos', math.cos, Math.cos, 1e5],
  ])('%s is right to 2^-22', (_, f, exact, range) => {
    expect(measure(f, exact, -range, range).absolute).toBeLessThan(2 ** -22);
  });

  it('pow grows its error with the exponent only', () => {
    for (const base of [0.1, 0.9, 3, 17]) {
      for (let y = -20; y <= 20; y += 0.37) {
        const [b, e] = [Math.fround(base), Math.fround(y)];
        const exact = b ** e;
        expect(Math.abs(math.pow(b, e) - exact) / ulp(exact)).toBeLessThan(2.5 + Math.abs(e * Math.log2(b)));
      }
    }
  });

  it('hits the points that people look at', () => {
    const { exp2, log2, pow, sin, cos, asin, acos, atan, atan2 } = math;
    expect([sin(0), cos(0), asin(0), acos(1), atan(0), atan2(0, 1), exp2(0), log2(1)]).toEqual([
      0, 1, 0, 0, 0, 0, 1, 0,
    ]);
    expect([pow(0, 0), pow(0, 2), pow(5, 0), pow(2, 10), pow(2, -3), pow(3, 2)]).toEqual([1, 0, 1, 1024, 0.125, 9]);
    expect([exp2(7), exp2(-126), exp2(-127), exp2(200), exp2(-200), log2(8), log2(2 ** -20)]).toEqual([
      128,
      2 ** -126,
      0,
      Infinity,
      0,
      3,
      -20,
    ]);
    expect([log2(0), log2(Infinity), exp2(-Infinity), exp2(Infinity)]).toEqual([-Infinity, Infinity, 0, Infinity]);
    expect([asin(1), acos(-1), atan2(0, -1), atan2(-0, -1)].map((x) => x.toFixed(6))).toEqual(
      [Math.PI / 2, Math.PI, Math.PI, -Math.PI].map((x) => x.toFixed(6)),
    );
    expect([log2(-1), pow(-2, 2), asin(1.5), exp2(NaN)]).toEqual([NaN, NaN, NaN, NaN]);
  });

  it('stays within [-1, 1] whatever the argument', () => {
    for (let exponent = -10; exponent < 127; exponent++) {
      for (const x of [2 ** exponent, -1.7 * 2 ** exponent].map(Math.fround)) {
        expect(Math.abs(math.sin(x))).toBeLessThanOrEqual(1);
        expect(Math.abs(math.cos(x))).toBeLessThanOrEqual(1);
      }
    }
  });
});
