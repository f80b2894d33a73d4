// Turns the table of built-in functions into overloads that calls are resolved against; made once per name and environment.

import type { BuiltinFunction, ParameterDirection, ShaderStage, ShaderVersion, TextureRole } from './ast.ts';
import {
  type Availability,
  FUNCTION_GROUPS,
  TEXTURE_FUNCTIONS,
  type TextureFunctionRow,
} from './builtin-functions.table.ts';
import {
  FLOAT,
  INT,
  matrixType,
  type SamplerType,
  type ScalarKind,
  type Type,
  typeByName,
  VEC4,
  vectorType,
} from './types.ts';

/** Overloads by the names of their parameter types, joined with commas. */
export type OverloadSet = ReadonlyMap<string, BuiltinFunction>;

export function overloadKey(types: readonly Type[]): string {
  if (types.length === 1) return types[0].name;
  let key = '';
  for (const type of types) key += `${type.name},`;
  return key;
}

interface AvailableFunction extends Availability {
  readonly builtin: BuiltinFunction;
}

const GENERIC: Readonly<Record<string, { base: ScalarKind; minimum: number }>> = {
  genType: { base: 'float', minimum: 1 },
  genIType: { base: 'int', minimum: 1 },
  genUType: { base: 'uint', minimum: 1 },
  genBType: { base: 'bool', minimum: 1 },
  vec: { base: 'float', minimum: 2 },
  ivec: { base: 'int', minimum: 2 },
  uvec: { base: 'uint', minimum: 2 },
  bvec: { base: 'bool', minimum: 2 },
};

function instantiate(name: string, size: number): Type {
  if (name === 'mat') return matrixType(size, size);
  const generic = GENERIC[name];
  return generic === undefined ? typeByName(name) : vectorType(generic.base, size);
}

/** The sizes a prototype stands for: 1–4 or 2–4 when it has generic names, else one (any). */
function sizesOf(typeNames: readonly string[]): number[] {
  if (typeNames.some((name) => name === 'mat' || GENERIC[name]?.minimum === 2)) return [2, 3, 4];
  return typeNames.some((name) => name in GENERIC) ? [1, 2, 3, 4] : [1];
}

const PROTOTYPE = /^(\w+) (\w+)\(([^)]*)\)$/;

function expandPrototype(text: string): BuiltinFunction[] {
  const match = PROTOTYPE.exec(text);
  if (match === null) throw new Error(`built-in function table: cannot read "${text}"`);
  const [, returnName, name, parameterText] = match;
  const parameters = parameterText.split(',').map((parameter) => parameter.trim());
  const directions = parameters.map((parameter): ParameterDirection => (parameter.startsWith('out ') ? 'out' : 'in'));
  const typeNames = parameters.map((parameter) => parameter.replace(/^out /, ''));
  return sizesOf([returnName, ...typeNames]).map((size) => ({
    name,
    parameterTypes: typeNames.map((typeName) => instantiate(typeName, size)),
    directions,
    returnType: instantiate(returnName, size),
    texture: undefined,
  }));
}

const SPATIAL_DIMENSIONS = { '2d': 2, '3d': 3, cube: 3, '2dArray': 2 } as const;

function textureReturnType(row: TextureFunctionRow, sampler: SamplerType): Type {
  if (row.op === 'size')
    return vectorType('int', sampler.dimension === '3d' || sampler.dimension === '2dArray' ? 3 : 2);
  if (sampler.isShadow) return FLOAT;
  return sampler.base === 'float' ? VEC4 : vectorType(sampler.base, 4);
}

function expandTexture(
  row: TextureFunctionRow,
  sampler: SamplerType,
  coordinate: Type | undefined,
): AvailableFunction[] {
  const spatial = SPATIAL_DIMENSIONS[sampler.dimension];
  const parameterTypes: Type[] = [sampler];
  const roles: TextureRole[] = ['sampler'];
  const add = (role: TextureRole, type: Type) => {
    roles.push(role);
    parameterTypes.push(type);
  };
  if (coordinate !== undefined) add('coord', coordinate);
  if (row.op === 'lod') add('lod', FLOAT);
  if (row.op === 'fetch' || row.op === 'size') add('lod', INT);
  if (row.op === 'grad') {
    add('ddx', vectorType('float', spatial));
    add('ddy', vectorType('float', spatial));
  }
  if (row.hasOffset) add('offset', vectorType('int', spatial));
  const make = (op: 'bias' | TextureFunctionRow['op'], types: readonly Type[], parts: readonly TextureRole[]) => ({
    name: row.name,
    parameterTypes: types,
    directions: types.map((): ParameterDirection => 'in'),
    returnType: textureReturnType(row, sampler),
    texture: { op, isProjected: row.isProjected, roles: parts },
  });
  const { versions, stages, extension } = row;
  const result: AvailableFunction[] = [{ versions, stages, extension, builtin: make(row.op, parameterTypes, roles) }];
  if (row.hasBias) {
    const builtin = make('bias', [...parameterTypes, FLOAT], [...roles, 'bias']);
    result.push({ versions, stages: ['fragment'], extension, builtin });
  }
  return result;
}

