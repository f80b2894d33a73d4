import { describe, expect, it } from 'vitest';
import { createContext } from '../../../src/index.ts';
import { useProgram } from '../../../src/webgl/testing.ts';
import { etnavivBackend } from '../backend.ts';

type Gl = WebGLRenderingContext & { dispose(): void };

const SIZE = 32;

function open(core: string): Gl {
  return createContext(SIZE, SIZE, { backend: etnavivBackend(core), api: 'webgl', antialias: false }) as unknown as Gl;
}

function program(gl: Gl, vertex: string, fragment: string): WebGLProgram {
  return useProgram(gl, vertex, `precision mediump float;${fragment}`);
}

/** Corners of two triangles over a rectangle in clip coordinates. */
function rectangle(gl: Gl, x0: number, y0: number, x1: number, y1: number): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([x0, y0, x1, y0, x0, y1, x0, y1, x1, y0, x1, y1]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
}

function pixel(gl: Gl, x: number, y: number): number[] {
  const data = new Uint8Array(4);
  gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, data);
  return [...data];
}

const PLAIN = 'attribute vec2 p; uniform float z; void main() { gl_Position = vec4(p, z, 1.0); }';
const COLOR = 'uniform vec4 c; void main() { gl_FragColor = c; }';

describe.each(['gc880', 'gc2000', 'gc3000', 'gc7000'])('etnaviv driver on %s', (core) => {
  it('clears in the order of channels that GL asks for', () => {
    const gl = open(core);
    gl.clearColor(1, 0.5, 0.25, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect(pixel(gl, 3, 5)).toEqual([255, 128, 64, 255]);
    gl.dispose();
  });

  it('draws with row 0 at the bottom and leaves the rest as it was', () => {
    const gl = open(core);
    const { [0]: made } = [program(gl, PLAIN, COLOR)];
    gl.uniform4f(gl.getUniformLocation(made!, 'c'), 0, 1, 0, 1);
    gl.clearColor(1, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    rectangle(gl, -1, -1, 0, 0);
    gl.drawArrays(gl.TRIANGLES, 0, 6);
    expect(pixel(gl, 2, 2)).toEqual([0, 255, 0, 255]);
    expect(pixel(gl, 2, SIZE - 3)).toEqual([255, 0, 0, 255]);
    expect(pixel(gl, SIZE - 3, 2)).toEqual([255, 0, 0, 255]);
    gl.dispose();
  });

  it('tests depth, whatever the order of draws', () => {
    const gl = open(core);
    const made = program(gl, PLAIN, COLOR);
    const color = gl.getUniformLocation(made, 'c');
    const z = gl.getUniformLocation(made, 'z');
    gl.enable(gl.DEPTH_TEST);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    rectangle(gl, -1, -1, 1, 1);
    gl.uniform4f(color, 0, 0, 1, 1);
    gl.uniform1f(z, -0.5);
    gl.drawArrays(gl.TRIANGLES, 0, 6);
    gl.uniform4f(color, 1, 0, 0, 1);
    gl.uniform1f(z, 0.5);
    gl.drawArrays(gl.TRIANGLES, 0, 6);
    expect(pixel(gl, 9, 9)).toEqual([0, 0, 255, 255]);
    gl.dispose();
  });

  it('culls the back faces of either winding', () => {
    const gl = open(core);
    const made = program(gl, PLAIN, COLOR);
    gl.uniform4f(gl.getUniformLocation(made, 'c'), 1, 1, 1, 1);
    rectangle(gl, -1, -1, 1, 1);
    gl.enable(gl.CULL_FACE);
    gl.drawArrays(gl.TRIANGLES, 0, 6);
    expect(pixel(gl, 9, 9)).toEqual([255, 255, 255, 255]);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.frontFace(gl.CW);
    gl.drawArrays(gl.TRIANGLES, 0, 6);
    expect(pixel(gl, 9, 9)).toEqual([0, 0, 0, 0]);
    gl.dispose();
  });

  it('tells programs which face is in front', () => {
    const gl = open(core);
    program(gl, PLAIN, 'void main() { gl_FragColor = gl_FrontFacing ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }');
    rectangle(gl, -1, -1, 1, 1);
    gl.drawArrays(gl.TRIANGLES, 0, 6);
    expect(pixel(gl, 9, 9)).toEqual([0, 255, 0, 255]);
    gl.frontFace(gl.CW);
    gl.drawArrays(gl.TRIANGLES, 0, 6);
    expect(pixel(gl, 9, 9)).toEqual([255, 0, 0, 255]);
    gl.dispose();
  });

  it('blends, and masks channels', () => {
    const gl = open(core);
    const made = program(gl, PLAIN, COLOR);
    gl.uniform4f(gl.getUniformLocation(made, 'c'), 1, 1, 1, 0.5);
    gl.clearColor(0, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    rectangle(gl, -1, -1, 1, 1);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.colorMask(true, false, true, true);
    gl.drawArrays(gl.TRIANGLES, 0, 6);
    const [red, green, blue] = pixel(gl, 9, 9);
    expect([red! >> 1, green, blue! >> 1]).toEqual([64, 0, 64]);
    gl.dispose();
  });

  it('samples what was uploaded, and what was drawn', () => {
    const gl = open(core);
    const made = program(
      gl,
      'attribute vec2 p; varying vec2 v; void main() { v = p * 0.5 + 0.5; gl_Position = vec4(p, 0, 1); }',
      'uniform sampler2D t; varying vec2 v; void main() { gl_FragColor = texture2D(t, v); }',
    );
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    const texels = new Uint8Array([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 10, 20, 30, 40]);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    gl.uniform1i(gl.getUniformLocation(made, 't'), 0);
    rectangle(gl, -1, -1, 1, 1);
    gl.drawArrays(gl.TRIANGLES, 0, 6);
    const corners = () => [pixel(gl, 2, 2), pixel(gl, 30, 2), pixel(gl, 2, 30), pixel(gl, 30, 30)];
    const uploaded = [
      [255, 0, 0, 255],
      [0, 255, 0, 255],
      [0, 0, 255, 255],
      [10, 20, 30, 40],
    ];
    expect(corners()).toEqual(uploaded);

    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(1, 1, 1, 1);
    gl.clearColor(1, 1, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.disable(gl.SCISSOR_TEST);
    expect(pixel(gl, 1, 1)).toEqual([255, 255, 0, 255]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.drawArrays(gl.TRIANGLES, 0, 6);
    expect(corners()).toEqual([...uploaded.slice(0, 3), [255, 255, 0, 255]]);
    gl.dispose();
  });

  it('marks pixels by stencil', () => {
    const gl = createContext(SIZE, SIZE, {
      backend: etnavivBackend(core),
      api: 'webgl',
      stencil: true,
    }) as unknown as Gl;
    const made = program(gl, PLAIN, COLOR);
    gl.uniform4f(gl.getUniformLocation(made, 'c'), 1, 1, 1, 1);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.ALWAYS, 3, 0xff);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
    rectangle(gl, -1, -1, 0, 1);
    gl.drawArrays(gl.TRIANGLES, 0, 6);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.stencilFunc(gl.EQUAL, 3, 0xff);
    rectangle(gl, -1, -1, 1, 1);
    gl.drawArrays(gl.TRIANGLES, 0, 6);
    expect(pixel(gl, 9, 9)).toEqual([255, 255, 255, 255]);
    expect(pixel(gl, 25, 9)).toEqual([0, 0, 0, 0]);
    gl.dispose();
  });

  it('draws points with their coordinates, upper left first, and closed loops', () => {
    const gl = open(core);
    program(
      gl,
      'attribute vec2 p; void main() { gl_PointSize = 16.0; gl_Position = vec4(p, 0, 1); }',
      'void main() { gl_FragColor = vec4(gl_PointCoord, 0, 1); }',
    );
    rectangle(gl, 0, 0, 0, 0);
    gl.drawArrays(gl.POINTS, 0, 1);
    const [red, green] = pixel(gl, 10, 22);
    expect(red! < 60 && green! < 60).toBe(true);
    const [right, low] = pixel(gl, 22, 10);
    expect(right! > 190 && low! > 190).toBe(true);

    const made = program(gl, PLAIN, COLOR);
    gl.uniform4f(gl.getUniformLocation(made, 'c'), 0, 0, 1, 1);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-0.9, -0.53, 0.9, -0.53, 0.9, 0.9, -0.9, 0.9]), gl.STATIC_DRAW);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.drawArrays(gl.LINE_LOOP, 0, 4);
    expect(pixel(gl, 16, 7)).toEqual([0, 0, 255, 255]);
    expect(pixel(gl, 1, 16)).toEqual([0, 0, 255, 255]);
    gl.dispose();
  });
});
