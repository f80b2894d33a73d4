// Kernel `coverage`: which samples of a tile the binned primitives of one draw cover, less what early depth and stencil tests
// reject; appends the quads that are left to the tile's queue, as runs where whole quads follow each other.
// Edge values are i32: with |a|, |b| <= 2^23 an edge changes by less than 2^30 inside of a tile of 64 pixels, so a start value
// that is saturated to ±2^30 keeps every sign and no sum overflows.
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder, Label } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import { type BoxPrimitive, emitSmallBox, emitSmallTriangle } from './coverage-small.ts';
import {
  type DepthBounds,
  emitAccepts,
  emitNarrowed,
  emitPrimitiveBounds,
  emitRejects,
  emitWidened,
  loadDepthRange,
  storeDepthRange,
} from './depth-range.ts';
import {
  type DepthStencilKey,
  depthStencilText,
  emitDepthStencil,
  emitLaneMask,
  emitTestDepth,
  isDepthStencilIdle,
} from './depth-stencil.ts';
import { loadI32 } from './kernel.ts';
import {
  BIN_CHUNK,
  BIN_FLAG,
  DEPTH_PLANE_BYTES,
  DRAW,
  PRIMITIVE,
  QUADS_PER_ROW,
  QUEUE_ENTRY,
  SAMPLE_POSITIONS,
  STENCIL_PLANE_BYTES,
  SUBPIXEL_BITS,
  SUBPIXEL_SCALE,
  TILE,
  TILE_QUADS,
  TILE_SIZE,
} from './layout.ts';

export type CoverageKey = {
  readonly samples: 1 | 4;
  /** Tests made here, before shading; an empty object: none (or late, in the shader). */
  readonly early: DepthStencilKey;
  /** Add to TILE.samplesPassed. */
  readonly counts: boolean;
};

export function coverageKey(key: CoverageKey): string {
  return `coverage/${key.samples}/${key.counts ? 'n' : ''}/${depthStencilText(key.early)}`;
}

type I32 = Local<'i32'>;
const QUAD_ROW_SHIFT = Math.log2(QUADS_PER_ROW);
type Shared = {
  key: CoverageKey;
  tile: I32;
  draw: I32;
  /** Where the next queue entry goes. */
  out: I32;
  primitive: I32;
  originX: I32;
  originY: I32;
  frontFacing: I32;
  depth: I32;
  stencil: I32;
  passed: Local<'i32'>;
  /** Null if depth is not written or tested here. */
  range: DepthBounds | null;
  /** The quad that the last entry's run could grow by; -1: none. */
  next: I32;
};

/** What the depth of a primitive needs, loaded once a tile: the values of `emitPlaneDepth`, in parts. */
type DepthPlane = Record<'z0' | 'zx' | 'zy' | 'x0' | 'y0', Local<'v128'>>;
/** A row of quads: window x of the current quad's left pixels, and zy · (y − y0) of each sample. */
type QuadRow = { x: Local<'v128'>; alongY: Local<'v128'>[] };

/**
 * Exports `coverage(tile)`: works on the chunk at TILE.chunk from TILE.entry on and on those after it that are of the same
 * draw, until they end or the queue could overflow. Returns the number of queue entries; TILE.chunk, TILE.entry say where to
 * go on (chunk 0: the tile's list has ended; a chunk of another draw: that one comes next).
 */
