// Runs jobs: describes them as plain data for the threads that run tiles, or clears surfaces where nothing is drawn.

import { now } from '../../src/base/clock.ts';
import { listOf } from '../../src/base/list.ts';
import { profile } from '../../src/base/profile.ts';
import { blockBytes, type Format, formatDescription } from '../../src/format/format.ts';
import { packRgba } from '../../src/format/pack.ts';
import type { DepthLayout } from '../../src/raster/depth-transfer.ts';
import type { RasterEngine, TileTransfer } from '../../src/raster/engine.ts';
import { colorPlaneBytes, DEPTH_PLANE_BYTES, JOB, STENCIL_PLANE_BYTES, TILE } from '../../src/raster/layout.ts';
import type { RasterMemory } from '../../src/raster/memory.ts';
import type { PixelBytes } from '../../src/raster/tile-transfer.ts';
import type { Attachment, Job } from './job.ts';
import type { SoftScreen } from './screen.ts';
import { ThreadProfiles } from './thread-profile.ts';
import { Experience } from './threads/experience.ts';
import { MAX_TILE_SURFACES, TILE_JOB, TILE_SURFACE } from './threads/layout.ts';
import { KIND } from './threads/messages.ts';
import { ThreadMemory } from './threads/thread-memory.ts';
import { TileRunner } from './threads/tile-runner.ts';
import { PATIENCE } from './vertex-observer.ts';

const DEPTH_LAYOUTS: Partial<Record<Format, DepthLayout>> = {
  Z16_UNORM: 'z16',
  Z24X8_UNORM: 'z24x8',
  Z24_UNORM_S8_UINT: 'z24s8',
  Z32_FLOAT: 'z32f',
  Z32_FLOAT_S8X24_UINT: 'z32fs8',
  S8_UINT: 's8',
};

/** Sets of surfaces that experience is kept with. */
const MAX_EXPERIENCES = 256;

type Aspect = 'color' | 'depth' | 'stencil';

/** One aspect of an attachment of the running job. */
interface TileSurface {
  readonly attachment: Attachment;
  readonly aspect: Aspect;
  /** Word of TILE that holds the address of its planes. */
  readonly planeWord: number;
  /** Bytes of one sample's planes; samples follow each other. */
  readonly sampleBytes: number;
  readonly load: TileTransfer;
  readonly store: TileTransfer;
}

/** A pixel's bytes repeated to whole words: a pixel of 1 or 2 bytes fills a word, larger ones give a word a plane. */
function clearWords(attachment: Attachment, aspect: Aspect): number[] {
  const { format, clearValue } = attachment;
  if (aspect === 'depth') return [clearValue[0]!];
  if (aspect === 'stencil') return [clearValue[0]! * 0x01010101];
  const bytes = blockBytes(format);
  const pixel = new Uint8Array(Math.max(bytes, 4));
  const { numericClass } = formatDescription(format);
  const color =
    numericClass === 'uint'
      ? clearValue
      : numericClass === 'int'
        ? new Int32Array(clearValue.buffer)
        : new Float32Array(clearValue.buffer);
  packRgba(format, pixel, 0, bytes, color, 0, 4, 1, 1);
  for (let at = bytes; at < 4; at++) pixel[at] = pixel[at % bytes]!;
  return [...new Uint32Array(pixel.buffer)];
}

/** The bits of one aspect in a whole pixel, and which bits they are (none given: all). */
function depthStencilPixel(
  { format, clearValue }: Attachment,
  aspect: 'depth' | 'stencil',
): { pixel: Uint8Array; mask: Uint8Array | undefined } {
  const { channels, swizzle, blockBytes: bytes, hasDepth, hasStencil } = formatDescription(format);
  const { bits, shift } = channels[swizzle[aspect === 'depth' ? 0 : 1]]!;
  const place = (value: bigint): Uint8Array => {
    const words = new BigUint64Array([value << BigInt(shift)]);
    return new Uint8Array(words.buffer, 0, bytes);
  };
  const isWhole = !(hasDepth && hasStencil);
  return { pixel: place(BigInt(clearValue[0]!)), mask: isWhole ? undefined : place((1n << BigInt(bits)) - 1n) };
}

