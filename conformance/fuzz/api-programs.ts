// The programs that fuzzed API sequences draw with: small, and together they use every kind of input and output.

export interface ProgramText {
  readonly vertex: string;
  readonly fragment: string;
  readonly version: 100 | 300;
  readonly varyings?: readonly string[];
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
    fragment: `precision mediump float; uniform sampler2D s0; uniform samplerCube s1; uniform vec4 u4; varying vec4 v0; varying vec2 v1;
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
precision highp float; uniform sampler2D s0; uniform samplerCube s1; uniform highp sampler3D s2; uniform highp sampler2DArray s3;
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
precision highp float; in vec4 v0; flat in ivec4 v2; layout(location = 0) out ivec4 c0; layout(location = 1) out uvec4 c1;
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
