import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findUpwardImports, importsOf, LAYERS } from './layers.ts';

const root = join(import.meta.dirname, '..');

function sourceFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const top of ['src', 'backends', 'conformance', 'examples', 'bench']) {
    for (const entry of readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })) {
      const path = `${top}/${entry.replaceAll('\\', '/')}`;
      if (path.endsWith('.ts')) files.set(path, readFileSync(join(root, path), 'utf8'));
    }
  }
  return files;
}

describe('layers', () => {
  it('no file imports upward', () => {
    expect(findUpwardImports(sourceFiles())).toEqual([]);
  });

  it('reports an upward import with both ends', () => {
    const files = new Map([['src/ir/x.ts', "import { y } from '../gl/y.ts';\n"]]);
    expect(findUpwardImports(files)).toEqual(['src/ir/x.ts imports src/gl/y.ts: src/ir may not import src/gl']);
  });

  it('lets no backend import another', () => {
    const files = new Map([['backends/lima/x.ts', "import { y } from '../soft/y.ts';\n"]]);
    expect(findUpwardImports(files)).toHaveLength(1);
  });

  it('sees dynamic imports and re-exports', () => {
    expect(importsOf('src/a/b.ts', "export * from './c.ts';\nconst m = await import('../d/e.ts');\n")).toEqual([
      'src/a/c.ts',
      'src/d/e.ts',
    ]);
  });

  it('has no cycle in its table', () => {
    const visit = (folder: string, trail: readonly string[]): void => {
      expect(trail).not.toContain(folder);
      for (const next of LAYERS[folder] ?? []) visit(next, [...trail, folder]);
    };
    for (const folder of Object.keys(LAYERS)) visit(folder, []);
  });
});
