// Parts that the setup kernels of triangles, lines and points share: the pixel box, arena memory, edges, polygon planes.
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import { addAppend, addBin, TILE_SHIFT } from './bin.ts';
import {
  BIN_BYTES_PER_TILE,
  DRAW,
  JOB,
  PRIMITIVE,
  primitiveStride,
  primitiveVarying,
  SUBPIXEL_BITS,
  vertexVarying,
} from './layout.ts';

/** What setup code is specialised for, apart from the topology. */
/** What few draws have, kept apart so that the others need not name it. */
export type GeometryExtras = {
  /** Bit per slot: linear in the window, which clipping must know. */
  readonly noperspectiveMask: number;
  /** First of the varying slots that hold clip and cull distances, eight at most, one after another. */
  readonly distanceSlot: number;
  /** Bit i: the primitive is clipped where distance i is negative; is dropped if it is so at all vertices. */
  readonly clipMask: number;
  readonly cullMask: number;
  /** Triangles are drawn as the lines around them. */
  readonly outline: boolean;
};

export function extrasText(extras: GeometryExtras | undefined): string {
  if (extras === undefined) return '';
  const { noperspectiveMask, distanceSlot, clipMask, cullMask, outline } = extras;
  return `/${noperspectiveMask}/${distanceSlot}/${clipMask}/${cullMask}${outline ? '/o' : ''}`;
}

export type SetupKey = {
  /** Number of varying slots in vertex and primitive records. */
  readonly slots: number;
  /** Bit per slot: not interpolated. */
  readonly flatMask: number;
  readonly provokingFirst: boolean;
  readonly depthClamp: boolean;
  readonly extras?: GeometryExtras | undefined;
  /** The near plane of the view volume is z = 0, not z = −w. */
  readonly clipHalfZ: boolean;
};

export type SetupFunctions = {
  /** append(job, identity, bin, entry) */
  readonly append: FunctionBuilder;
  /** bin(job, identity, record, tileX0, tileY0, tileX1, tileY1) */
  readonly bin: FunctionBuilder;
};

export function addSetupFunctions(module: ModuleBuilder): SetupFunctions {
  const append = addAppend(module);
  return { append, bin: addBin(module, append) };
}

export type I32 = Local<'i32'>;
export type Box = { minX: I32; minY: I32; maxX: I32; maxY: I32 };

/**
 * Turns a box in subpixels (closed) into pixels [min, max) that can have a sample inside, cut by the draw's rectangle that
 * starts at DRAW field `rectangle`. Returns from the function with 0 if nothing is left.
 */
export function emitPixelBox(f: FunctionBuilder, draw: I32, box: Box, rectangle: 'clipMinX' | 'scissorMinX'): void {
  const isMulti = f.let(f.i32.ne(f.i32.load(draw, DRAW.offset.samples), 1));
  // Outermost samples: 32 and 224 of 256; the centre: 128. A pixel counts if its last sample is >= min, its first <= max.
  const low = f.let(f.select(isMulti, f.i32.const(255 - 224), 255 - 128));
  const high = f.let(f.select(isMulti, f.i32.const(256 - 32), 256 - 128));
  f.set(box.minX, f.i32.shr_s(f.i32.add(box.minX, low), SUBPIXEL_BITS));
  f.set(box.minY, f.i32.shr_s(f.i32.add(box.minY, low), SUBPIXEL_BITS));
  f.set(box.maxX, f.i32.shr_s(f.i32.add(box.maxX, high), SUBPIXEL_BITS));
  f.set(box.maxY, f.i32.shr_s(f.i32.add(box.maxY, high), SUBPIXEL_BITS));
  emitCutBox(f, draw, box, rectangle);
}

/** Cuts a pixel box by a rectangle of the draw; returns from the function with 0 if nothing is left. */
export function emitCutBox(f: FunctionBuilder, draw: I32, box: Box, rectangle: 'clipMinX' | 'scissorMinX'): void {
  const base = DRAW.offset[rectangle];
  const cut = (value: I32, offset: number, keepLarger: boolean): void => {
    const limit = f.let(f.i32.load(draw, base + offset));
    const isKept = keepLarger ? f.i32.gt_s(value, limit) : f.i32.lt_s(value, limit);
    f.set(value, f.select(isKept, value, limit));
  };
  cut(box.minX, 0, true);
  cut(box.minY, 4, true);
  cut(box.maxX, 8, false);
  cut(box.maxY, 12, false);
  const isEmpty = f.i32.or(f.i32.ge_s(box.minX, box.maxX), f.i32.ge_s(box.minY, box.maxY));
  f.if(isEmpty, () => f.return(0));
}

export type Placement = { record: I32; tileX0: I32; tileY0: I32; tileX1: I32; tileY1: I32 };

