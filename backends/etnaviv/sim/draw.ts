// Draws: reads the state in force, finds the code for it, runs vertices and primitives, leaves the rest to the tile pass.

import { blockBytes } from '../../../src/format/format.ts';
import type { FragmentKey, VertexKey } from '../../../src/jit/keys.ts';
import { isDepthStencilIdle } from '../../../src/raster/depth-stencil.ts';
import type {
  Coverage,
  GeometryKernels,
  GeometryState,
  GeometryTarget,
  RasterEngine,
} from '../../../src/raster/engine.ts';
import { ATTRIBUTE, DRAW, STATUS, TEXTURE_BINDING, UBO } from '../../../src/raster/layout.ts';
import { OutOfMemoryError } from '../../../src/raster/memory.ts';
import type { CoreFacts } from '../hwdb/derived.ts';
import { REGISTERS } from '../registers/registers.ts';
import {
  type RasterState,
  readAlphaTest,
  readBlend,
  readDepthStencil,
  readRasterState,
  readVertexElements,
  readVertexStream,
  type VertexElement,
} from './draw-state.ts';
import { drawWords } from './draw-words.ts';
import { type Job, LOOP_BUDGET, type ShadeFunction, ShaderTimeout, type VerticesFunction } from './job.ts';
import type { GpuMemory } from './memory.ts';
import { NotSimulatedError } from './not-simulated.ts';
import type { Patience } from './patience.ts';
import type { Binary, ProgramCache, Translation } from './programs.ts';
import type { ShaderInterface } from './shader/translate.ts';
import {
  countVertexElements,
  readIdPlaces,
  readPixelInputs,
  readPixelOutputs,
  readProgram,
  readVaryingComponents,
  readVertexInputs,
  readVertexOutputs,
  type Stage,
  samplerBase,
  uniformBase,
} from './shader-state.ts';
import type { GpuState } from './state.ts';
import type { TextureStateReader } from './texture-state.ts';
import type { BoundTexture, TextureCache } from './textures.ts';
import { unsimulatedStates } from './unsimulated.ts';

/** A draw command, whatever its form. */
export interface DrawCall {
  readonly topology: GeometryState['topology'];
  /** Vertices, or indices. */
  readonly count: number;
  readonly firstVertex: number;
  readonly isIndexed: boolean;
  /** Of an indexed draw: the first index. */
  readonly firstIndex: number;
  readonly instances: number;
}

/** The state of the units that a draw needs besides the state space. */
export interface DrawContext {
  readonly state: GpuState;
  readonly memory: GpuMemory;
  readonly facts: CoreFacts;
  readonly engine: RasterEngine;
  readonly programs: ProgramCache;
  readonly textures: TextureCache;
  readonly textureStates: TextureStateReader;
  /** Grows when memory changes, or what the GPU sees of it. */
  readonly contentsVersion: () => number;
  readonly patience: Patience;
  /** Tells something once. */
  readonly notice: (text: string) => void;
}

const R = REGISTERS;
const MAX_UNIFORM_SLOTS = 512;
const MAX_ATTRIBUTES = 32;
/** Of texture wrap modes. */
const CLAMP_TO_BORDER = 3;
const INDEX_BYTES = [1, 2, 4] as const;

/** What a draw needs besides its uniforms: kept while the state, the memory and the shape of the draws stay as they are. */
interface Plan {
  readonly drawVersion: number;
  readonly contents: number;
  readonly job: Job;
  readonly topology: DrawCall['topology'];
  readonly isIndexed: boolean;
  readonly countsSamples: boolean;
  readonly stages: { readonly vertex: StageCode; readonly fragment: StageCode };
  /** The DRAW structure. */
  readonly words: Uint32Array;
  /** Of the uniforms that `words` points to. */
  uniformVersion: number;
  readonly coverage: Coverage;
  readonly shade: ShadeFunction;
  readonly instructions: number;
  readonly fetches: number;
  readonly kernels: GeometryKernels;
  readonly vertices: VerticesFunction;
  readonly target: GeometryTarget;
}

