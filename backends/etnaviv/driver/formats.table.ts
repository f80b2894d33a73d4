// Pipe formats as Vivante GPUs know them: one row a format. Facts: rnndb of the etnaviv project.
//
// The pixel engine writes blue first. A private resource therefore keeps red-first formats with red and blue exchanged
// (`storage`): pixel engine and sampler use the same blue-first code, and shaders see nothing of it.

import type { Format } from '../../../src/format/format.ts';
import { ENUMS } from '../registers/enums.table.ts';

const PE = ENUMS.PE_FORMAT;
const TE = ENUMS.TEXTURE_FORMAT;
const EXT = ENUMS.TEXTURE_FORMAT_EXT;
const MODE = ENUMS.COLOR_OUTPUT_MODE;

/** Lowest HALTI level that can do it; -1: every GPU. */
type Level = -1 | 0 | 1 | 2 | 5;

export interface FormatRow {
  /** What memory of a private resource holds. */
  readonly storage: Format;
  readonly texture: { readonly code: number; readonly ext: number; readonly level: Level } | null;
  /** Texture code of memory with red first, as others have it, where `storage` has blue first. */
  readonly nativeTextureCode: number | null;
  /** Swizzle that makes the texture code read as the pipe format should. */
  readonly swizzle: string;
  readonly render: { readonly code: number; readonly level: Level; readonly outputMode: number } | null;
  readonly blends: boolean;
  readonly filters: boolean;
  readonly isSrgb: boolean;
  readonly isInteger: boolean;
  /** D16 or D24S8 of the depth unit. */
  readonly depth: 'D16' | 'D24S8' | null;
}

interface Options {
  readonly storage?: Format;
  readonly pe?: number;
  readonly peLevel?: Level;
  readonly te?: number;
  readonly ext?: number;
  readonly level?: Level;
  readonly swizzle?: string;
  readonly mode?: number;
  readonly blends?: boolean;
  readonly filters?: boolean;
  readonly depth?: 'D16' | 'D24S8';
}

function row(format: Format, options: Options): [Format, FormatRow] {
  const { pe, te, ext, level = -1, mode = MODE.NORMAL } = options;
  const isInteger = /_[SU]INT$/.test(format) && options.depth === undefined;
  const entry: FormatRow = {
    storage: options.storage ?? format,
    texture: te === undefined && ext === undefined ? null : { code: te ?? 0, ext: ext ?? 0, level },
    nativeTextureCode: options.storage === undefined ? null : te === TE.X8R8G8B8 ? TE.X8B8G8R8 : TE.A8B8G8R8,
    swizzle: options.swizzle ?? 'xyzw',
    render: pe === undefined ? null : { code: pe, level: options.peLevel ?? level, outputMode: mode },
    blends: options.blends ?? !isInteger,
    filters: options.filters ?? !isInteger,
    isSrgb: format.includes('SRGB'),
    isInteger,
    depth: options.depth ?? null,
  };
  return [format, entry];
}

