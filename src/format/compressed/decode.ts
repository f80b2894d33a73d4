// Decodes images of any block-compressed format into an uncompressed one: for backends without hardware decoders and for reading
// back. Bad or truncated data give wrong texels, never an exception or a write outside of the image.
import { type Format, formatDescription } from '../format.ts';
import { astcDecoder } from './astc.ts';
import type { BlockDecoder } from './block.ts';
import { decodeBptc } from './bptc.ts';
import { decodeBptcFloat, decodeBptcUnsignedFloat } from './bptc-float.ts';
import {
  decodeEacR11,
  decodeEacRg11,
  decodeEacSignedR11,
  decodeEacSignedRg11,
  decodeEtc2Rgb,
  decodeEtc2Rgb8A1,
  decodeEtc2Rgba8,
} from './etc.ts';
import { decodePvrtc } from './pvrtc.ts';
import {
  decodeDxt1Rgb,
  decodeDxt1Rgba,
  decodeDxt3,
  decodeDxt5,
  decodeRgtc1,
  decodeRgtc2,
  decodeSignedRgtc1,
  decodeSignedRgtc2,
} from './s3tc.ts';

interface Decoding {
  readonly decoded: Format;
  readonly decode: BlockDecoder;
}

const rgba8 = (decode: BlockDecoder): Decoding => ({ decoded: 'R8G8B8A8_UNORM', decode });
const srgb8 = (decode: BlockDecoder): Decoding => ({ decoded: 'R8G8B8A8_SRGB', decode });

const DECODINGS: Partial<Record<Format, Decoding>> = {
  ETC1_RGB8: rgba8(decodeEtc2Rgb),
  ETC2_RGB8: rgba8(decodeEtc2Rgb),
  ETC2_SRGB8: srgb8(decodeEtc2Rgb),
  ETC2_RGB8A1: rgba8(decodeEtc2Rgb8A1),
  ETC2_SRGB8A1: srgb8(decodeEtc2Rgb8A1),
  ETC2_RGBA8: rgba8(decodeEtc2Rgba8),
  ETC2_SRGBA8: srgb8(decodeEtc2Rgba8),
  ETC2_R11_UNORM: { decoded: 'R16_UNORM', decode: decodeEacR11 },
  ETC2_R11_SNORM: { decoded: 'R16_SNORM', decode: decodeEacSignedR11 },
  ETC2_RG11_UNORM: { decoded: 'R16G16_UNORM', decode: decodeEacRg11 },
  ETC2_RG11_SNORM: { decoded: 'R16G16_SNORM', decode: decodeEacSignedRg11 },
  DXT1_RGB: rgba8(decodeDxt1Rgb),
  DXT1_SRGB: srgb8(decodeDxt1Rgb),
  DXT1_RGBA: rgba8(decodeDxt1Rgba),
  DXT1_SRGBA: srgb8(decodeDxt1Rgba),
  DXT3_RGBA: rgba8(decodeDxt3),
  DXT3_SRGBA: srgb8(decodeDxt3),
  DXT5_RGBA: rgba8(decodeDxt5),
  DXT5_SRGBA: srgb8(decodeDxt5),
  RGTC1_UNORM: { decoded: 'R8_UNORM', decode: decodeRgtc1 },
  RGTC1_SNORM: { decoded: 'R8_SNORM', decode: decodeSignedRgtc1 },
  RGTC2_UNORM: { decoded: 'R8G8_UNORM', decode: decodeRgtc2 },
  RGTC2_SNORM: { decoded: 'R8G8_SNORM', decode: decodeSignedRgtc2 },
  BPTC_RGBA_UNORM: rgba8(decodeBptc),
  BPTC_SRGBA: srgb8(decodeBptc),
  BPTC_RGB_FLOAT: { decoded: 'R16G16B16X16_FLOAT', decode: decodeBptcFloat },
  BPTC_RGB_UFLOAT: { decoded: 'R16G16B16X16_FLOAT', decode: decodeBptcUnsignedFloat },
};

function decodingOf(format: Format): Decoding | undefined {
  const known = DECODINGS[format];
  const { layout, blockWidth, blockHeight, isSrgb } = formatDescription(format);
  if (known || layout !== 'astc') return known;
  const decoding = (isSrgb ? srgb8 : rgba8)(astcDecoder(blockWidth, blockHeight, isSrgb));
  DECODINGS[format] = decoding;
  return decoding;
}

/** The uncompressed format that `decodeCompressed` writes, or undefined if there is no decoder for the format. */
export function decodedFormat(format: Format): Format | undefined {
  return formatDescription(format).layout === 'pvrtc' ? 'R8G8B8A8_UNORM' : decodingOf(format)?.decoded;
}

/**
 * Decodes `width`×`height` texels (partial blocks at the right and upper edge are cut) from rows of blocks at `src`, `srcStride`
 * bytes apart, to `dst` at `dstOffset`, rows `dstStride` bytes apart, in `decodedFormat(format)`. PVRTC can only be decoded as a whole
 * level; its blocks are no rows, and `srcStride` is not looked at.
 */
export function decodeCompressed(
  format: Format,
  src: Uint8Array,
  srcStride: number,
  width: number,
  height: number,
  dst: Uint8Array,
  dstOffset: number,
  dstStride: number,
): void {
  if (formatDescription(format).layout === 'pvrtc') {
    const { blockWidth, hasAlpha } = formatDescription(format);
    decodePvrtc(src, blockWidth === 8 ? 8 : 4, width, height, !hasAlpha, dst, dstOffset, dstStride);
    return;
  }
  const decoding = decodingOf(format);
  if (!decoding) throw new RangeError(`there is no decoder for ${format}`);
  const { blockWidth, blockHeight, blockBytes } = formatDescription(format);
  const texelBytes = formatDescription(decoding.decoded).blockBytes;
  const block = new Uint8Array(blockWidth * blockHeight * texelBytes);
  const blockStride = blockWidth * texelBytes;
  for (let y = 0; y < height; y += blockHeight) {
    const rows = Math.min(blockHeight, height - y);
    let at = (y / blockHeight) * srcStride;
    for (let x = 0; x < width; x += blockWidth, at += blockBytes) {
      if (at + blockBytes > src.length) block.fill(0);
      else decoding.decode(src, at, block);
      const bytes = Math.min(blockWidth, width - x) * texelBytes;
      for (let row = 0; row < rows; row++) {
        const from = row * blockStride;
        const to = dstOffset + (y + row) * dstStride + x * texelBytes;
        for (let i = 0; i < bytes; i++) dst[to + i] = block[from + i]!;
      }
    }
  }
}
