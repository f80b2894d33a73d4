// Client pixels on their way in: where an upload's bytes lie (pixel store parameters, unpack buffer, image objects),
// whether there are enough of them, and their conversion to what an image is stored as (ES 3.0.6 §3.7, §3.8.3).

import { bytesOf } from '../base/bytes-of.ts';
import { convertPixels } from '../format/convert.ts';
import { blockBytes, type Format, formatDescription, rowBytes } from '../format/format.ts';
import { packRgba } from '../format/pack.ts';
import { unpackRgba } from '../format/unpack.ts';
import { type Box, MAP } from '../pipe/defines.ts';
import { isBoundForFeedback } from './buffer-data.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { invalidOperation, invalidValue, outOfMemory } from './errors.ts';
import { pixelLayout } from './gl-formats.ts';
import type { PixelStoreState } from './state.ts';
import type { TextureImage } from './texture-object.ts';

/** A picture that an API face decoded: RGBA, 8 bits, first row = top. */
export interface ImagePixels {
  readonly data: Uint8Array | Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  readonly premultiplied: boolean;
}

/** A source that a face could not make sense of: an INVALID_OPERATION, told in its place among a call's checks. */
export interface UnusablePixels {
  readonly problem: string;
}

/** Client memory, a byte offset into the bound pixel unpack buffer, a picture, or nothing. */
export type PixelSource = Uint8Array | number | ImagePixels | UnusablePixels | null;

/** How a block of pixels lies in memory, by pixel store parameters. Bytes. */
export interface PixelBlock {
  readonly start: number;
  readonly stride: number;
  readonly layerStride: number;
  /** Bytes from the start of memory to the end of the last pixel. */
  readonly end: number;
}

/** ES 3.0.6 §3.7.2 and §4.3.2: image height and skipped images count for 3D only. */
export function pixelBlock(
  store: PixelStoreState,
  pixelBytes: number,
  width: number,
  height: number,
  depth: number,
  is3d: boolean,
): PixelBlock {
  const rowPixels = store.rowLength > 0 ? store.rowLength : width;
  const stride = Math.ceil((rowPixels * pixelBytes) / store.alignment) * store.alignment;
  const layerStride = stride * (is3d && store.imageHeight > 0 ? store.imageHeight : height);
  const start = (is3d ? store.skipImages * layerStride : 0) + store.skipRows * stride + store.skipPixels * pixelBytes;
  const isEmpty = width === 0 || height === 0 || depth === 0;
  const end = isEmpty ? 0 : start + (depth - 1) * layerStride + (height - 1) * stride + width * pixelBytes;
  return { start, stride, layerStride, end };
}

/** Bytes of the elements of a type: offsets into pixel buffers are multiples of it (ES 3.0.6 §3.7.1). */
export function typeBytes(type: number): number {
  switch (type) {
    case GL.UNSIGNED_BYTE:
    case GL.BYTE:
      return 1;
    case GL.UNSIGNED_SHORT:
    case GL.SHORT:
    case GL.HALF_FLOAT:
    case GL.HALF_FLOAT_OES:
    case GL.UNSIGNED_SHORT_5_6_5:
    case GL.UNSIGNED_SHORT_4_4_4_4:
    case GL.UNSIGNED_SHORT_5_5_5_1:
    case GL.UNSIGNED_SHORT_4_4_4_4_REV_EXT:
    case GL.UNSIGNED_SHORT_1_5_5_5_REV_EXT:
      return 2;
    default:
      return 4;
  }
}

/** WebGL's constraint on pixel store parameters: rows and images never overlap (WebGL 2, "Pixel store parameter constraints"). */
export function fitsDataStore(store: PixelStoreState, width: number, height: number, is3d: boolean): boolean {
  if (store.skipPixels + width > (store.rowLength || width)) return false;
  return !is3d || store.skipRows + height <= (store.imageHeight || height);
}

type AlphaOperation = 'none' | 'multiply' | 'divide';

/** A validated source, ready to be written into an image. */
export interface ClientPixels {
  /** Bytes, or the offset in the unpack buffer. */
  readonly memory: Uint8Array | number;
  readonly layout: Format;
  readonly block: PixelBlock;
  readonly flipY: boolean;
  readonly alpha: AlphaOperation;
}

function isPicture(source: Exclude<PixelSource, UnusablePixels>): source is ImagePixels {
  return source !== null && typeof source === 'object' && !(source instanceof Uint8Array);
}

