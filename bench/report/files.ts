// Results as CSV and XML, with the fields and elements glmark2 writes and a few of our own after them.

import type { EntryResult } from '../run-entry.ts';
import type { Column } from './rows.ts';

/** What ran the list. */
export interface RunInfo {
  readonly version: string;
  readonly renderer: string;
  readonly size: string;
  readonly data: string;
  readonly node: string;
  readonly date: string;
}

const STATUS: Readonly<Record<EntryResult['status'], string>> = {
  success: 'Success',
  failed: 'Failure',
  unsupported: 'Unsupported',
};

function fieldsOf(result: EntryResult): [string, string][] {
  const isDone = result.status === 'success';
  const ms = (value: number) => (isDone ? value.toFixed(3) : '');
  return [
    ['name', result.title],
    ['fps', isDone ? String(Math.ceil(result.fps)) : ''],
    ['frame_time', isDone ? (1000 / result.fps).toFixed(3) : ''],
    ['status', STATUS[result.status]],
    ['median_frame_time', ms(result.medianMs)],
    ['worst_frame_time', ms(result.worstMs)],
    ['first_frame_time', ms(result.firstMs)],
    ['setup_time', ms(result.setupMs)],
    ['draws', isDone ? String(result.draws) : ''],
    ['triangles', isDone ? String(result.triangles) : ''],
    ...(result.message ? [['message', result.message] as [string, string]] : []),
  ];
}

const csvCell = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** One row a result, after a row of the names. */
export function toCsv(results: readonly EntryResult[]): string {
  const names = [...new Set(results.flatMap((result) => fieldsOf(result).map(([name]) => name)))];
  const lines = results.map((result) => {
    const fields = new Map(fieldsOf(result));
    return names.map((name) => csvCell(fields.get(name) ?? '')).join(',');
  });
  return [names.map(csvCell).join(','), ...lines, ''].join('\n');
}

/** A table of any kind: its columns, their titles first. */
export function tableToCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map((column) => csvCell(column.cell(row))).join(','));
  return [columns.map(({ title }) => csvCell(title)).join(','), ...lines, ''].join('\n');
}

export function escapeXml(text: string): string {
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  // XML 1.0 has no control characters.
  return escaped.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '\ufffd');
}

const elements = (fields: readonly (readonly [string, string])[]) =>
  fields.map(([name, value]) => `    <${name}>${escapeXml(value)}</${name}>`).join('\n');

export function toXml(info: RunInfo, results: readonly EntryResult[], score: number): string {
  const blocks = [
    `  <info>\n${elements(Object.entries(info))}\n  </info>`,
    ...results.map((result) => `  <benchmark>\n${elements(fieldsOf(result))}\n  </benchmark>`),
    `  <score>${score}</score>`,
  ];
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<glmark2>\n${blocks.join('\n')}\n</glmark2>\n`;
}
