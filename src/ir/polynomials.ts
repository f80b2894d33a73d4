// The built-in functions without an instruction of their own, each written once over an abstract arithmetic, so that the
// folder, the interpreter and all generated code compute the same bits.
//
// Errors (largest seen over dense samples, `polynomials.test.ts` measures them), all in f32:
//   exp2   2 ulp up to 127.5, 100 ulp beyond (GLSL allows 258);  0 below -126
//   log2   2 ulp outside of [0.5, 2], 4 ulp inside (a denormal counts as about 2^-126)
//   pow    2 + |y·log2 x| ulp;  exact for x^0, 0^y, powers of two
//   sin, cos   2^-22 absolute for |x| <= 100,000; beyond: some value in [-1, 1]
//   tan    from sin / cos: 4 ulp up to 1.5;  asin, acos, atan, atan2   3 ulp
// GLSL ES 3.00 §4.5.1 leaves sin … atan open; dEQP asks for 2^-11 absolute in sin and cos, 4096 ulp in atan and asin.
// Sums stand in Estrin's form: the chain of dependent operations, not their number, is what costs.

/** Arithmetic on 32-bit values of type T; comparisons make booleans for `select`, `and`, `or`. */
export interface Arith<T> {
  /** A float constant. */
  float(value: number): T;
  /** An integer constant. */
  int(value: number): T;
  add(a: T, b: T): T;
  sub(a: T, b: T): T;
  mul(a: T, b: T): T;
  div(a: T, b: T): T;
  abs(a: T): T;
  /** b < a ? b : a */
  min(a: T, b: T): T;
  /** a < b ? b : a */
  max(a: T, b: T): T;
  sqrt(a: T): T;
  less(a: T, b: T): T;
  equal(a: T, b: T): T;
  select(condition: T, a: T, b: T): T;
  /** Reinterpret bits. */
  asInt(a: T): T;
  asFloat(a: T): T;
  /** Integer to float by value. */
  toFloat(a: T): T;
  iadd(a: T, b: T): T;
  isub(a: T, b: T): T;
  iand(a: T, b: T): T;
  ior(a: T, b: T): T;
  ixor(a: T, b: T): T;
  ishl(a: T, count: number): T;
  ishr(a: T, count: number): T;
}

export interface Transcendentals<T> {
  exp2(x: T): T;
  log2(x: T): T;
  pow(x: T, y: T): T;
  sin(x: T): T;
  cos(x: T): T;
  tan(x: T): T;
  asin(x: T): T;
  acos(x: T): T;
  atan(x: T): T;
  atan2(y: T, x: T): T;
}

// Minimax coefficients (Remez), lowest power first.

/** 2^r on [-1/2, 1/2]; relative error 4e-9. */
const EXP2 = [
  1, 0.6931471824645996, 0.24022650718688965, 0.055503569543361664, 0.009618030861020088, 0.0013390866806730628,
  0.0001546973508084193,
];
/** log2(1 + f) / f on [√½ - 1, √2 - 1]; relative error 3e-8. */
const LOG2 = [
  1.4426950216293335, -0.7213473320007324, 0.48091062903404236, -0.3607036769390106, 0.28791624307632446,
  -0.23894478380680084, 0.21571557223796844, -0.20726986229419708, 0.12583716213703156,
];
/** (sin r - r) / r³ in r² on [0, π²/4]; relative error of sin 6e-9. */
export const SIN = [-0.16666659712791443, 0.00833306647837162, -0.00019809603691101074, 2.6057807644974673e-6];
/** (atan t - t) / t³ in t² on [0, 1]; relative error of atan 2e-8. */
export const ATAN = [
  -0.33333152532577515, 0.19993773102760315, -0.14211052656173706, 0.10665995627641678, -0.07552195340394974,
  0.04321163892745972, -0.016367793083190918, 0.002920659026131034,
];
/** (asin t - t) / t³ in t² on [0, 1/4]; relative error of asin 5e-9. */
export const ASIN = [
  0.16666752099990845, 0.07495297491550446, 0.04547037184238434, 0.024179531261324883, 0.04216628894209862,
];

/** π in three parts: k·PI_HIGH and k·PI_MIDDLE are exact for |k| < 2^16. */
const PI_HIGH = 3.140625;
const PI_MIDDLE = 0.000965118408203125;
const PI_LOW = 2.5351816930196946e-6;
/** Adding it rounds to the nearest integer, which then stands in the low bits of the sum. */
const MAGIC = 12582912;

/** Sum of coefficients[i]·x^i, pairs first (Estrin). */
function polynomial<T>(a: Arith<T>, x: T, coefficients: readonly number[]): T {
  let terms = coefficients.map((c) => a.float(c));
  let power = x;
  while (terms.length > 1) {
    const next: T[] = [];
    for (let i = 0; i < terms.length; i += 2) {
      const low = terms[i]!;
      const high = terms[i + 1];
      next.push(high === undefined ? low : a.add(low, a.mul(high, power)));
    }
    terms = next;
    if (terms.length > 1) power = a.mul(power, power);
  }
  return terms[0]!;
}

