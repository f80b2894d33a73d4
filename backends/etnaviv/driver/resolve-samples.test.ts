// Samples that neither resolve engine nor blit engine averages are resolved by drawing.

import { afterEach, describe, expect, it } from 'vitest';
import { createContext } from '../../../src/index.ts';
import { useProgram } from '../../../src/webgl/testing.ts';
import { etnavivBackend } from '../backend.ts';

type Gl = WebGL2RenderingContext & { dispose(): void };

const SIZE = 20;
let gl: Gl;

afterEach(() => gl.dispose());

function open(): void {
  const backend = etnavivBackend('gc7000');
  gl = createContext(SIZE, SIZE, { backend, api: 'webgl2', antialias: false }) as unknown as Gl;
}

function framebufferOf(samples: number, color: number, hasDepth: boolean): WebGLFramebuffer {
  const framebuffer = gl.createFramebuffer()!;
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  const formats: [number, number][] = [[gl.COLOR_ATTACHMENT0, color]];
  if (hasDepth) formats.push([gl.DEPTH_STENCIL_ATTACHMENT, gl.DEPTH24_STENCIL8]);
  for (const [point, format] of formats) {
    const renderbuffer = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, renderbuffer);
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, format, SIZE, SIZE);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, point, gl.RENDERBUFFER, renderbuffer);
  }
  expect(gl.checkFramebufferStatus(gl.FRAMEBUFFER)).toBe(gl.FRAMEBUFFER_COMPLETE);
  return framebuffer;
}

function draw(corners: readonly number[], color: string): void {
  const vertex = '#version 300 es\nin vec3 p; void main() { gl_Position = vec4(p, 1.0); }';
  const fragment = `#version 300 es\nprecision highp float; out vec4 color; void main() { color = ${color}; }`;
  useProgram(gl, vertex, fragment, (made) => gl.bindAttribLocation(made, 0, 'p'));
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(corners), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
}

function blit(from: WebGLFramebuffer, to: WebGLFramebuffer, mask: number): void {
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, from);
  gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, to);
  gl.blitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, mask, gl.NEAREST);
  expect(gl.getError()).toBe(0);
  gl.bindFramebuffer(gl.FRAMEBUFFER, to);
}

/** Everything left of a steep edge through the middle. */
const LEFT = [-3, -1.2, 0, 0.15, -1.2, 0, -0.15, 1.2, 0];
const WHOLE = [-1, -1, 0, 3, -1, 0, -1, 3, 0];

describe('resolving by drawing', () => {
  it.each(['RG16F', 'RGBA16F', 'R16F'] as const)('averages the samples of %s', (name) => {
    open();
    expect(gl.getExtension('EXT_color_buffer_half_float')).not.toBeNull();
    const format = gl[name];
    const sampled = framebufferOf(4, format, false);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    draw(LEFT, 'vec4(8.0, -8.0, 4.0, 2.0)');
    blit(sampled, framebufferOf(0, format, false), gl.COLOR_BUFFER_BIT);
    const pixels = new Float32Array(SIZE * SIZE * 4);
    gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.FLOAT, pixels);
    const reds = pixels.filter((_, i) => i % 4 === 0);
    expect(new Set([...reds])).toEqual(new Set([0, 2, 4, 6, 8]));
    expect([...pixels.subarray(0, 4)]).toEqual(
      { R16F: [8, 0, 0, 1], RG16F: [8, -8, 0, 1], RGBA16F: [8, -8, 4, 2] }[name],
    );
    const greens = pixels.filter((_, i) => i % 4 === 1);
    if (name !== 'R16F') expect([...greens]).toEqual([...reds].map((red) => 0 - red));
  });

  it('takes one sample of depth and stencil', () => {
    open();
    const sampled = framebufferOf(4, gl.RGBA8, true);
    gl.clearDepth(0.25);
    gl.clearStencil(3);
    gl.clear(gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(7, 0, SIZE, SIZE);
    gl.clearDepth(0.75);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.scissor(0, 11, SIZE, SIZE);
    gl.clearStencil(9);
    gl.clear(gl.STENCIL_BUFFER_BIT);
    gl.disable(gl.SCISSOR_TEST);
    blit(sampled, framebufferOf(0, gl.RGBA8, true), gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.clearColor(0, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 9, 255);
    draw(WHOLE, 'vec4(1.0)');
    const pixels = new Uint8Array(SIZE * SIZE * 4);
    gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    for (let y = 0; y < SIZE; y++) {
      for (let x = 0; x < SIZE; x++) expect(pixels[(y * SIZE + x) * 4]).toBe(x >= 7 && y >= 11 ? 255 : 0);
    }
  });
});
