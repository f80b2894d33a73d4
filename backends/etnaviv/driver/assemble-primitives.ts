// The vertices of a draw's primitives, one primitive behind the other, as transform feedback and primitive counts see them.
// In pieces of bounded size: a draw may name billions.

import type { DrawInfo, PrimitiveMode } from '../../../src/pipe/pipe.ts';
import { PRIMITIVE_VERTICES } from '../../../src/raster/assemble.ts';

/** The indices that a draw has, read piece by piece. */
export interface IndexReader {
  readonly count: number;
  /** Copies indices from the place `first` on, as many as fit and are there. */
  read(first: number, into: Uint32Array): void;
}

const CHUNK = 4096;

/** Indices in bytes, which are asked for at each read. Those behind the bytes' end are not there. */
export function indexReader(info: DrawInfo, sizeBytes: number, bytesNow: () => Uint8Array): IndexReader {
  const { indexSize, indexOffsetBytes, start } = info;
  const base = indexOffsetBytes + start * indexSize;
  const available = Math.max(0, Math.floor((sizeBytes - base) / indexSize));
  const count = Math.min(info.count, available);
  return {
    count,
    read(first, into) {
      const bytes = bytesNow();
      const length = Math.min(into.length, count - first);
      for (let i = 0, at = base + first * indexSize; i < length; i++, at += indexSize) {
        let index = bytes[at]!;
        if (indexSize > 1) index |= bytes[at + 1]! << 8;
        if (indexSize > 2) index |= (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
        into[i] = index;
      }
    },
  };
}

function primitivesOfRun(mode: PrimitiveMode, vertices: number): number {
  switch (mode) {
    case 'points':
    case 'lines':
    case 'triangles':
      return Math.floor(vertices / PRIMITIVE_VERTICES[mode]);
    case 'lineStrip':
      return Math.max(0, vertices - 1);
    case 'lineLoop':
      return vertices > 1 ? vertices : 0;
    default:
      return Math.max(0, vertices - 2);
  }
}

/** Primitives of one instance. */
export function countPrimitives(info: DrawInfo, indices: IndexReader | null): number {
  const { mode, primitiveRestart } = info;
  if (!indices) return primitivesOfRun(mode, info.count);
  if (!primitiveRestart) return primitivesOfRun(mode, indices.count);
  const chunk = new Uint32Array(CHUNK);
  const restart = info.restartIndex >>> 0;
  let primitives = 0;
  let run = 0;
  for (let first = 0; first < indices.count; first += CHUNK) {
    indices.read(first, chunk);
    const length = Math.min(CHUNK, indices.count - first);
    for (let i = 0; i < length; i++) {
      if (chunk[i] !== restart) run++;
      else {
        primitives += primitivesOfRun(mode, run);
        run = 0;
      }
    }
  }
  return primitives + primitivesOfRun(mode, run);
}

/** Walks over the primitives of one instance. */
export class PrimitiveWalk {
  readonly #info: DrawInfo;
  readonly #indices: IndexReader | null;
  readonly #per: number;
  readonly #count: number;
  readonly #restart: number;
  readonly #chunk: Uint32Array;
  #element = 0;
  #isClosed = false;
  /** Vertices since the last restart, and those of them that the next primitive may need. */
  #run = 0;
  #first = 0;
  #before = 0;
  #previous = 0;

  constructor(info: DrawInfo, indices: IndexReader | null) {
    this.#info = info;
    this.#indices = indices;
    this.#per = PRIMITIVE_VERTICES[info.mode];
    this.#count = indices ? indices.count : info.count;
    this.#restart = indices && info.primitiveRestart ? info.restartIndex >>> 0 : -1;
    this.#chunk = new Uint32Array(indices ? CHUNK : 0);
  }

  /** Writes the vertex ids of the next whole primitives. Returns how many ids; 0: there are no more primitives. */
  fill(ids: Uint32Array): number {
    const per = this.#per;
    let length = 0;
    while (length + per <= ids.length && this.#element < this.#count) {
      const element = this.#element++;
      const indices = this.#indices;
      if (!indices) length += this.#take((this.#info.start + element) >>> 0, ids, length);
      else {
        const place = element % CHUNK;
        if (place === 0) indices.read(element, this.#chunk);
        const index = this.#chunk[place]!;
        if (index === this.#restart) length += this.#endRun(ids, length);
        else length += this.#take((index + this.#info.baseVertex) >>> 0, ids, length);
      }
    }
    if (length + per <= ids.length && !this.#isClosed) {
      this.#isClosed = true;
      length += this.#endRun(ids, length);
    }
    return length;
  }

  /** The next vertex of a run. Returns how many ids its primitive has. */
  #take(id: number, ids: Uint32Array, at: number): number {
    const position = this.#run++;
    const per = this.#per;
    const before = this.#before;
    const previous = this.#previous;
    if (position === 0) this.#first = id;
    this.#before = previous;
    this.#previous = id;
    switch (this.#info.mode) {
      case 'points':
      case 'lines':
      case 'triangles':
        if (position % per !== per - 1) return 0;
        if (per === 3) ids[at] = before;
        if (per > 1) ids[at + per - 2] = previous;
        break;
      case 'lineStrip':
      case 'lineLoop':
        if (position < 1) return 0;
        ids[at] = previous;
        break;
      case 'triangleStrip': {
        if (position < 2) return 0;
        // Every other triangle turns its first two vertices, so that all face the same way.
        const isTurned = (position & 1) !== 0;
        ids[at] = isTurned ? previous : before;
        ids[at + 1] = isTurned ? before : previous;
        break;
      }
      case 'triangleFan':
        if (position < 2) return 0;
        ids[at] = this.#first;
        ids[at + 1] = previous;
    }
    ids[at + per - 1] = id;
    return per;
  }

  /** A loop is closed where its run ends. */
  #endRun(ids: Uint32Array, at: number): number {
    const vertices = this.#run;
    this.#run = 0;
    if (this.#info.mode !== 'lineLoop' || vertices < 2) return 0;
    ids[at] = this.#previous;
    ids[at + 1] = this.#first;
    return 2;
  }
}
