// Every built-in function of GLSL ES 1.00 (§8) and 3.00 (§8), one prototype a line, and the texture functions as rows of
// dimension and coordinate type. Generic names: genType, genIType, genUType, genBType stand for 1 to 4 components,
// vec, ivec, uvec, bvec for 2 to 4 and mat for mat2, mat3, mat4 (the same size everywhere in one prototype).

import type { ShaderStage, ShaderVersion } from './ast.ts';

/** Where a group of functions exists. */
export interface Availability {
  readonly versions: readonly ShaderVersion[];
  readonly stages: readonly ShaderStage[];
  /** Name of the `#extension` that turns the group on; undefined for the core language. */
  readonly extension: string | undefined;
}

export interface FunctionGroupRow extends Availability {
  readonly prototypes: string;
}

export interface TextureFunctionRow extends Availability {
  readonly name: string;
  /** What `TextureCall.op` is without a bias argument. */
  readonly op: 'sample' | 'lod' | 'grad' | 'fetch' | 'size';
  readonly isProjected: boolean;
  readonly hasOffset: boolean;
  /** Takes an optional bias in fragment shaders. */
  readonly hasBias: boolean;
  /** `sampler:coordinate` pairs. A leading `g` means the float, int and uint samplers of that dimension. */
  readonly samplers: string;
}

const BOTH_VERSIONS: readonly ShaderVersion[] = [100, 300];
const BOTH_STAGES: readonly ShaderStage[] = ['vertex', 'fragment'];

export const FUNCTION_GROUPS: readonly FunctionGroupRow[] = [
  {
    versions: BOTH_VERSIONS,
    stages: BOTH_STAGES,
    extension: undefined,
    prototypes: `
      genType radians(genType); genType degrees(genType); genType sin(genType); genType cos(genType); genType tan(genType);
      genType asin(genType); genType acos(genType); genType atan(genType, genType); genType atan(genType);
      genType pow(genType, genType); genType exp(genType); genType log(genType); genType exp2(genType);
      genType log2(genType); genType sqrt(genType); genType inversesqrt(genType);
      genType abs(genType); genType sign(genType); genType floor(genType); genType ceil(genType); genType fract(genType);
      genType mod(genType, float); genType mod(genType, genType);
      genType min(genType, genType); genType min(genType, float); genType max(genType, genType); genType max(genType, float);
      genType clamp(genType, genType, genType); genType clamp(genType, float, float);
      genType mix(genType, genType, genType); genType mix(genType, genType, float);
      genType step(genType, genType); genType step(float, genType);
      genType smoothstep(genType, genType, genType); genType smoothstep(float, float, genType);
      float length(genType); float distance(genType, genType); float dot(genType, genType); vec3 cross(vec3, vec3);
      genType normalize(genType); genType faceforward(genType, genType, genType); genType reflect(genType, genType);
      genType refract(genType, genType, float);
      mat matrixCompMult(mat, mat);
      bvec lessThan(vec, vec); bvec lessThan(ivec, ivec); bvec lessThanEqual(vec, vec); bvec lessThanEqual(ivec, ivec);
      bvec greaterThan(vec, vec); bvec greaterThan(ivec, ivec); bvec greaterThanEqual(vec, vec);
      bvec greaterThanEqual(ivec, ivec); bvec equal(vec, vec); bvec equal(ivec, ivec); bvec equal(bvec, bvec);
      bvec notEqual(vec, vec); bvec notEqual(ivec, ivec); bvec notEqual(bvec, bvec);
      bool any(bvec); bool all(bvec); bvec not(bvec);`,
  },
  {
    versions: [300],
    stages: BOTH_STAGES,
    extension: undefined,
    prototypes: `
      genType sinh(genType); genType cosh(genType); genType tanh(genType); genType asinh(genType); genType acosh(genType);
      genType atanh(genType);
      genIType abs(genIType); genIType sign(genIType); genType trunc(genType); genType round(genType);
      genType roundEven(genType); genType modf(genType, out genType);
      genIType min(genIType, genIType); genIType min(genIType, int); genUType min(genUType, genUType);
      genUType min(genUType, uint); genIType max(genIType, genIType); genIType max(genIType, int);
      genUType max(genUType, genUType); genUType max(genUType, uint);
      genIType clamp(genIType, genIType, genIType); genIType clamp(genIType, int, int);
      genUType clamp(genUType, genUType, genUType); genUType clamp(genUType, uint, uint);
      genType mix(genType, genType, genBType); genBType isnan(genType); genBType isinf(genType);
      genIType floatBitsToInt(genType); genUType floatBitsToUint(genType); genType intBitsToFloat(genIType);
      genType uintBitsToFloat(genUType);
      uint packSnorm2x16(vec2); vec2 unpackSnorm2x16(uint); uint packUnorm2x16(vec2); vec2 unpackUnorm2x16(uint);
      uint packHalf2x16(vec2); vec2 unpackHalf2x16(uint);
      mat2x3 matrixCompMult(mat2x3, mat2x3); mat2x4 matrixCompMult(mat2x4, mat2x4); mat3x2 matrixCompMult(mat3x2, mat3x2);
      mat3x4 matrixCompMult(mat3x4, mat3x4); mat4x2 matrixCompMult(mat4x2, mat4x2); mat4x3 matrixCompMult(mat4x3, mat4x3);
      mat2 outerProduct(vec2, vec2); mat3 outerProduct(vec3, vec3); mat4 outerProduct(vec4, vec4);
      mat2x3 outerProduct(vec3, vec2); mat3x2 outerProduct(vec2, vec3); mat2x4 outerProduct(vec4, vec2);
      mat4x2 outerProduct(vec2, vec4); mat3x4 outerProduct(vec4, vec3); mat4x3 outerProduct(vec3, vec4);
      mat transpose(mat); mat2x3 transpose(mat3x2); mat3x2 transpose(mat2x3); mat2x4 transpose(mat4x2);
      mat4x2 transpose(mat2x4); mat3x4 transpose(mat4x3); mat4x3 transpose(mat3x4);
      float determinant(mat); mat inverse(mat);
      bvec lessThan(uvec, uvec); bvec lessThanEqual(uvec, uvec); bvec greaterThan(uvec, uvec);
      bvec greaterThanEqual(uvec, uvec); bvec equal(uvec, uvec); bvec notEqual(uvec, uvec);`,
  },
  {
    versions: [300],
    stages: ['fragment'],
    extension: undefined,
    prototypes: 'genType dFdx(genType); genType dFdy(genType); genType fwidth(genType);',
  },
  {
    versions: [100],
    stages: ['fragment'],
    extension: 'GL_OES_standard_derivatives',
    prototypes: 'genType dFdx(genType); genType dFdy(genType); genType fwidth(genType);',
  },
  {
    versions: [300],
    stages: ['fragment'],
    extension: 'GL_OES_shader_multisample_interpolation',
    prototypes: `
      genType interpolateAtCentroid(genType); genType interpolateAtSample(genType, int);
      genType interpolateAtOffset(genType, vec2);`,
  },
];

