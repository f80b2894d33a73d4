// Finds the code for the state in force: vertex program, geometry kernels, coverage kernel, fragment program.

import { type Format, formatDescription } from '../../src/format/format.ts';
import type { Shader } from '../../src/ir/ir.ts';
import { chooseQuadsPerStep } from '../../src/jit/analyze-body.ts';
import { compileFragmentProgram } from '../../src/jit/fragment-program.ts';
import {
  type AttributeKey,
  type FragmentKey,
  fragmentKeyText,
  type VertexKey,
  vertexKeyText,
} from '../../src/jit/keys.ts';
import type { SamplerKey } from '../../src/jit/sample.ts';
import { SCRATCH_EXPORT, type ShaderModule } from '../../src/jit/shader-module.ts';
import { compileVertexProgram } from '../../src/jit/vertex-program.ts';
import type { DepthStencilAlphaDescription, StencilFace } from '../../src/pipe/pipe.ts';
import { type DepthFormat, type DepthStencilKey, isDepthStencilIdle } from '../../src/raster/depth-stencil.ts';
import type { Coverage, RasterEngine } from '../../src/raster/engine.ts';
import { FRAGMENT_ENTRY, VERTEX_ENTRY } from '../../src/raster/layout.ts';
import type { RasterMemory } from '../../src/raster/memory.ts';
import type { Bindings, StageBindings } from '../../src/util/bindings.ts';
import type { Job } from './job.ts';
import type { SoftSampler, SoftSamplerView } from './sampler.ts';
import type { ShadeFunction, SoftFragmentShader, SoftVertexShader, VerticesFunction } from './shader.ts';

/** All code of a draw. */
export interface Pipeline {
  readonly vertices: VerticesFunction;
  /** Null: nothing to shade (rasterizer discard). */
  readonly shade: ShadeFunction | null;
  readonly coverage: Coverage;
  readonly slots: number;
  readonly flatMask: number;
  /** Samples are counted by the shader (late tests), else by coverage. */
  readonly countsLate: boolean;
}

/** Scratch memory of generated shaders: one block, grown to the largest need. Nothing in it lives between calls. */
export class ShaderScratch {
  readonly #memory: RasterMemory;
  #address = 0;
  #bytes = 0;
  readonly #globals = new Set<WebAssembly.Global>();

  constructor(memory: RasterMemory) {
    this.#memory = memory;
  }

  /** Throws OutOfMemoryError. */
  attach(global: WebAssembly.Global, bytes: number): void {
    if (bytes > this.#bytes) {
      const address = this.#memory.allocate(bytes);
      this.#memory.free(this.#address);
      this.#address = address;
      this.#bytes = bytes;
      for (const other of this.#globals) other.value = address;
    }
    this.#globals.add(global);
    global.value = this.#address;
  }

  release(): void {
    this.#memory.free(this.#address);
    this.#address = 0;
    this.#bytes = 0;
    this.#globals.clear();
  }
}

/** Textures of a stage as the code sees them; null where the shader samples nothing that is bound. */
function samplerKeys(shader: Shader, stage: StageBindings): (SamplerKey | null)[] {
  return shader.samplers.map((_, index) => {
    const view = stage.views[index] as SoftSamplerView | null | undefined;
    const sampler = stage.samplers[index] as SoftSampler | null | undefined;
    return view && sampler ? view.key(sampler.description) : null;
  });
}

/** One past the highest varying slot that either stage names. */
function countVaryingSlots(vertex: Shader, fragment: Shader): number {
  let slots = 0;
  for (const { slot } of [...vertex.outputs, ...fragment.inputs]) {
    if (slot.startsWith('var')) slots = Math.max(slots, Number(slot.slice(3)) + 1);
  }
  return slots;
}

function flatSlots(fragment: Shader): number {
  let mask = 0;
  for (const { slot, interpolation } of fragment.inputs) {
    if (interpolation === 'flat' && slot.startsWith('var')) mask |= 1 << Number(slot.slice(3));
  }
  return mask;
}

function depthFormat(format: Format): DepthFormat {
  const { depthBits, channels } = formatDescription(format);
  if (channels[0]?.type === 'float') return 'float32';
  return depthBits === 16 ? 'unorm16' : 'unorm24';
}

function stencilFace(face: StencilFace) {
  return { func: face.func, stencilFail: face.failOp, depthFail: face.depthFailOp, pass: face.passOp };
}

/** Tests that the state asks for and the job has buffers for. Without a stencil buffer nothing of the stencil test happens. */
export function depthStencilKey(state: DepthStencilAlphaDescription, job: Job): DepthStencilKey {
  const depth =
    job.depth && state.depthTest
      ? { format: depthFormat(job.depth.format), func: state.depthFunc, write: state.depthWrite }
      : undefined;
  const stencil =
    job.stencil && state.stencil
      ? { front: stencilFace(state.stencil.front), back: stencilFace(state.stencil.back) }
      : undefined;
  return { ...(depth && { depth }), ...(stencil && { stencil }) };
}

function attributeKeys(bindings: Bindings): (AttributeKey | null)[] {
  const elements = bindings.vertexElements?.description.elements ?? [];
  return elements.map((element) => {
    if (element === null || !bindings.vertexBuffers[element.bufferIndex]?.buffer) return null;
    return { format: element.format, isInstanced: element.instanceDivisor !== 0 };
  });
}

export class PipelineCompiler {
  readonly #memory: RasterMemory;
  readonly #engine: RasterEngine;
  readonly #scratch: ShaderScratch;

