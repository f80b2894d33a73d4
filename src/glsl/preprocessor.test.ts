import { describe, expect, it } from 'vitest';
import { CompilationAborted, Diagnostics } from './diagnostics.ts';
import { type PreprocessorOptions, preprocess } from './preprocessor.ts';

const OPTIONS: PreprocessorOptions = {
  stage: 'fragment',
  profile: 'gles',
  maxVersion: 300,
  maxNameLength: 1024,
  extensions: ['GL_OES_standard_derivatives', 'GL_EXT_frag_depth'],
};

function run(source: string, options: Partial<PreprocessorOptions> = {}) {
  const diagnostics = new Diagnostics();
  try {
    const result = preprocess(source, { ...OPTIONS, ...options }, diagnostics);
    const text = result.tokens
      .slice(0, -1)
      .map((token) => token.text)
      .join(' ');
    return { text, errors: errorsOf(diagnostics), result };
  } catch (error) {
    if (!(error instanceof CompilationAborted)) throw error;
    return { text: '', errors: errorsOf(diagnostics), result: undefined };
  }
}

function errorsOf(diagnostics: Diagnostics): string[] {
  return diagnostics.list.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

function expand(source: string, options: Partial<PreprocessorOptions> = {}): string {
  const { text, errors } = run(source, options);
  expect(errors).toEqual([]);
  return text;
}

describe('macros', () => {
  it('expands objects and functions, arguments first', () => {
    expect(expand('#define A 1\n#define F(x, y) x + y A\nF((A, 2), F(3, 4))')).toBe('( 1 , 2 ) + 3 + 4 1 1');
  });

  it('leaves a function-like name without parentheses alone', () => {
    expect(expand('#define F(x) x\nF;\nF\n(2)')).toBe('F ; 2');
  });

  it('never expands a macro inside of itself', () => {
    expect(expand('#define A B\n#define B A x\nA B')).toBe('A x B x');
    expect(expand('#define F(a) F(a)\nF(1)')).toBe('F ( 1 )');
  });

  it('gives __LINE__ of a replacement the line of the closing parenthesis', () => {
    expect(expand('#define L __LINE__\n#define F(a) L, a\nF(__LINE__\n)\n__FILE__')).toBe('4 , 3 0');
  });

  it('lets a macro be defined again only in the same way', () => {
    expect(expand('#define F(a)  a+b\n#define F( a )a+b\n#define F(a) /* */ a+b')).toBe('');
    expect(run('#define A 1\n#define A 2').errors).toEqual(['macro redefined']);
    expect(run('#define F(a) a\n#define F(b) b').errors).toEqual(['macro redefined']);
  });

  it.each([
    ['#define F(a) a\nF(1', 'unterminated macro invocation'],
    ['#define F(a) a\nF(1, 2)', 'too many arguments for macro'],
    ['#define F(a, b) a\nF(1)', 'too few arguments for macro'],
    ['#define F(a, a) a', 'duplicate macro parameter name'],
    ['#define F(a', "expected ',' or ')' in the macro parameter list"],
    ['#define 1', 'expected a macro name'],
    ['#define GL_X 1', 'macro name is reserved'],
    ['#undef __LINE__', 'predefined macro cannot be undefined'],
    ['#define __VERSION__ 1', 'predefined macro cannot be redefined'],
    ['#undef A b', 'unexpected token after #undef'],
  ])('complains about %j', (source, message) => {
    expect(run(source).errors).toEqual([message]);
  });

  it('stops expansions that grow without bound', () => {
    const lines = ['#define A0 x x'];
    for (let index = 1; index < 60; index++) lines.push(`#define A${index} A${index - 1} A${index - 1}`);
    expect(run(`${lines.join('\n')}\nA59`).errors).toEqual(['macro expansion is too complex']);
  });
});

describe('conditions', () => {
  const taken = (condition: string, before = '') => expand(`${before}\n#if ${condition}\nyes\n#else\nno\n#endif`);

  it.each([
    ['1 + 2 * 3 == 7', 'yes'],
    ['(1 + 2) * 3 == 7', 'no'],
    ['-1 < 0 && !0', 'yes'],
    ['~0 == -1', 'yes'],
    ['1 << 4 == 16', 'yes'],
    ['7 / 2 == 3 && 7 % 4 == 3', 'yes'],
    ['1 || UNDEFINED', 'yes'],
    ['0 && UNDEFINED / 0', 'no'],
    ['__VERSION__ == 100 && GL_ES', 'yes'],
    ['defined GL_ES && !defined(NOPE)', 'yes'],
  ])('evaluates %s', (condition, expected) => {
    expect(taken(condition)).toBe(expected);
  });

  it('has `defined` from a macro in GLES only', () => {
    expect(taken('A', '#define B\n#define A defined(B)')).toBe('yes');
    expect(run('#define A defined(B)\n#if A\n#endif', { profile: 'webgl' }).errors).toEqual([
      'must not come from a macro',
    ]);
  });

  it.each([
    ['#if UNDEFINED\n#endif', 'undefined identifier in a conditional expression'],
    ['#if 0 || UNDEFINED\n#endif', 'undefined identifier in a conditional expression'],
    ['#if 1 / 0\n#endif', 'division by zero in a conditional expression'],
    ['#if 1.0\n#endif', 'expected an integer constant'],
    ['#if 1 2\n#endif', 'unexpected token after conditional expression'],
    ['#if\n#endif', 'expected an expression after #if or #elif'],
    ['#if defined\n#endif', "'defined' expects an identifier"],
    ['#if defined(A\n#endif', "missing ')' after 'defined'"],
    ['#if 1', 'unterminated conditional'],
    ['#else', 'found without a matching #if'],
    ['#if 1\n#else\n#else\n#endif', 'found after #else'],
    ['#ifdef\n#endif', 'expected a macro name'],
    ['#ifdef A b\n#endif', 'unexpected token after #ifdef'],
    ['#if 1\n#endif x', 'unexpected token after #endif'],
  ])('complains about %j', (source, message) => {
    expect(run(source).errors).toEqual([message]);
  });

  it('skips what is dead, whatever it is', () => {
    expect(expand('#if 0\n#error no\n#if BAD +\n#else\n#endif\n@ 1x\n#elif 1\nlive\n#elif ALSO_BAD\n#endif')).toBe(
      'live',
    );
  });
});

describe('directives', () => {
  it('finds the version', () => {
    expect(run('/* */\n#version 100\n').result?.version).toBe(100);
    expect(run('#version 300 es\n__VERSION__')).toMatchObject({ text: '300', result: { version: 300 } });
  });

  it.each([
    ['#version 300', "must be followed by 'es'"],
    ['#version 310 es', 'version number not supported'],
    ['#version 300 es x', 'version number not supported'],
    ['#version', 'expected a version number'],
    ['\n#version 300 es', '#version 300 es must occur on the first line of the shader'],
    ['int a;\n#version 100', 'must occur before anything else, except for comments and white space'],
    ['#define A\n#version 100', 'must occur before anything else, except for comments and white space'],
  ])('refuses %j', (source, message) => {
    expect(run(source).errors).toEqual([message]);
  });

  it('refuses version 300 in a GLES 2 context', () => {
    expect(run('#version 300 es', { maxVersion: 100 }).errors).toEqual(['version number not supported']);
  });

  it('turns extensions on and off', () => {
    const on = run('#extension GL_EXT_frag_depth : enable\nGL_EXT_frag_depth');
    expect(on.text).toBe('1');
    expect([...(on.result?.extensions ?? [])]).toEqual(['GL_EXT_frag_depth']);
    const off = run('#extension all : warn\n#extension GL_EXT_frag_depth : disable');
    expect([...(off.result?.extensions ?? [])]).toEqual(['GL_OES_standard_derivatives']);
  });

  it.each([
    ['#extension GL_NONE : require', 'extension is not supported'],
    ['#version 300 es\n#extension GL_EXT_frag_depth : require', 'extension is not supported'],
    ['#extension all : enable', "extension 'all' cannot have 'enable' behavior"],
    ['#extension all warn', "expected ':' after the extension name"],
    ['#extension all : maybe', 'invalid extension behavior'],
    ['int a;\n#extension all : warn', 'extension directive must occur before any non-preprocessor tokens'],
  ])('complains about %j', (source, message) => {
    expect(run(source).errors).toEqual([message]);
  });

  it('only warns about an unknown extension that is enabled', () => {
    expect(run('#extension GL_NONE : enable').errors).toEqual([]);
  });

  it('follows #line', () => {
    const { result } = run('#line 7\na\n#line 20 3\nb');
    expect(result?.tokens.map(({ position }) => position).slice(0, 2)).toEqual([7, 3 * 2 ** 32 + 20]);
    expect(run('#line x').errors).toHaveLength(1);
    expect(run('#line 1 2 3').errors).toHaveLength(1);
    expect(run('#line -1').errors).toHaveLength(1);
    expect(expand('#line +20\n__LINE__')).toBe('20');
    expect(expand('#line (233 +10) (+10)\n__LINE__ __FILE__')).toBe('243 10');
    expect(expand('#define N 3\n#line N * 2\n__LINE__')).toBe('6');
  });

  it('reads pragmas without expanding them', () => {
    const { result } = run('#define on off\n#pragma debug(on)\n#pragma optimize(off)\n#pragma STDGL invariant(all)\n');
    expect(result?.pragmas).toEqual({ debug: true, optimize: false, invariantAll: true });
  });

  it('reports #error with its text', () => {
    expect(run('#error no  way /* out */').errors).toEqual(['no way']);
  });

  it('ignores empty directives and refuses unknown ones', () => {
    expect(expand('#\n # // x\nok')).toBe('ok');
    expect(run('#defin A').errors).toEqual(['invalid directive name']);
  });

  it('refuses reserved words of the version', () => {
    expect(run('sampler3D').errors).toEqual(['Illegal use of reserved word']);
    expect(run('#version 300 es\nsampler3D').errors).toEqual([]);
    expect(run('#version 300 es\nattribute').errors).toEqual(['Illegal use of reserved word']);
  });

  it('reserves the shadow image types in WebGL only', () => {
    for (const word of ['image1DShadow', 'image2DShadow', 'image1DArrayShadow', 'image2DArrayShadow']) {
      const text = `#version 300 es\n${word}`;
      expect(run(text, { profile: 'webgl' }).errors).toEqual(['Illegal use of reserved word']);
      expect(run(text, { profile: 'gles' }).errors).toEqual([]);
    }
  });
});
