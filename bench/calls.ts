// `npm run bench:calls`: the JavaScript of a draw call with one kind of change before it, in CPU nanoseconds a draw.
// Calls are timed up to the end of the frame with geometry kernels that do nothing (then all of it is JavaScript), with those that work,
// and on the null backend (then it is what `webgl` and `gl` take). `sampled` is the same JavaScript by V8's sampling profiler, as a
// check: with kernels at work, which take the caches for themselves, it is up to a quarter more. Each figure comes from a process of its
// own; the least of all rounds counts. `skeleton` tells the machine's speed: the goal, 1.5 to 2 µs, was set where it takes 31 ns.
// Usage: node dist/bench/calls.js [--scenes draw,block] [--rounds 3] [--ms 300] [--backend soft:threads=1] [--perf-data DIR] [--markdown FILE]

import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startProgress } from '../src/cli/progress.ts';
import { CALL_SCENES, MICRO_DRAWS } from './call-scenes.ts';
import type { Measured, Order } from './calls-measure.ts';
import { perfFolder } from './micro.ts';
import { type Column, significant, toMarkdown, toText } from './report/rows.ts';

const { values } = parseArgs({
  options: {
    scenes: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    ms: { type: 'string', default: '300' },
    backend: { type: 'string', default: 'soft:threads=1' },
    'perf-data': { type: 'string' },
    markdown: { type: 'string' },
  },
});
const perfData = perfFolder(values['perf-data']);
const known = [...CALL_SCENES.map(({ name }) => name), ...(existsSync(perfData) ? Object.keys(MICRO_DRAWS) : [])];
const names = values.scenes?.split(',') ?? known;
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`no scene '${unknown.join("', '")}'; there are: ${known.join(', ')}`);
  process.exit(2);
}

/** Nanoseconds on the machine that the goal was set on. */
const GOAL_SKELETON = 31;

/** CPU nanoseconds a draw. */
interface Row {
  readonly scene: string;
  readonly what: string;
  readonly script: number;
  readonly stateTracker: number;
  readonly sampled: number;
  readonly calls: number;
  readonly end: number;
  readonly endScript: number;
  readonly skeleton: number;
}

const program = fileURLToPath(new URL(`./calls-measure${import.meta.url.slice(-3)}`, import.meta.url));

function measure(scene: string, backend: string, mode: Order['mode']): Measured {
  const order: Order = { scene, backend, mode, ms: Number(values.ms), perfData };
  const parameters = [...process.execArgv, program, JSON.stringify(order)];
  const { stdout, stderr, status } = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${scene} on ${backend} failed: ${stderr}`);
  return JSON.parse(stdout) as Measured;
}

/** The least: what else the machine does only adds. */
function best(rounds: readonly Measured[], key: keyof Measured): number {
  return Math.min(...rounds.map((round) => round[key] ?? Number.NaN));
}

function mean(rounds: readonly Measured[], key: keyof Measured): number {
  return rounds.reduce((sum, round) => sum + (round[key] ?? Number.NaN), 0) / rounds.length;
}

function measureScene(scene: string): Row {
  const rounds: Record<'idle' | 'whole' | 'split' | 'tracker', Measured[]> = {
    idle: [],
    whole: [],
    split: [],
    tracker: [],
  };
  for (let round = 0; round < Number(values.rounds); round++) {
    rounds.idle.push(measure(scene, values.backend, 'idle'));
    rounds.whole.push(measure(scene, values.backend, 'whole'));
    rounds.split.push(measure(scene, values.backend, 'split'));
    rounds.tracker.push(measure(scene, 'null', 'whole'));
    bar.step(`${scene}, round ${round + 1}`);
  }
  const [calls, end] = [best(rounds.whole, 'calls'), best(rounds.whole, 'end')];
  return {
    scene,
    what: CALL_SCENES.find(({ name }) => name === scene)?.what ?? 'a micro scene',
    script: best(rounds.idle, 'calls'),
    stateTracker: best(rounds.tracker, 'calls'),
    sampled: calls * mean(rounds.split, 'callsShare'),
    calls,
    end,
    endScript: end * mean(rounds.split, 'endShare'),
    skeleton: best(Object.values(rounds).flat(), 'skeleton'),
  };
}

const bar = startProgress('calls', names.length * Number(values.rounds));
const rows = names.map(measureScene);
bar.stop();
const nanoseconds = (title: string, value: (row: Row) => number): Column<Row> => ({
  title,
  isNumber: true,
  cell: (row) => significant(value(row)),
});
const columns: Column<Row>[] = [
  { title: 'scene', cell: ({ scene }) => scene },
  nanoseconds('JavaScript', ({ script }) => script),
  nanoseconds('of it webgl, gl', ({ stateTracker }) => stateTracker),
  nanoseconds('sampled', ({ sampled }) => sampled),
  nanoseconds('with geometry', ({ calls }) => calls),
  nanoseconds('pixels', ({ end }) => end),
  nanoseconds('of it JavaScript', ({ endScript }) => endScript),
  nanoseconds('skeleton', ({ skeleton }) => skeleton),
  nanoseconds(
    'all JavaScript at the goal’s speed',
    ({ script, endScript, skeleton }) => ((script + endScript) * GOAL_SKELETON) / skeleton,
  ),
  { title: 'calls of a draw', cell: ({ what }) => what },
];
console.log(`${values.backend}, Node ${process.versions.node}, CPU ns a draw, least of ${values.rounds}`);
console.log(toText(columns, rows));
if (values.markdown) writeFileSync(values.markdown, `${toMarkdown(columns, rows)}\n`);
