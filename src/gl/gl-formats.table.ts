// GL's image formats as data: what each internal format is made of, which (internalformat, format, type) triples
// may be uploaded (GLES 2.0.25 table 3.4, GLES 3.0.6 tables 3.2 and 3.3, and the extensions), and which pipe formats
// may store each. SPDX-License-Identifier: MIT

import { type Format, isFormat } from '../format/format.ts';
import { GL } from './constants.ts';

/**
 * When a row applies: alternatives separated by `|`, terms of one joined by `&`. `2` = always, `3` = GLES 3 (WebGL 2),
 * `webgl` and `gles` = the face's rules; anything else is the name of an extension that must be on. The empty string = never.
 */
export type Requirement = string;

export type ComponentKind = 'unorm' | 'snorm' | 'float' | 'int' | 'uint' | 'none';

/** A pipe format that can store an internal format, and the swizzle under which it reads as the GL format should. */
export interface StorageCandidate {
  readonly format: Format;
  /** Four of `rgba01`; absent = `rgba`. */
  readonly swizzle?: string;
}

/** One internal format (sized, or compressed). */
export interface InternalFormatRow {
  readonly name: string;
  readonly internalFormat: number;
  /** The base internal format: GL.RGBA, GL.RED_INTEGER, GL.DEPTH_COMPONENT… */
  readonly base: number;
  readonly kind: ComponentKind;
  /** Bits of red, green, blue, alpha, depth, stencil. */
  readonly bits: readonly [number, number, number, number, number, number];
  readonly srgb: boolean;
  /** May be the internal format of a texture (and so of texStorage when `storage` agrees). */
  readonly texture: Requirement;
  /** May be given to texStorage2D / texStorage3D. */
  readonly storage: Requirement;
  /** May be sampled with linear filters. */
  readonly filter: Requirement;
  /** May be attached to a framebuffer (colour, depth or stencil attachment as its base says). */
  readonly render: Requirement;
  /** May be given to renderbufferStorage. */
  readonly renderbuffer: Requirement;
  /** Set for compressed formats: the family decides the update rules. */
  readonly compressed: CompressedFamily | null;
  /** Pipe formats that can store it, best first. */
  readonly candidates: readonly StorageCandidate[];
}

export type CompressedFamily = 'etc1' | 'etc2' | 's3tc' | 'astc' | 'bptc' | 'rgtc' | 'pvrtc';

type Bits = readonly [number, number, number, number, number, number];
interface Rules {
  texture?: Requirement;
  storage?: Requirement;
  filter?: Requirement;
  render?: Requirement;
  renderbuffer?: Requirement;
  srgb?: boolean;
}

/** Reads `R8G8B8A8_UNORM` or `R8_UNORM:rrr1`. */
function candidate(text: string): StorageCandidate {
  const [format = '', swizzle] = text.split(':');
  if (!isFormat(format)) throw new Error(`GL format table: no pipe format '${format}'`);
  return swizzle === undefined ? { format } : { format, swizzle };
}

function row(
  name: string,
  internalFormat: number,
  base: number,
  kind: ComponentKind,
  bits: Bits,
  rules: Rules,
  ...candidates: string[]
): InternalFormatRow {
  const texture = rules.texture ?? '3';
  const render = rules.render ?? '';
  return {
    name,
    internalFormat,
    base,
    kind,
    bits,
    srgb: rules.srgb ?? false,
    texture,
    storage: rules.storage ?? texture,
    filter: rules.filter ?? '',
    render,
    renderbuffer: rules.renderbuffer ?? render,
    compressed: null,
    candidates: candidates.map(candidate),
  };
}

// Shorthands for rows that repeat. All sized formats below are core in GLES 3 unless a rule says otherwise.
const RG_FLOAT_RENDER = 'EXT_color_buffer_float|EXT_color_buffer_half_float';
const FILTER_HALF = '3|OES_texture_half_float_linear';
const FILTER_FLOAT = 'OES_texture_float_linear';
const NORM16 = 'EXT_texture_norm16';
const STORAGE = 'EXT_texture_storage';

const unorm = { filter: '2', render: '3' };
const integer = { render: '3' };
const textureInteger = {};
const snorm = { filter: '2', render: 'EXT_render_snorm' };
const norm16 = { texture: NORM16, filter: '2', render: NORM16 };
const norm16Snorm = { texture: NORM16, filter: '2', render: `EXT_render_snorm&${NORM16}` };

