// The extension table: which names exist, which API they belong to, and what the pipe must be able to do.

import { type Format, isCompressed } from '../format/format.ts';
import type { Caps } from '../pipe/caps.ts';
import { BIND } from '../pipe/defines.ts';
import type { Screen } from '../pipe/screen.ts';
import { internalFormatRows } from './gl-formats.table.ts';

interface ExtensionRow {
  /** GL_EXTENSIONS entries of the GLES face, without 'GL_'. Empty: WebGL only. */
  readonly gles: readonly string[];
  /** Name in WebGL; '': GLES only. */
  readonly webgl: string;
  /** Name in WebGL 2 where it differs. */
  readonly webgl2?: string;
  /** API versions in which GLES offers it. */
  readonly glesVersions: readonly number[];
  /** API versions (2 = WebGL 1) in which WebGL offers it. */
  readonly webglVersions: readonly number[];
  /** `#extension` names that shaders may enable, without 'GL_'. */
  readonly shader: readonly string[];
  readonly requires: (caps: Caps, screen: Screen) => boolean;
}

type Requirement = ExtensionRow['requires'];

const always: Requirement = () => true;

function formats(bind: number, ...names: (Format | readonly Format[])[]): Requirement {
  return (_caps, screen) =>
    names.every((name) => [name].flat().some((format) => screen.isFormatSupported(format, 'texture2D', 1, bind)));
}

/** Where the stencil lies does not matter. */
const DEPTH24_STENCIL8: readonly Format[] = ['Z24_UNORM_S8_UINT', 'S8_UINT_Z24_UNORM'];

/** All compressed formats that the extension brings, sampled as blocks: decoding them first would save nothing. */
function blocks(extension: string): Requirement {
  return (_caps, screen) =>
    internalFormatRows.every(
      ({ compressed, texture, candidates }) =>
        compressed === null ||
        !texture.split('|').includes(extension) ||
        candidates.some(
          ({ format }) => isCompressed(format) && screen.isFormatSupported(format, 'texture2D', 1, BIND.SAMPLER_VIEW),
        ),
    );
}

const SAMPLE = BIND.SAMPLER_VIEW;
const FILTER = BIND.SAMPLER_VIEW | BIND.LINEAR_FILTER;
const RENDER = BIND.RENDER_TARGET;
const BLEND = BIND.RENDER_TARGET | BIND.BLENDABLE;

/** A row: GLES strings and versions, WebGL name and versions, requirement, shader names. */
function row(
  gles: string,
  glesVersions: readonly number[],
  webgl: string,
  webglVersions: readonly number[],
  requires: Requirement = always,
  shader = '',
): ExtensionRow {
  const words = (text: string): readonly string[] => (text === '' ? [] : text.split(' '));
  return { gles: words(gles), webgl, glesVersions, webglVersions, shader: words(shader), requires };
}

const V2 = [2];
const V3 = [3];
const BOTH = [2, 3];
const NEVER: readonly number[] = [];

