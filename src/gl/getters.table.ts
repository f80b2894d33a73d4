// What glGet* can ask for: pname → kind, since which version, and where the value comes from (ES 3.0.6 §6.2).

import { listOf } from '../base/list.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import { type ExtensionName, glesExtensionStrings } from './extensions.ts';
import { framebufferBits } from './framebuffer-bits.ts';
import { framebufferSamples } from './framebuffer-update.ts';
import { compressedTextureFormats } from './gl-formats.ts';
import type { GlObject } from './gl-object.ts';
import { currentTimestamp } from './queries.ts';
import { implementationColorRead } from './read-pixels.ts';
import { clampStencilReference } from './state-update.ts';

/** `normalized`: floats that map to the whole integer range when asked for as integers (colours, depths). */
export type ParameterKind = 'bool' | 'int' | 'enum' | 'float' | 'normalized' | 'object';

/** Several values are an array; kind says what they are. */
export type ParameterValue = number | boolean | GlObject | null | ArrayLike<number> | readonly boolean[];

export interface ParameterRow {
  readonly kind: ParameterKind;
  readonly since: 2 | 3;
  /** Makes it valid before `since`. */
  readonly extension?: ExtensionName;
  readonly api?: 'gles' | 'webgl';
  /** undefined: INVALID_OPERATION in the present state. */
  readonly get: (context: Context) => ParameterValue | undefined;
}

type Rules = Pick<ParameterRow, 'api' | 'extension'>;
type Entry = readonly [number, ParameterRow];

function row(kind: ParameterKind, since: 2 | 3) {
  return (pname: number, get: ParameterRow['get'], rules: Rules = {}): Entry => [pname, { kind, since, get, ...rules }];
}

const bool2 = row('bool', 2);
const int2 = row('int', 2);
const enum2 = row('enum', 2);
const float2 = row('float', 2);
const normalized2 = row('normalized', 2);
const object2 = row('object', 2);
const bool3 = row('bool', 3);
const int3 = row('int', 3);
const enum3 = row('enum', 3);
const float3 = row('float', 3);
const object3 = row('object', 3);

const GLES: Rules = { api: 'gles' };
const WEBGL: Rules = { api: 'webgl' };

/** The texture bound to the active unit; a default texture is no object. */
function boundTexture(context: Context, index: number): GlObject | null {
  const texture = context.textureUnits[context.activeTexture]!.textures[index]!;
  return texture === context.defaultTextures[index] ? null : texture;
}

function writeMaskBools(mask: number): boolean[] {
  return [1, 2, 4, 8].map((bit) => (mask & bit) !== 0);
}

/** Draw buffers that the application may use: without EXT_draw_buffers ES 2.0 has one. */
function visibleDrawBuffers(context: Context): number {
  return context.version >= 3 || context.isEnabled('EXT_draw_buffers') ? context.limits.maxDrawBuffers : 1;
}

const drawBufferRows = listOf(16, (i) =>
  enum3(
    GL.DRAW_BUFFER0 + i,
    (context) => (i < context.limits.maxDrawBuffers ? (context.drawFramebuffer.drawBuffers[i] ?? GL.NONE) : GL.NONE),
    { extension: 'EXT_draw_buffers' },
  ),
);

/** 31-bit masks as GL's signed integers have them: all ones reads as −1 when signed, and WebGL hands out unsigned. */
function stencilMaskValue(context: Context, mask: number): number {
  return context.rules.webgl ? mask >>> 0 : mask | 0;
}

