// How each ALU opcode of the IR becomes vector instructions, in exact agreement with the folding functions of
// src/ir/opcodes.table.ts. An emitter leaves one v128 on the stack; `push(i)` brings operand i there.
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { OpcodeName } from '../wasm/opcodes.table.ts';

/** The operand access of one component of one ALU instruction. */
export interface AluOperands {
  readonly f: FunctionBuilder;
  /** Component count of the first operand: what reductions run over. */
  readonly width: number;
  /** Pushes operand i at the component being computed. */
  push(operand: number): void;
  /** Pushes a chosen component of operand i. */
  pushComponent(operand: number, component: number): void;
  /** The 32-bit pattern of operand i at this component if it is a constant. */
  constant(operand: number): number | undefined;
  /** Operand i is the same in all lanes. */
  isUniform(operand: number): boolean;
}

type AluEmitter = (a: AluOperands) => void;

/** Opcodes that are one vector instruction. */
const DIRECT: Readonly<Record<string, OpcodeName>> = {
  fadd: 'f32x4.add',
  fsub: 'f32x4.sub',
  fmul: 'f32x4.mul',
  fdiv: 'f32x4.div',
  fneg: 'f32x4.neg',
  fabs: 'f32x4.abs',
  ffloor: 'f32x4.floor',
  fceil: 'f32x4.ceil',
  ftrunc: 'f32x4.trunc',
  froundeven: 'f32x4.nearest',
  fmin: 'f32x4.pmin',
  fmax: 'f32x4.pmax',
  fsqrt: 'f32x4.sqrt',
  flt: 'f32x4.lt',
  fge: 'f32x4.ge',
  feq: 'f32x4.eq',
  fneu: 'f32x4.ne',
  iadd: 'i32x4.add',
  isub: 'i32x4.sub',
  imul: 'i32x4.mul',
  ineg: 'i32x4.neg',
  iabs: 'i32x4.abs',
  imin: 'i32x4.min_s',
  imax: 'i32x4.max_s',
  umin: 'i32x4.min_u',
  umax: 'i32x4.max_u',
  iand: 'v128.and',
  ior: 'v128.or',
  ixor: 'v128.xor',
  inot: 'v128.not',
  ilt: 'i32x4.lt_s',
  ige: 'i32x4.ge_s',
  ult: 'i32x4.lt_u',
  uge: 'i32x4.ge_u',
  ieq: 'i32x4.eq',
  ine: 'i32x4.ne',
  land: 'v128.and',
  lor: 'v128.or',
  lxor: 'v128.xor',
  lnot: 'v128.not',
  f2i: 'i32x4.trunc_sat_f32x4_s',
  f2u: 'i32x4.trunc_sat_f32x4_u',
  i2f: 'f32x4.convert_i32x4_s',
  u2f: 'f32x4.convert_i32x4_u',
};

const ONE = 0x3f800000;
const CANONICAL_NAN = 0x7fc00000;

function local(f: FunctionBuilder, use: (index: number) => void): void {
  const index = f.newLocal('v128');
  use(index);
  f.freeLocal(index);
}

/** Replaces NaNs in a local by the canonical one; leaves the result on the stack. */
function emitCanonicalNaN(f: FunctionBuilder, index: number): void {
  f.localGet(index);
  f.splatConst(CANONICAL_NAN);
  f.localGet(index);
  f.localGet(index);
  f.op('f32x4.eq');
  f.op('v128.bitselect');
}

/** (value on the stack at lanes `from`) − (at lanes `minus`): derivatives within the quad. */
function emitDifference(a: AluOperands, from: readonly number[], minus: readonly number[]): void {
  const { f } = a;
  local(f, (x) => {
    a.push(0);
    f.localTee(x);
    f.localGet(x);
    f.shuffle(from);
    f.localGet(x);
    f.localGet(x);
    f.shuffle(minus);
    f.op('f32x4.sub');
  });
}

function words(...lanes: number[]): number[] {
  return lanes.flatMap((lane) => [lane * 4, lane * 4 + 1, lane * 4 + 2, lane * 4 + 3]);
}

