// Clips polygons and lines against the planes that their vertices' outcodes name, in homogeneous coordinates.
// New vertices are always interpolated from the inner to the outer end, so triangles that share an edge cut it alike.
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import { loadF32, loadI32 } from './kernel.ts';
import {
  BATCH,
  CLIP,
  CLIP_SCRATCH_HEADER,
  CLIP_SCRATCH_VERTICES,
  DRAW,
  MIN_W,
  VERTEX,
  vertexStride,
  vertexVarying,
} from './layout.ts';
import type { SetupKey } from './primitive-record.ts';
import { emitTransform, loadTransformConstants } from './transform.ts';

type Plane = {
  readonly bit: number;
  readonly lane: 0 | 1 | 2;
  readonly sign: 1 | -1;
  readonly guard?: 'guardX' | 'guardY';
};
/** Inside: limit · w + sign · coordinate >= 0, limit 1 or the guard band's. w itself comes first: the others need it positive. */
const PLANES: readonly Plane[] = [
  { bit: CLIP.NEAR, lane: 2, sign: 1 },
  { bit: CLIP.FAR, lane: 2, sign: -1 },
  { bit: CLIP.GUARD_LEFT, lane: 0, sign: 1, guard: 'guardX' },
  { bit: CLIP.GUARD_RIGHT, lane: 0, sign: -1, guard: 'guardX' },
  { bit: CLIP.GUARD_BOTTOM, lane: 1, sign: 1, guard: 'guardY' },
  { bit: CLIP.GUARD_TOP, lane: 1, sign: -1, guard: 'guardY' },
];
/** For wide lines, which reach beyond the viewport where they stand, but not where they are cut off (GLES 3.0.6 §2.17). */
const SIDE_PLANES: readonly Plane[] = [
  { bit: CLIP.VIEW_LEFT, lane: 0, sign: 1 },
  { bit: CLIP.VIEW_RIGHT, lane: 0, sign: -1 },
  { bit: CLIP.VIEW_BOTTOM, lane: 1, sign: 1 },
  { bit: CLIP.VIEW_TOP, lane: 1, sign: -1 },
];
const W_PLANE = PLANES.length + SIDE_PLANES.length;
const ALL_PLANES = [...PLANES, ...SIDE_PLANES];
/** Plane of clip distance 0; the others follow. */
const DISTANCE_PLANE = W_PLANE + 1;
const DISTANCES = [0, 1, 2, 3, 4, 5, 6, 7];
/** Distances beyond are cut to this, so that no quotient of them is infinity over infinity. */
const FARTHEST = 2 ** 100;

/** Scratch header: the polygon's vertex count, its two pointer lists (current first), and where the next new vertex goes. */
const HEADER = { count: 0, from: 4, to: 8, next: 12, lists: 16, listBytes: 128 } as const;
/** Corners a polygon may have before a step; at most half as many are added by it. */
const MAX_CORNERS = 20;

/** Adds `distance(draw, vertex, plane)`. */
function addDistance(module: ModuleBuilder, key: SetupKey): FunctionBuilder {
  const f = module.function('distance', ['i32', 'i32', 'i32'], ['f32']);
  const [draw, vertex, plane] = [f.param('i32', 0), f.param('i32', 1), f.param('i32', 2)];
  const at = VERTEX.offset.position;
  const w = f.let(f.f32.load(vertex, at + 12));
  ALL_PLANES.forEach(({ bit, lane, sign, guard }, i) => {
    f.if(f.i32.eq(plane, i), () => {
      if (bit === CLIP.NEAR && key.clipHalfZ) return f.return(f.f32.load(vertex, at + lane * 4));
      const limit = guard === undefined ? w : f.f32.mul(w, f.f32.load(draw, DRAW.offset[guard]));
      const coordinate = f.f32.load(vertex, at + lane * 4);
      f.return(sign === 1 ? f.f32.add(limit, coordinate) : f.f32.sub(limit, coordinate));
    });
  });
  for (const i of DISTANCES) {
    if (key.extras === undefined || ((key.extras.clipMask >>> i) & 1) === 0) continue;
    const slot = key.extras.distanceSlot + (i >> 2);
    f.if(f.i32.eq(plane, DISTANCE_PLANE + i), () => {
      const d = f.let(f.f32.load(vertex, vertexVarying(slot) + (i & 3) * 4));
      // Not a number counts as outside.
      f.return(f.select(f.f32.gt(d, -FARTHEST), f.select(f.f32.lt(d, FARTHEST), d, FARTHEST), f.f32.const(-FARTHEST)));
    });
  }
  f.return(f.f32.sub(w, MIN_W));
  f.emitUnreachable();
  return f;
}

