// Spreads cases over worker processes: a crash or a hang costs one case, not the run.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CatalogueOptions } from './catalogue.ts';
import type { CaseResult } from './result.ts';
import type { WorkerReply, WorkerRequest } from './worker.ts';

/** A case that takes longer is given up, unless the caller says otherwise. */
export const DEFAULT_TIMEOUT_MS = 30_000;

export interface PoolOptions {
  readonly jobs: number;
  readonly catalogue: CatalogueOptions;
  readonly backend: string | undefined;
  readonly timeoutMs: number;
  readonly wantsPictures: boolean;
  readonly onResult: (result: CaseResult) => void;
}

/** The worker beside this file: TypeScript in the checkout, JavaScript in `dist`. */
function workerPath(): string {
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  return fileURLToPath(new URL(`./worker${extension}`, import.meta.url));
}

/** What is known when a process is gone. */
function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `the worker process ended with code ${code}` : `the worker process died of ${signal}`;
}

function runWorker(names: Iterator<string>, options: PoolOptions, children: Set<ChildProcess>): Promise<void> {
  return new Promise((resolve, reject) => {
    const { timeoutMs, catalogue, backend, wantsPictures } = options;
    let child: ChildProcess;
    let current: string | null = null;
    let isReady = false;
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;

    const send = (request: WorkerRequest): void => {
      child.send(request);
    };
    const next = (): void => {
      const { value, done } = names.next();
      if (done) {
        current = null;
        child.disconnect();
        resolve();
        return;
      }
      current = value;
      timer = setTimeout(() => {
        isLate = true;
        child.kill('SIGKILL');
      }, timeoutMs);
      send({ kind: 'run', name: value });
    };
    const start = (): void => {
      isLate = false;
      isReady = false;
      child = fork(workerPath(), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' });
      children.add(child);
      child.on('message', (reply: WorkerReply) => {
        if (reply.kind === 'refused') reject(new Error(reply.message));
        else if (reply.kind === 'ready') {
          isReady = true;
          next();
        } else {
          clearTimeout(timer);
          options.onResult(reply.result);
          next();
        }
      });
      child.on('exit', (code, signal) => {
        clearTimeout(timer);
        children.delete(child);
        // Another one would end the same way.
        if (!isReady) reject(new Error(`${describeEnd(code, signal)} before it could run a case`));
        if (current === null) return;
        const message = isLate ? `no result within ${timeoutMs / 1000} s` : describeEnd(code, signal);
        options.onResult({ name: current, status: 'failed', message });
        current = null;
        start();
      });
      send({ kind: 'start', catalogue, backend, wantsPictures });
    };
    start();
  });
}

/** Runs all cases; results come in any order. Rejects when a worker cannot be started; none is left then. */
export async function runInProcesses(names: readonly string[], options: PoolOptions): Promise<void> {
  const iterator = names[Symbol.iterator]();
  const jobs = Math.min(options.jobs, names.length);
  const children = new Set<ChildProcess>();
  try {
    await Promise.all(Array.from({ length: jobs }, () => runWorker(iterator, options, children)));
  } catch (error) {
    for (const child of children) child.kill('SIGKILL');
    throw error;
  }
}
