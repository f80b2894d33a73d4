// Evaluates the expressions of #if, #elif and #line (GLSL ES 3.00 §3.4): 32-bit integers, C's precedences, and an error for
// an identifier that is not a macro unless && or || makes it irrelevant.

import type { SourcePosition } from './ast.ts';
import type { Diagnostics } from './diagnostics.ts';
import { parseNumber } from './numbers.ts';
import { type Token, TokenKind, tokenName } from './tokens.ts';

const MAX_DEPTH = 128;

/** Binding strength of the binary operators. */
const PRECEDENCE: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  '==': 6,
  '!=': 6,
  '<': 7,
  '>': 7,
  '<=': 7,
  '>=': 7,
  '<<': 8,
  '>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
};

class ExpressionParser {
  private readonly tokens: readonly Token[];
  private readonly position: SourcePosition;
  private readonly diagnostics: Diagnostics;
  /** What is read, for messages. */
  private readonly what: string;
  private index = 0;
  private depth = 0;

  constructor(tokens: readonly Token[], position: SourcePosition, diagnostics: Diagnostics, what: string) {
    this.tokens = tokens;
    this.position = position;
    this.diagnostics = diagnostics;
    this.what = what;
  }

  private fail(message: string): never {
    const token = this.tokens[this.index];
    return this.diagnostics.fatal(this.position, token === undefined ? 'end of line' : tokenName(token), message);
  }

  parse(): number {
    if (this.tokens.length === 0) this.fail('expected an expression after #if or #elif');
    const value = this.parseBinary(1, true);
    if (this.index < this.tokens.length) this.fail('unexpected token after conditional expression');
    return value;
  }

  /** One expression, wherever it ends. */
  parseNext(): number {
    return this.parseBinary(1, true);
  }

  get isAtEnd(): boolean {
    return this.index === this.tokens.length;
  }

  /** `isLive`: the value counts; in the dead operand of && and || undefined identifiers and division by zero are no errors. */
  private parseBinary(minimum: number, isLive: boolean): number {
    let left = this.parseUnary(isLive);
    for (;;) {
      const token = this.tokens[this.index];
      if (token === undefined || token.kind !== TokenKind.punctuator) return left;
      const precedence = PRECEDENCE[token.text];
      if (precedence === undefined || precedence < minimum) return left;
      this.index++;
      const isDead = (token.text === '||' && left !== 0) || (token.text === '&&' && left === 0);
      const right = this.parseBinary(precedence + 1, isLive && !isDead);
      left = this.apply(token.text, left, right, isLive);
    }
  }

  private apply(operator: string, left: number, right: number, isLive: boolean): number {
    switch (operator) {
      case '||':
        return left !== 0 || right !== 0 ? 1 : 0;
      case '&&':
        return left !== 0 && right !== 0 ? 1 : 0;
      case '|':
        return left | right;
      case '^':
        return left ^ right;
      case '&':
        return left & right;
      case '==':
        return left === right ? 1 : 0;
      case '!=':
        return left !== right ? 1 : 0;
      case '<':
        return left < right ? 1 : 0;
      case '>':
        return left > right ? 1 : 0;
      case '<=':
        return left <= right ? 1 : 0;
      case '>=':
        return left >= right ? 1 : 0;
      case '<<':
        return left << right;
      case '>>':
        return left >> right;
      case '+':
        return (left + right) | 0;
      case '-':
        return (left - right) | 0;
      case '*':
        return Math.imul(left, right);
      default:
        if (right === 0) {
          if (isLive) this.fail(`division by zero in a ${this.what}`);
          return 0;
        }
        return (operator === '/' ? left / right : left % right) | 0;
    }
  }

  private parseUnary(isLive: boolean): number {
    const operators: string[] = [];
    let token = this.tokens[this.index];
    while (
      token !== undefined &&
      (token.text === '+' || token.text === '-' || token.text === '!' || token.text === '~')
    ) {
      operators.push(token.text);
      token = this.tokens[++this.index];
    }
    let value = this.parsePrimary(isLive);
    for (let operator = operators.pop(); operator !== undefined; operator = operators.pop()) {
      if (operator === '-') value = -value | 0;
      else if (operator === '!') value = value === 0 ? 1 : 0;
      else if (operator === '~') value = ~value;
    }
    return value;
  }

  private parsePrimary(isLive: boolean): number {
    const token = this.tokens[this.index];
    if (token === undefined) this.fail(`unexpected end of the ${this.what}`);
    if (token.text === '(') {
      if (++this.depth > MAX_DEPTH) this.fail(`${this.what} is too complex`);
      this.index++;
      const value = this.parseBinary(1, isLive);
      if (this.tokens[this.index]?.text !== ')') this.fail(`expected ')' in a ${this.what}`);
      this.index++;
      this.depth--;
      return value;
    }
    if (token.kind === TokenKind.number) {
      const literal = parseNumber(token.text);
      if (literal === undefined || literal.base === 'float') this.fail('expected an integer constant');
      if (literal.value > 0xffff_ffff) this.fail('integer constant is too large');
      this.index++;
      return literal.value | 0;
    }
    if (token.kind !== TokenKind.identifier) this.fail(`unexpected token in a ${this.what}`);
    if (isLive) this.fail(`undefined identifier in a ${this.what}`);
    this.index++;
    return 0;
  }
}

/**
 * The line of an already macro-expanded #line and the number of the source string, if one is given (GLSL ES 3.00 §3.4:
 * both are expressions). Null when there is more or less; what is no expression is fatal.
 */
export function evaluateLine(
  tokens: readonly Token[],
  position: SourcePosition,
  diagnostics: Diagnostics,
): { line: number; string: number | undefined } | null {
  if (tokens.length === 0) return null;
  const parser = new ExpressionParser(tokens, position, diagnostics, 'line number');
  const line = parser.parseNext();
  const string = parser.isAtEnd ? undefined : parser.parseNext();
  return parser.isAtEnd ? { line, string } : null;
}

/** Value of an already macro-expanded condition; a wrong one is fatal. */
export function evaluateCondition(
  tokens: readonly Token[],
  position: SourcePosition,
  diagnostics: Diagnostics,
): number {
  return new ExpressionParser(tokens, position, diagnostics, 'conditional expression').parse();
}
