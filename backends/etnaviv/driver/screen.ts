// The etnaviv screen: one core behind a winsys. It makes resources and keeps released buffers for the next ones.

import { type Format, isCompressed } from '../../../src/format/format.ts';
import {
  BIND,
  type Caps,
  type Fence,
  type MemoryStatistics,
  type Resource,
  type ResourceHandle,
  type ResourceTarget,
  type ResourceTemplate,
  type Screen,
} from '../../../src/pipe/pipe.ts';
import { type CompilerTarget, compilerTarget } from '../compiler/target.ts';
import { type CoreFacts, coreFacts } from '../hwdb/derived.ts';
import { type BufferObject, GpuHangError, type Winsys } from '../winsys/winsys.ts';
import { BufferCache } from './buffer-cache.ts';
import { etnavivCaps } from './caps.ts';
import { EtnavivContext } from './context.ts';
import { type DebugWord, etnavivDebug } from './debug.ts';
import { describeCore, machineTags } from './describe.ts';
import { formatRow, vertexFormat } from './formats.table.ts';
import { type ResourceLayout, resourceLayout, type Tiling } from './layout.ts';
import { EtnavivResource, type Storage } from './resource.ts';
import { importedLayout, modifierOf, whyNotShareable } from './shared.ts';

export class EtnavivFence implements Fence {
  readonly number: number;
  readonly #screen: EtnavivScreen;

  constructor(screen: EtnavivScreen, number: number) {
    this.#screen = screen;
    this.number = number;
  }

  isSignalled(): boolean {
    return this.#screen.fenceFinish(this, 0);
  }
}

export interface EtnavivScreenOptions {
  /** Sees each command stream on its way to the GPU; must not keep it. */
  readonly onSubmit?: (words: Uint32Array) => void;
  /** Words as in INDIUM_ETNAVIV_DEBUG, which is the default. */
  readonly debug?: string;
}

export class EtnavivScreen implements Screen {
  readonly name: string;
  readonly renderer: string;
  readonly caps: Caps;
  readonly winsys: Winsys;
  readonly facts: CoreFacts;
  readonly target: CompilerTarget;
  readonly contexts = new Set<EtnavivContext>();
  /** Grows when anything but constants changes that a draw depends on, in any context. */
  changes = 0;
  readonly debug: ReadonlySet<DebugWord>;
  readonly onSubmit: ((words: Uint32Array) => void) | null;
  readonly #buffers: BufferCache;
  readonly #sharedBuffers = new WeakSet<BufferObject>();
  readonly #listeners = new Set<(reason: string) => void>();
  #lost: string | null = null;

  constructor(winsys: Winsys, options: EtnavivScreenOptions = {}) {
    const { core } = winsys;
    this.winsys = winsys;
    this.name = `etnaviv:${core.name}`;
    this.renderer = `Vivante ${core.name.toUpperCase()} rev ${core.identity.revision.toString(16)} (${winsys.name})`;
    this.facts = coreFacts(core);
    this.target = compilerTarget(core);
    this.caps = etnavivCaps(core);
    this.#buffers = new BufferCache(winsys);
    this.debug = etnavivDebug(options.debug);
    this.onSubmit = options.onSubmit ?? null;
  }

  describe(): readonly string[] {
    return describeCore(this.winsys);
  }

  get tags(): readonly string[] {
    return machineTags(this.winsys.core);
  }

  get isLost(): boolean {
    return this.#lost !== null;
  }

  isFormatSupported(format: Format, target: ResourceTarget, samples: number, bind: number): boolean {
    const { facts, caps } = this;
    if (target === 'buffer') {
      return (bind & BIND.VERTEX_BUFFER) === 0 || vertexFormat(format, facts.halti) !== null;
    }
    if (samples > 1 && !caps.sampleCounts.includes(samples)) return false;
    if ((target === 'texture3D' || target === 'texture2DArray') && caps.glesVersion < 3) return false;
    const row = formatRow(format);
    if (!row) return false;
    if (bind & (BIND.SAMPLER_VIEW | BIND.LINEAR_FILTER)) {
      if (samples > 1 || !row.texture || facts.halti < row.texture.level) return false;
      if (bind & BIND.LINEAR_FILTER && !row.filters) return false;
      if (!this.hasTextureFeature(format)) return false;
    }
    if (bind & BIND.DEPTH_STENCIL && row.depth === null) return false;
    if (bind & (BIND.RENDER_TARGET | BIND.BLENDABLE | BIND.DISPLAY_TARGET)) {
      if (!row.render || facts.halti < row.render.level) return false;
      if (bind & BIND.BLENDABLE && !row.blends) return false;
    }
    return true;
  }

