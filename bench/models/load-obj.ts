// Loads .obj models (one object of triangles), and .jobj: the same with vertex colours and a list of indices.

import type { ColoredModel, Model } from './model.ts';
import { checkFaces, ModelError } from './model-error.ts';

/** Lines of a text with their byte offset (texts are ASCII) and number. */
function* linesOf(text: string): Generator<{ words: string[]; where: string }> {
  let [offset, number] = [0, 1];
  while (offset < text.length) {
    let end = text.indexOf('\n', offset);
    if (end < 0) end = text.length;
    const words = text.slice(offset, end).trim().split(/\s+/);
    if (words[0] !== '' && !words[0]!.startsWith('#')) yield { words, where: `line ${number} (offset ${offset})` };
    offset = end + 1;
    number++;
  }
}

function readNumbers(words: readonly string[], count: number, where: string, into: number[]): void {
  for (let at = 1; at <= count; at++) {
    const value = Number(words[at] ?? Number.NaN);
    if (!Number.isFinite(value)) throw new ModelError(`obj: ${where}: '${words[at] ?? ''}' is not a number`);
    into.push(value);
  }
}

/** The three indices of a corner `v`, `v/t`, `v//n` or `v/t/n`, from 0; -1 for those it does not have. */
function readCorner(word: string, counts: readonly number[], where: string): number[] {
  const parts = word.split('/');
  if (parts.length > 3) throw new ModelError(`obj: ${where}: corner '${word}'`);
  return [0, 1, 2].map((at) => {
    const part = parts[at] ?? '';
    if (part === '' && at > 0) return -1;
    const index = Number(part);
    if (!Number.isInteger(index) || index === 0) throw new ModelError(`obj: ${where}: corner '${word}'`);
    // Negative ones count from the last one read.
    const from0 = index > 0 ? index - 1 : counts[at]! + index;
    if (from0 < 0) throw new ModelError(`obj: ${where}: corner '${word}' names nothing`);
    return from0;
  });
}

interface Corners {
  readonly positions: number[];
  readonly texcoords: number[];
  readonly normals: number[];
  readonly where: string[];
}

function readFace(words: readonly string[], where: string, counts: readonly number[], faces: Corners): void {
  if (words.length < 4) throw new ModelError(`obj: ${where}: a face of ${words.length - 1} corners`);
  const corners = words.slice(1).map((word) => readCorner(word, counts, where));
  for (let at = 1; at + 1 < corners.length; at++) {
    for (const corner of [corners[0]!, corners[at]!, corners[at + 1]!]) {
      faces.positions.push(corner[0]!);
      faces.texcoords.push(corner[1]!);
      faces.normals.push(corner[2]!);
    }
    faces.where.push(where);
  }
}

/** Throws a ModelError that names line and offset when the text is bad. */
export function loadObj(text: string): Model {
  const [positions, normals, texcoords]: number[][] = [[], [], []];
  const faces: Corners = { positions: [], texcoords: [], normals: [], where: [] };
  let name = '';
  for (const { words, where } of linesOf(text)) {
    switch (words[0]) {
      case 'v':
        readNumbers(words, 3, where, positions!);
        break;
      case 'vn':
        readNumbers(words, 3, where, normals!);
        break;
      case 'vt':
        readNumbers(words, 2, where, texcoords!);
        break;
      case 'f':
        readFace(words, where, [positions!.length / 3, texcoords!.length / 2, normals!.length / 3], faces);
        break;
      case 'o':
        name ||= words.slice(1).join(' ');
    }
  }
  if (faces.positions.length === 0) throw new ModelError('obj: no face in the file');
  const where = (face: number) => `obj: ${faces.where[face]}`;
  const positionFaces = Uint32Array.from(faces.positions);
  checkFaces(positionFaces, positions!.length / 3, where);
  /** A list is used only when every corner names it. */
  const listOf = (values: number[], size: number, indices: number[]): [Float32Array, Uint32Array] | undefined => {
    if (values.length === 0) return undefined;
    // Without indices of their own they belong to the positions in order.
    if (indices.includes(-1)) {
      return values.length / size >= positions!.length / 3 ? [Float32Array.from(values), positionFaces] : undefined;
    }
    const list = Uint32Array.from(indices);
    checkFaces(list, values.length / size, where);
    return [Float32Array.from(values), list];
  };
  const normalList = listOf(normals!, 3, faces.normals);
  const texcoordList = listOf(texcoords!, 2, faces.texcoords);
  return {
    objects: [
      {
        name,
        positions: Float32Array.from(positions!),
        faces: positionFaces,
        ...(normalList && { normals: normalList[0], normalFaces: normalList[1] }),
        ...(texcoordList && { texcoords: texcoordList[0], texcoordFaces: texcoordList[1] }),
      },
    ],
  };
}

/** The jellyfish's format: lines v, vn, vc, vt of three numbers for each vertex, then lines i of one index. */
export function loadJobj(text: string): ColoredModel {
  const lists: Record<string, number[]> = { v: [], vn: [], vc: [], vt: [] };
  const indices: number[] = [];
  const indexWhere: string[] = [];
  for (const { words, where } of linesOf(text)) {
    const list = Object.hasOwn(lists, words[0]!) ? lists[words[0]!] : undefined;
    if (list) readNumbers(words, 3, where, list);
    else if (words[0] === 'i') {
      const index = Number(words[1] ?? Number.NaN);
      if (!Number.isInteger(index) || index < 0 || index > 0xffff) {
        throw new ModelError(`jobj: ${where}: index '${words[1] ?? ''}'`);
      }
      indices.push(index);
      if (indices.length % 3 === 1) indexWhere.push(where);
    }
  }
  const vertices = lists['v']!.length / 3;
  for (const [name, list] of Object.entries(lists)) {
    if (list.length / 3 < vertices)
      throw new ModelError(`jobj: ${list.length / 3} lines '${name}' for ${vertices} 'v'`);
  }
  if (indices.length === 0 || indices.length % 3 !== 0) throw new ModelError(`jobj: ${indices.length} indices`);
  const faces = Uint32Array.from(indices);
  checkFaces(faces, vertices, (face) => `jobj: ${indexWhere[face]}`);
  const [positions, normals] = [Float32Array.from(lists['v']!), Float32Array.from(lists['vn']!)];
  return {
    objects: [{ name: '', positions, faces, normals }],
    colored: {
      positions,
      normals,
      colors: Float32Array.from(lists['vc']!),
      texcoords: Float32Array.from(lists['vt']!),
      indices: Uint16Array.from(indices),
    },
  };
}
