// The drawing buffer of a canvas: its size within the limits, and its pixels on their way out (WebGL 1 §2.2).

import { bytesOf } from '../base/bytes-of.ts';
import { blankImage, type Image } from '../canvas/image.ts';
import { convertPixels } from '../format/convert.ts';
import type { Context } from '../gl/context.ts';
import { defaultStorage, resizeDefaultFramebuffer, resolvedDefaultColor } from '../gl/framebuffer-default.ts';
import { MAP } from '../pipe/defines.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Gives the drawing buffer the canvas's size, or the largest that is possible: beyond the limits it shrinks, and without
 * memory it is halved until there is enough (WebGL 1 §2.2). False: not even one pixel.
 */
export function chooseSize(context: Context, wanted: Size): boolean {
  const limit = Math.min(context.limits.maxRenderbufferSize, context.limits.maxViewportWidth);
  let width = Math.min(Math.max(wanted.width, 1), limit);
  let height = Math.min(Math.max(wanted.height, 1), limit);
  while (!resizeDefaultFramebuffer(context, width, height)) {
    if (width === 1 && height === 1) return false;
    width = Math.max(1, width >> 1);
    height = Math.max(1, height >> 1);
  }
  return true;
}

/** Bytes of a pixel here: RGBA. */
const PIXEL_BYTES = 4;

/** The drawing buffer as RGBA bytes, first row at the bottom, as it is stored. Null: no memory. */
function readDrawingBuffer(context: Context): Image | null {
  const storage = defaultStorage(context);
  const resource = resolvedDefaultColor(context);
  if (!storage || !resource) return null;
  const { width, height } = storage;
  const image = blankImage(width, height);
  if (!image) return null;
  const box = { x: 0, y: 0, z: 0, width, height, depth: 1 };
  const transfer = context.pipe.transferMap(resource, 0, MAP.READ, box);
  if (!transfer) return null;
  convertPixels(
    'R8G8B8A8_UNORM',
    bytesOf(image.data),
    0,
    width * PIXEL_BYTES,
    resource.format,
    transfer.data,
    0,
    transfer.strideBytes,
    width,
    height,
  );
  context.pipe.transferUnmap(transfer);
  return image;
}

/** How colours come out: `straight` as ImageData has them, `stored` as the buffer has them. */
export type AlphaForm = 'straight' | 'stored';

/** The picture in the drawing buffer, top row first. Null: no memory. */
export function readImage(context: Context, isPremultiplied: boolean, form: AlphaForm): Image | null {
  const pixels = readDrawingBuffer(context);
  const image = pixels && blankImage(pixels.width, pixels.height);
  if (!image) return null;
  const { width, height, data } = pixels;
  const stride = width * PIXEL_BYTES;
  const upright = image.data as Uint8ClampedArray;
  for (let y = 0; y < height; y++)
    upright.set(data.subarray((height - 1 - y) * stride, (height - y) * stride), y * stride);
  if (!context.framebufferAttributes.alpha) for (let i = 3; i < upright.length; i += PIXEL_BYTES) upright[i] = 255;
  else if (isPremultiplied && form === 'straight') divideByAlpha(upright);
  return image;
}

function divideByAlpha(pixels: Uint8ClampedArray): void {
  for (let i = 0; i < pixels.length; i += PIXEL_BYTES) {
    const alpha = pixels[i + 3]!;
    if (alpha === 255) continue;
    // A clamped array rounds, and keeps colours brighter than their alpha at 255.
    const factor = alpha === 0 ? 0 : 255 / alpha;
    pixels[i] = pixels[i]! * factor;
    pixels[i + 1] = pixels[i + 1]! * factor;
    pixels[i + 2] = pixels[i + 2]! * factor;
  }
}
