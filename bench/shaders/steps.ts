// Shaders of the scenes conditionals, function and loop: a value that goes through a number of steps.

function stepVertex(uniforms: string, functions: string): string {
  return `
attribute vec3 position;
${uniforms}
uniform mat4 ModelViewProjectionMatrix;
varying float carried;
${functions}
void main() {
  gl_Position = ModelViewProjectionMatrix * vec4(position, 1.0);
  float d = fract(abs(position.x * 0.37 + position.y * 0.53));
  $MAIN$
  carried = d;
}
`;
}

function stepFragment(uniforms: string, functions: string): string {
  return `
${uniforms}
varying float carried;
${functions}
void main() {
  HIGHP_OR_DEFAULT vec2 place = gl_FragCoord.xy;
  float d = fract(place.x * place.y * 0.0002);
  $MAIN$
  // What the vertices computed shows too, or it could be left out.
  gl_FragColor = vec4(d, d, mix(d, carried, 0.25), 1.0);
}
`;
}

const FUNCTION = `
float process(float d) {
  $PROCESS$
  return d;
}
`;

export const STEP_SHADERS = {
  'conditionals.vert': stepVertex('', ''),
  'conditionals.frag': stepFragment('', ''),
  'conditionals-step-conditional.all': 'if (d >= 0.5) d = fract(2.0 * d);\n  else d = fract(3.0 * d);\n  ',
  'conditionals-step-simple.all': 'd = fract(3.0 * d);\n  ',
  'function.vert': stepVertex('', FUNCTION),
  'function.frag': stepFragment('', FUNCTION),
  'function-call.all': 'd = process(d);\n  ',
  'function-step-low.all': 'd = fract(3.0 * d);\n  ',
  'function-step-medium.all': 'd = fract(3.0 * d + 0.5);\n  d = sqrt(d) * (1.5 - 0.5 * d);\n  ',
  'loop.vert': stepVertex('uniform int VertexLoops;', ''),
  'loop.frag': stepFragment('uniform int FragmentLoops;', ''),
  'loop-step-simple.all': 'd = fract(3.0 * d);\n  ',
  'loop-step-loop.all': 'for (int i = 0; i < $NLOOPS$; i++) d = fract(3.0 * d);\n  ',
} as const;