/** Key = the name that `context.extensions` and the other tables use. */
// biome-ignore format: a table is read by its columns
export const EXTENSIONS = {
  // Vertices and draws
  ANGLE_instanced_arrays:        row('ANGLE_instanced_arrays EXT_instanced_arrays EXT_draw_instanced', V2, 'ANGLE_instanced_arrays', V2, (caps) => caps.instancing),
  OES_element_index_uint:        row('OES_element_index_uint', BOTH, 'OES_element_index_uint', V2),
  OES_vertex_array_object:       row('OES_vertex_array_object', V2, 'OES_vertex_array_object', V2),
  OES_vertex_half_float:         row('OES_vertex_half_float', V2, '', NEVER),
  OES_mapbuffer:                 row('OES_mapbuffer', BOTH, '', NEVER),
  WEBGL_multi_draw:              row('ANGLE_multi_draw EXT_multi_draw_arrays', BOTH, 'WEBGL_multi_draw', BOTH, (caps) => caps.instancing && caps.shaderDrawParameters, 'ANGLE_multi_draw'),
  EXT_draw_elements_base_vertex: row('EXT_draw_elements_base_vertex OES_draw_elements_base_vertex', V3, '', NEVER, (caps) => caps.baseVertex),
  EXT_base_instance:             row('EXT_base_instance', V3, '', NEVER, (caps) => caps.baseInstance),
  WEBGL_draw_instanced_base_vertex_base_instance: row('ANGLE_base_vertex_base_instance', V3, 'WEBGL_draw_instanced_base_vertex_base_instance', V3, (caps) => caps.baseVertex && caps.baseInstance),
  WEBGL_multi_draw_instanced_base_vertex_base_instance: row('', NEVER, 'WEBGL_multi_draw_instanced_base_vertex_base_instance', V3, (caps) => caps.baseVertex && caps.baseInstance && caps.shaderDrawParameters),
  ANGLE_base_vertex_base_instance_shader_builtin: row('ANGLE_base_vertex_base_instance_shader_builtin', V3, '', NEVER, (caps) => caps.shaderDrawParameters, 'ANGLE_base_vertex_base_instance_shader_builtin'),
  WEBGL_provoking_vertex:        row('ANGLE_provoking_vertex', V3, 'WEBGL_provoking_vertex', V3, (caps) => caps.provokingVertex),
  WEBGL_polygon_mode:            row('ANGLE_polygon_mode', BOTH, 'WEBGL_polygon_mode', BOTH, (caps) => caps.polygonMode),
  WEBGL_clip_cull_distance:      row('EXT_clip_cull_distance ANGLE_clip_cull_distance', V3, 'WEBGL_clip_cull_distance', V3, (caps) => caps.clipDistances >= 8, 'EXT_clip_cull_distance ANGLE_clip_cull_distance'),
  EXT_map_buffer_range:          row('EXT_map_buffer_range', V2, '', NEVER),
  // Rasterization
  EXT_clip_control:              row('EXT_clip_control', BOTH, 'EXT_clip_control', BOTH, (caps) => caps.clipControl),
  EXT_depth_clamp:               row('EXT_depth_clamp', BOTH, 'EXT_depth_clamp', BOTH, (caps) => caps.depthClamp),
  EXT_polygon_offset_clamp:      row('EXT_polygon_offset_clamp', BOTH, 'EXT_polygon_offset_clamp', BOTH, (caps) => caps.polygonOffsetClamp),
  // Blending and targets
  EXT_blend_minmax:              row('EXT_blend_minmax', BOTH, 'EXT_blend_minmax', V2),
  EXT_draw_buffers:              row('EXT_draw_buffers', V2, 'WEBGL_draw_buffers', V2, (caps) => caps.maxColorTargets >= 4, 'EXT_draw_buffers'),
  WEBGL_blend_func_extended:     row('', NEVER, 'WEBGL_blend_func_extended', BOTH, (caps) => caps.dualSourceBlend, 'EXT_blend_func_extended'),
  OES_draw_buffers_indexed:      row('OES_draw_buffers_indexed EXT_draw_buffers_indexed', V3, 'OES_draw_buffers_indexed', V3, (caps) => caps.independentBlend && caps.independentBlendMask),
  EXT_color_buffer_float:        row('EXT_color_buffer_float', V3, 'EXT_color_buffer_float', V3, formats(RENDER, 'R16_FLOAT', 'R16G16B16A16_FLOAT', 'R32_FLOAT', 'R32G32B32A32_FLOAT', 'R11G11B10_FLOAT')),
  EXT_color_buffer_half_float:   row('EXT_color_buffer_half_float', BOTH, 'EXT_color_buffer_half_float', BOTH, formats(RENDER, 'R16G16B16A16_FLOAT')),
  WEBGL_color_buffer_float:      row('', NEVER, 'WEBGL_color_buffer_float', V2, formats(RENDER, 'R32G32B32A32_FLOAT')),
  EXT_float_blend:               row('EXT_float_blend', V3, 'EXT_float_blend', BOTH, formats(BLEND, 'R32_FLOAT', 'R32G32B32A32_FLOAT')),
  EXT_render_snorm:              row('EXT_render_snorm', V3, 'EXT_render_snorm', V3, formats(BLEND, 'R8_SNORM', 'R8G8_SNORM', 'R8G8B8A8_SNORM')),
  WEBGL_render_shared_exponent:  row('QCOM_render_shared_exponent', V3, 'WEBGL_render_shared_exponent', V3, formats(RENDER | SAMPLE, 'R9G9B9E5_FLOAT')),
  EXT_sRGB:                      row('EXT_sRGB', V2, 'EXT_sRGB', V2, formats(RENDER | SAMPLE, 'R8G8B8A8_SRGB')),
  EXT_discard_framebuffer:       row('EXT_discard_framebuffer', V2, '', NEVER),
  OES_fbo_render_mipmap:         row('OES_fbo_render_mipmap', V2, 'OES_fbo_render_mipmap', V2),
  OES_rgb8_rgba8:                row('OES_rgb8_rgba8 ARM_rgba8', V2, '', NEVER),
  OES_depth24:                   row('OES_depth24', V2, '', NEVER, formats(BIND.DEPTH_STENCIL, DEPTH24_STENCIL8)),
  OES_packed_depth_stencil:      row('OES_packed_depth_stencil', V2, '', NEVER, formats(BIND.DEPTH_STENCIL, DEPTH24_STENCIL8)),
  // Textures
  OES_texture_npot:              row('OES_texture_npot', V2, '', NEVER, (caps) => caps.npotTextures),
  OES_texture_float:             row('OES_texture_float', V2, 'OES_texture_float', V2, formats(SAMPLE, 'R32G32B32A32_FLOAT')),
  OES_texture_float_linear:      row('OES_texture_float_linear', BOTH, 'OES_texture_float_linear', BOTH, formats(FILTER, 'R32G32B32A32_FLOAT')),
  OES_texture_half_float:        row('OES_texture_half_float', V2, 'OES_texture_half_float', V2, formats(SAMPLE, 'R16G16B16A16_FLOAT')),
  OES_texture_half_float_linear: row('OES_texture_half_float_linear', V2, 'OES_texture_half_float_linear', V2, formats(FILTER, 'R16G16B16A16_FLOAT')),
  OES_depth_texture:             row('OES_depth_texture', V2, 'WEBGL_depth_texture', V2, formats(BIND.DEPTH_STENCIL | SAMPLE, 'Z16_UNORM', DEPTH24_STENCIL8)),
  EXT_texture_filter_anisotropic: row('EXT_texture_filter_anisotropic', BOTH, 'EXT_texture_filter_anisotropic', BOTH, (caps) => caps.maxAnisotropy > 1),
  EXT_texture_format_BGRA8888:   row('EXT_texture_format_BGRA8888 EXT_read_format_bgra', BOTH, '', NEVER),
  EXT_texture_mirror_clamp_to_edge: row('EXT_texture_mirror_clamp_to_edge', BOTH, 'EXT_texture_mirror_clamp_to_edge', BOTH, (caps) => caps.textureMirrorClampToEdge),
  WEBGL_stencil_texturing:       row('ANGLE_stencil_texturing', V3, 'WEBGL_stencil_texturing', V3, (caps) => caps.stencilTexturing),
  EXT_texture_norm16:            row('EXT_texture_norm16', V3, 'EXT_texture_norm16', V3, formats(RENDER | SAMPLE, 'R16_UNORM', 'R16G16B16A16_UNORM')),
  EXT_texture_rg:                row('EXT_texture_rg', V2, '', NEVER, formats(RENDER | SAMPLE, 'R8_UNORM', 'R8G8_UNORM')),
  EXT_texture_storage:           row('EXT_texture_storage', V2, '', NEVER),
  EXT_unpack_subimage:           row('EXT_unpack_subimage', V2, '', NEVER),
  OES_compressed_ETC1_RGB8_texture: row('OES_compressed_ETC1_RGB8_texture', BOTH, 'WEBGL_compressed_texture_etc1', BOTH, blocks('OES_compressed_ETC1_RGB8_texture')),
  WEBGL_compressed_texture_etc:  row('', NEVER, 'WEBGL_compressed_texture_etc', BOTH, blocks('WEBGL_compressed_texture_etc')),
  EXT_texture_compression_s3tc:  row('EXT_texture_compression_s3tc EXT_texture_compression_dxt1', BOTH, 'WEBGL_compressed_texture_s3tc', BOTH, blocks('EXT_texture_compression_s3tc')),
  EXT_texture_compression_s3tc_srgb: row('EXT_texture_compression_s3tc_srgb', BOTH, 'WEBGL_compressed_texture_s3tc_srgb', BOTH, blocks('EXT_texture_compression_s3tc_srgb')),
  EXT_texture_compression_rgtc:  row('EXT_texture_compression_rgtc', BOTH, 'EXT_texture_compression_rgtc', BOTH, blocks('EXT_texture_compression_rgtc')),
  EXT_texture_compression_bptc:  row('EXT_texture_compression_bptc', V3, 'EXT_texture_compression_bptc', BOTH, blocks('EXT_texture_compression_bptc')),
  KHR_texture_compression_astc_ldr: row('KHR_texture_compression_astc_ldr', BOTH, 'WEBGL_compressed_texture_astc', BOTH, blocks('KHR_texture_compression_astc_ldr')),
  IMG_texture_compression_pvrtc: row('IMG_texture_compression_pvrtc', BOTH, 'WEBGL_compressed_texture_pvrtc', BOTH, blocks('IMG_texture_compression_pvrtc')),
  // Shaders
  OES_standard_derivatives:      row('OES_standard_derivatives', V2, 'OES_standard_derivatives', V2, (caps) => caps.shaderDerivatives, 'OES_standard_derivatives'),
  EXT_frag_depth:                row('EXT_frag_depth', V2, 'EXT_frag_depth', V2, (caps) => caps.fragmentDepth, 'EXT_frag_depth'),
  EXT_shader_texture_lod:        row('EXT_shader_texture_lod', V2, 'EXT_shader_texture_lod', V2, (caps) => caps.shaderTextureLod, 'EXT_shader_texture_lod'),
  EXT_conservative_depth:        row('EXT_conservative_depth', V3, 'EXT_conservative_depth', V3, (caps) => caps.fragmentDepth, 'EXT_conservative_depth'),
  NV_shader_noperspective_interpolation: row('NV_shader_noperspective_interpolation', V3, 'NV_shader_noperspective_interpolation', V3, (caps) => caps.noperspective, 'NV_shader_noperspective_interpolation'),
  OES_sample_variables:          row('OES_sample_variables', V3, 'OES_sample_variables', V3, (caps) => caps.sampleShading, 'OES_sample_variables'),
  OES_shader_multisample_interpolation: row('OES_shader_multisample_interpolation', V3, 'OES_shader_multisample_interpolation', V3, (caps) => caps.sampleShading, 'OES_shader_multisample_interpolation'),
  // Compilation is done when the call returns: what is asked for is always there.
  KHR_parallel_shader_compile:   row('', NEVER, 'KHR_parallel_shader_compile', BOTH),
  // Queries and tools
  EXT_occlusion_query_boolean:   row('EXT_occlusion_query_boolean', V2, '', NEVER, (caps) => caps.occlusionQueries),
  EXT_disjoint_timer_query:      { ...row('EXT_disjoint_timer_query', BOTH, 'EXT_disjoint_timer_query', BOTH, (caps) => caps.timerQueries), webgl2: 'EXT_disjoint_timer_query_webgl2' },
  WEBGL_debug_renderer_info:     row('', NEVER, 'WEBGL_debug_renderer_info', BOTH),
  WEBGL_debug_shaders:           row('', NEVER, 'WEBGL_debug_shaders', BOTH),
  WEBGL_lose_context:            row('', NEVER, 'WEBGL_lose_context', BOTH),
} as const satisfies Record<string, ExtensionRow>;