export function buildCoverage(module: ModuleBuilder, key: CoverageKey): void {
  const f = module.function('coverage', ['i32'], ['i32'], { exported: true });
  const tile = f.param('i32', 0);
  const at = TILE.offset;
  const chunk = loadI32(f, tile, at.chunk);
  const entry = loadI32(f, tile, at.entry);
  const draw = loadI32(f, tile, at.draw);
  const queue = loadI32(f, tile, at.queue);
  const out = f.let(queue);
  const limit = f.let(
    f.i32.add(queue, f.i32.mul(f.i32.sub(f.i32.load(tile, at.queueCapacity), TILE_QUADS), QUEUE_ENTRY.size)),
  );
  const identity = loadI32(f, chunk, BIN_CHUNK.offset.draw);
  const shared: Shared = {
    key,
    tile,
    draw,
    out,
    primitive: f.local('i32'),
    originX: loadI32(f, tile, at.originX),
    originY: loadI32(f, tile, at.originY),
    frontFacing: f.local('i32', 1),
    depth: loadI32(f, tile, at.depth),
    stencil: loadI32(f, tile, at.stencil),
    passed: f.local('i32', 0),
    range: key.early.depth === undefined ? null : loadDepthRange(f, tile),
    next: f.local('i32', -1),
  };
  const sampleMask = f.let(sampleMaskBits(f, key, draw));
  f.loop(({ break: done, continue: next }) => {
    f.if(f.i32.ge_u(entry, f.i32.load(chunk, BIN_CHUNK.offset.count)), () => {
      f.set(chunk, f.i32.load(chunk, BIN_CHUNK.offset.next));
      f.set(entry, 0);
      f.brIf(done, f.i32.eqz(chunk));
      f.brIf(done, f.i32.ne(f.i32.load(chunk, BIN_CHUNK.offset.draw), identity));
      f.br(next);
    });
    f.brIf(done, f.i32.gt_u(out, limit));
    if (key.samples === 1) {
      // Primitives that write no sample; what follows takes the one sample as wanted.
      f.if(f.i32.eqz(sampleMask), () => {
        f.set(entry, f.i32.load(chunk, BIN_CHUNK.offset.count));
        f.br(next);
      });
    }
    const tagged = f.let(f.i32.load(f.i32.add(chunk, f.i32.shl(entry, 2)), BIN_CHUNK.size));
    f.set(entry, f.i32.add(entry, 1));
    f.set(shared.primitive, f.i32.and(tagged, ~15));
    if (key.early.stencil !== undefined) {
      f.set(shared.frontFacing, f.i32.load(shared.primitive, PRIMITIVE.offset.frontFacing));
    }
    const part = (emit: () => void): void => {
      if (shared.range !== null && key.early.depth!.write) emitWidened(f, key.early.depth!.func, shared.range);
      emit();
    };
    const partial = (): void =>
      f.if(
        f.i32.and(tagged, BIN_FLAG.FULL),
        () => emitFullTile(f, shared, sampleMask),
        () => part(() => emitPartialTile(f, shared, sampleMask)),
      );
    if (key.samples > 1) return partial();
    const box = (): void => part(() => emitBox(f, shared));
    const large = (): void => f.if(f.i32.and(tagged, BIN_FLAG.BOX), box, partial);
    f.if(f.i32.and(tagged, BIN_FLAG.SMALL), () => part(() => emitSmall(f, shared)), large);
  });
  f.i32.store(tile, chunk, at.chunk);
  f.i32.store(tile, entry, at.entry);
  if (shared.range !== null) storeDepthRange(f, tile, shared.range);
  if (key.counts) {
    f.i64.store(
      tile,
      f.i64.add(f.i64.load(tile, at.samplesPassed), f.i64.extend_i32_u(shared.passed)),
      at.samplesPassed,
    );
  }
  f.return(f.i32.div_u(f.i32.sub(out, queue), QUEUE_ENTRY.size));
  f.emitUnreachable();
}

/** Four mask bits a sample: all lanes of the samples that may be written. */
function sampleMaskBits(f: FunctionBuilder, key: CoverageKey, draw: I32): Expr<'i32'> {
  const mask = f.let(f.i32.load(draw, DRAW.offset.sampleMask));
  const bit = (s: number): Expr<'i32'> => f.i32.mul(f.i32.and(f.i32.shr_u(mask, s), 1), f.i32.const(15 << (4 * s)));
  if (key.samples === 1) return bit(0);
  return f.i32.or(f.i32.or(bit(0), bit(1)), f.i32.or(bit(2), bit(3)));
}

