// Draws: finds the code for the state in force, runs vertices and primitives, leaves the rest to the tile pass.

import { blockBytes } from '../../../src/format/format.ts';
import type { GeometryState } from '../../../src/raster/engine.ts';
import { ATTRIBUTE, DRAW, STATUS, TEXTURE_BINDING, UBO } from '../../../src/raster/layout.ts';
import { OutOfMemoryError } from '../../../src/raster/memory.ts';
import { REGISTERS } from '../registers/registers.ts';
import { readVertexStream, type VertexElement } from './draw-state.ts';
import { type Job, LOOP_BUDGET, ShaderTimeout, type VerticesFunction } from './job.ts';
import type { Patience } from './patience.ts';
import {
  type DrawShape,
  MAX_UNIFORM_SLOTS,
  type PipelineCode,
  type PipelineContext,
  PipelineMaker,
  type StageCode,
} from './pipeline.ts';
import { uniformBase } from './shader-state.ts';
import type { StateReads } from './state.ts';

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

/** What draws need besides what pipelines are made from. */
export interface DrawContext extends PipelineContext {
  /** Grows when memory changes, or what the GPU sees of it. */
  readonly contentsVersion: () => number;
  readonly patience: Patience;
}

const R = REGISTERS;
const MAX_ATTRIBUTES = 32;
/** Pipelines that are kept, and those of one hash. */
const MAX_PIPELINES = 1024;
const MAX_IN_BUCKET = 8;
/** Uniforms that are copied word by word: a view for the whole range costs more. */
const FEW_WORDS = 64;

/** A pipeline, and what it is good for. */
interface Pipeline extends PipelineCode, DrawShape {
  /** What must hold for it. */
  readonly reads: StateReads;
  /** Of the targets. */
  readonly targetShape: string;
  readonly runVertices: VerticesFunction;
  /** The memory, and the texture copies, that its programs and textures were looked for in. */
  contents: number;
  generation: number;
  /** The job whose memory holds what `words` points to, and the uniforms among that. */
  job: number;
  uniformVersion: number;
}

export class Drawer {
  private readonly c: DrawContext;
  private readonly maker: PipelineMaker;
  private attributes = 0;
  private status = 0;
  private zeros = 0;
  /** By hash of the state. */
  private readonly pipelines = new Map<number, Pipeline[]>();
  private pipelineCount = 0;
  /** Of the draw before, and the state it was found for. */
  private current: Pipeline | null = null;
  private currentVersion = 0;
  /** For the counters. */
  vertices = 0;
  vertexInstructions = 0;
  textureFetches = 0;

  constructor(context: DrawContext) {
    this.c = context;
    this.maker = new PipelineMaker(context);
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
    const pipeline = this.pipelineFor({ topology: call.topology, isIndexed: call.isIndexed, countsSamples }, job);
    this.uploadConstants(pipeline, job);
    const address = job.allocate(DRAW.size);
    const { u32 } = this.c.memory.raster;
    u32.set(pipeline.words, address >>> 2);
    u32[(address >>> 2) + DRAW.word.identity] = job.draws.length;
    const { coverage, shade, fragment } = pipeline;
    const { program, fetches } = fragment.binary;
    job.draws.push({ draw: address, coverage, shade, counts: countsSamples, instructions: program.length, fetches });
    try {
      this.runGeometry(call, pipeline, address, job);
    } catch (error) {
      job.voidLast();
      throw error;
    }
  }

  /** The GPU is idle: what lies in a job's memory is gone. */
  forget(): void {
    this.current = null;
  }

  private pipelineFor(shape: DrawShape, job: Job): Pipeline {
    const { state } = this.c;
    const { current } = this;
    if (
      current &&
      this.currentVersion === state.drawVersion &&
      current.contents === this.c.contentsVersion() &&
      current.job === job.number &&
      isShape(current, shape)
    ) {
      return current;
    }
    this.current = null;
    const pipeline = this.find(shape, job) ?? this.make(shape, job);
    if (pipeline.job !== job.number) {
      pipeline.job = job.number;
      pipeline.uniformVersion = 0;
      pipeline.words[DRAW.word.vertexTextures] = this.uploadTextures(job, pipeline.vertex);
      pipeline.words[DRAW.word.fragmentTextures] = this.uploadTextures(job, pipeline.fragment);
    }
    this.writeAttributes(pipeline.elements);
    this.currentVersion = state.drawVersion;
    this.current = pipeline;
    return pipeline;
  }

  private find(shape: DrawShape, { targets }: Job): Pipeline | null {
    const { state, textures } = this.c;
    const bucket = this.pipelines.get(state.drawHash);
    if (!bucket) return null;
    const place = bucket.findIndex(
      (known) => isShape(known, shape) && known.targetShape === targets.shape && state.hold(known.reads),
    );
    if (place < 0) return null;
    const pipeline = bucket[place]!;
    const contents = this.c.contentsVersion();
    if (pipeline.contents === contents && pipeline.generation === textures.generation) return pipeline;
    pipeline.job = 0;
    if (!this.maker.refresh(pipeline.vertex) || !this.maker.refresh(pipeline.fragment)) {
      bucket.splice(place, 1);
      this.pipelineCount--;
      return null;
    }
    pipeline.contents = contents;
    pipeline.generation = textures.generation;
    return pipeline;
  }

