// SPDX-License-Identifier: MIT
// Emits the end of the fragment pipeline for one quad and colour target: load what the tile holds, blend, convert to the
// target's format, store under lane and colour masks. Called once a sample of a multisampled target.
import { listOf } from '../base/list.ts';
import type { BlendEquation, BlendFactor } from '../base/state-words.ts';
import { type Format, formatDescription } from '../format/format.ts';
import { SWIZZLE_ZERO } from '../format/format-row.ts';
import { WORD_PLANE_BYTES } from '../raster/layout.ts';
import { type Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { emitByteBlend, isByteBlend } from './blend-bytes.ts';
import { blendedRange, emitBlend } from './blend-equation.ts';
import type { Vec, Vec4, VecLocal } from './pixel-math.ts';
import { type KnownRange, packWords, writeBits } from './pixel-pack.ts';
import { unpackWords } from './pixel-unpack.ts';

/** Blending of one target; the fields of the pipe's BlendTarget, so one of those can be given. */
export interface BlendKey {
  readonly enabled: boolean;
  readonly equationRgb: BlendEquation;
  readonly sourceRgb: BlendFactor;
  readonly destinationRgb: BlendFactor;
  readonly equationAlpha: BlendEquation;
  readonly sourceAlpha: BlendFactor;
  readonly destinationAlpha: BlendFactor;
  /** Bits of COLOR_MASK: 1 red, 2 green, 4 blue, 8 alpha. */
  readonly colorMask: number;
  /** A constant colour of the target's own; without it the draw's is taken. */
  readonly constant?: readonly [red: number, green: number, blue: number, alpha: number];
  /** A logic operation on fixed-point and integer pixels: bit 2 · new + old of it is the result for these two bits. */
  readonly logic?: number;
}

export interface ColorWrite {
  readonly format: Format;
  readonly blend: BlendKey;
  /** Address of the sample's first plane (TILE.color[target] + sample · colorPlaneBytes). */
  readonly plane: Expr<'i32'>;
  /** Quad index inside of the tile. */
  readonly quad: Expr<'i32'>;
  /** Lanes to write: −1 or 0 each. */
  readonly mask: Vec;
  /** Set if all lanes of the mask are known to be written: saves the load when nothing is blended. */
  readonly isFullMask?: boolean;
  /** The colour as the format packs it (`emitPacked`), if it was packed before; not when blending. */
  readonly packed?: readonly VecLocal[] | undefined;
  /** The colour is the same for all quads of a call: what depends on it alone is computed once. */
  readonly isUniform?: boolean;
  /** What the shader wrote: floats, or integers for integer targets. */
  readonly color: Vec4;
  /** Bit c: component c is integer bits (`SlotInfo.rawComponents`). */
  readonly rawComponents: number;
  /** The colour for `emitAhead`, where it is known there. */
  readonly colorAhead?: Vec4 | undefined;
  /** The second colour of dual-source blending. */
  readonly color1?: Vec4 | undefined;
  /** Address of the blend colour (DRAW + DRAW.offset.blendColor). */
  readonly blendColor: Expr<'i32'>;
}

/** Whether a format can be a colour target of the tile pass. */
export function isRenderable(format: Format): boolean {
  const { isCompressed, space, blockBytes } = formatDescription(format);
  if (isCompressed || space === 'zs') return false;
  return (blockBytes & (blockBytes - 1)) === 0 && blockBytes <= 16;
}

/** A string that is equal for targets that give the same code. */
export function blendKeyString(format: Format, blend: BlendKey): string {
  const logic = hasLogic(format, blend) ? ` ^${blend.logic}` : '';
  if (!blend.enabled) return `${format} ${blend.colorMask}${logic}`;
  const { equationRgb, sourceRgb, destinationRgb, equationAlpha, sourceAlpha, destinationAlpha, colorMask } = blend;
  const words = [equationRgb, sourceRgb, destinationRgb, equationAlpha, sourceAlpha, destinationAlpha];
  return `${format} ${colorMask} ${words.join(' ')} ${blend.constant ?? ''}${logic}`;
}

const LOGIC_COPY = 12;

/** Floats and sRGB pixels are written as they are, whatever the logic operation. */
function hasLogic(format: Format, { logic }: BlendKey): boolean {
  if (logic === undefined || logic === LOGIC_COPY) return false;
  const { channels, isSrgb } = formatDescription(format);
  return !isSrgb && !channels.some(({ type }) => type === 'float');
}

/** Bits of the new and the old pixel combined. */
function emitLogic(f: FunctionBuilder, logic: number, source: Vec, old: Vec): Vec {
  // The upper half of the table mirrors the lower one.
  if (logic > 7) return f.v128.not(emitLogic(f, 15 - logic, source, old));
  switch (logic) {
    case 0:
      return f.i32x4.const(0);
    case 1:
      return f.v128.not(f.v128.or(source, old));
    case 2:
      return f.v128.andnot(old, source);
    case 3:
      return f.v128.not(source);
    case 4:
      return f.v128.andnot(source, old);
    case 5:
      return f.v128.not(old);
    case 6:
      return f.v128.xor(source, old);
    default:
      return f.v128.not(f.v128.and(source, old));
  }
}

/** A pixel word a lane, from quad-ordered planes. */
function loadWords(f: FunctionBuilder, bytes: number, address: Expr<'i32'>): VecLocal[] {
  if (bytes === 1) {
    const narrow = f.v128.load32_zero(address);
    return [f.let(f.i32x4.extend_low_i16x8_u(f.i16x8.extend_low_i8x16_u(narrow)))];
  }
  if (bytes === 2) return [f.let(f.v128.load16x4_u(address))];
  return listOf(bytes >> 2, (plane) => f.let(f.v128.load(address, plane * WORD_PLANE_BYTES)));
}

function storeWords(f: FunctionBuilder, bytes: number, address: Expr<'i32'>, words: readonly VecLocal[]): void {
  if (bytes >= 4) {
    words.forEach((word, plane) => {
      f.v128.store(address, word, plane * WORD_PLANE_BYTES);
    });
    return;
  }
  // Bits above the pixel may be set (sign bits); the byte swizzle drops them and closes the ranks.
  const lanes = bytes === 1 ? [0, 4, 8, 12] : [0, 1, 4, 5, 8, 9, 12, 13];
  const packed = f.i8x16.swizzle(words[0]!, f.i8x16.const(...lanes, ...new Array(16 - lanes.length).fill(-1)));
  if (bytes === 1) f.v128.store32_lane(address, packed, 0);
  else f.v128.store64_lane(address, packed, 0);
}

/** Emits the write of one quad to one sample of one target. */
export function emitColorWrite(f: FunctionBuilder, write: ColorWrite): void {
  const { format, blend, plane, quad } = write;
  if (!isRenderable(format)) throw new Error(`${format} is no colour target format`);
  const { numericClass, blockBytes } = formatDescription(format);
  const allBits = writeBits(format, 15);
  const bits = writeBits(format, blend.colorMask);
  // A format without the masked channels may have nothing to write (padding alone is not worth it).
  if (isNothingWritten(format, blend.colorMask)) return;
  const isBlended = blend.enabled && numericClass === 'float';
  f.scope(() => {
    const perQuad = Math.min(blockBytes, 4) * 4;
    const address = f.let(f.i32.add(plane, f.i32.shl(quad, Math.log2(perQuad))));
    const isPartial = bits.some((word, k) => word !== allBits[k]);
    const combines = hasLogic(format, blend);
    const needsOld = isBlended || isPartial || combines || !write.isFullMask;
    const old = needsOld ? loadWords(f, blockBytes, address) : [];
    const words = write.packed ?? newWords(f, write, isBlended, old);
    const packed = words.map((blended, k) => {
      const word = combines ? emitLogic(f, blend.logic!, blended, old[k]!) : blended;
      if (write.isFullMask && !isPartial) return word instanceof Local ? word : f.let(word);
      const lanes = write.mask;
      const mask = bits[k] === allBits[k] ? lanes : f.v128.and(lanes, f.i32x4.const(bits[k]! | 0));
      return f.let(f.v128.bitselect(word, old[k]!, mask));
    });
    storeWords(f, blockBytes, address, packed);
  });
}

/** Whether a write to all lanes leaves nothing of what a pixel held. */
export function overwritesPixel(format: Format, blend: BlendKey): boolean {
  const isBlended = blend.enabled && formatDescription(format).numericClass === 'float';
  if (isBlended || hasLogic(format, blend) || isNothingWritten(format, blend.colorMask)) return false;
  const allBits = writeBits(format, 15);
  return writeBits(format, blend.colorMask).every((word, k) => word === allBits[k]);
}

/** The colour as pixel words, in locals of the current scope; null where it cannot be known without what is blended with. */
export function emitPacked(
  f: FunctionBuilder,
  { format, blend, color, rawComponents }: Pick<ColorWrite, 'format' | 'blend' | 'color' | 'rawComponents'>,
): VecLocal[] | null {
  if (blend.enabled && formatDescription(format).numericClass === 'float') return null;
  return packWords(f, format, color, unblendedRanges(rawComponents)).map((word) => f.let(word));
}

/** The words to be stored where the masks allow. */
function newWords(f: FunctionBuilder, write: ColorWrite, isBlended: boolean, old: readonly VecLocal[]): Vec[] {
  const { format, blend, color } = write;
  if (!isBlended) return packWords(f, format, color, unblendedRanges(write.rawComponents));
  // With colours that vary, the chain of dependent steps over bytes takes longer than that over floats.
  if (write.isUniform && isByteBlend(format, blend)) {
    const { colorAhead } = write;
    const source = colorAhead
      ? f.emitAhead(() => f.let(packWords(f, format, colorAhead)[0]!))
      : f.let(packWords(f, format, color)[0]!);
    return [emitByteBlend(f, format, blend, source, old[0]!, colorAhead !== undefined)];
  }
  const blended = emitBlend(f, write, unpackWords(f, format, old));
  const ranges = [0, 1, 2, 3].map((component) => blendedRange(write, component));
  return packWords(f, format, blended, ranges);
}

function unblendedRanges(rawComponents: number): KnownRange[] {
  return [0, 1, 2, 3].map((component) => ((rawComponents >> component) & 1 ? 'bits' : 'any'));
}

function isNothingWritten(format: Format, colorMask: number): boolean {
  const { swizzle } = formatDescription(format);
  return !swizzle.some((place, component) => place < SWIZZLE_ZERO && colorMask & (1 << component));
}
