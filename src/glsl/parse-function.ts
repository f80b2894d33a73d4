// Function prototypes and definitions (GLSL ES 1.00 §6.1, GLSL ES 3.00 §6.1).

import type { BlockStatement, FunctionSymbol, ParameterDirection, VariableSymbol } from './ast.ts';
import { overloadKey } from './builtin-functions.ts';
import { parseBlockBody } from './parse-statement.ts';
import {
  isInterpolated,
  makeArray,
  parseArraySize,
  parseQualifiers,
  parseTypeSpecifier,
  type Qualifiers,
  resolvePrecision,
  type TypeSpecifier,
} from './parse-type.ts';
import type { Parser } from './parser.ts';
import { type FunctionGroup, makeVariable } from './symbols.ts';
import { type Token, TokenKind } from './tokens.ts';
import { containsArray, containsSampler, ERROR_TYPE, VOID } from './types.ts';

function directionOf(p: Parser, qualifiers: Qualifiers): ParameterDirection {
  const { storage, position } = qualifiers;
  if (qualifiers.isInvariant || qualifiers.layout !== undefined || isInterpolated(qualifiers)) {
    p.error(position, '', 'invalid qualifier of a parameter');
  }
  if (storage === 'out' || storage === 'inout') {
    if (qualifiers.isConst) p.error(position, 'const', `a parameter cannot be 'const ${storage}'`);
    return storage;
  }
  if (storage !== undefined && storage !== 'in') p.error(position, storage, 'invalid qualifier of a parameter');
  return 'in';
}

function parseParameter(p: Parser): VariableSymbol {
  const qualifiers = parseQualifiers(p, true);
  const direction = directionOf(p, qualifiers);
  const specifier = parseTypeSpecifier(p);
  let { type } = specifier;
  let { position } = specifier;
  let name = '';
  if (specifier.definesStruct) p.error(position, type.name, 'structs cannot be defined in a parameter list');
  if (p.token.kind === TokenKind.identifier) {
    const token = p.advance();
    p.checkName(token);
    name = token.text;
    position = token.position;
  }
  let isUnsized = specifier.isUnsized;
  if (p.token.text === '[') {
    if (isUnsized) p.error(position, name, 'arrays of arrays are not allowed');
    const size = parseArraySize(p);
    if (p.token.text === '[') p.diagnostics.fatal(position, name, 'arrays of arrays are not allowed');
    if (size === 'unsized') isUnsized = true;
    else if (size === undefined) type = ERROR_TYPE;
    else type = makeArray(p, type, size, name, position);
  }
  if (isUnsized) {
    p.error(position, name, 'array parameters must have a size');
    type = ERROR_TYPE;
  }
  if (type === VOID) p.error(position, name, 'illegal use of type void');
  if (direction !== 'in' && containsSampler(type)) p.error(position, name, 'samplers cannot be output parameters');
  return makeVariable({
    name,
    type,
    storage: 'parameter',
    direction,
    precision: type === ERROR_TYPE ? undefined : resolvePrecision(p, type, qualifiers.precision, position),
    isReadOnly: qualifiers.isConst,
    position,
  });
}

function parseParameters(p: Parser): VariableSymbol[] {
  p.expect('(');
  if (p.accept(')')) return [];
  if (p.token.text === 'void' && p.peek(1).text === ')') {
    p.advance();
    p.advance();
    return [];
  }
  const parameters: VariableSymbol[] = [];
  do parameters.push(parseParameter(p));
  while (p.accept(','));
  p.expect(')');
  return parameters;
}

function checkSignature(p: Parser, qualifiers: Qualifiers, specifier: TypeSpecifier, name: Token): void {
  const { text, position } = name;
  const { type } = specifier;
  if (qualifiers.isQualified) p.error(position, text, 'a return type can only have a precision qualifier');
  if (specifier.isUnsized) p.error(position, text, 'a returned array must have a size');
  if (specifier.definesStruct && type.name === '') p.error(position, text, 'cannot return an anonymous struct');
  if (p.version === 100 && containsArray(type)) p.error(position, text, 'arrays cannot be returned in GLSL ES 1.00');
  if (containsSampler(type)) p.error(position, text, 'samplers cannot be returned');
  p.checkName(name);
}

