// Baselines: what entries cost in calibration kernels, and which of them have become slower.

export interface Baselines {
  /** Where and when they were measured. */
  readonly measured: Readonly<Record<string, string>>;
  readonly size: string;
  /** The fastest round's median frame by the calibration kernel's fastest time, by entry. */
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

/** Rounds of entries. Other work on the machine only ever makes a round slower, so the fastest one counts. */
export class BestTimes {
  readonly #times = new Map<string, { frame: number; calibration: number }>();

  add(title: string, frameMs: number, calibrationMs: number): void {
    const before = this.#times.get(title) ?? { frame: Infinity, calibration: Infinity };
    this.#times.set(title, {
      frame: Math.min(before.frame, frameMs),
      calibration: Math.min(before.calibration, calibrationMs),
    });
  }

  ratios(): Map<string, number> {
    return new Map([...this.#times].map(([title, { frame, calibration }]) => [title, frame / calibration]));
  }
}
