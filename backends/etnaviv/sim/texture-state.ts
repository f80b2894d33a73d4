// What a texture unit is told: by states (TE before HALTI1, NTE from then on) or by a descriptor in memory (HALTI5).

import type { CoreFacts } from '../hwdb/derived.ts';
import { fieldOf, REGISTERS } from '../registers/registers.ts';
import type { GpuMemory } from './memory.ts';
import type { GpuState } from './state.ts';

export interface TextureStatus {
  readonly statusAddress: number;
  readonly tileBytes: number;
  readonly clearValue: readonly [number, number];
}

/** One unit, in the hardware's codes. */
export interface TextureState {
  readonly type: number;
  readonly format: number;
  readonly formatExt: number;
  readonly width: number;
  readonly height: number;
  /** Of 3D textures; layers of arrays. */
  readonly depth: number;
  readonly isArray: boolean;
  readonly isLinear: boolean;
  readonly halign: number;
  readonly swizzle: readonly [number, number, number, number];
  readonly isSrgb: boolean;
  readonly seamless: boolean;
  readonly isSignedInteger: boolean;
  /** GPU addresses by level; the list ends at the first level that is not there. */
  readonly levels: readonly number[];
  readonly linearStride: number;
  readonly wrap: readonly [number, number, number];
  /** Words of the border colour; null: no state is known that has one. */
  readonly border: readonly [number, number, number, number] | null;
  readonly minFilter: number;
  readonly magFilter: number;
  readonly mipFilter: number;
  readonly minLod: number;
  readonly maxLod: number;
  readonly lodBias: number;
  /** TEXTURE_COMPARE_FUNC, or null. */
  readonly compare: number | null;
  readonly readsStencil: boolean;
  readonly astcFormat: number;
  readonly status: TextureStatus | null;
}

const MAX_LEVELS = 14;
const LINEAR_ADDRESSING = 3;
const DESCRIPTOR_BYTES = 256;
/** Words of a texture descriptor. */
const DESCRIPTOR = {
  levels: 0,
  config0: 0x40 / 4,
  size: 0x44 / 4,
  linearStride: 0x48 / 4,
  config1: 0x4c / 4,
  astc0: 0x58 / 4,
  baseLod: 0x68 / 4,
  config2: 0x6c / 4,
  config3d: 0x84 / 4,
  logSize: 0x88 / 4,
  border: 0x8c / 4,
} as const;

const R = REGISTERS;

/** 5.5 fixed point of ten bits. */
const lod5 = (bits: number): number => bits / 32;
const signed = (value: number, bits: number): number => (value << (32 - bits)) >> (32 - bits);

/** Levels that the largest level of detail reaches; addresses behind them may be those of an earlier texture. */
function levelsInReach({ mipFilter, maxLod }: Pick<TextureState, 'mipFilter' | 'maxLod'>): number {
  return mipFilter === 0 ? 1 : Math.ceil(maxLod) + 1;
}

export class TextureStateReader {
  private readonly state: GpuState;
  private readonly memory: GpuMemory;
  private readonly facts: CoreFacts;

  constructor(state: GpuState, memory: GpuMemory, facts: CoreFacts) {
    this.state = state;
    this.memory = memory;
    this.facts = facts;
  }

  get units(): number {
    const { facts } = this;
    return facts.hasTextureDescriptors ? 128 : facts.halti >= 1 ? 32 : 12;
  }

  /** Null where nothing is bound. */
  read(unit: number): TextureState | null {
    if (unit < 0 || unit >= this.units) return null;
    if (this.facts.hasTextureDescriptors) return this.readDescriptor(unit);
    return this.facts.halti >= 1 ? this.readNewStates(unit) : this.readOldStates(unit);
  }

  private readOldStates(unit: number): TextureState | null {
    const { state } = this;
    const config0 = state.word(R.TE_SAMPLER_CONFIG0, unit);
    if ((config0 & 7) === 0) return null;
    const sampling = this.sampling(
      config0,
      state.word(R.TE_SAMPLER_3D_CONFIG, unit),
      state.word(R.TE_SAMPLER_LOD_CONFIG, unit),
    );
    return {
      ...this.common(
        config0,
        state.word(R.TE_SAMPLER_CONFIG1, unit),
        state.word(R.TE_SAMPLER_SIZE, unit),
        state.word(R.TE_SAMPLER_LOG_SIZE, unit),
        state.word(R.TE_SAMPLER_3D_CONFIG, unit),
      ),
      ...sampling,
      levels: this.levelList((level) => state.word(R.TE_SAMPLER_LOD_ADDR, unit, level), levelsInReach(sampling)),
      linearStride: state.word(R.TE_SAMPLER_LINEAR_STRIDE, unit, 0),
      compare: null,
      border: null,
      seamless: state.field(R.TE_SAMPLER_CONFIG1, 'SEAMLESS_CUBE_MAP', unit) !== 0,
      isSignedInteger: false,
      readsStencil: false,
      astcFormat: state.word(R.TE_SAMPLER_ASTC0, unit) & 15,
      status: null,
    };
  }

