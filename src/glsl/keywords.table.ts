// The words that cannot be identifiers, by language version (GLSL ES 1.00 §3.6, GLSL ES 3.00 §3.7).

import type { ShaderProfile, ShaderVersion } from './ast.ts';

export type KeywordKind = 'keyword' | 'reserved';

const KEYWORDS_BOTH = `
  const uniform break continue do for while if else in out inout float int void bool true false invariant discard return
  mat2 mat3 mat4 vec2 vec3 vec4 ivec2 ivec3 ivec4 bvec2 bvec3 bvec4 lowp mediump highp precision sampler2D samplerCube struct`;

const RESERVED_BOTH = `
  asm class union enum typedef template this goto inline noinline volatile public static extern external interface
  long short double half fixed unsigned superp input output hvec2 hvec3 hvec4 dvec2 dvec3 dvec4 fvec2 fvec3 fvec4
  sampler1D sampler1DShadow sampler2DRect sampler3DRect sampler2DRectShadow sizeof cast namespace using`;

const KEYWORDS_100 = 'attribute varying';

const RESERVED_100 = 'packed switch default flat sampler3D sampler2DShadow';

const KEYWORDS_300 = `
  layout centroid flat smooth case switch default mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4
  uint uvec2 uvec3 uvec4 sampler3D sampler2DShadow samplerCubeShadow sampler2DArray sampler2DArrayShadow
  isampler2D isampler3D isamplerCube isampler2DArray usampler2D usampler3D usamplerCube usampler2DArray`;

const RESERVED_300 = `
  attribute varying coherent restrict readonly writeonly resource atomic_uint noperspective patch sample subroutine
  common partition active filter image1D image2D image3D imageCube iimage1D iimage2D iimage3D iimageCube
  uimage1D uimage2D uimage3D uimageCube image1DArray image2DArray iimage1DArray iimage2DArray uimage1DArray uimage2DArray
  imageBuffer iimageBuffer uimageBuffer sampler1DArray sampler1DArrayShadow isampler1D isampler1DArray usampler1D
  usampler1DArray isampler2DRect usampler2DRect samplerBuffer isamplerBuffer usamplerBuffer sampler2DMS isampler2DMS
  usampler2DMS sampler2DMSArray isampler2DMSArray usampler2DMSArray`;

/**
 * The first revisions of GLSL ES 3.00 reserve these too. dEQP's cases for GLES want them allowed since; the Khronos WebGL suite
 * wants them refused, as browsers do.
 */
const RESERVED_300_WEBGL = 'image1DShadow image2DShadow image1DArrayShadow image2DArrayShadow';

/** Words that are reserved until an extension makes keywords of them. */
const EXTENSION_KEYWORDS = new Map([
  ['noperspective', 'GL_NV_shader_noperspective_interpolation'],
  ['sample', 'GL_OES_shader_multisample_interpolation'],
]);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

function makeTable(keywords: string, reserved: string): ReadonlyMap<string, KeywordKind> {
  const table = new Map<string, KeywordKind>();
  for (const word of words(`${RESERVED_BOTH} ${reserved}`)) table.set(word, 'reserved');
  for (const word of words(`${KEYWORDS_BOTH} ${keywords}`)) table.set(word, 'keyword');
  return table;
}

type Keywords = ReadonlyMap<string, KeywordKind>;

/** Each made when a shader of its version is first compiled. */
const tables: Record<ShaderProfile, Partial<Record<ShaderVersion, Keywords>>> = { gles: {}, webgl: {} };

function tableOf(profile: ShaderProfile, version: ShaderVersion): Keywords {
  if (version === 100) return makeTable(KEYWORDS_100, RESERVED_100);
  return makeTable(KEYWORDS_300, profile === 'gles' ? RESERVED_300 : `${RESERVED_300} ${RESERVED_300_WEBGL}`);
}

export function keywordsOf(profile: ShaderProfile, version: ShaderVersion): Keywords {
  const known = tables[profile];
  return (known[version] ??= tableOf(profile, version));
}

/** Whether an enabled extension makes a keyword of a reserved word. */
export function isExtensionKeyword(word: string, extensions: ReadonlySet<string>): boolean {
  const extension = EXTENSION_KEYWORDS.get(word);
  return extension !== undefined && extensions.has(extension);
}
