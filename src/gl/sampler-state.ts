// Sampling parameters, which texture and sampler objects share (ES 3.0.6 table 3.19): their table, setters, getters and the pipe's description.

import type { CompareFunction, TextureWrap } from '../pipe/defines.ts';
import type { SamplerDescription, SamplerState } from '../pipe/state.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { accepts, COMPARE_FUNCTIONS, type EnumTable, enumTable, toPipe } from './enums.table.ts';
import { invalidEnum, invalidValue } from './errors.ts';

export interface SamplingState {
  minFilter: number;
  magFilter: number;
  wrapS: number;
  wrapT: number;
  wrapR: number;
  minLod: number;
  maxLod: number;
  compareMode: number;
  compareFunc: number;
  maxAnisotropy: number;
  /** Grows with every change, so that what was derived from it can be kept. */
  version: number;
  /** The pipe objects of this state, by what the texture adds; see `pipeSamplerState`. */
  readonly pipeStates: (SamplerState | undefined)[];
}

export function createSamplingState(): SamplingState {
  return {
    minFilter: GL.NEAREST_MIPMAP_LINEAR,
    magFilter: GL.LINEAR,
    wrapS: GL.REPEAT,
    wrapT: GL.REPEAT,
    wrapR: GL.REPEAT,
    minLod: -1000,
    maxLod: 1000,
    compareMode: GL.NONE,
    compareFunc: GL.LEQUAL,
    maxAnisotropy: 1,
    version: 0,
    pipeStates: [],
  };
}

interface MinFilter {
  readonly texel: 'nearest' | 'linear';
  readonly mip: 'none' | 'nearest' | 'linear';
}

const MIN_FILTERS = enumTable<MinFilter>([
  [GL.NEAREST, { texel: 'nearest', mip: 'none' }],
  [GL.LINEAR, { texel: 'linear', mip: 'none' }],
  [GL.NEAREST_MIPMAP_NEAREST, { texel: 'nearest', mip: 'nearest' }],
  [GL.LINEAR_MIPMAP_NEAREST, { texel: 'linear', mip: 'nearest' }],
  [GL.NEAREST_MIPMAP_LINEAR, { texel: 'nearest', mip: 'linear' }],
  [GL.LINEAR_MIPMAP_LINEAR, { texel: 'linear', mip: 'linear' }],
]);

const MAG_FILTERS = enumTable<'nearest' | 'linear'>([
  [GL.NEAREST, 'nearest'],
  [GL.LINEAR, 'linear'],
]);

const WRAPS = enumTable<TextureWrap>([
  [GL.REPEAT, 'repeat'],
  [GL.CLAMP_TO_EDGE, 'clampToEdge'],
  [GL.MIRRORED_REPEAT, 'mirroredRepeat'],
  [GL.MIRROR_CLAMP_TO_EDGE_EXT, 'mirrorClampToEdge', null, 'EXT_texture_mirror_clamp_to_edge'],
]);

const COMPARE_MODES = enumTable<boolean>([
  [GL.NONE, false],
  [GL.COMPARE_REF_TO_TEXTURE, true],
]);

type NumericField =
  | 'minFilter'
  | 'magFilter'
  | 'wrapS'
  | 'wrapT'
  | 'wrapR'
  | 'minLod'
  | 'maxLod'
  | 'compareMode'
  | 'compareFunc'
  | 'maxAnisotropy';

interface SamplingParameter {
  readonly field: NumericField;
  /** Accepted values of an enum parameter; null: a float. */
  readonly values: EnumTable<unknown> | null;
  readonly version: 2 | 3;
  readonly extension?: 'EXT_texture_filter_anisotropic';
}

