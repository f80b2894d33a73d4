// The programs that fuzzed API sequences draw with: small, and together they use every kind of input and output.

import type { FaceName } from './api-arguments.ts';

export interface ProgramText {
  readonly vertex: string;
  readonly fragment: string;
  readonly version: 100 | 300;
  readonly varyings?: readonly string[];
  /** Extensions of WebGL that its text enables. */
  readonly extensions?: readonly string[];
  /** Only in WebGL: GLES does not offer the extension. */
  readonly isWebOnly?: true;
  /** Only in the older version: the newer has no such extensions. */
  readonly isVersion2Only?: true;
}

/** Whether a face takes the program. */
export function fitsFace({ version, isWebOnly, isVersion2Only }: ProgramText, face: FaceName): boolean {
  const isVersion3 = face === 'gles3' || face === 'webgl2';
  if (isVersion3 ? isVersion2Only : version === 300) return false;
  return face.startsWith('webgl') || !isWebOnly;
}

const VERTEX_100 = `attribute vec4 a0; attribute vec2 a1; attribute vec4 a2; uniform mat4 m; uniform vec4 u4; varying vec4 v0; varying vec2 v1;
void main() { gl_Position = a0 * m + u4 * 0.1; gl_PointSize = 1.0 + a1.x * 9.0; v0 = a2; v1 = a1; }`;

const VERTEX_300 = `#version 300 es
layout(location = 0) in vec4 a0; layout(location = 1) in vec2 a1; layout(location = 2) in vec4 a2; layout(location = 3) in ivec4 a3;
uniform mat4 m; uniform vec4 u4; layout(std140) uniform Block { vec4 b0[8]; mat3 b1; int b2; }; uniform highp sampler2D s0;
out vec4 v0; out vec2 v1; flat out ivec4 v2; out vec3 v3[2];
void main() { gl_Position = a0 * m + u4 * 0.1 + b0[b2 & 15] * 0.01 + textureLod(s0, a1, 0.0) * 0.01; gl_PointSize = 1.0 + abs(a1.x) * 9.0;
v0 = a2; v1 = a1; v2 = a3 + gl_VertexID - gl_InstanceID; v3[0] = b1 * a2.xyz; v3[1] = vec3(a1, 1.0); }`;

