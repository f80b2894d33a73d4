// The blitter through soft: what it draws, and that nothing of it is left behind.

import { describe, expect, it } from 'vitest';
import { Rig } from '../../../backends/soft/rig.ts';
import type { Format } from '../../format/format.ts';
import { packPixel } from '../../format/pack.ts';
import { unpackPixel } from '../../format/unpack.ts';
import { BLIT, type BlitInfo, type Box, CLEAR, type ClearInfo, type Context, type Resource } from '../../pipe/pipe.ts';
import { type Bindings, saveBindings } from '../bindings.ts';
import { Blitter, type BlitterOptions } from './blitter.ts';

const RGBA8 = 'R8G8B8A8_UNORM';
const OPTIONS: BlitterOptions = {
  singleTriangleNearest: true,
  exactNearest: true,
  depthStencilViews: 'uint',
  resolve: null,
};

function blitterOf(rig: Rig, options: Partial<BlitterOptions> = {}): Blitter {
  return new Blitter(rig.context, rig.context.bindings, { ...OPTIONS, ...options });
}

function box(x: number, y: number, width: number, height: number, z = 0, depth = 1): Box {
  return { x, y, z, width, height, depth };
}

function blitInfo(source: Resource, destination: Resource, from: Box, to: Box, more: Partial<BlitInfo> = {}): BlitInfo {
  return {
    source: { resource: source, level: 0, box: from, format: source.format },
    destination: { resource: destination, level: 0, box: to, format: destination.format },
    mask: BLIT.COLOR,
    filter: 'nearest',
    scissor: null,
    followsRenderCondition: false,
    ...more,
  };
}

/** Every state away from its default. */
function bindEverything(rig: Rig): void {
  const { context } = rig;
  const texture = rig.texture(RGBA8, 4, 4);
  const color = rig.texture(RGBA8, 20, 20);
  const zs = rig.texture('Z24_UNORM_S8_UINT', 20, 20);
  rig.target([color, null, rig.texture(RGBA8, 20, 20)], zs);
  rig.vertices(new Array(32).fill(0));
  rig.viewport(1, 2, 3, 4);
  context.setScissor({ minX: 1, minY: 2, maxX: 13, maxY: 14 });
  rig.rasterizer({ scissor: true, cullFace: 'front', rasterizerDiscard: true, multisample: false });
  rig.blend([{ enabled: true, colorMask: 5 }], { alphaToCoverage: true });
  const face = {
    func: 'never',
    failOp: 'invert',
    depthFailOp: 'zero',
    passOp: 'keep',
    compareMask: 3,
    writeMask: 4,
  } as const;
  rig.depthStencil({ depthTest: true, depthFunc: 'never', stencil: { front: face, back: face } });
  context.setBlendColor(0.1, 0.2, 0.3, 0.4);
  context.setStencilReference({ front: 11, back: 22 });
  context.setSampleMask(0b10);
  context.setSampleCoverage(0.25, true);
  for (const stage of ['vertex', 'fragment'] as const) {
    context.setConstants(stage, Uint32Array.from([1, 2, 3, 4, 5, 6, 7, 8]));
    context.setConstantBuffer(stage, 3, { buffer: rig.buffer(new Uint8Array(64)), offsetBytes: 16, sizeBytes: 32 });
    context.bindSamplerStates(stage, [null, context.bindings.fragment.samplers[0] ?? null]);
    context.setSamplerViews(stage, [rig.view(texture), null, rig.view(texture)]);
  }
  const buffer = rig.buffer(new Uint8Array(256));
  context.setStreamOutputTargets([context.createStreamOutputTarget(buffer, 0, 256)], true);
  const query = context.createQuery('occlusionPredicate', 0);
  context.renderCondition(query, true, true);
  context.setActiveQueryState(true);
}

