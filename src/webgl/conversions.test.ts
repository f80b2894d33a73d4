import { describe, expect, it } from 'vitest';
import { nullBackend } from '../../backends/null/screen.ts';
import { testContext1, testContext2 } from './testing.ts';

/** Calls as JavaScript may make them. */
function loose(gl: object): Record<string, (...args: unknown[]) => unknown> {
  return gl as Record<string, (...args: unknown[]) => unknown>;
}

describe('arguments', () => {
  it('that are too few are a TypeError', () => {
    const gl = loose(testContext2(nullBackend));
    expect(() => gl['bindBuffer']!(1)).toThrow(TypeError);
    expect(() => gl['texImage2D']!(1, 2, 3, 4, 5, 6, 7)).toThrow(TypeError);
    expect(() => gl['uniform4f']!(null, 1, 2, 3)).toThrow(TypeError);
  });

  it('of the wrong interface are a TypeError, null only where it may be', () => {
    const gl = testContext1(nullBackend);
    const calls = loose(gl);
    expect(() => calls['bindBuffer']!(gl.ARRAY_BUFFER, {})).toThrow(TypeError);
    expect(() => calls['bindBuffer']!(gl.ARRAY_BUFFER, gl.createTexture())).toThrow(TypeError);
    expect(() => calls['compileShader']!(null)).toThrow(TypeError);
    expect(() => calls['compileShader']!(undefined)).toThrow(TypeError);
    calls['bindBuffer']!(gl.ARRAY_BUFFER, undefined);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('that are pictures are not looked at while a pixel unpack buffer is bound', () => {
    const gl = testContext2(nullBackend);
    const calls = loose(gl);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 4, 4);
    gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, gl.createBuffer());
    const video = { videoWidth: 4, videoHeight: 4 };
    calls['texSubImage2D']!(gl.TEXTURE_2D, 0, 0, 0, gl.RGBA, gl.UNSIGNED_BYTE, video);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    calls['texSubImage2D']!(gl.TEXTURE_2D, 0, 0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, video);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
    expect(() => calls['texSubImage2D']!(gl.TEXTURE_2D, 0, 0, 0, gl.RGBA, gl.UNSIGNED_BYTE, video)).toThrow(TypeError);
  });

  it('convert to numbers as Web IDL says', () => {
    const gl = testContext1(nullBackend);
    const calls = loose(gl);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    for (const [given, size] of [
      ['4', 4],
      [5.8, 5],
      [true, 1],
      [Number.NaN, 0],
      [Number.POSITIVE_INFINITY, 0],
      [{ valueOf: () => 7 }, 7],
    ]) {
      calls['bufferData']!(gl.ARRAY_BUFFER, given, gl.STATIC_DRAW);
      expect(gl.getBufferParameter(gl.ARRAY_BUFFER, gl.BUFFER_SIZE)).toBe(size);
    }
    calls['depthMask']!('');
    expect(gl.getParameter(gl.DEPTH_WRITEMASK)).toBe(false);
  });

  it('that are null data are an INVALID_VALUE', () => {
    const gl = testContext1(nullBackend);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, null, gl.STATIC_DRAW);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
  });

  it('beyond the longest form are ignored; WebGL 1 knows no offsets', () => {
    const gl = testContext1(nullBackend);
    const calls = loose(gl);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    calls['bufferData']!(gl.ARRAY_BUFFER, new Float32Array(4), gl.STATIC_DRAW, 2, 1);
    expect(gl.getBufferParameter(gl.ARRAY_BUFFER, gl.BUFFER_SIZE)).toBe(16);
  });

  it('select elements of views in WebGL 2', () => {
    const gl = testContext2(nullBackend);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(4), gl.STATIC_DRAW, 1);
    expect(gl.getBufferParameter(gl.ARRAY_BUFFER, gl.BUFFER_SIZE)).toBe(12);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(4), gl.STATIC_DRAW, 1, 2);
    expect(gl.getBufferParameter(gl.ARRAY_BUFFER, gl.BUFFER_SIZE)).toBe(8);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(4), gl.STATIC_DRAW, 5);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
  });

  it('of texture uploads must be views of the type, pictures or null', () => {
    const gl = testContext1(nullBackend);
    const calls = loose(gl);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    const upload = (pixels: unknown): number => {
      calls['texImage2D']!(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      return gl.getError();
    };
    expect(upload(new Uint8Array(4))).toBe(gl.NO_ERROR);
    expect(upload(new Uint8ClampedArray(4))).toBe(gl.NO_ERROR);
    expect(upload(new Float32Array(4))).toBe(gl.INVALID_OPERATION);
    expect(upload(new Uint8Array(3))).toBe(gl.INVALID_OPERATION);
    expect(upload(undefined)).toBe(gl.NO_ERROR);
    expect(() => upload([1, 2, 3, 4])).toThrow(TypeError);
    expect(() => calls['texImage2D']!(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, {})).toThrow(TypeError);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, {
      data: new Uint8ClampedArray(16),
      width: 2,
      height: 2,
    } as ImageData);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});
