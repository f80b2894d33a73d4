// Selection, baselines, records and result files of the runner.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaseResult } from '../result.ts';
import { judgeByBaseline, parseBaseline } from './baseline.ts';
import { toCsv, toJunit, toQpa } from './outputs.ts';
import { PicturePage } from './picture-page.ts';
import { openRecord, readRecord } from './run-cases.ts';
import { parseFraction, readCaseList, selectNames } from './selection.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'indium-runner-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const passed = (name: string): CaseResult => ({ name, status: 'passed', message: '', milliseconds: 1 });
const failed = (name: string, message = 'wrong'): CaseResult => ({ name, status: 'failed', message, milliseconds: 2 });

describe('selection', () => {
  const names = ['a.b.c', 'a.b.d', 'a.x', 'z.b.c'];

  it('takes what any include matches and no exclude', () => {
    expect(selectNames(names, { include: ['a.*', 'z*'], exclude: ['*.d'] })).toEqual(['a.b.c', 'a.x', 'z.b.c']);
    expect(selectNames(names, { names: new Set(['a.x', 'nowhere']) })).toEqual(['a.x']);
  });

  it('splits into parts that are disjoint and complete', () => {
    const parts = [1, 2, 3].map((index) => selectNames(names, { fraction: { index, count: 3 } }));
    expect(parts.flat().sort()).toEqual(names);
    expect(parts.map((part) => part.length)).toEqual([2, 1, 1]);
  });

  it('refuses what is no fraction', () => {
    expect(parseFraction('2/8')).toEqual({ index: 2, count: 8 });
    for (const text of ['0/3', '4/3', '1/0', '1', 'a/b', '-1/2', '1/2/3', ''])
      expect(() => parseFraction(text)).toThrow(/is no fraction/);
  });

  it('reads lists with comments, plain and packed', () => {
    const text = '# head\na.b\n\n c.d # why\r\n';
    writeFileSync(join(folder, 'list.txt'), text);
    writeFileSync(join(folder, 'list.txt.gz'), gzipSync(text));
    for (const file of ['list.txt', 'list.txt.gz']) expect(readCaseList(join(folder, file))).toEqual(['a.b', 'c.d']);
  });
});

describe('baseline', () => {
  it('wants a kind and a reason on each line', () => {
    for (const line of ['fail a.b', 'fail a.b #', 'failed a.b # why', 'fail # why'])
      expect(() => parseBaseline(line, 'soft.txt')).toThrow(/soft\.txt:1/);
  });

  it('tells new failures, known ones, flakes and mended cases apart', () => {
    const baseline = parseBaseline('# known\nfail a.* # one\nflake f # two\nfail m # three\n');
    const { newFailures, knownFailures, fixed } = judgeByBaseline(
      [failed('a.b'), failed('f'), failed('new'), passed('m'), passed('other')],
      baseline,
    );
    expect(newFailures.map(({ name }) => name)).toEqual(['new']);
    expect(knownFailures.map(({ name }) => name)).toEqual(['a.b', 'f']);
    expect(fixed).toEqual([{ pattern: 'm', cases: 1 }]);
  });

  it('calls a line fixed when none of its cases fails', () => {
    const baseline = parseBaseline('fail a.* # one\nfail b.* # two\nfail c.* # three\n');
    const { fixed, passedBesideFailures } = judgeByBaseline(
      [passed('a.1'), failed('a.2'), passed('a.3'), passed('b.1'), passed('b.2')],
      baseline,
    );
    expect(fixed).toEqual([{ pattern: 'b.*', cases: 2 }]);
    expect(passedBesideFailures).toBe(2);
  });
});

it('a record goes on behind a line that was cut off', () => {
  const path = join(folder, 'record');
  writeFileSync(path, `${JSON.stringify(passed('a'))}\n{"name":"b","sta`);
  openRecord(path, 'soft');
  writeFileSync(path, `${readFileSync(path, 'utf8')}${JSON.stringify(failed('c'))}\n`);
  expect(readRecord(path).map(({ name }) => name)).toEqual(['a', 'c']);
});

it('a record is of one backend', () => {
  const path = join(folder, 'record-of-soft');
  openRecord(path, 'soft');
  openRecord(path, 'soft');
  expect(readRecord(path)).toEqual([]);
  expect(() => openRecord(path, 'null')).toThrow(/results of backend soft, not null/);
});

describe('result files', () => {
  const results = [passed('s.a'), failed('s.b', 'got "1", not <2>\nmore')];

  it('CSV quotes what needs it', () => {
    expect(toCsv(results)).toBe(
      'name,status,seconds,message\ns.a,Pass,0.0010,\ns.b,Fail,0.0020,"got ""1"", not <2>"\n',
    );
  });

  it('JUnit and qpa escape messages', () => {
    expect(toJunit(results, 'soft')).toContain('<failure message="got &quot;1&quot;, not &lt;2&gt;">');
    expect(toJunit(results, 'soft')).toContain('tests="2" failures="1" skipped="0"');
    expect(toQpa(results)).toContain('#beginTestCaseResult s.b');
    expect(toQpa(results)).toContain('<Result StatusCode="Fail">got &quot;1&quot;, not &lt;2&gt;</Result>');
  });

  it('a failing picture is three files and a section of the page', () => {
    const picture = { width: 1, height: 1, data: Uint8Array.of(1, 2, 3, 255) };
    const pictures = { result: picture, reference: picture, difference: picture };
    const page = new PicturePage(join(folder, 'pictures'));
    const failure = { ...failed('s.b'), pictures };
    page.add(failure);
    expect(page.write([failure, passed('s.a')])).toEqual({ shown: 1, missing: 0 });
    expect(readFileSync(join(folder, 'pictures', 'index.html'), 'utf8')).toContain('src="s.b.reference.png"');
    expect(
      readFileSync(join(folder, 'pictures', 's.b.result.png'))
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    // Resumed: the record knows of pictures that the folder has, or has not.
    const recorded = (name: string) => ({ ...failed(name), hasPictures: true });
    expect(page.write([recorded('s.b'), recorded('s.c')])).toEqual({ shown: 1, missing: 1 });
  });
});
