// Arguments with a life of their own: conversions that lose or end the context, arrays with holes, memory that is gone.

import { describe, expect, it } from 'vitest';
import { nullBackend } from '../../backends/null/screen.ts';
import { softBackend } from '../../backends/soft/screen.ts';
import { testCanvas, testContext2, useTestProgram } from './testing.ts';

type Loose = Record<string, (...args: unknown[]) => unknown>;

function open() {
  const canvas = testCanvas(softBackend, 4, 4);
  const gl = canvas.getContext('webgl2') as unknown as WebGL2RenderingContext;
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  return { canvas, gl, calls: gl as unknown as Loose };
}

describe('conversions that take the context away', () => {
  const image = (get: () => void) => ({
    width: 1,
    height: 1,
    get data() {
      get();
      return new Uint8Array(4);
    },
  });
  const number = (value: number, get: () => void) => ({
    valueOf: () => {
      get();
      return value;
    },
  });
  const [TEXTURE, RGBA, BYTE, DXT1] = [0x0de1, 0x1908, 0x1401, 0x83f0];

  it.each<[string, (calls: Loose, end: () => void) => unknown]>([
    ['a picture', (calls, end) => calls['texImage2D']!(TEXTURE, 0, RGBA, RGBA, BYTE, image(end))],
    ['a part', (calls, end) => calls['texSubImage2D']!(TEXTURE, 0, 0, 0, RGBA, BYTE, image(end))],
    ['a size', (calls, end) => calls['texImage2D']!(TEXTURE, 0, RGBA, number(1, end), 1, 0, RGBA, BYTE, null)],
    [
      'an offset',
      (calls, end) => calls['texImage2D']!(TEXTURE, 0, RGBA, 1, 1, 0, RGBA, BYTE, new Uint8Array(8), number(4, end)),
    ],
    [
      'an offset of blocks',
      (calls, end) =>
        calls['compressedTexImage2D']!(TEXTURE, 0, DXT1, 4, 4, 0, new Uint8Array(16), number(8, end), number(8, end)),
    ],
    [
      'an offset for results',
      (calls, end) => calls['readPixels']!(0, 0, 1, 1, RGBA, BYTE, new Uint8Array(8), number(4, end)),
    ],
  ])('end the call: %s', (_name, call) => {
    for (const end of ['lose', 'dispose'] as const) {
      const { canvas, gl, calls } = open();
      gl.getExtension('WEBGL_compressed_texture_s3tc');
      const lose = gl.getExtension('WEBGL_lose_context')!;
      call(calls, () => (end === 'lose' ? lose.loseContext() : canvas.dispose()));
      expect(gl.isContextLost()).toBe(true);
      if (end === 'lose') expect(gl.getError()).toBe(gl.CONTEXT_LOST_WEBGL);
    }
  });

  it('make one context of a canvas, not two', () => {
    const canvas = testCanvas(nullBackend);
    let inner: unknown;
    const outer = canvas.getContext('webgl2', {
      get alpha() {
        inner ??= canvas.getContext('webgl2');
        return true;
      },
    });
    expect(outer).toBe(inner);
    const ended = testCanvas(nullBackend);
    const attributes = {
      get depth() {
        ended.dispose();
        return true;
      },
    };
    expect(ended.getContext('webgl', attributes)).toBeNull();
  });
});

describe('sequences', () => {
  it('have undefined where an array has holes', () => {
    const gl = testContext2(nullBackend);
    const program = useTestProgram(gl);
    const calls = gl as unknown as Loose;
    calls['transformFeedbackVaryings']!(program, new Array(1), gl.SEPARATE_ATTRIBS);
    gl.linkProgram(program);
    expect(gl.getProgramParameter(program, gl.LINK_STATUS)).toBe(false);
    expect(gl.getProgramInfoLog(program)).toContain('undefined');
    calls['drawBuffers']!(new Array(1));
    expect(gl.getParameter(gl.DRAW_BUFFER0)).toBe(gl.NONE);
    const values = [1, 2, '3', 4];
    Reflect.deleteProperty(values, 1);
    calls['vertexAttrib4fv']!(1, values);
    expect(gl.getVertexAttrib(1, gl.CURRENT_VERTEX_ATTRIB)).toEqual(Float32Array.of(1, Number.NaN, 3, 4));
  });
});

describe('memory', () => {
  it('that a view has lost is none', () => {
    const gl = testContext2(softBackend);
    const Resizable = ArrayBuffer as unknown as new (
      length: number,
      options: object,
    ) => ArrayBuffer & { resize(length: number): void };
    const buffer = new Resizable(16, { maxByteLength: 16 });
    const views = [new Uint8Array(buffer, 8, 8), new DataView(buffer, 8, 8)];
    buffer.resize(4);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    for (const view of views) {
      gl.bufferData(gl.ARRAY_BUFFER, view, gl.STATIC_DRAW);
      expect(gl.getBufferParameter(gl.ARRAY_BUFFER, gl.BUFFER_SIZE)).toBe(0);
    }
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, views[0]!);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('is what it is, not what it says', () => {
    const gl = testContext2(softBackend);
    const calls = gl as unknown as Loose;
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    calls['bufferData']!(gl.ARRAY_BUFFER, { [Symbol.toStringTag]: 'ArrayBuffer', byteLength: 64 }, gl.STATIC_DRAW);
    expect(gl.getBufferParameter(gl.ARRAY_BUFFER, gl.BUFFER_SIZE)).toBe(0);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    const data = { [Symbol.toStringTag]: 'Uint8Array', length: 1e9 };
    const upload = () =>
      calls['texImage2D']!(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, { width: 1, height: 1, data });
    expect(upload).toThrow(TypeError);
  });
});

describe('canvases', () => {
  it('too large for a picture have none, lost ones too', async () => {
    const { gl } = open();
    const canvas = testCanvas(nullBackend);
    const source = canvas as unknown as HTMLCanvasElement;
    const lose = canvas.getContext('webgl')!.getExtension('WEBGL_lose_context')!;
    lose.loseContext();
    canvas.width = canvas.height = 0x7fffffff;
    for (const _ of ['lost', 'disposed']) {
      expect(canvas.toDataURL()).toBe('data:,');
      expect(await new Promise((resolve) => canvas.toBlob(resolve))).toBeNull();
      expect(() => canvas.toImageData()).toThrow(/no memory/);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, source);
      expect(gl.getError()).toBe(gl.OUT_OF_MEMORY);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, source);
      expect(gl.getError()).toBe(gl.OUT_OF_MEMORY);
      canvas.dispose();
    }
  });
});
