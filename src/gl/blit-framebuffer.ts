// blitFramebuffer (ES 3.0.6 §4.3.3): validation, and the part of the destination whose source lies inside of the read framebuffer.

import { BLIT } from '../pipe/context.ts';
import type { Rect } from '../pipe/defines.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { invalidEnum, invalidOperation, invalidValue } from './errors.ts';
import type { AttachedImage } from './framebuffer-completeness.ts';
import { defaultColorStorage, defaultFormats, defaultStorage } from './framebuffer-default.ts';
import type { Framebuffer } from './framebuffer-object.ts';
import {
  checkDrawFramebuffer,
  checkReadFramebuffer,
  depthImage,
  drawnColor,
  framebufferSamples,
  framebufferSize,
  stencilImage,
} from './framebuffer-update.ts';
import { isIntegerKind } from './gl-formats.ts';
import { readAttachment } from './pixel-read.ts';
import { reportStatus } from './pixel-status.ts';

/** The images of the default framebuffer in the form of attachments, multisampled as they are. */
function defaultColor(context: Context): AttachedImage | null {
  const storage = defaultStorage(context);
  const choice = storage && defaultColorStorage(context, storage.samples);
  if (!storage || !choice) return null;
  const { color, width, height, samples } = storage;
  return {
    resource: color,
    level: 0,
    layer: 0,
    width,
    height,
    samples,
    row: defaultFormats(context.framebufferAttributes).color,
    storage: choice,
  };
}

function defaultDepthStencil(context: Context, aspect: 'depth' | 'stencil'): AttachedImage | null {
  const storage = defaultStorage(context);
  const row = defaultFormats(context.framebufferAttributes).depthStencil;
  const color = defaultColor(context);
  if (!storage?.depthStencil || !row || !color || !context.framebufferAttributes[aspect]) return null;
  return { ...color, resource: storage.depthStencil, row };
}

function readColor(context: Context): AttachedImage | null {
  const framebuffer = context.readFramebuffer;
  if (framebuffer.readBuffer === GL.NONE) return null;
  return framebuffer.isDefault ? defaultColor(context) : readAttachment(framebuffer);
}

function drawColors(context: Context): AttachedImage[] {
  const framebuffer = context.drawFramebuffer;
  if (framebuffer.isDefault) {
    const color = framebuffer.drawBuffers[0] === GL.NONE ? null : defaultColor(context);
    return color ? [color] : [];
  }
  return framebuffer.drawBuffers.map((_, index) => drawnColor(framebuffer, index)).filter((image) => image !== null);
}

function aspectImage(context: Context, framebuffer: Framebuffer, aspect: 'depth' | 'stencil'): AttachedImage | null {
  if (framebuffer.isDefault) return defaultDepthStencil(context, aspect);
  return aspect === 'depth' ? depthImage(framebuffer) : stencilImage(framebuffer);
}

function isSameImage(a: AttachedImage, b: AttachedImage): boolean {
  return a.resource === b.resource && a.level === b.level && a.layer === b.layer;
}

/**
 * Along one axis: the destination pixels from `low` to `high` whose centre maps into [0, limit). With
 * s(x) = s0 + (x + ½ − d0) · (s1 − s0) / (d1 − d0) this is decided in integers, d0 < d1.
 */
export function sourceInside(
  s0: number,
  s1: number,
  d0: number,
  d1: number,
  limit: number,
  low: number,
  high: number,
): [number, number] {
  const scale = 2 * (d1 - d0);
  const isInside = (x: number): boolean => {
    const position = s0 * scale + (2 * (x - d0) + 1) * (s1 - s0);
    return position >= 0 && position < limit * scale;
  };
  if (s0 === s1) return [low, low];
  const step = (s1 - s0) / (d1 - d0);
  const atZero = d0 - s0 / step - 0.5;
  const atLimit = d0 + (limit - s0) / step - 0.5;
  // The borders by division, then moved by whole pixels to where the exact test changes.
  let first = Math.max(low, Math.min(high, Math.floor(Math.min(atZero, atLimit)) - 1));
  let last = Math.min(high, Math.max(low, Math.ceil(Math.max(atZero, atLimit)) + 2));
  for (let i = 0; i < 4 && first < last && !isInside(first); i++) first++;
  for (let i = 0; i < 4 && first < last && !isInside(last - 1); i++) last--;
  return [first, last];
}

