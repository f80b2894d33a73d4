// Pictures as sources of textures: ImageData and what looks like it, canvases of this package, and canvases by duck typing.

import { typedArrayName } from '../base/bytes-of.ts';
import { Canvas } from '../canvas/canvas.ts';
import type { Context as GlContext } from '../gl/context.ts';
import { outOfMemory } from '../gl/errors.ts';
import type { ImagePixels } from '../gl/pixel-transfer.ts';

interface ImageDataLike {
  readonly data: Uint8ClampedArray | Uint8Array;
  readonly width: number;
  readonly height: number;
}

function isImageData(value: object): value is ImageDataLike {
  const { data, width, height } = value as Partial<ImageDataLike>;
  if (typeof width !== 'number' || typeof height !== 'number') return false;
  const kind = typedArrayName(data);
  return kind === 'Uint8ClampedArray' || kind === 'Uint8Array';
}

interface Canvas2dLike {
  readonly width: number;
  readonly height: number;
  getContext(type: '2d'): { getImageData?(x: number, y: number, width: number, height: number): unknown } | null;
}

function isCanvas2d(value: object): value is Canvas2dLike {
  return typeof (value as Partial<Canvas2dLike>).getContext === 'function';
}

/** The pixels of a canvas that has a 2D context (node-canvas, @napi-rs/canvas, a browser's). */
function canvas2dPixels(canvas: Canvas2dLike, method: string): ImagePixels | null {
  const { width, height } = canvas;
  if (width === 0 || height === 0) return { data: new Uint8Array(0), width, height, premultiplied: false };
  const data = canvas.getContext('2d')?.getImageData?.(0, 0, width, height);
  return typeof data === 'object' && data !== null && isImageData(data)
    ? { ...plain(data, method), premultiplied: false }
    : null;
}

/** What the object says of itself, checked: nothing here is a browser's ImageData, whose sizes always fit. */
function plain({ data, width, height }: ImageDataLike, method: string): ImageDataLike {
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 0 || height < 0)
    throw new TypeError(`${method}: a picture of ${width} × ${height} pixels`);
  if (data.length < width * height * 4)
    throw new TypeError(
      `${method}: a picture of ${width} × ${height} pixels has ${width * height * 4} bytes of RGBA, not ${data.length}`,
    );
  return { data, width, height };
}

const NO_PIXELS: ImagePixels = { data: new Uint8Array(0), width: 0, height: 0, premultiplied: false };

/**
 * The picture in `source`; a TypeError for what is none, undefined after OUT_OF_MEMORY. With a buffer bound to PIXEL_UNPACK_BUFFER no picture may be given
 * at all (WebGL 2.0 §5.35): then its pixels are not looked for, and the upload raises the error.
 */
export function imagePixels(gl: GlContext, source: unknown, method: string, index: number): ImagePixels | undefined {
  if (gl.pixelUnpackBuffer !== null && typeof source === 'object' && source !== null) return NO_PIXELS;
  if (typeof source === 'object' && source !== null) {
    if (source instanceof Canvas)
      return source.sourcePixels() ?? outOfMemory(gl, method, `a picture of ${source.width} × ${source.height} pixels`);
    if (isImageData(source)) return { ...plain(source, method), premultiplied: false };
    const pixels = isCanvas2d(source) ? canvas2dPixels(source, method) : null;
    if (pixels) return pixels;
  }
  throw new TypeError(
    `${method}: argument ${index + 1} is no picture that can be read: give { data, width, height }, a canvas of this package, or a canvas with a 2D context`,
  );
}
