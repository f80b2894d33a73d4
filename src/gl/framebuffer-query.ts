// What a framebuffer tells about itself: its attachments' parameters (ES 3.0.6 §6.1.13, WebGL 1 §5.14.6).

import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { invalidEnum, invalidOperation } from './errors.ts';
import { attachmentPoint, framebufferOfTarget, hasSeparateDepthStencil } from './framebuffer.ts';
import { attachedImage } from './framebuffer-completeness.ts';
import { defaultFormats } from './framebuffer-default.ts';
import { type Attachment, attachmentObject } from './framebuffer-object.ts';
import type { InternalFormatRow } from './gl-formats.table.ts';
import type { Renderbuffer } from './renderbuffer-object.ts';
import type { Texture } from './texture-object.ts';

/** A number, the attached object (OBJECT_NAME), or null for "no object". Undefined after an error. */
export type AttachmentParameter = number | Texture | Renderbuffer | null | undefined;

const SIZE_BITS = new Map<number, number>([
  [GL.FRAMEBUFFER_ATTACHMENT_RED_SIZE, 0],
  [GL.FRAMEBUFFER_ATTACHMENT_GREEN_SIZE, 1],
  [GL.FRAMEBUFFER_ATTACHMENT_BLUE_SIZE, 2],
  [GL.FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE, 3],
  [GL.FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE, 4],
  [GL.FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE, 5],
]);

const COMPONENT_TYPES = {
  unorm: GL.UNSIGNED_NORMALIZED,
  snorm: GL.SIGNED_NORMALIZED,
  float: GL.FLOAT,
  int: GL.INT,
  uint: GL.UNSIGNED_INT,
  none: GL.NONE,
} as const;

function formatParameter(row: InternalFormatRow, pname: number): number | undefined {
  const place = SIZE_BITS.get(pname);
  if (place !== undefined) return row.bits[place];
  if (pname === GL.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE)
    return row.base === GL.STENCIL_INDEX ? GL.UNSIGNED_INT : COMPONENT_TYPES[row.kind];
  if (pname === GL.FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING) return row.srgb ? GL.SRGB : GL.LINEAR;
  return undefined;
}

/** Parameters of formats: GLES 3, and two of them by EXT_sRGB and EXT_color_buffer_half_float. */
function acceptsFormatParameter(context: Context, pname: number): boolean {
  if (context.version === 3)
    return (
      SIZE_BITS.has(pname) ||
      pname === GL.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE ||
      pname === GL.FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING
    );
  const { extensions } = context;
  if (pname === GL.FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING) return extensions.has('EXT_sRGB');
  if (pname !== GL.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE) return false;
  return extensions.has('EXT_color_buffer_half_float') || extensions.has('WEBGL_color_buffer_float');
}

const FORMAT_PARAMETERS = [
  ...SIZE_BITS.keys(),
  GL.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE,
  GL.FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING,
] as readonly number[];

export function getFramebufferAttachmentParameter(
  context: Context,
  target: number,
  attachment: number,
  pname: number,
): AttachmentParameter {
  const call = 'getFramebufferAttachmentParameter';
  const framebuffer = framebufferOfTarget(context, call, target);
  if (!framebuffer) return undefined;
  if (framebuffer.isDefault) return defaultParameter(context, call, attachment, pname);

  const point = attachmentPoint(context, call, attachment);
  if (!point) return undefined;
  let attached: Attachment | null;
  if (point.kind === 'color') attached = framebuffer.colors[point.index] ?? null;
  else if (point.kind === 'depthStencil' && !hasSeparateDepthStencil(context)) {
    attached = framebuffer.depth;
    const objects = [framebuffer.depth, framebuffer.stencil].map((one) => one && attachmentObject(one));
    if (objects[0] !== objects[1])
      return invalidOperation(context, call, 'different objects are attached for depth and stencil');
  } else attached = framebuffer[point.kind];
  if (point.kind === 'depthStencil' && pname === GL.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE && attached !== null)
    return invalidOperation(context, call, 'depth and stencil have different component types');

  if (pname === GL.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE)
    return attached === null ? GL.NONE : attached.kind === 'texture' ? GL.TEXTURE : GL.RENDERBUFFER;
  if (attached === null) {
    if (pname === GL.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME && context.version === 3) return null;
    // GLES 2 and WebGL 1 call every other query of nothing an INVALID_ENUM, GLES 3 an INVALID_OPERATION.
    if (context.version === 2) return invalidEnum(context, call, 'pname', pname);
    return invalidOperation(context, call, 'nothing is attached');
  }
  if (pname === GL.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME) return attachmentObject(attached);
  if (attached.kind === 'texture') {
    if (pname === GL.FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL) return attached.level;
    if (pname === GL.FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE)
      return attached.texture.target === GL.TEXTURE_CUBE_MAP ? GL.TEXTURE_CUBE_MAP_POSITIVE_X + attached.face : 0;
    if (pname === GL.FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER && context.version === 3) return attached.layer;
  }
  if (acceptsFormatParameter(context, pname)) {
    const row = attachedImage(attached)?.row;
    if (!row) return pname === GL.FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING ? GL.LINEAR : 0;
    // A packed image attached for one aspect tells of that aspect only for the component type.
    if (pname === GL.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE && point.kind === 'stencil') return GL.UNSIGNED_INT;
    return formatParameter(row, pname);
  }
  return invalidEnum(context, call, 'pname', pname);
}

/** GLES 3 answers for BACK, DEPTH and STENCIL of the default framebuffer; GLES 2 has no such query. */
function defaultParameter(context: Context, call: string, attachment: number, pname: number): AttachmentParameter {
  if (context.version === 2) return invalidOperation(context, call, 'the default framebuffer is bound');
  if (attachment !== GL.BACK && attachment !== GL.DEPTH && attachment !== GL.STENCIL)
    return invalidEnum(context, call, 'attachment', attachment);
  const { color, depthStencil } = defaultFormats(context.framebufferAttributes);
  const { depth, stencil } = context.framebufferAttributes;
  const row = attachment === GL.BACK ? color : (attachment === GL.DEPTH ? depth : stencil) ? depthStencil : null;
  if (pname === GL.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) return row ? GL.FRAMEBUFFER_DEFAULT : GL.NONE;
  // §6.1.13: what has no buffer has the name 0; a buffer of the default framebuffer has no name to ask for.
  if (pname === GL.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME && row === null) return null;
  if (!FORMAT_PARAMETERS.includes(pname)) return invalidEnum(context, call, 'pname', pname);
  if (!row) return invalidOperation(context, call, 'the default framebuffer has no such buffer');
  if (pname === GL.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE && attachment === GL.STENCIL) return GL.UNSIGNED_INT;
  return formatParameter(row, pname);
}
