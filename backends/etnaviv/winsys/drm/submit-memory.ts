// The memory that a submit's pointers point to: buffers, relocations and stream in one piece that never moves.

import type { Submit } from '../winsys.ts';
import type { DrmBuffer } from './buffer.ts';
import type { Libc } from './libc.ts';
import { CONSTANTS } from './uapi.table.ts';
import { encodeStruct, layoutOf, type Values } from './uapi.ts';

const FIRST_BYTES = 1 << 18;

export class SubmitMemory {
  readonly #libc: Libc;
  #address = 0n;
  #sizeBytes = 0;
  #buffer = new ArrayBuffer(0);
  #stream = new Uint32Array(0);

  constructor(libc: Libc) {
    this.#libc = libc;
  }

  /** The stream of the last submit. */
  get stream(): Uint32Array {
    return this.#stream;
  }

  /** Writes everything down; the fields of the request, or null: out of memory. `isSoftpin`: buffers have the addresses that they say. */
  write(submit: Submit, isSoftpin: boolean): Values | null {
    const bo = layoutOf('submitBo').sizeBytes;
    const reloc = layoutOf('submitReloc').sizeBytes;
    const buffers = buffersOf(submit);
    const relocations = isSoftpin ? [] : [...submit.relocations].sort((a, b) => a.word - b.word);
    const bosAt = Math.ceil(submit.words.byteLength / 8) * 8;
    const relocsAt = bosAt + buffers.size * bo;
    if (!this.#reserve(relocsAt + relocations.length * reloc)) return null;

    const view = new DataView(this.#buffer);
    this.#stream = new Uint32Array(this.#buffer, 0, submit.words.length);
    this.#stream.set(submit.words);
    const indices = new Map<DrmBuffer, number>();
    for (const [buffer, writes] of buffers) {
      const flags = CONSTANTS.ETNA_SUBMIT_BO_READ | (writes ? CONSTANTS.ETNA_SUBMIT_BO_WRITE : 0);
      const presumed = isSoftpin ? buffer.gpuAddress : 0;
      encodeStruct('submitBo', { flags, handle: buffer.handle, presumed }, view, bosAt + indices.size * bo);
      indices.set(buffer, indices.size);
    }
    for (const [index, { word, buffer, offsetBytes }] of relocations.entries()) {
      const reloc_idx = indices.get(buffer as DrmBuffer)!;
      const values = { submit_offset: word * 4, reloc_idx, reloc_offset: offsetBytes };
      encodeStruct('submitReloc', values, view, relocsAt + index * reloc);
    }
    return {
      exec_state: CONSTANTS.ETNA_PIPE_3D,
      nr_bos: buffers.size,
      nr_relocs: relocations.length,
      stream_size: submit.words.byteLength,
      bos: this.#address + BigInt(bosAt),
      relocs: this.#address + BigInt(relocsAt),
      stream: this.#address,
      flags: isSoftpin ? CONSTANTS.ETNA_SUBMIT_SOFTPIN : 0,
      fence_fd: -1,
    };
  }

  #reserve(sizeBytes: number): boolean {
    if (sizeBytes <= this.#sizeBytes) return true;
    const bytes = Math.max(FIRST_BYTES, 2 ** Math.ceil(Math.log2(sizeBytes)));
    const address = this.#libc.mmapAnonymous(bytes);
    if (address === null) return false;
    this.destroy();
    this.#address = address;
    this.#sizeBytes = bytes;
    this.#buffer = this.#libc.view(address, bytes);
    return true;
  }

  destroy(): void {
    if (this.#sizeBytes === 0) return;
    this.#libc.munmap(this.#address, this.#sizeBytes);
    this.#sizeBytes = 0;
    this.#buffer = new ArrayBuffer(0);
    this.#stream = new Uint32Array(0);
  }
}

/** Each buffer once, with those that only a relocation names; the kernel refuses a list with one twice. */
export function buffersOf(submit: Submit): Map<DrmBuffer, boolean> {
  const buffers = new Map<DrmBuffer, boolean>();
  for (const [buffer, { writes }] of submit.buffers) buffers.set(buffer as DrmBuffer, writes);
  for (const { buffer, writes } of submit.relocations) {
    const drm = buffer as DrmBuffer;
    buffers.set(drm, (buffers.get(drm) ?? false) || writes);
  }
  return buffers;
}
