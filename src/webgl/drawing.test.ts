import { describe, expect, it } from 'vitest';
import { softBackend } from '../../backends/soft/screen.ts';
import { bindQuad, readPixel, testCanvas, testContext1, testContext2, useTestProgram } from './testing.ts';

describe('drawing', () => {
  it('paints the drawing buffer', () => {
    for (const gl of [testContext1(softBackend), testContext2(softBackend)]) {
      const program = useTestProgram(gl);
      bindQuad(gl);
      gl.uniform4f(gl.getUniformLocation(program, 'color'), 1, 0.5, 0, 1);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
      expect(readPixel(gl, 3, 12)).toEqual([255, 128, 0, 255]);
      expect(gl.getError()).toBe(gl.NO_ERROR);
    }
  });

  it('reads alpha as 255 where there is none', () => {
    const gl = testContext1(softBackend, { alpha: false });
    gl.clearColor(1, 0, 0, 0.25);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect(readPixel(gl, 0, 0)).toEqual([255, 0, 0, 255]);
    expect(gl.getParameter(gl.ALPHA_BITS)).toBe(0);
  });

  it('has samples when antialiasing is asked for, and tells so', () => {
    const smooth = testContext2(softBackend, { antialias: true });
    expect(smooth.getContextAttributes()!.antialias).toBe(true);
    expect(smooth.getParameter(smooth.SAMPLES)).toBe(4);
    const rough = testContext2(softBackend, { antialias: false });
    expect(rough.getContextAttributes()!.antialias).toBe(false);
    expect(rough.getParameter(rough.SAMPLES)).toBe(0);
  });

  it('takes pictures as textures, flipped and premultiplied as asked for', () => {
    const gl = testContext2(softBackend);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    const data = Uint8ClampedArray.from([255, 0, 0, 128, 0, 255, 0, 255]);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, { data, width: 1, height: 2 } as ImageData);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.framebufferTexture2D(
      gl.FRAMEBUFFER,
      gl.COLOR_ATTACHMENT0,
      gl.TEXTURE_2D,
      gl.getParameter(gl.TEXTURE_BINDING_2D) as WebGLTexture & object as never,
      0,
    );
    expect(readPixel(gl, 0, 0)).toEqual([0, 255, 0, 255]);
    expect(readPixel(gl, 0, 1)).toEqual([128, 0, 0, 128]);
  });

  it('flips uploads of many rows, into a part of a texture and converted too', () => {
    const gl = testContext2(softBackend);
    const [width, height] = [500, 701];
    const texture = gl.createTexture()!;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    const rowOf = (y: number): number[] => [y & 255, y >> 8, 7, 255];
    for (const internal of [gl.RGBA8, gl.RGB565] as const) {
      const [format, type] = internal === gl.RGBA8 ? [gl.RGBA, gl.UNSIGNED_BYTE] : [gl.RGB, gl.UNSIGNED_BYTE];
      const bytes = format === gl.RGBA ? 4 : 3;
      const data = Uint8Array.from({ length: width * height * bytes }, (_, i) => {
        const y = Math.floor(i / bytes / width);
        return rowOf(y)[i % bytes]!;
      });
      gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
      gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
      gl.texImage2D(gl.TEXTURE_2D, 0, internal, width + 2, height + 2, 0, format, type, null);
      gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 1, 2, width, height, format, type, data);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
      const wrong: string[] = [];
      for (let y = 0; y < height; y++) {
        const [r, g] = rowOf(height - 1 - y);
        const expected = internal === gl.RGBA8 ? [r, g] : [Math.round((Math.round((r! * 31) / 255) * 255) / 31), 0];
        const pixel = readPixel(gl, 1 + (y % width), 2 + y);
        if (pixel[0] !== expected[0] || (internal === gl.RGBA8 && pixel[1] !== expected[1]))
          wrong.push(`${y}: ${pixel}`);
      }
      expect(wrong.slice(0, 3)).toEqual([]);
      expect([readPixel(gl, 0, 5), readPixel(gl, width + 1, 5), readPixel(gl, 5, 1)].map(([r]) => r)).toEqual([
        0, 0, 0,
      ]);
    }
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('makes no depth of pictures', () => {
    const gl = testContext2(softBackend);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    const picture = { data: new Uint8ClampedArray(4), width: 1, height: 1 } as ImageData;
    for (const [internal, format, type] of [
      [gl.DEPTH_COMPONENT32F, gl.DEPTH_COMPONENT, gl.FLOAT],
      [gl.DEPTH_COMPONENT24, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT],
      [gl.DEPTH24_STENCIL8, gl.DEPTH_STENCIL, gl.UNSIGNED_INT_24_8],
    ] as const) {
      gl.texImage2D(gl.TEXTURE_2D, 0, internal, format, type, picture);
      expect(gl.getError()).toBe(gl.INVALID_VALUE);
      gl.texImage2D(gl.TEXTURE_2D, 0, internal, 1, 1, 0, format, type, null);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, format, type, picture);
      expect(gl.getError()).toBe(gl.INVALID_VALUE);
    }
  });

  it('takes another canvas as a texture', () => {
    const source = testCanvas(softBackend, 2, 2);
    const from = source.getContext('webgl')!;
    from.clearColor(0, 0, 1, 1);
    from.clear(from.COLOR_BUFFER_BIT);
    const gl = testContext1(softBackend);
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, source as unknown as HTMLCanvasElement);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    expect(readPixel(gl, 1, 1)).toEqual([0, 0, 255, 255]);
  });

  it('stays whole when a script replaces Array.from', () => {
    const original = Array.from;
    // As the Khronos suite's quickCheckAPI pages do: no mapping function, array-likes only.
    Array.from = ((list: ArrayLike<unknown>) => [].concat(...([].slice.call(list) as never[]))) as typeof Array.from;
    try {
      const gl = testContext2(softBackend);
      const program = useTestProgram(
        gl,
        undefined,
        'precision mediump float; uniform samplerCube faces; void main() { gl_FragColor = textureCube(faces, vec3(0.2, 1.0, 0.1)); }',
      );
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_CUBE_MAP, texture);
      for (let face = 0; face < 6; face++) {
        const texel = Uint8Array.of(face, 40 * face, 7, 255);
        gl.texImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, texel);
      }
      gl.generateMipmap(gl.TEXTURE_CUBE_MAP);
      gl.texParameteri(gl.TEXTURE_CUBE_MAP, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
      gl.uniform1i(gl.getUniformLocation(program, 'faces'), 0);
      bindQuad(gl);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
      expect(readPixel(gl, 3, 12)).toEqual([2, 80, 7, 255]);
      gl.deleteTexture(texture);
      expect(gl.getError()).toBe(gl.NO_ERROR);
    } finally {
      Array.from = original;
    }
  });
});
