// Depth and stencil pixels seen as integer colours of the same bytes, so that colour blits can copy them bit by bit.

import type { Format } from '../../format/format.ts';
import { BLIT, COLOR_MASK, type Swizzle } from '../../pipe/pipe.ts';

interface ColorView {
  /** The integer colour format of the same bytes. */
  readonly format: Format;
  /** Channels of that format that hold depth, lowest bits first, and stencil; '' where there is none. */
  readonly depth: string;
  readonly stencil: string;
  /** Width of the depth value: only equal kinds can be copied bit by bit. */
  readonly depthKind: 'unorm16' | 'unorm24' | 'unorm32' | 'float32' | 'none';
}

const VIEWS: Partial<Record<Format, ColorView>> = {
  Z16_UNORM: { format: 'R16_UINT', depth: 'x', stencil: '', depthKind: 'unorm16' },
  Z32_UNORM: { format: 'R32_UINT', depth: 'x', stencil: '', depthKind: 'unorm32' },
  Z32_FLOAT: { format: 'R32_UINT', depth: 'x', stencil: '', depthKind: 'float32' },
  Z24X8_UNORM: { format: 'R8G8B8A8_UINT', depth: 'xyz', stencil: '', depthKind: 'unorm24' },
  X8Z24_UNORM: { format: 'R8G8B8A8_UINT', depth: 'yzw', stencil: '', depthKind: 'unorm24' },
  Z24_UNORM_S8_UINT: { format: 'R8G8B8A8_UINT', depth: 'xyz', stencil: 'w', depthKind: 'unorm24' },
  S8_UINT_Z24_UNORM: { format: 'R8G8B8A8_UINT', depth: 'yzw', stencil: 'x', depthKind: 'unorm24' },
  Z32_FLOAT_S8X24_UINT: { format: 'R32G32_UINT', depth: 'x', stencil: 'y', depthKind: 'float32' },
  S8_UINT: { format: 'R8_UINT', depth: '', stencil: 'x', depthKind: 'none' },
};

/** How to copy depth and / or stencil as colours. */
export interface ColorCopy {
  readonly sourceFormat: Format;
  readonly destinationFormat: Format;
  readonly swizzle: readonly [Swizzle, Swizzle, Swizzle, Swizzle];
  /** Bits of `COLOR_MASK` that may be written. */
  readonly colorMask: number;
}

/**
 * The colour copy that moves what `mask` (bits of `BLIT`) names from one depth-stencil format to another, D24 bits going
 * where the destination wants them. Null where the bits differ in kind (GL allows blits between equal formats only).
 */
export function depthStencilAsColor(source: Format, destination: Format, mask: number): ColorCopy | null {
  const from = VIEWS[source];
  const to = VIEWS[destination];
  if (!from || !to) return null;
  const swizzle: [Swizzle, Swizzle, Swizzle, Swizzle] = ['0', '0', '0', '0'];
  let colorMask = 0;
  const route = (fromChannels: string, toChannels: string): void => {
    for (let i = 0; i < toChannels.length; i++) {
      const channel = 'xyzw'.indexOf(toChannels[i]!);
      swizzle[channel] = fromChannels[i] as Swizzle;
      colorMask |= 1 << channel;
    }
  };
  if (mask & BLIT.DEPTH && to.depth) {
    if (from.depthKind !== to.depthKind) return null;
    route(from.depth, to.depth);
  }
  if (mask & BLIT.STENCIL && to.stencil) {
    if (!from.stencil) return null;
    route(from.stencil, to.stencil);
  }
  return { sourceFormat: from.format, destinationFormat: to.format, swizzle, colorMask: colorMask & COLOR_MASK.RGBA };
}
