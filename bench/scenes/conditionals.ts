// conditionals: steps with or without an if in each.

import { FLAG, type Scene, type Stage } from '../scene.ts';
import { createSteppedGrid, GRID_OPTIONS, stepCount } from './stepped-grid.ts';

function steps(stage: Stage, kind: 'vertex' | 'fragment'): { holes: Record<string, string> } {
  const isConditional = stage.options.flag(`${kind}-conditionals`);
  const step = stage.data.shader(`conditionals-step-${isConditional ? 'conditional' : 'simple'}.all`);
  return { holes: { MAIN: step.repeat(stepCount(stage, `${kind}-steps`)) } };
}

export const conditionals: Scene = {
  name: 'conditionals',
  help: 'steps with conditions in the shaders',
  options: [
    ...GRID_OPTIONS,
    { name: 'fragment-steps', default: '1', help: 'steps in the fragment shader' },
    { name: 'fragment-conditionals', default: 'true', values: FLAG, help: 'an if in each of them' },
    { name: 'vertex-steps', default: '1', help: 'steps in the vertex shader' },
    { name: 'vertex-conditionals', default: 'true', values: FLAG, help: 'an if in each of them' },
  ],
  setup: (stage) =>
    createSteppedGrid(
      stage,
      stage.program('conditionals.vert', 'conditionals.frag', {
        vertex: steps(stage, 'vertex'),
        fragment: steps(stage, 'fragment'),
      }),
    ),
};
