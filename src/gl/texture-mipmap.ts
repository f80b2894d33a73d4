// generateMipmap (ES 2.0.25 §3.7.11, ES 3.0.6 §3.8.10).

import type { Context } from './context.ts';
import { invalidOperation, outOfMemory } from './errors.ts';
import { internalFormatRow, isDepthRow, isFilterable, isIntegerKind, isRenderable } from './gl-formats.ts';
import { boundTexture } from './texture.ts';
import { effectiveMaxLevel, levelsBelow, textureLevels } from './texture-completeness.ts';
import { finalizeTexture, reserveMipmaps } from './texture-storage.ts';

export function generateMipmap(context: Context, target: number): void {
  const call = 'generateMipmap';
  const texture = boundTexture(context, call, target);
  if (!texture) return;
  const levels = textureLevels(texture);
  if (!levels.baseComplete) return invalidOperation(context, call, 'the texture has no complete base level');
  const first = levels.firstLevel;
  const base = texture.image(0, first)!;
  const { row } = base;
  if (row.compressed) return invalidOperation(context, call, 'the texture is compressed');
  if (isDepthRow(row)) return invalidOperation(context, call, 'depth textures have no generated mipmaps');
  if (context.version === 2) {
    if (!levels.isPowerOfTwo && !context.extensions.has('OES_texture_npot'))
      return invalidOperation(context, call, 'the size is not a power of two');
    if (row.srgb) return invalidOperation(context, call, 'EXT_sRGB textures have no generated mipmaps');
  } else {
    // Unsized formats are exempt from the rule for sized ones (§3.8.10.1).
    const isSized = internalFormatRow(base.internalFormat) !== undefined;
    if (isIntegerKind(row) || (isSized && !(isRenderable(context, row) && isFilterable(context, row))))
      return invalidOperation(context, call, `${row.name} is not both colour-renderable and filterable`);
  }
  const last = Math.min(
    first + levelsBelow(texture, base.width, base.height, base.depth),
    Math.max(effectiveMaxLevel(texture), first),
  );
  if (last === first) return;
  const ready =
    texture.immutableLevels > 0
      ? finalizeTexture(context, texture, first, first)
      : reserveMipmaps(context, texture, first, last);
  if (!ready) return outOfMemory(context, call, 'no memory for the mip levels');
  const resource = texture.resource!;
  const layers = resource.target === 'texture3D' ? 1 : resource.arraySize;
  const offset = texture.resourceFirstLevel;
  const status = context.pipe.generateMipmap(resource, resource.format, first - offset, last - offset, 0, layers - 1);
  if (status !== 'ok') outOfMemory(context, call, `the mip levels could not be made (${status})`);
}
