// The half of the context that takes state: objects are made, what is bound is kept, and what changed is marked dirty.

import type {
  BlendDescription,
  BlendState,
  ConstantBuffer,
  DepthStencilAlphaDescription,
  DepthStencilAlphaState,
  FragmentShaderState,
  FramebufferState,
  RasterizerDescription,
  RasterizerState,
  Rect,
  Resource,
  SamplerDescription,
  SamplerState,
  SamplerView,
  SamplerViewTemplate,
  ShaderDescription,
  ShaderStage,
  StencilReference,
  StreamOutputTarget,
  VertexBuffer,
  VertexElementsDescription,
  VertexElementsState,
  VertexShaderState,
  ViewportState,
} from '../../src/pipe/pipe.ts';
import { type Bindings, createBindings } from '../../src/util/bindings.ts';
import { formatClassOf, jobKey } from './job.ts';
import { checkComplexity } from './link-check.ts';
import { SoftSampler, SoftSamplerView } from './sampler.ts';
import type { SoftScreen } from './screen.ts';
import { type SoftFragmentShader, SoftShader, type SoftVertexShader } from './shader.ts';
import { DIRTY, SoftState } from './state.ts';
import { SoftStreamOutputTarget } from './stream-output.ts';

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function copyList<T>(to: T[], from: readonly T[]): void {
  if (to.length > from.length) to.length = from.length;
  for (let i = 0; i < from.length; i++) to[i] = from[i]!;
}

interface OfCode {
  readonly codeClass: number;
}

/** Whether views or samplers ask for the same code as those before them, place by place. */
function hasSameCode(a: readonly (OfCode | null)[], b: readonly (OfCode | null)[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i]?.codeClass !== b[i]?.codeClass) return false;
  return true;
}

export abstract class BoundState {
  readonly screen: SoftScreen;
  readonly bindings: Bindings = createBindings();
  /** Bits of `DIRTY`: what the next draw must bring up to date. */
  dirty: number = DIRTY.ALL;
  /** The job key of the bound framebuffer. */
  protected framebufferKey = jobKey(this.bindings.framebuffer);
  #formatClass = formatClassOf(this.bindings.framebuffer);

  constructor(screen: SoftScreen) {
    this.screen = screen;
  }

  // ---- State objects

  createBlendState(description: BlendDescription): BlendState {
    return new SoftState('blend', description);
  }
  bindBlendState(state: BlendState): void {
    if (this.bindings.blend === state) return;
    this.bindings.blend = state;
    this.dirty |= DIRTY.PIPELINE;
  }
  deleteBlendState(): void {}

  createDepthStencilAlphaState(description: DepthStencilAlphaDescription): DepthStencilAlphaState {
    return new SoftState('depthStencilAlpha', description);
  }
  bindDepthStencilAlphaState(state: DepthStencilAlphaState): void {
    if (this.bindings.depthStencilAlpha === state) return;
    this.bindings.depthStencilAlpha = state;
    this.dirty |= DIRTY.PIPELINE | DIRTY.STENCIL;
  }
  deleteDepthStencilAlphaState(): void {}

  createRasterizerState(description: RasterizerDescription): RasterizerState {
    return new SoftState('rasterizer', description);
  }
  bindRasterizerState(state: RasterizerState): void {
    if (this.bindings.rasterizer === state) return;
    this.bindings.rasterizer = state;
    this.dirty |= DIRTY.PIPELINE | DIRTY.RASTERIZER;
  }
  deleteRasterizerState(): void {}

  createVertexElementsState(description: VertexElementsDescription): VertexElementsState {
    return new SoftState('vertexElements', description);
  }
  bindVertexElementsState(state: VertexElementsState): void {
    if (this.bindings.vertexElements === state) return;
    this.bindings.vertexElements = state;
    this.dirty |= DIRTY.PIPELINE;
  }
  deleteVertexElementsState(): void {}

  createSamplerState(description: SamplerDescription): SamplerState {
    return new SoftSampler(this.screen.memory, description);
  }
  bindSamplerStates(stage: ShaderStage, states: readonly (SamplerState | null)[]): void {
    const bound = this.bindings[stage].samplers;
    if (isSameList(bound, states)) return;
    this.#markTextures(stage, hasSameCode(bound as (SoftSampler | null)[], states as readonly (SoftSampler | null)[]));
    copyList(bound, states);
  }
  deleteSamplerState(): void {}

  createVertexShaderState(description: ShaderDescription): VertexShaderState {
    checkComplexity(description.ir);
    return new SoftShader('vertexShader', description);
  }
  bindVertexShaderState(state: VertexShaderState | null): void {
    if (this.bindings.vertexShader === state) return;
    this.bindings.vertexShader = state;
    this.dirty |= DIRTY.PIPELINE;
  }
  deleteVertexShaderState(state: VertexShaderState): void {
    (state as SoftVertexShader).destroy();
  }

  createFragmentShaderState(description: ShaderDescription): FragmentShaderState {
    checkComplexity(description.ir);
    return new SoftShader('fragmentShader', description);
  }
  bindFragmentShaderState(state: FragmentShaderState | null): void {
    if (this.bindings.fragmentShader === state) return;
    this.bindings.fragmentShader = state;
    this.dirty |= DIRTY.PIPELINE;
  }
  deleteFragmentShaderState(state: FragmentShaderState): void {
    (state as SoftFragmentShader).destroy();
  }

