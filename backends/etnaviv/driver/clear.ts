// Clears: whole ones by the engine, the others by drawing.

import { packDepthStencilPixel } from '../../../src/format/depth-stencil.ts';
import { formatDescription } from '../../../src/format/format.ts';
import { packPixel } from '../../../src/format/pack.ts';
import { CLEAR, type ClearInfo, type PipeStatus, type Surface } from '../../../src/pipe/pipe.ts';
import type { EtnavivContext } from './context.ts';
import type { LayerPlace } from './engine.ts';
import type { EtnavivResource } from './resource.ts';
import { engineFormat } from './shared.ts';
import { forgetStatus, repeatPixel, tileStatusOf } from './tile-status.ts';

/** Clears what the engine can clear at once, and gives the rest to `draw`. */
export function clearFramebuffer(
  context: EtnavivContext,
  info: ClearInfo,
  draw: (rest: ClearInfo) => PipeStatus,
): PipeStatus {
  let rest = info.buffers;
  const { framebuffer } = context.bindings;
  if (isWhole(context, info)) {
    for (const [index, surface] of framebuffer.colors.entries()) {
      const bit = CLEAR.COLOR0 << index;
      if (!(rest & bit)) continue;
      if (!surface) rest &= ~bit;
      else if ((info.colorMasks[index] ?? info.colorMasks[0]) === 15 && clearColor(context, surface, info))
        rest &= ~bit;
    }
    const { depthStencil } = framebuffer;
    const wanted = rest & CLEAR.DEPTH_STENCIL;
    if (wanted && depthStencil && info.stencilWriteMask === 0xff && clearDepthStencil(context, depthStencil, info)) {
      rest &= ~CLEAR.DEPTH_STENCIL;
    }
  }
  return rest === 0 ? 'ok' : draw({ ...info, buffers: rest });
}

/** The engine fills whole levels: surfaces of one framebuffer may differ in size, and a scissor may cut. */
function isWhole(context: EtnavivContext, { scissor }: ClearInfo): boolean {
  const { width, height, colors, depthStencil } = context.bindings.framebuffer;
  if (scissor && (scissor.minX > 0 || scissor.minY > 0 || scissor.maxX < width || scissor.maxY < height)) return false;
  return [...colors, depthStencil].every(
    (surface) =>
      !surface ||
      (Math.max(1, surface.resource.width >> surface.level) === width &&
        Math.max(1, surface.resource.height >> surface.level) === height),
  );
}

function wordsOf(bytes: Uint8Array): [number, number] {
  const words: [number, number] = [0, 0];
  for (let i = 0; i < Math.min(bytes.length, 8); i++) words[i >> 2]! |= bytes[i]! << ((i & 3) * 8);
  return [words[0] >>> 0, words[1] >>> 0];
}

function fill(
  context: EtnavivContext,
  surface: Surface,
  words: [number, number],
  mask: number,
  hasStatus: boolean,
): boolean {
  const resource = surface.resource as EtnavivResource;
  const isPartOfLevel = resource.base.layout.levels[surface.level]!.depth > 1;
  const storage = context.copies.renderStorage(resource, surface.level, isPartOfLevel || mask !== ALL);
  if (!storage) return false;
  const place = { storage, level: surface.level, layer: surface.firstLayer };
  const status = mask === ALL && hasStatus ? statusFor(context, place) : null;
  if (status) {
    context.beginStream();
    status.clearValue = repeatPixel(words, storage.layout.bytesPerPixel);
    context.engine.fastClear(context.stream, place, status);
    status.isActive = true;
  } else {
    if (mask !== ALL) context.copies.writeOutStatus(place);
    context.beginStream();
    if (!context.engine.fill(context.stream, place, words, mask)) return false;
    forgetStatus(place);
  }
  context.copies.markWritten(resource, storage, surface.level);
  return true;
}

const ALL = 0xff;

function statusFor({ screen }: EtnavivContext, { storage, level }: LayerPlace) {
  return level === 0 ? tileStatusOf(screen, storage) : null;
}

/** The clear value is in the pixel engine's own order: that of the storage. */
function clearColor(context: EtnavivContext, surface: Surface, { color }: ClearInfo): boolean {
  const hasStatus = context.copies.keepsColorStatus(
    context.bindings.framebuffer.colors.filter((other) => other).length,
  );
  const format = engineFormat(surface.resource.format);
  const { numericClass, isSrgb } = formatDescription(surface.format);
  const stored = isSrgb ? (format.replace('_UNORM', '_SRGB') as typeof format) : format.replace('_SRGB', '_UNORM');
  const values = numericClass === 'int' ? color.int : numericClass === 'uint' ? color.uint : color.float;
  return fill(context, surface, wordsOf(packPixel(stored as typeof format, values)), ALL, hasStatus);
}

function clearDepthStencil(context: EtnavivContext, surface: Surface, info: ClearInfo): boolean {
  const { format } = (surface.resource as EtnavivResource).base;
  const { hasStencil } = formatDescription(format);
  const bytes = packDepthStencilPixel(format, info.depth, info.stencil);
  let mask = ALL;
  // Stencil is the low byte.
  if (hasStencil && !(info.buffers & CLEAR.DEPTH)) mask = 1;
  else if (hasStencil && !(info.buffers & CLEAR.STENCIL)) mask = 0xe;
  return fill(context, surface, wordsOf(bytes), mask, true);
}
