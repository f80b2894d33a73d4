import { expect, it } from 'vitest';
import { computeScore } from './score.ts';

const ran = (fps: number) => ({ status: 'success', fps });

it('sums whole frames a second and divides without a rest', () => {
  expect(computeScore([ran(100.9), ran(51.2)])).toBe(75);
  expect(computeScore([ran(0.9)])).toBe(0);
});

it('leaves out what did not run', () => {
  expect(computeScore([ran(100), { status: 'failed', fps: 0 }, { status: 'unsupported', fps: 0 }])).toBe(100);
  expect(computeScore([])).toBe(0);
});
