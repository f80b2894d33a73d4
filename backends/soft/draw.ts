// Takes draws into jobs: finds their code, copies what they read, runs their geometry, leaves primitives in the job's bins.
// A draw whose state has not changed makes no garbage: everything here is reused.

import { profile } from '../../src/base/profile.ts';
import { blockBytes } from '../../src/format/format.ts';
import { type DrawInfo, MAX_VERTEX_ATTRIBS, type PipeStatus } from '../../src/pipe/pipe.ts';
import { PRIMITIVE_VERTICES } from '../../src/raster/assemble.ts';
import type { GeometryKernels, RasterEngine } from '../../src/raster/engine.ts';
import { ATTRIBUTE, DRAW, STATUS } from '../../src/raster/layout.ts';
import { OutOfMemoryError, type RasterMemory } from '../../src/raster/memory.ts';
import type { StageBindings } from '../../src/util/bindings.ts';
import type { SoftContext } from './context.ts';
import { DrawState } from './draw-state.ts';
import { DrawUploads, takeFrom } from './draw-uploads.ts';
import { finishWriters } from './hazards.ts';
import { type Job, jobsMade } from './job.ts';
import { PipelineCompiler } from './pipeline.ts';
import type { Pipeline } from './pipeline-cache.ts';
import { type SoftResource, storageRenames } from './resource.ts';
import type { SoftVertexShader, VerticesFunction } from './shader.ts';
import { DIRTY } from './state.ts';
import { isLargeDraw, VertexObserver } from './vertex-observer.ts';

/** Stands for kernels that a draw does not want. */
const doNothing = (): number => 0;

const TOPOLOGIES = Object.fromEntries(Object.keys(PRIMITIVE_VERTICES).map((name, index) => [name, index])) as Record<
  DrawInfo['mode'],
  number
>;

/** Memory of the recorder itself: a STATUS for vertex shaders, zeros for what is out of range, the draw's attributes. */
const STATUS_AT = 0;
const ZEROS_AT = STATUS_AT + STATUS.size;
const ATTRIBUTES_AT = ZEROS_AT + 16;
const SCRATCH_BYTES = ATTRIBUTES_AT + MAX_VERTEX_ATTRIBS * ATTRIBUTE.size;

/** Primitives of that many vertices (strips and fans: restarts not counted). */
function countPrimitives(mode: DrawInfo['mode'], count: number): number {
  const vertices = PRIMITIVE_VERTICES[mode];
  if (mode === 'lineLoop') return count > 1 ? count : 0;
  if (mode === 'points' || mode === 'lines' || mode === 'triangles') return Math.floor(count / vertices);
  return Math.max(0, count - vertices + 1);
}

export class DrawRecorder {
  readonly #context: SoftContext;
  readonly #memory: RasterMemory;
  readonly #engine: RasterEngine;
  readonly #compiler: PipelineCompiler;
  readonly #state = new DrawState();
  readonly #uploads: DrawUploads;
  readonly #observer: VertexObserver;
  #pipeline: Pipeline | null = null;
  /** The job of the last draw: what is up to date is so in its arena. */
  #job: Job | null = null;
  /** `jobsMade()` and `storageRenames()` when the last draw's sources were waited for and its attributes written. */
  #jobsSeen = 0;
  #renamesSeen = 0;
  #scratch = 0;
  /** What the geometry kernels are called with. */
  readonly #range = { indices: 0, count: 0, firstVertex: 0, maxVertex: 0xffffffff, firstInstance: 0, instances: 1 };
  readonly #target = { job: 0, tiles: 0, addBlock: (bytes: number): boolean => this.#job!.arena.addBlock(bytes) };

  constructor(context: SoftContext) {
    this.#context = context;
    this.#memory = context.screen.memory;
    this.#engine = context.screen.engine;
    this.#compiler = new PipelineCompiler(this.#memory, this.#engine);
    this.#uploads = new DrawUploads(this.#memory, this.#state.words);
    this.#observer = new VertexObserver(this.#memory);
  }

