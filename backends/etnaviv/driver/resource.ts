// Resources of the etnaviv driver: a buffer object, where its pixels lie, and the copies in other layouts that follow it.

import type { Format } from '../../../src/format/format.ts';
import type { Resource, ResourceTemplate } from '../../../src/pipe/pipe.ts';
import type { BufferObject } from '../winsys/winsys.ts';
import type { ResourceLayout } from './layout.ts';
import type { EtnavivScreen } from './screen.ts';
import type { TileStatus } from './tile-status.ts';

/** One memory of a resource. A resource has its own, and may have one more for the unit that can't use its layout. */
export interface Storage {
  buffer: BufferObject;
  readonly layout: ResourceLayout;
  /** What the memory holds. Of shared resources it changes with the order of red and blue. */
  format: Format;
  /** Grows with each change of each level; the copy with the higher number is the newer one. */
  readonly sequence: number[];
  /** Others see the memory: it has no tile status. */
  readonly isShared?: boolean;
  /** Of level 0; null: none yet. */
  tileStatus: TileStatus | null;
}

export class EtnavivResource implements Resource {
  readonly screenName = 'etnaviv';
  readonly target: ResourceTemplate['target'];
  readonly format: Format;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly arraySize: number;
  readonly levels: number;
  readonly samples: number;
  readonly bind: number;
  readonly usage: ResourceTemplate['usage'];
  /** The storage that CPU and sampler use. */
  readonly base: Storage;
  /** The storage that the pixel engine draws to when it can't draw to `base`. */
  render: Storage | null = null;
  /** Others see the base storage. */
  readonly isShared: boolean;
  readonly #screen: EtnavivScreen;
  #isDestroyed = false;

  constructor(screen: EtnavivScreen, template: ResourceTemplate, base: Storage, isShared = false) {
    this.#screen = screen;
    this.target = template.target;
    this.format = template.format;
    this.width = template.width;
    this.height = template.height;
    this.depth = template.depth;
    this.arraySize = template.arraySize;
    this.levels = template.levels;
    this.samples = template.samples;
    this.bind = template.bind;
    this.usage = template.usage;
    this.base = base;
    this.isShared = isShared;
  }

  get isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    for (const storage of [this.base, this.render]) {
      if (!storage) continue;
      this.#screen.releaseBuffer(storage.buffer);
      if (storage.tileStatus) this.#screen.releaseBuffer(storage.tileStatus.buffer);
    }
  }
}

/** The storage of a level that was written last. */
export function newest(resource: EtnavivResource, level: number): Storage {
  const { base, render } = resource;
  return render && render.sequence[level]! > base.sequence[level]! ? render : base;
}

/** Byte offsets of a layer of a level in its buffer: one, or one a pixel pipe. */
export function layerOffsets({ layout }: Storage, level: number, layer: number): number[] {
  const { offsetBytes, layerStrideBytes } = layout.levels[level]!;
  const first = offsetBytes + layer * layerStrideBytes;
  return layout.pipes === 1 ? [first] : [first, first + layerStrideBytes / 2];
}
