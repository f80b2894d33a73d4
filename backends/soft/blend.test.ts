import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/format/format.ts';
import { packPixel } from '../../src/format/pack.ts';
import { unpackPixel } from '../../src/format/unpack.ts';
import type { BlendEquation, BlendFactor, BlendTarget, Resource } from '../../src/pipe/pipe.ts';
import { fragment, Rig } from './rig.ts';

const FACTORS: BlendFactor[] = [
  'zero',
  'one',
  'sourceColor',
  'oneMinusSourceColor',
  'destinationColor',
  'oneMinusDestinationColor',
  'sourceAlpha',
  'oneMinusSourceAlpha',
  'destinationAlpha',
  'oneMinusDestinationAlpha',
  'constantColor',
  'oneMinusConstantColor',
  'constantAlpha',
  'oneMinusConstantAlpha',
  'sourceAlphaSaturate',
];
const EQUATIONS: BlendEquation[] = ['add', 'subtract', 'reverseSubtract', 'min', 'max'];
const CONSTANT = [0.3, 0.6, 0.9, 0.45];

function factor(name: BlendFactor, i: number, source: readonly number[], old: readonly number[]): number {
  const complement = name.startsWith('oneMinus');
  const base = complement ? `${name[8]!.toLowerCase()}${name.slice(9)}` : name;
  const values: Record<string, number> = {
    zero: 0,
    one: 1,
    sourceColor: source[i]!,
    destinationColor: old[i]!,
    sourceAlpha: source[3]!,
    destinationAlpha: old[3]!,
    constantColor: CONSTANT[i]!,
    constantAlpha: CONSTANT[3]!,
    sourceAlphaSaturate: i === 3 ? 1 : Math.min(source[3]!, 1 - old[3]!),
  };
  return complement ? 1 - values[base]! : values[base]!;
}

function blended(target: BlendTarget, source: readonly number[], old: readonly number[]): number[] {
  return [0, 1, 2, 3].map((i) => {
    const isAlpha = i === 3;
    const equation = isAlpha ? target.equationAlpha : target.equationRgb;
    const s = source[i]! * factor(isAlpha ? target.sourceAlpha : target.sourceRgb, i, source, old);
    const d = old[i]! * factor(isAlpha ? target.destinationAlpha : target.destinationRgb, i, source, old);
    const results: Record<BlendEquation, number> = {
      add: s + d,
      subtract: s - d,
      reverseSubtract: d - s,
      min: Math.min(source[i]!, old[i]!),
      max: Math.max(source[i]!, old[i]!),
    };
    return results[equation];
  });
}

/** Clears to `old`, draws `source` over it, reads a pixel. */
function blendOnce(format: Format, target: Partial<BlendTarget>, source: number[], old: number[]): number[] {
  const rig = new Rig();
  const color = rig.texture(format, 4, 4);
  rig.target([color]);
  rig.clear(old);
  rig.blend([target]);
  rig.context.setBlendColor(CONSTANT[0]!, CONSTANT[1]!, CONSTANT[2]!, CONSTANT[3]!);
  rig.fill({ color: source });
  return rig.pixel(color, 2, 1);
}

function separate(rgb: [BlendEquation, BlendFactor, BlendFactor], alpha = rgb): BlendTarget {
  return {
    enabled: true,
    equationRgb: rgb[0],
    sourceRgb: rgb[1],
    destinationRgb: rgb[2],
    equationAlpha: alpha[0],
    sourceAlpha: alpha[1],
    destinationAlpha: alpha[2],
    colorMask: 15,
  };
}

function expectClose(actual: readonly number[], expected: readonly number[], tolerance: number, what: string): void {
  for (const [i, value] of actual.entries()) {
    const error = Math.abs(value - expected[i]!);
    expect(error, `${what}, channel ${i}: ${value}, not ${expected[i]}`).toBeLessThanOrEqual(tolerance);
  }
}