  // ---- State that changes often: copied into what is there, so that setting it makes no garbage

  setFramebufferState(state: FramebufferState): void {
    this.bindings.framebuffer = { ...state, colors: state.colors.slice() };
    this.framebufferKey = jobKey(state);
    const formatClass = formatClassOf(state);
    if (formatClass !== this.#formatClass) this.dirty |= DIRTY.PIPELINE;
    this.#formatClass = formatClass;
  }
  setViewport({ scale, translate }: ViewportState): void {
    const { viewport } = this.bindings;
    for (let axis = 0; axis < 3; axis++) {
      viewport.scale[axis] = scale[axis]!;
      viewport.translate[axis] = translate[axis]!;
    }
    this.dirty |= DIRTY.VIEWPORT;
  }
  setScissor(rect: Rect): void {
    const { scissor } = this.bindings;
    scissor.minX = rect.minX;
    scissor.minY = rect.minY;
    scissor.maxX = rect.maxX;
    scissor.maxY = rect.maxY;
    this.dirty |= DIRTY.VIEWPORT;
  }
  setBlendColor(red: number, green: number, blue: number, alpha: number): void {
    const { blendColor } = this.bindings;
    blendColor[0] = red;
    blendColor[1] = green;
    blendColor[2] = blue;
    blendColor[3] = alpha;
    this.dirty |= DIRTY.FRAGMENT;
  }
  setStencilReference({ front, back }: StencilReference): void {
    this.bindings.stencilReference.front = front;
    this.bindings.stencilReference.back = back;
    this.dirty |= DIRTY.STENCIL;
  }
  setSampleMask(mask: number): void {
    this.bindings.sampleMask = mask;
    this.dirty |= DIRTY.FRAGMENT;
  }
  setSampleCoverage(value: number, invert: boolean): void {
    this.bindings.sampleCoverage.value = value;
    this.bindings.sampleCoverage.invert = invert;
    this.dirty |= DIRTY.FRAGMENT;
  }
  setConstants(stage: ShaderStage, data: Uint32Array): void {
    const bindings = this.bindings[stage];
    if (bindings.constants.length === data.length) bindings.constants.set(data);
    else bindings.constants = data.slice();
    this.dirty |= stage === 'vertex' ? DIRTY.VERTEX_CONSTANTS : DIRTY.FRAGMENT_CONSTANTS;
  }
  setConstantBuffer(stage: ShaderStage, index: number, buffer: ConstantBuffer | null): void {
    const { buffers } = this.bindings[stage];
    const slot = buffers[index];
    if (buffer === null || !slot) buffers[index] = buffer && { ...buffer };
    else {
      slot.buffer = buffer.buffer;
      slot.offsetBytes = buffer.offsetBytes;
      slot.sizeBytes = buffer.sizeBytes;
    }
    this.dirty |= stage === 'vertex' ? DIRTY.VERTEX_BLOCKS : DIRTY.FRAGMENT_BLOCKS;
  }
  createSamplerView(template: SamplerViewTemplate): SamplerView {
    return new SoftSamplerView(this.screen.memory, template);
  }
  setSamplerViews(stage: ShaderStage, views: readonly (SamplerView | null)[]): void {
    const bound = this.bindings[stage].views;
    if (isSameList(bound, views)) return;
    const known = bound as (SoftSamplerView | null)[];
    this.#markTextures(stage, hasSameCode(known, views as readonly (SoftSamplerView | null)[]));
    copyList(bound, views);
  }
  setVertexBuffers(buffers: readonly VertexBuffer[]): void {
    const bound = this.bindings.vertexBuffers;
    this.dirty |= DIRTY.VERTEX_BUFFERS;
    if (bound.length > buffers.length) {
      bound.length = buffers.length;
      this.dirty |= DIRTY.PIPELINE;
    }
    for (let index = 0; index < buffers.length; index++) {
      const { buffer, offsetBytes, strideBytes } = buffers[index]!;
      const slot = (bound[index] ??= { buffer: null, offsetBytes: 0, strideBytes: 0 });
      // Which attributes have a buffer at all decides code.
      if ((slot.buffer === null) !== (buffer === null)) this.dirty |= DIRTY.PIPELINE;
      slot.buffer = buffer;
      slot.offsetBytes = offsetBytes;
      slot.strideBytes = strideBytes;
    }
  }
  createStreamOutputTarget(buffer: Resource, offsetBytes: number, sizeBytes: number): StreamOutputTarget {
    return new SoftStreamOutputTarget(buffer, offsetBytes, sizeBytes);
  }
  setStreamOutputTargets(targets: readonly StreamOutputTarget[], append: boolean): void {
    if (!append) for (const target of targets) (target as SoftStreamOutputTarget).writtenBytes = 0;
    this.bindings.streamOutputTargets = targets.slice();
    this.bindings.streamOutputAppend = append;
    this.dirty |= DIRTY.PIPELINE;
  }

  #markTextures(stage: ShaderStage, isSameCode: boolean): void {
    this.dirty |= stage === 'vertex' ? DIRTY.VERTEX_TEXTURES : DIRTY.FRAGMENT_TEXTURES;
    if (!isSameCode) this.dirty |= DIRTY.PIPELINE;
  }
}