  private readNewStates(unit: number): TextureState | null {
    const { state } = this;
    const config0 = state.word(R.NTE_SAMPLER_CONFIG0, unit);
    if ((config0 & 7) === 0) return null;
    const base = state.word(R.NTE_SAMPLER_BASELOD, unit);
    const compares = fieldOf(R.NTE_SAMPLER_BASELOD, 'COMPARE_ENABLE', base) !== 0;
    const sampling = this.sampling(
      config0,
      state.word(R.NTE_SAMPLER_3D_CONFIG, unit),
      state.word(R.NTE_SAMPLER_LOD_CONFIG, unit),
    );
    return {
      ...this.common(
        config0,
        state.word(R.NTE_SAMPLER_CONFIG1, unit),
        state.word(R.NTE_SAMPLER_SIZE, unit),
        state.word(R.NTE_SAMPLER_LOG_SIZE, unit),
        state.word(R.NTE_SAMPLER_3D_CONFIG, unit),
      ),
      ...sampling,
      levels: this.levelList((level) => state.word(R.NTE_SAMPLER_ADDR_LOD, unit, level), levelsInReach(sampling)),
      linearStride: state.word(R.NTE_SAMPLER_LINEAR_STRIDE, unit),
      compare: compares ? fieldOf(R.NTE_SAMPLER_BASELOD, 'COMPARE_FUNC', base) : null,
      border: null,
      seamless: state.field(R.NTE_SAMPLER_CONFIG1, 'SEAMLESS_CUBE_MAP', unit) !== 0,
      isSignedInteger: false,
      readsStencil: false,
      astcFormat: state.word(R.NTE_SAMPLER_ASTC0, unit) & 15,
      status: this.status(unit),
    };
  }

  /** Fields that stand in the same words in states and descriptors. */
  private common(config0: number, config1: number, size: number, logSize: number, config3d: number) {
    const one = R.TE_SAMPLER_CONFIG1;
    return {
      type: fieldOf(R.TE_SAMPLER_CONFIG0, 'TYPE', config0),
      format: fieldOf(R.TE_SAMPLER_CONFIG0, 'FORMAT', config0),
      formatExt: fieldOf(one, 'FORMAT_EXT', config1),
      width: Math.max(1, size & 0xffff),
      height: Math.max(1, size >>> 16),
      depth: Math.max(1, fieldOf(R.TE_SAMPLER_3D_CONFIG, 'DEPTH', config3d)),
      isArray: fieldOf(one, 'TEXTURE_ARRAY', config1) !== 0,
      isLinear: fieldOf(R.TE_SAMPLER_CONFIG0, 'ADDRESSING_MODE', config0) === LINEAR_ADDRESSING,
      halign: fieldOf(one, 'HALIGN', config1),
      swizzle: [
        fieldOf(one, 'SWIZZLE_R', config1),
        fieldOf(one, 'SWIZZLE_G', config1),
        fieldOf(one, 'SWIZZLE_B', config1),
        fieldOf(one, 'SWIZZLE_A', config1),
      ] as const,
      isSrgb: fieldOf(R.TE_SAMPLER_LOG_SIZE, 'SRGB', logSize) !== 0,
    };
  }

  private sampling(config0: number, config3d: number, lod: number) {
    const zero = R.TE_SAMPLER_CONFIG0;
    const lodRegister = R.TE_SAMPLER_LOD_CONFIG;
    return {
      wrap: [
        fieldOf(zero, 'UWRAP', config0),
        fieldOf(zero, 'VWRAP', config0),
        fieldOf(R.TE_SAMPLER_3D_CONFIG, 'WRAP', config3d),
      ] as const,
      minFilter: fieldOf(zero, 'MIN', config0),
      magFilter: fieldOf(zero, 'MAG', config0),
      mipFilter: fieldOf(zero, 'MIP', config0),
      minLod: lod5(fieldOf(lodRegister, 'MIN', lod)),
      maxLod: lod5(fieldOf(lodRegister, 'MAX', lod)),
      lodBias: fieldOf(lodRegister, 'BIAS_ENABLE', lod) ? lod5(signed(fieldOf(lodRegister, 'BIAS', lod), 10)) : 0,
    };
  }