interface StageCode {
  readonly key: string;
  readonly binary: Binary;
  readonly translation: Translation;
  readonly textures: readonly (BoundTexture | null)[];
}

export class Drawer {
  private readonly c: DrawContext;
  private attributes = 0;
  private status = 0;
  private zeros = 0;
  private plan: Plan | null = null;
  /** For the counters. */
  vertices = 0;
  vertexInstructions = 0;
  textureFetches = 0;

  constructor(context: DrawContext) {
    this.c = context;
  }

  private reserve(): void {
    const { raster } = this.c.memory;
    this.attributes ||= raster.allocateZeroed(ATTRIBUTE.size * MAX_ATTRIBUTES);
    this.status ||= raster.allocateZeroed(STATUS.size);
    this.zeros ||= raster.allocateZeroed(256);
  }

  destroy(): void {
    for (const address of [this.attributes, this.status, this.zeros]) this.c.memory.raster.free(address);
    this.attributes = this.status = this.zeros = 0;
  }

  /** Adds a draw to the job. Throws GpuFault, IsaError, ShaderTimeout, OutOfMemoryError. */
  draw(call: DrawCall, job: Job, countsSamples: boolean): void {
    if (call.count <= 0 || call.instances <= 0) return;
    this.reserve();
    if (!this.plan || !this.fits(this.plan, call, job, countsSamples)) {
      this.plan = null;
      this.plan = this.makePlan(call, job, countsSamples);
    }
    const { plan } = this;
    this.uploadConstants(plan, job);
    const address = job.allocate(DRAW.size);
    const { u32 } = this.c.memory.raster;
    u32.set(plan.words, address >>> 2);
    u32[(address >>> 2) + DRAW.word.identity] = job.draws.length;
    const { coverage, shade, instructions, fetches } = plan;
    job.draws.push({ draw: address, coverage, shade, counts: countsSamples, instructions, fetches });
    this.runGeometry(call, plan, address);
  }

  /** What was found out for the draw before may not hold any more: buffers may have moved. */
  forget(): void {
    this.plan = null;
  }

  private fits(plan: Plan, call: DrawCall, job: Job, countsSamples: boolean): boolean {
    return (
      plan.drawVersion === this.c.state.drawVersion &&
      plan.contents === this.c.contentsVersion() &&
      plan.job === job &&
      plan.topology === call.topology &&
      plan.isIndexed === call.isIndexed &&
      plan.countsSamples === countsSamples
    );
  }

