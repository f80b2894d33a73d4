import { describe, expect, it } from 'vitest';
import { compileShader, formatWithSource } from './compile.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { compiled, fragment100, fragment300, outcome } from './testing.ts';

const OK = 'ok';

/** Rows: statements of main in GLSL ES 3.00, outcome, global declarations. */
type Row = readonly [body: string, expected: string, globals?: string];

function check300(rows: readonly Row[]): void {
  it.each(rows.map(([body, expected, globals = '']) => [body, expected, globals] as const))(
    '%s → %s',
    (body, expected, globals) => {
      expect(outcome(fragment300(body, globals))).toBe(expected);
    },
  );
}

function check100(rows: readonly Row[]): void {
  it.each(rows.map(([body, expected, globals = '']) => [body, expected, globals] as const))(
    '%s → %s',
    (body, expected, globals) => {
      expect(outcome(fragment100(body, globals))).toBe(expected);
    },
  );
}

describe('info log', () => {
  it('has the form that browsers give', () => {
    const { ok, log } = compileShader('void main() {\n#line 12\n  foo = 1.0;\n}', {
      stage: 'vertex',
      profile: 'webgl',
      api: 2,
    });
    expect({ ok, log }).toEqual({ ok: false, log: "ERROR: 0:12: 'foo' : undeclared identifier\n" });
  });

  it('collects errors', () => {
    const source = fragment300('a = 1;\nb = 2;\nint c = 1.0;\nreturn 1;');
    const { diagnostics } = compileShader(source, { stage: 'fragment', profile: 'gles', api: 3 });
    expect(diagnostics.map(({ position }) => position)).toEqual([8, 9, 10, 11]);
  });

  it('can show the source line', () => {
    const source = 'void main() {\n  foo = 1.0;\n}';
    const { diagnostics } = compileShader(source, { stage: 'vertex', profile: 'webgl', api: 2 });
    expect(formatWithSource(source, diagnostics)).toBe(
      "ERROR: 0:2: 'foo' : undeclared identifier\n    2 |   foo = 1.0;\n      |   ^\n",
    );
  });

  it('gives warnings for shaders that compile', () => {
    const { ok, log } = compileShader('void main() { int a__b; }', { stage: 'vertex', profile: 'gles', api: 2 });
    expect(ok).toBe(true);
    expect(log).toMatch(/^WARNING: 0:1: 'a__b' : /);
  });

  it('refuses names with two underscores in WebGL shaders of version 1.00 only', () => {
    const webgl = { profile: 'webgl' as const };
    expect(outcome(fragment100('int a__b;'), webgl)).toMatch(/^a__b : /);
    expect(outcome(fragment300('int a__b;'), webgl)).toBe(OK);
  });
});

describe('operators', () => {
  check300([
    ['float a = 1.0 + 1;', "+ : wrong operand types: no operation takes 'float' on the left and 'int' on the right"],
    ['vec3 a = 2.0 * vec3(u);', OK],
    ['mat2x3 a = mat2x3(u); vec3 b = a * vec2(u); vec2 c = vec3(u) * a;', OK],
    ['mat2x3 a = mat2x3(u) * mat4x2(u);', "= : cannot convert from 'mat4x3' to 'mat2x3'"],
    ['bool a = vec2(u) == vec2(1.0);', OK],
    [
      'bool a = vec2(u) < vec2(1.0);',
      "< : wrong operand types: no operation takes 'vec2' on the left and 'vec2' on the right",
    ],
    ['ivec2 a = ivec2(n) << uvec2(1u);', OK],
    [
      'int a = n << ivec2(1);',
      "<< : wrong operand types: no operation takes 'int' on the left and 'ivec2' on the right",
    ],
    ['bool a = !n;', "! : wrong operand type: no operation takes 'int'"],
    ['int a = 1; a *= 2; a <<= 1u; a++; --a;', OK],
    ['vec2 a; a *= mat2(u);', OK],
    [
      'float a; a *= vec2(u);',
      "*= : wrong operand types: no operation takes 'float' on the left and 'vec2' on the right",
    ],
    ['float a = true ? 1.0 : 2;', "?: : mismatching types 'float' and 'int'"],
    ['float a = u ? 1.0 : 2.0;', '?: : boolean expression expected'],
    ['float a[2] = float[2](u, u); bool b = a == float[](1.0, 2.0); a = a;', OK],
    ['int i = 0xffffffff;', OK],
    ['int i = 0x100000000;', '0x100000000 : integer literal does not fit in 32 bits'],
  ]);

  describe('of GLSL ES 1.00', () => {
    check100([
      ['int a = 3 % 2;', '% : operator is reserved in GLSL ES 1.00'],
      ['float a[2]; float b[2]; a = b;', '= : arrays and structs with arrays cannot be assigned in GLSL ES 1.00'],
      [
        'float a[2]; bool c = a == a;',
        "== : wrong operand types: no operation takes 'float[2]' on the left and 'float[2]' on the right",
      ],
      ['float a = 1.0f;', '1.0f : invalid number'],
    ]);
  });
});

