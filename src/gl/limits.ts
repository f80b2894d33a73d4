// Implementation limits: from the pipe's caps, made to fit what the API version allows.

import type { LinkLimits } from '../glsl/link-result.ts';
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
  maxServerWaitTimeout: number;
}
