// Reads a vendor's feature database header (gc_feature_database.h and its many versions) into rows that merge with ours.

import type { CoreLimits, CoreRow } from './cores.table.ts';
import { FEATURE_BITS, type FeatureName } from './features.table.ts';

export interface ImportedCore {
  readonly name: string;
  readonly model: number;
  readonly revision: number;
  readonly productId: number;
  readonly customerId: number;
  readonly ecoId: number;
  /** Member → value, under the vendor's names without prefix. */
  readonly members: Readonly<Record<string, number>>;
  /** Features and limits that the header gives a value for, under our names. */
  readonly features: ReadonlyMap<FeatureName, boolean>;
  readonly limits: Partial<CoreLimits>;
}

export interface ImportResult {
  readonly cores: readonly ImportedCore[];
  /** Members that no feature or limit of ours is named like. */
  readonly unknownMembers: readonly string[];
}

const IDENTITY = {
  chipid: 'model',
  chipversion: 'revision',
  productid: 'productId',
  customerid: 'customerId',
  ecoid: 'ecoId',
} as const;
/** Members that are limits; headers have had several names for most. */
const LIMITS: Readonly<Record<string, keyof CoreLimits>> = {
  streams: 'streams',
  streamcount: 'streams',
  tempregisters: 'registers',
  registermax: 'registers',
  threadcount: 'threads',
  numshadercores: 'shaderCores',
  shadercorecount: 'shaderCores',
  vertexcachesize: 'vertexCache',
  vertexoutputbuffersize: 'vertexOutputBuffer',
  numpixelpipes: 'pixelPipes',
  pixelpipes: 'pixelPipes',
  instructioncount: 'instructions',
  numberofconstants: 'constants',
  numconstants: 'constants',
  varyingcount: 'varyings',
  varyingscount: 'varyings',
  numvaryings: 'varyings',
};
const PLAIN_NAME = (name: string) => name.replace(/^REG_/i, '').replace(/_/g, '').toLowerCase();

const FEATURES_BY_PLAIN_NAME = new Map<string, FeatureName>();
for (const name of FEATURE_BITS.flat()) {
  if (name !== '') FEATURES_BY_PLAIN_NAME.set(PLAIN_NAME(name), name as FeatureName);
}
// Members whose names differ by more than spelling.
for (const [vendor, ours] of [
  ['pipe3d', 'PIPE_3D'],
  ['pipe2d', 'PIPE_2D'],
  ['dxttexturecompression', 'DXT_TEXTURE_COMPRESSION'],
  ['etc1texturecompression', 'ETC1_TEXTURE_COMPRESSION'],
  ['txastc', 'TEXTURE_ASTC'],
  ['instructioncache', 'INSTRUCTION_CACHE'],
  ['bltengine', 'BLT_ENGINE'],
] as const) {
  FEATURES_BY_PLAIN_NAME.set(vendor, ours);
}

function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/\/\/[^\n]*/g, ' ');
}

