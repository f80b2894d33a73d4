// Calls on framebuffers: bind, delete, attach and detach, draw and read buffers, status (ES 3.0.6 §4.2.1, §4.3.1, §4.4).

import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import { invalidEnum, invalidOperation, invalidValue } from './errors.ts';
import { framebufferStatus } from './framebuffer-completeness.ts';
import { type Attachment, attachmentObject, Framebuffer } from './framebuffer-object.ts';
import { exchange } from './gl-object.ts';
import type { Renderbuffer } from './renderbuffer-object.ts';
import type { Texture } from './texture-object.ts';

export function createFramebuffer(context: Context): Framebuffer {
  return context.track(new Framebuffer());
}

export function isFramebuffer(framebuffer: Framebuffer): boolean {
  return framebuffer.wasBound && !framebuffer.deleted;
}

/** A bound framebuffer that is deleted gives way to the default one (ES 3.0.6 §4.4.1). */
export function deleteFramebuffer(context: Context, framebuffer: Framebuffer): void {
  if (framebuffer.deleted || framebuffer.isDefault) return;
  if (context.drawFramebuffer === framebuffer) bind(context, 'drawFramebuffer', context.defaultFramebuffer);
  if (context.readFramebuffer === framebuffer) bind(context, 'readFramebuffer', context.defaultFramebuffer);
  framebuffer.delete(context);
}

/** What is drawn to changed. Feedback loops are looked for again with the textures. */
function markDrawFramebuffer(context: Context): void {
  context.dirty |= context.rules.feedbackLoopIsError ? DIRTY.FRAMEBUFFER | DIRTY.TEXTURES : DIRTY.FRAMEBUFFER;
}

function bind(context: Context, slot: 'drawFramebuffer' | 'readFramebuffer', framebuffer: Framebuffer): void {
  if (context[slot] === framebuffer) return;
  context[slot] = exchange(context, context[slot], framebuffer);
  if (slot === 'drawFramebuffer') markDrawFramebuffer(context);
}

/** Null binds the default framebuffer. */
export function bindFramebuffer(context: Context, target: number, framebuffer: Framebuffer | null): void {
  const isBoth = target === GL.FRAMEBUFFER;
  const isDraw = isBoth || (context.version === 3 && target === GL.DRAW_FRAMEBUFFER);
  const isRead = isBoth || (context.version === 3 && target === GL.READ_FRAMEBUFFER);
  if (!isDraw && !isRead) return invalidEnum(context, 'bindFramebuffer', 'target', target);
  const bound = framebuffer ?? context.defaultFramebuffer;
  bound.wasBound = true;
  if (isDraw) bind(context, 'drawFramebuffer', bound);
  if (isRead) bind(context, 'readFramebuffer', bound);
}

/** The framebuffer of a target; FRAMEBUFFER is the draw framebuffer. Undefined after INVALID_ENUM. */
export function framebufferOfTarget(context: Context, call: string, target: number): Framebuffer | undefined {
  if (target === GL.FRAMEBUFFER) return context.drawFramebuffer;
  if (context.version === 3 && target === GL.DRAW_FRAMEBUFFER) return context.drawFramebuffer;
  if (context.version === 3 && target === GL.READ_FRAMEBUFFER) return context.readFramebuffer;
  return invalidEnum(context, call, 'target', target);
}

/** 0 after an error. */
export function checkFramebufferStatus(context: Context, target: number): number {
  const framebuffer = framebufferOfTarget(context, 'checkFramebufferStatus', target);
  return framebuffer ? framebufferStatus(context, framebuffer).code : 0;
}

/** An attachment point as the calls name it: which slots it stands for. */
export interface AttachmentPoint {
  readonly kind: 'color' | 'depth' | 'stencil' | 'depthStencil';
  readonly index: number;
}

export const COLOR_ATTACHMENT_NAMES = 32;

/** Undefined after an error. */
export function attachmentPoint(context: Context, call: string, attachment: number): AttachmentPoint | undefined {
  const index = attachment - GL.COLOR_ATTACHMENT0;
  if (index >= 0 && index < COLOR_ATTACHMENT_NAMES) {
    if (index < context.limits.maxColorAttachments && (index === 0 || hasDrawBuffers(context)))
      return { kind: 'color', index };
    if (!hasDrawBuffers(context) || context.rules.webgl) return invalidEnum(context, call, 'attachment', attachment);
    return invalidOperation(context, call, `COLOR_ATTACHMENT${index} is not below MAX_COLOR_ATTACHMENTS`);
  }
  if (attachment === GL.DEPTH_ATTACHMENT) return { kind: 'depth', index: 0 };
  if (attachment === GL.STENCIL_ATTACHMENT) return { kind: 'stencil', index: 0 };
  if (attachment === GL.DEPTH_STENCIL_ATTACHMENT && (context.version === 3 || context.rules.webgl))
    return { kind: 'depthStencil', index: 0 };
  return invalidEnum(context, call, 'attachment', attachment);
}

