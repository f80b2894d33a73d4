// `npm run bench:check`: tells which entries got slower than the baselines by more than 15 %; --update keeps new ones.
// Run by hand or nightly, on a machine that does nothing else.

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { openBackend } from '../src/open-backend.ts';
import { type Baselines, compareToBaselines, LIMIT } from './baseline.ts';
import { calibrate } from './calibration.ts';
import { indiumContexts } from './contexts.ts';
import { parseEntries } from './entry.ts';
import { generatedData } from './generated-data.ts';
import { packageRoot } from './package-root.ts';
import { median } from './peers/compare.ts';
import { type Column, toText } from './report/rows.ts';
import { runEntry } from './run-entry.ts';
import { DEFAULT_ENTRIES } from './scene-table.ts';

const SIZE = { width: 320, height: 240 };
const SECONDS = 0.6;
const ROUNDS = 3;
/** One thread, so that the figures do not depend on the number of cores. */
const BACKEND = 'soft:threads=1';

const path = join(packageRoot(), 'bench/baselines.json');

async function measureRatios(titles: readonly string[]): Promise<Map<string, number>> {
  const contexts = indiumContexts(await openBackend(BACKEND), 'webgl2');
  const entries = parseEntries([`:duration=${SECONDS}`, ...titles], generatedData);
  const found = new Map<string, number[]>(entries.map(({ title }) => [title, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const entry of entries) {
      process.stderr.write(`\rround ${round + 1}/${ROUNDS} ${entry.title.slice(0, 60).padEnd(60)}`);
      const before = calibrate();
      const { gl, close } = await contexts.open(SIZE.width, SIZE.height);
      const result = runEntry(gl, entry, { ...SIZE, data: generatedData, frameEnd: 'readpixels' });
      await close();
      if (result.status !== 'success') throw new Error(`${entry.title}: ${result.message}`);
      found.get(entry.title)!.push(result.medianMs / ((before + calibrate()) / 2));
    }
  }
  process.stderr.write(`\r${' '.repeat(80)}\r`);
  return new Map([...found].map(([title, ratios]) => [title, median(ratios)]));
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

function judge(ratios: ReadonlyMap<string, number>): number {
  const baselines = JSON.parse(readFileSync(path, 'utf8')) as Baselines;
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

const ratios = await measureRatios(ENTRIES);
if (process.argv.includes('--update')) update(ratios);
else process.exitCode = judge(ratios);
