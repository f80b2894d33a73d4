// Shapes of the scene ideas: pipes along the edges of nested cubes, a lamp, a table, and letters of strokes.

import { createMatrix, identity, type Matrix, multiply, rotate, translate } from '../gl/matrix.ts';

/** Vertices with normals for triangle strips, and the strips of indices. */
export interface Strips {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly indices: Uint16Array;
  readonly stripLength: number;
  readonly strips: number;
}

const AROUND = 8;
const PIPE_STEPS = AROUND + 1;

const stripIndices = (rings: number, perRing: number): Uint16Array => {
  const indices: number[] = [];
  for (let ring = 0; ring + 1 < rings; ring++) {
    for (let step = 0; step < perRing; step++) indices.push(ring * perRing + step, (ring + 1) * perRing + step);
  }
  return Uint16Array.from(indices);
};

function strips(rings: number, perRing: number, point: (ring: number, step: number) => number[][]): Strips {
  const points = Array.from({ length: rings * perRing }, (_, at) => point(Math.floor(at / perRing), at % perRing));
  return {
    positions: Float32Array.from(points.flatMap(([position]) => position!)),
    normals: Float32Array.from(points.flatMap(([, normal]) => normal!)),
    indices: stripIndices(rings, perRing),
    stripLength: perRing * 2,
    strips: rings - 1,
  };
}

/** A straight pipe of radius 1 along z. */
export function pipe(length: number): Strips {
  return strips(2, PIPE_STEPS, (ring, step) => {
    const angle = (step / AROUND) * 2 * Math.PI;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    return [
      [x, y, ring * length],
      [x, y, 0],
    ];
  });
}

/** A pipe of radius 1 that bends from z towards y, a quarter turn around the line y = 1. */
export function elbow(segments: number): Strips {
  return strips(segments + 1, PIPE_STEPS, (ring, step) => {
    const angle = (step / AROUND) * 2 * Math.PI;
    const bend = (ring / segments) * (Math.PI / 2);
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    return [
      [x, 1 - (1 - y) * Math.cos(bend), (1 - y) * Math.sin(bend)],
      [x, y * Math.cos(bend), -y * Math.sin(bend)],
    ];
  });
}

/** Where the parts of the pipes lie. */
export interface PipePart {
  readonly place: Matrix;
  /** Number of the straight pipe, or -1: an elbow. */
  readonly straight: number;
}

/** Lengths of the straight pipes; one ring of six of them for each. */
export const PIPE_LENGTHS = [2, 7, 12] as const;

/** Three rings, each along six edges of a cube around the same middle. */
export function pipeRings(): PipePart[] {
  const parts: PipePart[] = [];
  for (const [straight, length] of PIPE_LENGTHS.entries()) {
    const ring: PipePart[] = [];
    const place = identity(createMatrix());
    const middle = [0, 0, 0];
    for (let side = 0; side < 6; side++) {
      rotate(place, side % 2 === 0 ? 90 : -90, 0, 0, 1);
      translate(place, 0, 0, -length);
      ring.push({ place: place.slice(), straight });
      translate(place, 0, 1, 0);
      rotate(place, 90, 1, 0, 0);
      translate(place, 0, -1, 0);
      ring.push({ place: place.slice(), straight: -1 });
    }
    // The ring is the same seen from opposite sides, so the mean of its straight pipes' ends is its middle.
    for (const { place: end, straight: number } of ring) {
      for (let axis = 0; axis < 3 && number >= 0; axis++) middle[axis]! += end[12 + axis]! / 6;
    }
    const shift = translate(createMatrix(), -middle[0]!, -middle[1]!, -middle[2]!);
    for (const part of ring) {
      multiply(part.place, shift, part.place);
      parts.push(part);
    }
  }
  return parts;
}

const LAMP_RINGS = 6;
const LAMP_STEPS = 13;

/** A ball that is open below; the opening's rim is the last ring. */
export function lampShade(): Strips {
  return strips(LAMP_RINGS, LAMP_STEPS, (ring, step) => {
    const angle = (step / (LAMP_STEPS - 1)) * 2 * Math.PI;
    const fall = (ring / (LAMP_RINGS - 1)) * 0.72 * Math.PI;
    const at = [Math.sin(fall) * Math.cos(angle), Math.sin(fall) * Math.sin(angle), Math.cos(fall)];
    return [at, at];
  });
}

/** Indices of a fan that closes the lamp's opening. */
export function lampOpening(): Uint16Array {
  const first = (LAMP_RINGS - 1) * LAMP_STEPS;
  return Uint16Array.from({ length: LAMP_STEPS - 1 }, (_, step) => first + LAMP_STEPS - 1 - step);
}

