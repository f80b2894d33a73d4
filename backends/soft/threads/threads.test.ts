// Pictures are the same with any number of threads. Runs on dist: Node 20 cannot start a worker from TypeScript.

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ThreadReport } from './testing.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAM = join(ROOT, 'dist/backends/soft/threads/testing.js');

/** Whether everything that dist is built from here is older. */
function isFresh(): boolean {
  if (!existsSync(PROGRAM)) return false;
  const built = statSync(PROGRAM).mtimeMs;
  return ['backends/soft', 'src'].every((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .filter((name) => String(name).endsWith('.ts'))
      .every((name) => statSync(join(ROOT, folder, String(name))).mtimeMs < built),
  );
}

async function report(threads: number): Promise<ThreadReport> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, String(threads)]);
  return JSON.parse(stdout) as ThreadReport;
}

/** The same with all of it in a worker thread, whose main thread does nothing: its pool is its own. */
async function reportOfWorker(threads: number): Promise<ThreadReport> {
  const start = `new (require('node:worker_threads').Worker)(${JSON.stringify(PROGRAM)}, { argv: ['${threads}'] })`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', start]);
  return JSON.parse(stdout) as ThreadReport;
}

describe.skipIf(!isFresh())('threads (of dist: `npm run build` first)', () => {
  it('1, 2, 3 and 8 of them give the same bytes and counts, and 2 of a worker thread', {
    timeout: 400_000,
  }, async () => {
    const alone = await report(1);
    expect(alone.beats).toBe(0);
    for (const threads of [2, 3, 8]) {
      const { results, beats, warnings } = await report(threads);
      expect(results).toEqual(alone.results);
      expect(warnings).toEqual([]);
      expect(beats).toBeGreaterThan(0);
    }
    const inWorker = await reportOfWorker(2);
    expect(inWorker.results).toEqual(alone.results);
    expect(inWorker.warnings).toEqual([]);
    expect(inWorker.beats).toBeGreaterThan(0);
  });
});
