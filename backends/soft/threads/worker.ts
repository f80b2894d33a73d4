// The entry of a worker thread: sleeps until there is work, takes items until none are left, sleeps again.

import { now } from '../../../src/base/clock.ts';
import {
  beginItem,
  beginStore,
  CONTROL,
  endItem,
  enterGate,
  fail,
  isGateClosed,
  leaveGate,
  MAX_FUNCTIONS,
  MEMBER,
  memberWord,
  sleepUntilEpoch,
} from './control.ts';
import { GeometryRunner } from './geometry-runner.ts';
import { THREAD } from './layout.ts';
import { KIND, type WorkerMessage, type WorkerSetup } from './messages.ts';
import { type ThreadFunction, TileRunner } from './tile-runner.ts';
import { type FunctionCode, WorkerScreen } from './worker-screen.ts';

/**
 * How long a worker looks out for more work before it sleeps. Waking it up costs the main thread as long as the least, and it takes
 * twice that until the worker is there: so it looks out longer after work that came almost as soon. But not while the main thread has
 * yet to end the job: it may be waiting for this worker's processor.
 */
const LEAST_SPIN_MS = 0.04;
const MOST_SPIN_MS = 0.4;
/** Looks between two of the clock. */
const LOOKS = 50;

interface ScreenRunners {
  readonly screen: WorkerScreen;
  readonly tiles: TileRunner;
  readonly geometry: GeometryRunner;
}

class PoolWorker {
  readonly #control: Int32Array<SharedArrayBuffer>;
  readonly #worker: number;
  readonly #screens = new Map<number, ScreenRunners>();
  readonly #codes = new Map<number, FunctionCode>();
  #functions: ThreadFunction[] = [];
  /** Messages received. */
  received: number;

  constructor({ control, worker, received }: WorkerSetup) {
    this.#control = control;
    this.#worker = worker;
    this.received = received;
  }

  receive(message: WorkerMessage): void {
    this.received++;
    const { id } = message;
    if (message.kind === 'screen') {
      const screen = new WorkerScreen(message.memory);
      const mayStore = (): boolean => beginStore(this.#control, this.#worker);
      const beat = (): void => void this.#control[memberWord(this.#worker, MEMBER.BEATS)]!++;
      this.#screens.set(id, {
        screen,
        tiles: new TileRunner(screen, mayStore, beat),
        geometry: new GeometryRunner(screen, () => 0, beat),
      });
    } else if (message.kind === 'dropScreen') this.#screens.delete(id);
    else if (message.kind === 'function') this.#codes.set(id, message);
    else {
      this.#codes.delete(id);
      for (const { screen } of this.#screens.values()) screen.drop(id);
    }
  }

  /**
   * Makes instances of what the job at the gate calls, while this worker is still outside and nobody waits for it. If that takes
   * longer than the job, the gate is closed by then. What is read may belong to two jobs: then an instance is made early or for
   * nothing.
   */
  prepare(): void {
    const control = this.#control;
    const screen = this.#screens.get(control[CONTROL.SCREEN]!)?.screen;
    if (screen === undefined) return;
    const count = Math.min(control[CONTROL.FUNCTION_COUNT]!, MAX_FUNCTIONS);
    for (let index = 0; index < count; index++) {
      const id = control[CONTROL.FUNCTIONS + index]!;
      const code = this.#codes.get(id);
      if (code !== undefined) screen.prepare(id, code);
    }
  }

