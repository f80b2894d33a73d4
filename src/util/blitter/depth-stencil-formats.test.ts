import { describe, expect, it } from 'vitest';
import { packDepthStencilPixel } from '../../format/depth-stencil.ts';
import { type Format, formatDescription } from '../../format/format.ts';
import { packPixel } from '../../format/pack.ts';
import { unpackPixel } from '../../format/unpack.ts';
import { BLIT } from '../../pipe/pipe.ts';
import { type ColorCopy, type ColorViewKind, depthStencilAsColor } from './depth-stencil-formats.ts';

const D24: Format[] = ['Z24X8_UNORM', 'X8Z24_UNORM', 'Z24_UNORM_S8_UINT', 'S8_UINT_Z24_UNORM'];
const BOTH = BLIT.DEPTH | BLIT.STENCIL;

/** One pixel of the destination after the copy, as a colour blit would leave it. */
function copyPixel(copy: ColorCopy, source: Uint8Array, destination: Uint8Array): Uint8Array {
  const from = unpackPixel(copy.sourceFormat, source);
  const old = unpackPixel(copy.destinationFormat, destination);
  const color = old.map((value, i) => {
    if (!(copy.colorMask & (1 << i))) return value;
    const place = 'xyzw'.indexOf(copy.swizzle[i]!);
    return place < 0 ? 0 : from[place]!;
  });
  return packPixel(copy.destinationFormat, color);
}

describe.each<ColorViewKind>(['uint', 'unorm'])('depth and stencil as %s colours', (kind) => {
  it('views have the size of the pixel', () => {
    for (const format of [...D24, 'Z16_UNORM', 'Z32_FLOAT', 'Z32_FLOAT_S8X24_UINT', 'S8_UINT'] as Format[]) {
      const copy = depthStencilAsColor(format, format, BOTH, kind)!;
      expect(formatDescription(copy.sourceFormat).blockBytes).toBe(formatDescription(format).blockBytes);
    }
  });

  it('24-bit depth goes where the destination wants it and leaves the other byte', () => {
    for (const source of D24) {
      for (const destination of D24) {
        const from = packDepthStencilPixel(source, 0x123456 / 0xffffff, 0x77);
        const to = packDepthStencilPixel(destination, 0xabcdef / 0xffffff, 0x99);
        const copy = depthStencilAsColor(source, destination, BLIT.DEPTH, kind)!;
        expect(copyPixel(copy, from, to)).toEqual(packDepthStencilPixel(destination, 0x123456 / 0xffffff, 0x99));
      }
    }
  });

  it('stencil goes alone, through a mask, from and to any place', () => {
    const formats: Format[] = ['Z24_UNORM_S8_UINT', 'S8_UINT_Z24_UNORM', 'S8_UINT'];
    for (const source of formats) {
      for (const destination of formats) {
        const from = packDepthStencilPixel(source, 0.25, 0x77);
        const to = packDepthStencilPixel(destination, 0.5, 0x99);
        const copy = depthStencilAsColor(source, destination, BLIT.STENCIL, kind)!;
        expect(copyPixel(copy, from, to)).toEqual(packDepthStencilPixel(destination, 0.5, 0x77));
      }
    }
  });

  it('both go at once', () => {
    for (const format of ['Z24_UNORM_S8_UINT', 'Z32_FLOAT_S8X24_UINT'] as const) {
      const from = packDepthStencilPixel(format, 0.3, 0x77);
      const to = packDepthStencilPixel(format, 0.5, 0x99);
      expect(copyPixel(depthStencilAsColor(format, format, BOTH, kind)!, from, to)).toEqual(from);
    }
  });

  it('what the destination lacks is not copied; other kinds of depth are refused', () => {
    expect(depthStencilAsColor('Z24_UNORM_S8_UINT', 'S8_UINT', BLIT.DEPTH, kind)!.colorMask).toBe(0);
    expect(depthStencilAsColor('Z16_UNORM', 'Z24X8_UNORM', BLIT.DEPTH, kind)).toBeNull();
    expect(depthStencilAsColor('Z16_UNORM', 'S8_UINT', BLIT.STENCIL, kind)).toBeNull();
    expect(depthStencilAsColor('R8_UNORM', 'S8_UINT', BLIT.STENCIL, kind)).toBeNull();
  });
});
