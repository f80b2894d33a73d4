// Cuts GLSL ES text into preprocessing tokens (GLSL ES 3.00 §3.1–3.2): comments, line counting, line continuation.

import { makePosition } from './ast.ts';
import type { Diagnostics } from './diagnostics.ts';
import { Token, TokenKind } from './tokens.ts';

const TAB = 9;
const LINE_FEED = 10;
const VERTICAL_TAB = 11;
const FORM_FEED = 12;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const SLASH = 47;
const STAR = 42;
const DOT = 46;

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
const PUNCTUATION = 3;

const CHARACTER_CLASS = new Uint8Array(128);
for (let code = 97; code <= 122; code++) CHARACTER_CLASS[code] = CHARACTER_CLASS[code - 32] = LETTER;
for (let code = 48; code <= 57; code++) CHARACTER_CLASS[code] = DIGIT;
CHARACTER_CLASS[95] = LETTER;
for (const character of '#.+-/*%<>[](){}^|&~=!:;,?') CHARACTER_CLASS[character.charCodeAt(0)] = PUNCTUATION;

/** Punctuators of more than one character, by their first character; longest first. */
const LONG_PUNCTUATORS = new Map<string, string[]>();
for (const text of '<<= >>= ++ -- <= >= == != && || ^^ += -= *= /= %= << >> &= |= ^='.split(' ')) {
  const list = LONG_PUNCTUATORS.get(text[0]);
  if (list === undefined) LONG_PUNCTUATORS.set(text[0], [text]);
  else list.push(text);
}

function classOf(code: number): number {
  return code < 128 ? CHARACTER_CLASS[code] : OTHER;
}

export class Lexer {
  private source: string;
  private readonly diagnostics: Diagnostics;
  /** Offsets in the spliced source where a line continuation was taken out; one more than the last is Infinity. */
  private readonly splices: number[] = [];
  private spliceIndex = 0;
  private offset = 0;
  private isLineStart = true;
  /** Number of the source string and of the line, as `#line` sets them. */
  string = 0;
  line = 1;
  /** Lines from the start of the text, whatever `#line` says. */
  physicalLine = 1;

  /** `hasLineContinuation`: GLSL ES 3.00 joins lines that end in a backslash, GLSL ES 1.00 does not. */
  constructor(source: string, diagnostics: Diagnostics, hasLineContinuation: boolean) {
    // A NUL ends the text, as it would end the C string that GLES takes.
    const end = source.indexOf('\0');
    this.source = end < 0 ? source : source.slice(0, end);
    this.diagnostics = diagnostics;
    if (hasLineContinuation && this.source.includes('\\')) this.spliceLines();
    this.splices.push(Number.POSITIVE_INFINITY);
  }

  private spliceLines(): void {
    const parts = this.source.split(/\\(?:\r\n|\n\r|\n|\r)/);
    let length = 0;
    for (let index = 0; index + 1 < parts.length; index++) {
      length += parts[index].length;
      this.splices.push(length);
    }
    this.source = parts.join('');
  }

  private countLine(): void {
    this.line++;
    this.physicalLine++;
  }

  /** Steps over one line end of one or two characters. */
  private skipLineEnd(code: number): void {
    this.offset++;
    const next = this.source.charCodeAt(this.offset);
    if ((next === LINE_FEED || next === CARRIAGE_RETURN) && next !== code) this.offset++;
    this.countLine();
  }

  private skipBlockComment(): void {
    const { source } = this;
    const position = makePosition(this.string, this.line);
    this.offset += 2;
    for (;;) {
      const code = source.charCodeAt(this.offset);
      if (Number.isNaN(code)) this.diagnostics.fatal(position, '/*', 'unterminated comment');
      if (code === STAR && source.charCodeAt(this.offset + 1) === SLASH) break;
      if (code === LINE_FEED || code === CARRIAGE_RETURN) this.skipLineEnd(code);
      else this.offset++;
    }
    this.offset += 2;
  }

  private skipLineComment(): void {
    const { source } = this;
    let code = source.charCodeAt(this.offset);
    while (code !== LINE_FEED && code !== CARRIAGE_RETURN && !Number.isNaN(code)) {
      code = source.charCodeAt(++this.offset);
    }
  }

  /** The next token. While a directive is read, a line's end is a token too (and is given again until it is left). */
  next(inDirective: boolean): Token {
    const { source } = this;
    let spaceBefore = false;
    for (;;) {
      const code = source.charCodeAt(this.offset);
      if (code === SPACE || code === TAB || code === VERTICAL_TAB || code === FORM_FEED) {
        this.offset++;
      } else if (code === LINE_FEED || code === CARRIAGE_RETURN) {
        if (inDirective) return new Token(TokenKind.endOfLine, '', this.position());
        this.skipLineEnd(code);
        this.isLineStart = true;
      } else if (code === SLASH && source.charCodeAt(this.offset + 1) === STAR) {
        this.skipBlockComment();
      } else if (code === SLASH && source.charCodeAt(this.offset + 1) === SLASH) {
        this.skipLineComment();
      } else if (Number.isNaN(code)) {
        return new Token(inDirective ? TokenKind.endOfLine : TokenKind.end, '', this.position());
      } else {
        const token = this.scan(code);
        token.spaceBefore = spaceBefore;
        token.firstOnLine = this.isLineStart;
        this.isLineStart = false;
        return token;
      }
      spaceBefore = true;
    }
  }

  position(): number {
    while (this.offset >= this.splices[this.spliceIndex]) {
      this.spliceIndex++;
      this.countLine();
    }
    return this.string === 0 ? this.line : makePosition(this.string, this.line);
  }

  private scan(code: number): Token {
    const { source } = this;
    const position = this.position();
    const start = this.offset;
    switch (classOf(code)) {
      case LETTER: {
        let end = start + 1;
        for (let next = classOf(source.charCodeAt(end)); next === LETTER || next === DIGIT; ) {
          next = classOf(source.charCodeAt(++end));
        }
        this.offset = end;
        return new Token(TokenKind.identifier, source.slice(start, end), position);
      }
      case DIGIT:
        return this.scanNumber(start, position);
      case PUNCTUATION: {
        if (code === DOT && classOf(source.charCodeAt(start + 1)) === DIGIT) return this.scanNumber(start, position);
        const first = source[start];
        const long = LONG_PUNCTUATORS.get(first);
        if (long !== undefined) {
          for (const text of long) {
            if (source.startsWith(text, start)) {
              this.offset += text.length;
              return new Token(TokenKind.punctuator, text, position);
            }
          }
        }
        this.offset++;
        return new Token(TokenKind.punctuator, first, position);
      }
      default:
        this.offset += code >= 0xd800 && code < 0xdc00 ? 2 : 1;
        return new Token(TokenKind.invalid, source.slice(start, this.offset), position);
    }
  }

  private scanNumber(start: number, position: number): Token {
    const { source } = this;
    const isHexadecimal = source[start] === '0' && (source[start + 1] === 'x' || source[start + 1] === 'X');
    let end = start + 1;
    for (;;) {
      const code = source.charCodeAt(end);
      const kind = classOf(code);
      if (kind === LETTER || kind === DIGIT || code === DOT) {
        end++;
      } else if ((code === 43 || code === 45) && !isHexadecimal && (source.charCodeAt(end - 1) | 32) === 101) {
        end++; // the sign of an exponent
      } else {
        break;
      }
    }
    this.offset = end;
    return new Token(TokenKind.number, source.slice(start, end), position);
  }
}
