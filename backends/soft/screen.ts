// The screen of the soft backend: one shared memory and the engine over it.

import type { Format } from '../../src/format/format.ts';
import type {
  Backend,
  Context,
  Fence,
  MemoryStatistics,
  Resource,
  ResourceHandle,
  ResourceTarget,
  ResourceTemplate,
  Screen,
  ScreenOptions,
} from '../../src/pipe/pipe.ts';
import { RasterEngine } from '../../src/raster/engine.ts';
import { RasterMemory } from '../../src/raster/memory.ts';
import { SOFT_CAPS } from './caps.ts';
import { SoftContext } from './context.ts';
import { isFormatSupported } from './format.ts';
import { SoftFence } from './query.ts';
import { SoftResource } from './resource.ts';
import { SharedGeometry } from './shared-geometry.ts';
import { ScreenThreads } from './threads/screen-threads.ts';

export interface SoftScreenOptions extends ScreenOptions {
  /** Memory that workers could be given; default: where the platform has it. */
  readonly sharedMemory?: boolean;
}

/** Pages that are not cross-origin isolated have no shared memory. */
function canShareMemory(): boolean {
  return typeof SharedArrayBuffer !== 'undefined';
}

export class SoftScreen implements Screen {
  readonly name = 'soft';
  readonly renderer = 'Indium soft (WebAssembly SIMD)';
  readonly caps = SOFT_CAPS;
  readonly memory: RasterMemory;
  readonly engine: RasterEngine;
  readonly threads: ScreenThreads;
  readonly sharedGeometry: SharedGeometry;
  readonly #lostListeners = new Set<(reason: string) => void>();
  readonly #contexts = new Set<SoftContext>();

  constructor(options: SoftScreenOptions) {
    const { memoryLimitBytes, threads, sharedMemory = canShareMemory() } = options;
    this.memory = new RasterMemory({
      shared: sharedMemory,
      ...(memoryLimitBytes !== undefined && { limitBytes: memoryLimitBytes }),
    });
    this.engine = new RasterEngine(this.memory);
    this.threads = new ScreenThreads(this.memory, threads);
    this.sharedGeometry = new SharedGeometry(this.memory, this.engine, this.threads);
  }

  isFormatSupported(format: Format, target: ResourceTarget, samples: number, bind: number): boolean {
    return isFormatSupported(format, target, samples, bind);
  }

  createResource(template: ResourceTemplate): Resource | null {
    const resource = SoftResource.create(this.memory, template);
    if (resource !== null) return resource;
    // Pending work holds memory that it gives back when it is done.
    this.finishAll();
    return SoftResource.create(this.memory, template);
  }

  /** Runs the pending jobs of all contexts. */
  finishAll(): void {
    for (const context of this.#contexts) context.finish();
  }

  importResource(_template: ResourceTemplate, _handle: ResourceHandle): Resource {
    throw new Error(
      'soft: resources cannot be imported: the software rasteriser has no dma-buf; check caps.shareableResources',
    );
  }

  exportResource(_resource: Resource): ResourceHandle {
    throw new Error(
      'soft: resources cannot be exported: the software rasteriser has no dma-buf; check caps.shareableResources',
    );
  }

  createContext(): Context {
    const context = new SoftContext(this, () => this.#contexts.delete(context));
    this.#contexts.add(context);
    return context;
  }

  fenceFinish(fence: Fence, timeoutNanoseconds: number): boolean {
    if (timeoutNanoseconds > 0 && fence instanceof SoftFence) fence.finish();
    return fence.isSignalled();
  }

  onLost(listener: (reason: string) => void): () => void {
    this.#lostListeners.add(listener);
    return () => this.#lostListeners.delete(listener);
  }

  /**
   * Work can't go on (an endless shader was stopped): every context of this screen is lost. Contexts made afterwards, to
   * restore, start anew.
   */
  lose(reason: string): void {
    const lost = [...this.#contexts].filter((context) => !context.isLost);
    if (lost.length === 0) return;
    for (const context of lost) context.markLost();
    for (const listener of [...this.#lostListeners]) listener(reason);
  }

  memoryStatistics(): MemoryStatistics {
    return {
      liveBytes: this.memory.liveBytes,
      liveAllocations: this.memory.liveBlocks,
      capacityBytes: this.memory.committedBytes,
    };
  }

  destroy(): void {
    for (const context of [...this.#contexts]) context.destroy();
    this.#lostListeners.clear();
    this.sharedGeometry.dispose();
    this.threads.dispose();
    this.engine.dispose();
  }
}

export const softBackend: Backend = {
  name: 'soft',
  createScreen: (options) => new SoftScreen(options),
};
