// Operators: which operand types they take, what they give, and l-values (GLSL ES 1.00 §5, GLSL ES 3.00 §5).

import type { ArithmeticOperator, BinaryOperator, Expression, SourcePosition } from './ast.ts';
import { foldBinary, foldUnary } from './constant-fold.ts';
import { constantNode, depthAbove, errorNode, isError, isIntegerScalar } from './expressions.ts';
import type { Parser } from './parser.ts';
import {
  BOOL,
  containsArray,
  containsSampler,
  isNumeric,
  isScalarOrVector,
  leafCount,
  matrixType,
  type NumericType,
  type Type,
  vectorType,
} from './types.ts';

/** Operators that GLSL ES 1.00 reserves (§5.1). */
const RESERVED_IN_100 = new Set(['%', '<<', '>>', '&', '|', '^', '~']);

function checkReservedOperator(p: Parser, operator: string, position: SourcePosition): void {
  const bare = operator.length > 1 && operator.endsWith('=') ? operator.slice(0, -1) : operator;
  if (p.version === 100 && RESERVED_IN_100.has(bare)) {
    p.error(position, operator, 'operator is reserved in GLSL ES 1.00');
  }
}

function isArithmetic(type: Type): type is NumericType {
  return isNumeric(type) && type.base !== 'bool';
}

function isIntegral(type: Type): type is NumericType {
  return isScalarOrVector(type) && (type.base === 'int' || type.base === 'uint');
}

/** Equal types, or a scalar with something of the same base: the type of the larger. */
function widenedType(left: NumericType, right: NumericType): Type | undefined {
  if (left === right) return left;
  if (left.base !== right.base) return undefined;
  if (left.kind === 'scalar') return right;
  return right.kind === 'scalar' ? left : undefined;
}

function productType(left: NumericType, right: NumericType): Type | undefined {
  if (left.kind === 'matrix' && right.kind === 'vector') {
    return right.base === 'float' && left.columns === right.rows ? vectorType('float', left.rows) : undefined;
  }
  if (left.kind === 'vector' && right.kind === 'matrix') {
    return left.base === 'float' && left.rows === right.rows ? vectorType('float', right.columns) : undefined;
  }
  if (left.kind === 'matrix' && right.kind === 'matrix') {
    return left.columns === right.rows ? matrixType(right.columns, left.rows) : undefined;
  }
  return widenedType(left, right);
}

function shiftType(left: NumericType, right: NumericType): Type | undefined {
  if (right.kind === 'scalar') return left;
  return left.rows === right.rows ? left : undefined;
}

function isComparable(p: Parser, type: Type): boolean {
  if (type.kind === 'void' || containsSampler(type)) return false;
  if (type.kind === 'struct' && type.isBlock) return false;
  return p.version === 300 || !containsArray(type);
}

/** The type of `left operator right`, or undefined if there is no such operation. */
function binaryType(p: Parser, operator: BinaryOperator, left: Type, right: Type): Type | undefined {
  switch (operator) {
    case '==':
    case '!=':
      return left === right && isComparable(p, left) ? BOOL : undefined;
    case '&&':
    case '||':
    case '^^':
      return left === BOOL && right === BOOL ? BOOL : undefined;
    case '<':
    case '>':
    case '<=':
    case '>=':
      return left === right && left.kind === 'scalar' && left !== BOOL ? BOOL : undefined;
    case '+':
    case '-':
    case '/':
      return isArithmetic(left) && isArithmetic(right) ? widenedType(left, right) : undefined;
    case '*':
      return isArithmetic(left) && isArithmetic(right) ? productType(left, right) : undefined;
    case '<<':
    case '>>':
      return isIntegral(left) && isIntegral(right) ? shiftType(left, right) : undefined;
    default:
      return isIntegral(left) && isIntegral(right) ? widenedType(left, right) : undefined;
  }
}

function reportOperands(
  p: Parser,
  position: SourcePosition,
  operator: string,
  left: Expression,
  right: Expression,
): void {
  const message = `wrong operand types: no operation takes '${left.type.name}' on the left and '${right.type.name}' on the right`;
  p.error(position, operator, message);
}