// biome-ignore format: a table
const colourRows: InternalFormatRow[] = [
  //  name              enum                  base             kind      r  g  b  a  d  s     rules                                              stored as
  row('R8',             GL.R8,                GL.RED,          'unorm', [8, 0, 0, 0, 0, 0],   { ...unorm, texture: '3|EXT_texture_rg', render: '3|EXT_texture_rg' }, 'R8_UNORM', 'R8G8_UNORM:r001', 'R8G8B8A8_UNORM:r001'),
  row('RG8',            GL.RG8,               GL.RG,           'unorm', [8, 8, 0, 0, 0, 0],   { ...unorm, texture: '3|EXT_texture_rg', render: '3|EXT_texture_rg' }, 'R8G8_UNORM', 'R8G8B8A8_UNORM:rg01'),
  row('RGB8',           GL.RGB8,              GL.RGB,          'unorm', [8, 8, 8, 0, 0, 0],   { texture: '2', storage: '3|EXT_texture_storage', filter: '2', render: '2', renderbuffer: '3|OES_rgb8_rgba8' }, 'R8G8B8X8_UNORM', 'B8G8R8X8_UNORM', 'R8G8B8A8_UNORM:rgb1', 'B8G8R8A8_UNORM:rgb1'),
  row('RGB565',         GL.RGB565,            GL.RGB,          'unorm', [5, 6, 5, 0, 0, 0],   { texture: '2', storage: '3|EXT_texture_storage', filter: '2', render: '2' }, 'B5G6R5_UNORM', 'R8G8B8X8_UNORM', 'R8G8B8A8_UNORM:rgb1'),
  row('RGBA4',          GL.RGBA4,             GL.RGBA,         'unorm', [4, 4, 4, 4, 0, 0],   { texture: '2', storage: '3|EXT_texture_storage', filter: '2', render: '2' }, 'A4B4G4R4_UNORM', 'B4G4R4A4_UNORM', 'R8G8B8A8_UNORM'),
  row('RGB5_A1',        GL.RGB5_A1,           GL.RGBA,         'unorm', [5, 5, 5, 1, 0, 0],   { texture: '2', storage: '3|EXT_texture_storage', filter: '2', render: '2' }, 'A1B5G5R5_UNORM', 'B5G5R5A1_UNORM', 'R8G8B8A8_UNORM'),
  row('RGBA8',          GL.RGBA8,             GL.RGBA,         'unorm', [8, 8, 8, 8, 0, 0],   { texture: '2', storage: '3|EXT_texture_storage', filter: '2', render: '2', renderbuffer: '3|OES_rgb8_rgba8' }, 'R8G8B8A8_UNORM', 'B8G8R8A8_UNORM'),
  row('RGB10_A2',       GL.RGB10_A2,          GL.RGBA,         'unorm', [10, 10, 10, 2, 0, 0], { ...unorm, texture: '3|EXT_texture_type_2_10_10_10_REV', render: '3' }, 'R10G10B10A2_UNORM', 'B10G10R10A2_UNORM', 'R16G16B16A16_UNORM', 'R8G8B8A8_UNORM'),
  row('RGB10_EXT',      GL.RGB10_EXT,         GL.RGB,          'unorm', [10, 10, 10, 0, 0, 0], { texture: 'EXT_texture_type_2_10_10_10_REV', filter: '2' }, 'R10G10B10X2_UNORM', 'R10G10B10A2_UNORM:rgb1', 'R8G8B8X8_UNORM', 'R8G8B8A8_UNORM:rgb1'),
  row('SRGB8',          GL.SRGB8,             GL.RGB,          'unorm', [8, 8, 8, 0, 0, 0],   { texture: '3|EXT_sRGB', storage: '3', filter: '2', srgb: true }, 'R8G8B8X8_SRGB', 'R8G8B8A8_SRGB:rgb1', 'B8G8R8X8_SRGB', 'B8G8R8A8_SRGB:rgb1'),
  row('SRGB8_ALPHA8',   GL.SRGB8_ALPHA8,      GL.RGBA,         'unorm', [8, 8, 8, 8, 0, 0],   { texture: '3|EXT_sRGB', storage: '3', filter: '2', render: '3|EXT_sRGB', srgb: true }, 'R8G8B8A8_SRGB', 'B8G8R8A8_SRGB'),
  row('BGRA8_EXT',      GL.BGRA8_EXT,         GL.BGRA_EXT,     'unorm', [8, 8, 8, 8, 0, 0],   { texture: 'EXT_texture_format_BGRA8888', storage: 'EXT_texture_format_BGRA8888', filter: '2', render: 'EXT_texture_format_BGRA8888' }, 'B8G8R8A8_UNORM', 'R8G8B8A8_UNORM'),

  row('ALPHA8_EXT',             GL.ALPHA8_EXT,             GL.ALPHA,           'unorm', [0, 0, 0, 8, 0, 0],   { texture: '2', storage: STORAGE, filter: '2' }, 'A8_UNORM', 'R8_UNORM:000r', 'R8G8B8A8_UNORM:000a'),
  row('LUMINANCE8_EXT',         GL.LUMINANCE8_EXT,         GL.LUMINANCE,       'unorm', [8, 0, 0, 0, 0, 0],   { texture: '2', storage: STORAGE, filter: '2' }, 'L8_UNORM', 'R8_UNORM:rrr1', 'R8G8B8A8_UNORM:rrr1'),
  row('LUMINANCE8_ALPHA8_EXT',  GL.LUMINANCE8_ALPHA8_EXT,  GL.LUMINANCE_ALPHA, 'unorm', [8, 0, 0, 8, 0, 0],   { texture: '2', storage: STORAGE, filter: '2' }, 'L8A8_UNORM', 'R8G8_UNORM:rrrg', 'R8G8B8A8_UNORM:rrra'),
  row('ALPHA16F_EXT',           GL.ALPHA16F_EXT,           GL.ALPHA,           'float', [0, 0, 0, 16, 0, 0],  { texture: 'OES_texture_half_float', filter: FILTER_HALF }, 'A16_FLOAT', 'R16_FLOAT:000r', 'R16G16B16A16_FLOAT:000a'),
  row('LUMINANCE16F_EXT',       GL.LUMINANCE16F_EXT,       GL.LUMINANCE,       'float', [16, 0, 0, 0, 0, 0],  { texture: 'OES_texture_half_float', filter: FILTER_HALF }, 'L16_FLOAT', 'R16_FLOAT:rrr1', 'R16G16B16A16_FLOAT:rrr1'),
  row('LUMINANCE_ALPHA16F_EXT', GL.LUMINANCE_ALPHA16F_EXT, GL.LUMINANCE_ALPHA, 'float', [16, 0, 0, 16, 0, 0], { texture: 'OES_texture_half_float', filter: FILTER_HALF }, 'L16A16_FLOAT', 'R16G16_FLOAT:rrrg', 'R16G16B16A16_FLOAT:rrra'),
  row('ALPHA32F_EXT',           GL.ALPHA32F_EXT,           GL.ALPHA,           'float', [0, 0, 0, 32, 0, 0],  { texture: 'OES_texture_float', filter: FILTER_FLOAT }, 'A32_FLOAT', 'R32_FLOAT:000r', 'R32G32B32A32_FLOAT:000a'),
  row('LUMINANCE32F_EXT',       GL.LUMINANCE32F_EXT,       GL.LUMINANCE,       'float', [32, 0, 0, 0, 0, 0],  { texture: 'OES_texture_float', filter: FILTER_FLOAT }, 'L32_FLOAT', 'R32_FLOAT:rrr1', 'R32G32B32A32_FLOAT:rrr1'),
  row('LUMINANCE_ALPHA32F_EXT', GL.LUMINANCE_ALPHA32F_EXT, GL.LUMINANCE_ALPHA, 'float', [32, 0, 0, 32, 0, 0], { texture: 'OES_texture_float', filter: FILTER_FLOAT }, 'L32A32_FLOAT', 'R32G32_FLOAT:rrrg', 'R32G32B32A32_FLOAT:rrra'),

  row('R16F',           GL.R16F,              GL.RED,          'float', [16, 0, 0, 0, 0, 0],     { texture: '3|EXT_texture_rg', filter: FILTER_HALF, render: RG_FLOAT_RENDER }, 'R16_FLOAT', 'R16G16_FLOAT:r001', 'R16G16B16A16_FLOAT:r001', 'R32_FLOAT'),
  row('RG16F',          GL.RG16F,             GL.RG,           'float', [16, 16, 0, 0, 0, 0],    { texture: '3|EXT_texture_rg', filter: FILTER_HALF, render: RG_FLOAT_RENDER }, 'R16G16_FLOAT', 'R16G16B16A16_FLOAT:rg01', 'R32G32_FLOAT'),
  row('RGB16F',         GL.RGB16F,            GL.RGB,          'float', [16, 16, 16, 0, 0, 0],   { texture: '3|OES_texture_half_float', storage: '3', filter: FILTER_HALF, render: 'gles&EXT_color_buffer_half_float' }, 'R16G16B16X16_FLOAT', 'R16G16B16A16_FLOAT:rgb1', 'R32G32B32A32_FLOAT:rgb1'),
  row('RGBA16F',        GL.RGBA16F,           GL.RGBA,         'float', [16, 16, 16, 16, 0, 0],  { texture: '3|OES_texture_half_float', storage: '3', filter: FILTER_HALF, render: RG_FLOAT_RENDER }, 'R16G16B16A16_FLOAT', 'R32G32B32A32_FLOAT'),
  row('R32F',           GL.R32F,              GL.RED,          'float', [32, 0, 0, 0, 0, 0],     { texture: '3|EXT_texture_rg', filter: FILTER_FLOAT, render: 'EXT_color_buffer_float' }, 'R32_FLOAT', 'R32G32B32A32_FLOAT:r001'),
  row('RG32F',          GL.RG32F,             GL.RG,           'float', [32, 32, 0, 0, 0, 0],    { texture: '3|EXT_texture_rg', filter: FILTER_FLOAT, render: 'EXT_color_buffer_float' }, 'R32G32_FLOAT', 'R32G32B32A32_FLOAT:rg01'),
  row('RGB32F',         GL.RGB32F,            GL.RGB,          'float', [32, 32, 32, 0, 0, 0],   { texture: '3|OES_texture_float', storage: '3', filter: FILTER_FLOAT }, 'R32G32B32X32_FLOAT', 'R32G32B32A32_FLOAT:rgb1', 'R32G32B32_FLOAT'),
  row('RGBA32F',        GL.RGBA32F,           GL.RGBA,         'float', [32, 32, 32, 32, 0, 0],  { texture: '3|OES_texture_float', storage: '3', filter: FILTER_FLOAT, render: 'EXT_color_buffer_float|WEBGL_color_buffer_float' }, 'R32G32B32A32_FLOAT'),
  row('R11F_G11F_B10F', GL.R11F_G11F_B10F,    GL.RGB,          'float', [11, 11, 10, 0, 0, 0],   { filter: '2', render: 'EXT_color_buffer_float' }, 'R11G11B10_FLOAT', 'R16G16B16X16_FLOAT', 'R16G16B16A16_FLOAT:rgb1'),
  row('RGB9_E5',        GL.RGB9_E5,           GL.RGB,          'float', [9, 9, 9, 0, 0, 0],      { filter: '2', render: 'WEBGL_render_shared_exponent' }, 'R9G9B9E5_FLOAT', 'R16G16B16A16_FLOAT:rgb1'),

  row('R8_SNORM',       GL.R8_SNORM,          GL.RED,          'snorm', [8, 0, 0, 0, 0, 0], snorm, 'R8_SNORM', 'R8G8B8A8_SNORM:r001'),
  row('RG8_SNORM',      GL.RG8_SNORM,         GL.RG,           'snorm', [8, 8, 0, 0, 0, 0], snorm, 'R8G8_SNORM', 'R8G8B8A8_SNORM:rg01'),
  row('RGB8_SNORM',     GL.RGB8_SNORM,        GL.RGB,          'snorm', [8, 8, 8, 0, 0, 0], { filter: '2' }, 'R8G8B8X8_SNORM', 'R8G8B8A8_SNORM:rgb1'),
  row('RGBA8_SNORM',    GL.RGBA8_SNORM,       GL.RGBA,         'snorm', [8, 8, 8, 8, 0, 0], snorm, 'R8G8B8A8_SNORM'),

  row('R16_EXT',          GL.R16_EXT,          GL.RED,  'unorm', [16, 0, 0, 0, 0, 0],    norm16,      'R16_UNORM', 'R16G16B16A16_UNORM:r001'),
  row('RG16_EXT',         GL.RG16_EXT,         GL.RG,   'unorm', [16, 16, 0, 0, 0, 0],   norm16,      'R16G16_UNORM', 'R16G16B16A16_UNORM:rg01'),
  row('RGB16_EXT',        GL.RGB16_EXT,        GL.RGB,  'unorm', [16, 16, 16, 0, 0, 0],  { texture: NORM16, filter: '2' }, 'R16G16B16X16_UNORM', 'R16G16B16A16_UNORM:rgb1'),
  row('RGBA16_EXT',       GL.RGBA16_EXT,       GL.RGBA, 'unorm', [16, 16, 16, 16, 0, 0], norm16,      'R16G16B16A16_UNORM'),
  row('R16_SNORM_EXT',    GL.R16_SNORM_EXT,    GL.RED,  'snorm', [16, 0, 0, 0, 0, 0],    norm16Snorm, 'R16_SNORM', 'R16G16B16A16_SNORM:r001'),
  row('RG16_SNORM_EXT',   GL.RG16_SNORM_EXT,   GL.RG,   'snorm', [16, 16, 0, 0, 0, 0],   norm16Snorm, 'R16G16_SNORM', 'R16G16B16A16_SNORM:rg01'),
  row('RGB16_SNORM_EXT',  GL.RGB16_SNORM_EXT,  GL.RGB,  'snorm', [16, 16, 16, 0, 0, 0],  { texture: NORM16, filter: '2' }, 'R16G16B16X16_SNORM', 'R16G16B16A16_SNORM:rgb1'),
  row('RGBA16_SNORM_EXT', GL.RGBA16_SNORM_EXT, GL.RGBA, 'snorm', [16, 16, 16, 16, 0, 0], norm16Snorm, 'R16G16B16A16_SNORM'),

  row('R8UI',       GL.R8UI,       GL.RED_INTEGER,  'uint', [8, 0, 0, 0, 0, 0],     integer, 'R8_UINT', 'R8G8B8A8_UINT:r001'),
  row('R8I',        GL.R8I,        GL.RED_INTEGER,  'int',  [8, 0, 0, 0, 0, 0],     integer, 'R8_SINT', 'R8G8B8A8_SINT:r001'),
  row('R16UI',      GL.R16UI,      GL.RED_INTEGER,  'uint', [16, 0, 0, 0, 0, 0],    integer, 'R16_UINT', 'R16G16B16A16_UINT:r001'),
  row('R16I',       GL.R16I,       GL.RED_INTEGER,  'int',  [16, 0, 0, 0, 0, 0],    integer, 'R16_SINT', 'R16G16B16A16_SINT:r001'),
  row('R32UI',      GL.R32UI,      GL.RED_INTEGER,  'uint', [32, 0, 0, 0, 0, 0],    integer, 'R32_UINT', 'R32G32B32A32_UINT:r001'),
  row('R32I',       GL.R32I,       GL.RED_INTEGER,  'int',  [32, 0, 0, 0, 0, 0],    integer, 'R32_SINT', 'R32G32B32A32_SINT:r001'),
  row('RG8UI',      GL.RG8UI,      GL.RG_INTEGER,   'uint', [8, 8, 0, 0, 0, 0],     integer, 'R8G8_UINT', 'R8G8B8A8_UINT:rg01'),
  row('RG8I',       GL.RG8I,       GL.RG_INTEGER,   'int',  [8, 8, 0, 0, 0, 0],     integer, 'R8G8_SINT', 'R8G8B8A8_SINT:rg01'),
  row('RG16UI',     GL.RG16UI,     GL.RG_INTEGER,   'uint', [16, 16, 0, 0, 0, 0],   integer, 'R16G16_UINT', 'R16G16B16A16_UINT:rg01'),
  row('RG16I',      GL.RG16I,      GL.RG_INTEGER,   'int',  [16, 16, 0, 0, 0, 0],   integer, 'R16G16_SINT', 'R16G16B16A16_SINT:rg01'),
  row('RG32UI',     GL.RG32UI,     GL.RG_INTEGER,   'uint', [32, 32, 0, 0, 0, 0],   integer, 'R32G32_UINT', 'R32G32B32A32_UINT:rg01'),
  row('RG32I',      GL.RG32I,      GL.RG_INTEGER,   'int',  [32, 32, 0, 0, 0, 0],   integer, 'R32G32_SINT', 'R32G32B32A32_SINT:rg01'),
  row('RGB8UI',     GL.RGB8UI,     GL.RGB_INTEGER,  'uint', [8, 8, 8, 0, 0, 0],     textureInteger, 'R8G8B8X8_UINT', 'R8G8B8A8_UINT:rgb1'),
  row('RGB8I',      GL.RGB8I,      GL.RGB_INTEGER,  'int',  [8, 8, 8, 0, 0, 0],     textureInteger, 'R8G8B8X8_SINT', 'R8G8B8A8_SINT:rgb1'),
  row('RGB16UI',    GL.RGB16UI,    GL.RGB_INTEGER,  'uint', [16, 16, 16, 0, 0, 0],  textureInteger, 'R16G16B16X16_UINT', 'R16G16B16A16_UINT:rgb1'),
  row('RGB16I',     GL.RGB16I,     GL.RGB_INTEGER,  'int',  [16, 16, 16, 0, 0, 0],  textureInteger, 'R16G16B16X16_SINT', 'R16G16B16A16_SINT:rgb1'),
  row('RGB32UI',    GL.RGB32UI,    GL.RGB_INTEGER,  'uint', [32, 32, 32, 0, 0, 0],  textureInteger, 'R32G32B32X32_UINT', 'R32G32B32A32_UINT:rgb1', 'R32G32B32_UINT'),
  row('RGB32I',     GL.RGB32I,     GL.RGB_INTEGER,  'int',  [32, 32, 32, 0, 0, 0],  textureInteger, 'R32G32B32X32_SINT', 'R32G32B32A32_SINT:rgb1', 'R32G32B32_SINT'),
  row('RGBA8UI',    GL.RGBA8UI,    GL.RGBA_INTEGER, 'uint', [8, 8, 8, 8, 0, 0],     integer, 'R8G8B8A8_UINT'),
  row('RGBA8I',     GL.RGBA8I,     GL.RGBA_INTEGER, 'int',  [8, 8, 8, 8, 0, 0],     integer, 'R8G8B8A8_SINT'),
  row('RGB10_A2UI', GL.RGB10_A2UI, GL.RGBA_INTEGER, 'uint', [10, 10, 10, 2, 0, 0],  integer, 'R10G10B10A2_UINT', 'R16G16B16A16_UINT'),
  row('RGBA16UI',   GL.RGBA16UI,   GL.RGBA_INTEGER, 'uint', [16, 16, 16, 16, 0, 0], integer, 'R16G16B16A16_UINT'),
  row('RGBA16I',    GL.RGBA16I,    GL.RGBA_INTEGER, 'int',  [16, 16, 16, 16, 0, 0], integer, 'R16G16B16A16_SINT'),
  row('RGBA32UI',   GL.RGBA32UI,   GL.RGBA_INTEGER, 'uint', [32, 32, 32, 32, 0, 0], integer, 'R32G32B32A32_UINT'),
  row('RGBA32I',    GL.RGBA32I,    GL.RGBA_INTEGER, 'int',  [32, 32, 32, 32, 0, 0], integer, 'R32G32B32A32_SINT'),
];

