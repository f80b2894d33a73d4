import { afterEach, describe, expect, it } from 'vitest';
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
  delete process.env['INDIUM_ETNAVIV_DEBUG'];
});

function context(core: string | null, states: StreamStates = new Map()): Gl {
  const onSubmit = (words: Uint32Array) => collectStates(words, states);
  const backend = core === null ? undefined : etnavivBackend(core, { onSubmit });
  const options = { api: 'webgl', antialias: false, stencil: true } as const;
  const gl = createContext(WIDTH, HEIGHT, backend ? { ...options, backend } : options) as unknown as Gl;
  open.push(gl);
  return gl;
}

function programFor(gl: Gl, fragment: string, extensions = ''): void {
  const vertex = 'attribute vec3 p; void main() { gl_Position = vec4(p, 1.0); }';
  const source = `${extensions}precision mediump float;${fragment}`;
  useProgram(gl, vertex, source, (made) => gl.bindAttribLocation(made, 0, 'p'));
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

const BIG = [-1, -1, 0.2, 3, -1, 0.2, -1, 3, 0.2];

/** Clears of all kinds between draws, reads, uploads and use as a texture: one picture after each step. */
function story(gl: Gl): Uint8Array[] {
  const pictures: Uint8Array[] = [];
  const all = gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT;
  programFor(gl, 'void main() { gl_FragColor = vec4(0, 1, 0, 1); }');
  gl.enable(gl.DEPTH_TEST);
  gl.clearColor(1, 0.2, 0.6, 1);
  gl.clear(all);
  pictures.push(picture(gl));
  // The second clear comes while the first is still in the status, with a piece of another one in it.
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(10, 20, 30, 30);
  gl.clearColor(0, 0, 1, 1);
  gl.clear(all);
  gl.disable(gl.SCISSOR_TEST);
  triangle(gl, [-1, -1, 0, 0, -1, 0, -1, 1, 0]);
  pictures.push(picture(gl));
  // Depth alone, then stencil alone: the other must stay.
  gl.clearDepth(0.4);
  gl.clearStencil(5);
  gl.clear(all);
  gl.clear(gl.DEPTH_BUFFER_BIT);
  triangle(gl, BIG);
  pictures.push(picture(gl));
  gl.clearDepth(1);
  gl.clear(gl.DEPTH_BUFFER_BIT);
  gl.enable(gl.STENCIL_TEST);
  gl.stencilFunc(gl.EQUAL, 5, 0xff);
  triangle(gl, BIG);
  gl.disable(gl.STENCIL_TEST);
  pictures.push(picture(gl));
  // A texture that is cleared, drawn to, sampled, uploaded to, drawn to.
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 64, 64, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  const framebuffer = gl.createFramebuffer();
  const sample = () => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.disable(gl.DEPTH_TEST);
    programFor(gl, 'uniform sampler2D t; void main() { gl_FragColor = texture2D(t, gl_FragCoord.xy / 80.0); }');
    triangle(gl, BIG);
    pictures.push(picture(gl));
  };
  const render = (...color: [number, number, number, number]) => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    gl.clearColor(...color);
    gl.clear(gl.COLOR_BUFFER_BIT);
  };
  render(1, 1, 0, 1);
  sample();
  render(0, 1, 1, 0.5);
  gl.texSubImage2D(gl.TEXTURE_2D, 0, 8, 8, 2, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([9, 8, 7, 6, 5, 4, 3, 2]));
  sample();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  programFor(gl, 'void main() { gl_FragColor = vec4(0.2, 0.4, 0.6, 1); }');
  triangle(gl, [-1, -1, 0, 0, -1, 0, -1, 0.5, 0]);
  sample();
  return pictures;
}

