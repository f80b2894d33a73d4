// WebGL 2: unsigned uniforms and matrices that are not square (WebGL 2 §3.7.8).

import type { WebGLUniformLocation } from './handles.ts';
import { setMatrix, setScalars, setVector } from './methods-uniforms.ts';
import { Buffer2Methods } from './methods2-buffers.ts';

type Place = WebGLUniformLocation | null;

export abstract class Uniform2Methods extends Buffer2Methods {
  uniform1ui(location: Place, x: number): void {
    setScalars(this, 'uniform1ui', 'uint', location, 1, x);
  }

  uniform2ui(location: Place, x: number, y: number): void {
    setScalars(this, 'uniform2ui', 'uint', location, 2, x, y);
  }

  uniform3ui(location: Place, x: number, y: number, z: number): void {
    setScalars(this, 'uniform3ui', 'uint', location, 3, x, y, z);
  }

  uniform4ui(location: Place, x: number, y: number, z: number, w: number): void {
    setScalars(this, 'uniform4ui', 'uint', location, 4, x, y, z, w);
  }

  uniform1uiv(location: Place, values: Uint32List, srcOffset?: number, srcLength?: number): void {
    setVector(this, 'uniform1uiv', 'uint', location, 1, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniform2uiv(location: Place, values: Uint32List, srcOffset?: number, srcLength?: number): void {
    setVector(this, 'uniform2uiv', 'uint', location, 2, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniform3uiv(location: Place, values: Uint32List, srcOffset?: number, srcLength?: number): void {
    setVector(this, 'uniform3uiv', 'uint', location, 3, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniform4uiv(location: Place, values: Uint32List, srcOffset?: number, srcLength?: number): void {
    setVector(this, 'uniform4uiv', 'uint', location, 4, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniformMatrix2x3fv(
    location: Place,
    transpose: boolean,
    values: Float32List,
    srcOffset?: number,
    srcLength?: number,
  ): void {
    setMatrix(this, 'uniformMatrix2x3fv', location, 2, 3, transpose, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniformMatrix2x4fv(
    location: Place,
    transpose: boolean,
    values: Float32List,
    srcOffset?: number,
    srcLength?: number,
  ): void {
    setMatrix(this, 'uniformMatrix2x4fv', location, 2, 4, transpose, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniformMatrix3x2fv(
    location: Place,
    transpose: boolean,
    values: Float32List,
    srcOffset?: number,
    srcLength?: number,
  ): void {
    setMatrix(this, 'uniformMatrix3x2fv', location, 3, 2, transpose, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniformMatrix3x4fv(
    location: Place,
    transpose: boolean,
    values: Float32List,
    srcOffset?: number,
    srcLength?: number,
  ): void {
    setMatrix(this, 'uniformMatrix3x4fv', location, 3, 4, transpose, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniformMatrix4x2fv(
    location: Place,
    transpose: boolean,
    values: Float32List,
    srcOffset?: number,
    srcLength?: number,
  ): void {
    setMatrix(this, 'uniformMatrix4x2fv', location, 4, 2, transpose, values as ArrayLike<number>, srcOffset, srcLength);
  }

  uniformMatrix4x3fv(
    location: Place,
    transpose: boolean,
    values: Float32List,
    srcOffset?: number,
    srcLength?: number,
  ): void {
    setMatrix(this, 'uniformMatrix4x3fv', location, 4, 3, transpose, values as ArrayLike<number>, srcOffset, srcLength);
  }
}
