// function: steps that call a function or are written out.

import { FLAG, type Scene, type Stage } from '../scene.ts';
import { createSteppedGrid, GRID_OPTIONS, stepCount } from './stepped-grid.ts';

const COMPLEXITIES = ['low', 'medium'] as const;

function steps(stage: Stage, kind: 'vertex' | 'fragment'): { holes: Record<string, string> } {
  const { options, data } = stage;
  const step = data.shader(`function-step-${options.text(`${kind}-complexity`)}.all`);
  const isCall = options.flag(`${kind}-function`);
  const line = isCall ? data.shader('function-call.all') : step;
  return { holes: { PROCESS: isCall ? step : '', MAIN: line.repeat(stepCount(stage, `${kind}-steps`)) } };
}

// Not named as the file: `function` is a word of the language.
export const functionCalls: Scene = {
  name: 'function',
  help: 'steps with function calls in the shaders',
  options: [
    ...GRID_OPTIONS,
    { name: 'fragment-steps', default: '1', help: 'steps in the fragment shader' },
    { name: 'fragment-function', default: 'true', values: FLAG, help: 'each of them a call' },
    { name: 'vertex-steps', default: '1', help: 'steps in the vertex shader' },
    { name: 'vertex-function', default: 'true', values: FLAG, help: 'each of them a call' },
    { name: 'vertex-complexity', default: 'low', values: COMPLEXITIES, help: 'work of a step in the vertex shader' },
    {
      name: 'fragment-complexity',
      default: 'low',
      values: COMPLEXITIES,
      help: 'work of a step in the fragment shader',
    },
  ],
  setup: (stage) =>
    createSteppedGrid(
      stage,
      stage.program('function.vert', 'function.frag', {
        vertex: steps(stage, 'vertex'),
        fragment: steps(stage, 'fragment'),
      }),
    ),
};
