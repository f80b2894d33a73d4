import { describe, expect, it } from 'vitest';
import { OPCODES } from '../ir/opcodes.table.ts';
import type { Expression } from './ast.ts';
import { FUNCTION_GROUPS } from './builtin-functions.table.ts';
import { FOLDED_BUILTINS } from './constant-builtins.ts';
import { compiled, fragment300 } from './testing.ts';

/** Value of an expression of the given type, or undefined if it is not constant. */
function fold(type: string, expression: string, globals = ''): readonly number[] | undefined {
  const { main } = compiled(fragment300(`${type} result = ${expression};`, globals));
  const [statement] = main.body?.statements ?? [];
  if (statement?.kind !== 'declaration') throw new Error('no declaration');
  const initializer: Expression | undefined = statement.variables[0].initializer;
  return initializer?.constant;
}

describe('constant expressions', () => {
  it.each([
    ['int', '7 / 2 * 2 + 7 % 3', [7]],
    ['int', '-7 / 2', [-3]],
    ['int', '2147483647 + 1', [-2147483648]],
    ['int', '5 / 0', [-1]],
    ['uint', '0u - 1u', [4294967295]],
    ['uint', '~0u >> 28u', [15]],
    ['int', '-16 >> 2', [-4]],
    ['float', '0.1 + 0.2', [Math.fround(Math.fround(0.1) + Math.fround(0.2))]],
    ['bool', '1.0 < 2.0 ^^ true', [0]],
    ['bool', 'vec2(1.0, 2.0) == vec2(1, 2)', [1]],
    ['vec2', 'vec3(1.0, 2.0, 3.0).zx', [3, 1]],
    ['float', 'mat2(1.0, 2.0, 3.0, 4.0)[1][0]', [3]],
    ['vec2', 'mat2(1.0, 2.0, 3.0, 4.0) * vec2(1.0, 10.0)', [31, 42]],
    ['vec2', 'vec2(1.0, 10.0) * mat2(1.0, 2.0, 3.0, 4.0)', [21, 43]],
    ['mat2', 'mat2(2.0)', [2, 0, 0, 2]],
    ['mat3', 'mat3(mat2(5.0))', [5, 0, 0, 0, 5, 0, 0, 0, 1]],
    ['ivec3', 'ivec3(1.9, -1.9, true)', [1, -1, 1]],
    ['uint', 'uint(-1)', [4294967295]],
    ['int', 'int(4294967295u)', [-1]],
    ['int', 'int[](1, 2, 3).length() + int[](4, 5)[1]', [8]],
    ['int', 'true ? 1 : 2', [1]],
    ['float', 'S(1.0, float[2](2.0, 3.0)).b[1]', [3]],
    ['bool', 'S(1.0, float[2](2.0, 3.0)) == S(1.0, float[2](2.0, 3.0))', [1]],
  ] as const)('%s %s = %j', (type, expression, value) => {
    expect(fold(type, expression, 'struct S { float a; float b[2]; };')).toEqual(value);
  });

  it.each(['u + 1.0', '(1.0, 2.0)', 'float(n)'])('%s is not constant', (expression) => {
    expect(fold('float', expression)).toBeUndefined();
  });
});

describe('built-in functions of constants', () => {
  it.each([
    ['float', 'radians(180.0)', [Math.PI]],
    ['float', 'sin(1.0)', [Math.sin(1)]],
    ['float', 'atan(1.0, -1.0)', [2.35619449]],
    ['float', 'pow(2.0, 10.0)', [1024]],
    ['float', 'exp(1.0)', [Math.E]],
    ['float', 'log(10.0)', [Math.LN10]],
    ['float', 'inversesqrt(4.0)', [0.5]],
    ['float', 'mod(-1.0, 3.0)', [2]],
    ['float', 'smoothstep(0.0, 2.0, 1.0)', [0.5]],
    ['float', 'tanh(0.5)', [Math.tanh(0.5)]],
    ['float', 'asinh(-2.0)', [Math.asinh(-2)]],
    ['float', 'acosh(2.0)', [Math.acosh(2)]],
    ['float', 'atanh(0.5)', [Math.atanh(0.5)]],
    ['float', 'length(vec2(3.0, 4.0))', [5]],
    ['vec3', 'cross(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0))', [0, 0, 1]],
    ['vec2', 'normalize(vec2(3.0, 4.0))', [0.6, 0.8]],
    ['vec2', 'reflect(vec2(1.0, -1.0), vec2(0.0, 1.0))', [1, 1]],
    ['vec2', 'refract(vec2(1.0, 0.0), vec2(0.0, 1.0), 2.0)', [0, 0]],
    ['float', 'determinant(mat3(2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0))', [24]],
    ['mat2', 'inverse(mat2(2.0, 0.0, 0.0, 4.0))', [0.5, 0, 0, 0.25]],
    ['mat3x2', 'transpose(mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0))', [1, 4, 2, 5, 3, 6]],
    ['mat2', 'outerProduct(vec2(1.0, 2.0), vec2(3.0, 4.0))', [3, 6, 4, 8]],
    ['vec2', 'roundEven(vec2(0.5, 1.5))', [0, 2]],
    ['int', 'floatBitsToInt(1.0)', [0x3f800000]],
    ['float', 'uintBitsToFloat(0x40000000u)', [2]],
    ['uint', 'packUnorm2x16(vec2(0.0, 1.0))', [0xffff0000]],
    ['vec2', 'unpackHalf2x16(0x40003c00u)', [1, 2]],
    ['bvec2', 'lessThan(ivec2(1, 5), ivec2(2, 4))', [1, 0]],
    ['bool', 'any(bvec2(false, true))', [1]],
    ['vec2', 'mix(vec2(1.0), vec2(2.0), bvec2(true, false))', [2, 1]],
    ['int', 'clamp(-5, 0, 10)', [0]],
    ['uint', 'max(1u, 4000000000u)', [4000000000]],
    ['float', 'dFdx(1.0)', [0]],
  ] as const)('%s %s', (type, expression, value) => {
    const folded = fold(type, expression) ?? [];
    expect(folded).toHaveLength(value.length);
    for (let index = 0; index < value.length; index++) {
      expect(folded[index]).toBeCloseTo(value[index], 6 - Math.ceil(Math.log10(Math.abs(value[index]) + 1)));
    }
  });

  it('cover the table, but for modf and what needs a varying', () => {
    const names = FUNCTION_GROUPS.flatMap(({ prototypes }) =>
      [...prototypes.matchAll(/ (\w+)\(/g)].map((match) => match[1]),
    );
    const others = [...new Set(names)].filter((name) => !FOLDED_BUILTINS.includes(name));
    expect(others.filter((name) => !name.startsWith('interpolateAt'))).toEqual(['modf']);
  });

  it('have the bits of the opcodes', () => {
    expect(fold('float', 'sin(2.5)')).toEqual([OPCODES.fsin.fold?.(2.5, 0, 0)]);
  });
});
