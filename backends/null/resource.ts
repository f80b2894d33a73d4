// Resources of the null backend: plain JavaScript memory, made when something first maps or writes it.

import { blockBytes, blockRows, formatDescription, rowBytes } from '../../src/format/format.ts';
import type { Box } from '../../src/pipe/defines.ts';
import type { Resource, ResourceTemplate, Transfer } from '../../src/pipe/resource.ts';

/** What the screen counts. */
export interface NullMemory {
  liveBytes: number;
  liveAllocations: number;
  readonly limitBytes: number;
}

interface Level {
  readonly width: number;
  readonly height: number;
  /** Slices of a 3D level, or layers. */
  readonly depth: number;
  readonly strideBytes: number;
  readonly layerStrideBytes: number;
  /** Null: all zero. */
  data: Uint8Array | null;
}

function levelShape(template: ResourceTemplate, level: number): Level {
  const { format, target } = template;
  const width = Math.max(template.width >> (target === 'buffer' ? 0 : level), 1);
  const height = Math.max(template.height >> level, 1);
  const depth = target === 'texture3D' ? Math.max(template.depth >> level, 1) : template.arraySize;
  const strideBytes = rowBytes(format, width);
  return { width, height, depth, strideBytes, layerStrideBytes: strideBytes * blockRows(format, height), data: null };
}

export class NullResource implements Resource {
  readonly screenName = 'null';
  readonly target;
  readonly format;
  readonly width;
  readonly height;
  readonly depth;
  readonly arraySize;
  readonly levels;
  readonly samples;
  readonly bind;
  readonly usage;
  readonly bytes: number;
  readonly #levels: Level[] = [];
  readonly #memory: NullMemory;
  #destroyed = false;

  constructor(template: ResourceTemplate, memory: NullMemory) {
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
    for (let level = 0; level < template.levels; level++) this.#levels.push(levelShape(template, level));
    this.bytes = template.samples * this.#levels.reduce((sum, level) => sum + level.layerStrideBytes * level.depth, 0);
    this.#memory = memory;
    memory.liveBytes += this.bytes;
    memory.liveAllocations++;
  }

  /** Memory of a level with its strides. */
  level(level: number): Level & { data: Uint8Array } {
    const found = this.#levels[level]!;
    found.data ??= new Uint8Array(found.layerStrideBytes * found.depth);
    return found as Level & { data: Uint8Array };
  }

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#memory.liveBytes -= this.bytes;
    this.#memory.liveAllocations--;
    this.#levels.length = 0;
  }
}

/** Byte offset of a texel (of its block) in a level. */
function texelOffset(resource: NullResource, level: Level, x: number, y: number, z: number): number {
  const { blockWidth, blockHeight } = formatDescription(resource.format);
  const row = Math.floor(y / blockHeight) * level.strideBytes;
  return z * level.layerStrideBytes + row + Math.floor(x / blockWidth) * blockBytes(resource.format);
}

export class NullTransfer implements Transfer {
  readonly resource: NullResource;
  readonly level: number;
  readonly usage: number;
  readonly box: Readonly<Box>;
  readonly data: Uint8Array;
  readonly strideBytes: number;
  readonly layerStrideBytes: number;

  constructor(resource: NullResource, level: number, usage: number, box: Readonly<Box>) {
    const memory = resource.level(level);
    this.resource = resource;
    this.level = level;
    this.usage = usage;
    this.box = { ...box };
    this.data = memory.data.subarray(texelOffset(resource, memory, box.x, box.y, box.z));
    this.strideBytes = memory.strideBytes;
    this.layerStrideBytes = memory.layerStrideBytes;
  }
}

/** Copies the rows of a box from tight or strided data into a resource. */
export function storeBox(
  resource: NullResource,
  level: number,
  box: Readonly<Box>,
  data: Uint8Array,
  strideBytes: number,
  layerStrideBytes: number,
): void {
  const memory = resource.level(level);
  const rows = blockRows(resource.format, box.height);
  const bytes = rowBytes(resource.format, box.width);
  for (let z = 0; z < box.depth; z++) {
    const start = texelOffset(resource, memory, box.x, box.y, box.z + z);
    for (let row = 0; row < rows; row++) {
      const from = z * layerStrideBytes + row * strideBytes;
      memory.data.set(data.subarray(from, from + bytes), start + row * memory.strideBytes);
    }
  }
}

/** Same block size, no scaling. Overlapping boxes of one resource are copied as if at once. */
export function copyBox(
  destination: NullResource,
  destinationLevel: number,
  x: number,
  y: number,
  z: number,
  source: NullResource,
  sourceLevel: number,
  box: Readonly<Box>,
): void {
  const from = new NullTransfer(source, sourceLevel, 0, box);
  const data = source === destination ? from.data.slice() : from.data;
  const into = { x, y, z, width: box.width, height: box.height, depth: box.depth };
  storeBox(destination, destinationLevel, into, data, from.strideBytes, from.layerStrideBytes);
}
