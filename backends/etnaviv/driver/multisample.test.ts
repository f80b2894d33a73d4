import { afterEach, describe, expect, it } from 'vitest';
import { createGlesContext, type GlesContext } from '../../../src/gles/index.ts';
import { drawVertices, useProgram as useGlesProgram } from '../../../src/gles/testing.ts';
import { createContext } from '../../../src/index.ts';
import { useProgram } from '../../../src/webgl/testing.ts';
import { etnavivBackend } from '../backend.ts';
import { collectStates, type StreamStates } from './stream-states.ts';

type Gl = WebGLRenderingContext & { dispose(): void };

const WIDTH = 100;
const HEIGHT = 70;
const open: Gl[] = [];

afterEach(() => {
  for (const gl of open.splice(0)) gl.dispose();
});

function context(core: string | null, antialias = true): Gl {
  const backend = core === null ? undefined : etnavivBackend(core);
  const options = { api: 'webgl', antialias, stencil: true } as const;
  const gl = createContext(WIDTH, HEIGHT, backend ? { ...options, backend } : options) as unknown as Gl;
  open.push(gl);
  return gl;
}

function programFor(gl: Gl, fragment: string): void {
  const vertex = 'attribute vec3 p; void main() { gl_Position = vec4(p, 1.0); }';
  useProgram(gl, vertex, `precision mediump float;${fragment}`, (made) => gl.bindAttribLocation(made, 0, 'p'));
}

function triangle(gl: Gl, corners: readonly number[]): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(corners), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
}

function picture(gl: Gl): Uint8Array {
  const data = new Uint8Array(WIDTH * HEIGHT * 4);
  gl.readPixels(0, 0, WIDTH, HEIGHT, gl.RGBA, gl.UNSIGNED_BYTE, data);
  return data;
}

function differentPixels(a: Uint8Array, b: Uint8Array, tolerance = 0): number {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    if ([0, 1, 2, 3].some((channel) => Math.abs(a[i + channel]! - b[i + channel]!) > tolerance)) count++;
  }
  return count;
}

describe.each(['gc880', 'gc2000', 'gc3000', 'gc7000'])('four samples on %s', (core) => {
  /** The same calls there and on soft: pictures may differ in the rounding of averages and in edges by a hair. */
  function expectLikeSoft(draw: (gl: Gl) => void): Uint8Array {
    const pictures = [core, null].map((name) => {
      const gl = context(name);
      draw(gl);
      return picture(gl);
    });
    expect(differentPixels(pictures[0]!, pictures[1]!, 8)).toBeLessThanOrEqual(10);
    return pictures[0]!;
  }

  const edges = (gl: Gl) => {
    programFor(gl, 'void main() { gl_FragColor = vec4(1, 1, 0, 1); }');
    gl.clearColor(0, 0, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    triangle(gl, [-0.9, -0.8, 0, 0.95, -0.3, 0, 0.1, 0.9, 0]);
  };

  it('smooths edges', () => {
    const drawn = expectLikeSoft(edges);
    const plain = context(null, false);
    edges(plain);
    expect(differentPixels(drawn, picture(plain), 20)).toBeGreaterThan(20);
  });

  it.each([
    [0.5, false],
    [0.25, true],
    [0, false],
  ])('draws the share %s of the samples (inverted: %s)', (share, isInverted) => {
    expectLikeSoft((gl) => {
      edges(gl);
      gl.enable(gl.SAMPLE_COVERAGE);
      gl.sampleCoverage(share, isInverted);
      programFor(gl, 'void main() { gl_FragColor = vec4(1, 0, 0, 1); }');
      triangle(gl, [-1, -1, 0, 3, -1, 0, -1, 3, 0]);
    });
  });

  it('turns alpha into coverage, before depth is written', () => {
    const drawn = expectLikeSoft((gl) => {
      gl.enable(gl.DEPTH_TEST);
      edges(gl);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
      programFor(gl, 'void main() { gl_FragColor = vec4(1, 0, 0, 0.5); }');
      triangle(gl, [-1, -1, -0.5, 3, -1, -0.5, -1, 3, -0.5]);
      gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);
      programFor(gl, 'void main() { gl_FragColor = vec4(0, 1, 0, 1); }');
      triangle(gl, [-1, -1, 0.5, 3, -1, 0.5, -1, 3, 0.5]);
    });
    expect([...drawn.subarray(0, 3)].map((byte) => Math.round(byte / 128))).toEqual([1, 1, 0]);
  });
});

