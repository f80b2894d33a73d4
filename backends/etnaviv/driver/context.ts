// The etnaviv context: gathers draws in a command stream, keeps the copies of resources in step, hands streams to the winsys.

import type { Format } from '../../../src/format/format.ts';
import {
  BIND,
  BLIT,
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
import type { ShaderKey } from '../compiler/compiled-shader.ts';
import { dumpStream } from '../registers/dump-stream.ts';
import { type BufferObject, GpuHangError, GpuMemoryError } from '../winsys/winsys.ts';
import { BlitEngineDriver } from './blit-engine.ts';
import { BoundState } from './bound-state.ts';
import { clearFramebuffer } from './clear.ts';
import { CommandStream } from './command-stream.ts';
import { Drawer } from './draw.ts';
import { type BoundFramebuffer, type BoundTarget, emitStreamStart } from './emit.ts';
import { type CopyArea, type Engine, flushPixelCaches, flushTextureCaches, type LayerPlace } from './engine.ts';
import { QueryRecorder } from './query-recorder.ts';
import { ResolveEngineDriver } from './resolve-engine.ts';
import { type EtnavivResource, newest, type Storage } from './resource.ts';
import { EtnavivFence, type EtnavivScreen } from './screen.ts';
import { engineFormat, isNativeOrder } from './shared.ts';
import { type StagedTransfer, stagedRead, stagedWrite } from './staging.ts';
import type { EtnavivRasterizer } from './state-objects.ts';
import { StreamOutput } from './stream-output.ts';
import { activeStatus, forgetStatus, hasFurtherStatus } from './tile-status.ts';
import { bufferSubdata, checkBox, transferMap, writeBox } from './transfer.ts';

export class EtnavivContext extends BoundState implements Context {
  readonly stream = new CommandStream();
  readonly engine: Engine;
  readonly #blitter: Blitter;
  readonly #drawer: Drawer;
  readonly #streamOutput = new StreamOutput(this);
  readonly #queries = new QueryRecorder(this);
  readonly #onDestroy: () => void;
  /** Buffers that go back when the stream at work is submitted. */
  #released: BufferObject[] = [];
  #isStarted = false;
  /** Buffers that the GPU has written since texture caches were flushed: what they hold of these is old. */
  readonly #written = new Set<BufferObject>();
  /** What the draw before was drawn to, in the stream at work. */
  #targets: BoundFramebuffer | null = null;
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
      resolve: (resource, layer, format) => this.#resolved(resource as EtnavivResource, layer, format),
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
      this.#written.clear();
      this.#targets = null;
      this.#queries.start();
    }
  }

  /** Whether texture caches may hold what was in a buffer before the GPU wrote to it. */
  isStaleForSampling(buffer: BufferObject): boolean {
    return this.#written.has(buffer);
  }

  flushTextures(): void {
    if (this.#written.size === 0) return;
    flushTextureCaches(this.stream);
    this.#written.clear();
  }

  /** The draw to come is drawn to these: what caches hold of others reaches memory. */
  switchTargets(framebuffer: BoundFramebuffer): void {
    if (this.#targets && !isSameTargets(this.#targets, framebuffer)) flushPixelCaches(this.stream);
    this.#targets = framebuffer;
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

  // ---- The copies of resources

  /** The storage that the pixel engine draws to, up to date; made when first wanted. Null: out of memory. */
  renderStorage(resource: EtnavivResource, level: number, keepsOld = true): Storage | null {
    const { base } = resource;
    if (this.#drawsLinear(resource)) return base;
    if (this.screen.canRender(base.layout)) {
      if (resource.isShared) this.#setOrder(resource, engineFormat(resource.format), keepsOld);
      return base;
    }
    resource.render ??= this.screen.createStorage(resource, 'render');
    const { render } = resource;
    if (!render) return null;
    if (base.sequence[level]! > render.sequence[level]!) {
      if (keepsOld) this.#copyLevel(base, render, level);
      render.sequence[level] = base.sequence[level]!;
    }
    return render;
  }

  /** The pixel engine's copy of these levels is brought to where the sampler looks. */
  updateForSampling(resource: EtnavivResource, firstLevel: number, lastLevel: number): void {
    const { base, render } = resource;
    if (!render) {
      if (firstLevel === 0) this.writeOutStatus({ storage: base, level: 0, layer: 0 });
      return;
    }
    for (let level = firstLevel; level <= lastLevel; level++) {
      if (render.sequence[level]! <= base.sequence[level]!) continue;
      this.#copyLevel(render, base, level);
      base.sequence[level] = render.sequence[level]!;
    }
  }

  /** Cleared tiles of a layer are written out: the next reader knows nothing of its tile status. */
  writeOutStatus(place: LayerPlace): void {
    const status = activeStatus(place);
    if (!status) return;
    this.beginStream();
    this.engine.writeOut(this.stream, place, status);
    status.isActive = false;
    this.#written.add(place.storage.buffer);
  }

  #writeOutNewest(resource: EtnavivResource, level: number): void {
    this.writeOutStatus({ storage: newest(resource, level), level, layer: 0 });
  }

  /** Whether tile status goes on while so many colour targets are bound. */
  keepsColorStatus(targets: number): boolean {
    return targets <= 1 || hasFurtherStatus(this.screen.facts.halti);
  }

  #copyLevel(source: Storage, target: Storage, level: number): void {
    this.beginStream();
    const { depth } = source.layout.levels[level]!;
    for (let layer = 0; layer < depth; layer++) {
      const isDone = this.engine.copy(
        this.stream,
        { storage: source, level, layer },
        { storage: target, level, layer },
      );
      if (!isDone) throw new Error(`${this.screen.name}: no engine copies ${source.format} between layouts`);
    }
    forgetStatus({ storage: target, level });
    this.#written.add(target.buffer);
  }

  /** The engine copies an area of a layer, in its turn. False: it can't. */
  copyArea(source: LayerPlace, target: LayerPlace, area: CopyArea): boolean {
    this.beginStream();
    if (!this.engine.copy(this.stream, source, target, area)) return false;
    this.#written.add(target.storage.buffer);
    return true;
  }

  /** The GPU has written a level of a storage. */
  markWritten(resource: EtnavivResource, storage: Storage, level: number): void {
    this.#markNewest(resource, storage, level);
    this.#written.add(storage.buffer);
  }

  #markNewest(resource: EtnavivResource, storage: Storage, level: number): void {
    this.screen.changes++;
    const other = storage === resource.base ? resource.render : resource.base;
    storage.sequence[level] = Math.max(storage.sequence[level]!, other?.sequence[level] ?? 0) + 1;
  }

  /**
   * The pixel engine draws straight to a shared resource's linear memory. Before HALTI5 all targets have one mask and one
   * blend colour, whose red and blue can't suit a linear and a private target at once.
   */
  #drawsLinear({ isShared, base }: EtnavivResource): boolean {
    const { facts, drawsLinear } = this.screen;
    if (!isShared || !drawsLinear || base.layout.tiling !== 'linear') return false;
    return facts.halti >= 5 || this.bindings.framebuffer.colors.filter((surface) => surface !== null).length <= 1;
  }

  /** The program exchanges red and blue for a target: others expect them in native order where they are written. */
  #swapsInProgram(resource: EtnavivResource): boolean {
    return this.#drawsLinear(resource) && engineFormat(resource.format) !== resource.format;
  }

  /** Brings the bytes of a shared resource to an order of red and blue. */
  #setOrder({ base }: EtnavivResource, format: Format, keepsOld: boolean): void {
    if (base.format === format) return;
    const place = { storage: base, level: 0, layer: 0 };
    const target = { ...place, storage: { ...base, format } };
    if (keepsOld) {
      this.beginStream();
      if (!this.engine.copy(this.stream, place, target))
        throw new Error(`${this.screen.name}: no engine swaps ${format}`);
      this.#written.add(base.buffer);
    }
    base.format = format;
  }

  #target(surface: Surface, index: number): BoundTarget | null {
    const resource = surface.resource as EtnavivResource;
    const storage = this.renderStorage(resource, surface.level);
    const swapsRedBlue = this.#swapsInProgram(resource);
    const { level, firstLayer: layer, format } = surface;
    return storage && { index, storage, level, layer, format, swapsRedBlue };
  }

  /** What is drawn to, in the layouts that the pixel engine wants. Null: out of memory. */
  boundFramebuffer(): BoundFramebuffer | null {
    const { framebuffer } = this.bindings;
    const colors: BoundTarget[] = [];
    for (const [index, surface] of framebuffer.colors.entries()) {
      if (!surface) continue;
      const target = this.#target(surface, index);
      if (!target) return null;
      colors.push(target);
    }
    if (!this.keepsColorStatus(colors.length)) for (const target of colors) this.writeOutStatus(target);
    const { depthStencil, width, height, samples } = framebuffer;
    const depth = depthStencil && this.#target(depthStencil, 0);
    if (depthStencil && !depth) return null;
    return { colors, depth, width, height, samples };
  }

  /** The draw's targets hold something newer than their other copies. */
  afterDraw({ colors, depth }: BoundFramebuffer): void {
    const { framebuffer } = this.bindings;
    for (const { index, storage, level } of colors) {
      this.markWritten(framebuffer.colors[index]!.resource as EtnavivResource, storage, level);
    }
    if (depth) this.markWritten(framebuffer.depthStencil!.resource as EtnavivResource, depth.storage, depth.level);
  }

  /** Private resources need no exchange of red and blue in programs. */
  fragmentKey(): ShaderKey {
    const state = this.bindings.rasterizer as EtnavivRasterizer;
    let fragRbSwap = 0;
    for (const [index, surface] of this.bindings.framebuffer.colors.entries()) {
      if (surface && this.#swapsInProgram(surface.resource as EtnavivResource)) fragRbSwap |= 1 << index;
    }
    return { fragRbSwap, clipHalfZ: false, frontClockwise: !state.description.frontCounterClockwise };
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
    if (this.#resolveDirect(info)) return 'ok';
    return this.#blitter.blit(info);
  }

  /** A whole resolve of samples goes to the engine. */
  #resolveDirect({ source, destination, mask, scissor }: BlitInfo): boolean {
    const from = source.resource as EtnavivResource;
    const to = destination.resource as EtnavivResource;
    const isWhole = (box: Box, resource: EtnavivResource) =>
      box.x === 0 && box.y === 0 && box.width === resource.width && box.height === resource.height;
    if (
      from.samples < 2 ||
      to.samples > 1 ||
      mask !== BLIT.COLOR ||
      scissor !== null ||
      source.format !== destination.format ||
      from.format !== to.format ||
      destination.level !== 0 ||
      source.box.depth !== 1 ||
      !isWhole(source.box, from) ||
      !isWhole(destination.box, to)
    ) {
      return false;
    }
    return this.#resolveLayer(from, source.box.z, to, destination.box.z);
  }

  #resolveLayer(from: EtnavivResource, fromLayer: number, to: EtnavivResource, toLayer: number): boolean {
    this.beginStream();
    const target = to.base;
    const place = { storage: target, level: 0, layer: toLayer };
    if (!this.engine.resolve(this.stream, { storage: newest(from, 0), level: 0, layer: fromLayer }, place))
      return false;
    forgetStatus(place);
    this.markWritten(to, target, 0);
    return true;
  }

  /** A single-sampled copy for the blitter. Null: no memory. */
  #resolved(resource: EtnavivResource, layer: number, format: Format): Resource | null {
    const { width, height, bind } = resource;
    const copy = this.#scratch(resource, width, height, bind | BIND.SAMPLER_VIEW);
    if (!copy || this.#resolveLayer(resource, layer, copy, 0)) return copy;
    if (this.#resolveByDrawing(resource, layer, copy, format)) return copy;
    copy.destroy();
    return null;
  }

  /** Samples lie side by side: no engine averages them, so they are read as texels of a larger texture. */
  #resolveByDrawing(from: EtnavivResource, layer: number, to: EtnavivResource, format: Format): boolean {
    const storage = newest(from, 0);
    const { layout } = storage;
    const { scaleX, scaleY } = layout;
    const samples = this.#scratch(from, from.width * scaleX, from.height * scaleY, BIND.SAMPLER_VIEW);
    if (!samples) return false;
    this.beginStream();
    const asTexels: Storage = { ...storage, layout: { ...layout, scaleX: 1, scaleY: 1 } };
    const source = { storage: asTexels, level: 0, layer };
    if (!this.engine.copy(this.stream, source, { storage: samples.base, level: 0, layer: 0 }))
      throw new Error(`${this.screen.name}: no engine copies ${storage.format} between layouts`);
    this.markWritten(samples, samples.base, 0);
    const status = this.#blitter.resolveBlocks(samples, to, format, scaleX, scaleY);
    samples.destroy();
    return status === 'ok';
  }

  /** A single-sampled texture of the same format. */
  #scratch({ format }: EtnavivResource, width: number, height: number, bind: number): EtnavivResource | null {
    return this.screen.createResource({
      target: 'texture2D',
      format,
      width,
      height,
      depth: 1,
      arraySize: 1,
      levels: 1,
      samples: 1,
      bind,
      usage: 'default',
    }) as EtnavivResource | null;
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
      this.#writeOutNewest(resource as EtnavivResource, level);
    }
    const mapped = transferMap(this.screen, resource, level, usage, box, newest);
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
    this.updateForSampling(resource, level, level);
    const { base } = resource;
    if (!stagedWrite(this, resource, level, box, data, strideBytes, layerStrideBytes)) {
      this.screen.prepareBuffer(base.buffer, true);
      writeBox(resource, base, level, box, data, strideBytes, layerStrideBytes);
      this.screen.winsys.finish(base.buffer);
    }
    // What the CPU wrote no texture cache holds: streams begin without, and one that uses the buffer was submitted.
    this.#markNewest(resource, base, level);
    return 'ok';
  }

  /** The memory of a level that was written last. */
  newestStorage(resource: EtnavivResource, level: number): Storage {
    return newest(resource, level);
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
    const resource = target as EtnavivResource;
    if (!resource.isShared) return;
    const hasShadow = resource.render !== null;
    this.updateForSampling(resource, 0, 0);
    if (!isNativeOrder(resource)) this.#setOrder(resource, resource.format, true);
    // The outside may write from now on: what is drawn next begins with a new copy.
    if (hasShadow) this.#markNewest(resource, resource.base, 0);
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

function isSameTargets(a: BoundFramebuffer, b: BoundFramebuffer): boolean {
  const isSame = (one: BoundTarget | null | undefined, other: BoundTarget | null | undefined) =>
    one?.storage.buffer === other?.storage.buffer && one?.level === other?.level && one?.layer === other?.layer;
  return (
    a.colors.length === b.colors.length &&
    a.colors.every((one, i) => isSame(one, b.colors[i])) &&
    isSame(a.depth, b.depth)
  );
}