  /** Reads all state but the uniforms. */
  private makePlan(call: DrawCall, job: Job, countsSamples: boolean): Plan {
    const { state, facts, engine, programs } = this.c;
    for (const text of unsimulatedStates(state, facts, job.targets)) this.c.notice(text);
    const raster = readRasterState(state);
    const varyings = readVaryingComponents(state, facts);
    const vertex = this.vertexCode(varyings, call.topology === 'points' && raster.programPointSize);
    const elements = readVertexElements(state, facts, countVertexElements(state));
    const fragment = this.pixelCode(job, varyings, raster);
    const vertexKey: VertexKey = {
      attributes: this.attributeKeys(elements),
      varyingSlots: varyings.length,
      textures: vertex.textures.map((texture) => texture?.key ?? null),
      capturesOutputs: false,
    };
    const fragmentKey = this.fragmentKey(job, fragment, countsSamples);
    const isLate =
      fragmentKey.lateDepthStencil !== null || this.isLate(fragment.translation, fragmentKey.alphaToCoverage);
    const tests = job.targets.depth ? readDepthStencil(state, job.targets.depth.format) : {};
    const words = drawWords(state, facts, job.targets, raster);
    words[DRAW.word.vertexTextures] = this.uploadTextures(job, vertex);
    words[DRAW.word.fragmentTextures] = this.uploadTextures(job, fragment);
    words[DRAW.word.attributes] = this.attributes;
    words[DRAW.word.status] = this.status;
    this.writeAttributes(elements);
    const vertices = programs.vertices(vertex.key, vertex.translation, vertexKey);
    const geometry: GeometryState = {
      topology: call.topology,
      indexBytes: call.isIndexed ? this.indexBytes() : 0,
      restart: call.isIndexed && state.field(R.FE_INDEX_STREAM_CONTROL, 'PRIMITIVE_RESTART') !== 0,
      provokingFirst: !raster.provokingLast,
      depthClamp: false,
      clipHalfZ: false,
      slots: varyings.length,
      flatMask: flatMask(fragment.translation),
    };
    return {
      drawVersion: state.drawVersion,
      contents: this.c.contentsVersion(),
      job,
      topology: call.topology,
      isIndexed: call.isIndexed,
      countsSamples,
      stages: { vertex, fragment },
      words,
      uniformVersion: 0,
      coverage: engine.coverage({
        samples: job.targets.samples === 1 ? 1 : 4,
        early: isLate ? {} : tests,
        counts: countsSamples && !isLate,
      }),
      shade: programs.shade(fragment.key, fragment.translation, fragmentKey),
      instructions: fragment.binary.program.length,
      fetches: fragment.binary.fetches,
      kernels: engine.geometryKernels(geometry),
      vertices: (draw, ids, count, out, instance) => {
        this.c.patience.check();
        this.vertices += count;
        this.vertexInstructions += count * vertex.binary.program.length;
        this.textureFetches += count * vertex.binary.fetches;
        return vertices(draw, ids, count, out, instance);
      },
      target: {
        job: job.header,
        tiles: job.tilesX * job.tilesY,
        addBlock: (bytes) => job.addBlock(bytes),
      },
    };
  }

  private indexBytes(): 1 | 2 | 4 {
    const code = this.c.state.field(R.FE_INDEX_STREAM_CONTROL, 'TYPE');
    const bytes = INDEX_BYTES[code];
    if (!bytes) throw new NotSimulatedError(`indices of type ${code}`);
    return bytes;
  }

  // --------------------------------------------------------------------------------------------------- programs

  private vertexCode(varyings: readonly number[], pointSize: boolean): StageCode {
    const { state, facts } = this.c;
    const ids = readIdPlaces(state, facts);
    return this.stageCode('vertex', () => ({
      inputs: readVertexInputs(state, facts),
      outputs: readVertexOutputs(state, facts, varyings, pointSize),
      vertexIdPlace: ids.vertexId,
      instanceIdPlace: ids.instanceId,
      zeroToOneDepth: facts.halti < 0,
      alphaTest: null,
      earlyTests: false,
    }));
  }

  private pixelCode(job: Job, varyings: readonly number[], raster: RasterState): StageCode {
    const { state, facts } = this.c;
    // Tests in the rasteriser (early) take place whatever the program does afterwards. Since HALTI5 a state says whether the
    // program's depth counts; before, what it leaves in t0.z does.
    const takesDepth =
      facts.halti >= 5
        ? state.field(R.RA_EARLY_DEPTH, 'FORWARD_Z') !== 0
        : state.field(R.RA_EARLY_DEPTH, 'TEST_ENABLE') === 0;
    return this.stageCode('fragment', (binary) => ({
      inputs: readPixelInputs(state, facts, varyings, raster.flatShade),
      outputs: readPixelOutputs(
        state,
        job.targets.colors.length,
        binary.writesDepth && takesDepth && job.targets.depth !== null,
      ),
      vertexIdPlace: null,
      instanceIdPlace: null,
      zeroToOneDepth: false,
      alphaTest: readAlphaTest(state),
      earlyTests: false,
    }));
  }

