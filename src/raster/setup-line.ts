// Sets one line up. One sample: the columns of the diamond-exit rule along the major axis, `width` pixels of each along the
// minor axis (GLES 3.0.6 §3.5.1). Four samples: a rectangle of that width, as two triangles.
import type { Expr } from '../wasm/expr.ts';
import type { FunctionBuilder, GlobalHandle } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import { loadF32, loadI32 } from './kernel.ts';
import { DRAW, MAX_LINE_WIDTH, PRIMITIVE, primitiveStride, SUBPIXEL_BITS, SUBPIXEL_SCALE, VERTEX } from './layout.ts';
import {
  type Box,
  emitBinning,
  emitBox,
  emitCutBox,
  emitEdge,
  emitOpenEdge,
  emitPixelBox,
  emitReserve,
  emitVaryings,
  type I32,
  type Placement,
  type SetupFunctions,
  type SetupKey,
} from './primitive-record.ts';

/** Of lines that go around a triangle: what they have from it. Set before the line is. */
export type OutlineOf = { readonly frontFacing: GlobalHandle<'i32'>; readonly depthOffset: GlobalHandle<'f32'> };

/** Adds `line(draw, job, v0, v1, provoking)`: 0 if done, 1 if the arena has no room. */
export function addLine(
  module: ModuleBuilder,
  key: SetupKey,
  functions: SetupFunctions,
  outline?: OutlineOf,
): FunctionBuilder {
  const rectangle = addRectangle(module, key, functions, outline);
  const f = module.function('line', ['i32', 'i32', 'i32', 'i32', 'i32'], ['i32']);
  const p = (i: number): I32 => f.param('i32', i);
  const [draw, job, v0, v1, provoking] = [p(0), p(1), p(2), p(3), p(4)] as const;
  const x0 = loadI32(f, v0, VERTEX.offset.windowX);
  const y0 = loadI32(f, v0, VERTEX.offset.windowY);
  const dx = f.let(f.i32.sub(f.i32.load(v1, VERTEX.offset.windowX), x0));
  const dy = f.let(f.i32.sub(f.i32.load(v1, VERTEX.offset.windowY), y0));
  f.if(f.i32.eqz(f.i32.or(dx, dy)), () => f.return(0));
  f.if(f.i32.ne(f.i32.load(draw, DRAW.offset.samples), 1), () =>
    f.return(f.call<'i32'>(rectangle, draw, job, v0, v1, provoking)),
  );

  // u runs along the major axis, v along the minor one.
  const isSteep = f.let(f.i32.lt_s(absolute(f, dx), absolute(f, dy)));
  const pick = (whenFlat: I32, whenSteep: I32): I32 => f.let(f.select(isSteep, whenSteep, whenFlat));
  const u0 = pick(x0, y0);
  const w0 = pick(y0, x0);
  const du = pick(dx, dy);
  const dv = pick(dy, dx);
  const u1 = f.let(f.i32.add(u0, du));
  const w1 = f.let(f.i32.add(w0, dv));
  const width = f.let(f.i32.trunc_sat_f32_s(f.f32.nearest(lineWidth(f, draw))));
  const half = f.let(f.i32.shl(width, SUBPIXEL_BITS - 1));
  const shift = f.let(f.i32.sub(half, SUBPIXEL_SCALE / 2));

  // The column of an end is left out on its far side unless the line still passes the end's diamond.
  const minU = f.local('i32');
  const maxU = f.local('i32');
  const start = diamond(f, u0, f.i32.sub(w0, shift));
  const end = diamond(f, u1, f.i32.sub(w1, shift));
  f.if(
    f.i32.gt_s(du, 0),
    () => {
      const past = (d: Diamond): Expr<'i32'> => f.i32.and(f.i32.gt_s(d.fromCentre, 0), f.i32.eqz(d.isInside));
      f.set(minU, f.i32.add(start.column, past(start)));
      f.set(maxU, f.i32.add(end.column, past(end)));
    },
    () => {
      const past = (d: Diamond): Expr<'i32'> => f.i32.and(f.i32.lt_s(d.fromCentre, 0), f.i32.eqz(d.isInside));
      f.set(minU, f.i32.sub(f.i32.add(end.column, 1), past(end)));
      f.set(maxU, f.i32.sub(f.i32.add(start.column, 1), past(start)));
    },
  );
  // The line is read up to half a pixel beyond its ends, at slope one at most.
  const lower = f.select(f.i32.lt_s(dv, 0), w1, w0);
  const upper = f.select(f.i32.lt_s(dv, 0), w0, w1);
  const reach = f.let(f.i32.add(half, SUBPIXEL_SCALE));
  const minV = f.let(f.i32.shr_s(f.i32.sub(lower, reach), SUBPIXEL_BITS));
  const maxV = f.let(f.i32.add(f.i32.shr_s(f.i32.add(upper, reach), SUBPIXEL_BITS), 1));
  const box: Box = { minX: pick(minU, minV), minY: pick(minV, minU), maxX: pick(maxU, maxV), maxY: pick(maxV, maxU) };
  f.if(
    f.i32.gt_s(width, 1),
    () => emitCutBox(f, draw, box, 'scissorMinX'),
    () => emitCutBox(f, draw, box, 'clipMinX'),
  );
  const placement = emitReserve(f, job, box, key.slots);
  const { record } = placement;
  emitBox(f, record, box);
  emitPlanes(f, key, { record, v0, v1, provoking, x0, y0, dx, dy }, outline);

  // Long sides, for a line that runs towards larger u.
  f.if(f.i32.lt_s(du, 0), () => {
    f.set(u0, u1);
    f.set(w0, w1);
    f.set(du, f.i32.sub(0, du));
    f.set(dv, f.i32.sub(0, dv));
  });
  const minusDu = f.let(f.i32.sub(0, du));
  const minusDv = f.let(f.i32.sub(0, dv));
  const below = f.let(f.i32.sub(w0, half));
  const above = f.let(f.i32.add(w0, half));
  emitEdge(f, record, 0, pick(minusDv, du), pick(du, minusDv), pick(u0, below), pick(below, u0));
  emitEdge(f, record, 1, pick(dv, minusDu), pick(minusDu, dv), pick(u0, above), pick(above, u0));
  emitOpenEdge(f, record, 2);
  emitBinning(f, functions, job, draw, placement);
  f.return(0);
  f.emitUnreachable();
  return f;
}