const depthTexture = '3|OES_depth_texture';
const packedDepthStencil = '3|OES_packed_depth_stencil|webgl';

// Filtering depth is allowed by OES_depth_texture; GLES 3 makes it incomplete without a compare mode (§ 3.8.13), which
// the completeness rule handles.
// biome-ignore format: a table
const depthStencilRows: InternalFormatRow[] = [
  row('DEPTH_COMPONENT16',  GL.DEPTH_COMPONENT16,  GL.DEPTH_COMPONENT, 'unorm', [0, 0, 0, 0, 16, 0], { texture: depthTexture, storage: '3', filter: '2', render: '2' }, 'Z16_UNORM', 'Z24X8_UNORM', 'X8Z24_UNORM', 'Z24_UNORM_S8_UINT', 'S8_UINT_Z24_UNORM', 'Z32_FLOAT'),
  row('DEPTH_COMPONENT24',  GL.DEPTH_COMPONENT24,  GL.DEPTH_COMPONENT, 'unorm', [0, 0, 0, 0, 24, 0], { texture: depthTexture, storage: '3', filter: '2', render: '2', renderbuffer: '3|OES_depth24' }, 'Z24X8_UNORM', 'X8Z24_UNORM', 'Z24_UNORM_S8_UINT', 'S8_UINT_Z24_UNORM', 'Z32_FLOAT', 'Z16_UNORM'),
  row('DEPTH_COMPONENT32_OES', GL.DEPTH_COMPONENT32_OES, GL.DEPTH_COMPONENT, 'unorm', [0, 0, 0, 0, 32, 0], { texture: 'OES_depth32', storage: '', filter: '2', render: 'OES_depth32' }, 'Z32_UNORM', 'Z32_FLOAT', 'Z24X8_UNORM', 'X8Z24_UNORM', 'Z24_UNORM_S8_UINT', 'S8_UINT_Z24_UNORM'),
  row('DEPTH_COMPONENT32F', GL.DEPTH_COMPONENT32F, GL.DEPTH_COMPONENT, 'float', [0, 0, 0, 0, 32, 0], { filter: '2', render: '3' }, 'Z32_FLOAT', 'Z32_FLOAT_S8X24_UINT', 'Z24X8_UNORM', 'X8Z24_UNORM', 'Z24_UNORM_S8_UINT', 'S8_UINT_Z24_UNORM'),
  row('DEPTH24_STENCIL8',   GL.DEPTH24_STENCIL8,   GL.DEPTH_STENCIL,   'unorm', [0, 0, 0, 0, 24, 8], { texture: depthTexture, storage: '3', filter: '2', render: '2', renderbuffer: packedDepthStencil }, 'Z24_UNORM_S8_UINT', 'S8_UINT_Z24_UNORM', 'Z32_FLOAT_S8X24_UINT'),
  row('DEPTH32F_STENCIL8',  GL.DEPTH32F_STENCIL8,  GL.DEPTH_STENCIL,   'float', [0, 0, 0, 0, 32, 8], { filter: '2', render: '3' }, 'Z32_FLOAT_S8X24_UINT', 'Z24_UNORM_S8_UINT', 'S8_UINT_Z24_UNORM'),
  row('STENCIL_INDEX8',     GL.STENCIL_INDEX8,     GL.STENCIL_INDEX,   'uint',  [0, 0, 0, 0, 0, 8],  { texture: '', render: '2' }, 'S8_UINT', 'Z24_UNORM_S8_UINT', 'S8_UINT_Z24_UNORM', 'Z32_FLOAT_S8X24_UINT'),
];

