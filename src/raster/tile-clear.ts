// Kernel `clear(address, rowStride, rowBytes, rows, word)`: fills rows with a word. Rows begin at a multiple of four bytes; of their last
// word the rest is left alone. A tile's planes are one long row; a tile that nothing is drawn in is cleared where it lies in memory.
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import type { I32 } from './primitive-record.ts';

const STEP_BYTES = 64;

export function buildTileClear(module: ModuleBuilder): void {
  const f = module.function('clear', ['i32', 'i32', 'i32', 'i32', 'i32'], [], { exported: true });
  const p = (i: number): I32 => f.param('i32', i);
  const [address, rowStride, rowBytes, rows, word] = [p(0), p(1), p(2), p(3), p(4)] as const;
  const vector = f.let(f.i32x4.splat(word));
  const row = f.local('i32');
  f.for(row, 0, rows, 1, () => {
    const to = f.let(address);
    const end = f.let(f.i32.add(address, rowBytes));
    const stepsEnd = f.let(f.i32.add(address, f.i32.and(rowBytes, -STEP_BYTES)));
    f.while(f.i32.ne(to, stepsEnd), () => {
      for (let offset = 0; offset < STEP_BYTES; offset += 16) f.v128.store(to, vector, offset);
      f.set(to, f.i32.add(to, STEP_BYTES));
    });
    const wordsEnd = f.let(f.i32.add(address, f.i32.and(rowBytes, -4)));
    f.while(f.i32.ne(to, wordsEnd), () => {
      f.i32.store(to, word);
      f.set(to, f.i32.add(to, 4));
    });
    const rest = f.let(word);
    f.while(f.i32.ne(to, end), () => {
      f.i32.store8(to, rest);
      f.set(rest, f.i32.shr_u(rest, 8));
      f.set(to, f.i32.add(to, 1));
    });
    f.set(address, f.i32.add(address, rowStride));
  });
}
