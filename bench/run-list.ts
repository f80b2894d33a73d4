// Runs a list of entries, each on a context of its own.

import type { ContextSource } from './contexts.ts';
import type { Entry } from './entry.ts';
import { type EntryResult, type RunOptions, runEntry } from './run-entry.ts';
import { type References, type Validation, validateEntry } from './validate.ts';

export interface ListProgress {
  /** An entry starts or goes on; `part` of it is done. */
  at(index: number, title: string, part: number): void;
}

export async function runList(
  contexts: ContextSource,
  entries: readonly Entry[],
  options: RunOptions,
  progress?: ListProgress,
): Promise<EntryResult[]> {
  const results: EntryResult[] = [];
  for (const [index, entry] of entries.entries()) {
    progress?.at(index, entry.title, 0);
    const { gl, close } = await contexts.open(options.width, options.height);
    const onProgress = (part: number) => progress?.at(index, entry.title, part);
    results.push(runEntry(gl, entry, { ...options, onProgress }));
    await close();
  }
  return results;
}

export async function validateList(
  contexts: ContextSource,
  entries: readonly Entry[],
  options: RunOptions,
  references: References,
  progress?: ListProgress,
): Promise<Validation[]> {
  const results: Validation[] = [];
  for (const [index, entry] of entries.entries()) {
    progress?.at(index, entry.title, 0);
    const { gl, close } = await contexts.open(options.width, options.height);
    results.push(validateEntry(gl, entry, options, references));
    await close();
  }
  return results;
}
