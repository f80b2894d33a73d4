// Makes expression nodes, keeping their depth bounded and accounting for folded values.

import {
  type ConstantExpression,
  type ConstantValue,
  type Expression,
  MAX_EXPRESSION_DEPTH,
  type SourcePosition,
  type VariableExpression,
  type VariableSymbol,
} from './ast.ts';
import type { Parser } from './parser.ts';
import { ERROR_TYPE, INT, isNumeric, type Type, UINT } from './types.ts';

export function constantNode(
  p: Parser,
  type: Type,
  constant: ConstantValue,
  position: SourcePosition,
): ConstantExpression {
  if (constant.length > 16) p.spendFolding(constant.length);
  return { kind: 'constant', type, position, constant, depth: 1 };
}

const NO_VALUE: ConstantValue = [];

/** Stands for an expression that has been complained about. */
export function errorNode(position: SourcePosition): ConstantExpression {
  return { kind: 'constant', type: ERROR_TYPE, position, constant: NO_VALUE, depth: 1 };
}

export function isError(expression: Expression): boolean {
  return expression.type === ERROR_TYPE;
}

/** Depth of a node above these. */
export function depthAbove(p: Parser, position: SourcePosition, ...children: readonly Expression[]): number {
  let depth = 0;
  for (const child of children) if (child.depth > depth) depth = child.depth;
  if (depth >= MAX_EXPRESSION_DEPTH) p.tooComplex(position, '', 'expression');
  return depth + 1;
}

export function variableNode(
  p: Parser,
  symbol: VariableSymbol,
  position: SourcePosition,
): VariableExpression | ConstantExpression {
  symbol.isStaticallyUsed = true;
  if (symbol.block !== undefined) symbol.block.isStaticallyUsed = true;
  if (symbol.constant !== undefined && isNumeric(symbol.type)) {
    return constantNode(p, symbol.type, symbol.constant, position);
  }
  return { kind: 'variable', type: symbol.type, position, constant: symbol.constant, depth: 1, symbol };
}

export function isIntegerScalar(type: Type): boolean {
  return type === INT || type === UINT;
}

/** The variable that a chain of members, indices and swizzles starts from. */
export function rootVariable(expression: Expression): VariableSymbol | undefined {
  let node = expression;
  while (node.kind === 'member' || node.kind === 'index' || node.kind === 'swizzle') node = node.object;
  return node.kind === 'variable' ? node.symbol : undefined;
}
