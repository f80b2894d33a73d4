// Dirty bits → pipe calls: one function an atom, run before every draw, clear and blit for the bits it needs.

import { NumberKey, NumberMap } from '../base/number-key.ts';
import type {
  BlendDescription,
  BlendTarget,
  DepthStencilAlphaDescription,
  RasterizerDescription,
  StencilFace,
} from '../pipe/state.ts';
import { StateObjectCache } from '../pipe/state-cache.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { DIRTY } from './dirty.ts';
import {
  BLEND_DESTINATION_FACTORS,
  BLEND_EQUATIONS,
  BLEND_SOURCE_FACTORS,
  CLIP_DEPTH_MODES,
  CLIP_ORIGINS,
  COMPARE_FUNCTIONS,
  CULL_FACES,
  POLYGON_MODES,
  PROVOKING_VERTICES,
  STENCIL_OPERATIONS,
  toPipe,
} from './enums.table.ts';
import { updateFramebuffer } from './framebuffer-update.ts';
import type { Executable } from './program-executable.ts';
import type { BlendTargetState, RasterizerState, StencilFaceState } from './state.ts';
import { StreamUpload } from './stream-upload.ts';
import { updateSamplerViews } from './texture-update.ts';
import { updateTransformFeedback } from './transform-feedback.ts';
import { updateFragmentUniforms, updateUniformBuffers, updateVertexUniforms } from './uniform-update.ts';
import { createVertexInput, updateVertexElements, type VertexInput } from './vertex-update.ts';

/** What the pipe was last given. */
export interface PipeState {
  readonly states: StateObjectCache;
  /** Descriptions by the numbers of the state that they describe: many a program goes back and forth between a few. */
  readonly blends: NumberMap<BlendDescription>;
  readonly depthStencils: NumberMap<DepthStencilAlphaDescription>;
  readonly rasterizers: NumberMap<RasterizerDescription>;
  readonly uploads: StreamUpload;
  /** Shaders that are bound in the pipe. */
  executable: Executable | null;
  /** The draw framebuffer really has these: tests without their buffer are off (ES 3.0.6 §4.1.4, §4.1.5). Set by `updateFramebuffer`. */
  hasDepth: boolean;
  hasStencil: boolean;
  readonly vertexInput: VertexInput;
}

const KEPT_DESCRIPTIONS = 256;

export function createPipeState(context: Context): PipeState {
  return {
    states: new StateObjectCache(context.pipe),
    blends: new NumberMap(KEPT_DESCRIPTIONS),
    depthStencils: new NumberMap(KEPT_DESCRIPTIONS),
    rasterizers: new NumberMap(KEPT_DESCRIPTIONS),
    uploads: new StreamUpload(context.pipe),
    executable: null,
    hasDepth: false,
    hasStencil: false,
    vertexInput: createVertexInput(),
  };
}

export function destroyPipeState(context: Context): void {
  context.pipeState.states.clear();
  context.pipeState.uploads.destroy();
  context.pipeState.vertexInput.genericBuffer?.destroy();
  context.pipeState.vertexInput.genericBuffer = null;
}

/** In the order of their dependence: the framebuffer decides on depth and stencil, the program on all that is read. */
const ATOMS: readonly { readonly bits: number; readonly update: (context: Context) => void }[] = [
  { bits: DIRTY.FRAMEBUFFER, update: updateFramebuffer },
  { bits: DIRTY.BLEND, update: updateBlend },
  { bits: DIRTY.BLEND_COLOR, update: updateBlendColor },
  { bits: DIRTY.DEPTH_STENCIL, update: updateDepthStencil },
  { bits: DIRTY.STENCIL_REFERENCE, update: updateStencilReference },
  { bits: DIRTY.RASTERIZER, update: updateRasterizer },
  { bits: DIRTY.VIEWPORT, update: updateViewport },
  { bits: DIRTY.SCISSOR, update: updateScissor },
  { bits: DIRTY.SAMPLE_MASK, update: updateSampleCoverage },
  { bits: DIRTY.PROGRAM, update: updateProgram },
  { bits: DIRTY.VERTEX_UNIFORMS, update: updateVertexUniforms },
  { bits: DIRTY.FRAGMENT_UNIFORMS, update: updateFragmentUniforms },
  { bits: DIRTY.UNIFORM_BUFFERS, update: updateUniformBuffers },
  { bits: DIRTY.TEXTURES, update: updateSamplerViews },
  { bits: DIRTY.VERTEX_ELEMENTS | DIRTY.VERTEX_BUFFERS, update: updateVertexElements },
  { bits: DIRTY.TRANSFORM_FEEDBACK, update: updateTransformFeedback },
];

/** Bits that a clear needs. */
export const DIRTY_FOR_CLEAR = DIRTY.FRAMEBUFFER;

/** Hands the dirty groups among `bits` to the pipe. An atom may make later ones dirty. */
export function updateState(context: Context, bits: number): void {
  if ((context.dirty & bits) === 0) return;
  for (const atom of ATOMS) {
    if ((context.dirty & bits & atom.bits) === 0) continue;
    context.clean(atom.bits);
    atom.update(context);
  }
}

