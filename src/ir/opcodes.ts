// Questions about opcodes, answered from the table.
import { OPCODES, type Opcode, type OpcodeRow } from './opcodes.table.ts';

export type { Opcode, OpcodeRow, OperandType } from './opcodes.table.ts';

const ROWS = new Map<string, OpcodeRow>(Object.entries(OPCODES));

export const OPCODE_NAMES = Object.keys(OPCODES) as Opcode[];

/** The row of an opcode; throws on an unknown name. */
export function opcodeRow(op: string): OpcodeRow {
  const row = ROWS.get(op);
  if (row === undefined) throw new Error(`unknown opcode ${op}`);
  return row;
}

export function isOpcode(op: string): op is Opcode {
  return ROWS.has(op);
}

const COMMUTATIVE = new Set(
  OPCODE_NAMES.filter((name) => opcodeRow(name).properties.includes('commutative')) as string[],
);

export function isCommutative(op: string): boolean {
  return COMMUTATIVE.has(op);
}

/** Opcodes that read other lanes: they must not move into or out of divergent control flow. */
export function isQuadOpcode(op: string): boolean {
  return op === 'fddx' || op === 'fddy';
}