function compressed(
  family: CompressedFamily,
  requirement: Requirement,
  name: string,
  internalFormat: number,
  base: number,
  kind: ComponentKind,
  candidates: string[],
  srgb = name.includes('SRGB'),
): InternalFormatRow {
  const red = base === GL.ALPHA ? 0 : 8;
  const has = (other: number[]) => (other.includes(base) ? 8 : 0);
  return {
    name,
    internalFormat,
    base,
    kind,
    bits: [red, has([GL.RG, GL.RGB, GL.RGBA]), has([GL.RGB, GL.RGBA]), has([GL.RGBA]), 0, 0],
    srgb,
    texture: requirement,
    // ETC1 has no sized meaning in texStorage beyond EXT_texture_storage's list, which names ETC1_RGB8_OES.
    storage: requirement,
    filter: '2',
    render: '',
    renderbuffer: '',
    compressed: family,
    candidates: candidates.map(candidate),
  };
}

// Core in GLES 3, an extension in WebGL 2.
const ETC2 = '3&gles|WEBGL_compressed_texture_etc';
const S3TC = 'EXT_texture_compression_s3tc';
const S3TC_SRGB = 'EXT_texture_compression_s3tc_srgb';
const BPTC = 'EXT_texture_compression_bptc';
const RGTC = 'EXT_texture_compression_rgtc';
const PVRTC = 'IMG_texture_compression_pvrtc';

const R = GL.RED;
const RG = GL.RG;
const RGB = GL.RGB;
const RGBA = GL.RGBA;

