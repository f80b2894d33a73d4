// Attributes in any order, with gaps, from few buffers and many, and without a buffer.

import { describe, expect, it } from 'vitest';
import { createContext } from '../../../src/index.ts';
import { etnavivBackend } from '../backend.ts';

const SIZE = 8;

type Gl = ReturnType<typeof open>;

function open(core: string) {
  return createContext(SIZE, SIZE, { backend: etnavivBackend(core), api: 'webgl', antialias: false });
}

/** A program whose attributes have these locations; the others of `names` are declared, but the shader has no use for them. */
function program(gl: Gl, locations: Readonly<Record<string, number>>, names: readonly string[]): void {
  const made = gl.createProgram();
  const sum = Object.keys(locations).filter((name) => name !== 'p');
  const declarations = names.map((name) => `attribute vec4 ${name};`).join(' ');
  for (const [type, source] of [
    [gl.VERTEX_SHADER, `${declarations} varying vec4 v; void main() { v = ${sum.join(' + ')}; gl_Position = p; }`],
    [gl.FRAGMENT_SHADER, 'precision mediump float; varying vec4 v; void main() { gl_FragColor = v; }'],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  for (const [name, location] of Object.entries(locations)) gl.bindAttribLocation(made, location, name);
  gl.linkProgram(made);
  expect(gl.getProgramParameter(made, gl.LINK_STATUS)).toBe(true);
  gl.useProgram(made);
}

function pixel(gl: Gl): number[] {
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  const data = new Uint8Array(4);
  gl.readPixels(3, 4, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, data);
  expect(gl.getError()).toBe(gl.NO_ERROR);
  return [...data];
}

/** The same value for three vertices. */
function values(gl: Gl, location: number, bytes: readonly number[], normalized = true): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Uint8Array([...bytes, ...bytes, ...bytes]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, bytes.length, gl.UNSIGNED_BYTE, normalized, 0, 0);
}

function corners(gl: Gl, location: number): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, 2, gl.FLOAT, false, 0, 0);
}

describe.each(['gc880', 'gc2000', 'gc3000', 'gc7000'])('vertex fetch on %s', (core) => {
  it('takes attributes at high places first and with gaps between', () => {
    const gl = open(core);
    program(gl, { p: 9, a: 12, b: 3 }, ['b', 'unused', 'a', 'p']);
    values(gl, 12, [40, 0, 0, 255]);
    corners(gl, 9);
    values(gl, 3, [0, 80, 20]);
    // A place that the program has no attribute at, and one that nothing is enabled at.
    values(gl, 5, [255, 255, 255, 255]);
    expect(pixel(gl)).toEqual([40, 80, 20, 255]);
    gl.dispose();
  });

  it('takes constants where no array is enabled, beside arrays', () => {
    const gl = open(core);
    program(gl, { a: 0, p: 1, b: 7 }, ['a', 'p', 'b']);
    corners(gl, 1);
    gl.vertexAttrib4f(0, 0.2, 0.4, 0, 0);
    values(gl, 7, [0, 0, 60, 255]);
    expect(pixel(gl)).toEqual([51, 102, 60, 255]);
    gl.disableVertexAttribArray(7);
    gl.vertexAttrib3f(7, 0.2, 0, 0.6);
    expect(pixel(gl)).toEqual([102, 102, 153, 255]);
    gl.dispose();
  });

  it('takes interleaved attributes in any order within a vertex, far ones as well', () => {
    const gl = open(core);
    program(gl, { a: 2, b: 0, p: 4 }, ['p', 'a', 'b']);
    const stride = 252;
    const bytes = new Uint8Array(stride * 3);
    const view = new DataView(bytes.buffer);
    for (let vertex = 0; vertex < 3; vertex++) {
      bytes.set([10, 20, 30, 255], vertex * stride + 248);
      view.setFloat32(vertex * stride + 100, vertex === 1 ? 3 : -1, true);
      view.setFloat32(vertex * stride + 104, vertex === 2 ? 3 : -1, true);
      bytes.set([1, 2, 3], vertex * stride + 4);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW);
    for (const [location, size, type, normalized, offset] of [
      [2, 4, gl.UNSIGNED_BYTE, true, 248],
      [4, 2, gl.FLOAT, false, 100],
      [0, 3, gl.UNSIGNED_BYTE, true, 4],
    ] as const) {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, type, normalized, stride, offset);
    }
    expect(pixel(gl)).toEqual([11, 22, 33, 255]);
    gl.dispose();
  });
});

describe.each(['gc880', 'gc2000', 'gc3000', 'gc7000'])('targets with gaps on %s', (core) => {
  it('leave out what is not drawn to', () => {
    const gl = open(core);
    const buffers = gl.getExtension('WEBGL_draw_buffers')!;
    const made = gl.createProgram();
    for (const [type, source] of [
      [gl.VERTEX_SHADER, 'attribute vec4 p; void main() { gl_Position = p; }'],
      [
        gl.FRAGMENT_SHADER,
        `#extension GL_EXT_draw_buffers : require
         precision mediump float; void main() {
           gl_FragData[0] = vec4(1, 0, 0, 1); gl_FragData[1] = vec4(0, 1, 0, 1); gl_FragData[2] = vec4(0, 0, 1, 1); }`,
      ],
    ] as const) {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    gl.useProgram(made);
    corners(gl, gl.getAttribLocation(made, 'p'));
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    const textures = [0, 1, 2].map((index) => {
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, SIZE, SIZE, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + index, gl.TEXTURE_2D, texture, 0);
      return texture;
    });
    buffers.drawBuffersWEBGL([gl.NONE, gl.COLOR_ATTACHMENT0 + 1, gl.COLOR_ATTACHMENT0 + 2]);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    buffers.drawBuffersWEBGL([gl.COLOR_ATTACHMENT0, gl.NONE, gl.NONE]);
    const pixels = textures.map((texture) => {
      gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
      const data = new Uint8Array(4);
      gl.readPixels(2, 2, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, data);
      return [...data];
    });
    expect(pixels).toEqual([
      [0, 0, 0, 0],
      [0, 255, 0, 255],
      [0, 0, 255, 255],
    ]);
    gl.dispose();
  });
});