/** The members of the database structure in order. */
function parseMembers(text: string): string[] {
  const body = /struct[^{]*\{([\s\S]*?)\}\s*\w*\s*;?/.exec(text)?.[1];
  if (body === undefined) throw new Error('the header has no structure of features');
  const members = [...body.matchAll(/[\w\s*]*?(\w+)\s*(?::\s*\d+\s*)?;/g)].map((match) => match[1]!);
  if (members.length === 0) throw new Error('the structure of features has no members');
  return members;
}

function parseValue(text: string): number | string {
  const trimmed = text.trim();
  if (/^".*"$/.test(trimmed)) return trimmed.slice(1, -1);
  const value = Number(trimmed.replace(/[uUlL]+$/, ''));
  if (!Number.isFinite(value)) throw new Error(`'${trimmed}' is neither a number nor a string`);
  return value;
}

/** Throws an Error that says what is wrong with the header. */
export function importHeader(source: string): ImportResult {
  const text = stripComments(source);
  const members = parseMembers(text);
  const table = /=\s*\{([\s\S]*)\}\s*;/.exec(text.slice(text.indexOf('}') + 1))?.[1];
  if (table === undefined) throw new Error('the header has no table of cores');
  const cores: ImportedCore[] = [];
  const unknown = new Set<string>();
  for (const [row] of table.matchAll(/\{[^{}]*\}/g)) {
    const values = row
      .slice(1, -1)
      .split(',')
      .filter((value) => value.trim() !== '')
      .map(parseValue);
    if (values.length !== members.length) {
      throw new Error(`a core has ${values.length} values for ${members.length} members`);
    }
    cores.push(makeCore(members, values, unknown));
  }
  return { cores, unknownMembers: [...unknown].sort() };
}

function makeCore(
  members: readonly string[],
  values: readonly (number | string)[],
  unknown: Set<string>,
): ImportedCore {
  const identity = { model: 0, revision: 0, productId: 0, customerId: 0, ecoId: 0 };
  const numbers: Record<string, number> = {};
  const features = new Map<FeatureName, boolean>();
  const limits: { -readonly [Name in keyof CoreLimits]?: number } = {};
  let name = '';
  for (const [index, member] of members.entries()) {
    const value = values[index]!;
    const plain = PLAIN_NAME(member);
    if (typeof value === 'string') {
      if (plain === 'productname' && value !== '') name = value.toLowerCase();
      continue;
    }
    const id = IDENTITY[plain as keyof typeof IDENTITY];
    if (id !== undefined) identity[id] = value;
    else {
      numbers[member.replace(/^REG_/, '')] = value;
      const feature = FEATURES_BY_PLAIN_NAME.get(plain);
      const limit = LIMITS[plain];
      if (feature !== undefined) features.set(feature, value !== 0);
      else if (limit !== undefined) limits[limit] = value;
      else unknown.add(member);
    }
  }
  if (name === '') name = `gc${identity.model.toString(16)}-${identity.revision.toString(16)}`;
  return { name, ...identity, members: numbers, features, limits };
}

export interface MergedImport extends ImportResult {
  /** What headers say differently, a line each; the later one counts. */
  readonly disagreements: readonly string[];
}

/** Headers of several driver versions have different members: a core gets what any of them says of it. */
export function mergeImports(imports: readonly ImportResult[]): MergedImport {
  const merged = new Map<string, ImportedCore>();
  const disagreements: string[] = [];
  for (const core of imports.flatMap(({ cores }) => cores)) {
    const ids = [core.model, core.revision, core.productId, core.customerId, core.ecoId];
    const key = ids.map((id) => `0x${id.toString(16)}`).join(' ');
    const known = merged.get(key);
    if (!known) {
      merged.set(key, core);
      continue;
    }
    for (const [feature, value] of core.features) {
      const before = known.features.get(feature);
      if (before !== undefined && before !== value) disagreements.push(`${key}: ${feature}: ${before}, then ${value}`);
    }
    merged.set(key, {
      ...core,
      members: { ...known.members, ...core.members },
      features: new Map([...known.features, ...core.features]),
      limits: { ...known.limits, ...core.limits },
    });
  }
  const unknown = new Set(imports.flatMap(({ unknownMembers }) => unknownMembers));
  return { cores: [...merged.values()], unknownMembers: [...unknown].sort(), disagreements };
}

/** Feature words of an imported core, over those of a row that may already describe it: what the header does not name stays. */
export function mergeFeatureWords(imported: ImportedCore, row?: CoreRow): number[] {
  const words = FEATURE_BITS.map((_, index) => row?.featureWords[index] ?? 0);
  for (const [word, names] of FEATURE_BITS.entries()) {
    for (const [bit, name] of names.entries()) {
      const value = name === '' ? undefined : imported.features.get(name as FeatureName);
      if (value === true) words[word] = (words[word]! | (1 << bit)) >>> 0;
      else if (value === false) words[word] = (words[word]! & ~(1 << bit)) >>> 0;
    }
  }
  return words;
}
