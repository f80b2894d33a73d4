// The threads of one screen: decides when work is shared, and runs it on the main thread and as many workers as it may.

import { now } from '../../../src/base/clock.ts';
import { profile } from '../../../src/base/profile.ts';
import { STATUS } from '../../../src/raster/layout.ts';
import { OutOfMemoryError, type RasterMemory } from '../../../src/raster/memory.ts';
import { sourceOf } from '../../../src/wasm/function-source.ts';
import { takeItem } from './control.ts';
import type { Experience } from './experience.ts';
import { MAX_THREADS, THREAD } from './layout.ts';
import { isPoolMade, type WorkerPool, workerPool } from './pool.ts';
import { availableProcessors, whyNoWorkers } from './start-worker.ts';
import { ThreadMemory } from './thread-memory.ts';
import type { ThreadFunction } from './tile-runner.ts';

/** When work is shared. Tests share all of it. */
export const SHARING = {
  /** Work that is left is shared if it would take the main thread at least so long: waking a worker takes half of that. */
  worthMs: 0.1,
  /** The same while workers are awake: what opening the gate, and the last item, cost. */
  worthOfAwakeMs: 0.05,
  /** The same when no job before has called the code: workers must first be sent it and make instances, which costs all threads. */
  worthOfNewMs: 4,
  /**
   * Work that could have been shared before the first worker is started, which takes 50 ms of a processor: of several jobs, and of
   * a single one, whose code is cold.
   */
  startMs: 6,
  startOfOneMs: 20,
  /** What an item counts for at most: it may be the system that took the time, or cold code. */
  mostOfItemMs: 0.5,
};

/** Items of work that any thread can do. */
export interface Work {
  readonly kind: number;
  /** Address of the description. */
  readonly address: number;
  readonly functions: readonly ThreadFunction[];
  /** Bytes of planes that a thread needs, and whether it needs a batch. */
  readonly planeBytes: number;
  readonly needsBatch: boolean;
  readonly count: number;
  /** What it may take one thread; 0: unknown. */
  readonly expectedMs: number;
  /** With jobs of its kind; it learns from this one. */
  readonly experience: Experience;
  /** An item can be done again when it was not stored. */
  readonly isRepeatable: boolean;
  /** Does an item on the main thread. False: all is to stop. */
  readonly run: (item: number) => boolean;
  /** When everybody is to stop, by `now`. */
  readonly deadline: number;
}

/** `stopped`: an item said so on some thread, or the deadline came. `lost`: a worker died with something half done. */
export type Outcome = 'done' | 'stopped' | 'lost';

let nextScreen = 1;
const warned = new Set<string>();

/** Says a thing once a process. */
function warnOnce(text: string): void {
  if (warned.has(text)) return;
  warned.add(text);
  console.warn(`soft: ${text}`);
}

/** Threads that are asked for: by the option, by INDIUM_THREADS, or one a processor. */
function wantedThreads(option: number | undefined): number {
  const text = globalThis.process?.env?.['INDIUM_THREADS'];
  if (option === undefined && text) {
    if (/^[1-9]\d*$/.test(text)) return Number(text);
    warnOnce(`INDIUM_THREADS='${text}' is no number of threads, one a processor is taken`);
  }
  return option ?? availableProcessors();
}

function threadLimit(option: number | undefined, isShared: boolean): number {
  const wanted = Math.max(1, Math.min(Math.floor(wantedThreads(option)), MAX_THREADS));
  if (wanted === 1) return 1;
  const reason = isShared ? whyNoWorkers() : 'the memory of this screen is not shared';
  if (reason === null) return wanted;
  if (option !== undefined && option > 1) warnOnce(`threads=${option} has no effect: ${reason}`);
  return 1;
}

export class ScreenThreads {
  readonly #memory: RasterMemory;
  /** 0: not asked for yet. */
  #limit = 0;
  readonly #wanted: number | undefined;
  readonly #id = nextScreen++;
  /** What jobs that were worth sharing have called. */
  readonly #familiar = new WeakSet<ThreadFunction>();
  /** By worker number. */
  readonly #threads: ThreadMemory[] = [];
  #unsharedMs = 0;

  constructor(memory: RasterMemory, threads: number | undefined) {
    this.#memory = memory;
    this.#wanted = threads;
    // Else it is found out when there is work for several: Node loads a module to count processors.
    if (threads !== undefined) this.#limit = threadLimit(threads, memory.isShared);
  }

  /** Threads that may work at once, the main thread included. */
  get limit(): number {
    if (this.#limit === 0) this.#limit = threadLimit(this.#wanted, this.#memory.isShared);
    return this.#limit;
  }

  get #pool(): WorkerPool | null {
    return this.limit > 1 ? workerPool() : null;
  }

