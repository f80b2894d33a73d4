// The shader cases of a dEQP data folder under their full names.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CaseStage } from './specialize.ts';
import { parseTestFile, type ShaderBlock } from './test-file.ts';

export interface ShaderCase {
  /** As in mustpass lists: `dEQP-GLES2.functional.shaders.<file>.<group>.<case>`. */
  readonly name: string;
  readonly api: 2 | 3;
  readonly block: ShaderBlock;
  readonly stage: CaseStage;
}

function casesOfBlock(prefix: string, api: 2 | 3, block: ShaderBlock): ShaderCase[] {
  if (block.both === null) return [{ name: prefix + block.path, api, block, stage: 'pair' }];
  return (['vertex', 'fragment'] as const).map((stage) => ({
    name: `${prefix}${block.path}_${stage}`,
    api,
    block,
    stage,
  }));
}

/** Reads `gles2/shaders/*.test` and `gles3/shaders/*.test` below `folder`. Throws when neither is there. */
export function loadShaderCases(folder: string): ShaderCase[] {
  const cases: ShaderCase[] = [];
  for (const api of [2, 3] as const) {
    const shaders = join(folder, `gles${api}`, 'shaders');
    if (!existsSync(shaders)) continue;
    for (const file of readdirSync(shaders).sort()) {
      if (!file.endsWith('.test')) continue;
      const text = readFileSync(join(shaders, file), 'utf8');
      const prefix = `dEQP-GLES${api}.functional.shaders.${basename(file, '.test')}.`;
      for (const block of parseTestFile(file, text, api === 3 ? 300 : 100)) {
        cases.push(...casesOfBlock(prefix, api, block));
      }
    }
  }
  if (cases.length === 0) throw new Error(`${folder}: no gles2/shaders or gles3/shaders folder with .test files`);
  return cases;
}

/** A glob over full names: `*` is any text, `?` one character, dots included. */
export function nameMatcher(glob: string): (name: string) => boolean {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const pattern = new RegExp(`^${source}$`);
  return (name) => pattern.test(name);
}
