// The null context: accepts every pipe call, keeps what is stored in resources, draws nothing.

import type {
  BlitInfo,
  ClearInfo,
  ColorValue,
  ConstantBuffer,
  Context,
  DrawInfo,
  VertexBuffer,
} from '../../src/pipe/context.ts';
import type { Box, PipeStatus, QueryType, Rect, ShaderStage } from '../../src/pipe/defines.ts';
import type { Fence, Query } from '../../src/pipe/query.ts';
import type {
  Resource,
  SamplerView,
  SamplerViewTemplate,
  StreamOutputTarget,
  Surface,
  Transfer,
} from '../../src/pipe/resource.ts';
import type { Screen } from '../../src/pipe/screen.ts';
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
} from '../../src/pipe/state.ts';
import { copyBox, type NullResource, NullTransfer, storeBox } from './resource.ts';

/** What was last bound or set, and how much work was given: for tests and for measuring what the layers above cost. */
export interface NullRecord {
  draws: number;
  clears: number;
  blits: number;
  lastDraw: DrawInfo | null;
  lastClear: ClearInfo | null;
  blend: BlendState | null;
  depthStencilAlpha: DepthStencilAlphaState | null;
  rasterizer: RasterizerState | null;
  vertexElements: VertexElementsState | null;
  vertexShader: VertexShaderState | null;
  fragmentShader: FragmentShaderState | null;
  framebuffer: FramebufferState | null;
  viewport: ViewportState | null;
  scissor: Rect | null;
  blendColor: readonly number[];
  stencilReference: StencilReference;
  sampleMask: number;
  sampleCoverage: { value: number; invert: boolean };
  readonly constants: Record<ShaderStage, Uint32Array>;
  readonly constantBuffers: Record<ShaderStage, (ConstantBuffer | null)[]>;
  readonly samplers: Record<ShaderStage, readonly (SamplerState | null)[]>;
  readonly samplerViews: Record<ShaderStage, readonly (SamplerView | null)[]>;
  vertexBuffers: readonly VertexBuffer[];
  streamOutputTargets: readonly StreamOutputTarget[];
}

function createRecord(): NullRecord {
  return {
    draws: 0,
    clears: 0,
    blits: 0,
    lastDraw: null,
    lastClear: null,
    blend: null,
    depthStencilAlpha: null,
    rasterizer: null,
    vertexElements: null,
    vertexShader: null,
    fragmentShader: null,
    framebuffer: null,
    viewport: null,
    scissor: null,
    blendColor: [0, 0, 0, 0],
    stencilReference: { front: 0, back: 0 },
    sampleMask: 0xffffffff,
    sampleCoverage: { value: 1, invert: false },
    constants: { vertex: new Uint32Array(0), fragment: new Uint32Array(0) },
    constantBuffers: { vertex: [], fragment: [] },
    samplers: { vertex: [], fragment: [] },
    samplerViews: { vertex: [], fragment: [] },
    vertexBuffers: [],
    streamOutputTargets: [],
  };
}

const SIGNALLED: Fence = { isSignalled: () => true };

function destroyNothing(): void {
  // Views and targets of the null backend hold no memory.
}

export class NullContext implements Context {
  readonly screen: Screen;
  readonly record: NullRecord = createRecord();
  readonly #activeQueries = new Set<NullQuery>();
  #countsQueries = true;

  constructor(screen: Screen) {
    this.screen = screen;
  }

  createBlendState(description: BlendDescription): BlendState {
    return { kind: 'blend', description };
  }
  bindBlendState(state: BlendState): void {
    this.record.blend = state;
  }
  deleteBlendState(_state: BlendState): void {}
  createDepthStencilAlphaState(description: DepthStencilAlphaDescription): DepthStencilAlphaState {
    return { kind: 'depthStencilAlpha', description };
  }
  bindDepthStencilAlphaState(state: DepthStencilAlphaState): void {
    this.record.depthStencilAlpha = state;
  }
  deleteDepthStencilAlphaState(_state: DepthStencilAlphaState): void {}
  createRasterizerState(description: RasterizerDescription): RasterizerState {
    return { kind: 'rasterizer', description };
  }
  bindRasterizerState(state: RasterizerState): void {
    this.record.rasterizer = state;
  }
  deleteRasterizerState(_state: RasterizerState): void {}
  createSamplerState(description: SamplerDescription): SamplerState {
    return { kind: 'sampler', description };
  }
  bindSamplerStates(stage: ShaderStage, states: readonly (SamplerState | null)[]): void {
    this.record.samplers[stage] = [...states];
  }
  deleteSamplerState(_state: SamplerState): void {}
  createVertexElementsState(description: VertexElementsDescription): VertexElementsState {
    return { kind: 'vertexElements', description };
  }
  bindVertexElementsState(state: VertexElementsState): void {
    this.record.vertexElements = state;
  }
  deleteVertexElementsState(_state: VertexElementsState): void {}

  createVertexShaderState(description: ShaderDescription): VertexShaderState {
    return { kind: 'vertexShader', description };
  }
  bindVertexShaderState(state: VertexShaderState | null): void {
    this.record.vertexShader = state;
  }
  deleteVertexShaderState(_state: VertexShaderState): void {}
  createFragmentShaderState(description: ShaderDescription): FragmentShaderState {
    return { kind: 'fragmentShader', description };
  }
  bindFragmentShaderState(state: FragmentShaderState | null): void {
    this.record.fragmentShader = state;
  }
  deleteFragmentShaderState(_state: FragmentShaderState): void {}

