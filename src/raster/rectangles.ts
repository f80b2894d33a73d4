// Kernels on plain memory: fill and copy rectangles of any pixel size, for clears, uploads and read-backs.
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import type { I32 } from './primitive-record.ts';

/** Fill patterns repeat after 48 bytes: a multiple of every pixel size (1, 2, 3, 4, 6, 8, 12, 16) and of a vector. */
export const PATTERN_BYTES = 48;

/**
 * Adds `fill(address, rowStride, rowBytes, rows, pattern)`: each row repeats the pattern from its start; with `isMasked`
 * only bits set in the 48 bytes after the pattern change.
 */
function addFill(module: ModuleBuilder, name: string, isMasked: boolean): void {
  const f = module.function(name, ['i32', 'i32', 'i32', 'i32', 'i32'], [], { exported: true });
  const p = (i: number): I32 => f.param('i32', i);
  const [address, rowStride, rowBytes, rows, pattern] = [p(0), p(1), p(2), p(3), p(4)] as const;
  const vectors = [0, 16, 32].map((offset) => f.let(f.v128.load(pattern, offset)));
  const masks = isMasked ? [0, 16, 32].map((offset) => f.let(f.v128.load(pattern, PATTERN_BYTES + offset))) : [];
  const wholeBytes = f.let(f.i32.sub(rowBytes, f.i32.rem_u(rowBytes, PATTERN_BYTES)));
  const row = f.local('i32');
  f.for(row, 0, rows, 1, () => {
    const to = f.let(address);
    const end = f.let(f.i32.add(address, rowBytes));
    const wholeEnd = f.let(f.i32.add(address, wholeBytes));
    f.while(f.i32.ne(to, wholeEnd), () => {
      vectors.forEach((vector, i) => {
        const mask = masks[i];
        const value = mask === undefined ? vector : f.v128.bitselect(vector, f.v128.load(to, i * 16), mask);
        f.v128.store(to, value, i * 16);
      });
      f.set(to, f.i32.add(to, PATTERN_BYTES));
    });
    const from = f.let(pattern);
    f.while(f.i32.ne(to, end), () => {
      if (isMasked) {
        const mask = f.let(f.i32.load8_u(from, PATTERN_BYTES));
        const kept = f.i32.and(f.i32.load8_u(to), f.i32.xor(mask, 255));
        f.i32.store8(to, f.i32.or(kept, f.i32.and(f.i32.load8_u(from), mask)));
      } else f.i32.store8(to, f.i32.load8_u(from));
      f.set(to, f.i32.add(to, 1));
      f.set(from, f.i32.add(from, 1));
    });
    f.set(address, f.i32.add(address, rowStride));
  });
}

/**
 * Adds `copy(to, toStride, from, fromStride, rowBytes, rows)`. Strides may be negative (to flip rows: start at the last one).
 * Overlapping rectangles of equal strides are copied as if through a buffer.
 */
function addCopy(module: ModuleBuilder): void {
  const f = module.function('copy', ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'], [], { exported: true });
  const p = (i: number): I32 => f.param('i32', i);
  const [to, toStride, from, fromStride, rowBytes, rows] = [p(0), p(1), p(2), p(3), p(4), p(5)] as const;
  f.if(f.i32.and(f.i32.gt_u(to, from), f.i32.eq(toStride, fromStride)), () => {
    const last = f.let(f.i32.mul(f.i32.sub(rows, 1), toStride));
    f.set(to, f.i32.add(to, last));
    f.set(from, f.i32.add(from, last));
    f.set(toStride, f.i32.sub(0, toStride));
    f.set(fromStride, toStride);
  });
  const row = f.local('i32');
  f.for(row, 0, rows, 1, () => {
    f.memory.copy(to, from, rowBytes);
    f.set(to, f.i32.add(to, toStride));
    f.set(from, f.i32.add(from, fromStride));
  });
}

export function buildRectangles(module: ModuleBuilder): void {
  addFill(module, 'fill', false);
  addFill(module, 'fillMasked', true);
  addCopy(module);
}
