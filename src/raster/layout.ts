// Every structure that JavaScript, the raster kernels and generated shaders share in memory: names, types, offsets.
// Window coordinates are y-up everywhere. Addresses are u32. All structures are aligned to 16 bytes.
import { struct } from './struct.ts';

// ---------------------------------------------------------------- limits

/** Tile edge in pixels. Edge values of a tile fit an i32 only up to 64 (see `coverage.ts`). */
export const TILE_SIZE = 64;
export const TILE_QUADS = (TILE_SIZE / 2) * (TILE_SIZE / 2);
export const QUADS_PER_ROW = TILE_SIZE / 2;
export const TILE_PIXELS = TILE_SIZE * TILE_SIZE;
/** Window positions are snapped to 1 / 256 pixel. */
export const SUBPIXEL_BITS = 8;
export const SUBPIXEL_SCALE = 1 << SUBPIXEL_BITS;
/** Vertices beyond ± this many pixels are clipped: twice the largest viewport. */
export const GUARD_BAND_PIXELS = 16384;
export const MAX_VIEWPORT = 8192;
const MAX_COLOR_TARGETS = 8;
export const MAX_TEXTURE_LEVELS = 15;
export const MAX_VARYING_SLOTS = 32;
export const MAX_POINT_SIZE = 1024;
export const MAX_LINE_WIDTH = 8;

/** Sample positions inside the pixel in 1/256 pixel, y-up (the standard 4x pattern). Sample 0 of 1 is the centre. */
export const SAMPLE_POSITIONS: Readonly<Record<1 | 4, readonly (readonly [x: number, y: number])[]>> = {
  1: [[128, 128]],
  4: [
    [96, 32],
    [224, 96],
    [32, 160],
    [160, 224],
  ],
};

// ---------------------------------------------------------------- per draw

/**
 * One draw: all that its shaders and kernels read. Written once by JavaScript, constant while the job runs.
 * Vertex shaders get its address as argument; fragment shaders find it in `TILE.draw`.
 */
export const DRAW = struct('Draw', {
  // Shader resources. Uniforms: constant buffer 0, 16 bytes a slot. Ubos: array of UBO. Textures: array of TEXTURE_BINDING.
  vertexUniforms: 'u32',
  vertexUbos: 'u32',
  vertexTextures: 'u32',
  fragmentUniforms: 'u32',
  fragmentUbos: 'u32',
  fragmentTextures: 'u32',
  /** Array of ATTRIBUTE by attribute location. */
  attributes: 'u32',
  /** Address of a STATUS that shaders and kernels report to. */
  status: 'u32',
  blendColor: 'vec4',
  // Stencil, front then back. Reference values are already clamped to 8 bits.
  stencilRefFront: 'u32',
  stencilRefBack: 'u32',
  stencilReadMaskFront: 'u32',
  stencilReadMaskBack: 'u32',
  stencilWriteMaskFront: 'u32',
  stencilWriteMaskBack: 'u32',
  /** Bit s: sample s may be written (sample mask and sample coverage combined). 1 sample: bit 0. */
  sampleMask: 'u32',
  /** gl_InstanceID of instance 0 plus this is the index for instanced attributes. */
  baseInstance: 'u32',
  // Viewport transform: window = ndc · scale + translate, y-up. z already holds the depth range, whose ends depthMin and depthMax are.
  viewportScaleX: 'f32',
  viewportScaleY: 'f32',
  viewportScaleZ: 'f32',
  depthMin: 'f32',
  viewportTranslateX: 'f32',
  viewportTranslateY: 'f32',
  viewportTranslateZ: 'f32',
  depthMax: 'f32',
  // Pixels that may be touched, [min, max): scissor ∩ framebuffer, for points and wide lines.
  scissorMinX: 'i32',
  scissorMinY: 'i32',
  scissorMaxX: 'i32',
  scissorMaxY: 'i32',
  // The same ∩ viewport, for triangles and lines of width 1: stands for clipping at x = ±w, y = ±w.
  clipMinX: 'i32',
  clipMinY: 'i32',
  clipMaxX: 'i32',
  clipMaxY: 'i32',
  // A vertex outside of |x| <= guardX · w, |y| <= guardY · w makes its primitive be clipped there.
  guardX: 'f32',
  guardY: 'f32',
  /** Polygon offset o = factor · m + units · r; all zero if it is off. */
  offsetFactor: 'f32',
  /** Unorm depth: units · r, r the smallest resolvable difference. Float depth: units, r is found per primitive. */
  offsetUnits: 'f32',
  offsetIsFloat: 'u32',
  /** Bound of o: not above if positive, not below if negative, none if zero. */
  offsetClamp: 'f32',
  /** 1: triangles that wind counter-clockwise (y-up) are culled; the same for clockwise. */
  cullPositive: 'u32',
  cullNegative: 'u32',
  /** 1: counter-clockwise is front. */
  frontPositive: 'u32',
  /** 1 or 4. */
  samples: 'u32',
  lineWidth: 'f32',
  pointSizeMin: 'f32',
  pointSizeMax: 'f32',
  /** What bins name the draw by, as the backend likes: soft puts the address of the draw's first copy here. */
  identity: 'u32',
  // Free for the backend that runs tiles. Soft: numbers of the coverage and the shading function in the job's list (shade 0: none).
  coverage: 'u32',
  shade: 'u32',
  /** Bit i: where one of its primitives covers a whole tile, nothing is left of what colour target i held. */
  overwrites: 'u32',
  /** Address of an f64 a thread that counts samples passed; 0: nobody counts. */
  sampleCounts: 'u32',
  /** Nonzero: memory ran out half way through its geometry, nothing of it may be seen. */
  isDropped: 'u32',
  /** gl_DrawID and gl_BaseVertex. */
  drawId: 'u32',
  baseVertex: 'u32',
});

