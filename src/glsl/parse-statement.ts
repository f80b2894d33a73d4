// The grammar of statements (GLSL ES 3.00 §6). Scopes follow §4.2.2: a loop's header and body share one.

import {
  type BlockStatement,
  type DeclarationStatement,
  type Expression,
  type ExpressionStatement,
  MAX_STATEMENT_DEPTH,
  type Statement,
  type SwitchClause,
  type VariableSymbol,
} from './ast.ts';
import { isSwitchType } from './check-access.ts';
import { isError } from './expressions.ts';
import { checkEmptyDeclaration, parseConditionDeclaration, parseDeclarators } from './parse-declaration.ts';
import { parseCaseLabel, parseExpression } from './parse-expression.ts';
import { isQualifier, isTypeName, parsePrecisionStatement, parseQualifiers, parseTypeSpecifier } from './parse-type.ts';
import type { Parser } from './parser.ts';
import { TokenKind } from './tokens.ts';
import { BOOL, VOID } from './types.ts';

/** `{ … }` in the scope that is open already. */
export function parseBlockBody(p: Parser): BlockStatement {
  const { position } = p.expect('{');
  const statements: Statement[] = [];
  while (p.token.text !== '}') {
    if (p.token.kind === TokenKind.end) p.syntaxError();
    const statement = parseStatement(p);
    if (statement !== undefined) statements.push(statement);
  }
  p.advance();
  return { kind: 'block', position, statements };
}

/** A statement in a scope of its own; a block where there is none. */
function parseScoped(p: Parser): Statement {
  p.symbols.push();
  const { position } = p.token;
  const statement = p.token.text === '{' ? parseNested(p, () => parseBlockBody(p)) : parseStatement(p);
  p.symbols.pop();
  return statement ?? { kind: 'block', position, statements: [] };
}

/** A loop's body: shares the scope of the loop's header. */
function parseLoopBody(p: Parser): Statement {
  const { position } = p.token;
  p.loopDepth++;
  const body = p.token.text === '{' ? parseNested(p, () => parseBlockBody(p)) : parseStatement(p);
  p.loopDepth--;
  return body ?? { kind: 'block', position, statements: [] };
}

function parseNested<T>(p: Parser, parse: () => T): T {
  if (++p.statementDepth > MAX_STATEMENT_DEPTH) {
    p.tooComplex(p.token.position, p.token.text, 'nesting of statements');
  }
  const result = parse();
  p.statementDepth--;
  return result;
}

/** Undefined for statements that do nothing: `;`, a struct definition, a precision statement. */
function parseStatement(p: Parser): Statement | undefined {
  return parseNested(p, () => parseAnyStatement(p));
}

function parseAnyStatement(p: Parser): Statement | undefined {
  const { text, position, kind } = p.token;
  if (kind === TokenKind.punctuator) {
    if (text === '{') return parseScoped(p);
    if (text === ';') {
      p.advance();
      return undefined;
    }
    return parseExpressionStatement(p);
  }
  if (kind !== TokenKind.keyword) return isDeclaration(p) ? parseDeclaration(p) : parseExpressionStatement(p);
  switch (text) {
    case 'if':
      return parseIf(p);
    case 'for':
      return parseFor(p);
    case 'while':
      return parseWhile(p);
    case 'do':
      return parseDoWhile(p);
    case 'switch':
      return parseSwitch(p);
    case 'case':
    case 'default':
      return p.diagnostics.fatal(position, text, 'label statements need to be directly inside of a switch statement');
    case 'break':
    case 'continue':
    case 'discard':
      return parseJump(p, text);
    case 'return':
      return parseReturn(p);
    case 'precision':
      parsePrecisionStatement(p);
      return undefined;
    default:
      return isDeclaration(p) ? parseDeclaration(p) : parseExpressionStatement(p);
  }
}

// ---- declarations and expressions -----------------------------------------------------------------------------------

/** Whether a declaration starts here, rather than an expression that begins with a constructor. */
function isDeclaration(p: Parser): boolean {
  if (isQualifier(p) || p.token.text === 'struct') return true;
  if (!isTypeName(p)) return false;
  let distance = 1;
  if (p.peek(1).text === '[') {
    // `float[2](…)` or `float[2] name`: look behind the bracket.
    let nesting = 0;
    for (; p.peek(distance).kind !== TokenKind.end; distance++) {
      const { text } = p.peek(distance);
      if (text === '[') nesting++;
      else if (text === ']' && --nesting === 0) break;
    }
    distance++;
  }
  return p.peek(distance).text !== '(';
}