/** The width within the limits: a line is never thinner than a pixel. */
function lineWidth(f: FunctionBuilder, draw: I32): Expr<'f32'> {
  const width = f.f32.load(draw, DRAW.offset.lineWidth);
  return f.f32.min(f.f32.max(width, 1), MAX_LINE_WIDTH);
}

type Diamond = { column: I32; fromCentre: I32; isInside: I32 };

/** The pixel of a point, and whether the point is in the diamond around its centre: |u| + |v| < 1/2. */
function diamond(f: FunctionBuilder, u: I32, v: Expr<'i32'>): Diamond {
  const column = f.let(f.i32.shr_s(u, SUBPIXEL_BITS));
  const offset = (x: Expr<'i32'>): I32 => f.let(f.i32.sub(f.i32.and(x, SUBPIXEL_SCALE - 1), SUBPIXEL_SCALE / 2));
  const fromCentre = offset(u);
  const across = offset(v);
  const isInside = f.let(f.i32.lt_s(f.i32.add(absolute(f, fromCentre), absolute(f, across)), SUBPIXEL_SCALE / 2));
  return { column, fromCentre, isInside };
}

function absolute(f: FunctionBuilder, x: I32): Expr<'i32'> {
  return f.select(f.i32.lt_s(x, 0), f.i32.sub(0, x), x);
}

type LineEnds = Record<'record' | 'v0' | 'v1' | 'provoking' | 'x0' | 'y0' | 'dx' | 'dy', I32>;

/** b1 = (p − p0)·(p1 − p0) / |p1 − p0|², b2 = 0. */
function emitPlanes(f: FunctionBuilder, key: SetupKey, l: LineEnds, outline?: OutlineOf): void {
  const at = PRIMITIVE.offset;
  const v = VERTEX.offset;
  const wide = (x: Expr<'i32'>): Expr<'f64'> => f.f64.convert_i32_s(x);
  const { record, v0, v1, dx, dy } = l;
  const squared = f.f64.add(f.f64.mul(wide(dx), wide(dx)), f.f64.mul(wide(dy), wide(dy)));
  const scale = f.let(f.f64.div(SUBPIXEL_SCALE, squared));
  const b1x = f.let(f.f64.mul(wide(dx), scale));
  const b1y = f.let(f.f64.mul(wide(dy), scale));
  const z0 = loadF32(f, v0, v.windowZ);
  const dz = f.let(f.f64.sub(f.f64.promote_f32(f.f32.load(v1, v.windowZ)), f.f64.promote_f32(z0)));
  const invW0 = loadF32(f, v0, v.invW);
  const invW1 = loadF32(f, v1, v.invW);
  const store = (value: Expr<'f32'>, offset: number): void => {
    f.f32.store(record, value, offset);
  };
  store(f.f32.mul(f.f32.convert_i32_s(l.x0), 1 / SUBPIXEL_SCALE), at.x0);
  store(f.f32.mul(f.f32.convert_i32_s(l.y0), 1 / SUBPIXEL_SCALE), at.y0);
  store(f.f32.demote_f64(b1x), at.b1x);
  store(f.f32.demote_f64(b1y), at.b1y);
  for (const field of ['b2x', 'b2y', 'dInvW2', 'invW2'] as const) store(f.f32.const(0), at[field]);
  store(invW0, at.invW0);
  store(f.f32.sub(invW1, invW0), at.dInvW1);
  store(invW1, at.invW1);
  store(outline ? f.f32.add(z0, f.global(outline.depthOffset)) : z0, at.z0);
  store(f.f32.demote_f64(f.f64.mul(dz, b1x)), at.zx);
  store(f.f32.demote_f64(f.f64.mul(dz, b1y)), at.zy);
  f.i32.store(record, outline ? f.global(outline.frontFacing) : 1, at.frontFacing);
  emitVaryings(f, key, record, l.provoking, v0, v1);
}

