import { describe, expect, it } from 'vitest';
import { createContext } from '../../../src/index.ts';
import type { Backend } from '../../../src/pipe/pipe.ts';
import { useProgram } from '../../../src/webgl/testing.ts';
import { softBackend } from '../../soft/screen.ts';
import { etnavivBackend } from '../backend.ts';

type Gl = WebGL2RenderingContext & { dispose(): void };

function open(backend: Backend): Gl {
  return createContext(16, 16, { backend, api: 'webgl2', antialias: false }) as unknown as Gl;
}

function program(gl: Gl, vertex: string, varyings: string[], mode: number): WebGLProgram {
  const fragment = 'precision mediump float; out vec4 o; void main() { o = vec4(0, 1, 0, 1); }';
  return useProgram(gl, `#version 300 es\n${vertex}`, `#version 300 es\n${fragment}`, (made) =>
    gl.transformFeedbackVaryings(made, varyings, mode),
  );
}

function feedbackBuffer(gl: Gl, index: number, floats: number): WebGLBuffer {
  const buffer = gl.createBuffer()!;
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, index, buffer);
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, floats * 4, gl.DYNAMIC_READ);
  return buffer;
}

/** Results of queries come in a later task. */
async function isAvailable(gl: Gl, query: WebGLQuery): Promise<void> {
  while (!gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE)) await new Promise((resolve) => setTimeout(resolve));
}

function read(gl: Gl, buffer: WebGLBuffer, floats: number): number[] {
  const data = new Float32Array(floats);
  // WebGL reads no buffer that transform feedback could write.
  for (const index of [0, 1]) gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, index, null);
  gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, null);
  gl.bindBuffer(gl.COPY_READ_BUFFER, buffer);
  gl.getBufferSubData(gl.COPY_READ_BUFFER, 0, data);
  return [...data];
}

function attribute(gl: Gl, location: number, components: number, values: number[], divisor = 0): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(values), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, components, gl.FLOAT, false, 0, 0);
  gl.vertexAttribDivisor(location, divisor);
}

