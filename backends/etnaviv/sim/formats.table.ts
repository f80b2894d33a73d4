// The hardware's format codes as formats of src/format. Facts: rnndb of the etnaviv project.

import type { Format } from '../../../src/format/format.ts';

/** Pixel engine formats (PE_FORMAT). Integer formats hold raw integers; `null`: not simulated. */
export const PE_FORMATS: Readonly<Record<number, Format>> = {
  0: 'B4G4R4X4_UNORM',
  1: 'B4G4R4A4_UNORM',
  2: 'B5G5R5X1_UNORM',
  3: 'B5G5R5A1_UNORM',
  4: 'B5G6R5_UNORM',
  5: 'B8G8R8X8_UNORM',
  6: 'B8G8R8A8_UNORM',
  16: 'A8_UNORM',
  17: 'R16_FLOAT',
  18: 'R16G16_FLOAT',
  19: 'R16G16B16A16_FLOAT',
  20: 'R32_FLOAT',
  21: 'R32G32_FLOAT',
  22: 'R10G10B10A2_UNORM',
  23: 'R8_UINT',
  24: 'R8G8_UINT',
  25: 'R8G8B8A8_UINT',
  26: 'R16_UINT',
  27: 'R16G16_UINT',
  28: 'R16G16B16A16_UINT',
  29: 'R11G11B10_FLOAT',
  30: 'R10G10B10A2_UINT',
  31: 'R8G8_UNORM',
  35: 'R8_UNORM',
};

/** Formats whose sRGB twin is used when the state says so. */
export const SRGB_FORMATS: Partial<Record<Format, Format>> = {
  B8G8R8A8_UNORM: 'B8G8R8A8_SRGB',
  B8G8R8X8_UNORM: 'B8G8R8X8_SRGB',
  R8G8B8A8_UNORM: 'R8G8B8A8_SRGB',
  R8G8B8X8_UNORM: 'R8G8B8X8_SRGB',
};

/** Texture formats (TEXTURE_FORMAT). */
export const TEXTURE_FORMATS: Readonly<Record<number, Format>> = {
  1: 'A8_UNORM',
  2: 'L8_UNORM',
  3: 'I8_UNORM',
  4: 'L8A8_UNORM',
  5: 'B4G4R4A4_UNORM',
  6: 'B4G4R4X4_UNORM',
  7: 'B8G8R8A8_UNORM',
  8: 'B8G8R8X8_UNORM',
  9: 'R8G8B8A8_UNORM',
  10: 'R8G8B8X8_UNORM',
  11: 'B5G6R5_UNORM',
  12: 'B5G5R5A1_UNORM',
  13: 'B5G5R5X1_UNORM',
  16: 'Z16_UNORM',
  17: 'X8Z24_UNORM',
  19: 'DXT1_RGBA',
  20: 'DXT3_RGBA',
  21: 'DXT5_RGBA',
  29: 'R9G9B9E5_FLOAT',
  30: 'ETC2_RGB8',
};

/** Extended texture formats (TEXTURE_FORMAT_EXT); integer formats by their signedness elsewhere. */
export const TEXTURE_FORMATS_EXT: Readonly<Record<number, Format>> = {
  1: 'ETC2_RGB8A1',
  2: 'ETC2_RGBA8',
  3: 'ETC2_R11_UNORM',
  4: 'ETC2_RG11_UNORM',
  5: 'ETC2_RG11_SNORM',
  6: 'R8G8_UNORM',
  7: 'R16_FLOAT',
  8: 'R16G16_FLOAT',
  9: 'R16G16B16A16_FLOAT',
  10: 'R32_FLOAT',
  11: 'R32G32_FLOAT',
  12: 'R10G10B10A2_UNORM',
  13: 'ETC2_R11_SNORM',
  14: 'R8_SNORM',
  15: 'R8G8_SNORM',
  16: 'R8G8B8X8_SNORM',
  17: 'R8G8B8A8_SNORM',
  21: 'R8_UINT',
  22: 'R8G8_UINT',
  23: 'R8G8B8A8_UINT',
  24: 'R16_UINT',
  25: 'R16G16_UINT',
  26: 'R16G16B16A16_UINT',
  27: 'R11G11B10_FLOAT',
  28: 'R10G10B10A2_UINT',
  33: 'R8_UNORM',
  34: 'S8_UINT_Z24_UNORM',
  35: 'R32_UINT',
  36: 'R32G32_UINT',
};
