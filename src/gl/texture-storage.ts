// Where the images of a texture live: makes pipe resources for them, and brings the levels that are used into one resource
// when the texture is sampled (the work of Mesa's st_finalize_texture).
// Rule: new storage is made before the old is given up, so a failed allocation leaves the texture as it was.

import { listOf } from '../base/list.ts';
import type { ResourceTarget } from '../pipe/defines.ts';
import type { Resource } from '../pipe/resource.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import type { InternalFormatRow } from './gl-formats.table.ts';
import { chooseStorage, type StorageChoice } from './gl-formats.ts';
import { usesMipmaps } from './sampler-state.ts';
import { fitsBelow, levelsBelow } from './texture-completeness.ts';
import { CUBE_FACES, type Texture, type TextureImage } from './texture-object.ts';

export function resourceTarget(target: number): Exclude<ResourceTarget, 'buffer'> {
  switch (target) {
    case GL.TEXTURE_CUBE_MAP:
      return 'textureCube';
    case GL.TEXTURE_3D:
      return 'texture3D';
    case GL.TEXTURE_2D_ARRAY:
      return 'texture2DArray';
    default:
      return 'texture2D';
  }
}

/** Counts changes of what may be attached to framebuffers, so that a framebuffer's status can be kept between them. */
export const storageEpoch = { value: 0 };

/** A level's images changed their place, size or contents' identity: what was derived from the texture is stale. */
export function touchTexture(context: Context, texture: Texture): void {
  texture.version++;
  storageEpoch.value++;
  context.dirty |= DIRTY.TEXTURES | DIRTY.FRAMEBUFFER;
}

function createResource(
  context: Context,
  target: Exclude<ResourceTarget, 'buffer'>,
  storage: StorageChoice,
  width: number,
  height: number,
  depth: number,
  levels: number,
  immutable: boolean,
): Resource | null {
  return context.screen.createResource({
    target,
    format: storage.format,
    width,
    height,
    depth: target === 'texture3D' ? depth : 1,
    arraySize: target === 'textureCube' ? CUBE_FACES : target === 'texture2DArray' ? depth : 1,
    levels,
    samples: 1,
    bind: storage.bind,
    usage: immutable ? 'immutable' : 'default',
  });
}

/** Size of a level of a resource. */
function levelOf(resource: Resource, level: number): { width: number; height: number; depth: number } {
  return {
    width: Math.max(resource.width >> level, 1),
    height: Math.max(resource.height >> level, 1),
    depth:
      resource.target === 'texture3D'
        ? Math.max(resource.depth >> level, 1)
        : resource.target === 'texture2DArray'
          ? resource.arraySize
          : 1,
  };
}

function fitsMainResource(
  texture: Texture,
  storage: StorageChoice,
  level: number,
  width: number,
  height: number,
  depth: number,
): boolean {
  const { resource } = texture;
  const resourceLevel = level - texture.resourceFirstLevel;
  if (!resource || resource.format !== storage.format || resourceLevel < 0 || resourceLevel >= resource.levels)
    return false;
  const size = levelOf(resource, resourceLevel);
  return size.width === width && size.height === height && size.depth === depth;
}

/** Gives up resources of `before` that the texture no longer uses. */
function releaseUnused(texture: Texture, before: Iterable<Resource>): void {
  const used = texture.resources();
  for (const resource of before) {
    if (used.has(resource)) continue;
    if (texture.view?.resource === resource) {
      texture.view.destroy();
      texture.view = null;
    }
    resource.destroy();
  }
}

/** What an upload must know of a newly defined image. */
export interface DefinedImage {
  readonly image: TextureImage;
  /** The place was used before: without data it must be cleared to read as zero. */
  readonly reused: boolean;
}

/**
 * Defines (or redefines) an image of a mutable texture. Null: the format can't be stored or there is no memory; the
 * texture is then unchanged. The contents read as zero unless `reused`.
 */
export function defineImage(
  context: Context,
  texture: Texture,
  face: number,
  level: number,
  internalFormat: number,
  row: InternalFormatRow,
  width: number,
  height: number,
  depth: number,
): DefinedImage | null {
  const target = resourceTarget(texture.target);
  const storage = chooseStorage(context.screen, row, target, 1, 'texture');
  if (!storage) return null;
  const image: TextureImage = {
    width,
    height,
    depth,
    internalFormat,
    row,
    storage,
    resource: null,
    resourceLevel: 0,
    resourceLayer: 0,
  };
  const levels = texture.images[face]!;
  let reused = false;
  const before = texture.resources();
  if (width > 0 && height > 0 && depth > 0) {
    if (fitsMainResource(texture, storage, level, width, height, depth)) {
      reused = true;
    } else if (level === 0 && (target !== 'textureCube' || width === height)) {
      const count = usesMipmaps(texture.sampling) ? levelsBelow(texture, width, height, depth) + 1 : 1;
      const resource = createResource(context, target, storage, width, height, depth, count, false);
      if (!resource) return null;
      texture.resource = resource;
      texture.resourceFirstLevel = 0;
    } else {
      const resource = createResource(
        context,
        target === 'textureCube' ? 'texture2D' : target,
        storage,
        width,
        height,
        depth,
        1,
        false,
      );
      if (!resource) return null;
      image.resource = resource;
    }
    if (!image.resource) {
      image.resource = texture.resource;
      image.resourceLevel = level - texture.resourceFirstLevel;
      image.resourceLayer = face;
    }
  }
  levels[level] = image;
  releaseUnused(texture, before);
  touchTexture(context, texture);
  return { image, reused };
}

