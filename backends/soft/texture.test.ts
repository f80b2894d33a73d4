import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/format/format.ts';
import type { Shader } from '../../src/ir/ir.ts';
import { BIND, type Resource, type ResourceTarget, type SamplerView } from '../../src/pipe/pipe.ts';
import { fetchShader, fragment, Rig, sampleShader } from './rig.ts';
import { createTexture } from './testing.ts';

const FLOAT4 = 'R32G32B32A32_FLOAT';

/** A texture whose every texel says where it is: x, y, layer, level. */
function addressed(rig: Rig, target: ResourceTarget, size: number, layers: number, levels: number): Resource {
  const is3D = target === 'texture3D';
  const texture = rig.texture(FLOAT4, size, size, {
    target,
    levels,
    depth: is3D ? layers : 1,
    arraySize: is3D ? 1 : layers,
  });
  for (let level = 0; level < levels; level++) {
    const side = Math.max(1, size >> level);
    const slices = is3D ? Math.max(1, layers >> level) : layers;
    for (let layer = 0; layer < slices; layer++) {
      const data = new Float32Array(side * side * 4);
      for (let i = 0; i < side * side; i++) data.set([i % side, Math.floor(i / side), layer, level], i * 4);
      rig.upload(texture, data, level, layer);
    }
  }
  return texture;
}

/** Draws one pixel with `var0` given, returns what it read. */
function read(rig: Rig, target: Resource, view: SamplerView, var0: readonly number[]): number[] {
  rig.target([target]);
  rig.sample([view]);
  rig.fill({ color: var0 });
  return rig.pixel(target, 2, 3);
}

/** Samples texture 1 where texture 0 says for the pixel. */
function sampleAtTexels(): Shader {
  return fragment((b, shader) => {
    for (const name of ['where', 'what']) shader.samplers.push({ name, dim: '2d', shadow: false, resultType: 'float' });
    const pixel = b.f2i(b.swizzle(b.sysval('fragCoord'), [0, 1]));
    const at = b.tex({ op: 'fetch', sampler: 0, dim: '2d', coord: pixel, lod: b.constInt(0) });
    b.storeOutput('color0', b.tex({ op: 'sample', sampler: 1, dim: '2d', coord: b.swizzle(at, [0, 1]) }));
  });
}

describe('fetches', () => {
  it.each<[ResourceTarget, '2d' | '3d' | '2dArray', number]>([
    ['texture2D', '2d', 1],
    ['texture3D', '3d', 8],
    ['texture2DArray', '2dArray', 5],
  ])('find texel, layer and level of a %s', (target, dim, layers) => {
    const rig = new Rig();
    const texture = addressed(rig, target, 16, layers, 3);
    const out = rig.texture(FLOAT4, 4, 4);
    rig.fragmentShader(fetchShader({ dim }));
    const view = rig.view(texture);
    for (const level of [0, 1, 2]) {
      const slices = target === 'texture3D' ? layers >> level : layers;
      for (const layer of [0, slices - 1]) {
        expect(read(rig, out, view, [0, 0, layer, level])).toEqual([2, 3, layer, level]);
      }
    }
  });
});

describe('views', () => {
  it('start at their first level and end at their last', () => {
    const rig = new Rig();
    const texture = addressed(rig, 'texture2D', 32, 1, 5);
    const out = rig.texture(FLOAT4, 4, 4);
    rig.fragmentShader(fetchShader());
    expect(read(rig, out, rig.view(texture, { firstLevel: 2, lastLevel: 3 }), [0, 0, 0, 1])).toEqual([2, 3, 0, 3]);
    rig.fragmentShader(sampleShader('2d', 10));
    rig.sample([rig.view(texture, { firstLevel: 1, lastLevel: 2 })], { mipFilter: 'nearest' });
    rig.fill({ color: [0.01, 0.01, 0, 0] });
    expect(rig.pixel(out, 2, 3)).toEqual([0, 0, 0, 2]);
  });

  it('start at their first layer, and show one layer as a plain texture', () => {
    const rig = new Rig();
    const texture = addressed(rig, 'texture2DArray', 8, 6, 2);
    const out = rig.texture(FLOAT4, 4, 4);
    rig.fragmentShader(fetchShader({ dim: '2dArray' }));
    expect(read(rig, out, rig.view(texture, { firstLayer: 2, lastLayer: 4 }), [0, 0, 1, 1])).toEqual([2, 3, 3, 1]);
    rig.fragmentShader(fetchShader());
    const one = rig.view(texture, { target: 'texture2D', firstLayer: 5, lastLayer: 5 });
    expect(read(rig, out, one, [0, 0, 0, 0])).toEqual([2, 3, 5, 0]);
  });

  it('swizzle', () => {
    const rig = new Rig();
    const texture = addressed(rig, 'texture2D', 8, 1, 1);
    const out = rig.texture(FLOAT4, 4, 4);
    rig.fragmentShader(fetchShader());
    expect(read(rig, out, rig.view(texture, { swizzle: ['y', '1', 'x', '0'] }), [0, 0, 0, 0])).toEqual([3, 1, 2, 0]);
  });

  it('show sRGB bytes as linear and back', () => {
    const rig = new Rig();
    const texture = rig.texture('R8G8B8A8_SRGB', 4, 4);
    rig.upload(texture, new Uint8Array(64).fill(188));
    const out = rig.texture(FLOAT4, 4, 4);
    rig.fragmentShader(fetchShader());
    expect(read(rig, out, rig.view(texture), [0, 0, 0, 0])[0]).toBeCloseTo(0.5, 2);
    expect(read(rig, out, rig.view(texture, { format: 'R8G8B8A8_UNORM' }), [0, 0, 0, 0])[0]).toBeCloseTo(188 / 255, 6);
  });
});