// A backend without a compressed format stores what it decodes to: the later candidates are uncompressed.
// biome-ignore format: a table
const compressedRows: InternalFormatRow[] = [
  compressed('etc1', 'OES_compressed_ETC1_RGB8_texture', 'ETC1_RGB8_OES', GL.ETC1_RGB8_OES, RGB, 'unorm', ['ETC1_RGB8', 'ETC2_RGB8', 'R8G8B8X8_UNORM', 'R8G8B8A8_UNORM:rgb1']),
  compressed('etc2', ETC2, 'COMPRESSED_R11_EAC',                        GL.COMPRESSED_R11_EAC,                        R,    'unorm', ['ETC2_R11_UNORM', 'R16_UNORM', 'R16_FLOAT', 'R8_UNORM']),
  compressed('etc2', ETC2, 'COMPRESSED_SIGNED_R11_EAC',                 GL.COMPRESSED_SIGNED_R11_EAC,                 R,    'snorm', ['ETC2_R11_SNORM', 'R16_SNORM', 'R16_FLOAT', 'R8_SNORM']),
  compressed('etc2', ETC2, 'COMPRESSED_RG11_EAC',                       GL.COMPRESSED_RG11_EAC,                       RG,   'unorm', ['ETC2_RG11_UNORM', 'R16G16_UNORM', 'R16G16_FLOAT', 'R8G8_UNORM']),
  compressed('etc2', ETC2, 'COMPRESSED_SIGNED_RG11_EAC',                GL.COMPRESSED_SIGNED_RG11_EAC,                RG,   'snorm', ['ETC2_RG11_SNORM', 'R16G16_SNORM', 'R16G16_FLOAT', 'R8G8_SNORM']),
  compressed('etc2', ETC2, 'COMPRESSED_RGB8_ETC2',                      GL.COMPRESSED_RGB8_ETC2,                      RGB,  'unorm', ['ETC2_RGB8', 'R8G8B8X8_UNORM', 'R8G8B8A8_UNORM:rgb1']),
  compressed('etc2', ETC2, 'COMPRESSED_SRGB8_ETC2',                     GL.COMPRESSED_SRGB8_ETC2,                     RGB,  'unorm', ['ETC2_SRGB8', 'R8G8B8X8_SRGB', 'R8G8B8A8_SRGB:rgb1']),
  compressed('etc2', ETC2, 'COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2',  GL.COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2,  RGBA, 'unorm', ['ETC2_RGB8A1', 'R8G8B8A8_UNORM']),
  compressed('etc2', ETC2, 'COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2', GL.COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2, RGBA, 'unorm', ['ETC2_SRGB8A1', 'R8G8B8A8_SRGB']),
  compressed('etc2', ETC2, 'COMPRESSED_RGBA8_ETC2_EAC',                 GL.COMPRESSED_RGBA8_ETC2_EAC,                 RGBA, 'unorm', ['ETC2_RGBA8', 'R8G8B8A8_UNORM']),
  compressed('etc2', ETC2, 'COMPRESSED_SRGB8_ALPHA8_ETC2_EAC',          GL.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC,          RGBA, 'unorm', ['ETC2_SRGBA8', 'R8G8B8A8_SRGB']),

  compressed('s3tc', S3TC, 'COMPRESSED_RGB_S3TC_DXT1_EXT',        GL.COMPRESSED_RGB_S3TC_DXT1_EXT,        RGB,  'unorm', ['DXT1_RGB', 'R8G8B8X8_UNORM', 'R8G8B8A8_UNORM:rgb1']),
  compressed('s3tc', S3TC, 'COMPRESSED_RGBA_S3TC_DXT1_EXT',       GL.COMPRESSED_RGBA_S3TC_DXT1_EXT,       RGBA, 'unorm', ['DXT1_RGBA', 'R8G8B8A8_UNORM']),
  compressed('s3tc', S3TC, 'COMPRESSED_RGBA_S3TC_DXT3_EXT',       GL.COMPRESSED_RGBA_S3TC_DXT3_EXT,       RGBA, 'unorm', ['DXT3_RGBA', 'R8G8B8A8_UNORM']),
  compressed('s3tc', S3TC, 'COMPRESSED_RGBA_S3TC_DXT5_EXT',       GL.COMPRESSED_RGBA_S3TC_DXT5_EXT,       RGBA, 'unorm', ['DXT5_RGBA', 'R8G8B8A8_UNORM']),
  compressed('s3tc', S3TC_SRGB, 'COMPRESSED_SRGB_S3TC_DXT1_EXT',       GL.COMPRESSED_SRGB_S3TC_DXT1_EXT,       RGB,  'unorm', ['DXT1_SRGB', 'R8G8B8X8_SRGB', 'R8G8B8A8_SRGB:rgb1']),
  compressed('s3tc', S3TC_SRGB, 'COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT', GL.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT, RGBA, 'unorm', ['DXT1_SRGBA', 'R8G8B8A8_SRGB']),
  compressed('s3tc', S3TC_SRGB, 'COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT', GL.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT, RGBA, 'unorm', ['DXT3_SRGBA', 'R8G8B8A8_SRGB']),
  compressed('s3tc', S3TC_SRGB, 'COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT', GL.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT, RGBA, 'unorm', ['DXT5_SRGBA', 'R8G8B8A8_SRGB']),

  compressed('bptc', BPTC, 'COMPRESSED_RGBA_BPTC_UNORM_EXT',         GL.COMPRESSED_RGBA_BPTC_UNORM_EXT,         RGBA, 'unorm', ['BPTC_RGBA_UNORM', 'R8G8B8A8_UNORM']),
  compressed('bptc', BPTC, 'COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT',   GL.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT,   RGBA, 'unorm', ['BPTC_SRGBA', 'R8G8B8A8_SRGB']),
  compressed('bptc', BPTC, 'COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT',   GL.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT,   RGB,  'float', ['BPTC_RGB_FLOAT', 'R16G16B16X16_FLOAT', 'R16G16B16A16_FLOAT:rgb1']),
  compressed('bptc', BPTC, 'COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT', GL.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT, RGB,  'float', ['BPTC_RGB_UFLOAT', 'R16G16B16X16_FLOAT', 'R16G16B16A16_FLOAT:rgb1']),
  compressed('rgtc', RGTC, 'COMPRESSED_RED_RGTC1_EXT',              GL.COMPRESSED_RED_RGTC1_EXT,              R,  'unorm', ['RGTC1_UNORM', 'R8_UNORM']),
  compressed('rgtc', RGTC, 'COMPRESSED_SIGNED_RED_RGTC1_EXT',       GL.COMPRESSED_SIGNED_RED_RGTC1_EXT,       R,  'snorm', ['RGTC1_SNORM', 'R8_SNORM']),
  compressed('rgtc', RGTC, 'COMPRESSED_RED_GREEN_RGTC2_EXT',        GL.COMPRESSED_RED_GREEN_RGTC2_EXT,        RG, 'unorm', ['RGTC2_UNORM', 'R8G8_UNORM']),
  compressed('rgtc', RGTC, 'COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT', GL.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT, RG, 'snorm', ['RGTC2_SNORM', 'R8G8_SNORM']),

  compressed('pvrtc', PVRTC, 'COMPRESSED_RGB_PVRTC_4BPPV1_IMG',  GL.COMPRESSED_RGB_PVRTC_4BPPV1_IMG,  RGB,  'unorm', ['PVRTC1_RGB_4BPP', 'R8G8B8X8_UNORM', 'R8G8B8A8_UNORM:rgb1']),
  compressed('pvrtc', PVRTC, 'COMPRESSED_RGB_PVRTC_2BPPV1_IMG',  GL.COMPRESSED_RGB_PVRTC_2BPPV1_IMG,  RGB,  'unorm', ['PVRTC1_RGB_2BPP', 'R8G8B8X8_UNORM', 'R8G8B8A8_UNORM:rgb1']),
  compressed('pvrtc', PVRTC, 'COMPRESSED_RGBA_PVRTC_4BPPV1_IMG', GL.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG, RGBA, 'unorm', ['PVRTC1_RGBA_4BPP', 'R8G8B8A8_UNORM']),
  compressed('pvrtc', PVRTC, 'COMPRESSED_RGBA_PVRTC_2BPPV1_IMG', GL.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG, RGBA, 'unorm', ['PVRTC1_RGBA_2BPP', 'R8G8B8A8_UNORM']),
];