function isUnusable(source: PixelSource): source is UnusablePixels {
  return source !== null && typeof source === 'object' && 'problem' in source;
}

function isIntegerFormat(format: number): boolean {
  return (
    format === GL.RED_INTEGER || format === GL.RG_INTEGER || format === GL.RGB_INTEGER || format === GL.RGBA_INTEGER
  );
}

/** Types that pictures convert to (WebGL 2 §3.7.6, the table of formats for TexImageSource). */
const PICTURE_TYPES: ReadonlySet<number> = new Set<number>([
  GL.UNSIGNED_BYTE,
  GL.UNSIGNED_SHORT_5_6_5,
  GL.UNSIGNED_SHORT_4_4_4_4,
  GL.UNSIGNED_SHORT_5_5_5_1,
  GL.UNSIGNED_INT_2_10_10_10_REV,
  GL.UNSIGNED_INT_10F_11F_11F_REV,
  GL.UNSIGNED_INT_5_9_9_9_REV,
  GL.HALF_FLOAT,
  GL.HALF_FLOAT_OES,
  GL.FLOAT,
]);

/**
 * The part of a picture that is uploaded. UNPACK_FLIP_Y turns the whole picture before the part is taken, so rows then go
 * backwards in memory. Alignment and row length are the picture's own. Null: the part reaches beyond the picture.
 */
function pictureBlock(
  { unpack, webglUnpack }: Context,
  picture: ImagePixels,
  width: number,
  height: number,
  depth: number,
  is3d: boolean,
): PixelBlock | null {
  const layerRows = is3d && unpack.imageHeight > 0 ? unpack.imageHeight : height;
  const firstRow = unpack.skipRows + (is3d ? unpack.skipImages * layerRows : 0);
  const isEmpty = width === 0 || height === 0 || depth === 0;
  const rows = firstRow + (depth - 1) * layerRows + height;
  const pixels = Math.min(picture.data.byteLength / 4, picture.width * picture.height);
  if (!isEmpty && (unpack.skipPixels + width > picture.width || rows * picture.width > pixels)) return null;
  const stride = picture.width * 4;
  const skipped = unpack.skipPixels * 4;
  if (!webglUnpack.flipY) {
    const start = firstRow * stride + skipped;
    return {
      start,
      stride,
      layerStride: layerRows * stride,
      end: isEmpty ? start : (rows - 1) * stride + skipped + width * 4,
    };
  }
  const start = (picture.height - 1 - firstRow) * stride + skipped;
  return { start, stride: -stride, layerStride: -layerRows * stride, end: isEmpty ? start : start + width * 4 };
}

/**
 * Checks an upload's source. Undefined: an error was recorded. Null: there is nothing to upload.
 * WebGL's flips and alpha rules (WebGL 1 §5.14.8) apply to memory and pictures.
 */
