// Cuts a case down crudely: leaves out runs of parts, half of them first, then ever less, as long as the same fault stays.
// What comes out has shown the fault twice: a busy machine lets a harmless or invalid rest look like a hang.

import type { Backend } from '../../src/pipe/pipe.ts';
import { type Finding, findingOf, signature } from './fault.ts';
import { type FuzzCase, partsOf, runCase, withParts } from './fuzz-case.ts';
import { type ProcessOptions, runOne } from './fuzz-process.ts';

type Attempt = (theCase: FuzzCase) => Promise<Finding | null>;

export async function minimise(
  theCase: FuzzCase,
  finding: Finding,
  attempt: Attempt,
  budgetMs: number,
): Promise<FuzzCase> {
  const wanted = signature(finding);
  const isSame = (found: Finding | null): boolean =>
    found !== null && found.kind === finding.kind && signature(found) === wanted;
  const end = performance.now() + budgetMs;
  let best = theCase;
  let parts = partsOf(theCase);
  for (let size = Math.ceil(parts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = parts.length - size; at > -size; at -= size) {
      if (performance.now() > end) break;
      const from = Math.max(at, 0);
      const shorter = [...parts.slice(0, from), ...parts.slice(at + size)];
      const candidate = withParts(best, shorter);
      if (!isSame(await attempt(candidate))) continue;
      best = candidate;
      parts = shorter;
    }
  }
  return best === theCase || isSame(await attempt(best)) ? best : theCase;
}

/** How to try a candidate: exceptions in this process, what ends or blocks a process in one of its own. */
export function attemptFor(finding: Finding, backend: Backend, options: ProcessOptions): Attempt {
  if (finding.kind === 'hang' || finding.kind === 'crash') return (theCase) => runOne(theCase, options);
  return async (theCase) => {
    try {
      await runCase(theCase, backend);
      return null;
    } catch (error) {
      return findingOf(error);
    }
  };
}
