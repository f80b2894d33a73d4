// CPU access to resources: maps of linear memory, uploads, and the decoding of compressed uploads.

import { copyBytes } from '../../src/base/copy-bytes.ts';
import { decodeCompressed } from '../../src/format/compressed/decode.ts';
import { blockBytes, formatDescription, rowBytes } from '../../src/format/format.ts';
import { type Box, MAP, type PipeStatus, type Resource, type Transfer } from '../../src/pipe/pipe.ts';
import type { RasterMemory } from '../../src/raster/memory.ts';
import { finishWriters, prepareWrite } from './hazards.ts';
import type { SoftResource } from './resource.ts';

interface SoftTransfer extends Transfer {
  /**
   * `direct`: the memory itself. `copy`: a copy, put back when it is unmapped; memory that is not shared gets a new buffer when
   * it grows, and maps must stay valid. `blocks`: compressed blocks, decoded when they are unmapped.
   */
  readonly way: 'direct' | 'copy' | 'blocks';
}

/** Puts pending work in order with the access. False: that would have to wait, and must not. */
function prepareAccess(resource: SoftResource, usage: number): boolean {
  if (usage & MAP.UNSYNCHRONIZED) return true;
  const { storage } = resource;
  const mustWait = usage & MAP.WRITE ? storage.isPending() : storage.writers.size > 0;
  if (usage & MAP.DONT_BLOCK && mustWait) return false;
  if (usage & MAP.WRITE) prepareWrite(resource, usage & MAP.DISCARD_WHOLE_RESOURCE ? 'discarded' : 'kept');
  if (usage & MAP.READ) finishWriters(resource.storage);
  return true;
}

/** Callers check what they are given by users; what reaches over the resource here is their fault, and must not be written. */
export function checkBox(resource: SoftResource, level: number, box: Readonly<Box>): void {
  const layout = resource.layout[level];
  const isInside =
    layout !== undefined &&
    Math.min(box.x, box.y, box.z, box.width, box.height, box.depth) >= 0 &&
    box.x + box.width <= layout.width &&
    box.y + box.height <= layout.height &&
    box.z + box.depth <= layout.depth;
  if (!isInside) throw new RangeError(`soft: box ${JSON.stringify(box)} is not inside of level ${level}`);
}

/** Address of a box's first texel. */
function boxAddress(resource: SoftResource, level: number, box: Readonly<Box>): number {
  const layout = resource.layout[level]!;
  const bytes = blockBytes(resource.storedFormat);
  return resource.levelAddress(level, box.z) + box.y * layout.rowStride + box.x * bytes;
}

/** Bytes from a box's first texel to behind its last. */
function boxSpan(resource: SoftResource, level: number, box: Readonly<Box>): number {
  const layout = resource.layout[level]!;
  const bytes = blockBytes(resource.storedFormat);
  return (box.depth - 1) * layout.layerStride + (box.height - 1) * layout.rowStride + box.width * bytes;
}

function mapBlocks(resource: SoftResource, level: number, usage: number, box: Readonly<Box>): SoftTransfer {
  const { blockHeight } = formatDescription(resource.format);
  const strideBytes = rowBytes(resource.format, box.width);
  const layerStrideBytes = strideBytes * Math.ceil(box.height / blockHeight);
  const data = new Uint8Array(layerStrideBytes * box.depth);
  return { resource, level, usage, box: { ...box }, data, strideBytes, layerStrideBytes, way: 'blocks' };
}

/**
 * Maps a box. Compressed levels can be written only (their blocks are not kept), multisampled ones not at all: null.
 */
