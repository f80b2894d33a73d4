// What a frame of an entry is made of: the profile's counts over a few frames, apart from the timed run, because counting costs time.

import { listOf } from '../src/base/list.ts';
import { type FrameProfile, profile } from '../src/base/profile.ts';
import type { ContextSource } from './contexts.ts';
import type { Entry } from './entry.ts';
import type { Column } from './report/rows.ts';
import type { RunOptions } from './run-entry.ts';
import { clearFrame, setUpEntry } from './stage.ts';

export interface FrameWork {
  readonly title: string;
  /** Means of the frames. */
  readonly draws: number;
  readonly primitivesIn: number;
  readonly primitivesOut: number;
  readonly fragments: number;
  readonly fragmentsKilled: number;
  readonly tiles: number;
  readonly waitMs: number;
  /** By thread: the part of the frame's time that it worked on tiles. */
  readonly busy: readonly number[];
  /** Milliseconds of set-up and the first frame in which programs were compiled. A list compiles equal programs once. */
  readonly compileMs: number;
}

const FRAMES = 12;
/** Frames until workers have started, as far as the entry is worth them. */
const WARM_FRAMES = 20;
const SECONDS_A_FRAME = 1 / 60;

function summarize(title: string, frames: readonly FrameProfile[], compileMs: number): FrameWork {
  const mean = (of: (frame: FrameProfile) => number): number =>
    frames.reduce((sum, frame) => sum + of(frame), 0) / frames.length;
  const frameMs = mean(({ milliseconds }) => milliseconds.frame);
  const threads = Math.max(...frames.map(({ threadMs }) => threadMs.length));
  return {
    title,
    draws: mean(({ draws }) => draws),
    primitivesIn: mean(({ primitivesIn }) => primitivesIn),
    primitivesOut: mean(({ primitivesOut }) => primitivesOut),
    fragments: mean(({ fragments }) => fragments),
    fragmentsKilled: mean(({ fragmentsKilled }) => fragmentsKilled),
    tiles: mean(({ tiles }) => tiles),
    waitMs: mean(({ milliseconds }) => milliseconds.wait),
    busy: listOf(threads, (thread) => mean(({ threadMs }) => threadMs[thread] ?? 0) / frameMs),
    compileMs,
  };
}

async function measureWork(contexts: ContextSource, entry: Entry, options: RunOptions): Promise<FrameProfile[]> {
  const { gl, close } = await contexts.open(options.width, options.height);
  const instance = setUpEntry(entry, { gl, ...options });
  const pixel = new Uint8Array(4);
  for (let frame = 0; frame < WARM_FRAMES + FRAMES; frame++) {
    clearFrame(gl);
    instance.draw();
    instance.update?.(frame * SECONDS_A_FRAME);
    gl.readPixels(options.width >> 1, options.height >> 1, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    profile.endFrame();
    // A worker needs this thread's event loop to come up.
    if (frame === WARM_FRAMES >> 1) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const frames = profile.frames.slice(-FRAMES);
  instance.dispose?.();
  await close();
  return frames;
}

/** Watches the timed runs of a list (`watchFirstFrame`) for the time that they compile. */
export class CompileWatch {
  readonly #compileMs = new Map<string, number>();

  readonly watch = (title: string): (() => void) => {
    const wasOn = profile.isOn;
    profile.start();
    profile.endFrame();
    return () => {
      profile.endFrame();
      const { compile, link, module } = profile.frames.at(-1)!.milliseconds;
      this.#compileMs.set(title, compile + link + module);
      if (!wasOn) profile.stop();
    };
  };

  millisecondsOf(title: string): number {
    return this.#compileMs.get(title) ?? 0;
  }
}

/** Entries that cannot be drawn are left out: the timed run has said why. */
export async function profileList(
  contexts: ContextSource,
  entries: readonly Entry[],
  options: RunOptions,
  compiling: CompileWatch,
): Promise<FrameWork[]> {
  const wasOn = profile.isOn;
  const work: FrameWork[] = [];
  try {
    for (const entry of entries) {
      // Contexts look when they are made.
      profile.start();
      profile.endFrame();
      try {
        const frames = await measureWork(contexts, entry, options);
        work.push(summarize(entry.title, frames, compiling.millisecondsOf(entry.title)));
      } catch {
        profile.endFrame();
      }
    }
  } finally {
    if (!wasOn) profile.stop();
  }
  return work;
}

const whole = (value: number): string => Math.round(value).toString();

export const WORK_COLUMNS: readonly Column<FrameWork>[] = [
  { title: 'entry, a frame of it', cell: ({ title }) => title },
  { title: 'draws', isNumber: true, cell: ({ draws }) => whole(draws) },
  { title: 'primitives', isNumber: true, cell: ({ primitivesIn }) => whole(primitivesIn) },
  { title: 'left', isNumber: true, cell: ({ primitivesOut }) => whole(primitivesOut) },
  { title: 'fragments', isNumber: true, cell: ({ fragments }) => whole(fragments) },
  { title: 'killed', isNumber: true, cell: ({ fragmentsKilled }) => whole(fragmentsKilled) },
  { title: 'tiles', isNumber: true, cell: ({ tiles }) => whole(tiles) },
  { title: 'busy %', isNumber: true, cell: ({ busy }) => busy.map((part) => whole(part * 100)).join(' ') },
  { title: 'wait ms', isNumber: true, cell: ({ waitMs }) => waitMs.toFixed(3) },
  { title: 'compiled ms', isNumber: true, cell: ({ compileMs }) => compileMs.toFixed(1) },
];
