// An atlas of the letters that show-fps and title write, made from the small font: white on nothing, placed as in glmark2's data.

import { glyphRows } from '../../src/base/small-font.ts';
import { ATLAS } from '../gl/text.ts';
import { fromTopDownRgba, type TextureImage } from './texture-image.ts';

/** A dot of the font, with room for five by nine of them. */
const DOT = { width: 5, height: 6 } as const;
const INK = [255, 255, 255, 255] as const;

export function glyphAtlas(): TextureImage {
  const { size, glyphWidth, glyphHeight, columns, first, end } = ATLAS;
  const rgba = new Uint8Array(size * size * 4);
  const fill = (left: number, top: number) => {
    for (let y = top; y < top + DOT.height; y++) {
      for (let x = left; x < left + DOT.width; x++) rgba.set(INK, (y * size + x) * 4);
    }
  };
  for (let code = first; code < end; code++) {
    const [left, top] = [((code - first) % columns) * glyphWidth, Math.floor((code - first) / columns) * glyphHeight];
    for (const [row, dots] of glyphRows(String.fromCharCode(code)).entries()) {
      for (const [column, dot] of [...dots].entries()) {
        // Two texels of room on the left, one above: filtering must not reach the next glyph.
        if (dot === '1') fill(left + 2 + column * DOT.width, top + 1 + row * DOT.height);
      }
    }
  }
  return fromTopDownRgba(size, size, rgba, 4);
}
