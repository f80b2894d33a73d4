// copyTexImage2D and copyTexSubImage2D / 3D (ES 2.0.25 §3.7.2, ES 3.0.6 §3.8.5): which formats can be made from which framebuffers.

import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { copyPixels, stagePixels, storeStaged } from './copy-pixels.ts';
import { invalidEnum, invalidOperation, invalidValue, outOfMemory } from './errors.ts';
import type { AttachedImage } from './framebuffer-completeness.ts';
import type { InternalFormatRow } from './gl-formats.table.ts';
import { internalFormatRow, isColorRow, requirementHolds } from './gl-formats.ts';
import { clipRect, readSource } from './pixel-read.ts';
import { zeroImage } from './pixel-transfer.ts';
import { type ImageTarget, imageTarget2D, imageTarget3D } from './texture.ts';
import { checkLevel, checkSize, subImage } from './texture-image.ts';
import { checkMutable } from './texture-parameter.ts';
import { defineImage } from './texture-storage.ts';

/** Components by base format, as a string of r, g, b, a; luminance is made from red. */
const COMPONENTS = new Map<number, string>([
  [GL.RED, 'r'],
  [GL.RG, 'rg'],
  [GL.RGB, 'rgb'],
  [GL.RGBA, 'rgba'],
  [GL.BGRA_EXT, 'rgba'],
  [GL.RED_INTEGER, 'r'],
  [GL.RG_INTEGER, 'rg'],
  [GL.RGB_INTEGER, 'rgb'],
  [GL.RGBA_INTEGER, 'rgba'],
  [GL.LUMINANCE, 'r'],
  [GL.LUMINANCE_ALPHA, 'ra'],
  [GL.ALPHA, 'a'],
]);

function components(base: number): string {
  return COMPONENTS.get(base) ?? '';
}

/** Every component that the image needs is in the framebuffer (ES 3.0.6 table 3.15). */
function hasComponents(source: InternalFormatRow, image: InternalFormatRow): boolean {
  const available = components(source.base);
  const needed = components(image.base);
  return needed !== '' && [...needed].every((component) => available.includes(component));
}

interface UnsizedCopy {
  /** Sized format by the kind of the source: 8-bit normalized, half float, float, 8-bit sRGB. */
  readonly unorm: number;
  readonly half: number;
  readonly float: number;
  readonly srgb: number;
  /** In GLES 2 only with this extension. */
  readonly requirement: string;
}

const UNSIZED = new Map<number, UnsizedCopy>([
  [GL.RGBA, { unorm: GL.RGBA8, half: GL.RGBA16F, float: GL.RGBA32F, srgb: GL.SRGB8_ALPHA8, requirement: '2' }],
  [GL.RGB, { unorm: GL.RGB8, half: GL.RGB16F, float: GL.RGB32F, srgb: GL.SRGB8, requirement: '2' }],
  [
    GL.LUMINANCE,
    { unorm: GL.LUMINANCE8_EXT, half: GL.LUMINANCE16F_EXT, float: GL.LUMINANCE32F_EXT, srgb: 0, requirement: '2' },
  ],
  [
    GL.LUMINANCE_ALPHA,
    {
      unorm: GL.LUMINANCE8_ALPHA8_EXT,
      half: GL.LUMINANCE_ALPHA16F_EXT,
      float: GL.LUMINANCE_ALPHA32F_EXT,
      srgb: 0,
      requirement: '2',
    },
  ],
  [GL.ALPHA, { unorm: GL.ALPHA8_EXT, half: GL.ALPHA16F_EXT, float: GL.ALPHA32F_EXT, srgb: 0, requirement: '2' }],
  [GL.RED, { unorm: GL.R8, half: GL.R16F, float: GL.R32F, srgb: 0, requirement: 'EXT_texture_rg' }],
  [GL.RG, { unorm: GL.RG8, half: GL.RG16F, float: GL.RG32F, srgb: 0, requirement: 'EXT_texture_rg' }],
]);

/** Packed sources keep their sizes where the unsized format has the same components (ES 3.0.6 table 3.17). */
const PACKED_SOURCES: readonly number[] = [GL.RGB565, GL.RGBA4, GL.RGB5_A1];

function unsizedRow(
  context: Context,
  copy: UnsizedCopy,
  base: number,
  source: InternalFormatRow,
): InternalFormatRow | undefined {
  if (source.kind === 'int' || source.kind === 'uint' || source.kind === 'snorm') return undefined;
  if (PACKED_SOURCES.includes(source.internalFormat) && source.base === base) return source;
  const widest = Math.max(...source.bits);
  if (source.kind === 'unorm' && widest > 8) return undefined;
  const sized = source.srgb ? copy.srgb : source.kind === 'float' ? (widest > 16 ? copy.float : copy.half) : copy.unorm;
  const row = internalFormatRow(sized);
  return row && requirementHolds(context, row.texture) ? row : undefined;
}

