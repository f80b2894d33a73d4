// SPDX-License-Identifier: MIT
// Emits texture instructions: sampling with filters and wraps, texelFetch and textureSize, four lanes (a quad) at a time.
// The code reads a TEXTURE_BINDING (src/raster/layout.ts); all that decides the shape of the code is in the static key.
//
// Storage formats: any uncompressed format whose pixel is 1, 2, 4, 8 or 16 bytes (`isSampleable`). Compressed formats must be
// decoded, and 3-, 6- and 12-byte formats widened (RGB8 → R8G8B8X8…), when a texture is written; the X of a padded format may
// hold anything. Depth formats sample as depth in x (0, 0, 1 in y z w); stencil is read through a view in S8_UINT.
// Every texel address is clamped into its level, whatever the coordinates are: generated code cannot read foreign memory as
// long as the binding's view is right.

import { listOf } from '../base/list.ts';
import type { CompareFunction, MipFilter, Swizzle, TextureFilter, TextureWrap } from '../base/state-words.ts';
import { type Format, formatDescription } from '../format/format.ts';
import { TEXTURE_VIEW } from '../raster/layout.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { clampFloat, mix, type Vec, type VecLocal } from './pixel-math.ts';
import { sampleAlongAxis } from './sample-anisotropic.ts';
import { type CubeCoordinates, projectCube } from './sample-cube.ts';
import { type FilterRequest, filterLevel } from './sample-filter.ts';
import { bytesOfPixels, channelsOfPixels } from './sample-filter-bytes.ts';
import { type LevelVectors, loadLevel, turnToLevels } from './sample-level.ts';
import { chooseLevels } from './sample-lod.ts';
import type { PreloadedTexture } from './sample-preload.ts';
import { fetchTexels, planTexel, swizzleResult } from './texel.ts';

export type TexDim = '2d' | '3d' | 'cube' | '2dArray';
export type TexOp = 'sample' | 'bias' | 'lod' | 'grad' | 'fetch' | 'size';
/** What of a sampler view and sampler state is compiled into the shader. */
export interface SamplerKey {
  /** Of the view (sRGB or not), as stored in memory. */
  readonly format: Format;
  readonly dim: TexDim;
  readonly wrapS: TextureWrap;
  readonly wrapT: TextureWrap;
  readonly wrapR: TextureWrap;
  readonly minFilter: TextureFilter;
  readonly magFilter: TextureFilter;
  readonly mipFilter: MipFilter;
  /** Depth comparison (TEXTURE_COMPARE_MODE); null: none. Used by shadow lookups only. */
  readonly compare: CompareFunction | null;
  readonly swizzle: readonly [Swizzle, Swizzle, Swizzle, Swizzle];
  /** Filter across cube edges (GLES 3); else each face clamps to its edge (GLES 2). */
  readonly seamlessCube: boolean;
  /** The footprint may take more than one sample (`sample-anisotropic.ts`). */
  readonly isAnisotropic: boolean;
}

/** One texture instruction, its operands in locals. */
export interface TextureRequest {
  readonly op: TexOp;
  readonly dim: TexDim;
  readonly shadow: boolean;
  readonly resultType: 'float' | 'int' | 'uint';
  readonly key: SamplerKey;
  readonly texture: PreloadedTexture;
  /** 2 components for 2d, 3 else; floats, for `fetch` integers. Empty for `size`. */
  readonly coord: readonly Vec[];
  readonly comparator?: Vec | undefined;
  readonly bias?: Vec | undefined;
  /** Float for `lod`, integer for `fetch` and `size`. */
  readonly lod?: Vec | undefined;
  readonly ddx?: readonly Vec[] | undefined;
  readonly ddy?: readonly Vec[] | undefined;
  readonly offset?: readonly number[] | null | undefined;
  /** False in a vertex shader: `sample` and `bias` then take level 0 (plus bias), as lanes are no quad. */
  readonly implicitDerivatives: boolean;
  /** Takes the result as bytes, in the texture's order of channels; only where `givesBytes` says so. */
  readonly bytes?: VecLocal | undefined;
}

