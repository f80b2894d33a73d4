// Each word of INDIUM_ETNAVIV_DEBUG does what it says, and changes no picture.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { createContext } from '../../../src/index.ts';
import { openBackend } from '../../../src/open-backend.ts';
import { useProgram } from '../../../src/webgl/testing.ts';
import { etnavivBackend } from '../backend.ts';
import { etnavivDebug } from './debug.ts';
import { collectStates, type StreamStates } from './stream-states.ts';

const SIZE = 70;

afterEach(() => {
  vi.restoreAllMocks();
});

interface Drawn {
  readonly pixels: Uint8Array;
  readonly states: StreamStates;
  readonly submits: number;
  readonly said: string;
}

/** A clear, a triangle into a texture, and that on the screen twice. */
function draw(core: string, debug: string): Drawn {
  const states: StreamStates = new Map();
  let submits = 0;
  let said = '';
  vi.spyOn(console, 'error').mockImplementation((text) => {
    said += `${text}\n`;
  });
  const onSubmit = (words: Uint32Array) => {
    submits++;
    collectStates(words, states);
  };
  const backend = etnavivBackend(core, { onSubmit, debug });
  using gl = createContext(SIZE, SIZE, { backend, api: 'webgl', antialias: false });
  const vertex = 'attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }';
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, -1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 64, 64, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  const texture = gl.getParameter(gl.TEXTURE_BINDING_2D) as WebGLTexture;
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  gl.viewport(0, 0, 64, 64);
  gl.clearColor(0.2, 0.4, 0.6, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  useProgram(gl, vertex, 'precision mediump float; void main() { gl_FragColor = vec4(gl_FragCoord.xy / 64.0, 0, 1); }');
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.viewport(0, 0, SIZE, SIZE);
  useProgram(
    gl,
    vertex,
    `precision mediump float; uniform sampler2D t;
     void main() { gl_FragColor = texture2D(t, gl_FragCoord.yx / ${SIZE}.0); }`,
  );
  gl.drawArrays(gl.TRIANGLES, 3, 3);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  const pixels = new Uint8Array(SIZE * SIZE * 4);
  gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  expect(gl.getError()).toBe(gl.NO_ERROR);
  return { pixels, states, submits, said };
}

const sets = ({ states }: Drawn, name: string, text: string) =>
  [...(states.get(name) ?? [])].some((value) => value.split(/[ ()]/).includes(text));

describe.each(['gc880', 'gc2000', 'gc3000', 'gc7000'])('words on %s', (core) => {
  const plain = draw(core, '');

  it('no_supertile: tiles in rows, and the same picture', () => {
    const tiled = draw(core, 'no_supertile');
    const hasSupertiles = (drawn: Drawn) =>
      ['PE_COLOR_FORMAT', 'PE_DEPTH_CONFIG'].some((name) => sets(drawn, name, 'SUPER_TILED'));
    expect([hasSupertiles(plain), hasSupertiles(tiled)]).toEqual([true, false]);
    expect(tiled.pixels).toEqual(plain.pixels);
  });

  it('no_ts: no fast clears, and the same picture', () => {
    const slow = draw(core, 'no_ts');
    const fast = 'COLOR_FAST_CLEAR';
    expect([sets(plain, 'TS_MEM_CONFIG', fast), sets(slow, 'TS_MEM_CONFIG', fast)]).toEqual([true, false]);
    expect(slow.pixels).toEqual(plain.pixels);
  });

  it('flush_all: a submit for each draw, and the same picture', () => {
    const slow = draw(core, 'flush_all');
    expect(slow.submits).toBeGreaterThanOrEqual(plain.submits + 2);
    expect(slow.pixels).toEqual(plain.pixels);
  });

  it('cmdstream, shaders: streams and programs as text', () => {
    expect(plain.said).toBe('');
    const { said, pixels } = draw(core, 'cmdstream,shaders');
    expect(said).toMatch(/PE_COLOR_FORMAT = [0-9a-f]{8} \(FORMAT=A8R8G8B8/);
    expect(said).toMatch(/DRAW_(PRIMITIVES|INSTANCED)/);
    expect(said).toMatch(/texld/);
    expect(pixels).toEqual(plain.pixels);
  });
});

it('settings that make no sense are told without a stack, whoever opens the backend', async () => {
  const backend = await openBackend('etnaviv:gc880');
  for (const [name, value] of [
    ['INDIUM_ETNAVIV_DEBUG', 'fast'],
    ['INDIUM_ETNAVIV_BO_CACHE', 'much'],
    ['INDIUM_ETNAVIV_CHIP_MODEL', 'gc2000'],
  ] as const) {
    vi.stubEnv(name, value);
    expect(() => backend.createScreen({})).toThrow(
      expect.objectContaining({
        name: 'BackendNameError',
        message: expect.stringContaining(`'etnaviv:gc880': ${name}`),
      }),
    );
    vi.unstubAllEnvs();
  }
});

it('unknown words are refused with those that are known', () => {
  expect(() => etnavivDebug('no_ts,fast')).toThrow(/no word 'fast'; known: cmdstream \(.*no_supertile.*linear_pe/);
  expect([...etnavivDebug('no_ts,,flush_all')]).toEqual(['no_ts', 'flush_all']);
});