function hasDrawBuffers(context: Context): boolean {
  return context.version === 3 || context.extensions.has('EXT_draw_buffers');
}

/** WebGL 1 keeps DEPTH_STENCIL_ATTACHMENT as a point of its own (WebGL 1 §6.8). */
export function hasSeparateDepthStencil(context: Context): boolean {
  return context.version === 2 && context.rules.webgl;
}

function replace(context: Context, old: Attachment | null | undefined, next: Attachment | null): Attachment | null {
  if (next) attachmentObject(next).retain();
  if (old) attachmentObject(old).release(context);
  return next;
}

function attach(context: Context, framebuffer: Framebuffer, point: AttachmentPoint, next: Attachment | null): void {
  if (point.kind === 'color') {
    while (framebuffer.colors.length < point.index) framebuffer.colors.push(null);
    framebuffer.colors[point.index] = replace(context, framebuffer.colors[point.index], next);
  } else if (point.kind === 'depthStencil' && !hasSeparateDepthStencil(context)) {
    framebuffer.depth = replace(context, framebuffer.depth, next);
    framebuffer.stencil = replace(context, framebuffer.stencil, next);
  } else {
    framebuffer[point.kind] = replace(context, framebuffer[point.kind], next);
  }
  framebuffer.status = null;
  if (framebuffer === context.drawFramebuffer) markDrawFramebuffer(context);
}

/** A deleted object leaves the framebuffers that are bound now; it stays in all others (ES 3.0.6 §4.4.2.1, §4.4.2.3). */
export function detachFromBound(context: Context, object: Texture | Renderbuffer): void {
  for (const framebuffer of new Set([context.drawFramebuffer, context.readFramebuffer])) {
    framebuffer.colors.forEach((color, index) => {
      if (color && attachmentObject(color) === object) attach(context, framebuffer, { kind: 'color', index }, null);
    });
    for (const kind of ['depth', 'stencil', 'depthStencil'] as const) {
      const attachment = framebuffer[kind];
      if (!attachment || attachmentObject(attachment) !== object) continue;
      framebuffer[kind] = replace(context, attachment, null);
      framebuffer.status = null;
      if (framebuffer === context.drawFramebuffer) markDrawFramebuffer(context);
    }
  }
}

/** The user framebuffer of a target and the point in it; undefined after an error. */
function attachmentSlot(
  context: Context,
  call: string,
  target: number,
  attachment: number,
): { framebuffer: Framebuffer; point: AttachmentPoint } | undefined {
  const framebuffer = framebufferOfTarget(context, call, target);
  if (!framebuffer) return undefined;
  const point = attachmentPoint(context, call, attachment);
  if (!point) return undefined;
  if (framebuffer.isDefault)
    return invalidOperation(context, call, 'nothing can be attached to the default framebuffer');
  return { framebuffer, point };
}

function log2(value: number): number {
  return 31 - Math.clz32(value);
}

function checkLevel(context: Context, call: string, level: number, maxSize: number): boolean {
  const allLevels = context.version === 3 || context.extensions.has('OES_fbo_render_mipmap');
  if (level === 0 || (allLevels && level > 0 && level <= log2(maxSize))) return true;
  invalidValue(context, call, `level ${level} can't be attached`);
  return false;
}

export function framebufferTexture2D(
  context: Context,
  target: number,
  attachment: number,
  textureTarget: number,
  texture: Texture | null,
  level: number,
): void {
  const call = 'framebufferTexture2D';
  const face = textureTarget - GL.TEXTURE_CUBE_MAP_POSITIVE_X;
  const isFace = face >= 0 && face < 6;
  // Without a texture the texture target is ignored (ES 3.0.6 §4.4.2.4).
  if (texture && textureTarget !== GL.TEXTURE_2D && !isFace)
    return invalidEnum(context, call, 'textarget', textureTarget);
  const slot = attachmentSlot(context, call, target, attachment);
  if (!slot) return;
  if (!texture) {
    attach(context, slot.framebuffer, slot.point, null);
    return;
  }
  if (texture.target !== (isFace ? GL.TEXTURE_CUBE_MAP : GL.TEXTURE_2D))
    return invalidOperation(context, call, 'the texture is of another target');
  const { maxTextureSize, maxCubeMapTextureSize } = context.limits;
  if (!checkLevel(context, call, level, isFace ? maxCubeMapTextureSize : maxTextureSize)) return;
  attach(context, slot.framebuffer, slot.point, { kind: 'texture', texture, level, face: isFace ? face : 0, layer: 0 });
}

