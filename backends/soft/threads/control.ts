// The words that a pool's threads share besides their screens' memories: who may work on what, and how far each is.
// Every change of hands is one atomic operation here, so that a thread may die at any point.

import { MAX_THREADS } from './layout.ts';

/** Functions that a job handed to workers may number. */
export const MAX_FUNCTIONS = 1024;

/** Words of the block. */
export const CONTROL = {
  /** Counts up when there is something new; workers sleep on it. */
  EPOCH: 0,
  /** `CLOSED` and the number of workers inside. Words of the job stand still while the gate is open or anyone is inside. */
  GATE: 1,
  /** The next item of work, and one past the last. */
  NEXT: 2,
  COUNT: 3,
  /** Nonzero: take no more items. */
  ABORT: 4,
  /** Messages posted so far to every worker. */
  MESSAGES: 5,
  /** Workers with higher numbers stay outside. */
  LIMIT: 6,
  // The job.
  SCREEN: 7,
  KIND: 8,
  ADDRESS: 9,
  FUNCTION_COUNT: 10,
  /** Ids of the job's functions. */
  FUNCTIONS: 64,
  /** Per worker: address of its THREAD for this job; what it is doing; with which item. */
  THREADS: 64 + MAX_FUNCTIONS,
  PHASES: 64 + MAX_FUNCTIONS + MAX_THREADS,
  ITEMS: 64 + MAX_FUNCTIONS + 2 * MAX_THREADS,
  /** Counts up with every item and draw: a sign of life. */
  BEATS: 64 + MAX_FUNCTIONS + 3 * MAX_THREADS,
} as const;
const WORDS = 64 + MAX_FUNCTIONS + 4 * MAX_THREADS;

const CLOSED = 1 << 16;

/** What a worker is doing. Each step is taken by compare and exchange: the main thread may put `REVOKED` in its way. */
export const PHASE = {
  OUTSIDE: 0,
  /** Inside, without an item, or just taking one. */
  IDLE: 1,
  TAKING: 2,
  /** Nothing that it does can be seen: the item can be done again by another. */
  WORKING: 3,
  STORING: 4,
  /** It threw while it worked, or while it stored. */
  FAILED: 5,
  FAILED_STORING: 6,
  /** It was given up: whatever it finds out later, it must not touch anything. */
  REVOKED: 7,
} as const;

export function createControl(): Int32Array<SharedArrayBuffer> {
  const words = new Int32Array(new SharedArrayBuffer(WORDS * 4));
  words[CONTROL.GATE] = CLOSED;
  return words;
}

/** The next item, or -1. */
export function takeItem(words: Int32Array): number {
  if (Atomics.load(words, CONTROL.ABORT) !== 0) return -1;
  const item = Atomics.add(words, CONTROL.NEXT, 1);
  return item < words[CONTROL.COUNT]! ? item : -1;
}

// ---- The main thread

/** Lets workers at items [next, count); all other words of the job are written. */
export function openGate(words: Int32Array, next: number, count: number): void {
  words[CONTROL.NEXT] = next;
  words[CONTROL.COUNT] = count;
  words[CONTROL.ABORT] = 0;
  Atomics.store(words, CONTROL.GATE, 0);
}

/** Nobody enters any more. */
export function closeGate(words: Int32Array): void {
  Atomics.or(words, CONTROL.GATE, CLOSED);
}

export function workersInside(words: Int32Array): number {
  return Atomics.load(words, CONTROL.GATE) & (CLOSED - 1);
}

/** Waits at most `milliseconds` for the last worker to leave a closed gate or for one to fail. */
export function awaitWorkers(words: Int32Array, milliseconds: number): void {
  const gate = Atomics.load(words, CONTROL.GATE);
  if (gate !== CLOSED) Atomics.wait(words, CONTROL.GATE, gate, milliseconds);
}

/** Gives a worker inside up. Returns the phase that it was in. */
export function revoke(words: Int32Array, worker: number): number {
  const phase = Atomics.exchange(words, CONTROL.PHASES + worker, PHASE.REVOKED);
  Atomics.sub(words, CONTROL.GATE, 1);
  return phase;
}

export function wakeWorkers(words: Int32Array): void {
  Atomics.add(words, CONTROL.EPOCH, 1);
  Atomics.notify(words, CONTROL.EPOCH);
}

// ---- Workers

function step(words: Int32Array, worker: number, from: number, to: number): boolean {
  return Atomics.compareExchange(words, CONTROL.PHASES + worker, from, to) === from;
}

/** Goes inside if the gate is open. */
export function enterGate(words: Int32Array, worker: number): boolean {
  for (;;) {
    const gate = Atomics.load(words, CONTROL.GATE);
    if (gate & CLOSED || worker > words[CONTROL.LIMIT]!) return false;
    // The phase comes first: from the moment that it counts, the main thread can see how far it is.
    Atomics.store(words, CONTROL.PHASES + worker, PHASE.IDLE);
    if (Atomics.compareExchange(words, CONTROL.GATE, gate, gate + 1) === gate) return true;
    Atomics.store(words, CONTROL.PHASES + worker, PHASE.OUTSIDE);
  }
}

/** Goes outside. False: it was given up meanwhile. */
export function leaveGate(words: Int32Array, worker: number): boolean {
  if (!step(words, worker, PHASE.IDLE, PHASE.OUTSIDE)) return false;
  if (Atomics.sub(words, CONTROL.GATE, 1) === (CLOSED | 1)) Atomics.notify(words, CONTROL.GATE);
  return true;
}

/** Takes an item and notes it; -1: there is none, or the worker was given up. */
export function beginItem(words: Int32Array, worker: number): number {
  if (!step(words, worker, PHASE.IDLE, PHASE.TAKING)) return -1;
  const item = takeItem(words);
  if (item < 0) {
    step(words, worker, PHASE.TAKING, PHASE.IDLE);
    return -1;
  }
  words[CONTROL.ITEMS + worker] = item;
  words[CONTROL.BEATS + worker]!++;
  return step(words, worker, PHASE.TAKING, PHASE.WORKING) ? item : -1;
}

/** From here on the item's effects can be seen. False: the worker was given up, and must have none. */
export function beginStore(words: Int32Array, worker: number): boolean {
  return step(words, worker, PHASE.WORKING, PHASE.STORING);
}

/** Done with an item, stored or not. False: the worker was given up. */
export function endItem(words: Int32Array, worker: number): boolean {
  return step(words, worker, PHASE.STORING, PHASE.IDLE) || step(words, worker, PHASE.WORKING, PHASE.IDLE);
}

/** The worker threw: its phase tells what is lost. */
export function fail(words: Int32Array, worker: number): void {
  if (!step(words, worker, PHASE.WORKING, PHASE.FAILED)) step(words, worker, PHASE.STORING, PHASE.FAILED_STORING);
  Atomics.notify(words, CONTROL.GATE);
}