describe('l-values', () => {
  check300([
    ['u = 1.0;', "= : l-value required: cannot modify a uniform ('u')"],
    ['const float c = 1.0; c = 2.0;', '= : l-value required: cannot modify a constant'],
    ['vec2 v; v.xx = vec2(1.0);', '= : l-value required: a component is named twice'],
    ['vec2 v; v.yx.x = 1.0; v[1]++;', OK],
    ['vec2 v; (v + v).x = 1.0;', '= : l-value required: not a variable'],
    ['float f; -f = 1.0;', '= : l-value required: not a variable'],
    ['i = 1.0;', "= : l-value required: cannot modify a shader input ('i')", 'in float i;'],
    ['f(u);', "f : l-value required: cannot modify a uniform ('u')", 'void f(out float x) { x = 1.0; }'],
    ['', "= : l-value required: cannot modify a const parameter ('x')", 'void f(const float x) { x = 1.0; }'],
    ['float f; modf(u, f);', OK],
    ['modf(u, 1.0);', 'modf : l-value required: cannot modify a constant'],
  ]);
});

describe('constructors and access', () => {
  check300([
    ['vec4 v = vec4(vec2(u), u);', 'vec4 : constructor: not enough data provided for construction'],
    ['vec2 v = vec2(u, u, u);', 'vec2 : constructor: too many arguments'],
    ['vec2 v = vec2(vec4(u));', OK],
    ['mat2 m = mat2(mat3(u));', OK],
    [
      'mat2 m = mat2(mat3(u), u);',
      'mat2 : constructor: a matrix argument must be the only argument of a matrix constructor',
    ],
    ['S s = S(1.0, 2);', OK, 'struct S { float a; int b; };'],
    [
      'S s = S(1, 2);',
      "S : constructor: argument 1: cannot convert from 'int' to 'float'",
      'struct S { float a; int b; };',
    ],
    ['int a[] = int[](1, 2); int b[2] = int[2](1, 2); int[2] c = a; int d = int[](1, 2)[n];', OK],
    ['int a[] = int[3](1, 2);', 'int[3] : wrong number of arguments: 3 expected, 2 given'],
    ['int a[2][2];', 'a : arrays of arrays are not allowed'],
    ['int a[n];', ' : array size must be a constant integer expression'],
    ['int a[-1];', '-1 : array size must be greater than zero'],
    ['vec2 v; float f = v.z;', "z : illegal vector field selection on 'vec2'"],
    ['vec2 v; v.xg;', "xg : illegal vector field selection on 'vec2'"],
    ['vec2 v; v[2];', "2 : index is out of range for 'vec2'"],
    ['S s; s.b;', "b : no such field in structure 'S'", 'struct S { float a; };'],
    ['int a[3]; const int c = a.length(); int b[a.length()]; b[2] = c;', OK],
    ['float f; f.length();', "length : can only be called on arrays, not on 'float'"],
    ['s[n];', '[ : sampler arrays can only be indexed with a constant integral expression', 'uniform sampler2D s[2];'],
  ]);
});

