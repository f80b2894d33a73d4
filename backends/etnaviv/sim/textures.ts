// Textures as the engine samples them: linear copies of tiled and compressed levels, kept while their memory does not change.

import { decodeCompressed, decodedFormat } from '../../../src/format/compressed/decode.ts';
import { blockBytes, type Format, formatDescription, isCompressed, isInteger } from '../../../src/format/format.ts';
import { type SamplerKey, samplerKeyString, type TexDim } from '../../../src/jit/sample.ts';
import { SAMPLER, TEXTURE_LEVEL, TEXTURE_VIEW } from '../../../src/raster/layout.ts';
import type { RasterMemory } from '../../../src/raster/memory.ts';
import { SRGB_FORMATS, TEXTURE_FORMATS, TEXTURE_FORMATS_EXT } from './formats.table.ts';
import type { GpuMemory } from './memory.ts';
import { NotSimulatedError } from './not-simulated.ts';
import { readRect, type SurfaceLayout, type Tiling } from './surface.ts';
import type { TargetReader } from './targets.ts';
import type { TextureState } from './texture-state.ts';
import { resolveTileStatus } from './tile-status.ts';

/** What sampling through a unit depends on. */
export interface BoundTexture {
  readonly key: SamplerKey;
  /** Equal texts are sampled by the same code. */
  readonly kind: string;
  readonly shadow: boolean;
  readonly resultType: 'float' | 'int' | 'uint';
  /** Addresses of TEXTURE_VIEW and SAMPLER. */
  readonly view: number;
  readonly sampler: number;
}

interface Level {
  readonly width: number;
  readonly height: number;
  /** Slices, layers or faces. */
  readonly depth: number;
  readonly address: number;
  readonly rowStride: number;
  readonly layerStride: number;
}

interface LevelSource {
  readonly address: number;
  readonly tiling: Tiling;
  readonly strideBytes: number;
  readonly sliceBytes: number;
}

interface CachedTexture {
  readonly format: Format;
  readonly levels: readonly Level[];
  /** One block holds all levels and the view. */
  readonly block: number;
  readonly bytes: number;
  readonly view: number;
  /** Version of the memory it was made from. */
  version: number;
  lastUse: number;
  /** The pass of the GPU that last bound it. */
  pass: number;
}

const TYPE_3D = 3;
const TYPE_CUBE = 5;
const WRAPS: readonly SamplerKey['wrapS'][] = ['repeat', 'mirroredRepeat', 'clampToEdge', 'clampToBorder'];
const SWIZZLES: readonly SamplerKey['swizzle'][0][] = ['x', 'y', 'z', 'w', '0', '1', '0', '1'];
const COMPARES = ['lessEqual', 'greaterEqual', 'less', 'greater', 'equal', 'notEqual', 'always', 'never'] as const;
const LINEAR_FILTER = 2;
/** Pixels that a level's width is padded to, by TEXTURE_HALIGN. */
const HALIGN_PIXELS = [4, 16, 64, 16, 64] as const;
/** Memory for copies, and how much of it survives when there is too much. */
const CACHE_BYTES = 192 << 20;

const align = (value: number, to: number): number => Math.ceil(value / to) * to;

export class TextureCache {
  private readonly memory: GpuMemory;
  private readonly targets: TargetReader;
  private readonly textures = new Map<string, CachedTexture>();
  private readonly samplers = new Map<string, number>();
  private bytes = 0;
  private clock = 0;
  /** Grows when a copy goes: views that were bound before may be gone. */
  generation = 1;
  private pass = 1;
  /** Version of what the GPU's memory holds in a range; from the owner. */
  private readonly versionOf: (gpuAddress: number) => number;

  constructor(memory: GpuMemory, targets: TargetReader, versionOf: (gpuAddress: number) => number) {
    this.memory = memory;
    this.targets = targets;
    this.versionOf = versionOf;
  }

