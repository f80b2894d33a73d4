// The pool: worker threads that all screens of this thread share, started when there is first work worth it.

import { now } from '../../../src/base/clock.ts';
import { sourceOf } from '../../../src/wasm/function-source.ts';
import {
  areAwake,
  awaitWorkers,
  CONTROL,
  closeGate,
  createControl,
  MAX_FUNCTIONS,
  MAX_ITEMS,
  MEMBER,
  memberWord,
  openGate,
  PHASE,
  revoke,
  wakeWorkers,
  workersInside,
} from './control.ts';
import { MAX_THREADS } from './layout.ts';
import type { WorkerMessage } from './messages.ts';
import { startWorker, type WorkerHandle } from './start-worker.ts';
import type { ThreadFunction } from './tile-runner.ts';

/** How long the main thread looks out for the last worker before it sleeps. */
const SPIN_MS = 0.1;
/** How long it sleeps between two looks at how the workers are. */
const LOOK_MS = 20;
/** Functions that workers keep; beyond, those go that no job has used for longest. */
const MAX_POSTED = 1024;
/** Workers that may die unasked before no more are started. */
const MAX_DEATHS = 8;

/** When a worker without a sign of life is given up. Tests have less patience. */
export const WORKER_PATIENCE = { ms: 15_000 };

/** A job as it is handed to workers. */
export interface SharedWork {
  readonly screen: number;
  readonly memory: WebAssembly.Memory;
  readonly kind: number;
  /** Address of its description. */
  readonly address: number;
  readonly functions: readonly ThreadFunction[];
  /** By worker number (from 1 on): address of its THREAD. */
  readonly threads: readonly number[];
}

/** Items that a dead worker has left; `isLost`: what it left cannot be made good. */
export interface Leftovers {
  readonly items: readonly number[];
  readonly isLost: boolean;
}

const NOTHING_LEFT: Leftovers = { items: [], isLost: false };

interface Member {
  readonly handle: WorkerHandle;
  /** Signs of life when last looked at, and how long they have not changed. */
  beats: number;
  silentMs: number;
}

export class WorkerPool {
  readonly control = createControl();
  /** By number; 0 is the main thread. */
  readonly #members: (Member | undefined)[] = [];
  /** Workers given up that have not ended yet: their numbers are not free. */
  readonly #zombies = new Set<number>();
  readonly #screens = new Map<number, WebAssembly.Memory>();
  /** What workers have, least recently used first. */
  readonly #posted = new Map<number, WorkerMessage>();
  readonly #ids = new WeakMap<WebAssembly.Module, Map<string, number>>();
  #nextId = 1;
  #deaths = 0;
  #isOpen = false;
  readonly #start: typeof startWorker;

  constructor(start = startWorker) {
    this.#start = start;
  }

  /** Draws and items that workers have done so far. */
  get beats(): number {
    let beats = 0;
    for (let worker = 1; worker < MAX_THREADS; worker++) beats += this.control[memberWord(worker, MEMBER.BEATS)]!;
    return beats;
  }

