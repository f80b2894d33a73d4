// Where the pixels of a resource lie: tiling, padding, strides and offsets of its levels.
//
// Facts: the etnaviv project's hardware notes. Tiles are 4×4 pixels, supertiles 64×64. With two pixel pipes that do not
// share a buffer, each pipe has half of the memory of a layer ("multi"). The resolve engine moves 16 pixels at a time.

import { blockBytes, blockColumns, blockRows, type Format, isCompressed } from '../../../src/format/format.ts';
import type { ResourceTemplate } from '../../../src/pipe/pipe.ts';

export type Tiling = 'linear' | 'tiled' | 'supertiled';

export interface LevelLayout {
  readonly width: number;
  readonly height: number;
  /** Slices of a 3D level, layers or faces. */
  readonly depth: number;
  /** Pixels (samples) in memory. */
  readonly paddedWidth: number;
  readonly paddedHeight: number;
  readonly offsetBytes: number;
  /** Bytes of one row of pixels (of blocks for compressed formats). */
  readonly strideBytes: number;
  readonly layerStrideBytes: number;
}

export interface ResourceLayout {
  readonly tiling: Tiling;
  /** Pixel pipes that have a part of their own: 1 or 2. */
  readonly pipes: 1 | 2;
  readonly bytesPerPixel: number;
  readonly scaleX: 1 | 2;
  readonly scaleY: 1 | 2;
  readonly levels: readonly LevelLayout[];
  readonly sizeBytes: number;
}

const align = (value: number, to: number): number => Math.ceil(value / to) * to;
const LEVEL_ALIGNMENT_BYTES = 256;

/** Pixels that width and height are padded to. */
function padding(tiling: Tiling, pipes: 1 | 2): { x: number; y: number } {
  if (tiling === 'supertiled') return { x: 64, y: 64 * pipes };
  if (tiling === 'tiled') return { x: 16, y: 4 * pipes };
  return { x: 16, y: 4 };
}

/** MSAA keeps samples as pixels: two side by side, four as a square. */
export function sampleScale(samples: number): { x: 1 | 2; y: 1 | 2 } {
  return { x: samples > 1 ? 2 : 1, y: samples > 2 ? 2 : 1 };
}

export function resourceLayout(
  template: ResourceTemplate,
  storage: Format,
  tiling: Tiling,
  pipes: 1 | 2,
): ResourceLayout {
  const bytes = blockBytes(storage);
  if (template.target === 'buffer') {
    const size = align(Math.max(template.width, 1), 64);
    const level = {
      width: template.width,
      height: 1,
      depth: 1,
      paddedWidth: size,
      paddedHeight: 1,
      offsetBytes: 0,
      strideBytes: size,
      layerStrideBytes: size,
    };
    return { tiling: 'linear', pipes: 1, bytesPerPixel: 1, scaleX: 1, scaleY: 1, levels: [level], sizeBytes: size };
  }
  const { x: scaleX, y: scaleY } = sampleScale(template.samples);
  const pad = padding(tiling, pipes);
  const levels: LevelLayout[] = [];
  let offset = 0;
  for (let index = 0; index < template.levels; index++) {
    const width = Math.max(1, template.width >> index);
    const height = Math.max(1, template.height >> index);
    const depth = template.target === 'texture3D' ? Math.max(1, template.depth >> index) : template.arraySize;
    let paddedWidth = align(width * scaleX, pad.x);
    let paddedHeight = align(height * scaleY, pad.y);
    let strideBytes = paddedWidth * bytes;
    let layerStrideBytes = strideBytes * paddedHeight;
    if (isCompressed(storage)) {
      paddedWidth = width;
      paddedHeight = height;
      strideBytes = blockColumns(storage, width) * bytes;
      layerStrideBytes = strideBytes * blockRows(storage, height);
    }
    const level = { width, height, depth, paddedWidth, paddedHeight, strideBytes, layerStrideBytes };
    levels.push({ ...level, offsetBytes: offset });
    offset = align(offset + layerStrideBytes * depth, LEVEL_ALIGNMENT_BYTES);
  }
  return { tiling, pipes, bytesPerPixel: bytes, scaleX, scaleY, levels, sizeBytes: offset };
}