  /** Takes one draw. Throws OutOfMemoryError; nothing of the draw is seen then. */
  draw(info: DrawInfo): PipeStatus {
    const context = this.#context;
    const { bindings } = context;
    if (!bindings.vertexShader || !bindings.fragmentShader || info.count <= 0 || info.instanceCount <= 0) return 'ok';
    if (this.#scratch === 0) this.#allocateScratch();
    this.#finishSources();
    const indexBuffer = info.indexBuffer as SoftResource | null;
    if (indexBuffer) finishWriters(indexBuffer.storage);
    if (bindings.streamOutputTargets.length > 0) this.#observer.prepareTargets(bindings.streamOutputTargets);
    const job = context.currentJob();
    if (job === null) return 'lost';
    if (job !== this.#job) {
      this.#job = job;
      context.dirty = DIRTY.ALL;
    }
    const isPoints = info.mode === 'points';
    if (isPoints !== context.drawTraits.isPoints) {
      context.drawTraits.isPoints = isPoints;
      context.dirty |= DIRTY.PIPELINE;
    }
    const pipeline = this.#bringUpToDate(job);
    if (pipeline === null) return 'tooComplex';
    const address = takeFrom(job, DRAW.size);
    if (!pipeline.discardsPrimitives) {
      this.#addToTilePass(job, pipeline.shade !== null);
      job.usesDepth ||= pipeline.usesDepth;
      job.usesStencil ||= pipeline.usesStencil;
    }
    this.#state.write(this.#memory, address, info);
    const start = profile.begin();
    this.#runGeometry(job, pipeline, address, info);
    if (profile.isOn) {
      profile.end('geometry', start);
      profile.counts.draws++;
      profile.counts.primitivesIn += countPrimitives(info.mode, info.count) * info.instanceCount;
    }
    return this.#checkTimeout();
  }

  /** Other jobs, and the current one, must have written what this draw samples and reads as uniforms. */
  #finishSources(): void {
    const { bindings, dirty } = this.#context;
    const jobs = jobsMade();
    const isNew = jobs !== this.#jobsSeen;
    if (isNew || dirty & (DIRTY.VERTEX_TEXTURES | DIRTY.VERTEX_BLOCKS)) finishSources(bindings.vertex);
    if (isNew || dirty & (DIRTY.FRAGMENT_TEXTURES | DIRTY.FRAGMENT_BLOCKS)) finishSources(bindings.fragment);
    this.#jobsSeen = jobs;
  }

