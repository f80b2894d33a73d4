// Damaged command streams, programs, descriptors and vertices of real frames: an error with its place, or a picture; never an
// exception, never a store outside of the GPU's buffers; and afterwards the GPU still draws the undamaged frame.

import { describe, expect, it } from 'vitest';
import { createContext } from '../../src/index.ts';
import { useProgram } from '../../src/webgl/testing.ts';
import { EtnavivScreen } from './driver/screen.ts';
import { coreInfo, coreNamed } from './hwdb/core-info.ts';
import { randomSource } from './sim/shader/random-program.ts';
import { SimWinsys } from './winsys/sim.ts';
import type { BufferObject } from './winsys/winsys.ts';

type Gl = WebGLRenderingContext & { dispose(): void };

const SIZE = 32;
const ROUNDS = Number(process.env['INDIUM_CORRUPT_ROUNDS'] ?? 120);
const CANARY_BYTES = 8192;
const CANARY = 0xa5;

/** What a simulated GPU may say. Anything else (TypeError, WebAssembly's errors …) is a fault of the simulator. */
const ERRORS: ReadonlySet<string> = new Set([
  'StreamError',
  'GpuFault',
  'IsaError',
  'ShaderTimeout',
  'NotSimulatedError',
  'OutOfMemoryError',
  'GpuTimeout',
]);

/** Remembers its buffers. */
class ListingWinsys extends SimWinsys {
  readonly buffers = new Set<BufferObject>();

  override createBuffer(sizeBytes: number): BufferObject | null {
    const buffer = super.createBuffer(sizeBytes);
    if (buffer) this.buffers.add(buffer);
    return buffer;
  }

  override destroyBuffer(buffer: BufferObject): void {
    this.buffers.delete(buffer);
    super.destroyBuffer(buffer);
  }
}

