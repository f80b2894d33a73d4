// Remembers which module an exported function comes from, so that other threads can make the same function for themselves.

/** Name of the exported variable (i32, mutable) that must hold the address of `scratchBytes` bytes before the entry is called. Each
 * thread has an instance of its own, so the memory may be that of the thread; it keeps nothing between calls. */
export const SCRATCH_EXPORT = 'scratch';

export interface FunctionSource {
  readonly module: WebAssembly.Module;
  /** Its name among the exports. */
  readonly name: string;
  /** Bytes of scratch memory that an instance must be given. */
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