describe('calls', () => {
  check300([
    ['f(1.0); f(1);', OK, 'void f(float a) {}\nvoid f(int a) {}'],
    ['f(1u);', 'f : no matching overloaded function found for f(uint)', 'void f(float a) {}\nvoid f(int a) {}'],
    ['g();', 'g : no matching function: undeclared identifier'],
    ['float f; f(1.0);', 'f : function name expected', 'void f(float a) {}'],
    ['f();', 'f : function is called but has no body', 'void f();'],
    ['', 'g : recursive function call', 'void g();\nvoid f() { g(); }\nvoid g() { f(); }'],
    ['', 'f : function already has a body', 'void f() {}\nvoid f() {}'],
    ['', OK, 'void f();\nvoid f();\nvoid f() {}'],
    ['', 'f : function must have the same return type in all of its declarations', 'void f();\nint f() { return 1; }'],
    ['', 'sin : name of a built-in function cannot be redeclared as function', 'float sin(int a) { return 1.0; }'],
    ['', 'return : non-void function must return a value', 'float f() { return; }'],
    ['return 1;', 'return : void function cannot return a value'],
    ['', "return : function return is not matching type: 'int' instead of 'float'", 'float f() { return 1; }'],
    [
      'textureOffset(s, vec2(u), ivec2(8, 0));',
      'textureOffset : texture offset 8 is outside of [-8, 7]',
      'uniform sampler2D s;',
    ],
    [
      'textureOffset(s, vec2(u), ivec2(n));',
      'textureOffset : texture offset must be a constant expression',
      'uniform sampler2D s;',
    ],
    [
      'texture(s, vec3(u), 1.0); textureGrad(c, vec4(u), vec3(u), vec3(u));',
      OK,
      'uniform lowp sampler2DArray s; uniform lowp samplerCubeShadow c;',
    ],
  ]);

  describe('of GLSL ES 1.00', () => {
    check100([
      ['sin(1);', OK, 'float sin(int a) { return 1.0; }'],
      ['', 'sin : name of a built-in function cannot be redeclared as function', 'float sin(float a) { return 1.0; }'],
      ['', 'f : duplicate function prototype declarations are not allowed', 'void f();\nvoid f();'],
      ['texture2D(s, vec2(u), 1.0); texture2DProj(s, vec4(u));', OK, 'uniform sampler2D s;'],
      [
        'texture2DLod(s, vec2(u), 1.0);',
        'texture2DLod : no matching function: undeclared identifier',
        'uniform sampler2D s;',
      ],
      [
        'dFdx(u);',
        'dFdx : no matching function: undeclared identifier (needs #extension GL_OES_standard_derivatives : enable)',
      ],
    ]);
  });

  it('has the functions and variables of extensions once they are on', () => {
    const extensions = [
      'GL_OES_standard_derivatives',
      'GL_EXT_shader_texture_lod',
      'GL_EXT_frag_depth',
      'GL_EXT_draw_buffers',
    ];
    const lines = extensions.map((name) => `#extension ${name} : enable\n`).join('');
    const body =
      'gl_FragData[1] = texture2DLodEXT(s, vec2(u), dFdx(u)); gl_FragDepthEXT = 0.5; texture2DGradEXT(s, vec2(u), vec2(u), vec2(u));';
    const source = fragment100(body, 'uniform sampler2D s;');
    expect(outcome(lines + source, { profile: 'webgl', extensions })).toBe(OK);
    expect(outcome(source, { profile: 'webgl', extensions })).toMatch(/^1 : index is out of range/);
  });

  it("has the context's gl_MaxDrawBuffers, whatever the shader asks for", () => {
    const source = fragment100('gl_FragColor = vec4(size[gl_MaxDrawBuffers - 1]);', 'uniform float size[1];');
    const limits = (maxDrawBuffers: number) => ({
      profile: 'webgl' as const,
      limits: { ...DEFAULT_LIMITS, maxDrawBuffers },
    });
    expect(outcome(source, limits(1))).toBe(OK);
    expect(outcome(source, limits(8))).toMatch(/^7 : index is out of range/);
  });
});

