import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseBaseline } from '../runner/baseline.ts';

it('every page that is expected to fail has a reason', () => {
  const entries = parseBaseline(readFileSync(new URL('expected-failures.txt', import.meta.url), 'utf8'));
  expect(entries.map(({ pattern }) => pattern)).toEqual(
    entries.map(() => expect.stringMatching(/^conformance2?\/.*\.html$/)),
  );
});
