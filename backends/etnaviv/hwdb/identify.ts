// From what the kernel reports, and what the environment claims, to a CoreInfo with notices on everything doubtful.

import { SettingError } from '../setting-error.ts';
import { type CoreIdentity, type CoreInfo, coreInfo, decodeFeatures, findCore } from './core-info.ts';
import { CORES, type CoreLimits, type CoreRow } from './cores.table.ts';
import type { FeatureName } from './features.table.ts';

/** What a kernel (or a simulated one) says of a core. */
export interface CoreReport {
  readonly identity: CoreIdentity;
  readonly featureWords: readonly number[];
  readonly limits: CoreLimits;
}

export interface Identification {
  readonly core: CoreInfo;
  /** One line each, for people. */
  readonly notices: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'INDIUM_ETNAVIV_';

const hex = (value: number) => `0x${value.toString(16)}`;

/** Models from which on a feature must be there (true) or from which on it is unheard of (false below it). */
const MODEL_RULES: readonly (readonly [feature: FeatureName, firstModel: number])[] = [
  ['HALTI5', 0x6400],
  ['BLT_ENGINE', 0x6400],
  ['HALTI2', 0x1500],
];

function readNumber(environment: Environment, key: string): number | null {
  const text = environment[PREFIX + key];
  if (text === undefined || text === '') return null;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) {
    throw new SettingError(`${PREFIX}${key}=${text}: give a 32-bit number such as 0x2000`);
  }
  return value;
}

/** The identity that the environment claims instead of the reported one. */
export function overrideIdentity(identity: CoreIdentity, environment: Environment): CoreIdentity {
  return {
    model: readNumber(environment, 'CHIP_MODEL') ?? identity.model,
    revision: readNumber(environment, 'CHIP_REVISION') ?? identity.revision,
    productId: readNumber(environment, 'PRODUCT_ID') ?? identity.productId,
    customerId: readNumber(environment, 'CUSTOMER_ID') ?? identity.customerId,
    ecoId: readNumber(environment, 'ECO_ID') ?? identity.ecoId,
  };
}

/** FEATURESn_CLEAR, then FEATURESn_SET. */
export function overrideFeatures(words: readonly number[], environment: Environment): number[] {
  const result: number[] = [];
  for (let index = 0; index < 14; index++) {
    const clear = readNumber(environment, `FEATURES${index}_CLEAR`) ?? 0;
    const set = readNumber(environment, `FEATURES${index}_SET`) ?? 0;
    result.push((((words[index] ?? 0) & ~clear) | set) >>> 0);
  }
  while (result.length > 0 && result[result.length - 1] === 0) result.pop();
  return result;
}

/** Whether the ids can be true: a core that announces what its model never had is not that model. */
function contradictions(identity: CoreIdentity, features: ReadonlySet<FeatureName>): string[] {
  return MODEL_RULES.filter(([feature, first]) => features.has(feature) && identity.model < first).map(
    ([feature, first]) =>
      `the core says it is model ${hex(identity.model)} and has ${feature}, which came with model ${hex(first)}`,
  );
}

/** Finds the core. Never fails on an unknown core: the kernel's own words then describe it. */
export function identifyCore(
  report: CoreReport,
  environment: Environment = {},
  cores: readonly CoreRow[] = CORES,
): Identification {
  const notices: string[] = [];
  const identity = overrideIdentity(report.identity, environment);
  const isClaimed = Object.keys(identity).some(
    (key) => identity[key as keyof CoreIdentity] !== report.identity[key as keyof CoreIdentity],
  );
  if (isClaimed) notices.push(`the environment claims model ${hex(identity.model)} revision ${hex(identity.revision)}`);
  const doubts = isClaimed ? [] : contradictions(identity, decodeFeatures(report.featureWords));
  for (const doubt of doubts) notices.push(`${doubt}: its ids are not trusted, its feature words are used`);
  const row = doubts.length > 0 ? undefined : findCore(identity, cores);
  if (!row && doubts.length === 0) {
    notices.push(
      `no entry in the hardware database for model ${hex(identity.model)} revision ${hex(identity.revision)}: using the kernel's feature words`,
    );
  }
  const base: CoreInfo = row
    ? coreInfo(row, identity)
    : {
        identity,
        name: `gc${identity.model.toString(16)}-${identity.revision.toString(16)}`,
        limits: report.limits,
        featureWords: report.featureWords,
        features: decodeFeatures(report.featureWords),
        isKnown: false,
      };
  const featureWords = overrideFeatures(base.featureWords, environment);
  return { core: { ...base, featureWords, features: decodeFeatures(featureWords) }, notices };
}
