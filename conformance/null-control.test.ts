// The negative control on a part of the cases; `npm run control` runs it on all.

import { expect, it } from 'vitest';
import { runNullControl } from './null-control.ts';

const PARTS = 199;

it('no case that looks at pictures passes where nothing is drawn', () => {
  const { run, wrong } = runNullControl(13, PARTS);
  expect(run).toBeGreaterThan(150);
  expect(wrong).toEqual([]);
}, 600_000);
