// The copies of a resource, for the pixel engine and for the sampler, kept in step; which bytes the GPU has changed behind caches.

import type { Format } from '../../../src/format/format.ts';
import type { BufferObject } from '../winsys/winsys.ts';
import type { EtnavivContext } from './context.ts';
import { type CopyArea, flushTextureCaches, type LayerPlace } from './engine.ts';
import { type EtnavivResource, newest, type Storage } from './resource.ts';
import { engineFormat, isNativeOrder } from './shared.ts';
import { activeStatus, forgetStatus, hasFurtherStatus } from './tile-status.ts';

export class ResourceCopies {
  readonly #context: EtnavivContext;
  /** Buffers that the GPU has written since texture caches were flushed: what they hold of these is old. */
  readonly #written = new Set<BufferObject>();

  constructor(context: EtnavivContext) {
    this.#context = context;
  }

  /** A stream begins with empty caches. */
  startStream(): void {
    this.#written.clear();
  }

  /** The storage that the pixel engine draws to, up to date; made when first wanted. Null: out of memory. */
  renderStorage(resource: EtnavivResource, level: number, keepsOld = true): Storage | null {
    const { base } = resource;
    if (this.#drawsLinear(resource)) return base;
    if (this.#context.screen.canRender(base.layout)) {
      if (resource.isShared) this.#setOrder(resource, engineFormat(resource.format), keepsOld);
      return base;
    }
    resource.render ??= this.#context.screen.createStorage(resource, 'render');
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
    this.#context.beginStream();
    this.#context.engine.writeOut(this.#context.stream, place, status);
    status.isActive = false;
    this.#written.add(place.storage.buffer);
  }

  writeOutNewest(resource: EtnavivResource, level: number): void {
    this.writeOutStatus({ storage: newest(resource, level), level, layer: 0 });
  }

  /** Whether tile status goes on while so many colour targets are bound. */
  keepsColorStatus(targets: number): boolean {
    return targets <= 1 || hasFurtherStatus(this.#context.screen.facts.halti);
  }

  #copyLevel(source: Storage, target: Storage, level: number): void {
    this.#context.beginStream();
    const { depth } = source.layout.levels[level]!;
    for (let layer = 0; layer < depth; layer++) {
      const isDone = this.#context.engine.copy(
        this.#context.stream,
        { storage: source, level, layer },
        { storage: target, level, layer },
      );
      if (!isDone) throw new Error(`${this.#context.screen.name}: no engine copies ${source.format} between layouts`);
    }
    forgetStatus({ storage: target, level });
    this.#written.add(target.buffer);
  }

  /** The engine copies an area of a layer, in its turn. False: it can't. */
  copyArea(source: LayerPlace, target: LayerPlace, area: CopyArea): boolean {
    this.#context.beginStream();
    if (!this.#context.engine.copy(this.#context.stream, source, target, area)) return false;
    this.#written.add(target.storage.buffer);
    return true;
  }

  /** The GPU has written a level of a storage. */
  markWritten(resource: EtnavivResource, storage: Storage, level: number): void {
    this.markNewest(resource, storage, level);
    this.#written.add(storage.buffer);
  }

  markNewest(resource: EtnavivResource, storage: Storage, level: number): void {
    this.#context.screen.changes++;
    const other = storage === resource.base ? resource.render : resource.base;
    storage.sequence[level] = Math.max(storage.sequence[level]!, other?.sequence[level] ?? 0) + 1;
  }

  /**
   * The pixel engine draws straight to a shared resource's linear memory. Before HALTI5 all targets have one mask and one
   * blend colour, whose red and blue can't suit a linear and a private target at once.
   */
  #drawsLinear({ isShared, base }: EtnavivResource): boolean {
    const { facts, drawsLinear } = this.#context.screen;
    if (!isShared || !drawsLinear || base.layout.tiling !== 'linear') return false;
    return (
      facts.halti >= 5 || this.#context.bindings.framebuffer.colors.filter((surface) => surface !== null).length <= 1
    );
  }

  /** The program exchanges red and blue for a target: others expect them in native order where they are written. */
  swapsInProgram(resource: EtnavivResource): boolean {
    return this.#drawsLinear(resource) && engineFormat(resource.format) !== resource.format;
  }

  /** Brings the bytes of a shared resource to an order of red and blue. */
  #setOrder({ base }: EtnavivResource, format: Format, keepsOld: boolean): void {
    if (base.format === format) return;
    const place = { storage: base, level: 0, layer: 0 };
    const target = { ...place, storage: { ...base, format } };
    if (keepsOld) {
      this.#context.beginStream();
      if (!this.#context.engine.copy(this.#context.stream, place, target))
        throw new Error(`${this.#context.screen.name}: no engine swaps ${format}`);
      this.#written.add(base.buffer);
    }
    base.format = format;
  }

  /** Whether texture caches may hold what was in a buffer before the GPU wrote to it. */
  isStaleForSampling(buffer: BufferObject): boolean {
    return this.#written.has(buffer);
  }

  flushTextures(): void {
    if (this.#written.size === 0) return;
    flushTextureCaches(this.#context.stream);
    this.#written.clear();
  }

  /** A shared resource is as the outside wants it. */
  giveOut(resource: EtnavivResource): void {
    if (!resource.isShared) return;
    const hasShadow = resource.render !== null;
    this.updateForSampling(resource, 0, 0);
    if (!isNativeOrder(resource)) this.#setOrder(resource, resource.format, true);
    // The outside may write from now on: what is drawn next begins with a new copy.
    if (hasShadow) this.markNewest(resource, resource.base, 0);
  }
}
