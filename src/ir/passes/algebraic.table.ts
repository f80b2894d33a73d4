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

export const ALGEBRAIC_RULES: readonly AlgebraicRule[] = [
  // Float sums.
  [['fadd', 'a', -0], 'a'],
  [['~fadd', 'a', 0], 'a'],
  [['fsub', 'a', 0], 'a'],
  [
    ['fsub', -0, 'a'],
    ['fneg', 'a'],
  ],
  [
    ['~fsub', 0, 'a'],
    ['fneg', 'a'],
  ],
  [['~fsub', 'a', 'a'], 0],
  [
    ['fadd', 'a', ['fneg', 'b']],
    ['fsub', 'a', 'b'],
  ],
  [
    ['fsub', 'a', ['fneg', 'b']],
    ['fadd', 'a', 'b'],
  ],
  [
    ['~fneg', ['fsub', 'a', 'b']],
    ['fsub', 'b', 'a'],
  ],
  [
    ['fsub', 'a', ['ffloor', 'a']],
    ['ffract', 'a'],
  ],
  [['~fadd', ['fneg', 'a'], 'a'], 0],

  // Float products.
  [['fmul', 'a', 1], 'a'],
  [
    ['fmul', 'a', -1],
    ['fneg', 'a'],
  ],
  [['~fmul', 'a', 0], 0],
  [
    ['fmul', ['fneg', 'a'], ['fneg', 'b']],
    ['fmul', 'a', 'b'],
  ],
  [
    ['fmul', ['fneg', 'a'], '#b'],
    ['fmul', 'a', ['fneg', '#b']],
  ],
  [
    ['fneg', ['fmul', 'a', '#b']],
    ['fmul', 'a', ['fneg', '#b']],
  ],
  [
    ['fmul', ['fabs', 'a'], ['fabs', 'a']],
    ['fmul', 'a', 'a'],
  ],
  [['fdiv', 'a', 1], 'a'],
  [
    ['fdiv', 'a', -1],
    ['fneg', 'a'],
  ],
  [['fdiv', 'a', '#b'], ['fmul', 'a', ['frcp', '#b']], every('#b', isFloatPowerOfTwo)],
  [
    ['fdiv', 1, 'a'],
    ['frcp', 'a'],
  ],
  [
    ['frcp', ['fsqrt', 'a']],
    ['frsq', 'a'],
  ],
  [['~frcp', ['frcp', 'a']], 'a'],
  [
    ['~frcp', ['frsq', 'a']],
    ['fsqrt', 'a'],
  ],

  // Signs.
  [['fneg', ['fneg', 'a']], 'a'],
  [
    ['fabs', ['fneg', 'a']],
    ['fabs', 'a'],
  ],
  [
    ['fabs', ['fabs', 'a']],
    ['fabs', 'a'],
  ],
  [
    ['fabs', ['fmul', 'a', 'a']],
    ['fmul', 'a', 'a'],
  ],
  [
    ['fabs', ['b2f', 'a']],
    ['b2f', 'a'],
  ],
  [
    ['fsign', ['fsign', 'a']],
    ['fsign', 'a'],
  ],

  // Rounding.
  [
    ['ffloor', ['ffloor', 'a']],
    ['ffloor', 'a'],
  ],
  [
    ['fceil', ['fceil', 'a']],
    ['fceil', 'a'],
  ],
  [
    ['ftrunc', ['ftrunc', 'a']],
    ['ftrunc', 'a'],
  ],
  [
    ['froundeven', ['froundeven', 'a']],
    ['froundeven', 'a'],
  ],
  [
    ['ffloor', ['i2f', 'a']],
    ['i2f', 'a'],
  ],
  [
    ['ftrunc', ['i2f', 'a']],
    ['i2f', 'a'],
  ],
  [
    ['f2i', ['ftrunc', 'a']],
    ['f2i', 'a'],
  ],
  [
    ['f2u', ['ftrunc', 'a']],
    ['f2u', 'a'],
  ],
  [
    ['fcanonical', ['fcanonical', 'a']],
    ['fcanonical', 'a'],
  ],

  // Minimum, maximum, saturation.
  [['fmin', 'a', 'a'], 'a'],
  [['fmax', 'a', 'a'], 'a'],
  [
    ['fmin', ['fmax', 0, 'a'], 1],
    ['fsat', 'a'],
  ],
  [
    ['~fmin', ['fmax', 'a', 0], 1],
    ['fsat', 'a'],
  ],
  [
    ['~fmax', ['fmin', 'a', 1], 0],
    ['fsat', 'a'],
  ],
  [
    ['fsat', ['fsat', 'a']],
    ['fsat', 'a'],
  ],
  [
    ['fsat', ['b2f', 'a']],
    ['b2f', 'a'],
  ],
  [['imin', 'a', 'a'], 'a'],
  [['imax', 'a', 'a'], 'a'],
  [['umin', 'a', 'a'], 'a'],
  [['umax', 'a', 'a'], 'a'],
  [['umin', 'a', 0], 0],
  [['umin', 'a', -1], 'a'],
  [['umax', 'a', 0], 'a'],

  // Powers. GLSL leaves a < 0 undefined in pow.
  [['fpow', 'a', 0], 1],
  [['~fpow', 'a', 1], 'a'],
  [
    ['~fpow', 'a', 2],
    ['fmul', 'a', 'a'],
  ],
  [
    ['~fpow', 'a', 3],
    ['fmul', ['fmul', 'a', 'a'], 'a'],
  ],
  [
    ['~fpow', 'a', 4],
    ['fmul', ['fmul', 'a', 'a'], ['fmul', 'a', 'a']],
  ],
  [
    ['~fpow', 'a', 0.5],
    ['fsqrt', 'a'],
  ],
  [
    ['~fpow', 'a', -0.5],
    ['frsq', 'a'],
  ],
  [
    ['~fpow', 'a', -1],
    ['frcp', 'a'],
  ],
  [
    ['fpow', 2, 'a'],
    ['fexp2', 'a'],
  ],
  [['~fexp2', ['flog2', 'a']], 'a'],
  [['~flog2', ['fexp2', 'a']], 'a'],
  [
    ['~fsqrt', ['fmul', 'a', 'a']],
    ['fabs', 'a'],
  ],

  // Comparisons.
  [['flt', 'a', 'a'], false],
  [
    ['lnot', ['ilt', 'a', 'b']],
    ['ige', 'a', 'b'],
  ],
  [
    ['lnot', ['ige', 'a', 'b']],
    ['ilt', 'a', 'b'],
  ],
  [
    ['lnot', ['ult', 'a', 'b']],
    ['uge', 'a', 'b'],
  ],
  [
    ['lnot', ['uge', 'a', 'b']],
    ['ult', 'a', 'b'],
  ],
  [
    ['lnot', ['ieq', 'a', 'b']],
    ['ine', 'a', 'b'],
  ],
  [
    ['lnot', ['ine', 'a', 'b']],
    ['ieq', 'a', 'b'],
  ],
  [
    ['lnot', ['feq', 'a', 'b']],
    ['fneu', 'a', 'b'],
  ],
  [
    ['lnot', ['fneu', 'a', 'b']],
    ['feq', 'a', 'b'],
  ],
  [['ilt', 'a', 'a'], false],
  [['ige', 'a', 'a'], true],
  [['ult', 'a', 'a'], false],
  [['ult', 'a', 0], false],
  [['uge', 'a', 'a'], true],
  [['uge', 'a', 0], true],
  [['ieq', 'a', 'a'], true],
  [['ine', 'a', 'a'], false],
  [['ine', ['b2i', 'a'], 0], 'a'],
  [
    ['ieq', ['b2i', 'a'], 0],
    ['lnot', 'a'],
  ],
  [['ieq', ['b2i', 'a'], 1], 'a'],
  [['fneu', ['b2f', 'a'], 0], 'a'],
  [
    ['feq', ['b2f', 'a'], 0],
    ['lnot', 'a'],
  ],
  [['flt', 0, ['b2f', 'a']], 'a'],
  [
    ['flt', ['fneg', 'a'], ['fneg', 'b']],
    ['flt', 'b', 'a'],
  ],
  [
    ['feq', ['fneg', 'a'], ['fneg', 'b']],
    ['feq', 'a', 'b'],
  ],
  [
    ['feq', ['fabs', 'a'], 0],
    ['feq', 'a', 0],
  ],

  // Booleans.
  [['lnot', ['lnot', 'a']], 'a'],
  [['land', 'a', 'a'], 'a'],
  [['land', 'a', true], 'a'],
  [['land', 'a', false], false],
  [['lor', 'a', 'a'], 'a'],
  [['lor', 'a', false], 'a'],
  [['lor', 'a', true], true],
  [['lxor', 'a', 'a'], false],
  [['lxor', 'a', false], 'a'],
  [
    ['lxor', 'a', true],
    ['lnot', 'a'],
  ],
  [
    ['lxor', ['lnot', 'a'], ['lnot', 'b']],
    ['lxor', 'a', 'b'],
  ],
  [
    ['lnot', ['lxor', 'a', ['lnot', 'b']]],
    ['lxor', 'a', 'b'],
  ],

  // Selection.
  [['select', 'c', 'a', 'a'], 'a'],
  [['select', true, 'a', 'b'], 'a'],
  [['select', false, 'a', 'b'], 'b'],
  [
    ['select', ['lnot', 'c'], 'a', 'b'],
    ['select', 'c', 'b', 'a'],
  ],
  [['select', 'c', true, false], 'c'],
  [
    ['select', 'c', false, true],
    ['lnot', 'c'],
  ],
  [
    ['select', 'c', true, 'b'],
    ['lor', 'c', 'b'],
  ],
  [
    ['select', 'c', 'a', false],
    ['land', 'c', 'a'],
  ],
  [
    ['select', 'c', ['select', 'c', 'a', 'b'], 'd'],
    ['select', 'c', 'a', 'd'],
  ],
  [
    ['select', 'c', 'a', ['select', 'c', 'b', 'd']],
    ['select', 'c', 'a', 'd'],
  ],

  // Integer sums and products.
  [['iadd', 'a', 0], 'a'],
  [
    ['iadd', 'a', ['ineg', 'b']],
    ['isub', 'a', 'b'],
  ],
  [
    ['iadd', ['iadd', 'a', '#b'], '#c'],
    ['iadd', 'a', ['iadd', '#b', '#c']],
  ],
  [['isub', 'a', 0], 'a'],
  [['isub', 'a', 'a'], 0],
  [
    ['isub', 0, 'a'],
    ['ineg', 'a'],
  ],
  [
    ['isub', 'a', '#b'],
    ['iadd', 'a', ['ineg', '#b']],
  ],
  [
    ['isub', 'a', ['ineg', 'b']],
    ['iadd', 'a', 'b'],
  ],
  [['ineg', ['ineg', 'a']], 'a'],
  [
    ['ineg', ['isub', 'a', 'b']],
    ['isub', 'b', 'a'],
  ],
  [
    ['iabs', ['iabs', 'a']],
    ['iabs', 'a'],
  ],
  [
    ['iabs', ['ineg', 'a']],
    ['iabs', 'a'],
  ],
  [['imul', 'a', 0], 0],
  [['imul', 'a', 1], 'a'],
  [
    ['imul', 'a', -1],
    ['ineg', 'a'],
  ],
  [
    ['imul', ['imul', 'a', '#b'], '#c'],
    ['imul', 'a', ['imul', '#b', '#c']],
  ],
  [
    ['imul', 'a', 2],
    ['ishl', 'a', 1],
  ],
  [
    ['imul', 'a', 4],
    ['ishl', 'a', 2],
  ],
  [
    ['imul', 'a', 8],
    ['ishl', 'a', 3],
  ],
  [
    ['imul', 'a', 16],
    ['ishl', 'a', 4],
  ],
  [['idiv', 'a', 1], 'a'],
  [['udiv', 'a', 1], 'a'],
  [
    ['udiv', 'a', 2],
    ['ushr', 'a', 1],
  ],
  [
    ['udiv', 'a', 4],
    ['ushr', 'a', 2],
  ],
  [
    ['udiv', 'a', 8],
    ['ushr', 'a', 3],
  ],
  [
    ['udiv', 'a', 16],
    ['ushr', 'a', 4],
  ],
  [
    ['udiv', 'a', 256],
    ['ushr', 'a', 8],
  ],
  [['umod', 'a', '#b'], ['iand', 'a', ['isub', '#b', 1]], every('#b', isPowerOfTwo)],

  // Bits.
  [['inot', ['inot', 'a']], 'a'],
  [['iand', 'a', 'a'], 'a'],
  [['iand', 'a', 0], 0],
  [['iand', 'a', -1], 'a'],
  [
    ['iand', ['iand', 'a', '#b'], '#c'],
    ['iand', 'a', ['iand', '#b', '#c']],
  ],
  [['ior', 'a', 'a'], 'a'],
  [['ior', 'a', 0], 'a'],
  [['ior', 'a', -1], -1],
  [['ixor', 'a', 'a'], 0],
  [['ixor', 'a', 0], 'a'],
  [
    ['ixor', 'a', -1],
    ['inot', 'a'],
  ],
  [['ishl', 'a', 0], 'a'],
  [['ishr', 'a', 0], 'a'],
  [['ushr', 'a', 0], 'a'],
  [['ishl', 0, 'a'], 0],
  [['ushr', 0, 'a'], 0],

  // Conversions.
  [
    ['f2i', ['b2f', 'a']],
    ['b2i', 'a'],
  ],
  [
    ['f2u', ['b2f', 'a']],
    ['b2i', 'a'],
  ],
  [
    ['i2f', ['b2i', 'a']],
    ['b2f', 'a'],
  ],
  [
    ['u2f', ['b2i', 'a']],
    ['b2f', 'a'],
  ],
  [
    ['fmul', ['b2f', 'a'], ['b2f', 'b']],
    ['b2f', ['land', 'a', 'b']],
  ],
  [
    ['~fadd', ['fmul', 'a', '#b'], ['fmul', 'a', '#c']],
    ['fmul', 'a', ['fadd', '#b', '#c']],
    every('#b', isFiniteFloat),
  ],
];
