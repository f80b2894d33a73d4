// A turning grid whose shaders do a number of steps: what conditionals, function and loop draw.

import { gridPositions } from '../gl/grid.ts';
import { createMatrix, identity, rotate, translate } from '../gl/matrix.ts';
import { createMesh } from '../gl/mesh.ts';
import type { Program } from '../gl/program.ts';
import type { OptionRow, SceneInstance, Stage } from '../scene.ts';
import { createTransformUniforms, TURN_SPEED } from './turning-model.ts';

export const GRID_OPTIONS: readonly OptionRow[] = [
  { name: 'grid-size', default: '32', help: 'squares along each side' },
  { name: 'grid-length', default: '5.0', help: 'length of each side' },
];

const MAX_GRID = 1024;
export const MAX_STEPS = 1000;

/** A step count from the options. */
export function stepCount({ options }: Stage, name: string): number {
  const steps = options.number(name);
  if (!Number.isInteger(steps) || steps < 0 || steps > MAX_STEPS) throw new Error(`${name}=${steps}`);
  return steps;
}

export function createSteppedGrid(stage: Stage, program: Program): SceneInstance {
  const { gl, options, projection } = stage;
  const size = options.number('grid-size');
  const length = options.number('grid-length');
  if (!Number.isInteger(size) || size < 1 || size > MAX_GRID) throw new Error(`grid-size=${size}`);
  // The squares' whole area stays the same for any number of them.
  const spacing = size > 1 ? (length * (1 - 4.38 / 5)) / (size - 1) : 0;
  const positions = gridPositions({ columns: size, rows: size, width: length, height: length, spacing });
  const mesh = createMesh(gl, [{ size: 3, data: positions }]);
  mesh.setLocations([program.attribute('position')]);
  const setUniforms = createTransformUniforms(gl, program);
  const view = createMatrix();
  let degrees = 0;
  program.use();
  return {
    update(elapsed) {
      degrees = TURN_SPEED * elapsed;
    },
    draw() {
      translate(identity(view), 0, 0, -5);
      rotate(view, degrees, 0, 0, 1);
      setUniforms(projection, view);
      mesh.draw();
    },
    dispose() {
      mesh.dispose();
      program.dispose();
    },
  };
}