/** The word that a cleared surface repeats in memory; null: its pixels are larger, or hold another aspect too. */
function memoryWord(attachment: Attachment, aspect: Aspect): number | null {
  if (blockBytes(attachment.format) > 4) return null;
  if (aspect === 'color') return clearWords(attachment, aspect)[0]!;
  const { pixel, mask } = depthStencilPixel(attachment, aspect);
  if (mask !== undefined) return null;
  const bytes = Uint8Array.of(...listOf(4, (at) => pixel[at % pixel.length]!));
  return new Uint32Array(bytes.buffer)[0]!;
}

/** The aspects of a job's attachments that change or are looked at, in the order in which their planes lie. */
function surfacesOf(job: Job, engine: RasterEngine): TileSurface[] {
  const surfaces: TileSurface[] = [];
  for (let target = 0; target < job.colors.length; target++) {
    const attachment = job.colors[target];
    if (!attachment) continue;
    const bytes = blockBytes(attachment.format);
    surfaces.push({
      attachment,
      aspect: 'color',
      planeWord: TILE.word.color + target,
      sampleBytes: colorPlaneBytes(bytes),
      ...engine.tileTransfer(bytes as PixelBytes),
    });
  }
  const add = (
    attachment: Attachment | null,
    aspect: 'depth' | 'stencil',
    sampleBytes: number,
    isUsed: boolean,
  ): void => {
    if (attachment === null || (attachment.load === 'load' && !isUsed)) return;
    const transfer = engine.depthTransfer(DEPTH_LAYOUTS[attachment.format]!, aspect);
    surfaces.push({ attachment, aspect, planeWord: TILE.word[aspect], sampleBytes, ...transfer });
  };
  add(job.depth, 'depth', DEPTH_PLANE_BYTES, job.usesDepth);
  add(job.stencil, 'stencil', STENCIL_PLANE_BYTES, job.usesStencil);
  return surfaces;
}

function planeBytesOf(job: Job): number {
  let bytes = 0;
  for (const color of job.colors) if (color) bytes += colorPlaneBytes(blockBytes(color.format));
  if (job.depth) bytes += DEPTH_PLANE_BYTES;
  if (job.stencil) bytes += STENCIL_PLANE_BYTES;
  return bytes * job.samples;
}

export class TilePass {
  readonly #screen: SoftScreen;
  readonly #memory: RasterMemory;
  readonly #engine: RasterEngine;
  readonly #thread: ThreadMemory;
  readonly #runner: TileRunner;
  readonly #profiles: ThreadProfiles;
  /** Surfaces are drawn to again and again: what that took last tells whether to call workers at once. */
  readonly #experiences = new Map<string, Experience>();
  /** Address of a TILE_JOB and MAX_TILE_SURFACES TILE_SURFACE. */
  #description = 0;

