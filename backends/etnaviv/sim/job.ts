// Draws gathered for one set of targets, and the pass over 64×64 tiles that writes their pixels to the targets' memory.

import { blockBytes } from '../../../src/format/format.ts';
import type { Coverage, GeometryTarget, RasterEngine, TileTransfer } from '../../../src/raster/engine.ts';
import { KernelLibrary } from '../../../src/raster/kernel.ts';
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
} from '../../../src/raster/layout.ts';
import { OutOfMemoryError, type RasterMemory } from '../../../src/raster/memory.ts';
import type { PixelBytes } from '../../../src/raster/tile-transfer.ts';
import type { Patience } from './patience.ts';
import { ScratchBlock } from './scratch-block.ts';
import { readRect, type SurfaceLayout, writeRect } from './surface.ts';
import type { Targets } from './targets.ts';
import { buildTileKernels, type TileKind, type TileMove } from './tile-kernels.ts';
import { resolveTileStatus, type TileStatus } from './tile-status.ts';

export type VerticesFunction = (draw: number, ids: number, count: number, out: number, instance: number) => unknown;
export type ShadeFunction = (tile: number, queue: number, count: number) => unknown;

/** A draw that waits for the tile pass; its place in `Job.draws` is DRAW.identity. */
export interface JobDraw {
  /** Address of the DRAW. */
  readonly draw: number;
  readonly coverage: Coverage;
  readonly shade: ShadeFunction;
  /** Samples that pass are counted into `Job.samplesPassed`. */
  readonly counts: boolean;
  /** Instructions and texture instructions of the pixel program, for the counters. */
  readonly instructions: number;
  readonly fetches: number;
}

/** Loop back-edges that the shaders of a draw, or of a tile, may take. */
export const LOOP_BUDGET = 1 << 26;

/** Bits of four that are set. */
const LANES = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4] as const;
const QUEUE_CAPACITY = TILE_QUADS * 2;
const FIRST_BLOCK_BYTES = 1 << 18;
const LARGEST_BLOCK_BYTES = 1 << 24;

/** What shaders that do not end are reported as. */
export class ShaderTimeout extends Error {
  override readonly name = 'ShaderTimeout';
}

let jobs = 0;

export class Job {
  /** Of the process: no other job has it. */
  readonly number = ++jobs;
  readonly targets: Targets;
  readonly tilesX: number;
  readonly tilesY: number;
  /** Address of the JOB structure. */
  readonly header: number;
  readonly draws: JobDraw[] = [];
  /** What geometry writes to. */
  readonly geometry: GeometryTarget;
  samplesPassed = 0;
  private readonly memory: RasterMemory;
  private readonly blocks: number[] = [];
  private blockBytes = FIRST_BLOCK_BYTES;

  constructor(memory: RasterMemory, targets: Targets) {
    this.memory = memory;
    this.targets = targets;
    this.tilesX = Math.max(1, Math.ceil(targets.width / TILE_SIZE));
    this.tilesY = Math.max(1, Math.ceil(targets.height / TILE_SIZE));
    this.header = memory.allocateZeroed(JOB.size);
    const bytes = this.tilesX * this.tilesY * BIN.size;
    const bins = this.allocateBins(bytes);
    memory.zero(bins, bytes);
    const word = this.header >>> 2;
    memory.u32[word + JOB.word.bins] = bins;
    memory.u32[word + JOB.word.tilesX] = this.tilesX;
    memory.u32[word + JOB.word.tilesY] = this.tilesY;
    this.geometry = {
      job: this.header,
      tiles: this.tilesX * this.tilesY,
      addBlock: (bytes) => this.addBlock(bytes),
    };
  }

