// Runs jobs: each tile is loaded or cleared, gets all draws that touch it, and is stored.

import { blockBytes, type Format, formatDescription } from '../../src/format/format.ts';
import { packRgba } from '../../src/format/pack.ts';
import type { DepthLayout } from '../../src/raster/depth-transfer.ts';
import type { RasterEngine, TileTransfer } from '../../src/raster/engine.ts';
import {
  BIN,
  BIN_CHUNK,
  colorPlaneBytes,
  DEPTH_PLANE_BYTES,
  JOB,
  QUEUE_ENTRY,
  STATUS,
  STENCIL_PLANE_BYTES,
  TILE,
  TILE_QUADS,
  TILE_SIZE,
  WORD_PLANE_BYTES,
} from '../../src/raster/layout.ts';
import { OutOfMemoryError, type RasterMemory } from '../../src/raster/memory.ts';
import type { PixelBytes } from '../../src/raster/tile-transfer.ts';
import type { DrawCommand } from './command.ts';
import type { Attachment, Job } from './job.ts';
import type { SoftScreen } from './screen.ts';
import { LOOP_BUDGET, PATIENCE } from './vertex-observer.ts';

/** A queue holds at least two tiles' worth of quads, so that coverage seldom has to stop. */
const QUEUE_CAPACITY = TILE_QUADS * 2;

const DEPTH_LAYOUTS: Partial<Record<Format, DepthLayout>> = {
  Z16_UNORM: 'z16',
  Z24X8_UNORM: 'z24x8',
  Z24_UNORM_S8_UINT: 'z24s8',
  Z32_FLOAT: 'z32f',
  Z32_FLOAT_S8X24_UINT: 'z32fs8',
  S8_UINT: 's8',
};

/** One attachment of the running job as the tile loop needs it. */
interface TileSurface {
  readonly attachment: Attachment;
  readonly aspect: 'color' | 'depth' | 'stencil';
  /** Address and bytes of one sample's planes; samples follow each other. */
  readonly planes: number;
  readonly sampleBytes: number;
  readonly pixelBytes: number;
  readonly load: TileTransfer;
  readonly store: TileTransfer;
  /** What a cleared plane repeats: 32-bit words, one for each word plane. */
  readonly clearWords: readonly number[];
}