// KHR_texture_compression_astc_ldr: enumerants are consecutive in this order, sRGB ones 32 above.
const astcBlocks = [
  '4x4',
  '5x4',
  '5x5',
  '6x5',
  '6x6',
  '8x5',
  '8x6',
  '8x8',
  '10x5',
  '10x6',
  '10x8',
  '10x10',
  '12x10',
  '12x12',
];
const ASTC_FIRST = 0x93b0;
const ASTC_SRGB_FIRST = 0x93d0;
const ASTC = 'KHR_texture_compression_astc_ldr';
const astcRows = astcBlocks.flatMap((block, index) => [
  compressed('astc', ASTC, `COMPRESSED_RGBA_ASTC_${block}_KHR`, ASTC_FIRST + index, RGBA, 'unorm', [
    `ASTC_${block}`,
    'R8G8B8A8_UNORM',
  ]),
  compressed('astc', ASTC, `COMPRESSED_SRGB8_ALPHA8_ASTC_${block}_KHR`, ASTC_SRGB_FIRST + index, RGBA, 'unorm', [
    `ASTC_${block}_SRGB`,
    'R8G8B8A8_SRGB',
  ]),
]);

/** Every sized and compressed internal format. */
export const internalFormatRows: readonly InternalFormatRow[] = [
  ...colourRows,
  ...depthStencilRows,
  ...compressedRows,
  ...astcRows,
];

/** One legal upload: pixels of (format, type) into a texture of `internalFormat`. */
export interface TransferRow {
  readonly internalFormat: number;
  readonly format: number;
  readonly type: number;
  /** The sized format that the image gets: `internalFormat` itself unless that is unsized. */
  readonly effective: number;
  /** When an unsized row applies; sized rows follow their internal format's `texture` requirement in GLES 3. */
  readonly requirement: Requirement;
}

type SizedTransfer = readonly [internalFormat: number, format: number, ...types: number[]];
type UnsizedTransfer = readonly [
  internalFormat: number,
  format: number,
  type: number,
  effective: number,
  requirement: Requirement,
];

const UB = GL.UNSIGNED_BYTE;
const HF = GL.HALF_FLOAT;
const HFO = GL.HALF_FLOAT_OES;
const F = GL.FLOAT;

// biome-ignore format: a table
const sizedTransfers: SizedTransfer[] = [
  [GL.RGBA8, GL.RGBA, UB],
  [GL.RGB5_A1, GL.RGBA, UB, GL.UNSIGNED_SHORT_5_5_5_1, GL.UNSIGNED_INT_2_10_10_10_REV],
  [GL.RGBA4, GL.RGBA, UB, GL.UNSIGNED_SHORT_4_4_4_4],
  [GL.SRGB8_ALPHA8, GL.RGBA, UB],
  [GL.RGBA8_SNORM, GL.RGBA, GL.BYTE],
  [GL.RGB10_A2, GL.RGBA, GL.UNSIGNED_INT_2_10_10_10_REV],
  [GL.RGBA16F, GL.RGBA, HF, F],
  [GL.RGBA32F, GL.RGBA, F],
  [GL.RGBA8UI, GL.RGBA_INTEGER, UB],
  [GL.RGBA8I, GL.RGBA_INTEGER, GL.BYTE],
  [GL.RGBA16UI, GL.RGBA_INTEGER, GL.UNSIGNED_SHORT],
  [GL.RGBA16I, GL.RGBA_INTEGER, GL.SHORT],
  [GL.RGBA32UI, GL.RGBA_INTEGER, GL.UNSIGNED_INT],
  [GL.RGBA32I, GL.RGBA_INTEGER, GL.INT],
  [GL.RGB10_A2UI, GL.RGBA_INTEGER, GL.UNSIGNED_INT_2_10_10_10_REV],
  [GL.RGB8, GL.RGB, UB],
  [GL.RGB565, GL.RGB, UB, GL.UNSIGNED_SHORT_5_6_5],
  [GL.SRGB8, GL.RGB, UB],
  [GL.RGB8_SNORM, GL.RGB, GL.BYTE],
  [GL.R11F_G11F_B10F, GL.RGB, GL.UNSIGNED_INT_10F_11F_11F_REV, HF, F],
  [GL.RGB9_E5, GL.RGB, GL.UNSIGNED_INT_5_9_9_9_REV, HF, F],
  [GL.RGB16F, GL.RGB, HF, F],
  [GL.RGB32F, GL.RGB, F],
  [GL.RGB8UI, GL.RGB_INTEGER, UB],
  [GL.RGB8I, GL.RGB_INTEGER, GL.BYTE],
  [GL.RGB16UI, GL.RGB_INTEGER, GL.UNSIGNED_SHORT],
  [GL.RGB16I, GL.RGB_INTEGER, GL.SHORT],
  [GL.RGB32UI, GL.RGB_INTEGER, GL.UNSIGNED_INT],
  [GL.RGB32I, GL.RGB_INTEGER, GL.INT],
  [GL.RG8, GL.RG, UB],
  [GL.RG8_SNORM, GL.RG, GL.BYTE],
  [GL.RG16F, GL.RG, HF, F],
  [GL.RG32F, GL.RG, F],
  [GL.RG8UI, GL.RG_INTEGER, UB],
  [GL.RG8I, GL.RG_INTEGER, GL.BYTE],
  [GL.RG16UI, GL.RG_INTEGER, GL.UNSIGNED_SHORT],
  [GL.RG16I, GL.RG_INTEGER, GL.SHORT],
  [GL.RG32UI, GL.RG_INTEGER, GL.UNSIGNED_INT],
  [GL.RG32I, GL.RG_INTEGER, GL.INT],
  [GL.R8, GL.RED, UB],
  [GL.R8_SNORM, GL.RED, GL.BYTE],
  [GL.R16F, GL.RED, HF, F],
  [GL.R32F, GL.RED, F],
  [GL.R8UI, GL.RED_INTEGER, UB],
  [GL.R8I, GL.RED_INTEGER, GL.BYTE],
  [GL.R16UI, GL.RED_INTEGER, GL.UNSIGNED_SHORT],
  [GL.R16I, GL.RED_INTEGER, GL.SHORT],
  [GL.R32UI, GL.RED_INTEGER, GL.UNSIGNED_INT],
  [GL.R32I, GL.RED_INTEGER, GL.INT],
  [GL.R16_EXT, GL.RED, GL.UNSIGNED_SHORT],
  [GL.RG16_EXT, GL.RG, GL.UNSIGNED_SHORT],
  [GL.RGB16_EXT, GL.RGB, GL.UNSIGNED_SHORT],
  [GL.RGBA16_EXT, GL.RGBA, GL.UNSIGNED_SHORT],
  [GL.R16_SNORM_EXT, GL.RED, GL.SHORT],
  [GL.RG16_SNORM_EXT, GL.RG, GL.SHORT],
  [GL.RGB16_SNORM_EXT, GL.RGB, GL.SHORT],
  [GL.RGBA16_SNORM_EXT, GL.RGBA, GL.SHORT],
  [GL.DEPTH_COMPONENT16, GL.DEPTH_COMPONENT, GL.UNSIGNED_SHORT, GL.UNSIGNED_INT],
  [GL.DEPTH_COMPONENT24, GL.DEPTH_COMPONENT, GL.UNSIGNED_INT],
  [GL.DEPTH_COMPONENT32F, GL.DEPTH_COMPONENT, F],
  [GL.DEPTH24_STENCIL8, GL.DEPTH_STENCIL, GL.UNSIGNED_INT_24_8],
  [GL.DEPTH32F_STENCIL8, GL.DEPTH_STENCIL, GL.FLOAT_32_UNSIGNED_INT_24_8_REV],
];

