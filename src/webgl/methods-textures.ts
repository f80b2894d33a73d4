// WebGL 1: textures (WebGL 1 §5.14.8). The forms that WebGL 2 adds to a name stand here too.

import { copyTexImage2D, copyTexSubImage2D } from '../gl/copy-texture.ts';
import * as texture from '../gl/texture.ts';
import { texImage2D, texSubImage2D } from '../gl/texture-image.ts';
import { generateMipmap } from '../gl/texture-mipmap.ts';
import { getTexParameter, texParameter } from '../gl/texture-parameter.ts';
import { compressedImage2D, compressedSubImage2D } from './compressed-source.ts';
import { faceOf, glOf } from './context-base.ts';
import { unwrap, WebGLTexture, wrap } from './handles.ts';
import { imagePixels } from './image-source.ts';
import { UniformMethods } from './methods-uniforms.ts';
import { pixels1, pixels2 } from './pixel-source.ts';
import { isDeletable, isUsable } from './validity.ts';

/** Pixels of the forms with sizes: WebGL 2's also offsets and pictures. */
export type PixelArgument = ArrayBufferView | TexImageSource | number | null;

export abstract class TextureMethods extends UniformMethods {
  createTexture(): WebGLTexture {
    return wrap(WebGLTexture, faceOf(this), texture.createTexture(glOf(this)));
  }

  deleteTexture(object: WebGLTexture | null): void {
    if (isDeletable(faceOf(this), 'deleteTexture', object)) texture.deleteTexture(glOf(this), unwrap(object));
  }

  isTexture(object: WebGLTexture | null): boolean {
    return isUsable(faceOf(this), object) && texture.isTexture(unwrap(object));
  }

  activeTexture(unit: number): void {
    texture.activeTexture(glOf(this), unit);
  }

  bindTexture(target: number, object: WebGLTexture | null): void {
    texture.bindTexture(glOf(this), target, unwrap(object));
  }

  texParameterf(target: number, pname: number, param: number): void {
    texParameter(glOf(this), 'texParameterf', target, pname, param);
  }

  texParameteri(target: number, pname: number, param: number): void {
    texParameter(glOf(this), 'texParameteri', target, pname, param);
  }

  getTexParameter(target: number, pname: number): unknown {
    return getTexParameter(glOf(this), 'getTexParameter', target, pname) ?? null;
  }

  generateMipmap(target: number): void {
    generateMipmap(glOf(this), target);
  }

  texImage2D(
    target: number,
    level: number,
    internalFormat: number,
    format: number,
    type: number,
    source: TexImageSource,
  ): void;
  texImage2D(
    target: number,
    level: number,
    internalFormat: number,
    width: number,
    height: number,
    border: number,
    format: number,
    type: number,
    pixels: PixelArgument,
    srcOffset?: number,
  ): void;
  texImage2D(
    target: number,
    level: number,
    internalFormat: number,
    widthOrFormat: number,
    heightOrType: number,
    borderOrSource: number | TexImageSource,
    format?: number,
    type?: number,
    pixels?: PixelArgument,
    srcOffset?: number,
  ): void {
    const call = 'texImage2D';
    const face = faceOf(this);
    const gl = face.context;
    if (format === undefined || type === undefined) {
      const image = imagePixels(gl, borderOrSource, call, 5);
      if (image === undefined || face.isLost) return;
      const { width, height } = image;
      return texImage2D(gl, target, level, internalFormat, width, height, 0, widthOrFormat, heightOrType, image);
    }
    const source = face.version === 1 ? pixels1(pixels, type, call, 8) : pixels2(gl, pixels, type, srcOffset, call, 8);
    if (source === undefined || face.isLost) return;
    const border = borderOrSource as number;
    texImage2D(gl, target, level, internalFormat, widthOrFormat, heightOrType, border, format, type, source);
  }

  texSubImage2D(
    target: number,
    level: number,
    x: number,
    y: number,
    format: number,
    type: number,
    source: TexImageSource,
  ): void;
  texSubImage2D(
    target: number,
    level: number,
    x: number,
    y: number,
    width: number,
    height: number,
    format: number,
    type: number,
    pixels: PixelArgument,
    srcOffset?: number,
  ): void;
  texSubImage2D(
    target: number,
    level: number,
    x: number,
    y: number,
    widthOrFormat: number,
    heightOrType: number,
    formatOrSource: number | TexImageSource,
    type?: number,
    pixels?: PixelArgument,
    srcOffset?: number,
  ): void {
    const call = 'texSubImage2D';
    const face = faceOf(this);
    const gl = face.context;
    if (type === undefined) {
      const image = imagePixels(gl, formatOrSource, call, 6);
      if (image === undefined || face.isLost) return;
      const { width, height } = image;
      return texSubImage2D(gl, target, level, x, y, width, height, widthOrFormat, heightOrType, image);
    }
    const source = face.version === 1 ? pixels1(pixels, type, call, 8) : pixels2(gl, pixels, type, srcOffset, call, 8);
    if (source === undefined || face.isLost) return;
    texSubImage2D(gl, target, level, x, y, widthOrFormat, heightOrType, formatOrSource as number, type, source);
  }

  /** The last arguments: a view with `srcOffset` and `srcLengthOverride`, or in WebGL 2 `imageSize, offset` in the unpack buffer. */
  compressedTexImage2D(
    target: number,
    level: number,
    internalFormat: number,
    width: number,
    height: number,
    border: number,
    dataOrSize: ArrayBufferView | number,
    offset?: number,
    srcLength?: number,
  ): void {
    compressedImage2D(
      faceOf(this),
      target,
      level,
      internalFormat,
      width,
      height,
      border,
      dataOrSize,
      offset,
      srcLength,
    );
  }

  compressedTexSubImage2D(
    target: number,
    level: number,
    x: number,
    y: number,
    width: number,
    height: number,
    format: number,
    dataOrSize: ArrayBufferView | number,
    offset?: number,
    srcLength?: number,
  ): void {
    compressedSubImage2D(faceOf(this), target, level, x, y, width, height, format, dataOrSize, offset, srcLength);
  }

  copyTexImage2D(
    target: number,
    level: number,
    internalFormat: number,
    x: number,
    y: number,
    width: number,
    height: number,
    border: number,
  ): void {
    copyTexImage2D(glOf(this), target, level, internalFormat, x, y, width, height, border);
  }

  copyTexSubImage2D(
    target: number,
    level: number,
    xoffset: number,
    yoffset: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void {
    copyTexSubImage2D(glOf(this), target, level, xoffset, yoffset, x, y, width, height);
  }
}
