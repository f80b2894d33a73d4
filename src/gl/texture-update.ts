// Hands the textures and samplers that the current program uses to the pipe, and checks them for a draw.

import { formatDescription } from '../format/format.ts';
import { type GlTypeInfo, glTypeInfo } from '../glsl/gl-types.ts';
import type { ShaderStage, Swizzle } from '../pipe/defines.ts';
import type { SamplerView, SamplerViewAspect } from '../pipe/resource.ts';
import type { SamplerState } from '../pipe/state.ts';
import { GL } from './constants.ts';
import type { Context, TextureUnit } from './context.ts';
import { DIRTY } from './dirty.ts';
import { invalidOperation, outOfMemory, warn } from './errors.ts';
import type { Attachment } from './framebuffer-object.ts';
import { updateFramebuffer } from './framebuffer-update.ts';
import { chooseStorage, internalFormatRow, isDepthRow, type StorageChoice, samplesStencil } from './gl-formats.ts';
import type { Executable } from './program-executable.ts';
import { pipeSamplerState, type SamplingState, usesMipmaps } from './sampler-state.ts';
import { incompleteReason, textureLevels } from './texture-completeness.ts';
import type { Texture } from './texture-object.ts';
import { finalizeTexture, resourceTarget } from './texture-storage.ts';

type SamplerType = NonNullable<GlTypeInfo['sampler']>;
type SampledKind = 'float' | 'int' | 'uint' | 'shadow';

const TARGET_OF_DIMENSION: Readonly<Record<SamplerType['dim'], number>> = { '2d': 0, cube: 1, '3d': 2, '2dArray': 3 };

function wantedKind(type: SamplerType): SampledKind {
  return type.shadow ? 'shadow' : type.resultType;
}

/** What a complete texture yields: shadow only with a compare mode. */
function offeredKind(texture: Texture, sampling: SamplingState): SampledKind {
  const { row } = texture.image(0, textureLevels(texture).firstLevel)!;
  if (samplesStencil(row, texture.depthStencilMode)) return 'uint';
  if (isDepthRow(row)) return sampling.compareMode === GL.NONE ? 'float' : 'shadow';
  return row.kind === 'int' || row.kind === 'uint' ? row.kind : 'float';
}

interface Use {
  readonly texture: Texture;
  readonly sampling: SamplingState;
  readonly type: SamplerType;
}

function useOf(context: Context, executable: Executable, element: number): Use | null {
  const sampler = executable.linked.samplerElements[element];
  const type = sampler && glTypeInfo(sampler.type).sampler;
  const unit: TextureUnit | undefined = context.textureUnits[executable.samplerUnits[element] ?? -1];
  if (!type || !unit) return null;
  const texture = unit.textures[TARGET_OF_DIMENSION[type.dim]]!;
  return { texture, sampling: unit.sampler?.sampling ?? texture.sampling, type };
}

/** GLES 2 reads depth as luminance (OES_depth_texture), GLES 3 as red (§3.8.16.1). */
const DEPTH_SWIZZLES: Readonly<Record<2 | 3, StorageChoice['readSwizzle']>> = {
  2: ['x', 'x', 'x', '1'],
  3: ['x', '0', '0', '1'],
};

const SWIZZLE_PLACES = new Map<number, number>([
  [GL.RED, 0],
  [GL.GREEN, 1],
  [GL.BLUE, 2],
  [GL.ALPHA, 3],
]);

/** The texture's own swizzle applied to what the storage's swizzle yields. */
function viewSwizzle(
  context: Context,
  texture: Texture,
  storage: StorageChoice,
  isDepth: boolean,
): readonly [Swizzle, Swizzle, Swizzle, Swizzle] {
  const inner = isDepth ? DEPTH_SWIZZLES[context.version] : storage.readSwizzle;
  const outer = texture.swizzle.map((source): Swizzle => {
    const place = SWIZZLE_PLACES.get(source);
    return place === undefined ? (source === GL.ONE ? '1' : '0') : inner[place]!;
  });
  return [outer[0]!, outer[1]!, outer[2]!, outer[3]!];
}

