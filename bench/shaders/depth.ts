// Shaders of the scenes shadow and refract, which both look at the scene from a lamp first.

export const DEPTH_SHADERS = {
  'depth.vert': `
attribute vec3 position;
attribute vec3 normal;
uniform mat4 ModelViewProjectionMatrix;
varying vec3 outward;
void main() {
  outward = normal;
  gl_Position = ModelViewProjectionMatrix * vec4(position, 1.0);
}
`,
  'depth.frag': `
varying vec3 outward;
void main() { gl_FragColor = vec4(normalize(outward) * 0.5 + 0.5, 1.0); }
`,
  'shadow.vert': `
attribute vec2 position;
uniform mat4 LightMatrix;
uniform mat4 ModelViewProjectionMatrix;
varying vec4 lampCoord;
varying vec4 groundColor;
void main() {
  vec4 place = vec4(position, 0.0, 1.0);
  // The ground lies level below the model, twice as large as the square.
  lampCoord = LightMatrix * vec4(2.0 * position.x, -0.8, -2.0 * position.y, 1.0);
  groundColor = MaterialDiffuse;
  gl_Position = ModelViewProjectionMatrix * place;
}
`,
  'shadow.frag': `
uniform HIGHP_OR_DEFAULT sampler2D ShadowMap;
varying HIGHP_OR_DEFAULT vec4 lampCoord;
varying vec4 groundColor;
void main() {
  HIGHP_OR_DEFAULT vec3 seen = lampCoord.xyz / lampCoord.w;
  HIGHP_OR_DEFAULT float nearest = texture2D(ShadowMap, seen.xy).r;
  float lit = nearest < seen.z ? 0.4 : 1.0;
  gl_FragColor = vec4(groundColor.rgb * lit, 1.0);
}
`,
  'light-refract.vert': `
attribute vec3 position;
attribute vec3 normal;
uniform mat4 ModelViewProjectionMatrix;
uniform mat4 NormalMatrix;
uniform mat4 ModelViewMatrix;
uniform mat4 LightMatrix;
varying vec3 eyeNormal;
varying vec4 eyePosition;
varying vec4 lampCoord;
void main() {
  eyeNormal = (NormalMatrix * vec4(normal, 1.0)).xyz;
  eyePosition = ModelViewMatrix * vec4(position, 1.0);
  lampCoord = LightMatrix * vec4(position, 1.0);
  gl_Position = ModelViewProjectionMatrix * vec4(position, 1.0);
}
`,
  'light-refract.frag': `
uniform HIGHP_OR_DEFAULT sampler2D DistanceMap;
uniform sampler2D NormalMap;
uniform sampler2D ImageMap;
varying vec3 eyeNormal;
varying vec4 eyePosition;
varying HIGHP_OR_DEFAULT vec4 lampCoord;
void main() {
  vec3 facing = normalize(eyeNormal);
  vec3 towardsEye = normalize(-eyePosition.xyz);
  vec3 towardsLamp = normalize(LightSourcePosition.xyz - eyePosition.xyz);
  // Into the medium, through it to the far side as the lamp sees it, and out again.
  vec3 inside = refract(-towardsEye, facing, 1.0 / RefractiveIndex);
  HIGHP_OR_DEFAULT vec3 seen = lampCoord.xyz / lampCoord.w;
  HIGHP_OR_DEFAULT float thickness = max(texture2D(DistanceMap, seen.xy).r - seen.z, 0.0);
  vec3 farNormal = texture2D(NormalMap, seen.xy + inside.xy * thickness).xyz * 2.0 - 1.0;
  vec3 outside = refract(inside, -normalize(farNormal), RefractiveIndex);
  // Light that can't leave is thrown back.
  if (dot(outside, outside) < 0.5) outside = reflect(inside, -normalize(farNormal));
  vec3 background = texture2D(ImageMap, outside.xy * 0.5 + 0.5).rgb;
  float diffuse = max(dot(facing, towardsLamp), 0.0);
  float shine = pow(max(dot(reflect(-towardsLamp, facing), towardsEye), 0.0), 40.0);
  gl_FragColor = vec4(background * (0.6 + LightColor.rgb * diffuse) + LightColor.rgb * shine, 1.0);
}
`,
} as const;
