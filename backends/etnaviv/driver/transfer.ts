// CPU access: boxes of resources as rows, in the resource's own format, whatever the memory's layout and format are.

import { convertPixels } from '../../../src/format/convert.ts';
import { blockBytes, formatDescription, isCompressed, rowBytes } from '../../../src/format/format.ts';
import { type Box, MAP, type PipeStatus, type Resource, type Transfer } from '../../../src/pipe/pipe.ts';
import { type EtnavivResource, layerOffsets, newest, type Storage } from './resource.ts';
import type { EtnavivScreen } from './screen.ts';
import { moveTiles } from './tiling.ts';

interface EtnavivTransfer extends Transfer {
  readonly resource: EtnavivResource;
}

/** Callers check what users give them; what reaches over the resource here is their fault. */
export function checkBox(resource: EtnavivResource, level: number, box: Readonly<Box>): void {
  const layout = resource.base.layout.levels[level];
  const isInside =
    layout !== undefined &&
    Math.min(box.x, box.y, box.z, box.width, box.height, box.depth) >= 0 &&
    box.x + box.width <= layout.width &&
    box.y + box.height <= layout.height &&
    box.z + box.depth <= layout.depth;
  if (!isInside) throw new RangeError(`etnaviv: box ${JSON.stringify(box)} is not inside of level ${level}`);
}

/** Moves one slice of a box between storage and rows of the storage's own format (blocks for compressed ones). */
function moveSlice(
  storage: Storage,
  level: number,
  layer: number,
  box: Readonly<Box>,
  rows: Uint8Array,
  strideBytes: number,
  toRows: boolean,
): void {
  const { layout, buffer, format } = storage;
  const memory = buffer.map();
  const description = formatDescription(format);
  const { blockWidth, blockHeight } = description;
  const isBlocks = isCompressed(format);
  const x = isBlocks ? Math.floor(box.x / blockWidth) : box.x;
  const y = isBlocks ? Math.floor(box.y / blockHeight) : box.y;
  const width = isBlocks ? Math.ceil(box.width / blockWidth) : box.width;
  const height = isBlocks ? Math.ceil(box.height / blockHeight) : box.height;
  const tiled = {
    tiling: layout.tiling,
    offsets: layerOffsets(storage, level, layer),
    strideBytes: layout.levels[level]!.strideBytes,
    bytesPerPixel: blockBytes(format),
  };
  moveTiles(memory, tiled, x, y, width, height, rows, strideBytes, toRows);
}

/** Reads a box into rows of the resource's format. */
export function readBox(
  resource: EtnavivResource,
  storage: Storage,
  level: number,
  box: Readonly<Box>,
  data: Uint8Array,
  strideBytes: number,
  layerStrideBytes: number,
): void {
  const { format } = resource;
  const isSame = storage.format === format;
  const rows = Math.ceil(box.height / formatDescription(format).blockHeight);
  const scratch = isSame ? null : new Uint8Array(rowBytes(storage.format, box.width) * rows);
  const scratchStride = rowBytes(storage.format, box.width);
  for (let z = 0; z < box.depth; z++) {
    const target = data.subarray(z * layerStrideBytes);
    if (!scratch) {
      moveSlice(storage, level, box.z + z, box, target, strideBytes, true);
      continue;
    }
    moveSlice(storage, level, box.z + z, box, scratch, scratchStride, true);
    convertPixels(format, target, 0, strideBytes, storage.format, scratch, 0, scratchStride, box.width, box.height);
  }
}

