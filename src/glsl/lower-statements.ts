// Statements → structured control flow.
// SPDX-License-Identifier: MIT
import { TooComplexError } from '../base/too-complex.ts';
import type {
  DeclarationStatement,
  DoWhileStatement,
  Expression,
  ForStatement,
  IfStatement,
  JumpStatement,
  ReturnStatement,
  Statement,
  VariableSymbol,
  WhileStatement,
} from './ast.ts';
import { type FunctionInstance, type LowerContext, variableOf } from './lower-context.ts';
import { lowerEffect, lowerVector, storeExpression } from './lower-expressions.ts';
import { variablePlace } from './lower-places.ts';
import { lowerSwitch } from './lower-switch.ts';
import { irTypeOf } from './lower-values.ts';
import { BOOL } from './types.ts';

/** Lowers the body of a function instance. */
export function lowerFunctionBody(ctx: LowerContext, instance: FunctionInstance): void {
  ctx.current = instance;
  ctx.jumps = [];
  ctx.b.setFunction(instance.function);
  if (instance.symbol.body === undefined) throw new Error(`${instance.symbol.name} has no body`);
  lowerStatement(ctx, instance.symbol.body);
}

function lowerStatement(ctx: LowerContext, statement: Statement): void {
  switch (statement.kind) {
    case 'block':
      for (const inner of statement.statements) {
        lowerStatement(ctx, inner);
        // The rest cannot be reached. (`break` of a switch may emit no jump, so the rest must not be emitted either.)
        if (inner.kind === 'break' || inner.kind === 'continue' || inner.kind === 'return') break;
      }
      return;
    case 'declaration':
      return lowerDeclaration(ctx, statement);
    case 'expression':
      return lowerEffect(ctx, statement.expression);
    case 'if':
      return lowerIf(ctx, statement);
    case 'for':
      return lowerFor(ctx, statement);
    case 'while':
      return lowerWhile(ctx, statement);
    case 'doWhile':
      return lowerDoWhile(ctx, statement);
    case 'switch':
      return lowerSwitch(ctx, statement, lowerStatement);
    case 'return':
      return lowerReturn(ctx, statement);
    case 'discard':
      ctx.b.discard();
      return;
    case 'break':
    case 'continue':
      return lowerJump(ctx, statement);
  }
}

function lowerDeclaration(ctx: LowerContext, statement: DeclarationStatement): void {
  for (const symbol of statement.variables) {
    if (symbol.initializer === undefined || symbol.storage === 'const') continue;
    storeExpression(ctx, variablePlace(variableOf(ctx, symbol), symbol.type), symbol.initializer);
  }
}

function lowerIf(ctx: LowerContext, statement: IfStatement): void {
  const { condition, thenBranch, elseBranch } = statement;
  if (condition.constant !== undefined) {
    const taken = condition.constant[0] !== 0 ? thenBranch : elseBranch;
    if (taken !== undefined) lowerStatement(ctx, taken);
    return;
  }
  ctx.b.if(
    lowerVector(ctx, condition),
    () => lowerStatement(ctx, thenBranch),
    elseBranch && (() => lowerStatement(ctx, elseBranch)),
  );
}

/** Leaves the innermost loop when the condition does not hold. */
function breakUnless(ctx: LowerContext, condition: Expression, variable: VariableSymbol | undefined): void {
  const { b } = ctx;
  if (variable !== undefined) storeExpression(ctx, variablePlace(variableOf(ctx, variable), BOOL), condition);
  if (condition.constant !== undefined) {
    if (condition.constant[0] === 0) b.break();
    return;
  }
  const holds = variable === undefined ? lowerVector(ctx, condition) : b.loadVar(variableOf(ctx, variable), []);
  b.if(b.lnot(holds), () => b.break());
}

function lowerFor(ctx: LowerContext, statement: ForStatement): void {
  const { initializer, condition, conditionVariable, update, body } = statement;
  if (initializer !== undefined) lowerStatement(ctx, initializer);
  if (condition?.constant !== undefined && condition.constant[0] === 0) return;
  ctx.b.loop(
    () => {
      if (condition !== undefined) breakUnless(ctx, condition, conditionVariable);
      lowerLoopBody(ctx, body);
    },
    update && (() => lowerEffect(ctx, update)),
  );
}

function lowerWhile(ctx: LowerContext, statement: WhileStatement): void {
  const { condition, conditionVariable, body } = statement;
  if (condition.constant !== undefined && condition.constant[0] === 0) return;
  ctx.b.loop(() => {
    breakUnless(ctx, condition, conditionVariable);
    lowerLoopBody(ctx, body);
  });
}

/**
 * The test stands at the end of the body, unless the body has a `continue`: that must reach the test too, and a loop's
 * `continuing` part may not break. Then the test comes first and is skipped in the first iteration.
 */
function lowerDoWhile(ctx: LowerContext, statement: DoWhileStatement): void {
  const { b } = ctx;
  const { condition, body } = statement;
  if (!hasContinue(body)) {
    b.loop(() => {
      lowerLoopBody(ctx, body);
      breakUnless(ctx, condition, undefined);
    });
    return;
  }
  const isFirst = b.temporary('isFirst', irTypeOf(BOOL));
  b.storeVar(isFirst, [], b.constBool(true));
  b.loop(() => {
    b.if(b.lnot(b.loadVar(isFirst, [])), () => breakUnless(ctx, condition, undefined));
    b.storeVar(isFirst, [], b.constBool(false));
    lowerLoopBody(ctx, body);
  });
}

function lowerLoopBody(ctx: LowerContext, body: Statement): void {
  ctx.jumps.push({ kind: 'loop', continueFlag: undefined });
  lowerStatement(ctx, body);
  ctx.jumps.pop();
}

/** Whether a `continue` inside belongs to the loop around the statement. */
function hasContinue(statement: Statement): boolean {
  switch (statement.kind) {
    case 'continue':
      return true;
    case 'block':
      return statement.statements.some(hasContinue);
    case 'if':
      return (
        hasContinue(statement.thenBranch) || (statement.elseBranch !== undefined && hasContinue(statement.elseBranch))
      );
    case 'switch':
      return statement.clauses.some((clause) => clause.statements.some(hasContinue));
    default:
      return false;
  }
}

function lowerReturn(ctx: LowerContext, statement: ReturnStatement): void {
  const { result, symbol } = ctx.current;
  if (statement.value !== undefined) {
    if (result === undefined) lowerEffect(ctx, statement.value);
    else storeExpression(ctx, variablePlace(result, symbol.returnType), statement.value);
  }
  ctx.b.return();
}

/** See `lower-switch.ts` for what jumps mean inside of a switch. */
function lowerJump(ctx: LowerContext, statement: JumpStatement): void {
  const { b, jumps } = ctx;
  let depth = jumps.length - 1;
  const innermost = jumps[depth];
  if (innermost === undefined) throw new Error(`${statement.kind} outside of a loop`);
  if (statement.kind === 'break') {
    // The end of a clause of a switch without loop: nothing follows that could run.
    if (innermost.kind !== 'switchTail') b.break();
    return;
  }
  // Leave the loops that stand for switches first; each looks at its flag behind its end.
  while (depth >= 0 && jumps[depth].kind === 'switchTail') depth--;
  const target = jumps[depth];
  if (target === undefined) throw new Error('continue outside of a loop');
  if (target.kind === 'loop') {
    b.continue();
    return;
  }
  if (target.continueFlag === undefined) throw new TooComplexError('continue in a switch that expected none');
  b.storeVar(target.continueFlag, [], b.constBool(true));
  b.break();
}
