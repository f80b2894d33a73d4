// The etnaviv context: gathers draws in a command stream and hands streams to the winsys.

import type { Format } from '../../../src/format/format.ts';
import {
  type BlitInfo,
  type Box,
  type ClearInfo,
  type ColorValue,
  type Context,
  type DrawInfo,
  type Fence,
  MAP,
  type PipeStatus,
  type Query,
  type QueryType,
  type Rect,
  type Resource,
  type Surface,
  type Transfer,
} from '../../../src/pipe/pipe.ts';
import { Blitter } from '../../../src/util/blitter/blitter.ts';
import { clearSurface } from '../../../src/util/clear-surface.ts';
import { dumpStream } from '../registers/dump-stream.ts';
import { type BufferObject, GpuHangError, GpuMemoryError } from '../winsys/winsys.ts';
import { BlitEngineDriver } from './blit-engine.ts';
import { BoundState } from './bound-state.ts';
import { clearFramebuffer } from './clear.ts';
import { CommandStream } from './command-stream.ts';
import { Drawer } from './draw.ts';
import { DrawTargets } from './draw-targets.ts';
import { emitStreamStart } from './emit.ts';
import { type Engine, flushPixelCaches, flushTextureCaches } from './engine.ts';
import { QueryRecorder } from './query-recorder.ts';
import { ResolveEngineDriver } from './resolve-engine.ts';
import { SampleResolver } from './resolve-samples.ts';
import { type EtnavivResource, newest } from './resource.ts';
import { ResourceCopies } from './resource-copies.ts';
import { EtnavivFence, type EtnavivScreen } from './screen.ts';
import { type StagedTransfer, stagedRead, stagedWrite } from './staging.ts';
import { StreamOutput } from './stream-output.ts';
import { activeStatus } from './tile-status.ts';
import { bufferSubdata, checkBox, transferMap, writeBox } from './transfer.ts';

export class EtnavivContext extends BoundState implements Context {
  readonly stream = new CommandStream();
  readonly engine: Engine;
  readonly #blitter: Blitter;
  readonly #drawer: Drawer;
  readonly #streamOutput = new StreamOutput(this);
  readonly #queries = new QueryRecorder(this);
  readonly #samples = new SampleResolver(this, () => this.#blitter);
  readonly copies = new ResourceCopies(this);
  readonly targets = new DrawTargets(this);
  readonly #onDestroy: () => void;
  /** Buffers that go back when the stream at work is submitted. */
  #released: BufferObject[] = [];
  #isStarted = false;
  #fence = 0;
  #lacksMemory = false;
  #isDestroyed = false;

