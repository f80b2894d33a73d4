// Kernels that move 4×4 tiles straight between tiled memory and the quad-ordered planes of the tile pass: the fast way for
// targets of 1, 2 and 4 bytes a pixel and for depth (everything else goes through linear rows, see `job.ts`).

import { QUADS_PER_ROW, TILE_QUADS } from '../../../src/raster/layout.ts';
import type { I32 } from '../../../src/raster/primitive-record.ts';
import type { Expr } from '../../../src/wasm/expr.ts';
import type { FunctionBuilder } from '../../../src/wasm/function-builder.ts';
import type { ModuleBuilder } from '../../../src/wasm/module-builder.ts';

/**
 * `depth24`: stencil in the low byte, depth above it, as one word in memory and two planes in the tile. `…x4`: four samples,
 * so that a tile in memory is a quad of pixels, and each sample has planes of its own.
 */
export type TileKind = 'color1' | 'color2' | 'color4' | 'depth16' | 'depth24' | 'color4x4' | 'depth24x4';

export const TILE_KIND_BYTES: Readonly<Record<TileKind, number>> = {
  color1: 1,
  color2: 2,
  color4: 4,
  depth16: 2,
  depth24: 4,
  color4x4: 4,
  depth24x4: 4,
};

/** Quads of pixels in a row of a tile. */
const quadsPerTile = (kind: TileKind): 1 | 2 => (kind.endsWith('x4') ? 1 : 2);

/**
 * (planes, stencil, base0, base1, strideBytes, isSuper, tileX, tileY, tilesX, tilesY): `base1` is 0 for one pipe; tile
 * coordinates are those of the surface, and the planes' pixel (0, 0) is that of the first tile.
 */
export type TileMove = (
  planes: number,
  stencil: number,
  base0: number,
  base1: number,
  strideBytes: number,
  isSuper: number,
  tileX: number,
  tileY: number,
  tilesX: number,
  tilesY: number,
) => number;

type V = Expr<'v128'>;

/** What a mover works with: addresses of the tile in memory and of its first quad in the planes. */
interface Place {
  readonly tile: I32;
  /** Plane address of quad (0, 0) of the tile, for planes of one and of four bytes a pixel. */
  readonly quads: (bytesPerPixel: number, planes: I32) => I32;
  readonly planes: I32;
  readonly stencil: I32;
}

type Mover = (f: FunctionBuilder, place: Place) => void;

/** Bytes from one row of quads to the next. */
const rowOf = (bytesPerPixel: number): number => QUADS_PER_ROW * 4 * bytesPerPixel;

/** Bytes from one sample's plane to the next. */
const planeOf = (bytesPerPixel: number): number => TILE_QUADS * 4 * bytesPerPixel;

/** Two rows of a tile of 32-bit pixels as two quads, and back: the same exchange both ways. */
const exchange = (f: FunctionBuilder, a: V, b: V): [V, V] => [
  f.shuffle32(a, b, [0, 1, 4, 5]),
  f.shuffle32(a, b, [2, 3, 6, 7]),
];

