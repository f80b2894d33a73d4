// Sampler views and the words that tell a texture unit of them: by states (TE, NTE) or by a descriptor in memory (HALTI5).

import { formatDescription, linearFormat } from '../../../src/format/format.ts';
import type { SamplerView, SamplerViewTemplate, Swizzle } from '../../../src/pipe/pipe.ts';
import { ENUMS } from '../registers/enums.table.ts';
import { packFields, REGISTERS, type Register } from '../registers/registers.ts';
import type { BufferObject } from '../winsys/winsys.ts';
import type { CommandStream } from './command-stream.ts';
import { formatRow } from './formats.table.ts';
import { type EtnavivResource, layerOffsets } from './resource.ts';
import type { EtnavivScreen } from './screen.ts';
import { isNativeOrder } from './shared.ts';
import type { EtnavivSampler } from './state-objects.ts';
import type { TileStatus } from './tile-status.ts';

const R = REGISTERS;
const TYPE = ENUMS.TEXTURE_TYPE;
const HALIGN = ENUMS.TEXTURE_HALIGN;
const SWIZZLE = ENUMS.TEXTURE_SWIZZLE;
const DESCRIPTOR_BYTES = 256;
const MAX_LEVELS = 14;

const CHANNELS: Readonly<Record<string, number>> = {
  x: SWIZZLE.RED,
  y: SWIZZLE.GREEN,
  z: SWIZZLE.BLUE,
  w: SWIZZLE.ALPHA,
  '0': SWIZZLE.ZERO,
  '1': SWIZZLE.ONE,
};

/** log2 as 5.5 fixed point. */
const log2Fixed = (value: number): number => Math.round(Math.log2(value) * 32) & 0x3ff;
const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);
const lod5 = (value: number): number => Math.round(clamp(value, 0, 31) * 32) & 0x3ff;

export class EtnavivSamplerView implements SamplerView {
  readonly resource: EtnavivResource;
  readonly target: SamplerViewTemplate['target'];
  readonly format: SamplerViewTemplate['format'];
  readonly aspect: SamplerViewTemplate['aspect'];
  readonly firstLevel: number;
  readonly lastLevel: number;
  readonly firstLayer: number;
  readonly lastLayer: number;
  readonly swizzle: SamplerViewTemplate['swizzle'];
  /** Level 0 of the view, in texels. */
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** For memory as the pixel engine writes it. */
  readonly config0: number;
  /** For memory that has red first; the same where there is no difference. */
  readonly config0Native: number;
  /** Bytes of a row of linear memory, else 0. */
  readonly linearStride: number;
  readonly config1: number;
  readonly isSrgb: boolean;
  readonly isInteger: boolean;
  readonly isSigned: boolean;
  readonly #screen: EtnavivScreen;
  /** Without and with seamless cube filtering: the sampler decides, but the bit stands here. */
  #descriptors: [BufferObject | null, BufferObject | null] = [null, null];
  #descriptorOf: BufferObject | null = null;
  #descriptorIsNative = false;

  constructor(screen: EtnavivScreen, template: SamplerViewTemplate) {
    this.#screen = screen;
    this.resource = template.resource as EtnavivResource;
    this.target = template.target;
    this.format = template.format;
    this.aspect = template.aspect;
    this.firstLevel = template.firstLevel;
    this.lastLevel = template.lastLevel;
    this.firstLayer = template.firstLayer;
    this.lastLayer = template.lastLayer;
    this.swizzle = template.swizzle;
    const { resource, target, firstLevel } = this;
    this.width = Math.max(1, resource.width >> firstLevel);
    this.height = Math.max(1, resource.height >> firstLevel);
    const layers = template.lastLayer - template.firstLayer + 1;
    this.depth =
      target === 'texture3D' ? Math.max(1, resource.depth >> firstLevel) : target === 'texture2DArray' ? layers : 1;
    const row = formatRow(template.format);
    if (!row?.texture) throw new Error(`${screen.name}: no sampler reads ${template.format}`);
    this.isSrgb = row.isSrgb;
    this.isInteger = row.isInteger;
    this.isSigned = formatDescription(template.format).numericClass === 'int';
    const { layout } = resource.base;
    const isLinear = layout.tiling === 'linear' && !formatDescription(linearFormat(template.format)).isCompressed;
    this.linearStride = isLinear ? layout.levels[firstLevel]!.strideBytes : 0;
    const { code } = row.texture;
    const config0 = (FORMAT: number): number =>
      packFields(R.TE_SAMPLER_CONFIG0, {
        TYPE: target === 'texture3D' ? TYPE['3D'] : target === 'textureCube' ? TYPE.CUBE_MAP : TYPE['2D'],
        FORMAT,
        ADDRESSING_MODE: isLinear ? ENUMS.TEXTURE_ADDRESSING_MODE.LINEAR : ENUMS.TEXTURE_ADDRESSING_MODE.TILED,
      });
    this.config0 = config0(code);
    this.config0Native = config0(row.nativeTextureCode ?? code);
    const channel = (place: 0 | 1 | 2 | 3): number => this.#channel(template.swizzle[place], row.swizzle);
    this.config1 = packFields(R.TE_SAMPLER_CONFIG1, {
      FORMAT_EXT: row.texture.ext,
      SWIZZLE_R: channel(0),
      SWIZZLE_G: channel(1),
      SWIZZLE_B: channel(2),
      SWIZZLE_A: channel(3),
      TEXTURE_ARRAY: target === 'texture2DArray',
      HALIGN: layout.tiling === 'supertiled' ? HALIGN.SUPER_TILED : HALIGN.SIXTEEN,
    });
  }