describe('blending', () => {
  const source = [0.8, 0.25, 0.5, 0.6];
  const old = [0.2, 0.4, 1, 0.8];

  it('knows every factor on both sides', () => {
    const rig = new Rig();
    const target = rig.texture('R32G32B32A32_FLOAT', 4, 4);
    rig.target([target]);
    rig.context.setBlendColor(CONSTANT[0]!, CONSTANT[1]!, CONSTANT[2]!, CONSTANT[3]!);
    for (const sourceFactor of FACTORS) {
      for (const destinationFactor of FACTORS) {
        const state = separate(['add', sourceFactor, destinationFactor]);
        rig.clear(old);
        rig.blend([state]);
        rig.fill({ color: source });
        expectClose(
          rig.pixel(target, 0, 0),
          blended(state, source, old),
          1e-5,
          `${sourceFactor}, ${destinationFactor}`,
        );
      }
    }
  });

  it('knows every equation, separately for alpha', () => {
    for (const rgb of EQUATIONS) {
      for (const alpha of EQUATIONS) {
        const state = separate(
          [rgb, 'sourceAlpha', 'destinationColor'],
          [alpha, 'constantAlpha', 'oneMinusSourceAlpha'],
        );
        const actual = blendOnce('R32G32B32A32_FLOAT', state, source, old);
        expectClose(actual, blended(state, source, old), 1e-5, `${rgb}, ${alpha}`);
      }
    }
  });

  it.each<[Format, number]>([
    ['R8G8B8A8_UNORM', 1 / 255],
    ['B8G8R8A8_UNORM', 1 / 255],
    ['R10G10B10A2_UNORM', 1 / 3],
    ['R16G16B16A16_FLOAT', 1 / 1024],
    ['R11G11B10_FLOAT', 1 / 32],
    ['R8G8B8A8_SRGB', 1 / 100],
  ])('blends in what the format holds: %s', (format, step) => {
    const state = separate(['add', 'sourceAlpha', 'oneMinusSourceAlpha']);
    const held = [...unpackPixel(format, packPixel(format, old))];
    const actual = blendOnce(format, state, source, old);
    const expected = [...unpackPixel(format, packPixel(format, blended(state, source, held)))];
    expectClose(actual, expected, step * 1.01, format);
  });

  it('clamps sources to the range of unorm targets, but not of float targets', () => {
    const state = separate(['add', 'one', 'one']);
    expect(blendOnce('R8G8B8A8_UNORM', state, [5, -3, 0, 1], [0, 1, 0, 0])).toEqual([1, 1, 0, 1]);
    expect(blendOnce('R32G32B32A32_FLOAT', state, [5, -3, 0, 1], [0, 1, 0, 0])).toEqual([5, -2, 0, 1]);
  });

  it('does not blend integers', () => {
    const rig = new Rig();
    const color = rig.texture('R32G32_UINT', 4, 4);
    rig.target([color]);
    rig.clear([7, 7, 7, 7]);
    rig.blend([separate(['add', 'one', 'one'])]);
    rig.fragmentShader(fragment((b) => b.storeOutput('color0', b.f2u(b.loadInput('var0', 4)))));
    rig.fill({ color: [3, 4, 5, 6] });
    expect(rig.pixel(color, 0, 0)).toEqual([3, 4, 0, 1]);
  });

  it('adds up in drawing order, also of one draw', () => {
    const rig = new Rig();
    const color = rig.texture('R32G32B32A32_FLOAT', 70, 3);
    rig.target([color]);
    rig.clear([1, 1, 1, 1]);
    rig.blend([separate(['add', 'one', 'destinationColor'])]);
    // x → x · x + 1, 1: not commutative with other colours.
    rig.fill({ color: [1, 0.5, 0, 0], instances: 3 });
    let expected = [1, 1, 1, 1];
    for (let i = 0; i < 3; i++) expected = [1, 0.5, 0, 0].map((s, k) => s + expected[k]! * expected[k]!);
    for (const pixel of rig.pixels(color)) expectClose(pixel, expected, 1e-5, 'pixel');
  });
});

