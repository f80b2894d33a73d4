// Textures to draw into: colour, colour with depth, or depth alone.

import type { Gl } from '../scene.ts';
import { legalMinFilter, setFilters } from './texture.ts';

export interface RenderTarget {
  readonly framebuffer: WebGLFramebuffer;
  readonly width: number;
  readonly height: number;
  readonly color: WebGLTexture | null;
  readonly depth: WebGLTexture | null;
  readonly isMipmapped: boolean;
  dispose(): void;
}

export interface RenderTargetOptions {
  readonly width: number;
  readonly height: number;
  readonly hasColor?: boolean;
  /** A depth texture, or a renderbuffer of 16 bits. */
  readonly depth?: 'texture' | 'renderbuffer';
  readonly minFilter?: number;
  readonly magFilter?: number;
  readonly isRepeated?: boolean;
}

function createDepthTexture(gl: Gl, width: number, height: number): WebGLTexture {
  const texture = gl.createTexture()!;
  gl.bindTexture(gl.TEXTURE_2D, texture);
  setFilters(gl, gl.NEAREST, gl.NEAREST, gl.CLAMP_TO_EDGE);
  let internal: number = gl.DEPTH_COMPONENT;
  if ('texStorage2D' in gl) internal = gl.DEPTH_COMPONENT24;
  else if (!gl.getExtension('WEBGL_depth_texture')) throw new Error('needs WEBGL_depth_texture');
  gl.texImage2D(gl.TEXTURE_2D, 0, internal, width, height, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, null);
  return texture;
}

export function createRenderTarget(gl: Gl, options: RenderTargetOptions): RenderTarget {
  const { width, height, hasColor = true, depth } = options;
  const { minFilter = gl.LINEAR, magFilter = gl.LINEAR, isRepeated = false } = options;
  const min = legalMinFilter(gl, minFilter, width, height);
  const framebuffer = gl.createFramebuffer()!;
  let color: WebGLTexture | null = null;
  if (hasColor) {
    color = gl.createTexture()!;
    gl.bindTexture(gl.TEXTURE_2D, color);
    setFilters(gl, min, magFilter, isRepeated ? gl.REPEAT : gl.CLAMP_TO_EDGE);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  }
  const depthTexture = depth === 'texture' ? createDepthTexture(gl, width, height) : null;
  const depthBuffer = depth === 'renderbuffer' ? gl.createRenderbuffer() : null;
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  if (color) gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, color, 0);
  if (depthTexture) gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, depthTexture, 0);
  if (depthBuffer) {
    gl.bindRenderbuffer(gl.RENDERBUFFER, depthBuffer);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT16, width, height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depthBuffer);
  }
  const status = gl.checkFramebufferStatus(gl.FRAMEBUFFER);
  if (status !== gl.FRAMEBUFFER_COMPLETE) throw new Error(`framebuffer incomplete: 0x${status.toString(16)}`);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return {
    framebuffer,
    width,
    height,
    color,
    depth: depthTexture,
    isMipmapped: min !== gl.NEAREST && min !== gl.LINEAR,
    dispose() {
      gl.deleteFramebuffer(framebuffer);
      gl.deleteTexture(color);
      gl.deleteTexture(depthTexture);
      gl.deleteRenderbuffer(depthBuffer);
    },
  };
}
