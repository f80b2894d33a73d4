// Test support, run as a process of its own from dist: draws examples and more with so many threads, and prints as JSON what came out.

import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { listOf } from '../../../src/base/list.ts';
import { loadDemo } from '../../../src/cli/load-demo.ts';
import { createContext } from '../../../src/index.ts';
import { endlessFragment } from '../endless.ts';
import { Rig } from '../rig.ts';
import { SoftScreen } from '../screen.ts';
import { CUTTING } from '../shared-geometry.ts';
import { PATIENCE } from '../vertex-observer.ts';
import { CAUTION } from './experience.ts';
import { WORKER_PATIENCE, workerPool } from './pool.ts';
import { SHARING } from './screen-threads.ts';

export interface ThreadReport {
  /** Hash of each picture, and other results, by name. */
  readonly results: Record<string, string | number>;
  /** What workers did. */
  readonly beats: number;
  readonly warnings: readonly string[];
}

const EXAMPLES = ['deferred', 'msaa-comparison', 'stencil-mirror'];
const [WIDTH, HEIGHT] = [150, 140];
const FRAMES = 2;

const hash = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function drawExample(name: string, threads: number): Promise<string> {
  const demo = await loadDemo(fileURLToPath(new URL(`../../../examples/${name}.js`, import.meta.url)));
  const gl = createContext(WIDTH, HEIGHT, { api: (demo.api ?? 'webgl2') as 'webgl2', threads });
  const instance = await demo.setup({ gl, canvas: gl.canvas, width: WIDTH, height: HEIGHT, args: [] });
  const pixels = new Uint8Array(WIDTH * HEIGHT * 4);
  const hashes: string[] = [];
  for (let frame = 0; frame < FRAMES; frame++) {
    instance.frame(frame / 6, frame * 10);
    gl.readPixels(0, 0, WIDTH, HEIGHT, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    hashes.push(hash(pixels));
  }
  instance.dispose?.();
  gl.dispose();
  return hashes.join();
}

/** Samples counted by two queries that overlap, over 4 samples a pixel. */
function countSamples(threads: number): string {
  const rig = new Rig(new SoftScreen({ threads }));
  rig.target([rig.texture('R8G8B8A8_UNORM', 500, 300, { samples: 4 })]);
  const [first, second] = [
    rig.context.createQuery('occlusionCounter', 0),
    rig.context.createQuery('occlusionCounter', 1),
  ];
  rig.context.beginQuery(first);
  rig.rect(3, 5, 450, 270);
  rig.context.beginQuery(second);
  for (let at = 0; at < 40; at++) rig.rect(at * 7, at * 3, at * 7 + 90, at * 3 + 120);
  rig.context.endQuery(first);
  rig.rect(0, 0, 77, 99);
  rig.context.endQuery(second);
  const counts = [first, second].map((query) => rig.context.getQueryResult(query));
  rig.screen.destroy();
  return counts.join();
}

/** Large draws of all kinds whose geometry is cut: lists, strips, a fan, indices with and without restarts, instances. */
function drawLarge(threads: number): string {
  const rig = new Rig(new SoftScreen({ threads }));
  const color = rig.texture('R8G8B8A8_UNORM', 400, 300);
  const zs = rig.texture('Z24_UNORM_S8_UINT', 400, 300);
  rig.target([color], zs);
  rig.clear([0, 0, 0, 1]);
  rig.clearDepthStencil(1, 0);
  rig.blend([{ enabled: true, sourceRgb: 'sourceAlpha', destinationRgb: 'oneMinusSourceAlpha' }]);
  let state = 1;
  const next = (): number => (state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) / 0x80000000;
  const count = 6000;
  const places = listOf(count, () => {
    const w = 0.5 + next();
    const place = [next() * 2.4 - 1.2, next() * 2.4 - 1.2, next() * 2.2 - 1.1].map((v) => v * w);
    return [...place, w, next(), next(), next(), 0.02];
  });
  rig.vertices(places.flat());
  for (const mode of ['points', 'lines', 'lineStrip', 'triangles', 'triangleStrip', 'triangleFan'] as const) {
    rig.draw({ mode, count });
  }
  for (const restarts of [false, true]) {
    const indices = Uint16Array.from({ length: 9001 }, (_, at) =>
      restarts && at % 997 === 5 ? 0xffff : (at * 7) % count,
    );
    const indexBuffer = rig.buffer(indices);
    for (const mode of ['lineLoop', 'triangles', 'triangleStrip'] as const) {
      rig.draw({ mode, indexBuffer, indexSize: 2, count: indices.length, primitiveRestart: true });
    }
  }
  rig.draw({ count: 30, instanceCount: 400 });
  const hashes = [color, zs].map((resource) => hash(rig.bytes(resource)));
  rig.screen.destroy();
  return hashes.join();
}

/** A scene that takes a while, drawn again and again while workers are told to end. */
async function drawWithDeaths(threads: number): Promise<string> {
  const workers: Worker[] = [];
  const { unref } = Worker.prototype;
  Worker.prototype.unref = function (this: Worker) {
    workers.push(this);
    unref.call(this);
  };
  const patience = WORKER_PATIENCE.ms;
  WORKER_PATIENCE.ms = 300;
  const rig = new Rig(new SoftScreen({ threads }));
  const color = rig.texture('R8G8B8A8_UNORM', 600, 500);
  rig.target([color]);
  rig.blend([{ enabled: true, sourceRgb: 'sourceAlpha', destinationRgb: 'oneMinusSourceAlpha' }]);
  const hashes = new Set<string>();
  for (let round = 0; round < 6; round++) {
    if (threads > 1) await sleep(150);
    rig.clear([0, 0.5, 1, 1]);
    for (let at = 0; at < 200; at++) rig.rect(at, at, 600 - at, 500 - at, { color: [at / 200, 0, 1, 0.1] });
    for (const worker of workers.splice(0)) void worker.terminate();
    hashes.add(hash(rig.bytes(color)));
  }
  Worker.prototype.unref = unref;
  WORKER_PATIENCE.ms = patience;
  if (rig.context.isLost) hashes.add('lost');
  rig.screen.destroy();
  return [...hashes].join();
}

/** An endless fragment shader: the context is lost, whoever ran into it, and the next one works. */
function runEndless(threads: number): string {
  const rig = new Rig(new SoftScreen({ threads }));
  let reason = '';
  rig.screen.onLost((text) => (reason = text));
  rig.target([rig.texture('R8G8B8A8_UNORM', 300, 300)]);
  rig.fragmentShader(endlessFragment());
  rig.fill();
  rig.context.flush(0);
  rig.screen.destroy();
  return `${reason}; then ${countSamples(threads)}`;
}

/** Draws that nobody can wait for are given up, however they are cut. */
function giveUpHuge(threads: number): string {
  const patience = PATIENCE.drawMs;
  PATIENCE.drawMs = 200;
  const results = [
    [0x7fffffff, 1],
    [1 << 28, 1],
    [30_000, 0x7fffffff],
  ].map(([count, instanceCount]) => {
    const rig = new Rig(new SoftScreen({ threads }));
    rig.target([rig.texture('R8G8B8A8_UNORM', 30, 30)]);
    const start = performance.now();
    const status = rig.draw({ count: count!, instanceCount: instanceCount! });
    rig.screen.destroy();
    return `${status} ${performance.now() - start < 10_000 ? 'soon' : 'late'}`;
  });
  PATIENCE.drawMs = patience;
  return results.join();
}

async function main(threads: number): Promise<ThreadReport> {
  Object.assign(SHARING, {
    worthMs: 0,
    worthOfAwakeMs: 0,
    worthOfNewMs: 0,
    startMs: 0,
    startOfOneMs: 0,
  });
  CAUTION.mostSkipped = 0;
  Object.assign(CUTTING, { leastElements: 200, chunkElements: 100 });
  const warnings: string[] = [];
  console.warn = (text: string) => void warnings.push(text);
  const results: ThreadReport['results'] = {};
  await drawExample('gears', threads);
  // Workers are on their way.
  if (threads > 1) await sleep(500);
  for (const name of EXAMPLES) results[name] = await drawExample(name, threads);
  results['large'] = drawLarge(threads);
  results['samples'] = countSamples(threads);
  results['endless'] = runEndless(threads);
  results['huge'] = giveUpHuge(threads);
  results['deaths'] = await drawWithDeaths(threads);
  return { results, beats: workerPool().beats, warnings };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(JSON.stringify(await main(Number(process.argv[2]))));
