import { describe, expect, it } from 'vitest';
import { compileShader } from './compile.ts';
import { fragment300 } from './testing.ts';

const MANY = 100_000;

function compile(source: string) {
  return compileShader(source, { stage: 'fragment', profile: 'gles', api: 3 });
}

const body = (text: string, globals = '') => fragment300(`float x = u; ${text}`, globals);
const repeat = (text: string, count = MANY) => text.repeat(count);

describe('hostile shaders', () => {
  it.each([
    ['parentheses', body(`x = ${repeat('(')}x${repeat(')')};`)],
    ['a long sum', body(`x = ${repeat('x+')}x;`)],
    ['index chain', body(`x = ${repeat('a[')}0${repeat(']')};`, 'float a[2];')],
    ['calls', body(`x = ${repeat('sin(')}x${repeat(')')};`)],
    ['minus signs', body(`x = ${repeat('- ')}x;`)],
    ['assignments', body(`${repeat('x = ')}x;`)],
    ['conditionals', body(`x = ${repeat('u > 0.0 ? x : ', 20_000)}x;`)],
    ['blocks', body(repeat('{') + repeat('}'))],
    ['else if', body(`${repeat('if (u > 0.0) x = 1.0; else ', 10_000)}x = 1.0;`)],
    ['loops', body(`${repeat('for (;;) ', 20_000)}x = 1.0;`)],
    ['condition', `#if ${repeat('(')}1${repeat(')')}\n#endif\n`],
    ['macro arguments', body(`x = ${repeat('F(', 10_000)}x${repeat(')', 10_000)};`, '#define F(a) a')],
    [
      'nested structs',
      `${fragment300('', Array.from({ length: 64 }, (_, i) => `struct S${i} { ${i === 0 ? 'int' : `S${i - 1}`} a, b; };`).join('\n'))}`,
    ],
    [
      'deep calls',
      fragment300(
        '',
        Array.from({ length: 2000 }, (_, i) => `void f${i}() { ${i === 0 ? '' : `f${i - 1}();`} }`).join('\n'),
      ),
    ],
    ['a huge array', fragment300('', 'float a[2000000000];')],
  ])('are refused in little time: %s', (_, source) => {
    const start = performance.now();
    const { ok, log } = compile(source);
    expect(ok).toBe(false);
    expect(log).toMatch(/too complex|exceeds/);
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  it.each([
    ['nested #if', `${repeat('\n#if 1', 10_000)}${repeat('\n#endif', 10_000)}`],
    ['a long constant sum', `x = ${repeat('1.0 + ')}1.0;`],
    ['many declarations', Array.from({ length: 10_000 }, (_, index) => `float v${index} = x;`).join('')],
    ['many empty statements', repeat(';')],
    ['a large constant array', `const float a[] = float[](${repeat('1.0, ', 20_000)}1.0); x = a[n];`],
  ])('compile if they are only long: %s', (_, text) => {
    expect(compile(body(text)).log).toBe('');
  });

  it('compile with an expression as deep as allowed', () => {
    expect(compile(body(`x = ${repeat('(', 200)}x${repeat(')', 200)}; x = ${repeat('x + ', 500)}x;`)).log).toBe('');
  });
});

/** A small generator of random numbers with a fixed start, so that failures repeat. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const SAMPLE = `#version 300 es
#define F(a, b) a + b
precision highp float;
struct S { vec4 a; float b[2]; };
uniform sampler2D s; uniform B { mat4 m; } block;
in vec2 v; layout(location = 0) out vec4 color;
float f(in float a, out int b) { b = 1; return F(a, 1.0); }
void main() {
  int i = 0; S t = S(vec4(1.0), float[2](1.0, 2.0));
  for (int k = 0; k < 4; k++) { if (k == 2) continue; i += k << 1; }
  switch (i) { case 0: i = 1; break; default: i--; }
  color = texture(s, v) * block.m + t.a.wzyx * t.b[i & 1] + (i > 2 ? f(1.0, i) : sin(v.x));
}`;

describe('random text', () => {
  const pieces = SAMPLE.split(/(\W)/).filter((piece) => piece !== '');

  it('never throws: changed shaders', () => {
    const random = randomNumbers(1);
    for (let round = 0; round < 1000; round++) {
      const mutated = [...pieces];
      for (let change = random(4) + 1; change > 0; change--) {
        const at = random(mutated.length);
        if (random(3) === 0) mutated.splice(at, 1 + random(3));
        else mutated.splice(at, random(2), pieces[random(pieces.length)]);
      }
      const { ok, log, shader } = compile(mutated.join(''));
      expect(ok).toBe(shader !== undefined);
      if (!ok) expect(log).toMatch(/^ERROR: /m);
    }
  });

  it('never throws: tokens and characters in any order', () => {
    const random = randomNumbers(2);
    const soup = [
      ...pieces,
      '#if',
      '#define X X(',
      '\n',
      '\\\n',
      '/*',
      '*/',
      '//',
      '"',
      '\u0000',
      '¤',
      '0x',
      '1e',
      '##',
      'struct',
      '[]',
    ];
    for (let round = 0; round < 1000; round++) {
      let source = random(2) === 0 ? '#version 300 es\n' : '';
      for (let count = random(60); count > 0; count--) source += `${soup[random(soup.length)]} `;
      compile(source);
    }
  });
});
