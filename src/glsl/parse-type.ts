// The grammar of types: names, array sizes, qualifiers, struct definitions (GLSL ES 3.00 §4).

import type { BlockStorage, Interpolation, LayoutQualifier, SourcePosition } from './ast.ts';
import { checkTypeSize, constantSize } from './check-operators.ts';
import { parseNumber } from './numbers.ts';
import { parseExpression } from './parse-expression.ts';
import type { Parser } from './parser.ts';
import { type Token, TokenKind } from './tokens.ts';
import {
  arrayType,
  type ElementType,
  type Precision,
  type StructMember,
  type StructType,
  structNesting,
  structType,
  TYPES_BY_NAME,
  type Type,
  VOID,
} from './types.ts';

// ---- type names and array sizes -----------------------------------------------------------------------------------

/** Whether the current token names a type (not `struct`, not a qualifier). */
export function isTypeName(p: Parser): boolean {
  const { kind, text } = p.token;
  if (kind === TokenKind.keyword) return TYPES_BY_NAME.has(text);
  return kind === TokenKind.identifier && p.symbols.lookup(text)?.kind === 'struct';
}

export function parseTypeName(p: Parser): Type {
  const token = p.advance();
  if (token.kind === TokenKind.identifier) {
    const entry = p.symbols.lookup(token.text);
    if (entry?.kind === 'struct') return entry.type;
  }
  const type = TYPES_BY_NAME.get(token.text);
  if (type === undefined) throw new Error(`${token.text} is not a type name`);
  return type;
}

export type ArraySize = number | 'unsized' | undefined;

/** `[n]` or `[]`; undefined after an error. */
export function parseArraySize(p: Parser): ArraySize {
  const { position } = p.expect('[');
  if (p.accept(']')) return 'unsized';
  const size = constantSize(p, parseExpression(p), position);
  p.expect(']');
  return size;
}

/** Array type, or undefined (after an error) when it cannot be. */
export function makeArray(p: Parser, element: Type, size: number, name: string, position: SourcePosition): Type {
  if (element.kind === 'array') {
    p.error(position, name, 'arrays of arrays are not allowed');
    return element;
  }
  if (element.kind === 'void') {
    p.error(position, name, 'illegal use of type void');
    return element;
  }
  const type = arrayType(element as ElementType, size);
  checkTypeSize(p, type, name, position);
  return type;
}

// ---- qualifiers ---------------------------------------------------------------------------------------------------

export type StorageKeyword = 'const' | 'attribute' | 'varying' | 'uniform' | 'in' | 'out' | 'inout';

export interface Layout extends LayoutQualifier {
  blockStorage?: BlockStorage;
  isRowMajor?: boolean;
  /** EXT_conservative_depth. */
  depth?: 'depth_any' | 'depth_greater' | 'depth_less' | 'depth_unchanged';
  position: SourcePosition;
}

export interface Qualifiers {
  position: SourcePosition;
  isInvariant: boolean;
  interpolation: Interpolation | undefined;
  layout: Layout | undefined;
  isCentroid: boolean;
  isSample: boolean;
  storage: StorageKeyword | undefined;
  /** Only of parameters: `const in`. */
  isConst: boolean;
  precision: Precision | undefined;
  /** Any qualifier at all, but for precision. */
  isQualified: boolean;
}

/** Says how or where values are interpolated. */
export function isInterpolated({ interpolation, isCentroid, isSample }: Qualifiers): boolean {
  return interpolation !== undefined || isCentroid || isSample;
}

/** Qualifiers must stand in this order (GLSL ES 1.00 §4.7, GLSL ES 3.00 §4.8). */
const RANKS: Readonly<Record<string, number>> = {
  invariant: 1,
  smooth: 2,
  flat: 2,
  noperspective: 2,
  layout: 3,
  centroid: 4,
  sample: 4,
  const: 5,
  attribute: 5,
  varying: 5,
  uniform: 5,
  in: 6,
  out: 6,
  inout: 6,
  lowp: 7,
  mediump: 7,
  highp: 7,
};

export function isQualifier(p: Parser): boolean {
  return p.token.kind === TokenKind.keyword && RANKS[p.token.text] !== undefined;
}

/** `isParameter`: `const in` is one storage qualifier of two words there. */
export function parseQualifiers(p: Parser, isParameter: boolean): Qualifiers {
  const result: Qualifiers = {
    position: p.token.position,
    isInvariant: false,
    interpolation: undefined,
    layout: undefined,
    isCentroid: false,
    isSample: false,
    storage: undefined,
    isConst: false,
    precision: undefined,
    isQualified: false,
  };
  let last = 0;
  while (isQualifier(p)) {
    const token = p.advance();
    const rank = RANKS[token.text];
    if (rank <= last) {
      const message = rank === last ? 'duplicate or conflicting qualifier' : 'qualifiers are in the wrong order';
      p.diagnostics.fatal(token.position, token.text, message);
    }
    last = rank;
    if (rank < 7) result.isQualified = true;
    applyQualifier(p, result, token, isParameter);
  }
  return result;
}