/** A pixel's bytes repeated to whole words: a pixel of 1 or 2 bytes fills a word, larger ones give a word a plane. */
function clearWords(attachment: Attachment, aspect: 'color' | 'depth' | 'stencil'): number[] {
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

export class TilePass {
  readonly #screen: SoftScreen;
  readonly #memory: RasterMemory;
  readonly #engine: RasterEngine;
  #tile = 0;
  #queue = 0;
  #status = 0;
  #planes = 0;
  #planeBytes = 0;

  constructor(screen: SoftScreen) {
    this.#screen = screen;
    this.#memory = screen.memory;
    this.#engine = screen.engine;
  }

  /** Memory for one tile of the job's surfaces, taken before the job holds work so that running it cannot fail. */
  reserve(job: Job): void {
    this.#tile ||= this.#memory.allocateZeroed(TILE.size);
    this.#status ||= this.#memory.allocateZeroed(STATUS.size);
    this.#queue ||= this.#memory.allocate((QUEUE_CAPACITY + TILE_QUADS) * QUEUE_ENTRY.size);
    this.#engine.reserveFill();
    const bytes = this.#planeBytesOf(job);
    if (bytes <= this.#planeBytes) return;
    const planes = this.#memory.tryAllocate(bytes);
    if (planes === 0) throw new OutOfMemoryError(bytes);
    this.#memory.free(this.#planes);
    this.#planes = planes;
    this.#planeBytes = bytes;
  }

  #planeBytesOf(job: Job): number {
    let bytes = 0;
    for (const color of job.colors) if (color) bytes += colorPlaneBytes(blockBytes(color.format));
    if (job.depth) bytes += DEPTH_PLANE_BYTES;
    if (job.stencil) bytes += STENCIL_PLANE_BYTES;
    return bytes * job.samples;
  }

  /** Executes the job's tile pass. Needs no memory that `reserve` has not taken. */
  run(job: Job): void {
    const { u32 } = this.#memory;
    const surfaces = this.#bindSurfaces(job);
    const isUntouched = surfaces.every(({ attachment }) => attachment.load === 'load') && job.commands.length === 0;
    if (isUntouched) return;
    if (job.commands.length === 0) {
      for (const surface of surfaces) this.#clearSurface(surface, job);
      return;
    }
    u32[(this.#status >>> 2) + STATUS.word.timedOut] = 0;
    const bins = u32[(job.arena.header >>> 2) + JOB.word.bins]!;
    const deadline = performance.now() + PATIENCE.tilesMs;
    for (let tileY = 0; tileY < job.tilesY; tileY++) {
      for (let tileX = 0; tileX < job.tilesX; tileX++) {
        const bin = bins + (tileY * job.tilesX + tileX) * BIN.size;
        const first = u32[(bin >>> 2) + BIN.word.first]!;
        this.#runTile(job, surfaces, tileX * TILE_SIZE, tileY * TILE_SIZE, first);
        if (this.#hasTimedOut() || performance.now() > deadline) {
          this.#screen.lose(
            'a fragment shader did not end: its loops took too many steps in a tile, or all tiles too much time',
          );
          return;
        }
      }
    }
  }

  #hasTimedOut(): boolean {
    return this.#memory.u32[(this.#status >>> 2) + STATUS.word.timedOut] !== 0;
  }

  #bindSurfaces(job: Job): TileSurface[] {
    const { u32 } = this.#memory;
    const tile = this.#tile >>> 2;
    const surfaces: TileSurface[] = [];
    let next = this.#planes;
    const add = (
      attachment: Attachment,
      aspect: 'color' | 'depth' | 'stencil',
      sampleBytes: number,
      transfer: { load: TileTransfer; store: TileTransfer },
    ): number => {
      const planes = next;
      const pixelBytes = blockBytes(attachment.format);
      surfaces.push({
        attachment,
        aspect,
        planes,
        sampleBytes,
        pixelBytes,
        ...transfer,
        clearWords: clearWords(attachment, aspect),
      });
      next += sampleBytes * job.samples;
      return planes;
    };
    for (let target = 0; target < job.colors.length; target++) {
      const color = job.colors[target];
      const bytes = color ? blockBytes(color.format) : 0;
      u32[tile + TILE.word.color + target] = color
        ? add(color, 'color', colorPlaneBytes(bytes), this.#engine.tileTransfer(bytes as PixelBytes))
        : 0;
    }
    const depthStencil = (attachment: Attachment | null, aspect: 'depth' | 'stencil', bytes: number): number => {
      if (attachment === null) return 0;
      const layout = DEPTH_LAYOUTS[attachment.format]!;
      return add(attachment, aspect, bytes, this.#engine.depthTransfer(layout, aspect));
    };
    u32[tile + TILE.word.depth] = depthStencil(job.depth, 'depth', DEPTH_PLANE_BYTES);
    u32[tile + TILE.word.stencil] = depthStencil(job.stencil, 'stencil', STENCIL_PLANE_BYTES);
    u32[tile + TILE.word.status] = this.#status;
    u32[tile + TILE.word.queue] = this.#queue;
    u32[tile + TILE.word.queueCapacity] = QUEUE_CAPACITY;
    return surfaces;
  }

  /** A job that only clears needs no tiles: its surface is filled as it lies in memory. */
  #clearSurface({ attachment, aspect, clearWords: words, pixelBytes }: TileSurface, job: Job): void {
    if (attachment.load !== 'clear' || !attachment.store) return;
    const { pixel, mask } =
      aspect === 'color'
        ? { pixel: new Uint8Array(Uint32Array.from(words).buffer, 0, pixelBytes), mask: undefined }
        : depthStencilPixel(attachment, aspect);
    const { rowStride, sampleStride } = attachment.layout;
    for (let sample = 0; sample < job.samples; sample++) {
      const address = attachment.address + sample * sampleStride;
      this.#engine.fillRect(address, rowStride, job.width, job.height, pixel, mask);
    }
  }

  #runTile(job: Job, surfaces: readonly TileSurface[], x: number, y: number, firstChunk: number): void {
    const width = Math.min(TILE_SIZE, job.width - x);
    const height = Math.min(TILE_SIZE, job.height - y);
    for (const surface of surfaces) this.#loadTile(surface, job.samples, x, y, width, height, firstChunk !== 0);
    if (firstChunk !== 0) this.#drawTile(job, x, y, width, height, firstChunk);
    for (const surface of surfaces) {
      const { attachment } = surface;
      if (attachment.store && (firstChunk !== 0 || attachment.load === 'clear')) {
        this.#transfer(surface.store, surface, job.samples, x, y, width, height);
      }
    }
  }

  #loadTile(
    surface: TileSurface,
    samples: number,
    x: number,
    y: number,
    width: number,
    height: number,
    isDrawn: boolean,
  ): void {
    const { attachment, planes, sampleBytes, clearWords: words } = surface;
    if (attachment.load === 'load') {
      if (isDrawn) this.#transfer(surface.load, surface, samples, x, y, width, height);
      return;
    }
    const { u32 } = this.#memory;
    for (let sample = 0; sample < samples; sample++) {
      const base = planes + sample * sampleBytes;
      const planeBytes = words.length > 1 ? WORD_PLANE_BYTES : sampleBytes;
      for (let plane = 0; plane < words.length; plane++) {
        const start = (base + plane * planeBytes) >>> 2;
        u32.fill(words[plane]!, start, start + (planeBytes >>> 2));
      }
    }
  }

  #transfer(
    transfer: TileTransfer,
    surface: TileSurface,
    samples: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void {
    const { attachment, planes, sampleBytes, pixelBytes } = surface;
    const { rowStride, sampleStride } = attachment.layout;
    for (let sample = 0; sample < samples; sample++) {
      const address = attachment.address + sample * sampleStride + y * rowStride + x * pixelBytes;
      transfer(planes + sample * sampleBytes, address, rowStride, width, height);
    }
  }

  #drawTile(job: Job, x: number, y: number, width: number, height: number, firstChunk: number): void {
    const memory = this.#memory;
    const { u32, i32 } = memory;
    const tile = this.#tile >>> 2;
    const { word } = TILE;
    const { commands } = job;
    i32[tile + word.originX] = x;
    i32[tile + word.originY] = y;
    u32[tile + word.width] = width;
    u32[tile + word.height] = height;
    u32[tile + word.chunk] = firstChunk;
    u32[tile + word.entry] = 0;
    for (let chunk = firstChunk; chunk !== 0; chunk = u32[tile + word.chunk]!) {
      const command = commands.at(u32[(chunk >>> 2) + BIN_CHUNK.word.draw]!);
      if (command.isDropped) {
        u32[tile + word.chunk] = u32[(chunk >>> 2) + BIN_CHUNK.word.next]!;
        continue;
      }
      this.#drawRun(command);
      if (this.#hasTimedOut()) return;
    }
  }

  /** Works on the draw's primitives in this tile, or on as many as fit the queue. */
  #drawRun(command: DrawCommand): void {
    const { u32, i32 } = this.#memory;
    const { counters, shade } = command;
    const tile = this.#tile >>> 2;
    const passed = tile + TILE.word.samplesPassed;
    u32[tile + TILE.word.draw] = command.draw;
    if (counters !== null) u32[passed] = u32[passed + 1] = 0;
    const count = command.coverage!(this.#tile);
    if (count > 0 && shade !== null) {
      i32[(this.#status >>> 2) + STATUS.word.loopBudget] = LOOP_BUDGET;
      shade(this.#tile, this.#queue, count);
    }
    // At most 2 · TILE_QUADS quads: the low word holds it.
    if (counters !== null) for (const counter of counters) counter.count += u32[passed]!;
  }

  destroy(): void {
    for (const address of [this.#tile, this.#queue, this.#status, this.#planes]) this.#memory.free(address);
    this.#tile = this.#queue = this.#status = this.#planes = 0;
    this.#planeBytes = 0;
  }
}
