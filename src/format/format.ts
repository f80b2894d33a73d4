// What the rest of the driver asks about a format: descriptions and predicates, all derived from the table.

import { type Channel, type FormatRow, SWIZZLE_NONE, SWIZZLE_ZERO } from './format-row.ts';
import { FORMATS } from './formats.table.ts';

export { SWIZZLE_ONE, SWIZZLE_ZERO } from './format-row.ts';

/** The name of a pipe format. */
export type Format = keyof typeof FORMATS;

/** GL's base internal format (GLES 3.0.6 table 3.11): which components a texture or renderbuffer really has. */
export type BaseFormat =
  | 'red'
  | 'rg'
  | 'rgb'
  | 'rgba'
  | 'alpha'
  | 'luminance'
  | 'luminanceAlpha'
  | 'intensity'
  | 'depth'
  | 'stencil'
  | 'depthStencil';

/** What a shader reads and what values pack and unpack move: float (normalized included), int, uint, or depth/stencil. */
export type NumericClass = 'float' | 'int' | 'uint' | 'depthStencil';

export interface FormatDescription extends FormatRow {
  readonly name: Format;
  /** Place in the table: a small integer, stable within one build. Fit for keys. */
  readonly index: number;
  readonly numericClass: NumericClass;
  readonly baseFormat: BaseFormat;
  readonly isCompressed: boolean;
  readonly isSrgb: boolean;
  readonly hasDepth: boolean;
  readonly hasStencil: boolean;
  readonly hasAlpha: boolean;
  /** Bits of red, green, blue, alpha (luminance counts as red, green and blue). */
  readonly componentBits: readonly [number, number, number, number];
  readonly depthBits: number;
  readonly stencilBits: number;
}

/** Every format name, in table order. */
export const FORMAT_NAMES = Object.freeze(Object.keys(FORMATS)) as readonly Format[];

function channelAt(row: FormatRow, place: number): Channel | undefined {
  return row.channels[row.swizzle[place]!];
}

function baseFormatOf(row: FormatRow): BaseFormat {
  const has = [0, 1, 2, 3].map((place) => channelAt(row, place) !== undefined);
  if (row.space === 'zs') return has[0] ? (has[1] ? 'depthStencil' : 'depth') : 'stencil';
  const [r, g] = row.swizzle;
  if (has[0] && r === g) return has[3] ? (row.swizzle[3] === r ? 'intensity' : 'luminanceAlpha') : 'luminance';
  if (!has[0]) return 'alpha';
  return has[3] ? 'rgba' : has[2] ? 'rgb' : has[1] ? 'rg' : 'red';
}

function numericClassOf(row: FormatRow): NumericClass {
  if (row.space === 'zs') return 'depthStencil';
  const first = row.channels.find((channel) => channel.type !== 'void');
  return first?.type === 'uint' ? 'uint' : first?.type === 'sint' ? 'int' : 'float';
}

function describe(name: Format, index: number): FormatDescription {
  const row: FormatRow = FORMATS[name];
  const zs = row.space === 'zs';
  const bits = [0, 1, 2, 3].map((place) => channelAt(row, place)?.bits ?? 0) as [number, number, number, number];
  return Object.freeze({
    ...row,
    name,
    index,
    numericClass: numericClassOf(row),
    baseFormat: baseFormatOf(row),
    isCompressed: row.blockWidth * row.blockHeight > 1,
    isSrgb: row.space === 'srgb',
    hasDepth: zs && row.swizzle[0] !== SWIZZLE_NONE,
    hasStencil: zs && row.swizzle[1] !== SWIZZLE_NONE,
    hasAlpha: !zs && row.swizzle[3] < SWIZZLE_ZERO,
    componentBits: Object.freeze(zs ? [0, 0, 0, 0] : bits) as readonly [number, number, number, number],
    depthBits: zs ? bits[0] : 0,
    stencilBits: zs ? bits[1] : 0,
  });
}

/** Made when asked for: most programs use a few of hundreds. */
const descriptions = new Map<Format, FormatDescription>();

/** The row of a format with everything derived from it. */
export function formatDescription(format: Format): FormatDescription {
  let description = descriptions.get(format);
  if (description === undefined) {
    description = describe(format, FORMAT_NAMES.indexOf(format));
    descriptions.set(format, description);
  }
  return description;
}

export function isFormat(name: string): name is Format {
  return Object.hasOwn(FORMATS, name);
}

export function isDepth(format: Format): boolean {
  return formatDescription(format).hasDepth;
}
export function isDepthOrStencil(format: Format): boolean {
  return FORMATS[format].space === 'zs';
}
/** Pure integer colour (stencil-only formats are depthStencil, not integer). */
export function isInteger(format: Format): boolean {
  const { numericClass } = formatDescription(format);
  return numericClass === 'int' || numericClass === 'uint';
}
function isSrgb(format: Format): boolean {
  return FORMATS[format].space === 'srgb';
}
export function isCompressed(format: Format): boolean {
  return formatDescription(format).isCompressed;
}

/** Bytes of one block: of one pixel when the format is not compressed. */
export function blockBytes(format: Format): number {
  return FORMATS[format].blockBytes;
}
/** Blocks of a row. PVRTC levels have at least 2×2 blocks (IMG_texture_compression_pvrtc). */
export function blockColumns(format: Format, width: number): number {
  const { blockWidth, layout } = FORMATS[format];
  return Math.max(Math.ceil(width / blockWidth), layout === 'pvrtc' ? 2 : 0);
}
export function blockRows(format: Format, height: number): number {
  const { blockHeight, layout } = FORMATS[format];
  return Math.max(Math.ceil(height / blockHeight), layout === 'pvrtc' ? 2 : 0);
}
/** Bytes of one tightly packed row of blocks. */
export function rowBytes(format: Format, width: number): number {
  return blockColumns(format, width) * FORMATS[format].blockBytes;
}
/** Bytes of one tightly packed 2D image. */
export function imageBytes(format: Format, width: number, height: number): number {
  return blockRows(format, height) * rowBytes(format, width);
}

function linearName(srgb: string): string {
  if (srgb === 'BPTC_SRGBA') return 'BPTC_RGBA_UNORM';
  if (srgb.startsWith('ASTC')) return srgb.replace('_SRGB', '');
  return isCompressed(srgb as Format) ? srgb.replace('_SRGB', '_RGB') : srgb.replace('_SRGB', '_UNORM');
}
const PAIRS: readonly (readonly [linear: string, srgb: string])[] = FORMAT_NAMES.filter(isSrgb).map((srgb) => [
  linearName(srgb),
  srgb,
]);
const LINEAR_OF = new Map(PAIRS.map(([linear, srgb]) => [srgb, linear]));
const SRGB_OF = new Map(PAIRS.map(([linear, srgb]) => [linear, srgb]));

/** The same bytes read without sRGB conversion. */
export function linearFormat(format: Format): Format {
  return (LINEAR_OF.get(format) ?? format) as Format;
}
/** The same bytes read as sRGB, or undefined where no such format exists. */
export function srgbFormat(format: Format): Format | undefined {
  return isSrgb(format) ? format : (SRGB_OF.get(format) as Format | undefined);
}