  /** The engine's view of a unit. Throws where a format or layout is not simulated. */
  bind(state: TextureState, samplerCompares: boolean): BoundTexture | null {
    if (state.levels.length === 0) return null;
    const format = textureFormat(state);
    const texture = this.texture(state, format);
    const dim: TexDim =
      state.type === TYPE_CUBE ? 'cube' : state.type === TYPE_3D ? '3d' : state.isArray ? '2dArray' : '2d';
    const compare = samplerCompares && state.compare !== null ? COMPARES[state.compare]! : null;
    const isFloat = !isInteger(texture.format);
    const nearestOnly = !isFloat;
    const filter = (code: number) => (code >= LINEAR_FILTER && !nearestOnly ? 'linear' : 'nearest');
    const key: SamplerKey = {
      format: texture.format,
      dim,
      wrapS: WRAPS[state.wrap[0] & 3]!,
      wrapT: WRAPS[state.wrap[1] & 3]!,
      wrapR: WRAPS[state.wrap[2] & 3]!,
      minFilter: filter(state.minFilter),
      magFilter: filter(state.magFilter),
      mipFilter: state.mipFilter === 0 ? 'none' : state.mipFilter === 1 ? 'nearest' : 'linear',
      compare,
      swizzle: state.swizzle.map((code) => SWIZZLES[code]!) as unknown as SamplerKey['swizzle'],
      seamlessCube: state.seamless,
      isAnisotropic: false,
    };
    const resultType = isFloat ? 'float' : formatDescription(texture.format).numericClass === 'int' ? 'int' : 'uint';
    return {
      key,
      kind: `${samplerKeyString(key)}|${resultType}`,
      shadow: compare !== null,
      resultType,
      view: texture.view,
      sampler: this.sampler(state),
    };
  }

  /** Frees copies that nothing pending reads. Call between jobs. */
  trim(): void {
    if (this.bytes <= CACHE_BYTES) return;
    const oldestFirst = [...this.textures].sort(([, a], [, b]) => a.lastUse - b.lastUse);
    for (const [key, texture] of oldestFirst) {
      if (this.bytes <= CACHE_BYTES / 2) break;
      this.drop(key, texture);
    }
  }

  /** Frees all copies. Call when no job is pending. */
  clear(): void {
    for (const [key, texture] of this.textures) this.drop(key, texture);
  }

  destroy(): void {
    this.clear();
    for (const address of this.samplers.values()) this.memory.raster.free(address);
    this.samplers.clear();
  }

  private drop(key: string, texture: CachedTexture): void {
    this.memory.raster.free(texture.block);
    this.generation++;
    this.bytes -= texture.bytes;
    this.textures.delete(key);
  }

  private sampler(state: TextureState): number {
    const last = state.levels.length - 1;
    // Without mipmaps the clamped level of detail still tells minification from magnification.
    const maxLod = state.mipFilter === 0 ? state.maxLod : Math.min(state.maxLod, last);
    const values = [state.minLod, Math.max(state.minLod, maxLod), state.lodBias];
    const border = state.border ?? [0, 0, 0, 0];
    const key = [...values, ...border].join();
    let address = this.samplers.get(key);
    if (address === undefined) {
      const { raster } = this.memory;
      address = raster.allocateZeroed(SAMPLER.size);
      raster.u32.set(border, (address >>> 2) + SAMPLER.word.borderColor);
      raster.f32[(address >>> 2) + SAMPLER.word.minLod] = values[0]!;
      raster.f32[(address >>> 2) + SAMPLER.word.maxLod] = values[1]!;
      raster.f32[(address >>> 2) + SAMPLER.word.lodBias] = values[2]!;
      this.samplers.set(key, address);
    }
    return address;
  }

  private texture(state: TextureState, format: Format): CachedTexture {
    const key = [
      format,
      state.type,
      state.width,
      state.height,
      state.depth,
      state.isArray,
      state.isLinear,
      state.linearStride,
      state.halign,
      state.levels.join('+'),
      ...(state.status ? [state.status.statusAddress, state.status.tileBytes, ...state.status.clearValue] : []),
    ].join();
    const places = state.status ? [...state.levels, state.status.statusAddress] : state.levels;
    const version = Math.max(...places.map((address) => this.versionOf(address)));
    const known = this.textures.get(key);
    if (known && known.version === version) {
      known.lastUse = ++this.clock;
      known.pass = this.pass;
      return known;
    }
    if (known && known.pass !== this.pass) {
      // Nothing pending reads it: it is made anew where it is.
      for (const [level, place] of known.levels.entries()) this.copyLevel(state, format, level, place);
      known.version = version;
      known.lastUse = ++this.clock;
      known.pass = this.pass;
      return known;
    }
    // Draws that wait for their tile pass may still read the old copy: it is dropped when there is nothing pending.
    if (known) {
      this.textures.delete(key);
      this.textures.set(`${key}#${this.clock++}`, { ...known, lastUse: 0 });
    }
    const texture = this.copy(state, format, version);
    this.textures.set(key, texture);
    this.bytes += texture.bytes;
    return texture;
  }