/** Numbers of the state at work; eight draw buffers with all that blending has are the longest. */
const key = new NumberKey(64);

function updateBlend(context: Context): void {
  const { blends, states } = context.pipeState;
  const { targets, dither } = context.blend;
  key.reset();
  key.add((context.multisample.alphaToCoverage ? 1 : 0) | (dither ? 2 : 0));
  for (let i = 0; i < targets.length; i++) addBlendTarget(targets[i]!);
  let description = blends.get(key);
  if (description === undefined) blends.set(key, (description = describeBlend(context)));
  states.bindBlend(description);
}

function addBlendTarget(target: BlendTargetState): void {
  key.add(target.writeMask | (target.enabled ? 16 : 0));
  if (!target.enabled) return;
  // Enums have 16 bits.
  key.add(target.equationRgb | (target.equationAlpha << 16));
  key.add(target.sourceRgb | (target.sourceAlpha << 16));
  key.add(target.destinationRgb | (target.destinationAlpha << 16));
}

function describeBlend({ blend, multisample }: Context): BlendDescription {
  const targets = blend.targets.map(blendTarget);
  const first = JSON.stringify(targets[0]);
  return {
    // One entry stands for all while they agree, as backends without independent blending want it.
    targets: targets.every((target) => JSON.stringify(target) === first) ? targets.slice(0, 1) : targets,
    alphaToCoverage: multisample.alphaToCoverage,
    alphaToOne: false,
    dither: blend.dither,
  };
}

function blendTarget(state: BlendTargetState): BlendTarget {
  // A disabled target is described in one way only, so that equal states share one object.
  const described = state.enabled ? state : DISABLED_BLEND;
  return {
    enabled: state.enabled,
    equationRgb: toPipe(BLEND_EQUATIONS, described.equationRgb),
    sourceRgb: toPipe(BLEND_SOURCE_FACTORS, described.sourceRgb),
    destinationRgb: toPipe(BLEND_DESTINATION_FACTORS, described.destinationRgb),
    equationAlpha: toPipe(BLEND_EQUATIONS, described.equationAlpha),
    sourceAlpha: toPipe(BLEND_SOURCE_FACTORS, described.sourceAlpha),
    destinationAlpha: toPipe(BLEND_DESTINATION_FACTORS, described.destinationAlpha),
    colorMask: state.writeMask,
  };
}

const DISABLED_BLEND = {
  equationRgb: GL.FUNC_ADD,
  sourceRgb: GL.ONE,
  destinationRgb: GL.ZERO,
  equationAlpha: GL.FUNC_ADD,
  sourceAlpha: GL.ONE,
  destinationAlpha: GL.ZERO,
};

function updateBlendColor(context: Context): void {
  const color = context.blend.color;
  context.pipe.setBlendColor(color[0]!, color[1]!, color[2]!, color[3]!);
}

function updateDepthStencil(context: Context): void {
  const { depth, stencil, pipeState } = context;
  const depthTest = depth.testEnabled && pipeState.hasDepth;
  const stencilTest = stencil.testEnabled && pipeState.hasStencil;
  key.reset();
  key.add((depthTest ? 1 : 0) | (stencilTest ? 2 : 0) | (depth.writeMask ? 4 : 0));
  key.add(depth.func);
  if (stencilTest) {
    addStencilFace(stencil.front);
    addStencilFace(stencil.back);
  }
  let description = pipeState.depthStencils.get(key);
  if (description === undefined) {
    description = {
      depthTest,
      depthWrite: depthTest && depth.writeMask,
      depthFunc: depthTest ? toPipe(COMPARE_FUNCTIONS, depth.func) : 'always',
      stencil: stencilTest ? { front: stencilFace(stencil.front), back: stencilFace(stencil.back) } : null,
    };
    pipeState.depthStencils.set(key, description);
  }
  pipeState.states.bindDepthStencilAlpha(description);
}

function addStencilFace(face: StencilFaceState): void {
  key.add(face.func);
  key.add(face.fail);
  key.add(face.depthFail);
  key.add(face.depthPass);
  key.add((face.readMask & 0xff) | ((face.writeMask & 0xff) << 8));
}

function stencilFace(face: StencilFaceState): StencilFace {
  return {
    func: toPipe(COMPARE_FUNCTIONS, face.func),
    failOp: toPipe(STENCIL_OPERATIONS, face.fail),
    depthFailOp: toPipe(STENCIL_OPERATIONS, face.depthFail),
    passOp: toPipe(STENCIL_OPERATIONS, face.depthPass),
    compareMask: face.readMask & 0xff,
    writeMask: face.writeMask & 0xff,
  };
}

/** Stencil buffers have eight bits; references are clamped to them where they are used (ES 3.0.6 §4.1.4). */
export function clampStencilReference(reference: number): number {
  return Math.min(Math.max(reference, 0), 255);
}

