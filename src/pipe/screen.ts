// The screen: one GPU (or software device). It makes resources and contexts, and answers what is possible.

import type { Format } from '../format/format.ts';
import type { Caps } from './caps.ts';
import type { Context } from './context.ts';
import type { ResourceTarget } from './defines.ts';
import type { Fence } from './query.ts';
import type { Resource, ResourceHandle, ResourceTemplate } from './resource.ts';

/** Counters that tests and tools read; bytes are live bytes, not what the process got from the system. */
export interface MemoryStatistics {
  readonly liveBytes: number;
  readonly liveAllocations: number;
  readonly capacityBytes: number;
}

export interface Screen {
  /** As `openBackend` spells it: `soft`, `etnaviv:gc2000`… */
  readonly name: string;
  /** For GL_RENDERER. */
  readonly renderer: string;
  readonly caps: Caps;
  /** Names by which a test farm knows such a machine; hardware backends only. */
  readonly tags?: readonly string[];
  /** What this very device is, a line each, for people; hardware backends only. */
  describe?(): readonly string[];

  /**
   * Whether `format` can be used in all ways that `bind` (bits of `BIND`) names, on `target`, with `samples`.
   * Asked per use: a format may be sampled but not filtered, rendered but not blended.
   */
  isFormatSupported(format: Format, target: ResourceTarget, samples: number, bind: number): boolean;

  /** Null when there is no memory for it (GL_OUT_OF_MEMORY above); nothing else changes then. Contents read as zero. */
  createResource(template: ResourceTemplate): Resource | null;
  /** Takes in a buffer of another process or API. Throws when the screen can't share (`caps.shareableResources`). */
  importResource(template: ResourceTemplate, handle: ResourceHandle): Resource;
  exportResource(resource: Resource): ResourceHandle;

  /** Contexts of one screen share resources; state objects belong to their context. */
  createContext(): Context;

  /** Waits at most `timeoutNanoseconds` (0: only asks) and tells whether the fence has signalled. */
  fenceFinish(fence: Fence, timeoutNanoseconds: number): boolean;

  /**
   * Calls `listener` once when the device is lost (a hang, an endless shader, a dead worker). Every context of the
   * screen is lost then; to restore, the state tracker makes new contexts and resources. Returns how to stop listening.
   */
  onLost(listener: (reason: string) => void): () => void;

  memoryStatistics(): MemoryStatistics;
  /** Gives everything back. Contexts and resources of the screen are dead afterwards. */
  destroy(): void;
}

/** A backend is a value: something that opens a screen. */
export interface Backend {
  readonly name: string;
  createScreen(options: ScreenOptions): Screen;
}

export interface ScreenOptions {
  /** Threads that a software backend may use, the calling one included; undefined: the backend's default. Soft's is one a processor. */
  readonly threads?: number;
  /** Most bytes of device memory; allocation beyond it fails. */
  readonly memoryLimitBytes?: number;
}
