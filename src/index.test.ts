import { describe, expect, it, vi } from 'vitest';
import { createGlesContext } from './gles.ts';
import * as indium from './index.ts';

describe('createContext', () => {
  it('gives WebGL 2 by default, WebGL 1 when asked', () => {
    const gl2 = indium.createContext(8, 4);
    expect(gl2).toBeInstanceOf(indium.WebGL2RenderingContext);
    expect([gl2.drawingBufferWidth, gl2.drawingBufferHeight]).toEqual([8, 4]);
    const gl = indium.createContext(8, 4, { api: 'webgl', antialias: false });
    expect(gl).toBeInstanceOf(indium.WebGLRenderingContext);
    expect(gl.getContextAttributes()!.antialias).toBe(false);
    gl.dispose();
    gl2[Symbol.dispose]();
    expect(gl2.isContextLost()).toBe(true);
  });

  it('throws with the reason, never gives null', () => {
    const backend = {
      name: 'nowhere',
      createScreen: () => {
        throw new Error('nothing answers at /dev/null');
      },
    };
    expect(() => indium.createContext(1, 1, { backend })).toThrow(/nothing answers/);
    expect(() => indium.createContext(1, 1, { api: 'webgl3' as 'webgl' })).toThrow(/webgl3/);
    const text = 'soft' as unknown as indium.Backend;
    expect(() => indium.createContext(1, 1, { backend: text })).toThrow("await openBackend('soft') makes one");
  });

  it('explains errors in words', () => {
    const said: string[] = [];
    const gl = indium.createContext(1, 1, { debug: ({ name, message }) => said.push(`${name}: ${message}`) });
    gl.enable(1);
    expect(said[0]).toMatch(/^INVALID_ENUM: enable: /);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const loud = indium.createContext(1, 1, { debug: true });
    loud.bindBuffer(1, null);
    expect(warn.mock.calls[0]![0]).toMatch(/^indium: INVALID_ENUM: bindBuffer: /);
    warn.mockRestore();
  });
});

describe('threads', () => {
  it.each([0, -1, 1.5, Number.NaN, Infinity, '2'])('%s is refused', (threads) => {
    const options = { threads: threads as number };
    expect(() => indium.createContext(1, 1, options)).toThrow(`threads is ${threads}, it must be a whole number`);
    expect(() => indium.createCanvas(1, 1, options)).toThrow(TypeError);
  });
});

describe('openBackend', () => {
  it('rejects names and options that it does not know', async () => {
    await expect(indium.openBackend('toaster')).rejects.toThrow("no backend 'toaster'; there are: soft");
    await expect(indium.openBackend('soft:threads=many')).rejects.toThrow("cannot read option 'threads=many'");
    await expect(indium.openBackend('soft:threads=0')).rejects.toThrow('known: threads=N, from 1');
    await expect(indium.openBackend('etnaviv:gc1')).rejects.toThrow("backend 'etnaviv:gc1': etnaviv: no core is named");
  });
});

describe('createGlesContext of indium-gl/gles', () => {
  it('draws with the default backend', () => {
    using gl = createGlesContext({ width: 1, height: 1 });
    gl.glClearColor(1, 0, 1, 1);
    gl.glClear(gl.GL_COLOR_BUFFER_BIT);
    const pixel = new Uint8Array(4);
    gl.glReadPixels(0, 0, 1, 1, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, pixel);
    expect([...pixel]).toEqual([255, 0, 255, 255]);
  });

  it('throws for sizes that are none', () => {
    for (const width of [0, -1, 1.5, Number.NaN])
      expect(() => createGlesContext({ width, height: 1 })).toThrow(RangeError);
  });
});

it('types let a TypeScript program use what is promised', () => {
  const api: 'webgl' | 'webgl2' = Math.random() < 2 ? 'webgl' : 'webgl2';
  using either = indium.createContext(2, 2, { api });
  const asDom: WebGLRenderingContext | WebGL2RenderingContext = either;
  const page: HTMLCanvasElement | OffscreenCanvas = either.canvas;
  expect(asDom.canvas).toBe(page);
  expect(either.canvas.toBuffer('raw')).toHaveLength(16);
});

it('exports what the contract names and nothing else', () => {
  const names = Object.keys(indium).filter((name) => !name.startsWith('WebGL'));
  expect(names.sort()).toEqual(['createCanvas', 'createContext', 'openBackend']);
});