const PARAMETERS = new Map<number, SamplingParameter>([
  [GL.TEXTURE_MIN_FILTER, { field: 'minFilter', values: MIN_FILTERS, version: 2 }],
  [GL.TEXTURE_MAG_FILTER, { field: 'magFilter', values: MAG_FILTERS, version: 2 }],
  [GL.TEXTURE_WRAP_S, { field: 'wrapS', values: WRAPS, version: 2 }],
  [GL.TEXTURE_WRAP_T, { field: 'wrapT', values: WRAPS, version: 2 }],
  [GL.TEXTURE_WRAP_R, { field: 'wrapR', values: WRAPS, version: 3 }],
  [GL.TEXTURE_MIN_LOD, { field: 'minLod', values: null, version: 3 }],
  [GL.TEXTURE_MAX_LOD, { field: 'maxLod', values: null, version: 3 }],
  [GL.TEXTURE_COMPARE_MODE, { field: 'compareMode', values: COMPARE_MODES, version: 3 }],
  [GL.TEXTURE_COMPARE_FUNC, { field: 'compareFunc', values: COMPARE_FUNCTIONS, version: 3 }],
  [
    GL.TEXTURE_MAX_ANISOTROPY_EXT,
    { field: 'maxAnisotropy', values: null, version: 2, extension: 'EXT_texture_filter_anisotropic' },
  ],
]);

function findParameter(context: Context, pname: number): SamplingParameter | undefined {
  const parameter = PARAMETERS.get(pname);
  if (!parameter || parameter.version > context.version) return undefined;
  if (parameter.extension && !context.extensions.has(parameter.extension)) return undefined;
  return parameter;
}

export function isSamplingParameter(context: Context, pname: number): boolean {
  return findParameter(context, pname) !== undefined;
}

/** Sets one parameter after `isSamplingParameter`; false when an error was recorded. */
export function setSamplingParameter(
  context: Context,
  call: string,
  state: SamplingState,
  pname: number,
  value: number,
): boolean {
  const parameter = findParameter(context, pname);
  if (!parameter) {
    invalidEnum(context, call, 'pname', pname);
    return false;
  }
  let stored = Math.fround(value);
  if (parameter.values) {
    stored = Math.round(value);
    if (!accepts(context, parameter.values, stored)) {
      invalidEnum(context, call, 'param', stored);
      return false;
    }
  } else if (parameter.field === 'maxAnisotropy' && !(stored >= 1)) {
    invalidValue(context, call, `an anisotropy of ${value} is below 1`);
    return false;
  }
  if (state[parameter.field] !== stored) {
    state[parameter.field] = stored;
    state.version++;
    state.pipeStates.length = 0;
  }
  return true;
}

export function getSamplingParameter(context: Context, state: SamplingState, pname: number): number | undefined {
  const parameter = findParameter(context, pname);
  return parameter && state[parameter.field];
}

export function usesMipmaps(state: SamplingState): boolean {
  return toPipe(MIN_FILTERS, state.minFilter).mip !== 'none';
}

/** Some filter blends texels or levels. NEAREST_MIPMAP_NEAREST does not (ES 3.0.6 §3.8.13). */
export function usesLinearFilter(state: SamplingState): boolean {
  return (
    state.magFilter !== GL.NEAREST || (state.minFilter !== GL.NEAREST && state.minFilter !== GL.NEAREST_MIPMAP_NEAREST)
  );
}

function describe(context: Context, state: SamplingState, compares: boolean): SamplerDescription {
  const min = toPipe(MIN_FILTERS, state.minFilter);
  const compare: CompareFunction | null =
    compares && state.compareMode !== GL.NONE ? toPipe(COMPARE_FUNCTIONS, state.compareFunc) : null;
  return {
    wrapS: toPipe(WRAPS, state.wrapS),
    wrapT: toPipe(WRAPS, state.wrapT),
    wrapR: toPipe(WRAPS, state.wrapR),
    minFilter: min.texel,
    magFilter: toPipe(MAG_FILTERS, state.magFilter),
    mipFilter: min.mip,
    compare,
    lodBias: 0,
    minLod: state.minLod,
    maxLod: state.maxLod,
    maxAnisotropy: Math.min(state.maxAnisotropy, Math.max(context.limits.maxAnisotropy, 1)),
    seamlessCube: context.version === 3 && context.screen.caps.seamlessCube,
    borderColor: [0, 0, 0, 0],
  };
}

/** The pipe's sampler state. `compares`: the texture has depth, so that the compare mode counts. */
export function pipeSamplerState(context: Context, state: SamplingState, compares: boolean): SamplerState {
  const slot = compares ? 1 : 0;
  return (state.pipeStates[slot] ??= context.pipeState.states.sampler(describe(context, state, compares)));
}