/** Adds `cut(draw, out, inner, outer, dInner, dOuter)`: writes the vertex where the edge meets the plane to `out`. */
function addCut(module: ModuleBuilder, key: SetupKey): FunctionBuilder {
  const f = module.function('cut', ['i32', 'i32', 'i32', 'i32', 'f32', 'f32'], []);
  const [draw, out, inner, outer] = [f.param('i32', 0), f.param('i32', 1), f.param('i32', 2), f.param('i32', 3)];
  const [dInner, dOuter] = [f.param('f32', 4), f.param('f32', 5)];
  const t = f.let(f.f32x4.splat(f.f32.div(dInner, f.f32.sub(dInner, dOuter))));
  const mix = (offset: number, share: Local<'v128'>): void =>
    f.scope(() => {
      const a = f.let(f.v128.load(inner, offset));
      const difference = f.f32x4.sub(f.v128.load(outer, offset), a);
      f.v128.store(out, f.f32x4.add(a, f.f32x4.mul(share, difference)), offset);
    });
  mix(VERTEX.offset.position, t);
  const noperspective = key.extras?.noperspectiveMask ?? 0;
  const linear = noperspective === 0 ? t : f.let(windowShare(f, t, outer, out));
  for (let slot = 0; slot < key.slots; slot++) {
    if (((key.flatMask >>> slot) & 1) === 0) mix(vertexVarying(slot), (noperspective >>> slot) & 1 ? linear : t);
  }
  emitTransform(f, out, loadTransformConstants(f, draw), key);
  return f;
}

/** Where the new vertex is between the two in the window: the share t weighed by w (OpenGL 4.6 §13.7.1). */
function windowShare(f: FunctionBuilder, t: Local<'v128'>, outer: Local<'i32'>, out: Local<'i32'>): Expr<'v128'> {
  const w = VERTEX.offset.position + 12;
  return f.f32x4.mul(t, f.f32x4.splat(f.f32.div(f.f32.load(outer, w), f.f32.load(out, w))));
}

/**
 * Cuts the edge between a vertex inside and one outside. Clip distances and their negatives must cut it at the same place
 * (EXT_clip_cull_distance: the two halves of a primitive meet without gap or overlap): from the end that is farther from the plane.
 */
function emitCut(
  f: FunctionBuilder,
  cut: FunctionBuilder,
  plane: Expr<'i32'> | number,
  [draw, out, inner, outer]: readonly [Local<'i32'>, Local<'i32'>, Local<'i32'>, Local<'i32'>],
  dInner: Local<'f32'>,
  dOuter: Local<'f32'>,
): void {
  const isDistance =
    typeof plane === 'number' ? f.i32.const(Number(plane >= DISTANCE_PLANE)) : f.i32.ge_s(plane, DISTANCE_PLANE);
  f.if(
    f.i32.and(isDistance, f.f32.gt(f.f32.neg(dOuter), dInner)),
    () => f.callVoid(cut, draw, out, outer, inner, dOuter, dInner),
    () => f.callVoid(cut, draw, out, inner, outer, dInner, dOuter),
  );
}

