// What each instruction computes, as IR: one row an operation. `translate.ts` brings the operands and stores the result.

import type { Builder } from '../../../../src/ir/builder.ts';
import type { Value } from '../../../../src/ir/ir.ts';
import type { Condition, OperandType } from '../../isa/enums.table.ts';
import { type Instruction, IsaError } from '../../isa/instruction.ts';

export type TypeClass = 'float' | 'int' | 'uint';

export function typeClass(type: OperandType): TypeClass {
  if (type === 'f32' || type === 'f16') return 'float';
  return type.startsWith('u') ? 'uint' : 'int';
}

/** Operands of an instruction, made when an operation asks for them. */
export interface Operands {
  readonly b: Builder;
  readonly instruction: Instruction;
  readonly type: TypeClass;
  /** Components that are written. */
  readonly count: number;
  /** The operand's components for the written ones, in their order. */
  source(index: 0 | 1 | 2): Value;
  /** The operand's components x, y, z, w as its swizzle gives them, whatever is written: the first `count`. */
  whole(index: 0 | 1 | 2, count: number): Value;
  /** Component x of the operand. */
  scalar(index: 0 | 1 | 2): Value;
}

const UNARY: ReadonlySet<Condition> = new Set(['not', 'nz', 'gez', 'gz', 'lez', 'lz', 'selmsb']);

export function isUnaryCondition(condition: Condition): boolean {
  return UNARY.has(condition);
}

function isNonZero(b: Builder, type: TypeClass, value: Value): Value {
  const zero = b.splat(b.constInt(0), value.components);
  return type === 'float' ? b.fneu(value, zero) : b.ine(value, zero);
}

/** The condition over two operands of equal size, component by component. */
export function compare(b: Builder, condition: Condition, type: TypeClass, left: Value, right: Value): Value {
  const less = (x: Value, y: Value) => (type === 'float' ? b.flt(x, y) : type === 'int' ? b.ilt(x, y) : b.ult(x, y));
  const atLeast = (x: Value, y: Value) => (type === 'float' ? b.fge(x, y) : type === 'int' ? b.ige(x, y) : b.uge(x, y));
  switch (condition) {
    case 'gt':
      return less(right, left);
    case 'lt':
      return less(left, right);
    case 'ge':
      return atLeast(left, right);
    case 'le':
      return atLeast(right, left);
    case 'eq':
      return type === 'float' ? b.feq(left, right) : b.ieq(left, right);
    case 'ne':
      return type === 'float' ? b.fneu(left, right) : b.ine(left, right);
    case 'and':
      return b.land(isNonZero(b, type, left), isNonZero(b, type, right));
    case 'or':
      return b.lor(isNonZero(b, type, left), isNonZero(b, type, right));
    case 'xor':
      return b.lxor(isNonZero(b, type, left), isNonZero(b, type, right));
    default:
      throw new IsaError(`condition ${condition} does not compare two operands`, 0);
  }
}

/** A condition over one operand. */
export function test(b: Builder, condition: Condition, type: TypeClass, value: Value): Value {
  const zero = b.splat(b.constInt(0), value.components);
  switch (condition) {
    case 'not':
      return b.lnot(isNonZero(b, type, value));
    case 'nz':
      return isNonZero(b, type, value);
    case 'gez':
      return type === 'float' ? b.fge(value, zero) : b.ige(value, zero);
    case 'gz':
      return type === 'float' ? b.flt(zero, value) : b.ilt(zero, value);
    case 'lez':
      return type === 'float' ? b.fge(zero, value) : b.ige(zero, value);
    case 'lz':
      return type === 'float' ? b.flt(value, zero) : b.ilt(value, zero);
    case 'selmsb':
      return b.ilt(value, zero);
    default:
      throw new IsaError(`condition ${condition} does not test one operand`, 0);
  }
}

type Operation = (o: Operands) => Value;

const splat = (o: Operands, scalar: Value): Value => o.b.splat(scalar, o.count);

/** A function of src2, component by component. */
const each =
  (make: (b: Builder, x: Value, type: TypeClass) => Value): Operation =>
  (o) =>
    make(o.b, o.source(2), o.type);

/** A function of the x component of src2, written to every component. */
const unit =
  (make: (b: Builder, x: Value) => Value): Operation =>
  (o) =>
    splat(o, make(o.b, o.scalar(2)));

/** Two operands, component by component. */
const pair =
  (first: 0 | 1, second: 1 | 2, make: (b: Builder, x: Value, y: Value, type: TypeClass) => Value): Operation =>
  (o) =>
    make(o.b, o.source(first), o.source(second), o.type);

/** Where the pair form is asked for, the first written component gets the result and the second 1. */
const paired =
  (plain: (b: Builder, x: Value) => Value, inPairs: (b: Builder, x: Value) => Value): Operation =>
  (o) => {
    if (o.instruction.rounding !== 'rtz') return splat(o, plain(o.b, o.scalar(2)));
    return pairResult(o, inPairs(o.b, o.scalar(2)));
  };

function pairResult(o: Operands, value: Value): Value {
  if (o.count === 1) return value;
  const one = o.b.constFloat(1);
  return o.b.vec(...Array.from({ length: o.count }, (_, index) => (index === 0 ? value : one)));
}

const dot =
  (components: number): Operation =>
  (o) =>
    splat(o, o.b.fdot(o.whole(0, components), o.whole(1, components)));