// biome-ignore format: a table is read by its columns
const ROWS: readonly [Format, FormatRow][] = [
  row('R8G8B8A8_UNORM',     { storage: 'B8G8R8A8_UNORM', pe: PE.A8R8G8B8, te: TE.A8R8G8B8 }),
  row('R8G8B8X8_UNORM',     { storage: 'B8G8R8X8_UNORM', pe: PE.X8R8G8B8, te: TE.X8R8G8B8 }),
  row('B8G8R8A8_UNORM',     { pe: PE.A8R8G8B8, te: TE.A8R8G8B8 }),
  row('B8G8R8X8_UNORM',     { pe: PE.X8R8G8B8, te: TE.X8R8G8B8 }),
  row('R8G8B8A8_SRGB',      { storage: 'B8G8R8A8_SRGB', pe: PE.A8R8G8B8, peLevel: 5, te: TE.A8R8G8B8, level: 1 }),
  row('R8G8B8X8_SRGB',      { storage: 'B8G8R8X8_SRGB', pe: PE.X8R8G8B8, peLevel: 5, te: TE.X8R8G8B8, level: 1 }),
  row('B8G8R8A8_SRGB',      { pe: PE.A8R8G8B8, peLevel: 5, te: TE.A8R8G8B8, level: 1 }),
  row('B8G8R8X8_SRGB',      { pe: PE.X8R8G8B8, peLevel: 5, te: TE.X8R8G8B8, level: 1 }),
  row('B5G6R5_UNORM',       { pe: PE.R5G6B5, te: TE.R5G6B5 }),
  row('B5G5R5A1_UNORM',     { pe: PE.A1R5G5B5, te: TE.A1R5G5B5 }),
  row('B4G4R4A4_UNORM',     { pe: PE.A4R4G4B4, te: TE.A4R4G4B4 }),
  row('A8_UNORM',           { te: TE.A8 }),
  row('L8_UNORM',           { te: TE.L8 }),
  row('I8_UNORM',           { te: TE.I8 }),
  row('L8A8_UNORM',         { te: TE.A8L8 }),
  row('R8_UNORM',           { pe: PE.R8, peLevel: 2, ext: EXT.R8, level: 2 }),
  row('R8G8_UNORM',         { pe: PE.G8R8, peLevel: 2, ext: EXT.G8R8, level: 0 }),
  row('R8_SNORM',           { ext: EXT.R8_SNORM, level: 1 }),
  row('R8G8_SNORM',         { ext: EXT.G8R8_SNORM, level: 1 }),
  row('R8G8B8X8_SNORM',     { ext: EXT.X8B8G8R8_SNORM, level: 1 }),
  row('R8G8B8A8_SNORM',     { ext: EXT.A8B8G8R8_SNORM, level: 1 }),
  row('R16_FLOAT',          { pe: PE.R16F, peLevel: 2, ext: EXT.R16F, level: 0 }),
  row('R16G16_FLOAT',       { pe: PE.G16R16F, peLevel: 2, ext: EXT.G16R16F, level: 0 }),
  row('R16G16B16A16_FLOAT', { pe: PE.A16B16G16R16F, peLevel: 2, ext: EXT.A16B16G16R16F, level: 0 }),
  row('R16G16B16X16_FLOAT', { pe: PE.A16B16G16R16F, peLevel: 2, ext: EXT.A16B16G16R16F, level: 0, swizzle: 'xyz1' }),
  row('R32_FLOAT',          { pe: PE.R32F, peLevel: 2, ext: EXT.R32F, level: 1, blends: false, filters: false }),
  row('R32G32_FLOAT',       { pe: PE.G32R32F, peLevel: 2, ext: EXT.G32R32F, level: 1, blends: false, filters: false }),
  row('R10G10B10A2_UNORM',  { pe: PE.A2B10G10R10, peLevel: 2, ext: EXT.A2B10G10R10, level: 0 }),
  row('R11G11B10_FLOAT',    { pe: PE.B10G11R11F, peLevel: 2, ext: EXT.B10G11R11F, level: 2 }),
  row('R9G9B9E5_FLOAT',     { te: TE.E5B9G9R9, level: 1 }),
  row('R8_UINT',            { pe: PE.R8I, ext: EXT.R8I, level: 2, mode: MODE.U8 }),
  row('R8_SINT',            { pe: PE.R8I, ext: EXT.R8I, level: 2, mode: MODE.I8 }),
  row('R8G8_UINT',          { pe: PE.G8R8I, ext: EXT.G8R8I, level: 2, mode: MODE.U8 }),
  row('R8G8_SINT',          { pe: PE.G8R8I, ext: EXT.G8R8I, level: 2, mode: MODE.I8 }),
  row('R8G8B8A8_UINT',      { pe: PE.A8B8G8R8I, ext: EXT.A8B8G8R8I, level: 2, mode: MODE.U8 }),
  row('R8G8B8A8_SINT',      { pe: PE.A8B8G8R8I, ext: EXT.A8B8G8R8I, level: 2, mode: MODE.I8 }),
  row('R16_UINT',           { pe: PE.R16I, ext: EXT.R16I, level: 2, mode: MODE.U16 }),
  row('R16_SINT',           { pe: PE.R16I, ext: EXT.R16I, level: 2, mode: MODE.I16 }),
  row('R16G16_UINT',        { pe: PE.G16R16I, ext: EXT.G16R16I, level: 2, mode: MODE.U16 }),
  row('R16G16_SINT',        { pe: PE.G16R16I, ext: EXT.G16R16I, level: 2, mode: MODE.I16 }),
  row('R16G16B16A16_UINT',  { pe: PE.A16B16G16R16I, ext: EXT.A16B16G16R16I, level: 2, mode: MODE.U16 }),
  row('R16G16B16A16_SINT',  { pe: PE.A16B16G16R16I, ext: EXT.A16B16G16R16I, level: 2, mode: MODE.I16 }),
  row('R32_UINT',           { pe: PE.R32F, ext: EXT.R32I, level: 2, mode: MODE.UIF32 }),
  row('R32_SINT',           { pe: PE.R32F, ext: EXT.R32I, level: 2, mode: MODE.UIF32 }),
  row('R32G32_UINT',        { pe: PE.G32R32F, ext: EXT.G32R32I, level: 2, mode: MODE.UIF32 }),
  row('R32G32_SINT',        { pe: PE.G32R32F, ext: EXT.G32R32I, level: 2, mode: MODE.UIF32 }),
  row('R10G10B10A2_UINT',   { pe: PE.A2B10G10R10UI, ext: EXT.A2B10G10R10UI, level: 2, mode: MODE.A2B10G10R10UI }),
  row('DXT1_RGB',           { te: TE.DXT1, swizzle: 'xyz1' }),
  row('DXT1_RGBA',          { te: TE.DXT1 }),
  row('DXT3_RGBA',          { te: TE.DXT2_DXT3 }),
  row('DXT5_RGBA',          { te: TE.DXT4_DXT5 }),
  row('ETC1_RGB8',          { te: TE.ETC1 }),
  row('ETC2_RGB8',          { te: TE.ETC1, level: 0 }),
  row('ETC2_SRGB8',         { te: TE.ETC1, level: 1 }),
  row('ETC2_RGB8A1',        { ext: EXT.RGB8_PUNCHTHROUGH_ALPHA1_ETC2, level: 0 }),
  row('ETC2_SRGB8A1',       { ext: EXT.RGB8_PUNCHTHROUGH_ALPHA1_ETC2, level: 1 }),
  row('ETC2_RGBA8',         { ext: EXT.RGBA8_ETC2_EAC, level: 0 }),
  row('ETC2_SRGBA8',        { ext: EXT.RGBA8_ETC2_EAC, level: 1 }),
  row('ETC2_R11_UNORM',     { ext: EXT.R11_EAC, level: 0 }),
  row('ETC2_R11_SNORM',     { ext: EXT.SIGNED_R11_EAC, level: 0 }),
  row('ETC2_RG11_UNORM',    { ext: EXT.RG11_EAC, level: 0 }),
  row('ETC2_RG11_SNORM',    { ext: EXT.SIGNED_RG11_EAC, level: 0 }),
  row('Z16_UNORM',          { depth: 'D16', te: TE.D16, swizzle: 'xxx1' }),
  row('X8Z24_UNORM',        { depth: 'D24S8', te: TE.D24X8, swizzle: 'xxx1' }),
  row('S8_UINT_Z24_UNORM',  { depth: 'D24S8', te: TE.D24X8, swizzle: 'xxx1' }),
];

