// The vertices of a blit's or clear's rectangle, as clip positions and texture coordinates.

/** Edges of a box on the destination (pixels) and what the texture coordinate is at them. */
export interface Rectangle {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly u0: number;
  readonly v0: number;
  readonly u1: number;
  readonly v1: number;
}

/** Floats of a vertex: position vec4, texture coordinate vec4. */
export const VERTEX_FLOATS = 8;

function writeVertex(
  out: Float32Array,
  vertex: number,
  width: number,
  height: number,
  x: number,
  y: number,
  u: number,
  v: number,
): void {
  out.set([(2 * x) / width - 1, (2 * y) / height - 1, 0, 1, u, v, 0, 1], vertex * VERTEX_FLOATS);
}

/**
 * One triangle that holds the whole rectangle in its lower left half: v1' = 2·v1 − v0, v2' = 2·v3 − v0, in position and
 * texture coordinate alike. There is no diagonal, so every pixel of a row or column sees the same arithmetic. It reaches
 * twice the box: the caller scissors to the box, and the guard band must hold it unclipped.
 */
export function singleTriangle(out: Float32Array, r: Rectangle, width: number, height: number): number {
  writeVertex(out, 0, width, height, r.x0, r.y0, r.u0, r.v0);
  writeVertex(out, 1, width, height, 2 * r.x1 - r.x0, r.y0, 2 * r.u1 - r.u0, r.v0);
  writeVertex(out, 2, width, height, r.x0, 2 * r.y1 - r.y0, r.u0, 2 * r.v1 - r.v0);
  return 3;
}

/** Two triangles that meet in a diagonal. */
export function twoTriangles(out: Float32Array, r: Rectangle, width: number, height: number): number {
  writeVertex(out, 0, width, height, r.x0, r.y0, r.u0, r.v0);
  writeVertex(out, 1, width, height, r.x1, r.y0, r.u1, r.v0);
  writeVertex(out, 2, width, height, r.x1, r.y1, r.u1, r.v1);
  writeVertex(out, 3, width, height, r.x0, r.y0, r.u0, r.v0);
  writeVertex(out, 4, width, height, r.x1, r.y1, r.u1, r.v1);
  writeVertex(out, 5, width, height, r.x0, r.y1, r.u0, r.v1);
  return 6;
}
