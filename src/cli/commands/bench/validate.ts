// `indium bench --validate`: first frames against recorded pictures; `--update-references` records them.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEntries } from '../../../../bench/entry.ts';
import { packageRoot } from '../../../../bench/package-root.ts';
import { type Column, toText } from '../../../../bench/report/rows.ts';
import type { RunOptions } from '../../../../bench/run-entry.ts';
import { runList, validateList } from '../../../../bench/run-list.ts';
import type { OptionValues } from '../../../../bench/scene.ts';
import { type References, VALIDATION_SIZE } from '../../../../bench/validate.ts';
import { writeFile, writeJson } from '../../files.ts';
import { asUsage, entryTexts, parseApi, type Run, withProgress } from './run.ts';

const referencesPath = () => join(packageRoot(), 'bench/references.json');

export async function validate(run: Run): Promise<number> {
  const { options, data, frameEnd } = run;
  const entries = await asUsage(() => parseEntries(entryTexts(options), data));
  const contexts = await run.openContexts(parseApi(options.api));
  const settings: RunOptions = { ...VALIDATION_SIZE, data, frameEnd };
  if (options.updateReferences) {
    const timed = entries.map((entry) => ({ ...entry, options: oneFrame(entry.options) }));
    const results = await runList(contexts, timed, settings);
    const grids = results.map(({ title, grid }) => [title, grid.map((value) => Number(value.toFixed(1)))] as const);
    const lines = grids.map(([title, grid]) => `  ${JSON.stringify(title)}: ${JSON.stringify(grid)}`);
    writeFile(referencesPath(), `{\n${lines.join(',\n')}\n}\n`);
    console.log(referencesPath());
    return 0;
  }
  const path = referencesPath();
  const references = (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}) as References;
  const results = await withProgress('validate', entries.length, (progress) =>
    validateList(contexts, entries, settings, references, progress),
  );
  const columns: Column<(typeof results)[number]>[] = [
    { title: 'entry', cell: ({ title }) => title },
    { title: 'result', cell: ({ result }) => result },
    { title: '', cell: ({ message }) => message },
  ];
  console.log(toText(columns, results));
  const count = (wanted: string) => results.filter(({ result }) => result === wanted).length;
  const summary = { passed: count('success'), failed: count('failure'), skipped: count('unknown') };
  if (options.json) writeJson(options.json, { summary, rows: results });
  return summary.failed === 0 ? 0 : 1;
}

/** An entry's options, but it ends after its first frame. */
const oneFrame = (options: OptionValues): OptionValues => ({
  text: (name) => (name === 'nframes' ? '1' : options.text(name)),
  number: (name) => (name === 'nframes' ? 1 : options.number(name)),
  flag: options.flag,
});