function expandTextureRow(row: TextureFunctionRow): AvailableFunction[] {
  const result: AvailableFunction[] = [];
  for (const pair of row.samplers.trim().split(/\s+/)) {
    const [samplerName, coordinateName] = pair.split(':');
    const coordinate = coordinateName === undefined ? undefined : typeByName(coordinateName);
    const names = samplerName.startsWith('g')
      ? ['', 'i', 'u'].map((base) => base + samplerName.slice(1))
      : [samplerName];
    for (const name of names) result.push(...expandTexture(row, typeByName(name) as SamplerType, coordinate));
  }
  return result;
}

/** What makes the overloads of one name; only few of the names occur in a shader. */
type Expansion = () => readonly AvailableFunction[];

function indexByName(): Map<string, Expansion[]> {
  const byName = new Map<string, Expansion[]>();
  const add = (name: string, expand: Expansion) => {
    const list = byName.get(name);
    if (list === undefined) byName.set(name, [expand]);
    else list.push(expand);
  };
  for (const { versions, stages, extension, prototypes } of FUNCTION_GROUPS) {
    for (const prototype of prototypes.split(';')) {
      const text = prototype.trim();
      if (text === '') continue;
      const name = text.slice(text.indexOf(' ') + 1, text.indexOf('('));
      add(name, () => expandPrototype(text).map((builtin) => ({ versions, stages, extension, builtin })));
    }
  }
  for (const row of TEXTURE_FUNCTIONS) add(row.name, () => expandTextureRow(row));
  return byName;
}

let expansions: Map<string, Expansion[]> | undefined;
const functionsByName = new Map<string, readonly AvailableFunction[]>();

function functionsNamed(name: string): readonly AvailableFunction[] | undefined {
  const known = functionsByName.get(name);
  if (known !== undefined) return known;
  expansions ??= indexByName();
  const functions = expansions.get(name)?.flatMap((expand) => expand());
  // Names that users invent are not kept: the map would grow without bound.
  if (functions !== undefined) functionsByName.set(name, functions);
  return functions;
}

const setsByEnvironment = new Map<string, Map<string, OverloadSet>>();
const EMPTY: OverloadSet = new Map();

/** The built-in functions of one stage and version with a set of enabled extensions. */
export class BuiltinFunctions {
  private readonly version: ShaderVersion;
  private readonly stage: ShaderStage;
  private readonly extensions: ReadonlySet<string>;
  private readonly sets: Map<string, OverloadSet>;

  constructor(version: ShaderVersion, stage: ShaderStage, extensions: ReadonlySet<string>) {
    this.version = version;
    this.stage = stage;
    this.extensions = extensions;
    const key = [version, stage, ...[...extensions].sort()].join();
    const known = setsByEnvironment.get(key);
    this.sets = known ?? new Map();
    if (known === undefined) setsByEnvironment.set(key, this.sets);
  }

  /** All overloads of a name; empty when there is no such function here. */
  overloads(name: string): OverloadSet {
    const known = this.sets.get(name);
    if (known !== undefined) return known;
    const available = functionsNamed(name);
    if (available === undefined) return EMPTY;
    const set = new Map<string, BuiltinFunction>();
    for (const { versions, stages, extension, builtin } of available) {
      if (!versions.includes(this.version) || !stages.includes(this.stage)) continue;
      if (extension !== undefined && !this.extensions.has(extension)) continue;
      set.set(overloadKey(builtin.parameterTypes), builtin);
    }
    this.sets.set(name, set);
    return set;
  }
}

/** The extension that would provide a function of this name, for the message about its absence. */
export function extensionOfFunction(name: string, version: ShaderVersion, stage: ShaderStage): string | undefined {
  return functionsNamed(name)?.find(
    (row) => row.extension !== undefined && row.versions.includes(version) && row.stages.includes(stage),
  )?.extension;
}
