// SPDX-License-Identifier: MIT
// Emits anisotropic filtering as EXT_texture_filter_anisotropic describes it: the longer axis of a pixel's footprint is sampled
// N times, N the ratio of the axes; the level of detail is that of the N-th part of the longer axis.
import { listOf } from '../base/list.ts';
import { SAMPLER } from '../raster/layout.ts';
import type { Local } from '../wasm/expr.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { approximateLog2, clampFloat, type Vec, type VecLocal } from './pixel-math.ts';

/** The samples of a footprint, around its centre. */
export interface Anisotropy {
  /** N as a float, at least 1. */
  readonly count: VecLocal;
  /** The longer axis, in units of the texture coordinates (of cubes: of the direction). */
  readonly axis: readonly VecLocal[];
}

/** Derivatives along one of the window's axes. */
export interface Derivative {
  /** Of the coordinates as the shader gave them. */
  readonly coord: readonly Vec[];
  /** In texels of level 0, squared and added up. */
  readonly squaredLength: Vec;
}

/** Ratios this little above a whole number are rounding errors, and not worth a sample. */
const SLACK = 1 - 2 ** -12;

/** N and the axis of a footprint, and log2 of what one of the samples covers. */
export function anisotropicFootprint(
  f: FunctionBuilder,
  sampler: Local<'i32'>,
  x: Derivative,
  y: Derivative,
): { anisotropy: Anisotropy; lod: Vec } {
  const [px, py] = [f.let(x.squaredLength), f.let(y.squaredLength)];
  const isX = f.let(f.f32x4.ge(px, py));
  const longer = f.let(f.f32x4.sqrt(f.v128.bitselect(px, py, isX)));
  // Below a texel there is nothing to tell apart: no more samples than texels along the longer axis.
  const shorter = f.f32x4.pmax(1, f.f32x4.sqrt(f.v128.bitselect(py, px, isX)));
  const ratio = f.f32x4.mul(f.f32x4.div(longer, shorter), SLACK);
  const most = f.v128.load32_splat(sampler, SAMPLER.offset.maxAnisotropy);
  const count = f.let(clampFloat(f, f.f32x4.ceil(ratio), 1, most));
  const axis = x.coord.map((dx, k) => f.let(f.v128.bitselect(dx, y.coord[k]!, isX)));
  return { anisotropy: { count, axis }, lod: approximateLog2(f, f.f32x4.div(longer, count)) };
}

/** The mean of what `sample` gives at the N places of each lane; in locals of the current scope. */
export function sampleAlongAxis(
  f: FunctionBuilder,
  { count, axis }: Anisotropy,
  coord: readonly VecLocal[],
  channels: number,
  sample: (coord: readonly VecLocal[]) => readonly VecLocal[],
): VecLocal[] {
  const sums = listOf(channels, () => f.local('v128', f.f32x4.const(0)));
  const swapped = f.let(f.f32x4.pmax(count, f.shuffle32(count, count, [1, 0, 3, 2])));
  const most = f.f32x4.pmax(swapped, f.shuffle32(swapped, swapped, [2, 3, 0, 1]));
  const rounds = f.let(f.i32.trunc_sat_f32_s(f.f32x4.extract_lane(most, 0)));
  const step = f.let(f.f32x4.div(1, f.f32x4.add(count, 1)));
  const round = f.local('i32');
  f.for(round, 0, rounds, 1, () => {
    const number = f.let(f.f32x4.splat(f.f32.convert_i32_u(f.i32.add(round, 1))));
    const place = f.let(f.f32x4.sub(f.f32x4.mul(number, step), 0.5));
    const counts = f.let(f.f32x4.le(number, count));
    const at = coord.map((value, k) => (axis[k] ? f.let(f.f32x4.add(value, f.f32x4.mul(axis[k], place))) : value));
    sample(at).forEach((value, c) => {
      f.set(sums[c]!, f.f32x4.add(sums[c]!, f.v128.and(value, counts)));
    });
  });
  return sums.map((sum) => f.let(f.f32x4.div(sum, count)));
}
