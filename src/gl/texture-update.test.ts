import { beforeEach, describe, expect, it } from 'vitest';
import type { NullContext } from '../../backends/null/context.ts';
import { NullScreen } from '../../backends/null/screen.ts';
import type { LinkedProgram } from '../glsl/link-result.ts';
import { GL } from './constants.ts';
import { Context, type ContextOptions, WEBGL_RULES } from './context.ts';
import { DIRTY, DIRTY_ALL } from './dirty.ts';
import { getError } from './errors.ts';
import { bindFramebuffer, createFramebuffer, framebufferTexture2D } from './framebuffer.ts';
import type { Executable } from './program-executable.ts';
import { bindSampler, createSampler, samplerParameter } from './sampler.ts';
import { updateState } from './state-update.ts';
import { bindTexture, createTexture } from './texture.ts';
import { texImage2D } from './texture-image.ts';
import type { Texture } from './texture-object.ts';
import { texParameter } from './texture-parameter.ts';
import { checkDrawTextures } from './texture-update.ts';

const framebuffer = { width: 4, height: 4, alpha: true, depth: false, stencil: false, samples: 0 };

let context: Context;

/** A context whose program reads one sampler of this type from unit 0 in its fragment shader. */
function open(samplerType: number, options: Partial<ContextOptions> = {}): void {
  context = new Context(new NullScreen(), { version: 3, framebuffer, ...options });
  const stage = (samplers: number[]) => ({ samplers });
  const linked = {
    vertex: stage([]),
    fragment: stage([0]),
    samplerElements: [{ uniform: 0, element: 0, type: samplerType }],
    attributes: [],
  } as unknown as LinkedProgram;
  const executable = { linked, samplerUnits: new Int32Array(1) } as unknown as Executable;
  context.pipeState.executable = executable;
  context.program = { executable } as unknown as Context['program'];
}
beforeEach(() => open(GL.SAMPLER_2D));

function texture2D(
  internal: number = GL.RGBA8,
  format: number = GL.RGBA,
  type: number = GL.UNSIGNED_BYTE,
  size = 4,
): Texture {
  const texture = createTexture(context);
  bindTexture(context, GL.TEXTURE_2D, texture);
  texImage2D(context, GL.TEXTURE_2D, 0, internal, size, size, 0, format, type, null);
  return texture;
}

function setFilters(filter: number): void {
  for (const pname of [GL.TEXTURE_MIN_FILTER, GL.TEXTURE_MAG_FILTER])
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, pname, filter);
}

function bound() {
  updateState(context, DIRTY.FRAMEBUFFER | DIRTY.TEXTURES);
  const { samplerViews, samplers } = (context.pipe as NullContext).record;
  return { view: samplerViews.fragment[0]!, state: samplers.fragment[0]!.description };
}