function emitFullTile(f: FunctionBuilder, shared: Shared, sampleMask: I32): void {
  const { key, range, draw, primitive, originX, originY } = shared;
  const { depth, stencil } = key.early;
  // No test can split a row.
  if (isDepthStencilIdle(key.early)) return f.if(sampleMask, () => emitAllRows(f, shared, sampleMask));
  if (depth === undefined || range === null || stencil !== undefined) {
    emitTestedRows(f, shared, sampleMask);
    if (range !== null && depth?.write) emitWidened(f, 'always', range);
    return;
  }
  const own = emitPrimitiveBounds(f, depth, draw, primitive, originX, originY);
  const isWhole = f.i32.eq(sampleMask, key.samples === 1 ? 15 : 0xffff);
  const isUsable = f.let(f.i32.and(f.i32.and(own.isKnown, f.i32.ne(range.isKnown, 0)), isWhole));
  f.block((done) => {
    f.if(isUsable, () => {
      f.brIf(done, emitRejects(f, depth.func, own, range));
      f.if(emitAccepts(f, depth.func, own, range), () => {
        if (depth.write) {
          emitDepthFill(f, shared, own);
          f.set(range.low, own.low);
          f.set(range.high, own.high);
        }
        emitAllRows(f, shared, sampleMask);
        f.br(done);
      });
    });
    emitTestedRows(f, shared, sampleMask);
    if (!depth.write) return;
    f.if(
      isUsable,
      () => emitNarrowed(f, depth.func, own, range),
      () => emitWidened(f, depth.func, range),
    );
  });
}

/** All quads of the tile, untested: one entry a row. */
function emitAllRows(f: FunctionBuilder, shared: Shared, sampleMask: I32): void {
  const quad = f.local('i32', 0);
  f.while(f.i32.lt_u(quad, TILE_QUADS), () => {
    emitRun(f, shared, quad, sampleMask, QUADS_PER_ROW);
    f.set(shared.out, f.i32.add(shared.out, QUEUE_ENTRY.size));
    f.set(quad, f.i32.add(quad, QUADS_PER_ROW));
  });
  if (shared.key.counts) {
    const samples = f.i32.mul(f.i32.popcnt(sampleMask), TILE_QUADS);
    f.set(shared.passed, f.i32.add(shared.passed, samples));
  }
}

/** Writes the primitive's depth to all samples of the tile. */
function emitDepthFill(f: FunctionBuilder, shared: Shared, own: DepthBounds): void {
  const { key, depth } = shared;
  const at = f.let(depth);
  const flat = (): void => {
    const value = f.let(f.i32x4.splat(own.low));
    const end = f.let(f.i32.add(depth, key.samples * DEPTH_PLANE_BYTES));
    f.while(f.i32.lt_u(at, end), () => {
      for (let offset = 0; offset < 128; offset += 16) f.v128.store(at, value, offset);
      f.set(at, f.i32.add(at, 128));
    });
  };
  const sloped = (): void => {
    const plane = loadDepthPlane(f, shared)!;
    const quad = f.local('i32', 0);
    f.while(f.i32.lt_u(quad, TILE_QUADS), () => {
      const row = startRow(f, shared, plane, f.i32.const(0), f.i32.shr_u(quad, QUAD_ROW_SHIFT))!;
      f.set(quad, f.i32.add(quad, QUADS_PER_ROW));
      const end = f.let(f.i32.add(depth, f.i32.shl(quad, 4)));
      f.while(f.i32.lt_u(at, end), () => {
        for (let s = 0; s < key.samples; s++) {
          f.scope(() => {
            const value = f.let(emitSampleDepth(f, shared, plane, row, s));
            f.v128.store(at, value, s * DEPTH_PLANE_BYTES);
          });
        }
        advanceRow(f, row);
        f.set(at, f.i32.add(at, 16));
      });
    });
  };
  f.if(f.i32.eq(own.low, own.high), flat, sloped);
}

