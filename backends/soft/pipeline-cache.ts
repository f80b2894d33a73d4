// All code of a draw, found by numbers alone: the fast way past the variant keys.

import { NumberMap } from '../../src/base/number-key.ts';
import type { Coverage, GeometryKernels } from '../../src/raster/engine.ts';
import type { GeometryExtras } from '../../src/raster/primitive-record.ts';
import type { ShadeFunction, VerticesFunction } from './shader.ts';

/** All code of a draw. */
export interface Pipeline {
  readonly vertices: VerticesFunction;
  /** Null: shading would have no effect (rasterizer discard, or only early depth and stencil writes). */
  readonly shade: ShadeFunction | null;
  /** DRAW.overwrites, as long as the sample mask leaves all samples. */
  readonly overwrites: number;
  readonly coverage: Coverage;
  /** Depth, stencil is tested or written. */
  readonly usesDepth: boolean;
  readonly usesStencil: boolean;
  readonly slots: number;
  readonly flatMask: number;
  readonly extras: GeometryExtras | undefined;
  readonly discardsPrimitives: boolean;
  /** By `geometryIndex`, filled as topologies are drawn. */
  readonly geometry: (GeometryKernels | undefined)[];
}

/** Room for a pipeline's key: state numbers, one a texture, and a few masks. */
export const MAX_KEY_NUMBERS = 160;

/** Pipelines kept for a fragment shader. What is in use comes back from the shaders' variants. */
const CAPACITY = 256;

/** A shader's pipelines by state numbers. Null: the shader is too complex for this key; it will not get simpler. */
export type PipelineCache = NumberMap<Pipeline | null>;

export function createPipelineCache(): PipelineCache {
  return new NumberMap(CAPACITY);
}
