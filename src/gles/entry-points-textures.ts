// GLES entry points of textures, samplers, renderbuffers, framebuffers and pixels.

import { bytesOf } from '../base/bytes-of.ts';
import { blitFramebuffer } from '../gl/blit-framebuffer.ts';
import { clear, clearBufferfi, clearBufferfv, clearBufferiv, clearBufferuiv } from '../gl/clear.ts';
import { copyTexImage2D, copyTexSubImage2D, copyTexSubImage3D } from '../gl/copy-texture.ts';
import { invalidOperation, invalidValue } from '../gl/errors.ts';
import * as framebuffer from '../gl/framebuffer.ts';
import { invalidateFramebuffer, invalidateSubFramebuffer } from '../gl/framebuffer-invalidate.ts';
import { getFramebufferAttachmentParameter } from '../gl/framebuffer-query.ts';
import { pixelStorei } from '../gl/pixel-store.ts';
import { readPixels } from '../gl/read-pixels.ts';
import * as renderbuffer from '../gl/renderbuffer.ts';
import * as sampler from '../gl/sampler.ts';
import * as texture from '../gl/texture.ts';
import * as compressed from '../gl/texture-compressed.ts';
import * as image from '../gl/texture-image.ts';
import { texStorage2D, texStorage3D } from '../gl/texture-immutable.ts';
import { generateMipmap } from '../gl/texture-mipmap.ts';
import type { Texture } from '../gl/texture-object.ts';
import { getTexParameter, texParameter } from '../gl/texture-parameter.ts';
import { deleteNames, type GlesFace, generateNames, isNegative, listed } from './face.ts';
import { type NumberList, type Pointer, store } from './memory.ts';

/** Pixels to upload: memory, or an offset into the pixel unpack buffer (null is offset 0 while one is bound). */
function pixelSource(face: GlesFace, pixels: Pointer): Uint8Array | number | null {
  if (typeof pixels === 'number') return pixels;
  if (pixels === null) return face.context.pixelUnpackBuffer === null ? null : 0;
  return bytesOf(pixels);
}

/** As `pixelSource` for compressed images, which have no null. */
function compressedSource(face: GlesFace, call: string, pixels: Pointer): Uint8Array | number | undefined {
  const source = pixelSource(face, pixels);
  return source === null ? invalidValue(face.context, call, 'no memory was handed in') : source;
}

/** A texture by name; 0 is null, a name that is no texture INVALID_OPERATION. */
function textureOf(face: GlesFace, call: string, name: number): Texture | null | undefined {
  if (name === 0) return null;
  return face.textures.find(name) ?? invalidOperation(face.context, call, `${name} is no texture`);
}

