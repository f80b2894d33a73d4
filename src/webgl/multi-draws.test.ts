import { describe, expect, it } from 'vitest';
import { softBackend } from '../../backends/soft/screen.ts';
import type { WebGL2RenderingContext, WebGLRenderingContext } from './rendering-context.ts';
import { readPixel, testContext1, testContext2, useTestProgram } from './testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: extension objects have no types in the DOM lib yet
type Extension = any;

const FRAGMENT =
  '#version 300 es\nprecision highp float; in vec4 color; out vec4 result; void main() { result = color; }';

/** One point a vertex, at pixel x of row 0: the place from the attribute, the colour from what the draw numbers. */
const POINTS = `#version 300 es
#extension GL_ANGLE_multi_draw : require
layout(location = 0) in float x;
layout(location = 1) in float instanced;
out vec4 color;
void main() {
  gl_Position = vec4((x + 0.5) / 8.0 - 1.0, (instanced + 0.5) / 8.0 - 1.0, 0, 1);
  gl_PointSize = 1.0;
  color = vec4(gl_DrawID, gl_VertexID, gl_InstanceID, 255) / 255.0;
}`;

function points(gl: WebGL2RenderingContext): void {
  useTestProgram(gl as never, POINTS, FRAGMENT);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(
    gl.ARRAY_BUFFER,
    Float32Array.from({ length: 16 }, (_, i) => i),
    gl.STATIC_DRAW,
  );
  for (const location of [0, 1]) {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, 1, gl.FLOAT, false, 0, 0);
  }
  gl.vertexAttribDivisor(1, 1);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(
    gl.ELEMENT_ARRAY_BUFFER,
    Uint8Array.from({ length: 8 }, (_, i) => i),
    gl.STATIC_DRAW,
  );
}

function row(gl: WebGL2RenderingContext, y: number, count: number): number[][] {
  return Array.from({ length: count }, (_, x) => readPixel(gl as never, x, y).slice(0, 3));
}

describe('multi-draws', () => {
  it('number their draws', () => {
    const gl = testContext2(softBackend);
    const ext: Extension = gl.getExtension('WEBGL_multi_draw');
    points(gl);
    ext.multiDrawArraysWEBGL(gl.POINTS, [9, 0, 2, 3], 1, new Int32Array([2, 1, 1]), 0, 3);
    expect(row(gl, 0, 5)).toEqual([
      [0, 0, 0],
      [0, 1, 0],
      [1, 2, 0],
      [2, 3, 0],
      [0, 0, 0],
    ]);
    ext.multiDrawElementsInstancedWEBGL(gl.POINTS, [1, 1], 0, gl.UNSIGNED_BYTE, [4, 7], 0, [1, 2], 0, 2);
    expect(readPixel(gl as never, 4, 0)).toEqual([0, 4, 0, 255]);
    expect(readPixel(gl as never, 7, 1)).toEqual([1, 7, 1, 255]);
    // Plain draws are draw 0 again.
    gl.drawArrays(gl.POINTS, 7, 1);
    expect(readPixel(gl as never, 7, 0)).toEqual([0, 7, 0, 255]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('draw nothing when one of them is wrong', () => {
    const gl = testContext2(softBackend);
    const ext: Extension = gl.getExtension('WEBGL_multi_draw');
    points(gl);
    ext.multiDrawArraysWEBGL(gl.POINTS, [1, 15], 0, [1, 2], 0, 2);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    ext.multiDrawArraysWEBGL(gl.POINTS, [1, -1], 0, [1, 1], 0, 2);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
    ext.multiDrawArraysWEBGL(gl.POINTS, [1], 0, [1], 0, -1);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
    ext.multiDrawArraysWEBGL(gl.POINTS, [1], 1, [1], 0, 1);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    ext.multiDrawElementsWEBGL(gl.POINTS, [1], 0, gl.FLOAT, [0], 0, 1);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    expect(readPixel(gl as never, 1, 0)).toEqual([0, 0, 0, 0]);
    expect(() => ext.multiDrawArraysWEBGL(gl.POINTS, 5, 0, [1], 0, 1)).toThrow(TypeError);
  });

  it('share the room of transform feedback', () => {
    const gl = testContext2(softBackend);
    const ext: Extension = gl.getExtension('WEBGL_multi_draw');
    points(gl);
    const program = gl.getParameter(gl.CURRENT_PROGRAM) as ReturnType<typeof gl.createProgram>;
    gl.transformFeedbackVaryings(program, ['color'], gl.INTERLEAVED_ATTRIBS);
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, gl.createBuffer());
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 48, gl.STATIC_READ);
    gl.beginTransformFeedback(gl.POINTS);
    ext.multiDrawArraysWEBGL(gl.POINTS, [0, 1], 0, [2, 2], 0, 2);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    ext.multiDrawArraysWEBGL(gl.POINTS, [0, 1], 0, [2, 1], 0, 2);
    gl.endTransformFeedback();
    expect(gl.getError()).toBe(gl.NO_ERROR);
    const captured = new Float32Array(12);
    gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, captured);
    expect([0, 4, 8].map((i) => captured[i]! * 255)).toEqual([0, 0, expect.closeTo(1)]);
  });

  it('work in WebGL 1, instanced ones with the divisors of ANGLE_instanced_arrays', () => {
    const gl = testContext1(softBackend);
    const ext: Extension = gl.getExtension('WEBGL_multi_draw');
    expect(gl.getSupportedExtensions()).not.toContain('WEBGL_draw_instanced_base_vertex_base_instance');
    useTestProgram(
      gl as WebGLRenderingContext,
      `#extension GL_ANGLE_multi_draw : require
      attribute vec4 position; varying vec4 color;
      void main() { gl_Position = position; gl_PointSize = 64.0; color = vec4(gl_DrawID == 1, 0, 0, 1); }`,
      'precision highp float; varying vec4 color; void main() { gl_FragColor = color; }',
    );
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(8), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    ext.multiDrawArraysInstancedWEBGL(gl.POINTS, [0, 0], 0, [1, 1], 0, [1, 1], 0, 2);
    expect(readPixel(gl, 3, 3)).toEqual([255, 0, 0, 255]);
  });
});