describe('state', () => {
  it.each<[string, (blitter: Blitter, rig: Rig) => unknown]>([
    [
      'a NEAREST blit',
      (blitter, rig) => {
        const [a, b] = [rig.texture(RGBA8, 8, 8), rig.texture(RGBA8, 8, 8)];
        return blitter.blit(blitInfo(a, b, box(0, 0, 8, 8), box(1, 1, 3, 3)));
      },
    ],
    [
      'a LINEAR blit',
      (blitter, rig) => {
        const [a, b] = [rig.texture(RGBA8, 8, 8), rig.texture(RGBA8, 8, 8)];
        return blitter.blit(blitInfo(a, b, box(0, 0, 8, 8), box(1, 1, 3, 3), { filter: 'linear' }));
      },
    ],
    [
      'a stencil blit',
      (blitter, rig) => {
        const [a, b] = [rig.texture('Z24_UNORM_S8_UINT', 8, 8), rig.texture('Z24_UNORM_S8_UINT', 8, 8)];
        return blitter.blit(blitInfo(a, b, box(0, 0, 8, 8), box(1, 1, 3, 3), { mask: BLIT.STENCIL }));
      },
    ],
    [
      'an overlapping blit',
      (blitter, rig) => {
        const a = rig.texture(RGBA8, 8, 8);
        return blitter.blit(blitInfo(a, a, box(0, 0, 8, 8), box(1, 1, 3, 3)));
      },
    ],
    [
      'mip levels',
      (blitter, rig) => blitter.generateMipmap(rig.texture(RGBA8, 9, 6, { levels: 4 }), RGBA8, 0, 3, 0, 0),
    ],
    [
      'a clear',
      (blitter, rig) => {
        const { color } = rig.colorOf([1, 1, 1, 1]);
        const info: ClearInfo = {
          buffers: CLEAR.COLOR0 | CLEAR.DEPTH_STENCIL,
          color,
          depth: 0.5,
          stencil: 3,
          stencilWriteMask: 0xf0,
          colorMasks: [7],
          scissor: { minX: 0, minY: 0, maxX: 5, maxY: 5 },
        };
        return blitter.clear(info);
      },
    ],
  ])('is the same after %s', (_, work) => {
    const rig = new Rig();
    bindEverything(rig);
    const before = saveBindings(rig.context.bindings);
    expect(work(blitterOf(rig), rig)).toBe('ok');
    expect(rig.context.bindings).toEqual(before);
    expectSameObjects(rig.context.bindings, before);
  });

  it('is the same after a failure', () => {
    const rig = new Rig();
    bindEverything(rig);
    const before = saveBindings(rig.context.bindings);
    const [a, b] = [rig.texture(RGBA8, 8, 8), rig.texture(RGBA8, 8, 8)];
    rig.screen.memory.failureHook = () => true;
    expect(blitterOf(rig).blit(blitInfo(a, b, box(0, 0, 8, 8), box(1, 1, 3, 3)))).toBe('outOfMemory');
    rig.screen.memory.failureHook = undefined;
    expect(rig.context.bindings).toEqual(before);
    expectSameObjects(rig.context.bindings, before);
  });

  it('is the same when a blit runs inside of another', () => {
    const rig = new Rig();
    bindEverything(rig);
    const before = saveBindings(rig.context.bindings);
    const [multisampled, a, b, c] = [
      rig.texture(RGBA8, 8, 8, { samples: 4 }),
      rig.texture(RGBA8, 8, 8),
      rig.texture(RGBA8, 8, 8),
      rig.texture(RGBA8, 8, 8),
    ];
    rig.upload(a, new Uint8Array(256).fill(255));
    // A backend whose resolve is itself a blit.
    const blitter: Blitter = blitterOf(rig, {
      resolve: () => {
        const copy = rig.texture(RGBA8, 8, 8);
        expect(blitter.blit(blitInfo(a, copy, box(0, 0, 8, 8), box(0, 0, 8, 8), { filter: 'linear' }))).toBe('ok');
        return copy;
      },
    });
    expect(blitter.blit(blitInfo(multisampled, b, box(0, 0, 8, 8), box(0, 0, 4, 4)))).toBe('ok');
    expect(rig.context.bindings).toEqual(before);
    expectSameObjects(rig.context.bindings, before);
    expect(rig.pixel(b, 3, 3)).toEqual([1, 1, 1, 1]);
    expect(rig.pixel(b, 4, 4)).toEqual([0, 0, 0, 0]);
    c.destroy();
  });

  it('of queries and stream output sees nothing of blits', () => {
    const rig = new Rig();
    const [a, b] = [rig.texture(RGBA8, 8, 8), rig.texture(RGBA8, 8, 8)];
    rig.target([a]);
    const queries = (['occlusionCounter', 'primitivesGenerated'] as const).map((type) =>
      rig.context.createQuery(type, 0),
    );
    for (const query of queries) rig.context.beginQuery(query);
    blitterOf(rig).blit(blitInfo(a, b, box(0, 0, 8, 8), box(0, 0, 4, 8)));
    rig.fill();
    for (const query of queries) rig.context.endQuery(query);
    expect(queries.map((query) => rig.context.getQueryResult(query))).toEqual([64, 2]);
  });
});