  private hasTextureFeature(format: Format): boolean {
    const { features } = this.winsys.core;
    if (format.startsWith('DXT')) return features.has('DXT_TEXTURE_COMPRESSION');
    if (format.startsWith('ETC1')) return features.has('ETC1_TEXTURE_COMPRESSION');
    if (/^R16.*_FLOAT$/.test(format)) return features.has('HALF_FLOAT');
    return true;
  }

  createResource(template: ResourceTemplate): Resource | null {
    if (template.bind & BIND.SHARED) return this.#createShared(template);
    const storage = this.createStorage(template, this.baseTiling(template));
    return storage && new EtnavivResource(this, template, storage);
  }

  /** The layout that the first user of a resource wants: sampler, pixel engine or CPU. */
  private baseTiling({ target, format, bind, samples }: ResourceTemplate): Tiling | 'render' {
    if (target === 'buffer' || isCompressed(format) || bind & BIND.LINEAR) return 'linear';
    const rendersOnly = (bind & BIND.SAMPLER_VIEW) === 0 || samples > 1;
    if (rendersOnly && bind & (BIND.RENDER_TARGET | BIND.DEPTH_STENCIL | BIND.DISPLAY_TARGET)) return 'render';
    return this.canSampleSupertiles ? 'supertiled' : 'tiled';
  }

  private get canSampleSupertiles(): boolean {
    return this.winsys.core.features.has('SUPERTILED_TEXTURE') && !this.debug.has('no_supertile');
  }

  /** Pixel pipes with memory of their own. */
  get renderPipes(): 1 | 2 {
    return this.facts.pixelPipes > 1 && !this.facts.singleBuffer ? 2 : 1;
  }

  private get renderTiling(): Tiling {
    return this.winsys.core.features.has('SUPER_TILED') && !this.debug.has('no_supertile') ? 'supertiled' : 'tiled';
  }

  /** Whether the pixel engine can draw to a tiled layout. */
  canRender({ tiling, pipes }: ResourceLayout): boolean {
    return tiling !== 'linear' && pipes === this.renderPipes;
  }

  /** Linear memory is drawn to: asked for by a debug word, because tiled memory is faster. */
  get drawsLinear(): boolean {
    return this.facts.drawsLinear && this.debug.has('linear_pe');
  }

  /** Memory for a resource; `render`: as the pixel engine wants it. Null: out of memory. */
  createStorage(template: ResourceTemplate, tiling: Tiling | 'render'): Storage | null {
    const format = formatRow(template.format)?.storage ?? template.format;
    const isRender = tiling === 'render';
    const layout = resourceLayout(
      template,
      format,
      isRender ? this.renderTiling : tiling,
      isRender ? this.renderPipes : 1,
    );
    const buffer = this.createBuffer(layout.sizeBytes) ?? this.createAfterRelease(layout.sizeBytes);
    return buffer && { buffer, layout, format, sequence: new Array<number>(template.levels).fill(0), tileStatus: null };
  }

