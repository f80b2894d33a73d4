// The words that a pool's threads share besides their screens' memories: who may work on what, and how far each is.
// Every change of hands is one atomic operation here, so that a thread may die at any point.

import { MAX_THREADS } from './layout.ts';

/** Functions that a job handed to workers may number. */
export const MAX_FUNCTIONS = 1024;

/** Items that a job may have: two counts of them share a word. */
export const MAX_ITEMS = 0x7fff;

/** Words of the block. */
export const CONTROL = {
  /** Counts up when there is something new; workers sleep on it. */
  EPOCH: 0,
  /** `CLOSED` and the number of workers inside. Words of the job stand still while the gate is open or anyone is inside. */
  GATE: 1,
  /** Nonzero: take no more items. */
  ABORT: 2,
  /** Messages posted so far to every worker. */
  MESSAGES: 3,
  /** Workers with higher numbers stay outside. */
  LIMIT: 4,
  // The job.
  SCREEN: 5,
  KIND: 6,
  ADDRESS: 7,
  FUNCTION_COUNT: 8,
  /** Ids of the job's functions. */
  FUNCTIONS: 64,
} as const;

/** Words of each thread. Why so far apart: what one thread counts must not take the others' cache lines from them. */
export const MEMBER = {
  /** Its share of the job: items [FIRST, FIRST + SIZE), how many are taken from the beginning, and above `BACK` from the end. */
  FIRST: 0,
  SIZE: 1,
  TAKEN: 2,
  // Of workers:
  /** Address of its THREAD for this job; what it is doing; with which item. */
  THREAD: 3,
  PHASE: 4,
  ITEM: 5,
  /** Counts up with every item and draw: a sign of life. */
  BEATS: 6,
  /** Nonzero: it sees a new epoch by itself, without being woken. */
  IS_AWAKE: 7,
} as const;
const MEMBERS_AT = CONTROL.FUNCTIONS + MAX_FUNCTIONS;
const MEMBER_WORDS = 32;
const WORDS = MEMBERS_AT + MAX_THREADS * MEMBER_WORDS;

/** Index of a thread's word. */
export function memberWord(thread: number, word: number): number {
  return MEMBERS_AT + thread * MEMBER_WORDS + word;
}

const CLOSED = 1 << 16;
/** An item taken from the end of a share. */
const BACK = 1 << 16;

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

/**
 * An item for a thread, or -1. It begins with its own share, then takes the last ones of others. Why shares: most jobs draw to what
 * the job before drew to, and a tile whose pixels are in another processor's cache takes twice as long, as do neighbours of a tile
 * that another processor is at.
 */
export function takeItem(words: Int32Array, thread: number): number {
  if (Atomics.load(words, CONTROL.ABORT) !== 0) return -1;
  const own = takeFrom(words, thread, 1);
  if (own >= 0) return own;
  const threads = words[CONTROL.LIMIT]! + 1;
  for (let step = 1; step < threads; step++) {
    const item = takeFrom(words, (thread + step) % threads, BACK);
    if (item >= 0) return item;
  }
  return -1;
}

function takeFrom(words: Int32Array, thread: number, one: number): number {
  const at = memberWord(thread, 0);
  const size = words[at + MEMBER.SIZE]!;
  // Looked at first: each thread counts past the end at most once.
  if (isTaken(Atomics.load(words, at + MEMBER.TAKEN), size)) return -1;
  const taken = Atomics.add(words, at + MEMBER.TAKEN, one);
  if (isTaken(taken, size)) return -1;
  return words[at + MEMBER.FIRST]! + (one === BACK ? size - 1 - (taken >>> 16) : taken & 0xffff);
}

function isTaken(taken: number, size: number): boolean {
  return (taken & 0xffff) + (taken >>> 16) >= size;
}

// ---- The main thread

/** Lets workers at items [next, count), of which each thread has a share; all other words of the job are written. */
export function openGate(words: Int32Array, next: number, count: number): void {
  const threads = words[CONTROL.LIMIT]! + 1;
  for (let thread = 0; thread < threads; thread++) {
    // Why not shares of what is left: they would be others each time.
    const first = Math.floor((count * thread) / threads);
    const size = Math.floor((count * (thread + 1)) / threads) - first;
    const at = memberWord(thread, 0);
    words[at + MEMBER.FIRST] = first;
    words[at + MEMBER.SIZE] = size;
    words[at + MEMBER.TAKEN] = Math.max(0, Math.min(next - first, size));
  }
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
  const phase = Atomics.exchange(words, memberWord(worker, MEMBER.PHASE), PHASE.REVOKED);
  Atomics.sub(words, CONTROL.GATE, 1);
  return phase;
}

/** Whether workers 1 to `last` see a new epoch by themselves. */
export function areAwake(words: Int32Array, last: number): boolean {
  for (let worker = 1; worker <= last; worker++) {
    if (Atomics.load(words, memberWord(worker, MEMBER.IS_AWAKE)) === 0) return false;
  }
  return true;
}

/** Tells workers 1 to `last` of something new. */
export function wakeWorkers(words: Int32Array, last: number): void {
  Atomics.add(words, CONTROL.EPOCH, 1);
  if (!areAwake(words, last)) Atomics.notify(words, CONTROL.EPOCH);
}

// ---- Workers

function step(words: Int32Array, worker: number, from: number, to: number): boolean {
  return Atomics.compareExchange(words, memberWord(worker, MEMBER.PHASE), from, to) === from;
}

/** Sleeps until the epoch is another than `seen`. */
export function sleepUntilEpoch(words: Int32Array, worker: number, seen: number): void {
  // Written before the epoch is looked at: the main thread counts it up before it looks who is awake.
  Atomics.store(words, memberWord(worker, MEMBER.IS_AWAKE), 0);
  Atomics.wait(words, CONTROL.EPOCH, seen);
  Atomics.store(words, memberWord(worker, MEMBER.IS_AWAKE), 1);
}

export function isGateClosed(words: Int32Array): boolean {
  return (Atomics.load(words, CONTROL.GATE) & CLOSED) !== 0;
}

/** Goes inside if the gate is open. */
export function enterGate(words: Int32Array, worker: number): boolean {
  for (;;) {
    const gate = Atomics.load(words, CONTROL.GATE);
    if (gate & CLOSED || worker > words[CONTROL.LIMIT]!) return false;
    // The phase comes first: from the moment that it counts, the main thread can see how far it is.
    Atomics.store(words, memberWord(worker, MEMBER.PHASE), PHASE.IDLE);
    if (Atomics.compareExchange(words, CONTROL.GATE, gate, gate + 1) === gate) return true;
    Atomics.store(words, memberWord(worker, MEMBER.PHASE), PHASE.OUTSIDE);
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
  const item = takeItem(words, worker);
  if (item < 0) {
    step(words, worker, PHASE.TAKING, PHASE.IDLE);
    return -1;
  }
  words[memberWord(worker, MEMBER.ITEM)] = item;
  words[memberWord(worker, MEMBER.BEATS)]!++;
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
