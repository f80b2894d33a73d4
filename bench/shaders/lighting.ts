// Shaders of the scenes build, texture, shading and pulsar.

const BASIC_HEAD = `
attribute vec3 position;
attribute vec3 normal;
attribute vec2 texcoord;
uniform mat4 ModelViewProjectionMatrix;
uniform mat4 NormalMatrix;
varying vec4 litColor;
varying vec2 surfaceCoord;
`;

/** Diffuse light of one far lamp, at each vertex. */
const BASIC_LIGHT = `
vec4 lambert(vec3 direction) {
  vec3 facing = normalize((NormalMatrix * vec4(direction, 1.0)).xyz);
  float amount = max(dot(facing, normalize(LightSourcePosition.xyz)), 0.0);
  return vec4(MaterialDiffuse.rgb * amount, MaterialDiffuse.a);
}
`;

const EYE_HEAD = `
attribute vec3 position;
attribute vec3 normal;
uniform mat4 ModelViewProjectionMatrix;
uniform mat4 NormalMatrix;
uniform mat4 ModelViewMatrix;
varying vec3 eyeNormal;
varying vec4 eyePosition;
void main() {
  eyeNormal = (NormalMatrix * vec4(normal, 1.0)).xyz;
  eyePosition = ModelViewMatrix * vec4(position, 1.0);
  gl_Position = ModelViewProjectionMatrix * vec4(position, 1.0);
}
`;

export const LIGHTING_SHADERS = {
  'light-basic.vert': `${BASIC_HEAD}${BASIC_LIGHT}
void main() {
  litColor = lambert(normal);
  surfaceCoord = texcoord;
  gl_Position = ModelViewProjectionMatrix * vec4(position, 1.0);
}
`,
  'light-basic-texgen.vert': `${BASIC_HEAD.replace('attribute vec2 texcoord;\n', 'uniform vec3 CenterPoint;\n')}${BASIC_LIGHT}
void main() {
  litColor = lambert(normal);
  vec3 outward = normalize(position - CenterPoint);
  surfaceCoord = vec2(asin(outward.x), asin(outward.y)) / PI + 0.5;
  gl_Position = ModelViewProjectionMatrix * vec4(position, 1.0);
}
`,
  'light-basic.frag': `
varying vec4 litColor;
void main() { gl_FragColor = litColor; }
`,
  'light-basic-tex.frag': `
uniform sampler2D MaterialTexture0;
varying vec4 litColor;
varying vec2 surfaceCoord;
void main() { gl_FragColor = litColor * texture2D(MaterialTexture0, surfaceCoord); }
`,
  'light-basic-tex-bilinear.frag': `
uniform sampler2D MaterialTexture0;
varying vec4 litColor;
varying vec2 surfaceCoord;
vec4 blendOfFour(vec2 coord) {
  HIGHP_OR_DEFAULT vec2 texel = coord * TextureSize - 0.5;
  vec2 part = fract(texel);
  vec2 low = (floor(texel) + 0.5) / TextureSize;
  vec2 high = low + 1.0 / TextureSize;
  vec4 lower = mix(texture2D(MaterialTexture0, low), texture2D(MaterialTexture0, vec2(high.x, low.y)), part.x);
  vec4 upper = mix(texture2D(MaterialTexture0, vec2(low.x, high.y)), texture2D(MaterialTexture0, high), part.x);
  return mix(lower, upper, part.y);
}
void main() { gl_FragColor = litColor * blendOfFour(surfaceCoord); }
`,
  'light-advanced.vert': `
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
  'light-advanced.frag': `
varying vec3 eyeNormal;
const vec3 AMBIENT = vec3(0.1, 0.1, 0.1);
const vec3 DIFFUSE = vec3(0.15, 0.15, 0.9);
const vec3 SPECULAR = vec3(0.8, 0.8, 0.8);
void main() {
  vec3 facing = normalize(eyeNormal);
  float diffuse = max(dot(facing, normalize(LightSourcePosition.xyz)), 0.0);
  float shine = pow(max(dot(facing, LightSourceHalfVector), 0.0), 100.0);
  gl_FragColor = vec4(AMBIENT * DIFFUSE + DIFFUSE * diffuse + SPECULAR * shine, 1.0);
}
`,
  'light-phong.vert': EYE_HEAD,
  'light-phong.frag': `
varying vec3 eyeNormal;
varying vec4 eyePosition;
vec4 compute_color(vec4 lamp, vec4 lampColor) {
  vec3 facing = normalize(eyeNormal);
  vec3 towardsLamp = normalize(lamp.xyz - eyePosition.xyz);
  vec3 towardsEye = normalize(-eyePosition.xyz);
  float diffuse = max(dot(facing, towardsLamp), 0.0);
  float shine = pow(max(dot(reflect(-towardsLamp, facing), towardsEye), 0.0), 80.0);
  return vec4(lampColor.rgb * (MaterialDiffuse.rgb * (diffuse + 0.1) + shine), 1.0);
}
void main() {
$DO_LIGHTS$
}
`,
  'light-cel.frag': `
varying vec3 eyeNormal;
varying vec4 eyePosition;
const vec3 LAMP = vec3(1.0, 1.0, 1.0);
void main() {
  vec3 facing = normalize(eyeNormal);
  vec3 towardsLamp = normalize(LAMP - eyePosition.xyz);
  vec3 towardsEye = normalize(-eyePosition.xyz);
  float light = max(dot(facing, towardsLamp), 0.0);
  float shine = pow(max(dot(reflect(-towardsLamp, facing), towardsEye), 0.0), 60.0);
  float outline = step(0.25, dot(facing, towardsEye));
  float band;
  if (light > 0.85) band = 1.0;
  else if (light > 0.5) band = 0.7;
  else if (light > 0.2) band = 0.45;
  else band = 0.25;
  vec3 color = vec3(0.2, 0.3, 0.95) * band + vec3(0.6) * step(0.5, shine);
  gl_FragColor = vec4(color * outline, 1.0);
}
`,
  'pulsar.vert': `
attribute vec3 position;
attribute vec4 vtxcolor;
attribute vec2 texcoord;
uniform mat4 ModelViewProjectionMatrix;
varying vec4 litColor;
varying vec2 surfaceCoord;
void main() {
  litColor = vtxcolor;
  surfaceCoord = texcoord;
  gl_Position = ModelViewProjectionMatrix * vec4(position, 1.0);
}
`,
  'pulsar-light.vert': `
attribute vec3 position;
attribute vec3 normal;
attribute vec4 vtxcolor;
attribute vec2 texcoord;
uniform mat4 ModelViewProjectionMatrix;
uniform mat4 NormalMatrix;
varying vec4 litColor;
varying vec2 surfaceCoord;
void main() {
  vec3 facing = normalize((NormalMatrix * vec4(normal, 1.0)).xyz);
  // Both sides of a quad can be seen.
  float amount = abs(dot(facing, normalize(LightSourcePosition.xyz)));
  litColor = vec4(vtxcolor.rgb * amount, vtxcolor.a);
  surfaceCoord = texcoord;
  gl_Position = ModelViewProjectionMatrix * vec4(position, 1.0);
}
`,
} as const;
