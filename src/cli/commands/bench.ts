// `indium bench`: glmark2's scenes, or micro scenes, on Indium or against other implementations.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Api, adapterContexts, type ContextSource, indiumContexts } from '../../../bench/contexts.ts';
import { EntryError, parseEntries, valuesOf } from '../../../bench/entry.ts';
import { generatedData } from '../../../bench/generated-data.ts';
import { openGlmarkData } from '../../../bench/glmark-data.ts';
import {
  findThree,
  listMicroScenes,
  type MicroResult,
  perfFolder,
  runMicro,
  THREE_IS_MISSING,
} from '../../../bench/micro.ts';
import { packageRoot } from '../../../bench/package-root.ts';
import { type Contestant, compare, comparisonColumns, geometricMean, median } from '../../../bench/peers/compare.ts';
import { microTitle, type Peer, type PeerResult, toPeerResult } from '../../../bench/peers/peer.ts';
import { PEERS } from '../../../bench/peers/peer-table.ts';
import { type ChartData, chartPng, chartSvg } from '../../../bench/report/chart.ts';
import { type RunInfo, tableToCsv, toCsv, toXml } from '../../../bench/report/files.ts';
import {
  type Column,
  RESULT_COLUMNS,
  STATS_COLUMNS,
  significant,
  toMarkdown,
  toText,
} from '../../../bench/report/rows.ts';
import { type EntryResult, FRAME_ENDS, type FrameEnd, type RunOptions } from '../../../bench/run-entry.ts';
import { type ListProgress, runList, validateList } from '../../../bench/run-list.ts';
import type { BenchData, OptionValues } from '../../../bench/scene.ts';
import { COMMON_OPTIONS, DEFAULT_ENTRIES, SCENES } from '../../../bench/scene-table.ts';
import { computeScore } from '../../../bench/score.ts';
import { type References, VALIDATION_SIZE } from '../../../bench/validate.ts';
import { CompileWatch, profileList, WORK_COLUMNS } from '../../../bench/work.ts';
import { defaultBackendName, openBackend } from '../../open-backend.ts';
import { checkWritable, readText, writeFile, writeJson } from '../files.ts';
import { startProfiling } from '../profiling.ts';
import { startPartialProgress } from '../progress.ts';
import { parseCount, parseSize, UsageError } from '../usage-error.ts';

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

const listOf = (value: Repeated | undefined): string[] =>
  value === undefined ? [] : [value].flat().map((item) => String(item));

