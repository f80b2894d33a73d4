// The algebraic rules as data: [search, replacement, condition?].
//
// A pattern is an opcode with patterns as operands, a variable name (`#a` matches constants only; a name stands for the
// same value each time), or a literal: a number is a float or an integer as the operand asks, true and false are
// booleans, and it matches a constant with that value in every component. A literal or a name alone is a replacement
// too. Commutative opcodes are tried both ways. `~` in front of the search's opcode marks a rule that may change a
// result (a zero's sign, NaN and Inf, the last bits, or what GLSL leaves undefined); exact shaders leave those out.
// algebraic.test.ts proves each rule on random and edge values.

export type Pattern = string | number | boolean | readonly [string, ...Pattern[]];

/** Conditions on the constants a rule has matched: the words of each by name. */
export type Condition = (constants: Readonly<Record<string, Uint32Array>>) => boolean;

export type AlgebraicRule = readonly [search: Pattern, replacement: Pattern, condition?: Condition];

function every(name: string, test: (word: number) => boolean): Condition {
  return (constants) => constants[name]!.every(test);
}

/** A float ±2^k whose reciprocal is a normal float. */
function isFloatPowerOfTwo(word: number): boolean {
  const exponent = (word >>> 23) & 0xff;
  return (word & 0x7fffff) === 0 && exponent > 0 && exponent < 254;
}

function isPowerOfTwo(word: number): boolean {
  return word !== 0 && (word & (word - 1)) === 0;
}

function isFiniteFloat(word: number): boolean {
  return (word & 0x7f800000) !== 0x7f800000;
}

function rule(search: Pattern, replacement: Pattern, condition?: Condition): AlgebraicRule {
  return condition ? [search, replacement, condition] : [search, replacement];
}

