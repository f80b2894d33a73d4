// Resources of the soft backend: linear levels in the screen's shared memory, and the pending jobs that use them.

import { repeatBytes } from '../../src/base/repeat-bytes.ts';
import { decodeCompressed } from '../../src/format/compressed/decode.ts';
import { blockBytes, type Format, isCompressed } from '../../src/format/format.ts';
import type { Resource, ResourceTarget, ResourceTemplate, ResourceUsage } from '../../src/pipe/pipe.ts';
import type { RasterMemory } from '../../src/raster/memory.ts';
import { storageFormat } from './format.ts';
import type { Job } from './job.ts';

/** Rows start on 16 bytes so that tile stores can use whole vectors. */
const ROW_ALIGNMENT = 16;

/** Where one mip level lies in its storage. Pixel (x, y, z) of sample s: offset + s·sampleStride + z·layerStride + y·rowStride + x·bytes. */
export interface LevelLayout {
  readonly offset: number;
  readonly width: number;
  readonly height: number;
  /** Slices of a 3D texture, else layers (6 for cubes). */
  readonly depth: number;
  readonly rowStride: number;
  readonly layerStride: number;
  readonly sampleStride: number;
}

/**
 * The memory behind a resource. It is shared with the jobs that use it, and freed when the last of them lets go:
 * a resource can take new storage (renaming) while old draws still read the old one.
 */
export class Storage {
  readonly address: number;
  readonly bytes: number;
  /** Jobs not yet run that read or write this memory. */
  readonly readers = new Set<Job>();
  readonly writers = new Set<Job>();
  readonly #memory: RasterMemory;
  #references = 1;

  private constructor(memory: RasterMemory, address: number, bytes: number) {
    this.#memory = memory;
    this.address = address;
    this.bytes = bytes;
  }

  /** Zeroed memory, or null when there is none. */
  static create(memory: RasterMemory, bytes: number): Storage | null {
    const address = memory.tryAllocateZeroed(bytes);
    return address === 0 ? null : new Storage(memory, address, bytes);
  }

  /** Memory whose bytes will all be written, or null when there is none. */
  static createUnwritten(memory: RasterMemory, bytes: number): Storage | null {
    const address = memory.tryAllocate(bytes);
    return address === 0 ? null : new Storage(memory, address, bytes);
  }

  isPending(): boolean {
    return this.readers.size > 0 || this.writers.size > 0;
  }

  retain(): void {
    this.#references++;
  }

  release(): void {
    if (--this.#references === 0) this.#memory.free(this.address);
  }
}

/** What a renamed buffer holds: what it held, zeros, or what its caller is about to write all over it. */
export type RenamedContents = 'kept' | 'discarded' | 'overwritten';

/** Bytes after the last one: vector loads of a level's last pixels may reach this far. */
const STORAGE_PADDING = 16;

function align(value: number, alignment: number): number {
  return Math.ceil(value / alignment) * alignment;
}

function layOutLevels(template: ResourceTemplate, format: Format): { levels: LevelLayout[]; bytes: number } {
  const pixelBytes = blockBytes(format);
  const levels: LevelLayout[] = [];
  let offset = 0;
  for (let level = 0; level < template.levels; level++) {
    // No shifts: they take sizes from 2^31 for negative ones, and such a resource must be found too large.
    const at = (size: number): number => Math.max(1, Math.floor(size / 2 ** level));
    const [width, height] = [at(template.width), at(template.height)];
    const depth = template.target === 'texture3D' ? at(template.depth) : template.arraySize;
    const rowStride = align(width * pixelBytes, ROW_ALIGNMENT);
    const layerStride = rowStride * height;
    const sampleStride = layerStride * depth;
    levels.push({ offset, width, height, depth, rowStride, layerStride, sampleStride });
    offset += sampleStride * template.samples;
  }
  return { levels, bytes: offset };
}

/** Compressed levels are made of blocks of zeros, which seldom mean zero: what one decodes to is repeated as texels. */
function fillWithZeroBlocks(memory: Uint8Array, { address, bytes }: Storage, format: Format, stored: Format): void {
  const texelBytes = blockBytes(stored);
  const texel = new Uint8Array(texelBytes);
  decodeCompressed(format, new Uint8Array(64), 64, 1, 1, texel, 0, texelBytes);
  if (texel.every((byte) => byte === 0)) return;
  repeatBytes(memory, address, bytes, texel);
}

/** Largest resource; addresses inside one stay far from wrapping. */
const MAX_RESOURCE_BYTES = 2 ** 31;

let nextResourceId = 1;
let renames = 0;

/** Changes whenever a resource takes new storage: addresses may be stale. */
export function storageRenames(): number {
  return renames;
}

export class SoftResource implements Resource {
  readonly screenName = 'soft';
  /** Unique in the process: names the resource in job keys. */
  readonly id = nextResourceId++;
  readonly target: ResourceTarget;
  readonly format: Format;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly arraySize: number;
  readonly levels: number;
  readonly samples: number;
  readonly bind: number;
  readonly usage: ResourceUsage;
  /** The format of the bytes in memory: decoded, where `format` is compressed. */
  readonly storedFormat: Format;
  readonly layout: readonly LevelLayout[];
  readonly #memory: RasterMemory;
  #storage: Storage;
  #isDestroyed = false;

  get isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  private constructor(
    memory: RasterMemory,
    template: ResourceTemplate,
    stored: Format,
    layout: readonly LevelLayout[],
    storage: Storage,
  ) {
    this.#memory = memory;
    this.target = template.target;
    this.format = template.format;
    this.width = template.width;
    this.height = template.height;
    this.depth = template.depth;
    this.arraySize = template.arraySize;
    this.levels = template.levels;
    this.samples = template.samples;
    this.bind = template.bind;
    this.usage = template.usage;
    this.storedFormat = stored;
    this.layout = layout;
    this.#storage = storage;
  }

  /** Null when there is no memory for it. */
  static create(memory: RasterMemory, template: ResourceTemplate): SoftResource | null {
    const isBuffer = template.target === 'buffer';
    const stored = isBuffer ? 'R8_UNORM' : storageFormat(template.format);
    const { levels, bytes } = layOutLevels(template, stored);
    if (bytes > MAX_RESOURCE_BYTES) return null;
    const storage = Storage.create(memory, bytes + STORAGE_PADDING);
    if (storage && stored !== template.format && !isBuffer)
      fillWithZeroBlocks(memory.u8, storage, template.format, stored);
    return storage && new SoftResource(memory, template, stored, levels, storage);
  }

  get storage(): Storage {
    return this.#storage;
  }

  get isDecoded(): boolean {
    return isCompressed(this.format);
  }

  /** Bytes of a buffer resource, rounded as GL sees it. */
  get bufferBytes(): number {
    return this.width;
  }

  /** Takes new storage so that pending jobs keep the old one. False, and nothing changes, when there is no memory. */
  rename(contents: RenamedContents): boolean {
    const old = this.#storage;
    const create = contents === 'discarded' ? Storage.create : Storage.createUnwritten;
    const fresh = create(this.#memory, old.bytes);
    if (fresh === null) return false;
    if (contents === 'kept') this.#memory.u8.copyWithin(fresh.address, old.address, old.address + old.bytes);
    this.#storage = fresh;
    renames++;
    old.release();
    return true;
  }

  levelAddress(level: number, layer = 0): number {
    const layout = this.layout[level]!;
    return (this.#storage.address + layout.offset + layer * layout.layerStride) >>> 0;
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#storage.release();
  }
}
