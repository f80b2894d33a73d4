// SPDX-License-Identifier: MIT
// Emits the choice of mip levels: level of detail from derivatives, bias and clamps (GLES 3.0.6 §3.8.10), and level numbers.
// Implicit derivatives are one pair for all four lanes, so that a quad reads one level.
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import { approximateLog2, clampFloat, roundToInt, type Vec, type VecLocal } from './pixel-math.ts';
import type { SamplerKey, TextureRequest } from './sample.ts';
import { type Anisotropy, anisotropicFootprint, type Derivative } from './sample-anisotropic.ts';
import { type CubeCoordinates, projectDerivative } from './sample-cube.ts';

export interface LevelChoice {
  /** Level numbers as integers; null: level 0. */
  readonly level0: VecLocal | null;
  /** The next level and its weight, if mips are filtered linearly. */
  readonly level1: VecLocal | null;
  readonly fraction: VecLocal | null;
  readonly isUniform: boolean;
  readonly isLinear: boolean;
  /** Lanes that sample nearest while others sample linearly. */
  readonly nearestLanes: VecLocal | null;
  /** Where more than one sample may be taken. */
  readonly anisotropy: Anisotropy | null;
}

/** Whether the code depends on the level of detail at all. */
export function needsLod(key: SamplerKey): boolean {
  return key.mipFilter !== 'none' || key.minFilter !== key.magFilter;
}

/** Lanes 0 and 1: ∂x of the quad's upper row, ∂y of its left column. */
function quadDifference(f: FunctionBuilder, value: Vec): Vec {
  return f.f32x4.sub(f.shuffle32(value, value, [3, 2, 3, 2]), f.shuffle32(value, value, [2, 0, 2, 0]));
}

function splatLane(f: FunctionBuilder, value: Vec, lane: number): Vec {
  return f.shuffle32(value, value, [lane, lane, lane, lane]);
}

/** The larger of the derivative's components, in texels. */
function largestComponent(f: FunctionBuilder, derivative: readonly Vec[], sizes: readonly Vec[]): Vec {
  return derivative
    .map((d, k) => f.f32x4.abs(f.f32x4.mul(d, sizes[k]!)))
    .reduce((most, term) => f.f32x4.pmax(most, term));
}

interface Footprint {
  /** log2 of ρ. */
  readonly lod: Vec;
  readonly anisotropy: Anisotropy | null;
}

/** Whether the footprint's shape counts: only linear minification takes more than one sample. */
function isAnisotropic(request: TextureRequest, key: SamplerKey): boolean {
  const hasDerivatives = request.op === 'grad' || (request.op !== 'lod' && request.implicitDerivatives);
  return key.isAnisotropic && key.minFilter === 'linear' && hasDerivatives;
}

/**
 * log2 of the footprint ρ in texels of level 0: the largest component of both derivatives, the lower bound that GLES 3.0.6 §3.8.10.1
 * allows (the upper one is their sum). Mesa's softpipe takes the same derivatives, so pictures agree with its.
 */
