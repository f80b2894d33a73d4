// The text form: what is printed parses back to the same shader.
import { describe, expect, it } from 'vitest';
import { createBuilder } from './builder.ts';
import { arrayType, createFunction, createShader, createVariable, structType, vectorType } from './ir.ts';
import { parseShader } from './parse.ts';
import { printShader } from './print.ts';
import { assertValid, validateShader } from './validate.ts';

const EVERYTHING = `shader fragment "everything"
exact
earlyFragmentTests
input smooth float4 var0 "v_color"
input flat centroid int2 var1 "v_index"
output smooth float4 color0 "color"
sampler 2d float "tex"
sampler 2dArray shadow float "shadowTex"
ubo 64 "Block"
uniforms 9
local 8 4 "palette"
global medium counter: int
function twice(inout x: float; in m: mat2x3[2]) {
  temporary s: Light{color: float4, on: bool}[3]
b0:
  %0 = loadVar x
  %1 = loadVar m[1][0][2]
  %2 = fadd %0 %1
  storeVar x %2
  %3 = const 2
  %4:4 = const 1.0 0.5 -2.0e-7 inf
  storeVar s[%3][0] %4 mask xz
  copyVar s[0] s[%3]
  return
}
function main() {
  temporary a: float
  temporary b: mat2x3[2]
b1:
  call twice(a, b)
  %5:4 = loadInput var0
  %6:2 = loadInput var0@1
  %7 = swizzle %5.x
  %8:4b = const true false true true
  %9:b = ball %8
  %10:2 = swizzle %5.zw
  %11:4 = tex bias 0 2d float coord %10 bias %7 offset 1 -1
  %12:3 = vec %7 %7 %7
  %13 = tex sample 1 2dArray shadow float coord %12 comparator %7
  %14:3 = tex size 1 2dArray int lod %13
  if %9 {
  b2:
    discard %9
  } else {
  b3:
    discard
  }
b4:
  %15 = phi b2 %7, b3 %13
  %16 = const 0
  loop {
  b5:
    %17 = phi b4 %16, b8 %20
    %18:4 = loadUniform 1 %17 range 8
    %19 = const 1
    %20 = iadd %17 %19
    %21:b = ige %20 %19
    if %21 {
    b6:
      break
    } else {
    b7:
    }
  b8:
    %22:2 = loadUbo 0 16 %17
    storeLocal 0 %17 %18 mask xyz
  }
b9:
  %23 = phi b6 %20
  %24:4 = loadLocal 0 %23
  %25:4 = sysval fragCoord
  %26:2 = unpackHalf2x16 %23
  %27:4 = fmul %24 %25
  storeOutput color0 %27
  storeOutput color0@2 %26
  %28 = undef
  loop {
  b10:
    continue
  } continuing {
  b11:
  }
b12:
}
`;

describe('text form', () => {
  it('prints what it parsed', () => {
    const shader = parseShader(EVERYTHING);
    assertValid(shader);
    expect(printShader(shader)).toBe(EVERYTHING);
  });

  it('names the line of an error', () => {
    expect(() => parseShader('shader vertex\nfunction main() {\n  %0 = fadd %1 %2\n}\n')).toThrow(
      'line 3: %1 is not defined',
    );
    expect(() => parseShader('shader vertex\nfunction main() {\n  nonsense\n}\n')).toThrow(
      'line 3: unknown instruction',
    );
  });

  it('keeps every 32-bit pattern of a constant', () => {
    const shader = createShader('vertex');
    const b = createBuilder(shader);
    const words = [
      0, 1, 0x7fc00000, 0x80000000, 0xffffffff, 0x3f800000, 0x4b7fffff, 0x33d6bf95, 0x42280000, 0xff800000,
    ];
    for (const word of words) b.constBits(word);
    const again = parseShader(printShader(shader)).main.body[0]!;
    expect(again.kind === 'block' && again.instructions.map((i) => i.kind === 'const' && i.info[0])).toEqual(words);
  });

  it('makes names unique', () => {
    const shader = createShader('vertex');
    const f = createFunction(shader, 'f(vec2;', [createVariable('x', vectorType('float', 2), 'in')]);
    const b = createBuilder(shader);
    b.temporary('x', vectorType('float'));
    const x = b.temporary('x', vectorType('float', 2));
    b.temporary('9', arrayType(structType('S', [{ name: 'm', type: vectorType('bool') }]), 2));
    b.call(f, [x]);
    assertValid(parseShader(printShader(shader)));
  });
});

describe('validator', () => {
  const body = (text: string) =>
    `shader fragment\noutput smooth float4 color0\nuniforms 4\nfunction main() {\n${text}\n}\n`;
  const errorsOf = (text: string, lowered = false) => validateShader(parseShader(body(text)), { lowered }).join('; ');

  it.each([
    ['a value used outside of its list', '%c:b = const true\nif %c {\n%x = const 1\n}\n%y = ineg %x', 'not visible'],
    ['operands of different sizes', '%a = const 1.0\n%b:2 = const 1.0 2.0\n%c = fadd %b %a', 'components'],
    ['a float operand that is boolean', '%a:b = const true\n%b = fneg %a', 'width'],
    ['a break outside of loops', 'break', 'outside of a loop'],
    ['code after a jump', 'return\n%a = const 1', 'last of its list'],
    [
      'a phi that forgets a side',
      '%c:b = const true\n%v = const 1\nif %c {\nb1:\n} else {\n}\n%p = phi b1 %v',
      'predecessors',
    ],
    ['an undeclared slot', '%v:4 = const 0 0 0 0\nstoreOutput color1 %v', 'not declared'],
    ['a uniform beyond the end', '%v:4 = loadUniform 4', 'beyond'],
  ])('rejects %s', (_, text, message) => {
    expect(errorsOf(text)).toContain(message);
  });

  it('asks the lowered form for no return', () => {
    expect(errorsOf('return')).toBe('');
    expect(errorsOf('return', true)).toContain('lowered');
  });
});
