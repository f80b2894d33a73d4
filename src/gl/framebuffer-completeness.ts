// Framebuffer completeness (ES 2.0.25 §4.4.5, ES 3.0.6 §4.4.4, WebGL 1 §6.8) and the images behind attachments.

import { BIND } from '../pipe/defines.ts';
import type { Resource } from '../pipe/resource.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { defaultStorage } from './framebuffer-default.ts';
import { type Attachment, attachmentObject, type Framebuffer } from './framebuffer-object.ts';
import type { InternalFormatRow } from './gl-formats.table.ts';
import { isColorRow, isDepthRow, isRenderable, isStencilRow, type StorageChoice } from './gl-formats.ts';
import { effectiveMaxLevel, textureLevels } from './texture-completeness.ts';
import { storageEpoch } from './texture-storage.ts';

/** One image that can be drawn to: where it is, and what it is. */
export interface AttachedImage {
  readonly resource: Resource;
  readonly level: number;
  readonly layer: number;
  readonly width: number;
  readonly height: number;
  /** 1: single-sampled. */
  readonly samples: number;
  readonly row: InternalFormatRow;
  readonly storage: StorageChoice;
}

/** Null while the attachment has no storage. */
export function attachedImage(attachment: Attachment): AttachedImage | null {
  if (attachment.kind === 'renderbuffer') {
    const { resource, row, storage, width, height, samples } = attachment.renderbuffer;
    if (!resource || !row || !storage) return null;
    return { resource, level: 0, layer: 0, width, height, samples: Math.max(samples, 1), row, storage };
  }
  const image = attachment.texture.image(attachment.face, attachment.level);
  if (!image?.resource || attachment.layer >= image.depth) return null;
  const { resource, resourceLevel, resourceLayer, width, height, row, storage } = image;
  return {
    resource,
    level: resourceLevel,
    layer: resourceLayer + attachment.layer,
    width,
    height,
    samples: 1,
    row,
    storage,
  };
}

type Point = 'color' | 'depth' | 'stencil' | 'depthStencil';

/** What is wrong with one attachment by itself, or null. */
function attachmentFault(context: Context, attachment: Attachment, point: Point): string | null {
  const image = attachedImage(attachment);
  if (!image) return `the ${point} attachment has no storage`;
  const { row } = image;
  const isWebgl1 = context.rules.webgl && context.version === 2;
  let accepted: boolean;
  if (point === 'color') accepted = isColorRow(row);
  // WebGL 1 §6.8 keeps the three attachment points strictly apart.
  else if (isWebgl1)
    accepted =
      row.base === { depth: GL.DEPTH_COMPONENT, stencil: GL.STENCIL_INDEX, depthStencil: GL.DEPTH_STENCIL }[point];
  else accepted = (point === 'stencil' || isDepthRow(row)) && (point === 'depth' || isStencilRow(row));
  if (!accepted) return `${row.name} can't be a ${point} attachment`;
  if (!isRenderable(context, row)) return `${row.name} can't be rendered to`;
  const checksLevels = context.version === 3 || context.rules.webgl;
  if (attachment.kind === 'texture' && checksLevels && attachment.texture.immutableLevels === 0) {
    const levels = textureLevels(attachment.texture);
    if (attachment.texture.target === GL.TEXTURE_CUBE_MAP && !levels.baseComplete)
      return 'the cube map is not cube complete';
    if (context.version === 2) return null;
    const { level } = attachment;
    // ES 3.0.6 §4.4.4.1: the level lies in [base, q], which is empty where the max level lies below the base level.
    if (levels.firstLevel > effectiveMaxLevel(attachment.texture)) return 'its base level lies above its max level';
    if (
      level !== levels.firstLevel &&
      (level < levels.firstLevel || level > levels.lastLevel || !levels.mipmapComplete)
    )
      return `level ${level} is outside of the levels of a mipmap complete texture`;
  }
  return null;
}

