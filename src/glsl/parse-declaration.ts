// Variable declarations, global and local, and what a variable may be (GLSL ES 1.00 §4, GLSL ES 3.00 §4).

import type { ConstantValue, Expression, LayoutQualifier, StorageQualifier, VariableSymbol } from './ast.ts';
import { checkInterface } from './check-interface.ts';
import { isError } from './expressions.ts';
import { parseAssignment } from './parse-expression.ts';
import { makeArray, parseArraySize, type Qualifiers, resolvePrecision, type TypeSpecifier } from './parse-type.ts';
import type { Parser } from './parser.ts';
import { redeclareBuiltin } from './redeclare-builtin.ts';
import { makeVariable } from './symbols.ts';
import type { Token } from './tokens.ts';
import { containsArray, containsSampler, ERROR_TYPE, type Type, VOID } from './types.ts';
import { expressionChildren } from './walk.ts';

/** Where a variable with these qualifiers lives. */
function storageOf(p: Parser, qualifiers: Qualifiers): StorageQualifier {
  switch (qualifiers.storage) {
    case 'const':
    case 'uniform':
    case 'in':
    case 'out':
      return qualifiers.storage;
    case 'attribute':
      return 'in';
    case 'varying':
      return p.stage === 'vertex' ? 'out' : 'in';
    default:
      return p.symbols.isGlobal ? 'global' : 'local';
  }
}

function checkRedeclaration(p: Parser, name: Token): void {
  const { text, position } = name;
  const existing = p.symbols.lookupInnermost(text);
  if (existing !== undefined) p.error(position, text, 'redefinition');
}

interface Initializer {
  readonly expression: Expression;
  readonly constant: ConstantValue | undefined;
}

/** Checks `= expression` against the variable; undefined after an error. */
function checkInitializer(
  p: Parser,
  name: Token,
  type: Type,
  storage: StorageQualifier,
  expression: Expression,
): Initializer | undefined {
  const { text, position } = name;
  if (storage !== 'const' && storage !== 'global' && storage !== 'local') {
    p.error(position, text, `${storage} variables cannot be initialized`);
    return undefined;
  }
  if (isError(expression) || type === ERROR_TYPE) return undefined;
  if (expression.type !== type) {
    p.error(position, '=', `cannot convert from '${expression.type.name}' to '${type.name}'`);
    return undefined;
  }
  if (containsSampler(type)) {
    p.error(position, text, 'samplers cannot be initialized');
    return undefined;
  }
  if (p.version === 100 && containsArray(type)) {
    p.error(position, text, 'arrays and structs with arrays cannot be initialized in GLSL ES 1.00');
    return undefined;
  }
  const { constant } = expression;
  if (constant === undefined && storage === 'const') {
    p.error(position, '=', `assigning non-constant to 'const ${type.name}'`);
    return undefined;
  }
  if (constant === undefined && storage === 'global') {
    const message = 'global variable initializers must be constant expressions';
    // Browsers let some of this pass in WebGL 1, for the sake of old content.
    const isTolerated = p.version === 100 && p.profile === 'webgl' && isNearlyConstant(expression);
    if (isTolerated) p.diagnostics.warning(position, '=', message);
    else p.error(position, '=', message);
  }
  return { expression, constant };
}

/** Made of uniforms and globals by operators and built-in functions without side effects or look-ups. */
function isNearlyConstant(root: Expression): boolean {
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.kind === 'call' || node.kind === 'assign' || node.kind === 'increment') return false;
    if (node.kind === 'builtin' && node.builtin.texture !== undefined) return false;
    if (node.kind === 'variable') {
      const { storage, isBuiltin } = node.symbol;
      if (isBuiltin || (storage !== 'uniform' && storage !== 'global' && storage !== 'const')) return false;
    }
    for (const child of expressionChildren(node)) stack.push(child);
  }
  return true;
}

/** One `name [n] = initialiser` of a declaration, its type and qualifiers given. */
function parseDeclarator(p: Parser, qualifiers: Qualifiers, specifier: TypeSpecifier, name: Token): VariableSymbol {
  const { text, position } = name;
  const redeclared = redeclareBuiltin(p, qualifiers, specifier, name);
  if (redeclared !== undefined) return redeclared;
  p.checkName(name);
  let { type } = specifier;
  let isUnsized = specifier.isUnsized;
  if (p.token.text === '[') {
    if (isUnsized) p.diagnostics.fatal(position, text, 'arrays of arrays are not allowed');
    const size = parseArraySize(p);
    if (p.token.text === '[') p.diagnostics.fatal(position, text, 'arrays of arrays are not allowed');
    if (size === undefined) type = ERROR_TYPE;
    else if (size === 'unsized') isUnsized = true;
    else type = makeArray(p, type, size, text, position);
  }
  const storage = storageOf(p, qualifiers);
  let initializer: Initializer | undefined;
  if (p.accept('=')) {
    const expression = parseAssignment(p);
    if (isUnsized) type = sizeFromInitializer(p, type, expression, name);
    initializer = checkInitializer(p, name, type, storage, expression);
  } else if (isUnsized) {
    p.error(position, text, 'array without a size must have an initializer');
    type = ERROR_TYPE;
  } else if (storage === 'const') {
    p.error(position, text, 'variables with qualifier const must be initialized');
  }
  return declareVariable(p, qualifiers, type, storage, name, initializer);
}