type TextureShape = Partial<Pick<TextureFunctionRow, 'isProjected' | 'hasOffset' | 'hasBias'>>;

function texture(
  availability: Availability,
  name: string,
  op: TextureFunctionRow['op'],
  samplers: string,
  shape: TextureShape = {},
): TextureFunctionRow {
  return { ...availability, name, op, samplers, isProjected: false, hasOffset: false, hasBias: false, ...shape };
}

const CORE_100: Availability = { versions: [100], stages: BOTH_STAGES, extension: undefined };
const VERTEX_100: Availability = { versions: [100], stages: ['vertex'], extension: undefined };
const LOD_EXTENSION: Availability = { versions: [100], stages: ['fragment'], extension: 'GL_EXT_shader_texture_lod' };
const CORE_300: Availability = { versions: [300], stages: BOTH_STAGES, extension: undefined };

const PROJECTED = { isProjected: true };
const OFFSET = { hasOffset: true };
const BIAS = { hasBias: true };

export const TEXTURE_FUNCTIONS: readonly TextureFunctionRow[] = [
  texture(CORE_100, 'texture2D', 'sample', 'sampler2D:vec2', BIAS),
  texture(CORE_100, 'texture2DProj', 'sample', 'sampler2D:vec3 sampler2D:vec4', { ...PROJECTED, ...BIAS }),
  texture(CORE_100, 'textureCube', 'sample', 'samplerCube:vec3', BIAS),
  texture(VERTEX_100, 'texture2DLod', 'lod', 'sampler2D:vec2'),
  texture(VERTEX_100, 'texture2DProjLod', 'lod', 'sampler2D:vec3 sampler2D:vec4', PROJECTED),
  texture(VERTEX_100, 'textureCubeLod', 'lod', 'samplerCube:vec3'),

  texture(LOD_EXTENSION, 'texture2DLodEXT', 'lod', 'sampler2D:vec2'),
  texture(LOD_EXTENSION, 'texture2DProjLodEXT', 'lod', 'sampler2D:vec3 sampler2D:vec4', PROJECTED),
  texture(LOD_EXTENSION, 'textureCubeLodEXT', 'lod', 'samplerCube:vec3'),
  texture(LOD_EXTENSION, 'texture2DGradEXT', 'grad', 'sampler2D:vec2'),
  texture(LOD_EXTENSION, 'texture2DProjGradEXT', 'grad', 'sampler2D:vec3 sampler2D:vec4', PROJECTED),
  texture(LOD_EXTENSION, 'textureCubeGradEXT', 'grad', 'samplerCube:vec3'),

  texture(
    CORE_300,
    'textureSize',
    'size',
    'gsampler2D gsampler3D gsamplerCube gsampler2DArray sampler2DShadow samplerCubeShadow sampler2DArrayShadow',
  ),
  texture(
    CORE_300,
    'texture',
    'sample',
    'gsampler2D:vec2 gsampler3D:vec3 gsamplerCube:vec3 gsampler2DArray:vec3 sampler2DShadow:vec3 samplerCubeShadow:vec4',
    BIAS,
  ),
  texture(CORE_300, 'texture', 'sample', 'sampler2DArrayShadow:vec4'),
  texture(CORE_300, 'textureProj', 'sample', 'gsampler2D:vec3 gsampler2D:vec4 gsampler3D:vec4 sampler2DShadow:vec4', {
    ...PROJECTED,
    ...BIAS,
  }),
  texture(
    CORE_300,
    'textureLod',
    'lod',
    'gsampler2D:vec2 gsampler3D:vec3 gsamplerCube:vec3 gsampler2DArray:vec3 sampler2DShadow:vec3',
  ),
  texture(
    CORE_300,
    'textureOffset',
    'sample',
    'gsampler2D:vec2 gsampler3D:vec3 gsampler2DArray:vec3 sampler2DShadow:vec3',
    { ...OFFSET, ...BIAS },
  ),
  texture(CORE_300, 'texelFetch', 'fetch', 'gsampler2D:ivec2 gsampler3D:ivec3 gsampler2DArray:ivec3'),
  texture(CORE_300, 'texelFetchOffset', 'fetch', 'gsampler2D:ivec2 gsampler3D:ivec3 gsampler2DArray:ivec3', OFFSET),
  texture(
    CORE_300,
    'textureProjOffset',
    'sample',
    'gsampler2D:vec3 gsampler2D:vec4 gsampler3D:vec4 sampler2DShadow:vec4',
    { ...PROJECTED, ...OFFSET, ...BIAS },
  ),
  texture(
    CORE_300,
    'textureLodOffset',
    'lod',
    'gsampler2D:vec2 gsampler3D:vec3 gsampler2DArray:vec3 sampler2DShadow:vec3',
    OFFSET,
  ),
  texture(
    CORE_300,
    'textureProjLod',
    'lod',
    'gsampler2D:vec3 gsampler2D:vec4 gsampler3D:vec4 sampler2DShadow:vec4',
    PROJECTED,
  ),
  texture(
    CORE_300,
    'textureProjLodOffset',
    'lod',
    'gsampler2D:vec3 gsampler2D:vec4 gsampler3D:vec4 sampler2DShadow:vec4',
    { ...PROJECTED, ...OFFSET },
  ),
  texture(
    CORE_300,
    'textureGrad',
    'grad',
    `gsampler2D:vec2 gsampler3D:vec3 gsamplerCube:vec3 gsampler2DArray:vec3 sampler2DShadow:vec3 samplerCubeShadow:vec4
     sampler2DArrayShadow:vec4`,
  ),
  texture(
    CORE_300,
    'textureGradOffset',
    'grad',
    'gsampler2D:vec2 gsampler3D:vec3 gsampler2DArray:vec3 sampler2DShadow:vec3 sampler2DArrayShadow:vec4',
    OFFSET,
  ),
  texture(
    CORE_300,
    'textureProjGrad',
    'grad',
    'gsampler2D:vec3 gsampler2D:vec4 gsampler3D:vec4 sampler2DShadow:vec4',
    PROJECTED,
  ),
  texture(
    CORE_300,
    'textureProjGradOffset',
    'grad',
    'gsampler2D:vec3 gsampler2D:vec4 gsampler3D:vec4 sampler2DShadow:vec4',
    { ...PROJECTED, ...OFFSET },
  ),
];