const add: Operation = pair(0, 2, (b, x, y, type) => (type === 'float' ? b.fadd(x, y) : b.iadd(x, y)));
const multiply: Operation = pair(0, 1, (b, x, y, type) => (type === 'float' ? b.fmul(x, y) : b.imul(x, y)));

const select: Operation = (o) => {
  const { condition } = o.instruction;
  const [second, third] = [o.source(1), o.source(2)];
  const holds = isUnaryCondition(condition)
    ? test(o.b, condition, o.type, o.source(0))
    : compare(o.b, condition, o.type, o.source(0), second);
  return o.b.select(holds, second, third);
};

const condition01 = (o: Operands): Value =>
  isUnaryCondition(o.instruction.condition)
    ? test(o.b, o.instruction.condition, o.type, o.source(0))
    : compare(o.b, o.instruction.condition, o.type, o.source(0), o.source(1));

const quarterTurn = Math.fround(Math.PI / 2);
const halfTurn = Math.fround(Math.PI);

/** sin and cos reduce their argument exactly: in turns of 4 (or 2) there is no error to carry. */
function turns(b: Builder, x: Value, period: number): Value {
  const scaled = b.fmul(x, b.constFloat(1 / period));
  return b.fmul(b.fsub(scaled, b.froundeven(scaled)), b.constFloat(period));
}

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  add,
  mad: (o) =>
    o.type === 'float'
      ? o.b.fadd(o.b.fmul(o.source(0), o.source(1)), o.source(2))
      : o.b.iadd(o.b.imul(o.source(0), o.source(1)), o.source(2)),
  mul: multiply,
  dp2: dot(2),
  dp3: dot(3),
  dp4: dot(4),
  dsx: (o) => o.b.fddx(o.source(0)),
  dsy: (o) => o.b.fddy(o.source(0)),
  mov: (o) => o.b.mov(o.source(2)),
  rcp: unit((b, x) => b.frcp(x)),
  rsq: unit((b, x) => b.frsq(x)),
  sqrt: unit((b, x) => b.fsqrt(x)),
  exp: unit((b, x) => b.fexp2(x)),
  log: paired(
    (b, x) => b.flog2(x),
    (b, x) => b.flog2(x),
  ),
  sin: paired(
    (b, x) => b.fsin(b.fmul(turns(b, x, 4), b.constFloat(quarterTurn))),
    (b, x) => b.fsin(b.fmul(turns(b, x, 2), b.constFloat(halfTurn))),
  ),
  cos: paired(
    (b, x) => b.fcos(b.fmul(turns(b, x, 4), b.constFloat(quarterTurn))),
    (b, x) => b.fcos(b.fmul(turns(b, x, 2), b.constFloat(halfTurn))),
  ),
  div: (o) => pairResult(o, o.b.fdiv(o.scalar(1), o.scalar(2))),
  select,
  set: (o) => o.b.b2f(condition01(o)),
  cmp: (o) => o.b.select(condition01(o), o.source(2), o.b.splat(o.b.constInt(0), o.count)),
  frc: each((b, x) => b.ffract(x)),
  floor: each((b, x) => b.ffloor(x)),
  ceil: each((b, x) => b.fceil(x)),
  sign: each((b, x, type) => (type === 'float' ? b.fsign(x) : b.isign(x))),
  roundeven: each((b, x) => b.froundeven(x)),
  i2f: (o) => (o.type === 'uint' ? o.b.u2f(o.source(0)) : o.b.i2f(o.source(0))),
  f2i: (o) => (o.type === 'uint' ? o.b.f2u(o.source(0)) : o.b.f2i(o.source(0))),
  imullo0: pair(0, 1, (b, x, y) => b.imul(x, y)),
  imadlo0: (o) => o.b.iadd(o.b.imul(o.source(0), o.source(1)), o.source(2)),
  idiv0: pair(0, 1, (b, x, y, type) => (type === 'uint' ? b.udiv(x, y) : b.idiv(x, y))),
  imod0: pair(0, 1, (b, x, y, type) => (type === 'uint' ? b.umod(x, y) : b.irem(x, y))),
  iabs: each((b, x) => b.iabs(x)),
  lshift: pair(0, 2, (b, x, y) => b.ishl(x, y)),
  rshift: pair(0, 2, (b, x, y, type) => (type === 'uint' ? b.ushr(x, y) : b.ishr(x, y))),
  rotate: pair(0, 2, (b, x, y) => {
    const back = b.isub(b.splat(b.constInt(32), y.components), y);
    return b.ior(b.ishl(x, y), b.ushr(x, back));
  }),
  or: pair(0, 2, (b, x, y) => b.ior(x, y)),
  and: pair(0, 2, (b, x, y) => b.iand(x, y)),
  xor: pair(0, 2, (b, x, y) => b.ixor(x, y)),
  not: each((b, x) => b.inot(x)),
  dst: (o) => {
    const [x, y] = [o.whole(0, 4), o.whole(1, 4)];
    const { b } = o;
    const all = b.vec(b.constFloat(1), b.fmul(b.channel(x, 1), b.channel(y, 1)), b.channel(x, 2), b.channel(y, 3));
    return b.swizzle(all, written(o.instruction));
  },
  clamp0_max: pair(0, 1, (b, x, y) => b.fmin(b.fmax(b.splat(b.constInt(0), x.components), x), y)),
};

/** Components that the instruction writes. */
export function written(instruction: Instruction): number[] {
  const mask = instruction.dst?.mask ?? 0;
  return [0, 1, 2, 3].filter((component) => (mask >> component) & 1);
}
