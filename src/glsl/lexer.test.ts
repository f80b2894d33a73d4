import { describe, expect, it } from 'vitest';
import { Diagnostics } from './diagnostics.ts';
import { Lexer } from './lexer.ts';
import { parseNumber } from './numbers.ts';
import { TokenKind } from './tokens.ts';

function lex(source: string, hasLineContinuation = true): { text: string; line: number }[] {
  const lexer = new Lexer(source, new Diagnostics(), hasLineContinuation);
  const result: { text: string; line: number }[] = [];
  for (let token = lexer.next(false); token.kind !== TokenKind.end; token = lexer.next(false)) {
    result.push({ text: token.text, line: token.position });
  }
  return result;
}

const texts = (source: string, hasLineContinuation = true) => lex(source, hasLineContinuation).map(({ text }) => text);

describe('lexer', () => {
  it('takes the longest punctuator', () => {
    expect(texts('a<<=b>>c+++d^^e')).toEqual(['a', '<<=', 'b', '>>', 'c', '++', '+', 'd', '^^', 'e']);
  });

  it('keeps a number with a wrong tail in one piece', () => {
    expect(texts('1xyz 1e+3x .5f 0xe+1 1.e-2')).toEqual(['1xyz', '1e+3x', '.5f', '0xe', '+', '1', '1.e-2']);
  });

  it('counts every kind of line end once', () => {
    expect(lex('a\nb\r\nc\rd\n\re')).toEqual([
      { text: 'a', line: 1 },
      { text: 'b', line: 2 },
      { text: 'c', line: 3 },
      { text: 'd', line: 4 },
      { text: 'e', line: 5 },
    ]);
  });

  it('joins continued lines and still counts them', () => {
    expect(lex('f\\\noo\nbar')).toEqual([
      { text: 'foo', line: 1 },
      { text: 'bar', line: 3 },
    ]);
    expect(texts('a\\\nb', false)).toEqual(['a', '\\', 'b']);
  });

  it('treats a comment as one space', () => {
    expect(texts('a/* x\n*/b // c\nd')).toEqual(['a', 'b', 'd']);
    expect(texts('/*/ hidden /**/ shown')).toEqual(['shown']);
  });

  it('gives a pair of surrogates as one invalid character', () => {
    expect(texts('a😀b')).toEqual(['a', '😀', 'b']);
  });
});

describe('numbers', () => {
  it.each([
    ['0', 'int', 0],
    ['017', 'int', 15],
    ['0xFFu', 'uint', 255],
    ['4294967295u', 'uint', 4294967295],
    ['1.', 'float', 1],
    ['.5', 'float', 0.5],
    ['1e2', 'float', 100],
    ['0.1', 'float', Math.fround(0.1)],
    ['1.5F', 'float', 1.5],
  ] as const)('reads %s', (text, base, value) => {
    expect(parseNumber(text)).toMatchObject({ base, value });
  });

  it.each(['1x', '09', '0x', '1e', '1f', '1.0u', '.', '1..2'])('refuses %s', (text) => {
    expect(parseNumber(text)).toBeUndefined();
  });
});
