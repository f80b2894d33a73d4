import { describe, expect, it } from 'vitest';
import { softBackend } from '../../backends/soft/screen.ts';
import type { WebGL2RenderingContext } from './rendering-context.ts';
import { readPixel, testContext1, testContext2, useTestProgram } from './testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: extension objects have no types in the DOM lib yet
type Extension = any;

const EXTENSION = '#extension GL_ANGLE_clip_cull_distance : require\n';

function vertex(body: string, declarations = ''): string {
  return `#version 300 es\n${EXTENSION}${declarations}\nlayout(location = 0) in vec4 position; out float value;
  void main() { gl_Position = position; value = position.x; ${body} }`;
}

function fragment(body: string, declarations = ''): string {
  return `#version 300 es\n${EXTENSION}precision highp float;\n${declarations}
  layout(location = 0) out vec4 result;\nvoid main() { ${body} }`;
}

const WHITE = fragment('result = vec4(1);');

function open(): { gl: WebGL2RenderingContext; ext: Extension } {
  const gl = testContext2(softBackend, { antialias: false });
  const ext = gl.getExtension('WEBGL_clip_cull_distance');
  return { gl, ext };
}

/** Vertices of 4 components in attribute 0. */
function bind(gl: WebGL2RenderingContext, ...vertices: number[]): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(vertices), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0);
}

const QUAD = [-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1, 1, 1, 0, 1];

/** Red of the whole drawing buffer. */
function red(gl: WebGL2RenderingContext): Uint8Array {
  const all = new Uint8Array(16 * 16 * 4);
  gl.readPixels(0, 0, 16, 16, gl.RGBA, gl.UNSIGNED_BYTE, all);
  return all.filter((_, i) => i % 4 === 0);
}

