// Calls of user functions: arguments by value copy in and out, and one specialised function for each set of samplers.
// SPDX-License-Identifier: MIT

import { TooComplexError } from '../base/too-complex.ts';
import * as ir from '../ir/ir.ts';
import { createFunction, createVariable, type Variable } from '../ir/ir.ts';
import type { CallExpression, Expression, FunctionSymbol, VariableSymbol } from './ast.ts';
import type { FunctionInstance, LowerContext, SamplerChoice, SamplerParameter } from './lower-context.ts';
import { loadPlace, type Place, storePlace, variablePlace } from './lower-places.ts';
import { irTypeOf, type Tree } from './lower-values.ts';
import { containsSampler, type Type } from './types.ts';

/** Copies of functions for other samplers in one shader; more means that a shader permutes its samplers without end. */
const MAX_SPECIALISED = 2048;

/** What a call needs of the expression lowering (handed in, since expressions contain calls). */
export interface ExpressionLowering {
  readonly lowerExpression: (ctx: LowerContext, expression: Expression) => Tree;
  readonly placeOf: (ctx: LowerContext, expression: Expression) => Place | undefined;
}

interface PreparedArgument {
  readonly parameter: VariableSymbol;
  /** Copied into before the call and out of after it; undefined for a pure sampler. */
  readonly temporary: Variable | undefined;
  /** Where an out argument goes. */
  readonly target: Place | undefined;
  readonly samplers: SamplerChoice | undefined;
}

/** Calls a function (GLSL ES 3.00.6 §6.1.1): l-values are evaluated once, before the call; copied back in order. */
export function lowerCall(ctx: LowerContext, call: CallExpression, lowering: ExpressionLowering): Tree {
  const { b } = ctx;
  const prepared = call.callee.parameters.map((parameter, i) =>
    prepareArgument(ctx, parameter, call.arguments[i], lowering),
  );
  const instance = instanceOf(ctx, call.callee, prepared);
  const variables: Variable[] = [];
  for (const argument of prepared) {
    if (argument.temporary !== undefined) variables.push(argument.temporary);
    const hidden = instance.samplers.get(argument.parameter)?.offset;
    if (hidden !== undefined) {
      const offset = b.temporary(hidden.name, hidden.type);
      b.storeVar(offset, [], argument.samplers!.offset!);
      variables.push(offset);
    }
  }
  const { returnType } = call.callee;
  const result = instance.result && b.temporary(`${call.callee.name}Result`, instance.result.type);
  if (result !== undefined) variables.push(result);
  b.call(instance.function, variables);
  for (const { target, temporary, parameter } of prepared) {
    if (target !== undefined) storeVariable(ctx, target, temporary!, parameter.type);
  }
  return result === undefined ? [] : loadPlace(ctx, variablePlace(result, returnType));
}

/** Copies a whole variable to a place. */
function storeVariable(ctx: LowerContext, target: Place, source: Variable, type: Type): void {
  const isLarge = type.kind === 'array' || type.kind === 'struct';
  if (isLarge && target.kind === 'variable') ctx.b.copyVar(target.variable, target.path, source, []);
  else storePlace(ctx, target, loadPlace(ctx, variablePlace(source, type)));
}

function prepareArgument(
  ctx: LowerContext,
  parameter: VariableSymbol,
  argument: Expression,
  lowering: ExpressionLowering,
): PreparedArgument {
  const { b } = ctx;
  const { type } = parameter;
  const hasSamplers = containsSampler(type);
  const needsPlace = hasSamplers || parameter.direction !== 'in' || type.kind === 'array' || type.kind === 'struct';
  const place = needsPlace ? lowering.placeOf(ctx, argument) : undefined;
  const leaf = type.kind === 'array' ? type.element : type;
  if (leaf.kind === 'sampler') return { parameter, temporary: undefined, target: undefined, samplers: place?.samplers };
  const temporary = b.temporary(parameter.name, irTypeOf(type));
  if (parameter.direction !== 'out') {
    if (place?.kind === 'variable' && (type.kind === 'array' || type.kind === 'struct')) {
      b.copyVar(temporary, [], place.variable, place.path);
    } else {
      const value = place === undefined ? lowering.lowerExpression(ctx, argument) : loadPlace(ctx, place);
      storePlace(ctx, variablePlace(temporary, type), value);
    }
  }
  const target = parameter.direction === 'in' ? undefined : place;
  return { parameter, temporary, target, samplers: hasSamplers ? place?.samplers : undefined };
}

/** The IR function for these sampler arguments; a new one is queued to be lowered. */
function instanceOf(ctx: LowerContext, symbol: FunctionSymbol, args: readonly PreparedArgument[]): FunctionInstance {
  let key = `${functionNumber(ctx, symbol)}`;
  for (const { samplers } of args) {
    if (samplers === undefined) continue;
    key += `;${samplers.base}:${samplers.offset === undefined ? '' : samplers.candidates.join()}`;
  }
  let instance = ctx.instances.get(key);
  if (instance === undefined) {
    if (ctx.instances.size >= ctx.checked.functions.length + MAX_SPECIALISED) {
      throw new TooComplexError('too many combinations of sampler arguments');
    }
    instance = createInstance(ctx, symbol, args);
    ctx.instances.set(key, instance);
    ctx.pending.push(instance);
  }
  return instance;
}

function functionNumber(ctx: LowerContext, symbol: FunctionSymbol): number {
  let number = ctx.functionNumbers.get(symbol);
  if (number === undefined) {
    number = ctx.functionNumbers.size;
    ctx.functionNumbers.set(symbol, number);
  }
  return number;
}

function createInstance(
  ctx: LowerContext,
  symbol: FunctionSymbol,
  args: readonly PreparedArgument[],
): FunctionInstance {
  const parameters: Variable[] = [];
  const variables = new Map<VariableSymbol, Variable>();
  const samplers = new Map<VariableSymbol, SamplerParameter>();
  for (const { parameter, temporary, samplers: choice } of args) {
    if (temporary !== undefined) {
      const variable = createVariable(parameter.name, temporary.type, parameter.direction, temporary.precision);
      parameters.push(variable);
      variables.set(parameter, variable);
    }
    if (choice === undefined) continue;
    let offset: Variable | undefined;
    if (choice.offset !== undefined) {
      offset = createVariable(`${parameter.name}Offset`, ir.vectorType('int'), 'in');
      parameters.push(offset);
    }
    samplers.set(parameter, { base: choice.base, candidates: choice.candidates, offset });
  }
  let result: Variable | undefined;
  if (symbol.returnType.kind !== 'void') {
    result = createVariable('result', irTypeOf(symbol.returnType), 'out');
    parameters.push(result);
  }
  const made = createFunction(ctx.shader, symbol.name === 'main' ? 'userMain' : symbol.name, parameters);
  return { symbol, function: made, variables, samplers, result };
}

/** The instance of the GLSL `main`. */
export function createMainInstance(ctx: Omit<LowerContext, 'current'>, symbol: FunctionSymbol): FunctionInstance {
  return createInstance(ctx as LowerContext, symbol, []);
}
