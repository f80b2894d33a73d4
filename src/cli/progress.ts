// A progress bar on a terminal; nothing in a pipe or in CI.

import cliProgress from 'cli-progress';

export interface Progress {
  /** One more step is done; `label` says what comes next or what was done. */
  step(label: string): void;
  stop(): void;
}

const SILENT: Progress = { step: () => {}, stop: () => {} };

/** A bar of `total` steps on stderr, so that results on stdout stay clean. */
export function startProgress(title: string, total: number): Progress {
  if (!process.stderr.isTTY || total === 0) return SILENT;
  const bar = new cliProgress.SingleBar(
    {
      format: `${title} [{bar}] {value}/{total} {eta_formatted} {label}`,
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(total, 0, { label: '' });
  return {
    step: (label) => bar.increment(1, { label }),
    stop: () => bar.stop(),
  };
}

export interface CaseProgress {
  step(result: { name: string; status: 'passed' | 'failed' | 'skipped' }): void;
  stop(): void;
}

/** A bar for test cases that also counts passes, failures and skips. */
export function startCaseProgress(title: string, total: number): CaseProgress {
  if (!process.stderr.isTTY || total === 0) return SILENT_CASES;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const bar = new cliProgress.SingleBar(
    {
      format: `${title} [{bar}] {value}/{total} pass {passed} fail {failed} skip {skipped} left {eta_formatted} {name}`,
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      etaBuffer: 200,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(total, 0, { ...counts, name: '' });
  return {
    step: ({ name, status }) => {
      counts[status]++;
      bar.increment(1, { ...counts, name });
    },
    stop: () => bar.stop(),
  };
}

const SILENT_CASES: CaseProgress = { step: () => {}, stop: () => {} };

export interface PartialProgress {
  /** `done` steps, with the part of the next one; `total` replaces the number of steps when it is known only now. */
  at(done: number, label: string, total?: number): void;
  stop(): void;
}

/** A bar for long steps of which parts are told. */
export function startPartialProgress(title: string, total: number): PartialProgress {
  if (!process.stderr.isTTY) return { at: () => {}, stop: () => {} };
  const bar = new cliProgress.SingleBar(
    {
      format: `${title} [{bar}] {percentage} % {label}`,
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      // Why: the steps leave no time for a timer, so the bar is drawn when something is told.
      forceRedraw: true,
      synchronousUpdate: true,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(Math.max(total, 1), 0, { label: '' });
  return {
    at(done, label, newTotal) {
      if (newTotal !== undefined) bar.setTotal(newTotal);
      bar.update(done, { label: label.slice(0, 50) });
      bar.render();
    },
    stop: () => bar.stop(),
  };
}
