// Tokens, as the lexer makes them and the preprocessor passes them on to the parser.

import type { SourcePosition } from './ast.ts';

export const TokenKind = {
  /** End of the text. */
  end: 0,
  /** End of a line; only while a directive is being read. */
  endOfLine: 1,
  identifier: 2,
  /** Integer or float literal; not looked into yet, so `1xyz` is one (wrong) number. */
  number: 3,
  punctuator: 4,
  /** A character that GLSL ES has no use for. */
  invalid: 5,
  /** Only after preprocessing: a keyword of the shader's version, built-in type names included. */
  keyword: 6,
} as const;

export type TokenKindCode = (typeof TokenKind)[keyof typeof TokenKind];

export class Token {
  kind: TokenKindCode;
  text: string;
  position: SourcePosition;
  firstOnLine: boolean;
  spaceBefore: boolean;
  /** The macro of this name was being expanded when the token was met: it stays as it is for ever. */
  isPainted = false;

  constructor(
    kind: TokenKindCode,
    text: string,
    position: SourcePosition,
    firstOnLine: boolean = false,
    spaceBefore: boolean = false,
  ) {
    this.kind = kind;
    this.text = text;
    this.position = position;
    this.firstOnLine = firstOnLine;
    this.spaceBefore = spaceBefore;
  }
}

/** How a token appears in the info log. */
export function tokenName(token: Token): string {
  if (token.kind === TokenKind.end) return 'end of file';
  if (token.kind === TokenKind.endOfLine) return 'end of line';
  return token.text.length > 80 ? `${token.text.slice(0, 80)}…` : token.text;
}
