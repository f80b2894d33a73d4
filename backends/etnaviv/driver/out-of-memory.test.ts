// Makes buffers of a frame fail in turn: GL says out of memory, and the next frame is right.

import { describe, expect, it, vi } from 'vitest';
import { createContext } from '../../../src/index.ts';
import { useProgram } from '../../../src/webgl/testing.ts';
import { coreInfo, coreNamed } from '../hwdb/core-info.ts';
import { SimWinsys } from '../winsys/sim.ts';
import type { BufferObject } from '../winsys/winsys.ts';
import { EtnavivScreen } from './screen.ts';

const SIZE = 32;
const CORES = ['gc2000', 'gc3000', 'gc7000'];

/** Counts buffers, and makes none where `first` … `first + times` are asked for. */
class FailingWinsys extends SimWinsys {
  count = 0;
  first = Infinity;
  times = 0;

  override createBuffer(sizeBytes: number): BufferObject | null {
    this.count++;
    const fails = this.count >= this.first && this.count < this.first + this.times;
    return fails ? null : super.createBuffer(sizeBytes);
  }
}

type Gl = WebGL2RenderingContext & { dispose(): void };

interface Opened {
  readonly gl: Gl;
  readonly winsys: FailingWinsys;
}

function open(core: string): Opened {
  const winsys = new FailingWinsys(coreInfo(coreNamed(core)!), [], () => {});
  const backend = { name: 'etnaviv', createScreen: () => new EtnavivScreen(winsys) };
  const api = core === 'gc7000' ? 'webgl2' : 'webgl';
  const gl = createContext(SIZE, SIZE, { backend, api, antialias: false, depth: true }) as unknown as Gl;
  return { gl, winsys };
}

function program(gl: Gl, vertex: string, fragment: string, feedback: readonly string[] = []): WebGLProgram {
  return useProgram(gl, vertex, `precision mediump float;${fragment}`, (made) => {
    gl.bindAttribLocation(made, 0, 'p');
    if (feedback.length > 0) gl.transformFeedbackVaryings(made, [...feedback], gl.SEPARATE_ATTRIBS);
  });
}

const PLAIN =
  'attribute vec2 p; varying vec2 v; void main() { v = p; gl_PointSize = 4.0; gl_Position = vec4(p, 0.0, 1.0); }';
const TEXTURED = 'uniform sampler2D t; varying vec2 v; void main() { gl_FragColor = texture2D(t, v * 2.0); }';
const COLOR = 'uniform vec4 c; void main() { gl_FragColor = c; }';

/** What a small demo does in a frame, in fresh objects; every step goes on where another failed. Leaves a picture. */
function frame(gl: Gl): Uint8Array {
  gl.disable(gl.DEPTH_TEST);
  const colored = program(gl, PLAIN, COLOR);
  const c = gl.getUniformLocation(colored, 'c');
  const textured = program(gl, PLAIN, TEXTURED);
  const vertices = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1, 0.5, 0.5]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  const indices = gl.createBuffer();
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array([0, 1, 3, 2, 2, 1, 3]), gl.STATIC_DRAW);

  const target = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, target);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, SIZE, SIZE, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  const depth = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT16, SIZE, SIZE);
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, target, 0);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
  gl.viewport(0, 0, SIZE, SIZE);
  gl.clearColor(0, 0, 1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(4, 4, 8, 8);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.disable(gl.SCISSOR_TEST);
  gl.useProgram(colored);
  gl.uniform4f(c, 1, 1, 0, 1);
  gl.enable(gl.DEPTH_TEST);
  gl.depthFunc(gl.LEQUAL);
  gl.bindTexture(gl.TEXTURE_2D, null);
  const isWebgl2 = 'createQuery' in gl;
  const query = isWebgl2 ? gl.createQuery()! : null;
  if (query) gl.beginQuery(gl.ANY_SAMPLES_PASSED, query);
  gl.drawArrays(gl.LINE_LOOP, 0, 4);
  gl.drawElements(gl.LINE_LOOP, 4, gl.UNSIGNED_SHORT, 0);
  gl.drawArrays(gl.POINTS, 4, 1);
  if (query) gl.endQuery(gl.ANY_SAMPLES_PASSED);
  gl.disable(gl.DEPTH_TEST);

  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.bindTexture(gl.TEXTURE_2D, target);
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  gl.useProgram(textured);
  gl.clearColor(0, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.drawElements(gl.TRIANGLES, 6, gl.UNSIGNED_SHORT, 2);
  // Where the buffer is in use, its new contents go to fresh memory.
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 0, -1, -1, 0, 0, 0, 0.5, 0.5]), gl.STATIC_DRAW);
  gl.bufferSubData(gl.ARRAY_BUFFER, 0, new Float32Array([-0.5, -0.5, 0, -0.5, -0.5, 0, 0, 0, 0.5, 0.5]));
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  if (isWebgl2) webgl2Steps(gl, framebuffer);
  const picture = new Uint8Array(SIZE * SIZE * 4);
  gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, picture);
  for (const made of [colored, textured]) gl.deleteProgram(made);
  for (const made of [vertices, indices]) gl.deleteBuffer(made);
  gl.deleteTexture(target);
  gl.deleteRenderbuffer(depth);
  gl.deleteFramebuffer(framebuffer);
  if (query) gl.deleteQuery(query);
  return picture;
}

