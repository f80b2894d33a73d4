// The part of constant buffer 0 behind the uniforms: tables of constants that shaders index at run time.
// SPDX-License-Identifier: MIT
import type { ConstantValue } from './ast.ts';
import { constantWord, forEachVector, uniformSlotCount } from './lower-values.ts';
import type { Type } from './types.ts';

const WORDS_PER_SLOT = 4;

export class ConstantPool {
  /** First slot behind the uniforms. */
  readonly #firstSlot: number;
  readonly #words: number[] = [];
  readonly #tables = new Map<string, number>();

  constructor(firstSlot: number) {
    this.#firstSlot = firstSlot;
  }

  get slotCount(): number {
    return this.#firstSlot + this.#words.length / WORDS_PER_SLOT;
  }

  /** Slot of a table laid out as a uniform of that type would be; equal tables share it. */
  add(type: Type, constant: ConstantValue): number {
    const words: number[] = new Array(uniformSlotCount(type) * WORDS_PER_SLOT).fill(0);
    let from = 0;
    let slot = 0;
    forEachVector(type, (leaf) => {
      if (leaf.kind !== 'scalar' && leaf.kind !== 'vector') return;
      for (let i = 0; i < leaf.rows; i++) words[slot * WORDS_PER_SLOT + i] = constantWord(leaf.base, constant[from++]);
      slot++;
    });
    const key = words.join();
    let first = this.#tables.get(key);
    if (first === undefined) {
      first = this.slotCount;
      this.#tables.set(key, first);
      for (const word of words) this.#words.push(word);
    }
    return first;
  }

  /** The whole of constant buffer 0 before uniforms are set. */
  image(): Uint32Array {
    const result = new Uint32Array(this.slotCount * WORDS_PER_SLOT);
    result.set(this.#words, this.#firstSlot * WORDS_PER_SLOT);
    return result;
  }
}