export const PARAMETERS: ReadonlyMap<number, ParameterRow> = new Map<number, ParameterRow>([
  // Bindings
  object2(GL.ARRAY_BUFFER_BINDING, (context) => context.arrayBuffer),
  object2(GL.ELEMENT_ARRAY_BUFFER_BINDING, (context) => context.vertexArray.elementBuffer),
  object2(GL.CURRENT_PROGRAM, (context) => context.program),
  object2(GL.FRAMEBUFFER_BINDING, (context) => (context.drawFramebuffer.isDefault ? null : context.drawFramebuffer)),
  object2(GL.RENDERBUFFER_BINDING, (context) => context.renderbuffer),
  object2(GL.TEXTURE_BINDING_2D, (context) => boundTexture(context, 0)),
  object2(GL.TEXTURE_BINDING_CUBE_MAP, (context) => boundTexture(context, 1)),
  enum2(GL.ACTIVE_TEXTURE, (context) => GL.TEXTURE0 + context.activeTexture),
  object3(GL.TEXTURE_BINDING_3D, (context) => boundTexture(context, 2)),
  object3(GL.TEXTURE_BINDING_2D_ARRAY, (context) => boundTexture(context, 3)),
  object3(GL.SAMPLER_BINDING, (context) => context.textureUnits[context.activeTexture]!.sampler),
  object3(GL.COPY_READ_BUFFER_BINDING, (context) => context.copyReadBuffer),
  object3(GL.COPY_WRITE_BUFFER_BINDING, (context) => context.copyWriteBuffer),
  object3(GL.PIXEL_PACK_BUFFER_BINDING, (context) => context.pixelPackBuffer),
  object3(GL.PIXEL_UNPACK_BUFFER_BINDING, (context) => context.pixelUnpackBuffer),
  object3(GL.UNIFORM_BUFFER_BINDING, (context) => context.uniformBuffer),
  object3(GL.TRANSFORM_FEEDBACK_BUFFER_BINDING, (context) => context.transformFeedbackBuffer),
  object3(GL.READ_FRAMEBUFFER_BINDING, (context) =>
    context.readFramebuffer.isDefault ? null : context.readFramebuffer,
  ),
  object3(
    GL.VERTEX_ARRAY_BINDING,
    (context) => (context.vertexArray === context.defaultVertexArray ? null : context.vertexArray),
    { extension: 'OES_vertex_array_object' },
  ),
  object3(GL.TRANSFORM_FEEDBACK_BINDING, (context) =>
    context.transformFeedback === context.defaultTransformFeedback ? null : context.transformFeedback,
  ),
  bool3(GL.TRANSFORM_FEEDBACK_ACTIVE, (context) => context.transformFeedback.active),
  bool3(GL.TRANSFORM_FEEDBACK_PAUSED, (context) => context.transformFeedback.paused),

  // Rasterization
  float2(GL.LINE_WIDTH, (context) => context.rasterizer.lineWidth),
  enum2(GL.CULL_FACE_MODE, (context) => context.rasterizer.cullFace),
  enum2(GL.FRONT_FACE, (context) => context.rasterizer.frontFace),
  float2(GL.POLYGON_OFFSET_FACTOR, (context) => context.rasterizer.polygonOffsetFactor),
  float2(GL.POLYGON_OFFSET_UNITS, (context) => context.rasterizer.polygonOffsetUnits),
  float2(GL.POLYGON_OFFSET_CLAMP_EXT, (context) => context.rasterizer.polygonOffsetClamp, {
    extension: 'EXT_polygon_offset_clamp',
  }),
  enum2(GL.CLIP_ORIGIN_EXT, (context) => context.clip.origin, { extension: 'EXT_clip_control' }),
  enum2(GL.CLIP_DEPTH_MODE_EXT, (context) => context.clip.depthMode, { extension: 'EXT_clip_control' }),
  // An extension on a version's rows: only with it (`get.ts`).
  enum2(GL.PROVOKING_VERTEX_ANGLE, (context) => context.rasterizer.provokingVertex, {
    extension: 'WEBGL_provoking_vertex',
  }),
  enum2(GL.POLYGON_MODE_ANGLE, (context) => context.rasterizer.polygonMode, { extension: 'WEBGL_polygon_mode' }),
  int2(GL.MAX_DUAL_SOURCE_DRAW_BUFFERS_EXT, ({ limits }) => limits.maxDualSourceDrawBuffers, {
    extension: 'WEBGL_blend_func_extended',
  }),
  int2(GL.TIMESTAMP_EXT, currentTimestamp, { extension: 'EXT_disjoint_timer_query' }),
  // The backends' clocks run on whatever happens: no result is ever worthless.
  bool2(GL.GPU_DISJOINT_EXT, () => false, { extension: 'EXT_disjoint_timer_query' }),
  int2(GL.MAX_CLIP_DISTANCES_EXT, ({ limits }) => limits.maxClipDistances, { extension: 'WEBGL_clip_cull_distance' }),
  int2(GL.MAX_CULL_DISTANCES_EXT, ({ limits }) => limits.maxClipDistances, { extension: 'WEBGL_clip_cull_distance' }),
  int2(GL.MAX_COMBINED_CLIP_AND_CULL_DISTANCES_EXT, ({ limits }) => limits.maxClipDistances, {
    extension: 'WEBGL_clip_cull_distance',
  }),
  float2(GL.MIN_FRAGMENT_INTERPOLATION_OFFSET_OES, () => -0.5, { extension: 'OES_shader_multisample_interpolation' }),
  float2(GL.MAX_FRAGMENT_INTERPOLATION_OFFSET_OES, () => 0.5, { extension: 'OES_shader_multisample_interpolation' }),
  int2(GL.FRAGMENT_INTERPOLATION_OFFSET_BITS_OES, ({ limits }) => limits.subpixelBits, {
    extension: 'OES_shader_multisample_interpolation',
  }),
  float2(GL.SAMPLE_COVERAGE_VALUE, (context) => context.multisample.coverageValue),
  bool2(GL.SAMPLE_COVERAGE_INVERT, (context) => context.multisample.coverageInvert),
  int2(GL.VIEWPORT, ({ viewport: v }) => [v.x, v.y, v.width, v.height]),
  int2(GL.SCISSOR_BOX, ({ scissor: s }) => [s.x, s.y, s.width, s.height]),
  normalized2(GL.DEPTH_RANGE, (context) => [context.depth.near, context.depth.far]),

  // Depth and stencil
  enum2(GL.DEPTH_FUNC, (context) => context.depth.func),
  bool2(GL.DEPTH_WRITEMASK, (context) => context.depth.writeMask),
  normalized2(GL.DEPTH_CLEAR_VALUE, (context) => context.clear.depth),
  enum2(GL.STENCIL_FUNC, (context) => context.stencil.front.func),
  int2(GL.STENCIL_VALUE_MASK, (context) => stencilMaskValue(context, context.stencil.front.readMask)),
  int2(GL.STENCIL_REF, (context) => clampStencilReference(context.stencil.front.reference)),
  int2(GL.STENCIL_WRITEMASK, (context) => stencilMaskValue(context, context.stencil.front.writeMask)),
  enum2(GL.STENCIL_FAIL, (context) => context.stencil.front.fail),
  enum2(GL.STENCIL_PASS_DEPTH_FAIL, (context) => context.stencil.front.depthFail),
  enum2(GL.STENCIL_PASS_DEPTH_PASS, (context) => context.stencil.front.depthPass),
  enum2(GL.STENCIL_BACK_FUNC, (context) => context.stencil.back.func),
  int2(GL.STENCIL_BACK_VALUE_MASK, (context) => stencilMaskValue(context, context.stencil.back.readMask)),
  int2(GL.STENCIL_BACK_REF, (context) => clampStencilReference(context.stencil.back.reference)),
  int2(GL.STENCIL_BACK_WRITEMASK, (context) => stencilMaskValue(context, context.stencil.back.writeMask)),
  enum2(GL.STENCIL_BACK_FAIL, (context) => context.stencil.back.fail),
  enum2(GL.STENCIL_BACK_PASS_DEPTH_FAIL, (context) => context.stencil.back.depthFail),
  enum2(GL.STENCIL_BACK_PASS_DEPTH_PASS, (context) => context.stencil.back.depthPass),
  int2(GL.STENCIL_CLEAR_VALUE, (context) => context.clear.stencil),

  // Colour
  enum2(GL.BLEND_SRC_RGB, (context) => context.blend.targets[0]!.sourceRgb),
  enum2(GL.BLEND_SRC_ALPHA, (context) => context.blend.targets[0]!.sourceAlpha),
  enum2(GL.BLEND_DST_RGB, (context) => context.blend.targets[0]!.destinationRgb),
  enum2(GL.BLEND_DST_ALPHA, (context) => context.blend.targets[0]!.destinationAlpha),
  enum2(GL.BLEND_EQUATION_RGB, (context) => context.blend.targets[0]!.equationRgb),
  enum2(GL.BLEND_EQUATION_ALPHA, (context) => context.blend.targets[0]!.equationAlpha),
  normalized2(GL.BLEND_COLOR, (context) => context.blend.color),
  normalized2(GL.COLOR_CLEAR_VALUE, (context) => context.clear.color),
  bool2(GL.COLOR_WRITEMASK, (context) => writeMaskBools(context.blend.targets[0]!.writeMask)),

  // Framebuffers
  int2(GL.RED_BITS, (context) => framebufferBits(context, context.drawFramebuffer)[0]!),
  int2(GL.GREEN_BITS, (context) => framebufferBits(context, context.drawFramebuffer)[1]!),
  int2(GL.BLUE_BITS, (context) => framebufferBits(context, context.drawFramebuffer)[2]!),
  int2(GL.ALPHA_BITS, (context) => framebufferBits(context, context.drawFramebuffer)[3]!),
  int2(GL.DEPTH_BITS, (context) => framebufferBits(context, context.drawFramebuffer)[4]!),
  int2(GL.STENCIL_BITS, (context) => framebufferBits(context, context.drawFramebuffer)[5]!),
  int2(GL.SAMPLE_BUFFERS, (context) => (framebufferSamples(context, context.drawFramebuffer) > 0 ? 1 : 0)),
  int2(GL.SAMPLES, (context) => framebufferSamples(context, context.drawFramebuffer)),
  enum2(GL.IMPLEMENTATION_COLOR_READ_FORMAT, (context) => implementationColorRead(context)?.format),
  enum2(GL.IMPLEMENTATION_COLOR_READ_TYPE, (context) => implementationColorRead(context)?.type),
  enum3(GL.READ_BUFFER, (context) => context.readFramebuffer.readBuffer),
  ...drawBufferRows,

  // Pixel storage
  int2(GL.PACK_ALIGNMENT, (context) => context.pack.alignment),
  int2(GL.UNPACK_ALIGNMENT, (context) => context.unpack.alignment),
  int3(GL.PACK_ROW_LENGTH, (context) => context.pack.rowLength),
  int3(GL.PACK_SKIP_PIXELS, (context) => context.pack.skipPixels),
  int3(GL.PACK_SKIP_ROWS, (context) => context.pack.skipRows),
  int3(GL.UNPACK_ROW_LENGTH, (context) => context.unpack.rowLength, { extension: 'EXT_unpack_subimage' }),
  int3(GL.UNPACK_SKIP_PIXELS, (context) => context.unpack.skipPixels, { extension: 'EXT_unpack_subimage' }),
  int3(GL.UNPACK_SKIP_ROWS, (context) => context.unpack.skipRows, { extension: 'EXT_unpack_subimage' }),
  int3(GL.UNPACK_IMAGE_HEIGHT, (context) => context.unpack.imageHeight),
  int3(GL.UNPACK_SKIP_IMAGES, (context) => context.unpack.skipImages),
  bool2(GL.UNPACK_FLIP_Y_WEBGL, (context) => context.webglUnpack.flipY, WEBGL),
  bool2(GL.UNPACK_PREMULTIPLY_ALPHA_WEBGL, (context) => context.webglUnpack.premultiplyAlpha, WEBGL),
  enum2(GL.UNPACK_COLORSPACE_CONVERSION_WEBGL, (context) => context.webglUnpack.colorspaceConversion, WEBGL),

  // Hints
  enum2(GL.GENERATE_MIPMAP_HINT, (context) => context.hints.generateMipmap),
  enum3(GL.FRAGMENT_SHADER_DERIVATIVE_HINT, (context) => context.hints.fragmentShaderDerivative, {
    extension: 'OES_standard_derivatives',
  }),

  // Limits
  float2(GL.ALIASED_LINE_WIDTH_RANGE, ({ limits }) => [limits.minLineWidth, limits.maxLineWidth]),
  float2(GL.ALIASED_POINT_SIZE_RANGE, ({ limits }) => [limits.minPointSize, limits.maxPointSize]),
  int2(GL.MAX_COMBINED_TEXTURE_IMAGE_UNITS, ({ limits }) => limits.maxCombinedTextureImageUnits),
  int2(GL.MAX_CUBE_MAP_TEXTURE_SIZE, ({ limits }) => limits.maxCubeMapTextureSize),
  int2(GL.MAX_FRAGMENT_UNIFORM_VECTORS, ({ limits }) => limits.maxFragmentUniformVectors),
  int2(GL.MAX_RENDERBUFFER_SIZE, ({ limits }) => limits.maxRenderbufferSize),
  int2(GL.MAX_TEXTURE_IMAGE_UNITS, ({ limits }) => limits.maxTextureImageUnits),
  int2(GL.MAX_TEXTURE_SIZE, ({ limits }) => limits.maxTextureSize),
  int2(GL.MAX_VARYING_VECTORS, ({ limits }) => limits.maxVaryingVectors),
  int2(GL.MAX_VERTEX_ATTRIBS, ({ limits }) => limits.maxVertexAttribs),
  int2(GL.MAX_VERTEX_TEXTURE_IMAGE_UNITS, ({ limits }) => limits.maxVertexTextureImageUnits),
  int2(GL.MAX_VERTEX_UNIFORM_VECTORS, ({ limits }) => limits.maxVertexUniformVectors),
  int2(GL.MAX_VIEWPORT_DIMS, ({ limits }) => [limits.maxViewportWidth, limits.maxViewportHeight]),
  int2(GL.SUBPIXEL_BITS, ({ limits }) => limits.subpixelBits),
  int3(GL.MAX_3D_TEXTURE_SIZE, ({ limits }) => limits.max3dTextureSize),
  int3(GL.MAX_ARRAY_TEXTURE_LAYERS, ({ limits }) => limits.maxArrayTextureLayers),
  int3(GL.MAX_COLOR_ATTACHMENTS, ({ limits }) => limits.maxColorAttachments, { extension: 'EXT_draw_buffers' }),
  int3(GL.MAX_DRAW_BUFFERS, visibleDrawBuffers, { extension: 'EXT_draw_buffers' }),
  int3(GL.MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS, ({ limits: l }) =>
    combinedComponents(l.maxFragmentUniformVectors, l),
  ),
  int3(GL.MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS, ({ limits: l }) => combinedComponents(l.maxVertexUniformVectors, l)),
  int3(GL.MAX_COMBINED_UNIFORM_BLOCKS, ({ limits }) => limits.maxCombinedUniformBlocks),
  int3(GL.MAX_ELEMENT_INDEX, ({ limits }) => limits.maxElementIndex),
  int3(GL.MAX_ELEMENTS_INDICES, ({ limits }) => limits.maxElementsIndices),
  int3(GL.MAX_ELEMENTS_VERTICES, ({ limits }) => limits.maxElementsVertices),
  int3(GL.MAX_FRAGMENT_INPUT_COMPONENTS, ({ limits }) => limits.maxVaryingVectors * 4),
  int3(GL.MAX_FRAGMENT_UNIFORM_BLOCKS, ({ limits }) => limits.maxFragmentUniformBlocks),
  int3(GL.MAX_FRAGMENT_UNIFORM_COMPONENTS, ({ limits }) => limits.maxFragmentUniformVectors * 4),
  int3(GL.MAX_PROGRAM_TEXEL_OFFSET, ({ limits }) => limits.maxProgramTexelOffset),
  int3(GL.MIN_PROGRAM_TEXEL_OFFSET, ({ limits }) => limits.minProgramTexelOffset),
  int3(GL.MAX_SAMPLES, ({ limits }) => limits.maxSamples),
  int3(GL.MAX_SERVER_WAIT_TIMEOUT, ({ limits }) => limits.maxServerWaitTimeout),
  int3(GL.MAX_CLIENT_WAIT_TIMEOUT_WEBGL, ({ limits }) => limits.maxClientWaitTimeoutWebgl, WEBGL),
  float3(GL.MAX_TEXTURE_LOD_BIAS, ({ limits }) => limits.maxTextureLodBias),
  int3(
    GL.MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS,
    ({ limits }) => limits.maxTransformFeedbackInterleavedComponents,
  ),
  int3(GL.MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, ({ limits }) => limits.maxTransformFeedbackSeparateAttribs),
  int3(GL.MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS, ({ limits }) => limits.maxTransformFeedbackSeparateComponents),
  int3(GL.MAX_UNIFORM_BLOCK_SIZE, ({ limits }) => limits.maxUniformBlockSize),
  int3(GL.MAX_UNIFORM_BUFFER_BINDINGS, ({ limits }) => limits.maxUniformBufferBindings),
  int3(GL.MAX_VARYING_COMPONENTS, ({ limits }) => limits.maxVaryingVectors * 4),
  int3(GL.MAX_VERTEX_OUTPUT_COMPONENTS, ({ limits }) => (limits.maxVaryingVectors + 1) * 4),
  int3(GL.MAX_VERTEX_UNIFORM_BLOCKS, ({ limits }) => limits.maxVertexUniformBlocks),
  int3(GL.MAX_VERTEX_UNIFORM_COMPONENTS, ({ limits }) => limits.maxVertexUniformVectors * 4),
  int3(GL.UNIFORM_BUFFER_OFFSET_ALIGNMENT, ({ limits }) => limits.uniformBufferOffsetAlignment),
  float2(GL.MAX_TEXTURE_MAX_ANISOTROPY_EXT, ({ limits }) => limits.maxAnisotropy, {
    extension: 'EXT_texture_filter_anisotropic',
  }),

  // Identity
  enum2(GL.COMPRESSED_TEXTURE_FORMATS, compressedTextureFormats),
  int2(GL.NUM_COMPRESSED_TEXTURE_FORMATS, (context) => compressedTextureFormats(context).length, GLES),
  bool2(GL.SHADER_COMPILER, () => true, GLES),
  enum2(GL.SHADER_BINARY_FORMATS, () => [], GLES),
  int2(GL.NUM_SHADER_BINARY_FORMATS, () => 0, GLES),
  enum3(GL.PROGRAM_BINARY_FORMATS, () => [], GLES),
  int3(GL.NUM_PROGRAM_BINARY_FORMATS, () => 0, GLES),
  int3(GL.MAJOR_VERSION, (context) => context.version, GLES),
  int3(GL.MINOR_VERSION, () => 0, GLES),
  int3(GL.NUM_EXTENSIONS, (context) => glesExtensionStrings(context.extensions).length, GLES),
]);

