// A soft gradient behind a scene, lighter around a point: the photographer's paper roll.

import { createFullscreenTriangle, FULLSCREEN_VERTEX } from './fullscreen.ts';
import { createProgram } from './program.ts';
import { TONE } from './shading.ts';

type Gl = WebGLRenderingContext | WebGL2RenderingContext;
type Colour = readonly [number, number, number];

export interface Backdrop {
  /** Fills the viewport without touching depth. Leaves depth test and depth writes on. */
  draw(): void;
  dispose(): void;
}

/** `centre` and `edge` are linear light. */
export function createBackdrop(
  gl: Gl,
  centre: Colour,
  edge: Colour,
  focus: readonly [number, number] = [0, 0.1],
): Backdrop {
  const program = createProgram(
    gl,
    FULLSCREEN_VERTEX,
    `
precision mediump float;
uniform vec3 centre, edge;
uniform vec2 focus;
varying vec2 place;
${TONE}
void main() {
  float away = length((place - focus) * vec2(0.8, 0.9));
  gl_FragColor = vec4(encode(mix(centre, edge, smoothstep(0.0, 1.5, away))), 1.0);
}`,
    { attributes: ['corner'] },
  );
  const triangle = createFullscreenTriangle(gl);
  program.use();
  gl.uniform3f(program.uniform('centre'), ...centre);
  gl.uniform3f(program.uniform('edge'), ...edge);
  gl.uniform2f(program.uniform('focus'), ...focus);
  return {
    draw() {
      gl.disable(gl.DEPTH_TEST);
      program.use();
      triangle.draw();
      gl.enable(gl.DEPTH_TEST);
    },
    dispose() {
      program.dispose();
      triangle.dispose();
    },
  };
}