/** Of one thread: what went wrong. */
export const STATUS = struct('Status', {
  /** Nonzero once a shader used up `loopBudget`. */
  timedOut: 'u32',
  /** Loop back-edges that shaders may still take; shaders subtract what they used and stop at zero. */
  loopBudget: 'i32',
});

/**
 * A vertex attribute. Element i stands at `address + i · stride`; i is clamped to `maxIndex` (robust access). Where not
 * even element 0 fits the buffer, `address` is that of 16 zeroed bytes and stride is 0. A current (constant) value is stride 0.
 */
export const ATTRIBUTE = struct('Attribute', {
  address: 'u32',
  stride: 'u32',
  /** 0: index is the vertex id; n: index is baseInstance + instance / n. */
  divisor: 'u32',
  maxIndex: 'u32',
});

/** A uniform buffer range. Reads at or beyond `size` give zeros or any data of the range, never other memory. */
export const UBO = struct('Ubo', { address: 'u32', size: 'u32' });

/** One sampler of a program: which view, sampled how. */
export const TEXTURE_BINDING = struct('TextureBinding', { view: 'u32', sampler: 'u32' });

/** The part of a sampler state that is not compiled into the shader. */
export const SAMPLER = struct('Sampler', {
  borderColor: 'vec4',
  minLod: 'f32',
  maxLod: 'f32',
  lodBias: 'f32',
  /** Samples that anisotropic filtering may take. */
  maxAnisotropy: 'f32',
});

/** One mip level of a view. Pixel (x, y, z): address + z · layerStride + y · rowStride + x · bytes. */
export const TEXTURE_LEVEL = struct('TextureLevel', {
  address: 'u32',
  rowStride: 'u32',
  /** Between slices (3D), layers (arrays) and faces (cubes, in the order +x −x +y −y +z −z). */
  layerStride: 'u32',
  width: 'u32',
  height: 'u32',
  /** Slices of this level (3D), layers (arrays), 6 (cubes), 1. */
  depth: 'u32',
});

/** A texture as seen through a view: levels[0] is the base level; level numbers of shaders are relative to it. */
export const TEXTURE_VIEW = struct('TextureView', {
  /** Number of levels (≥ 1): the highest level of the view is levelCount − 1. */
  levelCount: 'u32',
  spare0: 'u32',
  spare1: 'u32',
  spare2: 'u32',
  /** MAX_TEXTURE_LEVELS × TEXTURE_LEVEL. */
  levels: ['vec4', (MAX_TEXTURE_LEVELS * TEXTURE_LEVEL.size) / 16],
});

// ---------------------------------------------------------------- vertices

/**
 * A shaded vertex: this header, then one vec4 a varying slot. The vertex shader writes position, pointSize and the slots;
 * the kernel `transform` fills in the rest.
 */
