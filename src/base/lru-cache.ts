// A bounded map: the entries used longest ago go first once the sum of costs is above the limit.

export class LruCache<Value> {
  readonly limit: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly cost: number }>();
  #cost = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A Map iterates in insertion order, so inserting again makes this one the youngest.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** What alone costs more than the limit is not kept. */
  set(key: string, value: Value, cost = 1): void {
    this.delete(key);
    if (cost > this.limit) return;
    this.#entries.set(key, { value, cost });
    this.#cost += cost;
    for (const oldest of this.#entries.keys()) {
      if (this.#cost <= this.limit) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#cost -= entry.cost;
  }

  clear(): void {
    this.#entries.clear();
    this.#cost = 0;
  }

  get size(): number {
    return this.#entries.size;
  }
}
