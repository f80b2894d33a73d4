// loop: steps in a loop of constant or uniform length, or written out.

import { FLAG, type Scene, type Stage } from '../scene.ts';
import { createSteppedGrid, GRID_OPTIONS, MAX_STEPS, stepCount } from './stepped-grid.ts';

/**
 * GLSL ES 1.00 as WebGL takes it has no loops to a uniform bound. In WebGL 2 the shaders are written in GLSL ES 3.00,
 * in WebGL 1 the loop runs to a constant and leaves at the uniform.
 */
function uniformLoop(text: string, uniform: string, isWebgl2: boolean): string {
  if (isWebgl2) return text.replace('$NLOOPS$', uniform);
  return text.replace(/(for\s*\([^)]*)\$NLOOPS\$([^)]*\))/, `$1${MAX_STEPS}$2 if (i >= ${uniform}) break; else`);
}

function steps(stage: Stage, kind: 'vertex' | 'fragment', uniform: string): { holes: Record<string, string> } {
  const { options, data, isWebgl2 } = stage;
  const count = stepCount(stage, `${kind}-steps`);
  if (!options.flag(`${kind}-loop`)) return { holes: { MAIN: data.shader('loop-step-simple.all').repeat(count) } };
  const text = data.shader('loop-step-loop.all');
  const isUniform = options.flag(`${kind}-uniform`);
  return { holes: { MAIN: isUniform ? uniformLoop(text, uniform, isWebgl2) : text.replace('$NLOOPS$', `${count}`) } };
}

export const loop: Scene = {
  name: 'loop',
  help: 'steps in loops in the shaders',
  options: [
    ...GRID_OPTIONS,
    { name: 'fragment-steps', default: '1', help: 'steps in the fragment shader' },
    { name: 'fragment-loop', default: 'true', values: FLAG, help: 'in a loop' },
    { name: 'fragment-uniform', default: 'true', values: FLAG, help: "the loop's length is a uniform" },
    { name: 'vertex-steps', default: '1', help: 'steps in the vertex shader' },
    { name: 'vertex-loop', default: 'true', values: FLAG, help: 'in a loop' },
    { name: 'vertex-uniform', default: 'true', values: FLAG, help: "the loop's length is a uniform" },
  ],
  setup(stage) {
    const { gl, isWebgl2: isEs300 } = stage;
    const program = stage.program('loop.vert', 'loop.frag', {
      vertex: { ...steps(stage, 'vertex', 'VertexLoops'), isEs300 },
      fragment: { ...steps(stage, 'fragment', 'FragmentLoops'), isEs300 },
    });
    program.use();
    gl.uniform1i(program.uniform('VertexLoops'), stepCount(stage, 'vertex-steps'));
    gl.uniform1i(program.uniform('FragmentLoops'), stepCount(stage, 'fragment-steps'));
    return createSteppedGrid(stage, program);
  },
};
