// From clip to window coordinates: outcodes, perspective division, viewport, snapping to 1/256 pixel.
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import { loadI32 } from './kernel.ts';
import { BATCH, CLIP, DRAW, MIN_W, SUBPIXEL_SCALE, VERTEX, vertexVarying } from './layout.ts';
import type { GeometryExtras, SetupKey } from './primitive-record.ts';

/** What of `SetupKey` the transform depends on. */
export type TransformKey = Pick<SetupKey, 'depthClamp' | 'clipHalfZ' | 'extras'>;

export type TransformConstants = { guard: Local<'v128'>; scale: Local<'v128'>; translate: Local<'v128'> };

export function loadTransformConstants(f: FunctionBuilder, draw: Expr<'i32'>): TransformConstants {
  const at = DRAW.offset;
  // Lanes z and w of the guard products are not looked at.
  return {
    guard: f.let(f.v128.load64_zero(draw, at.guardX)),
    scale: f.let(f.v128.load(draw, at.viewportScaleX)),
    translate: f.let(f.v128.load(draw, at.viewportTranslateX)),
  };
}

/** Fills in the window part and the outcode of the vertex record at `vertex`. */
export function emitTransform(
  f: FunctionBuilder,
  vertex: Local<'i32'>,
  c: TransformConstants,
  key: TransformKey,
): void {
  const at = VERTEX.offset;
  f.scope(() => {
    const p = f.let(f.v128.load(vertex, at.position));
    const w = f.let(f.shuffle32(p, p, [3, 3, 3, 3]));
    const guard = f.let(f.f32x4.mul(w, c.guard));
    const bits = (mask: Expr<'v128'>, lanes: number): Expr<'i32'> => f.i32.and(f.i32x4.bitmask(mask), lanes);
    const negative = f.f32x4.neg(w);
    const low = key.clipHalfZ ? f.f32x4.replace_lane(negative, 0, 2) : negative;
    const view = f.i32.or(bits(f.f32x4.lt(p, low), 15), f.i32.shl(bits(f.f32x4.gt(p, w), 7), 4));
    const guards = f.i32.or(
      f.i32.shl(bits(f.f32x4.lt(p, f.f32x4.neg(guard)), 3), 8),
      f.i32.shl(bits(f.f32x4.gt(p, guard), 3), 12),
    );
    const wide = f.f32.ge(f.f32x4.extract_lane(w, 0), MIN_W);
    const finite = f.i32x4.all_true(f.f32x4.eq(f.f32x4.sub(p, p), 0));
    const code = f.i32.or(
      f.i32.or(view, guards),
      f.i32.or(f.i32.shl(f.i32.eqz(wide), 16), f.i32.shl(f.i32.eqz(finite), 17)),
    );
    const kept = key.depthClamp ? f.i32.and(code, ~(CLIP.NEAR | CLIP.FAR)) : code;
    f.i32.store(vertex, key.extras ? f.i32.or(kept, distanceBits(f, vertex, key.extras)) : kept, at.outcode);

    const invW = f.let(f.f32x4.div(1, w));
    const window = f.let(f.f32x4.add(f.f32x4.mul(f.f32x4.mul(p, invW), c.scale), c.translate));
    const snapped = f.i32x4.trunc_sat_f32x4_s(f.f32x4.nearest(f.f32x4.mul(window, SUBPIXEL_SCALE)));
    const packed = f.shuffle32(snapped, window, [0, 1, 6, 7]);
    f.v128.store(vertex, f.f32x4.replace_lane(packed, f.f32x4.extract_lane(invW, 0), 3), at.windowX);
    f.i64.store(vertex, f.i64x2.extract_lane(window, 0), at.exactX);
  });
}

/** DISTANCE bits of the distances that clip or cull. What is not a number is outside. */
function distanceBits(f: FunctionBuilder, vertex: Local<'i32'>, extras: GeometryExtras): Expr<'i32'> {
  const { clipMask, cullMask, distanceSlot } = extras;
  const mask = clipMask | cullMask;
  let bits: Expr<'i32'> = f.i32.const(0);
  for (const half of [0, 1]) {
    const lanes = (mask >>> (half * 4)) & 15;
    if (lanes === 0) continue;
    const isInside = f.f32x4.ge(f.v128.load(vertex, vertexVarying(distanceSlot + half)), 0);
    const outside = f.i32.and(f.i32.xor(f.i32x4.bitmask(isInside), 15), lanes);
    bits = f.i32.or(bits, f.i32.mul(outside, CLIP.DISTANCE0 << (half * 4)));
  }
  return bits;
}

/** Exports `transform(draw, batch)`: `emitTransform` for every vertex of the batch. */
export function addTransform(module: ModuleBuilder, key: TransformKey): void {
  const f = module.function('transform', ['i32', 'i32'], [], { exported: true });
  const batch = f.param('i32', 1);
  const constants = loadTransformConstants(f, f.param('i32', 0));
  const vertex = loadI32(f, batch, BATCH.offset.vertices);
  const stride = loadI32(f, batch, BATCH.offset.vertexStride);
  const end = f.let(f.i32.add(vertex, f.i32.mul(stride, f.i32.load(batch, BATCH.offset.vertexCount))));
  f.while(f.i32.lt_u(vertex, end), () => {
    emitTransform(f, vertex, constants, key);
    f.set(vertex, f.i32.add(vertex, stride));
  });
}
