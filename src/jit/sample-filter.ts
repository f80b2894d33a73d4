// SPDX-License-Identifier: MIT
// Emits the filtering of one mip level: any number of linear axes, and seamless cube faces by weights.
import { formatDescription } from '../format/format.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { clampFloat, mix, roundToInt, type Vec, type VecLocal } from './pixel-math.ts';
import type { CubeCoordinates } from './sample-cube.ts';
import { neighbourTexel } from './sample-cube.ts';
import { filterBytes } from './sample-filter-bytes.ts';
import type { LevelVectors } from './sample-level.ts';
import { type Axis, emitAxis } from './sample-wrap.ts';
import { fetchTexels, type TexelPlan } from './texel.ts';

export interface FilterRequest {
  readonly plan: TexelPlan;
  /** Texture coordinates: s, t (and r of 3d, or the array layer); of a cube, see `cube`. */
  readonly coord: readonly VecLocal[];
  readonly cube: CubeCoordinates | null;
  readonly isLinear: boolean;
  /** Lanes that take the nearest texel although `isLinear`. */
  readonly nearestLanes: VecLocal | null;
  readonly offset: readonly number[] | null;
}

/** The filtered channels, in locals of the current scope; where the plan uses bytes, pixels (`filterBytes`). */
export function filterLevel(f: FunctionBuilder, request: FilterRequest, level: LevelVectors): VecLocal[] {
  const { plan, cube } = request;
  const isSeamless = cube !== null && plan.key.seamlessCube;
  if (isSeamless && request.isLinear) return filterSeamless(f, request, cube, level);
  if (!plan.usesBytes) return filterAxes(f, request, level);
  const [s, t] = [axisOf(f, request, 0, level.width), axisOf(f, request, 1, level.height)];
  return filterBytes(f, plan, s, t, layerAddress(f, request, level), level.rowStride);
}

function axisOf(f: FunctionBuilder, request: FilterRequest, index: number, size: VecLocal): Axis {
  const { key } = request.plan;
  const wraps = [key.wrapS, key.wrapT, key.wrapR];
  return emitAxis(f, {
    wrap: request.cube && key.seamlessCube ? 'clampToEdge' : wraps[index]!,
    coord: request.coord[index]!,
    size,
    isLinear: request.isLinear,
    nearestLanes: request.nearestLanes,
    offset: request.offset?.[index] ?? 0,
    isExact: request.plan.usesBytes,
  });
}

/** The address where the layer begins that array and cube textures are sampled in. */
function layerAddress(f: FunctionBuilder, request: FilterRequest, level: LevelVectors): VecLocal {
  if (request.cube) return f.let(f.i32x4.add(level.address, f.i32x4.mul(request.cube.layer, level.layerStride)));
  if (request.plan.key.dim !== '2dArray') return level.address;
  const last = f.f32x4.sub(f.f32x4.convert_i32x4_s(level.depth), 1);
  const layer = roundToInt(f, clampFloat(f, f.f32x4.nearest(request.coord[2]!), 0, last));
  return f.let(f.i32x4.add(level.address, f.i32x4.mul(layer, level.layerStride)));
}

function filterAxes(f: FunctionBuilder, request: FilterRequest, level: LevelVectors): VecLocal[] {
  const { plan } = request;
  const { blockBytes } = formatDescription(plan.key.format);
  const byteShift = Math.log2(blockBytes);
  const axes = [axisOf(f, request, 0, level.width), axisOf(f, request, 1, level.height)];
  const steps: ((index: Vec) => Vec)[] = [
    (index) => (byteShift ? f.i32x4.shl(index, byteShift) : index),
    (index) => f.i32x4.mul(index, level.rowStride),
  ];
  if (plan.key.dim === '3d') {
    axes.push(axisOf(f, request, 2, level.depth));
    steps.push((index) => f.i32x4.mul(index, level.layerStride));
  }
  // The x axis is innermost; its two byte offsets are shared by all rows.
  const scaled = axes.map(
    (axis, k) => [f.let(steps[k]!(axis.index0)), axis.index1 && f.let(steps[k]!(axis.index1))] as const,
  );
  const join = (a: Vec | null, b: Vec | null): Vec | null => (a && b ? f.v128.or(a, b) : (a ?? b));
  const visit = (k: number, address: VecLocal, outside: Vec | null): VecLocal[] => {
    if (k < 0) return fetchTexels(f, plan, address, outside);
    const axis = axes[k]!;
    const [lower, upper] = scaled[k]!;
    const low = visit(k - 1, f.let(f.i32x4.add(address, lower)), join(outside, axis.outside0));
    if (!upper || !axis.fraction) return low;
    const high = visit(k - 1, f.let(f.i32x4.add(address, upper)), join(outside, axis.outside1));
    return low.map((value, c) => f.let(mix(f, value, high[c]!, axis.fraction!)));
  };
  return visit(axes.length - 1, layerAddress(f, request, level), null);
}