/** State objects, views and resources are the very same ones. */
function expectSameObjects(now: Bindings, before: Bindings): void {
  for (const key of [
    'blend',
    'depthStencilAlpha',
    'rasterizer',
    'vertexElements',
    'vertexShader',
    'fragmentShader',
  ] as const) {
    expect(now[key]).toBe(before[key]);
  }
  for (const stage of ['vertex', 'fragment'] as const) {
    for (const [i, view] of before[stage].views.entries()) expect(now[stage].views[i]).toBe(view);
    for (const [i, sampler] of before[stage].samplers.entries()) expect(now[stage].samplers[i]).toBe(sampler);
    for (const [i, buffer] of before[stage].buffers.entries())
      expect(now[stage].buffers[i]?.buffer).toBe(buffer?.buffer);
  }
  for (const [i, target] of before.streamOutputTargets.entries()) expect(now.streamOutputTargets[i]).toBe(target);
  for (const [i, surface] of before.framebuffer.colors.entries()) {
    expect(now.framebuffer.colors[i]?.resource).toBe(surface?.resource);
  }
  expect(now.renderCondition?.query).toBe(before.renderCondition?.query);
}

describe('render condition', () => {
  it('is followed only when asked', () => {
    for (const followsRenderCondition of [false, true]) {
      const rig = new Rig();
      const [a, b] = [rig.texture(RGBA8, 8, 8), rig.texture(RGBA8, 8, 8)];
      rig.upload(a, new Uint8Array(256).fill(255));
      const query = rig.context.createQuery('occlusionPredicate', 0);
      rig.context.renderCondition(query, false, true);
      for (const filter of ['nearest', 'linear'] as const) {
        const whole = box(0, 0, 8, 8);
        rig.context.blit(blitInfo(a, b, whole, box(0, 0, 4, 4), { filter, followsRenderCondition }));
        rig.context.blit(blitInfo(a, b, whole, whole, { filter, followsRenderCondition }));
      }
      expect(rig.pixel(b, 2, 2)[0]).toBe(followsRenderCondition ? 0 : 1);
    }
  });
});

describe('shaders', () => {
  it('are made once a key', () => {
    const rig = new Rig();
    const blitter = blitterOf(rig);
    const [a, b] = [rig.texture(RGBA8, 8, 8), rig.texture(RGBA8, 8, 8)];
    const integers = [rig.texture('R8_UINT', 8, 8), rig.texture('R8_UINT', 8, 8)] as const;
    const whole = box(0, 0, 8, 8);
    const work = [
      () => blitter.blit(blitInfo(a, b, whole, whole)),
      () => blitter.blit(blitInfo(a, b, whole, box(0, 0, 4, 4))),
      () => blitter.blit(blitInfo(a, b, box(8, 0, -8, 8), whole)),
      () => blitter.blit(blitInfo(a, b, whole, whole, { filter: 'linear' })),
      () => blitter.blit(blitInfo(integers[0], integers[1], whole, whole)),
    ];
    for (const [i, one] of work.entries()) {
      one();
      expect(blitter.shaderCount).toBe(i + 1);
      one();
      expect(blitter.shaderCount).toBe(i + 1);
    }
  });

  it('keep types and flips apart', () => {
    const rig = new Rig();
    const blitter = blitterOf(rig);
    for (const format of ['R32_FLOAT', 'R32_SINT', 'R32_UINT'] as const) {
      for (const flip of [false, true]) {
        const [a, b] = [rig.texture(format, 4, 1), rig.texture(format, 4, 1)];
        rig.upload(a, Uint32Array.from([0x80000001, 2, 3, 4]));
        blitter.blit(blitInfo(a, b, flip ? box(4, 0, -4, 1) : box(0, 0, 4, 1), box(0, 0, 4, 1)));
        const words = [...new Uint32Array(rig.bytes(b).buffer)];
        expect(flip ? words.reverse() : words).toEqual([0x80000001, 2, 3, 4]);
      }
    }
  });
});

