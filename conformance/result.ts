// What running a case gives, and sums of it.

export type CaseStatus = 'passed' | 'failed' | 'skipped';

/** RGBA, 8 bits a channel, GL's row order: the bottom row first. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export interface CasePictures {
  readonly result: Picture;
  readonly reference: Picture;
  readonly difference: Picture;
}

export interface CaseResult {
  readonly name: string;
  readonly status: CaseStatus;
  /** Why it failed or was skipped; empty when it passed. */
  readonly message: string;
  readonly milliseconds?: number;
  /** Comparisons of what was drawn, when there were any: a case that has them must fail where nothing is drawn. */
  readonly pictureComparisons?: number;
  /** Runs that it took, when more than one. */
  readonly attempts?: number;
  readonly pictures?: CasePictures;
  /** In a record: there were pictures, which it does not hold. */
  readonly hasPictures?: boolean;
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
