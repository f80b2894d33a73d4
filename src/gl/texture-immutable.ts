// texStorage2D / 3D (ES 3.0.6 §3.8.4, EXT_texture_storage): all levels at once, never to change in size or format.

import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { invalidEnum, invalidOperation, invalidValue, outOfMemory } from './errors.ts';
import { internalFormatRow, isDepthRow, requirementHolds } from './gl-formats.ts';
import { boundTexture } from './texture.ts';
import { levelsBelow } from './texture-completeness.ts';
import { checkCompressedTarget, writeZeroBlocks } from './texture-compressed.ts';
import { checkSize } from './texture-image.ts';
import { checkMutable } from './texture-parameter.ts';
import { defineImmutable } from './texture-storage.ts';

function texStorage(
  context: Context,
  call: string,
  target: number,
  levels: number,
  internalFormat: number,
  width: number,
  height: number,
  depth: number,
): void {
  const texture = boundTexture(context, call, target);
  if (!texture) return;
  const row = internalFormatRow(internalFormat);
  if (!row || !requirementHolds(context, row.storage))
    return invalidEnum(context, call, 'internalformat', internalFormat);
  if (levels < 1 || width < 1 || height < 1 || depth < 1)
    return invalidValue(context, call, 'levels and sizes must be at least 1');
  if (!checkSize(context, call, texture, 0, width, height, depth)) return;
  if (context.defaultTextures.includes(texture))
    return invalidOperation(context, call, 'the default texture can not become immutable');
  if (levels > levelsBelow(texture, width, height, depth) + 1)
    return invalidOperation(context, call, `${levels} levels are more than ${width} × ${height} × ${depth} has`);
  if (isDepthRow(row) && target === GL.TEXTURE_3D)
    return invalidOperation(context, call, '3D textures have no depth formats');
  if (row.compressed && !checkCompressedTarget(context, call, row, target, 0, width, height)) return;
  if (!checkMutable(context, call, texture)) return;
  if (!defineImmutable(context, texture, levels, row, width, height, depth))
    outOfMemory(context, call, `no memory for ${width} × ${height} × ${depth} of ${row.name}`);
  else if (row.compressed && context.rules.zeroInitialise) writeZeroBlocks(context, call, texture);
}

export function texStorage2D(
  context: Context,
  target: number,
  levels: number,
  internalFormat: number,
  width: number,
  height: number,
): void {
  if (target !== GL.TEXTURE_2D && target !== GL.TEXTURE_CUBE_MAP)
    return invalidEnum(context, 'texStorage2D', 'target', target);
  texStorage(context, 'texStorage2D', target, levels, internalFormat, width, height, 1);
}

export function texStorage3D(
  context: Context,
  target: number,
  levels: number,
  internalFormat: number,
  width: number,
  height: number,
  depth: number,
): void {
  if (target !== GL.TEXTURE_3D && target !== GL.TEXTURE_2D_ARRAY)
    return invalidEnum(context, 'texStorage3D', 'target', target);
  texStorage(context, 'texStorage3D', target, levels, internalFormat, width, height, depth);
}