/** Takes `records` primitive records from the arena and makes sure that binning them cannot run out; else returns 1. */
export function emitReserve(f: FunctionBuilder, job: I32, box: Box, slots: number, records = 1): Placement {
  const stride = primitiveStride(slots) * records;
  const tileX0 = f.let(f.i32.shr_s(box.minX, TILE_SHIFT));
  const tileY0 = f.let(f.i32.shr_s(box.minY, TILE_SHIFT));
  const tileX1 = f.let(f.i32.shr_s(f.i32.sub(box.maxX, 1), TILE_SHIFT));
  const tileY1 = f.let(f.i32.shr_s(f.i32.sub(box.maxY, 1), TILE_SHIFT));
  const columns = f.i32.add(f.i32.sub(tileX1, tileX0), 1);
  const rows = f.i32.add(f.i32.sub(tileY1, tileY0), 1);
  const record = f.let(f.i32.load(job, JOB.offset.next));
  const free = f.i32.sub(f.i32.load(job, JOB.offset.end), record);
  const needed = f.i32.add(f.i32.mul(f.i32.mul(columns, rows), BIN_BYTES_PER_TILE * records), stride);
  f.if(f.i32.lt_u(free, needed), () => f.return(1));
  f.i32.store(job, f.i32.add(record, stride), JOB.offset.next);
  f.i32.store(job, f.i32.add(f.i32.load(job, JOB.offset.primitives), 1), JOB.offset.primitives);
  return { record, tileX0, tileY0, tileX1, tileY1 };
}

/** Writes edge i from (xa, ya) with gradient (a, b): e >= 0 inside, the fill rule folded into c. */
export function emitEdge(f: FunctionBuilder, record: I32, i: 0 | 1 | 2, a: I32, b: I32, xa: I32, ya: I32): void {
  const at = PRIMITIVE.offset;
  f.i32.store(record, a, at[`a${i}`]);
  f.i32.store(record, b, at[`b${i}`]);
  // A sample on an edge belongs to the primitive whose left edge (a > 0) or top edge (a = 0, b < 0) this is. Coordinates
  // are integers, so the others ask for e >= 1.
  const excluded = f.i32.le_s(f.select(a, a, f.i32.sub(0, b)), 0);
  const wide = (x: Expr<'i32'>): Expr<'i64'> => f.i64.extend_i32_s(x);
  const product = f.i64.add(f.i64.mul(wide(a), wide(xa)), f.i64.mul(wide(b), wide(ya)));
  f.i64.store(record, f.i64.sub(f.i64.sub(0, product), f.i64.extend_i32_u(excluded)), at[`c${i}`]);
}

/** Edges that every pixel is inside of: coverage is decided by the box alone. */
export function emitOpenEdge(f: FunctionBuilder, record: I32, i: 0 | 1 | 2): void {
  const at = PRIMITIVE.offset;
  f.i32.store(record, 0, at[`a${i}`]);
  f.i32.store(record, 0, at[`b${i}`]);
  f.i64.store(record, 0, at[`c${i}`]);
}

export function emitBox(f: FunctionBuilder, record: I32, box: Box): void {
  const at = PRIMITIVE.offset;
  f.i32.store(record, box.minX, at.minX);
  f.i32.store(record, box.minY, at.minY);
  f.i32.store(record, box.maxX, at.maxX);
  f.i32.store(record, box.maxY, at.maxY);
}

export function emitBinning(f: FunctionBuilder, functions: SetupFunctions, job: I32, draw: I32, p: Placement): void {
  const index = f.i32.load(draw, DRAW.offset.identity);
  f.callVoid(functions.bin, job, index, p.record, p.tileX0, p.tileY0, p.tileX1, p.tileY1);
}

/** Writes the varying slots: v0 and the differences to it; vertices that are not given have difference zero. */
export function emitVaryings(
  f: FunctionBuilder,
  key: SetupKey,
  record: I32,
  provoking: I32,
  v0: I32,
  v1?: I32,
  v2?: I32,
): void {
  for (let slot = 0; slot < key.slots; slot++) {
    const from = vertexVarying(slot);
    const to = primitiveVarying(slot);
    if ((key.flatMask >>> slot) & 1) {
      f.v128.store(record, f.v128.load(provoking, from), to);
      continue;
    }
    f.scope(() => {
      const value = f.let(f.v128.load(v0, from));
      f.v128.store(record, value, to);
      const difference = (v: I32 | undefined): Expr<'v128'> =>
        v === undefined ? f.i32x4.const(0) : f.f32x4.sub(f.v128.load(v, from), value);
      f.v128.store(record, difference(v1), to + 16);
      f.v128.store(record, difference(v2), to + 32);
    });
  }
}
