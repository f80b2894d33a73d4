// Makes a folder and those above it. Node's own recursion never ends where a folder cannot be made below one that is there, as in /proc.

import type { existsSync, mkdirSync } from 'node:fs';

interface Files {
  readonly existsSync: typeof existsSync;
  readonly mkdirSync: typeof mkdirSync;
}

/** Throws what `mkdirSync` throws; `mode` is of the folders that it makes. */
export function makeFolder(files: Files, path: string, mode?: number): void {
  if (files.existsSync(path)) return;
  const above = path.replace(/[/\\]+[^/\\]+[/\\]*$/, '');
  if (above !== path && above !== '') makeFolder(files, above, mode);
  try {
    files.mkdirSync(path, { mode });
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