/** Whether a format can be sampled as it is stored. */
function isSampleable(format: Format): boolean {
  const { isCompressed, blockBytes } = formatDescription(format);
  return !isCompressed && (blockBytes & (blockBytes - 1)) === 0 && blockBytes <= 16;
}

/** A string that is equal for keys that give the same code. */
export function samplerKeyString(key: SamplerKey): string {
  return [
    key.format,
    key.dim,
    key.wrapS,
    key.wrapT,
    key.wrapR,
    key.minFilter,
    key.magFilter,
    key.mipFilter,
    key.compare ?? '-',
    key.swizzle.join(''),
    key.seamlessCube ? 's' : '',
    key.isAnisotropic ? 'a' : '',
  ].join(' ');
}

/** Integer formats cannot be filtered (GL calls such a texture incomplete): they are read nearest. */
function effectiveKey(request: TextureRequest): SamplerKey {
  const { key } = request;
  const { numericClass, hasDepth } = formatDescription(key.format);
  const isInteger = numericClass === 'int' || numericClass === 'uint' || (numericClass === 'depthStencil' && !hasDepth);
  if (!isInteger) return key;
  const mipFilter = key.mipFilter === 'linear' ? 'nearest' : key.mipFilter;
  return { ...key, minFilter: 'nearest', magFilter: 'nearest', mipFilter };
}

/** The comparator in the range of the format: fixed-point depth clamps it (GLES 3.0.6 §3.8.16). */
function referenceOf(f: FunctionBuilder, request: TextureRequest): VecLocal | null {
  if (!request.shadow || !request.comparator) return null;
  const isFixed = formatDescription(request.key.format).channels.some((channel) => channel.type === 'unorm');
  return f.let(isFixed ? clampFloat(f, request.comparator, 0, 1) : request.comparator);
}

function emitSample(f: FunctionBuilder, request: TextureRequest, result: readonly VecLocal[]): void {
  const key = effectiveKey(request);
  const { view, sampler, base } = request.texture;
  const plan = planTexel(key, result.length, referenceOf(f, request), sampler, true, request.bytes ?? null);
  const coord = request.coord.map((value) => f.let(value));
  const cube = key.dim === 'cube' ? projectCube(f, coord[0]!, coord[1]!, coord[2]!) : null;
  const isLayered = key.dim !== '2d';
  const choice = chooseLevels(f, request, key, cube);
  const { level0, level1, fraction, isUniform, anisotropy } = choice;
  const kept = isUniform ? request.texture.kept : null;
  if (level0 && kept) turnToLevels(f, view, kept, level0, level1, isLayered);
  const load = (level: VecLocal): LevelVectors => loadLevel(f, view, level, 'all', isLayered);
  const lower = level0 ? (kept?.lower ?? load(level0)) : base;
  const sampleAt = (at: readonly VecLocal[], projected: CubeCoordinates | null): VecLocal[] => {
    const filter: FilterRequest = {
      plan,
      coord: projected ? [projected.s, projected.t] : at,
      cube: projected,
      isLinear: choice.isLinear,
      nearestLanes: choice.nearestLanes,
      offset: request.offset ?? null,
    };
    const values = filterLevel(f, filter, lower);
    if (level1 && fraction) {
      const isBetween = f.v128.any_true(f.f32x4.gt(fraction, 0));
      f.if(isBetween, () => {
        const upper = filterLevel(f, filter, kept?.upper ?? load(level1));
        values.forEach((value, k) => {
          // Of pixels each has a weight of its own, unless all have the same.
          const weight = plan.usesBytes && !isUniform ? f.shuffle32(fraction, fraction, [k, k, k, k]) : fraction;
          f.set(value, mix(f, value, upper[k]!, weight));
        });
      });
    }
    return values;
  };
  const channelsOf = (values: VecLocal[]): VecLocal[] => (plan.usesBytes ? channelsOfPixels(f, plan, values) : values);
  let channels: VecLocal[];
  if (anisotropy)
    channels = sampleAlongAxis(f, anisotropy, coord, plan.channels.length, (at) =>
      channelsOf(sampleAt(at, cube && projectCube(f, at[0]!, at[1]!, at[2]!))),
    );
  else {
    const values = sampleAt(coord, cube);
    if (request.bytes && plan.usesBytes) f.set(request.bytes, bytesOfPixels(f, plan.scales[0]!, values));
    channels = channelsOf(values);
  }
  swizzleResult(f, plan, channels).forEach((value, c) => {
    f.set(result[c]!, value);
  });
}