describe('scopes', () => {
  check300([
    ['int a; float a;', 'a : redefinition'],
    ['int a; { float a; }', OK],
    ['for (int i = 0; i < 2; i++) { int i; }', 'i : redefinition'],
    ['for (int i = 0; i < 2; i++) {} i;', 'i : undeclared identifier'],
    ['if (u > 0.0) int a = 1; a;', 'a : undeclared identifier'],
    ['int x = x;', 'x : undeclared identifier'],
    ['', 'a : redefinition', 'void f(int a) { int a; }'],
    ['', 'a : redefinition', 'struct a { int b; }; int a;'],
    ['int f; int S = 1; S++;', OK, 'void f() {}\nstruct S { int a; };'],
    ['while (bool go = u > 0.0) { if (go) break; }', OK],
  ]);

  it('nests a body in its parameters in GLSL ES 1.00, but not in WebGL', () => {
    const source = fragment100('', 'void f(int a) { int a; }');
    expect(outcome(source)).toBe(OK);
    expect(outcome(source, { profile: 'webgl' })).toBe('a : redefinition');
  });
});

describe('statements', () => {
  check300([
    ['switch (n) { case 0: case 1: u; break; default: u; }', OK],
    ['switch (n) { case 0: }', 'switch : no statement between the last label and the end of the switch'],
    ['switch (n) { u; case 0: u; }', 'u : statement before the first label of a switch'],
    ['switch (n) { case 1: case 1: u; }', "case : duplicate label '1'"],
    ['switch (n) { case 1u: u; }', "case : label type 'uint' does not match switch type 'int'"],
    ['switch (n) { case n: u; }', 'case : label must be a constant integer expression'],
    ['switch (u) { default: u; }', "switch : init-expression must be a scalar integer, not 'float'"],
    [
      'switch (n) { case 0: if (true) { case 1: u; } }',
      'case : label statements need to be directly inside of a switch statement',
    ],
    ['break;', 'break : only allowed in loops and switch statements'],
    ['switch (n) { case 0: continue; }', 'continue : only allowed in loops'],
    ['if (n) u;', 'int : boolean expression expected'],
    ['do { discard; } while (u > 1.0);', OK],
    ['float f(float x);', 'f : functions can only be declared at global scope'],
    ['precision mediump float; ; {}', OK],
    ['float[2](1.0, 2.0); float[2] a; vec2(1.0);', OK],
    ['in float a;', "a : 'in' is only allowed at global scope"],
  ]);

  it('has discard only in fragment shaders', () => {
    expect(outcome('void main() { discard; }', { stage: 'vertex' })).toBe('discard : only allowed in fragment shaders');
  });
});

describe('declarations', () => {
  check300([
    ['', 'uniform : qualifiers are in the wrong order', 'highp uniform float f;'],
    ['', "i : must be qualified 'flat', as it is or contains an integer", 'in ivec2 i;'],
    ['', OK, 'flat in ivec2 i; centroid in vec2 c; smooth in float s;'],
    [
      '',
      'color : must explicitly specify all locations when using multiple fragment outputs',
      'layout(location = 1) out vec4 color2;',
    ],
    ['', 'b : cannot be of bool type', 'in bool b;'],
    ['', 'm : cannot be a matrix', 'layout(location = 1) out mat2 m;'],
    ['', 'i : only outputs can be declared invariant', 'invariant in float i;'],
    ['', '= : global variable initializers must be constant expressions', 'float g = u;'],
    ['', "= : assigning non-constant to 'const float'", 'const float g = u;'],
    ['', 'g : variables with qualifier const must be initialized', 'const float g;'],
    ['', 'U : uniform variables cannot be initialized', 'uniform float U = 1.0;'],
    ['', 'sampler3D : no precision specified for (sampler3D)', 'uniform sampler3D s;'],
    ['', "highp : illegal type for a precision qualifier: 'bool'", 'uniform highp bool b;'],
    ['', 'location : only valid on vertex inputs and fragment outputs', 'layout(location = 1) uniform vec4 v;'],
    ['sampler2D s;', 's : samplers must be uniforms or function parameters'],
    ['', 'struct : embedded struct definitions are not allowed', 'struct A { struct B { int a; } b; };'],
    ['', "gl_x : reserved built-in name: 'gl_'", 'int gl_x;'],
    ['', 'main : function cannot take any parameters', 'void main(int a) {}'],
    ['struct T { int a; } t; t.a = 1; T v = t;', OK],
  ]);

  it('needs a precision for float in fragment shaders', () => {
    expect(outcome('varying vec2 v; void main() {}')).toBe('vec2 : no precision specified for (float)');
    expect(outcome('varying vec2 v; void main() {}', { stage: 'vertex' })).toBe(OK);
  });

  it('refuses a shader without main', () => {
    expect(outcome('int a;')).toBe('main : missing main()');
  });

  it('keeps attribute and varying as in and out', () => {
    const { globals } = compiled('attribute vec4 a; varying vec2 v; uniform vec4 u; void main() { v = a.xy; }', {
      stage: 'vertex',
    });
    expect(globals.map(({ name, storage }) => `${storage} ${name}`)).toEqual(['in a', 'out v', 'uniform u']);
    expect(globals.map((variable) => variable.isStaticallyUsed)).toEqual([true, true, false]);
    expect(globals[1].isStaticallyAssigned).toBe(true);
  });

  it('applies invariant pragma and statement', () => {
    const pragma = compiled('#pragma STDGL invariant(all)\nvarying vec2 v; void main() { gl_Position = vec4(1.0); }', {
      stage: 'vertex',
    });
    expect(pragma.globals[0].isInvariant).toBe(true);
    expect(pragma.builtinVariables.every(({ isInvariant }) => isInvariant)).toBe(true);
    const statement = compiled('invariant gl_Position; varying vec2 v; invariant v; void main() {}', {
      stage: 'vertex',
    });
    expect(statement.builtinVariables.map(({ name }) => name)).toEqual(['gl_Position']);
    expect(statement.globals[0].isInvariant).toBe(true);
  });
});

