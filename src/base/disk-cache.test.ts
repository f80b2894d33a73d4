import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildStamp, DiskCache } from './disk-cache.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'indium-cache-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PAYLOAD = Uint8Array.from({ length: 500 }, (_, i) => i * 7);

function open(version = '1'): DiskCache {
  return DiskCache.open(folder, version)!;
}

function onlyFile(): string {
  const files = readdirSync(folder);
  expect(files).toHaveLength(1);
  return join(folder, files[0]!);
}

test('gives back what was written, in another cache object too', () => {
  const cache = open();
  const digest = cache.digest('key');
  expect(cache.read(digest)).toBeNull();
  cache.write(digest, PAYLOAD);
  expect(new Uint8Array(open().read(digest)!)).toEqual(PAYLOAD);
});

test('another version of the code has other keys', () => {
  expect(open('2').digest('key')).not.toBe(open('1').digest('key'));
});

test('a truncated entry is dropped, at any length', () => {
  const cache = open();
  const digest = cache.digest('key');
  for (const length of [0, 3, 4, 35, 36, 37, 400, 535]) {
    cache.write(digest, PAYLOAD);
    truncateSync(onlyFile(), length);
    expect(cache.read(digest), String(length)).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  }
});

test.skipIf(process.platform === 'win32')('what is no file is not waited for', () => {
  const cache = open();
  const digest = cache.digest('key');
  cache.write(digest, PAYLOAD);
  const path = onlyFile();
  rmSync(path);
  execFileSync('mkfifo', [path]);
  expect(cache.read(digest)).toBeNull();
});

test('a changed byte anywhere is noticed', () => {
  const cache = open();
  const digest = cache.digest('key');
  for (const at of [0, 3, 4, 20, 36, 300, 535]) {
    cache.write(digest, PAYLOAD);
    const file = onlyFile();
    const bytes = readFileSync(file);
    bytes[at]! ^= 0x10;
    writeFileSync(file, bytes);
    expect(cache.read(digest), String(at)).toBeNull();
  }
});

test('an entry under the name of another is not taken for it', () => {
  const cache = open();
  const [one, two] = [cache.digest('one'), cache.digest('two')];
  cache.write(one, PAYLOAD);
  writeFileSync(join(folder, `${two}.entry`), readFileSync(onlyFile()));
  expect(cache.read(two)).toBeNull();
  expect(cache.read(one)).not.toBeNull();
});

test('a folder that cannot be written is no error', () => {
  const file = join(folder, 'file');
  writeFileSync(file, 'not a folder');
  const cache = DiskCache.open(join(file, 'below'), '1')!;
  cache.write(cache.digest('key'), PAYLOAD);
  expect(cache.read(cache.digest('key'))).toBeNull();
});

test('processes that write the same entries at once leave whole ones', async () => {
  const script = `
    const { DiskCache } = await import(process.argv[1]);
    const cache = DiskCache.open(process.argv[2], '1');
    const payload = new Uint8Array(200_000).fill(9);
    let seen = 0;
    for (let i = 0; i < 60; i++) {
      const digest = cache.digest('shared ' + (i % 3));
      const found = cache.read(digest);
      if (found !== null) { seen++; if (found.length !== 200_000 || found[199_999] !== 9) throw new Error('torn'); }
      cache.write(digest, payload);
    }
    console.log(seen > 0 ? 'ok' : 'unseen');`;
  const loader = fileURLToPath(import.meta.resolve('tsx'));
  const source = fileURLToPath(new URL('./disk-cache.ts', import.meta.url));
  const run = () =>
    promisify(execFile)(process.execPath, ['--import', loader, '--input-type=module', '-e', script, source, folder]);
  const outcomes = await Promise.all([run(), run(), run()]);
  for (const { stdout } of outcomes) expect(stdout.trim()).toBe('ok');
  expect(readdirSync(folder).filter((name) => !name.endsWith('.entry'))).toEqual([]);
}, 60_000);

test('a build whose files all have one time is told by their sizes, the merged file among them', () => {
  const stampOf = (coreBytes: number): string =>
    buildStamp({
      readdirSync: () => ['file.js', 'README.md'],
      statSync: (path: URL) => ({ size: path.href.endsWith('/core.js') ? coreBytes : 10, mtimeMs: 0 }),
    } as unknown as Parameters<typeof buildStamp>[0]);
  expect(stampOf(1000)).toBe(stampOf(1000));
  expect(stampOf(1001)).not.toBe(stampOf(1000));
});
