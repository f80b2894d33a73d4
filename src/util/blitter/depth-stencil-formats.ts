// Depth and stencil pixels seen as colours of the same bytes, so that colour blits can copy them bit by bit.

import type { Format } from '../../format/format.ts';
import { BLIT, COLOR_MASK, type Swizzle } from '../../pipe/pipe.ts';

/**
 * How a backend can see depth bytes: as integers, or, where it has none, as normalized 8- and 16-bit channels, which come
 * through a float unchanged.
 */
export type ColorViewKind = 'uint' | 'unorm';

interface ColorView {
  /** The colour formats of the same bytes. */
  readonly uint: Format;
  readonly unorm: Format;
  /** Channels that hold depth, lowest bits first, and stencil; '' where there is none. First those of `uint`, then of `unorm`. */
  readonly depth: readonly [string, string];
  readonly stencil: readonly [string, string];
  /** Width of the depth value: only equal kinds can be copied bit by bit. */
  readonly depthKind: 'unorm16' | 'unorm24' | 'unorm32' | 'float32' | 'none';
}

function view(
  uint: Format,
  unorm: Format,
  depthKind: ColorView['depthKind'],
  depth: readonly [string, string],
  stencil: readonly [string, string] = ['', ''],
): ColorView {
  return { uint, unorm, depth, stencil, depthKind };
}

const VIEWS: Partial<Record<Format, ColorView>> = {
  Z16_UNORM: view('R16_UINT', 'R8G8_UNORM', 'unorm16', ['x', 'xy']),
  Z32_UNORM: view('R32_UINT', 'R8G8B8A8_UNORM', 'unorm32', ['x', 'xyzw']),
  Z32_FLOAT: view('R32_UINT', 'R8G8B8A8_UNORM', 'float32', ['x', 'xyzw']),
  Z24X8_UNORM: view('R8G8B8A8_UINT', 'R8G8B8A8_UNORM', 'unorm24', ['xyz', 'xyz']),
  X8Z24_UNORM: view('R8G8B8A8_UINT', 'R8G8B8A8_UNORM', 'unorm24', ['yzw', 'yzw']),
  Z24_UNORM_S8_UINT: view('R8G8B8A8_UINT', 'R8G8B8A8_UNORM', 'unorm24', ['xyz', 'xyz'], ['w', 'w']),
  S8_UINT_Z24_UNORM: view('R8G8B8A8_UINT', 'R8G8B8A8_UNORM', 'unorm24', ['yzw', 'yzw'], ['x', 'x']),
  Z32_FLOAT_S8X24_UINT: view('R32G32_UINT', 'R16G16B16A16_UNORM', 'float32', ['x', 'xy'], ['y', 'z']),
  S8_UINT: view('R8_UINT', 'R8_UNORM', 'none', ['', ''], ['x', 'x']),
};

/** How to copy depth and / or stencil as colours. */
export interface ColorCopy {
  readonly sourceFormat: Format;
  readonly destinationFormat: Format;
  readonly swizzle: readonly [Swizzle, Swizzle, Swizzle, Swizzle];
  /** Bits of `COLOR_MASK` that may be written; 0: the destination has nothing of what is copied. */
  readonly colorMask: number;
}

/**
 * The colour copy that moves what `mask` (bits of `BLIT`) names from one depth-stencil format to another, D24 bits going
 * where the destination wants them, stencil bytes alone through a mask. Null where the bits differ in kind (GL allows blits
 * between equal formats only) or the channels of the views do not match in width.
 */
export function depthStencilAsColor(
  source: Format,
  destination: Format,
  mask: number,
  kind: ColorViewKind = 'uint',
): ColorCopy | null {
  const from = VIEWS[source];
  const to = VIEWS[destination];
  if (!from || !to) return null;
  const index = kind === 'uint' ? 0 : 1;
  const swizzle: [Swizzle, Swizzle, Swizzle, Swizzle] = ['0', '0', '0', '0'];
  let colorMask = 0;
  const route = (fromChannels: string, toChannels: string): void => {
    for (let i = 0; i < toChannels.length; i++) {
      const channel = 'xyzw'.indexOf(toChannels[i]!);
      swizzle[channel] = fromChannels[i] as Swizzle;
      colorMask |= 1 << channel;
    }
  };
  if (mask & BLIT.DEPTH && to.depthKind !== 'none') {
    if (from.depthKind !== to.depthKind || from.depth[index].length !== to.depth[index].length) return null;
    route(from.depth[index], to.depth[index]);
  }
  if (mask & BLIT.STENCIL && to.stencil[index]) {
    if (!from.stencil[index]) return null;
    route(from.stencil[index], to.stencil[index]);
  }
  return {
    sourceFormat: from[kind],
    destinationFormat: to[kind],
    swizzle,
    colorMask: colorMask & COLOR_MASK.RGBA,
  };
}
