// `npm run bench:start`: what a fresh process pays for import, context, triangle and readPixels, beside a process that does nothing.
// Usage: node dist/bench/start.js [processes]

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Wall and CPU time in ms, memory in MB. */
interface Cost {
  readonly wall: number;
  readonly cpu: number;
  readonly rss: number;
}

/** The goal on an idle machine. */
const MOST_WALL = 120;
const MOST_RSS = 80;

const REPORT = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  require('node:fs').writeSync(1, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, rss: maxRSS / 1024 }));
});`;

function measure(program: string | null): Cost {
  const load = program === null ? '' : `import(${JSON.stringify(program)})`;
  const start = performance.now();
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', REPORT + load], { encoding: 'utf8' });
  const wall = performance.now() - start;
  if (status !== 0) throw new Error(`the process failed: ${stderr}`);
  return { wall, ...(JSON.parse(stdout) as { cpu: number; rss: number }) };
}

/** The smallest of each: what else the machine does only adds. */
function smallest(costs: readonly Cost[]): Cost {
  const least = (key: keyof Cost): number => Math.min(...costs.map((cost) => cost[key]));
  return { wall: least('wall'), cpu: least('cpu'), rss: least('rss') };
}

function row(name: string, { wall, cpu, rss }: Cost, digits: number): void {
  const cells = [wall, cpu, rss].map((value) => value.toFixed(digits).padStart(9));
  console.log(name.padEnd(16) + cells.join(''));
}

const processes = Number(process.argv[2] ?? 10);
if (!Number.isInteger(processes) || processes < 1) {
  console.error('usage: node dist/bench/start.js [processes]');
  process.exit(2);
}
const program = fileURLToPath(new URL(`./start-triangle${import.meta.url.slice(-3)}`, import.meta.url));
const bare: Cost[] = [];
const triangle: Cost[] = [];
for (let i = 0; i < processes; i++) {
  bare.push(measure(null));
  triangle.push(measure(program));
}
const least = { bare: smallest(bare), triangle: smallest(triangle) };
console.log(`least of ${processes}   wall ms   CPU ms   RSS MB`);
row('node alone', least.bare, 0);
row('first triangle', least.triangle, 0);
const ratio = (key: keyof Cost): number => least.triangle[key] / least.bare[key];
row('ratio', { wall: ratio('wall'), cpu: ratio('cpu'), rss: ratio('rss') }, 2);
console.log(`goal: ${MOST_WALL} ms wall on an idle machine (three times node alone), ${MOST_RSS} MB`);
if (least.triangle.rss > MOST_RSS) {
  console.error(`more than ${MOST_RSS} MB`);
  process.exitCode = 1;
}
