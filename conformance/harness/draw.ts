// Drawing from plain lists of numbers, and rectangles that cover whole pixels.

import type { CaseContext } from '../case.ts';

/** A float attribute: `data` holds `size` numbers a vertex. */
export interface AttributeData {
  readonly size: number;
  readonly data: readonly number[] | Float32Array;
  readonly divisor?: number;
}

/** Makes a buffer with the data; it dies with the context. */
export function makeBuffer(t: CaseContext, target: number, data: ArrayBufferView): number {
  const { gl } = t;
  const names = [0];
  gl.glGenBuffers(1, names);
  gl.glBindBuffer(target, names[0]!);
  gl.glBufferData(target, data.byteLength, data, gl.GL_STATIC_DRAW);
  return names[0]!;
}

/** Points attribute i at the i-th data. */
export function setAttributes(t: CaseContext, attributes: readonly AttributeData[]): void {
  const { gl } = t;
  for (const [location, { size, data, divisor }] of attributes.entries()) {
    makeBuffer(t, gl.GL_ARRAY_BUFFER, data instanceof Float32Array ? data : Float32Array.from(data));
    gl.glEnableVertexAttribArray(location);
    gl.glVertexAttribPointer(location, size, gl.GL_FLOAT, false, 0, 0);
    if (divisor !== undefined) gl.glVertexAttribDivisor(location, divisor);
  }
}

/** Draws all vertices of the attributes. */
export function drawArrays(t: CaseContext, mode: number, attributes: readonly AttributeData[]): void {
  setAttributes(t, attributes);
  const { size, data } = attributes[0]!;
  t.gl.glDrawArrays(mode, 0, data.length / size);
}

/** A rectangle of whole pixels of one colour and window depth; `facing` chooses the winding. */
export interface PixelRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly color: readonly [number, number, number, number];
  /** Normalised device depth, -1 to 1. */
  readonly depth?: number;
  readonly facing?: 'front' | 'back';
}

/** Draws rectangles in order with one call, through a program with position and colour as attributes 0 and 1. */
export function drawRects(t: CaseContext, rects: readonly PixelRect[], width = t.width, height = t.height): void {
  const positions: number[] = [];
  const colors: number[] = [];
  for (const { x, y, width: w, height: h, color, depth = 0, facing = 'front' } of rects) {
    const left = (x / width) * 2 - 1;
    const right = ((x + w) / width) * 2 - 1;
    const bottom = (y / height) * 2 - 1;
    const top = ((y + h) / height) * 2 - 1;
    const corners = [left, bottom, right, bottom, left, top, right, bottom, right, top, left, top];
    for (let i = 0; i < 6; i++) {
      const at = facing === 'front' ? i : 5 - i;
      positions.push(corners[at * 2]!, corners[at * 2 + 1]!, depth, 1);
      colors.push(...color);
    }
  }
  drawArrays(t, t.gl.GL_TRIANGLES, [
    { size: 4, data: positions },
    { size: 4, data: colors },
  ]);
}

/** A quad over the whole viewport with given values at its corners (bottom left, bottom right, top left, top right). */
export function drawFullQuad(t: CaseContext, more: readonly AttributeData[] = [], depth = 0): void {
  const positions = [-1, -1, depth, 1, 1, -1, depth, 1, -1, 1, depth, 1, 1, 1, depth, 1];
  drawArrays(t, t.gl.GL_TRIANGLE_STRIP, [{ size: 4, data: positions }, ...more]);
}
