// One measurement of `calls.ts` in a process of its own, so that V8 has seen nothing else: CPU time of a frame's calls, and of its
// end, the readPixels that waits for the pixels. Usage: calls-measure '{"scene":"draw","backend":"soft:threads=1","mode":"whole",…}'

import { Session } from 'node:inspector';
import { openBackend } from '../src/open-backend.ts';
import { CALL_SCENES, MICRO_DRAWS } from './call-scenes.ts';
import { indiumContexts } from './contexts.ts';
import { cpuMs } from './cpu-time.ts';
import { installIdleKernels } from './idle-kernels.ts';
import { loadMicroScenes, setUpMicro } from './micro.ts';
import type { Gl } from './scene.ts';

export interface Order {
  readonly scene: string;
  readonly backend: string;
  /** `idle`: geometry kernels do nothing. `split`: V8's sampling profiler tells JavaScript and WebAssembly apart. */
  readonly mode: 'whole' | 'idle' | 'split';
  readonly ms: number;
  /** The folder of micro scenes. */
  readonly perfData: string;
}

/** CPU nanoseconds a draw, or with `split` shares. */
export interface Measured {
  readonly calls?: number;
  readonly end?: number;
  /** Of `calls` and of `end`: the share of samples that were not in WebAssembly. */
  readonly callsShare?: number;
  readonly endShare?: number;
  /** Nanoseconds of the skeleton at the same time. */
  readonly skeleton: number;
}

const EDGE = 256;
const WARM_MS = 700;

/** The least that two uniforms and a draw could do: check a length, copy, mark, copy again. 31 ns on the goal's machine. */
function measureSkeleton(): number {
  const [shadow, ring, matrix] = [new Float32Array(64), new Float32Array(1 << 20), new Float32Array(16).fill(1)];
  const places = [0, 16].map((offset) => ({ offset, count: 16 }));
  let [position, isDirty] = [0, false];
  const uniform = (place: { offset: number; count: number }, values: Float32Array): void => {
    if (values.length !== place.count) throw new RangeError('count');
    shadow.set(values, place.offset);
    isDirty = true;
  };
  const draw = (): void => {
    if (position + 64 > ring.length) position = 0;
    if (!isDirty) return;
    ring.set(shadow, position);
    position += 64;
    isDirty = false;
  };
  const COUNT = 20_000;
  let best = Infinity;
  for (let round = 0; round < 40; round++) {
    const start = cpuMs();
    for (let at = 0; at < COUNT; at++) {
      uniform(places[0]!, matrix);
      uniform(places[1]!, matrix);
      draw();
    }
    best = Math.min(best, cpuMs() - start);
  }
  return (best * 1e6) / COUNT;
}

interface Frames {
  readonly draws: number;
  calls(): void;
  end(): void;
}

async function openScene({ scene: name, backend, perfData }: Order): Promise<Frames> {
  const own = CALL_SCENES.find((candidate) => candidate.name === name);
  const micro = own ? undefined : (await loadMicroScenes(perfData)).SCENES.find((one) => one.name === name);
  if (!own && !micro) throw new Error(`no scene '${name}'`);
  const { gl } = await indiumContexts(await openBackend(backend), micro?.webgl === 1 ? 'webgl' : 'webgl2').open(
    EDGE,
    EDGE,
  );
  const draws = own?.draws ?? MICRO_DRAWS[name]!;
  const calls = own ? own.setUp(gl as WebGL2RenderingContext, draws) : frameOf(setUpMicro(micro!, gl, EDGE, EDGE));
  return { draws, calls, end: endOf(gl) };
}

function frameOf(draw: (frame: number) => void): () => void {
  return () => draw(0);
}

function endOf(gl: Gl): () => void {
  const pixel = new Uint8Array(4);
  return () => {
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    const error = gl.getError();
    if (error !== 0) throw new Error(`GL error 0x${error.toString(16)}`);
  };
}

/** The cheapest frame: what else the machine does only adds. */
function run({ draws, calls, end }: Frames, ms: number): { calls: number; end: number } {
  const best = { calls: Infinity, end: Infinity };
  for (const until = cpuMs() + ms; ; ) {
    const start = cpuMs();
    calls();
    const middle = cpuMs();
    end();
    const last = cpuMs();
    best.calls = Math.min(best.calls, middle - start);
    best.end = Math.min(best.end, last - middle);
    if (last > until) return { calls: (best.calls * 1e6) / draws, end: (best.end * 1e6) / draws };
  }
}

const SAMPLE_MICROSECONDS = 100;

/** Shares of samples outside of WebAssembly, in the calls and in `end`. */
function split(frames: Frames, ms: number): { callsShare: number; endShare: number } {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
  session.post('Profiler.start');
  run(frames, ms);
  const counts = { calls: [0, 0], end: [0, 0] };
  session.post('Profiler.stop', (error, { profile }) => {
    if (error) throw error;
    const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
    const visit = (id: number, isEnd: boolean): void => {
      const { callFrame, hitCount = 0, children = [] } = nodes.get(id)!;
      const inEnd = isEnd || callFrame.functionName === 'readPixels';
      const isWebAssembly = callFrame.url.startsWith('wasm://');
      const isOurs = callFrame.functionName !== '(idle)' && callFrame.functionName !== '(root)';
      if (isOurs) counts[inEnd ? 'end' : 'calls'][isWebAssembly ? 1 : 0]! += hitCount;
      for (const child of children) visit(child, inEnd);
    };
    visit(profile.nodes[0]!.id, false);
  });
  session.disconnect();
  const share = ([ours = 0, theirs = 0]: readonly number[]): number => ours / (ours + theirs);
  return { callsShare: share(counts.calls), endShare: share(counts.end) };
}

const order = JSON.parse(process.argv[2]!) as Order;
const kernels = order.mode === 'idle' ? installIdleKernels() : null;
const frames = await openScene(order);
run(frames, WARM_MS);
if (kernels) {
  kernels.isIdle = true;
  run(frames, WARM_MS);
}
const found = order.mode === 'split' ? split(frames, order.ms) : run(frames, order.ms);
const measured: Measured = { ...found, skeleton: measureSkeleton() };
console.log(JSON.stringify(measured));
process.exit(0);