function applyQualifier(p: Parser, result: Qualifiers, token: Token, isParameter: boolean): void {
  switch (token.text) {
    case 'invariant':
      result.isInvariant = true;
      break;
    case 'smooth':
    case 'flat':
    case 'noperspective':
      result.interpolation = token.text;
      break;
    case 'layout':
      result.layout = parseLayout(p, token);
      break;
    case 'centroid':
      result.isCentroid = true;
      break;
    case 'sample':
      result.isSample = true;
      break;
    case 'lowp':
    case 'mediump':
    case 'highp':
      result.precision = token.text;
      break;
    case 'const':
      result.isConst = true;
      if (!isParameter) result.storage = 'const';
      break;
    default:
      if (result.storage !== undefined) {
        p.diagnostics.fatal(token.position, token.text, 'duplicate or conflicting qualifier');
      }
      result.storage = token.text as StorageKeyword;
  }
}

/** `layout ( id, id = n, … )`, the keyword already read. */
function parseLayout(p: Parser, keyword: Token): Layout {
  const layout: Layout = { position: keyword.position };
  p.expect('(');
  do {
    const name = p.advance();
    if (name.kind !== TokenKind.identifier) p.diagnostics.fatal(name.position, name.text, 'syntax error');
    const value = p.accept('=') ? parseLayoutValue(p, name) : undefined;
    applyLayout(p, layout, name, value);
  } while (p.accept(','));
  p.expect(')');
  return layout;
}

function parseLayoutValue(p: Parser, name: Token): number {
  const token = p.advance();
  const literal = token.kind === TokenKind.number ? parseNumber(token.text) : undefined;
  if (literal === undefined || literal.base === 'float' || literal.value > 0x7fff_ffff) {
    p.diagnostics.fatal(token.position, token.text, `${name.text} must be a literal integer`);
  }
  return literal.value;
}

function applyLayout(p: Parser, layout: Layout, name: Token, value: number | undefined): void {
  const { text, position } = name;
  if (text === 'location') {
    if (value === undefined) p.error(position, text, 'location requires a value');
    layout.location = value ?? 0;
    return;
  }
  if (text === 'index' && p.extensions.has('GL_EXT_blend_func_extended')) {
    if (value === undefined || value > 1) p.error(position, text, 'index must be 0 or 1');
    layout.index = value === 1 ? 1 : 0;
    return;
  }
  if (value !== undefined) {
    p.error(position, text, 'invalid layout qualifier: it takes no value');
    return;
  }
  switch (text) {
    case 'std140':
    case 'shared':
    case 'packed':
      layout.blockStorage = text;
      break;
    case 'row_major':
    case 'column_major':
      layout.isRowMajor = text === 'row_major';
      break;
    case 'depth_any':
    case 'depth_greater':
    case 'depth_less':
    case 'depth_unchanged':
      if (!p.extensions.has('GL_EXT_conservative_depth')) p.error(position, text, 'needs GL_EXT_conservative_depth');
      layout.depth = text;
      break;
    default:
      p.error(position, text, 'invalid layout qualifier');
  }
}

// ---- precision ----------------------------------------------------------------------------------------------------

/** The name under which a type's default precision is kept; undefined for types without precision. */
function precisionName(type: Type): string | undefined {
  switch (type.kind) {
    case 'scalar':
    case 'vector':
    case 'matrix':
      if (type.base === 'bool') return undefined;
      return type.base === 'float' ? 'float' : 'int';
    case 'sampler':
      return type.name;
    case 'array':
      return precisionName(type.element);
    default:
      return undefined;
  }
}

/** The precision of a declared thing: as written, or by default. Reports a missing or misplaced one. */
export function resolvePrecision(
  p: Parser,
  type: Type,
  written: Precision | undefined,
  position: SourcePosition,
): Precision | undefined {
  const name = precisionName(type);
  if (name === undefined) {
    if (written !== undefined) p.error(position, written, `illegal type for a precision qualifier: '${type.name}'`);
    return undefined;
  }
  const precision = written ?? p.symbols.defaultPrecision(name);
  if (precision === undefined) p.error(position, type.name, `no precision specified for (${name})`);
  return precision;
}

