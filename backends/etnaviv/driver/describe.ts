// A core in words: what `indium info` prints, and the names by which test farms know it.

import type { CoreInfo } from '../hwdb/core-info.ts';
import { coreFacts } from '../hwdb/derived.ts';
import type { Winsys } from '../winsys/winsys.ts';

const hex = (value: number, digits = 0) => `0x${(value >>> 0).toString(16).padStart(digits, '0')}`;

/** What the driver does without the hardware's help, and what it therefore costs. */
function emulated({ core }: Winsys): string[] {
  const facts = coreFacts(core);
  const { features } = core;
  return [
    ...(facts.halti >= 5 ? ['transform feedback (vertices run once more on the CPU)', 'primitive counts (CPU)'] : []),
    ...(features.has('LINE_LOOP') ? [] : ['line loops (indices)']),
    ...(facts.hasIntegers ? [] : ['integers and booleans (as floats)']),
    ...(facts.halti < 4 && features.has('MSAA') ? ['alpha to coverage (a draw a sample)'] : []),
    'scaled and converting blits, generated mip levels (drawn)',
  ];
}

export function describeCore(winsys: Winsys): string[] {
  const { core, name, notices } = winsys;
  const { identity, limits, featureWords, features } = core;
  const facts = coreFacts(core);
  const lines = [
    `winsys ${name}; ${core.isKnown ? 'a core of the hardware database' : "an unknown core, taken by the kernel's words"}`,
    `model ${hex(identity.model)} revision ${hex(identity.revision)} product ${hex(identity.productId)} customer ${hex(identity.customerId)} eco ${hex(identity.ecoId)}`,
    `HALTI level ${facts.halti < 0 ? 'none' : facts.halti}; ${facts.pixelPipes} pixel pipes; ${facts.hasBlt ? 'BLT' : 'RS'}; textures by ${facts.hasTextureDescriptors ? 'descriptor' : 'state'}`,
    `limits: ${Object.entries(limits)
      .map(([limit, value]) => `${limit} ${value}`)
      .join(', ')}`,
    `feature words: ${featureWords.map((word) => hex(word, 8)).join(' ')}`,
    `features: ${[...features].join(' ')}`,
    `emulated: ${emulated(winsys).join('; ')}`,
  ];
  return [...lines, ...notices.map((notice) => `notice: ${notice}`)];
}

/** From the exact core to the family. */
export function machineTags({ name, identity }: CoreInfo): string[] {
  const model = `gc${identity.model.toString(16)}`;
  return [...new Set(['etnaviv', model, name, `${model}-r${identity.revision.toString(16)}`])];
}
