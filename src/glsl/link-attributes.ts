// Vertex attributes: which are active and at which locations (OpenGL ES 3.0.6 §2.12.5).
// SPDX-License-Identifier: MIT
import type { CheckedShader, VariableSymbol } from './ast.ts';
import { glInfoOf } from './link-names.ts';
import type { ActiveAttribute, LinkOptions } from './link-result.ts';

const BUILTIN_ATTRIBUTES = new Set(['gl_VertexID', 'gl_InstanceID']);

/** Active attributes with locations; problems go to `errors`. */
export function linkAttributes(
  vertex: CheckedShader,
  used: ReadonlySet<VariableSymbol>,
  options: LinkOptions,
  errors: string[],
): ActiveAttribute[] {
  const symbols = vertex.globals.filter((symbol) => symbol.storage === 'in' && used.has(symbol));
  const attributes = symbols.map((symbol) => describe(symbol, fixedLocation(symbol, options)));
  const owners = new Array<string | undefined>(options.limits.maxVertexAttribs);
  for (const attribute of attributes) {
    if (attribute.location >= 0) occupy(attribute, owners, mayAlias(vertex, options), errors);
  }
  // In version 300 bindings may not alias even when nothing reads the attributes (GLSL ES 3.00 §12.46).
  if (vertex.version === 300) {
    const all = owners.slice();
    for (const symbol of vertex.globals) {
      if (symbol.storage !== 'in' || used.has(symbol)) continue;
      const attribute = describe(symbol, fixedLocation(symbol, options));
      if (attribute.location >= 0) occupy(attribute, all, false, errors);
    }
  }
  const open = attributes.filter((attribute) => attribute.location < 0);
  // In order of declaration where that works; matrices first where scattered attributes would leave no room for them.
  if (!placeAll(open, owners)) {
    open.sort((a, b) => b.locationCount - a.locationCount);
    if (!placeAll(open, owners)) errors.push(`Too many attributes: only ${owners.length} locations are available.`);
  }
  for (const symbol of vertex.builtinVariables) {
    if (BUILTIN_ATTRIBUTES.has(symbol.name) && used.has(symbol))
      attributes.push({ ...describe(symbol, -1), location: -1 });
  }
  return attributes;
}

/** Two attributes at one location are legal in GLES 2 (only one may be read on a path), but not in WebGL or version 300. */
function mayAlias(vertex: CheckedShader, options: LinkOptions): boolean {
  return vertex.version === 100 && options.profile === 'gles';
}

function fixedLocation(symbol: VariableSymbol, options: LinkOptions): number {
  return symbol.layout.location ?? options.attribBindings?.get(symbol.name) ?? -1;
}

function describe(symbol: VariableSymbol, location: number): ActiveAttribute {
  const info = glInfoOf(symbol.type);
  const baseType = info.baseType === 'int' || info.baseType === 'uint' ? info.baseType : 'float';
  return { name: symbol.name, type: info.enum, size: 1, location, locationCount: info.columns, baseType };
}

function occupy(
  attribute: ActiveAttribute,
  owners: (string | undefined)[],
  isAliasingLegal: boolean,
  errors: string[],
): void {
  const end = attribute.location + attribute.locationCount;
  if (end > owners.length) {
    errors.push(
      `Attribute '${attribute.name}' at location ${attribute.location} exceeds the ${owners.length} locations.`,
    );
    return;
  }
  for (let location = attribute.location; location < end; location++) {
    const owner = owners[location];
    if (owner !== undefined && !isAliasingLegal) {
      errors.push(`Attribute '${attribute.name}' aliases attribute '${owner}' at location ${location}.`);
      return;
    }
    owners[location] = attribute.name;
  }
}

/** First fit; gives up without a change to `owners` when one does not fit. */
function placeAll(attributes: readonly ActiveAttribute[], owners: (string | undefined)[]): boolean {
  const trial = owners.slice();
  for (const attribute of attributes) {
    const count = attribute.locationCount;
    let location = 0;
    while (location + count <= trial.length && !isFree(trial, location, count)) location++;
    if (location + count > trial.length) return false;
    attribute.location = location;
    trial.fill(attribute.name, location, location + count);
  }
  for (let i = 0; i < trial.length; i++) owners[i] = trial[i];
  return true;
}

function isFree(owners: readonly (string | undefined)[], location: number, count: number): boolean {
  for (let i = location; i < location + count; i++) if (owners[i] !== undefined) return false;
  return true;
}
