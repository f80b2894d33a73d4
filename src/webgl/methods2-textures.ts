// WebGL 2: 3D textures, immutable storage, framebuffer operations (WebGL 2 §3.7.4 – §3.7.6, §3.7.11).

import { blitFramebuffer } from '../gl/blit-framebuffer.ts';
import { clearBufferfi, clearBufferfv, clearBufferiv, clearBufferuiv } from '../gl/clear.ts';
import { copyTexSubImage3D } from '../gl/copy-texture.ts';
import { invalidValue } from '../gl/errors.ts';
import * as framebuffer from '../gl/framebuffer.ts';
import { invalidateFramebuffer, invalidateSubFramebuffer } from '../gl/framebuffer-invalidate.ts';
import { getInternalformatParameter, renderbufferStorageMultisample } from '../gl/renderbuffer.ts';
import { texImage3D, texSubImage3D } from '../gl/texture-image.ts';
import { texStorage2D, texStorage3D } from '../gl/texture-immutable.ts';
import { compressedImage3D, compressedSubImage3D } from './compressed-source.ts';
import { type ContextBase, faceOf, glOf } from './context-base.ts';
import { unwrap, type WebGLTexture } from './handles.ts';
import type { PixelArgument } from './methods-textures.ts';
import { Object2Methods } from './methods2-objects.ts';
import { pixels2 } from './pixel-source.ts';

export abstract class Texture2Methods extends Object2Methods {
  texImage3D(
    target: number,
    level: number,
    internalFormat: number,
    width: number,
    height: number,
    depth: number,
    border: number,
    format: number,
    type: number,
    pixels: PixelArgument,
    srcOffset?: number,
  ): void {
    const face = faceOf(this);
    const gl = face.context;
    const source = pixels2(gl, pixels, type, srcOffset, 'texImage3D', 9);
    if (source === undefined || face.isLost) return;
    texImage3D(gl, target, level, internalFormat, width, height, depth, border, format, type, source);
  }

  texSubImage3D(
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
    pixels: PixelArgument,
    srcOffset?: number,
  ): void {
    const face = faceOf(this);
    const gl = face.context;
    const isNull = pixels === null || pixels === undefined;
    const source = isNull ? null : pixels2(gl, pixels, type, srcOffset, 'texSubImage3D', 10);
    if (source === undefined || face.isLost) return;
    texSubImage3D(gl, target, level, x, y, z, width, height, depth, format, type, source);
  }

  compressedTexImage3D(
    target: number,
    level: number,
    internalFormat: number,
    width: number,
    height: number,
    depth: number,
    border: number,
    dataOrSize: ArrayBufferView | number,
    offset?: number,
    srcLength?: number,
  ): void {
    const face = faceOf(this);
    compressedImage3D(face, target, level, internalFormat, width, height, depth, border, dataOrSize, offset, srcLength);
  }

  compressedTexSubImage3D(
    target: number,
    level: number,
    x: number,
    y: number,
    z: number,
    width: number,
    height: number,
    depth: number,
    format: number,
    dataOrSize: ArrayBufferView | number,
    offset?: number,
    srcLength?: number,
  ): void {
    const face = faceOf(this);
    compressedSubImage3D(face, target, level, x, y, z, width, height, depth, format, dataOrSize, offset, srcLength);
  }

  copyTexSubImage3D(
    target: number,
    level: number,
    xoffset: number,
    yoffset: number,
    zoffset: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void {
    copyTexSubImage3D(glOf(this), target, level, xoffset, yoffset, zoffset, x, y, width, height);
  }

  texStorage2D(target: number, levels: number, internalFormat: number, width: number, height: number): void {
    texStorage2D(glOf(this), target, levels, internalFormat, width, height);
  }

  texStorage3D(
    target: number,
    levels: number,
    internalFormat: number,
    width: number,
    height: number,
    depth: number,
  ): void {
    texStorage3D(glOf(this), target, levels, internalFormat, width, height, depth);
  }

  getInternalformatParameter(target: number, internalFormat: number, pname: number): unknown {
    const values = getInternalformatParameter(glOf(this), target, internalFormat, pname);
    return values === undefined ? null : Int32Array.from(values);
  }

  renderbufferStorageMultisample(
    target: number,
    samples: number,
    internalFormat: number,
    width: number,
    height: number,
  ): void {
    renderbufferStorageMultisample(glOf(this), target, samples, internalFormat, width, height);
  }

  framebufferTextureLayer(
    target: number,
    attachment: number,
    texture: WebGLTexture | null,
    level: number,
    layer: number,
  ): void {
    framebuffer.framebufferTextureLayer(glOf(this), target, attachment, unwrap(texture), level, layer);
  }

  blitFramebuffer(
    srcX0: number,
    srcY0: number,
    srcX1: number,
    srcY1: number,
    dstX0: number,
    dstY0: number,
    dstX1: number,
    dstY1: number,
    mask: number,
    filter: number,
  ): void {
    blitFramebuffer(glOf(this), srcX0, srcY0, srcX1, srcY1, dstX0, dstY0, dstX1, dstY1, mask, filter);
  }

  readBuffer(source: number): void {
    framebuffer.readBuffer(glOf(this), source);
  }

  drawBuffers(buffers: number[]): void {
    framebuffer.drawBuffers(glOf(this), buffers);
  }

  invalidateFramebuffer(target: number, attachments: number[]): void {
    invalidateFramebuffer(glOf(this), target, attachments);
  }

  invalidateSubFramebuffer(
    target: number,
    attachments: number[],
    x: number,
    y: number,
    width: number,
    height: number,
  ): void {
    invalidateSubFramebuffer(glOf(this), target, attachments, x, y, width, height);
  }

  clearBufferfv(buffer: number, drawBuffer: number, values: Float32List, srcOffset?: number): void {
    const part = clearValues(this, 'clearBufferfv', buffer, values, srcOffset);
    if (part) clearBufferfv(glOf(this), buffer, drawBuffer, part);
  }

  clearBufferiv(buffer: number, drawBuffer: number, values: Int32List, srcOffset?: number): void {
    const part = clearValues(this, 'clearBufferiv', buffer, values, srcOffset);
    if (part) clearBufferiv(glOf(this), buffer, drawBuffer, part);
  }

  clearBufferuiv(buffer: number, drawBuffer: number, values: Uint32List, srcOffset?: number): void {
    const part = clearValues(this, 'clearBufferuiv', buffer, values, srcOffset);
    if (part) clearBufferuiv(glOf(this), buffer, drawBuffer, part);
  }

  clearBufferfi(buffer: number, drawBuffer: number, depth: number, stencil: number): void {
    clearBufferfi(glOf(this), buffer, drawBuffer, depth, stencil);
  }
}

/** COLOR. */
const COLOR = 0x1800;

/** The values from `srcOffset` on: four for colours, one else. Undefined after INVALID_VALUE. */
function clearValues(
  context: ContextBase,
  call: string,
  buffer: number,
  values: Float32List | Int32List | Uint32List,
  srcOffset = 0,
): ArrayLike<number> | undefined {
  const needed = buffer === COLOR ? 4 : 1;
  if (srcOffset + needed > values.length)
    return invalidValue(glOf(context), call, `${values.length - srcOffset} values are too few`);
  const list = values as number[];
  return srcOffset === 0 ? list : list.slice(srcOffset);
}
