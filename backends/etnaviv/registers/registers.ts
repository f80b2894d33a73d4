// All registers by name and by address, and a word of a register as text.

import { ENGINES_REGISTERS } from './engines.table.ts';
import { ENUMS } from './enums.table.ts';
import { FEEDBACK_REGISTERS } from './feedback.table.ts';
import { FRONT_END_REGISTERS } from './front-end.table.ts';
import { PIXEL_REGISTERS } from './pixel.table.ts';
import { RASTER_REGISTERS } from './raster.table.ts';
import { keptBits, type Register } from './register.ts';
import { SHADER_REGISTERS } from './shader.table.ts';
import { TEXTURE_REGISTERS } from './texture.table.ts';

export { type FieldBits, fieldOf, packFields, type Register } from './register.ts';

export const REGISTERS = {
  ...FRONT_END_REGISTERS,
  ...SHADER_REGISTERS,
  ...RASTER_REGISTERS,
  ...PIXEL_REGISTERS,
  ...TEXTURE_REGISTERS,
  ...ENGINES_REGISTERS,
  ...FEEDBACK_REGISTERS,
} as const;

export type RegisterName = keyof typeof REGISTERS;

/** Bytes of the state space. */
export const STATE_BYTES = 0x40000;

export interface RegisterAt {
  readonly name: RegisterName;
  readonly register: Register;
  /** Index in each dimension of the repetition. */
  readonly indices: readonly number[];
}

/** By word address. Where two registers share an address the one that repeats less comes first (it says more). */
const BY_ADDRESS = new Map<number, RegisterAt>();

function enter(name: RegisterName, register: Register): void {
  let places: { address: number; indices: number[] }[] = [{ address: register.address, indices: [] }];
  for (const [count, stride] of register.repeat) {
    places = places.flatMap(({ address, indices }) =>
      Array.from({ length: count }, (_, index) => ({
        address: address + index * stride,
        indices: [...indices, index],
      })),
    );
  }
  for (const { address, indices } of places) {
    if (!BY_ADDRESS.has(address)) BY_ADDRESS.set(address, { name, register, indices });
  }
}

const repetitions = ({ repeat }: Register) => repeat.reduce((product, [count]) => product * count, 1);
for (const [name, register] of (Object.entries(REGISTERS) as [RegisterName, Register][]).sort(
  ([, a], [, b]) => repetitions(a) - repetitions(b),
)) {
  enter(name, register);
}

export function registerAt(address: number): RegisterAt | undefined {
  return BY_ADDRESS.get(address);
}

/** Addresses of registers whose words are merged with the old one, for a quick test. */
export function isMaskedAddress(address: number): boolean {
  return BY_ADDRESS.get(address)?.register.masked ?? false;
}

/** The value of a state after `word` is written over `old`. */
export function mergeWord(address: number, old: number, word: number): number {
  const entry = BY_ADDRESS.get(address);
  if (!entry?.register.masked) return word;
  const kept = keptBits(entry.register, word);
  return ((old & kept) | (word & ~kept)) >>> 0;
}

export function addressName(address: number): string {
  const entry = BY_ADDRESS.get(address);
  if (!entry) return `state ${address.toString(16).padStart(5, '0')}`;
  return entry.name + entry.indices.map((index) => `[${index}]`).join('');
}

const floatView = new Float32Array(1);
const wordView = new Uint32Array(floatView.buffer);

function valueText(register: Register, word: number): string {
  if (register.kind === 'float') {
    wordView[0] = word;
    return String(floatView[0]);
  }
  const parts = Object.entries(register.fields).flatMap(([name, [low, high, values]]) => {
    const value = (word >>> low) & (2 ** (high - low + 1) - 1);
    if (value === 0 && values === undefined) return [];
    const known = values && Object.entries(ENUMS[values]).find(([, number]) => number === value)?.[0];
    if (high === low && known === undefined) return [name];
    return [`${name}=${known ?? value}`];
  });
  return parts.join(' ');
}

/** `PE_COLOR_STRIDE = 00000100 …`: a state write as a person reads it. */
export function stateText(address: number, word: number): string {
  const hex = (word >>> 0).toString(16).padStart(8, '0');
  const entry = BY_ADDRESS.get(address);
  const text = entry ? valueText(entry.register, word) : '';
  return `${addressName(address)} = ${hex}${text === '' ? '' : ` (${text})`}`;
}
