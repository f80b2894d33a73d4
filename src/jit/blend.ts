// SPDX-License-Identifier: MIT
// Emits the end of the fragment pipeline for one quad and colour target: load what the tile holds, blend, convert to the
// target's format, store under lane and colour masks. Called once a sample of a multisampled target.
import { type Format, formatDescription } from '../format/format.ts';
import type { Expr } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { Vec, Vec4 } from './pixel-math.ts';

export type BlendEquation = 'add' | 'subtract' | 'reverseSubtract' | 'min' | 'max';
export type BlendFactor =
  | 'zero'
  | 'one'
  | 'sourceColor'
  | 'oneMinusSourceColor'
  | 'destinationColor'
  | 'oneMinusDestinationColor'
  | 'sourceAlpha'
  | 'oneMinusSourceAlpha'
  | 'destinationAlpha'
  | 'oneMinusDestinationAlpha'
  | 'constantColor'
  | 'oneMinusConstantColor'
  | 'constantAlpha'
  | 'oneMinusConstantAlpha'
  | 'sourceAlphaSaturate'
  | 'source1Color'
  | 'oneMinusSource1Color'
  | 'source1Alpha'
  | 'oneMinusSource1Alpha';

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
  /** What the shader wrote: floats, or integers for integer targets. */
  readonly color: Vec4;
  /** The second colour of dual-source blending. */
  readonly color1?: Vec4 | undefined;
  /** Address of the blend colour (DRAW + DRAW.offset.blendColor). */
  readonly blendColor: Expr<'i32'>;
}

/** Whether a format can be a colour target of the tile pass. */
export function isRenderable(format: Format): boolean {
  const { isCompressed, space, blockBytes, layout } = formatDescription(format);
  if (isCompressed || space === 'zs' || layout === 'exponent5') return false;
  return (blockBytes & (blockBytes - 1)) === 0 && blockBytes <= 16;
}

/** A string that is equal for targets that give the same code. */
export function blendKeyString(format: Format, blend: BlendKey): string {
  if (!blend.enabled) return `${format} ${blend.colorMask}`;
  const { equationRgb, sourceRgb, destinationRgb, equationAlpha, sourceAlpha, destinationAlpha, colorMask } = blend;
  return [format, colorMask, equationRgb, sourceRgb, destinationRgb, equationAlpha, sourceAlpha, destinationAlpha].join(
    ' ',
  );
}

/** Emits the write of one quad to one sample of one target. */
export function emitColorWrite(f: FunctionBuilder, write: ColorWrite): void {
  throw new Error(`${write.format} is not implemented yet in ${f.name}`);
}