function parseDeclaration(p: Parser): DeclarationStatement | undefined {
  const { position } = p.token;
  const qualifiers = parseQualifiers(p, false);
  const specifier = parseTypeSpecifier(p);
  if (p.accept(';')) {
    checkEmptyDeclaration(p, qualifiers, specifier);
    return undefined;
  }
  if (p.token.text === ',') {
    checkEmptyDeclaration(p, qualifiers, specifier);
    return { kind: 'declaration', position, variables: parseDeclarators(p, qualifiers, specifier, undefined) };
  }
  const name = p.expectIdentifier();
  if (p.token.text === '(') {
    p.diagnostics.fatal(name.position, name.text, 'functions can only be declared at global scope');
  }
  return { kind: 'declaration', position, variables: parseDeclarators(p, qualifiers, specifier, name) };
}

function parseExpressionStatement(p: Parser): ExpressionStatement {
  const { position } = p.token;
  const expression = parseExpression(p);
  p.expect(';');
  return { kind: 'expression', position, expression };
}

/** A condition: complains unless it is a bool. */
function checkCondition(p: Parser, condition: Expression): void {
  if (!isError(condition) && condition.type !== BOOL) {
    p.error(condition.position, condition.type.name, 'boolean expression expected');
  }
}

interface Condition {
  readonly condition: Expression;
  readonly conditionVariable: VariableSymbol | undefined;
}

function parseCondition(p: Parser): Condition {
  if (!isDeclaration(p)) {
    const condition = parseExpression(p);
    checkCondition(p, condition);
    return { condition, conditionVariable: undefined };
  }
  const qualifiers = parseQualifiers(p, false);
  const specifier = parseTypeSpecifier(p);
  const { variable, condition } = parseConditionDeclaration(p, qualifiers, specifier);
  checkCondition(p, condition);
  return { condition, conditionVariable: variable };
}

// ---- control flow -----------------------------------------------------------------------------------------------------

function parseIf(p: Parser): Statement {
  // `else if` chains are read in a loop, so that long ones do not deepen the recursion; they still count as depth.
  const arms: { position: number; condition: Expression; thenBranch: Statement }[] = [];
  let elseBranch: Statement | undefined;
  const startDepth = p.statementDepth;
  for (;;) {
    const { position } = p.expect('if');
    p.expect('(');
    const condition = parseExpression(p);
    checkCondition(p, condition);
    p.expect(')');
    arms.push({ position, condition, thenBranch: parseScoped(p) });
    if (!p.accept('else')) break;
    if (p.token.text !== 'if') {
      elseBranch = parseScoped(p);
      break;
    }
    if (++p.statementDepth > MAX_STATEMENT_DEPTH) p.tooComplex(position, 'if', 'nesting of statements');
  }
  p.statementDepth = startDepth;
  let statement: Statement | undefined = elseBranch;
  for (let arm = arms.pop(); arm !== undefined; arm = arms.pop()) {
    statement = { kind: 'if', ...arm, elseBranch: statement };
  }
  return statement as Statement;
}

function parseFor(p: Parser): Statement {
  const { position } = p.expect('for');
  p.expect('(');
  p.symbols.push();
  let initializer: DeclarationStatement | ExpressionStatement | undefined;
  if (!p.accept(';')) initializer = isDeclaration(p) ? parseDeclaration(p) : parseExpressionStatement(p);
  let test: Condition | undefined;
  if (p.token.text !== ';') test = parseCondition(p);
  p.expect(';');
  const update = p.token.text === ')' ? undefined : parseExpression(p);
  p.expect(')');
  const body = parseLoopBody(p);
  p.symbols.pop();
  const { condition, conditionVariable } = test ?? { condition: undefined, conditionVariable: undefined };
  return { kind: 'for', position, initializer, condition, conditionVariable, update, body };
}

