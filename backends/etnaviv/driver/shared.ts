// Resources that others see: their layouts by DRM format modifier, and the order of red and blue in their bytes.
//
// Outside, bytes have the order that the format names. The pixel engine writes blue first. So a shared resource remembers
// which of both its memory holds now: the format of its base storage.

import { blockBytes, type Format, isCompressed } from '../../../src/format/format.ts';
import type { ResourceHandle, ResourceTemplate } from '../../../src/pipe/pipe.ts';
import { formatRow } from './formats.table.ts';
import { type ResourceLayout, resourceLayout, type Tiling } from './layout.ts';
import type { EtnavivResource } from './resource.ts';

const VIVANTE = 6n << 56n;

interface ModifierRow {
  readonly modifier: bigint;
  readonly tiling: Tiling;
  readonly pipes: 1 | 2;
}

/** drm_fourcc.h */
const MODIFIERS: readonly ModifierRow[] = [
  { modifier: 0n, tiling: 'linear', pipes: 1 },
  { modifier: VIVANTE | 1n, tiling: 'tiled', pipes: 1 },
  { modifier: VIVANTE | 2n, tiling: 'supertiled', pipes: 1 },
  { modifier: VIVANTE | 3n, tiling: 'tiled', pipes: 2 },
  { modifier: VIVANTE | 4n, tiling: 'supertiled', pipes: 2 },
];

export function modifierOf({ tiling, pipes }: ResourceLayout): bigint {
  return MODIFIERS.find((row) => row.tiling === tiling && row.pipes === pipes)!.modifier;
}

/** Why a resource of this shape can't be shared, or null. */
export function whyNotShareable({
  target,
  format,
  levels,
  samples,
  arraySize,
  depth,
}: ResourceTemplate): string | null {
  if (target !== 'texture2D' || levels !== 1 || samples > 1 || arraySize !== 1 || depth !== 1) {
    return 'only 2D resources of one level, layer and sample are shared';
  }
  return isCompressed(format) || !formatRow(format) ? `resources of format ${format} are not shared` : null;
}

/** The layout of memory that came from outside. Throws where the engines could not work on it. */
export function importedLayout(
  template: ResourceTemplate,
  { modifier, strideBytes, offsetBytes }: ResourceHandle,
  bufferBytes: number,
): ResourceLayout {
  const row = MODIFIERS.find((known) => known.modifier === modifier);
  if (!row) throw new Error(`no layout is known for the modifier 0x${modifier.toString(16)}`);
  const own = resourceLayout(template, template.format, row.tiling, row.pipes);
  const [level] = own.levels;
  const bytes = blockBytes(template.format);
  if (offsetBytes % 64 !== 0 || strideBytes % 64 !== 0 || strideBytes < template.width * bytes) {
    const wanted = 'both are multiples of 64, and the stride holds a row';
    throw new Error(`a shared buffer has stride ${strideBytes} and offset ${offsetBytes}: ${wanted}`);
  }
  // Engines move whole blocks of 16×4 pixels, and of the tiles of a layout.
  const layerStrideBytes = strideBytes * level!.paddedHeight;
  if (strideBytes < level!.strideBytes || offsetBytes + layerStrideBytes > bufferBytes) {
    const needed = `${level!.paddedHeight} rows of at least ${level!.strideBytes} bytes`;
    throw new Error(`a shared buffer of ${bufferBytes} bytes is too small: the engines need ${needed}`);
  }
  const paddedWidth = Math.floor(strideBytes / bytes);
  return {
    ...own,
    levels: [{ ...level!, paddedWidth, offsetBytes, strideBytes, layerStrideBytes }],
    sizeBytes: bufferBytes,
  };
}

/** The format that memory has after the pixel engine wrote it. */
export function engineFormat(format: Format): Format {
  return formatRow(format)?.storage ?? format;
}

/** The bytes of a shared resource have the order that its format names. */
export function isNativeOrder({ base, format }: EtnavivResource): boolean {
  return base.format === format;
}
