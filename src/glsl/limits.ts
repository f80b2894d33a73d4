// The implementation limits that a shader can see as gl_Max… constants or run into.

export interface ShaderLimits {
  readonly maxVertexAttribs: number;
  readonly maxVertexUniformVectors: number;
  /** GLSL ES 1.00: gl_MaxVaryingVectors. */
  readonly maxVaryingVectors: number;
  /** GLSL ES 3.00. */
  readonly maxVertexOutputVectors: number;
  readonly maxFragmentInputVectors: number;
  readonly maxVertexTextureImageUnits: number;
  readonly maxCombinedTextureImageUnits: number;
  readonly maxTextureImageUnits: number;
  readonly maxFragmentUniformVectors: number;
  /** Also the size of gl_FragData and the number of fragment output locations. */
  readonly maxDrawBuffers: number;
  readonly minProgramTexelOffset: number;
  readonly maxProgramTexelOffset: number;
  readonly maxSamples: number;
  readonly maxDualSourceDrawBuffers: number;
  /** gl_MaxClipDistances, gl_MaxCullDistances, and both together. */
  readonly maxClipDistances: number;
}

export const DEFAULT_LIMITS: ShaderLimits = {
  maxVertexAttribs: 16,
  maxVertexUniformVectors: 256,
  maxVaryingVectors: 15,
  maxVertexOutputVectors: 16,
  maxFragmentInputVectors: 15,
  maxVertexTextureImageUnits: 16,
  maxCombinedTextureImageUnits: 32,
  maxTextureImageUnits: 16,
  maxFragmentUniformVectors: 224,
  maxDrawBuffers: 4,
  minProgramTexelOffset: -8,
  maxProgramTexelOffset: 7,
  maxSamples: 4,
  maxDualSourceDrawBuffers: 1,
  maxClipDistances: 8,
};
