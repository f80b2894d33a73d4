// Kernels `load` and `store`: between a linear surface and the quad-ordered planes of a tile, for pixels of 1 to 16 bytes.
import { listOf } from '../base/list.ts';
import type { Expr } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import { QUADS_PER_ROW, WORD_PLANE_BYTES } from './layout.ts';
import type { I32 } from './primitive-record.ts';

export type PixelBytes = 1 | 2 | 4 | 8 | 16;

/** What moves a pixel layout between a surface and the planes. `plane` is the address of the tile's planes. */
export type QuadMover = {
  /** Moves a whole quad: `row0` and `row1` are the addresses of its pixels in the surface. */
  readonly quad: (f: FunctionBuilder, plane: I32, quad: I32, row0: I32, row1: I32) => void;
  /** Moves that quad and its right neighbour, where there is a faster way for two. */
  readonly pair?: QuadMover['quad'];
  /** Moves the pixel of one lane (a constant or a local). */
  readonly pixel: (f: FunctionBuilder, plane: I32, quad: I32, lane: Expr<'i32'>, address: I32) => void;
};

/**
 * Adds and exports `name(plane, surface, rowStride, width, height)`: visits the quads of a tile whose pixel (0, 0) is at
 * `surface`; only pixels inside of width × height are touched in the surface (1…64 each).
 */
export function addTileWalk(module: ModuleBuilder, name: string, bytes: number, mover: QuadMover): void {
  const f = module.function(name, ['i32', 'i32', 'i32', 'i32', 'i32'], [], { exported: true });
  const p = (i: number): I32 => f.param('i32', i);
  const [plane, surface, rowStride, width, height] = [p(0), p(1), p(2), p(3), p(4)] as const;
  const x = f.local('i32');
  const y = f.local('i32');
  const evenWidth = f.let(f.i32.and(width, ~1));
  f.for(y, 0, height, 2, () => {
    const row0 = f.let(f.i32.add(surface, f.i32.mul(y, rowStride)));
    const row1 = f.let(f.i32.add(row0, rowStride));
    const quad = f.let(f.i32.mul(f.i32.shr_u(y, 1), QUADS_PER_ROW));
    const isWhole = f.let(f.i32.lt_u(f.i32.add(y, 1), height));
    const wholeWidth = f.let(f.select(isWhole, evenWidth, 0));
    const walk = (start: number | Expr<'i32'>, end: Expr<'i32'>, move: QuadMover['quad'], quads: number): void =>
      f.for(x, start, end, 2 * quads, () => {
        move(f, plane, quad, row0, row1);
        f.set(row0, f.i32.add(row0, 2 * quads * bytes));
        f.set(row1, f.i32.add(row1, 2 * quads * bytes));
        f.set(quad, f.i32.add(quad, quads));
      });
    if (mover.pair === undefined) walk(0, wholeWidth, mover.quad, 1);
    else {
      walk(0, f.i32.and(wholeWidth, ~3), mover.pair, 2);
      walk(x, wholeWidth, mover.quad, 1);
    }
    // What is left: the last row or the last column of a surface of odd size, pixel by pixel.
    f.while(f.i32.lt_u(x, width), () => {
      const lane = f.let(f.i32.and(x, 1));
      mover.pixel(f, plane, quad, lane, row0);
      f.if(isWhole, () => mover.pixel(f, plane, quad, f.i32.or(lane, 2), row1));
      f.set(row0, f.i32.add(row0, bytes));
      f.set(row1, f.i32.add(row1, bytes));
      f.set(x, f.i32.add(x, 1));
      f.set(quad, f.i32.add(quad, lane));
    });
  });
}

const pixelAt = (f: FunctionBuilder, plane: I32, quad: I32, lane: Expr<'i32'>, shift: number): Expr<'i32'> =>
  f.i32.add(plane, f.i32.shl(f.i32.add(f.i32.shl(quad, 2), lane), shift));

/** Pixels of 1, 2, 4 bytes: the plane holds them as they are. */
function narrowMovers(bytes: 1 | 2 | 4): { load: QuadMover; store: QuadMover } {
  const shift = Math.log2(bytes);
  const pair = (f: FunctionBuilder, to: Expr<'i32'>, toOffset: number, from: Expr<'i32'>, fromOffset: number): void => {
    if (bytes === 1) f.i32.store16(to, f.i32.load16_u(from, fromOffset), toOffset);
    else if (bytes === 2) f.i32.store(to, f.i32.load(from, fromOffset), toOffset);
    else f.i64.store(to, f.i64.load(from, fromOffset), toOffset);
  };
  const one = (f: FunctionBuilder, to: Expr<'i32'>, from: Expr<'i32'>): void => {
    if (bytes === 1) f.i32.store8(to, f.i32.load8_u(from));
    else if (bytes === 2) f.i32.store16(to, f.i32.load16_u(from));
    else f.i32.store(to, f.i32.load(from));
  };
  const at = (f: FunctionBuilder, plane: I32, quad: I32): I32 => f.let(f.i32.add(plane, f.i32.shl(quad, shift + 2)));
  // Two quads of four bytes a pixel are a vector of each row: the halves change places.
  const exchange = (f: FunctionBuilder, from0: Expr<'v128'>, from1: Expr<'v128'>): [I128, I128] => {
    const [a, b] = [f.let(from0), f.let(from1)];
    return [f.shuffle32(a, b, [0, 1, 4, 5]), f.shuffle32(a, b, [2, 3, 6, 7])];
  };
  const loadPair: QuadMover['quad'] = (f, plane, quad, row0, row1) => {
    const to = at(f, plane, quad);
    exchange(f, f.v128.load(row0), f.v128.load(row1)).forEach((value, k) => {
      f.v128.store(to, value, k * 16);
    });
  };
  const storePair: QuadMover['quad'] = (f, plane, quad, row0, row1) => {
    const from = at(f, plane, quad);
    const [first, second] = exchange(f, f.v128.load(from), f.v128.load(from, 16));
    f.v128.store(row0, first);
    f.v128.store(row1, second);
  };
  return {
    load: {
      ...(bytes === 4 && { pair: loadPair }),
      quad: (f, plane, quad, row0, row1) => {
        const to = at(f, plane, quad);
        pair(f, to, 0, row0, 0);
        pair(f, to, 2 * bytes, row1, 0);
      },
      pixel: (f, plane, quad, lane, address) => one(f, pixelAt(f, plane, quad, lane, shift), address),
    },
    store: {
      ...(bytes === 4 && { pair: storePair }),
      quad: (f, plane, quad, row0, row1) => {
        const from = at(f, plane, quad);
        pair(f, row0, 0, from, 0);
        pair(f, row1, 0, from, 2 * bytes);
      },
      pixel: (f, plane, quad, lane, address) => one(f, address, pixelAt(f, plane, quad, lane, shift)),
    },
  };
}

