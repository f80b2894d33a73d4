// What becomes of work when workers die, played by hand in one thread.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  beginItem,
  beginStore,
  CONTROL,
  endItem,
  enterGate,
  fail,
  leaveGate,
  MEMBER,
  memberWord,
  PHASE,
  takeItem,
} from './control.ts';
import type { WorkerMessage } from './messages.ts';
import { type SharedWork, WORKER_PATIENCE, WorkerPool } from './pool.ts';

const patience = WORKER_PATIENCE.ms;
beforeEach(() => {
  WORKER_PATIENCE.ms = 50;
});
afterEach(() => {
  WORKER_PATIENCE.ms = patience;
});

interface Played {
  readonly messages: WorkerMessage[];
  isTerminated: boolean;
  exit(error: unknown): void;
}

/** A pool whose workers do nothing but what the test does for them. */
function playedPool(workers: number) {
  const played: Played[] = [];
  const pool = new WorkerPool((_setup, onExit) => {
    const one: Played = { messages: [], isTerminated: false, exit: onExit };
    played.push(one);
    return { post: (message) => void one.messages.push(message), terminate: () => void (one.isTerminated = true) };
  });
  pool.start(workers);
  const work: SharedWork = {
    screen: 7,
    memory: new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }),
    kind: 0,
    address: 64,
    functions: [() => 0],
    threads: Array.from({ length: workers + 1 }, (_, index) => index * 128),
  };
  return { pool, played, work, control: pool.control };
}

const doNothing = (): void => {};

describe('a worker', () => {
  it('takes items until none are left, each once, and leaves', () => {
    const { pool, work, control } = playedPool(1);
    pool.open(work, 2, 6);
    expect(enterGate(control, 1)).toBe(true);
    const taken = [takeItem(control, 0), beginItem(control, 1)];
    expect([beginStore(control, 1), endItem(control, 1)]).toEqual([true, true]);
    taken.push(beginItem(control, 1));
    // An item may have nothing to store.
    expect(endItem(control, 1)).toBe(true);
    taken.push(takeItem(control, 0), takeItem(control, 0), beginItem(control, 1));
    expect(taken).toEqual([2, 3, 4, 5, -1, -1]);
    expect(leaveGate(control, 1)).toBe(true);
    expect(pool.close(doNothing)).toEqual({ items: [], isLost: false });
  });

  it('begins with its share, the same in every job, and ends with the last items of others', () => {
    const { pool, work, control } = playedPool(2);
    const begun = (next: number): number[] => {
      pool.open(work, next, 9);
      for (const worker of [1, 2]) enterGate(control, worker);
      const items: number[] = [];
      for (const worker of [2, 1, 1, 1, 1, 1, 2, 2]) {
        items.push(beginItem(control, worker));
        endItem(control, worker);
      }
      items.push(takeItem(control, 0));
      for (const worker of [1, 2]) leaveGate(control, worker);
      pool.close(doNothing);
      return items;
    };
    expect(begun(0)).toEqual([6, 3, 4, 5, 8, 7, 2, 1, 0]);
    expect(begun(4)).toEqual([6, 4, 5, 8, 7, -1, -1, -1, -1]);
  });

  it('that comes late stays outside and is not waited for', () => {
    const { pool, work, control } = playedPool(2);
    pool.open(work, 0, 4);
    pool.close(doNothing);
    expect(enterGate(control, 1)).toBe(false);
    pool.open({ ...work, threads: [0, 128] }, 0, 4);
    expect(enterGate(control, 2)).toBe(false);
    expect(enterGate(control, 1)).toBe(true);
  });

  it('that falls silent is given up; what it worked on is left to do, and it stores nothing any more', () => {
    const { pool, played, work, control } = playedPool(2);
    pool.open(work, 0, 4);
    enterGate(control, 2);
    expect(beginItem(control, 2)).toBe(2);
    expect(pool.close(doNothing)).toEqual({ items: [2], isLost: false });
    expect(played.map(({ isTerminated }) => isTerminated)).toEqual([false, true]);
    expect([beginStore(control, 2), endItem(control, 2), beginItem(control, 2)]).toEqual([false, false, -1]);
    expect(leaveGate(control, 2)).toBe(false);
    expect(control[CONTROL.GATE]! & 0xffff).toBe(0);
  });

  it('that throws is given up at once; while it stored, the work is lost', () => {
    WORKER_PATIENCE.ms = 1e9;
    const { pool, work, control } = playedPool(2);
    pool.open(work, 0, 4);
    enterGate(control, 1);
    enterGate(control, 2);
    beginItem(control, 1);
    beginItem(control, 2);
    beginStore(control, 2);
    fail(control, 1);
    fail(control, 2);
    expect(pool.close(doNothing)).toEqual({ items: [1], isLost: true });
  });

  it('that shows life is waited for', () => {
    const { pool, work, control } = playedPool(1);
    pool.open(work, 0, 4);
    enterGate(control, 1);
    beginItem(control, 1);
    let looks = 0;
    const look = (): void => {
      control[memberWord(1, MEMBER.BEATS)]!++;
      if (++looks < 10) return;
      endItem(control, 1);
      leaveGate(control, 1);
    };
    expect(pool.close(look)).toEqual({ items: [], isLost: false });
    expect(looks).toBe(10);
  });
});

describe('the pool', () => {
  it('refills, and gives new workers all that they need', () => {
    const { pool, played, work, control } = playedPool(2);
    pool.open(work, 0, 4);
    enterGate(control, 1);
    beginItem(control, 1);
    pool.close(doNothing);
    pool.start(2);
    // Its number is free once it has ended.
    expect(played.length).toBe(2);
    played[0]!.exit(null);
    pool.start(2);
    expect(played.length).toBe(3);
    expect(played[2]!.messages).toEqual(played[1]!.messages);
    expect(control[memberWord(1, MEMBER.PHASE)]).toBe(PHASE.OUTSIDE);
    pool.open(work, 0, 4);
    expect(enterGate(control, 1)).toBe(true);
  });

  it('says what an idle worker died of and does not start new ones for ever', () => {
    const { pool, played } = playedPool(1);
    const warn = console.warn;
    const said: string[] = [];
    console.warn = (text: string) => void said.push(text);
    try {
      for (let death = 0; death < 20; death++) {
        played.at(-1)!.exit(new Error('cannot be loaded'));
        pool.start(1);
      }
    } finally {
      console.warn = warn;
    }
    expect(played.length).toBeLessThan(10);
    expect(said[0]).toBe('soft: a worker thread ended: cannot be loaded');
  });

  it('tells workers of a screen once, and when it goes', () => {
    const { pool, played, work } = playedPool(1);
    for (let job = 0; job < 3; job++) {
      pool.open(work, 0, 4);
      pool.close(doNothing);
    }
    pool.dropScreen(7);
    pool.dropScreen(8);
    expect(played[0]!.messages.map(({ kind, id }) => [kind, id])).toEqual([
      ['screen', 7],
      ['dropScreen', 7],
    ]);
  });
});
