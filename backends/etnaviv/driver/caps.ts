// What a core can do, as pipe caps: derived from its features, one place.

import { type Caps, MAX_STREAM_OUTPUT_TARGETS } from '../../../src/pipe/pipe.ts';
import { compilerTarget } from '../compiler/target.ts';
import type { CoreInfo } from '../hwdb/core-info.ts';
import { coreFacts } from '../hwdb/derived.ts';

export function etnavivCaps(core: CoreInfo): Caps {
  const facts = coreFacts(core);
  const target = compilerTarget(core);
  const has = (name: Parameters<typeof core.features.has>[0]) => core.features.has(name);
  const glesVersion = facts.halti >= 5 ? 3 : 2;
  const size = has('TEXTURE_8K') ? 8192 : 2048;
  return {
    compiler: { lowerTranscendentals: false, lowerPack: true },
    glesVersion,
    maxTexture2DSize: size,
    maxTexture3DSize: glesVersion === 3 ? 1024 : 1,
    maxTextureCubeSize: size,
    maxTextureArrayLayers: glesVersion === 3 ? 512 : 1,
    maxRenderTargetSize: has('RENDERTARGET_8K') ? 8192 : 2048,
    maxViewportSize: has('RENDERTARGET_8K') ? 8192 : 2048,
    maxColorTargets: Math.min(facts.renderTargets, 8),
    sampleCounts: !has('MSAA') ? [] : has('SMALL_MSAA') ? [4] : [2, 4],
    subpixelBits: 8,
    maxLineWidth: has('WIDE_LINE') ? 8191 : 1,
    maxPointSize: 8191,
    maxAnisotropy: 1,
    maxLodBias: 15,
    maxVertexAttribs: 16,
    maxVaryingVectors: Math.min(target.varyings, 16) - 1,
    maxVertexUniformVectors: target.vertexUniforms,
    maxFragmentUniformVectors: facts.unifiedUniforms ? Math.min(256, target.fragmentUniforms) : target.fragmentUniforms,
    maxVertexSamplers: facts.vertexSamplers,
    maxFragmentSamplers: facts.fragmentSamplers,
    maxCombinedSamplers: facts.vertexSamplers + facts.fragmentSamplers,
    maxUniformBlocks: facts.halti >= 2 ? 12 : 0,
    maxUniformBlockBytes: 65536,
    uniformBufferOffsetAlignment: 16,
    minTexelOffset: -8,
    maxTexelOffset: 7,
    nativeIntegers: facts.hasIntegers,
    fragmentHighp: true,
    maxStreamOutputBuffers: glesVersion === 3 ? MAX_STREAM_OUTPUT_TARGETS : 0,
    maxStreamOutputInterleavedComponents: glesVersion === 3 ? 64 : 0,
    maxStreamOutputSeparateComponents: glesVersion === 3 ? 4 : 0,
    independentBlend: facts.halti >= 5,
    independentBlendMask: facts.halti >= 5,
    dualSourceBlend: false,
    seamlessCube: has('SEAMLESS_CUBE_MAP'),
    npotTextures: true,
    textureSwizzle: facts.halti >= 0,
    textureMirrorClampToEdge: false,
    shaderDrawParameters: false,
    depthClamp: false,
    clipControl: false,
    clipDistances: 0,
    polygonMode: false,
    provokingVertex: true,
    polygonOffsetClamp: false,
    primitiveRestart: facts.halti >= 2,
    instancing: facts.halti >= 2,
    baseVertex: false,
    baseInstance: false,
    occlusionQueries: facts.halti >= 0,
    timerQueries: false,
    conditionalRender: true,
    fragmentDepth: true,
    shaderDerivatives: facts.halti >= 0,
    shaderTextureLod: facts.halti >= 0,
    sampleShading: false,
    noperspective: false,
    stencilTexturing: false,
    shareableResources: true,
    tiler: false,
  };
}
