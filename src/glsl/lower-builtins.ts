// The built-in functions as a table: GLSL name → the IR it becomes (GLSL ES 3.00.6 §8, textures excepted).
// SPDX-License-Identifier: MIT
import type { Builder } from '../ir/builder.ts';
import type { Value } from '../ir/ir.ts';
import type { Opcode } from '../ir/opcodes.ts';
import type { BuiltinFunction } from './ast.ts';
import { determinant, inverse, outerProduct, transpose } from './lower-matrix-functions.ts';
import { baseOf, compareVectors, splatTo } from './lower-operators.ts';
import { columnsOf, type Tree, vectorOf } from './lower-values.ts';
import type { ScalarKind } from './types.ts';

type Emit = (b: Builder, args: readonly Tree[], builtin: BuiltinFunction) => Tree;
type VectorEmit = (b: Builder, ...args: Value[]) => Value;

/** All arguments widened to the size of the largest: `max(vec3, float)` and the like. */
function wide(emit: VectorEmit): Emit {
  return (b, args) => {
    const vectors = args.map(vectorOf);
    const components = Math.max(...vectors.map((v) => v.components));
    return emit(b, ...vectors.map((v) => splatTo(b, v, components)));
  };
}

/** Arguments as they are, all of them scalars or vectors. */
function plain(emit: VectorEmit): Emit {
  return (b, args) => emit(b, ...args.map(vectorOf));
}

function unary(opcode: Opcode): Emit {
  return (b, args) => b.alu(opcode, vectorOf(args[0]));
}

/** One opcode a base kind, scalar arguments widened. */
function byBase(opcodes: Partial<Record<ScalarKind, Opcode>>): Emit {
  return (b, args, builtin) => {
    const opcode = opcodes[baseOf(builtin.parameterTypes[0])];
    if (opcode === undefined) throw new Error(`${builtin.name} is not defined for this type`);
    const vectors = args.map(vectorOf);
    const components = Math.max(...vectors.map((v) => v.components));
    return b.alu(opcode, ...vectors.map((v) => splatTo(b, v, components)));
  };
}

function compare(operator: '<' | '>' | '<=' | '>=' | '==' | '!='): Emit {
  return (b, args, builtin) =>
    compareVectors(b, operator, baseOf(builtin.parameterTypes[0]), vectorOf(args[0]), vectorOf(args[1]));
}

function constant(b: Builder, like: Value, value: number): Value {
  return splatTo(b, b.constFloat(value), like.components);
}

function scale(b: Builder, value: Value, factor: number): Value {
  return b.fmul(value, constant(b, value, factor));
}

function clampBetween(b: Builder, value: Value, low: number, high: number): Value {
  return b.fmin(b.fmax(value, constant(b, value, low)), constant(b, value, high));
}

const exp: VectorEmit = (b, x) => b.fexp2(scale(b, x, Math.LOG2E));
const log: VectorEmit = (b, x) => scale(b, b.flog2(x), Math.LN2);

const sinh: VectorEmit = (b, x) => scale(b, b.fsub(exp(b, x), exp(b, b.fneg(x))), 0.5);
const cosh: VectorEmit = (b, x) => scale(b, b.fadd(exp(b, x), exp(b, b.fneg(x))), 0.5);

/** (e²ˣ − 1) / (e²ˣ + 1); beyond ±10 the result is ±1 in float and the exponential must not overflow. */
const tanh: VectorEmit = (b, x) => {
  const e = exp(b, scale(b, clampBetween(b, x, -10, 10), 2));
  const one = constant(b, x, 1);
  return b.fdiv(b.fsub(e, one), b.fadd(e, one));
};

/** Odd: worked out for |x|, where nothing cancels. */
const asinh: VectorEmit = (b, x) => {
  const magnitude = b.fabs(x);
  const root = b.fsqrt(b.fadd(b.fmul(x, x), constant(b, x, 1)));
  return b.fmul(b.fsign(x), log(b, b.fadd(magnitude, root)));
};

const acosh: VectorEmit = (b, x) => log(b, b.fadd(x, b.fsqrt(b.fsub(b.fmul(x, x), constant(b, x, 1)))));

const atanh: VectorEmit = (b, x) => {
  const one = constant(b, x, 1);
  return scale(b, log(b, b.fdiv(b.fadd(one, x), b.fsub(one, x))), 0.5);
};

