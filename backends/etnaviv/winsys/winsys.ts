// The room below the driver: one GPU core, its buffers and its queue. Two live here: a simulated GPU and the Linux device.

import type { ResourceHandle } from '../../../src/pipe/pipe.ts';
import type { CoreInfo } from '../hwdb/core-info.ts';

/** A buffer that CPU and GPU see. Its GPU address holds from creation to destruction. */
export interface BufferObject {
  readonly sizeBytes: number;
  readonly gpuAddress: number;
  /** All bytes. They stay where they are until the buffer is destroyed. */
  map(): Uint8Array;
}

/** What others know a buffer by: a descriptor of the system, or a name of the simulator. */
export type SharedHandle = Pick<ResourceHandle, 'kind' | 'handle'>;

/** A word of the stream that names a place in a buffer: kernels without fixed addresses put the address there. */
export interface Relocation {
  /** Index of the word in the stream. */
  readonly word: number;
  readonly buffer: BufferObject;
  readonly offsetBytes: number;
  readonly writes: boolean;
}

export interface Submit {
  /** A whole stream, padded to 64 bits. Used up when the call returns. */
  readonly words: Uint32Array;
  readonly relocations: readonly Relocation[];
  /** Every buffer that the stream or the shaders reach, and whether the GPU may write it. */
  readonly buffers: ReadonlyMap<BufferObject, { readonly writes: boolean }>;
}

/** The GPU stopped on a stream: the context is lost. */
export class GpuHangError extends Error {
  override readonly name = 'GpuHangError';
}

/** There is no memory for a stream, or for what it does: it was done in part at most. The GPU takes the next one. */
export class GpuMemoryError extends Error {
  override readonly name = 'GpuMemoryError';
}

export interface Winsys {
  /** `sim` or `drm`. */
  readonly name: string;
  readonly core: CoreInfo;
  /** What a person should know of the core, one line each. */
  readonly notices: readonly string[];
  /** Zeroed memory; null when there is none. */
  createBuffer(sizeBytes: number): BufferObject | null;
  /** The buffer may still be in use by submitted work; it goes when that is done. */
  destroyBuffer(buffer: BufferObject): void;
  /** A handle by which others reach the buffer for as long as it lives. Throws when it can't be shared. */
  exportBuffer?(buffer: BufferObject): SharedHandle;
  /** The buffer of a handle: the same object however often it is imported, destroyed as often. Throws when there is none. */
  importBuffer?(handle: SharedHandle): BufferObject;
  /** Queues work and returns the number of its fence; fences grow. Throws GpuHangError, GpuMemoryError. */
  submit(submit: Submit): number;
  /** Whether a fence was reached within the time. Throws GpuHangError when it never will be. */
  waitFence(fence: number, timeoutNanoseconds: number): boolean;
  /** The CPU is about to read, or to write, the buffer; earlier GPU work on it is over when the call returns. */
  prepare(buffer: BufferObject, writes: boolean): void;
  /** The CPU is done with what it prepared. */
  finish(buffer: BufferObject): void;
  memory(): { readonly liveBytes: number; readonly liveAllocations: number; readonly capacityBytes: number };
  destroy(): void;
}
