// The GL enum of every GLSL type that a program can report, with its shape; shared by the linker and the state tracker.
// SPDX-License-Identifier: MIT

/** A GL type enum such as `FLOAT_VEC4` (0x8B52). */
export type GlType = number;

/** Sampler dimensions as the IR spells them. */
export type SamplerDimension = '2d' | '3d' | 'cube' | '2dArray';

export interface GlTypeInfo {
  /** GL name without the prefix. */
  name: string;
  /** GLSL keyword. */
  glsl: string;
  enum: GlType;
  baseType: 'float' | 'int' | 'uint' | 'bool' | 'sampler';
  /** Components of a vector or of one matrix column. */
  rows: number;
  /** 1 unless a matrix. */
  columns: number;
  sampler?: { dim: SamplerDimension; shadow: boolean; resultType: 'float' | 'int' | 'uint' };
}

type Row = [string, string, number, GlTypeInfo['baseType'], number, number];

const VALUE_ROWS: readonly Row[] = [
  ['FLOAT', 'float', 0x1406, 'float', 1, 1],
  ['FLOAT_VEC2', 'vec2', 0x8b50, 'float', 2, 1],
  ['FLOAT_VEC3', 'vec3', 0x8b51, 'float', 3, 1],
  ['FLOAT_VEC4', 'vec4', 0x8b52, 'float', 4, 1],
  ['INT', 'int', 0x1404, 'int', 1, 1],
  ['INT_VEC2', 'ivec2', 0x8b53, 'int', 2, 1],
  ['INT_VEC3', 'ivec3', 0x8b54, 'int', 3, 1],
  ['INT_VEC4', 'ivec4', 0x8b55, 'int', 4, 1],
  ['UNSIGNED_INT', 'uint', 0x1405, 'uint', 1, 1],
  ['UNSIGNED_INT_VEC2', 'uvec2', 0x8dc6, 'uint', 2, 1],
  ['UNSIGNED_INT_VEC3', 'uvec3', 0x8dc7, 'uint', 3, 1],
  ['UNSIGNED_INT_VEC4', 'uvec4', 0x8dc8, 'uint', 4, 1],
  ['BOOL', 'bool', 0x8b56, 'bool', 1, 1],
  ['BOOL_VEC2', 'bvec2', 0x8b57, 'bool', 2, 1],
  ['BOOL_VEC3', 'bvec3', 0x8b58, 'bool', 3, 1],
  ['BOOL_VEC4', 'bvec4', 0x8b59, 'bool', 4, 1],
  ['FLOAT_MAT2', 'mat2', 0x8b5a, 'float', 2, 2],
  ['FLOAT_MAT3', 'mat3', 0x8b5b, 'float', 3, 3],
  ['FLOAT_MAT4', 'mat4', 0x8b5c, 'float', 4, 4],
  ['FLOAT_MAT2x3', 'mat2x3', 0x8b65, 'float', 3, 2],
  ['FLOAT_MAT2x4', 'mat2x4', 0x8b66, 'float', 4, 2],
  ['FLOAT_MAT3x2', 'mat3x2', 0x8b67, 'float', 2, 3],
  ['FLOAT_MAT3x4', 'mat3x4', 0x8b68, 'float', 4, 3],
  ['FLOAT_MAT4x2', 'mat4x2', 0x8b69, 'float', 2, 4],
  ['FLOAT_MAT4x3', 'mat4x3', 0x8b6a, 'float', 3, 4],
];

type SamplerRow = [string, string, number, SamplerDimension, boolean, 'float' | 'int' | 'uint'];

const SAMPLER_ROWS: readonly SamplerRow[] = [
  ['SAMPLER_2D', 'sampler2D', 0x8b5e, '2d', false, 'float'],
  ['SAMPLER_3D', 'sampler3D', 0x8b5f, '3d', false, 'float'],
  ['SAMPLER_CUBE', 'samplerCube', 0x8b60, 'cube', false, 'float'],
  ['SAMPLER_2D_ARRAY', 'sampler2DArray', 0x8dc1, '2dArray', false, 'float'],
  ['SAMPLER_2D_SHADOW', 'sampler2DShadow', 0x8b62, '2d', true, 'float'],
  ['SAMPLER_CUBE_SHADOW', 'samplerCubeShadow', 0x8dc5, 'cube', true, 'float'],
  ['SAMPLER_2D_ARRAY_SHADOW', 'sampler2DArrayShadow', 0x8dc4, '2dArray', true, 'float'],
  ['SAMPLER_EXTERNAL_OES', 'samplerExternalOES', 0x8d66, '2d', false, 'float'],
  ['INT_SAMPLER_2D', 'isampler2D', 0x8dca, '2d', false, 'int'],
  ['INT_SAMPLER_3D', 'isampler3D', 0x8dcb, '3d', false, 'int'],
  ['INT_SAMPLER_CUBE', 'isamplerCube', 0x8dcc, 'cube', false, 'int'],
  ['INT_SAMPLER_2D_ARRAY', 'isampler2DArray', 0x8dcf, '2dArray', false, 'int'],
  ['UNSIGNED_INT_SAMPLER_2D', 'usampler2D', 0x8dd2, '2d', false, 'uint'],
  ['UNSIGNED_INT_SAMPLER_3D', 'usampler3D', 0x8dd3, '3d', false, 'uint'],
  ['UNSIGNED_INT_SAMPLER_CUBE', 'usamplerCube', 0x8dd4, 'cube', false, 'uint'],
  ['UNSIGNED_INT_SAMPLER_2D_ARRAY', 'usampler2DArray', 0x8dd7, '2dArray', false, 'uint'],
];

const GL_TYPES: readonly GlTypeInfo[] = [
  ...VALUE_ROWS.map(
    ([name, glsl, value, baseType, rows, columns]): GlTypeInfo => ({
      name,
      glsl,
      enum: value,
      baseType,
      rows,
      columns,
    }),
  ),
  ...SAMPLER_ROWS.map(
    ([name, glsl, value, dim, shadow, resultType]): GlTypeInfo => ({
      name,
      glsl,
      enum: value,
      baseType: 'sampler',
      rows: 1,
      columns: 1,
      sampler: { dim, shadow, resultType },
    }),
  ),
];

const BY_ENUM = new Map(GL_TYPES.map((info) => [info.enum, info]));
const BY_KEYWORD = new Map(GL_TYPES.map((info) => [info.glsl, info]));

/** Shape of a GL type enum; throws on a value that is no GLSL type. */
export function glTypeInfo(type: GlType): GlTypeInfo {
  const info = BY_ENUM.get(type);
  if (!info) throw new Error(`not a GLSL type enum: 0x${type.toString(16)}`);
  return info;
}

/** GL type of a GLSL keyword such as `mat2x3`; unknown names give undefined. */
export function glTypeOfKeyword(keyword: string): GlTypeInfo | undefined {
  return BY_KEYWORD.get(keyword);
}
