// Spells out the built-in functions that no instruction computes, by the polynomials that interpreter and folder use.
import type { Shader, Value } from '../ir.ts';
import { type Arith, createTranscendentals, type Transcendentals } from '../polynomials.ts';
import { type RewriteContext, type Rule, rewrite } from './rewrite.ts';

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

/** A rule with a memory of the constants that it has made; use it for one walk only. */
export function transcendentalsRule(): Rule {
  /** By component count. */
  const functions: (Transcendentals<Value> | undefined)[] = [];
  return {
    name: 'transcendentals',
    ops: OPS,
    apply(instruction, context) {
      const lowering = instruction.kind === 'alu' ? LOWERINGS[instruction.op] : undefined;
      if (lowering === undefined) return null;
      const { components, sources } = instruction;
      functions[components] ??= createTranscendentals(builderArith(context, components));
      return lowering(functions[components], sources[0]!, sources[1] ?? sources[0]!);
    },
  };
}

/** The arithmetic of polynomials.ts as instructions on vectors of some size. */
function builderArith(context: RewriteContext, components: number): Arith<Value> {
  const { builder: b } = context;
  const floats = new Map<number, Value>();
  const ints = new Map<number, Value>();
  const constant = (known: Map<number, Value>, value: number): Value => {
    let made = context.reuse(known.get(value));
    if (made === null) {
      const values = new Array<number>(components).fill(value);
      made = known === floats ? b.constFloat(...values) : b.constInt(...values);
      known.set(value, made);
    }
    return made;
  };
  const float = (value: number) => constant(floats, value);
  const int = (value: number) => constant(ints, value);
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
