// Expressions → IR values and places. Constants first (the checker has folded them), then places, then computed values.
// SPDX-License-Identifier: MIT
import type { Value } from '../ir/ir.ts';
import { vectorType as irVectorType } from '../ir/ir.ts';
import type {
  AssignExpression,
  BinaryExpression,
  BuiltinCallExpression,
  ConditionalExpression,
  Expression,
  IncrementExpression,
  IndexExpression,
  VariableSymbol,
} from './ast.ts';
import { isInterpolationFunction } from './interpolant.ts';
import { lowerBuiltin, lowerModf } from './lower-builtins.ts';
import { lowerCall } from './lower-calls.ts';
import { lowerConstructor } from './lower-constructors.ts';
import { type LowerContext, type SamplerChoice, variableOf } from './lower-context.ts';
import { lowerInterpolation } from './lower-interpolation.ts';
import { lowerBinary, lowerIncrement, lowerUnary } from './lower-operators.ts';
import {
  blockPlace,
  elementPlace,
  loadPlace,
  memberPlace,
  type Place,
  storePlace,
  swizzlePlace,
  uniformPlace,
  variablePlace,
} from './lower-places.ts';
import { lowerTexture, type TextureArguments } from './lower-textures.ts';
import {
  childCountOf,
  childrenOf,
  chooseTree,
  constantTree,
  irTypeOf,
  isVector,
  selectComponents,
  selectTree,
  type Tree,
  vectorOf,
} from './lower-values.ts';
import type { SamplerType } from './types.ts';

/** Arrays read with a run-time index by comparing up to this many elements; larger ones go through memory. */
const MAX_CHOICES = 4;
/** Trees no deeper than this are evaluated even when && || ?: would skip them, if they have no side effects. */
const MAX_SPECULATED_DEPTH = 5;

/** Evaluates an expression. A void call gives an empty tree. */
function lowerExpression(ctx: LowerContext, expression: Expression): Tree {
  const { b } = ctx;
  if (expression.constant !== undefined) return constantTree(b, expression.type, expression.constant);
  switch (expression.kind) {
    case 'constant':
      return constantTree(b, expression.type, expression.constant);
    case 'variable':
    case 'member':
    case 'index':
    case 'swizzle': {
      const place = placeOf(ctx, expression);
      return place === undefined ? lowerSelection(ctx, expression) : loadPlace(ctx, place);
    }
    case 'unary':
      return lowerUnary(b, expression.operator, expression.operand.type, lowerExpression(ctx, expression.operand));
    case 'increment':
      return lowerIncrementExpression(ctx, expression);
    case 'binary':
      return lowerBinaryExpression(ctx, expression);
    case 'assign':
      return lowerAssign(ctx, expression);
    case 'conditional':
      return lowerConditional(ctx, expression);
    case 'comma': {
      let last: Tree = [];
      for (const part of expression.expressions) last = lowerExpression(ctx, part);
      return last;
    }
    case 'construct': {
      const args = expression.arguments.map((argument) => lowerExpression(ctx, argument));
      const types = expression.arguments.map((argument) => argument.type);
      return lowerConstructor(b, expression.type, args, types);
    }
    case 'call':
      return lowerCall(ctx, expression, { lowerExpression, placeOf });
    case 'builtin':
      return lowerBuiltinCall(ctx, expression);
  }
}

/** Evaluates for the side effects only: an array assignment then need not load the array again. */
export function lowerEffect(ctx: LowerContext, expression: Expression): void {
  if (expression.kind === 'assign' && expression.operator === undefined) {
    storeExpression(ctx, targetPlace(ctx, expression.target), expression.value);
  } else if (expression.kind === 'comma') {
    for (const part of expression.expressions) lowerEffect(ctx, part);
  } else lowerExpression(ctx, expression);
}

/** A scalar or vector. */
export function lowerVector(ctx: LowerContext, expression: Expression): Value {
  return vectorOf(lowerExpression(ctx, expression));
}

// ---- places and selections ----------------------------------------------------------------------------------------