describe('transform feedback of etnaviv:gc7000', () => {
  it('writes the outputs of each vertex, counts primitives, and draws as well', async () => {
    const gl = open(etnavivBackend('gc7000'));
    program(
      gl,
      'layout(location = 0) in vec2 p; out vec3 a; void main() { a = vec3(p * 2.0, float(gl_VertexID)); gl_Position = vec4(p, 0, 1); }',
      ['a', 'gl_Position'],
      gl.INTERLEAVED_ATTRIBS,
    );
    attribute(gl, 0, 2, [-1, -1, 3, -1, -1, 3]);
    const buffer = feedbackBuffer(gl, 0, 24);
    const query = gl.createQuery()!;
    gl.beginQuery(gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    gl.beginTransformFeedback(gl.TRIANGLES);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.endTransformFeedback();
    gl.endQuery(gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    expect(read(gl, buffer, 24)).toEqual([
      ...[-2, -2, 0, -1, -1, 0, 1],
      ...[6, -2, 1, 3, -1, 0, 1],
      ...[-2, 6, 2, -1, 3, 0, 1],
      ...[0, 0, 0],
    ]);
    await isAvailable(gl, query);
    expect(gl.getQueryParameter(query, gl.QUERY_RESULT)).toBe(1);
    const pixel = new Uint8Array(4);
    gl.readPixels(8, 8, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    expect([...pixel]).toEqual([0, 255, 0, 255]);
    gl.dispose();
  });

  it('captures under rasterizer discard, and goes on after a pause where it was', () => {
    const gl = open(etnavivBackend('gc7000'));
    const made = program(
      gl,
      'uniform float scale; out float a; void main() { a = sin(float(gl_VertexID)) * scale; gl_Position = vec4(0); }',
      ['a'],
      gl.SEPARATE_ATTRIBS,
    );
    const scale = gl.getUniformLocation(made, 'scale');
    const buffer = feedbackBuffer(gl, 0, 4);
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.uniform1f(scale, 1);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, 2);
    gl.pauseTransformFeedback();
    gl.drawArrays(gl.POINTS, 0, 2);
    gl.resumeTransformFeedback();
    gl.uniform1f(scale, 10);
    gl.drawArrays(gl.POINTS, 1, 2);
    gl.endTransformFeedback();
    const want = [0, Math.sin(1), 10 * Math.sin(1), 10 * Math.sin(2)];
    for (const [index, value] of read(gl, buffer, 4).entries()) expect(value).toBeCloseTo(want[index]!, 4);
    gl.dispose();
  });

  it('agrees with soft on textures, uniform blocks, instances and loops', () => {
    const run = (backend: Backend): number[] => {
      const gl = open(backend);
      const made = program(
        gl,
        `uniform sampler2D t; uniform B { vec4 scale[2]; };
        layout(location = 0) in float x; layout(location = 1) in vec2 y;
        out vec4 a; flat out int n;
        void main() {
          a = texelFetch(t, ivec2(gl_VertexID & 1, gl_InstanceID), 0) * scale[gl_InstanceID & 1];
          for (int i = 0; i < int(x); i++) a.xy += y;
          n = gl_VertexID * 3 - 4; gl_Position = a;
        }`,
        ['a', 'n'],
        gl.SEPARATE_ATTRIBS,
      );
      attribute(gl, 0, 1, [1, 2, 3, 4]);
      attribute(gl, 1, 2, [0.5, 0.25, 2, 8], 1);
      gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
      const texels = new Uint8Array([255, 0, 51, 255, 0, 255, 0, 102, 0, 0, 255, 0, 204, 51, 153, 255]);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, gl.createBuffer());
      gl.bufferData(gl.UNIFORM_BUFFER, new Float32Array([1, 2, 3, 4, 5, 6, 7, 8]), gl.STATIC_DRAW);
      gl.uniformBlockBinding(made, gl.getUniformBlockIndex(made, 'B'), 0);
      const floats = feedbackBuffer(gl, 0, 32);
      const numbers = feedbackBuffer(gl, 1, 8);
      gl.beginTransformFeedback(gl.POINTS);
      gl.drawArraysInstanced(gl.POINTS, 0, 4, 2);
      gl.endTransformFeedback();
      expect(gl.getError()).toBe(gl.NO_ERROR);
      const result = [...read(gl, floats, 32), ...new Int32Array(new Float32Array(read(gl, numbers, 8)).buffer)];
      gl.dispose();
      return result;
    };
    const want = run(softBackend);
    expect(want[0]).toBe(1.5);
    expect(run(etnavivBackend('gc7000'))).toEqual(want);
  });

  it('captures draws of more vertices than a batch, in order', async () => {
    const gl = open(etnavivBackend('gc7000'));
    const vertex = 'out float a; void main() { a = float(gl_VertexID); gl_Position = vec4(2, 2, 2, 1); }';
    program(gl, vertex, ['a'], gl.SEPARATE_ATTRIBS);
    const count = 100_001;
    const buffer = feedbackBuffer(gl, 0, count * 2);
    gl.enable(gl.RASTERIZER_DISCARD);
    const written = gl.createQuery()!;
    gl.beginQuery(gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, written);
    gl.beginTransformFeedback(gl.LINES);
    gl.drawArraysInstanced(gl.LINES, 0, count, 2);
    gl.endTransformFeedback();
    gl.endQuery(gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    const got = read(gl, buffer, count * 2);
    // The last vertex of each instance has no line.
    const want = Array.from({ length: count - 1 }, (_, i) => i);
    expect(got).toEqual([...want, ...want, 0, 0]);
    await isAvailable(gl, written);
    expect(gl.getQueryParameter(written, gl.QUERY_RESULT)).toBe(count - 1);
    gl.dispose();
  });
});