/** Pixels of 8 and 16 bytes: a plane for each 32-bit word. */
function wideMovers(bytes: 8 | 16): { load: QuadMover; store: QuadMover } {
  const words = bytes / 4;
  const at = (f: FunctionBuilder, plane: I32, quad: I32): I32 => f.let(f.i32.add(plane, f.i32.shl(quad, 4)));
  const pixel = (f: FunctionBuilder, plane: I32, quad: I32, lane: Expr<'i32'>): I32 =>
    f.let(pixelAt(f, plane, quad, lane, 2));
  return {
    load: {
      quad: (f, plane, quad, row0, row1) => {
        const to = at(f, plane, quad);
        if (bytes === 8) {
          const a = f.let(f.v128.load(row0));
          const b = f.let(f.v128.load(row1));
          f.v128.store(to, f.shuffle32(a, b, [0, 2, 4, 6]), 0);
          f.v128.store(to, f.shuffle32(a, b, [1, 3, 5, 7]), WORD_PLANE_BYTES);
          return;
        }
        const rows = [f.v128.load(row0), f.v128.load(row0, 16), f.v128.load(row1), f.v128.load(row1, 16)];
        transpose(f, rows).forEach((word, k) => {
          f.v128.store(to, word, k * WORD_PLANE_BYTES);
        });
      },
      pixel: (f, plane, quad, lane, address) => {
        const to = pixel(f, plane, quad, lane);
        for (let k = 0; k < words; k++) f.i32.store(to, f.i32.load(address, k * 4), k * WORD_PLANE_BYTES);
      },
    },
    store: {
      quad: (f, plane, quad, row0, row1) => {
        const from = at(f, plane, quad);
        const planes = listOf(words, (k) => f.let(f.v128.load(from, k * WORD_PLANE_BYTES)));
        if (bytes === 8) {
          const [a, b] = planes as unknown as [I128, I128];
          f.v128.store(row0, f.shuffle32(a, b, [0, 4, 1, 5]));
          f.v128.store(row1, f.shuffle32(a, b, [2, 6, 3, 7]));
          return;
        }
        const [a, b, c, d] = transpose(f, planes) as [I128, I128, I128, I128];
        f.v128.store(row0, a);
        f.v128.store(row0, b, 16);
        f.v128.store(row1, c);
        f.v128.store(row1, d, 16);
      },
      pixel: (f, plane, quad, lane, address) => {
        const from = pixel(f, plane, quad, lane);
        for (let k = 0; k < words; k++) f.i32.store(address, f.i32.load(from, k * WORD_PLANE_BYTES), k * 4);
      },
    },
  };
}

function transpose(f: FunctionBuilder, rows: readonly Expr<'v128'>[]): Expr<'v128'>[] {
  const [a, b, c, d] = rows.map((row) => f.let(row)) as unknown as [I128, I128, I128, I128];
  const ab = f.let(f.shuffle32(a, b, [0, 4, 1, 5]));
  const cd = f.let(f.shuffle32(c, d, [0, 4, 1, 5]));
  const abHigh = f.let(f.shuffle32(a, b, [2, 6, 3, 7]));
  const cdHigh = f.let(f.shuffle32(c, d, [2, 6, 3, 7]));
  return [
    f.shuffle32(ab, cd, [0, 1, 4, 5]),
    f.shuffle32(ab, cd, [2, 3, 6, 7]),
    f.shuffle32(abHigh, cdHigh, [0, 1, 4, 5]),
    f.shuffle32(abHigh, cdHigh, [2, 3, 6, 7]),
  ];
}
type I128 = Expr<'v128'>;

/** Exports `load` and `store` (see `addTileWalk`) for colour pixels, and plain depth or stencil planes, of this size. */
export function buildTileTransfer(module: ModuleBuilder, bytes: PixelBytes): void {
  const { load, store } = bytes <= 4 ? narrowMovers(bytes as 1 | 2 | 4) : wideMovers(bytes as 8 | 16);
  addTileWalk(module, 'load', bytes, load);
  addTileWalk(module, 'store', bytes, store);
}
