// texParameter and getTexParameter (ES 3.0.6 §3.8.7, §6.1.3): sampling parameters, levels and swizzles of a texture.

import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import { invalidEnum, invalidOperation, invalidValue } from './errors.ts';
import { getSamplingParameter, isSamplingParameter, setSamplingParameter } from './sampler-state.ts';
import { boundTexture } from './texture.ts';
import type { Texture } from './texture-object.ts';
import { touchTexture } from './texture-storage.ts';

const SWIZZLES: readonly number[] = [GL.RED, GL.GREEN, GL.BLUE, GL.ALPHA, GL.ZERO, GL.ONE];

/** Which of the four swizzles a name means; −1 for any other and for WebGL, which leaves them out. */
function swizzleIndex(context: Context, pname: number): number {
  const index = pname - GL.TEXTURE_SWIZZLE_R;
  return context.version === 3 && !context.rules.webgl && index >= 0 && index < 4 ? index : -1;
}

/** texParameter{i,f}[v]: vectors have one element for every parameter. */
export function texParameter(context: Context, call: string, target: number, pname: number, value: number): void {
  const texture = boundTexture(context, call, target);
  if (!texture) return;
  if (isSamplingParameter(context, pname)) {
    const previous = texture.sampling.version;
    if (setSamplingParameter(context, call, texture.sampling, pname, value) && texture.sampling.version !== previous)
      context.dirty |= DIRTY.TEXTURES;
    return;
  }
  const swizzle = swizzleIndex(context, pname);
  if (swizzle >= 0) {
    const source = Math.round(value);
    if (!SWIZZLES.includes(source)) return invalidEnum(context, call, 'param', source);
    texture.swizzle[swizzle] = source;
    texture.version++;
    context.dirty |= DIRTY.TEXTURES;
    return;
  }
  if (pname === GL.DEPTH_STENCIL_TEXTURE_MODE && context.isEnabled('WEBGL_stencil_texturing')) {
    const mode = Math.round(value);
    if (mode !== GL.DEPTH_COMPONENT && mode !== GL.STENCIL_INDEX) return invalidEnum(context, call, 'param', mode);
    texture.depthStencilMode = mode;
    texture.version++;
    context.dirty |= DIRTY.TEXTURES;
    return;
  }
  if (context.version === 3 && pname === GL.TEXTURE_BASE_LEVEL)
    return setLevel(context, call, texture, 'baseLevel', value);
  if (context.version === 3 && pname === GL.TEXTURE_MAX_LEVEL)
    return setLevel(context, call, texture, 'maxLevel', value);
  invalidEnum(context, call, 'pname', pname);
}

function setLevel(
  context: Context,
  call: string,
  texture: Texture,
  field: 'baseLevel' | 'maxLevel',
  value: number,
): void {
  const level = Math.round(value);
  if (!(level >= 0)) return invalidValue(context, call, `level ${value} is negative`);
  if (texture[field] === level) return;
  texture[field] = level;
  touchTexture(context, texture);
}

/** A number or a boolean; undefined after an error. */
export function getTexParameter(
  context: Context,
  call: string,
  target: number,
  pname: number,
): number | boolean | undefined {
  const texture = boundTexture(context, call, target);
  if (!texture) return undefined;
  if (isSamplingParameter(context, pname)) return getSamplingParameter(context, texture.sampling, pname);
  const swizzle = swizzleIndex(context, pname);
  if (swizzle >= 0) return texture.swizzle[swizzle];
  if (pname === GL.DEPTH_STENCIL_TEXTURE_MODE && context.isEnabled('WEBGL_stencil_texturing'))
    return texture.depthStencilMode;
  if (context.version === 3) {
    if (pname === GL.TEXTURE_BASE_LEVEL) return texture.baseLevel;
    if (pname === GL.TEXTURE_MAX_LEVEL) return texture.maxLevel;
    if (pname === GL.TEXTURE_IMMUTABLE_LEVELS) return texture.immutableLevels;
  }
  if (pname === GL.TEXTURE_IMMUTABLE_FORMAT && (context.version === 3 || context.extensions.has('EXT_texture_storage')))
    return texture.immutableLevels > 0;
  return invalidEnum(context, call, 'pname', pname);
}

/** Rejects a change of images that texStorage fixed. False after an error. */
export function checkMutable(context: Context, call: string, texture: Texture): boolean {
  if (texture.immutableLevels === 0) return true;
  invalidOperation(context, call, 'the texture was made by texStorage and is immutable');
  return false;
}
