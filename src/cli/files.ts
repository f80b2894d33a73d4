// Files that commands read and write, with errors that name them.

import * as files from 'node:fs';
import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../base/make-folder.ts';
import { UsageError } from './usage-error.ts';

export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${(error as Error).message}`);
  }
}

/** Throws if `path` is no place for a file; for what is written only at the end of something long. */
export function checkWritable(path: string): void {
  try {
    if (existsSync(path)) {
      if (statSync(path).isDirectory()) throw new Error('it is a folder');
      return accessSync(path, constants.W_OK);
    }
    let folder = dirname(resolve(path));
    while (!existsSync(folder)) folder = dirname(folder);
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is no folder`);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${(error as Error).message}`);
  }
}

/** Writes a file, making its folder. */
export function writeFile(path: string, contents: string | Uint8Array): void {
  try {
    makeFolder(files, dirname(resolve(path)));
    writeFileSync(path, contents);
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${(error as Error).message}`);
  }
}

export function writeJson(path: string, value: unknown): void {
  writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** `frame.png` → `frame-2.png`; a `%d` or `%04d` in the name takes the number instead. */
export function numberedPath(path: string, index: number): string {
  const placeholder = /%(?:0(\d+))?d/;
  if (placeholder.test(path)) {
    return path.replace(placeholder, (_, digits?: string) => String(index).padStart(Number(digits ?? 1), '0'));
  }
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') ? `${path.slice(0, dot)}-${index}${path.slice(dot)}` : `${path}-${index}`;
}
