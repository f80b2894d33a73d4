import { expect, it } from 'vitest';
import { mergeRuns, type NodeRun, nodeTableColumns, nodeTableNotes } from './node-table.ts';

const run = (node: string, threads: number, ms: number, worstMs: number, hash = 'aa'): NodeRun => ({
  node,
  threads,
  rows: [{ scene: 'fbm', w: 8, h: 8, ms, worstMs, hash }],
});

it('gives medians of rounds, ratios within a round, and the spread', () => {
  const table = mergeRuns([
    run('v20.1.0', 2, 4, 8),
    run('v20.1.0', 1, 8, 9),
    run('v20.1.0', 2, 6, 10),
    run('v20.1.0', 1, 9, 9),
    run('v24.0.0', 1, 5, 7),
  ]);
  const columns = nodeTableColumns(table);
  expect(columns.map(({ title }) => title)).toEqual([
    'scene (median / worst ms)',
    'Node 20, 2 threads',
    'Node 20, 1 thread',
    'Node 24, 1 thread',
    '×20',
    'spread',
  ]);
  expect(columns.map(({ cell }) => cell(table.rows[0]!))).toEqual([
    'fbm 8x8',
    '5.00 / 9.00',
    '8.50 / 9.00',
    '5.00 / 7.00',
    '1.75',
    '1.50',
  ]);
});

it('tells when pictures differ and what one configuration is beside the first', () => {
  const table = mergeRuns([run('v20.1.0', 2, 4, 8), run('v24.0.0', 2, 8, 8, 'bb')]);
  expect(nodeTableNotes(table)).toEqual([
    'Node 24, 2 threads: 0.50 times as fast as Node 20, 2 threads (geometric mean)',
    'Not the same bytes: fbm 8x8.',
  ]);
});

it('keeps a scene that a configuration could not draw', () => {
  const broken: NodeRun = { node: 'v24.0.0', threads: 2, rows: [{ scene: 'fbm', w: 8, h: 8, error: 'x' }] };
  const table = mergeRuns([run('v20.1.0', 2, 4, 8), broken]);
  expect(nodeTableColumns(table)[2]!.cell(table.rows[0]!)).toBe('– / –');
});
