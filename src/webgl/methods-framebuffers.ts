// WebGL 1: framebuffers, renderbuffers, clears and readback (WebGL 1 §5.14.6, §5.14.7, §5.14.12).

import { bytesOf } from '../base/bytes-of.ts';
import { clear } from '../gl/clear.ts';
import { invalidOperation, invalidValue } from '../gl/errors.ts';
import * as framebuffer from '../gl/framebuffer.ts';
import { getFramebufferAttachmentParameter } from '../gl/framebuffer-query.ts';
import { readPixels } from '../gl/read-pixels.ts';
import * as renderbuffer from '../gl/renderbuffer.ts';
import { faceOf, glOf } from './context-base.ts';
import { elementBytes } from './element-range.ts';
import { handleOf, unwrap, WebGLFramebuffer, WebGLRenderbuffer, type WebGLTexture, wrap } from './handles.ts';
import { TextureMethods } from './methods-textures.ts';
import { isDeletable, isUsable } from './validity.ts';
import { viewProblem } from './view-types.ts';
import { toInt64, toUint64 } from './webidl.ts';

export abstract class FramebufferMethods extends TextureMethods {
  createFramebuffer(): WebGLFramebuffer {
    return wrap(WebGLFramebuffer, faceOf(this), framebuffer.createFramebuffer(glOf(this)));
  }

  deleteFramebuffer(object: WebGLFramebuffer | null): void {
    if (isDeletable(faceOf(this), 'deleteFramebuffer', object))
      framebuffer.deleteFramebuffer(glOf(this), unwrap(object));
  }

  isFramebuffer(object: WebGLFramebuffer | null): boolean {
    return isUsable(faceOf(this), object) && framebuffer.isFramebuffer(unwrap(object));
  }

  bindFramebuffer(target: number, object: WebGLFramebuffer | null): void {
    framebuffer.bindFramebuffer(glOf(this), target, unwrap(object));
  }

  checkFramebufferStatus(target: number): number {
    return framebuffer.checkFramebufferStatus(glOf(this), target);
  }

  framebufferTexture2D(
    target: number,
    attachment: number,
    textureTarget: number,
    texture: WebGLTexture | null,
    level: number,
  ): void {
    framebuffer.framebufferTexture2D(glOf(this), target, attachment, textureTarget, unwrap(texture), level);
  }

  framebufferRenderbuffer(
    target: number,
    attachment: number,
    renderbufferTarget: number,
    object: WebGLRenderbuffer | null,
  ): void {
    framebuffer.framebufferRenderbuffer(glOf(this), target, attachment, renderbufferTarget, unwrap(object));
  }

  getFramebufferAttachmentParameter(target: number, attachment: number, pname: number): unknown {
    const value = getFramebufferAttachmentParameter(glOf(this), target, attachment, pname);
    if (value === undefined || value === null) return null;
    return typeof value === 'object' ? handleOf(value) : value;
  }

  createRenderbuffer(): WebGLRenderbuffer {
    return wrap(WebGLRenderbuffer, faceOf(this), renderbuffer.createRenderbuffer(glOf(this)));
  }

  deleteRenderbuffer(object: WebGLRenderbuffer | null): void {
    if (isDeletable(faceOf(this), 'deleteRenderbuffer', object))
      renderbuffer.deleteRenderbuffer(glOf(this), unwrap(object));
  }

  isRenderbuffer(object: WebGLRenderbuffer | null): boolean {
    return isUsable(faceOf(this), object) && renderbuffer.isRenderbuffer(unwrap(object));
  }

  bindRenderbuffer(target: number, object: WebGLRenderbuffer | null): void {
    renderbuffer.bindRenderbuffer(glOf(this), target, unwrap(object));
  }

  renderbufferStorage(target: number, internalFormat: number, width: number, height: number): void {
    renderbuffer.renderbufferStorage(glOf(this), target, internalFormat, width, height);
  }

  getRenderbufferParameter(target: number, pname: number): unknown {
    return renderbuffer.getRenderbufferParameter(glOf(this), target, pname) ?? null;
  }

  clear(mask: number): void {
    clear(glOf(this), mask);
  }

  /** WebGL 2 adds `dstOffset` for views, and offsets in the pixel pack buffer. */
  readPixels(
    x: number,
    y: number,
    width: number,
    height: number,
    format: number,
    type: number,
    destination: ArrayBufferView | number | null,
    dstOffset?: number,
  ): void {
    const call = 'readPixels';
    const face = faceOf(this);
    const gl = face.context;
    const into: unknown = destination;
    if (ArrayBuffer.isView(into)) {
      const problem = viewProblem(type, into);
      if (problem !== null) return readPixels(gl, x, y, width, height, format, type, { problem });
      const start = (face.version === 1 ? 0 : toUint64(dstOffset ?? 0)) * elementBytes(into);
      if (face.isLost) return;
      const bytes = bytesOf(into);
      if (start > bytes.byteLength) return invalidValue(gl, call, `offset ${dstOffset} is beyond the end of the view`);
      return readPixels(gl, x, y, width, height, format, type, bytes.subarray(start));
    }
    if (into === null || into === undefined) {
      if (dstOffset !== undefined && face.version === 2) throw notAView(call);
      if (gl.pixelPackBuffer) return invalidOperation(gl, call, 'a buffer is bound to PIXEL_PACK_BUFFER');
      return invalidValue(gl, call, 'there is nothing to read into');
    }
    if (face.version === 1 || dstOffset !== undefined || typeof into === 'object') throw notAView(call);
    const offset = toInt64(into);
    if (face.isLost) return;
    if (offset < 0) return invalidValue(gl, call, `offset ${offset} is negative`);
    readPixels(gl, x, y, width, height, format, type, offset);
  }
}

function notAView(call: string): TypeError {
  return new TypeError(`${call}: argument 7 is not a view of an ArrayBuffer`);
}
