// The pipe context of soft: keeps what is bound, finds the job of the bound surfaces, hands work on.

import type { Format } from '../../src/format/format.ts';
import {
  type BlendDescription,
  type BlendState,
  type BlitInfo,
  type Box,
  CLEAR,
  type ClearInfo,
  type ColorValue,
  type ConstantBuffer,
  type Context,
  type DepthStencilAlphaDescription,
  type DepthStencilAlphaState,
  type DrawInfo,
  type Fence,
  FLUSH,
  type FragmentShaderState,
  type FramebufferState,
  type PipeStatus,
  type Query,
  type QueryType,
  type RasterizerDescription,
  type RasterizerState,
  type Rect,
  type Resource,
  type SamplerDescription,
  type SamplerState,
  type SamplerView,
  type SamplerViewTemplate,
  type ShaderDescription,
  type ShaderStage,
  type StencilReference,
  type StreamOutputTarget,
  type Surface,
  type Transfer,
  type VertexBuffer,
  type VertexElementsDescription,
  type VertexElementsState,
  type VertexShaderState,
  type ViewportState,
} from '../../src/pipe/pipe.ts';
import { OutOfMemoryError } from '../../src/raster/memory.ts';
import { type Bindings, createBindings } from '../../src/util/bindings.ts';
import { Blitter } from '../../src/util/blitter/blitter.ts';
import { blitDirect, copyRegion } from './blit.ts';
import { clearFramebuffer } from './clear.ts';
import { debugFlags } from './debug.ts';
import { DrawRecorder } from './draw.ts';
import { Job, jobKey } from './job.ts';
import { SoftFence, SoftQuery } from './query.ts';
import { resolveSamples } from './resolve.ts';
import { SoftSampler, SoftSamplerView } from './sampler.ts';
import type { SoftScreen } from './screen.ts';
import { type SoftFragmentShader, SoftShader, type SoftVertexShader } from './shader.ts';
import { SoftStreamOutputTarget } from './stream-output.ts';
import { TilePass } from './tile-pass.ts';
import * as transfer from './transfer.ts';

/** A job whose transient memory outgrows this is run and goes on with its tiles reloaded. */
const JOB_MEMORY_LIMIT_BYTES = 256 << 20;

export class SoftContext implements Context {
  readonly screen: SoftScreen;
  readonly bindings: Bindings = createBindings();
  /** Occlusion and primitive queries between begin and end. */
  readonly activeQueries = new Set<SoftQuery>();
  readonly #blitter: Blitter;
  readonly #recorder: DrawRecorder;
  readonly #tilePass: TilePass;
  /** Jobs not yet run, oldest first. */
  readonly #jobs = new Map<string, Job>();
  /** Memory of destroyed views and samplers that pending jobs may still read. */
  #deferredFrees: number[] = [];
  #framebufferKey = '';
  readonly #onDestroy: () => void;
  #isDestroyed = false;