function footprint(
  f: FunctionBuilder,
  request: TextureRequest,
  key: SamplerKey,
  cube: CubeCoordinates | null,
): Footprint {
  const { base, sampler } = request.texture;
  const { dim } = request.key;
  const dimensions = dim === '3d' ? 3 : 2;
  const sizes = [base.width, base.height, base.depth]
    .slice(0, dimensions)
    .map((size) => f.let(f.f32x4.convert_i32x4_s(size)));
  const largest = (derivative: readonly Vec[]): VecLocal => f.let(largestComponent(f, derivative, sizes));
  const squaredLength = (derivative: readonly Vec[]): Vec => {
    const texels = derivative.map((d, k) => f.let(f.f32x4.mul(d, sizes[k]!)));
    return texels.map((d) => f.f32x4.mul(d, d)).reduce((sum, term) => f.f32x4.add(sum, term));
  };
  if (request.op === 'grad') {
    const project = (d: readonly Vec[]): readonly Vec[] =>
      cube ? projectDerivative(f, cube, d[0]!, d[1]!, d[2]!) : d.slice(0, dimensions);
    const [dx, dy] = [project(request.ddx!), project(request.ddy!)];
    if (isAnisotropic(request, key)) {
      const of = (d: readonly Vec[], projected: readonly Vec[]): Derivative => ({
        coord: d.slice(0, cube ? 3 : dimensions),
        squaredLength: squaredLength(projected),
      });
      return anisotropicFootprint(f, sampler, of(request.ddx!, dx), of(request.ddy!, dy));
    }
    return { lod: approximateLog2(f, f.f32x4.pmax(largest(dx), largest(dy))), anisotropy: null };
  }
  const differences = request.coord.slice(0, cube ? 3 : dimensions).map((value) => f.let(quadDifference(f, value)));
  let derivative: readonly Vec[] = differences;
  if (cube) {
    // The whole quad takes the face and the projection of its first pixel.
    const first = (value: VecLocal): VecLocal => f.let(splatLane(f, value, 0));
    const at = {
      face: { isX: first(cube.face.isX), isY: first(cube.face.isY), sign: first(cube.face.sign) },
      inverse: first(cube.inverse),
      projectedS: first(cube.projectedS),
      projectedT: first(cube.projectedT),
    };
    derivative = projectDerivative(f, at, differences[0]!, differences[1]!, differences[2]!);
  }
  if (isAnisotropic(request, key)) {
    const lengths = f.let(squaredLength(derivative));
    const of = (lane: number): Derivative => ({
      coord: differences.map((value) => splatLane(f, value, lane)),
      squaredLength: splatLane(f, lengths, lane),
    });
    return anisotropicFootprint(f, sampler, of(0), of(1));
  }
  const both = largest(derivative);
  const larger = f.f32x4.pmax(splatLane(f, both, 0), splatLane(f, both, 1));
  return { lod: approximateLog2(f, larger), anisotropy: null };
}

/** λ after bias and clamps. */
function levelOfDetail(
  f: FunctionBuilder,
  request: TextureRequest,
  key: SamplerKey,
  cube: CubeCoordinates | null,
): { lod: VecLocal; anisotropy: Anisotropy | null } {
  const { bias, min, max } = request.texture.lod!;
  let lod: Vec;
  let anisotropy: Anisotropy | null = null;
  if (request.op === 'lod') lod = request.lod!;
  else if (request.op === 'grad' || request.implicitDerivatives)
    ({ lod, anisotropy } = footprint(f, request, key, cube));
  else lod = f.f32x4.const(0);
  if (request.op === 'bias' && request.bias) lod = f.f32x4.add(lod, request.bias);
  const clamped = clampFloat(f, f.f32x4.add(lod, bias), min, max);
  return { lod: f.let(clamped), anisotropy };
}

export function chooseLevels(
  f: FunctionBuilder,
  request: TextureRequest,
  key: SamplerKey,
  cube: CubeCoordinates | null,
): LevelChoice {
  const { minFilter, magFilter, mipFilter } = key;
  const noLevels = { level0: null, level1: null, fraction: null, isUniform: true } as const;
  if (!needsLod(key) && !isAnisotropic(request, key))
    return { ...noLevels, isLinear: magFilter === 'linear', nearestLanes: null, anisotropy: null };
  const isUniform = request.op === 'sample';
  const { lod, anisotropy } = levelOfDetail(f, request, key, cube);
  const isMixed = minFilter !== magFilter;
  let nearestLanes: VecLocal | null = null;
  // Magnification ends at 0 for all filters: the choice GLES 3.0.6 §3.8.11 allows that the conformance suites test.
  if (isMixed) {
    const isMagnified = f.let(f.f32x4.le(lod, 0));
    nearestLanes = magFilter === 'nearest' ? isMagnified : f.let(f.v128.not(isMagnified));
  }
  const isLinear = isMixed || magFilter === 'linear';
  if (mipFilter === 'none') return { ...noLevels, isLinear, nearestLanes, anisotropy };
  const { last } = request.texture.lod!;
  if (mipFilter === 'nearest') {
    const level = f.f32x4.sub(f.f32x4.ceil(f.f32x4.add(lod, 0.5)), 1);
    const level0 = f.let(roundToInt(f, clampFloat(f, level, 0, last)));
    return { level0, level1: null, fraction: null, isUniform, isLinear, nearestLanes, anisotropy };
  }
  const clamped = f.let(clampFloat(f, lod, 0, last));
  const lower = f.let(f.f32x4.floor(clamped));
  const fraction = f.let(f.f32x4.sub(clamped, lower));
  const level0 = f.let(roundToInt(f, lower));
  const level1 = f.let(roundToInt(f, f.f32x4.pmin(f.f32x4.add(lower, 1), last)));
  return { level0, level1, fraction, isUniform, isLinear, nearestLanes, anisotropy };
}
