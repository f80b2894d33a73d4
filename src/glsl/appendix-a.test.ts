import { describe, expect, it } from 'vitest';
import { fragment100, outcome } from './testing.ts';

const webgl = (body: string, globals = '', stage: 'vertex' | 'fragment' = 'fragment') =>
  outcome(fragment100(body, globals), { profile: 'webgl', api: 2, stage });

describe('the limits of WebGL 1', () => {
  it.each([
    ['for (int i = 0; i < 4; i++) {}', 'ok'],
    ['for (float f = 4.0; f > 0.0; f -= 0.5) {}', 'ok'],
    ['const int c = 3; for (int i = 0; i != c; ++i) { if (i == 2) continue; }', 'ok'],
    ['while (u > 0.0) {}', 'while : this type of loop is not allowed in WebGL 1'],
    ['do {} while (u > 0.0);', 'do : this type of loop is not allowed in WebGL 1'],
    [
      'int i; for (i = 0; i < 4; i++) {}',
      'for : loop must declare and initialize its index with a constant expression',
    ],
    ['for (int i = 0; i < n; i++) {}', 'for : loop condition must compare the index with a constant expression'],
    ['for (int i = 0; i < 4; i *= 2) {}', 'for : loop must change its index by a constant in the loop header'],
    ['for (int i = 0; i < 4; i++) { i = 2; }', 'i : loop index cannot be modified inside of the loop'],
    ['for (int i = 0; i < 4; i++) { f(i); }', 'i : loop index cannot be modified inside of the loop'],
  ])('%s → %s', (body, expected) => {
    expect(webgl(body, 'void f(inout int a) { a++; }')).toBe(expected);
  });

  it('wants constant-index expressions', () => {
    const error = '[] : index expression must be a constant-index-expression';
    expect(webgl('float a[4]; for (int i = 0; i < 4; i++) { a[i] = a[3 - i]; }')).toBe('ok');
    expect(webgl('float a[4]; a[n] = 1.0;')).toBe(error);
    expect(webgl('gl_FragColor = a[n];', 'uniform vec4 a[4];')).toBe(error);
    expect(webgl('gl_Position = a[n];', 'uniform vec4 a[4];', 'vertex')).toBe('ok');
  });

  it('leaves GLES alone, sampler arrays excepted', () => {
    expect(outcome(fragment100('float a[4]; while (u > 0.0) a[n] = 1.0;'))).toBe('ok');
    const samplers = 'uniform sampler2D s[2];';
    expect(outcome(fragment100('texture2D(s[n], vec2(u));', samplers))).toMatch(/constant-index-expression/);
    expect(outcome(fragment100('for (int i = 0; i < 2; i++) texture2D(s[i], vec2(u));', samplers))).toBe('ok');
  });

  it('tolerates some globals that are not constant', () => {
    expect(webgl('', 'float g = u * 2.0;')).toBe('ok');
    expect(webgl('', 'varying float v; float g = v;')).toBe(
      '= : global variable initializers must be constant expressions',
    );
  });

  it('has reserved names', () => {
    expect(webgl('', 'int webgl_x;')).toBe("webgl_x : reserved built-in name: 'webgl_' and '_webgl_'");
    expect(webgl('', `int ${'a'.repeat(257)};`)).toMatch(/longer than 256/);
    expect(webgl('', `int ${'a'.repeat(256)};`)).toBe('ok');
  });
});
