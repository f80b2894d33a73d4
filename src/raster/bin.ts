// Sorts set-up primitives into the tiles they can touch: each tile has a list of chunks, each chunk belongs to one draw.
// Works on nothing but the job's header and its arena, so that several jobs can be filled at once.
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import { loadI32 } from './kernel.ts';
import {
  BIN,
  BIN_BYTES_PER_TILE,
  BIN_CHUNK,
  BIN_FLAG,
  FIRST_CHUNK_ENTRIES,
  JOB,
  NEXT_CHUNK_ENTRIES,
  PRIMITIVE,
  RECORDS_BYTES,
  SAMPLE_POSITIONS,
  SUBPIXEL_SCALE,
  TILE_SIZE,
} from './layout.ts';

export const TILE_SHIFT = Math.log2(TILE_SIZE);

/** Address of a tile's BIN. */
export function emitBinAddress(f: FunctionBuilder, job: Local<'i32'>, x: Expr<'i32'>, y: Expr<'i32'>): Expr<'i32'> {
  const tile = f.i32.add(f.i32.mul(y, f.i32.load(job, JOB.offset.tilesX)), x);
  return f.i32.add(f.i32.load(job, JOB.offset.bins), f.i32.mul(tile, BIN.size));
}

/** Takes a primitive record from a tile's memory, and makes sure that binning it cannot run out; else returns 1. */
export function emitTileRecord(f: FunctionBuilder, job: Local<'i32'>, bin: Local<'i32'>, stride: number): Expr<'i32'> {
  const bytes = Math.max(RECORDS_BYTES, stride);
  const { records, recordsEnd } = BIN.offset;
  const next = loadI32(f, job, JOB.offset.next);
  const free = f.i32.sub(f.i32.load(job, JOB.offset.end), next);
  f.if(f.i32.lt_u(free, bytes + BIN_BYTES_PER_TILE), () => f.return(1));
  const record = loadI32(f, bin, records);
  f.if(f.i32.lt_u(f.i32.sub(f.i32.load(bin, recordsEnd), record), stride), () => {
    f.set(record, next);
    f.set(next, f.i32.add(next, bytes));
    f.i32.store(job, next, JOB.offset.next);
    f.i32.store(bin, next, recordsEnd);
  });
  f.i32.store(bin, f.i32.add(record, stride), records);
  return record;
}

/** Adds `append(job, identity, bin, entry)`: one entry at the end of a tile's list. */
export function addAppend(module: ModuleBuilder): FunctionBuilder {
  const f = module.function('append', ['i32', 'i32', 'i32', 'i32'], []);
  const [job, draw, bin, entry] = [f.param('i32', 0), f.param('i32', 1), f.param('i32', 2), f.param('i32', 3)];
  const chunk = loadI32(f, bin, BIN.offset.last);
  const c = BIN_CHUNK.offset;
  const count = f.local('i32', 0);
  const capacity = f.local('i32', FIRST_CHUNK_ENTRIES);
  f.block((ready) => {
    f.if(chunk, () => {
      f.if(f.i32.eq(f.i32.load(chunk, c.draw), draw), () => {
        f.set(count, f.i32.load(chunk, c.count));
        f.brIf(ready, f.i32.lt_u(count, f.i32.load(chunk, c.capacity)));
        f.set(capacity, NEXT_CHUNK_ENTRIES);
      });
    });
    const fresh = loadI32(f, job, JOB.offset.next);
    const bytes = f.i32.add(BIN_CHUNK.size, f.i32.shl(capacity, 2));
    f.i32.store(job, f.i32.add(fresh, bytes), JOB.offset.next);
    f.i32.store(fresh, 0, c.next);
    f.i32.store(fresh, draw, c.draw);
    f.i32.store(fresh, capacity, c.capacity);
    f.set(count, 0);
    f.if(
      chunk,
      () => f.i32.store(chunk, fresh, c.next),
      () => f.i32.store(bin, fresh, BIN.offset.first),
    );
    f.i32.store(bin, fresh, BIN.offset.last);
    f.set(chunk, fresh);
  });
  f.i32.store(f.i32.add(chunk, f.i32.shl(count, 2)), entry, BIN_CHUNK.size);
  f.i32.store(chunk, f.i32.add(count, 1), c.count);
  return f;
}

/** Where the first and last samples of a tile lie, as parts of its edge; multiples of 2^-14. */
const SAMPLE_MARGIN = Math.min(...SAMPLE_POSITIONS[4].flat().map((at) => Math.min(at, SUBPIXEL_SCALE - at)));
const FIRST_SAMPLE = SAMPLE_MARGIN / (TILE_SIZE * SUBPIXEL_SCALE);
const LAST_SAMPLE = 1 - FIRST_SAMPLE;

