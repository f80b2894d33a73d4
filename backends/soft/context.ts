// The pipe context of soft: finds the job of the bound surfaces and hands work on.

import { profile } from '../../src/base/profile.ts';
import type { Format } from '../../src/format/format.ts';
import {
  type BlitInfo,
  type Box,
  CLEAR,
  type ClearInfo,
  type ColorValue,
  type Context,
  type DrawInfo,
  type Fence,
  FLUSH,
  type FramebufferState,
  MAP,
  type PipeStatus,
  type Query,
  type QueryType,
  type Rect,
  type Resource,
  type StreamOutputTarget,
  type Surface,
  type Transfer,
} from '../../src/pipe/pipe.ts';
import { OutOfMemoryError } from '../../src/raster/memory.ts';
import { Blitter } from '../../src/util/blitter/blitter.ts';
import { clearSurface } from '../../src/util/clear-surface.ts';
import { blitDirect, copyRegion } from './blit.ts';
import { BoundState } from './bound-state.ts';
import { clearFramebuffer } from './clear.ts';
import { debugFlags } from './debug.ts';
import { DrawRecorder } from './draw.ts';
import { finishDrawers, finishWriters } from './hazards.ts';
import { Job } from './job.ts';
import type { DrawTraits } from './pipeline.ts';
import { type QueryCounter, SoftFence, SoftQuery } from './query.ts';
import { resolveSamples } from './resolve.ts';
import type { SoftResource } from './resource.ts';
import type { SoftScreen } from './screen.ts';
import { DIRTY } from './state.ts';
import { ShadedCounter } from './thread-profile.ts';
import { TilePass } from './tile-pass.ts';
import * as transfer from './transfer.ts';
import type { PrimitiveCounters } from './vertex-observer.ts';

/** A job whose transient memory outgrows this is run and goes on with its tiles reloaded. */
const JOB_MEMORY_LIMIT_BYTES = 256 << 20;
/** Jobs that may wait at once; then the oldest runs, so that their arenas do not pile up. */
const MAX_OPEN_JOBS = 32;

export class SoftContext extends BoundState implements Context {
  /** Counters of active occlusion queries; null when no draw is to be counted. */
  occlusionCounters: readonly QueryCounter[] | null = null;
  /** The same for draws that shade, with the profile's counter when somebody wants to know. */
  shadedCounters: readonly QueryCounter[] | null = null;
  primitiveCounters: PrimitiveCounters | null = null;
  readonly drawTraits: DrawTraits = { countsSamples: false, capturesOutputs: false, isPoints: false };
  readonly #activeQueries = new Set<SoftQuery>();
  readonly #blitter: Blitter;
  readonly #recorder: DrawRecorder;
  readonly #tilePass: TilePass;
  /** Jobs not yet run, oldest first. */
  readonly #jobs = new Map<string, Job>();
  readonly #onDestroy: () => void;
  readonly #execute = (job: Job): void => this.#tilePass.run(job);
  readonly #shaded = new ShadedCounter();
  #isLost = false;
  #isDestroyed = false;

  get isLost(): boolean {
    return this.#isLost;
  }

