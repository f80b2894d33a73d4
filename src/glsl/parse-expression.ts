// The grammar of expressions (GLSL ES 3.00 §9): recursive descent, with a stack of operators for the binary ones.

import type { ArithmeticOperator, BinaryOperator, Expression, VariableSymbol } from './ast.ts';
import { isSwitchType, makeIndex, makeLength, makeMember } from './check-access.ts';
import { makeCall, makeConstructor } from './check-calls.ts';
import { makeAssignment, makeBinary, makeComma, makeConditional, makeIncrement, makeUnary } from './check-operators.ts';
import { constantNode, errorNode, variableNode } from './expressions.ts';
import { parseNumber } from './numbers.ts';
import { isTypeName, parseArraySize, parseTypeName } from './parse-type.ts';
import type { Parser } from './parser.ts';
import { type Token, TokenKind, tokenName } from './tokens.ts';
import { arrayType, BOOL, type ElementType, FLOAT, INT, UINT } from './types.ts';

export function parseExpression(p: Parser): Expression {
  const first = parseValue(p);
  if (p.token.text !== ',') return first;
  const { position } = p.token;
  const expressions = [first];
  while (p.accept(',')) expressions.push(parseValue(p));
  return makeComma(p, expressions, position);
}

/** Interface blocks are no values: only their members are (GLSL ES 3.00 §4.3.7). */
function parseValue(p: Parser): Expression {
  const value = parseAssignment(p);
  const element = value.type.kind === 'array' ? value.type.element : value.type;
  if (element.kind === 'struct' && element.isBlock)
    p.error(value.position, element.name, 'an interface block is not a value; name one of its members');
  return value;
}

const ASSIGNMENTS: ReadonlyMap<string, ArithmeticOperator | undefined> = new Map([
  ['=', undefined],
  ...(['+', '-', '*', '/', '%', '<<', '>>', '&', '|', '^'] as const).map((operator): [string, ArithmeticOperator] => [
    `${operator}=`,
    operator,
  ]),
]);

export function parseAssignment(p: Parser): Expression {
  p.enterExpression();
  const target = parseConditional(p);
  let result = target;
  const { token } = p;
  if (token.kind === TokenKind.punctuator && ASSIGNMENTS.has(token.text)) {
    p.advance();
    const value = parseAssignment(p);
    result = makeAssignment(p, ASSIGNMENTS.get(token.text), target, value, token.position);
  }
  p.leaveExpression();
  return result;
}

function parseConditional(p: Parser): Expression {
  const condition = parseBinary(p);
  if (p.token.text !== '?') return condition;
  const { position } = p.advance();
  p.enterExpression();
  const whenTrue = parseExpression(p);
  p.expect(':');
  const whenFalse = parseAssignment(p);
  p.leaveExpression();
  return makeConditional(p, condition, whenTrue, whenFalse, position);
}

const PRECEDENCE: Readonly<Record<string, number>> = {
  '||': 1,
  '^^': 2,
  '&&': 3,
  '|': 4,
  '^': 5,
  '&': 6,
  '==': 7,
  '!=': 7,
  '<': 8,
  '>': 8,
  '<=': 8,
  '>=': 8,
  '<<': 9,
  '>>': 9,
  '+': 10,
  '-': 10,
  '*': 11,
  '/': 11,
  '%': 11,
};

function precedenceOf(token: Token): number {
  return token.kind === TokenKind.punctuator ? (PRECEDENCE[token.text] ?? 0) : 0;
}

function parseBinary(p: Parser): Expression {
  const first = parseUnary(p);
  if (precedenceOf(p.token) === 0) return first;
  const { operands, operators } = p;
  const outer = operators.length;
  operands.push(first);
  for (let precedence = precedenceOf(p.token); precedence > 0; precedence = precedenceOf(p.token)) {
    while (operators.length > outer && precedenceOf(operators[operators.length - 1]) >= precedence) reduce(p);
    operators.push(p.advance());
    operands.push(parseUnary(p));
  }
  while (operators.length > outer) reduce(p);
  return operands.pop() as Expression;
}

/** Makes one operand of the topmost two. */
function reduce(p: Parser): void {
  const operator = p.operators.pop() as Token;
  const right = p.operands.pop() as Expression;
  const left = p.operands.pop() as Expression;
  p.operands.push(makeBinary(p, operator.text as BinaryOperator, left, right, operator.position));
}

const PREFIXES = new Set(['+', '-', '!', '~', '++', '--']);

function parseUnary(p: Parser): Expression {
  if (p.token.kind !== TokenKind.punctuator || !PREFIXES.has(p.token.text)) return parsePostfix(p);
  const operators: Token[] = [];
  while (p.token.kind === TokenKind.punctuator && PREFIXES.has(p.token.text)) operators.push(p.advance());
  let operand = parsePostfix(p);
  for (let operator = operators.pop(); operator !== undefined; operator = operators.pop()) {
    const { text, position } = operator;
    if (text === '++' || text === '--') operand = makeIncrement(p, text, true, operand, position);
    else operand = makeUnary(p, text as '+' | '-' | '!' | '~', operand, position);
  }
  return operand;
}