/**
 * Adds `bin(job, identity, record, tileX0, tileY0, tileX1, tileY1)`: appends the primitive to the tiles of the range
 * (inclusive) that its edges do not exclude, with BIN_FLAG.FULL where they exclude no pixel.
 */
export function addBin(module: ModuleBuilder, append: FunctionBuilder): FunctionBuilder {
  const f = module.function('bin', ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'], []);
  const p = (i: number): Local<'i32'> => f.param('i32', i);
  const [job, draw, record, tileX0, tileY0, tileX1, tileY1] = [p(0), p(1), p(2), p(3), p(4), p(5), p(6)] as const;
  const isSingle = f.i32.and(f.i32.eq(tileX0, tileX1), f.i32.eq(tileY0, tileY1));
  f.if(isSingle, () => {
    f.callVoid(append, job, draw, emitBinAddress(f, job, tileX0, tileY0), record);
    f.return();
  });
  const at = PRIMITIVE.offset;
  const minX = loadI32(f, record, at.minX);
  const minY = loadI32(f, record, at.minY);
  const maxX = loadI32(f, record, at.maxX);
  const maxY = loadI32(f, record, at.maxY);
  // Edge values in f64: exact, since all stay below 2^53. `high` and `low` are what an edge gains at most and loses at most from the
  // tile's corner to its samples, taken as a closed square: both tests err on the safe side. An edge that only touches the tile's
  // corner decides for all of it, so that the two halves of a rectangle share no more tiles than they must.
  const extent = TILE_SIZE * SUBPIXEL_SCALE;
  const edges = ([0, 1, 2] as const).map((i) => {
    const stepX = f.let(f.f64.mul(f.f64.convert_i32_s(f.i32.load(record, at[`a${i}`])), extent));
    const stepY = f.let(f.f64.mul(f.f64.convert_i32_s(f.i32.load(record, at[`b${i}`])), extent));
    const row = f.let(
      f.f64.add(
        f.f64.convert_i64_s(f.i64.load(record, at[`c${i}`])),
        f.f64.add(f.f64.mul(stepX, f.f64.convert_i32_s(tileX0)), f.f64.mul(stepY, f.f64.convert_i32_s(tileY0))),
      ),
    );
    const most = (step: Local<'f64'>): Expr<'f64'> =>
      f.f64.max(f.f64.mul(step, FIRST_SAMPLE), f.f64.mul(step, LAST_SAMPLE));
    const least = (step: Local<'f64'>): Expr<'f64'> =>
      f.f64.min(f.f64.mul(step, FIRST_SAMPLE), f.f64.mul(step, LAST_SAMPLE));
    const high = f.let(f.f64.add(most(stepX), most(stepY)));
    const low = f.let(f.f64.add(least(stepX), least(stepY)));
    return { stepX, stepY, row, high, low, value: f.local('f64') };
  });
  const tileX = f.local('i32');
  const tileY = f.local('i32');
  f.for(tileY, tileY0, f.i32.add(tileY1, 1), 1, () => {
    for (const edge of edges) f.set(edge.value, edge.row);
    const y = f.let(f.i32.shl(tileY, TILE_SHIFT));
    const fullY = f.let(f.i32.and(f.i32.le_s(minY, y), f.i32.ge_s(maxY, f.i32.add(y, TILE_SIZE))));
    f.for(tileX, tileX0, f.i32.add(tileX1, 1), 1, ({ continue: next }) => {
      const inside = ({ value, high }: (typeof edges)[0]) => f.f64.ge(f.f64.add(value, high), 0);
      const covers = ({ value, low }: (typeof edges)[0]) => f.f64.ge(f.f64.add(value, low), 0);
      const all = (test: typeof inside) => f.i32.and(test(edges[0]!), f.i32.and(test(edges[1]!), test(edges[2]!)));
      const isIn = f.let(all(inside));
      const x = f.let(f.i32.shl(tileX, TILE_SHIFT));
      const fullX = f.i32.and(f.i32.le_s(minX, x), f.i32.ge_s(maxX, f.i32.add(x, TILE_SIZE)));
      const full = f.let(f.i32.and(f.i32.and(fullX, fullY), all(covers)));
      for (const edge of edges) f.set(edge.value, f.f64.add(edge.value, edge.stepX));
      f.brIf(next, f.i32.eqz(isIn));
      const flags = f.select(full, f.i32.const(BIN_FLAG.FULL), 0);
      f.callVoid(append, job, draw, emitBinAddress(f, job, tileX, tileY), f.i32.or(record, flags));
    });
    for (const edge of edges) f.set(edge.row, f.f64.add(edge.row, edge.stepY));
  });
  return f;
}
