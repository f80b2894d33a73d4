// The reference page of the instruction set, made from the tables.

import {
  ADDRESSING,
  CONDITIONS,
  type EnumTable,
  GROUP_PREFIXES,
  GROUPS,
  IMMEDIATE_TYPES,
  type RegisterGroup,
  ROUNDING,
  TYPES,
} from './enums.table.ts';
import { FIELDS, type Field, SOURCES } from './fields.table.ts';
import { FORMS, OPCODES, type OpcodeRow } from './opcodes.table.ts';

function bitsText(field: Field): string {
  return field.runs.map(([low, high]) => (low === high ? `${low}` : `${low}–${high}`)).join(', ');
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return line(header) + line(header.map(() => '---')) + rows.map(line).join('');
}

function enumTable(title: string, names: EnumTable<string>): string {
  const rows = names.map((name, value) => [String(value), name ?? 'reserved']);
  return `## ${title}\n\n${table(['value', 'name'], rows)}\n`;
}

function sourcesText(row: OpcodeRow): string {
  return row.sources
    .map((presence, index) => (presence === 'none' ? '' : `${index}${presence === 'maybe' ? '?' : ''}`))
    .join('');
}

function opcodeCells(row: OpcodeRow): string[] {
  const code = `0x${row.code.toString(16).padStart(2, '0')}`;
  const extended = row.extendedCode === undefined ? '' : ` + 0x${row.extendedCode.toString(16)}`;
  return [code + extended, row.name, row.form, sourcesText(row), row.isScalar ? 'yes' : '', row.since, row.doc];
}

/** The page as markdown. */
export function isaDocument(): string {
  const groups = GROUPS.map((group) => {
    const prefix = group === undefined || group === 'immediate' ? '' : ` (${GROUP_PREFIXES[group as RegisterGroup]})`;
    return group && group + prefix;
  });
  const fieldRows = Object.entries(FIELDS).map(([name, field]) => [bitsText(field), name, field.doc]);
  const sourceRows = Object.entries(SOURCES[0]).map(([name, field]: [string, Field]) => [
    ...SOURCES.map((source) => bitsText(source[name as keyof typeof source])),
    name,
    field.doc,
  ]);
  const formRows = Object.entries(FORMS).map(([name, form]) => [name, form.dst, form.fields.join(', '), form.doc]);
  return [
    '# The Vivante instruction set\n\nAn instruction is 128 bits. Made from the tables of `backends/etnaviv/isa`.\n\n',
    `## Fields\n\n${table(['bits', 'field', 'meaning'], fieldRows)}\n`,
    `## Source operands\n\n${table(['source 0', 'source 1', 'source 2', 'field', 'meaning'], sourceRows)}\n`,
    `## Forms\n\nBits of no field must be 0.\n\n${table(['form', 'destination', 'fields', ''], formRows)}\n`,
    `## Instructions\n\n${table(['code', 'name', 'form', 'sources', 'scalar', 'since', 'meaning'], OPCODES.map(opcodeCells))}\n`,
    enumTable('Conditions', CONDITIONS),
    enumTable('Types', TYPES),
    enumTable('Register groups', groups),
    enumTable('Addressing', ADDRESSING),
    enumTable('Rounding', ROUNDING),
    enumTable('Types of immediates', IMMEDIATE_TYPES),
  ].join('');
}
