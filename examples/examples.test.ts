// Each example, drawn small on soft, looks as it did when a person judged its picture.

import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listExamples } from '../src/cli/commands/demo.ts';
import { loadDemo } from '../src/cli/load-demo.ts';
import { createCanvas } from '../src/index.ts';
import { comparePicture } from './testing/compare-picture.ts';

const [WIDTH, HEIGHT] = [160, 120];
/** The frame that is drawn: half a second in. */
const FRAME = 30;

describe('examples', () => {
  for (const { name, path } of listExamples(fileURLToPath(new URL('.', import.meta.url)))) {
    it(`${name} matches its reference`, async () => {
      const demo = await loadDemo(path);
      const canvas = createCanvas(WIDTH, HEIGHT);
      const gl = canvas.getContext(demo.api ?? 'webgl2') as WebGL2RenderingContext;
      const instance = await demo.setup({ gl, canvas, width: WIDTH, height: HEIGHT, args: [] });
      instance.frame(FRAME / 60, FRAME);
      const picture = canvas.toBuffer('image/png');
      const error = gl.getError();
      instance.dispose?.();
      const errorOfDisposal = gl.getError();
      canvas.dispose();
      expect([error, errorOfDisposal]).toEqual([0, 0]);
      expect(comparePicture(name, picture, { threshold: 0.03, share: 0.002 })).toBeNull();
    });
  }
});
