import { expect, it } from 'vitest';
import { bellWeights, blurText, kernelText, normalizeKernel, parseKernel } from './convolution.ts';

it('reads kernels row by row', () => {
  expect(parseKernel('0,1,0;1,-4,1;0,1,0;')).toEqual({ width: 3, height: 3, values: [0, 1, 0, 1, -4, 1, 0, 1, 0] });
  expect(parseKernel('1')).toEqual({ width: 1, height: 1, values: [1] });
});

it.each([['1,2;3'], ['a'], [''], ['1,,2'], [';']])("refuses '%s'", (text) => {
  expect(() => parseKernel(text)).toThrow(/kernel/);
});

it('divides by the sum, or by the positive part when the sum is zero', () => {
  expect(normalizeKernel(parseKernel('1,3')).values).toEqual([0.25, 0.75]);
  expect(normalizeKernel(parseKernel('1,1,-2')).values).toEqual([0.5, 0.5, -1]);
  expect(normalizeKernel(parseKernel('0')).values).toEqual([0]);
});

it('counts rows from the top, as pictures do, and texels from the bottom', () => {
  const { convolution } = kernelText(parseKernel('1,2,3;4,5,6;7,8,9'));
  expect(convolution).toContain('vec2(-1.0 * TextureStepX, 1.0 * TextureStepY)) * Kernel0');
  expect(convolution).toContain('vec2(1.0 * TextureStepX, -1.0 * TextureStepY)) * Kernel8');
});

it('weighs a blur by a bell whose whole is one', () => {
  const [middle, ...sides] = bellWeights(9, 3);
  expect(middle! + 2 * sides.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 2);
  expect(blurText(1, 'vertical', 'x', 'y').match(/texture2D/g)).toHaveLength(3);
  expect(blurText(1, 'both', 'x', 'y').match(/texture2D/g)).toHaveLength(9);
});
