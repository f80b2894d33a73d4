// Breaks shaders: swaps, drops and repeats tokens, and puts in what front ends stumble over.

import type { Random } from '../reference/random.ts';

type Mutation = (tokens: string[], random: Random) => void;

const SOUP = [
  ...'( ) [ ] { } ; , . ? : + - * / % = == < > && || ^^ ! ~ ++ -- += <<= >>= # ## \\ @ $ ` " \''.split(' '),
  ...'if else for while do switch case default break continue return discard struct uniform in out inout const'.split(
    ' ',
  ),
  ...'float int uint bool vec2 vec3 vec4 mat4 ivec3 uvec2 bvec4 sampler2D sampler3D void highp lowp flat layout invariant'.split(
    ' ',
  ),
  ...'gl_Position gl_FragCoord gl_FragColor gl_FragData gl_PointSize gl_DepthRange gl_VertexID main texture texture2D'.split(
    ' ',
  ),
  '/*',
  '*/',
  '//',
  '\n',
  '\r',
  '\u0000',
  '\u00e9',
  '\ud83d\ude00',
  '\ud800',
  '\u2028',
  '\ufeff',
  '\t\v\f',
];

const NUMBERS = [
  '99999999999999999999',
  '0xfffffffff',
  '1e999',
  '1e-999',
  '1e',
  '0x',
  '08',
  '4294967296u',
  '-2147483648',
  '1.0f',
  '1..0',
  `1${'0'.repeat(400)}.0`,
  `0.${'0'.repeat(5000)}1`,
  '2147483647',
];

const DIRECTIVES = [
  '#if',
  '#if 1 /',
  '#if 1/0',
  '#else',
  '#elif 1',
  '#endif',
  '#define',
  '#define float int',
  '#define X X X',
  '#define F(a, b) a##b F(a, b)',
  '#undef __VERSION__',
  '#define __FILE__ 1',
  '#define GL_ES 2',
  '#error \u00e9',
  '#line 4294967295 99',
  '#pragma STDGL invariant(all)',
  '#extension all : require',
  '#extension GL_OES_standard_derivatives : enable',
  '#extension GL_EXT_frag_depth : require',
  '#version 300 es',
  '#version 100',
  '#include "x"',
];

/** Every macro doubles the one before. */
function macroBomb(random: Random): string {
  const depth = random.int(5, 40);
  const defines = Array.from(
    { length: depth },
    (_, i) => `#define M${i + 1} ${`M${i} + `.repeat(random.int(1, 3))}M${i}`,
  );
  return `\n#define M0 1.0\n${defines.join('\n')}\nfloat bomb = M${depth};\n`;
}

/** Nesting of every kind. */
function nesting(random: Random): string {
  const depth = random.pick([10, 60, 300, 3000]);
  const [open, middle, close] = random.pick([
    ['(', '1.0', ')'],
    ['{', '', '}'],
    ['if (true) ', ';', ''],
    ['if (true) { ', '', '} else { }'],
    ['for (int i = 0; i < 2; i++) { ', '', '}'],
    ['-', '1', ''],
    ['vec4(', '1.0', ')'],
    ['x[', '0', ']'],
    ['true ? 1.0 : ', '0.0', ''],
    ['sin(', '1.0', ')'],
    ['switch (1) { case 1: ', ';', '}'],
    ['do ', ';', 'while (false);'],
    ['struct S { ', 'int a;', '} s;'],
    ['\n#if 1\n', '', '\n#endif\n'],
    ['x = ', '1.0', ''],
    ['1.0 + ', '1.0', ''],
  ] as const);
  return `${open.repeat(depth)}${middle}${close.repeat(depth)}`;
}

const LOOPS = [
  'for (;;) { }',
  'while (true) { }',
  'do { } while (true);',
  'for (int i = 0; i < 2147483647; i++) { if (i < 0) break; }',
  'for (float i = 0.0; i < 1e30; i += 0.0) { }',
  'for (int i = 0; i < 100000; i++) for (int j = 0; j < 100000; j++) { }',
  'for (int i = 1; i != 0; i <<= 0) { }',
];

const MUTATIONS: readonly Mutation[] = [
  (tokens, random) => void tokens.splice(random.int(0, tokens.length), random.int(1, 3)),
  (tokens, random) => void tokens.splice(random.int(0, tokens.length), 0, random.pick(tokens)),
  (tokens, random) => void tokens.splice(random.int(0, tokens.length), random.int(0, 1), random.pick(tokens)),
  (tokens, random) => {
    const [a, b] = [random.int(0, tokens.length - 1), random.int(0, tokens.length - 1)];
    [tokens[a], tokens[b]] = [tokens[b]!, tokens[a]!];
  },
  (tokens, random) => void tokens.splice(random.int(0, tokens.length), random.int(0, 1), ` ${random.pick(SOUP)} `),
  (tokens, random) => replaceNumber(tokens, random),
  (tokens, random) => replaceName(tokens, random),
  (tokens, random) => void tokens.splice(random.int(0, tokens.length), 0, `\n${random.pick(DIRECTIVES)}\n`),
  (tokens, random) => {
    const from = random.int(0, tokens.length);
    const run = tokens.slice(from, from + random.int(1, 30));
    tokens.splice(random.int(0, tokens.length), 0, ...run);
  },
  (tokens, random) => void (random.bool(0.2) && tokens.splice(random.int(0, tokens.length), tokens.length)),
  (tokens, random) => insertStatement(tokens, ` ${random.pick(LOOPS)} `, random),
  (tokens, random) => void tokens.splice(random.int(0, tokens.length), 0, nesting(random)),
  (tokens, random) => void tokens.splice(random.int(0, tokens.length), 0, macroBomb(random)),
  (tokens, random) => {
    const run = tokens.slice(random.int(0, tokens.length)).slice(0, random.int(1, 12));
    if (random.bool(0.3))
      tokens.splice(random.int(0, tokens.length), 0, run.join('').repeat(random.pick([50, 500, 2000])));
  },
];

function replaceNumber(tokens: string[], random: Random): void {
  const places = tokens.flatMap((token, i) => (/^\d/.test(token) ? [i] : []));
  if (places.length > 0) tokens[random.pick(places)] = random.pick(NUMBERS);
}

/** Another name or keyword of the shader: types and scopes go wrong, the grammar does not. */
function replaceName(tokens: string[], random: Random): void {
  const places = tokens.flatMap((token, i) => (/^[a-z_]/i.test(token) ? [i] : []));
  if (places.length > 0) tokens[random.pick(places)] = tokens[random.pick(places)]!;
}

function insertStatement(tokens: string[], text: string, random: Random): void {
  const ends = tokens.flatMap((token, i) => (token.startsWith(';') ? [i + 1] : []));
  tokens.splice(ends.length > 0 ? random.pick(ends) : tokens.length, 0, text);
}

export function mutate(source: string, random: Random): string {
  const tokens: string[] = source.match(/\d[\w.]*|\w+|\s+|./gsu) ?? [];
  for (let count = random.pick([1, 1, 2, 3, 6]); count > 0; count--) {
    if (tokens.length === 0) tokens.push('x');
    random.pick(MUTATIONS)(tokens, random);
  }
  return tokens.join('');
}
