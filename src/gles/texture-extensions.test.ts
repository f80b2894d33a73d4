// Texture extensions: state, errors, and pictures by the soft backend.

import { beforeEach, describe, expect, it } from 'vitest';
import { softBackend } from '../../backends/soft/screen.ts';
import { createGlesContext, type GlesContext } from './index.ts';
import { drawVertices, readPixel, useProgram } from './testing.ts';

let gl: GlesContext;
beforeEach(() => {
  gl = createGlesContext({ width: 8, height: 8, api: 3, backend: softBackend });
  return () => gl.dispose();
});

const VERTEX =
  'attribute vec4 position; varying vec2 at; void main() { gl_Position = vec4(position.xy, 0.0, 1.0); at = position.zw; }';
const SAMPLE =
  'precision highp float; uniform sampler2D image; varying vec2 at; void main() { gl_FragColor = texture2D(image, at); }';

/** Fills the window; texture coordinates go from 0 to `s` and to `t`. */
function drawTexture(s: number, t: number): void {
  drawVertices(gl, gl.GL_TRIANGLE_STRIP, 4, [-1, -1, 0, 0, 1, -1, s, 0, -1, 1, 0, t, 1, 1, s, t]);
}

describe('EXT_texture_filter_anisotropic', () => {
  it('has its string, limit, state and errors', () => {
    expect(gl.glGetString(gl.GL_EXTENSIONS)).toContain('GL_EXT_texture_filter_anisotropic');
    const value: number[] = [];
    gl.glGetFloatv(gl.GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT, value);
    expect(value).toEqual([16]);
    gl.glGetTexParameterfv(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAX_ANISOTROPY_EXT, value);
    expect(value).toEqual([1]);
    gl.glTexParameterf(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAX_ANISOTROPY_EXT, 0.5);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_VALUE);
    gl.glTexParameterf(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAX_ANISOTROPY_EXT, 3.5);
    gl.glGetTexParameterfv(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAX_ANISOTROPY_EXT, value);
    expect(value).toEqual([3.5]);
    const samplers: number[] = [];
    gl.glGenSamplers(1, samplers);
    gl.glSamplerParameterf(samplers[0]!, gl.GL_TEXTURE_MAX_ANISOTROPY_EXT, 0);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_VALUE);
  });

  it('keeps stripes along the axis that is not minified', () => {
    useProgram(gl, VERTEX, SAMPLE);
    gl.glBindTexture(gl.GL_TEXTURE_2D, 1);
    // Columns of black and white, one pixel wide on the screen; 128 rows on 8 pixels.
    const texels = Uint8Array.from({ length: 8 * 128 }, (_, i) => (i & 1) * 255);
    gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_LUMINANCE, 8, 128, 0, gl.GL_LUMINANCE, gl.GL_UNSIGNED_BYTE, texels);
    gl.glGenerateMipmap(gl.GL_TEXTURE_2D);
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, gl.GL_LINEAR_MIPMAP_LINEAR);
    const row = (anisotropy: number): number[] => {
      gl.glTexParameterf(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAX_ANISOTROPY_EXT, anisotropy);
      drawTexture(1, 1);
      return [0, 1, 2, 3].map((x) => readPixel(gl, x, 3)[0]!);
    };
    expect(row(1)).toEqual([128, 128, 128, 128]);
    expect(row(16)).toEqual([0, 255, 0, 255]);
    // Four samples of four texels each: still grey. More than the limit is the limit.
    expect(row(4)).toEqual([128, 128, 128, 128]);
    expect(row(1000)).toEqual([0, 255, 0, 255]);
  });
});

describe('QCOM_render_shared_exponent', () => {
  /** Clears an RGB9_E5 texture, or draws to it, and reads it back. */
  function target(): void {
    gl.glBindTexture(gl.GL_TEXTURE_2D, 1);
    gl.glTexStorage2D(gl.GL_TEXTURE_2D, 1, gl.GL_RGB9_E5, 8, 8);
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 1);
    gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D, 1, 0);
    expect(gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER)).toBe(gl.GL_FRAMEBUFFER_COMPLETE);
  }

  function pixel(): number[] {
    const out = new Float32Array(4);
    gl.glReadPixels(3, 3, 1, 1, gl.GL_RGBA, gl.GL_FLOAT, out);
    expect(gl.glGetError()).toBe(gl.GL_NO_ERROR);
    return [...out];
  }

  it('rounds to nine bits under a common exponent, clamps, and blends', () => {
    expect(gl.glGetString(gl.GL_EXTENSIONS)).toContain('GL_QCOM_render_shared_exponent');
    target();
    const program = useProgram(
      gl,
      VERTEX,
      'precision highp float; uniform vec4 color; void main() { gl_FragColor = color; }',
    );
    const place = gl.glGetUniformLocation(program, 'color');
    const draw = (...color: [number, number, number, number]): number[] => {
      gl.glUniform4f(place, ...color);
      drawTexture(1, 1);
      return pixel();
    };
    // Largest 1: steps of 1/256.
    expect(draw(1, 0.1, 1 / 512, 0.5)).toEqual([1, 26 / 256, 1 / 256, 1]);
    expect(draw(-3, 1e9, 0.25, 0)).toEqual([0, 65408, 0, 1]);
    // 1.9999 rounds up to 512 of 1/256: the next exponent, steps of 1/128.
    expect(draw(1.9999, 1 / 256, 0, 0)).toEqual([2, 1 / 128, 0, 1]);
    gl.glEnable(gl.GL_BLEND);
    gl.glBlendFunc(gl.GL_ONE, gl.GL_DST_ALPHA);
    expect(draw(1, 0, 0.5, 0)).toEqual([3, 1 / 128, 0.5, 1]);
  });

  it('allows no partial colour mask', () => {
    target();
    gl.glColorMask(true, false, true, true);
    gl.glClear(gl.GL_COLOR_BUFFER_BIT);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_OPERATION);
    gl.glClearBufferfv(gl.GL_COLOR, 0, [1, 1, 1, 1]);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_OPERATION);
    useProgram(gl, VERTEX, 'precision highp float; void main() { gl_FragColor = vec4(1.0); }');
    drawTexture(1, 1);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_OPERATION);
    gl.glColorMask(false, false, false, false);
    drawTexture(1, 1);
    expect(gl.glGetError()).toBe(gl.GL_NO_ERROR);
    expect(pixel()).toEqual([0, 0, 0, 1]);
  });
});

