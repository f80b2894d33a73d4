// Finds things by a list of numbers, without making text or garbage: for what is looked up at every draw.

/** A key under construction, used again and again. */
export class NumberKey {
  readonly numbers: Int32Array;
  length = 0;
  readonly #float = new Float32Array(1);
  readonly #bits = new Int32Array(this.#float.buffer);

  /** `capacity`: the most numbers that a key can have. */
  constructor(capacity: number) {
    this.numbers = new Int32Array(capacity);
  }

  reset(): void {
    this.length = 0;
  }

  add(number: number): void {
    this.numbers[this.length++] = number;
  }

  /** A number that fits 32 bits as a float. */
  addFloat(number: number): void {
    this.#float[0] = number;
    this.add(this.#bits[0]!);
  }

  hash(): number {
    let hash = 0;
    for (let i = 0; i < this.length; i++) hash = (Math.imul(hash, 0x01000193) ^ this.numbers[i]!) | 0;
    // Small integers stay out of the heap.
    return hash & 0x3fffffff;
  }
}

interface Entry<Value> {
  readonly key: Int32Array;
  readonly value: Value;
}

export class NumberMap<Value> {
  readonly #capacity: number;
  readonly #buckets = new Map<number, Entry<Value>[]>();
  #size = 0;

  /** `capacity`: entries kept; beyond, all are dropped, so it must be possible to make them again. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Undefined when the key is new. */
  get(key: NumberKey): Value | undefined {
    const bucket = this.#buckets.get(key.hash());
    if (bucket === undefined) return undefined;
    for (let i = 0; i < bucket.length; i++) if (isEqual(bucket[i]!.key, key)) return bucket[i]!.value;
    return undefined;
  }

  /** For a key that is new. */
  set(key: NumberKey, value: Value): void {
    if (this.#size++ >= this.#capacity) {
      this.#buckets.clear();
      this.#size = 1;
    }
    const hash = key.hash();
    const entry = { key: key.numbers.slice(0, key.length), value };
    const bucket = this.#buckets.get(hash);
    if (bucket === undefined) this.#buckets.set(hash, [entry]);
    else bucket.push(entry);
  }
}

function isEqual(numbers: Int32Array, key: NumberKey): boolean {
  if (numbers.length !== key.length) return false;
  for (let i = 0; i < numbers.length; i++) if (numbers[i] !== key.numbers[i]) return false;
  return true;
}