/** Samples, their resolve, and transform feedback. */
function webgl2Steps(gl: Gl, framebuffer: WebGLFramebuffer | null): void {
  const multisampled = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, multisampled);
  gl.renderbufferStorageMultisample(gl.RENDERBUFFER, 4, gl.RGBA8, SIZE, SIZE);
  const drawn = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, drawn);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, multisampled);
  gl.clearColor(0, 1, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, framebuffer);
  gl.blitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, gl.COLOR_BUFFER_BIT, gl.NEAREST);
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, framebuffer);
  gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
  gl.blitFramebuffer(0, 0, SIZE, SIZE, 20, 20, 28, 28, gl.COLOR_BUFFER_BIT, gl.LINEAR);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  const vertex = 'attribute vec2 p; varying vec4 o; void main() { o = vec4(p, 2.0, 3.0); gl_Position = vec4(0.0); }';
  const captured = program(gl, vertex, COLOR, ['o']);
  const buffer = gl.createBuffer();
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 64, gl.STREAM_READ);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawArrays(gl.POINTS, 0, 4);
  gl.endTransformFeedback();
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
  gl.deleteBuffer(buffer);
  gl.deleteProgram(captured);
  gl.deleteRenderbuffer(multisampled);
  gl.deleteFramebuffer(drawn);
}

function errors(gl: Gl): Set<number> {
  const found = new Set<number>();
  for (let error = gl.getError(); error !== gl.NO_ERROR; error = gl.getError()) found.add(error);
  return found;
}

describe.each(CORES)('%s without enough memory', (core) => {
  const reference = (() => {
    const { gl } = open(core);
    const picture = frame(gl);
    expect(errors(gl)).toEqual(new Set());
    gl.dispose();
    return picture;
  })();

  /** A frame in which buffers fail, judged; then one in which none does. The number of errors of the first. */
  function failAndRecover({ gl, winsys }: Opened, first: number, times: number): number {
    Object.assign(winsys, { count: 0, first, times });
    const picture = frame(gl);
    const found = errors(gl);
    winsys.first = Infinity;
    // What else went wrong follows from the first: objects without memory.
    const silent = found.size === 0 && !picture.every((byte, index) => byte === reference[index]);
    expect(silent, `buffer ${first} fails in silence`).toBe(false);
    if (found.size > 0) expect([...found][0]).toBe(gl.OUT_OF_MEMORY);
    expect(gl.isContextLost()).toBe(false);
    winsys.count = 0;
    expect(frame(gl)).toEqual(reference);
    expect(errors(gl)).toEqual(new Set());
    return found.size;
  }

  // A context costs ten times what a frame does, so only some buffers fail in the first frame of one.
  it.each([
    ['once', 1, 12],
    ['for good', 1_000_000, 21],
  ])('reports buffers that fail %s in its first frame, and draws the next right', (_, times, step) => {
    const counting = open(core);
    counting.winsys.count = 0;
    frame(counting.gl);
    const buffers = counting.winsys.count;
    expect(buffers).toBeGreaterThan(10);
    counting.gl.dispose();
    let reports = 0;
    for (let first = 1; first <= buffers; first += step) {
      const opened = open(core);
      reports += failAndRecover(opened, first, times);
      opened.gl.dispose();
      expect(opened.winsys.memory().liveAllocations).toBe(0);
    }
    expect(reports).toBeGreaterThan(0);
  });

  it('reports buffers of a later frame that fail, and draws the next right', () => {
    // Without the cache every frame asks for all of its buffers.
    vi.stubEnv('INDIUM_ETNAVIV_BO_CACHE', '0');
    const opened = open(core);
    vi.unstubAllEnvs();
    frame(opened.gl);
    opened.winsys.count = 0;
    frame(opened.gl);
    const buffers = opened.winsys.count;
    expect(buffers).toBeGreaterThan(10);
    let reports = 0;
    // Other buffers on each GPU: together they go through all of them.
    const start = 1 + CORES.indexOf(core);
    for (let first = start; first <= buffers; first += CORES.length) reports += failAndRecover(opened, first, 1);
    expect(reports).toBeGreaterThan(0);
    opened.gl.dispose();
    expect(opened.winsys.memory().liveAllocations).toBe(0);
  });

  it.each([
    ['once', 1],
    ['for good', 1_000_000],
  ])(
    'reports what the GPU itself finds no memory for %s, loses no context, and draws the next frame right',
    (_, times) => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
      const counting = open(core);
      let allocations = 0;
      counting.winsys.gpu.memory.raster.failureHook = () => {
        allocations++;
        return false;
      };
      frame(counting.gl);
      counting.gl.dispose();
      let reports = 0;
      for (let first = 1; first <= allocations; first += times > 1 ? 197 : 97) {
        const { gl, winsys } = open(core);
        const { raster } = winsys.gpu.memory;
        let count = 0;
        raster.failureHook = () => {
          count++;
          return count >= first && count < first + times;
        };
        const picture = frame(gl);
        raster.failureHook = undefined;
        // What the last stream found no memory for is said by the next call that can.
        gl.clear(gl.COLOR_BUFFER_BIT);
        const found = errors(gl);
        const silent = found.size === 0 && !picture.every((byte, index) => byte === reference[index]);
        expect(silent, `allocation ${first} fails in silence`).toBe(false);
        if (found.size > 0) expect([...found][0]).toBe(gl.OUT_OF_MEMORY);
        reports += found.size;
        expect(gl.isContextLost()).toBe(false);
        expect(frame(gl)).toEqual(reference);
        expect(errors(gl)).toEqual(new Set());
        gl.dispose();
        expect(raster.liveBlocks).toBe(0);
      }
      if (times > 1) expect(reports).toBeGreaterThan(0);
      warn.mockRestore();
    },
  );

  it('leaves nothing behind where draws are refused', () => {
    const { gl, winsys } = open(core);
    frame(gl);
    gl.finish();
    const before = winsys.memory().liveAllocations;
    for (let round = 0; round < 3; round++) {
      frame(gl);
      gl.finish();
    }
    expect(winsys.memory().liveAllocations).toBeLessThanOrEqual(before + 2);
    gl.dispose();
  });
});
