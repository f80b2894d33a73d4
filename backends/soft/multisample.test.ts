import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/format/format.ts';
import { linearToSrgb } from '../../src/format/srgb.ts';
import type { BlitInfo, Resource } from '../../src/pipe/pipe.ts';
import { SAMPLE_POSITIONS } from '../../src/raster/layout.ts';
import { fragment, Rig } from './rig.ts';

function setUp(format: Format = 'R32G32B32A32_FLOAT', size = 8): { rig: Rig; color: Resource } {
  const rig = new Rig();
  const color = rig.texture(format, size, size, { samples: 4 });
  rig.target([color]);
  rig.clear([0, 0, 0, 0]);
  return { rig, color };
}

function blitInfo(source: Resource, destination: Resource, format: Format, mask = 1): BlitInfo {
  const box = { x: 0, y: 0, z: 0, width: source.width, height: source.height, depth: 1 };
  return {
    source: { resource: source, level: 0, box, format },
    destination: { resource: destination, level: 0, box, format },
    mask,
    filter: 'nearest',
    scissor: null,
    followsRenderCondition: false,
  };
}

describe('four samples a pixel', () => {
  it('cover a pixel by its sample positions', () => {
    const { rig, color } = setUp();
    for (const edge of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      rig.clear([0, 0, 0, 0]);
      rig.rect(0, 0, 3 + edge, 8);
      const covered = SAMPLE_POSITIONS[4].filter(([x]) => x / 256 < edge).length;
      expect(rig.pixel(rig.resolved(color), 3, 2)[0], `edge ${edge}`).toBe(covered / 4);
    }
  });

  it('leave no gap and no double cover between adjacent triangles', () => {
    const { rig, color } = setUp();
    rig.blend([{ enabled: true, destinationRgb: 'one' }]);
    rig.rect(0, 0, 3.4, 8);
    rig.rect(3.4, 0, 8, 8);
    for (const [red] of rig.pixels(rig.resolved(color))) expect(red).toBe(1);
  });

  it('keep depth a sample', () => {
    const rig = new Rig();
    const color = rig.texture('R32_FLOAT', 8, 8, { samples: 4 });
    const zs = rig.texture('Z32_FLOAT', 8, 8, { samples: 4 });
    rig.target([color], zs);
    rig.clear([0, 0, 0, 0]);
    rig.clearDepthStencil(1, 0);
    rig.depthStencil({ depthTest: true, depthWrite: true, depthFunc: 'less' });
    rig.rect(0, 0, 3.5, 8, { z: 0.25, color: [1, 0, 0, 0] });
    rig.rect(0, 0, 8, 8, { z: 0.5, color: [2, 0, 0, 0] });
    const row = rig
      .pixels(rig.resolved(color))
      .slice(0, 5)
      .map(([red]) => red);
    expect(row).toEqual([1, 1, 1, 1.5, 2]);
  });

  it('shade once a pixel', () => {
    const { rig, color } = setUp();
    rig.fragmentShader(fragment((b) => b.storeOutput('color0', b.splat(b.channel(b.sysval('fragCoord'), 0), 4))));
    rig.fill();
    expect(rig.pixel(rig.resolved(color), 5, 5)[0]).toBe(5.5);
  });

  it('obey sample mask and sample coverage', () => {
    const { rig, color } = setUp();
    const red = (): number => rig.pixel(rig.resolved(color), 1, 1)[0]!;
    rig.context.setSampleMask(0b0101);
    rig.fill();
    expect(red()).toBe(0.5);
    rig.context.setSampleMask(0xffffffff);
    rig.clear([0, 0, 0, 0]);
    rig.context.setSampleCoverage(0.25, false);
    rig.fill();
    expect(red()).toBe(0.25);
    rig.context.setSampleCoverage(0.25, true);
    rig.fill();
    expect(red()).toBe(1);
    rig.clear([0, 0, 0, 0]);
    rig.context.setSampleCoverage(0, false);
    rig.fill();
    expect(red()).toBe(0);
    rig.rasterizer({ multisample: false });
    rig.fill();
    expect(red()).toBe(1);
  });

  it.each([
    [0, 0],
    [0.1, 0],
    [0.25, 1],
    [0.5, 2],
    [0.75, 3],
    [1, 4],
    [7, 4],
    [-1, 0],
  ])('alpha to coverage: alpha %d draws to %d of 4 samples', (alpha, covered) => {
    const { rig, color } = setUp('R8G8B8A8_UNORM');
    rig.clear([0.2, 0, 0, 0]);
    rig.blend([{}], { alphaToCoverage: true });
    rig.fill({ color: [1, 0, 0, alpha] });
    const written = Math.min(Math.max(alpha, 0), 1);
    for (const [red, , , a] of rig.pixels(rig.resolved(color))) {
      expect(red! * 255).toBeCloseTo((51 * (4 - covered) + 255 * covered) / 4, 0);
      expect(a! * 255).toBeCloseTo((Math.round(written * 255) * covered) / 4, 0);
    }
  });

  it('alpha to coverage meets sample coverage and the sample mask', () => {
    const { rig, color } = setUp();
    rig.blend([{}], { alphaToCoverage: true });
    rig.context.setSampleCoverage(0.5, true);
    rig.fill({ color: [1, 1, 1, 0.75] });
    const share = rig.pixel(rig.resolved(color), 3, 3)[0]!;
    // 3 samples of alpha, 2 of coverage: at least one is in both, at most two.
    expect([0.25, 0.5]).toContain(share);
    rig.clear([0, 0, 0, 0]);
    rig.context.setSampleCoverage(1, false);
    rig.context.setSampleMask(0b0010);
    rig.fill({ color: [1, 1, 1, 1] });
    expect(rig.pixel(rig.resolved(color), 3, 3)[0]).toBe(0.25);
  });

  it('a sample coverage and its inverse meet every sample once', () => {
    for (const value of [0, 0.25, 0.5, 0.75, 1]) {
      const { rig, color } = setUp('R8G8B8A8_UNORM');
      rig.blend([{ enabled: true, sourceRgb: 'one', destinationRgb: 'one' }]);
      rig.context.setSampleCoverage(value, false);
      rig.fill({ color: [0.2, 0, 0, 0] });
      rig.context.setSampleCoverage(value, true);
      rig.fill({ color: [0.2, 0, 0, 0] });
      for (const [red] of rig.pixels(rig.resolved(color))) expect(red! * 255, `${value}`).toBeCloseTo(51, 4);
    }
  });

  it('neither counts on one sample', () => {
    const rig = new Rig();
    const color = rig.texture('R8G8B8A8_UNORM', 4, 4);
    rig.target([color]);
    rig.clear([0, 0, 0, 0]);
    rig.context.setSampleCoverage(0, false);
    rig.blend([{}], { alphaToCoverage: true });
    rig.fill({ color: [1, 0, 0, 0] });
    expect(rig.pixel(color, 2, 2)).toEqual([1, 0, 0, 0]);
  });

  it('count a written sample mask in late tests', () => {
    const { rig, color } = setUp();
    rig.fragmentShader(
      fragment(
        (b) => {
          b.storeOutput('sampleMask', b.constInt(0b1000));
          b.storeOutput('color0', b.loadInput('var0', 4));
        },
        ['color0', 'sampleMask'],
      ),
    );
    const query = rig.context.createQuery('occlusionCounter', 0);
    rig.context.beginQuery(query);
    rig.fill();
    rig.context.endQuery(query);
    expect(rig.context.getQueryResult(query)).toBe(64);
    expect(rig.pixel(rig.resolved(color), 2, 2)[0]).toBe(0.25);
  });

  it('are loaded and stored when a job goes on', () => {
    const { rig, color } = setUp('R8G8B8A8_UNORM', 70);
    rig.rect(0, 0, 33.4, 70);
    rig.context.flush(0);
    rig.rect(33.4, 0, 70, 70);
    for (const pixel of rig.pixels(rig.resolved(color))) expect(pixel).toEqual([1, 1, 1, 1]);
  });
});