export const PROGRAMS: readonly ProgramText[] = [
  {
    version: 100,
    vertex: VERTEX_100,
    fragment: `precision highp float; uniform sampler2D s0; uniform samplerCube s1; uniform vec4 u4; varying vec4 v0; varying vec2 v1;
void main() { gl_FragColor = texture2D(s0, v1) + textureCube(s1, v0.xyz) * 0.5 + v0 * u4; if (v0.w < -0.9) discard; }`,
  },
  {
    version: 100,
    vertex: 'attribute vec4 a0; void main() { gl_Position = a0; gl_PointSize = 70000.0; }',
    fragment: `precision highp float;
void main() { gl_FragColor = gl_FragCoord / 64.0 + vec4(gl_PointCoord, float(gl_FrontFacing), 1.0); }`,
  },
  {
    version: 300,
    vertex: VERTEX_300,
    varyings: ['gl_Position', 'v1', 'v2', 'v3'],
    fragment: `#version 300 es
precision highp float; uniform highp sampler2D s0; uniform samplerCube s1; uniform highp sampler3D s2; uniform highp sampler2DArray s3;
uniform highp sampler2DShadow s4; uniform highp usampler2D s5; uniform highp isampler3D s6; uniform vec4 u4;
in vec4 v0; in vec2 v1; flat in ivec4 v2; in vec3 v3[2]; layout(location = 0) out vec4 c0; layout(location = 1) out vec4 c1;
void main() { c0 = texture(s0, v1) + texture(s1, v0.xyz) + texture(s2, v3[0]) + texture(s3, v3[1]) * u4;
c1 = vec4(texture(s4, v0.xyz)) + vec4(texelFetch(s5, v2.xy, v2.z)) + vec4(texture(s6, v0.xyz)) + textureGrad(s0, v1, dFdx(v1), dFdy(v1) * 1e6); }`,
  },
  {
    version: 300,
    vertex: VERTEX_300,
    varyings: ['v0'],
    fragment: `#version 300 es
precision highp float; precision highp int; in vec4 v0; flat in ivec4 v2; layout(location = 0) out ivec4 c0; layout(location = 1) out uvec4 c1;
uniform int i0; uniform uvec4 u0; layout(std140) uniform Block { vec4 b0[8]; mat3 b1; int b2; };
void main() { c0 = v2 * i0 + ivec4(v0 * 1e10); c1 = u0 / uvec4(v2) + uint(b2); gl_FragDepth = v0.z; for (int i = 0; i < b2; i++) c0 += i; }`,
  },
  {
    version: 300,
    vertex: `#version 300 es
void main() { gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, 0.0, 0.5) * 2.0 - 0.5; gl_PointSize = 4.0; }`,
    fragment: `#version 300 es
precision highp float; out vec4 c; uniform vec4 u4; uniform float loops;
void main() { c = u4; for (float i = 0.0; i < loops; i += 1.0) c = c.yzwx; }`,
  },
  {
    version: 300,
    vertex: `#version 300 es
in vec4 a0; uniform float loops; out vec4 v0; void main() { gl_Position = a0; v0 = a0;
for (float i = 0.0; i < loops; i += 1.0) v0 = v0.yzwx * 0.5; }`,
    varyings: ['v0'],
    fragment: `#version 300 es
precision highp float; in vec4 v0; out vec4 c; void main() { c = v0; }`,
  },
  {
    version: 300,
    vertex: `#version 300 es
in vec4 a0; flat out int v2; uniform int i0; void main() { gl_Position = a0; gl_PointSize = 3.0; int k[7];
for (int i = 0; i < 7; i++) k[(i * i0 + gl_VertexID) % 9] += i; v2 = k[i0]; }`,
    fragment: `#version 300 es
precision highp float; precision highp int; flat in int v2; uniform vec4 u1[9]; uniform int i0; layout(std140) uniform Block { mat4 b0[16]; } n[2];
layout(location = 0) out vec4 c0; layout(location = 1) out ivec4 c1; layout(location = 2) out uvec4 c2; layout(location = 3) out vec4 c3;
void main() { vec4 k[5]; k[v2 & 3] = u1[v2 + i0]; c0 = k[i0 % 5] + n[0].b0[v2][i0 & 3] + n[1].b0[i0][1]; c1 = ivec4(v2 / i0);
c2 = uvec4(v2 % i0) << uint(v2); c3 = vec4(gl_PointCoord, fwidth(c0.x), 1.0 / float(v2)); switch (v2) { case 1: discard; default: c3 = c0; } }`,
  },
  {
    version: 100,
    isVersion2Only: true,
    extensions: ['WEBGL_draw_buffers', 'EXT_frag_depth', 'OES_standard_derivatives', 'EXT_shader_texture_lod'],
    vertex: VERTEX_100,
    fragment: `#extension GL_EXT_draw_buffers : enable
#extension GL_EXT_frag_depth : enable
#extension GL_OES_standard_derivatives : enable
#extension GL_EXT_shader_texture_lod : enable
precision highp float; uniform sampler2D s0; uniform samplerCube s1; varying vec4 v0; varying vec2 v1;
void main() { gl_FragData[0] = texture2DLodEXT(s0, v1, 1.5); gl_FragData[1] = textureCubeGradEXT(s1, v0.xyz, dFdx(v0.xyz), vec3(1e30));
gl_FragData[3] = fwidth(v0); gl_FragDepthEXT = v0.z; }`,
  },
  {
    version: 300,
    extensions: ['WEBGL_blend_func_extended'],
    isWebOnly: true,
    vertex: VERTEX_300,
    fragment: `#version 300 es
#extension GL_EXT_blend_func_extended : require
precision highp float; in vec4 v0; in vec2 v1; layout(location = 0, index = 0) out vec4 c0; layout(location = 0, index = 1) out vec4 c1;
void main() { c0 = v0; c1 = v1.xyxy; }`,
  },
  {
    version: 300,
    extensions: ['WEBGL_clip_cull_distance'],
    vertex: `#version 300 es
#extension GL_ANGLE_clip_cull_distance : require
in vec4 a0; in vec2 a1; out vec2 v1; void main() { gl_Position = a0; v1 = a1; gl_PointSize = 5.0;
gl_ClipDistance[0] = a1.x; gl_ClipDistance[3] = a0.y / a0.x; gl_CullDistance[1] = a1.y; }`,
    varyings: ['v1', 'gl_Position'],
    fragment: `#version 300 es
#extension GL_ANGLE_clip_cull_distance : require
precision highp float; in vec2 v1; out vec4 c; void main() { c = vec4(v1, gl_ClipDistance[3], gl_CullDistance[1]); }`,
  },
  {
    version: 300,
    extensions: [
      'NV_shader_noperspective_interpolation',
      'OES_sample_variables',
      'OES_shader_multisample_interpolation',
      'EXT_conservative_depth',
    ],
    vertex: `#version 300 es
#extension GL_NV_shader_noperspective_interpolation : require
in vec4 a0; in vec4 a2; noperspective out vec4 v0; void main() { gl_Position = a0; v0 = a2; }`,
    fragment: `#version 300 es
#extension GL_NV_shader_noperspective_interpolation : require
#extension GL_OES_sample_variables : require
#extension GL_OES_shader_multisample_interpolation : require
#extension GL_EXT_conservative_depth : require
precision highp float; precision highp int; layout(depth_any) out highp float gl_FragDepth;
noperspective in vec4 v0; layout(location = 0) out vec4 c0; layout(location = 1) out uvec4 c1;
void main() { c0 = interpolateAtSample(v0, gl_SampleID) + interpolateAtOffset(v0, v0.xy * 9.0) + interpolateAtCentroid(v0) + gl_SamplePosition.xyxy;
c1 = uvec4(gl_SampleMaskIn[0]); gl_SampleMask[0] = int(v0.x * 9.0); gl_FragDepth = v0.z; }`,
  },
  {
    version: 100,
    extensions: ['WEBGL_multi_draw'],
    vertex: `#extension GL_ANGLE_multi_draw : require
attribute vec4 a0; attribute vec4 a2; varying vec4 v0; void main() { gl_Position = a0 * float(gl_DrawID + 1); v0 = a2; gl_PointSize = 4.0; }`,
    fragment: 'precision mediump float; varying vec4 v0; void main() { gl_FragColor = v0; }',
  },
];

export const PROGRAM_NAMES: readonly string[] = [
  ...'a0 a1 a2 a3 m u4 s0 s1 s2 s3 s4 s5 s6 v0 v1 v2 v3 v3[0] c0 c1 i0 u0 loops Block b0 b0[0] b0[7] b1 b2'.split(' '),
  'gl_Position',
  'gl_FragColor',
  'webgl_x',
  '',
  'a[',
  'b0[99999999999999999999]',
  'm[0]',
  '[0]',
  'x'.repeat(300),
  '\u00e9',
];

export const SHADER_TEXTS: readonly string[] = [
  ...PROGRAMS.flatMap(({ vertex, fragment }) => [vertex, fragment]),
  '',
  'void main() {',
  '#version 300 es\nvoid main() { for (;;) { } }',
  'precision highp float; void main() { float x; for (int i = 0; i < 1000; i++) x += float(i); gl_FragColor = vec4(x); }',
];
