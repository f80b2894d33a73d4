// Replays the recorded GLES programs of the test data on soft and compares their pictures with the expected ones.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { softBackend } from '../backends/soft/screen.ts';
import { decodePng, type Image } from '../src/canvas/image.ts';
import { replayText } from '../src/cli/commands/replay.ts';

const root = join(process.env['INDIUM_TEST_DATA'] ?? '../shared', 'golden');
const calls = join(root, 'calls');

/** The data's picture rule: within 2 a channel, for all but 0.5 % of the pixels. */
const TOLERANCE = 2;
const WRONG_SHARE = 0.005;
/** Programs where a pixel between the extremes of its expected neighbourhood is right too: rasterisers differ there. */
const LOOSE = /^(prim_lines|prim_points|msaa)/;

function isNear(a: Image, b: Image, pixel: number): boolean {
  for (let at = pixel * 4; at < pixel * 4 + 4; at++) if (Math.abs(a.data[at]! - b.data[at]!) > TOLERANCE) return false;
  return true;
}

function isBetweenNeighbours(picture: Image, expected: Image, pixel: number): boolean {
  const { width, height, data } = expected;
  const x = pixel % width;
  const y = Math.floor(pixel / width);
  for (let channel = 0; channel < 4; channel++) {
    let low = 255;
    let high = 0;
    for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
      for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
        const value = data[(ny * width + nx) * 4 + channel]!;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    const value = picture.data[pixel * 4 + channel]!;
    if (value < low || value > high) return false;
  }
  return true;
}

/** Pixels that are right by none of the expected pictures. */
function countWrong(picture: Image, expected: readonly Image[], isLoose: boolean): number {
  let wrong = 0;
  for (let pixel = 0; pixel < picture.width * picture.height; pixel++) {
    const isRight = expected.some(
      (image) => isNear(picture, image, pixel) || (isLoose && isBetweenNeighbours(picture, image, pixel)),
    );
    if (!isRight) wrong++;
  }
  return wrong;
}

function expectedPictures(name: string, index: number): Image[] {
  return ['.png', '.softpipe.png']
    .map((ending) => join(root, 'expected', `${name}-${index}${ending}`))
    .filter((path) => existsSync(path))
    .map((path) => decodePng(readFileSync(path)));
}

describe.skipIf(!existsSync(calls))('recorded programs', () => {
  const names = existsSync(calls) ? readdirSync(calls).map((file) => file.replace(/\.json$/, '')) : ['no data'];

  it.each(names)('%s', (name) => {
    const pictures = replayText(readFileSync(join(calls, `${name}.json`), 'utf8'), softBackend);
    expect(pictures.length).toBeGreaterThan(0);
    for (const [index, { width, height, pixels }] of pictures.entries()) {
      const expected = expectedPictures(name, index);
      // Two programs were recorded without a picture: running them without an error is all there is to compare.
      if (expected.length === 0) continue;
      const picture = { width, height, data: pixels };
      expect([width, height]).toEqual([expected[0]!.width, expected[0]!.height]);
      const wrong = countWrong(picture, expected, LOOSE.test(name));
      expect(wrong, `picture ${index}`).toBeLessThanOrEqual(width * height * WRONG_SHARE);
    }
  });
});