/** texelFetch: no wrap, no filter; a texel or level that does not exist reads as zeros (robust access). */
function emitFetch(f: FunctionBuilder, request: TextureRequest, result: readonly VecLocal[]): void {
  const { key, lod, coord } = request;
  const { view, sampler, base } = request.texture;
  const plan = planTexel({ ...key, compare: null }, result.length, null, sampler, false);
  const valid = f.local('v128', f.i32x4.const(-1));
  let level: VecLocal | null = null;
  if (lod) {
    f.set(valid, f.i32x4.lt_u(lod, f.v128.load32_splat(view, TEXTURE_VIEW.offset.levelCount)));
    level = f.let(f.v128.and(lod, valid));
  }
  const isBase = !level && key.mipFilter === 'none';
  const at = isBase ? base : loadLevel(f, view, level, 'all', key.dim !== '2d');
  const place = coord.map((value, k) => {
    const offset = request.offset?.[k] ?? 0;
    return f.let(offset ? f.i32x4.add(value, offset) : value);
  });
  const sizes = [at.width, at.height, at.depth];
  place.forEach((value, k) => {
    f.set(valid, f.v128.and(valid, f.i32x4.lt_u(value, sizes[k]!)));
  });
  const [x, y, z] = place.map((value) => f.v128.and(value, valid));
  let address = f.i32x4.add(at.address, f.i32x4.shl(x!, Math.log2(formatDescription(key.format).blockBytes)));
  address = f.i32x4.add(address, f.i32x4.mul(y!, at.rowStride));
  if (z) address = f.i32x4.add(address, f.i32x4.mul(z, at.layerStride));
  const channels = fetchTexels(f, plan, f.let(address), null);
  swizzleResult(f, plan, channels).forEach((value, c) => {
    f.set(result[c]!, f.v128.and(value, valid));
  });
}

/** textureSize: of the level, clamped to those that exist. */
function emitSize(f: FunctionBuilder, request: TextureRequest, result: readonly VecLocal[]): void {
  const { view, base } = request.texture;
  let level: VecLocal | null = null;
  if (request.lod) {
    const last = f.i32x4.sub(f.v128.load32_splat(view, TEXTURE_VIEW.offset.levelCount), 1);
    level = f.let(f.i32x4.min_u(request.lod, last));
  }
  const at = level ? loadLevel(f, view, level, 'size', request.key.dim !== '2d') : base;
  [at.width, at.height, at.depth].slice(0, result.length).forEach((value, c) => {
    f.set(result[c]!, value);
  });
}

/**
 * Emits the instruction and returns its result in fresh locals, which the caller may release: four (rgba; for `size` as many
 * ints as it has components: 2, or 3 for 3d and 2dArray), or one if `shadow`. Integer results are bits in v128 as floats are.
 */
export function emitTexture(f: FunctionBuilder, request: TextureRequest): VecLocal[] {
  const { op, key, shadow } = request;
  if (!isSampleable(key.format)) throw new Error(`textures cannot be stored as ${key.format}`);
  const hasDepth = key.dim === '3d' || key.dim === '2dArray';
  const components = op === 'size' ? (hasDepth ? 3 : 2) : shadow ? 1 : 4;
  const result = listOf(components, () => f.local('v128'));
  f.scope(() => {
    if (op === 'size') emitSize(f, request, result);
    else if (op === 'fetch') emitFetch(f, request, result);
    else emitSample(f, request, result);
  });
  return result;
}
