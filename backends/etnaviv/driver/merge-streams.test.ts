import { afterEach, describe, expect, it } from 'vitest';
import { createContext } from '../../../src/index.ts';
import { useProgram } from '../../../src/webgl/testing.ts';
import { etnavivBackend } from '../backend.ts';

type Gl = WebGLRenderingContext & { dispose(): void };

const SIZE = 8;
const ATTRIBUTES = 13;
let gl: Gl;

afterEach(() => gl.dispose());

/** A program whose colour is the sum of all attributes but the position, each in a buffer of its own. */
function open(core: string): void {
  const backend = etnavivBackend(core);
  gl = createContext(SIZE, SIZE, { backend, api: 'webgl', antialias: false }) as unknown as Gl;
  const names = Array.from({ length: ATTRIBUTES - 1 }, (_, i) => `a${i}`);
  const vertex = `attribute vec4 p; ${names.map((name) => `attribute vec4 ${name};`).join('')} varying vec4 v;
    void main() { gl_Position = p; v = ${names.join(' + ')}; }`;
  useProgram(gl, vertex, 'precision mediump float; varying vec4 v; void main() { gl_FragColor = v; }', (made) => {
    for (const [index, name] of ['p', ...names].entries()) gl.bindAttribLocation(made, index, name);
  });
}

/** Six vertices of a quad that follow `before` vertices outside of the picture. */
function fill(before: number): void {
  const corners = [-1, -1, 1, -1, -1, 1, -1, 1, 1, -1, 1, 1];
  const skipped = (values: number) => new Array<number>(before * values).fill(9);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([...skipped(2), ...corners]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  for (let index = 1; index < ATTRIBUTES; index++) {
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.enableVertexAttribArray(index);
    // Bytes and floats, at an offset, with gaps: each adds 20 to one of the channels and 85 to alpha three times.
    const value = [0, 1, 2, 3].map((c) => (c === 3 ? (index <= 3 ? 85 : 0) : c === index % 3 ? 20 : 0));
    if (index % 2) {
      const vertices = Array.from({ length: before + 6 }, (_, i) => (i < before ? [7, 7, 7, 7] : value)).flat();
      gl.bufferData(gl.ARRAY_BUFFER, new Uint8Array([1, 2, 3, 4, ...vertices]), gl.STATIC_DRAW);
      gl.vertexAttribPointer(index, 4, gl.UNSIGNED_BYTE, true, 0, 4);
    } else {
      const one = (i: number) => [5, ...(i < before ? [7, 7, 7, 7] : value.map((byte) => byte / 255))];
      const vertices = Array.from({ length: before + 6 }, (_, i) => one(i)).flat();
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(vertices), gl.STATIC_DRAW);
      gl.vertexAttribPointer(index, 4, gl.FLOAT, false, 20, 4);
    }
  }
}

function expectWhole(): void {
  expect(gl.getError()).toBe(0);
  const pixels = new Uint8Array(SIZE * SIZE * 4);
  gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  for (let i = 0; i < pixels.length; i += 4) expect([...pixels.subarray(i, i + 4)]).toEqual([80, 80, 80, 255]);
}

describe.each(['gc400', 'gc880', 'gc2000'])('more vertex buffers than streams on %s', (core) => {
  it('are drawn by ranges, each of its own vertices', () => {
    open(core);
    fill(5);
    gl.drawArrays(gl.TRIANGLES, 5, 3);
    gl.drawArrays(gl.TRIANGLES, 8, 3);
    expectWhole();
  });

  it('are drawn by indices', () => {
    open(core);
    fill(2);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array([7, 6, 5, 4, 3, 2]), gl.STATIC_DRAW);
    gl.drawElements(gl.TRIANGLES, 6, gl.UNSIGNED_SHORT, 0);
    expectWhole();
  });
});
