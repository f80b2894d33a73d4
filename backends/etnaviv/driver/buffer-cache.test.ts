// The rules of the buffer cache: what comes back, how much is kept, what is not, and what is done where memory is short.

import { afterEach, describe, expect, it } from 'vitest';
import { createContext } from '../../../src/index.ts';
import { BIND } from '../../../src/pipe/pipe.ts';
import { useProgram } from '../../../src/webgl/testing.ts';
import { resourceTemplate } from '../../soft/testing.ts';
import { coreInfo, coreNamed } from '../hwdb/core-info.ts';
import { SimWinsys } from '../winsys/sim.ts';
import { BufferCache } from './buffer-cache.ts';
import { EtnavivScreen } from './screen.ts';

const MIB = 1 << 20;
const VARIABLE = 'INDIUM_ETNAVIV_BO_CACHE';

function openWinsys(limitBytes = 64 * MIB): SimWinsys {
  return new SimWinsys(coreInfo(coreNamed('gc2000')!), [], () => {}, limitBytes);
}

afterEach(() => {
  delete process.env[VARIABLE];
});

describe('the buffer cache', () => {
  it('gives buffers of about the size again, zeroed', () => {
    const winsys = openWinsys();
    const cache = new BufferCache(winsys, MIB);
    const buffer = cache.take(10_000)!;
    buffer.map().fill(7);
    cache.give(buffer);
    const again = cache.take(9_000)!;
    expect(again).toBe(buffer);
    expect(again.map().every((byte) => byte === 0)).toBe(true);
    expect(cache.take(9_000)).not.toBe(buffer);
    winsys.destroy();
  });

  it('keeps no more than its limit', () => {
    const winsys = openWinsys();
    const cache = new BufferCache(winsys, 2 * MIB);
    const buffers = [1, 2, 3, 4].map(() => cache.take(MIB)!);
    for (const buffer of buffers) cache.give(buffer);
    expect(winsys.memory()).toMatchObject({ liveBytes: 2 * MIB, liveAllocations: 2 });
    cache.clear();
    expect(winsys.memory().liveBytes).toBe(0);
    winsys.destroy();
  });

  it('takes its limit from the environment, 0 for none', () => {
    const winsys = openWinsys();
    const kept = (text: string) => {
      process.env[VARIABLE] = text;
      const cache = new BufferCache(winsys);
      const buffers = [1, 2, 3].map(() => cache.take(MIB)!);
      for (const buffer of buffers) cache.give(buffer);
      const { liveBytes } = winsys.memory();
      cache.clear();
      return liveBytes / MIB;
    };
    expect([kept('0'), kept('1'), kept('2.5'), kept('')]).toEqual([0, 1, 2, 3]);
    for (const text of ['-1', 'much']) {
      process.env[VARIABLE] = text;
      expect(() => new BufferCache(winsys)).toThrow(`${VARIABLE}=${text}`);
    }
    winsys.destroy();
  });

  it('empties itself where memory is short, and tries again', () => {
    const winsys = openWinsys(8 * MIB);
    const cache = new BufferCache(winsys, 8 * MIB);
    for (const buffer of [cache.take(3 * MIB)!, cache.take(3 * MIB)!]) cache.give(buffer);
    const large = cache.take(7 * MIB);
    expect(large?.sizeBytes).toBe(7 * MIB);
    expect(winsys.memory().liveAllocations).toBe(1);
    expect(cache.take(2 * MIB)).toBeNull();
    winsys.destroy();
  });

  it('keeps private buffers only', () => {
    const winsys = openWinsys();
    const screen = new EtnavivScreen(winsys);
    const template = resourceTemplate({ format: 'R8G8B8A8_UNORM', width: 64, height: 64 });
    const made = screen.createResource(template)!;
    const shared = screen.createResource({ ...template, bind: template.bind | BIND.SHARED })!;
    const before = winsys.memory().liveAllocations;
    shared.destroy();
    expect(winsys.memory().liveAllocations).toBe(before - 1);
    made.destroy();
    expect(winsys.memory().liveAllocations).toBe(before - 1);
    screen.destroy();
    expect(winsys.memory().liveAllocations).toBe(0);
  });

  it('gives way to shared buffers', () => {
    const winsys = openWinsys(4 * MIB);
    const screen = new EtnavivScreen(winsys);
    const template = resourceTemplate({ format: 'R8G8B8A8_UNORM', width: 512, height: 1024 });
    screen.createResource(template)!.destroy();
    screen.createResource({ ...template, height: 1023 })!.destroy();
    const large = { ...template, width: 1024, height: 768 };
    const shared = screen.createResource({ ...large, bind: large.bind | BIND.SHARED });
    expect(shared).not.toBeNull();
    screen.destroy();
  });
});

it('textures that are drawn with, deleted and made anew in one frame need memory for one', () => {
  const winsys = openWinsys(9 * MIB);
  const backend = { name: 'etnaviv', createScreen: () => new EtnavivScreen(winsys) };
  const gl = createContext(16, 16, { backend, api: 'webgl', antialias: false }) as unknown as WebGLRenderingContext & {
    dispose(): void;
  };
  useProgram(
    gl,
    'void main() { gl_PointSize = 16.0; gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }',
    'precision mediump float; uniform sampler2D t; void main() { gl_FragColor = texture2D(t, vec2(0.5)); }',
  );
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE);
  for (let round = 0; round < 5; round++) {
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    const texels = new Uint8Array(1024 * 1024 * 4).fill(10);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1024, 1024, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.drawArrays(gl.POINTS, 0, 1);
    gl.deleteTexture(texture);
  }
  expect(gl.getError()).toBe(gl.NO_ERROR);
  const pixel = new Uint8Array(4);
  gl.readPixels(8, 8, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  expect([...pixel]).toEqual([50, 50, 50, 50]);
  gl.dispose();
});
