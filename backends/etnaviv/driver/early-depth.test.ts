import { expect, it } from 'vitest';
import { createContext } from '../../../src/index.ts';
import { useProgram } from '../../../src/webgl/testing.ts';
import { etnavivBackend } from '../backend.ts';
import { collectStates, type StreamStates } from './stream-states.ts';

type Gl = WebGLRenderingContext & { dispose(): void };

const PLAIN = 'void main() { gl_FragColor = vec4(0, 1, 0, 1); }';
const DISCARD = 'void main() { if (gl_FragCoord.x < 16.0) discard; gl_FragColor = vec4(0, 1, 0, 1); }';
const DEPTH =
  '#extension GL_EXT_frag_depth : require\nvoid main() { gl_FragColor = vec4(0, 1, 0, 1); gl_FragDepthEXT = gl_FragCoord.x < 16.0 ? 0.9 : 0.1; }';

/** Draws over a square at half the depth; gives the left and the right pixel and what the stream says of early depth. */
function draw(core: string, fragment: string): { left: number; right: number; isEarly: boolean } {
  const states: StreamStates = new Map();
  const backend = etnavivBackend(core, { onSubmit: (words) => collectStates(words, states) });
  const gl = createContext(32, 32, { backend, api: 'webgl', antialias: false }) as unknown as Gl;
  gl.getExtension('EXT_frag_depth');
  const vertex = 'attribute vec2 p; void main() { gl_Position = vec4(p, -0.5, 1.0); }';
  useProgram(gl, vertex, fragment.replace(/(?=void main)/, 'precision mediump float;'));
  gl.enable(gl.DEPTH_TEST);
  gl.clearDepth(0.5);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  const green = (x: number) => {
    const data = new Uint8Array(4);
    gl.readPixels(x, 9, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, data);
    return data[1]!;
  };
  const result = { left: green(4), right: green(28), isEarly: false };
  gl.dispose();
  return { ...result, isEarly: [...states.get('RA_EARLY_DEPTH')!].some((text) => text.includes('TEST_ENABLE')) };
}

it.each(['gc880', 'gc2000', 'gc3000', 'gc7000'])('%s tests depth early only where the program has no say', (core) => {
  expect(draw(core, PLAIN)).toEqual({ left: 255, right: 255, isEarly: core !== 'gc2000' });
  expect(draw(core, DISCARD)).toEqual({ left: 0, right: 255, isEarly: false });
  expect(draw(core, DEPTH)).toEqual({ left: 0, right: 255, isEarly: false });
});
