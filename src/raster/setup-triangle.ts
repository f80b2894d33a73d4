// Sets one triangle up: facing, culling, pixel box, exact edges, planes of depth and barycentrics, varyings; then bins it.
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import { emitBinAddress, emitTileRecord, TILE_SHIFT } from './bin.ts';
import { loadF32, loadI32 } from './kernel.ts';
import {
  BIN_BYTES_PER_TILE,
  BIN_FLAG,
  DRAW,
  JOB,
  PRIMITIVE,
  PRIMITIVE_START,
  primitiveStride,
  SUBPIXEL_BITS,
  SUBPIXEL_SCALE,
  VERTEX,
} from './layout.ts';
import { emitEdge, emitVaryings, type SetupFunctions, type SetupKey } from './primitive-record.ts';

/** Adds `triangle(draw, job, v0, v1, v2, provoking)`: 0 if done (or culled), 1 if the arena has no room. */
export function addTriangle(module: ModuleBuilder, key: SetupKey, functions: SetupFunctions): FunctionBuilder {
  const f = module.function('triangle', ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'], ['i32']);
  const p = (i: number): Local<'i32'> => f.param('i32', i);
  const [draw, job, v0, v1, v2, provoking] = [p(0), p(1), p(2), p(3), p(4), p(5)] as const;
  // Lanes: x, y (snapped), z, 1/w.
  const window0 = f.let(f.v128.load(v0, VERTEX.offset.windowX));
  const window1 = f.let(f.v128.load(v1, VERTEX.offset.windowX));
  const window2 = f.let(f.v128.load(v2, VERTEX.offset.windowX));
  const lane = (window: Local<'v128'>, i: 0 | 1): Local<'i32'> => f.let(f.i32x4.extract_lane(window, i));
  const [x0, y0, x1, y1, x2, y2] = [
    lane(window0, 0),
    lane(window0, 1),
    lane(window1, 0),
    lane(window1, 1),
    lane(window2, 0),
    lane(window2, 1),
  ] as const;
  const wide = (x: Expr<'i32'>): Expr<'f64'> => f.f64.convert_i32_s(x);
  const area = f.let(
    f.f64.sub(
      f.f64.mul(wide(f.i32.sub(x1, x0)), wide(f.i32.sub(y2, y0))),
      f.f64.mul(wide(f.i32.sub(x2, x0)), wide(f.i32.sub(y1, y0))),
    ),
  );
  f.if(f.f64.eq(area, 0), () => f.return(0));
  const isNegative = f.let(f.f64.lt(area, 0));
  const cull = f.select(
    isNegative,
    f.i32.load(draw, DRAW.offset.cullNegative),
    f.i32.load(draw, DRAW.offset.cullPositive),
  );
  f.if(cull, () => f.return(0));

  const { box, isCut } = emitTriangleBox(f, draw, window0, window1, window2);
  const placement = emitTriangleReserve(f, job, box, isCut, key);
  const { record } = placement;

  // From here on vertices are in counter-clockwise order: the insides of all edges are positive.
  f.if(isNegative, () => {
    const swap = (a: Local<'i32'>, b: Local<'i32'>): void => {
      const t = f.let(a);
      f.set(a, b);
      f.set(b, t);
    };
    swap(v1, v2);
    swap(x1, x2);
    swap(y1, y2);
    const window = f.let(window1);
    f.set(window1, window2);
    f.set(window2, window);
    f.set(area, f.f64.neg(area));
  });

  f.if(
    placement.isSmall,
    () => emitSmallEdges(f, record, box, [window0, window1, window2]),
    () => {
      emitEdge(f, record, 0, f.let(f.i32.sub(y1, y2)), f.let(f.i32.sub(x2, x1)), x1, y1);
      emitEdge(f, record, 1, f.let(f.i32.sub(y2, y0)), f.let(f.i32.sub(x0, x2)), x2, y2);
      emitEdge(f, record, 2, f.let(f.i32.sub(y0, y1)), f.let(f.i32.sub(x1, x0)), x0, y0);
    },
  );
  f.v128.store(record, box, PRIMITIVE.offset.minX);

  const at = PRIMITIVE.offset;
  const { reference, b1, b2 } = emitGradients(f, [v0, v1, v2], [window0, window1, window2], area);
  const narrow = (x: Expr<'v128'>): Expr<'v128'> => f.f32x4.demote_f64x2_zero(x);
  f.v128.store(record, f.shuffle32(narrow(b1), narrow(b2), [0, 1, 4, 5]), at.b1x);
  f.i64.store(record, f.i64x2.extract_lane(narrow(reference), 0), at.x0);
  const w = (window: Local<'v128'>): Local<'f32'> => f.let(f.f32x4.extract_lane(window, 3));
  const [w0, w1, w2] = [w(window0), w(window1), w(window2)];
  f.f32.store(record, w0, at.invW0);
  f.f32.store(record, f.f32.sub(w1, w0), at.dInvW1);
  f.f32.store(record, f.f32.sub(w2, w0), at.dInvW2);
  f.f32.store(record, w1, at.invW1);
  f.f32.store(record, w2, at.invW2);
  emitDepthPlane(f, draw, record, [window0, window1, window2], b1, b2);
  f.i32.store(record, f.i32.xor(isNegative, f.i32.load(draw, DRAW.offset.frontPositive)), at.frontFacing);
  emitVaryings(f, key, record, provoking, v0, v1, v2);
  emitTriangleBinning(f, functions, job, draw, placement);
  f.return(0);
  f.emitUnreachable();
  return f;
}

/**
 * Gradients of the barycentrics b1, b2 per pixel (x and y in the two f64 lanes) and the vertex they count from. They follow the
 * vertices as the shader placed them; snapping is for coverage only. Slivers whose area snapping has changed a lot take the
 * snapped positions, which cannot make them degenerate.
 */
function emitGradients(
  f: FunctionBuilder,
  vertices: readonly [Local<'i32'>, Local<'i32'>, Local<'i32'>],
  windows: readonly [Local<'v128'>, Local<'v128'>, Local<'v128'>],
  snappedArea: Local<'f64'>,
): { reference: Local<'v128'>; b1: Local<'v128'>; b2: Local<'v128'> } {
  const exact = (vertex: Local<'i32'>): Local<'v128'> =>
    f.let(f.f64x2.promote_low_f32x4(f.v128.load64_zero(vertex, VERTEX.offset.exactX)));
  const [p0, p1, p2] = vertices.map(exact) as [Local<'v128'>, Local<'v128'>, Local<'v128'>];
  const to1 = f.let(f.f64x2.sub(p1, p0));
  const to2 = f.let(f.f64x2.sub(p2, p0));
  const turned = (v: Local<'v128'>): Expr<'v128'> => f.shuffle32(v, v, [2, 3, 0, 1]);
  const products = f.let(f.f64x2.mul(to1, turned(to2)));
  const area = f.let(f.f64.sub(f.f64x2.extract_lane(products, 0), f.f64x2.extract_lane(products, 1)));
  const expected = f.let(f.f64.mul(snappedArea, 1 / (SUBPIXEL_SCALE * SUBPIXEL_SCALE)));
  const isClose = f.i32.and(f.f64.gt(area, f.f64.mul(expected, 0.75)), f.f64.lt(area, f.f64.mul(expected, 1.25)));
  f.if(f.i32.eqz(isClose), () => {
    const snapped = (window: Local<'v128'>): Expr<'v128'> =>
      f.f64x2.mul(f.f64x2.convert_low_i32x4_s(window), f.f64x2.splat(1 / SUBPIXEL_SCALE));
    f.set(p0, snapped(windows[0]));
    f.set(to1, f.f64x2.sub(snapped(windows[1]), p0));
    f.set(to2, f.f64x2.sub(snapped(windows[2]), p0));
    f.set(area, expected);
  });
  const inverse = f.let(f.f64.div(1, area));
  const signed = (x: Expr<'f64'>, y: Expr<'f64'>): Expr<'v128'> => f.f64x2.replace_lane(f.f64x2.splat(x), y, 1);
  const plus = f.let(signed(inverse, f.f64.neg(inverse)));
  return {
    reference: p0,
    b1: f.let(f.f64x2.mul(turned(to2), plus)),
    b2: f.let(f.f64x2.neg(f.f64x2.mul(turned(to1), plus))),
  };
}

/**
 * As `emitEdge`, all three edges at once, for a triangle that fits a tile: its edge values fit 32 bits. Instead of c it has the
 * values at the first quad (PRIMITIVE_START).
 */
function emitSmallEdges(
  f: FunctionBuilder,
  record: Local<'i32'>,
  box: Local<'v128'>,
  [window0, window1, window2]: readonly [Local<'v128'>, Local<'v128'>, Local<'v128'>],
): void {
  const firstTwo = f.let(f.shuffle32(window0, window1, [0, 4, 1, 5]));
  const x = f.let(f.shuffle32(firstTwo, window2, [0, 1, 4, 4]));
  const y = f.let(f.shuffle32(firstTwo, window2, [2, 3, 5, 5]));
  const turn = (v: Local<'v128'>, lanes: readonly [number, number, number, number]) => f.let(f.shuffle32(v, v, lanes));
  const [x1, x2] = [turn(x, [1, 2, 0, 3]), turn(x, [2, 0, 1, 3])];
  const [y1, y2] = [turn(y, [1, 2, 0, 3]), turn(y, [2, 0, 1, 3])];
  const a = f.let(f.i32x4.sub(y1, y2));
  const b = f.let(f.i32x4.sub(x2, x1));
  f.v128.store(record, a, PRIMITIVE.offset.a0);
  f.v128.store(record, b, PRIMITIVE.offset.b0);
  const centre = f.let(
    f.i32x4.add(f.i32x4.shl(f.v128.and(box, f.i32x4.const(-2)), SUBPIXEL_BITS), f.i32x4.const(SUBPIXEL_SCALE / 2)),
  );
  const toX = f.i32x4.sub(f.shuffle32(centre, centre, [0, 0, 0, 0]), x1);
  const toY = f.i32x4.sub(f.shuffle32(centre, centre, [1, 1, 1, 1]), y1);
  const value = f.i32x4.add(f.i32x4.mul(a, toX), f.i32x4.mul(b, toY));
  // Minus one where samples on the edge are outside.
  const direction = f.v128.bitselect(f.i32x4.neg(b), a, f.i32x4.eq(a, 0));
  const excluded = f.i32x4.le_s(direction, f.i32x4.const(0));
  f.v128.store(record, f.i32x4.shr_s(f.i32x4.add(value, excluded), SUBPIXEL_BITS), PRIMITIVE_START);
}

/**
 * The pixel box as one vector (minX, minY, maxX, maxY), cut by the clip rectangle, and whether the edges do not imply it: something
 * was cut, or there are several samples. Returns 0 if it is empty.
 */
function emitTriangleBox(
  f: FunctionBuilder,
  draw: Local<'i32'>,
  window0: Local<'v128'>,
  window1: Local<'v128'>,
  window2: Local<'v128'>,
): { box: Local<'v128'>; isCut: Local<'i32'> } {
  const low = f.i32x4.min_s(f.i32x4.min_s(window0, window1), window2);
  const high = f.i32x4.max_s(f.i32x4.max_s(window0, window1), window2);
  // As in emitPixelBox: a pixel counts if its last sample is >= min and its first <= max.
  const isMulti = f.let(f.i32.ne(f.i32.load(draw, DRAW.offset.samples), 1));
  const bias = f.select(isMulti, f.i32x4.const(31, 31, 224, 224), f.i32x4.const(127, 127, 128, 128));
  const pixels = f.let(f.i32x4.shr_s(f.i32x4.add(f.shuffle32(low, high, [0, 1, 4, 5]), bias), SUBPIXEL_BITS));
  const limits = f.let(f.v128.load(draw, DRAW.offset.clipMinX));
  const box = f.let(f.shuffle32(f.i32x4.max_s(pixels, limits), f.i32x4.min_s(pixels, limits), [0, 1, 6, 7]));
  const isEmpty = f.i32.and(f.i32x4.bitmask(f.i32x4.ge_s(box, f.shuffle32(box, box, [2, 3, 0, 1]))), 3);
  f.if(isEmpty, () => f.return(0));
  const isCut = f.let(f.i32.or(isMulti, f.i32.eqz(f.i32x4.all_true(f.i32x4.eq(box, pixels)))));
  return { box, isCut };
}

/** `bin`: of the one tile that the triangle is in, else 0. */
type TrianglePlacement = Record<'record' | 'bin' | 'isSmall', Local<'i32'>> & { tiles: Local<'v128'> };

/** As emitReserve; most triangles stay in one tile, which is told apart without taking the box apart. */
function emitTriangleReserve(
  f: FunctionBuilder,
  job: Local<'i32'>,
  box: Local<'v128'>,
  isCut: Local<'i32'>,
  key: SetupKey,
): TrianglePlacement {
  const stride = primitiveStride(key.slots);
  const tiles = f.let(f.i32x4.shr_s(f.i32x4.add(box, f.i32x4.const(0, 0, -1, -1)), TILE_SHIFT));
  const same = f.i32x4.bitmask(f.i32x4.eq(tiles, f.shuffle32(tiles, tiles, [2, 3, 0, 1])));
  const isSingle = f.let(f.i32.eq(same, 15));
  const record = f.local('i32');
  const bin = f.local('i32', 0);
  const lane = (i: number): Local<'i32'> => f.let(f.i32x4.extract_lane(tiles, i));
  f.if(
    isSingle,
    () => {
      f.set(bin, emitBinAddress(f, job, lane(0), lane(1)));
      f.set(record, emitTileRecord(f, job, bin, stride));
    },
    () => {
      const extent = (first: 0 | 1): Expr<'i32'> => f.i32.add(f.i32.sub(lane(first === 0 ? 2 : 3), lane(first)), 1);
      const needed = f.i32.add(f.i32.mul(f.i32.mul(extent(0), extent(1)), BIN_BYTES_PER_TILE), stride);
      f.set(record, f.i32.load(job, JOB.offset.next));
      f.if(f.i32.lt_u(f.i32.sub(f.i32.load(job, JOB.offset.end), record), needed), () => f.return(1));
      f.i32.store(job, f.i32.add(record, stride), JOB.offset.next);
    },
  );
  f.i32.store(job, f.i32.add(f.i32.load(job, JOB.offset.primitives), 1), JOB.offset.primitives);
  return { record, tiles, bin, isSmall: f.let(f.i32.gt_u(isSingle, isCut)) };
}

function emitTriangleBinning(
  f: FunctionBuilder,
  functions: SetupFunctions,
  job: Local<'i32'>,
  draw: Local<'i32'>,
  { record, tiles, bin, isSmall }: TrianglePlacement,
): void {
  const identity = loadI32(f, draw, DRAW.offset.identity);
  const t = (i: number): Expr<'i32'> => f.i32x4.extract_lane(tiles, i);
  f.if(
    bin,
    () => {
      const flags = f.i32.mul(isSmall, BIN_FLAG.SMALL);
      f.callVoid(functions.append, job, identity, bin, f.i32.or(record, flags));
    },
    () => f.callVoid(functions.bin, job, identity, record, t(0), t(1), t(2), t(3)),
  );
}

/** z0, zx, zy with polygon offset (GLES 3.0.6 §3.6.2). b1, b2: gradients of the barycentrics in f64. */
function emitDepthPlane(
  f: FunctionBuilder,
  draw: Local<'i32'>,
  record: Local<'i32'>,
  windows: readonly [Local<'v128'>, Local<'v128'>, Local<'v128'>],
  b1: Local<'v128'>,
  b2: Local<'v128'>,
): void {
  const at = PRIMITIVE.offset;
  const z = (window: Local<'v128'>): Local<'f32'> => f.let(f.f32x4.extract_lane(window, 2));
  const [z0, z1, z2] = [z(windows[0]), z(windows[1]), z(windows[2])];
  const difference = (z: Local<'f32'>): Expr<'v128'> =>
    f.f64x2.splat(f.f64.sub(f.f64.promote_f32(z), f.f64.promote_f32(z0)));
  const sum = f.f64x2.add(f.f64x2.mul(difference(z1), b1), f.f64x2.mul(difference(z2), b2));
  const slopes = f.let(f.f32x4.demote_f64x2_zero(sum));
  f.i64.store(record, f.i64x2.extract_lane(slopes, 0), at.zx);
  emitPolygonOffset(f, draw, [z0, z1, z2], slopes, (offset) => f.set(z0, f.f32.add(z0, offset)));
  f.f32.store(record, z0, at.z0);
}

/** Polygon offset of a plane through vertices of these depths, with slopes in lanes 0 and 1; nothing is emitted to run while it is off. */
export function emitPolygonOffset(
  f: FunctionBuilder,
  draw: Local<'i32'>,
  depths: readonly Local<'f32'>[],
  slopes: Local<'v128'>,
  apply: (offset: Local<'f32'>) => void,
): void {
  const d = DRAW.offset;
  const factor = loadF32(f, draw, d.offsetFactor);
  const units = loadF32(f, draw, d.offsetUnits);
  f.if(f.i32.or(f.f32.ne(factor, 0), f.f32.ne(units, 0)), () => {
    f.if(f.i32.load(draw, d.offsetIsFloat), () => {
      // r = 2^(e − 23), e the exponent of the largest z of the triangle.
      const [first, ...others] = depths.map((z) => f.f32.abs(z));
      const largest = others.reduce((a, b) => f.f32.max(a, b), first!);
      const power = f.f32.reinterpret_i32(f.i32.and(f.i32.reinterpret_f32(largest), 0x7f800000));
      f.set(units, f.f32.mul(units, f.f32.mul(power, 2 ** -23)));
    });
    const m = f.f32.max(f.f32.abs(f.f32x4.extract_lane(slopes, 0)), f.f32.abs(f.f32x4.extract_lane(slopes, 1)));
    const offset = f.let(f.f32.add(f.f32.mul(m, factor), units));
    const bound = loadF32(f, draw, d.offsetClamp);
    f.if(f.f32.gt(bound, 0), () => f.set(offset, f.f32.min(offset, bound)));
    f.if(f.f32.lt(bound, 0), () => f.set(offset, f.f32.max(offset, bound)));
    apply(offset);
  });
}
