// S3TC (DXT1, DXT3, DXT5; EXT_texture_compression_s3tc) and RGTC (ARB_texture_compression_rgtc), whose channels are DXT5's alpha.
// Interpolated values are truncated to the 8-bit format that holds them, as the WebGL conformance tests expect.
import { type BlockDecoder, readBits } from './block.ts';

const extend5 = (value: number): number => (value << 3) | (value >> 2);
const extend6 = (value: number): number => (value << 2) | (value >> 4);

/** Four colours of three bytes, then the alpha of the fourth. */
const palette = new Uint8Array(12);

function readColor(color: number, index: number): void {
  palette[index * 3] = extend5(color >> 11);
  palette[index * 3 + 1] = extend6((color >> 5) & 63);
  palette[index * 3 + 2] = extend5(color & 31);
}

/** `mode`: rgb and rgba are DXT1 (three colours and black when the first is not the greater), four always has four colours. */
function decodeColors(src: Uint8Array, at: number, out: Uint8Array, mode: 'rgb' | 'rgba' | 'four'): void {
  const color0 = src[at]! | (src[at + 1]! << 8);
  const color1 = src[at + 2]! | (src[at + 3]! << 8);
  const isThree = mode !== 'four' && color0 <= color1;
  readColor(color0, 0);
  readColor(color1, 1);
  for (let c = 0; c < 3; c++) {
    const [a, b] = [palette[c]!, palette[3 + c]!];
    palette[6 + c] = isThree ? (a + b) >> 1 : (2 * a + b) / 3;
    palette[9 + c] = isThree ? 0 : (a + 2 * b) / 3;
  }
  for (let texel = 0; texel < 16; texel++) {
    const index = (src[at + 4 + (texel >> 2)]! >> ((texel & 3) * 2)) & 3;
    const o = texel * 4;
    out[o] = palette[index * 3]!;
    out[o + 1] = palette[index * 3 + 1]!;
    out[o + 2] = palette[index * 3 + 2]!;
    if (mode !== 'four') out[o + 3] = mode === 'rgba' && isThree && index === 3 ? 0 : 255;
  }
}

const ramp = new Int16Array(8);

/** Two end values and 3-bit indices: one channel of DXT5's alpha and of RGTC. */
function decodeRamp(src: Uint8Array, at: number, out: Uint8Array, first: number, step: number, signed: boolean): void {
  const read = (byte: number): number => (signed ? (byte << 24) >> 24 : byte);
  const a = read(src[at]!);
  const b = read(src[at + 1]!);
  const steps = a > b ? 7 : 5;
  ramp[0] = a;
  ramp[1] = b;
  for (let i = 1; i < steps; i++) ramp[i + 1] = ((steps - i) * a + i * b) / steps;
  if (steps === 5) {
    ramp[6] = signed ? -127 : 0;
    ramp[7] = signed ? 127 : 255;
  }
  for (let texel = 0; texel < 16; texel++) out[texel * step + first] = ramp[readBits(src, at, 16 + texel * 3, 3)]!;
}

export const decodeDxt1Rgb: BlockDecoder = (src, at, out) => decodeColors(src, at, out, 'rgb');
export const decodeDxt1Rgba: BlockDecoder = (src, at, out) => decodeColors(src, at, out, 'rgba');
export const decodeDxt3: BlockDecoder = (src, at, out) => {
  decodeColors(src, at + 8, out, 'four');
  for (let texel = 0; texel < 16; texel++)
    out[texel * 4 + 3] = ((src[at + (texel >> 1)]! >> ((texel & 1) * 4)) & 15) * 17;
};
export const decodeDxt5: BlockDecoder = (src, at, out) => {
  decodeColors(src, at + 8, out, 'four');
  decodeRamp(src, at, out, 3, 4, false);
};
export const decodeRgtc1: BlockDecoder = (src, at, out) => decodeRamp(src, at, out, 0, 1, false);
export const decodeSignedRgtc1: BlockDecoder = (src, at, out) => decodeRamp(src, at, out, 0, 1, true);
export const decodeRgtc2: BlockDecoder = (src, at, out) => {
  decodeRamp(src, at, out, 0, 2, false);
  decodeRamp(src, at + 8, out, 1, 2, false);
};
export const decodeSignedRgtc2: BlockDecoder = (src, at, out) => {
  decodeRamp(src, at, out, 0, 2, true);
  decodeRamp(src, at + 8, out, 1, 2, true);
};
