// Stand-ins for glmark2's models, generated: other shapes, about as many triangles, the same kinds of data.

import { asteroidRadius, directionOf } from './asteroid-surface.ts';
import { type ColoredModel, type Model, smoothNormals } from './model.ts';

type Point = (u: number, v: number, out: Float64Array) => Float64Array;

interface SurfaceOptions {
  readonly columns: number;
  readonly rows: number;
  /** Rows close into a ring, as in a torus; else the first and last row are poles. */
  readonly isRing?: boolean;
  /** Texture coordinates, which need the seam's vertices twice. */
  readonly hasTexcoords?: boolean;
}

/** A closed surface through a function of (u, v) in [0, 1]²; (∂u × ∂v) points outward. */
function surface(name: string, point: Point, options: SurfaceOptions): Model {
  const { columns, rows, isRing = false, hasTexcoords = false } = options;
  const [across, along] = hasTexcoords ? [columns + 1, rows + 1] : [columns, isRing ? rows : rows + 1];
  const positions = new Float32Array(across * along * 3);
  const texcoords = new Float32Array(across * along * 2);
  const at = new Float64Array(3);
  for (let row = 0; row < along; row++) {
    for (let column = 0; column < across; column++) {
      const vertex = row * across + column;
      positions.set(point(column / columns, row / rows, at), vertex * 3);
      texcoords.set([column / columns, row / rows], vertex * 2);
    }
  }
  const vertexAt = (column: number, row: number) => (row % along) * across + (column % across);
  const faces: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [a, b] = [vertexAt(column, row), vertexAt(column + 1, row)];
      const [c, d] = [vertexAt(column + 1, row + 1), vertexAt(column, row + 1)];
      // Triangles without area at the poles are left out.
      if (isRing || row > 0) faces.push(a, b, c);
      if (isRing || row < rows - 1) faces.push(a, c, d);
    }
  }
  return { objects: [{ name, positions, faces: Uint32Array.from(faces), ...(hasTexcoords && { texcoords }) }] };
}

function asteroid(name: string, columns: number, rows: number, isFine: boolean): Model {
  const point: Point = (u, v, out) => {
    const [x, y, z] = directionOf(u, v, out) as unknown as [number, number, number];
    const radius = asteroidRadius(x, y, z, isFine);
    out[0] = x * radius;
    out[1] = y * radius;
    out[2] = z * radius;
    return out;
  };
  const model = surface(name, point, { columns, rows, hasTexcoords: !isFine });
  return isFine ? model : { objects: model.objects.map((object) => ({ ...object, normals: smoothNormals(object) })) };
}

/** A tube along a (p, q) torus knot. */
function knot(name: string, p: number, q: number, radius: number, tube: number, columns: number, rows: number): Model {
  const centre = (angle: number): [number, number, number] => {
    const ring = radius * (1 + 0.42 * Math.cos(q * angle));
    return [ring * Math.cos(p * angle), radius * 0.6 * Math.sin(q * angle), ring * Math.sin(p * angle)];
  };
  const point: Point = (u, v, out) => {
    const angle = -u * 2 * Math.PI;
    const [x, y, z] = centre(angle);
    const [before, after] = [centre(angle + 1e-3), centre(angle - 1e-3)];
    const tangent = [0, 1, 2].map((axis) => after[axis]! - before[axis]!);
    // Why from the axis: a frame that depends on the position alone closes without a seam.
    const side = [tangent[1]! * z, tangent[2]! * x - tangent[0]! * z, -tangent[1]! * x];
    const out3 = [
      side[1]! * tangent[2]! - side[2]! * tangent[1]!,
      side[2]! * tangent[0]! - side[0]! * tangent[2]!,
      side[0]! * tangent[1]! - side[1]! * tangent[0]!,
    ];
    const [sideLength, outLength] = [Math.hypot(...side) || 1, Math.hypot(...out3) || 1];
    const [cos, sin] = [Math.cos(v * 2 * Math.PI) * tube, Math.sin(v * 2 * Math.PI) * tube];
    out[0] = x + (out3[0]! / outLength) * cos + (side[0]! / sideLength) * sin;
    out[1] = y + (out3[1]! / outLength) * cos + (side[1]! / sideLength) * sin;
    out[2] = z + (out3[2]! / outLength) * cos + (side[2]! / sideLength) * sin;
    return out;
  };
  return surface(name, point, { columns, rows, isRing: true, hasTexcoords: name === 'horse' });
}

/** A sphere whose radius goes up and down in lobes. */
function lobes(name: string, radius: number, depth: number, columns: number, rows: number): Model {
  const point: Point = (u, v, out) => {
    const [x, y, z] = directionOf(u, v, out) as unknown as [number, number, number];
    const wave = Math.cos(5 * u * 2 * Math.PI) * (1 - y * y) ** 2 + Math.cos(6 * Math.asin(y)) * 0.4;
    const at = radius * (1 + depth * wave);
    out[0] = x * at;
    out[1] = y * at;
    out[2] = z * at;
    return out;
  };
  return surface(name, point, { columns, rows });
}