// biome-ignore format: a table
const unsizedTransfers: UnsizedTransfer[] = [
  [GL.RGBA, GL.RGBA, UB, GL.RGBA8, '2'],
  [GL.RGBA, GL.RGBA, GL.UNSIGNED_SHORT_4_4_4_4, GL.RGBA4, '2'],
  [GL.RGBA, GL.RGBA, GL.UNSIGNED_SHORT_5_5_5_1, GL.RGB5_A1, '2'],
  [GL.RGB, GL.RGB, UB, GL.RGB8, '2'],
  [GL.RGB, GL.RGB, GL.UNSIGNED_SHORT_5_6_5, GL.RGB565, '2'],
  [GL.LUMINANCE_ALPHA, GL.LUMINANCE_ALPHA, UB, GL.LUMINANCE8_ALPHA8_EXT, '2'],
  [GL.LUMINANCE, GL.LUMINANCE, UB, GL.LUMINANCE8_EXT, '2'],
  [GL.ALPHA, GL.ALPHA, UB, GL.ALPHA8_EXT, '2'],

  // OES_texture_half_float names its own enumerant; in a GLES 3 context the core one is accepted as well (Mesa and
  // ANGLE agree), since both extensions are also written against GLES 3.
  [GL.RGBA, GL.RGBA, HFO, GL.RGBA16F, 'OES_texture_half_float'],
  [GL.RGB, GL.RGB, HFO, GL.RGB16F, 'OES_texture_half_float'],
  [GL.LUMINANCE_ALPHA, GL.LUMINANCE_ALPHA, HFO, GL.LUMINANCE_ALPHA16F_EXT, 'OES_texture_half_float'],
  [GL.LUMINANCE, GL.LUMINANCE, HFO, GL.LUMINANCE16F_EXT, 'OES_texture_half_float'],
  [GL.ALPHA, GL.ALPHA, HFO, GL.ALPHA16F_EXT, 'OES_texture_half_float'],
  [GL.RGBA, GL.RGBA, F, GL.RGBA32F, 'OES_texture_float'],
  [GL.RGB, GL.RGB, F, GL.RGB32F, 'OES_texture_float'],
  [GL.LUMINANCE_ALPHA, GL.LUMINANCE_ALPHA, F, GL.LUMINANCE_ALPHA32F_EXT, 'OES_texture_float'],
  [GL.LUMINANCE, GL.LUMINANCE, F, GL.LUMINANCE32F_EXT, 'OES_texture_float'],
  [GL.ALPHA, GL.ALPHA, F, GL.ALPHA32F_EXT, 'OES_texture_float'],

  [GL.RED, GL.RED, UB, GL.R8, 'EXT_texture_rg'],
  [GL.RG, GL.RG, UB, GL.RG8, 'EXT_texture_rg'],
  [GL.RED, GL.RED, HFO, GL.R16F, 'EXT_texture_rg&OES_texture_half_float'],
  [GL.RG, GL.RG, HFO, GL.RG16F, 'EXT_texture_rg&OES_texture_half_float'],
  [GL.RED, GL.RED, F, GL.R32F, 'EXT_texture_rg&OES_texture_float'],
  [GL.RG, GL.RG, F, GL.RG32F, 'EXT_texture_rg&OES_texture_float'],

  [GL.RGBA, GL.RGBA, GL.UNSIGNED_INT_2_10_10_10_REV, GL.RGB10_A2, 'EXT_texture_type_2_10_10_10_REV'],
  [GL.RGB, GL.RGB, GL.UNSIGNED_INT_2_10_10_10_REV, GL.RGB10_EXT, 'EXT_texture_type_2_10_10_10_REV'],
  [GL.SRGB_EXT, GL.SRGB_EXT, UB, GL.SRGB8, 'EXT_sRGB'],
  [GL.SRGB_ALPHA_EXT, GL.SRGB_ALPHA_EXT, UB, GL.SRGB8_ALPHA8, 'EXT_sRGB'],
  [GL.BGRA_EXT, GL.BGRA_EXT, UB, GL.BGRA8_EXT, 'EXT_texture_format_BGRA8888'],
  [GL.RGBA, GL.BGRA_EXT, UB, GL.BGRA8_EXT, 'APPLE_texture_format_BGRA8888'],

  [GL.DEPTH_COMPONENT, GL.DEPTH_COMPONENT, GL.UNSIGNED_SHORT, GL.DEPTH_COMPONENT16, 'OES_depth_texture'],
  [GL.DEPTH_COMPONENT, GL.DEPTH_COMPONENT, GL.UNSIGNED_INT, GL.DEPTH_COMPONENT24, 'OES_depth_texture'],
  [GL.DEPTH_STENCIL, GL.DEPTH_STENCIL, GL.UNSIGNED_INT_24_8, GL.DEPTH24_STENCIL8, 'OES_depth_texture'],
];

/** Every upload that some version or extension allows. */
export const transferRows: readonly TransferRow[] = [
  ...sizedTransfers.flatMap(([internalFormat, format, ...types]) =>
    types.map((type) => ({ internalFormat, format, type, effective: internalFormat, requirement: '3' })),
  ),
  ...unsizedTransfers.map(([internalFormat, format, type, effective, requirement]) => ({
    internalFormat,
    format,
    type,
    effective,
    requirement,
  })),
];

type PixelRow = readonly [format: number, type: number, layout: Format];

