import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/format/format.ts';
import { packPixel } from '../../src/format/pack.ts';
import { unpackPixel } from '../../src/format/unpack.ts';
import { CLEAR, type Resource } from '../../src/pipe/pipe.ts';
import { colorValue, Rig } from './rig.ts';
import { clearInfo, surfaceOf } from './testing.ts';

const RGBA8 = 'R8G8B8A8_UNORM';

/** Checks every pixel against `expected(x, y)`. */
function expectPixels(rig: Rig, resource: Resource, expected: (x: number, y: number) => readonly number[]): void {
  const { width } = resource;
  rig.pixels(resource).forEach((pixel, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    expect(pixel, `pixel ${x}, ${y}`).toEqual(expected(x, y));
  });
}

describe('colour clears', () => {
  it.each([
    [1, 1],
    [3, 70],
    [64, 64],
    [129, 65],
  ])('reach every pixel of %d × %d', (width, height) => {
    const rig = new Rig();
    const color = rig.texture(RGBA8, width, height);
    rig.target([color]);
    rig.clear([1, 0, 0, 1]);
    expectPixels(rig, color, () => [1, 0, 0, 1]);
  });

  it('write a scissored box and nothing else, whatever its edges', () => {
    for (const scissor of [
      { minX: 0, minY: 0, maxX: 1, maxY: 1 },
      { minX: 63, minY: 1, maxX: 66, maxY: 67 },
      { minX: 5, minY: 7, maxX: 5, maxY: 9 },
      { minX: -10, minY: 60, maxX: 500, maxY: 64 },
    ]) {
      const rig = new Rig();
      const color = rig.texture(RGBA8, 70, 68);
      rig.target([color]);
      rig.clear([0, 0, 1, 1]);
      rig.clear([0, 1, 0, 0], { scissor });
      const isInside = (x: number, y: number) =>
        x >= scissor.minX && x < scissor.maxX && y >= scissor.minY && y < scissor.maxY;
      expectPixels(rig, color, (x, y) => (isInside(x, y) ? [0, 1, 0, 0] : [0, 0, 1, 1]));
    }
  });

  it('keep masked channels, first in a job and after draws', () => {
    for (const drawsFirst of [false, true]) {
      const rig = new Rig();
      const color = rig.texture(RGBA8, 33, 17);
      rig.target([color]);
      rig.clear([0, 0, 1, 1]);
      rig.context.flush(0);
      if (drawsFirst) rig.fill({ color: [0, 0, 1, 1] });
      rig.clear([1, 1, 0, 0], { colorMasks: [1 | 8] });
      expectPixels(rig, color, () => [1, 0, 1, 0]);
    }
  });

  it('come after the draws before them and before those after them', () => {
    const rig = new Rig();
    const color = rig.texture(RGBA8, 40, 40);
    rig.target([color]);
    rig.fill({ color: [1, 0, 0, 1] });
    rig.clear([0, 1, 0, 1]);
    rig.rect(0, 0, 20, 40, { color: [0, 0, 1, 1] });
    expectPixels(rig, color, (x) => (x < 20 ? [0, 0, 1, 1] : [0, 1, 0, 1]));
  });

  it('write the chosen targets only', () => {
    const rig = new Rig();
    const colors = [RGBA8, RGBA8, 'R32_FLOAT'].map((format) => rig.texture(format as Format, 9, 9));
    rig.target(colors);
    rig.context.clear(
      clearInfo([0.5, 0.25, 0, 1], { buffers: (CLEAR.COLOR0 << 1) | (CLEAR.COLOR0 << 2), colorMasks: [15, 15, 15] }),
    );
    expect(rig.pixel(colors[0]!, 4, 4)).toEqual([0, 0, 0, 0]);
    expect(rig.pixel(colors[1]!, 4, 4)).toEqual(unpackPixel(RGBA8, packPixel(RGBA8, [0.5, 0.25, 0, 1])));
    expect(rig.pixel(colors[2]!, 8, 8)).toEqual([0.5, 0, 0, 1]);
  });

  it('write one layer and level of an array', () => {
    const rig = new Rig();
    const array = rig.texture(RGBA8, 8, 8, { target: 'texture2DArray', arraySize: 3, levels: 2 });
    rig.target([surfaceOf(array, 1, 2)]);
    rig.clear([1, 1, 1, 1], { scissor: { minX: 1, minY: 1, maxX: 3, maxY: 3 } });
    const sum = (level: number, layer: number) =>
      rig
        .pixels(array, level, layer)
        .flat()
        .reduce((a, b) => a + b);
    expect(sum(1, 2)).toBe(16);
    for (const layer of [0, 1]) expect(sum(1, layer)).toBe(0);
    for (const layer of [0, 1, 2]) expect(sum(0, layer)).toBe(0);
  });

  it.each<[Format, number[]]>([
    ['R8G8B8A8_SRGB', [0.5, 0.25, 1, 0.5]],
    ['B8G8R8A8_UNORM', [0.5, 0.25, 1, 0.5]],
    ['R5G6B5_UNORM', [0.5, 0.25, 1, 1]],
    ['R10G10B10A2_UNORM', [0.5, 0.25, 1, 0.3]],
    ['R11G11B10_FLOAT', [0.5, 100, 1.5, 1]],
    ['R16G16B16A16_FLOAT', [-0.5, 100, 65504, 1e-5]],
    ['R32G32B32A32_FLOAT', [-0.5, 1e30, 3, 4]],
    ['R8_UINT', [200, 0, 0, 1]],
    ['R8G8B8A8_SINT', [-128, 127, -1, 300]],
    ['R16G16_UINT', [65535, 70000, 0, 1]],
    ['R32G32B32A32_UINT', [0xffffffff, 0x80000000, 1, 2]],
    ['R32G32B32A32_SINT', [-1, -2147483648, 1, 2]],
  ])('are as the format packs them, free or drawn: %s', (format, color) => {
    const expected = unpackPixel(format, packPixel(format, color));
    for (const scissor of [null, { minX: 1, minY: 1, maxX: 16, maxY: 16 }]) {
      const rig = new Rig();
      const resource = rig.texture(format, 16, 16);
      rig.target([resource]);
      rig.clear(color, { scissor });
      for (const [i, value] of rig.pixel(resource, 5, 5).entries()) expect(value).toBeCloseTo(expected[i]!, 6);
    }
  });

  it('clear surfaces that are not bound, whatever the render condition', () => {
    const rig = new Rig();
    const [bound, other] = [rig.texture(RGBA8, 8, 8), rig.texture('R32_UINT', 20, 20)];
    rig.target([bound]);
    rig.clear([1, 1, 1, 1]);
    const query = rig.context.createQuery('occlusionPredicate', 0);
    rig.context.renderCondition(query, false, true);
    const rect = { minX: 2, minY: 3, maxX: 10, maxY: 11 };
    rig.context.clearRenderTarget(surfaceOf(other), colorValue('R32_UINT', [7, 0, 0, 0]), rect);
    rig.context.renderCondition(null, false, false);
    expectPixels(rig, other, (x, y) => [x >= 2 && x < 10 && y >= 3 && y < 11 ? 7 : 0, 0, 0, 1]);
    expectPixels(rig, bound, () => [1, 1, 1, 1]);
    expect(rig.context.bindings.framebuffer.colors[0]!.resource).toBe(bound);
  });

  it('are skipped by the render condition', () => {
    const rig = new Rig();
    const color = rig.texture(RGBA8, 4, 4);
    rig.target([color]);
    const query = rig.context.createQuery('occlusionPredicate', 0);
    rig.context.renderCondition(query, false, true);
    rig.clear([1, 1, 1, 1]);
    rig.clear([1, 1, 1, 1], { scissor: { minX: 0, minY: 0, maxX: 2, maxY: 2 } });
    rig.context.renderCondition(null, false, false);
    expectPixels(rig, color, () => [0, 0, 0, 0]);
  });

  it('fill all samples of a multisampled target', () => {
    for (const scissor of [null, { minX: 0, minY: 0, maxX: 30, maxY: 30 }]) {
      const rig = new Rig();
      const color = rig.texture(RGBA8, 30, 31, { samples: 4 });
      rig.target([color]);
      rig.clear([1, 0, 1, 0], { scissor });
      expect(rig.pixel(rig.resolved(color), 3, 3)).toEqual([1, 0, 1, 0]);
    }
  });
});

