// WebGL's extension objects: constants and methods of each. Which context can have one is asked of `src/gl/extensions.ts`.

import { listOf } from '../base/list.ts';
import { GL } from '../gl/constants.ts';
import {
  drawArraysInstanced,
  drawArraysInstancedBaseInstance,
  drawElementsInstanced,
  drawElementsInstancedBaseVertexBaseInstance,
} from '../gl/draw.ts';
import { setEnabledIndexed } from '../gl/enable.ts';
import type { ExtensionName } from '../gl/extensions.ts';
import * as fixed from '../gl/fixed-state.ts';
import { drawBuffers } from '../gl/framebuffer.ts';
import { beginQuery, createQuery, deleteQuery } from '../gl/queries.ts';
import { bindVertexArray, createVertexArray, deleteVertexArray, vertexAttribDivisor } from '../gl/vertex-arrays.ts';
import { loseContext, restoreContext } from './context-loss.ts';
import type { Face } from './face.ts';

import {
  compiledSource,
  unwrap,
  type WebGLShader,
  WebGLTimerQueryEXT,
  WebGLVertexArrayObjectOES,
  wrap,
} from './handles.ts';
import { BASE_MULTI_DRAWS, MULTI_DRAWS } from './multi-draws.ts';
import { endQuery, getQuery, getQueryParameter, queryCounter } from './queries.ts';
import { isDeletable, isUsable } from './validity.ts';

/** Signature as in `signatures.table.ts`, and what the method does. */
// biome-ignore lint/suspicious/noExplicitAny: arguments have the types of the signature
export type ExtensionMethod = readonly [signature: string, run: (face: Face, ...args: any[]) => unknown];

/** Made when a script first asks for the extension. */
type Constants = () => Readonly<Record<string, number>>;

export interface ExtensionObjectRow {
  readonly constants?: Constants;
  readonly methods?: Readonly<Record<string, ExtensionMethod>>;
  /** What enabling it enables too ("implicitly", in the extensions' texts), if the context can have it. */
  readonly enables?: readonly ExtensionName[];
  /** What WebGL 2 has instead. */
  readonly webgl2?: Omit<ExtensionObjectRow, 'webgl2'>;
}

type GlName = keyof typeof GL;

/** Constants by their names in `constants.ts`. */
function constants(...names: GlName[]): Constants {
  return () => Object.fromEntries(names.map((name) => [name, GL[name]]));
}

function namesLike(pattern: RegExp): GlName[] {
  return (Object.keys(GL) as GlName[]).filter((name) => pattern.test(name));
}

function matching(pattern: RegExp): Constants {
  return () => constants(...namesLike(pattern))();
}

/** Under WebGL's suffix. */
function renamed(...names: GlName[]): Readonly<Record<string, number>> {
  return Object.fromEntries(names.map((name) => [name.replace(/_(EXT|ANGLE)$/, '_WEBGL'), GL[name]]));
}

/** `first`, `first` + 1 … under a pattern with `#` for the number. */
function series(pattern: string, first: number, count: number): Record<string, number> {
  return Object.fromEntries(listOf(count, (i) => [pattern.replace('#', String(i)), first + i]));
}

const TIMES = constants('QUERY_COUNTER_BITS_EXT', 'TIME_ELAPSED_EXT', 'TIMESTAMP_EXT', 'GPU_DISJOINT_EXT');
const FLOAT_TARGETS: readonly GlName[] = ['FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE_EXT', 'UNSIGNED_NORMALIZED_EXT'];