function parseWhile(p: Parser): Statement {
  const { position } = p.expect('while');
  p.expect('(');
  p.symbols.push();
  const { condition, conditionVariable } = parseCondition(p);
  p.expect(')');
  const body = parseLoopBody(p);
  p.symbols.pop();
  return { kind: 'while', position, condition, conditionVariable, body };
}

function parseDoWhile(p: Parser): Statement {
  const { position } = p.expect('do');
  p.symbols.push();
  const body = parseLoopBody(p);
  p.symbols.pop();
  p.expect('while');
  p.expect('(');
  const condition = parseExpression(p);
  checkCondition(p, condition);
  p.expect(')');
  p.expect(';');
  return { kind: 'doWhile', position, body, condition };
}

function parseSwitch(p: Parser): Statement {
  const { position } = p.expect('switch');
  p.expect('(');
  const selector = parseExpression(p);
  if (!isError(selector) && !isSwitchType(selector.type)) {
    p.error(position, 'switch', `init-expression must be a scalar integer, not '${selector.type.name}'`);
  }
  p.expect(')');
  p.expect('{');
  p.symbols.push();
  p.switchDepth++;
  const clauses = parseClauses(p, selector);
  p.switchDepth--;
  p.symbols.pop();
  p.expect('}');
  return { kind: 'switch', position, selector, clauses };
}

interface OpenClause {
  labels: (number | 'default')[];
  statements: Statement[];
  isEmpty: boolean;
}

function parseClauses(p: Parser, selector: Expression): SwitchClause[] {
  const clauses: OpenClause[] = [];
  const seen = new Set<number | 'default'>();
  let current: OpenClause | undefined;
  while (p.token.text !== '}') {
    const { text, position, kind } = p.token;
    if (kind === TokenKind.end) p.syntaxError();
    if (text === 'case' || text === 'default') {
      if (current === undefined || !current.isEmpty) {
        current = { labels: [], statements: [], isEmpty: true };
        clauses.push(current);
      }
      const label = parseLabel(p, selector);
      if (label !== undefined && seen.has(label)) p.error(position, text, `duplicate label '${label}'`);
      if (label !== undefined) {
        seen.add(label);
        current.labels.push(label);
      }
      continue;
    }
    if (current === undefined) {
      p.diagnostics.fatal(position, text, 'statement before the first label of a switch');
    }
    current.isEmpty = false;
    const statement = parseStatement(p);
    if (statement !== undefined) current.statements.push(statement);
  }
  if (current?.isEmpty)
    p.error(p.token.position, 'switch', 'no statement between the last label and the end of the switch');
  return clauses;
}

function parseLabel(p: Parser, selector: Expression): number | 'default' | undefined {
  const { text, position } = p.advance();
  if (text === 'default') {
    p.expect(':');
    return 'default';
  }
  const label = parseCaseLabel(p);
  p.expect(':');
  if (isError(label) || isError(selector)) return undefined;
  if (label.type !== selector.type) {
    p.error(position, 'case', `label type '${label.type.name}' does not match switch type '${selector.type.name}'`);
    return undefined;
  }
  return label.constant?.[0];
}

function parseJump(p: Parser, kind: 'break' | 'continue' | 'discard'): Statement {
  const { position } = p.advance();
  if (kind === 'discard' && p.stage !== 'fragment') p.error(position, kind, 'only allowed in fragment shaders');
  if (kind === 'continue' && p.loopDepth === 0) p.error(position, kind, 'only allowed in loops');
  if (kind === 'break' && p.loopDepth === 0 && p.switchDepth === 0) {
    p.error(position, kind, 'only allowed in loops and switch statements');
  }
  p.expect(';');
  return { kind, position };
}

function parseReturn(p: Parser): Statement {
  const { position } = p.expect('return');
  const returnType = p.currentFunction?.returnType ?? VOID;
  if (p.accept(';')) {
    if (returnType !== VOID) p.error(position, 'return', 'non-void function must return a value');
    return { kind: 'return', position, value: undefined };
  }
  const value = parseExpression(p);
  p.expect(';');
  if (returnType === VOID) p.error(position, 'return', 'void function cannot return a value');
  else if (!isError(value) && value.type !== returnType) {
    p.error(
      position,
      'return',
      `function return is not matching type: '${value.type.name}' instead of '${returnType.name}'`,
    );
  }
  return { kind: 'return', position, value };
}
