// The null screen: a GPU that can do everything and shows nothing. For tests of the layers above, for measuring their cost,
// and for programs that want GL's errors and queries without pictures.

import type { Format } from '../../src/format/format.ts';
import { imageBytes, isCompressed, isDepthOrStencil } from '../../src/format/format.ts';
import type { Caps } from '../../src/pipe/caps.ts';
import { BIND, type ResourceTarget } from '../../src/pipe/defines.ts';
import type { Fence } from '../../src/pipe/query.ts';
import type { Resource, ResourceHandle, ResourceTemplate } from '../../src/pipe/resource.ts';
import type { Backend, MemoryStatistics, Screen, ScreenOptions } from '../../src/pipe/screen.ts';
import { NULL_CAPS } from './caps.ts';
import { NullContext } from './context.ts';
import { type NullMemory, NullResource } from './resource.ts';

/** Without a limit of its own: what a 32-bit device could address. */
const DEFAULT_LIMIT_BYTES = 2 ** 32;

export class NullScreen implements Screen {
  readonly name = 'null';
  readonly renderer = 'null, draws nothing';
  readonly caps: Caps;
  readonly #memory: NullMemory;
  readonly #listeners = new Set<(reason: string) => void>();

  /** `caps`: overrides, to test what the layers above do on lesser hardware. */
  constructor(options: ScreenOptions = {}, caps: Partial<Caps> = {}) {
    this.caps = { ...NULL_CAPS, ...caps };
    this.#memory = {
      liveBytes: 0,
      liveAllocations: 0,
      limitBytes: options.memoryLimitBytes ?? DEFAULT_LIMIT_BYTES,
    };
  }

  isFormatSupported(format: Format, target: ResourceTarget, samples: number, bind: number): boolean {
    const renders = (bind & (BIND.RENDER_TARGET | BIND.DEPTH_STENCIL | BIND.DISPLAY_TARGET)) !== 0;
    if (samples > 1 && !this.caps.sampleCounts.includes(samples)) return false;
    if (isCompressed(format)) return target !== 'buffer' && !renders && samples === 1;
    if (isDepthOrStencil(format)) return (bind & (BIND.RENDER_TARGET | BIND.DISPLAY_TARGET)) === 0;
    return (bind & BIND.DEPTH_STENCIL) === 0;
  }

  createResource(template: ResourceTemplate): Resource | null {
    // Level 0 alone decides, before anything is made: a size that is out of reach must not be tried.
    const layers = Math.max(template.depth, template.arraySize);
    const bytes = imageBytes(template.format, template.width, template.height) * layers * template.samples;
    if (this.#memory.liveBytes + bytes > this.#memory.limitBytes) return null;
    return new NullResource(template, this.#memory);
  }

  importResource(_template: ResourceTemplate, _handle: ResourceHandle): Resource {
    throw new Error('The null backend cannot import resources');
  }
  exportResource(_resource: Resource): ResourceHandle {
    throw new Error('The null backend cannot export resources');
  }

  createContext(): NullContext {
    return new NullContext(this);
  }

  fenceFinish(_fence: Fence, _timeoutNanoseconds: number): boolean {
    return true;
  }

  onLost(listener: (reason: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells every listener that the device is lost, as a test may want it. */
  lose(reason: string): void {
    for (const listener of this.#listeners) listener(reason);
  }

  memoryStatistics(): MemoryStatistics {
    const { liveBytes, liveAllocations, limitBytes } = this.#memory;
    return { liveBytes, liveAllocations, capacityBytes: limitBytes };
  }

  destroy(): void {
    this.#listeners.clear();
  }
}

export const nullBackend: Backend = {
  name: 'null',
  createScreen: (options) => new NullScreen(options),
};
