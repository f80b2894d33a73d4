// Validity tables of GL enums: which value is accepted since which version or by which extension, and what it is called in the pipe.

import type {
  BlendEquation,
  BlendFactor,
  CompareFunction,
  CullFace,
  PolygonMode,
  PrimitiveMode,
  QueryType,
  StencilOperation,
} from '../pipe/defines.ts';
import { GL } from './constants.ts';
import type { Context } from './context.ts';
import type { ExtensionName } from './extensions.ts';

export interface EnumRow<Pipe> {
  readonly pipe: Pipe;
  /** Core since this version; null: not core. */
  readonly version: 2 | 3 | null;
  /** Makes it valid before that as well. */
  readonly extension?: ExtensionName;
}

export type EnumTable<Pipe> = ReadonlyMap<number, EnumRow<Pipe>>;

type Row<Pipe> = readonly [gl: number, pipe: Pipe, version?: 2 | 3 | null, extension?: ExtensionName];

/** Builds a table; a row without version is core since 2. */
export function enumTable<Pipe>(rows: readonly Row<Pipe>[]): EnumTable<Pipe> {
  return new Map(
    rows.map(([gl, pipe, version = 2, extension]) => [
      gl,
      extension === undefined ? { pipe, version } : { pipe, version, extension },
    ]),
  );
}

/** Whether this context accepts the enum. */
export function accepts<Pipe>(context: Context, table: EnumTable<Pipe>, value: number): boolean {
  const row = table.get(value);
  if (row === undefined) return false;
  if (row.version !== null && row.version <= context.version) return true;
  return row.extension !== undefined && context.extensions.has(row.extension);
}

/** The pipe's name of an enum that was validated when it was set. */
export function toPipe<Pipe>(table: EnumTable<Pipe>, value: number): Pipe {
  const row = table.get(value);
  if (row === undefined) throw new Error(`GL enum 0x${value.toString(16)} has no pipe value`);
  return row.pipe;
}

export const COMPARE_FUNCTIONS = enumTable<CompareFunction>([
  [GL.NEVER, 'never'],
  [GL.LESS, 'less'],
  [GL.EQUAL, 'equal'],
  [GL.LEQUAL, 'lessEqual'],
  [GL.GREATER, 'greater'],
  [GL.NOTEQUAL, 'notEqual'],
  [GL.GEQUAL, 'greaterEqual'],
  [GL.ALWAYS, 'always'],
]);

export const STENCIL_OPERATIONS = enumTable<StencilOperation>([
  [GL.KEEP, 'keep'],
  [GL.ZERO, 'zero'],
  [GL.REPLACE, 'replace'],
  [GL.INCR, 'increment'],
  [GL.DECR, 'decrement'],
  [GL.INVERT, 'invert'],
  [GL.INCR_WRAP, 'incrementWrap'],
  [GL.DECR_WRAP, 'decrementWrap'],
]);

export const BLEND_EQUATIONS = enumTable<BlendEquation>([
  [GL.FUNC_ADD, 'add'],
  [GL.FUNC_SUBTRACT, 'subtract'],
  [GL.FUNC_REVERSE_SUBTRACT, 'reverseSubtract'],
  [GL.MIN, 'min', 3, 'EXT_blend_minmax'],
  [GL.MAX, 'max', 3, 'EXT_blend_minmax'],
]);

export const BLEND_SOURCE_FACTORS = enumTable<BlendFactor>([
  [GL.ZERO, 'zero'],
  [GL.ONE, 'one'],
  [GL.SRC_COLOR, 'sourceColor'],
  [GL.ONE_MINUS_SRC_COLOR, 'oneMinusSourceColor'],
  [GL.DST_COLOR, 'destinationColor'],
  [GL.ONE_MINUS_DST_COLOR, 'oneMinusDestinationColor'],
  [GL.SRC_ALPHA, 'sourceAlpha'],
  [GL.ONE_MINUS_SRC_ALPHA, 'oneMinusSourceAlpha'],
  [GL.DST_ALPHA, 'destinationAlpha'],
  [GL.ONE_MINUS_DST_ALPHA, 'oneMinusDestinationAlpha'],
  [GL.CONSTANT_COLOR, 'constantColor'],
  [GL.ONE_MINUS_CONSTANT_COLOR, 'oneMinusConstantColor'],
  [GL.CONSTANT_ALPHA, 'constantAlpha'],
  [GL.ONE_MINUS_CONSTANT_ALPHA, 'oneMinusConstantAlpha'],
  [GL.SRC_ALPHA_SATURATE, 'sourceAlphaSaturate'],
  [GL.SRC1_COLOR_EXT, 'source1Color', null, 'WEBGL_blend_func_extended'],
  [GL.ONE_MINUS_SRC1_COLOR_EXT, 'oneMinusSource1Color', null, 'WEBGL_blend_func_extended'],
  [GL.SRC1_ALPHA_EXT, 'source1Alpha', null, 'WEBGL_blend_func_extended'],
  [GL.ONE_MINUS_SRC1_ALPHA_EXT, 'oneMinusSource1Alpha', null, 'WEBGL_blend_func_extended'],
]);