const BY_FORMAT: ReadonlyMap<Format, FormatRow> = new Map(ROWS);

export function formatRow(format: Format): FormatRow | undefined {
  return BY_FORMAT.get(format);
}

/** How the front end fetches a vertex format: FE_DATA_TYPE, components and NORMALIZE. Null: it can't. */
export interface VertexFormat {
  readonly type: number;
  readonly components: number;
  readonly normalize: number;
  readonly bytes: number;
}

const FE = ENUMS.FE_DATA_TYPE;
const NORMALIZE = ENUMS.NORMALIZE;

const SCALARS: Readonly<Record<string, { type: number; normalize: number; level: Level }>> = {
  '8 SNORM': { type: FE.BYTE, normalize: NORMALIZE.ON, level: -1 },
  '8 UNORM': { type: FE.UNSIGNED_BYTE, normalize: NORMALIZE.ON, level: -1 },
  '8 SSCALED': { type: FE.BYTE, normalize: NORMALIZE.OFF, level: -1 },
  '8 USCALED': { type: FE.UNSIGNED_BYTE, normalize: NORMALIZE.OFF, level: -1 },
  '16 SNORM': { type: FE.SHORT, normalize: NORMALIZE.ON, level: -1 },
  '16 UNORM': { type: FE.UNSIGNED_SHORT, normalize: NORMALIZE.ON, level: -1 },
  '16 SSCALED': { type: FE.SHORT, normalize: NORMALIZE.OFF, level: -1 },
  '16 USCALED': { type: FE.UNSIGNED_SHORT, normalize: NORMALIZE.OFF, level: -1 },
  '32 SNORM': { type: FE.INT, normalize: NORMALIZE.ON, level: -1 },
  '32 UNORM': { type: FE.UNSIGNED_INT, normalize: NORMALIZE.ON, level: -1 },
  '32 SSCALED': { type: FE.INT, normalize: NORMALIZE.OFF, level: -1 },
  '32 USCALED': { type: FE.UNSIGNED_INT, normalize: NORMALIZE.OFF, level: -1 },
  '32 FIXED': { type: FE.FIXED, normalize: NORMALIZE.OFF, level: -1 },
  '32 FLOAT': { type: FE.FLOAT, normalize: NORMALIZE.OFF, level: -1 },
  '16 FLOAT': { type: FE.HALF_FLOAT, normalize: NORMALIZE.OFF, level: 0 },
  '8 SINT': { type: FE.BYTE_I, normalize: NORMALIZE.SIGN_EXTEND, level: 2 },
  '8 UINT': { type: FE.BYTE_I, normalize: NORMALIZE.OFF, level: 2 },
  '16 SINT': { type: FE.SHORT_I, normalize: NORMALIZE.SIGN_EXTEND, level: 2 },
  '16 UINT': { type: FE.SHORT_I, normalize: NORMALIZE.OFF, level: 2 },
  // Words of 32 bits come through as they are.
  '32 SINT': { type: FE.FLOAT, normalize: NORMALIZE.OFF, level: 2 },
  '32 UINT': { type: FE.FLOAT, normalize: NORMALIZE.OFF, level: 2 },
};

