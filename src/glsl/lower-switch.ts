// `switch`: a row of ifs, one a clause. Which clauses run follows from the selector alone: clause i runs when the selector
// matches it or an earlier clause that falls through to it. Only a `break` in the middle of a clause needs a loop to leave.
// SPDX-License-Identifier: MIT
import type { Value } from '../ir/ir.ts';
import type { Statement, SwitchClause, SwitchStatement } from './ast.ts';
import type { JumpTarget, LowerContext } from './lower-context.ts';
import { lowerVector } from './lower-expressions.ts';
import { irTypeOf } from './lower-values.ts';
import { BOOL } from './types.ts';

type LowerStatement = (ctx: LowerContext, statement: Statement) => void;

export function lowerSwitch(ctx: LowerContext, statement: SwitchStatement, lowerStatement: LowerStatement): void {
  const { b } = ctx;
  const { clauses } = statement;
  const selector = lowerVector(ctx, statement.selector);
  if (clauses.length === 0) return;
  const matches = clauseMatches(ctx, clauses, selector);
  if (!clauses.some((clause) => hasInnerBreak(clause.statements))) {
    lowerClauses(ctx, clauses, matches, { kind: 'switchTail', continueFlag: undefined }, lowerStatement);
    return;
  }
  const mayContinue = clauses.some((clause) => clause.statements.some(containsContinue));
  const continueFlag = mayContinue ? b.temporary('continues', irTypeOf(BOOL)) : undefined;
  if (continueFlag !== undefined) b.storeVar(continueFlag, [], b.constBool(false));
  b.loop(() => {
    lowerClauses(ctx, clauses, matches, { kind: 'switchLoop', continueFlag }, lowerStatement);
    b.break();
  });
  if (continueFlag === undefined) return;
  b.if(b.loadVar(continueFlag, []), () => continueOuter(ctx));
}

/** Goes on with the `continue` that left the switch: to the loop around it, or out of the next switch. */
function continueOuter(ctx: LowerContext): void {
  const outer = ctx.jumps.findLast((jump) => jump.kind !== 'switchTail');
  if (outer?.kind === 'switchLoop') {
    ctx.b.storeVar(outer.continueFlag!, [], ctx.b.constBool(true));
    ctx.b.break();
  } else ctx.b.continue();
}

/** For each clause whether the selector jumps to its labels; the default label takes what no other label does. */
function clauseMatches(ctx: LowerContext, clauses: readonly SwitchClause[], selector: Value): Value[] {
  const { b } = ctx;
  const labelMatch = (clause: SwitchClause): Value | undefined => {
    let result: Value | undefined;
    for (const label of clause.labels) {
      if (label === 'default') continue;
      const same = b.ieq(selector, b.constInt(label));
      result = result === undefined ? same : b.lor(result, same);
    }
    return result;
  };
  const byLabel = clauses.map(labelMatch);
  let any: Value | undefined;
  for (const match of byLabel) {
    if (match !== undefined) any = any === undefined ? match : b.lor(any, match);
  }
  return clauses.map((clause, i) => {
    if (!clause.labels.includes('default')) return byLabel[i] ?? b.constBool(false);
    if (any === undefined) return b.constBool(true);
    const others = b.lnot(any);
    const own = byLabel[i];
    return own === undefined ? others : b.lor(others, own);
  });
}

function lowerClauses(
  ctx: LowerContext,
  clauses: readonly SwitchClause[],
  matches: readonly Value[],
  jump: JumpTarget,
  lowerStatement: LowerStatement,
): void {
  const { b } = ctx;
  let running: Value | undefined;
  ctx.jumps.push(jump);
  for (let i = 0; i < clauses.length; i++) {
    running = running === undefined ? matches[i] : b.lor(running, matches[i]);
    b.if(running, () => {
      for (const statement of clauses[i].statements) {
        lowerStatement(ctx, statement);
        if (isBreakTail(statement)) break;
      }
    });
    if (endsRun(clauses[i].statements)) running = undefined;
  }
  ctx.jumps.pop();
}

/** The clause does not fall through to the next. */
function endsRun(statements: readonly Statement[]): boolean {
  return statements.some((statement) => {
    if (statement.kind === 'block') return endsRun(statement.statements);
    return statement.kind === 'break' || statement.kind === 'continue' || statement.kind === 'return';
  });
}

/** A `break` of the switch as a statement of the clause itself or of a block in it: nothing behind it can run. */
function isBreakTail(statement: Statement): boolean {
  if (statement.kind === 'break') return true;
  return statement.kind === 'block' && statement.statements.some(isBreakTail);
}

/** A `break` that is not the last thing its clause does. */
function hasInnerBreak(statements: readonly Statement[]): boolean {
  for (let i = 0; i < statements.length; i++) {
    const statement = statements[i];
    if (statement.kind === 'break') return false;
    if (statement.kind === 'block') {
      if (hasInnerBreak(statement.statements)) return true;
      if (isBreakTail(statement)) return false;
    } else if (containsBreak(statement)) return true;
  }
  return false;
}

/** A `break` of the enclosing switch somewhere inside. */
function containsBreak(statement: Statement): boolean {
  switch (statement.kind) {
    case 'break':
      return true;
    case 'block':
      return statement.statements.some(containsBreak);
    case 'if':
      return (
        containsBreak(statement.thenBranch) ||
        (statement.elseBranch !== undefined && containsBreak(statement.elseBranch))
      );
    default:
      return false;
  }
}

function containsContinue(statement: Statement): boolean {
  switch (statement.kind) {
    case 'continue':
      return true;
    case 'block':
      return statement.statements.some(containsContinue);
    case 'if':
      return (
        containsContinue(statement.thenBranch) ||
        (statement.elseBranch !== undefined && containsContinue(statement.elseBranch))
      );
    case 'switch':
      return statement.clauses.some((clause) => clause.statements.some(containsContinue));
    default:
      return false;
  }
}