export function clientPixels(
  context: Context,
  call: string,
  source: PixelSource,
  format: number,
  type: number,
  width: number,
  height: number,
  depth: number,
  is3d: boolean,
): ClientPixels | null | undefined {
  const { unpack, webglUnpack, pixelUnpackBuffer } = context;
  const isWebgl = context.rules.webgl;
  const flipY = isWebgl && webglUnpack.flipY;
  const premultiply = isWebgl && webglUnpack.premultiplyAlpha;

  if (pixelUnpackBuffer !== null && typeof source !== 'number')
    return invalidOperation(
      context,
      call,
      'a buffer is bound to PIXEL_UNPACK_BUFFER, so pixels must be an offset into it',
    );
  if (source === null) return null;
  if (isUnusable(source)) return invalidOperation(context, call, source.problem);

  if (isPicture(source)) {
    const isColor = format !== GL.DEPTH_COMPONENT && format !== GL.DEPTH_STENCIL;
    if (!isColor || !PICTURE_TYPES.has(type) || (isIntegerFormat(format) && type !== GL.UNSIGNED_BYTE))
      return invalidValue(context, call, 'pictures do not convert to this format and type');
    const block = pictureBlock(context, source, width, height, depth, is3d);
    if (!block) return invalidOperation(context, call, `the picture is smaller than ${width} × ${height} × ${depth}`);
    const { data, premultiplied } = source;
    return {
      memory: bytesOf(data),
      layout: isIntegerFormat(format) ? 'R8G8B8A8_UINT' : 'R8G8B8A8_UNORM',
      block,
      flipY: false,
      alpha: premultiplied === premultiply ? 'none' : premultiply ? 'multiply' : 'divide',
    };
  }

  const layout = pixelLayout(format, type)?.layout;
  if (!layout)
    throw new Error(`${call}: no memory layout for format 0x${format.toString(16)}, type 0x${type.toString(16)}`);
  const block = pixelBlock(unpack, blockBytes(layout), width, height, depth, is3d);
  if (isWebgl && (flipY || premultiply) && (is3d || typeof source === 'number'))
    return invalidOperation(context, call, 'UNPACK_FLIP_Y_WEBGL and UNPACK_PREMULTIPLY_ALPHA_WEBGL must be off here');
  if (isWebgl && !fitsDataStore(unpack, width, height, is3d))
    return invalidOperation(
      context,
      call,
      'the skipped pixels or rows reach beyond UNPACK_ROW_LENGTH or UNPACK_IMAGE_HEIGHT',
    );

  if (typeof source === 'number') {
    if (pixelUnpackBuffer === null) return invalidOperation(context, call, 'no buffer is bound to PIXEL_UNPACK_BUFFER');
    if (pixelUnpackBuffer.mapping) return invalidOperation(context, call, 'the pixel unpack buffer is mapped');
    if (context.rules.feedbackLoopIsError && isBoundForFeedback(context, pixelUnpackBuffer))
      return invalidOperation(context, call, 'the pixel unpack buffer is bound for transform feedback');
    if (source % typeBytes(type) !== 0)
      return invalidOperation(context, call, `offset ${source} is no multiple of the type's size`);
    if (source + block.end > pixelUnpackBuffer.size)
      return invalidOperation(context, call, 'the pixel unpack buffer is too small');
  } else if (block.end > source.byteLength) {
    return invalidOperation(context, call, `${source.byteLength} bytes were given where ${block.end} are needed`);
  }
  return {
    memory: source,
    layout,
    block,
    flipY,
    alpha: premultiply && formatDescription(layout).hasAlpha ? 'multiply' : 'none',
  };
}

/** Calls `use` with the bytes of a source; `first` is where they begin. False: the buffer could not be mapped. */
export function withSourceBytes(
  context: Context,
  memory: Uint8Array | number,
  byteLength: number,
  use: (bytes: Uint8Array) => boolean,
): boolean {
  if (typeof memory !== 'number') return use(memory);
  const resource = context.pixelUnpackBuffer?.resource;
  if (!resource || byteLength === 0) return true;
  const box = { x: memory, y: 0, z: 0, width: byteLength, height: 1, depth: 1 };
  const transfer = context.pipe.transferMap(resource, 0, MAP.READ, box);
  if (!transfer) return false;
  // A copy: the mapping must end before the pipe is called again.
  const bytes = transfer.data.slice(0, byteLength);
  context.pipe.transferUnmap(transfer);
  return use(bytes);
}

let alphaRow = new Float32Array(0);

/** round(colour × alpha / 255): what the way by floats gives, in a quarter of its time; no product lies halfway between two bytes. */
export function premultiplyRgba8(bytes: Uint8Array, offset: number, width: number): void {
  for (let at = offset; at < offset + width * 4; at += 4) {
    const alpha = bytes[at + 3]!;
    if (alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++) {
      const product = bytes[channel]! * alpha + 128;
      bytes[channel] = (product + (product >> 8)) >> 8;
    }
  }
}

/** Multiplies or divides colour by alpha, in place, in the client's own format. */
function applyAlpha(layout: Format, bytes: Uint8Array, offset: number, width: number, operation: AlphaOperation): void {
  if (operation === 'multiply' && layout === 'R8G8B8A8_UNORM') return premultiplyRgba8(bytes, offset, width);
  if (alphaRow.length < width * 4) alphaRow = new Float32Array(width * 4);
  const row = alphaRow;
  unpackRgba(layout, row, 0, 0, bytes, offset, 0, width, 1);
  for (let i = 0; i < width * 4; i += 4) {
    const alpha = row[i + 3]!;
    const factor = operation === 'multiply' ? alpha : alpha === 0 ? 1 : 1 / alpha;
    row[i] = row[i]! * factor;
    row[i + 1] = row[i + 1]! * factor;
    row[i + 2] = row[i + 2]! * factor;
  }
  packRgba(layout, bytes, offset, 0, row, 0, 0, width, 1);
}

/** Rows that are turned over or whose alpha is applied go through this, a band at a time: it stays in the processor's cache. */
const BAND_BYTES = 1 << 18;
let bandMemory = new Uint8Array(0);

