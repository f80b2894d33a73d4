// The processor time that a process has taken, so that patience does not depend on what else the machine does.

import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the kernel's own clock (USER_HZ). */
const TICK_MS = 10;

/** Milliseconds of all threads of a process in user and kernel mode; null where the system does not tell. */
export function processTimeMs(pid: number): number | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name in parentheses may hold spaces; behind it stand the state (field 3) and what follows: utime is 14, stime 15.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Without the processor time that a case may take, it may take so many times as long by the clock. */
const STARVED = 10;

/** Says when a process has had its time: by the processor time it took, or where that is unknown or stands still, by the clock. */
export class Patience {
  readonly #pid: number;
  readonly #limitMs: number;
  #cpu: number | null;
  #start: number;

  constructor(pid: number, limitMs: number) {
    this.#pid = pid;
    this.#limitMs = limitMs;
    this.#cpu = processTimeMs(pid);
    this.#start = performance.now();
  }

  /** Milliseconds after which to look again; 0: the time is over. */
  remainingMs(now = performance.now()): number {
    const waited = now - this.#start;
    const used = this.#cpu === null ? null : processTimeMs(this.#pid);
    if (this.#cpu === null || used === null) return Math.max(0, this.#limitMs - waited);
    if (waited >= this.#limitMs * STARVED) return 0;
    return Math.max(0, this.#limitMs - waited, this.#limitMs - (used - this.#cpu));
  }
}
