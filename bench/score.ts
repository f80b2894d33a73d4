// The score of a list, as glmark2 computes it: whole frames a second, summed over the entries that ran, by their number.

export interface Scored {
  readonly status: string;
  readonly fps: number;
}

export function computeScore(results: readonly Scored[]): number {
  const ran = results.filter(({ status }) => status === 'success');
  if (ran.length === 0) return 0;
  return Math.floor(ran.reduce((sum, { fps }) => sum + Math.floor(fps), 0) / ran.length);
}