/** Outward, right and up of each side. */
const CUBE_SIDES = [
  [
    [1, 0, 0],
    [0, 0, -1],
    [0, 1, 0],
  ],
  [
    [-1, 0, 0],
    [0, 0, 1],
    [0, 1, 0],
  ],
  [
    [0, 1, 0],
    [1, 0, 0],
    [0, 0, -1],
  ],
  [
    [0, -1, 0],
    [1, 0, 0],
    [0, 0, 1],
  ],
  [
    [0, 0, 1],
    [1, 0, 0],
    [0, 1, 0],
  ],
  [
    [0, 0, -1],
    [-1, 0, 0],
    [0, 1, 0],
  ],
] as const;

const SQUARE = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const;

/** Each side has its own corners and the whole texture. */
function cube(): Model {
  const [positions, texcoords, faces]: number[][] = [[], [], []];
  for (const [outward, right, up] of CUBE_SIDES) {
    const base = positions!.length / 3;
    for (const [s, t] of SQUARE) {
      positions!.push(...[0, 1, 2].map((axis) => outward[axis]! + right[axis]! * s + up[axis]! * t));
      texcoords!.push((s + 1) / 2, (t + 1) / 2);
    }
    faces!.push(base, base + 1, base + 2, base, base + 2, base + 3);
  }
  return {
    objects: [
      {
        name: 'cube',
        positions: Float32Array.from(positions!),
        texcoords: Float32Array.from(texcoords!),
        faces: Uint32Array.from(faces!),
      },
    ],
  };
}

/** Triangles of the bell, and of each of the strips that hang from it. */
const BELL = { columns: 40, rows: 30 };
const STRIPS = { count: 25, rows: 40 };

/** A bell with strips that hang from its rim. */
function jellyfish(): ColoredModel {
  const [positions, normals, colors, texcoords, indices]: number[][] = [[], [], [], [], []];
  const vertex = (place: number[], normal: number[], color: number[], u: number, v: number) => {
    const length = Math.hypot(...normal) || 1;
    positions!.push(...place);
    normals!.push(...normal.map((part) => part / length));
    colors!.push(...color);
    texcoords!.push(u, v, 0);
  };
  const strip = (columns: number, rows: number, base: number) => {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const corner = base + row * (columns + 1) + column;
        const above = corner + columns + 1;
        indices!.push(corner, corner + 1, above + 1, corner, above + 1, above);
      }
    }
  };
  for (let row = 0; row <= BELL.rows; row++) {
    for (let column = 0; column <= BELL.columns; column++) {
      const [u, v] = [column / BELL.columns, row / BELL.rows];
      const [angle, fall] = [u * 2 * Math.PI, v * 0.62 * Math.PI];
      const [x, y, z] = [Math.sin(fall) * Math.cos(angle), Math.cos(fall), Math.sin(fall) * Math.sin(angle)];
      vertex([x * 2.6, y * 2.1, z * 2.6], [x, y, z], [v * v, v, 0.5], u, v * 0.5);
    }
  }
  strip(BELL.columns, BELL.rows, 0);
  for (let index = 0; index < STRIPS.count; index++) {
    const angle = (index / STRIPS.count) * 2 * Math.PI;
    const base = positions!.length / 3;
    const ring = 0.5 + (index % 3) * 0.85;
    for (let row = 0; row <= STRIPS.rows; row++) {
      const v = row / STRIPS.rows;
      for (const side of [-0.5, 0.5]) {
        const turn = angle + (side * 0.5 * (1 - v * 0.7)) / ring;
        const [x, z] = [Math.cos(turn) * ring * (1 + 0.1 * v), Math.sin(turn) * ring * (1 + 0.1 * v)];
        vertex([x, -0.4 - v * 9, z], [Math.cos(angle), 0, Math.sin(angle)], [0.1, 1 + v, 0.5], side + 0.5, 0.5 + v / 2);
      }
    }
    strip(1, STRIPS.rows, base);
  }
  const coloredPositions = Float32Array.from(positions!);
  const coloredNormals = Float32Array.from(normals!);
  return {
    objects: [
      { name: 'jellyfish', positions: coloredPositions, normals: coloredNormals, faces: Uint32Array.from(indices!) },
    ],
    colored: {
      positions: coloredPositions,
      normals: coloredNormals,
      colors: Float32Array.from(colors!),
      texcoords: Float32Array.from(texcoords!),
      indices: Uint16Array.from(indices!),
    },
  };
}

/** By glmark2's names, which the options of the scenes take. */
export const GENERATED_MODELS: Readonly<Record<string, () => Model>> = {
  'asteroid-high': () => asteroid('asteroid-high', 160, 151, true),
  'asteroid-low': () => asteroid('asteroid-low', 16, 16, false),
  bunny: () => lobes('bunny', 1.1, 0.12, 264, 133),
  cat: () => knot('cat', 2, 5, 1.35, 0.42, 224, 32),
  cube,
  horse: () => knot('horse', 2, 3, 0.62, 0.22, 128, 28),
  jellyfish,
};