export type ExtensionName = keyof typeof EXTENSIONS;

const NAMES = Object.keys(EXTENSIONS) as ExtensionName[];

/** Extensions that this API version on this screen can have. */
export function supportedExtensions(screen: Screen, version: 2 | 3, webgl: boolean): Set<ExtensionName> {
  return new Set(
    NAMES.filter((name) => {
      const extension: ExtensionRow = EXTENSIONS[name];
      const versions = webgl ? extension.webglVersions : extension.glesVersions;
      return versions.includes(version) && extension.requires(screen.caps, screen);
    }),
  );
}

/** What WebGL contexts of this API version (2 = WebGL 1) call it. */
export function webglName(name: ExtensionName, version: 2 | 3): string {
  const extension: ExtensionRow = EXTENSIONS[name];
  return (version === 3 ? extension.webgl2 : undefined) ?? extension.webgl;
}

/** The entries of GL_EXTENSIONS, with prefix. */
export function glesExtensionStrings(enabled: Iterable<ExtensionName>): string[] {
  const strings: string[] = [];
  for (const name of enabled) for (const text of EXTENSIONS[name].gles) strings.push(`GL_${text}`);
  return strings.sort();
}

/** `#extension` names that the compiler may accept now. */
export function shaderExtensions(enabled: Iterable<ExtensionName>): string[] {
  const names: string[] = [];
  for (const name of enabled) for (const text of EXTENSIONS[name].shader) names.push(`GL_${text}`);
  return names;
}