describe('sampler views', () => {
  it('show the complete levels of a texture', () => {
    const texture = texture2D();
    setFilters(GL.LINEAR);
    const { view, state } = bound();
    expect(view).toMatchObject({
      resource: texture.resource,
      firstLevel: 0,
      lastLevel: 0,
      swizzle: ['x', 'y', 'z', 'w'],
    });
    expect(state).toMatchObject({
      minFilter: 'linear',
      magFilter: 'linear',
      mipFilter: 'none',
      wrapS: 'repeat',
      compare: null,
    });
    expect(bound().view).toBe(view);
  });

  it('show black with alpha one for incomplete textures', () => {
    texture2D();
    const { view, state } = bound();
    expect(view).toMatchObject({ swizzle: ['x', 'x', 'x', '1'], resource: { width: 1, height: 1 } });
    expect(state.minFilter).toBe('nearest');
    texture2D(GL.RGBA8UI, GL.RGBA_INTEGER);
    setFilters(GL.NEAREST);
    expect(bound().view).toMatchObject({ resource: { width: 1 }, swizzle: ['x', 'x', 'x', '1'] });
  });

  it('follow swizzle, base level and the luminance of GLES 2', () => {
    texture2D();
    setFilters(GL.NEAREST);
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_SWIZZLE_R, GL.ALPHA);
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_SWIZZLE_G, GL.ONE);
    texImage2D(context, GL.TEXTURE_2D, 1, GL.RGBA8, 2, 2, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_BASE_LEVEL, 1);
    expect(bound().view).toMatchObject({ firstLevel: 1, lastLevel: 1, swizzle: ['w', '1', 'z', 'w'] });
    open(GL.SAMPLER_2D, { version: 2, enableAllExtensions: true });
    texture2D(GL.DEPTH_COMPONENT, GL.DEPTH_COMPONENT, GL.UNSIGNED_SHORT);
    setFilters(GL.NEAREST);
    expect(bound().view).toMatchObject({ aspect: 'depth', swizzle: ['x', 'x', 'x', '1'] });
  });

  it('take their parameters from a sampler object', () => {
    texture2D();
    const sampler = createSampler(context);
    bindSampler(context, 0, sampler);
    samplerParameter(context, 'samplerParameteri', sampler, GL.TEXTURE_MIN_FILTER, GL.NEAREST);
    samplerParameter(context, 'samplerParameteri', sampler, GL.TEXTURE_WRAP_T, GL.CLAMP_TO_EDGE);
    expect(bound().state).toMatchObject({ minFilter: 'nearest', mipFilter: 'none', wrapT: 'clampToEdge' });
    samplerParameter(context, 'samplerParameteri', sampler, GL.TEXTURE_WRAP_T, GL.REPEAT);
    expect(bound().state.wrapT).toBe('repeat');
  });

  it('compare only for shadow samplers on depth textures with a compare mode', () => {
    open(GL.SAMPLER_2D_SHADOW);
    texture2D(GL.DEPTH_COMPONENT24, GL.DEPTH_COMPONENT, GL.UNSIGNED_INT);
    setFilters(GL.LINEAR);
    expect(bound().state.compare).toBe('never');
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_COMPARE_MODE, GL.COMPARE_REF_TO_TEXTURE);
    texParameter(context, 'texParameteri', GL.TEXTURE_2D, GL.TEXTURE_COMPARE_FUNC, GL.GREATER);
    expect(bound().state.compare).toBe('greater');
  });

  it('take an attached level with them when levels come together', () => {
    const texture = texture2D();
    setFilters(GL.NEAREST);
    texImage2D(context, GL.TEXTURE_2D, 2, GL.RGBA8, 1, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
    texImage2D(context, GL.TEXTURE_2D, 1, GL.RGBA8, 2, 2, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
    bindFramebuffer(context, GL.FRAMEBUFFER, createFramebuffer(context));
    framebufferTexture2D(context, GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, texture, 1);
    bound();
    const surface = (context.pipe as NullContext).record.framebuffer!.colors[0]!;
    expect(surface).toMatchObject({ resource: texture.resource, level: 1 });
    expect(context.dirty & (DIRTY.TEXTURES | DIRTY.FRAMEBUFFER)).toBe(0);
  });
});

describe('draws in WebGL', () => {
  const check = (): number => {
    context.dirty = DIRTY_ALL;
    checkDrawTextures(context, 'drawArrays');
    return getError(context);
  };

  it('may not sample what they draw to', () => {
    open(GL.SAMPLER_2D, { rules: WEBGL_RULES });
    const texture = texture2D();
    setFilters(GL.NEAREST);
    expect(check()).toBe(GL.NO_ERROR);
    bindFramebuffer(context, GL.FRAMEBUFFER, createFramebuffer(context));
    framebufferTexture2D(context, GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, texture, 0);
    expect(check()).toBe(GL.INVALID_OPERATION);
    bindTexture(context, GL.TEXTURE_2D, null);
    expect(check()).toBe(GL.NO_ERROR);
  });

  it('need samplers of the texture kind', () => {
    open(GL.SAMPLER_2D, { rules: WEBGL_RULES });
    texture2D(GL.RGBA8UI, GL.RGBA_INTEGER);
    setFilters(GL.NEAREST);
    expect(check()).toBe(GL.INVALID_OPERATION);
  });
});
