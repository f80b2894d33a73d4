// Runs one entry on a context: frames for its duration with their times, then one frame at a fixed time for its picture.
// Runs in Node and in a page alike.

import { decorate } from './decoration.ts';
import type { Entry } from './entry.ts';
import { readGrid } from './picture.ts';
import type { BenchData, Gl } from './scene.ts';
import { clearFrame, setUpEntry } from './stage.ts';

/** How a frame ends, so that its time holds all of its work. */
export type FrameEnd = 'readpixels' | 'finish' | 'none';
export const FRAME_ENDS: readonly FrameEnd[] = ['readpixels', 'finish', 'none'];

export interface RunOptions {
  readonly width: number;
  readonly height: number;
  readonly data: BenchData;
  readonly frameEnd: FrameEnd;
  /** Told from time to time how much of the entry is done, 0 to 1. */
  readonly onProgress?: (part: number) => void;
  /** Called before the set-up; what it gives is called after the first frame. */
  readonly watchFirstFrame?: (title: string) => () => void;
}

export interface EntryResult {
  readonly title: string;
  readonly scene: string;
  readonly status: 'success' | 'failed' | 'unsupported';
  readonly message?: string;
  readonly frames: number;
  readonly seconds: number;
  /** Frames by seconds. */
  readonly fps: number;
  readonly medianMs: number;
  readonly worstMs: number;
  /** The first frame, in which programs are often compiled. */
  readonly firstMs: number;
  readonly setupMs: number;
  readonly draws: number;
  readonly triangles: number;
  /** Means over 8×8 cells of the frame at PICTURE_TIME. */
  readonly grid: readonly number[];
}

/** Seconds since the start at which the picture is taken. */
export const PICTURE_TIME = 1;
/** Times of frames that are kept; later frames count, but not for the median. */
const MAX_TIMES = 1 << 17;
const PROGRESS_SECONDS = 0.25;

const times = new Float64Array(MAX_TIMES);

function createFrameEnd(gl: Gl, { width, height, frameEnd }: RunOptions): () => void {
  const pixel = new Uint8Array(4);
  const [x, y] = [width >> 1, height >> 1];
  if (frameEnd === 'finish') return () => gl.finish();
  if (frameEnd === 'none') return () => gl.flush();
  return () => gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
}

interface Counts {
  draws: number;
  triangles: number;
}

/** Counts draws and triangles of what `draw` does, by standing in front of the context's own functions. */
function countDraws(gl: Gl, draw: () => void): Counts {
  const counts = { draws: 0, triangles: 0 };
  const count = (mode: number, vertices: number) => {
    counts.draws++;
    if (mode === gl.TRIANGLES) counts.triangles += Math.floor(vertices / 3);
    else if (mode === gl.TRIANGLE_STRIP || mode === gl.TRIANGLE_FAN) counts.triangles += Math.max(vertices - 2, 0);
  };
  const { drawArrays, drawElements } = gl;
  gl.drawArrays = (mode, first, vertices) => {
    count(mode, vertices);
    drawArrays.call(gl, mode, first, vertices);
  };
  gl.drawElements = (mode, vertices, type, offset) => {
    count(mode, vertices);
    drawElements.call(gl, mode, vertices, type, offset);
  };
  try {
    draw();
  } finally {
    gl.drawArrays = drawArrays;
    gl.drawElements = drawElements;
  }
  return counts;
}

function medianOf(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function measure(gl: Gl, entry: Entry, options: RunOptions) {
  const endWatch = options.watchFirstFrame?.(entry.title);
  const setupStart = performance.now();
  const instance = setUpEntry(entry, { gl, ...options });
  const decoration = decorate(entry, { gl, ...options });
  const setupMs = performance.now() - setupStart;
  const endFrame = createFrameEnd(gl, options);
  const duration = entry.options.number('duration');
  const frameLimit = entry.options.text('nframes') === '' ? Infinity : entry.options.number('nframes');
  const start = performance.now();
  let [frames, last, elapsed, nextProgress] = [0, start, 0, PROGRESS_SECONDS];
  while (elapsed < duration && frames < frameLimit) {
    clearFrame(gl);
    instance.draw();
    instance.update?.(elapsed);
    decoration?.draw(frames, elapsed);
    endFrame();
    const now = performance.now();
    if (frames < MAX_TIMES) times[frames] = now - last;
    if (frames === 0) endWatch?.();
    frames++;
    last = now;
    elapsed = (now - start) / 1000;
    if (elapsed >= nextProgress) {
      nextProgress = elapsed + PROGRESS_SECONDS;
      options.onProgress?.(Math.min(Math.max(elapsed / duration, frames / frameLimit), 1));
    }
  }
  const error = gl.getError();
  decoration?.dispose();
  instance.dispose?.();
  if (error !== 0) throw new Error(`GL error 0x${error.toString(16)}`);
  const firstMs = times[0]!;
  const sorted = times.slice(0, Math.min(frames, MAX_TIMES)).sort();
  // The first frame compiles; the worst one tells about those after it.
  const worstMs =
    frames > 1 ? times.subarray(1, Math.min(frames, MAX_TIMES)).reduce((a, b) => Math.max(a, b)) : firstMs;
  return { frames, seconds: elapsed, fps: frames / elapsed, medianMs: medianOf(sorted), worstMs, firstMs, setupMs };
}

/** The picture at PICTURE_TIME and what it took. */
export function takePicture(gl: Gl, entry: Entry, options: RunOptions): Counts & { grid: number[] } {
  const instance = setUpEntry(entry, { gl, ...options });
  instance.update?.(PICTURE_TIME);
  clearFrame(gl);
  const counts = countDraws(gl, () => instance.draw());
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  const grid = readGrid(gl, options.width, options.height);
  const error = gl.getError();
  instance.dispose?.();
  if (error !== 0) throw new Error(`GL error 0x${error.toString(16)}`);
  return { ...counts, grid };
}

const NOTHING = {
  frames: 0,
  seconds: 0,
  fps: 0,
  medianMs: 0,
  worstMs: 0,
  firstMs: 0,
  setupMs: 0,
  draws: 0,
  triangles: 0,
  grid: [] as number[],
};

/** Never throws: a failure is a result. */
export function runEntry(gl: Gl, entry: Entry, options: RunOptions): EntryResult {
  const name = { title: entry.title, scene: entry.scene.name };
  try {
    const measured = measure(gl, entry, options);
    return { ...name, status: 'success', ...measured, ...takePicture(gl, entry, options) };
  } catch (error) {
    const message = (error as Error).message;
    return { ...name, ...NOTHING, status: message.startsWith('needs ') ? 'unsupported' : 'failed', message };
  }
}
