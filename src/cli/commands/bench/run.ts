// The options of `indium bench`, checked before anything runs, and what its ways to run share.

import { existsSync } from 'node:fs';
import { type Api, adapterContexts, type ContextSource, indiumContexts } from '../../../../bench/contexts.ts';
import { EntryError } from '../../../../bench/entry.ts';
import { generatedData } from '../../../../bench/generated-data.ts';
import { openGlmarkData } from '../../../../bench/glmark-data.ts';
import { type ChartData, chartPng, chartSvg } from '../../../../bench/report/chart.ts';
import type { RunInfo } from '../../../../bench/report/files.ts';
import { FRAME_ENDS, type FrameEnd } from '../../../../bench/run-entry.ts';
import type { ListProgress } from '../../../../bench/run-list.ts';
import type { BenchData } from '../../../../bench/scene.ts';
import { DEFAULT_ENTRIES } from '../../../../bench/scene-table.ts';
import { defaultBackendName, openBackend } from '../../../open-backend.ts';
import { checkWritable, readText, writeFile } from '../../files.ts';
import { startPartialProgress } from '../../progress.ts';
import { parseCount, parseSize, UsageError } from '../../usage-error.ts';

/** A repeatable option: cac gives one value or a list. */
type Repeated = string | readonly string[];

export interface BenchOptions {
  readonly backend?: string;
  readonly benchmark?: Repeated;
  readonly benchmarkFile?: Repeated;
  readonly size: string;
  readonly api: string;
  readonly frameEnd: string;
  readonly duration?: string;
  readonly glmarkData?: string;
  readonly adapter?: string;
  readonly annotate?: boolean;
  readonly threads?: string;
  readonly list?: boolean;
  readonly validate?: boolean;
  readonly updateReferences?: boolean;
  readonly stats?: boolean;
  readonly micro?: boolean;
  readonly scenes?: string;
  readonly perfData?: string;
  readonly ms: string;
  readonly against?: string;
  readonly rounds?: string;
  readonly json?: string;
  readonly csv?: string;
  readonly xml?: string;
  readonly chart?: Repeated;
  readonly markdown?: string;
  readonly traceEvents?: string;
}

export const listOf = (value: Repeated | undefined): string[] =>
  value === undefined ? [] : [value].flat().map((item) => String(item));

/** Bad entries and options are the caller's fault: no stack, exit code 2. */
export async function asUsage<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof EntryError) throw new UsageError(error.message);
    throw error;
  }
}

function openData(options: BenchOptions): BenchData {
  if (!options.glmarkData) return generatedData;
  try {
    return openGlmarkData(options.glmarkData);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

export function entryTexts(options: BenchOptions): string[] {
  const fromFiles = listOf(options.benchmarkFile).flatMap((path) =>
    readText(path)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
  const given = [...listOf(options.benchmark), ...fromFiles];
  const defaults = options.duration === undefined ? [] : [`:duration=${options.duration}`];
  // A list of defaults only is about the default entries.
  if (options.annotate) defaults.push(':show-fps=true:title=#info#');
  return [...defaults, ...given, ...(given.every((text) => text.startsWith(':')) ? DEFAULT_ENTRIES : [])];
}

/** The options, checked, and what they name. */
export interface Run {
  readonly options: BenchOptions;
  readonly data: BenchData;
  readonly size: { readonly width: number; readonly height: number };
  readonly frameEnd: FrameEnd;
  openContexts(api: Api): Promise<ContextSource>;
}

export function parseApi(text: string): Api {
  if (text !== 'webgl' && text !== 'webgl2') throw new UsageError(`--api ${text}: webgl or webgl2`);
  return text;
}

/** The backend's string with `--threads` in it. */
function backendName({ backend = defaultBackendName(), adapter, threads }: BenchOptions): string {
  if (threads === undefined) return backend;
  const count = parseCount('--threads', threads, 1);
  if (adapter) throw new UsageError('--threads: an adapter has no such option');
  if (!/^soft(?![^:,])/.test(backend)) throw new UsageError(`--threads: ${backend} has no such option; soft has`);
  return `${backend}:threads=${count}`;
}

/** Throws before anything runs if results could not be written after it. */
function checkOutputs({ chart, json, csv, xml, markdown, traceEvents, adapter }: BenchOptions): void {
  const charts = listOf(chart);
  for (const path of charts) {
    if (!/\.(svg|png)$/.test(path)) throw new UsageError(`--chart ${path}: a name ending in .svg or .png`);
  }
  for (const path of [...charts, json, csv, xml, markdown, traceEvents]) if (path !== undefined) checkWritable(path);
  if (adapter && !existsSync(adapter)) throw new UsageError(`--adapter ${adapter}: no such file`);
}

export function prepare(options: BenchOptions): Run {
  const frameEnd = FRAME_ENDS.find((name) => name === options.frameEnd);
  if (!frameEnd) throw new UsageError(`--frame-end ${options.frameEnd}: one of ${FRAME_ENDS.join(', ')}`);
  const { adapter } = options;
  const backend = backendName(options);
  checkOutputs(options);
  return {
    options,
    data: openData(options),
    size: parseSize(options.size),
    frameEnd,
    openContexts: async (api) =>
      adapter ? adapterContexts(adapter, api, options.micro === true) : indiumContexts(await openBackend(backend), api),
  };
}

export function withProgress<T>(title: string, total: number, run: (progress: ListProgress) => Promise<T>): Promise<T> {
  const bar = startPartialProgress(title, total);
  return run({ at: (index, label, part) => bar.at(index + part, label) }).finally(() => bar.stop());
}

/** What ran, of any version of WebGL that `contexts` has. */
export async function describeRun(run: Run, contexts: ContextSource): Promise<RunInfo> {
  const { gl, close } = await contexts.open(16, 16);
  const info: RunInfo = {
    version: String(gl.getParameter(gl.VERSION)),
    renderer: `${contexts.name}: ${String(gl.getParameter(gl.RENDERER))}`,
    size: `${run.size.width}x${run.size.height}`,
    data: run.data.name,
    node: process.version,
    date: new Date().toISOString(),
  };
  await close();
  return info;
}

export function writeChart(paths: readonly string[], data: ChartData): void {
  for (const path of paths) {
    writeFile(path, path.endsWith('.svg') ? chartSvg(data) : chartPng(data));
    console.log(path);
  }
}
