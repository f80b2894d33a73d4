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
