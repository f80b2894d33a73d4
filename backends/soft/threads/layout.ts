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
  /** Where it works on geometry: its BATCH, and a copy of the DRAW that points to its STATUS; 0 until needed. */
  batch: 'u32',
  draw: 'u32',
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
  /** THREAD_PROFILE of each thread, to which it adds; 0: nobody counts. */
  profile: 'u32',
});

/** What a thread did in a tile pass. Times are milliseconds since the epoch, as threads have clocks of their own. */
export const THREAD_PROFILE = struct('ThreadProfile', {
  tiles: 'f64',
  /** Samples given to fragment shaders. */
  fragments: 'f64',
  busyMs: 'f64',
  start: 'f64',
  end: 'f64',
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
  /** Where the surface is cleared: the number of the kernel, and what a plane repeats, a word for each word plane. */
  clear: 'u32',
  clearWords: ['u32', 4],
  clearWordCount: 'u32',
  /** Not zero: memory holds pixels that repeat `memoryWord`, so tiles that nothing is drawn in can be cleared there. */
  isClearedInMemory: 'u32',
  memoryWord: 'u32',
});
/** Eight colour targets, depth, stencil. */
export const MAX_TILE_SURFACES = 10;

/** The geometry of one draw, cut into chunks. */
export const GEOMETRY_JOB = struct('GeometryJob', {
  /** Address of the DRAW. */
  draw: 'u32',
  tilesX: 'u32',
  tilesY: 'u32',
  slots: 'u32',
  // As in DrawRange.
  indices: 'u32',
  firstVertex: 'i32',
  maxVertex: 'u32',
  /** Array of GEOMETRY_CHUNK. */
  chunks: 'u32',
  // Blocks for chunks whose own memory is full, one after another: where, how large, how many, taken so far.
  spares: 'u32',
  spareBytes: 'u32',
  spareCount: 'u32',
  sparesTaken: 'u32',
});

/** A run of a draw's elements, and its own bins: linked one after another they are those of the draw. */
export const GEOMETRY_CHUNK = struct('GeometryChunk', {
  /** Elements [first, end) of the draw; a strip's chunks overlap. */
  first: 'u32',
  end: 'u32',
  firstInstance: 'u32',
  instances: 'u32',
  /** Address of its JOB and of its BINs. */
  job: 'u32',
  bins: 'u32',
  /** Its memory for primitives and bin chunks, [block, blockEnd). */
  block: 'u32',
  blockEnd: 'u32',
  /** CHUNK_RESULT. */
  result: 'u32',
});

export const CHUNK_RESULT = { PENDING: 0, DONE: 1, OUT_OF_MEMORY: 2 } as const;

/** Numbers of a geometry job's functions. */
export const GEOMETRY_FUNCTION = { ASSEMBLE: 1, VERTICES: 2, TRANSFORM: 3, SETUP: 4 } as const;
