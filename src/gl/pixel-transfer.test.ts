import { expect, it } from 'vitest';
import { premultiplyRgba8 } from './pixel-transfer.ts';

it('premultiplies bytes to the nearest byte, for all colours and alphas', () => {
  const bytes = new Uint8Array(256 * 256 * 4);
  for (let at = 0; at < 256 * 256; at++) bytes.set([at & 255, 255 - (at & 255), 128, at >> 8], at * 4);
  const expected = bytes.map((value, at) => ((at & 3) === 3 ? value : Math.round((value * bytes[at | 3]!) / 255)));
  premultiplyRgba8(bytes, 0, 256 * 256);
  expect(bytes).toEqual(expected);
});