export function framebufferTextureLayer(
  context: Context,
  target: number,
  attachment: number,
  texture: Texture | null,
  level: number,
  layer: number,
): void {
  const call = 'framebufferTextureLayer';
  const slot = attachmentSlot(context, call, target, attachment);
  if (!slot) return;
  if (!texture) {
    attach(context, slot.framebuffer, slot.point, null);
    return;
  }
  const is3d = texture.target === GL.TEXTURE_3D;
  if (!is3d && texture.target !== GL.TEXTURE_2D_ARRAY)
    return invalidOperation(context, call, 'the texture is neither a 3D texture nor an array');
  const { max3dTextureSize, maxTextureSize, maxArrayTextureLayers } = context.limits;
  if (layer < 0 || layer >= (is3d ? max3dTextureSize : maxArrayTextureLayers))
    return invalidValue(context, call, `layer ${layer} is out of range`);
  if (!checkLevel(context, call, level, is3d ? max3dTextureSize : maxTextureSize)) return;
  attach(context, slot.framebuffer, slot.point, { kind: 'texture', texture, level, face: 0, layer });
}

export function framebufferRenderbuffer(
  context: Context,
  target: number,
  attachment: number,
  renderbufferTarget: number,
  renderbuffer: Renderbuffer | null,
): void {
  const call = 'framebufferRenderbuffer';
  if (renderbufferTarget !== GL.RENDERBUFFER)
    return invalidEnum(context, call, 'renderbuffertarget', renderbufferTarget);
  const slot = attachmentSlot(context, call, target, attachment);
  if (!slot) return;
  if (renderbuffer && !renderbuffer.wasBound)
    return invalidOperation(context, call, 'the renderbuffer was never bound');
  attach(context, slot.framebuffer, slot.point, renderbuffer && { kind: 'renderbuffer', renderbuffer });
}

/** drawBuffers (ES 3.0.6 §4.2.1): NONE, BACK for the default framebuffer, or COLOR_ATTACHMENTi at place i. */
export function drawBuffers(context: Context, buffers: readonly number[]): void {
  const call = 'drawBuffers';
  const framebuffer = context.drawFramebuffer;
  const { maxDrawBuffers, maxColorAttachments } = context.limits;
  if (buffers.length > maxDrawBuffers)
    return invalidValue(context, call, `${buffers.length} buffers exceed MAX_DRAW_BUFFERS ${maxDrawBuffers}`);
  for (const [place, buffer] of buffers.entries()) {
    const index = buffer - GL.COLOR_ATTACHMENT0;
    const isAttachment = index >= 0 && index < COLOR_ATTACHMENT_NAMES;
    if (buffer !== GL.NONE && buffer !== GL.BACK && !isAttachment)
      return invalidEnum(context, call, `buffer ${place}`, buffer);
    if (framebuffer.isDefault ? isAttachment : buffer === GL.BACK)
      return invalidOperation(context, call, `buffer ${place} does not belong to the bound framebuffer`);
    if (isAttachment && (index !== place || index >= maxColorAttachments))
      return invalidOperation(context, call, `COLOR_ATTACHMENT${index} can't stand at place ${place}`);
  }
  if (framebuffer.isDefault && buffers.length !== 1)
    return invalidOperation(context, call, 'the default framebuffer has exactly one draw buffer');
  framebuffer.drawBuffers = [...buffers];
  markDrawFramebuffer(context);
}

export function readBuffer(context: Context, source: number): void {
  const call = 'readBuffer';
  const framebuffer = context.readFramebuffer;
  const index = source - GL.COLOR_ATTACHMENT0;
  const isAttachment = index >= 0 && index < COLOR_ATTACHMENT_NAMES;
  if (source !== GL.NONE && source !== GL.BACK && !isAttachment) return invalidEnum(context, call, 'src', source);
  if (framebuffer.isDefault ? isAttachment : source === GL.BACK)
    return invalidOperation(context, call, 'the buffer does not belong to the bound framebuffer');
  if (isAttachment && index >= context.limits.maxColorAttachments)
    return invalidOperation(context, call, `COLOR_ATTACHMENT${index} is not below MAX_COLOR_ATTACHMENTS`);
  framebuffer.readBuffer = source;
}
