// What `start.ts` times of compiling: the scene `compile-uber` makes a program of 2,000 instructions anew for each frame, from text
// that no cache knows. Prints the first frame of this process and, when asked for more, the median of those after it, as JSON.
// Usage: node dist/bench/start-compile.js [frames]

import { createContext } from '../src/index.ts';
import { loadMicroScenes, perfFolder, setUpMicro } from './micro.ts';

/** What one process measured: wall time in ms. */
export interface CompileTimes {
  readonly first: number;
  readonly warm: number;
}

const SIZE = 512;
/** Frames before code is warm. */
const WARM_UP = 30;

const frames = Number(process.argv[2] ?? 1);
const { SCENES } = await loadMicroScenes(perfFolder(undefined));
const scene = SCENES.find(({ name }) => name === 'compile-uber')!;
const gl = createContext(SIZE, SIZE, { api: 'webgl', antialias: false, threads: 1 });
const pixel = new Uint8Array(4);
const finish = (): void => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
const draw = setUpMicro(scene, gl, SIZE, SIZE);
finish();
const times: number[] = [];
for (let frame = 0; frame < frames; frame++) {
  const start = performance.now();
  draw(frame);
  finish();
  times.push(performance.now() - start);
}
const late = times.slice(Math.min(WARM_UP, frames - 1)).sort((a, b) => a - b);
console.log(JSON.stringify({ first: times[0], warm: late[late.length >> 1] } as CompileTimes));
process.exit(0);
