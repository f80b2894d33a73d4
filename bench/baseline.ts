// Baselines: what entries cost in calibration kernels, and which of them have become slower.

export interface Baselines {
  /** Where and when they were measured. */
  readonly measured: Readonly<Record<string, string>>;
  readonly size: string;
  /** Median frame by the calibration kernel's time, by entry. */
  readonly ratios: Readonly<Record<string, number>>;
}

/** A growth that counts as slower. */
export const LIMIT = 1.15;

export interface BaselineRow {
  readonly title: string;
  readonly before: number | null;
  readonly now: number;
  /** now / before. */
  readonly change: number;
  readonly isSlower: boolean;
}

export function compareToBaselines(ratios: ReadonlyMap<string, number>, { ratios: kept }: Baselines): BaselineRow[] {
  return [...ratios].map(([title, now]) => {
    const before = Object.hasOwn(kept, title) ? kept[title]! : null;
    const change = before === null ? Number.NaN : now / before;
    return { title, before, now, change, isSlower: change > LIMIT };
  });
}
