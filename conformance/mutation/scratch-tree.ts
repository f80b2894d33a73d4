// A copy of the sources in a temporary folder, where one text at a time is replaced. The checkout is never written to.

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutation } from './mutations.table.ts';

const COPIED = ['src', 'backends', 'conformance', 'package.json', 'tsconfig.json'] as const;

/** Why a mutation cannot be applied to the tree below `root`; null: it can. */
export function mutationProblem(root: string, { file, text, broken }: Mutation): string | null {
  const path = join(root, file);
  if (!existsSync(path)) return `${file} is no longer there`;
  const count = readFileSync(path, 'utf8').split(text).length - 1;
  if (count === 0) return `the text is no longer in ${file}: ${text}`;
  if (count > 1) return `the text stands ${count} times in ${file}: ${text}`;
  return text === broken ? 'nothing is broken' : null;
}

export class ScratchTree {
  readonly root: string;

  constructor(checkout: string) {
    this.root = mkdtempSync(join(tmpdir(), 'indium-mutation-'));
    for (const name of COPIED) cpSync(join(checkout, name), join(this.root, name), { recursive: true });
    symlinkSync(join(checkout, 'node_modules'), join(this.root, 'node_modules'));
  }

  /** Replaces the text; returns what puts it back. */
  apply(mutation: Mutation): () => void {
    const problem = mutationProblem(this.root, mutation);
    if (problem !== null) throw new Error(problem);
    const path = join(this.root, mutation.file);
    const source = readFileSync(path, 'utf8');
    // A function: `$` in the text means nothing.
    writeFileSync(
      path,
      source.replace(mutation.text, () => mutation.broken),
    );
    return () => writeFileSync(path, source);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
