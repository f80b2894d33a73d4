// Kernel `resolve`: averages the four samples of a tile's colour planes into one set of planes, which `store` then writes.
// What the average means is the caller's (formats, sRGB); integers and depth take sample 0: no kernel, store its planes.
import { listOf } from '../base/list.ts';
import type { Expr, Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { ModuleBuilder } from '../wasm/module-builder.ts';
import { colorPlaneBytes, SAMPLE_POSITIONS, TILE_QUADS, WORD_PLANE_BYTES } from './layout.ts';
import type { I32 } from './primitive-record.ts';
import type { PixelBytes } from './tile-transfer.ts';

/** Words of the averaged pixels from the words of each sample's: word k of pixel i is lane i of vector k (zero-extended). */
export type PixelAverage = (
  f: FunctionBuilder,
  samples: readonly (readonly Local<'v128'>[])[],
) => readonly Expr<'v128'>[];

/** The average of pixels whose channels are all 8-bit unorm, rounded to nearest. */
export const averageBytes: PixelAverage = (f, samples) => {
  const [first] = samples as [readonly Local<'v128'>[]];
  return first.map((_, word) => {
    const half = (extend: 'extend_low_i8x16_u' | 'extend_high_i8x16_u'): Expr<'v128'> => {
      const terms = samples.map((words) => f.i16x8[extend](words[word] as Local<'v128'>));
      const sum = terms.reduce((a, b) => f.i16x8.add(a, b));
      return f.i16x8.shr_u(f.i16x8.add(sum, 2), 2);
    };
    return f.i8x16.narrow_i16x8_u(half('extend_low_i8x16_u'), half('extend_high_i8x16_u'));
  });
};

/** Exports `resolve(planes, out)`; `out` may be the planes of sample 0. */
export function buildResolve(module: ModuleBuilder, bytes: PixelBytes, average: PixelAverage): void {
  const f = module.function('resolve', ['i32', 'i32'], [], { exported: true });
  const [planes, out] = [f.param('i32', 0), f.param('i32', 1)];
  const step = Math.min(bytes, 4) * 4;
  const quad = f.local('i32');
  f.for(quad, 0, TILE_QUADS, 1, () => {
    const samples = SAMPLE_POSITIONS[4].map((_, s) => loadWords(f, bytes, planes, s * colorPlaneBytes(bytes)));
    const words = average(f, samples).map((word) => f.let(word));
    storeWords(f, bytes, out, words);
    f.set(planes, f.i32.add(planes, step));
    f.set(out, f.i32.add(out, step));
  });
}

function loadWords(f: FunctionBuilder, bytes: PixelBytes, address: I32, offset: number): Local<'v128'>[] {
  if (bytes === 1) {
    const halves = f.i16x8.extend_low_i8x16_u(f.v128.load32_zero(address, offset));
    return [f.let(f.i32x4.extend_low_i16x8_u(halves))];
  }
  if (bytes === 2) return [f.let(f.v128.load16x4_u(address, offset))];
  return listOf(bytes / 4, (k) => f.let(f.v128.load(address, offset + k * WORD_PLANE_BYTES)));
}

function storeWords(f: FunctionBuilder, bytes: PixelBytes, address: I32, words: readonly Local<'v128'>[]): void {
  const [first] = words as [Local<'v128'>];
  // Constant swizzles take the low bytes of each lane; index 128 gives zero.
  const none = Array<number>(8).fill(128);
  if (bytes === 1) {
    const low = f.i8x16.swizzle(first, f.i8x16.const(0, 4, 8, 12, ...none, 128, 128, 128, 128));
    f.i32.store(address, f.i32x4.extract_lane(low, 0));
  } else if (bytes === 2) {
    const low = f.i8x16.swizzle(first, f.i8x16.const(0, 1, 4, 5, 8, 9, 12, 13, ...none));
    f.i64.store(address, f.i64x2.extract_lane(low, 0));
  } else {
    words.forEach((word, k) => {
      f.v128.store(address, word, k * WORD_PLANE_BYTES);
    });
  }
}
