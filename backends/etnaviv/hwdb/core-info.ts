// What is known of one GPU core: identity, limits, features. The winsys makes it; driver and simulator only read it.

import { CORES, type CoreLimits, type CoreRow } from './cores.table.ts';
import { FEATURE_BITS, type FeatureName } from './features.table.ts';

export interface CoreIdentity {
  readonly model: number;
  readonly revision: number;
  readonly productId: number;
  readonly customerId: number;
  readonly ecoId: number;
}

export interface CoreInfo {
  readonly identity: CoreIdentity;
  /** `gc2000`, or the model and revision of a core that no row describes. */
  readonly name: string;
  readonly limits: CoreLimits;
  readonly featureWords: readonly number[];
  /** Announced and working: a bit that says "broken" has already taken its feature away. */
  readonly features: ReadonlySet<FeatureName>;
  /** Whether a row of the database describes the core. */
  readonly isKnown: boolean;
}

/** A feature word of the kernel may say "present but broken": then the announcing bit does not count. */
export const BROKEN_FEATURES: readonly (readonly [broken: FeatureName, feature: FeatureName])[] = [
  ['NO_ASTC', 'TEXTURE_ASTC'],
  ['NO_DXT', 'DXT_TEXTURE_COMPRESSION'],
];

export function decodeFeatures(words: readonly number[]): Set<FeatureName> {
  const features = new Set<FeatureName>();
  for (const [index, names] of FEATURE_BITS.entries()) {
    const word = words[index] ?? 0;
    for (const [bit, name] of names.entries()) if ((word >>> bit) & 1 && name !== '') features.add(name as FeatureName);
  }
  for (const [broken, feature] of BROKEN_FEATURES) if (features.has(broken)) features.delete(feature);
  return features;
}

/** The word and bit that announce a feature. */
export function featureBit(name: FeatureName): { word: number; bit: number } {
  for (const [word, names] of FEATURE_BITS.entries()) {
    const bit = (names as readonly string[]).indexOf(name);
    if (bit >= 0) return { word, bit };
  }
  throw new Error(`no feature is named ${name}`);
}

function accepts(wanted: number | null, actual: number): boolean {
  return wanted === null || wanted === actual;
}

/** The row of an identity; one with all its ids beats one that takes any. */
export function findCore(identity: CoreIdentity, cores: readonly CoreRow[] = CORES): CoreRow | undefined {
  const rows = cores.filter(
    (row) =>
      row.model === identity.model &&
      row.revision === identity.revision &&
      accepts(row.productId, identity.productId) &&
      accepts(row.customerId, identity.customerId) &&
      accepts(row.ecoId, identity.ecoId),
  );
  const exactness = (row: CoreRow) => [row.productId, row.customerId, row.ecoId].filter((id) => id !== null).length;
  return rows.sort((a, b) => exactness(b) - exactness(a))[0];
}

export function coreNamed(name: string): CoreRow | undefined {
  return CORES.find((row) => row.name === name);
}

export function coreInfo(row: CoreRow, identity?: CoreIdentity): CoreInfo {
  return {
    identity: identity ?? {
      model: row.model,
      revision: row.revision,
      productId: row.productId ?? 0,
      customerId: row.customerId ?? 0,
      ecoId: row.ecoId ?? 0,
    },
    name: row.name,
    limits: row.limits,
    featureWords: row.featureWords,
    features: decodeFeatures(row.featureWords),
    isKnown: true,
  };
}
