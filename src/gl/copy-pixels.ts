// Copies a rectangle of the read framebuffer into a texture image by the cheapest way that gives the right values: bytes, a blit, or the CPU.

import { convertPixels } from '../format/convert.ts';
import { linearFormat, rowBytes } from '../format/format.ts';
import { BLIT } from '../pipe/context.ts';
import { BIND } from '../pipe/defines.ts';
import type { Context } from './context.ts';
import { outOfMemory } from './errors.ts';
import type { AttachedImage } from './framebuffer-completeness.ts';
import { type ClippedRect, readTight } from './pixel-read.ts';
import { reportStatus } from './pixel-status.ts';
import type { TextureImage } from './texture-object.ts';

/** Stored as the format says, so that drawing to it gives what the CPU would write. */
function isPlain(storage: TextureImage['storage']): boolean {
  return (storage.bind & BIND.RENDER_TARGET) !== 0 && storage.clientFormat === linearFormat(storage.format);
}

/** Pixels of a source in its own client format. */
export interface StagedPixels {
  readonly format: AttachedImage['storage']['clientFormat'];
  readonly data: Uint8Array;
}

export function stagePixels(context: Context, source: AttachedImage, rect: ClippedRect): StagedPixels | null {
  const format = source.storage.clientFormat;
  const data = readTight(context, source, rect, format);
  return data && { format, data };
}

export function storeStaged(
  context: Context,
  call: string,
  staged: StagedPixels,
  image: TextureImage,
  x: number,
  y: number,
  z: number,
  width: number,
  height: number,
): void {
  const target = image.storage.clientFormat;
  const stride = rowBytes(target, width);
  let { data } = staged;
  if (staged.format !== target) {
    data = new Uint8Array(stride * height);
    convertPixels(
      target,
      data,
      0,
      stride,
      staged.format,
      staged.data,
      0,
      rowBytes(staged.format, width),
      width,
      height,
    );
  }
  const box = { x, y, z: z + image.resourceLayer, width, height, depth: 1 };
  reportStatus(
    context,
    call,
    context.pipe.textureSubdata(image.resource!, image.resourceLevel, box, data, stride, stride * height),
  );
}

/** `rect` lies inside of the source, the box at (x, y, z) inside of the image, and they are of one numeric class. */
export function copyPixels(
  context: Context,
  call: string,
  source: AttachedImage,
  rect: ClippedRect,
  image: TextureImage,
  x: number,
  y: number,
  z: number,
): void {
  const { resource, storage } = image;
  if (!resource) return;
  const { width, height } = rect;
  const sourceBox = { x: rect.x, y: rect.y, z: source.layer, width, height, depth: 1 };
  const layer = z + image.resourceLayer;
  if (resource !== source.resource) {
    if (resource.format === source.resource.format && storage.clientFormat === source.storage.clientFormat) {
      const status = context.pipe.copyRegion(
        resource,
        image.resourceLevel,
        x,
        y,
        layer,
        source.resource,
        source.level,
        sourceBox,
      );
      reportStatus(context, call, status);
      return;
    }
    // The copy moves encoded values: source and destination agree in their colour space (§3.8.5).
    if (isPlain(storage) && isPlain(source.storage)) {
      const status = context.pipe.blit({
        source: {
          resource: source.resource,
          level: source.level,
          box: sourceBox,
          format: linearFormat(source.resource.format),
        },
        destination: {
          resource,
          level: image.resourceLevel,
          box: { x, y, z: layer, width, height, depth: 1 },
          format: linearFormat(resource.format),
        },
        mask: BLIT.COLOR,
        filter: 'nearest',
        scissor: null,
        followsRenderCondition: false,
      });
      reportStatus(context, call, status);
      return;
    }
  }
  const staged = stagePixels(context, source, rect);
  if (staged) storeStaged(context, call, staged, image, x, y, z, width, height);
  else outOfMemory(context, call, 'the framebuffer could not be read');
}
