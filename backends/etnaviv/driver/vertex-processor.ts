// Runs vertex shaders on the CPU, by src/jit: for what the GPU's own vertex units can't hand back, as transform feedback.

import { blockBytes, isCompressed, rowBytes } from '../../../src/format/format.ts';
import type { Shader } from '../../../src/ir/ir.ts';
import { optimizeShader } from '../../../src/ir/optimize.ts';
import { type VertexKey, vertexKeyText } from '../../../src/jit/keys.ts';
import type { SamplerKey, TexDim } from '../../../src/jit/sample.ts';
import { compileVertexProgram } from '../../../src/jit/vertex-program.ts';
import { type DrawInfo, MAP, type Resource } from '../../../src/pipe/pipe.ts';
import {
  ATTRIBUTE,
  DRAW,
  SAMPLER,
  STATUS,
  TEXTURE_BINDING,
  TEXTURE_LEVEL,
  TEXTURE_VIEW,
  UBO,
  VERTEX_ENTRY,
  vertexStride,
} from '../../../src/raster/layout.ts';
import { OutOfMemoryError, RasterMemory } from '../../../src/raster/memory.ts';
import type { Bindings } from '../../../src/util/bindings.ts';
import { SCRATCH_EXPORT } from '../../../src/wasm/function-source.ts';
import { copyShader } from '../compiler/copy-shader.ts';
import type { EtnavivContext } from './context.ts';
import type { EtnavivResource } from './resource.ts';
import type { EtnavivSampler } from './state-objects.ts';
import type { EtnavivSamplerView } from './texture.ts';
import { transferMap } from './transfer.ts';

type VerticesFunction = (draw: number, ids: number, count: number, out: number, instance: number) => unknown;

/** Loop back-edges that a batch may take: as the other engines have it. */
const LOOP_BUDGET = 1 << 26;
/** Vertices of a batch: a multiple of four. */
export const BATCH_VERTICES = 1020;
const ZERO_BYTES = 64;

const DIMENSIONS: Readonly<Record<EtnavivSamplerView['target'], TexDim>> = {
  texture2D: '2d',
  texture3D: '3d',
  textureCube: 'cube',
  texture2DArray: '2dArray',
};

/** What the CPU can't run, in words. */
export class VertexProcessorError extends Error {
  override readonly name = 'VertexProcessorError';
}

interface Program {
  readonly ir: Shader;
  readonly varyingSlots: number;
  readonly variants: Map<string, VerticesFunction>;
}

/** A draw whose inputs lie in the processor's memory. `run` may be called until `release`. */
export interface PreparedVertices {
  /** Bytes of a vertex's record. */
  readonly strideBytes: number;
  /** Shades up to BATCH_VERTICES vertices. The words of their records are valid until the next call. */
  run(ids: Uint32Array, instance: number): { readonly words: Uint32Array; readonly first: number };
  release(): void;
}

export class VertexProcessor {
  readonly memory = new RasterMemory({ shared: false });
  readonly #programs = new WeakMap<Shader, Program>();
  readonly #scratch: { global: WebAssembly.Global; address: number }[] = [];

  #program(source: Shader): Program {
    let program = this.#programs.get(source);
    if (!program) {
      const ir = copyShader(source);
      const result = optimizeShader(ir, { lowerTranscendentals: true, lowerPack: true, scalars: true });
      if (!result.ok) throw new VertexProcessorError(result.message);
      const slots = ir.outputs.map(({ slot }) => (slot.startsWith('var') ? Number(slot.slice(3)) + 1 : 0));
      program = { ir, varyingSlots: Math.max(0, ...slots), variants: new Map() };
      this.#programs.set(source, program);
    }
    return program;
  }

  #variant({ ir, variants }: Program, key: VertexKey): VerticesFunction {
    const text = vertexKeyText(key);
    let found = variants.get(text);
    if (!found) {
      const { bytes, scratchBytes } = compileVertexProgram(ir, key, { sharedMemory: false });
      const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes as BufferSource), {
        env: { memory: this.memory.memory },
      });
      if (scratchBytes > 0) {
        const global = instance.exports[SCRATCH_EXPORT] as WebAssembly.Global;
        const address = this.memory.allocate(scratchBytes);
        global.value = address;
        this.#scratch.push({ global, address });
      }
      found = instance.exports[VERTEX_ENTRY] as VerticesFunction;
      variants.set(text, found);
    }
    return found;
  }

  /** Copies what the bound vertex shader reads. Throws OutOfMemoryError, VertexProcessorError. */
  prepare(context: EtnavivContext, info: DrawInfo): PreparedVertices {
    const { bindings } = context;
    const program = this.#program(bindings.vertexShader!.description.ir);
    const inputs = new Inputs(this.memory, context);
    try {
      const key: VertexKey = {
        attributes: attributeKeys(bindings),
        varyingSlots: program.varyingSlots,
        textures: program.ir.samplers.map((_, index) => samplerKey(bindings, index)),
        capturesOutputs: true,
      };
      const vertices = this.#variant(program, key);
      const draw = inputs.draw(program.ir, info);
      const strideBytes = vertexStride(program.varyingSlots);
      const ids = inputs.take((BATCH_VERTICES + 4) * 4);
      const out = inputs.take((BATCH_VERTICES + 4) * strideBytes);
      const run = (list: Uint32Array, instance: number) => {
        const { u32, i32 } = this.memory;
        u32.set(list, ids >>> 2);
        // Four vertices at a time: filled up with the last.
        u32.fill(list[list.length - 1]!, (ids >>> 2) + list.length, (ids >>> 2) + list.length + 3);
        i32[(inputs.status >>> 2) + STATUS.word.loopBudget] = LOOP_BUDGET;
        vertices(draw, ids, list.length, out, instance);
        if (this.memory.u32[(inputs.status >>> 2) + STATUS.word.timedOut] !== 0) {
          throw new VertexProcessorError('a vertex shader did not end');
        }
        return { words: this.memory.u32, first: out >>> 2 };
      };
      return { strideBytes, run, release: () => inputs.release() };
    } catch (error) {
      inputs.release();
      throw error;
    }
  }

  destroy(): void {
    for (const { address } of this.#scratch) this.memory.free(address);
    this.#scratch.length = 0;
  }
}

