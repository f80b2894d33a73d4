// Texture completeness: which levels can be sampled, and whether a texture with given sampling parameters is complete
// (ES 2.0.25 §3.7.10 and §3.8.2, ES 3.0.6 §3.8.13 and §3.8.14).

import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { isDepthRow, isFilterable, isIntegerKind, samplesStencil } from './gl-formats.ts';
import { type SamplingState, usesLinearFilter, usesMipmaps } from './sampler-state.ts';
import type { Texture, TextureImage, TextureLevels } from './texture-object.ts';

/** Base level in force: clamped to the levels of an immutable texture. */
function effectiveBaseLevel(texture: Texture): number {
  return texture.immutableLevels > 0 ? Math.min(texture.baseLevel, texture.immutableLevels - 1) : texture.baseLevel;
}

export function effectiveMaxLevel(texture: Texture): number {
  if (texture.immutableLevels === 0) return texture.maxLevel;
  return Math.max(effectiveBaseLevel(texture), Math.min(texture.maxLevel, texture.immutableLevels - 1));
}

/** Number of levels below a base image until it is 1×1×1; array layers do not count. */
export function levelsBelow(texture: Texture, width: number, height: number, depth: number): number {
  const largest = Math.max(width, height, texture.target === GL.TEXTURE_3D ? depth : 1);
  return largest < 1 ? 0 : 31 - Math.clz32(largest);
}

/** Whether `image` has the size and format that `steps` levels below `base` ask for. */
export function fitsBelow(
  texture: Texture,
  base: TextureImage,
  image: TextureImage | undefined,
  steps: number,
): boolean {
  return (
    image !== undefined &&
    image.row === base.row &&
    image.internalFormat === base.internalFormat &&
    image.width === Math.max(base.width >> steps, 1) &&
    image.height === Math.max(base.height >> steps, 1) &&
    image.depth === (texture.target === GL.TEXTURE_3D ? Math.max(base.depth >> steps, 1) : base.depth)
  );
}

const INCOMPLETE: Omit<TextureLevels, 'firstLevel' | 'lastLevel'> = {
  baseComplete: false,
  mipmapComplete: false,
  isPowerOfTwo: false,
};

function isPowerOfTwo(value: number): boolean {
  return (value & (value - 1)) === 0;
}

function deriveLevels(texture: Texture): TextureLevels {
  const first = effectiveBaseLevel(texture);
  const max = effectiveMaxLevel(texture);
  const base = texture.image(0, first);
  const faces = texture.images.length;
  if (!base?.resource) return { ...INCOMPLETE, firstLevel: first, lastLevel: first };
  if (faces > 1) {
    if (base.width !== base.height) return { ...INCOMPLETE, firstLevel: first, lastLevel: first };
    for (let face = 1; face < faces; face++)
      if (!fitsBelow(texture, base, texture.image(face, first), 0))
        return { ...INCOMPLETE, firstLevel: first, lastLevel: first };
  }
  const wanted = Math.min(first + levelsBelow(texture, base.width, base.height, base.depth), max);
  let last = first;
  while (
    last < wanted &&
    texture.images.every((levels) => fitsBelow(texture, base, levels[last + 1], last + 1 - first))
  )
    last++;
  return {
    firstLevel: first,
    lastLevel: last,
    baseComplete: true,
    // A base level above the max level makes a mipmapped texture incomplete (ES 3.0.6 §3.8.13).
    mipmapComplete: first <= max && last >= wanted,
    isPowerOfTwo:
      isPowerOfTwo(base.width) &&
      isPowerOfTwo(base.height) &&
      (texture.target !== GL.TEXTURE_3D || isPowerOfTwo(base.depth)),
  };
}

/** The levels of a texture, kept until its images or level parameters change. */
export function textureLevels(texture: Texture): TextureLevels {
  if (texture.levels === null || texture.levelsVersion !== texture.version) {
    texture.levels = deriveLevels(texture);
    texture.levelsVersion = texture.version;
  }
  return texture.levels;
}

/** Null when the texture is complete under these parameters, else the reason in words. */
export function incompleteReason(context: Context, texture: Texture, sampling: SamplingState): string | null {
  const levels = textureLevels(texture);
  if (!levels.baseComplete)
    return texture.target === GL.TEXTURE_CUBE_MAP
      ? 'the cube map is not complete at its base level'
      : 'it has no base level';
  const mipmapped = usesMipmaps(sampling);
  if (mipmapped && !levels.mipmapComplete)
    return 'its minification filter needs mipmaps that are missing or do not fit';
  const { row } = texture.image(0, levels.firstLevel)!;
  if (usesLinearFilter(sampling)) {
    if (isIntegerKind(row)) return 'integer textures can only be sampled with NEAREST filters';
    if (!isFilterable(context, row)) return `${row.name} textures can only be sampled with NEAREST filters here`;
    if (samplesStencil(row, texture.depthStencilMode)) return 'stencil can only be sampled with NEAREST filters';
    if (context.version === 3 && isDepthRow(row) && sampling.compareMode === GL.NONE)
      return 'depth textures without compare mode can only be sampled with NEAREST filters';
  }
  if (context.version === 2 && !levels.isPowerOfTwo && !context.extensions.has('OES_texture_npot')) {
    if (mipmapped) return 'its size is not a power of two, so it can have no mipmaps';
    if (sampling.wrapS !== GL.CLAMP_TO_EDGE || sampling.wrapT !== GL.CLAMP_TO_EDGE)
      return 'its size is not a power of two, so it must be sampled with CLAMP_TO_EDGE';
  }
  return null;
}