  run(work: Work): Outcome {
    const { count, experience } = work;
    const begun = now();
    const next = this.#runAlone(work);
    if (next < 0) return 'stopped';
    const aloneMs = now() - begun;
    if (next === count) {
      experience.noteAlone(aloneMs);
      return 'done';
    }
    const pool = this.#pool;
    const threads = this.#threadAddresses(work);
    const wereAwake = pool!.areAwake(threads.length - 1);
    const shared = { ...work, screen: this.#id, memory: this.#memory.memory, threads };
    if (threads.length < 2 || !pool!.open(shared, next, count)) return runAll(work, next);
    let isStopped = false;
    let leftovers: ReturnType<WorkerPool['close']>;
    const opened = now();
    let items = 0;
    let itemsMs = 0;
    try {
      for (let item = takeItem(pool!.control, 0); item >= 0; item = takeItem(pool!.control, 0)) {
        items++;
        if (work.run(item)) continue;
        isStopped = true;
        break;
      }
      itemsMs = now() - opened;
    } finally {
      if (isStopped) this.#stop(pool!);
      const start = profile.begin();
      leftovers = pool!.close(() => {
        if (now() > work.deadline) this.#stop(pool!);
      });
      profile.end('wait', start);
    }
    const guessMs = items === 0 ? 0 : aloneMs + (itemsMs / items) * (count - next);
    experience.noteShared(now() - begun, guessMs, wereAwake);
    if (isStopped || pool!.isAborted) return 'stopped';
    if (leftovers.isLost || (leftovers.items.length > 0 && !work.isRepeatable)) return 'lost';
    for (const item of leftovers.items) if (!work.run(item)) return 'stopped';
    return 'done';
  }

  /** Works until it is worth to call others. Returns the first item not done; -1: stopped. */
  #runAlone(work: Work): number {
    const { count } = work;
    const started = now();
    let elapsed = 0;
    let counted = 0;
    let worthMs = -1;
    for (let item = 0; item < count; item++) {
      const left = item === 0 ? work.expectedMs : (elapsed / item) * (count - item);
      if (left >= SHARING.worthOfAwakeMs && count - item > 1 && this.#haveWorkers(counted)) {
        if (worthMs < 0)
          worthMs = work.experience.mayShare() ? this.#worthMs(work.functions) : Number.POSITIVE_INFINITY;
        if (left >= worthMs) return item;
      }
      if (!work.run(item)) return -1;
      const before = elapsed;
      elapsed = now() - started;
      if (item > 0) counted += Math.min(elapsed - before, SHARING.mostOfItemMs);
    }
    if (elapsed >= SHARING.worthMs) this.#unsharedMs += counted;
    return count;
  }

  /** What must be left of work that calls `functions` to be worth sharing. Asking makes them familiar. */
  #worthMs(functions: readonly ThreadFunction[]): number {
    let hasNew = false;
    for (const code of functions) {
      if (this.#familiar.has(code)) continue;
      this.#familiar.add(code);
      hasNew = true;
    }
    if (hasNew) return SHARING.worthOfNewMs;
    return workerPool().areAwake(this.limit - 1) ? SHARING.worthOfAwakeMs : SHARING.worthMs;
  }

  /** Whether there are workers; they are started once enough time went by without. */
  #haveWorkers(countedMs: number): boolean {
    if (this.#limit === 1) return false;
    const isEarlier = this.#unsharedMs > 0;
    const isTime = this.#unsharedMs + countedMs >= (isEarlier ? SHARING.startMs : SHARING.startOfOneMs);
    // Another screen may have started them before it is time for this one.
    if (!isTime && !isPoolMade()) return false;
    const pool = this.#pool;
    if (pool === null) return false;
    if (isTime) {
      this.#unsharedMs = SHARING.startMs;
      pool.start(this.limit - 1);
    }
    return pool.hasWorkers(this.limit - 1);
  }

  /** Scratch of the workers that there is memory for. */
  #threadAddresses({ functions, planeBytes, needsBatch }: Work): number[] {
    let scratchBytes = 0;
    for (const code of functions) scratchBytes = Math.max(scratchBytes, sourceOf(code)?.scratchBytes ?? 0);
    const addresses = [0];
    try {
      for (let worker = 1; worker < this.limit; worker++) {
        const thread = (this.#threads[worker] ??= new ThreadMemory(this.#memory, worker));
        thread.reserve(planeBytes, scratchBytes);
        if (needsBatch) thread.reserveBatch();
        addresses.push(thread.address);
      }
    } catch (error) {
      if (!(error instanceof OutOfMemoryError)) throw error;
    }
    return addresses;
  }

  /** Makes workers end what they are at as soon as the shader that they are in returns. */
  #stop(pool: WorkerPool): void {
    pool.abort();
    const { u32 } = this.#memory;
    for (const thread of this.#threads) {
      if (thread === undefined || thread.address === 0) continue;
      const status = u32[(thread.address >>> 2) + THREAD.word.status]!;
      u32[(status >>> 2) + STATUS.word.timedOut] = 1;
    }
  }

  dispose(): void {
    if (isPoolMade()) this.#pool?.dropScreen(this.#id);
    for (const thread of this.#threads) thread?.release();
    this.#threads.length = 0;
  }
}

function runAll(work: Work, from: number): Outcome {
  for (let item = from; item < work.count; item++) if (!work.run(item)) return 'stopped';
  return 'done';
}