/** Bad entries and options are the caller's fault: no stack, exit code 2. */
async function asUsage<T>(run: () => T | Promise<T>): Promise<T> {
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

function entryTexts(options: BenchOptions): string[] {
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

function listScenes(data: BenchData): number {
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

/** The options, checked, and what they name. */
interface Run {
  readonly options: BenchOptions;
  readonly data: BenchData;
  readonly size: { readonly width: number; readonly height: number };
  readonly frameEnd: FrameEnd;
  openContexts(api: Api): Promise<ContextSource>;
}

function parseApi(text: string): Api {
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

function prepare(options: BenchOptions): Run {
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

function withProgress<T>(title: string, total: number, run: (progress: ListProgress) => Promise<T>): Promise<T> {
  const bar = startPartialProgress(title, total);
  return run({ at: (index, label, part) => bar.at(index + part, label) }).finally(() => bar.stop());
}

/** What ran, of any version of WebGL that `contexts` has. */
async function describeRun(run: Run, contexts: ContextSource): Promise<RunInfo> {
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

function writeChart(paths: readonly string[], data: ChartData): void {
  for (const path of paths) {
    writeFile(path, path.endsWith('.svg') ? chartSvg(data) : chartPng(data));
    console.log(path);
  }
}

function countStatus(results: readonly EntryResult[]) {
  const count = (status: EntryResult['status']) => results.filter((result) => result.status === status).length;
  return { passed: count('success'), failed: count('failed'), skipped: count('unsupported') };
}

async function runEntries(run: Run): Promise<number> {
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

const referencesPath = () => join(packageRoot(), 'bench/references.json');

async function validate(run: Run): Promise<number> {
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

const MICRO_WARM_MS = 250;

interface MicroSettings {
  readonly folder: string;
  readonly scenes: readonly string[];
  readonly sizes: readonly [number, number][];
  readonly ms: number;
  readonly warmMs: number;
}

function microSettings(run: Run): MicroSettings {
  return {
    folder: perfFolder(run.options.perfData),
    scenes: (run.options.scenes ?? '').split(',').filter((name) => name !== ''),
    sizes: [[run.size.width, run.size.height]],
    ms: parseCount('--ms', run.options.ms, 1),
    warmMs: MICRO_WARM_MS,
  };
}

/** Scenes that are named and missing are an error later on. */
function tellOfMissingThree({ options }: Run): void {
  if (!options.scenes && !findThree()) console.error(`three.js scenes do not run: ${THREE_IS_MISSING}`);
}

async function runMicroScenes(run: Run, settings: MicroSettings): Promise<MicroResult[]> {
  const sources = { webgl: await run.openContexts('webgl'), webgl2: await run.openContexts('webgl2') };
  const bar = startPartialProgress('micro', 0);
  const options = {
    ...settings,
    onProgress: (done: number, total: number, label: string) => bar.at(done, label, total),
  };
  return asWrongCall(() => runMicro((api) => sources[api], options)).finally(() => bar.stop());
}

/** Of scenes that are not there the caller is told without a stack. */
const asWrongCall = <T>(run: () => Promise<T>): Promise<T> =>
  run().catch((error: Error) => {
    throw new UsageError(error.message);
  });

async function reportMicro(run: Run): Promise<number> {
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

function findPeers(names: string, mode: 'list' | 'micro'): Peer[] {
  const found: Peer[] = [];
  for (const name of names.split(',').filter((word) => word !== '')) {
    const peer = PEERS.get(name);
    if (!peer) throw new UsageError(`--against ${name}: there are ${[...PEERS.keys()].join(', ')}`);
    const missing = peer.findMissing(mode);
    if (missing) console.error(`${name} does not run: ${missing}`);
    else found.push(peer);
  }
  return found;
}

/** What the rounds run: one function for each contestant. */
interface Contest {
  readonly titles: readonly string[];
  readonly contestants: readonly { readonly name: string; run(): Promise<PeerResult[]> }[];
}

async function listContest(run: Run, peers: readonly Peer[]): Promise<Contest> {
  const { options, data, size, frameEnd } = run;
  const entries = await asUsage(() => parseEntries(entryTexts(options), data));
  const contexts = await run.openContexts(parseApi(options.api));
  const titles = entries.map(({ title }) => title);
  const texts = entries.map(({ scene, given }) =>
    [scene.name, ...[...given].map(([name, value]) => `${name}=${value}`)].join(':'),
  );
  const request = { entries: texts, titles, ...size, glmarkData: options.glmarkData ?? null, frameEnd };
  const own = async (): Promise<PeerResult[]> => {
    const results = await withProgress(contexts.name, entries.length, (progress) =>
      runList(contexts, entries, { ...size, data, frameEnd }, progress),
    );
    return results.map(({ title, fps, grid, message }) => ({ title, fps, grid, ...(message && { message }) }));
  };
  return {
    titles,
    contestants: [
      { name: contexts.name, run: own },
      ...peers.map((peer) => ({ name: peer.name, run: () => peer.runList(request) })),
    ],
  };
}

async function microContest(run: Run, peers: readonly Peer[]): Promise<Contest> {
  tellOfMissingThree(run);
  const given = microSettings(run);
  const scenes = given.scenes.length > 0 ? given.scenes : await asWrongCall(() => listMicroScenes(given.folder));
  const settings = { ...given, scenes };
  const titles: string[] = [];
  const own = async (): Promise<PeerResult[]> => {
    const results = await runMicroScenes(run, settings);
    if (titles.length === 0) titles.push(...results.map(microTitle));
    return results.map(toPeerResult);
  };
  const request = { ...settings, sizes: run.options.size };
  return {
    titles,
    contestants: [
      { name: 'indium', run: own },
      ...peers.map((peer) => ({ name: peer.name, run: () => peer.runMicro(request) })),
    ],
  };
}

const DEFAULT_ROUNDS = '3';

async function runAgainst(run: Run): Promise<number> {
  const { options } = run;
  const peers = findPeers(options.against!, options.micro ? 'micro' : 'list');
  const rounds = parseCount('--rounds', options.rounds ?? DEFAULT_ROUNDS, 1);
  const { titles, contestants } = await (options.micro ? microContest : listContest)(run, peers);
  const found = contestants.map(({ name }) => ({ name, rounds: [] as (PeerResult[] | null)[] }));
  for (let round = 0; round < rounds; round++) {
    for (const [index, contestant] of contestants.entries()) {
      console.error(`round ${round + 1} of ${rounds}: ${contestant.name}`);
      try {
        found[index]!.rounds.push(await contestant.run());
      } catch (error) {
        console.error(`${contestant.name}: ${(error as Error).message}`);
        found[index]!.rounds.push(null);
      }
    }
  }
  return reportComparison(run, titles, found);
}

/** Scores by round, then their median. */
function medianScore({ rounds }: Contestant): number {
  const scores = rounds.map((results) =>
    results ? computeScore(results.map(({ fps }) => ({ fps, status: fps > 0 ? 'success' : 'failed' }))) : Number.NaN,
  );
  return median(scores);
}

function reportComparison(
  { options, size, data }: Run,
  titles: readonly string[],
  found: readonly Contestant[],
): number {
  const names = found.map(({ name }) => name);
  const rows = compare(titles, found);
  const columns = comparisonColumns(names);
  const scores = found.map((contestant) => ({ name: contestant.name, score: medianScore(contestant) }));
  const means = names
    .slice(1)
    .map((name, at) => ({ name, mean: geometricMean(rows.map(({ ratios }) => ratios[at]!)) }));
  const summaryLines = [
    ...(options.micro ? [] : scores.map(({ name, score }) => `Score of ${name}: ${score}`)),
    ...means.map(({ name, mean }) => `${names[0]} is ${significant(mean)} times as fast as ${name} (geometric mean)`),
  ];
  console.log(toText(columns, rows));
  console.log(summaryLines.join('\n'));
  for (const { name, rounds } of found) {
    const messages = rounds.find((round) => round !== null)?.filter(({ message }) => message) ?? [];
    for (const { title, message } of messages) console.error(`${name}: ${title}: ${message}`);
  }
  const failed = rows.filter(({ fps }) => !(fps[0]! > 0)).length;
  const summary = { passed: rows.length - failed, failed, skipped: 0 };
  const info = {
    size: `${size.width}x${size.height}`,
    data: data.name,
    node: process.version,
    date: new Date().toISOString(),
  };
  if (options.json) writeJson(options.json, { summary, info, names, scores, means, rows, rounds: found });
  if (options.markdown) writeFile(options.markdown, `${toMarkdown(columns, rows)}\n\n${summaryLines.join('\n\n')}\n`);
  writeChart(listOf(options.chart), {
    title: `${names.join(', ')}, ${size.width}x${size.height}`,
    unit: 'frames a second',
    series: names,
    bars: rows.map(({ title, fps }) => ({ label: title, values: fps.map((value) => (value > 0 ? value : null)) })),
  });
  return failed === 0 ? 0 : 1;
}

export async function bench(options: BenchOptions): Promise<number> {
  const { traceEvents } = options;
  const endProfiling = startProfiling(traceEvents === undefined ? {} : { traceEvents });
  const exitCode = await runBench(options);
  endProfiling();
  return exitCode;
}

async function runBench(options: BenchOptions): Promise<number> {
  const run = prepare(options);
  if (options.list) return listScenes(run.data);
  if (options.against !== undefined) return runAgainst(run);
  if (options.micro) return reportMicro(run);
  return options.validate || options.updateReferences ? validate(run) : runEntries(run);
}