describe.each(['gc880', 'gc2000'])('two samples on %s', (core) => {
  function open2(states: StreamStates): GlesContext {
    const backend = etnavivBackend(core, { onSubmit: (words) => collectStates(words, states) });
    return createGlesContext({ width: WIDTH, height: HEIGHT, backend, samples: 2 });
  }

  const vertex = 'attribute vec3 position; void main() { gl_Position = vec4(position, 1.0); }';
  const yellow = 'void main() { gl_FragColor = vec4(1, 1, 0, 1); }';
  const corners = [-0.9, -0.8, 0, 0.95, -0.3, 0, 0.1, 0.9, 0];
  const whole = [-1, -1, 0.5, 3, -1, 0.5, -1, 3, 0.5];

  /** Counts of pixels by how much of them is yellow, in halves. */
  function halves(gl: GlesContext): [number, number, number] {
    const pixels = new Uint8Array(WIDTH * HEIGHT * 4);
    gl.glReadPixels(0, 0, WIDTH, HEIGHT, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, pixels);
    const counts: [number, number, number] = [0, 0, 0];
    for (let i = 0; i < pixels.length; i += 4) {
      const share = pixels[i]! / 127.5;
      expect(Math.abs(share - Math.round(share))).toBeLessThan(0.02);
      expect(Math.abs(pixels[i]! + pixels[i + 2]! - 255)).toBeLessThanOrEqual(1);
      counts[Math.round(share) as 0 | 1 | 2]++;
    }
    return counts;
  }

  it('make pixels of edges half and half, with depth and the share of samples', () => {
    const states: StreamStates = new Map();
    const gl = open2(states);
    useGlesProgram(gl, vertex, yellow);
    gl.glEnable(gl.GL_DEPTH_TEST);
    gl.glClearColor(0, 0, 1, 1);
    gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT);
    drawVertices(gl, gl.GL_TRIANGLES, 3, corners);
    const drawn = halves(gl);
    expect(drawn[1]).toBeGreaterThan(40);
    // Twice the area in pixels is what the samples add up to.
    const area = (WIDTH * HEIGHT * 0.25 * Math.abs(1.85 * 1.7 - 1.0 * 0.5)) / 2;
    expect(Math.abs(drawn[1] / 2 + drawn[2] - area)).toBeLessThan(area / 40);
    // What lies behind stays, sample by sample.
    useGlesProgram(gl, vertex, 'void main() { gl_FragColor = vec4(0, 0, 1, 1); }');
    drawVertices(gl, gl.GL_TRIANGLES, 3, whole);
    expect(halves(gl)).toEqual(drawn);
    gl.glDisable(gl.GL_DEPTH_TEST);
    gl.glClear(gl.GL_COLOR_BUFFER_BIT);
    gl.glEnable(gl.GL_SAMPLE_COVERAGE);
    gl.glSampleCoverage(0.5, false);
    useGlesProgram(gl, vertex, yellow);
    drawVertices(gl, gl.GL_TRIANGLES, 3, whole);
    expect(halves(gl)).toEqual([0, WIDTH * HEIGHT, 0]);
    expect(gl.glGetError()).toBe(0);
    gl.dispose();
    const told = (name: string, text: string) => [...(states.get(name) ?? [])].some((value) => value.includes(text));
    expect(told('GL_MULTI_SAMPLE_CONFIG', 'MSAA_SAMPLES=2X')).toBe(true);
    expect(told('RA_MULTISAMPLE_UNK00E10[0]', '0000aa22')).toBe(true);
  });
});