describe('colour blits', () => {
  it('convert formats', () => {
    const rig = new Rig();
    const a = rig.texture('R32G32B32A32_FLOAT', 4, 4);
    rig.upload(
      a,
      Float32Array.from({ length: 64 }, (_, i) => [0.25, 0.5, 1.5, -1][i % 4]!),
    );
    for (const format of [
      'R8G8B8A8_UNORM',
      'R5G6B5_UNORM',
      'R16G16_FLOAT',
      'R8G8B8A8_SNORM',
      'R11G11B10_FLOAT',
    ] as Format[]) {
      const b = rig.texture(format, 4, 4);
      rig.context.blit(blitInfo(a, b, box(0, 0, 4, 4), box(0, 0, 4, 4)));
      const expected = [...unpackPixel(format, packPixel(format, [0.25, 0.5, 1.5, -1]))];
      for (const [i, value] of rig.pixel(b, 3, 3).entries()) expect(value).toBeCloseTo(expected[i]!, 6);
    }
  });

  it('keep every sRGB code, and decode or encode where one side is linear', () => {
    const rig = new Rig();
    const [a, b, c] = [
      rig.texture('R8G8B8A8_SRGB', 16, 16),
      rig.texture('R8G8B8A8_SRGB', 16, 16),
      rig.texture(RGBA8, 16, 16),
    ];
    const codes = Uint8Array.from({ length: 1024 }, (_, i) => i >> 2);
    rig.upload(a, codes);
    const whole = box(0, 0, 16, 16);
    blitterOf(rig).blit(blitInfo(a, b, whole, whole));
    expect(rig.bytes(b)).toEqual(codes);
    rig.context.blit(blitInfo(a, c, whole, whole));
    expect(rig.pixel(c, 12, 11)[0]).toBeCloseTo(0.5, 2);
  });

  it('write the whole pixel where the bits do not matter: infinities and large integers', () => {
    const rig = new Rig();
    const [a, b] = [rig.texture('R32G32B32A32_UINT', 2, 1), rig.texture('R32G32B32A32_UINT', 2, 1)];
    const words = Uint32Array.from([0xffffffff, 0x7f800000, 0, 1, 0x7fc00001, 5, 6, 7]);
    rig.upload(a, words);
    blitterOf(rig).blit(blitInfo(a, b, box(0, 0, 2, 1), box(0, 0, 2, 1)));
    expect(new Uint32Array(rig.bytes(b).buffer)).toEqual(words);
  });

  it('filter by LINEAR between texel centres', () => {
    const rig = new Rig();
    const [a, b] = [rig.texture('R32_FLOAT', 2, 1), rig.texture('R32_FLOAT', 8, 1)];
    rig.upload(a, Float32Array.from([0, 1]));
    rig.context.blit(blitInfo(a, b, box(0, 0, 2, 1), box(0, 0, 8, 1), { filter: 'linear' }));
    const expected = [0, 0, 1 / 8, 3 / 8, 5 / 8, 7 / 8, 1, 1];
    for (const [i, [red]] of rig.pixels(b).entries()) expect(red).toBeCloseTo(expected[i]!, 5);
  });

  it('go from and to levels, layers and slices', () => {
    const rig = new Rig();
    const array = rig.texture('R8_UINT', 8, 8, { target: 'texture2DArray', arraySize: 4, levels: 2 });
    const volume = rig.texture('R8_UINT', 4, 4, { target: 'texture3D', depth: 4 });
    const cube = rig.texture('R8_UINT', 4, 4, { target: 'textureCube', arraySize: 6 });
    for (let layer = 0; layer < 4; layer++) rig.upload(array, new Uint8Array(16).fill(layer + 1), 1, layer);
    const blitter = blitterOf(rig);
    const from = { resource: array, level: 1, box: box(0, 0, 4, 4, 1, 2), format: 'R8_UINT' } as const;
    blitter.blit({ ...blitInfo(array, volume, from.box, box(0, 0, 4, 4, 2, 2)), source: from });
    expect([0, 1, 2, 3].map((z) => rig.pixel(volume, 1, 1, 0, z)[0])).toEqual([0, 0, 2, 3]);
    blitter.blit(blitInfo(volume, cube, box(0, 0, 4, 4, 2, 1), box(0, 0, 4, 4, 5, 1)));
    expect(rig.pixel(cube, 1, 1, 0, 5)[0]).toBe(2);
    expect(rig.pixel(cube, 1, 1, 0, 4)[0]).toBe(0);
  });
});

