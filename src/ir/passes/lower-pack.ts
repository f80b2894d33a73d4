// Spells out the packing built-ins (GLSL ES 3.00 §8.4) as integer arithmetic, bit for bit as the opcode table has them.
import type { Builder } from '../builder.ts';
import type { Shader, Value } from '../ir.ts';
import { type Rule, rewrite } from './rewrite.ts';

export function lowerPack(shader: Shader): boolean {
  return rewrite(shader, [packRule()]);
}

const LOWERINGS: Readonly<Record<string, (b: Builder, a: Value) => Value>> = {
  packSnorm2x16: (b, a) => packNormalized(b, a, -1, 32767),
  packUnorm2x16: (b, a) => packNormalized(b, a, 0, 65535),
  packHalf2x16: (b, a) => joinHalves(b, floatToHalf(b, a)),
  unpackSnorm2x16: (b, a) => {
    const parts = b.vec(b.ishr(b.ishl(a, b.constInt(16)), b.constInt(16)), b.ishr(a, b.constInt(16)));
    return b.fmax(b.fmul(b.i2f(parts), b.constFloat(1 / 32767, 1 / 32767)), b.constFloat(-1, -1));
  },
  unpackUnorm2x16: (b, a) => b.fmul(b.i2f(splitHalves(b, a)), b.constFloat(1 / 65535, 1 / 65535)),
  unpackHalf2x16: (b, a) => halfToFloat(b, splitHalves(b, a)),
};

const OPS = new Set(Object.keys(LOWERINGS));

export function packRule(): Rule {
  return {
    name: 'pack',
    ops: OPS,
    apply(instruction, { builder }) {
      const lowering = instruction.kind === 'alu' ? LOWERINGS[instruction.op] : undefined;
      return lowering === undefined ? null : lowering(builder, instruction.sources[0]!);
    },
  };
}

/** Low and high 16 bits as unsigned integers. */
function splitHalves(b: Builder, word: Value): Value {
  return b.vec(b.iand(word, b.constInt(0xffff)), b.ushr(word, b.constInt(16)));
}

/** Two integers' low 16 bits in one word. */
function joinHalves(b: Builder, halves: Value): Value {
  const low = b.iand(b.channel(halves, 0), b.constInt(0xffff));
  return b.ior(low, b.ishl(b.channel(halves, 1), b.constInt(16)));
}

function packNormalized(b: Builder, a: Value, low: number, scale: number): Value {
  // A NaN counts as 0.
  const number = b.select(b.feq(a, a), a, b.constFloat(0, 0));
  const clamped = b.fmin(b.fmax(number, b.constFloat(low, low)), b.constFloat(1, 1));
  return joinHalves(b, b.f2i(b.froundeven(b.fmul(clamped, b.constFloat(scale, scale)))));
}

/** Half bits of two floats, round to nearest even; as in base/half.ts, but a NaN has no sign. */
function floatToHalf(b: Builder, a: Value): Value {
  const both = (value: number) => b.constInt(value, value);
  const sign = b.iand(b.ushr(a, both(16)), both(0x8000));
  const magnitude = b.iand(a, both(0x7fffffff));
  const odd = b.iand(b.ushr(magnitude, both(13)), both(1));
  const normal = b.ushr(b.iadd(b.iadd(magnitude, both(0xfff - 0x38000000)), odd), both(13));
  // Adding 0.5 lines a denormal half's mantissa up, so that the sum rounds at bit 2^-24.
  const denormal = b.isub(b.fadd(magnitude, b.constFloat(0.5, 0.5)), both(0x3f000000));
  const finite = b.select(b.ilt(magnitude, both(0x38800000)), denormal, normal);
  const half = b.ior(sign, b.select(b.ige(magnitude, both(0x477ff000)), both(0x7c00), finite));
  return b.select(b.ilt(both(0x7f800000), magnitude), both(0x7e00), half);
}

/** Floats of two half bit patterns. */
function halfToFloat(b: Builder, half: Value): Value {
  const both = (value: number) => b.constInt(value, value);
  const sign = b.ishl(b.iand(half, both(0x8000)), both(16));
  const magnitude = b.iand(half, both(0x7fff));
  const normal = b.iadd(b.ishl(magnitude, both(13)), both(112 << 23));
  // Denormal: mantissa · 2^-24, exact.
  const denormal = b.fmul(b.i2f(magnitude), b.constFloat(2 ** -24, 2 ** -24));
  const finite = b.select(b.ilt(magnitude, both(0x400)), denormal, normal);
  const special = b.select(b.ieq(magnitude, both(0x7c00)), both(0x7f800000), both(0x7fc00000));
  const value = b.select(b.ige(magnitude, both(0x7c00)), special, finite);
  return b.ior(value, b.select(b.ilt(both(0x7c00), magnitude), both(0), sign));
}