function isSameImage(a: Attachment, b: Attachment): boolean {
  if (a.kind === 'renderbuffer' || b.kind === 'renderbuffer') return attachmentObject(a) === attachmentObject(b);
  return a.texture === b.texture && a.level === b.level && a.face === b.face && a.layer === b.layer;
}

type Verdict = readonly [code: number, reason: string];

function judge(context: Context, framebuffer: Framebuffer): Verdict {
  const points: [Attachment, Point][] = [];
  for (const color of framebuffer.colors) if (color) points.push([color, 'color']);
  const { depth, stencil, depthStencil } = framebuffer;
  if (depth) points.push([depth, 'depth']);
  if (stencil) points.push([stencil, 'stencil']);
  if (depthStencil) points.push([depthStencil, 'depthStencil']);

  if (depthStencil && (depth || stencil))
    return [GL.FRAMEBUFFER_UNSUPPORTED, 'DEPTH_STENCIL_ATTACHMENT excludes the other depth and stencil attachments'];
  for (const [attachment, point] of points) {
    const fault = attachmentFault(context, attachment, point);
    if (fault !== null) return [GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT, fault];
  }
  if (points.length === 0) return [GL.FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT, 'nothing is attached'];

  const images = points.map(([attachment]) => attachedImage(attachment)!);
  const first = images[0]!;
  // GLES 3 draws to what all have in common; WebGL 2 took the rule of GLES 2 back.
  if (
    (context.version === 2 || context.rules.webgl) &&
    images.some((image) => image.width !== first.width || image.height !== first.height)
  )
    return [GL.FRAMEBUFFER_INCOMPLETE_DIMENSIONS, 'the attachments differ in size'];
  if (images.some((image) => image.samples !== first.samples))
    return [GL.FRAMEBUFFER_INCOMPLETE_MULTISAMPLE, 'the attachments differ in their number of samples'];
  // The pipe binds one depth-stencil surface.
  if (depth && stencil && !isSameImage(depth, stencil))
    return [GL.FRAMEBUFFER_UNSUPPORTED, 'depth and stencil attachments must be the same image'];
  if (context.rules.webgl) {
    const colors = framebuffer.colors.filter((color) => color !== null && color !== undefined);
    if (colors.some((color, index) => colors.slice(0, index).some((other) => isSameImage(color, other))))
      return [GL.FRAMEBUFFER_UNSUPPORTED, 'one image is attached to two colour attachments'];
  }
  for (const image of images) {
    const bind = isColorRow(image.row) ? BIND.RENDER_TARGET : BIND.DEPTH_STENCIL;
    if (!(image.storage.bind & bind))
      return [GL.FRAMEBUFFER_UNSUPPORTED, `${image.row.name} can't be rendered to on ${context.screen.name}`];
  }
  return [GL.FRAMEBUFFER_COMPLETE, ''];
}

const COMPLETE = { code: GL.FRAMEBUFFER_COMPLETE, reason: '' } as const;

/** checkFramebufferStatus of any framebuffer, and the reason in words; kept until something that is attached changes. */
export function framebufferStatus(context: Context, framebuffer: Framebuffer): { code: number; reason: string } {
  if (framebuffer.isDefault) {
    if (defaultStorage(context)) return COMPLETE;
    return { code: GL.FRAMEBUFFER_UNSUPPORTED, reason: 'no memory for the drawing buffer' };
  }
  const epoch = storageEpoch.value;
  const extensionCount = context.extensions.size;
  const known = framebuffer.status;
  if (known && known.epoch === epoch && known.extensionCount === extensionCount) return known;
  const [code, reason] = judge(context, framebuffer);
  framebuffer.status = { code, reason, epoch, extensionCount };
  return framebuffer.status;
}

export function isFramebufferComplete(context: Context, framebuffer: Framebuffer): boolean {
  return framebufferStatus(context, framebuffer).code === GL.FRAMEBUFFER_COMPLETE;
}