export const VERTEX = struct('Vertex', {
  /** Clip coordinates. */
  position: 'vec4',
  /** Window position in 1/256 pixel. */
  windowX: 'i32',
  windowY: 'i32',
  /** Window depth 0…1. */
  windowZ: 'f32',
  invW: 'f32',
  pointSize: 'f32',
  /** CLIP_* bits of the planes that the vertex is outside of. */
  outcode: 'u32',
  /** Window position in pixels before it was snapped: what is interpolated follows it. */
  exactX: 'f32',
  exactY: 'f32',
});

/** Bytes of a vertex record with `slots` varying slots. */
export function vertexStride(slots: number): number {
  return VERTEX.size + slots * 16;
}
/** Byte offset of varying slot `slot` in a vertex record. */
export function vertexVarying(slot: number): number {
  return VERTEX.size + slot * 16;
}

/** Bits of VERTEX.outcode. VIEW bits, NEAR and FAR: outside of that plane of the view volume. */
export const CLIP = {
  VIEW_LEFT: 1 << 0,
  VIEW_BOTTOM: 1 << 1,
  NEAR: 1 << 2,
  NEGATIVE_W: 1 << 3,
  VIEW_RIGHT: 1 << 4,
  VIEW_TOP: 1 << 5,
  FAR: 1 << 6,
  GUARD_LEFT: 1 << 8,
  GUARD_BOTTOM: 1 << 9,
  GUARD_RIGHT: 1 << 12,
  GUARD_TOP: 1 << 13,
  /** w is not above zero (see MIN_W). */
  W: 1 << 16,
  /** A coordinate is infinite or not a number: the primitive is dropped. */
  NOT_FINITE: 1 << 17,
  /** Distance i of the vertex is negative: DISTANCE0 << i, for as many as the draw clips or culls by. */
  DISTANCE0: 1 << 18,
} as const;
/** If all vertices of a primitive share one of these it is outside of the view volume. */
export const CLIP_REJECT = 0x77 | CLIP.NEGATIVE_W;
/** A primitive with any of these must be clipped before setup. */
export const CLIP_NEEDED =
  CLIP.NEAR |
  CLIP.FAR |
  CLIP.GUARD_LEFT |
  CLIP.GUARD_BOTTOM |
  CLIP.GUARD_RIGHT |
  CLIP.GUARD_TOP |
  CLIP.W |
  CLIP.NOT_FINITE;
export const CLIP_VIEW_SIDES = CLIP.VIEW_LEFT | CLIP.VIEW_RIGHT | CLIP.VIEW_BOTTOM | CLIP.VIEW_TOP;
/** Smallest w that is divided by: 1 / w and its products stay finite. */
export const MIN_W = 2 ** -60;

// ---------------------------------------------------------------- primitives

/**
 * A set-up primitive, in absolute window coordinates, shared by all tiles: this header, then PRIMITIVE_SLOT a varying slot.
 * A sample at (256·px + sx, 256·py + sy) subpixels is inside if every a·x + b·y + c >= 0; c holds the fill rule.
 * At pixel centre (x, y): b1 = b1x·(x − x0) + b1y·(y − y0), b2 likewise; invW = invW0 + b1·dInvW1 + b2·dInvW2; r = 1 / invW;
 * p1 = b1·invW1·r; p2 = b2·invW2·r; value = v0 + p1·d1 + p2·d2; z = z0 + zx·(x − x0) + zy·(y − y0).
 * Points: b1, b2 are gl_PointCoord. Lines: b1 runs along the line, b2 = 0.
 */
export const PRIMITIVE = struct('Primitive', {
  a0: 'i32',
  a1: 'i32',
  a2: 'i32',
  /** 1 if front facing (points and lines always are), else 0. */
  frontFacing: 'u32',
  b0: 'i32',
  b1: 'i32',
  b2: 'i32',
  spare: 'u32',
  /** Pixels that can be touched, [min, max), scissor included. */
  minX: 'i32',
  minY: 'i32',
  maxX: 'i32',
  maxY: 'i32',
  c0: 'i64',
  c1: 'i64',
  c2: 'i64',
  x0: 'f32',
  y0: 'f32',
  b1x: 'f32',
  b1y: 'f32',
  b2x: 'f32',
  b2y: 'f32',
  invW0: 'f32',
  dInvW1: 'f32',
  dInvW2: 'f32',
  invW1: 'f32',
  invW2: 'f32',
  z0: 'f32',
  zx: 'f32',
  zy: 'f32',
});
// Fields that kernels load and store four at a time.
for (const field of ['a0', 'b0', 'minX', 'c0', 'b1x', 'invW0', 'invW2'] as const) {
  if (PRIMITIVE.offset[field] % 16 !== 0) throw new Error(`PRIMITIVE.${field} starts no vector any more`);
}
/**
 * Primitives binned as BIN_FLAG.SMALL have this in the place of c0 and c1: the three edges' values, divided by 256 and rounded down,
 * at the centre of the pixel (minX & ~1, minY & ~1), as i32.
 */
