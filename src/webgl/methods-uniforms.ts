// WebGL 1: uniform setters (WebGL 1 §5.14.10). WebGL 2 adds `srcOffset` and `srcLength` to the vector forms.

import { invalidOperation, invalidValue } from '../gl/errors.ts';
import { setUniform, setUniformMatrix, type UniformKind } from '../gl/uniforms.ts';
import { type ContextBase, faceOf, glOf } from './context-base.ts';
import { locationOf, type WebGLUniformLocation } from './handles.ts';
import { ProgramMethods } from './methods-programs.ts';

type Place = WebGLUniformLocation | null;

/** The GL location, or −1: null was given (which does nothing), or an error was recorded. */
function useLocation(context: ContextBase, call: string, place: Place): number {
  if (place === null) return -1;
  const { face, program, link, location } = locationOf(place);
  const gl = glOf(context);
  if (face !== faceOf(context)) invalidOperation(gl, call, 'the location belongs to another context');
  else if (program !== gl.program) invalidOperation(gl, call, 'the location does not belong to the program in use');
  else if (link !== program.linkCount) invalidOperation(gl, call, 'the program was linked again since');
  else return location;
  return -1;
}

const scratchFloats = new Float32Array(4);
const scratchInts = new Int32Array(4);
const scratchUints = new Uint32Array(4);
const SCRATCH = { float: scratchFloats, int: scratchInts, uint: scratchUints };

/** uniform{1234}{f,i,ui}. */
export function setScalars(
  context: ContextBase,
  call: string,
  kind: UniformKind,
  place: Place,
  size: number,
  x: number,
  y = 0,
  z = 0,
  w = 0,
): void {
  const location = useLocation(context, call, place);
  if (location < 0) return;
  const values = SCRATCH[kind];
  values[0] = x;
  values[1] = y;
  values[2] = z;
  values[3] = w;
  setUniform(glOf(context), location, kind, size, 1, values);
}

/** Elements of `values` that a call uses, or −1 after INVALID_VALUE. */
function usedLength(
  context: ContextBase,
  call: string,
  values: ArrayLike<number>,
  multiple: number,
  offset: number,
  length: number,
): number {
  const gl = glOf(context);
  const used = length === 0 ? values.length - offset : length;
  if (offset > values.length || offset + used > values.length)
    invalidValue(gl, call, `values ${offset}…${offset + used} are beyond the list's ${values.length}`);
  else if (used === 0 || used % multiple !== 0)
    invalidValue(gl, call, `${used} values are no positive multiple of ${multiple}`);
  else return used;
  return -1;
}

/** uniform{1234}{f,i,ui}v. */
export function setVector(
  context: ContextBase,
  call: string,
  kind: UniformKind,
  place: Place,
  size: number,
  values: ArrayLike<number>,
  offset = 0,
  length = 0,
): void {
  const location = useLocation(context, call, place);
  if (location < 0) return;
  const used = usedLength(context, call, values, size, offset, length);
  if (used > 0) setUniform(glOf(context), location, kind, size, used / size, values, offset);
}

/** uniformMatrix{2,3,4,2x3…}fv. */
export function setMatrix(
  context: ContextBase,
  call: string,
  place: Place,
  columns: number,
  rows: number,
  transpose: boolean,
  values: ArrayLike<number>,
  offset = 0,
  length = 0,
): void {
  const location = useLocation(context, call, place);
  if (location < 0) return;
  const used = usedLength(context, call, values, columns * rows, offset, length);
  if (used > 0)
    setUniformMatrix(glOf(context), location, columns, rows, used / (columns * rows), transpose, values, offset);
}

export abstract class UniformMethods extends ProgramMethods {
  uniform1f(location: Place, x: number): void {
    setScalars(this, 'uniform1f', 'float', location, 1, x);
  }

  uniform2f(location: Place, x: number, y: number): void {
    setScalars(this, 'uniform2f', 'float', location, 2, x, y);
  }

  uniform3f(location: Place, x: number, y: number, z: number): void {
    setScalars(this, 'uniform3f', 'float', location, 3, x, y, z);
  }

  uniform4f(location: Place, x: number, y: number, z: number, w: number): void {
    setScalars(this, 'uniform4f', 'float', location, 4, x, y, z, w);
  }

  uniform1i(location: Place, x: number): void {
    setScalars(this, 'uniform1i', 'int', location, 1, x);
  }

  uniform2i(location: Place, x: number, y: number): void {
    setScalars(this, 'uniform2i', 'int', location, 2, x, y);
  }

  uniform3i(location: Place, x: number, y: number, z: number): void {
    setScalars(this, 'uniform3i', 'int', location, 3, x, y, z);
  }

  uniform4i(location: Place, x: number, y: number, z: number, w: number): void {
    setScalars(this, 'uniform4i', 'int', location, 4, x, y, z, w);
  }

  uniform1fv(location: Place, values: Float32List, srcOffset?: number, srcLength?: number): void {
    setVector(this, 'uniform1fv', 'float', location, 1, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniform2fv(location: Place, values: Float32List, srcOffset?: number, srcLength?: number): void {
    setVector(this, 'uniform2fv', 'float', location, 2, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniform3fv(location: Place, values: Float32List, srcOffset?: number, srcLength?: number): void {
    setVector(this, 'uniform3fv', 'float', location, 3, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniform4fv(location: Place, values: Float32List, srcOffset?: number, srcLength?: number): void {
    setVector(this, 'uniform4fv', 'float', location, 4, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniform1iv(location: Place, values: Int32List, srcOffset?: number, srcLength?: number): void {
    setVector(this, 'uniform1iv', 'int', location, 1, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniform2iv(location: Place, values: Int32List, srcOffset?: number, srcLength?: number): void {
    setVector(this, 'uniform2iv', 'int', location, 2, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniform3iv(location: Place, values: Int32List, srcOffset?: number, srcLength?: number): void {
    setVector(this, 'uniform3iv', 'int', location, 3, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniform4iv(location: Place, values: Int32List, srcOffset?: number, srcLength?: number): void {
    setVector(this, 'uniform4iv', 'int', location, 4, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniformMatrix2fv(
    location: Place,
    transpose: boolean,
    values: Float32List,
    srcOffset?: number,
    srcLength?: number,
  ): void {
    setMatrix(this, 'uniformMatrix2fv', location, 2, 2, transpose, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniformMatrix3fv(
    location: Place,
    transpose: boolean,
    values: Float32List,
    srcOffset?: number,
    srcLength?: number,
  ): void {
    setMatrix(this, 'uniformMatrix3fv', location, 3, 3, transpose, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniformMatrix4fv(
    location: Place,
    transpose: boolean,
    values: Float32List,
    srcOffset?: number,
    srcLength?: number,
  ): void {
    setMatrix(this, 'uniformMatrix4fv', location, 4, 4, transpose, values as ArrayLike<number>, srcOffset, srcLength);
  }
}
