// Runs chosen cases in this process or in workers, with retries and a record to resume from.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { defaultBackendName, openBackend } from '../../src/open-backend.ts';
import { type Catalogue, type CatalogueOptions, CatalogueRunner } from '../catalogue.ts';
import { DEFAULT_TIMEOUT_MS, runInProcesses } from '../process-pool.ts';
import type { CaseResult } from '../result.ts';

export interface RunOptions {
  readonly catalogue: Catalogue;
  readonly catalogueOptions: CatalogueOptions;
  readonly backend: string | undefined;
  readonly jobs: number;
  /** A limit a case in milliseconds; asking for one runs even a single job in a process of its own. */
  readonly timeoutMs?: number | undefined;
  readonly retries: number;
  /** A file of results so far, one JSON line each: those are not run again, new ones are added. */
  readonly resume?: string | undefined;
  readonly wantsPictures: boolean;
  readonly onResult: (result: CaseResult) => void;
}

/** The first line of a record. */
interface RecordHead {
  readonly backend?: string;
}

/** Results of an earlier run. A last line that was cut off by a crash is left out. */
export function readRecord(path: string): CaseResult[] {
  if (!existsSync(path)) return [];
  const results: CaseResult[] = [];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    try {
      const value = line.trim() === '' ? {} : (JSON.parse(line) as RecordHead | CaseResult);
      if ('name' in value) results.push(value);
    } catch {
      // Cut off: the case runs again.
    }
  }
  return results;
}

/**
 * Makes a record ready for more lines: new ones must not go on a line that was cut off, and not among those of another backend.
 * Throws when it cannot be written.
 */
export function openRecord(path: string, backend: string): void {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (text === '') return appendFileSync(path, `${JSON.stringify({ backend } satisfies RecordHead)}\n`);
  const known = recordHead(text).backend ?? backend;
  if (known !== backend) throw new Error(`${path} has results of backend ${known}, not ${backend}: give another file`);
  appendFileSync(path, text.endsWith('\n') ? '' : '\n');
}

function recordHead(text: string): RecordHead {
  try {
    const value = JSON.parse(text.slice(0, text.indexOf('\n'))) as RecordHead | CaseResult;
    return 'name' in value ? {} : value;
  } catch {
    return {};
  }
}

async function runOnce(
  names: readonly string[],
  options: RunOptions,
  take: (result: CaseResult) => void,
): Promise<void> {
  const { backend, jobs, wantsPictures, timeoutMs } = options;
  if (names.length === 0) return;
  if (jobs === 1 && timeoutMs === undefined) {
    const runner = new CatalogueRunner(options.catalogue, await openBackend(backend));
    for (const name of names) {
      take(runner.run(name));
      // Progress bars and signals want a turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
    }
    runner.dispose();
    return;
  }
  await runInProcesses(names, {
    jobs,
    catalogue: options.catalogueOptions,
    backend,
    timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
    wantsPictures,
    onResult: take,
  });
}

/** One result for each name, in the order of the names. */
export async function runCases(names: readonly string[], options: RunOptions): Promise<CaseResult[]> {
  const results = new Map<string, CaseResult>();
  const wanted = new Set(names);
  if (options.resume !== undefined) {
    openRecord(options.resume, options.backend ?? defaultBackendName());
    for (const result of readRecord(options.resume)) if (wanted.has(result.name)) results.set(result.name, result);
    for (const result of results.values()) options.onResult(result);
  }
  let attempt = 1;
  const finish = (result: CaseResult): void => {
    results.set(result.name, result);
    if (options.resume !== undefined) {
      const { pictures, ...plain } = result;
      const line = pictures ? { ...plain, hasPictures: true } : plain;
      appendFileSync(options.resume, `${JSON.stringify(line)}\n`);
    }
    options.onResult(result);
  };
  let todo = names.filter((name) => !results.has(name));
  while (todo.length > 0) {
    const again: string[] = [];
    const isLast = attempt > options.retries;
    await runOnce(todo, options, (result) => {
      if (result.status === 'failed' && !isLast) again.push(result.name);
      else if (attempt === 1) finish(result);
      else {
        const message = result.status === 'passed' ? `flaky: passed at attempt ${attempt}` : result.message;
        finish({ ...result, message, attempts: attempt });
      }
    });
    todo = again;
    attempt++;
  }
  return names.flatMap((name) => results.get(name) ?? []);
}