/** Shift by a count that is a constant, the same in all lanes, or each lane's own (lane by lane: SIMD has no such shift). */
function shift(vectorOp: OpcodeName, scalarOp: OpcodeName): AluEmitter {
  return (a) => {
    const { f } = a;
    const count = a.constant(1);
    if (count !== undefined || a.isUniform(1)) {
      a.push(0);
      if (count !== undefined) f.i32Const(count & 31);
      else {
        a.push(1);
        f.op('i32x4.extract_lane', 0);
      }
      f.op(vectorOp);
      return;
    }
    a.push(0);
    for (let lane = 0; lane < 4; lane++) {
      a.push(0);
      f.op('i32x4.extract_lane', lane);
      a.push(1);
      f.op('i32x4.extract_lane', lane);
      f.op(scalarOp);
      f.op('i32x4.replace_lane', lane);
    }
  };
}

/**
 * Quotients by way of f64, whose 53 bits make the truncated quotient of 32-bit numbers exact. What differs from the IR's
 * contract is put right: division by zero gives all ones, and −2^31 / −1 must wrap where the conversion saturates.
 */
function emitQuotient(a: AluOperands, isSigned: boolean): void {
  const { f } = a;
  const convert: OpcodeName = isSigned ? 'f64x2.convert_low_i32x4_s' : 'f64x2.convert_low_i32x4_u';
  const truncate: OpcodeName = isSigned ? 'i32x4.trunc_sat_f64x2_s_zero' : 'i32x4.trunc_sat_f64x2_u_zero';
  const pushHigh = (operand: number): void => {
    a.push(operand);
    a.push(operand);
    f.shuffle(words(2, 3, 2, 3));
  };
  const divisor = a.constant(1);
  const needsZeroFix = divisor === undefined || divisor === 0;
  const needsWrapFix = isSigned && (divisor === undefined || (divisor | 0) === -1);
  if (needsZeroFix) f.splatConst(0xffffffff);
  if (needsWrapFix) f.splatConst(0x80000000);
  a.push(0);
  f.op(convert);
  a.push(1);
  f.op(convert);
  f.op('f64x2.div');
  f.op(truncate);
  pushHigh(0);
  f.op(convert);
  pushHigh(1);
  f.op(convert);
  f.op('f64x2.div');
  f.op(truncate);
  f.shuffle(words(0, 1, 4, 5));
  if (needsWrapFix) {
    a.push(0);
    f.splatConst(0x80000000);
    f.op('i32x4.eq');
    a.push(1);
    f.splatConst(0xffffffff);
    f.op('i32x4.eq');
    f.op('v128.and');
    f.op('v128.bitselect');
  }
  if (needsZeroFix) {
    a.push(1);
    f.splatConst(0);
    f.op('i32x4.eq');
    f.op('v128.bitselect');
  }
}

/** a − b · quotient; for b = 0 that is a. */
function emitRemainder(a: AluOperands, isSigned: boolean): void {
  a.push(0);
  emitQuotient(a, isSigned);
  a.push(1);
  a.f.op('i32x4.mul');
  a.f.op('i32x4.sub');
}

function reduce(op: OpcodeName): AluEmitter {
  return (a) => {
    for (let c = 0; c < a.width; c++) {
      a.pushComponent(0, c);
      if (c > 0) a.f.op(op);
    }
  };
}

