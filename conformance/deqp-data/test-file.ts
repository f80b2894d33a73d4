// Parses dEQP's `.test` files: groups and shader cases with their values and shader texts. The format is described by the
// files themselves and by the shader library of VK-GL-CTS; every error names file and line.

export type Expectation = 'pass' | 'compile_fail' | 'link_fail' | 'compile_or_link_fail' | 'build_successful';
export type ValueRole = 'input' | 'uniform' | 'output';

/** One named value with one entry per run: numbers (booleans as 0 and 1), matrices column by column. */
export interface CaseValue {
  readonly role: ValueRole;
  readonly type: string;
  readonly name: string;
  readonly entries: readonly (readonly number[])[];
}

export interface ShaderBlock {
  /** Dotted path below the file, without the case's `_vertex` / `_fragment`. */
  readonly path: string;
  readonly version: 100 | 300;
  readonly expectation: Expectation;
  readonly requirements: readonly string[];
  readonly values: readonly CaseValue[];
  /** Given together as `both`, or apart. */
  readonly both: string | null;
  readonly vertex: string | null;
  readonly fragment: string | null;
  readonly line: number;
}

interface Token {
  readonly kind: 'word' | 'string' | 'symbol' | 'end';
  readonly text: string;
  readonly line: number;
}

/** A keyword, a case's name, a uniform such as `s.a[1]`, or a number. */
const WORD = /[A-Za-z_][\w.]*(?:\[\d+\][\w.]*)*|[-+.\d][\w.+-]*/y;

class Lexer {
  readonly #file: string;
  readonly #text: string;
  #at = 0;
  #line = 1;
  #next: Token | null = null;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  fail(message: string, line = this.#line): never {
    throw new Error(`${this.#file}:${line}: ${message}`);
  }

  peek(): Token {
    this.#next ??= this.#read();
    return this.#next;
  }

  take(): Token {
    const token = this.peek();
    this.#next = null;
    return token;
  }

  takeWord(): string {
    const token = this.take();
    if (token.kind !== 'word') this.fail(`expected a word, found '${token.text}'`, token.line);
    return token.text;
  }

  takeString(): string {
    const token = this.take();
    if (token.kind !== 'string') this.fail(`expected a string, found '${token.text}'`, token.line);
    return token.text;
  }

  takeSymbol(symbol: string): void {
    const token = this.take();
    if (token.kind !== 'symbol' || token.text !== symbol) {
      this.fail(`expected '${symbol}', found '${token.text}'`, token.line);
    }
  }

  #skipBlank(): void {
    while (this.#at < this.#text.length) {
      const c = this.#text[this.#at]!;
      if (c === '#') while (this.#at < this.#text.length && this.#text[this.#at] !== '\n') this.#at++;
      else if (c === '\n' || c === ' ' || c === '\t' || c === '\r') {
        if (c === '\n') this.#line++;
        this.#at++;
      } else break;
    }
  }

  #read(): Token {
    this.#skipBlank();
    const line = this.#line;
    if (this.#at >= this.#text.length) return { kind: 'end', text: 'end of file', line };
    const c = this.#text[this.#at]!;
    if (c === '"') return { kind: 'string', text: this.#readString(), line };
    WORD.lastIndex = this.#at;
    const word = WORD.exec(this.#text)?.[0];
    if (word !== undefined) {
      this.#at += word.length;
      return { kind: 'word', text: word, line };
    }
    this.#at++;
    return { kind: 'symbol', text: c, line };
  }

  /** `"one line"` or `""text""`; two backslashes stand for one. */
  #readString(): string {
    const isLong = this.#text.startsWith('""', this.#at);
    const quote = isLong ? '""' : '"';
    const start = this.#at + quote.length;
    const end = this.#text.indexOf(quote, start);
    if (end < 0) this.fail('string without end');
    this.#at = end + quote.length;
    const text = this.#text.slice(start, end);
    for (const c of text) if (c === '\n') this.#line++;
    return (isLong ? withoutIndent(text) : text).replaceAll('\\\\', '\\');
  }
}

/** Drops the first line break and the indentation that all lines share, so that `#version` comes first. */
function withoutIndent(text: string): string {
  const lines = text.replace(/^[ \t]*\n/, '').split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const shared = indents.length ? Math.min(...indents) : 0;
  return lines.map((line) => line.slice(Math.min(shared, line.length - line.trimStart().length))).join('\n');
}

function componentsOf(type: string): number {
  const matrix = /^mat(\d)(?:x(\d))?$/.exec(type);
  if (matrix) return Number(matrix[1]) * Number(matrix[2] ?? matrix[1]);
  const vector = /^[biu]?vec(\d)$/.exec(type);
  return vector ? Number(vector[1]) : 1;
}

function parseNumber(lexer: Lexer, word: string, line: number): number {
  if (word === 'true') return 1;
  if (word === 'false') return 0;
  const value = Number(word.replace(/[uf]$/, ''));
  if (Number.isNaN(value)) lexer.fail(`'${word}' is no number`, line);
  return value;
}

