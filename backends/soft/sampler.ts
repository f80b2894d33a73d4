// Sampler states and sampler views: the structures that generated code reads, and the part that is compiled into it.
// Each job gets copies of the structures it uses in its own arena, so views and samplers own no memory and can go at any time.

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
import { OutOfMemoryError, type RasterMemory } from '../../src/raster/memory.ts';
import { storageFormat } from './format.ts';
import type { Job } from './job.ts';
import type { SoftResource } from './resource.ts';
import { Interned, SoftState } from './state.ts';

/** A structure's copy in the arena of the job that used it last. */
class ArenaCopy {
  #job = 0;
  #address = 0;

  /** The address in the job's arena; `write` fills it when it is new there. Throws OutOfMemoryError. */
  addressIn(job: Job, bytes: number, write: (address: number) => void): number {
    if (this.#job === job.id) return this.#address;
    const address = job.arena.allocate(bytes);
    if (address === 0) throw new OutOfMemoryError(bytes);
    write(address);
    this.#job = job.id;
    this.#address = address;
    return address;
  }
}

const samplerClasses = new Interned();

export class SoftSampler extends SoftState<'sampler', SamplerDescription> implements SamplerState {
  /** Equal for samplers that give the same code. */
  readonly codeClass: number;
  readonly #memory: RasterMemory;
  readonly #copy = new ArenaCopy();
  readonly #write = (address: number): void => {
    const { f32 } = this.#memory;
    const word = address >>> 2;
    f32.set(this.description.borderColor, word + SAMPLER.word.borderColor);
    f32[word + SAMPLER.word.minLod] = this.description.minLod;
    f32[word + SAMPLER.word.maxLod] = this.description.maxLod;
    f32[word + SAMPLER.word.lodBias] = this.description.lodBias;
    f32[word + SAMPLER.word.maxAnisotropy] = this.description.maxAnisotropy;
  };

  constructor(memory: RasterMemory, description: SamplerDescription) {
    super('sampler', description);
    this.#memory = memory;
    const { wrapS, wrapT, wrapR, minFilter, magFilter, mipFilter, compare, seamlessCube, maxAnisotropy } = description;
    const parts = [wrapS, wrapT, wrapR, minFilter, magFilter, mipFilter, compare, seamlessCube, maxAnisotropy > 1];
    this.codeClass = samplerClasses.numberOf(parts.join());
  }

  /** Address of a SAMPLER structure. Throws OutOfMemoryError. */
  addressIn(job: Job): number {
    return this.#copy.addressIn(job, SAMPLER.size, this.#write);
  }
}

const DIMENSIONS: Readonly<Record<Exclude<ResourceTarget, 'buffer'>, TexDim>> = {
  texture2D: '2d',
  texture3D: '3d',
  textureCube: 'cube',
  texture2DArray: '2dArray',
};

/**
 * Stencil is read as an integer colour of the same bytes: the format, and the channel that holds it. The unused bits above
 * the stencil of Z32_FLOAT_S8X24_UINT are zero in all that the driver writes.
 */
const STENCIL_VIEWS: Partial<Record<Format, readonly [Format, Swizzle]>> = {
  S8_UINT: ['S8_UINT', 'x'],
  Z24_UNORM_S8_UINT: ['R8G8B8A8_UINT', 'w'],
  Z32_FLOAT_S8X24_UINT: ['R32G32_UINT', 'y'],
};

/** A view's swizzle over a format whose channel `channel` holds what the view calls x; y and z are 0, w is 1. */
function stencilSwizzle(swizzle: SamplerViewTemplate['swizzle'], channel: Swizzle): SamplerViewTemplate['swizzle'] {
  const places: Readonly<Record<Swizzle, Swizzle>> = { x: channel, y: '0', z: '0', w: '1', '0': '0', '1': '1' };
  return swizzle.map((letter) => places[letter]) as unknown as SamplerViewTemplate['swizzle'];
}

const viewClasses = new Interned();

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
  /** Equal for views that give the same code. */
  readonly codeClass: number;
  readonly #codeFormat: Format;
  readonly #codeSwizzle: SamplerViewTemplate['swizzle'];
  readonly #memory: RasterMemory;
  readonly #copy = new ArenaCopy();
  readonly #write = (address: number): void => {
    const { u32 } = this.#memory;
    const word = address >>> 2;
    u32[word + TEXTURE_VIEW.word.levelCount] = this.lastLevel - this.firstLevel + 1;
    for (let level = this.firstLevel; level <= this.lastLevel; level++) {
      const layout = this.resource.layout[level]!;
      const at = word + TEXTURE_VIEW.word.levels + (level - this.firstLevel) * (TEXTURE_LEVEL.size >>> 2);
      u32[at + TEXTURE_LEVEL.word.address] = this.resource.levelAddress(level, this.firstLayer);
      u32[at + TEXTURE_LEVEL.word.rowStride] = layout.rowStride;
      u32[at + TEXTURE_LEVEL.word.layerStride] = layout.layerStride;
      u32[at + TEXTURE_LEVEL.word.width] = layout.width;
      u32[at + TEXTURE_LEVEL.word.height] = layout.height;
      u32[at + TEXTURE_LEVEL.word.depth] =
        this.target === 'texture3D' ? layout.depth : this.lastLayer - this.firstLayer + 1;
    }
  };

  constructor(memory: RasterMemory, template: SamplerViewTemplate) {
    this.resource = template.resource as SoftResource;
    this.target = template.target;
    this.format = template.format;
    this.aspect = template.aspect;
    this.firstLevel = template.firstLevel;
    this.lastLevel = Math.min(template.lastLevel, template.firstLevel + MAX_TEXTURE_LEVELS - 1);
    this.firstLayer = template.firstLayer;
    this.lastLayer = template.lastLayer;
    this.swizzle = [...template.swizzle];
    this.#memory = memory;
    const stencil = template.aspect === 'stencil' ? STENCIL_VIEWS[template.format] : undefined;
    this.#codeFormat = stencil ? stencil[0] : storageFormat(template.format);
    this.#codeSwizzle = stencil ? stencilSwizzle(this.swizzle, stencil[1]) : this.swizzle;
    this.codeClass = viewClasses.numberOf(`${this.#codeFormat} ${this.target} ${this.#codeSwizzle.join('')}`);
  }

  /** Address of a TEXTURE_VIEW structure. Throws OutOfMemoryError. */
  addressIn(job: Job): number {
    return this.#copy.addressIn(job, TEXTURE_VIEW.size, this.#write);
  }

  /** What code sampling this view through `sampler` is specialised by. */
  key(sampler: SamplerDescription): SamplerKey {
    return {
      format: this.#codeFormat,
      dim: DIMENSIONS[this.target],
      wrapS: sampler.wrapS,
      wrapT: sampler.wrapT,
      wrapR: sampler.wrapR,
      minFilter: sampler.minFilter,
      magFilter: sampler.magFilter,
      mipFilter: sampler.mipFilter,
      compare: sampler.compare,
      swizzle: this.#codeSwizzle,
      seamlessCube: sampler.seamlessCube,
      isAnisotropic: sampler.maxAnisotropy > 1,
    };
  }

  destroy(): void {}
}
