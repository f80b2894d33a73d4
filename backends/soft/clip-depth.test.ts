import { describe, expect, it } from 'vitest';
import type { RasterizerDescription } from '../../src/pipe/pipe.ts';
import { fragment, Rig } from './rig.ts';

/** Clip-space z of the left and right edge of a rectangle over 8 × 1 pixels; gives depth and whether it was drawn, by pixel. */
function drawSlope(
  z: readonly [left: number, right: number],
  rasterizer: Partial<RasterizerDescription>,
  viewport: { scale: number; translate: number },
  options: { late?: boolean; clear?: number } = {},
): { depths: number[]; drawn: boolean[] } {
  const rig = new Rig();
  const color = rig.texture('R8G8B8A8_UNORM', 8, 1);
  const zs = rig.texture('Z32_FLOAT', 8, 1);
  rig.target([color], zs);
  rig.clear([0, 0, 0, 0]);
  rig.clearDepthStencil(options.clear ?? 0.5, 0);
  rig.depthStencil({ depthTest: true, depthWrite: true, depthFunc: 'always' });
  rig.rasterizer(rasterizer);
  if (options.late) {
    rig.fragmentShader(
      fragment((b) => {
        const input = b.loadInput('var0', 4);
        b.if(b.flt(b.channel(input, 3), b.constFloat(-5)), () => b.discard());
        b.storeOutput('color0', input);
      }),
    );
  }
  rig.context.setViewport({
    scale: [4, 0.5, viewport.scale],
    translate: [4, 0.5, viewport.translate],
  });
  const white = [1, 1, 1, 1];
  const corner = (x: number, y: number) => [x, y, x < 0 ? z[0] : z[1], 1, ...white];
  rig.vertices([
    ...corner(-1, -1),
    ...corner(1, -1),
    ...corner(1, 1),
    ...corner(-1, -1),
    ...corner(1, 1),
    ...corner(-1, 1),
  ]);
  expect(rig.draw({ count: 6 })).toBe('ok');
  return { depths: rig.depths(zs), drawn: rig.pixels(color).map(([red]) => red === 1) };
}

const BOTH_SIDES = { scale: 0.5, translate: 0.5 };
const HALF = { scale: 1, translate: 0 };

/** z of pixel x between the edges. */
function slope(z: readonly [number, number], x: number): number {
  return z[0] + ((x + 0.5) / 8) * (z[1] - z[0]);
}

describe('the clip volume', () => {
  it('begins at z = −w, with clipHalfZ at z = 0', () => {
    const z = [-2, 2] as const;
    const whole = drawSlope(z, {}, BOTH_SIDES);
    const half = drawSlope(z, { clipHalfZ: true }, HALF);
    for (let x = 0; x < 8; x++) {
      const at = slope(z, x);
      expect(whole.drawn[x], `pixel ${x}`).toBe(Math.abs(at) < 1);
      expect(half.drawn[x], `pixel ${x}`).toBe(at > 0 && at < 1);
      if (whole.drawn[x]) expect(whole.depths[x]).toBeCloseTo(at / 2 + 0.5, 5);
      if (half.drawn[x]) expect(half.depths[x]).toBeCloseTo(at, 5);
    }
  });

  it('drops what lies below z = 0 with clipHalfZ alone', () => {
    expect(drawSlope([-0.5, -0.5], {}, BOTH_SIDES).drawn[3]).toBe(true);
    expect(drawSlope([-0.5, -0.5], { clipHalfZ: true }, HALF).drawn[3]).toBe(false);
  });
});

describe.each([false, true])('depth clamp, late test: %s', (late) => {
  it('draws what lies before and behind, at the ends of the depth range', () => {
    const z = [-3, 3] as const;
    // Depth range 0.25 … 0.75
    const viewport = { scale: 0.25, translate: 0.5 };
    const { depths, drawn } = drawSlope(z, { depthClip: false }, viewport, { late });
    expect(drawn).toEqual(new Array(8).fill(true));
    for (let x = 0; x < 8; x++) {
      const depth = slope(z, x) / 4 + 0.5;
      expect(depths[x], `pixel ${x}`).toBeCloseTo(Math.min(Math.max(depth, 0.25), 0.75), 5);
    }
  });

  it('works with a reversed depth range and half z', () => {
    const z = [-1, 3] as const;
    // near 0.75, far 0.25
    const { depths } = drawSlope(z, { depthClip: false, clipHalfZ: true }, { scale: -0.5, translate: 0.75 }, { late });
    for (let x = 0; x < 8; x++) {
      const depth = 0.75 - slope(z, x) / 2;
      expect(depths[x], `pixel ${x}`).toBeCloseTo(Math.min(Math.max(depth, 0.25), 0.75), 5);
    }
  });
});

describe('polygon offset', () => {
  it('is bounded by its clamp on the side of its sign', () => {
    // Depth rises by 1/16 a pixel: m = 1/16.
    const z = [-0.5, 0.5] as const;
    const offset = (factor: number, clamp: number) =>
      drawSlope(z, { polygonOffset: { factor, units: 0, clamp } }, BOTH_SIDES).depths[3]! - (slope(z, 3) / 2 + 0.5);
    expect(offset(2, 0)).toBeCloseTo(1 / 8, 5);
    expect(offset(2, 0.05)).toBeCloseTo(0.05, 5);
    expect(offset(2, 0.5)).toBeCloseTo(1 / 8, 5);
    expect(offset(2, -0.05)).toBeCloseTo(1 / 8, 5);
    expect(offset(-2, -0.05)).toBeCloseTo(-0.05, 5);
    expect(offset(-2, 0.05)).toBeCloseTo(-1 / 8, 5);
    expect(offset(2, Number.NaN)).toBeCloseTo(1 / 8, 5);
  });
});
