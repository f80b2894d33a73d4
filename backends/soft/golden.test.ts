// The same calls give the same bytes on every machine: one scene that uses most of the engine, pinned by its hash.

import { createHash } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import type { Resource } from '../../src/pipe/pipe.ts';
import { debugFlags, parseDebugFlags } from './debug.ts';
import { fragment, Rig, sampleShader } from './rig.ts';
import { SoftScreen } from './screen.ts';

/** Change it only with a reason that says why pixels may change. */
const GOLDEN = '64dee1f0eae38b11f88419222f90cfbe37eef18bdd96ce2c4cb0330e8933934c';

afterEach(() => {
  Object.assign(debugFlags, parseDebugFlags(''));
});

function random(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) / 0x80000000;
}

/** Perspective triangles in every direction, `count` of them, with colours that are also texture coordinates. */
function triangles(count: number, seed: number): number[] {
  const next = random(seed);
  return Array.from({ length: count * 3 }, () => {
    const w = 0.5 + next() * 2;
    const place = [next() * 4 - 2, next() * 4 - 2, next() * 2.4 - 1.2].map((v) => v * w * 0.7);
    return [...place, w, next(), next(), next(), next()];
  }).flat();
}

function drawScene(): string {
  const rig = new Rig(new SoftScreen({}));
  const [width, height] = [201, 139];
  const texture = rig.texture('R8G8B8A8_SRGB', 64, 64, { levels: 7 });
  const next = random(5);
  rig.upload(
    texture,
    Uint8Array.from({ length: 64 * 64 * 4 }, () => next() * 256),
  );
  rig.context.generateMipmap(texture, 'R8G8B8A8_SRGB', 0, 6, 0, 0);
  const results: Resource[] = [];
  for (const samples of [1, 4]) {
    const color = rig.texture('R8G8B8A8_UNORM', width, height, { samples });
    const extra = rig.texture('R16G16B16A16_FLOAT', width, height, { samples });
    const zs = rig.texture('Z24_UNORM_S8_UINT', width, height, { samples });
    rig.target([color, extra], zs);
    rig.clear([0.2, 0.3, 0.4, 1], { colorMasks: [15, 15], buffers: 0xc });
    rig.clearDepthStencil(1, 0);
    rig.depthStencil({ depthTest: true, depthWrite: true, depthFunc: 'lessEqual' });
    rig.fragmentShader(
      fragment(
        (b) => {
          const v = b.loadInput('var0', 4);
          b.storeOutput('color0', v);
          b.storeOutput('color1', b.fsin(b.fmul(v, b.splat(b.constFloat(40), 4))));
        },
        ['color0', 'color1'],
      ),
    );
    rig.vertices(triangles(80, 11));
    rig.draw({ count: 240 });
    rig.blend([{ enabled: true, sourceRgb: 'sourceAlpha', destinationRgb: 'oneMinusSourceAlpha' }], {
      alphaToCoverage: samples > 1,
    });
    rig.fragmentShader(sampleShader());
    const linear = { minFilter: 'linear', magFilter: 'linear', mipFilter: 'linear', wrapS: 'repeat' } as const;
    rig.sample([rig.view(texture)], linear);
    rig.vertices(triangles(30, 12));
    rig.draw({ count: 90 });
    rig.blend();
    rig.vertices(triangles(10, 13));
    rig.draw({ mode: 'lineStrip', count: 30 });
    rig.context.setSamplerViews('fragment', []);
    results.push(...(samples > 1 ? [rig.resolved(color), rig.resolved(extra)] : [color, extra, zs]));
  }
  const hash = createHash('sha256');
  for (const resource of results) hash.update(rig.bytes(resource));
  for (let level = 0; level < 7; level++) hash.update(rig.bytes(texture, level));
  return hash.digest('hex');
}

it('a scene of everything gives the pinned bytes, however jobs are gathered', () => {
  expect(drawScene()).toBe(GOLDEN);
  debugFlags.alwaysFlush = true;
  expect(drawScene()).toBe(GOLDEN);
  debugFlags.alwaysFlush = false;
  debugFlags.noMerge = true;
  expect(drawScene()).toBe(GOLDEN);
});

it.each([1, 2] as const)('and with as many quads a step as said: %i', (quads) => {
  debugFlags.quadsPerStep = quads;
  expect(drawScene()).toBe(GOLDEN);
});
