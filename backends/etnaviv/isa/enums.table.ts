// The enumerations of instruction fields: value ↔ name, and what is reserved.
//
// Facts: rnndb isa.xml of the etnaviv project and Mesa's isaspec description.

/** Names by value; undefined values are reserved and refused. */
export type EnumTable<Name extends string> = readonly (Name | undefined)[];

export const CONDITIONS = [
  'true',
  'gt',
  'lt',
  'ge',
  'le',
  'eq',
  'ne',
  'and',
  'or',
  'xor',
  'not',
  'nz',
  'gez',
  'gz',
  'lez',
  'lz',
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
  'selmsb',
] as const;
export type Condition = NonNullable<(typeof CONDITIONS)[number]>;

/** The type of the operation; `f32` is not written in text. */
export const TYPES = ['f32', 's32', 's8', 'u16', 'f16', 's16', 'u32', 'u8'] as const;
export type OperandType = (typeof TYPES)[number];

/** Register groups; 5 and 6 are reserved. `uniformHigh` counts from uniform 128. */
export const GROUPS = [
  'temp',
  'internal',
  'uniform',
  'uniformHigh',
  'tempFull',
  undefined,
  undefined,
  'immediate',
] as const;
export type Group = NonNullable<(typeof GROUPS)[number]>;
export type RegisterGroup = Exclude<Group, 'immediate'>;

/** How a register of a group is written: letter(s) before the number. */
export const GROUP_PREFIXES: Readonly<Record<RegisterGroup, string>> = {
  temp: 't',
  internal: 'i',
  uniform: 'u',
  uniformHigh: 'uh',
  tempFull: 'th',
};

export const ADDRESSING = ['direct', 'a.x', 'a.y', 'a.z', 'a.w'] as const;
export type Addressing = (typeof ADDRESSING)[number];

export const ROUNDING = ['default', 'rtz', 'rtne'] as const;
export type Rounding = (typeof ROUNDING)[number];

/** Float: the upper 20 bits of a binary32. Int: two's complement. Half: a binary16 in the low bits. */
export const IMMEDIATE_TYPES = ['float', 'int', 'uint', 'half'] as const;
export type ImmediateType = (typeof IMMEDIATE_TYPES)[number];

/** Suffixes for single bits. */
export const FLAG_SUFFIXES = {
  saturate: 'sat',
  skipHelpers: 'skphp',
  local: 'local',
  denorm: 'denorm',
  dstFull: 'hp',
} as const;