function combinedComponents(
  vectors: number,
  limits: { maxUniformBlockSize: number; maxVertexUniformBlocks: number },
): number {
  return vectors * 4 + (limits.maxVertexUniformBlocks * limits.maxUniformBlockSize) / 4;
}

/** pname of glGet*i_v: limit of the index, and the value. */
export interface IndexedParameterRow {
  readonly kind: ParameterKind;
  readonly extension?: ExtensionName;
  readonly limit: (context: Context) => number;
  readonly get: (context: Context, index: number) => ParameterValue;
}

const uniformBindingLimit = (context: Context): number => context.limits.maxUniformBufferBindings;
const feedbackBindingLimit = (context: Context): number => context.limits.maxTransformFeedbackSeparateAttribs;
const drawBufferLimit = (context: Context): number => context.limits.maxDrawBuffers;

type BlendField = 'sourceRgb' | 'sourceAlpha' | 'destinationRgb' | 'destinationAlpha' | 'equationRgb' | 'equationAlpha';

function blendRow(pname: number, field: BlendField): readonly [number, IndexedParameterRow] {
  return [
    pname,
    {
      kind: 'enum',
      extension: 'OES_draw_buffers_indexed',
      limit: drawBufferLimit,
      get: (context, index) => context.blend.targets[index]![field],
    },
  ];
}