  constructor(screen: EtnavivScreen, onDestroy: () => void) {
    super(screen);
    this.#onDestroy = onDestroy;
    this.engine = screen.facts.hasBlt ? new BlitEngineDriver() : new ResolveEngineDriver(screen.facts);
    this.#drawer = new Drawer(this);
    this.#blitter = new Blitter(this, this.bindings, {
      singleTriangleNearest: true,
      exactNearest: screen.caps.nativeIntegers,
      depthStencilViews: screen.caps.nativeIntegers ? 'uint' : 'unorm',
      resolve: (resource, layer, format) => this.#samples.copyOf(resource as EtnavivResource, layer, format),
    });
  }

  // ---- Streams

  /** Before the first word of a draw or an engine's work. */
  beginStream(): void {
    this.screen.changes++;
    if (this.stream.isLong) this.submit();
    if (!this.#isStarted) {
      this.#isStarted = true;
      emitStreamStart(this.stream, this.screen);
      flushTextureCaches(this.stream);
      this.copies.startStream();
      this.targets.startStream();
      this.#queries.start();
    }
  }

  /** The stream at work has begun. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  usesBuffer(buffer: BufferObject): boolean {
    return this.stream.uses(buffer);
  }

  writesBuffer(buffer: BufferObject): boolean {
    return this.stream.writes(buffer);
  }

  submitIfUsed(buffer: BufferObject): void {
    if (this.stream.uses(buffer)) this.submit();
  }

  /** True: the stream at work uses the buffer, and gives it back when it is submitted. */
  releaseLater(buffer: BufferObject): boolean {
    if (!this.stream.uses(buffer)) return false;
    this.#released.push(buffer);
    return true;
  }

  /** Submits where that gives buffers back. Not while a draw is being written. */
  submitForRelease(): boolean {
    if (this.#released.length === 0) return false;
    this.submit();
    return true;
  }

  /** Hands the stream to the GPU. */
  submit(): void {
    if (!this.#isStarted) return;
    this.screen.changes++;
    this.#queries.stop();
    flushPixelCaches(this.stream);
    const submit = this.stream.finish();
    this.screen.onSubmit?.(submit.words);
    if (this.screen.debug.has('cmdstream')) console.error(dumpStream(submit.words));
    this.stream.restart();
    this.#isStarted = false;
    const released = this.#released;
    this.#released = [];
    try {
      if (!this.screen.isLost) this.#fence = this.screen.winsys.submit(submit);
      this.#queries.submitted(this.#fence);
    } catch (error) {
      if (error instanceof GpuMemoryError) this.#lackMemory(error.message);
      else if (error instanceof GpuHangError) this.screen.lose(error.message);
      else throw error;
    }
    for (const buffer of released) this.screen.releaseBuffer(buffer);
  }

  /** A stream was not done for lack of memory: the next call that can says so. */
  #lackMemory(message: string): void {
    if (!this.#lacksMemory) console.warn(`indium: ${message}: what was drawn last is missing`);
    this.#lacksMemory = true;
  }

  #takeLackOfMemory(): boolean {
    const lacked = this.#lacksMemory;
    this.#lacksMemory = false;
    return lacked;
  }

  // ---- Work

  drawVbo(info: DrawInfo): PipeStatus {
    if (this.screen.isLost) return 'lost';
    if (this.#takeLackOfMemory()) return 'outOfMemory';
    if (!this.#passesRenderCondition()) return 'ok';
    if (!this.#queries.canCount()) return 'outOfMemory';
    const feedback = this.#runStreamOutput(info);
    if (feedback !== 'ok') return feedback;
    const status = this.#drawer.draw(info);
    if (this.screen.debug.has('flush_all')) this.submit();
    return status;
  }

  /** Transform feedback and primitive counts, before the draw itself. */
  #runStreamOutput(info: DrawInfo): PipeStatus {
    const { streamOutputTargets, queriesActive, vertexShader } = this.bindings;
    const counts = queriesActive && this.#queries.countsPrimitives;
    const captures = streamOutputTargets.length > 0 && vertexShader?.description.streamOutput;
    if ((!captures && !counts) || info.count < 1 || info.instanceCount < 1) return 'ok';
    const result = this.#streamOutput.run(info);
    if (typeof result === 'string') return result;
    if (counts) this.#queries.addPrimitives(result);
    return 'ok';
  }

  #passesRenderCondition(): boolean {
    const active = this.bindings.renderCondition;
    if (active === null) return true;
    const result = this.getQueryResult(active.query, active.wait);
    return result === null || (result !== 0) !== active.condition;
  }

  clear(info: ClearInfo): PipeStatus {
    if (this.screen.isLost) return 'lost';
    if (this.#takeLackOfMemory()) return 'outOfMemory';
    if (!this.#passesRenderCondition()) return 'ok';
    return clearFramebuffer(this, info, (rest) => this.#blitter.clear(rest));
  }

  clearRenderTarget(surface: Surface, color: ColorValue, rect: Rect): PipeStatus {
    return clearSurface(this, this.bindings, surface, { color }, rect);
  }

  clearDepthStencil(surface: Surface, buffers: number, depth: number, stencil: number, rect: Rect): PipeStatus {
    return clearSurface(this, this.bindings, surface, { buffers, depth, stencil }, rect);
  }

  blit(info: BlitInfo): PipeStatus {
    if (this.screen.isLost) return 'lost';
    if (info.followsRenderCondition && !this.#passesRenderCondition()) return 'ok';
    if (this.#samples.resolveWhole(info)) return 'ok';
    return this.#blitter.blit(info);
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
    const isBuffer = source.target === 'buffer';
    const read = this.transferMap(source, sourceLevel, MAP.READ, sourceBox);
    if (!read) return 'outOfMemory';
    const corner = { x: destinationX, y: destinationY, z: destinationZ };
    const status = isBuffer
      ? this.bufferSubdata(destination, 0, destinationX, read.data)
      : this.textureSubdata(
          destination,
          destinationLevel,
          { ...sourceBox, ...corner },
          read.data,
          read.strideBytes,
          read.layerStrideBytes,
        );
    this.transferUnmap(read);
    return status;
  }

  generateMipmap(
    resource: Resource,
    format: Format,
    baseLevel: number,
    lastLevel: number,
    firstLayer: number,
    lastLayer: number,
  ): PipeStatus {
    return this.#blitter.generateMipmap(resource, format, baseLevel, lastLevel, firstLayer, lastLayer);
  }

  // ---- CPU access

  transferMap(resource: Resource, level: number, usage: number, box: Readonly<Box>): Transfer | null {
    checkBox(resource as EtnavivResource, level, box);
    if (resource.target !== 'buffer') {
      const staged = stagedRead(this, resource as EtnavivResource, level, usage, box);
      if (staged) return staged;
    }
    if (usage & MAP.DONT_BLOCK && this.stream.uses(newest(resource as EtnavivResource, level).buffer)) return null;
    if (resource.target !== 'buffer') {
      if (usage & MAP.DONT_BLOCK && activeStatus({ storage: newest(resource as EtnavivResource, level), level })) {
        return null;
      }
      this.copies.writeOutNewest(resource as EtnavivResource, level);
    }
    const mapped = transferMap(this.screen, resource, level, usage, box);
    // What is read may be what was not drawn.
    return usage & MAP.READ && this.#takeLackOfMemory() ? null : mapped;
  }

  transferFlushRegion(): void {
    // The whole box goes back when it is unmapped.
  }

  transferUnmap(transfer: Transfer): void {
    const { resource, level, usage, box, data, strideBytes, layerStrideBytes } = transfer;
    if (usage & MAP.WRITE) {
      if (resource.target === 'buffer') bufferSubdata(this.screen, resource, usage, box.x, data);
      else this.textureSubdata(resource, level, box, data, strideBytes, layerStrideBytes);
    }
    const { staging } = transfer as Partial<StagedTransfer>;
    if (staging) this.screen.releaseBuffer(staging);
  }

  bufferSubdata(resource: Resource, usage: number, offsetBytes: number, data: Uint8Array): PipeStatus {
    return bufferSubdata(this.screen, resource, usage, offsetBytes, data);
  }

  textureSubdata(
    target: Resource,
    level: number,
    box: Readonly<Box>,
    data: Uint8Array,
    strideBytes: number,
    layerStrideBytes: number,
  ): PipeStatus {
    const resource = target as EtnavivResource;
    // What only the pixel engine's copy has must not be lost around the box.
    this.copies.updateForSampling(resource, level, level);
    const { base } = resource;
    if (!stagedWrite(this, resource, level, box, data, strideBytes, layerStrideBytes)) {
      this.screen.prepareBuffer(base.buffer, true);
      writeBox(resource, base, level, box, data, strideBytes, layerStrideBytes);
      this.screen.winsys.finish(base.buffer);
    }
    // What the CPU wrote no texture cache holds: streams begin without, and one that uses the buffer was submitted.
    this.copies.markNewest(resource, base, level);
    return 'ok';
  }

  // ---- Queries

  createQuery(type: QueryType, index: number): Query {
    return this.#queries.create(type, index);
  }

  beginQuery(query: Query): void {
    this.#queries.begin(query);
  }

  endQuery(query: Query): void {
    this.#queries.end(query);
  }

  getQueryResult(query: Query, wait: boolean): number | null {
    return this.#queries.result(query, wait);
  }

  setActiveQueryState(active: boolean): void {
    this.#queries.setActive(active);
  }

  renderCondition(query: Query | null, condition: boolean, wait: boolean): void {
    this.bindings.renderCondition = query && { query, condition, wait };
  }

  // ---- The frame

  flushResource(target: Resource): void {
    this.copies.giveOut(target as EtnavivResource);
  }

  invalidateResource(): void {}
  invalidateFramebuffer(): void {}

  flush(_flags: number): Fence {
    this.submit();
    return new EtnavivFence(this.screen, this.#fence);
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.submit();
    this.#blitter.destroy();
    this.#drawer.destroy();
    this.#streamOutput.destroy();
    this.submit();
    this.#onDestroy();
  }
}
