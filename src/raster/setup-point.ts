// Sets one point up: the square of its size around its position (GLES 3.0.6 §3.4); b1 and b2 are gl_PointCoord.
import type { Expr } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import { emitBinAddress, emitTileRecord, TILE_SHIFT } from './bin.ts';
import { loadF32, loadI32 } from './kernel.ts';
import { BIN_FLAG, DRAW, JOB, PRIMITIVE, primitiveStride, SUBPIXEL_BITS, SUBPIXEL_SCALE, VERTEX } from './layout.ts';
import {
  type Box,
  emitBinning,
  emitBox,
  emitCutBox,
  emitOpenEdge,
  emitReserve,
  emitVaryings,
  type I32,
  type SetupFunctions,
  type SetupKey,
} from './primitive-record.ts';
import { emitQuad } from './setup-line.ts';

type Point = { draw: I32; v0: I32; size: ReturnType<typeof loadF32>; left: I32; top: I32 };

/** Adds `point(draw, job, v0)`: 0 if done, 1 if the arena has no room. */
export function addPoint(module: ModuleBuilder, key: SetupKey, functions: SetupFunctions): FunctionBuilder {
  const square = addSquare(module, key, functions);
  const f = module.function('point', ['i32', 'i32', 'i32'], ['i32']);
  const [draw, job, v0] = [f.param('i32', 0), f.param('i32', 1), f.param('i32', 2)];
  f.if(f.i32.ne(f.i32.load(draw, DRAW.offset.samples), 1), () => f.return(f.call<'i32'>(square, draw, job, v0)));
  const { x, y, size, radius } = emitExtent(f, draw, v0);
  const left = f.let(f.i32.sub(x, radius));
  const top = f.let(f.i32.add(y, radius));
  // Centres on the left and top side belong to the point, as in the fill rule of triangles.
  const half = SUBPIXEL_SCALE / 2;
  const shifted = (value: I32, bias: number): I32 => f.let(f.i32.shr_s(f.i32.add(value, bias), SUBPIXEL_BITS));
  const box: Box = {
    minX: shifted(left, half - 1),
    maxX: shifted(f.let(f.i32.add(x, radius)), half - 1),
    minY: shifted(f.let(f.i32.sub(y, radius)), half),
    maxY: shifted(top, half),
  };
  emitCutBox(f, draw, box, 'scissorMinX');
  const first = (low: I32): I32 => f.let(f.i32.shr_s(low, TILE_SHIFT));
  const last = (high: I32): Expr<'i32'> => f.i32.shr_s(f.i32.sub(high, 1), TILE_SHIFT);
  const [tileX, tileY] = [first(box.minX), first(box.minY)];
  const point: Point = { draw, v0, size, left, top };
  // Most points lie in one tile: the box says it all.
  f.if(f.i32.and(f.i32.eq(tileX, last(box.maxX)), f.i32.eq(tileY, last(box.maxY))), () => {
    const bin = f.let(emitBinAddress(f, job, tileX, tileY));
    const record = f.let(emitTileRecord(f, job, bin, primitiveStride(key.slots)));
    f.i32.store(job, f.i32.add(f.i32.load(job, JOB.offset.primitives), 1), JOB.offset.primitives);
    emitBox(f, record, box);
    emitPlanes(f, key, record, point);
    const identity = f.i32.load(draw, DRAW.offset.identity);
    f.callVoid(functions.append, job, identity, bin, f.i32.or(record, BIN_FLAG.BOX));
    f.return(0);
  });
  const placement = emitReserve(f, job, box, key.slots);
  emitBox(f, placement.record, box);
  for (const i of [0, 1, 2] as const) emitOpenEdge(f, placement.record, i);
  emitPlanes(f, key, placement.record, point);
  emitBinning(f, functions, job, draw, placement);
  f.return(0);
  f.emitUnreachable();
  return f;
}

/** The same for several samples a pixel: two triangles. */
function addSquare(module: ModuleBuilder, key: SetupKey, functions: SetupFunctions): FunctionBuilder {
  const f = module.function('square', ['i32', 'i32', 'i32'], ['i32']);
  const [draw, job, v0] = [f.param('i32', 0), f.param('i32', 1), f.param('i32', 2)];
  const { x, y, size, radius } = emitExtent(f, draw, v0);
  const left = f.let(f.i32.sub(x, radius));
  const right = f.let(f.i32.add(x, radius));
  const bottom = f.let(f.i32.sub(y, radius));
  const top = f.let(f.i32.add(y, radius));
  const corners = [
    { x: left, y: bottom },
    { x: right, y: bottom },
    { x: right, y: top },
    { x: left, y: top },
  ] as const;
  emitQuad(f, key, functions, { draw, job, corners }, (record) =>
    emitPlanes(f, key, record, { draw, v0, size, left, top }),
  );
  return f;
}

function emitExtent(f: FunctionBuilder, draw: I32, v0: I32) {
  const x = loadI32(f, v0, VERTEX.offset.windowX);
  const y = loadI32(f, v0, VERTEX.offset.windowY);
  const size = loadF32(f, v0, VERTEX.offset.pointSize);
  const bound = (field: 'pointSizeMin' | 'pointSizeMax', keepLarger: boolean): void => {
    const limit = loadF32(f, draw, DRAW.offset[field]);
    // Written so that a size that is not a number becomes the smallest.
    f.set(size, f.select(keepLarger ? f.f32.gt(size, limit) : f.f32.lt(size, limit), size, limit));
  };
  bound('pointSizeMin', true);
  bound('pointSizeMax', false);
  const radius = f.let(f.i32.trunc_sat_f32_s(f.f32.nearest(f.f32.mul(size, SUBPIXEL_SCALE / 2))));
  return { x, y, size, radius };
}

function emitPlanes(f: FunctionBuilder, key: SetupKey, record: I32, point: Point): void {
  const at = PRIMITIVE.offset;
  const { v0, size, left, top } = point;
  const inverse = f.let(f.f32.div(1, size));
  const position = (subpixels: I32) => f.f32.mul(f.f32.convert_i32_s(subpixels), 1 / SUBPIXEL_SCALE);
  f.f32.store(record, position(left), at.x0);
  f.f32.store(record, position(top), at.y0);
  // gl_PointCoord.t grows downwards.
  f.v128.store(record, f.f32x4.mul(f.f32x4.splat(inverse), f.f32x4.const(1, 0, 0, -1)), at.b1x);
  const invW = f.let(f.f32x4.splat(f.f32.load(v0, VERTEX.offset.invW)));
  f.v128.store(record, f.v128.and(invW, f.i32x4.const(-1, 0, 0, -1)), at.invW0);
  const depth = f.f32x4.replace_lane(invW, f.f32.load(v0, VERTEX.offset.windowZ), 1);
  f.v128.store(record, f.v128.and(depth, f.i32x4.const(-1, -1, 0, 0)), at.invW2);
  f.i32.store(record, 1, at.frontFacing);
  emitVaryings(f, key, record, v0, v0);
}
