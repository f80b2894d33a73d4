// A bounded cache of compiled modules: the least recently used one goes first, so endless program churn leaves no growth.

export class ModuleCache {
  readonly capacity: number;
  private readonly modules = new Map<string, WebAssembly.Module>();
  hits = 0;
  misses = 0;

  constructor(capacity = 512) {
    this.capacity = capacity;
  }

  /** The module of this key, compiled from `build()` when it is not in the cache. The key must determine the bytes. */
  get(key: string, build: () => Uint8Array<ArrayBuffer>): WebAssembly.Module {
    const cached = this.modules.get(key);
    if (cached !== undefined) {
      this.hits++;
      // A Map iterates in insertion order, so inserting again makes this one the youngest.
      this.modules.delete(key);
      this.modules.set(key, cached);
      return cached;
    }
    this.misses++;
    const module = new WebAssembly.Module(build());
    this.modules.set(key, module);
    if (this.modules.size > this.capacity) this.modules.delete(this.modules.keys().next().value!);
    return module;
  }

  get size(): number {
    return this.modules.size;
  }

  clear(): void {
    this.modules.clear();
  }
}
