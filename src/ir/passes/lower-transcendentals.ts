// Spells out the built-in functions that no instruction computes, by the polynomials that interpreter and folder use.
import type { Builder } from '../builder.ts';
import type { Shader, Value } from '../ir.ts';
import { type Arith, createTranscendentals, type Transcendentals } from '../polynomials.ts';
import { type Rule, rewrite } from './rewrite.ts';

type Lowering = (math: Transcendentals<Value>, a: Value, b: Value) => Value;

const LOWERINGS: Readonly<Record<string, Lowering>> = {
  fexp2: (math, a) => math.exp2(a),
  flog2: (math, a) => math.log2(a),
  fpow: (math, a, b) => math.pow(a, b),
  fsin: (math, a) => math.sin(a),
  fcos: (math, a) => math.cos(a),
  ftan: (math, a) => math.tan(a),
  fasin: (math, a) => math.asin(a),
  facos: (math, a) => math.acos(a),
  fatan: (math, a) => math.atan(a),
  fatan2: (math, a, b) => math.atan2(a, b),
};

const OPS = new Set(Object.keys(LOWERINGS));

export function lowerTranscendentals(shader: Shader): boolean {
  return rewrite(shader, [transcendentalsRule()]);
}

export function transcendentalsRule(): Rule {
  return {
    name: 'transcendentals',
    ops: OPS,
    apply(instruction, { builder }) {
      const lowering = instruction.kind === 'alu' ? LOWERINGS[instruction.op] : undefined;
      if (lowering === undefined) return null;
      const math = createTranscendentals(builderArith(builder, instruction.components));
      return lowering(math, instruction.sources[0]!, instruction.sources[1] ?? instruction.sources[0]!);
    },
  };
}

/** The arithmetic of polynomials.ts as instructions on vectors of some size. */
function builderArith(b: Builder, components: number): Arith<Value> {
  const all = (value: number) => new Array<number>(components).fill(value);
  const floats = new Map<number, Value>();
  const ints = new Map<number, Value>();
  const cached = (known: Map<number, Value>, value: number, make: () => Value): Value => {
    let constant = known.get(value);
    if (constant === undefined) known.set(value, (constant = make()));
    return constant;
  };
  const float = (value: number) => cached(floats, value, () => b.constFloat(...all(value)));
  const int = (value: number) => cached(ints, value, () => b.constInt(...all(value)));
  const same = (a: Value) => a;
  return {
    float,
    int,
    add: (x, y) => b.fadd(x, y),
    sub: (x, y) => b.fsub(x, y),
    mul: (x, y) => b.fmul(x, y),
    div: (x, y) => b.fdiv(x, y),
    abs: (x) => b.fabs(x),
    min: (x, y) => b.fmin(x, y),
    max: (x, y) => b.fmax(x, y),
    sqrt: (x) => b.fsqrt(x),
    less: (x, y) => b.flt(x, y),
    equal: (x, y) => b.feq(x, y),
    select: (c, x, y) => b.select(c, x, y),
    asInt: same,
    asFloat: same,
    toFloat: (x) => b.i2f(x),
    iadd: (x, y) => b.iadd(x, y),
    isub: (x, y) => b.isub(x, y),
    iand: (x, y) => b.iand(x, y),
    ior: (x, y) => b.ior(x, y),
    ixor: (x, y) => b.ixor(x, y),
    ishl: (x, count) => b.ishl(x, int(count)),
    ishr: (x, count) => b.ishr(x, int(count)),
  };
}
