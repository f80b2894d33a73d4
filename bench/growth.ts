// How the cost of a frame grows with pixels, triangles, draws and cleared area: the cost of one over two decades and more.
// Usage: npx tsx bench/growth.ts [--backend soft:threads=1] [--only pixels,draws] [--ms 200] [--rounds 3] [--markdown FILE]

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startProgress } from '../src/cli/progress.ts';
import { openBackend } from '../src/open-backend.ts';
import { indiumContexts } from './contexts.ts';
import { cpuMs } from './cpu-time.ts';
import { SERIES, type Series } from './growth-series.ts';
import { type Column, significant, toMarkdown, toText } from './report/rows.ts';

const { values } = parseArgs({
  options: {
    backend: { type: 'string', default: 'soft:threads=1' },
    only: { type: 'string', default: '' },
    ms: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '3' },
    markdown: { type: 'string' },
  },
});

interface Row {
  readonly name: string;
  readonly amount: number;
  /** CPU milliseconds of a frame. */
  readonly ms: number;
  /** CPU nanoseconds of one, less what a frame costs with none. */
  readonly nsEach: number;
}

/** Until V8 has optimised what a frame runs. */
const WARM_MS = 500;

/** CPU milliseconds of a frame: all threads together, so that a busy machine changes little. */
async function measure(backend: string, series: Series, amount: number, budget: number): Promise<number> {
  const edge = series.edge(amount);
  const { gl, close } = await indiumContexts(await openBackend(backend), 'webgl2').open(edge, edge);
  try {
    const frame = series.setUp(gl, amount);
    const pixel = new Uint8Array(4);
    const run = (ms: number): number => {
      const start = cpuMs();
      let [frames, batch, spent] = [0, 1, 0];
      while (spent < ms) {
        for (let at = 0; at < batch; at++) {
          frame();
          gl.readPixels(edge >> 1, edge >> 1, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        }
        frames += batch;
        spent = cpuMs() - start;
        // Asking for the time costs some microseconds.
        batch = Math.max(1, Math.min(1000, Math.round(frames / Math.max(spent, 1))));
      }
      return spent / frames;
    };
    run(Math.max(budget, WARM_MS));
    const ms = run(budget);
    const error = gl.getError();
    if (error !== 0) throw new Error(`${series.name}: GL error 0x${error.toString(16)}`);
    return ms;
  } finally {
    await close();
  }
}

async function measureSeries(series: Series): Promise<{ fixed: number; rows: Row[] }> {
  const amounts = [0, ...series.amounts];
  const best = amounts.map(() => Infinity);
  const rounds = Number(values.rounds);
  const bar = startProgress(series.name, rounds * amounts.length);
  for (let round = 0; round < rounds; round++) {
    for (const [at, amount] of amounts.entries()) {
      best[at] = Math.min(best[at]!, await measure(values.backend, series, amount, Number(values.ms)));
      bar.step(`${amount}, round ${round + 1}`);
    }
  }
  bar.stop();
  const [fixed, ...costs] = best as [number, ...number[]];
  const rows = costs.map((ms, at) => {
    const amount = series.amounts[at]!;
    return { name: series.name, amount, ms, nsEach: ((ms - fixed) * 1e6) / amount };
  });
  return { fixed, rows };
}

const words = values.only.split(',').filter((word) => word !== '');
const unknown = words.filter((word) => !SERIES.some(({ name }) => name === word));
if (unknown.length > 0) {
  console.error(`--only ${unknown.join()}: there are ${SERIES.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const columns: Column<Row>[] = [
  { title: 'of', cell: ({ name }) => name },
  { title: 'amount', isNumber: true, cell: ({ amount }) => String(amount) },
  { title: 'ms a frame', isNumber: true, cell: ({ ms }) => ms.toFixed(3) },
  { title: 'ns each', isNumber: true, cell: ({ nsEach }) => significant(nsEach) },
];
const all: Row[] = [];
const summary: string[] = [];
for (const series of SERIES.filter(({ name }) => words.length === 0 || words.includes(name))) {
  const { fixed, rows } = await measureSeries(series);
  all.push(...rows);
  const each = rows.map(({ nsEach }) => nsEach);
  const ratio = Math.max(...each) / Math.min(...each);
  summary.push(
    `${series.name}: a frame with none ${fixed.toFixed(3)} ms; dearest one by cheapest one ${ratio.toFixed(2)}`,
  );
}
console.log(`${values.backend}, Node ${process.versions.node}, CPU time, best of ${values.rounds}`);
console.log(toText(columns, all));
console.log(summary.join('\n'));
if (values.markdown) {
  writeFileSync(values.markdown, `${toMarkdown(columns, all)}\n\n${summary.map((line) => `- ${line}`).join('\n')}\n`);
}