/** The view of a complete texture's levels, kept while they stay as they are. Null: no memory to bring the levels together. */
function textureView(context: Context, texture: Texture): SamplerView | null {
  if (texture.view !== null && texture.viewVersion === texture.version) return texture.view;
  const { firstLevel, lastLevel } = textureLevels(texture);
  if (!finalizeTexture(context, texture, firstLevel, lastLevel)) return null;
  const resource = texture.resource!;
  const image = texture.image(0, firstLevel)!;
  const isDepth = isDepthRow(image.row);
  const swizzle = viewSwizzle(context, texture, image.storage, isDepth);
  const isStencil = samplesStencil(image.row, texture.depthStencilMode);
  const aspect: SamplerViewAspect = isStencil ? 'stencil' : isDepth ? 'depth' : 'color';
  const first = firstLevel - texture.resourceFirstLevel;
  const last = lastLevel - texture.resourceFirstLevel;
  const known = texture.view;
  if (
    known &&
    known.resource === resource &&
    known.firstLevel === first &&
    known.lastLevel === last &&
    known.aspect === aspect &&
    known.swizzle.every((one, place) => one === swizzle[place])
  ) {
    texture.viewVersion = texture.version;
    return known;
  }
  known?.destroy();
  texture.view = context.pipe.createSamplerView({
    resource,
    target: resourceTarget(texture.target),
    format: resource.format,
    aspect,
    firstLevel: first,
    lastLevel: last,
    firstLayer: 0,
    lastLayer: resource.arraySize - 1,
    swizzle,
  });
  texture.viewVersion = texture.version;
  return texture.view;
}

const BLANK_FORMATS: Readonly<Record<SampledKind, number>> = {
  float: GL.RGBA8,
  int: GL.RGBA8I,
  uint: GL.RGBA8UI,
  shadow: GL.DEPTH_COMPONENT16,
};

/** What an incomplete texture samples as: (0, 0, 0, 1) (ES 3.0.6 §3.9.2), or a comparison that fails. Null: no memory. */
function blankView(context: Context, targetIndex: number, kind: SampledKind): SamplerView | null {
  const owner = context.defaultTextures[targetIndex]!;
  const known = owner.blanks.get(kind);
  if (known) return known;
  const target = resourceTarget(owner.target);
  const storage = chooseStorage(context.screen, internalFormatRow(BLANK_FORMATS[kind])!, target, 1, 'texture');
  const resource =
    storage &&
    context.screen.createResource({
      target,
      format: storage.format,
      width: 1,
      height: 1,
      depth: 1,
      arraySize: target === 'textureCube' ? 6 : 1,
      levels: 1,
      samples: 1,
      bind: storage.bind,
      usage: 'immutable',
    });
  if (!resource) return null;
  const isDepth = formatDescription(resource.format).hasDepth;
  const view = context.pipe.createSamplerView({
    resource,
    target,
    format: resource.format,
    aspect: isDepth ? 'depth' : 'color',
    firstLevel: 0,
    lastLevel: 0,
    firstLayer: 0,
    lastLayer: resource.arraySize - 1,
    // The resource is zero; the swizzle makes alpha one, so that nothing has to be uploaded.
    swizzle: ['x', 'x', 'x', '1'],
  });
  owner.blanks.set(kind, view);
  return view;
}

function blankSampler(context: Context, kind: SampledKind): SamplerState {
  return context.pipeState.states.sampler({
    wrapS: 'clampToEdge',
    wrapT: 'clampToEdge',
    wrapR: 'clampToEdge',
    minFilter: 'nearest',
    magFilter: 'nearest',
    mipFilter: 'none',
    compare: kind === 'shadow' ? 'never' : null,
    lodBias: 0,
    minLod: 0,
    maxLod: 0,
    maxAnisotropy: 1,
    seamlessCube: false,
    borderColor: [0, 0, 0, 0],
  });
}

/** What a stage is given; the pipe copies them. */
const views: (SamplerView | null)[] = [];
const states: (SamplerState | null)[] = [];