function sizeFromInitializer(p: Parser, element: Type, expression: Expression, name: Token): Type {
  if (isError(expression)) return ERROR_TYPE;
  const { type } = expression;
  if (p.version === 300 && type.kind === 'array' && type.element === element) return type;
  p.error(name.position, name.text, `cannot convert from '${type.name}' to '${element.name}[]'`);
  return ERROR_TYPE;
}

function declareVariable(
  p: Parser,
  qualifiers: Qualifiers,
  type: Type,
  storage: StorageQualifier,
  name: Token,
  initializer: Initializer | undefined,
): VariableSymbol {
  const { text, position } = name;
  if (type === VOID) p.error(position, text, 'illegal use of type void');
  checkRedeclaration(p, name);
  if (type !== ERROR_TYPE) checkInterface(p, qualifiers, type, storage, name);
  const precision = type === ERROR_TYPE ? undefined : resolvePrecision(p, type, qualifiers.precision, position);
  const isOutput = storage === 'out';
  const variable = makeVariable({
    name: text,
    type,
    storage,
    precision,
    interpolation: qualifiers.interpolation ?? 'smooth',
    isCentroid: qualifiers.isCentroid,
    isSample: qualifiers.isSample,
    isInvariant: qualifiers.isInvariant || (isOutput && p.pragmas.invariantAll),
    layout: layoutOf(qualifiers),
    isReadOnly: storage === 'const' || storage === 'uniform' || storage === 'in',
    constant: storage === 'const' ? initializer?.constant : undefined,
    initializer: storage === 'const' ? undefined : initializer?.expression,
    position,
  });
  p.symbols.declare(variable);
  if (p.symbols.isGlobal) p.globals.push(variable);
  return variable;
}

function layoutOf({ layout }: Qualifiers): LayoutQualifier {
  if (layout?.location === undefined) return {};
  return { location: layout.location, ...(layout.index !== undefined && { index: layout.index }) };
}

/** The declarators after a type: `name [n] = e, …;`, the first name already read (`float, a` has no first one). */
export function parseDeclarators(
  p: Parser,
  qualifiers: Qualifiers,
  specifier: TypeSpecifier,
  firstName: Token | undefined,
): VariableSymbol[] {
  const variables = firstName === undefined ? [] : [parseDeclarator(p, qualifiers, specifier, firstName)];
  while (p.accept(',')) variables.push(parseDeclarator(p, qualifiers, specifier, p.expectIdentifier()));
  p.expect(';');
  return variables;
}

/** `type;` without a name: only of use for a struct. */
export function checkEmptyDeclaration(p: Parser, qualifiers: Qualifiers, specifier: TypeSpecifier): void {
  const { position, type } = specifier;
  if (specifier.isUnsized) p.error(position, type.name, 'array must have a size');
  if (qualifiers.layout !== undefined) p.error(position, 'layout', 'only allowed on declarations');
  if (qualifiers.precision !== undefined) resolvePrecision(p, type, qualifiers.precision, position);
  if (type === VOID) p.error(position, 'void', 'illegal use of type void');
  if (!specifier.definesStruct) p.diagnostics.warning(position, type.name, 'empty declaration');
}

/** `while (bool name = e)`: declares the variable after its initialiser has been parsed. */
export function parseConditionDeclaration(
  p: Parser,
  qualifiers: Qualifiers,
  specifier: TypeSpecifier,
): { variable: VariableSymbol; condition: Expression } {
  const name = p.expectIdentifier();
  p.checkName(name);
  p.expect('=');
  const condition = parseAssignment(p);
  const { type } = specifier;
  const storage = storageOf(p, qualifiers);
  if (!isError(condition) && condition.type !== type) {
    p.error(name.position, '=', `cannot convert from '${condition.type.name}' to '${type.name}'`);
  }
  return { variable: declareVariable(p, qualifiers, type, storage, name, undefined), condition };
}
