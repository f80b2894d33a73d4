// A screen as a worker has it: views of its memory, and its own instances of the modules that jobs name.

import { SCRATCH_EXPORT } from '../../../src/wasm/function-source.ts';
import type { MemoryViews, ThreadFunction } from './tile-runner.ts';

interface Instance {
  readonly call: ThreadFunction;
  /** Of shaders that need scratch memory. */
  readonly scratch: WebAssembly.Global | null;
}

export interface FunctionCode {
  readonly module: WebAssembly.Module;
  readonly name: string;
}

export class WorkerScreen implements MemoryViews {
  u32!: Uint32Array;
  i32!: Int32Array;
  f64!: Float64Array;
  readonly #memory: WebAssembly.Memory;
  readonly #instances = new Map<number, Instance>();

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
    this.refresh();
  }

  /** Takes views of what another thread may have made larger. */
  refresh(): void {
    const { buffer } = this.#memory;
    if (this.u32?.buffer === buffer) return;
    this.u32 = new Uint32Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }

  /** The function with this id, whose scratch memory is at `scratch`. */
  functionOf(id: number, code: FunctionCode, scratch: number): ThreadFunction {
    const instance = this.prepare(id, code);
    if (instance.scratch !== null) instance.scratch.value = scratch;
    return instance.call;
  }

  /** Makes a function's instance unless there is one. */
  prepare(id: number, { module, name }: FunctionCode): Instance {
    let instance = this.#instances.get(id);
    if (instance === undefined) {
      const { exports } = new WebAssembly.Instance(module, { env: { memory: this.#memory } });
      const own = exports[SCRATCH_EXPORT];
      instance = {
        call: exports[name] as unknown as ThreadFunction,
        scratch: own instanceof WebAssembly.Global ? own : null,
      };
      this.#instances.set(id, instance);
    }
    return instance;
  }

  drop(id: number): void {
    this.#instances.delete(id);
  }
}
