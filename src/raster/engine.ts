// The raster engine of one memory: owns compiled kernels and a thread's scratch, and offers them as typed calls.
// JavaScript is entered per batch and per (tile, draw), never per vertex or pixel.
import { type AssembleKey, assembleKey, buildAssemble, PRIMITIVE_VERTICES, type Topology } from './assemble.ts';
import { allocateBatch } from './batch.ts';
import { buildCoverage, type CoverageKey, coverageKey } from './coverage.ts';
import { buildDepthTransfer, type DepthLayout } from './depth-transfer.ts';
import { buildFindRestart } from './find-index.ts';
import { buildGeometry, type GeometryKey, geometryKey } from './geometry.ts';
import { KernelLibrary } from './kernel.ts';
import { TILE_PIXELS } from './layout.ts';
import type { RasterMemory } from './memory.ts';
import { extrasText, type GeometryExtras } from './primitive-record.ts';
import { buildRectangles, PATTERN_BYTES } from './rectangles.ts';
import { buildResolve, type PixelAverage } from './resolve.ts';
import { runGeometry } from './run-geometry.ts';
import { buildTileClear } from './tile-clear.ts';
import { buildTileTransfer, type PixelBytes } from './tile-transfer.ts';

export type VertexShader = (draw: number, ids: number, count: number, out: number, instance: number) => unknown;

export type GeometryState = {
  readonly topology: Topology;
  readonly indexBytes: 0 | 1 | 2 | 4;
  readonly restart: boolean;
  readonly provokingFirst: boolean;
  readonly depthClamp: boolean;
  readonly clipHalfZ: boolean;
  /** Varying slots of the vertex records, and a bit for each that is flat. */
  readonly slots: number;
  readonly flatMask: number;
  readonly extras?: GeometryExtras | undefined;
};

/** Sets of geometry kernels that are kept. */
const MAX_GEOMETRY_KERNELS = 1024;

const TOPOLOGY_NUMBER = Object.fromEntries(Object.keys(PRIMITIVE_VERTICES).map((name, i) => [name, i])) as Record<
  Topology,
  number
>;

/** A number that differs for states that differ: looked up at every draw, so no text is made. */
function geometryStateNumber(state: GeometryState): number {
  const { topology, indexBytes, restart, provokingFirst, depthClamp, clipHalfZ, slots, flatMask } = state;
  const flags = (restart ? 1 : 0) | (provokingFirst ? 2 : 0) | (depthClamp ? 4 : 0) | (clipHalfZ ? 8 : 0);
  return (
    TOPOLOGY_NUMBER[topology] + indexBytes * 2 ** 3 + flags * 2 ** 6 + slots * 2 ** 10 + (flatMask >>> 0) * 2 ** 16
  );
}

function assemblyNumber({ topology, indexBytes, provokingFirst }: GeometryState): number {
  return indexBytes === 0 ? 1 + TOPOLOGY_NUMBER[topology] * 2 + (provokingFirst ? 1 : 0) : 0;
}

/** The kernels for one GeometryState. */
export type GeometryKernels = {
  readonly state: GeometryState;
  /** Equal for kernels that assemble equal ranges alike; 0: it depends on indices. */
  readonly assembly: number;
  readonly assemble: (batch: number) => number;
  readonly transform: (draw: number, batch: number) => number;
  readonly setup: (draw: number, batch: number, job: number) => number;
};

export type DrawRange = {
  /** Address of the first index of the draw (indexBytes > 0), else not used. */
  readonly indices: number;
  /** Indices, or vertices. */
  readonly count: number;
  /** Elements before this one are left out (default: none). */
  readonly first?: number;
  /** Added to each index; the first vertex of a draw without indices. */
  readonly firstVertex: number;
  /** Vertex ids above are clamped to this (default: none). */
  readonly maxVertex?: number;
  readonly firstInstance: number;
  readonly instances: number;
};

/** What geometry writes to: a job's JOB structure, and a way to give its arena a new block of at least `bytes`. */
export type GeometryTarget = {
  readonly job: number;
  /** Tiles of the job: decides the size of blocks. */
  readonly tiles: number;
  readonly addBlock: (bytes: number) => boolean;
};

export type Coverage = (tile: number) => number;
/** (planes, surface, rowStride, width, height): see `addTileWalk`. */
export type TileTransfer = (
  planes: number,
  surface: number,
  rowStride: number,
  width: number,
  height: number,
) => number;

export class RasterEngine {
  readonly memory: RasterMemory;
  readonly #library: KernelLibrary;
  readonly #geometry = new Map<number | string, GeometryKernels>();
  #batch = 0;
  #pattern = 0;
  readonly #scratch: number[] = [];

  constructor(memory: RasterMemory, library = new KernelLibrary(memory)) {
    this.memory = memory;
    this.#library = library;
  }