  setFramebufferState(state: FramebufferState): void {
    this.record.framebuffer = state;
  }
  setViewport(viewport: ViewportState): void {
    this.record.viewport = viewport;
  }
  setScissor(rect: Rect): void {
    this.record.scissor = { ...rect };
  }
  setBlendColor(red: number, green: number, blue: number, alpha: number): void {
    this.record.blendColor = [red, green, blue, alpha];
  }
  setStencilReference(reference: StencilReference): void {
    this.record.stencilReference = { ...reference };
  }
  setSampleMask(mask: number): void {
    this.record.sampleMask = mask;
  }
  setSampleCoverage(value: number, invert: boolean): void {
    this.record.sampleCoverage = { value, invert };
  }
  setConstants(stage: ShaderStage, data: Uint32Array): void {
    const kept = this.record.constants[stage];
    if (kept.length === data.length) kept.set(data);
    else this.record.constants[stage] = data.slice();
  }
  setConstantBuffer(stage: ShaderStage, index: number, buffer: ConstantBuffer | null): void {
    this.record.constantBuffers[stage][index] = buffer && { ...buffer };
  }
  createSamplerView(template: SamplerViewTemplate): SamplerView {
    return { ...template, destroy: destroyNothing };
  }
  setSamplerViews(stage: ShaderStage, views: readonly (SamplerView | null)[]): void {
    this.record.samplerViews[stage] = [...views];
  }
  setVertexBuffers(buffers: readonly VertexBuffer[]): void {
    this.record.vertexBuffers = buffers.map((buffer) => ({ ...buffer }));
  }
  createStreamOutputTarget(buffer: Resource, offsetBytes: number, sizeBytes: number): StreamOutputTarget {
    return { buffer, offsetBytes, sizeBytes, destroy: destroyNothing };
  }
  setStreamOutputTargets(targets: readonly StreamOutputTarget[], _append: boolean): void {
    this.record.streamOutputTargets = [...targets];
  }

  drawVbo(info: DrawInfo): PipeStatus {
    this.record.draws++;
    this.record.lastDraw = { ...info };
    return 'ok';
  }
  clear(info: ClearInfo): PipeStatus {
    this.record.clears++;
    this.record.lastClear = { ...info };
    return 'ok';
  }
  clearRenderTarget(_surface: Surface, _color: ColorValue, _rect: Rect): PipeStatus {
    this.record.clears++;
    return 'ok';
  }
  clearDepthStencil(_surface: Surface, _buffers: number, _depth: number, _stencil: number, _rect: Rect): PipeStatus {
    this.record.clears++;
    return 'ok';
  }
  blit(_info: BlitInfo): PipeStatus {
    this.record.blits++;
    return 'ok';
  }
  copyRegion(
    destination: Resource,
    destinationLevel: number,
    destinationX: number,
    destinationY: number,
    destinationZ: number,
    source: Resource,
    sourceLevel: number,
    sourceBox: Readonly<Box>,
  ): PipeStatus {
    copyBox(
      destination as NullResource,
      destinationLevel,
      destinationX,
      destinationY,
      destinationZ,
      source as NullResource,
      sourceLevel,
      sourceBox,
    );
    return 'ok';
  }
  generateMipmap(): PipeStatus {
    this.record.blits++;
    return 'ok';
  }

  transferMap(resource: Resource, level: number, usage: number, box: Readonly<Box>): Transfer | null {
    return new NullTransfer(resource as NullResource, level, usage, box);
  }
  transferFlushRegion(_transfer: Transfer, _box: Readonly<Box>): void {}
  transferUnmap(_transfer: Transfer): void {}
  bufferSubdata(resource: Resource, _usage: number, offsetBytes: number, data: Uint8Array): PipeStatus {
    (resource as NullResource).level(0).data.set(data, offsetBytes);
    return 'ok';
  }
  textureSubdata(
    resource: Resource,
    level: number,
    box: Readonly<Box>,
    data: Uint8Array,
    strideBytes: number,
    layerStrideBytes: number,
  ): PipeStatus {
    storeBox(resource as NullResource, level, box, data, strideBytes, layerStrideBytes);
    return 'ok';
  }

  createQuery(type: QueryType, index: number): Query {
    return new NullQuery(type, index);
  }
  beginQuery(query: Query): void {
    this.#activeQueries.add(query as NullQuery);
  }
  endQuery(query: Query): void {
    this.#activeQueries.delete(query as NullQuery);
  }
  /** Nothing is drawn, so nothing passes and nothing is emitted. */
  getQueryResult(_query: Query, _wait: boolean): number | null {
    return 0;
  }
  setActiveQueryState(active: boolean): void {
    this.#countsQueries = active;
  }
  /** Queries that would count now. */
  get countingQueries(): number {
    return this.#countsQueries ? this.#activeQueries.size : 0;
  }
  renderCondition(_query: Query | null, _condition: boolean, _wait: boolean): void {}

  flushResource(_resource: Resource): void {}
  invalidateResource(_resource: Resource): void {}
  invalidateFramebuffer(_buffers: number, _rect: Rect | null): void {}
  flush(_flags: number): Fence {
    return SIGNALLED;
  }

  destroy(): void {}
}

class NullQuery implements Query {
  readonly type: QueryType;
  readonly index: number;

  constructor(type: QueryType, index: number) {
    this.type = type;
    this.index = index;
  }

  destroy(): void {}
}