  /** Works on the job at the gate if there is one. False: this worker was given up. */
  work(): boolean {
    const control = this.#control;
    if (!enterGate(control, this.#worker)) return true;
    try {
      // The job inside may be a later one than this worker was woken for, with functions or a screen that it has yet to
      // be told of: then it takes nothing and comes back, for its epoch is over.
      if (this.received === Atomics.load(control, CONTROL.MESSAGES)) this.#runItems();
    } catch (error) {
      fail(control, this.#worker);
      throw error;
    }
    return leaveGate(control, this.#worker);
  }

  #runItems(): void {
    const control = this.#control;
    const worker = this.#worker;
    const { screen, tiles, geometry } = this.#screens.get(control[CONTROL.SCREEN]!)!;
    const runner = control[CONTROL.KIND] === KIND.TILES ? tiles : geometry;
    screen.refresh();
    let item = beginItem(control, worker);
    if (item < 0) return;
    const thread = control[memberWord(worker, MEMBER.THREAD)]! >>> 0;
    runner.begin(control[CONTROL.ADDRESS]! >>> 0, thread, this.#jobFunctions(screen, thread));
    for (; item >= 0; item = beginItem(control, worker)) {
      runner.run(item);
      if (runner.hasTimedOut) Atomics.store(control, CONTROL.ABORT, 1);
      if (!endItem(control, worker)) break;
    }
    runner.end();
  }

  #jobFunctions(screen: WorkerScreen, thread: number): readonly ThreadFunction[] {
    const control = this.#control;
    const scratch = screen.u32[(thread >>> 2) + THREAD.word.scratch]!;
    this.#functions.length = control[CONTROL.FUNCTION_COUNT]!;
    for (let index = 0; index < this.#functions.length; index++) {
      const id = control[CONTROL.FUNCTIONS + index]!;
      // Number 0 stands for none.
      const code = this.#codes.get(id);
      if (code !== undefined) this.#functions[index] = screen.functionOf(id, code, scratch);
    }
    return this.#functions;
  }
}

/** Waits for epochs. */
class Lookout {
  readonly #control: Int32Array<SharedArrayBuffer>;
  readonly #worker: number;
  #seen = -1;
  #spinMs = LEAST_SPIN_MS;

  constructor({ control, worker }: WorkerSetup) {
    this.#control = control;
    this.#worker = worker;
    Atomics.store(control, memberWord(worker, MEMBER.IS_AWAKE), 1);
  }

  /** Waits until the epoch is another than when this was called last. */
  awaitEpoch(): void {
    const start = now();
    let time = start;
    while (!this.#isNew()) {
      if (time - start < (isGateClosed(this.#control) ? this.#spinMs : LEAST_SPIN_MS)) time = now();
      else {
        sleepUntilEpoch(this.#control, this.#worker, this.#seen);
        time = now();
      }
    }
    this.#seen = Atomics.load(this.#control, CONTROL.EPOCH);
    this.#spinMs = time - start < MOST_SPIN_MS ? MOST_SPIN_MS : Math.max(this.#spinMs / 2, LEAST_SPIN_MS);
  }

  /** Several looks, as the clock makes garbage. */
  #isNew(): boolean {
    for (let look = 0; look < LOOKS; look++) {
      if (Atomics.load(this.#control, CONTROL.EPOCH) !== this.#seen) return true;
    }
    return false;
  }
}

/** Serves for ever. `drain` takes in what was posted: a worker that never returns to its event loop gets no events. */
async function serve(setup: WorkerSetup, worker: PoolWorker, drain: () => Promise<void> | void): Promise<void> {
  const { control } = setup;
  const lookout = new Lookout(setup);
  for (;;) {
    lookout.awaitEpoch();
    while (worker.received !== Atomics.load(control, CONTROL.MESSAGES)) await drain();
    worker.prepare();
    if (!worker.work()) return;
  }
}

type NodeThreads = typeof import('node:worker_threads');

/** In Node messages are taken from the port without returning to the event loop. */
async function serveNode(threads: NodeThreads): Promise<void> {
  const setup = threads.workerData as WorkerSetup;
  const port = setup.port as import('node:worker_threads').MessagePort;
  const worker = new PoolWorker(setup);
  await serve(setup, worker, () => {
    for (let next = threads.receiveMessageOnPort(port); next; next = threads.receiveMessageOnPort(port)) {
      worker.receive(next.message as WorkerMessage);
    }
  });
}

/** In browsers the event loop brings messages: the worker returns to it until it has all that the job may need. */
async function serveBrowser(): Promise<void> {
  const setup = await new Promise<WorkerSetup>((resolve) => {
    globalThis.addEventListener('message', (event) => resolve(event.data as WorkerSetup), { once: true });
  });
  const worker = new PoolWorker(setup);
  let wake = (): void => {};
  const port = setup.port as MessagePort;
  port.onmessage = ({ data }) => {
    worker.receive(data as WorkerMessage);
    wake();
  };
  await serve(setup, worker, () => new Promise<void>((resolve) => (wake = resolve)));
}

const nodeThreads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
await (nodeThreads === undefined ? serveBrowser() : serveNode(nodeThreads));