  /** Gives the scratch memory back. The engine can be used again (it allocates anew). */
  dispose(): void {
    for (const address of this.#scratch) this.memory.free(address);
    this.#scratch.length = 0;
    this.#batch = 0;
    this.#pattern = 0;
  }

  /** The batch scratch of this thread (made at the first use; throws OutOfMemoryError). */
  get batch(): number {
    if (this.#batch !== 0) return this.#batch;
    try {
      this.#batch = allocateBatch(this.memory, this.#scratch);
    } catch (error) {
      this.dispose();
      throw error;
    }
    return this.#batch;
  }

  geometryKernels(state: GeometryState): GeometryKernels {
    const number = geometryStateNumber(state);
    const key = state.extras === undefined ? number : `${number}${extrasText(state.extras)}`;
    let kernels = this.#geometry.get(key);
    if (kernels === undefined) {
      // The pipelines hold what they use.
      if (this.#geometry.size >= MAX_GEOMETRY_KERNELS) this.#geometry.clear();
      const assemble: AssembleKey = state;
      const geometry: GeometryKey = { ...state, vertices: PRIMITIVE_VERTICES[state.topology] };
      const first = this.#library.get(assembleKey(assemble), (module) => buildAssemble(module, assemble));
      const second = this.#library.get(geometryKey(geometry), (module) => buildGeometry(module, geometry));
      kernels = {
        state,
        assembly: assemblyNumber(state),
        assemble: first['assemble'] as GeometryKernels['assemble'],
        transform: second['transform'] as GeometryKernels['transform'],
        setup: second['setup'] as GeometryKernels['setup'],
      };
      this.#geometry.set(key, kernels);
    }
    return kernels;
  }

  /**
   * Runs the geometry of one draw: vertices are fetched and shaded by `vertices`, primitives are set up and binned into the
   * job. False if the arena could not grow: the draw is then binned in part, as it is when the status that the draw points to
   * says `timedOut`.
   */
  runGeometry(
    kernels: GeometryKernels,
    draw: number,
    range: DrawRange,
    vertices: VertexShader,
    target: GeometryTarget,
  ): boolean {
    return runGeometry(this.memory, this.batch, kernels, kernels.state.slots, draw, range, vertices, target);
  }

  /** Whether one of `count` indices at `address` starts a new primitive. */
  hasRestart(address: number, count: number, indexBytes: 1 | 2 | 4): boolean {
    const exports = this.#library.get(`find-restart/${indexBytes}`, (module) => buildFindRestart(module, indexBytes));
    return exports['find']!(address, count) !== 0;
  }

  coverage(key: CoverageKey): Coverage {
    return this.#library.get(coverageKey(key), (module) => buildCoverage(module, key))['coverage'] as Coverage;
  }

  /** Load and store of the planes of a colour target. */
  tileTransfer(bytes: PixelBytes): { readonly load: TileTransfer; readonly store: TileTransfer } {
    const exports = this.#library.get(`tile/${bytes}`, (module) => buildTileTransfer(module, bytes));
    return exports as { load: TileTransfer; store: TileTransfer };
  }

  /** Fills planes of a cleared tile, or a tile's place in a surface: `clear(address, rowStride, rowBytes, rows, word)`. */
  get tileClear(): TileTransfer {
    return this.#library.get('tile-clear', buildTileClear)['clear'] as TileTransfer;
  }

  /** Load and store of the depth or stencil planes. */
  depthTransfer(
    layout: DepthLayout,
    aspect: 'depth' | 'stencil',
  ): { readonly load: TileTransfer; readonly store: TileTransfer } {
    const exports = this.#library.get(`depth/${layout}/${aspect}`, (module) =>
      buildDepthTransfer(module, layout, aspect),
    );
    return exports as { load: TileTransfer; store: TileTransfer };
  }

  /**
   * Averages the samples of a tile's colour planes: `resolve(planes, out)`. `key` names what `average` does; pixels of 8-bit
   * unorm channels take `averageBytes`.
   */
  resolve(key: string, bytes: PixelBytes, average: PixelAverage): (planes: number, out: number) => number {
    const exports = this.#library.get(`resolve/${bytes}/${key}`, (module) => buildResolve(module, bytes, average));
    return exports['resolve'] as (planes: number, out: number) => number;
  }

  /** Fills a rectangle with copies of `pixel` (1, 2, 3, 4, 6, 8, 12 or 16 bytes); with `mask`, only the bits set in it. */
  fillRect(
    address: number,
    rowStride: number,
    width: number,
    height: number,
    pixel: Uint8Array,
    mask?: Uint8Array,
  ): void {
    const pattern = this.#usePattern(pixel, mask);
    const kernels = this.#rectangles();
    const fill = mask === undefined ? kernels['fill']! : kernels['fillMasked']!;
    fill(address, rowStride, width * pixel.length, height, pattern);
  }

  /** Fills one sample's planes of a tile: colour pixels of 1 to 16 bytes, a depth word (4 bytes) or a stencil byte. */
  fillPlane(planes: number, pixel: Uint8Array): void {
    const wordBytes = Math.min(pixel.length, 4);
    for (let k = 0; k < pixel.length; k += 4) {
      const bytes = TILE_PIXELS * wordBytes;
      const pattern = this.#usePattern(pixel.subarray(k, k + wordBytes));
      this.#rectangles()['fill']!(planes + (k / 4) * bytes, 0, bytes, 1, pattern);
    }
  }

  /** Copies rows; strides may be negative, with addresses then of the last row. Overlap is allowed for equal strides. */
  copyRect(to: number, toStride: number, from: number, fromStride: number, rowBytes: number, rows: number): void {
    this.#rectangles()['copy']!(to, toStride, from, fromStride, rowBytes, rows);
  }

  #rectangles() {
    return this.#library.get('rectangles', buildRectangles);
  }

  /** Takes the memory that `fillRect` and `fillPlane` use, so that they cannot fail afterwards. Throws OutOfMemoryError. */
  reserveFill(): void {
    if (this.#pattern !== 0) return;
    this.#pattern = this.memory.allocate(2 * PATTERN_BYTES);
    this.#scratch.push(this.#pattern);
  }

  #usePattern(pixel: Uint8Array, mask?: Uint8Array): number {
    this.reserveFill();
    const { u8 } = this.memory;
    for (let i = 0; i < PATTERN_BYTES; i++) {
      u8[this.#pattern + i] = pixel[i % pixel.length] as number;
      if (mask !== undefined) u8[this.#pattern + PATTERN_BYTES + i] = mask[i % mask.length] as number;
    }
    return this.#pattern;
  }
}