export const TEXTURES_ES2 = {
  glGenTextures: (face: GlesFace, n: number, names: NumberList): void =>
    generateNames(face, 'glGenTextures', face.textures, n, names),
  glDeleteTextures: (face: GlesFace, n: number, names: ArrayLike<number>): void =>
    deleteNames(face, 'glDeleteTextures', face.textures, n, names, texture.deleteTexture),
  glIsTexture: (face: GlesFace, name: number): boolean => {
    const object = face.textures.find(name);
    return object !== undefined && texture.isTexture(object);
  },
  /** `unit` is TEXTURE0 + i. */
  glActiveTexture: (face: GlesFace, unit: number): void => texture.activeTexture(face.context, unit),
  glBindTexture: (face: GlesFace, target: number, name: number): void =>
    texture.bindTexture(face.context, target, name === 0 ? null : face.textures.bind(face.context, name)),
  glTexParameteri: (face: GlesFace, target: number, pname: number, param: number): void =>
    texParameter(face.context, 'glTexParameteri', target, pname, param),
  glTexParameterf: (face: GlesFace, target: number, pname: number, param: number): void =>
    texParameter(face.context, 'glTexParameterf', target, pname, param),
  glTexParameteriv: (face: GlesFace, target: number, pname: number, params: ArrayLike<number>): void =>
    texParameter(face.context, 'glTexParameteriv', target, pname, params[0]!),
  glTexParameterfv: (face: GlesFace, target: number, pname: number, params: ArrayLike<number>): void =>
    texParameter(face.context, 'glTexParameterfv', target, pname, params[0]!),
  glGetTexParameteriv: (face: GlesFace, target: number, pname: number, params: NumberList): void => {
    const value = getTexParameter(face.context, 'glGetTexParameteriv', target, pname);
    if (value !== undefined) store(params, [Math.round(Number(value))]);
  },
  glGetTexParameterfv: (face: GlesFace, target: number, pname: number, params: NumberList): void => {
    const value = getTexParameter(face.context, 'glGetTexParameterfv', target, pname);
    if (value !== undefined) store(params, [Number(value)]);
  },
  glTexImage2D: (
    face: GlesFace,
    target: number,
    level: number,
    internalFormat: number,
    width: number,
    height: number,
    border: number,
    format: number,
    type: number,
    pixels: Pointer,
  ): void =>
    image.texImage2D(
      face.context,
      target,
      level,
      internalFormat,
      width,
      height,
      border,
      format,
      type,
      pixelSource(face, pixels),
    ),
  glTexSubImage2D: (
    face: GlesFace,
    target: number,
    level: number,
    x: number,
    y: number,
    width: number,
    height: number,
    format: number,
    type: number,
    pixels: Pointer,
  ): void =>
    image.texSubImage2D(face.context, target, level, x, y, width, height, format, type, pixelSource(face, pixels)),
  glCompressedTexImage2D: (
    face: GlesFace,
    target: number,
    level: number,
    internalFormat: number,
    width: number,
    height: number,
    border: number,
    imageSize: number,
    pixels: Pointer,
  ): void =>
    compressed.compressedTexImage2D(
      face.context,
      target,
      level,
      internalFormat,
      width,
      height,
      border,
      imageSize,
      pixelSource(face, pixels),
    ),
  glCompressedTexSubImage2D: (
    face: GlesFace,
    target: number,
    level: number,
    x: number,
    y: number,
    width: number,
    height: number,
    format: number,
    imageSize: number,
    pixels: Pointer,
  ): void => {
    const source = compressedSource(face, 'glCompressedTexSubImage2D', pixels);
    if (source !== undefined)
      compressed.compressedTexSubImage2D(face.context, target, level, x, y, width, height, format, imageSize, source);
  },
  glCopyTexImage2D: (
    face: GlesFace,
    target: number,
    level: number,
    internalFormat: number,
    x: number,
    y: number,
    width: number,
    height: number,
    border: number,
  ): void => copyTexImage2D(face.context, target, level, internalFormat, x, y, width, height, border),
  glCopyTexSubImage2D: (
    face: GlesFace,
    target: number,
    level: number,
    xoffset: number,
    yoffset: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void => copyTexSubImage2D(face.context, target, level, xoffset, yoffset, x, y, width, height),
  glGenerateMipmap: (face: GlesFace, target: number): void => generateMipmap(face.context, target),
  glPixelStorei: (face: GlesFace, pname: number, param: number): void => pixelStorei(face.context, pname, param),
  glReadPixels: (
    face: GlesFace,
    x: number,
    y: number,
    width: number,
    height: number,
    format: number,
    type: number,
    pixels: Pointer,
  ): void => {
    const into = typeof pixels === 'object' && pixels !== null ? bytesOf(pixels) : (pixels ?? 0);
    readPixels(face.context, x, y, width, height, format, type, into);
  },

  glGenRenderbuffers: (face: GlesFace, n: number, names: NumberList): void =>
    generateNames(face, 'glGenRenderbuffers', face.renderbuffers, n, names),
  glDeleteRenderbuffers: (face: GlesFace, n: number, names: ArrayLike<number>): void =>
    deleteNames(face, 'glDeleteRenderbuffers', face.renderbuffers, n, names, renderbuffer.deleteRenderbuffer),
  glIsRenderbuffer: (face: GlesFace, name: number): boolean => {
    const object = face.renderbuffers.find(name);
    return object !== undefined && renderbuffer.isRenderbuffer(object);
  },
  glBindRenderbuffer: (face: GlesFace, target: number, name: number): void =>
    renderbuffer.bindRenderbuffer(
      face.context,
      target,
      name === 0 ? null : face.renderbuffers.bind(face.context, name),
    ),
  glRenderbufferStorage: (
    face: GlesFace,
    target: number,
    internalFormat: number,
    width: number,
    height: number,
  ): void => renderbuffer.renderbufferStorage(face.context, target, internalFormat, width, height),
  glGetRenderbufferParameteriv: (face: GlesFace, target: number, pname: number, params: NumberList): void => {
    const value = renderbuffer.getRenderbufferParameter(face.context, target, pname);
    if (value !== undefined) store(params, [value]);
  },

  glGenFramebuffers: (face: GlesFace, n: number, names: NumberList): void =>
    generateNames(face, 'glGenFramebuffers', face.framebuffers, n, names),
  glDeleteFramebuffers: (face: GlesFace, n: number, names: ArrayLike<number>): void =>
    deleteNames(face, 'glDeleteFramebuffers', face.framebuffers, n, names, framebuffer.deleteFramebuffer),
  glIsFramebuffer: (face: GlesFace, name: number): boolean => {
    const object = face.framebuffers.find(name);
    return object !== undefined && framebuffer.isFramebuffer(object);
  },
  glBindFramebuffer: (face: GlesFace, target: number, name: number): void =>
    framebuffer.bindFramebuffer(face.context, target, name === 0 ? null : face.framebuffers.bind(face.context, name)),
  glCheckFramebufferStatus: (face: GlesFace, target: number): number =>
    framebuffer.checkFramebufferStatus(face.context, target),
  glFramebufferTexture2D: (
    face: GlesFace,
    target: number,
    attachment: number,
    textureTarget: number,
    name: number,
    level: number,
  ): void => {
    const object = textureOf(face, 'glFramebufferTexture2D', name);
    if (object !== undefined)
      framebuffer.framebufferTexture2D(face.context, target, attachment, textureTarget, object, level);
  },
  glFramebufferRenderbuffer: (
    face: GlesFace,
    target: number,
    attachment: number,
    renderbufferTarget: number,
    name: number,
  ): void => {
    const object = name === 0 ? null : face.renderbuffers.find(name);
    if (object === undefined)
      return invalidOperation(face.context, 'glFramebufferRenderbuffer', `${name} is no renderbuffer`);
    framebuffer.framebufferRenderbuffer(face.context, target, attachment, renderbufferTarget, object);
  },
  glGetFramebufferAttachmentParameteriv: (
    face: GlesFace,
    target: number,
    attachment: number,
    pname: number,
    params: NumberList,
  ): void => {
    const value = getFramebufferAttachmentParameter(face.context, target, attachment, pname);
    if (value !== undefined) store(params, [typeof value === 'number' ? value : (value?.name ?? 0)]);
  },
  glClear: (face: GlesFace, mask: number): void => clear(face.context, mask),
};

export const TEXTURES_ES3 = {
  glTexImage3D: (
    face: GlesFace,
    target: number,
    level: number,
    internalFormat: number,
    width: number,
    height: number,
    depth: number,
    border: number,
    format: number,
    type: number,
    pixels: Pointer,
  ): void =>
    image.texImage3D(
      face.context,
      target,
      level,
      internalFormat,
      width,
      height,
      depth,
      border,
      format,
      type,
      pixelSource(face, pixels),
    ),
  glTexSubImage3D: (
    face: GlesFace,
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
    pixels: Pointer,
  ): void =>
    image.texSubImage3D(
      face.context,
      target,
      level,
      x,
      y,
      z,
      width,
      height,
      depth,
      format,
      type,
      pixelSource(face, pixels),
    ),
  glCopyTexSubImage3D: (
    face: GlesFace,
    target: number,
    level: number,
    xoffset: number,
    yoffset: number,
    zoffset: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void => copyTexSubImage3D(face.context, target, level, xoffset, yoffset, zoffset, x, y, width, height),
  glCompressedTexImage3D: (
    face: GlesFace,
    target: number,
    level: number,
    internalFormat: number,
    width: number,
    height: number,
    depth: number,
    border: number,
    imageSize: number,
    pixels: Pointer,
  ): void =>
    compressed.compressedTexImage3D(
      face.context,
      target,
      level,
      internalFormat,
      width,
      height,
      depth,
      border,
      imageSize,
      pixelSource(face, pixels),
    ),
  glCompressedTexSubImage3D: (
    face: GlesFace,
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
    pixels: Pointer,
  ): void => {
    const source = compressedSource(face, 'glCompressedTexSubImage3D', pixels);
    if (source !== undefined)
      compressed.compressedTexSubImage3D(
        face.context,
        target,
        level,
        x,
        y,
        z,
        width,
        height,
        depth,
        format,
        imageSize,
        source,
      );
  },
  glTexStorage2D: (
    face: GlesFace,
    target: number,
    levels: number,
    internalFormat: number,
    width: number,
    height: number,
  ): void => texStorage2D(face.context, target, levels, internalFormat, width, height),
  glTexStorage3D: (
    face: GlesFace,
    target: number,
    levels: number,
    internalFormat: number,
    width: number,
    height: number,
    depth: number,
  ): void => texStorage3D(face.context, target, levels, internalFormat, width, height, depth),
  glGetInternalformativ: (
    face: GlesFace,
    target: number,
    internalFormat: number,
    pname: number,
    bufSize: number,
    params: NumberList,
  ): void => {
    if (isNegative(face, 'glGetInternalformativ', 'bufSize', bufSize)) return;
    const values = renderbuffer.getInternalformatParameter(face.context, target, internalFormat, pname);
    if (values) store(params, values.slice(0, bufSize));
  },

  glGenSamplers: (face: GlesFace, n: number, names: NumberList): void =>
    generateNames(face, 'glGenSamplers', face.samplers, n, names),
  glDeleteSamplers: (face: GlesFace, n: number, names: ArrayLike<number>): void =>
    deleteNames(face, 'glDeleteSamplers', face.samplers, n, names, sampler.deleteSampler),
  /** A generated name is a sampler at once (ES 3.0.6 §3.8.2). */
  glIsSampler: (face: GlesFace, name: number): boolean => face.samplers.isKnown(name),
  glBindSampler: (face: GlesFace, unit: number, name: number): void => {
    if (name !== 0 && !face.samplers.isKnown(name))
      return invalidOperation(face.context, 'glBindSampler', `${name} was not generated`);
    sampler.bindSampler(face.context, unit, name === 0 ? null : face.samplers.bind(face.context, name));
  },
  glSamplerParameteri: (face: GlesFace, name: number, pname: number, param: number): void =>
    setSampler(face, 'glSamplerParameteri', name, pname, param),
  glSamplerParameterf: (face: GlesFace, name: number, pname: number, param: number): void =>
    setSampler(face, 'glSamplerParameterf', name, pname, param),
  glSamplerParameteriv: (face: GlesFace, name: number, pname: number, params: ArrayLike<number>): void =>
    setSampler(face, 'glSamplerParameteriv', name, pname, params[0]!),
  glSamplerParameterfv: (face: GlesFace, name: number, pname: number, params: ArrayLike<number>): void =>
    setSampler(face, 'glSamplerParameterfv', name, pname, params[0]!),
  glGetSamplerParameteriv: (face: GlesFace, name: number, pname: number, params: NumberList): void =>
    getSampler(face, 'glGetSamplerParameteriv', name, pname, params, true),
  glGetSamplerParameterfv: (face: GlesFace, name: number, pname: number, params: NumberList): void =>
    getSampler(face, 'glGetSamplerParameterfv', name, pname, params, false),

  glRenderbufferStorageMultisample: (
    face: GlesFace,
    target: number,
    samples: number,
    internalFormat: number,
    width: number,
    height: number,
  ): void => renderbuffer.renderbufferStorageMultisample(face.context, target, samples, internalFormat, width, height),
  glFramebufferTextureLayer: (
    face: GlesFace,
    target: number,
    attachment: number,
    name: number,
    level: number,
    layer: number,
  ): void => {
    const object = textureOf(face, 'glFramebufferTextureLayer', name);
    if (object !== undefined)
      framebuffer.framebufferTextureLayer(face.context, target, attachment, object, level, layer);
  },
  glDrawBuffers: (face: GlesFace, n: number, buffers: ArrayLike<number>): void => {
    const values = listed(face, 'glDrawBuffers', n, buffers);
    if (values) framebuffer.drawBuffers(face.context, values);
  },
  glReadBuffer: (face: GlesFace, source: number): void => framebuffer.readBuffer(face.context, source),
  glBlitFramebuffer: (
    face: GlesFace,
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
  ): void => blitFramebuffer(face.context, srcX0, srcY0, srcX1, srcY1, dstX0, dstY0, dstX1, dstY1, mask, filter),
  glInvalidateFramebuffer: (face: GlesFace, target: number, n: number, attachments: ArrayLike<number>): void => {
    const values = listed(face, 'glInvalidateFramebuffer', n, attachments);
    if (values) invalidateFramebuffer(face.context, target, values);
  },
  glInvalidateSubFramebuffer: (
    face: GlesFace,
    target: number,
    n: number,
    attachments: ArrayLike<number>,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void => {
    const values = listed(face, 'glInvalidateSubFramebuffer', n, attachments);
    if (values) invalidateSubFramebuffer(face.context, target, values, x, y, width, height);
  },
  glClearBufferfv: (face: GlesFace, buffer: number, drawBuffer: number, value: ArrayLike<number>): void =>
    clearBufferfv(face.context, buffer, drawBuffer, value),
  glClearBufferiv: (face: GlesFace, buffer: number, drawBuffer: number, value: ArrayLike<number>): void =>
    clearBufferiv(face.context, buffer, drawBuffer, value),
  glClearBufferuiv: (face: GlesFace, buffer: number, drawBuffer: number, value: ArrayLike<number>): void =>
    clearBufferuiv(face.context, buffer, drawBuffer, value),
  glClearBufferfi: (face: GlesFace, buffer: number, drawBuffer: number, depth: number, stencil: number): void =>
    clearBufferfi(face.context, buffer, drawBuffer, depth, stencil),
};

function setSampler(face: GlesFace, call: string, name: number, pname: number, value: number): void {
  if (name === 0 || !face.samplers.isKnown(name)) return invalidOperation(face.context, call, `${name} is no sampler`);
  sampler.samplerParameter(face.context, call, face.samplers.bind(face.context, name), pname, value);
}

function getSampler(
  face: GlesFace,
  call: string,
  name: number,
  pname: number,
  params: NumberList,
  rounds: boolean,
): void {
  if (name === 0 || !face.samplers.isKnown(name)) return invalidOperation(face.context, call, `${name} is no sampler`);
  const value = sampler.getSamplerParameter(face.context, call, face.samplers.bind(face.context, name), pname);
  if (value !== undefined) store(params, [rounds ? Math.round(value) : value]);
}

/** EXT_discard_framebuffer takes the draw framebuffer's buffers under ES 2.0's only target. */
export const TEXTURES_DISCARD = {
  glDiscardFramebufferEXT: (face: GlesFace, target: number, n: number, attachments: ArrayLike<number>): void => {
    const values = listed(face, 'glDiscardFramebufferEXT', n, attachments);
    if (values) invalidateFramebuffer(face.context, target, values);
  },
};
