// Compiles kernel modules and keeps their instances: one module a key for the process, one instance a memory.
import { LruCache } from '../base/lru-cache.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { noteSource } from '../wasm/function-source.ts';
import { ModuleBuilder } from '../wasm/module-builder.ts';
import { ModuleCache } from '../wasm/module-cache.ts';
import type { RasterMemory } from './memory.ts';
import { PREBUILT } from './prebuilt.table.ts';

export type KernelExports = Readonly<Record<string, (...args: number[]) => number>>;

/** Where generated modules find the memory: import `env.memory`. */
const MEMORY_IMPORT = { module: 'env', name: 'memory' } as const;

const modules = new ModuleCache(1024);

/** Starts a module that works on the shared memory. */
function memoryModule(isShared: boolean): ModuleBuilder {
  const module = new ModuleBuilder();
  module.importMemory(MEMORY_IMPORT.module, MEMORY_IMPORT.name, {
    minimumPages: 1,
    maximumPages: 65536,
    shared: isShared,
  });
  return module;
}

/** What a kernel is known by in the process: memories that are shared are imported in another way. */
export function moduleKey(key: string, isShared: boolean): string {
  return `${isShared ? 's' : 'p'}:${key}`;
}

export function kernelBytes(isShared: boolean, build: (module: ModuleBuilder) => void): Uint8Array<ArrayBuffer> {
  const builder = memoryModule(isShared);
  build(builder);
  return builder.build({ names: true });
}

function prebuiltBytes(key: string): Uint8Array<ArrayBuffer> | null {
  if (!Object.hasOwn(PREBUILT, key)) return null;
  const text = PREBUILT[key]!;
  const { Buffer } = globalThis;
  return Buffer ? Buffer.from(text, 'base64') : Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
}

/** Kernel variants that one memory keeps instances of; those in use are held by who uses them. */
const MAX_INSTANCES = 512;

/** The kernels of one memory. */
export class KernelLibrary {
  readonly #memory: RasterMemory;
  readonly #instances = new LruCache<KernelExports>(MAX_INSTANCES);

  constructor(memory: RasterMemory) {
    this.#memory = memory;
  }

  /** The exports of the kernel module of this key; `build` fills the module when it is new. The key must determine the code. */
  get(key: string, build: (module: ModuleBuilder) => void): KernelExports {
    let exports = this.#instances.get(key);
    if (exports === undefined) {
      const { isShared, memory } = this.#memory;
      const name = moduleKey(key, isShared);
      const module = modules.get(name, () => prebuiltBytes(name) ?? kernelBytes(isShared, build));
      exports = new WebAssembly.Instance(module, { env: { memory } }).exports as KernelExports;
      for (const [entry, exported] of Object.entries(exports))
        noteSource(exported, { module, name: entry, scratchBytes: 0 });
      this.#instances.set(key, exports);
    }
    return exports;
  }
}

/** Shorthand for `const x = f.let(f.i32.load(base, offset))`. */
export function loadI32(f: FunctionBuilder, base: Parameters<FunctionBuilder['i32']['load']>[0], offset = 0) {
  return f.let(f.i32.load(base, offset));
}
export function loadF32(f: FunctionBuilder, base: Parameters<FunctionBuilder['i32']['load']>[0], offset = 0) {
  return f.let(f.f32.load(base, offset));
}
