// Textures from images, with glmark2's defaults: rows from the bottom, clamped to the edge.

import type { Gl } from '../scene.ts';
import type { TextureImage } from '../textures/texture-image.ts';

export interface TextureOptions {
  readonly minFilter?: number;
  readonly magFilter?: number;
  readonly isRepeated?: boolean;
}

const isPowerOfTwo = (size: number) => (size & (size - 1)) === 0;

/** WebGL 1 has neither mipmaps nor repetition for sizes other than powers of two: nearest legal filter. */
export function legalMinFilter(gl: Gl, filter: number, width: number, height: number): number {
  const isMipmapped = filter !== gl.NEAREST && filter !== gl.LINEAR;
  if (!isMipmapped || 'texStorage2D' in gl || (isPowerOfTwo(width) && isPowerOfTwo(height))) return filter;
  return gl.LINEAR;
}

export function setFilters(gl: Gl, minFilter: number, magFilter: number, wrap: number): void {
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, minFilter);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, magFilter);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, wrap);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, wrap);
}

export function createTexture(gl: Gl, image: TextureImage, options: TextureOptions = {}): WebGLTexture {
  const { width, height, channels, data } = image;
  const { minFilter = gl.NEAREST, magFilter = gl.NEAREST, isRepeated = false } = options;
  const texture = gl.createTexture()!;
  const format = channels === 3 ? gl.RGB : gl.RGBA;
  const min = legalMinFilter(gl, minFilter, width, height);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  setFilters(gl, min, magFilter, isRepeated ? gl.REPEAT : gl.CLAMP_TO_EDGE);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.texImage2D(gl.TEXTURE_2D, 0, format, width, height, 0, format, gl.UNSIGNED_BYTE, data);
  if (min !== gl.NEAREST && min !== gl.LINEAR) gl.generateMipmap(gl.TEXTURE_2D);
  return texture;
}