export function transferMap(
  memory: RasterMemory,
  target: Resource,
  level: number,
  usage: number,
  box: Readonly<Box>,
): Transfer | null {
  const resource = target as SoftResource;
  if (resource.samples > 1) return null;
  checkBox(resource, level, box);
  if (!prepareAccess(resource, usage)) return null;
  if (resource.isDecoded) return usage & MAP.READ ? null : mapBlocks(resource, level, usage, box);
  const layout = resource.layout[level]!;
  const address = boxAddress(resource, level, box);
  const data = memory.u8.subarray(address, address + boxSpan(resource, level, box));
  const mapped: SoftTransfer = {
    resource,
    level,
    usage,
    box: { ...box },
    data: memory.isShared ? data : data.slice(),
    strideBytes: layout.rowStride,
    layerStrideBytes: layout.layerStride,
    way: memory.isShared ? 'direct' : 'copy',
  };
  return mapped;
}

export function transferUnmap(memory: RasterMemory, transfer: Transfer): void {
  const { resource, level, usage, box, data, strideBytes, layerStrideBytes, way } = transfer as SoftTransfer;
  if (way === 'direct' || !(usage & MAP.WRITE)) return;
  const target = resource as SoftResource;
  if (way === 'blocks') storeBlocks(memory, target, level, box, data, strideBytes, layerStrideBytes);
  else storeRows(memory, target, level, box, data, strideBytes, layerStrideBytes);
}

function storeBlocks(
  memory: RasterMemory,
  resource: SoftResource,
  level: number,
  box: Readonly<Box>,
  data: Uint8Array,
  strideBytes: number,
  layerStrideBytes: number,
): void {
  const { rowStride, layerStride } = resource.layout[level]!;
  for (let slice = 0; slice < box.depth; slice++) {
    const destination = boxAddress(resource, level, box) + slice * layerStride;
    const source = data.subarray(slice * layerStrideBytes);
    decodeCompressed(resource.format, source, strideBytes, box.width, box.height, memory.u8, destination, rowStride);
  }
}

export function bufferSubdata(
  memory: RasterMemory,
  target: Resource,
  usage: number,
  offsetBytes: number,
  data: Uint8Array,
): PipeStatus {
  const resource = target as SoftResource;
  if (offsetBytes < 0 || offsetBytes + data.length > resource.width) {
    throw new RangeError(
      `soft: ${data.length} bytes at ${offsetBytes} are not inside of a buffer of ${resource.width}`,
    );
  }
  const isWhole = offsetBytes === 0 && data.length >= resource.width;
  const contents = isWhole ? 'overwritten' : usage & MAP.DISCARD_WHOLE_RESOURCE ? 'discarded' : 'kept';
  if (!(usage & MAP.UNSYNCHRONIZED)) prepareWrite(resource, contents);
  copyBytes(memory.u8, resource.storage.address + offsetBytes, data);
  return 'ok';
}

export function textureSubdata(
  memory: RasterMemory,
  target: Resource,
  level: number,
  box: Readonly<Box>,
  data: Uint8Array,
  strideBytes: number,
  layerStrideBytes: number,
): PipeStatus {
  const resource = target as SoftResource;
  checkBox(resource, level, box);
  prepareWrite(resource, 'kept');
  if (resource.isDecoded) {
    storeBlocks(memory, resource, level, box, data, strideBytes, layerStrideBytes);
    return 'ok';
  }
  storeRows(memory, resource, level, box, data, strideBytes, layerStrideBytes);
  return 'ok';
}

function storeRows(
  memory: RasterMemory,
  resource: SoftResource,
  level: number,
  box: Readonly<Box>,
  data: Uint8Array,
  strideBytes: number,
  layerStrideBytes: number,
): void {
  const { rowStride, layerStride } = resource.layout[level]!;
  const bytes = box.width * blockBytes(resource.storedFormat);
  const first = boxAddress(resource, level, box);
  for (let slice = 0; slice < box.depth; slice++) {
    const to = first + slice * layerStride;
    const from = slice * layerStrideBytes;
    if (bytes === rowStride && bytes === strideBytes) {
      copyBytes(memory.u8, to, data.subarray(from, from + bytes * box.height));
      continue;
    }
    for (let row = 0; row < box.height; row++) {
      const start = from + row * strideBytes;
      copyBytes(memory.u8, to + row * rowStride, data.subarray(start, start + bytes));
    }
  }
}
