// texImage2D / 3D and texSubImage2D / 3D (ES 2.0.25 §3.7, ES 3.0.6 §3.8.3, §3.8.5), with WebGL's rules where they differ.

import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { invalidEnum, invalidOperation, invalidValue, outOfMemory } from './errors.ts';
import type { InternalFormatRow } from './gl-formats.table.ts';
import {
  findSubTransfer,
  findTransfer,
  internalFormatRow,
  isDepthRow,
  isTextureInternalFormat,
  isTransferFormat,
  isTransferType,
} from './gl-formats.ts';
import { clientPixels, type PixelSource, writePixels, zeroImage } from './pixel-transfer.ts';
import { type ImageTarget, imageTarget2D, imageTarget3D } from './texture.ts';
import type { Texture, TextureImage } from './texture-object.ts';
import { checkMutable } from './texture-parameter.ts';
import { defineImage } from './texture-storage.ts';

/** Largest size of level 0 of a texture's target. */
function maxSize(context: Context, texture: Texture): number {
  const { maxTextureSize, maxCubeMapTextureSize, max3dTextureSize } = context.limits;
  if (texture.target === GL.TEXTURE_CUBE_MAP) return maxCubeMapTextureSize;
  return texture.target === GL.TEXTURE_3D ? max3dTextureSize : maxTextureSize;
}

/** INVALID_VALUE for a level that this target can't have. */
export function checkLevel(context: Context, call: string, texture: Texture, level: number): boolean {
  if (level >= 0 && level <= 31 - Math.clz32(maxSize(context, texture))) return true;
  invalidValue(context, call, `level ${level} does not exist`);
  return false;
}

/** INVALID_VALUE for sizes that a level can't have. */
export function checkSize(
  context: Context,
  call: string,
  texture: Texture,
  level: number,
  width: number,
  height: number,
  depth: number,
): boolean {
  if (width < 0 || height < 0 || depth < 0) {
    invalidValue(context, call, 'the size is negative');
    return false;
  }
  const largest = maxSize(context, texture) >> level;
  const largestDepth =
    texture.target === GL.TEXTURE_2D_ARRAY ? context.limits.maxArrayTextureLayers : Math.max(largest, 1);
  if (width > largest || height > largest || depth > largestDepth) {
    invalidValue(context, call, `${width} × ${height} × ${depth} exceeds the largest size of level ${level}`);
    return false;
  }
  if (texture.target === GL.TEXTURE_CUBE_MAP && width !== height) {
    invalidValue(context, call, `the faces of cube maps are square, not ${width} × ${height}`);
    return false;
  }
  const isPowerOfTwo = (width & (width - 1)) === 0 && (height & (height - 1)) === 0;
  if (context.version === 2 && level > 0 && !isPowerOfTwo && !context.extensions.has('OES_texture_npot')) {
    invalidValue(context, call, 'mip levels must be powers of two in size (ES 2.0.25 §3.7.1)');
    return false;
  }
  return true;
}

/** The sized format of an upload, after the checks of the three enums. Undefined after an error. */
function effectiveRow(
  context: Context,
  call: string,
  internalFormat: number,
  format: number,
  type: number,
): InternalFormatRow | undefined {
  if (!isTransferFormat(context, format)) return invalidEnum(context, call, 'format', format);
  if (!isTransferType(context, type)) return invalidEnum(context, call, 'type', type);
  if (!isTextureInternalFormat(context, internalFormat))
    return invalidValue(context, call, `internal format 0x${internalFormat.toString(16)} is not accepted`);
  const transfer = findTransfer(context, internalFormat, format, type);
  if (!transfer) return invalidOperation(context, call, 'internal format, format and type do not go together');
  return internalFormatRow(transfer.effective);
}

/** Depth formats are limited to some targets; OES_depth_texture to 2D level 0, and WebGL to images without data. */
function checkDepthUse(
  context: Context,
  call: string,
  row: InternalFormatRow,
  texture: Texture,
  level: number,
  hasPixels: boolean,
): boolean {
  if (!isDepthRow(row)) return true;
  if (texture.target === GL.TEXTURE_3D) {
    invalidOperation(context, call, '3D textures have no depth formats');
    return false;
  }
  if (context.version === 3) return true;
  if (texture.target !== GL.TEXTURE_2D || level !== 0 || (hasPixels && context.rules.webgl)) {
    invalidOperation(context, call, 'depth textures are TEXTURE_2D, have level 0 only and take no pixels in WebGL');
    return false;
  }
  return true;
}