describe('blits inside of one resource', () => {
  it('copy between levels', () => {
    const rig = new Rig();
    const a = rig.texture('R8_UINT', 8, 8, { levels: 2 });
    rig.upload(
      a,
      Uint8Array.from({ length: 64 }, (_, i) => i),
    );
    const info = blitInfo(a, a, box(0, 0, 8, 8), box(0, 0, 4, 4));
    rig.context.blit({ ...info, destination: { ...info.destination, level: 1 } });
    expect(rig.pixel(a, 1, 1, 1)[0]).toBe(3 * 8 + 3);
  });

  it('copy between regions that do not touch', () => {
    const rig = new Rig();
    const a = rig.texture('R8_UINT', 8, 8);
    rig.upload(
      a,
      Uint8Array.from({ length: 64 }, (_, i) => i),
    );
    rig.context.blit(blitInfo(a, a, box(0, 0, 4, 4), box(4, 4, 4, 4)));
    expect(rig.pixel(a, 7, 7)[0]).toBe(27);
    expect(rig.pixel(a, 3, 3)[0]).toBe(27);
    expect(rig.pixel(a, 7, 3)[0]).toBe(31);
  });

  it('copy overlapping regions as they were before', () => {
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 3],
      [2, -2],
    ] as const) {
      const rig = new Rig();
      const a = rig.texture('R8_UINT', 70, 70);
      rig.upload(
        a,
        Uint8Array.from({ length: 4900 }, (_, i) => (i * 7) % 251),
      );
      const before = rig.pixels(a);
      rig.context.blit(blitInfo(a, a, box(4, 4, 60, 60), box(4 + dx, 4 + dy, 60, 60)));
      const after = rig.pixels(a);
      for (let y = 4; y < 64; y++) {
        for (let x = 4; x < 64; x++) expect(after[(y + dy) * 70 + x + dx]![0]).toBe(before[y * 70 + x]![0]);
      }
    }
  });

  it('flip in place', () => {
    const rig = new Rig();
    const a = rig.texture('R8_UINT', 4, 1);
    rig.upload(a, Uint8Array.from([1, 2, 3, 4]));
    rig.context.blit(blitInfo(a, a, box(4, 0, -4, 1), box(0, 0, 4, 1)));
    expect([...rig.bytes(a)]).toEqual([4, 3, 2, 1]);
  });
});