function emitTestedRows(f: FunctionBuilder, shared: Shared, sampleMask: I32): void {
  const quad = f.local('i32', 0);
  const plane = loadDepthPlane(f, shared);
  f.while(f.i32.lt_u(quad, TILE_QUADS), () => {
    const row = startRow(f, shared, plane, f.i32.const(0), f.i32.shr_u(quad, QUAD_ROW_SHIFT));
    const end = f.let(f.i32.add(quad, QUADS_PER_ROW));
    f.set(shared.next, -1);
    f.loop(({ break: done }) => {
      const mask = f.let(sampleMask);
      emitQuad(f, shared, quad, mask, plane, row, true);
      advanceRow(f, row);
      f.set(quad, f.i32.add(quad, 1));
      f.brIf(done, f.i32.ge_u(quad, end));
    });
  });
}

/** Undefined if no early test asks for depth. */
function loadDepthPlane(f: FunctionBuilder, { key, primitive }: Shared): DepthPlane | undefined {
  if (key.early.depth === undefined || isDepthStencilIdle(key.early)) return undefined;
  const at = PRIMITIVE.offset;
  const splat = (field: keyof DepthPlane): Local<'v128'> => f.let(f.v128.load32_splat(primitive, at[field]));
  return { z0: splat('z0'), zx: splat('zx'), zy: splat('zy'), x0: splat('x0'), y0: splat('y0') };
}

function startRow(
  f: FunctionBuilder,
  { key, originX, originY }: Shared,
  plane: DepthPlane | undefined,
  quadX: Expr<'i32'>,
  quadY: Expr<'i32'>,
): QuadRow | undefined {
  if (plane === undefined) return undefined;
  const left = f.f32.convert_i32_s(f.i32.add(originX, f.i32.shl(quadX, 1)));
  const bottom = f.let(f.f32x4.splat(f.f32.convert_i32_s(f.i32.add(originY, f.i32.shl(quadY, 1)))));
  const alongY = SAMPLE_POSITIONS[key.samples].map(([, sy]) => {
    const fy = sy / SUBPIXEL_SCALE;
    const y = f.f32x4.add(bottom, f.f32x4.const(fy, fy, fy + 1, fy + 1));
    return f.let(f.f32x4.mul(plane.zy, f.f32x4.sub(y, plane.y0)));
  });
  return { x: f.let(f.f32x4.splat(left)), alongY };
}

function advanceRow(f: FunctionBuilder, row: QuadRow | undefined, quads = 1): void {
  if (row !== undefined) f.set(row.x, f.f32x4.add(row.x, 2 * quads));
}

function emitSmall(f: FunctionBuilder, shared: Shared): void {
  const { key, primitive, originX, originY } = shared;
  const { early } = key;
  const plane = loadDepthPlane(f, shared);
  let row: QuadRow | undefined;
  emitSmallTriangle(f, {
    primitive,
    originX,
    originY,
    startRow: (quadX, quadY) => {
      row = startRow(f, shared, plane, quadX, quadY);
    },
    takeQuad: (quad, outside) => {
      if (early.stencil !== undefined) {
        const mask = f.let(f.i32.xor(f.i32x4.bitmask(outside), 15));
        f.if(mask, () => emitQuad(f, shared, quad, mask, plane, row));
      } else {
        // As emitQuad; lanes stay a vector.
        const lanes = f.let(f.i32x4.gt_s(outside, f.i32x4.const(-1)));
        if (!isDepthStencilIdle(early)) emitLaneTest(f, shared, quad, lanes, 0, plane, row);
        emitEntry(f, shared, quad, f.let(f.i32x4.bitmask(lanes)));
      }
      advanceRow(f, row);
    },
  });
}

