// Larger boxes of textures on their way to and from the CPU: an engine moves them between the resource and a linear buffer,
// and exchanges red and blue where the resource keeps them otherwise. What is left for the CPU is to copy rows.

import { blockBytes, isCompressed } from '../../../src/format/format.ts';
import { type Box, MAP, type Transfer } from '../../../src/pipe/pipe.ts';
import type { BufferObject } from '../winsys/winsys.ts';
import type { EtnavivContext } from './context.ts';
import { type CopyArea, exchangesRedBlue, type LayerPlace } from './engine.ts';
import { resourceLayout } from './layout.ts';
import { type EtnavivResource, newest, type Storage } from './resource.ts';
import { activeStatus } from './tile-status.ts';
import { checkBox } from './transfer.ts';

/** Boxes of fewer pixels are moved by the CPU: an engine's work costs commands and a submit. */
const FEWEST_PIXELS = 64 * 64;
const MOST_BYTES = 64 << 20;
/** Engines are fastest with whole tiles. */
const TILE = 4;

export interface StagedTransfer extends Transfer {
  /** Goes back when the transfer ends. */
  readonly staging: BufferObject;
}

const floor = (value: number): number => value - (value % TILE);
const ceil = (value: number): number => Math.ceil(value / TILE) * TILE;

/** Whether an engine can move a box between a storage and linear memory in the resource's own format. */
function suits(
  context: EtnavivContext,
  { format, samples }: EtnavivResource,
  storage: Storage,
  { width, height, depth }: Readonly<Box>,
  fewestPixels = FEWEST_PIXELS,
): boolean {
  return (
    !context.screen.isLost &&
    samples === 1 &&
    storage.layout.tiling !== 'linear' &&
    !isCompressed(format) &&
    width * height >= fewestPixels &&
    width * height * depth * blockBytes(format) <= MOST_BYTES
  );
}

/** Linear memory for layers of a size. Its contents are undefined. Null: there is none. */
function stagingFor(
  { screen }: EtnavivContext,
  { format }: EtnavivResource,
  width: number,
  height: number,
  layers: number,
): Storage | null {
  const layout = resourceLayout(
    {
      target: 'texture2DArray',
      format,
      width,
      height,
      depth: 1,
      arraySize: layers,
      levels: 1,
      samples: 1,
      bind: 0,
      usage: 'staging',
    },
    format,
    'linear',
    1,
  );
  const buffer = screen.createScratch(layout.sizeBytes);
  return buffer && { buffer, layout, format, sequence: [0], tileStatus: null };
}

/** Whether source and target differ at most in the places of red and blue. */
function areAlike(source: LayerPlace, target: LayerPlace): boolean {
  return source.storage.format === target.storage.format || exchangesRedBlue(source, target);
}

/** Maps a box for reading by way of a staging buffer. Null: it has to be read otherwise. */
export function stagedRead(
  context: EtnavivContext,
  resource: EtnavivResource,
  level: number,
  usage: number,
  box: Readonly<Box>,
): StagedTransfer | null {
  if (!(usage & MAP.READ) || usage & MAP.DONT_BLOCK) return null;
  const storage = newest(resource, level);
  // To the CPU all tiles would have to be written out for a single pixel's sake.
  const fewestPixels = activeStatus({ storage, level }) ? 1 : FEWEST_PIXELS;
  if (!suits(context, resource, storage, box, fewestPixels)) return null;
  const [x, y] = [floor(box.x), floor(box.y)];
  const [width, height] = [ceil(box.x + box.width) - x, ceil(box.y + box.height) - y];
  const staging = stagingFor(context, resource, width, height, box.depth);
  if (!staging) return null;
  const area: CopyArea = { sourceX: x, sourceY: y, targetX: 0, targetY: 0, width, height };
  for (let layer = 0; layer < box.depth; layer++) {
    const source = { storage, level, layer: box.z + layer };
    const target = { storage: staging, level: 0, layer };
    if (areAlike(source, target) && context.copies.copyArea(source, target, area)) continue;
    context.screen.releaseBuffer(staging.buffer);
    return null;
  }
  context.screen.prepareBuffer(staging.buffer, false);
  const { strideBytes, layerStrideBytes } = staging.layout.levels[0]!;
  const offset = (box.y - y) * strideBytes + (box.x - x) * staging.layout.bytesPerPixel;
  return {
    resource,
    level,
    usage,
    box: { ...box },
    data: staging.buffer.map().subarray(offset),
    strideBytes,
    layerStrideBytes,
    staging: staging.buffer,
  };
}

/** Writes rows of the resource's format into a box of its base storage. False: it has to be done otherwise. */
export function stagedWrite(
  context: EtnavivContext,
  resource: EtnavivResource,
  level: number,
  box: Readonly<Box>,
  data: Uint8Array,
  strideBytes: number,
  layerStrideBytes: number,
): boolean {
  const storage = resource.base;
  if (!suits(context, resource, storage, box)) return false;
  checkBox(resource, level, box);
  const place = storage.layout.levels[level]!;
  // Behind the edges of a level there is padding, which may be written.
  const width = box.x + box.width === place.width ? ceil(place.width) - box.x : box.width;
  const height = box.y + box.height === place.height ? ceil(place.height) - box.y : box.height;
  const staging = stagingFor(context, resource, width, height, box.depth);
  if (!staging) return false;
  const own = staging.layout.levels[0]!;
  const bytes = box.width * staging.layout.bytesPerPixel;
  const memory = staging.buffer.map();
  const area: CopyArea = { sourceX: 0, sourceY: 0, targetX: box.x, targetY: box.y, width, height };
  for (let layer = 0; layer < box.depth; layer++) {
    const from = layer * layerStrideBytes;
    const to = layer * own.layerStrideBytes;
    if (strideBytes === own.strideBytes) {
      const last = from + (box.height - 1) * strideBytes + bytes;
      memory.set(data.subarray(from, last), to);
    } else {
      for (let row = 0; row < box.height; row++) {
        const start = from + row * strideBytes;
        memory.set(data.subarray(start, start + bytes), to + row * own.strideBytes);
      }
    }
  }
  context.screen.winsys.finish(staging.buffer);
  let isDone = true;
  for (let layer = 0; layer < box.depth && isDone; layer++) {
    const source = { storage: staging, level: 0, layer };
    const target = { storage, level, layer: box.z + layer };
    isDone = areAlike(source, target) && context.copies.copyArea(source, target, area);
  }
  context.screen.releaseBuffer(staging.buffer);
  return isDone;
}