describe('depth and stencil blits', () => {
  const FORMATS: Format[] = [
    'Z16_UNORM',
    'Z24X8_UNORM',
    'Z24_UNORM_S8_UINT',
    'Z32_FLOAT',
    'Z32_FLOAT_S8X24_UINT',
    'S8_UINT',
  ];

  it.each(FORMATS)('copy each aspect alone and both: %s', (format) => {
    const hasDepth = format !== 'S8_UINT';
    const hasStencil = format.includes('S8');
    for (const views of ['uint', 'unorm'] as const) {
      for (const mask of [BLIT.DEPTH, BLIT.STENCIL, BLIT.DEPTH | BLIT.STENCIL]) {
        const rig = new Rig();
        const [a, b] = [rig.texture(format, 9, 9), rig.texture(format, 9, 9)];
        rig.target([], a);
        rig.clearDepthStencil(0.25, 0xa5);
        rig.target([], b);
        rig.clearDepthStencil(0.75, 0x5a);
        const info = blitInfo(a, b, box(0, 0, 9, 9), box(2, 2, 5, 5), { mask });
        expect(blitterOf(rig, { depthStencilViews: views }).blit(info)).toBe('ok');
        if (hasDepth) {
          expect(rig.depths(b)[9 * 3 + 3]).toBeCloseTo(mask & BLIT.DEPTH ? 0.25 : 0.75, 4);
          expect(rig.depths(b)[0]).toBeCloseTo(0.75, 4);
        }
        if (hasStencil) {
          expect(rig.stencils(b)[9 * 3 + 3]).toBe(mask & BLIT.STENCIL ? 0xa5 : 0x5a);
          expect(rig.stencils(b)[0]).toBe(0x5a);
        }
      }
    }
  });

  it('go between formats of equal depth bits', () => {
    const rig = new Rig();
    const [a, b] = [rig.texture('Z24_UNORM_S8_UINT', 4, 4), rig.texture('Z24X8_UNORM', 4, 4)];
    rig.target([], a);
    rig.clearDepthStencil(0.25, 0xa5);
    rig.context.blit(blitInfo(a, b, box(0, 0, 4, 4), box(0, 0, 4, 4), { mask: BLIT.DEPTH | BLIT.STENCIL }));
    expect(rig.depths(b)[5]).toBe(rig.depths(a)[5]);
  });
});