export function makeBinary(
  p: Parser,
  operator: BinaryOperator,
  left: Expression,
  right: Expression,
  position: SourcePosition,
): Expression {
  if (isError(left) || isError(right)) return errorNode(position);
  checkReservedOperator(p, operator, position);
  const type = binaryType(p, operator, left.type, right.type);
  if (type === undefined) {
    reportOperands(p, position, operator, left, right);
    return errorNode(position);
  }
  if (left.constant !== undefined && right.constant !== undefined) {
    if ((operator === '/' || operator === '%') && isIntegral(left.type) && right.constant.includes(0)) {
      p.diagnostics.warning(position, operator, 'division by zero in a constant expression');
    }
    const value = foldBinary(operator, left.type, left.constant, right.type, right.constant);
    return constantNode(p, type, value, position);
  }
  const depth = depthAbove(p, position, left, right);
  return { kind: 'binary', type, position, constant: undefined, depth, operator, left, right };
}

export function makeUnary(
  p: Parser,
  operator: '+' | '-' | '!' | '~',
  operand: Expression,
  position: SourcePosition,
): Expression {
  if (isError(operand)) return errorNode(position);
  checkReservedOperator(p, operator, position);
  const { type } = operand;
  const isValid = operator === '!' ? type === BOOL : operator === '~' ? isIntegral(type) : isArithmetic(type);
  if (!isValid) {
    p.error(position, operator, `wrong operand type: no operation takes '${type.name}'`);
    return errorNode(position);
  }
  if (operator === '+') {
    // Not an l-value any more.
    if (operand.constant !== undefined) return operand;
    const depth = depthAbove(p, position, operand);
    return { kind: 'comma', type, position, constant: undefined, depth, expressions: [operand] };
  }
  if (operand.constant !== undefined) {
    return constantNode(p, type, foldUnary(operator, type as NumericType, operand.constant), position);
  }
  const depth = depthAbove(p, position, operand);
  return { kind: 'unary', type, position, constant: undefined, depth, operator, operand };
}

// ---- l-values -----------------------------------------------------------------------------------------------------

const STORAGE_NAMES: Readonly<Record<string, string>> = {
  const: 'a const variable',
  uniform: 'a uniform',
  in: 'a shader input',
  parameter: 'a const parameter',
};

/** Why the expression cannot be assigned to, or undefined if it can. */
function whyNotAssignable(expression: Expression): string | undefined {
  let node = expression;
  for (;;) {
    switch (node.kind) {
      case 'variable': {
        const { symbol } = node;
        if (containsSampler(node.type)) return 'samplers cannot be modified';
        if (!symbol.isReadOnly) return undefined;
        return `cannot modify ${STORAGE_NAMES[symbol.storage] ?? 'it'} ('${symbol.name}')`;
      }
      case 'swizzle':
        if (new Set(node.components).size !== node.components.length) return 'a component is named twice';
        node = node.object;
        break;
      case 'member':
      case 'index':
        node = node.object;
        break;
      case 'constant':
        return 'cannot modify a constant';
      default:
        return 'not a variable';
    }
  }
}

/** Checks that the expression can be assigned to, and notes that its variable is. */
export function checkLvalue(p: Parser, expression: Expression, operator: string, position: SourcePosition): boolean {
  const reason = whyNotAssignable(expression);
  if (reason !== undefined) {
    p.error(position, operator, `l-value required: ${reason}`);
    return false;
  }
  let node = expression;
  while (node.kind === 'member' || node.kind === 'index' || node.kind === 'swizzle') node = node.object;
  if (node.kind === 'variable') node.symbol.isStaticallyAssigned = true;
  return true;
}

export function makeAssignment(
  p: Parser,
  operator: ArithmeticOperator | undefined,
  target: Expression,
  value: Expression,
  position: SourcePosition,
): Expression {
  const text = operator === undefined ? '=' : `${operator}=`;
  if (operator !== undefined) checkReservedOperator(p, text, position);
  if (isError(target) || isError(value)) return errorNode(position);
  if (!checkLvalue(p, target, text, position)) return errorNode(position);
  if (operator === undefined) {
    if (target.type !== value.type) {
      p.error(position, text, `cannot convert from '${value.type.name}' to '${target.type.name}'`);
      return errorNode(position);
    }
    if (p.version === 100 && containsArray(target.type)) {
      p.error(position, text, 'arrays and structs with arrays cannot be assigned in GLSL ES 1.00');
      return errorNode(position);
    }
  } else if (binaryType(p, operator, target.type, value.type) !== target.type) {
    reportOperands(p, position, text, target, value);
    return errorNode(position);
  }
  const depth = depthAbove(p, position, target, value);
  return { kind: 'assign', type: target.type, position, constant: undefined, depth, operator, target, value };
}

