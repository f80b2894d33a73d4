// Hands the draw framebuffer to the pipe, and tells whether it may be drawn to.

import { isDepth } from '../format/format.ts';
import type { Surface } from '../pipe/resource.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import { invalidOperation, outOfMemory, recordError } from './errors.ts';
import { type AttachedImage, attachedImage, framebufferStatus } from './framebuffer-completeness.ts';
import { defaultStorage } from './framebuffer-default.ts';
import type { Framebuffer } from './framebuffer-object.ts';
import { isDepthRow, isStencilRow } from './gl-formats.ts';

function surfaceOf(image: AttachedImage): Surface {
  return {
    resource: image.resource,
    level: image.level,
    firstLayer: image.layer,
    lastLayer: image.layer,
    format: image.resource.format,
  };
}

function setDepthStencil(context: Context, hasDepth: boolean, hasStencil: boolean): void {
  const { pipeState } = context;
  if (pipeState.hasDepth === hasDepth && pipeState.hasStencil === hasStencil) return;
  pipeState.hasDepth = hasDepth;
  pipeState.hasStencil = hasStencil;
  context.dirty |= DIRTY.DEPTH_STENCIL;
}

function updateDefault(context: Context): void {
  const storage = defaultStorage(context);
  if (!storage) return;
  const { color, depthStencil, width, height, samples } = storage;
  const whole = (resource: typeof color): Surface => ({
    resource,
    level: 0,
    firstLayer: 0,
    lastLayer: 0,
    format: resource.format,
  });
  const draws = context.drawFramebuffer.drawBuffers[0] !== GL.NONE;
  context.pipe.setFramebufferState({
    width,
    height,
    samples,
    layers: 1,
    colors: draws ? [whole(color)] : [],
    depthStencil: depthStencil && whole(depthStencil),
  });
  const { depth, stencil } = context.framebufferAttributes;
  setDepthStencil(
    context,
    depth && depthStencil !== null && isDepth(depthStencil.format),
    stencil && depthStencil !== null,
  );
}

/** The image of colour attachment i if draw buffer i is on, else null. */
export function drawnColor(framebuffer: Framebuffer, index: number): AttachedImage | null {
  const buffer = framebuffer.drawBuffers[index] ?? GL.NONE;
  const attachment = buffer === GL.NONE ? null : framebuffer.colors[index];
  return attachment ? attachedImage(attachment) : null;
}

export function depthImage(framebuffer: Framebuffer): AttachedImage | null {
  const attachment = framebuffer.depth ?? framebuffer.depthStencil;
  const image = attachment && attachedImage(attachment);
  return image && isDepthRow(image.row) ? image : null;
}

export function stencilImage(framebuffer: Framebuffer): AttachedImage | null {
  const attachment = framebuffer.stencil ?? framebuffer.depthStencil;
  const image = attachment && attachedImage(attachment);
  return image && isStencilRow(image.row) ? image : null;
}

/**
 * Sets the pipe's framebuffer state from `context.drawFramebuffer`, and `context.pipeState.hasDepth`, `.hasStencil`
 * (with DIRTY.DEPTH_STENCIL when they change). Called while DIRTY.FRAMEBUFFER is set, only for complete framebuffers.
 */
export function updateFramebuffer(context: Context): void {
  const framebuffer = context.drawFramebuffer;
  if (framebuffer.isDefault) {
    updateDefault(context);
    return;
  }
  const images = framebuffer
    .attachments()
    .map(attachedImage)
    .filter((image) => image !== null);
  const colors: (Surface | null)[] = [];
  framebuffer.drawBuffers.forEach((_, index) => {
    const image = drawnColor(framebuffer, index);
    colors.push(image && surfaceOf(image));
  });
  while (colors.length > 0 && colors.at(-1) === null) colors.pop();
  const depth = depthImage(framebuffer);
  const stencil = stencilImage(framebuffer);
  const depthStencil = depth ?? stencil;
  context.pipe.setFramebufferState({
    // Attachments may differ in size in GLES 3: what all have is drawn to (§4.4.4.1).
    width: Math.min(...images.map((image) => image.width)),
    height: Math.min(...images.map((image) => image.height)),
    samples: images[0]?.samples ?? 1,
    layers: 1,
    colors,
    depthStencil: depthStencil && surfaceOf(depthStencil),
  });
  setDepthStencil(context, depth !== null, stencil !== null);
}

/** The size of what can be drawn to or read; 0 × 0 while incomplete. */
export function framebufferSize(context: Context, framebuffer: Framebuffer): { width: number; height: number } {
  if (framebuffer.isDefault) {
    const storage = defaultStorage(context);
    return { width: storage?.width ?? 0, height: storage?.height ?? 0 };
  }
  const images = framebuffer
    .attachments()
    .map(attachedImage)
    .filter((image) => image !== null);
  if (images.length === 0) return { width: 0, height: 0 };
  return {
    width: Math.min(...images.map((image) => image.width)),
    height: Math.min(...images.map((image) => image.height)),
  };
}

/** Samples of a framebuffer as SAMPLES tells: 0 for single-sampled. */
export function framebufferSamples(context: Context, framebuffer: Framebuffer): number {
  const samples = framebuffer.isDefault
    ? (defaultStorage(context)?.samples ?? 1)
    : (framebuffer
        .attachments()
        .map(attachedImage)
        .find((image) => image !== null)?.samples ?? 1);
  return samples > 1 ? samples : 0;
}

function checkFramebuffer(context: Context, call: string, framebuffer: Framebuffer): boolean {
  const { code, reason } = framebufferStatus(context, framebuffer);
  if (code === GL.FRAMEBUFFER_COMPLETE) return true;
  if (framebuffer.isDefault) outOfMemory(context, call, reason);
  else recordError(context, GL.INVALID_FRAMEBUFFER_OPERATION, `${call}: the framebuffer is not complete: ${reason}`);
  return false;
}

/** Records INVALID_FRAMEBUFFER_OPERATION and returns false when the draw framebuffer is not complete. */
export function checkDrawFramebuffer(context: Context, call: string): boolean {
  return checkFramebuffer(context, call, context.drawFramebuffer);
}

/**
 * QCOM_render_shared_exponent: the components of a shared-exponent buffer are written together or not at all (for WebGL
 * WEBGL_render_shared_exponent makes anything else an error). False after an error.
 */
export function checkSharedExponentMask(context: Context, call: string, drawBuffer: number): boolean {
  const { drawFramebuffer, blend } = context;
  const mask = blend.targets[drawBuffer]!.writeMask;
  if (mask === 0 || mask === 15 || drawFramebuffer.isDefault) return true;
  if (drawnColor(drawFramebuffer, drawBuffer)?.row.internalFormat !== GL.RGB9_E5) return true;
  invalidOperation(context, call, `draw buffer ${drawBuffer} is RGB9_E5: its colour mask must be all or nothing`);
  return false;
}

export function checkReadFramebuffer(context: Context, call: string): boolean {
  return checkFramebuffer(context, call, context.readFramebuffer);
}
