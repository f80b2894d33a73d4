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
import { type Bindings, createBindings } from '../../../src/util/bindings.ts';
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

  createBlendState(description: BlendDescription): BlendState {
    return new EtnavivBlend(description);
  }
  bindBlendState(state: BlendState): void {
    this.screen.changes++;
    this.bindings.blend = state;
  }
  deleteBlendState(): void {}

  createDepthStencilAlphaState(description: DepthStencilAlphaDescription): DepthStencilAlphaState {
    return new EtnavivDepthStencil(description);
  }
  bindDepthStencilAlphaState(state: DepthStencilAlphaState): void {
    this.screen.changes++;
    this.bindings.depthStencilAlpha = state;
  }
  deleteDepthStencilAlphaState(): void {}

  createRasterizerState(description: RasterizerDescription): RasterizerState {
    return new EtnavivRasterizer(description);
  }
  bindRasterizerState(state: RasterizerState): void {
    this.screen.changes++;
    this.bindings.rasterizer = state;
  }
  deleteRasterizerState(): void {}

  createVertexElementsState(description: VertexElementsDescription): VertexElementsState {
    return new EtnavivVertexElements(description);
  }
  bindVertexElementsState(state: VertexElementsState): void {
    this.screen.changes++;
    this.bindings.vertexElements = state;
  }
  deleteVertexElementsState(): void {}

  createSamplerState(description: SamplerDescription): SamplerState {
    return new EtnavivSampler(description);
  }
  bindSamplerStates(stage: ShaderStage, states: readonly (SamplerState | null)[]): void {
    this.screen.changes++;
    this.bindings[stage].samplers = states.slice();
  }
  deleteSamplerState(): void {}

  createVertexShaderState(description: ShaderDescription): VertexShaderState {
    return new EtnavivVertexShader(this.screen, description);
  }
  bindVertexShaderState(state: VertexShaderState | null): void {
    this.screen.changes++;
    this.bindings.vertexShader = state;
  }
  deleteVertexShaderState(state: VertexShaderState): void {
    (state as EtnavivVertexShader).destroy();
  }

  createFragmentShaderState(description: ShaderDescription): FragmentShaderState {
    return new EtnavivFragmentShader(this.screen, description);
  }
  bindFragmentShaderState(state: FragmentShaderState | null): void {
    this.screen.changes++;
    this.bindings.fragmentShader = state;
  }
  deleteFragmentShaderState(state: FragmentShaderState): void {
    (state as EtnavivFragmentShader).destroy();
  }

  setFramebufferState(state: FramebufferState): void {
    this.screen.changes++;
    this.bindings.framebuffer = { ...state, colors: state.colors.slice() };
  }
  setViewport({ scale, translate }: ViewportState): void {
    this.screen.changes++;
    const { viewport } = this.bindings;
    for (let axis = 0; axis < 3; axis++) {
      viewport.scale[axis] = scale[axis]!;
      viewport.translate[axis] = translate[axis]!;
    }
  }
  setScissor(rect: Rect): void {
    this.screen.changes++;
    Object.assign(this.bindings.scissor, rect);
  }
  setBlendColor(red: number, green: number, blue: number, alpha: number): void {
    this.screen.changes++;
    this.bindings.blendColor.set([red, green, blue, alpha]);
  }
  setStencilReference({ front, back }: StencilReference): void {
    this.screen.changes++;
    this.bindings.stencilReference.front = front;
    this.bindings.stencilReference.back = back;
  }
  setSampleMask(mask: number): void {
    this.screen.changes++;
    this.bindings.sampleMask = mask;
  }
  setSampleCoverage(value: number, invert: boolean): void {
    this.screen.changes++;
    this.bindings.sampleCoverage.value = value;
    this.bindings.sampleCoverage.invert = invert;
  }
  setConstants(stage: ShaderStage, data: Uint32Array): void {
    this.constantsVersion++;
    const bindings = this.bindings[stage];
    if (bindings.constants.length === data.length) bindings.constants.set(data);
    else bindings.constants = data.slice();
  }
  setConstantBuffer(stage: ShaderStage, index: number, buffer: ConstantBuffer | null): void {
    this.constantsVersion++;
    this.bindings[stage].buffers[index] = buffer && { ...buffer };
  }
  createSamplerView(template: SamplerViewTemplate): SamplerView {
    return new EtnavivSamplerView(this.screen, template);
  }
  setSamplerViews(stage: ShaderStage, views: readonly (SamplerView | null)[]): void {
    this.screen.changes++;
    this.bindings[stage].views = views.slice();
  }
  setVertexBuffers(buffers: readonly VertexBuffer[]): void {
    this.screen.changes++;
    const bound = this.bindings.vertexBuffers;
    bound.length = buffers.length;
    for (const [index, buffer] of buffers.entries()) bound[index] = { ...buffer };
  }
  createStreamOutputTarget(buffer: Resource, offsetBytes: number, sizeBytes: number): StreamOutputTarget {
    return new EtnavivStreamOutputTarget(buffer, offsetBytes, sizeBytes);
  }
  setStreamOutputTargets(targets: readonly StreamOutputTarget[], append: boolean): void {
    this.screen.changes++;
    if (!append) for (const target of targets) (target as EtnavivStreamOutputTarget).writtenBytes = 0;
    this.bindings.streamOutputTargets = targets.slice();
    this.bindings.streamOutputAppend = append;
  }
}
