// Finds or makes the code for the state in force: vertex program, coverage kernel, fragment program.

import { diskCache } from '../../src/base/disk-cache.ts';
import { NumberKey } from '../../src/base/number-key.ts';
import { profile } from '../../src/base/profile.ts';
import { TooComplexError } from '../../src/base/too-complex.ts';
import { type Format, formatDescription } from '../../src/format/format.ts';
import type { Shader } from '../../src/ir/ir.ts';
import { shaderKeyOf } from '../../src/ir/shader-key.ts';
import { overwrittenTargets } from '../../src/jit/fragment-output.ts';
import { compileFragmentProgram, needsLateTests } from '../../src/jit/fragment-program.ts';
import {
  type AttributeKey,
  type ColorTargetKey,
  type FragmentKey,
  fragmentKeyText,
  type VertexKey,
  vertexKeyText,
} from '../../src/jit/keys.ts';
import { chooseQuadsPerStep } from '../../src/jit/quads-per-step.ts';
import type { SamplerKey } from '../../src/jit/sample.ts';
import type { ShaderModule } from '../../src/jit/shader-module.ts';
import { compileVertexProgram } from '../../src/jit/vertex-program.ts';
import type { StencilFace } from '../../src/pipe/pipe.ts';
import { type DepthFormat, type DepthStencilKey, isDepthStencilIdle } from '../../src/raster/depth-stencil.ts';
import type { RasterEngine } from '../../src/raster/engine.ts';
import { FRAGMENT_ENTRY, VERTEX_ENTRY } from '../../src/raster/layout.ts';
import type { RasterMemory } from '../../src/raster/memory.ts';
import type { GeometryExtras } from '../../src/raster/primitive-record.ts';
import type { Bindings, StageBindings } from '../../src/util/bindings.ts';
import { MOVES_CONSTANTS } from '../../src/wasm/engine.ts';
import { noteSource, SCRATCH_EXPORT } from '../../src/wasm/function-source.ts';
import { debugFlags } from './debug.ts';
import type { Job } from './job.ts';
import { createPipelineCache, MAX_KEY_NUMBERS, type Pipeline } from './pipeline-cache.ts';
import type { SoftSampler, SoftSamplerView } from './sampler.ts';
import type { ShadeFunction, SoftFragmentShader, SoftVertexShader, VerticesFunction } from './shader.ts';
import { stateId } from './state.ts';

/**
 * Scratch memory of generated shaders, shared by all of a context's: nothing in it lives between calls. It grows by doubling;
 * smaller blocks stay, because modules made before still point to them.
 */
class ShaderScratch {
  readonly #memory: RasterMemory;
  readonly #blocks: number[] = [];
  #bytes = 0;

  constructor(memory: RasterMemory) {
    this.#memory = memory;
  }

