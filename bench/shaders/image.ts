// Shaders that work on whole pictures: effect2d, desktop, and the passes of terrain. And the wireframe of buffer, and text.

const PASS_VERTEX = `
attribute vec2 position;
attribute vec2 texcoord;
varying vec2 TextureCoord;
void main() {
  TextureCoord = texcoord;
  gl_Position = vec4(position, 0.0, 1.0);
}
`;

/** A sum of texels, which the scene writes out. */
const CONVOLUTION = `
uniform sampler2D Texture0;
varying vec2 TextureCoord;
void main() {
  vec4 result;
  $CONVOLUTION$
  gl_FragColor = vec4(result.rgb, 1.0);
}
`;

export const IMAGE_SHADERS = {
  'effect-2d.vert': `
attribute vec3 position;
varying vec2 TextureCoord;
void main() {
  TextureCoord = position.xy * 0.5 + 0.5;
  gl_Position = vec4(position, 1.0);
}
`,
  'effect-2d-convolution.frag': CONVOLUTION,
  'desktop.vert': PASS_VERTEX,
  'desktop.frag': `
uniform sampler2D MaterialTexture0;
varying vec2 TextureCoord;
void main() { gl_FragColor = texture2D(MaterialTexture0, TextureCoord); }
`,
  'desktop-blur.frag': CONVOLUTION,
  'text-renderer.vert': PASS_VERTEX,
  'text-renderer.frag': `
uniform sampler2D Texture0;
varying vec2 TextureCoord;
void main() { gl_FragColor = texture2D(Texture0, TextureCoord); }
`,
  'buffer-wireframe.vert': `
attribute vec3 position;
attribute vec3 tvertex0;
attribute vec3 tvertex1;
attribute vec3 tvertex2;
uniform vec2 Viewport;
uniform mat4 ModelViewProjectionMatrix;
varying vec4 edgeDistance;
vec2 onScreen(vec3 corner, out float w) {
  vec4 clip = ModelViewProjectionMatrix * vec4(corner, 1.0);
  w = clip.w;
  return clip.xy / clip.w * Viewport * 0.5;
}
float cross2(vec2 a, vec2 b) { return a.x * b.y - a.y * b.x; }
void main() {
  gl_Position = ModelViewProjectionMatrix * vec4(position, 1.0);
  float w;
  vec2 here = gl_Position.xy / gl_Position.w * Viewport * 0.5;
  vec2 a = onScreen(tvertex0, w);
  vec2 b = onScreen(tvertex1, w);
  vec2 c = onScreen(tvertex2, w);
  // Distances to the three edges in pixels; the division by w is taken back in the fragment shader.
  vec3 distances = vec3(
    abs(cross2(c - b, here - b)) / max(length(c - b), 0.0001),
    abs(cross2(a - c, here - c)) / max(length(a - c), 0.0001),
    abs(cross2(b - a, here - a)) / max(length(b - a), 0.0001));
  edgeDistance = vec4(distances * gl_Position.w, 1.0 / gl_Position.w);
}
`,
  'buffer-wireframe.frag': `
varying HIGHP_OR_DEFAULT vec4 edgeDistance;
const vec4 LINE = vec4(0.95, 0.95, 1.0, 1.0);
const vec4 FACE = vec4(0.2, 0.55, 0.75, 1.0);
void main() {
  HIGHP_OR_DEFAULT vec3 pixels = edgeDistance.xyz * edgeDistance.w;
  HIGHP_OR_DEFAULT float nearest = min(pixels.x, min(pixels.y, pixels.z));
  gl_FragColor = mix(FACE, LINE, exp2(-nearest * nearest));
}
`,
} as const;
