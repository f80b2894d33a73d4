// A job: all work gathered for one set of surfaces, from geometry already in bins to the tile pass that writes pixels.

import { type Format, formatDescription } from '../../src/format/format.ts';
import { CLEAR, type FramebufferState, type Surface } from '../../src/pipe/pipe.ts';
import { BIN, JOB, TILE_SIZE } from '../../src/raster/layout.ts';
import { OutOfMemoryError, type RasterMemory } from '../../src/raster/memory.ts';
import { Arena } from './arena.ts';
import type { QueryCounter } from './query.ts';
import type { LevelLayout, SoftResource, Storage } from './resource.ts';
import { Interned } from './state.ts';
import { MAX_THREADS } from './threads/layout.ts';
import type { ThreadFunction } from './threads/tile-runner.ts';

/** What a tile holds before the job's first draw. */
export type LoadOperation = 'load' | 'clear';

/** One surface of a job. */
export interface Attachment {
  readonly resource: SoftResource;
  readonly storage: Storage;
  readonly format: Format;
  readonly address: number;
  readonly layout: LevelLayout;
  load: LoadOperation;
  /** Clear value: four 32-bit words of the colour as the caller gave it, or depth bits and stencil. */
  readonly clearValue: Uint32Array;
  /** False once nobody wants the contents any more (invalidated and not written since). */
  store: boolean;
}

function createAttachment(surface: Surface): Attachment {
  const resource = surface.resource as SoftResource;
  return {
    resource,
    storage: resource.storage,
    format: surface.format,
    address: resource.levelAddress(surface.level, surface.firstLayer),
    layout: resource.layout[surface.level]!,
    load: 'load',
    clearValue: new Uint32Array(4),
    store: true,
  };
}

/** Identity of a set of surfaces: equal keys continue the same job. */
export function jobKey(framebuffer: FramebufferState): string {
  const name = (surface: Surface | null) =>
    surface ? `${(surface.resource as SoftResource).id}.${surface.level}.${surface.firstLayer}.${surface.format}` : '-';
  const surfaces = [...framebuffer.colors, framebuffer.depthStencil].map(name);
  return `${framebuffer.width}x${framebuffer.height}x${framebuffer.samples}:${surfaces.join(',')}`;
}

const formatClasses = new Interned();

/** A number that is equal for framebuffers that need the same code: formats, not surfaces. */
export function formatClassOf({ colors, depthStencil, samples }: FramebufferState): number {
  const names = [...colors, depthStencil].map((surface) => surface?.format ?? '');
  return formatClasses.numberOf(`${samples} ${names.join()}`);
}

const doNothing = (): number => 0;

/** Samples counted for a set of queries. */
interface SampleCounts {
  readonly address: number;
  readonly counters: readonly QueryCounter[];
}

let nextJobId = 1;

/** Changes whenever a job is made: only that gives surfaces a writer. */
export function jobsMade(): number {
  return nextJobId;
}

export class Job {
  /** Unique in the process: tells whether something is already in a job's arena. */
  readonly id = nextJobId++;
  readonly key: string;
  /** Equal for jobs whose draws need the same code. */
  readonly formatClass: number;
  readonly width: number;
  readonly height: number;
  readonly samples: number;
  readonly tilesX: number;
  readonly tilesY: number;
  readonly colors: readonly (Attachment | null)[];
  readonly depth: Attachment | null;
  readonly stencil: Attachment | null;
  /** Colour attachments, then depth and stencil (which may share a resource). */
  readonly attachments: readonly Attachment[];
  readonly arena: Arena;
  /** Draws that can change a pixel. */
  drawCount = 0;
  /** Any draw tests or writes depth, stencil: else tiles need not carry it. */
  usesDepth = false;
  usesStencil = false;
  /** Code of the tile pass: what `DRAW.coverage` and `DRAW.shade` number. 0 stands for none. */
  readonly functions: ThreadFunction[] = [doNothing];
  /** Counters of queries with draws in this job. */
  readonly counters = new Set<QueryCounter>();
  isDone = false;
  readonly #functionNumbers = new Map<ThreadFunction, number>();
  readonly #sampleCounts: SampleCounts[] = [];
  readonly #retained = new Set<Storage>();
  readonly #memory: RasterMemory;
  readonly #execute: (job: Job) => void;

  /** Throws OutOfMemoryError. `execute` runs the tile pass. */
  constructor(memory: RasterMemory, key: string, framebuffer: FramebufferState, execute: (job: Job) => void) {
    this.#memory = memory;
    this.#execute = execute;
    this.key = key;
    this.formatClass = formatClassOf(framebuffer);
    this.width = framebuffer.width;
    this.height = framebuffer.height;
    this.samples = framebuffer.samples;
    this.tilesX = Math.ceil(this.width / TILE_SIZE);
    this.tilesY = Math.ceil(this.height / TILE_SIZE);
    this.colors = framebuffer.colors.map((surface) => surface && createAttachment(surface));
    const zs = framebuffer.depthStencil;
    const description = zs && formatDescription(zs.format);
    this.depth = zs && description?.hasDepth ? createAttachment(zs) : null;
    this.stencil = zs && description?.hasStencil ? createAttachment(zs) : null;
    this.attachments = [...this.colors, this.depth, this.stencil].filter((attachment) => attachment !== null);
    this.arena = new Arena(memory);
    this.#initializeBins();
    for (const attachment of this.attachments) {
      attachment.storage.writers.add(this);
      this.#retain(attachment.storage);
    }
  }

