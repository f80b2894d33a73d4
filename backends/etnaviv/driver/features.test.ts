// What some cores have and others do not: the value where it is there, and a plain no where it is not.

import { describe, expect, it } from 'vitest';
import { createGlesContext } from '../../../src/gles/index.ts';
import { drawVertices, useProgram as useGlesProgram } from '../../../src/gles/testing.ts';
import { createContext } from '../../../src/index.ts';
import { BIND, CLEAR, type ColorValue, type Context, type Resource, type Surface } from '../../../src/pipe/pipe.ts';
import { useProgram } from '../../../src/webgl/testing.ts';
import { readLevel, resourceTemplate } from '../../soft/testing.ts';
import { etnavivBackend } from '../backend.ts';
import { coreInfo, coreNamed } from '../hwdb/core-info.ts';
import type { FeatureName } from '../hwdb/features.table.ts';
import { SimWinsys } from '../winsys/sim.ts';
import { EtnavivScreen } from './screen.ts';
import { collectStates, type StreamStates } from './stream-states.ts';

type Gl = WebGL2RenderingContext & { dispose(): void };

const CORES = ['gc880', 'gc2000', 'gc3000', 'gc7000'];
const SIZE = 8;

function open(core: string, api: 'webgl' | 'webgl2' = 'webgl'): Gl {
  return createContext(SIZE, SIZE, { backend: etnavivBackend(core), api, antialias: false }) as unknown as Gl;
}

const has = (core: string, name: FeatureName) => coreInfo(coreNamed(core)!).features.has(name);

function program(gl: Gl, vertex: string, fragment: string): WebGLProgram {
  return useProgram(gl, vertex, `precision mediump float;${fragment}`, (made) => {
    gl.bindAttribLocation(made, 0, 'p');
    gl.bindAttribLocation(made, 1, 'offset');
  });
}

function attribute(gl: Gl, location: number, values: readonly number[]): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(values), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, 2, gl.FLOAT, false, 0, 0);
}

function pixel(gl: Gl, x: number, y: number): number[] {
  const data = new Uint8Array(4);
  gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, data);
  return [...data];
}

const WHOLE = [-1, -1, 3, -1, -1, 3];
const PLAIN = 'attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }';