describe('mip levels', () => {
  /** The mean over the box of texels, which may cover some in part. */
  function boxMean(values: number[], size: number, level: number, i: number): number {
    const scale = size / level;
    let sum = 0;
    for (let k = 0; k < size; k++) {
      sum += values[k]! * Math.max(0, Math.min((i + 1) * scale, k + 1) - Math.max(i * scale, k));
    }
    return sum / scale;
  }

  it.each([2, 3, 5, 7, 8, 31, 64, 100])('of a row of %d texels are means of their boxes', (size) => {
    const rig = new Rig();
    const levels = Math.floor(Math.log2(size)) + 1;
    const a = rig.texture('R32_FLOAT', size, 1, { levels });
    let values = Array.from({ length: size }, (_, i) => Math.sin(i) * 10);
    rig.upload(a, Float32Array.from(values));
    expect(rig.context.generateMipmap(a, 'R32_FLOAT', 0, levels - 1, 0, 0)).toBe('ok');
    for (let level = 1; level < levels; level++) {
      const count = Math.max(1, size >> level);
      const above = values;
      values = Array.from({ length: count }, (_, i) => boxMean(above, above.length, count, i));
      for (const [i, [red]] of rig.pixels(a, level).entries()) expect(red).toBeCloseTo(values[i]!, 4);
    }
  });

  it('of bytes are rounded means of four', () => {
    const rig = new Rig();
    const a = rig.texture(RGBA8, 128, 64, { levels: 2 });
    const data = Uint8Array.from({ length: 128 * 64 * 4 }, (_, i) => (Math.imul(i, 2654435761) >>> 11) & 255);
    rig.upload(a, data);
    rig.context.generateMipmap(a, RGBA8, 0, 1, 0, 0);
    const small = rig.bytes(a, 1);
    for (let y = 0; y < 32; y++) {
      for (let x = 0; x < 64; x++) {
        for (let c = 0; c < 4; c++) {
          const at = (dx: number, dy: number) => data[((2 * y + dy) * 128 + 2 * x + dx) * 4 + c]!;
          const mean = (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4;
          expect(Math.abs(small[(y * 64 + x) * 4 + c]! - mean)).toBeLessThanOrEqual(0.5);
        }
      }
    }
  });

  it('of sRGB bytes are means of light', () => {
    const rig = new Rig();
    const a = rig.texture('R8G8B8A8_SRGB', 2, 2, { levels: 2 });
    rig.upload(a, Uint8Array.from([255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0]));
    rig.context.generateMipmap(a, 'R8G8B8A8_SRGB', 0, 1, 0, 0);
    expect([...rig.bytes(a, 1)]).toEqual([188, 188, 188, 128]);
  });

  it('of luminance and alpha keep their channels', () => {
    for (const format of ['L8_UNORM', 'A8_UNORM', 'L8A8_UNORM', 'L32_FLOAT', 'A16_FLOAT'] as Format[]) {
      const rig = new Rig();
      const a = rig.texture(format, 2, 1, { levels: 2 });
      const pixel = packPixel(format, [1, 1, 1, 1]);
      rig.upload(a, Uint8Array.from([...pixel, ...pixel]));
      rig.context.generateMipmap(a, format, 0, 1, 0, 0);
      expect(rig.bytes(a, 1)).toEqual(pixel);
    }
  });

  it('of cubes, arrays and volumes fill every layer', () => {
    for (const [target, arraySize, depth] of [
      ['textureCube', 6, 1],
      ['texture2DArray', 3, 1],
      ['texture3D', 1, 5],
    ] as const) {
      const rig = new Rig();
      const a = rig.texture('R32_FLOAT', 8, 8, { target, arraySize, depth, levels: 4 });
      const layers = Math.max(arraySize, depth);
      for (let layer = 0; layer < layers; layer++) rig.upload(a, new Float32Array(64).fill(layer), 0, layer);
      rig.context.generateMipmap(a, 'R32_FLOAT', 0, 3, 0, arraySize - 1);
      const last = (layer: number) => rig.pixel(a, 0, 0, 3, layer)[0];
      if (target !== 'texture3D') for (let layer = 0; layer < layers; layer++) expect(last(layer)).toBe(layer);
      else expect(last(0)).toBeCloseTo(2, 5);
    }
  });

  it('start at the base level and fill only the layers asked for', () => {
    const rig = new Rig();
    const a = rig.texture('R32_FLOAT', 8, 8, { target: 'texture2DArray', arraySize: 2, levels: 4 });
    for (const layer of [0, 1]) rig.upload(a, new Float32Array(16).fill(5), 1, layer);
    rig.context.generateMipmap(a, 'R32_FLOAT', 1, 2, 1, 1);
    expect([0, 2, 3].map((level) => rig.pixel(a, 0, 0, level, 1)[0])).toEqual([0, 5, 0]);
    expect(rig.pixel(a, 0, 0, 2, 0)[0]).toBe(0);
  });
});

describe('clears', () => {
  it('are exact with every combination of mask, aspect and scissor', () => {
    const rig = new Rig();
    const [color, zs] = [rig.texture(RGBA8, 67, 5), rig.texture('Z24_UNORM_S8_UINT', 67, 5)];
    rig.target([color], zs);
    const scissor = { minX: 60, minY: 1, maxX: 66, maxY: 4 };
    const context: Context = rig.context;
    for (const buffers of [CLEAR.COLOR0, CLEAR.DEPTH, CLEAR.STENCIL, CLEAR.COLOR0 | CLEAR.DEPTH_STENCIL]) {
      rig.clear([0, 0, 0, 0]);
      rig.clearDepthStencil(1, 0xff);
      context.flush(0);
      blitterOf(rig).clear({
        buffers,
        color: rig.colorOf([1, 1, 1, 1]).color,
        depth: 0.5,
        stencil: 0,
        stencilWriteMask: 0x0f,
        colorMasks: [6],
        scissor,
      });
      const [pixels, stencils, depths] = [rig.pixels(color), rig.stencils(zs), rig.depths(zs)];
      for (let i = 0; i < 67 * 5; i++) {
        const [x, y] = [i % 67, Math.floor(i / 67)];
        const isInside = x >= 60 && x < 66 && y >= 1 && y < 4;
        expect(pixels[i]).toEqual(isInside && buffers & CLEAR.COLOR0 ? [0, 1, 1, 0] : [0, 0, 0, 0]);
        expect(stencils[i]).toBe(isInside && buffers & CLEAR.STENCIL ? 0xf0 : 0xff);
        expect(depths[i]).toBeCloseTo(isInside && buffers & CLEAR.DEPTH ? 0.5 : 1, 6);
      }
    }
  });
});