  /** Address of at least `bytes`. Throws OutOfMemoryError. */
  take(bytes: number): number {
    if (bytes > this.#bytes) {
      const size = Math.max(bytes, this.#bytes * 2);
      this.#blocks.push(this.#memory.allocate(size));
      this.#bytes = size;
    }
    return this.#blocks[this.#blocks.length - 1]!;
  }

  release(): void {
    for (const block of this.#blocks) this.#memory.free(block);
    this.#blocks.length = 0;
    this.#bytes = 0;
  }
}

interface CompiledModule {
  readonly module: WebAssembly.Module;
  readonly scratchBytes: number;
}

/** What was compiled from a shader's IR, for all contexts and screens: IR never changes. By memory type and variant key. */
const compiledModules = new WeakMap<Shader, Map<string, CompiledModule>>();

/** Modules kept for one shader. */
const MAX_MODULES = 64;

function compiledModule(ir: Shader, key: string, compile: () => ShaderModule): CompiledModule {
  let modules = compiledModules.get(ir);
  if (modules === undefined) compiledModules.set(ir, (modules = new Map()));
  let compiled = modules.get(key);
  if (compiled === undefined) {
    const start = profile.begin();
    const { bytes, scratchBytes } = compileOnDisk(ir, key, compile);
    compiled = { module: new WebAssembly.Module(bytes), scratchBytes };
    profile.end('module', start, ir.stage);
    if (modules.size >= MAX_MODULES) modules.delete(modules.keys().next().value!);
    modules.set(key, compiled);
  }
  return compiled;
}

/** The module's bytes from the folder of INDIUM_CACHE_DIR, or new ones, which go there: scratch size in four bytes, then the code. */
function compileOnDisk(ir: Shader, key: string, compile: () => ShaderModule): ShaderModule {
  const disk = diskCache();
  const name = disk && shaderKeyOf(ir);
  if (!disk || name === undefined) return compile();
  const digest = disk.digest(`soft ${MOVES_CONSTANTS ? '' : 'c '}${name} ${key}`);
  const entry = disk.read(digest);
  if (entry !== null && entry.length > 4) {
    const bytes = new Uint8Array(entry);
    return { bytes: bytes.subarray(4), scratchBytes: new DataView(bytes.buffer).getUint32(0, true) };
  }
  const module = compile();
  const payload = new Uint8Array(4 + module.bytes.length);
  new DataView(payload.buffer).setUint32(0, module.scratchBytes, true);
  payload.set(module.bytes, 4);
  disk.write(digest, payload);
  return module;
}

/** Textures of a stage as the code sees them; null where the shader samples nothing that is bound. */
function samplerKeys(shader: Shader, stage: StageBindings): (SamplerKey | null)[] {
  return shader.samplers.map((_, index) => {
    const view = stage.views[index] as SoftSamplerView | null | undefined;
    const sampler = stage.samplers[index] as SoftSampler | null | undefined;
    return view && sampler ? view.key(sampler.description) : null;
  });
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
function depthStencilKey(bindings: Bindings, job: Job): DepthStencilKey {
  const state = bindings.depthStencilAlpha!.description;
  const clamp = !bindings.rasterizer!.description.depthClip;
  const depth =
    job.depth && state.depthTest
      ? { format: depthFormat(job.depth.format), func: state.depthFunc, write: state.depthWrite, clamp }
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

function targetKeys(bindings: Bindings, job: Job): (ColorTargetKey | null)[] {
  const { targets } = bindings.blend!.description;
  return job.colors.map((attachment, index) => {
    const blend = targets[index] ?? targets[0];
    return attachment && blend && blend.colorMask !== 0 ? { format: attachment.format, blend } : null;
  });
}

/** Textures that a stage's code depends on. */
function addTextures(key: NumberKey, shader: Shader, stage: StageBindings): void {
  for (let index = 0; index < shader.samplers.length; index++) {
    const view = stage.views[index] as SoftSamplerView | null | undefined;
    const sampler = stage.samplers[index] as SoftSampler | null | undefined;
    key.add(view && sampler ? view.codeClass : 0);
    key.add(view && sampler ? sampler.codeClass : 0);
  }
}

/** A `flatMask` of everything. */
const ALL_SLOTS = 0xffffffff;

/** Undefined for draws that have nothing of it, as nearly all. */
function geometryExtras(
  bindings: Bindings,
  vertex: Shader,
  noperspectiveMask: number,
  distanceSlot: number,
): GeometryExtras | undefined {
  const { polygonMode, clipDistances } = bindings.rasterizer!.description;
  const clipMask = clipDistances & ((1 << vertex.clipDistances) - 1);
  const cullMask = ((1 << vertex.cullDistances) - 1) << vertex.clipDistances;
  const outline = polygonMode === 'line';
  if (noperspectiveMask === 0 && (clipMask | cullMask) === 0 && !outline) return undefined;
  return { noperspectiveMask, distanceSlot, clipMask, cullMask, outline };
}

export interface DrawTraits {
  /** Occlusion queries are active. */
  countsSamples: boolean;
  /** Outputs are captured by transform feedback. */
  capturesOutputs: boolean;
  /** Primitives are points. */
  isPoints: boolean;
}

export class PipelineCompiler {
  readonly #memory: RasterMemory;
  readonly #engine: RasterEngine;
  readonly #scratch: ShaderScratch;
  readonly #key = new NumberKey(MAX_KEY_NUMBERS);

  constructor(memory: RasterMemory, engine: RasterEngine) {
    this.#memory = memory;
    this.#engine = engine;
    this.#scratch = new ShaderScratch(memory);
  }

  /** The code for what is bound and the job's surfaces; null: too complex. Throws OutOfMemoryError. */
  resolve(bindings: Bindings, job: Job, traits: DrawTraits): Pipeline | null {
    const key = this.#key;
    const fragmentShader = bindings.fragmentShader as SoftFragmentShader;
    this.#fillKey(key, bindings, job, traits);
    const cache = (fragmentShader.pipelines ??= createPipelineCache());
    const found = cache.get(key);
    if (found !== undefined) return found;
    let pipeline: Pipeline | null = null;
    try {
      pipeline = this.#make(bindings, job, traits);
    } catch (error) {
      if (!(error instanceof TooComplexError)) throw error;
    }
    cache.set(key, pipeline);
    return pipeline;
  }

  #fillKey(key: NumberKey, bindings: Bindings, job: Job, traits: DrawTraits): void {
    key.reset();
    key.add(job.formatClass);
    key.add(stateId(bindings.vertexShader));
    key.add(stateId(bindings.blend));
    key.add(stateId(bindings.depthStencilAlpha));
    key.add(stateId(bindings.vertexElements));
    const { vertexBuffers } = bindings;
    let bound = 0;
    for (let i = 0; i < vertexBuffers.length; i++) if (vertexBuffers[i]!.buffer !== null) bound |= 1 << i;
    key.add(bound);
    const flags = (traits.countsSamples ? 1 : 0) | (traits.capturesOutputs ? 2 : 0);
    const { rasterizerDiscard, depthClip, polygonMode, clipDistances } = bindings.rasterizer!.description;
    const outline = polygonMode === 'fill' ? 0 : 32;
    const points = traits.isPoints ? 16 : 0;
    key.add(flags | (rasterizerDiscard ? 4 : 0) | (depthClip ? 0 : 8) | points | outline | (clipDistances << 8));
    addTextures(key, bindings.vertexShader!.description.ir, bindings.vertex);
    addTextures(key, bindings.fragmentShader!.description.ir, bindings.fragment);
  }

  #make(bindings: Bindings, job: Job, { countsSamples, capturesOutputs, isPoints }: DrawTraits): Pipeline {
    const vertexShader = bindings.vertexShader as SoftVertexShader;
    const fragmentShader = bindings.fragmentShader as SoftFragmentShader;
    const vertex = vertexShader.description.ir;
    const fragment = fragmentShader.description.ir;
    const { distanceSlots } = vertexShader;
    const distanceSlot = Math.max(vertexShader.varyingSlots, fragmentShader.varyingSlots);
    const slots = distanceSlot + distanceSlots;
    const discardsPrimitives = bindings.rasterizer!.description.rasterizerDiscard;
    const tests = depthStencilKey(bindings, job);
    const alphaToCoverage = bindings.blend!.description.alphaToCoverage && job.samples > 1;
    const isLate = needsLateTests(fragment, alphaToCoverage);
    const late = isLate && !isDepthStencilIdle(tests) ? tests : null;
    const vertexKey: VertexKey = {
      attributes: attributeKeys(bindings),
      varyingSlots: slots,
      distanceSlots,
      textures: samplerKeys(vertex, bindings.vertex),
      capturesOutputs,
    };
    const fragmentKey: FragmentKey = {
      targets: targetKeys(bindings, job),
      samples: job.samples as 1 | 4,
      lateDepthStencil: late,
      countsSamples: countsSamples && isLate,
      alphaToCoverage,
      textures: samplerKeys(fragment, bindings.fragment),
      quadsPerStep: debugFlags.quadsPerStep || chooseQuadsPerStep(fragment),
      hasConstantVaryings: isPoints,
      distanceSlot: fragment.inputs.some(({ slot }) => slot.startsWith('clip')) ? distanceSlot : 0,
    };
    const hasEffect = late !== null || fragmentKey.countsSamples || fragmentKey.targets.some((key) => key !== null);
    const isShaded = !discardsPrimitives && hasEffect;
    return {
      vertices: this.#vertices(vertexShader, vertex, vertexKey),
      shade: isShaded ? this.#shade(fragmentShader, fragment, fragmentKey) : null,
      overwrites: isShaded && isDepthStencilIdle(tests) ? overwrittenTargets(fragment, fragmentKey) : 0,
      coverage: this.#engine.coverage({
        samples: job.samples as 1 | 4,
        early: isLate ? {} : tests,
        counts: countsSamples && !isLate,
      }),
      usesDepth: tests.depth !== undefined,
      usesStencil: tests.stencil !== undefined,
      slots,
      flatMask: isPoints ? ALL_SLOTS : fragmentShader.flatMask,
      extras: geometryExtras(bindings, vertex, fragmentShader.noperspectiveMask, distanceSlot),
      discardsPrimitives,
      geometry: [],
    };
  }

