// Constructors and function calls (GLSL ES 3.00 §5.4, §6.1).

import type { BuiltinFunction, Expression, FunctionSymbol, SourcePosition } from './ast.ts';
import { extensionOfFunction, overloadKey } from './builtin-functions.ts';
import { checkLvalue } from './check-operators.ts';
import { foldBuiltin } from './constant-builtins.ts';
import { foldConstructor } from './constant-fold.ts';
import { constantNode, depthAbove, errorNode, isError } from './expressions.ts';
import { interpolant, isInterpolationFunction } from './interpolant.ts';
import type { Parser } from './parser.ts';
import type { Token } from './tokens.ts';
import { isNumeric, type NumericType, type StructType, type Type } from './types.ts';

function constantValues(list: readonly Expression[]): (readonly number[])[] | undefined {
  const values: (readonly number[])[] = [];
  for (const { constant } of list) {
    if (constant === undefined) return undefined;
    values.push(constant);
  }
  return values;
}

// ---- constructors -------------------------------------------------------------------------------------------------

/** Why numbers cannot be constructed from these arguments, or undefined if they can. */
function numericProblem(type: NumericType, list: readonly Expression[]): string | undefined {
  const wanted = type.rows * type.columns;
  let count = 0;
  for (const { type: argument } of list) {
    if (!isNumeric(argument)) return `cannot convert from '${argument.name}'`;
    if (argument.kind === 'matrix' && type.kind === 'matrix') {
      if (list.length > 1) return 'a matrix argument must be the only argument of a matrix constructor';
      return undefined;
    }
    if (count >= wanted) return 'too many arguments';
    count += argument.rows * argument.columns;
  }
  const isSplat = list.length === 1 && list[0].type.kind === 'scalar';
  return count < wanted && !isSplat ? 'not enough data provided for construction' : undefined;
}

function aggregateProblem(elements: readonly Type[], list: readonly Expression[]): string | undefined {
  if (list.length !== elements.length) {
    return `wrong number of arguments: ${elements.length} expected, ${list.length} given`;
  }
  const wrong = list.findIndex((argument, index) => argument.type !== elements[index]);
  if (wrong < 0) return undefined;
  return `argument ${wrong + 1}: cannot convert from '${list[wrong].type.name}' to '${elements[wrong].name}'`;
}

function constructorProblem(type: Type, list: readonly Expression[]): string | undefined {
  switch (type.kind) {
    case 'struct':
      return aggregateProblem(memberTypes(type), list);
    case 'array':
      return aggregateProblem(new Array<Type>(list.length === type.size ? type.size : 0).fill(type.element), list);
    case 'scalar':
    case 'vector':
    case 'matrix':
      if (list.length === 0) return 'constructor does not have any arguments';
      return numericProblem(type, list);
    default:
      return 'cannot be constructed';
  }
}

function memberTypes(type: StructType): Type[] {
  return type.members.map((member) => member.type);
}

export function makeConstructor(
  p: Parser,
  type: Type,
  list: readonly Expression[],
  position: SourcePosition,
): Expression {
  if (list.some(isError)) return errorNode(position);
  if (type.kind === 'array' && list.length !== type.size) {
    p.error(position, type.name, `wrong number of arguments: ${type.size} expected, ${list.length} given`);
    return errorNode(position);
  }
  const problem = constructorProblem(type, list);
  if (problem !== undefined) {
    p.error(position, type.name, `constructor: ${problem}`);
    return errorNode(position);
  }
  const values = constantValues(list);
  if (values !== undefined) {
    const types = list.map((argument) => argument.type);
    return constantNode(p, type, foldConstructor(type, types, values), position);
  }
  const depth = depthAboveList(p, list, position);
  return { kind: 'construct', type, position, constant: undefined, depth, arguments: list };
}

function depthAboveList(p: Parser, list: readonly Expression[], position: SourcePosition): number {
  let deepest = list[0];
  for (const argument of list) if (argument.depth > deepest.depth) deepest = argument;
  return deepest === undefined ? 1 : depthAbove(p, position, deepest);
}