  private stageCode(
    stage: Stage,
    wiring: (binary: Binary) => Omit<ShaderInterface, 'stage' | 'samplers' | 'samplerBase' | 'uniformSlots'>,
  ): StageCode {
    const { state, facts, memory, programs, textures, textureStates } = this.c;
    const { key, binary } = programs.binary(readProgram(state, memory, facts, stage));
    const base = samplerBase(state, facts, stage);
    const bound: (BoundTexture | null)[] = [];
    for (const unit of binary.samplerUnits) {
      const textureState = textureStates.read(unit + base);
      if (textureState?.border === null && textureState.wrap.includes(CLAMP_TO_BORDER)) {
        this.c.notice('not simulated: border colours of samplers without descriptors');
      }
      while (bound.length <= unit + base) bound.push(null);
      bound[unit + base] = textureState && textures.bind(textureState, true);
    }
    const io: ShaderInterface = {
      stage,
      ...wiring(binary),
      samplers: bound.map(
        (texture) => texture && { dim: texture.key.dim, shadow: texture.shadow, resultType: texture.resultType },
      ),
      samplerBase: base,
      uniformSlots: Math.min(binary.uniformSlots, MAX_UNIFORM_SLOTS),
    };
    const { key: full, translation } = programs.translate(key, binary, io);
    return { key: full, binary, translation, textures: bound };
  }

  private isLate({ ir }: Translation, alphaToCoverage: boolean): boolean {
    return ir.usage.discard || ir.usage.writesDepth || alphaToCoverage;
  }

  private fragmentKey(job: Job, { translation, textures }: StageCode, countsSamples: boolean): FragmentKey {
    const { state, facts } = this.c;
    const { targets } = job;
    const tests = targets.depth ? readDepthStencil(state, targets.depth.format) : {};
    const alphaToCoverage = targets.samples > 1 && state.field(R.PS_MSAA_CONFIG, 'ALPHA_TO_COVERAGE') !== 0;
    const isLate = this.isLate(translation, alphaToCoverage);
    return {
      targets: targets.colors.map((color, index) => {
        const blend = readBlend(state, facts, index);
        return color && blend.colorMask !== 0 ? { format: color.format, blend } : null;
      }),
      samples: targets.samples === 1 ? 1 : 4,
      lateDepthStencil: isLate && !isDepthStencilIdle(tests) ? tests : null,
      countsSamples: countsSamples && isLate,
      alphaToCoverage,
      textures: textures.map((texture) => texture?.key ?? null),
      quadsPerStep: translation.quadsPerStep,
    };
  }

  // --------------------------------------------------------------------------------------------------- vertices

  private attributeKeys(elements: readonly VertexElement[]): VertexKey['attributes'] {
    const { state, facts } = this.c;
    return elements.map(({ format, stream }) => ({
      format,
      isInstanced: readVertexStream(state, facts, stream).divisor !== 0,
    }));
  }

  /** Points each attribute at its stream; what does not hold one whole element reads zeros. */
  private writeAttributes(elements: readonly VertexElement[]): void {
    const { state, facts, memory } = this.c;
    const { u32 } = memory.raster;
    for (const [location, { format, stream, offset }] of elements.entries()) {
      const { gpuAddress, stride, divisor } = readVertexStream(state, facts, stream);
      const { address, available } = memory.resolveRange(gpuAddress, `vertex stream ${stream}`);
      const word = (this.attributes + location * ATTRIBUTE.size) >>> 2;
      const room = available - offset - blockBytes(format);
      u32[word + ATTRIBUTE.word.address] = room >= 0 ? address + offset : this.zeros;
      u32[word + ATTRIBUTE.word.stride] = room >= 0 ? stride : 0;
      u32[word + ATTRIBUTE.word.divisor] = divisor;
      u32[word + ATTRIBUTE.word.maxIndex] = room >= 0 && stride > 0 ? Math.floor(room / stride) : 0;
    }
  }