  private levelList(address: (level: number) => number, limit = MAX_LEVELS): number[] {
    const levels: number[] = [];
    for (let level = 0; level < Math.min(limit, MAX_LEVELS); level++) {
      const at = address(level);
      if (at === 0 || !this.memory.find(at)) break;
      levels.push(at);
    }
    return levels;
  }

  private status(index: number): TextureStatus | null {
    const { state } = this;
    // There are eight.
    if (index >= 8 || !state.field(R.TS_SAMPLER_CONFIG, 'ENABLE', index)) return null;
    return {
      statusAddress: state.word(R.TS_SAMPLER_STATUS_BASE, index),
      tileBytes: 64,
      clearValue: [state.word(R.TS_SAMPLER_CLEAR_VALUE, index), state.word(R.TS_SAMPLER_CLEAR_VALUE2, index)],
    };
  }

  private readDescriptor(unit: number): TextureState | null {
    const { state, memory } = this;
    const gpuAddress = state.word(R.NTE_DESCRIPTOR_ADDR, unit);
    if (gpuAddress === 0) return null;
    const { address, available } = memory.resolveRange(gpuAddress, `texture descriptor ${unit}`);
    const { u32 } = memory.raster;
    const words = Math.min(DESCRIPTOR_BYTES, available) / 4;
    const word = (index: number) => (index < words ? u32[(address >>> 2) + index]! : 0);
    const config0 = word(DESCRIPTOR.config0);
    if ((config0 & 7) === 0) return null;
    const control = state.word(R.NTE_DESCRIPTOR_SAMP_CTRL0, unit);
    const samp = R.NTE_DESCRIPTOR_SAMP_CTRL0;
    const minmax = state.word(R.NTE_DESCRIPTOR_SAMP_LOD_MINMAX, unit);
    const bias = state.word(R.NTE_DESCRIPTOR_SAMP_LOD_BIAS, unit);
    const tx = state.word(R.NTE_DESCRIPTOR_TX_CTRL, unit);
    const config2 = word(DESCRIPTOR.config2);
    const control1 = state.word(R.NTE_DESCRIPTOR_SAMP_CTRL1, unit);
    let status: TextureStatus | null = null;
    if (fieldOf(R.NTE_DESCRIPTOR_TX_CTRL, 'TS_ENABLE', tx)) {
      const found = this.status(fieldOf(R.NTE_DESCRIPTOR_TX_CTRL, 'TS_INDEX', tx));
      const mode = fieldOf(R.NTE_DESCRIPTOR_TX_CTRL, 'TS_MODE', tx);
      status = found && { ...found, tileBytes: mode ? 256 : 128 };
    }
    const common = this.common(
      config0,
      word(DESCRIPTOR.config1),
      word(DESCRIPTOR.size),
      word(DESCRIPTOR.logSize),
      word(DESCRIPTOR.config3d),
    );
    return {
      ...common,
      isSrgb: common.isSrgb || fieldOf(R.NTE_DESCRIPTOR_SAMP_CTRL1, 'SRGB', control1) !== 0,
      wrap: [fieldOf(samp, 'UWRAP', control), fieldOf(samp, 'VWRAP', control), fieldOf(samp, 'WWRAP', control)],
      minFilter: fieldOf(samp, 'MIN', control),
      magFilter: fieldOf(samp, 'MAG', control),
      mipFilter: fieldOf(samp, 'MIP', control),
      // 8.8 fixed point.
      minLod: (minmax >>> 16) / 256,
      maxLod: (minmax & 0xffff) / 256,
      lodBias: fieldOf(R.NTE_DESCRIPTOR_SAMP_LOD_BIAS, 'ENABLE', bias) ? signed(bias & 0xffff, 16) / 256 : 0,
      // Sizes in a descriptor are those of its base level.
      levels: this.levelList((level) => word(DESCRIPTOR.levels + level)).slice(
        fieldOf(R.NTE_SAMPLER_BASELOD, 'BASELOD', word(DESCRIPTOR.baseLod)),
        fieldOf(R.NTE_SAMPLER_BASELOD, 'MAXLOD', word(DESCRIPTOR.baseLod)) + 1,
      ),
      linearStride: word(DESCRIPTOR.linearStride),
      compare: fieldOf(samp, 'COMPARE_ENABLE', control) ? fieldOf(samp, 'COMPARE_FUNC', control) : null,
      border: [0, 1, 2, 3].map((channel) => word(DESCRIPTOR.border + channel)) as [number, number, number, number],
      seamless: ((word(DESCRIPTOR.config1) >>> 25) & 1) !== 0,
      isSignedInteger: ((config2 >>> 18) & 3) !== 0,
      readsStencil: fieldOf(samp, 'DEPTH_STENCIL_MODE', control) !== 0,
      astcFormat: word(DESCRIPTOR.astc0) & 15,
      status,
    };
  }
}
