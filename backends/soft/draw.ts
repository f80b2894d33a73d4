// Takes draws into jobs: finds their code, copies what they read, runs their geometry, leaves primitives in the job's bins.

import { blockBytes } from '../../src/format/format.ts';
import { type DrawInfo, MAX_VERTEX_ATTRIBS, type PipeStatus, type ShaderStage } from '../../src/pipe/pipe.ts';
import type { Coverage, GeometryState, RasterEngine } from '../../src/raster/engine.ts';
import { ATTRIBUTE, BATCH, DRAW, STATUS, TEXTURE_BINDING, UBO } from '../../src/raster/layout.ts';
import { OutOfMemoryError, type RasterMemory } from '../../src/raster/memory.ts';
import type { StageBindings } from '../../src/util/bindings.ts';
import { TooComplexError } from '../../src/wasm/types.ts';
import type { SoftContext } from './context.ts';
import { type DrawAddresses, writeDraw } from './draw-state.ts';
import { finishWriters } from './hazards.ts';
import type { Job } from './job.ts';
import { type Pipeline, PipelineCompiler } from './pipeline.ts';
import type { SoftQuery } from './query.ts';
import type { SoftResource } from './resource.ts';
import type { SoftSampler, SoftSamplerView } from './sampler.ts';
import type { ShadeFunction, VerticesFunction } from './shader.ts';
import { type SoftStreamOutputTarget, StreamOutput } from './stream-output.ts';

/** A draw of a job, as the tile pass needs it; its place in `Job.commands` is DRAW.drawIndex. */
export interface DrawCommand {
  /** Address of the DRAW. */
  readonly draw: number;
  readonly coverage: Coverage;
  readonly shade: ShadeFunction;
  /** Occlusion queries that count it, or null. */
  readonly queries: readonly SoftQuery[] | null;
  /** Memory ran out half way through its geometry: nothing of it may be seen. */
  isDropped: boolean;
}

/** Loop back-edges that the shaders of one draw may take before the context is given up as hung. */
export const LOOP_BUDGET = 1 << 30;

/** Stands for kernels that a draw does not want. */
const doNothing = (): number => 0;

/** Arena addresses of what the last draw of a job read; reused while nothing changed. */
interface Uploaded {
  job: Job | null;
  vertexUniforms: number;
  fragmentUniforms: number;
  vertexTextures: number;
  fragmentTextures: number;
}