  private runGeometry(call: DrawCall, plan: Plan, draw: number): void {
    const { state, engine, memory } = this.c;
    const { i32, u32 } = memory.raster;
    i32[(this.status >>> 2) + STATUS.word.loopBudget] = LOOP_BUDGET;
    u32[(this.status >>> 2) + STATUS.word.timedOut] = 0;
    let indices = 0;
    let count = call.count;
    if (call.isIndexed) {
      const gpuAddress = state.word(R.FE_INDEX_STREAM_BASE_ADDR);
      const { address, available } = memory.resolveRange(gpuAddress, 'index stream');
      const { indexBytes } = plan.kernels.state;
      const first = call.firstIndex * indexBytes;
      indices = address + first;
      count = Math.max(0, Math.min(count, Math.floor((available - first) / indexBytes)));
    }
    if (count === 0) return;
    const range = { indices, count, firstVertex: call.firstVertex, firstInstance: 0, instances: call.instances };
    const isDone = engine.runGeometry(plan.kernels, draw, range, plan.vertices, plan.target);
    if (!isDone) throw new OutOfMemoryError(0);
    if (memory.raster.u32[(this.status >>> 2) + STATUS.word.timedOut] !== 0) {
      throw new ShaderTimeout('a vertex shader did not end');
    }
  }

  // ------------------------------------------------------------------------------------ what programs read in memory

  /** Copies the uniforms for this draw and those after it, unless the draw before saw the same. */
  private uploadConstants(plan: Plan, job: Job): void {
    const { uniformVersion } = this.c.state;
    if (plan.uniformVersion === uniformVersion) return;
    const { words, stages } = plan;
    words[DRAW.word.vertexUniforms] = this.uploadUniforms(job, 'vertex', stages.vertex);
    words[DRAW.word.fragmentUniforms] = this.uploadUniforms(job, 'fragment', stages.fragment);
    words[DRAW.word.vertexUbos] = this.uploadPointers(job, 'vertex', stages.vertex);
    words[DRAW.word.fragmentUbos] = this.uploadPointers(job, 'fragment', stages.fragment);
    plan.uniformVersion = uniformVersion;
  }

  private uploadUniforms(job: Job, stage: Stage, code: StageCode): number {
    const { state, facts, memory } = this.c;
    const slots = Math.max(1, Math.min(code.binary.uniformSlots, MAX_UNIFORM_SLOTS));
    const address = job.allocate(slots * 16);
    const from = uniformBase(state, facts, stage) >>> 2;
    memory.raster.u32.set(state.words.subarray(from, from + slots * 4), address >>> 2);
    return address;
  }

  private uploadTextures(job: Job, { textures }: StageCode): number {
    const { raster } = this.c.memory;
    const address = job.allocate(Math.max(1, textures.length) * TEXTURE_BINDING.size);
    for (const [index, texture] of textures.entries()) {
      const word = (address + index * TEXTURE_BINDING.size) >>> 2;
      raster.u32[word + TEXTURE_BINDING.word.view] = texture?.view ?? 0;
      raster.u32[word + TEXTURE_BINDING.word.sampler] = texture?.sampler ?? 0;
    }
    return address;
  }

  /** Buffers behind the pointers in uniforms. */
  private uploadPointers(job: Job, stage: Stage, { translation }: StageCode): number {
    const { state, facts, memory } = this.c;
    const { pointers } = translation;
    const address = job.allocate(Math.max(1, pointers.length) * UBO.size);
    const base = uniformBase(state, facts, stage) >>> 2;
    for (const [index, { slot, component }] of pointers.entries()) {
      const gpuAddress = state.words[base + slot * 4 + component]!;
      const range = memory.resolveRange(gpuAddress, `buffer at uniform ${slot}`);
      const word = (address + index * UBO.size) >>> 2;
      memory.raster.u32[word + UBO.word.address] = range.address;
      memory.raster.u32[word + UBO.word.size] = range.available;
    }
    return address;
  }
}

function flatMask({ ir }: Translation): number {
  let mask = 0;
  for (const { slot, interpolation } of ir.inputs) {
    if (interpolation === 'flat' && slot.startsWith('var')) mask |= 1 << Number(slot.slice(3));
  }
  return mask;
}