/** `precision highp float;` */
export function parsePrecisionStatement(p: Parser): void {
  p.expect('precision');
  const precision = p.advance();
  if (precision.text !== 'lowp' && precision.text !== 'mediump' && precision.text !== 'highp') {
    p.diagnostics.fatal(precision.position, precision.text, 'precision qualifier expected');
  }
  if (!isTypeName(p)) p.syntaxError();
  const { text, position } = p.token;
  const type = parseTypeName(p);
  p.expect(';');
  const isValid = text === 'float' || text === 'int' || type.kind === 'sampler';
  if (!isValid) p.error(position, text, 'illegal type argument for default precision qualifier');
  else p.symbols.setDefaultPrecision(text, precision.text);
}

// ---- type specifiers and structs ----------------------------------------------------------------------------------

export interface TypeSpecifier {
  /** The element type when `isUnsized`. */
  readonly type: Type;
  /** `type[]`: the size comes from the initialiser. */
  readonly isUnsized: boolean;
  readonly definesStruct: boolean;
  readonly position: SourcePosition;
}

/** A type name or struct definition, with `[n]` after it in GLSL ES 3.00. */
export function parseTypeSpecifier(p: Parser): TypeSpecifier {
  const { position, text } = p.token;
  let type: Type;
  const definesStruct = text === 'struct';
  if (definesStruct) type = parseStruct(p);
  else if (isTypeName(p)) type = parseTypeName(p);
  else p.syntaxError();
  if (p.token.text !== '[') return { type, isUnsized: false, definesStruct, position };
  if (p.version === 100) p.diagnostics.fatal(p.token.position, '[', 'syntax error: array size after the type');
  const size = parseArraySize(p);
  if (p.token.text === '[') p.diagnostics.fatal(position, text, 'arrays of arrays are not allowed');
  if (size === 'unsized') return { type, isUnsized: true, definesStruct, position };
  if (size !== undefined) type = makeArray(p, type, size, text, position);
  return { type, isUnsized: false, definesStruct, position };
}

/** WebGL 1 §6.27 and its like: how deep structs may contain structs. */
const MAX_STRUCT_NESTING = 4;

function parseStruct(p: Parser): StructType {
  const { position } = p.expect('struct');
  let name = '';
  if (p.token.kind === TokenKind.identifier) {
    const token = p.advance();
    p.checkName(token);
    name = token.text;
  }
  p.expect('{');
  const members: StructMember[] = [];
  const names = new Set<string>();
  while (p.token.text !== '}') {
    if (p.token.text === 'struct') p.error(p.token.position, 'struct', 'embedded struct definitions are not allowed');
    const qualifiers = parseQualifiers(p, false);
    if (qualifiers.isQualified)
      p.error(qualifiers.position, name, 'struct members cannot have qualifiers other than precision');
    parseMembers(p, members, names, qualifiers, false);
  }
  p.advance();
  if (members.length === 0) p.error(position, name, 'a struct must have at least one member');
  const type = structType(name, members);
  checkTypeSize(p, type, name, position);
  if (structNesting(type) > (p.profile === 'webgl' ? MAX_STRUCT_NESTING : 64)) {
    p.error(position, name, 'nesting of structs is too deep');
  }
  if (name !== '') {
    const existing = p.symbols.lookupInnermost(name);
    if (existing !== undefined) p.error(position, name, 'redefinition of a struct or of another name');
    p.symbols.declare({ kind: 'struct', name, type });
  }
  if (p.symbols.isGlobal) p.structs.push(type);
  return type;
}

/** The declarators after a member's qualifiers: `type a, b[2];`. */
export function parseMembers(
  p: Parser,
  members: StructMember[],
  names: Set<string>,
  qualifiers: Qualifiers,
  isRowMajor: boolean,
): void {
  const specifier = parseTypeSpecifier(p);
  do {
    const token = p.expectIdentifier();
    p.checkName(token);
    const { text, position } = token;
    let { type } = specifier;
    let isUnsized = specifier.isUnsized;
    if (p.token.text === '[') {
      if (isUnsized) p.error(position, text, 'arrays of arrays are not allowed');
      const size = parseArraySize(p);
      if (size === 'unsized') isUnsized = true;
      else if (size !== undefined) type = makeArray(p, type, size, text, position);
      if (p.token.text === '[') p.diagnostics.fatal(position, text, 'arrays of arrays are not allowed');
    }
    if (isUnsized) p.error(position, text, 'array members must have a size');
    if (type === VOID) p.error(position, text, 'illegal use of type void');
    if (names.has(text)) p.error(position, text, 'duplicate field name');
    names.add(text);
    const precision = resolvePrecision(p, type, qualifiers.precision, position);
    members.push({ name: text, type, precision, isRowMajor });
  } while (p.accept(','));
  p.expect(';');
}
