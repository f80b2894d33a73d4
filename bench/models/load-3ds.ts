// Loads .3ds models: nested chunks of a type word, a length and contents; objects with vertices, faces, mapping.

import type { Model, ModelObject } from './model.ts';
import { checkFaces, ModelError } from './model-error.ts';

/** Chunks that contain chunks; all others are skipped by their length. */
const CHUNK = {
  main: 0x4d4d,
  editor: 0x3d3d,
  object: 0x4000,
  triangleMesh: 0x4100,
  vertices: 0x4110,
  faces: 0x4120,
  mapping: 0x4140,
} as const;

const HEADER_BYTES = 6;

interface PartialObject {
  name: string;
  positions?: Float32Array;
  faces?: Uint32Array;
  facesAt: number;
  texcoords?: Float32Array;
}

const hex = (offset: number) => `offset 0x${offset.toString(16)}`;

/** Reads with checks: every error names the place in the file. */
class Reader {
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.#view.byteLength;
  }

  need(offset: number, bytes: number, end: number, what: string): void {
    if (offset + bytes > end)
      throw new ModelError(`3ds: ${hex(offset)}: ${what} needs ${bytes} bytes, ${Math.max(end - offset, 0)} are left`);
  }

  u8 = (offset: number): number => this.#view.getUint8(offset);
  u16 = (offset: number): number => this.#view.getUint16(offset, true);
  u32 = (offset: number): number => this.#view.getUint32(offset, true);
  f32 = (offset: number): number => this.#view.getFloat32(offset, true);
}

function readFloats(reader: Reader, offset: number, end: number, perItem: number, what: string): Float32Array {
  reader.need(offset, 2, end, what);
  const count = reader.u16(offset);
  reader.need(offset + 2, count * perItem * 4, end, what);
  const out = new Float32Array(count * perItem);
  for (let at = 0; at < out.length; at++) {
    const value = reader.f32(offset + 2 + at * 4);
    if (!Number.isFinite(value)) throw new ModelError(`3ds: ${hex(offset + 2 + at * 4)}: ${what}: not a number`);
    out[at] = value;
  }
  return out;
}

function readFaces(reader: Reader, offset: number, end: number): Uint32Array {
  reader.need(offset, 2, end, 'face list');
  const count = reader.u16(offset);
  reader.need(offset + 2, count * 8, end, 'face list');
  const faces = new Uint32Array(count * 3);
  // A fourth word holds edge flags.
  for (let face = 0; face < count; face++) {
    for (let corner = 0; corner < 3; corner++) {
      faces[face * 3 + corner] = reader.u16(offset + 2 + face * 8 + corner * 2);
    }
  }
  return faces;
}

function readName(reader: Reader, offset: number, end: number): { name: string; next: number } {
  let name = '';
  for (let at = offset; at < end; at++) {
    const code = reader.u8(at);
    if (code === 0) return { name, next: at + 1 };
    name += String.fromCharCode(code);
  }
  throw new ModelError(`3ds: ${hex(offset)}: object name does not end`);
}

function finish(object: PartialObject): ModelObject {
  const { name, positions, faces, facesAt, texcoords } = object;
  if (!positions || !faces) throw new ModelError(`3ds: object '${name}' has no ${positions ? 'faces' : 'vertices'}`);
  const vertices = positions.length / 3;
  checkFaces(faces, vertices, (face) => `3ds: ${hex(facesAt + 2 + face * 8)}: face ${face}`);
  if (texcoords && texcoords.length / 2 < vertices) {
    throw new ModelError(`3ds: object '${name}' has ${texcoords.length / 2} texture coordinates for ${vertices}`);
  }
  return { name, positions, faces, ...(texcoords && { texcoords }) };
}

/** Throws a ModelError that names the offset when the file is bad. */
export function load3ds(bytes: Uint8Array): Model {
  const reader = new Reader(bytes);
  const objects: PartialObject[] = [];
  // Why flat: containers are entered by going on after their header, so nesting needs no recursion.
  for (let offset = 0; offset < reader.length; ) {
    reader.need(offset, HEADER_BYTES, reader.length, 'chunk header');
    const [type, length] = [reader.u16(offset), reader.u32(offset + 2)];
    const end = offset + length;
    if (length < HEADER_BYTES) throw new ModelError(`3ds: ${hex(offset)}: chunk length ${length}`);
    if (offset === 0 && type !== CHUNK.main) throw new ModelError('3ds: offset 0x0: not a .3ds file');
    if (end > reader.length) {
      throw new ModelError(`3ds: ${hex(offset)}: chunk of ${length} bytes, ${reader.length - offset} are left`);
    }
    const body = offset + HEADER_BYTES;
    const object = objects.at(-1);
    switch (type) {
      case CHUNK.main:
      case CHUNK.editor:
      case CHUNK.triangleMesh:
        offset = body;
        continue;
      case CHUNK.object: {
        const { name, next } = readName(reader, body, end);
        objects.push({ name, facesAt: 0 });
        offset = next;
        continue;
      }
      case CHUNK.vertices:
      case CHUNK.faces:
      case CHUNK.mapping:
        if (!object) throw new ModelError(`3ds: ${hex(offset)}: mesh data outside of an object`);
        if (type === CHUNK.vertices) object.positions = readFloats(reader, body, end, 3, 'vertex list');
        else if (type === CHUNK.mapping) object.texcoords = readFloats(reader, body, end, 2, 'mapping list');
        else {
          object.faces = readFaces(reader, body, end);
          object.facesAt = body;
        }
    }
    offset = end;
  }
  // Lights and cameras are objects too.
  const meshes = objects.filter(({ positions, faces }) => positions || faces).map(finish);
  if (meshes.length === 0) throw new ModelError('3ds: no mesh in the file');
  return { objects: meshes };
}
