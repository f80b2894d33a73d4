// Clears of a surface that need not be bound: it is bound for the length of an ordinary clear.

import { CLEAR, type ColorValue, type Context, type PipeStatus, type Rect, type Surface } from '../pipe/pipe.ts';
import type { Bindings } from './bindings.ts';

/** What a surface is cleared to: a colour, or depth and stencil (`buffers`: CLEAR.DEPTH and / or CLEAR.STENCIL). */
export type SurfaceValue =
  | { readonly color: ColorValue }
  | { readonly buffers: number; readonly depth: number; readonly stencil: number };

const NO_COLOR = new Uint32Array(4);
const NO_COLOR_VALUE: ColorValue = {
  float: new Float32Array(NO_COLOR.buffer),
  int: new Int32Array(NO_COLOR.buffer),
  uint: NO_COLOR,
};

/** `bindings` is what the backend keeps current about `context`; the render condition does not hold for this clear. */
export function clearSurface(
  context: Context,
  bindings: Bindings,
  surface: Surface,
  value: SurfaceValue,
  scissor: Rect,
): PipeStatus {
  const { resource, level } = surface;
  const { framebuffer, renderCondition } = bindings;
  const isColor = 'color' in value;
  context.setFramebufferState({
    width: Math.max(1, resource.width >> level),
    height: Math.max(1, resource.height >> level),
    samples: resource.samples,
    layers: 1,
    colors: isColor ? [surface] : [],
    depthStencil: isColor ? null : surface,
  });
  bindings.renderCondition = null;
  const status = context.clear({
    buffers: isColor ? CLEAR.COLOR0 : value.buffers & CLEAR.DEPTH_STENCIL,
    color: isColor ? value.color : NO_COLOR_VALUE,
    depth: isColor ? 0 : value.depth,
    stencil: isColor ? 0 : value.stencil,
    stencilWriteMask: 0xff,
    colorMasks: [15],
    scissor,
  });
  bindings.renderCondition = renderCondition;
  context.setFramebufferState(framebuffer);
  return status;
}