describe('cube maps', () => {
  it('find each face by direction', () => {
    const rig = new Rig();
    const texture = addressed(rig, 'textureCube', 8, 6, 1);
    const out = rig.texture(FLOAT4, 4, 4);
    rig.fragmentShader(sampleShader('cube', 0));
    const directions = [
      [1, 0.1, 0.1],
      [-1, 0.1, 0.1],
      [0.1, 1, 0.1],
      [0.1, -1, 0.1],
      [0.1, 0.1, 1],
      [0.1, 0.1, -1],
    ];
    for (const [face, direction] of directions.entries()) {
      expect(read(rig, out, rig.view(texture), [...direction, 0])[2]).toBe(face);
    }
  });

  it('are rendered face by face', () => {
    const rig = new Rig();
    const texture = rig.texture('R8G8B8A8_UNORM', 8, 8, { target: 'textureCube', arraySize: 6 });
    for (let face = 0; face < 6; face++) {
      const surface = { resource: texture, level: 0, firstLayer: face, lastLayer: face, format: texture.format };
      rig.target([surface]);
      rig.fill({ color: [face / 5, 0, 0, 1] });
    }
    for (let face = 0; face < 6; face++) expect(rig.pixel(texture, 3, 3, 0, face)[0]).toBeCloseTo(face / 5, 2);
  });
});

