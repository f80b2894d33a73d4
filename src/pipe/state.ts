// State objects: what a driver wants to know whole before it makes hardware words of it. Descriptions are immutable plain values.

import type { Format } from '../format/format.ts';
import type { Shader } from '../ir/ir.ts';
import type {
  BlendEquation,
  BlendFactor,
  CompareFunction,
  CullFace,
  MipFilter,
  PolygonMode,
  StencilOperation,
  TextureFilter,
  TextureWrap,
} from './defines.ts';
import type { Surface } from './resource.ts';

/** Blending of one colour target. With `enabled` false only `colorMask` counts. */
export interface BlendTarget {
  readonly enabled: boolean;
  readonly equationRgb: BlendEquation;
  readonly sourceRgb: BlendFactor;
  readonly destinationRgb: BlendFactor;
  readonly equationAlpha: BlendEquation;
  readonly sourceAlpha: BlendFactor;
  readonly destinationAlpha: BlendFactor;
  /** Bits of `COLOR_MASK`. */
  readonly colorMask: number;
}

/**
 * One entry per colour target, or one entry that holds for all. A backend without
 * `Caps.independentBlend` is only given descriptions whose entries are equal.
 */
export interface BlendDescription {
  readonly targets: readonly BlendTarget[];
  readonly alphaToCoverage: boolean;
  readonly alphaToOne: boolean;
  readonly dither: boolean;
}

export interface StencilFace {
  readonly func: CompareFunction;
  readonly failOp: StencilOperation;
  readonly depthFailOp: StencilOperation;
  readonly passOp: StencilOperation;
  readonly compareMask: number;
  readonly writeMask: number;
}

/** Depth test on iff `depthTest`; stencil test on iff `stencil` is not null (then front and back are both given). */
export interface DepthStencilAlphaDescription {
  readonly depthTest: boolean;
  /** Never true with `depthTest` false: GL does not write depth then. */
  readonly depthWrite: boolean;
  readonly depthFunc: CompareFunction;
  readonly stencil: { readonly front: StencilFace; readonly back: StencilFace } | null;
}

export interface RasterizerDescription {
  readonly frontCounterClockwise: boolean;
  readonly cullFace: CullFace;
  readonly polygonMode: PolygonMode;
  readonly scissor: boolean;
  readonly rasterizerDiscard: boolean;
  readonly depthClip: boolean;
  /** GL's clip volume −w ≤ z ≤ w; true: 0 ≤ z ≤ w (EXT_clip_control). */
  readonly clipHalfZ: boolean;
  readonly multisample: boolean;
  readonly lineWidth: number;
  /** Size of points whose vertex shader writes none (GLES always writes one). */
  readonly pointSize: number;
  readonly provokingVertexFirst: boolean;
  /** gl_PointCoord's origin: GL's is upper left. */
  readonly pointCoordUpperLeft: boolean;
  /** Polygon offset, null when off. `units` in resolvable depth steps; `clamp` 0 = none. */
  readonly polygonOffset: { readonly factor: number; readonly units: number; readonly clamp: number } | null;
  /** Enabled user clip distances, bit i = gl_ClipDistance[i]. */
  readonly clipDistances: number;
}

export interface SamplerDescription {
  readonly wrapS: TextureWrap;
  readonly wrapT: TextureWrap;
  readonly wrapR: TextureWrap;
  readonly minFilter: TextureFilter;
  readonly magFilter: TextureFilter;
  readonly mipFilter: MipFilter;
  /** Comparison of shadow samplers; null: none. */
  readonly compare: CompareFunction | null;
  readonly lodBias: number;
  readonly minLod: number;
  readonly maxLod: number;
  /** 1 = isotropic. */
  readonly maxAnisotropy: number;
  readonly seamlessCube: boolean;
  readonly borderColor: readonly [number, number, number, number];
}

/** One attribute. Index in the list = attribute location as the vertex shader's inputs name it. */
export interface VertexElement {
  /** Index into the bound vertex buffers. */
  readonly bufferIndex: number;
  readonly offsetBytes: number;
  readonly format: Format;
  /** 0: per vertex; n: advances every n instances. */
  readonly instanceDivisor: number;
}

/** Entry i serves attribute location i; null where no shader input reads it. */
export interface VertexElementsDescription {
  readonly elements: readonly (VertexElement | null)[];
}

/** One captured value of transform feedback, in order of capture. */
export interface StreamOutputVarying {
  /** Output slot of the vertex shader, as its IR names it. */
  readonly slot: string;
  readonly firstComponent: number;
  readonly components: number;
  readonly buffer: number;
  /** Byte offset in the vertex's record of that buffer. */
  readonly offsetBytes: number;
}

export interface StreamOutputDescription {
  readonly varyings: readonly StreamOutputVarying[];
  /** Bytes between vertices, per buffer. */
  readonly strideBytes: readonly number[];
}

export interface ShaderDescription {
  /** Optimised IR of one stage (`src/ir/ir.ts`). The backend must not change it: it clones before it lowers. */
  readonly ir: Shader;
  readonly streamOutput: StreamOutputDescription | null;
}

/** An opaque state object of a backend. `description` is kept for tracing and for the blitter's save and restore. */
export interface StateObject<Kind extends string, Description> {
  readonly kind: Kind;
  readonly description: Description;
}
export type BlendState = StateObject<'blend', BlendDescription>;
export type DepthStencilAlphaState = StateObject<'depthStencilAlpha', DepthStencilAlphaDescription>;
export type RasterizerState = StateObject<'rasterizer', RasterizerDescription>;
export type SamplerState = StateObject<'sampler', SamplerDescription>;
export type VertexElementsState = StateObject<'vertexElements', VertexElementsDescription>;
export type VertexShaderState = StateObject<'vertexShader', ShaderDescription>;
export type FragmentShaderState = StateObject<'fragmentShader', ShaderDescription>;

/**
 * What is drawn to. Entries of `colors` may be null (GL_NONE in the middle). `width` and `height` are the area
 * common to all surfaces; `samples` that of all of them. With no surface at all they are what the caller says.
 */
export interface FramebufferState {
  readonly width: number;
  readonly height: number;
  readonly samples: number;
  readonly layers: number;
  readonly colors: readonly (Surface | null)[];
  readonly depthStencil: Surface | null;
}

/** window = scale · ndc + translate. `scale[2]`, `translate[2]` map z to [near, far]. */
export interface ViewportState {
  readonly scale: readonly [number, number, number];
  readonly translate: readonly [number, number, number];
}

/** Two-sided stencil reference values. */
export interface StencilReference {
  readonly front: number;
  readonly back: number;
}
