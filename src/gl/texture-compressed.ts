// compressedTexImage2D / 3D and compressedTexSubImage2D / 3D (ES 3.0.6 §3.8.6, and each family's extension).

import { decodeCompressed, decodedFormat } from '../format/compressed/decode.ts';
import { convertPixels } from '../format/convert.ts';
import {
  blockColumns,
  blockRows,
  type Format,
  formatDescription,
  imageBytes,
  isCompressed,
  linearFormat,
  rowBytes,
} from '../format/format.ts';
import { isBoundForFeedback } from './buffer-data.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { invalidEnum, invalidOperation, invalidValue, outOfMemory } from './errors.ts';
import type { CompressedFamily, InternalFormatRow } from './gl-formats.table.ts';
import { isCompressedInternalFormat } from './gl-formats.ts';
import { withSourceBytes } from './pixel-transfer.ts';
import { type ImageTarget, imageTarget2D, imageTarget3D } from './texture.ts';
import { checkLevel, checkSize, subImage } from './texture-image.ts';
import type { Texture, TextureImage } from './texture-object.ts';
import { checkMutable } from './texture-parameter.ts';
import { defineImage } from './texture-storage.ts';

/** Bytes of blocks, or the offset of blocks in the bound pixel unpack buffer. */
export type CompressedSource = Uint8Array | number;

interface FamilyRules {
  /** May be layers of TEXTURE_2D_ARRAY. */
  readonly array: boolean;
  /** Parts may be replaced. */
  readonly subImage: 'blocks' | 'whole' | 'never';
  /** WebGL's rule for sizes at level 0. */
  readonly webglSize: 'any' | 'blocks' | 'powerOfTwo';
}

const FAMILIES: Readonly<Record<CompressedFamily, FamilyRules>> = {
  etc1: { array: false, subImage: 'never', webglSize: 'any' },
  etc2: { array: true, subImage: 'blocks', webglSize: 'any' },
  s3tc: { array: true, subImage: 'blocks', webglSize: 'blocks' },
  astc: { array: true, subImage: 'blocks', webglSize: 'any' },
  bptc: { array: true, subImage: 'blocks', webglSize: 'blocks' },
  rgtc: { array: true, subImage: 'blocks', webglSize: 'blocks' },
  pvrtc: { array: false, subImage: 'whole', webglSize: 'powerOfTwo' },
};

/** The compressed pipe format whose blocks the client hands in. */
function clientBlocks(row: InternalFormatRow): Format {
  return row.candidates[0]!.format;
}

/** Bytes that an image of a compressed format has. */
function compressedBytes(row: InternalFormatRow, width: number, height: number, depth: number): number {
  const format = clientBlocks(row);
  if (row.compressed !== 'pvrtc') return imageBytes(format, width, height) * depth;
  // PVRTC images have at least 2 × 2 blocks (IMG_texture_compression_pvrtc).
  const { blockBytes } = formatDescription(format);
  return Math.max(blockColumns(format, width), 2) * Math.max(blockRows(format, height), 2) * blockBytes * depth;
}

/** Targets and sizes that a family allows. False after an error. */
export function checkCompressedTarget(
  context: Context,
  call: string,
  row: InternalFormatRow,
  target: number,
  level: number,
  width: number,
  height: number,
): boolean {
  const rules = FAMILIES[row.compressed!];
  if (target === GL.TEXTURE_3D || (target === GL.TEXTURE_2D_ARRAY && !rules.array)) {
    invalidOperation(context, call, `${row.name} can't be used with this target`);
    return false;
  }
  const isPowerOfTwo = (width & (width - 1)) === 0 && (height & (height - 1)) === 0;
  if (rules.webglSize === 'powerOfTwo') {
    if (context.rules.webgl) {
      // The extension's text asks for INVALID_VALUE; WebGL's suite says otherwise, and wants 4 texels at least.
      if (isPowerOfTwo && (level > 0 || (width >= 4 && height >= 4))) return true;
      invalidOperation(context, call, `${row.name} needs sizes that are powers of two, at level 0 from 4`);
      return false;
    }
    if (!isPowerOfTwo) {
      invalidValue(context, call, `${row.name} needs sizes that are powers of two`);
      return false;
    }
  }
  if (context.rules.webgl && rules.webglSize === 'blocks') {
    // The base level that the size implies must be made of whole blocks.
    const fits = (size: number): boolean => (size * 2 ** level) % 4 === 0;
    if (!fits(width) || !fits(height)) {
      invalidOperation(context, call, `level 0 of ${width} × ${height} at level ${level} is not made of whole blocks`);
      return false;
    }
  }
  return true;
}

