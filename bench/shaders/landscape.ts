// Shaders of the scenes terrain and jellyfish.

const PASS_VARYING = 'varying vec2 vUv;';

export const LANDSCAPE_SHADERS = {
  'terrain-texture.vert': `
uniform vec2 uvOffset;
uniform MEDIUMP_OR_DEFAULT vec2 uvScale;
attribute vec3 position;
${PASS_VARYING}
void main() {
  vUv = uvScale * (position.xy * 0.5 + 0.5) + uvOffset;
  gl_Position = vec4(position, 1.0);
}
`,
  'terrain-noise.frag': `
uniform float time;
uniform MEDIUMP_OR_DEFAULT vec2 uvScale;
varying HIGHP_OR_DEFAULT vec2 vUv;
// Gradient noise on a lattice; gradients come from a permutation by polynomial, so no table is needed.
HIGHP_OR_DEFAULT vec4 permuted(HIGHP_OR_DEFAULT vec4 x) { return mod((x * 29.0 + 7.0) * x, 251.0); }
HIGHP_OR_DEFAULT float gradientNoise(HIGHP_OR_DEFAULT vec2 place) {
  HIGHP_OR_DEFAULT vec2 cell = floor(place);
  HIGHP_OR_DEFAULT vec2 part = place - cell;
  HIGHP_OR_DEFAULT vec4 columns = mod(vec4(cell.x, cell.x + 1.0, cell.x, cell.x + 1.0), 251.0);
  HIGHP_OR_DEFAULT vec4 rows = mod(vec4(cell.y, cell.y, cell.y + 1.0, cell.y + 1.0), 251.0);
  HIGHP_OR_DEFAULT vec4 turn = permuted(mod(permuted(columns) + rows, 251.0)) * (6.2831853 / 251.0);
  HIGHP_OR_DEFAULT vec4 dx = vec4(part.x, part.x - 1.0, part.x, part.x - 1.0);
  HIGHP_OR_DEFAULT vec4 dy = vec4(part.y, part.y, part.y - 1.0, part.y - 1.0);
  HIGHP_OR_DEFAULT vec4 slopes = cos(turn) * dx + sin(turn) * dy;
  HIGHP_OR_DEFAULT vec2 blend = part * part * part * (part * (part * 6.0 - 15.0) + 10.0);
  return mix(mix(slopes.x, slopes.y, blend.x), mix(slopes.z, slopes.w, blend.x), blend.y);
}
void main() {
  HIGHP_OR_DEFAULT vec2 place = vUv * uvScale * 2.0 + time;
  HIGHP_OR_DEFAULT float height = gradientNoise(place) + 0.5 * gradientNoise(place * 2.0)
    + 0.25 * gradientNoise(place * 4.0) + 0.125 * gradientNoise(place * 8.0);
  gl_FragColor = vec4(vec3(height * 0.5 + 0.45), 1.0);
}
`,
  'terrain-normalmap.frag': `
uniform float height;
uniform vec2 resolution;
uniform sampler2D heightMap;
${PASS_VARYING}
void main() {
  float here = texture2D(heightMap, vUv).r;
  float right = texture2D(heightMap, vUv + vec2(1.0 / resolution.x, 0.0)).r;
  float above = texture2D(heightMap, vUv + vec2(0.0, 1.0 / resolution.y)).r;
  vec3 facing = normalize(vec3(here - right, here - above, height));
  gl_FragColor = vec4(facing * 0.5 + 0.5, 1.0);
}
`,
  'terrain-luminance.frag': `
uniform sampler2D tDiffuse;
${PASS_VARYING}
void main() {
  vec4 color = texture2D(tDiffuse, vUv);
  gl_FragColor = vec4(vec3(dot(color.rgb, vec3(0.2126, 0.7152, 0.0722))), color.a);
}
`,
  'terrain-blur.frag': `
uniform sampler2D Texture0;
${PASS_VARYING}
void main() {
  vec2 TextureCoord = vUv;
  vec4 result;
  $CONVOLUTION$
  gl_FragColor = vec4(result.rgb, 1.0);
}
`,
  'terrain-overlay.frag': `
uniform float opacity;
uniform sampler2D tDiffuse;
${PASS_VARYING}
void main() { gl_FragColor = opacity * texture2D(tDiffuse, vUv); }
`,
  'terrain.vert': `
uniform mat4 modelViewMatrix;
uniform mat4 normalMatrix;
uniform mat4 projectionMatrix;
uniform sampler2D tNormal;
uniform sampler2D tDisplacement;
uniform float uDisplacementScale;
uniform float uDisplacementBias;
attribute vec3 position;
attribute vec3 normal;
attribute vec3 tangent;
attribute vec2 uv;
varying vec3 frameTangent;
varying vec3 frameBinormal;
varying vec3 frameNormal;
varying vec2 groundCoord;
varying vec3 eyePosition;
void main() {
  groundCoord = uv;
  frameNormal = normalize((normalMatrix * vec4(normal, 0.0)).xyz);
  frameTangent = normalize((normalMatrix * vec4(tangent, 0.0)).xyz);
  frameBinormal = cross(frameNormal, frameTangent);
  float lift = texture2D(tDisplacement, uv).r * uDisplacementScale + uDisplacementBias;
  vec4 place = modelViewMatrix * vec4(position + normal * lift, 1.0);
  // Slopes turn the frame's normal, so that the light of whole hills is smooth.
  vec3 slope = texture2D(tNormal, uv).xyz * 2.0 - 1.0;
  frameNormal = normalize(frameTangent * slope.x + frameBinormal * slope.y + frameNormal * slope.z);
  eyePosition = -place.xyz;
  gl_Position = projectionMatrix * place;
}
`,
  'terrain.frag': `
uniform vec3 uAmbientColor;
uniform vec3 uDiffuseColor;
uniform vec3 uSpecularColor;
uniform float uShininess;
uniform float uOpacity;
uniform sampler2D tDiffuse1;
uniform sampler2D tDiffuse2;
uniform sampler2D tDetail;
uniform sampler2D tNormal;
uniform sampler2D tSpecular;
uniform sampler2D tDisplacement;
uniform float uNormalScale;
uniform vec2 uRepeatOverlay;
uniform vec2 uOffset;
uniform vec3 ambientLightColor;
uniform mat4 viewMatrix;
uniform vec3 pointLightColor[1];
uniform vec3 pointLightPosition[1];
uniform float pointLightDistance[1];
uniform vec3 fogColor;
uniform float fogDensity;
uniform float fogNear;
uniform float fogFar;
varying vec3 frameTangent;
varying vec3 frameBinormal;
varying vec3 frameNormal;
varying vec2 groundCoord;
varying HIGHP_OR_DEFAULT vec3 eyePosition;
void main() {
  vec2 overlay = uRepeatOverlay * groundCoord + uOffset;
  float height = texture2D(tDisplacement, groundCoord).r;
  vec3 ground = mix(texture2D(tDiffuse1, overlay).rgb, texture2D(tDiffuse2, overlay).rgb, 1.0 - height);
  vec3 gloss = texture2D(tSpecular, overlay).rgb;
  vec3 detail = texture2D(tDetail, overlay).xyz * 2.0 - 1.0;
  detail.xy *= uNormalScale;
  vec3 hill = texture2D(tNormal, groundCoord).xyz * 2.0 - 1.0;
  detail = normalize(detail + vec3(hill.xy * 0.5, 0.0));
  vec3 facing = normalize(frameTangent * detail.x + frameBinormal * detail.y + frameNormal * detail.z);
  vec3 towardsEye = normalize(eyePosition);
  HIGHP_OR_DEFAULT vec3 towardsLamp = (viewMatrix * vec4(pointLightPosition[0], 1.0)).xyz + eyePosition;
  float fade = pointLightDistance[0] > 0.0 ? 1.0 - min(length(towardsLamp) / pointLightDistance[0], 1.0) : 1.0;
  towardsLamp = normalize(towardsLamp);
  float diffuse = max(dot(facing, towardsLamp), 0.0) * fade;
  float shine = pow(max(dot(facing, normalize(towardsLamp + towardsEye)), 0.0), uShininess) * diffuse;
  vec3 light = pointLightColor[0] * uDiffuseColor * diffuse + ambientLightColor * uAmbientColor;
  vec3 color = ground * light + gloss * uSpecularColor * pointLightColor[0] * shine;
  HIGHP_OR_DEFAULT float far = gl_FragCoord.z / gl_FragCoord.w;
  HIGHP_OR_DEFAULT float density = fogDensity * far;
  float fog = clamp(1.0 - exp2(-density * density * 1.442695), 0.0, 1.0) * smoothstep(fogNear, fogFar, far);
  gl_FragColor = vec4(mix(color, fogColor, fog), uOpacity);
}
`,
  'gradient.vert': `
attribute vec2 position;
attribute vec2 uvIn;
varying vec2 uv;
void main() {
  uv = uvIn;
  gl_Position = vec4(position, 0.0, 1.0);
}
`,
  'gradient.frag': `
uniform vec3 color1;
uniform vec3 color2;
varying vec2 uv;
void main() { gl_FragColor = vec4(mix(color1, color2, uv.y), 1.0); }
`,
  'jellyfish.vert': `
attribute vec3 aVertexPosition;
attribute vec3 aVertexNormal;
attribute vec3 aVertexColor;
attribute vec3 aTextureCoord;
uniform mat4 uWorld;
uniform mat4 uWorldViewProj;
uniform mat4 uWorldInvTranspose;
uniform vec3 uLightPos;
uniform float uLightRadius;
uniform vec4 uLightCol;
uniform vec4 uAmbientCol;
uniform vec4 uFresnelCol;
uniform float uFresnelPower;
uniform float uCurrentTime;
varying vec2 skinCoord;
varying vec4 worldPlace;
varying vec3 lampLight;
varying vec3 waterLight;
varying vec3 rim;
void main() {
  // The body beats; red of the vertex colour tells how much of it moves, green how late.
  float beat = sin(uCurrentTime * 2.0 - aVertexColor.g * 4.0 + aVertexPosition.y * 0.15);
  vec3 place = aVertexPosition + aVertexNormal * aVertexColor.r * beat * 0.25;
  place.xz += 0.15 * (1.0 - aVertexColor.r) * sin(vec2(0.9, 1.1) * uCurrentTime + aVertexPosition.y * 0.6);
  worldPlace = uWorld * vec4(place, 1.0);
  vec3 facing = normalize((uWorldInvTranspose * vec4(aVertexNormal, 0.0)).xyz);
  vec3 towardsLamp = uLightPos - worldPlace.xyz;
  float near = max(1.0 - dot(towardsLamp, towardsLamp) / (uLightRadius * uLightRadius), 0.0);
  lampLight = uLightCol.rgb * max(dot(facing, normalize(towardsLamp)), 0.0) * near;
  waterLight = uAmbientCol.rgb * (0.5 + 0.5 * facing.y);
  float edge = 1.0 - abs(dot(facing, normalize(-worldPlace.xyz)));
  rim = uFresnelCol.rgb * pow(max(edge, 0.001), uFresnelPower);
  skinCoord = aTextureCoord.xy;
  gl_Position = uWorldViewProj * vec4(place, 1.0);
}
`,
  'jellyfish.frag': `
uniform sampler2D uSampler;
uniform sampler2D uSampler1;
uniform float uCurrentTime;
varying vec2 skinCoord;
varying vec4 worldPlace;
varying vec3 lampLight;
varying vec3 waterLight;
varying vec3 rim;
void main() {
  vec4 skin = texture2D(uSampler, skinCoord);
  vec4 caustic = texture2D(uSampler1, worldPlace.xz / 24.0 + uCurrentTime * 0.02);
  vec3 light = waterLight + lampLight + caustic.rgb * lampLight * 0.6;
  gl_FragColor = vec4(skin.rgb * light + rim * 0.5, clamp(skin.a + rim.g * 0.3, 0.0, 1.0));
}
`,
} as const;
