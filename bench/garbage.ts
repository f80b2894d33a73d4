// `npm run bench:garbage`: how often V8 collects while a scene draws, and what a frame allocates. A scene in its steady state should
// cause no major collection and next to no minor ones. `node --trace-gc dist/bench/garbage.js …` shows each as it happens.
// `vector-draws` is many-draws with uniforms in arrays: V8 boxes each number that a script hands to `uniform4f`, which is the script's garbage.
// Usage: node dist/bench/garbage.js [--scenes many-draws,fbm] [--frames 10000] [--backend soft] [--size 512x512] [--perf-data DIR]

import { constants, PerformanceObserver } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openBackend } from '../src/open-backend.ts';
import { indiumContexts } from './contexts.ts';
import { drawsSeries } from './growth-series.ts';
import { loadMicroScenes, type MicroScene, perfFolder, setUpMicro } from './micro.ts';
import { type Column, toText } from './report/rows.ts';

const { values } = parseArgs({
  options: {
    scenes: { type: 'string', default: 'many-draws,vector-draws,ubo-many-draws,tex-linear,instancing-10k' },
    frames: { type: 'string', default: '10000' },
    backend: { type: 'string', default: 'soft' },
    size: { type: 'string', default: '512x512' },
    'perf-data': { type: 'string' },
  },
});
const [width = 512, height = 512] = values.size.split('x').map(Number);
const FRAMES = Number(values.frames);
/** Frames until code is compiled, caches are filled and buffers have grown to their size. */
const WARM_FRAMES = 200;

interface Row {
  readonly scene: string;
  readonly minor: number;
  readonly major: number;
  /** Milliseconds of all collections. */
  readonly gcMs: number;
  readonly frameMs: number;
  readonly bytes: number;
}

interface Collections {
  minor: number;
  major: number;
  ms: number;
}

const { NODE_PERFORMANCE_GC_MINOR, NODE_PERFORMANCE_GC_MAJOR } = constants;
const seen: { start: number; kind: number; ms: number }[] = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { kind } = (entry as unknown as { detail: { kind: number } }).detail;
    seen.push({ start: entry.startTime, kind, ms: entry.duration });
  }
}).observe({ entryTypes: ['gc'] });

/** Collections that began between two times; the observer hears of them when the event loop turns. */
async function collections(start: number, end: number): Promise<Collections> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  const found = seen.filter((event) => event.start >= start && event.start < end);
  const count = (kind: number): number => found.filter((event) => event.kind === kind).length;
  return {
    minor: count(NODE_PERFORMANCE_GC_MINOR),
    major: count(NODE_PERFORMANCE_GC_MAJOR),
    ms: found.reduce((sum, { ms }) => sum + ms, 0),
  };
}

/** V8's own `gc`, which no flag of the command line has to make visible. */
setFlagsFromString('--expose-gc');
const collectAll = runInNewContext('gc') as () => void;

const VECTOR_DRAWS = 5000;

async function measure(name: string, scene: MicroScene | null): Promise<Row> {
  const api = scene?.webgl === 1 ? 'webgl' : 'webgl2';
  const { gl, close } = await indiumContexts(await openBackend(values.backend), api).open(width, height);
  const draw = scene === null ? drawsSeries.setUp(gl, VECTOR_DRAWS) : setUpMicro(scene, gl, width, height);
  const pixel = new Uint8Array(4);
  let index = 0;
  const run = (frames: number): void => {
    for (let at = 0; at < frames; at++) {
      draw(index++);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    }
  };
  run(WARM_FRAMES);
  // What set-up left behind is not the frames' garbage. Why collect all of it: until V8's first major collection the old generation has
  // no list of free places, and each minor collection takes a page of 256 KB for the few objects that outlive it, so that a major
  // collection comes after some thirty of them. None follows.
  collectAll();
  await collections(0, 0);
  const start = performance.now();
  run(FRAMES);
  const end = performance.now();
  const { minor, major, ms } = await collections(start, end);
  const bytes = await bytesOfFrame(run);
  await close();
  return { scene: name, minor, major, gcMs: ms, frameMs: (end - start) / FRAMES, bytes };
}

/** What a frame allocates: growth of the heap over some frames without a collection. */
async function bytesOfFrame(run: (frames: number) => void): Promise<number> {
  const FEW = 4;
  for (let attempt = 0; attempt < 10; attempt++) {
    const start = performance.now();
    const before = process.memoryUsage().heapUsed;
    run(FEW);
    const grown = process.memoryUsage().heapUsed - before;
    const { minor, major } = await collections(start, performance.now());
    if (minor + major === 0) return grown / FEW;
  }
  return Number.NaN;
}

const { SCENES } = await loadMicroScenes(perfFolder(values['perf-data']));
const rows: Row[] = [];
for (const name of values.scenes.split(',')) {
  const scene = SCENES.find((candidate) => candidate.name === name) ?? null;
  if (scene === null && name !== 'vector-draws') {
    console.error(`no micro scene '${name}'; there are: ${SCENES.map((known) => known.name).join(', ')}`);
    process.exit(2);
  }
  rows.push(await measure(name, scene));
}
const columns: Column<Row>[] = [
  { title: 'scene', cell: ({ scene }) => scene },
  { title: 'minor', isNumber: true, cell: ({ minor }) => String(minor) },
  { title: 'major', isNumber: true, cell: ({ major }) => String(major) },
  { title: 'collecting ms', isNumber: true, cell: ({ gcMs }) => gcMs.toFixed(1) },
  { title: 'ms a frame', isNumber: true, cell: ({ frameMs }) => frameMs.toFixed(3) },
  { title: 'bytes a frame', isNumber: true, cell: ({ bytes }) => bytes.toFixed(0) },
];
console.log(`${values.backend}, Node ${process.versions.node}, ${width}x${height}, ${FRAMES} frames each`);
console.log(toText(columns, rows));
process.exitCode = rows.some(({ major }) => major > 0) ? 1 : 0;