export class DrawRecorder {
  readonly #context: SoftContext;
  readonly #memory: RasterMemory;
  readonly #engine: RasterEngine;
  readonly #compiler: PipelineCompiler;
  readonly #streamOutput: StreamOutput;
  #pipeline: Pipeline | null = null;
  /** What the pipeline was resolved for besides bound state. */
  #pipelineText = '';
  readonly #uploaded: Uploaded = {
    job: null,
    vertexUniforms: 0,
    fragmentUniforms: 0,
    vertexTextures: 0,
    fragmentTextures: 0,
  };
  /** Attributes of the draw at work, the status of vertex shaders, and zeros for attributes out of range. */
  #attributes = 0;
  #status = 0;
  #zeros = 0;

  constructor(context: SoftContext) {
    this.#context = context;
    this.#memory = context.screen.memory;
    this.#engine = context.screen.engine;
    this.#compiler = new PipelineCompiler(this.#memory, this.#engine);
    this.#streamOutput = new StreamOutput(this.#memory);
  }

  markPipelineDirty(): void {
    this.#pipeline = null;
  }

  markTexturesDirty(stage: ShaderStage): void {
    this.#pipeline = null;
    this.#uploaded[stage === 'vertex' ? 'vertexTextures' : 'fragmentTextures'] = 0;
  }

  markConstantsDirty(stage: ShaderStage): void {
    this.#uploaded[stage === 'vertex' ? 'vertexUniforms' : 'fragmentUniforms'] = 0;
  }

  /** Takes one draw. Throws OutOfMemoryError. */
  draw(info: DrawInfo): PipeStatus {
    const { bindings } = this.#context;
    if (!bindings.vertexShader || !bindings.fragmentShader || info.count <= 0 || info.instanceCount <= 0) return 'ok';
    this.#finishSources();
    const job = this.#context.currentJob();
    const pipeline = this.#resolve(job);
    if (pipeline === null) return 'tooComplex';
    this.#prepareScratch();
    const command = this.#addCommand(job, pipeline, info.startInstance);
    this.#runGeometry(job, pipeline, command, info);
    return this.#checkTimeout();
  }

  /** Other jobs, and the current one, must have written what this draw samples and fetches. */
  #finishSources(): void {
    const { bindings } = this.#context;
    for (const stage of [bindings.vertex, bindings.fragment]) {
      for (const view of stage.views) if (view) finishWriters((view.resource as SoftResource).storage);
      for (const buffer of stage.buffers) if (buffer) finishWriters((buffer.buffer as SoftResource).storage);
    }
  }

  #resolve(job: Job): Pipeline | null {
    const { bindings } = this.#context;
    const counts = this.#occlusionQueries() !== null;
    const captures = bindings.streamOutputTargets.length > 0;
    const text = `${job.key}/${counts}/${captures}/${bindings.vertexBuffers.map((b) => (b.buffer ? 1 : 0)).join('')}`;
    if (this.#pipeline !== null && text === this.#pipelineText) return this.#pipeline;
    try {
      this.#pipeline = this.#compiler.resolve(bindings, job, counts, captures);
    } catch (error) {
      if (error instanceof TooComplexError) return null;
      throw error;
    }
    this.#pipelineText = text;
    return this.#pipeline;
  }

  #occlusionQueries(): SoftQuery[] | null {
    if (!this.#context.bindings.queriesActive) return null;
    const queries = [...this.#context.activeQueries].filter((query) => query.isOcclusion);
    return queries.length > 0 ? queries : null;
  }

  #prepareScratch(): void {
    if (this.#attributes !== 0) return;
    this.#status ||= this.#memory.allocateZeroed(STATUS.size);
    this.#zeros ||= this.#memory.allocateZeroed(16);
    this.#attributes = this.#memory.allocateZeroed(MAX_VERTEX_ATTRIBS * ATTRIBUTE.size);
  }

  #take(job: Job, bytes: number): number {
    const address = job.arena.allocate(bytes);
    if (address === 0 && bytes > 0) throw new OutOfMemoryError(bytes);
    return address;
  }

  #addCommand(job: Job, pipeline: Pipeline, startInstance: number): DrawCommand {
    const { bindings } = this.#context;
    const uploaded = this.#uploaded;
    if (uploaded.job !== job) {
      Object.assign(uploaded, {
        job,
        vertexUniforms: 0,
        fragmentUniforms: 0,
        vertexTextures: 0,
        fragmentTextures: 0,
      } satisfies Uploaded);
    }
    uploaded.vertexUniforms ||= this.#uploadConstants(job, bindings.vertex);
    uploaded.fragmentUniforms ||= this.#uploadConstants(job, bindings.fragment);
    uploaded.vertexTextures ||= this.#uploadTextures(job, bindings.vertex);
    uploaded.fragmentTextures ||= this.#uploadTextures(job, bindings.fragment);
    this.#retainTextures(job);
    this.#writeAttributes();
    const addresses: DrawAddresses = {
      vertexUniforms: uploaded.vertexUniforms,
      vertexUbos: this.#uploadUbos(job, bindings.vertex),
      vertexTextures: uploaded.vertexTextures,
      fragmentUniforms: uploaded.fragmentUniforms,
      fragmentUbos: this.#uploadUbos(job, bindings.fragment),
      fragmentTextures: uploaded.fragmentTextures,
      attributes: this.#attributes,
      status: this.#status,
    };
    const draw = this.#take(job, DRAW.size);
    const queries = this.#occlusionQueries();
    writeDraw(this.#memory, draw, bindings, job, addresses, job.commands.length, startInstance);
    const command: DrawCommand = {
      draw,
      coverage: pipeline.coverage,
      shade: pipeline.shade ?? doNothing,
      queries,
      isDropped: false,
    };
    job.commands.push(command);
    for (const attachment of job.attachments()) attachment.store = true;
    for (const query of queries ?? []) {
      job.queries.add(query);
      query.pending.add(job);
    }
    return command;
  }

  #uploadConstants(job: Job, stage: StageBindings): number {
    const { constants } = stage;
    // One slot more than none: generated code clamps its reads into the block.
    const address = this.#take(job, Math.max(constants.byteLength, 16));
    this.#memory.u32.set(constants, address >>> 2);
    return address;
  }

  #uploadTextures(job: Job, stage: StageBindings): number {
    const address = this.#take(job, Math.max(1, stage.views.length) * TEXTURE_BINDING.size);
    const { u32 } = this.#memory;
    for (let index = 0; index < stage.views.length; index++) {
      const view = stage.views[index] as SoftSamplerView | null;
      const sampler = stage.samplers[index] as SoftSampler | null | undefined;
      const word = (address + index * TEXTURE_BINDING.size) >>> 2;
      u32[word + TEXTURE_BINDING.word.view] = view?.address() ?? 0;
      u32[word + TEXTURE_BINDING.word.sampler] = sampler?.address() ?? 0;
    }
    return address;
  }

  #retainTextures(job: Job): void {
    for (const view of this.#context.bindings.fragment.views) {
      if (view) job.read((view.resource as SoftResource).storage);
    }
  }

  /** UBO structures of a stage; entry i is pipe constant buffer i + 1. */
  #uploadUbos(job: Job, stage: StageBindings): number {
    let count = stage.buffers.length;
    while (count > 1 && !stage.buffers[count - 1]) count--;
    const address = this.#take(job, Math.max(1, count - 1) * UBO.size);
    const { u32 } = this.#memory;
    for (let index = 1; index < count; index++) {
      const bound = stage.buffers[index];
      const word = (address + (index - 1) * UBO.size) >>> 2;
      const resource = bound?.buffer as SoftResource | undefined;
      const size = bound && resource ? Math.max(0, Math.min(bound.sizeBytes, resource.width - bound.offsetBytes)) : 0;
      u32[word + UBO.word.address] = size > 0 ? resource!.storage.address + bound!.offsetBytes : this.#zeros;
      u32[word + UBO.word.size] = size > 0 ? size : 16;
      if (size > 0) job.read(resource!.storage);
    }
    return address;
  }

  /** Points each attribute at its buffer range; what does not hold one whole element reads zeros (robust access). */
  #writeAttributes(): void {
    const { vertexElements, vertexBuffers } = this.#context.bindings;
    const { u32 } = this.#memory;
    const elements = vertexElements?.description.elements ?? [];
    for (let location = 0; location < elements.length; location++) {
      const element = elements[location];
      const bound = element && vertexBuffers[element.bufferIndex];
      if (!element || !bound?.buffer) continue;
      const word = (this.#attributes + location * ATTRIBUTE.size) >>> 2;
      const resource = bound.buffer as SoftResource;
      const start = bound.offsetBytes + element.offsetBytes;
      const room = resource.width - start - blockBytes(element.format);
      const isReadable = room >= 0;
      u32[word + ATTRIBUTE.word.address] = isReadable ? resource.storage.address + start : this.#zeros;
      u32[word + ATTRIBUTE.word.stride] = isReadable ? bound.strideBytes : 0;
      u32[word + ATTRIBUTE.word.divisor] = element.instanceDivisor;
      const last = bound.strideBytes > 0 ? Math.floor(room / bound.strideBytes) : 0;
      u32[word + ATTRIBUTE.word.maxIndex] = isReadable ? last : 0;
    }
  }

  #runGeometry(job: Job, pipeline: Pipeline, command: DrawCommand, info: DrawInfo): void {
    const rasterizer = this.#context.bindings.rasterizer!.description;
    const state: GeometryState = {
      topology: info.mode,
      indexBytes: info.indexBuffer ? info.indexSize : 0,
      restart: info.indexBuffer !== null && info.primitiveRestart,
      provokingFirst: rasterizer.provokingVertexFirst,
      depthClamp: !rasterizer.depthClip,
      slots: pipeline.slots,
      flatMask: pipeline.flatMask,
    };
    const range = this.#drawRange(info);
    if (range.count === 0) return;
    this.#memory.i32[(this.#status >>> 2) + STATUS.word.loopBudget] = LOOP_BUDGET;
    this.#memory.u32[(this.#status >>> 2) + STATUS.word.timedOut] = 0;
    const kernels = this.#engine.geometryKernels(state);
    const isDone = this.#engine.runGeometry(
      rasterizer.rasterizerDiscard ? { ...kernels, transform: doNothing, setup: doNothing } : kernels,
      command.draw,
      range,
      this.#observedVertices(pipeline, info),
      { job: job.arena.header, tiles: job.tilesX * job.tilesY, addBlock: (bytes) => job.arena.addBlock(bytes) },
    );
    if (!isDone) {
      command.isDropped = true;
      throw new OutOfMemoryError(0);
    }
  }

  /** Elements that lie in the index buffer; the rest of an out-of-range draw is not drawn. */
  #drawRange(info: DrawInfo) {
    const { startInstance: _, instanceCount: instances } = info;
    const base = { firstInstance: 0, instances };
    const indexBuffer = info.indexBuffer as SoftResource | null;
    if (indexBuffer === null) return { ...base, indices: 0, count: info.count, firstVertex: info.start };
    finishWriters(indexBuffer.storage);
    const offset = info.indexOffsetBytes + info.start * info.indexSize;
    const available = Math.max(0, Math.floor((indexBuffer.width - offset) / info.indexSize));
    return {
      ...base,
      indices: indexBuffer.storage.address + offset,
      count: Math.min(info.count, available),
      firstVertex: info.baseVertex,
    };
  }

  /** The vertex program, with transform feedback and primitive counts after each batch where they are wanted. */
  #observedVertices(pipeline: Pipeline, info: DrawInfo): VerticesFunction {
    const { bindings, activeQueries } = this.#context;
    const targets = bindings.streamOutputTargets as readonly SoftStreamOutputTarget[];
    const description = bindings.vertexShader!.description.streamOutput;
    const generated: SoftQuery[] = [];
    const emitted: SoftQuery[] = [];
    if (bindings.queriesActive) {
      for (const query of activeQueries) {
        if (query.type === 'primitivesGenerated') generated.push(query);
        else if (query.type === 'primitivesEmitted') emitted.push(query);
      }
    }
    const captures = targets.length > 0 && description !== null;
    if (!captures && generated.length === 0) return pipeline.vertices;
    if (captures) this.#streamOutput.prepare(targets);
    const { batch } = this.#engine;
    return (draw, ids, count, out, instance) => {
      pipeline.vertices(draw, ids, count, out, instance);
      const primitives = this.#memory.u32[(batch >>> 2) + BATCH.word.primitiveCount]!;
      for (const query of generated) query.count += primitives;
      if (!captures) return;
      const written = this.#streamOutput.capture(batch, info.mode, description, targets);
      for (const query of emitted) query.count += written;
    };
  }

  #checkTimeout(): PipeStatus {
    if (this.#memory.u32[(this.#status >>> 2) + STATUS.word.timedOut] === 0) return 'ok';
    this.#context.screen.lose('a vertex shader did not end: its loops took more than a billion steps in one draw');
    return 'lost';
  }

  destroy(): void {
    this.#compiler.destroy();
    for (const address of [this.#attributes, this.#status, this.#zeros]) this.#memory.free(address);
    this.#attributes = this.#status = this.#zeros = 0;
  }
}
