// The enumerations of the pipe: plain string unions (cheap to compare, readable in traces) and bit masks for sets.

export type {
  BlendEquation,
  BlendFactor,
  CompareFunction,
  MipFilter,
  PrimitiveMode,
  StencilOperation,
  Swizzle,
  TextureFilter,
  TextureWrap,
} from '../base/state-words.ts';

/** What a resource is. Cube maps are six layers; a buffer is one row of bytes. */
export type ResourceTarget = 'buffer' | 'texture2D' | 'texture3D' | 'textureCube' | 'texture2DArray';

/** How a resource may be used, as a bit mask (`Resource.bind`); `Screen.isFormatSupported` is asked with the same bits. */
export const BIND = {
  DEPTH_STENCIL: 1 << 0,
  RENDER_TARGET: 1 << 1,
  /** Only meaningful when asking `isFormatSupported`: the render target may have blending enabled. */
  BLENDABLE: 1 << 2,
  SAMPLER_VIEW: 1 << 3,
  VERTEX_BUFFER: 1 << 4,
  INDEX_BUFFER: 1 << 5,
  CONSTANT_BUFFER: 1 << 6,
  STREAM_OUTPUT: 1 << 7,
  /** Only meaningful when asking `isFormatSupported`: linear filtering of the format. */
  LINEAR_FILTER: 1 << 8,
  /** Shared with another process or API (dma-buf): the layout must be one that the outside understands. */
  SHARED: 1 << 9,
  /** Rows one after the other, no tiling. */
  LINEAR: 1 << 10,
  /** A window-system buffer: what the default framebuffer renders to. */
  DISPLAY_TARGET: 1 << 11,
} as const;

/** How often the CPU is expected to touch a resource; a hint, never a promise. */
export type ResourceUsage = 'default' | 'immutable' | 'dynamic' | 'stream' | 'staging';

/** Access bits of `Context.transferMap`. */
export const MAP = {
  READ: 1 << 0,
  WRITE: 1 << 1,
  /** The old contents of the mapped box are not needed. */
  DISCARD_RANGE: 1 << 2,
  /** The old contents of the whole resource are not needed: the backend may rename its storage. */
  DISCARD_WHOLE_RESOURCE: 1 << 3,
  /** Do not wait for pending work; the caller promises not to overlap it. */
  UNSYNCHRONIZED: 1 << 4,
  /** Fail (null) rather than wait. */
  DONT_BLOCK: 1 << 5,
  /** Only ranges given to `transferFlushRegion` are written. */
  FLUSH_EXPLICIT: 1 << 6,
} as const;

/** Bits of `ClearInfo.buffers` and of invalidation: `COLOR0 << target` for colour targets. */
export const CLEAR = {
  DEPTH: 1 << 0,
  STENCIL: 1 << 1,
  DEPTH_STENCIL: 3,
  COLOR0: 1 << 2,
  /** All eight colour targets. */
  COLOR: 0xff << 2,
} as const;

/** Bits of `BlendTarget.colorMask` and `ClearInfo.colorMask`. */
export const COLOR_MASK = { R: 1, G: 2, B: 4, A: 8, RGBA: 15 } as const;

export const MAX_COLOR_TARGETS = 8;
export const MAX_VERTEX_ATTRIBS = 16;
export const MAX_SAMPLERS = 32;
/** Constant buffer 0 holds the default block; 1…n hold uniform blocks. */
export const MAX_CONSTANT_BUFFERS = 16;
export const MAX_STREAM_OUTPUT_TARGETS = 4;

export type CullFace = 'none' | 'front' | 'back' | 'frontAndBack';
export type PolygonMode = 'fill' | 'line' | 'point';
export type ShaderStage = 'vertex' | 'fragment';

export type QueryType =
  | 'occlusionCounter'
  | 'occlusionPredicate'
  | 'occlusionPredicateConservative'
  | 'primitivesGenerated'
  | 'primitivesEmitted'
  | 'timeElapsed'
  | 'timestamp';

/** Why an operation could not be carried out. The operation then changed nothing. */
export type PipeStatus = 'ok' | 'outOfMemory' | 'tooComplex' | 'lost';

/** A box of texels; `z`/`depth` count slices of a 3D texture or layers of an array or cube. Width and height may be negative only in `BlitInfo`. */
export interface Box {
  x: number;
  y: number;
  z: number;
  width: number;
  height: number;
  depth: number;
}

/** A rectangle in window coordinates (y up), `minX ≤ x < maxX`. */
export interface Rect {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}
