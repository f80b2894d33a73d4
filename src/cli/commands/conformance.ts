// `indium conformance`: runs dEQP cases on a backend.

import { Catalogue, type CatalogueOptions } from '../../../conformance/catalogue.ts';
import { type CaseResult, summarize } from '../../../conformance/result.ts';
import { type BaselineEntry, judgeByBaseline, parseBaseline } from '../../../conformance/runner/baseline.ts';
import { toCsv, toJunit, toQpa } from '../../../conformance/runner/outputs.ts';
import { PicturePage } from '../../../conformance/runner/picture-page.ts';
import { openRecord, runCases } from '../../../conformance/runner/run-cases.ts';
import { type Fraction, parseFraction, readCaseList, selectNames } from '../../../conformance/runner/selection.ts';
import { defaultBackendName, openBackend } from '../../open-backend.ts';
import { readText, writeFile, writeJson } from '../files.ts';
import { startCaseProgress } from '../progress.ts';
import { parseCount, UsageError } from '../usage-error.ts';

/** A repeatable option: cac gives one value or a list. */
type Repeated = string | readonly string[];

export interface ConformanceOptions {
  readonly deqpData?: string;
  readonly onlyData?: boolean;
  readonly own?: boolean;
  readonly list?: boolean;
  readonly cases?: string;
  readonly include?: Repeated;
  readonly exclude?: Repeated;
  readonly caselist?: Repeated;
  readonly fraction?: string;
  readonly backend?: string;
  readonly jobs?: string;
  readonly timeout?: string;
  readonly retries?: string;
  readonly resume?: string;
  readonly baseline?: string;
  readonly json?: string;
  readonly csv?: string;
  readonly junit?: string;
  readonly qpa?: string;
  readonly pictures?: string;
}

/** Failures that are printed before the rest is only counted. */
const PRINTED_FAILURES = 50;

function list(value: Repeated | undefined): string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : [...value];
}

/** Rethrows what reading a file or an option says as a wrong call. */
function asUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

export async function conformance(options: ConformanceOptions): Promise<number> {
  const { catalogueOptions, catalogue } = openCatalogue(options);
  const baseline = options.baseline ? readBaseline(options.baseline) : [];
  const names = select(options, catalogue, baseline);
  if (options.list) {
    for (const name of names) console.log(name);
    return 0;
  }
  const jobs = parseCount('--jobs', options.jobs ?? 1, 1);
  const timeoutMs = options.timeout === undefined ? undefined : parseCount('--timeout', options.timeout, 1) * 1000;
  const retries = parseCount('--retries', options.retries ?? 0, 0);
  // Told before cases are run for minutes.
  if (options.resume !== undefined) asUsage(() => openRecord(options.resume!, options.backend ?? defaultBackendName()));
  const pictures = options.pictures === undefined ? null : asUsage(() => new PicturePage(options.pictures!));
  await openBackend(options.backend);
  const progress = startCaseProgress('conformance', names.length);
  const results = await runCases(names, {
    catalogue,
    catalogueOptions,
    backend: options.backend,
    jobs,
    timeoutMs,
    retries,
    resume: options.resume,
    wantsPictures: pictures !== null,
    onResult: (result) => {
      pictures?.add(result);
      progress.step(result);
    },
  });
  progress.stop();
  results.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  writeOutputs(results, options);
  if (pictures) reportPictures(pictures.write(results), options.pictures!);
  return report(results, baseline);
}

function openCatalogue(options: ConformanceOptions): { catalogueOptions: CatalogueOptions; catalogue: Catalogue } {
  const { deqpData, own, onlyData } = options;
  if (own && onlyData) throw new UsageError('give --own or --only-data, not both');
  if (!own && !deqpData)
    throw new UsageError('give --deqp-data DIR (a folder with gles2/shaders and gles3/shaders), --own, or both');
  const catalogueOptions = { deqpData, own: own ?? false };
  return { catalogueOptions, catalogue: asUsage(() => new Catalogue(catalogueOptions)) };
}

function readBaseline(path: string): BaselineEntry[] {
  const text = readText(path);
  return asUsage(() => parseBaseline(text, path));
}

function select(options: ConformanceOptions, catalogue: Catalogue, baseline: readonly BaselineEntry[]): string[] {
  const lists = list(options.caselist).flatMap((path) => asUsage(() => readCaseList(path)));
  const fraction: Fraction | undefined =
    options.fraction === undefined ? undefined : asUsage(() => parseFraction(options.fraction!));
  const all = catalogue.names();
  const names = selectNames(all, {
    include: [...list(options.cases), ...list(options.include)],
    exclude: [
      ...list(options.exclude),
      ...baseline.filter(({ kind }) => kind === 'skip').map(({ pattern }) => pattern),
    ],
    ...(options.caselist === undefined ? {} : { names: new Set(lists) }),
  });
  if (lists.length > 0) {
    const known = new Set(all);
    const missing = lists.filter((name) => !known.has(name)).length;
    if (missing > 0) console.error(`${missing} of the ${lists.length} names in case lists are no cases here`);
  }
  if (names.length === 0) {
    const what = options.cases ? `--cases '${options.cases}'` : 'this selection';
    throw new UsageError(`${what} matches no case`);
  }
  const unknown = baseline.filter(({ matches }) => !all.some(matches));
  if (unknown.length > 0)
    console.error(
      `${unknown.length} of the ${baseline.length} lines of the baseline are of no case here, first ${unknown[0]!.pattern}`,
    );
  // A part may be empty where there are more parts than cases: a run of all parts must not fail for it.
  return fraction ? selectNames(names, { fraction }) : names;
}

function writeOutputs(results: readonly CaseResult[], options: ConformanceOptions): void {
  if (options.json) {
    const rows = results.map(({ pictures: _, ...row }) => row);
    writeJson(options.json, { summary: summarize(results), rows });
  }
  if (options.csv) writeFile(options.csv, toCsv(results));
  if (options.junit) writeFile(options.junit, toJunit(results, `indium ${options.backend ?? defaultBackendName()}`));
  if (options.qpa) writeFile(options.qpa, toQpa(results));
}

function reportPictures({ shown, missing }: { shown: number; missing: number }, folder: string): void {
  if (shown > 0) console.log(`${shown} failing pictures: ${folder}/index.html`);
  if (missing > 0) console.log(`${missing} pictures of the run before are not in ${folder}`);
}

function report(results: readonly CaseResult[], baseline: readonly BaselineEntry[]): number {
  const summary = summarize(results);
  const { newFailures, knownFailures, fixed, passedBesideFailures } = judgeByBaseline(results, baseline);
  for (const { name, message } of newFailures.slice(0, PRINTED_FAILURES))
    console.log(`FAIL ${name}\n     ${message.trim().split('\n').slice(0, 3).join('\n     ')}`);
  if (newFailures.length > PRINTED_FAILURES) console.log(`… and ${newFailures.length - PRINTED_FAILURES} more`);
  for (const { pattern, cases } of fixed)
    console.log(
      `FIXED ${pattern} (${cases} case${cases === 1 ? '' : 's'} of this run): take the line out of the baseline`,
    );
  const flaky = results.filter(({ status, attempts = 1 }) => status === 'passed' && attempts > 1);
  for (const { name, message } of flaky) console.log(`FLAKE ${name}: ${message}`);
  console.log(`${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped`);
  if (baseline.length > 0)
    console.log(
      `${newFailures.length} new failures, ${knownFailures.length} known ones, ${fixed.length} lines fixed, ` +
        `${passedBesideFailures} cases pass under lines of which others fail`,
    );
  return newFailures.length > 0 ? 1 : 0;
}
