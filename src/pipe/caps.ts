// What a screen can do, as one typed object that is filled once; each extension and limit above follows from it.

import type { OptimizeOptions } from '../ir/optimize.ts';

export interface Caps {
  /** What the compiler's middle spells out before the backend gets a shader, because the backend has no instruction for it. */
  readonly compiler: Pick<OptimizeOptions, 'lowerTranscendentals' | 'lowerPack' | 'scalars' | 'unroll' | 'ifToSelect'>;
  /** Highest GLES version whose rules the backend can keep: 2 → WebGL 1, 3 → WebGL 2. */
  readonly glesVersion: 2 | 3;

  // Sizes, in texels unless said otherwise.
  readonly maxTexture2DSize: number;
  readonly maxTexture3DSize: number;
  readonly maxTextureCubeSize: number;
  readonly maxTextureArrayLayers: number;
  readonly maxRenderTargetSize: number;
  readonly maxViewportSize: number;
  readonly maxColorTargets: number;
  /** Supported multisample counts beyond 1, ascending. */
  readonly sampleCounts: readonly number[];
  readonly subpixelBits: number;
  readonly maxLineWidth: number;
  readonly maxPointSize: number;
  readonly maxAnisotropy: number;
  readonly maxLodBias: number;

  // Shader interfaces.
  readonly maxVertexAttribs: number;
  readonly maxVaryingVectors: number;
  readonly maxVertexUniformVectors: number;
  readonly maxFragmentUniformVectors: number;
  readonly maxVertexSamplers: number;
  readonly maxFragmentSamplers: number;
  readonly maxCombinedSamplers: number;
  /** Uniform blocks per stage; 0 below GLES 3. */
  readonly maxUniformBlocks: number;
  readonly maxUniformBlockBytes: number;
  readonly uniformBufferOffsetAlignment: number;
  readonly minTexelOffset: number;
  readonly maxTexelOffset: number;
  readonly nativeIntegers: boolean;
  readonly fragmentHighp: boolean;

  // Stream output.
  readonly maxStreamOutputBuffers: number;
  readonly maxStreamOutputInterleavedComponents: number;
  readonly maxStreamOutputSeparateComponents: number;

  // Features.
  readonly independentBlend: boolean;
  readonly independentBlendMask: boolean;
  readonly dualSourceBlend: boolean;
  readonly seamlessCube: boolean;
  readonly npotTextures: boolean;
  readonly textureSwizzle: boolean;
  readonly textureMirrorClampToEdge: boolean;
  readonly depthClamp: boolean;
  readonly clipControl: boolean;
  readonly clipDistances: number;
  readonly polygonMode: boolean;
  readonly provokingVertex: boolean;
  readonly polygonOffsetClamp: boolean;
  readonly primitiveRestart: boolean;
  readonly instancing: boolean;
  readonly baseVertex: boolean;
  readonly baseInstance: boolean;
  /** Vertex shaders can read drawId, baseVertex and baseInstance. */
  readonly shaderDrawParameters: boolean;
  readonly occlusionQueries: boolean;
  readonly timerQueries: boolean;
  readonly conditionalRender: boolean;
  readonly fragmentDepth: boolean;
  readonly shaderDerivatives: boolean;
  readonly shaderTextureLod: boolean;
  readonly sampleShading: boolean;
  readonly noperspective: boolean;
  readonly stencilTexturing: boolean;
  readonly shareableResources: boolean;
  /** The hardware can't clear it all at once for free; the state tracker need not care, tools show it. */
  readonly tiler: boolean;
}