function emitBox(f: FunctionBuilder, shared: Shared): void {
  const { key, primitive, originX, originY } = shared;
  const plane = loadDepthPlane(f, shared);
  let row: QuadRow | undefined;
  const box: BoxPrimitive = {
    primitive,
    originX,
    originY,
    startRow: (quadX, quadY) => {
      row = startRow(f, shared, plane, quadX, quadY);
    },
    takeQuad: (quad, mask) => {
      emitQuad(f, shared, quad, mask, plane, row);
      advanceRow(f, row);
    },
  };
  emitSmallBox(f, box, key.early.stencil === undefined);
}

type Edge = {
  value: Local<'v128'>;
  row: Local<'v128'>;
  stepX: Local<'v128'>;
  stepY: Local<'v128'>;
  deltas: Local<'v128'>[];
};

function emitPartialTile(f: FunctionBuilder, shared: Shared, sampleMask: I32): void {
  const { key, primitive, originX, originY } = shared;
  const p = PRIMITIVE.offset;
  // The pixel box inside of the tile, then in quads.
  const low = (field: 'minX' | 'minY', origin: I32): I32 => {
    const value = f.let(f.i32.sub(f.i32.load(primitive, p[field]), origin));
    return f.let(f.select(f.i32.gt_s(value, 0), value, 0));
  };
  const high = (field: 'maxX' | 'maxY', origin: I32): I32 => {
    const value = f.let(f.i32.sub(f.i32.load(primitive, p[field]), origin));
    return f.let(f.select(f.i32.lt_s(value, TILE_SIZE), value, TILE_SIZE));
  };
  const minX = low('minX', originX);
  const minY = low('minY', originY);
  const maxX = high('maxX', originX);
  const maxY = high('maxY', originY);
  const quadX0 = f.let(f.i32.shr_u(minX, 1));
  const quadX1 = f.let(f.i32.shr_u(f.i32.add(maxX, 1), 1));
  const quadY = f.let(f.i32.shr_u(minY, 1));
  const quadY1 = f.let(f.i32.shr_u(f.i32.add(maxY, 1), 1));
  const plane = loadDepthPlane(f, shared);
  const edges = ([0, 1, 2] as const).map((i) => emitEdgeStart(f, shared, i, quadX0, quadY));
  // Lanes of the first and last column that the box leaves out, and what all samples have in common.
  const firstColumn = f.let(f.select(f.i32.and(minX, 1), f.i32.const(0xaaaa), 0xffff));
  const lastColumn = f.let(f.select(f.i32.and(maxX, 1), f.i32.const(0x5555), 0xffff));
  const lastX = f.let(f.i32.sub(quadX1, 1));
  // Quads of which the box takes no column.
  const wholeX0 = f.let(f.i32.shr_u(f.i32.add(minX, 1), 1));
  const wholeX1 = f.let(f.i32.shr_u(maxX, 1));
  const quadX = f.local('i32');
  f.while(f.i32.lt_u(quadY, quadY1), () => {
    const y = f.let(f.i32.shl(quadY, 1));
    const rowMask = f.let(
      f.i32.and(
        sampleMask,
        f.i32.and(
          f.select(f.i32.lt_u(y, minY), f.i32.const(0xcccc), 0xffff),
          f.select(f.i32.ge_u(f.i32.add(y, 1), maxY), f.i32.const(0x3333), 0xffff),
        ),
      ),
    );
    const row = startRow(f, shared, plane, quadX0, quadY);
    const rowQuad = f.let(f.i32.mul(quadY, QUADS_PER_ROW));
    f.set(shared.next, -1);
    for (const edge of edges) f.set(edge.value, edge.row);
    const advance = (quads: number): void => {
      for (const edge of edges) f.set(edge.value, f.i32x4.add(edge.value, emitStep(f, edge, quads)));
      advanceRow(f, row, quads);
      f.set(quadX, f.i32.add(quadX, quads));
    };
    f.set(quadX, quadX0);
    const blockEnd = f.let(f.select(f.i32.eq(rowMask, 15), wholeX1, 0));
    f.while(f.i32.lt_u(quadX, quadX1), ({ continue: next }) => {
      if (key.samples === 1) {
        f.block((single) => {
          f.brIf(single, f.i32.gt_u(f.i32.add(quadX, BLOCK_QUADS), blockEnd));
          f.brIf(single, f.i32.lt_u(quadX, wholeX0));
          emitBlock(f, shared, edges, f.i32.add(rowQuad, quadX), single);
          advance(BLOCK_QUADS);
          f.br(next);
        });
      }
      const mask = f.let(f.i32.and(rowMask, emitInside(f, key, edges)));
      f.set(mask, f.i32.and(mask, f.select(f.i32.eq(quadX, quadX0), firstColumn, 0xffff)));
      f.set(mask, f.i32.and(mask, f.select(f.i32.eq(quadX, lastX), lastColumn, 0xffff)));
      f.if(mask, () => {
        const quad = f.let(f.i32.add(rowQuad, quadX));
        emitQuad(f, shared, quad, mask, plane, row, true);
      });
      advance(1);
    });
    for (const edge of edges) f.set(edge.row, f.i32x4.add(edge.row, edge.stepY));
    f.set(quadY, f.i32.add(quadY, 1));
  });
}

