// The half of the context that takes state: objects are made with their hardware words, what is bound is kept.

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
} from '../../../src/pipe/pipe.ts';
import { type Bindings, createBindings, type StageBindings } from '../../../src/util/bindings.ts';
import { EtnavivFragmentShader, EtnavivVertexShader } from './program.ts';
import type { EtnavivScreen } from './screen.ts';
import {
  EtnavivBlend,
  EtnavivDepthStencil,
  EtnavivRasterizer,
  EtnavivSampler,
  EtnavivVertexElements,
} from './state-objects.ts';
import { EtnavivStreamOutputTarget } from './stream-output.ts';
import { EtnavivSamplerView } from './texture.ts';

export abstract class BoundState {
  readonly screen: EtnavivScreen;
  readonly bindings: Bindings = createBindings();
  /** Grows when a constant or a constant buffer changes; all other changes are counted by the screen. */
  constantsVersion = 0;

  constructor(screen: EtnavivScreen) {
    this.screen = screen;
  }

  /** The bindings for a change: the next draw is not like the one before. All setters but those of constants go this way. */
  private change(): Bindings {
    this.screen.changes++;
    return this.bindings;
  }

  private changeConstants(stage: ShaderStage): StageBindings {
    this.constantsVersion++;
    return this.bindings[stage];
  }

  createBlendState(description: BlendDescription): BlendState {
    return new EtnavivBlend(description);
  }
  bindBlendState(state: BlendState): void {
    this.change().blend = state;
  }
  deleteBlendState(): void {}

  createDepthStencilAlphaState(description: DepthStencilAlphaDescription): DepthStencilAlphaState {
    return new EtnavivDepthStencil(description);
  }
  bindDepthStencilAlphaState(state: DepthStencilAlphaState): void {
    this.change().depthStencilAlpha = state;
  }
  deleteDepthStencilAlphaState(): void {}

  createRasterizerState(description: RasterizerDescription): RasterizerState {
    return new EtnavivRasterizer(description);
  }
  bindRasterizerState(state: RasterizerState): void {
    this.change().rasterizer = state;
  }
  deleteRasterizerState(): void {}

  createVertexElementsState(description: VertexElementsDescription): VertexElementsState {
    return new EtnavivVertexElements(description);
  }
  bindVertexElementsState(state: VertexElementsState): void {
    this.change().vertexElements = state;
  }
  deleteVertexElementsState(): void {}

  createSamplerState(description: SamplerDescription): SamplerState {
    return new EtnavivSampler(description);
  }
  bindSamplerStates(stage: ShaderStage, states: readonly (SamplerState | null)[]): void {
    this.change()[stage].samplers = states.slice();
  }
  deleteSamplerState(): void {}

  createVertexShaderState(description: ShaderDescription): VertexShaderState {
    return new EtnavivVertexShader(this.screen, description);
  }
  bindVertexShaderState(state: VertexShaderState | null): void {
    this.change().vertexShader = state;
  }
  deleteVertexShaderState(state: VertexShaderState): void {
    (state as EtnavivVertexShader).destroy();
  }

  createFragmentShaderState(description: ShaderDescription): FragmentShaderState {
    return new EtnavivFragmentShader(this.screen, description);
  }
  bindFragmentShaderState(state: FragmentShaderState | null): void {
    this.change().fragmentShader = state;
  }
  deleteFragmentShaderState(state: FragmentShaderState): void {
    (state as EtnavivFragmentShader).destroy();
  }

  setFramebufferState(state: FramebufferState): void {
    this.change().framebuffer = { ...state, colors: state.colors.slice() };
  }
  setViewport({ scale, translate }: ViewportState): void {
    const { viewport } = this.change();
    for (let axis = 0; axis < 3; axis++) {
      viewport.scale[axis] = scale[axis]!;
      viewport.translate[axis] = translate[axis]!;
    }
  }
  setScissor(rect: Rect): void {
    Object.assign(this.change().scissor, rect);
  }
  setBlendColor(red: number, green: number, blue: number, alpha: number): void {
    this.change().blendColor.set([red, green, blue, alpha]);
  }
  setStencilReference({ front, back }: StencilReference): void {
    Object.assign(this.change().stencilReference, { front, back });
  }
  setSampleMask(mask: number): void {
    this.change().sampleMask = mask;
  }
  setSampleCoverage(value: number, invert: boolean): void {
    Object.assign(this.change().sampleCoverage, { value, invert });
  }
  setConstants(stage: ShaderStage, data: Uint32Array): void {
    const bindings = this.changeConstants(stage);
    if (bindings.constants.length === data.length) bindings.constants.set(data);
    else bindings.constants = data.slice();
  }
  setConstantBuffer(stage: ShaderStage, index: number, buffer: ConstantBuffer | null): void {
    this.changeConstants(stage).buffers[index] = buffer && { ...buffer };
  }
  createSamplerView(template: SamplerViewTemplate): SamplerView {
    return new EtnavivSamplerView(this.screen, template);
  }
  setSamplerViews(stage: ShaderStage, views: readonly (SamplerView | null)[]): void {
    this.change()[stage].views = views.slice();
  }
  setVertexBuffers(buffers: readonly VertexBuffer[]): void {
    const bound = this.change().vertexBuffers;
    bound.length = buffers.length;
    for (const [index, buffer] of buffers.entries()) bound[index] = { ...buffer };
  }
  createStreamOutputTarget(buffer: Resource, offsetBytes: number, sizeBytes: number): StreamOutputTarget {
    return new EtnavivStreamOutputTarget(buffer, offsetBytes, sizeBytes);
  }
  setStreamOutputTargets(targets: readonly StreamOutputTarget[], append: boolean): void {
    if (!append) for (const target of targets) (target as EtnavivStreamOutputTarget).writtenBytes = 0;
    const bindings = this.change();
    bindings.streamOutputTargets = targets.slice();
    bindings.streamOutputAppend = append;
  }
}