/**
 * Four texels and four weights. Where the footprint leaves the face, the texels' addresses are recomputed on the neighbours, and
 * at a cube's corner, where only three texels meet, the missing one is the mean of the others (GLES 3.0.6 §3.8.10).
 */
function filterSeamless(
  f: FunctionBuilder,
  request: FilterRequest,
  cube: CubeCoordinates,
  level: LevelVectors,
): VecLocal[] {
  const { plan } = request;
  const byteShift = Math.log2(formatDescription(plan.key.format).blockBytes);
  const size = level.width;
  const sizeFloat = f.let(f.f32x4.convert_i32x4_s(size));
  const half = request.nearestLanes ? f.v128.andnot(f.f32x4.const(0.5), request.nearestLanes) : f.f32x4.const(0.5);
  const axis = (coordinate: VecLocal) => {
    const scaled = clampFloat(f, f.f32x4.mul(coordinate, sizeFloat), 0, sizeFloat);
    const corner = f.let(f.f32x4.sub(scaled, half));
    const base = f.let(f.f32x4.floor(corner));
    const weight = f.f32x4.sub(corner, base);
    const high = f.let(request.nearestLanes ? f.v128.andnot(weight, request.nearestLanes) : weight);
    const low = f.let(f.f32x4.sub(1, high));
    const index0 = f.let(roundToInt(f, base));
    return { index: [index0, f.let(f.i32x4.add(index0, 1))] as const, weight: [low, high] as const };
  };
  const [s, t] = [axis(cube.s), axis(cube.t)];
  const last = f.i32x4.sub(size, 1);
  const inside = (index: VecLocal): Vec => f.i32x4.max_s(f.i32x4.min_s(index, last), 0);
  const addressOf = (layer: VecLocal, i: Vec, j: Vec): Vec => {
    const row = f.i32x4.add(f.i32x4.mul(layer, level.layerStride), f.i32x4.mul(j, level.rowStride));
    return f.i32x4.add(f.i32x4.add(level.address, row), f.i32x4.shl(i, byteShift));
  };
  const texels = [0, 1, 2, 3].map((k) => {
    const [i, j] = [s.index[k & 1]!, t.index[k >> 1]!];
    return {
      i,
      j,
      address: f.let(addressOf(cube.layer, inside(i), inside(j))),
      weight: f.let(f.f32x4.mul(s.weight[k & 1]!, t.weight[k >> 1]!)),
    };
  });
  const isOut = (index: VecLocal): Vec => f.i32x4.ge_u(index, size);
  const anyOut = f.v128.or(
    f.v128.or(isOut(s.index[0]), isOut(s.index[1])),
    f.v128.or(isOut(t.index[0]), isOut(t.index[1])),
  );
  f.if(f.v128.any_true(anyOut), () => {
    const third = 1 / 3;
    const extra = f.local('v128', f.f32x4.const(0));
    const missing = texels.map((texel) => {
      f.scope(() => {
        const place = neighbourTexel(f, cube.face, texel.i, texel.j, size);
        f.set(texel.address, addressOf(place.layer, place.i, place.j));
      });
      const lanes = f.let(f.v128.and(isOut(texel.i), isOut(texel.j)));
      f.set(extra, f.v128.or(extra, f.v128.and(lanes, f.f32x4.mul(texel.weight, third))));
      return lanes;
    });
    // At most one of the four is missing: of each axis one index lies inside.
    texels.forEach((texel, k) => {
      f.set(texel.weight, f.v128.andnot(f.f32x4.add(texel.weight, extra), missing[k]!));
    });
  });
  const values = texels.map((texel) => fetchTexels(f, plan, texel.address, null));
  return plan.channels.map((_, c) => {
    const part = (k: number): Vec => f.f32x4.mul(values[k]![c]!, texels[k]!.weight);
    return f.let(f.f32x4.add(f.f32x4.add(part(0), part(1)), f.f32x4.add(part(2), part(3))));
  });
}