/** Quads in a row that are looked at together. */
const BLOCK_QUADS = 8;

/**
 * Takes BLOCK_QUADS quads at once where that can be told from the first and the last of them, as edges are straight: all covered,
 * and nothing tests them; or none, because one edge leaves both out. Else goes to `undecided`.
 */
function emitBlock(
  f: FunctionBuilder,
  shared: Shared,
  edges: readonly Edge[],
  first: Expr<'i32'>,
  undecided: Label,
): void {
  const lasts = edges.map((edge) => f.let(f.i32x4.add(edge.value, emitStep(f, edge, BLOCK_QUADS - 1))));
  const isOut = edges.map(({ value }, i) => f.i32.eq(f.i32x4.bitmask(f.v128.and(value, lasts[i]!)), 15));
  f.if(f.i32.eqz(isOut.reduce((any, one) => f.i32.or(any, one))), () => {
    if (!isDepthStencilIdle(shared.key.early)) return f.br(undecided);
    const ends: Expr<'v128'>[] = [...edges.map(({ value }) => value), ...lasts];
    f.brIf(undecided, f.i32x4.bitmask(ends.reduce((any, value) => f.v128.or(any, value))));
    emitGrowing(f, shared, f.let(first), f.let(f.i32.const(15)), BLOCK_QUADS);
  });
}

/** What an edge gains along so many quads. */
function emitStep(f: FunctionBuilder, edge: Edge, quads: number): Expr<'v128'> {
  const { stepX } = edge;
  if (quads === 1) return stepX;
  const block = f.i32x4.shl(stepX, Math.log2(BLOCK_QUADS));
  return quads === BLOCK_QUADS ? block : f.i32x4.sub(block, stepX);
}

