// Kernel `find`: whether a list of indices holds the one that starts a new primitive.

import type { Expr } from '../wasm/expr.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';

/** Exports `find(address, count)`: 1 if the largest index value of `indexBytes` is among the indices. */
export function buildFindRestart(module: ModuleBuilder, indexBytes: 1 | 2 | 4): void {
  const f = module.function('find', ['i32', 'i32'], ['i32'], { exported: true });
  const address = f.param('i32', 0);
  const count = f.param('i32', 1);
  const end = f.let(f.i32.add(address, f.i32.mul(count, indexBytes)));
  const ones = f.i32x4.const(-1);
  const vector = f.v128.load(address);
  const isHere = {
    1: () => f.i8x16.eq(vector, ones),
    2: () => f.i16x8.eq(vector, ones),
    4: () => f.i32x4.eq(vector, ones),
  }[indexBytes]();
  const wholeEnd = f.let(f.i32.sub(end, 15));
  f.while(f.i32.lt_s(f.i32.sub(address, wholeEnd), 0), () => {
    f.if(f.v128.any_true(isHere), () => f.return(1));
    f.set(address, f.i32.add(address, 16));
  });
  const single: Expr<'i32'> = {
    1: () => f.i32.eq(f.i32.load8_u(address), 0xff),
    2: () => f.i32.eq(f.i32.load16_u(address), 0xffff),
    4: () => f.i32.eq(f.i32.load(address), f.i32.const(-1)),
  }[indexBytes]();
  f.while(f.i32.ne(address, end), () => {
    f.if(single, () => f.return(1));
    f.set(address, f.i32.add(address, indexBytes));
  });
  f.return(0);
  f.emitUnreachable();
}
