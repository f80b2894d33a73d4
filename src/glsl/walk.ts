// Direct children of statements and expressions, for walks that look at everything.

import type { Expression, Statement, VariableSymbol } from './ast.ts';

const NONE: readonly never[] = [];

export function expressionChildren(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'constant':
    case 'variable':
      return NONE;
    case 'member':
    case 'swizzle':
      return [expression.object];
    case 'index':
      return [expression.object, expression.index];
    case 'unary':
    case 'increment':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'assign':
      return [expression.target, expression.value];
    case 'conditional':
      return [expression.condition, expression.whenTrue, expression.whenFalse];
    case 'comma':
      return expression.expressions;
    default:
      return expression.arguments;
  }
}

/** The expressions that stand directly in a statement, not those of statements inside it. */
export function statementExpressions(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case 'declaration':
      return initializersOf(statement.variables);
    case 'expression':
      return [statement.expression];
    case 'if':
    case 'while':
    case 'doWhile':
      return [statement.condition];
    case 'for':
      return [statement.condition, statement.update].filter((expression) => expression !== undefined);
    case 'switch':
      return [statement.selector];
    case 'return':
      return statement.value === undefined ? NONE : [statement.value];
    default:
      return NONE;
  }
}

function initializersOf(variables: readonly VariableSymbol[]): Expression[] {
  return variables.map(({ initializer }) => initializer).filter((initializer) => initializer !== undefined);
}

export function statementChildren(statement: Statement): readonly Statement[] {
  switch (statement.kind) {
    case 'block':
      return statement.statements;
    case 'if':
      return statement.elseBranch === undefined ? [statement.thenBranch] : [statement.thenBranch, statement.elseBranch];
    case 'for':
      return statement.initializer === undefined ? [statement.body] : [statement.initializer, statement.body];
    case 'while':
    case 'doWhile':
      return [statement.body];
    case 'switch':
      return statement.clauses.flatMap((clause) => clause.statements);
    default:
      return NONE;
  }
}
