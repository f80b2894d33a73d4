// The state space of the GPU: one word a register, written by LOAD_STATE, read by the units by name.

import { type FieldBits, fieldOf, mergeWord, type Register, registerAt, STATE_BYTES } from '../registers/registers.ts';

type AnyFields = Readonly<Record<string, FieldBits>>;

/** Mirrors of shader memory: written at one address, seen at the other. */
const MIRRORS: readonly (readonly [from: number, to: number, bytes: number])[] = [[0x8000, 0xc000, 0x4000]];

export class GpuState {
  readonly words = new Uint32Array(STATE_BYTES / 4);
  readonly floats = new Float32Array(this.words.buffer);
  /** Bit for each word that was ever written. */
  private readonly masked = new Uint8Array(STATE_BYTES / 4);

  constructor() {
    for (let word = 0; word < this.masked.length; word++) {
      if (registerAt(word * 4)?.register.masked) this.masked[word] = 1;
    }
  }

  /** Stores a word as a LOAD_STATE does. Returns the byte address it went to. */
  write(address: number, value: number): number {
    let at = address;
    for (const [from, to, bytes] of MIRRORS) if (at >= from && at < from + bytes) at += to - from;
    const word = at >>> 2;
    this.words[word] = this.masked[word] ? mergeWord(at, this.words[word]!, value) : value;
    return at;
  }

  private addressOf(register: Register, indices: readonly number[]): number {
    let address = register.address;
    for (const [dimension, index] of indices.entries()) address += index * register.repeat[dimension]![1];
    return address;
  }

  word(register: Register, ...indices: number[]): number {
    return this.words[this.addressOf(register, indices) >>> 2]!;
  }

  float(register: Register, ...indices: number[]): number {
    return this.floats[this.addressOf(register, indices) >>> 2]!;
  }

  field<Fields extends AnyFields>(register: Register<Fields>, name: keyof Fields, ...indices: number[]): number {
    return fieldOf(register, name, this.word(register as Register, ...indices));
  }
}
