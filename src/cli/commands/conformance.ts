// `indium conformance`: runs dEQP cases on a backend.

import { loadShaderCases, nameMatcher } from '../../../conformance/deqp-data/cases.ts';
import { ShaderCaseRunner } from '../../../conformance/deqp-data/runner.ts';
import { runInProcesses } from '../../../conformance/process-pool.ts';
import { type CaseResult, summarize } from '../../../conformance/result.ts';
import { openBackend } from '../../open-backend.ts';
import { writeJson } from '../files.ts';
import { startProgress } from '../progress.ts';
import { parseCount, UsageError } from '../usage-error.ts';

export interface ConformanceOptions {
  readonly deqpData?: string;
  readonly onlyData?: boolean;
  readonly own?: boolean;
  readonly cases?: string;
  readonly backend?: string;
  readonly jobs?: string;
  readonly json?: string;
}

/** Failures that are printed before the rest is only counted. */
const PRINTED_FAILURES = 50;

export async function conformance(options: ConformanceOptions): Promise<number> {
  if (options.own) throw new UsageError('--own: there are no test groups of our own yet; leave it out to run the data');
  if (!options.deqpData) throw new UsageError('give --deqp-data DIR: a folder with gles2/shaders and gles3/shaders');
  const jobs = parseCount('--jobs', options.jobs ?? 1, 1);
  const matches = nameMatcher(options.cases ?? '*');
  const cases = loadCases(options.deqpData).filter(({ name }) => matches(name));
  if (cases.length === 0) throw new UsageError(`--cases '${options.cases}' matches no case`);
  const backend = await openBackend(options.backend);
  const results: CaseResult[] = [];
  const progress = startProgress('conformance', cases.length);
  const take = (result: CaseResult): void => {
    results.push(result);
    progress.step(result.name);
  };
  if (jobs === 1) {
    const runner = new ShaderCaseRunner(backend);
    for (const shaderCase of cases) take(runner.run(shaderCase));
    runner.dispose();
  } else {
    await runInProcesses(
      cases.map(({ name }) => name),
      { jobs, folder: options.deqpData, backend: options.backend, onResult: take },
    );
  }
  progress.stop();
  return report(results, options.json);
}

function loadCases(folder: string) {
  try {
    return loadShaderCases(folder);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function report(results: CaseResult[], json: string | undefined): number {
  results.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const summary = summarize(results);
  const failures = results.filter(({ status }) => status === 'failed');
  for (const { name, message } of failures.slice(0, PRINTED_FAILURES)) {
    console.log(`FAIL ${name}\n     ${message.trim().split('\n').slice(0, 3).join('\n     ')}`);
  }
  if (failures.length > PRINTED_FAILURES) console.log(`… and ${failures.length - PRINTED_FAILURES} more`);
  console.log(`${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped`);
  if (json) writeJson(json, { summary, rows: results });
  return summary.failed > 0 ? 1 : 0;
}