/** Adds `rectangle(draw, job, v0, v1, provoking)`: the line as two triangles, for several samples a pixel. */
function addRectangle(
  module: ModuleBuilder,
  key: SetupKey,
  functions: SetupFunctions,
  outline?: OutlineOf,
): FunctionBuilder {
  const f = module.function('rectangle', ['i32', 'i32', 'i32', 'i32', 'i32'], ['i32']);
  const p = (i: number): I32 => f.param('i32', i);
  const [draw, job, v0, v1, provoking] = [p(0), p(1), p(2), p(3), p(4)] as const;
  const x0 = loadI32(f, v0, VERTEX.offset.windowX);
  const y0 = loadI32(f, v0, VERTEX.offset.windowY);
  const x1 = loadI32(f, v1, VERTEX.offset.windowX);
  const y1 = loadI32(f, v1, VERTEX.offset.windowY);
  const dx = f.let(f.i32.sub(x1, x0));
  const dy = f.let(f.i32.sub(y1, y0));
  const wide = (x: Expr<'i32'>): Expr<'f64'> => f.f64.convert_i32_s(x);
  const length = f.f64.sqrt(f.f64.add(f.f64.mul(wide(dx), wide(dx)), f.f64.mul(wide(dy), wide(dy))));
  const half = f.f64.mul(f.f64.promote_f32(lineWidth(f, draw)), SUBPIXEL_SCALE / 2);
  const scale = f.let(f.f64.div(half, length));
  const normal = (d: Expr<'i32'>): I32 => f.let(f.i32.trunc_sat_f64_s(f.f64.nearest(f.f64.mul(wide(d), scale))));
  const nx = normal(f.i32.sub(0, dy));
  const ny = normal(dx);
  // Counter-clockwise: right of the start, right of the end, left of the end, left of the start.
  const corners = [
    { x: f.let(f.i32.sub(x0, nx)), y: f.let(f.i32.sub(y0, ny)) },
    { x: f.let(f.i32.sub(x1, nx)), y: f.let(f.i32.sub(y1, ny)) },
    { x: f.let(f.i32.add(x1, nx)), y: f.let(f.i32.add(y1, ny)) },
    { x: f.let(f.i32.add(x0, nx)), y: f.let(f.i32.add(y0, ny)) },
  ] as const;
  emitQuad(f, key, functions, { draw, job, corners }, (record) =>
    emitPlanes(f, key, { record, v0, v1, provoking, x0, y0, dx, dy }, outline),
  );
  return f;
}

type Corner = { readonly x: I32; readonly y: I32 };
type Quad = { draw: I32; job: I32; corners: readonly [Corner, Corner, Corner, Corner] };

/** Bins a parallelogram (corners counter-clockwise) as two triangles with the same planes; ends the function. */
export function emitQuad(
  f: FunctionBuilder,
  key: SetupKey,
  functions: SetupFunctions,
  { draw, job, corners }: Quad,
  emitRecord: (record: I32) => void,
): void {
  const extreme = (axis: 'x' | 'y', isLess: boolean): I32 => {
    const result = f.let(corners[0][axis]);
    for (const corner of corners.slice(1)) {
      const c = corner[axis];
      f.set(result, f.select(isLess ? f.i32.lt_s(c, result) : f.i32.gt_s(c, result), c, result));
    }
    return result;
  };
  const box: Box = {
    minX: extreme('x', true),
    minY: extreme('y', true),
    maxX: extreme('x', false),
    maxY: extreme('y', false),
  };
  emitPixelBox(f, draw, box, 'scissorMinX');
  const placement = emitReserve(f, job, box, key.slots, 2);
  const { record } = placement;
  emitBox(f, record, box);
  emitRecord(record);
  const second = f.let(f.i32.add(record, primitiveStride(key.slots)));
  f.memory.copy(second, record, primitiveStride(key.slots));
  const triangle = (at: I32, points: readonly Corner[]): void => {
    for (const i of [0, 1, 2] as const) {
      const from = points[(i + 1) % 3] as Corner;
      const to = points[(i + 2) % 3] as Corner;
      const a = f.let(f.i32.sub(from.y, to.y));
      const b = f.let(f.i32.sub(to.x, from.x));
      emitEdge(f, at, i, a, b, from.x, from.y);
    }
    emitBinning(f, functions, job, draw, { ...placement, record: at } satisfies Placement);
  };
  triangle(record, [corners[0], corners[1], corners[2]]);
  triangle(second, [corners[0], corners[2], corners[3]]);
  f.return(0);
  f.emitUnreachable();
}