/** The place an expression denotes; undefined when it is only a value. Evaluates its index expressions. */
function placeOf(ctx: LowerContext, expression: Expression): Place | undefined {
  switch (expression.kind) {
    case 'variable':
      return symbolPlace(ctx, expression.symbol);
    case 'member': {
      const object = placeOf(ctx, expression.object);
      return object && memberPlace(ctx, object, expression.memberIndex);
    }
    case 'swizzle': {
      const object = placeOf(ctx, expression.object);
      return object && swizzlePlace(object, expression.components);
    }
    case 'index':
      return indexPlace(ctx, expression);
    default:
      return undefined;
  }
}

function indexPlace(ctx: LowerContext, expression: IndexExpression): Place | undefined {
  const { object, index } = expression;
  if (object.constant !== undefined) return undefined;
  // Asking before anything is emitted: the index must not be evaluated twice.
  if (!denotesPlace(object)) return undefined;
  if (index.constant !== undefined) {
    const place = placeOf(ctx, object);
    noteFragData(ctx, object, index.constant[0]);
    return place && elementPlace(ctx, place, index.constant[0]);
  }
  if (object.type.kind === 'vector' && !isVariablePlace(object)) return undefined;
  const place = placeOf(ctx, object);
  noteFragData(ctx, object, undefined);
  return place && elementPlace(ctx, place, lowerVector(ctx, index));
}

/** Whether `placeOf` would give a place. */
function denotesPlace(expression: Expression): boolean {
  if (expression.constant !== undefined) return false;
  switch (expression.kind) {
    case 'variable':
      return true;
    case 'member':
    case 'swizzle':
      return denotesPlace(expression.object);
    case 'index':
      if (!denotesPlace(expression.object)) return false;
      return (
        expression.index.constant !== undefined ||
        expression.object.type.kind !== 'vector' ||
        isVariablePlace(expression.object)
      );
    default:
      return false;
  }
}

/** Whether the path starts at a variable that the IR can index by component (no uniform, no block). */
function isVariablePlace(expression: Expression): boolean {
  let root = expression;
  while (root.kind === 'member' || root.kind === 'swizzle' || root.kind === 'index') root = root.object;
  return root.kind === 'variable' && root.symbol.storage !== 'uniform' && root.symbol.block === undefined;
}

/** Remembers which colour outputs a shader writes, so that the others stay untouched. */
function noteFragData(ctx: LowerContext, object: Expression, index: number | undefined): void {
  if (object.kind !== 'variable' || !object.symbol.isBuiltin || object.type.kind !== 'array') return;
  if (object.symbol.name !== 'gl_FragData') return;
  for (let i = 0; i < object.type.size; i++) {
    if (index === undefined || index === i) ctx.fragDataWritten.add(i);
  }
}

function symbolPlace(ctx: LowerContext, symbol: VariableSymbol): Place {
  const { type, block } = symbol;
  if (block !== undefined) {
    const placement = ctx.io.blocks.get(block.name);
    if (placement === undefined) throw new Error(`uniform block ${block.name} has no place`);
    const place = blockPlace(placement.index, placement.layout);
    if (symbol.blockMember >= 0) return memberPlace(ctx, place, symbol.blockMember);
    return type.kind === 'array' ? { ...place, type } : place;
  }
  if (symbol.storage === 'uniform') {
    const placement = ctx.io.uniforms.get(symbol.name);
    if (placement === undefined) throw new Error(`uniform ${symbol.name} has no place`);
    return uniformPlace(type, placement.slot, placement.sampler);
  }
  const sampler = ctx.current.samplers.get(symbol);
  if (sampler === undefined) return variablePlace(variableOf(ctx, symbol), type);
  const samplers: SamplerChoice = {
    base: sampler.base,
    candidates: sampler.candidates,
    offset: sampler.offset && ctx.b.loadVar(sampler.offset, []),
  };
  const leaf = type.kind === 'array' ? type.element : type;
  if (leaf.kind === 'sampler') return { kind: 'sampler', type, components: undefined, samplers };
  return variablePlace(variableOf(ctx, symbol), type, samplers);
}