/** Adds `clipPlane(draw, scratch, plane)`: one step of Sutherland and Hodgman's algorithm on the polygon in the scratch. */
function addClipPlane(
  module: ModuleBuilder,
  key: SetupKey,
  distance: FunctionBuilder,
  cut: FunctionBuilder,
): FunctionBuilder {
  const f = module.function('clipPlane', ['i32', 'i32', 'i32'], []);
  const [draw, scratch, plane] = [f.param('i32', 0), f.param('i32', 1), f.param('i32', 2)];
  const from = loadI32(f, scratch, HEADER.from);
  const to = loadI32(f, scratch, HEADER.to);
  const next = loadI32(f, scratch, HEADER.next);
  const count = loadI32(f, scratch, HEADER.count);
  // A convex polygon has two crossings a plane. Rounding may break convexity, never the bounds of the scratch: such a
  // polygon is dropped before it can outgrow them.
  const used = f.i32.sub(next, scratch);
  const isTooLarge = f.i32.or(
    f.i32.gt_u(count, MAX_CORNERS),
    f.i32.gt_u(used, CLIP_SCRATCH_HEADER + (CLIP_SCRATCH_VERTICES - MAX_CORNERS) * vertexStride(key.slots)),
  );
  f.if(f.i32.or(f.i32.eqz(count), isTooLarge), () => {
    f.i32.store(scratch, 0, HEADER.count);
    f.return();
  });
  const out = f.let(to);
  const push = (v: Expr<'i32'>): void => {
    f.i32.store(out, v);
    f.set(out, f.i32.add(out, 4));
  };
  const previous = f.let(f.i32.load(f.i32.add(from, f.i32.shl(f.i32.sub(count, 1), 2))));
  const dPrevious = f.let(f.call<'f32'>(distance, draw, previous, plane));
  const i = f.local('i32');
  f.for(i, 0, count, 1, () => {
    const vertex = f.let(f.i32.load(f.i32.add(from, f.i32.shl(i, 2))));
    const d = f.let(f.call<'f32'>(distance, draw, vertex, plane));
    const crosses = f.i32.ne(f.f32.ge(d, 0), f.f32.ge(dPrevious, 0));
    f.if(crosses, () => {
      f.if(
        f.f32.ge(d, 0),
        () => emitCut(f, cut, plane, [draw, next, vertex, previous], d, dPrevious),
        () => emitCut(f, cut, plane, [draw, next, previous, vertex], dPrevious, d),
      );
      push(next);
      f.set(next, f.i32.add(next, vertexStride(key.slots)));
    });
    f.if(f.f32.ge(d, 0), () => push(vertex));
    f.set(previous, vertex);
    f.set(dPrevious, d);
  });
  f.i32.store(scratch, f.i32.shr_u(f.i32.sub(out, to), 2), HEADER.count);
  f.i32.store(scratch, to, HEADER.from);
  f.i32.store(scratch, from, HEADER.to);
  f.i32.store(scratch, next, HEADER.next);
  return f;
}

/** The clip distances that are on, as planes. */
function distancePlanes({ extras }: SetupKey): { plane: number; bit: number }[] {
  const mask = extras?.clipMask ?? 0;
  return DISTANCES.filter((i) => (mask >>> i) & 1).map((i) => ({
    plane: DISTANCE_PLANE + i,
    bit: CLIP.DISTANCE0 << i,
  }));
}

type ClipFunctions = { distance: FunctionBuilder; cut: FunctionBuilder };

function addClipFunctions(module: ModuleBuilder, key: SetupKey): ClipFunctions {
  return { distance: addDistance(module, key), cut: addCut(module, key) };
}

/** A clipped polygon: where the addresses of its corners stand. */
export type ClippedPolygon = Record<'draw' | 'batch' | 'job' | 'provoking' | 'count' | 'from', Local<'i32'>>;

/**
 * Adds `clipTriangle(draw, batch, job, v0, v1, v2, provoking, codes)`: clips; what is left is set up by `emitPolygon`, which returns
 * from the function (1 if memory ran out).
 */