/** Rows [first, first + rows) of a slice as GL wants them, still in the client's format, at the start of `bandMemory`. */
function arrangeBand(
  { block, layout, flipY, alpha }: ClientPixels,
  bytes: Uint8Array,
  slice: number,
  first: number,
  rows: number,
  width: number,
  height: number,
): void {
  const stride = rowBytes(layout, width);
  for (let row = 0; row < rows; row++) {
    const y = first + row;
    const from = block.start + slice * block.layerStride + (flipY ? height - 1 - y : y) * block.stride;
    bandMemory.set(bytes.subarray(from, from + stride), row * stride);
    if (alpha !== 'none') applyAlpha(layout, bandMemory, row * stride, width, alpha);
  }
}

/** Writes pixels into a box of an image, whose place is known and whose size was checked. False: an error was recorded. */
export function writePixels(
  context: Context,
  call: string,
  image: TextureImage,
  x: number,
  y: number,
  z: number,
  width: number,
  height: number,
  depth: number,
  client: ClientPixels,
): boolean {
  if (!image.resource || width === 0 || height === 0 || depth === 0) return true;
  const { layout, block, flipY, alpha } = client;
  const box = { x, y, z: z + image.resourceLayer, width, height, depth };
  const written = withSourceBytes(context, client.memory, block.end, (bytes) => {
    if (!flipY && alpha === 'none' && block.stride >= 0) return writeBlock(context, image, box, layout, bytes, block);
    const stride = rowBytes(layout, width);
    const bandRows = Math.min(height, Math.max(1, Math.floor(BAND_BYTES / stride)));
    if (bandMemory.length < bandRows * stride) bandMemory = new Uint8Array(Math.max(bandRows * stride, BAND_BYTES));
    for (let slice = 0; slice < depth; slice++) {
      for (let first = 0; first < height; first += bandRows) {
        const rows = Math.min(bandRows, height - first);
        arrangeBand(client, bytes, slice, first, rows, width, height);
        const band = { ...box, y: y + first, z: box.z + slice, height: rows, depth: 1 };
        const place = { start: 0, stride, layerStride: stride * rows, end: stride * rows };
        if (!writeBlock(context, image, band, layout, bandMemory, place)) return false;
      }
    }
    return true;
  });
  if (!written) outOfMemory(context, call, 'the pixels could not be stored');
  return written;
}

/** Writes rows that stand in GL's order, converted to what the image takes. */
function writeBlock(
  context: Context,
  image: TextureImage,
  box: Readonly<Box>,
  layout: Format,
  bytes: Uint8Array,
  block: PixelBlock,
): boolean {
  const target = image.storage.clientFormat;
  const store = (data: Uint8Array, stride: number, layerStride: number): boolean =>
    context.pipe.textureSubdata(image.resource!, image.resourceLevel, box, data, stride, layerStride) === 'ok';
  if (layout === target) return store(bytes.subarray(block.start, block.end), block.stride, block.layerStride);
  const { width, height, depth } = box;
  const stride = rowBytes(target, width);
  const converted = new Uint8Array(stride * height * depth);
  for (let slice = 0; slice < depth; slice++) {
    const from = block.start + slice * block.layerStride;
    const to = slice * stride * height;
    convertPixels(target, converted, to, stride, layout, bytes, from, block.stride, width, height);
  }
  return store(converted, stride, stride * height);
}

/** Makes a whole image read as zero (as opaque black where alpha is not stored). */
export function zeroImage(context: Context, image: TextureImage): boolean {
  const { resource } = image;
  if (!resource) return true;
  const { isCompressed, blockHeight } = formatDescription(resource.format);
  const stride = rowBytes(resource.format, image.width);
  const rows = isCompressed ? Math.ceil(image.height / blockHeight) : image.height;
  // A band of rows a time, so that a large image does not need a second one of its size.
  const bandRows = Math.max(1, Math.min(rows, Math.floor((1 << 20) / Math.max(stride, 1))));
  const band = new Uint8Array(stride * bandRows);
  const texelRows = bandRows * (isCompressed ? blockHeight : 1);
  for (let z = 0; z < image.depth; z++) {
    for (let y = 0; y < image.height; y += texelRows) {
      const height = Math.min(texelRows, image.height - y);
      const box = { x: 0, y, z: z + image.resourceLayer, width: image.width, height, depth: 1 };
      if (context.pipe.textureSubdata(resource, image.resourceLevel, box, band, stride, band.length) !== 'ok')
        return false;
    }
  }
  return true;
}
