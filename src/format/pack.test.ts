import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { halfToFloat } from '../base/half.ts';
import { convertPixels } from './convert.ts';
import { packDepth, packDepthStencilPixel, packStencil, unpackDepth, unpackStencil } from './depth-stencil.ts';
import { FORMAT_NAMES, type Format, formatDescription, linearFormat, srgbFormat } from './format.ts';
import { packPixel, packRgba } from './pack.ts';
import { floatToFloat11, packRgb9e5 } from './small-float.ts';
import { linearToSrgb8, srgb8ToLinear, srgbToLinear } from './srgb.ts';
import { type PixelArray, unpackPixel, unpackRgba } from './unpack.ts';

const COLOR = FORMAT_NAMES.filter((name) => {
  const { isCompressed, space } = formatDescription(name);
  return !isCompressed && space !== 'zs';
});

function rows(format: Format, count: number): PixelArray {
  const { numericClass } = formatDescription(format);
  return numericClass === 'int'
    ? new Int32Array(count)
    : numericClass === 'uint'
      ? new Uint32Array(count)
      : new Float32Array(count);
}

function unpack(format: Format, bytes: Uint8Array): PixelArray {
  const count = bytes.length / formatDescription(format).blockBytes;
  const values = rows(format, count * 4);
  unpackRgba(format, values, 0, 0, bytes, 0, 0, count, 1);
  return values;
}

function pack(format: Format, values: PixelArray): Uint8Array {
  const bytes = new Uint8Array((values.length / 4) * formatDescription(format).blockBytes);
  packRgba(format, bytes, 0, 0, values, 0, 0, values.length / 4, 1);
  return bytes;
}

describe('every colour format', () => {
  test.each(COLOR)('%s: unpack(pack(unpack(x))) = unpack(x)', (format) => {
    const { blockBytes } = formatDescription(format);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: blockBytes * 4, maxLength: blockBytes * 4 }), (bytes) => {
        const values = unpack(format, bytes);
        expect(unpack(format, pack(format, values))).toEqual(values);
      }),
      { numRuns: 50 },
    );
  });

  test.each(COLOR)('%s: strides, offsets and flipping do not change pixels', (format) => {
    const { blockBytes } = formatDescription(format);
    const bytes = Uint8Array.from({ length: 3 * 2 * blockBytes }, (_, i) => (i * 37) & 0x7f & ~0x40);
    const tight = rows(format, 24);
    unpackRgba(format, tight, 0, 12, bytes, 0, 3 * blockBytes, 3, 2);
    const odd = new Uint8Array(1 + 2 * (3 * blockBytes + 3));
    packRgba(format, odd, 1 + 3 * blockBytes + 3, -(3 * blockBytes + 3), tight, 0, 12, 3, 2);
    const back = rows(format, 24);
    unpackRgba(format, back, 12, -12, odd, 1, 3 * blockBytes + 3, 3, 2);
    expect(back).toEqual(tight);
  });
});

test('known pixels', () => {
  expect([...packPixel('B5G6R5_UNORM', [1, 0, 0, 1])]).toEqual([0x00, 0xf8]);
  expect([...packPixel('A4B4G4R4_UNORM', [1, 0, 0, 0])]).toEqual([0x00, 0xf0]);
  expect([...packPixel('A1B5G5R5_UNORM', [0, 0, 0, 1])]).toEqual([1, 0]);
  expect([...packPixel('R10G10B10A2_UNORM', [1, 0, 0, 1])]).toEqual([0xff, 0x03, 0x00, 0xc0]);
  expect([...packPixel('B8G8R8A8_UNORM', [1, 0.5, 0, 0.25])]).toEqual([0, 128, 255, 64]);
  expect([...packPixel('R8G8B8X8_UNORM', [0, 0, 0, 0])]).toEqual([0, 0, 0, 255]);
  expect([...packPixel('R8G8B8A8_SNORM', [-1, -2, 0.5, 1])]).toEqual([0x81, 0x81, 64, 0x7f]);
  expect([...packPixel('R8G8B8A8_SINT', [-1000, 1000, 5, -5])]).toEqual([0x80, 0x7f, 5, 0xfb]);
  expect(unpackPixel('R8_SNORM', Uint8Array.of(0x80))).toEqual([-1, 0, 0, 1]);
  expect(unpackPixel('L8A8_UNORM', Uint8Array.of(255, 0))).toEqual([1, 1, 1, 0]);
  expect(unpackPixel('A8_UNORM', Uint8Array.of(255))).toEqual([0, 0, 0, 1]);
  expect(unpackPixel('R32_FIXED', Uint8Array.of(0, 0x80, 0xff, 0xff))).toEqual([-0.5, 0, 0, 1]);
  expect(unpackPixel('R11G11B10_FLOAT', Uint8Array.of(0xc0, 0x03, 0x1e, 0x78))).toEqual([1, 1, 1, 1]);
  expect(packRgb9e5(1, 0.5, 0.25)).toBe((256 | (128 << 9) | (64 << 18) | (16 << 27)) >>> 0);
  expect([...packPixel('R8_UNORM', [Number.NaN])]).toEqual([0]);
});

