// The opcodes' mathematics on JavaScript numbers with f32 rounding, for the folder and the interpreter.

/** Round to the nearest integer, ties to even. Exact for every float. */
export function roundEven(x: number): number {
  if (!(Math.abs(x) < 8388608)) return x;
  const floor = Math.floor(x);
  const rest = x - floor;
  const rounded = rest < 0.5 || (rest === 0.5 && floor % 2 === 0) ? floor : floor + 1;
  return rounded === 0 && (x < 0 || Object.is(x, -0)) ? -0 : rounded;
}

/** Truncate to a signed integer, saturating; NaN gives 0 (wasm trunc_sat). */
export function toInt(x: number): number {
  if (x >= 2147483647) return 2147483647;
  if (x <= -2147483648) return -2147483648;
  return x | 0;
}

/** Truncate to an unsigned integer, saturating; NaN gives 0. */
export function toUint(x: number): number {
  if (x >= 4294967295) return 4294967295;
  return x > 0 ? Math.trunc(x) : 0;
}

function missing(name: string): (x: number, y?: number) => number {
  return () => {
    throw new Error(`${name} is not written yet`);
  };
}

export const exp2 = missing('exp2');
export const log2 = missing('log2');
export const pow = missing('pow');
export const sin = missing('sin');
export const cos = missing('cos');
export const tan = missing('tan');
export const asin = missing('asin');
export const acos = missing('acos');
export const atan = missing('atan');
export const atan2 = missing('atan2');
