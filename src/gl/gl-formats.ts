// Answers about GL image formats, looked up in `gl-formats.table.ts` and asked of the screen: what is legal in this context, and what it is stored as.

import { type Format, isCompressed, linearFormat } from '../format/format.ts';
import { BIND, type ResourceTarget, type Swizzle } from '../pipe/defines.ts';
import type { Screen } from '../pipe/screen.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import {
  clientAlias,
  type InternalFormatRow,
  internalFormatRows,
  type PixelLayout,
  pixelLayoutRows,
  type Requirement,
  type StorageCandidate,
  type TransferRow,
  transferRows,
} from './gl-formats.table.ts';

/** What a requirement is judged by; a Context is one. */
export interface FormatRules {
  readonly version: 2 | 3;
  readonly rules: { readonly webgl: boolean };
  readonly extensions: ReadonlySet<string>;
}

const termsOf = new Map<Requirement, readonly (readonly string[])[]>();

/** Whether a requirement of the table holds in a context, with the extensions that are on now. */
export function requirementHolds(rules: FormatRules, requirement: Requirement): boolean {
  if (requirement === '2') return true;
  if (requirement === '') return false;
  let alternatives = termsOf.get(requirement);
  if (!alternatives) {
    alternatives = requirement.split('|').map((alternative) => alternative.split('&'));
    termsOf.set(requirement, alternatives);
  }
  return alternatives.some((terms) => terms.every((term) => termHolds(rules, term)));
}

function termHolds(rules: FormatRules, term: string): boolean {
  if (term === '2') return true;
  if (term === '3') return rules.version === 3;
  if (term === 'webgl') return rules.rules.webgl;
  if (term === 'gles') return !rules.rules.webgl;
  return rules.extensions.has(term);
}

const rowsByInternalFormat = new Map(internalFormatRows.map((row) => [row.internalFormat, row]));

/** The row of a sized or compressed internal format, whether legal in a context or not. */
export function internalFormatRow(internalFormat: number): InternalFormatRow | undefined {
  return rowsByInternalFormat.get(internalFormat);
}

const transfersByFormat = new Map<number, TransferRow[]>();
for (const row of transferRows) {
  const list = transfersByFormat.get(row.internalFormat);
  if (list) list.push(row);
  else transfersByFormat.set(row.internalFormat, [row]);
}

const sizedFormats = new Set(internalFormatRows.map((row) => row.internalFormat));

/** GLES 2 knows sized formats only as texStorage and renderbuffer arguments, except that EXT_texture_norm16 and the like are GLES 3 anyway. */
function transferHolds(context: FormatRules, row: TransferRow): boolean {
  if (!requirementHolds(context, row.requirement)) return false;
  return (
    !sizedFormats.has(row.internalFormat) ||
    requirementHolds(context, rowsByInternalFormat.get(row.internalFormat)!.texture)
  );
}

export function isTextureInternalFormat(context: FormatRules, internalFormat: number): boolean {
  return transfersByFormat.get(internalFormat)?.some((row) => transferHolds(context, row)) ?? false;
}

/** The upload row of a triple, if it is legal in this context. */
export function findTransfer(
  context: FormatRules,
  internalFormat: number,
  format: number,
  type: number,
): TransferRow | undefined {
  return transfersByFormat
    .get(internalFormat)
    ?.find((row) => row.format === format && row.type === type && transferHolds(context, row));
}

/** Whether (format, type) may update an image that was made as `internalFormat` with effective format `effective`. */
export function findSubTransfer(
  context: FormatRules,
  internalFormat: number,
  effective: number,
  format: number,
  type: number,
): TransferRow | undefined {
  const direct = findTransfer(context, internalFormat, format, type);
  if (direct) return direct;
  // Storage made by texStorage with a sized format in GLES 2 (EXT_texture_storage) is updated by the unsized triples.
  for (const row of transferRows) {
    if (
      row.effective === effective &&
      row.format === format &&
      row.type === type &&
      requirementHolds(context, row.requirement)
    )
      return row;
  }
  return undefined;
}

/** Uploads that give an image of a sized format, as this context allows them. */
export function transfersTo(context: FormatRules, effective: number): TransferRow[] {
  return transferRows.filter((row) => row.effective === effective && transferHolds(context, row));
}

export function isTransferFormat(context: FormatRules, format: number): boolean {
  return transferRows.some((row) => row.format === format && transferHolds(context, row));
}

export function isTransferType(context: FormatRules, type: number): boolean {
  return transferRows.some((row) => row.type === type && transferHolds(context, row));
}

const layoutsByKey = new Map(pixelLayoutRows.map((row) => [row.format * 0x10000 + row.type, row]));

/** How client pixels of (format, type) lie in memory. */
export function pixelLayout(format: number, type: number): PixelLayout | undefined {
  return layoutsByKey.get(format * 0x10000 + type);
}

export function isCompressedInternalFormat(
  context: FormatRules,
  internalFormat: number,
): InternalFormatRow | undefined {
  const row = rowsByInternalFormat.get(internalFormat);
  return row?.compressed && requirementHolds(context, row.texture) ? row : undefined;
}

/** COMPRESSED_TEXTURE_FORMATS. */
export function compressedTextureFormats(context: FormatRules): number[] {
  return internalFormatRows
    .filter((row) => row.compressed !== null && requirementHolds(context, row.texture))
    .map((row) => row.internalFormat);
}