export const EXTENSION_OBJECTS: Readonly<Partial<Record<ExtensionName, ExtensionObjectRow>>> = {
  ANGLE_instanced_arrays: {
    constants: constants('VERTEX_ATTRIB_ARRAY_DIVISOR_ANGLE'),
    methods: {
      drawArraysInstancedANGLE: [
        'enum int int int',
        ({ context }, mode, first, count, instances) => drawArraysInstanced(context, mode, first, count, instances),
      ],
      drawElementsInstancedANGLE: [
        'enum int enum int64 int',
        ({ context }, mode, count, type, offset, instances) =>
          drawElementsInstanced(context, mode, count, type, offset, instances),
      ],
      vertexAttribDivisorANGLE: [
        'uint uint',
        ({ context }, index, divisor) => vertexAttribDivisor(context, index, divisor),
      ],
    },
  },
  EXT_blend_minmax: { constants: constants('MIN_EXT', 'MAX_EXT') },
  EXT_clip_control: {
    constants: constants(
      'LOWER_LEFT_EXT',
      'UPPER_LEFT_EXT',
      'NEGATIVE_ONE_TO_ONE_EXT',
      'ZERO_TO_ONE_EXT',
      'CLIP_ORIGIN_EXT',
      'CLIP_DEPTH_MODE_EXT',
    ),
    methods: {
      clipControlEXT: ['enum enum', ({ context }, origin, depth) => fixed.clipControl(context, origin, depth)],
    },
  },
  EXT_depth_clamp: { constants: constants('DEPTH_CLAMP_EXT') },
  EXT_disjoint_timer_query: {
    constants: () => ({
      ...TIMES(),
      CURRENT_QUERY_EXT: GL.CURRENT_QUERY,
      QUERY_RESULT_EXT: GL.QUERY_RESULT,
      QUERY_RESULT_AVAILABLE_EXT: GL.QUERY_RESULT_AVAILABLE,
    }),
    methods: {
      createQueryEXT: ['-> always', (face) => wrap(WebGLTimerQueryEXT, face, createQuery(face.context))],
      deleteQueryEXT: [
        'TimerQueryEXT*',
        (face, query: WebGLTimerQueryEXT | null) => {
          if (isDeletable(face, 'deleteQueryEXT', query)) deleteQuery(face.context, unwrap(query));
        },
      ],
      isQueryEXT: [
        'TimerQueryEXT* -> false',
        (face, query: WebGLTimerQueryEXT | null) => isUsable(face, query) && unwrap(query).target !== 0,
      ],
      beginQueryEXT: [
        'enum TimerQueryEXT',
        ({ context }, target, query: WebGLTimerQueryEXT) => beginQuery(context, target, unwrap(query)),
      ],
      endQueryEXT: ['enum', endQuery],
      queryCounterEXT: ['TimerQueryEXT enum', queryCounter],
      getQueryEXT: ['enum enum -> null', getQuery],
      getQueryObjectEXT: ['TimerQueryEXT enum -> null', getQueryParameter],
    },
    webgl2: { constants: TIMES, methods: { queryCounterEXT: ['Query enum', queryCounter] } },
  },
  EXT_polygon_offset_clamp: {
    constants: constants('POLYGON_OFFSET_CLAMP_EXT'),
    methods: {
      polygonOffsetClampEXT: [
        'float float float',
        ({ context }, factor, units, clamp) => fixed.polygonOffsetClamp(context, factor, units, clamp),
      ],
    },
  },
  EXT_color_buffer_float: { enables: ['EXT_float_blend'] },
  EXT_color_buffer_half_float: { constants: constants('RGBA16F_EXT', 'RGB16F_EXT', ...FLOAT_TARGETS) },
  WEBGL_color_buffer_float: {
    constants: constants('RGBA32F_EXT', ...FLOAT_TARGETS),
    enables: ['EXT_float_blend'],
  },
  EXT_sRGB: {
    constants: constants('SRGB_EXT', 'SRGB_ALPHA_EXT', 'SRGB8_ALPHA8_EXT', 'FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING_EXT'),
  },
  EXT_texture_compression_bptc: { constants: matching(/_BPTC_/) },
  EXT_texture_compression_rgtc: { constants: matching(/_RGTC\d_EXT$/) },
  EXT_texture_filter_anisotropic: {
    constants: constants('TEXTURE_MAX_ANISOTROPY_EXT', 'MAX_TEXTURE_MAX_ANISOTROPY_EXT'),
  },
  EXT_texture_mirror_clamp_to_edge: { constants: constants('MIRROR_CLAMP_TO_EDGE_EXT') },
  WEBGL_stencil_texturing: {
    constants: () => ({
      DEPTH_STENCIL_TEXTURE_MODE_WEBGL: GL.DEPTH_STENCIL_TEXTURE_MODE,
      STENCIL_INDEX_WEBGL: GL.STENCIL_INDEX,
    }),
  },
  EXT_texture_norm16: { constants: matching(/^R[GBA]*16(_SNORM)?_EXT$/) },
  KHR_parallel_shader_compile: { constants: constants('COMPLETION_STATUS_KHR') },
  KHR_texture_compression_astc_ldr: {
    constants: matching(/_ASTC_/),
    methods: { getSupportedProfiles: ['-> null', () => ['ldr']] },
  },
  IMG_texture_compression_pvrtc: { constants: matching(/_PVRTC_/) },
  OES_compressed_ETC1_RGB8_texture: { constants: constants('COMPRESSED_RGB_ETC1_WEBGL') },
  OES_depth_texture: { constants: constants('UNSIGNED_INT_24_8_WEBGL') },
  OES_standard_derivatives: { constants: constants('FRAGMENT_SHADER_DERIVATIVE_HINT_OES') },
  OES_texture_float: { enables: ['WEBGL_color_buffer_float', 'EXT_float_blend'] },
  OES_texture_half_float: { constants: constants('HALF_FLOAT_OES'), enables: ['EXT_color_buffer_half_float'] },
  OES_vertex_array_object: {
    constants: constants('VERTEX_ARRAY_BINDING_OES'),
    methods: {
      createVertexArrayOES: [
        '-> always',
        (face) => wrap(WebGLVertexArrayObjectOES, face, createVertexArray(face.context)),
      ],
      deleteVertexArrayOES: [
        'VertexArrayObjectOES*',
        (face, array: WebGLVertexArrayObjectOES | null) => {
          if (isDeletable(face, 'deleteVertexArrayOES', array)) deleteVertexArray(face.context, unwrap(array));
        },
      ],
      isVertexArrayOES: [
        'VertexArrayObjectOES* -> false',
        (face, array: WebGLVertexArrayObjectOES | null) => isUsable(face, array) && unwrap(array).wasBound,
      ],
      bindVertexArrayOES: [
        'VertexArrayObjectOES?',
        ({ context }, array: WebGLVertexArrayObjectOES | null) => bindVertexArray(context, unwrap(array)),
      ],
    },
  },
  OES_draw_buffers_indexed: {
    methods: {
      enableiOES: ['enum uint', ({ context }, cap, index) => setEnabledIndexed(context, cap, index, true)],
      disableiOES: ['enum uint', ({ context }, cap, index) => setEnabledIndexed(context, cap, index, false)],
      blendEquationiOES: [
        'uint enum',
        ({ context }, index, mode) => fixed.blendEquationSeparatei(context, index, mode, mode),
      ],
      blendEquationSeparateiOES: [
        'uint enum enum',
        ({ context }, index, rgb, alpha) => fixed.blendEquationSeparatei(context, index, rgb, alpha),
      ],
      blendFunciOES: [
        'uint enum enum',
        ({ context }, index, source, destination) =>
          fixed.blendFuncSeparatei(context, index, source, destination, source, destination),
      ],
      blendFuncSeparateiOES: [
        'uint enum enum enum enum',
        ({ context }, index, srcRgb, dstRgb, srcAlpha, dstAlpha) =>
          fixed.blendFuncSeparatei(context, index, srcRgb, dstRgb, srcAlpha, dstAlpha),
      ],
      colorMaskiOES: [
        'uint bool bool bool bool',
        ({ context }, index, red, green, blue, alpha) => fixed.colorMaski(context, index, red, green, blue, alpha),
      ],
    },
  },
  OES_shader_multisample_interpolation: {
    constants: constants(
      'MIN_FRAGMENT_INTERPOLATION_OFFSET_OES',
      'MAX_FRAGMENT_INTERPOLATION_OFFSET_OES',
      'FRAGMENT_INTERPOLATION_OFFSET_BITS_OES',
    ),
  },
  WEBGL_blend_func_extended: {
    constants: () =>
      renamed(
        'SRC1_COLOR_EXT',
        'SRC1_ALPHA_EXT',
        'ONE_MINUS_SRC1_COLOR_EXT',
        'ONE_MINUS_SRC1_ALPHA_EXT',
        'MAX_DUAL_SOURCE_DRAW_BUFFERS_EXT',
      ),
  },
  WEBGL_clip_cull_distance: {
    constants: () => renamed(...namesLike(/^(MAX_(COMBINED_)?(CLIP|CULL)|CLIP_DISTANCE\d).*_EXT$/)),
  },
  WEBGL_polygon_mode: {
    constants: () => renamed('POLYGON_MODE_ANGLE', 'POLYGON_OFFSET_LINE_ANGLE', 'LINE_ANGLE', 'FILL_ANGLE'),
    methods: {
      polygonModeWEBGL: ['enum enum', ({ context }, face, mode) => fixed.polygonMode(context, face, mode)],
    },
  },
  WEBGL_provoking_vertex: {
    constants: () => renamed('FIRST_VERTEX_CONVENTION_ANGLE', 'LAST_VERTEX_CONVENTION_ANGLE', 'PROVOKING_VERTEX_ANGLE'),
    methods: { provokingVertexWEBGL: ['enum', ({ context }, mode) => fixed.provokingVertex(context, mode)] },
  },
  WEBGL_multi_draw: { methods: MULTI_DRAWS, enables: ['ANGLE_instanced_arrays'] },
  WEBGL_draw_instanced_base_vertex_base_instance: {
    methods: {
      drawArraysInstancedBaseInstanceWEBGL: [
        'enum int int int uint',
        ({ context }, mode, first, count, instances, baseInstance) =>
          drawArraysInstancedBaseInstance(context, mode, first, count, instances, baseInstance),
      ],
      drawElementsInstancedBaseVertexBaseInstanceWEBGL: [
        'enum int enum int64 int int uint',
        ({ context }, mode, count, type, offset, instances, baseVertex, baseInstance) =>
          drawElementsInstancedBaseVertexBaseInstance(
            context,
            mode,
            count,
            type,
            offset,
            instances,
            baseVertex,
            baseInstance,
          ),
      ],
    },
  },
  WEBGL_multi_draw_instanced_base_vertex_base_instance: {
    methods: BASE_MULTI_DRAWS,
    enables: ['WEBGL_multi_draw'],
  },
  EXT_draw_buffers: {
    constants: () => ({
      ...series('COLOR_ATTACHMENT#_WEBGL', GL.COLOR_ATTACHMENT0, 16),
      ...series('DRAW_BUFFER#_WEBGL', GL.DRAW_BUFFER0, 16),
      MAX_COLOR_ATTACHMENTS_WEBGL: GL.MAX_COLOR_ATTACHMENTS,
      MAX_DRAW_BUFFERS_WEBGL: GL.MAX_DRAW_BUFFERS,
    }),
    methods: { drawBuffersWEBGL: ['enums', ({ context }, buffers) => drawBuffers(context, buffers)] },
  },
  EXT_texture_compression_s3tc: {
    constants: matching(/^COMPRESSED_RGBA?_S3TC_/),
  },
  EXT_texture_compression_s3tc_srgb: {
    constants: matching(/^COMPRESSED_SRGB(_ALPHA)?_S3TC_/),
  },
  WEBGL_compressed_texture_etc: {
    constants: matching(/^COMPRESSED_.*(_EAC|_ETC2)/),
  },
  WEBGL_debug_renderer_info: { constants: constants('UNMASKED_VENDOR_WEBGL', 'UNMASKED_RENDERER_WEBGL') },
  WEBGL_debug_shaders: {
    methods: {
      // Shaders go to the intermediate representation, not to another source: what was compiled is the honest answer.
      getTranslatedShaderSource: ['Shader -> null', (_face, shader: WebGLShader) => compiledSource(shader)],
    },
  },
  WEBGL_lose_context: {
    methods: {
      loseContext: ['-> always', (face) => loseContext(face, true, 'lost by WEBGL_lose_context')],
      restoreContext: ['-> always', (face) => restoreContext(face)],
    },
  },
};
