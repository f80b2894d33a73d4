// GLSL ES 1.00 Appendix A: the loops and index expressions that WebGL 1 limits shaders to, and the rule on sampler
// arrays that every profile keeps (an index there must be a constant-index-expression).

import type { CheckedShader, Expression, ForStatement, Statement, VariableSymbol } from './ast.ts';
import type { Diagnostics } from './diagnostics.ts';
import { rootVariable } from './expressions.ts';
import type { ScalarType, Type } from './types.ts';
import { expressionChildren, statementChildren, statementExpressions } from './walk.ts';

class LimitationChecker {
  private readonly shader: CheckedShader;
  private readonly diagnostics: Diagnostics;
  private readonly isStrict: boolean;
  /** Index variables of the loops around the current place. */
  private readonly loopIndices = new Set<VariableSymbol>();

  constructor(shader: CheckedShader, diagnostics: Diagnostics) {
    this.shader = shader;
    this.diagnostics = diagnostics;
    this.isStrict = shader.profile === 'webgl';
  }

  run(): void {
    for (const { body } of this.shader.functions) if (body !== undefined) this.visitStatement(body);
  }

  private visitStatement(statement: Statement): void {
    for (const expression of statementExpressions(statement)) this.visitExpression(expression);
    if (statement.kind === 'for') return this.visitFor(statement);
    if (this.isStrict && (statement.kind === 'while' || statement.kind === 'doWhile')) {
      const keyword = statement.kind === 'while' ? 'while' : 'do';
      this.diagnostics.error(statement.position, keyword, 'this type of loop is not allowed in WebGL 1');
    }
    for (const child of statementChildren(statement)) this.visitStatement(child);
  }

  private visitFor(statement: ForStatement): void {
    const index = this.loopIndex(statement);
    if (index !== undefined) this.loopIndices.add(index);
    for (const child of statementChildren(statement)) this.visitStatement(child);
    if (index !== undefined) this.loopIndices.delete(index);
  }

  /** The index of a loop in the limited form; complains about others where they are not allowed. */
  private loopIndex(statement: ForStatement): VariableSymbol | undefined {
    const variable = declaredIndex(statement);
    if (variable === undefined) {
      this.complain(statement.position, 'for', 'loop must declare and initialize its index with a constant expression');
      return undefined;
    }
    if (!isLimitedCondition(statement.condition, variable)) {
      this.complain(statement.position, 'for', 'loop condition must compare the index with a constant expression');
      return undefined;
    }
    if (!isLimitedUpdate(statement.update, variable)) {
      this.complain(statement.position, 'for', 'loop must change its index by a constant in the loop header');
      return undefined;
    }
    if (isAssignedIn(statement.body, variable)) {
      this.complain(statement.position, variable.name, 'loop index cannot be modified inside of the loop');
      return undefined;
    }
    return variable;
  }

  private complain(position: number, token: string, message: string): void {
    if (this.isStrict) this.diagnostics.error(position, token, message);
  }

  private visitExpression(node: Expression): void {
    if (node.kind === 'index') this.checkIndex(node.object, node.index);
    for (const child of expressionChildren(node)) this.visitExpression(child);
  }

  private checkIndex(object: Expression, index: Expression): void {
    const isSampler = object.type.kind === 'array' && object.type.element.kind === 'sampler';
    const isFreeUniform = !isSampler && this.shader.stage === 'vertex' && rootVariable(object)?.storage === 'uniform';
    if (isFreeUniform || (!isSampler && !this.isStrict)) return;
    if (!this.isConstantIndex(index)) {
      this.diagnostics.error(index.position, '[]', 'index expression must be a constant-index-expression');
    }
  }

  /** Made of constants and loop indices only. */
  private isConstantIndex(root: Expression): boolean {
    const stack = [root];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node.constant !== undefined) continue;
      if (node.kind === 'variable' && !this.loopIndices.has(node.symbol)) return false;
      if (node.kind === 'call' || node.kind === 'assign' || node.kind === 'increment') return false;
      for (const child of expressionChildren(node)) stack.push(child);
    }
    return true;
  }
}

function declaredIndex({ initializer }: ForStatement): VariableSymbol | undefined {
  if (initializer?.kind !== 'declaration' || initializer.variables.length !== 1) return undefined;
  const [variable] = initializer.variables;
  const isConstant = variable.initializer?.constant !== undefined;
  return isConstant && isLoopType(variable.type) ? variable : undefined;
}

function isLoopType(type: Type): type is ScalarType {
  return type.kind === 'scalar' && (type.base === 'int' || type.base === 'float');
}

const COMPARISONS = new Set(['<', '>', '<=', '>=', '==', '!=']);

function isLimitedCondition(condition: Expression | undefined, variable: VariableSymbol): boolean {
  if (condition?.kind !== 'binary' || !COMPARISONS.has(condition.operator)) return false;
  return isVariable(condition.left, variable) && condition.right.constant !== undefined;
}

function isLimitedUpdate(update: Expression | undefined, variable: VariableSymbol): boolean {
  if (update?.kind === 'increment') return isVariable(update.operand, variable);
  if (update?.kind !== 'assign' || (update.operator !== '+' && update.operator !== '-')) return false;
  return isVariable(update.target, variable) && update.value.constant !== undefined;
}

function isVariable(expression: Expression, variable: VariableSymbol): boolean {
  return expression.kind === 'variable' && expression.symbol === variable;
}

/** Whether some statement changes the variable (or hands it to an out parameter). */
function isAssignedIn(body: Statement, variable: VariableSymbol): boolean {
  const statements = [body];
  for (let statement = statements.pop(); statement !== undefined; statement = statements.pop()) {
    for (const expression of statementExpressions(statement)) {
      if (isAssignedBy(expression, variable)) return true;
    }
    for (const child of statementChildren(statement)) statements.push(child);
  }
  return false;
}

function isAssignedBy(root: Expression, variable: VariableSymbol): boolean {
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.kind === 'assign' && rootVariable(node.target) === variable) return true;
    if (node.kind === 'increment' && rootVariable(node.operand) === variable) return true;
    if (node.kind === 'call') {
      const { callee, arguments: list } = node;
      const isOutput = (_: Expression, index: number) => callee.parameters[index].direction !== 'in';
      if (list.filter(isOutput).some((argument) => rootVariable(argument) === variable)) return true;
    }
    for (const child of expressionChildren(node)) stack.push(child);
  }
  return false;
}

/** For shaders of version 100. */
export function checkLimitations(shader: CheckedShader, diagnostics: Diagnostics): void {
  new LimitationChecker(shader, diagnostics).run();
}