/** texStorage: all levels at once, for good. False: no memory or no storage for the format; nothing changed. */
export function defineImmutable(
  context: Context,
  texture: Texture,
  levels: number,
  row: InternalFormatRow,
  width: number,
  height: number,
  depth: number,
): boolean {
  const target = resourceTarget(texture.target);
  const storage = chooseStorage(context.screen, row, target, 1, 'texture');
  const resource = storage && createResource(context, target, storage, width, height, depth, levels, true);
  if (!resource || !storage) return false;
  const before = texture.resources();
  texture.resource = resource;
  texture.resourceFirstLevel = 0;
  texture.immutableLevels = levels;
  texture.images = texture.images.map((_, face) =>
    listOf(levels, (level) => ({
      ...levelOf(resource, level),
      internalFormat: row.internalFormat,
      row,
      storage,
      resource,
      resourceLevel: level,
      resourceLayer: face,
    })),
  );
  releaseUnused(texture, before);
  touchTexture(context, texture);
  return true;
}

function isInMainResource(texture: Texture, image: TextureImage, level: number): boolean {
  return image.resource === texture.resource && image.resourceLevel === level - texture.resourceFirstLevel;
}

/**
 * Brings levels `first`…`last` (of every face, all consistent) into the main resource. False: no memory; the texture is unchanged.
 */
export function finalizeTexture(context: Context, texture: Texture, first: number, last: number): boolean {
  let together = texture.resource !== null;
  for (const levels of texture.images)
    for (let level = first; together && level <= last; level++)
      together = isInMainResource(texture, levels[level]!, level);
  if (together) return true;

  const base = texture.image(0, first)!;
  const target = resourceTarget(texture.target);
  const mipmapped = last > first || usesMipmaps(texture.sampling);
  const count = mipmapped
    ? Math.max(levelsBelow(texture, base.width, base.height, base.depth) + 1, last - first + 1)
    : 1;
  const resource = createResource(context, target, base.storage, base.width, base.height, base.depth, count, false);
  if (!resource) return false;
  const before = texture.resources();
  const moved: { image: TextureImage; level: number; face: number }[] = [];
  for (let face = 0; face < texture.images.length; face++) {
    for (let level = first; level < first + count; level++) {
      const image = texture.image(face, level);
      if (!image?.resource || !fitsBelow(texture, base, image, level - first)) continue;
      moved.push({ image, level, face });
      const layers = target === 'textureCube' ? 1 : image.depth;
      const box = { x: 0, y: 0, z: image.resourceLayer, width: image.width, height: image.height, depth: layers };
      const status = context.pipe.copyRegion(
        resource,
        level - first,
        0,
        0,
        face,
        image.resource,
        image.resourceLevel,
        box,
      );
      if (status === 'ok') continue;
      resource.destroy();
      return false;
    }
  }
  for (const { image, level, face } of moved) {
    image.resource = resource;
    image.resourceLevel = level - first;
    image.resourceLayer = face;
  }
  texture.resource = resource;
  texture.resourceFirstLevel = first;
  releaseUnused(texture, before);
  touchTexture(context, texture);
  return true;
}

/**
 * For generateMipmap: makes levels `first + 1`…`last` images below the base, in the main resource, with contents still to come.
 * False: no memory; the texture is unchanged.
 */
export function reserveMipmaps(context: Context, texture: Texture, first: number, last: number): boolean {
  const base = texture.image(0, first)!;
  const fits =
    texture.resource !== null &&
    first >= texture.resourceFirstLevel &&
    last < texture.resourceFirstLevel + texture.resource.levels;
  const baseInside = texture.images.every((levels) => isInMainResource(texture, levels[first]!, first));
  const before = texture.resources();
  if (!fits || !baseInside) {
    const target = resourceTarget(texture.target);
    const count = levelsBelow(texture, base.width, base.height, base.depth) + 1;
    const resource = createResource(context, target, base.storage, base.width, base.height, base.depth, count, false);
    if (!resource) return false;
    for (let face = 0; face < texture.images.length; face++) {
      const image = texture.image(face, first)!;
      const box = { x: 0, y: 0, z: image.resourceLayer, width: image.width, height: image.height, depth: image.depth };
      if (context.pipe.copyRegion(resource, 0, 0, 0, face, image.resource!, image.resourceLevel, box) === 'ok')
        continue;
      resource.destroy();
      return false;
    }
    texture.images.forEach((levels, face) => {
      Object.assign(levels[first]!, { resource, resourceLevel: 0, resourceLayer: face });
    });
    texture.resource = resource;
    texture.resourceFirstLevel = first;
  }
  const { resource } = texture;
  texture.images.forEach((levels, face) => {
    for (let level = first + 1; level <= last; level++) {
      const steps = level - first;
      levels[level] = {
        width: Math.max(base.width >> steps, 1),
        height: Math.max(base.height >> steps, 1),
        depth: texture.target === GL.TEXTURE_3D ? Math.max(base.depth >> steps, 1) : base.depth,
        internalFormat: base.internalFormat,
        row: base.row,
        storage: base.storage,
        resource,
        resourceLevel: level - texture.resourceFirstLevel,
        resourceLayer: face,
      };
    }
  });
  releaseUnused(texture, before);
  touchTexture(context, texture);
  return true;
}