  constructor(screen: SoftScreen, onDestroy: () => void) {
    super(screen);
    this.#onDestroy = onDestroy;
    this.#recorder = new DrawRecorder(this);
    this.#tilePass = new TilePass(screen);
    this.#blitter = new Blitter(this, this.bindings, {
      singleTriangleNearest: true,
      exactNearest: true,
      depthStencilViews: 'uint',
      resolve: (resource, layer, format) => resolveSamples(this.screen, resource, layer, format),
    });
    if (profile.isOn) this.#gatherCounters();
  }

  override setFramebufferState(state: FramebufferState): void {
    const before = this.framebufferKey;
    super.setFramebufferState(state);
    if (debugFlags.noMerge && before !== this.framebufferKey) this.#jobs.get(before)?.run();
  }

  override setStreamOutputTargets(targets: readonly StreamOutputTarget[], append: boolean): void {
    super.setStreamOutputTargets(targets, append);
    this.drawTraits.capturesOutputs = targets.length > 0;
  }

  // ---- Jobs

  /**
   * The job of the bound framebuffer: the open one, or a new one. Null: one that had to end first was stopped in an endless
   * shader, and the context is lost. Throws OutOfMemoryError.
   */
  currentJob(): Job | null {
    const open = this.#jobs.get(this.framebufferKey);
    if (open && !open.isDone) {
      if (open.arena.totalBytes < JOB_MEMORY_LIMIT_BYTES) return open;
      open.run();
    }
    const { framebuffer } = this.bindings;
    // Whoever still reads or writes these surfaces comes first.
    for (const surface of framebuffer.colors) if (surface) finishDrawers((surface.resource as SoftResource).storage);
    const { depthStencil } = framebuffer;
    if (depthStencil) finishDrawers((depthStencil.resource as SoftResource).storage);
    this.#makeRoomForJob();
    if (this.#isLost) return null;
    const job = new Job(this.screen.memory, this.framebufferKey, framebuffer, this.#execute);
    try {
      this.#tilePass.reserve(job);
    } catch (error) {
      job.abandon();
      throw error;
    }
    job.adoptClears();
    this.#jobs.set(job.key, job);
    return job;
  }

  #makeRoomForJob(): void {
    for (const [key, job] of this.#jobs) {
      if (!job.isDone && this.#jobs.size < MAX_OPEN_JOBS) continue;
      job.run();
      this.#jobs.delete(key);
    }
  }

  /** The open job of the bound framebuffer, if there is one. */
  openJob(): Job | null {
    const job = this.#jobs.get(this.framebufferKey);
    return job && !job.isDone ? job : null;
  }

  /** Runs all open jobs. */
  finish(): void {
    const start = profile.begin();
    for (const job of this.#jobs.values()) job.run();
    this.#jobs.clear();
    profile.end('flush', start);
  }

  /** The screen gave up: nothing more is drawn, pending work is dropped. */
  markLost(): void {
    this.#isLost = true;
    for (const job of this.#jobs.values()) job.abandon();
    this.#jobs.clear();
  }

  // ---- Work

  /**
   * Runs `work`. When memory runs out, pending jobs of all contexts are run, which frees theirs, and it is tried once more;
   * then the failure becomes a status.
   */
  #attempt(work: () => PipeStatus): PipeStatus {
    if (this.#isLost) return 'lost';
    try {
      return work();
    } catch (error) {
      if (!(error instanceof OutOfMemoryError)) throw error;
    }
    this.screen.finishAll();
    if (this.#isLost) return 'lost';
    try {
      return work();
    } catch (error) {
      if (error instanceof OutOfMemoryError) return 'outOfMemory';
      throw error;
    }
  }

  drawVbo(info: DrawInfo): PipeStatus {
    if (!this.#passesRenderCondition()) return 'ok';
    let status: PipeStatus;
    if (this.#isLost) return 'lost';
    const start = profile.begin();
    try {
      status = this.#recorder.draw(info);
    } catch (error) {
      if (!(error instanceof OutOfMemoryError)) throw error;
      status = this.#attempt(() => this.#recorder.draw(info));
    }
    profile.end('draw', start);
    if (debugFlags.alwaysFlush) this.finish();
    return status;
  }

  #passesRenderCondition(): boolean {
    const active = this.bindings.renderCondition;
    if (active === null) return true;
    const query = active.query as SoftQuery;
    if (query.isPending()) {
      if (!active.wait) return true;
      query.finish();
    }
    return (query.result() !== 0) !== active.condition;
  }

  clear(info: ClearInfo): PipeStatus {
    if (!this.#passesRenderCondition()) return 'ok';
    const status = this.#attempt(() => clearFramebuffer(this, info, (rest) => this.#blitter.clear(rest)));
    if (debugFlags.alwaysFlush) this.finish();
    return status;
  }

  clearRenderTarget(surface: Surface, color: ColorValue, rect: Rect): PipeStatus {
    return clearSurface(this, this.bindings, surface, { color }, rect);
  }

  clearDepthStencil(surface: Surface, buffers: number, depth: number, stencil: number, rect: Rect): PipeStatus {
    return clearSurface(this, this.bindings, surface, { buffers, depth, stencil }, rect);
  }

  blit(info: BlitInfo): PipeStatus {
    if (info.followsRenderCondition && !this.#passesRenderCondition()) return 'ok';
    return this.#attempt(() => blitDirect(this.screen, info) ?? this.#blitter.blit(info));
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
    return this.#attempt(() =>
      copyRegion(this.screen, destination, destinationLevel, corner, source, sourceLevel, sourceBox),
    );
  }

  generateMipmap(
    resource: Resource,
    format: Format,
    baseLevel: number,
    lastLevel: number,
    firstLayer: number,
    lastLayer: number,
  ): PipeStatus {
    return this.#attempt(() =>
      this.#blitter.generateMipmap(resource, format, baseLevel, lastLevel, firstLayer, lastLayer),
    );
  }

  // ---- CPU access

  transferMap(resource: Resource, level: number, usage: number, box: Readonly<Box>): Transfer | null {
    const start = profile.begin();
    const mapped = transfer.transferMap(this.screen.memory, resource, level, usage, box);
    if (usage & MAP.READ) profile.end('readback', start);
    return mapped;
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
    const soft = query as SoftQuery;
    // Time counts the work given between begin and end, no other.
    if (soft.isTime) this.finish();
    soft.begin();
    this.#activeQueries.add(soft);
    this.#gatherCounters();
  }
  endQuery(query: Query): void {
    const soft = query as SoftQuery;
    if (soft.isTime) this.finish();
    soft.end();
    this.#activeQueries.delete(soft);
    this.#gatherCounters();
  }
  getQueryResult(query: Query, wait = true): number | null {
    const soft = query as SoftQuery;
    if (!wait && soft.putsOff()) return null;
    soft.finish();
    return soft.result();
  }
  setActiveQueryState(active: boolean): void {
    this.bindings.queriesActive = active;
    this.#gatherCounters();
  }
  renderCondition(query: Query | null, condition: boolean, wait: boolean): void {
    this.bindings.renderCondition = query && { query, condition, wait };
  }

  #gatherCounters(): void {
    const queries = this.bindings.queriesActive ? [...this.#activeQueries] : [];
    const counters = (isWanted: (query: SoftQuery) => boolean) =>
      queries.filter(isWanted).map(({ counter }) => counter);
    const occlusion = counters((query) => query.isOcclusion);
    const generated = counters((query) => query.type === 'primitivesGenerated');
    const emitted = counters((query) => query.type === 'primitivesEmitted');
    this.occlusionCounters = occlusion.length > 0 ? occlusion : null;
    this.shadedCounters = profile.isOn ? [...occlusion, this.#shaded] : this.occlusionCounters;
    this.primitiveCounters = generated.length + emitted.length > 0 ? { generated, emitted } : null;
    const countsSamples = this.shadedCounters !== null;
    if (countsSamples !== this.drawTraits.countsSamples) this.dirty |= DIRTY.PIPELINE;
    this.drawTraits.countsSamples = countsSamples;
  }

  // ---- The frame

  flushResource(resource: Resource): void {
    finishWriters((resource as SoftResource).storage);
  }

  invalidateResource(resource: Resource): void {
    for (const job of this.#jobs.values()) {
      if (job.isDone) continue;
      for (const attachment of job.attachments) if (attachment.resource === resource) attachment.store = false;
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

  flush(flags: number): Fence {
    const jobs = [...this.#jobs.values()];
    if (!(flags & FLUSH.DEFERRED)) this.finish();
    return new SoftFence(jobs);
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.finish();
    this.#isLost = true;
    this.#blitter.destroy();
    this.#recorder.destroy();
    this.#tilePass.destroy();
    this.#onDestroy();
  }
}