  private make(shape: DrawShape, job: Job): Pipeline {
    const { state, textures, patience } = this.c;
    const { found: code, reads } = state.record(() => this.maker.make(job, shape));
    const { vertices } = code;
    const { program, fetches } = code.vertex.binary;
    code.words[DRAW.word.attributes] = this.attributes;
    code.words[DRAW.word.status] = this.status;
    const pipeline: Pipeline = {
      ...code,
      ...shape,
      reads,
      targetShape: job.targets.shape,
      runVertices: (draw, ids, count, out, instance) => {
        patience.check();
        this.vertices += count;
        this.vertexInstructions += count * program.length;
        this.textureFetches += count * fetches;
        return vertices(draw, ids, count, out, instance);
      },
      contents: this.c.contentsVersion(),
      generation: textures.generation,
      job: 0,
      uniformVersion: 0,
    };
    this.keep(pipeline);
    return pipeline;
  }

  private keep(pipeline: Pipeline): void {
    if (this.pipelineCount >= MAX_PIPELINES) {
      this.pipelines.clear();
      this.maker.forget();
      this.pipelineCount = 0;
    }
    const { drawHash } = this.c.state;
    const bucket = this.pipelines.get(drawHash) ?? [];
    if (bucket.length === 0) this.pipelines.set(drawHash, bucket);
    if (bucket.push(pipeline) > MAX_IN_BUCKET) bucket.shift();
    else this.pipelineCount++;
  }

  // --------------------------------------------------------------------------------------------------- vertices

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

  private runGeometry(call: DrawCall, { kernels, runVertices }: Pipeline, draw: number, job: Job): void {
    const { state, engine, memory } = this.c;
    const { i32, u32 } = memory.raster;
    i32[(this.status >>> 2) + STATUS.word.loopBudget] = LOOP_BUDGET;
    u32[(this.status >>> 2) + STATUS.word.timedOut] = 0;
    let indices = 0;
    let count = call.count;
    if (call.isIndexed) {
      const gpuAddress = state.word(R.FE_INDEX_STREAM_BASE_ADDR);
      const { address, available } = memory.resolveRange(gpuAddress, 'index stream');
      const { indexBytes } = kernels.state;
      const first = call.firstIndex * indexBytes;
      indices = address + first;
      count = Math.max(0, Math.min(count, Math.floor((available - first) / indexBytes)));
    }
    if (count === 0) return;
    const range = { indices, count, firstVertex: call.firstVertex, firstInstance: 0, instances: call.instances };
    const isDone = engine.runGeometry(kernels, draw, range, runVertices, job.geometry);
    if (!isDone) throw new OutOfMemoryError(0);
    if (memory.raster.u32[(this.status >>> 2) + STATUS.word.timedOut] !== 0) {
      throw new ShaderTimeout('a vertex shader did not end');
    }
  }

  // ------------------------------------------------------------------------------------ what programs read in memory

  /** Copies the uniforms for this draw and those after it, unless the draw before saw the same. */
  private uploadConstants(pipeline: Pipeline, job: Job): void {
    const { uniformVersion } = this.c.state;
    if (pipeline.uniformVersion === uniformVersion) return;
    const { words, vertex, fragment } = pipeline;
    words[DRAW.word.vertexUniforms] = this.uploadUniforms(job, vertex);
    words[DRAW.word.fragmentUniforms] = this.uploadUniforms(job, fragment);
    words[DRAW.word.vertexUbos] = this.uploadPointers(job, vertex);
    words[DRAW.word.fragmentUbos] = this.uploadPointers(job, fragment);
    pipeline.uniformVersion = uniformVersion;
  }

  private uploadUniforms(job: Job, { stage, binary }: StageCode): number {
    const { state, facts, memory } = this.c;
    const words = Math.max(1, Math.min(binary.uniformSlots, MAX_UNIFORM_SLOTS)) * 4;
    const address = job.allocate(words * 4);
    const base = uniformBase(state, facts, stage);
    const { u32 } = memory.raster;
    if (words > FEW_WORDS) u32.set(state.range(base, words), address >>> 2);
    else for (let word = 0; word < words; word++) u32[(address >>> 2) + word] = state.words[(base >>> 2) + word]!;
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
  private uploadPointers(job: Job, { stage, translation }: StageCode): number {
    const { state, facts, memory } = this.c;
    const { pointers } = translation;
    if (pointers.length === 0) return 0;
    const address = job.allocate(pointers.length * UBO.size);
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

function isShape(pipeline: DrawShape, shape: DrawShape): boolean {
  return (
    pipeline.topology === shape.topology &&
    pipeline.isIndexed === shape.isIndexed &&
    pipeline.countsSamples === shape.countsSamples
  );
}