/** An offset needs a pixel unpack buffer, client memory none. False after an error. */
function checkSourceKind(context: Context, call: string, source: CompressedSource): boolean {
  const buffer = context.pixelUnpackBuffer;
  if ((buffer !== null) === (typeof source === 'number')) return true;
  invalidOperation(context, call, buffer ? 'a pixel unpack buffer is bound' : 'no pixel unpack buffer is bound');
  return false;
}

/** Checks the bytes that compressed data come from. False after an error. */
function checkSource(context: Context, call: string, source: CompressedSource, needed: number): boolean {
  const buffer = context.pixelUnpackBuffer;
  if (typeof source === 'number') {
    if (buffer!.mapping) invalidOperation(context, call, 'the pixel unpack buffer is mapped');
    else if (context.rules.feedbackLoopIsError && isBoundForFeedback(context, buffer!))
      invalidOperation(context, call, 'the pixel unpack buffer is bound for transform feedback');
    else if (source + needed > buffer!.size) invalidOperation(context, call, 'the pixel unpack buffer is too small');
    else return true;
    return false;
  }
  if (source.byteLength >= needed) return true;
  invalidValue(context, call, `${source.byteLength} bytes were given where ${needed} are needed`);
  return false;
}

function writeBlocks(
  context: Context,
  call: string,
  image: TextureImage,
  x: number,
  y: number,
  z: number,
  width: number,
  height: number,
  depth: number,
  source: CompressedSource,
): void {
  const { resource, storage } = image;
  if (!resource || width === 0 || height === 0 || depth === 0) return;
  const format = clientBlocks(image.row);
  const stride =
    image.row.compressed === 'pvrtc'
      ? Math.max(blockColumns(format, width), 2) * formatDescription(format).blockBytes
      : rowBytes(format, width);
  const layerStride = compressedBytes(image.row, width, height, 1);
  const box = { x, y, z: z + image.resourceLayer, width, height, depth };
  const written = withSourceBytes(context, source, layerStride * depth, (bytes) => {
    // ETC1 blocks are valid ETC2 blocks, so both kinds of compressed storage take the bytes as they are.
    if (isCompressed(storage.format))
      return (
        context.pipe.textureSubdata(
          resource,
          image.resourceLevel,
          box,
          bytes.subarray(0, layerStride * depth),
          stride,
          layerStride,
        ) === 'ok'
      );
    const decoded = decodedFormat(format);
    if (!decoded)
      throw new Error(`${call}: ${context.screen.name} can't store ${format}, and there is no decoder for it`);
    const decodedStride = rowBytes(decoded, width);
    const texels = new Uint8Array(decodedStride * height);
    const target = storage.clientFormat;
    const targetStride = rowBytes(target, width);
    const converted = new Uint8Array(targetStride * height * depth);
    for (let slice = 0; slice < depth; slice++) {
      decodeCompressed(format, bytes.subarray(slice * layerStride), stride, width, height, texels, 0, decodedStride);
      convertPixels(
        target,
        converted,
        slice * targetStride * height,
        targetStride,
        linearFormat(decoded),
        texels,
        0,
        decodedStride,
        width,
        height,
      );
    }
    return (
      context.pipe.textureSubdata(
        resource,
        image.resourceLevel,
        box,
        converted,
        targetStride,
        targetStride * height,
      ) === 'ok'
    );
  });
  if (!written) outOfMemory(context, call, 'the blocks could not be stored');
}

/** Gives new storage what blocks of zeros mean, where texels are kept in their place: for ASTC that is the error colour. */
export function writeZeroBlocks(context: Context, call: string, texture: Texture): void {
  for (const levels of texture.images)
    for (const image of levels) {
      if (!image?.row.compressed || isCompressed(image.storage.format)) continue;
      const { width, height, depth, row } = image;
      const zeros = new Uint8Array(compressedBytes(row, width, height, depth));
      writeBlocks(context, call, image, 0, 0, 0, width, height, depth, zeros);
    }
}

