import { expect, it } from 'vitest';
import { BestTimes, compareToBaselines } from './baseline.ts';
import { calibrate } from './calibration.ts';

it('calls an entry slower above 1.15 times its baseline, and one without a baseline never', () => {
  const baselines = { measured: {}, size: '1x1', ratios: { a: 1, b: 1, c: 1 } };
  const rows = compareToBaselines(
    new Map([
      ['a', 1.1],
      ['b', 1.2],
      ['c', 0.5],
      ['new', 9],
    ]),
    baselines,
  );
  expect(rows.map(({ isSlower }) => isSlower)).toEqual([false, true, false, false]);
  expect(rows[3]!.before).toBeNull();
});

it('forgets rounds that other work made slow, of an entry and of the calibration', () => {
  const times = new BestTimes();
  times.add('a', 9, 2);
  times.add('a', 6, 3);
  times.add('b', 8, 4);
  expect([...times.ratios()]).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
});

it('calibrates in a time that can be measured', () => {
  expect(calibrate()).toBeGreaterThan(0.05);
});
