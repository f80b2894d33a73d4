// Implementation limits: from the pipe's caps, made to fit what the API version allows.

import type { ShaderLimits } from '../glsl/limits.ts';
import type { LinkLimits } from '../glsl/link-result.ts';
import { MAX_COLOR_TARGETS, MAX_CONSTANT_BUFFERS } from '../pipe/defines.ts';
import type { Screen } from '../pipe/screen.ts';

export interface Limits extends LinkLimits {
  maxTextureSize: number;
  maxCubeMapTextureSize: number;
  max3dTextureSize: number;
  maxArrayTextureLayers: number;
  maxRenderbufferSize: number;
  maxViewportWidth: number;
  maxViewportHeight: number;
  maxSamples: number;
  maxColorAttachments: number;
  maxUniformBufferBindings: number;
  uniformBufferOffsetAlignment: number;
  maxElementIndex: number;
  maxElementsVertices: number;
  maxElementsIndices: number;
  maxTextureLodBias: number;
  maxAnisotropy: number;
  minProgramTexelOffset: number;
  maxProgramTexelOffset: number;
  minPointSize: number;
  maxPointSize: number;
  minLineWidth: number;
  maxLineWidth: number;
  subpixelBits: number;
  maxDualSourceDrawBuffers: number;
  /** Clip distances, cull distances, and both together. */
  maxClipDistances: number;
  /** Nanoseconds. */
  maxServerWaitTimeout: number;
  /** Nanoseconds; WebGL 2 lets nobody block for long. */
  maxClientWaitTimeoutWebgl: number;
}

/** In API 2 without EXT_draw_buffers the application sees one draw buffer; the state vector has all of them. */
export function createLimits(screen: Screen): Limits {
  const caps = screen.caps;
  const colorTargets = Math.min(caps.maxColorTargets, MAX_COLOR_TARGETS);
  const uniformBlocks = Math.min(caps.maxUniformBlocks, MAX_CONSTANT_BUFFERS - 1);
  return {
    maxVertexAttribs: caps.maxVertexAttribs,
    maxVaryingVectors: caps.maxVaryingVectors,
    maxVertexUniformVectors: caps.maxVertexUniformVectors,
    maxFragmentUniformVectors: caps.maxFragmentUniformVectors,
    maxVertexTextureImageUnits: caps.maxVertexSamplers,
    maxTextureImageUnits: caps.maxFragmentSamplers,
    maxCombinedTextureImageUnits: caps.maxCombinedSamplers,
    maxDrawBuffers: colorTargets,
    maxVertexUniformBlocks: uniformBlocks,
    maxFragmentUniformBlocks: uniformBlocks,
    maxCombinedUniformBlocks: 2 * uniformBlocks,
    maxUniformBlockSize: caps.maxUniformBlockBytes,
    maxTransformFeedbackSeparateAttribs: caps.maxStreamOutputBuffers,
    maxTransformFeedbackSeparateComponents: caps.maxStreamOutputSeparateComponents,
    maxTransformFeedbackInterleavedComponents: caps.maxStreamOutputInterleavedComponents,
    maxTextureSize: caps.maxTexture2DSize,
    maxCubeMapTextureSize: caps.maxTextureCubeSize,
    max3dTextureSize: caps.maxTexture3DSize,
    maxArrayTextureLayers: caps.maxTextureArrayLayers,
    maxRenderbufferSize: caps.maxRenderTargetSize,
    maxViewportWidth: caps.maxViewportSize,
    maxViewportHeight: caps.maxViewportSize,
    maxSamples: caps.sampleCounts.at(-1) ?? 0,
    maxColorAttachments: colorTargets,
    maxUniformBufferBindings: 2 * uniformBlocks,
    uniformBufferOffsetAlignment: caps.uniformBufferOffsetAlignment,
    maxElementIndex: 0xfffffffe,
    maxElementsVertices: 1 << 20,
    maxElementsIndices: 1 << 20,
    maxTextureLodBias: caps.maxLodBias,
    maxAnisotropy: caps.maxAnisotropy,
    minProgramTexelOffset: caps.minTexelOffset,
    maxProgramTexelOffset: caps.maxTexelOffset,
    minPointSize: 1,
    maxPointSize: caps.maxPointSize,
    minLineWidth: 1,
    maxLineWidth: caps.maxLineWidth,
    subpixelBits: caps.subpixelBits,
    // Targets beyond the first could have two sources too; nothing that runs elsewhere would use it.
    maxDualSourceDrawBuffers: 1,
    maxClipDistances: caps.clipDistances,
    maxServerWaitTimeout: 0x7fffffff,
    maxClientWaitTimeoutWebgl: 0,
  };
}

/** The gl_Max… constants that shaders see. */
export function shaderLimits(limits: Limits, drawBuffersVisible: boolean): ShaderLimits {
  return {
    maxVertexAttribs: limits.maxVertexAttribs,
    maxVertexUniformVectors: limits.maxVertexUniformVectors,
    maxVaryingVectors: limits.maxVaryingVectors,
    maxVertexOutputVectors: limits.maxVaryingVectors + 1,
    maxFragmentInputVectors: limits.maxVaryingVectors,
    maxVertexTextureImageUnits: limits.maxVertexTextureImageUnits,
    maxCombinedTextureImageUnits: limits.maxCombinedTextureImageUnits,
    maxTextureImageUnits: limits.maxTextureImageUnits,
    maxFragmentUniformVectors: limits.maxFragmentUniformVectors,
    maxDrawBuffers: drawBuffersVisible ? limits.maxDrawBuffers : 1,
    minProgramTexelOffset: limits.minProgramTexelOffset,
    maxProgramTexelOffset: limits.maxProgramTexelOffset,
    maxSamples: limits.maxSamples,
    maxDualSourceDrawBuffers: limits.maxDualSourceDrawBuffers,
    maxClipDistances: limits.maxClipDistances,
  };
}