describe('base vertices and base instances', () => {
  it('shift what is fetched and gl_VertexID, not gl_InstanceID', () => {
    const gl = testContext2(softBackend);
    const ext: Extension = gl.getExtension('WEBGL_draw_instanced_base_vertex_base_instance');
    gl.getExtension('WEBGL_multi_draw');
    points(gl);
    ext.drawElementsInstancedBaseVertexBaseInstanceWEBGL(gl.POINTS, 2, gl.UNSIGNED_BYTE, 1, 2, 3, 5);
    expect(row(gl, 5, 6).slice(4)).toEqual([
      [0, 4, 0],
      [0, 5, 0],
    ]);
    expect(readPixel(gl as never, 4, 6)).toEqual([0, 4, 1, 255]);
    ext.drawArraysInstancedBaseInstanceWEBGL(gl.POINTS, 7, 1, 1, 9);
    expect(readPixel(gl as never, 7, 9)).toEqual([0, 7, 0, 255]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('are checked against the arrays', () => {
    const gl = testContext2(softBackend);
    const ext: Extension = gl.getExtension('WEBGL_draw_instanced_base_vertex_base_instance');
    gl.getExtension('WEBGL_multi_draw');
    points(gl);
    for (const [count, instances, vertex, instance] of [
      [1, 1, 16, 0],
      [1, 1, -1, 0],
      [1, 1, 0, 16],
      [1, 2, 0, 15],
      [1, 1, 0, 0xffffffff],
    ]) {
      const draw = ext.drawElementsInstancedBaseVertexBaseInstanceWEBGL.bind(ext);
      draw(gl.POINTS, count, gl.UNSIGNED_BYTE, 0, instances, vertex, instance);
      expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    }
    ext.drawArraysInstancedBaseInstanceWEBGL(gl.POINTS, 0, 1, 1, 16);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('differ from draw to draw of a multi-draw', () => {
    const gl = testContext2(softBackend);
    const ext: Extension = gl.getExtension('WEBGL_multi_draw_instanced_base_vertex_base_instance');
    points(gl);
    const draw = ext.multiDrawElementsInstancedBaseVertexBaseInstanceWEBGL.bind(ext);
    draw(gl.POINTS, [1, 1], 0, gl.UNSIGNED_BYTE, [0, 2], 0, [1, 1], 0, [1, 4], 0, [0, 3], 0, 2);
    expect(readPixel(gl as never, 1, 0)).toEqual([0, 1, 0, 255]);
    expect(readPixel(gl as never, 6, 3)).toEqual([1, 6, 0, 255]);
    ext.multiDrawArraysInstancedBaseInstanceWEBGL(gl.POINTS, [2, 3], 0, [1, 1], 0, [1, 1], 0, [7, 8], 0, 2);
    expect(readPixel(gl as never, 3, 8)).toEqual([1, 3, 0, 255]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});