/** Edge i at the quad (quadX, quadY) of the tile: exact where it can be near zero, of the right sign elsewhere. */
function emitEdgeStart(f: FunctionBuilder, shared: Shared, i: 0 | 1 | 2, quadX: I32, quadY: I32): Edge {
  const { key, primitive, originX, originY } = shared;
  const p = PRIMITIVE.offset;
  const a = loadI32(f, primitive, p[`a${i}`]);
  const b = loadI32(f, primitive, p[`b${i}`]);
  const wide = (x: Expr<'i32'>): Expr<'i64'> => f.i64.extend_i32_s(x);
  const corner = f.i64.add(
    f.i64.load(primitive, p[`c${i}`]),
    f.i64.shl(f.i64.add(f.i64.mul(wide(a), wide(originX)), f.i64.mul(wide(b), wide(originY))), SUBPIXEL_BITS),
  );
  const origin = f.let(corner);
  // e / 256 rounded down: the pixel steps are whole multiples of 256, so the sign of each sample stays exact.
  const sample = (x: number, y: number): Expr<'i64'> => {
    const inner = f.i64.add(f.i64.mul(wide(a), x), f.i64.mul(wide(b), y));
    return f.i64.shr_s(f.i64.add(origin, inner), SUBPIXEL_BITS);
  };
  const [first, ...others] = SAMPLE_POSITIONS[key.samples].map(([x, y]) => f.let(sample(x, y)));
  const start = first as Local<'i64'>;
  const deltas = others.map((other) => f.let(f.i32x4.splat(f.i32.wrap_i64(f.i64.sub(other, start)))));
  const bound = 2 ** 30;
  f.set(start, f.select(f.i64.lt_s(start, bound), start, bound));
  f.set(start, f.select(f.i64.gt_s(start, -bound), start, -bound));
  const columns = f.i32.mul(a, f.i32.shl(quadX, 1));
  const rows = f.i32.mul(b, f.i32.shl(quadY, 1));
  const value = f.i32.add(f.i32.wrap_i64(start), f.i32.add(columns, rows));
  const lanes = f.i32x4.add(
    f.v128.and(f.i32x4.splat(a), f.i32x4.const(0, -1, 0, -1)),
    f.v128.and(f.i32x4.splat(b), f.i32x4.const(0, 0, -1, -1)),
  );
  return {
    value: f.local('v128'),
    row: f.let(f.i32x4.add(f.i32x4.splat(value), lanes)),
    stepX: f.let(f.i32x4.splat(f.i32.shl(a, 1))),
    stepY: f.let(f.i32x4.splat(f.i32.shl(b, 1))),
    deltas,
  };
}

/** Mask bits of the samples that are inside of all edges. */
function emitInside(f: FunctionBuilder, key: CoverageKey, edges: readonly Edge[]): Expr<'i32'> {
  const [e0, e1, e2] = edges as [Edge, Edge, Edge];
  const outside = (value: (edge: Edge) => Expr<'v128'>): Expr<'i32'> =>
    f.i32x4.bitmask(f.v128.or(f.v128.or(value(e0), value(e1)), value(e2)));
  let bits = outside((edge) => edge.value);
  for (let s = 1; s < key.samples; s++) {
    const sample = outside((edge) => f.i32x4.add(edge.value, edge.deltas[s - 1] as Local<'v128'>));
    bits = f.i32.or(bits, f.i32.shl(sample, 4 * s));
  }
  return f.i32.xor(bits, key.samples === 1 ? 15 : 0xffff);
}

/** Early tests of a quad whose mask is not zero, and its queue entry. */
function emitQuad(
  f: FunctionBuilder,
  shared: Shared,
  quad: I32,
  mask: I32,
  plane: DepthPlane | undefined,
  row: QuadRow | undefined,
  canGrow = false,
): void {
  const { key } = shared;
  const { early } = key;
  if (!isDepthStencilIdle(early)) {
    if (key.samples === 1) f.set(mask, emitTest(f, shared, quad, mask, 0, plane, row));
    else {
      const result = f.local('i32', 0);
      for (let s = 0; s < key.samples; s++) {
        f.scope(() => {
          const lanes = f.let(f.i32.and(f.i32.shr_u(mask, 4 * s), 15));
          f.if(lanes, () => {
            const passed = emitTest(f, shared, quad, lanes, s, plane, row);
            f.set(result, f.i32.or(result, f.i32.shl(passed, 4 * s)));
          });
        });
      }
      f.set(mask, result);
    }
  }
  if (canGrow) emitGrowing(f, shared, quad, mask);
  else emitEntry(f, shared, quad, mask);
}

/** Counts the samples of a quad, or of several with the same mask, and appends it to the queue, if there are any. */
function emitEntry(f: FunctionBuilder, shared: Shared, quad: I32, mask: I32, quads = 1): void {
  const { key, out, passed } = shared;
  if (key.counts)
    f.set(passed, f.i32.add(passed, quads === 1 ? f.i32.popcnt(mask) : f.i32.mul(f.i32.popcnt(mask), quads)));
  emitRun(f, shared, quad, mask, quads);
  f.set(out, f.select(mask, f.i32.add(out, QUEUE_ENTRY.size), out));
}

