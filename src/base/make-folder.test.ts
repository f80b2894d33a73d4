import * as files from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

it('makes folders above it too, once', () => {
  const root = files.mkdtempSync(join(tmpdir(), 'indium-folder-'));
  try {
    for (const path of [`${root}/a/b/c`, `${root}/a/b/c/`, `${root}/d//e`, relative(process.cwd(), `${root}/f/g`)]) {
      makeFolder(files, path, 0o700);
      makeFolder(files, path);
      expect(files.statSync(path).isDirectory()).toBe(true);
    }
    files.writeFileSync(`${root}/file`, '');
    expect(() => makeFolder(files, `${root}/file/below`)).toThrow('ENOTDIR');
  } finally {
    files.rmSync(root, { recursive: true });
  }
});

it.skipIf(process.platform !== 'linux')('ends where nobody can make one', () => {
  expect(() => makeFolder(files, '/proc/indium/cache')).toThrow('ENOENT');
});
