// The mesh of a gear wheel with an axle hole: flat faces and teeth, smooth hole.

import { FaceBuilder, type Geometry } from './geometry.ts';

export interface GearShape {
  readonly innerRadius: number;
  readonly outerRadius: number;
  readonly width: number;
  readonly teeth: number;
  readonly toothDepth: number;
}

type Point = readonly [number, number];

/** A gear around the z axis. The first tooth begins at angle 0. */
export function gear({ innerRadius, outerRadius, width, teeth, toothDepth }: GearShape): Geometry {
  const faces = new FaceBuilder();
  const [root, tip] = [outerRadius - toothDepth / 2, outerRadius + toothDepth / 2];
  const [front, back] = [width / 2, -width / 2];
  const at = (radius: number, angle: number): Point => [radius * Math.cos(angle), radius * Math.sin(angle)];

  /** A quad in the front face and its mirror image in the back face. */
  const cap = (a: Point, b: Point, c: Point, d: Point) => {
    faces.quad([...a, front], [...b, front], [...c, front], [...d, front], [0, 0, 1]);
    faces.quad([...d, back], [...c, back], [...b, back], [...a, back], [0, 0, -1]);
  };
  /** The side from a to b, going round counter-clockwise. */
  const side = (a: Point, b: Point) => faces.quad([...a, back], [...b, back], [...b, front], [...a, front]);

  for (let tooth = 0; tooth < teeth; tooth++) {
    const start = (tooth * 2 * Math.PI) / teeth;
    const quarter = (2 * Math.PI) / teeth / 4;
    const angles = [0, 1, 2, 3, 4].map((step) => start + step * quarter) as [number, number, number, number, number];
    const inner = angles.map((angle) => at(innerRadius, angle)) as [Point, Point, Point, Point, Point];
    const outer = angles.map((angle) => at(root, angle)) as [Point, Point, Point, Point, Point];
    const [tipStart, tipEnd] = [at(tip, angles[1]), at(tip, angles[2])];

    for (let step = 0; step < 4; step++) cap(inner[step]!, outer[step]!, outer[step + 1]!, inner[step + 1]!);
    // Why two quads: root, flank and tip points of one tooth aren't convex as one polygon with the ring.
    cap(outer[0], tipStart, tipEnd, outer[3]);
    side(outer[0], tipStart);
    side(tipStart, tipEnd);
    side(tipEnd, outer[3]);
    side(outer[3], outer[4]);

    for (let step = 0; step < 4; step++) {
      const [a, b] = [inner[step + 1]!, inner[step]!];
      const inward = ([x, y]: Point) => [-x / innerRadius, -y / innerRadius, 0] as const;
      faces.smoothQuad(
        [...a, back],
        [...b, back],
        [...b, front],
        [...a, front],
        inward(a),
        inward(b),
        inward(b),
        inward(a),
      );
    }
  }
  return faces;
}
