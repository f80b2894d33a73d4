// Triangles in clip coordinates, w of any sign: coverage, depth and weights at a pixel without clipping anything.
// The three edge functions are rows of the inverse of the matrix of (x, y, w), so parts behind the eye drop out.

import { EITHER, INSIDE, OUTSIDE, SNAP_SLACK } from './raster.ts';

export type ClipVertex = readonly [number, number, number, number];

export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface TriangleSample {
  readonly coverage: number;
  /** Perspective-correct weights of the three vertices. */
  readonly weights: readonly [number, number, number];
  /** Normalised device depth. */
  readonly z: number;
}

type Row = readonly [number, number, number];

/** Each row gives a weight over w as a·X + b·Y + c of normalised device coordinates. */
function edgeRows(vertices: readonly [ClipVertex, ClipVertex, ClipVertex]): { rows: Row[]; determinant: number } {
  const [a, b, c] = vertices.map(([x, y, , w]) => [x, y, w] as const) as [Row, Row, Row];
  const cross = (p: Row, q: Row): Row => [
    p[1] * q[2] - p[2] * q[1],
    p[2] * q[0] - p[0] * q[2],
    p[0] * q[1] - p[1] * q[0],
  ];
  const rows = [cross(b, c), cross(c, a), cross(a, b)];
  const determinant = a[0] * rows[0]![0] + a[1] * rows[0]![1] + a[2] * rows[0]![2];
  return { rows: rows.map(([x, y, z]) => [x / determinant, y / determinant, z / determinant] as const), determinant };
}

/** Prepares a triangle for sampling at window positions. `slack` is in pixels. */
export function homogeneousTriangle(
  vertices: readonly [ClipVertex, ClipVertex, ClipVertex],
  viewport: Viewport,
  slack = SNAP_SLACK,
): (x: number, y: number) => TriangleSample {
  const { rows } = edgeRows(vertices);
  const { x: left, y: bottom, width, height } = viewport;
  const zRow = [0, 1, 2].map((at) =>
    rows.reduce((sum, row, i) => sum + row[at]! * vertices[i]![2], 0),
  ) as unknown as Row;
  const slope = (row: Row) => Math.hypot((row[0] * 2) / width, (row[1] * 2) / height) || 1e-30;
  const slopes = rows.map(slope);
  const zSlope = slope(zRow);
  const at = (row: Row, X: number, Y: number) => row[0] * X + row[1] * Y + row[2];
  return (x, y) => {
    const X = ((x - left) / width) * 2 - 1;
    const Y = ((y - bottom) / height) * 2 - 1;
    const overW = rows.map((row) => at(row, X, Y));
    const sum = overW[0]! + overW[1]! + overW[2]!;
    const z = at(zRow, X, Y);
    let least = Math.min(...overW.map((value, i) => value / slopes[i]!));
    // The near and far planes cut like edges; a depth so close to them that rounding decides is open.
    const zLeast = 1 - Math.abs(z);
    least = Math.min(least, zLeast / Math.max(zSlope, 1e-4));
    least = Math.min(least, x - left, left + width - x, y - bottom, bottom + height - y);
    const coverage = least > slack ? INSIDE : least < -slack ? OUTSIDE : EITHER;
    return { coverage, weights: [overW[0]! / sum, overW[1]! / sum, overW[2]! / sum], z };
  };
}
