import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkWritable, numberedPath } from './files.ts';

it('tells before a run that its results could not be written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'indium-files-'));
  try {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const good of [file, join(folder, 'new.json'), join(folder, 'a/b/new.json')]) checkWritable(good);
    expect(() => checkWritable(folder)).toThrow('it is a folder');
    expect(() => checkWritable(join(file, 'below.json'))).toThrow('is no folder');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('numbers files before their ending or where the name says', () => {
  expect(numberedPath('a/frame.png', 2)).toBe('a/frame-2.png');
  expect(numberedPath('a.b/frame', 2)).toBe('a.b/frame-2');
  expect(numberedPath('frame-%03d.png', 7)).toBe('frame-007.png');
});
