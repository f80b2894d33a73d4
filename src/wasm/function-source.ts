// Remembers which module an exported function comes from, so that other threads can make the same function for themselves.

export interface FunctionSource {
  readonly module: WebAssembly.Module;
  /** Its name among the exports. */
  readonly name: string;
  /** Bytes of scratch memory that an instance must be given; see `SCRATCH_EXPORT` of src/jit. */
  readonly scratchBytes: number;
}

const sources = new WeakMap<object, FunctionSource>();

/** Notes where `exported` comes from. */
export function noteSource(exported: unknown, source: FunctionSource): void {
  sources.set(exported as object, source);
}

/** Where a function came from; undefined: nobody noted it. */
export function sourceOf(exported: object): FunctionSource | undefined {
  return sources.get(exported);
}
