// What a loader says about a file it can't use.

export class ModelError extends Error {
  override readonly name = 'ModelError';
}

/** Throws when a face names a vertex that is not there. `where` tells a face's place in the file. */
export function checkFaces(faces: Uint32Array, vertices: number, where: (face: number) => string): void {
  for (let at = 0; at < faces.length; at++) {
    if (faces[at]! >= vertices) {
      throw new ModelError(`${where(Math.floor(at / 3))}: vertex ${faces[at]} of ${vertices}`);
    }
  }
}
