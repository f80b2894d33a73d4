// Triangle models: what the loaders give, and what the scenes make of it.

export interface ModelObject {
  readonly name: string;
  /** Three numbers a vertex. */
  readonly positions: Float32Array;
  /** Vertex numbers, three a triangle. */
  readonly faces: Uint32Array;
  readonly normals?: Float32Array;
  /** Two numbers a vertex. */
  readonly texcoords?: Float32Array;
  /** Vertex numbers of the normals or texture coordinates where they differ from those of the positions. */
  readonly normalFaces?: Uint32Array;
  readonly texcoordFaces?: Uint32Array;
}

export interface Model {
  readonly objects: readonly ModelObject[];
}

/** A model of the jellyfish scene: indexed, with a colour at each vertex and texture coordinates of three numbers. */
export interface ColoredModel extends Model {
  readonly colored: {
    readonly positions: Float32Array;
    readonly normals: Float32Array;
    readonly colors: Float32Array;
    readonly texcoords: Float32Array;
    readonly indices: Uint16Array;
  };
}

export type AttributeKind = 'position' | 'normal' | 'texcoord' | 'tangent';

const SIZES: Readonly<Record<AttributeKind, number>> = { position: 3, normal: 3, texcoord: 2, tangent: 3 };

export interface Bounds {
  readonly center: readonly [number, number, number];
  readonly diameter: number;
}

/** The box of the last object, which is what glmark2 fits its camera to. */
export function modelBounds(model: Model): Bounds {
  const positions = model.objects.at(-1)?.positions ?? new Float32Array(3);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let at = 0; at < positions.length; at++) {
    low[at % 3] = Math.min(low[at % 3]!, positions[at]!);
    high[at % 3] = Math.max(high[at % 3]!, positions[at]!);
  }
  const middle = (axis: number) => (low[axis]! + high[axis]!) / 2;
  return {
    center: [middle(0), middle(1), middle(2)],
    diameter: Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!),
  };
}

function normalize(data: Float32Array): Float32Array {
  for (let at = 0; at < data.length; at += 3) {
    const length = Math.hypot(data[at]!, data[at + 1]!, data[at + 2]!) || 1;
    data[at]! /= length;
    data[at + 1]! /= length;
    data[at + 2]! /= length;
  }
  return data;
}

/** Normals of the faces, each of length one, added up at the vertices. */
function summedNormals({ positions, faces }: ModelObject): Float32Array {
  const normals = new Float32Array(positions.length);
  const face = new Float32Array(3);
  for (let at = 0; at < faces.length; at += 3) {
    const [a, b, c] = [faces[at]! * 3, faces[at + 1]! * 3, faces[at + 2]! * 3];
    const [ux, uy, uz] = [0, 1, 2].map((axis) => positions[b + axis]! - positions[a + axis]!);
    const [vx, vy, vz] = [0, 1, 2].map((axis) => positions[c + axis]! - positions[a + axis]!);
    face[0] = uy! * vz! - uz! * vy!;
    face[1] = uz! * vx! - ux! * vz!;
    face[2] = ux! * vy! - uy! * vx!;
    normalize(face);
    for (const vertex of [a, b, c]) {
      for (let axis = 0; axis < 3; axis++) normals[vertex + axis]! += face[axis]!;
    }
  }
  return normals;
}

/** Unit normals at the vertices. */
export const smoothNormals = (object: ModelObject): Float32Array => normalize(summedNormals(object));

/** Directions of growing u, less their part along the normals; glmark2 takes the sums of the faces' normals for this. */
function tangents(object: ModelObject, normals: Float32Array, texcoords: Float32Array): Float32Array {
  const { positions, faces } = object;
  const out = new Float32Array(positions.length);
  const face = new Float32Array(3);
  for (let at = 0; at < faces.length; at += 3) {
    const [a, b, c] = [faces[at]!, faces[at + 1]!, faces[at + 2]!];
    const v1 = texcoords[b * 2 + 1]! - texcoords[a * 2 + 1]!;
    const v2 = texcoords[c * 2 + 1]! - texcoords[a * 2 + 1]!;
    const u1 = texcoords[b * 2]! - texcoords[a * 2]!;
    const u2 = texcoords[c * 2]! - texcoords[a * 2]!;
    const sign = u1 * v2 - u2 * v1;
    for (let axis = 0; axis < 3; axis++) {
      const first = positions[b * 3 + axis]! - positions[a * 3 + axis]!;
      const second = positions[c * 3 + axis]! - positions[a * 3 + axis]!;
      face[axis] = sign * (v2 * first - v1 * second);
    }
    normalize(face);
    for (const vertex of [a, b, c]) {
      for (let axis = 0; axis < 3; axis++) out[vertex * 3 + axis]! += face[axis]!;
    }
  }
  for (let at = 0; at < out.length; at += 3) {
    const along = out[at]! * normals[at]! + out[at + 1]! * normals[at + 1]! + out[at + 2]! * normals[at + 2]!;
    for (let axis = 0; axis < 3; axis++) out[at + axis]! -= normals[at + axis]! * along;
  }
  return normalize(out);
}

/** Texture coordinates from the direction seen from the model's centre. */
function sphericalTexcoords({ positions }: ModelObject, { center }: Bounds): Float32Array {
  const texcoords = new Float32Array((positions.length / 3) * 2);
  for (let at = 0, to = 0; at < positions.length; at += 3, to += 2) {
    const [x, y, z] = [0, 1, 2].map((axis) => positions[at + axis]! - center[axis]!);
    const length = Math.hypot(x!, y!, z!) || 1;
    texcoords[to] = Math.asin(x! / length) / Math.PI + 0.5;
    texcoords[to + 1] = Math.asin(y! / length) / Math.PI + 0.5;
  }
  return texcoords;
}

function attributeOf(kind: AttributeKind, object: ModelObject, bounds: Bounds): [Float32Array, Uint32Array] {
  const texcoords = object.texcoords ?? sphericalTexcoords(object, bounds);
  switch (kind) {
    case 'position':
      return [object.positions, object.faces];
    case 'normal':
      return [object.normals ?? smoothNormals(object), object.normalFaces ?? object.faces];
    case 'texcoord':
      return [texcoords, object.texcoordFaces ?? object.faces];
    case 'tangent':
      return [tangents(object, object.normals ?? summedNormals(object), texcoords), object.faces];
  }
}

/** The corners of all triangles one after another, an array for each attribute. */
export function expandModel(
  model: Model,
  kinds: readonly AttributeKind[],
): { readonly size: number; readonly data: Float32Array }[] {
  const bounds = modelBounds(model);
  const corners = model.objects.reduce((sum, { faces }) => sum + faces.length, 0);
  return kinds.map((kind) => {
    const size = SIZES[kind];
    const out = new Float32Array(corners * size);
    let at = 0;
    for (const object of model.objects) {
      const [data, faces] = attributeOf(kind, object, bounds);
      for (const vertex of faces) {
        for (let part = 0; part < size; part++) out[at++] = data[vertex * size + part]!;
      }
    }
    return { size, data: out };
  });
}

export function countTriangles(model: Model): number {
  return model.objects.reduce((sum, { faces }) => sum + faces.length / 3, 0);
}
