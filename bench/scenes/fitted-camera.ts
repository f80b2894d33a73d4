// The camera that glmark2 fits to a model, and the turn that some models need to stand upright.

import { createMatrix, identity, type Matrix, perspective, rotate, translate } from '../gl/matrix.ts';
import { type Model, modelBounds } from '../models/model.ts';

export interface FittedCamera {
  readonly projection: Matrix;
  readonly center: readonly [number, number, number];
  /** Puts the model in front of the camera into `out`, not yet turned. */
  place(out: Matrix): Matrix;
  /** Stands the model upright; the last step. */
  orient(out: Matrix): Matrix;
}

/** Models that do not stand upright in their own coordinates: degrees, axis. */
const ORIENTATIONS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  buddha: [-90, 1, 0, 0],
  dragon: [-90, 1, 0, 0],
  armadillo: [180, 0, 1, 0],
};

const NEAR = 2;

export interface FitOptions {
  /** Distance beyond the near plane at which the model starts. */
  readonly distance?: number;
  /** Far plane; default: behind the model. */
  readonly far?: number;
}

export function fitCamera(model: Model, name: string, aspect: number, options: FitOptions = {}): FittedCamera {
  const { center, diameter } = modelBounds(model);
  const { distance = NEAR, far = NEAR + diameter } = options;
  const radius = diameter / 2;
  const fieldOfView = (2 * Math.atan(radius / (NEAR + radius)) * 180) / Math.PI;
  const turn = ORIENTATIONS[name];
  return {
    projection: perspective(createMatrix(), fieldOfView, aspect, NEAR, far),
    center,
    place: (out) => translate(identity(out), -center[0], -center[1], -(center[2] + distance + radius)),
    orient: (out) => (turn ? rotate(out, ...turn) : out),
  };
}
