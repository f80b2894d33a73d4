// What threads share in a screen's memory beside the raster engine's structures: a thread's scratch, a job as plain data.

import { struct } from '../../../src/raster/struct.ts';

/** Threads of a pool, the main thread (number 0) included. */
export const MAX_THREADS = 32;

/** The memory of one thread: what it works with and nobody else touches while it does. */
export const THREAD = struct('Thread', {
  index: 'u32',
  /** Address of its TILE, queue, STATUS and planes. */
  tile: 'u32',
  queue: 'u32',
  queueCapacity: 'u32',
  status: 'u32',
  planes: 'u32',
  /** Scratch of generated shaders; worker threads only: the main thread's functions know theirs. */
  scratch: 'u32',
});

/** The tile pass of one job. */
export const TILE_JOB = struct('TileJob', {
  /** Array of BIN, row by row. */
  bins: 'u32',
  tilesX: 'u32',
  width: 'u32',
  height: 'u32',
  samples: 'u32',
  surfaceCount: 'u32',
  /** Array of TILE_SURFACE. */
  surfaces: 'u32',
});

/** One aspect of one surface of a job. */
export const TILE_SURFACE = struct('TileSurface', {
  /** Word of TILE that holds the address of its planes. */
  planeWord: 'u32',
  /** Bytes from a thread's planes to those of this surface, and of one sample's planes. */
  planeOffset: 'u32',
  sampleBytes: 'u32',
  // Where it lies in memory.
  address: 'u32',
  pixelBytes: 'u32',
  rowStride: 'u32',
  sampleStride: 'u32',
  // Numbers among the job's functions; `load` 0: cleared. `store` 0: nobody wants the contents.
  load: 'u32',
  store: 'u32',
  /** What a cleared plane repeats: a word for each word plane. */
  clearWords: ['u32', 4],
  clearWordCount: 'u32',
});
/** Eight colour targets, depth, stencil. */
export const MAX_TILE_SURFACES = 10;