export const ALGEBRAIC_RULES: readonly AlgebraicRule[] = [
  // Float sums.
  rule(['fadd', 'a', -0], 'a'),
  rule(['~fadd', 'a', 0], 'a'),
  rule(['fsub', 'a', 0], 'a'),
  rule(['fsub', -0, 'a'], ['fneg', 'a']),
  rule(['~fsub', 0, 'a'], ['fneg', 'a']),
  rule(['~fsub', 'a', 'a'], 0),
  rule(['fadd', 'a', ['fneg', 'b']], ['fsub', 'a', 'b']),
  rule(['fsub', 'a', ['fneg', 'b']], ['fadd', 'a', 'b']),
  rule(['~fneg', ['fsub', 'a', 'b']], ['fsub', 'b', 'a']),
  rule(['fsub', 'a', ['ffloor', 'a']], ['ffract', 'a']),
  rule(['~fadd', ['fneg', 'a'], 'a'], 0),

  // Float products.
  rule(['fmul', 'a', 1], 'a'),
  rule(['fmul', 'a', -1], ['fneg', 'a']),
  rule(['~fmul', 'a', 0], 0),
  rule(['fmul', ['fneg', 'a'], ['fneg', 'b']], ['fmul', 'a', 'b']),
  rule(['fmul', ['fneg', 'a'], '#b'], ['fmul', 'a', ['fneg', '#b']]),
  rule(['fneg', ['fmul', 'a', '#b']], ['fmul', 'a', ['fneg', '#b']]),
  rule(['fmul', ['fabs', 'a'], ['fabs', 'a']], ['fmul', 'a', 'a']),
  rule(['fdiv', 'a', 1], 'a'),
  rule(['fdiv', 'a', -1], ['fneg', 'a']),
  rule(['fdiv', 'a', '#b'], ['fmul', 'a', ['frcp', '#b']], every('#b', isFloatPowerOfTwo)),
  rule(['fdiv', 1, 'a'], ['frcp', 'a']),
  rule(['frcp', ['fsqrt', 'a']], ['frsq', 'a']),
  rule(['~frcp', ['frcp', 'a']], 'a'),
  rule(['~frcp', ['frsq', 'a']], ['fsqrt', 'a']),

  // Signs.
  rule(['fneg', ['fneg', 'a']], 'a'),
  rule(['fabs', ['fneg', 'a']], ['fabs', 'a']),
  rule(['fabs', ['fabs', 'a']], ['fabs', 'a']),
  rule(['fabs', ['fmul', 'a', 'a']], ['fmul', 'a', 'a']),
  rule(['fabs', ['b2f', 'a']], ['b2f', 'a']),
  rule(['fsign', ['fsign', 'a']], ['fsign', 'a']),

  // Rounding.
  rule(['ffloor', ['ffloor', 'a']], ['ffloor', 'a']),
  rule(['fceil', ['fceil', 'a']], ['fceil', 'a']),
  rule(['ftrunc', ['ftrunc', 'a']], ['ftrunc', 'a']),
  rule(['froundeven', ['froundeven', 'a']], ['froundeven', 'a']),
  rule(['ffloor', ['i2f', 'a']], ['i2f', 'a']),
  rule(['ftrunc', ['i2f', 'a']], ['i2f', 'a']),
  rule(['f2i', ['ftrunc', 'a']], ['f2i', 'a']),
  rule(['f2u', ['ftrunc', 'a']], ['f2u', 'a']),
  rule(['fcanonical', ['fcanonical', 'a']], ['fcanonical', 'a']),

  // Minimum, maximum, saturation.
  rule(['fmin', 'a', 'a'], 'a'),
  rule(['fmax', 'a', 'a'], 'a'),
  rule(['fmin', ['fmax', 0, 'a'], 1], ['fsat', 'a']),
  rule(['~fmin', ['fmax', 'a', 0], 1], ['fsat', 'a']),
  rule(['~fmax', ['fmin', 'a', 1], 0], ['fsat', 'a']),
  rule(['fsat', ['fsat', 'a']], ['fsat', 'a']),
  rule(['fsat', ['b2f', 'a']], ['b2f', 'a']),
  rule(['imin', 'a', 'a'], 'a'),
  rule(['imax', 'a', 'a'], 'a'),
  rule(['umin', 'a', 'a'], 'a'),
  rule(['umax', 'a', 'a'], 'a'),
  rule(['umin', 'a', 0], 0),
  rule(['umin', 'a', -1], 'a'),
  rule(['umax', 'a', 0], 'a'),

  // Powers. GLSL leaves a < 0 undefined in pow.
  rule(['fpow', 'a', 0], 1),
  rule(['~fpow', 'a', 1], 'a'),
  rule(['~fpow', 'a', 2], ['fmul', 'a', 'a']),
  rule(['~fpow', 'a', 3], ['fmul', ['fmul', 'a', 'a'], 'a']),
  rule(['~fpow', 'a', 4], ['fmul', ['fmul', 'a', 'a'], ['fmul', 'a', 'a']]),
  // Further powers would make denormal numbers of what is not small: 64 already of 0.25.
  rule(['~fpow', 'a', 5], ['fmul', ['fmul', ['fmul', 'a', 'a'], ['fmul', 'a', 'a']], 'a']),
  rule(['~fpow', 'a', 6], ['fmul', ['fmul', ['fmul', 'a', 'a'], ['fmul', 'a', 'a']], ['fmul', 'a', 'a']]),
  rule(
    ['~fpow', 'a', 8],
    ['fmul', ['fmul', ['fmul', 'a', 'a'], ['fmul', 'a', 'a']], ['fmul', ['fmul', 'a', 'a'], ['fmul', 'a', 'a']]],
  ),
  rule(['~fpow', 'a', 0.5], ['fsqrt', 'a']),
  rule(['~fpow', 'a', -0.5], ['frsq', 'a']),
  rule(['~fpow', 'a', -1], ['frcp', 'a']),
  rule(['fpow', 2, 'a'], ['fexp2', 'a']),
  rule(['~fexp2', ['flog2', 'a']], 'a'),
  rule(['~flog2', ['fexp2', 'a']], 'a'),
  rule(['~fsqrt', ['fmul', 'a', 'a']], ['fabs', 'a']),

  // Comparisons.
  rule(['flt', 'a', 'a'], false),
  rule(['lnot', ['ilt', 'a', 'b']], ['ige', 'a', 'b']),
  rule(['lnot', ['ige', 'a', 'b']], ['ilt', 'a', 'b']),
  rule(['lnot', ['ult', 'a', 'b']], ['uge', 'a', 'b']),
  rule(['lnot', ['uge', 'a', 'b']], ['ult', 'a', 'b']),
  rule(['lnot', ['ieq', 'a', 'b']], ['ine', 'a', 'b']),
  rule(['lnot', ['ine', 'a', 'b']], ['ieq', 'a', 'b']),
  rule(['lnot', ['feq', 'a', 'b']], ['fneu', 'a', 'b']),
  rule(['lnot', ['fneu', 'a', 'b']], ['feq', 'a', 'b']),
  rule(['ilt', 'a', 'a'], false),
  rule(['ige', 'a', 'a'], true),
  rule(['ult', 'a', 'a'], false),
  rule(['ult', 'a', 0], false),
  rule(['uge', 'a', 'a'], true),
  rule(['uge', 'a', 0], true),
  rule(['ieq', 'a', 'a'], true),
  rule(['ine', 'a', 'a'], false),
  rule(['ine', ['b2i', 'a'], 0], 'a'),
  rule(['ieq', ['b2i', 'a'], 0], ['lnot', 'a']),
  rule(['ieq', ['b2i', 'a'], 1], 'a'),
  rule(['fneu', ['b2f', 'a'], 0], 'a'),
  rule(['feq', ['b2f', 'a'], 0], ['lnot', 'a']),
  rule(['flt', 0, ['b2f', 'a']], 'a'),
  rule(['flt', ['fneg', 'a'], ['fneg', 'b']], ['flt', 'b', 'a']),
  rule(['feq', ['fneg', 'a'], ['fneg', 'b']], ['feq', 'a', 'b']),
  rule(['feq', ['fabs', 'a'], 0], ['feq', 'a', 0]),

  // Booleans.
  rule(['lnot', ['lnot', 'a']], 'a'),
  rule(['land', 'a', 'a'], 'a'),
  rule(['land', 'a', true], 'a'),
  rule(['land', 'a', false], false),
  rule(['lor', 'a', 'a'], 'a'),
  rule(['lor', 'a', false], 'a'),
  rule(['lor', 'a', true], true),
  rule(['lxor', 'a', 'a'], false),
  rule(['lxor', 'a', false], 'a'),
  rule(['lxor', 'a', true], ['lnot', 'a']),
  rule(['lxor', ['lnot', 'a'], ['lnot', 'b']], ['lxor', 'a', 'b']),
  rule(['lnot', ['lxor', 'a', ['lnot', 'b']]], ['lxor', 'a', 'b']),

  // Selection.
  rule(['select', 'c', 'a', 'a'], 'a'),
  rule(['select', true, 'a', 'b'], 'a'),
  rule(['select', false, 'a', 'b'], 'b'),
  rule(['select', ['lnot', 'c'], 'a', 'b'], ['select', 'c', 'b', 'a']),
  rule(['select', 'c', true, false], 'c'),
  rule(['select', 'c', false, true], ['lnot', 'c']),
  rule(['select', 'c', true, 'b'], ['lor', 'c', 'b']),
  rule(['select', 'c', 'a', false], ['land', 'c', 'a']),
  rule(['select', 'c', ['select', 'c', 'a', 'b'], 'd'], ['select', 'c', 'a', 'd']),
  rule(['select', 'c', 'a', ['select', 'c', 'b', 'd']], ['select', 'c', 'a', 'd']),

  // Integer sums and products.
  rule(['iadd', 'a', 0], 'a'),
  rule(['iadd', 'a', ['ineg', 'b']], ['isub', 'a', 'b']),
  rule(['iadd', ['iadd', 'a', '#b'], '#c'], ['iadd', 'a', ['iadd', '#b', '#c']]),
  rule(['isub', 'a', 0], 'a'),
  rule(['isub', 'a', 'a'], 0),
  rule(['isub', 0, 'a'], ['ineg', 'a']),
  rule(['isub', 'a', '#b'], ['iadd', 'a', ['ineg', '#b']]),
  rule(['isub', 'a', ['ineg', 'b']], ['iadd', 'a', 'b']),
  rule(['ineg', ['ineg', 'a']], 'a'),
  rule(['ineg', ['isub', 'a', 'b']], ['isub', 'b', 'a']),
  rule(['iabs', ['iabs', 'a']], ['iabs', 'a']),
  rule(['iabs', ['ineg', 'a']], ['iabs', 'a']),
  rule(['imul', 'a', 0], 0),
  rule(['imul', 'a', 1], 'a'),
  rule(['imul', 'a', -1], ['ineg', 'a']),
  rule(['imul', ['imul', 'a', '#b'], '#c'], ['imul', 'a', ['imul', '#b', '#c']]),
  rule(['imul', 'a', 2], ['ishl', 'a', 1]),
  rule(['imul', 'a', 4], ['ishl', 'a', 2]),
  rule(['imul', 'a', 8], ['ishl', 'a', 3]),
  rule(['imul', 'a', 16], ['ishl', 'a', 4]),
  rule(['idiv', 'a', 1], 'a'),
  rule(['udiv', 'a', 1], 'a'),
  rule(['udiv', 'a', 2], ['ushr', 'a', 1]),
  rule(['udiv', 'a', 4], ['ushr', 'a', 2]),
  rule(['udiv', 'a', 8], ['ushr', 'a', 3]),
  rule(['udiv', 'a', 16], ['ushr', 'a', 4]),
  rule(['udiv', 'a', 256], ['ushr', 'a', 8]),
  rule(['umod', 'a', '#b'], ['iand', 'a', ['isub', '#b', 1]], every('#b', isPowerOfTwo)),

  // Bits.
  rule(['inot', ['inot', 'a']], 'a'),
  rule(['iand', 'a', 'a'], 'a'),
  rule(['iand', 'a', 0], 0),
  rule(['iand', 'a', -1], 'a'),
  rule(['iand', ['iand', 'a', '#b'], '#c'], ['iand', 'a', ['iand', '#b', '#c']]),
  rule(['ior', 'a', 'a'], 'a'),
  rule(['ior', 'a', 0], 'a'),
  rule(['ior', 'a', -1], -1),
  rule(['ixor', 'a', 'a'], 0),
  rule(['ixor', 'a', 0], 'a'),
  rule(['ixor', 'a', -1], ['inot', 'a']),
  rule(['ishl', 'a', 0], 'a'),
  rule(['ishr', 'a', 0], 'a'),
  rule(['ushr', 'a', 0], 'a'),
  rule(['ishl', 0, 'a'], 0),
  rule(['ushr', 0, 'a'], 0),

  // Conversions.
  rule(['f2i', ['b2f', 'a']], ['b2i', 'a']),
  rule(['f2u', ['b2f', 'a']], ['b2i', 'a']),
  rule(['i2f', ['b2i', 'a']], ['b2f', 'a']),
  rule(['u2f', ['b2i', 'a']], ['b2f', 'a']),
  rule(['fmul', ['b2f', 'a'], ['b2f', 'b']], ['b2f', ['land', 'a', 'b']]),
  rule(
    ['~fadd', ['fmul', 'a', '#b'], ['fmul', 'a', '#c']],
    ['fmul', 'a', ['fadd', '#b', '#c']],
    every('#b', isFiniteFloat),
  ),
];
