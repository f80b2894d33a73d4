// The pipe context: where state is bound and work is given. The narrow waist of the driver.
//
// Rules that every backend keeps:
// - Data handed in by the caller (arrays, descriptions, `DrawInfo`, `ClearInfo`) is copied or consumed before a call returns;
//   `DrawInfo` and `ClearInfo` objects are reused by the caller.
// - Calls behave as if executed at once and in order. Work may be gathered in jobs (one per set of surfaces) and run later;
//   hazards between pending work and CPU access, other jobs, stream output and sampling are the backend's to see.
// - Window coordinates have y up; row 0 of a resource is GL's row 0.
// - No call throws for reasons of memory or complexity: it returns a `PipeStatus` (or null) and changes nothing.

import type { Format } from '../format/format.ts';
import type { Box, PipeStatus, PrimitiveMode, QueryType, Rect, ShaderStage, TextureFilter } from './defines.ts';
import type { Fence, Query } from './query.ts';
import type { Resource, SamplerView, SamplerViewTemplate, StreamOutputTarget, Surface, Transfer } from './resource.ts';
import type { Screen } from './screen.ts';
import type {
  BlendDescription,
  BlendState,
  DepthStencilAlphaDescription,
  DepthStencilAlphaState,
  FragmentShaderState,
  FramebufferState,
  RasterizerDescription,
  RasterizerState,
  SamplerDescription,
  SamplerState,
  ShaderDescription,
  StencilReference,
  VertexElementsDescription,
  VertexElementsState,
  VertexShaderState,
  ViewportState,
} from './state.ts';

export interface VertexBuffer {
  buffer: Resource | null;
  offsetBytes: number;
  /** 0: the same value for every vertex (constant attributes). */
  strideBytes: number;
}

/** A range of a buffer resource as uniforms. Accesses beyond `sizeBytes` read zero or any value inside the range. */
export interface ConstantBuffer {
  buffer: Resource;
  offsetBytes: number;
  sizeBytes: number;
}

/**
 * One draw. `start`/`count` are vertices, or indices when `indexBuffer` is given.
 * Vertex fetch clamps to the bound buffer ranges (robust access); nothing scans indices.
 */
export interface DrawInfo {
  mode: PrimitiveMode;
  start: number;
  count: number;
  instanceCount: number;
  startInstance: number;
  indexBuffer: Resource | null;
  /** Byte offset of index 0; a multiple of `indexSize`. */
  indexOffsetBytes: number;
  /** 1, 2 or 4 bytes. */
  indexSize: 1 | 2 | 4;
  /** Added to every index. */
  baseVertex: number;
  primitiveRestart: boolean;
  restartIndex: number;
  /** For gl_DrawID of multi-draws. */
  drawId: number;
}

/** One colour seen as floats, ints and uints: three views of the same 16 bytes; the target's format says which counts. */
export interface ColorValue {
  readonly float: Float32Array;
  readonly int: Int32Array;
  readonly uint: Uint32Array;
}

/** A clear of the bound framebuffer. Full, unmasked, unscissored clears at the start of a job cost nothing. */
export interface ClearInfo {
  /** Bits of `CLEAR`. */
  buffers: number;
  color: ColorValue;
  /** 0…1. */
  depth: number;
  /** 0…255. */
  stencil: number;
  stencilWriteMask: number;
  /** Per target, bits of `COLOR_MASK`. */
  colorMasks: readonly number[];
  /** Null: the whole framebuffer. */
  scissor: Rect | null;
}

/** Bits of `BlitInfo.mask`. */
export const BLIT = { COLOR: 1, DEPTH: 2, STENCIL: 4 } as const;

export interface BlitSide {
  readonly resource: Resource;
  readonly level: number;
  /** The source box may have negative width or height: the blit is flipped. */
  readonly box: Box;
  /** Format to see the resource as (colour space may differ). */
  readonly format: Format;
}

/**
 * A copy with scaling, flipping, format conversion and resolve of samples. Not affected by any bound state, except by
 * the render condition when `followsRenderCondition`. NEAREST picks texel floor(source + (x + 0.5 − dst0) · scale).
 */
export interface BlitInfo {
  readonly source: BlitSide;
  readonly destination: BlitSide;
  /** Bits of `BLIT`. */
  readonly mask: number;
  readonly filter: TextureFilter;
  readonly scissor: Rect | null;
  readonly followsRenderCondition: boolean;
}

export interface Context {
  readonly screen: Screen;

  // Constant state objects. Equal descriptions may give the same object; `StateObjectCache` sees to that above.
  createBlendState(description: BlendDescription): BlendState;
  bindBlendState(state: BlendState): void;
  deleteBlendState(state: BlendState): void;
  createDepthStencilAlphaState(description: DepthStencilAlphaDescription): DepthStencilAlphaState;
  bindDepthStencilAlphaState(state: DepthStencilAlphaState): void;
  deleteDepthStencilAlphaState(state: DepthStencilAlphaState): void;
  createRasterizerState(description: RasterizerDescription): RasterizerState;
  bindRasterizerState(state: RasterizerState): void;
  deleteRasterizerState(state: RasterizerState): void;
  createSamplerState(description: SamplerDescription): SamplerState;
  /** Entry i serves the stage's IR sampler i; null: unused. */
  bindSamplerStates(stage: ShaderStage, states: readonly (SamplerState | null)[]): void;
  deleteSamplerState(state: SamplerState): void;
  createVertexElementsState(description: VertexElementsDescription): VertexElementsState;
  bindVertexElementsState(state: VertexElementsState): void;
  deleteVertexElementsState(state: VertexElementsState): void;

