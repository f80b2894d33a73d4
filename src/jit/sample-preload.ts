// SPDX-License-Identifier: MIT
// Emits the reading of what a texture instruction needs whatever its coordinates are, before the loop over quads: V8 cannot move
// loads out of a loop that stores.
import { SAMPLER, TEXTURE_BINDING, TEXTURE_VIEW } from '../raster/layout.ts';
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { VecLocal } from './pixel-math.ts';
import type { SamplerKey } from './sample.ts';
import { type KeptLevels, keepLevels, type LevelVectors, loadLevel } from './sample-level.ts';
import { needsLod } from './sample-lod.ts';

/** A sampler's view and sampler state, in locals that live as long as the function. */
export interface PreloadedTexture {
  readonly view: Local<'i32'>;
  readonly sampler: Local<'i32'>;
  /** Level 0; where levels are chosen by mip filters, its size only. */
  readonly base: LevelVectors;
  /** The levels last read where all lanes read the same; null where none are chosen by mip filters. */
  readonly kept: KeptLevels | null;
  /** What chooses levels and filters; null where nothing is to be chosen. */
  readonly lod: {
    readonly bias: VecLocal;
    readonly min: VecLocal;
    readonly max: VecLocal;
    readonly last: VecLocal;
  } | null;
}

export function preloadTexture(f: FunctionBuilder, key: SamplerKey, binding: Expr<'i32'>): PreloadedTexture {
  const view = f.let(f.i32.load(binding, TEXTURE_BINDING.offset.view));
  const sampler = f.let(f.i32.load(binding, TEXTURE_BINDING.offset.sampler));
  const hasLevels = key.mipFilter !== 'none';
  const base = loadLevel(f, view, null, hasLevels ? 'size' : 'all', key.dim !== '2d');
  const splat = (offset: number): VecLocal => f.let(f.v128.load32_splat(sampler, offset));
  const last = f.i32x4.sub(f.v128.load32_splat(view, TEXTURE_VIEW.offset.levelCount), 1);
  const { lodBias, minLod, maxLod } = SAMPLER.offset;
  const lod =
    needsLod(key) || key.isAnisotropic
      ? { bias: splat(lodBias), min: splat(minLod), max: splat(maxLod), last: f.let(f.f32x4.convert_i32x4_s(last)) }
      : null;
  const kept = hasLevels ? keepLevels(f, key.dim !== '2d') : null;
  return { view, sampler, base, kept, lod };
}
