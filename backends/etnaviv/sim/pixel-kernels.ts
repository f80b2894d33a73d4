// Kernels over rows of pixels of four bytes: samples are averaged to the nearest byte, red and blue change places.

import type { I32 } from '../../../src/raster/primitive-record.ts';
import type { Expr } from '../../../src/wasm/expr.ts';
import type { ModuleBuilder } from '../../../src/wasm/module-builder.ts';
import { RED_BLUE } from './tile-kernels.ts';

type V = Expr<'v128'>;

/** (input, inStride, output, outStride, width, height), in pixels that are written. Rows may be read and written up to the next multiple of four pixels. */
export type PixelKernel = (
  input: number,
  inStride: number,
  output: number,
  outStride: number,
  width: number,
  height: number,
) => number;

/** Exports `average`, a `PixelKernel` that makes one pixel of `scaleX` × `scaleY` samples. */
export function buildAverage(module: ModuleBuilder, scaleX: 1 | 2, scaleY: 1 | 2, exchanges: boolean): void {
  const f = module.function('average', Array(6).fill('i32'), [], { exported: true });
  const p = (i: number): I32 => f.param('i32', i);
  const [input, inStride, output, outStride, width, height] = [p(0), p(1), p(2), p(3), p(4), p(5)];
  const samples = scaleX * scaleY;
  const rounded = (sum: V): V => f.i16x8.shr_u(f.i16x8.add(sum, f.i16x8.splat(samples >> 1)), Math.log2(samples));
  const below = f.let(f.i32.mul(inStride, scaleY - 1));
  const [x, y] = [f.local('i32'), f.local('i32')];
  f.for(y, 0, height, 1, () => {
    const [from, to] = [f.let(input), f.let(output)];
    f.for(x, 0, width, 4, () => {
      const under = f.let(f.i32.add(from, below));
      const halves: V[] = [];
      for (let part = 0; part < scaleX; part++) {
        const top = f.let(f.v128.load(from, part * 16));
        let low: V = f.i16x8.extend_low_i8x16_u(top);
        let high: V = f.i16x8.extend_high_i8x16_u(top);
        if (scaleY === 2) {
          const bottom = f.let(f.v128.load(under, part * 16));
          low = f.i16x8.add(low, f.i16x8.extend_low_i8x16_u(bottom));
          high = f.i16x8.add(high, f.i16x8.extend_high_i8x16_u(bottom));
        }
        if (scaleX === 1) halves.push(low, high);
        else {
          const [left, right] = [f.let(low), f.let(high)];
          halves.push(f.i16x8.add(f.shuffle32(left, right, [0, 1, 4, 5]), f.shuffle32(left, right, [2, 3, 6, 7])));
        }
      }
      const pixels = f.let(f.i8x16.narrow_i16x8_u(rounded(halves[0]!), rounded(halves[1]!)));
      f.v128.store(to, exchanges ? f.i8x16.shuffle(pixels, pixels, RED_BLUE) : pixels);
      f.set(from, f.i32.add(from, 16 * scaleX));
      f.set(to, f.i32.add(to, 16));
    });
    f.set(input, f.i32.add(input, f.i32.mul(inStride, scaleY)));
    f.set(output, f.i32.add(output, outStride));
  });
}