  /** A zeroed buffer of the driver's own, or null. */
  createBuffer(sizeBytes: number): BufferObject | null {
    return this.unlessHung(() => this.#buffers.take(sizeBytes), null);
  }

  /** The same for bytes that are all written before they are read. */
  createScratch(sizeBytes: number): BufferObject | null {
    return this.unlessHung(() => this.#buffers.take(sizeBytes, false), null);
  }

  /** Streams that wait hold on to buffers that were released: they are submitted, and it is tried again. */
  private createAfterRelease(sizeBytes: number): BufferObject | null {
    let hasReleased = false;
    for (const context of this.contexts) if (context.submitForRelease()) hasReleased = true;
    return hasReleased ? this.createBuffer(sizeBytes) : null;
  }

  /** Submitted work may still use the buffer; where a stream that is not submitted yet does, it is given back after that. */
  releaseBuffer(buffer: BufferObject): void {
    for (const context of this.contexts) if (context.releaseLater(buffer)) return;
    if (this.#sharedBuffers.has(buffer)) this.winsys.destroyBuffer(buffer);
    else this.#buffers.give(buffer);
  }

  #createShared(template: ResourceTemplate): Resource | null {
    const reason = whyNotShareable(template);
    if (reason) throw new Error(`${this.name}: ${reason}`);
    const layout = resourceLayout(template, template.format, 'linear', 1);
    // Not from the cache: what is shared must not go back to it.
    let buffer = this.winsys.createBuffer(layout.sizeBytes);
    if (!buffer) {
      for (const context of this.contexts) context.submitForRelease();
      this.#buffers.clear();
      buffer = this.winsys.createBuffer(layout.sizeBytes);
    }
    if (!buffer) return null;
    this.#sharedBuffers.add(buffer);
    return new EtnavivResource(
      this,
      template,
      { buffer, layout, format: template.format, sequence: [1], tileStatus: null, isShared: true },
      true,
    );
  }

  importResource(template: ResourceTemplate, handle: ResourceHandle): Resource {
    if (!this.winsys.importBuffer) throw new Error(`${this.name}: the winsys ${this.winsys.name} imports no buffers`);
    const reason = whyNotShareable(template);
    if (reason) throw new Error(`${this.name}: ${reason}`);
    const buffer = this.winsys.importBuffer(handle);
    try {
      const layout = importedLayout(template, handle, buffer.sizeBytes);
      // Something is there already: copies begin with it.
      const storage = { buffer, layout, format: template.format, sequence: [1], tileStatus: null, isShared: true };
      const resource = new EtnavivResource(this, template, storage, true);
      this.#sharedBuffers.add(buffer);
      return resource;
    } catch (error) {
      this.winsys.destroyBuffer(buffer);
      throw error;
    }
  }

  exportResource(resource: Resource): ResourceHandle {
    const { base, isShared } = resource as EtnavivResource;
    if (!isShared) throw new Error(`${this.name}: only resources made with BIND.SHARED, or imported, are exported`);
    if (!this.winsys.exportBuffer) throw new Error(`${this.name}: the winsys ${this.winsys.name} exports no buffers`);
    const { strideBytes, offsetBytes } = base.layout.levels[0]!;
    return { ...this.winsys.exportBuffer(base.buffer), strideBytes, offsetBytes, modifier: modifierOf(base.layout) };
  }

  createContext(): EtnavivContext {
    const context: EtnavivContext = new EtnavivContext(this, () => this.contexts.delete(context));
    this.contexts.add(context);
    return context;
  }

  /** Gives what any context has recorded about a buffer to the GPU, and waits for it where the CPU wants to use it. */
  prepareBuffer(buffer: BufferObject, writes: boolean): void {
    for (const context of this.contexts) if (writes || context.writesBuffer(buffer)) context.submitIfUsed(buffer);
    this.unlessHung(() => this.winsys.prepare(buffer, writes), undefined);
  }

  /** A wait may find that the GPU hangs. The contexts are lost then, and their callers go on without it. */
  private unlessHung<T>(wait: () => T, otherwise: T): T {
    try {
      return wait();
    } catch (error) {
      if (!(error instanceof GpuHangError)) throw error;
      this.lose(error.message);
      return otherwise;
    }
  }

  fenceFinish(fence: Fence, timeoutNanoseconds: number): boolean {
    return this.isFenceDone((fence as EtnavivFence).number, timeoutNanoseconds);
  }

  /** A lost GPU passes every fence: nobody shall wait for it forever. */
  isFenceDone(fence: number, timeoutNanoseconds = 0): boolean {
    return this.unlessHung(() => this.winsys.waitFence(fence, timeoutNanoseconds), true);
  }

  onLost(listener: (reason: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The GPU hangs, or the device is gone. */
  lose(reason: string): void {
    if (this.#lost !== null) return;
    this.#lost = reason;
    for (const listener of [...this.#listeners]) listener(reason);
  }

  memoryStatistics(): MemoryStatistics {
    return this.winsys.memory();
  }

  destroy(): void {
    for (const context of [...this.contexts]) context.destroy();
    this.#listeners.clear();
    this.#buffers.destroy();
    this.winsys.destroy();
  }
}
