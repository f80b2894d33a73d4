// Hands the draw framebuffer to the pipe, and tells whether it may be drawn to.

import type { Context } from './context.ts';

/**
 * Sets the pipe's framebuffer state from `context.drawFramebuffer`, and `context.pipeState.hasDepth`, `.hasStencil`
 * (with DIRTY.DEPTH_STENCIL when they change). Called while DIRTY.FRAMEBUFFER is set, only for complete framebuffers.
 */
export function updateFramebuffer(_context: Context): void {
  throw new Error('updateFramebuffer: not built yet');
}

/** Records INVALID_FRAMEBUFFER_OPERATION and returns false when the draw framebuffer is not complete. */
export function checkDrawFramebuffer(_context: Context, _call: string): boolean {
  throw new Error('checkDrawFramebuffer: not built yet');
}
