// Shaders of the scene ideas: a table with a sheet of paper, letters, a lamp, and a shape of pipes.

const PLACE = `
uniform mat4 projection;
uniform mat4 modelview;
attribute vec3 vertex;
`;

const PLAIN_VERTEX = (color: string) => `${PLACE}
varying vec4 shade;
void main() {
  shade = vec4(${color}, 1.0);
  gl_Position = projection * modelview * vec4(vertex, 1.0);
}
`;

const PLAIN_FRAGMENT = `
varying vec4 shade;
void main() { gl_FragColor = shade; }
`;

/** Light that falls through the shape onto something that lies flat, strongest in the middle of the beam. */
const BEAM_VERTEX = (color: string, faded: string) => `
uniform mat4 projection;
uniform mat4 modelview;
uniform vec3 lightPosition;
uniform vec3 logoDirection;
uniform float currentTime;
attribute vec3 vertex;
varying vec4 shade;
void main() {
  vec3 beam = normalize(lightPosition - vertex);
  float amount = max(dot(beam, logoDirection), 0.0);
  amount = amount * amount * amount * beam.y;
  amount *= 1.0 - clamp((currentTime - 10.0) * 0.5, 0.0, 1.0) * ${faded};
  shade = vec4(${color} * amount, 1.0);
  gl_Position = projection * modelview * vec4(vertex, 1.0);
}
`;

const LIT_VERTEX = `
uniform mat4 projection;
uniform mat4 modelview;
uniform mat3 normalMatrix;
attribute vec3 vertex;
attribute vec3 normal;
varying vec3 eyeNormal;
varying vec4 eyePlace;
void main() {
  eyePlace = modelview * vec4(vertex, 1.0);
  eyeNormal = normalMatrix * normal;
  gl_Position = projection * eyePlace;
}
`;

export const IDEAS_SHADERS = {
  'ideas-table.vert': BEAM_VERTEX('vec3(0.5, 0.4, 0.7)', '1.0'),
  'ideas-table.frag': PLAIN_FRAGMENT,
  'ideas-paper.vert': BEAM_VERTEX('vec3(1.0, 1.0, 0.78)', '1.0'),
  'ideas-paper.frag': PLAIN_FRAGMENT,
  'ideas-text.vert': `
uniform mat4 projection;
uniform mat4 modelview;
uniform float currentTime;
attribute vec2 vertex;
varying vec4 shade;
void main() {
  float ink = 1.0 - clamp((currentTime - 10.0) * 0.5, 0.0, 1.0);
  shade = vec4(vec3(0.05, 0.05, 0.3) * ink, 1.0);
  gl_Position = projection * modelview * vec4(vertex, 0.0, 1.0);
}
`,
  'ideas-text.frag': PLAIN_FRAGMENT,
  'ideas-under-table.vert': PLAIN_VERTEX('vec3(0.0)'),
  'ideas-under-table.frag': PLAIN_FRAGMENT,
  'ideas-lamp-unlit.vert': PLAIN_VERTEX('vec3(1.0)'),
  'ideas-lamp-unlit.frag': PLAIN_FRAGMENT,
  'ideas-lamp-lit.vert': LIT_VERTEX,
  'ideas-lamp-lit.frag': `
uniform vec4 light0Position;
uniform vec4 light1Position;
uniform vec4 light2Position;
varying vec3 eyeNormal;
varying vec4 eyePlace;
vec3 fromLamp(vec4 lamp, vec3 facing, vec3 color) {
  vec3 towards = normalize(lamp.xyz - eyePlace.xyz * lamp.w);
  float shine = pow(max(dot(facing, normalize(towards + vec3(0.0, 0.0, 1.0))), 0.0), 30.0);
  return color * (max(dot(facing, towards), 0.0) + 0.4 * shine);
}
void main() {
  vec3 facing = normalize(eyeNormal);
  vec3 color = vec3(0.1);
  color += fromLamp(light0Position, facing, vec3(0.5, 0.5, 0.4));
  color += fromLamp(light1Position, facing, vec3(0.3, 0.1, 0.1));
  color += fromLamp(light2Position, facing, vec3(0.1, 0.1, 0.3));
  gl_FragColor = vec4(color, 1.0);
}
`,
  'ideas-logo.vert': LIT_VERTEX,
  'ideas-logo.frag': `
uniform vec4 light0Position;
varying vec3 eyeNormal;
varying vec4 eyePlace;
void main() {
  vec3 facing = normalize(eyeNormal);
  vec3 towards = normalize(light0Position.xyz - eyePlace.xyz * light0Position.w);
  float diffuse = max(dot(facing, towards), 0.0);
  float shine = pow(max(dot(facing, normalize(towards + vec3(0.0, 0.0, 1.0))), 0.0), 30.0);
  gl_FragColor = vec4(vec3(0.45, 0.1, 0.55) * (diffuse + 0.15) + vec3(0.8) * shine, 1.0);
}
`,
  'ideas-logo-flat.vert': `${PLACE}
void main() { gl_Position = projection * modelview * vec4(vertex, 1.0); }
`,
  'ideas-logo-flat.frag': `
uniform vec4 logoColor;
void main() { gl_FragColor = logoColor; }
`,
  'ideas-logo-shadow.vert': `${PLACE}
void main() { gl_Position = projection * modelview * vec4(vertex, 1.0); }
`,
  // A pattern of dots lets half of the table through.
  'ideas-logo-shadow.frag': `
uniform sampler2D tex;
void main() {
  if (texture2D(tex, gl_FragCoord.xy / 32.0).a < 0.5) discard;
  gl_FragColor = vec4(0.0, 0.0, 0.0, 1.0);
}
`,
} as const;