  #initializeBins(): void {
    // A framebuffer may be empty.
    const bytes = Math.max(1, this.tilesX * this.tilesY) * BIN.size;
    const bins = this.arena.allocate(bytes);
    if (bins === 0) {
      this.arena.release();
      throw new OutOfMemoryError(bytes);
    }
    this.#memory.zero(bins, bytes);
    const word = this.arena.header >>> 2;
    this.#memory.u32[word + JOB.word.bins] = bins;
    this.#memory.u32[word + JOB.word.tilesX] = this.tilesX;
    this.#memory.u32[word + JOB.word.tilesY] = this.tilesY;
  }

  /** The attachment that a bit of `CLEAR` names. */
  attachmentOf(bit: number): Attachment | null {
    if (bit === CLEAR.DEPTH) return this.depth;
    if (bit === CLEAR.STENCIL) return this.stencil;
    return this.colors[31 - Math.clz32(bit / CLEAR.COLOR0)] ?? null;
  }

  /** The number of a function among `functions`. */
  numberOf(code: ThreadFunction | null): number {
    if (code === null) return 0;
    let number = this.#functionNumbers.get(code);
    if (number === undefined) {
      number = this.functions.push(code) - 1;
      this.#functionNumbers.set(code, number);
    }
    return number;
  }

  /** Where draws that `counters` count note their samples: an f64 a thread. Throws OutOfMemoryError. */
  sampleCountsFor(counters: readonly QueryCounter[]): number {
    const last = this.#sampleCounts.at(-1);
    if (last?.counters === counters) return last.address;
    const bytes = MAX_THREADS * Float64Array.BYTES_PER_ELEMENT;
    const address = this.arena.allocate(bytes);
    if (address === 0) throw new OutOfMemoryError(bytes);
    this.#memory.zero(address, bytes);
    this.#sampleCounts.push({ address, counters });
    for (const counter of counters) {
      this.counters.add(counter);
      counter.pending.add(this);
    }
    return address;
  }

  get countsSamples(): boolean {
    return this.#sampleCounts.length > 0;
  }

  /** Adds what the threads counted to the queries. */
  #sumSamples(): void {
    for (const { address, counters } of this.#sampleCounts) {
      let samples = 0;
      for (let thread = 0; thread < MAX_THREADS; thread++) samples += this.#memory.f64[(address >>> 3) + thread]!;
      for (const counter of counters) counter.count += samples;
    }
  }

  /** Whether all that the job does is fill surfaces. */
  get onlyClears(): boolean {
    return this.drawCount === 0 && this.counters.size === 0;
  }

  /**
   * Takes over the clears that earlier jobs hold back for this job's surfaces: a clear of a whole level costs nothing when
   * the next to draw there clears its tiles instead. Such jobs run if anything else is left of them.
   */
  adoptClears(): void {
    for (const { storage } of this.attachments) {
      for (const earlier of [...storage.writers]) {
        if (earlier === this || earlier.isDone) continue;
        for (const attachment of this.attachments) this.#adoptClear(attachment, earlier);
        if (earlier.attachments.some(({ load }) => load === 'clear')) earlier.run();
        else earlier.abandon();
      }
    }
  }

  #adoptClear(attachment: Attachment, earlier: Job): void {
    const source =
      attachment === this.depth
        ? earlier.depth
        : attachment === this.stencil
          ? earlier.stencil
          : earlier.colors.find((color) => color?.address === attachment.address);
    if (source?.load !== 'clear' || source.address !== attachment.address || source.format !== attachment.format)
      return;
    if (earlier.width !== this.width || earlier.height !== this.height) return;
    attachment.load = 'clear';
    attachment.clearValue.set(source.clearValue);
    attachment.store = source.store;
    source.load = 'load';
  }

  /** A draw may have written every attachment: what was invalidated before counts again. */
  markDrawn(): void {
    for (let i = 0; i < this.attachments.length; i++) this.attachments[i]!.store = true;
  }

  /** The job reads `storage` when it runs. */
  read(storage: Storage): void {
    storage.readers.add(this);
    this.#retain(storage);
  }

  #retain(storage: Storage): void {
    if (this.#retained.has(storage)) return;
    this.#retained.add(storage);
    storage.retain();
  }

  /** Runs the tile pass and gives everything back. Running a job that is done does nothing. */
  run(): void {
    if (this.isDone) return;
    this.isDone = true;
    try {
      this.#execute(this);
      this.#sumSamples();
    } finally {
      this.#release();
    }
  }

  /** Gives everything back without running: the context is lost. */
  abandon(): void {
    if (this.isDone) return;
    this.isDone = true;
    this.#release();
  }

  #release(): void {
    for (const storage of this.#retained) {
      storage.readers.delete(this);
      storage.writers.delete(this);
      storage.release();
    }
    this.#retained.clear();
    for (const counter of this.counters) counter.pending.delete(this);
    this.counters.clear();
    this.arena.release();
  }
}