  private allocateBins(bytes: number): number {
    try {
      return this.allocate(bytes);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** The draw that was added last was not finished: what of it the tiles hold draws nothing. */
  voidLast(): void {
    const last = this.draws.pop();
    if (last) this.draws.push({ ...last, coverage: () => 0 });
  }

  /** Memory until the job is over. Throws OutOfMemoryError. */
  allocate(bytes: number): number {
    const size = (bytes + 15) & ~15;
    const word = this.header >>> 2;
    const { u32 } = this.memory;
    if (u32[word + JOB.word.end]! - u32[word + JOB.word.next]! < size && !this.addBlock(size)) {
      throw new OutOfMemoryError(bytes);
    }
    const next = this.memory.u32[word + JOB.word.next]!;
    this.memory.u32[word + JOB.word.next] = next + size;
    return next;
  }

  addBlock(bytes: number): boolean {
    const size = Math.max(bytes, this.blockBytes);
    const block = this.memory.tryAllocate(size);
    if (block === 0) return false;
    this.blocks.push(block);
    this.blockBytes = Math.min(this.blockBytes * 2, LARGEST_BLOCK_BYTES);
    const word = this.header >>> 2;
    this.memory.u32[word + JOB.word.next] = block;
    this.memory.u32[word + JOB.word.end] = block + size;
    return true;
  }

  release(): void {
    for (const block of this.blocks) this.memory.free(block);
    this.blocks.length = 0;
    this.memory.free(this.header);
  }
}

interface Plane {
  readonly layout: SurfaceLayout;
  readonly planes: number;
  readonly sampleBytes: number;
  readonly load: TileTransfer;
  readonly store: TileTransfer;
  /** Bits to turn a pixel's word by between memory and the engine's order. */
  readonly rotation: number;
  /** Planes that share the memory of this one are stored together: only the first is written through. */
  readonly isShared: boolean;
  /** Moves whole tiles at once, where that can be done; the shared plane comes along. */
  readonly fast: { readonly load: TileMove; readonly store: TileMove } | null;
}

const FOUR_SAMPLES: Readonly<Partial<Record<TileKind, TileKind>>> = { color4: 'color4x4', depth24: 'depth24x4' };
const COLOR_KINDS: Readonly<Record<number, TileKind>> = { 1: 'color1', 2: 'color2', 4: 'color4' };

/** Which of the engine's samples stands at which place of a pixel's block in memory. */
const SAMPLE_PLACES: Readonly<Record<1 | 2 | 4, readonly (readonly [sample: number, x: number, y: number])[]>> = {
  1: [[0, 0, 0]],
  // Two samples: the diagonal pair of the engine's four.
  2: [
    [0, 0, 0],
    [3, 1, 0],
  ],
  4: [
    [0, 0, 0],
    [1, 1, 0],
    [2, 0, 1],
    [3, 1, 1],
  ],
};

export class TilePass {
  private readonly memory: RasterMemory;
  private readonly engine: RasterEngine;
  private readonly patience: Patience;
  private readonly library: KernelLibrary;
  private tile = 0;
  private queue = 0;
  private status = 0;
  private readonly planes: ScratchBlock;
  /** Linear pixels of one tile: all samples as memory has them, then one sample. */
  private readonly stagingBlock: ScratchBlock;
  private staging = 0;
  readonly counts = { tiles: 0, pixelBytes: 0, pixels: 0, quads: 0, pixelInstructions: 0, textureFetches: 0 };

  constructor(memory: RasterMemory, engine: RasterEngine, patience: Patience) {
    this.memory = memory;
    this.engine = engine;
    this.patience = patience;
    this.library = new KernelLibrary(memory);
    this.planes = new ScratchBlock(memory);
    this.stagingBlock = new ScratchBlock(memory);
  }

  /** Kernels for a target in tiled memory; pixels of 8 bytes, two samples and four of few bytes take the slow way. */
  private fastMoves({ width, height, samples }: Targets, layout: SurfaceLayout, one: TileKind | null): Plane['fast'] {
    const kind = samples === 1 ? one : samples === 4 && one !== null ? (FOUR_SAMPLES[one] ?? null) : null;
    const isWhole = ((width | height) & (samples === 1 ? 3 : 1)) === 0;
    if (kind === null || layout.tiling === 'linear' || !isWhole) return null;
    const exports = this.library.get(`etnaviv/tiles/${kind}`, (module) => buildTileKernels(module, kind));
    return exports as unknown as { load: TileMove; store: TileMove };
  }

  /** Memory for the planes of a tile. */
  private reserve(bytes: number, stagingBytes: number): number {
    this.tile ||= this.memory.allocateZeroed(TILE.size);
    this.status ||= this.memory.allocateZeroed(STATUS.size);
    this.queue ||= this.memory.allocate((QUEUE_CAPACITY + TILE_QUADS) * QUEUE_ENTRY.size);
    this.staging = this.stagingBlock.reserve(stagingBytes);
    return this.planes.reserve(bytes);
  }

  /** Runs the job's tiles. Throws ShaderTimeout, GpuTimeout, OutOfMemoryError. */
  run(job: Job): void {
    if (job.draws.length === 0) return;
    const planes = this.bind(job.targets);
    const { u32 } = this.memory;
    u32[(this.status >>> 2) + STATUS.word.timedOut] = 0;
    const bins = u32[(job.header >>> 2) + JOB.word.bins]!;
    for (let tileY = 0; tileY < job.tilesY; tileY++) {
      for (let tileX = 0; tileX < job.tilesX; tileX++) {
        const bin = bins + (tileY * job.tilesX + tileX) * BIN.size;
        const first = this.memory.u32[(bin >>> 2) + BIN.word.first]!;
        if (first !== 0) this.runTile(job, planes, tileX * TILE_SIZE, tileY * TILE_SIZE, first);
      }
    }
    if (this.memory.u32[(this.status >>> 2) + STATUS.word.timedOut] !== 0) {
      throw new ShaderTimeout('a pixel shader did not end');
    }
  }

  private bind(targets: Targets): Plane[] {
    const samples = targets.samples === 1 ? 1 : 4;
    let bytes = 0;
    let widest = 4;
    for (const color of targets.colors) {
      if (!color) continue;
      bytes += colorPlaneBytes(blockBytes(color.format)) * samples;
      widest = Math.max(widest, blockBytes(color.format));
    }
    bytes += (DEPTH_PLANE_BYTES + STENCIL_PLANE_BYTES) * samples;
    let next = this.reserve(bytes, TILE_SIZE * TILE_SIZE * widest * 5);
    const { u32 } = this.memory;
    const word = this.tile >>> 2;
    const planes: Plane[] = [];
    const add = (plane: Omit<Plane, 'planes'>): number => {
      const at = next;
      planes.push({ ...plane, planes: at });
      next += plane.sampleBytes * samples;
      return at;
    };
    for (let target = 0; target < 8; target++) {
      const color = targets.colors[target];
      const pixelBytes = color ? blockBytes(color.format) : 0;
      u32[word + TILE.word.color + target] = color
        ? add({
            layout: color.layout,
            sampleBytes: colorPlaneBytes(pixelBytes),
            ...this.engine.tileTransfer(pixelBytes as PixelBytes),
            rotation: 0,
            isShared: false,
            fast: this.fastMoves(targets, color.layout, COLOR_KINDS[pixelBytes] ?? null),
          })
        : 0;
    }
    const { depth } = targets;
    u32[word + TILE.word.depth] = 0;
    u32[word + TILE.word.stencil] = 0;
    if (depth) {
      const engineLayout = depth.format === 'D16' ? 'z16' : 'z24s8';
      // Memory has stencil in the low byte, the engine in the high one.
      const rotation = depth.format === 'D24S8' ? 8 : 0;
      const common = { layout: depth.layout, rotation };
      u32[word + TILE.word.depth] = add({
        ...common,
        sampleBytes: DEPTH_PLANE_BYTES,
        ...this.engine.depthTransfer(engineLayout, 'depth'),
        isShared: false,
        fast: this.fastMoves(targets, depth.layout, depth.format === 'D16' ? 'depth16' : 'depth24'),
      });
      if (depth.format === 'D24S8') {
        u32[word + TILE.word.stencil] = add({
          ...common,
          sampleBytes: STENCIL_PLANE_BYTES,
          ...this.engine.depthTransfer(engineLayout, 'stencil'),
          isShared: true,
          fast: null,
        });
      }
    }
    u32[word + TILE.word.status] = this.status;
    u32[word + TILE.word.queue] = this.queue;
    u32[word + TILE.word.queueCapacity] = QUEUE_CAPACITY;
    return planes;
  }

  private runTile(job: Job, planes: readonly Plane[], x: number, y: number, firstChunk: number): void {
    const { targets } = job;
    const width = Math.min(TILE_SIZE, targets.width - x);
    const height = Math.min(TILE_SIZE, targets.height - y);
    if (width <= 0 || height <= 0) return;
    this.counts.tiles++;
    this.move(planes, targets.samples, x, y, width, height, true);
    const { u32, i32 } = this.memory;
    const tile = this.tile >>> 2;
    const { word } = TILE;
    i32[tile + word.originX] = x;
    i32[tile + word.originY] = y;
    u32[tile + word.width] = width;
    u32[tile + word.height] = height;
    u32[tile + word.chunk] = firstChunk;
    u32[tile + word.entry] = 0;
    i32[(this.status >>> 2) + STATUS.word.loopBudget] = LOOP_BUDGET;
    for (let chunk = firstChunk; chunk !== 0; chunk = u32[tile + word.chunk]!) {
      this.patience.check();
      const draw = job.draws[u32[(chunk >>> 2) + BIN_CHUNK.word.draw]!]!;
      u32[tile + word.draw] = draw.draw;
      u32[tile + word.samplesPassed] = u32[tile + word.samplesPassed + 1] = 0;
      const count = draw.coverage(this.tile);
      if (count > 0) {
        this.countPixels(draw, count);
        draw.shade(this.tile, this.queue, count);
      }
      if (draw.counts) job.samplesPassed += u32[tile + word.samplesPassed]!;
    }
    this.move(planes, targets.samples, x, y, width, height, false);
  }

  /** Counts what the queue holds. */
  private countPixels({ instructions, fetches }: JobDraw, entries: number): void {
    const { u32 } = this.memory;
    const { counts } = this;
    const step = QUEUE_ENTRY.size >>> 2;
    let quads = 0;
    let at = this.queue >>> 2;
    for (let entry = 0; entry < entries; entry++, at += step) {
      const run = u32[at + QUEUE_ENTRY.word.run]!;
      const mask = u32[at + QUEUE_ENTRY.word.mask]!;
      // A lane counts once, whatever samples of it are covered.
      counts.pixels += LANES[(mask | (mask >>> 4) | (mask >>> 8) | (mask >>> 12)) & 15]! * run;
      quads += run;
    }
    counts.quads += quads;
    counts.pixelInstructions += quads * 4 * instructions;
    counts.textureFetches += quads * 4 * fetches;
  }

  /** Moves a tile between the targets' memory and the planes. */
  private move(
    planes: readonly Plane[],
    samples: 1 | 2 | 4,
    x: number,
    y: number,
    width: number,
    height: number,
    isLoad: boolean,
  ): void {
    for (const [index, plane] of planes.entries()) {
      const { layout } = plane;
      if (plane.fast) {
        const scale = samples === 4 ? 2 : 1;
        this.moveTiles(plane, x * scale, y * scale, width * scale, height * scale, isLoad);
        continue;
      }
      if (plane.isShared && planes[index - 1]?.fast) continue;
      const [scaleX, scaleY] = [samples > 1 ? 2 : 1, samples > 2 ? 2 : 1];
      const rect = { x: x * scaleX, y: y * scaleY, width: width * scaleX, height: height * scaleY };
      const stride = rect.width * layout.bytesPerPixel;
      const all = this.staging;
      const one = samples === 1 ? all : all + TILE_SIZE * TILE_SIZE * layout.bytesPerPixel * 4;
      const oneStride = width * layout.bytesPerPixel;
      this.counts.pixelBytes += stride * rect.height;
      // Depth and stencil share their memory: the second plane finds the pixels of the first in the staging memory.
      const isFirst = !plane.isShared;
      const isLast = !planes[index + 1]?.isShared;
      if (isLoad && isFirst) {
        readRect(this.memory, layout, rect, all, stride);
        if (plane.rotation) this.rotate(all, rect.width * rect.height, 32 - plane.rotation);
      }
      if (!isLoad && isFirst && !isLast) {
        // The store kernels of shared memory change only their own bits.
        this.memory.u8.fill(0, all, all + stride * rect.height);
      }
      for (const [sample, sx, sy] of SAMPLE_PLACES[samples]) {
        const address = plane.planes + sample * plane.sampleBytes;
        if (samples === 1) {
          if (isLoad) plane.load(address, all, stride, width, height);
          else plane.store(address, all, stride, width, height);
          continue;
        }
        if (isLoad)
          this.pick(all, stride, one, oneStride, layout.bytesPerPixel, width, height, sx, sy, scaleX, scaleY, true);
        else if (!isFirst)
          this.pick(all, stride, one, oneStride, layout.bytesPerPixel, width, height, sx, sy, scaleX, scaleY, true);
        if (isLoad) plane.load(address, one, oneStride, width, height);
        else {
          plane.store(address, one, oneStride, width, height);
          this.pick(all, stride, one, oneStride, layout.bytesPerPixel, width, height, sx, sy, scaleX, scaleY, false);
        }
      }
      if (!isLoad && isLast) {
        if (plane.rotation) this.rotate(all, rect.width * rect.height, plane.rotation);
        writeRect(this.memory, layout, rect, all, stride);
      }
    }
  }

  private moveTiles(
    { fast, layout, planes }: Plane,
    x: number,
    y: number,
    width: number,
    height: number,
    isLoad: boolean,
  ) {
    const { addresses, strideBytes, bytesPerPixel } = layout;
    const stencil = this.memory.u32[(this.tile >>> 2) + TILE.word.stencil]!;
    const move = isLoad ? fast!.load : fast!.store;
    const isSuper = Number(layout.tiling === 'supertiled');
    this.counts.pixelBytes += width * height * bytesPerPixel;
    move(
      planes,
      stencil,
      addresses[0]!,
      addresses[1] ?? 0,
      strideBytes,
      isSuper,
      x >> 2,
      y >> 2,
      width >> 2,
      height >> 2,
    );
  }

  /** Turns words left by `bits`. */
  private rotate(address: number, count: number, bits: number): void {
    const { u32 } = this.memory;
    for (let word = address >>> 2, end = word + count; word < end; word++) {
      u32[word] = (u32[word]! << bits) | (u32[word]! >>> (32 - bits));
    }
  }

  /** Copies one sample of each pixel out of (or into) a rectangle of all samples. */
  private pick(
    all: number,
    allStride: number,
    one: number,
    oneStride: number,
    bytes: number,
    width: number,
    height: number,
    sx: number,
    sy: number,
    scaleX: number,
    scaleY: number,
    isOut: boolean,
  ): void {
    const { u8 } = this.memory;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const from = all + (y * scaleY + sy) * allStride + (x * scaleX + sx) * bytes;
        const to = one + y * oneStride + x * bytes;
        if (isOut) for (let i = 0; i < bytes; i++) u8[to + i] = u8[from + i]!;
        else for (let i = 0; i < bytes; i++) u8[from + i] = u8[to + i]!;
      }
    }
  }

  destroy(): void {
    for (const address of [this.tile, this.queue, this.status]) this.memory.free(address);
    this.tile = this.queue = this.status = 0;
    for (const block of [this.planes, this.stagingBlock]) block.release();
  }
}

/** Writes out what is cleared in the targets, so that tiles can be read as they stand. */
export function resolveTargets(memory: RasterMemory, targets: Targets, width: number, height: number): void {
  const [scaleX, scaleY] = [targets.samples > 1 ? 2 : 1, targets.samples > 2 ? 2 : 1];
  const resolve = (layout: SurfaceLayout, status: TileStatus | null) => {
    if (status) resolveTileStatus(memory, status, layout, width * scaleX, height * scaleY);
  };
  for (const color of targets.colors) if (color) resolve(color.layout, color.status);
  if (targets.depth) resolve(targets.depth.layout, targets.depth.status);
}