describe('EXT_render_snorm', () => {
  it.each([
    ['RGBA8_SNORM', 'BYTE', Int8Array, 127],
    ['RGBA16_SNORM_EXT', 'SHORT', Int16Array, 32767],
  ] as const)('draws negative values: %s', (format, type, View, one) => {
    gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, 1);
    gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, gl[`GL_${format}`], 8, 8);
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 1);
    gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_RENDERBUFFER, 1);
    useProgram(gl, VERTEX, 'precision highp float; void main() { gl_FragColor = vec4(-0.5, -2.0, 0.25, 1.0); }');
    drawTexture(1, 1);
    const out = new View(4);
    gl.glReadPixels(2, 2, 1, 1, gl.GL_RGBA, gl[`GL_${type}`], out);
    expect(gl.glGetError()).toBe(gl.GL_NO_ERROR);
    expect([...out]).toEqual([Math.round(-0.5 * one - 0.01), -one, Math.round(0.25 * one), one]);
  });

  it('needs EXT_texture_norm16 for 16 bits, and itself for 8', () => {
    gl.context.extensions.delete('EXT_texture_norm16');
    gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, 1);
    gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, gl.GL_RGBA16_SNORM_EXT, 8, 8);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_ENUM);
    gl.context.extensions.delete('EXT_render_snorm');
    gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, gl.GL_RGBA8_SNORM, 8, 8);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_ENUM);
  });
});

describe('ANGLE_stencil_texturing', () => {
  it('samples stencil as unsigned integers', () => {
    expect(gl.glGetString(gl.GL_EXTENSIONS)).toContain('GL_ANGLE_stencil_texturing');
    gl.glBindTexture(gl.GL_TEXTURE_2D, 1);
    gl.glTexStorage2D(gl.GL_TEXTURE_2D, 1, gl.GL_DEPTH24_STENCIL8, 8, 8);
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, gl.GL_NEAREST);
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAG_FILTER, gl.GL_NEAREST);
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 1);
    gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_DEPTH_STENCIL_ATTACHMENT, gl.GL_TEXTURE_2D, 1, 0);
    gl.glClearBufferfi(gl.GL_DEPTH_STENCIL, 0, 0.5, 171);
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0);
    const mode: number[] = [];
    gl.glGetTexParameteriv(gl.GL_TEXTURE_2D, gl.GL_DEPTH_STENCIL_TEXTURE_MODE, mode);
    expect(mode).toEqual([gl.GL_DEPTH_COMPONENT]);
    useProgram(gl, VERTEX, SAMPLE);
    drawTexture(1, 1);
    expect(readPixel(gl, 3, 3)).toEqual([128, 0, 0, 255]);
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_DEPTH_STENCIL_TEXTURE_MODE, gl.GL_STENCIL_INDEX);
    useProgram(
      gl,
      '#version 300 es\nin vec4 position; out vec2 at; void main() { gl_Position = vec4(position.xy, 0.0, 1.0); at = position.zw; }',
      '#version 300 es\nprecision highp float; uniform highp usampler2D image; in vec2 at; out vec4 color; void main() { color = vec4(texture(image, at)) / 255.0; }',
    );
    drawTexture(1, 1);
    expect(readPixel(gl, 3, 3)).toEqual([171, 0, 0, 1]);
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_DEPTH_STENCIL_TEXTURE_MODE, gl.GL_RED);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_ENUM);
    gl.glGenSamplers(1, mode);
    gl.glSamplerParameteri(mode[0]!, gl.GL_DEPTH_STENCIL_TEXTURE_MODE, gl.GL_STENCIL_INDEX);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_ENUM);
  });
});