export const PRIMITIVE_START = PRIMITIVE.offset.c0;

/** A varying slot of a primitive. Flat slots: v0 is the provoking vertex's value, d1 and d2 are not written. */
export const PRIMITIVE_SLOT = struct('PrimitiveSlot', { v0: 'vec4', d1: 'vec4', d2: 'vec4' });

export function primitiveStride(slots: number): number {
  return PRIMITIVE.size + slots * PRIMITIVE_SLOT.size;
}
/** Byte offset of v0 of varying slot `slot` in a primitive record; d1 and d2 follow at +16 and +32. */
export function primitiveVarying(slot: number): number {
  return PRIMITIVE.size + slot * PRIMITIVE_SLOT.size;
}

// ---------------------------------------------------------------- tile pass

/** What a thread needs while it works on one tile; `shade(tile, queue, count)` gets its address. */
export const TILE = struct('Tile', {
  /** Window coordinates of the tile's pixel (0, 0). */
  originX: 'i32',
  originY: 'i32',
  /** Address of the DRAW at work. */
  draw: 'u32',
  /** Address of the STATUS of this thread. */
  status: 'u32',
  /** Depth planes, stencil planes (sample after sample); 0 if there are none. */
  depth: 'u32',
  stencil: 'u32',
  /** Queue that coverage fills and shade reads, and how many entries it holds. */
  queue: 'u32',
  queueCapacity: 'u32',
  /** Colour planes by target, sample after sample; 0 if there are none. */
  color: ['u32', MAX_COLOR_TARGETS],
  /** Samples that passed depth and stencil, counted by coverage (early) or by the shader (late). */
  samplesPassed: 'i64',
  /** Bin chunk and entry where coverage goes on. */
  chunk: 'u32',
  entry: 'u32',
  /** Pixels of the tile that lie inside of the framebuffer. */
  width: 'u32',
  height: 'u32',
  /** 1: all of the depth planes lies in [depthLow, depthHigh], as signed integers. 0: nothing is known. Coverage keeps it true. */
  isDepthKnown: 'u32',
  depthLow: 'i32',
  depthHigh: 'i32',
});

/** A run of covered quads: neighbours in one row of the tile with the same mask. Order in the queue is drawing order. */
export const QUEUE_ENTRY = struct('QueueEntry', {
  /** Address of the PRIMITIVE. */
  primitive: 'u32',
  /** The first quad: (y >> 1) · QUADS_PER_ROW + (x >> 1) inside of the tile. */
  quad: 'u32',
  /** Bit sample · 4 + lane. Lanes: 0 (0,0), 1 (1,0), 2 (0,1), 3 (1,1), y-up. Never zero. */
  mask: 'u32',
  /** Quads of the run, at least 1. */
  run: 'u32',
});

/** Bytes of one sample's planes of a colour target. Pixels of 8 and 16 bytes: 2 and 4 planes of 32-bit words, one after another. */
export function colorPlaneBytes(bytesPerPixel: number): number {
  return TILE_PIXELS * bytesPerPixel;
}
/** Bytes of one word plane of pixels of 8 or 16 bytes. */
export const WORD_PLANE_BYTES = TILE_PIXELS * 4;
/** A depth plane of one sample: 32 bits a pixel (D16, D24: the integer; D32F: float bits). */
export const DEPTH_PLANE_BYTES = TILE_PIXELS * 4;
/** A stencil plane of one sample: 8 bits a pixel. */
export const STENCIL_PLANE_BYTES = TILE_PIXELS;

// ---------------------------------------------------------------- bins

/**
 * Bins of a job and the memory that geometry kernels take primitive records and bin chunks from. One writer at a time;
 * a tile pass only reads. `bins` points at tilesX · tilesY BIN.
 */
