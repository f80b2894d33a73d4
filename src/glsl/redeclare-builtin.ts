// Built-in variables that a shader may declare again: gl_FragDepth with a promise about depth (EXT_conservative_depth),
// gl_ClipDistance and gl_CullDistance with a size (EXT_clip_cull_distance).

import type { VariableSymbol } from './ast.ts';
import { isInterpolated, makeArray, parseArraySize, type Qualifiers, type TypeSpecifier } from './parse-type.ts';
import type { Parser } from './parser.ts';
import type { Token } from './tokens.ts';
import { FLOAT, type Type } from './types.ts';

/** The built-in variable that a global declaration names again; undefined when it names none that may be. */
export function redeclareBuiltin(
  p: Parser,
  qualifiers: Qualifiers,
  specifier: TypeSpecifier,
  name: Token,
): VariableSymbol | undefined {
  if (!p.symbols.isGlobal) return undefined;
  const symbol = p.builtinVariables.find((variable) => variable.name === name.text);
  if (symbol === undefined) return undefined;
  if (symbol.name === 'gl_FragDepth' && p.extensions.has('GL_EXT_conservative_depth'))
    return redeclareDepth(p, qualifiers, specifier, name, symbol);
  if (symbol.distances !== undefined) return redeclareDistances(p, qualifiers, specifier, name, symbol);
  return undefined;
}

function redeclareDistances(
  p: Parser,
  qualifiers: Qualifiers,
  specifier: TypeSpecifier,
  { text, position }: Token,
  symbol: VariableSymbol,
): VariableSymbol {
  let { type } = specifier;
  let { isUnsized } = specifier;
  if (p.token.text === '[') {
    const size = parseArraySize(p);
    if (size === 'unsized') isUnsized = true;
    else if (size !== undefined) type = makeArray(p, type, size, text, position);
  }
  const limit = p.limits.maxClipDistances;
  const distances = symbol.distances!;
  const isPlain = !isInterpolated(qualifiers) && qualifiers.layout === undefined;
  if (isUnsized || type.kind !== 'array' || type.element !== FLOAT || qualifiers.storage !== symbol.storage || !isPlain)
    p.error(position, text, `can only be redeclared as '${symbol.storage} float[size]'`);
  else if (type.size > limit) p.error(position, text, `a size of ${type.size} exceeds the limit of ${limit}`);
  else if (distances.declaredSize !== undefined) p.error(position, text, 'redefinition');
  else if (distances.indexedSize > type.size) p.error(position, text, 'is indexed beyond this size already');
  else {
    distances.declaredSize = type.size;
    (symbol as { type: Type }).type = type;
  }
  return symbol;
}

/** The promise itself is a hint for early depth tests, which a shader that writes depth does not get here. */
function redeclareDepth(
  p: Parser,
  qualifiers: Qualifiers,
  specifier: TypeSpecifier,
  { text, position }: Token,
  symbol: VariableSymbol,
): VariableSymbol {
  const isPlain = !isInterpolated(qualifiers);
  if (qualifiers.storage !== 'out' || specifier.type !== FLOAT || specifier.isUnsized || !isPlain)
    p.error(position, text, "can only be redeclared as 'out float'");
  const { layout } = qualifiers;
  if (layout?.location !== undefined || layout?.index !== undefined || layout?.blockStorage !== undefined)
    p.error(position, text, 'invalid layout qualifier');
  if (layout?.depth === 'depth_unchanged' && p.profile === 'webgl')
    p.error(position, layout.depth, 'not supported in WebGL (EXT_conservative_depth)');
  if (symbol.isStaticallyUsed) p.error(position, text, 'must be redeclared before it is used');
  if (p.depthLayout !== undefined && p.depthLayout !== layout?.depth)
    p.error(position, text, 'is redeclared with another layout');
  p.depthLayout = layout?.depth;
  symbol.isInvariant ||= qualifiers.isInvariant;
  return symbol;
}
