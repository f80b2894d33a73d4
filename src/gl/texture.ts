// Calls on texture objects and units: create, delete, bind, activeTexture, and finding the texture that a target names (ES 3.0.6 §3.8.1).

import { GL } from './constants.ts';
import { type Context, textureTargetIndex } from './context.ts';
import { DIRTY } from './dirty.ts';
import { invalidEnum, invalidOperation } from './errors.ts';
import { detachFromBound } from './framebuffer.ts';
import { exchange } from './gl-object.ts';
import { Texture } from './texture-object.ts';

export function createTexture(context: Context): Texture {
  return context.track(new Texture());
}

export function isTexture(texture: Texture): boolean {
  return texture.target !== 0 && !texture.deleted;
}

/** Units fall back to the default texture, bound framebuffers lose the attachment (ES 3.0.6 §3.8.1, §4.4.2.3). */
export function deleteTexture(context: Context, texture: Texture): void {
  if (texture.deleted) return;
  const index = textureTargetIndex(texture.target);
  if (index >= 0) {
    for (const unit of context.textureUnits) {
      if (unit.textures[index] !== texture) continue;
      unit.textures[index] = exchange(context, texture, context.defaultTextures[index]!);
      context.dirty |= DIRTY.TEXTURES;
    }
    detachFromBound(context, texture);
  }
  texture.delete(context);
}

export function activeTexture(context: Context, unit: number): void {
  const index = unit - GL.TEXTURE0;
  if (!(index >= 0 && index < context.textureUnits.length))
    return invalidEnum(context, 'activeTexture', 'texture', unit);
  context.activeTexture = index;
}

/** Place of a texture target in a unit, −1 when this version does not have it. */
function bindableTarget(context: Context, target: number): number {
  const index = textureTargetIndex(target);
  return index >= 2 && context.version === 2 ? -1 : index;
}

/** Null binds the default texture. */
export function bindTexture(context: Context, target: number, texture: Texture | null): void {
  const call = 'bindTexture';
  const index = bindableTarget(context, target);
  if (index < 0) return invalidEnum(context, call, 'target', target);
  if (texture && texture.target === 0) texture.setTarget(target);
  if (texture && texture.target !== target)
    return invalidOperation(context, call, 'the texture was first bound to another target');
  const unit = context.textureUnits[context.activeTexture]!;
  const bound = texture ?? context.defaultTextures[index]!;
  if (unit.textures[index] === bound) return;
  unit.textures[index] = exchange(context, unit.textures[index]!, bound);
  context.dirty |= DIRTY.TEXTURES;
}

/** The texture bound to a target of the active unit; undefined after INVALID_ENUM. */
export function boundTexture(context: Context, call: string, target: number): Texture | undefined {
  const index = bindableTarget(context, target);
  if (index < 0) return invalidEnum(context, call, 'target', target);
  const texture = context.textureUnits[context.activeTexture]!.textures[index]!;
  return isRealTexture(context, call, texture) ? texture : undefined;
}

/** WebGL has no default textures: working on none is an error there (WebGL 1 §5.14.8). */
function isRealTexture(context: Context, call: string, texture: Texture): boolean {
  if (!context.rules.webgl || !context.defaultTextures.includes(texture)) return true;
  invalidOperation(context, call, 'no texture is bound');
  return false;
}

function imageTarget(context: Context, call: string, index: number, face: number): ImageTarget | undefined {
  const texture = context.textureUnits[context.activeTexture]!.textures[index]!;
  return isRealTexture(context, call, texture) ? { texture, face } : undefined;
}

/** The texture and face that an image target names. */
export interface ImageTarget {
  readonly texture: Texture;
  readonly face: number;
}

/** Targets of the 2D image calls: TEXTURE_2D and the six cube faces. Undefined after INVALID_ENUM. */
export function imageTarget2D(context: Context, call: string, target: number): ImageTarget | undefined {
  if (target === GL.TEXTURE_2D) return imageTarget(context, call, 0, 0);
  const face = target - GL.TEXTURE_CUBE_MAP_POSITIVE_X;
  if (face >= 0 && face < 6) return imageTarget(context, call, 1, face);
  return invalidEnum(context, call, 'target', target);
}

/** Targets of the 3D image calls: TEXTURE_3D and TEXTURE_2D_ARRAY. Undefined after INVALID_ENUM. */
export function imageTarget3D(context: Context, call: string, target: number): ImageTarget | undefined {
  if (context.version === 3 && target === GL.TEXTURE_3D) return imageTarget(context, call, 2, 0);
  if (context.version === 3 && target === GL.TEXTURE_2D_ARRAY) return imageTarget(context, call, 3, 0);
  return invalidEnum(context, call, 'target', target);
}