/** The colour at the edge of two faces of a cube map, red and blue, filtered linearly. */
function colorAtEdge(gl: Gl): number[] {
  program(gl, PLAIN, 'uniform samplerCube t; void main() { gl_FragColor = textureCube(t, vec3(1.0, 0.999, 0.1)); }');
  gl.bindTexture(gl.TEXTURE_CUBE_MAP, gl.createTexture());
  for (let face = 0; face < 6; face++) {
    const texels = new Uint8Array(2 * 2 * 4);
    for (let i = 0; i < 4; i++) texels.set(face === 0 ? [255, 0, 0, 255] : [0, 0, 255, 255], i * 4);
    const target = gl.TEXTURE_CUBE_MAP_POSITIVE_X + face;
    gl.texImage2D(target, 0, gl.RGBA, 2, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
  }
  gl.texParameteri(gl.TEXTURE_CUBE_MAP, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_CUBE_MAP, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_CUBE_MAP, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  attribute(gl, 0, WHOLE);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  return pixel(gl, 4, 4);
}

describe('cube maps', () => {
  it('blend over edges in WebGL 2, on the core that has them seamless', () => {
    const gl = open('gc7000', 'webgl2');
    const [red, green, blue] = colorAtEdge(gl);
    expect(green).toBe(0);
    expect(Math.abs(red! - 128)).toBeLessThanOrEqual(2);
    expect(Math.abs(blue! - 127)).toBeLessThanOrEqual(2);
    gl.dispose();
  });

  it.each(CORES)('end at edges in WebGL 1 on %s', (core) => {
    const gl = open(core);
    expect(colorAtEdge(gl)).toEqual([255, 0, 0, 255]);
    gl.dispose();
  });

  it.each(CORES)('are announced as seamless where the hardware says so: %s', (core) => {
    const screen = etnavivBackend(core).createScreen({});
    expect(screen.caps.seamlessCube).toBe(has(core, 'SEAMLESS_CUBE_MAP'));
    screen.destroy();
  });
});

describe.each(CORES)('half floats on %s', (core) => {
  it('are filtered, or not announced', () => {
    const gl = open(core);
    const textures = gl.getExtension('OES_texture_half_float');
    const filters = gl.getExtension('OES_texture_half_float_linear');
    expect(filters !== null).toBe(has(core, 'HALF_FLOAT'));
    expect(textures !== null).toBe(has(core, 'HALF_FLOAT'));
    if (textures && filters) {
      program(gl, PLAIN, 'uniform sampler2D t; void main() { gl_FragColor = texture2D(t, vec2(0.5)) * 0.25; }');
      gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
      // 0, 1, 0.5 and 2, 3, 0.5: halves whose mean no byte holds.
      const texels = new Uint16Array([0, 0x3c00, 0x3800, 0x3c00, 0x4000, 0x4200, 0x3800, 0x3c00]);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2, 1, 0, gl.RGBA, textures.HALF_FLOAT_OES, texels);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
      attribute(gl, 0, WHOLE);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      const want = [1, 2, 0.5, 1].map((value) => Math.round(value * 0.25 * 255));
      for (const [channel, value] of pixel(gl, 4, 4).entries()) {
        expect(Math.abs(value - want[channel]!)).toBeLessThanOrEqual(1);
      }
    }
    gl.dispose();
  });
});

describe.each(CORES)('instances on %s', (core) => {
  it('have attributes of their own, or are not announced', () => {
    const gl = open(core);
    const instances = gl.getExtension('ANGLE_instanced_arrays');
    expect(instances !== null).toBe(core === 'gc3000' || core === 'gc7000');
    if (instances) {
      const vertex =
        'attribute vec2 p; attribute vec2 offset; void main() { gl_Position = vec4(p * 0.25 + offset, 0.0, 1.0); }';
      program(gl, vertex, 'void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }');
      attribute(gl, 0, [-1, -1, 1, -1, -1, 1, -1, 1, 1, -1, 1, 1]);
      attribute(gl, 1, [-0.5, -0.5, 0.5, 0.5]);
      instances.vertexAttribDivisorANGLE(1, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      instances.drawArraysInstancedANGLE(gl.TRIANGLES, 0, 6, 2);
      expect([pixel(gl, 2, 2), pixel(gl, 6, 6), pixel(gl, 2, 6), pixel(gl, 6, 2)]).toEqual([
        [0, 255, 0, 255],
        [0, 255, 0, 255],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
      ]);
    }
    gl.dispose();
  });
});

describe.each(CORES)('occlusion queries on %s', (core) => {
  it('add up what the GPU counts in each stream, and leave out what the driver draws itself', () => {
    const states: StreamStates = new Map();
    const backend = etnavivBackend(core, { onSubmit: (words) => collectStates(words, states) });
    const gl = createGlesContext({ width: SIZE, height: SIZE, backend, samples: 0 });
    const context = gl.context.pipe;
    useGlesProgram(gl, 'attribute vec4 position; void main() { gl_Position = position; }', 'void main() {}');
    const query = context.createQuery('occlusionCounter', 0);
    context.beginQuery(query);
    const draw = () => drawVertices(gl, gl.GL_TRIANGLES, 2, [-1, -1, 3, -1, -1, 3]);
    draw();
    gl.glEnable(gl.GL_SCISSOR_TEST);
    gl.glScissor(0, 0, 3, 2);
    gl.glFinish();
    draw();
    // A clear of a part is drawn.
    gl.glClear(gl.GL_COLOR_BUFFER_BIT);
    gl.glFinish();
    draw();
    context.endQuery(query);
    draw();
    expect(context.getQueryResult(query, true)).toBe(SIZE * SIZE + 6 + 6);
    query.destroy();
    gl.dispose();
    expect(states.get('GL_OCCLUSION_QUERY_CONTROL')?.size).toBe(1);
  });
});

/** A GPU that takes its time until it is told to be done. */
class SlowWinsys extends SimWinsys {
  isDone = false;

  override waitFence(): boolean {
    return this.isDone;
  }
}

it('results of queries are not waited for by who does not want to wait', () => {
  const winsys = new SlowWinsys(coreInfo(coreNamed('gc2000')!), [], () => {});
  const screen = new EtnavivScreen(winsys);
  const gl = createGlesContext({ width: SIZE, height: SIZE, screen, samples: 0 });
  const context = gl.context.pipe;
  useGlesProgram(gl, 'attribute vec4 position; void main() { gl_Position = position; }', 'void main() {}');
  const query = context.createQuery('occlusionCounter', 0);
  context.beginQuery(query);
  drawVertices(gl, gl.GL_TRIANGLES, 2, [-1, -1, 3, -1, -1, 3]);
  context.endQuery(query);
  expect(context.getQueryResult(query, false)).toBeNull();
  winsys.isDone = true;
  expect(context.getQueryResult(query, false)).toBe(SIZE * SIZE);
  query.destroy();
  gl.dispose();
  screen.destroy();
});

describe.each(CORES)('conditional render on %s', (core) => {
  it('follows the result of a query', () => {
    const screen = etnavivBackend(core).createScreen({}) as EtnavivScreen;
    const context: Context = screen.createContext();
    const template = resourceTemplate({ format: 'R8G8B8A8_UNORM', width: SIZE, height: SIZE });
    const resource = screen.createResource({ ...template, bind: BIND.RENDER_TARGET | BIND.SAMPLER_VIEW }) as Resource;
    const surface: Surface = { resource, level: 0, firstLayer: 0, lastLayer: 0, format: 'R8G8B8A8_UNORM' };
    context.setFramebufferState({
      width: SIZE,
      height: SIZE,
      samples: 1,
      layers: 1,
      colors: [surface],
      depthStencil: null,
    });
    const clear = (red: number) => {
      const float = new Float32Array([red, 0, 0, 1]);
      const color: ColorValue = { float, int: new Int32Array(float.buffer), uint: new Uint32Array(float.buffer) };
      const info = { buffers: CLEAR.COLOR0, color, depth: 1, stencil: 0, stencilWriteMask: 0xff, colorMasks: [15] };
      expect(context.clear({ ...info, scissor: null })).toBe('ok');
    };
    const red = () => readLevel(context, resource, 4)[0];
    clear(0);
    // Nothing is drawn while the query is active.
    const query = context.createQuery('occlusionPredicate', 0);
    context.beginQuery(query);
    context.endQuery(query);
    context.renderCondition(query, false, true);
    clear(1);
    expect(red()).toBe(0);
    context.renderCondition(query, true, true);
    clear(1);
    expect(red()).toBe(255);
    context.renderCondition(null, false, false);
    clear(0);
    expect(red()).toBe(0);
    query.destroy();
    screen.destroy();
  });
});

it.each(CORES)('%s announces four samples, and two where the hardware has them', (core) => {
  const screen = etnavivBackend(core).createScreen({});
  const hasTwo = !has(core, 'SMALL_MSAA');
  expect(hasTwo).toBe(core === 'gc880' || core === 'gc2000');
  expect(screen.caps.sampleCounts).toEqual(hasTwo ? [2, 4] : [4]);
  for (const count of [2, 3, 4, 8]) {
    const isSupported = screen.isFormatSupported('R8G8B8A8_UNORM', 'texture2D', count, BIND.RENDER_TARGET);
    expect(isSupported).toBe(count === 4 || (count === 2 && hasTwo));
  }
  screen.destroy();
});