  /** The view's swizzle over that of the format. */
  #channel(name: Swizzle, formatSwizzle: string): number {
    const place = 'xyzw'.indexOf(name);
    return CHANNELS[place < 0 ? name : formatSwizzle[place]!]!;
  }

  destroy(): void {
    for (const buffer of this.#descriptors) if (buffer) this.#screen.releaseBuffer(buffer);
    this.#descriptors = [null, null];
  }

  levelOffset(level: number): number {
    return layerOffsets(this.resource.base, this.firstLevel + level, this.firstLayer)[0]!;
  }

  /** Red stands first in the memory now, as others have it. */
  get isNative(): boolean {
    return this.resource.isShared && isNativeOrder(this.resource);
  }

  get levelCount(): number {
    return Math.min(this.lastLevel - this.firstLevel + 1, MAX_LEVELS);
  }

  /** The view's words in memory, or null when there is none. Written once for each buffer that the resource has had. */
  descriptor(seamless: boolean): BufferObject | null {
    const { buffer } = this.resource.base;
    const { isNative } = this;
    const isCurrent = this.#descriptorOf === buffer && this.#descriptorIsNative === isNative;
    const known = this.#descriptors[Number(seamless) as 0 | 1];
    if (known && isCurrent) return known;
    if (!isCurrent) this.destroy();
    const made = this.#screen.createBuffer(DESCRIPTOR_BYTES);
    if (!made) return null;
    const bytes = made.map();
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, DESCRIPTOR_BYTES / 4);
    const { levels } = this.resource.base.layout;
    for (let level = 0; level < this.levelCount; level++) words[level] = buffer.gpuAddress + this.levelOffset(level);
    words[0x40 / 4] = isNative ? this.config0Native : this.config0;
    words[0x44 / 4] = packFields(R.TE_SAMPLER_SIZE, { WIDTH: this.width, HEIGHT: this.height });
    words[0x48 / 4] = this.linearStride;
    words[0x4c / 4] = this.config1 | packFields(R.TE_SAMPLER_CONFIG1, { SEAMLESS_CUBE_MAP: seamless });
    words[0x58 / 4] = ASTC_NONE;
    words[0x68 / 4] = packFields(R.NTE_SAMPLER_BASELOD, { BASELOD: 0, MAXLOD: this.levelCount - 1 });
    words[0x6c / 4] = this.isInteger && this.isSigned ? SIGNED_INTEGERS : 0;
    words[0x7c / 4] = levels[this.firstLevel]!.layerStrideBytes;
    words[0x84 / 4] = packFields(R.TE_SAMPLER_3D_CONFIG, { DEPTH: this.depth, LOG_DEPTH: log2Fixed(this.depth) });
    words[0x88 / 4] = this.#logSize();
    this.#screen.winsys.finish(made);
    this.#descriptors[Number(seamless) as 0 | 1] = made;
    this.#descriptorOf = buffer;
    this.#descriptorIsNative = isNative;
    return made;
  }

  #logSize(): number {
    return packFields(R.TE_SAMPLER_LOG_SIZE, {
      WIDTH: log2Fixed(this.width),
      HEIGHT: log2Fixed(this.height),
      INT_FILTER: usesIntegerFilter(this),
      SRGB: this.isSrgb,
    });
  }

  /** States of a unit of a GPU without descriptors. */
  emitStates(stream: CommandStream, unit: number, sampler: EtnavivSampler, isNew: boolean): void {
    const { description } = sampler;
    const registers = isNew ? NEW_STATES : OLD_STATES;
    const { buffer } = this.resource.base;
    const sampling = packFields(R.TE_SAMPLER_CONFIG0, {
      UWRAP: sampler.wrapS,
      VWRAP: sampler.wrapT,
      MIN: sampler.minFilter,
      MIP: sampler.mipFilter,
      MAG: sampler.magFilter,
    });
    const hasMips = description.mipFilter !== 'none';
    const last = this.levelCount - 1;
    const bias = Math.round(clamp(description.lodBias, -16, 15.96875) * 32) & 0x3ff;
    stream.set(registers.config0, (this.isNative ? this.config0Native : this.config0) | sampling, unit);
    stream.set(registers.size, packFields(R.TE_SAMPLER_SIZE, { WIDTH: this.width, HEIGHT: this.height }), unit);
    stream.set(registers.logSize, this.#logSize(), unit);
    stream.set(
      registers.lod,
      packFields(R.TE_SAMPLER_LOD_CONFIG, {
        BIAS_ENABLE: bias !== 0,
        MAX: lod5(Math.max(hasMips ? Math.min(description.maxLod, last) : 0, leastMaxLod(sampler))),
        MIN: lod5(hasMips ? Math.min(description.minLod, last) : 0),
        BIAS: bias,
      }),
      unit,
    );
    stream.set(
      registers.config3d,
      packFields(R.TE_SAMPLER_3D_CONFIG, { DEPTH: this.depth, LOG_DEPTH: log2Fixed(this.depth), WRAP: sampler.wrapR }),
      unit,
    );
    stream.set(registers.linearStride, this.linearStride, unit);
    const isSeamless = description.seamlessCube && this.#screen.caps.seamlessCube;
    stream.set(
      registers.config1,
      this.config1 | packFields(R.TE_SAMPLER_CONFIG1, { SEAMLESS_CUBE_MAP: isSeamless }),
      unit,
    );
    if (isNew) {
      stream.set(R.NTE_SAMPLER_ASTC0, ASTC_NONE, unit);
      stream.set(
        R.NTE_SAMPLER_BASELOD,
        packFields(R.NTE_SAMPLER_BASELOD, {
          COMPARE_ENABLE: sampler.compare !== null,
          COMPARE_FUNC: sampler.compare ?? ENUMS.TEXTURE_COMPARE_FUNC.NEVER,
        }),
        unit,
      );
    }
    // Why no zeros for the rest: kernels refuse addresses that no buffer is behind, and the sampler's range ends before them.
    for (let level = 0; level < this.levelCount; level++) {
      stream.setBuffer(registers.address, buffer, this.levelOffset(level), false, unit, level);
    }
  }

  /** States and descriptor of a unit of a GPU with descriptors. False: no memory for the descriptor. */
  emitDescriptor(stream: CommandStream, unit: number, sampler: EtnavivSampler, status: TileStatus | null): boolean {
    const { description } = sampler;
    const descriptor = this.descriptor(description.seamlessCube && this.#screen.caps.seamlessCube);
    if (!descriptor) return false;
    const hasMips = description.mipFilter !== 'none';
    const last = this.levelCount - 1;
    const lod8 = (value: number) => Math.round(clamp(value, 0, 31) * 256);
    const bias = Math.round(clamp(description.lodBias, -16, 15.99) * 256) & 0xffff;
    const control = status
      ? { TS_ENABLE: 1, TS_INDEX: unit, TS_MODE: Number(status.tileBytes === 256) }
      : { '128B_TILE': 1 };
    stream.set(R.NTE_DESCRIPTOR_TX_CTRL, packFields(R.NTE_DESCRIPTOR_TX_CTRL, control), unit);
    stream.set(
      R.NTE_DESCRIPTOR_SAMP_CTRL0,
      packFields(R.NTE_DESCRIPTOR_SAMP_CTRL0, {
        UWRAP: sampler.wrapS,
        VWRAP: sampler.wrapT,
        WWRAP: sampler.wrapR,
        MIN: sampler.minFilter,
        MIP: sampler.mipFilter,
        MAG: sampler.magFilter,
        COMPARE_ENABLE: sampler.compare !== null,
        COMPARE_FUNC: sampler.compare ?? ENUMS.TEXTURE_COMPARE_FUNC.NEVER,
        UNK21: 1,
        INT_FILTER: usesIntegerFilter(this),
      }),
      unit,
    );
    stream.set(
      R.NTE_DESCRIPTOR_SAMP_CTRL1,
      packFields(R.NTE_DESCRIPTOR_SAMP_CTRL1, { UNK1: 1, SRGB: this.isSrgb }),
      unit,
    );
    stream.set(
      R.NTE_DESCRIPTOR_SAMP_LOD_MINMAX,
      packFields(R.NTE_DESCRIPTOR_SAMP_LOD_MINMAX, {
        MAX: lod8(Math.max(hasMips ? Math.min(description.maxLod, last) : 0, leastMaxLod(sampler))),
        MIN: lod8(hasMips ? Math.min(description.minLod, last) : 0),
      }),
      unit,
    );
    stream.set(
      R.NTE_DESCRIPTOR_SAMP_LOD_BIAS,
      packFields(R.NTE_DESCRIPTOR_SAMP_LOD_BIAS, { BIAS: bias, ENABLE: bias !== 0 }),
      unit,
    );
    stream.set(R.NTE_DESCRIPTOR_SAMP_ANISOTROPY, 0, unit);
    stream.reference(this.resource.base.buffer, false);
    if (!stream.changes(R.NTE_DESCRIPTOR_ADDR, descriptor.gpuAddress, unit)) return true;
    stream.setBuffer(R.NTE_DESCRIPTOR_ADDR, descriptor, 0, false, unit);
    stream.trigger(R.NTE_DESCRIPTOR_INVALIDATE, packFields(R.NTE_DESCRIPTOR_INVALIDATE, { IDX: unit, UNK29: 1 }));
    return true;
  }
}

const ASTC_NONE = 0x0c0c0c00;
/** CONFIG2: integers of the format are signed. */
const SIGNED_INTEGERS = 1 << 18;

/**
 * Where minified and magnified pixels are filtered differently, the level of detail must be able to rise above 0: its
 * clamped value decides which they are. An eighth of a level changes no picture, as recorded streams show.
 */
function leastMaxLod({ minFilter, magFilter }: EtnavivSampler): number {
  return minFilter === magFilter ? 0 : 1 / 8;
}

/** The 8-bit filter: of all formats whose channels have at most 8 bits. */
function usesIntegerFilter({ format, isSrgb }: EtnavivSamplerView): boolean {
  const { componentBits, isCompressed } = formatDescription(format);
  return !isSrgb && !isCompressed && componentBits.every((bits) => bits <= 8);
}

interface StateRegisters {
  readonly config0: Register;
  readonly size: Register;
  readonly logSize: Register;
  readonly lod: Register;
  readonly config3d: Register;
  readonly config1: Register;
  readonly linearStride: Register;
  /** By unit, then by level. */
  readonly address: Register;
}

const OLD_STATES: StateRegisters = {
  config0: R.TE_SAMPLER_CONFIG0,
  size: R.TE_SAMPLER_SIZE,
  logSize: R.TE_SAMPLER_LOG_SIZE,
  lod: R.TE_SAMPLER_LOD_CONFIG,
  config3d: R.TE_SAMPLER_3D_CONFIG,
  config1: R.TE_SAMPLER_CONFIG1,
  linearStride: R.TE_SAMPLER_LINEAR_STRIDE,
  address: R.TE_SAMPLER_LOD_ADDR,
};

const NEW_STATES: StateRegisters = {
  config0: R.NTE_SAMPLER_CONFIG0,
  size: R.NTE_SAMPLER_SIZE,
  logSize: R.NTE_SAMPLER_LOG_SIZE,
  lod: R.NTE_SAMPLER_LOD_CONFIG,
  config3d: R.NTE_SAMPLER_3D_CONFIG,
  config1: R.NTE_SAMPLER_CONFIG1,
  linearStride: R.NTE_SAMPLER_LINEAR_STRIDE,
  address: R.NTE_SAMPLER_ADDR_LOD,
};