  /** No draw waits any more that may read a copy. */
  endPass(): void {
    this.pass++;
  }

  /** Frees copies that newer ones have replaced. Call when no job is pending. */
  dropStale(): void {
    for (const [key, texture] of this.textures) if (key.includes('#')) this.drop(key, texture);
  }

  private copy(state: TextureState, format: Format, version: number): CachedTexture {
    const { raster } = this.memory;
    const stored = isCompressed(format) ? decodedFormat(format) : format;
    if (!stored) throw new NotSimulatedError(`texture format ${format} cannot be decoded`);
    const pixelBytes = blockBytes(stored);
    const plans = state.levels.map((_, level) => {
      const width = Math.max(1, state.width >> level);
      const height = Math.max(1, state.height >> level);
      const depth =
        state.type === TYPE_CUBE
          ? 6
          : state.type === TYPE_3D
            ? Math.max(1, state.depth >> level)
            : state.isArray
              ? state.depth
              : 1;
      const rowStride = align(width * pixelBytes, 16);
      return { width, height, depth, rowStride, layerStride: rowStride * height };
    });
    // The memory behind a level is looked at before room is made for its copy.
    for (const [level, plan] of plans.entries()) this.source(state, format, level, plan);
    const bytes = plans.reduce((sum, plan) => sum + plan.layerStride * plan.depth, TEXTURE_VIEW.size);
    const block = raster.allocateZeroed(bytes + 64);
    try {
      let next = block + TEXTURE_VIEW.size;
      const levels = plans.map((plan, level): Level => {
        const address = next;
        next += plan.layerStride * plan.depth;
        this.copyLevel(state, format, level, { ...plan, address });
        return { ...plan, address };
      });
      writeView(raster, block, levels);
      return { format: stored, levels, block, bytes, view: block, version, lastUse: ++this.clock, pass: this.pass };
    } catch (error) {
      raster.free(block);
      throw error;
    }
  }

  /** Where a level lies. Throws GpuFault where it is not all there. */
  private source(
    state: TextureState,
    format: Format,
    level: number,
    { width, height, depth }: Pick<Level, 'width' | 'height' | 'depth'>,
  ): LevelSource {
    const gpuAddress = state.levels[level]!;
    const bytes = blockBytes(format);
    const { isCompressed, blockWidth, blockHeight } = formatDescription(format);
    if (isCompressed) {
      // Blocks stand in rows, without tiles.
      const strideBytes = Math.ceil(width / blockWidth) * bytes;
      const sliceBytes = strideBytes * Math.ceil(height / blockHeight);
      const address = this.memory.resolve(gpuAddress, sliceBytes * depth, `texture level ${level}`);
      return { address, tiling: 'linear', strideBytes, sliceBytes };
    }
    const tiling: Tiling = state.isLinear
      ? 'linear'
      : state.halign === 2 || state.halign === 4
        ? 'supertiled'
        : 'tiled';
    const paddedWidth = align(width, HALIGN_PIXELS[state.halign] ?? 4);
    const paddedHeight = state.isLinear ? height : align(height, tiling === 'supertiled' ? 64 : 4);
    const strideBytes = state.isLinear && level === 0 && state.linearStride ? state.linearStride : paddedWidth * bytes;
    if (strideBytes < width * bytes) throw new NotSimulatedError('a linear texture whose rows overlap');
    const sliceBytes = strideBytes * paddedHeight;
    const needed =
      sliceBytes * (depth - 1) + strideBytes * (state.isLinear ? height - 1 : paddedHeight - 1) + width * bytes;
    const address = this.memory.resolve(gpuAddress, needed, `texture level ${level}`);
    return { address, tiling, strideBytes, sliceBytes };
  }

