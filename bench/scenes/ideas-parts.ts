// Things of the scene ideas in buffers: strips with and without normals, and letters.

import type { Program } from '../gl/program.ts';
import type { Gl } from '../scene.ts';
import { type Letter, letter, type Strips } from './ideas-shapes.ts';

/** Attributes of a program and the matrices all programs of the scene have. */
export interface PartProgram {
  readonly program: Program;
  readonly vertex: number;
  readonly normal: number;
  readonly projection: WebGLUniformLocation | null;
  readonly modelView: WebGLUniformLocation | null;
  readonly normalMatrix: WebGLUniformLocation | null;
}

export function partProgram(program: Program): PartProgram {
  return {
    program,
    vertex: program.attribute('vertex'),
    normal: program.attribute('normal'),
    projection: program.uniform('projection'),
    modelView: program.uniform('modelview'),
    normalMatrix: program.uniform('normalMatrix'),
  };
}

/** Several strips' vertices and indices in one pair of buffers. */
export class StripBuffers {
  readonly #gl: Gl;
  readonly #vertices: WebGLBuffer;
  readonly #indices: WebGLBuffer;
  readonly #shapes: { strips: Strips; positionAt: number; normalAt: number; indexAt: number }[] = [];

  /** `extra`: indices after those of the strips. */
  constructor(gl: Gl, shapes: readonly Strips[], extra: Uint16Array = new Uint16Array()) {
    this.#gl = gl;
    this.#vertices = gl.createBuffer()!;
    this.#indices = gl.createBuffer()!;
    let [vertexBytes, indexBytes] = [0, 0];
    for (const strips of shapes) {
      const { byteLength } = strips.positions;
      this.#shapes.push({ strips, positionAt: vertexBytes, normalAt: vertexBytes + byteLength, indexAt: indexBytes });
      vertexBytes += byteLength * 2;
      indexBytes += strips.indices.byteLength;
    }
    this.bind();
    gl.bufferData(gl.ARRAY_BUFFER, vertexBytes, gl.STATIC_DRAW);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indexBytes + extra.byteLength, gl.STATIC_DRAW);
    for (const { strips, positionAt, normalAt, indexAt } of this.#shapes) {
      gl.bufferSubData(gl.ARRAY_BUFFER, positionAt, strips.positions);
      gl.bufferSubData(gl.ARRAY_BUFFER, normalAt, strips.normals);
      gl.bufferSubData(gl.ELEMENT_ARRAY_BUFFER, indexAt, strips.indices);
    }
    gl.bufferSubData(gl.ELEMENT_ARRAY_BUFFER, indexBytes, extra);
    this.extraAt = indexBytes;
  }

  readonly extraAt: number;

  bind(): void {
    this.#gl.bindBuffer(this.#gl.ARRAY_BUFFER, this.#vertices);
    this.#gl.bindBuffer(this.#gl.ELEMENT_ARRAY_BUFFER, this.#indices);
  }

  /** Draws one shape, a call for each strip. The buffers are bound and the attributes enabled. */
  draw(index: number, { vertex, normal }: PartProgram): void {
    const gl = this.#gl;
    const { strips, positionAt, normalAt, indexAt } = this.#shapes[index]!;
    gl.vertexAttribPointer(vertex, 3, gl.FLOAT, false, 0, positionAt);
    if (normal >= 0) gl.vertexAttribPointer(normal, 3, gl.FLOAT, false, 0, normalAt);
    for (let strip = 0; strip < strips.strips; strip++) {
      const at = indexAt + strip * strips.stripLength * 2;
      gl.drawElements(gl.TRIANGLE_STRIP, strips.stripLength, gl.UNSIGNED_SHORT, at);
    }
  }

  dispose(): void {
    this.#gl.deleteBuffer(this.#vertices);
    this.#gl.deleteBuffer(this.#indices);
  }
}

export function enablePart(gl: Gl, { program, vertex, normal }: PartProgram): void {
  program.use();
  gl.enableVertexAttribArray(vertex);
  if (normal >= 0) gl.enableVertexAttribArray(normal);
}

export function disablePart(gl: Gl, { vertex, normal }: PartProgram): void {
  gl.disableVertexAttribArray(vertex);
  if (normal >= 0) gl.disableVertexAttribArray(normal);
}

interface LoadedLetter extends Letter {
  readonly vertexBuffer: WebGLBuffer;
  readonly indexBuffer: WebGLBuffer;
}

/** Letters with buffers of their own, drawn as filled strokes with lines around them. */
export class LetterBuffers {
  readonly #gl: Gl;
  readonly #letters = new Map<string, LoadedLetter>();

  constructor(gl: Gl, text: string) {
    this.#gl = gl;
    for (const name of new Set(text)) {
      const shape = letter(name);
      const loaded = { ...shape, vertexBuffer: gl.createBuffer()!, indexBuffer: gl.createBuffer()! };
      gl.bindBuffer(gl.ARRAY_BUFFER, loaded.vertexBuffer);
      gl.bufferData(gl.ARRAY_BUFFER, shape.vertices, gl.STATIC_DRAW);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, loaded.indexBuffer);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, shape.indices, gl.STATIC_DRAW);
      this.#letters.set(name, loaded);
    }
  }

  widthOf(name: string): number {
    return this.#letters.get(name)!.width;
  }

  draw(name: string, { vertex }: PartProgram): void {
    const gl = this.#gl;
    const { vertexBuffer, indexBuffer, parts } = this.#letters.get(name)!;
    gl.bindBuffer(gl.ARRAY_BUFFER, vertexBuffer);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indexBuffer);
    gl.vertexAttribPointer(vertex, 2, gl.FLOAT, false, 0, 0);
    for (let index = 0; index < parts.length; index++) {
      const { isLine, first, count } = parts[index]!;
      gl.drawElements(isLine ? gl.LINE_STRIP : gl.TRIANGLE_STRIP, count, gl.UNSIGNED_SHORT, first * 2);
    }
  }

  dispose(): void {
    for (const { vertexBuffer, indexBuffer } of this.#letters.values()) {
      this.#gl.deleteBuffer(vertexBuffer);
      this.#gl.deleteBuffer(indexBuffer);
    }
  }
}