function updateStage(context: Context, stage: ShaderStage, executable: Executable): void {
  const { samplers } = executable.linked[stage];
  if (views.length > samplers.length) views.length = states.length = samplers.length;
  for (let index = 0; index < samplers.length; index++) {
    const element = samplers[index]!;
    const use = useOf(context, executable, element);
    if (!use) {
      views[index] = states[index] = null;
      continue;
    }
    const { texture, sampling, type } = use;
    const kind = wantedKind(type);
    let view: SamplerView | null = null;
    const reason = incompleteReason(context, texture, sampling);
    if (reason !== null) {
      if (context.debugSink)
        warn(context, `texture unit ${executable.samplerUnits[element]} is incomplete and samples as black: ${reason}`);
    } else if (
      kind === offeredKind(texture, sampling) ||
      (kind === 'float' && offeredKind(texture, sampling) === 'shadow')
    ) {
      view = textureView(context, texture);
      if (!view) outOfMemory(context, 'draw', 'no memory to bring the levels of a texture together');
    }
    if (view) {
      views[index] = view;
      states[index] = pipeSamplerState(context, sampling, kind === 'shadow');
    } else {
      views[index] = blankView(context, TARGET_OF_DIMENSION[type.dim], kind);
      states[index] = blankSampler(context, kind);
    }
  }
  context.pipe.setSamplerViews(stage, views);
  context.pipe.bindSamplerStates(stage, states);
}

/**
 * Sets sampler views and sampler states of both stages from the current executable (`context.pipeState.executable`):
 * stage's IR sampler k → `linked.<stage>.samplers[k]` → `executable.samplerUnits[…]` → texture unit. Called while DIRTY.TEXTURES is set.
 */
export function updateSamplerViews(context: Context): void {
  const { executable } = context.pipeState;
  if (!executable) return;
  updateStage(context, 'vertex', executable);
  updateStage(context, 'fragment', executable);
  // Bringing levels together sets both bits; the views are fresh now, and attached levels may have moved.
  context.clean(DIRTY.TEXTURES);
  if (context.dirty & DIRTY.FRAMEBUFFER) {
    context.clean(DIRTY.FRAMEBUFFER);
    updateFramebuffer(context);
  }
}

function writesStencil({ stencil }: Context): boolean {
  return stencil.testEnabled && ((stencil.front.writeMask | stencil.back.writeMask) & 0xff) !== 0;
}

/** Whether drawing writes an image of the levels that sampling reads. */
function isFeedback(context: Context, texture: Texture, sampling: SamplingState): boolean {
  const { drawFramebuffer } = context;
  if (drawFramebuffer.isDefault || texture.references === 0) return false;
  const { firstLevel, lastLevel } = textureLevels(texture);
  const last = usesMipmaps(sampling) ? lastLevel : firstLevel;
  const reads = (attachment: Attachment | null | undefined): boolean =>
    attachment?.kind === 'texture' &&
    attachment.texture === texture &&
    attachment.level >= firstLevel &&
    attachment.level <= last;
  return (
    // Whatever drawBuffers says, as in browsers.
    drawFramebuffer.colors.some(reads) ||
    (context.depth.testEnabled &&
      context.depth.writeMask &&
      (reads(drawFramebuffer.depth) || reads(drawFramebuffer.depthStencil))) ||
    (writesStencil(context) && (reads(drawFramebuffer.stencil) || reads(drawFramebuffer.depthStencil)))
  );
}

/** Rules at draw time: feedback loops (`rules.feedbackLoopIsError`), and in WebGL 2 samplers that don't fit the texture. Returns false after recording an error. */
export function checkDrawTextures(context: Context, call: string): boolean {
  const { rules } = context;
  if (!rules.feedbackLoopIsError && !rules.webgl) return true;
  const executable = context.program?.executable;
  if (!executable) return true;
  for (let element = 0; element < executable.linked.samplerElements.length; element++) {
    const use = useOf(context, executable, element);
    if (!use) continue;
    const { texture, sampling, type } = use;
    const isComplete = incompleteReason(context, texture, sampling) === null;
    if (isComplete && rules.feedbackLoopIsError && isFeedback(context, texture, sampling)) {
      invalidOperation(context, call, 'a texture is sampled and drawn to at once (WebGL 1 §6.26)');
      return false;
    }
    // The kind counts even where filters make the texture incomplete.
    if (!texture.image(0, textureLevels(texture).firstLevel)?.resource) continue;
    const offered = offeredKind(texture, sampling);
    const wanted = wantedKind(type);
    if (rules.webgl && context.version === 3 && offered !== wanted) {
      invalidOperation(context, call, `a ${wanted} sampler reads a texture that yields ${offered}`);
      return false;
    }
  }
  return true;
}