export const JOB = struct('Job', {
  bins: 'u32',
  tilesX: 'u32',
  tilesY: 'u32',
  /** Free memory of the current arena block: [next, end). */
  next: 'u32',
  end: 'u32',
  /** Primitives set up since the job began. */
  primitives: 'u32',
});

/**
 * A tile's list of chunks, in drawing order. Records of primitives that lie in one tile stand together, so that the tile pass reads
 * memory in order: [records, recordsEnd) is free for them.
 */
export const BIN = struct('Bin', { first: 'u32', last: 'u32', records: 'u32', recordsEnd: 'u32' });

/** A run of primitives of one draw in one tile: this header, then `count` u32 entries. */
export const BIN_CHUNK = struct('BinChunk', {
  next: 'u32',
  /** DRAW.identity of the entries. */
  draw: 'u32',
  count: 'u32',
  capacity: 'u32',
});
/** Entry of a chunk: address of a PRIMITIVE (a multiple of 16) | flags. */
export const BIN_FLAG = {
  /** Every pixel of the tile is inside of the primitive's edges and box. */
  FULL: 1,
  /** The tile has all of the primitive, its edges alone decide (the box cuts nothing off), and PRIMITIVE_START holds. One sample. */
  SMALL: 2,
  /** The tile has all of the primitive and its box alone decides: edges are not written. One sample. */
  BOX: 4,
} as const;
/** Entries of the first chunk of a draw in a tile, and of those after it. */
export const FIRST_CHUNK_ENTRIES = 12;
export const NEXT_CHUNK_ENTRIES = 60;
/** What a tile takes for primitive records at once. */
export const RECORDS_BYTES = 2048;
/** Arena bytes that binning a primitive into one tile can take. */
export const BIN_BYTES_PER_TILE = BIN_CHUNK.size + NEXT_CHUNK_ENTRIES * 4;

// ---------------------------------------------------------------- geometry batches

/** One batch of vertices and primitives on its way from indices to bins; scratch memory of a thread. */
export const BATCH = struct('Batch', {
  /** u32 vertex ids to shade, padded to a multiple of 4 by repeating the last. */
  ids: 'u32',
  vertexCount: 'u32',
  /** Addresses of vertex records (u32), 3, 2 or 1 for each primitive; the provoking vertex is last (GL) or first. */
  primitives: 'u32',
  primitiveCount: 'u32',
  /** Vertex records. */
  vertices: 'u32',
  vertexStride: 'u32',
  maxVertices: 'u32',
  maxPrimitives: 'u32',
  /** Vertex reuse: VERTEX_CACHE_ENTRIES u32, local vertex by vertex id modulo the size; content is checked, never cleared. */
  cache: 'u32',
  /** Primitive where setup goes on after it ran out of arena memory. */
  cursor: 'u32',
  /** Sub-triangle of that primitive's clipped polygon where setup goes on. */
  fan: 'u32',
  /** Scratch of clipping: CLIP_SCRATCH_HEADER bytes, then CLIP_SCRATCH_VERTICES vertex records. */
  clipScratch: 'u32',
  // The draw being assembled. `indices` is the address of the first index, 0 if the draw has none.
  indices: 'u32',
  /** Elements of the draw, and the next one to read. */
  elementCount: 'u32',
  element: 'u32',
  /** Added to each index (or the first vertex of a draw without indices). */
  firstVertex: 'i32',
  /** Vertex ids are clamped to this. */
  maxVertex: 'u32',
  // State of a strip, fan or loop across batches: elements seen since the last restart, and their ids.
  stripLength: 'u32',
  stripFirst: 'u32',
  stripPrevious: 'u32',
  stripBefore: 'u32',
  /** `GeometryKernels.assembly` of the draw whose elements the batch holds, all of them; 0: others. */
  holds: 'u32',
});

export const VERTEX_CACHE_ENTRIES = 2048;
export const CLIP_SCRATCH_HEADER = 272;
export const CLIP_SCRATCH_VERTICES = 52;

/**
 * The vertex shader's entry: `vertices(draw, ids, count, out, instance)`: shades `count` (rounded up to 4) vertices whose ids
 * stand at `ids` and writes their records one after another to `out` (stride `vertexStride(slots)`).
 * The fragment shader's entry: `shade(tile, queue, count)`.
 */
export const VERTEX_ENTRY = 'vertices';
export const FRAGMENT_ENTRY = 'shade';