  // Shaders. Code for the state in force is found or made at draw time; `create*` may compile a likely variant at once.
  /** Shader states: throws TooComplexError (src/base) for a shader of which it is known now that it fits no variant. */
  createVertexShaderState(description: ShaderDescription): VertexShaderState;
  bindVertexShaderState(state: VertexShaderState | null): void;
  deleteVertexShaderState(state: VertexShaderState): void;
  createFragmentShaderState(description: ShaderDescription): FragmentShaderState;
  bindFragmentShaderState(state: FragmentShaderState | null): void;
  deleteFragmentShaderState(state: FragmentShaderState): void;

  // State that changes often.
  setFramebufferState(state: FramebufferState): void;
  setViewport(viewport: ViewportState): void;
  /** In force only while the rasterizer state enables it. */
  setScissor(rect: Rect): void;
  setBlendColor(red: number, green: number, blue: number, alpha: number): void;
  setStencilReference(reference: StencilReference): void;
  /** Coverage mask ANDed to every fragment's, one bit a sample. */
  setSampleMask(mask: number): void;
  /** GL_SAMPLE_COVERAGE: a share 0…1 of samples, `invert`ed or not; 1 and false when off. */
  setSampleCoverage(value: number, invert: boolean): void;
  /** Index 0: the default block, whose bytes are copied from `data`. */
  setConstants(stage: ShaderStage, data: Uint32Array): void;
  /** Index ≥ 1 serves the stage's IR uniform block `index − 1`. */
  /** Copies `buffer`: the caller uses the object again. */
  setConstantBuffer(stage: ShaderStage, index: number, buffer: ConstantBuffer | null): void;
  createSamplerView(template: SamplerViewTemplate): SamplerView;
  /** Entry i serves the stage's IR sampler i. */
  setSamplerViews(stage: ShaderStage, views: readonly (SamplerView | null)[]): void;
  setVertexBuffers(buffers: readonly VertexBuffer[]): void;
  createStreamOutputTarget(buffer: Resource, offsetBytes: number, sizeBytes: number): StreamOutputTarget;
  /** `append` true goes on where the target was left (resume), false starts at its beginning. Empty list: off. */
  setStreamOutputTargets(targets: readonly StreamOutputTarget[], append: boolean): void;

  // Work.
  drawVbo(info: DrawInfo): PipeStatus;
  clear(info: ClearInfo): PipeStatus;
  /** Clears a box of a surface that need not be bound. */
  clearRenderTarget(surface: Surface, color: ColorValue, rect: Rect): PipeStatus;
  /** `buffers`: CLEAR.DEPTH and / or CLEAR.STENCIL. */
  clearDepthStencil(surface: Surface, buffers: number, depth: number, stencil: number, rect: Rect): PipeStatus;
  blit(info: BlitInfo): PipeStatus;
  /** Bytes only: same format block size, same samples, no scaling. */
  copyRegion(
    destination: Resource,
    destinationLevel: number,
    destinationX: number,
    destinationY: number,
    destinationZ: number,
    source: Resource,
    sourceLevel: number,
    sourceBox: Readonly<Box>,
  ): PipeStatus;
  /** Fills levels `baseLevel + 1 … lastLevel` from `baseLevel` by a box filter. */
  generateMipmap(
    resource: Resource,
    format: Format,
    baseLevel: number,
    lastLevel: number,
    firstLayer: number,
    lastLayer: number,
  ): PipeStatus;

  // CPU access.
  /** Null: out of memory, or it would have to wait under `MAP.DONT_BLOCK`. */
  transferMap(resource: Resource, level: number, usage: number, box: Readonly<Box>): Transfer | null;
  transferFlushRegion(transfer: Transfer, box: Readonly<Box>): void;
  transferUnmap(transfer: Transfer): void;
  /** `usage`: bits of `MAP` (discard bits matter). */
  bufferSubdata(resource: Resource, usage: number, offsetBytes: number, data: Uint8Array): PipeStatus;
  textureSubdata(
    resource: Resource,
    level: number,
    box: Readonly<Box>,
    data: Uint8Array,
    strideBytes: number,
    layerStrideBytes: number,
  ): PipeStatus;

  // Queries.
  createQuery(type: QueryType, index: number): Query;
  beginQuery(query: Query): void;
  endQuery(query: Query): void;
  /** Null when the result is not there and `wait` is false. Tells the truth at once. */
  getQueryResult(query: Query, wait: boolean): number | null;
  /** Pauses or resumes all active queries; the blitter's own draws must not be counted. */
  setActiveQueryState(active: boolean): void;
  /** Draws are skipped while the query's result equals `condition`; null: off. `wait` false may draw anyway. */
  renderCondition(query: Query | null, condition: boolean, wait: boolean): void;

  // The frame.
  /** A shared resource is about to be read from outside: resolve it there (tile status, native byte order). */
  flushResource(resource: Resource): void;
  /** The contents of the whole resource are no longer needed. */
  invalidateResource(resource: Resource): void;
  /** Contents of these buffers (bits of `CLEAR`) of the bound framebuffer are no longer needed; `rect` null: all of it. Counts only if no later draw writes them. */
  invalidateFramebuffer(buffers: number, rect: Rect | null): void;
  /** Starts all gathered work. `flags`: bits of `FLUSH`. The fence signals when everything given so far is done. */
  flush(flags: number): Fence;

  destroy(): void;
}
