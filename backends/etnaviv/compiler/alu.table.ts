// How IR operations map to Vivante instructions: one row each, for GPUs with and without integers.

import type { Condition, OperandType } from '../isa/enums.table.ts';
import type { CompilerTarget } from './target.ts';

export interface AluRow {
  readonly op: string;
  /** Where each operand of the IR operation goes: a source number, or several. */
  readonly slots: readonly (readonly number[])[];
  readonly type: OperandType;
  readonly condition: Condition;
  /**
   * unit: one component a time, computed from the operand's x. each: one component a time because the hardware has a
   * single multiplier or divider for it.
   */
  readonly scalar: 'unit' | 'each' | null;
  /** Operands may be negated and taken absolute (float operations). */
  readonly modifiers: boolean;
  /** The result may be clamped to 0..1. */
  readonly saturates: boolean;
}

const S0 = [[0]] as const;
const S2 = [[2]] as const;
const S01 = [[0], [1]] as const;
const S02 = [[0], [2]] as const;

function float(op: string, slots: AluRow['slots'], options: Partial<AluRow> = {}): AluRow {
  return { op, slots, type: 'f32', condition: 'true', scalar: null, modifiers: true, saturates: true, ...options };
}

function integer(op: string, type: OperandType, slots: AluRow['slots'], options: Partial<AluRow> = {}): AluRow {
  return { op, slots, type, condition: 'true', scalar: null, modifiers: false, saturates: false, ...options };
}

/** `a cond b ? b : a`: a minimum or maximum that is exactly the IR's. */
const PICK = [[0, 2], [1]] as const;

const COMMON: Readonly<Record<string, AluRow>> = {
  fadd: float('add', S02),
  fmul: float('mul', S01),
  fmin: float('select', PICK, { condition: 'gt' }),
  fmax: float('select', PICK, { condition: 'lt' }),
  ffloor: float('floor', S2),
  fceil: float('ceil', S2),
  fsign: float('sign', S2),
  ffract: float('frc', S2),
  frcp: float('rcp', S2, { scalar: 'unit' }),
  frsq: float('rsq', S2, { scalar: 'unit' }),
  fsqrt: float('sqrt', S2, { scalar: 'unit' }),
  fexp2: float('exp', S2, { scalar: 'unit' }),
  flog2: float('log', S2, { scalar: 'unit' }),
  fddx: float('dsx', [[0, 2]], { modifiers: false }),
  fddy: float('dsy', [[0, 2]], { modifiers: false }),
};

/** Booleans are 1.0 and 0.0. */
const WITHOUT_INTEGERS: Readonly<Record<string, AluRow>> = {
  flt: float('set', S01, { condition: 'lt' }),
  fge: float('set', S01, { condition: 'ge' }),
  feq: float('set', S01, { condition: 'eq' }),
  fneu: float('set', S01, { condition: 'ne' }),
  land: float('mul', S01),
  lor: float('select', PICK, { condition: 'lt' }),
  lxor: float('set', S01, { condition: 'ne' }),
};

/** Booleans are all ones and 0; comparisons take the all ones as a third operand. */
const WITH_INTEGERS: Readonly<Record<string, AluRow>> = {
  flt: float('cmp', S01, { condition: 'lt', saturates: false }),
  fge: float('cmp', S01, { condition: 'ge', saturates: false }),
  feq: float('cmp', S01, { condition: 'eq', saturates: false }),
  fneu: float('cmp', S01, { condition: 'ne', saturates: false }),
  ilt: integer('cmp', 's32', S01, { condition: 'lt' }),
  ige: integer('cmp', 's32', S01, { condition: 'ge' }),
  ult: integer('cmp', 'u32', S01, { condition: 'lt' }),
  uge: integer('cmp', 'u32', S01, { condition: 'ge' }),
  ieq: integer('cmp', 's32', S01, { condition: 'eq' }),
  ine: integer('cmp', 's32', S01, { condition: 'ne' }),
  land: integer('and', 'u32', S02),
  lor: integer('or', 'u32', S02),
  lxor: integer('xor', 'u32', S02),
  lnot: integer('not', 'u32', S2),
  iadd: integer('add', 's32', S02),
  imul: integer('imullo0', 's32', S01, { scalar: 'each' }),
  idiv: integer('idiv0', 's32', S01, { scalar: 'each' }),
  udiv: integer('idiv0', 'u32', S01, { scalar: 'each' }),
  irem: integer('imod0', 's32', S01, { scalar: 'each' }),
  umod: integer('imod0', 'u32', S01, { scalar: 'each' }),
  iabs: integer('iabs', 's32', S2),
  isign: integer('sign', 's32', S2),
  imin: integer('select', 's32', PICK, { condition: 'gt' }),
  imax: integer('select', 's32', PICK, { condition: 'lt' }),
  umin: integer('select', 'u32', PICK, { condition: 'gt' }),
  umax: integer('select', 'u32', PICK, { condition: 'lt' }),
  ishl: integer('lshift', 's32', S02),
  ishr: integer('rshift', 's32', S02),
  ushr: integer('rshift', 'u32', S02),
  iand: integer('and', 's32', S02),
  ior: integer('or', 's32', S02),
  ixor: integer('xor', 's32', S02),
  inot: integer('not', 's32', S2),
  f2i: integer('f2i', 's32', S0),
  f2u: integer('f2i', 'u32', S0),
  i2f: integer('i2f', 's32', S0),
  u2f: integer('i2f', 'u32', S0),
};

export function aluRows(target: CompilerTarget): Readonly<Record<string, AluRow>> {
  return { ...COMMON, ...(target.hasIntegers ? WITH_INTEGERS : WITHOUT_INTEGERS) };
}