  /** Starts workers up to number `last` where they are not yet. */
  start(last: number): void {
    if (this.#deaths >= MAX_DEATHS) return;
    for (let worker = 1; worker <= Math.min(last, MAX_THREADS - 1); worker++) {
      if (this.#members[worker] === undefined && !this.#zombies.has(worker)) this.#startMember(worker);
    }
  }

  #startMember(worker: number): void {
    const { control } = this;
    control[memberWord(worker, MEMBER.PHASE)] = PHASE.OUTSIDE;
    // It is on its way and will look.
    control[memberWord(worker, MEMBER.IS_AWAKE)] = 0;
    const backlog: WorkerMessage[] = [...this.#posted.values()];
    for (const [id, memory] of this.#screens) backlog.push({ kind: 'screen', id, memory });
    const received = Atomics.load(control, CONTROL.MESSAGES) - backlog.length;
    const onExit = (error: unknown): void => {
      this.#zombies.delete(worker);
      if (this.#members[worker]?.handle === handle) this.#members[worker] = undefined;
      if (error === null) return;
      this.#deaths++;
      console.warn(`soft: a worker thread ended: ${error instanceof Error ? error.message : String(error)}`);
    };
    const handle = this.#start({ control, worker, received }, onExit);
    for (const message of backlog) handle.post(message);
    this.#members[worker] = { handle, beats: 0, silentMs: 0 };
  }

  /** Whether any worker up to number `last` has been started. */
  hasWorkers(last: number): boolean {
    for (let worker = 1; worker <= last; worker++) if (this.#members[worker] !== undefined) return true;
    return false;
  }

  /** Whether workers up to number `last` take work up at once, without being woken. */
  areAwake(last: number): boolean {
    return areAwake(this.control, last);
  }

  #post(message: WorkerMessage): void {
    for (const member of this.#members) member?.handle.post(message);
    Atomics.add(this.control, CONTROL.MESSAGES, 1);
  }

  /** Lets workers at items [next, count) of `work`. False: it cannot be shared. */
  open(work: SharedWork, next: number, count: number): boolean {
    const { control } = this;
    const { functions, threads } = work;
    if (functions.length > MAX_FUNCTIONS || count > MAX_ITEMS) return false;
    if (!this.#screens.has(work.screen)) {
      this.#screens.set(work.screen, work.memory);
      this.#post({ kind: 'screen', id: work.screen, memory: work.memory });
    }
    control[CONTROL.FUNCTION_COUNT] = functions.length;
    for (let index = 0; index < functions.length; index++) {
      control[CONTROL.FUNCTIONS + index] = this.#idOf(functions[index]!);
    }
    this.#dropOld(functions.length);
    const last = threads.length - 1;
    for (let worker = 1; worker <= last; worker++) control[memberWord(worker, MEMBER.THREAD)] = threads[worker]!;
    control[CONTROL.LIMIT] = last;
    control[CONTROL.SCREEN] = work.screen;
    control[CONTROL.KIND] = work.kind;
    control[CONTROL.ADDRESS] = work.address;
    openGate(control, next, count);
    this.#isOpen = true;
    wakeWorkers(control, last);
    return true;
  }

  /** The id of a function, which workers then have; 0: it is none of a module. */
  #idOf(code: ThreadFunction): number {
    const source = sourceOf(code);
    if (source === undefined) return 0;
    const { module, name } = source;
    let ids = this.#ids.get(module);
    if (ids === undefined) this.#ids.set(module, (ids = new Map()));
    let id = ids.get(name);
    if (id === undefined) ids.set(name, (id = this.#nextId++));
    let message = this.#posted.get(id);
    if (message === undefined) {
      message = { kind: 'function', id, module, name };
      this.#post(message);
    } else this.#posted.delete(id);
    this.#posted.set(id, message);
    return id;
  }

  #dropOld(used: number): void {
    for (const id of this.#posted.keys()) {
      if (this.#posted.size <= Math.max(MAX_POSTED, used)) return;
      this.#posted.delete(id);
      this.#post({ kind: 'dropFunction', id });
    }
  }

  dropScreen(id: number): void {
    if (!this.#screens.delete(id)) return;
    this.#post({ kind: 'dropScreen', id });
    wakeWorkers(this.control, MAX_THREADS - 1);
  }

  /** Tells workers to take no more items. */
  abort(): void {
    Atomics.store(this.control, CONTROL.ABORT, 1);
  }

  get isAborted(): boolean {
    return Atomics.load(this.control, CONTROL.ABORT) !== 0;
  }

  /** Closes the gate and waits for the workers inside. `look` is called now and then while that takes long. */
  close(look: () => void): Leftovers {
    if (!this.#isOpen) return NOTHING_LEFT;
    this.#isOpen = false;
    const { control } = this;
    closeGate(control);
    if (workersInside(control) === 0) return NOTHING_LEFT;
    const end = now() + SPIN_MS;
    while (now() < end) if (workersInside(control) === 0) return NOTHING_LEFT;
    const items: number[] = [];
    let isLost = false;
    for (const member of this.#members) if (member) member.silentMs = 0;
    while (workersInside(control) > 0) {
      const before = now();
      awaitWorkers(control, LOOK_MS);
      look();
      // Why not the clock alone: a machine that slept has slept with its workers.
      const waited = Math.min(now() - before, LOOK_MS);
      for (let worker = 1; worker < this.#members.length; worker++) {
        if (!this.#isDead(worker, waited)) continue;
        const phase = revoke(control, worker);
        if (phase === PHASE.WORKING || phase === PHASE.FAILED) items.push(control[memberWord(worker, MEMBER.ITEM)]!);
        else if (phase !== PHASE.IDLE) isLost = true;
        this.#bury(worker);
      }
    }
    return items.length === 0 && !isLost ? NOTHING_LEFT : { items, isLost };
  }

  #isDead(worker: number, waitedMs: number): boolean {
    const { control } = this;
    const phase = Atomics.load(control, memberWord(worker, MEMBER.PHASE));
    const member = this.#members[worker];
    if (phase === PHASE.OUTSIDE || phase === PHASE.REVOKED || member === undefined) return false;
    if (phase === PHASE.FAILED || phase === PHASE.FAILED_STORING) return true;
    const beats = control[memberWord(worker, MEMBER.BEATS)]!;
    member.silentMs = beats === member.beats ? member.silentMs + waitedMs : 0;
    member.beats = beats;
    return member.silentMs > WORKER_PATIENCE.ms;
  }

  #bury(worker: number): void {
    const { handle } = this.#members[worker]!;
    this.#members[worker] = undefined;
    this.#zombies.add(worker);
    this.#deaths++;
    handle.terminate();
  }
}

let pool: WorkerPool | null = null;

export function isPoolMade(): boolean {
  return pool !== null;
}

/** The pool of this thread. */
export function workerPool(): WorkerPool {
  pool ??= new WorkerPool();
  return pool;
}