function updateStencilReference(context: Context): void {
  const { front, back } = context.stencil;
  context.pipe.setStencilReference({
    front: clampStencilReference(front.reference),
    back: clampStencilReference(back.reference),
  });
}

function updateRasterizer(context: Context): void {
  const { rasterizer, clip, scissor, pipeState } = context;
  const hasOffset = isPolygonOffset(rasterizer);
  key.reset();
  key.add(
    (scissor.enabled ? 1 : 0) |
      (rasterizer.discard ? 2 : 0) |
      (rasterizer.depthClamp ? 4 : 0) |
      (hasOffset ? 8 : 0) |
      (rasterizer.clipDistances << 8),
  );
  key.add(rasterizer.cullEnabled ? rasterizer.cullFace : 0);
  key.add(rasterizer.frontFace);
  key.add(rasterizer.polygonMode);
  key.add(rasterizer.provokingVertex);
  key.add(clip.origin);
  key.add(clip.depthMode);
  key.addFloat(rasterizer.lineWidth);
  if (hasOffset) {
    key.addFloat(rasterizer.polygonOffsetFactor);
    key.addFloat(rasterizer.polygonOffsetUnits);
    key.addFloat(rasterizer.polygonOffsetClamp);
  }
  let description = pipeState.rasterizers.get(key);
  if (description === undefined) pipeState.rasterizers.set(key, (description = describeRasterizer(context)));
  pipeState.states.bindRasterizer(description);
}

function describeRasterizer({ rasterizer, clip, scissor, limits }: Context): RasterizerDescription {
  // Upper left turns the picture over, and what is front with it, so that the same vertices stay in front (EXT_clip_control).
  const isUpright = toPipe(CLIP_ORIGINS, clip.origin);
  return {
    frontCounterClockwise: (rasterizer.frontFace === GL.CCW) === isUpright,
    cullFace: rasterizer.cullEnabled ? toPipe(CULL_FACES, rasterizer.cullFace) : 'none',
    polygonMode: toPipe(POLYGON_MODES, rasterizer.polygonMode),
    scissor: scissor.enabled,
    rasterizerDiscard: rasterizer.discard,
    depthClip: !rasterizer.depthClamp,
    clipHalfZ: toPipe(CLIP_DEPTH_MODES, clip.depthMode),
    multisample: true,
    lineWidth: Math.min(Math.max(rasterizer.lineWidth, limits.minLineWidth), limits.maxLineWidth),
    pointSize: 1,
    provokingVertexFirst: toPipe(PROVOKING_VERTICES, rasterizer.provokingVertex),
    pointCoordUpperLeft: true,
    polygonOffset: isPolygonOffset(rasterizer)
      ? {
          factor: rasterizer.polygonOffsetFactor,
          units: rasterizer.polygonOffsetUnits,
          clamp: rasterizer.polygonOffsetClamp,
        }
      : null,
    clipDistances: rasterizer.clipDistances,
  };
}

/** Each polygon mode has a switch of its own. */
function isPolygonOffset({ polygonMode, polygonOffsetEnabled, polygonOffsetLineEnabled }: RasterizerState): boolean {
  return polygonMode === GL.FILL_ANGLE ? polygonOffsetEnabled : polygonOffsetLineEnabled;
}

function updateViewport(context: Context): void {
  const { viewport, depth, clip } = context;
  const halfWidth = viewport.width / 2;
  const halfHeight = viewport.height / 2;
  const scaleY = toPipe(CLIP_ORIGINS, clip.origin) ? halfHeight : -halfHeight;
  const isHalfZ = toPipe(CLIP_DEPTH_MODES, clip.depthMode);
  context.pipe.setViewport({
    scale: [halfWidth, scaleY, isHalfZ ? depth.far - depth.near : (depth.far - depth.near) / 2],
    translate: [viewport.x + halfWidth, viewport.y + halfHeight, isHalfZ ? depth.near : (depth.far + depth.near) / 2],
  });
}

function updateScissor(context: Context): void {
  const { x, y, width, height } = context.scissor;
  context.pipe.setScissor({ minX: x, minY: y, maxX: x + width, maxY: y + height });
}

function updateSampleCoverage(context: Context): void {
  const { coverageEnabled, coverageValue, coverageInvert } = context.multisample;
  context.pipe.setSampleMask(0xffffffff);
  context.pipe.setSampleCoverage(coverageEnabled ? coverageValue : 1, coverageEnabled && coverageInvert);
}

function updateProgram(context: Context): void {
  const executable = context.program?.executable ?? null;
  const { pipeState, pipe } = context;
  if (executable === pipeState.executable) return;
  pipeState.executable = executable;
  pipe.bindVertexShaderState(executable?.vertexState ?? null);
  pipe.bindFragmentShaderState(executable?.fragmentState ?? null);
  context.dirty |=
    DIRTY.VERTEX_UNIFORMS |
    DIRTY.FRAGMENT_UNIFORMS |
    DIRTY.UNIFORM_BUFFERS |
    DIRTY.TEXTURES |
    DIRTY.VERTEX_ELEMENTS |
    DIRTY.TRANSFORM_FEEDBACK;
}
