// Each example on simulated Vivante GPUs draws soft's picture.

import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listExamples } from '../src/cli/commands/demo.ts';
import { loadDemo } from '../src/cli/load-demo.ts';
import { createCanvas } from '../src/index.ts';
import { openBackend } from '../src/open-backend.ts';

const [WIDTH, HEIGHT] = [96, 72];
const FRAME = 30;
/**
 * Both round to 8 bits at the end, and their arithmetic is one engine's: what may differ is the order in which a program's
 * sums are made and the last bit of its functions, which is one step of 255, and two after a target in between.
 */
const TOLERANCE = 2;

async function draw(path: string, backendName: string): Promise<Uint8Array> {
  const demo = await loadDemo(path);
  const canvas = createCanvas(WIDTH, HEIGHT, { backend: await openBackend(backendName) });
  const gl = canvas.getContext(demo.api ?? 'webgl2') as WebGL2RenderingContext;
  const instance = await demo.setup({ gl, canvas, width: WIDTH, height: HEIGHT, args: [] });
  instance.frame(FRAME / 60, FRAME);
  const pixels = new Uint8Array(WIDTH * HEIGHT * 4);
  gl.readPixels(0, 0, WIDTH, HEIGHT, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  expect(gl.getError()).toBe(0);
  instance.dispose?.();
  canvas.dispose();
  return pixels;
}

describe('examples on Vivante GPUs', () => {
  for (const { name, path } of listExamples(fileURLToPath(new URL('.', import.meta.url)))) {
    it(`${name} looks as on soft`, { timeout: 120_000 }, async () => {
      const { api } = await loadDemo(path);
      const expected = await draw(path, 'soft');
      for (const core of api === 'webgl' ? ['gc2000', 'gc3000', 'gc7000'] : ['gc7000']) {
        const pixels = await draw(path, `etnaviv:${core}`);
        const differences = pixels.map((value, i) => Math.abs(value - expected[i]!));
        expect(Math.max(...differences), `${core}: largest difference of a channel`).toBeLessThanOrEqual(TOLERANCE);
      }
    });
  }
});