// How client pixels of (format, type) lie in memory.
// biome-ignore format: a table
const pixelRows: PixelRow[] = [
  [GL.RGBA, UB, 'R8G8B8A8_UNORM'], [GL.RGBA, GL.BYTE, 'R8G8B8A8_SNORM'],
  [GL.RGBA, GL.UNSIGNED_SHORT, 'R16G16B16A16_UNORM'], [GL.RGBA, GL.SHORT, 'R16G16B16A16_SNORM'],
  [GL.RGBA, HF, 'R16G16B16A16_FLOAT'], [GL.RGBA, F, 'R32G32B32A32_FLOAT'],
  [GL.RGBA, GL.UNSIGNED_SHORT_4_4_4_4, 'A4B4G4R4_UNORM'],
  [GL.RGBA, GL.UNSIGNED_SHORT_5_5_5_1, 'A1B5G5R5_UNORM'],
  [GL.RGBA, GL.UNSIGNED_INT_2_10_10_10_REV, 'R10G10B10A2_UNORM'],
  [GL.BGRA_EXT, UB, 'B8G8R8A8_UNORM'],
  [GL.BGRA_EXT, GL.UNSIGNED_SHORT_4_4_4_4_REV_EXT, 'B4G4R4A4_UNORM'],
  [GL.BGRA_EXT, GL.UNSIGNED_SHORT_1_5_5_5_REV_EXT, 'B5G5R5A1_UNORM'],
  [GL.RGB, UB, 'R8G8B8_UNORM'], [GL.RGB, GL.BYTE, 'R8G8B8_SNORM'],
  [GL.RGB, GL.UNSIGNED_SHORT, 'R16G16B16_UNORM'], [GL.RGB, GL.SHORT, 'R16G16B16_SNORM'],
  [GL.RGB, HF, 'R16G16B16_FLOAT'], [GL.RGB, F, 'R32G32B32_FLOAT'],
  [GL.RGB, GL.UNSIGNED_SHORT_5_6_5, 'B5G6R5_UNORM'],
  [GL.RGB, GL.UNSIGNED_INT_2_10_10_10_REV, 'R10G10B10X2_UNORM'],
  [GL.RGB, GL.UNSIGNED_INT_10F_11F_11F_REV, 'R11G11B10_FLOAT'],
  [GL.RGB, GL.UNSIGNED_INT_5_9_9_9_REV, 'R9G9B9E5_FLOAT'],
  [GL.RG, UB, 'R8G8_UNORM'], [GL.RG, GL.BYTE, 'R8G8_SNORM'],
  [GL.RG, GL.UNSIGNED_SHORT, 'R16G16_UNORM'], [GL.RG, GL.SHORT, 'R16G16_SNORM'],
  [GL.RG, HF, 'R16G16_FLOAT'], [GL.RG, F, 'R32G32_FLOAT'],
  [GL.RED, UB, 'R8_UNORM'], [GL.RED, GL.BYTE, 'R8_SNORM'],
  [GL.RED, GL.UNSIGNED_SHORT, 'R16_UNORM'], [GL.RED, GL.SHORT, 'R16_SNORM'],
  [GL.RED, HF, 'R16_FLOAT'], [GL.RED, F, 'R32_FLOAT'],
  [GL.LUMINANCE, UB, 'L8_UNORM'], [GL.LUMINANCE, HF, 'L16_FLOAT'], [GL.LUMINANCE, F, 'L32_FLOAT'],
  [GL.LUMINANCE_ALPHA, UB, 'L8A8_UNORM'], [GL.LUMINANCE_ALPHA, HF, 'L16A16_FLOAT'], [GL.LUMINANCE_ALPHA, F, 'L32A32_FLOAT'],
  [GL.ALPHA, UB, 'A8_UNORM'], [GL.ALPHA, HF, 'A16_FLOAT'], [GL.ALPHA, F, 'A32_FLOAT'],
  [GL.RGBA_INTEGER, UB, 'R8G8B8A8_UINT'], [GL.RGBA_INTEGER, GL.BYTE, 'R8G8B8A8_SINT'],
  [GL.RGBA_INTEGER, GL.UNSIGNED_SHORT, 'R16G16B16A16_UINT'], [GL.RGBA_INTEGER, GL.SHORT, 'R16G16B16A16_SINT'],
  [GL.RGBA_INTEGER, GL.UNSIGNED_INT, 'R32G32B32A32_UINT'], [GL.RGBA_INTEGER, GL.INT, 'R32G32B32A32_SINT'],
  [GL.RGBA_INTEGER, GL.UNSIGNED_INT_2_10_10_10_REV, 'R10G10B10A2_UINT'],
  [GL.RGB_INTEGER, UB, 'R8G8B8_UINT'], [GL.RGB_INTEGER, GL.BYTE, 'R8G8B8_SINT'],
  [GL.RGB_INTEGER, GL.UNSIGNED_SHORT, 'R16G16B16_UINT'], [GL.RGB_INTEGER, GL.SHORT, 'R16G16B16_SINT'],
  [GL.RGB_INTEGER, GL.UNSIGNED_INT, 'R32G32B32_UINT'], [GL.RGB_INTEGER, GL.INT, 'R32G32B32_SINT'],
  [GL.RG_INTEGER, UB, 'R8G8_UINT'], [GL.RG_INTEGER, GL.BYTE, 'R8G8_SINT'],
  [GL.RG_INTEGER, GL.UNSIGNED_SHORT, 'R16G16_UINT'], [GL.RG_INTEGER, GL.SHORT, 'R16G16_SINT'],
  [GL.RG_INTEGER, GL.UNSIGNED_INT, 'R32G32_UINT'], [GL.RG_INTEGER, GL.INT, 'R32G32_SINT'],
  [GL.RED_INTEGER, UB, 'R8_UINT'], [GL.RED_INTEGER, GL.BYTE, 'R8_SINT'],
  [GL.RED_INTEGER, GL.UNSIGNED_SHORT, 'R16_UINT'], [GL.RED_INTEGER, GL.SHORT, 'R16_SINT'],
  [GL.RED_INTEGER, GL.UNSIGNED_INT, 'R32_UINT'], [GL.RED_INTEGER, GL.INT, 'R32_SINT'],
  [GL.DEPTH_COMPONENT, GL.UNSIGNED_SHORT, 'Z16_UNORM'], [GL.DEPTH_COMPONENT, GL.UNSIGNED_INT, 'Z32_UNORM'], [GL.DEPTH_COMPONENT, F, 'Z32_FLOAT'],
  [GL.DEPTH_STENCIL, GL.UNSIGNED_INT_24_8, 'S8_UINT_Z24_UNORM'],
  [GL.DEPTH_STENCIL, GL.FLOAT_32_UNSIGNED_INT_24_8_REV, 'Z32_FLOAT_S8X24_UINT'],
  [GL.SRGB_EXT, UB, 'R8G8B8_UNORM'], [GL.SRGB_ALPHA_EXT, UB, 'R8G8B8A8_UNORM'],
  [GL.STENCIL_INDEX, UB, 'S8_UINT'],
];

export interface PixelLayout {
  readonly format: number;
  readonly type: number;
  /** The pipe format with these bytes. */
  readonly layout: Format;
}

/** The memory layout of client pixels, by (format, type); OES half floats share the core ones'. */
export const pixelLayoutRows: readonly PixelLayout[] = pixelRows.flatMap(([format, type, layout]) =>
  type === HF
    ? [
        { format, type, layout },
        { format, type: HFO, layout },
      ]
    : [{ format, type, layout }],
);

/**
 * A second name for stored bytes, by which the CPU writes and reads them as the GL format: `R8_UNORM:000r` (alpha kept
 * in red) is A8, an RGB image kept in RGBA has padding where alpha is. Absent: the format itself serves.
 */
const AS_ALPHA: Readonly<Record<string, Format>> = {
  R8_UNORM: 'A8_UNORM',
  R16_FLOAT: 'A16_FLOAT',
  R32_FLOAT: 'A32_FLOAT',
};
const AS_LUMINANCE_ALPHA: Readonly<Record<string, Format>> = {
  R8G8_UNORM: 'L8A8_UNORM',
  R16G16_FLOAT: 'L16A16_FLOAT',
  R32G32_FLOAT: 'L32A32_FLOAT',
};

export function clientAlias(storage: StorageCandidate): Format {
  const { format, swizzle } = storage;
  let alias: string | undefined = format;
  if (swizzle === '000r') alias = AS_ALPHA[format];
  else if (swizzle === 'rrrg') alias = AS_LUMINANCE_ALPHA[format];
  else if (swizzle === 'rgb1') alias = format.replace(/A(8|16|32|2)_/, 'X$1_');
  return alias !== undefined && isFormat(alias) ? alias : format;
}