describe('depth and stencil clears', () => {
  const FORMATS: Format[] = ['Z16_UNORM', 'Z24X8_UNORM', 'Z24_UNORM_S8_UINT', 'Z32_FLOAT', 'Z32_FLOAT_S8X24_UINT'];

  it.each(FORMATS)('give the same depth free and drawn: %s', (format) => {
    for (const depth of [0, 0.25, 0.5, 0.1, 0.999999, 1, 2, -1]) {
      const results = [null, { minX: 0, minY: 0, maxX: 6, maxY: 7 }].map((scissor) => {
        const rig = new Rig();
        const zs = rig.texture(format, 7, 7);
        rig.target([], zs);
        rig.clearDepthStencil(depth, 0, { scissor, buffers: CLEAR.DEPTH });
        return rig.depths(zs)[0]!;
      });
      expect(results[0]).toBe(results[1]);
      expect(results[0]).toBeCloseTo(Math.min(Math.max(depth, 0), 1), 4);
    }
  });

  it.each<Format>(['Z24_UNORM_S8_UINT', 'Z32_FLOAT_S8X24_UINT'])(
    'clear one aspect and keep the other: %s',
    (format) => {
      for (const isPartial of [false, true]) {
        const scissor = isPartial ? { minX: 3, minY: 0, maxX: 70, maxY: 70 } : null;
        const rig = new Rig();
        const zs = rig.texture(format, 70, 70);
        rig.target([], zs);
        rig.clearDepthStencil(0.5, 0x5a);
        rig.context.flush(0);
        rig.clearDepthStencil(1, 0, { scissor, buffers: CLEAR.DEPTH });
        expect(new Set(rig.stencils(zs))).toEqual(new Set([0x5a]));
        rig.clearDepthStencil(0, 0xff, { scissor, buffers: CLEAR.STENCIL });
        const at = 70 * 10 + 9;
        expect(rig.depths(zs)[at]).toBe(1);
        expect(rig.stencils(zs)[at]).toBe(0xff);
        expect(rig.stencils(zs)[0]).toBe(isPartial ? 0x5a : 0xff);
        expect(rig.depths(zs)[0]).toBeCloseTo(isPartial ? 0.5 : 1, 6);
      }
    },
  );

  it.each<Format>(['S8_UINT', 'Z24_UNORM_S8_UINT', 'Z32_FLOAT_S8X24_UINT'])(
    'keep masked stencil bits: %s',
    (format) => {
      const rig = new Rig();
      const zs = rig.texture(format, 5, 66);
      rig.target([], zs);
      rig.clearDepthStencil(1, 0b10101010);
      rig.clearDepthStencil(1, 0b11110000, { buffers: CLEAR.STENCIL, stencilWriteMask: 0b00111100 });
      expect(new Set(rig.stencils(zs))).toEqual(new Set([0b10110010]));
    },
  );

  it('of stencil change nothing where there is none', () => {
    const rig = new Rig();
    const [color, zs] = [rig.texture(RGBA8, 8, 8), rig.texture('Z24X8_UNORM', 8, 8)];
    const raw = new Uint32Array(64).fill(0xab000000 | 0x123456);
    rig.upload(zs, raw);
    rig.target([color], zs);
    rig.clearDepthStencil(0, 0xff, { buffers: CLEAR.STENCIL });
    rig.clearDepthStencil(0, 0xff, { buffers: CLEAR.STENCIL, scissor: { minX: 0, minY: 0, maxX: 2, maxY: 2 } });
    rig.fill();
    expect(new Uint32Array(rig.bytes(zs).buffer)).toEqual(raw);
    rig.target([color]);
    rig.clearDepthStencil(0, 0xff);
    expect(rig.pixel(color, 0, 0)).toEqual([1, 1, 1, 1]);
  });

  it('clear depth-stencil surfaces that are not bound', () => {
    const rig = new Rig();
    const zs = rig.texture('Z24_UNORM_S8_UINT', 10, 10, { target: 'texture2DArray', arraySize: 2 });
    const rect = { minX: 0, minY: 0, maxX: 10, maxY: 5 };
    rig.context.clearDepthStencil(surfaceOf(zs, 0, 1), CLEAR.DEPTH_STENCIL, 1, 9, rect);
    expect(rig.depths(zs, 0, 1).reduce((a, b) => a + b)).toBe(50);
    expect(rig.stencils(zs, 0, 1).filter((s) => s === 9)).toHaveLength(50);
    expect(rig.depths(zs, 0, 0).reduce((a, b) => a + b)).toBe(0);
  });
});
