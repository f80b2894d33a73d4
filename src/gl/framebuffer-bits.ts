// RED_BITS … STENCIL_BITS: what the images of a framebuffer hold, as the getters report it.

import type { Context } from './context.ts';
import { attachedImage, isFramebufferComplete } from './framebuffer-completeness.ts';
import { defaultFormats } from './framebuffer-default.ts';
import type { Framebuffer } from './framebuffer-object.ts';

const NONE: readonly number[] = [0, 0, 0, 0, 0, 0];

/** Bits of red, green, blue, alpha, depth, stencil; zero where it has none, and while it is not complete. */
export function framebufferBits(context: Context, framebuffer: Framebuffer): readonly number[] {
  if (framebuffer.isDefault) {
    const { color, depthStencil } = defaultFormats(context.framebufferAttributes);
    return color.bits.map((bits, channel) => (channel < 4 ? bits : (depthStencil?.bits[channel] ?? 0)));
  }
  if (!isFramebufferComplete(context, framebuffer)) return NONE;
  const { colors, depth, stencil, depthStencil } = framebuffer;
  const sources = [colors[0], colors[0], colors[0], colors[0], depth ?? depthStencil, stencil ?? depthStencil];
  return sources.map((attachment, channel) => (attachment && attachedImage(attachment)?.row.bits[channel]) ?? 0);
}