/** The sized format of a copied image; undefined after an error. */
function copiedRow(
  context: Context,
  call: string,
  internalFormat: number,
  source: InternalFormatRow,
): InternalFormatRow | undefined {
  const unsized = UNSIZED.get(internalFormat);
  if (unsized && requirementHolds(context, unsized.requirement)) {
    const row = unsizedRow(context, unsized, internalFormat, source);
    if (!row || !hasComponents(source, row))
      return invalidOperation(context, call, `a ${source.name} framebuffer can't be copied to this format`);
    return row;
  }
  const row = context.version === 3 ? internalFormatRow(internalFormat) : undefined;
  if (
    !row ||
    row.compressed ||
    !isColorRow(row) ||
    !requirementHolds(context, row.texture) ||
    row.internalFormat === GL.RGB9_E5
  )
    return invalidEnum(context, call, 'internalformat', internalFormat);
  const sameSizes = [0, 1, 2, 3].every((place) => row.bits[place] === 0 || row.bits[place] === source.bits[place]);
  if (row.kind !== source.kind || row.srgb !== source.srgb || !hasComponents(source, row) || !sameSizes)
    return invalidOperation(context, call, `a ${source.name} framebuffer can't be copied to ${row.name}`);
  return row;
}

/** Whether the read framebuffer shows the very image that is about to be written. */
function readsImage(context: Context, { texture, face }: ImageTarget, level: number, layer: number | null): boolean {
  const { readFramebuffer } = context;
  const attachment = readFramebuffer.colors[readFramebuffer.readBuffer - GL.COLOR_ATTACHMENT0];
  if (attachment?.kind !== 'texture' || attachment.texture !== texture) return false;
  return attachment.level === level && attachment.face === face && (layer === null || attachment.layer === layer);
}

export function copyTexImage2D(
  context: Context,
  target: number,
  level: number,
  internalFormat: number,
  x: number,
  y: number,
  width: number,
  height: number,
  border: number,
): void {
  const call = 'copyTexImage2D';
  const place = imageTarget2D(context, call, target);
  if (!place) return;
  const { texture, face } = place;
  if (!checkLevel(context, call, texture, level)) return;
  if (!checkSize(context, call, texture, level, width, height, 1)) return;
  if (border !== 0) return invalidValue(context, call, `border ${border} is not 0`);
  const source = readSource(context, call);
  if (!source) return;
  const row = copiedRow(context, call, internalFormat, source.row);
  if (!row) return;
  if (!checkMutable(context, call, texture)) return;
  if (context.rules.feedbackLoopIsError && readsImage(context, place, level, null))
    return invalidOperation(context, call, 'the framebuffer reads the image that is written');

  const rect = clipRect(x, y, width, height, source.width, source.height);
  // The source may be an image of this very texture, whose storage the new image replaces.
  const isOwn = rect !== null && texture.resources().has(source.resource);
  const staged = isOwn ? stagePixels(context, source, rect) : null;
  if (isOwn && staged === null) return outOfMemory(context, call, 'the framebuffer could not be read');
  const defined = defineImage(context, texture, face, level, internalFormat, row, width, height, 1);
  if (!defined) return outOfMemory(context, call, `no memory for ${width} × ${height} of ${row.name}`);
  const { image, reused } = defined;
  const isCut = !rect || rect.width !== width || rect.height !== height;
  // What lies outside of the framebuffer reads as zero (WebGL 1 §6.7; undefined in GLES).
  if (isCut && reused && !zeroImage(context, image))
    return outOfMemory(context, call, 'the image could not be cleared');
  if (!rect) return;
  if (staged) storeStaged(context, call, staged, image, rect.skipX, rect.skipY, 0, rect.width, rect.height);
  else copyPixels(context, call, source, rect, image, rect.skipX, rect.skipY, 0);
}

function checkSubFormats(context: Context, call: string, source: AttachedImage, row: InternalFormatRow): boolean {
  const from = source.row;
  const isInteger = (kind: string): boolean => kind === 'int' || kind === 'uint';
  const kindsFit = isInteger(from.kind) || isInteger(row.kind) ? from.kind === row.kind : true;
  const fits =
    !row.compressed &&
    isColorRow(row) &&
    row.internalFormat !== GL.RGB9_E5 &&
    kindsFit &&
    // Float images are only filled from float framebuffers (EXT_color_buffer_float, EXT_color_buffer_half_float).
    (context.version === 2 || (from.kind === 'float') === (row.kind === 'float')) &&
    (context.version === 2 || from.srgb === row.srgb) &&
    hasComponents(from, row);
  if (!fits) invalidOperation(context, call, `a ${from.name} framebuffer can't be copied to an image of ${row.name}`);
  return fits;
}

function copySub(
  context: Context,
  call: string,
  place: ImageTarget,
  level: number,
  toX: number,
  toY: number,
  toZ: number,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const image = subImage(context, call, place, level, toX, toY, toZ, width, height, 1);
  if (!image) return;
  const source = readSource(context, call);
  if (!source) return;
  if (!checkSubFormats(context, call, source, image.row)) return;
  if (context.rules.feedbackLoopIsError && readsImage(context, place, level, toZ))
    return invalidOperation(context, call, 'the framebuffer reads the image that is written');
  const rect = clipRect(x, y, width, height, source.width, source.height);
  if (rect) copyPixels(context, call, source, rect, image, toX + rect.skipX, toY + rect.skipY, toZ);
}

export function copyTexSubImage2D(
  context: Context,
  target: number,
  level: number,
  toX: number,
  toY: number,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const call = 'copyTexSubImage2D';
  const place = imageTarget2D(context, call, target);
  if (place) copySub(context, call, place, level, toX, toY, 0, x, y, width, height);
}

export function copyTexSubImage3D(
  context: Context,
  target: number,
  level: number,
  toX: number,
  toY: number,
  toZ: number,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const call = 'copyTexSubImage3D';
  const place = imageTarget3D(context, call, target);
  if (place) copySub(context, call, place, level, toX, toY, toZ, x, y, width, height);
}
