// Sampler states and sampler views: the structures that generated code reads, and the part that is compiled into it.

import type { Format } from '../../src/format/format.ts';
import type { SamplerKey, TexDim } from '../../src/jit/sample.ts';
import type {
  ResourceTarget,
  SamplerDescription,
  SamplerState,
  SamplerView,
  SamplerViewAspect,
  SamplerViewTemplate,
  Swizzle,
} from '../../src/pipe/pipe.ts';
import { MAX_TEXTURE_LEVELS, SAMPLER, TEXTURE_LEVEL, TEXTURE_VIEW } from '../../src/raster/layout.ts';
import type { RasterMemory } from '../../src/raster/memory.ts';
import { storageFormat } from './format.ts';
import type { SoftResource } from './resource.ts';

export class SoftSampler implements SamplerState {
  readonly kind = 'sampler';
  readonly description: SamplerDescription;
  readonly #memory: RasterMemory;
  #address = 0;

  constructor(memory: RasterMemory, description: SamplerDescription) {
    this.#memory = memory;
    this.description = description;
  }

  /** 0 until the first draw that uses the sampler. */
  get allocatedAddress(): number {
    return this.#address;
  }

  /** Address of a SAMPLER structure, made when first asked for. Throws OutOfMemoryError. */
  address(): number {
    if (this.#address === 0) this.#address = this.#write(this.#memory, this.description);
    return this.#address;
  }

  #write(memory: RasterMemory, description: SamplerDescription): number {
    const address = memory.allocateZeroed(SAMPLER.size);
    const word = address >>> 2;
    memory.f32.set(description.borderColor, word + SAMPLER.word.borderColor);
    memory.f32[word + SAMPLER.word.minLod] = description.minLod;
    memory.f32[word + SAMPLER.word.maxLod] = description.maxLod;
    memory.f32[word + SAMPLER.word.lodBias] = description.lodBias;
    return address;
  }
}

const DIMENSIONS: Readonly<Record<Exclude<ResourceTarget, 'buffer'>, TexDim>> = {
  texture2D: '2d',
  texture3D: '3d',
  textureCube: 'cube',
  texture2DArray: '2dArray',
};

export class SoftSamplerView implements SamplerView {
  readonly resource: SoftResource;
  readonly target: Exclude<ResourceTarget, 'buffer'>;
  readonly format: Format;
  readonly aspect: SamplerViewAspect;
  readonly firstLevel: number;
  readonly lastLevel: number;
  readonly firstLayer: number;
  readonly lastLayer: number;
  readonly swizzle: readonly [Swizzle, Swizzle, Swizzle, Swizzle];
  readonly #memory: RasterMemory;
  #address = 0;
  readonly #free: (address: number) => void;
  #isDestroyed = false;

  /** `free` gets the structure's address when the view is destroyed. */
  constructor(memory: RasterMemory, template: SamplerViewTemplate, free: (address: number) => void) {
    this.resource = template.resource as SoftResource;
    this.target = template.target;
    this.format = template.format;
    this.aspect = template.aspect;
    this.firstLevel = template.firstLevel;
    this.lastLevel = Math.min(template.lastLevel, template.firstLevel + MAX_TEXTURE_LEVELS - 1);
    this.firstLayer = template.firstLayer;
    this.lastLayer = template.lastLayer;
    this.swizzle = template.swizzle;
    this.#memory = memory;
    this.#free = free;
  }

  /** Address of a TEXTURE_VIEW structure, made when first asked for. Throws OutOfMemoryError. */
  address(): number {
    if (this.#address === 0) this.#address = this.#write(this.#memory);
    return this.#address;
  }

  #write(memory: RasterMemory): number {
    const address = memory.allocateZeroed(TEXTURE_VIEW.size);
    const word = address >>> 2;
    memory.u32[word + TEXTURE_VIEW.word.levelCount] = this.lastLevel - this.firstLevel + 1;
    for (let level = this.firstLevel; level <= this.lastLevel; level++) {
      const layout = this.resource.layout[level]!;
      const at = word + TEXTURE_VIEW.word.levels + (level - this.firstLevel) * (TEXTURE_LEVEL.size >>> 2);
      memory.u32[at + TEXTURE_LEVEL.word.address] = this.resource.levelAddress(level, this.firstLayer);
      memory.u32[at + TEXTURE_LEVEL.word.rowStride] = layout.rowStride;
      memory.u32[at + TEXTURE_LEVEL.word.layerStride] = layout.layerStride;
      memory.u32[at + TEXTURE_LEVEL.word.width] = layout.width;
      memory.u32[at + TEXTURE_LEVEL.word.height] = layout.height;
      memory.u32[at + TEXTURE_LEVEL.word.depth] =
        this.target === 'texture3D' ? layout.depth : this.lastLayer - this.firstLayer + 1;
    }
    return address;
  }

  /** What code sampling this view through `sampler` is specialised by. */
  key(sampler: SamplerDescription): SamplerKey {
    return {
      format: this.aspect === 'stencil' ? 'S8_UINT' : storageFormat(this.format),
      dim: DIMENSIONS[this.target],
      wrapS: sampler.wrapS,
      wrapT: sampler.wrapT,
      wrapR: sampler.wrapR,
      minFilter: sampler.minFilter,
      magFilter: sampler.magFilter,
      mipFilter: sampler.mipFilter,
      compare: sampler.compare,
      swizzle: this.swizzle,
      seamlessCube: sampler.seamlessCube,
    };
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#free(this.#address);
  }
}
