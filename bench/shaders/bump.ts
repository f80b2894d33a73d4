// Shaders of the scene bump: many triangles, a normal map in object space, one in tangent space, a height map.

const LIGHT = `
vec4 lightOf(vec3 facing, vec3 towardsLamp, vec3 halfway) {
  float diffuse = max(dot(facing, towardsLamp), 0.0);
  float shine = pow(max(dot(facing, halfway), 0.0), 60.0);
  return vec4(vec3(0.72) * diffuse + vec3(0.06) + vec3(0.35) * shine, 1.0);
}
`;

const TANGENT_VERTEX = `
attribute vec3 position;
attribute vec2 texcoord;
attribute vec3 normal;
attribute vec3 tangent;
uniform mat4 ModelViewProjectionMatrix;
uniform mat4 NormalMatrix;
varying vec2 surfaceCoord;
varying vec3 eyeNormal;
varying vec3 eyeTangent;
varying vec3 eyeBitangent;
void main() {
  surfaceCoord = texcoord;
  eyeNormal = normalize((NormalMatrix * vec4(normal, 1.0)).xyz);
  eyeTangent = normalize((NormalMatrix * vec4(tangent, 1.0)).xyz);
  eyeBitangent = cross(eyeNormal, eyeTangent);
  gl_Position = ModelViewProjectionMatrix * vec4(position, 1.0);
}
`;

export const BUMP_SHADERS = {
  'bump-poly.vert': `
attribute vec3 position;
attribute vec3 normal;
uniform mat4 ModelViewProjectionMatrix;
uniform mat4 NormalMatrix;
varying vec3 eyeNormal;
void main() {
  eyeNormal = (NormalMatrix * vec4(normal, 1.0)).xyz;
  gl_Position = ModelViewProjectionMatrix * vec4(position, 1.0);
}
`,
  'bump-poly.frag': `
varying vec3 eyeNormal;
${LIGHT}
void main() {
  gl_FragColor = lightOf(normalize(eyeNormal), normalize(LightSourcePosition.xyz), LightSourceHalfVector);
}
`,
  'bump-normals.vert': `
attribute vec3 position;
attribute vec2 texcoord;
uniform mat4 ModelViewProjectionMatrix;
varying vec2 surfaceCoord;
void main() {
  surfaceCoord = texcoord;
  gl_Position = ModelViewProjectionMatrix * vec4(position, 1.0);
}
`,
  'bump-normals.frag': `
uniform sampler2D NormalMap;
uniform mat4 NormalMatrix;
varying vec2 surfaceCoord;
${LIGHT}
void main() {
  vec3 stored = texture2D(NormalMap, surfaceCoord).xyz * 2.0 - 1.0;
  vec3 facing = normalize((NormalMatrix * vec4(stored, 1.0)).xyz);
  gl_FragColor = lightOf(facing, normalize(LightSourcePosition.xyz), LightSourceHalfVector);
}
`,
  'bump-normals-tangent.vert': TANGENT_VERTEX,
  'bump-normals-tangent.frag': `
uniform sampler2D NormalMap;
varying vec2 surfaceCoord;
varying vec3 eyeNormal;
varying vec3 eyeTangent;
varying vec3 eyeBitangent;
${LIGHT}
void main() {
  vec3 stored = texture2D(NormalMap, surfaceCoord).xyz * 2.0 - 1.0;
  vec3 facing = normalize(eyeTangent * stored.x + eyeBitangent * stored.y + eyeNormal * stored.z);
  gl_FragColor = lightOf(facing, normalize(LightSourcePosition.xyz), LightSourceHalfVector);
}
`,
  'bump-height.vert': TANGENT_VERTEX,
  'bump-height.frag': `
uniform sampler2D HeightMap;
varying HIGHP_OR_DEFAULT vec2 surfaceCoord;
varying vec3 eyeNormal;
varying vec3 eyeTangent;
varying vec3 eyeBitangent;
${LIGHT}
void main() {
  float here = texture2D(HeightMap, surfaceCoord).r;
  float right = texture2D(HeightMap, surfaceCoord + vec2(TextureStepX, 0.0)).r;
  float above = texture2D(HeightMap, surfaceCoord + vec2(0.0, TextureStepY)).r;
  vec3 slope = vec3(here - right, here - above, 0.05);
  vec3 facing = normalize(eyeTangent * slope.x + eyeBitangent * slope.y + eyeNormal * slope.z);
  gl_FragColor = lightOf(facing, normalize(LightSourcePosition.xyz), LightSourceHalfVector);
}
`,
} as const;
