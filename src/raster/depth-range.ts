// Emits the bounds of depth by which `coverage` decides over a whole tile at once: what a tile's depth planes hold at least and at
// most, and what a primitive has in it. Bounds are numbers as the planes hold them, compared as signed integers.
import type { CompareFunction } from '../base/state-words.ts';
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { type DepthStencilKey, emitPlaneDepth, emitTestDepth } from './depth-stencil.ts';
import { loadI32 } from './kernel.ts';
import { TILE, TILE_SIZE } from './layout.ts';

type I32 = Local<'i32'>;
type Test = Expr<'i32'>;

export interface DepthBounds {
  readonly low: I32;
  readonly high: I32;
  /** Not zero: the bounds hold. */
  readonly isKnown: I32;
}

const LOWEST = -0x80000000;
const HIGHEST = 0x7fffffff;

export function loadDepthRange(f: FunctionBuilder, tile: I32): DepthBounds {
  const { depthLow, depthHigh, isDepthKnown } = TILE.offset;
  return {
    low: loadI32(f, tile, depthLow),
    high: loadI32(f, tile, depthHigh),
    isKnown: loadI32(f, tile, isDepthKnown),
  };
}

export function storeDepthRange(f: FunctionBuilder, tile: I32, { low, high, isKnown }: DepthBounds): void {
  f.i32.store(tile, low, TILE.offset.depthLow);
  f.i32.store(tile, high, TILE.offset.depthHigh);
  f.i32.store(tile, isKnown, TILE.offset.isDepthKnown);
}

/**
 * Bounds of a primitive in a tile, from its corners: each step of the depth formula is monotonic in x and in y even as it rounds, so
 * no sample between them lies outside.
 */
export function emitPrimitiveBounds(
  f: FunctionBuilder,
  key: NonNullable<DepthStencilKey['depth']>,
  draw: I32,
  primitive: I32,
  originX: I32,
  originY: I32,
): DepthBounds {
  const edge = TILE_SIZE;
  const corners = (origin: I32, ...offsets: number[]): Expr<'v128'> =>
    f.f32x4.convert_i32x4_s(f.i32x4.add(f.i32x4.splat(origin), f.i32x4.const(...offsets)));
  const z = f.let(emitPlaneDepth(f, primitive, corners(originX, 0, edge, 0, edge), corners(originY, 0, 0, edge, edge)));
  const depth = f.let(emitTestDepth(f, draw, z, key));
  const reduce = (pick: (a: Expr<'v128'>, b: Expr<'v128'>) => Expr<'v128'>): I32 => {
    const pairs = f.let(pick(depth, f.shuffle32(depth, depth, [2, 3, 2, 3])));
    return f.let(f.i32x4.extract_lane(pick(pairs, f.shuffle32(pairs, pairs, [1, 1, 1, 1])), 0));
  };
  return {
    low: reduce((a, b) => f.i32x4.min_s(a, b)),
    high: reduce((a, b) => f.i32x4.max_s(a, b)),
    isKnown: f.let(f.i32x4.all_true(f.f32x4.eq(z, z))),
  };
}

/** No sample of the tile can pass. */
export function emitRejects(f: FunctionBuilder, func: CompareFunction, own: DepthBounds, tile: DepthBounds): Test {
  switch (func) {
    case 'less':
      return f.i32.ge_s(own.low, tile.high);
    case 'lessEqual':
      return f.i32.gt_s(own.low, tile.high);
    case 'greater':
      return f.i32.le_s(own.high, tile.low);
    case 'greaterEqual':
      return f.i32.lt_s(own.high, tile.low);
    case 'equal':
      return f.i32.or(f.i32.lt_s(own.high, tile.low), f.i32.gt_s(own.low, tile.high));
    default:
      return f.i32.const(func === 'never' ? 1 : 0);
  }
}

/** Every sample of the tile passes. */
export function emitAccepts(f: FunctionBuilder, func: CompareFunction, own: DepthBounds, tile: DepthBounds): Test {
  switch (func) {
    case 'less':
      return f.i32.lt_s(own.high, tile.low);
    case 'lessEqual':
      return f.i32.le_s(own.high, tile.low);
    case 'greater':
      return f.i32.gt_s(own.low, tile.high);
    case 'greaterEqual':
      return f.i32.ge_s(own.low, tile.high);
    case 'notEqual':
      return f.i32.or(f.i32.lt_s(own.high, tile.low), f.i32.gt_s(own.low, tile.high));
    default:
      return f.i32.const(func === 'always' ? 1 : 0);
  }
}

function lesser(f: FunctionBuilder, a: I32, b: I32): Expr<'i32'> {
  return f.select(f.i32.lt_s(a, b), a, b);
}
function greater(f: FunctionBuilder, a: I32, b: I32): Expr<'i32'> {
  return f.select(f.i32.gt_s(a, b), a, b);
}

/** The tile's bounds after all of its samples have been tested against the primitive and written. */
export function emitNarrowed(f: FunctionBuilder, func: CompareFunction, own: DepthBounds, tile: DepthBounds): void {
  const isLess = func === 'less' || func === 'lessEqual';
  const isGreater = func === 'greater' || func === 'greaterEqual';
  if (func === 'equal' || func === 'never') return;
  f.set(tile.low, isGreater ? greater(f, tile.low, own.low) : lesser(f, tile.low, own.low));
  f.set(tile.high, isLess ? lesser(f, tile.high, own.high) : greater(f, tile.high, own.high));
}

/** The tile's bounds after a primitive with any depth has been tested in some samples and written. */
export function emitWidened(f: FunctionBuilder, func: CompareFunction, tile: DepthBounds): void {
  if (func === 'equal' || func === 'never') return;
  if (func !== 'greater' && func !== 'greaterEqual') f.set(tile.low, LOWEST);
  if (func !== 'less' && func !== 'lessEqual') f.set(tile.high, HIGHEST);
}