  #vertices(state: SoftVertexShader, ir: Shader, key: VertexKey): VerticesFunction {
    const text = vertexKeyText(key);
    const compile = () => compileVertexProgram(ir, key, { sharedMemory: this.#memory.isShared });
    return state.variant(text, () => this.#instantiate(ir, text, compile, VERTEX_ENTRY) as VerticesFunction);
  }

  #shade(state: SoftFragmentShader, ir: Shader, key: FragmentKey): ShadeFunction {
    const text = fragmentKeyText(key);
    const compile = () => compileFragmentProgram(ir, key, { sharedMemory: this.#memory.isShared });
    return state.variant(text, () => this.#instantiate(ir, text, compile, FRAGMENT_ENTRY) as ShadeFunction);
  }

  #instantiate(ir: Shader, key: string, compile: () => ShaderModule, entry: string): WebAssembly.ExportValue {
    const { memory, isShared } = this.#memory;
    const { module, scratchBytes } = compiledModule(ir, `${isShared ? 's' : 'p'}:${key}`, compile);
    // Memory first: what fails then leaves nothing behind.
    const scratch = scratchBytes > 0 ? this.#scratch.take(scratchBytes) : 0;
    const instance = new WebAssembly.Instance(module, { env: { memory } });
    if (scratchBytes > 0) (instance.exports[SCRATCH_EXPORT] as WebAssembly.Global).value = scratch;
    const exported = instance.exports[entry]!;
    noteSource(exported, { module, name: entry, scratchBytes });
    return exported;
  }

  destroy(): void {
    this.#scratch.release();
  }
}
