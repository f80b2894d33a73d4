import { expect, it } from 'vitest';
import { KernelLibrary } from '../../../src/raster/kernel.ts';
import { RasterMemory } from '../../../src/raster/memory.ts';
import { buildAverage, type PixelKernel } from './pixel-kernels.ts';

const [WIDTH, HEIGHT] = [7, 3];

it.each([
  [1, 1, true],
  [2, 1, false],
  [1, 2, false],
  [2, 2, false],
  [2, 2, true],
] as const)('%d × %d samples become their mean to the nearest byte, exchanged: %s', (scaleX, scaleY, exchanges) => {
  const memory = new RasterMemory({ shared: false });
  const library = new KernelLibrary(memory);
  const exports = library.get(`average/${scaleX}${scaleY}${exchanges}`, (module) =>
    buildAverage(module, scaleX, scaleY, exchanges),
  );
  const inStride = WIDTH * scaleX * 4;
  const input = memory.allocate(inStride * HEIGHT * scaleY + 64);
  const output = memory.allocate(WIDTH * 4 * HEIGHT + 64);
  for (let i = 0; i < inStride * HEIGHT * scaleY; i++) memory.u8[input + i] = (i * 151 + (i >> 3) * 17) & 255;
  (exports['average'] as PixelKernel)(input, inStride, output, WIDTH * 4, WIDTH, HEIGHT);
  const expected: number[] = [];
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      for (const channel of exchanges ? [2, 1, 0, 3] : [0, 1, 2, 3]) {
        let sum = 0;
        for (let sy = 0; sy < scaleY; sy++)
          for (let sx = 0; sx < scaleX; sx++)
            sum += memory.u8[input + (y * scaleY + sy) * inStride + (x * scaleX + sx) * 4 + channel]!;
        expected.push(Math.floor(sum / (scaleX * scaleY) + 0.5));
      }
    }
  }
  expect([...memory.u8.subarray(output, output + expected.length)]).toEqual(expected);
});
