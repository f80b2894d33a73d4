// Resources and the ways to look at them: surfaces (to render), sampler views (to sample), transfers (to map).

import type { Format } from '../format/format.ts';
import type { Box, ResourceTarget, ResourceUsage, Swizzle } from './defines.ts';

/**
 * What to create. Sizes are those of level 0 in texels; a buffer has `width` bytes and height = depth = 1.
 * `arraySize` is 6 for cubes, the layer count for arrays, else 1. `samples` is 1 for single-sampled resources.
 */
export interface ResourceTemplate {
  readonly target: ResourceTarget;
  readonly format: Format;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly arraySize: number;
  /** Number of mip levels, at least 1. */
  readonly levels: number;
  /** 1 or a count that `Caps.sampleCounts` lists. */
  readonly samples: number;
  /** Bits of `BIND`. */
  readonly bind: number;
  readonly usage: ResourceUsage;
}

/**
 * A block of GPU memory with a shape. New resources read as zero (backends may clear lazily, per level and layer).
 * `destroy` gives up the caller's reference: pending jobs that use the resource keep its memory until they end.
 */
export interface Resource extends ResourceTemplate {
  readonly screenName: string;
  destroy(): void;
}

/** A dma-buf or other handle by which a resource leaves or enters the process. */
export interface ResourceHandle {
  readonly kind: 'fd' | 'name';
  readonly handle: number;
  readonly strideBytes: number;
  readonly offsetBytes: number;
  /** DRM format modifier. */
  readonly modifier: bigint;
}

/** One level and a range of layers of a resource as a render target. A plain value: compared by its fields. */
export interface Surface {
  readonly resource: Resource;
  readonly level: number;
  readonly firstLayer: number;
  readonly lastLayer: number;
  /** The format to render as; may differ from the resource's in colour space (linear / sRGB) only. */
  readonly format: Format;
}

/** Depth-stencil textures are sampled as depth or, with WEBGL_stencil_texturing, as stencil. */
export type SamplerViewAspect = 'color' | 'depth' | 'stencil';

export interface SamplerViewTemplate {
  readonly resource: Resource;
  readonly target: Exclude<ResourceTarget, 'buffer'>;
  readonly format: Format;
  readonly aspect: SamplerViewAspect;
  readonly firstLevel: number;
  readonly lastLevel: number;
  readonly firstLayer: number;
  readonly lastLayer: number;
  readonly swizzle: readonly [Swizzle, Swizzle, Swizzle, Swizzle];
}

/** A resource as a shader samples it. Hardware backends pack their texture words when it is made. */
export interface SamplerView extends SamplerViewTemplate {
  destroy(): void;
}

/**
 * A mapped box. `data` starts at the box's first texel and stays valid until `transferUnmap`.
 * Rows are `strideBytes` apart, layers or slices `layerStrideBytes`. Row 0 is GL's row 0 (the bottom of a framebuffer).
 * Depth-stencil data is in the resource's own packed format; compressed data in blocks.
 */
export interface Transfer {
  readonly resource: Resource;
  readonly level: number;
  readonly usage: number;
  readonly box: Readonly<Box>;
  readonly data: Uint8Array;
  readonly strideBytes: number;
  readonly layerStrideBytes: number;
}

/** A buffer range that transform feedback writes. It remembers how far it is filled, so that `append` can go on. */
export interface StreamOutputTarget {
  readonly buffer: Resource;
  readonly offsetBytes: number;
  readonly sizeBytes: number;
  destroy(): void;
}