const LOADS: Readonly<Record<TileKind, Mover>> = {
  color4: (f, { tile, quads, planes }) => {
    const to = quads(4, planes);
    for (const half of [0, 1]) {
      const [row0, row1] = [f.let(f.v128.load(tile, half * 32)), f.let(f.v128.load(tile, half * 32 + 16))];
      const [left, right] = exchange(f, row0, row1);
      f.v128.store(to, left, half * rowOf(4));
      f.v128.store(to, right, half * rowOf(4) + 16);
    }
  },
  color2: (f, { tile, quads, planes }) => {
    const to = quads(2, planes);
    for (const half of [0, 1]) {
      const rows = f.let(f.v128.load(tile, half * 16));
      f.v128.store(to, f.shuffle32(rows, rows, [0, 2, 1, 3]), half * rowOf(2));
    }
  },
  color1: (f, { tile, quads, planes }) => {
    const to = quads(1, planes);
    const rows = f.let(f.v128.load(tile));
    const pairs = f.let(f.i8x16.shuffle(rows, rows, HALF_WORD_PAIRS));
    f.i64.store(to, f.i64x2.extract_lane(pairs, 0));
    f.i64.store(to, f.i64x2.extract_lane(pairs, 1), rowOf(1));
  },
  depth16: (f, { tile, quads, planes }) => {
    const to = quads(4, planes);
    for (const half of [0, 1]) {
      const rows = f.let(f.v128.load(tile, half * 16));
      const pairs = f.let(f.shuffle32(rows, rows, [0, 2, 1, 3]));
      f.v128.store(to, f.i32x4.extend_low_i16x8_u(pairs), half * rowOf(4));
      f.v128.store(to, f.i32x4.extend_high_i16x8_u(pairs), half * rowOf(4) + 16);
    }
  },
  depth24: (f, { tile, quads, planes, stencil }) => {
    const depth = quads(4, planes);
    const bytes = quads(1, stencil);
    for (const half of [0, 1]) {
      const [row0, row1] = [f.let(f.v128.load(tile, half * 32)), f.let(f.v128.load(tile, half * 32 + 16))];
      const [left, right] = exchange(f, row0, row1);
      const both = [f.let(left), f.let(right)] as const;
      f.v128.store(depth, f.i32x4.shr_u(both[0], 8), half * rowOf(4));
      f.v128.store(depth, f.i32x4.shr_u(both[1], 8), half * rowOf(4) + 16);
      const low = f.let(f.i8x16.shuffle(both[0], both[1], LOW_BYTES));
      f.i64.store(bytes, f.i64x2.extract_lane(low, 0), half * rowOf(1));
    }
  },
  color4x4: (f, { tile, quads, planes }) => {
    const to = quads(4, planes);
    const rows = SAMPLES.map((row) => f.let(f.v128.load(tile, row * 16)));
    for (const [sample, pixels] of samplesOfRows(f, rows).entries()) f.v128.store(to, pixels, sample * planeOf(4));
  },
  depth24x4: (f, { tile, quads, planes, stencil }) => {
    const depth = quads(4, planes);
    const bytes = quads(1, stencil);
    const rows = SAMPLES.map((row) => f.let(f.v128.load(tile, row * 16)));
    for (const [sample, pixels] of samplesOfRows(f, rows).entries()) {
      const words = f.let(pixels);
      f.v128.store(depth, f.i32x4.shr_u(words, 8), sample * planeOf(4));
      const low = f.let(f.i8x16.shuffle(words, words, LOW_BYTES));
      f.i32.store(bytes, f.i32x4.extract_lane(low, 0), sample * planeOf(1));
    }
  },
};

const STORES: Readonly<Record<TileKind, Mover>> = {
  color4: (f, { tile, quads, planes }) => {
    const from = quads(4, planes);
    for (const half of [0, 1]) {
      const left = f.let(f.v128.load(from, half * rowOf(4)));
      const right = f.let(f.v128.load(from, half * rowOf(4) + 16));
      const [row0, row1] = exchange(f, left, right);
      f.v128.store(tile, row0, half * 32);
      f.v128.store(tile, row1, half * 32 + 16);
    }
  },
  color2: (f, { tile, quads, planes }) => {
    const from = quads(2, planes);
    for (const half of [0, 1]) {
      const pairs = f.let(f.v128.load(from, half * rowOf(2)));
      f.v128.store(tile, f.shuffle32(pairs, pairs, [0, 2, 1, 3]), half * 16);
    }
  },
  color1: (f, { tile, quads, planes }) => {
    const from = quads(1, planes);
    const pairs = f.i64x2.replace_lane(f.v128.load64_zero(from), f.i64.load(from, rowOf(1)), 1);
    const both = f.let(pairs);
    f.v128.store(tile, f.i8x16.shuffle(both, both, HALF_WORD_PAIRS));
  },
  depth16: (f, { tile, quads, planes }) => {
    const from = quads(4, planes);
    for (const half of [0, 1]) {
      const left = f.v128.load(from, half * rowOf(4));
      const right = f.v128.load(from, half * rowOf(4) + 16);
      const pairs = f.let(f.i8x16.shuffle(left, right, LOW_HALVES));
      f.v128.store(tile, f.shuffle32(pairs, pairs, [0, 2, 1, 3]), half * 16);
    }
  },
  depth24: (f, { tile, quads, planes, stencil }) => {
    const depth = quads(4, planes);
    const bytes = quads(1, stencil);
    for (const half of [0, 1]) {
      const low = f.let(f.i16x8.extend_low_i8x16_u(f.v128.load64_zero(bytes, half * rowOf(1))));
      const merge = (offset: number, stencils: V): V =>
        f.let(f.v128.or(f.i32x4.shl(f.v128.load(depth, half * rowOf(4) + offset), 8), stencils));
      const left = merge(0, f.i32x4.extend_low_i16x8_u(low));
      const right = merge(16, f.i32x4.extend_high_i16x8_u(low));
      const [row0, row1] = exchange(f, left, right);
      f.v128.store(tile, row0, half * 32);
      f.v128.store(tile, row1, half * 32 + 16);
    }
  },
  color4x4: (f, { tile, quads, planes }) => {
    const from = quads(4, planes);
    const samples = SAMPLES.map((sample) => f.let(f.v128.load(from, sample * planeOf(4))));
    for (const [row, pixels] of rowsOfSamples(f, samples).entries()) f.v128.store(tile, pixels, row * 16);
  },
  depth24x4: (f, { tile, quads, planes, stencil }) => {
    const depth = quads(4, planes);
    const bytes = quads(1, stencil);
    const samples = SAMPLES.map((sample) => {
      const narrow = f.i32x4.splat(f.i32.load(bytes, sample * planeOf(1)));
      const low = f.i32x4.extend_low_i16x8_u(f.i16x8.extend_low_i8x16_u(narrow));
      return f.let(f.v128.or(f.i32x4.shl(f.v128.load(depth, sample * planeOf(4)), 8), low));
    });
    for (const [row, pixels] of rowsOfSamples(f, samples).entries()) f.v128.store(tile, pixels, row * 16);
  },
};

