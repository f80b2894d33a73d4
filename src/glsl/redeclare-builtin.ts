// Built-in variables that a shader may declare again: gl_FragDepth with a promise about depth (EXT_conservative_depth).

import type { VariableSymbol } from './ast.ts';
import type { Qualifiers, TypeSpecifier } from './parse-type.ts';
import type { Parser } from './parser.ts';
import type { Token } from './tokens.ts';
import { FLOAT } from './types.ts';

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
  return undefined;
}

/** The promise itself is a hint for early depth tests, which a shader that writes depth does not get here. */
function redeclareDepth(
  p: Parser,
  qualifiers: Qualifiers,
  specifier: TypeSpecifier,
  { text, position }: Token,
  symbol: VariableSymbol,
): VariableSymbol {
  const isPlain = qualifiers.interpolation === undefined && !qualifiers.isCentroid && !qualifiers.isSample;
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
