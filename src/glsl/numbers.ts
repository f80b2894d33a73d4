// Reads GLSL ES integer and float literals (GLSL ES 3.00 §4.1.3, §4.1.4).

const INTEGER = /^(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)([uU]?)$/;
const FLOAT = /^(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?([fF]?)$/;

export interface NumberLiteral {
  readonly base: 'int' | 'uint' | 'float';
  /** Integers: the unsigned value, which may not fit 32 bits. Floats: rounded to float32. */
  readonly value: number;
  readonly hasSuffix: boolean;
}

/** Undefined for text that is no number. */
export function parseNumber(text: string): NumberLiteral | undefined {
  const integer = INTEGER.exec(text);
  if (integer !== null) {
    const isUnsigned = integer[1] !== '';
    const digits = isUnsigned ? text.slice(0, -1) : text;
    const isOctal = digits.length > 1 && digits[0] === '0' && !/^0[xX]/.test(digits);
    const value = isOctal ? Number.parseInt(digits, 8) : Number(digits);
    return { base: isUnsigned ? 'uint' : 'int', value, hasSuffix: isUnsigned };
  }
  const float = FLOAT.exec(text);
  if (float === null) return undefined;
  const hasSuffix = float[1] !== '';
  return { base: 'float', value: Math.fround(Number(hasSuffix ? text.slice(0, -1) : text)), hasSuffix };
}
