import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { softBackend } from '../../backends/soft/screen.ts';
import { readPixel, testContext1, testContext2 } from './testing.ts';

const RED_GREEN = [255, 0, 0, 255, 0, 255, 0, 128];

/** The texels of a texture of 2 × 1 made of `source`, as far as it became one. */
function texels(source: unknown, premultiply = false): number[][] {
  const gl = testContext2(softBackend);
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, premultiply);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, source as ImageData);
  expect(gl.getError()).toBe(gl.NO_ERROR);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  return [readPixel(gl, 0, 0), readPixel(gl, 1, 0)];
}

/** A canvas as node-canvas has it: asks are counted, so that a test sees what was asked for. */
function canvas2d(answer: unknown): { width: number; height: number; asked: unknown[] } & object {
  const asked: unknown[] = [];
  const getContext = (...args: unknown[]): unknown => {
    asked.push(args);
    return {
      getImageData: (...box: number[]) => {
        asked.push(box);
        return answer;
      },
    };
  };
  return { width: 2, height: 1, asked, getContext } as never;
}

describe('pictures by duck typing', () => {
  const expected = [RED_GREEN.slice(0, 4), RED_GREEN.slice(4)];

  it.each<[string, Uint8Array | Uint8ClampedArray]>([
    ['Uint8ClampedArray', Uint8ClampedArray.from(RED_GREEN)],
    ['Uint8Array', Uint8Array.from(RED_GREEN)],
    ['Buffer', Buffer.from(RED_GREEN)],
    ['Uint8ClampedArray of another realm', runInNewContext(`Uint8ClampedArray.from([${RED_GREEN}])`)],
    ['view with a spare tail', new Uint8Array([...RED_GREEN, 9, 9, 9]).subarray(0, 10)],
  ])('are { width, height, data } with a %s', (_name, data) => {
    expect(texels({ width: 2, height: 1, data })).toEqual(expected);
  });

  it('are canvases with a 2D context, asked once for all of it', () => {
    const source = canvas2d({ width: 2, height: 1, data: Uint8ClampedArray.from(RED_GREEN) });
    expect(texels(source)).toEqual(expected);
    expect(source.asked).toEqual([['2d'], [0, 0, 2, 1]]);
  });

  it('have straight alpha', () => {
    const data = Uint8ClampedArray.from(RED_GREEN);
    const premultiplied = [expected[0], [0, 128, 0, 128]];
    expect(texels({ width: 2, height: 1, data }, true)).toEqual(premultiplied);
    expect(texels(canvas2d({ width: 2, height: 1, data }), true)).toEqual(premultiplied);
  });

  it('update parts of textures', () => {
    const gl = testContext1(softBackend);
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    const source = canvas2d({ width: 2, height: 1, data: Uint8ClampedArray.from(RED_GREEN) });
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 2, 3, gl.RGBA, gl.UNSIGNED_BYTE, source as never);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    expect([readPixel(gl, 1, 3), readPixel(gl, 2, 3), readPixel(gl, 3, 3)]).toEqual([[0, 0, 0, 0], ...expected]);
  });

  it.each<[string, unknown]>([
    ['too little data', { width: 2, height: 2, data: new Uint8Array(15) }],
    ['three channels', { width: 2, height: 1, data: new Uint8Array(6) }],
    ['a size that is no number', { width: Number.NaN, height: 1, data: new Uint8Array(8) }],
    ['a negative size', { width: -2, height: -1, data: new Uint8Array(8) }],
    ['half a pixel', { width: 1.5, height: 1, data: new Uint8Array(8) }],
    ['an endless size', { width: Number.POSITIVE_INFINITY, height: 1, data: new Uint8Array(8) }],
    ['data of no bytes', { width: 1, height: 1, data: [255, 0, 0, 255] }],
    ['a canvas without 2D context', { width: 1, height: 1, getContext: () => null }],
    ['a canvas that gives nothing', canvas2d(null)],
    ['a canvas that gives too little', canvas2d({ width: 2, height: 1, data: new Uint8Array(4) })],
    ['an empty object', {}],
    ['a string', 'picture.png'],
  ])('are not: %s', (_name, source) => {
    const gl = testContext1(softBackend);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    expect(() => gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, source as never)).toThrow(
      TypeError,
    );
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});