describe('uniform blocks', () => {
  check300([
    [
      'color = a + b.c + d[1].e[n];',
      OK,
      'uniform A { vec4 a; };\nuniform B { vec4 c; } b;\nuniform D { vec4 e[3]; } d[2];',
    ],
    [
      'd[n];',
      '[ : uniform block arrays can only be indexed with a constant integral expression',
      'uniform D { vec4 e; } d[2];',
    ],
    ['', 's : samplers are not allowed in blocks', 'uniform A { lowp sampler2D s; };'],
    ['', 'a : redefinition', 'uniform A { vec4 a; };\nuniform B { vec4 a; };'],
    ['', 'A : redefinition', 'uniform A { vec4 a; };\nuniform A { vec4 b; };'],
    ['', 'A : blocks must be uniform', 'in A { vec4 a; };'],
    ['a = vec4(1.0);', "= : l-value required: cannot modify a uniform ('a')", 'uniform A { vec4 a; };'],
  ]);

  it('resolves layouts', () => {
    const globals = `layout(std140, row_major) uniform;
      uniform A { mat4 m; layout(column_major) mat4 k; };
      layout(packed, column_major) uniform B { mat4 l; } b;`;
    const { blocks, globals: variables } = compiled(fragment300('color = m[0] + b.l[0];', globals));
    expect(blocks.map(({ blockStorage }) => blockStorage)).toEqual(['std140', 'packed']);
    expect(blocks.flatMap(({ type }) => type.members.map(({ isRowMajor }) => isRowMajor))).toEqual([
      true,
      false,
      false,
    ]);
    expect(
      variables.filter(({ block }) => block !== undefined).map(({ name, blockMember }) => [name, blockMember]),
    ).toEqual([
      ['m', 0],
      ['k', 1],
      ['b', -1],
    ]);
    expect(blocks.map(({ isStaticallyUsed }) => isStaticallyUsed)).toEqual([true, true]);
  });
});

describe('functions of a checked shader', () => {
  it('stand after those they call', () => {
    const source = fragment300('b();', 'void a();\nvoid b() { a(); }\nvoid a() {}');
    expect(compiled(source).functions.map(({ name }) => name)).toEqual(['a', 'b', 'main']);
  });

  it('do not hang on each other in recursion of names only', () => {
    const source = fragment300('f(1.0);', 'void f(int a) {}\nvoid f(float a) { f(int(a)); }');
    expect(outcome(source)).toBe(OK);
  });
});
