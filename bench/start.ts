// `npm run bench:start`: what a fresh process pays for import, context, triangle and readPixels, beside a process that does nothing;
// and what a large program takes to compile, link and draw once, as the first of a process and warm.
// Usage: node dist/bench/start.js [processes]

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { perfFolder } from './micro.ts';
import type { CompileTimes } from './start-compile.ts';

/** Wall and CPU time in ms, memory in MB. */
interface Cost {
  readonly wall: number;
  readonly cpu: number;
  readonly rss: number;
}

/** The goals on an idle machine, where Node alone takes 40 ms. */
const GOAL = { wall: 120, rss: 80, firstCompile: 60, warmCompile: 25 } as const;
const WARM_FRAMES = 120;

const REPORT = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  require('node:fs').writeSync(1, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, rss: maxRSS / 1024 }));
});`;

function run(parameters: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the process failed: ${stderr}`);
  return stdout;
}

function measure(program: string | null): Cost {
  const load = program === null ? '' : `import(${JSON.stringify(program)})`;
  const start = performance.now();
  const stdout = run(['-e', REPORT + load]);
  const wall = performance.now() - start;
  return { wall, ...(JSON.parse(stdout) as { cpu: number; rss: number }) };
}

function programPath(name: string): string {
  return fileURLToPath(new URL(`./${name}${import.meta.url.slice(-3)}`, import.meta.url));
}

const least = (values: readonly number[]): number => Math.min(...values);
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

function line(name: string, cells: readonly (number | string)[], digits = 0): void {
  const texts = cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(digits) : cell).padStart(10));
  console.log(name.padEnd(28) + texts.join(''));
}

const processes = Number(process.argv[2] ?? 10);
if (!Number.isInteger(processes) || processes < 1) {
  console.error('usage: node dist/bench/start.js [processes]');
  process.exit(2);
}
const bare: Cost[] = [];
const triangle: Cost[] = [];
const firstCompile: number[] = [];
const hasScenes = existsSync(perfFolder(undefined));
for (let i = 0; i < processes; i++) {
  bare.push(measure(null));
  triangle.push(measure(programPath('start-triangle')));
  if (hasScenes) firstCompile.push((JSON.parse(run([programPath('start-compile')])) as CompileTimes).first);
}

const of = (costs: readonly Cost[], key: keyof Cost): number[] => costs.map((cost) => cost[key]);
const row = (costs: readonly Cost[]): number[] => [
  least(of(costs, 'wall')),
  median(of(costs, 'wall')),
  least(of(costs, 'cpu')),
  median(of(costs, 'cpu')),
  least(of(costs, 'rss')),
];
// The least of many is what the machine takes when nothing else runs: that only adds.
line(`${processes} processes each`, ['wall ms', 'median', 'CPU ms', 'median', 'RSS MB']);
const [alone, drawn] = [row(bare), row(triangle)];
line('node alone', alone);
line('first triangle', drawn);
line(
  'ratio',
  drawn.map((value, i) => value / alone[i]!),
  2,
);
console.log(`goal: ${GOAL.wall} ms on an idle machine (three times node alone), ${GOAL.rss} MB`);
if (hasScenes) {
  const { warm } = JSON.parse(run([programPath('start-compile'), String(WARM_FRAMES)])) as CompileTimes;
  line('\nprogram to first frame', ['wall ms', 'median', 'goal ms']);
  line('first of the process', [least(firstCompile), median(firstCompile), GOAL.firstCompile]);
  line('warm', ['', warm, GOAL.warmCompile]);
} else console.log(`compiling is not measured: there is no ${perfFolder(undefined)}`);
if (drawn[4]! > GOAL.rss) {
  console.error(`more than ${GOAL.rss} MB`);
  process.exitCode = 1;
}
