// All test groups of our own. A new group is a row here.

import type { CaseDefinition } from '../case.ts';
import { attributeCases } from './shared/attributes.ts';
import { blendCases } from './shared/blend.ts';
import { drawnBufferCases } from './shared/buffer-drawing.ts';
import { bufferMapCases } from './shared/buffer-maps.ts';
import { bufferCases } from './shared/buffers.ts';
import { builtinVariableCases } from './shared/builtin-variables.ts';
import { colorClearCases, depthStencilClearCases } from './shared/clears.ts';
import { clippingCases } from './shared/clipping.ts';
import { constantExpressionCases } from './shared/constant-expressions.ts';
import { depthAndStencilCases } from './shared/depth-stencil.ts';
import { drawCases } from './shared/draw.ts';
import { filterCompletenessCases } from './shared/filter-completeness.ts';
import { fragmentMiscCases } from './shared/fragment-misc.ts';
import { framebufferApiCases } from './shared/framebuffer-api.ts';
import { framebufferBlitCases } from './shared/framebuffer-blit.ts';
import { framebufferColorCases } from './shared/framebuffer-color.ts';
import { framebufferCompletenessCases } from './shared/framebuffer-completeness.ts';
import { framebufferDepthCases } from './shared/framebuffer-depth.ts';
import { framebufferEdgeCases } from './shared/framebuffer-edges.ts';
import { framebufferInvalidateCases } from './shared/framebuffer-invalidate.ts';
import { framebufferLevelCases } from './shared/framebuffer-levels.ts';
import { framebufferRenderCases } from './shared/framebuffer-render.ts';
import { multisampleCases } from './shared/multisample.ts';
import { negativeApiCases } from './shared/negative-api.ts';
import { negativeObjectCases } from './shared/negative-objects.ts';
import { operatorCases } from './shared/operators.ts';
import { pixelBufferCases } from './shared/pixel-buffers.ts';
import { randomFragmentOpsCases } from './shared/random-fragment-ops.ts';
import { rasterizationCases } from './shared/rasterization.ts';
import { samplerObjectCases } from './shared/sampler-objects.ts';
import { matrixCases } from './shared/shader-matrices.ts';
import { shaderProgramCases } from './shared/shader-programs.ts';
import { shaderStructCases } from './shared/shader-structs.ts';
import { stateChangeCases } from './shared/state-changes.ts';
import { stateQueryCases } from './shared/state-query.ts';
import { switchCases } from './shared/switch-statements.ts';
import { textureFilteringCases } from './shared/texture-filtering.ts';
import { textureFormatCases } from './shared/texture-format.ts';
import { textureFunctionCases } from './shared/texture-functions.ts';
import { textureGatheringCases } from './shared/texture-gathering.ts';
import { textureMipmapCases } from './shared/texture-mipmap.ts';
import { textureSpecificationCases } from './shared/texture-specification.ts';
import { transformFeedbackCases } from './shared/transform-feedback.ts';
import { uniformApiCases } from './shared/uniform-api.ts';
import { uniformBlockCases } from './shared/uniform-blocks.ts';
import { vertexArrayCases } from './shared/vertex-arrays.ts';

type Group = (api: 2 | 3) => Iterable<CaseDefinition>;

/** Groups that both API versions have. */
const SHARED_GROUPS: readonly Group[] = [
  blendCases,
  depthAndStencilCases,
  randomFragmentOpsCases,
  colorClearCases,
  depthStencilClearCases,
  clippingCases,
  rasterizationCases,
  drawCases,
  stateChangeCases,
  vertexArrayCases,
  textureFilteringCases,
  textureMipmapCases,
  textureFormatCases,
  textureSpecificationCases,
  operatorCases,
  framebufferColorCases,
  framebufferBlitCases,
  framebufferDepthCases,
  framebufferApiCases,
  framebufferCompletenessCases,
  framebufferRenderCases,
  framebufferInvalidateCases,
  framebufferEdgeCases,
  framebufferLevelCases,
  filterCompletenessCases,
  textureGatheringCases,
  uniformApiCases,
  uniformBlockCases,
  transformFeedbackCases,
  stateQueryCases,
  negativeApiCases,
  negativeObjectCases,
  attributeCases,
  bufferCases,
  bufferMapCases,
  drawnBufferCases,
  fragmentMiscCases,
  matrixCases,
  constantExpressionCases,
  shaderProgramCases,
  switchCases,
  shaderStructCases,
  textureFunctionCases,
  builtinVariableCases,
  pixelBufferCases,
  samplerObjectCases,
  multisampleCases,
];

export function* ownCases(): Generator<CaseDefinition> {
  for (const api of [2, 3] as const) for (const cases of SHARED_GROUPS) yield* cases(api);
}
