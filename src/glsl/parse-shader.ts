// The grammar of a whole shader: its external declarations (GLSL ES 3.00 §9, translation_unit).

import { applyLayoutDefaults, parseBlock } from './parse-block.ts';
import { checkEmptyDeclaration, parseDeclarators } from './parse-declaration.ts';
import { parseFunction } from './parse-function.ts';
import { parsePrecisionStatement, parseQualifiers, parseTypeSpecifier } from './parse-type.ts';
import type { Parser } from './parser.ts';
import { type Token, TokenKind } from './tokens.ts';

/** Reads everything; declarations end up in the parser's lists. */
export function parseShader(p: Parser): void {
  while (p.token.kind !== TokenKind.end) parseExternalDeclaration(p);
}

function parseExternalDeclaration(p: Parser): void {
  if (p.token.text === ';') {
    // Not in the grammar, but in many shaders (`};` after a function), and drivers take it.
    p.diagnostics.warning(p.advance().position, ';', 'extra semicolon at global scope');
    return;
  }
  if (p.token.text === 'precision') return parsePrecisionStatement(p);
  if (p.token.text === 'invariant' && p.peek(1).kind === TokenKind.identifier && !isTypeAt(p, 1)) {
    return parseInvariantStatement(p);
  }
  const qualifiers = parseQualifiers(p, false);
  if (qualifiers.isQualified && p.token.text === ';') {
    applyLayoutDefaults(p, qualifiers);
    p.advance();
    return;
  }
  const isBlock = p.version === 300 && p.token.kind === TokenKind.identifier && p.peek(1).text === '{';
  if (isBlock) return parseBlock(p, qualifiers, p.advance());
  const specifier = parseTypeSpecifier(p);
  if (p.accept(';')) return checkEmptyDeclaration(p, qualifiers, specifier);
  if (p.token.text === ',') {
    checkEmptyDeclaration(p, qualifiers, specifier);
    parseDeclarators(p, qualifiers, specifier, undefined);
    return;
  }
  const name = p.expectIdentifier();
  if (p.token.text === '(') return parseFunction(p, qualifiers, specifier, name);
  parseDeclarators(p, qualifiers, specifier, name);
}

function isTypeAt(p: Parser, distance: number): boolean {
  return p.symbols.lookup(p.peek(distance).text)?.kind === 'struct';
}

/** `invariant a, b;` of variables declared before (GLSL ES 3.00 §4.6.1). */
function parseInvariantStatement(p: Parser): void {
  p.expect('invariant');
  do markInvariant(p, p.expectIdentifier());
  while (p.accept(','));
  p.expect(';');
}

function markInvariant(p: Parser, name: Token): void {
  const { text, position } = name;
  const entry = p.symbols.lookup(text);
  if (entry?.kind !== 'variable') {
    p.error(position, text, 'undeclared identifier declared as invariant');
    return;
  }
  // GLSL ES 1.00 §4.6.1 also names the inputs of the fragment shader.
  const isInput = p.version === 100 && p.stage === 'fragment' && entry.storage === 'in' && text !== 'gl_FrontFacing';
  const isValid = entry.storage === 'out' || isInput;
  if (!isValid) p.error(position, text, 'only outputs can be declared invariant');
  entry.isInvariant = true;
}
