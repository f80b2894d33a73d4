import { describe, expect, it, vi } from 'vitest';
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

it('exports what the contract names and nothing else', () => {
  const names = Object.keys(indium).filter((name) => !name.startsWith('WebGL'));
  expect(names.sort()).toEqual(['createCanvas', 'createContext', 'openBackend']);
});