describe('samplers', () => {
  it('wrap as they say', () => {
    const rig = new Rig();
    const texture = addressed(rig, 'texture2D', 8, 1, 1);
    const out = rig.texture(FLOAT4, 4, 4);
    rig.fragmentShader(sampleShader('2d', 0));
    rig.target([out]);
    for (const [wrapS, u, x] of [
      ['repeat', 1.3, 2],
      ['repeat', -0.1, 7],
      ['clampToEdge', 1.3, 7],
      ['clampToEdge', -3, 0],
      ['mirroredRepeat', 1.3, 5],
      ['mirroredRepeat', -0.3, 2],
    ] as const) {
      rig.sample([rig.view(texture)], { wrapS });
      rig.fill({ color: [u, 0.5, 0, 0] });
      expect(rig.pixel(out, 0, 0)[0], `${wrapS} ${u}`).toBe(x);
    }
  });

  it('filter between texels and between levels', () => {
    const rig = new Rig();
    const texture = addressed(rig, 'texture2D', 8, 1, 3);
    const out = rig.texture(FLOAT4, 4, 4);
    rig.target([out]);
    rig.fragmentShader(sampleShader('2d', 0.5));
    rig.sample([rig.view(texture)], { minFilter: 'linear', magFilter: 'linear', mipFilter: 'linear' });
    rig.fill({ color: [0.5, 0.5, 0, 0] });
    const [x, , , level] = rig.pixel(out, 1, 1);
    expect(level).toBeCloseTo(0.5, 5);
    expect(x).toBeCloseTo((3.5 + 1.5) / 2, 5);
  });

  it('turn to other levels from quad to quad, up and down again', () => {
    const rig = new Rig();
    const [size, levels] = [64, 7];
    const texture = addressed(rig, 'texture2D', size, 1, levels);
    const out = rig.texture(FLOAT4, 32, 2);
    rig.target([out]);
    // Steps of s from pixel to pixel: the quads of one row take levels 0, 3, 0, 1, 6, 1, …
    const steps = [1, 8, 0.5, 2, 64, 2.5, 4, 4, 16, 1, 0.25, 32, 3, 3, 64, 1];
    const expected = [0, 3, 0, 1, 6, 1, 2, 2, 4, 0, 0, 5, 2, 2, 6, 0];
    const coordinates = rig.texture(FLOAT4, 32, 2);
    const data = new Float32Array(32 * 2 * 4);
    for (let i = 0; i < 64; i++) data.set([((i & 1) * steps[(i & 31) >> 1]!) / size, 0, 0, 0], i * 4);
    rig.upload(coordinates, data);
    rig.fragmentShader(sampleAtTexels());
    for (const mipFilter of ['nearest', 'linear'] as const) {
      rig.sample([rig.view(coordinates), rig.view(texture)], { mipFilter, wrapS: 'repeat' });
      rig.fill();
      const read = rig.pixels(out).filter((_, i) => i % 2 === 0 && i < 32);
      const lods = steps.map((step) => Math.max(0, Math.log2(step)));
      read.forEach(([, , , level], quad) => {
        expect(level, `quad ${quad}`).toBeCloseTo(mipFilter === 'nearest' ? expected[quad]! : lods[quad]!, 2);
      });
    }
  });

  it('clamp and bias the level', () => {
    const rig = new Rig();
    const texture = addressed(rig, 'texture2D', 32, 1, 5);
    const out = rig.texture(FLOAT4, 4, 4);
    rig.target([out]);
    rig.fragmentShader(sampleShader('2d', 1));
    for (const [state, level] of [
      [{}, 1],
      [{ minLod: 3 }, 3],
      [{ maxLod: 0 }, 0],
    ] as const) {
      rig.sample([rig.view(texture)], { mipFilter: 'nearest', ...state });
      rig.fill({ color: [0.5, 0.5, 0, 0] });
      expect(rig.pixel(out, 0, 0)[3]).toBe(level);
    }
  });

  it('change between draws of one job', () => {
    const rig = new Rig();
    const texture = addressed(rig, 'texture2D', 8, 1, 1);
    const out = rig.texture(FLOAT4, 8, 8);
    rig.target([out]);
    rig.fragmentShader(sampleShader('2d', 0));
    for (const [x, wrapS] of [
      [0, 'repeat'],
      [2, 'clampToEdge'],
      [4, 'repeat'],
    ] as const) {
      rig.sample([rig.view(texture)], { wrapS });
      rig.rect(x, 0, x + 2, 8, { color: [1.3, 0.5, 0, 0] });
    }
    expect([0, 2, 4].map((x) => rig.pixel(out, x, 0)[0])).toEqual([2, 7, 2]);
  });

  it('without a texture read 0, 0, 0, 1', () => {
    const rig = new Rig();
    const out = rig.texture(FLOAT4, 4, 4);
    rig.target([out]);
    rig.fragmentShader(sampleShader('2d', 0));
    rig.context.setSamplerViews('fragment', []);
    rig.fill({ color: [0.5, 0.5, 0, 0] });
    expect(rig.pixel(out, 0, 0)).toEqual([0, 0, 0, 1]);
  });
});

describe('compressed storage', () => {
  it.each<[Format, number[]]>([
    ['DXT1_RGB', [0, 0, 0, 1]],
    ['ASTC_4x4', [1, 0, 1, 1]],
    ['ETC2_RGB8', [2 / 255, 2 / 255, 2 / 255, 1]],
    ['BPTC_RGBA_UNORM', [0, 0, 0, 0]],
    // 8 · 0 + 4 − 3 of 2047
    ['ETC2_R11_UNORM', [1 / 2047, 0, 0, 1]],
  ])('%s is made of blocks of zeros', (format, expected) => {
    const rig = new Rig();
    const target = rig.texture('R32G32B32A32_FLOAT', 4, 4);
    const texture = createTexture(rig.screen, { format, width: 5, height: 7, levels: 3, bind: BIND.SAMPLER_VIEW });
    rig.fragmentShader(sampleShader('2d', 2));
    for (const s of [0.01, 0.99])
      read(rig, target, rig.view(texture), [s, s, 0, 0]).forEach((value, c) => {
        expect(value).toBeCloseTo(expected[c]!, 4);
      });
  });
});