const mod: VectorEmit = (b, x, y) => b.fsub(x, b.fmul(y, b.ffloor(b.fdiv(x, y))));

const smoothstep: VectorEmit = (b, low, high, x) => {
  const t = b.fsat(b.fdiv(b.fsub(x, low), b.fsub(high, low)));
  return b.fmul(b.fmul(t, t), b.fsub(constant(b, t, 3), scale(b, t, 2)));
};

const step: VectorEmit = (b, edge, x) => b.select(b.flt(x, edge), constant(b, x, 0), constant(b, x, 1));

const mixFloats: VectorEmit = (b, x, y, a) => b.fadd(b.fmul(x, b.fsub(constant(b, a, 1), a)), b.fmul(y, a));

const mix: Emit = (b, args, builtin) => {
  if (baseOf(builtin.parameterTypes[2]) !== 'bool') return wide(mixFloats)(b, args, builtin);
  return b.select(vectorOf(args[2]), vectorOf(args[1]), vectorOf(args[0]));
};

const CLAMP: Record<ScalarKind, [max: Opcode, min: Opcode]> = {
  float: ['fmax', 'fmin'],
  int: ['imax', 'imin'],
  uint: ['umax', 'umin'],
  bool: ['imax', 'imin'],
};

const clamp: Emit = (b, args, builtin) => {
  const [max, min] = CLAMP[baseOf(builtin.parameterTypes[0])];
  const [x, low, high] = args.map(vectorOf);
  return b.alu(min, b.alu(max, x, splatTo(b, low, x.components)), splatTo(b, high, x.components));
};

const isinf: VectorEmit = (b, x) => b.feq(b.fabs(x), constant(b, x, Number.POSITIVE_INFINITY));

const length: VectorEmit = (b, x) => (x.components === 1 ? b.fabs(x) : b.fsqrt(b.fdot(x, x)));

const normalize: VectorEmit = (b, x) =>
  x.components === 1 ? b.fsign(x) : b.fmul(x, splatTo(b, b.frsq(b.fdot(x, x)), x.components));

const cross: VectorEmit = (b, x, y) =>
  b.fsub(
    b.fmul(b.swizzle(x, [1, 2, 0]), b.swizzle(y, [2, 0, 1])),
    b.fmul(b.swizzle(x, [2, 0, 1]), b.swizzle(y, [1, 2, 0])),
  );

const faceforward: VectorEmit = (b, normal, incident, reference) => {
  const isFacing = b.flt(b.fdot(reference, incident), b.constFloat(0));
  return b.select(splatTo(b, isFacing, normal.components), normal, b.fneg(normal));
};

const reflect: VectorEmit = (b, incident, normal) => {
  const twice = b.fmul(b.constFloat(2), b.fdot(normal, incident));
  return b.fsub(incident, b.fmul(splatTo(b, twice, normal.components), normal));
};

/** GLSL ES 3.00.6 §8.4: zero where total reflection leaves no refracted ray. */
const refract: VectorEmit = (b, incident, normal, eta) => {
  const n = incident.components;
  const one = b.constFloat(1);
  const cosine = b.fdot(normal, incident);
  const k = b.fsub(one, b.fmul(b.fmul(eta, eta), b.fsub(one, b.fmul(cosine, cosine))));
  const along = b.fadd(b.fmul(eta, cosine), b.fsqrt(k));
  const bent = b.fsub(b.fmul(splatTo(b, eta, n), incident), b.fmul(splatTo(b, along, n), normal));
  return b.select(splatTo(b, b.flt(k, b.constFloat(0)), n), constant(b, incident, 0), bent);
};

/** `dot` of scalars is their product. */
const dot: VectorEmit = (b, x, y) => (x.components === 1 ? b.fmul(x, y) : b.fdot(x, y));

const fwidth: VectorEmit = (b, x) => b.fadd(b.fabs(b.fddx(x)), b.fabs(b.fddy(x)));

const reduceBools = (opcode: 'ball' | 'bany'): Emit => plain((b, x) => b.alu(opcode, x));