function texImage(
  context: Context,
  call: string,
  { texture, face }: ImageTarget,
  is3d: boolean,
  level: number,
  internalFormat: number,
  width: number,
  height: number,
  depth: number,
  border: number,
  format: number,
  type: number,
  source: PixelSource,
): void {
  const row = effectiveRow(context, call, internalFormat, format, type);
  if (!row) return;
  if (!checkLevel(context, call, texture, level)) return;
  if (!checkSize(context, call, texture, level, width, height, depth)) return;
  if (border !== 0) return invalidValue(context, call, `border ${border} is not 0`);
  if (!checkDepthUse(context, call, row, texture, level, source !== null)) return;
  if (!checkMutable(context, call, texture)) return;
  const client = clientPixels(context, call, source, format, type, width, height, depth, is3d);
  if (client === undefined) return;
  const defined = defineImage(context, texture, face, level, internalFormat, row, width, height, depth);
  if (!defined) return outOfMemory(context, call, `no memory for ${width} × ${height} × ${depth} of ${row.name}`);
  const { image, reused } = defined;
  if (client) writePixels(context, call, image, 0, 0, 0, width, height, depth, client);
  else if (reused && !zeroImage(context, image)) outOfMemory(context, call, 'the image could not be cleared');
}

export function texImage2D(
  context: Context,
  target: number,
  level: number,
  internalFormat: number,
  width: number,
  height: number,
  border: number,
  format: number,
  type: number,
  source: PixelSource,
): void {
  const place = imageTarget2D(context, 'texImage2D', target);
  if (place)
    texImage(
      context,
      'texImage2D',
      place,
      false,
      level,
      internalFormat,
      width,
      height,
      1,
      border,
      format,
      type,
      source,
    );
}

export function texImage3D(
  context: Context,
  target: number,
  level: number,
  internalFormat: number,
  width: number,
  height: number,
  depth: number,
  border: number,
  format: number,
  type: number,
  source: PixelSource,
): void {
  const place = imageTarget3D(context, 'texImage3D', target);
  if (place)
    texImage(
      context,
      'texImage3D',
      place,
      true,
      level,
      internalFormat,
      width,
      height,
      depth,
      border,
      format,
      type,
      source,
    );
}

/** The image of a sub-image call, after the checks of level and box. Undefined after an error. */
export function subImage(
  context: Context,
  call: string,
  { texture, face }: ImageTarget,
  level: number,
  x: number,
  y: number,
  z: number,
  width: number,
  height: number,
  depth: number,
): TextureImage | undefined {
  if (!checkLevel(context, call, texture, level)) return undefined;
  if (width < 0 || height < 0 || depth < 0) return invalidValue(context, call, 'the size is negative');
  if (x < 0 || y < 0 || z < 0) return invalidValue(context, call, 'the offset is negative');
  const image = texture.image(face, level);
  if (!image) return invalidOperation(context, call, `level ${level} has no image`);
  if (x + width > image.width || y + height > image.height || z + depth > image.depth)
    return invalidValue(
      context,
      call,
      `the box reaches beyond the image of ${image.width} × ${image.height} × ${image.depth}`,
    );
  return image;
}

function texSubImage(
  context: Context,
  call: string,
  place: ImageTarget,
  is3d: boolean,
  level: number,
  x: number,
  y: number,
  z: number,
  width: number,
  height: number,
  depth: number,
  format: number,
  type: number,
  source: PixelSource,
): void {
  if (!isTransferFormat(context, format)) return invalidEnum(context, call, 'format', format);
  if (!isTransferType(context, type)) return invalidEnum(context, call, 'type', type);
  const image = subImage(context, call, place, level, x, y, z, width, height, depth);
  if (!image) return;
  if (image.row.compressed) return invalidOperation(context, call, 'the image is compressed');
  const transfer = findSubTransfer(context, image.internalFormat, image.row.internalFormat, format, type);
  // WebGL 1 §5.14.8: the type must be the one that the image was defined with.
  const isOtherType = context.rules.webgl && context.version === 2 && transfer?.effective !== image.row.internalFormat;
  if (!transfer || isOtherType)
    return invalidOperation(context, call, `format and type do not fit an image of ${image.row.name}`);
  if (!checkDepthUse(context, call, image.row, place.texture, level, true)) return;
  if (source === null && context.pixelUnpackBuffer === null) {
    // WebGL calls null pixels an error; in GLES a null pointer is the application's fault and nothing is read.
    if (context.rules.webgl) invalidValue(context, call, 'there are no pixels');
    return;
  }
  const client = clientPixels(context, call, source, format, type, width, height, depth, is3d);
  if (client) writePixels(context, call, image, x, y, z, width, height, depth, client);
}

export function texSubImage2D(
  context: Context,
  target: number,
  level: number,
  x: number,
  y: number,
  width: number,
  height: number,
  format: number,
  type: number,
  source: PixelSource,
): void {
  const place = imageTarget2D(context, 'texSubImage2D', target);
  if (place)
    texSubImage(context, 'texSubImage2D', place, false, level, x, y, 0, width, height, 1, format, type, source);
}

export function texSubImage3D(
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
  type: number,
  source: PixelSource,
): void {
  const place = imageTarget3D(context, 'texSubImage3D', target);
  if (place)
    texSubImage(context, 'texSubImage3D', place, true, level, x, y, z, width, height, depth, format, type, source);
}