export function addClipTriangle(
  module: ModuleBuilder,
  key: SetupKey,
  emitPolygon: (f: FunctionBuilder, polygon: ClippedPolygon) => void,
): FunctionBuilder {
  const { distance, cut } = addClipFunctions(module, key);
  const clipPlane = addClipPlane(module, key, distance, cut);
  const f = module.function('clipTriangle', ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'], ['i32']);
  const p = (i: number): Local<'i32'> => f.param('i32', i);
  const [draw, batch, job, provoking, codes] = [p(0), p(1), p(2), p(6), p(7)] as const;
  f.if(f.i32.and(codes, CLIP.NOT_FINITE), () => f.return(0));
  const scratch = loadI32(f, batch, BATCH.offset.clipScratch);
  f.i32.store(scratch, 3, HEADER.count);
  f.i32.store(scratch, f.i32.add(scratch, HEADER.lists), HEADER.from);
  f.i32.store(scratch, f.i32.add(scratch, HEADER.lists + HEADER.listBytes), HEADER.to);
  f.i32.store(scratch, f.i32.add(scratch, CLIP_SCRATCH_HEADER), HEADER.next);
  for (let i = 0; i < 3; i++) f.i32.store(scratch, p(3 + i), HEADER.lists + i * 4);
  f.if(f.i32.and(codes, CLIP.W), () => f.callVoid(clipPlane, draw, scratch, W_PLANE));
  PLANES.forEach(({ bit }, i) => {
    f.if(f.i32.and(codes, bit), () => f.callVoid(clipPlane, draw, scratch, i));
  });
  for (const { plane, bit } of distancePlanes(key))
    f.if(f.i32.and(codes, bit), () => f.callVoid(clipPlane, draw, scratch, plane));
  const count = loadI32(f, scratch, HEADER.count);
  const from = loadI32(f, scratch, HEADER.from);
  emitPolygon(f, { draw, batch, job, provoking, count, from });
  f.emitUnreachable();
  return f;
}

/** Sets a polygon up as a fan of triangles. */
export function emitFan(f: FunctionBuilder, triangle: FunctionBuilder, polygon: ClippedPolygon): void {
  const { draw, batch, job, provoking, count, from } = polygon;
  // The fan turns around the vertex of largest w: values are interpolated from there, so that they stay exact where the
  // triangle is seen even if its other corners are at the edge of the guard band with a tiny w.
  const first = f.local('i32', 0);
  const pivot = f.local('i32', 0);
  const largest = f.local('f32', 0);
  const i = f.local('i32');
  const corner = (index: Expr<'i32'>): Expr<'i32'> => f.i32.load(f.i32.add(from, f.i32.shl(index, 2)));
  f.for(i, 0, count, 1, () => {
    const vertex = f.let(corner(i));
    const w = loadF32(f, vertex, VERTEX.offset.position + 12);
    f.if(f.f32.gt(w, largest), () => {
      f.set(largest, w);
      f.set(pivot, i);
      f.set(first, vertex);
    });
  });
  const fan = loadI32(f, batch, BATCH.offset.fan);
  f.while(f.i32.lt_s(fan, f.i32.sub(count, 2)), () => {
    const around = (steps: number): Expr<'i32'> => corner(f.i32.rem_u(f.i32.add(f.i32.add(pivot, fan), steps), count));
    const [second, third] = [around(1), around(2)];
    f.if(f.call<'i32'>(triangle, draw, job, first, second, third, provoking), () => {
      f.i32.store(batch, fan, BATCH.offset.fan);
      f.return(1);
    });
    f.set(fan, f.i32.add(fan, 1));
  });
  f.i32.store(batch, 0, BATCH.offset.fan);
  f.return(0);
}

/**
 * Adds `clipLine(draw, batch, job, v0, v1, provoking, codes)`: clips and sets up what is left with
 * `line(draw, job, v0, v1, provoking)`. Clips at the sides of the view volume too if `codes` has those bits.
 * `keepsPolygon`: the line belongs to the polygon in the scratch memory.
 */
export function addClipLine(
  module: ModuleBuilder,
  key: SetupKey,
  line: FunctionBuilder,
  keepsPolygon = false,
): FunctionBuilder {
  const { distance, cut } = addClipFunctions(module, key);
  const f = module.function('clipLine', ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'], ['i32']);
  const p = (i: number): Local<'i32'> => f.param('i32', i);
  const [draw, batch, job, v0, v1, provoking, codes] = [p(0), p(1), p(2), p(3), p(4), p(5), p(6)] as const;
  f.if(f.i32.and(codes, CLIP.NOT_FINITE), () => f.return(0));
  const scratch = loadI32(f, batch, BATCH.offset.clipScratch);
  const next = f.let(keepsPolygon ? f.i32.load(scratch, HEADER.next) : f.i32.add(scratch, CLIP_SCRATCH_HEADER));
  const clipAt = (plane: number, bit: number): void =>
    f.if(f.i32.and(codes, bit), () => {
      const d0 = f.let(f.call<'f32'>(distance, draw, v0, plane));
      const d1 = f.let(f.call<'f32'>(distance, draw, v1, plane));
      const [in0, in1] = [f.f32.ge(d0, 0), f.f32.ge(d1, 0)];
      f.if(f.i32.eqz(f.i32.or(in0, in1)), () => f.return(0));
      f.if(f.i32.ne(in0, in1), () => {
        f.if(
          in0,
          () => {
            emitCut(f, cut, plane, [draw, next, v0, v1], d0, d1);
            f.set(v1, next);
          },
          () => {
            emitCut(f, cut, plane, [draw, next, v1, v0], d1, d0);
            f.set(v0, next);
          },
        );
        f.set(next, f.i32.add(next, vertexStride(key.slots)));
      });
    });
  clipAt(W_PLANE, CLIP.W);
  ALL_PLANES.forEach(({ bit }, i) => {
    clipAt(i, bit);
  });
  for (const { plane, bit } of distancePlanes(key)) clipAt(plane, bit);
  f.return(f.call<'i32'>(line, draw, job, v0, v1, provoking));
  f.emitUnreachable();
  return f;
}
