// Which GLSL extensions exist, by their #extension names, and in which language version each can be named.
// A row here makes the name and macro known; what it adds is marked with the name in the built-in tables.

import type { ShaderVersion } from './ast.ts';

export interface ShaderExtension {
  readonly name: string;
  readonly versions: readonly ShaderVersion[];
}

function extension(name: string, ...versions: ShaderVersion[]): ShaderExtension {
  return { name, versions };
}

const SHADER_EXTENSIONS: readonly ShaderExtension[] = [
  extension('GL_OES_standard_derivatives', 100),
  extension('GL_EXT_frag_depth', 100),
  extension('GL_EXT_draw_buffers', 100),
  extension('GL_EXT_shader_texture_lod', 100),
  extension('GL_EXT_blend_func_extended', 100, 300),
  extension('GL_ANGLE_clip_cull_distance', 300),
  extension('GL_EXT_clip_cull_distance', 300),
  extension('GL_EXT_conservative_depth', 300),
  extension('GL_NV_shader_noperspective_interpolation', 300),
  extension('GL_OES_sample_variables', 300),
  extension('GL_OES_shader_multisample_interpolation', 300),
  extension('GL_ANGLE_multi_draw', 100, 300),
  extension('GL_ANGLE_base_vertex_base_instance_shader_builtin', 300),
];

const BY_NAME = new Map(SHADER_EXTENSIONS.map((row) => [row.name, row]));

/** Whether shaders of this version may ask for the extension (given that the context offers it). */
export function isExtensionInVersion(name: string, version: ShaderVersion): boolean {
  return BY_NAME.get(name)?.versions.includes(version) ?? false;
}
