// The process in which cases run: a crash or a hang ends it and not the fuzzer.

import { LOOPS } from '../../backends/soft/threads/tile-runner.ts';
import { PATIENCE } from '../../backends/soft/vertex-observer.ts';
import { openBackend } from '../../src/open-backend.ts';
import type { Backend } from '../../src/pipe/pipe.ts';
import type { CallCounts } from './api-run.ts';
import { Fault, type Finding, findingOf } from './fault.ts';
import { type FuzzCase, type FuzzKind, makeCase, runCase } from './fuzz-case.ts';

export type WorkerRequest =
  /** Runs the cases of one seed after another until it is ended. */
  | { readonly do: 'range'; readonly kind: FuzzKind; readonly seed: number; readonly backend: string }
  | { readonly do: 'run'; readonly case: FuzzCase; readonly backend: string };

export type WorkerReply =
  | { readonly did: 'begin'; readonly seed: number }
  | { readonly did: 'end'; readonly seed: number; readonly finding: Finding | null; readonly counts: CallCounts };

/** Cases between two looks at memory, and what may stay over then. */
const MEMORY_INTERVAL = 100;
const MEMORY_SLACK = 400 << 20;

/** Draws of billions of vertices are legal, and sequences are full of them and of endless shaders: soft gives them up sooner than users would want. */
Object.assign(PATIENCE, { drawMs: 1000, tilesMs: 20_000 });
LOOPS.budget = 1 << 23;

function reply(message: WorkerReply): void {
  process.send?.(message);
}

/** Bytes in use after everything that can be given back has been. */
async function bytesInUse(): Promise<number> {
  const collect = (globalThis as { gc?: () => void }).gc;
  for (let i = 0; i < 3; i++) {
    collect?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

class MemoryWatch {
  #base: number | null = null;
  #cases = 0;

  async check(): Promise<void> {
    if (++this.#cases % MEMORY_INTERVAL !== 0) return;
    const bytes = await bytesInUse();
    this.#base ??= bytes;
    const grown = bytes - this.#base;
    if (grown > MEMORY_SLACK) throw new Fault('memory', `${grown >> 20} MB more than ${this.#cases} cases before`);
  }
}

async function attempt(
  theCase: FuzzCase,
  backend: Backend,
  memory: MemoryWatch,
  counts: CallCounts,
): Promise<Finding | null> {
  try {
    await runCase(theCase, backend, counts);
    await memory.check();
    return null;
  } catch (error) {
    return findingOf(error);
  }
}

let escaped: Finding | null = null;
process.on('uncaughtException', (error) => {
  escaped = findingOf(Fault.from(error, 'outside of calls'));
});

process.on('message', async (request: WorkerRequest) => {
  const backend = await openBackend(request.backend);
  const memory = new MemoryWatch();
  const isRange = request.do === 'range';
  for (let seed = isRange ? request.seed : request.case.seed; ; seed++) {
    reply({ did: 'begin', seed });
    escaped = null;
    const counts: CallCounts = {};
    const finding = await attempt(isRange ? makeCase(request.kind, seed) : request.case, backend, memory, counts);
    reply({ did: 'end', seed, finding: finding ?? escaped, counts });
    if (!isRange) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
});
process.on('disconnect', () => process.exit(0));
