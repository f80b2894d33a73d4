// Every format in every use that the screen says it supports, against src/format.

import { describe, expect, it } from 'vitest';
import { decodeCompressed } from '../../src/format/compressed/decode.ts';
import {
  blockBytes,
  FORMAT_NAMES,
  type Format,
  formatDescription,
  imageBytes,
  rowBytes,
} from '../../src/format/format.ts';
import { packPixel } from '../../src/format/pack.ts';
import { unpackPixel } from '../../src/format/unpack.ts';
import { BIND } from '../../src/pipe/pipe.ts';
import { isFormatSupported, storageFormat } from './format.ts';
import { fetchShader, fragment, Rig } from './rig.ts';

const colors = FORMAT_NAMES.filter((format) => formatDescription(format).space !== 'zs');
const renderable = colors.filter((format) => isFormatSupported(format, 'texture2D', 1, BIND.RENDER_TARGET));
const sampleable = colors.filter((format) => isFormatSupported(format, 'texture2D', 1, BIND.SAMPLER_VIEW));

const SHOW_INTEGER = {
  int: fragment((b) => b.storeOutput('color0', b.f2i(b.loadInput('var0', 4)))),
  uint: fragment((b) => b.storeOutput('color0', b.f2u(b.loadInput('var0', 4)))),
};
const FETCH = {
  float: fetchShader(),
  int: fetchShader({ resultType: 'int' }),
  uint: fetchShader({ resultType: 'uint' }),
};

/** What a value becomes in the format's channels; those that it lacks read as the format says. */
function held(format: Format, color: readonly number[]): number[] {
  return [...unpackPixel(format, packPixel(format, color))];
}

function expectNear(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  for (const [i, value] of actual.entries()) {
    expect(Math.abs(value - expected[i]!), `${actual} is not ${expected}`).toBeLessThanOrEqual(tolerance);
  }
}

/** sRGB is decoded by a polynomial. */
function sampledTolerance(format: Format): number {
  return formatDescription(format).isSrgb ? 5e-5 : 2e-7;
}

/** Hash of an index: bytes without pattern, the same every time. */
function noise(i: number): number {
  return (Math.imul(i + 1, 0x9e3779b1) >>> 13) & 255;
}

describe('render targets', () => {
  it('are many', () => expect(renderable.length).toBeGreaterThan(60));

  it.each(renderable)('clear, draw and read %s', (format) => {
    const { numericClass, isSrgb } = formatDescription(format);
    const rig = new Rig();
    const color = rig.texture(format, 18, 5);
    rig.target([color]);
    const isInteger = numericClass === 'int' || numericClass === 'uint';
    const [first, second] = isInteger
      ? [
          [1, 2, 3, 1],
          [numericClass === 'int' ? -100 : 100, 1, 2, 0],
        ]
      : [
          [0.25, 1, 0.5, 0.75],
          [1, 0.3, 0, 1],
        ];
    if (isInteger) rig.fragmentShader(SHOW_INTEGER[numericClass]);
    rig.clear(first!);
    rig.rect(5, 0, 18, 5, { color: second! });
    // sRGB is encoded by a polynomial: at most one code off.
    const tolerance = isSrgb ? 0.01 : 0;
    expectNear(rig.pixel(color, 4, 4), held(format, first!), tolerance);
    expectNear(rig.pixel(color, 17, 4), held(format, second!), tolerance);
  });
});

