// Files that commands read and write, with errors that name them.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './usage-error.ts';

export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${(error as Error).message}`);
  }
}

/** Writes a file, making its folder. */
export function writeFile(path: string, contents: string | Uint8Array): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
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