/** Member, element or components of something that is no place. */
function lowerSelection(ctx: LowerContext, expression: Expression): Tree {
  const { b } = ctx;
  if (expression.kind === 'member') {
    return childrenOf(lowerExpression(ctx, expression.object))[expression.memberIndex];
  }
  if (expression.kind === 'swizzle') {
    return selectComponents(b, lowerVector(ctx, expression.object), expression.components);
  }
  if (expression.kind !== 'index') throw new Error(`${expression.kind} selects nothing`);
  const { object, index } = expression;
  const isTable = object.constant !== undefined && object.type.kind === 'array' && index.constant === undefined;
  if (isTable) return lowerTableLookup(ctx, object, lowerVector(ctx, index));
  const value = lowerExpression(ctx, object);
  if (index.constant !== undefined) {
    const at = index.constant[0];
    return isVector(value) ? b.channel(value, at) : childrenOf(value)[at];
  }
  const at = lowerVector(ctx, index);
  if (isVector(value)) return chooseTree(b, at, b.channels(value));
  if (childCountOf(object.type) <= MAX_CHOICES) return chooseTree(b, at, value);
  const place = variablePlace(b.temporary('indexed', irTypeOf(object.type)), object.type);
  storePlace(ctx, place, value);
  return loadPlace(ctx, elementPlace(ctx, place, at)!);
}

/** `constantArray[index]`: the array stands behind the uniforms in constant buffer 0. */
function lowerTableLookup(ctx: LowerContext, table: Expression, index: Value): Tree {
  const constant = table.constant!;
  let slot = ctx.constantTables.get(constant);
  if (slot === undefined) {
    slot = ctx.io.constants.add(table.type, constant);
    ctx.constantTables.set(constant, slot);
  }
  return loadPlace(ctx, elementPlace(ctx, uniformPlace(table.type, slot, 0), index)!);
}

// ---- operators ----------------------------------------------------------------------------------------------------

function lowerBinaryExpression(ctx: LowerContext, expression: BinaryExpression): Tree {
  const { b } = ctx;
  const { operator, left, right } = expression;
  if (operator === '&&' || operator === '||') {
    const condition = lowerVector(ctx, left);
    if (isCheapAndPure(right)) {
      const other = lowerVector(ctx, right);
      return operator === '&&' ? b.land(condition, other) : b.lor(condition, other);
    }
    const result = b.temporary('logical', irVectorType('bool'));
    b.storeVar(result, [], condition);
    b.if(operator === '&&' ? condition : b.lnot(condition), () => b.storeVar(result, [], lowerVector(ctx, right)));
    return b.loadVar(result, []);
  }
  const leftValue = lowerExpression(ctx, left);
  return lowerBinary(b, operator, left.type, leftValue, right.type, lowerExpression(ctx, right));
}

function lowerConditional(ctx: LowerContext, expression: ConditionalExpression): Tree {
  const { b } = ctx;
  const { condition, whenTrue, whenFalse, type } = expression;
  if (condition.constant !== undefined) {
    return lowerExpression(ctx, condition.constant[0] !== 0 ? whenTrue : whenFalse);
  }
  const test = lowerVector(ctx, condition);
  if (type.kind === 'void') {
    b.if(
      test,
      () => void lowerExpression(ctx, whenTrue),
      () => void lowerExpression(ctx, whenFalse),
    );
    return [];
  }
  const isSmall = type.kind === 'scalar' || type.kind === 'vector';
  if (isSmall && isCheapAndPure(whenTrue) && isCheapAndPure(whenFalse)) {
    return selectTree(b, test, lowerExpression(ctx, whenTrue), lowerExpression(ctx, whenFalse));
  }
  const result = variablePlace(b.temporary('chosen', irTypeOf(type)), type);
  b.if(
    test,
    () => storeExpression(ctx, result, whenTrue),
    () => storeExpression(ctx, result, whenFalse),
  );
  return loadPlace(ctx, result);
}

/** No side effects, no calls, and short: evaluating it in vain costs less than a branch. */
function isCheapAndPure(expression: Expression): boolean {
  if (expression.constant !== undefined) return true;
  if (expression.depth > MAX_SPECULATED_DEPTH) return false;
  switch (expression.kind) {
    case 'constant':
    case 'variable':
      return true;
    case 'member':
    case 'swizzle':
      return isCheapAndPure(expression.object);
    case 'index':
      return isCheapAndPure(expression.object) && isCheapAndPure(expression.index);
    case 'unary':
      return isCheapAndPure(expression.operand);
    case 'binary':
      return isCheapAndPure(expression.left) && isCheapAndPure(expression.right);
    case 'construct':
      return expression.arguments.every(isCheapAndPure);
    default:
      return false;
  }
}

