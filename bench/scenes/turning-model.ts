// A model that turns around the y axis in front of a fitted camera: what build, shading and texture draw.

import { createMatrix, inverseTranspose, multiply } from '../gl/matrix.ts';
import type { Mesh } from '../gl/mesh.ts';
import type { Program } from '../gl/program.ts';
import type { Gl } from '../scene.ts';
import type { FittedCamera } from './fitted-camera.ts';

/** Degrees a second. */
export const TURN_SPEED = 36;

/** Sets the matrices of one draw from a model view matrix. */
export function createTransformUniforms(gl: Gl, program: Program) {
  const modelViewProjection = program.uniform('ModelViewProjectionMatrix');
  const normal = program.uniform('NormalMatrix');
  const modelView = program.uniform('ModelViewMatrix');
  const product = createMatrix();
  const inverse = createMatrix();
  return (projection: Float32Array, view: Float32Array) => {
    gl.uniformMatrix4fv(modelViewProjection, false, multiply(product, projection, view));
    if (normal) gl.uniformMatrix4fv(normal, false, inverseTranspose(inverse, view));
    if (modelView) gl.uniformMatrix4fv(modelView, false, view);
  };
}

export interface TurningModel {
  readonly gl: Gl;
  readonly program: Program;
  readonly mesh: Mesh;
  readonly camera: FittedCamera;
  /** Turns the placed model. */
  turn(view: Float32Array, degrees: number): void;
}

export function createTurningModel({ gl, program, mesh, camera, turn }: TurningModel) {
  const setUniforms = createTransformUniforms(gl, program);
  const view = createMatrix();
  let degrees = 0;
  program.use();
  return {
    update(elapsed: number) {
      degrees = TURN_SPEED * elapsed;
    },
    draw() {
      camera.place(view);
      turn(view, degrees);
      camera.orient(view);
      setUniforms(camera.projection, view);
      mesh.draw();
    },
    dispose() {
      mesh.dispose();
      program.dispose();
    },
  };
}