/** The user functions of this name at global scope; made on first use, undefined when the name means something else. */
function functionGroup(p: Parser, name: Token): FunctionGroup | undefined {
  const { text, position } = name;
  const entry = p.symbols.lookupInnermost(text);
  if (entry?.kind === 'functions') return entry;
  if (entry !== undefined) {
    p.error(position, text, 'redefinition of a name as a function');
    return undefined;
  }
  const group: FunctionGroup = { kind: 'functions', name: text, overloads: new Map() };
  p.symbols.declare(group);
  return group;
}

/** GLSL ES 3.00 §4.2.2: built-in functions can be neither redefined nor overloaded; 1.00 only forbids the former. */
function checkBuiltinClash(p: Parser, name: Token, key: string): void {
  const builtins = p.builtins.overloads(name.text);
  if (builtins.size === 0 || (p.version === 100 && !builtins.has(key))) return;
  p.error(name.position, name.text, 'name of a built-in function cannot be redeclared as function');
}

function checkAgainstPrototype(p: Parser, name: Token, old: FunctionSymbol, next: FunctionSymbol): void {
  if (old.returnType !== next.returnType) {
    p.error(name.position, name.text, 'function must have the same return type in all of its declarations');
  }
  for (let index = 0; index < old.parameters.length; index++) {
    const a = old.parameters[index];
    const b = next.parameters[index];
    if (a.direction !== b.direction || a.isReadOnly !== b.isReadOnly) {
      p.error(name.position, name.text, 'function must have the same parameter qualifiers in all of its declarations');
    }
  }
}

function declareFunction(p: Parser, name: Token, declared: FunctionSymbol, isDefinition: boolean): FunctionSymbol {
  const group = functionGroup(p, name);
  if (group === undefined) return declared;
  const key = overloadKey(declared.parameters.map((parameter) => parameter.type));
  checkBuiltinClash(p, name, key);
  const old = group.overloads.get(key);
  if (old === undefined) {
    group.overloads.set(key, declared);
    p.functions.push(declared);
    return declared;
  }
  checkAgainstPrototype(p, name, old, declared);
  if (isDefinition) {
    if (old.body !== undefined) p.error(name.position, name.text, 'function already has a body');
    old.parameters = declared.parameters;
  } else if (p.version === 100) {
    // GLSL ES 1.00 §4.2.6 lets nothing be redeclared in one scope.
    p.error(name.position, name.text, 'duplicate function prototype declarations are not allowed');
  }
  return old;
}

function checkMain(p: Parser, name: Token, declared: FunctionSymbol): void {
  if (name.text !== 'main') return;
  if (declared.parameters.length > 0) p.error(name.position, 'main', 'function cannot take any parameters');
  if (declared.returnType !== VOID) p.error(name.position, 'main', 'function must return void');
}

/** A function whose type and name have been read; the current token is `(`. */
export function parseFunction(p: Parser, qualifiers: Qualifiers, specifier: TypeSpecifier, name: Token): void {
  checkSignature(p, qualifiers, specifier, name);
  const { position } = name;
  const returnType = specifier.type;
  const isVoid = returnType === VOID;
  if (isVoid && qualifiers.precision !== undefined) p.error(position, name.text, 'void cannot have a precision');
  const returnPrecision = isVoid ? undefined : resolvePrecision(p, returnType, qualifiers.precision, position);
  const parameters = parseParameters(p);
  const declared: FunctionSymbol = {
    kind: 'function',
    name: name.text,
    returnType,
    returnPrecision,
    parameters,
    body: undefined,
    callees: new Set(),
    position,
  };
  checkMain(p, name, declared);
  const isDefinition = p.token.text === '{';
  const symbol = declareFunction(p, name, declared, isDefinition);
  if (!isDefinition) {
    p.expect(';');
    return;
  }
  symbol.body = parseBody(p, symbol);
}

function parseBody(p: Parser, symbol: FunctionSymbol): BlockStatement {
  p.currentFunction = symbol;
  p.symbols.push();
  for (const parameter of symbol.parameters) {
    if (parameter.name === '') continue;
    if (p.symbols.lookupInnermost(parameter.name) !== undefined) {
      p.error(parameter.position, parameter.name, 'redefinition');
    }
    p.symbols.declare(parameter);
  }
  // GLSL ES 1.00 nests the body's scope in that of the parameters; in 3.00 (§4.2.2) and WebGL both are one scope.
  const isNested = p.version === 100 && p.profile === 'gles';
  if (isNested) p.symbols.push();
  const body = parseBlockBody(p);
  if (isNested) p.symbols.pop();
  p.symbols.pop();
  p.currentFunction = undefined;
  return body;
}
