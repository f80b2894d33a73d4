// Indexing, members, swizzles and `.length()` (GLSL ES 3.00 §5.5–5.7).

import type { Expression, SourcePosition, VariableSymbol } from './ast.ts';
import { foldIndex, foldMember } from './constant-fold.ts';
import { constantNode, depthAbove, errorNode, isError, isIntegerScalar, rootVariable } from './expressions.ts';
import type { Parser } from './parser.ts';
import type { Token } from './tokens.ts';
import { INT, indexedLength, indexedType, type Type, UINT, vectorType } from './types.ts';

/** What kind of array may only be indexed by constants, in words; undefined for the others. */
function constantIndexOnly(p: Parser, object: Expression): string | undefined {
  const { type } = object;
  if (p.version === 100 || type.kind !== 'array') return undefined;
  if (type.element.kind === 'sampler') return 'sampler arrays';
  if (type.element.kind === 'struct' && type.element.isBlock) return 'uniform block arrays';
  const root = rootVariable(object);
  if (p.stage === 'fragment' && root?.storage === 'out' && !root.isBuiltin) return 'fragment output arrays';
  return undefined;
}

export function makeIndex(p: Parser, object: Expression, index: Expression, position: SourcePosition): Expression {
  if (isError(object) || isError(index)) return errorNode(position);
  const type = indexedType(object.type);
  if (type === undefined) {
    p.error(position, '[', `left of '[' is not of array, matrix or vector type but '${object.type.name}'`);
    return errorNode(position);
  }
  if (!isIntegerScalar(index.type)) {
    p.error(position, '[', 'integer expression required');
    return errorNode(position);
  }
  if (index.constant !== undefined) {
    const value = index.constant[0];
    if (value < 0 || value >= indexedLength(object.type)) {
      p.error(position, String(value), `index is out of range for '${object.type.name}'`);
      return errorNode(position);
    }
    if (object.constant !== undefined) {
      return constantNode(p, type, foldIndex(object.type, object.constant, value), position);
    }
  } else {
    const what = constantIndexOnly(p, object);
    if (what !== undefined) {
      p.error(position, '[', `${what} can only be indexed with a constant integral expression`);
      return errorNode(position);
    }
  }
  if (object.kind === 'variable' && object.symbol.distances !== undefined)
    noteDistance(p, object.symbol, index, position);
  const depth = depthAbove(p, position, object, index);
  return { kind: 'index', type, position, constant: undefined, depth, object, index };
}

/** EXT_clip_cull_distance: without a size of its own the array is as large as constant indices make it. */
function noteDistance(
  p: Parser,
  { name, distances }: VariableSymbol,
  index: Expression,
  position: SourcePosition,
): void {
  if (index.constant !== undefined) {
    distances!.indexedSize = Math.max(distances!.indexedSize, index.constant[0] + 1);
  } else if (distances!.declaredSize === undefined) {
    p.error(position, name, 'must be redeclared with a size to be indexed with a variable');
  }
}

const SWIZZLE_SETS = ['xyzw', 'rgba', 'stpq'];

/** Component indices of a swizzle, or undefined if the text is none for a vector of this size. */
function swizzleComponents(text: string, size: number): number[] | undefined {
  if (text.length > 4) return undefined;
  const set = SWIZZLE_SETS.find((names) => names.includes(text[0]));
  if (set === undefined) return undefined;
  const components: number[] = [];
  for (const name of text) {
    const component = set.indexOf(name);
    if (component < 0 || component >= size) return undefined;
    components.push(component);
  }
  return components;
}

function makeSwizzle(p: Parser, object: Expression, field: Token): Expression {
  const { type: objectType } = object;
  const { position } = field;
  const components = objectType.kind === 'vector' ? swizzleComponents(field.text, objectType.rows) : undefined;
  if (objectType.kind !== 'vector' || components === undefined) {
    p.error(position, field.text, `illegal vector field selection on '${objectType.name}'`);
    return errorNode(position);
  }
  const type: Type = vectorType(objectType.base, components.length);
  const { constant } = object;
  if (constant !== undefined) {
    const value = components.map((component) => constant[component]);
    return constantNode(p, type, value, position);
  }
  const depth = depthAbove(p, position, object);
  return { kind: 'swizzle', type, position, constant: undefined, depth, object, components };
}

export function makeMember(p: Parser, object: Expression, field: Token): Expression {
  const { position } = field;
  if (isError(object)) return errorNode(position);
  const { type } = object;
  if (type.kind === 'vector') return makeSwizzle(p, object, field);
  if (type.kind !== 'struct') {
    p.error(position, field.text, `field selection requires a struct or vector on the left, not '${type.name}'`);
    return errorNode(position);
  }
  const memberIndex = type.members.findIndex((member) => member.name === field.text);
  if (memberIndex < 0) {
    p.error(position, field.text, `no such field in ${type.isBlock ? 'block' : 'structure'} '${type.name}'`);
    return errorNode(position);
  }
  const memberType = type.members[memberIndex].type;
  if (object.constant !== undefined) {
    return constantNode(p, memberType, foldMember(type, object.constant, memberIndex), position);
  }
  const depth = depthAbove(p, position, object);
  return { kind: 'member', type: memberType, position, constant: undefined, depth, object, memberIndex };
}

/** `array.length()`: constant, whatever the array is. */
export function makeLength(p: Parser, object: Expression, position: SourcePosition): Expression {
  if (isError(object)) return errorNode(position);
  if (object.type.kind !== 'array') {
    p.error(position, 'length', `can only be called on arrays, not on '${object.type.name}'`);
    return errorNode(position);
  }
  const root = object.kind === 'variable' ? object.symbol : undefined;
  if (root?.distances !== undefined && root.distances.declaredSize === undefined)
    p.error(position, 'length', `${root.name} has no size of its own here`);
  const constant = [object.type.size];
  if (!hasSideEffects(object)) return constantNode(p, INT, constant, position);
  // The array expression must still be evaluated, so the whole is not constant: evaluate it, then give the number.
  const length = constantNode(p, INT, constant, position);
  const depth = depthAbove(p, position, object);
  return { kind: 'comma', type: INT, position, constant: undefined, depth, expressions: [object, length] };
}

function hasSideEffects(expression: Expression): boolean {
  let node = expression;
  while (node.kind === 'member' || node.kind === 'index') node = node.object;
  return node.kind !== 'variable' && node.kind !== 'constant' && node.kind !== 'construct';
}

/** Whether the type is one that `switch` and `case` take. */
export function isSwitchType(type: Type): boolean {
  return type === INT || type === UINT;
}