/** The samples of a quad: each one's four pixels out of the rows of the tile in memory, and back. */
function samplesOfRows(f: FunctionBuilder, rows: readonly V[]): V[] {
  const [r0, r1, r2, r3] = rows as [V, V, V, V];
  const even = [0, 2, 4, 6] as const;
  const odd = [1, 3, 5, 7] as const;
  return [f.shuffle32(r0, r2, even), f.shuffle32(r0, r2, odd), f.shuffle32(r1, r3, even), f.shuffle32(r1, r3, odd)];
}

function rowsOfSamples(f: FunctionBuilder, samples: readonly V[]): V[] {
  const [s0, s1, s2, s3] = samples as [V, V, V, V];
  const low = [0, 4, 1, 5] as const;
  const high = [2, 6, 3, 7] as const;
  return [f.shuffle32(s0, s1, low), f.shuffle32(s2, s3, low), f.shuffle32(s0, s1, high), f.shuffle32(s2, s3, high)];
}

const SAMPLES = [0, 1, 2, 3] as const;

/** Rows r0a r0b r1a r1b … of byte pairs as quads r0a r1a, r0b r1b, …: its own inverse. */
const HALF_WORD_PAIRS = [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15];
/** The lowest bytes of eight words (twice), and the low halves. */
const LOW_BYTES = [0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28];
const LOW_HALVES = [0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29];

/** Exports `load` and `store`, both `TileMove`. */
export function buildTileKernels(module: ModuleBuilder, kind: TileKind): void {
  addWalk(module, 'load', kind, LOADS[kind]);
  addWalk(module, 'store', kind, STORES[kind]);
}

interface Walk {
  readonly base0: I32;
  readonly base1: I32;
  readonly stride: I32;
  readonly isSuper: I32;
  readonly tileX: I32;
  readonly tileY: I32;
  readonly tilesX: I32;
  readonly tilesY: I32;
}

/**
 * Visits the tiles of a rectangle: `visit(tile address, x, y, count)`, x and y counted from the first one. With `inPairs`
 * two neighbours that follow each other in memory are visited at once where the rectangle lets them.
 */
function emitTiles(
  f: FunctionBuilder,
  walk: Walk,
  tileBytes: number,
  inPairs: boolean,
  visit: (tile: I32, x: I32, y: I32, count: 1 | 2) => void,
): void {
  const [x, y] = [f.local('i32'), f.local('i32')];
  const every = (count: 1 | 2) => () => {
    f.for(y, 0, walk.tilesY, 1, () => {
      f.for(x, 0, walk.tilesX, count, () => visit(emitTileAddress(f, walk, tileBytes, x, y), x, y, count));
    });
  };
  if (!inPairs) {
    every(1)();
    return;
  }
  const isOdd = f.i32.and(f.i32.or(walk.tileX, walk.tilesX), 1);
  f.if(f.i32.or(isOdd, walk.base1), every(1), every(2));
}

function emitTileAddress(f: FunctionBuilder, walk: Walk, tileBytes: number, x: I32, y: I32): I32 {
  const { base0, base1, stride, isSuper, tileX, tileY } = walk;
  const column = f.let(f.i32.add(tileX, x));
  const row = f.let(f.i32.add(tileY, y));
  const base = f.let(base0);
  f.if(base1, () => {
    // Tiles of a pipe stand in pairs where the surface is supertiled.
    const pairShift = f.let(f.i32.and(isSuper, 1));
    const odd = f.let(f.i32.and(row, 1));
    const pipe = f.i32.xor(f.i32.and(f.i32.shr_u(column, pairShift), 1), odd);
    f.if(pipe, () => f.set(base, base1));
    const pairs = f.i32.shr_u(column, f.i32.add(pairShift, 1));
    const inPair = f.i32.and(column, pairShift);
    const start = f.i32.or(f.i32.shl(pairs, f.i32.add(pairShift, 1)), f.i32.shl(odd, pairShift));
    f.set(column, f.i32.or(start, inPair));
    f.set(row, f.i32.shr_u(row, 1));
  });
  const tile = f.local('i32');
  f.if(
    isSuper,
    () => {
      const inX = f.let(f.i32.and(column, 15));
      const inY = f.let(f.i32.and(row, 15));
      const high = f.i32.or(f.i32.shl(f.i32.shr_u(inY, 2), 6), f.i32.shl(f.i32.shr_u(inX, 1), 3));
      const low = f.i32.or(f.i32.shl(f.i32.and(inY, 3), 1), f.i32.and(inX, 1));
      const number = f.i32.add(f.i32.shl(f.i32.shr_u(column, 4), 8), f.i32.or(high, low));
      const start = f.i32.add(base, f.i32.mul(f.i32.shl(f.i32.shr_u(row, 4), 6), stride));
      f.set(tile, f.i32.add(start, f.i32.mul(number, tileBytes)));
    },
    () => {
      const start = f.i32.add(base, f.i32.mul(f.i32.shl(row, 2), stride));
      f.set(tile, f.i32.add(start, f.i32.mul(column, tileBytes)));
    },
  );
  return tile;
}

