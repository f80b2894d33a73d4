// The device is lost in the middle of a call: an endless shader is found when pending work has to be done. Whatever the call was, it
// ends without an exception, the context is lost and comes back, and memory is given back.

import { describe, expect, it } from 'vitest';
import { SoftScreen } from '../../backends/soft/screen.ts';
import type { Backend } from '../pipe/pipe.ts';
import { bindQuad, readPixel, testCanvas, useTestProgram } from './testing.ts';

const VERTEX = '#version 300 es\nin vec4 position; void main() { gl_Position = position; }';
const ENDLESS = `#version 300 es
precision highp float; uniform float steps; out vec4 color;
void main() { for (float i = 0.0; i < steps; i += 1.0) color = color.yzwx + 0.5; }`;

const nextTask = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A context with an endless draw pending for a texture. */
function pending() {
  let screen: SoftScreen | undefined;
  const backend: Backend = { name: 'soft', createScreen: (options) => (screen = new SoftScreen(options)) };
  const canvas = testCanvas(backend, 8, 8);
  canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
  const gl = canvas.getContext('webgl2', { antialias: false }) as unknown as WebGL2RenderingContext;
  const program = useTestProgram(gl as never, VERTEX, ENDLESS);
  gl.uniform1f(gl.getUniformLocation(program as never, 'steps'), 1e38);
  bindQuad(gl as never);
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 64, 64, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  const query = gl.createQuery()!;
  gl.beginQuery(gl.ANY_SAMPLES_PASSED, query);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  gl.endQuery(gl.ANY_SAMPLES_PASSED);
  return { screen: screen!, canvas, gl, texture, query };
}

type Pending = ReturnType<typeof pending>;

const toScreen = ({ gl }: Pending) => gl.bindFramebuffer(gl.FRAMEBUFFER, null);
const PIXELS = new Uint8Array(64 * 64 * 4);

const CALLS: Readonly<Record<string, (state: Pending) => void>> = {
  finish: ({ gl }) => gl.finish(),
  readPixels: ({ gl }) => gl.readPixels(0, 0, 64, 64, gl.RGBA, gl.UNSIGNED_BYTE, PIXELS),
  'readPixels into a buffer': ({ gl }) => {
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, gl.createBuffer());
    gl.bufferData(gl.PIXEL_PACK_BUFFER, 64 * 64 * 4, gl.STREAM_READ);
    gl.readPixels(0, 0, 64, 64, gl.RGBA, gl.UNSIGNED_BYTE, 0);
  },
  'a draw that samples it': (state) => {
    const { gl } = state;
    toScreen(state);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    const fragment =
      'precision mediump float; uniform sampler2D s; void main() { gl_FragColor = texture2D(s, vec2(0.5)); }';
    useTestProgram(gl as never, undefined, fragment);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  },
  'texSubImage2D of it': ({ gl }) =>
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 64, 64, gl.RGBA, gl.UNSIGNED_BYTE, PIXELS),
  'texImage2D of it without pixels': ({ gl }) =>
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 64, 64, 0, gl.RGBA, gl.UNSIGNED_BYTE, null),
  'texImage2D of the canvas that waits for it': (state) => {
    const { gl, canvas } = state;
    toScreen(state);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, canvas as unknown as HTMLCanvasElement);
  },
  generateMipmap: ({ gl }) => gl.generateMipmap(gl.TEXTURE_2D),
  copyTexImage2D: ({ gl }) => gl.copyTexImage2D(gl.TEXTURE_2D, 1, gl.RGBA, 0, 0, 32, 32, 0),
  blitFramebuffer: ({ gl }) => {
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, gl.createFramebuffer());
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 8, 8);
    const texture = gl.getParameter(gl.TEXTURE_BINDING_2D) as WebGLTexture | null;
    gl.framebufferTexture2D(gl.DRAW_FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    gl.blitFramebuffer(0, 0, 64, 64, 0, 0, 8, 8, gl.COLOR_BUFFER_BIT, gl.LINEAR);
  },
  'the result of its query': ({ gl, query }) => {
    // A lost context answers null, one that has just been lost what is there.
    expect([null, 0, false]).toContain(gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE));
    gl.finish();
  },
  clientWaitSync: ({ gl }) => {
    gl.clientWaitSync(gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)!, gl.SYNC_FLUSH_COMMANDS_BIT, 0);
  },
  'more jobs than may wait': ({ gl }) => {
    for (let i = 0; i < 40; i++) {
      gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 4, 4);
      gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
      const texture = gl.getParameter(gl.TEXTURE_BINDING_2D) as WebGLTexture | null;
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
    }
  },
  present: ({ canvas }) => canvas.present(),
  toImageData: (state) => {
    const { gl, canvas } = state;
    toScreen(state);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    expect(canvas.toImageData().width).toBe(8);
  },
};

describe('a context that is lost in a call', () => {
  it.each(Object.keys(CALLS))('is just lost, and comes back: %s', { timeout: 60_000 }, async (name) => {
    const state = pending();
    const { gl, canvas, screen } = state;
    CALLS[name]!(state);
    expect(gl.isContextLost()).toBe(true);
    expect(gl.getError()).toBe(gl.CONTEXT_LOST_WEBGL);
    await nextTask();
    await nextTask();
    expect(gl.isContextLost()).toBe(false);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.clearColor(0, 0, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect(readPixel(gl as never, 7, 7)).toEqual([0, 0, 255, 255]);
    canvas.dispose();
    expect(screen.memoryStatistics().liveBytes).toBe(0);
  });
});
