import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import type { EntryResult } from '../run-entry.ts';
import { type ChartData, chartPng, chartSvg } from './chart.ts';
import { toCsv, toXml } from './files.ts';
import { RESULT_COLUMNS, STATS_COLUMNS, significant, toMarkdown, toText } from './rows.ts';

const done: EntryResult = {
  title: 'effect2d:kernel=1,"x"<&>',
  scene: 'effect2d',
  status: 'success',
  frames: 100,
  seconds: 2,
  fps: 50,
  medianMs: 19,
  worstMs: 40,
  firstMs: 60,
  setupMs: 5,
  draws: 1,
  triangles: 2,
  grid: [],
};
const failed: EntryResult = { ...done, title: 'b', status: 'failed', message: 'broken', fps: 0 };
const info = { version: 'v', renderer: 'r', size: '1x1', data: 'generated', node: 'n', date: 'd' };

describe('reports', () => {
  it('align columns for a terminal and write tables for documents', () => {
    expect(toText(RESULT_COLUMNS, [done, failed]).split('\n')[2]).toBe('b                         failed');
    expect(toText(STATS_COLUMNS, [done])).toContain('triangles');
    expect(toMarkdown(RESULT_COLUMNS, [done]).split('\n')[1]).toBe('|---|--:|--:|');
    expect([0.123, 12.34, 123.4].map(significant)).toEqual(['0.12', '12.3', '123']);
  });

  it('write CSV with quotes doubled and a row for each result', () => {
    const [head, first, second] = toCsv([done, failed]).split('\n');
    expect(head).toContain('"name","fps","frame_time","status"');
    expect(first).toContain('"effect2d:kernel=1,""x""<&>","50","20.000","Success"');
    expect(second).toContain('"Failure"');
    expect(second).toContain('"broken"');
  });

  it('write XML that is escaped', () => {
    const xml = toXml(info, [{ ...done, title: 'a\u0000<b>' }], 42);
    expect(xml).toContain('<name>a\ufffd&lt;b&gt;</name>');
    expect(xml).toContain('<score>42</score>');
  });

  it('draw charts as SVG and PNG', () => {
    const data: ChartData = {
      title: 'Title <1>',
      unit: 'fps',
      series: ['a', 'b'],
      bars: [
        { label: 'one', values: [10, 1000] },
        { label: 'two', values: [null, 0.5] },
      ],
    };
    const svg = chartSvg(data);
    expect(svg).toContain('Title &lt;1&gt;');
    expect(svg.match(/<rect/g)!.length).toBeGreaterThan(5);
    const png = PNG.sync.read(chartPng(data));
    expect(new Set(png.data).size).toBeGreaterThan(8);
    expect(chartSvg({ ...data, bars: [] })).toContain('</svg>');
  });
});
