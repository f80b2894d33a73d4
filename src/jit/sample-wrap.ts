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
  /** A texel of weight zero adds nothing whatever it holds (no infinities): beyond the edge any neighbour will do. */
  readonly isExact: boolean;
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

/** An index from [−2, 2·size + 2] brought into [0, size). */
function wrapIndex(f: FunctionBuilder, wrap: TextureWrap, index: VecLocal, size: VecLocal): Vec {
  const last = f.i32x4.sub(size, 1);
  const clamped = (value: Vec): Vec => f.i32x4.max_s(f.i32x4.min_s(value, last), 0);
  switch (wrap) {
    case 'repeat':
      // Besides those inside only −1 comes, and `size` of a coordinate just below 0 that was rounded up: both are the last texel.
      return f.i32x4.min_u(index, last);
    case 'mirroredRepeat': {
      const mirrored = f.let(f.i32x4.min_s(index, f.i32x4.sub(f.i32x4.sub(f.i32x4.shl(size, 1), 1), index)));
      return clamped(f.i32x4.max_s(mirrored, f.i32x4.sub(-1, mirrored)));
    }
    default:
      return clamped(index);
  }
}

/** The index above a pair's lower one, which was wrapped already if it repeats. */
function upperIndex(f: FunctionBuilder, wrap: TextureWrap, lower: VecLocal, wrapped: VecLocal, size: VecLocal): Vec {
  const upper = f.let(f.i32x4.add(wrap === 'repeat' ? wrapped : lower, 1));
  return wrap === 'repeat' ? f.v128.andnot(upper, f.i32x4.eq(upper, size)) : wrapIndex(f, wrap, upper, size);
}

/** Lanes whose index lies outside of [0, size): negative numbers are large as unsigned ones. */
function outsideOf(f: FunctionBuilder, wrap: TextureWrap, index: VecLocal, size: VecLocal): VecLocal | null {
  return wrap === 'clampToBorder' ? f.let(f.i32x4.ge_u(index, size)) : null;
}

/** A coordinate that is clamped to the texels' middles before it is split: the lower index needs no clamp then. */
function emitClampedAxis(f: FunctionBuilder, request: AxisRequest): Axis {
  const { coord, size, isLinear, offset } = request;
  const last = f.let(f.i32x4.sub(size, 1));
  const scaled = f.f32x4.mul(coord, f.f32x4.convert_i32x4_s(size));
  const position = offset ? f.f32x4.add(scaled, offset) : scaled;
  const corner = isLinear ? f.f32x4.sub(position, 0.5) : position;
  const clamped = f.let(clampFloat(f, corner, 0, f.f32x4.convert_i32x4_s(last)));
  const base = f.let(f.f32x4.floor(clamped));
  const index0 = f.let(roundToInt(f, base));
  return {
    index0,
    index1: isLinear ? f.let(f.i32x4.min_s(f.i32x4.add(index0, 1), last)) : null,
    fraction: isLinear ? f.let(f.f32x4.sub(clamped, base)) : null,
    outside0: null,
    outside1: null,
  };
}

/** Indices and weights in locals of the current scope. */
export function emitAxis(f: FunctionBuilder, request: AxisRequest): Axis {
  const { wrap, size, isLinear, nearestLanes } = request;
  if (wrap === 'clampToEdge' && nearestLanes === null && (!isLinear || request.isExact))
    return emitClampedAxis(f, request);
  const sizeFloat = f.let(f.f32x4.convert_i32x4_s(size));
  const position = texelCoordinate(f, request, sizeFloat);
  if (!isLinear) {
    const index = f.let(roundToInt(f, f.f32x4.floor(position)));
    const outside0 = outsideOf(f, wrap, index, size);
    return {
      index0: f.let(wrapIndex(f, wrap, index, size)),
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
  const index0 = f.let(wrapIndex(f, wrap, lower, size));
  const isBordered = wrap === 'clampToBorder';
  return {
    index0,
    index1: f.let(upperIndex(f, wrap, lower, index0, size)),
    fraction,
    outside0: outsideOf(f, wrap, lower, size),
    outside1: isBordered ? outsideOf(f, wrap, f.let(f.i32x4.add(lower, 1)), size) : null,
  };
}
