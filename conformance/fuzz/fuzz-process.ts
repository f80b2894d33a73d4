// Starts worker processes and watches them: what they find, what they die of, what does not end.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CallCounts } from './api-run.ts';
import type { Finding } from './fault.ts';
import type { FuzzCase, FuzzKind } from './fuzz-case.ts';
import type { WorkerReply, WorkerRequest } from './fuzz-worker.ts';
import { Patience } from './process-time.ts';

export interface ProcessOptions {
  readonly backend: string;
  readonly timeoutMs: number;
}

export interface SeedFinding {
  readonly seed: number;
  readonly finding: Finding;
}

/** Hears of each case that went well, and of what it called. */
type OnEnd = (seed: number, counts: CallCounts) => void;

/** For the process to load, which is no case's fault. */
const START_MS = 60_000;
/** Least time between two looks at a case that seems to hang. */
const LOOK_MS = 500;

/** The worker beside this file: TypeScript in the checkout, JavaScript in `dist`. */
function startWorker(): ChildProcess {
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  return fork(fileURLToPath(new URL(`./fuzz-worker${extension}`, import.meta.url)), {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    execArgv: [...process.execArgv, '--expose-gc', '--max-old-space-size=1500'],
  });
}

/** Runs one request; `onEnd` hears of each case that went well. Gives the finding that ended it, or null. */
function watch(
  request: WorkerRequest,
  { timeoutMs }: ProcessOptions,
  endMs: number,
  onEnd: OnEnd,
): Promise<SeedFinding | null> {
  return new Promise((resolve) => {
    const child = startWorker();
    let seed = request.do === 'range' ? request.seed : request.case.seed;
    let isDone = false;
    let timer: NodeJS.Timeout | undefined;
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-4000);
    });
    const finish = (result: SeedFinding | null): void => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      clearTimeout(end);
      child.kill('SIGKILL');
      resolve(result);
    };
    const arm = (startMs = 0): void => {
      clearTimeout(timer);
      const patience = new Patience(child.pid ?? -1, timeoutMs + startMs);
      const look = (): void => {
        const rest = patience.remainingMs();
        if (rest > 0) timer = setTimeout(look, Math.max(rest, LOOK_MS));
        else finish({ seed, finding: { kind: 'hang', message: `no end within ${timeoutMs / 1000} s` } });
      };
      timer = setTimeout(look, timeoutMs + startMs);
    };
    // The case that runs when the time is over may end, but not hang.
    let isOver = false;
    const end = setTimeout(() => {
      isOver = true;
    }, endMs);
    child.on('message', (reply: WorkerReply) => {
      arm();
      seed = reply.seed;
      if (reply.did === 'begin') return;
      if (reply.finding !== null) return finish({ seed, finding: reply.finding });
      onEnd(seed, reply.counts);
      if (request.do === 'run' || isOver) finish(null);
    });
    child.on('exit', (code, signal) => {
      const message = `the process died (${signal ?? `exit ${code}`})${errors ? `\n${errors}` : ''}`;
      finish({ seed, finding: { kind: 'crash', message } });
    });
    arm(START_MS);
    child.send(request);
  });
}

/** Runs the seeds from `seed` on for `milliseconds`, or to the first finding. */
export function runRange(
  kind: FuzzKind,
  seed: number,
  milliseconds: number,
  options: ProcessOptions,
  onEnd: OnEnd,
): Promise<SeedFinding | null> {
  return watch({ do: 'range', kind, seed, backend: options.backend }, options, milliseconds, onEnd);
}

/** Runs one case in a process of its own. */
export async function runOne(theCase: FuzzCase, options: ProcessOptions): Promise<Finding | null> {
  const request: WorkerRequest = { do: 'run', case: theCase, backend: options.backend };
  return (await watch(request, options, 0x7fffffff, () => {}))?.finding ?? null;
}
