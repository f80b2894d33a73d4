// Starts worker threads in Node and in browsers' workers, and says why where there can be none.

import type { WorkerMessage, WorkerSetup } from './messages.ts';

/** A started worker. */
export interface WorkerHandle {
  post(message: WorkerMessage): void;
  terminate(): void;
}

type NodeThreads = typeof import('node:worker_threads');

function nodeThreads(): NodeThreads | undefined {
  // Why not an import: browsers have no such module.
  return globalThis.process?.getBuiltinModule?.('node:worker_threads');
}

function mayWait(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1);
    return true;
  } catch {
    return false;
  }
}

/** Null: workers can be started. */
export function whyNoWorkers(): string | null {
  if (typeof SharedArrayBuffer === 'undefined')
    return 'there is no shared memory (a page must be cross-origin isolated)';
  if (!mayWait()) return "a page's main thread may not wait: draw in a worker";
  if (import.meta.url.endsWith('.ts')) return 'workers run compiled code only: build, then import from dist';
  // Not asked for yet: with it Node loads its streams.
  if (globalThis.process?.getBuiltinModule !== undefined || typeof Worker === 'function') return null;
  return 'this runtime cannot start workers (Node 20.16 or newer can)';
}

/** Processors that this process may use. */
export function availableProcessors(): number {
  const os = globalThis.process?.getBuiltinModule?.('node:os');
  return os?.availableParallelism?.() ?? globalThis.navigator?.hardwareConcurrency ?? 1;
}

/** Starts a worker. `onExit` is called once it is gone, with what it died of. */
export function startWorker(setup: Omit<WorkerSetup, 'port'>, onExit: (error: unknown) => void): WorkerHandle {
  const threads = nodeThreads();
  const url = new URL('./worker.js', import.meta.url);
  return threads ? startNodeWorker(threads, url, setup, onExit) : startWebWorker(url, setup, onExit);
}

function startNodeWorker(
  threads: NodeThreads,
  url: URL,
  setup: Omit<WorkerSetup, 'port'>,
  onExit: (error: unknown) => void,
): WorkerHandle {
  const { port1, port2 } = new threads.MessageChannel();
  const workerData: WorkerSetup = { ...setup, port: port2 };
  // Flags of the process are not the worker's: a loader among them would only delay it.
  const worker = new threads.Worker(url, { workerData, transferList: [port2], execArgv: [], name: 'indium' });
  let reason: unknown = null;
  worker.on('error', (error) => (reason = error));
  worker.on('exit', () => {
    port1.close();
    onExit(reason);
  });
  worker.unref();
  port1.unref();
  return {
    post: (message) => port1.postMessage(message),
    terminate: () => void worker.terminate(),
  };
}

function startWebWorker(url: URL, setup: Omit<WorkerSetup, 'port'>, onExit: (error: unknown) => void): WorkerHandle {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(url, { type: 'module', name: 'indium' });
  worker.addEventListener('error', (event) => onExit(event.message));
  worker.postMessage({ ...setup, port: port2 } satisfies WorkerSetup, [port2]);
  return {
    post: (message) => port1.postMessage(message),
    terminate: () => worker.terminate(),
  };
}
