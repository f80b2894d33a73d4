// Where the time goes: counts and spans of time by frame, and the same as events for Chrome's tracing view. Off unless asked for
// (INDIUM_HUD, --stats, --trace-events); whoever reports looks at `profile.isOn` first, so that being off costs one test.

import { now } from './clock.ts';

/** What is counted in a frame. */
export interface FrameCounts {
  draws: number;
  /** Primitives that draws were given, and those that were left after clipping and culling. */
  primitivesIn: number;
  primitivesOut: number;
  /** Samples that were shaded, and those of them that discard or a late depth or stencil test took away. */
  fragments: number;
  fragmentsKilled: number;
  /** Tiles that had something drawn in them, of all surfaces. */
  tiles: number;
}

/** Kinds of spans, in the words of the tracing view. */
export type SpanName =
  | 'compile'
  | 'link'
  | 'module'
  | 'draw'
  | 'geometry'
  | 'tiles'
  | 'flush'
  | 'readback'
  | 'wait'
  | 'frame';

const NAMES: readonly SpanName[] = [
  'compile',
  'link',
  'module',
  'draw',
  'geometry',
  'tiles',
  'flush',
  'readback',
  'wait',
  'frame',
];

/** A frame that has ended: counts, and milliseconds by kind of span (on the main thread). */
export interface FrameProfile extends FrameCounts {
  readonly milliseconds: Readonly<Record<SpanName, number>>;
  /** Milliseconds each thread worked on tiles; 0 is the main thread. */
  readonly threadMs: readonly number[];
}

/** One complete event of the Trace Event Format: microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly thread: number;
  readonly start: number;
  readonly duration: number;
  readonly detail: string;
}

/** Frames that are remembered, for graphs and averages. */
const HISTORY = 120;
/** Events of a trace; what comes later is counted only. */
const MAX_EVENTS = 500_000;

function noCounts(): FrameCounts {
  return { draws: 0, primitivesIn: 0, primitivesOut: 0, fragments: 0, fragmentsKilled: 0, tiles: 0 };
}

function noTimes(): Record<SpanName, number> {
  return Object.fromEntries(NAMES.map((name) => [name, 0])) as Record<SpanName, number>;
}

export class Profile {
  /** Whether anybody wants to know. */
  isOn = false;
  /** Of the frame that is being made. */
  counts = noCounts();
  /** The last frames, oldest first. */
  readonly frames: FrameProfile[] = [];
  #times = noTimes();
  #threadMs: number[] = [];
  #frameStart = now();
  #events: TraceEvent[] | null = null;
  #dropped = 0;

  /** Begins to count; with `trace` every span is also kept as an event. */
  start(options: { trace?: boolean } = {}): void {
    if (!this.isOn) this.#frameStart = now();
    this.isOn = true;
    if (options.trace) this.#events ??= [];
  }

  /** Forgets everything and stops. */
  stop(): void {
    this.isOn = false;
    this.counts = noCounts();
    this.frames.length = 0;
    this.#times = noTimes();
    this.#threadMs = [];
    this.#events = null;
    this.#dropped = 0;
  }

  /** The time that `end` takes as a span's start; nobody asks the clock while this is off. */
  begin(): number {
    return this.isOn ? now() : 0;
  }

  /** A span on the main thread has ended. */
  end(name: SpanName, start: number, detail = ''): void {
    if (!this.isOn) return;
    const duration = now() - start;
    this.#times[name] += duration;
    this.#addEvent(name, 0, start, duration, detail);
  }

  /** A thread worked on tiles: from `start` (by the clock of all threads) on, `busyMs` of `elapsedMs`. */
  threadWorked(thread: number, start: number, elapsedMs: number, busyMs: number): void {
    if (!this.isOn) return;
    this.#threadMs[thread] = (this.#threadMs[thread] ?? 0) + busyMs;
    // The main thread's share stands in its own span.
    if (thread > 0) this.#addEvent('tiles', thread, start, elapsedMs, '');
  }

  #addEvent(name: string, thread: number, start: number, duration: number, detail: string): void {
    if (this.#events === null) return;
    if (this.#events.length >= MAX_EVENTS) this.#dropped++;
    else this.#events.push({ name, thread, start, duration, detail });
  }

  /** The frame is complete. */
  endFrame(): void {
    if (!this.isOn) return;
    this.end('frame', this.#frameStart);
    const threadMs = [...this.#threadMs].map((milliseconds) => milliseconds ?? 0);
    this.frames.push({ ...this.counts, milliseconds: this.#times, threadMs });
    if (this.frames.length > HISTORY) this.frames.shift();
    this.counts = noCounts();
    this.#times = noTimes();
    this.#threadMs = [];
    this.#frameStart = now();
  }

  /** The events so far as a file for Chrome's tracing view (chrome://tracing, ui.perfetto.dev). */
  traceText(): string {
    const process = globalThis.process?.pid ?? 1;
    const events = this.#events ?? [];
    const threads = new Set([0, ...events.map(({ thread }) => thread)]);
    const lines = [...threads].map((thread) => {
      const name = thread === 0 ? 'main' : `worker ${thread}`;
      return JSON.stringify({ name: 'thread_name', ph: 'M', pid: process, tid: thread, args: { name } });
    });
    for (const { name, thread, start, duration, detail } of events) {
      const args = detail === '' ? {} : { args: { detail } };
      const [ts, dur] = [Math.round(start * 1000), Math.round(duration * 1000)];
      lines.push(JSON.stringify({ name, cat: 'indium', ph: 'X', ts, dur, pid: process, tid: thread, ...args }));
    }
    const dropped = this.#dropped > 0 ? `,"otherData":{"droppedEvents":${this.#dropped}}` : '';
    return `{"displayTimeUnit":"ms","traceEvents":[\n${lines.join(',\n')}\n]${dropped}}\n`;
  }
}

/** The profile of this process. */
export const profile = new Profile();

/** Whether the picture shows the profile. */
export const hud = { isOn: false };

const wanted = globalThis.process?.env?.['INDIUM_HUD'];
if (wanted && wanted !== '0') {
  hud.isOn = true;
  profile.start();
}
