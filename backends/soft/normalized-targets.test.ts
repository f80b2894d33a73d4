import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/format/format.ts';
import type { BlendTarget } from '../../src/pipe/pipe.ts';
import { Rig } from './rig.ts';

const ADD: Partial<BlendTarget> = {
  enabled: true,
  sourceRgb: 'one',
  destinationRgb: 'one',
  sourceAlpha: 'one',
  destinationAlpha: 'one',
};

/** Red after a clear and a draw, in codes of the format. */
function drawnCode(format: Format, scale: number, cleared: number, drawn: number, blend: Partial<BlendTarget>): number {
  const rig = new Rig();
  const color = rig.texture(format, 5, 3);
  rig.target([color]);
  rig.clear([cleared / scale, 0, 0, 1]);
  rig.blend([blend]);
  rig.fill({ color: [drawn / scale, 0, 0, 1] });
  return rig.pixel(color, 3, 1)[0]! * scale;
}

describe.each<[Format, number]>([
  ['R8_SNORM', 127],
  ['R8G8_SNORM', 127],
  ['R8G8B8A8_SNORM', 127],
  ['R16_SNORM', 32767],
  ['R16G16_SNORM', 32767],
  ['R16G16B16A16_SNORM', 32767],
])('%s', (format, max) => {
  it('keeps negative values and clamps to −1 … 1', () => {
    for (const code of [-max, -max + 1, -50, -1, 0, 1, 99, max])
      expect(drawnCode(format, max, 0, code, {}), `${code}`).toBeCloseTo(code, 2);
    expect(drawnCode(format, max, 0, -3 * max, {})).toBeCloseTo(-max, 2);
    expect(drawnCode(format, max, 0, 3 * max, {})).toBeCloseTo(max, 2);
  });

  it('blends in −1 … 1, the source clamped before (EXT_render_snorm)', () => {
    expect(drawnCode(format, max, -100, 30, ADD)).toBeCloseTo(-70, 2);
    expect(drawnCode(format, max, -100, -max, ADD)).toBeCloseTo(-max, 2);
    // Without the clamp −3 + 1 would be held as −1.
    expect(drawnCode(format, max, max, -3 * max, ADD)).toBeCloseTo(0, 2);
    expect(drawnCode(format, max, 20, 50, { ...ADD, equationRgb: 'reverseSubtract' })).toBeCloseTo(-30, 2);
    expect(drawnCode(format, max, -20, -50, { ...ADD, equationRgb: 'min' })).toBeCloseTo(-50, 2);
  });

  it('averages samples of both signs', () => {
    const rig = new Rig();
    const color = rig.texture(format, 4, 4, { samples: 4 });
    rig.target([color]);
    rig.clear([-1, -1, -1, -1]);
    rig.context.setSampleMask(0b0011);
    rig.fill({ color: [1, 1, 1, 1] });
    expect(rig.pixel(rig.resolved(color), 1, 1)[0]).toBeCloseTo(0, 6);
  });
});

describe.each<[Format, number]>([
  ['R16_UNORM', 65535],
  ['R16G16_UNORM', 65535],
  ['R16G16B16A16_UNORM', 65535],
])('%s', (format, max) => {
  it('keeps all 65,536 codes', () => {
    for (const code of [0, 1, 2, 255, 256, 257, 32767, 32768, 65534, 65535])
      expect(drawnCode(format, max, 0, code, {}), `${code}`).toBeCloseTo(code, 2);
  });

  it('blends to the last bit and clamps', () => {
    expect(drawnCode(format, max, 20000, 30001, ADD)).toBeCloseTo(50001, 2);
    expect(drawnCode(format, max, 40000, 40000, ADD)).toBeCloseTo(max, 2);
    expect(drawnCode(format, max, 257, 2 * max, { ...ADD, equationRgb: 'reverseSubtract' })).toBeCloseTo(0, 2);
    expect(drawnCode(format, max, 0, -5, {})).toBeCloseTo(0, 2);
  });
});