describe('colour masks', () => {
  it('keep every combination of channels', () => {
    for (const format of ['R8G8B8A8_UNORM', 'R5G5B5A1_UNORM', 'R16G16B16A16_FLOAT', 'R32G32B32A32_FLOAT'] as const) {
      for (let colorMask = 0; colorMask < 16; colorMask++) {
        const actual = blendOnce(format, { colorMask }, [1, 1, 1, 1], [0, 0, 0, 0]);
        expect(actual, `${format} ${colorMask}`).toEqual([0, 1, 2, 3].map((i) => (colorMask >> i) & 1));
      }
    }
  });

  it('combine with blending', () => {
    const state = { ...separate(['add', 'one', 'one']), colorMask: 5 };
    expect(blendOnce('R32G32B32A32_FLOAT', state, [1, 1, 1, 1], [2, 2, 2, 2])).toEqual([3, 2, 3, 2]);
  });
});

describe('several targets', () => {
  it('get their own outputs, formats, masks and blending', () => {
    const rig = new Rig();
    const formats: Format[] = [
      'R8G8B8A8_UNORM',
      'R16G16B16A16_FLOAT',
      'R32G32B32A32_FLOAT',
      'R32G32B32A32_UINT',
      'R8_UNORM',
      'R5G6B5_UNORM',
      'R8G8B8A8_SRGB',
      'R32_FLOAT',
    ];
    const colors: Resource[] = formats.map((format) => rig.texture(format, 70, 4));
    rig.target(colors);
    const outputs = colors.map((_, i) => `color${i}` as const);
    rig.fragmentShader(
      fragment((b) => {
        const input = b.loadInput('var0', 4);
        for (const [i, slot] of outputs.entries()) {
          const scaled = b.fmul(input, b.splat(b.constFloat((i + 1) / 8), 4));
          b.storeOutput(slot, i === 3 ? b.f2u(b.fmul(scaled, b.splat(b.constFloat(100), 4))) : scaled);
        }
      }, outputs),
    );
    const additive = separate(['add', 'one', 'one']);
    rig.blend(
      colors.map((_, i) => (i === 2 ? additive : i === 1 ? { colorMask: 3 } : i === 7 ? { colorMask: 0 } : {})),
    );
    rig.fill({ color: [1, 1, 1, 1] });
    rig.fill({ color: [1, 1, 1, 1] });
    const pixel = (i: number) => rig.pixel(colors[i]!, 66, 3);
    expectClose(pixel(0), [1 / 8, 1 / 8, 1 / 8, 1 / 8], 1 / 255, 'unorm');
    expect(pixel(1)).toEqual([0.25, 0.25, 0, 0]);
    expect(pixel(2)).toEqual([0.75, 0.75, 0.75, 0.75]);
    expect(pixel(3)).toEqual([50, 50, 50, 50]);
    expectClose(pixel(4), [5 / 8, 0, 0, 1], 1 / 255, 'one channel');
    expectClose(pixel(5), [6 / 8, 6 / 8, 6 / 8, 1], 1 / 31, '565');
    expectClose(pixel(6), [7 / 8, 7 / 8, 7 / 8, 7 / 8], 1 / 100, 'sRGB');
    expect(pixel(7)).toEqual([0, 0, 0, 1]);
  });

  it('skip targets that are not there', () => {
    const rig = new Rig();
    const [first, third] = [rig.texture('R8G8B8A8_UNORM', 4, 4), rig.texture('R8G8B8A8_UNORM', 4, 4)];
    rig.target([first, null, third]);
    const outputs = ['color0', 'color1', 'color2'] as const;
    rig.fragmentShader(
      fragment((b) => {
        for (const [i, slot] of outputs.entries()) b.storeOutput(slot, b.splat(b.constFloat(i / 2), 4));
      }, outputs),
    );
    rig.fill();
    expect(rig.pixel(first, 0, 0)).toEqual([0, 0, 0, 0]);
    expect(rig.pixel(third, 0, 0)).toEqual([1, 1, 1, 1]);
  });
});