/** The functions over one arithmetic. */
export function createTranscendentals<T>(a: Arith<T>): Transcendentals<T> {
  const { float, int, add, sub, mul } = a;

  function exp2(x: T): T {
    // The order of the operands keeps a NaN. The bias of exponents stands in the rounding constant, so that the sum's low bits are
    // the exponent field; it stops at that of the largest floats, where the polynomial serves a little beyond its range.
    const clamped = a.min(a.max(x, float(-126)), float(129));
    const shifted = a.min(add(clamped, float(MAGIC + 127)), float(MAGIC + 254));
    const fraction = sub(clamped, sub(shifted, float(MAGIC + 127)));
    const scale = a.asFloat(a.ishl(a.asInt(shifted), 23));
    // Denormal results become zero, and none are made on the way: they take many times as long.
    const result = mul(polynomial(a, fraction, EXP2), scale);
    return a.select(a.less(x, float(-126)), float(0), result);
  }

  function log2(x: T): T {
    const offset = a.isub(a.asInt(x), int(0x3f3504f3));
    const exponent = a.ishr(offset, 23);
    const mantissa = a.asFloat(a.iadd(a.iand(offset, int(0x7fffff)), int(0x3f3504f3)));
    const fraction = sub(mantissa, float(1));
    const result = add(a.toFloat(exponent), mul(fraction, polynomial(a, fraction, LOG2)));
    const finite = a.select(a.less(x, float(Infinity)), result, x);
    const special = a.select(a.equal(x, float(0)), float(-Infinity), float(NaN));
    return a.select(a.less(float(0), x), finite, special);
  }

  function pow(x: T, y: T): T {
    return a.select(a.equal(y, float(0)), float(1), exp2(mul(y, log2(x))));
  }

  /** sin r for |r| <= π/2 and a little more; what lies beyond is cut off, which bounds the result for huge arguments. */
  function sinReduced(r: T): T {
    const clamped = a.min(a.max(r, float(-1.6)), float(1.6));
    const square = mul(clamped, clamped);
    return add(clamped, mul(mul(clamped, square), polynomial(a, square, SIN)));
  }

  function reduce(x: T, multiple: T): T {
    return sub(
      sub(sub(x, mul(multiple, float(PI_HIGH))), mul(multiple, float(PI_MIDDLE))),
      mul(multiple, float(PI_LOW)),
    );
  }

  function sin(x: T): T {
    const shifted = add(mul(x, float(1 / Math.PI)), float(MAGIC));
    const result = sinReduced(reduce(x, sub(shifted, float(MAGIC))));
    return a.asFloat(a.ixor(a.asInt(result), a.ishl(a.asInt(shifted), 31)));
  }

  function cos(x: T): T {
    // x = (n + 1/2)·π + r, cos x = -(-1)^n · sin r. MAGIC + 1 turns the parity of n around, hence the sign.
    const shifted = add(sub(mul(x, float(1 / Math.PI)), float(0.5)), float(MAGIC + 1));
    const result = sinReduced(reduce(x, add(sub(shifted, float(MAGIC + 1)), float(0.5))));
    return a.asFloat(a.ixor(a.asInt(result), a.ishl(a.asInt(shifted), 31)));
  }

  function tan(x: T): T {
    return a.div(sin(x), cos(x));
  }

  /** atan t for t in [0, 1]. */
  function atanReduced(t: T): T {
    const square = mul(t, t);
    return add(t, mul(mul(t, square), polynomial(a, square, ATAN)));
  }

  function signOf(x: T): T {
    return a.iand(a.asInt(x), int(0x80000000 | 0));
  }

  function atan(x: T): T {
    const size = a.abs(x);
    const isLarge = a.less(float(1), size);
    const angle = atanReduced(a.select(isLarge, a.div(float(1), size), size));
    const result = a.select(isLarge, sub(float(Math.PI / 2), angle), angle);
    return a.asFloat(a.ior(a.asInt(result), signOf(x)));
  }

  function atan2(y: T, x: T): T {
    const sizeX = a.abs(x);
    const sizeY = a.abs(y);
    const large = a.max(sizeX, sizeY);
    // atan2(±0, ±0) is undefined in GLSL; dividing by 1 makes it ±0 or ±π instead of NaN.
    const divisor = a.select(a.equal(large, float(0)), float(1), large);
    // The order of the operands keeps a NaN here and above: with a number instead, its sign would show in the result.
    const angle = atanReduced(a.div(a.min(sizeY, sizeX), divisor));
    const steep = a.select(a.less(sizeX, sizeY), sub(float(Math.PI / 2), angle), angle);
    const result = a.select(a.less(x, float(0)), sub(float(Math.PI), steep), steep);
    return a.asFloat(a.ior(a.asInt(result), signOf(y)));
  }

  /** asin t for t in [0, 1/2], t² given. */
  function asinReduced(t: T, square: T): T {
    return add(t, mul(mul(t, square), polynomial(a, square, ASIN)));
  }

  /** For |x| > 1/2 the argument is √((1 - |x|)/2), for which asin |x| = π/2 - 2·asin of it; NaN for |x| > 1. */
  function asinParts(x: T): { isLarge: T; angle: T } {
    const size = a.abs(x);
    const isLarge = a.less(float(0.5), size);
    const halfRest = mul(sub(float(1), size), float(0.5));
    const square = a.select(isLarge, halfRest, mul(size, size));
    return { isLarge, angle: asinReduced(a.select(isLarge, a.sqrt(halfRest), size), square) };
  }

  function asin(x: T): T {
    const { isLarge, angle } = asinParts(x);
    const result = a.select(isLarge, sub(float(Math.PI / 2), add(angle, angle)), angle);
    return a.asFloat(a.ior(a.asInt(result), signOf(x)));
  }

  function acos(x: T): T {
    const { isLarge, angle } = asinParts(x);
    const twice = add(angle, angle);
    const isNegative = a.less(x, float(0));
    const large = a.select(isNegative, sub(float(Math.PI), twice), twice);
    const signed = a.asFloat(a.ixor(a.asInt(angle), signOf(x)));
    return a.select(isLarge, large, sub(float(Math.PI / 2), signed));
  }

  return { exp2, log2, pow, sin, cos, tan, asin, acos, atan, atan2 };
}