/** Writes rows of the resource's format into a box. */
export function writeBox(
  resource: EtnavivResource,
  storage: Storage,
  level: number,
  box: Readonly<Box>,
  data: Uint8Array,
  strideBytes: number,
  layerStrideBytes: number,
): void {
  const { format } = resource;
  const size = blockBytes(storage.format);
  const grain = size === 1 ? 1 : size === 2 ? 2 : 4;
  const scratchStride = Math.ceil(rowBytes(storage.format, box.width) / 4) * 4;
  for (let z = 0; z < box.depth; z++) {
    const source = data.subarray(z * layerStrideBytes);
    const isReady =
      storage.format === format && source.byteOffset % 4 === 0 && strideBytes % grain === 0 && source.byteLength > 0;
    if (isReady) {
      moveSlice(storage, level, box.z + z, box, source, strideBytes, false);
      continue;
    }
    const rows = Math.ceil(box.height / formatDescription(format).blockHeight);
    const scratch = new Uint8Array(scratchStride * rows);
    if (storage.format === format) {
      const bytes = rowBytes(format, box.width);
      for (let row = 0; row < rows; row++) {
        scratch.set(source.subarray(row * strideBytes, row * strideBytes + bytes), row * scratchStride);
      }
    } else {
      convertPixels(storage.format, scratch, 0, scratchStride, format, source, 0, strideBytes, box.width, box.height);
    }
    moveSlice(storage, level, box.z + z, box, scratch, scratchStride, false);
  }
}

/** Zeroed bytes of the process, or null. */
function processMemory(sizeBytes: number): Uint8Array | null {
  try {
    return new Uint8Array(sizeBytes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Maps a box: a copy that goes back when it is unmapped. Null: out of memory, or the resource is multisampled. */
export function transferMap(
  screen: EtnavivScreen,
  target: Resource,
  level: number,
  usage: number,
  box: Readonly<Box>,
): Transfer | null {
  const resource = target as EtnavivResource;
  if (resource.samples > 1) return null;
  const isBuffer = resource.target === 'buffer';
  const { blockHeight } = formatDescription(resource.format);
  const strideBytes = isBuffer ? box.width : Math.ceil(rowBytes(resource.format, box.width) / 4) * 4;
  const layerStrideBytes = strideBytes * Math.ceil(box.height / blockHeight);
  const data = processMemory(layerStrideBytes * box.depth);
  if (!data) return null;
  const keepsOld = (usage & (MAP.DISCARD_RANGE | MAP.DISCARD_WHOLE_RESOURCE)) === 0;
  if (usage & MAP.READ || keepsOld) {
    const storage = newest(resource, level);
    screen.prepareBuffer(storage.buffer, false);
    if (isBuffer) data.set(storage.buffer.map().subarray(box.x, box.x + box.width));
    else readBox(resource, storage, level, box, data, strideBytes, layerStrideBytes);
    screen.winsys.finish(storage.buffer);
  }
  const mapped: EtnavivTransfer = { resource, level, usage, box: { ...box }, data, strideBytes, layerStrideBytes };
  return mapped;
}

/** The CPU is about to write to a part of a buffer resource. */
export function prepareForWrite(
  screen: EtnavivScreen,
  target: Resource,
  offsetBytes: number,
  sizeBytes: number,
  discards = false,
): void {
  const { base, width } = target as EtnavivResource;
  const coversAll = offsetBytes === 0 && sizeBytes >= width;
  if ((coversAll || discards) && [...screen.contexts].some((context) => context.usesBuffer(base.buffer))) {
    // Pending work keeps the old memory; the resource goes on with another. Without one, the work is waited for.
    const fresh = screen.createBuffer(base.layout.sizeBytes);
    if (fresh) {
      screen.releaseBuffer(base.buffer);
      base.buffer = fresh;
      screen.changes++;
    }
  }
  screen.prepareBuffer(base.buffer, true);
}

/** Writes bytes into a buffer resource. */
export function bufferSubdata(
  screen: EtnavivScreen,
  target: Resource,
  usage: number,
  offsetBytes: number,
  data: Uint8Array,
): PipeStatus {
  const { base } = target as EtnavivResource;
  if ((usage & MAP.UNSYNCHRONIZED) === 0) {
    const discards = (usage & MAP.DISCARD_WHOLE_RESOURCE) !== 0;
    prepareForWrite(screen, target, offsetBytes, data.byteLength, discards);
  }
  base.buffer.map().set(data, offsetBytes);
  screen.winsys.finish(base.buffer);
  return 'ok';
}