test('float11 saturates to the largest finite value and keeps infinity', () => {
  expect(floatToFloat11(1e9)).toBe((30 << 6) | 63);
  expect(floatToFloat11(Number.POSITIVE_INFINITY)).toBe(31 << 6);
  expect(floatToFloat11(-3)).toBe(0);
  for (let bits = 0; bits < 31 << 6; bits++) expect(floatToFloat11(halfToFloat(bits << 4))).toBe(bits);
});

test('sRGB: each 8-bit code comes back, and the nearest code is chosen', () => {
  for (let code = 0; code < 256; code++) expect(linearToSrgb8(srgb8ToLinear()[code]!)).toBe(code);
  for (let code = 1; code < 256; code++) {
    const middle = srgbToLinear((code - 0.5) / 255);
    expect(linearToSrgb8(middle * 0.9999)).toBe(code - 1);
    expect(linearToSrgb8(middle * 1.0001)).toBe(code);
  }
});

test('depth and stencil share a word without disturbing each other', () => {
  for (const format of ['Z24_UNORM_S8_UINT', 'S8_UINT_Z24_UNORM', 'Z32_FLOAT_S8X24_UINT'] as const) {
    const pixel = packDepthStencilPixel(format, 0.5, 0xa5);
    packDepth(format, pixel, 0, 0, Float64Array.of(1), 0, 0, 1, 1);
    const stencil = new Uint8Array(1);
    unpackStencil(format, stencil, 0, 0, pixel, 0, 0, 1, 1);
    expect(stencil[0]).toBe(0xa5);
    packStencil(format, pixel, 0, 0, Uint8Array.of(0x5a), 0, 0, 1, 1);
    const depth = new Float64Array(1);
    unpackDepth(format, depth, 0, 0, pixel, 0, 0, 1, 1);
    expect(depth[0]).toBe(1);
  }
  expect([...packDepthStencilPixel('Z16_UNORM', 0.5, 0)]).toEqual([0x00, 0x80]);
  expect([...packDepthStencilPixel('Z24_UNORM_S8_UINT', 2, 1)]).toEqual([255, 255, 255, 1]);
});

test('conversions agree with unpack and pack, whatever path they take', () => {
  const same = COLOR.filter((name) => formatDescription(name).numericClass === 'float');
  fc.assert(
    fc.property(fc.constantFrom(...same), fc.constantFrom(...same), fc.boolean(), (from, to, odd) => {
      const a = formatDescription(from).blockBytes;
      const b = formatDescription(to).blockBytes;
      const shift = odd ? 1 : 0;
      const src = Uint8Array.from({ length: 5 * a + shift }, (_, i) => (i * 73 + 11) & 0x3f);
      const dst = new Uint8Array(5 * b + shift);
      convertPixels(to, dst, shift, 5 * b, from, src, shift, 5 * a, 5, 1);
      const expected = unpack(to, pack(to, unpack(from, src.slice(shift))));
      expect(unpack(to, dst.slice(shift))).toEqual(expected);
    }),
    { numRuns: 400 },
  );
});

test('sRGB partners are found both ways', () => {
  for (const name of FORMAT_NAMES) {
    if (!formatDescription(name).isSrgb) continue;
    const linear = linearFormat(name);
    expect(FORMAT_NAMES).toContain(linear);
    expect(srgbFormat(linear)).toBe(name);
    expect(formatDescription(linear).blockBytes).toBe(formatDescription(name).blockBytes);
  }
});