/** Textures, depth, stencil, blending, loops, points, clears and copies in one frame. */
function frame(gl: Gl): void {
  const vertex = `attribute vec3 p; attribute vec4 c; varying vec4 v; uniform mat4 m;
    void main() { v = c; gl_PointSize = 5.0; gl_Position = m * vec4(p, 1.0); }`;
  const fragment = `precision mediump float; varying vec4 v; uniform sampler2D t; uniform samplerCube k; uniform float f[3];
    void main() {
      vec4 sum = vec4(0.0);
      for (int i = 0; i < 3; i++) sum += texture2D(t, v.xy + f[i]) * f[i];
      if (v.x > 0.9) discard;
      gl_FragColor = sum + textureCube(k, v.xyz) * sin(v.w);
    }`;
  const program = useProgram(gl, vertex, fragment);
  const uniform = (name: string) => gl.getUniformLocation(program, name);
  gl.uniformMatrix4fv(uniform('m'), false, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  gl.uniform1fv(uniform('f'), [0.1, 0.4, 0.7]);
  gl.uniform1i(uniform('k'), 1);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  const texels = Uint8Array.from({ length: 16 * 16 * 4 }, (_, i) => i * 7);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 16, 16, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.activeTexture(gl.TEXTURE1);
  gl.bindTexture(gl.TEXTURE_CUBE_MAP, gl.createTexture());
  for (let face = 0; face < 6; face++) {
    const target = gl.TEXTURE_CUBE_MAP_POSITIVE_X + face;
    gl.texImage2D(target, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels.subarray(face * 9, face * 9 + 64));
  }
  gl.texParameteri(gl.TEXTURE_CUBE_MAP, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  const corners = [-1, -1, 0.2, 3, -1, -0.5, -1, 3, 0.9, 0.5, 0.5, 0];
  const data = new Float32Array([0, 1, 2, 3].flatMap((i) => [...corners.slice(i * 3, i * 3 + 3), i / 3, 0.5, 0.2, 1]));
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array([0, 1, 2, 3, 1, 2]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(gl.getAttribLocation(program, 'p'));
  gl.enableVertexAttribArray(gl.getAttribLocation(program, 'c'));
  gl.vertexAttribPointer(gl.getAttribLocation(program, 'p'), 3, gl.FLOAT, false, 28, 0);
  gl.vertexAttribPointer(gl.getAttribLocation(program, 'c'), 4, gl.FLOAT, false, 28, 12);
  gl.clearColor(0.2, 0.4, 0.6, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  gl.enable(gl.DEPTH_TEST);
  gl.enable(gl.STENCIL_TEST);
  gl.stencilOp(gl.KEEP, gl.INCR, gl.INVERT);
  gl.drawElements(gl.TRIANGLES, 6, gl.UNSIGNED_SHORT, 0);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_CONSTANT_COLOR);
  gl.drawArrays(gl.LINE_LOOP, 0, 4);
  gl.drawArrays(gl.POINTS, 0, 4);
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(3, 3, 9, 9);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.finish();
}

/** A recorded frame: its streams, and all memory and states as they were before. */
class Recording {
  readonly winsys: ListingWinsys;
  readonly streams: Uint32Array[] = [];
  readonly #canaries: number[] = [];
  readonly #contents: { readonly buffer: BufferObject; readonly bytes: Uint8Array }[];
  readonly #states: Uint32Array;
  readonly #gl: Gl;

  constructor(core: string) {
    const winsys = new ListingWinsys(coreInfo(coreNamed(core)!), [], () => {});
    this.winsys = winsys;
    const { raster } = winsys.gpu.memory;
    const plant = () => {
      const at = raster.allocate(CANARY_BYTES);
      raster.u8.fill(CANARY, at, at + CANARY_BYTES);
      this.#canaries.push(at);
    };
    plant();
    const onSubmit = (words: Uint32Array) => {
      this.streams.push(words.slice());
      plant();
    };
    const backend = { name: 'etnaviv', createScreen: () => new EtnavivScreen(winsys, { onSubmit }) };
    this.#gl = createContext(SIZE, SIZE, { backend, api: 'webgl', antialias: false, stencil: true }) as unknown as Gl;
    frame(this.#gl);
    plant();
    this.#contents = [...winsys.buffers].map((buffer) => ({ buffer, bytes: buffer.map().slice() }));
    this.#states = winsys.gpu.state.words.slice();
    winsys.gpu.patience.limitMs = 1000;
  }

  restore(): void {
    for (const { buffer, bytes } of this.#contents) {
      buffer.map().set(bytes);
      this.winsys.finish(buffer);
    }
    const { state } = this.winsys.gpu;
    state.words.set(this.#states);
    state.drawVersion++;
    state.uniformVersion++;
  }

  /** Buffers that hold programs, descriptors, vertices, indices. */
  get smallBuffers(): BufferObject[] {
    return this.#contents.map(({ buffer }) => buffer).filter(({ sizeBytes }) => sizeBytes <= 4096);
  }

  run(words: Uint32Array): void {
    const { error, position } = this.winsys.gpu.submit(words);
    if (!error) return;
    if (!ERRORS.has(error.name)) throw error;
    expect(error.message).not.toBe('');
    expect(position!.offset).toBeLessThan(Math.max(words.byteLength, 1));
    expect(position!.word).toBeGreaterThanOrEqual(0);
  }

  /** What all buffers hold after the undamaged frame. */
  picture(): string {
    this.restore();
    for (const words of this.streams) {
      const { error } = this.winsys.gpu.submit(words.slice());
      if (error) throw error;
    }
    return Buffer.concat(this.#contents.map(({ buffer }) => buffer.map().slice())).toString('base64');
  }

  checkCanaries(): void {
    const { u8 } = this.winsys.gpu.memory.raster;
    for (const at of this.#canaries) {
      const bytes = u8.subarray(at, at + CANARY_BYTES);
      if (!bytes.every((byte) => byte === CANARY)) throw new Error('memory of nobody was written');
    }
  }

  dispose(): void {
    this.#gl.dispose();
  }
}

describe.each(['gc400', 'gc880', 'gc2000', 'gc3000', 'gc7000'])('%s', (core) => {
  it('takes damaged streams, programs and descriptors', () => {
    const recording = new Recording(core);
    const whole = recording.picture();
    const { raster } = recording.winsys.gpu.memory;
    const next = randomSource(Number(process.env['INDIUM_CORRUPT_SEED'] ?? 20));
    const word = () => (next(0x10000) * 0x10000 + next(0x10000)) >>> 0;
    /** Another word for one: all of it, a bit, a byte, a small number, or one that stands elsewhere. */
    const damage = (words: Uint32Array, at: number) => {
      const old = words[at]!;
      const kinds = [
        word(),
        old ^ (1 << next(32)),
        old ^ (next(256) << (next(4) * 8)),
        next(64),
        words[next(words.length)]!,
      ];
      words[at] = [...kinds, 0, 0xffffffff, old + 1][next(8)]!;
    };
    for (let round = 0; round < ROUNDS; round++) {
      recording.restore();
      const words = recording.streams[next(recording.streams.length)]!.slice();
      const kind = next(4);
      try {
        if (kind === 0) recording.run(words.slice(0, next(words.length)));
        else if (kind === 1) {
          const small = recording.smallBuffers;
          const buffer = small[next(small.length)]!;
          const bytes = buffer.map();
          const view = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
          for (let change = 0; change <= next(6); change++) damage(view, next(Math.min(view.length, 64)));
          recording.winsys.finish(buffer);
          recording.run(words);
        } else {
          for (let change = 0; change <= next(kind === 2 ? 3 : 30); change++) damage(words, next(words.length));
          recording.run(words);
        }
      } catch (error) {
        throw new Error(`round ${round}: ${(error as Error).stack}`);
      }
      if (round % 16 === 0) recording.checkCanaries();
    }
    recording.checkCanaries();
    expect(recording.picture()).toBe(whole);
    const before = raster.liveBlocks;
    recording.run(recording.streams[0]!.slice());
    expect(raster.liveBlocks).toBe(before);
    recording.dispose();
  });
});