describe('clip distances', () => {
  it('cut triangles where they are negative, when they are on', () => {
    const { gl, ext } = open();
    bind(gl, ...QUAD);
    useTestProgram(
      gl as never,
      vertex('gl_ClipDistance[0] = position.x + 0.5; gl_ClipDistance[5] = 0.25 - position.y;'),
      WHITE,
    );
    const draw = (): boolean[] => {
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
      return [
        [3, 3],
        [4, 3],
        [4, 9],
        [4, 10],
      ].map(([x, y]) => readPixel(gl as never, x!, y!)[0] === 255);
    };
    expect(draw()).toEqual([true, true, true, true]);
    gl.enable(ext.CLIP_DISTANCE0_WEBGL);
    expect(draw()).toEqual([false, true, true, true]);
    gl.enable(ext.CLIP_DISTANCE5_WEBGL);
    expect(draw()).toEqual([false, true, true, false]);
    gl.disable(ext.CLIP_DISTANCE0_WEBGL);
    expect(draw()).toEqual([true, true, true, false]);
    // Nothing writes this one: it clips nothing.
    gl.enable(ext.CLIP_DISTANCE7_WEBGL);
    expect(draw()).toEqual([true, true, true, false]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('leave neither gap nor overlap between a half-space and its complement', () => {
    const { gl, ext } = open();
    const program = useTestProgram(
      gl as never,
      vertex(
        'gl_ClipDistance[0] = side * (position.x * 0.37 + position.y * 0.61 + 0.083 * position.w);',
        'uniform float side;',
      ),
      fragment('result = vec4(0.5);'),
    );
    // Corners of different w.
    bind(gl, -1, -1, 0, 1, 3, -3, 0, 3, -0.5, 0.5, 0, 0.5, 2, 2, 0, 2);
    gl.enable(ext.CLIP_DISTANCE0_WEBGL);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    for (const side of [1, -1]) {
      gl.uniform1f(gl.getUniformLocation(program as never, 'side'), side);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    expect(new Set(red(gl))).toEqual(new Set([128]));
  });

  it('cut lines, drop points, survive what is no number', () => {
    const { gl, ext } = open();
    useTestProgram(gl as never, vertex('gl_PointSize = 4.0; gl_ClipDistance[0] = position.z;'), WHITE);
    gl.enable(ext.CLIP_DISTANCE0_WEBGL);
    bind(gl, -1, 0.03, -0.5, 1, 1, 0.03, 0.5, 1, Number.NaN, 0, 0, 1);
    gl.drawArrays(gl.LINES, 0, 2);
    expect([3, 7, 8, 12].map((x) => readPixel(gl as never, x, 8)[0])).toEqual([0, 0, 255, 255]);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.drawArrays(gl.POINTS, 0, 3);
    expect([readPixel(gl as never, 0, 8)[0], readPixel(gl as never, 15, 8)[0]]).toEqual([0, 255]);
    useTestProgram(gl as never, vertex('gl_ClipDistance[0] = position.x > 0.0 ? 1.0 / 0.0 : sqrt(-1.0);'), WHITE);
    bind(gl, ...QUAD);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('reach the fragment shader, beside all varyings', () => {
    const { gl, ext } = open();
    bind(gl, ...QUAD);
    useTestProgram(
      gl as never,
      vertex('gl_ClipDistance[1] = position.x + 1.0; gl_CullDistance[0] = position.y + 1.0;'),
      fragment(
        'result = vec4(gl_ClipDistance[1], gl_CullDistance[0], value + 1.0, gl_CullDistance[1]) * 0.5;',
        'in float value;',
      ),
    );
    gl.enable(ext.CLIP_DISTANCE1_WEBGL);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    const x = Math.round((4.5 / 16) * 255);
    expect(readPixel(gl as never, 4, 10)).toEqual([x, Math.round((10.5 / 16) * 255), x, 0]);
  });

  it('are as large as declared or indexed', () => {
    const { gl } = open();
    const compiles = (type: number, source: string): boolean => {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      return gl.getShaderParameter(shader, gl.COMPILE_STATUS) as boolean;
    };
    const V = gl.VERTEX_SHADER;
    const loop = 'for (int i = 0; i < 3; i++) gl_ClipDistance[i] = 1.0;';
    expect(compiles(V, vertex(loop, 'out highp float gl_ClipDistance[3];'))).toBe(true);
    expect(compiles(V, vertex(loop))).toBe(false);
    expect(compiles(V, vertex('gl_ClipDistance[7] = 1.0;'))).toBe(true);
    expect(compiles(V, vertex('gl_ClipDistance[8] = 1.0;'))).toBe(false);
    expect(compiles(V, vertex('gl_ClipDistance[2] = 1.0;', 'out float gl_ClipDistance[2];'))).toBe(false);
    expect(compiles(V, vertex('', 'out float gl_ClipDistance[9];'))).toBe(false);
    expect(compiles(V, vertex('', 'out vec2 gl_ClipDistance[2];'))).toBe(false);
    expect(compiles(V, vertex('value = float(gl_ClipDistance.length());', 'out float gl_ClipDistance[2];'))).toBe(true);
    expect(compiles(V, vertex('value = float(gl_ClipDistance.length());'))).toBe(false);
    expect(compiles(gl.FRAGMENT_SHADER, fragment('gl_ClipDistance[0] = 1.0; result = vec4(1);'))).toBe(false);
    expect(compiles(V, vertex('gl_ClipDistance[0] = 1.0;').replace(EXTENSION, ''))).toBe(false);
    const tooMany = vertex('gl_ClipDistance[5] = 1.0; gl_CullDistance[2] = 1.0;');
    expect(() => useTestProgram(gl as never, tooMany, WHITE)).toThrow(/more than 8/);
  });
});

describe('cull distances', () => {
  it('drop primitives that have one negative at all vertices', () => {
    const { gl } = open();
    bind(gl, ...QUAD);
    const draw = (expression: string): number => {
      useTestProgram(gl as never, vertex(`gl_CullDistance[0] = 1.0; gl_CullDistance[1] = ${expression};`), WHITE);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
      return red(gl).filter((value) => value === 255).length;
    };
    expect(draw('1.0')).toBe(256);
    expect(draw('-1.0')).toBe(0);
    expect(draw('position.x')).toBe(256);
    // Only the first triangle has no vertex with x + y > 0.5; the pixels on the diagonal are the second's.
    expect(draw('position.x + position.y - 0.5')).toBe(136);
  });
});

describe('noperspective varyings', () => {
  it('stay linear in the window where the near plane cuts', () => {
    const gl = testContext2(softBackend, { antialias: false });
    gl.getExtension('NV_shader_noperspective_interpolation');
    const how = '#extension GL_NV_shader_noperspective_interpolation : require\n';
    useTestProgram(
      gl as never,
      `#version 300 es\n${how}layout(location = 0) in vec4 position; noperspective out float value;
      void main() { gl_Position = position; value = position.x / position.w * 0.5 + 0.5; }`,
      `#version 300 es\n${how}precision highp float; noperspective in float value; out vec4 result; void main() { result = vec4(value); }`,
    );
    // The right end is nearer than the near plane, with another w.
    bind(gl, -1, -1, 0, 1, 4, -2, -8, 2, -1, 3, 0, 1);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    for (const x of [0, 3, 5]) expect(readPixel(gl as never, x, 0)[0]).toBeCloseTo(((x + 0.5) / 16) * 255, -0.5);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});

describe('WEBGL_polygon_mode', () => {
  function lines(api: 1 | 2): { gl: WebGL2RenderingContext; ext: Extension } {
    const attributes = { antialias: false, depth: true };
    const gl = (api === 1 ? testContext1(softBackend, attributes) : testContext2(softBackend, attributes)) as never;
    const ext = (gl as WebGL2RenderingContext).getExtension('WEBGL_polygon_mode');
    return { gl, ext };
  }
  const simple = ['attribute vec4 position; void main() { gl_Position = position; }'];
  const color = 'precision mediump float; void main() { gl_FragColor = vec4(1, gl_FrontFacing, 0, 1); }';
  /** Corners at pixel centres 2.5 and 13.5. */
  const TRIANGLE = [-0.6875, -0.6875, 0, 1, 0.6875, -0.6875, 0, 1, -0.6875, 0.6875, 0, 1];

  it('draws the sides of triangles, with their facing', () => {
    for (const api of [1, 2] as const) {
      const { gl, ext } = lines(api);
      useTestProgram(gl as never, simple[0], color);
      bind(gl, ...TRIANGLE);
      ext.polygonModeWEBGL(gl.FRONT_AND_BACK, ext.LINE_WEBGL);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      expect(readPixel(gl as never, 4, 4)).toEqual([0, 0, 0, 0]);
      for (const [x, y] of [
        [6, 2],
        [2, 6],
        [8, 7],
        [2, 2],
      ])
        expect([x, y, ...readPixel(gl as never, x!, y!)]).toEqual([x, y, 255, 255, 0, 255]);
      gl.frontFace(gl.CW);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      expect(readPixel(gl as never, 6, 2)).toEqual([255, 0, 0, 255]);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.enable(gl.CULL_FACE);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      expect(readPixel(gl as never, 6, 2)).toEqual([0, 0, 0, 0]);
      expect(gl.getError()).toBe(gl.NO_ERROR);
    }
  });

  it('has a polygon offset of its own, and only lines and fills', () => {
    const { gl, ext } = lines(2);
    useTestProgram(gl as never, simple[0], color);
    bind(gl, ...TRIANGLE);
    gl.enable(gl.DEPTH_TEST);
    ext.polygonModeWEBGL(gl.FRONT_AND_BACK, ext.LINE_WEBGL);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.frontFace(gl.CW);
    gl.polygonOffset(0, -2);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(readPixel(gl as never, 6, 2)[1]).toBe(255);
    gl.enable(ext.POLYGON_OFFSET_LINE_WEBGL);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(readPixel(gl as never, 6, 2)[1]).toBe(0);
    ext.polygonModeWEBGL(gl.FRONT, ext.LINE_WEBGL);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    ext.polygonModeWEBGL(gl.FRONT_AND_BACK, 0x1b00);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
  });

  it('goes around what clipping leaves', () => {
    const { gl, ext } = lines(2);
    useTestProgram(gl as never, simple[0], color);
    // One corner behind the eye.
    bind(gl, -0.5, -0.5, 0, 1, 0.5, -0.5, 0, 1, 0, 4, -2, -1);
    ext.polygonModeWEBGL(gl.FRONT_AND_BACK, ext.LINE_WEBGL);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(readPixel(gl as never, 8, 4)[0]).toBe(255);
    expect(readPixel(gl as never, 8, 6)[0]).toBe(0);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});
