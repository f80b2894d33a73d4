// SPDX-License-Identifier: MIT
// Emits one coordinate's way to texel indices (GLES 3.0.6 §3.8.10): wrap mode, filter footprint, constant offset. Indices always
// lie inside of [0, size), whatever the coordinate holds (NaN and infinity included).

import type { TextureWrap } from '../base/state-words.ts';
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { clampFloat, roundToInt, type Vec, type VecLocal } from './pixel-math.ts';

export interface AxisRequest {
  readonly wrap: TextureWrap;
  readonly coord: VecLocal;
  /** Texels along the axis, as integers. */
  readonly size: VecLocal;
  /** True: two texels and a fraction. */
  readonly isLinear: boolean;
  /** Lanes of a linear axis that must behave as nearest; null: none. */
  readonly nearestLanes: VecLocal | null;
  readonly offset: number;
}

export interface Axis {
  readonly index0: VecLocal;
  /** The upper texel and its weight; null if the axis is not filtered. */
  readonly index1: VecLocal | null;
  readonly fraction: VecLocal | null;
  /** Lanes whose texel is the border's; null if the wrap mode has none. */
  readonly outside0: VecLocal | null;
  readonly outside1: VecLocal | null;
}

/** The coordinate in texels before the half-texel shift, in a range that i32 and rounding cope with. */
function texelCoordinate(f: FunctionBuilder, request: AxisRequest, sizeFloat: VecLocal): Vec {
  const { wrap, coord, offset } = request;
  const shifted = (value: Vec): Vec => (offset ? f.f32x4.add(value, offset) : value);
  /** value − period · floor(value / period): offsets may leave the first period. */
  const modulo = (value: Vec, period: Vec): Vec => {
    if (!offset) return value;
    const x = f.let(value);
    return f.f32x4.sub(x, f.f32x4.mul(period, f.f32x4.floor(f.f32x4.div(x, period))));
  };
  switch (wrap) {
    case 'repeat': {
      const turn = f.f32x4.sub(coord, f.f32x4.floor(coord));
      return modulo(shifted(f.f32x4.mul(turn, sizeFloat)), sizeFloat);
    }
    case 'mirroredRepeat': {
      // Two periods: [0, 2·size); the upper one is mirrored as integers.
      const half = f.f32x4.floor(f.f32x4.mul(coord, 0.5));
      const turn = f.f32x4.sub(coord, f.f32x4.add(half, half));
      return modulo(shifted(f.f32x4.mul(turn, sizeFloat)), f.f32x4.add(sizeFloat, sizeFloat));
    }
    case 'mirrorClampToEdge': {
      const value = f.f32x4.abs(shifted(f.f32x4.mul(coord, sizeFloat)));
      return clampFloat(f, value, -2, f.f32x4.add(sizeFloat, 2));
    }
    default:
      return clampFloat(f, shifted(f.f32x4.mul(coord, sizeFloat)), -2, f.f32x4.add(sizeFloat, 2));
  }
}

/** An index from [−2, 2·size + 2] brought into [0, size). `isUpper`: it is the second of a pair. */
function wrapIndex(f: FunctionBuilder, wrap: TextureWrap, index: VecLocal, size: VecLocal, isUpper: boolean): Vec {
  const last = f.i32x4.sub(size, 1);
  const clamped = (value: Vec): Vec => f.i32x4.max_s(f.i32x4.min_s(value, last), 0);
  switch (wrap) {
    case 'repeat': {
      // Only the lower index can be −1, only the upper one `size`.
      if (isUpper) return clamped(f.v128.and(index, f.i32x4.lt_s(index, size)));
      return clamped(f.i32x4.add(index, f.v128.and(size, f.i32x4.shr_s(index, 31))));
    }
    case 'mirroredRepeat': {
      const mirrored = f.let(f.i32x4.min_s(index, f.i32x4.sub(f.i32x4.sub(f.i32x4.shl(size, 1), 1), index)));
      return clamped(f.i32x4.max_s(mirrored, f.i32x4.sub(-1, mirrored)));
    }
    default:
      return clamped(index);
  }
}

/** Lanes whose index lies outside of [0, size): negative numbers are large as unsigned ones. */
function outsideOf(f: FunctionBuilder, wrap: TextureWrap, index: VecLocal, size: VecLocal): VecLocal | null {
  return wrap === 'clampToBorder' ? f.let(f.i32x4.ge_u(index, size)) : null;
}

/** Indices and weights in locals of the current scope. */
export function emitAxis(f: FunctionBuilder, request: AxisRequest): Axis {
  const { wrap, size, isLinear, nearestLanes } = request;
  const sizeFloat = f.let(f.f32x4.convert_i32x4_s(size));
  const position = texelCoordinate(f, request, sizeFloat);
  if (!isLinear) {
    const index = f.let(roundToInt(f, f.f32x4.floor(position)));
    const outside0 = outsideOf(f, wrap, index, size);
    return {
      index0: f.let(wrapIndex(f, wrap, index, size, false)),
      index1: null,
      fraction: null,
      outside0,
      outside1: null,
    };
  }
  const half = f.f32x4.const(0.5);
  const corner = f.let(f.f32x4.sub(position, nearestLanes ? f.v128.andnot(half, nearestLanes) : half));
  const base = f.let(f.f32x4.floor(corner));
  const weight = f.f32x4.sub(corner, base);
  const fraction = f.let(nearestLanes ? f.v128.andnot(weight, nearestLanes) : weight);
  const lower = f.let(roundToInt(f, base));
  const upper = f.let(f.i32x4.add(lower, 1));
  return {
    index0: f.let(wrapIndex(f, wrap, lower, size, false)),
    index1: f.let(wrapIndex(f, wrap, upper, size, true)),
    fraction,
    outside0: outsideOf(f, wrap, lower, size),
    outside1: outsideOf(f, wrap, upper, size),
  };
}