function parsePostfix(p: Parser): Expression {
  let expression = parsePrimary(p);
  for (;;) {
    const { text, position } = p.token;
    if (text === '[') {
      p.advance();
      const index = parseExpression(p);
      p.expect(']');
      expression = makeIndex(p, expression, index, position);
    } else if (text === '.') {
      p.advance();
      expression = parseField(p, expression);
    } else if (text === '++' || text === '--') {
      p.advance();
      expression = makeIncrement(p, text, false, expression, position);
    } else {
      return expression;
    }
  }
}

function parseField(p: Parser, object: Expression): Expression {
  const field = p.expectIdentifier();
  if (p.token.text !== '(') return makeMember(p, object, field);
  p.advance();
  p.accept('void');
  p.expect(')');
  if (field.text !== 'length' || p.version === 100) {
    p.error(field.position, field.text, 'no such method');
    return errorNode(field.position);
  }
  return makeLength(p, object, field.position);
}

function parsePrimary(p: Parser): Expression {
  const { token } = p;
  switch (token.kind) {
    case TokenKind.number:
      p.advance();
      return parseLiteral(p, token);
    case TokenKind.identifier:
      if (isTypeName(p)) return parseConstructor(p);
      p.advance();
      return p.token.text === '(' ? makeCall(p, token, parseArguments(p)) : resolveVariable(p, token);
    case TokenKind.punctuator: {
      if (token.text !== '(') return p.syntaxError();
      p.advance();
      const expression = parseExpression(p);
      p.expect(')');
      return expression;
    }
    default:
      if (token.text === 'true' || token.text === 'false') {
        p.advance();
        return constantNode(p, BOOL, [token.text === 'true' ? 1 : 0], token.position);
      }
      return isTypeName(p) ? parseConstructor(p) : p.syntaxError();
  }
}

function parseLiteral(p: Parser, token: Token): Expression {
  const { text, position } = token;
  const literal = parseNumber(text);
  if (literal === undefined || (literal.hasSuffix && p.version === 100)) {
    p.diagnostics.fatal(position, tokenName(token), 'invalid number');
  }
  const { base, value } = literal;
  if (base === 'float') {
    // Too large becomes infinity, as in browsers.
    return constantNode(p, FLOAT, [value], position);
  }
  if (value > 0xffff_ffff) p.error(position, tokenName(token), 'integer literal does not fit in 32 bits');
  return base === 'uint' ? constantNode(p, UINT, [value >>> 0], position) : constantNode(p, INT, [value | 0], position);
}

function resolveVariable(p: Parser, name: Token): Expression {
  const { text, position } = name;
  const entry = p.symbols.lookup(text);
  if (entry === undefined) {
    p.error(position, text, 'undeclared identifier');
    // Once is enough: the name counts as declared from now on, with a type that nothing more is said about.
    return errorNode(position);
  }
  if (entry.kind !== 'variable') {
    p.error(position, text, 'variable expected');
    return errorNode(position);
  }
  return variableNode(p, entry as VariableSymbol, position);
}

/** `( a, b, c )`, `()` or `(void)`. */
function parseArguments(p: Parser): Expression[] {
  p.expect('(');
  const list: Expression[] = [];
  if (p.accept(')')) return list;
  if (p.token.text === 'void' && p.peek(1).text === ')') {
    p.advance();
    p.advance();
    return list;
  }
  do list.push(parseAssignment(p));
  while (p.accept(','));
  p.expect(')');
  return list;
}

/** `type(…)`, `type[n](…)`, `type[](…)`. */
function parseConstructor(p: Parser): Expression {
  const { position, text } = p.token;
  const type = parseTypeName(p);
  if (p.token.text !== '[') return makeConstructor(p, type, parseArguments(p), position);
  if (p.version === 100) p.error(position, '[]', 'array constructors are not in GLSL ES 1.00');
  const size = parseArraySize(p);
  const list = parseArguments(p);
  if (size === undefined) return errorNode(position);
  if (size === 'unsized' && list.length === 0) {
    p.error(position, text, 'array constructor needs at least one argument');
    return errorNode(position);
  }
  if (type.kind === 'void' || type.kind === 'sampler') {
    p.error(position, text, 'cannot be constructed');
    return errorNode(position);
  }
  return makeConstructor(p, arrayType(type as ElementType, size === 'unsized' ? list.length : size), list, position);
}

/** The value of a `case` label. */
export function parseCaseLabel(p: Parser): Expression {
  const label = parseExpression(p);
  if (label.constant === undefined || !isSwitchType(label.type)) {
    p.error(label.position, 'case', 'label must be a constant integer expression');
  }
  return label;
}
