// NEAREST blits by the driver, each pixel's texel against exact arithmetic.

import { describe, expect, it } from 'vitest';
import { BIND, BLIT, type Resource } from '../../../src/pipe/pipe.ts';
import { expectedTexel, type NearestCase, nearestCases } from '../../../src/util/blitter/testing.ts';
import { readLevel, resourceTemplate } from '../../soft/testing.ts';
import { etnavivBackend } from '../backend.ts';
import type { EtnavivScreen } from './screen.ts';

const SIZE = 61;
const UNWRITTEN = 0xff;

/** Pixels of a blit that are not what exact arithmetic says, written or not. */
function countWrong(one: NearestCase, texels: Uint8Array): number {
  let wrong = 0;
  for (let i = 0; i < SIZE * SIZE; i++) {
    const [x, y] = expectedTexel(one, i % SIZE, Math.floor(i / SIZE)) ?? [UNWRITTEN, UNWRITTEN];
    if (texels[i * 4] !== x || texels[i * 4 + 1] !== y) wrong++;
  }
  return wrong;
}

describe.each(['gc880', 'gc2000', 'gc3000', 'gc7000'])('NEAREST blits on %s', (core) => {
  it.each(['mag', 'min'] as const)('take the right texel, %s', (kind) => {
    const screen = etnavivBackend(core).createScreen({}) as EtnavivScreen;
    const context = screen.createContext();
    const template = { format: 'R8G8B8A8_UNORM', width: SIZE, height: SIZE } as const;
    const bind = BIND.RENDER_TARGET | BIND.SAMPLER_VIEW;
    const [source, target] = [0, 1].map(
      () => screen.createResource(resourceTemplate({ ...template, bind })) as Resource,
    );
    const whole = { x: 0, y: 0, z: 0, width: SIZE, height: SIZE, depth: 1 };
    const upload = (resource: Resource, data: Uint8Array) =>
      context.textureSubdata(resource, 0, whole, data, SIZE * 4, SIZE * SIZE * 4);
    const places = new Uint8Array(SIZE * SIZE * 4);
    for (let i = 0; i < SIZE * SIZE; i++) places.set([i % SIZE, Math.floor(i / SIZE)], i * 4);
    upload(source!, places);
    const blank = new Uint8Array(SIZE * SIZE * 4).fill(UNWRITTEN);
    for (const [i, one] of nearestCases(40, SIZE, kind, 3).entries()) {
      upload(target!, blank);
      const status = context.blit({
        source: { resource: source!, level: 0, box: one.source, format: template.format },
        destination: { resource: target!, level: 0, box: one.destination, format: template.format },
        mask: BLIT.COLOR,
        filter: 'nearest',
        scissor: one.scissor,
        followsRenderCondition: false,
      });
      expect(status).toBe('ok');
      expect(countWrong(one, readLevel(context, target!, 4)), `case ${i}: ${JSON.stringify(one)}`).toBe(0);
    }
    screen.destroy();
  });
});
