// What the functions of OES_shader_multisample_interpolation take: an input variable or an element of one, nothing computed.

import type { Expression, VariableSymbol } from './ast.ts';

export function isInterpolationFunction(name: string): boolean {
  return name.startsWith('interpolateAt');
}

export interface Interpolant {
  readonly symbol: VariableSymbol;
  /** Index of the array's element. */
  readonly index: Expression | undefined;
}

export function interpolant(expression: Expression): Interpolant | undefined {
  if (expression.kind === 'index' && expression.object.type.kind === 'array') {
    const array = interpolant(expression.object);
    return array && { symbol: array.symbol, index: expression.index };
  }
  if (expression.kind !== 'variable' || expression.symbol.storage !== 'in' || expression.symbol.isBuiltin)
    return undefined;
  return { symbol: expression.symbol, index: undefined };
}
