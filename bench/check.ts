// `npm run bench:check`: tells which entries got slower than the baselines by more than 15 %; --update keeps new ones.
// An entry that looks slower is run again, some times, before it is said to be: what other work caused does not stay, a real change does.
// Usage: node dist/bench/check.js [--update] [--only WORD,WORD]. Run by hand or nightly, best on a machine that does nothing else.

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startProgress } from '../src/cli/progress.ts';
import { openBackend } from '../src/open-backend.ts';
import { type Baselines, BestTimes, compareToBaselines, LIMIT } from './baseline.ts';
import { calibrate } from './calibration.ts';
import { indiumContexts } from './contexts.ts';
import { parseEntries } from './entry.ts';
import { generatedData } from './generated-data.ts';
import { packageRoot } from './package-root.ts';
import { type Column, toText } from './report/rows.ts';
import { runEntry } from './run-entry.ts';
import { DEFAULT_ENTRIES } from './scene-table.ts';

const SIZE = { width: 320, height: 240 };
const SECONDS = 0.6;
const ROUNDS = 3;
/** More rounds for entries that look slower. */
const DOUBTFUL_ROUNDS = 6;
/** One thread, so that the figures do not depend on the number of cores. */
const BACKEND = 'soft:threads=1';

const path = join(packageRoot(), 'bench/baselines.json');

const { values: options } = parseArgs({
  options: { update: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});

async function measureRound(label: string, titles: readonly string[], times: BestTimes): Promise<void> {
  const contexts = indiumContexts(await openBackend(BACKEND), 'webgl2');
  const bar = startProgress(label, titles.length);
  for (const entry of parseEntries([`:duration=${SECONDS}`, ...titles], generatedData)) {
    const before = calibrate();
    const { gl, close } = await contexts.open(SIZE.width, SIZE.height);
    const result = runEntry(gl, entry, { ...SIZE, data: generatedData, frameEnd: 'readpixels' });
    await close();
    if (result.status !== 'success') throw new Error(`${entry.title}: ${result.message}`);
    times.add(entry.title, result.medianMs, Math.min(before, calibrate()));
    bar.step(entry.title);
  }
  bar.stop();
}

/** `baselines`: what may make entries doubtful; none for an update. */
async function measureRatios(titles: readonly string[], baselines: Baselines | null): Promise<Map<string, number>> {
  const times = new BestTimes();
  const rounds = baselines ? ROUNDS : ROUNDS + DOUBTFUL_ROUNDS;
  for (let round = 1; round <= rounds; round++) await measureRound(`round ${round}/${rounds}`, titles, times);
  for (let round = 1; baselines && round <= DOUBTFUL_ROUNDS; round++) {
    const doubtful = compareToBaselines(times.ratios(), baselines).filter(({ isSlower }) => isSlower);
    await measureRound(
      `again ${round}/${DOUBTFUL_ROUNDS}`,
      doubtful.map(({ title }) => title),
      times,
    );
  }
  return times.ratios();
}

function update(ratios: ReadonlyMap<string, number>): void {
  const baselines: Baselines = {
    measured: {
      date: new Date().toISOString().slice(0, 10),
      node: process.version,
      cpu: cpus()[0]?.model ?? 'unknown',
    },
    size: `${SIZE.width}x${SIZE.height}`,
    ratios: Object.fromEntries([...ratios].map(([title, ratio]) => [title, Number(ratio.toPrecision(4))])),
  };
  writeFileSync(path, `${JSON.stringify(baselines, null, 2)}\n`);
  console.log(`${path}: ${ratios.size} baselines`);
}

function judge(ratios: ReadonlyMap<string, number>, baselines: Baselines): number {
  const rows = compareToBaselines(ratios, baselines);
  const columns: Column<(typeof rows)[number]>[] = [
    { title: 'entry', cell: ({ title }) => title },
    { title: 'baseline', isNumber: true, cell: ({ before }) => before?.toFixed(3) ?? 'none' },
    { title: 'now', isNumber: true, cell: ({ now }) => now.toFixed(3) },
    { title: 'change', isNumber: true, cell: ({ change }) => (Number.isFinite(change) ? change.toFixed(2) : '') },
    { title: '', cell: ({ isSlower }) => (isSlower ? 'SLOWER' : '') },
  ];
  console.log(toText(columns, rows));
  const slower = rows.filter(({ isSlower }) => isSlower).length;
  console.log(`baselines of ${Object.values(baselines.measured).join(', ')}`);
  console.log(slower === 0 ? 'no entry got slower' : `${slower} entries slower than ${LIMIT} times their baseline`);
  return slower === 0 ? 0 : 1;
}

/** Two clears of a part of the picture cost what they cover: glmark2's list has none. */
const ENTRIES = [...DEFAULT_ENTRIES, 'clear:rectangles=2:area=0.25'];

const words = options.only.split(',').filter((word) => word !== '');
const wanted = ENTRIES.filter((title) => words.length === 0 || words.some((word) => title.includes(word)));
if (wanted.length === 0) {
  console.error(`--only ${options.only}: no entry's name has this in it`);
  process.exit(2);
}
const kept = JSON.parse(readFileSync(path, 'utf8')) as Baselines;
const ratios = await measureRatios(wanted, options.update ? null : kept);
if (!options.update) process.exitCode = judge(ratios, kept);
else update(words.length === 0 ? ratios : new Map([...Object.entries(kept.ratios), ...ratios]));
