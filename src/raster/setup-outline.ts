// Sets a triangle up as the lines around it (polygon mode `line`): facing, culling and depth offset are the triangle's.
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import { addClipLine, type ClippedPolygon } from './clip.ts';
import { loadF32, loadI32 } from './kernel.ts';
import { BATCH, CLIP_VIEW_SIDES, DRAW, SUBPIXEL_SCALE, VERTEX } from './layout.ts';
import type { SetupFunctions, SetupKey } from './primitive-record.ts';
import { addLine, type OutlineOf } from './setup-line.ts';
import { emitPolygonOffset } from './setup-triangle.ts';

type I32 = Local<'i32'>;

/** Adds the functions for lines; the result emits the outline of a clipped polygon and returns from the function it is in. */
export function addOutline(
  module: ModuleBuilder,
  key: SetupKey,
  functions: SetupFunctions,
): (f: FunctionBuilder, polygon: ClippedPolygon) => void {
  const outline: OutlineOf = { frontFacing: module.global('i32', 0), depthOffset: module.global('f32', 0) };
  const line = addLine(module, key, functions, outline);
  const clipLine = addClipLine(module, key, line, true);
  return (f, polygon) => {
    const { draw, batch, job, provoking, count, from } = polygon;
    f.if(f.i32.lt_u(count, 3), () => f.return(0));
    emitFacing(f, outline, polygon);
    const isWide = f.let(
      f.i32.or(
        f.f32.gt(f.f32.load(draw, DRAW.offset.lineWidth), 1),
        f.i32.ne(f.i32.load(draw, DRAW.offset.samples), 1),
      ),
    );
    const side = loadI32(f, batch, BATCH.offset.fan);
    f.while(f.i32.lt_u(side, count), () => {
      const v0 = f.let(corner(f, from, side));
      const v1 = f.let(corner(f, from, nextCorner(f, side, count)));
      const [c0, c1] = [loadI32(f, v0, VERTEX.offset.outcode), loadI32(f, v1, VERTEX.offset.outcode)];
      const codes = f.let(f.i32.and(f.i32.or(c0, c1), f.select(isWide, f.i32.const(CLIP_VIEW_SIDES), 0)));
      const isOut = f.i32.and(f.i32.and(c0, c1), CLIP_VIEW_SIDES);
      const clipped = f.call<'i32'>(clipLine, draw, batch, job, v0, v1, provoking, codes);
      const whole = f.call<'i32'>(line, draw, job, v0, v1, provoking);
      f.if(f.choose(isOut, f.i32.const(0), f.choose(codes, clipped, whole)), () => {
        f.i32.store(batch, side, BATCH.offset.fan);
        f.return(1);
      });
      f.set(side, f.i32.add(side, 1));
    });
    f.i32.store(batch, 0, BATCH.offset.fan);
    f.return(0);
  };
}

function corner(f: FunctionBuilder, from: I32, index: Expr<'i32'>): Expr<'i32'> {
  return f.i32.load(f.i32.add(from, f.i32.shl(index, 2)));
}

function nextCorner(f: FunctionBuilder, index: I32, count: I32): Expr<'i32'> {
  const next = f.i32.add(index, 1);
  return f.select(f.i32.eq(next, count), f.i32.const(0), next);
}

/** Returns from the function if the polygon is culled. Its normal is summed up over the sides, which no short side can spoil. */
function emitFacing(f: FunctionBuilder, outline: OutlineOf, { draw, count, from }: ClippedPolygon): void {
  const normal = { x: f.local('f64', 0), y: f.local('f64', 0), z: f.local('f64', 0) };
  const largest = f.local('f32', 0);
  const first = f.let(corner(f, from, f.i32.const(0)));
  const [x0, y0] = [loadI32(f, first, VERTEX.offset.windowX), loadI32(f, first, VERTEX.offset.windowY)];
  const z0 = f.let(f.f64.promote_f32(f.f32.load(first, VERTEX.offset.windowZ)));
  const i = f.local('i32');
  f.for(i, 0, count, 1, () => {
    const ends = [corner(f, from, i), corner(f, from, nextCorner(f, i, count))].map((address) => {
      const v = f.let(address);
      const along = (offset: number, origin: I32): Local<'f64'> =>
        f.let(f.f64.mul(f.f64.convert_i32_s(f.i32.sub(f.i32.load(v, offset), origin)), 1 / SUBPIXEL_SCALE));
      const depth = loadF32(f, v, VERTEX.offset.windowZ);
      f.set(largest, f.f32.max(largest, f.f32.abs(depth)));
      return {
        x: along(VERTEX.offset.windowX, x0),
        y: along(VERTEX.offset.windowY, y0),
        z: f.let(f.f64.sub(f.f64.promote_f32(depth), z0)),
      };
    });
    const [a, b] = ends as [(typeof ends)[0], (typeof ends)[0]];
    const add = (sum: Local<'f64'>, p: 'x' | 'y' | 'z', q: 'x' | 'y' | 'z'): void =>
      f.set(sum, f.f64.add(sum, f.f64.sub(f.f64.mul(a[p], b[q]), f.f64.mul(a[q], b[p]))));
    add(normal.x, 'y', 'z');
    add(normal.y, 'z', 'x');
    add(normal.z, 'x', 'y');
  });
  const isNegative = f.let(f.f64.lt(normal.z, 0));
  const at = DRAW.offset;
  f.if(f.select(isNegative, f.i32.load(draw, at.cullNegative), f.i32.load(draw, at.cullPositive)), () => f.return(0));
  f.setGlobal(outline.frontFacing, f.i32.xor(isNegative, f.i32.load(draw, at.frontPositive)));
  f.setGlobal(outline.depthOffset, f.f32.const(0));
  const slope = (part: Local<'f64'>): Expr<'f64'> =>
    f.select(f.f64.eq(normal.z, 0), f.f64.const(0), f.f64.neg(f.f64.div(part, normal.z)));
  const wide = f.f64x2.replace_lane(f.f64x2.splat(slope(normal.x)), slope(normal.y), 1);
  const slopes = f.let(f.f32x4.demote_f64x2_zero(wide));
  emitPolygonOffset(f, draw, [largest], slopes, (offset) => f.setGlobal(outline.depthOffset, offset));
}