  private copyLevel(state: TextureState, format: Format, level: number, to: Level): void {
    const { raster } = this.memory;
    const gpuAddress = state.levels[level]!;
    const { address: source, tiling, strideBytes, sliceBytes } = this.source(state, format, level, to);
    const bytes = blockBytes(format);
    if (formatDescription(format).isCompressed) {
      for (let layer = 0; layer < to.depth; layer++) {
        const blocks = raster.u8.slice(source + layer * sliceBytes, source + (layer + 1) * sliceBytes);
        const out = new Uint8Array(to.layerStride);
        decodeCompressed(format, blocks, strideBytes, to.width, to.height, out, 0, to.rowStride);
        raster.u8.set(out, to.address + layer * to.layerStride);
      }
      return;
    }
    const layout: SurfaceLayout = { tiling, addresses: [source], strideBytes, bytesPerPixel: bytes };
    if (state.status && level === 0) {
      const { statusAddress, tileBytes, clearValue } = state.status;
      const status = this.targets.status(statusAddress, gpuAddress, tileBytes, clearValue);
      resolveTileStatus(raster, status, layout, to.width, to.height);
    }
    for (let layer = 0; layer < to.depth; layer++) {
      const slice = { ...layout, addresses: [source + layer * sliceBytes] };
      const rect = { x: 0, y: 0, width: to.width, height: to.height };
      readRect(raster, slice, rect, to.address + layer * to.layerStride, to.rowStride);
    }
  }
}

function writeView(raster: RasterMemory, address: number, levels: readonly Level[]): void {
  const word = address >>> 2;
  raster.u32[word + TEXTURE_VIEW.word.levelCount] = levels.length;
  for (const [level, { address: at, rowStride, layerStride, width, height, depth }] of levels.entries()) {
    const base = word + TEXTURE_VIEW.word.levels + level * (TEXTURE_LEVEL.size >>> 2);
    raster.u32[base + TEXTURE_LEVEL.word.address] = at;
    raster.u32[base + TEXTURE_LEVEL.word.rowStride] = rowStride;
    raster.u32[base + TEXTURE_LEVEL.word.layerStride] = layerStride;
    raster.u32[base + TEXTURE_LEVEL.word.width] = width;
    raster.u32[base + TEXTURE_LEVEL.word.height] = height;
    raster.u32[base + TEXTURE_LEVEL.word.depth] = depth;
  }
}

const ASTC_BLOCKS = [
  '4x4',
  '5x4',
  '5x5',
  '6x5',
  '6x6',
  '8x5',
  '8x6',
  '8x8',
  '10x5',
  '10x6',
  '10x8',
  '10x10',
  '12x10',
  '12x12',
] as const;
const ASTC_CODE = 20;

function textureFormat(state: TextureState): Format {
  const { format: code, formatExt, isSrgb } = state;
  if (code === 0 && formatExt === ASTC_CODE) {
    return `ASTC_${ASTC_BLOCKS[state.astcFormat] ?? '4x4'}${isSrgb ? '_SRGB' : ''}` as Format;
  }
  const format = code !== 0 ? TEXTURE_FORMATS[code] : TEXTURE_FORMATS_EXT[formatExt];
  if (!format) throw new NotSimulatedError(`texture format ${code}/${formatExt} is not simulated`);
  if (state.readsStencil && (format === 'X8Z24_UNORM' || format === 'S8_UINT_Z24_UNORM')) {
    throw new NotSimulatedError('sampling stencil is not simulated');
  }
  if (format.endsWith('_UINT') && state.isSignedInteger) return format.replace('_UINT', '_SINT') as Format;
  return (isSrgb && (SRGB_FORMATS[format] ?? COMPRESSED_SRGB[format])) || format;
}

const COMPRESSED_SRGB: Partial<Record<Format, Format>> = {
  ETC2_RGB8: 'ETC2_SRGB8',
  ETC2_RGB8A1: 'ETC2_SRGB8A1',
  ETC2_RGBA8: 'ETC2_SRGBA8',
  DXT1_RGBA: 'DXT1_SRGBA',
  DXT3_RGBA: 'DXT3_SRGBA',
  DXT5_RGBA: 'DXT5_SRGBA',
};