export const INDEXED_PARAMETERS: ReadonlyMap<number, IndexedParameterRow> = new Map<number, IndexedParameterRow>([
  [
    GL.UNIFORM_BUFFER_BINDING,
    {
      kind: 'object',
      limit: uniformBindingLimit,
      get: (context, index) => context.uniformBufferBindings[index]!.buffer,
    },
  ],
  [
    GL.UNIFORM_BUFFER_START,
    { kind: 'int', limit: uniformBindingLimit, get: (context, index) => context.uniformBufferBindings[index]!.offset },
  ],
  [
    GL.UNIFORM_BUFFER_SIZE,
    { kind: 'int', limit: uniformBindingLimit, get: (context, index) => context.uniformBufferBindings[index]!.size },
  ],
  [
    GL.TRANSFORM_FEEDBACK_BUFFER_BINDING,
    {
      kind: 'object',
      limit: feedbackBindingLimit,
      get: (context, index) => context.transformFeedback.bindings[index]!.buffer,
    },
  ],
  [
    GL.TRANSFORM_FEEDBACK_BUFFER_START,
    {
      kind: 'int',
      limit: feedbackBindingLimit,
      get: (context, index) => context.transformFeedback.bindings[index]!.offset,
    },
  ],
  [
    GL.TRANSFORM_FEEDBACK_BUFFER_SIZE,
    {
      kind: 'int',
      limit: feedbackBindingLimit,
      get: (context, index) => context.transformFeedback.bindings[index]!.size,
    },
  ],
  blendRow(GL.BLEND_SRC_RGB, 'sourceRgb'),
  blendRow(GL.BLEND_SRC_ALPHA, 'sourceAlpha'),
  blendRow(GL.BLEND_DST_RGB, 'destinationRgb'),
  blendRow(GL.BLEND_DST_ALPHA, 'destinationAlpha'),
  blendRow(GL.BLEND_EQUATION_RGB, 'equationRgb'),
  blendRow(GL.BLEND_EQUATION_ALPHA, 'equationAlpha'),
  [
    GL.COLOR_WRITEMASK,
    {
      kind: 'bool',
      extension: 'OES_draw_buffers_indexed',
      limit: drawBufferLimit,
      get: (context, index) => writeMaskBools(context.blend.targets[index]!.writeMask),
    },
  ],
]);
