// What compiling a shader gives, and the parts of the module that vertex and fragment programs share.
import type { Shader } from '../ir/ir.ts';
import type { FunctionBuilder, GlobalHandle } from '../wasm/function-builder.ts';
import { SCRATCH_EXPORT } from '../wasm/function-source.ts';
import { ModuleBuilder } from '../wasm/module-builder.ts';
import { MODULE_MEMORY, moduleMemory } from './keys.ts';
import { type LocalMemory, layoutLocals } from './memory-access.ts';

export interface ShaderModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes of scratch memory (16-byte aligned); 0: `SCRATCH_EXPORT` is absent. */
  readonly scratchBytes: number;
}

/** The variables of the module that a body uses. */
export interface ShaderGlobals {
  readonly scratch: LocalMemory;
  readonly sink: GlobalHandle<'i32'>;
}

export interface CompileOptions {
  /** Whether the memory that instances get is shared. */
  readonly sharedMemory: boolean;
  /** Function names in the module, for profiles. */
  readonly names?: boolean;
}

/** Builds the module of one entry function around a body. Throws `TooComplexError` (src/base) beyond what an engine takes. */
export function buildShaderModule(
  shader: Shader,
  width: 1 | 2,
  options: CompileOptions,
  entry: string,
  parameters: number,
  emit: (f: FunctionBuilder, globals: ShaderGlobals) => void,
): ShaderModule {
  const module = new ModuleBuilder();
  module.importMemory(MODULE_MEMORY.module, MODULE_MEMORY.name, moduleMemory(options.sharedMemory));
  const sink = module.global('i32', 0);
  const { bytes, offsets } = layoutLocals(shader, width);
  const address = bytes === 0 ? null : module.global('i32', 0, { exportName: SCRATCH_EXPORT });
  const f = module.function(entry, Array(parameters).fill('i32'), [], { exported: true });
  emit(f, { scratch: { bytes, offsets, address }, sink });
  return { bytes: module.build({ names: options.names ?? false }), scratchBytes: bytes };
}