  constructor(memory: RasterMemory, engine: RasterEngine) {
    this.#memory = memory;
    this.#engine = engine;
    this.#scratch = new ShaderScratch(memory);
  }

  /** The code for what is bound and the job's surfaces. Throws TooComplexError or OutOfMemoryError. */
  resolve(bindings: Bindings, job: Job, countsSamples: boolean, capturesOutputs: boolean): Pipeline {
    const vertexShader = bindings.vertexShader as SoftVertexShader;
    const fragmentShader = bindings.fragmentShader as SoftFragmentShader;
    const vertex = vertexShader.description.ir;
    const fragment = fragmentShader.description.ir;
    const slots = countVaryingSlots(vertex, fragment);
    const state = bindings.depthStencilAlpha!.description;
    const blend = bindings.blend!.description;
    const tests = depthStencilKey(state, job);
    const { discard, writesDepth, writesSampleMask } = fragment.usage;
    const alphaToCoverage = blend.alphaToCoverage && job.samples > 1;
    const isLate = (discard || writesDepth || writesSampleMask || alphaToCoverage) && !fragment.earlyFragmentTests;
    const late = isLate && !isDepthStencilIdle(tests) ? tests : null;
    const countsLate = countsSamples && isLate;
    const vertexKey: VertexKey = {
      attributes: attributeKeys(bindings),
      varyingSlots: slots,
      textures: samplerKeys(vertex, bindings.vertex),
      capturesOutputs,
    };
    const fragmentKey: FragmentKey = {
      targets: job.colors.map((attachment, index) => {
        const target = blend.targets[index] ?? blend.targets[0];
        return attachment && target && target.colorMask !== 0 ? { format: attachment.format, blend: target } : null;
      }),
      samples: job.samples as 1 | 4,
      lateDepthStencil: late,
      countsSamples: countsLate,
      alphaToCoverage,
      textures: samplerKeys(fragment, bindings.fragment),
      quadsPerStep: chooseQuadsPerStep(fragment),
    };
    return {
      vertices: this.#vertices(vertexShader, vertex, vertexKey),
      shade: bindings.rasterizer!.description.rasterizerDiscard
        ? null
        : this.#shade(fragmentShader, fragment, fragmentKey),
      coverage: this.#engine.coverage({
        samples: job.samples as 1 | 4,
        early: isLate ? {} : tests,
        counts: countsSamples && !isLate,
      }),
      slots,
      flatMask: flatSlots(fragment),
      countsLate,
    };
  }

  #vertices(state: SoftVertexShader, ir: Shader, key: VertexKey): VerticesFunction {
    return state.variant(vertexKeyText(key), () => {
      const module = compileVertexProgram(ir, key, { sharedMemory: this.#memory.isShared });
      return this.#instantiate(module, VERTEX_ENTRY) as VerticesFunction;
    });
  }

  #shade(state: SoftFragmentShader, ir: Shader, key: FragmentKey): ShadeFunction {
    return state.variant(fragmentKeyText(key), () => {
      const module = compileFragmentProgram(ir, key, { sharedMemory: this.#memory.isShared });
      return this.#instantiate(module, FRAGMENT_ENTRY) as ShadeFunction;
    });
  }

  #instantiate({ bytes, scratchBytes }: ShaderModule, entry: string): WebAssembly.ExportValue {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory: this.#memory.memory } });
    if (scratchBytes > 0) this.#scratch.attach(instance.exports[SCRATCH_EXPORT] as WebAssembly.Global, scratchBytes);
    return instance.exports[entry]!;
  }

  destroy(): void {
    this.#scratch.release();
  }
}
