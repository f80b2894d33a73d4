// SPDX-License-Identifier: MIT
// Emits cube map geometry (GLES 3.0.6 §3.8.10.1, table 3.21): direction to face and face coordinates, their derivatives, and the
// neighbours of texels beyond a face's edge for seamless filtering.
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { clampFloat, roundToInt, type Vec, type VecLocal } from './pixel-math.ts';

const SIGN = 0x80000000 | 0;

/** Which face each lane's direction points at. */
export interface CubeFace {
  readonly isX: VecLocal;
  readonly isY: VecLocal;
  /** The sign bit of the major coordinate. */
  readonly sign: VecLocal;
}

function selectFace(f: FunctionBuilder, x: Vec, y: Vec, z: Vec): CubeFace {
  const [ax, ay, az] = [f.let(f.f32x4.abs(x)), f.let(f.f32x4.abs(y)), f.let(f.f32x4.abs(z))];
  const isX = f.let(f.v128.and(f.f32x4.ge(ax, ay), f.f32x4.ge(ax, az)));
  const isY = f.let(f.v128.andnot(f.f32x4.ge(ay, az), isX));
  const major = f.v128.bitselect(x, f.v128.bitselect(y, z, isY), isX);
  return { isX, isY, sign: f.let(f.v128.and(major, f.i32x4.const(SIGN))) };
}

/** sc, tc and |ma| of vectors (directions or their derivatives) in the frame of a face; expressions to be used once. */
function faceComponents(f: FunctionBuilder, face: CubeFace, x: Vec, y: Vec, z: Vec): [sc: Vec, tc: Vec, ma: Vec] {
  const { isX, isY, sign } = face;
  const flipped = f.v128.xor(sign, f.i32x4.const(SIGN));
  const sc = f.v128.bitselect(f.v128.xor(z, flipped), f.v128.bitselect(x, f.v128.xor(x, sign), isY), isX);
  const tc = f.v128.bitselect(f.v128.xor(z, sign), f.f32x4.neg(y), isY);
  const major = f.v128.bitselect(x, f.v128.bitselect(y, z, isY), isX);
  return [sc, tc, f.v128.xor(major, sign)];
}

/** Face number 0…5 (+x −x +y −y +z −z). */
function faceNumber(f: FunctionBuilder, face: CubeFace): Vec {
  const pair = f.v128.bitselect(
    f.i32x4.const(0),
    f.v128.bitselect(f.i32x4.const(2), f.i32x4.const(4), face.isY),
    face.isX,
  );
  return f.i32x4.add(pair, f.i32x4.shr_u(face.sign, 31));
}

export interface CubeCoordinates {
  readonly face: CubeFace;
  readonly layer: VecLocal;
  readonly s: VecLocal;
  readonly t: VecLocal;
  /** 1 / |ma| and the projected sc, tc in −1…1: for derivatives. */
  readonly inverse: VecLocal;
  readonly projectedS: VecLocal;
  readonly projectedT: VecLocal;
}

/** Projects directions onto their faces. */
export function projectCube(f: FunctionBuilder, x: Vec, y: Vec, z: Vec): CubeCoordinates {
  const face = selectFace(f, x, y, z);
  const [sc, tc, ma] = faceComponents(f, face, x, y, z);
  const inverse = f.let(f.f32x4.div(1, ma));
  const projectedS = f.let(f.f32x4.mul(sc, inverse));
  const projectedT = f.let(f.f32x4.mul(tc, inverse));
  const unit = (value: VecLocal): VecLocal => f.let(f.f32x4.add(f.f32x4.mul(value, 0.5), 0.5));
  return {
    face,
    layer: f.let(faceNumber(f, face)),
    s: unit(projectedS),
    t: unit(projectedT),
    inverse,
    projectedS,
    projectedT,
  };
}

/** Derivatives of s and t for derivatives of the direction; the projection is differentiated at the given coordinates. */
export function projectDerivative(
  f: FunctionBuilder,
  at: Pick<CubeCoordinates, 'face' | 'inverse' | 'projectedS' | 'projectedT'>,
  dx: Vec,
  dy: Vec,
  dz: Vec,
): [ds: Vec, dt: Vec] {
  const [dsc, dtc, dma] = faceComponents(f, at.face, dx, dy, dz);
  const major = f.let(dma);
  const scale = f.let(f.f32x4.mul(at.inverse, 0.5));
  const of = (derivative: Vec, projected: VecLocal): Vec =>
    f.f32x4.mul(f.f32x4.sub(derivative, f.f32x4.mul(projected, major)), scale);
  return [of(dsc, at.projectedS), of(dtc, at.projectedT)];
}

/**
 * The texel that stands in direction of texel (i, j) of a face, where i or j (not both) may be −1 or `size`: its face and indices.
 * The centre of a texel just beyond the edge, taken as a direction, meets the neighbour in exactly its edge texel.
 */
export function neighbourTexel(
  f: FunctionBuilder,
  face: CubeFace,
  i: VecLocal,
  j: VecLocal,
  size: VecLocal,
): { layer: VecLocal; i: VecLocal; j: VecLocal } {
  const { isX, isY, sign } = face;
  const sizeFloat = f.let(f.f32x4.convert_i32x4_s(size));
  const centre = (index: VecLocal): VecLocal => {
    const doubled = f.f32x4.convert_i32x4_s(f.i32x4.add(f.i32x4.shl(index, 1), 1));
    return f.let(f.f32x4.sub(f.f32x4.div(doubled, sizeFloat), 1));
  };
  const [u, v] = [centre(i), centre(j)];
  const flipped = f.let(f.v128.xor(sign, f.i32x4.const(SIGN)));
  const major = f.let(f.v128.or(sign, f.f32x4.const(1)));
  // The inverse of `faceComponents`: x face: (±1, −v, ∓u); y face: (u, ±1, ±v); z face: (±u, −v, ±1).
  const x = f.let(f.v128.bitselect(major, f.v128.bitselect(u, f.v128.xor(u, sign), isY), isX));
  const y = f.let(f.v128.bitselect(major, f.f32x4.neg(v), isY));
  const z = f.let(f.v128.bitselect(f.v128.xor(u, flipped), f.v128.bitselect(f.v128.xor(v, sign), major, isY), isX));
  const target = projectCube(f, x, y, z);
  const last = f.f32x4.sub(sizeFloat, 1);
  const index = (coordinate: VecLocal): VecLocal =>
    f.let(roundToInt(f, clampFloat(f, f.f32x4.floor(f.f32x4.mul(coordinate, sizeFloat)), 0, last)));
  return { layer: target.layer, i: index(target.s), j: index(target.t) };
}
