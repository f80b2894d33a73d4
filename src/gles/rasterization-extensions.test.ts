// EXT_clip_control, EXT_depth_clamp and EXT_polygon_offset_clamp: state, errors, and pictures by the soft backend.

import { beforeEach, describe, expect, it } from 'vitest';
import { softBackend } from '../../backends/soft/screen.ts';
import { createGlesContext, type GlesContext } from './index.ts';
import { drawVertices, integer, readPixel, useProgram } from './testing.ts';

const WHITE = [255, 255, 255, 255];
const BLACK = [0, 0, 0, 0];
const COLOR = 'precision mediump float; void main() { gl_FragColor = vec4(1.0); }';
const FACING =
  'precision mediump float; void main() { gl_FragColor = vec4(gl_FrontFacing ? 1.0 : 0.0, 0.0, 0.0, 1.0); }';
const VERTEX = 'attribute vec4 position; void main() { gl_Position = position; }';

let gl: GlesContext;
beforeEach(() => {
  gl = createGlesContext({ width: 4, height: 4, api: 2, backend: softBackend });
  useProgram(gl, VERTEX, COLOR);
  return () => gl.dispose();
});

/** A rectangle at clip depth z, counter-clockwise as seen with y up. */
function rectangle(z: number, x0 = -1, y0 = -1, x1 = 1, y1 = 1): void {
  drawVertices(gl, gl.GL_TRIANGLE_STRIP, 3, [x0, y0, z, x1, y0, z, x0, y1, z, x1, y1, z]);
}

/** Whether a fragment at clip depth z passes GL_LESS against `depth` (in 0…1). */
function passes(z: number, depth: number): boolean {
  gl.glClearDepthf(depth);
  gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT);
  gl.glEnable(gl.GL_DEPTH_TEST);
  rectangle(z);
  return readPixel(gl, 1, 1)[0] === 255;
}

describe('EXT_clip_control', () => {
  it('has its string, state and errors', () => {
    expect(gl.glGetString(gl.GL_EXTENSIONS)).toContain('GL_EXT_clip_control');
    expect(integer(gl, gl.GL_CLIP_ORIGIN_EXT)).toBe(gl.GL_LOWER_LEFT_EXT);
    expect(integer(gl, gl.GL_CLIP_DEPTH_MODE_EXT)).toBe(gl.GL_NEGATIVE_ONE_TO_ONE_EXT);
    gl.glClipControlEXT(gl.GL_UPPER_LEFT_EXT, gl.GL_ONE);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_ENUM);
    gl.glClipControlEXT(gl.GL_LEQUAL, gl.GL_ZERO_TO_ONE_EXT);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_ENUM);
    expect(integer(gl, gl.GL_CLIP_ORIGIN_EXT)).toBe(gl.GL_LOWER_LEFT_EXT);
    gl.glClipControlEXT(gl.GL_UPPER_LEFT_EXT, gl.GL_ZERO_TO_ONE_EXT);
    expect(integer(gl, gl.GL_CLIP_ORIGIN_EXT)).toBe(gl.GL_UPPER_LEFT_EXT);
    expect(integer(gl, gl.GL_CLIP_DEPTH_MODE_EXT)).toBe(gl.GL_ZERO_TO_ONE_EXT);
    expect(gl.glGetError()).toBe(gl.GL_NO_ERROR);
  });

  it('turns the picture over and keeps what is front', () => {
    useProgram(gl, VERTEX, FACING);
    rectangle(0, -1, -1, 1, 0);
    expect(readPixel(gl, 0, 0)).toEqual([255, 0, 0, 255]);
    expect(readPixel(gl, 0, 3)).toEqual(BLACK);
    gl.glClear(gl.GL_COLOR_BUFFER_BIT);
    gl.glClipControlEXT(gl.GL_UPPER_LEFT_EXT, gl.GL_NEGATIVE_ONE_TO_ONE_EXT);
    rectangle(0, -1, -1, 1, 0);
    expect(readPixel(gl, 0, 3)).toEqual([255, 0, 0, 255]);
    expect(readPixel(gl, 0, 0)).toEqual(BLACK);
    gl.glClear(gl.GL_COLOR_BUFFER_BIT);
    gl.glEnable(gl.GL_CULL_FACE);
    rectangle(0);
    expect(readPixel(gl, 0, 0)).toEqual([255, 0, 0, 255]);
  });

  it('stays inside of a viewport that is not the whole window', () => {
    gl.glClipControlEXT(gl.GL_UPPER_LEFT_EXT, gl.GL_ZERO_TO_ONE_EXT);
    gl.glViewport(1, 0, 2, 2);
    rectangle(0, -1, 0, 3, 3);
    // y from 0 up is the lower half of the viewport now.
    for (let y = 0; y < 4; y++)
      for (let x = 0; x < 4; x++) expect(readPixel(gl, x, y)).toEqual(y === 0 && x > 0 && x < 3 ? WHITE : BLACK);
  });

  it('maps z from 0 … 1 to the depth range', () => {
    gl.glClipControlEXT(gl.GL_LOWER_LEFT_EXT, gl.GL_ZERO_TO_ONE_EXT);
    expect([passes(0.5, 0.49), passes(0.5, 0.51)]).toEqual([false, true]);
    gl.glDepthRangef(0.5, 1);
    expect([passes(0.5, 0.74), passes(0.5, 0.76)]).toEqual([false, true]);
    // In front of the near plane, behind the far one.
    expect([passes(-0.01, 1), passes(1.01, 1)]).toEqual([false, false]);
    gl.glClipControlEXT(gl.GL_LOWER_LEFT_EXT, gl.GL_NEGATIVE_ONE_TO_ONE_EXT);
    expect([passes(0.5, 0.87), passes(0.5, 0.88)]).toEqual([false, true]);
  });
});

