// Sets one triangle up: facing, culling, pixel box, exact edges, planes of depth and barycentrics, varyings; then bins it.
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import { loadF32, loadI32 } from './kernel.ts';
import { DRAW, PRIMITIVE, SUBPIXEL_SCALE, VERTEX } from './layout.ts';
import {
  emitBinning,
  emitBox,
  emitEdge,
  emitPixelBox,
  emitReserve,
  emitVaryings,
  max3,
  min3,
  type SetupFunctions,
  type SetupKey,
} from './primitive-record.ts';

/** Adds `triangle(draw, job, v0, v1, v2, provoking)`: 0 if done (or culled), 1 if the arena has no room. */
export function addTriangle(module: ModuleBuilder, key: SetupKey, functions: SetupFunctions): FunctionBuilder {
  const f = module.function('triangle', ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'], ['i32']);
  const p = (i: number): Local<'i32'> => f.param('i32', i);
  const [draw, job, v0, v1, v2, provoking] = [p(0), p(1), p(2), p(3), p(4), p(5)] as const;
  const v = VERTEX.offset;
  const x0 = loadI32(f, v0, v.windowX);
  const y0 = loadI32(f, v0, v.windowY);
  const x1 = loadI32(f, v1, v.windowX);
  const y1 = loadI32(f, v1, v.windowY);
  const x2 = loadI32(f, v2, v.windowX);
  const y2 = loadI32(f, v2, v.windowY);
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

  const box = {
    minX: f.let(min3(f, x0, x1, x2)),
    minY: f.let(min3(f, y0, y1, y2)),
    maxX: f.let(max3(f, x0, x1, x2)),
    maxY: f.let(max3(f, y0, y1, y2)),
  };
  emitPixelBox(f, draw, box, 'clipMinX');
  const placement = emitReserve(f, job, box, key.slots);
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
    f.set(area, f.f64.neg(area));
  });

  const a0 = f.let(f.i32.sub(y1, y2));
  const b0 = f.let(f.i32.sub(x2, x1));
  const a1 = f.let(f.i32.sub(y2, y0));
  const b1 = f.let(f.i32.sub(x0, x2));
  const a2 = f.let(f.i32.sub(y0, y1));
  const b2 = f.let(f.i32.sub(x1, x0));
  emitEdge(f, record, 0, a0, b0, x1, y1);
  emitEdge(f, record, 1, a1, b1, x2, y2);
  emitEdge(f, record, 2, a2, b2, x0, y0);
  emitBox(f, record, box);

  // b1 is edge 1 divided by the doubled area, b2 is edge 2; gradients per pixel.
  const at = PRIMITIVE.offset;
  const inverse = f.let(f.f64.div(SUBPIXEL_SCALE, area));
  const b1x = f.let(f.f64.mul(wide(a1), inverse));
  const b1y = f.let(f.f64.mul(wide(b1), inverse));
  const b2x = f.let(f.f64.mul(wide(a2), inverse));
  const b2y = f.let(f.f64.mul(wide(b2), inverse));
  const store = (value: Expr<'f64'>, field: 'b1x' | 'b1y' | 'b2x' | 'b2y'): void => {
    f.f32.store(record, f.f32.demote_f64(value), at[field]);
  };
  store(b1x, 'b1x');
  store(b1y, 'b1y');
  store(b2x, 'b2x');
  store(b2y, 'b2y');
  f.f32.store(record, f.f32.mul(f.f32.convert_i32_s(x0), 1 / SUBPIXEL_SCALE), at.x0);
  f.f32.store(record, f.f32.mul(f.f32.convert_i32_s(y0), 1 / SUBPIXEL_SCALE), at.y0);

  const w0 = loadF32(f, v0, v.invW);
  const w1 = loadF32(f, v1, v.invW);
  const w2 = loadF32(f, v2, v.invW);
  f.f32.store(record, w0, at.invW0);
  f.f32.store(record, f.f32.sub(w1, w0), at.dInvW1);
  f.f32.store(record, f.f32.sub(w2, w0), at.dInvW2);
  f.f32.store(record, w1, at.invW1);
  f.f32.store(record, w2, at.invW2);
  emitDepthPlane(f, draw, record, [v0, v1, v2], { b1x, b1y, b2x, b2y });
  f.i32.store(record, f.i32.xor(isNegative, f.i32.load(draw, DRAW.offset.frontPositive)), at.frontFacing);
  emitVaryings(f, key, record, provoking, v0, v1, v2);
  emitBinning(f, functions, job, draw, placement);
  f.return(0);
  f.emitUnreachable();
  return f;
}

type Gradients = Record<'b1x' | 'b1y' | 'b2x' | 'b2y', Local<'f64'>>;

/** z0, zx, zy with polygon offset (GLES 3.0.6 §3.6.2). */
function emitDepthPlane(
  f: FunctionBuilder,
  draw: Local<'i32'>,
  record: Local<'i32'>,
  vertices: readonly [Local<'i32'>, Local<'i32'>, Local<'i32'>],
  g: Gradients,
): void {
  const at = PRIMITIVE.offset;
  const d = DRAW.offset;
  const z = vertices.map((vertex) => loadF32(f, vertex, VERTEX.offset.windowZ)) as [
    Local<'f32'>,
    Local<'f32'>,
    Local<'f32'>,
  ];
  const [z0, z1, z2] = z;
  const dz1 = f.let(f.f64.sub(f.f64.promote_f32(z1), f.f64.promote_f32(z0)));
  const dz2 = f.let(f.f64.sub(f.f64.promote_f32(z2), f.f64.promote_f32(z0)));
  const slope = (b1: Expr<'f64'>, b2: Expr<'f64'>): Local<'f32'> =>
    f.let(f.f32.demote_f64(f.f64.add(f.f64.mul(dz1, b1), f.f64.mul(dz2, b2))));
  const zx = slope(g.b1x, g.b2x);
  const zy = slope(g.b1y, g.b2y);
  f.f32.store(record, zx, at.zx);
  f.f32.store(record, zy, at.zy);
  const factor = loadF32(f, draw, d.offsetFactor);
  const units = loadF32(f, draw, d.offsetUnits);
  f.if(f.i32.or(f.f32.ne(factor, 0), f.f32.ne(units, 0)), () => {
    f.if(f.i32.load(draw, d.offsetIsFloat), () => {
      // r = 2^(e − 23), e the exponent of the largest z of the triangle.
      const largest = f.f32.max(f.f32.max(f.f32.abs(z0), f.f32.abs(z1)), f.f32.abs(z2));
      const power = f.f32.reinterpret_i32(f.i32.and(f.i32.reinterpret_f32(largest), 0x7f800000));
      f.set(units, f.f32.mul(units, f.f32.mul(power, 2 ** -23)));
    });
    const m = f.f32.max(f.f32.abs(zx), f.f32.abs(zy));
    const offset = f.let(f.f32.add(f.f32.mul(m, factor), units));
    const bound = loadF32(f, draw, d.offsetClamp);
    f.if(f.f32.gt(bound, 0), () => f.set(offset, f.f32.min(offset, bound)));
    f.if(f.f32.lt(bound, 0), () => f.set(offset, f.f32.max(offset, bound)));
    f.set(z0, f.f32.add(z0, offset));
  });
  f.f32.store(record, z0, at.z0);
}