/** As a destination factor SRC_ALPHA_SATURATE came with ES 3.0 (table 4.2 there). */
export const BLEND_DESTINATION_FACTORS: EnumTable<BlendFactor> = new Map([
  ...BLEND_SOURCE_FACTORS,
  ...enumTable<BlendFactor>([[GL.SRC_ALPHA_SATURATE, 'sourceAlphaSaturate', 3, 'WEBGL_blend_func_extended']]),
]);

export const CULL_FACES = enumTable<CullFace>([
  [GL.FRONT, 'front'],
  [GL.BACK, 'back'],
  [GL.FRONT_AND_BACK, 'frontAndBack'],
]);

/** Value: the first vertex is the provoking one. */
export const PROVOKING_VERTICES = enumTable<boolean>([
  [GL.FIRST_VERTEX_CONVENTION_ANGLE, true],
  [GL.LAST_VERTEX_CONVENTION_ANGLE, false],
]);

export const POLYGON_MODES = enumTable<PolygonMode>([
  [GL.FILL_ANGLE, 'fill'],
  [GL.LINE_ANGLE, 'line'],
]);

/** Value: front faces are counter-clockwise. */
export const FRONT_FACES = enumTable<boolean>([
  [GL.CCW, true],
  [GL.CW, false],
]);

/** Value: y of the clip volume points up in the window. */
export const CLIP_ORIGINS = enumTable<boolean>([
  [GL.LOWER_LEFT_EXT, true],
  [GL.UPPER_LEFT_EXT, false],
]);

/** Value: the clip volume begins at z = 0. */
export const CLIP_DEPTH_MODES = enumTable<boolean>([
  [GL.NEGATIVE_ONE_TO_ONE_EXT, false],
  [GL.ZERO_TO_ONE_EXT, true],
]);

export const PRIMITIVE_MODES = enumTable<PrimitiveMode>([
  [GL.POINTS, 'points'],
  [GL.LINES, 'lines'],
  [GL.LINE_LOOP, 'lineLoop'],
  [GL.LINE_STRIP, 'lineStrip'],
  [GL.TRIANGLES, 'triangles'],
  [GL.TRIANGLE_STRIP, 'triangleStrip'],
  [GL.TRIANGLE_FAN, 'triangleFan'],
]);

/** Value: bytes an index. */
export const INDEX_TYPES = enumTable<1 | 2 | 4>([
  [GL.UNSIGNED_BYTE, 1],
  [GL.UNSIGNED_SHORT, 2],
  [GL.UNSIGNED_INT, 4, 3, 'OES_element_index_uint'],
]);

export const BUFFER_USAGES = enumTable<'default' | 'dynamic' | 'stream' | 'staging'>([
  [GL.STATIC_DRAW, 'default'],
  [GL.DYNAMIC_DRAW, 'dynamic'],
  [GL.STREAM_DRAW, 'stream'],
  [GL.STATIC_READ, 'staging', 3],
  [GL.STATIC_COPY, 'default', 3],
  [GL.DYNAMIC_READ, 'staging', 3],
  [GL.DYNAMIC_COPY, 'default', 3],
  [GL.STREAM_READ, 'staging', 3],
  [GL.STREAM_COPY, 'default', 3],
]);

export const QUERY_TARGETS = enumTable<QueryType>([
  [GL.ANY_SAMPLES_PASSED, 'occlusionPredicate', 3, 'EXT_occlusion_query_boolean'],
  [GL.ANY_SAMPLES_PASSED_CONSERVATIVE, 'occlusionPredicateConservative', 3, 'EXT_occlusion_query_boolean'],
  [GL.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, 'primitivesEmitted', 3],
  [GL.TIME_ELAPSED_EXT, 'timeElapsed', null, 'EXT_disjoint_timer_query'],
]);

/** Value: vertices a primitive. */
export const FEEDBACK_PRIMITIVE_MODES = enumTable<1 | 2 | 3>([
  [GL.POINTS, 1, 3],
  [GL.LINES, 2, 3],
  [GL.TRIANGLES, 3, 3],
]);

export const FEEDBACK_BUFFER_MODES = enumTable<'interleaved' | 'separate'>([
  [GL.INTERLEAVED_ATTRIBS, 'interleaved', 3],
  [GL.SEPARATE_ATTRIBS, 'separate', 3],
]);

export const SHADER_TYPES = enumTable<'vertex' | 'fragment'>([
  [GL.VERTEX_SHADER, 'vertex'],
  [GL.FRAGMENT_SHADER, 'fragment'],
]);

export const HINT_MODES = enumTable<null>([
  [GL.FASTEST, null],
  [GL.NICEST, null],
  [GL.DONT_CARE, null],
]);
