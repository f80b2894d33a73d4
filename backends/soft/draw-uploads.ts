// What shaders read besides vertices: uniforms, texture bindings, uniform blocks. Each is copied into the job when it changed,
// and its address noted in the DRAW structure.

import { DRAW, TEXTURE_BINDING, UBO } from '../../src/raster/layout.ts';
import { OutOfMemoryError, type RasterMemory } from '../../src/raster/memory.ts';
import type { Bindings, StageBindings } from '../../src/util/bindings.ts';
import { SOFT_CAPS } from './caps.ts';
import type { Job } from './job.ts';
import type { SoftResource, Storage } from './resource.ts';
import type { SoftSampler, SoftSamplerView } from './sampler.ts';
import { DIRTY } from './state.ts';

const { word } = DRAW;

/** An address in the job's arena. Throws OutOfMemoryError. */
export function takeFrom(job: Job, bytes: number): number {
  const address = job.arena.allocate(bytes);
  if (address === 0) throw new OutOfMemoryError(bytes);
  return address;
}

/** Buffers of a stage: the constants, and each uniform block that a shader may read, bound or not. */
const BUFFER_COUNT = 1 + SOFT_CAPS.maxUniformBlocks;

/** The buffers behind a stage's uniform blocks when their addresses were taken. */
interface UploadedBlocks {
  readonly storages: (Storage | null)[];
  /** One past the last bound one. */
  count: number;
  /** Entries of `words` up to this one may hold something else than zeros. */
  written: number;
  /** The UBO structures, and where and for which job they were uploaded last. */
  readonly words: Uint32Array;
  address: number;
  jobId: number;
}

function createBlocks(): UploadedBlocks {
  const words = new Uint32Array((SOFT_CAPS.maxUniformBlocks * UBO.size) >>> 2);
  const storages = new Array<Storage | null>(BUFFER_COUNT).fill(null);
  return { storages, count: 0, written: BUFFER_COUNT, words, address: 0, jobId: 0 };
}

function storageOf(stage: StageBindings, index: number): Storage | null {
  const bound = stage.buffers[index];
  return bound ? (bound.buffer as SoftResource).storage : null;
}

export class DrawUploads {
  readonly #memory: RasterMemory;
  readonly #words: Uint32Array;
  readonly #vertexBlocks = createBlocks();
  readonly #fragmentBlocks = createBlocks();

  /** `words`: the DRAW structure that addresses go to. */
  constructor(memory: RasterMemory, words: Uint32Array) {
    this.#memory = memory;
    this.#words = words;
  }

  /** Uploads what `dirty` (bits of `DIRTY`) names. `zeros` is the address of 16 zeroed bytes. Throws OutOfMemoryError. */
  update(dirty: number, bindings: Bindings, job: Job, zeros: number): void {
    const words = this.#words;
    const { vertex, fragment } = bindings;
    if (dirty & DIRTY.VERTEX_CONSTANTS) words[word.vertexUniforms] = this.#constants(job, vertex);
    if (dirty & DIRTY.FRAGMENT_CONSTANTS) words[word.fragmentUniforms] = this.#constants(job, fragment);
    if (dirty & DIRTY.VERTEX_TEXTURES) words[word.vertexTextures] = this.#textures(job, vertex);
    if (dirty & DIRTY.FRAGMENT_TEXTURES) words[word.fragmentTextures] = this.#textures(job, fragment);
    if (dirty & DIRTY.VERTEX_BLOCKS || this.#areBlocksStale(vertex, this.#vertexBlocks)) {
      words[word.vertexUbos] = this.#blocks(job, vertex, this.#vertexBlocks, zeros);
    }
    if (dirty & DIRTY.FRAGMENT_BLOCKS || this.#areBlocksStale(fragment, this.#fragmentBlocks)) {
      words[word.fragmentUbos] = this.#blocks(job, fragment, this.#fragmentBlocks, zeros);
    }
  }

  #constants(job: Job, stage: StageBindings): number {
    const { constants } = stage;
    // Never empty: generated code clamps its reads into the block.
    const address = takeFrom(job, Math.max(constants.byteLength, 16));
    this.#memory.u32.set(constants, address >>> 2);
    return address;
  }

  #textures(job: Job, stage: StageBindings): number {
    const { views, samplers } = stage;
    const address = takeFrom(job, Math.max(1, views.length) * TEXTURE_BINDING.size);
    for (let index = 0; index < views.length; index++) {
      // Clears come between the deletion of a texture and the draw that binds others: what is gone is not read.
      const bound = views[index] as SoftSamplerView | null;
      const view = bound?.resource.isDestroyed ? null : bound;
      const sampler = samplers[index] as SoftSampler | null | undefined;
      const at = (address + index * TEXTURE_BINDING.size) >>> 2;
      // Allocations may replace the memory's views: take them afterwards.
      const viewAddress = view ? view.addressIn(job) : 0;
      const samplerAddress = sampler ? sampler.addressIn(job) : 0;
      this.#memory.u32[at + TEXTURE_BINDING.word.view] = viewAddress;
      this.#memory.u32[at + TEXTURE_BINDING.word.sampler] = samplerAddress;
      if (view) job.read(view.resource.storage);
    }
    return address;
  }

  /** Whether a bound buffer has taken new storage (was renamed) since. */
  #areBlocksStale(stage: StageBindings, uploaded: UploadedBlocks): boolean {
    for (let index = 1; index < uploaded.count; index++) {
      if (uploaded.storages[index] !== storageOf(stage, index)) return true;
    }
    return false;
  }

  /** UBO structures of a stage; entry i is pipe constant buffer i + 1. */
  #blocks(job: Job, stage: StageBindings, uploaded: UploadedBlocks, zeros: number): number {
    const { words, storages } = uploaded;
    const isFresh = uploaded.jobId !== job.id;
    let isSame = !isFresh;
    let count = 0;
    let end = BUFFER_COUNT;
    while (end > uploaded.written && !stage.buffers[end - 1]) end--;
    for (let index = 1; index < end; index++) {
      const bound = stage.buffers[index];
      const resource = bound?.buffer as SoftResource | undefined;
      const storage = resource?.storage ?? null;
      const size =
        bound && resource && !resource.isDestroyed
          ? Math.max(0, Math.min(bound.sizeBytes, resource.width - bound.offsetBytes))
          : 0;
      const at = ((index - 1) * UBO.size) >>> 2;
      const address = size > 0 ? storage!.address + bound!.offsetBytes : zeros;
      const readable = size > 0 ? size : 16;
      if (words[at + UBO.word.address] !== address || words[at + UBO.word.size] !== readable) {
        words[at + UBO.word.address] = address;
        words[at + UBO.word.size] = readable;
        isSame = false;
      }
      if (size > 0 && (isFresh || storages[index] !== storage)) job.read(storage!);
      storages[index] = storage;
      if (storage !== null) count = index + 1;
    }
    uploaded.count = uploaded.written = count;
    if (isSame) return uploaded.address;
    // Should there be no memory, the next draw starts afresh.
    uploaded.jobId = 0;
    const address = takeFrom(job, SOFT_CAPS.maxUniformBlocks * UBO.size);
    this.#memory.u32.set(words, address >>> 2);
    uploaded.address = address;
    uploaded.jobId = job.id;
    return address;
  }
}