/** Opcodes that take several instructions. */
const COMPOSED: Readonly<Record<string, AluEmitter>> = {
  fsat(a) {
    a.f.splatConst(0);
    a.push(0);
    a.f.op('f32x4.pmax');
    a.f.splatConst(ONE);
    a.f.op('f32x4.pmin');
  },
  fsign(a) {
    a.push(0);
    a.f.splatConst(0);
    a.f.op('f32x4.gt');
    a.f.splatConst(ONE);
    a.f.op('v128.and');
    a.push(0);
    a.f.splatConst(0);
    a.f.op('f32x4.lt');
    a.f.splatConst(ONE);
    a.f.op('v128.and');
    a.f.op('f32x4.sub');
  },
  ffract(a) {
    a.push(0);
    a.push(0);
    a.f.op('f32x4.floor');
    a.f.op('f32x4.sub');
  },
  frsq(a) {
    a.f.splatConst(ONE);
    a.push(0);
    a.f.op('f32x4.sqrt');
    a.f.op('f32x4.div');
  },
  frcp(a) {
    a.f.splatConst(ONE);
    a.push(0);
    a.f.op('f32x4.div');
  },
  fcanonical(a) {
    local(a.f, (x) => {
      a.push(0);
      a.f.localSet(x);
      emitCanonicalNaN(a.f, x);
    });
  },
  fdot(a) {
    const product = (c: number): void => {
      a.pushComponent(0, c);
      a.pushComponent(1, c);
      a.f.op('f32x4.mul');
    };
    product(0);
    for (let c = 1; c < Math.min(a.width, 3); c++) {
      product(c);
      if (a.width === 4 && c === 2) break;
      a.f.op('f32x4.add');
    }
    if (a.width === 4) {
      product(3);
      a.f.op('f32x4.add');
      a.f.op('f32x4.add');
    }
  },
  fddx: (a) => emitDifference(a, words(1, 1, 3, 3), words(0, 0, 2, 2)),
  fddy: (a) => emitDifference(a, words(2, 3, 2, 3), words(0, 1, 0, 1)),
  isign(a) {
    a.push(0);
    a.f.i32Const(31);
    a.f.op('i32x4.shr_s');
    a.push(0);
    a.f.op('i32x4.neg');
    a.f.i32Const(31);
    a.f.op('i32x4.shr_u');
    a.f.op('v128.or');
  },
  idiv: (a) => emitQuotient(a, true),
  udiv: (a) => emitQuotient(a, false),
  irem: (a) => emitRemainder(a, true),
  umod: (a) => emitRemainder(a, false),
  ishl: shift('i32x4.shl', 'i32.shl'),
  ishr: shift('i32x4.shr_s', 'i32.shr_s'),
  ushr: shift('i32x4.shr_u', 'i32.shr_u'),
  ball: reduce('v128.and'),
  bany: reduce('v128.or'),
  select(a) {
    if (a.constant(2) === 0) {
      a.push(1);
      a.push(0);
      a.f.op('v128.and');
      return;
    }
    if (a.constant(1) === 0) {
      a.push(2);
      a.push(0);
      a.f.op('v128.andnot');
      return;
    }
    a.push(1);
    a.push(2);
    a.push(0);
    a.f.op('v128.bitselect');
  },
  b2f(a) {
    a.push(0);
    a.f.splatConst(ONE);
    a.f.op('v128.and');
  },
  b2i(a) {
    a.push(0);
    a.f.splatConst(1);
    a.f.op('v128.and');
  },
};

/** Opcodes whose code reads an operand more than once: such an operand must stand in a local. */
export const MULTI_USE_OPS: ReadonlySet<string> = new Set([
  'fsign',
  'ffract',
  'isign',
  'idiv',
  'udiv',
  'irem',
  'umod',
  'ishl',
  'ishr',
  'ushr',
]);

/** Opcodes that read other lanes: never moved. */
export const QUAD_OPS: ReadonlySet<string> = new Set(['fddx', 'fddy']);

/** Leaves one component of an ALU instruction's result on the stack. */
export function emitAlu(op: string, operandCount: number, a: AluOperands): void {
  const direct = DIRECT[op];
  if (direct !== undefined) {
    for (let i = 0; i < operandCount; i++) a.push(i);
    a.f.op(direct);
    return;
  }
  const composed = COMPOSED[op];
  if (composed === undefined) throw new Error(`${op} must be lowered before code is made`);
  composed(a);
}

/** Whether an opcode can be made into code; the others must be lowered first. */
export function isAluSupported(op: string): boolean {
  return DIRECT[op] !== undefined || COMPOSED[op] !== undefined;
}