export function isIntegerKind(row: InternalFormatRow): boolean {
  return (row.kind === 'int' || row.kind === 'uint') && row.base !== GL.STENCIL_INDEX;
}

export function isDepthRow(row: InternalFormatRow): boolean {
  return row.base === GL.DEPTH_COMPONENT || row.base === GL.DEPTH_STENCIL;
}

export function isStencilRow(row: InternalFormatRow): boolean {
  return row.base === GL.DEPTH_STENCIL || row.base === GL.STENCIL_INDEX;
}

/** Whether a texture of this format samples its stencil values, as unsigned integers, under a DEPTH_STENCIL_TEXTURE_MODE. */
export function samplesStencil(row: InternalFormatRow, mode: number): boolean {
  return row.base === GL.DEPTH_STENCIL && mode === GL.STENCIL_INDEX;
}

export function isColorRow(row: InternalFormatRow): boolean {
  return !isDepthRow(row) && !isStencilRow(row);
}

export function isRenderable(context: Context, row: InternalFormatRow): boolean {
  return requirementHolds(context, row.render);
}

export function isFilterable(context: Context, row: InternalFormatRow): boolean {
  return requirementHolds(context, row.filter);
}

/** How an internal format is stored on a screen. */
export interface StorageChoice {
  readonly format: Format;
  /** How a sampler view reads it back as the GL format. */
  readonly readSwizzle: readonly [Swizzle, Swizzle, Swizzle, Swizzle];
  /** The same bytes as the CPU sees them: converting to and from this format moves GL's components, without sRGB curves. */
  readonly clientFormat: Format;
  /** BIND bits that a resource of this format should be made with. */
  readonly bind: number;
}

const LETTERS = 'rgba';
const AXES: Record<string, Swizzle> = { r: 'x', g: 'y', b: 'z', a: 'w', '0': '0', '1': '1' };

const choices = new WeakMap<Screen, Map<string, StorageChoice | null>>();

/**
 * The best pipe format for an internal format: the first candidate that can be used in all wanted ways; if none can,
 * the first that can be sampled (then rendering to it is FRAMEBUFFER_UNSUPPORTED). Null: the screen can't store it.
 */
export function chooseStorage(
  screen: Screen,
  row: InternalFormatRow,
  target: ResourceTarget,
  samples: number,
  use: 'texture' | 'renderbuffer',
): StorageChoice | null {
  let known = choices.get(screen);
  if (!known) choices.set(screen, (known = new Map()));
  const key = `${row.internalFormat}/${target}/${samples}/${use}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const choice = findStorage(screen, row, target, samples, use);
  known.set(key, choice);
  return choice;
}

function findStorage(
  screen: Screen,
  row: InternalFormatRow,
  target: ResourceTarget,
  samples: number,
  use: 'texture' | 'renderbuffer',
): StorageChoice | null {
  const wishes = use === 'texture' ? [BIND.SAMPLER_VIEW] : [];
  const render = isColorRow(row) ? BIND.RENDER_TARGET : BIND.DEPTH_STENCIL;
  // Luminance and alpha are never drawn to; asking a backend to render to them would pass over its native formats.
  const wantsRender = use === 'renderbuffer' || row.render !== '';
  const attempts: number[] = [];
  if (wantsRender && target !== 'texture3D') attempts.push([...wishes, render].reduce((a, b) => a | b, 0));
  if (wantsRender && target === 'texture3D')
    attempts.push(isColorRow(row) ? BIND.SAMPLER_VIEW | render : BIND.SAMPLER_VIEW);
  if (use === 'texture') attempts.push(BIND.SAMPLER_VIEW);
  for (const bind of attempts) {
    const candidate = row.candidates.find((one) => isUsable(screen, one, target, samples, bind));
    if (!candidate) continue;
    const swizzle = candidate.swizzle ?? LETTERS;
    const extra = bind & BIND.RENDER_TARGET && samples === 1 && !isCompressed(candidate.format) ? BIND.SAMPLER_VIEW : 0;
    return {
      format: candidate.format,
      readSwizzle: [...swizzle].map((letter) => AXES[letter] ?? '0') as unknown as StorageChoice['readSwizzle'],
      clientFormat: linearFormat(clientAlias(candidate)),
      bind: extra && screen.isFormatSupported(candidate.format, target, samples, bind | extra) ? bind | extra : bind,
    };
  }
  return null;
}

function isUsable(
  screen: Screen,
  candidate: StorageCandidate,
  target: ResourceTarget,
  samples: number,
  bind: number,
): boolean {
  return screen.isFormatSupported(candidate.format, target, samples, bind);
}

/** Supported sample counts above 1 of a renderable internal format, largest first (ES 3.0.6 §6.1.15). */
export function sampleCounts(context: Context, row: InternalFormatRow): number[] {
  // Multisampled integers are not required in GLES 3.0 and forbidden there by name (§4.4.2.1).
  if (isIntegerKind(row)) return [];
  return context.screen.caps.sampleCounts
    .filter(
      (count) =>
        count > 1 &&
        count <= context.limits.maxSamples &&
        chooseStorage(context.screen, row, 'texture2D', count, 'renderbuffer'),
    )
    .slice()
    .sort((a, b) => b - a);
}
