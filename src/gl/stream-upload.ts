// Puts small transient data (client arrays, generic attributes, client indices) into pipe buffers, one after the other.

import type { Context as PipeContext } from '../pipe/context.ts';
import { BIND, MAP } from '../pipe/defines.ts';
import type { Resource } from '../pipe/resource.ts';

const CHUNK_BYTES = 1 << 20;

/** Where data landed. */
export interface UploadPlace {
  readonly buffer: Resource;
  readonly offsetBytes: number;
}

/**
 * An append-only buffer: ranges are never written twice, so no write waits for pending draws. A full buffer is given up
 * (pending jobs keep its memory) and a new one begun.
 */
export class StreamUpload {
  readonly #pipe: PipeContext;
  #buffer: Resource | null = null;
  #used = 0;
  /** Full buffers that the draw being prepared may still name. */
  readonly #retired: Resource[] = [];

  constructor(pipe: PipeContext) {
    this.#pipe = pipe;
  }

  /** Room for `size` bytes; null: out of memory. */
  allocate(size: number, alignment = 16): UploadPlace | null {
    let offset = Math.ceil(this.#used / alignment) * alignment;
    if (this.#buffer === null || offset + size > this.#buffer.width) {
      const buffer = this.#pipe.screen.createResource({
        target: 'buffer',
        format: 'R8_UINT',
        width: Math.max(CHUNK_BYTES, size),
        height: 1,
        depth: 1,
        arraySize: 1,
        levels: 1,
        samples: 1,
        bind: BIND.VERTEX_BUFFER | BIND.INDEX_BUFFER | BIND.CONSTANT_BUFFER,
        usage: 'stream',
      });
      if (buffer === null) return null;
      if (this.#buffer !== null) this.#retired.push(this.#buffer);
      this.#buffer = buffer;
      offset = 0;
    }
    this.#used = offset + size;
    return { buffer: this.#buffer, offsetBytes: offset };
  }

  /** Copies bytes; null: out of memory. */
  upload(data: Uint8Array, alignment = 16): UploadPlace | null {
    const place = this.allocate(data.byteLength, alignment);
    if (place === null) return null;
    return this.write(place, 0, data) ? place : null;
  }

  /** Stores bytes in room that `allocate` gave. */
  write(place: UploadPlace, at: number, data: Uint8Array): boolean {
    return this.#pipe.bufferSubdata(place.buffer, MAP.UNSYNCHRONIZED, place.offsetBytes + at, data) === 'ok';
  }

  /** The places handed out so far are in no new use: the draw was given to the pipe. */
  endDraw(): void {
    while (this.#retired.length > 0) this.#retired.pop()!.destroy();
  }

  destroy(): void {
    this.endDraw();
    this.#buffer?.destroy();
    this.#buffer = null;
    this.#used = 0;
  }
}