describe('EXT_depth_clamp', () => {
  it('is a capability', () => {
    expect(gl.glGetString(gl.GL_EXTENSIONS)).toContain('GL_EXT_depth_clamp');
    expect(gl.glIsEnabled(gl.GL_DEPTH_CLAMP_EXT)).toBe(false);
    gl.glEnable(gl.GL_DEPTH_CLAMP_EXT);
    expect(gl.glIsEnabled(gl.GL_DEPTH_CLAMP_EXT)).toBe(true);
    expect(integer(gl, gl.GL_DEPTH_CLAMP_EXT)).toBe(1);
    gl.context.extensions.delete('EXT_depth_clamp');
    gl.glEnable(gl.GL_DEPTH_CLAMP_EXT);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_ENUM);
    integer(gl, gl.GL_DEPTH_CLAMP_EXT);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_ENUM);
  });

  it('draws what lies beyond the planes at the ends of the depth range', () => {
    expect([passes(2, 1), passes(-2, 1)]).toEqual([false, false]);
    gl.glEnable(gl.GL_DEPTH_CLAMP_EXT);
    gl.glDepthRangef(0.25, 0.75);
    expect([passes(2, 0.76), passes(2, 0.74)]).toEqual([true, false]);
    expect([passes(-2, 0.26), passes(-2, 0.24)]).toEqual([true, false]);
  });

  it('clamps what a shader writes too', () => {
    useProgram(
      gl,
      VERTEX,
      '#extension GL_EXT_frag_depth : require\nprecision mediump float; void main() { gl_FragColor = vec4(1.0); gl_FragDepthEXT = 0.9; }',
    );
    gl.glDepthRangef(0.25, 0.75);
    expect([passes(0, 0.91), passes(0, 0.76)]).toEqual([true, false]);
    gl.glEnable(gl.GL_DEPTH_CLAMP_EXT);
    expect([passes(0, 0.76), passes(0, 0.74)]).toEqual([true, false]);
  });
});

describe('EXT_polygon_offset_clamp', () => {
  it('is state that polygonOffset resets', () => {
    expect(gl.glGetString(gl.GL_EXTENSIONS)).toContain('GL_EXT_polygon_offset_clamp');
    const clamp: number[] = [];
    gl.glPolygonOffsetClampEXT(1.5, 2, 0.25);
    gl.glGetFloatv(gl.GL_POLYGON_OFFSET_CLAMP_EXT, clamp);
    expect(clamp).toEqual([0.25]);
    gl.glPolygonOffset(1, 1);
    gl.glGetFloatv(gl.GL_POLYGON_OFFSET_CLAMP_EXT, clamp);
    expect(clamp).toEqual([0]);
  });

  it('bounds the offset', () => {
    gl.glEnable(gl.GL_POLYGON_OFFSET_FILL);
    // 24 bits of depth: 0.25 in units.
    const quarter = 0.25 * 2 ** 24;
    gl.glPolygonOffsetClampEXT(0, quarter, 0.125);
    expect([passes(0, 0.626), passes(0, 0.624)]).toEqual([true, false]);
    gl.glPolygonOffsetClampEXT(0, -quarter, -0.125);
    expect([passes(0, 0.376), passes(0, 0.374)]).toEqual([true, false]);
    gl.glPolygonOffset(0, quarter);
    expect([passes(0, 0.751), passes(0, 0.749)]).toEqual([true, false]);
  });
});

describe('EXT_texture_mirror_clamp_to_edge', () => {
  it('mirrors once and then repeats the edge', () => {
    expect(gl.glGetString(gl.GL_EXTENSIONS)).toContain('GL_EXT_texture_mirror_clamp_to_edge');
    gl.glBindTexture(gl.GL_TEXTURE_2D, 1);
    const texels = new Uint8Array([10, 20, 30, 40]);
    gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1);
    gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_LUMINANCE, 4, 1, 0, gl.GL_LUMINANCE, gl.GL_UNSIGNED_BYTE, texels);
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, gl.GL_NEAREST);
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAG_FILTER, gl.GL_NEAREST);
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_WRAP_S, gl.GL_MIRROR_CLAMP_TO_EDGE_EXT);
    expect(gl.glGetError()).toBe(gl.GL_NO_ERROR);
    useProgram(
      gl,
      'attribute vec4 position; varying vec2 at; void main() { gl_Position = vec4(position.xy, 0.0, 1.0); at = position.zw; }',
      'precision highp float; uniform sampler2D image; varying vec2 at; void main() { gl_FragColor = texture2D(image, at); }',
    );
    const red = (s: number): number => {
      drawVertices(gl, gl.GL_TRIANGLE_STRIP, 4, [-1, -1, s, 0, 1, -1, s, 0, -1, 1, s, 0, 1, 1, s, 0]);
      return readPixel(gl, 1, 1)[0]!;
    };
    expect([0.1, 0.3, 0.6, 0.9, 1.1, 7].map(red)).toEqual([10, 20, 30, 40, 40, 40]);
    expect([-0.1, -0.3, -0.6, -0.9, -1.1, -7].map(red)).toEqual([10, 20, 30, 40, 40, 40]);
    gl.context.extensions.delete('EXT_texture_mirror_clamp_to_edge');
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_WRAP_T, gl.GL_MIRROR_CLAMP_TO_EDGE_EXT);
    expect(gl.glGetError()).toBe(gl.GL_INVALID_ENUM);
  });
});