function addWalk(module: ModuleBuilder, name: string, kind: TileKind, mover: Mover): void {
  const f = module.function(name, Array(10).fill('i32'), [], { exported: true });
  const p = (i: number): I32 => f.param('i32', i);
  const [planes, stencil] = [p(0), p(1)];
  emitTiles(f, walkOf(p, 2), 16 * TILE_KIND_BYTES[kind], false, (tile, x, y) => {
    // Two rows of quads, two quads in each, or a single quad.
    const across = quadsPerTile(kind);
    const quad = f.let(f.i32.add(f.i32.mul(y, across * QUADS_PER_ROW), f.i32.shl(x, across - 1)));
    mover(f, {
      tile,
      planes,
      stencil,
      quads: (bytesPerPixel, plane) => f.let(f.i32.add(plane, f.i32.shl(quad, 2 + Math.log2(bytesPerPixel)))),
    });
  });
}

function walkOf(p: (i: number) => I32, first: number): Walk {
  return {
    base0: p(first),
    base1: p(first + 1),
    stride: p(first + 2),
    isSuper: p(first + 3),
    tileX: p(first + 4),
    tileY: p(first + 5),
    tilesX: p(first + 6),
    tilesY: p(first + 7),
  };
}

/** (linear, linearStride, …) with the rest as in `TileMove`: linear rows from (or to) the pixel (0, 0) of the first tile. */
export type LinearMove = (
  linear: number,
  linearStride: number,
  base0: number,
  base1: number,
  strideBytes: number,
  isSuper: number,
  tileX: number,
  tileY: number,
  tilesX: number,
  tilesY: number,
) => number;

/** The first and the third byte of each word change places. */
export const RED_BLUE = [2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15];

/** Exports `toLinear` and `fromLinear`, both `LinearMove`. `exchanges`: red and blue of pixels of four bytes change places. */
export function buildLinearKernels(module: ModuleBuilder, bytesPerPixel: 1 | 2 | 4 | 8, exchanges = false): void {
  for (const name of ['toLinear', 'fromLinear']) {
    const f = module.function(name, Array(10).fill('i32'), [], { exported: true });
    const p = (i: number): I32 => f.param('i32', i);
    const [linear, linearStride] = [p(0), p(1)];
    const rowBytes = 4 * bytesPerPixel;
    const tileBytes = 16 * bytesPerPixel;
    emitTiles(f, walkOf(p, 2), tileBytes, true, (tile, x, y, count) => {
      const row = f.let(f.i32.add(linear, f.i32.mul(f.i32.shl(y, 2), linearStride)));
      f.set(row, f.i32.add(row, f.i32.mul(x, rowBytes)));
      const copy = (to: I32, toOffset: number, from: I32, fromOffset: number) => {
        if (rowBytes === 4) f.i32.store(to, f.i32.load(from, fromOffset), toOffset);
        else if (rowBytes === 8) f.i64.store(to, f.i64.load(from, fromOffset), toOffset);
        else
          for (let at = 0; at < rowBytes; at += 16) {
            const pixels = f.let(f.v128.load(from, fromOffset + at));
            f.v128.store(to, exchanges ? f.i8x16.shuffle(pixels, pixels, RED_BLUE) : pixels, toOffset + at);
          }
      };
      for (let k = 0; k < 4; k++) {
        if (k > 0) f.set(row, f.i32.add(row, linearStride));
        for (let n = 0; n < count; n++) {
          const offset = n * tileBytes + k * rowBytes;
          if (name === 'toLinear') copy(row, n * rowBytes, tile, offset);
          else copy(tile, offset, row, n * rowBytes);
        }
      }
    });
  }
}