function attributeKeys({ vertexElements, vertexBuffers }: Bindings): VertexKey['attributes'] {
  return (vertexElements?.description.elements ?? []).map((element) =>
    element && vertexBuffers[element.bufferIndex]?.buffer
      ? { format: element.format, isInstanced: element.instanceDivisor !== 0 }
      : null,
  );
}

function samplerKey({ vertex }: Bindings, index: number): SamplerKey | null {
  const view = vertex.views[index] as EtnavivSamplerView | null | undefined;
  const sampler = vertex.samplers[index] as EtnavivSampler | null | undefined;
  if (!view || !sampler) return null;
  if (isCompressed(view.format)) {
    throw new VertexProcessorError(`transform feedback runs on the CPU, which samples no ${view.format} here`);
  }
  const { wrapS, wrapT, wrapR, minFilter, magFilter, mipFilter, compare, seamlessCube } = sampler.description;
  return {
    format: view.format,
    dim: DIMENSIONS[view.target],
    wrapS,
    wrapT,
    wrapR,
    minFilter,
    magFilter,
    mipFilter,
    compare,
    swizzle: view.swizzle,
    seamlessCube,
    isAnisotropic: false,
  };
}

/** The structures of one draw, and the bytes behind them. */
class Inputs {
  readonly status: number;
  readonly #memory: RasterMemory;
  readonly #context: EtnavivContext;
  readonly #blocks: number[] = [];
  readonly #buffers = new Map<Resource, number>();
  readonly #zeros: number;

  constructor(memory: RasterMemory, context: EtnavivContext) {
    this.#memory = memory;
    this.#context = context;
    this.status = this.take(STATUS.size);
    this.#zeros = this.take(ZERO_BYTES);
  }

  /** Zeroed memory until `release`. */
  take(bytes: number): number {
    const address = this.#memory.allocateZeroed(Math.max(bytes, 16));
    this.#blocks.push(address);
    return address;
  }

  release(): void {
    for (const block of this.#blocks) this.#memory.free(block);
    this.#blocks.length = 0;
  }

  /** Address of the DRAW. */
  draw(ir: Shader, info: DrawInfo): number {
    const { vertex } = this.#context.bindings;
    const uniforms = this.take(vertex.constants.byteLength);
    this.#memory.u32.set(vertex.constants, uniforms >>> 2);
    const ubos = this.#uniformBlocks();
    const textures = this.#textures(ir);
    const attributes = this.#attributes();
    const draw = this.take(DRAW.size);
    const words = this.#memory.u32.subarray(draw >>> 2);
    words[DRAW.word.vertexUniforms] = uniforms;
    words[DRAW.word.vertexUbos] = ubos;
    words[DRAW.word.vertexTextures] = textures;
    words[DRAW.word.attributes] = attributes;
    words[DRAW.word.status] = this.status;
    words[DRAW.word.baseInstance] = info.startInstance;
    words[DRAW.word.drawId] = info.drawId;
    words[DRAW.word.baseVertex] = info.baseVertex;
    return draw;
  }

  /** Address of a copy of a buffer. */
  #buffer(resource: Resource): number {
    let address = this.#buffers.get(resource);
    if (address === undefined) {
      address = this.take(resource.width + 16);
      const { base } = resource as EtnavivResource;
      this.#context.screen.prepareBuffer(base.buffer, false);
      this.#memory.u8.set(base.buffer.map().subarray(0, resource.width), address);
      this.#context.screen.winsys.finish(base.buffer);
      this.#buffers.set(resource, address);
    }
    return address;
  }

