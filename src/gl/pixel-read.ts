// The colour image that readPixels and the copies take pixels from, and reading rows of it on the CPU (ES 3.0.6 §4.3.1).

import { convertPixels } from '../format/convert.ts';
import { blockBytes, type Format } from '../format/format.ts';
import { MAP } from '../pipe/defines.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { invalidOperation, outOfMemory } from './errors.ts';
import { type AttachedImage, attachedImage } from './framebuffer-completeness.ts';
import { defaultColorStorage, defaultFormats, resolvedDefaultColor } from './framebuffer-default.ts';
import type { Framebuffer } from './framebuffer-object.ts';
import { checkReadFramebuffer, framebufferSize } from './framebuffer-update.ts';

/** The single-sampled image behind the read buffer; width and height are those of the framebuffer. Undefined after an error. */
export function readSource(context: Context, call: string): AttachedImage | undefined {
  const framebuffer = context.readFramebuffer;
  if (!checkReadFramebuffer(context, call)) return undefined;
  if (framebuffer.readBuffer === GL.NONE) return invalidOperation(context, call, 'the read buffer is NONE');
  if (framebuffer.isDefault) {
    const resource = resolvedDefaultColor(context);
    const storage = defaultColorStorage(context, 1);
    if (!resource || !storage) return outOfMemory(context, call, 'no memory to resolve the drawing buffer');
    const { width, height } = resource;
    const row = defaultFormats(context.framebufferAttributes).color;
    return { resource, level: 0, layer: 0, width, height, samples: 1, row, storage };
  }
  const image = readAttachment(framebuffer);
  if (!image) return invalidOperation(context, call, 'nothing is attached to the read buffer');
  if (image.samples > 1)
    return invalidOperation(context, call, 'the framebuffer is multisampled: blit it to another one first');
  return { ...image, ...framebufferSize(context, framebuffer) };
}

/** What a user framebuffer's read buffer names. */
export function readAttachment(framebuffer: Framebuffer): AttachedImage | null {
  const attachment = framebuffer.colors[framebuffer.readBuffer - GL.COLOR_ATTACHMENT0];
  return attachment ? attachedImage(attachment) : null;
}

/** A rectangle cut to an image's size, and how far its corner moved. Null: nothing is left. */
export interface ClippedRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly skipX: number;
  readonly skipY: number;
}

export function clipRect(
  x: number,
  y: number,
  width: number,
  height: number,
  limitX: number,
  limitY: number,
): ClippedRect | null {
  const minX = Math.max(x, 0);
  const minY = Math.max(y, 0);
  const maxX = Math.min(x + width, limitX);
  const maxY = Math.min(y + height, limitY);
  if (minX >= maxX || minY >= maxY) return null;
  return { x: minX, y: minY, width: maxX - minX, height: maxY - minY, skipX: minX - x, skipY: minY - y };
}

/** Reads a rectangle inside of the image into `into`, converted to `format`. False: the image could not be mapped. */
export function readRows(
  context: Context,
  source: AttachedImage,
  rect: ClippedRect,
  format: Format,
  into: Uint8Array,
  offset: number,
  stride: number,
): boolean {
  const { x, y, width, height } = rect;
  const box = { x, y, z: source.layer, width, height, depth: 1 };
  const transfer = context.pipe.transferMap(source.resource, source.level, MAP.READ, box);
  if (!transfer) return false;
  const { data, strideBytes } = transfer;
  convertPixels(format, into, offset, stride, source.storage.clientFormat, data, 0, strideBytes, width, height);
  context.pipe.transferUnmap(transfer);
  return true;
}

/** A rectangle inside of the image as tight rows. Null: the image could not be mapped. */
export function readTight(
  context: Context,
  source: AttachedImage,
  rect: ClippedRect,
  format: Format,
): Uint8Array | null {
  const stride = rect.width * blockBytes(format);
  const rows = new Uint8Array(stride * rect.height);
  return readRows(context, source, rect, format, rows, 0, stride) ? rows : null;
}
