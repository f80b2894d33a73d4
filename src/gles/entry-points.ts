// Every entry point of the GLES face in one table: ES 2.0, ES 3.0, and extension names that stand for core functions.

import type { ExtensionName } from '../gl/extensions.ts';
import { BUFFERS_ES2, BUFFERS_ES3, BUFFERS_MAPBUFFER } from './entry-points-buffers.ts';
import { DRAWS_EXTENSION_OF, DRAWS_EXTENSIONS } from './entry-points-draws.ts';
import { PROGRAMS_ES2, PROGRAMS_ES3, UNIFORMS_ES2, UNIFORMS_ES3 } from './entry-points-programs.ts';
import { QUERIES_ES3, QUERIES_TIMES } from './entry-points-queries.ts';
import {
  STATE_ANGLE,
  STATE_DRAW_BUFFERS_INDEXED,
  STATE_ES2,
  STATE_ES3,
  STATE_RASTERIZATION,
} from './entry-points-state.ts';
import { TEXTURES_DISCARD, TEXTURES_ES2, TEXTURES_ES3 } from './entry-points-textures.ts';
import type { GlesFace } from './face.ts';

export const ES2 = { ...STATE_ES2, ...BUFFERS_ES2, ...PROGRAMS_ES2, ...UNIFORMS_ES2, ...TEXTURES_ES2 };

export const ES3 = {
  ...STATE_ES3,
  ...BUFFERS_ES3,
  ...QUERIES_ES3,
  ...PROGRAMS_ES3,
  ...UNIFORMS_ES3,
  ...TEXTURES_ES3,
};

/** Functions that only an extension has. */
export const EXTENSION_POINTS = {
  ...STATE_DRAW_BUFFERS_INDEXED,
  ...STATE_RASTERIZATION,
  ...STATE_ANGLE,
  ...BUFFERS_MAPBUFFER,
  ...QUERIES_TIMES,
  ...TEXTURES_DISCARD,
  ...DRAWS_EXTENSIONS,
};

export const EXTENSION_OF: Record<keyof typeof EXTENSION_POINTS, ExtensionName> = {
  glEnableiOES: 'OES_draw_buffers_indexed',
  glDisableiOES: 'OES_draw_buffers_indexed',
  glIsEnablediOES: 'OES_draw_buffers_indexed',
  glBlendEquationiOES: 'OES_draw_buffers_indexed',
  glBlendEquationSeparateiOES: 'OES_draw_buffers_indexed',
  glBlendFunciOES: 'OES_draw_buffers_indexed',
  glBlendFuncSeparateiOES: 'OES_draw_buffers_indexed',
  glColorMaskiOES: 'OES_draw_buffers_indexed',
  glClipControlEXT: 'EXT_clip_control',
  glPolygonOffsetClampEXT: 'EXT_polygon_offset_clamp',
  glProvokingVertexANGLE: 'WEBGL_provoking_vertex',
  glPolygonModeANGLE: 'WEBGL_polygon_mode',
  glMapBufferOES: 'OES_mapbuffer',
  glQueryCounterEXT: 'EXT_disjoint_timer_query',
  glGetQueryObjectivEXT: 'EXT_disjoint_timer_query',
  glGetQueryObjecti64vEXT: 'EXT_disjoint_timer_query',
  glGetQueryObjectui64vEXT: 'EXT_disjoint_timer_query',
  glDiscardFramebufferEXT: 'EXT_discard_framebuffer',
  ...DRAWS_EXTENSION_OF,
};

/** Extension spellings of functions that are core in ES 3.0; any of the extensions brings them. */
export const ALIASES = {
  glDrawArraysInstancedANGLE: ['glDrawArraysInstanced', 'ANGLE_instanced_arrays'],
  glDrawElementsInstancedANGLE: ['glDrawElementsInstanced', 'ANGLE_instanced_arrays'],
  glVertexAttribDivisorANGLE: ['glVertexAttribDivisor', 'ANGLE_instanced_arrays'],
  glDrawArraysInstancedEXT: ['glDrawArraysInstanced', 'ANGLE_instanced_arrays'],
  glDrawElementsInstancedEXT: ['glDrawElementsInstanced', 'ANGLE_instanced_arrays'],
  glVertexAttribDivisorEXT: ['glVertexAttribDivisor', 'ANGLE_instanced_arrays'],
  glGenVertexArraysOES: ['glGenVertexArrays', 'OES_vertex_array_object'],
  glDeleteVertexArraysOES: ['glDeleteVertexArrays', 'OES_vertex_array_object'],
  glBindVertexArrayOES: ['glBindVertexArray', 'OES_vertex_array_object'],
  glIsVertexArrayOES: ['glIsVertexArray', 'OES_vertex_array_object'],
  glUnmapBufferOES: ['glUnmapBuffer', 'OES_mapbuffer'],
  glGetBufferPointervOES: ['glGetBufferPointerv', 'OES_mapbuffer'],
  glMapBufferRangeEXT: ['glMapBufferRange', 'EXT_map_buffer_range'],
  glFlushMappedBufferRangeEXT: ['glFlushMappedBufferRange', 'EXT_map_buffer_range'],
  glDrawBuffersEXT: ['glDrawBuffers', 'EXT_draw_buffers'],
  glGenQueriesEXT: ['glGenQueries', 'EXT_occlusion_query_boolean', 'EXT_disjoint_timer_query'],
  glDeleteQueriesEXT: ['glDeleteQueries', 'EXT_occlusion_query_boolean', 'EXT_disjoint_timer_query'],
  glIsQueryEXT: ['glIsQuery', 'EXT_occlusion_query_boolean', 'EXT_disjoint_timer_query'],
  glBeginQueryEXT: ['glBeginQuery', 'EXT_occlusion_query_boolean', 'EXT_disjoint_timer_query'],
  glEndQueryEXT: ['glEndQuery', 'EXT_occlusion_query_boolean', 'EXT_disjoint_timer_query'],
  glGetQueryivEXT: ['glGetQueryiv', 'EXT_occlusion_query_boolean', 'EXT_disjoint_timer_query'],
  glGetQueryObjectuivEXT: ['glGetQueryObjectuiv', 'EXT_occlusion_query_boolean', 'EXT_disjoint_timer_query'],
  glTexStorage2DEXT: ['glTexStorage2D', 'EXT_texture_storage'],
} as const satisfies Record<string, readonly [keyof typeof ES3, ...ExtensionName[]]>;

/** An entry point as the application calls it: without the face. */
type WithoutFace<F> = F extends (face: GlesFace, ...args: infer Arguments) => infer Result
  ? (...args: Arguments) => Result
  : never;

type WithoutFaces<Table> = { readonly [Name in keyof Table]: WithoutFace<Table[Name]> };

type AliasTable = { [Name in keyof typeof ALIASES]: (typeof ES3)[(typeof ALIASES)[Name][0]] };

/** All functions, whatever the version: those that the context does not have record INVALID_OPERATION. */
export interface GlesFunctions
  extends WithoutFaces<typeof ES2>,
    WithoutFaces<typeof ES3>,
    WithoutFaces<typeof EXTENSION_POINTS>,
    WithoutFaces<AliasTable> {}

export type EntryPointName = keyof GlesFunctions;
