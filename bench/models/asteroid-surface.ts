// The surface of the asteroid: a sphere with bumps, as a function that both its models and its maps are made of.

import { noise3 } from '../textures/noise.ts';

const RADIUS = 1.03;
/** The coarse shape, which the model of few triangles has too. */
const SHAPE = 0.2;
/** The bumps that only the fine model and the maps have. */
export const BUMPS = 0.05;

/** Bumps in [0, 1) in a direction of length one. */
export function bumpHeight(x: number, y: number, z: number): number {
  return (
    noise3(x * 5 + 9, y * 5, z * 5) * 0.6 +
    noise3(x * 11, y * 11 + 3, z * 11) * 0.28 +
    noise3(x * 23, y * 23, z * 23) * 0.12
  );
}

export function asteroidRadius(x: number, y: number, z: number, hasBumps: boolean): number {
  const shape = noise3(x * 1.3 + 4, y * 1.3 + 4, z * 1.3 + 4) - 0.5;
  return RADIUS + SHAPE * shape + (hasBumps ? BUMPS * (bumpHeight(x, y, z) - 0.5) : 0);
}

/** The direction of a point (u, v) of the maps: u around the y axis, v from the south to the north pole. */
export function directionOf(u: number, v: number, out: Float64Array): Float64Array {
  const [longitude, latitude] = [u * 2 * Math.PI, (v - 0.5) * Math.PI];
  out[0] = Math.cos(latitude) * Math.sin(longitude);
  out[1] = Math.sin(latitude);
  out[2] = Math.cos(latitude) * Math.cos(longitude);
  return out;
}