  #allocateScratch(): void {
    this.#scratch = this.#memory.allocateZeroed(SCRATCH_BYTES);
    const { words } = this.#state;
    words[DRAW.word.status] = this.#scratch + STATUS_AT;
    words[DRAW.word.attributes] = this.#scratch + ATTRIBUTES_AT;
  }

  /** Code and data for what is bound; null when the shader is too complex. What fails is tried again at the next draw. */
  #bringUpToDate(job: Job): Pipeline | null {
    const context = this.#context;
    const { bindings, dirty } = context;
    if (dirty & DIRTY.PIPELINE) this.#pipeline = this.#compiler.resolve(bindings, job, context.drawTraits);
    if (this.#pipeline === null) return null;
    if (dirty & DIRTY.PIPELINE) {
      this.#state.words[DRAW.word.coverage] = job.numberOf(this.#pipeline.coverage);
      this.#state.words[DRAW.word.shade] = job.numberOf(this.#pipeline.shade);
    }
    this.#uploads.update(dirty, bindings, job, this.#scratch + ZEROS_AT);
    if (dirty & ~DIRTY.PIPELINE) this.#state.update(dirty, bindings, job);
    if (dirty !== 0) this.#state.setOverwrites(this.#pipeline.overwrites);
    if (dirty & (DIRTY.PIPELINE | DIRTY.VERTEX_BUFFERS) || storageRenames() !== this.#renamesSeen) {
      this.#renamesSeen = storageRenames();
      this.#writeAttributes();
    }
    context.dirty = 0;
    return this.#pipeline;
  }

  #addToTilePass(job: Job, isShaded: boolean): void {
    const counters = isShaded ? this.#context.shadedCounters : this.#context.occlusionCounters;
    this.#state.words[DRAW.word.sampleCounts] = counters === null ? 0 : job.sampleCountsFor(counters);
    job.drawCount++;
    job.markDrawn();
  }

  /** Points each attribute at its buffer range; what does not hold one whole element reads zeros (robust access). */
  #writeAttributes(): void {
    const { vertexElements, vertexBuffers } = this.#context.bindings;
    if (vertexElements === null) return;
    const { u32 } = this.#memory;
    const { elements } = vertexElements.description;
    for (let location = 0; location < elements.length; location++) {
      const element = elements[location];
      if (!element) continue;
      const bound = vertexBuffers[element.bufferIndex];
      if (!bound?.buffer) continue;
      const resource = bound.buffer as SoftResource;
      const start = bound.offsetBytes + element.offsetBytes;
      const room = resource.width - start - blockBytes(element.format);
      const at = (this.#scratch + ATTRIBUTES_AT + location * ATTRIBUTE.size) >>> 2;
      const isReadable = room >= 0;
      u32[at + ATTRIBUTE.word.address] = isReadable ? resource.storage.address + start : this.#scratch + ZEROS_AT;
      u32[at + ATTRIBUTE.word.stride] = isReadable ? bound.strideBytes : 0;
      u32[at + ATTRIBUTE.word.divisor] = element.instanceDivisor;
      u32[at + ATTRIBUTE.word.maxIndex] =
        isReadable && bound.strideBytes > 0 ? Math.floor(room / bound.strideBytes) : 0;
    }
  }

  #runGeometry(job: Job, pipeline: Pipeline, address: number, info: DrawInfo): void {
    const kernels = this.#geometryKernels(pipeline, info);
    const target = this.#target;
    target.job = job.arena.header;
    target.tiles = job.tilesX * job.tilesY;
    this.#setRange(info);
    let isDone = false;
    try {
      const vertices = this.#beginVertices(pipeline, info);
      isDone =
        this.#range.count === 0 ||
        this.#shareGeometry(job, pipeline, kernels, address) ||
        this.#engine.runGeometry(kernels, address, this.#range, vertices, target);
      if (!isDone) throw new OutOfMemoryError(0);
    } finally {
      if (!isDone) {
        this.#memory.u32[(address >>> 2) + DRAW.word.isDropped] = 1;
        this.#observer.rollBack();
      }
    }
  }

  /** Has all threads run the draw's geometry. False: it is not for them. What must be seen batch by batch stays here. */
  #shareGeometry(job: Job, pipeline: Pipeline, kernels: GeometryKernels, address: number): boolean {
    const { screen, bindings, primitiveCounters } = this.#context;
    if (pipeline.discardsPrimitives || primitiveCounters !== null || bindings.streamOutputTargets.length > 0)
      return false;
    const outcome = screen.sharedGeometry.run(job, address, this.#range, kernels, pipeline.vertices);
    if (outcome === 'stopped') this.#memory.u32[((this.#scratch + STATUS_AT) >>> 2) + STATUS.word.timedOut] = 1;
    else if (outcome === 'lost') screen.lose('a worker thread died while it worked on the vertices of a draw');
    return outcome !== null;
  }

  /** Elements that lie in the index buffer; the rest of an out-of-range draw is not drawn. */
  #setRange(info: DrawInfo): void {
    const range = this.#range;
    const indexBuffer = info.indexBuffer as SoftResource | null;
    range.instances = info.instanceCount;
    if (indexBuffer === null) {
      range.indices = 0;
      range.count = info.count;
      range.firstVertex = info.start;
      return;
    }
    const offset = info.indexOffsetBytes + info.start * info.indexSize;
    const available = Math.max(0, Math.floor((indexBuffer.width - offset) / info.indexSize));
    range.indices = indexBuffer.storage.address + offset;
    range.count = Math.min(info.count, available);
    range.firstVertex = info.baseVertex;
  }

  #geometryKernels(pipeline: Pipeline, info: DrawInfo): GeometryKernels {
    const { provokingVertexFirst, depthClip, clipHalfZ } = this.#context.bindings.rasterizer!.description;
    const indexBytes = info.indexBuffer ? info.indexSize : 0;
    const restart = info.indexBuffer !== null && info.primitiveRestart;
    const flags = (restart ? 1 : 0) | (provokingVertexFirst ? 2 : 0) | (depthClip ? 4 : 0) | (clipHalfZ ? 8 : 0);
    const index = (TOPOLOGIES[info.mode] * 8 + indexBytes) * 16 + flags;
    let kernels = pipeline.geometry[index];
    if (kernels === undefined) {
      kernels = this.#engine.geometryKernels({
        topology: info.mode,
        indexBytes,
        restart,
        provokingFirst: provokingVertexFirst,
        depthClamp: !depthClip,
        clipHalfZ,
        slots: pipeline.slots,
        flatMask: pipeline.flatMask,
        extras: pipeline.extras,
      });
      if (pipeline.discardsPrimitives) kernels = { ...kernels, transform: doNothing, setup: doNothing };
      pipeline.geometry[index] = kernels;
    }
    return kernels;
  }

  /** The vertex program as it is, or watched where batches must be counted, captured or kept from running for ever. */
  #beginVertices(pipeline: Pipeline, info: DrawInfo): VerticesFunction {
    const { bindings, primitiveCounters } = this.#context;
    const { hasLoops, description } = bindings.vertexShader as SoftVertexShader;
    const captures = description.streamOutput !== null && bindings.streamOutputTargets.length > 0;
    this.#observer.begin();
    const isWatched = captures || hasLoops || isLargeDraw(info.count, info.instanceCount);
    if (!isWatched && primitiveCounters === null) return pipeline.vertices;
    return this.#observer.watch(
      pipeline.vertices,
      info.mode,
      this.#engine.batch,
      this.#scratch + STATUS_AT,
      captures ? description.streamOutput : null,
      bindings.streamOutputTargets,
      primitiveCounters,
    );
  }

  #checkTimeout(): PipeStatus {
    if (this.#memory.u32[(this.#scratch + STATUS_AT + STATUS.offset.timedOut) >>> 2] === 0) {
      return this.#context.isLost ? 'lost' : 'ok';
    }
    this.#memory.u32[(this.#scratch + STATUS_AT + STATUS.offset.timedOut) >>> 2] = 0;
    this.#context.screen.lose('a vertex shader did not end: its loops took too many steps, or its draw too much time');
    return 'lost';
  }

  destroy(): void {
    this.#compiler.destroy();
    this.#memory.free(this.#scratch);
    this.#scratch = 0;
    this.#job = null;
  }
}

function finishSources(stage: StageBindings): void {
  const { views, buffers } = stage;
  for (let index = 0; index < views.length; index++) {
    const view = views[index];
    if (view) finishWriters((view.resource as SoftResource).storage);
  }
  for (let index = 1; index < buffers.length; index++) {
    const bound = buffers[index];
    if (bound) finishWriters((bound.buffer as SoftResource).storage);
  }
}
