// Recorded streams on the simulated GPU: a few cases of each recorded GPU (the whole set: `indium etnaviv replay`), and the
// picture rule.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodePng } from '../../../src/canvas/image.ts';
import { comparePictures } from './compare.ts';
import { expectedPath } from './recording.ts';
import { replayCase } from './replay-case.ts';

const GOLDEN = `${process.env.INDIUM_TEST_DATA ?? '../shared'}/golden`;
/** Cases that between them touch every unit. */
const CASES = [
  'tri_varyings',
  'cube_depth',
  'stencil',
  'tex_linear',
  'rtt',
  'blend_alpha',
  'fs_loop',
  'msaa4',
  'prim_pointsize',
  'mrt2',
];
const GPUS = ['gc400', 'gc880', 'gc2000', 'gc2000-no_ts', 'gc3000', 'gc7000', 'gc7000-no_ts'];

for (const gpu of GPUS) {
  describe.skipIf(!existsSync(`${GOLDEN}/etnaviv-${gpu}`))(`recorded streams of ${gpu}`, () => {
    for (const name of CASES) {
      const folder = join(GOLDEN, `etnaviv-${gpu}`, name);
      it.skipIf(!existsSync(folder))(name, () => {
        const { pictures, error, recorded } = replayCase(folder);
        expect(error).toBeNull();
        expect(pictures).toHaveLength(recorded.images.length);
        for (const picture of pictures) {
          const path = expectedPath(folder, picture.image);
          const references = [path, path.replace(/\.png$/, '.softpipe.png')]
            .filter((file) => existsSync(file))
            .map((file) => decodePng(readFileSync(file)));
          expect(comparePictures(name, picture, references).isRight).toBe(true);
        }
      });
    }
  });
}

describe('the picture rule', () => {
  const picture = (...values: number[]) => ({
    width: values.length,
    height: 1,
    data: Uint8Array.from(values.flatMap((value) => [value, value, value, 255])),
  });

  it('takes differences of two and half a percent of wrong pixels', () => {
    const reference = picture(...new Array<number>(200).fill(100));
    expect(comparePictures('x', picture(...new Array<number>(200).fill(102)), [reference]).isRight).toBe(true);
    const oneWrong = [...new Array<number>(199).fill(100), 0];
    expect(comparePictures('x', picture(...oneWrong), [reference])).toMatchObject({ isRight: true, wrongPixels: 1 });
    const twoWrong = [...new Array<number>(198).fill(100), 0, 0];
    expect(comparePictures('x', picture(...twoWrong), [reference]).isRight).toBe(false);
  });

  it('lets edges of lines lie one pixel off', () => {
    const reference = picture(0, 0, 255, 0, 0);
    expect(comparePictures('prim_lines', picture(0, 255, 0, 0, 0), [reference]).isRight).toBe(true);
    expect(comparePictures('tri', picture(0, 255, 0, 0, 0), [reference]).isRight).toBe(false);
  });
});
