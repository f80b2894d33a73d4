// How fast one backend draws the bench's scenes by the measure of another one: CPU time of a frame, best of rounds, on one thread.
// Usage: npx tsx bench/backend-ratio.ts [--backend etnaviv:gc7000] [--against soft:threads=1] [--ms 300] [--rounds 2]
//          [--size 512x512] [--scenes WORD,WORD] [--perf-data DIR]

import { parseArgs } from 'node:util';
import { openBackend } from '../src/open-backend.ts';
import { type Api, indiumContexts } from './contexts.ts';
import { cpuMs } from './cpu-time.ts';
import { parseEntries } from './entry.ts';
import { generatedData } from './generated-data.ts';
import { loadMicroScenes, perfFolder, setUpMicro } from './micro.ts';
import type { Gl } from './scene.ts';
import { DEFAULT_ENTRIES } from './scene-table.ts';
import { clearFrame, setUpEntry } from './stage.ts';

interface Subject {
  readonly name: string;
  readonly api: Api;
  /** Sets the scene up; what it gives draws one frame. */
  setUp(gl: Gl, width: number, height: number): (frame: number) => void;
}

const { values } = parseArgs({
  options: {
    backend: { type: 'string', default: 'etnaviv:gc7000' },
    against: { type: 'string', default: 'soft:threads=1' },
    ms: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '2' },
    size: { type: 'string', default: '512x512' },
    scenes: { type: 'string', default: '' },
    'perf-data': { type: 'string' },
  },
});
const [width = 512, height = 512] = values.size.split('x').map(Number);
const SECONDS_A_FRAME = 1 / 60;

async function microSubjects(folder: string): Promise<Subject[]> {
  const { SCENES } = await loadMicroScenes(folder);
  return SCENES.map((scene) => ({
    name: scene.name,
    api: scene.webgl === 2 ? 'webgl2' : 'webgl',
    setUp: (gl, w, h) => setUpMicro(scene, gl, w, h),
  }));
}

function entrySubjects(): Subject[] {
  return parseEntries(DEFAULT_ENTRIES, generatedData).map((entry) => ({
    name: entry.title,
    api: 'webgl',
    setUp(gl, w, h) {
      const instance = setUpEntry(entry, { gl, width: w, height: h, data: generatedData });
      return (frame) => {
        clearFrame(gl);
        instance.draw();
        instance.update?.(frame * SECONDS_A_FRAME);
      };
    },
  }));
}

/** CPU milliseconds of a frame. */
async function measure(backend: string, subject: Subject, ms: number): Promise<number> {
  const { gl, close } = await indiumContexts(await openBackend(backend), subject.api).open(width, height);
  try {
    const frame = subject.setUp(gl, width, height);
    const pixel = new Uint8Array(4);
    let index = 0;
    const run = (budget: number): number => {
      const start = cpuMs();
      let frames = 0;
      do {
        frame(index++);
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        frames++;
      } while (cpuMs() - start < budget);
      return (cpuMs() - start) / frames;
    };
    // The first frames compile.
    run(0);
    run(ms / 2);
    const result = run(ms);
    const error = gl.getError();
    if (error !== 0) throw new Error(`GL error 0x${error.toString(16)}`);
    return result;
  } finally {
    await close();
  }
}

const words = values.scenes.split(',').filter((word) => word !== '');
const subjects = [...(await microSubjects(perfFolder(values['perf-data']))), ...entrySubjects()].filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
console.log(`${width}x${height}, CPU ms a frame: ${values.backend} | ${values.against} | speed by its measure`);
const ratios: number[] = [];
for (const subject of subjects) {
  try {
    let [own, other] = [Infinity, Infinity];
    for (let round = 0; round < Number(values.rounds); round++) {
      other = Math.min(other, await measure(values.against, subject, Number(values.ms)));
      own = Math.min(own, await measure(values.backend, subject, Number(values.ms)));
    }
    ratios.push(other / own);
    console.log(
      `${subject.name.slice(0, 70).padEnd(71)}${own.toFixed(2).padStart(9)}${other.toFixed(2).padStart(9)}${(other / own).toFixed(3).padStart(8)}`,
    );
  } catch (error) {
    console.log(`${subject.name.slice(0, 70).padEnd(71)} not drawn: ${(error as Error).message.split('\n')[0]}`);
  }
}
const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / Math.max(ratios.length, 1));
console.log(`geometric mean of ${ratios.length}: ${mean.toFixed(3)}, least ${Math.min(...ratios).toFixed(3)}`);