describe.each(['gc880', 'gc2000', 'gc3000', 'gc7000'])('tile status on %s', (core) => {
  it('gives the pictures that plain clears give', () => {
    const fast: StreamStates = new Map();
    const pictures = story(context(core, fast));
    expect([...(fast.get('TS_MEM_CONFIG') ?? [])].some((text) => text.includes('COLOR_FAST_CLEAR'))).toBe(true);
    expect([...(fast.get('TS_MEM_CONFIG') ?? [])].some((text) => text.includes('DEPTH_FAST_CLEAR'))).toBe(true);
    process.env['INDIUM_ETNAVIV_DEBUG'] = 'no_ts';
    const plain: StreamStates = new Map();
    const expected = story(context(core, plain));
    expect([...(plain.get('TS_MEM_CONFIG') ?? [])].some((text) => text.includes('FAST_CLEAR'))).toBe(false);
    expect(pictures.map((one, index) => differentPixels(one, expected[index]!))).toEqual(pictures.map(() => 0));
    const soft = story(context(null));
    expect(pictures.map((one, index) => differentPixels(one, soft[index]!, 1))).toEqual(pictures.map(() => 0));
  });

  it('is looked at by samplers where they can, and written out elsewhere', () => {
    const states: StreamStates = new Map();
    const gl = context(core, states);
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 64, 64, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    const sample = () => {
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      gl.viewport(0, 0, WIDTH, HEIGHT);
      programFor(gl, 'uniform sampler2D t; void main() { gl_FragColor = texture2D(t, gl_FragCoord.xy / 64.0); }');
      triangle(gl, BIG);
      const pixels = picture(gl);
      return [2, 60].map((x) => [...pixels.subarray((x + 2 * WIDTH) * 4, (x + 2 * WIDTH) * 4 + 4)]);
    };
    const [blue, green, red] = [
      [0, 0, 255, 255],
      [0, 255, 0, 255],
      [255, 0, 0, 255],
    ];
    gl.clearColor(0, 0, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.viewport(0, 0, 64, 64);
    programFor(gl, 'void main() { gl_FragColor = vec4(0, 1, 0, 1); }');
    triangle(gl, [-1, -1, 0, 0, -1, 0, -1, 1, 0]);
    expect(sample()).toEqual([green, blue]);
    // Another colour in the status, and nothing else has changed.
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.clearColor(1, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect(sample()).toEqual([red, red]);
    // The sampler has a second level to look at, which has no status.
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST);
    expect(sample()).toEqual([red, red]);
    const enabled = [...states].some(
      ([name, values]) => name.startsWith('TS_SAMPLER_CONFIG') && [...values].some((text) => text.includes('ENABLE')),
    );
    expect(enabled).toBe(core === 'gc3000' || core === 'gc7000');
  });

  it('serves several targets, or steps aside', () => {
    const gl = context(core);
    const buffers = gl.getExtension('WEBGL_draw_buffers')!;
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    const textures = [0, 1].map((index) => {
      const texture = gl.createTexture()!;
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, WIDTH, HEIGHT, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + index, gl.TEXTURE_2D, texture, 0);
      return texture;
    });
    buffers.drawBuffersWEBGL([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT0 + 1]);
    gl.clearColor(0, 0, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const second = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, second);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, textures[1]!, 0);
    // Alone, the second target is cleared by its status; then it is one of two again.
    gl.clearColor(1, 1, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    programFor(
      gl,
      'void main() { gl_FragData[0] = vec4(1, 0, 0, 1); gl_FragData[1] = vec4(0, 1, 0, 1); }',
      '#extension GL_EXT_draw_buffers : require\n',
    );
    triangle(gl, [-1, -1, 0, 0, -1, 0, -1, 0, 0]);
    const pixels = () => [picture(gl).subarray(0, 4), picture(gl).subarray(-4)].map((pixel) => [...pixel]);
    expect(pixels()).toEqual([
      [255, 0, 0, 255],
      [0, 0, 255, 255],
    ]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, second);
    expect(pixels()).toEqual([
      [0, 255, 0, 255],
      [255, 255, 0, 255],
    ]);
  });
});
