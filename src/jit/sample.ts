// SPDX-License-Identifier: MIT
// Emits texture instructions: sampling with filters and wraps, texelFetch and textureSize, four lanes (a quad) at a time.
// The code reads a TEXTURE_BINDING (src/raster/layout.ts); all that decides the shape of the code is in the static key.
//
// Storage formats: any uncompressed format whose pixel is 1, 2, 4, 8 or 16 bytes (`isSampleable`). Compressed formats must be
// decoded, and 3-, 6- and 12-byte formats widened (RGB8 → R8G8B8X8…), when a texture is written; the X of a padded format may
// hold anything. Depth formats sample as depth in x (0, 0, 1 in y z w); stencil is read through a view in S8_UINT.
// Every texel address is clamped into its level, whatever the coordinates are: generated code cannot read foreign memory as
// long as the binding's view is right.
import { type Format, formatDescription } from '../format/format.ts';
import type { Expr } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { CompareFunction, Vec, VecLocal } from './pixel-math.ts';

export type TexDim = '2d' | '3d' | 'cube' | '2dArray';
export type TexOp = 'sample' | 'bias' | 'lod' | 'grad' | 'fetch' | 'size';
export type TextureWrap = 'repeat' | 'clampToEdge' | 'mirroredRepeat' | 'mirrorClampToEdge' | 'clampToBorder';
export type TextureFilter = 'nearest' | 'linear';
export type MipFilter = 'none' | 'nearest' | 'linear';
/** What a result channel is taken from: a component of the texel, zero or one. */
export type Swizzle = 'x' | 'y' | 'z' | 'w' | '0' | '1';

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
}

/** One texture instruction, its operands in locals. */
export interface TextureRequest {
  readonly op: TexOp;
  readonly dim: TexDim;
  readonly shadow: boolean;
  readonly resultType: 'float' | 'int' | 'uint';
  readonly key: SamplerKey;
  /** Address of the TEXTURE_BINDING. */
  readonly binding: Expr<'i32'>;
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
}

/** Whether a format can be sampled as it is stored. */
export function isSampleable(format: Format): boolean {
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
  ].join(' ');
}

/**
 * Emits the instruction and returns its result in fresh locals, which the caller may release: four (rgba; for `size` as many
 * ints as it has components: 2, or 3 for 3d and 2dArray), or one if `shadow`. Integer results are bits in v128 as floats are.
 */
export function emitTexture(f: FunctionBuilder, request: TextureRequest): VecLocal[] {
  throw new Error(`${request.op} is not implemented yet in ${f.name}`);
}
