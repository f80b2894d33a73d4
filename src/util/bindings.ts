// All that is bound to a pipe context, as one plain object: a backend keeps it current, the blitter saves and restores it.
// What changes often is copied into the object, never replaced, so that setting state makes no garbage.

import {
  type BlendState,
  type ConstantBuffer,
  type Context,
  type DepthStencilAlphaState,
  type FragmentShaderState,
  type FramebufferState,
  MAX_CONSTANT_BUFFERS,
  type Query,
  type RasterizerState,
  type Rect,
  type SamplerState,
  type SamplerView,
  type ShaderStage,
  type StreamOutputTarget,
  type VertexBuffer,
  type VertexElementsState,
  type VertexShaderState,
} from '../pipe/pipe.ts';

/** What one shader stage reads. `buffers[0]` is unused: the default block is `constants`. */
export interface StageBindings {
  samplers: (SamplerState | null)[];
  views: (SamplerView | null)[];
  constants: Uint32Array;
  readonly buffers: (ConstantBuffer | null)[];
}

export interface Bindings {
  blend: BlendState | null;
  depthStencilAlpha: DepthStencilAlphaState | null;
  rasterizer: RasterizerState | null;
  vertexElements: VertexElementsState | null;
  vertexShader: VertexShaderState | null;
  fragmentShader: FragmentShaderState | null;
  readonly vertex: StageBindings;
  readonly fragment: StageBindings;
  framebuffer: FramebufferState;
  readonly viewport: { readonly scale: [number, number, number]; readonly translate: [number, number, number] };
  readonly scissor: Rect;
  readonly blendColor: Float32Array;
  readonly stencilReference: { front: number; back: number };
  sampleMask: number;
  readonly sampleCoverage: { value: number; invert: boolean };
  readonly vertexBuffers: VertexBuffer[];
  streamOutputTargets: readonly StreamOutputTarget[];
  streamOutputAppend: boolean;
  renderCondition: { query: Query; condition: boolean; wait: boolean } | null;
  queriesActive: boolean;
}

function createStageBindings(): StageBindings {
  return {
    samplers: [],
    views: [],
    constants: new Uint32Array(0),
    buffers: new Array<ConstantBuffer | null>(MAX_CONSTANT_BUFFERS).fill(null),
  };
}

/** Nothing bound: a context's state when it is new. */
export function createBindings(): Bindings {
  return {
    blend: null,
    depthStencilAlpha: null,
    rasterizer: null,
    vertexElements: null,
    vertexShader: null,
    fragmentShader: null,
    vertex: createStageBindings(),
    fragment: createStageBindings(),
    framebuffer: { width: 0, height: 0, samples: 1, layers: 1, colors: [], depthStencil: null },
    viewport: { scale: [0, 0, 0.5], translate: [0, 0, 0.5] },
    scissor: { minX: 0, minY: 0, maxX: 0, maxY: 0 },
    blendColor: new Float32Array(4),
    stencilReference: { front: 0, back: 0 },
    sampleMask: 0xffffffff,
    sampleCoverage: { value: 1, invert: false },
    vertexBuffers: [],
    streamOutputTargets: [],
    streamOutputAppend: true,
    renderCondition: null,
    queriesActive: true,
  };
}

function copyStage(stage: StageBindings): StageBindings {
  const { samplers, views, constants, buffers } = stage;
  return {
    samplers: samplers.slice(),
    views: views.slice(),
    constants: constants.slice(),
    buffers: buffers.map((buffer) => buffer && { ...buffer }),
  };
}

/** A snapshot that later calls on the context do not change. */
export function saveBindings(bindings: Readonly<Bindings>): Bindings {
  return {
    ...bindings,
    vertex: copyStage(bindings.vertex),
    fragment: copyStage(bindings.fragment),
    viewport: { scale: [...bindings.viewport.scale], translate: [...bindings.viewport.translate] },
    scissor: { ...bindings.scissor },
    blendColor: bindings.blendColor.slice(),
    stencilReference: { ...bindings.stencilReference },
    sampleCoverage: { ...bindings.sampleCoverage },
    vertexBuffers: bindings.vertexBuffers.map((buffer) => ({ ...buffer })),
  };
}

function restoreStage(context: Context, stage: ShaderStage, saved: StageBindings): void {
  context.bindSamplerStates(stage, saved.samplers);
  context.setSamplerViews(stage, saved.views);
  context.setConstants(stage, saved.constants);
  for (let index = 1; index < saved.buffers.length; index++) {
    context.setConstantBuffer(stage, index, saved.buffers[index] ?? null);
  }
}

/** Binds everything of a snapshot again. State objects that were null stay as they are: nothing can unbind them. */
export function restoreBindings(context: Context, saved: Bindings): void {
  if (saved.blend) context.bindBlendState(saved.blend);
  if (saved.depthStencilAlpha) context.bindDepthStencilAlphaState(saved.depthStencilAlpha);
  if (saved.rasterizer) context.bindRasterizerState(saved.rasterizer);
  if (saved.vertexElements) context.bindVertexElementsState(saved.vertexElements);
  context.bindVertexShaderState(saved.vertexShader);
  context.bindFragmentShaderState(saved.fragmentShader);
  restoreStage(context, 'vertex', saved.vertex);
  restoreStage(context, 'fragment', saved.fragment);
  context.setFramebufferState(saved.framebuffer);
  context.setViewport(saved.viewport);
  context.setScissor(saved.scissor);
  const [red, green, blue, alpha] = saved.blendColor;
  context.setBlendColor(red!, green!, blue!, alpha!);
  context.setStencilReference(saved.stencilReference);
  context.setSampleMask(saved.sampleMask);
  context.setSampleCoverage(saved.sampleCoverage.value, saved.sampleCoverage.invert);
  context.setVertexBuffers(saved.vertexBuffers);
  // Appending: what the targets hold by now must not be overwritten.
  context.setStreamOutputTargets(saved.streamOutputTargets, true);
  const condition = saved.renderCondition;
  context.renderCondition(condition?.query ?? null, condition?.condition ?? false, condition?.wait ?? false);
  context.setActiveQueryState(saved.queriesActive);
}