const TABLE_CELLS = 12;

/** A square of side 6 in the xz plane. */
export function table(): Strips {
  return strips(TABLE_CELLS + 1, TABLE_CELLS + 1, (row, column) => [
    [(row - TABLE_CELLS / 2) / 2, 0, (column - TABLE_CELLS / 2) / 2],
    [0, 1, 0],
  ]);
}

export interface Letter {
  /** Two numbers a vertex. */
  readonly vertices: Float32Array;
  readonly indices: Uint16Array;
  /** Strips of triangles, then strips of lines around them: first index and count. */
  readonly parts: readonly { readonly isLine: boolean; readonly first: number; readonly count: number }[];
  readonly width: number;
}

type Point = readonly [number, number];

const arc = (x: number, y: number, radiusX: number, radiusY: number, from: number, to: number): Point[] =>
  Array.from({ length: 13 }, (_, step) => {
    const angle = ((from + ((to - from) * step) / 12) * Math.PI) / 180;
    return [x + radiusX * Math.cos(angle), y + radiusY * Math.sin(angle)];
  });

const line = (...corners: Point[]): Point[] =>
  corners.flatMap((corner, index): Point[] => {
    const next = corners[index + 1];
    if (!next) return [corner];
    return [0, 1, 2, 3].map((step) => [
      corner[0] + ((next[0] - corner[0]) * step) / 4,
      corner[1] + ((next[1] - corner[1]) * step) / 4,
    ]);
  });

/** Strokes of the letters we need, 10 high. */
const STROKES: Readonly<Record<string, { width: number; strokes: Point[][] }>> = {
  I: { width: 2.4, strokes: [line([1, 0], [1, 10])] },
  N: { width: 7, strokes: [line([0.5, 0], [0.5, 10], [5.5, 0], [5.5, 10])] },
  D: { width: 7, strokes: [line([0.5, 0], [0.5, 10]), arc(0.5, 5, 5, 5, 90, -90)] },
  U: {
    width: 7,
    strokes: [[...line([0.5, 10], [0.5, 3]), ...arc(3, 3, 2.5, 3, 180, 360), ...line([5.5, 3], [5.5, 10])]],
  },
  M: { width: 9, strokes: [line([0.5, 0], [0.5, 10], [4, 3], [7.5, 10], [7.5, 0])] },
  O: { width: 8, strokes: [arc(3.5, 5, 3, 5, 0, 360)] },
  P: { width: 6.5, strokes: [line([0.5, 0], [0.5, 10]), arc(0.5, 7.3, 4.5, 2.7, 90, -90)] },
  A: { width: 7, strokes: [line([0.3, 0], [3, 10], [5.7, 0]), line([1.4, 4], [4.6, 4])] },
  E: { width: 6, strokes: [line([5, 10], [0.5, 10], [0.5, 0], [5, 0]), line([0.5, 5], [4, 5])] },
  R: { width: 7, strokes: [line([0.5, 0], [0.5, 10]), arc(0.5, 7.3, 4.5, 2.7, 90, -90), line([2, 4.6], [5.5, 0])] },
};

const HALF_STROKE = 0.45;

export function letter(name: string): Letter {
  const { width, strokes } = STROKES[name]!;
  const vertices: number[] = [];
  const [fill, outline]: number[][][] = [[], []];
  for (const stroke of strokes) {
    const first = vertices.length / 2;
    for (const [index, [x, y]] of stroke.entries()) {
      const [before, after] = [stroke[Math.max(index - 1, 0)]!, stroke[Math.min(index + 1, stroke.length - 1)]!];
      const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
      const length = Math.hypot(dx, dy) || 1;
      const [nx, ny] = [(-dy / length) * HALF_STROKE, (dx / length) * HALF_STROKE];
      vertices.push(x + nx, y + ny, x - nx, y - ny);
    }
    const points = Array.from({ length: stroke.length }, (_, index) => first + index * 2);
    fill!.push(points.flatMap((point) => [point, point + 1]));
    outline!.push([...points, ...points.map((point) => point + 1).reverse(), first]);
  }
  const indices: number[] = [];
  const parts = [
    ...fill!.map((list) => ({ list, isLine: false })),
    ...outline!.map((list) => ({ list, isLine: true })),
  ];
  return {
    vertices: Float32Array.from(vertices),
    width,
    parts: parts.map(({ list, isLine }) => {
      const first = indices.length;
      indices.push(...list);
      return { isLine, first, count: list.length };
    }),
    indices: Uint16Array.from(indices),
  };
}