function compressedTexImage(
  context: Context,
  call: string,
  { texture, face }: ImageTarget,
  level: number,
  internalFormat: number,
  width: number,
  height: number,
  depth: number,
  border: number,
  imageSize: number,
  source: CompressedSource | null,
): void {
  const row = isCompressedInternalFormat(context, internalFormat);
  if (!row) return invalidEnum(context, call, 'internalformat', internalFormat);
  if (!checkLevel(context, call, texture, level)) return;
  if (!checkSize(context, call, texture, level, width, height, depth)) return;
  if (border !== 0) return invalidValue(context, call, `border ${border} is not 0`);
  if (source !== null && !checkSourceKind(context, call, source)) return;
  const needed = compressedBytes(row, width, height, depth);
  if (imageSize !== needed) return invalidValue(context, call, `the image has ${needed} bytes, not ${imageSize}`);
  if (!checkCompressedTarget(context, call, row, texture.target, level, width, height)) return;
  if (!checkMutable(context, call, texture)) return;
  if (source !== null && !checkSource(context, call, source, needed)) return;
  const defined = defineImage(context, texture, face, level, internalFormat, row, width, height, depth);
  if (!defined) return outOfMemory(context, call, `no memory for ${width} × ${height} × ${depth} of ${row.name}`);
  if (source !== null) writeBlocks(context, call, defined.image, 0, 0, 0, width, height, depth, source);
}

export function compressedTexImage2D(
  context: Context,
  target: number,
  level: number,
  internalFormat: number,
  width: number,
  height: number,
  border: number,
  imageSize: number,
  source: CompressedSource | null,
): void {
  const call = 'compressedTexImage2D';
  const place = imageTarget2D(context, call, target);
  if (place)
    compressedTexImage(context, call, place, level, internalFormat, width, height, 1, border, imageSize, source);
}

export function compressedTexImage3D(
  context: Context,
  target: number,
  level: number,
  internalFormat: number,
  width: number,
  height: number,
  depth: number,
  border: number,
  imageSize: number,
  source: CompressedSource | null,
): void {
  const call = 'compressedTexImage3D';
  const place = imageTarget3D(context, call, target);
  if (place)
    compressedTexImage(context, call, place, level, internalFormat, width, height, depth, border, imageSize, source);
}

function compressedTexSubImage(
  context: Context,
  call: string,
  place: ImageTarget,
  level: number,
  x: number,
  y: number,
  z: number,
  width: number,
  height: number,
  depth: number,
  format: number,
  imageSize: number,
  source: CompressedSource,
): void {
  const row = isCompressedInternalFormat(context, format);
  if (!row) return invalidEnum(context, call, 'format', format);
  const image = subImage(context, call, place, level, x, y, z, width, height, depth);
  if (!image) return;
  if (image.internalFormat !== format)
    return invalidOperation(context, call, `the image is ${image.row.name}, not ${row.name}`);
  const rules = FAMILIES[row.compressed!];
  if (rules.subImage === 'never') return invalidOperation(context, call, `${row.name} images can't be changed in part`);
  const { blockWidth, blockHeight } = formatDescription(clientBlocks(row));
  const isWhole = x === 0 && y === 0 && width === image.width && height === image.height;
  const isAligned =
    x % blockWidth === 0 &&
    y % blockHeight === 0 &&
    (width % blockWidth === 0 || x + width === image.width) &&
    (height % blockHeight === 0 || y + height === image.height);
  if (!isWhole && (rules.subImage === 'whole' || !isAligned))
    return invalidOperation(context, call, 'the box is not made of whole blocks');
  if (!checkSourceKind(context, call, source)) return;
  const needed = compressedBytes(row, width, height, depth);
  if (imageSize !== needed) return invalidValue(context, call, `the box has ${needed} bytes, not ${imageSize}`);
  if (!checkSource(context, call, source, needed)) return;
  writeBlocks(context, call, image, x, y, z, width, height, depth, source);
}

export function compressedTexSubImage2D(
  context: Context,
  target: number,
  level: number,
  x: number,
  y: number,
  width: number,
  height: number,
  format: number,
  imageSize: number,
  source: CompressedSource,
): void {
  const call = 'compressedTexSubImage2D';
  const place = imageTarget2D(context, call, target);
  if (place) compressedTexSubImage(context, call, place, level, x, y, 0, width, height, 1, format, imageSize, source);
}

export function compressedTexSubImage3D(
  context: Context,
  target: number,
  level: number,
  x: number,
  y: number,
  z: number,
  width: number,
  height: number,
  depth: number,
  format: number,
  imageSize: number,
  source: CompressedSource,
): void {
  const call = 'compressedTexSubImage3D';
  const place = imageTarget3D(context, call, target);
  if (place)
    compressedTexSubImage(context, call, place, level, x, y, z, width, height, depth, format, imageSize, source);
}