  #uniformBlocks(): number {
    const { buffers } = this.#context.bindings.vertex;
    const list = this.take(buffers.length * UBO.size);
    for (let index = 1; index < buffers.length; index++) {
      const bound = buffers[index];
      const size = bound ? Math.min(bound.sizeBytes, bound.buffer.width - bound.offsetBytes) : 0;
      const address = size > 0 ? this.#buffer(bound!.buffer) + bound!.offsetBytes : this.#zeros;
      const at = (list + (index - 1) * UBO.size) >>> 2;
      this.#memory.u32[at + UBO.word.address] = address;
      this.#memory.u32[at + UBO.word.size] = size > 0 ? size : 16;
    }
    return list;
  }

  #attributes(): number {
    const { vertexElements, vertexBuffers } = this.#context.bindings;
    const elements = vertexElements?.description.elements ?? [];
    const list = this.take(Math.max(elements.length, 1) * ATTRIBUTE.size);
    for (const [location, element] of elements.entries()) {
      const bound = element ? vertexBuffers[element.bufferIndex] : undefined;
      if (!element || !bound?.buffer) continue;
      const start = bound.offsetBytes + element.offsetBytes;
      const room = bound.buffer.width - start - blockBytes(element.format);
      const isReadable = room >= 0;
      const address = isReadable ? this.#buffer(bound.buffer) + start : this.#zeros;
      const at = (list + location * ATTRIBUTE.size) >>> 2;
      const { u32 } = this.#memory;
      u32[at + ATTRIBUTE.word.address] = address;
      u32[at + ATTRIBUTE.word.stride] = isReadable ? bound.strideBytes : 0;
      u32[at + ATTRIBUTE.word.divisor] = element.instanceDivisor;
      const last = isReadable && bound.strideBytes > 0 ? Math.floor(room / bound.strideBytes) : 0;
      u32[at + ATTRIBUTE.word.maxIndex] = last;
    }
    return list;
  }

  #textures(ir: Shader): number {
    const { views, samplers } = this.#context.bindings.vertex;
    const list = this.take(ir.samplers.length * TEXTURE_BINDING.size);
    for (let index = 0; index < ir.samplers.length; index++) {
      const view = views[index] as EtnavivSamplerView | null | undefined;
      const sampler = samplers[index] as EtnavivSampler | null | undefined;
      if (!view || !sampler) continue;
      const viewAddress = this.#view(view);
      const state = this.take(SAMPLER.size);
      const { borderColor, minLod, maxLod, lodBias } = sampler.description;
      const { f32, u32 } = this.#memory;
      f32.set(borderColor, (state >>> 2) + SAMPLER.word.borderColor);
      f32[(state >>> 2) + SAMPLER.word.minLod] = minLod;
      f32[(state >>> 2) + SAMPLER.word.maxLod] = maxLod;
      f32[(state >>> 2) + SAMPLER.word.lodBias] = lodBias;
      f32[(state >>> 2) + SAMPLER.word.maxAnisotropy] = 1;
      const at = (list + index * TEXTURE_BINDING.size) >>> 2;
      u32[at + TEXTURE_BINDING.word.view] = viewAddress;
      u32[at + TEXTURE_BINDING.word.sampler] = state;
    }
    return list;
  }

  /** A view with copies of its levels in rows. */
  #view(view: EtnavivSamplerView): number {
    const { resource, firstLevel, lastLevel, firstLayer, target } = view;
    const address = this.take(TEXTURE_VIEW.size);
    this.#memory.u32[(address >>> 2) + TEXTURE_VIEW.word.levelCount] = lastLevel - firstLevel + 1;
    for (let level = firstLevel; level <= lastLevel; level++) {
      const { width, height, depth: layers } = resource.base.layout.levels[level]!;
      const depth = target === 'texture3D' ? layers : view.lastLayer - firstLayer + 1;
      const box = { x: 0, y: 0, z: firstLayer, width, height, depth };
      const mapped = transferMap(this.#context.screen, resource, level, MAP.READ, box);
      if (!mapped) throw new OutOfMemoryError(rowBytes(resource.format, width) * height * depth);
      const row = Math.ceil(rowBytes(resource.format, width) / 16) * 16;
      const pixels = this.take(row * height * depth + 16);
      for (let z = 0; z < depth; z++) {
        for (let y = 0; y < height; y++) {
          const from = z * mapped.layerStrideBytes + y * mapped.strideBytes;
          const bytes = mapped.data.subarray(from, from + rowBytes(resource.format, width));
          this.#memory.u8.set(bytes, pixels + (z * height + y) * row);
        }
      }
      const { u32 } = this.#memory;
      const at = (address >>> 2) + TEXTURE_VIEW.word.levels + (level - firstLevel) * (TEXTURE_LEVEL.size >>> 2);
      u32[at + TEXTURE_LEVEL.word.address] = pixels;
      u32[at + TEXTURE_LEVEL.word.rowStride] = row;
      u32[at + TEXTURE_LEVEL.word.layerStride] = row * height;
      u32[at + TEXTURE_LEVEL.word.width] = width;
      u32[at + TEXTURE_LEVEL.word.height] = height;
      u32[at + TEXTURE_LEVEL.word.depth] = depth;
    }
    return address;
  }
}