interface Side {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export function blitFramebuffer(
  context: Context,
  sourceX0: number,
  sourceY0: number,
  sourceX1: number,
  sourceY1: number,
  targetX0: number,
  targetY0: number,
  targetX1: number,
  targetY1: number,
  mask: number,
  filter: number,
): void {
  const call = 'blitFramebuffer';
  if (mask & ~(GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT | GL.STENCIL_BUFFER_BIT))
    return invalidValue(context, call, `mask 0x${mask.toString(16)} has unknown bits`);
  if (context.rules.webgl) {
    const sizes = [sourceX1 - sourceX0, sourceY1 - sourceY0, targetX1 - targetX0, targetY1 - targetY0];
    if (sizes.some((size) => Math.abs(size) > 0x7fffffff))
      return invalidValue(context, call, 'a width or height does not fit into 32 bits');
  }
  if (filter !== GL.NEAREST && filter !== GL.LINEAR) return invalidEnum(context, call, 'filter', filter);
  if (filter === GL.LINEAR && mask & (GL.DEPTH_BUFFER_BIT | GL.STENCIL_BUFFER_BIT))
    return invalidOperation(context, call, 'depth and stencil can only be blitted with NEAREST');
  if (!checkReadFramebuffer(context, call) || !checkDrawFramebuffer(context, call)) return;
  if (framebufferSamples(context, context.drawFramebuffer) > 0)
    return invalidOperation(context, call, 'the draw framebuffer is multisampled');

  const resolves = framebufferSamples(context, context.readFramebuffer) > 0;
  const sameBounds = sourceX0 === targetX0 && sourceY0 === targetY0 && sourceX1 === targetX1 && sourceY1 === targetY1;
  if (resolves && !sameBounds)
    return invalidOperation(context, call, 'a multisampled source can be neither scaled nor moved');

  // All pairs are checked before anything is drawn.
  const pairs: { from: AttachedImage; to: AttachedImage; mask: number }[] = [];
  if (mask & GL.COLOR_BUFFER_BIT) {
    const from = readColor(context);
    for (const to of drawColors(context)) {
      const fault = from ? colorFault(from, to, filter, resolves) : missingFault(context, 'colour');
      if (fault) return invalidOperation(context, call, fault);
      if (from) pairs.push({ from, to, mask: BLIT.COLOR });
    }
  }
  for (const aspect of ['depth', 'stencil'] as const) {
    if (!(mask & (aspect === 'depth' ? GL.DEPTH_BUFFER_BIT : GL.STENCIL_BUFFER_BIT))) continue;
    const from = aspectImage(context, context.readFramebuffer, aspect);
    const to = aspectImage(context, context.drawFramebuffer, aspect);
    const missing = to && !from ? missingFault(context, aspect) : null;
    if (missing) return invalidOperation(context, call, missing);
    if (!from || !to) continue;
    if (from.row !== to.row)
      return invalidOperation(context, call, `${aspect} formats ${from.row.name} and ${to.row.name} differ`);
    if (isSameImage(from, to)) return invalidOperation(context, call, `the ${aspect} buffers are the same image`);
    const bit = aspect === 'depth' ? BLIT.DEPTH : BLIT.STENCIL;
    const last = pairs.at(-1);
    if (last && last.mask !== BLIT.COLOR && isSameImage(last.from, from) && isSameImage(last.to, to)) last.mask |= bit;
    else pairs.push({ from, to, mask: bit });
  }

  const flipX = targetX1 < targetX0;
  const flipY = targetY1 < targetY0;
  const source = {
    x0: flipX ? sourceX1 : sourceX0,
    x1: flipX ? sourceX0 : sourceX1,
    y0: flipY ? sourceY1 : sourceY0,
    y1: flipY ? sourceY0 : sourceY1,
  };
  const target: Side = {
    minX: Math.min(targetX0, targetX1),
    maxX: Math.max(targetX0, targetX1),
    minY: Math.min(targetY0, targetY1),
    maxY: Math.max(targetY0, targetY1),
  };
  const scissor = blitScissor(context, source, target);
  if (!scissor) return;
  for (const { from, to, mask: bits } of pairs) {
    const status = context.pipe.blit({
      source: {
        resource: from.resource,
        level: from.level,
        box: {
          x: source.x0,
          y: source.y0,
          z: from.layer,
          width: source.x1 - source.x0,
          height: source.y1 - source.y0,
          depth: 1,
        },
        format: from.resource.format,
      },
      destination: {
        resource: to.resource,
        level: to.level,
        box: {
          x: target.minX,
          y: target.minY,
          z: to.layer,
          width: target.maxX - target.minX,
          height: target.maxY - target.minY,
          depth: 1,
        },
        format: to.resource.format,
      },
      mask: bits,
      filter: filter === GL.LINEAR ? 'linear' : 'nearest',
      scissor,
      followsRenderCondition: false,
    });
    if (!reportStatus(context, call, status)) return;
  }
}

/** Buffers that one side lacks are left out silently in GLES (§4.3.3); WebGL does not read what is missing. */
function missingFault(context: Context, buffer: string): string | null {
  return context.rules.webgl ? `the read framebuffer has no ${buffer} buffer` : null;
}

function colorFault(from: AttachedImage, to: AttachedImage, filter: number, resolves: boolean): string | null {
  const fromKind = from.row.kind;
  const toKind = to.row.kind;
  const isInteger = isIntegerKind(from.row) || isIntegerKind(to.row);
  if (isInteger && fromKind !== toKind) return `${from.row.name} can't be converted to ${to.row.name}`;
  if (isInteger && filter === GL.LINEAR) return 'integer buffers can only be blitted with NEAREST';
  if (resolves && from.row !== to.row)
    return `a multisampled ${from.row.name} buffer can't be resolved to ${to.row.name}`;
  return isSameImage(from, to) ? 'source and destination are the same image' : null;
}

/** Destination pixels that are written: inside of both framebuffers and the scissor box. Null: none. */
function blitScissor(
  context: Context,
  source: { x0: number; x1: number; y0: number; y1: number },
  target: Side,
): Rect | null {
  const readSize = framebufferSize(context, context.readFramebuffer);
  const drawSize = framebufferSize(context, context.drawFramebuffer);
  const { scissor } = context;
  const lowX = Math.max(target.minX, 0, scissor.enabled ? scissor.x : 0);
  const lowY = Math.max(target.minY, 0, scissor.enabled ? scissor.y : 0);
  const highX = Math.min(target.maxX, drawSize.width, scissor.enabled ? scissor.x + scissor.width : drawSize.width);
  const highY = Math.min(target.maxY, drawSize.height, scissor.enabled ? scissor.y + scissor.height : drawSize.height);
  if (lowX >= highX || lowY >= highY) return null;
  const [minX, maxX] = sourceInside(source.x0, source.x1, target.minX, target.maxX, readSize.width, lowX, highX);
  const [minY, maxY] = sourceInside(source.y0, source.y1, target.minY, target.maxY, readSize.height, lowY, highY);
  return minX < maxX && minY < maxY ? { minX, minY, maxX, maxY } : null;
}