describe('textures', () => {
  it.each(sampleable.filter((format) => !formatDescription(format).isCompressed))('fetch %s', (format) => {
    const tolerance = sampledTolerance(format);
    const { numericClass } = formatDescription(format);
    const [width, height] = [9, 6];
    const rig = new Rig();
    const texture = rig.texture(format, width, height, { bind: BIND.SAMPLER_VIEW });
    const bytes = blockBytes(format);
    const data = new Uint8Array(width * height * bytes);
    for (let i = 0; i < width * height; i++) {
      // Floats of random bits may be NaN: valid pixels are packed instead.
      const values = [0, 1, 2, 3].map((c) => noise(i * 4 + c));
      const isInteger = numericClass !== 'float';
      data.set(packPixel(format, isInteger ? values : values.map((v) => v / 255)), i * bytes);
    }
    rig.upload(texture, data);
    const kind = numericClass === 'int' ? 'int' : numericClass === 'uint' ? 'uint' : 'float';
    const target = rig.texture(
      kind === 'int' ? 'R32G32B32A32_SINT' : kind === 'uint' ? 'R32G32B32A32_UINT' : 'R32G32B32A32_FLOAT',
      width,
      height,
    );
    rig.target([target]);
    rig.fragmentShader(FETCH[kind]);
    rig.sample([rig.view(texture)]);
    rig.fill({ color: [0, 0, 0, 0] });
    for (const [i, pixel] of rig.pixels(target).entries())
      expectNear(pixel, [...unpackPixel(format, data, i * bytes)], tolerance);
  });

  it.each(sampleable.filter((format) => formatDescription(format).isCompressed))('decode %s', (format) => {
    const { blockWidth, blockHeight } = formatDescription(format);
    const [width, height] = [blockWidth * 3 + 1, blockHeight * 2 + 2];
    const rig = new Rig();
    const texture = rig.texture(format, width, height, { bind: BIND.SAMPLER_VIEW });
    const data = Uint8Array.from({ length: imageBytes(format, width, height) }, (_, i) => noise(i));
    const stride = rowBytes(format, width);
    const box = { x: 0, y: 0, z: 0, width, height, depth: 1 };
    rig.context.textureSubdata(texture, 0, box, data, stride, data.length);
    const stored = storageFormat(format);
    const bytes = blockBytes(stored);
    const decoded = new Uint8Array(width * height * bytes);
    decodeCompressed(format, data, stride, width, height, decoded, 0, width * bytes);
    const target = rig.texture('R32G32B32A32_FLOAT', width, height);
    rig.target([target]);
    rig.fragmentShader(FETCH.float);
    rig.sample([rig.view(texture)]);
    rig.fill({ color: [0, 0, 0, 0] });
    for (const [i, pixel] of rig.pixels(target).entries()) {
      const expected = [...unpackPixel(stored, decoded, i * bytes)];
      if (expected.every(Number.isFinite)) expectNear(pixel, expected, sampledTolerance(format));
    }
  });

  it.each<Format>(['Z16_UNORM', 'Z24X8_UNORM', 'Z24_UNORM_S8_UINT', 'Z32_FLOAT', 'Z32_FLOAT_S8X24_UINT'])(
    'fetch depth: %s',
    (format) => {
      const rig = new Rig();
      const zs = rig.texture(format, 8, 8);
      rig.target([], zs);
      rig.clearDepthStencil(0.25, 200);
      rig.clearDepthStencil(0.75, 1, { scissor: { minX: 4, minY: 0, maxX: 8, maxY: 8 } });
      const target = rig.texture('R32G32B32A32_FLOAT', 8, 8);
      rig.target([target]);
      rig.fragmentShader(FETCH.float);
      rig.sample([rig.view(zs)]);
      rig.fill({ color: [0, 0, 0, 0] });
      expectNear(rig.pixel(target, 3, 3), [0.25, 0, 0, 1], 1e-5);
      expectNear(rig.pixel(target, 4, 3), [0.75, 0, 0, 1], 1e-5);
    },
  );

  it.each<Format>(['S8_UINT', 'Z24_UNORM_S8_UINT', 'Z32_FLOAT_S8X24_UINT'])('fetch stencil: %s', (format) => {
    const rig = new Rig();
    const zs = rig.texture(format, 8, 8);
    rig.target([], zs);
    rig.clearDepthStencil(0.3, 200);
    rig.clearDepthStencil(0.7, 3, { scissor: { minX: 4, minY: 0, maxX: 8, maxY: 8 } });
    const target = rig.texture('R32G32B32A32_UINT', 8, 8);
    rig.target([target]);
    rig.fragmentShader(FETCH.uint);
    rig.sample([rig.view(zs, { aspect: 'stencil' })]);
    rig.fill({ color: [0, 0, 0, 0] });
    expect(rig.pixel(target, 3, 3)).toEqual([200, 0, 0, 1]);
    expect(rig.pixel(target, 4, 3)).toEqual([3, 0, 0, 1]);
  });
});