// ---- calls --------------------------------------------------------------------------------------------------------

function checkOffset(p: Parser, builtin: BuiltinFunction, list: readonly Expression[], position: SourcePosition): void {
  const index = builtin.texture?.roles.indexOf('offset') ?? -1;
  if (index < 0) return;
  const { constant } = list[index];
  if (constant === undefined) {
    p.error(position, builtin.name, 'texture offset must be a constant expression');
    return;
  }
  const { minProgramTexelOffset: low, maxProgramTexelOffset: high } = p.limits;
  for (const component of constant) {
    if (component < low || component > high) {
      p.error(position, builtin.name, `texture offset ${component} is outside of [${low}, ${high}]`);
    }
  }
}

function makeBuiltinCall(
  p: Parser,
  builtin: BuiltinFunction,
  list: readonly Expression[],
  position: SourcePosition,
): Expression {
  for (let index = 0; index < list.length; index++) {
    if (builtin.directions[index] === 'in') continue;
    if (!checkLvalue(p, list[index], builtin.name, position)) return errorNode(position);
  }
  if (builtin.texture !== undefined) checkOffset(p, builtin, list, position);
  if (isInterpolationFunction(builtin.name) && interpolant(list[0]) === undefined) {
    p.error(position, builtin.name, 'the interpolant must be an input variable or an element of one');
    return errorNode(position);
  }
  const values = constantValues(list);
  const folded = values === undefined ? undefined : foldBuiltin(builtin, values);
  if (folded !== undefined) return constantNode(p, builtin.returnType, folded, position);
  const depth = depthAboveList(p, list, position);
  return { kind: 'builtin', type: builtin.returnType, position, constant: undefined, depth, builtin, arguments: list };
}

function makeUserCall(
  p: Parser,
  callee: FunctionSymbol,
  list: readonly Expression[],
  position: SourcePosition,
): Expression {
  for (let index = 0; index < list.length; index++) {
    if (callee.parameters[index].direction === 'in') continue;
    if (!checkLvalue(p, list[index], callee.name, position)) return errorNode(position);
  }
  p.currentFunction?.callees.add(callee);
  const depth = depthAboveList(p, list, position);
  return { kind: 'call', type: callee.returnType, position, constant: undefined, depth, callee, arguments: list };
}

/** A call `name(list)`; `name` is an identifier. */
export function makeCall(p: Parser, name: Token, list: readonly Expression[]): Expression {
  const { text, position } = name;
  const entry = p.symbols.lookup(text);
  if (entry?.kind === 'struct') return makeConstructor(p, entry.type, list, position);
  if (list.some(isError)) return errorNode(position);
  if (entry !== undefined && entry.kind !== 'functions') {
    p.error(position, text, 'function name expected');
    return errorNode(position);
  }
  const types = list.map((argument) => argument.type);
  const key = overloadKey(types);
  const user = entry?.overloads.get(key);
  // The types must be the same, not only of the same name: a struct can hide another struct.
  if (user?.parameters.every((parameter, index) => parameter.type === types[index])) {
    return makeUserCall(p, user, list, position);
  }
  const overloads = p.builtins.overloads(text);
  const builtin = overloads.get(key);
  if (builtin?.parameterTypes.every((type, index) => type === types[index])) {
    return makeBuiltinCall(p, builtin, list, position);
  }
  const signature = `${text}(${types.map((type) => type.name).join(', ')})`;
  if (entry !== undefined || overloads.size > 0) {
    p.error(position, text, `no matching overloaded function found for ${signature}`);
  } else {
    const extension = extensionOfFunction(text, p.version, p.stage);
    const hint = extension === undefined ? '' : ` (needs #extension ${extension} : enable)`;
    p.error(position, text, `no matching function: undeclared identifier${hint}`);
  }
  return errorNode(position);
}