/** The same, but a whole quad beside the last one makes that one's run longer. Of several all are whole. */
function emitGrowing(f: FunctionBuilder, shared: Shared, quad: I32, mask: I32, quads = 1): void {
  const { key, out, passed, next } = shared;
  const isWhole = f.let(f.i32.eq(mask, key.samples === 1 ? 15 : 0xffff));
  f.if(
    f.i32.and(isWhole, f.i32.eq(next, quad)),
    () => {
      if (key.counts) f.set(passed, f.i32.add(passed, 4 * key.samples * quads));
      const run = f.let(f.i32.sub(out, QUEUE_ENTRY.size - QUEUE_ENTRY.offset.run));
      f.i32.store(run, f.i32.add(f.i32.load(run), quads));
      f.set(next, f.i32.add(quad, quads));
    },
    () => {
      emitEntry(f, shared, quad, mask, quads);
      f.set(next, f.select(isWhole, f.i32.add(quad, quads), -1));
    },
  );
}

function emitRun(f: FunctionBuilder, { out, primitive }: Shared, quad: I32, mask: I32, quads: number): void {
  f.i32.store(out, primitive, QUEUE_ENTRY.offset.primitive);
  f.i32.store(out, quad, QUEUE_ENTRY.offset.quad);
  f.i32.store(out, mask, QUEUE_ENTRY.offset.mask);
  f.i32.store(out, quads, QUEUE_ENTRY.offset.run);
}

/** Depth and stencil tests of one sample; gives the lanes that passed as bits. */
function emitTest(
  f: FunctionBuilder,
  shared: Shared,
  quad: I32,
  lanes: I32,
  sample: number,
  plane: DepthPlane | undefined,
  row: QuadRow | undefined,
): Expr<'i32'> {
  const mask = f.let(emitLaneMask(f, lanes));
  emitLaneTest(f, shared, quad, mask, sample, plane, row);
  return f.i32x4.bitmask(mask);
}

/** The same with lanes as a vector: narrows `mask` to those that passed. */
function emitLaneTest(
  f: FunctionBuilder,
  shared: Shared,
  quad: I32,
  mask: Local<'v128'>,
  sample: number,
  plane: DepthPlane | undefined,
  row: QuadRow | undefined,
): void {
  const { early } = shared.key;
  const hasDepth = early.depth !== undefined && plane !== undefined && row !== undefined;
  const depth = hasDepth ? emitSampleDepth(f, shared, plane, row, sample) : f.i32x4.const(0);
  emitDepthStencil(f, {
    key: early,
    draw: shared.draw,
    frontFacing: shared.frontFacing,
    depthAddress: f.i32.add(shared.depth, f.i32.add(f.i32.shl(quad, 4), sample * DEPTH_PLANE_BYTES)),
    stencilAddress: f.i32.add(shared.stencil, f.i32.add(f.i32.shl(quad, 2), sample * STENCIL_PLANE_BYTES)),
    depth,
    mask,
  });
}

/** Depth of a sample of the row's current quad, as the planes hold it. */
function emitSampleDepth(
  f: FunctionBuilder,
  { key, draw }: Shared,
  plane: DepthPlane,
  row: QuadRow,
  sample: number,
): Expr<'v128'> {
  const fx = SAMPLE_POSITIONS[key.samples][sample]![0] / SUBPIXEL_SCALE;
  const x = f.f32x4.add(row.x, f.f32x4.const(fx, fx + 1, fx, fx + 1));
  const alongX = f.f32x4.mul(plane.zx, f.f32x4.sub(x, plane.x0));
  const z = f.f32x4.add(f.f32x4.add(plane.z0, alongX), row.alongY[sample] as Local<'v128'>);
  return emitTestDepth(f, draw, z, key.early.depth!);
}