  constructor(screen: SoftScreen, onDestroy: () => void) {
    this.screen = screen;
    this.#onDestroy = onDestroy;
    this.#recorder = new DrawRecorder(this);
    this.#tilePass = new TilePass(screen);
    this.#blitter = new Blitter(this, this.bindings, {
      singleTriangleNearest: true,
      exactNearest: true,
      resolve: (resource, layer, format) => resolveSamples(this.screen, resource, layer, format),
    });
    this.#framebufferKey = jobKey(this.bindings.framebuffer);
  }

  // ---- State objects

  createBlendState(description: BlendDescription): BlendState {
    return { kind: 'blend', description };
  }
  bindBlendState(state: BlendState): void {
    this.bindings.blend = state;
    this.#recorder.markPipelineDirty();
  }
  deleteBlendState(): void {}

  createDepthStencilAlphaState(description: DepthStencilAlphaDescription): DepthStencilAlphaState {
    return { kind: 'depthStencilAlpha', description };
  }
  bindDepthStencilAlphaState(state: DepthStencilAlphaState): void {
    this.bindings.depthStencilAlpha = state;
    this.#recorder.markPipelineDirty();
  }
  deleteDepthStencilAlphaState(): void {}

  createRasterizerState(description: RasterizerDescription): RasterizerState {
    return { kind: 'rasterizer', description };
  }
  bindRasterizerState(state: RasterizerState): void {
    this.bindings.rasterizer = state;
    this.#recorder.markPipelineDirty();
  }
  deleteRasterizerState(): void {}

  createVertexElementsState(description: VertexElementsDescription): VertexElementsState {
    return { kind: 'vertexElements', description };
  }
  bindVertexElementsState(state: VertexElementsState): void {
    this.bindings.vertexElements = state;
    this.#recorder.markPipelineDirty();
  }
  deleteVertexElementsState(): void {}

  createSamplerState(description: SamplerDescription): SamplerState {
    return new SoftSampler(this.screen.memory, description);
  }
  bindSamplerStates(stage: ShaderStage, states: readonly (SamplerState | null)[]): void {
    this.bindings[stage].samplers = states.slice();
    this.#recorder.markTexturesDirty(stage);
  }
  deleteSamplerState(state: SamplerState): void {
    this.#freeLater((state as SoftSampler).allocatedAddress);
  }

  createVertexShaderState(description: ShaderDescription): VertexShaderState {
    return new SoftShader('vertexShader', description);
  }
  bindVertexShaderState(state: VertexShaderState | null): void {
    this.bindings.vertexShader = state;
    this.#recorder.markPipelineDirty();
  }
  deleteVertexShaderState(state: VertexShaderState): void {
    (state as SoftVertexShader).destroy();
  }

  createFragmentShaderState(description: ShaderDescription): FragmentShaderState {
    return new SoftShader('fragmentShader', description);
  }
  bindFragmentShaderState(state: FragmentShaderState | null): void {
    this.bindings.fragmentShader = state;
    this.#recorder.markPipelineDirty();
  }
  deleteFragmentShaderState(state: FragmentShaderState): void {
    (state as SoftFragmentShader).destroy();
  }

  // ---- State that changes often

  setFramebufferState(state: FramebufferState): void {
    const key = jobKey(state);
    if (debugFlags.noMerge && key !== this.#framebufferKey) this.openJob()?.run();
    this.bindings.framebuffer = state;
    this.#framebufferKey = key;
    this.#recorder.markPipelineDirty();
  }
  setViewport(viewport: ViewportState): void {
    this.bindings.viewport = viewport;
  }
  setScissor(rect: Rect): void {
    this.bindings.scissor = { ...rect };
  }
  setBlendColor(red: number, green: number, blue: number, alpha: number): void {
    this.bindings.blendColor.set([red, green, blue, alpha]);
  }
  setStencilReference(reference: StencilReference): void {
    this.bindings.stencilReference = { ...reference };
  }
  setSampleMask(mask: number): void {
    this.bindings.sampleMask = mask;
  }
  setSampleCoverage(value: number, invert: boolean): void {
    this.bindings.sampleCoverage = { value, invert };
  }
  setConstants(stage: ShaderStage, data: Uint32Array): void {
    const bindings = this.bindings[stage];
    if (bindings.constants.length === data.length) bindings.constants.set(data);
    else bindings.constants = data.slice();
    this.#recorder.markConstantsDirty(stage);
  }
  setConstantBuffer(stage: ShaderStage, index: number, buffer: ConstantBuffer | null): void {
    this.bindings[stage].buffers[index] = buffer && { ...buffer };
  }
  createSamplerView(template: SamplerViewTemplate): SamplerView {
    return new SoftSamplerView(this.screen.memory, template, (address) => this.#freeLater(address));
  }
  setSamplerViews(stage: ShaderStage, views: readonly (SamplerView | null)[]): void {
    this.bindings[stage].views = views.slice();
    this.#recorder.markTexturesDirty(stage);
  }
  setVertexBuffers(buffers: readonly VertexBuffer[]): void {
    this.bindings.vertexBuffers = buffers.map((buffer) => ({ ...buffer }));
  }
  createStreamOutputTarget(buffer: Resource, offsetBytes: number, sizeBytes: number): StreamOutputTarget {
    return new SoftStreamOutputTarget(buffer, offsetBytes, sizeBytes);
  }
  setStreamOutputTargets(targets: readonly StreamOutputTarget[], append: boolean): void {
    if (!append) for (const target of targets) (target as SoftStreamOutputTarget).writtenBytes = 0;
    this.bindings.streamOutputTargets = targets.slice();
    this.bindings.streamOutputAppend = append;
  }

  // ---- Work

  /** The job of the bound framebuffer: the open one, or a new one. Throws OutOfMemoryError. */
  currentJob(): Job {
    const open = this.#jobs.get(this.#framebufferKey);
    if (open && !open.isDone) {
      if (open.arena.totalBytes < JOB_MEMORY_LIMIT_BYTES) return open;
      open.run();
    }
    const { framebuffer } = this.bindings;
    // Whoever still reads or writes these surfaces comes first.
    for (const surface of [...framebuffer.colors, framebuffer.depthStencil]) {
      if (surface) transfer.finishForRendering(surface.resource);
    }
    for (const [key, job] of this.#jobs) if (job.isDone) this.#jobs.delete(key);
    const job = new Job(this.screen.memory, this.#framebufferKey, framebuffer, (ready) => this.#tilePass.run(ready));
    try {
      this.#tilePass.reserve(job);
    } catch (error) {
      job.abandon();
      throw error;
    }
    this.#jobs.set(job.key, job);
    return job;
  }

  /** The open job of the bound framebuffer, if there is one. */
  openJob(): Job | null {
    const job = this.#jobs.get(this.#framebufferKey);
    return job && !job.isDone ? job : null;
  }

  /** Runs `work`; failures of memory become a status. */
  attempt(work: () => PipeStatus): PipeStatus {
    try {
      return work();
    } catch (error) {
      if (error instanceof OutOfMemoryError) return 'outOfMemory';
      throw error;
    }
  }

  drawVbo(info: DrawInfo): PipeStatus {
    if (!this.#passesRenderCondition()) return 'ok';
    const status = this.attempt(() => this.#recorder.draw(info));
    if (debugFlags.alwaysFlush) this.finish();
    return status;
  }

  #passesRenderCondition(): boolean {
    const active = this.bindings.renderCondition;
    if (active === null) return true;
    const result = this.getQueryResult(active.query, active.wait);
    return result === null || (result !== 0) !== active.condition;
  }

  clear(info: ClearInfo): PipeStatus {
    if (!this.#passesRenderCondition()) return 'ok';
    const status = this.attempt(() => clearFramebuffer(this, info, (rest) => this.#blitter.clear(rest)));
    if (debugFlags.alwaysFlush) this.finish();
    return status;
  }

  clearRenderTarget(surface: Surface, color: ColorValue, rect: Rect): PipeStatus {
    return this.#clearSurface(surface, [surface], null, CLEAR.COLOR0, color, 0, 0, rect);
  }

  clearDepthStencil(surface: Surface, buffers: number, depth: number, stencil: number, rect: Rect): PipeStatus {
    return this.#clearSurface(surface, [], surface, buffers, null, depth, stencil, rect);
  }

  #clearSurface(
    surface: Surface,
    colors: readonly Surface[],
    depthStencil: Surface | null,
    buffers: number,
    color: ColorValue | null,
    depth: number,
    stencil: number,
    rect: Rect,
  ): PipeStatus {
    const { resource, level } = surface;
    const saved = this.bindings.framebuffer;
    this.setFramebufferState({
      width: Math.max(1, resource.width >> level),
      height: Math.max(1, resource.height >> level),
      samples: resource.samples,
      layers: 1,
      colors,
      depthStencil,
    });
    const words = new Uint32Array(4);
    const status = this.attempt(() =>
      clearFramebuffer(
        this,
        {
          buffers,
          color: color ?? { float: new Float32Array(words.buffer), int: new Int32Array(words.buffer), uint: words },
          depth,
          stencil,
          stencilWriteMask: 0xff,
          colorMasks: [15],
          scissor: rect,
        },
        (rest) => this.#blitter.clear(rest),
      ),
    );
    this.setFramebufferState(saved);
    return status;
  }

  blit(info: BlitInfo): PipeStatus {
    if (info.followsRenderCondition && !this.#passesRenderCondition()) return 'ok';
    return this.attempt(() => (blitDirect(this, info) ? 'ok' : this.#blitter.blit(info)));
  }

  copyRegion(
    destination: Resource,
    destinationLevel: number,
    destinationX: number,
    destinationY: number,
    destinationZ: number,
    source: Resource,
    sourceLevel: number,
    sourceBox: Readonly<Box>,
  ): PipeStatus {
    const corner = { x: destinationX, y: destinationY, z: destinationZ };
    return copyRegion(this, destination, destinationLevel, corner, source, sourceLevel, sourceBox);
  }

  generateMipmap(
    resource: Resource,
    format: Format,
    baseLevel: number,
    lastLevel: number,
    firstLayer: number,
    lastLayer: number,
  ): PipeStatus {
    return this.attempt(() =>
      this.#blitter.generateMipmap(resource, format, baseLevel, lastLevel, firstLayer, lastLayer),
    );
  }

  // ---- CPU access

  transferMap(resource: Resource, level: number, usage: number, box: Readonly<Box>): Transfer | null {
    return transfer.transferMap(this.screen.memory, resource, level, usage, box);
  }
  transferFlushRegion(): void {
    // Maps are the resource's own memory: what is written is there.
  }
  transferUnmap(mapped: Transfer): void {
    transfer.transferUnmap(this.screen.memory, mapped);
  }
  bufferSubdata(resource: Resource, usage: number, offsetBytes: number, data: Uint8Array): PipeStatus {
    return transfer.bufferSubdata(this.screen.memory, resource, usage, offsetBytes, data);
  }
  textureSubdata(
    resource: Resource,
    level: number,
    box: Readonly<Box>,
    data: Uint8Array,
    strideBytes: number,
    layerStrideBytes: number,
  ): PipeStatus {
    return transfer.textureSubdata(this.screen.memory, resource, level, box, data, strideBytes, layerStrideBytes);
  }

  // ---- Queries

  createQuery(type: QueryType, index: number): Query {
    return new SoftQuery(type, index);
  }
  beginQuery(query: Query): void {
    (query as SoftQuery).begin();
    this.activeQueries.add(query as SoftQuery);
  }
  endQuery(query: Query): void {
    const soft = query as SoftQuery;
    // Time counts the work, which else would run some time after the end.
    if (soft.type === 'timeElapsed' || soft.type === 'timestamp') this.finish();
    soft.end();
    this.activeQueries.delete(soft);
  }
  getQueryResult(query: Query, wait: boolean): number | null {
    const soft = query as SoftQuery;
    if (soft.pending.size > 0) {
      if (!wait) return null;
      for (const job of [...soft.pending]) job.run();
    }
    return soft.result();
  }
  setActiveQueryState(active: boolean): void {
    this.bindings.queriesActive = active;
  }
  renderCondition(query: Query | null, condition: boolean, wait: boolean): void {
    this.bindings.renderCondition = query && { query, condition, wait };
  }

  // ---- The frame

  flushResource(resource: Resource): void {
    transfer.finishForReading(resource);
  }

  invalidateResource(resource: Resource): void {
    for (const job of this.#jobs.values()) {
      if (job.isDone) continue;
      for (const attachment of job.attachments()) {
        if (attachment.resource === resource) attachment.store = false;
      }
    }
  }

  invalidateFramebuffer(buffers: number, rect: Rect | null): void {
    const job = this.openJob();
    if (job === null) return;
    const isWhole =
      rect === null || (rect.minX <= 0 && rect.minY <= 0 && rect.maxX >= job.width && rect.maxY >= job.height);
    if (!isWhole) return;
    for (let bit = 1; bit <= CLEAR.COLOR0 << 7; bit <<= 1) {
      const attachment = buffers & bit ? job.attachmentOf(bit) : null;
      if (attachment) attachment.store = false;
    }
  }

  /** Runs all open jobs. */
  finish(): void {
    for (const job of this.#jobs.values()) job.run();
    this.#jobs.clear();
    for (const address of this.#deferredFrees) this.screen.memory.free(address);
    this.#deferredFrees = [];
  }

  flush(flags: number): Fence {
    if (!(flags & FLUSH.DEFERRED)) this.finish();
    return new SoftFence([...this.#jobs.values()], () => this.finish());
  }

  #freeLater(address: number): void {
    if (this.#isDestroyed || this.#jobs.size === 0) this.screen.memory.free(address);
    else this.#deferredFrees.push(address);
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.finish();
    this.#isDestroyed = true;
    this.#blitter.destroy();
    this.#recorder.destroy();
    this.#tilePass.destroy();
    this.#onDestroy();
  }
}
