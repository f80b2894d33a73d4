// `indium bench`: a list of glmark2's entries on one implementation; `--list`: what there is.

import { parseEntries, valuesOf } from '../../../../bench/entry.ts';
import { toCsv, toXml } from '../../../../bench/report/files.ts';
import { RESULT_COLUMNS, STATS_COLUMNS, toMarkdown, toText } from '../../../../bench/report/rows.ts';
import type { EntryResult, RunOptions } from '../../../../bench/run-entry.ts';
import { runList } from '../../../../bench/run-list.ts';
import type { BenchData } from '../../../../bench/scene.ts';
import { COMMON_OPTIONS, SCENES } from '../../../../bench/scene-table.ts';
import { computeScore } from '../../../../bench/score.ts';
import { CompileWatch, profileList, WORK_COLUMNS } from '../../../../bench/work.ts';
import { writeFile, writeJson } from '../../files.ts';
import { asUsage, describeRun, entryTexts, listOf, parseApi, type Run, withProgress, writeChart } from './run.ts';

export function listScenes(data: BenchData): number {
  for (const { name, help, options } of SCENES.values()) {
    console.log(`[${name}] ${help}`);
    for (const row of options) {
      const values = valuesOf(row, data);
      console.log(`  ${row.name} (default ${row.default}): ${row.help}${values ? ` [${values.join(',')}]` : ''}`);
    }
  }
  console.log('[every scene]');
  for (const row of COMMON_OPTIONS) console.log(`  ${row.name} (default ${row.default || 'none'}): ${row.help}`);
  return 0;
}

function countStatus(results: readonly EntryResult[]) {
  const count = (status: EntryResult['status']) => results.filter((result) => result.status === status).length;
  return { passed: count('success'), failed: count('failed'), skipped: count('unsupported') };
}

export async function runEntries(run: Run): Promise<number> {
  const { options, data, size, frameEnd } = run;
  const entries = await asUsage(() => parseEntries(entryTexts(options), data));
  const contexts = await run.openContexts(parseApi(options.api));
  const info = await describeRun(run, contexts);
  const settings: RunOptions = { ...size, data, frameEnd };
  // Of other implementations nobody counts.
  const isCounted = options.stats && !options.adapter;
  const compiling = new CompileWatch();
  const results = await withProgress('bench', entries.length, (progress) =>
    runList(contexts, entries, isCounted ? { ...settings, watchFirstFrame: compiling.watch } : settings, progress),
  );
  const score = computeScore(results);
  const columns = options.stats ? STATS_COLUMNS : RESULT_COLUMNS;
  console.log(`${info.renderer}, ${info.size}, data: ${info.data}`);
  console.log(toText(columns, results));
  for (const { title, message } of results) if (message) console.error(`${title}: ${message}`);
  console.log(`Score: ${score}`);
  const work = isCounted ? await profileList(contexts, entries, settings, compiling) : [];
  if (work.length > 0) console.log(`\n${toText(WORK_COLUMNS, work)}`);
  const summary = countStatus(results);
  if (options.json) writeJson(options.json, { summary, score, info, rows: results, ...(work.length > 0 && { work }) });
  if (options.csv) writeFile(options.csv, toCsv(results));
  if (options.xml) writeFile(options.xml, toXml(info, results, score));
  if (options.markdown) writeFile(options.markdown, `${toMarkdown(columns, results)}\n\nScore: ${score}\n`);
  writeChart(listOf(options.chart), {
    title: `${info.renderer}, ${info.size}, score ${score}`,
    unit: 'frames a second',
    series: [contexts.name],
    bars: results.map(({ title, status, fps }) => ({ label: title, values: [status === 'success' ? fps : null] })),
  });
  return summary.failed === 0 ? 0 : 1;
}
