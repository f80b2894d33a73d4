// Random numbers that depend on a text only: each case draws the same in every run.

/** A small counter-based generator (xorshift-multiply over a hash of the seed). */
export class Random {
  #state: number;

  constructor(seed: string) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
    this.#state = hash >>> 0;
  }

  /** 32 random bits. */
  bits(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let value = this.#state;
    value = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
    value = Math.imul(value ^ (value >>> 15), 0x735a2d97);
    return (value ^ (value >>> 15)) >>> 0;
  }

  /** From [low, high), a multiple of 2^-24 of the range, as an exact float when the bounds are 0 and 1. */
  float(low = 0, high = 1): number {
    return low + (high - low) * ((this.bits() >>> 8) / 0x1000000);
  }

  /** A whole number from low to high, both included. */
  int(low: number, high: number): number {
    return low + Math.floor(((this.bits() >>> 0) / 0x100000000) * (high - low + 1));
  }

  bool(chance = 0.5): boolean {
    return this.float() < chance;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.int(0, from.length - 1)]!;
  }

  floats(count: number, low = 0, high = 1): number[] {
    return Array.from({ length: count }, () => this.float(low, high));
  }

  shuffle<T>(items: T[]): T[] {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [items[i], items[j]] = [items[j]!, items[i]!];
    }
    return items;
  }
}
