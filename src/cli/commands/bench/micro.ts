// `indium bench --micro`: the micro scenes on one implementation.

import { findThree, type MicroResult, perfFolder, runMicro, THREE_IS_MISSING } from '../../../../bench/micro.ts';
import { microTitle } from '../../../../bench/peers/peer.ts';
import { tableToCsv } from '../../../../bench/report/files.ts';
import { type Column, significant, toMarkdown, toText } from '../../../../bench/report/rows.ts';
import { writeFile, writeJson } from '../../files.ts';
import { startPartialProgress } from '../../progress.ts';
import { parseCount, UsageError } from '../../usage-error.ts';
import { describeRun, listOf, type Run, writeChart } from './run.ts';

const MICRO_WARM_MS = 250;

interface MicroSettings {
  readonly folder: string;
  readonly scenes: readonly string[];
  readonly sizes: readonly [number, number][];
  readonly ms: number;
  readonly warmMs: number;
}

export function microSettings(run: Run): MicroSettings {
  return {
    folder: perfFolder(run.options.perfData),
    scenes: (run.options.scenes ?? '').split(',').filter((name) => name !== ''),
    sizes: [[run.size.width, run.size.height]],
    ms: parseCount('--ms', run.options.ms, 1),
    warmMs: MICRO_WARM_MS,
  };
}

/** Scenes that are named and missing are an error later on. */
export function tellOfMissingThree({ options }: Run): void {
  if (!options.scenes && !findThree()) console.error(`three.js scenes do not run: ${THREE_IS_MISSING}`);
}

export async function runMicroScenes(run: Run, settings: MicroSettings): Promise<MicroResult[]> {
  const sources = { webgl: await run.openContexts('webgl'), webgl2: await run.openContexts('webgl2') };
  const bar = startPartialProgress('micro', 0);
  const options = {
    ...settings,
    onProgress: (done: number, total: number, label: string) => bar.at(done, label, total),
  };
  return asWrongCall(() => runMicro((api) => sources[api], options)).finally(() => bar.stop());
}

/** Of scenes that are not there the caller is told without a stack. */
export const asWrongCall = <T>(run: () => Promise<T>): Promise<T> =>
  run().catch((error: Error) => {
    throw new UsageError(error.message);
  });

export async function reportMicro(run: Run): Promise<number> {
  tellOfMissingThree(run);
  const info = await describeRun(run, await run.openContexts('webgl'));
  const results = await runMicroScenes(run, microSettings(run));
  const number = (value: number | undefined) => (value === undefined ? '' : significant(value));
  const columns: Column<MicroResult>[] = [
    { title: 'scene', cell: microTitle },
    { title: 'ms', isNumber: true, cell: ({ ms }) => number(ms) },
    { title: 'worst ms', isNumber: true, cell: ({ worstMs }) => number(worstMs) },
    { title: 'FPS', isNumber: true, cell: ({ fps }) => number(fps) },
    { title: 'first ms', isNumber: true, cell: ({ firstMs }) => number(firstMs) },
    { title: '', cell: ({ err, error }) => error ?? (err ? `GL error 0x${err.toString(16)}` : '') },
  ];
  console.log(`${info.renderer}, ${info.size}, Node ${info.node}`);
  console.log(toText(columns, results));
  const failed = results.filter(({ err, error }) => error !== undefined || err).length;
  const summary = { passed: results.length - failed, failed, skipped: 0 };
  if (run.options.json) writeJson(run.options.json, { summary, info, rows: results });
  if (run.options.csv) writeFile(run.options.csv, tableToCsv(columns, results));
  if (run.options.markdown) writeFile(run.options.markdown, `${toMarkdown(columns, results)}\n`);
  writeChart(listOf(run.options.chart), {
    title: `micro scenes, ${run.options.size}`,
    unit: 'frames a second',
    series: [run.options.backend ?? run.options.adapter ?? 'indium'],
    bars: results.map((result) => ({ label: microTitle(result), values: [result.fps ?? null] })),
  });
  return failed === 0 ? 0 : 1;
}
