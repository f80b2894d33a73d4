// The overlay of INDIUM_HUD: the profile of the last frames in the upper left corner of the drawing buffer. It goes through the
// pipe as any blit does, so every backend can show it.

import { paintPanel } from '../base/hud-panel.ts';
import { profile } from '../base/profile.ts';
import { BIND } from '../pipe/defines.ts';
import type { Context } from './context.ts';
import { defaultStorage } from './framebuffer-default.ts';

const MARGIN = 8;

/** Draws the overlay. Without memory, or on a buffer that takes no blit, there is none. */
export function drawHud(context: Context): void {
  const storage = defaultStorage(context);
  if (!storage) return;
  const panel = paintPanel(profile.frames);
  const { pipe, screen } = context;
  const texture = screen.createResource({
    target: 'texture2D',
    format: 'R8G8B8A8_UNORM',
    width: panel.width,
    height: panel.height,
    depth: 1,
    arraySize: 1,
    levels: 1,
    samples: 1,
    bind: BIND.SAMPLER_VIEW | BIND.RENDER_TARGET,
    usage: 'default',
  });
  if (texture === null) return;
  const size = { width: panel.width, height: panel.height, depth: 1 };
  const source = { x: 0, y: 0, z: 0, ...size };
  const strideBytes = panel.width * 4;
  if (pipe.textureSubdata(texture, 0, source, panel.data, strideBytes, strideBytes * panel.height) === 'ok') {
    pipe.blit({
      source: { resource: texture, level: 0, box: source, format: texture.format },
      destination: {
        resource: storage.color,
        level: 0,
        // Above the buffer's lower edge: what does not fit is cut off by the scissor.
        box: { x: MARGIN, y: storage.height - MARGIN - panel.height, z: 0, ...size },
        format: storage.color.format,
      },
      mask: 1,
      filter: 'nearest',
      scissor: { minX: 0, minY: 0, maxX: storage.width, maxY: storage.height },
      followsRenderCondition: false,
    });
  }
  texture.destroy();
}
