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
  /** Lines of failures all of whose cases of this run passed: the baseline should shrink. */
  readonly fixed: FixedLine[];
  /** Cases that passed under a line of which others still fail: the line stays. */
  readonly passedBesideFailures: number;
}

export interface FixedLine {
  readonly pattern: string;
  /** How many of its cases were run. */
  readonly cases: number;
}

export function judgeByBaseline(results: readonly CaseResult[], baseline: readonly BaselineEntry[]): BaselineVerdict {
  const newFailures: CaseResult[] = [];
  const knownFailures: CaseResult[] = [];
  const passed = new Map<BaselineEntry, number>();
  const failing = new Set<BaselineEntry>();
  for (const result of results) {
    const { status, name } = result;
    if (status === 'skipped') continue;
    const entry = baseline.find(
      ({ kind, matches }) => (kind === 'fail' || (kind === 'flake' && status === 'failed')) && matches(name),
    );
    if (status === 'failed') {
      (entry ? knownFailures : newFailures).push(result);
      if (entry) failing.add(entry);
    } else if (entry) passed.set(entry, (passed.get(entry) ?? 0) + 1);
  }
  const fixed = [...passed].filter(([entry]) => !failing.has(entry));
  const beside = [...passed].filter(([entry]) => failing.has(entry));
  return {
    newFailures,
    knownFailures,
    fixed: fixed.map(([{ pattern }, cases]) => ({ pattern, cases })),
    passedBesideFailures: beside.reduce((sum, [, count]) => sum + count, 0),
  };
}
