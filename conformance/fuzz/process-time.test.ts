import { expect, test } from 'vitest';
import { Patience, processTimeMs } from './process-time.ts';

function work(milliseconds: number): void {
  const start = process.cpuUsage().user;
  while (process.cpuUsage().user - start < milliseconds * 1000);
}

test.runIf(process.platform === 'linux')('processor time goes on with work only', () => {
  const before = processTimeMs(process.pid)!;
  work(100);
  expect(processTimeMs(process.pid)! - before).toBeGreaterThanOrEqual(90);
});

test.runIf(process.platform === 'linux')('patience ends with the processor time, or long after the clock', () => {
  const patience = new Patience(process.pid, 200);
  // Starved: the clock has gone on, the process has not worked.
  expect(patience.remainingMs(performance.now() + 1000)).toBeGreaterThan(0);
  expect(patience.remainingMs(performance.now() + 2001)).toBe(0);
  work(250);
  expect(patience.remainingMs()).toBe(0);
});

test('where the system does not tell, the clock decides', () => {
  const patience = new Patience(-1, 1000);
  expect(patience.remainingMs()).toBeGreaterThan(0);
  expect(patience.remainingMs(performance.now() + 1001)).toBe(0);
});