const BUILTINS: Record<string, Emit> = {
  // Angles and trigonometry.
  radians: plain((b, x) => scale(b, x, Math.PI / 180)),
  degrees: plain((b, x) => scale(b, x, 180 / Math.PI)),
  sin: unary('fsin'),
  cos: unary('fcos'),
  tan: unary('ftan'),
  asin: unary('fasin'),
  acos: unary('facos'),
  atan: plain((b, y, x) => (x === undefined ? b.fatan(y) : b.fatan2(y, x))),
  sinh: plain(sinh),
  cosh: plain(cosh),
  tanh: plain(tanh),
  asinh: plain(asinh),
  acosh: plain(acosh),
  atanh: plain(atanh),

  // Exponentials.
  pow: plain((b, x, y) => b.fpow(x, y)),
  exp: plain(exp),
  log: plain(log),
  exp2: unary('fexp2'),
  log2: unary('flog2'),
  sqrt: unary('fsqrt'),
  inversesqrt: unary('frsq'),

  // Common functions.
  abs: byBase({ float: 'fabs', int: 'iabs' }),
  sign: byBase({ float: 'fsign', int: 'isign' }),
  floor: unary('ffloor'),
  trunc: unary('ftrunc'),
  round: unary('froundeven'),
  roundEven: unary('froundeven'),
  ceil: unary('fceil'),
  fract: unary('ffract'),
  mod: wide(mod),
  min: byBase({ float: 'fmin', int: 'imin', uint: 'umin' }),
  max: byBase({ float: 'fmax', int: 'imax', uint: 'umax' }),
  clamp,
  mix,
  step: wide(step),
  smoothstep: wide(smoothstep),
  isnan: plain((b, x) => b.fneu(x, x)),
  isinf: plain(isinf),
  floatBitsToInt: unary('fcanonical'),
  floatBitsToUint: unary('fcanonical'),
  intBitsToFloat: plain((_, x) => x),
  uintBitsToFloat: plain((_, x) => x),

  // Packing.
  packSnorm2x16: unary('packSnorm2x16'),
  packUnorm2x16: unary('packUnorm2x16'),
  packHalf2x16: unary('packHalf2x16'),
  unpackSnorm2x16: unary('unpackSnorm2x16'),
  unpackUnorm2x16: unary('unpackUnorm2x16'),
  unpackHalf2x16: unary('unpackHalf2x16'),

  // Geometry.
  length: plain(length),
  distance: plain((b, x, y) => length(b, b.fsub(x, y))),
  dot: plain(dot),
  cross: plain(cross),
  normalize: plain(normalize),
  faceforward: plain(faceforward),
  reflect: plain(reflect),
  refract: plain(refract),

  // Matrices.
  matrixCompMult: (b, [x, y]) => columnsOf(x).map((column, i) => b.fmul(column, columnsOf(y)[i])),
  outerProduct: plain2Columns(outerProduct),
  transpose: (b, [m]) => transpose(b, columnsOf(m)),
  determinant: (b, [m]) => determinant(b, columnsOf(m)),
  inverse: (b, [m]) => inverse(b, columnsOf(m)),

  // Vector relations.
  lessThan: compare('<'),
  lessThanEqual: compare('<='),
  greaterThan: compare('>'),
  greaterThanEqual: compare('>='),
  equal: compare('=='),
  notEqual: compare('!='),
  any: reduceBools('bany'),
  all: reduceBools('ball'),
  not: unary('lnot'),

  // Derivatives.
  dFdx: unary('fddx'),
  dFdy: unary('fddy'),
  fwidth: plain(fwidth),
};

function plain2Columns(emit: (b: Builder, x: Value, y: Value) => Value[]): Emit {
  return (b, args) => emit(b, vectorOf(args[0]), vectorOf(args[1]));
}

/** Value of a built-in function without out parameters that is no texture function. */
export function lowerBuiltin(b: Builder, builtin: BuiltinFunction, args: readonly Tree[]): Tree {
  const emit = BUILTINS[builtin.name];
  if (emit === undefined) throw new Error(`no lowering for the built-in function ${builtin.name}`);
  return emit(b, args, builtin);
}

/** `modf`: the fraction, and the whole part for the out parameter; both have the argument's sign. */
export function lowerModf(b: Builder, x: Value): { fraction: Value; whole: Value } {
  const whole = b.ftrunc(x);
  // Infinity minus infinity would be NaN: the fraction of an infinity is 0.
  const fraction = b.select(isinf(b, x), constant(b, x, 0), b.fsub(x, whole));
  return { fraction, whole };
}
