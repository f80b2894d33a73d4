import { expect, test } from 'vitest';
import { floatToHalf, halfToFloat } from './half.ts';

test('every half survives a round trip', () => {
  for (let bits = 0; bits < 0x10000; bits++) {
    const value = halfToFloat(bits);
    if (Number.isNaN(value)) expect(floatToHalf(value)).toBe(0x7e00);
    else if (floatToHalf(value) !== bits) throw new Error(`half ${bits.toString(16)}`);
  }
});

test('values between two halves round to nearest, ties to even', () => {
  for (let bits = 0; bits < 0x7bff; bits++) {
    const low = halfToFloat(bits);
    const high = halfToFloat(bits + 1);
    const middle = (low + high) / 2;
    const even = bits & 1 ? bits + 1 : bits;
    if (floatToHalf(middle) !== even) throw new Error(`tie above ${bits.toString(16)}`);
    if (floatToHalf(low + (high - low) * 0.4999) !== bits) throw new Error(`below the tie ${bits.toString(16)}`);
    if (floatToHalf(low + (high - low) * 0.5001) !== bits + 1) throw new Error(`above the tie ${bits.toString(16)}`);
  }
});

test('overflow and specials', () => {
  expect(floatToHalf(65519.996)).toBe(0x7bff);
  expect(floatToHalf(65520)).toBe(0x7c00);
  expect(floatToHalf(-1e30)).toBe(0xfc00);
  expect(floatToHalf(Number.POSITIVE_INFINITY)).toBe(0x7c00);
  expect(floatToHalf(-0)).toBe(0x8000);
  expect(floatToHalf(2 ** -25)).toBe(0);
  expect(floatToHalf(2 ** -25 * 1.0001)).toBe(1);
  expect(halfToFloat(0x3c00)).toBe(1);
});
