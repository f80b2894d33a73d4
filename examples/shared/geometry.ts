// Generators of triangle meshes with normals and texture coordinates; counter-clockwise seen from outside.

export interface Geometry {
  readonly positions: readonly number[];
  readonly normals: readonly number[];
  readonly uvs: readonly number[];
  readonly indices: readonly number[];
}

type Vec3 = readonly [number, number, number];

/** Collects flat-shaded faces. */
export class FaceBuilder implements Geometry {
  readonly positions: number[] = [];
  readonly normals: number[] = [];
  readonly uvs: number[] = [];
  readonly indices: number[] = [];

  /** A flat quad a, b, c, d, counter-clockwise. Without `normal`, that of the plane. */
  quad(a: Vec3, b: Vec3, c: Vec3, d: Vec3, normal: Vec3 = planeNormal(a, b, c)): void {
    this.smoothQuad(a, b, c, d, normal, normal, normal, normal);
  }

  smoothQuad(a: Vec3, b: Vec3, c: Vec3, d: Vec3, na: Vec3, nb: Vec3, nc: Vec3, nd: Vec3): void {
    const first = this.positions.length / 3;
    this.positions.push(...a, ...b, ...c, ...d);
    this.normals.push(...na, ...nb, ...nc, ...nd);
    this.uvs.push(0, 0, 1, 0, 1, 1, 0, 1);
    this.indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }
}

export function planeNormal(a: Vec3, b: Vec3, c: Vec3): Vec3 {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

interface SurfacePoint {
  readonly position: Vec3;
  readonly normal: Vec3;
}

/** A grid of (u, v) in [0, 1]² through a function; (∂u × ∂v) points outward. */
export function surface(columns: number, rows: number, point: (u: number, v: number) => SurfacePoint): Geometry {
  const [positions, normals, uvs, indices]: number[][] = [[], [], [], []];
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const [u, v] = [column / columns, row / rows];
      const { position, normal } = point(u, v);
      positions!.push(...position);
      normals!.push(...normal);
      uvs!.push(u, v);
      if (row === rows || column === columns) continue;
      const corner = row * (columns + 1) + column;
      const above = corner + columns + 1;
      indices!.push(corner, corner + 1, above + 1, corner, above + 1, above);
    }
  }
  return { positions: positions!, normals: normals!, uvs: uvs!, indices: indices! };
}

export function sphere(radius = 1, columns = 32, rows = 16): Geometry {
  return surface(columns, rows, (u, v) => {
    const [longitude, latitude] = [u * 2 * Math.PI, (v - 0.5) * Math.PI];
    const normal: Vec3 = [
      Math.cos(latitude) * Math.sin(longitude),
      Math.sin(latitude),
      Math.cos(latitude) * Math.cos(longitude),
    ];
    return { position: [normal[0] * radius, normal[1] * radius, normal[2] * radius], normal };
  });
}

/** A torus around the y axis. */
export function torus(radius = 1, tube = 0.4, columns = 48, rows = 24): Geometry {
  return surface(columns, rows, (u, v) => {
    const [around, across] = [u * 2 * Math.PI, v * 2 * Math.PI];
    const normal: Vec3 = [Math.cos(across) * Math.sin(around), Math.sin(across), Math.cos(across) * Math.cos(around)];
    const ring = radius + tube * Math.cos(across);
    return { position: [ring * Math.sin(around), tube * Math.sin(across), ring * Math.cos(around)], normal };
  });
}

/** A tube along a (p, q) torus knot. */
export function torusKnot(p = 2, q = 3, radius = 1, tube = 0.3, columns = 192, rows = 20): Geometry {
  const centre = (angle: number): Vec3 => {
    const ring = radius * (1 + 0.45 * Math.cos(q * angle));
    return [ring * Math.cos(p * angle), radius * 0.55 * Math.sin(q * angle), ring * Math.sin(p * angle)];
  };
  return surface(columns, rows, (u, v) => {
    const angle = u * 2 * Math.PI;
    const at = centre(angle);
    const [before, after] = [centre(angle - 1e-3), centre(angle + 1e-3)];
    const tangent = unit([after[0] - before[0], after[1] - before[1], after[2] - before[2]]);
    // Why from the axis: a frame that depends on the position alone closes without a seam.
    const binormal = unit(cross(tangent, [at[0], 0, at[2]]));
    const outward = cross(binormal, tangent);
    const [across, along] = [Math.cos(v * 2 * Math.PI), Math.sin(v * 2 * Math.PI)];
    const normal: Vec3 = [
      outward[0] * across + binormal[0] * along,
      outward[1] * across + binormal[1] * along,
      outward[2] * across + binormal[2] * along,
    ];
    return { position: [at[0] + normal[0] * tube, at[1] + normal[1] * tube, at[2] + normal[2] * tube], normal };
  });
}

/** A profile of (radius, height) points from bottom to top, turned around the y axis; its corners are smoothed. */
export function lathe(profile: readonly (readonly [number, number])[], columns = 48): Geometry {
  const last = profile.length - 1;
  return surface(columns, last, (u, v) => {
    const row = Math.round(v * last);
    const [radius, height] = profile[row]!;
    const [below, above] = [profile[Math.max(row - 1, 0)]!, profile[Math.min(row + 1, last)]!];
    const [slopeRadius, slopeHeight] = [above[0] - below[0], above[1] - below[1]];
    const length = Math.hypot(slopeRadius, slopeHeight) || 1;
    const [sin, cos] = [Math.sin(u * 2 * Math.PI), Math.cos(u * 2 * Math.PI)];
    const [outward, up] = [slopeHeight / length, -slopeRadius / length];
    return { position: [radius * sin, height, radius * cos], normal: [outward * sin, up, outward * cos] };
  });
}

/** A box centred at the origin; each face has its own vertices and the whole texture. */
export function box(width = 2, height = 2, depth = 2): Geometry {
  const [x, y, z] = [width / 2, height / 2, depth / 2];
  const faces = new FaceBuilder();
  faces.quad([-x, -y, z], [x, -y, z], [x, y, z], [-x, y, z]);
  faces.quad([x, -y, -z], [-x, -y, -z], [-x, y, -z], [x, y, -z]);
  faces.quad([x, -y, z], [x, -y, -z], [x, y, -z], [x, y, z]);
  faces.quad([-x, -y, -z], [-x, -y, z], [-x, y, z], [-x, y, -z]);
  faces.quad([-x, y, z], [x, y, z], [x, y, -z], [-x, y, -z]);
  faces.quad([-x, -y, -z], [x, -y, -z], [x, -y, z], [-x, -y, z]);
  return faces;
}

/** A square in the xz plane, facing up; texture coordinates 0 to 1. */
export function plane(size = 2, cells = 1): Geometry {
  return surface(cells, cells, (u, v) => ({ position: [(u - 0.5) * size, 0, (0.5 - v) * size], normal: [0, 1, 0] }));
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function unit(a: Vec3): Vec3 {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}