const PACKED: Readonly<Partial<Record<Format, { type: number; normalize: number }>>> = {
  R10G10B10A2_SNORM: { type: FE.INT_2_10_10_10_REV, normalize: NORMALIZE.ON },
  R10G10B10A2_SSCALED: { type: FE.INT_2_10_10_10_REV, normalize: NORMALIZE.OFF },
  R10G10B10A2_UNORM: { type: FE.UNSIGNED_INT_2_10_10_10_REV, normalize: NORMALIZE.ON },
  R10G10B10A2_USCALED: { type: FE.UNSIGNED_INT_2_10_10_10_REV, normalize: NORMALIZE.OFF },
};

/** By HALTI level: asked for at each draw. */
const VERTEX_FORMATS = new Map<number, Map<Format, VertexFormat | null>>();

export function vertexFormat(format: Format, halti: number): VertexFormat | null {
  let known = VERTEX_FORMATS.get(halti);
  if (!known) VERTEX_FORMATS.set(halti, (known = new Map()));
  let found = known.get(format);
  if (found === undefined) known.set(format, (found = findVertexFormat(format, halti)));
  return found;
}

function findVertexFormat(format: Format, halti: number): VertexFormat | null {
  const packed = PACKED[format];
  if (packed) return halti >= 0 ? { ...packed, components: 4, bytes: 4 } : null;
  const match = /^R(\d+)(?:G\d+)?(?:B\d+)?(?:A\d+)?_([A-Z]+)$/.exec(format);
  if (!match) return null;
  const scalar = SCALARS[`${match[1]} ${match[2]}`];
  if (!scalar || halti < scalar.level) return null;
  const components = format.split('_')[0]!.replace(/\d/g, '').length;
  return {
    type: scalar.type,
    normalize: scalar.normalize,
    components,
    bytes: (components * Number(match[1])) / 8,
  };
}
