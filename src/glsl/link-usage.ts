// Which variables the code that main can reach names: what GL calls active. (Static use, which GLSL's link rules ask
// about, also counts code that is never called and stands on the symbols themselves.)
// SPDX-License-Identifier: MIT
import type { CheckedShader, Expression, FunctionSymbol, Statement, VariableSymbol } from './ast.ts';

/** Variables named in main, in functions called from there, and in the initialisers of globals found so. */
export function collectUsedVariables(shader: CheckedShader): Set<VariableSymbol> {
  const used = new Set<VariableSymbol>();
  const functions = new Set<FunctionSymbol>([shader.main]);
  const collector = new Collector(used, functions);
  // The set grows while it is iterated: each function is visited once.
  for (const symbol of functions) {
    if (symbol.body !== undefined) collector.statement(symbol.body);
  }
  return used;
}

class Collector {
  readonly #used: Set<VariableSymbol>;
  readonly #functions: Set<FunctionSymbol>;

  constructor(used: Set<VariableSymbol>, functions: Set<FunctionSymbol>) {
    this.#used = used;
    this.#functions = functions;
  }

  statement(statement: Statement): void {
    switch (statement.kind) {
      case 'block':
        for (const inner of statement.statements) this.statement(inner);
        return;
      case 'declaration':
        for (const variable of statement.variables) this.expression(variable.initializer);
        return;
      case 'expression':
        this.expression(statement.expression);
        return;
      case 'if':
        this.expression(statement.condition);
        this.statement(statement.thenBranch);
        if (statement.elseBranch !== undefined) this.statement(statement.elseBranch);
        return;
      case 'for':
        if (statement.initializer !== undefined) this.statement(statement.initializer);
        this.expression(statement.condition);
        this.expression(statement.update);
        this.statement(statement.body);
        return;
      case 'while':
      case 'doWhile':
        this.expression(statement.condition);
        this.statement(statement.body);
        return;
      case 'switch':
        this.expression(statement.selector);
        for (const clause of statement.clauses) for (const inner of clause.statements) this.statement(inner);
        return;
      case 'return':
        this.expression(statement.value);
        return;
    }
  }

  expression(expression: Expression | undefined): void {
    if (expression === undefined || expression.constant !== undefined) return;
    switch (expression.kind) {
      case 'variable':
        this.#variable(expression.symbol);
        return;
      case 'member':
      case 'swizzle':
        this.expression(expression.object);
        return;
      case 'index':
        this.expression(expression.object);
        this.expression(expression.index);
        return;
      case 'unary':
      case 'increment':
        this.expression(expression.operand);
        return;
      case 'binary':
        this.expression(expression.left);
        this.expression(expression.right);
        return;
      case 'assign':
        this.expression(expression.target);
        this.expression(expression.value);
        return;
      case 'conditional':
        this.expression(expression.condition);
        this.expression(expression.whenTrue);
        this.expression(expression.whenFalse);
        return;
      case 'comma':
        for (const part of expression.expressions) this.expression(part);
        return;
      case 'call':
        this.#functions.add(expression.callee);
        for (const argument of expression.arguments) this.expression(argument);
        return;
      case 'construct':
      case 'builtin':
        for (const argument of expression.arguments) this.expression(argument);
        return;
    }
  }

  #variable(symbol: VariableSymbol): void {
    if (this.#used.has(symbol)) return;
    this.#used.add(symbol);
    if (symbol.storage === 'global') this.expression(symbol.initializer);
  }
}