describe('resolves', () => {
  it.each<[Format, number]>([
    ['R8G8B8A8_UNORM', 1 / 255],
    ['R8_UNORM', 1 / 255],
    ['R5G6B5_UNORM', 1 / 31],
    ['R10G10B10A2_UNORM', 1 / 1023],
    ['R16G16B16A16_FLOAT', 1e-3],
    ['R11G11B10_FLOAT', 1 / 64],
    ['R32_FLOAT', 1e-6],
  ])('average the samples: %s', (format, step) => {
    const { rig, color } = setUp(format);
    rig.context.setSampleMask(0b0001);
    rig.fill({ color: [1, 1, 1, 1] });
    rig.context.setSampleMask(0b0110);
    rig.fill({ color: [0.5, 0.5, 0.5, 0.5] });
    expect(Math.abs(rig.pixel(rig.resolved(color), 3, 3)[0]! - 0.5)).toBeLessThanOrEqual(step);
  });

  it('average sRGB as light', () => {
    const { rig, color } = setUp('R8G8B8A8_SRGB');
    rig.context.setSampleMask(0b0011);
    rig.fill();
    const bytes = rig.bytes(rig.resolved(color));
    expect(Math.abs(bytes[0]! - linearToSrgb(0.5) * 255)).toBeLessThanOrEqual(1);
    expect(bytes[3]).toBe(128);
  });

  it('take sample 0 of integers, depth and stencil', () => {
    const { rig, color } = setUp('R32_UINT');
    rig.fragmentShader(fragment((b) => b.storeOutput('color0', b.f2u(b.loadInput('var0', 4)))));
    rig.fill({ color: [7, 7, 7, 7] });
    rig.context.setSampleMask(0b1110);
    rig.fill({ color: [100, 0, 0, 0] });
    expect(rig.pixel(rig.resolved(color), 2, 2)[0]).toBe(7);

    const [from, to] = [rig.texture('Z24_UNORM_S8_UINT', 8, 8, { samples: 4 }), rig.texture('Z24_UNORM_S8_UINT', 8, 8)];
    rig.target([], from);
    rig.clearDepthStencil(0.75, 42);
    rig.context.blit(blitInfo(from, to, 'Z24_UNORM_S8_UINT', 6));
    expect(rig.depths(to)[9]).toBeCloseTo(0.75, 5);
    expect(rig.stencils(to)[9]).toBe(42);
  });

  it('of a part are drawn, of the whole are direct, with equal results', () => {
    const { rig, color } = setUp('R8G8B8A8_UNORM', 70);
    rig.fill({ color: [0.2, 0.4, 0.6, 0.8] });
    rig.rect(10.3, 5.2, 60.7, 33.9, { color: [1, 0.1, 0.3, 0.5] });
    const direct = rig.resolved(color);
    const drawn = rig.texture('R8G8B8A8_UNORM', 70, 70);
    const scissor = { minX: 0, minY: 0, maxX: 70, maxY: 70 };
    rig.context.blit({ ...blitInfo(color, drawn, 'R8G8B8A8_UNORM'), scissor });
    expect(rig.bytes(drawn)).toEqual(rig.bytes(direct));
    const part = rig.texture('R8G8B8A8_UNORM', 70, 70);
    rig.context.blit({ ...blitInfo(color, part, 'R8G8B8A8_UNORM'), scissor: { ...scissor, maxX: 20 } });
    expect(rig.pixel(part, 19, 40)).toEqual(rig.pixel(direct, 19, 40));
    expect(rig.pixel(part, 20, 40)).toEqual([0, 0, 0, 0]);
  });

  it('copy all samples between multisampled resources', () => {
    const { rig, color } = setUp('R8G8B8A8_UNORM');
    rig.context.setSampleMask(0b0011);
    rig.fill();
    const copy = rig.texture('R8G8B8A8_UNORM', 8, 8, { samples: 4 });
    rig.context.blit(blitInfo(color, copy, 'R8G8B8A8_UNORM'));
    expect(rig.pixel(rig.resolved(copy), 1, 1)[0]).toBeCloseTo(0.5, 2);
  });
});