  constructor(screen: SoftScreen) {
    this.#screen = screen;
    this.#memory = screen.memory;
    this.#engine = screen.engine;
    this.#thread = new ThreadMemory(screen.memory, 0);
    this.#profiles = new ThreadProfiles(screen.memory);
    this.#runner = new TileRunner(
      screen.memory,
      () => true,
      () => {},
    );
  }

  /** Memory for one tile of the job's surfaces, taken before the job holds work so that running it cannot fail. */
  reserve(job: Job): void {
    this.#description ||= this.#memory.allocateZeroed(TILE_JOB.size + MAX_TILE_SURFACES * TILE_SURFACE.size);
    this.#engine.reserveFill();
    this.#thread.reserve(planeBytesOf(job), 0);
    this.#profiles.reserve();
  }

  /** Executes the job's tile pass. Needs no memory that `reserve` has not taken. */
  run(job: Job): void {
    const isUntouched = job.attachments.every(({ load }) => load === 'load') && job.drawCount === 0;
    if (isUntouched) return;
    const surfaces = surfacesOf(job, this.#engine);
    if (job.drawCount === 0) {
      for (const surface of surfaces) this.#clearSurface(surface, job);
      return;
    }
    this.#describe(job, surfaces);
    const start = profile.begin();
    this.#runTiles(job);
    if (!profile.isOn) return;
    this.#profiles.end();
    profile.counts.primitivesOut += this.#memory.u32[(job.arena.header >>> 2) + JOB.word.primitives]!;
    profile.end('tiles', start, job.key);
  }

  #runTiles(job: Job): void {
    const runner = this.#runner;
    const deadline = now() + PATIENCE.tilesMs;
    const experience = this.#experienceOf(job);
    runner.begin(this.#description, this.#thread.address, job.functions);
    const outcome = this.#screen.threads.run({
      kind: KIND.TILES,
      address: this.#description,
      functions: job.functions,
      planeBytes: planeBytesOf(job),
      needsBatch: false,
      count: job.tilesX * job.tilesY,
      expectedMs: experience.aloneMs,
      experience,
      isRepeatable: !job.countsSamples,
      deadline,
      run: (tile) => {
        runner.run(tile);
        return !runner.hasTimedOut && now() <= deadline;
      },
    });
    runner.end();
    if (outcome === 'stopped') {
      this.#screen.lose(
        'a fragment shader did not end: its loops took too many steps in a tile, or all tiles too much time',
      );
    } else if (outcome === 'lost') this.#screen.lose('a worker thread died while it stored a tile');
  }

  #experienceOf({ key }: Job): Experience {
    let experience = this.#experiences.get(key);
    if (experience === undefined) {
      if (this.#experiences.size >= MAX_EXPERIENCES) this.#experiences.clear();
      this.#experiences.set(key, (experience = new Experience()));
    }
    return experience;
  }

  /** Writes the job down for whoever runs its tiles. */
  #describe(job: Job, surfaces: readonly TileSurface[]): void {
    const { u32 } = this.#memory;
    const at = this.#description >>> 2;
    const first = this.#description + TILE_JOB.size;
    u32[at + TILE_JOB.word.bins] = u32[(job.arena.header >>> 2) + JOB.word.bins]!;
    u32[at + TILE_JOB.word.tilesX] = job.tilesX;
    u32[at + TILE_JOB.word.width] = job.width;
    u32[at + TILE_JOB.word.height] = job.height;
    u32[at + TILE_JOB.word.samples] = job.samples;
    u32[at + TILE_JOB.word.surfaceCount] = surfaces.length;
    u32[at + TILE_JOB.word.surfaces] = first;
    u32[at + TILE_JOB.word.profile] = this.#profiles.begin();
    let planeOffset = 0;
    for (let index = 0; index < surfaces.length; index++) {
      const surface = surfaces[index]!;
      this.#describeSurface((first + index * TILE_SURFACE.size) >>> 2, job, surface, planeOffset);
      planeOffset += surface.sampleBytes * job.samples;
    }
  }

  #describeSurface(at: number, job: Job, surface: TileSurface, planeOffset: number): void {
    const { u32 } = this.#memory;
    const { word } = TILE_SURFACE;
    const { attachment, aspect } = surface;
    const isLoaded = attachment.load === 'load';
    u32[at + word.planeWord] = surface.planeWord;
    u32[at + word.planeOffset] = planeOffset;
    u32[at + word.sampleBytes] = surface.sampleBytes;
    u32[at + word.address] = attachment.address;
    u32[at + word.pixelBytes] = blockBytes(attachment.format);
    u32[at + word.rowStride] = attachment.layout.rowStride;
    u32[at + word.sampleStride] = attachment.layout.sampleStride;
    u32[at + word.load] = isLoaded ? job.numberOf(surface.load) : 0;
    u32[at + word.store] = attachment.store ? job.numberOf(surface.store) : 0;
    if (isLoaded) return;
    const words = clearWords(attachment, aspect);
    u32[at + word.clear] = job.numberOf(this.#engine.tileClear);
    u32.set(words, at + word.clearWords);
    u32[at + word.clearWordCount] = words.length;
    const inMemory = memoryWord(attachment, aspect);
    u32[at + word.isClearedInMemory] = inMemory === null ? 0 : 1;
    u32[at + word.memoryWord] = inMemory ?? 0;
  }

  /** A job that only clears needs no tiles: its surface is filled as it lies in memory. */
  #clearSurface({ attachment, aspect }: TileSurface, job: Job): void {
    if (attachment.load !== 'clear' || !attachment.store) return;
    const { pixel, mask } =
      aspect === 'color'
        ? {
            pixel: new Uint8Array(
              Uint32Array.from(clearWords(attachment, aspect)).buffer,
              0,
              blockBytes(attachment.format),
            ),
            mask: undefined,
          }
        : depthStencilPixel(attachment, aspect);
    const { rowStride, sampleStride } = attachment.layout;
    for (let sample = 0; sample < job.samples; sample++) {
      const address = attachment.address + sample * sampleStride;
      this.#engine.fillRect(address, rowStride, job.width, job.height, pixel, mask);
    }
  }

  destroy(): void {
    this.#profiles.release();
    this.#thread.release();
    this.#memory.free(this.#description);
    this.#description = 0;
  }
}
