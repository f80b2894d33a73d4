// invalidateFramebuffer and invalidateSubFramebuffer (ES 3.0.6 §4.5), EXT_discard_framebuffer: contents that nobody needs any more.

import { CLEAR, type Rect } from '../pipe/defines.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { invalidEnum, invalidOperation, invalidValue } from './errors.ts';
import { COLOR_ATTACHMENT_NAMES, framebufferOfTarget } from './framebuffer.ts';
import { isFramebufferComplete } from './framebuffer-completeness.ts';
import { framebufferSize } from './framebuffer-update.ts';
import { DIRTY_FOR_CLEAR, updateState } from './state-update.ts';

export function invalidateFramebuffer(context: Context, target: number, attachments: readonly number[]): void {
  invalidate(context, 'invalidateFramebuffer', target, attachments, null);
}

export function invalidateSubFramebuffer(
  context: Context,
  target: number,
  attachments: readonly number[],
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const call = 'invalidateSubFramebuffer';
  if (width < 0 || height < 0) return invalidValue(context, call, `size ${width} × ${height} is negative`);
  invalidate(context, call, target, attachments, { minX: x, minY: y, maxX: x + width, maxY: y + height });
}

function invalidate(
  context: Context,
  call: string,
  target: number,
  attachments: readonly number[],
  rect: Rect | null,
): void {
  const framebuffer = framebufferOfTarget(context, call, target);
  if (!framebuffer) return;
  let buffers = 0;
  for (const attachment of attachments) {
    const index = attachment - GL.COLOR_ATTACHMENT0;
    if (framebuffer.isDefault) {
      if (attachment === GL.COLOR) buffers |= CLEAR.COLOR0;
      else if (attachment === GL.DEPTH) buffers |= CLEAR.DEPTH;
      else if (attachment === GL.STENCIL) buffers |= CLEAR.STENCIL;
      else return invalidEnum(context, call, 'attachment', attachment);
    } else if (index >= 0 && index < COLOR_ATTACHMENT_NAMES) {
      if (index >= context.limits.maxColorAttachments)
        return invalidOperation(context, call, `COLOR_ATTACHMENT${index} is not below MAX_COLOR_ATTACHMENTS`);
      if (framebuffer.colors[index] && framebuffer.drawBuffers[index] !== GL.NONE) buffers |= CLEAR.COLOR0 << index;
    } else if (attachment === GL.DEPTH_ATTACHMENT) buffers |= CLEAR.DEPTH;
    else if (attachment === GL.STENCIL_ATTACHMENT) buffers |= CLEAR.STENCIL;
    else if (attachment === GL.DEPTH_STENCIL_ATTACHMENT && (context.version === 3 || context.rules.webgl))
      buffers |= CLEAR.DEPTH_STENCIL;
    else return invalidEnum(context, call, 'attachment', attachment);
  }
  // The pipe invalidates what is bound to draw; of a read framebuffer nothing is gained.
  if (framebuffer !== context.drawFramebuffer || !isFramebufferComplete(context, framebuffer)) return;
  if (!framebuffer.isDefault) {
    if (!framebuffer.depth && !framebuffer.depthStencil) buffers &= ~CLEAR.DEPTH;
    if (!framebuffer.stencil && !framebuffer.depthStencil) buffers &= ~CLEAR.STENCIL;
  }
  if (buffers === 0) return;
  const size = framebufferSize(context, framebuffer);
  const isWhole =
    rect === null || (rect.minX <= 0 && rect.minY <= 0 && rect.maxX >= size.width && rect.maxY >= size.height);
  updateState(context, DIRTY_FOR_CLEAR);
  context.pipe.invalidateFramebuffer(buffers, isWhole ? null : rect);
}