function parseEntry(lexer: Lexer, type: string): number[] {
  const token = lexer.take();
  if (token.kind !== 'word') lexer.fail(`expected a value, found '${token.text}'`, token.line);
  if (lexer.peek().text !== '(') return [parseNumber(lexer, token.text, token.line)];
  lexer.takeSymbol('(');
  const numbers: number[] = [];
  for (;;) {
    const word = lexer.take();
    numbers.push(parseNumber(lexer, word.text, word.line));
    if (lexer.peek().text !== ',') break;
    lexer.take();
  }
  lexer.takeSymbol(')');
  const wanted = componentsOf(type);
  // A single scalar fills a vector, or a matrix's diagonal, as GLSL's constructors do.
  if (numbers.length === 1 && wanted > 1) return fillFromScalar(type, numbers[0]!);
  if (numbers.length !== wanted) lexer.fail(`${type} takes ${wanted} numbers, not ${numbers.length}`, token.line);
  return numbers;
}

function fillFromScalar(type: string, value: number): number[] {
  const matrix = /^mat(\d)(?:x(\d))?$/.exec(type);
  if (!matrix) return new Array<number>(componentsOf(type)).fill(value);
  const columns = Number(matrix[1]);
  const rows = Number(matrix[2] ?? matrix[1]);
  return Array.from({ length: columns * rows }, (_, i) => (i % rows === Math.floor(i / rows) ? value : 0));
}

const PRECISIONS = ['lowp', 'mediump', 'highp'];

function parseValues(lexer: Lexer): CaseValue[] {
  const values: CaseValue[] = [];
  lexer.takeSymbol('{');
  while (lexer.peek().text !== '}') {
    const { line } = lexer.peek();
    const role = lexer.takeWord();
    if (role !== 'input' && role !== 'uniform' && role !== 'output') lexer.fail(`unknown role '${role}'`, line);
    let type = lexer.takeWord();
    if (PRECISIONS.includes(type)) type = lexer.takeWord();
    const name = lexer.takeWord();
    lexer.takeSymbol('=');
    const entries: number[][] = [];
    if (lexer.peek().text === '[') {
      lexer.take();
      for (;;) {
        entries.push(parseEntry(lexer, type));
        if (lexer.take().text !== '|') break;
      }
    } else entries.push(parseEntry(lexer, type));
    lexer.takeSymbol(';');
    values.push({ role, type, name, entries });
  }
  lexer.takeSymbol('}');
  return values;
}

const EXPECTATIONS: readonly string[] = [
  'pass',
  'compile_fail',
  'link_fail',
  'compile_or_link_fail',
  'build_successful',
];

function parseCase(lexer: Lexer, prefix: string, defaultVersion: 100 | 300): ShaderBlock {
  const { line } = lexer.peek();
  const path = prefix + lexer.takeWord();
  let version = defaultVersion;
  let expectation: Expectation = 'pass';
  const requirements: string[] = [];
  let values: CaseValue[] = [];
  const texts: Record<string, string | null> = { both: null, vertex: null, fragment: null };
  for (;;) {
    const token = lexer.take();
    if (token.text === 'end' && token.kind === 'word') break;
    switch (token.text) {
      case 'version': {
        version = lexer.takeWord() === '300' ? 300 : 100;
        if (lexer.takeWord() !== 'es') lexer.fail('only ES versions are known', token.line);
        break;
      }
      case 'desc':
        lexer.takeString();
        break;
      case 'require':
        requirements.push(lexer.takeWord());
        break;
      case 'expect': {
        const word = lexer.takeWord();
        if (!EXPECTATIONS.includes(word)) lexer.fail(`unknown expectation '${word}'`, token.line);
        expectation = word as Expectation;
        break;
      }
      case 'values':
        values = parseValues(lexer);
        break;
      case 'both':
      case 'vertex':
      case 'fragment':
        texts[token.text] = lexer.takeString();
        break;
      default:
        lexer.fail(`unknown keyword '${token.text}' in case ${path}`, token.line);
    }
  }
  const { both, vertex, fragment } = texts as Record<'both' | 'vertex' | 'fragment', string | null>;
  return { path, version, expectation, requirements, values, both, vertex, fragment, line };
}

/** All case blocks of a file, in order. */
export function parseTestFile(file: string, text: string, defaultVersion: 100 | 300): ShaderBlock[] {
  const lexer = new Lexer(file, text);
  const blocks: ShaderBlock[] = [];
  const groups: string[] = [];
  for (;;) {
    const token = lexer.take();
    if (token.kind === 'end') break;
    if (token.text === 'group') {
      groups.push(`${lexer.takeWord()}.`);
      lexer.takeString();
    } else if (token.text === 'case') blocks.push(parseCase(lexer, groups.join(''), defaultVersion));
    else if (token.text === 'end') {
      if (groups.pop() === undefined) lexer.fail("'end' without group", token.line);
    } else lexer.fail(`expected group, case or end, found '${token.text}'`, token.line);
  }
  if (groups.length) lexer.fail(`group ${groups.join('')} has no end`);
  return blocks;
}