function lowerIncrementExpression(ctx: LowerContext, expression: IncrementExpression): Tree {
  const place = targetPlace(ctx, expression.operand);
  const before = loadPlace(ctx, place);
  const after = lowerIncrement(ctx.b, expression.operator, expression.operand.type, before);
  storePlace(ctx, place, after);
  return expression.isPrefix ? after : before;
}

function lowerAssign(ctx: LowerContext, expression: AssignExpression): Tree {
  const { target, value, operator } = expression;
  const place = targetPlace(ctx, target);
  if (operator === undefined) {
    const isLarge = target.type.kind === 'array' || target.type.kind === 'struct';
    if (isLarge) {
      storeExpression(ctx, place, value);
      return loadPlace(ctx, place);
    }
    const stored = lowerExpression(ctx, value);
    storePlace(ctx, place, stored);
    return stored;
  }
  const right = lowerExpression(ctx, value);
  const result = lowerBinary(ctx.b, operator, target.type, loadPlace(ctx, place), value.type, right);
  storePlace(ctx, place, result);
  return result;
}

/** Place of an l-value. */
function targetPlace(ctx: LowerContext, expression: Expression): Place {
  const place = placeOf(ctx, expression);
  if (place === undefined) throw new Error('not an l-value');
  if (expression.kind === 'variable') noteWholeFragData(ctx, expression.symbol);
  return place;
}

function noteWholeFragData(ctx: LowerContext, symbol: VariableSymbol): void {
  if (symbol.name !== 'gl_FragData' || symbol.type.kind !== 'array') return;
  for (let i = 0; i < symbol.type.size; i++) ctx.fragDataWritten.add(i);
}

/** Stores an expression's value; whole arrays and structs that stand in variables are copied as such. */
export function storeExpression(ctx: LowerContext, target: Place, expression: Expression): void {
  const isLarge = expression.type.kind === 'array' || expression.type.kind === 'struct';
  if (isLarge && expression.constant === undefined && target.kind === 'variable' && denotesPlace(expression)) {
    const source = placeOf(ctx, expression)!;
    if (source.kind === 'variable') {
      ctx.b.copyVar(target.variable, target.path, source.variable, source.path);
    } else storePlace(ctx, target, loadPlace(ctx, source));
    return;
  }
  storePlace(ctx, target, lowerExpression(ctx, expression));
}

// ---- built-in calls -----------------------------------------------------------------------------------------------

function lowerBuiltinCall(ctx: LowerContext, expression: BuiltinCallExpression): Tree {
  const { builtin } = expression;
  const args = expression.arguments;
  if (builtin.texture !== undefined) return lowerTextureCall(ctx, expression);
  if (builtin.name === 'modf') {
    const x = lowerVector(ctx, args[0]);
    const out = targetPlace(ctx, args[1]);
    const { fraction, whole } = lowerModf(ctx.b, x);
    storePlace(ctx, out, whole);
    return fraction;
  }
  if (isInterpolationFunction(builtin.name)) return lowerInterpolation(ctx, expression, lowerExpression);
  return lowerBuiltin(
    ctx.b,
    builtin,
    args.map((argument) => lowerExpression(ctx, argument)),
  );
}

function lowerTextureCall(ctx: LowerContext, expression: BuiltinCallExpression): Tree {
  const { builtin } = expression;
  const args: TextureArguments = {};
  let samplers: SamplerChoice | undefined;
  let samplerType: SamplerType | undefined;
  for (let i = 0; i < expression.arguments.length; i++) {
    const role = builtin.texture!.roles[i];
    const argument = expression.arguments[i];
    if (role === 'sampler') {
      samplers = placeOf(ctx, argument)?.samplers;
      samplerType = argument.type as SamplerType;
    } else if (role !== 'offset') args[role] = lowerVector(ctx, argument);
  }
  if (samplers === undefined || samplerType === undefined) throw new Error(`${builtin.name} without a sampler`);
  return lowerTexture(ctx, builtin, samplerType, samplers, args, expression.arguments);
}
