// What is known of a backend: cases that fail, are not run, or fail now and then; each with its reason.
//
//   fail  dEQP-GLES3.functional.some.case   # why
//   skip  dEQP-GLES3.functional.slow.*      # why
//   flake dEQP-GLES2.functional.…           # why

import { nameMatcher } from '../deqp-data/cases.ts';
import type { CaseResult } from '../result.ts';

export type BaselineKind = 'fail' | 'skip' | 'flake';

export interface BaselineEntry {
  readonly kind: BaselineKind;
  readonly pattern: string;
  readonly reason: string;
  readonly matches: (name: string) => boolean;
}

/** Parses a baseline. A line without a reason is an error: nobody could judge it later. */
export function parseBaseline(text: string, file = 'baseline'): BaselineEntry[] {
  const entries: BaselineEntry[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const match = /^(fail|skip|flake)\s+(\S+)\s+#\s*(\S.*)$/.exec(line.trim());
    if (!match) throw new Error(`${file}:${index + 1}: give 'fail|skip|flake NAME # reason', not '${line.trim()}'`);
    const [, kind, pattern, reason] = match;
    entries.push({ kind: kind as BaselineKind, pattern: pattern!, reason: reason!, matches: nameMatcher(pattern!) });
  }
  return entries;
}

export interface BaselineVerdict {
  /** Failures that the baseline does not know: the run is bad. */
  readonly newFailures: CaseResult[];
  readonly knownFailures: CaseResult[];
  /** Passed though listed as failing: the baseline should shrink. */
  readonly fixed: CaseResult[];
}

export function judgeByBaseline(results: readonly CaseResult[], baseline: readonly BaselineEntry[]): BaselineVerdict {
  const verdict: BaselineVerdict = { newFailures: [], knownFailures: [], fixed: [] };
  const find = (name: string, kinds: readonly BaselineKind[]) =>
    baseline.find((entry) => kinds.includes(entry.kind) && entry.matches(name));
  for (const result of results) {
    if (result.status === 'failed')
      (find(result.name, ['fail', 'flake']) ? verdict.knownFailures : verdict.newFailures).push(result);
    else if (result.status === 'passed' && find(result.name, ['fail'])) verdict.fixed.push(result);
  }
  return verdict;
}
