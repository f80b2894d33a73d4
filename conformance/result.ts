// What running a case gives, and sums of it.

export type CaseStatus = 'passed' | 'failed' | 'skipped';

export interface CaseResult {
  readonly name: string;
  readonly status: CaseStatus;
  /** Why it failed or was skipped; empty when it passed. */
  readonly message: string;
}

export interface ResultSummary {
  passed: number;
  failed: number;
  skipped: number;
}

export function summarize(results: readonly CaseResult[]): ResultSummary {
  const summary: ResultSummary = { passed: 0, failed: 0, skipped: 0 };
  for (const { status } of results) summary[status]++;
  return summary;
}
