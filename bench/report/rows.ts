// Results as rows of a table, by the same columns for every format.

import type { EntryResult } from '../run-entry.ts';

export interface Column<Row> {
  readonly title: string;
  readonly isNumber?: boolean;
  cell(row: Row): string;
}

/** Digits that tell something: 3 of them, whole numbers from 100. */
export function significant(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export const RESULT_COLUMNS: readonly Column<EntryResult>[] = [
  { title: 'entry', cell: ({ title }) => title },
  { title: 'FPS', isNumber: true, cell: ({ status, fps }) => (status === 'success' ? significant(fps) : status) },
  { title: 'ms', isNumber: true, cell: ({ fps }) => (fps > 0 ? (1000 / fps).toFixed(3) : '') },
];

export const STATS_COLUMNS: readonly Column<EntryResult>[] = [
  ...RESULT_COLUMNS,
  { title: 'median ms', isNumber: true, cell: ({ medianMs }) => significant(medianMs) },
  { title: 'worst ms', isNumber: true, cell: ({ worstMs }) => significant(worstMs) },
  { title: 'first ms', isNumber: true, cell: ({ firstMs }) => significant(firstMs) },
  { title: 'set-up ms', isNumber: true, cell: ({ setupMs }) => significant(setupMs) },
  { title: 'frames', isNumber: true, cell: ({ frames }) => String(frames) },
  { title: 'draws', isNumber: true, cell: ({ draws }) => String(draws) },
  { title: 'triangles', isNumber: true, cell: ({ triangles }) => String(triangles) },
];

/** A table for a terminal: columns of equal width, numbers to the right. */
export function toText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map((column) => column.cell(row)))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]!.length)));
  const lines = cells.map((line) =>
    line
      .map((cell, at) => (columns[at]!.isNumber ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}

/** A table for a document. */
export function toMarkdown<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ title }) => title)),
    `|${columns.map(({ isNumber }) => (isNumber ? '--:' : '---')).join('|')}|`,
    ...rows.map((row) => line(columns.map((column) => column.cell(row).replaceAll('|', '\\|')))),
  ].join('\n');
}