export function makeIncrement(
  p: Parser,
  operator: '++' | '--',
  isPrefix: boolean,
  operand: Expression,
  position: SourcePosition,
): Expression {
  if (isError(operand)) return errorNode(position);
  if (!isArithmetic(operand.type)) {
    p.error(position, operator, `wrong operand type: no operation takes '${operand.type.name}'`);
    return errorNode(position);
  }
  if (!checkLvalue(p, operand, operator, position)) return errorNode(position);
  const depth = depthAbove(p, position, operand);
  return { kind: 'increment', type: operand.type, position, constant: undefined, depth, operator, isPrefix, operand };
}

// ---- ?: and , -----------------------------------------------------------------------------------------------------

export function makeConditional(
  p: Parser,
  condition: Expression,
  whenTrue: Expression,
  whenFalse: Expression,
  position: SourcePosition,
): Expression {
  if (isError(condition) || isError(whenTrue) || isError(whenFalse)) return errorNode(position);
  const { type } = whenTrue;
  if (condition.type !== BOOL) {
    p.error(position, '?:', 'boolean expression expected');
    return errorNode(position);
  }
  if (type !== whenFalse.type) {
    p.error(position, '?:', `mismatching types '${type.name}' and '${whenFalse.type.name}'`);
    return errorNode(position);
  }
  // WebGL 2 §5.26 leaves out arrays and void; GLSL ES 1.00 has no operators on arrays at all.
  const isRestricted = p.profile === 'webgl' || p.version === 100;
  if (type.kind === 'void' || containsSampler(type) || (isRestricted && containsArray(type))) {
    p.error(position, '?:', `ternary operator is not allowed for '${type.name}'`);
    return errorNode(position);
  }
  if (condition.constant !== undefined && whenTrue.constant !== undefined && whenFalse.constant !== undefined) {
    const chosen = condition.constant[0] !== 0 ? whenTrue : whenFalse;
    return constantNode(p, type, chosen.constant ?? [], position);
  }
  const depth = depthAbove(p, position, condition, whenTrue, whenFalse);
  return { kind: 'conditional', type, position, constant: undefined, depth, condition, whenTrue, whenFalse };
}

export function makeComma(p: Parser, expressions: readonly Expression[], position: SourcePosition): Expression {
  if (expressions.some(isError)) return errorNode(position);
  const last = expressions[expressions.length - 1];
  if (p.version === 300 && p.profile === 'webgl') {
    // WebGL 2 §5.26.
    const wrong = expressions.find(({ type }) => type.kind === 'void' || containsArray(type));
    if (wrong !== undefined) p.error(position, ',', `sequence operator is not allowed for '${wrong.type.name}'`);
  }
  // In GLSL ES 3.00 a sequence never is a constant expression (§4.3.3).
  if (p.version === 100 && expressions.every(({ constant }) => constant !== undefined)) {
    return constantNode(p, last.type, last.constant ?? [], position);
  }
  const depth = depthAbove(p, position, ...expressions);
  return { kind: 'comma', type: last.type, position, constant: undefined, depth, expressions };
}

/** The value of an expression that must be a constant positive integer: an array's size. */
export function constantSize(p: Parser, expression: Expression, position: SourcePosition): number | undefined {
  if (isError(expression)) return undefined;
  if (!isIntegerScalar(expression.type) || expression.constant === undefined) {
    p.error(position, '', 'array size must be a constant integer expression');
    return undefined;
  }
  const size = expression.constant[0];
  if (size <= 0) {
    p.error(position, String(size), 'array size must be greater than zero');
    return undefined;
  }
  return size;
}

/** Most scalars and samplers that one variable may have: more than any device holds, and a bound for our own tables. */
const MAX_LEAVES = 1 << 16;

export function checkTypeSize(p: Parser, type: Type, name: string, position: SourcePosition): void {
  if (leafCount(type) > MAX_LEAVES) {
    p.diagnostics.fatal(position, name, 'size of the declared variable exceeds the implementation-defined limit');
  }
}
