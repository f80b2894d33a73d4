// What a register is: its address, its fields, how often it repeats. The tables of this folder are made of these.

import type { EnumName } from './enums.table.ts';

/** Lowest and highest bit, and the enumeration of the values if there is one. */
export type FieldBits = readonly [low: number, high: number] | readonly [low: number, high: number, values: EnumName];

export interface RegisterOptions {
  /** Words that are not made of fields: a GPU address, a float. Default: a number. */
  readonly kind?: 'number' | 'address' | 'float';
  /** FOO_MASK = 1 keeps the old value of FOO when the word is written. */
  readonly masked?: boolean;
  /** Counts and strides in bytes, outermost first. */
  readonly repeat?: readonly (readonly [count: number, strideBytes: number])[];
}

export interface Register<Fields extends Readonly<Record<string, FieldBits>> = Readonly<Record<string, FieldBits>>>
  extends Required<RegisterOptions> {
  readonly address: number;
  readonly fields: Fields;
}

export function register<const Fields extends Readonly<Record<string, FieldBits>>>(
  address: number,
  fields: Fields,
  options: RegisterOptions = {},
): Register<Fields> {
  return { address, fields, kind: 'number', masked: false, repeat: [], ...options };
}

/** One field of a register's word. */
export function fieldOf<Fields extends Readonly<Record<string, FieldBits>>>(
  { fields }: Register<Fields>,
  name: keyof Fields,
  word: number,
): number {
  const [low, high] = fields[name]!;
  return (word >>> low) & (2 ** (high - low + 1) - 1);
}

/** A register's word from its fields. Throws when a value does not fit. */
export function packFields<Fields extends Readonly<Record<string, FieldBits>>>(
  { fields }: Register<Fields>,
  values: { readonly [Name in keyof Fields]?: number | boolean },
): number {
  let word = 0;
  for (const name of Object.keys(values) as (keyof Fields & string)[]) {
    const [low, high] = fields[name]!;
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** (high - low + 1))
      throw new RangeError(`${name} = ${value} does not fit into ${high - low + 1} bits`);
    word |= value << low;
  }
  return word >>> 0;
}

/** Bits of a word whose FOO_MASK is set: they keep their old value. */
export function keptBits({ fields, masked }: Register, word: number): number {
  if (!masked) return 0;
  let kept = 0;
  for (const [name, [low]] of Object.entries(fields)) {
    if (!name.endsWith('_MASK') || ((word >>> low) & 1) === 0) continue;
    for (const target of maskedFields(name, fields)) {
      const [first, last] = fields[target]!;
      kept |= (2 ** (last - first + 1) - 1) << first;
    }
  }
  return kept >>> 0;
}

/** Fields that a mask bit guards: the one of its name, and both masks of a stencil face. */
function maskedFields(mask: string, fields: Readonly<Record<string, FieldBits>>): string[] {
  const name = mask.slice(0, -'_MASK'.length);
  const guarded = [name, `${name}_FRONT`].filter((field) => field in fields && !field.endsWith('_MASK'));
  return mask === 'MASK_FRONT_MASK' ? ['MASK_FRONT'] : guarded;
}
